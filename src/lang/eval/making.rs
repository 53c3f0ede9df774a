//! The positions that moves lead to.

use std::mem;

use super::*;

/// Where moves put the positions that they lead to.
pub(super) struct Target<'t> {
    pub(super) rules: &'t Rules,
    pub(super) options: &'t mut Options,
    pub(super) around_legal: &'t mut Around<'static>,
    pub(super) parts: &'t mut Vec<i64>,
    pub(super) assigned: &'t mut Vec<usize>,
}

impl Target<'_> {
    /// Whether the option added last is not one too many.
    #[inline(always)]
    fn limit(&self, made: &Move) -> Value<()> {
        if self.options.len() <= number::MOVE_LIMIT {
            return Ok(());
        }
        Err(Halt::fault(Fault::TooManyMoves(number::MOVE_LIMIT), made.span))
    }
}

/// After a move the other player is to move.
#[inline(always)]
fn turned(rules: &Rules, position: &mut [i64]) {
    if let Some(turn) = rules.turn {
        position[turn] = if position[turn] == 1 { 2 } else { 1 };
    }
}

#[inline(never)]
fn is_legal(legal: &Bool, position: &[i64], around: &mut Around<'static>) -> Value<bool> {
    around.steps = 0;
    Reader { position, around }.bool(legal)
}

impl Reader<'_, '_> {
    /// Makes `options` the one option that a move leads to, if its guard holds.
    #[inline(always)]
    pub(super) fn make_only(
        &mut self,
        guard: Option<&Bool>,
        coordinates: &Coordinates,
        number: usize,
        rules: &Rules,
        options: &mut Options,
    ) -> Value<bool> {
        if let Some(guard) = guard
            && !self.bool_here(guard)?
        {
            return Ok(false);
        }
        let mut rest = options.only(number_of(number), self.position.len()).iter_mut();
        for entry in &coordinates.entries {
            match entry {
                Coordinate::Int(int) => {
                    let value = self.int_outside_loops(int)?;
                    if let Some(cell) = rest.next() {
                        *cell = value;
                    }
                }
                Coordinate::List(list, length) => {
                    let (here, after) = mem::take(&mut rest).into_slice().split_at_mut(*length);
                    self.cells(list, here)?;
                    rest = after.iter_mut();
                }
            }
        }
        if self.position.len() > rules.state_width {
            self.keep_tail(rules, options);
        }
        Ok(true)
    }

    /// Adds to `options` the one option that a move leads to, if its guard holds.
    #[inline(always)]
    pub(super) fn put_only(
        &mut self,
        guard: Option<&Bool>,
        coordinates: &Coordinates,
        number: usize,
        rules: &Rules,
        options: &mut Options,
    ) -> Value<()> {
        match guard {
            Some(guard) if !self.bool_here(guard)? => Ok(()),
            _ => self.put(coordinates, number_of(number), rules, options),
        }
    }

    /// Adds the positions that a move leads to.
    #[inline(always)]
    pub(super) fn make_all(&mut self, made: &Move, number: u32, target: &mut Target<'_>) -> Value<()> {
        match (&made.parts[..], &target.rules.legal) {
            ([MoveBody::Position(coordinates)], None) => self.over(&made.clauses, &mut |reader| {
                reader.put(coordinates, number, target.rules, target.options)?;
                target.limit(made).map(|()| Flow::On)
            }),
            ([MoveBody::Assign(assignments)], None) => self.over(&made.clauses, &mut |reader| {
                reader.put_assigned(assignments, number, target)?;
                target.limit(made).map(|()| Flow::On)
            }),
            _ => self.over(&made.clauses, &mut |reader| reader.make(made, number, target).map(|()| Flow::On)),
        }
    }

    /// Whether a move can be made at all, where no position reached is forbidden.
    pub(super) fn is_there(&mut self, made: &Move) -> Value<bool> {
        let mut found = made.clauses.is_empty();
        if !found {
            self.over(&made.clauses, &mut |_| {
                found = true;
                Ok(Flow::Off)
            })?;
        }
        Ok(found)
    }

    /// Adds the position that a move leads to for the current loop variables, if it is legal.
    fn make(&mut self, made: &Move, number: u32, target: &mut Target<'_>) -> Value<()> {
        match &made.parts[..] {
            [MoveBody::Position(coordinates)] => self.put(coordinates, number, target.rules, target.options)?,
            [MoveBody::Assign(assignments)] => self.put_assigned(assignments, number, target)?,
            _ => return self.split(made, number, target),
        }
        if let Some(legal) = &target.rules.legal
            && !is_legal(legal, target.options.last(), target.around_legal)?
        {
            target.options.undo();
            return Ok(());
        }
        target.limit(made)
    }

    /// Adds a position that is written out.
    #[inline(always)]
    fn put(&mut self, coordinates: &Coordinates, number: u32, rules: &Rules, options: &mut Options) -> Value<()> {
        let cells = options.open();
        for entry in &coordinates.entries {
            match entry {
                Coordinate::Int(int) => cells.push(self.int_here(int)?),
                Coordinate::List(list, length) => self.put_list(list, *length, cells)?,
            }
        }
        if self.position.len() > rules.state_width {
            self.put_tail(rules, cells);
        }
        options.close(number, self.position.len());
        Ok(())
    }

    /// Adds a position that is made by assignments.
    #[inline(always)]
    fn put_assigned(&mut self, assignments: &[Assignment], number: u32, target: &mut Target<'_>) -> Value<()> {
        let position = target.options.copy(number, self.position);
        self.assign(assignments, position, target.assigned)?;
        turned(target.rules, position);
        Ok(())
    }

    #[inline(never)]
    fn put_list(&mut self, list: &List, length: usize, cells: &mut Vec<i64>) -> Value<()> {
        let start = cells.len();
        cells.resize(start + length, 0);
        self.cells(list, &mut cells[start..])
    }

    /// The same for the only option.
    #[inline(never)]
    fn keep_tail(&self, rules: &Rules, options: &mut Options) {
        let cells = options.open();
        cells[rules.state_width..].copy_from_slice(&self.position[rules.state_width..]);
        turned(rules, cells);
    }

    /// What stands in a position after the state.
    #[inline(never)]
    fn put_tail(&mut self, rules: &Rules, cells: &mut Vec<i64>) {
        let start = cells.len() - rules.state_width;
        cells.extend_from_slice(&self.position[rules.state_width..]);
        turned(rules, &mut cells[start..]);
    }

    /// The same for a move that splits the position: all parts are made before the first is asked whether it is legal.
    #[inline(never)]
    fn split(&mut self, made: &Move, number: u32, target: &mut Target<'_>) -> Value<()> {
        let width = self.position.len();
        target.parts.clear();
        for part in &made.parts {
            let start = target.parts.len();
            target.parts.extend_from_slice(self.position);
            self.write(part, target.rules, &mut target.parts[start..], target.assigned)?;
        }
        let part = |at: usize| at * width..(at + 1) * width;
        if let Some(legal) = &target.rules.legal {
            for at in 0..made.parts.len() {
                if !is_legal(legal, &target.parts[part(at)], target.around_legal)? {
                    return Ok(());
                }
            }
        }
        let state = target.rules.state_width;
        let mut reached: Vec<i64> = Vec::new();
        (0..made.parts.len()).for_each(|at| reached.extend(&target.parts[part(at)][..state]));
        reached.extend(&self.position[state..]);
        target.options.push(number, &reached);
        target.limit(made)
    }

    /// Writes a part over the position that it is made from.
    fn write(&mut self, part: &MoveBody, rules: &Rules, position: &mut [i64], assigned: &mut Vec<usize>) -> Value<()> {
        match part {
            MoveBody::Position(coordinates) => self.coordinates(coordinates, position)?,
            MoveBody::Assign(assignments) => self.assign(assignments, position, assigned)?,
        }
        turned(rules, position);
        Ok(())
    }

    /// Writes over the copy of a position.
    #[inline(always)]
    fn assign(&mut self, assignments: &[Assignment], position: &mut [i64], assigned: &mut Vec<usize>) -> Value<()> {
        match assignments {
            [Assignment::Variable(offset, value)] => position[*offset] = self.int_here(value)?,
            [Assignment::Cell(array, index, value)] => {
                let cell = self.place(*array, index)?;
                position[cell] = self.int_here(value)?;
            }
            _ => self.assign_all(assignments, position, assigned)?,
        }
        Ok(())
    }

    #[inline(never)]
    fn assign_all(&mut self, assignments: &[Assignment], position: &mut [i64], assigned: &mut Vec<usize>) -> Value<()> {
        assigned.clear();
        for assignment in assignments {
            match assignment {
                Assignment::Variable(offset, value) => position[*offset] = self.int_here(value)?,
                Assignment::Cell(array, index, value) => {
                    let cell = self.place(*array, index)?;
                    if assigned.contains(&cell) {
                        let index_there = length(cell - array.offset);
                        return Err(Halt::fault(Fault::CellTwice(index_there, array.offset), index.span));
                    }
                    assigned.push(cell);
                    position[cell] = self.int_here(value)?;
                }
                Assignment::Array(array, list) => {
                    self.cells(list, &mut position[array.offset..array.offset + array.length])?;
                }
            }
        }
        Ok(())
    }

    /// The offset of a cell.
    #[inline(always)]
    fn place(&mut self, array: Array, index: &Int) -> Value<usize> {
        let at = self.int_here(index)?;
        match usize::try_from(at) {
            Ok(cell) if cell < array.length => Ok(array.offset + cell),
            _ => Err(Halt::fault(Fault::OutsideList(at, array.length), index.span)),
        }
    }

    #[inline(never)]
    pub(super) fn winner(&mut self, winner: &Winner) -> Value<WinnerWord> {
        match winner {
            Winner::Word(word) => Ok(*word),
            Winner::If(condition, yes, no) => {
                let branch = if self.bool_here(condition)? { yes } else { no };
                self.winner(branch)
            }
        }
    }
}

/// The number of a move, as options have it.
pub(super) fn number_of(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
