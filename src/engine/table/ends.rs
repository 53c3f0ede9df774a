//! Where along a row the game is over by an `end` that several lists of sums tell: where all of one are not negative.

use super::odometer::Odometer;
use crate::lang::{Sum, Truth, not_negative};
use crate::position::Lines;

/// An `end` as seen from one row.
#[derive(Clone)]
pub(super) struct Ends {
    /// For each list how many sums it has.
    lists: Vec<usize>,
    /// How often the coordinate along the row counts in each sum, list by list.
    times: Vec<i64>,
    now: Odometer,
}

impl Ends {
    pub(super) fn new(over: &[Vec<Sum>], lines: &Lines) -> Self {
        let inner = lines.inner().coordinate;
        Self {
            lists: over.iter().map(Vec::len).collect(),
            times: over.iter().flatten().map(|sum| sum.times(inner)).collect(),
            now: Odometer::new(over.iter().flatten(), lines),
        }
    }

    pub(super) fn turn_to(&mut self, row: usize, lines: &Lines) {
        self.now.turn_to(row, lines);
    }

    /// Calls `each` with the first and the last of some of these values of the coordinate along the row at which the game
    /// is over: together they are all.
    pub(super) fn each(&self, ends: (i64, i64), mut each: impl FnMut(i64, i64)) {
        let mut sums = self.now.all().iter().copied().zip(self.times.iter().copied());
        for list in &self.lists {
            let (low, high) = sums.by_ref().take(*list).fold(ends, |ends, sum| not_negative(sum, ends));
            if low <= high {
                each(low, high);
            }
        }
    }

    /// The first and the last of these values at which the game is not over, if there are any, and whether it is over at
    /// none between.
    pub(super) fn between(&self, ends: (i64, i64)) -> Option<(i64, i64, bool)> {
        let (mut first, mut last) = ends;
        // each may go on where another stops
        for _ in &self.lists {
            self.each(ends, |low, high| {
                if low <= first && first <= high {
                    first = high.saturating_add(1);
                }
                if low <= last && last <= high {
                    last = low.saturating_sub(1);
                }
            });
        }
        let mut whole = true;
        self.each(ends, |low, high| whole &= high < first || low > last);
        (first <= last).then_some((first, last, whole))
    }

    /// The places of a stretch at which the game is over; the first has this value.
    pub(super) fn places(&self, first: i64, len: usize) -> Option<Truth> {
        let last = first.checked_add(i64::try_from(len).ok()?.checked_sub(1)?)?;
        let place = |value: i64| usize::try_from(value - first).unwrap_or(0);
        let mut places = Truth::NEVER;
        self.each((first, last), |low, high| places.cover(place(low), place(high) + 1, len));
        Some(places)
    }
}
