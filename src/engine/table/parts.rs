//! Where a straight way leads from a stretch, in a few parts: what ends and guards leave over is told by sums, without
//! columns.

use super::horizon::Values;
use super::leads::Leads;
use super::rails::{Along, Rail};
use crate::faults::{Wrong, planted};
use crate::lang::{Columns, Fit, Ints, Truth};
use crate::position::Row;

/// A part of a stretch, from a place on and before another.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// The options are over, or it is still to be seen that they are.
    Over(usize, usize),
    Unseen(usize, usize),
    /// They are in the row of this number, filled before, at this place of it and so many further each.
    Before(usize, usize, usize, usize, isize),
    /// They are in the same row, at this place of it and so many further each.
    Same(usize, usize, usize, isize),
    /// Each is in another row.
    Scattered(usize, usize),
}

impl Part {
    /// From which place on it is and before which.
    pub(super) const fn places(self) -> (usize, usize) {
        match self {
            Self::Over(from, to)
            | Self::Unseen(from, to)
            | Self::Before(from, to, ..)
            | Self::Same(from, to, ..)
            | Self::Scattered(from, to) => (from, to),
        }
    }
}

impl Leads<'_> {
    /// Whether all ways to make moves are straight, and all that is over means the same.
    pub(super) fn is_straight(&self) -> bool {
        self.rules.winner.same_for_all().is_some() && self.rails.are_all()
    }

    /// Hands over the parts of the stretch from which a way leads anywhere; nothing, if that is not seen of one.
    #[inline]
    pub(super) fn parts(&self, rail: &Rail, each: &mut impl FnMut(Part)) -> Option<()> {
        let last = self.first.checked_add(i64::try_from(self.len).ok()? - 1)?;
        let (low, high) = self.rails.guarded(rail, (self.first, last));
        if low > high {
            return Some(());
        }
        if !rail.to_one_row {
            return self.scattered(rail, (low, high), each);
        }
        let row = self.rails.row(rail)?.and_then(|number| Some((number, self.lines.rows().get(number)?)));
        let Some((number, row)) = row else { return self.off_row(rail, (low, high), false, each) };
        let (first, last) = self.onto(rail.inner, row, (low, high))?;
        if first > last {
            return self.off_row(rail, (low, high), true, each);
        }
        if low < first {
            self.off_row(rail, (low, first - 1), true, each)?;
        }
        if last < high {
            self.off_row(rail, (last + 1, high), true, each)?;
        }
        let (from, to) = (self.place(first)?, self.place(last)? + 1);
        let reached = self.rails.at(rail.inner, first);
        let place = usize::try_from(reached.checked_sub(row.low)?).ok()?;
        let step = isize::try_from(rail.inner.times).ok()?;
        let down = self.lines.inner().down;
        let ahead = |reached: i64, value: i64| if down { reached > value } else { reached < value };
        let all_ahead = || ahead(reached, first) && ahead(self.rails.at(rail.inner, last), last);
        if self.is_before(number, all_ahead)? {
            let early = usize::from(planted(Wrong::PlaceOneEarly) && step >= 0);
            each(Part::Before(from, to, number, place.saturating_sub(early), step));
        } else {
            each(Part::Same(from, to, place, step));
        }
        Some(())
    }

    /// Those of some values of the coordinate along the row from which a sum leads to values on a row, from the first to
    /// the last.
    #[inline]
    fn onto(&self, along: Along, row: &Row, (low, high): Values) -> Option<Values> {
        // how far the row begins and ends above what the sum is at 0
        let begin = row.low.checked_sub(self.rails.at(along, 0))?;
        let end = begin.checked_add(i64::from(row.len) - 1)?;
        let (first, last) = match along.times {
            1 if planted(Wrong::LineLeavesRowEarly) => (begin, end - 1),
            1 => (begin, end),
            0 if begin <= 0 && end >= 0 => (low, high),
            0 => (0, -1),
            times if times > 0 => (-begin.checked_neg()?.div_euclid(times), end.div_euclid(times)),
            times => {
                let times = times.checked_neg()?;
                (-end.div_euclid(times), begin.checked_neg()?.div_euclid(times))
            }
        };
        Some((first.max(low), last.min(high)))
    }

    /// Hands over values from which a way leads off the rows, to a row or to none.
    fn off_row(&self, rail: &Rail, (low, high): Values, to_row: bool, each: &mut impl FnMut(Part)) -> Option<()> {
        let inner = self.lines.inner();
        let in_box = |value| (inner.low..=inner.high).contains(&self.rails.at(rail.inner, value));
        // values within the box and off the row are over: that is how the rows were cut
        let seen = to_row && in_box(low) && in_box(high) || self.rails.sees_over(rail, [low, high]);
        let (from, to) = (self.place(low)?, self.place(high)? + 1);
        each(if seen { Part::Over(from, to) } else { Part::Unseen(from, to) });
        Some(())
    }

    /// The parts from which a way leads to several rows.
    fn scattered(&self, rail: &Rail, (low, high): Values, each: &mut impl FnMut(Part)) -> Option<()> {
        let mut off = |low, high| if low <= high { self.off_row(rail, (low, high), false, each) } else { Some(()) };
        let boxed = self.rails.boxed(rail, (low, high));
        if boxed.0 > boxed.1 {
            return off(low, high);
        }
        off(low, boxed.0 - 1)?;
        off(boxed.1 + 1, high)?;
        // where it is seen that `end` does not hold the options lie on rows
        let (first, last) = self.rails.not_over(rail, boxed);
        if first > last {
            return off(boxed.0, boxed.1);
        }
        off(boxed.0, first - 1)?;
        off(last + 1, boxed.1)?;
        each(Part::Scattered(self.place(first)?, self.place(last)? + 1));
        Some(())
    }

    /// The place of a value on the stretch.
    #[inline]
    fn place(&self, value: i64) -> Option<usize> {
        usize::try_from(value - self.first).ok()
    }

    /// Whether all options of a part to which a way leads are over by `end`.
    pub(super) fn sees_over(&mut self, columns: &mut Columns<'_>, way: usize, (from, to): (usize, usize)) -> Fit<bool> {
        self.see(columns)?;
        let (first, len, when) = (self.first, self.len, Truth::Span(from, to));
        let Some(rail) = self.rails.ways.get(way) else { return Ok(false) };
        let mut reached = rail.to.iter().map(|sum| Ints::Line(self.rails.line(*sum, first, len))).collect();
        columns.moved(&mut reached, |columns| Ok(columns.ended(&when)?.covers(&when, len)))
    }

    /// The coordinate along the row at a place of the stretch.
    pub(super) fn value(&self, place: usize) -> Option<i64> {
        self.first.checked_add(i64::try_from(place).ok()?)
    }

    /// Hands over where the options of scattered places are: the place, and the index, or none where it is over; nothing,
    /// if that is not seen of one.
    pub(super) fn each_scattered(
        &self,
        rail: &Rail,
        (from, to): (usize, usize),
        mut each: impl FnMut(usize, Option<usize>),
    ) -> Option<()> {
        let inner = self.lines.inner();
        let (rows, own) = (self.lines.rows(), self.value(from)?);
        let reached = rail.to[inner.coordinate];
        let last = self.value(to.checked_sub(1)?)?;
        if [own, last]
            .iter()
            .any(|value| usize::try_from(self.rails.at(rail.row, *value)).is_ok_and(|row| row >= self.beside.0))
        {
            return None;
        }
        let (mut number, mut along) = (self.rails.at(rail.row, own), self.rails.at(reached, own));
        for place in from..to {
            let row = usize::try_from(number).ok()?;
            let row = rows.get(row.saturating_sub(usize::from(planted(Wrong::OneRowFurther))))?;
            match row.place(along) {
                Some(_) if place == from && planted(Wrong::FirstScatteredForgotten) => {}
                Some(at) => each(place, Some(row.start + at)),
                None => {
                    let boxed = (inner.low..=inner.high).contains(&along);
                    let own = self.value(place)?;
                    if !boxed && !self.rails.sees_over(rail, [own; 2]) {
                        return None;
                    }
                    each(place, None);
                }
            }
            number = number.wrapping_add(rail.row.times);
            along = along.wrapping_add(reached.times);
        }
        Some(())
    }
}
