//! The compiled form: the typed tree turned once into what the fast engines run for each position.
//!
//! Formulas become closures. Rules become closures too, which know the whole language and tell every error; but mostly
//! they need not be called, since the rules also become a flat list of instructions (`lower`), which a small machine runs
//! (`listing`), with the commonest shapes in one piece each (`front`, `blocks`).
//!
//! It is written apart from the reference evaluator and shares nothing with it but the arithmetic of `number.rs`, so
//! that a fault of one side shows as a disagreement.

mod blocks;
mod conditions;
mod front;
mod instruction;
mod listing;
mod lists;
mod loops;
mod lower;
mod numbers;
mod positions;
mod rules;
mod words;

pub use self::rules::RulesProgram;
pub use self::words::OnWords;

use self::conditions::*;
use self::listing::Pad;
use self::lists::*;
use self::loops::*;
use self::numbers::*;
use self::positions::*;
use std::sync::Arc;

use super::number::{self, Fault, GIVEN_LIMIT, STEP_LIMIT};
use super::sight::{Blind, Halt, Mark, Options, Sight};
use super::source::Span;
use super::syntax::{Comparison, Operator};
use super::tree::{
    Array, Assignment, Binding, Bool, BoolKind, Clause, Coordinate, Coordinates, Fold, Function, Int, IntKind, List,
    ListKind, Move, MoveBody, Over, OverMoves, Quantity, Range, Rules, Scalar, Slots, Table, Winner, WinnerWord,
};

/// What compiled code reads and writes while it runs.
pub(super) struct Frame<'a> {
    position: &'a [i64],
    parameters: &'a [i64],
    values: &'a mut [i64],
    rows: &'a mut [Vec<i64>],
    steps: u64,
    sight: &'a mut dyn Sight,
}

type Done<T> = Result<T, Halt>;
type IntCode = Box<dyn Fn(&mut Frame<'_>) -> Done<i64> + Send + Sync>;
type BoolCode = Box<dyn Fn(&mut Frame<'_>) -> Done<bool> + Send + Sync>;
type ListCode = Box<dyn Fn(&mut Frame<'_>, &mut Vec<i64>) -> Done<()> + Send + Sync>;
type TableCode =
    Box<dyn Fn(&mut Frame<'_>, &mut dyn FnMut(&mut Frame<'_>, &[i64]) -> Done<bool>) -> Done<()> + Send + Sync>;
type WinnerCode = Box<dyn Fn(&mut Frame<'_>) -> Done<WinnerWord> + Send + Sync>;
/// Calls its argument once for each combination of loops; `true` goes on, `false` stops.
type LoopCode = Box<dyn Fn(&mut Frame<'_>, &mut dyn FnMut(&mut Frame<'_>) -> Done<bool>) -> Done<bool> + Send + Sync>;
type WriteCode = Box<dyn Fn(&mut Frame<'_>, &mut [i64]) -> Done<()> + Send + Sync>;

/// Room for the loop variables of compiled code, reused from call to call.
#[derive(Clone, Debug)]
pub struct Scratch {
    values: Vec<i64>,
    rows: Vec<Vec<i64>>,
    next: Vec<i64>,
    /// The parts of a split.
    split: Vec<i64>,
    /// `legal` is read in the middle of a move's loops and needs slots of its own.
    legal_values: Vec<i64>,
    legal_rows: Vec<Vec<i64>>,
    /// What the machine writes on.
    pad: Pad,
}

impl Scratch {
    /// Room for so many slots.
    #[must_use]
    pub fn new(slots: Slots) -> Self {
        let (values, rows) = (vec![0; slots.values], vec![Vec::new(); slots.rows]);
        Self {
            legal_values: values.clone(),
            legal_rows: rows.clone(),
            values,
            rows,
            next: Vec::new(),
            split: Vec::new(),
            pad: Pad::default(),
        }
    }
}

/// A compiled number.
pub struct IntProgram(IntCode);

/// A compiled condition.
pub struct BoolProgram(BoolCode);

/// A compiled position.
pub struct PositionProgram(Written);

enum Written {
    /// Nothing but numbers and parameters.
    Ready(Vec<Ready>),
    Code(WriteCode),
}

impl IntProgram {
    /// Compiles a number.
    #[must_use]
    pub fn new(int: &Int) -> Self {
        Self(compile_int(int))
    }

    /// Its value; none where it rests on a value that the position has not.
    ///
    /// # Errors
    ///
    /// A rule error or a limit.
    pub fn run(
        &self,
        position: &[i64],
        parameters: &[i64],
        scratch: &mut Scratch,
        sight: &mut dyn Sight,
    ) -> Done<Option<i64>> {
        let Scratch { values, rows, .. } = scratch;
        match (self.0)(&mut Frame { position, parameters, values, rows, steps: 0, sight }) {
            Ok(value) => Ok(Some(value)),
            Err(Halt::Missing) => Ok(None),
            Err(halt) => Err(halt),
        }
    }
}

impl BoolProgram {
    /// Compiles a condition.
    #[must_use]
    pub fn new(bool: &Bool) -> Self {
        Self(compile_bool(bool))
    }

    /// Its truth.
    ///
    /// # Errors
    ///
    /// A rule error or a limit.
    pub fn run(
        &self,
        position: &[i64],
        parameters: &[i64],
        scratch: &mut Scratch,
        sight: &mut dyn Sight,
    ) -> Done<bool> {
        let Scratch { values, rows, .. } = scratch;
        (self.0)(&mut Frame { position, parameters, values, rows, steps: 0, sight })
    }
}

impl PositionProgram {
    /// Compiles a position.
    #[must_use]
    pub fn new(coordinates: &Coordinates) -> Self {
        Self(ready(coordinates).map_or_else(|| Written::Code(compile_coordinates(coordinates)), Written::Ready))
    }

    /// Writes it into the state part of `position`.
    ///
    /// # Errors
    ///
    /// A rule error or a limit.
    pub fn run(&self, parameters: &[i64], position: &mut [i64], scratch: &mut Scratch) -> Done<()> {
        let code = match &self.0 {
            Written::Code(code) => code,
            Written::Ready(cells) => {
                for (place, cell) in position.iter_mut().zip(cells) {
                    *place = match *cell {
                        Ready::Number(number) => number,
                        Ready::Parameter(at) => parameters[at],
                    };
                }
                return Ok(());
            }
        };
        let Scratch { values, rows, .. } = scratch;
        code(&mut Frame { position: &[], parameters, values, rows, steps: 0, sight: &mut Blind }, position)
    }
}

/// A compiled range with its conditions.
pub struct RangeProgram {
    loops: LoopCode,
    slot: usize,
}

impl RangeProgram {
    /// Compiles the range of the parameter in place `slot`, which its conditions may read.
    #[must_use]
    pub fn new(range: &Range) -> Self {
        let inside = compile_clauses(&[]);
        Self { loops: compile_loop(0, range, range_span(range), Some(GIVEN_LIMIT), inside), slot: 0 }
    }

    /// Calls `each` with the values in order, until it says stop.
    ///
    /// # Errors
    ///
    /// A rule error in a bound, or whatever `each` meets.
    pub fn run(
        &self,
        parameters: &[i64],
        scratch: &mut Scratch,
        each: &mut dyn FnMut(i64) -> Done<bool>,
    ) -> Done<bool> {
        let Scratch { values, rows, .. } = scratch;
        if values.len() <= self.slot {
            values.resize(self.slot + 1, 0);
        }
        let frame = &mut Frame { position: &[], parameters, values, rows, steps: 0, sight: &mut Blind };
        (self.loops)(frame, &mut |frame| {
            frame.steps = 0;
            each(frame.values[self.slot])
        })
    }
}

/// Runs code at another position, with the same parameters and loop variables.
fn reposition<T>(
    frame: &mut Frame<'_>,
    position: &[i64],
    code: &(dyn Fn(&mut Frame<'_>) -> Done<T> + Send + Sync),
) -> Done<T> {
    code(&mut Frame {
        position,
        parameters: frame.parameters,
        values: &mut *frame.values,
        rows: &mut *frame.rows,
        steps: frame.steps,
        sight: &mut *frame.sight,
    })
}
