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
    /// A number.
    Number(i64),
    /// A coordinate of the position, by its offset.
    Variable(usize),
    /// A coordinate and a number: `x + 1`, `x - 1`.
    Plus(usize, i64),
    /// A coordinate so many times: `x * 2`.
    Times(usize, i64),
    /// Two coordinates.
    Variables(Step, usize, usize),
    /// A coordinate and a loop variable, by its slot.
    WithLoop(Step, usize, usize),
    /// A loop variable, by its slot.
    Loop(usize),
    /// A cell of an array of the state, by the slot of a loop variable.
    Cell(Array, usize),
    /// Such a cell and a number: `c[i] + 1`, `c[i] - 1`.
    CellPlus(Array, usize, i64),
    /// Two operands of any kind.
    Two(Step, Operand, Operand),
    /// More than that.
    Long,
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
                Operand::Variable(at) => Self::Variable(at),
                Operand::Loop(slot) => Self::Loop(slot),
                Operand::Cell(array, slot) => Self::Cell(array, slot),
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
        if let (Operand::Number(a), Operand::Number(b)) = (a, b) {
            return step.value(a, b).map_or(Self::Long, Self::Number);
        }
        // what does not change the value stands in one order
        let (a, b) = match (step, a) {
            (Step::Add | Step::Mul, Operand::Number(_)) => (b, a),
            _ => (a, b),
        };
        let more = match (step, b) {
            (Step::Add, Operand::Number(number)) => Some(number),
            (Step::Sub, Operand::Number(number)) => number.checked_neg(),
            _ => None,
        };
        match (a, b, more) {
            (Operand::Variable(at), _, Some(more)) => Self::Plus(at, more),
            (Operand::Variable(at), Operand::Number(times), _) if step == Step::Mul => Self::Times(at, times),
            (Operand::Cell(array, slot), _, Some(more)) => Self::CellPlus(array, slot, more),
            (Operand::Variable(a), Operand::Variable(b), _) => Self::Variables(step, a, b),
            (Operand::Variable(at), Operand::Loop(slot), _) => Self::WithLoop(step, at, slot),
            _ => Self::Two(step, a, b),
        }
    }
}

impl Operand {
    pub(super) fn of(kind: &IntKind) -> Option<Self> {
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
