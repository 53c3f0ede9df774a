//! Ctrl-C, the signal that asks a program to end and that of a terminal that closes: work is told to stop, and what does
//! not stop is ended.

use std::fs;
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use super::terminal::say;
use super::{Failure, status};
use crate::budget::{Budget, Limit};

/// How often it is looked whether there was a signal.
const PERIOD: Duration = Duration::from_millis(40);

/// How long work may take to stop by itself. Most stops at once; a single number of a rule may take longer.
const GRACE: Duration = Duration::from_millis(600);

/// How long printing may hold up the end of a run after a signal.
const PRINTING: Duration = Duration::from_millis(300);

/// Hears signals from the begin of the program to its end, and lets others look at the time.
#[derive(Default)]
pub(super) struct Signals {
    heard: Arc<AtomicBool>,
    work: Arc<Mutex<Work>>,
    others: Arc<Mutex<Vec<Other>>>,
}

/// Looks a few times in a second at something else.
type Other = Box<dyn FnMut() + Send>;

/// What is to stop.
#[derive(Debug, Default)]
struct Work {
    budget: Option<Arc<Budget>>,
    /// When the time is over.
    deadline: Option<Instant>,
    /// Since when it is to stop, and why.
    stopped: Option<(Instant, Limit)>,
    /// Whether it ends by itself, whatever it does.
    ends: bool,
}

impl Signals {
    /// Hears them from now on. As long as there is no work to be stopped, a signal ends the program at once.
    pub(super) fn listen() -> Result<Self, Failure> {
        let signals = Self::default();
        for signal in [SIGINT, SIGTERM] {
            flag::register(signal, Arc::clone(&signals.heard))
                .map_err(|error| Failure::usage(format!("cannot listen for interruptions: {error}")))?;
        }
        let (heard, work) = (Arc::clone(&signals.heard), Arc::clone(&signals.work));
        let others = Arc::clone(&signals.others);
        thread::spawn(move || {
            // a terminal that closes must not end what `nohup` has started; whoever cannot hear it is ended by it
            if !is_ignored(SIGHUP) {
                let _ = flag::register(SIGHUP, Arc::clone(&heard));
            }
            loop {
                thread::sleep(PERIOD);
                look(heard.swap(false, Ordering::Relaxed), &mut held(&work));
                held(&others).iter_mut().for_each(|other| other());
            }
        });
        Ok(signals)
    }

    /// From now on a signal, or the end of the time, stops this budget.
    pub(super) fn stop(&self, budget: &Arc<Budget>, time: Option<Duration>) {
        let mut work = held(&self.work);
        work.budget = Some(Arc::clone(budget));
        // a time that no clock can tell is no limit
        work.deadline = time.and_then(|time| Instant::now().checked_add(time));
    }

    /// From now on this looks a few times in a second too. It must not take long.
    pub(super) fn also(&self, other: impl FnMut() + Send + 'static) {
        held(&self.others).push(Box::new(other));
    }

    /// The caller sees for itself that the program ends soon after it is told to stop.
    pub(super) fn leave(&self) {
        held(&self.work).ends = true;
    }

    /// Whether work that was told to stop has been given the time to.
    pub(super) fn is_late(&self) -> bool {
        held(&self.work).stopped.is_some_and(|(since, _)| since.elapsed() >= GRACE)
    }

    /// Whether a signal waits for printing that began then, and has waited long enough.
    pub(super) fn waits_since(&self, begun: Instant) -> bool {
        let stopped = held(&self.work).stopped;
        stopped.is_some_and(|(since, limit)| limit == Limit::Interrupted && since.max(begun).elapsed() >= PRINTING)
    }

    /// Whether there was a signal.
    pub(super) fn interrupted(&self) -> bool {
        self.heard.load(Ordering::Relaxed)
            || held(&self.work).stopped.is_some_and(|(_, limit)| limit == Limit::Interrupted)
    }
}

/// Whether whoever started the program has it ignore a signal, as `nohup` does; only Linux tells.
fn is_ignored(signal: i32) -> bool {
    let told = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = told.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    u32::try_from(signal - 1).ok().and_then(|place| mask.checked_shr(place)).is_some_and(|mask| mask & 1 == 1)
}

fn held<T>(work: &Mutex<T>) -> MutexGuard<'_, T> {
    // each change leaves it whole
    work.lock().unwrap_or_else(PoisonError::into_inner)
}

fn look(heard: bool, work: &mut Work) {
    if heard {
        let again = work.stopped.is_some_and(|(_, limit)| limit == Limit::Interrupted);
        let Some(budget) = work.budget.as_ref().filter(|_| !again) else { exit(status::INTERRUPTED.into()) };
        budget.stop(Limit::Interrupted);
        work.stopped = Some((Instant::now(), Limit::Interrupted));
    }
    if let Some(budget) = &work.budget
        && work.stopped.is_none()
        && work.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    {
        budget.stop(Limit::Time);
        work.stopped = Some((Instant::now(), Limit::Time));
    }
    match work.stopped {
        Some((since, limit)) if since.elapsed() >= GRACE && !work.ends => {
            say(&format!("error: {limit}"));
            exit(i32::from(if limit == Limit::Interrupted { status::INTERRUPTED } else { status::LIMIT }));
        }
        _ => {}
    }
}
