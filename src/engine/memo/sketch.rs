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
use crate::lang::{Halt, Options, Stop};
use crate::position::Positions;
use crate::value::{Outcome, Ranked};

/// The part of a game that has been looked at near single positions.
pub(super) struct Sketch<'a> {
    positions: Positions,
    /// What is known of each.
    entries: Vec<Entry>,
    options: Vec<u32>,
    /// The layer that is worked on, of all layers.
    stamp: u32,
    /// Room for the classes of a layer.
    of_layer: Vec<Ranked>,
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

/// What is known of a position.
#[derive(Clone, Copy)]
struct Entry {
    /// What it was seen to be, once it has been looked at.
    seen: Option<Seen>,
    /// The layer that it was put in last, of all layers.
    stamp: u32,
    /// Its class in the layer after the one that is worked on, where many plies are left.
    class: Ranked,
    known: Known,
}

/// Whether it is over, and where its options begin and end.
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
    #[inline]
    fn get(&self, plies: usize) -> Option<Ranked> {
        self.classes.get(plies).copied().filter(|_| self.found >> plies & 1 == 1)
    }

    /// Whether the class is known with so many plies left.
    #[inline(always)]
    fn has(&self, plies: usize) -> bool {
        plies < FEW && self.found >> plies & 1 == 1
    }

    #[inline(always)]
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
            entries: Vec::new(),
            options: Vec::new(),
            stamp: 0,
            of_layer: Vec::new(),
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
        let mut begin = 0;
        for ply in 0..=plies {
            let end = self.layers.len();
            self.next_stamp();
            let left = index(plies - ply);
            for at in begin..end {
                let number = self.layers[at];
                if self.entries[index(number)].known.has(left) {
                    continue;
                }
                let seen = self.look(game, number).map_err(|halt| halt.later(ply))?;
                if ply < plies {
                    self.put_in_layer(seen);
                }
                if at % 1024 == 1023 {
                    self.charge()?;
                }
            }
            if self.layers.len() == end {
                break;
            }
            self.ends.push(self.layers.len());
            begin = end;
        }
        self.charge()?;
        self.visited += u64::try_from(self.layers.len()).unwrap_or(u64::MAX);
        let class = if index(plies) < FEW { self.decide_few(start, plies) } else { self.decide(plies) };
        self.asked.push((start, plies));
        if index(plies) < FEW {
            self.entries[index(start)].known.ask(index(plies));
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
        let known = &mut self.entries[index(start)].known;
        let class = known.get(index(plies))?;
        if !known.ask(index(plies)) {
            self.asked.push((start, plies));
        }
        Some(class)
    }

    /// Whether no more than so many positions can be reached from this one, and no rule is in error at them. What is seen
    /// on the way need not be looked at again.
    ///
    /// # Errors
    ///
    /// A limit.
    pub(super) fn reaches_few(&mut self, game: &mut dyn Game, position: &[i64], most: usize) -> Result<bool, Halt> {
        let start = self.positions.insert(position).0;
        self.make_room()?;
        self.next_stamp();
        self.entries[index(start)].stamp = self.stamp;
        self.layers.clear();
        self.layers.push(start);
        let mut at = 0;
        while let Some(number) = self.layers.get(at) {
            self.share.budget().check()?;
            match self.look(game, *number) {
                Ok(seen) => self.put_in_layer(seen),
                Err(Halt::Stop(stop)) if matches!(*stop, Stop::Rule(_)) => return Ok(false),
                Err(halt) => return Err(halt),
            }
            if self.layers.len() > most {
                self.charge()?;
                return Ok(false);
            }
            at += 1;
        }
        self.charge()?;
        Ok(true)
    }

    /// Puts options into the layer that is worked on, each once.
    #[inline]
    fn put_in_layer(&mut self, seen: Seen) {
        for option in &self.options[seen.begin..seen.end] {
            let stamp = &mut self.entries[index(*option)].stamp;
            if *stamp != self.stamp {
                *stamp = self.stamp;
                self.layers.push(*option);
            }
        }
    }

    /// Backwards from the last layer each position has its class as far as the plies left decide it. These are few, so
    /// that all classes have a place.
    fn decide_few(&mut self, start: u32, plies: u32) -> Ranked {
        let last = index(plies);
        for layer in (0..self.ends.len()).rev() {
            let begin = if layer == 0 { 0 } else { self.ends[layer - 1] };
            let left = last - layer;
            for number in &self.layers[begin..self.ends[layer]] {
                let entry = &self.entries[index(*number)];
                if entry.known.has(left) {
                    continue;
                }
                let class = match entry.seen {
                    Some(Seen { over: Some(outcome), .. }) => Ranked::new(outcome, 0),
                    // the last layer has no options: nothing is known there
                    Some(Seen { begin, end, .. }) if layer < last => {
                        let option = |option: &u32| self.entries[index(*option)].known.classes[left - 1];
                        best(self.options[begin..end].iter().map(option))
                    }
                    _ => Ranked::DRAW,
                };
                self.entries[index(*number)].known.set(left, class);
            }
        }
        self.entries[index(start)].known.get(last).unwrap_or(Ranked::DRAW)
    }

    /// The same for many plies.
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
                let entry = &self.entries[index(*number)];
                entry.known.get(left).unwrap_or_else(|| match entry.seen {
                    Some(Seen { over: Some(outcome), .. }) => Ranked::new(outcome, 0),
                    Some(Seen { begin, end, .. }) if layer < last => {
                        best(self.options[begin..end].iter().map(|option| self.entries[index(*option)].class))
                    }
                    _ => Ranked::DRAW,
                })
            }));
            for (number, found) in numbers.iter().zip(&found) {
                let entry = &mut self.entries[index(*number)];
                entry.class = *found;
                entry.known.set(left, *found);
            }
            class = found.first().copied().unwrap_or(Ranked::DRAW);
        }
        self.of_layer = found;
        class
    }

    /// Looks at a position, once.
    #[inline(always)]
    fn look(&mut self, game: &mut dyn Game, number: u32) -> Result<Seen, Halt> {
        match self.entries[index(number)].seen {
            Some(seen) => Ok(seen),
            None => self.look_first(game, number),
        }
    }

    #[inline(never)]
    fn look_first(&mut self, game: &mut dyn Game, number: u32) -> Result<Seen, Halt> {
        self.positions.read(number, &mut self.position);
        let over = game.look(&self.position, &mut self.found)?;
        let begin = self.options.len();
        for (_, option) in self.found.iter() {
            self.options.push(self.positions.insert(option).0);
        }
        let seen = Seen { over, begin, end: self.options.len() };
        self.make_room()?;
        self.entries[index(number)].seen = Some(seen);
        Ok(seen)
    }

    /// A place for what is known of each position that has a number.
    fn make_room(&mut self) -> Result<(), Limit> {
        let len = self.positions.len();
        if len > index(u32::MAX) / 2 {
            return Err(Limit::Size(u64::from(u32::MAX / 2)));
        }
        if len > self.entries.len() {
            self.entries.resize(len, Entry { seen: None, stamp: 0, class: Ranked::DRAW, known: Known::NOTHING });
        }
        Ok(())
    }

    fn next_stamp(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.entries.iter_mut().for_each(|entry| entry.stamp = 0);
            self.stamp = 1;
        }
    }

    /// Takes the memory in use from the budget, and room for what grows next.
    fn charge(&mut self) -> Result<(), Limit> {
        let bytes = self.positions.bytes_doubled()
            + size_of::<Entry>() * self.entries.capacity()
            + 4 * (self.options.capacity() + self.layers.capacity())
            + 8 * self.asked.capacity()
            + 32 * self.far.capacity();
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        if bytes == self.share.bytes() { self.share.budget().check() } else { self.share.resize(bytes) }
    }
}
