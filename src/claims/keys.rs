//! Outcome and rank in one small number, so that the best option is the least.

use crate::faults::{Wrong, planted};
use crate::value::{Outcome, Ranked, Ranking};

/// A win is so far above 0 as it is below the most ranks, a loss so far below 0, a draw is 0. The player to move takes
/// the least among the options: the quickest loss for the opponent, else a draw, else the slowest win.
pub(crate) trait Key: Copy + Ord + Send + Sync {
    /// More than any key: there is no option yet.
    const NONE: Self;
    /// A terminal position that is lost for the player to move.
    const LOST: Self;
    /// A draw.
    const DRAW: Self;
    /// How many ranks fit; one more would be taken for a draw.
    const RANKS: usize;

    /// A terminal position.
    fn over(outcome: Outcome) -> Self;

    /// The key of a position from the least among its options. `OWN`: moves of the loser count nothing. `DRAWS`: there
    /// may be draws.
    fn back<const OWN: bool, const DRAWS: bool>(self) -> Self;

    /// The same from the lesser of two, where all waits for the second: few steps follow upon it.
    fn back_with<const OWN: bool, const DRAWS: bool>(self, awaited: Self) -> Self;

    /// Whether the rank is the last that fits, so that one more may be amiss.
    fn is_last(self) -> bool;

    /// Whether it is a loss.
    fn is_lost(self) -> bool;

    /// The key of a loss of the same rank; that of a draw stays.
    fn rank(self) -> Self;

    /// The same, but a draw counts as a loss at once.
    fn rank_if_any(self) -> Self;

    /// The same as checkers read it.
    fn ranked(self) -> Ranked;
}

/// Keys of one width each.
macro_rules! key {
    ($int:ty, $ranks:literal) => {
        impl Key for $int {
            const NONE: Self = <$int>::MAX;
            const LOST: Self = 1 - <$int>::MAX;
            const DRAW: Self = 0;
            const RANKS: usize = $ranks;

            fn over(outcome: Outcome) -> Self {
                match outcome {
                    Outcome::Loss => Self::LOST,
                    Outcome::Draw => 0,
                    Outcome::Win => -Self::LOST,
                }
            }

            #[inline(always)]
            fn back<const OWN: bool, const DRAWS: bool>(self) -> Self {
                // -1 for a loss, else 0
                let lost = if planted(Wrong::LoserCounts) { self.signum() } else { self >> (Self::BITS - 1) };
                let step = if planted(Wrong::RankNotCounted) {
                    0
                } else if OWN {
                    lost
                } else if DRAWS {
                    self.signum()
                } else {
                    lost | 1
                };
                step.wrapping_sub(self)
            }

            #[inline(always)]
            fn back_with<const OWN: bool, const DRAWS: bool>(self, awaited: Self) -> Self {
                if planted(Wrong::LoserCounts) || planted(Wrong::RankNotCounted) {
                    return self.min(awaited).back::<OWN, DRAWS>();
                }
                let step = <$int>::from(!OWN && (!DRAWS || awaited != 0));
                let back = if awaited < 0 { !awaited } else { step.wrapping_sub(awaited) };
                if self <= awaited { self.back::<OWN, DRAWS>() } else { back }
            }

            #[inline(always)]
            fn is_last(self) -> bool {
                self == 1 || self == -1
            }

            #[inline(always)]
            fn is_lost(self) -> bool {
                self < Self::from(planted(Wrong::DrawIsLost))
            }

            #[inline(always)]
            fn rank(self) -> Self {
                self.min(self.wrapping_neg())
            }

            #[inline(always)]
            fn rank_if_any(self) -> Self {
                if self == 0 { Self::LOST } else { self.rank() }
            }

            #[inline(always)]
            fn ranked(self) -> Ranked {
                let rank = u32::from((-Self::LOST).abs_diff(self.wrapping_abs()));
                match self.signum() {
                    0 => Ranked::DRAW,
                    1 => Ranked(2 + 2 * rank),
                    _ => Ranked(1 + 2 * rank),
                }
            }
        }
    };
}

key!(i16, 32_766);
key!(i32, 2_147_483_646);

/// Outcome and rank of many positions, by index.
#[derive(Clone, Debug)]
pub enum Keys {
    /// Two bytes each: a win is 32,766 less its rank, a loss the same below 0, a draw is 0.
    Short(Vec<i16>),
    /// Four bytes each, where ranks need it, in the same way.
    Long(Vec<i32>),
    /// As they stand in a certificate.
    Plain(Vec<Ranked>),
}

impl Keys {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Short(keys) => keys.len(),
            Self::Long(keys) => keys.len(),
            Self::Plain(keys) => keys.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is known of the position of an index.
    #[must_use]
    pub fn ranked(&self, index: usize) -> Ranked {
        match self {
            Self::Short(keys) => keys[index].ranked(),
            Self::Long(keys) => keys[index].ranked(),
            Self::Plain(keys) => keys[index],
        }
    }

    /// Appends the codes of a stretch.
    pub(crate) fn codes(&self, from: usize, to: usize, codes: &mut Vec<u32>) {
        match self {
            Self::Short(keys) => codes.extend(keys[from..to].iter().map(|key| key.ranked().0)),
            Self::Long(keys) => codes.extend(keys[from..to].iter().map(|key| key.ranked().0)),
            Self::Plain(keys) => codes.extend(keys[from..to].iter().map(|key| key.0)),
        }
    }

    /// How many of a stretch are lost.
    pub(crate) fn lost(&self, from: usize, to: usize) -> usize {
        match self {
            Self::Short(keys) => lost(&keys[from..to]),
            Self::Long(keys) => lost(&keys[from..to]),
            Self::Plain(keys) => keys[from..to].iter().filter(|key| key.0 & 1 == 1).count(),
        }
    }

    /// The least and the greatest rank of a stretch; none where there is a draw, or nothing.
    pub(crate) fn extremes(&self, from: usize, to: usize) -> Option<(u32, u32)> {
        match self {
            Self::Short(keys) => extremes(&keys[from..to]),
            Self::Long(keys) => extremes(&keys[from..to]),
            Self::Plain(_) => None,
        }
    }

    /// How many bytes each takes.
    #[must_use]
    pub const fn width(&self) -> usize {
        match self {
            Self::Short(_) => 2,
            Self::Long(_) | Self::Plain(_) => 4,
        }
    }
}

/// How many keys are those of losses.
fn lost<K: Key>(keys: &[K]) -> usize {
    // counted in short stretches, so that each count fits a byte
    keys.chunks(255).map(|some| usize::from(some.iter().map(|key| u8::from(key.is_lost())).sum::<u8>())).sum()
}

/// The least and the greatest rank; none where there is a draw.
fn extremes<K: Key>(keys: &[K]) -> Option<(u32, u32)> {
    let (mut least, mut greatest) = (K::NONE, K::LOST);
    for key in keys {
        let rank = key.rank();
        (least, greatest) = (least.min(rank), greatest.max(rank));
    }
    // the rank of a draw would be the greatest of all
    let of = |rank: K| rank.ranked().get().map(|(_, rank)| rank);
    let first = if planted(Wrong::ExtremesSwapped) { greatest } else { least };
    (least <= greatest).then(|| Some((of(first)?, of(greatest)?))).flatten()
}

/// Whether moves of the loser count nothing.
pub(crate) const fn is_own(ranking: Ranking) -> bool {
    matches!(ranking, Ranking::OwnMoves)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of the least option is that of the definition, for all ranks that fit and both ways of counting.
    #[test]
    fn keys_go_back_as_ranks_do() {
        for rank in [0, 1, 2, 77, 32_000, 32_764] {
            for ranking in [Ranking::Remoteness, Ranking::OwnMoves] {
                for draws in [false, true] {
                    let step = |key: i16| match (is_own(ranking), draws) {
                        (false, false) => key.back::<false, false>(),
                        (false, true) => key.back::<false, true>(),
                        (true, false) => key.back::<true, false>(),
                        (true, true) => key.back::<true, true>(),
                    };
                    let won = 32_766 - i16::try_from(rank).unwrap_or(0);
                    assert_eq!((-won).ranked(), Ranked::new(Outcome::Loss, rank));
                    assert_eq!(won.ranked(), Ranked::new(Outcome::Win, rank));
                    assert_eq!(step(-won).ranked(), Ranked::new(Outcome::Win, ranking.before_loss(rank)));
                    assert_eq!(step(won).ranked(), Ranked::new(Outcome::Loss, ranking.before_win(rank)));
                    assert_eq!((-won).rank(), won.rank());
                }
            }
        }
        let draw = i16::over(Outcome::Draw);
        assert_eq!(
            (draw.back::<false, true>().ranked(), draw.back::<true, true>().ranked()),
            (Ranked::DRAW, Ranked::DRAW)
        );
        assert!(
            i16::over(Outcome::Loss) < draw && draw < i16::over(Outcome::Win) && i16::over(Outcome::Win) < i16::NONE
        );
        assert_eq!(i16::RANKS, usize::from(i16::LOST.unsigned_abs()));
    }

    /// Of two keys, whichever is awaited, the lesser goes back.
    #[test]
    fn the_lesser_of_two_goes_back() {
        fn same<const OWN: bool, const DRAWS: bool>(a: i16, b: i16) {
            assert_eq!(a.back_with::<OWN, DRAWS>(b), a.min(b).back::<OWN, DRAWS>(), "{a}, {b}, {OWN}, {DRAWS}");
        }
        let keys = [i16::LOST, -32_765, -7, -1, 0, 1, 7, 32_765, -i16::LOST, i16::NONE];
        for (a, b) in keys.iter().flat_map(|a| keys.map(|b| (*a, b))) {
            same::<false, true>(a, b);
            same::<true, true>(a, b);
            if a != 0 && b != 0 {
                same::<false, false>(a, b);
                same::<true, false>(a, b);
            }
        }
    }

    /// Of each stretch, whatever holds the keys: how many are lost, and the least and the greatest rank.
    #[test]
    fn stretches_are_those_of_the_ranks() {
        // a key is its rank's distance from the end of its range, negative where it is lost
        let codes: Vec<i16> = (1..=300).map(|at| if at % 3 == 0 { 32_766 - at } else { at - 32_766 }).collect();
        let longer = |code: i16| (i32::MAX - 32_767 + i32::from(code.abs())) * i32::from(code.signum());
        let all = [
            Keys::Short(codes.clone()),
            Keys::Long(codes.iter().map(|code| longer(*code)).collect()),
            Keys::Plain(codes.iter().map(|code| code.ranked()).collect()),
        ];
        for keys in &all {
            assert_eq!((keys.len(), keys.is_empty()), (300, false));
            assert_eq!(keys.width(), if matches!(keys, Keys::Short(_)) { 2 } else { 4 });
            for (from, to) in [(0, 300), (0, 256), (5, 6), (5, 8), (7, 7), (290, 300)] {
                let ranks: Vec<(Outcome, u32)> = (from..to).filter_map(|at| keys.ranked(at).get()).collect();
                let lost = ranks.iter().filter(|(outcome, _)| *outcome == Outcome::Loss).count();
                assert_eq!(keys.lost(from, to), lost, "{from}..{to}");
                let ranks = || ranks.iter().map(|(_, rank)| *rank);
                let known = if matches!(keys, Keys::Plain(_)) { None } else { ranks().min().zip(ranks().max()) };
                assert_eq!(keys.extremes(from, to), known, "{from}..{to}");
            }
        }
        assert!(Keys::Plain(Vec::new()).is_empty());
        assert_eq!(Keys::Short(vec![i16::over(Outcome::Draw), -32_766]).extremes(0, 2), None);
    }
}
