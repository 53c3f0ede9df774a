//! Answers in canonical form, so that two engines and a key can be compared.

use std::fmt;

use dashu_int::IBig;

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
            Self::OneOf(values) => values.first().map_or_else(Self::none, Self::plain),
            Self::List(values) | Self::Set(values) => Self::List(values.iter().map(Self::plain).collect()),
            Self::Word(_) | Self::Int(_) | Self::Truth(_) => self.clone(),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plain() {
            Self::Word(word) => write!(f, "\"{word}\""),
            Self::Int(value) => write!(f, "{value}"),
            Self::Truth(truth) => write!(f, "{truth}"),
            Self::List(values) => {
                f.write_str("[")?;
                for (at, value) in values.iter().enumerate() {
                    if at > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{value}")?;
                }
                f.write_str("]")
            }
            _ => Ok(()),
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
        (Answer::List(a), Answer::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| agree(a, b)),
        _ => a == b,
    }
}
