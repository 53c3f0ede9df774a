//! Numbers along a line: straight lines, and columns of values.

use crate::faults::{Wrong, planted};
use std::rc::Rc;

use super::super::syntax::Comparison;
use super::quotient::Quotient;
use super::{Fit, Truth, Unfit};

/// A number at each place of a line.
#[derive(Clone, Debug)]
pub enum Ints {
    /// A straight line.
    Line(Line),
    /// A straight line divided by a number.
    Quotient(Quotient),
    /// Place by place.
    Values(Rc<Column>),
}

/// A straight line: `base + step * place`, which fits 64 bits at every place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The value at the first place.
    pub base: i64,
    /// How much it grows from place to place.
    pub step: i64,
}

/// Values, and between which bounds they lie.
#[derive(Clone, Debug)]
pub struct Column {
    /// The values.
    pub values: Vec<i64>,
    /// None of them is less.
    pub low: i64,
    /// None of them is greater.
    pub high: i64,
}

impl Ints {
    /// The same number everywhere.
    #[must_use]
    pub const fn constant(base: i64) -> Self {
        Self::Line(Line { base, step: 0 })
    }

    /// A straight line, if it fits 64 bits at every place.
    pub fn line(base: i128, step: i128, len: usize) -> Fit<Self> {
        if let (Ok(base), Ok(step), Ok(len)) = (i32::try_from(base), i32::try_from(step), u16::try_from(len)) {
            // small numbers fit in any case
            return Ok(Self::Line(Line { base: i64::from(base), step: if len > 1 { i64::from(step) } else { 0 } }));
        }
        let last = base + step * i128::try_from(len.max(1) - 1).map_err(|_| Unfit)?;
        i64::try_from(last).map_err(|_| Unfit)?;
        Ok(Self::Line(Line {
            base: i64::try_from(base).map_err(|_| Unfit)?,
            step: if len > 1 { i64::try_from(step).map_err(|_| Unfit)? } else { 0 },
        }))
    }

    /// Values between these bounds.
    #[must_use]
    pub fn values(values: Vec<i64>, low: i64, high: i64) -> Self {
        Self::Values(Rc::new(Column { values, low, high }))
    }

    /// The number, where it is the same everywhere.
    #[must_use]
    pub const fn same(&self) -> Option<i64> {
        match self {
            Self::Line(Line { base, step: 0 }) => Some(*base),
            _ => None,
        }
    }

    /// The number at a place.
    #[must_use]
    pub fn at(&self, place: usize) -> i64 {
        match self {
            Self::Line(line) => line.at(place),
            Self::Quotient(quotient) => quotient.at(place),
            Self::Values(column) => column.values[place],
        }
    }

    /// The same, with a value for each place where it is no straight line.
    #[must_use]
    pub fn spread(&self, len: usize) -> Self {
        match self {
            Self::Quotient(_) => Self::Values(self.column(len)),
            other => other.clone(),
        }
    }

    /// The numbers on the part of the line from one place on and before another.
    #[must_use]
    pub fn part(&self, from: usize, to: usize) -> Self {
        match self {
            Self::Line(line) => {
                Self::Line(Line { base: line.at(from), step: if to - from > 1 { line.step } else { 0 } })
            }
            Self::Quotient(Quotient { of, by }) => {
                let of = Line { base: of.at(from), step: of.step };
                if to - from > 1 {
                    Self::Quotient(Quotient { of, by: *by })
                } else {
                    Self::constant(of.base.div_euclid(*by))
                }
            }
            Self::Values(column) => Self::values(column.values[from..to].to_vec(), column.low, column.high),
        }
    }

    /// The least and the greatest that they can be on a line of this length.
    #[must_use]
    pub fn bounds(&self, len: usize) -> (i64, i64) {
        match self {
            Self::Line(line) => {
                let last = line.at(len.max(1) - 1);
                (line.base.min(last), line.base.max(last))
            }
            Self::Quotient(quotient) => {
                let (first, last) = (quotient.at(0), quotient.at(len.max(1) - 1));
                (first.min(last), first.max(last))
            }
            Self::Values(column) => (column.low, column.high),
        }
    }

    /// The least value on a line of this length.
    #[must_use]
    pub fn least(&self, len: usize) -> i64 {
        match self {
            Self::Line(_) | Self::Quotient(_) => self.bounds(len).0,
            Self::Values(column) => column.values.iter().copied().min().unwrap_or(i64::MAX),
        }
    }

    /// The greatest value on a line of this length.
    #[must_use]
    pub fn greatest(&self, len: usize) -> i64 {
        match self {
            Self::Line(_) | Self::Quotient(_) => self.bounds(len).1,
            Self::Values(column) => column.values.iter().copied().max().unwrap_or(i64::MIN),
        }
    }

    /// All values.
    #[must_use]
    pub fn column(&self, len: usize) -> Rc<Column> {
        match self {
            Self::Values(column) => Rc::clone(column),
            Self::Quotient(quotient) => {
                let (low, high) = self.bounds(len);
                Rc::new(Column { values: quotient.values(len), low, high })
            }
            Self::Line(line) => {
                let mut values = vec![0; len];
                let mut value = line.base;
                for place in &mut values {
                    *place = value;
                    value = value.wrapping_add(line.step);
                }
                let (low, high) = self.bounds(len);
                Rc::new(Column { values, low, high })
            }
        }
    }

    /// The sum.
    pub fn plus(&self, other: &Self, len: usize) -> Fit<Self> {
        if let (Self::Line(a), Self::Line(b)) = (self, other) {
            return Self::line(i128::from(a.base) + i128::from(b.base), i128::from(a.step) + i128::from(b.step), len);
        }
        if let Some(sum) = self.plus_line(other, 1, len) {
            return Ok(sum);
        }
        let ((a, b), (c, d)) = (self.bounds(len), other.bounds(len));
        let (low, high) = (a.checked_add(c).ok_or(Unfit)?, b.checked_add(d).ok_or(Unfit)?);
        Ok(self.zip(other, len, low, high, |a, b| a.wrapping_add(b)))
    }

    /// The difference.
    pub fn minus(&self, other: &Self, len: usize) -> Fit<Self> {
        if let (Self::Line(a), Self::Line(b)) = (self, other) {
            return Self::line(i128::from(a.base) - i128::from(b.base), i128::from(a.step) - i128::from(b.step), len);
        }
        if let Some(sum) = self.plus_line(other, -1, len) {
            return Ok(sum);
        }
        let ((a, b), (c, d)) = (self.bounds(len), other.bounds(len));
        let (low, high) = (a.checked_sub(d).ok_or(Unfit)?, b.checked_sub(c).ok_or(Unfit)?);
        Ok(self.zip(other, len, low, high, |a, b| a.wrapping_sub(b)))
    }

    /// The product.
    pub fn times(&self, other: &Self, len: usize) -> Fit<Self> {
        match (self, other) {
            (Self::Line(line), constant) | (constant, Self::Line(line)) if constant.same().is_some() => {
                let times = i128::from(constant.same().unwrap_or(0));
                return Self::line(i128::from(line.base) * times, i128::from(line.step) * times, len);
            }
            _ => {}
        }
        let ((a, b), (c, d)) = (self.bounds(len), other.bounds(len));
        let corner = |a: i64, b: i64| a.checked_mul(b).ok_or(Unfit);
        let corners = [corner(a, c)?, corner(a, d)?, corner(b, c)?, corner(b, d)?];
        let (low, high) = corners.iter().fold((i64::MAX, i64::MIN), |(l, h), c| (l.min(*c), h.max(*c)));
        Ok(self.zip(other, len, low, high, |a, b| a.wrapping_mul(b)))
    }

    /// A number of two, place by place.
    pub fn zip(&self, other: &Self, len: usize, low: i64, high: i64, f: impl Fn(i64, i64) -> i64) -> Self {
        let values = match (&self.spread(len), &other.spread(len)) {
            (Self::Values(a), b) if b.same().is_some() => {
                let b = b.same().unwrap_or(0);
                a.values.iter().map(|a| f(*a, b)).collect()
            }
            (a, Self::Values(b)) if a.same().is_some() => {
                let a = a.same().unwrap_or(0);
                b.values.iter().map(|b| f(a, *b)).collect()
            }
            (a, b) => {
                let (a, b) = (a.column(len), b.column(len));
                a.values.iter().zip(&b.values).map(|(a, b)| f(*a, *b)).collect()
            }
        };
        Self::values(values, low, high)
    }

    /// A number of one, place by place.
    pub fn map(&self, len: usize, low: i64, high: i64, f: impl Fn(i64) -> i64) -> Self {
        match self.same() {
            Some(value) => Self::constant(f(value)),
            None => Self::values(self.column(len).values.iter().map(|a| f(*a)).collect(), low, high),
        }
    }

    /// Where it is at most the other.
    #[must_use]
    pub fn at_most(&self, other: &Self, len: usize) -> Truth {
        self.compare(Comparison::AtMost, other, len)
    }

    /// Where a comparison holds.
    #[must_use]
    pub fn compare(&self, comparison: Comparison, other: &Self, len: usize) -> Truth {
        if let (Self::Line(a), Self::Line(b)) = (self, other) {
            let base = i128::from(a.base) - i128::from(b.base);
            let step = i128::from(a.step) - i128::from(b.step);
            if step == 0 {
                return Truth::constant(comparison.holds(base.cmp(&0)), len);
            }
            return match comparison {
                Comparison::Less => negative(base - i128::from(planted(Wrong::LineLessIsAtMost)), step, len),
                Comparison::AtMost => negative(base - 1, step, len),
                Comparison::Greater => negative(-base, -step, len),
                Comparison::AtLeast => negative(-base - 1, -step, len),
                Comparison::Equal => zero(base, step, len),
                Comparison::Unequal => zero(base, step, len).not(len),
            };
        }
        if let Some(truth) = self.compare_line(comparison, other, len) {
            return truth;
        }
        let ((a, b), (c, d)) = (self.bounds(len), other.bounds(len));
        let known = match comparison {
            Comparison::Less => decide(b < c, a >= d),
            Comparison::AtMost => decide(b <= c, a > d),
            Comparison::Greater => decide(a > d, b <= c),
            Comparison::AtLeast => decide(a >= d, b < c),
            Comparison::Equal => decide(false, b < c || a > d),
            Comparison::Unequal => decide(b < c || a > d, false),
        };
        if let Some(truth) = known {
            return Truth::constant(truth, len);
        }
        match comparison {
            Comparison::Less => self.test(other, len, |a, b| a < b),
            Comparison::AtMost => self.test(other, len, |a, b| a <= b),
            Comparison::Greater => self.test(other, len, |a, b| a > b),
            Comparison::AtLeast => self.test(other, len, |a, b| a >= b),
            Comparison::Equal => self.test(other, len, |a, b| a == b),
            Comparison::Unequal => self.test(other, len, |a, b| a != b),
        }
    }

    /// Where a test of two holds, place by place.
    pub fn test(&self, other: &Self, len: usize, f: impl Fn(i64, i64) -> bool) -> Truth {
        Truth::mask(match (&self.spread(len), &other.spread(len)) {
            (Self::Values(a), b) if b.same().is_some() => {
                let b = b.same().unwrap_or(0);
                a.values.iter().map(|a| f(*a, b)).collect()
            }
            (a, b) => {
                let (a, b) = (a.column(len), b.column(len));
                a.values.iter().zip(&b.values).map(|(a, b)| f(*a, *b)).collect()
            }
        })
    }
}

impl Line {
    /// The places from `from` on and before `to` at which it lies on a stretch of `len` values from `low` on: these are
    /// next to each other. None where numbers grow too large.
    #[must_use]
    pub fn within(self, low: i64, len: u32, from: usize, to: usize) -> Option<(usize, usize)> {
        let (begin, stop) = (i64::try_from(from).ok()?, i64::try_from(to).ok()?);
        // how far the first value is below the stretch, and how far it is from its end
        let (below, left) = (low.checked_sub(self.base)?, low.checked_add(i64::from(len))?.checked_sub(self.base)?);
        let (first, last) = match self.step {
            0 if below <= 0 && left > 0 => (begin, stop),
            0 => (begin, begin),
            1 if planted(Wrong::LineLeavesRowEarly) => (below.max(begin), left.saturating_sub(1).min(stop)),
            1 => (below.max(begin), left.min(stop)),
            step if step > 0 => (ceiling(below, step).max(begin), ceiling(left, step).min(stop)),
            step => {
                let step = step.checked_neg()?;
                (
                    left.checked_neg()?.div_euclid(step).checked_add(1)?.max(begin),
                    below.checked_neg()?.div_euclid(step).checked_add(1)?.min(stop),
                )
            }
        };
        let last = last.max(first);
        Some((usize::try_from(first).ok()?, usize::try_from(last).ok()?))
    }

    /// The value at a place of the line.
    #[must_use]
    pub fn at(self, place: usize) -> i64 {
        self.base.wrapping_add(self.step.wrapping_mul(i64::try_from(place).unwrap_or(i64::MAX)))
    }
}

fn decide(yes: bool, no: bool) -> Option<bool> {
    if yes {
        Some(true)
    } else if no {
        Some(false)
    } else {
        None
    }
}

/// Where `base + step * place` is less than 0.
pub(super) fn negative(base: i128, step: i128, len: usize) -> Truth {
    let place = |value: i128| usize::try_from(value.max(0)).unwrap_or(usize::MAX).min(len);
    let quotient = |a: i128, b: i128| match (i64::try_from(a), i64::try_from(b)) {
        // short division costs a fraction of long division; most steps are 1
        (Ok(a), Ok(1)) => i128::from(a),
        (Ok(a), Ok(b)) if a > i64::MIN => i128::from(a.div_euclid(b)),
        _ => a.div_euclid(b),
    };
    if step > 0 {
        Truth::span(0, place(quotient(-base + step - 1, step)))
    } else {
        Truth::span(place(quotient(base, -step) + 1), len)
    }
}

/// Where `base + step * place` is 0.
fn zero(base: i128, step: i128, len: usize) -> Truth {
    if step == 0 {
        return Truth::constant(base == 0, len);
    }
    match usize::try_from(-base / step) {
        Ok(place) if base % step == 0 && place < len => Truth::Span(place, place + 1),
        _ => Truth::NEVER,
    }
}

/// The quotient rounded up, by a number greater than 0.
const fn ceiling(a: i64, by: i64) -> i64 {
    -(a.saturating_neg()).div_euclid(by)
}
