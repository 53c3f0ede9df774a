//! The only place that names `rayon`: work split over threads, results handed back in order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, TryRecvError};
use std::thread;
use std::time::Duration;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// The stack of a thread, in bytes; it is reserved, and used only as far as a text needs it. The longest texts of the
/// rule language make trees of some fifty thousand levels.
pub const STACK: usize = 256 << 20;

/// Gets results on the thread that asked for them.
pub trait Taker<T, R> {
    /// A result has come in, whatever its place.
    fn done(&mut self, item: &T, result: &R) {
        let _ = (item, result);
    }

    /// The next result in the order of the items.
    fn take(&mut self, item: &T, result: R);

    /// Asked a few times in a second while results are waited for; `true` gives up what is still at work.
    fn gives_up(&mut self) -> bool {
        false
    }

    /// An item was given up; comes in the order of the items, as [`Taker::take`] does.
    fn lost(&mut self, item: &T) {
        let _ = item;
    }

    /// All that was done has been taken and the rest was given up. Work that does not stop cannot be ended from
    /// outside, so this is where to end the program; if it returns, the work is waited for.
    fn given_up(&mut self) {}
}

impl<T, R, F: FnMut(&T, R)> Taker<T, R> for F {
    fn take(&mut self, item: &T, result: R) {
        self(item, result);
    }
}

/// How long a result is waited for until [`Taker::gives_up`] is asked again.
const PATIENCE: Duration = Duration::from_millis(50);

/// Where there are more items than this, results come in quickly, and whoever waits for them is not woken for each.
const MANY: usize = 64;

/// How long results may then lie.
const REST: Duration = Duration::from_millis(1);

/// Runs `work` on every item with so many threads (0: all cores) and hands the results to the taker in the order of the
/// items, on the calling thread.
///
/// # Errors
///
/// The threads could not be started.
pub fn in_order<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    taker: &mut dyn Taker<T, R>,
) -> Result<(), String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .build()
        .map_err(|error| error.to_string())?;
    let (sender, receiver) = mpsc::channel();
    let (work, begun) = (&work, &AtomicUsize::new(0));
    pool.in_place_scope(|scope| {
        for _ in 0..pool.current_num_threads().min(items.len()) {
            let sender = sender.clone();
            scope.spawn(move |_| {
                loop {
                    let place = begun.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(place) else { break };
                    // the receiver only goes away when all is over
                    drop(sender.send((place, work(item))));
                }
            });
        }
        drop(sender);
        let mut early: BTreeMap<usize, R> = BTreeMap::new();
        let mut next = 0;
        let mut given_up = false;
        let mut rested = items.len() <= MANY;
        loop {
            let received = match receiver.try_recv() {
                Err(TryRecvError::Empty) if !rested => {
                    rested = true;
                    thread::sleep(REST);
                    continue;
                }
                Err(TryRecvError::Empty) => receiver.recv_timeout(PATIENCE),
                Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
                Ok(received) => Ok(received),
            };
            match received {
                Ok((place, result)) => {
                    rested = items.len() <= MANY;
                    if given_up {
                        continue;
                    }
                    taker.done(&items[place], &result);
                    early.insert(place, result);
                    while let Some(result) = early.remove(&next) {
                        taker.take(&items[next], result);
                        next += 1;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if !given_up && taker.gives_up() {
                given_up = true;
                for (place, item) in items.iter().enumerate().skip(next) {
                    match early.remove(&place) {
                        Some(result) => taker.take(item, result),
                        None => taker.lost(item),
                    }
                }
                taker.given_up();
            }
        }
    });
    Ok(())
}

/// Runs `work` on stretches of `0..len` on the threads at hand, and returns the first error in order of place.
///
/// # Errors
///
/// The error of the earliest stretch that has one.
pub fn stretches<E: Send>(len: usize, work: impl Fn(Range<usize>) -> Result<(), E> + Sync) -> Result<(), E> {
    /// Long enough that starting one costs nothing beside it.
    const STRETCH: usize = 1 << 14;
    if len <= STRETCH {
        return work(0..len);
    }
    let count = len.div_ceil(STRETCH);
    let stretch = |number: usize| number * STRETCH..len.min((number + 1) * STRETCH);
    (0..count).into_par_iter().map(|number| work(stretch(number))).find_first(Result::is_err).unwrap_or(Ok(()))
}

/// How many threads `0` stands for.
#[must_use]
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
