//! Proves the answer keys of game problems.
//!
//! A bank of problem files holds games of two players, sums of such games, and puzzles, as text, with questions and
//! answer keys. Every question is answered by a fast engine and by a naive walker, or by a certificate or a theorem where
//! a walk is too long; the answers are compared with each other and with the key.
//!
//! # From a file to a verdict
//!
//! [`bank`] finds the files and gives each its id. [`problem`] reads one: its notation, then the texts of the rule
//! language ([`lang`]), whose names and types are checked, so that every mistake is told with its place. What comes out
//! is a [`problem::Problem`], which engines may see, and keys, which they may not. [`mod@check`] answers each question with
//! the engines ([`engine`]), compares, and makes a [`check::Finding`] of it; what an engine claims ([`claims`]) is held
//! against the rules by [`certificate`], and [`theorem`] knows what is true of heaps of any size. [`run`] does this for a
//! whole bank in parallel, [`report`] writes what was found, [`cli`] is the program.
//!
//! Beside that, [`mod@explain`] says why an answer is right, [`tree`] writes out the plays, [`mod@play`] sits down with a
//! person, [`picture`] draws positions for them, [`nim`] answers the match game, and [`mod@bench`] times the engines.
//! Where a game seems to have no bound, [`runaway`] guesses why.
//!
//! # Layers
//!
//! Imports run one way only: value, budget, faults, nim, position, lang, game, picture, claims, engine, tree, certificate
//! and theorem, question, runaway, problem, check, explain, play, files, random, run and report, bench, cli.
//!
//! # Invariants
//!
//! 1. "Over or not" has one source: [`game::Game::look`] answers either an outcome or options; who needs fewer options
//!    is answered the same.
//! 2. Outcomes are always for the player to move. There are no player numbers outside the rules of partizan games, and
//!    no parity of a depth counter anywhere.
//! 3. Engines never see a key.
//! 4. The walker and the fast engines share only the parsed ask, the definitions, the canonical form of an answer and
//!    the comparison with the key. The walker reads the typed tree through the reference evaluator
//!    ([`lang::Evaluator`]) and combines values in a plain loop of its own; the fast engines run the compiled form, and
//!    the table runs the rules in columns ([`lang::Columns`]). A fault of one side is a disagreement and not a common error.
//! 5. The core reads no clock, does no input or output and never prints, save that [`mod@play`] talks through the reader
//!    and the writer that it is handed, and that [`mod@bench`], on top of it all, reads the clock. It is handed a
//!    [`budget::Budget`], and on a loaded problem it fails only by a rule error or an exhausted budget.
//! 6. Nothing is timed before its answer is checked.
//! 7. The same bank gives the same bytes, with one thread or many.
//! 8. One bad file never hides another; what could not be verified never looks like a pass.

pub mod value;

pub mod budget;
pub mod faults;
pub mod nim;
pub mod position;

pub mod lang;

pub mod game;

pub mod picture;

pub mod claims;

pub mod engine;
pub mod tree;

pub mod certificate;
pub mod theorem;

pub mod question;

pub mod runaway;

pub mod problem;

pub mod check;

pub mod explain;
pub mod play;

pub mod bank;
pub mod files;
pub mod parallel;
pub mod report;
pub mod run;

pub mod bench;

#[doc(hidden)]
pub mod random;

pub mod cli;

pub use budget::{Budget, Limit};
pub use check::{Checking, Crosscheck, Finding, Verdict, check};
pub use engine::{Engine, Memo, Sum, Walker};
pub use game::Game;
pub use problem::{Changes, Loaded, Problem, load};
pub use question::{Answer, Ask, Key, Question};
pub use value::{Class, Outcome, Ranking, mex};
