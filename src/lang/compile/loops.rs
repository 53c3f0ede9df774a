//! Loops and guards.

use super::*;
use crate::faults::{Wrong, planted};

pub(super) fn range_span(range: &Range) -> Span {
    match range {
        Range::Span { low, high, .. } => low.span.to(high.span),
        Range::List(list) => list.span,
        Range::Table(_) => Span::default(),
    }
}

pub(super) fn compile_clauses(clauses: &[Clause]) -> LoopCode {
    let Some((clause, rest)) = clauses.split_first() else {
        return Box::new(|frame, inside| inside(frame));
    };
    let rest = compile_clauses(rest);
    match clause {
        Clause::If(condition) => {
            let condition = compile_bool(condition);
            Box::new(move |frame, inside| if condition(frame)? { rest(frame, inside) } else { Ok(true) })
        }
        Clause::For { binding: Binding::Value(slot), range, span } => compile_loop(*slot, range, *span, None, rest),
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

/// A loop over the values of a range, which may have at most `limit` values if there is one.
pub(super) fn compile_loop(slot: usize, range: &Range, span: Span, limit: Option<u64>, rest: LoopCode) -> LoopCode {
    match range {
        Range::Span { low, high, inclusive } => {
            let (low, high, inclusive) = (compile_int(low), compile_int(high), *inclusive);
            Box::new(move |frame, inside| {
                let low = low(frame)?;
                let high = high(frame)?;
                // the number of values; it cannot overflow in 128 bits
                let count =
                    i128::from(high) - i128::from(low) + i128::from(inclusive && !planted(Wrong::LastOfRangeLeftOut));
                if let Some(limit) = limit.filter(|limit| count > i128::from(*limit)) {
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

pub(super) fn step(frame: &mut Frame<'_>, span: Span) -> Done<()> {
    frame.steps += 1;
    if frame.steps > STEP_LIMIT { Err(Halt::fault(Fault::TooLong(STEP_LIMIT), span)) } else { Ok(()) }
}
