//! What engines key on: rows of numbers, packed in the narrowest integers that hold them, each with a number of its own.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// A set of positions of one game. Each has a number, from 0 in the order of insertion.
#[derive(Clone, Debug)]
pub struct Positions {
    width: usize,
    cells: Cells,
    table: HashTable<u32>,
    hasher: FixedState,
    len: usize,
}

/// All cells of all positions, one after the other.
#[derive(Clone, Debug)]
enum Cells {
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
}

impl Positions {
    /// No positions yet, of so many numbers each.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self { width, cells: Cells::I8(Vec::new()), table: HashTable::new(), hasher: FixedState::with_seed(0), len: 0 }
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The memory in use, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let cells = match &self.cells {
            Cells::I8(cells) => cells.capacity(),
            Cells::I16(cells) => cells.capacity() * 2,
            Cells::I32(cells) => cells.capacity() * 4,
            Cells::I64(cells) => cells.capacity() * 8,
        };
        cells + self.table.capacity() * 6
    }

    /// What one position takes, in bytes: its numbers and its place in the table.
    #[must_use]
    pub const fn bytes_each(&self) -> usize {
        let cell = match self.cells {
            Cells::I8(_) => 1,
            Cells::I16(_) => 2,
            Cells::I32(_) => 4,
            Cells::I64(_) => 8,
        };
        self.width * cell + 12
    }

    /// Frees the memory that no position needs.
    pub fn shrink(&mut self) {
        match &mut self.cells {
            Cells::I8(cells) => cells.shrink_to_fit(),
            Cells::I16(cells) => cells.shrink_to_fit(),
            Cells::I32(cells) => cells.shrink_to_fit(),
            Cells::I64(cells) => cells.shrink_to_fit(),
        }
        let (cells, hasher, width) = (&self.cells, &self.hasher, self.width);
        self.table.shrink_to_fit(|number| cells.hash(*number, width, hasher));
    }

    /// What one more doubling would take, in bytes.
    #[must_use]
    pub fn bytes_doubled(&self) -> usize {
        self.bytes() * 3 + 4096
    }

    /// How many numbers each has.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Whether this number is that of the position.
    #[must_use]
    pub fn holds(&self, number: u32, position: &[i64]) -> bool {
        usize::try_from(number).is_ok_and(|at| at < self.len) && self.is(number, position)
    }

    /// Writes the position of this number over `position`.
    pub fn read(&self, number: u32, position: &mut Vec<i64>) {
        position.clear();
        let range = self.range(number);
        match &self.cells {
            Cells::I8(cells) => position.extend(cells[range].iter().map(|cell| i64::from(*cell))),
            Cells::I16(cells) => position.extend(cells[range].iter().map(|cell| i64::from(*cell))),
            Cells::I32(cells) => position.extend(cells[range].iter().map(|cell| i64::from(*cell))),
            Cells::I64(cells) => position.extend_from_slice(&cells[range]),
        }
    }

    /// The number of a position, if it is there.
    #[must_use]
    pub fn find(&self, position: &[i64]) -> Option<u32> {
        let hash = self.hasher.hash_one(position);
        self.table.find(hash, |number| self.is(*number, position)).copied()
    }

    /// The number of a position, which is added if it is not there; and whether it was added.
    /// There is room for 2^32 - 1; beyond that the last number is given again and again.
    pub fn insert(&mut self, position: &[i64]) -> (u32, bool) {
        if let Some(number) = self.find(position) {
            return (number, false);
        }
        let number = u32::try_from(self.len).unwrap_or(u32::MAX);
        self.push(position);
        self.len += 1;
        let hash = self.hasher.hash_one(position);
        let (cells, hasher, width) = (&self.cells, &self.hasher, self.width);
        self.table.insert_unique(hash, number, |other| cells.hash(*other, width, hasher));
        (number, true)
    }

    /// Forgets all positions from this number on.
    pub fn truncate(&mut self, len: usize) {
        if len < self.len / 2 {
            // most of them go: what stays is entered anew
            self.table.clear();
            let (cells, hasher, width) = (&self.cells, &self.hasher, self.width);
            for number in 0..len {
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                let hash = cells.hash(number, width, hasher);
                self.table.insert_unique(hash, number, |other| cells.hash(*other, width, hasher));
            }
            self.forget(len);
            return;
        }
        let mut position = Vec::new();
        for number in len..self.len {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            self.read(number, &mut position);
            let hash = self.hasher.hash_one(&position[..]);
            if let Ok(entry) = self.table.find_entry(hash, |other| *other == number) {
                entry.remove();
            }
        }
        self.forget(len);
    }

    fn forget(&mut self, len: usize) {
        let cells = len * self.width;
        match &mut self.cells {
            Cells::I8(all) => all.truncate(cells),
            Cells::I16(all) => all.truncate(cells),
            Cells::I32(all) => all.truncate(cells),
            Cells::I64(all) => all.truncate(cells),
        }
        self.len = len;
    }

    fn range(&self, number: u32) -> std::ops::Range<usize> {
        let start = usize::try_from(number).unwrap_or(usize::MAX) * self.width;
        start..start + self.width
    }

    fn is(&self, number: u32, position: &[i64]) -> bool {
        let range = self.range(number);
        match &self.cells {
            Cells::I8(cells) => same(&cells[range], position),
            Cells::I16(cells) => same(&cells[range], position),
            Cells::I32(cells) => same(&cells[range], position),
            Cells::I64(cells) => cells[range] == *position,
        }
    }

    fn push(&mut self, position: &[i64]) {
        loop {
            let fits = match &mut self.cells {
                Cells::I8(cells) => append(cells, position),
                Cells::I16(cells) => append(cells, position),
                Cells::I32(cells) => append(cells, position),
                Cells::I64(cells) => append(cells, position),
            };
            if fits {
                return;
            }
            self.cells = match std::mem::replace(&mut self.cells, Cells::I8(Vec::new())) {
                Cells::I8(cells) => Cells::I16(cells.into_iter().map(i16::from).collect()),
                Cells::I16(cells) => Cells::I32(cells.into_iter().map(i32::from).collect()),
                Cells::I32(cells) => Cells::I64(cells.into_iter().map(i64::from).collect()),
                wide @ Cells::I64(_) => wide,
            };
        }
    }
}

impl Cells {
    fn hash(&self, number: u32, width: usize, hasher: &FixedState) -> u64 {
        const SHORT: usize = 16;
        let start = usize::try_from(number).unwrap_or(usize::MAX) * width;
        let cell = |at: usize| match self {
            Self::I8(cells) => i64::from(cells[start + at]),
            Self::I16(cells) => i64::from(cells[start + at]),
            Self::I32(cells) => i64::from(cells[start + at]),
            Self::I64(cells) => cells[start + at],
        };
        if width <= SHORT {
            let mut short = [0; SHORT];
            for (at, value) in short.iter_mut().enumerate().take(width) {
                *value = cell(at);
            }
            hasher.hash_one(&short[..width])
        } else {
            hasher.hash_one(&(0..width).map(cell).collect::<Vec<i64>>()[..])
        }
    }
}

fn same<T: Copy + Into<i64>>(cells: &[T], position: &[i64]) -> bool {
    cells.iter().zip(position).all(|(cell, value)| (*cell).into() == *value)
}

/// Appends the numbers if all fit; else leaves the cells as they were.
fn append<T: TryFrom<i64>>(cells: &mut Vec<T>, position: &[i64]) -> bool {
    let before = cells.len();
    for value in position {
        let Ok(cell) = T::try_from(*value) else {
            cells.truncate(before);
            return false;
        };
        cells.push(cell);
    }
    true
}

/// The positions on the current line of play, for the walker: a stack that knows what is on it.
#[derive(Clone, Debug)]
pub struct Line {
    width: usize,
    cells: Vec<i64>,
    table: HashTable<u32>,
    hasher: FixedState,
    len: usize,
}

impl Line {
    /// An empty line of positions of so many numbers each.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self { width, cells: Vec::new(), table: HashTable::new(), hasher: FixedState::with_seed(1), len: 0 }
    }

    /// How many positions are on it.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the position is on it.
    #[must_use]
    pub fn contains(&self, position: &[i64]) -> bool {
        self.table.find(self.hasher.hash_one(position), |ply| self.cells[self.range(*ply)] == *position).is_some()
    }

    /// Puts a position at the end.
    pub fn push(&mut self, position: &[i64]) {
        let ply = u32::try_from(self.len).unwrap_or(u32::MAX);
        self.cells.extend_from_slice(position);
        self.len += 1;
        let (cells, hasher, width) = (&self.cells, &self.hasher, self.width);
        self.table.insert_unique(hasher.hash_one(position), ply, |ply| {
            let start = usize::try_from(*ply).unwrap_or(usize::MAX) * width;
            hasher.hash_one(&cells[start..start + width])
        });
    }

    /// Takes the last position off.
    pub fn pop(&mut self) {
        let Some(last) = self.len.checked_sub(1) else { return };
        let ply = u32::try_from(last).unwrap_or(u32::MAX);
        let hash = self.hasher.hash_one(&self.cells[self.range(ply)]);
        if let Ok(entry) = self.table.find_entry(hash, |other| *other == ply) {
            entry.remove();
        }
        self.cells.truncate(last * self.width);
        self.len = last;
    }

    fn range(&self, ply: u32) -> std::ops::Range<usize> {
        let start = usize::try_from(ply).unwrap_or(usize::MAX) * self.width;
        start..start + self.width
    }
}
