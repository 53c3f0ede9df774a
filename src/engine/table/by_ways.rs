//! Stretches with straight moves alone, as most are in exams, filled way by way, without columns.

use super::fill::{Failed, Filler};
use super::kept::Kept;
use super::leads::{Leads, advanced};
use super::parts::Part;
use super::sweep::{Read, any_last, take, take_few};
use crate::claims::Key;
use crate::faults::{Wrong, planted};
use crate::lang::Columns;

/// Runs no longer than this are filled place by place.
const SHORT: usize = 16;

/// An option in the same row, of so many places of a run from one on: its place, if it were one of the first place of the
/// run, and how much further it is for each next one.
#[derive(Clone, Copy)]
pub(super) struct Look {
    from: usize,
    count: usize,
    place: usize,
    step: isize,
}

impl<K: Key, const OWN: bool, const DRAWS: bool> Filler<'_, K, OWN, DRAWS> {
    /// A stretch with straight moves alone, way by way; nothing, where it is not seen where one leads.
    pub(super) fn stretch_by_ways(&mut self, stretch: usize, columns: &mut Columns<'_>) -> Result<Option<()>, Failed> {
        self.leads.turn_to_ends(stretch, columns)?;
        let Some(over) = self.leads.rules.winner.same_for_all().map(K::over) else { return Ok(None) };
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        let (leads, mut unseen) = (&self.leads, false);
        let mut ways = leads.rails.ways.iter().enumerate();
        let mut seen = ways.all(|(way, rail)| {
            let mut push = |part| {
                unseen |= matches!(part, Part::Unseen(..));
                parts.push((way, part));
            };
            leads.parts(rail, &mut push).is_some()
        });
        if unseen {
            for (way, part) in &parts {
                if let Part::Unseen(from, to) = part {
                    seen = seen && self.leads.sees_over(columns, *way, (*from, *to))?;
                }
            }
        }
        seen = seen && self.follow_parts(&parts, over).is_some();
        (self.by_ways, self.parts) = (seen, parts);
        Ok(seen.then_some(()))
    }

    /// The same, once it is known where each way leads; nothing, where one leads to what is not filled before.
    fn follow_parts(&mut self, parts: &[(usize, Part)], over: K) -> Option<()> {
        // there is no option where nothing was found
        let stuck = if planted(Wrong::StuckIsNotOver) { K::NONE.back::<OWN, DRAWS>() } else { over };
        let (at, len) = (self.leads.at, self.leads.len);
        if !self.leads.ended.is_empty() {
            return self.follow_between_ends(parts, (over, stuck));
        }
        // where a move wins at once, nothing else counts
        let won = if over == K::LOST { won_at_once(parts) } else { (0, 0) };
        let begin = self.start + at;
        if won.0 < won.1 {
            self.keys[begin + won.0..begin + won.1].fill(Self::won());
            self.note_won(at + won.0, at + won.1);
        }
        let mut deep = (0, len);
        if over == K::LOST && self.deep != (0, self.leads.row.len()) {
            deep = (self.deep.0.saturating_sub(at), self.deep.1.saturating_sub(at));
            for (_, part) in parts {
                if let Part::Over(from, to) | Part::Unseen(from, to) = *part {
                    self.keys[begin + from..begin + to].fill(Self::won());
                }
            }
        }
        let runs = if self.down { [(won.1, len), (0, won.0)] } else { [(0, won.0), (won.1, len)] };
        for (from, to) in runs.map(|(from, to)| (from.max(deep.0), to.min(deep.1))) {
            if from >= to {
                continue;
            }
            if to - from <= SHORT {
                self.run_in_turn((from, to), parts, (over, stuck))?;
            } else {
                self.take_parts((from, to), parts, over)?;
                self.run_in_order(from, to, stuck, &[]);
            }
            if self.may_overflow {
                self.met_last |= any_last(&self.keys[begin + from..begin + to]);
            }
        }
        Some(())
    }

    /// The same where the game is over within the stretch.
    fn follow_between_ends(&mut self, parts: &[(usize, Part)], (over, stuck): (K, K)) -> Option<()> {
        let (begin, len) = (self.start + self.leads.at, self.leads.len);
        self.take_parts((0, len), parts, over)?;
        let ended = self.leads.ended.clone();
        self.write(&ended, over, begin);
        let mut runs = std::mem::take(&mut self.runs);
        runs.clear();
        ended.not(len).stretches(|from, to| runs.push((from, to)));
        if self.down {
            runs.reverse();
        }
        runs.iter().for_each(|(from, to)| self.run_in_order(*from, *to, stuck, &[]));
        self.runs = runs;
        if self.may_overflow {
            self.met_last |= any_last(&self.keys[begin..begin + len]);
        }
        Some(())
    }

    /// Takes the best of the options of a run in other rows, and lists those in the same row; nothing, where one is not
    /// filled before.
    fn take_parts(&mut self, (from, to): (usize, usize), parts: &[(usize, Part)], over: K) -> Option<()> {
        let Self { leads, keys, kept, .. } = self;
        let (done, here) = keys.split_at_mut(self.start);
        let run = &mut here[leads.at + from..leads.at + to];
        self.same.clear();
        self.slow.clear();
        let mut begun = false;
        for (way, part) in parts {
            let (begin, end) = part.places();
            let (first, last) = (begin.max(from), end.min(to));
            if let Part::Same(begin, end, place, step) = *part {
                self.same.push((begin, end, Read { place, step }));
                continue;
            }
            if first >= last || begun && planted(Wrong::SecondSourceLeftOut) {
                continue;
            }
            let whole = (first, last) == (from, to) && matches!(part, Part::Before(..));
            if !begun && !whole {
                run.fill(K::NONE);
            }
            let best = &mut run[first - from..last - from];
            match *part {
                Part::Over(..) | Part::Unseen(..) => best.iter_mut().for_each(|best| *best = (*best).min(over)),
                Part::Before(_, _, row, place, step) => {
                    let place = advanced(place, step, first - begin);
                    take(best, (done, kept_of(kept, leads, row), Self::won()), place, step, !begun);
                }
                // where ways scatter, all keys are kept
                Part::Scattered(..) => {
                    let rail = leads.rails.ways.get(*way)?;
                    leads.each_scattered(rail, (first, last), |place, at| {
                        let best = &mut run[place - from];
                        *best = (*best).min(at.map_or(over, |index| done[index]));
                    })?;
                }
                Part::Same(..) => {}
            }
            begun = true;
        }
        if !begun {
            run.fill(K::NONE);
        }
        Some(())
    }

    /// Fills a short run in order, place by place; nothing, where an option is not filled before.
    fn run_in_turn(
        &mut self,
        (from, to): (usize, usize),
        parts: &[(usize, Part)],
        (over, stuck): (K, K),
    ) -> Option<()> {
        let Self { leads, keys, kept, looks, .. } = self;
        let (done, row) = keys.split_at_mut(self.start);
        let row = &mut row[..leads.row.len()];
        let begin = leads.at + from;
        row[begin..begin + to - from].fill(K::NONE);
        looks.clear();
        for (way, part) in parts {
            let (first, last) = part.places();
            let (begun, first, last) = (first, first.max(from), last.min(to));
            if first >= last {
                continue;
            }
            let best = &mut row[leads.at + first..leads.at + last];
            match *part {
                Part::Over(..) | Part::Unseen(..) => best.iter_mut().for_each(|best| *best = (*best).min(over)),
                Part::Before(_, _, number, place, step) => {
                    let place = advanced(place, step, first - begun);
                    take_few(best, (done, kept_of(kept, leads, number), Self::won()), place, step);
                }
                Part::Same(_, _, place, step) => {
                    let place = advanced(advanced(place, step, first - begun), -step, first - from);
                    looks.push(Look { from: first - from, count: last - first, place, step });
                }
                // where ways scatter, all keys are kept
                Part::Scattered(..) => {
                    let rail = leads.rails.ways.get(*way)?;
                    leads.each_scattered(rail, (first, last), |place, at| {
                        let best = &mut best[place - first];
                        *best = (*best).min(at.map_or(over, |index| done[index]));
                    })?;
                }
            }
        }
        for step in 0..to - from {
            let place = if self.down { to - from - 1 - step } else { step };
            let mut best = row[begin + place];
            for look in &*looks {
                if place.wrapping_sub(look.from) < look.count {
                    best = best.min(row[advanced(look.place, look.step, place)]);
                }
            }
            row[begin + place] = if best == K::NONE { stuck } else { best.back::<OWN, DRAWS>() };
        }
        Some(())
    }
}

/// What is kept of a row.
#[inline]
fn kept_of(kept: &[Kept], leads: &Leads<'_>, row: usize) -> Kept {
    kept.get(row).copied().unwrap_or_else(|| Kept::but(leads.lines.rows()[row].start, (0, 0)))
}

/// Places from which a move wins at once, in one stretch: where the game is over after it, and the last mover wins.
fn won_at_once(parts: &[(usize, Part)]) -> (usize, usize) {
    let (first, last) = parts.iter().fold((0, 0), |(first, last), (_, part)| match *part {
        Part::Over(from, to) | Part::Unseen(from, to) if last > 0 && from <= last && first <= to => {
            (first.min(from), last.max(to))
        }
        Part::Over(from, to) | Part::Unseen(from, to) if to - from > last - first => (from, to),
        _ => (first, last),
    });
    (first.saturating_sub(usize::from(planted(Wrong::WonOneEarlier))), last)
}
