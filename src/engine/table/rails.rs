//! The sums that tell where straight moves lead, kept from row to row.

use std::rc::Rc;

use super::odometer::Odometer;
use crate::faults::{Wrong, planted};
use crate::lang::{Line, Straight, Sum, Way, not_negative};
use crate::position::{Axis, Lines};

/// Straight ways to make moves, as seen from one row.
#[derive(Clone)]
pub(super) struct Rails {
    /// The ways to make moves that are straight, move by move.
    pub(super) ways: Rc<[Rail]>,
    /// For each move from which of them on and before which; none, where it is not straight.
    moves: Rc<[Option<(usize, usize)>]>,
    now: Odometer,
}

/// A sum along a row: where it stands, and how often the coordinate along the row counts in it.
#[derive(Clone, Copy)]
pub(super) struct Along {
    sum: usize,
    pub(super) times: i64,
}

/// A straight way to make a move.
pub(super) struct Rail {
    pub(super) guards: Vec<Along>,
    /// The number of the row that it leads to.
    pub(super) row: Along,
    /// Whether it leads from a row to one row.
    pub(super) to_one_row: bool,
    /// Outer coordinates that must lie between bounds, or it leads to no row.
    pub(super) between: Vec<(Along, i64, i64)>,
    /// Each coordinate that it leads to.
    pub(super) to: Vec<Along>,
    /// That along the row among them.
    pub(super) inner: Along,
    /// Where any of these is negative, the option is over by `end`.
    pub(super) open: Vec<Along>,
    /// The same where, of one of these lists, none is negative.
    over: Vec<Vec<Along>>,
}

impl Rail {
    /// Whether the move may be made wherever the game is not over.
    pub(super) const fn is_open(&self) -> bool {
        self.guards.is_empty()
    }
}

impl Rails {
    pub(super) fn new(straight: &Straight, lines: &Lines) -> Self {
        let mut found = Finder { sums: Vec::new(), lines };
        let (mut ways, mut moves) = (Vec::new(), Vec::with_capacity(straight.moves.len()));
        for made in &straight.moves {
            let from = ways.len();
            ways.extend(made.iter().flatten().map(|way| found.rail(way)));
            moves.push(made.as_ref().map(|_| (from, ways.len())));
        }
        Self { ways: ways.into(), moves: moves.into(), now: Odometer::new(found.sums.iter(), lines) }
    }

    /// Whether all moves are straight.
    pub(super) fn are_all(&self) -> bool {
        self.moves.iter().all(Option::is_some)
    }

    /// How many moves there are.
    pub(super) fn count(&self) -> usize {
        self.moves.len()
    }

    /// From which way on a move is made and before which; nothing, where it is not straight.
    pub(super) fn of_move(&self, number: usize) -> Option<(usize, usize)> {
        self.moves.get(number).copied().flatten()
    }

    /// Whether all moves lead straight from a row to one row.
    pub(super) fn lead_to_one_row(&self) -> bool {
        self.are_all() && self.ways.iter().all(|rail| rail.to_one_row)
    }

    /// Turns to a row.
    pub(super) fn turn_to(&mut self, row: usize, lines: &Lines) {
        self.now.turn_to(row, lines);
    }

    /// A sum where the coordinate along the row has this value.
    #[inline]
    pub(super) fn at(&self, along: Along, value: i64) -> i64 {
        self.now.at(along.sum).wrapping_add(along.times.wrapping_mul(value))
    }

    /// A sum along a stretch of the row, whose first place has this value.
    pub(super) fn line(&self, along: Along, first: i64, len: usize) -> Line {
        Line { base: self.at(along, first), step: if len > 1 { along.times } else { 0 } }
    }

    /// The first and the last of these values of the coordinate along the row at which a sum is not negative.
    #[inline]
    pub(super) fn not_negative(&self, along: Along, ends: (i64, i64)) -> (i64, i64) {
        not_negative((self.now.at(along.sum), along.times), ends)
    }

    /// The first and the last of these values of the coordinate along the row at which the guards hold.
    #[inline]
    pub(super) fn guarded(&self, rail: &Rail, ends: (i64, i64)) -> (i64, i64) {
        rail.guards[usize::from(planted(Wrong::GuardOfWayForgotten)).min(rail.guards.len())..]
            .iter()
            .fold(ends, |ends, guard| self.not_negative(*guard, ends))
    }

    /// Those of these values of the coordinate along the row at which it is not seen that the option is over by `end`,
    /// from the first to the last.
    #[inline]
    pub(super) fn not_over(&self, rail: &Rail, ends: (i64, i64)) -> (i64, i64) {
        rail.open.iter().fold(ends, |ends, sum| self.not_negative(*sum, ends))
    }

    /// The row that it leads to, or none; nothing, if it leads to several.
    #[inline]
    pub(super) fn row(&self, rail: &Rail) -> Option<Option<usize>> {
        if !rail.to_one_row {
            return None;
        }
        let found = rail.between.iter().all(|(along, low, high)| (*low..=*high).contains(&self.now.at(along.sum)));
        Some(if found { numbered(self.now.at(rail.row.sum)) } else { None })
    }

    /// The first and the last of these values of the coordinate along the row from which it leads to rows, whatever their
    /// length.
    pub(super) fn boxed(&self, rail: &Rail, ends: (i64, i64)) -> (i64, i64) {
        rail.between.iter().fold(ends, |ends, (along, low, high)| {
            let (now, times) = (self.now.at(along.sum), along.times);
            let ends = not_negative((now.wrapping_sub(*low), times), ends);
            not_negative((high.wrapping_sub(now), times.wrapping_neg()), ends)
        })
    }

    /// Whether it is seen that options are over by `end`, from one value of the coordinate along the row to another.
    pub(super) fn sees_over(&self, rail: &Rail, ends: [i64; 2]) -> bool {
        let all = |sum: &Along, negative: bool| ends.iter().all(|value| (self.at(*sum, *value) < 0) == negative);
        rail.open.iter().any(|sum| all(sum, true))
            || rail.over.iter().any(|list| list.iter().all(|sum| all(sum, false)))
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

/// Takes ways down, and the sums that they need, each once.
struct Finder<'l> {
    sums: Vec<Sum>,
    lines: &'l Lines,
}

impl Finder<'_> {
    fn rail(&mut self, way: &Way) -> Rail {
        let lines = self.lines;
        let (outer, inner) = (lines.outer(), lines.inner().coordinate);
        let to_one_row = outer.iter().all(|axis| !way.to[axis.coordinate].reads(inner));
        let mut between = Vec::new();
        for axis in outer {
            let to = &way.to[axis.coordinate];
            if !self.is_within(to, axis) {
                between.push((self.along(to), axis.low, axis.high));
            }
        }
        Rail {
            between,
            guards: way.guards.iter().map(|sum| self.along(sum)).collect(),
            row: self.along(&row(way, lines)),
            to_one_row,
            to: way.to.iter().map(|sum| self.along(sum)).collect(),
            inner: self.along(&way.to[inner]),
            open: way.open.iter().map(|sum| self.along(sum)).collect(),
            over: way.over.iter().map(|list| list.iter().map(|sum| self.along(sum)).collect()).collect(),
        }
    }

    /// Keeps a sum, once.
    fn along(&mut self, sum: &Sum) -> Along {
        let at = self.sums.iter().position(|other| other == sum).unwrap_or_else(|| {
            self.sums.push(sum.clone());
            self.sums.len() - 1
        });
        Along { sum: at, times: sum.times(self.lines.inner().coordinate) }
    }

    /// Whether a sum lies within an axis wherever a position lies within the box.
    fn is_within(&self, sum: &Sum, axis: &Axis) -> bool {
        if sum.is_coordinate(axis.coordinate) {
            return true;
        }
        let (mut low, mut high) = (i128::from(sum.plus()), i128::from(sum.plus()));
        for Axis { coordinate, low: first, high: last, .. } in self.lines.outer().iter().chain([&self.lines.inner()]) {
            let times = i128::from(sum.times(*coordinate));
            let (a, b) = (times * i128::from(*first), times * i128::from(*last));
            (low, high) = (low.saturating_add(a.min(b)), high.saturating_add(a.max(b)));
        }
        i128::from(axis.low) <= low && high <= i128::from(axis.high)
    }
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
