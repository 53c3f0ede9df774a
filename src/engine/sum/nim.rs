//! Nim: a heap is its own Grundy value, so that nothing is listed; and Nim in which the last mover loses.
//!
//! Source: C. Bouton, "Nim, a game with a complete mathematical theory", 1901.

use super::{Summed, Values, WinningMoves};
use crate::claims::Parts;
use crate::faults::{Wrong, planted};
use crate::position::{Positions, Width};
use crate::value::Outcome;

/// The largest heap that is listed for a checker, which looks at every move of each.
const LISTED: u32 = 1200;

/// Heaps as their own values.
pub(super) struct HeapValues {
    most: u64,
    /// The heaps up to the largest met, with their values: for a checker.
    listed: Positions,
    values: Vec<u32>,
}

impl Default for HeapValues {
    fn default() -> Self {
        Self { most: 0, listed: Positions::new(Width::Fixed(1)), values: Vec::new() }
    }
}

impl Values for HeapValues {
    fn of(&mut self, component: &[i64]) -> Summed<Option<u64>> {
        let value = component.first().map(|heap| counters(*heap));
        self.most = self.most.max(value.unwrap_or(0));
        Ok(value)
    }

    fn claims(&mut self) -> Option<Parts<'_>> {
        let most = u32::try_from(self.most).ok().filter(|most| *most <= LISTED)?;
        for heap in u32::try_from(self.values.len()).unwrap_or(u32::MAX)..=most {
            self.listed.insert(&[i64::from(heap)]);
            self.values.push(heap);
        }
        // a heap is as deep as it has counters
        Some(Parts { positions: &self.listed, nimbers: &self.values, depths: &self.values })
    }

    fn visited(&self) -> u64 {
        0
    }
}

/// How many positions can be reached.
pub(super) fn positions(heaps: &[i64]) -> u64 {
    heaps.iter().fold(1, |product, heap| product.saturating_mul(counters(*heap).saturating_add(1)))
}

/// A heap that owes counters is empty.
fn counters(heap: i64) -> u64 {
    u64::try_from(heap).unwrap_or(0) & (u64::MAX >> (32 * u32::from(planted(Wrong::ValueOfLargeHeap))))
}

fn sum(heaps: &[i64]) -> u64 {
    let join = |a: u64, b: u64| if planted(Wrong::OrForNim) { a | b } else { a ^ b };
    heaps.iter().fold(0, |sum, heap| join(sum, counters(*heap)))
}

/// The outcome where the last mover loses: as in normal play, unless no heap has more than one counter; then an even
/// number of them is won.
pub(super) fn misere(heaps: &[i64]) -> Outcome {
    let won = if heaps.iter().all(|heap| *heap <= 1 + i64::from(planted(Wrong::MisereOfTwos))) {
        sum(heaps) == 0
    } else {
        sum(heaps) != 0
    };
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
        left.retain(|left| left < heap || left == heap && planted(Wrong::MoveThatTakesNothing));
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
