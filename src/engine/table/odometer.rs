//! Sums of coordinates, kept from row to row: each outer coordinate that changes adds what it counts for.

use crate::faults::{Wrong, planted};
use crate::lang::Sum;
use crate::position::Lines;

/// Sums as seen from one row.
#[derive(Clone)]
pub(super) struct Odometer {
    /// What each sum is on the present row, apart from what the coordinate along the row adds.
    now: Vec<i64>,
    /// How much each sum grows with one step along each outer axis: those of the first axis, then those of the next.
    steps: Vec<i64>,
    /// How many rows there are before one of the outer coordinates but the last changes.
    stretch: usize,
    /// The present row, and the first one after it at which that happens; so many rows before that one it happened last.
    row: usize,
    until: usize,
}

impl Odometer {
    /// At the first row.
    pub(super) fn new<'s>(sums: impl Iterator<Item = &'s Sum> + Clone, lines: &Lines) -> Self {
        let (outer, inner) = (lines.outer(), lines.inner().coordinate);
        let mut position = vec![0; lines.width()];
        lines.read_row(0, &mut position);
        let now: Vec<i64> = sums.clone().map(|sum| sum.along(&position, inner).0).collect();
        let mut steps = Vec::with_capacity(now.len() * outer.len());
        for axis in outer {
            let sign = if axis.down { -1 } else { 1 };
            steps.extend(sums.clone().map(|sum| sum.times(axis.coordinate).wrapping_mul(sign)));
        }
        let stretch = outer.last().and_then(|axis| axis.size()).unwrap_or(1).max(1);
        Self { now, steps, stretch, row: 0, until: stretch }
    }

    /// A sum on the present row, apart from what the coordinate along the row adds.
    #[inline]
    pub(super) fn at(&self, sum: usize) -> i64 {
        self.now[sum]
    }

    /// All of them.
    pub(super) fn all(&self) -> &[i64] {
        &self.now
    }

    /// Turns to a row.
    #[inline]
    pub(super) fn turn_to(&mut self, row: usize, lines: &Lines) {
        if row < self.until && row + self.stretch >= self.until {
            let rows = row.wrapping_sub(self.row).cast_signed();
            let rows = if planted(Wrong::SkippedRowsNotCounted) { rows.min(1) } else { rows };
            self.step(lines.outer().len().saturating_sub(1), i64::try_from(rows).unwrap_or(i64::MAX));
        } else {
            self.turn_far(row, lines);
        }
        self.row = row;
    }

    /// Takes so many steps along an outer axis.
    #[inline]
    fn step(&mut self, axis: usize, steps: i64) {
        let sums = self.now.len();
        let all = self.now.iter_mut().zip(self.steps.get(axis * sums..).unwrap_or_default());
        // mostly one, which goes in bulk
        match steps {
            1 => all.for_each(|(now, step)| *now = now.wrapping_add(*step)),
            -1 => all.for_each(|(now, step)| *now = now.wrapping_sub(*step)),
            _ => all.for_each(|(now, step)| *now = now.wrapping_add(step.wrapping_mul(steps))),
        }
    }

    /// Turns to a row where more than the last outer coordinate changes.
    fn turn_far(&mut self, row: usize, lines: &Lines) {
        let (mut before, mut after) = (self.row, row);
        for (number, axis) in lines.outer().iter().enumerate().rev() {
            if before == after {
                break;
            }
            let size = axis.size().unwrap_or(1).max(1);
            let place = |row: usize| i64::try_from(row % size).unwrap_or(i64::MAX);
            let steps = place(after) - place(before);
            if steps != 0 && !(number == 0 && planted(Wrong::FarTurnForgotten)) {
                self.step(number, steps);
            }
            (before, after) = (before / size, after / size);
        }
        self.until = (row / self.stretch + 1).saturating_mul(self.stretch);
    }
}
