//! Rings round one position: the positions 0, 1, 2, … moves away, each once, as far as the nearest goal or to the end.
//!
//! Breadth-first search keeps no options, so that it goes where a closed graph has no room, and it stops at the goal, so
//! that a puzzle needs no bound. Source: E. Moore, "The shortest path through a maze", 1959.

use crate::faults::{Wrong, planted};
use dashu_int::UBig;

use super::graph::index;
use crate::budget::{Limit, Share};
use crate::claims::Reach;
use crate::game::Game;
use crate::lang::{Halt, Options};
use crate::position::Positions;

/// The rings round a position.
pub(super) struct Rings {
    positions: Positions,
    /// Where each ring ends; it begins where the one before ends.
    ends: Vec<usize>,
    reach: Reach,
    /// For each position whether it is on a shortest way to a goal; empty until that is asked.
    on_way: Vec<bool>,
    solutions: Option<UBig>,
}

impl Rings {
    /// Searches from `start`: to the nearest goal, or through everything.
    ///
    /// # Errors
    ///
    /// A rule error, the first in order of plies and moves, or a limit.
    pub(super) fn search(
        game: &mut dyn Game,
        start: &[i64],
        to_goal: bool,
        share: &mut Share<'_>,
    ) -> Result<Self, Halt> {
        let held = share.bytes();
        let mut positions = Positions::new(game.width());
        positions.insert(start);
        let reach = if to_goal { Reach::NoGoal } else { Reach::Everything };
        let mut rings = Self { positions, ends: vec![1], reach, on_way: Vec::new(), solutions: None };
        let (mut position, mut found) = (Vec::new(), Options::default());
        let (mut from, mut ply) = (0, 0);
        loop {
            let end = rings.positions.len();
            if to_goal {
                for number in from..end {
                    rings.positions.read(small(number), &mut position);
                    if game.is_goal(&position).map_err(|halt| halt.later(ply))? {
                        rings.reach = Reach::Goal;
                    }
                }
                if rings.reach == Reach::Goal {
                    return Ok(rings);
                }
            }
            for number in from..end {
                rings.positions.read(small(number), &mut position);
                game.look(&position, &mut found).map_err(|halt| halt.later(ply))?;
                for (_, option) in found.iter().skip(usize::from(planted(Wrong::RingSkipsOption))) {
                    rings.positions.insert(option);
                }
                if number.is_multiple_of(256) {
                    rings.charge(held, share)?;
                }
            }
            if rings.positions.len() == end {
                return Ok(rings);
            }
            rings.ends.push(rings.positions.len());
            from = end;
            ply += 1;
        }
    }

    /// Takes memory beside what other rings hold.
    fn charge(&self, held: u64, share: &mut Share<'_>) -> Result<(), Limit> {
        if self.positions.len() > index(u32::MAX) / 2 {
            return Err(Limit::Size(u64::from(u32::MAX / 2)));
        }
        share.resize(held.saturating_add(u64::try_from(self.positions.bytes_doubled()).unwrap_or(u64::MAX)))
    }

    /// Whether they are round this position.
    pub(super) fn starts_at(&self, position: &[i64]) -> bool {
        self.positions.find(position) == Some(0)
    }

    /// How far they go.
    pub(super) const fn reach(&self) -> Reach {
        self.reach
    }

    /// How many positions there are.
    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// How many moves away the last ring is.
    pub(super) fn last(&self) -> u32 {
        small(self.ends.len() - 1 + usize::from(planted(Wrong::GoalOneRingLate)))
    }

    pub(super) const fn positions(&self) -> &Positions {
        &self.positions
    }

    pub(super) fn ends(&self) -> &[usize] {
        &self.ends
    }

    fn ring(&self, moves: usize) -> std::ops::Range<usize> {
        (if moves == 0 { 0 } else { self.ends[moves - 1] })..self.ends[moves]
    }

    /// How many moves the goal is from a position of these rings, if it is not farther than on a shortest way from
    /// their start; none if it is farther; nothing known where the position is in no ring.
    pub(super) fn on_way(
        &mut self,
        game: &mut dyn Game,
        position: &[i64],
        share: &mut Share<'_>,
    ) -> Result<Option<Option<u32>>, Halt> {
        if self.reach != Reach::Goal {
            return Ok(None);
        }
        self.mark(game, share)?;
        let Some(number) = self.positions.find(position) else { return Ok(None) };
        let moves = self.ends.partition_point(|end| *end <= index(number));
        Ok(Some(self.on_way[index(number)].then(|| self.last() - small(moves))))
    }

    /// How many moves a shortest way from the start still has where it passes the ring of a position.
    pub(super) fn left(&self, position: &[i64]) -> i64 {
        let ring = self.positions.find(position).map(|number| self.ends.partition_point(|end| *end <= index(number)));
        ring.map_or(-1, |moves| i64::from(self.last()) - i64::from(small(moves)))
    }

    /// Marks the positions on shortest ways, from the last ring back.
    fn mark(&mut self, game: &mut dyn Game, share: &mut Share<'_>) -> Result<(), Halt> {
        if !self.on_way.is_empty() {
            return Ok(());
        }
        share.resize(share.bytes() + u64::try_from(self.positions.len()).unwrap_or(u64::MAX))?;
        let mut on_way = vec![false; self.positions.len()];
        let (mut position, mut found) = (Vec::new(), Options::default());
        for moves in (0..self.ends.len()).rev() {
            let next = self.ring((moves + 1).min(self.ends.len() - 1));
            for number in self.ring(moves) {
                self.positions.read(small(number), &mut position);
                if moves + 1 == self.ends.len() {
                    on_way[number] = game.is_goal(&position)?;
                    continue;
                }
                game.look(&position, &mut found)?;
                let marked = |option: u32| {
                    next.contains(&index(option)) && (on_way[index(option)] || planted(Wrong::WayToNowhere))
                };
                on_way[number] = found.iter().any(|(_, option)| self.positions.find(option).is_some_and(marked));
            }
        }
        self.on_way = on_way;
        Ok(())
    }

    /// How many sequences of the least number of moves lead to a goal: forward, ring by ring.
    pub(super) fn solutions(&mut self, game: &mut dyn Game, share: &mut Share<'_>) -> Result<UBig, Halt> {
        if let Some(known) = &self.solutions {
            return Ok(known.clone());
        }
        // the counts of two rings at once, for the time being
        let widest = (0..self.ends.len()).map(|moves| self.ring(moves).len()).max().unwrap_or(0);
        let (held, counts) = (share.bytes(), u64::try_from(2 * widest * size_of::<UBig>()).unwrap_or(u64::MAX));
        share.resize(held.saturating_add(counts))?;
        let mut ways = vec![UBig::ONE];
        let (mut position, mut found) = (Vec::new(), Options::default());
        for moves in 1..self.ends.len() {
            let (before, ring) = (self.ring(moves - 1), self.ring(moves));
            let mut next = vec![UBig::ZERO; ring.len()];
            for number in before.clone() {
                self.positions.read(small(number), &mut position);
                game.look(&position, &mut found)?;
                for (_, option) in found.iter() {
                    let option = self.positions.find(option).map(index).filter(|option| ring.contains(option));
                    if let Some(option) = option {
                        next[option - ring.start] += &ways[number - before.start];
                    }
                }
            }
            ways = next;
        }
        let mut total = UBig::ZERO;
        for (number, ways) in self.ring(self.ends.len() - 1).zip(&ways) {
            self.positions.read(small(number), &mut position);
            if self.reach == Reach::Goal && game.is_goal(&position)? {
                total = if planted(Wrong::GoalsAfterFirst) { ways.clone() } else { total + ways };
            }
        }
        share.resize(held)?;
        self.solutions = Some(total.clone());
        Ok(total)
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
