//! Positions in one word each, as bounds of their coordinates allow; the word stands beside the number in the table.
//!
//! The table is probed slot by slot, so that a look at a word brings near what is written when it is put in or gets its
//! number: a table with marks apart from its entries makes each new position wait for memory.

use crate::faults::{Wrong, planted};
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

/// How the coordinates of a position share a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    fields: Vec<Field>,
}

/// Where one number stands in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    low: i64,
    /// The greatest value less the least.
    range: u64,
    shift: u32,
    /// The bits of the word.
    mask: u64,
}

impl Field {
    /// The word with another number in this place; none where that does not fit.
    #[inline]
    fn put(self, word: u64, value: i64) -> Option<u64> {
        // a number below the least is far above the range
        let more = value.wrapping_sub(self.low).cast_unsigned();
        (more <= self.range).then_some(word & !self.mask | more << self.shift)
    }

    /// The greatest value less the least.
    #[must_use]
    pub const fn range(self) -> u64 {
        self.range
    }

    /// The bits of the word.
    #[must_use]
    pub const fn mask(self) -> u64 {
        self.mask
    }

    /// The values from the least on.
    pub fn values(self) -> impl Iterator<Item = i64> {
        (0..=self.range).map(move |more| self.low.wrapping_add_unsigned(more))
    }

    /// Whether the value is among them.
    #[must_use]
    pub const fn has(self, value: i64) -> bool {
        value >= self.low && value.wrapping_sub(self.low).cast_unsigned() <= self.range
    }

    /// Whether the values are 1 and 2.
    #[must_use]
    pub const fn is_one_or_two(self) -> bool {
        self.low == 1 && self.range == 1
    }

    /// What a value is in a word without others.
    #[must_use]
    pub const fn word_of(self, value: i64) -> u64 {
        self.times(value.wrapping_sub(self.low))
    }

    /// What a word grows by where the number grows by so much, and still has its place.
    #[must_use]
    pub const fn times(self, more: i64) -> u64 {
        more.cast_unsigned() << self.shift
    }
}

impl Packing {
    /// A field for each coordinate, given its least and its greatest value; none where they need more than a word.
    #[must_use]
    pub fn new(bounds: impl IntoIterator<Item = (i64, i64)>) -> Option<Self> {
        let (mut fields, mut shift) = (Vec::new(), 0);
        for (low, high) in bounds {
            let range = u64::try_from(i128::from(high) - i128::from(low)).ok()?;
            let bits = 64 - range.leading_zeros();
            let mask = if bits == 0 { 0 } else { (u64::MAX >> (64 - bits)).unbounded_shl(shift) };
            fields.push(Field { low, range, shift, mask });
            shift += bits - u32::from(bits > 2 && planted(Wrong::FieldsOverlap));
        }
        // a field of no bits may stand behind the last
        fields.iter_mut().filter(|field| field.range == 0).for_each(|field| field.shift = 0);
        (shift <= 64).then_some(Self { fields })
    }

    /// As much room for each of so many coordinates, of which no bounds are known; none where that is little.
    #[must_use]
    pub fn roomy(width: usize) -> Option<Self> {
        let far: i64 = match width {
            1 => 1 << 62,
            2 => 1 << 31,
            3 => 1 << 20,
            4 => 1 << 15,
            _ => return None,
        };
        Self::new(std::iter::repeat_n((-far, far - 1), width))
    }

    /// How many numbers a position has.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.fields.len()
    }

    /// The bits of the lower part of a word, if it is cut between two coordinates as near its middle as can be.
    #[must_use]
    pub fn lower(&self) -> Option<u64> {
        let all = self.fields.iter().fold(0, |all, field| all | field.mask);
        let cuts = self.fields.iter().scan(0, |lower, field| {
            *lower |= field.mask;
            Some(*lower)
        });
        let uneven = |lower: &u64| lower.count_ones().abs_diff((all & !lower).count_ones());
        cuts.filter(|lower| *lower != 0 && *lower != all).min_by_key(uneven)
    }

    /// Where a number stands in a word.
    #[must_use]
    pub fn field(&self, at: usize) -> Option<Field> {
        self.fields.get(at).copied()
    }

    /// The word of a position within the bounds.
    #[inline]
    #[must_use]
    pub fn pack(&self, position: &[i64]) -> Option<u64> {
        if position.len() != self.fields.len() {
            return None;
        }
        let mut word = 0;
        for (field, value) in self.fields.iter().zip(position) {
            // a number below the least is far above the range
            let more = value.wrapping_sub(field.low).cast_unsigned();
            if more > field.range {
                return None;
            }
            word |= more << field.shift;
        }
        Some(word)
    }

    /// The word of a position within the bounds, most of whose numbers are those of another position with this word.
    #[must_use]
    pub fn pack_like(&self, position: &[i64], other: &[i64], mut word: u64) -> Option<u64> {
        if position.len() != self.fields.len() || other.len() != self.fields.len() {
            return None;
        }
        for ((field, value), before) in self.fields.iter().zip(position).zip(other) {
            if value != before {
                word = field.put(word, *value)?;
            }
        }
        Some(word)
    }

    /// The word with another number in place of one; none where that does not fit.
    #[inline]
    #[must_use]
    pub fn put(&self, word: u64, at: usize, value: i64) -> Option<u64> {
        self.fields.get(at)?.put(word, value)
    }

    /// Whether this is the position of a word.
    #[must_use]
    pub fn unpacks(&self, word: u64, position: &[i64]) -> bool {
        let value = |field: &Field| field.low.wrapping_add_unsigned((word & field.mask) >> field.shift);
        self.fields.iter().map(value).eq(position.iter().copied())
    }

    /// Writes the position of a word over `position`.
    pub fn unpack(&self, word: u64, position: &mut Vec<i64>) {
        position.clear();
        position.extend(
            self.fields.iter().map(|field| field.low.wrapping_add_unsigned((word & field.mask) >> field.shift)),
        );
    }
}

/// Positions of one word each, with their numbers; some may be open, and have none yet.
#[derive(Clone, Debug)]
pub struct Packed {
    packing: Packing,
    words: Vec<u64>,
    /// As many as a power of two, or none; each word stands in the first free one from where its hash points.
    slots: Vec<Slot>,
    hasher: FixedState,
    /// Room for the places where words stand, unless others were there before.
    homes: Vec<usize>,
}

/// A word in the table with its mark: 0 where there is none, else its number and 1 more. All zeros are a free slot, of
/// which memory has many at no cost.
type Slot = [u64; 2];

fn slot(word: u64, number: u32) -> Slot {
    [word, u64::from(number) + 1]
}

/// The number of the word in a slot; [`NEW`] where there is none.
fn number_in([_, mark]: Slot) -> u32 {
    mark.checked_sub(1).and_then(|number| u32::try_from(number).ok()).unwrap_or(NEW)
}

/// Instead of the number of a word that has none.
const NEW: u32 = u32::MAX;

/// So many slots take no time worth saving.
const FEW_SLOTS: usize = 1 << 10;

impl Packed {
    /// None yet.
    #[must_use]
    pub fn new(packing: Packing) -> Self {
        Self { packing, words: Vec::new(), slots: Vec::new(), hasher: FixedState::with_seed(0), homes: Vec::new() }
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
        self.words.capacity() * 8 + self.slots.capacity() * size_of::<Slot>()
    }

    /// What one position takes, in bytes, where the table has just grown.
    #[must_use]
    pub const fn bytes_each(&self) -> usize {
        8 + size_of::<Slot>() * 8 / 3
    }

    /// Where a word stands, unless others were there before.
    #[inline]
    fn home(&self, word: u64, mask: usize) -> usize {
        let forgotten = u64::from(planted(Wrong::LowestBitForgotten));
        usize::try_from(self.hasher.hash_one(word & !forgotten)).unwrap_or(usize::MAX) & mask
    }

    /// Where a word stands, or is to stand; nowhere in a table without slots.
    #[inline]
    fn place(&self, word: u64) -> Option<usize> {
        let mask = self.slots.len().checked_sub(1)?;
        let forgotten = u64::from(planted(Wrong::LowestBitForgotten));
        let mut place = self.home(word, mask);
        loop {
            let slot = self.slots[place];
            if slot[1] == 0 || (slot[0] ^ word) & !forgotten == 0 {
                return Some(place);
            }
            place = (place + 1) & mask;
        }
    }

    /// Room for so many more words.
    #[inline]
    fn grow(&mut self, more: usize) {
        while (self.words.len() + more) * 4 > self.slots.len() * 3 {
            self.double();
        }
    }

    /// Twice as many slots, or four times as many where they are few.
    #[inline(never)]
    fn double(&mut self) {
        let times = if self.slots.len() < FEW_SLOTS { 4 } else { 2 };
        let slots = (self.slots.len() * times).max(64);
        // the old ones are freed before there are others
        self.slots = Vec::new();
        self.slots = vec![[0; 2]; slots];
        let lost = usize::from(planted(Wrong::TableGrowsLossy)) * 2;
        for (number, word) in (0..).zip(&self.words).skip(lost) {
            if let Some(place) = self.place(*word) {
                self.slots[place] = slot(*word, number);
            }
        }
    }

    /// The numbers of words, one after the other; a new one gets the next number.
    pub fn meet_all(&mut self, words: &[u64], numbers: &mut Vec<u32>) {
        self.grow(words.len());
        let (begin, mask) = (numbers.len(), self.slots.len().wrapping_sub(1));
        let mut homes = std::mem::take(&mut self.homes);
        homes.clear();
        homes.extend(words.iter().map(|word| self.home(*word, mask)));
        // none of these waits for one before it
        numbers.extend(words.iter().zip(&homes).map(|(word, home)| {
            let slot = self.slots[*home];
            if slot[0] == *word { number_in(slot) } else { NEW }
        }));
        let forgotten = u64::from(planted(Wrong::LowestBitForgotten));
        for ((word, home), number) in words.iter().zip(&homes).zip(&mut numbers[begin..]) {
            if *number != NEW {
                continue;
            }
            let mut place = *home;
            *number = loop {
                let here = &mut self.slots[place & mask];
                if here[1] == 0 {
                    let number = u32::try_from(self.words.len()).unwrap_or(NEW);
                    self.words.push(*word);
                    *here = slot(*word, number);
                    break number;
                }
                if (here[0] ^ *word) & !forgotten == 0 {
                    break number_in(*here);
                }
                place += 1;
            };
        }
        self.homes = homes;
    }

    /// The number of a word, which is the next if it is new; and whether it is.
    pub fn meet(&mut self, word: u64) -> (u32, bool) {
        self.grow(1);
        let place = self.place(word).unwrap_or(0);
        let known = self.slots[place];
        if known[1] != 0 {
            return (number_in(known), false);
        }
        let number = u32::try_from(self.words.len()).unwrap_or(NEW);
        self.words.push(word);
        self.slots[place] = slot(word, number);
        (number, true)
    }

    /// Empties a slot; words behind it that would no longer be found move up.
    fn empty(&mut self, mut place: usize) {
        let mask = self.slots.len() - 1;
        let mut next = place;
        loop {
            self.slots[place] = [0; 2];
            loop {
                next = (next + 1) & mask;
                let slot = self.slots[next];
                if slot[1] == 0 {
                    return;
                }
                let home = usize::try_from(self.hasher.hash_one(slot[0])).unwrap_or(usize::MAX) & mask;
                // it stays where its way from home does not pass the emptied slot
                if next.wrapping_sub(home) & mask >= next.wrapping_sub(place) & mask {
                    self.slots[place] = slot;
                    place = next;
                    break;
                }
            }
        }
    }

    /// The number of a position, if it has one.
    #[must_use]
    pub fn find(&self, position: &[i64]) -> Option<u32> {
        let place = self.place(self.packing.pack(position)?)?;
        let number = number_in(self.slots[place]);
        (number != NEW).then_some(number)
    }

    /// Forgets all positions from this number on.
    pub fn truncate(&mut self, len: usize) {
        for at in len..self.words.len() {
            if let Some(place) = self.place(self.words[at])
                && self.slots[place][1] != 0
            {
                self.empty(place);
            }
        }
        self.words.truncate(len);
    }

    /// Frees the memory that no position needs.
    pub fn shrink(&mut self) {
        self.words.shrink_to_fit();
        let need = (self.words.len() * 4 / 3 + 1).next_power_of_two().max(64);
        if need >= self.slots.len() {
            return;
        }
        for slot in std::mem::replace(&mut self.slots, vec![[0; 2]; need]) {
            if slot[1] != 0
                && let Some(place) = self.place(slot[0])
            {
                self.slots[place] = slot;
            }
        }
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
        let word = packing.pack(&[-3, 7, 5, 1]).expect("it is within the bounds");
        assert_eq!(packing.put(word, 3, -9), packing.pack(&[-3, 7, 5, -9]));
        assert_eq!(
            (packing.put(word, 1, 6), packing.put(word, 0, 5), packing.put(word, 2, i64::MIN)),
            (None, None, None)
        );
        assert_eq!(packing.pack_like(&[-3, 7, 5, -9], &[-3, 7, 5, 1], word), packing.pack(&[-3, 7, 5, -9]));
        assert_eq!(packing.pack_like(&[-3, 6, 5, 1], &[-3, 7, 5, 1], word), None);
        assert_eq!(packing.pack(&[5, 7, 0, 0]), None);
        assert_eq!(packing.pack(&[0, 6, 0, 0]), None);
        assert_eq!(packing.pack(&[0, 7, 0]), None);
        assert_eq!(Packing::new([(i64::MIN, i64::MAX), (0, 1)]), None);
        assert!(Packing::new([(i64::MIN, i64::MAX), (2, 2)]).is_some());
    }

    /// Put in and forgotten at random, beside a map.
    #[test]
    fn words_are_found_as_long_as_they_are_there() {
        use std::collections::HashMap;
        let mut packed = Packed::new(Packing::new([(0, 400)]).expect("it fits"));
        let mut known: HashMap<u64, u32> = HashMap::new();
        let mut random = fastrand::Rng::with_seed(3);
        for round in 0..20_000 {
            let word = random.u64(0..=400);
            match random.u8(0..10) {
                0..3 => {
                    let (number, new) = packed.meet(word);
                    assert_eq!(known.insert(word, number), (!new).then_some(number), "round {round}");
                }
                3..6 => {
                    // some of them twice
                    let words: Vec<u64> = (0..random.usize(0..20)).map(|_| random.u64(0..=400)).collect();
                    let mut numbers = vec![7];
                    packed.meet_all(&words, &mut numbers);
                    assert_eq!((numbers[0], numbers.len()), (7, words.len() + 1), "round {round}");
                    for (word, number) in words.iter().zip(&numbers[1..]) {
                        assert_eq!(*known.entry(*word).or_insert(*number), *number, "round {round}");
                    }
                }
                6..9 => {
                    let position = [i64::try_from(word).expect("it is small")];
                    assert_eq!(packed.find(&position), known.get(&word).copied(), "round {round}");
                }
                _ if random.u8(0..50) == 0 => {
                    let len = random.usize(0..=packed.words().len());
                    packed.truncate(len);
                    packed.shrink();
                    known.retain(|_, number| usize::try_from(*number).is_ok_and(|number| number < len));
                }
                _ => {}
            }
        }
        assert_eq!(packed.words().len(), known.len());
    }
}
