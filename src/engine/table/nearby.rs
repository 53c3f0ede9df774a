//! A table of what lies near the starts, where no bounds of all positions are found and the questions look but a few plies
//! ahead: play is taken to be over beyond what they look at.
//!
//! Of a position of which `r` plies are looked ahead the winner's own moves are told rightly as far as those decide
//! them. What is false stands more than `r` plies away, so that a win or a loss that rests on it takes the winner more
//! moves of his own than `r` plies decide; and on what does not rest on it nothing false is said.

use crate::faults::{Wrong, planted};
use crate::lang::tree::Rules;
use crate::lang::{Interval, over_beyond, within_plies};

/// From how many starts on a table is worth its while, beside a look round each.
pub(super) const STARTS: u64 = 32;

/// The game as far as questions look.
pub(super) struct Nearby {
    /// The rules of the game that ends beyond the bounds.
    pub(super) rules: Rules,
    /// The bounds of what is met from the starts, after no ply, after one or none, and so on.
    met: Vec<Vec<Interval>>,
}

impl Nearby {
    /// What starts within those bounds meet in so many plies; none, where these are more than `most` positions.
    pub(super) fn new(rules: &Rules, start: &[Interval], plies: u32, most: usize) -> Option<Self> {
        // a rule that fails a ply later may still spoil a question
        let met = within_plies(rules, start, plies.checked_add(1)?, u128::try_from(most).ok()?)?;
        let early = if planted(Wrong::NearbyOverTooEarly) { 2 } else { 0 };
        let rules = over_beyond(rules, met.iter().rev().nth(early)?);
        Some(Self { rules, met })
    }

    /// The bounds of all that is met.
    pub(super) fn bounds(&self) -> &[Interval] {
        self.met.last().map_or(&[], Vec::as_slice)
    }

    /// Whether so many plies are looked ahead from a position, and one more.
    pub(super) fn sees(&self, value: impl Fn(usize) -> i64, plies: u32) -> bool {
        let met = usize::try_from(plies).ok().and_then(|plies| self.met.iter().rev().nth(plies + 1));
        met.is_some_and(|met| met.iter().enumerate().all(|(at, bounds)| bounds.contains(value(at))))
    }
}
