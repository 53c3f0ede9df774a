//! From where the starts lie, ply by ply, to what plays from there meet. A row is gone through after all rows from which
//! moves lead to it, once for all plies.

use super::Values;
use crate::engine::table::rails::{Rail, Rails};
use crate::engine::table::starts::Lie;
use crate::faults::{Wrong, planted};
use crate::lang::Interval;
use crate::position::{Axis, Lines};

const NONE: Values = (0, -1);

/// What has been met so far.
pub(super) struct Spread<'l> {
    lines: &'l Lines,
    /// Whether rows are taken whole, since starts lie all along them.
    whole: bool,
    /// How many positions may be met, or else rows, and how many have been.
    most: i64,
    most_rows: usize,
    total: i64,
    total_rows: usize,
    plies: usize,
    /// As in [`Met`]; until a row has been gone through, only what is met after just so many plies.
    numbers: Vec<u32>,
    values: Vec<Values>,
    /// A bit for each row that is met and has not been gone through.
    open: Vec<u64>,
    /// The numbers of the rows to which the ways lead from the present row, or none.
    to: Vec<Option<usize>>,
}

/// What is met of each row.
pub(super) struct Met {
    plies: usize,
    /// The values of all rows, if they are taken whole.
    whole: Option<Values>,
    /// For each row 0 where it is not met. Where rows are taken whole, one more than the plies after which it is met first,
    /// or two more than all plies, if that is last of all; else one more than its number among those that are met.
    numbers: Vec<u32>,
    /// By that number, and by plies: what is met after so many plies or fewer, but for what plays meet last.
    values: Vec<Values>,
}

impl Met {
    /// Whether anything is met of a row.
    pub(super) fn is_met(&self, row: usize) -> bool {
        self.numbers.get(row).is_some_and(|number| *number > 0)
    }

    /// What is met of a row after so many plies or fewer; nothing, where the row is not met.
    pub(super) fn after(&self, row: usize, plies: usize) -> Option<Values> {
        let number = usize::try_from(*self.numbers.get(row)?).ok()?.checked_sub(1)?;
        match self.whole {
            Some(values) => (number <= plies).then_some(values),
            None => self.values.get(number * (self.plies + 1) + plies).copied(),
        }
    }
}

impl<'l> Spread<'l> {
    pub(super) fn new(lines: &'l Lines, rows: usize, (most, most_rows): (i64, usize), plies: usize) -> Self {
        Self {
            lines,
            whole: true,
            most,
            most_rows,
            total: 0,
            total_rows: 0,
            plies,
            numbers: vec![0; rows],
            values: Vec::new(),
            open: vec![0; rows.div_ceil(BITS)],
            to: Vec::new(),
        }
    }

    /// Sees that starts alone are not too many, and whether they lie all along rows.
    pub(super) fn is_few(&mut self, lie: &Lie) -> Option<()> {
        let Lie::Within(bounds) = lie else {
            self.whole = false;
            return Some(());
        };
        let outer = self.lines.outer().iter();
        let rows = outer.map(|axis| Some(places(*axis, bounds.get(axis.coordinate)?).len()));
        let rows = rows.reduce(|all, places| all?.checked_mul(places?)).unwrap_or(Some(1))?;
        let inner = self.lines.inner();
        let along = places(inner, bounds.get(inner.coordinate)?).len();
        self.whole &= along >= inner.size()? / 2;
        let all = i64::try_from(rows.checked_mul(along)?).ok()?;
        (all <= self.most || rows <= self.most_rows).then_some(())
    }

    /// Notes where starts lie that are met after so many plies.
    pub(super) fn start(&mut self, lie: &Lie, ply: usize) -> Option<()> {
        match lie {
            Lie::Within(bounds) => self.start_within(bounds, ply),
            Lie::Along(numbers, line) => self.start_along(*numbers, line, ply),
        }
    }

    fn start_within(&mut self, bounds: &[Interval], ply: usize) -> Option<()> {
        let along = bounds.get(self.lines.inner().coordinate)?;
        let mut rows = vec![0];
        for axis in self.lines.outer() {
            let places = places(*axis, bounds.get(axis.coordinate)?);
            let size = axis.size()?;
            if rows.len().checked_mul(places.len())? > self.most_rows {
                return None;
            }
            rows = rows.iter().flat_map(|row| places.clone().map(move |place| row * size + place)).collect();
        }
        rows.iter().try_for_each(|row| self.meet(*row, (along.low, along.high), ply))
    }

    fn start_along(&mut self, numbers: Interval, line: &[(i64, i64)], ply: usize) -> Option<()> {
        if numbers.high.checked_sub(numbers.low)? > self.most {
            return None;
        }
        let inner = self.lines.inner().coordinate;
        let lines = self.lines;
        for number in numbers.low..=numbers.high {
            let value = |at: usize| line[at].0 + line[at].1 * number;
            if let Some(row) = lines.row_of(value) {
                self.meet(row, (value(inner), value(inner)), ply)?;
            }
        }
        Some(())
    }

    /// Follows all moves from where the starts lie, but for where it is seen that play is over: what is met, and the rows
    /// of which anything is, in order.
    pub(super) fn end(mut self, rails: &mut Rails) -> Option<(Met, Vec<usize>)> {
        let mut rows = Vec::with_capacity(self.total_rows);
        for word in (0..self.open.len()).rev() {
            while let Some(bit) = self.open[word].checked_ilog2() {
                self.open[word] ^= 1 << bit;
                let row = word * BITS + usize::try_from(bit).ok()?;
                rows.push(row);
                if self.whole { self.leave_whole(row, rails)? } else { self.leave(row, rails)? }
            }
        }
        rows.reverse();
        let inner = self.lines.inner();
        let whole = self.whole.then_some((inner.low, inner.high));
        Some((Met { plies: self.plies, whole, numbers: self.numbers, values: self.values }, rows))
    }

    /// Follows the moves from a row that is taken whole.
    fn leave_whole(&mut self, row: usize, rails: &mut Rails) -> Option<()> {
        let ply = usize::try_from(self.numbers[row]).ok()?;
        if ply > self.plies {
            return Some(());
        }
        let inner = self.lines.inner();
        rails.turn_to(row, self.lines);
        for rail in rails.ways.iter() {
            let Some(to) = self.row(rails, rail, row)? else { continue };
            let known = usize::try_from(self.numbers[to]).ok()?;
            if known != 0 && known <= ply + 1 {
                continue;
            }
            let (low, high) = rails.not_over(rail, rails.guarded(rail, (inner.low, inner.high)));
            if low <= high {
                self.meet_option(to, NONE, ply)?;
            }
        }
        Some(())
    }

    /// Follows the moves from a row, ply by ply.
    fn leave(&mut self, row: usize, rails: &mut Rails) -> Option<()> {
        let first = usize::try_from(self.numbers[row]).ok()?.checked_sub(1)? * (self.plies + 1);
        let (mut before, mut to) = (NONE, std::mem::take(&mut self.to));
        to.clear();
        for ply in 0..=self.plies {
            let now = hull(before, self.values[first + ply]);
            self.values[first + ply] = now;
            if now == before || ply == self.plies {
                continue;
            }
            if to.is_empty() {
                rails.turn_to(row, self.lines);
                for rail in rails.ways.iter() {
                    to.push(self.row(rails, rail, row)?);
                }
            }
            for (rail, to) in rails.ways.iter().zip(&to) {
                let Some(to) = *to else { continue };
                if ply + 1 == self.plies && self.numbers[to] > 0 {
                    continue;
                }
                let (low, high) = rails.not_over(rail, rails.guarded(rail, now));
                if low <= high {
                    let ends = [rails.at(rail.inner, low), rails.at(rail.inner, high)];
                    self.meet_option(to, (ends[0].min(ends[1]), ends[0].max(ends[1])), ply + 1)?;
                }
            }
            before = now;
        }
        let last = self.values[first + self.plies];
        self.total += last.1 - last.0 + 1;
        self.to = to;
        self.is_in_reach()
    }

    /// The number of the row to which a way leads, or none; nothing, if that is one that has been gone through.
    #[inline]
    fn row(&self, rails: &Rails, rail: &Rail, from: usize) -> Option<Option<usize>> {
        let row = rails.row(rail)?.filter(|row| *row < self.numbers.len());
        row.is_none_or(|row| row <= from).then_some(row)
    }

    /// Notes that options are met in a row after so many plies. Of what is met last nothing is filled: its rows must be
    /// there, to tell what is over.
    #[inline]
    fn meet_option(&mut self, row: usize, values: Values, ply: usize) -> Option<()> {
        if ply < self.plies {
            return self.meet(row, values, ply);
        }
        if planted(Wrong::LastPlyLeftOut) {
            return Some(());
        }
        let last = if self.whole { u32::try_from(self.plies + 2).ok() } else { None };
        self.number(row, last).map(|_| ())
    }

    /// Notes that a part of a row is met after so many plies.
    #[inline]
    fn meet(&mut self, row: usize, values: Values, ply: usize) -> Option<()> {
        let inner = self.lines.inner();
        if self.whole {
            let first = usize::try_from(self.numbers[row]).ok()?;
            if first == 0 || first > self.plies + 1 {
                self.total += inner.high - inner.low + 1;
            }
            return self.number(row, Some(u32::try_from(ply + 1).ok()?)).map(|_| ());
        }
        let (low, high) = (values.0.max(inner.low), values.1.min(inner.high));
        let number = self.number(row, None)?;
        if low <= high {
            let met = &mut self.values[number * (self.plies + 1) + ply];
            *met = hull(*met, (low, high));
        }
        Some(())
    }

    /// The number of a row that is met, or the least of those that it is given.
    #[inline]
    fn number(&mut self, row: usize, number: Option<u32>) -> Option<usize> {
        if self.numbers[row] == 0 {
            self.total_rows += 1;
            self.open[row / BITS] |= 1 << (row % BITS);
            self.numbers[row] = number.map_or_else(|| u32::try_from(self.total_rows), Ok).ok()?;
            if !self.whole {
                self.values.extend(std::iter::repeat_n(NONE, self.plies + 1));
            }
            self.is_in_reach()?;
        } else if let Some(number) = number {
            self.numbers[row] = self.numbers[row].min(number);
        }
        usize::try_from(self.numbers[row] - 1).ok()
    }

    /// Whether not too much is met.
    fn is_in_reach(&self) -> Option<()> {
        (self.total <= self.most || self.total_rows <= self.most_rows).then_some(())
    }
}

/// How many rows share a word of bits.
const BITS: usize = 64;

/// All from the first value of either to the last.
#[inline]
fn hull(one: Values, other: Values) -> Values {
    match (one.0 > one.1, other.0 > other.1) {
        (true, _) => other,
        (_, true) => one,
        _ => (one.0.min(other.0), one.1.max(other.1)),
    }
}

/// The places of some values among those of an axis.
fn places(axis: Axis, values: &Interval) -> std::ops::Range<usize> {
    let (low, high) = (values.low.max(axis.low), values.high.min(axis.high));
    match (axis.place(low), axis.place(high)) {
        (Some(a), Some(b)) if low <= high => a.min(b)..a.max(b) + 1,
        _ => 0..0,
    }
}
