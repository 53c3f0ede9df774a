//! What engines key on: rows of numbers, packed in the narrowest integers that hold them, each with a number of its own.

mod line;
mod lines;
mod packed;
mod slots;
mod valued;

pub use line::{Line, Listed};
pub use lines::{Axis, Lines, Row};
pub use packed::{Field, Packed, Packing};
pub use valued::{Place, Valued};

use crate::faults::{Wrong, planted};
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// How many numbers the positions of a game have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// All have as many.
    Fixed(usize),
    /// In a sum of games a split makes them longer.
    Varied,
}

/// A set of positions of one game. Each has a number, from 0 in the order of insertion.
#[derive(Clone, Debug)]
pub struct Positions {
    /// Where each fits a word of known fields; nothing else is used then.
    packed: Option<Packed>,
    places: Places,
    cells: Cells,
    table: HashTable<u32>,
    hasher: FixedState,
    len: usize,
}

/// Where the cells of each position are.
#[derive(Clone, Debug)]
enum Places {
    /// Each has so many.
    Fixed(usize),
    /// Where each ends; it begins where the one before ends.
    Varied(Vec<usize>),
}

impl Places {
    fn of(&self, number: u32) -> std::ops::Range<usize> {
        match self {
            Self::Fixed(width) => {
                let at = usize::try_from(number).unwrap_or(usize::MAX);
                at * width..(at + 1) * width
            }
            Self::Varied(ends) => place(ends, number),
        }
    }
}

/// All cells of all positions, one after the other.
#[derive(Clone, Debug)]
enum Cells {
    /// All cells of a position in one word, each 0 or 1; where there are at most 64, and all positions have as many.
    Words(Vec<u64>),
    /// Eight cells of 0 or 1 in a byte, each position from a byte of its own on; where all have one width.
    Bits(Vec<u8>),
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
}

impl Positions {
    /// No positions yet, of so many numbers each.
    #[must_use]
    pub fn new(width: Width) -> Self {
        let places = match width {
            Width::Fixed(width) => Places::Fixed(width),
            Width::Varied => Places::Varied(Vec::new()),
        };
        let cells = match width {
            Width::Fixed(0..=64) => Cells::Words(Vec::new()),
            Width::Fixed(_) => Cells::Bits(Vec::new()),
            Width::Varied => Cells::I8(Vec::new()),
        };
        Self { packed: None, places, cells, table: HashTable::new(), hasher: FixedState::with_seed(0), len: 0 }
    }

    /// No positions yet, to be packed in words as long as all fit.
    #[must_use]
    pub fn packed(packing: Packing) -> Self {
        Self { packed: Some(Packed::new(packing.clone())), ..Self::new(Width::Fixed(packing.width())) }
    }

    /// A set of positions of the same kind, with none in it yet.
    #[must_use]
    pub fn none_yet(&self) -> Self {
        match &self.packed {
            Some(packed) => Self::packed(packed.packing().clone()),
            None => Self::new(self.width()),
        }
    }

    /// Whether positions are packed.
    #[must_use]
    pub const fn is_packed(&self) -> bool {
        self.packed.is_some()
    }

    /// The words, where positions are packed.
    pub const fn words(&mut self) -> Option<&mut Packed> {
        self.packed.as_mut()
    }

    /// Gives each position cells of its own, since one does not fit a word.
    fn spread(&mut self) {
        let Some(packed) = self.packed.take() else { return };
        let mut position = Vec::new();
        for word in packed.words() {
            packed.packing().unpack(*word, &mut position);
            self.insert(&position);
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.packed.as_ref().map_or(self.len, |packed| packed.words().len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The memory in use, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        if let Some(packed) = &self.packed {
            return packed.bytes();
        }
        let cells = match &self.cells {
            Cells::Words(words) => words.capacity() * 8,
            Cells::Bits(bytes) => bytes.capacity(),
            Cells::I8(cells) => cells.capacity(),
            Cells::I16(cells) => cells.capacity() * 2,
            Cells::I32(cells) => cells.capacity() * 4,
            Cells::I64(cells) => cells.capacity() * 8,
        };
        let places = match &self.places {
            Places::Fixed(_) => 0,
            Places::Varied(ends) => ends.capacity() * 8,
        };
        cells + places + self.table.capacity() * 6
    }

    /// What one position takes, in bytes, on average: its numbers and its place in the table.
    #[must_use]
    pub fn bytes_each(&self) -> usize {
        if let Some(packed) = &self.packed {
            return packed.bytes_each();
        }
        let cell = match self.cells {
            Cells::Words(_) => return 8 + 12,
            Cells::Bits(_) => return self.packed_bytes() + 12,
            Cells::I8(_) => 1,
            Cells::I16(_) => 2,
            Cells::I32(_) => 4,
            Cells::I64(_) => 8,
        };
        match &self.places {
            Places::Fixed(width) => width * cell + 12,
            Places::Varied(ends) => ends.last().copied().unwrap_or(0) * cell / ends.len().max(1) + 21,
        }
    }

    /// Frees the memory that no position needs.
    pub fn shrink(&mut self) {
        if let Some(packed) = &mut self.packed {
            packed.shrink();
            return;
        }
        match &mut self.cells {
            Cells::Words(words) => words.shrink_to_fit(),
            Cells::Bits(bytes) => bytes.shrink_to_fit(),
            Cells::I8(cells) => cells.shrink_to_fit(),
            Cells::I16(cells) => cells.shrink_to_fit(),
            Cells::I32(cells) => cells.shrink_to_fit(),
            Cells::I64(cells) => cells.shrink_to_fit(),
        }
        let (cells, hasher, places) = (&self.cells, &self.hasher, &self.places);
        self.table.shrink_to_fit(|number| cells.hash(places.of(*number), hasher));
    }

    /// What one more doubling would take, in bytes.
    #[must_use]
    pub fn bytes_doubled(&self) -> usize {
        self.bytes() * 3 + 4096
    }

    /// How many numbers each has.
    #[must_use]
    pub const fn width(&self) -> Width {
        match self.places {
            Places::Fixed(width) => Width::Fixed(width),
            Places::Varied(_) => Width::Varied,
        }
    }

    /// Whether the position of this number is this one, as it is read.
    #[must_use]
    pub fn holds(&self, number: u32, position: &[i64]) -> bool {
        if at(number) >= self.len() {
            return false;
        }
        if let Some(packed) = &self.packed {
            return packed.packing().unpacks(packed.words()[at(number)], position);
        }
        let range = self.range(number);
        let same = |cell: &dyn Fn(usize) -> i64| position.iter().enumerate().all(|(at, value)| cell(at) == *value);
        range.len() == position.len()
            && match &self.cells {
                Cells::Words(words) => same(&|place| i64::from(words[at(number)] >> place & 1 == 1)),
                Cells::Bits(bytes) => same(&|place| bit(bytes, packed(range.len()), number, place)),
                Cells::I8(cells) => cells[range].iter().copied().map(i64::from).eq(position.iter().copied()),
                Cells::I16(cells) => cells[range].iter().copied().map(i64::from).eq(position.iter().copied()),
                Cells::I32(cells) => cells[range].iter().copied().map(i64::from).eq(position.iter().copied()),
                Cells::I64(cells) => cells[range] == *position,
            }
    }

    /// The number of a position, if it is there. What is found is read back and compared, so that a checker need not
    /// trust how it is packed, hashed and found.
    #[must_use]
    pub fn find_surely(&self, position: &[i64]) -> Option<u32> {
        self.find(position).filter(|number| self.holds(*number, position))
    }

    /// Writes the position of this number over `position`.
    pub fn read(&self, number: u32, position: &mut Vec<i64>) {
        if let Some(packed) = &self.packed {
            packed.packing().unpack(packed.words()[at(number)], position);
            return;
        }
        position.clear();
        let range = self.range(number);
        match &self.cells {
            Cells::Words(words) => {
                let word = words[usize::try_from(number).unwrap_or(usize::MAX)];
                position.extend((0..range.len()).map(|at| i64::from(word >> at & 1 == 1)));
            }
            Cells::Bits(bytes) => {
                position.extend((0..range.len()).map(|at| bit(bytes, packed(range.len()), number, at)))
            }
            Cells::I8(cells) => position.extend(cells[range].iter().map(|cell| i64::from(*cell))),
            Cells::I16(cells) => position.extend(cells[range].iter().map(|cell| i64::from(*cell))),
            Cells::I32(cells) => position.extend(cells[range].iter().map(|cell| i64::from(*cell))),
            Cells::I64(cells) => position.extend_from_slice(&cells[range]),
        }
    }

    /// The number of a position, if it is there.
    #[must_use]
    pub fn find(&self, position: &[i64]) -> Option<u32> {
        if let Some(packed) = &self.packed {
            return packed.find(position);
        }
        if let Cells::Words(words) = &self.cells {
            let word = word(position)?;
            return self.table.find(self.hasher.hash_one(word), |number| words[at(*number)] == word).copied();
        }
        let hash = self.hasher.hash_one(position);
        self.table.find(hash, |number| self.is(*number, position)).copied()
    }

    /// The number of a position, which is added if it is not there; and whether it was added.
    /// There is room for 2^32 - 1; beyond that the last number is given again and again.
    pub fn insert(&mut self, position: &[i64]) -> (u32, bool) {
        if let Some(packed) = &mut self.packed {
            if let Some(word) = packed.packing().pack(position) {
                return packed.meet(word);
            }
            self.spread();
        }
        let number = u32::try_from(self.len).unwrap_or(u32::MAX);
        if let Cells::Words(words) = &mut self.cells {
            if let Some(word) = word(position) {
                let hash = self.hasher.hash_one(word);
                if let Some(number) = self.table.find(hash, |number| words[at(*number)] == word) {
                    return (*number, false);
                }
                words.push(word);
                self.len += 1;
                let hasher = &self.hasher;
                self.table.insert_unique(hash, number, |other| hasher.hash_one(words[at(*other)]));
                return (number, true);
            }
            self.unpack(position.len());
        }
        let hash = self.hasher.hash_one(position);
        if let Some(number) = self.table.find(hash, |number| self.is(*number, position)) {
            return (*number, false);
        }
        self.push(position);
        self.len += 1;
        let (cells, hasher, places) = (&self.cells, &self.hasher, &self.places);
        self.table.insert_unique(hash, number, |other| cells.hash(places.of(*other), hasher));
        (number, true)
    }

    /// Puts the cells out of their words, in bytes of their own; a position of which each cell is entered anew.
    fn unpack(&mut self, width: usize) {
        let Cells::Words(words) = &self.cells else { return };
        let cells = words.iter().flat_map(|word| (0..width).map(move |at| i8::from(word >> at & 1 == 1)));
        self.cells = Cells::I8(cells.collect());
        self.table.clear();
        let (cells, hasher, places) = (&self.cells, &self.hasher, &self.places);
        for number in 0..self.len {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            let hash = cells.hash(places.of(number), hasher);
            self.table.insert_unique(hash, number, |other| cells.hash(places.of(*other), hasher));
        }
    }

    /// Forgets all positions from this number on.
    pub fn truncate(&mut self, len: usize) {
        if let Some(packed) = &mut self.packed {
            packed.truncate(len);
            return;
        }
        if len < self.len / 2 {
            // most of them go: what stays is entered anew
            self.table.clear();
            let (cells, hasher, places) = (&self.cells, &self.hasher, &self.places);
            for number in 0..len {
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                let hash = cells.hash(places.of(number), hasher);
                self.table.insert_unique(hash, number, |other| cells.hash(places.of(*other), hasher));
            }
            self.forget(len);
            return;
        }
        let mut position = Vec::new();
        for number in len..self.len {
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            self.read(number, &mut position);
            let hash = match &self.cells {
                Cells::Words(words) => self.hasher.hash_one(words[at(number)]),
                _ => self.hasher.hash_one(&position[..]),
            };
            if let Ok(entry) = self.table.find_entry(hash, |other| *other == number) {
                entry.remove();
            }
        }
        self.forget(len);
    }

    fn forget(&mut self, len: usize) {
        let packed = self.packed_bytes();
        let cells = match &mut self.places {
            Places::Fixed(width) => len * *width,
            Places::Varied(ends) => {
                ends.truncate(len);
                ends.last().copied().unwrap_or(0)
            }
        };
        match &mut self.cells {
            Cells::Words(all) => all.truncate(len),
            Cells::Bits(all) => all.truncate(len * packed),
            Cells::I8(all) => all.truncate(cells),
            Cells::I16(all) => all.truncate(cells),
            Cells::I32(all) => all.truncate(cells),
            Cells::I64(all) => all.truncate(cells),
        }
        self.len = len;
    }

    fn range(&self, number: u32) -> std::ops::Range<usize> {
        self.places.of(number)
    }

    fn is(&self, number: u32, position: &[i64]) -> bool {
        let range = self.range(number);
        if range.len() != position.len() {
            return false;
        }
        match &self.cells {
            Cells::Words(words) => word(position) == Some(words[at(number)]),
            Cells::Bits(bytes) => {
                let each = packed(range.len());
                position.iter().enumerate().all(|(at, value)| bit(bytes, each, number, at) == *value)
            }
            Cells::I8(cells) => same(&cells[range], position),
            Cells::I16(cells) => same(&cells[range], position),
            Cells::I32(cells) => same(&cells[range], position),
            Cells::I64(cells) => cells[range] == *position,
        }
    }

    fn push(&mut self, position: &[i64]) {
        if let Places::Varied(ends) = &mut self.places {
            ends.push(ends.last().copied().unwrap_or(0) + position.len());
        }
        loop {
            let fits = match &mut self.cells {
                // numbers that a word has no room for have been put out of it
                Cells::Words(_) => false,
                Cells::Bits(bytes) => append_bits(bytes, position),
                Cells::I8(cells) => append(cells, position),
                Cells::I16(cells) => append(cells, position),
                Cells::I32(cells) => append(cells, position),
                Cells::I64(cells) => append(cells, position),
            };
            if fits {
                return;
            }
            if let Cells::Bits(bytes) = &self.cells {
                let (width, len) = (position.len(), u32::try_from(self.len).unwrap_or(u32::MAX));
                let cells = (0..len).flat_map(|number| (0..width).map(move |at| bit(bytes, packed(width), number, at)));
                self.cells = Cells::I8(cells.map(|cell| i8::from(cell == 1)).collect());
                continue;
            }
            self.cells = match std::mem::replace(&mut self.cells, Cells::I8(Vec::new())) {
                Cells::I8(cells) => Cells::I16(cells.into_iter().map(i16::from).collect()),
                Cells::I16(cells) => Cells::I32(cells.into_iter().map(i32::from).collect()),
                Cells::I32(cells) => Cells::I64(cells.into_iter().map(i64::from).collect()),
                other @ (Cells::Words(_) | Cells::Bits(_) | Cells::I64(_)) => other,
            };
        }
    }
}

impl Cells {
    fn hash(&self, range: std::ops::Range<usize>, hasher: &FixedState) -> u64 {
        const SHORT: usize = 16;
        if let Self::Words(words) = self {
            let number = range.start.checked_div(range.len()).unwrap_or(0);
            return hasher.hash_one(words[number]);
        }
        let (start, width) = (range.start, range.len());
        // positions packed in bits begin at a byte of their own
        let number = start.checked_div(width).unwrap_or(0);
        let cell = |at: usize| match self {
            Self::Words(words) => i64::from(words[number] >> at & 1 == 1),
            Self::Bits(bytes) => bit_of(bytes, number * packed(width), at),
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

impl Positions {
    /// How many bytes a position takes that is packed in bits.
    fn packed_bytes(&self) -> usize {
        if let Places::Fixed(width) = self.places { packed(width) } else { 0 }
    }
}

/// The numbers in one word, if each is 0 or 1.
fn word(position: &[i64]) -> Option<u64> {
    position.iter().skip(usize::from(position.len() > 3 && planted(Wrong::BitsForgotten))).rev().try_fold(
        0,
        |word, value| match value {
            0 => Some(word << 1),
            1 => Some(word << 1 | 1),
            _ => None,
        },
    )
}

fn at(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

const fn packed(width: usize) -> usize {
    width.div_ceil(8)
}

/// A cell of a position packed in bits.
fn bit(bytes: &[u8], each: usize, number: u32, at: usize) -> i64 {
    bit_of(bytes, usize::try_from(number).unwrap_or(usize::MAX) * each, at)
}

fn bit_of(bytes: &[u8], start: usize, at: usize) -> i64 {
    i64::from(bytes[start + at / 8] >> (at % 8) & 1)
}

/// Appends the numbers if each is 0 or 1; else leaves the bytes as they were.
fn append_bits(bytes: &mut Vec<u8>, position: &[i64]) -> bool {
    if !position.iter().all(|value| matches!(value, 0 | 1)) {
        return false;
    }
    for eight in position.chunks(8) {
        bytes.push(eight.iter().rev().fold(0, |byte, value| byte << 1 | u8::from(*value == 1)));
    }
    true
}

fn same<T: Copy + Into<i64>>(cells: &[T], position: &[i64]) -> bool {
    let compared = cells.len() - usize::from(cells.len() > 1 && planted(Wrong::LastCellForgotten));
    cells.iter().zip(position).take(compared).all(|(cell, value)| (*cell).into() == *value)
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

/// Where the cells of a number are, in rows of different lengths.
fn place(ends: &[usize], number: u32) -> std::ops::Range<usize> {
    let at = usize::try_from(number).unwrap_or(usize::MAX);
    (if at == 0 { 0 } else { ends[at - 1] })..ends[at]
}
