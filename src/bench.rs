//! Timing: who takes part, run by run, after every answer was checked. The only part of the library that reads the
//! clock.
//!
//! Ratios are taken in pairs: all contestants run once in each round, and a round's times are divided by each other, so
//! that what disturbs the machine disturbs both sides.

mod engines;
mod pairs;
mod record;

pub use engines::{Done, LeftOut, Limits, attempt, engines, same};
pub use pairs::{Contestant, Spread, Timed, figure, geometric_mean, interleave, shown_seconds};
pub use record::{machine, page, write};
