//! Proves the answer keys of game problems.
pub mod bank;
pub mod budget;
pub mod check;
pub mod cli;
pub mod engine;
pub mod game;
pub mod lang;
pub mod parallel;
pub mod position;
pub mod problem;
pub mod question;
pub mod report;
pub mod run;
pub mod value;
pub use value::{Class, Outcome, mex};
