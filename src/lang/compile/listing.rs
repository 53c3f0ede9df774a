//! The rules as one flat list of instructions, and the machine that runs it for each position.
//!
//! A number on its way stands in one register; what must wait stands in slots, the first of which are the loop
//! variables. All arithmetic is checked, but the machine tells no errors: where a value does not exist it stops in
//! doubt, and the position is looked at again by the closures, which tell which rule failed and why. In doubt it may
//! also stop where nothing is wrong; it never goes on where something is.

use super::blocks::{Patches, Spread};
use super::instruction::Instruction;
use super::number;
use super::{Arc, Comparison, Options, STEP_LIMIT, WinnerWord};
use crate::faults::{Wrong, planted};
use crate::position::Packing;

/// A list of instructions with what they refer to.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) code: Vec<Instruction>,
    pub(super) lists: Vec<Arc<[i64]>>,
    pub(super) spreads: Vec<Spread>,
    pub(super) patches: Vec<Patches>,
    /// Where the condition on a position that a move leads to begins.
    pub(super) legal: Option<usize>,
    /// How many numbers of a position stand after the state.
    pub(super) tail: usize,
    /// How many slots the instructions need.
    pub(super) slots: usize,
    /// The steps of all loops that are written out and stand in no loop that runs.
    pub(super) steps: u64,
}

/// Where a run of the machine ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// A condition holds.
    Holds,
    /// A condition does not hold.
    Fails,
    /// Who wins.
    Word(WinnerWord),
    /// All moves are made.
    End,
    /// The closures must look.
    Doubt,
    /// The closures must make this move; then it goes on from this place.
    Exact(usize, usize),
}

/// What the machine writes on.
#[derive(Clone, Debug, Default)]
pub(super) struct Pad {
    slots: Vec<i64>,
    /// An option, or a part of one, while it is asked whether it is legal.
    row: Vec<i64>,
    /// The steps that loops have taken at a position, or more.
    pub(super) steps: u64,
}

/// The value, or the end in doubt.
macro_rules! sure {
    ($value:expr) => {
        match $value {
            Some(value) => value,
            None => return Stop::Doubt,
        }
    };
}

impl Listing {
    /// Makes the pad ready for a position.
    #[inline]
    pub(super) fn prepare(&self, pad: &mut Pad) {
        if pad.slots.len() < self.slots {
            pad.slots.resize(self.slots, 0);
        }
        pad.steps = self.steps;
    }

    /// The moves from a place on of a packed position, as words, where they are nothing but blocks and none is in doubt;
    /// else false.
    pub(super) fn pack(
        &self,
        from: usize,
        position: &[i64],
        word: u64,
        packing: &Packing,
        words: &mut Vec<u64>,
    ) -> bool {
        let before = words.len();
        for instruction in self.code.get(from..).unwrap_or_default() {
            let fits = match *instruction {
                Instruction::Spread(spread) => self.spreads[place(spread)].pack(position, packing, words),
                Instruction::Patches(patches) => self.patches[place(patches)].pack(position, word, packing, words),
                Instruction::End => return words.len() - before <= number::MOVE_LIMIT,
                _ => false,
            };
            if !fits {
                return false;
            }
        }
        false
    }

    /// Runs from a place until something ends it.
    pub(super) fn run(&self, from: usize, position: &[i64], pad: &mut Pad, options: &mut Options) -> Stop {
        let Pad { slots, row, steps } = pad;
        self.run_on(from, position, &mut slots[..], row, steps, options)
    }

    fn run_on(
        &self,
        from: usize,
        position: &[i64],
        slots: &mut [i64],
        part: &mut Vec<i64>,
        steps: &mut u64,
        options: &mut Options,
    ) -> Stop {
        let mut at = from;
        let mut register = 0_i64;
        let mut row = 0;
        while let Some(instruction) = self.code.get(at) {
            at += 1;
            match *instruction {
                Instruction::Number(number) => register = number,
                Instruction::Cell(cell) => register = position[place(cell)],
                Instruction::Slot(slot) => register = slots[place(slot)],
                Instruction::Keep(slot) => slots[place(slot)] = register,
                Instruction::AddNumber(number) => register = sure!(register.checked_add(number)),
                Instruction::AddCell(cell) => register = sure!(register.checked_add(position[place(cell)])),
                Instruction::AddSlot(slot) => register = sure!(register.checked_add(slots[place(slot)])),
                Instruction::SubCell(cell) => register = sure!(register.checked_sub(position[place(cell)])),
                Instruction::SubSlot(slot) => register = sure!(register.checked_sub(slots[place(slot)])),
                Instruction::MulNumber(number) => register = sure!(register.checked_mul(number)),
                Instruction::MulCell(cell) => register = sure!(register.checked_mul(position[place(cell)])),
                Instruction::MulSlot(slot) => register = sure!(register.checked_mul(slots[place(slot)])),
                Instruction::Square => register = sure!(register.checked_mul(register)),
                Instruction::Negate => register = sure!(register.checked_neg()),
                Instruction::With(operation, number) => register = sure!(operation.apply(register, number)),
                Instruction::WithSlot(operation, slot) => {
                    register = sure!(operation.apply(register, slots[place(slot)]));
                }
                Instruction::Abs => register = sure!(register.checked_abs()),
                Instruction::Sign => register = register.signum(),
                Instruction::Isqrt => register = sure!(register.checked_isqrt()),
                Instruction::CellAt { offset, length } => {
                    let index = sure!(u32::try_from(register).ok().filter(|index| *index < length));
                    let index = if planted(Wrong::ArrayFromItsEnd) { length - 1 - index } else { index };
                    register = position[place(offset) + place(index)];
                }
                Instruction::EntryAt(list) => {
                    let index = sure!(usize::try_from(register).ok());
                    register = *sure!(self.lists[place(list)].get(index));
                }
                Instruction::Jump(to) => at = place(to),
                Instruction::If { holds, to, number } => {
                    if !compared(holds, register, number) {
                        at = place(to);
                    }
                }
                Instruction::IfCell { holds, to, cell } => {
                    if !compared(holds, register, position[place(cell)]) {
                        at = place(to);
                    }
                }
                Instruction::IfSlot { holds, to, slot } => {
                    if !compared(holds, register, slots[place(slot)]) {
                        at = place(to);
                    }
                }
                Instruction::CellIf { holds, cell, to, number } => {
                    if !compared(holds, position[usize::from(cell)], number) {
                        at = place(to);
                    }
                }
                Instruction::SumIf { holds, cell, to, plus, number } => {
                    if !compared(holds, sure!(position[usize::from(cell)].checked_add(plus)), number) {
                        at = place(to);
                    }
                }
                Instruction::SlotIf { holds, slot, to, number } => {
                    if !compared(holds, slots[usize::from(slot)], number) {
                        at = place(to);
                    }
                }
                Instruction::IfListed { wanted, to, list } => {
                    if self.lists[place(list)].contains(&register) != wanted {
                        at = place(to);
                    }
                }
                Instruction::IfPrime { wanted, to } => {
                    if number::is_prime(register) != wanted {
                        at = place(to);
                    }
                }
                Instruction::Begin { slot, last, to } => {
                    if slots[place(slot)] > slots[place(last)] {
                        at = place(to);
                    }
                }
                Instruction::Next { slot, last, to } => {
                    let value = slots[place(slot)];
                    *steps += 1;
                    if *steps > STEP_LIMIT {
                        return Stop::Doubt;
                    }
                    if value != slots[place(last)] {
                        slots[place(slot)] = sure!(value.checked_add(1));
                        at = place(to);
                    }
                }
                Instruction::Steps(more) => *steps += u64::from(more),
                Instruction::Copy(made) => {
                    if options.len() >= number::MOVE_LIMIT {
                        return Stop::Doubt;
                    }
                    row = options.begin(made, position);
                }
                Instruction::Put(cell) => options.put(row + place(cell), register),
                Instruction::PutNumber { cell, number } => options.put(row + place(cell), number),
                Instruction::PutCell { cell, from } => options.put(row + place(cell), position[place(from)]),
                Instruction::PutAffine { cell, affine } => {
                    let (value, doubtful) = affine.value(position);
                    if doubtful {
                        return Stop::Doubt;
                    }
                    options.put(row + usize::from(cell), value);
                }
                Instruction::PutPlus { cell, from, slot } => {
                    let value = sure!(position[place(from)].checked_add(slots[place(slot)]));
                    options.put(row + place(cell), value);
                }
                Instruction::PutMinus { cell, from, slot } => {
                    let value = sure!(position[place(from)].checked_sub(slots[place(slot)]));
                    options.put(row + place(cell), value);
                }
                Instruction::PutAt { offset, length, slot } => {
                    let index = slots[usize::from(slot)];
                    let index = sure!(u32::try_from(index).ok().filter(|index| *index < length));
                    options.put(row + place(offset) + place(index), register);
                }
                Instruction::Differs(slot) => {
                    if slots[place(slot)] == register {
                        return Stop::Doubt;
                    }
                }
                Instruction::DiffersFrom { slot, number } => {
                    if slots[place(slot)] == number {
                        return Stop::Doubt;
                    }
                }
                Instruction::Split => row = options.split(position, self.tail),
                Instruction::Legal(parts) => match self.judge(place(parts), slots, part, options) {
                    Stop::Holds => {}
                    Stop::Fails if planted(Wrong::IllegalMoveKept) && options.len() == 1 => {}
                    Stop::Fails => options.undo(),
                    _ => return Stop::Doubt,
                },
                Instruction::Doubt => return Stop::Doubt,
                Instruction::Spread(spread) => {
                    if !self.spreads[place(spread)].write(position, options) {
                        return Stop::Doubt;
                    }
                }
                Instruction::Patches(patches) => {
                    if !self.patches[place(patches)].write(position, options) {
                        return Stop::Doubt;
                    }
                }
                Instruction::Exact(made) => return Stop::Exact(place(made), at),
                Instruction::Holds => return Stop::Holds,
                Instruction::Fails => return Stop::Fails,
                Instruction::Word(word) => return Stop::Word(word),
                Instruction::End => return Stop::End,
            }
        }
        Stop::Doubt
    }

    /// Runs the condition `legal`, which has slots of its own, at each part of the last option.
    #[inline(never)]
    fn judge(&self, parts: usize, slots: &mut [i64], part: &mut Vec<i64>, options: &Options) -> Stop {
        let Some(legal) = self.legal else { return Stop::Holds };
        let mut row = std::mem::take(part);
        let option = options.last();
        let (states, tail) = option.split_at(option.len().saturating_sub(self.tail));
        let mut stop = Stop::Holds;
        for state in states.chunks((states.len() / parts.max(1)).max(1)) {
            row.clear();
            row.extend_from_slice(state);
            row.extend_from_slice(tail);
            // each is asked with the whole number of steps
            stop = self.run_on(legal, &row, slots, part, &mut self.steps.clone(), &mut Options::default());
            if stop != Stop::Holds {
                break;
            }
        }
        *part = row;
        stop
    }
}

#[inline(always)]
fn compared(comparison: Comparison, a: i64, b: i64) -> bool {
    match comparison {
        Comparison::Less => a < b,
        Comparison::AtMost if planted(Wrong::AtMostIsLess) => a < b,
        Comparison::AtMost => a <= b,
        Comparison::Greater => a > b,
        Comparison::AtLeast => a >= b,
        Comparison::Equal => a == b,
        Comparison::Unequal => a != b,
    }
}

/// A number of 32 bits as a place.
#[inline(always)]
pub(super) fn place(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
