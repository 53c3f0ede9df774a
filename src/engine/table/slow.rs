//! Options in the same row that follow at a fraction of the pace: `x // 2` moves on by one for every second place.
//!
//! Such an option falls back further and further, so that a row is filled in a few pieces, each twice as long as the one
//! before or longer, whose options lie before all of the piece.

use super::leads::advanced;
use super::sweep::{Read, pass};
use crate::claims::Key;
use crate::faults::{Wrong, planted};
use crate::lang::{Fit, Quotient, Unfit};

/// An option in the same row, for rows that are filled upwards: where it is for the first place, and that it is `step`
/// parts of `by` further for each next one, of which there are `rest` already; `rest` and `step` are less than `by`.
#[derive(Clone, Copy)]
pub(super) struct Slow {
    pub(super) place: usize,
    rest: usize,
    step: usize,
    by: usize,
}

/// Fewer places than this are not worked on in bulk.
const BULK: usize = 8;

impl Slow {
    /// Whether a quotient grows, and by less than one from place to place.
    pub(super) const fn is(quotient: Quotient) -> bool {
        0 < quotient.of.step && quotient.of.step < quotient.by
    }

    /// A quotient from a place of the stretch on, in a row whose first value is `low`.
    pub(super) fn new(quotient: Quotient, place: usize, low: i64) -> Fit<Self> {
        let index = |number: i64| usize::try_from(number).map_err(|_| Unfit);
        Ok(Self {
            place: index(quotient.at(place).checked_sub(low).ok_or(Unfit)?)?,
            rest: index(quotient.of.at(place).rem_euclid(quotient.by))?,
            step: index(quotient.of.step)?,
            by: index(quotient.by)?,
        })
    }

    /// The same so many places further.
    pub(super) fn advanced(self, places: usize) -> Self {
        let parts = self.rest.saturating_add(self.step.saturating_mul(places));
        let rest = if planted(Wrong::RestForgotten) { 0 } else { parts % self.by };
        Self { place: self.place.saturating_add(parts / self.by), rest, ..self }
    }

    /// For how many places from the first on the option lies before all of them.
    fn alone(self, first: usize) -> usize {
        let parts = first.saturating_sub(self.place).saturating_mul(self.by).saturating_sub(self.rest);
        parts.div_ceil(self.step)
    }

    /// Takes the better of what is there and of the option, which lies before all of so many places.
    fn take<K: Key>(mut self, row: &mut [K], first: usize, count: usize) {
        let (before, here) = row.split_at_mut(first);
        let here = &mut here[..count];
        if self.step > 1 {
            for best in here {
                *best = (*best).min(before[self.place]);
                self.follow();
            }
            return;
        }
        let (begun, here) = here.split_at_mut((self.by - self.rest).min(count));
        better(begun, before[self.place]);
        let there = &before[self.place + 1..];
        match self.by {
            2 => take_by::<K, 2>(here, there),
            3 => take_by::<K, 3>(here, there),
            4 => take_by::<K, 4>(here, there),
            5 => take_by::<K, 5>(here, there),
            by => here.chunks_mut(by).zip(there).for_each(|(some, option)| better(some, *option)),
        }
    }

    /// Goes on to the next place.
    pub(super) const fn follow(&mut self) {
        self.rest += self.step;
        if self.rest >= self.by {
            self.rest -= self.by;
            self.place += 1;
        }
    }
}

fn better<K: Key>(here: &mut [K], option: K) {
    here.iter_mut().for_each(|best| *best = (*best).min(option));
}

/// Takes each option for so many places.
fn take_by<K: Key, const BY: usize>(here: &mut [K], there: &[K]) {
    let (all, rest) = here.as_chunks_mut::<BY>();
    for (some, option) in all.iter_mut().zip(there) {
        some.iter_mut().for_each(|best| *best = (*best).min(*option));
    }
    if let Some(option) = there.get(all.len()) {
        better(rest, *option);
    }
}

/// Fills a piece of a row upwards, where some options follow at a fraction of the pace.
pub(super) fn pass_slow<K: Key, const OWN: bool, const DRAWS: bool>(
    row: &mut [K],
    (mut first, mut left): (usize, usize),
    reads: &mut [Read],
    slow: &mut [Slow],
) {
    let mut now = Vec::with_capacity(reads.len());
    while left > 0 {
        let alone = slow.iter().fold(left, |alone, slow| slow.alone(first).min(alone));
        let count = if alone < left && alone < BULK { left.min(BULK) } else { alone };
        if count == alone {
            slow.iter().for_each(|slow| slow.take(row, first, count));
            now.clear();
            now.extend_from_slice(reads);
            pass::<K, OWN, DRAWS>(row, first, count, (false, K::LOST), &mut now);
            slow.iter_mut().for_each(|slow| *slow = slow.advanced(count));
            reads.iter_mut().for_each(|read| read.place = advanced(read.place, read.step, count));
        } else {
            for place in first..first + count {
                let mut best = row[place];
                for read in &mut *reads {
                    best = best.min(row[read.place]);
                    read.place = read.place.wrapping_add_signed(read.step);
                }
                for slow in &mut *slow {
                    best = best.min(row[slow.place]);
                    slow.follow();
                }
                row[place] = best.back::<OWN, DRAWS>();
            }
        }
        (first, left) = (first + count, left - count);
    }
}
