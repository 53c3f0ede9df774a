//! From the typed tree to the flat list of instructions.
//!
//! Loops over constants are written out, so that indices and guards that rest on loop variables become constants. What
//! is not known here gives none, and is left to the closures.

use crate::faults::{Wrong, planted};
use std::cell::Cell;

mod conditions;
mod instances;
mod loops;
mod moves;
mod numbers;

use self::loops::binds;
use super::blocks::{Affine, FACT_LIMIT, FAR, Fact, Patch, Patches, Spread};
use super::front::{Front, between, flipped};
use super::instruction::{Instruction, Operation};
use super::listing::Listing;
use super::{
    Arc, Array, Assignment, Binding, Bool, BoolKind, Clause, Comparison, Coordinate, Fold, Function, Int, IntKind,
    List, ListKind, Move, MoveBody, Operator, Over, Range, Rules, Scalar, Table, Winner, number,
};

/// The most instructions that the rules of one game may become.
const CODE_LIMIT: usize = 20_000;

/// The most turns of nested loops that are written out.
const TURN_LIMIT: usize = 512;

/// Rules as instructions, and where each part of them begins; a part that has no place is left to the closures.
#[derive(Debug)]
pub(super) struct Lowered {
    pub(super) listing: Listing,
    pub(super) front: Option<Front>,
    pub(super) end: Option<usize>,
    pub(super) goal: Option<usize>,
    pub(super) winner: Option<usize>,
    pub(super) moves: usize,
}

impl Lowered {
    /// Turns rules into instructions, as far as it goes.
    pub(super) fn new(rules: &Rules) -> Self {
        let mut lowering = Lowering::new(rules);
        // the moves come first: what `legal` needs in the middle of a move stands above their slots
        let moves = lowering.moves();
        let front = rules.end.as_ref().and_then(|end| Front::new(end, &lowering));
        let end = rules.end.as_ref().and_then(|end| lowering.part(|lowering| lowering.answer(end)));
        let goal = rules.goal.as_ref().and_then(|goal| lowering.part(|lowering| lowering.answer(goal)));
        let winner = lowering.part(|lowering| lowering.winner(&rules.winner));
        lowering.listing.slots = place_of(lowering.most);
        Self { listing: lowering.listing, front, end, goal, winner, moves }
    }
}

/// How often a number may be looked at before all of this is given up: rules that need more are better left to closures.
const EFFORT_LIMIT: u32 = 4_000_000;

/// What is known of a loop variable while its loop is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// It stands in its slot.
    Open,
    Number(i64),
    Cell(u32),
}

/// A number that needs no computing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operand {
    Number(i64),
    Cell(u32),
    Slot(u32),
}

/// The work of lowering.
pub(super) struct Lowering<'r> {
    rules: &'r Rules,
    listing: Listing,
    values: Vec<Known>,
    rows: Vec<Option<&'r [i64]>>,
    /// Where the slots of loop variables begin.
    base: u32,
    /// The next slot that is free, and how many are needed at most.
    free: u32,
    most: u32,
    /// How often numbers were looked at.
    effort: Cell<u32>,
    /// How often the innermost loops that are written out are repeated.
    turns: usize,
    /// How many loops are around that run.
    running: u32,
    /// Set where a list must have a length known here: nothing may be left to run.
    fixed: bool,
}

impl<'r> Lowering<'r> {
    fn new(rules: &'r Rules) -> Self {
        let free = u32::try_from(rules.slots.values).unwrap_or(u32::MAX / 2);
        Self {
            rules,
            listing: Listing { tail: rules.tail(), ..Listing::default() },
            values: vec![Known::Open; rules.slots.values],
            rows: vec![None; rules.slots.rows],
            base: 0,
            free,
            most: free,
            effort: Cell::new(0),
            turns: 1,
            running: 0,
            fixed: false,
        }
    }

    /// Lowers a part that stands alone, or forgets what was begun.
    fn part(&mut self, lower: impl FnOnce(&mut Self) -> Option<()>) -> Option<usize> {
        let begin = self.listing.code.len();
        let free = self.free;
        let done = lower(self);
        self.free = free;
        if done.is_none() || self.listing.code.len() > CODE_LIMIT {
            self.listing.code.truncate(begin);
            self.forget();
            return None;
        }
        Some(begin)
    }

    /// Forgets the loops that a part was in the middle of.
    fn forget(&mut self) {
        self.values.fill(Known::Open);
        self.rows.fill(None);
        (self.turns, self.running, self.fixed) = (1, 0, false);
    }

    /// A condition that is asked of a position.
    fn answer(&mut self, bool: &'r Bool) -> Option<()> {
        let mut fails = Vec::new();
        self.unless(bool, true, &mut fails)?;
        self.emit(Instruction::Holds);
        self.land(&fails);
        self.emit(Instruction::Fails);
        Some(())
    }

    fn winner(&mut self, winner: &'r Winner) -> Option<()> {
        match winner {
            Winner::Word(word) => self.emit(Instruction::Word(*word)),
            Winner::If(condition, yes, no) => {
                let mut fails = Vec::new();
                if !planted(Wrong::WinnerBehindElse) {
                    self.unless(condition, true, &mut fails)?;
                }
                self.winner(yes)?;
                self.land(&fails);
                self.winner(no)?;
            }
        }
        Some(())
    }

    fn emit(&mut self, instruction: Instruction) {
        self.listing.code.push(instruction);
    }

    /// Emits an instruction that jumps to where `jumps` will land.
    fn emit_jump(&mut self, jumps: &mut Vec<usize>, instruction: Instruction) {
        jumps.push(self.listing.code.len());
        self.emit(instruction);
    }

    /// Lets jumps land here.
    fn land(&mut self, jumps: &[usize]) {
        let here = self.here();
        for jump in jumps {
            match &mut self.listing.code[*jump] {
                Instruction::Jump(to)
                | Instruction::If { to, .. }
                | Instruction::IfCell { to, .. }
                | Instruction::IfSlot { to, .. }
                | Instruction::CellIf { to, .. }
                | Instruction::SumIf { to, .. }
                | Instruction::SlotIf { to, .. }
                | Instruction::IfListed { to, .. }
                | Instruction::IfPrime { to, .. }
                | Instruction::Begin { to, .. } => *to = here,
                _ => {}
            }
        }
    }

    fn here(&self) -> u32 {
        u32::try_from(self.listing.code.len()).unwrap_or(u32::MAX)
    }

    /// A slot for a value that must wait.
    fn slot(&mut self) -> u32 {
        let slot = self.free;
        self.free += 1;
        self.most = self.most.max(self.free);
        slot
    }

    /// Stores the register in a new slot.
    fn keep(&mut self) -> u32 {
        let slot = self.slot();
        self.emit(Instruction::Keep(slot));
        slot
    }

    /// The list among those that instructions refer to.
    fn list(&mut self, list: Arc<[i64]>) -> u32 {
        let number = u32::try_from(self.listing.lists.len()).unwrap_or(u32::MAX);
        self.listing.lists.push(list);
        number
    }
}

fn place_of(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// An offset as instructions hold it.
fn short(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
