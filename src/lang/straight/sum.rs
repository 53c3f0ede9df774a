//! Sums of multiples of coordinates.

use crate::faults::{Wrong, planted};

/// So many coordinates have a place in the sum itself.
pub(in crate::lang) const FEW: usize = 4;

/// A sum of multiples of coordinates and of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    pub(super) plus: i64,
    /// How often the first coordinates count, and all further ones; 0 for a coordinate that there is not.
    pub(super) few: [i64; FEW],
    pub(super) more: Vec<i64>,
}

impl Sum {
    /// A number, for positions of so many coordinates.
    #[must_use]
    pub fn number(plus: i64, width: usize) -> Self {
        Self { plus, few: [0; FEW], more: vec![0; width.saturating_sub(FEW)] }
    }

    /// What it is without any coordinate.
    #[must_use]
    pub const fn plus(&self) -> i64 {
        self.plus
    }

    /// How often a coordinate counts.
    #[must_use]
    pub fn times(&self, coordinate: usize) -> i64 {
        let kept = match coordinate.checked_sub(FEW) {
            None => self.few.get(coordinate),
            Some(further) => self.more.get(further),
        };
        kept.copied().unwrap_or(0)
    }

    /// Whether it is this coordinate itself.
    #[must_use]
    pub fn is_coordinate(&self, coordinate: usize) -> bool {
        self.plus == 0 && self.each().enumerate().all(|(at, times)| times == i64::from(at == coordinate))
    }

    /// Adds a multiple of another sum. What needs more than 64 bits is cut off, so that only values that fit are right.
    pub fn add_wrapping(&mut self, other: &Self, by: i64) {
        for (times, more) in self.few.iter_mut().chain(&mut self.more).zip(other.each()) {
            *times = times.wrapping_add(more.wrapping_mul(by));
        }
        self.plus = self.plus.wrapping_add(other.plus.wrapping_mul(by));
    }

    /// Lets a coordinate count more often.
    pub(super) fn count(&mut self, coordinate: usize, by: i64) {
        let kept = match coordinate.checked_sub(FEW) {
            None => self.few.get_mut(coordinate),
            Some(further) => self.more.get_mut(further),
        };
        if let Some(times) = kept {
            *times = times.saturating_add(by);
        }
    }

    /// How often each of few coordinates counts.
    #[inline]
    pub(in crate::lang) const fn few(&self) -> &[i64; FEW] {
        &self.few
    }

    /// The sum along a line on which one coordinate runs and the others stay: what it is where that one is 0, and how
    /// often that one counts.
    #[must_use]
    #[inline]
    pub fn along(&self, position: &[i64], inner: usize) -> (i64, i64) {
        let times = self.times(inner);
        let own = position.get(inner).copied().unwrap_or(0);
        let mut base = self.plus.wrapping_sub(times.wrapping_mul(own));
        let (few, more) = position.split_at(position.len().min(FEW));
        for (at, value) in few.iter().enumerate() {
            base = base.wrapping_add(self.few[at].wrapping_mul(*value));
        }
        for (value, times) in more.iter().zip(&self.more) {
            base = base.wrapping_add(times.wrapping_mul(*value));
        }
        (base, times)
    }

    /// Whether the coordinate counts.
    #[must_use]
    pub fn reads(&self, coordinate: usize) -> bool {
        self.times(coordinate) != 0
    }

    /// How often each coordinate counts.
    pub(super) fn each(&self) -> impl Iterator<Item = i64> {
        self.few.iter().chain(&self.more).copied()
    }

    /// The sum of another with each of its numbers changed; nothing, where one of them does not fit.
    pub(super) fn with(&self, other: &Self, of: impl Fn(i64, i64) -> Option<i64>) -> Option<Self> {
        let mut few = self.few;
        for (times, other) in few.iter_mut().zip(&other.few) {
            *times = of(*times, *other)?;
        }
        let more = self.more.iter().zip(&other.more).map(|(times, other)| of(*times, *other)).collect::<Option<_>>()?;
        Some(Self { plus: of(self.plus, other.plus)?, few, more })
    }

    pub(super) fn as_number(&self) -> Option<i64> {
        (self.few == [0; FEW] && self.more.iter().all(|times| *times == 0)).then_some(self.plus)
    }
}

/// The values of a running coordinate, from the first to the last of these, at which a sum is not negative.
#[must_use]
#[inline]
pub fn not_negative((base, times): (i64, i64), (low, high): (i64, i64)) -> (i64, i64) {
    match times {
        0 if base >= 0 => (low, high),
        0 => (low, low.saturating_sub(1)),
        1 => (low.max(base.saturating_neg()), high),
        -1 => (low, high.min(base - i64::from(planted(Wrong::RowEndsEarly)))),
        2.. => (
            low.max(
                base.saturating_neg().div_euclid(times)
                    + i64::from(base.rem_euclid(times) != 0 && !planted(Wrong::RoundedGuard)),
            ),
            high,
        ),
        _ => (low, high.min(base.div_euclid(-times))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Held against trying every value.
    #[test]
    fn where_a_sum_is_not_negative() {
        for base in -20..=20 {
            for times in -4..=4 {
                let (from, to) = not_negative((base, times), (-6, 7));
                for value in -6..=7 {
                    assert_eq!(base + times * value >= 0, (from..=to).contains(&value), "{base} + {times} · {value}");
                }
            }
        }
    }
}
