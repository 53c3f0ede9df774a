//! The positions on the current line of play, for the walker: a stack that knows what is on it.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// The positions from the start of a walk to the current one.
///
/// Equal positions have equal sums of their numbers. In most games the sum grows with every move, or falls; then it lies
/// beyond the sums of all positions on the line, and none of them need be looked at. Where it does not, the line is
/// looked up in a table, which is filled no further than it is asked for.
#[derive(Clone, Debug)]
pub struct Line {
    cells: Vec<i64>,
    /// Where each position ends in `cells`; it begins where the one before ends.
    ends: Vec<usize>,
    sums: Sums,
    table: HashTable<u32>,
    /// How many positions, from the first, are in the table.
    listed: usize,
    hasher: FixedState,
}

/// The least and the greatest sum on a line.
#[derive(Clone, Copy, Debug)]
pub struct Sums {
    least: i64,
    greatest: i64,
}

impl Default for Line {
    /// An empty line.
    fn default() -> Self {
        Self {
            cells: Vec::new(),
            ends: Vec::new(),
            sums: Sums { least: i64::MAX, greatest: i64::MIN },
            table: HashTable::new(),
            listed: 0,
            hasher: FixedState::with_seed(1),
        }
    }
}

impl Line {
    /// How many positions are on it.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the position is on it.
    #[inline]
    #[must_use]
    pub fn contains(&mut self, position: &[i64]) -> bool {
        let sum = sum(position);
        sum >= self.sums.least && sum <= self.sums.greatest && self.lists(position)
    }

    /// Whether the position is in the table, once the whole line is.
    fn lists(&mut self, position: &[i64]) -> bool {
        let (cells, ends, hasher) = (&self.cells, &self.ends, &self.hasher);
        let hash = |ply: u32| hasher.hash_one(&cells[place(ends, ply)]);
        for ply in self.listed..ends.len() {
            let ply = u32::try_from(ply).unwrap_or(u32::MAX);
            self.table.insert_unique(hash(ply), ply, |ply| hash(*ply));
        }
        self.listed = ends.len();
        self.table.find(hasher.hash_one(position), |ply| cells[place(ends, *ply)] == *position).is_some()
    }

    /// Puts a position at the end. What is given back is needed to take it off.
    #[inline(always)]
    #[must_use]
    pub fn push(&mut self, position: &[i64]) -> Sums {
        let (before, sum) = (self.sums, sum(position));
        self.sums = Sums { least: before.least.min(sum), greatest: before.greatest.max(sum) };
        match *position {
            [a] => self.cells.push(a),
            [a, b] => self.cells.extend_from_slice(&[a, b]),
            _ => self.cells.extend_from_slice(position),
        }
        self.ends.push(self.cells.len());
        before
    }

    /// Takes the last position off; the sums are those given when it was put there.
    #[inline]
    pub fn pop(&mut self, before: Sums) {
        if self.listed == self.ends.len() {
            self.unlist();
        }
        self.ends.pop();
        self.cells.truncate(self.ends.last().copied().unwrap_or(0));
        self.sums = before;
    }

    /// Takes the last position out of the table.
    #[inline(never)]
    fn unlist(&mut self) {
        let Some(last) = self.listed.checked_sub(1) else { return };
        let ply = u32::try_from(last).unwrap_or(u32::MAX);
        let hash = self.hasher.hash_one(&self.cells[place(&self.ends, ply)]);
        if let Ok(entry) = self.table.find_entry(hash, |other| *other == ply) {
            entry.remove();
        }
        self.listed = last;
    }

    /// Takes all positions off.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The sum of the numbers of a position, wrapped: it only tells positions apart.
#[inline]
fn sum(position: &[i64]) -> i64 {
    if let [a, b] = *position {
        return a.wrapping_add(b);
    }
    position.iter().fold(0, |sum, number| sum.wrapping_add(*number))
}

/// Where the cells of a number are, in rows of different lengths.
fn place(ends: &[usize], number: u32) -> std::ops::Range<usize> {
    let at = usize::try_from(number).unwrap_or(usize::MAX);
    (if at == 0 { 0 } else { ends[at - 1] })..ends[at]
}
