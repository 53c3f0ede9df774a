//! Loops and guards.

use super::*;

/// What happens for each combination of loops.
pub(super) type Each = Value<Flow>;

/// Whether loops go on or break off. It is a whole number, which is handed back in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum Flow {
    On,
    Off,
}

impl Reader<'_, '_> {
    /// Calls `inside` for each combination of the loops that passes the guards, until it breaks.
    pub(super) fn over<F: FnMut(&mut Self) -> Each>(&mut self, clauses: &[Clause], inside: &mut F) -> Value<()> {
        let whole = match clauses {
            [Clause::For { .. }, ..] => self.nest(clauses, inside),
            _ => self.guarded(clauses, inside),
        };
        whole.map(|_| ())
    }

    /// Asks the guards before the next loop.
    fn guarded<F: FnMut(&mut Self) -> Each>(&mut self, mut clauses: &[Clause], inside: &mut F) -> Each {
        while let [Clause::If(condition), rest @ ..] = clauses {
            if !self.bool_here(condition)? {
                return Ok(Flow::On);
            }
            clauses = rest;
        }
        if clauses.is_empty() { inside(self) } else { self.nest(clauses, inside) }
    }

    /// Goes through the first loop.
    fn nest<F: FnMut(&mut Self) -> Each>(&mut self, clauses: &[Clause], inside: &mut F) -> Each {
        let [Clause::For { binding, range, span }, rest @ ..] = clauses else { return self.guarded(clauses, inside) };
        match (binding, range) {
            (Binding::Value(slot), Range::Span { low, high, inclusive }) => {
                let (mut value, high) = (self.int_here(low)?, self.int_here(high)?);
                while value < high || (*inclusive && value == high) {
                    if self.turn(*slot, value, *span, rest, inside)? == Flow::Off {
                        return Ok(Flow::Off);
                    }
                    let Some(next) = value.checked_add(1) else { break };
                    value = next;
                }
            }
            (Binding::Value(slot), Range::List(list)) => {
                for value in self.list(list)?.iter() {
                    if self.turn(*slot, *value, *span, rest, inside)? == Flow::Off {
                        return Ok(Flow::Off);
                    }
                }
            }
            (Binding::Row(_) | Binding::Entries(_), Range::Table(table)) => {
                for row in self.table(table)?.iter() {
                    self.step(*span)?;
                    self.bind(binding, row, *span)?;
                    if self.guarded(rest, inside)? == Flow::Off {
                        return Ok(Flow::Off);
                    }
                }
            }
            _ => {}
        }
        Ok(Flow::On)
    }

    /// One turn of a loop over values.
    #[inline(always)]
    fn turn<F: FnMut(&mut Self) -> Each>(
        &mut self,
        slot: usize,
        value: i64,
        span: Span,
        rest: &[Clause],
        inside: &mut F,
    ) -> Each {
        self.step(span)?;
        self.around.set(slot, value);
        match rest {
            [] => inside(self),
            [Clause::If(condition)] => {
                if self.bool_here(condition)? {
                    inside(self)
                } else {
                    Ok(Flow::On)
                }
            }
            _ => self.guarded(rest, inside),
        }
    }

    fn bind(&mut self, binding: &Binding, row: &Vec<i64>, span: Span) -> Value<()> {
        match binding {
            Binding::Row(slot) => {
                if self.around.rows.len() <= *slot {
                    self.around.rows.resize(self.around.slots.rows.max(slot + 1), Vec::new());
                }
                self.around.rows[*slot].clone_from(row);
            }
            Binding::Entries(slots) => {
                if row.len() != slots.len() {
                    let fault = Fault::RowLength { names: slots.len(), entries: row.len() };
                    return Err(Halt::fault(fault, span));
                }
                for (slot, value) in slots.iter().zip(row) {
                    self.around.set(*slot, *value);
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
        self.around.steps += 1;
        if self.around.steps > STEP_LIMIT { Err(Halt::fault(Fault::TooLong(STEP_LIMIT), span)) } else { Ok(()) }
    }
}
