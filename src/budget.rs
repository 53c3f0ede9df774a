//! What a run may use: memory, and time by way of a flag. The core reads no clock; it is handed this, and says here what
//! it is doing.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Why a question was left without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The memory that the run may hold, in bytes.
    Memory(u64),
    /// The positions that the walker may visit for one question.
    Walk(u64),
    /// The depth in plies at which the walker stops.
    Depth(usize),
    /// More combinations of parameters, or a larger answer, than is kept.
    Size(u64),
    /// More moves at one position than are ever listed.
    Moves(usize),
    /// A certificate does not list a position that the question asks about.
    Uncovered,
    /// The time that the run may take.
    Time,
    /// The user stopped the run.
    Interrupted,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(bytes @ ..0x10_0000) => write!(f, "the memory limit of {bytes} bytes was reached"),
            Self::Memory(bytes) => write!(f, "the memory limit of {} MiB was reached", bytes >> 20),
            Self::Walk(positions) => write!(f, "the walker's limit of {positions} positions was reached"),
            Self::Depth(plies) => write!(f, "the walker's limit of {plies} plies was reached"),
            Self::Size(limit) => write!(f, "the answer has more than {limit} entries"),
            Self::Moves(most) => write!(f, "a position has more than {most} moves, which are not listed"),
            Self::Uncovered => write!(f, "the certificate does not list a position that the question asks about"),
            Self::Time => write!(f, "the time limit was reached"),
            Self::Interrupted => write!(f, "the run was interrupted"),
        }
    }
}

/// What everything that runs may use together: how much memory is left, and whether to stop. Each thread at work has a
/// part of its own, which differs only in [`Work`].
#[derive(Debug)]
pub struct Budget {
    pool: Arc<Pool>,
    work: Arc<Work>,
}

/// What all parts have in common.
#[derive(Debug)]
struct Pool {
    memory: u64,
    taken: AtomicU64,
    peak: AtomicU64,
    stop: AtomicBool,
    reason: AtomicU8,
}

/// What is being done, for whoever watches. It may be a little behind.
#[derive(Debug, Default)]
pub struct Work {
    question: Mutex<String>,
    number: AtomicU64,
    looked_at: AtomicU64,
    seconds: AtomicU64,
}

impl Work {
    /// The question, in words; empty where none is asked.
    #[must_use]
    pub fn question(&self) -> String {
        self.question.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many questions were asked until now: a number for the present one.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number.load(Ordering::Relaxed)
    }

    /// How many positions were looked at for it, or are known.
    #[must_use]
    pub fn looked_at(&self) -> u64 {
        self.looked_at.load(Ordering::Relaxed)
    }

    /// For how long it has been worked on, in whole seconds, as whoever watches has said; the work itself reads no clock.
    #[must_use]
    pub fn seconds(&self) -> u64 {
        self.seconds.load(Ordering::Relaxed)
    }

    /// Says for how long it has been worked on.
    pub fn set_seconds(&self, seconds: u64) {
        self.seconds.store(seconds, Ordering::Relaxed);
    }
}

impl Pool {
    /// What was so many bytes becomes so many, before the memory is taken.
    fn exchange(&self, before: u64, after: u64) -> Result<(), Limit> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(self.stopped().unwrap_or(Limit::Interrupted));
        }
        if after > before {
            let more = after - before;
            let taken = self.taken.fetch_add(more, Ordering::Relaxed);
            if taken.saturating_add(more) > self.memory {
                self.taken.fetch_sub(more, Ordering::Relaxed);
                return Err(Limit::Memory(self.memory));
            }
            self.peak.fetch_max(taken + more, Ordering::Relaxed);
        } else {
            self.give(before - after);
        }
        Ok(())
    }

    fn give(&self, bytes: u64) {
        self.taken.fetch_sub(bytes, Ordering::Relaxed);
    }

    fn stopped(&self) -> Option<Limit> {
        match self.reason.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Limit::Time),
            _ => Some(Limit::Interrupted),
        }
    }
}

impl Budget {
    /// A budget of so many bytes.
    #[must_use]
    pub fn new(memory: u64) -> Self {
        let pool = Pool {
            memory,
            taken: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            reason: AtomicU8::new(0),
        };
        Self { pool: Arc::new(pool), work: Arc::default() }
    }

    /// The same budget for another piece of work.
    #[must_use]
    pub fn part(&self) -> Self {
        Self { pool: Arc::clone(&self.pool), work: Arc::default() }
    }

    /// What is being done within this part.
    #[must_use]
    pub const fn work(&self) -> &Arc<Work> {
        &self.work
    }

    /// Says that work on a question begins, which `write` puts in words.
    pub fn begin(&self, write: impl FnOnce(&mut String)) {
        let mut question = self.work.question.lock().unwrap_or_else(PoisonError::into_inner);
        question.clear();
        write(&mut question);
        drop(question);
        self.work.number.fetch_add(1, Ordering::Relaxed);
        self.work.seconds.store(0, Ordering::Relaxed);
        self.looked_at(0);
    }

    /// Says how many positions were looked at.
    #[inline]
    pub fn looked_at(&self, positions: u64) {
        self.work.looked_at.store(positions, Ordering::Relaxed);
    }

    /// How many bytes there are in all.
    #[must_use]
    pub fn memory(&self) -> u64 {
        self.pool.memory
    }

    /// The most bytes that were ever taken from it at once.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.pool.peak.load(Ordering::Relaxed)
    }

    /// Asks everything that runs to stop.
    pub fn stop(&self, reason: Limit) {
        let code = if reason == Limit::Time { 1 } else { 2 };
        // the first reason stays
        let _ = self.pool.reason.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
        self.pool.stop.store(true, Ordering::Relaxed);
    }

    /// Whether to go on.
    ///
    /// # Errors
    ///
    /// The limit that asks to stop.
    #[inline]
    pub fn check(&self) -> Result<(), Limit> {
        if self.pool.stop.load(Ordering::Relaxed) { Err(self.stopped().unwrap_or(Limit::Interrupted)) } else { Ok(()) }
    }

    /// Why the run was stopped, if it was.
    #[must_use]
    pub fn stopped(&self) -> Option<Limit> {
        self.pool.stopped()
    }

    /// A share of it that goes from hand to hand, empty at first.
    #[must_use]
    pub fn hold(&self) -> Hold {
        Hold { pool: Arc::clone(&self.pool), bytes: 0 }
    }
}

/// Memory taken from a budget; given back when dropped.
#[derive(Debug)]
pub struct Share<'b> {
    budget: &'b Budget,
    bytes: u64,
}

impl<'b> Share<'b> {
    /// Nothing taken yet.
    #[must_use]
    pub const fn new(budget: &'b Budget) -> Self {
        Self { budget, bytes: 0 }
    }

    /// Makes the share so many bytes in all, before the memory is taken.
    ///
    /// # Errors
    ///
    /// [`Limit::Memory`] where the budget has not as much left, and whatever asks the run to stop.
    pub fn resize(&mut self, bytes: u64) -> Result<(), Limit> {
        self.budget.pool.exchange(self.bytes, bytes)?;
        self.bytes = bytes;
        Ok(())
    }

    /// How many bytes it holds.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The budget it is taken from.
    #[must_use]
    pub const fn budget(&self) -> &'b Budget {
        self.budget
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.budget.pool.give(self.bytes);
    }
}

/// The same as a [`Share`], for what outlives the work that made it: an answer, a text.
#[derive(Debug)]
pub struct Hold {
    pool: Arc<Pool>,
    bytes: u64,
}

impl Hold {
    /// Makes it so many bytes in all, before the memory is taken.
    ///
    /// # Errors
    ///
    /// As [`Share::resize`].
    pub fn resize(&mut self, bytes: u64) -> Result<(), Limit> {
        self.pool.exchange(self.bytes, bytes)?;
        self.bytes = bytes;
        Ok(())
    }

    /// How many bytes it holds.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.pool.give(self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Limit, Share};

    #[test]
    fn the_peak_stays() {
        let budget = Budget::new(100);
        let (mut one, mut other) = (Share::new(&budget), Share::new(&budget));
        assert_eq!((one.resize(40), other.resize(30), one.resize(10)), (Ok(()), Ok(()), Ok(())));
        assert_eq!(other.resize(95), Err(Limit::Memory(100)));
        drop(one);
        assert_eq!((budget.peak(), other.bytes()), (70, 30));
        let mut hold = budget.hold();
        assert_eq!(
            (hold.resize(71), hold.resize(70), other.resize(31)),
            (Err(Limit::Memory(100)), Ok(()), Err(Limit::Memory(100)))
        );
        drop(hold);
        assert_eq!(other.resize(100), Ok(()));
    }
}
