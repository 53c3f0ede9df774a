//! Numbers.

use super::*;
use crate::faults::{Wrong, planted};

pub(super) fn compile_int(int: &Int) -> IntCode {
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
            let (quantity, span) = (*quantity, int.span);
            Box::new(move |frame| {
                let value = frame.sight.quantity(frame.position, quantity).map_err(|halt| halt.placed(span));
                value?.or(planted(Wrong::MissingIsZero).then_some(0)).ok_or(Halt::Missing)
            })
        }
    }
}

pub(super) fn compile_binary(a: &Int, b: &Int, span: Span, operation: fn(i64, i64) -> Result<i64, Fault>) -> IntCode {
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
pub(super) fn after<T>(halt: Halt, rest: impl FnOnce() -> Done<T>) -> Halt {
    match halt {
        Halt::Missing => rest().err().unwrap_or(Halt::Missing),
        halt => halt,
    }
}

/// Appends a value, or notes that one is missing and goes on.
pub(super) fn gather<T>(values: &mut Vec<T>, missing: &mut bool, value: Done<T>) -> Done<()> {
    match value {
        Ok(value) => values.push(value),
        Err(Halt::Missing) => *missing = true,
        Err(halt) => return Err(halt),
    }
    Ok(())
}

pub(super) fn unless_missing<T>(missing: bool, value: T) -> Done<T> {
    if missing { Err(Halt::Missing) } else { Ok(value) }
}

pub(super) fn compile_entry(list: &List, index: &Int, span: Span) -> IntCode {
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

pub(super) fn cell_of(at: i64, length: usize) -> Option<usize> {
    usize::try_from(at).ok().filter(|cell| *cell < length)
}

pub(super) fn joiner(fold: Fold) -> fn(i64, i64) -> Result<i64, Fault> {
    match fold {
        Fold::Min => |a, b| Ok(a.min(b)),
        Fold::Max => |a, b| Ok(a.max(b)),
        Fold::Gcd => |a, b| number::gcd(&[a, b]),
        Fold::Xor => |a, b| Ok(a ^ b),
        Fold::Sum => number::add,
        Fold::Product => number::mul,
    }
}

pub(super) fn fold_all(fold: Fold, values: Vec<i64>, span: Span) -> Done<i64> {
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
