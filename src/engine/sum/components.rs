//! The Grundy values of components given by rules: all that can be reached are found breadth first, so that the first
//! rule error is the first in order of plies, then each is valued after all that its moves leave.

use super::{Summed, Values};
use crate::budget::{Budget, Limit, Share};
use crate::claims::{NONE, Parts};
use crate::game::{Compiled, Game};
use crate::lang::Options;
use crate::lang::tree::Rules;
use crate::position::Positions;
use crate::value::mex;

/// Not valued yet.
const OPEN: u32 = NONE - 1;

/// Being valued, so that to meet it again is to have found a loop.
const ON_LINE: u32 = NONE - 2;

/// Components by number, with their values.
pub(super) struct Components<'a> {
    game: Compiled,
    rules: &'a Rules,
    positions: Positions,
    /// The value; [`NONE`] where play need not end.
    nimbers: Vec<u32>,
    /// One more than the greatest of the parts that a move leaves.
    depths: Vec<u32>,
    loops: bool,
    share: Share<'a>,
    planned: usize,
    room: Room,
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

impl<'a> Components<'a> {
    pub(super) fn new(game: Compiled, rules: &'a Rules, budget: &'a Budget) -> Self {
        Self {
            positions: Positions::new(game.width()),
            game,
            rules,
            nimbers: Vec::new(),
            depths: Vec::new(),
            loops: false,
            share: Share::new(budget),
            planned: 0,
            room: Room::default(),
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
            at += 1;
        }
        Ok(())
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
            self.list(at)?;
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
        let mut start = 0;
        let sums = ends.iter().map(|end| {
            let sum = numbers[start..*end].iter().fold(0, |sum, part| sum ^ self.nimbers[index(*part)]);
            start = *end;
            sum
        });
        let nimber = mex(sums);
        self.depths[at] = numbers.iter().map(|part| self.depths[index(*part)] + 1).max().unwrap_or(0);
        self.nimbers[at] = nimber;
    }
}

impl Values for Components<'_> {
    fn prepare(&mut self, components: &[Vec<i64>]) -> Summed<()> {
        let new = |component: &Vec<i64>| self.positions.find(component).is_none();
        let new: Vec<Vec<i64>> = components.iter().filter(|component| new(component)).cloned().collect();
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
        let number = self.positions.find(component).ok_or(Limit::Uncovered)?;
        let value = self.nimbers[index(number)];
        Ok((value < ON_LINE).then(|| u64::from(value)))
    }

    /// All components, or, where some have no value, the others, which lead to no such one.
    fn claims(&mut self) -> Option<Parts<'_>> {
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
        u64::from(small(self.positions.len()))
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
