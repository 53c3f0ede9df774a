//! Asks for a truth or an example: `exists where F`, `every where F`, `one of E where F`.

use super::read::Reading;
use super::room::Room;
use super::{Answer, Ask, Fast, Naive, Shape, Topic, boxed};
use crate::engine::Sought;
use crate::faults::{Wrong, planted};
use crate::lang::tree::{Bool, Int};
use crate::lang::{BoolProgram, Halt, IntProgram, Parsed};

/// The forms of this family.
pub(super) const FORMS: &[&str] = &["exists where F", "every where F", "one of E where F"];

/// An ask for a truth or an example, with its condition.
#[derive(Clone, Debug)]
pub enum Truth {
    /// Whether the condition holds at some start.
    Exists(Bool),
    /// Whether it holds at every start.
    Every(Bool),
    /// A value at any start where it holds.
    OneOf(Int, Bool),
}

pub(super) fn read(reading: &mut Reading<'_, '_>) -> Option<Parsed<Box<dyn Ask>>> {
    let ask = if reading.take_words("exists") {
        reading.condition().map(Truth::Exists)
    } else if reading.take_words("every") {
        reading.condition().map(Truth::Every)
    } else if reading.take_words("one of") {
        reading.number().and_then(|value| reading.condition().map(|condition| Truth::OneOf(value, condition)))
    } else {
        return None;
    };
    Some(ask.map(boxed))
}

impl Ask for Truth {
    fn solve(&self, rows: &mut Fast<'_>) -> Result<Answer, Halt> {
        // all rows are evaluated: the question rests on each of them
        let (Self::Exists(condition) | Self::Every(condition) | Self::OneOf(_, condition)) = self;
        let condition = BoolProgram::new(condition);
        let value = if let Self::OneOf(value, _) = self { Some(IntProgram::new(value)) } else { None };
        let (mut held, mut failed) = (0_u64, 0_u64);
        let (mut values, mut room) = (Vec::<Answer>::new(), Room::of(rows.engine()));
        rows.each(&mut |rows, row| {
            if !rows.holds(&condition, row)? {
                failed += 1;
                return Ok(());
            }
            held += 1;
            if let Some(value) = &value
                && let Some(value) = rows.value(value, row)?
            {
                let value = Answer::int(value);
                if planted(Wrong::OneOfTheOthers) {
                    values = vec![value];
                } else if !values.contains(&value) {
                    room.take(value.bytes())?;
                    values.push(value);
                }
            }
            Ok(())
        })?;
        Ok(match self {
            Self::Exists(_) if planted(Wrong::ExistsIsEvery) => Answer::Truth(failed == 0),
            Self::Exists(_) => Answer::Truth(held > 0),
            Self::Every(_) if planted(Wrong::EveryIsExists) => Answer::Truth(held > 0),
            Self::Every(_) => Answer::Truth(failed == 0),
            Self::OneOf(..) => Answer::OneOf(values),
        })
    }

    fn walk(&self, rows: &mut Naive<'_>) -> Result<Answer, Halt> {
        match self {
            Self::Exists(condition) => {
                let mut found = false;
                rows.each(&mut |rows, row| {
                    found = rows.holds(condition, row)? || found;
                    Ok(!found || rows.thorough)
                })?;
                Ok(Answer::Truth(found))
            }
            Self::Every(condition) => {
                let mut every = true;
                rows.each(&mut |rows, row| {
                    every = rows.holds(condition, row)? && every;
                    Ok(every || rows.thorough)
                })?;
                Ok(Answer::Truth(every))
            }
            Self::OneOf(value, condition) => {
                let (mut fitting, mut room) = (Vec::new(), Room::of(rows.walker));
                rows.each(&mut |rows, row| {
                    if rows.holds(condition, row)? {
                        let value = rows.value(value, row)?.map(Answer::int);
                        let new = value.filter(|value| !fitting.contains(value));
                        room.take(new.as_ref().map_or(0, Answer::bytes))?;
                        fitting.extend(new);
                    }
                    Ok(true)
                })?;
                Ok(Answer::OneOf(fitting))
            }
        }
    }

    fn topic(&self) -> Topic<'_> {
        Topic::Truth(self)
    }

    fn shape(&self) -> Shape {
        match self {
            Self::Exists(_) | Self::Every(_) => Shape::Truth,
            Self::OneOf(..) => Shape::Number(&["none"]),
        }
    }

    fn sought(&self) -> Option<Sought> {
        // `exists` and `every` may stop at the first start
        match self {
            Self::OneOf(_, condition) => super::over::always_seeks(condition),
            Self::Exists(_) | Self::Every(_) => None,
        }
    }
}
