//! Stretches whose moves are all straight and where all that is over means the same: as most are in exams. Where their
//! moves lead is told by a few numbers each, without columns.

use super::leads::{Leads, Source};
use super::rails::{Along, Rail};
use crate::faults::{Wrong, planted};
use crate::lang::Truth;
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
        let ends = (self.first, self.first.checked_add(i64::try_from(self.len).ok()? - 1)?);
        let (mut covered, mut instant) = (NONE, NONE);
        let mut sources = std::mem::take(&mut self.sources);
        let mut led = true;
        for rail in self.rails.moves.iter().flatten().flatten() {
            led = led && self.lead_at_once(rail, ends, outcome, &mut covered, &mut instant, &mut sources).is_some();
        }
        self.sources = sources;
        let places = |(low, high): Values| match low > high {
            true => Some((0, 0)),
            false => Some((self.place(low)?, self.place(high)? + 1)),
        };
        Some(AtOnce { covered: places(covered)?, instant: places(instant)?, outcome }).filter(|_| led)
    }

    fn place(&self, value: i64) -> Option<usize> {
        usize::try_from(value.checked_sub(self.first)?).ok()
    }

    /// Notes where a straight way to make a move leads.
    #[inline]
    fn lead_at_once(
        &self,
        rail: &Rail,
        ends: Values,
        outcome: Outcome,
        covered: &mut Values,
        instant: &mut Values,
        sources: &mut Vec<Source>,
    ) -> Option<()> {
        let (low, high) = self.rails.guarded(rail, ends);
        if low > high {
            return Some(());
        }
        join(covered, (low, high))?;
        let inner = self.lines.inner();
        let to = rail.to[inner.coordinate];
        let row = self.rails.row(rail)?.and_then(|number| Some((number, self.lines.rows().get(number)?)));
        let mut over = |values: Values, boxed: bool| {
            if values.0 > values.1 {
                return Some(());
            }
            // values within the box and off the row are over: that is how the rows were cut
            let is_boxed = |value| (inner.low..=inner.high).contains(&self.rails.at(to, value));
            let is_over = |sum: &Along| self.rails.at(*sum, values.0) < 0 && self.rails.at(*sum, values.1) < 0;
            if !(boxed && is_boxed(values.0) && is_boxed(values.1) || rail.open.iter().any(is_over)) {
                return None;
            }
            if outcome == Outcome::Loss {
                return join(instant, values);
            }
            let when = Truth::Span(self.place(values.0)?, self.place(values.1)? + 1);
            sources.push(Source::Over(when, outcome));
            Some(())
        };
        let Some((number, row)) = row.filter(|(_, row)| !row.is_empty()) else {
            return over((low, high), row.is_some());
        };
        // the values at which it leads to the row
        let base = self.rails.at(to, 0);
        let below = row.low.checked_sub(base)?;
        let left = below.checked_add(i64::from(row.len) - 1)?;
        let (first, last) = match to.times {
            1 if planted(Wrong::LineLeavesRowEarly) => (below, left - 1),
            1 => (below, left),
            0 if below <= 0 && left >= 0 => (low, high),
            0 => NONE,
            times if times > 1 => (-below.checked_neg()?.div_euclid(times), left.div_euclid(times)),
            _ => return None,
        };
        let (first, last) = (first.max(low), last.min(high));
        if first > last {
            return over((low, high), true);
        }
        over((low, first.checked_sub(1)?), true)?;
        over((last.checked_add(1)?, high), true)?;
        let (from, to_place) = (self.place(first)?, self.place(last)? + 1);
        let place = usize::try_from(self.rails.at(to, first).checked_sub(row.low)?).ok()?;
        let step = isize::try_from(to.times).ok()?;
        if number < self.number {
            let early = usize::from(planted(Wrong::PlaceOneEarly));
            sources.push(Source::Before { from, to: to_place, row: number, place: place.saturating_sub(early), step });
            return Some(());
        }
        let ahead = |value: i64| {
            let reached = self.rails.at(to, value);
            if inner.down { reached > value } else { reached < value }
        };
        if number > self.number || !ahead(first) || !ahead(last) {
            return None;
        }
        sources.push(Source::Same { from, to: to_place, place, step });
        Some(())
    }
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
