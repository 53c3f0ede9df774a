//! Comparisons of numbers that take a step at most, for whoever reads the tree position by position, see `brief.rs`.

use super::{BoolKind, Brief, Operand, Step};
use crate::lang::syntax::Comparison;

/// What a condition compares. Where a number has no value, the condition is to be read as it stands, which tells why.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub enum Compared {
    /// A coordinate of the position, by its offset, and a number: `x >= 3`.
    Number(Comparison, usize, i64),
    /// The sum of two coordinates, and a number: `x + y >= 82`.
    Sum(Comparison, usize, usize, i64),
    /// Two coordinates: `x < y`.
    Variables(Comparison, usize, usize),
    /// Two operands of any kind.
    Two(Comparison, Operand, Operand),
    /// More than that, or no comparison of numbers.
    Long,
}

impl Compared {
    /// What a condition of this kind compares.
    pub(super) fn of(kind: &BoolKind) -> Self {
        let BoolKind::Compare(comparison, a, b) = kind else { return Self::Long };
        if let (Brief::Variables(Step::Add, a, c), Brief::Number(b)) = (a.brief, b.brief) {
            return Self::Sum(*comparison, a, c, b);
        }
        match (Operand::of(&a.kind), Operand::of(&b.kind)) {
            (Some(Operand::Variable(a)), Some(Operand::Number(b))) => Self::Number(*comparison, a, b),
            (Some(Operand::Variable(a)), Some(Operand::Variable(b))) => Self::Variables(*comparison, a, b),
            (Some(a), Some(b)) => Self::Two(*comparison, a, b),
            _ => Self::Long,
        }
    }
}
