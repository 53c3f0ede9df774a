//! The Grundy values of components given by rules: all that can be reached are found breadth first, so that the first
//! rule error is the first in order of plies, then each is valued after all that its moves leave.
//!
//! Heaps whose moves can be read as runs are valued by [`Heaps`] instead, as long as nothing is met that it does not tell.

use super::heaps::Heaps;
use super::{Summed, Values};
use crate::budget::{Budget, Limit, Share};
use crate::claims::{NONE, Parts};
use crate::faults::{Wrong, planted};
use crate::game::{Compiled, Game};
use crate::lang::Options;
use crate::lang::tree::Rules;
use crate::position::Positions;

/// Not valued yet.
const OPEN: u32 = NONE - 1;

/// So many parts that moves leave are remembered from the search until they are valued; others are listed again.
const REMEMBERED: usize = 1 << 22;

/// Being valued, so that to meet it again is to have found a loop.
const ON_LINE: u32 = NONE - 2;

/// Components by number, with their values.
pub(super) struct Components<'a> {
    game: Compiled,
    rules: &'a Rules,
    /// Values heaps, as long as it can.
    heaps: Option<Heaps<'a>>,
    positions: Positions,
    /// The value; [`NONE`] where play need not end.
    nimbers: Vec<u32>,
    /// One more than the greatest of the parts that a move leaves.
    depths: Vec<u32>,
    loops: bool,
    share: Share<'a>,
    planned: usize,
    room: Room,
    /// What moves leave of the components of one search.
    listed: Listed<'a>,
    /// For each number the last component, counted from 1, of which an option has it.
    marks: Vec<u32>,
    /// For a checker: the components that have a value, where some have none.
    valued: Option<Valued>,
}

/// Components with their values.
struct Valued {
    positions: Positions,
    nimbers: Vec<u32>,
    depths: Vec<u32>,
}

/// The options of one component, as numbers of the parts that each leaves.
#[derive(Default)]
struct Room {
    component: Vec<i64>,
    found: Options,
    part: Vec<i64>,
    numbers: Vec<u32>,
    /// Where the parts of each option end.
    ends: Vec<usize>,
}

/// What moves leave of components one after the other, as long as there is room.
struct Listed<'a> {
    /// The number of the first of them.
    first: usize,
    numbers: Vec<u32>,
    /// Where the parts of each option end, counted from the first part of its component.
    option_ends: Vec<usize>,
    /// Where `numbers` and `option_ends` end for each component.
    ends: Vec<(usize, usize)>,
    full: bool,
    share: Share<'a>,
}

impl<'a> Listed<'a> {
    fn new(budget: &'a Budget) -> Self {
        let share = Share::new(budget);
        Self { first: 0, numbers: Vec::new(), option_ends: Vec::new(), ends: Vec::new(), full: false, share }
    }

    /// Forgets all; the next component has this number.
    fn begin(&mut self, first: usize) {
        self.first = first;
        self.numbers.clear();
        self.option_ends.clear();
        self.ends.clear();
        self.full = false;
    }

    /// Remembers what moves leave of the next component.
    fn push(&mut self, room: &Room) {
        let parts = self.numbers.len() + room.numbers.len();
        // what vectors take that grow by doubling
        let bytes = (parts + self.option_ends.len() + room.ends.len() + 2 * self.ends.len()) * 16;
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        let fits = parts <= REMEMBERED && (bytes <= self.share.bytes() || self.share.resize(bytes * 2).is_ok());
        self.full = self.full || !fits;
        if !self.full {
            self.numbers.extend_from_slice(&room.numbers);
            self.option_ends.extend_from_slice(&room.ends);
            self.ends.push((self.numbers.len(), self.option_ends.len()));
        }
    }

    /// Puts what is remembered of a component into the room, if it is.
    fn read(&self, number: usize, room: &mut Room) -> bool {
        let Some(at) = number.checked_sub(self.first) else { return false };
        let Some((end, option_end)) = self.ends.get(at) else { return false };
        let (start, option_start) = at.checked_sub(1).map_or((0, 0), |before| self.ends[before]);
        room.numbers.clear();
        room.numbers.extend_from_slice(&self.numbers[start..*end]);
        room.ends.clear();
        room.ends.extend_from_slice(&self.option_ends[option_start..*option_end]);
        true
    }
}

impl<'a> Components<'a> {
    pub(super) fn new(game: Compiled, rules: &'a Rules, budget: &'a Budget) -> Self {
        Self {
            positions: Positions::new(game.width()),
            heaps: Heaps::of(rules, budget),
            game,
            rules,
            nimbers: Vec::new(),
            depths: Vec::new(),
            loops: false,
            share: Share::new(budget),
            planned: 0,
            room: Room::default(),
            listed: Listed::new(budget),
            marks: Vec::new(),
            valued: None,
        }
    }

    /// Lists the options of a component; parts that are new are added.
    fn list(&mut self, number: usize) -> Summed<()> {
        let Room { component, found, part, numbers, ends } = &mut self.room;
        self.positions.read(small(number), component);
        self.game.look(component, found)?;
        numbers.clear();
        ends.clear();
        let tail = component.len() - self.rules.tail();
        for (_, option) in found.iter() {
            for cells in self.rules.components(option) {
                part.clear();
                part.extend_from_slice(cells);
                part.extend_from_slice(&component[tail..]);
                numbers.push(self.positions.insert(part).0);
            }
            ends.push(numbers.len());
        }
        Ok(())
    }

    /// Finds all components that can be reached.
    fn explore(&mut self, starts: &[Vec<i64>]) -> Summed<()> {
        let first = self.positions.len();
        self.listed.begin(first);
        for start in starts {
            self.positions.insert(start);
        }
        let (mut at, mut ply, mut ply_end) = (first, 0, self.positions.len());
        while at < self.positions.len() {
            if at == ply_end {
                ply += 1;
                ply_end = self.positions.len();
            }
            let listed = self.list(at).and_then(|()| Ok(self.make_room()?));
            if let Err(halt) = listed {
                self.positions.truncate(first);
                return Err(halt.later(ply));
            }
            self.listed.push(&self.room);
            at += 1;
        }
        Ok(())
    }

    /// Values the components of a position as heaps. Where they are not told so, all heaps are listed among the
    /// components, and whatever comes is looked at one by one.
    fn prepare_heaps(&mut self, position: &[i64]) -> Summed<bool> {
        let Some(heaps) = &mut self.heaps else { return Ok(false) };
        let mut told = true;
        for heap in position {
            told = told && heaps.reach(*heap)?;
        }
        if !told {
            self.list_heaps()?;
            self.heaps = None;
        }
        Ok(told)
    }

    /// Lists the heaps that are valued among the components.
    fn list_heaps(&mut self) -> Result<(), Limit> {
        let Some(mut heaps) = self.heaps.take() else { return Ok(()) };
        let listed = heaps.each(|heap, value, depth| {
            self.make_room()?;
            if self.positions.insert(&[heap]).1 {
                self.nimbers.push(value);
                self.depths.push(depth);
            }
            Ok(())
        });
        self.heaps = Some(heaps);
        listed
    }

    fn make_room(&mut self) -> Result<(), Limit> {
        self.share.budget().check()?;
        if self.positions.len() < self.planned {
            return Ok(());
        }
        let planned = (self.positions.len() + self.positions.len() / 2).max(1024);
        if planned > index(ON_LINE) {
            return Err(Limit::Size(u64::from(ON_LINE)));
        }
        let each = self.positions.bytes_each() + 16;
        self.share.resize(u64::try_from(planned * (each + each / 2)).unwrap_or(u64::MAX))?;
        self.planned = planned;
        Ok(())
    }

    /// Values a component, after all that its moves leave.
    fn value(&mut self, root: u32) -> Summed<()> {
        let mut line = vec![root];
        while let Some(number) = line.last().copied() {
            self.share.budget().check()?;
            let at = index(number);
            if !matches!(self.nimbers[at], OPEN | ON_LINE) {
                line.pop();
                continue;
            }
            if !self.listed.read(at, &mut self.room) {
                self.list(at)?;
            }
            if self.nimbers[at] == OPEN {
                self.nimbers[at] = ON_LINE;
                let before = line.len();
                let nimbers = &self.nimbers;
                line.extend(self.room.numbers.iter().filter(|part| nimbers[index(**part)] == OPEN));
                if line.len() > before {
                    continue;
                }
            }
            self.settle(at);
            line.pop();
        }
        Ok(())
    }

    /// The mex of the nim-sums of what the listed moves leave, all of which is valued, loops aside.
    fn settle(&mut self, at: usize) {
        let Room { numbers, ends, .. } = &self.room;
        let values = numbers.iter().map(|part| self.nimbers[index(*part)]);
        if values.clone().any(|value| value >= ON_LINE) {
            self.loops = true;
            self.nimbers[at] = NONE;
            return;
        }
        // the value is at most the number of options
        let component = small(at + 1);
        self.marks.resize(self.marks.len().max(ends.len() + 1), 0);
        let mut start = 0;
        for end in ends {
            let sum = numbers[start..*end].iter().fold(0, |sum, part| {
                if planted(Wrong::PartsNotJoined) {
                    self.nimbers[index(*part)]
                } else {
                    sum ^ self.nimbers[index(*part)]
                }
            });
            start = *end;
            if let Some(mark) = self.marks.get_mut(index(sum)) {
                *mark = component;
            }
        }
        let nimber = self.marks.iter().position(|mark| *mark != component).unwrap_or(self.marks.len());
        self.depths[at] = numbers.iter().map(|part| self.depths[index(*part)] + 1).max().unwrap_or(0);
        self.nimbers[at] = small(nimber + usize::from(nimber > 0 && planted(Wrong::MexTooGreat)));
    }
}

impl Values for Components<'_> {
    fn prepare(&mut self, position: &[i64]) -> Summed<()> {
        if self.prepare_heaps(position)? {
            return Ok(());
        }
        let tail = &position[self.rules.state_of(position).len()..];
        let components = self.rules.components(position).map(|component| [component, tail].concat());
        let new: Vec<Vec<i64>> = components.filter(|component| self.positions.find(component).is_none()).collect();
        if new.is_empty() {
            return Ok(());
        }
        self.explore(&new)?;
        self.nimbers.resize(self.positions.len(), OPEN);
        self.depths.resize(self.positions.len(), 0);
        new.iter()
            .filter_map(|component| self.positions.find(component))
            .collect::<Vec<_>>()
            .into_iter()
            .try_for_each(|number| self.value(number))
    }

    fn of(&mut self, component: &[i64]) -> Summed<Option<u64>> {
        if let Some(heaps) = &self.heaps
            && let Some(value) = component.first().and_then(|heap| heaps.get(*heap))
        {
            return Ok(Some(u64::from(value)));
        }
        let number = self.positions.find(component).ok_or(Limit::Uncovered)?;
        let value = self.nimbers[index(number)];
        Ok((value < ON_LINE).then(|| u64::from(value)))
    }

    /// All components, or, where some have no value, the others, which lead to no such one.
    fn claims(&mut self) -> Option<Parts<'_>> {
        self.list_heaps().ok()?;
        if self.nimbers.is_empty() {
            return None;
        }
        if self.loops {
            let mut valued =
                Valued { positions: Positions::new(self.positions.width()), nimbers: Vec::new(), depths: Vec::new() };
            let mut position = Vec::new();
            for at in (0..self.nimbers.len()).filter(|at| self.nimbers[*at] < ON_LINE) {
                self.positions.read(small(at), &mut position);
                valued.positions.insert(&position);
                valued.nimbers.push(self.nimbers[at]);
                valued.depths.push(self.depths[at]);
            }
            let Valued { positions, nimbers, depths } = self.valued.insert(valued);
            return (!nimbers.is_empty()).then_some(Parts { positions, nimbers, depths });
        }
        let whole = self.nimbers.iter().all(|value| *value < ON_LINE);
        whole.then_some(Parts { positions: &self.positions, nimbers: &self.nimbers, depths: &self.depths })
    }

    fn visited(&self) -> u64 {
        // heaps are listed when all are found
        let found = self.heaps.as_ref().map_or(0, Heaps::count).max(self.positions.len());
        u64::from(small(found))
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
