//! The compiled form: the typed tree turned once into closures, which the fast engines call for each position.
//!
//! It is written apart from the reference evaluator and shares nothing with it but the arithmetic of `number.rs`, so
//! that a fault of one side shows as a disagreement.

use std::sync::Arc;

use super::number::{self, Fault, GIVEN_LIMIT, STEP_LIMIT};
use super::sight::{Blind, Halt, Options, Sight};
use super::source::Span;
use super::syntax::{Comparison, Operator};
use super::tree::{
    Array, Assignment, Binding, Bool, BoolKind, Clause, Coordinate, Coordinates, Fold, Function, Int, IntKind, List,
    ListKind, Move, MoveBody, Over, OverMoves, Range, Rules, Scalar, Slots, Table, Winner, WinnerWord,
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
    /// `legal` is read in the middle of a move's loops and needs slots of its own.
    legal_values: Vec<i64>,
    legal_rows: Vec<Vec<i64>>,
}

impl Scratch {
    /// Room for so many slots.
    #[must_use]
    pub fn new(slots: Slots) -> Self {
        let (values, rows) = (vec![0; slots.values], vec![Vec::new(); slots.rows]);
        Self { legal_values: values.clone(), legal_rows: rows.clone(), values, rows, next: Vec::new() }
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
    winner: WinnerCode,
    moves: Vec<MoveProgram>,
    turn: Option<usize>,
}

struct MoveProgram {
    loops: LoopCode,
    write: WriteCode,
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
            winner: compile_winner(&rules.winner),
            moves: rules.moves.iter().map(MoveProgram::new).collect(),
            turn: rules.turn,
        }
    }

    /// Puts the options of a position into `options`, or says who has won there.
    ///
    /// # Errors
    ///
    /// A rule error, tied to the position and the move.
    pub fn look(&self, position: &[i64], options: &mut Options, scratch: &mut Scratch) -> Done<Option<WinnerWord>> {
        options.clear();
        let Scratch { values, rows, next, legal_values, legal_rows } = scratch;
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
                self.make(made, number, &mut frame, options, next, &mut legal)
                    .map_err(|halt| halt.at(position, Some(number)))?;
            }
            over = options.is_empty();
        }
        if !over {
            return Ok(None);
        }
        (self.winner)(&mut frame).map(Some).map_err(|halt| halt.at(position, None))
    }

    fn make(
        &self,
        made: &MoveProgram,
        number: usize,
        frame: &mut Frame<'_>,
        options: &mut Options,
        next: &mut Vec<i64>,
        legal: &mut dyn FnMut(&[i64]) -> Done<bool>,
    ) -> Done<()> {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let mut once = |frame: &mut Frame<'_>| {
            next.clear();
            next.extend_from_slice(frame.position);
            (made.write)(frame, next)?;
            if let Some(turn) = self.turn {
                next[turn] = 3 - next[turn];
            }
            if self.legal.is_some() && !legal(next)? {
                return Ok(true);
            }
            if options.moves.len() >= number::MOVE_LIMIT {
                return Err(Halt::fault(Fault::TooManyMoves(number::MOVE_LIMIT), made.span));
            }
            options.positions.extend_from_slice(next);
            options.moves.push(number);
            Ok(true)
        };
        if made.single { once(frame).map(|_| ()) } else { (made.loops)(frame, &mut once).map(|_| ()) }
    }
}

impl MoveProgram {
    fn new(made: &Move) -> Self {
        let write = match &made.body {
            MoveBody::Position(coordinates) => compile_coordinates(coordinates),
            MoveBody::Assign(assignments) => compile_assignments(assignments),
        };
        Self { loops: compile_clauses(&made.clauses), write, span: made.span, single: made.clauses.is_empty() }
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

// ---- numbers

fn compile_int(int: &Int) -> IntCode {
    let span = int.span;
    match &int.kind {
        IntKind::Number(value) => {
            let value = *value;
            Box::new(move |_| Ok(value))
        }
        IntKind::Variable(offset) => {
            let offset = *offset;
            Box::new(move |frame| Ok(frame.position[offset]))
        }
        IntKind::Parameter(place) => {
            let place = *place;
            Box::new(move |frame| Ok(frame.parameters[place]))
        }
        IntKind::Loop(slot) => {
            let slot = *slot;
            Box::new(move |frame| Ok(frame.values[slot]))
        }
        IntKind::Cell(array, index) => {
            let (Array { offset, length }, index) = (*array, compile_int(index));
            Box::new(move |frame| {
                let at = index(frame)?;
                match cell_of(at, length) {
                    Some(cell) => Ok(frame.position[offset + cell]),
                    None => Err(Halt::fault(Fault::OutsideList(at, length), span)),
                }
            })
        }
        IntKind::Entry(list, index) => compile_entry(list, index, span),
        IntKind::Negative(operand) => {
            let operand = compile_int(operand);
            Box::new(move |frame| number::neg(operand(frame)?).map_err(|fault| Halt::fault(fault, span)))
        }
        IntKind::Binary(operator, a, b) => match operator {
            Operator::Add => compile_binary(a, b, span, number::add),
            Operator::Sub => compile_binary(a, b, span, number::sub),
            Operator::Mul => compile_binary(a, b, span, number::mul),
            Operator::FloorDiv => compile_binary(a, b, span, number::floor_div),
            Operator::ExactDiv => compile_binary(a, b, span, number::exact_div),
            Operator::FloorMod => compile_binary(a, b, span, number::floor_mod),
            Operator::Pow => match b.kind {
                IntKind::Number(2) => {
                    let a = compile_int(a);
                    Box::new(move |frame| {
                        let a = a(frame)?;
                        a.checked_mul(a).ok_or_else(|| Halt::fault(Fault::Overflow("**", a, 2), span))
                    })
                }
                _ => compile_binary(a, b, span, number::pow),
            },
        },
        IntKind::If(condition, yes, no) => {
            let (condition, yes, no) = (compile_bool(condition), compile_int(yes), compile_int(no));
            Box::new(move |frame| if condition(frame)? { yes(frame) } else { no(frame) })
        }
        IntKind::Function(function, operand) => {
            let (function, operand) = (*function, compile_int(operand));
            Box::new(move |frame| {
                let value = operand(frame)?;
                match function {
                    Function::Abs => number::abs(value).map_err(|fault| Halt::fault(fault, span)),
                    Function::Sign => Ok(value.signum()),
                    Function::Isqrt => number::isqrt(value).map_err(|fault| Halt::fault(fault, span)),
                }
            })
        }
        IntKind::CeilDiv(a, b) => compile_binary(a, b, span, number::ceil_div),
        IntKind::Fold(fold, operands) => {
            let mut operands = operands.iter();
            let Some(first) = operands.next() else { return Box::new(|_| Ok(0)) };
            let (fold, first) = (*fold, compile_int(first));
            let rest: Vec<IntCode> = operands.map(compile_int).collect();
            if rest.len() == 1 && fold != Fold::Gcd {
                let join = joiner(fold);
                return Box::new(move |frame| {
                    let a = match first(frame) {
                        Ok(a) => a,
                        Err(halt) => return Err(after(halt, || rest[0](frame))),
                    };
                    let b = rest[0](frame)?;
                    join(a, b).map_err(|fault| Halt::fault(fault, span))
                });
            }
            Box::new(move |frame| {
                let (mut values, mut lost) = (Vec::with_capacity(rest.len() + 1), false);
                gather(&mut values, &mut lost, first(frame))?;
                for operand in &rest {
                    gather(&mut values, &mut lost, operand(frame))?;
                }
                fold_all(fold, unless_missing(lost, values)?, span)
            })
        }
        IntKind::FoldList(fold, list) => {
            let (fold, list) = (*fold, compile_list(list));
            Box::new(move |frame| {
                let mut values = Vec::new();
                list(frame, &mut values)?;
                fold_all(fold, values, span)
            })
        }
        IntKind::FoldOver(fold, over) => {
            let (fold, loops, body) = (*fold, compile_clauses(&over.clauses), compile_int(&over.body));
            Box::new(move |frame| {
                let (mut values, mut lost) = (Vec::new(), false);
                loops(frame, &mut |frame| {
                    gather(&mut values, &mut lost, body(frame))?;
                    Ok(true)
                })?;
                fold_all(fold, unless_missing(lost, values)?, span)
            })
        }
        IntKind::Count(over) => {
            let (loops, body) = (compile_clauses(&over.clauses), compile_bool(&over.body));
            Box::new(move |frame| {
                let mut count = 0_i64;
                loops(frame, &mut |frame| {
                    if body(frame)? {
                        count += 1;
                    }
                    Ok(true)
                })?;
                Ok(count)
            })
        }
        IntKind::Length(list) => {
            let list = compile_list(list);
            Box::new(move |frame| {
                let mut values = Vec::new();
                list(frame, &mut values)?;
                Ok(i64::try_from(values.len()).unwrap_or(i64::MAX))
            })
        }
        IntKind::TableLength(table) => {
            let table = compile_table(table);
            Box::new(move |frame| {
                let mut rows = 0;
                table(frame, &mut |_, _| {
                    rows += 1;
                    Ok(true)
                })?;
                Ok(rows)
            })
        }
        IntKind::Value(quantity) => {
            let quantity = *quantity;
            Box::new(move |frame| frame.sight.quantity(frame.position, quantity)?.ok_or(Halt::Missing))
        }
    }
}

fn compile_binary(a: &Int, b: &Int, span: Span, operation: fn(i64, i64) -> Result<i64, Fault>) -> IntCode {
    match (&a.kind, &b.kind) {
        (IntKind::Variable(a), IntKind::Number(b)) => {
            let (a, b) = (*a, *b);
            Box::new(move |frame| operation(frame.position[a], b).map_err(|fault| Halt::fault(fault, span)))
        }
        (IntKind::Number(a), IntKind::Variable(b)) => {
            let (a, b) = (*a, *b);
            Box::new(move |frame| operation(a, frame.position[b]).map_err(|fault| Halt::fault(fault, span)))
        }
        (IntKind::Variable(a), IntKind::Variable(b)) => {
            let (a, b) = (*a, *b);
            Box::new(move |frame| {
                operation(frame.position[a], frame.position[b]).map_err(|fault| Halt::fault(fault, span))
            })
        }
        (IntKind::Variable(a), IntKind::Loop(b)) => {
            let (a, b) = (*a, *b);
            Box::new(move |frame| {
                operation(frame.position[a], frame.values[b]).map_err(|fault| Halt::fault(fault, span))
            })
        }
        _ => {
            let (a, b) = (compile_int(a), compile_int(b));
            Box::new(move |frame| {
                let a = match a(frame) {
                    Ok(a) => a,
                    Err(halt) => return Err(after(halt, || b(frame))),
                };
                let b = b(frame)?;
                operation(a, b).map_err(|fault| Halt::fault(fault, span))
            })
        }
    }
}

/// Where a value is missing, what stands after it is evaluated all the same: a rule error there goes before.
#[cold]
fn after<T>(halt: Halt, rest: impl FnOnce() -> Done<T>) -> Halt {
    match halt {
        Halt::Missing => rest().err().unwrap_or(Halt::Missing),
        halt => halt,
    }
}

/// Appends a value, or notes that one is missing and goes on.
fn gather<T>(values: &mut Vec<T>, missing: &mut bool, value: Done<T>) -> Done<()> {
    match value {
        Ok(value) => values.push(value),
        Err(Halt::Missing) => *missing = true,
        Err(halt) => return Err(halt),
    }
    Ok(())
}

fn unless_missing<T>(missing: bool, value: T) -> Done<T> {
    if missing { Err(Halt::Missing) } else { Ok(value) }
}

fn compile_entry(list: &List, index: &Int, span: Span) -> IntCode {
    let index = compile_int(index);
    match &list.kind {
        ListKind::Constant(values) => {
            let values = Arc::clone(values);
            Box::new(move |frame| {
                let at = index(frame)?;
                match cell_of(at, values.len()) {
                    Some(cell) => Ok(values[cell]),
                    None => Err(Halt::fault(Fault::OutsideList(at, values.len()), span)),
                }
            })
        }
        ListKind::LoopRow(slot) => {
            let slot = *slot;
            Box::new(move |frame| {
                let at = index(frame)?;
                let row = &frame.rows[slot];
                match cell_of(at, row.len()) {
                    Some(cell) => Ok(row[cell]),
                    None => Err(Halt::fault(Fault::OutsideList(at, row.len()), span)),
                }
            })
        }
        _ => {
            let list = compile_list(list);
            Box::new(move |frame| {
                let mut values = Vec::new();
                if let Err(halt) = list(frame, &mut values) {
                    return Err(after(halt, || index(frame)));
                }
                let at = index(frame)?;
                match cell_of(at, values.len()) {
                    Some(cell) => Ok(values[cell]),
                    None => Err(Halt::fault(Fault::OutsideList(at, values.len()), span)),
                }
            })
        }
    }
}

fn cell_of(at: i64, length: usize) -> Option<usize> {
    usize::try_from(at).ok().filter(|cell| *cell < length)
}

fn joiner(fold: Fold) -> fn(i64, i64) -> Result<i64, Fault> {
    match fold {
        Fold::Min => |a, b| Ok(a.min(b)),
        Fold::Max => |a, b| Ok(a.max(b)),
        Fold::Gcd => |a, b| number::gcd(&[a, b]),
        Fold::Xor => |a, b| Ok(a ^ b),
        Fold::Sum => number::add,
        Fold::Product => number::mul,
    }
}

fn fold_all(fold: Fold, values: Vec<i64>, span: Span) -> Done<i64> {
    if fold == Fold::Gcd {
        return number::gcd(&values).map_err(|fault| Halt::fault(fault, span));
    }
    let join = joiner(fold);
    let mut values = values.into_iter();
    let first = match (values.next(), fold) {
        (Some(first), _) => first,
        (None, Fold::Min) => return Err(Halt::fault(Fault::OfNothing("min"), span)),
        (None, Fold::Max) => return Err(Halt::fault(Fault::OfNothing("max"), span)),
        (None, Fold::Product) => 1,
        (None, _) => 0,
    };
    values.try_fold(first, |a, b| join(a, b).map_err(|fault| Halt::fault(fault, span)))
}

// ---- conditions

fn compile_bool(bool: &Bool) -> BoolCode {
    let span = bool.span;
    match &bool.kind {
        BoolKind::Truth(truth) => {
            let truth = *truth;
            Box::new(move |_| Ok(truth))
        }
        BoolKind::Loop(slot) => {
            let slot = *slot;
            Box::new(move |frame| Ok(frame.values[slot] != 0))
        }
        BoolKind::Entry(list, index) => {
            let entry = compile_entry(list, index, span);
            Box::new(move |frame| Ok(entry(frame)? != 0))
        }
        BoolKind::Not(operand) => {
            let operand = compile_bool(operand);
            Box::new(move |frame| operand(frame).map(|truth| !truth))
        }
        BoolKind::And(a, b) => {
            let (a, b) = (compile_bool(a), compile_bool(b));
            Box::new(move |frame| if a(frame)? { b(frame) } else { Ok(false) })
        }
        BoolKind::Or(a, b) => {
            let (a, b) = (compile_bool(a), compile_bool(b));
            Box::new(move |frame| if a(frame)? { Ok(true) } else { b(frame) })
        }
        BoolKind::If(condition, yes, no) => {
            let (condition, yes, no) = (compile_bool(condition), compile_bool(yes), compile_bool(no));
            Box::new(move |frame| if condition(frame)? { yes(frame) } else { no(frame) })
        }
        BoolKind::Compare(comparison, a, b) => match comparison {
            Comparison::Less => compile_compare(a, b, |a, b| a < b),
            Comparison::AtMost => compile_compare(a, b, |a, b| a <= b),
            Comparison::Greater => compile_compare(a, b, |a, b| a > b),
            Comparison::AtLeast => compile_compare(a, b, |a, b| a >= b),
            Comparison::Equal => compile_compare(a, b, |a, b| a == b),
            Comparison::Unequal => compile_compare(a, b, |a, b| a != b),
        },
        BoolKind::SameTruth(unequal, a, b) => {
            let (unequal, a, b) = (*unequal, compile_bool(a), compile_bool(b));
            Box::new(move |frame| {
                let a = a(frame)?;
                let b = b(frame)?;
                Ok((a == b) ^ unequal)
            })
        }
        BoolKind::SameList(unequal, a, b) => {
            let (unequal, a, b) = (*unequal, compile_list(a), compile_list(b));
            Box::new(move |frame| {
                let (mut left, mut right) = (Vec::new(), Vec::new());
                let lost = missing(a(frame, &mut left))?;
                if missing(b(frame, &mut right))? || lost {
                    return Ok(false);
                }
                if left.len() != right.len() {
                    return Err(Halt::fault(Fault::LengthsDiffer(left.len(), right.len()), span));
                }
                Ok((left == right) ^ unequal)
            })
        }
        BoolKind::In(negated, needle, range) => compile_in(*negated, needle, range),
        BoolKind::TruthIn(negated, needle, list) => {
            let (negated, needle, list) = (*negated, compile_bool(needle), compile_list(list));
            Box::new(move |frame| {
                let value = i64::from(needle(frame)?);
                let mut values = Vec::new();
                let lost = missing(list(frame, &mut values))?;
                Ok(!lost && values.contains(&value) ^ negated)
            })
        }
        BoolKind::RowIn(negated, needle, table) => {
            let (negated, needle, table) = (*negated, compile_list(needle), compile_table(table));
            Box::new(move |frame| {
                let mut row = Vec::new();
                let lost = missing(needle(frame, &mut row))?;
                let mut rows = Vec::new();
                let listed = table(frame, &mut |_, other| {
                    rows.push(other.to_vec());
                    Ok(true)
                });
                if missing(listed)? || lost {
                    return Ok(false);
                }
                for other in &rows {
                    if other.len() != row.len() {
                        return Err(Halt::fault(Fault::LengthsDiffer(row.len(), other.len()), span));
                    }
                    if *other == row {
                        return Ok(!negated);
                    }
                }
                Ok(negated)
            })
        }
        BoolKind::IsPrime(operand) => {
            let operand = compile_int(operand);
            Box::new(move |frame| match operand(frame) {
                Ok(value) => Ok(number::is_prime(value)),
                Err(Halt::Missing) => Ok(false),
                Err(halt) => Err(halt),
            })
        }
        BoolKind::Any(over) => compile_until(over, true),
        BoolKind::All(over) => compile_until(over, false),
        BoolKind::End => Box::new(|frame| frame.sight.options(frame.position, &mut Options::default())),
        BoolKind::Outcome(outcome) => {
            let outcome = *outcome;
            Box::new(move |frame| Ok(frame.sight.outcome(frame.position)? == outcome))
        }
        BoolKind::Class(class) => {
            let class = *class;
            Box::new(move |frame| Ok(frame.sight.class_within(frame.position, class)? == Some(class)))
        }
        BoolKind::Within(bound) => {
            let bound = *bound;
            Box::new(move |frame| Ok(frame.sight.class_within(frame.position, bound)?.is_some()))
        }
        BoolKind::Moves(over) => compile_over_moves(over),
        BoolKind::At(formula, coordinates) => {
            let (formula, coordinates) = (compile_bool(formula), compile_coordinates(coordinates));
            Box::new(move |frame| {
                let mut position = frame.position.to_vec();
                coordinates(frame, &mut position)?;
                reposition(frame, &position, &*formula)
            })
        }
    }
}

fn compile_compare(a: &Int, b: &Int, holds: fn(&i64, &i64) -> bool) -> BoolCode {
    if let (IntKind::Variable(a), IntKind::Number(b)) = (&a.kind, &b.kind) {
        let (a, b) = (*a, *b);
        return Box::new(move |frame| Ok(holds(&frame.position[a], &b)));
    }
    if let IntKind::Number(b) = b.kind {
        let a = compile_int(a);
        return Box::new(move |frame| match a(frame) {
            Ok(a) => Ok(holds(&a, &b)),
            Err(Halt::Missing) => Ok(false),
            Err(halt) => Err(halt),
        });
    }
    let (a, b) = (compile_int(a), compile_int(b));
    Box::new(move |frame| {
        let a = match a(frame) {
            Ok(a) => a,
            Err(halt) => {
                return match after(halt, || b(frame)) {
                    Halt::Missing => Ok(false),
                    halt => Err(halt),
                };
            }
        };
        match b(frame) {
            Ok(b) => Ok(holds(&a, &b)),
            Err(Halt::Missing) => Ok(false),
            Err(halt) => Err(halt),
        }
    })
}

fn compile_in(negated: bool, needle: &Int, range: &Range) -> BoolCode {
    let needle = compile_int(needle);
    match range {
        Range::Span { low, high, inclusive } => {
            let (low, high, inclusive) = (compile_int(low), compile_int(high), *inclusive);
            Box::new(move |frame| {
                let value = some(needle(frame))?;
                let low = low(frame)?;
                let high = high(frame)?;
                let inside = |value| value >= low && (value < high || inclusive && value == high);
                Ok(value.is_some_and(|value| inside(value) ^ negated))
            })
        }
        Range::List(list) => {
            let list = compile_list(list);
            Box::new(move |frame| {
                let value = some(needle(frame))?;
                let mut values = Vec::new();
                let lost = missing(list(frame, &mut values))?;
                Ok(!lost && value.is_some_and(|value| values.contains(&value) ^ negated))
            })
        }
        Range::Table(_) => Box::new(move |frame| Ok(some(needle(frame))?.is_some() && negated)),
    }
}

/// `any` stops at the first condition that holds, `all` at the first that does not.
fn compile_until(over: &Over<Bool>, wanted: bool) -> BoolCode {
    let (loops, body) = (compile_clauses(&over.clauses), compile_bool(&over.body));
    Box::new(move |frame| {
        let mut found = false;
        let whole = loops(frame, &mut |frame| {
            found = body(frame)? == wanted;
            Ok(!found)
        });
        // a loop over a list with a missing value is like a comparison with it
        Ok(some(whole)?.is_some() && found == wanted)
    })
}

/// A question rests on all options, so all are evaluated; of several errors the one of the fewest plies is told.
fn compile_over_moves(over: &OverMoves) -> BoolCode {
    let (must, named, formula) = (over.must, over.named.clone(), compile_bool(&over.formula));
    Box::new(move |frame| {
        let mut options = Options::default();
        let terminal = frame.sight.options(frame.position, &mut options)?;
        if terminal {
            return Ok(false);
        }
        let width = frame.position.len();
        let (mut some, mut every, mut met) = (false, true, false);
        let mut first_error: Option<(u32, Halt)> = None;
        for (made, option) in options.iter(width) {
            if let Some(named) = &named
                && !named[made]
            {
                continue;
            }
            met = true;
            match reposition(frame, option, &*formula) {
                Ok(true) => some = true,
                Ok(false) => every = false,
                Err(halt) => {
                    let halt = halt.later(1);
                    let Some(ply) = ply_of(&halt) else { return Err(halt) };
                    if first_error.as_ref().is_none_or(|(first, _)| ply < *first) {
                        first_error = Some((ply, halt));
                    }
                }
            }
        }
        match first_error {
            Some((_, halt)) => Err(halt),
            None => Ok(if must { met && every } else { some }),
        }
    })
}

fn ply_of(halt: &Halt) -> Option<u32> {
    match halt {
        Halt::Stop(stop) => match stop.as_ref() {
            super::sight::Stop::Rule(error) => Some(error.ply),
            super::sight::Stop::Limit(_) => None,
        },
        Halt::Missing => None,
    }
}

fn some<T>(result: Done<T>) -> Done<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Halt::Missing) => Ok(None),
        Err(halt) => Err(halt),
    }
}

fn missing(result: Done<()>) -> Done<bool> {
    match result {
        Ok(()) => Ok(false),
        Err(Halt::Missing) => Ok(true),
        Err(halt) => Err(halt),
    }
}

// ---- lists

fn compile_list(list: &List) -> ListCode {
    let span = list.span;
    match &list.kind {
        ListKind::Constant(values) => {
            let values = Arc::clone(values);
            Box::new(move |_, out| {
                out.extend_from_slice(&values);
                Ok(())
            })
        }
        ListKind::Array(array) => {
            let range = array.offset..array.offset + array.length;
            Box::new(move |frame, out| {
                out.extend_from_slice(&frame.position[range.clone()]);
                Ok(())
            })
        }
        ListKind::Items(items) => {
            let items: Vec<IntCode> = items.iter().map(compile_scalar).collect();
            Box::new(move |frame, out| {
                let mut lost = false;
                for item in &items {
                    gather(out, &mut lost, item(frame))?;
                }
                unless_missing(lost, ())
            })
        }
        ListKind::Over(over) => {
            let (loops, body) = (compile_clauses(&over.clauses), compile_scalar(&over.body));
            Box::new(move |frame, out| {
                let mut lost = false;
                loops(frame, &mut |frame| {
                    gather(out, &mut lost, body(frame))?;
                    Ok(true)
                })?;
                unless_missing(lost, ())
            })
        }
        ListKind::Repeated(inner, times) => {
            let (inner, times) = (compile_list(inner), compile_int(times));
            Box::new(move |frame, out| {
                let mut values = Vec::new();
                let lost = missing(inner(frame, &mut values))?;
                let times = times(frame)?;
                unless_missing(lost, ())?;
                if times < 0 {
                    return Err(Halt::fault(Fault::NegativeLength(times), span));
                }
                let size = i64::try_from(values.len()).unwrap_or(i64::MAX).saturating_mul(times);
                if u64::try_from(size).unwrap_or(u64::MAX) > STEP_LIMIT {
                    return Err(Halt::fault(Fault::TooLong(STEP_LIMIT), span));
                }
                if !values.is_empty() {
                    for _ in 0..times {
                        out.extend_from_slice(&values);
                    }
                }
                Ok(())
            })
        }
        ListKind::Row(table, index) => {
            let (table, index) = (compile_table(table), compile_int(index));
            Box::new(move |frame, out| {
                let mut rows = Vec::new();
                let listed = table(frame, &mut |_, row| {
                    rows.push(row.to_vec());
                    Ok(true)
                });
                if let Err(halt) = listed {
                    return Err(after(halt, || index(frame)));
                }
                let at = index(frame)?;
                match cell_of(at, rows.len()) {
                    Some(row) => {
                        out.extend_from_slice(&rows[row]);
                        Ok(())
                    }
                    None => Err(Halt::fault(Fault::OutsideList(at, rows.len()), span)),
                }
            })
        }
        ListKind::LoopRow(slot) => {
            let slot = *slot;
            Box::new(move |frame, out| {
                out.extend_from_slice(&frame.rows[slot]);
                Ok(())
            })
        }
        ListKind::If(condition, yes, no) => {
            let (condition, yes, no) = (compile_bool(condition), compile_list(yes), compile_list(no));
            Box::new(move |frame, out| if condition(frame)? { yes(frame, out) } else { no(frame, out) })
        }
    }
}

fn compile_scalar(scalar: &Scalar) -> IntCode {
    match scalar {
        Scalar::Int(int) => compile_int(int),
        Scalar::Bool(bool) => {
            let bool = compile_bool(bool);
            Box::new(move |frame| bool(frame).map(i64::from))
        }
    }
}

fn compile_table(table: &Table) -> TableCode {
    match table {
        Table::Constant(rows) => {
            let rows = Arc::clone(rows);
            Box::new(move |frame, each| {
                for row in rows.iter() {
                    if !each(frame, row)? {
                        break;
                    }
                }
                Ok(())
            })
        }
        // the rows are all evaluated before the first is used, as the reference does
        Table::Items(lists) => {
            let lists: Vec<ListCode> = lists.iter().map(compile_list).collect();
            Box::new(move |frame, each| {
                let (mut rows, mut lost) = (Vec::new(), false);
                for list in &lists {
                    let mut row = Vec::new();
                    let done = list(frame, &mut row);
                    gather(&mut rows, &mut lost, done.map(|()| row))?;
                }
                unless_missing(lost, ())?;
                for row in &rows {
                    if !each(frame, row)? {
                        break;
                    }
                }
                Ok(())
            })
        }
        Table::Over(over) => {
            let (loops, body) = (compile_clauses(&over.clauses), compile_list(&over.body));
            Box::new(move |frame, each| {
                let (mut rows, mut lost) = (Vec::new(), false);
                loops(frame, &mut |frame| {
                    let mut row = Vec::new();
                    let done = body(frame, &mut row);
                    gather(&mut rows, &mut lost, done.map(|()| row))?;
                    Ok(true)
                })?;
                unless_missing(lost, ())?;
                for row in &rows {
                    if !each(frame, row)? {
                        break;
                    }
                }
                Ok(())
            })
        }
    }
}

// ---- loops

fn range_span(range: &Range) -> Span {
    match range {
        Range::Span { low, high, .. } => low.span.to(high.span),
        Range::List(list) => list.span,
        Range::Table(_) => Span::default(),
    }
}

fn compile_clauses(clauses: &[Clause]) -> LoopCode {
    let Some((clause, rest)) = clauses.split_first() else {
        return Box::new(|frame, inside| inside(frame));
    };
    let rest = compile_clauses(rest);
    match clause {
        Clause::If(condition) => {
            let condition = compile_bool(condition);
            Box::new(move |frame, inside| if condition(frame)? { rest(frame, inside) } else { Ok(true) })
        }
        Clause::For { binding: Binding::Value(slot), range, span } => compile_loop(*slot, range, *span, u64::MAX, rest),
        Clause::For { binding, range, span } => {
            let (binding, span) = (binding.clone(), *span);
            let Range::Table(table) = range else { return Box::new(|_, _| Ok(true)) };
            let table = compile_table(table);
            Box::new(move |frame, inside| {
                let mut go_on = true;
                table(frame, &mut |frame, row| {
                    step(frame, span)?;
                    match &binding {
                        Binding::Row(slot) => {
                            frame.rows[*slot].clear();
                            frame.rows[*slot].extend_from_slice(row);
                        }
                        Binding::Entries(slots) => {
                            if row.len() != slots.len() {
                                let fault = Fault::RowLength { names: slots.len(), entries: row.len() };
                                return Err(Halt::fault(fault, span));
                            }
                            for (slot, value) in slots.iter().zip(row) {
                                frame.values[*slot] = *value;
                            }
                        }
                        Binding::Value(_) => {}
                    }
                    go_on = rest(frame, inside)?;
                    Ok(go_on)
                })?;
                Ok(go_on)
            })
        }
    }
}

fn compile_loop(slot: usize, range: &Range, span: Span, limit: u64, rest: LoopCode) -> LoopCode {
    match range {
        Range::Span { low, high, inclusive } => {
            let (low, high, inclusive) = (compile_int(low), compile_int(high), *inclusive);
            Box::new(move |frame, inside| {
                let low = low(frame)?;
                let high = high(frame)?;
                // the number of values; it cannot overflow in 128 bits
                let count = i128::from(high) - i128::from(low) + i128::from(inclusive);
                if count > i128::from(limit) {
                    return Err(Halt::fault(Fault::TooLong(limit), span));
                }
                let mut value = low;
                for _ in 0..count.max(0) {
                    step(frame, span)?;
                    frame.values[slot] = value;
                    if !rest(frame, inside)? {
                        return Ok(false);
                    }
                    value = value.wrapping_add(1);
                }
                Ok(true)
            })
        }
        Range::List(list) => {
            let list = compile_list(list);
            Box::new(move |frame, inside| {
                let mut values = Vec::new();
                list(frame, &mut values)?;
                for value in values {
                    step(frame, span)?;
                    frame.values[slot] = value;
                    if !rest(frame, inside)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            })
        }
        Range::Table(_) => Box::new(|_, _| Ok(true)),
    }
}

fn step(frame: &mut Frame<'_>, span: Span) -> Done<()> {
    frame.steps += 1;
    if frame.steps > STEP_LIMIT { Err(Halt::fault(Fault::TooLong(STEP_LIMIT), span)) } else { Ok(()) }
}

// ---- positions

fn compile_coordinates(coordinates: &Coordinates) -> WriteCode {
    let mut offset = 0;
    let mut writers: Vec<WriteCode> = Vec::new();
    for entry in &coordinates.entries {
        match entry {
            Coordinate::Int(Int { kind: IntKind::Variable(same), .. }) if *same == offset => offset += 1,
            Coordinate::Int(int) => {
                let (at, int) = (offset, compile_int(int));
                writers.push(Box::new(move |frame, position| {
                    position[at] = int(frame)?;
                    Ok(())
                }));
                offset += 1;
            }
            Coordinate::List(list, cells) => {
                writers.push(compile_cells(list, Array { offset, length: *cells }));
                offset += cells;
            }
        }
    }
    all_of(writers)
}

/// Writes an array whole.
fn compile_cells(list: &List, array: Array) -> WriteCode {
    let (span, list) = (list.span, compile_list(list));
    Box::new(move |frame, position| {
        let mut values = Vec::with_capacity(array.length);
        list(frame, &mut values)?;
        if values.len() != array.length {
            return Err(Halt::fault(Fault::ArrayLength { cells: array.length, values: values.len() }, span));
        }
        position[array.offset..array.offset + array.length].copy_from_slice(&values);
        Ok(())
    })
}

fn compile_assignments(assignments: &[Assignment]) -> WriteCode {
    let mut writers: Vec<WriteCode> = Vec::new();
    for (number, assignment) in assignments.iter().enumerate() {
        writers.push(match assignment {
            Assignment::Variable(offset, value) => {
                let (offset, value) = (*offset, compile_int(value));
                Box::new(move |frame, position| {
                    position[offset] = value(frame)?;
                    Ok(())
                })
            }
            Assignment::Cell(array, index, value) => {
                // earlier cells of the same array, which this one may not repeat
                let earlier: Vec<IntCode> = assignments[..number]
                    .iter()
                    .filter_map(|earlier| match earlier {
                        Assignment::Cell(other, index, _) if other == array => Some(compile_int(index)),
                        _ => None,
                    })
                    .collect();
                let (array, span) = (*array, index.span);
                let (index, value) = (compile_int(index), compile_int(value));
                Box::new(move |frame, position| {
                    let at = index(frame)?;
                    let Some(cell) = cell_of(at, array.length) else {
                        return Err(Halt::fault(Fault::OutsideList(at, array.length), span));
                    };
                    for earlier in &earlier {
                        if earlier(frame)? == at {
                            return Err(Halt::fault(Fault::CellTwice(at, array.offset), span));
                        }
                    }
                    position[array.offset + cell] = value(frame)?;
                    Ok(())
                })
            }
            Assignment::Array(array, list) => compile_cells(list, *array),
        });
    }
    all_of(writers)
}

fn all_of(mut writers: Vec<WriteCode>) -> WriteCode {
    if writers.len() == 1
        && let Some(only) = writers.pop()
    {
        return only;
    }
    Box::new(move |frame, position| writers.iter().try_for_each(|write| write(frame, position)))
}

fn compile_winner(winner: &Winner) -> WinnerCode {
    match winner {
        Winner::Word(word) => {
            let word = *word;
            Box::new(move |_| Ok(word))
        }
        Winner::If(condition, yes, no) => {
            let (condition, yes, no) = (compile_bool(condition), compile_winner(yes), compile_winner(no));
            Box::new(move |frame| if condition(frame)? { yes(frame) } else { no(frame) })
        }
    }
}
