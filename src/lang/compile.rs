//! The compiled form: the typed tree turned once into closures, which the fast engines call for each position.
//!
//! It is written apart from the reference evaluator and shares nothing with it but the arithmetic of `number.rs`, so
//! that a fault of one side shows as a disagreement.

mod conditions;
mod lists;
mod loops;
mod numbers;
mod positions;

use self::conditions::*;
use self::lists::*;
use self::loops::*;
use self::numbers::*;
use self::positions::*;
use std::sync::Arc;

use super::number::{self, Fault, GIVEN_LIMIT, STEP_LIMIT};
use super::sight::{Blind, Halt, Options, Sight};
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
        }
    }
}

/// A compiled number.
pub struct IntProgram(IntCode);

/// A compiled condition.
pub struct BoolProgram(BoolCode);

/// A compiled position.
pub struct PositionProgram(WriteCode);

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
        Self(compile_coordinates(coordinates))
    }

    /// Writes it into the state part of `position`.
    ///
    /// # Errors
    ///
    /// A rule error or a limit.
    pub fn run(&self, parameters: &[i64], position: &mut [i64], scratch: &mut Scratch) -> Done<()> {
        let Scratch { values, rows, .. } = scratch;
        (self.0)(&mut Frame { position: &[], parameters, values, rows, steps: 0, sight: &mut Blind }, position)
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
        Self { loops: compile_loop(0, range, range_span(range), GIVEN_LIMIT, inside), slot: 0 }
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

/// Compiled rules: who has won at a position, or where its moves lead.
pub struct RulesProgram {
    end: Option<BoolCode>,
    legal: Option<BoolCode>,
    goal: Option<BoolCode>,
    winner: WinnerCode,
    moves: Vec<MoveProgram>,
    turn: Option<usize>,
    state_width: usize,
}

struct MoveProgram {
    loops: LoopCode,
    /// One for each part into which the move splits the position; mostly one.
    parts: Vec<WriteCode>,
    span: Span,
    /// Without loops and guards it is one move, always.
    single: bool,
}

impl RulesProgram {
    /// Compiles the rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self {
            end: rules.end.as_ref().map(compile_bool),
            legal: rules.legal.as_ref().map(compile_bool),
            goal: rules.goal.as_ref().map(compile_bool),
            winner: compile_winner(&rules.winner),
            moves: rules.moves.iter().map(MoveProgram::new).collect(),
            turn: rules.turn,
            state_width: rules.state_width,
        }
    }

    /// Puts the options of a position into `options`, or says who has won there.
    ///
    /// # Errors
    ///
    /// A rule error, tied to the position and the move.
    pub fn look(&self, position: &[i64], options: &mut Options, scratch: &mut Scratch) -> Done<Option<WinnerWord>> {
        options.clear();
        let Scratch { values, rows, next, split, legal_values, legal_rows } = scratch;
        let mut frame = Frame { position, parameters: &[], values, rows, steps: 0, sight: &mut Blind };
        let mut legal = |position: &[i64]| match &self.legal {
            Some(legal) => legal(&mut Frame {
                position,
                parameters: &[],
                values: legal_values,
                rows: legal_rows,
                steps: 0,
                sight: &mut Blind,
            }),
            None => Ok(true),
        };
        let mut over = false;
        if let Some(end) = &self.end {
            over = end(&mut frame).map_err(|halt| halt.at(position, None))?;
        }
        if !over {
            for (number, made) in self.moves.iter().enumerate() {
                let room = &mut Room { next: &mut *next, split: &mut *split, options: &mut *options };
                self.make(made, number, &mut frame, room, &mut legal)
                    .map_err(|halt| halt.at(position, Some(number)))?;
            }
            over = options.is_empty();
        }
        if !over {
            return Ok(None);
        }
        (self.winner)(&mut frame).map(Some).map_err(|halt| halt.at(position, None))
    }

    /// Whether a position is a goal; without a goal none is.
    ///
    /// # Errors
    ///
    /// A rule error, tied to the position.
    pub fn at_goal(&self, position: &[i64], scratch: &mut Scratch) -> Done<bool> {
        let Some(goal) = &self.goal else { return Ok(false) };
        let Scratch { values, rows, .. } = scratch;
        goal(&mut Frame { position, parameters: &[], values, rows, steps: 0, sight: &mut Blind })
            .map_err(|halt| halt.at(position, None))
    }

    fn make(
        &self,
        made: &MoveProgram,
        number: usize,
        frame: &mut Frame<'_>,
        room: &mut Room<'_>,
        legal: &mut dyn FnMut(&[i64]) -> Done<bool>,
    ) -> Done<()> {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let Room { next, split, options } = room;
        let mut once = |frame: &mut Frame<'_>| {
            split.clear();
            for (at, write) in made.parts.iter().enumerate() {
                next.clear();
                next.extend_from_slice(frame.position);
                write(frame, next)?;
                if let Some(turn) = self.turn {
                    next[turn] = if next[turn] == 1 { 2 } else { 1 };
                }
                if at + 1 < made.parts.len() {
                    split.extend_from_slice(&next[..self.state_width]);
                }
            }
            if self.legal.is_some() {
                for part in split.chunks(self.state_width.max(1)) {
                    if !legal(&[part, &next[self.state_width..]].concat())? {
                        return Ok(true);
                    }
                }
                if !legal(next)? {
                    return Ok(true);
                }
            }
            if options.len() >= number::MOVE_LIMIT {
                return Err(Halt::fault(Fault::TooManyMoves(number::MOVE_LIMIT), made.span));
            }
            if split.is_empty() {
                options.push(number, next);
            } else {
                split.extend_from_slice(next);
                options.push(number, split);
            }
            Ok(true)
        };
        if made.single { once(frame).map(|_| ()) } else { (made.loops)(frame, &mut once).map(|_| ()) }
    }
}

/// Where a move puts what it makes.
struct Room<'r> {
    next: &'r mut Vec<i64>,
    split: &'r mut Vec<i64>,
    options: &'r mut Options,
}

impl MoveProgram {
    fn new(made: &Move) -> Self {
        let write = |part: &MoveBody| match part {
            MoveBody::Position(coordinates) => compile_coordinates(coordinates),
            MoveBody::Assign(assignments) => compile_assignments(assignments),
        };
        Self {
            loops: compile_clauses(&made.clauses),
            parts: made.parts.iter().map(write).collect(),
            span: made.span,
            single: made.clauses.is_empty(),
        }
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
