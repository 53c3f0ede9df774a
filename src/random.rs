//! Games out of seeds, on which everything that answers is held against everything else.
//!
//! A seed makes a problem file (`made`); a `Trial` answers its questions by every engine, writes, reads and checks
//! certificates, asks the theorems, and turns the answers into keys; what does not fit is a `Disagreement`, which
//! `shrink` makes small. The tests play some thousand games; `gameproof prove` plays as many as are wanted.
//!
//! To add a kind of game: write one file below `random/` with a function from a seed to a problem file, and add it to
//! `KINDS`.

mod dense;
mod games;
mod shrink;
mod sums;
mod templates;
mod theorems;
mod trial;
mod whole;
mod words;

pub use dense::dense_problem;
pub use games::game_problem;
pub use shrink::shrink;
pub use sums::sum_problem;
pub use templates::template_problem;
pub use theorems::theorem_problem;
pub use trial::{Disagreement, Effort, Fault, Second, Tally, Trial};
pub use whole::whole_problem;

/// A kind of game.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// How many of a hundred games are of it.
    pub share: u64,
    /// Makes a problem file out of a seed.
    pub make: fn(u64) -> String,
    /// Whether its keys come from a theorem, so that the file holds only as it is.
    pub theorem: bool,
}

/// The kinds of games.
pub const KINDS: [Kind; 6] = [
    Kind { name: "whole", share: 60, make: whole_problem, theorem: false },
    Kind { name: "piles", share: 4, make: game_problem, theorem: false },
    Kind { name: "dense", share: 8, make: dense_problem, theorem: false },
    Kind { name: "sums", share: 12, make: sum_problem, theorem: false },
    Kind { name: "templates", share: 8, make: template_problem, theorem: false },
    Kind { name: "theorems", share: 8, make: theorem_problem, theorem: true },
];

/// The kind of the game that a seed makes, unless only one is wanted, and its problem file.
#[must_use]
pub fn made(seed: u64, only: Option<Kind>) -> (Kind, String) {
    let mut lot = fastrand::Rng::with_seed(seed).u64(0..KINDS.iter().map(|kind| kind.share).sum());
    let drawn = KINDS.into_iter().find(|kind| {
        let here = lot < kind.share;
        lot = lot.saturating_sub(kind.share);
        here
    });
    let kind = only.or(drawn).unwrap_or(KINDS[0]);
    (kind, (kind.make)(seed))
}
