//! Positions written out, assignments, and the winner.

use super::*;

pub(super) fn compile_coordinates(coordinates: &Coordinates) -> WriteCode {
    let mut offset = 0;
    let mut writers: Vec<WriteCode> = Vec::new();
    for entry in &coordinates.entries {
        match entry {
            Coordinate::Int(Int { kind: IntKind::Variable(same), .. }) if *same == offset => offset += 1,
            Coordinate::Int(int) => {
                let (at, int) = (offset, compile_int(int));
                writers.push(Box::new(move |frame, position| {
                    position[at] = int(frame)?;
                    Ok(())
                }));
                offset += 1;
            }
            Coordinate::List(list, cells) => {
                writers.push(compile_cells(list, Array { offset, length: *cells }));
                offset += cells;
            }
        }
    }
    all_of(writers)
}

/// A cell that needs no computing.
pub(super) enum Ready {
    Number(i64),
    Parameter(usize),
}

/// All cells of a position, if none needs computing.
pub(super) fn ready(coordinates: &Coordinates) -> Option<Vec<Ready>> {
    let cell = |int: &Int| match int.kind {
        IntKind::Number(number) => Some(Ready::Number(number)),
        IntKind::Parameter(at) => Some(Ready::Parameter(at)),
        _ => None,
    };
    let mut cells = Vec::new();
    for entry in &coordinates.entries {
        match entry {
            Coordinate::Int(int) => cells.push(cell(int)?),
            Coordinate::List(List { kind: ListKind::Constant(values), .. }, length) if values.len() == *length => {
                cells.extend(values.iter().map(|value| Ready::Number(*value)));
            }
            Coordinate::List(List { kind: ListKind::Items(items), .. }, length) if items.len() == *length => {
                for item in items {
                    let Scalar::Int(int) = item else { return None };
                    cells.push(cell(int)?);
                }
            }
            Coordinate::List(..) => return None,
        }
    }
    Some(cells)
}

/// Writes an array whole.
pub(super) fn compile_cells(list: &List, array: Array) -> WriteCode {
    let (span, list) = (list.span, compile_list(list));
    Box::new(move |frame, position| {
        let mut values = Vec::with_capacity(array.length);
        list(frame, &mut values)?;
        if values.len() != array.length {
            return Err(Halt::fault(Fault::ArrayLength { cells: array.length, values: values.len() }, span));
        }
        position[array.offset..array.offset + array.length].copy_from_slice(&values);
        Ok(())
    })
}

pub(super) fn compile_assignments(assignments: &[Assignment]) -> WriteCode {
    let mut writers: Vec<WriteCode> = Vec::new();
    for (number, assignment) in assignments.iter().enumerate() {
        writers.push(match assignment {
            Assignment::Variable(offset, value) => {
                let (offset, value) = (*offset, compile_int(value));
                Box::new(move |frame, position| {
                    position[offset] = value(frame)?;
                    Ok(())
                })
            }
            Assignment::Cell(array, index, value) => {
                // earlier cells of the same array, which this one may not repeat
                let earlier: Vec<IntCode> = assignments[..number]
                    .iter()
                    .filter_map(|earlier| match earlier {
                        Assignment::Cell(other, index, _) if other == array => Some(compile_int(index)),
                        _ => None,
                    })
                    .collect();
                let (array, span) = (*array, index.span);
                let (index, value) = (compile_int(index), compile_int(value));
                Box::new(move |frame, position| {
                    let at = index(frame)?;
                    let Some(cell) = cell_of(at, array.length) else {
                        return Err(Halt::fault(Fault::OutsideList(at, array.length), span));
                    };
                    for earlier in &earlier {
                        if earlier(frame)? == at {
                            return Err(Halt::fault(Fault::CellTwice(at, array.offset), span));
                        }
                    }
                    position[array.offset + cell] = value(frame)?;
                    Ok(())
                })
            }
            Assignment::Array(array, list) => compile_cells(list, *array),
        });
    }
    all_of(writers)
}

pub(super) fn all_of(mut writers: Vec<WriteCode>) -> WriteCode {
    if writers.len() == 1
        && let Some(only) = writers.pop()
    {
        return only;
    }
    Box::new(move |frame, position| writers.iter().try_for_each(|write| write(frame, position)))
}

pub(super) fn compile_winner(winner: &Winner) -> WinnerCode {
    match winner {
        Winner::Word(word) => {
            let word = *word;
            Box::new(move |_| Ok(word))
        }
        Winner::If(condition, yes, no) => {
            let (condition, yes, no) = (compile_bool(condition), compile_winner(yes), compile_winner(no));
            Box::new(move |frame| if condition(frame)? { yes(frame) } else { no(frame) })
        }
    }
}
