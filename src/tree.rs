//! The tree of a game: every play from a start, or the plays of one strategy, as lines of text, DOT or SVG.
//!
//! [`Walk`] goes through the tree move by move, with no more in memory than the line of play it is on. What it meets is
//! told to a [`Sink`]: [`Plays`] writes each line as it is complete, [`Picture`] keeps the tree for [`dot()`] and
//! [`svg()`].

mod dot;
mod layout;
mod picture;
mod plays;
mod svg;

use std::io;

pub use dot::dot;
pub use picture::{BOX_LIMIT, Picture, PositionBox};
pub use plays::Plays;
pub use svg::svg;

use crate::budget::{Budget, Limit};
use crate::engine::Engine;
use crate::game::Game;
use crate::lang::tree::Quantity;
use crate::lang::{Halt, Options};
use crate::value::Outcome;

/// One of the two players. In a puzzle the only one is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The one who moves at the start.
    First,
    /// The opponent.
    Second,
}

impl Player {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// `first` or `second`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

/// How a line of the tree ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The player has won.
    Won(Player),
    /// Nobody has won.
    Draw,
    /// A puzzle: no move is left, or none is wanted, and the goal is reached.
    Goal,
    /// A puzzle: no move is left, and the goal is not reached.
    Stuck,
    /// There are moves, which are not followed.
    Cut,
}

/// A position that the walk comes to.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The position.
    pub position: &'a [i64],
    /// The number of the move that leads there; none at the start.
    pub made: Option<usize>,
    /// Who is to move.
    pub mover: Player,
    /// Whether it is a goal, in a puzzle.
    pub goal: bool,
    /// How the line ends, if it ends here.
    pub ending: Option<Ending>,
}

/// What hears of the tree: each position is entered, then what comes after it, then it is left.
pub trait Sink {
    /// The walk comes to a position.
    ///
    /// # Errors
    ///
    /// Whatever is to end the walk.
    fn enter(&mut self, step: &Step<'_>) -> Result<(), Broken>;

    /// Everything after the position that was entered last and not left has been told.
    fn leave(&mut self);
}

/// Why a tree is not complete.
#[derive(Debug)]
pub enum Broken {
    /// A rule error or a limit.
    Halt(Halt),
    /// What is made of it could not be written.
    Write(io::Error),
    /// It has more positions than a picture may have.
    Boxes,
}

impl From<Halt> for Broken {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

impl From<Limit> for Broken {
    fn from(limit: Limit) -> Self {
        Self::Halt(limit.into())
    }
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// A walk through the tree, depth first, in the order of moves.
pub struct Walk<'a> {
    /// The game.
    pub game: &'a mut dyn Game,
    /// Whether it is a puzzle.
    pub puzzle: bool,
    /// After how many moves a line is cut.
    pub plies: Option<usize>,
    /// Knows the values of positions, where only a strategy is to be kept: one winning move where the player to move
    /// wins, which is the first in order of moves among the fastest, and every move where he loses. In a puzzle: the
    /// first of the moves that bring the goal nearer, until it is reached.
    pub strategy: Option<&'a mut dyn Engine>,
    /// Says when to stop.
    pub budget: &'a Budget,
}

/// The options of a position on the line, and which of them is next.
#[derive(Debug, Default)]
struct Branches {
    cells: Vec<i64>,
    /// For each option the number of its move, and where its cells end.
    options: Vec<(usize, usize)>,
    next: usize,
}

impl Branches {
    fn add(&mut self, made: usize, option: &[i64]) {
        self.cells.extend_from_slice(option);
        self.options.push((made, self.cells.len()));
    }

    fn clear(&mut self) {
        self.cells.clear();
        self.options.clear();
        self.next = 0;
    }

    /// The next option with the number of its move.
    fn next(&mut self) -> Option<(usize, &[i64])> {
        let (made, end) = *self.options.get(self.next)?;
        let start = self.next.checked_sub(1).and_then(|last| self.options.get(last)).map_or(0, |(_, end)| *end);
        self.next += 1;
        Some((made, self.cells.get(start..end)?))
    }
}

impl Walk<'_> {
    /// Walks the tree from a start.
    ///
    /// # Errors
    ///
    /// A rule error at a position of the tree, a limit, or what the sink meets.
    pub fn walk(&mut self, start: &[i64], sink: &mut dyn Sink) -> Result<(), Broken> {
        let mut line: Vec<Branches> = Vec::new();
        // what is taken off the line is used again
        let mut spare: Vec<Branches> = Vec::new();
        let mut options = Options::default();
        let mut position = start.to_vec();
        let (mut mover, mut made) = (Player::First, None);
        loop {
            let mut branches = spare.pop().unwrap_or_default();
            branches.clear();
            self.budget.check()?;
            let goal = self.puzzle && self.game.is_goal(&position)?;
            let ending = self.ending(&position, mover, goal, line.len(), &mut options)?;
            sink.enter(&Step { position: &position, made, mover, goal, ending })?;
            if ending.is_none() {
                self.keep(&position, &options, &mut branches)?;
            }
            line.push(branches);
            mover = mover.other();
            // back to where an option is left
            loop {
                let Some(last) = line.last_mut() else { return Ok(()) };
                if let Some((number, option)) = last.next() {
                    made = Some(number);
                    position.clear();
                    position.extend_from_slice(option);
                    break;
                }
                spare.extend(line.pop());
                mover = mover.other();
                sink.leave();
            }
        }
    }

    /// How the line ends at the position, if it does; if not, the options are in place.
    fn ending(
        &mut self,
        position: &[i64],
        mover: Player,
        goal: bool,
        made: usize,
        options: &mut Options,
    ) -> Result<Option<Ending>, Halt> {
        let outcome = self.game.look(position, options)?;
        if self.puzzle {
            let wanted = !(goal && self.strategy.is_some());
            return Ok(match outcome {
                _ if !wanted => Some(Ending::Goal),
                Some(_) => Some(if goal { Ending::Goal } else { Ending::Stuck }),
                None => self.cut(made),
            });
        }
        Ok(match outcome {
            Some(Outcome::Win) => Some(Ending::Won(mover)),
            Some(Outcome::Loss) => Some(Ending::Won(mover.other())),
            Some(Outcome::Draw) => Some(Ending::Draw),
            None => self.cut(made),
        })
    }

    fn cut(&self, made: usize) -> Option<Ending> {
        self.plies.is_some_and(|plies| made >= plies).then_some(Ending::Cut)
    }

    /// Takes over the options that the tree is to have.
    fn keep(&mut self, position: &[i64], options: &Options, branches: &mut Branches) -> Result<(), Halt> {
        let chosen = match &mut self.strategy {
            None => None,
            Some(engine) if self.puzzle => nearer(*engine, position, options)?,
            Some(engine) => winning(*engine, position, options)?,
        };
        for (at, (made, option)) in options.iter().enumerate() {
            if chosen.is_none_or(|chosen| chosen == at) {
                branches.add(made, option);
            }
        }
        Ok(())
    }
}

/// The place of the first of the fastest winning moves; none where the player to move does not win.
fn winning(engine: &mut dyn Engine, position: &[i64], options: &Options) -> Result<Option<usize>, Halt> {
    if engine.outcome(position)? != Outcome::Win {
        return Ok(None);
    }
    let mut best: Option<(i64, usize)> = None;
    for (at, (_, option)) in options.iter().enumerate() {
        if engine.outcome(option)? == Outcome::Loss {
            let plies = engine.quantity(option, Quantity::Remoteness)?.unwrap_or(i64::MAX);
            if best.is_none_or(|(least, _)| plies < least) {
                best = Some((plies, at));
            }
        }
    }
    Ok(best.map(|(_, at)| at))
}

/// The place of the first move that brings the goal nearer.
fn nearer(engine: &mut dyn Engine, position: &[i64], options: &Options) -> Result<Option<usize>, Halt> {
    let Some(distance) = engine.quantity(position, Quantity::Distance)? else { return Ok(None) };
    for (at, (_, option)) in options.iter().enumerate() {
        if engine.quantity(option, Quantity::Distance)? == Some(distance - 1) {
            return Ok(Some(at));
        }
    }
    Ok(None)
}
