//! The only place that names `rayon`: work split over threads, results handed back in order.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// The stack of a thread, in bytes; it is reserved, and used only as far as a text needs it. The longest texts of the
/// rule language make trees of some fifty thousand levels.
pub const STACK: usize = 256 << 20;

/// Runs `work` on every item with so many threads (0: all cores) and hands the results to `take` in the order of the
/// items, on the calling thread. `done` is called there too, as each result comes in, whatever its place.
///
/// # Errors
///
/// The threads could not be started.
pub fn in_order<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(&T, &R),
    mut take: impl FnMut(&T, R),
) -> Result<(), String> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .build()
        .map_err(|error| error.to_string())?;
    let (sender, receiver) = mpsc::channel();
    let work = &work;
    pool.in_place_scope(|scope| {
        for (place, item) in items.iter().enumerate() {
            let sender = sender.clone();
            // the receiver only goes away when all is over
            scope.spawn(move |_| drop(sender.send((place, work(item)))));
        }
        drop(sender);
        let mut early: BTreeMap<usize, R> = BTreeMap::new();
        let mut next = 0;
        for (place, result) in receiver {
            done(&items[place], &result);
            early.insert(place, result);
            while let Some(result) = early.remove(&next) {
                take(&items[next], result);
                next += 1;
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
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
