//! `grid A, B where F`: rows of 0 and 1 over two parameters.

use crate::faults::{Wrong, planted};
use std::collections::{BTreeMap, BTreeSet};

use super::read::Reading;
use super::room::Room;
use super::{Answer, Ask, Fast, Naive, Shape, Topic, boxed};
use crate::budget::Limit;
use crate::engine::Sought;
use crate::lang::tree::Bool;
use crate::lang::{BoolProgram, Halt, Parsed};

/// The forms of this family.
pub(super) const FORMS: &[&str] = &["grid A, B where F"];

/// The most cells that a grid may have.
const CELL_LIMIT: usize = 10_000_000;

/// What a cell takes while the grid is gathered, in bytes.
const EACH: u64 = 64;

#[derive(Clone, Debug)]
struct Grid {
    /// The places of the two parameters in `given`.
    rows: usize,
    columns: usize,
    condition: Bool,
}

pub(super) fn read(reading: &mut Reading<'_, '_>) -> Option<Parsed<Box<dyn Ask>>> {
    reading.take_words("grid").then(|| read_grid(reading).map(boxed))
}

fn read_grid(reading: &mut Reading<'_, '_>) -> Parsed<Grid> {
    let rows = parameter(reading)?;
    if !reading.parser.take(",") {
        return Err(reading.parser.refuse("`,` and a second parameter", &["a grid is written `grid a, b where …`"]));
    }
    let span = reading.parser.span();
    let columns = parameter(reading)?;
    let condition = reading.condition()?;
    if rows == columns {
        return Err(reading.mistake(
            span,
            "a grid has two different parameters",
            "a grid is written `grid a, b where …`",
        ));
    }
    if reading.parameters().len() != 2 {
        let listed = reading.parameters().join(", ");
        return Err(reading.mistake(
            span,
            format!("a grid has just its two parameters, and the question has {}", reading.parameters().len()),
            format!("the parameters are {listed}; give the question a `given` of its own"),
        ));
    }
    Ok(Grid { rows, columns, condition })
}

fn parameter(reading: &mut Reading<'_, '_>) -> Parsed<usize> {
    let named = reading.parser.name("a parameter")?;
    match reading.parameters().iter().position(|name| *name == named.name) {
        Some(place) => Ok(place),
        None => {
            let listed = reading.parameters().join(", ");
            let known = if listed.is_empty() {
                "the question has none".to_owned()
            } else {
                format!("the parameters are {listed}")
            };
            Err(reading.mistake(named.span, format!("`{}` is no parameter of the question", named.name), known))
        }
    }
}

impl Ask for Grid {
    fn solve(&self, rows: &mut Fast<'_>) -> Result<Answer, Halt> {
        let condition = BoolProgram::new(&self.condition);
        let mut axes = [BTreeSet::new(), BTreeSet::new()];
        let mut cells: BTreeMap<(i64, i64), bool> = BTreeMap::new();
        let mut seen = |place: usize, value: i64| {
            if !(place == 0 && planted(Wrong::ColumnOfGridLost)) {
                axes[place].insert(value);
            }
        };
        let mut room = Room::of(rows.engine());
        rows.each_with(&mut seen, &mut |rows, row| {
            let holds = rows.holds(&condition, row)?;
            room.take(EACH)?;
            let cell = cells.entry((row.parameters[self.rows], row.parameters[self.columns])).or_default();
            *cell = *cell || holds;
            if cells.len() > CELL_LIMIT {
                return Err(too_large());
            }
            Ok(())
        })?;
        make_room(axes[0].len(), axes[1].len(), &mut room)?;
        let lines = axes[self.rows].iter().map(|a| {
            let line = axes[self.columns].iter().map(|b| {
                let cell = if planted(Wrong::GridTransposed) { (*b, *a) } else { (*a, *b) };
                i64::from(cells.get(&cell).copied().unwrap_or_default())
            });
            Answer::List(line.map(Answer::int).collect())
        });
        Ok(Answer::List(lines.collect()))
    }

    fn walk(&self, rows: &mut Naive<'_>) -> Result<Answer, Halt> {
        let mut given: Vec<(i64, i64, bool)> = Vec::new();
        let (mut across, mut down) = (Vec::new(), Vec::new());
        let mut room = Room::of(rows.walker);
        rows.each(&mut |rows, row| {
            room.take(EACH)?;
            let (a, b) = (row.parameters[self.rows], row.parameters[self.columns]);
            down.push(a);
            across.push(b);
            given.push((a, b, rows.holds(&self.condition, row)?));
            if given.len() > CELL_LIMIT { Err(too_large()) } else { Ok(true) }
        })?;
        // a value of the first parameter has a row even where the second has no value beside it
        let first = rows.first_parameter_values()?;
        (if self.rows == 0 { &mut down } else { &mut across }).extend(first);
        for axis in [&mut down, &mut across] {
            axis.sort_unstable();
            axis.dedup();
        }
        make_room(down.len(), across.len(), &mut room)?;
        given.sort_unstable();
        let mut lines = Vec::new();
        for a in &down {
            let mut line = Vec::new();
            for b in &across {
                let holds = given.binary_search(&(*a, *b, true)).is_ok();
                line.push(Answer::int(u8::from(holds)));
            }
            lines.push(Answer::List(line));
        }
        Ok(Answer::List(lines))
    }

    fn topic(&self) -> Topic<'_> {
        Topic::Grid(self.rows, self.columns, &self.condition)
    }

    fn shape(&self) -> Shape {
        Shape::Grid
    }

    fn sought(&self) -> Option<Sought> {
        super::over::always_seeks(&self.condition)
    }
}

/// Room for the answer, if it is not too large.
fn make_room(rows: usize, columns: usize, room: &mut Room) -> Result<(), Halt> {
    let cells = rows.saturating_mul(columns);
    if cells > CELL_LIMIT {
        return Err(too_large());
    }
    let each = Answer::int(0).bytes();
    Ok(room.take(u64::try_from(cells).unwrap_or(u64::MAX).saturating_mul(each))?)
}

fn too_large() -> Halt {
    Limit::Size(u64::try_from(CELL_LIMIT).unwrap_or(u64::MAX)).into()
}
