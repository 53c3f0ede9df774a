//! Loops and guards: written out where they go over constants, else run.

use super::*;
use crate::faults::{Wrong, planted};

/// What stands inside loops.
type Inside<'f, 'r> = &'f mut dyn FnMut(&mut Lowering<'r>) -> Option<()>;

impl<'r> Lowering<'r> {
    /// Emits loops and guards around what `inside` emits.
    pub(super) fn loops(&mut self, clauses: &'r [Clause], inside: Inside<'_, 'r>) -> Option<()> {
        let Some((clause, rest)) = clauses.split_first() else {
            return inside(self);
        };
        if self.listing.code.len() > CODE_LIMIT {
            return None;
        }
        match clause {
            Clause::If(condition) => {
                match self.truth(condition) {
                    Some(true) => return self.loops(rest, inside),
                    Some(false) => return Some(()),
                    None if self.fixed => return None,
                    None => {}
                }
                let mut fails = Vec::new();
                self.unless(condition, true, &mut fails)?;
                self.loops(rest, inside)?;
                self.land(&fails);
                Some(())
            }
            Clause::For { binding: Binding::Value(slot), range, .. } => match range {
                Range::Span { low, high, inclusive } => {
                    if let Some(values) = self.span(low, high, *inclusive) {
                        let values: Vec<Known> = values.map(Known::Number).collect();
                        return self.write_out(*slot, &values, rest, inside);
                    }
                    self.run_span(*slot, (low, high, *inclusive), rest, inside)
                }
                Range::List(list) => self.loop_over_list(*slot, list, rest, inside),
                Range::Table(_) => Some(()),
            },
            Clause::For { binding, range: Range::Table(Table::Constant(rows)), .. } => {
                self.loop_over_rows(binding, rows, rest, inside)
            }
            Clause::For { .. } => None,
        }
    }

    /// The values of a range that is the same at every position, where they can all be written out.
    pub(super) fn span(&self, low: &Int, high: &Int, inclusive: bool) -> Option<std::ops::RangeInclusive<i64>> {
        let (low, high) = (self.number(low)?, self.number(high)?);
        let last = if inclusive { high } else { high.checked_sub(1)? };
        let count = usize::try_from((i128::from(last) - i128::from(low) + 1).max(0)).unwrap_or(usize::MAX);
        self.fits(count).then_some(low + i64::from(planted(Wrong::LoopWrittenOutBeginsLate))..=last)
    }

    /// Whether so many turns more can be written out.
    pub(super) fn fits(&self, turns: usize) -> bool {
        self.turns.saturating_mul(turns.max(1)) <= TURN_LIMIT
    }

    /// The same loop body for each value that is known.
    fn write_out(&mut self, slot: usize, values: &[Known], rest: &'r [Clause], inside: Inside<'_, 'r>) -> Option<()> {
        let turns = self.more_turns(values.len());
        let before = self.values[slot];
        for value in values {
            self.values[slot] = *value;
            self.loops(rest, inside)?;
        }
        self.values[slot] = before;
        self.turns = turns;
        Some(())
    }

    /// Notes a loop that is written out, and hands back what was noted before. Its turns are steps too: inside of a loop
    /// that runs they are counted with it, else once and for all.
    pub(super) fn more_turns(&mut self, turns: usize) -> usize {
        let before = self.turns;
        self.turns *= turns.max(1);
        match u32::try_from(turns) {
            Ok(turns) if self.running > 0 => self.emit(Instruction::Steps(turns)),
            _ => self.listing.steps += u64::try_from(turns).unwrap_or(u64::MAX),
        }
        before
    }

    fn run_span(
        &mut self,
        slot: usize,
        (low, high, inclusive): (&'r Int, &'r Int, bool),
        rest: &'r [Clause],
        inside: Inside<'_, 'r>,
    ) -> Option<()> {
        let value = self.base + short(slot);
        self.load(low)?;
        // loops inside of a bound may use the slot too
        let ready = self.operand(high).is_some();
        let first = if ready { value } else { self.slot() };
        self.emit(Instruction::Keep(first));
        self.load(high)?;
        if !inclusive || planted(Wrong::LoopThatRunsEndsEarly) {
            self.emit(Instruction::AddNumber(-1));
        }
        let last = self.keep();
        if !ready {
            self.emit(Instruction::Slot(first));
            self.emit(Instruction::Keep(value));
        }
        self.run(value, last, &mut |lowering| lowering.loops(rest, inside))
    }

    /// Runs a slot from the value that it has to the last one.
    fn run(&mut self, slot: u32, last: u32, inside: Inside<'_, 'r>) -> Option<()> {
        if self.fixed {
            return None;
        }
        let mut past = Vec::new();
        self.emit_jump(&mut past, Instruction::Begin { slot, last, to: 0 });
        let turn = self.here();
        self.running += 1;
        inside(self)?;
        self.running -= 1;
        self.emit(Instruction::Next { slot, last, to: turn });
        self.land(&past);
        Some(())
    }

    fn loop_over_list(
        &mut self,
        slot: usize,
        list: &'r List,
        rest: &'r [Clause],
        inside: Inside<'_, 'r>,
    ) -> Option<()> {
        let value = self.base + short(slot);
        match &list.kind {
            ListKind::Constant(values) if self.fits(values.len()) => {
                let values: Vec<Known> = values.iter().map(|value| Known::Number(*value)).collect();
                self.write_out(slot, &values, rest, inside)
            }
            ListKind::Constant(values) => {
                let list = self.list(Arc::clone(values));
                let count = values.len();
                self.run_index(count, &mut |lowering, index| {
                    lowering.emit(Instruction::Slot(index));
                    lowering.emit(Instruction::EntryAt(list));
                    lowering.emit(Instruction::Keep(value));
                    lowering.loops(rest, inside)
                })
            }
            ListKind::Array(Array { offset, length }) if self.fits(*length) => {
                let values: Vec<Known> = (*offset..offset + length).map(|cell| Known::Cell(short(cell))).collect();
                self.write_out(slot, &values, rest, inside)
            }
            ListKind::Array(Array { offset, length }) => {
                let (offset, length) = (short(*offset), short(*length));
                self.run_index(place_of(length), &mut |lowering, index| {
                    lowering.emit(Instruction::Slot(index));
                    lowering.emit(Instruction::CellAt { offset, length });
                    lowering.emit(Instruction::Keep(value));
                    lowering.loops(rest, inside)
                })
            }
            ListKind::Items(_) => {
                // all are computed before the first is used
                let entries = self.entries(list)?;
                if !self.fits(entries.len()) {
                    return None;
                }
                let turns = self.more_turns(entries.len());
                for entry in entries {
                    self.values[slot] = match entry {
                        Operand::Number(number) => Known::Number(number),
                        Operand::Cell(cell) => Known::Cell(cell),
                        Operand::Slot(slot) => {
                            self.emit(Instruction::Slot(slot));
                            self.emit(Instruction::Keep(value));
                            Known::Open
                        }
                    };
                    self.loops(rest, inside)?;
                }
                self.values[slot] = Known::Open;
                self.turns = turns;
                Some(())
            }
            _ => None,
        }
    }

    /// Runs an index from 0 to before `count`, in a slot of its own.
    fn run_index(&mut self, count: usize, inside: &mut dyn FnMut(&mut Self, u32) -> Option<()>) -> Option<()> {
        self.emit(Instruction::Number(i64::try_from(count).ok()?.checked_sub(1)?));
        let last = self.keep();
        self.emit(Instruction::Number(0));
        let index = self.keep();
        self.run(index, last, &mut |lowering| inside(lowering, index))
    }

    fn loop_over_rows(
        &mut self,
        binding: &'r Binding,
        rows: &'r [Vec<i64>],
        rest: &'r [Clause],
        inside: Inside<'_, 'r>,
    ) -> Option<()> {
        match binding {
            _ if !binds(binding, rows) => return None,
            _ if self.fits(rows.len()) => {}
            Binding::Entries(slots) => return self.run_rows(slots, rows, rest, inside),
            Binding::Row(_) | Binding::Value(_) => return None,
        }
        let turns = self.more_turns(rows.len());
        for row in rows {
            self.bind(binding, Some(row));
            self.loops(rest, inside)?;
        }
        self.bind(binding, None);
        self.turns = turns;
        Some(())
    }

    /// Lets loop variables be those of a row, or unknown again.
    pub(super) fn bind(&mut self, binding: &Binding, row: Option<&'r [i64]>) {
        match binding {
            Binding::Value(_) => {}
            Binding::Row(slot) => self.rows[*slot] = row,
            Binding::Entries(slots) => {
                for (at, slot) in slots.iter().enumerate() {
                    self.values[*slot] =
                        row.and_then(|row| row.get(at)).map_or(Known::Open, |value| Known::Number(*value));
                }
            }
        }
    }

    /// Runs through the rows of a table, whose entries stand one after the other in a list.
    fn run_rows(
        &mut self,
        slots: &'r [usize],
        rows: &'r [Vec<i64>],
        rest: &'r [Clause],
        inside: Inside<'_, 'r>,
    ) -> Option<()> {
        let width = i64::try_from(slots.len()).ok()?;
        let list = self.list(rows.concat().into());
        self.run_index(rows.len(), &mut |lowering, index| {
            for (at, slot) in (0..).zip(slots) {
                lowering.emit(Instruction::Slot(index));
                lowering.emit(Instruction::MulNumber(width));
                lowering.emit(Instruction::AddNumber(at));
                lowering.emit(Instruction::EntryAt(list));
                let slot = lowering.base + short(*slot);
                lowering.emit(Instruction::Keep(slot));
            }
            lowering.loops(rest, inside)
        })
    }
}

/// Whether each row has as many entries as there are variables for them.
pub(super) fn binds(binding: &Binding, rows: &[Vec<i64>]) -> bool {
    !matches!(binding, Binding::Entries(slots) if rows.iter().any(|row| row.len() != slots.len()))
}
