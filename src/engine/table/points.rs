//! Rows so short that each position is looked at for itself: where a straight way leads from it, by sums alone.

use super::leads::Leads;
use super::rails::Along;
use crate::faults::{Wrong, planted};

/// Rows no longer than this are filled position by position.
const SHORT: usize = 8;

/// Where a way leads from a position.
pub(super) enum Point {
    /// Nowhere: the move cannot be made.
    Shut,
    /// Play is over there.
    Over,
    /// To the position of this index, which is filled before.
    At(usize),
}

/// A way to make a move, as seen from a row.
pub(super) struct Seen {
    /// Its number.
    way: usize,
    /// Whether the move can be made from the whole row.
    open: bool,
    /// Whether it leads into the box from the whole row, as far as outer coordinates go.
    boxed: bool,
}

impl Leads<'_> {
    /// Whether rows are filled position by position: all ways to make moves are straight, all that is over means the
    /// same, and no position of a row is over.
    pub(super) fn is_for_points(&self) -> bool {
        self.lines.inner().size().is_some_and(|size| size <= SHORT) && self.is_straight() && !self.holes
    }

    /// Notes the ways that may lead anywhere from the row.
    pub(super) fn see_ways(&self, seen: &mut Vec<Seen>) {
        seen.clear();
        for (way, rail) in self.rails.ways.iter().enumerate() {
            let along = |sums: &[Along]| sums.iter().any(|sum| sum.times != 0);
            let shut = rail.guards.iter().any(|guard| guard.times == 0 && self.rails.at(*guard, 0) < 0);
            if shut && !planted(Wrong::GuardOfWayForgotten) {
                continue;
            }
            let boxed = |(sum, low, high): &(Along, i64, i64)| {
                sum.times == 0 && (*low..=*high).contains(&self.rails.at(*sum, 0))
            };
            seen.push(Seen { way, open: !along(&rail.guards), boxed: rail.between.iter().all(boxed) });
        }
    }

    /// Where a way leads from the position of the row at which the coordinate along it has this value; nothing, if that is
    /// not seen.
    #[inline]
    pub(super) fn point(&self, seen: &Seen, value: i64) -> Option<Point> {
        let rail = self.rails.ways.get(seen.way)?;
        if !seen.open
            && !planted(Wrong::GuardOfWayForgotten)
            && rail.guards.iter().any(|sum| self.is_negative(*sum, value))
        {
            return Some(Point::Shut);
        }
        let boxed = |(along, low, high): &_| (*low..=*high).contains(&self.rails.at(*along, value));
        if !seen.boxed && !rail.between.iter().all(boxed) {
            return self.rails.sees_over(rail, [value; 2]).then_some(Point::Over);
        }
        let number = self.rails.row_at(rail, value)?;
        let (row, reached) = (self.lines.rows().get(number)?, self.rails.at(rail.inner, value));
        if let Some(place) = row.place(reached) {
            let ahead = || if self.lines.inner().down { reached > value } else { reached < value };
            let before = number < self.number || number == self.number && ahead();
            return before.then_some(Point::At(row.start + place));
        }
        // values within the box and off the row are over: that is how the rows were cut
        let inner = self.lines.inner();
        ((inner.low..=inner.high).contains(&reached) || self.rails.sees_over(rail, [value; 2])).then_some(Point::Over)
    }

    #[inline]
    fn is_negative(&self, sum: Along, value: i64) -> bool {
        self.rails.at(sum, value) < 0
    }
}
