//! Moves, the winner, and what there is at a position: over, or the options.

use super::making::{Target, number_of};
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
