//! Moves, instruction by instruction where they do not go into blocks.

use super::*;
use crate::faults::{Wrong, planted};

impl<'r> Lowering<'r> {
    /// Emits all moves, and the condition on what they lead to; says where they begin.
    pub(super) fn moves(&mut self) -> usize {
        let legal = self.rules.legal.is_some();
        let begin = self.listing.code.len();
        for (number, made) in (0..).zip(&self.rules.moves) {
            if let Some(instances) = self.instances(made).filter(|instances| !legal && !instances.is_empty()) {
                self.block(number, instances, begin);
            } else if self.part(|lowering| lowering.one_by_one(made, number)).is_none() {
                self.emit(Instruction::Exact(number));
            }
        }
        self.emit(Instruction::End);
        if legal && !self.legal() {
            self.listing.code.truncate(begin);
            for (number, _) in (0..).zip(&self.rules.moves) {
                self.emit(Instruction::Exact(number));
            }
            self.emit(Instruction::End);
        }
        begin
    }

    /// Lowers `legal` with slots of its own; whether that went well.
    fn legal(&mut self) -> bool {
        let Some(legal) = &self.rules.legal else { return true };
        self.base = self.most;
        self.free = self.base + short(self.rules.slots.values);
        self.most = self.most.max(self.free);
        self.listing.legal = self.part(|lowering| lowering.answer(legal));
        self.base = 0;
        self.free = short(self.rules.slots.values);
        self.listing.legal.is_some()
    }

    pub(super) fn one_by_one(&mut self, made: &'r Move, number: u32) -> Option<()> {
        self.loops(&made.clauses, &mut |lowering| {
            for (at, part) in made.parts.iter().enumerate() {
                lowering.emit(if at == 0 { Instruction::Copy(number) } else { Instruction::Split });
                lowering.write(part)?;
            }
            if lowering.rules.legal.is_some() && !planted(Wrong::LegalForgotten) {
                lowering.emit(Instruction::Legal(short(made.parts.len())));
            }
            Some(())
        })
    }

    /// Emits what writes a part over the copy of the position.
    fn write(&mut self, part: &'r MoveBody) -> Option<()> {
        match part {
            MoveBody::Position(coordinates) => {
                let mut offset = 0;
                for entry in &coordinates.entries {
                    match entry {
                        Coordinate::Int(int) => {
                            self.put(offset, int)?;
                            offset += 1;
                        }
                        Coordinate::List(list, length) => {
                            self.put_list(Array { offset, length: *length }, list)?;
                            offset += length;
                        }
                    }
                }
            }
            MoveBody::Assign(assignments) => self.assign(assignments)?,
        }
        if let Some(turn) = self.rules.turn {
            let turn = short(turn);
            self.emit(Instruction::Cell(turn));
            self.emit(Instruction::Negate);
            self.emit(Instruction::AddNumber(3));
            self.emit(Instruction::Put(turn));
        }
        Some(())
    }

    fn put(&mut self, offset: usize, int: &'r Int) -> Option<()> {
        let cell = short(offset);
        match self.operand(int) {
            Some(Operand::Cell(from)) if from == cell => return Some(()),
            Some(Operand::Cell(from)) => {
                self.emit(Instruction::PutCell { cell, from });
                return Some(());
            }
            Some(Operand::Number(number)) => {
                self.emit(Instruction::PutNumber { cell, number });
                return Some(());
            }
            _ => {}
        }
        if let (Some(affine), Ok(cell)) = (self.affine(int), u16::try_from(offset)) {
            self.emit(Instruction::PutAffine { cell, affine });
            return Some(());
        }
        if let IntKind::Binary(operator @ (Operator::Add | Operator::Sub), a, b) = &int.kind
            && let (Some(Operand::Cell(from)), Some(Operand::Slot(slot))) = (self.operand(a), self.operand(b))
        {
            self.emit(match operator {
                Operator::Add => Instruction::PutPlus { cell, from, slot },
                _ => Instruction::PutMinus { cell, from, slot },
            });
            return Some(());
        }
        self.load(int)?;
        self.emit(Instruction::Put(cell));
        Some(())
    }

    fn put_scalar(&mut self, offset: usize, scalar: &'r Scalar) -> Option<()> {
        match scalar {
            Scalar::Int(int) => self.put(offset, int),
            Scalar::Bool(bool) => {
                self.load_truth(bool)?;
                self.emit(Instruction::Put(short(offset)));
                Some(())
            }
        }
    }

    fn assign(&mut self, assignments: &'r [Assignment]) -> Option<()> {
        // the cells assigned so far: their array, and the index as a number or in a slot
        let mut assigned: Vec<(Array, Operand)> = Vec::new();
        for assignment in assignments {
            match assignment {
                Assignment::Variable(offset, int) => self.put(*offset, int)?,
                Assignment::Array(array, list) => self.put_list(*array, list)?,
                Assignment::Cell(array, index, int) => {
                    let known = self.number(index);
                    let index = match known {
                        Some(index) => Operand::Number(index),
                        None => {
                            self.load(index)?;
                            Operand::Slot(self.keep())
                        }
                    };
                    for (_, other) in assigned.iter().filter(|(other, _)| other == array) {
                        match (index, *other) {
                            (Operand::Number(a), Operand::Number(b)) if a == b => self.emit(Instruction::Doubt),
                            (Operand::Slot(slot), Operand::Number(number))
                            | (Operand::Number(number), Operand::Slot(slot)) => {
                                self.emit(Instruction::DiffersFrom { slot, number });
                            }
                            (Operand::Slot(a), Operand::Slot(b)) => {
                                self.emit(Instruction::Slot(a));
                                self.emit(Instruction::Differs(b));
                            }
                            _ => {}
                        }
                    }
                    assigned.push((*array, index));
                    let Array { offset, length } = *array;
                    match index {
                        Operand::Slot(slot) => {
                            self.load(int)?;
                            let slot = u16::try_from(slot).ok()?;
                            self.emit(Instruction::PutAt { offset: short(offset), length: short(length), slot });
                        }
                        _ => {
                            let index = known.and_then(|index| usize::try_from(index).ok());
                            let Some(index) = index.filter(|index| *index < length) else {
                                self.emit(Instruction::Doubt);
                                continue;
                            };
                            self.load(int)?;
                            self.emit(Instruction::Put(short(offset + index)));
                        }
                    }
                }
            }
        }
        Some(())
    }

    /// Writes a list whose length is known here over an array.
    fn put_list(&mut self, array: Array, list: &'r List) -> Option<()> {
        let Array { offset, length } = array;
        let count = self.put_entries(offset, length, list)?;
        (count == length).then_some(())
    }

    /// Writes the entries of a list from an offset on; how many they are.
    fn put_entries(&mut self, offset: usize, most: usize, list: &'r List) -> Option<usize> {
        match &list.kind {
            ListKind::Items(items) => {
                for (at, item) in items.iter().enumerate().take(most) {
                    self.put_scalar(offset + at, item)?;
                }
                Some(items.len())
            }
            ListKind::Over(over) => {
                let fixed = std::mem::replace(&mut self.fixed, true);
                let mut count = 0;
                self.loops(&over.clauses, &mut |lowering| {
                    if count == most {
                        return None;
                    }
                    // inside of an entry loops may run again
                    lowering.fixed = fixed;
                    lowering.put_scalar(offset + count, &over.body)?;
                    lowering.fixed = true;
                    count += 1;
                    Some(())
                })?;
                self.fixed = fixed;
                Some(count)
            }
            ListKind::Repeated(inner, times) => {
                let times = usize::try_from(self.number(times)?).ok()?;
                let mut count = 0;
                for _ in 0..times {
                    if count > most {
                        return None;
                    }
                    count += self.put_entries(offset + count, most - count, inner)?;
                }
                Some(count)
            }
            ListKind::If(condition, yes, no) => {
                let (mut fails, mut done) = (Vec::new(), Vec::new());
                self.unless(condition, true, &mut fails)?;
                let yes = self.put_entries(offset, most, yes)?;
                self.emit_jump(&mut done, Instruction::Jump(0));
                self.land(&fails);
                let no = self.put_entries(offset, most, no)?;
                self.land(&done);
                (yes == no).then_some(yes)
            }
            _ => {
                let entries = self.entries(list)?;
                for (at, entry) in entries.iter().enumerate().take(most) {
                    let cell = short(offset + at);
                    match *entry {
                        Operand::Number(number) => self.emit(Instruction::PutNumber { cell, number }),
                        Operand::Cell(from) if from == cell => {}
                        Operand::Cell(from) => self.emit(Instruction::PutCell { cell, from }),
                        Operand::Slot(slot) => {
                            self.emit(Instruction::Slot(slot));
                            self.emit(Instruction::Put(cell));
                        }
                    }
                }
                Some(entries.len())
            }
        }
    }
}
