//! Nim: a heap is its own Grundy value, so that nothing is listed; and Nim in which the last mover loses.
//!
//! Source: C. Bouton, "Nim, a game with a complete mathematical theory", 1901.

use super::{Summed, Values, WinningMoves};
use crate::value::Outcome;

/// Heaps as their own values.
pub(super) struct HeapValues;

impl Values for HeapValues {
    fn of(&mut self, component: &[i64]) -> Summed<Option<u64>> {
        Ok(component.first().map(|heap| counters(*heap)))
    }

    fn visited(&self) -> u64 {
        0
    }
}

/// A heap that owes counters is empty.
fn counters(heap: i64) -> u64 {
    u64::try_from(heap).unwrap_or(0)
}

fn sum(heaps: &[i64]) -> u64 {
    heaps.iter().fold(0, |sum, heap| sum ^ counters(*heap))
}

/// The outcome where the last mover loses: as in normal play, unless no heap has more than one counter; then an even
/// number of them is won.
pub(super) fn misere(heaps: &[i64]) -> Outcome {
    let won = if heaps.iter().all(|heap| *heap <= 1) { sum(heaps) == 0 } else { sum(heaps) != 0 };
    if won { Outcome::Win } else { Outcome::Loss }
}

/// The winning moves in order, at most one or two a heap, and one that does not win, if there is one.
pub(super) fn winning_moves(heaps: &[i64], misere_play: bool) -> WinningMoves {
    let lost = |heaps: &[i64]| if misere_play { misere(heaps) == Outcome::Loss } else { sum(heaps) == 0 };
    let all = sum(heaps);
    let mut after = heaps.to_vec();
    let mut found = WinningMoves::default();
    for (at, heap) in heaps.iter().enumerate() {
        // what the rest leaves to be matched, and in misère play also the last heap or the last but one
        let matching = i64::try_from(all ^ counters(*heap)).unwrap_or(i64::MAX);
        let mut left = if misere_play { vec![matching, 1, 0] } else { vec![matching] };
        left.sort_unstable_by(|a, b| b.cmp(a));
        left.dedup();
        left.retain(|left| left < heap);
        let mut wins = 0;
        for left in &left {
            after[at] = *left;
            if lost(&after) {
                found.moves.push((0, after.clone()));
                wins += 1;
            }
        }
        after[at] = *heap;
        found.others |= counters(*heap) > wins;
    }
    found
}
