//! Conditions, those over moves and other positions included.

use super::*;
use crate::faults::{Wrong, planted};

pub(super) fn compile_bool(bool: &Bool) -> BoolCode {
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
            Comparison::Less if planted(Wrong::LessIsAtMost) => compile_compare(a, b, |a, b| a <= b),
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
        BoolKind::Goal => Box::new(|frame| frame.sight.is_goal(frame.position)),
        BoolKind::Solvable => Box::new(|frame| Ok(frame.sight.quantity(frame.position, Quantity::Distance)?.is_some())),
        BoolKind::Outcome(outcome) => {
            let outcome = *outcome;
            Box::new(move |frame| Ok(frame.sight.outcome(frame.position)? == outcome))
        }
        BoolKind::Class(class) => {
            let class = *class;
            Box::new(move |frame| {
                let within = frame.sight.class_within(frame.position, class)?;
                Ok(within == Some(class) || planted(Wrong::ClassIsBound) && within.is_some())
            })
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

pub(super) fn compile_compare(a: &Int, b: &Int, holds: fn(&i64, &i64) -> bool) -> BoolCode {
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

pub(super) fn compile_in(negated: bool, needle: &Int, range: &Range) -> BoolCode {
    let needle = compile_int(needle);
    match range {
        Range::Span { low, high, inclusive } => {
            let (low, high, inclusive) = (compile_int(low), compile_int(high), *inclusive);
            Box::new(move |frame| {
                let value = some(needle(frame))?;
                let low = low(frame)?;
                let high = high(frame)?;
                let inside = |value| value >= low && (value < high || inclusive && value == high);
                Ok(value.is_some_and(|value| inside(value) ^ (negated && !planted(Wrong::NotInIsIn))))
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
pub(super) fn compile_until(over: &Over<Bool>, wanted: bool) -> BoolCode {
    let (loops, body) = (compile_clauses(&over.clauses), compile_bool(&over.body));
    Box::new(move |frame| {
        let mut found = false;
        let whole = loops(frame, &mut |frame| {
            found = body(frame)? == wanted;
            Ok(!found && !planted(Wrong::AnyLooksAtFirst))
        });
        // a loop over a list with a missing value is like a comparison with it
        Ok(some(whole)?.is_some() && found == wanted)
    })
}

/// A question rests on all options, so all are evaluated; of several errors the one of the fewest plies is told.
pub(super) fn compile_over_moves(over: &OverMoves) -> BoolCode {
    let (must, named, formula) = (over.must, over.named.clone(), compile_bool(&over.formula));
    Box::new(move |frame| {
        let mut options = Options::default();
        let terminal = frame.sight.options(frame.position, &mut options)?;
        if terminal {
            return Ok(false);
        }
        let (mut some, mut every, mut met) = (false, true, false);
        let mut first_error: Option<(u32, Halt)> = None;
        for (made, option) in options.iter() {
            if let Some(named) = &named
                && !(named[made] || planted(Wrong::NamesOfMovesForgotten))
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
            None => Ok(if must { (met || planted(Wrong::MustOfNothing)) && every } else { some }),
        }
    })
}

pub(super) fn ply_of(halt: &Halt) -> Option<u32> {
    match halt {
        Halt::Stop(stop) => match stop.as_ref() {
            crate::lang::Stop::Rule(error) => Some(error.ply),
            crate::lang::Stop::Limit(_) => None,
        },
        Halt::Missing => None,
    }
}

pub(super) fn some<T>(result: Done<T>) -> Done<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Halt::Missing) => Ok(None),
        Err(halt) => Err(halt),
    }
}

pub(super) fn missing(result: Done<()>) -> Done<bool> {
    match result {
        Ok(()) => Ok(false),
        Err(Halt::Missing) => Ok(true),
        Err(halt) => Err(halt),
    }
}
