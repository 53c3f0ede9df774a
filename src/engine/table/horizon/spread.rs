//! From where the starts lie, ply by ply, to what plays from there meet.

use super::Values;
use crate::engine::table::rails::{Rail, Rails};
use crate::engine::table::starts::Lie;
use crate::lang::Interval;
use crate::position::{Axis, Lines};

const NONE: Values = (0, -1);

/// What has been met so far.
pub(super) struct Spread<'l> {
    lines: &'l Lines,
    /// Whether rows are taken whole, since starts lie all along them.
    whole: bool,
    /// How many positions may be met, or else rows, and how many positions have been.
    most: i64,
    most_rows: usize,
    total: i64,
    plies: usize,
    /// The present one.
    ply: usize,
    /// As in [`super::Horizon`]; nothing for a ply at which a row has not grown.
    numbers: Vec<u32>,
    met: Vec<Values>,
    rows: Vec<usize>,
    /// What is met of each row by now.
    now: Vec<Values>,
    /// The rows that have grown at the last ply, and at this one, by number.
    open: Vec<(usize, usize)>,
    next: Vec<(usize, usize)>,
}

impl<'l> Spread<'l> {
    pub(super) fn new(lines: &'l Lines, rows: usize, (most, most_rows): (i64, usize), plies: usize) -> Self {
        Self {
            lines,
            whole: true,
            most,
            most_rows,
            total: 0,
            plies,
            ply: 0,
            numbers: vec![0; rows],
            met: Vec::new(),
            rows: Vec::new(),
            now: Vec::new(),
            open: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Turns to the next ply: whatever may be reached from what was met at the one before.
    pub(super) fn begin(&mut self, ply: usize, rails: &mut Rails) -> Option<()> {
        self.ply = ply;
        std::mem::swap(&mut self.open, &mut self.next);
        self.next.clear();
        // from row to row the sums grow by the same
        self.open.sort_unstable();
        let open = std::mem::take(&mut self.open);
        for (row, number) in &open {
            let values = self.met[number * (self.plies + 1) + ply - 1];
            rails.turn_to(*row, self.lines);
            for rail in rails.ways.iter() {
                self.follow(rails, rail, values)?;
            }
        }
        self.open = open;
        Some(())
    }

    /// Notes where a way leads, but for where it is seen that play is over.
    #[inline]
    fn follow(&mut self, rails: &Rails, rail: &Rail, values: Values) -> Option<()> {
        let Some(row) = rails.row(rail)?.filter(|row| *row < self.numbers.len()) else { return Some(()) };
        let is_last = self.ply == self.plies;
        if (is_last || self.whole) && self.numbers[row] > 0 {
            return Some(());
        }
        let (low, high) = rails.not_over(rail, rails.guarded(rail, values));
        if low > high {
            return Some(());
        }
        if is_last {
            // of what is met last nothing is filled: its rows must be there, to tell what is over
            self.meet_first(row)?;
            return (self.total <= self.most || self.rows.len() <= self.most_rows).then_some(());
        }
        let ends = [rails.at(rail.inner, low), rails.at(rail.inner, high)];
        self.meet(row, (ends[0].min(ends[1]), ends[0].max(ends[1])))
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

    /// Notes where the starts lie.
    pub(super) fn start(&mut self, lie: &Lie) -> Option<()> {
        match lie {
            Lie::Within(bounds) => self.start_within(bounds),
            Lie::Along(numbers, line) => self.start_along(*numbers, line),
        }
    }

    fn start_within(&mut self, bounds: &[Interval]) -> Option<()> {
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
        rows.iter().try_for_each(|row| self.meet(*row, (along.low, along.high)))
    }

    fn start_along(&mut self, numbers: Interval, line: &[(i64, i64)]) -> Option<()> {
        if numbers.high.checked_sub(numbers.low)? > self.most {
            return None;
        }
        let inner = self.lines.inner().coordinate;
        let lines = self.lines;
        for number in numbers.low..=numbers.high {
            let value = |at: usize| line[at].0 + line[at].1 * number;
            if let Some(row) = lines.row_of(value) {
                self.meet(row, (value(inner), value(inner)))?;
            }
        }
        Some(())
    }

    /// Notes that a part of a row is met.
    #[inline]
    fn meet(&mut self, row: usize, (low, high): Values) -> Option<()> {
        let inner = self.lines.inner();
        let whole = (inner.low, inner.high);
        let (low, high) = if self.whole { whole } else { (low.max(inner.low), high.min(inner.high)) };
        let number = match self.numbers[row] {
            0 => self.meet_first(row)?,
            number => usize::try_from(number - 1).ok()?,
        };
        let before = self.now[number];
        if low > high || before.0 <= low && high <= before.1 {
            return Some(());
        }
        let now = if before == NONE { (low, high) } else { (low.min(before.0), high.max(before.1)) };
        self.total += (now.1 - now.0) - (before.1 - before.0);
        self.now[number] = now;
        let place = &mut self.met[number * (self.plies + 1) + self.ply];
        if *place == NONE {
            self.next.push((row, number));
        }
        *place = now;
        (self.total <= self.most || self.rows.len() <= self.most_rows).then_some(())
    }

    /// The number of a row that is met for the first time.
    fn meet_first(&mut self, row: usize) -> Option<usize> {
        self.rows.push(row);
        self.numbers[row] = u32::try_from(self.rows.len()).ok()?;
        self.now.push(NONE);
        self.met.resize(self.met.len() + self.plies + 1, NONE);
        Some(self.rows.len() - 1)
    }

    /// The numbers of the rows that are met, what is met of each after so many plies or fewer, and these rows.
    pub(super) fn end(mut self) -> (Vec<u32>, Vec<Values>, Vec<usize>) {
        for of_row in self.met.chunks_mut(self.plies + 1) {
            let mut before = NONE;
            for values in of_row {
                if *values == NONE {
                    *values = before;
                }
                before = *values;
            }
        }
        (self.numbers, self.met, self.rows)
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
