//! The classes of single positions, looking only so many plies ahead, in a part of the game that is explored as far as
//! it is looked at, and no position twice.
//!
//! What is looked at is that of a region ([`super::near`]), layer by layer, so that classes and the first rule error are
//! the same; positions that several regions share have one number, and what is known of one with some plies left is not
//! looked for again.

use crate::faults::{Wrong, planted};
use std::collections::HashMap;

use crate::budget::{Limit, Share};
use crate::engine::memo::graph::index;
use crate::engine::memo::near::best;
use crate::game::Game;
use crate::lang::{Halt, Options};
use crate::position::Positions;
use crate::value::{Outcome, Ranked};

/// The part of a game that has been looked at near single positions.
pub(super) struct Sketch<'a> {
    positions: Positions,
    /// What is known of each position that has been looked at, and where its options begin and end.
    seen: Vec<Option<Seen>>,
    options: Vec<u32>,
    /// For each position the layer that it was put in last, of all layers.
    stamps: Vec<u32>,
    stamp: u32,
    /// The class of each position in the layer after the one that is worked on.
    classes: Vec<Ranked>,
    /// Room for the classes of a layer.
    of_layer: Vec<Ranked>,
    /// What is known of each position with few plies left.
    known: Vec<Known>,
    /// The class of each position that was asked about, with the plies ahead, where these are many.
    far: HashMap<(u32, u32), Ranked>,
    /// Each position that was asked about, with the plies ahead.
    asked: Vec<(u32, u32)>,
    /// The positions of all layers, and where each layer ends.
    layers: Vec<u32>,
    ends: Vec<usize>,
    visited: u64,
    share: Share<'a>,
    position: Vec<i64>,
    found: Options,
}

#[derive(Clone, Copy)]
struct Seen {
    over: Option<Outcome>,
    begin: usize,
    end: usize,
}

/// So many plies are few.
const FEW: usize = 8;

/// The classes of one position, by the plies left, and for which of them it is known and was asked.
#[derive(Clone, Copy)]
struct Known {
    classes: [Ranked; FEW],
    found: u8,
    asked: u8,
}

impl Known {
    const NOTHING: Self = Self { classes: [Ranked::DRAW; FEW], found: 0, asked: 0 };

    /// The class with so many plies left.
    fn get(&self, plies: usize) -> Option<Ranked> {
        (self.found.checked_shr(u32::try_from(plies).ok()?)? & 1 == 1).then(|| self.classes[plies])
    }

    fn set(&mut self, plies: usize, class: Ranked) {
        if let Some(place) = self.classes.get_mut(plies) {
            *place = class;
            self.found |= 1 << plies;
        }
    }

    /// Notes that this is asked; whether it was before.
    fn ask(&mut self, plies: usize) -> bool {
        let before = self.asked >> plies & 1 == 1;
        self.asked |= 1 << plies;
        before
    }
}

impl<'a> Sketch<'a> {
    /// Nothing yet.
    pub(super) fn new(positions: Positions, share: Share<'a>) -> Self {
        Self {
            positions,
            seen: Vec::new(),
            options: Vec::new(),
            stamps: Vec::new(),
            stamp: 0,
            classes: Vec::new(),
            of_layer: Vec::new(),
            known: Vec::new(),
            far: HashMap::new(),
            asked: Vec::new(),
            layers: Vec::new(),
            ends: Vec::new(),
            visited: 0,
            share,
            position: Vec::new(),
            found: Options::default(),
        }
    }

    /// How many positions the layers had, in all.
    pub(super) const fn visited(&self) -> u64 {
        self.visited
    }

    /// What was asked: each position with the plies ahead, in some order.
    pub(super) fn asked(&self) -> Vec<(Vec<i64>, u32)> {
        let mut asked: Vec<(Vec<i64>, u32)> = Vec::with_capacity(self.asked.len());
        for (number, plies) in &self.asked {
            let mut position = Vec::new();
            self.positions.read(*number, &mut position);
            asked.push((position, *plies));
        }
        asked
    }

    /// The class, as far as so many plies decide it.
    ///
    /// # Errors
    ///
    /// A rule error within the plies, the first in order of plies and moves, or a limit.
    pub(super) fn class(&mut self, game: &mut dyn Game, position: &[i64], plies: u32) -> Result<Ranked, Halt> {
        let start = self.positions.insert(position).0;
        let plies = plies.saturating_sub(u32::from(planted(Wrong::LayerLeftOut)));
        self.make_room()?;
        if let Some(known) = self.recall(start, plies) {
            return Ok(known);
        }
        self.layers.clear();
        self.ends.clear();
        self.layers.push(start);
        self.ends.push(1);
        for ply in 0..=plies {
            let (begin, end) = (self.ends.iter().rev().nth(1).copied().unwrap_or(0), self.layers.len());
            self.next_stamp();
            let left = index(plies - ply);
            for at in begin..end {
                if self.known[index(self.layers[at])].get(left).is_some() {
                    continue;
                }
                let seen = self.look(game, self.layers[at]).map_err(|halt| halt.later(ply))?;
                if ply == plies {
                    continue;
                }
                for option in &self.options[seen.begin..seen.end] {
                    let stamp = &mut self.stamps[index(*option)];
                    if *stamp != self.stamp {
                        *stamp = self.stamp;
                        self.layers.push(*option);
                    }
                }
                if at.is_multiple_of(1024) {
                    self.charge()?;
                }
            }
            if self.layers.len() == end {
                break;
            }
            self.ends.push(self.layers.len());
        }
        self.charge()?;
        self.visited += u64::try_from(self.layers.len()).unwrap_or(u64::MAX);
        let class = self.decide(plies);
        self.asked.push((start, plies));
        if index(plies) < FEW {
            self.known[index(start)].ask(index(plies));
        } else {
            self.far.insert((start, plies), class);
        }
        Ok(class)
    }

    /// The class of a position that is asked about, where it is known.
    fn recall(&mut self, start: u32, plies: u32) -> Option<Ranked> {
        if index(plies) >= FEW {
            return self.far.get(&(start, plies)).copied();
        }
        let known = &mut self.known[index(start)];
        let class = known.get(index(plies))?;
        if !known.ask(index(plies)) {
            self.asked.push((start, plies));
        }
        Some(class)
    }

    /// Backwards from the last layer each position has its class as far as the plies left decide it.
    fn decide(&mut self, plies: u32) -> Ranked {
        let mut class = Ranked::DRAW;
        let mut found = std::mem::take(&mut self.of_layer);
        let last = index(plies);
        for layer in (0..self.ends.len()).rev() {
            let begin = if layer == 0 { 0 } else { self.ends[layer - 1] };
            let numbers = &self.layers[begin..self.ends[layer]];
            let left = last - layer;
            found.clear();
            found.extend(numbers.iter().map(|number| {
                let known = self.known[index(*number)].get(left);
                known.unwrap_or_else(|| match self.seen[index(*number)] {
                    Some(Seen { over: Some(outcome), .. }) => Ranked::new(outcome, 0),
                    // the last layer has no options: nothing is known there
                    Some(Seen { begin, end, .. }) if layer < last => {
                        best(self.options[begin..end].iter().map(|option| self.classes[index(*option)]))
                    }
                    _ => Ranked::DRAW,
                })
            }));
            for (number, found) in numbers.iter().zip(&found) {
                self.classes[index(*number)] = *found;
                self.known[index(*number)].set(left, *found);
            }
            class = found.first().copied().unwrap_or(Ranked::DRAW);
        }
        self.of_layer = found;
        class
    }

    /// Looks at a position, once.
    fn look(&mut self, game: &mut dyn Game, number: u32) -> Result<Seen, Halt> {
        if let Some(seen) = self.seen[index(number)] {
            return Ok(seen);
        }
        self.positions.read(number, &mut self.position);
        let over = game.look(&self.position, &mut self.found)?;
        let begin = self.options.len();
        for (_, option) in self.found.iter() {
            self.options.push(self.positions.insert(option).0);
        }
        let seen = Seen { over, begin, end: self.options.len() };
        self.make_room()?;
        self.seen[index(number)] = Some(seen);
        Ok(seen)
    }

    /// A place for what is known of each position that has a number.
    fn make_room(&mut self) -> Result<(), Limit> {
        let len = self.positions.len();
        if len > index(u32::MAX) / 2 {
            return Err(Limit::Size(u64::from(u32::MAX / 2)));
        }
        if len == self.seen.len() {
            return Ok(());
        }
        self.seen.resize(len, None);
        self.stamps.resize(len, 0);
        self.classes.resize(len, Ranked::DRAW);
        self.known.resize(len, Known::NOTHING);
        Ok(())
    }

    fn next_stamp(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }

    /// Takes the memory in use from the budget, and room for what grows next.
    fn charge(&mut self) -> Result<(), Limit> {
        let each = size_of::<Option<Seen>>() + size_of::<Known>() + size_of::<Ranked>() + 4;
        let bytes = self.positions.bytes_doubled()
            + each * self.seen.capacity()
            + 4 * (self.options.capacity() + self.layers.capacity())
            + 8 * self.asked.capacity()
            + 32 * self.far.capacity();
        self.share.resize(u64::try_from(bytes).unwrap_or(u64::MAX))
    }
}
