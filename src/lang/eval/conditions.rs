//! Conditions, those over moves and other positions included.

use super::*;

impl<'s> Reader<'_, 's> {
    /// The truth of a condition.
    #[inline]
    pub(super) fn bool(&mut self, bool: &Bool) -> Value<bool> {
        self.truth(bool).map(|truth| truth != 0)
    }

    /// The same as 0 or 1: a whole number is handed back in a register, where a truth would need memory.
    fn truth(&mut self, bool: &Bool) -> Value<i64> {
        self.bool_here(bool).map(i64::from)
    }

    /// The same without a call, if it compares what stands ready, as most do.
    #[inline(always)]
    pub(super) fn bool_here(&mut self, bool: &Bool) -> Value<bool> {
        match bool.compared {
            Compared::Number(comparison, at, number) => Ok(holds(comparison, self.position[at], number)),
            Compared::Sum(comparison, a, b, number) => match self.position[a].checked_add(self.position[b]) {
                Some(sum) => Ok(holds(comparison, sum, number)),
                None => self.long_truth(bool).map(|truth| truth != 0),
            },
            Compared::Variables(comparison, a, b) => Ok(holds(comparison, self.position[a], self.position[b])),
            Compared::Two(..) | Compared::Long => self.long_truth(bool).map(|truth| truth != 0),
        }
    }

    /// Any other comparison, and next in number is what joins them.
    #[inline(never)]
    fn long_truth(&mut self, bool: &Bool) -> Value<i64> {
        if let Compared::Two(comparison, a, b) = bool.compared
            && let (Some(a), Some(b)) = (self.operand(a), self.operand(b))
        {
            return Ok(i64::from(holds(comparison, a, b)));
        }
        Ok(i64::from(match &bool.kind {
            BoolKind::Compare(comparison, a, b) => self.compare(*comparison, a, b)?,
            BoolKind::Truth(truth) => *truth,
            BoolKind::And(a, b) | BoolKind::Or(a, b) => {
                let first = self.joined(a)?;
                // where it decides, the second is not asked
                let decides = first == matches!(bool.kind, BoolKind::Or(..));
                if decides { first } else { self.joined(b)? }
            }
            BoolKind::Not(operand) => !self.bool_here(operand)?,
            _ => return self.other(bool).map(i64::from),
        }))
    }

    /// A condition joined with another: any comparison without a call.
    #[inline(always)]
    fn joined(&mut self, bool: &Bool) -> Value<bool> {
        match (bool.compared, &bool.kind) {
            (Compared::Two(..) | Compared::Long, BoolKind::Compare(comparison, a, b)) => {
                self.compare(*comparison, a, b)
            }
            _ => self.bool_here(bool),
        }
    }

    /// Two numbers compared; a missing one with nothing.
    #[inline(always)]
    fn compare(&mut self, comparison: Comparison, a: &Int, b: &Int) -> Value<bool> {
        match self.two(a, b) {
            Ok((a, b)) => Ok(holds(comparison, a, b)),
            Err(Halt::Missing) => Ok(false),
            Err(halt) => Err(halt),
        }
    }

    #[inline(never)]
    fn other(&mut self, bool: &Bool) -> Value<bool> {
        match &bool.kind {
            BoolKind::Compare(..) | BoolKind::Truth(_) | BoolKind::Not(_) | BoolKind::And(..) | BoolKind::Or(..) => {
                self.bool(bool)
            }
            BoolKind::Loop(slot) => Ok(self.around.values[*slot] != 0),
            BoolKind::Entry(list, index) => self.entry(list, index, bool.span).map(|value| value != 0),
            BoolKind::If(condition, yes, no) => {
                if self.bool(condition)? {
                    self.bool(yes)
                } else {
                    self.bool(no)
                }
            }
            BoolKind::SameTruth(unequal, a, b) => Ok((self.bool(a)? == self.bool(b)?) != *unequal),
            BoolKind::SameList(unequal, a, b) => {
                let (a, b) = (present(self.list(a))?, present(self.list(b))?);
                let Some((a, b)) = a.zip(b) else { return Ok(false) };
                same_list(&a, &b, bool.span).map(|same| same != *unequal)
            }
            BoolKind::In(negated, needle, range) => self.is_in(*negated, needle, range),
            BoolKind::TruthIn(negated, needle, list) => {
                let value = i64::from(self.bool(needle)?);
                let list = present(self.list(list))?;
                Ok(list.is_some_and(|list| list.contains(&value) != *negated))
            }
            BoolKind::RowIn(negated, needle, table) => {
                let row = present(self.list(needle))?;
                let table = present(self.table(table))?;
                let Some((row, table)) = row.zip(table) else { return Ok(false) };
                for other in table.iter() {
                    if same_list(&row, other, bool.span)? {
                        return Ok(!negated);
                    }
                }
                Ok(*negated)
            }
            BoolKind::IsPrime(operand) => match present(self.int(operand))? {
                Some(value) => Ok(number::is_prime(value)),
                None => Ok(false),
            },
            BoolKind::Any(over) => {
                let mut found = false;
                let whole = self.over(&over.clauses, &mut |reader| {
                    found = reader.bool(&over.body)?;
                    Ok(if found { Flow::Off } else { Flow::On })
                });
                // a loop over a list with a missing value is like a comparison with it
                Ok(present(whole)?.is_some() && found)
            }
            BoolKind::All(over) => {
                let mut holds = true;
                let whole = self.over(&over.clauses, &mut |reader| {
                    holds = reader.bool(&over.body)?;
                    Ok(if holds { Flow::On } else { Flow::Off })
                });
                Ok(present(whole)?.is_some() && holds)
            }
            BoolKind::End => self.seen(|sight, position| sight.options(position, &mut Options::default())),
            BoolKind::Goal => self.seen(|sight, position| sight.is_goal(position)),
            BoolKind::Solvable => {
                Ok(self.seen(|sight, position| sight.quantity(position, Quantity::Distance))?.is_some())
            }
            BoolKind::Outcome(outcome) => Ok(self.seen(|sight, position| sight.outcome(position))? == *outcome),
            BoolKind::Class(class) => {
                Ok(self.seen(|sight, position| sight.class_within(position, *class))? == Some(*class))
            }
            BoolKind::Within(bound) => Ok(self.seen(|sight, position| sight.class_within(position, *bound))?.is_some()),
            BoolKind::Moves(over) => self.over_moves(over),
            BoolKind::At(formula, coordinates) => {
                let mut position = self.position.to_vec();
                self.coordinates(coordinates, &mut position)?;
                self.elsewhere(&position, formula)
            }
        }
    }

    fn is_in(&mut self, negated: bool, needle: &Int, range: &Range) -> Value<bool> {
        let value = present(self.int(needle))?;
        let found = match range {
            Range::Span { low, high, inclusive } => {
                let (low, high) = (self.int(low)?, self.int(high)?);
                value.map(|value| low <= value && if *inclusive { value <= high } else { value < high })
            }
            Range::List(list) => {
                let list = present(self.list(list))?;
                value.zip(list).map(|(value, list)| list.contains(&value))
            }
            Range::Table(_) => value.map(|_| false),
        };
        Ok(found.is_some_and(|found| found != negated))
    }

    /// `can` and `must`: the formula at the options, as far as it is needed.
    fn over_moves(&mut self, over: &OverMoves) -> Value<bool> {
        let mut options = Options::default();
        let terminal = self.seen(|sight, position| sight.options(position, &mut options))?;
        if terminal {
            return Ok(false);
        }
        let mut met = false;
        for (made, option) in options.iter() {
            if over.named.as_ref().is_some_and(|named| !named[made]) {
                continue;
            }
            met = true;
            let holds = self.elsewhere(option, &over.formula)?;
            if holds != over.must {
                return Ok(holds);
            }
        }
        Ok(over.must && met)
    }

    /// A formula at another position, with the same parameters and loop variables; its own loops have others. The steps
    /// that it takes are counted from here, and forgotten.
    fn elsewhere(&mut self, position: &[i64], formula: &Bool) -> Value<bool> {
        let steps = self.around.steps;
        let holds = Reader { position, around: &mut *self.around }.bool(formula);
        self.around.steps = steps;
        holds
    }

    /// What the engine knows of the position.
    pub(super) fn seen<T>(&mut self, see: impl FnOnce(&mut (dyn Sight + 's), &[i64]) -> Value<T>) -> Value<T> {
        match self.around.sight.as_deref_mut() {
            Some(sight) => see(sight, self.position),
            None => Err(Halt::Missing),
        }
    }
}

/// Whether a comparison holds, without a way of its own for each.
#[inline(always)]
const fn holds(comparison: Comparison, a: i64, b: i64) -> bool {
    if a < b {
        matches!(comparison, Comparison::Less | Comparison::AtMost | Comparison::Unequal)
    } else if a == b {
        matches!(comparison, Comparison::AtMost | Comparison::AtLeast | Comparison::Equal)
    } else {
        matches!(comparison, Comparison::Greater | Comparison::AtLeast | Comparison::Unequal)
    }
}

fn same_list(a: &[i64], b: &[i64], span: Span) -> Value<bool> {
    if a.len() == b.len() { Ok(a == b) } else { Err(Halt::fault(Fault::LengthsDiffer(a.len(), b.len()), span)) }
}
