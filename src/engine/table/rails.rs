//! The sums that tell where straight moves lead, kept from row to row: from one row to the next each grows by the same.

use crate::faults::{Wrong, planted};
use crate::lang::{Line, Straight, Sum, Way, not_negative};
use crate::position::Lines;

/// Straight ways to make moves, as seen from one row.
pub(super) struct Rails {
    /// For each move the ways to make it, where it is straight.
    pub(super) moves: Vec<Option<Vec<Rail>>>,
    sums: Vec<Sum>,
    /// How much each sum grows from one row to the next, where only the last of the outer coordinates changes.
    steps: Vec<i64>,
    /// What each sum is on the present row, apart from what the coordinate along the row adds.
    now: Vec<i64>,
    /// How many rows there are before one of the other outer coordinates changes.
    stretch: usize,
    /// The present row, and the first one after it at which that happens; before the first row both are 0.
    row: usize,
    until: usize,
    position: Vec<i64>,
    inner: usize,
}

/// A sum along a row: where it stands, and how often the coordinate along the row counts in it.
#[derive(Clone, Copy)]
pub(super) struct Along {
    sum: usize,
    pub(super) times: i64,
}

/// A straight way to make a move.
pub(super) struct Rail {
    guards: Vec<Along>,
    /// The number of the row that it leads to.
    pub(super) row: Along,
    /// Whether it leads from a row to one row.
    pub(super) to_one_row: bool,
    /// Outer coordinates that must lie between bounds, or it leads to no row.
    between: Vec<(Along, i64, i64)>,
    /// Each coordinate that it leads to.
    pub(super) to: Vec<Along>,
    /// That along the row among them.
    pub(super) inner: Along,
    /// Where any of these is negative, the option is over by `end`.
    pub(super) open: Vec<Along>,
}

impl Rail {
    /// Whether the move may be made wherever the game is not over.
    pub(super) const fn is_open(&self) -> bool {
        self.guards.is_empty()
    }
}

impl Rails {
    pub(super) fn new(straight: &Straight, lines: &Lines) -> Self {
        let last = lines.outer().last();
        let mut rails = Self {
            moves: Vec::new(),
            sums: Vec::new(),
            steps: Vec::new(),
            now: Vec::new(),
            stretch: last.and_then(|axis| axis.size()).unwrap_or(1).max(1),
            row: 0,
            until: 0,
            position: vec![0; lines.width()],
            inner: lines.inner().coordinate,
        };
        let moves = straight.moves.iter();
        rails.moves = moves
            .map(|ways| ways.as_ref().map(|ways| ways.iter().map(|way| rails.rail(way, lines)).collect()))
            .collect();
        rails.steps = match last {
            Some(axis) => {
                let sign = if axis.down { -1 } else { 1 };
                rails.sums.iter().map(|sum| sum.times(axis.coordinate).wrapping_mul(sign)).collect()
            }
            None => vec![0; rails.sums.len()],
        };
        rails
    }

    fn rail(&mut self, way: &Way, lines: &Lines) -> Rail {
        let outer = lines.outer();
        let to_one_row = outer.iter().all(|axis| !way.to[axis.coordinate].reads(self.inner));
        let between = outer.iter().filter(|axis| !way.to[axis.coordinate].is_coordinate(axis.coordinate));
        let between = between.map(|axis| (self.along(&way.to[axis.coordinate]), axis.low, axis.high)).collect();
        Rail {
            guards: way.guards.iter().map(|sum| self.along(sum)).collect(),
            row: self.along(&row(way, lines)),
            to_one_row,
            between,
            to: way.to.iter().map(|sum| self.along(sum)).collect(),
            inner: self.along(&way.to[self.inner]),
            open: way.open.iter().map(|sum| self.along(sum)).collect(),
        }
    }

    /// Keeps a sum, once.
    fn along(&mut self, sum: &Sum) -> Along {
        let at = self.sums.iter().position(|other| other == sum).unwrap_or_else(|| {
            self.sums.push(sum.clone());
            self.sums.len() - 1
        });
        Along { sum: at, times: sum.times(self.inner) }
    }

    /// Whether all moves lead straight from a row to one row.
    pub(super) fn lead_to_one_row(&self) -> bool {
        self.moves.iter().all(|rails| rails.as_ref().is_some_and(|rails| rails.iter().all(|rail| rail.to_one_row)))
    }

    /// Turns to a row.
    pub(super) fn turn_to(&mut self, row: usize, lines: &Lines) {
        if self.row <= row && row < self.until {
            let rows = i64::try_from(row - self.row)
                .unwrap_or(i64::MAX)
                .min(if planted(Wrong::SkippedRowsNotCounted) { 1 } else { i64::MAX });
            let all = self.now.iter_mut().zip(&self.steps);
            if rows == 1 {
                all.for_each(|(now, step)| *now = now.wrapping_add(*step));
            } else {
                all.for_each(|(now, step)| *now = now.wrapping_add(step.wrapping_mul(rows)));
            }
        } else {
            lines.read_row(row, &mut self.position);
            self.now.clear();
            self.now.extend(self.sums.iter().map(|sum| sum.along(&self.position, self.inner).0));
            self.until = (row / self.stretch + 1).saturating_mul(self.stretch);
        }
        self.row = row;
    }

    /// A sum where the coordinate along the row has this value.
    #[inline]
    pub(super) fn at(&self, along: Along, value: i64) -> i64 {
        self.now[along.sum].wrapping_add(along.times.wrapping_mul(value))
    }

    /// A sum along a stretch of the row, whose first place has this value.
    pub(super) fn line(&self, along: Along, first: i64, len: usize) -> Line {
        Line { base: self.at(along, first), step: if len > 1 { along.times } else { 0 } }
    }

    /// The first and the last of these values of the coordinate along the row at which the guards hold.
    #[inline]
    pub(super) fn guarded(&self, rail: &Rail, ends: (i64, i64)) -> (i64, i64) {
        rail.guards[usize::from(planted(Wrong::GuardOfWayForgotten)).min(rail.guards.len())..]
            .iter()
            .fold(ends, |ends, guard| not_negative((self.now[guard.sum], guard.times), ends))
    }

    /// The row that it leads to, or none; nothing, if it leads to several.
    #[inline]
    pub(super) fn row(&self, rail: &Rail) -> Option<Option<usize>> {
        if !rail.to_one_row {
            return None;
        }
        let found = rail.between.iter().all(|(along, low, high)| (*low..=*high).contains(&self.now[along.sum]));
        Some(if found { numbered(self.now[rail.row.sum]) } else { None })
    }

    /// The first and the last of these values of the coordinate along the row from which it leads to rows, whatever their
    /// length.
    pub(super) fn boxed(&self, rail: &Rail, ends: (i64, i64)) -> (i64, i64) {
        rail.between.iter().fold(ends, |ends, (along, low, high)| {
            let (now, times) = (self.now[along.sum], along.times);
            let ends = not_negative((now.wrapping_sub(*low), times), ends);
            not_negative((high.wrapping_sub(now), times.wrapping_neg()), ends)
        })
    }

    /// The number of the row that it leads to from this value of the coordinate along the row, which is one of those that
    /// [`Rails::boxed`] gives.
    pub(super) fn row_at(&self, rail: &Rail, value: i64) -> Option<usize> {
        numbered(self.at(rail.row, value))
    }
}

fn numbered(row: i64) -> Option<usize> {
    usize::try_from(row).ok().map(|number| number.saturating_sub(usize::from(planted(Wrong::OneRowFurther))))
}

/// The number of the row that a way leads to, where its outer coordinates lie within the box. Off the box it may be
/// anything.
fn row(way: &Way, lines: &Lines) -> Sum {
    let mut row = Sum::number(0, lines.width());
    let mut rows = 1_i64;
    for axis in lines.outer().iter().rev() {
        let (sign, first) = if axis.down { (-1, axis.high) } else { (1, axis.low) };
        row.add_wrapping(&way.to[axis.coordinate], rows.wrapping_mul(sign));
        row.add_wrapping(&Sum::number(first, lines.width()), rows.wrapping_mul(-sign));
        rows = rows.wrapping_mul(axis.size().and_then(|size| i64::try_from(size).ok()).unwrap_or(1));
    }
    row
}
