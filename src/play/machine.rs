//! How the machine chooses, and what it can tell of a position: by an engine where the game can be seen to its end,
//! else by looking a few moves ahead.

use std::cmp::Reverse;

use crate::engine::{self, Engine};
use crate::lang::tree::{Quantity, Rules};
use crate::lang::{Halt, Options, Stop};
use crate::value::{Class, Outcome};
use crate::{Budget, Limit};

/// How many of his own moves a player may be seen to win in where the game cannot be seen to its end, if there is room
/// for so many; and how far it is seen that a move loses.
const AHEAD: u32 = 40;
const AHEAD_OF_MOVES: u32 = 3;

/// What the machine sees of a position, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// He can win, in so many plies, both players' moves counted, where that can be told.
    Won(Option<u32>),
    /// He is lost, and can make it last so many plies, where that can be told.
    Lost(Option<u32>),
    /// Neither player can force a win.
    Drawn,
    /// The game cannot be seen to its end.
    Nothing,
}

/// How far the goal of a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// So many moves at least.
    Moves(i64),
    /// It cannot be reached.
    Never,
    /// The puzzle is too large to tell.
    Unknown,
}

/// An option: the number of the move that leads to it, and the position reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The number of the move in the rules.
    pub made: usize,
    /// The position reached.
    pub position: Vec<i64>,
}

/// The machine: an engine that sees to the end of the game, and a second one, with less room, for games in which the
/// first could not.
pub struct Machine<'a> {
    whole: Box<dyn Engine + 'a>,
    near: Box<dyn Engine + 'a>,
    /// Whether it is known how long play lasts; in a large sum it is only known who wins.
    ranks: bool,
    /// Why the first engine could not see to the end, once that is so.
    blocked: Option<Stop>,
    /// The last position from which the second one could not see to the end either.
    unseen: Option<Vec<i64>>,
}

impl<'a> Machine<'a> {
    /// A machine that plays by these rules, from a position that is a sum or not: `whole` is what it may use to see to
    /// the end, `near` to look ahead.
    #[must_use]
    pub fn new(rules: &'a Rules, sum: bool, whole: &'a Budget, near: &'a Budget) -> Self {
        let engine = |budget: &'a Budget| engine::fast(rules, sum, budget, near);
        Self { whole: engine(whole), near: engine(near), ranks: true, blocked: None, unseen: None }
    }

    /// Why the machine cannot see to the end of the game, if it has found that so.
    #[must_use]
    pub const fn blocked(&self) -> Option<&Stop> {
        self.blocked.as_ref()
    }

    /// The outcome if the position is terminal, else its options in the order of moves.
    ///
    /// # Errors
    ///
    /// A rule error at the position, or a limit.
    pub fn look(&mut self, position: &[i64]) -> Result<Result<Outcome, Vec<Choice>>, Halt> {
        let mut options = Options::default();
        if self.near.options(position, &mut options)? {
            return Ok(Ok(self.near.outcome(position)?));
        }
        let choices = options.iter().map(|(made, position)| Choice { made, position: position.to_vec() });
        Ok(Err(choices.collect()))
    }

    /// In a puzzle: the options of the position, and whether it is a goal.
    ///
    /// # Errors
    ///
    /// A rule error at the position, or a limit.
    pub fn look_alone(&mut self, position: &[i64]) -> Result<(bool, Vec<Choice>), Halt> {
        let goal = self.near.is_goal(position)?;
        Ok((goal, self.look(position)?.err().unwrap_or_default()))
    }

    /// What it sees of a position.
    pub fn sees(&mut self, position: &[i64]) -> Sees {
        let mut ranks = self.ranks;
        if self.seeing(position).is_none() {
            // a win that lies near is seen all the same
            let near = (1..=AHEAD).map_while(|moves| self.near.class_within(position, Class::Win(moves)).ok());
            return if near.into_iter().flatten().next().is_some() { Sees::Won(None) } else { Sees::Nothing };
        }
        let Some(engine) = self.seeing(position) else { return Sees::Nothing };
        let sees = ranked(engine, position, &mut ranks).unwrap_or(Sees::Nothing);
        self.ranks = ranks;
        sees
    }

    /// The move that the machine would make among these, by its place; 0 where it knows nothing better.
    pub fn choose(&mut self, position: &[i64], choices: &[Choice]) -> usize {
        let mut ranks = self.ranks;
        let chosen = match self.seeing(position) {
            Some(engine) => best(engine, choices, &mut ranks),
            None => ahead(self.near.as_mut(), position, choices),
        };
        self.ranks = ranks;
        // what cannot be seen after all leaves the first move
        chosen.ok().flatten().unwrap_or(0)
    }

    /// In a puzzle: how far the goal is.
    pub fn distance(&mut self, position: &[i64]) -> Distance {
        let Some(engine) = self.measuring(position) else { return Distance::Unknown };
        match engine.quantity(position, Quantity::Distance) {
            Ok(Some(moves)) => Distance::Moves(moves),
            Ok(None) => Distance::Never,
            Err(_) => Distance::Unknown,
        }
    }

    /// In a puzzle: the first move that leads nearer to the goal, if it is known.
    pub fn nearer(&mut self, position: &[i64], choices: &[Choice]) -> Option<usize> {
        let Distance::Moves(here) = self.distance(position) else { return None };
        choices.iter().position(|choice| self.distance(&choice.position) == Distance::Moves(here - 1))
    }

    /// The engine that sees from this position to the end.
    fn seeing(&mut self, position: &[i64]) -> Option<&mut dyn Engine> {
        self.engine(position, |engine| engine.outcome(position).map(|_| ()))
    }

    fn measuring(&mut self, position: &[i64]) -> Option<&mut dyn Engine> {
        self.engine(position, |engine| engine.quantity(position, Quantity::Distance).map(|_| ()))
    }

    /// The engine that can do what is tried. The one with more room is not asked again once it has failed, since that
    /// takes its time; the other one is, since games get smaller as they are played.
    fn engine(
        &mut self,
        position: &[i64],
        tried: impl Fn(&mut dyn Engine) -> Result<(), Halt>,
    ) -> Option<&mut dyn Engine> {
        if self.blocked.is_none() {
            match tried(self.whole.as_mut()) {
                Ok(()) => return Some(self.whole.as_mut()),
                Err(Halt::Stop(stop)) => self.blocked = Some(*stop),
                Err(Halt::Missing) => return None,
            }
        }
        if self.unseen.as_deref() == Some(position) {
            return None;
        }
        if tried(self.near.as_mut()).is_ok() {
            return Some(self.near.as_mut());
        }
        self.unseen = Some(position.to_vec());
        None
    }
}

/// The outcome, with the remoteness as long as that can be had, which `ranks` says.
fn ranked(engine: &mut dyn Engine, position: &[i64], ranks: &mut bool) -> Result<Sees, Halt> {
    let outcome = engine.outcome(position)?;
    let mut plies = None;
    if *ranks {
        match engine.quantity(position, Quantity::Remoteness) {
            Ok(found) => plies = found.and_then(|plies| u32::try_from(plies).ok()),
            Err(_) => *ranks = false,
        }
    }
    Ok(match outcome {
        Outcome::Win => Sees::Won(plies),
        Outcome::Loss => Sees::Lost(plies),
        Outcome::Draw => Sees::Drawn,
    })
}

/// How good a move is for the one who makes it: a greater one is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Merit {
    /// It loses at once.
    Over,
    /// It loses: the fewer winning replies the better, then the longer the play.
    Lost { winning_replies: Reverse<usize>, plies: u32 },
    /// It keeps the draw: the more replies lose, the better.
    Drawn { losing_replies: usize },
    /// It wins: the sooner the better.
    Won { plies: Reverse<u32> },
}

/// The best move; of equal ones the first.
fn best(engine: &mut dyn Engine, choices: &[Choice], ranks: &mut bool) -> Result<Option<usize>, Halt> {
    let mut best: Option<(Merit, usize)> = None;
    for (at, choice) in choices.iter().enumerate() {
        let merit = merit(engine, &choice.position, ranks)?;
        if best.is_none_or(|(known, _)| merit > known) {
            best = Some((merit, at));
        }
    }
    Ok(best.map(|(_, at)| at))
}

fn merit(engine: &mut dyn Engine, reached: &[i64], ranks: &mut bool) -> Result<Merit, Halt> {
    Ok(match ranked(engine, reached, ranks)? {
        Sees::Lost(plies) => Merit::Won { plies: Reverse(plies.unwrap_or(u32::MAX)) },
        Sees::Won(Some(0)) => Merit::Over,
        Sees::Won(plies) => Merit::Lost {
            winning_replies: Reverse(replies(engine, reached, Outcome::Loss)?),
            plies: plies.unwrap_or(u32::MAX),
        },
        _ => Merit::Drawn { losing_replies: replies(engine, reached, Outcome::Win)? },
    })
}

/// How many moves lead from the position to one of this outcome.
fn replies(engine: &mut dyn Engine, position: &[i64], outcome: Outcome) -> Result<usize, Halt> {
    let mut options = Options::default();
    engine.options(position, &mut options)?;
    let mut count = 0;
    for (_, reply) in options.iter() {
        count += usize::from(engine.outcome(reply)? == outcome);
    }
    Ok(count)
}

/// A move that wins as far as can be seen; else the first one that is not seen to lose; else the one that loses last.
fn ahead(engine: &mut dyn Engine, position: &[i64], choices: &[Choice]) -> Result<Option<usize>, Halt> {
    for moves in 1..=AHEAD {
        match engine.class_within(position, Class::Win(moves)) {
            Ok(None) => {}
            Ok(Some(_)) => return first(engine, choices, Class::Loss(moves - 1)),
            // farther on there is only more of it
            Err(_) => break,
        }
    }
    let mut longest: Option<(u32, usize)> = None;
    for (at, choice) in choices.iter().enumerate() {
        let mut lost = None;
        for moves in 0..AHEAD_OF_MOVES {
            match engine.class_within(&choice.position, Class::Win(moves)) {
                Ok(None) => {}
                Ok(Some(class)) => {
                    lost = Some(class.moves());
                    break;
                }
                Err(_) => break,
            }
        }
        match lost {
            None => return Ok(Some(at)),
            Some(moves) if longest.is_none_or(|(known, _)| moves > known) => longest = Some((moves, at)),
            Some(_) => {}
        }
    }
    Ok(longest.map(|(_, at)| at))
}

fn first(engine: &mut dyn Engine, choices: &[Choice], bound: Class) -> Result<Option<usize>, Halt> {
    for (at, choice) in choices.iter().enumerate() {
        if engine.class_within(&choice.position, bound)?.is_some() {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Why a game cannot be seen to its end, in words.
#[must_use]
pub fn reason(stop: &Stop) -> String {
    match stop {
        Stop::Rule(_) => "a rule has no value at some position further on".to_owned(),
        Stop::Limit(Limit::Size(positions)) => format!("it has more than {positions} positions"),
        Stop::Limit(limit) => limit.to_string(),
    }
}
