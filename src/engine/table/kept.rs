//! What is kept of the keys of rows. In two piles a move wins at once from two thirds of all positions, mostly one
//! stretch of each row: there all keys are the same, and need not be kept where no certificate is made of them.

use crate::claims::{Key, Keys};
use crate::faults::{Wrong, planted};
use crate::position::Lines;
use crate::value::{Outcome, Ranked, Ranking};
use std::ops::Range;

/// Which keys of a row are kept, and where.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kept {
    /// Where they begin among all that are kept.
    start: usize,
    /// From which place of the row on none is kept, up to which: there a move wins at once.
    first: usize,
    last: usize,
}

impl Kept {
    /// Those of a row that begins there, but for the places from the first on and before the second.
    pub(super) const fn but(start: usize, (first, last): (usize, usize)) -> Self {
        Self { start, first, last }
    }

    /// The places of a row from one on and before another, as three pieces: some that are kept, so many that are not, and
    /// some that are kept again.
    pub(super) fn pieces(self, from: usize, to: usize) -> (Range<usize>, usize, Range<usize>) {
        let Self { start, first, last } = self;
        let begins = first - usize::from(planted(Wrong::GapBeginsEarly) && first > 0);
        let before = start + from.min(begins)..start + to.min(begins);
        let after = start + first + from.max(last) - last..start + first + to.max(last) - last;
        (before, to.min(last).saturating_sub(from.max(begins)), after)
    }

    /// Where the key of a place is, if all keys of the row are kept.
    pub(super) fn index_if_whole(self, place: usize) -> Option<usize> {
        (self.first == self.last).then_some(self.start + place)
    }

    /// The key at a place, where this is that of places from which a move wins at once.
    pub(super) fn key<K: Key>(self, kept: &[K], won: K, place: usize) -> K {
        let (before, _, after) = self.pieces(place, place + 1);
        kept[before].first().or_else(|| kept[after].first()).copied().unwrap_or(won)
    }
}

/// The keys of all rows.
pub(super) struct Rows {
    keys: Keys,
    /// What is kept of each row; none, where all is.
    kept: Vec<Kept>,
    ranking: Ranking,
}

impl Rows {
    pub(super) const fn new(keys: Keys, kept: Vec<Kept>, ranking: Ranking) -> Self {
        Self { keys, kept, ranking }
    }

    /// All keys by index, if all are kept.
    pub(super) fn whole(&self) -> Option<&Keys> {
        self.kept.is_empty().then_some(&self.keys)
    }

    /// How many bytes a key takes, and whether some are not kept.
    pub(super) fn layout(&self) -> (usize, bool) {
        (self.keys.width(), !self.kept.is_empty())
    }

    fn pieces(&self, lines: &Lines, row: usize, from: usize, to: usize) -> (Range<usize>, usize, Range<usize>) {
        let whole = || Kept::but(lines.rows().get(row).map_or(0, |row| row.start), (0, 0));
        self.kept.get(row).copied().unwrap_or_else(whole).pieces(from, to)
    }

    /// What a key is where a move wins at once.
    fn won(&self) -> Ranked {
        Ranked::new(Outcome::Win, self.ranking.before_loss(0))
    }

    /// What is known of a place on a row.
    pub(super) fn ranked(&self, lines: &Lines, row: usize, place: usize) -> Ranked {
        let (before, won, after) = self.pieces(lines, row, place, place + 1);
        if won > 0 { self.won() } else { self.keys.ranked(if before.is_empty() { after } else { before }.start) }
    }

    /// Appends the codes of a stretch of a row.
    pub(super) fn codes(&self, lines: &Lines, row: usize, (from, to): (usize, usize), codes: &mut Vec<u32>) {
        let (before, won, after) = self.pieces(lines, row, from, to);
        self.keys.codes(before.start, before.end, codes);
        codes.resize(codes.len() + won, self.won().0);
        self.keys.codes(after.start, after.end, codes);
    }

    /// How many of a stretch of a row are lost.
    pub(super) fn lost(&self, lines: &Lines, row: usize, (from, to): (usize, usize)) -> usize {
        let (before, _, after) = self.pieces(lines, row, from, to);
        self.keys.lost(before.start, before.end) + self.keys.lost(after.start, after.end)
    }

    /// The least and the greatest rank of a stretch of a row; none where there is a draw, or nothing.
    pub(super) fn extremes(&self, lines: &Lines, row: usize, (from, to): (usize, usize)) -> Option<(u32, u32)> {
        let (before, won, after) = self.pieces(lines, row, from, to);
        let mut both = (won > 0).then(|| (self.ranking.before_loss(0), self.ranking.before_loss(0)));
        for kept in [before, after].into_iter().filter(|kept| !kept.is_empty()) {
            let (least, greatest) = self.keys.extremes(kept.start, kept.end)?;
            both = Some(both.map_or((least, greatest), |both| (both.0.min(least), both.1.max(greatest))));
        }
        both
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Axis;

    /// Two rows of the same keys, once all kept and once but for a stretch, are read alike, whatever part is read.
    #[test]
    fn what_is_not_kept_is_read_as_if_it_were() {
        let axis = |coordinate| Axis { coordinate, down: false, low: 0, high: 9 };
        let mut lines = Lines::new(vec![Axis { high: 1, ..axis(0) }], axis(1));
        lines.push(0, 9);
        lines.push(2, 7);
        let key = |loss: bool, rank: i16| if loss { rank - 32_766 } else { 32_766 - rank };
        let won = key(false, 1);
        let first = [key(true, 0), won, won, won, key(true, 4), key(false, 3), won, key(true, 2), won];
        let second = [key(false, 5), key(true, 2), key(false, 7), won, won, won, won];
        let whole = Rows::new(Keys::Short([&first[..], &second].concat()), Vec::new(), Ranking::Remoteness);
        let kept = [&first[..1], &first[4..], &second[..3]].concat();
        let parts = vec![Kept::but(0, (1, 4)), Kept::but(6, (3, 7))];
        let short = Rows::new(Keys::Short(kept.clone()), parts.clone(), Ranking::Remoteness);
        assert!(whole.whole().is_some() && short.whole().is_none());
        assert_eq!((whole.layout(), short.layout()), ((2, false), (2, true)));
        for (row, keys) in [&first[..], &second].into_iter().enumerate() {
            for (from, to) in (0..=keys.len()).flat_map(|to| (0..=to).map(move |from| (from, to))) {
                let codes = |rows: &Rows| {
                    let mut codes = Vec::new();
                    rows.codes(&lines, row, (from, to), &mut codes);
                    codes
                };
                assert_eq!(codes(&whole), codes(&short), "{row} {from} {to}");
                assert_eq!(whole.lost(&lines, row, (from, to)), short.lost(&lines, row, (from, to)));
                assert_eq!(whole.extremes(&lines, row, (from, to)), short.extremes(&lines, row, (from, to)));
            }
            for (place, key) in keys.iter().enumerate() {
                assert_eq!(whole.ranked(&lines, row, place), short.ranked(&lines, row, place));
                assert_eq!(parts[row].key(&kept, won, place), *key);
            }
        }
    }
}
