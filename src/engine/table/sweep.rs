//! What is done with the keys of a stretch: in bulk where options lie in rows filled before, place by place where they lie
//! in the same row.

use super::kept::Kept;
use super::leads::{NOWHERE, advanced};
use crate::claims::Key;
use crate::faults::{Wrong, planted};

/// Goes through places in order, where options are listed. Then all keys are kept.
pub(super) fn run_listed<K: Key, const OWN: bool, const DRAWS: bool>(
    keys: &mut [K],
    (start, at): (usize, usize),
    (from, to, down): (usize, usize, bool),
    same: &[(usize, usize, Read)],
    listed: &[&[u32]],
) {
    for step in 0..to - from {
        let place = if down { to - 1 - step } else { from + step };
        let mut best = keys[start + at + place];
        for (from, to, read) in same {
            if (*from..*to).contains(&place) {
                best = best.min(keys[start + advanced(read.place, read.step, place - from)]);
            }
        }
        for slots in listed {
            let slot = slots[place];
            if slot != NOWHERE {
                best = best.min(keys[usize::try_from(slot).unwrap_or(usize::MAX)]);
            }
        }
        keys[start + at + place] = best.back::<OWN, DRAWS>();
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

/// An option in the same row: where it is for the first place, and how much further it is for each next one.
#[derive(Clone, Copy)]
pub(super) struct Read {
    pub(super) place: usize,
    pub(super) step: isize,
}

/// Fills a piece of a row in order. An option right beside the place was worked out last and is carried along.
pub(super) fn pass<K: Key, const OWN: bool, const DRAWS: bool>(
    row: &mut [K],
    first: usize,
    count: usize,
    (down, stuck): (bool, K),
    reads: &mut Vec<Read>,
) {
    let stride = if down { -1 } else { 1 };
    let beside = first.wrapping_add_signed(-stride);
    let carried = reads.iter().position(|read| read.place == beside && read.step == stride);
    if let Some(carried) = carried {
        reads.swap_remove(carried);
        let last = if planted(Wrong::NothingCarried) { K::NONE } else { row[beside] };
        match reads[..] {
            [] => piece::<K, OWN, DRAWS, true, 0>(row, first, count, stride, last, []),
            [a] => piece::<K, OWN, DRAWS, true, 1>(row, first, count, stride, last, [a]),
            [a, b] => piece::<K, OWN, DRAWS, true, 2>(row, first, count, stride, last, [a, b]),
            [a, b, c] => piece::<K, OWN, DRAWS, true, 3>(row, first, count, stride, last, [a, b, c]),
            _ => many::<K, OWN, DRAWS>(row, first, count, stride, last, reads),
        }
    } else {
        match reads[..] {
            [] => {
                let begin = if down { first + 1 - count } else { first };
                for best in &mut row[begin..begin + count] {
                    *best = if *best == K::NONE { stuck } else { best.back::<OWN, DRAWS>() };
                }
            }
            [a] => piece::<K, OWN, DRAWS, false, 1>(row, first, count, stride, K::NONE, [a]),
            [a, b] => piece::<K, OWN, DRAWS, false, 2>(row, first, count, stride, K::NONE, [a, b]),
            [a, b, c] => piece::<K, OWN, DRAWS, false, 3>(row, first, count, stride, K::NONE, [a, b, c]),
            _ => many::<K, OWN, DRAWS>(row, first, count, stride, K::NONE, reads),
        }
    }
}

#[inline(always)]
fn piece<K: Key, const OWN: bool, const DRAWS: bool, const CARRY: bool, const N: usize>(
    row: &mut [K],
    first: usize,
    count: usize,
    stride: isize,
    mut last: K,
    mut reads: [Read; N],
) {
    let mut place = first;
    for _ in 0..count {
        let mut best = row[place];
        for read in &mut reads {
            best = best.min(row[read.place]);
            read.place = read.place.wrapping_add_signed(read.step);
        }
        if CARRY {
            best = best.min(last);
        }
        last = best.back::<OWN, DRAWS>();
        row[place] = last;
        place = place.wrapping_add_signed(stride);
    }
}

fn many<K: Key, const OWN: bool, const DRAWS: bool>(
    row: &mut [K],
    first: usize,
    count: usize,
    stride: isize,
    mut last: K,
    reads: &mut [Read],
) {
    let carry = last != K::NONE;
    let mut place = first;
    for _ in 0..count {
        let mut best = row[place];
        for read in &mut *reads {
            best = best.min(row[read.place]);
            read.place = read.place.wrapping_add_signed(read.step);
        }
        if carry {
            best = best.min(last);
        }
        last = best.back::<OWN, DRAWS>();
        row[place] = last;
        place = place.wrapping_add_signed(stride);
    }
}
