//! Positions in one word each, as bounds of their coordinates allow; the word stands beside the number in the table.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// How the coordinates of a position share a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    fields: Vec<Field>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Field {
    low: i64,
    /// The greatest value less the least.
    range: u64,
    shift: u32,
}

impl Packing {
    /// A field for each coordinate, given its least and its greatest value; none where they need more than a word.
    #[must_use]
    pub fn new(bounds: impl IntoIterator<Item = (i64, i64)>) -> Option<Self> {
        let (mut fields, mut shift) = (Vec::new(), 0);
        for (low, high) in bounds {
            let range = u64::try_from(i128::from(high) - i128::from(low)).ok()?;
            fields.push(Field { low, range, shift });
            shift += 64 - range.leading_zeros();
        }
        // a field of no bits may stand behind the last
        fields.iter_mut().filter(|field| field.range == 0).for_each(|field| field.shift = 0);
        (shift <= 64).then_some(Self { fields })
    }

    /// How many numbers a position has.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.fields.len()
    }

    /// The word of a position within the bounds.
    #[must_use]
    pub fn pack(&self, position: &[i64]) -> Option<u64> {
        if position.len() != self.fields.len() {
            return None;
        }
        let mut word = 0;
        for (field, value) in self.fields.iter().zip(position) {
            let more = u64::try_from(value.checked_sub(field.low)?).ok().filter(|more| *more <= field.range)?;
            word |= more << field.shift;
        }
        Some(word)
    }

    /// Writes the position of a word over `position`.
    pub fn unpack(&self, word: u64, position: &mut Vec<i64>) {
        position.clear();
        position.extend(self.fields.iter().map(|field| {
            let bits = 64 - field.range.leading_zeros();
            let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            field.low.wrapping_add_unsigned(word >> field.shift & mask)
        }));
    }
}

/// Positions of one word each, with their numbers; some may be open, and have none yet.
#[derive(Clone, Debug)]
pub struct Packed {
    packing: Packing,
    words: Vec<u64>,
    table: HashTable<(u64, u32)>,
    hasher: FixedState,
}

/// The number of a position that is open.
pub const OPEN: u32 = u32::MAX;

/// What is known of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Met {
    /// It has this number.
    Numbered(u32),
    /// It is open.
    Open,
    /// It was not there, and is open now, at this place of the table, which holds as long as the table does not grow.
    New(usize),
}

impl Packed {
    /// None yet.
    #[must_use]
    pub fn new(packing: Packing) -> Self {
        Self { packing, words: Vec::new(), table: HashTable::new(), hasher: FixedState::with_seed(0) }
    }

    /// How they are packed.
    #[must_use]
    pub const fn packing(&self) -> &Packing {
        &self.packing
    }

    /// The words, by number.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The memory in use, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.words.capacity() * 8 + self.table.capacity() * 18
    }

    /// The number of a word; [`OPEN`] where it has none.
    #[must_use]
    pub fn number(&self, word: u64) -> u32 {
        let hash = self.hasher.hash_one(word);
        self.table.find(hash, |(other, _)| *other == word).map_or(OPEN, |(_, number)| *number)
    }

    /// Meets a word, which is open from now on if it is new.
    pub fn meet(&mut self, word: u64) -> Met {
        let hasher = &self.hasher;
        let hash = hasher.hash_one(word);
        match self.table.entry(hash, |(other, _)| *other == word, |(other, _)| hasher.hash_one(*other)) {
            Entry::Occupied(entry) => match entry.get().1 {
                OPEN => Met::Open,
                number => Met::Numbered(number),
            },
            Entry::Vacant(entry) => Met::New(entry.insert((word, OPEN)).bucket_index()),
        }
    }

    /// Gives an open word the next number; it was put in this place of the table.
    pub fn close(&mut self, word: u64, place: usize) -> u32 {
        let number = u32::try_from(self.words.len()).unwrap_or(OPEN);
        self.words.push(word);
        match self.table.get_bucket_mut(place) {
            Some(entry) if entry.0 == word => entry.1 = number,
            // the table has grown
            _ => {
                let hash = self.hasher.hash_one(word);
                if let Some(entry) = self.table.find_mut(hash, |(other, _)| *other == word) {
                    entry.1 = number;
                }
            }
        }
        number
    }

    /// Forgets a word that is open.
    pub fn forget(&mut self, word: u64) {
        let hash = self.hasher.hash_one(word);
        if let Ok(entry) = self.table.find_entry(hash, |(other, number)| *other == word && *number == OPEN) {
            entry.remove();
        }
    }

    /// The number of a position, if it has one.
    #[must_use]
    pub fn find(&self, position: &[i64]) -> Option<u32> {
        let word = self.packing.pack(position)?;
        let hash = self.hasher.hash_one(word);
        self.table.find(hash, |(other, _)| *other == word).map(|(_, number)| *number).filter(|number| *number != OPEN)
    }

    /// Forgets all positions from this number on.
    pub fn truncate(&mut self, len: usize) {
        for word in self.words.drain(len..) {
            let hash = self.hasher.hash_one(word);
            if let Ok(entry) = self.table.find_entry(hash, |(other, _)| *other == word) {
                entry.remove();
            }
        }
    }

    /// Frees the memory that no position needs.
    pub fn shrink(&mut self) {
        self.words.shrink_to_fit();
        let hasher = &self.hasher;
        self.table.shrink_to_fit(|(word, _)| hasher.hash_one(*word));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_comes_out_of_its_word_as_it_went_in() {
        let packing = Packing::new([(-3, 4), (7, 7), (0, i64::from(u32::MAX)), (-1_000_000, 1_000_000)]);
        let packing = packing.expect("56 bits are fewer than 64");
        let mut random = fastrand::Rng::with_seed(7);
        let mut out = Vec::new();
        for _ in 0..1000 {
            let position =
                [random.i64(-3..=4), 7, random.i64(0..=i64::from(u32::MAX)), random.i64(-1_000_000..=1_000_000)];
            let word = packing.pack(&position).expect("it is within the bounds");
            packing.unpack(word, &mut out);
            assert_eq!(out, position);
        }
        assert_eq!(packing.pack(&[5, 7, 0, 0]), None);
        assert_eq!(packing.pack(&[0, 6, 0, 0]), None);
        assert_eq!(packing.pack(&[0, 7, 0]), None);
        assert_eq!(Packing::new([(i64::MIN, i64::MAX), (0, 1)]), None);
        assert!(Packing::new([(i64::MIN, i64::MAX), (2, 2)]).is_some());
    }
}
