//! Stretches with straight moves alone, filled way by way, without columns.

use super::fill::{Failed, Filler};
use super::kept::Kept;
use super::leads::advanced;
use super::parts::Part;
use super::sweep::{Read, any_last, take};
use crate::claims::Key;
use crate::faults::{Wrong, planted};
use crate::lang::Columns;

impl<K: Key, const OWN: bool, const DRAWS: bool> Filler<'_, K, OWN, DRAWS> {
    /// A stretch with straight moves alone, way by way; nothing, where it is not seen where one leads.
    pub(super) fn stretch_by_ways(&mut self, stretch: usize, columns: &mut Columns<'_>) -> Result<Option<()>, Failed> {
        self.leads.turn_to_ends(stretch, columns)?;
        let Some(over) = self.leads.rules.winner.same_for_all().map(K::over) else { return Ok(None) };
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        let leads = &self.leads;
        let mut ways = leads.rails.ways.iter().enumerate();
        let mut seen = ways.all(|(way, rail)| leads.parts(rail, &mut |part| parts.push((way, part))).is_some());
        for (way, part) in &parts {
            if let Part::Unseen(from, to) = part {
                seen = seen && self.leads.sees_over(columns, *way, (*from, *to))?;
            }
        }
        seen = seen && self.follow_parts(&parts, over).is_some();
        (self.by_ways, self.parts) = (seen, parts);
        Ok(seen.then_some(()))
    }

    /// The same, once it is known where each way leads; nothing, where one leads to what is not filled before.
    fn follow_parts(&mut self, parts: &[(usize, Part)], over: K) -> Option<()> {
        let Self { leads, keys, kept, .. } = self;
        let won = if over == K::LOST && leads.ended.is_empty() { won_at_once(parts) } else { (0, 0) };
        let (done, here) = keys.split_at_mut(self.start);
        let stretch = &mut here[leads.at..leads.at + leads.len];
        stretch.fill(K::NONE);
        let kept_of = |row: usize| match kept.get(row) {
            Some(kept) => *kept,
            None => Kept::but(leads.lines.rows()[row].start, (0, 0)),
        };
        self.same.clear();
        self.slow.clear();
        for (way, part) in parts {
            let rail = leads.rails.ways.get(*way)?;
            // where a move wins at once, nothing else counts
            let around = |from: usize, to: usize| [(from, to.min(won.0)), (from.max(won.1), to)];
            let around = |from, to| around(from, to).into_iter().filter(|(from, to)| from < to);
            match *part {
                Part::Over(from, to) | Part::Unseen(from, to) => {
                    for (from, to) in around(from, to) {
                        stretch[from..to].iter_mut().for_each(|best| *best = (*best).min(over));
                    }
                }
                Part::Before(first, last, row, place, step) => {
                    for (from, to) in around(first, last) {
                        let place = advanced(place, step, from - first);
                        take(&mut stretch[from..to], (done, kept_of(row), Self::won()), place, step, false);
                    }
                }
                Part::Same(from, to, place, step) => self.same.push((from, to, Read { place, step })),
                // where ways scatter, all keys are kept
                Part::Scattered(from, to) => {
                    for part in around(from, to) {
                        leads.each_scattered(rail, part, |place, at| {
                            stretch[place] = stretch[place].min(at.map_or(over, |index| done[index]));
                        })?;
                    }
                }
            }
        }
        stretch[won.0..won.1].fill(Self::won());
        self.end_by_ways(over, won);
        Some(())
    }

    /// The same, once the best of the options in other rows is there, and the others are listed, but for places from which
    /// a move wins at once.
    fn end_by_ways(&mut self, over: K, won: (usize, usize)) {
        // there is no option where nothing was found
        let stuck = if planted(Wrong::StuckIsNotOver) { K::NONE.back::<OWN, DRAWS>() } else { over };
        let (begin, len) = (self.start + self.leads.at, self.leads.len);
        let mut runs = std::mem::take(&mut self.runs);
        runs.clear();
        if self.leads.ended.is_empty() {
            runs.extend([(0, won.0), (won.1, len)]);
        } else {
            let ended = self.leads.ended.clone();
            self.write(&ended, over, begin);
            ended.not(len).stretches(|from, to| runs.push((from, to)));
        }
        if self.down {
            runs.reverse();
        }
        runs.iter().filter(|(from, to)| from < to).for_each(|(from, to)| self.run_in_order(*from, *to, stuck, &[]));
        self.runs = runs;
        if self.may_overflow {
            self.met_last |= any_last(&self.keys[begin..begin + len]);
        }
    }
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
