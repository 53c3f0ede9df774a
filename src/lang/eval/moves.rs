//! Moves, the winner, and what there is at a position: over, or the options.

use std::mem;

use super::*;

/// What reading rules needs besides them, kept from position to position.
pub struct Reading {
    around: Around<'static>,
    /// `legal` is read in the middle of a move's loops and needs variables of its own.
    around_legal: Around<'static>,
    /// The parts of a split, each with the tail, one after the other.
    parts: Vec<i64>,
    /// Which cells a move has assigned.
    assigned: Vec<usize>,
}

impl Reading {
    /// Room for so many loop variables.
    #[must_use]
    pub fn new(slots: Slots) -> Self {
        let around = || Around::new(slots, &[], None);
        Self { around: around(), around_legal: around(), parts: Vec::new(), assigned: Vec::new() }
    }

    fn reader<'r>(&'r mut self, position: &'r [i64]) -> Reader<'r, 'static> {
        Reader { position, around: &mut self.around }
    }
}

impl std::fmt::Debug for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reading").finish_non_exhaustive()
    }
}

/// Puts the options of a position into `options`, or says who has won there.
///
/// # Errors
///
/// A rule error, tied to the position and the move.
#[inline(always)]
pub fn look(
    rules: &Rules,
    position: &[i64],
    options: &mut Options,
    reading: &mut Reading,
) -> Value<Option<WinnerWord>> {
    options.clear();
    over(rules, position, reading, |reading| {
        list_all(rules, position, options, reading)?;
        Ok(!options.is_empty())
    })
}

/// The same, but only the options of the first move text that has any; gives back how many texts were read, too, and the
/// greatest number where it was the last. What `options` holds at a terminal position is of no use.
///
/// # Errors
///
/// A rule error, tied to the position and the move.
#[inline(always)]
pub fn look_at_some(
    rules: &Rules,
    position: &[i64],
    options: &mut Options,
    reading: &mut Reading,
) -> Value<(Option<WinnerWord>, usize)> {
    let mut read = 0;
    let over = over(rules, position, reading, |reading| {
        read = list_some(rules, 0, position, options, reading)?;
        Ok(!options.is_empty())
    })?;
    Ok((over, read))
}

/// Puts the options of the next move text that has any into `options`, where so many texts have been read before; gives
/// back how many have been now.
///
/// # Errors
///
/// A rule error, tied to the position and the move.
#[inline(always)]
pub fn look_at_more(
    rules: &Rules,
    position: &[i64],
    options: &mut Options,
    reading: &mut Reading,
    read: usize,
) -> Value<usize> {
    reading.around.steps = 0;
    list_some(rules, read, position, options, reading)
}

/// Who has won at a position, if it is over. Moves are read only until there is one, and not what it leads to.
///
/// # Errors
///
/// A rule error, tied to the position and the move.
#[inline(always)]
pub fn look_at_end(
    rules: &Rules,
    position: &[i64],
    options: &mut Options,
    reading: &mut Reading,
) -> Value<Option<WinnerWord>> {
    over(rules, position, reading, |reading| {
        if rules.legal.is_some() {
            list_some(rules, 0, position, options, reading)?;
            return Ok(!options.is_empty());
        }
        if rules.moves.first().is_some_and(|made| made.clauses.is_empty()) {
            return Ok(true);
        }
        let mut reader = reading.reader(position);
        for (number, made) in rules.moves.iter().enumerate() {
            if reader.is_there(made).map_err(|halt| halt.at(position, Some(number)))? {
                return Ok(true);
            }
        }
        Ok(false)
    })
}

/// Who has won at a position, if `end` holds there or else there is no move.
#[inline(always)]
fn over(
    rules: &Rules,
    position: &[i64],
    reading: &mut Reading,
    has_move: impl FnOnce(&mut Reading) -> Value<bool>,
) -> Value<Option<WinnerWord>> {
    reading.around.steps = 0;
    let mut over = false;
    if let Some(end) = &rules.end {
        over = reading.reader(position).bool_here(end).map_err(|halt| halt.at(position, None))?;
    }
    if !over {
        over = !has_move(reading)?;
    }
    match &rules.winner {
        _ if !over => Ok(None),
        Winner::Word(word) => Ok(Some(*word)),
        winner => reading.reader(position).winner(winner).map(Some).map_err(|halt| halt.at(position, None)),
    }
}

/// Puts the options of a position that is not over into `options`: those of the first move text that has any, from this
/// number on. Gives back how many texts have been read, and the greatest number where there are no more.
#[inline(never)]
fn list_some(
    rules: &Rules,
    from: usize,
    position: &[i64],
    options: &mut Options,
    reading: &mut Reading,
) -> Value<usize> {
    let mut number = from;
    while let Some(made) = rules.moves.get(number) {
        let found = match only(rules, made) {
            Some((guard, coordinates)) => reading
                .reader(position)
                .make_only(guard, coordinates, number, rules, options)
                .map_err(|halt| halt.at(position, Some(number)))?,
            None => {
                options.clear();
                list(rules, number, position, options, reading)?;
                !options.is_empty()
            }
        };
        number += 1;
        if found {
            return Ok(if number < rules.moves.len() { number } else { usize::MAX });
        }
    }
    options.clear();
    Ok(usize::MAX)
}

/// The guard, if any, and the position written out of a move text that stands for one move at most, in a game in which
/// every move is legal.
#[inline(always)]
fn only<'r>(rules: &Rules, made: &'r Move) -> Option<(Option<&'r Bool>, &'r Coordinates)> {
    let ([MoveBody::Position(coordinates)], None) = (&made.parts[..], &rules.legal) else { return None };
    match &made.clauses[..] {
        [] => Some((None, coordinates)),
        [Clause::If(guard)] => Some((Some(guard), coordinates)),
        _ => None,
    }
}

/// Adds all options of a position that is not over.
#[inline(never)]
fn list_all(rules: &Rules, position: &[i64], options: &mut Options, reading: &mut Reading) -> Value<()> {
    for (number, made) in rules.moves.iter().enumerate() {
        match only(rules, made) {
            Some((guard, coordinates)) => {
                let mut reader = reading.reader(position);
                reader
                    .put_only(guard, coordinates, number, rules, options)
                    .map_err(|halt| halt.at(position, Some(number)))?;
            }
            None => list(rules, number, position, options, reading)?,
        }
    }
    Ok(())
}

/// Adds the options that the move text of this number leads to.
#[inline(never)]
fn list(rules: &Rules, number: usize, position: &[i64], options: &mut Options, reading: &mut Reading) -> Value<()> {
    let Some(made) = rules.moves.get(number) else { return Ok(()) };
    let Reading { around, around_legal, parts, assigned } = reading;
    let mut target = Target { rules, options, around_legal, parts, assigned };
    Reader { position, around }
        .make_all(made, number_of(number), &mut target)
        .map_err(|halt| halt.at(position, Some(number)))
}

/// The number of a move, as options have it.
fn number_of(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Whether a position is a goal; without a goal none is.
///
/// # Errors
///
/// A rule error, tied to the position.
pub fn at_goal(rules: &Rules, position: &[i64], reading: &mut Reading) -> Value<bool> {
    let Some(goal) = &rules.goal else { return Ok(false) };
    reading.around.steps = 0;
    reading.reader(position).bool(goal).map_err(|halt| halt.at(position, None))
}

/// Where moves put the positions that they lead to.
struct Target<'t> {
    rules: &'t Rules,
    options: &'t mut Options,
    around_legal: &'t mut Around<'static>,
    parts: &'t mut Vec<i64>,
    assigned: &'t mut Vec<usize>,
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
    fn make_only(
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
                    let value = self.int_here(int)?;
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
        let tail = rest.into_slice();
        if !tail.is_empty() {
            tail.copy_from_slice(&self.position[self.position.len() - tail.len()..]);
            turned(rules, options.open());
        }
        Ok(true)
    }

    /// Adds to `options` the one option that a move leads to, if its guard holds.
    #[inline(always)]
    fn put_only(
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
    fn make_all(&mut self, made: &Move, number: u32, target: &mut Target<'_>) -> Value<()> {
        match (&made.parts[..], &target.rules.legal) {
            ([MoveBody::Position(coordinates)], None) => self.over(&made.clauses, &mut |reader| {
                reader.put(coordinates, number, target.rules, target.options)?;
                target.limit(made).map(ControlFlow::Continue)
            }),
            ([MoveBody::Assign(assignments)], None) => self.over(&made.clauses, &mut |reader| {
                reader.put_assigned(assignments, number, target)?;
                target.limit(made).map(ControlFlow::Continue)
            }),
            _ => self.over(&made.clauses, &mut |reader| reader.make(made, number, target).map(ControlFlow::Continue)),
        }
    }

    /// Whether a move can be made at all, where no position reached is forbidden.
    fn is_there(&mut self, made: &Move) -> Value<bool> {
        let mut found = made.clauses.is_empty();
        if !found {
            self.over(&made.clauses, &mut |_| {
                found = true;
                Ok(ControlFlow::Break(()))
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
    fn winner(&mut self, winner: &Winner) -> Value<WinnerWord> {
        match winner {
            Winner::Word(word) => Ok(*word),
            Winner::If(condition, yes, no) => {
                let branch = if self.bool_here(condition)? { yes } else { no };
                self.winner(branch)
            }
        }
    }
}
