//! What an engine's answers rest on, laid open: positions, where their moves lead, and what each is worth.
//!
//! A claim needs no trust. The checker in `certificate.rs` looks at every position with the reference evaluator and
//! holds the claim against those of its options.

mod keys;

pub use keys::Keys;
pub(crate) use keys::{Key, is_own};

use dashu_int::UBig;

use crate::position::{Lines, Positions};
use crate::value::{Plays, Ranked};

/// A number that says there is none: play that need not end, or cannot.
pub const NONE: u32 = u32::MAX;

/// Claims about a set of positions closed under moves, and about regions near single positions.
///
/// A column is empty where nothing of its kind is claimed; else it has one entry for each position.
#[derive(Clone, Debug)]
pub struct Claims<'a> {
    /// Whether the positions are those of a sum of games.
    pub sum: bool,
    /// The positions, by number.
    pub positions: &'a Positions,
    /// For each position where its options end in `options`; empty where no hints are given.
    pub ends: &'a [usize],
    /// The numbers of the options, in the order of moves: hints, which are checked.
    pub options: &'a [u32],
    /// Outcome and remoteness.
    pub remoteness: &'a [Ranked],
    /// Outcome and the winner's own moves.
    pub own_moves: &'a [Ranked],
    /// Grundy values; [`NONE`] where play need not end.
    pub nimbers: &'a [u32],
    /// Numbers of complete plays; none where play need not end.
    pub plays: &'a [Option<Plays>],
    /// Plies of the shortest play; [`NONE`] where play cannot end.
    pub shortest: &'a [u32],
    /// Plies of the longest play; [`NONE`] where play need not end. Claimed with Grundy values and plays: it shows that
    /// no loop is among them.
    pub longest: &'a [u32],
    /// In a puzzle: moves to the nearest goal; [`NONE`] where none can be reached.
    pub distances: &'a [u32],
    /// In a puzzle: how many sequences of that many moves lead to a goal. Claimed with the distances.
    pub solutions: &'a [UBig],
    /// What lies near single positions, where the game is too large to be closed.
    pub regions: Vec<&'a Region>,
    /// Rings round single positions, where the game is too large to be closed otherwise.
    pub rings: Vec<Rings<'a>>,
    /// In a sum: what its components are worth each, from which the nim-sum follows.
    pub parts: Option<Parts<'a>>,
    /// Positions that lie densely between bounds; claimed apart from the others, and closed by themselves.
    pub lines: Option<LinesClaim<'a>>,
}

/// What dense positions are worth. Where moves lead off the lines, the game is over.
#[derive(Clone, Copy, Debug)]
pub struct LinesClaim<'a> {
    /// The positions, by index.
    pub lines: &'a Lines,
    /// Outcome and remoteness, if claimed.
    pub remoteness: Option<&'a Keys>,
    /// Outcome and the winner's own moves, if claimed.
    pub own_moves: Option<&'a Keys>,
}

/// The positions 0, 1, 2, … moves from the first one, each once.
#[derive(Clone, Copy, Debug)]
pub struct Rings<'a> {
    /// The positions, ring by ring.
    pub positions: &'a Positions,
    /// Where each ring ends.
    pub ends: &'a [usize],
    /// What lies at the last of them.
    pub reach: Reach,
}

/// How far rings go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To the first ring with a goal.
    Goal,
    /// Through everything, and there is no goal.
    NoGoal,
    /// Through everything; goals were not looked for.
    Everything,
}

/// Claims about single components of a sum, closed under moves: the parts into which a move splits one are among them.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The components, by number.
    pub positions: &'a Positions,
    /// Their Grundy values: the mex of the nim-sums to which moves lead.
    pub nimbers: &'a [u32],
    /// One more than the greatest among the parts that a move leaves: it shows that play ends.
    pub depths: &'a [u32],
}

/// The positions at most so many plies after a position.
#[derive(Clone, Debug)]
pub struct Region {
    /// How many plies are looked ahead.
    pub plies: u32,
    /// The positions exactly 0, 1, 2, … plies after the start.
    pub layers: Vec<Layer>,
}

/// The positions at one distance.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The positions, by number.
    pub positions: Positions,
    /// For each position where its options end in `options`; empty in the last layer.
    pub ends: Vec<usize>,
    /// The numbers of the options in the next layer, in the order of moves.
    pub options: Vec<u32>,
    /// The class, as far as the plies that are left decide it.
    pub classes: Vec<Ranked>,
}

impl Region {
    /// What is claimed of the position at the start.
    #[must_use]
    pub fn claim(&self) -> Ranked {
        self.layers.first().and_then(|layer| layer.classes.first()).copied().unwrap_or(Ranked::DRAW)
    }

    /// Whether this is a region of the position.
    #[must_use]
    pub fn starts_at(&self, position: &[i64]) -> bool {
        self.layers.first().is_some_and(|layer| layer.positions.find_surely(position) == Some(0))
    }

    /// How many positions there are in all layers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.layers.iter().map(|layer| layer.positions.len()).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
