//! What is done with the keys of a stretch: in bulk where options lie in rows filled before, place by place where they lie
//! in the same row.

use super::kept::Kept;
use super::leads::{NOWHERE, advanced};
use super::slow::Slow;
use crate::claims::Key;
use crate::faults::{Wrong, planted};

/// Fills a piece of a row in order, where some options are listed by their index among all keys, which are all kept; in
/// the row, which begins at `start`, the first place is `first`, and `at` in the lists.
pub(super) fn pass_listed<K: Key, const OWN: bool, const DRAWS: bool>(
    keys: &mut [K],
    (start, first, at): (usize, usize, usize),
    count: usize,
    down: bool,
    reads: &mut [Read],
    slow: &mut [Slow],
    listed: &[&[u32]],
) {
    let stride = if down { -1 } else { 1 };
    let (mut place, mut at) = (start + first, at);
    for _ in 0..count {
        let mut best = keys[place];
        for read in &mut *reads {
            best = best.min(keys[start + read.place]);
            read.place = read.place.wrapping_add_signed(read.step);
        }
        for slow in &mut *slow {
            best = best.min(keys[start + slow.place]);
            slow.follow();
        }
        for slots in listed {
            let slot = slots[at];
            if slot != NOWHERE {
                best = best.min(keys[usize::try_from(slot).unwrap_or(usize::MAX)]);
            }
        }
        keys[place] = best.back::<OWN, DRAWS>();
        (place, at) = (place.wrapping_add_signed(stride), at.wrapping_add_signed(stride));
    }
}

/// Whether some rank is the last that fits; all are looked at, which goes in bulk.
pub(super) fn any_last<K: Key>(keys: &[K]) -> bool {
    keys.iter().fold(K::LOST, |greatest, key| greatest.max(key.rank_if_any())).is_last()
}

/// Takes the better of what is there and of the options in rows filled before; the first time there is nothing yet.
pub(super) fn take<K: Key>(to: &mut [K], (done, kept, won): (&[K], Kept, K), place: usize, step: isize, first: bool) {
    let take_one = |to: &mut [K], option: K| {
        to.iter_mut().for_each(|best| *best = if first { option } else { (*best).min(option) });
    };
    match step {
        1 => {
            let (before, gap, after) = kept.pieces(place, place + to.len());
            let (to, rest) = to.split_at_mut(before.len());
            let (to_won, to_after) = rest.split_at_mut(gap);
            take_one(to_won, won);
            for (to, from) in [(to, &done[before]), (to_after, &done[after])] {
                if first {
                    to.copy_from_slice(from);
                } else {
                    let pick = if planted(Wrong::WorstOptionTaken) { K::max } else { K::min };
                    to.iter_mut().zip(from).for_each(|(best, option)| *best = pick(*best, *option));
                }
            }
        }
        0 => take_one(to, kept.key(done, won, place)),
        _ => {
            let mut place = place;
            for best in to.chunks_mut(1) {
                take_one(best, kept.key(done, won, place));
                place = place.wrapping_add_signed(step);
            }
        }
    }
}

/// The same for a few options, where there is something already.
#[inline]
pub(super) fn take_few<K: Key>(to: &mut [K], (done, kept, won): (&[K], Kept, K), place: usize, step: isize) {
    let Some(mut index) = kept.index_if_whole(place) else { return take(to, (done, kept, won), place, step, false) };
    let pick = if planted(Wrong::WorstOptionTaken) { K::max } else { K::min };
    for best in to {
        *best = pick(*best, done[index]);
        index = index.wrapping_add_signed(step);
    }
}

/// An option in the same row: where it is for the first place, and how much further it is for each next one.
#[derive(Clone, Copy)]
pub(super) struct Read {
    pub(super) place: usize,
    pub(super) step: isize,
}

/// An option no further away than this is carried along, where it stays as far.
const NEAR: usize = 3;

/// Fewer places than this are not worked on in bulk.
const BULK: usize = 8;

/// Fills a piece of a row in order. Options near by were worked out last and are carried along; those further away are
/// compared in bulk, for as many places as need nothing of each other.
pub(super) fn pass<K: Key, const OWN: bool, const DRAWS: bool>(
    row: &mut [K],
    first: usize,
    count: usize,
    (down, stuck): (bool, K),
    reads: &mut [Read],
) {
    let mut run = Run { first, count, down };
    if reads.is_empty() {
        for best in run.places(row, count) {
            *best = if *best == K::NONE { stuck } else { best.back::<OWN, DRAWS>() };
        }
        return;
    }
    let near = |read: &Read| run.distance(read).filter(|far| *far <= NEAR && read.step == run.stride());
    let carried = reads.iter().filter_map(near).fold(0, |carried, far| carried | 1 << (far - 1));
    let far = reads.iter().filter(|read| near(read).is_none()).count();
    if far > 0 {
        reads.sort_by_key(|read| near(read).is_some());
    }
    loop {
        let alone = reads[..far].iter().fold(run.count, |alone, read| run.alone(read).min(alone));
        if alone < run.count && alone < BULK {
            break;
        }
        reads[..far].iter().for_each(|read| run.take(row, read, alone));
        match carried {
            0 => run.places(row, alone).iter_mut().for_each(|best| *best = best.back::<OWN, DRAWS>()),
            1 => run.carry::<K, OWN, DRAWS, 1>(row, alone),
            2 => run.carry::<K, OWN, DRAWS, 2>(row, alone),
            3 => run.carry::<K, OWN, DRAWS, 3>(row, alone),
            4 => run.carry::<K, OWN, DRAWS, 4>(row, alone),
            5 => run.carry::<K, OWN, DRAWS, 5>(row, alone),
            6 => run.carry::<K, OWN, DRAWS, 6>(row, alone),
            _ => run.carry::<K, OWN, DRAWS, 7>(row, alone),
        }
        if alone == run.count {
            return;
        }
        run.advance(alone);
        reads.iter_mut().for_each(|read| read.place = advanced(read.place, read.step, alone));
    }
    match reads[..] {
        [a] => run.each::<K, OWN, DRAWS, 1>(row, [a]),
        [a, b] => run.each::<K, OWN, DRAWS, 2>(row, [a, b]),
        [a, b, c] => run.each::<K, OWN, DRAWS, 3>(row, [a, b, c]),
        _ => run.each_of(row, reads, |key: K| key.back::<OWN, DRAWS>()),
    }
}

/// Places of a row that are to be filled: from the first on, so many, upwards or downwards.
#[derive(Clone, Copy)]
struct Run {
    first: usize,
    count: usize,
    down: bool,
}

impl Run {
    const fn stride(self) -> isize {
        if self.down { -1 } else { 1 }
    }

    /// How far before the first place an option lies; nothing, if it does not.
    fn distance(self, read: &Read) -> Option<usize> {
        if self.down { read.place.checked_sub(self.first) } else { self.first.checked_sub(read.place) }
    }

    fn advance(&mut self, places: usize) {
        self.first = if self.down { self.first.wrapping_sub(places) } else { self.first + places };
        self.count -= places;
    }

    /// The next places, so many, from the least on.
    fn places<K>(self, row: &mut [K], count: usize) -> &mut [K] {
        let begin = if self.down { self.first + 1 - count } else { self.first };
        &mut row[begin..begin + count]
    }

    /// For how many places from the first on an option lies before all of them.
    fn alone(self, read: &Read) -> usize {
        let Some(distance) = self.distance(read).filter(|distance| *distance > 0) else { return 0 };
        match self.speed(read) {
            Some(speed) if speed > 1 && planted(Wrong::BulkTooLong) => (distance - 1) / speed + 2,
            Some(speed) if speed > 0 => (distance - 1) / speed + 1,
            _ => usize::MAX,
        }
    }

    /// How many places an option goes on for each place; nothing, if it goes the other way.
    fn speed(self, read: &Read) -> Option<usize> {
        usize::try_from(if self.down { read.step.wrapping_neg() } else { read.step }).ok()
    }

    /// Takes the better of what is there and of an option that lies before all of so many places.
    fn take<K: Key>(self, row: &mut [K], read: &Read, count: usize) {
        let Self { first, down, .. } = self;
        if count == 0 {
            return;
        }
        let pick = |(best, option): (&mut K, &K)| *best = (*best).min(*option);
        if let Some(speed @ 1..) = self.speed(read).filter(|_| !planted(Wrong::BulkTooLong)) {
            // what the last of the places reads is that much further on
            let far = (count - 1) * speed;
            let (here, there) = if down {
                let (here, after) = row.split_at_mut(first + 1);
                let from = read.place - (first + 1);
                (&mut here[first + 1 - count..], &after[from - far..=from])
            } else {
                let (before, here) = row.split_at_mut(first);
                (&mut here[..count], &before[read.place..=read.place + far])
            };
            match speed {
                1 => here.iter_mut().zip(there).for_each(pick),
                2 => {
                    // pair by pair it goes in bulk
                    let ((pairs, last), (here, end)) = (there.as_chunks::<2>(), here.split_at_mut(count - 1));
                    here.iter_mut().zip(pairs).for_each(|(best, [option, _])| pick((best, option)));
                    end.iter_mut().zip(last).for_each(pick);
                }
                _ => here.iter_mut().zip(there.iter().step_by(speed)).for_each(pick),
            }
            return;
        }
        let (mut place, mut from) = (first, read.place);
        for _ in 0..count {
            row[place] = row[place].min(row[from]);
            place = place.wrapping_add_signed(self.stride());
            from = from.wrapping_add_signed(read.step);
        }
    }

    /// Fills so many places with what is there and with options near by: one, two or three places before, as the bits say.
    fn carry<K: Key, const OWN: bool, const DRAWS: bool, const BITS: u8>(self, row: &mut [K], count: usize) {
        let last = |row: &[K], far: usize| {
            let place = if self.down { self.first + far } else { self.first - far };
            if planted(Wrong::NothingCarried) { K::NONE } else { row[place] }
        };
        let mut one = last(row, 1);
        let mut two = if BITS > 1 { last(row, 2) } else { K::NONE };
        let mut three = if BITS > 3 { last(row, 3) } else { K::NONE };
        let mut fill = |best: &mut K| {
            let mut key = *best;
            for (bit, option) in [(2, two), (4, three)] {
                if BITS & bit != 0 {
                    key = key.min(option);
                }
            }
            key = if BITS & 1 == 0 { key.back::<OWN, DRAWS>() } else { key.back_with::<OWN, DRAWS>(one) };
            *best = key;
            (one, two, three) = (key, one, two);
        };
        let places = self.places(row, count).iter_mut();
        if self.down { places.rev().for_each(&mut fill) } else { places.for_each(fill) }
    }

    /// Fills all places, one by one, with what is there and so many options.
    #[inline(always)]
    fn each<K: Key, const OWN: bool, const DRAWS: bool, const N: usize>(self, row: &mut [K], mut reads: [Read; N]) {
        self.each_of(row, &mut reads, |key: K| key.back::<OWN, DRAWS>());
    }

    #[inline(always)]
    fn each_of<K: Key>(self, row: &mut [K], reads: &mut [Read], back: impl Fn(K) -> K) {
        let mut place = self.first;
        for _ in 0..self.count {
            let mut best = row[place];
            for read in &mut *reads {
                best = best.min(row[read.place]);
                read.place = read.place.wrapping_add_signed(read.step);
            }
            row[place] = back(best);
            place = place.wrapping_add_signed(self.stride());
        }
    }
}
