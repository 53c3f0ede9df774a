//! Numbers.

use super::*;

impl Reader<'_, '_> {
    /// The value of a number.
    #[inline(never)]
    pub(super) fn int(&mut self, int: &Int) -> Value<i64> {
        self.int_here(int)
    }

    /// The same without a call for the commonest ones.
    #[inline(always)]
    pub(super) fn int_here(&mut self, int: &Int) -> Value<i64> {
        let value = match int.brief {
            Brief::Variable(at) => return Ok(self.position[at]),
            Brief::Plus(at, more) => self.position[at].checked_add(more),
            Brief::Times(at, times) => self.position[at].checked_mul(times),
            Brief::Number(number) => return Ok(number),
            Brief::Variables(step, a, b) => step.at_once(self.position[a], self.position[b]),
            Brief::WithLoop(step, at, slot) => step.at_once(self.position[at], self.around.values[slot]),
            Brief::Loop(slot) => return Ok(self.around.values[slot]),
            Brief::Cell(array, slot) => self.cell(array, slot),
            Brief::CellPlus(array, slot, more) => self.cell(array, slot).and_then(|cell| cell.checked_add(more)),
            Brief::Two(..) => None,
            Brief::Long => return self.long(int),
        };
        value.map_or_else(|| self.other_int(int), Ok)
    }

    /// The same where no loop is around. Each kind has a return of its own: one for all would ask again which it was.
    #[inline(always)]
    pub(super) fn int_outside_loops(&mut self, int: &Int) -> Value<i64> {
        match int.brief {
            Brief::Number(number) => return Ok(number),
            Brief::Variable(at) => return Ok(self.position[at]),
            Brief::Plus(at, more) => {
                if let Some(sum) = self.position[at].checked_add(more) {
                    return Ok(sum);
                }
            }
            Brief::Times(at, times) => {
                if let Some(product) = self.position[at].checked_mul(times) {
                    return Ok(product);
                }
            }
            _ => {}
        }
        self.int(int)
    }

    /// Any other one step.
    #[inline(never)]
    fn other_int(&mut self, int: &Int) -> Value<i64> {
        let value = match int.brief {
            Brief::Two(step, a, b) => self.operand(a).and_then(|a| self.operand(b).and_then(|b| step.value(a, b))),
            Brief::Variables(step, a, b) => step.value(self.position[a], self.position[b]),
            Brief::WithLoop(step, at, slot) => step.value(self.position[at], self.around.values[slot]),
            _ => None,
        };
        value.map_or_else(|| self.long(int), Ok)
    }

    #[inline(always)]
    pub(super) fn operand(&self, operand: Operand) -> Option<i64> {
        match operand {
            Operand::Variable(at) => Some(self.position[at]),
            Operand::Number(number) => Some(number),
            Operand::Loop(slot) => Some(self.around.values[slot]),
            Operand::Cell(array, slot) => self.cell(array, slot),
        }
    }

    #[inline(always)]
    fn cell(&self, array: Array, slot: usize) -> Option<i64> {
        let cell = usize::try_from(self.around.values[slot]).ok().filter(|cell| *cell < array.length)?;
        Some(self.position[array.offset + cell])
    }

    /// The value of a number in more than one step, or why a step has none.
    #[inline(never)]
    fn long(&mut self, int: &Int) -> Value<i64> {
        let IntKind::Binary(operator, a, b) = &int.kind else { return self.rare_int(int) };
        let (a, b) = self.two(a, b)?;
        let value = match operator {
            Operator::Add => number::add(a, b),
            Operator::Sub => number::sub(a, b),
            Operator::Mul => number::mul(a, b),
            Operator::FloorDiv => number::floor_div(a, b),
            Operator::ExactDiv => number::exact_div(a, b),
            Operator::FloorMod => number::floor_mod(a, b),
            Operator::Pow => number::pow(a, b),
        };
        value.map_err(|fault| Halt::fault(fault, int.span))
    }

    #[inline(never)]
    fn rare_int(&mut self, int: &Int) -> Value<i64> {
        let checked = |result: Result<i64, Fault>| result.map_err(|fault| Halt::fault(fault, int.span));
        match &int.kind {
            IntKind::Number(number) => Ok(*number),
            IntKind::Variable(at) => Ok(self.position[*at]),
            IntKind::Loop(slot) => Ok(self.around.values[*slot]),
            IntKind::Binary(..) => self.long(int),
            IntKind::Cell(array, index) => {
                let index = self.int(index)?;
                entry(&self.position[array.offset..array.offset + array.length], index, int.span)
            }
            IntKind::Parameter(place) => Ok(self.around.parameters[*place]),
            IntKind::Entry(list, index) => self.entry(list, index, int.span),
            IntKind::Negative(operand) => {
                let value = self.int(operand)?;
                checked(number::neg(value))
            }
            IntKind::If(condition, yes, no) => {
                if self.bool(condition)? {
                    self.int(yes)
                } else {
                    self.int(no)
                }
            }
            IntKind::Function(function, operand) => {
                let value = self.int(operand)?;
                checked(match function {
                    Function::Abs => number::abs(value),
                    Function::Sign => Ok(value.signum()),
                    Function::Isqrt => number::isqrt(value),
                })
            }
            IntKind::CeilDiv(a, b) => {
                let (a, b) = self.two(a, b)?;
                checked(number::ceil_div(a, b))
            }
            IntKind::Fold(fold, operands) => {
                let mut folding = Folding::new(*fold);
                for operand in operands {
                    folding.add(self.int(operand))?;
                }
                folding.end(int.span)
            }
            IntKind::FoldList(fold, list) => {
                let mut folding = Folding::new(*fold);
                for value in self.list(list)?.iter() {
                    folding.add(Ok(*value))?;
                }
                folding.end(int.span)
            }
            IntKind::FoldOver(fold, over) => {
                let mut folding = Folding::new(*fold);
                self.over(&over.clauses, &mut |reader| {
                    folding.add(reader.int(&over.body))?;
                    Ok(Flow::On)
                })?;
                folding.end(int.span)
            }
            IntKind::Count(over) => {
                let mut count = 0;
                self.over(&over.clauses, &mut |reader| {
                    count += i64::from(reader.bool(&over.body)?);
                    Ok(Flow::On)
                })?;
                Ok(count)
            }
            IntKind::Length(list) => Ok(length(self.list(list)?.len())),
            IntKind::TableLength(table) => Ok(length(self.table(table)?.len())),
            IntKind::Value(quantity) => {
                let value = self
                    .seen(|sight, position| sight.quantity(position, *quantity))
                    .map_err(|halt| halt.placed(int.span))?;
                value.ok_or(Halt::Missing)
            }
        }
    }

    /// Two operands: both are evaluated, and a rule error in one goes before a missing value in the other.
    #[inline(always)]
    pub(super) fn two(&mut self, a: &Int, b: &Int) -> Value<(i64, i64)> {
        match self.int_here(a) {
            Ok(a) => match b.brief {
                Brief::Number(b) => Ok((a, b)),
                _ => Ok((a, self.int_here(b)?)),
            },
            Err(halt) => Err(self.despite(halt, b)),
        }
    }

    #[cold]
    fn despite(&mut self, halt: Halt, b: &Int) -> Halt {
        if halt == Halt::Missing { self.int(b).err().unwrap_or(halt) } else { halt }
    }

    /// An entry of a list.
    pub(super) fn entry(&mut self, list: &List, index: &Int, span: Span) -> Value<i64> {
        let list = present(self.list(list))?;
        let index = self.int(index)?;
        entry(&list.ok_or(Halt::Missing)?, index, span)
    }
}

/// Values folded one by one. All of them are evaluated, so a rule error in one goes before a missing other, and both go
/// before an overflow of the fold.
struct Folding {
    fold: Fold,
    /// The fold so far, with nothing to begin with.
    value: Result<Option<i64>, Fault>,
    /// The greatest common divisor so far, which may need one bit more.
    divisor: u64,
    missing: bool,
}

impl Folding {
    fn new(fold: Fold) -> Self {
        Self { fold, value: Ok(None), divisor: 0, missing: false }
    }

    #[inline]
    fn add(&mut self, value: Value<i64>) -> Value<()> {
        let Some(value) = present(value)? else {
            self.missing = true;
            return Ok(());
        };
        self.divisor = match self.fold {
            Fold::Gcd => number::common_divisor(self.divisor, value.unsigned_abs()),
            _ => 0,
        };
        if let Ok(before) = self.value {
            let Some(before) = before else {
                self.value = Ok(Some(value));
                return Ok(());
            };
            let folded = match self.fold {
                Fold::Min => Ok(before.min(value)),
                Fold::Max => Ok(before.max(value)),
                Fold::Xor => Ok(before ^ value),
                Fold::Sum => number::add(before, value),
                Fold::Product => number::mul(before, value),
                Fold::Gcd => Ok(value),
            };
            self.value = folded.map(Some);
        }
        Ok(())
    }

    fn end(self, span: Span) -> Value<i64> {
        if self.missing {
            return Err(Halt::Missing);
        }
        let value = match (self.value, self.fold) {
            (Err(fault), _) => Err(fault),
            (Ok(None), Fold::Min) => Err(Fault::OfNothing("min")),
            (Ok(None), Fold::Max) => Err(Fault::OfNothing("max")),
            (Ok(None), Fold::Product) => Ok(1),
            (Ok(_), Fold::Gcd) => i64::try_from(self.divisor).map_err(|_| Fault::Overflow("gcd", 0, 0)),
            (Ok(value), _) => Ok(value.unwrap_or(0)),
        };
        value.map_err(|fault| Halt::fault(fault, span))
    }
}
