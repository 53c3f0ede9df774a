//! Asks of puzzles: `fewest moves`, `shortest solutions`, `solvable`, `farthest`, `solution`.

use super::answer::Solution;
use super::read::Reading;
use super::room::Room;
use super::{Answer, Ask, Fast, Naive, Row, Shape, Topic, boxed};
use crate::budget::Limit;
use crate::engine::Engine;
use crate::faults::{Wrong, planted};
use crate::game::shown;
use crate::lang::tree::{Quantity, Rules};
use crate::lang::{Halt, Options, Parsed};

/// The forms of this family.
pub(super) const FORMS: &[&str] = &["fewest moves", "shortest solutions", "solvable", "farthest", "solution"];

/// The most steps that all shortest solutions together may have.
const STEP_LIMIT: usize = 1_000_000;

/// What is asked of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Puzzle {
    /// The least number of moves to the goal.
    FewestMoves,
    /// How many sequences of moves attain it.
    ShortestSolutions,
    /// Whether there is one.
    Solvable,
    /// The greatest distance of a position from the start.
    Farthest,
    /// A shortest one.
    Solution,
}

pub(super) fn read(reading: &mut Reading<'_, '_>) -> Option<Parsed<Box<dyn Ask>>> {
    const WORDS: [(&str, Puzzle); 5] = [
        ("fewest moves", Puzzle::FewestMoves),
        ("shortest solutions", Puzzle::ShortestSolutions),
        ("solvable", Puzzle::Solvable),
        ("farthest", Puzzle::Farthest),
        ("solution", Puzzle::Solution),
    ];
    let (span, words, ask) = reading.one_of(&WORDS)?;
    let refused = match reading.puzzle() {
        None => Some((
            format!("`{words}` belongs to puzzles, which have one player"),
            "a game of two players has a `winner`, a `class`, `winning moves` and so on",
        )),
        Some(false) if ask != Puzzle::Farthest => {
            Some((format!("`{words}` needs a goal, and the puzzle has none"), "add `goal: \"…\"` to the puzzle"))
        }
        Some(_) => None,
    };
    Some(match refused {
        Some((message, help)) => Err(reading.mistake(span, message, help)),
        None => Ok(boxed(ask)),
    })
}

impl Ask for Puzzle {
    fn solve(&self, rows: &mut Fast<'_>) -> Result<Answer, Halt> {
        rows.per_start(|rows, row| {
            let rules = rows.rules;
            let engine = rows.engine();
            Ok(match self {
                Self::FewestMoves => match engine.quantity(row.start, Quantity::Distance)? {
                    Some(moves) => Answer::int(moves),
                    None => Answer::none(),
                },
                Self::ShortestSolutions => Answer::int(engine.shortest_solutions(row.start)?),
                Self::Solvable => Answer::Truth(engine.quantity(row.start, Quantity::Distance)?.is_some()),
                Self::Farthest => Answer::int(engine.farthest(row.start)?),
                Self::Solution => Answer::Solution(solution(engine, rules, row)?.map(Box::new)),
            })
        })
    }

    fn walk(&self, rows: &mut Naive<'_>) -> Result<Answer, Halt> {
        rows.per_start(|rows, row| {
            let distance = |rows: &mut Naive<'_>| rows.walker.quantity(row.start, Quantity::Distance);
            Ok(match self {
                Self::FewestMoves => distance(rows)?.map_or_else(Answer::none, Answer::int),
                Self::Solvable => Answer::Truth(distance(rows)?.is_some()),
                Self::ShortestSolutions => Answer::int(rows.walker.shortest_solutions(row.start)?),
                Self::Farthest => Answer::int(rows.walker.farthest(row.start)?),
                Self::Solution => {
                    let Some(moves) = distance(rows)? else {
                        return Ok(Answer::Solution(None));
                    };
                    let mut found = Solution::new(state(rows.rules, row.start));
                    let mut room = Room::of(rows.walker);
                    lines(rows, row.start, (0, moves), &mut found, &mut room)?;
                    Answer::Solution(Some(Box::new(found)))
                }
            })
        })
    }

    fn topic(&self) -> Topic<'_> {
        Topic::Puzzle(*self)
    }

    fn shape(&self) -> Shape {
        match self {
            Self::FewestMoves => Shape::Number(&["none"]),
            Self::ShortestSolutions | Self::Farthest => Shape::Number(&[]),
            Self::Solvable => Shape::Truth,
            Self::Solution => Shape::Solution,
        }
    }

    fn about_start(&self) -> bool {
        true
    }
}

/// The fast side: ring by ring, the options that are one nearer.
fn solution(engine: &mut dyn Engine, rules: &Rules, row: Row<'_>) -> Result<Option<Solution>, Halt> {
    let Some(mut left) = engine.quantity(row.start, Quantity::Distance)? else { return Ok(None) };
    let mut found = Solution::new(state(rules, row.start));
    let mut ring = vec![row.start.to_vec()];
    let (mut options, mut ply, mut steps, mut room) = (Options::default(), 0, 0, Room::of(engine));
    while left > 0 {
        let mut next: Vec<Vec<i64>> = Vec::new();
        for from in &ring {
            engine.options(from, &mut options)?;
            for (made, option) in options.iter() {
                let most = left - i64::from(!planted(Wrong::SolutionTooLong));
                if engine.distance_within(option, most)?.is_some() {
                    let (name, to) = (&rules.moves[made].name, state(rules, option));
                    room.take(Solution::bytes_of(from, name, &to))?;
                    found.add(ply, state(rules, from), name, to);
                    steps += 1;
                    if !next.iter().any(|other| other == option) {
                        next.push(option.to_vec());
                    }
                }
            }
            if steps > STEP_LIMIT {
                return Err(Limit::Size(u64::try_from(STEP_LIMIT).unwrap_or(u64::MAX)).into());
            }
        }
        ring = next;
        left -= 1;
        ply += 1;
    }
    Ok(Some(found))
}

/// The naive side: every line from here, so many plies after the start, that is one nearer with each move.
fn lines(
    rows: &mut Naive<'_>,
    position: &[i64],
    (ply, left): (usize, i64),
    found: &mut Solution,
    room: &mut Room,
) -> Result<(), Halt> {
    if left == 0 {
        return Ok(());
    }
    let rules = rows.rules;
    let mut options = Options::default();
    rows.walker.options(position, &mut options)?;
    for (made, option) in options.iter() {
        if rows.walker.distance_within(option, left - 1)? == Some(left - 1) {
            let (name, to) = (&rules.moves[made].name, state(rules, option));
            room.take(Solution::bytes_of(position, name, &to))?;
            let new = found.add(ply, state(rules, position), name, to);
            if new {
                lines(rows, option, (ply + 1, left - 1), found, room)?;
            }
        }
    }
    Ok(())
}

/// A state, and how a file writes it.
fn state(rules: &Rules, position: &[i64]) -> (Vec<i64>, String) {
    (rules.state_of(position).to_vec(), shown(rules, position))
}
