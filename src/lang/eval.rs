//! The reference evaluator: the typed tree read as it stands, node by node.
//!
//! The walker and the checker read rules and formulas through it. The fast engines run the compiled form in
//! `compile.rs`, which shares nothing with it but the arithmetic of `number.rs`. It is written to cost little, since the
//! walker goes far, but it prepares nothing: each node is read anew at each position, in the order in which it stands. Only
//! what a number comes to in one step, and what a condition compares, stands in the tree itself, see `tree/brief.rs` and
//! `tree/compared.rs`.

mod conditions;
mod lists;
mod loops;
mod making;
mod moves;
mod numbers;

pub use moves::{Reading, at_goal, look, look_at_end, look_at_more, look_at_some};

use std::borrow::Cow;

use loops::Flow;

use super::number::{self, Fault, STEP_LIMIT};
use super::sight::{Halt, Options, Sight};
use super::source::Span;
use super::syntax::{Comparison, Operator};
use super::tree::{
    Array, Assignment, Binding, Bool, BoolKind, Brief, Clause, Compared, Coordinate, Coordinates, Fold, Function, Int,
    IntKind, List, ListKind, Move, MoveBody, Operand, OverMoves, Quantity, Range, Rows, Rules, Scalar, Slots, Table,
    Winner, WinnerWord,
};
use crate::value::Class;

type Value<T> = Result<T, Halt>;

/// Evaluates expressions at one position, for one combination of parameters.
pub struct Evaluator<'a> {
    position: &'a [i64],
    around: Around<'a>,
}

/// What expressions read besides the position, kept from position to position.
struct Around<'s> {
    /// The loop variables; there is room for them once a loop sets one.
    values: Vec<i64>,
    rows: Vec<Vec<i64>>,
    slots: Slots,
    /// How many steps the loops have taken.
    steps: u64,
    parameters: &'s [i64],
    /// Rules read no values of positions and have none.
    sight: Option<&'s mut dyn Sight>,
}

impl<'s> Around<'s> {
    #[inline]
    fn new(slots: Slots, parameters: &'s [i64], sight: Option<&'s mut dyn Sight>) -> Self {
        Self { values: Vec::new(), rows: Vec::new(), slots, steps: 0, parameters, sight }
    }

    /// Sets a loop variable.
    #[inline(always)]
    fn set(&mut self, slot: usize, value: i64) {
        match self.values.get_mut(slot) {
            Some(variable) => *variable = value,
            None => self.begin(slot, value),
        }
    }

    /// Sets the first one.
    #[cold]
    fn begin(&mut self, slot: usize, value: i64) {
        self.values.resize(self.slots.values.max(slot + 1), 0);
        self.values[slot] = value;
    }
}

/// Reads the tree. What it knows is borrowed, so that it is made at no cost for each position.
struct Reader<'r, 's> {
    position: &'r [i64],
    around: &'r mut Around<'s>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that sees the values of positions through `sight`.
    pub fn new(position: &'a [i64], parameters: &'a [i64], slots: Slots, sight: &'a mut dyn Sight) -> Self {
        Self { position, around: Around::new(slots, parameters, Some(sight)) }
    }

    fn reader(&mut self) -> Reader<'_, 'a> {
        Reader { position: self.position, around: &mut self.around }
    }

    /// The value of a number.
    ///
    /// # Errors
    ///
    /// A rule error, a missing value, or a limit.
    pub fn int(&mut self, int: &Int) -> Value<i64> {
        self.reader().int(int)
    }

    /// The truth of a condition.
    ///
    /// # Errors
    ///
    /// A rule error or a limit.
    pub fn bool(&mut self, bool: &Bool) -> Value<bool> {
        self.reader().bool(bool)
    }

    /// The entries of a list; conditions as 0 and 1.
    ///
    /// # Errors
    ///
    /// A rule error, a missing value, or a limit.
    pub fn list(&mut self, list: &List) -> Value<Vec<i64>> {
        self.reader().list(list).map(Cow::into_owned)
    }

    /// The rows of a table.
    ///
    /// # Errors
    ///
    /// A rule error, a missing value, or a limit.
    pub fn table(&mut self, table: &Table) -> Value<Rows> {
        self.reader().table(table).map(Cow::into_owned)
    }

    /// Writes the entries of a position into the state part of `position`.
    ///
    /// # Errors
    ///
    /// A rule error, a missing value, or a limit.
    pub fn coordinates(&mut self, coordinates: &Coordinates, position: &mut [i64]) -> Value<()> {
        self.reader().coordinates(coordinates, position)
    }

    /// The values of a range in order, from either end.
    ///
    /// # Errors
    ///
    /// A rule error in a bound, or a range that is too long to be listed.
    pub fn range(&mut self, range: &Range, span: Span, limit: u64) -> Value<Box<dyn DoubleEndedIterator<Item = i64>>> {
        let mut reader = self.reader();
        match range {
            Range::Span { low, high, inclusive } => {
                let (low, high) = reader.bounds(low, high, *inclusive, span, limit)?;
                Ok(if *inclusive { Box::new(low..=high) } else { Box::new(low..high) })
            }
            Range::List(list) => Ok(Box::new(reader.list(list)?.into_owned().into_iter())),
            Range::Table(_) => Ok(Box::new(std::iter::empty())),
        }
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

/// A missing value as none.
#[inline]
fn present<T>(value: Value<T>) -> Value<Option<T>> {
    match value {
        Ok(value) => Ok(Some(value)),
        Err(Halt::Missing) => Ok(None),
        Err(halt) => Err(halt),
    }
}

/// Appends a value; once one is missing all are, but the rest is still evaluated.
fn keep<T>(values: &mut Option<Vec<T>>, value: Value<T>) -> Value<()> {
    match (present(value)?, &mut *values) {
        (Some(value), Some(kept)) => kept.push(value),
        _ => *values = None,
    }
    Ok(())
}

fn entry(list: &[i64], index: i64, span: Span) -> Value<i64> {
    match usize::try_from(index).ok().and_then(|index| list.get(index)) {
        Some(value) => Ok(*value),
        None => Err(Halt::fault(Fault::OutsideList(index, list.len()), span)),
    }
}

fn length(entries: usize) -> i64 {
    i64::try_from(entries).unwrap_or(i64::MAX)
}
