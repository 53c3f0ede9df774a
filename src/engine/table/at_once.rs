//! Stretches whose moves are all straight and where all that is over means the same: as most are in exams. Where their
//! moves lead is told by a few numbers each, without columns.

use super::leads::{Leads, Source};
use super::rails::{Rail, Rails};
use crate::faults::{Wrong, planted};
use crate::lang::Truth;
use crate::position::{Axis, Row};
use crate::value::Outcome;

/// Values of the coordinate along a row, from the first to the last; none, where the last is less.
type Values = (i64, i64);

const NONE: Values = (0, -1);

/// What was found of a stretch, as places on it, each from the first on and before the second.
pub(super) struct AtOnce {
    /// Where there is a move.
    pub(super) covered: (usize, usize),
    /// Where a move wins at once.
    pub(super) instant: (usize, usize),
    /// What it means that a position is over.
    pub(super) outcome: Outcome,
}

impl Leads<'_> {
    /// Turns to a stretch of the row, and finds where its moves lead, if that can be told at once; nothing is lost where
    /// it cannot.
    pub(super) fn turn_at_once(&mut self, stretch: usize) -> Option<AtOnce> {
        let outcome = self.alike?;
        self.turn(stretch).ok()?;
        let (first, inner) = (self.first, self.lines.inner());
        let ends = (first, first.checked_add(i64::try_from(self.len).ok()? - 1)?);
        let here = Here { rails: &self.rails, rows: self.lines.rows(), number: self.number, inner, ends, outcome };
        let mut found = Found { covered: NONE, instant: NONE, sources: &mut self.sources };
        for rail in self.rails.ways.iter() {
            here.lead(rail, &mut found)?;
        }
        let places = |(low, high): Values| match low > high {
            true => Some((0, 0)),
            false => Some((place(first, low)?, place(first, high)? + 1)),
        };
        Some(AtOnce { covered: places(found.covered)?, instant: places(found.instant)?, outcome })
    }
}

/// A stretch of a row.
struct Here<'l> {
    rails: &'l Rails,
    rows: &'l [Row],
    /// The number of its row.
    number: usize,
    inner: Axis,
    /// Its first and its last value.
    ends: Values,
    outcome: Outcome,
}

/// What has been found of it.
struct Found<'l> {
    covered: Values,
    instant: Values,
    sources: &'l mut Vec<Source>,
}

impl Here<'_> {
    /// Notes where a straight way to make a move leads.
    #[inline]
    fn lead(&self, rail: &Rail, found: &mut Found<'_>) -> Option<()> {
        let (low, high) = self.rails.guarded(rail, self.ends);
        if low > high {
            return Some(());
        }
        join(&mut found.covered, (low, high))?;
        let Some(number) = self.rails.row(rail)? else { return self.over(rail, (low, high), false, found) };
        let Some(row) = self.rows.get(number) else { return self.over(rail, (low, high), false, found) };
        if row.is_empty() {
            return self.over(rail, (low, high), true, found);
        }
        // the values at which it leads to the row
        let (base, times) = (self.rails.at(rail.inner, 0), rail.inner.times);
        let below = row.low.checked_sub(base)?;
        let left = below.checked_add(i64::from(row.len) - 1)?;
        let (first, last) = match times {
            1 if planted(Wrong::LineLeavesRowEarly) => (below, left - 1),
            1 => (below, left),
            0 if below <= 0 && left >= 0 => (low, high),
            0 => NONE,
            times if times > 1 => (-below.checked_neg()?.div_euclid(times), left.div_euclid(times)),
            _ => return None,
        };
        let (first, last) = (first.max(low), last.min(high));
        if first > last {
            return self.over(rail, (low, high), true, found);
        }
        // what lies before and after these
        if low < first {
            self.over(rail, (low, first - 1), true, found)?;
        }
        if last < high {
            self.over(rail, (last + 1, high), true, found)?;
        }
        let (from, to) = (place(self.ends.0, first)?, place(self.ends.0, last)? + 1);
        let reached = self.rails.at(rail.inner, first);
        let place = place(row.low, reached)?;
        let step = isize::try_from(times).ok()?;
        if number < self.number {
            let early = usize::from(planted(Wrong::PlaceOneEarly));
            found.sources.push(Source::Before { from, to, row: number, place: place.saturating_sub(early), step });
            return Some(());
        }
        let ahead = |reached: i64, value: i64| if self.inner.down { reached > value } else { reached < value };
        if number > self.number || !ahead(reached, first) || !ahead(self.rails.at(rail.inner, last), last) {
            return None;
        }
        found.sources.push(Source::Same { from, to, place, step });
        Some(())
    }

    /// Notes values at which it leads off the rows, to a row or to none, if it is sure that play is over there.
    fn over(&self, rail: &Rail, values: Values, to_row: bool, found: &mut Found<'_>) -> Option<()> {
        // values within the box and off the row are over: that is how the rows were cut
        let in_box = |value| (self.inner.low..=self.inner.high).contains(&self.rails.at(rail.inner, value));
        if !(to_row && in_box(values.0) && in_box(values.1) || self.rails.sees_over(rail, [values.0, values.1])) {
            return None;
        }
        if self.outcome == Outcome::Loss {
            return join(&mut found.instant, values);
        }
        let when = Truth::Span(place(self.ends.0, values.0)?, place(self.ends.0, values.1)? + 1);
        found.sources.push(Source::Over(when, self.outcome));
        Some(())
    }
}

/// How far a value is from the first.
fn place(first: i64, value: i64) -> Option<usize> {
    usize::try_from(value.checked_sub(first)?).ok()
}

/// Makes one stretch of two, if they meet.
#[inline]
fn join(values: &mut Values, more: Values) -> Option<()> {
    if values.0 > values.1 {
        *values = more;
    } else if more.0 <= values.1.saturating_add(1) && values.0 <= more.1.saturating_add(1) {
        *values = (values.0.min(more.0), values.1.max(more.1));
    } else {
        return None;
    }
    Some(())
}
