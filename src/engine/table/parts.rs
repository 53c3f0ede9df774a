//! Where a straight way leads from a stretch, in a few parts: what ends and guards leave over is told by sums, without
//! columns.

use super::leads::Leads;
use super::rails::Rail;
use crate::faults::{Wrong, planted};
use crate::lang::{Columns, Fit, Ints, Truth};

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

impl Leads<'_> {
    /// Whether all ways to make moves are straight, and all that is over means the same.
    pub(super) fn is_straight(&self) -> bool {
        self.rules.winner.same_for_all().is_some() && self.rails.are_all()
    }

    /// Hands over the parts of the stretch from which a way leads anywhere; nothing, if that is not seen of one.
    pub(super) fn parts(&self, rail: &Rail, each: &mut impl FnMut(Part)) -> Option<()> {
        let last = self.first.checked_add(i64::try_from(self.len).ok()? - 1)?;
        let (low, high) = self.rails.guarded(rail, (self.first, last));
        if low > high {
            return Some(());
        }
        let (boxed_low, boxed_high) = self.rails.boxed(rail, (low, high));
        let place = |value: i64| usize::try_from(value - self.first).ok();
        let inner = self.lines.inner();
        let to = rail.to[inner.coordinate];
        // values within the box and off the row are over: that is how the rows were cut
        let mut over = |from: usize, to_place: usize, is_boxed: bool| {
            if from >= to_place {
                return Some(());
            }
            let ends = [self.value(from)?, self.value(to_place - 1)?];
            let boxed = || ends.iter().all(|value| (inner.low..=inner.high).contains(&self.rails.at(to, *value)));
            let seen = is_boxed && boxed() || self.rails.sees_over(rail, ends);
            each(if seen { Part::Over(from, to_place) } else { Part::Unseen(from, to_place) });
            Some(())
        };
        let (from, end) = (place(low)?, place(high)? + 1);
        if boxed_low > boxed_high {
            return over(from, end, false);
        }
        let (boxed_from, boxed_end) = (place(boxed_low)?, place(boxed_high)? + 1);
        over(from, boxed_from, false)?;
        over(boxed_end, end, false)?;
        if !rail.to_one_row {
            // where it is seen that `end` does not hold the options lie on rows
            let (low, high) = self.rails.not_over(rail, (boxed_low, boxed_high));
            if low > high {
                return over(boxed_from, boxed_end, false);
            }
            let (from, end) = (place(low)?, place(high)? + 1);
            over(boxed_from, from, false)?;
            over(end, boxed_end, false)?;
            each(Part::Scattered(from, end));
            return Some(());
        }
        let number = self.rails.row_at(rail, boxed_low)?;
        let row = self.lines.rows().get(number)?;
        let line = self.rails.line(to, self.first, self.len);
        let (first, last) = line.within(row.low, row.len, boxed_from, boxed_end)?;
        if first >= last {
            return over(boxed_from, boxed_end, true);
        }
        over(boxed_from, first, true)?;
        over(last, boxed_end, true)?;
        let at = usize::try_from(line.at(first) - row.low).ok()?;
        let step = isize::try_from(line.step).ok()?;
        let ahead = |place: usize| {
            let own = self.value(place).unwrap_or(if inner.down { i64::MAX } else { i64::MIN });
            if inner.down { line.at(place) > own } else { line.at(place) < own }
        };
        if self.is_before(number, || ahead(first) && ahead(last - 1))? {
            let early = usize::from(planted(Wrong::PlaceOneEarly) && step >= 0);
            each(Part::Before(first, last, number, at.saturating_sub(early), step));
            return Some(());
        }
        each(Part::Same(first, last, at, step));
        Some(())
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
