//! Numbers that take a step at most. Whoever reads the tree position by position sees them at a glance, without going
//! down to what they are made of.

use super::{Array, Fold, Int, IntKind};
use crate::lang::number;
use crate::lang::syntax::Operator;

/// What a number comes to. Where this has no value in 64 bits, the number is to be read as it stands, which tells why. The
/// kind is a byte of its own, so that it is read at once.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub enum Brief {
    /// A coordinate of the position, by its offset: `x`, `x + 1`, `x * 2`.
    Variable(usize, Line),
    /// A number.
    Number(i64),
    /// Two coordinates.
    Variables(Step, usize, usize),
    /// A coordinate and a loop variable, by its slot.
    WithLoop(Step, usize, usize),
    /// A loop variable, by its slot.
    Loop(usize),
    /// A cell of an array of the state, by the slot of a loop variable: `c[i]`, `c[i] + 1`.
    Cell(Array, usize, Line),
    /// Two operands of any kind.
    Two(Step, Operand, Operand),
    /// More than that.
    Long,
}

/// What becomes of one number.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// It is taken so many times.
    pub times: i64,
    /// And so much more.
    pub more: i64,
}

/// One operation of two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// The lesser.
    Min,
    /// The greater.
    Max,
    /// `a // b`
    FloorDiv,
    /// `a % b`
    FloorMod,
    /// `ceildiv(a, b)`
    CeilDiv,
}

/// What stands ready.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub enum Operand {
    /// A number.
    Number(i64),
    /// A coordinate of the position, by its offset.
    Variable(usize),
    /// A loop variable, by its slot.
    Loop(usize),
    /// A cell of an array of the state, by the slot of a loop variable.
    Cell(Array, usize),
}

impl Line {
    const SAME: Self = Self { times: 1, more: 0 };

    /// The value, if it has one.
    #[inline(always)]
    pub(in crate::lang) const fn value(self, of: i64) -> Option<i64> {
        let (product, beyond) = of.overflowing_mul(self.times);
        let (sum, past) = product.overflowing_add(self.more);
        if beyond | past { None } else { Some(sum) }
    }

    /// That of a step with a number.
    fn of(step: Step, number: i64) -> Option<Self> {
        match step {
            Step::Add => Some(Self { times: 1, more: number }),
            Step::Sub => number.checked_neg().map(|more| Self { times: 1, more }),
            Step::Mul => Some(Self { times: number, more: 0 }),
            _ => None,
        }
    }
}

impl Step {
    /// The value, if it has one and no division is needed.
    #[inline(always)]
    pub(in crate::lang) fn at_once(self, a: i64, b: i64) -> Option<i64> {
        // by far the commonest
        if self == Self::Add {
            return a.checked_add(b);
        }
        match self {
            Self::Add => a.checked_add(b),
            Self::Sub => a.checked_sub(b),
            Self::Mul => a.checked_mul(b),
            Self::Min => Some(a.min(b)),
            Self::Max => Some(a.max(b)),
            Self::FloorDiv | Self::FloorMod | Self::CeilDiv => None,
        }
    }

    /// The value, if it has one.
    #[inline(always)]
    pub(in crate::lang) fn value(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Self::FloorDiv => number::floor_div(a, b).ok(),
            Self::FloorMod => number::floor_mod(a, b).ok(),
            Self::CeilDiv => number::ceil_div(a, b).ok(),
            _ => self.at_once(a, b),
        }
    }
}

impl Brief {
    /// What a number of this kind comes to.
    pub(super) fn of(kind: &IntKind) -> Self {
        if let Some(operand) = Operand::of(kind) {
            return match operand {
                Operand::Number(number) => Self::Number(number),
                Operand::Variable(at) => Self::Variable(at, Line::SAME),
                Operand::Loop(slot) => Self::Loop(slot),
                Operand::Cell(array, slot) => Self::Cell(array, slot, Line::SAME),
            };
        }
        match kind {
            IntKind::Binary(operator, a, b) => match (operator, &b.kind) {
                (Operator::Add, _) => Self::two(Step::Add, a, b),
                (Operator::Sub, _) => Self::two(Step::Sub, a, b),
                (Operator::Mul, _) => Self::two(Step::Mul, a, b),
                (Operator::FloorDiv, _) => Self::two(Step::FloorDiv, a, b),
                (Operator::FloorMod, _) => Self::two(Step::FloorMod, a, b),
                (Operator::Pow, IntKind::Number(2)) => Self::two(Step::Mul, a, a),
                _ => Self::Long,
            },
            IntKind::CeilDiv(a, b) => Self::two(Step::CeilDiv, a, b),
            IntKind::Fold(fold @ (Fold::Min | Fold::Max), operands) => match &operands[..] {
                [a, b] => Self::two(if *fold == Fold::Min { Step::Min } else { Step::Max }, a, b),
                _ => Self::Long,
            },
            _ => Self::Long,
        }
    }

    fn two(step: Step, a: &Int, b: &Int) -> Self {
        let (Some(a), Some(b)) = (Operand::of(&a.kind), Operand::of(&b.kind)) else { return Self::Long };
        // what does not change the value stands in one order
        let (a, b) = match (step, a) {
            (Step::Add | Step::Mul, Operand::Number(_)) => (b, a),
            _ => (a, b),
        };
        let line = if let Operand::Number(number) = b { Line::of(step, number) } else { None };
        match (a, b, line) {
            (Operand::Variable(at), _, Some(line)) => Self::Variable(at, line),
            (Operand::Cell(array, slot), _, Some(line)) => Self::Cell(array, slot, line),
            (Operand::Variable(a), Operand::Variable(b), _) => Self::Variables(step, a, b),
            (Operand::Variable(at), Operand::Loop(slot), _) => Self::WithLoop(step, at, slot),
            _ => Self::Two(step, a, b),
        }
    }
}

impl Operand {
    fn of(kind: &IntKind) -> Option<Self> {
        match kind {
            IntKind::Number(number) => Some(Self::Number(*number)),
            IntKind::Variable(at) => Some(Self::Variable(*at)),
            IntKind::Loop(slot) => Some(Self::Loop(*slot)),
            IntKind::Cell(array, index) => match index.kind {
                IntKind::Loop(slot) => Some(Self::Cell(*array, slot)),
                IntKind::Number(index) => {
                    let cell = usize::try_from(index).ok().filter(|cell| *cell < array.length)?;
                    Some(Self::Variable(array.offset + cell))
                }
                _ => None,
            },
            _ => None,
        }
    }
}
