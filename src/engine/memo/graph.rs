//! Positions with their options, explored breadth first and put in an order in which options come first.
//!
//! Strongly connected components: R. Tarjan, "Depth-first search and linear graph algorithms", 1972, without recursion.

use crate::budget::{Budget, Limit, Share};
use crate::faults::{Wrong, planted};
use crate::game::Game;
use crate::lang::{Halt, Options};
use crate::position::{Packing, Positions, Width};
use crate::value::Outcome;

/// The explored part of a game. Between calls it is closed: the options of every position are in it.
pub(super) struct Graph<'a> {
    positions: Positions,
    /// Where the options of each position end in `options`; they begin where those of the one before end.
    ends: Vec<usize>,
    options: Vec<u32>,
    /// The outcome at each terminal position.
    over: Vec<Option<Outcome>>,
    /// The positions in an order in which options come first, loops aside.
    order: Vec<u32>,
    /// The stretches of `order` that are components with a loop: start and end.
    loops: Vec<(usize, usize)>,
    /// The position from which all was explored first, and how many positions can be reached from there.
    first: Option<(u32, u64)>,
    share: Share<'a>,
    /// Memory that the values of positions take, in bytes for each.
    value_bytes: usize,
    planned: usize,
}

/// How many positions are looked at in one go. The slots of their options are then asked for one right after the other,
/// so that they do not wait for memory one by one.
const BLOCK: usize = 32;

/// A stretch of positions to be valued together.
pub(super) enum Component<'g> {
    /// One position, whose options are all valued.
    One(u32),
    /// Positions on loops through each other.
    Loop(&'g [u32]),
}

impl<'a> Graph<'a> {
    pub(super) fn new(width: Width, budget: &'a Budget) -> Self {
        Self {
            positions: Positions::new(width),
            ends: Vec::new(),
            options: Vec::new(),
            over: Vec::new(),
            order: Vec::new(),
            loops: Vec::new(),
            first: None,
            share: Share::new(budget),
            value_bytes: 0,
            planned: 0,
        }
    }

    /// Packs positions in words from now on, if there are none yet.
    pub(super) fn pack(&mut self, packing: Packing) {
        if self.positions.is_empty() {
            self.positions = Positions::packed(packing);
        }
    }

    /// A set for positions of the same kind, few of them.
    pub(super) fn none_yet(&self) -> Positions {
        match (self.positions.width(), self.is_packed()) {
            (Width::Fixed(width), false) => {
                Packing::roomy(width).map_or_else(|| self.positions.none_yet(), Positions::packed)
            }
            _ => self.positions.none_yet(),
        }
    }

    /// Whether positions are packed in words, since their bounds are known.
    pub(super) const fn is_packed(&self) -> bool {
        self.positions.is_packed()
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    pub(super) fn find(&self, position: &[i64]) -> Option<u32> {
        self.positions.find(position)
    }

    pub(super) const fn positions(&self) -> &Positions {
        &self.positions
    }

    pub(super) fn ends(&self) -> &[usize] {
        &self.ends
    }

    pub(super) fn all_options(&self) -> &[u32] {
        &self.options
    }

    pub(super) fn options(&self, number: u32) -> &[u32] {
        let number = index(number);
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.options[start..self.ends[number]]
    }

    pub(super) fn over(&self, number: u32) -> Option<Outcome> {
        self.over[index(number)]
    }

    /// Counts the memory of a further kind of value.
    ///
    /// # Errors
    ///
    /// A limit.
    pub(super) fn charge_values(&mut self, bytes: usize) -> Result<(), Limit> {
        self.value_bytes += bytes;
        self.plan(self.planned)
    }

    /// The number of a position, after everything reachable from it has been explored.
    ///
    /// # Errors
    ///
    /// A rule error, the first in order of plies and moves, or a limit; [`Limit::Size`] if more than `most` new
    /// positions would be needed. Then the graph is as it was before.
    pub(super) fn close(&mut self, game: &mut dyn Game, start: &[i64], most: u64) -> Result<u32, Halt> {
        if let Some(number) = self.positions.find(start) {
            return Ok(number);
        }
        let before = (self.positions.len(), self.options.len());
        let closed = match self.explore_words(game, start, most) {
            Ok(None) => {
                self.forget(before);
                self.explore(game, start, most)
            }
            Ok(Some(number)) => Ok(number),
            Err(halt) => Err(halt),
        };
        match closed {
            Ok(number) => {
                self.arrange(before.0)?;
                self.note_first(number, before.0);
                Ok(number)
            }
            Err(halt) => {
                self.forget(before);
                self.give_back();
                Err(halt)
            }
        }
    }

    /// Forgets all positions and options after so many.
    fn forget(&mut self, (positions, options): (usize, usize)) {
        self.positions.truncate(positions);
        self.ends.truncate(positions);
        self.over.truncate(positions);
        self.options.truncate(options);
    }

    /// All that has been explored so far is reached from this position, if there was nothing before.
    fn note_first(&mut self, number: u32, before: usize) {
        if before == 0 {
            self.first = Some((number, u64::try_from(self.positions.len()).unwrap_or(u64::MAX)));
        }
    }

    /// Explores words breadth first, if positions are packed in words and all fit.
    fn explore_words(&mut self, game: &mut dyn Game, start: &[i64], most: u64) -> Result<Option<u32>, Halt> {
        let first = self.positions.len();
        self.make_room(1)?;
        let Some(packed) = self.positions.words() else { return Ok(None) };
        let Some(word) = packed.packing().pack(start) else { return Ok(None) };
        packed.meet_all(&[word], &mut Vec::new());
        let (mut words, mut position, mut found) = (Vec::new(), Vec::new(), Options::default());
        let (mut at, mut ply, mut ply_end) = (first, 0, first + 1);
        while at < self.positions.len() {
            if at == ply_end {
                (ply, ply_end) = (ply + 1, self.positions.len());
            }
            let end = (at + BLOCK).min(ply_end);
            words.clear();
            let Some(packed) = self.positions.words() else { return Ok(None) };
            for word in &packed.words()[at..end] {
                let begin = words.len();
                let over = match game.look_packed(*word, packed.packing(), &mut words, &mut position) {
                    Some(over) => over,
                    None => {
                        words.truncate(begin);
                        let over = game.look(&position, &mut found).map_err(|halt| halt.later(ply))?;
                        for (_, option) in found.iter() {
                            let Some(word) = packed.packing().pack(option) else { return Ok(None) };
                            words.push(word);
                        }
                        over
                    }
                };
                if words.len() > begin + 1 && planted(Wrong::LastOptionLeftOut) {
                    words.pop();
                }
                self.over.push(over);
                self.ends.push(self.options.len() + words.len());
            }
            self.make_room(words.len())?;
            let Some(packed) = self.positions.words() else { return Ok(None) };
            packed.meet_all(&words, &mut self.options);
            let new = u64::try_from(packed.words().len() - first).unwrap_or(u64::MAX);
            if new > most {
                return Err(Limit::Size(most).into());
            }
            self.share.budget().check()?;
            self.share.budget().looked_at(new);
            at = end;
        }
        Ok(u32::try_from(first).ok())
    }

    fn explore(&mut self, game: &mut dyn Game, start: &[i64], most: u64) -> Result<u32, Halt> {
        let first = self.positions.len();
        self.make_room(1)?;
        let (number, _) = self.positions.insert(start);
        let (mut position, mut found) = (Vec::new(), Options::default());
        let mut at = first;
        let mut ply_end = self.positions.len();
        let mut ply = 0;
        while at < self.positions.len() {
            if at == ply_end {
                ply += 1;
                ply_end = self.positions.len();
            }
            self.positions.read(u32::try_from(at).unwrap_or(u32::MAX), &mut position);
            let over = game.look(&position, &mut found).map_err(|halt| halt.later(ply))?;
            for (_, option) in found.iter() {
                self.make_room(1)?;
                let (option, _) = self.positions.insert(option);
                self.options.push(option);
            }
            self.over.push(over);
            self.ends.push(self.options.len());
            if u64::try_from(self.positions.len() - first).unwrap_or(u64::MAX) > most {
                return Err(Limit::Size(most).into());
            }
            at += 1;
            self.share.budget().check()?;
            self.share.budget().looked_at(u64::try_from(at - first).unwrap_or(u64::MAX));
        }
        Ok(number)
    }

    /// Takes memory from the budget before the vectors grow by so many positions.
    fn make_room(&mut self, more: usize) -> Result<(), Limit> {
        let positions = self.positions.len() + more;
        if positions <= self.planned {
            return Ok(());
        }
        if positions >= index(u32::MAX) - 1 {
            return Err(Limit::Size(u64::from(u32::MAX)));
        }
        self.plan((self.planned + self.planned / 2).max(1024).max(positions))
    }

    /// Frees what an attempt took that was given up.
    fn give_back(&mut self) {
        self.positions.shrink();
        self.ends.shrink_to_fit();
        self.over.shrink_to_fit();
        self.options.shrink_to_fit();
        // planning for less than before does not fail, unless the run is to stop, which shows soon enough
        let _ = self.plan(self.positions.len().max(1024));
    }

    /// Takes memory for so many positions.
    fn plan(&mut self, positions: usize) -> Result<(), Limit> {
        let now = self.positions.len().max(1);
        // what each position holds so far, with its options and its place in the orders, and half as much again for
        // the moment in which a vector moves to a larger place
        let each = self.positions.bytes_each() + self.options.len() * 4 / now + 32 + self.value_bytes;
        let bytes = positions.saturating_mul(each + each / 2);
        self.share.resize(u64::try_from(bytes).unwrap_or(u64::MAX))?;
        self.planned = positions;
        Ok(())
    }

    /// Appends the positions from `first` on to `order`, options first.
    fn arrange(&mut self, first: usize) -> Result<(), Halt> {
        const NONE: u32 = u32::MAX;
        let new = self.positions.len() - first;
        // the place in order of discovery; `NONE` before it, and `DONE` after the component is complete
        const DONE: u32 = u32::MAX - 1;
        let mut found = vec![NONE; new];
        let mut open: Vec<u32> = Vec::new();
        struct Step {
            number: u32,
            next: usize,
            low: u32,
        }
        let mut line: Vec<Step> = Vec::new();
        let mut discovered = 0_u32;
        for root in first..self.positions.len() {
            if found[root - first] != NONE {
                continue;
            }
            let root = u32::try_from(root).unwrap_or(u32::MAX);
            found[index(root) - first] = discovered;
            line.push(Step { number: root, next: self.start(root), low: discovered });
            open.push(root);
            discovered += 1;
            while let Some(step) = line.last_mut() {
                if step.next < self.ends[index(step.number)] {
                    let option = self.options[step.next];
                    step.next += 1;
                    if index(option) < first {
                        continue;
                    }
                    match found[index(option) - first] {
                        NONE => {
                            found[index(option) - first] = discovered;
                            line.push(Step { number: option, next: self.start(option), low: discovered });
                            open.push(option);
                            discovered += 1;
                            if discovered.is_multiple_of(4096) {
                                self.share.budget().check()?;
                            }
                        }
                        DONE => {}
                        _ if planted(Wrong::LoopNotJoined) => {}
                        place => step.low = step.low.min(place),
                    }
                    continue;
                }
                let (number, low) = (step.number, step.low);
                line.pop();
                if let Some(before) = line.last_mut().filter(|_| !planted(Wrong::LineNotLowered)) {
                    before.low = before.low.min(low);
                }
                if low < found[index(number) - first] {
                    continue;
                }
                let start = self.order.len();
                while let Some(member) = open.pop() {
                    found[index(member) - first] = DONE;
                    self.order.push(member);
                    if member == number {
                        break;
                    }
                }
                if self.order.len() - start > 1 || self.options(number).contains(&number) {
                    self.loops.push((start, self.order.len()));
                }
            }
        }
        Ok(())
    }

    fn start(&self, number: u32) -> usize {
        match index(number) {
            0 => 0,
            number => self.ends[number - 1],
        }
    }

    /// Calls `each` with the components from place `from` of the order on, options first, and returns the new place.
    ///
    /// # Errors
    ///
    /// A limit, or whatever `each` meets.
    pub(super) fn components(
        &self,
        from: usize,
        mut each: impl FnMut(Component<'_>) -> Result<(), Limit>,
    ) -> Result<usize, Limit> {
        let mut at = from + usize::from(planted(Wrong::SweepBeginsLate));
        let mut loops = self.loops.iter().skip(self.loops.partition_point(|(start, _)| *start < from)).peekable();
        while at < self.order.len() {
            if at.is_multiple_of(4096) {
                self.share.budget().check()?;
            }
            match loops.peek() {
                Some((start, end)) if *start == at => {
                    each(Component::Loop(&self.order[*start..*end]))?;
                    at = *end;
                    loops.next();
                }
                _ => {
                    each(Component::One(self.order[at]))?;
                    at += 1;
                }
            }
        }
        Ok(at)
    }

    /// The greatest number of moves to any position that can be reached from this one, by the shortest way.
    ///
    /// # Errors
    ///
    /// A limit.
    pub(super) fn farthest(&self, number: u32) -> Result<u32, Halt> {
        let mut met = vec![false; self.len()];
        met[index(number)] = true;
        let (mut ring, mut moves) = (vec![number], 0);
        loop {
            self.share.budget().check()?;
            let mut next = Vec::new();
            for option in ring.iter().flat_map(|number| self.options(*number)) {
                if !std::mem::replace(&mut met[index(*option)], true) {
                    next.push(*option);
                }
            }
            if next.is_empty() {
                return Ok(moves + u32::from(planted(Wrong::FarthestTooFar)));
            }
            moves += 1;
            ring = next;
        }
    }

    /// How many positions can be reached from this one, itself included.
    ///
    /// # Errors
    ///
    /// A limit.
    pub(super) fn reachable(&self, number: u32) -> Result<u64, Halt> {
        if let Some((first, positions)) = self.first
            && (first == number || planted(Wrong::AllReachable))
        {
            return Ok(positions);
        }
        // from the last in the order to the first: what is met is met by positions after it, loops aside
        let mut met = vec![false; self.len()];
        met[index(number)] = true;
        let mut count = 0_u64;
        let mut loops = self.loops.iter().rev().peekable();
        let mut end = self.order.len();
        while end > 0 {
            let begin = loops.next_if(|(_, last)| *last == end).map_or(end - 1, |(begin, _)| *begin);
            let component = &self.order[begin..end];
            if component.iter().any(|number| met[index(*number)]) {
                count += u64::try_from(component.len()).unwrap_or(u64::MAX);
                for option in component.iter().flat_map(|number| self.options(*number)) {
                    met[index(*option)] = true;
                }
            }
            if end.is_multiple_of(4096) {
                self.share.budget().check()?;
            }
            end = begin;
        }
        Ok(count)
    }
}

/// A number of a position as an index.
pub(super) fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
