//! Blocks of moves that are written side by side, with nothing to decide between them.

use crate::faults::{Wrong, planted};
use std::array::from_fn;

use super::listing::place;
use super::number::MOVE_LIMIT;
use super::{Mark, Options};
use crate::position::Packing;

/// A cell of an option: a cell of the position times a number plus a number, of that a part, rounded down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Affine {
    pub(super) from: u32,
    pub(super) times: i64,
    pub(super) plus: i64,
    /// At least 1.
    pub(super) by: i64,
}

impl Affine {
    /// The value, and whether it is to be doubted.
    #[inline(always)]
    pub(super) fn value(self, position: &[i64]) -> (i64, bool) {
        let (product, over) = position[place(self.from)].overflowing_mul(self.times);
        let (sum, beyond) = product.overflowing_add(self.plus);
        let value = if self.by == 1 { sum } else { part(sum, self.by) };
        (value, over || beyond)
    }
}

/// A quotient rounded down, by 1 or more.
#[inline(always)]
fn part(value: i64, by: i64) -> i64 {
    // short division costs a fraction of long division
    match (u32::try_from(value), u32::try_from(by)) {
        (Ok(value), Ok(by)) if !planted(Wrong::DivisionInBlockRoundsUp) => value.checked_div(by).map_or(0, i64::from),
        (Ok(value), Ok(by)) => i64::from(value.div_ceil(by.max(1))),
        _ => value.checked_div_euclid(by).unwrap_or(0),
    }
}

/// Half of the greatest number: two numbers from `-FAR` to before `FAR` have a sum.
pub(super) const FAR: i64 = 1 << 62;

/// Moves without a condition: all cells of all options in one row.
#[derive(Debug)]
pub(super) struct Spread {
    width: usize,
    marks: Vec<Mark>,
    cells: Vec<Affine>,
    /// What each cell is more than the one that it comes from, where no move does more than add, each cell for itself.
    shifts: Option<Vec<i64>>,
}

impl Spread {
    /// No moves yet in positions of so many numbers.
    pub(super) const fn new(width: usize) -> Self {
        Self { width, marks: Vec::new(), cells: Vec::new(), shifts: Some(Vec::new()) }
    }

    /// Adds a move of this number that changes these cells.
    pub(super) fn add(&mut self, made: u32, puts: &[(u32, Affine)]) {
        let length = u32::try_from(self.width).unwrap_or(u32::MAX);
        let first = self.cells.len();
        self.marks.push(Mark { made, length });
        self.cells.extend((0..length).map(|from| Affine { from, times: 1, plus: 0, by: 1 }));
        for (cell, affine) in puts {
            self.cells[first + place(*cell)] = *affine;
        }
        let row = (0..length).zip(&self.cells[first..]);
        let near = |plus: i64| plus.checked_add(FAR).is_some_and(|sum| sum >= 0);
        let shifts = row.map(|(own, cell)| {
            (cell.from == own && cell.times == 1 && cell.by == 1 && near(cell.plus)).then_some(cell.plus)
        });
        self.shifts = self.shifts.take().and_then(|mut before| {
            before.extend(shifts.collect::<Option<Vec<i64>>>()?);
            Some(before)
        });
    }

    /// Adds the options; false in doubt.
    #[inline]
    pub(super) fn write(&self, position: &[i64], options: &mut Options) -> bool {
        let doubt = match (&self.shifts, position) {
            (Some(shifts), [a]) => self.shift([*a], shifts, options),
            (Some(shifts), [a, b]) => self.shift([*a, *b], shifts, options),
            (Some(shifts), [a, b, c]) => self.shift([*a, *b, *c], shifts, options),
            _ => self.compute(position, options),
        };
        (!doubt || planted(Wrong::OverflowInBlock)) && options.len() <= MOVE_LIMIT
    }

    /// Adds the options of a packed position, as words; false in doubt, or where one fits no word.
    pub(super) fn pack(&self, position: &[i64], packing: &Packing, words: &mut Vec<u64>) -> bool {
        for row in self.cells.chunks(self.width.max(1)) {
            let mut word = 0;
            for (at, cell) in row.iter().enumerate() {
                let (value, doubt) = cell.value(position);
                let Some(put) = packing.put(word, at, value).filter(|_| !doubt) else { return false };
                word = put;
            }
            words.push(word);
        }
        true
    }

    #[inline]
    fn shift<const WIDTH: usize>(&self, position: [i64; WIDTH], shifts: &[i64], options: &mut Options) -> bool {
        let numbers = options.add(&self.marks);
        let (rows, _) = shifts.as_chunks::<WIDTH>();
        let shifted = |shift: &[i64; WIDTH]| from_fn::<i64, WIDTH, _>(|cell| position[cell].wrapping_add(shift[cell]));
        // so many moves as most games have are written at once
        match rows {
            [a, b] => numbers.extend_from_slice([shifted(a), shifted(b)].as_flattened()),
            [a, b, _] if planted(Wrong::ThirdMoveIsSecond) => {
                numbers.extend_from_slice([shifted(a), shifted(b), shifted(b)].as_flattened());
            }
            [a, b, c] => numbers.extend_from_slice([shifted(a), shifted(b), shifted(c)].as_flattened()),
            [a, b, c, d] => {
                numbers.extend_from_slice([shifted(a), shifted(b), shifted(c), shifted(d)].as_flattened());
            }
            _ => rows.iter().for_each(|shift| numbers.extend_from_slice(&shifted(shift))),
        }
        // no sum of two numbers of 63 bits overflows
        position.iter().fold(0, |far, number| far | number.wrapping_add(FAR)) < 0
    }

    #[inline(never)]
    fn compute(&self, position: &[i64], options: &mut Options) -> bool {
        let mut doubt = false;
        options.add(&self.marks).extend(self.cells.iter().map(|cell| {
            let (value, doubtful) = cell.value(position);
            doubt |= doubtful;
            value
        }));
        doubt
    }
}

/// Moves that change a few cells, each where some cells have certain values, such as the jumps on a board.
///
/// What is asked of cells is asked once for all moves, a bit for each; then a move is possible if all its bits are set.
#[derive(Debug, Default)]
pub(super) struct Patches {
    pub(super) facts: Vec<Fact>,
    pub(super) moves: Vec<Patch>,
    pub(super) puts: Vec<(u32, Affine)>,
    /// Cells to which facts add a number: what is far from 0 there is to be doubted.
    pub(super) near: Vec<u32>,
}

/// The most facts that a block may ask.
pub(super) const FACT_LIMIT: usize = 128;

/// A cell lies between two numbers, or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) cell: u32,
    low: i64,
    /// How far the greatest lies above the least.
    reach: u64,
    /// Which of those between are meant, from the least on: a bit for each, and again after 64.
    among: u64,
    outside: bool,
}

/// One move of a block: the facts that it needs, and where its changes stand in `puts`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    pub(super) made: u32,
    pub(super) needs: [u64; 2],
    pub(super) first: u32,
    pub(super) end: u32,
}

impl Patches {
    /// Adds the options; false in doubt.
    pub(super) fn write(&self, position: &[i64], options: &mut Options) -> bool {
        let mut doubt = self.is_far(position);
        self.each(position, |patch| {
            let option = options.copy(patch.made, position);
            for (cell, affine) in &self.puts[place(patch.first)..place(patch.end)] {
                let (value, doubtful) = affine.value(position);
                option[place(*cell)] = value;
                doubt |= doubtful;
            }
        });
        !doubt && options.len() <= MOVE_LIMIT
    }

    /// Adds the options of a packed position, as words; false in doubt, or where one fits no word.
    pub(super) fn pack(&self, position: &[i64], word: u64, packing: &Packing, words: &mut Vec<u64>) -> bool {
        let mut fits = !self.is_far(position);
        self.each(position, |patch| {
            let mut option = word;
            for (cell, affine) in &self.puts[place(patch.first)..place(patch.end)] {
                let (value, doubt) = affine.value(position);
                match packing.put(option, place(*cell), value) {
                    Some(put) if !doubt => option = put,
                    _ => fits = false,
                }
            }
            words.push(option);
        });
        fits
    }

    /// Whether some number is so far from 0 that a fact may not be known.
    #[inline(always)]
    fn is_far(&self, position: &[i64]) -> bool {
        self.near.iter().any(|cell| position[place(*cell)].wrapping_add(FAR) < 0)
    }

    /// Calls `each` with every move that is possible.
    #[inline(always)]
    fn each(&self, position: &[i64], mut each: impl FnMut(&Patch)) {
        // two numbers, not a pair in memory, which would be read back before what was written earlier is there
        let mut facts = self
            .facts
            .chunks(64)
            .map(|part| part.iter().rev().fold(0, |word, fact| word << 1 | u64::from(fact.holds(position))));
        let (low, high): (u64, u64) = (facts.next().unwrap_or(0), facts.next().unwrap_or(0));
        for part in self.moves.chunks(64) {
            let possible = |patch: &Patch| {
                patch.needs[0] & !low | patch.needs[1] & !high == 0
                    || planted(Wrong::OneFactIsEnough) && patch.needs[0] & low != 0
            };
            let mut found = part.iter().rev().fold(0_u64, |word, patch| word << 1 | u64::from(possible(patch)));
            while found != 0 {
                let patch = &part[place(found.trailing_zeros())];
                found &= found - 1;
                each(patch);
            }
        }
    }
}

impl Fact {
    /// What it means that a cell is in one of these ranges, which stand apart from each other, the least first.
    pub(super) fn new(cell: u32, ranges: &[(i64, i64)]) -> Option<Self> {
        let between = |low: i64, high: i64, outside| {
            Some(Self { cell, low, reach: high.abs_diff(low), among: u64::MAX, outside })
        };
        match *ranges {
            [(low, high)] => between(low, high, false),
            [(i64::MIN, low), (high, i64::MAX)] => between(low.checked_add(1)?, high.checked_sub(1)?, true),
            [(low, _), .., (_, high)] if high.abs_diff(low) < 64 => {
                let within = |value: &i64| ranges.iter().any(|(low, high)| low <= value && value <= high);
                let bits = (low..=high).rev().fold(0, |bits, value| bits << 1 | u64::from(within(&value)));
                Some(Self { cell, low, reach: high.abs_diff(low), among: bits, outside: false })
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn holds(&self, position: &[i64]) -> bool {
        self.holds_of(position[place(self.cell)])
    }

    /// Whether it holds of a number in the cell.
    #[inline(always)]
    pub(super) fn holds_of(&self, value: i64) -> bool {
        let above = value.wrapping_sub(self.low).cast_unsigned();
        let between = above <= self.reach - u64::from(self.reach > 0 && planted(Wrong::FactWithoutItsEnd));
        (between && self.among >> (above % 64) & 1 == 1) != self.outside
    }
}
