//! The commonest ends, answered at once: a small sum or a remainder compared with a number, or two cells with each other.

use super::listing::place;
use super::lower::Lowering;
use super::{Bool, BoolKind, Comparison, Int, IntKind, Operator};
use crate::faults::{Wrong, planted};

/// A small sum of cells that lies between two numbers, or does not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Front {
    sum: Sum,
    low: i64,
    high: i64,
    outside: bool,
}

#[derive(Clone, Copy, Debug)]
enum Sum {
    One(u32),
    Two(u32, u32),
    Three(u32, u32, u32),
    Product(u32, u32),
    Squares(u32, u32),
    Difference(u32, u32),
    /// By 1 or more.
    Remainder(u32, i64),
}

impl Front {
    /// The condition as such a sum, if it is one.
    pub(super) fn new(bool: &Bool, lowering: &Lowering<'_>) -> Option<Self> {
        let BoolKind::Compare(comparison, a, b) = &bool.kind else { return None };
        let (sum, comparison, number) = match (lowering.number(a), lowering.number(b)) {
            (None, Some(number)) => (sum(a, lowering)?, *comparison, number),
            (Some(number), None) => (sum(b, lowering)?, flipped(*comparison), number),
            (None, None) => (Sum::Difference(lowering.cell(a)?, lowering.cell(b)?), *comparison, 0),
            _ => return None,
        };
        let (low, high, outside) = between(comparison, number)?;
        Some(Self { sum, low, high, outside })
    }

    /// The one cell that it asks of, if there is but one.
    pub(super) const fn of_one(&self) -> Option<u32> {
        if let Sum::One(cell) = self.sum { Some(cell) } else { None }
    }

    /// Whether it holds; none in doubt.
    #[inline(always)]
    pub(super) fn holds(&self, position: &[i64]) -> Option<bool> {
        let cell = |cell: u32| position[place(cell)];
        let value = match self.sum {
            Sum::One(a) => cell(a),
            Sum::Two(a, b) => cell(a).checked_add(cell(b))?,
            Sum::Three(a, b, c) => cell(a).checked_add(cell(b))?.checked_add(cell(c))?,
            Sum::Product(a, b) => cell(a).checked_mul(cell(b))?,
            Sum::Squares(a, b) => {
                let (a, b) = (cell(a), cell(b));
                a.checked_mul(a)?.checked_add(b.checked_mul(b)?)?
            }
            Sum::Difference(a, b) => cell(a).checked_sub(cell(b))?,
            Sum::Remainder(a, by) if planted(Wrong::RemainderOfDividend) => cell(a).checked_rem(by)?,
            Sum::Remainder(a, by) => cell(a).checked_rem_euclid(by)?,
        };
        Some(self.holds_of(value))
    }

    /// Whether it holds of a sum.
    #[inline(always)]
    pub(super) fn holds_of(&self, value: i64) -> bool {
        let above = if planted(Wrong::EndAboveItsBound) { value > self.low } else { value >= self.low };
        (above && value <= self.high) != self.outside
    }
}

/// The numbers that compare so with one, as a range or as what lies outside it.
pub(super) fn between(comparison: Comparison, number: i64) -> Option<(i64, i64, bool)> {
    Some(match comparison {
        Comparison::Less => (i64::MIN, number.checked_sub(1)?, false),
        Comparison::AtMost => (i64::MIN, number, false),
        Comparison::Greater => (number.checked_add(1)?, i64::MAX, false),
        Comparison::AtLeast => (number, i64::MAX, false),
        Comparison::Equal => (number, number, false),
        Comparison::Unequal => (number, number, true),
    })
}

/// The comparison with its sides exchanged.
pub(super) fn flipped(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less if planted(Wrong::SidesExchanged) => Comparison::Less,
        Comparison::Less => Comparison::Greater,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::Greater => Comparison::Less,
        Comparison::AtLeast => Comparison::AtMost,
        same @ (Comparison::Equal | Comparison::Unequal) => same,
    }
}

fn sum(int: &Int, lowering: &Lowering<'_>) -> Option<Sum> {
    if let Some(cell) = lowering.cell(int) {
        return Some(Sum::One(cell));
    }
    let IntKind::Binary(operator, a, b) = &int.kind else { return None };
    match operator {
        Operator::Add => match (lowering.cell(a), lowering.cell(b)) {
            (Some(a), Some(b)) => Some(Sum::Two(a, b)),
            (None, Some(c)) => match sum(a, lowering)? {
                Sum::Two(a, b) => Some(Sum::Three(a, b, c)),
                _ => None,
            },
            (None, None) => match (sum(a, lowering)?, sum(b, lowering)?) {
                (Sum::Product(a, b), Sum::Product(c, d)) if a == b && c == d => Some(Sum::Squares(a, c)),
                _ => None,
            },
            (Some(_), None) => None,
        },
        Operator::Mul => Some(Sum::Product(lowering.cell(a)?, lowering.cell(b)?)),
        Operator::Pow if lowering.number(b) == Some(2) => {
            let a = lowering.cell(a)?;
            Some(Sum::Product(a, a))
        }
        Operator::FloorMod => Some(Sum::Remainder(lowering.cell(a)?, lowering.number(b).filter(|by| *by > 0)?)),
        _ => None,
    }
}
