//! Numbers into the register.

use super::*;
use crate::faults::{Wrong, planted};

impl<'r> Lowering<'r> {
    /// The value of a number that is the same at every position.
    pub(in super::super) fn number(&self, int: &Int) -> Option<i64> {
        match self.operand(int)? {
            Operand::Number(value) => Some(value),
            _ => None,
        }
    }

    /// The cell that a number is.
    pub(in super::super) fn cell(&self, int: &Int) -> Option<u32> {
        match self.operand(int)? {
            Operand::Cell(cell) => Some(cell),
            _ => None,
        }
    }

    /// A number that needs no computing.
    pub(super) fn operand(&self, int: &Int) -> Option<Operand> {
        self.effort.set(self.effort.get().saturating_add(1));
        if self.effort.get() > EFFORT_LIMIT {
            return None;
        }
        let both = |a: &Int, b: &Int| Some((self.number(a)?, self.number(b)?));
        let value = match &int.kind {
            IntKind::Number(value) => *value,
            IntKind::Variable(offset) => return Some(Operand::Cell(short(*offset))),
            IntKind::Loop(slot) => {
                return Some(match self.values[*slot] {
                    Known::Open => Operand::Slot(self.base + short(*slot)),
                    Known::Number(value) => Operand::Number(value),
                    Known::Cell(cell) => Operand::Cell(cell),
                });
            }
            IntKind::Cell(array, index) => {
                let index = usize::try_from(self.number(index)?).ok().filter(|index| *index < array.length)?;
                return Some(Operand::Cell(short(array.offset + index)));
            }
            IntKind::Entry(list, index) => {
                let index = usize::try_from(self.number(index)?).ok()?;
                match &list.kind {
                    ListKind::Constant(values) => *values.get(index)?,
                    ListKind::LoopRow(slot) => *self.rows[*slot]?.get(index)?,
                    _ => return None,
                }
            }
            IntKind::Negative(operand) => self.number(operand)?.checked_neg()?,
            IntKind::Binary(operator, a, b) => {
                let (a, b) = both(a, b)?;
                match operator {
                    Operator::Add => a.checked_add(b)?,
                    Operator::Sub => a.checked_sub(b)?,
                    Operator::Mul => a.checked_mul(b)?,
                    Operator::FloorDiv => number::floor_div(a, b).ok()?,
                    Operator::ExactDiv => number::exact_div(a, b).ok()?,
                    Operator::FloorMod => number::floor_mod(a, b).ok()?,
                    Operator::Pow => number::pow(a, b).ok()?,
                }
            }
            IntKind::CeilDiv(a, b) => {
                let (a, b) = both(a, b)?;
                number::ceil_div(a, b).ok()?
            }
            IntKind::Function(function, operand) => {
                let value = self.number(operand)?;
                match function {
                    Function::Abs => value.checked_abs()?,
                    Function::Sign => value.signum(),
                    Function::Isqrt => value.checked_isqrt()?,
                }
            }
            IntKind::Fold(fold @ (Fold::Min | Fold::Max), operands) => {
                let values: Vec<i64> = operands.iter().map(|operand| self.number(operand)).collect::<Option<_>>()?;
                if *fold == Fold::Min { *values.iter().min()? } else { *values.iter().max()? }
            }
            IntKind::If(condition, yes, no) => {
                return self.operand(if self.truth(condition)? { yes } else { no });
            }
            IntKind::Length(list) => match &list.kind {
                ListKind::Constant(values) => i64::try_from(values.len()).ok()?,
                ListKind::Array(array) => i64::try_from(array.length).ok()?,
                _ => return None,
            },
            _ => return None,
        };
        Some(Operand::Number(value))
    }

    /// Emits what brings a number into the register.
    pub(super) fn load(&mut self, int: &'r Int) -> Option<()> {
        if let Some(operand) = self.operand(int) {
            self.load_operand(operand);
            return Some(());
        }
        match &int.kind {
            IntKind::Cell(array, index) => {
                self.load(index)?;
                let Array { offset, length } = *array;
                self.emit(Instruction::CellAt { offset: short(offset), length: short(length) });
            }
            IntKind::Entry(list, index) => {
                let ListKind::Constant(values) = &list.kind else { return None };
                self.load(index)?;
                let list = self.list(Arc::clone(values));
                self.emit(Instruction::EntryAt(list));
            }
            IntKind::Negative(operand) => {
                self.load(operand)?;
                self.emit(Instruction::Negate);
            }
            IntKind::Binary(operator, a, b) => self.load_binary(*operator, a, b)?,
            IntKind::CeilDiv(a, b) => self.load_with(Operation::CeilDiv, a, b)?,
            IntKind::If(condition, yes, no) => {
                let (mut fails, mut done) = (Vec::new(), Vec::new());
                self.unless(condition, true, &mut fails)?;
                self.load(yes)?;
                self.emit_jump(&mut done, Instruction::Jump(0));
                self.land(&fails);
                self.load(no)?;
                self.land(&done);
            }
            IntKind::Function(function, operand) => {
                self.load(operand)?;
                self.emit(match function {
                    Function::Abs => Instruction::Abs,
                    Function::Sign => Instruction::Sign,
                    Function::Isqrt => Instruction::Isqrt,
                });
            }
            IntKind::Fold(fold, operands) => {
                let (first, rest) = operands.split_first()?;
                self.load(first)?;
                for operand in rest {
                    self.fold_with(*fold, operand)?;
                }
                self.end_of_gcd(*fold);
            }
            IntKind::FoldList(fold, list) => self.fold_list(*fold, list)?,
            IntKind::FoldOver(fold, over) => self.fold_over(*fold, over)?,
            IntKind::Count(over) => self.count(over)?,
            _ => return None,
        }
        Some(())
    }

    pub(super) fn load_operand(&mut self, operand: Operand) {
        self.emit(match operand {
            Operand::Number(value) => Instruction::Number(value),
            Operand::Cell(cell) => Instruction::Cell(cell),
            Operand::Slot(slot) => Instruction::Slot(slot),
        });
    }

    fn load_binary(&mut self, operator: Operator, a: &'r Int, b: &'r Int) -> Option<()> {
        match operator {
            Operator::Add | Operator::Mul => {
                let (first, second) = match (self.operand(a), self.operand(b)) {
                    (_, Some(b)) => (a, b),
                    (Some(a), None) => (b, a),
                    (None, None) => {
                        self.load(b)?;
                        let kept = Operand::Slot(self.keep());
                        (a, kept)
                    }
                };
                self.load(first)?;
                self.emit(match (operator, second) {
                    (Operator::Add, Operand::Number(value)) => Instruction::AddNumber(value),
                    (Operator::Add, Operand::Cell(cell)) => Instruction::AddCell(cell),
                    (Operator::Add, Operand::Slot(slot)) => Instruction::AddSlot(slot),
                    (_, Operand::Number(value)) => Instruction::MulNumber(value),
                    (_, Operand::Cell(cell)) => Instruction::MulCell(cell),
                    (_, Operand::Slot(slot)) => Instruction::MulSlot(slot),
                });
            }
            Operator::Sub => match self.operand(b) {
                Some(Operand::Number(number)) if number != i64::MIN => {
                    self.load(a)?;
                    self.emit(Instruction::AddNumber(-number));
                }
                Some(Operand::Cell(cell)) => {
                    self.load(a)?;
                    self.emit(if planted(Wrong::DifferenceIsSum) {
                        Instruction::AddCell(cell)
                    } else {
                        Instruction::SubCell(cell)
                    });
                }
                Some(Operand::Slot(slot)) => {
                    self.load(a)?;
                    self.emit(Instruction::SubSlot(slot));
                }
                _ => self.load_with(Operation::Sub, a, b)?,
            },
            Operator::Pow if self.number(b) == Some(2) => {
                self.load(a)?;
                self.emit(Instruction::Square);
            }
            Operator::Pow => self.load_with(Operation::Pow, a, b)?,
            Operator::FloorDiv => self.load_with(Operation::FloorDiv, a, b)?,
            Operator::ExactDiv => self.load_with(Operation::ExactDiv, a, b)?,
            Operator::FloorMod => self.load_with(Operation::FloorMod, a, b)?,
        }
        Some(())
    }

    fn load_with(&mut self, operation: Operation, a: &'r Int, b: &'r Int) -> Option<()> {
        match self.operand(b) {
            Some(Operand::Number(number)) => {
                self.load(a)?;
                self.emit(Instruction::With(operation, number));
            }
            Some(Operand::Slot(slot)) => {
                self.load(a)?;
                self.emit(Instruction::WithSlot(operation, slot));
            }
            _ => {
                self.load(b)?;
                let slot = self.keep();
                self.load(a)?;
                self.emit(Instruction::WithSlot(operation, slot));
            }
        }
        Some(())
    }

    /// Folds one more number into the register.
    fn fold_with(&mut self, fold: Fold, operand: &'r Int) -> Option<()> {
        if let (Fold::Min | Fold::Max | Fold::Xor, Some(Operand::Number(number))) = (fold, self.operand(operand)) {
            let operation = operation_of(fold);
            self.emit(Instruction::With(operation, number));
            return Some(());
        }
        let before = self.keep();
        self.load(operand)?;
        self.fold_slot(fold, before);
        Some(())
    }

    /// Folds a slot, which comes first, with the register.
    fn fold_slot(&mut self, fold: Fold, before: u32) {
        self.emit(match fold {
            Fold::Sum => Instruction::AddSlot(before),
            Fold::Product => Instruction::MulSlot(before),
            fold => Instruction::WithSlot(operation_of(fold), before),
        });
    }

    /// The greatest common divisor of one number is not negative.
    fn end_of_gcd(&mut self, fold: Fold) {
        if fold == Fold::Gcd {
            self.emit(Instruction::With(Operation::Gcd, 0));
        }
    }

    fn fold_list(&mut self, fold: Fold, list: &'r List) -> Option<()> {
        let operands: Vec<Operand> = match &list.kind {
            ListKind::Constant(values) => values.iter().map(|value| Operand::Number(*value)).collect(),
            ListKind::Array(Array { offset, length }) => {
                (*offset..offset + length).map(|cell| Operand::Cell(short(cell))).collect()
            }
            ListKind::Over(over) => {
                let Scalar::Int(body) = &over.body else { return None };
                return self.fold_in(fold, &over.clauses, body);
            }
            _ => return None,
        };
        let mut operands = operands.into_iter();
        let Some(first) = operands.next() else {
            return self.fold_of_nothing(fold);
        };
        self.load_operand(first);
        for operand in operands {
            match (fold, operand) {
                (Fold::Sum, Operand::Cell(cell)) => self.emit(Instruction::AddCell(cell)),
                (Fold::Product, Operand::Cell(cell)) => self.emit(Instruction::MulCell(cell)),
                _ => {
                    let before = self.keep();
                    self.load_operand(operand);
                    self.fold_slot(fold, before);
                    self.free -= 1;
                }
            }
        }
        self.end_of_gcd(fold);
        Some(())
    }

    fn fold_of_nothing(&mut self, fold: Fold) -> Option<()> {
        let value = match fold {
            Fold::Min | Fold::Max => return None,
            Fold::Product => 1,
            Fold::Sum | Fold::Gcd | Fold::Xor => 0,
        };
        self.emit(Instruction::Number(value));
        Some(())
    }

    fn fold_over(&mut self, fold: Fold, over: &'r Over<Int>) -> Option<()> {
        self.fold_in(fold, &over.clauses, &over.body)
    }

    /// Folds the values of a loop. The least and the greatest of them begin with what none exceeds, and nothing may be
    /// seen of that.
    fn fold_in(&mut self, fold: Fold, clauses: &'r [Clause], body: &'r Int) -> Option<()> {
        let begin = match fold {
            Fold::Sum | Fold::Xor => 0,
            Fold::Product => 1,
            Fold::Min | Fold::Max | Fold::Gcd => return None,
        };
        self.emit(Instruction::Number(begin));
        let total = self.keep();
        self.loops(clauses, &mut |lowering| {
            lowering.load(body)?;
            lowering.fold_slot(fold, total);
            lowering.emit(Instruction::Keep(total));
            Some(())
        })?;
        self.emit(Instruction::Slot(total));
        Some(())
    }

    fn count(&mut self, over: &'r Over<Bool>) -> Option<()> {
        self.emit(Instruction::Number(0));
        let total = self.keep();
        self.loops(&over.clauses, &mut |lowering| {
            let mut fails = Vec::new();
            lowering.unless(&over.body, true, &mut fails)?;
            lowering.emit(Instruction::Slot(total));
            lowering.emit(Instruction::AddNumber(1));
            lowering.emit(Instruction::Keep(total));
            lowering.land(&fails);
            Some(())
        })?;
        self.emit(Instruction::Slot(total));
        Some(())
    }
}

fn operation_of(fold: Fold) -> Operation {
    match fold {
        Fold::Min => Operation::Min,
        Fold::Max => Operation::Max,
        Fold::Gcd => Operation::Gcd,
        Fold::Xor | Fold::Sum | Fold::Product => Operation::Xor,
    }
}
