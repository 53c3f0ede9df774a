//! Fills the table row by row, each position after its options.
//!
//! For a stretch of a row each move is one step of work: it leads to a stretch of a row that is filled already, which
//! is compared in bulk; or further along the same row, which is gone through in order; or it ends the game, which is
//! known for the whole stretch at once.

use super::by_ways::Look;
use super::cut::Cut;
use super::kept::Kept;
use super::leads::{Leads, Source, advanced};
use super::parts::Part;
use super::points::{Point, Seen};
use super::slow::{Slow, pass_slow};
use super::sweep::{Read, any_last, pass, pass_listed, take};
use crate::budget::{Limit, Share};
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

/// The keys of all positions; what is kept of each row, if that is to be `short` and something is left out. The memory
/// is taken first.
///
/// # Errors
///
/// See [`Failed`].
pub(super) fn fill<K: Key>(
    rules: &Rules,
    cut: &Cut,
    ranking: Ranking,
    short: bool,
    share: &mut Share<'_>,
) -> Result<(Vec<K>, Vec<Kept>), Failed> {
    // what lies beyond the horizon counts as drawn
    let draws = rules.winner.may_draw() || cut.horizon.is_some();
    match (is_own(ranking), draws) {
        (false, false) => Filler::<K, false, false>::fill(rules, cut, short, share),
        (false, true) => Filler::<K, false, true>::fill(rules, cut, short, share),
        (true, false) => Filler::<K, true, false>::fill(rules, cut, short, share),
        (true, true) => Filler::<K, true, true>::fill(rules, cut, short, share),
    }
}

/// For how many keys memory is taken at once, where it is not known how many there will be.
const PORTION: usize = 1 << 18;

pub(super) struct Filler<'a, K, const OWN: bool, const DRAWS: bool> {
    pub(super) down: bool,
    pub(super) leads: Leads<'a>,
    pub(super) keys: Vec<K>,
    /// What is kept of the rows before; none, where all is.
    pub(super) kept: Vec<Kept>,
    /// Where the keys of the present row begin, and the places of it from which a move wins at once, in one stretch.
    pub(super) start: usize,
    pub(super) gap: (usize, usize),
    /// From which place of the row on and before which more counts than whether a move wins at once: but a ply is looked
    /// ahead of the others, none of which is over for want of a move.
    pub(super) deep: (usize, usize),
    /// Whether rows are so short that they are filled position by position.
    pub(super) by_points: bool,
    /// Whether stretches are filled way by way.
    pub(super) by_ways: bool,
    /// Whether ranks may be too great, and whether the last that fits was met.
    pub(super) may_overflow: bool,
    pub(super) met_last: bool,
    /// The ways that lead anywhere from the row, where it is short.
    pub(super) seen: Vec<Seen>,
    /// Room for one stretch: the parts to which ways lead, the runs between places that are known already, and the options
    /// of a short run.
    pub(super) parts: Vec<(usize, Part)>,
    pub(super) runs: Vec<(usize, usize)>,
    pub(super) looks: Vec<Look>,
    /// Room for one run: where its pieces meet, and the options of a piece in the same row.
    pub(super) cuts: Vec<usize>,
    pub(super) reads: Vec<Read>,
    /// Options in the same row, each from a place of the stretch on and before another.
    pub(super) same: Vec<(usize, usize, Read)>,
    /// The same for those that follow at a fraction of the pace.
    pub(super) slow: Vec<(usize, usize, Slow)>,
}

impl<'a, K: Key, const OWN: bool, const DRAWS: bool> Filler<'a, K, OWN, DRAWS> {
    fn fill(rules: &'a Rules, cut: &'a Cut, short: bool, share: &mut Share<'_>) -> Result<(Vec<K>, Vec<Kept>), Failed> {
        let lines = &cut.lines;
        let leads = Leads::new(rules, cut);
        // elsewhere no move is known to win at once from a whole stretch
        let by_points = leads.is_for_points();
        let short =
            short && leads.alike == Some(Outcome::Loss) && cut.horizon.is_none() && cut.abreast == 1 && !by_points;
        let budget = share.budget();
        let held = share.bytes();
        let bytes = |keys: usize| held.saturating_add(u64::try_from(keys * size_of::<K>()).unwrap_or(u64::MAX));
        let rows = if short { lines.rows().len() } else { 0 };
        share.resize(bytes(if short { 0 } else { lines.len() }))?;
        let mut filler = Self {
            down: lines.inner().down,
            deep: (0, 0),
            by_points,
            by_ways: leads.is_straight(),
            leads,
            keys: if short { Vec::with_capacity(lines.len()) } else { vec![K::DRAW; lines.len()] },
            kept: vec![Kept::default(); rows],
            start: 0,
            gap: (0, 0),
            may_overflow: lines.len() > K::RANKS && !planted(Wrong::RanksTooGreat),
            met_last: false,
            seen: Vec::new(),
            parts: Vec::new(),
            runs: Vec::new(),
            looks: Vec::new(),
            cuts: Vec::new(),
            reads: Vec::new(),
            same: Vec::new(),
            slow: Vec::new(),
        };
        let mut sight = NoSight;
        let mut columns = Columns::new(rules, rules.slots, &mut sight);
        if cut.abreast > 1 {
            filler.fill_abreast(cut.abreast, budget)?;
            return Ok((filler.keys, filler.kept));
        }
        for number in cut.rows() {
            let row = lines.rows()[number];
            if row.is_empty() {
                continue;
            }
            budget.check()?;
            budget.looked_at(u64::try_from(row.start).unwrap_or(u64::MAX));
            let mut part = (0, row.len());
            filler.deep = part;
            if let Some(horizon) = &cut.horizon {
                part = horizon.filled(number, &row, 1);
                if !horizon.stuck {
                    let plies = if planted(Wrong::TwoPliesTakenForOne) { 3 } else { 2 };
                    filler.deep = horizon.filled(number, &row, plies);
                }
                let over = (horizon.stuck || cut.holes) && part != (0, row.len());
                if over && !planted(Wrong::StuckAtHorizonForgotten) {
                    filler.last_row(number, &mut columns)?;
                }
                if part.0 == part.1 {
                    continue;
                }
            }
            filler.leads.begin(number);
            filler.leads.keep_to(part);
            filler.start = row.start;
            if short {
                (filler.start, filler.gap) = (filler.keys.len(), (0, 0));
                if bytes(filler.start + row.len()) > share.bytes() {
                    share.resize(bytes(lines.len().min(filler.start + row.len() + PORTION)))?;
                }
                filler.keys.resize(filler.start + row.len(), K::NONE);
            }
            if filler.by_points {
                filler.by_points = filler.points(part).is_some();
                if filler.met_last {
                    return Err(Failed::Narrow);
                }
                if filler.by_points {
                    continue;
                }
            }
            for stretch in 0..filler.leads.stretches() {
                if !filler.by_ways || filler.stretch_by_ways(stretch, &mut columns)?.is_none() {
                    filler.leads.turn_to(stretch, &mut columns)?;
                    filler.stretch(&mut columns)?;
                }
                if filler.met_last {
                    return Err(Failed::Narrow);
                }
            }
            if short {
                filler.shorten(number);
            }
        }
        if short {
            share.resize(bytes(filler.keys.len()))?;
        }
        Ok((filler.keys, filler.kept))
    }

    /// The key where a move wins at once.
    pub(super) fn won() -> K {
        if planted(Wrong::WinsAndLossesSwapped) { K::LOST } else { K::LOST.back::<OWN, DRAWS>() }
    }

    /// Keeps no keys where a move wins at once; the row is the last one.
    fn shorten(&mut self, number: usize) {
        let (first, last) = self.gap;
        self.kept[number] = Kept::but(self.start, self.gap);
        self.keys.copy_within(self.start + last.., self.start + first);
        self.keys.truncate(self.keys.len() - (last - first));
    }

    /// Notes a stretch of the row where a move wins at once.
    pub(super) fn note_won(&mut self, from: usize, to: usize) {
        let (first, last) = self.gap;
        if from == last || to == first {
            self.gap = (first.min(from), last.max(to));
        } else if to - from > last - first {
            self.gap = (from, to);
        }
    }

    /// A row of which not all is looked ahead of: what is over in it is known all the same.
    fn last_row(&mut self, number: usize, columns: &mut Columns<'_>) -> Result<(), Failed> {
        self.leads.begin(number);
        for stretch in 0..self.leads.stretches() {
            let (over, outcome) = self.leads.turn_to_over(stretch, columns)?;
            self.write(&over, K::over(outcome), self.leads.row.start + self.leads.at);
        }
        Ok(())
    }

    /// A short row, position by position; nothing, where it is not seen where a way leads.
    fn points(&mut self, (from, to): (usize, usize)) -> Option<()> {
        let (leads, keys) = (&self.leads, &mut self.keys[..self.start + self.leads.row.len()]);
        let over = K::over(leads.rules.winner.same_for_all()?);
        // there is no move where nothing was found
        let stuck = if planted(Wrong::StuckIsNotOver) { K::NONE.back::<OWN, DRAWS>() } else { over };
        leads.see_ways(&mut self.seen);
        for step in 0..to - from {
            let place = if self.down { to - 1 - step } else { from + step };
            let value = leads.row.low + i64::try_from(place).ok()?;
            let mut best = K::NONE;
            for seen in &self.seen {
                best = best.min(match leads.point(seen, value)? {
                    Point::Shut => K::NONE,
                    Point::Over => over,
                    Point::At(index) => keys[index],
                });
            }
            keys[self.start + place] = if best == K::NONE { stuck } else { best.back::<OWN, DRAWS>() };
        }
        if self.may_overflow {
            self.met_last |= any_last(&keys[self.start + from..self.start + to]);
        }
        Some(())
    }

    fn stretch(&mut self, columns: &mut Columns<'_>) -> Result<(), Failed> {
        let (len, begin) = (self.leads.len, self.start + self.leads.at);
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
            self.write(&instant, Self::won(), begin);
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

    pub(super) fn write(&mut self, when: &Truth, key: K, begin: usize) {
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
        let (done, here) = keys.split_at_mut(self.start);
        let here = &mut here[..row.len()];
        let mut begun = false;
        for source in sources {
            match source {
                Source::Before { from: first, to: last, row, place, step } => {
                    let (first, last, skipped) = (*first.max(&from), *last.min(&to), from.saturating_sub(*first));
                    if first >= last || begun && planted(Wrong::SecondSourceLeftOut) {
                        continue;
                    }
                    let whole = first == from && last == to;
                    if !begun && !whole {
                        here[at + from..at + to].fill(K::NONE);
                    }
                    let whole_row = || Kept::but(leads.lines.rows()[*row].start, (0, 0));
                    let kept = self.kept.get(*row).copied().unwrap_or_else(whole_row);
                    let to = &mut here[at + first..at + last];
                    let place = advanced(*place, *step, skipped);
                    take(to, (done, kept, Self::won()), place, *step, !begun && whole);
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
                Source::Same { .. } | Source::Slow { .. } | Source::Listed(_) => {}
            }
        }
        if !begun {
            here[at + from..at + to].fill(K::NONE);
        }
        self.same.clear();
        self.slow.clear();
        let mut listed = Vec::new();
        let sources = std::mem::take(&mut self.leads.sources);
        for source in &sources {
            match source {
                Source::Same { from, to, place, step } => {
                    self.same.push((*from, *to, Read { place: *place, step: *step }));
                }
                Source::Slow { from, to, read } => self.slow.push((*from, *to, *read)),
                Source::Listed(slots) => listed.push(&slots[..]),
                Source::Before { .. } | Source::Over(..) => {}
            }
        }
        self.run_in_order(from, to, K::LOST, &listed);
        self.leads.sources = sources;
        if self.may_overflow {
            let begin = self.start + self.leads.at;
            self.met_last |= any_last(&self.keys[begin + from..begin + to]);
        }
    }

    /// Goes through places in order; the options in the same row change from piece to piece. Where no option was found it is
    /// `stuck`; not where some are listed.
    pub(super) fn run_in_order(&mut self, from: usize, to: usize, stuck: K, listed: &[&[u32]]) {
        let down = self.down;
        let whole = self.same.iter().all(|(begin, end, _)| *begin <= from && *end >= to);
        if whole && self.slow.is_empty() && listed.is_empty() {
            let first = if down { to - 1 } else { from };
            let mut reads = std::mem::take(&mut self.reads);
            reads.clear();
            reads.extend(self.same.iter().map(|(begin, _, Read { place, step })| {
                let place = advanced(*place, *step, first - begin);
                Read { place, step: if down { -*step } else { *step } }
            }));
            let row = &mut self.keys[self.start..self.start + self.leads.row.len()];
            pass::<K, OWN, DRAWS>(row, self.leads.at + first, to - from, (down, stuck), &mut reads);
            self.reads = reads;
            return;
        }
        let mut cuts = std::mem::take(&mut self.cuts);
        cuts.clear();
        cuts.extend([from, to]);
        let same = self.same.iter().map(|(first, last, _)| [*first, *last]);
        let slow = self.slow.iter().map(|(first, last, _)| [*first, *last]);
        cuts.extend(same.chain(slow).flatten().filter(|cut| (from..to).contains(cut)));
        cuts.sort_unstable();
        cuts.dedup();
        let mut reads = std::mem::take(&mut self.reads);
        let pieces = cuts.len() - 1;
        for piece in 0..pieces {
            let piece = if down != planted(Wrong::PiecesTheWrongWay) { pieces - 1 - piece } else { piece };
            let (from, to) = (cuts[piece], cuts[piece + 1]);
            let first = if down { to - 1 } else { from };
            reads.clear();
            for (begin, end, Read { place, step }) in &self.same {
                if *begin <= from && *end >= to {
                    let place = advanced(*place, *step, first - begin);
                    reads.push(Read { place, step: if down { -*step } else { *step } });
                }
            }
            let within = |(begin, end, slow): &(usize, usize, Slow)| {
                (*begin <= from && *end >= to).then(|| slow.advanced(from - begin))
            };
            let mut slow: Vec<Slow> = self.slow.iter().filter_map(within).collect();
            let (count, at) = (to - from, self.leads.at + first);
            let row = &mut self.keys[self.start..self.start + self.leads.row.len()];
            if listed.is_empty() && !slow.is_empty() {
                pass_slow::<K, OWN, DRAWS>(row, (at, count), &mut reads, &mut slow);
            } else if listed.is_empty() {
                pass::<K, OWN, DRAWS>(row, at, count, (down, stuck), &mut reads);
            } else {
                let places = (self.start, at, first);
                pass_listed::<K, OWN, DRAWS>(&mut self.keys, places, count, down, &mut reads, &mut slow, listed);
            }
        }
        (self.cuts, self.reads) = (cuts, reads);
    }
}
