//! The class of one position, looking only so many plies ahead, whatever lies beyond.
//!
//! Positions are taken in layers by their exact distance, so that a loop is only a position in several layers. Backwards
//! from the last layer each has its class as far as the plies left decide it: `W(k)` needs at most 2k of them, `L(k)`
//! 2k + 1.

use crate::budget::{Limit, Share};
use crate::claims::{Layer, Region};
use crate::engine::memo::graph::index;
use crate::faults::{Wrong, planted};
use crate::game::Game;
use crate::lang::{Halt, Options};
use crate::position::Positions;
use crate::value::{Outcome, Ranked, Ranking};

/// Looks `plies` ahead.
///
/// # Errors
///
/// A rule error within the plies, the first in order of plies and moves, or a limit.
pub(super) fn region(game: &mut dyn Game, start: &[i64], plies: u32, share: &mut Share<'_>) -> Result<Region, Halt> {
    let held = share.bytes();
    let mut outcomes: Vec<Vec<Option<Outcome>>> = Vec::new();
    let mut layers: Vec<Layer> = Vec::new();
    let mut reached = Positions::new(game.width());
    reached.insert(start);
    let (mut position, mut found) = (Vec::new(), Options::default());
    let mut bytes = 0;
    for ply in 0..=plies {
        let mut next = Positions::new(game.width());
        let (mut ends, mut options, mut over) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..reached.len() {
            reached.read(u32::try_from(number).unwrap_or(u32::MAX), &mut position);
            over.push(game.look(&position, &mut found).map_err(|halt| halt.later(ply))?);
            if ply < plies {
                options.extend(found.iter().map(|(_, option)| next.insert(option).0));
                ends.push(options.len());
            }
            if number.is_multiple_of(1024) {
                let now = bytes + next.bytes_doubled() + 4 * options.capacity() + 16 * ends.capacity();
                share.resize(held + u64::try_from(now).unwrap_or(u64::MAX))?;
            }
            if next.len() > index(u32::MAX) / 2 {
                return Err(Limit::Size(u64::from(u32::MAX / 2)).into());
            }
        }
        bytes += reached.bytes() + 4 * options.capacity() + 16 * ends.capacity() + 8 * over.len() + 128;
        share.resize(held + u64::try_from(bytes).unwrap_or(u64::MAX))?;
        let finished = next.is_empty();
        layers.push(Layer { positions: std::mem::replace(&mut reached, next), ends, options, classes: Vec::new() });
        outcomes.push(over);
        if finished {
            break;
        }
    }
    let mut after: Vec<Ranked> = Vec::new();
    for (layer, over) in layers.iter_mut().zip(&outcomes).rev() {
        let decide = |(number, over): (usize, &Option<Outcome>)| match over {
            Some(outcome) => Ranked::new(*outcome, 0),
            None => class_of(layer, number, &after),
        };
        let classes: Vec<Ranked> = over.iter().enumerate().map(decide).collect();
        after.clone_from(&classes);
        layer.classes = classes;
    }
    Ok(Region { plies, layers })
}

fn class_of(layer: &Layer, number: usize, after: &[Ranked]) -> Ranked {
    // the last layer has no options: nothing is known there
    let Some(end) = layer.ends.get(number) else { return Ranked::DRAW };
    let start = if number == 0 { 0 } else { layer.ends[number - 1] };
    best(layer.options[start..*end].iter().map(|option| after[index(*option)]))
}

/// The class that options of these classes give, as far as they are known.
#[inline]
pub(super) fn best(options: impl Iterator<Item = Ranked>) -> Ranked {
    let (mut quickest, mut slowest, mut open) = (None, 0, false);
    for option in options {
        match option.get() {
            Some((Outcome::Loss, moves)) => {
                let moves = Ranking::OwnMoves.before_loss(moves);
                let pick = if planted(Wrong::SlowestWin) { u32::max } else { u32::min };
                quickest = Some(quickest.map_or(moves, |quickest: u32| pick(quickest, moves)));
            }
            Some((_, moves)) => slowest = slowest.max(Ranking::OwnMoves.before_win(moves)),
            None => open = true,
        }
    }
    match quickest {
        Some(moves) => Ranked::new(Outcome::Win, moves),
        None if open => Ranked::DRAW,
        None => Ranked::new(Outcome::Loss, slowest),
    }
}
