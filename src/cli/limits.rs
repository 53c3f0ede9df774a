//! `--memory-limit` and `--time-limit`.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::Failure;
use super::verify::{budget, parse_seconds, parse_size, watch};
use crate::budget::Budget;

/// What a run may use.
#[derive(Clone, Debug, Args)]
pub(super) struct Limits {
    /// Memory for the whole run, such as 500M or 4G [default: half of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory_limit: Option<u64>,
    /// Seconds for the whole run
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time_limit: Option<Duration>,
}

impl Limits {
    /// A budget within these limits, which also ends when the user asks for it.
    pub(super) fn budget(&self) -> Result<Arc<Budget>, Failure> {
        let budget = budget(self.memory_limit);
        watch(&budget, self.time_limit)?;
        Ok(budget)
    }
}
