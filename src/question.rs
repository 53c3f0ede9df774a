//! Questions: what is asked of a game, from which starts, and in which form the answer comes.
//!
//! To add an ask: write one file below `question/` with its form, both ways of answering it and the shape of its key,
//! and add its reader to `FAMILIES`. Both ways are plain loops over the combinations of the parameters, written
//! twice: the fast side runs compiled code and sees values through an engine, the naive side reads the typed tree
//! through the reference evaluator and sees values through the walker.

mod about_start;
mod answer;
mod first_moves;
mod grid;
mod horizon;
mod key;
mod over;
mod period;
mod puzzle;
mod read;
mod room;
mod rows;
mod truth;

pub use about_start::About;
pub use answer::{Answer, FirstMove, Solution, agree};
pub use key::{Key, Shape, Written, WrittenKind, accepts};
pub(crate) use key::{pieces, read_key};
pub use over::Pick;
pub use puzzle::Puzzle;
pub(crate) use read::read;
pub use rows::{Fast, Naive, Row};
pub use truth::Truth;

use std::sync::Arc;

use crate::engine::{Lie, Near, Sought, Starts};
use crate::lang::tree::{Bool, Coordinates, Parameter, Rules, Slots};
use crate::lang::{Halt, Interval, Others, Parsed, Takes, along, others, start_bounds};

/// A question with its starts.
#[derive(Debug)]
pub struct Question {
    /// Its label in the file.
    pub label: String,
    /// The text of the ask.
    pub text: String,
    /// What is asked.
    pub ask: Box<dyn Ask>,
    /// The start, which may read the parameters: its components, of which there is one where it is no sum.
    pub start: Arc<[Coordinates]>,
    /// Whether the start is a sum of games.
    pub sum: bool,
    /// The parameters with their ranges.
    pub given: Arc<[Parameter]>,
    /// For each parameter that the rules read: its place in `given`.
    pub in_position: Vec<usize>,
    /// How many loop slots its texts need.
    pub slots: Slots,
    /// Whether its start or its parameters are its own, and not those of the problem.
    pub own_start: bool,
}

impl Question {
    /// The bounds of its starts as positions of these rules, how many starts there are at most, and how far it looks
    /// ahead of them.
    #[must_use]
    pub fn starts(&self, rules: &Rules) -> Option<Starts> {
        let [start] = &self.start[..] else { return None };
        let (mut bounds, parameters) = start_bounds(start, &self.given, self.slots.values);
        bounds.extend(rules.turn.map(|_| Interval::one(1)));
        bounds.extend(self.in_position.iter().map(|place| parameters.get(*place).copied().unwrap_or(Interval::ALL)));
        let size = |bounds: &Interval| match bounds.high.checked_sub(bounds.low) {
            Some(steps) if bounds.is_bounded() => u64::try_from(steps).unwrap_or(0).saturating_add(1),
            _ => u64::MAX,
        };
        let count = parameters.iter().map(size).fold(1, u64::saturating_mul);
        let formula = match self.ask.topic() {
            Topic::Over(_, condition) => condition,
            Topic::Truth(Truth::Exists(condition) | Truth::Every(condition) | Truth::OneOf(_, condition)) => {
                Some(condition)
            }
            Topic::Grid(_, _, condition) => Some(condition),
            Topic::Start(_) | Topic::FirstMoves | Topic::Puzzle(_) | Topic::Period(_) => None,
        };
        let others = formula.map_or(Vec::new(), |formula| others(formula, &parameters, self.slots.values));
        let near = self.near(rules, (&bounds, &parameters), start, &others).unwrap_or_default();
        // those that move with the position lie near it, as a rule
        for other in others.iter().filter(|other| is_bounded(&other.bounds)) {
            for (bounds, more) in bounds.iter_mut().zip(&other.bounds) {
                *bounds = bounds.hull(*more);
            }
        }
        let whole = near.is_empty();
        Some(Starts { bounds, count, near, whole })
    }

    /// The starts, and the other positions at which it looks, with the plies ahead; nothing, where it looks at one as far
    /// as play goes, or where it is not known where that lies.
    fn near(
        &self,
        rules: &Rules,
        (bounds, parameters): (&[Interval], &[Interval]),
        start: &Coordinates,
        others: &[Others<'_>],
    ) -> Option<Vec<Near>> {
        let plies = horizon::plies(self.ask.topic(), rules)?;
        let mut near = vec![Near { lie: self.lie(rules, start, bounds, parameters), plies }];
        if !others.is_empty() && rules.turn.is_some() {
            return None;
        }
        let tail = bounds.get(rules.state_width..)?;
        for other in others {
            let bounds = [&other.bounds, tail].concat();
            if !is_bounded(&bounds) {
                return None;
            }
            let plies = horizon::of_formula(other.formula, rules)?;
            near.push(Near { lie: self.lie(rules, other.at, &bounds, parameters), plies });
        }
        Some(near)
    }

    /// How positions of this text and between these bounds lie.
    fn lie(&self, rules: &Rules, at: &Coordinates, bounds: &[Interval], parameters: &[Interval]) -> Lie {
        let line = || {
            let (runs, mut line) = along(at, parameters)?;
            line.extend(rules.turn.map(|_| (1, 0)));
            for place in &self.in_position {
                line.push(if *place == runs { (0, 1) } else { (parameters.get(*place)?.exact()?, 0) });
            }
            let values = parameters.get(runs).filter(|values| values.is_bounded())?;
            let ends = [values.low, values.high];
            let fits = |(plus, times): &(i64, i64)| {
                ends.iter().all(|value| value.checked_mul(*times).and_then(|more| more.checked_add(*plus)).is_some())
            };
            // where one coordinate alone runs, the bounds say the same
            let crooked = line.iter().filter(|(_, times)| *times != 0).count() > 1;
            (crooked && line.iter().all(fits)).then_some(Lie::Along(*values, line))
        };
        line().unwrap_or_else(|| Lie::Within(bounds.to_vec()))
    }
}

fn is_bounded(bounds: &[Interval]) -> bool {
    bounds.iter().all(|bounds| bounds.is_bounded())
}

/// A form of ask.
pub trait Ask: std::fmt::Debug + Send + Sync {
    /// Answers with a fast engine and compiled code.
    ///
    /// # Errors
    ///
    /// A rule error at a position that the question rests on, or a limit.
    fn solve(&self, rows: &mut Fast<'_>) -> Result<Answer, Halt>;

    /// Answers with the walker and the reference evaluator.
    ///
    /// # Errors
    ///
    /// A rule error, or a limit.
    fn walk(&self, rows: &mut Naive<'_>) -> Result<Answer, Halt>;

    /// How a key for one start, or for all of them together, is written.
    fn shape(&self) -> Shape;

    /// Whether it asks about one start, so that with parameters it answers a list.
    fn about_start(&self) -> bool {
        false
    }

    /// What is asked, for an explanation in words.
    fn topic(&self) -> Topic<'_>;

    /// What the walker certainly seeks from every start that it asks about, if anything: so its cost is known beforehand.
    fn sought(&self) -> Option<Sought> {
        None
    }

    /// Which starts the walker certainly asks about, where this is the answer.
    fn surely_asked<'q>(&'q self, _: &'q Question, _: &Answer) -> Box<dyn Fn(Row<'_>) -> bool + 'q> {
        Box::new(|_| true)
    }
}

/// What an ask is about.
#[derive(Clone, Copy, Debug)]
pub enum Topic<'a> {
    /// The start alone.
    Start(About),
    /// The winning first moves: all, how many, or one.
    FirstMoves,
    /// The solutions of a puzzle.
    Puzzle(Puzzle),
    /// The period of a sequence of Grundy values, with what moves take.
    Period(Takes),
    /// Values over the combinations of the parameters for which the condition holds.
    Over(&'a [Pick], Option<&'a Bool>),
    /// A truth or an example.
    Truth(&'a Truth),
    /// Rows over the parameter of one place, columns over that of another.
    Grid(usize, usize, &'a Bool),
}

/// An ask of any form.
fn boxed(ask: impl Ask + 'static) -> Box<dyn Ask> {
    Box::new(ask)
}

type Reader = fn(&mut read::Reading<'_, '_>) -> Option<Parsed<Box<dyn Ask>>>;

/// The families of asks: each reads the forms that it knows. Hints and errors read their words from here.
const FAMILIES: [(&[&str], Reader); 7] = [
    (about_start::FORMS, about_start::read),
    (first_moves::FORMS, first_moves::read),
    (puzzle::FORMS, puzzle::read),
    (period::FORMS, period::read),
    (over::FORMS, over::read),
    (truth::FORMS, truth::read),
    (grid::FORMS, grid::read),
];
