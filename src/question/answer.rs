//! Answers in canonical form, so that two engines and a key can be compared.

use std::fmt;

use dashu_int::IBig;
use dashu_int::ops::BitTest;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A word: `"first"`, `"draw"`, `"W2"`, `"none"`, `"infinite"`.
    Word(String),
    /// A number of any size.
    Int(IBig),
    /// A truth value.
    Truth(bool),
    /// Values in an order that matters.
    List(Vec<Answer>),
    /// Values whose order does not matter, without repeats, ascending.
    Set(Vec<Answer>),
    /// All legal first moves, with which of them win.
    FirstMoves(Vec<FirstMove>),
    /// The same, where any one that wins is right.
    AFirstMove(Vec<FirstMove>),
    /// Any one of these is right; the first is shown, and there may be none.
    OneOf(Vec<Answer>),
    /// All shortest solutions of a puzzle, any of which is right; none where there is none.
    Solution(Option<Box<Solution>>),
}

/// A state, cell by cell, and as a file writes it.
type Shown = (Vec<i64>, String);

/// All shortest solutions of a puzzle together, ply by ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    start: Shown,
    /// For each ply the steps that some shortest solution makes, in the order in which they were found.
    plies: Vec<Vec<Step>>,
}

/// One move of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    from: Vec<i64>,
    name: String,
    to: Shown,
}

impl Solution {
    fn bytes(&self) -> u64 {
        self.plies.iter().flatten().map(|step| Self::bytes_of(&step.from, &step.name, &step.to)).sum()
    }

    /// What a step takes in memory, in bytes.
    pub(super) fn bytes_of(from: &[i64], name: &str, to: &Shown) -> u64 {
        small(size_of::<Step>() + size_of_val(from) + name.len() + size_of_val(&to.0[..]) + 3 * to.1.len())
    }

    /// No steps yet.
    pub(super) const fn new(start: Shown) -> Self {
        Self { start, plies: Vec::new() }
    }

    /// Adds a step; says whether it was the first to where it leads.
    pub(super) fn add(&mut self, ply: usize, from: Shown, name: &str, to: Shown) -> bool {
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, Vec::new());
        }
        let new = !self.plies[ply].iter().any(|step| step.to.0 == to.0);
        let step = Step { from: from.0, name: name.to_owned(), to };
        if !self.plies[ply].contains(&step) {
            self.plies[ply].push(step);
        }
        new
    }

    /// The first solution in the order of moves: the positions after the start.
    fn first(&self) -> Vec<&Shown> {
        let mut at = &self.start.0;
        let mut passed = Vec::new();
        for steps in &self.plies {
            if let Some(step) = steps.iter().find(|step| step.from == *at) {
                passed.push(&step.to);
                at = &step.to.0;
            }
        }
        passed
    }

    /// Whether the positions after the start are those of a shortest solution.
    #[must_use]
    pub fn passes(&self, states: &[Vec<i64>]) -> bool {
        let mut at = &self.start.0;
        states.len() == self.plies.len()
            && self.plies.iter().zip(states).all(|(steps, state)| {
                let made = steps.iter().any(|step| step.from == *at && step.to.0 == *state);
                at = state;
                made
            })
    }

    /// Whether some choice of moves of these names is a shortest solution.
    #[must_use]
    pub fn is_made_of(&self, names: &[String]) -> bool {
        let mut at = vec![&self.start.0];
        for (steps, name) in self.plies.iter().zip(names) {
            let made = steps.iter().filter(|step| step.name.trim() == name && at.contains(&&step.from));
            at = made.map(|step| &step.to.0).collect();
        }
        names.len() == self.plies.len() && !at.is_empty()
    }
}

/// A legal first move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMove {
    /// The name of the move.
    pub name: String,
    /// The state that it leads to, cell by cell.
    pub state: Vec<i64>,
    /// That state as a file writes it.
    pub shown: String,
    /// Whether it keeps a win.
    pub wins: bool,
}

impl FirstMove {
    fn bytes(&self) -> u64 {
        // three pieces, each with what it costs to find them again
        small(size_of::<Self>() + 3 * 32 + self.name.len() + size_of_val(&self.state[..]) + 3 * self.shown.len())
    }
}

fn small(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

impl Answer {
    /// The word for a value that there is not.
    #[must_use]
    pub fn none() -> Self {
        Self::Word("none".to_owned())
    }

    /// The word for what has no end.
    #[must_use]
    pub fn infinite() -> Self {
        Self::Word("infinite".to_owned())
    }

    /// A number.
    pub fn int(value: impl Into<IBig>) -> Self {
        Self::Int(value.into())
    }

    /// About how many bytes it takes, as an answer and as text.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        // a list that grows has room for twice as many
        let each = small(2 * size_of::<Self>());
        let inside = match self {
            Self::Truth(_) => 0,
            // no piece of memory is smaller
            Self::Word(word) => small(32 + 3 * word.len()),
            // in words, and in digits
            Self::Int(value) => small(value.bit_len() / 8 + value.bit_len() / 3 + 4),
            Self::List(values) | Self::Set(values) | Self::OneOf(values) => values.iter().map(Self::bytes).sum(),
            Self::FirstMoves(moves) | Self::AFirstMove(moves) => {
                let unused = moves.capacity().saturating_sub(moves.len());
                moves.iter().map(FirstMove::bytes).sum::<u64>() + small(unused * size_of::<FirstMove>() + 32)
            }
            Self::Solution(solution) => solution.iter().map(|solution| solution.bytes()).sum(),
        };
        each.saturating_add(inside)
    }

    /// What is shown of it: sets and moves as lists, one of many as that one.
    #[must_use]
    pub fn plain(&self) -> Self {
        match self {
            Self::FirstMoves(moves) => {
                let mut shown: Vec<&str> = Vec::new();
                for made in moves.iter().filter(|made| made.wins) {
                    if !shown.contains(&made.shown.as_str()) {
                        shown.push(&made.shown);
                    }
                }
                Self::List(shown.into_iter().map(|shown| Self::Word(shown.to_owned())).collect())
            }
            Self::AFirstMove(moves) => {
                moves.iter().find(|made| made.wins).map_or_else(Self::none, |made| Self::Word(made.shown.clone()))
            }
            Self::Solution(None) => Self::none(),
            Self::Solution(Some(solution)) => {
                Self::List(solution.first().into_iter().map(|(_, shown)| Self::Word(shown.clone())).collect())
            }
            Self::OneOf(values) => values.first().map_or_else(Self::none, Self::plain),
            Self::List(values) | Self::Set(values) => Self::List(values.iter().map(Self::plain).collect()),
            Self::Word(_) | Self::Int(_) | Self::Truth(_) => self.clone(),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word) => write!(f, "\"{word}\""),
            Self::Int(value) => write!(f, "{value}"),
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::List(values) | Self::Set(values) => {
                f.write_str("[")?;
                for (at, value) in values.iter().enumerate() {
                    if at > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{value}")?;
                }
                f.write_str("]")
            }
            // what is shown of these is one of those
            Self::FirstMoves(_) | Self::AFirstMove(_) | Self::OneOf(_) | Self::Solution(_) => self.plain().fmt(f),
        }
    }
}

/// Whether two engines agree: the same answer, or, where many are right, each accepts what the other shows.
#[must_use]
pub fn agree(a: &Answer, b: &Answer) -> bool {
    match (a, b) {
        (Answer::OneOf(a), Answer::OneOf(b)) => match (a.first(), b.first()) {
            (Some(shown_a), Some(shown_b)) => b.contains(shown_a) && a.contains(shown_b),
            (None, None) => true,
            _ => false,
        },
        (Answer::AFirstMove(a), Answer::AFirstMove(b)) => {
            let winning = |moves: &[FirstMove]| moves.iter().find(|made| made.wins).map(|made| made.state.clone());
            let accepts =
                |moves: &[FirstMove], state: &[i64]| moves.iter().any(|made| made.wins && made.state == state);
            match (winning(a), winning(b)) {
                (Some(shown_a), Some(shown_b)) => accepts(b, &shown_a) && accepts(a, &shown_b),
                (None, None) => true,
                _ => false,
            }
        }
        (Answer::FirstMoves(a), Answer::FirstMoves(b)) => {
            let winning = |moves: &[FirstMove]| moves.iter().filter(|made| made.wins).cloned().collect::<Vec<_>>();
            // of the others a key by names rests on nothing but the names
            let others = |moves: &[FirstMove]| {
                let names = moves.iter().filter(|made| !made.wins).map(|made| made.name.clone());
                names.collect::<std::collections::BTreeSet<String>>()
            };
            winning(a) == winning(b) && others(a) == others(b)
        }
        (Answer::Solution(Some(a)), Answer::Solution(Some(b))) => {
            let states =
                |solution: &Solution| solution.first().into_iter().map(|(state, _)| state.clone()).collect::<Vec<_>>();
            b.passes(&states(a)) && a.passes(&states(b))
        }
        (Answer::List(a), Answer::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b)),
        _ => a == b,
    }
}
