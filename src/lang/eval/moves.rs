//! Moves, the winner, and what there is at a position: over, or the options.

use super::*;

/// What reading rules needs besides them, kept from position to position.
#[derive(Debug)]
pub struct Reading {
    loops: Loops,
    /// `legal` is read in the middle of a move's loops and needs variables of its own.
    legal_loops: Loops,
    /// The parts of a split, each with the tail, one after the other.
    parts: Vec<i64>,
    /// Which cells a move has assigned.
    assigned: Vec<usize>,
    /// Rules read no values of positions.
    blind: Blind,
}

impl Reading {
    /// Room for so many loop variables.
    #[must_use]
    pub fn new(slots: Slots) -> Self {
        let (loops, legal_loops) = (Loops::new(slots), Loops::new(slots));
        Self { loops, legal_loops, parts: Vec::new(), assigned: Vec::new(), blind: Blind }
    }

    fn reader<'r>(&'r mut self, position: &'r [i64]) -> Reader<'r> {
        Reader { position, parameters: &[], loops: &mut self.loops, sight: &mut self.blind }
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
        list(rules, 0, position, options, reading, false)?;
        Ok(!options.is_empty())
    })
}

/// The same, but only the options of the first move text that has any; gives back how many texts were read, too.
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
    options.clear();
    let over = over(rules, position, reading, |reading| {
        read = list(rules, 0, position, options, reading, true)?;
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
    options.clear();
    reading.loops.steps = 0;
    list(rules, read, position, options, reading, true)
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
            options.clear();
            list(rules, 0, position, options, reading, true)?;
            return Ok(!options.is_empty());
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
    reading.loops.steps = 0;
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

/// Puts the options of a position that is not over into `options`, from the move text of this number on: all, or those
/// of one text. Gives back how many texts have been read.
#[inline(never)]
fn list(
    rules: &Rules,
    from: usize,
    position: &[i64],
    options: &mut Options,
    reading: &mut Reading,
    of_one: bool,
) -> Value<usize> {
    let Reading { loops, legal_loops, parts, assigned, blind } = reading;
    let reader = &mut Reader { position, parameters: &[], loops, sight: blind };
    let target = &mut Target { rules, options, legal_loops, parts, assigned };
    for (number, made) in (from..).zip(rules.moves.get(from..).unwrap_or_default()) {
        let mark = u32::try_from(number).unwrap_or(u32::MAX);
        let result = match &made.parts[..] {
            [MoveBody::Position(coordinates)] if made.clauses.is_empty() && rules.legal.is_none() => {
                reader.put(coordinates, mark, target)
            }
            _ => reader.make_all(made, mark, target),
        };
        if let Err(halt) = result {
            return Err(halt.at(position, Some(number)));
        }
        if of_one && !target.options.is_empty() {
            return Ok(number + 1);
        }
    }
    Ok(rules.moves.len())
}

/// Whether a position is a goal; without a goal none is.
///
/// # Errors
///
/// A rule error, tied to the position.
pub fn at_goal(rules: &Rules, position: &[i64], reading: &mut Reading) -> Value<bool> {
    let Some(goal) = &rules.goal else { return Ok(false) };
    reading.loops.steps = 0;
    reading.reader(position).bool(goal).map_err(|halt| halt.at(position, None))
}

/// Where moves put the positions that they lead to.
struct Target<'t> {
    rules: &'t Rules,
    options: &'t mut Options,
    legal_loops: &'t mut Loops,
    parts: &'t mut Vec<i64>,
    assigned: &'t mut Vec<usize>,
}

impl Target<'_> {
    /// Whether the option added last is not one too many.
    fn limit(&self, made: &Move) -> Value<()> {
        if self.options.len() <= number::MOVE_LIMIT {
            return Ok(());
        }
        Err(Halt::fault(Fault::TooManyMoves(number::MOVE_LIMIT), made.span))
    }
}

/// After a move the other player is to move.
fn turned(rules: &Rules, position: &mut [i64]) {
    if let Some(turn) = rules.turn {
        position[turn] = if position[turn] == 1 { 2 } else { 1 };
    }
}

#[inline(never)]
fn is_legal(legal: &Bool, position: &[i64], loops: &mut Loops) -> Value<bool> {
    loops.steps = 0;
    Reader { position, parameters: &[], loops, sight: &mut Blind }.bool(legal)
}

impl Reader<'_> {
    /// Adds the positions that a move leads to.
    #[inline(never)]
    fn make_all(&mut self, made: &Move, number: u32, target: &mut Target<'_>) -> Value<()> {
        self.over(&made.clauses, &mut |reader| {
            reader.make(made, number, target)?;
            Ok(ControlFlow::Continue(()))
        })
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
            [MoveBody::Position(coordinates)] => self.put(coordinates, number, target)?,
            [MoveBody::Assign(assignments)] => {
                let position = target.options.copy(number, self.position);
                self.assign(assignments, position, target.assigned)?;
                turned(target.rules, position);
            }
            _ => return self.split(made, number, target),
        }
        if let Some(legal) = &target.rules.legal
            && !is_legal(legal, target.options.last(), target.legal_loops)?
        {
            target.options.undo();
            return Ok(());
        }
        target.limit(made)
    }

    /// Adds a position that is written out.
    #[inline(always)]
    fn put(&mut self, coordinates: &Coordinates, number: u32, target: &mut Target<'_>) -> Value<()> {
        let cells = target.options.open();
        for entry in &coordinates.entries {
            match entry {
                Coordinate::Int(int) => cells.push(self.int_here(int)?),
                Coordinate::List(list, length) => self.put_list(list, *length, cells)?,
            }
        }
        if self.position.len() > target.rules.state_width {
            self.put_tail(target.rules, cells);
        }
        target.options.close(number, self.position.len());
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
                if !is_legal(legal, &target.parts[part(at)], target.legal_loops)? {
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

    fn assign(&mut self, assignments: &[Assignment], position: &mut [i64], assigned: &mut Vec<usize>) -> Value<()> {
        assigned.clear();
        for assignment in assignments {
            match assignment {
                Assignment::Variable(offset, value) => position[*offset] = self.int_here(value)?,
                Assignment::Cell(array, index, value) => {
                    let at = self.int_here(index)?;
                    let cell = usize::try_from(at).ok().filter(|cell| *cell < array.length);
                    let cell = cell.ok_or_else(|| Halt::fault(Fault::OutsideList(at, array.length), index.span))?;
                    if assigned.contains(&(array.offset + cell)) {
                        return Err(Halt::fault(Fault::CellTwice(at, array.offset), index.span));
                    }
                    assigned.push(array.offset + cell);
                    position[array.offset + cell] = self.int_here(value)?;
                }
                Assignment::Array(array, list) => {
                    self.cells(list, &mut position[array.offset..array.offset + array.length])?;
                }
            }
        }
        Ok(())
    }

    fn winner(&mut self, winner: &Winner) -> Value<WinnerWord> {
        match winner {
            Winner::Word(word) => Ok(*word),
            Winner::If(condition, yes, no) => {
                let branch = if self.bool(condition)? { yes } else { no };
                self.winner(branch)
            }
        }
    }
}
