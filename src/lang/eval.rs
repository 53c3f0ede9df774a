//! The reference evaluator: the typed tree read as it stands, node by node. It knows no shortcut.
//!
//! The walker and the checker read rules and formulas through it. The fast engines run the compiled form in
//! `compile.rs`, which shares nothing with it but the arithmetic of `number.rs`.

mod moves;

pub use moves::{at_goal, look};

use std::ops::ControlFlow;
use std::sync::Arc;

use super::number::{self, Fault, STEP_LIMIT};
use super::sight::{Blind, Halt, Options, Sight};
use super::source::Span;
use super::syntax::{Comparison, Operator};
use super::tree::{
    Assignment, Binding, Bool, BoolKind, Clause, Coordinate, Coordinates, Fold, Function, Int, IntKind, List, ListKind,
    Move, MoveBody, OverMoves, Quantity, Range, Rows, Rules, Scalar, Slots, Table, Winner, WinnerWord,
};
use crate::value::Class;

/// Evaluates expressions at one position, for one combination of parameters.
pub struct Evaluator<'a> {
    position: &'a [i64],
    parameters: &'a [i64],
    values: Vec<i64>,
    rows: Vec<Vec<i64>>,
    steps: u64,
    sight: &'a mut dyn Sight,
}

type Value<T> = Result<T, Halt>;

impl<'a> Evaluator<'a> {
    /// An evaluator that sees the values of positions through `sight`.
    pub fn new(position: &'a [i64], parameters: &'a [i64], slots: Slots, sight: &'a mut dyn Sight) -> Self {
        Self {
            position,
            parameters,
            values: vec![0; slots.values],
            rows: vec![Vec::new(); slots.rows],
            steps: 0,
            sight,
        }
    }

    // ---- numbers

    /// The value of a number.
    ///
    /// # Errors
    ///
    /// A rule error, a missing value, or a limit.
    pub fn int(&mut self, int: &Int) -> Value<i64> {
        let checked = |result: Result<i64, Fault>| result.map_err(|fault| Halt::fault(fault, int.span));
        match &int.kind {
            IntKind::Number(value) => Ok(*value),
            IntKind::Variable(offset) => Ok(self.position[*offset]),
            IntKind::Parameter(place) => Ok(self.parameters[*place]),
            IntKind::Loop(slot) => Ok(self.values[*slot]),
            IntKind::Cell(array, index) => {
                let index = self.int(index)?;
                let cells = &self.position[array.offset..array.offset + array.length];
                entry(cells, index, int.span)
            }
            IntKind::Entry(list, index) => {
                let list = present(self.list(list))?;
                let index = self.int(index)?;
                entry(&list.ok_or(Halt::Missing)?, index, int.span)
            }
            IntKind::Negative(operand) => {
                let value = self.int(operand)?;
                checked(number::neg(value))
            }
            IntKind::Binary(operator, a, b) => {
                let (a, b) = self.two(a, b)?;
                checked(match operator {
                    Operator::Add => number::add(a, b),
                    Operator::Sub => number::sub(a, b),
                    Operator::Mul => number::mul(a, b),
                    Operator::FloorDiv => number::floor_div(a, b),
                    Operator::ExactDiv => number::exact_div(a, b),
                    Operator::FloorMod => number::floor_mod(a, b),
                    Operator::Pow => number::pow(a, b),
                })
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
                let mut values = Some(Vec::new());
                for operand in operands {
                    keep(&mut values, self.int(operand))?;
                }
                checked(folded(*fold, &values.ok_or(Halt::Missing)?))
            }
            IntKind::FoldList(fold, list) => {
                let values = self.list(list)?;
                checked(folded(*fold, &values))
            }
            IntKind::FoldOver(fold, over) => {
                let mut values = Some(Vec::new());
                self.over(&over.clauses, &mut |evaluator| {
                    keep(&mut values, evaluator.int(&over.body))?;
                    Ok(ControlFlow::Continue(()))
                })?;
                checked(folded(*fold, &values.ok_or(Halt::Missing)?))
            }
            IntKind::Count(over) => {
                let mut count = 0;
                self.over(&over.clauses, &mut |evaluator| {
                    count += i64::from(evaluator.bool(&over.body)?);
                    Ok(ControlFlow::Continue(()))
                })?;
                Ok(count)
            }
            IntKind::Length(list) => Ok(length(self.list(list)?.len())),
            IntKind::TableLength(table) => Ok(length(self.table(table)?.len())),
            IntKind::Value(quantity) => {
                let value = self.sight.quantity(self.position, *quantity).map_err(|halt| halt.placed(int.span))?;
                value.ok_or(Halt::Missing)
            }
        }
    }

    /// Two operands: both are evaluated, and a rule error in one goes before a missing value in the other.
    fn two(&mut self, a: &Int, b: &Int) -> Value<(i64, i64)> {
        let a = present(self.int(a))?;
        let b = present(self.int(b))?;
        a.zip(b).ok_or(Halt::Missing)
    }

    // ---- conditions

    /// The truth of a condition.
    ///
    /// # Errors
    ///
    /// A rule error or a limit.
    pub fn bool(&mut self, bool: &Bool) -> Value<bool> {
        match &bool.kind {
            BoolKind::Truth(truth) => Ok(*truth),
            BoolKind::Loop(slot) => Ok(self.values[*slot] != 0),
            BoolKind::Entry(list, index) => {
                let list = present(self.list(list))?;
                let index = self.int(index)?;
                entry(&list.ok_or(Halt::Missing)?, index, bool.span).map(|value| value != 0)
            }
            BoolKind::Not(operand) => Ok(!self.bool(operand)?),
            BoolKind::And(a, b) => Ok(self.bool(a)? && self.bool(b)?),
            BoolKind::Or(a, b) => Ok(self.bool(a)? || self.bool(b)?),
            BoolKind::If(condition, yes, no) => {
                if self.bool(condition)? {
                    self.bool(yes)
                } else {
                    self.bool(no)
                }
            }
            BoolKind::Compare(comparison, a, b) => {
                let Some((a, b)) = present(self.two(a, b))? else { return Ok(false) };
                Ok(match comparison {
                    Comparison::Less => a < b,
                    Comparison::AtMost => a <= b,
                    Comparison::Greater => a > b,
                    Comparison::AtLeast => a >= b,
                    Comparison::Equal => a == b,
                    Comparison::Unequal => a != b,
                })
            }
            BoolKind::SameTruth(unequal, a, b) => Ok((self.bool(a)? == self.bool(b)?) != *unequal),
            BoolKind::SameList(unequal, a, b) => {
                let (a, b) = (present(self.list(a))?, present(self.list(b))?);
                let Some((a, b)) = a.zip(b) else { return Ok(false) };
                same_list(&a, &b, bool.span).map(|same| same != *unequal)
            }
            BoolKind::In(negated, needle, range) => {
                let value = present(self.int(needle))?;
                let found = match range.as_ref() {
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
                Ok(found.is_some_and(|found| found != *negated))
            }
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
                let whole = self.over(&over.clauses, &mut |evaluator| {
                    found = evaluator.bool(&over.body)?;
                    Ok(if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
                });
                // a loop over a list with a missing value is like a comparison with it
                Ok(present(whole)?.is_some() && found)
            }
            BoolKind::All(over) => {
                let mut holds = true;
                let whole = self.over(&over.clauses, &mut |evaluator| {
                    holds = evaluator.bool(&over.body)?;
                    Ok(if holds { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
                });
                Ok(present(whole)?.is_some() && holds)
            }
            BoolKind::End => self.sight.options(self.position, &mut Options::default()),
            BoolKind::Goal => self.sight.is_goal(self.position),
            BoolKind::Solvable => Ok(self.sight.quantity(self.position, Quantity::Distance)?.is_some()),
            BoolKind::Outcome(outcome) => Ok(self.sight.outcome(self.position)? == *outcome),
            BoolKind::Class(class) => Ok(self.sight.class_within(self.position, *class)? == Some(*class)),
            BoolKind::Within(bound) => Ok(self.sight.class_within(self.position, *bound)?.is_some()),
            BoolKind::Moves(over) => self.over_moves(over),
            BoolKind::At(formula, coordinates) => {
                let mut position = self.position.to_vec();
                self.coordinates(coordinates, &mut position)?;
                self.elsewhere(&position, formula)
            }
        }
    }

    /// `can` and `must`: the formula at the options, as far as it is needed.
    fn over_moves(&mut self, over: &OverMoves) -> Value<bool> {
        let mut options = Options::default();
        let terminal = self.sight.options(self.position, &mut options)?;
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

    /// A formula at another position, with the same parameters and loop variables.
    fn elsewhere(&mut self, position: &[i64], formula: &Bool) -> Value<bool> {
        let mut inner = Evaluator {
            position,
            parameters: self.parameters,
            values: self.values.clone(),
            rows: self.rows.clone(),
            steps: self.steps,
            sight: &mut *self.sight,
        };
        inner.bool(formula)
    }

    // ---- lists

    /// The entries of a list; conditions as 0 and 1.
    ///
    /// # Errors
    ///
    /// A rule error, a missing value, or a limit.
    pub fn list(&mut self, list: &List) -> Value<Vec<i64>> {
        match &list.kind {
            ListKind::Constant(values) => Ok(values.to_vec()),
            ListKind::Array(array) => Ok(self.position[array.offset..array.offset + array.length].to_vec()),
            ListKind::Items(items) => {
                let mut values = Some(Vec::new());
                for item in items {
                    keep(&mut values, self.scalar(item))?;
                }
                values.ok_or(Halt::Missing)
            }
            ListKind::Over(over) => {
                let mut values = Some(Vec::new());
                self.over(&over.clauses, &mut |evaluator| {
                    keep(&mut values, evaluator.scalar(&over.body))?;
                    Ok(ControlFlow::Continue(()))
                })?;
                values.ok_or(Halt::Missing)
            }
            ListKind::Repeated(inner, times) => {
                let values = present(self.list(inner))?;
                let times = self.int(times)?;
                let values = values.ok_or(Halt::Missing)?;
                let fault = |fault| Halt::fault(fault, list.span);
                let times = u64::try_from(times).map_err(|_| fault(Fault::NegativeLength(times)))?;
                let size = u64::try_from(values.len()).unwrap_or(u64::MAX).saturating_mul(times);
                match usize::try_from(times) {
                    Ok(times) if size <= STEP_LIMIT => Ok(values.repeat(times)),
                    _ => Err(fault(Fault::TooLong(STEP_LIMIT))),
                }
            }
            ListKind::Row(table, index) => {
                let table = present(self.table(table))?;
                let index = self.int(index)?;
                let table = table.ok_or(Halt::Missing)?;
                let place = usize::try_from(index).ok().and_then(|index| table.get(index));
                place.cloned().ok_or_else(|| Halt::fault(Fault::OutsideList(index, table.len()), list.span))
            }
            ListKind::LoopRow(slot) => Ok(self.rows[*slot].clone()),
            ListKind::If(condition, yes, no) => {
                if self.bool(condition)? {
                    self.list(yes)
                } else {
                    self.list(no)
                }
            }
        }
    }

    fn scalar(&mut self, scalar: &Scalar) -> Value<i64> {
        match scalar {
            Scalar::Int(int) => self.int(int),
            Scalar::Bool(bool) => self.bool(bool).map(i64::from),
        }
    }

    /// The rows of a table.
    ///
    /// # Errors
    ///
    /// A rule error, a missing value, or a limit.
    pub fn table(&mut self, table: &Table) -> Value<Rows> {
        match table {
            Table::Constant(rows) => Ok(Arc::clone(rows)),
            Table::Items(lists) => {
                let mut rows = Some(Vec::new());
                for list in lists {
                    keep(&mut rows, self.list(list))?;
                }
                rows.map(Into::into).ok_or(Halt::Missing)
            }
            Table::Over(over) => {
                let mut rows = Some(Vec::new());
                self.over(&over.clauses, &mut |evaluator| {
                    keep(&mut rows, evaluator.list(&over.body))?;
                    Ok(ControlFlow::Continue(()))
                })?;
                rows.map(Into::into).ok_or(Halt::Missing)
            }
        }
    }

    /// Writes the entries of a position into the state part of `position`.
    ///
    /// # Errors
    ///
    /// A rule error, a missing value, or a limit.
    pub fn coordinates(&mut self, coordinates: &Coordinates, position: &mut [i64]) -> Value<()> {
        let mut offset = 0;
        for entry in &coordinates.entries {
            match entry {
                Coordinate::Int(int) => {
                    position[offset] = self.int(int)?;
                    offset += 1;
                }
                Coordinate::List(list, cells) => {
                    let values = self.cells(list, *cells)?;
                    position[offset..offset + cells].copy_from_slice(&values);
                    offset += cells;
                }
            }
        }
        Ok(())
    }

    fn cells(&mut self, list: &List, cells: usize) -> Value<Vec<i64>> {
        let values = self.list(list)?;
        if values.len() == cells {
            Ok(values)
        } else {
            Err(Halt::fault(Fault::ArrayLength { cells, values: values.len() }, list.span))
        }
    }

    // ---- loops

    /// The values of a range in order.
    ///
    /// # Errors
    ///
    /// A rule error in a bound, or a range that is too long to be listed.
    pub fn range(&mut self, range: &Range, span: Span, limit: u64) -> Value<Box<dyn Iterator<Item = i64>>> {
        match range {
            Range::Span { low, high, inclusive } => {
                let (low, high) = (self.int(low)?, self.int(high)?);
                let size = i128::from(high) - i128::from(low) + i128::from(*inclusive);
                if size > i128::from(limit) {
                    return Err(Halt::fault(Fault::TooLong(limit), span));
                }
                Ok(if *inclusive { Box::new(low..=high) } else { Box::new(low..high) })
            }
            Range::List(list) => Ok(Box::new(self.list(list)?.into_iter())),
            Range::Table(_) => Ok(Box::new(std::iter::empty())),
        }
    }

    /// Calls `inside` for each combination of the loops that passes the guards, until it breaks.
    ///
    /// # Errors
    ///
    /// Whatever `inside`, a range or a guard meets.
    fn over(&mut self, clauses: &[Clause], inside: &mut dyn FnMut(&mut Self) -> Value<ControlFlow<()>>) -> Value<()> {
        self.nest(clauses, inside).map(|_| ())
    }

    fn nest(
        &mut self,
        clauses: &[Clause],
        inside: &mut dyn FnMut(&mut Self) -> Value<ControlFlow<()>>,
    ) -> Value<ControlFlow<()>> {
        let Some((clause, rest)) = clauses.split_first() else {
            return inside(self);
        };
        match clause {
            Clause::If(condition) => {
                if self.bool(condition)? {
                    self.nest(rest, inside)
                } else {
                    Ok(ControlFlow::Continue(()))
                }
            }
            Clause::For { binding: Binding::Value(slot), range, span } => {
                for value in self.range(range, *span, u64::MAX)? {
                    self.step(*span)?;
                    self.values[*slot] = value;
                    if self.nest(rest, inside)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            Clause::For { binding, range, span } => {
                let Range::Table(table) = range else { return Ok(ControlFlow::Continue(())) };
                for row in self.table(table)?.iter() {
                    self.step(*span)?;
                    match binding {
                        Binding::Row(slot) => self.rows[*slot].clone_from(row),
                        Binding::Entries(slots) => {
                            if row.len() != slots.len() {
                                let fault = Fault::RowLength { names: slots.len(), entries: row.len() };
                                return Err(Halt::fault(fault, *span));
                            }
                            for (slot, value) in slots.iter().zip(row) {
                                self.values[*slot] = *value;
                            }
                        }
                        Binding::Value(_) => {}
                    }
                    if self.nest(rest, inside)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    fn step(&mut self, span: Span) -> Value<()> {
        self.steps += 1;
        if self.steps > STEP_LIMIT { Err(Halt::fault(Fault::TooLong(STEP_LIMIT), span)) } else { Ok(()) }
    }
}

/// The class on the side of `bound`, if it is within it.
#[must_use]
pub fn within(class: Option<Class>, bound: Class) -> Option<Class> {
    class.filter(|class| match (class, bound) {
        (Class::Win(k), Class::Win(most)) | (Class::Loss(k), Class::Loss(most)) => *k <= most,
        _ => false,
    })
}

/// Appends a value; once one is missing all are, but the rest is still evaluated.
fn keep<T>(values: &mut Option<Vec<T>>, value: Value<T>) -> Value<()> {
    match (present(value)?, &mut *values) {
        (Some(value), Some(kept)) => kept.push(value),
        _ => *values = None,
    }
    Ok(())
}

/// A missing value as none.
fn present<T>(value: Value<T>) -> Value<Option<T>> {
    match value {
        Ok(value) => Ok(Some(value)),
        Err(Halt::Missing) => Ok(None),
        Err(halt) => Err(halt),
    }
}

fn entry(list: &[i64], index: i64, span: Span) -> Value<i64> {
    usize::try_from(index)
        .ok()
        .and_then(|index| list.get(index))
        .copied()
        .ok_or_else(|| Halt::fault(Fault::OutsideList(index, list.len()), span))
}

fn same_list(a: &[i64], b: &[i64], span: Span) -> Value<bool> {
    if a.len() == b.len() { Ok(a == b) } else { Err(Halt::fault(Fault::LengthsDiffer(a.len(), b.len()), span)) }
}

fn length(entries: usize) -> i64 {
    i64::try_from(entries).unwrap_or(i64::MAX)
}

fn folded(fold: Fold, values: &[i64]) -> Result<i64, Fault> {
    match fold {
        Fold::Min => values.iter().min().copied().ok_or(Fault::OfNothing("min")),
        Fold::Max => values.iter().max().copied().ok_or(Fault::OfNothing("max")),
        Fold::Gcd => number::gcd(values),
        Fold::Xor => Ok(values.iter().fold(0, |a, b| a ^ b)),
        Fold::Sum => values.iter().try_fold(0, |a, b| number::add(a, *b)),
        Fold::Product => values.iter().try_fold(1, |a, b| number::mul(a, *b)),
    }
}
