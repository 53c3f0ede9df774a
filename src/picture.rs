//! Pictures of positions: pure functions from a position to text, for a person who plays.
//!
//! A game form says which picture fits its positions; a card game that is written out in rules is recognised by the
//! shape of its move ([`Cards`]). Whatever has no picture is shown as the position alone.
//!
//! To add a picture: a variant here, and one file below `picture/` that draws it.

mod board;
mod cards;
mod hanoi;
mod heaps;

pub use cards::{Cards, Fixed};

use crate::lang::tree::Rules;

/// How the positions of a game are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Picture {
    /// Not at all.
    #[default]
    None,
    /// Discs on pegs: number i of the position is the peg of disc i, the smallest first.
    Hanoi {
        /// How many pegs there are.
        pegs: usize,
    },
    /// Pegs in the holes of a board: number i of the position is 1 where hole i has one.
    Board {
        /// The row and the column of each hole.
        holes: Vec<(usize, usize)>,
    },
    /// Every number of the position is a heap of matches.
    Heaps,
    /// Cards of which one is turned down, and a total.
    Cards(Cards),
}

impl Picture {
    /// The picture that fits rules which an author wrote out.
    #[must_use]
    pub fn of_rules(rules: &Rules) -> Self {
        cards::recognized(rules).map_or(Self::None, Self::Cards)
    }

    /// The position drawn, each line ended; none where there is no picture of it.
    ///
    /// ```
    /// use gameproof::picture::Picture;
    /// let drawn = Picture::Heaps.draw(&[3, 1]).unwrap();
    /// assert_eq!(drawn, "heap 1  |||  3\nheap 2  |    1\n");
    /// ```
    #[must_use]
    pub fn draw(&self, position: &[i64]) -> Option<String> {
        match self {
            Self::None => None,
            Self::Hanoi { pegs } => hanoi::draw(position, *pegs),
            Self::Board { holes } => board::draw(position, holes),
            Self::Heaps => Some(heaps::draw(position)),
            Self::Cards(cards) => cards.draw(position),
        }
    }

    /// A move in the words of the picture, such as `disc 0 to peg 2`.
    #[must_use]
    pub fn step(&self, before: &[i64], after: &[i64]) -> Option<String> {
        match self {
            Self::None => None,
            Self::Hanoi { .. } => hanoi::step(before, after),
            Self::Board { holes } => board::step(before, after, holes),
            Self::Heaps => heaps::step(before, after),
            Self::Cards(cards) => cards.card(after).map(|card| format!("card {card}")),
        }
    }

    /// The number that a move to this position goes by, where moves have one of their own: that of the card.
    #[must_use]
    pub fn number(&self, after: &[i64]) -> Option<i64> {
        if let Self::Cards(cards) = self { cards.card(after) } else { None }
    }
}
