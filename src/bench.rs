//! Timing: who takes part, run by run, after every answer was checked. The only part of the library that reads the
//! clock.
//!
//! [`Entry`] lets every engine answer a problem file and compares what they say. Then [`sample`] hands the file to
//! criterion, which draws times against sizes and keeps baselines, and [`summary`] runs the engines in turns. There,
//! ratios are taken in pairs: all contestants run once in each round, and a round's times are divided by each other,
//! so that what disturbs the machine disturbs both sides. The first engine runs twice in each round; how far its two
//! times differ is the noise.

mod engines;
mod entry;
mod pairs;
mod record;
mod summary;
mod timing;

pub use engines::{Done, LeftOut, Limits, attempt, engines, same};
pub use entry::{Entry, Fit, Group, groups};
pub use pairs::{Contestant, Spread, Timed, figure, geometric_mean, interleave, shown_seconds};
pub use record::{machine, page, record};
pub use summary::summary;
pub use timing::{Baselines, LONG, criterion, plots, sample};
