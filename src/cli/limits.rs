//! `--memory-limit` and `--time-limit`.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::signals::Signals;
use crate::budget::Budget;

/// What a run may use.
#[derive(Clone, Debug, Default, Args)]
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
    pub(super) fn budget(&self, signals: &Signals) -> Arc<Budget> {
        // a system that cannot be asked is taken for a small one
        let half = || machine_memory().map_or(1 << 30, |bytes| bytes / 2);
        let budget = Arc::new(Budget::new(self.memory_limit.unwrap_or_else(half)));
        signals.stop(&budget, self.time_limit);
        budget
    }
}

/// How many bytes of memory the machine has; one question to Linux, which `sysinfo` asks for much more.
#[cfg(target_os = "linux")]
fn machine_memory() -> Option<u64> {
    let told = rustix::system::sysinfo();
    u64::try_from(u128::from(told.totalram) * u128::from(told.mem_unit)).ok()
}

/// How many bytes of memory the machine has.
#[cfg(not(target_os = "linux"))]
fn machine_memory() -> Option<u64> {
    let mut system = sysinfo::System::new().ok()?;
    system.refresh_memory();
    Some(system.total_memory())
}

/// `500M`, `4G`, `2000000`.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    let allowed = || format!("{text:?} is no size; write a number of bytes, or one with K, M or G such as 500M");
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.strip_suffix("IB").or(upper.strip_suffix('B')).unwrap_or(&upper);
    let (digits, shift) = match upper.chars().last() {
        Some('K') => (&upper[..upper.len() - 1], 10),
        Some('M') => (&upper[..upper.len() - 1], 20),
        Some('G') => (&upper[..upper.len() - 1], 30),
        Some('T') => (&upper[..upper.len() - 1], 40),
        _ => (upper, 0),
    };
    let number: u64 = digits.trim().parse().map_err(|_| allowed())?;
    number.checked_mul(1 << shift).ok_or_else(allowed)
}

/// `60`, `0.5`.
pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let allowed = || format!("{text:?} is no time; write a number of seconds such as 60 or 0.5");
    let seconds: f64 = text.trim().parse().map_err(|_| allowed())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| allowed())
}
