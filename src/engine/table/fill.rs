//! Fills the table row by row, each position after its options.
//!
//! For a stretch of a row each move is one step of work: it leads to a stretch of a row that is filled already, which
//! is compared in bulk; or further along the same row, which is gone through in order; or it ends the game, which is
//! known for the whole stretch at once.

use super::at_once::AtOnce;
use super::cut::Cut;
use super::leads::{Leads, NOWHERE, Source, advanced};
use crate::budget::{Budget, Limit};
use crate::claims::{Key, is_own};
use crate::faults::{Wrong, planted};
use crate::lang::tree::Rules;
use crate::lang::{Columns, NoSight, Truth, Unfit};
use crate::value::{Outcome, Ranking};

/// Why a table was not filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    /// These rules are not for a table.
    Unfit,
    /// Ranks need wider keys.
    Narrow,
    /// A limit.
    Limit(Limit),
}

impl From<Unfit> for Failed {
    fn from(_: Unfit) -> Self {
        Self::Unfit
    }
}

impl From<Limit> for Failed {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// The keys of all positions.
///
/// # Errors
///
/// See [`Failed`].
pub(super) fn fill<K: Key>(rules: &Rules, cut: &Cut, ranking: Ranking, budget: &Budget) -> Result<Vec<K>, Failed> {
    // what lies beyond the horizon counts as drawn
    let draws = rules.winner.may_draw() || cut.horizon.is_some();
    match (is_own(ranking), draws) {
        (false, false) => Filler::<K, false, false>::fill(rules, cut, budget),
        (false, true) => Filler::<K, false, true>::fill(rules, cut, budget),
        (true, false) => Filler::<K, true, false>::fill(rules, cut, budget),
        (true, true) => Filler::<K, true, true>::fill(rules, cut, budget),
    }
}

struct Filler<'a, K, const OWN: bool, const DRAWS: bool> {
    down: bool,
    leads: Leads<'a>,
    keys: Vec<K>,
    /// Whether ranks may be too great, and whether the last that fits was met.
    may_overflow: bool,
    met_last: bool,
    /// Room for one run: where its pieces meet, and the options of a piece in the same row.
    cuts: Vec<usize>,
    reads: Vec<Read>,
}

impl<'a, K: Key, const OWN: bool, const DRAWS: bool> Filler<'a, K, OWN, DRAWS> {
    fn fill(rules: &'a Rules, cut: &'a Cut, budget: &Budget) -> Result<Vec<K>, Failed> {
        let lines = &cut.lines;
        let leads = Leads::new(rules, cut);
        let mut filler = Self {
            down: lines.inner().down,
            leads,
            keys: vec![K::DRAW; lines.len()],
            may_overflow: lines.len() > K::RANKS && !planted(Wrong::RanksTooGreat),
            met_last: false,
            cuts: Vec::new(),
            reads: Vec::new(),
        };
        let mut sight = NoSight;
        let mut columns = Columns::new(rules, rules.slots, &mut sight);
        for number in cut.rows() {
            let row = lines.rows()[number];
            if row.is_empty() {
                continue;
            }
            budget.check()?;
            budget.looked_at(u64::try_from(row.start).unwrap_or(u64::MAX));
            if let Some(horizon) = cut.horizon.as_ref().filter(|horizon| !horizon.sees(number, 1)) {
                if horizon.stuck && !planted(Wrong::StuckAtHorizonForgotten) {
                    filler.last_row(number)?;
                }
                continue;
            }
            filler.leads.begin(number);
            for stretch in 0..filler.leads.stretches() {
                if let Some(found) = filler.leads.turn_at_once(stretch) {
                    filler.stretch_at_once(&found);
                } else {
                    filler.leads.turn_to(stretch, &mut columns)?;
                    filler.stretch(&mut columns)?;
                }
                if filler.met_last {
                    return Err(Failed::Narrow);
                }
            }
        }
        Ok(filler.keys)
    }

    /// A row from which nothing is looked ahead: only what is over for want of a move is known.
    fn last_row(&mut self, number: usize) -> Result<(), Failed> {
        self.leads.begin(number);
        for stretch in 0..self.leads.stretches() {
            let (stuck, outcome) = self.leads.turn_to_stuck(stretch)?;
            self.write(&stuck, K::over(outcome), self.leads.row.start + self.leads.at);
        }
        Ok(())
    }

    /// A stretch of which all is known at once.
    fn stretch_at_once(&mut self, found: &AtOnce) {
        let len = self.leads.len;
        let begin = self.leads.row.start + self.leads.at;
        let here = &mut self.keys[begin..begin + len];
        let ((from, to), (first, last)) = (found.covered, found.instant);
        if !planted(Wrong::StuckIsNotOver) {
            here[..from].fill(K::over(found.outcome));
            here[to..].fill(K::over(found.outcome));
        }
        if first >= last {
            return self.run(from, to);
        }
        // where a move wins at once, nothing else counts
        let won = if planted(Wrong::WinsAndLossesSwapped) { K::LOST } else { K::LOST.back::<OWN, DRAWS>() };
        here[first..last].fill(won);
        let parts = [(from, first), (last, to)];
        let parts = if self.down { [parts[1], parts[0]] } else { parts };
        parts.into_iter().for_each(|(from, to)| self.run(from, to));
    }

    fn stretch(&mut self, columns: &mut Columns<'_>) -> Result<(), Failed> {
        let (len, begin) = (self.leads.len, self.leads.row.start + self.leads.at);
        let mut open = self.leads.alive().and(&self.leads.covered);
        if !open.is_all(len) {
            for when in [self.leads.ended.clone(), self.leads.stuck()] {
                if !when.is_empty() && !planted(Wrong::StuckIsNotOver) {
                    for (when, outcome) in self.leads.outcomes(&when, columns)? {
                        self.write(&when, K::over(outcome), begin);
                    }
                }
            }
        }
        // where a move wins at once, nothing else counts
        let instant = self.leads.instant.clone();
        if !instant.is_empty() {
            let key = if planted(Wrong::WinsAndLossesSwapped) { K::LOST } else { K::LOST.back::<OWN, DRAWS>() };
            self.write(&instant, key, begin);
            open = open.and(&instant.not(len));
        }
        match open {
            Truth::Span(from, to) => self.run(from, to),
            Truth::Mask(_) => {
                let mut runs = Vec::new();
                open.stretches(|from, to| runs.push((from, to)));
                if self.down {
                    runs.reverse();
                }
                runs.into_iter().for_each(|(from, to)| self.run(from, to));
            }
        }
        Ok(())
    }

    fn write(&mut self, when: &Truth, key: K, begin: usize) {
        match when {
            Truth::Span(from, to) => self.keys[begin + from..begin + to].fill(key),
            Truth::Mask(mask) => {
                for (place, _) in mask.iter().enumerate().filter(|(_, holds)| **holds) {
                    self.keys[begin + place] = key;
                }
            }
        }
    }

    /// Fills places of the stretch that have options, none of which wins at once.
    fn run(&mut self, from: usize, to: usize) {
        if from >= to {
            return;
        }
        let Self { leads, keys, .. } = self;
        let (sources, row, at) = (&leads.sources, leads.row, leads.at);
        let (done, here) = keys.split_at_mut(row.start);
        let here = &mut here[..row.len()];
        let mut begun = false;
        for source in sources {
            match source {
                Source::Before { from: first, to: last, index, step } => {
                    let (first, last, skipped) = (*first.max(&from), *last.min(&to), from.saturating_sub(*first));
                    if first >= last || begun && planted(Wrong::SecondSourceLeftOut) {
                        continue;
                    }
                    let whole = first == from && last == to;
                    if !begun && !whole {
                        here[at + from..at + to].fill(K::NONE);
                    }
                    let index = advanced(*index, *step, skipped);
                    take(&mut here[at + first..at + last], done, index, *step, !begun && whole);
                    begun = true;
                }
                Source::Over(_, Outcome::Loss) => {}
                Source::Over(when, outcome) => {
                    let key = K::over(*outcome);
                    let part = &mut here[at + from..at + to];
                    if !begun {
                        part.fill(K::NONE);
                        begun = true;
                    }
                    for (place, best) in part.iter_mut().enumerate() {
                        if when.at(from + place) {
                            *best = (*best).min(key);
                        }
                    }
                }
                Source::Same { .. } | Source::Listed(_) => {}
            }
        }
        if !begun {
            here[at + from..at + to].fill(K::NONE);
        }
        if sources.iter().any(|source| matches!(source, Source::Listed(_))) {
            self.run_listed(from, to);
        } else {
            self.run_in_order(from, to);
        }
        if self.may_overflow {
            let begin = self.leads.row.start + self.leads.at;
            self.met_last |= any_last(&self.keys[begin + from..begin + to]);
        }
    }

    /// Goes through places in order; the options in the same row change from piece to piece.
    fn run_in_order(&mut self, from: usize, to: usize) {
        let down = self.down;
        let mut cuts = std::mem::take(&mut self.cuts);
        cuts.clear();
        cuts.extend([from, to]);
        for source in &self.leads.sources {
            if let Source::Same { from: first, to: last, .. } = source {
                cuts.extend([*first, *last].into_iter().filter(|cut| (from..to).contains(cut)));
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        let mut reads = std::mem::take(&mut self.reads);
        let pieces = cuts.len() - 1;
        for piece in 0..pieces {
            let piece = if down != planted(Wrong::PiecesTheWrongWay) { pieces - 1 - piece } else { piece };
            let (from, to) = (cuts[piece], cuts[piece + 1]);
            let first = if down { to - 1 } else { from };
            reads.clear();
            for source in &self.leads.sources {
                if let Source::Same { from: begin, to: end, place, step } = source
                    && *begin <= from
                    && *end >= to
                {
                    let place = advanced(*place, *step, first - begin);
                    reads.push(Read { place, step: if down { -*step } else { *step } });
                }
            }
            let row = &mut self.keys[self.leads.row.start..self.leads.row.start + self.leads.row.len()];
            pass::<K, OWN, DRAWS>(row, self.leads.at + first, to - from, down, &mut reads);
        }
        (self.cuts, self.reads) = (cuts, reads);
    }

    /// The same, place by place, where options are listed.
    fn run_listed(&mut self, from: usize, to: usize) {
        let down = self.down;
        let start = self.leads.row.start;
        for step in 0..to - from {
            let place = if down { to - 1 - step } else { from + step };
            let here = start + self.leads.at + place;
            let mut best = self.keys[here];
            for source in &self.leads.sources {
                let index = match source {
                    Source::Same { from, to, place: at, step } if (*from..*to).contains(&place) => {
                        start + advanced(*at, *step, place - from)
                    }
                    Source::Listed(slots) if slots[place] != NOWHERE => {
                        usize::try_from(slots[place]).unwrap_or(usize::MAX)
                    }
                    _ => continue,
                };
                best = best.min(self.keys[index]);
            }
            self.keys[here] = best.back::<OWN, DRAWS>();
        }
    }
}

/// Whether some rank is the last that fits; all are looked at, which goes in bulk.
fn any_last<K: Key>(keys: &[K]) -> bool {
    keys.iter().fold(K::LOST, |greatest, key| greatest.max(key.rank_if_any())).is_last()
}

/// Takes the better of what is there and of the options in rows filled before; the first time there is nothing yet.
fn take<K: Key>(to: &mut [K], done: &[K], index: usize, step: isize, first: bool) {
    match step {
        1 => {
            let from = &done[index..index + to.len()];
            if first {
                to.copy_from_slice(from);
            } else {
                let pick = if planted(Wrong::WorstOptionTaken) { K::max } else { K::min };
                to.iter_mut().zip(from).for_each(|(best, option)| *best = pick(*best, *option));
            }
        }
        0 => {
            let option = done[index];
            to.iter_mut().for_each(|best| *best = if first { option } else { (*best).min(option) });
        }
        _ => {
            let mut index = index;
            for best in to {
                let option = done[index];
                *best = if first { option } else { (*best).min(option) };
                index = index.wrapping_add_signed(step);
            }
        }
    }
}

/// An option in the same row: where it is for the first place, and how much further it is for each next one.
#[derive(Clone, Copy)]
struct Read {
    place: usize,
    step: isize,
}

/// Fills a piece of a row in order. An option right beside the place was worked out last and is carried along.
fn pass<K: Key, const OWN: bool, const DRAWS: bool>(
    row: &mut [K],
    first: usize,
    count: usize,
    down: bool,
    reads: &mut Vec<Read>,
) {
    let stride = if down { -1 } else { 1 };
    let beside = first.wrapping_add_signed(-stride);
    let carried = reads.iter().position(|read| read.place == beside && read.step == stride);
    if let Some(carried) = carried {
        reads.swap_remove(carried);
        let last = if planted(Wrong::NothingCarried) { K::NONE } else { row[beside] };
        match reads[..] {
            [] => piece::<K, OWN, DRAWS, true, 0>(row, first, count, stride, last, []),
            [a] => piece::<K, OWN, DRAWS, true, 1>(row, first, count, stride, last, [a]),
            [a, b] => piece::<K, OWN, DRAWS, true, 2>(row, first, count, stride, last, [a, b]),
            [a, b, c] => piece::<K, OWN, DRAWS, true, 3>(row, first, count, stride, last, [a, b, c]),
            _ => many::<K, OWN, DRAWS>(row, first, count, stride, last, reads),
        }
    } else {
        match reads[..] {
            [] => {
                let begin = if down { first + 1 - count } else { first };
                row[begin..begin + count].iter_mut().for_each(|best| *best = best.back::<OWN, DRAWS>());
            }
            [a] => piece::<K, OWN, DRAWS, false, 1>(row, first, count, stride, K::NONE, [a]),
            [a, b] => piece::<K, OWN, DRAWS, false, 2>(row, first, count, stride, K::NONE, [a, b]),
            [a, b, c] => piece::<K, OWN, DRAWS, false, 3>(row, first, count, stride, K::NONE, [a, b, c]),
            _ => many::<K, OWN, DRAWS>(row, first, count, stride, K::NONE, reads),
        }
    }
}

#[inline(always)]
fn piece<K: Key, const OWN: bool, const DRAWS: bool, const CARRY: bool, const N: usize>(
    row: &mut [K],
    first: usize,
    count: usize,
    stride: isize,
    mut last: K,
    mut reads: [Read; N],
) {
    let mut place = first;
    for _ in 0..count {
        let mut best = row[place];
        for read in &mut reads {
            best = best.min(row[read.place]);
            read.place = read.place.wrapping_add_signed(read.step);
        }
        if CARRY {
            best = best.min(last);
        }
        last = best.back::<OWN, DRAWS>();
        row[place] = last;
        place = place.wrapping_add_signed(stride);
    }
}

fn many<K: Key, const OWN: bool, const DRAWS: bool>(
    row: &mut [K],
    first: usize,
    count: usize,
    stride: isize,
    mut last: K,
    reads: &mut [Read],
) {
    let carry = last != K::NONE;
    let mut place = first;
    for _ in 0..count {
        let mut best = row[place];
        for read in &mut *reads {
            best = best.min(row[read.place]);
            read.place = read.place.wrapping_add_signed(read.step);
        }
        if carry {
            best = best.min(last);
        }
        last = best.back::<OWN, DRAWS>();
        row[place] = last;
        place = place.wrapping_add_signed(stride);
    }
}
