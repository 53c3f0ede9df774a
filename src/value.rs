//! The field's definitions and nothing else: outcomes, ranks, classes, the minimum excludant.
//!
//! Everything here is for the player to move. Sources: E. Berlekamp, J. Conway, R. Guy, *Winning Ways*, ch. 3 (mex,
//! nim-values); C. Smith, "Graphs and composite games", 1966 (remoteness).

use std::fmt;

use dashu_int::UBig;

/// What the player to move can force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The player to move wins: some option is a loss for the opponent.
    Win,
    /// The player to move loses: every option is a win for the opponent.
    Loss,
    /// Neither player can force a win.
    Draw,
}

impl Outcome {
    /// The same result seen by the other player.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
        }
    }
}

/// The class of a position that is not a draw: `W2`, `L1`, and so on.
///
/// `W(k)`: the player to move can force a win making at most `k` moves of his own, and not at most `k - 1`.
/// `L(k)`: he is lost, and the opponent can force his win making at most `k` moves of his own, and not at most `k - 1`.
/// So `k` is 0 at a terminal position, the least `1 + k` over the losing options at a won one, and the greatest `k`
/// over the options at a lost one.
///
/// ```
/// use gameproof::Class;
/// assert_eq!(Class::Win(2).to_string(), "W2");
/// assert_eq!(Class::Loss(0).to_string(), "L0");
/// assert_eq!("L17".parse(), Ok(Class::Loss(17)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// Won, with the number of the winner's own moves.
    Win(u32),
    /// Lost, with the number of the winner's (the opponent's) own moves.
    Loss(u32),
}

impl Class {
    /// How many moves the winner makes.
    #[must_use]
    pub const fn moves(self) -> u32 {
        match self {
            Self::Win(k) | Self::Loss(k) => k,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(k) => write!(f, "W{k}"),
            Self::Loss(k) => write!(f, "L{k}"),
        }
    }
}

impl std::str::FromStr for Class {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let class = match text.as_bytes().first() {
            Some(b'W') => Self::Win,
            Some(b'L') => Self::Loss,
            _ => return Err(()),
        };
        let digits = &text[1..];
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(());
        }
        digits.parse().map(class).map_err(|_| ())
    }
}

/// How a rank (remoteness in plies, or the winner's own moves) grows from the options to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranking {
    /// Plies to the end, where the winner hurries and the loser delays: every ply counts 1.
    Remoteness,
    /// Moves of the winner alone, the `k` of `W(k)` and `L(k)`: a move of the loser counts nothing.
    OwnMoves,
}

impl Ranking {
    /// What a losing option's rank gives the position before it, which is won.
    #[must_use]
    pub const fn before_loss(self, rank: u32) -> u32 {
        rank + 1
    }

    /// What a winning option's rank gives the position before it, if that is lost.
    #[must_use]
    pub const fn before_win(self, rank: u32) -> u32 {
        match self {
            Self::Remoteness => rank + 1,
            Self::OwnMoves => rank,
        }
    }
}

/// Win or loss with its rank, or a draw, in one number: 0 for a draw, else 1 + 2 · rank, and 1 more for a win.
///
/// ```
/// use gameproof::{Outcome, value::Ranked};
/// assert_eq!(Ranked::new(Outcome::Win, 3).get(), Some((Outcome::Win, 3)));
/// assert_eq!(Ranked::DRAW.get(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked(pub u32);

impl Ranked {
    /// A draw, which has no rank.
    pub const DRAW: Self = Self(0);

    /// An outcome with its rank; the rank of a draw does not matter.
    #[must_use]
    pub const fn new(outcome: Outcome, rank: u32) -> Self {
        match outcome {
            Outcome::Draw => Self::DRAW,
            Outcome::Loss => Self(1 + 2 * rank),
            Outcome::Win => Self(2 + 2 * rank),
        }
    }

    /// The outcome and the rank; none for a draw.
    #[must_use]
    pub const fn get(self) -> Option<(Outcome, u32)> {
        match self.0 {
            0 => None,
            code if code % 2 == 0 => Some((Outcome::Win, (code - 2) / 2)),
            code => Some((Outcome::Loss, (code - 1) / 2)),
        }
    }

    /// The class that it means, where ranks count the winner's own moves; none for a draw.
    #[must_use]
    pub const fn class(self) -> Option<Class> {
        match self.get() {
            Some((Outcome::Win, moves)) => Some(Class::Win(moves)),
            Some((_, moves)) => Some(Class::Loss(moves)),
            None => None,
        }
    }
}

/// The numbers of complete plays from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plays {
    /// All of them.
    pub total: UBig,
    /// Those won by the player to move.
    pub won: UBig,
    /// Those won by the opponent.
    pub lost: UBig,
}

/// The minimum excludant: the least number from 0 that is not among `values`.
///
/// ```
/// use gameproof::mex;
/// assert_eq!(mex([]), 0);
/// assert_eq!(mex([0, 1, 3]), 2);
/// assert_eq!(mex([1, 2]), 0);
/// ```
#[must_use]
pub fn mex(values: impl IntoIterator<Item = u32>) -> u32 {
    let mut values: Vec<u32> = values.into_iter().collect();
    values.sort_unstable();
    values.dedup();
    let mut least = 0;
    for value in values {
        if value != least {
            break;
        }
        least += 1;
    }
    least
}
