//! Quotients of a straight line by a number, rounded down. They are known by the line and the number, whatever the length:
//! a sum with a line is such a quotient again, and so is a quotient of one; compared with lines they hold on a stretch.

use super::super::syntax::Comparison;
use super::ints::{Ints, Line, negative};
use super::{Fit, Truth, Unfit};
use crate::faults::{Wrong, planted};

/// `of` divided by `by`, which is greater than 1, rounded down. It is neither the same everywhere nor a line itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quotient {
    /// What is divided.
    pub of: Line,
    /// By what.
    pub by: i64,
}

impl Ints {
    /// `base + step * place` divided by a number greater than 0, rounded down; if that line fits 64 bits at every place.
    pub(super) fn quotient(base: i128, step: i128, by: i128, len: usize) -> Fit<Self> {
        let small = |number: i128| i64::try_from(number).map_err(|_| Unfit);
        // short division costs a fraction of long division
        let (base, step, by) = (small(base)?, small(step)?, small(by)?);
        if len <= 1 || step % by == 0 {
            return Self::line(i128::from(base.div_euclid(by)), i128::from(step / by), len);
        }
        match Self::line(i128::from(base), i128::from(step), len)? {
            Self::Line(of) => Ok(Self::Quotient(Quotient { of, by })),
            other => Ok(other),
        }
    }

    /// A line by 1, or a quotient.
    const fn divided(&self) -> Option<Quotient> {
        match self {
            Self::Line(of) => Some(Quotient { of: *of, by: 1 }),
            Self::Quotient(quotient) => Some(*quotient),
            Self::Values(_) => None,
        }
    }

    /// The sum or the difference with a line, where one of them is a quotient.
    pub(super) fn plus_line(&self, other: &Self, sign: i128, len: usize) -> Option<Self> {
        let (a, b) = (self.divided()?, other.divided()?);
        let (by, up, signs) = match (a.by, b.by) {
            (by, 1) => (by, 0, (1, sign * i128::from(by))),
            // what is taken away is rounded up
            (1, by) => (by, if sign < 0 { i128::from(by) - 1 } else { 0 }, (i128::from(by), sign)),
            _ => return None,
        };
        let sum = |a: i64, b: i64| (signs.0 * i128::from(a)).checked_add(signs.1 * i128::from(b));
        let base = sum(a.of.base, b.of.base)?.checked_add(up)?;
        Self::quotient(base, sum(a.of.step, b.of.step)?, i128::from(by), len).ok()
    }

    /// A quotient by a number other than 0, rounded down or up.
    pub(super) fn divided_by(&self, divisor: i64, up: bool, len: usize) -> Option<Self> {
        let Quotient { of, by } = self.divided()?;
        let (by, sign, divisor) = (i128::from(by), i128::from(divisor.signum()), i128::from(divisor.unsigned_abs()));
        if sign < 0 && by > 1 {
            return None;
        }
        let more = if up { by * (divisor - 1) } else { 0 };
        let by = if planted(Wrong::SecondDivisionAlone) { 1 } else { by };
        Self::quotient(i128::from(of.base) * sign + more, i128::from(of.step) * sign, by * divisor, len).ok()
    }

    /// Where a comparison with a line holds, where one of them is a quotient.
    pub(super) fn compare_line(&self, comparison: Comparison, other: &Self, len: usize) -> Option<Truth> {
        let (quotient, line, comparison) = match (self, other) {
            (Self::Quotient(quotient), Self::Line(line)) => (quotient, line, comparison),
            (Self::Line(line), Self::Quotient(quotient)) => (quotient, line, exchanged(comparison)),
            _ => return None,
        };
        let by = i128::from(quotient.by);
        let base = i128::from(quotient.of.base) - by * i128::from(line.base);
        let step = i128::from(quotient.of.step) - by * i128::from(line.step);
        let below = |more: i128| match step {
            0 => Truth::constant(base < more, len),
            _ => negative(base - more, step, len),
        };
        Some(match comparison {
            Comparison::Less => below(0),
            Comparison::AtMost => below(by),
            Comparison::Greater => below(by).not(len),
            Comparison::AtLeast => below(0).not(len),
            Comparison::Equal => below(by).and(&below(0).not(len)),
            Comparison::Unequal => below(by).and(&below(0).not(len)).not(len),
        })
    }
}

impl Quotient {
    /// The value at a place.
    #[must_use]
    pub fn at(self, place: usize) -> i64 {
        self.of.at(place).div_euclid(self.by)
    }

    /// The first values, so many.
    pub(super) fn values(self, len: usize) -> Vec<i64> {
        let (mut value, mut rest) = (self.of.base.div_euclid(self.by), self.of.base.rem_euclid(self.by));
        let (step, more) = (self.of.step.div_euclid(self.by), self.of.step.rem_euclid(self.by));
        let mut values = vec![0; len];
        for place in &mut values {
            *place = value;
            // one more where the rest reaches the divisor; both are less than it, and may be large
            let left = self.by - more;
            let carry = rest >= left;
            rest = if carry { rest - left } else { rest + more };
            value = value.wrapping_add(step).wrapping_add(i64::from(carry));
        }
        values
    }

    /// The places from `from` on and before `to` at which it lies on a stretch of `len` values from `low` on: these are
    /// next to each other. None where numbers grow too large.
    #[must_use]
    pub fn within(self, low: i64, len: u32, from: usize, to: usize) -> Option<(usize, usize)> {
        let by = u32::try_from(self.by).ok()?;
        self.of.within(low.checked_mul(self.by)?, len.checked_mul(by)?, from, to)
    }
}

/// The comparison that holds where the sides are exchanged.
const fn exchanged(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::Greater => Comparison::Less,
        Comparison::AtLeast => Comparison::AtMost,
        Comparison::Equal | Comparison::Unequal => comparison,
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

    use super::*;

    const LEN: usize = 40;

    /// What is said of quotients is what is said of their values, place by place.
    #[test]
    fn quotients_are_as_their_values() {
        let comparisons = [Comparison::Less, Comparison::AtMost, Comparison::Greater, Comparison::AtLeast];
        let line = |base: i64, step: i64| Ints::Line(Line { base, step });
        for (base, step, by, more) in [(-9, 1, 2, 3), (7, 2, 3, -2), (50, -3, 5, 1), (0, 7, 4, -1), (-20, 6, 4, 0)] {
            let one = line(base, step).divided_by(by, step < 0, LEN).unwrap();
            let wide = |at: usize| base + step * i64::try_from(at).unwrap() + if step < 0 { by - 1 } else { 0 };
            let values: Vec<i64> = (0..LEN).map(|at| wide(at).div_euclid(by)).collect();
            let same = |ints: &Ints, f: &dyn Fn(usize) -> i64| {
                let expected: Vec<i64> = (0..LEN).map(f).collect();
                assert_eq!((0..LEN).map(|at| ints.at(at)).collect::<Vec<_>>(), expected);
                assert_eq!(ints.column(LEN).values, expected);
                let (least, greatest) = (expected.iter().min().unwrap(), expected.iter().max().unwrap());
                assert_eq!(ints.bounds(LEN), (*least, *greatest));
            };
            same(&one, &|at| values[at]);
            same(&one.divided_by(3, false, LEN).unwrap(), &|at| values[at].div_euclid(3));
            same(&one.divided_by(3, true, LEN).unwrap(), &|at| -(-values[at]).div_euclid(3));
            for other in [line(more, 0), line(more, 1), line(5, more)] {
                same(&one.plus(&other, LEN).unwrap(), &|at| values[at] + other.at(at));
                same(&one.minus(&other, LEN).unwrap(), &|at| values[at] - other.at(at));
                same(&other.minus(&one, LEN).unwrap(), &|at| other.at(at) - values[at]);
                for comparison in comparisons.into_iter().chain([Comparison::Equal, Comparison::Unequal]) {
                    let (here, back) = (one.compare(comparison, &other, LEN), other.compare(comparison, &one, LEN));
                    for (at, value) in values.iter().enumerate() {
                        assert_eq!(here.at(at), comparison.holds(value.cmp(&other.at(at))));
                        assert_eq!(back.at(at), comparison.holds(other.at(at).cmp(value)));
                    }
                }
            }
            same(&one.part(3, LEN + 3), &|at| wide(at + 3).div_euclid(by));
        }
    }
}
