//! Conditions as jumps.

use super::*;
use crate::faults::{Wrong, planted};

impl<'r> Lowering<'r> {
    /// The truth of a condition that is the same at every position.
    pub(super) fn truth(&self, bool: &Bool) -> Option<bool> {
        match &bool.kind {
            BoolKind::Truth(truth) => Some(*truth),
            BoolKind::Loop(slot) => match self.values[*slot] {
                Known::Number(value) => Some(value != 0),
                _ => None,
            },
            BoolKind::Not(operand) => self.truth(operand).map(|truth| !truth),
            BoolKind::And(a, b) => {
                if self.truth(a)? {
                    self.truth(b)
                } else {
                    Some(false)
                }
            }
            BoolKind::Or(a, b) => {
                if self.truth(a)? {
                    Some(true)
                } else {
                    self.truth(b)
                }
            }
            BoolKind::Compare(comparison, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                Some(match comparison {
                    Comparison::Less => a < b,
                    Comparison::AtMost => a <= b,
                    Comparison::Greater => a > b,
                    Comparison::AtLeast => a >= b,
                    Comparison::Equal => a == b,
                    Comparison::Unequal => a != b,
                })
            }
            BoolKind::In(negated, needle, range) => {
                let needle = self.number(needle)?;
                let found = match range.as_ref() {
                    Range::Span { low, high, inclusive } => {
                        let (low, high) = (self.number(low)?, self.number(high)?);
                        low <= needle && if *inclusive { needle <= high } else { needle < high }
                    }
                    Range::List(List { kind: ListKind::Constant(values), .. }) => values.contains(&needle),
                    Range::List(_) | Range::Table(_) => return None,
                };
                Some(found != *negated)
            }
            BoolKind::IsPrime(operand) => self.number(operand).map(number::is_prime),
            _ => None,
        }
    }

    /// Emits what jumps, if the condition is not as wanted; else it goes on behind.
    pub(super) fn unless(&mut self, bool: &'r Bool, wanted: bool, jumps: &mut Vec<usize>) -> Option<()> {
        if let Some(truth) = self.truth(bool) {
            if truth != wanted {
                self.emit_jump(jumps, Instruction::Jump(0));
            }
            return Some(());
        }
        match &bool.kind {
            BoolKind::Not(operand) => self.unless(operand, !wanted, jumps),
            BoolKind::And(a, b) if wanted && !planted(Wrong::AndAsOr) => {
                self.unless(a, true, jumps)?;
                self.unless(b, true, jumps)
            }
            BoolKind::Or(a, b) if !wanted => {
                self.unless(a, false, jumps)?;
                self.unless(b, false, jumps)
            }
            BoolKind::And(a, b) | BoolKind::Or(a, b) => {
                // one of the two is enough
                let mut enough = Vec::new();
                self.unless(a, !wanted, &mut enough)?;
                self.unless(b, wanted, jumps)?;
                self.land(&enough);
                Some(())
            }
            BoolKind::If(condition, yes, no) => {
                let (mut fails, mut done) = (Vec::new(), Vec::new());
                self.unless(condition, true, &mut fails)?;
                self.unless(yes, wanted, jumps)?;
                self.emit_jump(&mut done, Instruction::Jump(0));
                self.land(&fails);
                self.unless(no, wanted, jumps)?;
                self.land(&done);
                Some(())
            }
            BoolKind::Compare(comparison, a, b) => {
                let free = self.free;
                let holds = if wanted { *comparison } else { opposite(*comparison) };
                self.compare(holds, a, b, jumps)?;
                self.free = free;
                Some(())
            }
            BoolKind::In(negated, needle, range) => {
                let free = self.free;
                self.is_in(wanted != *negated, needle, range, jumps)?;
                self.free = free;
                Some(())
            }
            BoolKind::SameList(unequal, a, b) => {
                let free = self.free;
                self.same_list(wanted != *unequal, a, b, jumps)?;
                self.free = free;
                Some(())
            }
            BoolKind::IsPrime(operand) => {
                self.load(operand)?;
                self.emit_jump(jumps, Instruction::IfPrime { wanted, to: 0 });
                Some(())
            }
            BoolKind::Loop(slot) => {
                let operand = match self.values[*slot] {
                    Known::Cell(cell) => Operand::Cell(cell),
                    _ => Operand::Slot(self.base + short(*slot)),
                };
                self.load_operand(operand);
                let holds = if wanted { Comparison::Unequal } else { Comparison::Equal };
                self.emit_jump(jumps, Instruction::If { holds, to: 0, number: 0 });
                Some(())
            }
            BoolKind::Any(over) => self.until(over, true, wanted, jumps),
            BoolKind::All(over) => self.until(over, false, wanted, jumps),
            _ => None,
        }
    }

    fn compare(&mut self, holds: Comparison, a: &'r Int, b: &'r Int, jumps: &mut Vec<usize>) -> Option<()> {
        match (self.operand(a), self.operand(b)) {
            (Some(a), Some(b)) => self.compare_operands(holds, a, b, jumps),
            (None, Some(b)) => self.compare_with(holds, a, b, jumps)?,
            (Some(a), None) => self.compare_with(flipped(holds), b, a, jumps)?,
            (None, None) => {
                self.load(b)?;
                let slot = self.keep();
                self.load(a)?;
                self.compare_register(holds, Operand::Slot(slot), jumps);
            }
        }
        Some(())
    }

    /// Compares what must be computed with what need not.
    fn compare_with(&mut self, holds: Comparison, a: &'r Int, b: Operand, jumps: &mut Vec<usize>) -> Option<()> {
        if let (Some(Affine { from, times: 1, plus, by: 1 }), Operand::Number(number)) = (self.affine(a), b)
            && let Ok(cell) = u16::try_from(from)
        {
            self.emit_jump(jumps, Instruction::SumIf { holds, cell, to: 0, plus, number });
            return Some(());
        }
        self.load(a)?;
        self.compare_register(holds, b, jumps);
        Some(())
    }

    fn compare_operands(&mut self, holds: Comparison, a: Operand, b: Operand, jumps: &mut Vec<usize>) {
        match (a, b) {
            (Operand::Cell(cell), Operand::Number(number)) if u16::try_from(cell).is_ok() => {
                let cell = u16::try_from(cell).unwrap_or(u16::MAX);
                self.emit_jump(jumps, Instruction::CellIf { holds, cell, to: 0, number });
            }
            (Operand::Slot(slot), Operand::Number(number)) if u16::try_from(slot).is_ok() => {
                let slot = u16::try_from(slot).unwrap_or(u16::MAX);
                self.emit_jump(jumps, Instruction::SlotIf { holds, slot, to: 0, number });
            }
            (Operand::Number(_), Operand::Cell(_) | Operand::Slot(_)) => {
                self.compare_operands(flipped(holds), b, a, jumps);
            }
            _ => {
                self.load_operand(a);
                self.compare_register(holds, b, jumps);
            }
        }
    }

    fn compare_register(&mut self, holds: Comparison, with: Operand, jumps: &mut Vec<usize>) {
        let instruction = match with {
            Operand::Number(number) => Instruction::If { holds, to: 0, number },
            Operand::Cell(cell) => Instruction::IfCell { holds, to: 0, cell },
            Operand::Slot(slot) => Instruction::IfSlot { holds, to: 0, slot },
        };
        self.emit_jump(jumps, instruction);
    }

    /// Whether a number is in a range. All that is compared is computed first, since each may have no value.
    fn is_in(&mut self, wanted: bool, needle: &'r Int, range: &'r Range, jumps: &mut Vec<usize>) -> Option<()> {
        match range {
            Range::Span { low, high, inclusive } => {
                let (needle, low, high) = (self.settled(needle)?, self.settled(low)?, self.settled(high)?);
                let below = if *inclusive { Comparison::AtMost } else { Comparison::Less };
                if wanted {
                    self.compare_operands(Comparison::AtLeast, needle, low, jumps);
                    self.compare_operands(below, needle, high, jumps);
                } else {
                    let mut enough = Vec::new();
                    self.compare_operands(Comparison::AtLeast, needle, low, &mut enough);
                    self.compare_operands(opposite(below), needle, high, jumps);
                    self.land(&enough);
                }
            }
            Range::List(List { kind: ListKind::Constant(values), .. }) => {
                self.load(needle)?;
                let list = self.list(Arc::clone(values));
                self.emit_jump(jumps, Instruction::IfListed { wanted, to: 0, list });
            }
            Range::List(list) => {
                let needle = self.settled(needle)?;
                let entries = self.entries(list)?;
                self.one_of(wanted, needle, &entries, jumps);
            }
            Range::Table(_) => return None,
        }
        Some(())
    }

    /// Whether one of the entries equals the needle.
    fn one_of(&mut self, wanted: bool, needle: Operand, entries: &[Operand], jumps: &mut Vec<usize>) {
        if !wanted {
            for entry in entries {
                self.compare_operands(Comparison::Unequal, needle, *entry, jumps);
            }
            return;
        }
        let mut found = Vec::new();
        for entry in entries {
            self.compare_operands(Comparison::Unequal, needle, *entry, &mut found);
        }
        self.emit_jump(jumps, Instruction::Jump(0));
        self.land(&found);
    }

    fn same_list(&mut self, wanted: bool, a: &'r List, b: &'r List, jumps: &mut Vec<usize>) -> Option<()> {
        let (a, b) = (self.entries(a)?, self.entries(b)?);
        if a.len() != b.len() {
            return None;
        }
        if wanted {
            for (a, b) in a.iter().zip(&b) {
                self.compare_operands(Comparison::Equal, *a, *b, jumps);
            }
            return Some(());
        }
        let mut differ = Vec::new();
        for (a, b) in a.iter().zip(&b) {
            self.compare_operands(Comparison::Equal, *a, *b, &mut differ);
        }
        self.emit_jump(jumps, Instruction::Jump(0));
        self.land(&differ);
        Some(())
    }

    /// A number that can be compared at once: what must be computed waits in a slot.
    fn settled(&mut self, int: &'r Int) -> Option<Operand> {
        match self.operand(int) {
            Some(operand) => Some(operand),
            None => {
                self.load(int)?;
                Some(Operand::Slot(self.keep()))
            }
        }
    }

    /// The entries of a list, each as it can be compared at once.
    pub(super) fn entries(&mut self, list: &'r List) -> Option<Vec<Operand>> {
        match &list.kind {
            ListKind::Constant(values) => Some(values.iter().map(|value| Operand::Number(*value)).collect()),
            ListKind::Array(Array { offset, length }) => {
                Some((*offset..offset + length).map(|cell| Operand::Cell(short(cell))).collect())
            }
            ListKind::LoopRow(slot) => {
                self.rows[*slot].map(|row| row.iter().map(|value| Operand::Number(*value)).collect())
            }
            ListKind::Items(items) => items
                .iter()
                .map(|item| match item {
                    Scalar::Int(int) => self.settled(int),
                    Scalar::Bool(_) => None,
                })
                .collect(),
            ListKind::Over(over) => {
                let Scalar::Int(body) = &over.body else { return None };
                let fixed = std::mem::replace(&mut self.fixed, true);
                let mut entries = Vec::new();
                self.loops(&over.clauses, &mut |lowering| {
                    lowering.fixed = fixed;
                    entries.push(lowering.settled(body)?);
                    lowering.fixed = true;
                    Some(())
                })?;
                self.fixed = fixed;
                Some(entries)
            }
            _ => None,
        }
    }

    /// `any` is decided by the first condition that holds, `all` by the first that does not.
    fn until(&mut self, over: &'r Over<Bool>, decisive: bool, wanted: bool, jumps: &mut Vec<usize>) -> Option<()> {
        if decisive != wanted {
            return self.loops(&over.clauses, &mut |lowering| lowering.unless(&over.body, !decisive, jumps));
        }
        let mut decided = Vec::new();
        self.loops(&over.clauses, &mut |lowering| lowering.unless(&over.body, !decisive, &mut decided))?;
        self.emit_jump(jumps, Instruction::Jump(0));
        self.land(&decided);
        Some(())
    }

    /// Emits what brings a condition into the register, as 0 or 1.
    pub(super) fn load_truth(&mut self, bool: &'r Bool) -> Option<()> {
        let (mut fails, mut done) = (Vec::new(), Vec::new());
        self.unless(bool, true, &mut fails)?;
        self.emit(Instruction::Number(1));
        self.emit_jump(&mut done, Instruction::Jump(0));
        self.land(&fails);
        self.emit(Instruction::Number(0));
        self.land(&done);
        Some(())
    }
}

/// The comparison that holds where this one does not.
fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::AtLeast,
        Comparison::AtMost => Comparison::Greater,
        Comparison::Greater => Comparison::AtMost,
        Comparison::AtLeast => Comparison::Less,
        Comparison::Equal => Comparison::Unequal,
        Comparison::Unequal => Comparison::Equal,
    }
}
