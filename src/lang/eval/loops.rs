//! Loops and guards.

use super::*;

/// What happens for each combination of loops: it goes on, or breaks off.
pub(super) type Each = Value<ControlFlow<()>>;

impl<'r> Reader<'r> {
    /// Calls `inside` for each combination of the loops that passes the guards, until it breaks.
    pub(super) fn over<F: FnMut(&mut Self) -> Each>(&mut self, clauses: &[Clause], inside: &mut F) -> Value<()> {
        self.nest(clauses, inside).map(|_| ())
    }

    fn nest<F: FnMut(&mut Self) -> Each>(&mut self, clauses: &[Clause], inside: &mut F) -> Each {
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
            Clause::For { binding: Binding::Value(slot), range, span } => match range {
                Range::Span { low, high, inclusive } => {
                    let (low, high) = (self.int(low)?, self.int(high)?);
                    let last = if *inclusive { Some(high) } else { high.checked_sub(1) };
                    let Some(last) = last else { return Ok(ControlFlow::Continue(())) };
                    for value in low..=last {
                        if self.turn(*slot, value, *span, rest, inside)?.is_break() {
                            return Ok(ControlFlow::Break(()));
                        }
                    }
                    Ok(ControlFlow::Continue(()))
                }
                Range::List(list) => {
                    for value in self.list(list)?.iter() {
                        if self.turn(*slot, *value, *span, rest, inside)?.is_break() {
                            return Ok(ControlFlow::Break(()));
                        }
                    }
                    Ok(ControlFlow::Continue(()))
                }
                Range::Table(_) => Ok(ControlFlow::Continue(())),
            },
            Clause::For { binding, range, span } => {
                let Range::Table(table) = range else { return Ok(ControlFlow::Continue(())) };
                for row in self.table(table)?.iter() {
                    self.step(*span)?;
                    self.bind(binding, row, *span)?;
                    if self.nest(rest, inside)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// One turn of a loop over values.
    #[inline]
    fn turn<F: FnMut(&mut Self) -> Each>(
        &mut self,
        slot: usize,
        value: i64,
        span: Span,
        rest: &[Clause],
        inside: &mut F,
    ) -> Each {
        self.step(span)?;
        self.loops.values[slot] = value;
        if rest.is_empty() { inside(self) } else { self.nest(rest, inside) }
    }

    fn bind(&mut self, binding: &Binding, row: &Vec<i64>, span: Span) -> Value<()> {
        match binding {
            Binding::Row(slot) => self.loops.rows[*slot].clone_from(row),
            Binding::Entries(slots) => {
                if row.len() != slots.len() {
                    let fault = Fault::RowLength { names: slots.len(), entries: row.len() };
                    return Err(Halt::fault(fault, span));
                }
                for (slot, value) in slots.iter().zip(row) {
                    self.loops.values[*slot] = *value;
                }
            }
            Binding::Value(_) => {}
        }
        Ok(())
    }

    /// The bounds of a range, which may have at most `limit` values.
    pub(super) fn bounds(
        &mut self,
        low: &Int,
        high: &Int,
        inclusive: bool,
        span: Span,
        limit: u64,
    ) -> Value<(i64, i64)> {
        let (low, high) = (self.int(low)?, self.int(high)?);
        let size = i128::from(high) - i128::from(low) + i128::from(inclusive);
        if size > i128::from(limit) { Err(Halt::fault(Fault::TooLong(limit), span)) } else { Ok((low, high)) }
    }

    #[inline]
    fn step(&mut self, span: Span) -> Value<()> {
        self.loops.steps += 1;
        if self.loops.steps > STEP_LIMIT { Err(Halt::fault(Fault::TooLong(STEP_LIMIT), span)) } else { Ok(()) }
    }
}
