//! Moves, the winner, and what there is at a position: over, or the options.

use super::*;

/// Puts the options of a position into `options`, or says who has won there.
///
/// # Errors
///
/// A rule error, tied to the position and the move.
pub fn look(rules: &Rules, position: &[i64], options: &mut Options) -> Value<Option<WinnerWord>> {
    options.clear();
    let blind = &mut Blind;
    let mut evaluator = Evaluator::new(position, &[], rules.slots, blind);
    let mut over = false;
    if let Some(end) = &rules.end {
        over = evaluator.bool(end).map_err(|halt| halt.at(position, None))?;
    }
    if !over {
        for (number, made) in rules.moves.iter().enumerate() {
            let result = evaluator.moved(rules, made, &mut |parts| {
                for part in &parts {
                    if let Some(legal) = &rules.legal {
                        let blind = &mut Blind;
                        if !Evaluator::new(part, &[], rules.slots, blind).bool(legal)? {
                            return Ok(());
                        }
                    }
                }
                let mut reached: Vec<i64> = Vec::new();
                parts.iter().for_each(|part| reached.extend(rules.state_of(part)));
                if let Some(last) = parts.last() {
                    reached.extend(&last[rules.state_width..]);
                }
                if options.len() >= number::MOVE_LIMIT {
                    return Err(Halt::fault(Fault::TooManyMoves(number::MOVE_LIMIT), made.span));
                }
                options.push(u32::try_from(number).unwrap_or(u32::MAX), &reached);
                Ok(())
            });
            result.map_err(|halt| halt.at(position, Some(number)))?;
        }
        over = options.is_empty();
    }
    if !over {
        return Ok(None);
    }
    evaluator.winner(&rules.winner).map(Some).map_err(|halt| halt.at(position, None))
}

/// Whether a position is a goal; without a goal none is.
///
/// # Errors
///
/// A rule error, tied to the position.
pub fn at_goal(rules: &Rules, position: &[i64]) -> Value<bool> {
    let Some(goal) = &rules.goal else { return Ok(false) };
    let blind = &mut Blind;
    Evaluator::new(position, &[], rules.slots, blind).bool(goal).map_err(|halt| halt.at(position, None))
}

impl Evaluator<'_> {
    /// The positions that a move leads to, in the order of its loops, each as the parts into which it splits the old
    /// one, which is one part in most games; whether they are legal is not asked.
    ///
    /// # Errors
    ///
    /// A rule error or a limit.
    fn moved(&mut self, rules: &Rules, made: &Move, reached: &mut dyn FnMut(Vec<Vec<i64>>) -> Value<()>) -> Value<()> {
        self.over(&made.clauses, &mut |evaluator| {
            let mut parts = Vec::new();
            for part in &made.parts {
                let mut position = evaluator.position.to_vec();
                match part {
                    MoveBody::Position(coordinates) => evaluator.coordinates(coordinates, &mut position)?,
                    MoveBody::Assign(assignments) => evaluator.assign(assignments, &mut position)?,
                }
                if let Some(turn) = rules.turn {
                    position[turn] = if position[turn] == 1 { 2 } else { 1 };
                }
                parts.push(position);
            }
            reached(parts)?;
            Ok(ControlFlow::Continue(()))
        })
    }

    fn assign(&mut self, assignments: &[Assignment], position: &mut [i64]) -> Value<()> {
        let mut assigned_cells = Vec::new();
        for assignment in assignments {
            match assignment {
                Assignment::Variable(offset, value) => position[*offset] = self.int(value)?,
                Assignment::Cell(array, index, value) => {
                    let at = self.int(index)?;
                    let cell = usize::try_from(at).ok().filter(|cell| *cell < array.length);
                    let cell = cell.ok_or_else(|| Halt::fault(Fault::OutsideList(at, array.length), index.span))?;
                    if assigned_cells.contains(&(array.offset + cell)) {
                        return Err(Halt::fault(Fault::CellTwice(at, array.offset), index.span));
                    }
                    assigned_cells.push(array.offset + cell);
                    position[array.offset + cell] = self.int(value)?;
                }
                Assignment::Array(array, list) => {
                    let values = self.cells(list, array.length)?;
                    position[array.offset..array.offset + array.length].copy_from_slice(&values);
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
