//! The class of one position, looking only so many plies ahead, whatever lies beyond.
//!
//! All positions within the plies are looked at, breadth first; those at the rim, one ply further, are not. Retrograde
//! analysis of the region decides some. A class found is right if a forced end of that length lies within the plies:
//! `W(k)` needs 2k of them, `L(k)` 2k + 1. A greater class may be wrong, since a quicker way may lead through the rim,
//! and the caller does not ask for one.

use crate::budget::{Budget, Limit, Share};
use crate::engine::memo::graph::index;
use crate::engine::memo::values::retrograde_region;
use crate::game::Game;
use crate::lang::{Halt, Options};
use crate::position::Positions;
use crate::value::{Class, Outcome, Ranking};

/// What was found near a position.
pub(super) struct Region {
    /// The class, if it could be decided.
    pub(super) class: Option<Class>,
    /// How many positions were looked at.
    pub(super) visited: u64,
}

/// Looks `plies` ahead.
///
/// # Errors
///
/// A rule error within the plies, the first in order of plies and moves, or a limit.
pub(super) fn class(game: &mut dyn Game, start: &[i64], plies: u32, budget: &Budget) -> Result<Region, Halt> {
    let mut share = Share::new(budget);
    let mut positions = Positions::new(start.len());
    let mut found: Vec<(Option<Outcome>, Vec<u32>)> = Vec::new();
    let (mut position, mut options) = (Vec::new(), Options::default());
    positions.insert(start);
    let (mut at, mut ply, mut ply_end, mut edges) = (0, 0, 1, 0);
    while at < positions.len() {
        if at == ply_end {
            ply += 1;
            ply_end = positions.len();
        }
        if ply > plies {
            break;
        }
        positions.read(u32::try_from(at).unwrap_or(u32::MAX), &mut position);
        let over = game.look(&position, &mut options).map_err(|halt| halt.later(ply))?;
        let numbers: Vec<u32> = options.iter(start.len()).map(|(_, option)| positions.insert(option).0).collect();
        edges += numbers.len();
        found.push((over, numbers));
        at += 1;
        if at.is_multiple_of(1024) {
            let bytes = positions.bytes_doubled() + 8 * edges + 128 * found.len();
            share.resize(u64::try_from(bytes).unwrap_or(u64::MAX))?;
            if positions.len() > index(u32::MAX) / 2 {
                return Err(Limit::Size(u64::from(u32::MAX / 2)).into());
            }
        }
    }
    let members: Vec<u32> = (0..found.len()).map(|number| u32::try_from(number).unwrap_or(u32::MAX)).collect();
    let decided = retrograde_region(
        &members,
        Ranking::OwnMoves,
        |number| found[index(number)].1.iter().map(|option| (*option, None)).collect(),
        |number| found[index(number)].0,
    );
    let class = decided.get(&0).map(|(outcome, moves)| match outcome {
        Outcome::Win => Class::Win(*moves),
        _ => Class::Loss(*moves),
    });
    Ok(Region { class, visited: u64::try_from(found.len()).unwrap_or(u64::MAX) })
}
