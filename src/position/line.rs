//! The positions on the current line of play, for the walker, and whether one comes again.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// The positions from the start of a walk to the current one. Each stands where it was found, behind the line before it.
///
/// Equal positions have equal sums of their numbers. In most games the sum grows with every move, or falls; then it lies
/// beyond the sums of all positions on the line, and none of them need be looked at. Where it does not, the line is
/// listed and looked up, see [`Listed`].
#[derive(Clone, Copy, Debug)]
pub struct Line<'l> {
    last: &'l [i64],
    before: Option<&'l Self>,
    len: usize,
    /// The least and the greatest sum of a position on it.
    least: i64,
    greatest: i64,
}

impl Default for Line<'_> {
    /// A line without positions.
    fn default() -> Self {
        Self { last: &[], before: None, len: 0, least: i64::MAX, greatest: i64::MIN }
    }
}

impl<'l> Line<'l> {
    /// How many positions are on it.
    #[inline]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The same line with one position more.
    #[inline(always)]
    #[must_use]
    pub fn with(&'l self, position: &'l [i64]) -> Self {
        let sum = sum(position);
        Self {
            last: position,
            before: Some(self),
            len: self.len + 1,
            least: self.least.min(sum),
            greatest: self.greatest.max(sum),
        }
    }

    /// Whether a position is on it.
    #[inline(always)]
    #[must_use]
    pub fn contains(&self, position: &[i64], listed: &mut Listed) -> bool {
        let sum = sum(position);
        sum >= self.least && sum <= self.greatest && self.has(position, listed)
    }

    /// A short line is gone through.
    #[inline(never)]
    fn has(&self, position: &[i64], listed: &mut Listed) -> bool {
        if self.len > SHORT {
            return listed.contains(self, position);
        }
        let mut at = Some(self);
        while let Some(line) = at.filter(|line| !line.is_empty()) {
            if line.last == position {
                return true;
            }
            at = line.before;
        }
        false
    }
}

/// How many positions a line may have that is not listed.
const SHORT: usize = 16;

/// A line listed in a table, as far as was asked for. Positions that leave the line must leave the list.
#[derive(Clone, Debug)]
pub struct Listed {
    cells: Vec<i64>,
    /// Where each position ends in `cells`; it begins where the one before ends.
    ends: Vec<usize>,
    table: HashTable<u32>,
    hasher: FixedState,
}

impl Default for Listed {
    /// Nothing listed.
    fn default() -> Self {
        Self { cells: Vec::new(), ends: Vec::new(), table: HashTable::new(), hasher: FixedState::with_seed(1) }
    }
}

impl Listed {
    /// Whether a position is on the line, which is listed first.
    #[inline(never)]
    fn contains(&mut self, line: &Line<'_>, position: &[i64]) -> bool {
        let mut more: Vec<&[i64]> = Vec::new();
        let mut at = Some(line);
        while let Some(line) = at.filter(|line| line.len > self.ends.len()) {
            more.push(line.last);
            at = line.before;
        }
        for position in more.into_iter().rev() {
            self.push(position);
        }
        let (cells, ends) = (&self.cells, &self.ends);
        let hash = self.hasher.hash_one(position);
        self.table.find(hash, |ply| cells[place(ends, *ply)] == *position).is_some()
    }

    fn push(&mut self, position: &[i64]) {
        let ply = u32::try_from(self.ends.len()).unwrap_or(u32::MAX);
        self.cells.extend_from_slice(position);
        self.ends.push(self.cells.len());
        let (cells, ends, hasher) = (&self.cells, &self.ends, &self.hasher);
        self.table.insert_unique(hasher.hash_one(position), ply, |ply| hasher.hash_one(&cells[place(ends, *ply)]));
    }

    /// Keeps no more than so many positions, the first ones.
    #[inline]
    pub fn keep(&mut self, len: usize) {
        while self.ends.len() > len {
            self.pop();
        }
    }

    #[inline(never)]
    fn pop(&mut self) {
        let Some(last) = self.ends.len().checked_sub(1) else { return };
        let ply = u32::try_from(last).unwrap_or(u32::MAX);
        let range = place(&self.ends, ply);
        let start = range.start;
        let hash = self.hasher.hash_one(&self.cells[range]);
        if let Ok(entry) = self.table.find_entry(hash, |other| *other == ply) {
            entry.remove();
        }
        self.cells.truncate(start);
        self.ends.pop();
    }
}

/// The sum of the numbers of a position, wrapped: it only tells positions apart.
#[inline(always)]
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
