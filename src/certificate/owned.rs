//! Claims that hold their own memory: read from a file, or copied to be changed in tests.

use dashu_int::UBig;

use crate::claims::{Claims, Keys, LinesClaim, Parts, Reach, Region, Rings};
use crate::position::{Lines, Positions};
use crate::value::{Plays, Ranked};

/// A certificate: claims with their own memory and without hints.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The problem that it was made for, for messages.
    pub problem: String,
    /// The variant that it was made for.
    pub variant: Option<String>,
    /// The positions, by number.
    pub positions: Positions,
    /// Outcome and remoteness, or nothing.
    pub remoteness: Vec<Ranked>,
    /// Outcome and the winner's own moves, or nothing.
    pub own_moves: Vec<Ranked>,
    /// Grundy values, or nothing.
    pub nimbers: Vec<u32>,
    /// Numbers of complete plays, or nothing.
    pub plays: Vec<Option<Plays>>,
    /// Plies of the shortest play, or nothing.
    pub shortest: Vec<u32>,
    /// Plies of the longest play, or nothing.
    pub longest: Vec<u32>,
    /// In a puzzle: moves to the nearest goal, or nothing.
    pub distances: Vec<u32>,
    /// In a puzzle: numbers of shortest solutions, or nothing.
    pub solutions: Vec<UBig>,
    /// What lies near single positions.
    pub regions: Vec<Region>,
    /// Whether the positions are those of a sum of games.
    pub sum: bool,
    /// Rings round single positions.
    pub rings: Vec<OwnedRings>,
    /// In a sum: what its components are worth.
    pub parts: Option<OwnedParts>,
    /// Positions that lie densely between bounds.
    pub lines: Option<OwnedLines>,
}

/// Claims about dense positions with their own memory.
#[derive(Clone, Debug)]
pub struct OwnedLines {
    /// The positions, by index.
    pub lines: Lines,
    /// Outcome and remoteness, if claimed.
    pub remoteness: Option<Keys>,
    /// Outcome and the winner's own moves, if claimed.
    pub own_moves: Option<Keys>,
}

/// Rings with their own memory.
#[derive(Clone, Debug)]
pub struct OwnedRings {
    /// The positions, ring by ring.
    pub positions: Positions,
    /// Where each ring ends.
    pub ends: Vec<usize>,
    /// How far they go.
    pub reach: Reach,
}

/// Claims about the components of a sum with their own memory.
#[derive(Clone, Debug)]
pub struct OwnedParts {
    /// The components, by number.
    pub positions: Positions,
    /// Their Grundy values.
    pub nimbers: Vec<u32>,
    /// How deep each is.
    pub depths: Vec<u32>,
}

impl Certificate {
    /// A copy of claims.
    #[must_use]
    pub fn of(claims: &Claims<'_>, problem: &str, variant: Option<&str>) -> Self {
        Self {
            problem: problem.to_owned(),
            variant: variant.map(str::to_owned),
            positions: claims.positions.clone(),
            remoteness: claims.remoteness.to_vec(),
            own_moves: claims.own_moves.to_vec(),
            nimbers: claims.nimbers.to_vec(),
            plays: claims.plays.to_vec(),
            shortest: claims.shortest.to_vec(),
            longest: claims.longest.to_vec(),
            distances: claims.distances.to_vec(),
            solutions: claims.solutions.to_vec(),
            regions: claims.regions.iter().map(|region| (*region).clone()).collect(),
            sum: claims.sum,
            rings: claims
                .rings
                .iter()
                .map(|rings| OwnedRings {
                    positions: rings.positions.clone(),
                    ends: rings.ends.to_vec(),
                    reach: rings.reach,
                })
                .collect(),
            parts: claims.parts.map(|parts| OwnedParts {
                positions: parts.positions.clone(),
                nimbers: parts.nimbers.to_vec(),
                depths: parts.depths.to_vec(),
            }),
            lines: claims.lines.map(|claim| OwnedLines {
                lines: claim.lines.clone(),
                remoteness: claim.remoteness.cloned(),
                own_moves: claim.own_moves.cloned(),
            }),
        }
    }

    /// What it claims.
    #[must_use]
    pub fn claims(&self) -> Claims<'_> {
        Claims {
            positions: &self.positions,
            ends: &[],
            options: &[],
            remoteness: &self.remoteness,
            own_moves: &self.own_moves,
            nimbers: &self.nimbers,
            plays: &self.plays,
            shortest: &self.shortest,
            longest: &self.longest,
            distances: &self.distances,
            solutions: &self.solutions,
            regions: self.regions.iter().collect(),
            sum: self.sum,
            rings: self
                .rings
                .iter()
                .map(|rings| Rings { positions: &rings.positions, ends: &rings.ends, reach: rings.reach })
                .collect(),
            parts: self.parts.as_ref().map(|parts| Parts {
                positions: &parts.positions,
                nimbers: &parts.nimbers,
                depths: &parts.depths,
            }),
            lines: self.lines.as_ref().map(|claim| LinesClaim {
                lines: &claim.lines,
                remoteness: claim.remoteness.as_ref(),
                own_moves: claim.own_moves.as_ref(),
            }),
        }
    }
}
