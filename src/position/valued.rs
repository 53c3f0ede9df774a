//! Words with a value each, for a search that keeps nothing else of a position.
//!
//! The words are looked up in a table, which is probed slot by slot; the value stands beside its word, as in
//! [`super::Packed`]. In many games the numbers of a position are few, each for itself, and occur in most combinations.
//! Where there are many words of that kind, the values move to a grid: the upper part of a word tells the row, the lower
//! part the column, and both are looked up in small tables that stay near. Where a grid would have too many empty cells,
//! the table stays, or takes its place again.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::slots::Slots;

/// Words with their values.
#[derive(Clone, Debug)]
pub struct Valued {
    kept: Kept,
    len: usize,
    /// The bits of the lower part of a word, as long as a grid may be tried, and with how many words that is done next.
    lower: Option<u64>,
    next: usize,
    /// Room for the places of several words.
    places: Vec<Place>,
}

#[derive(Clone, Debug)]
enum Kept {
    Grid(Grid),
    Table(Table),
}

/// Where a word was put in.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place {
    /// The row, or the slot: it may have moved since.
    row: usize,
    /// The column; [`SLOT_ONLY`] in a table.
    column: usize,
}

/// Instead of a column.
const SLOT_ONLY: usize = usize::MAX;

/// With so many words a grid is tried first, and with so many last.
const FIRST_GRID: usize = 1 << 13;
const LAST_GRID: usize = 1 << 18;

/// From so many slots on, a table is not near.
const FAR_SLOTS: usize = 1 << 14;

/// So many slots are soon too few: then there are four times as many.
const FEW_SLOTS: usize = 1 << 12;

/// A grid may have so many cells for each word, and so many in any case.
const SPARSE: usize = 8;
const CELLS: usize = 1 << 21;

/// So many rows or columns are few; more must hold as many words each as cells may be empty.
const FEW: usize = 1 << 13;

/// No value: it is told from all that are put in.
const NONE: i32 = i32::MAX;

impl Valued {
    /// None yet. These are the bits of the lower part of a word, if it has two parts.
    #[must_use]
    pub fn new(lower: Option<u64>) -> Self {
        Self { kept: Kept::Table(Table::default()), len: 0, lower, next: FIRST_GRID, places: Vec::new() }
    }

    /// How many words there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many bytes it may take for a moment to put in one word more.
    #[must_use]
    pub fn bytes_to_grow(&self) -> usize {
        match &self.kept {
            // it may have to become a table
            Kept::Grid(grid) => grid.cells.len().max(64) * 3 * size_of::<i32>() + self.len.max(64) * 4 * SLOT,
            Kept::Table(table) => {
                let grid = if self.lower.is_some() && self.len + 1 >= self.next { self.next * SPARSE * 3 } else { 0 };
                let slots = table.slots.len();
                slots.max(64) * (1 + growth(slots)) * SLOT + grid * size_of::<i32>()
            }
        }
    }

    /// How many words there may be until that changes.
    #[must_use]
    pub fn words_before_growth(&self) -> usize {
        match &self.kept {
            Kept::Grid(_) => self.len,
            Kept::Table(table) if self.lower.is_some() => table.most().min(self.next - 1),
            Kept::Table(table) => table.most(),
        }
    }

    /// The value of a word, if it is there.
    #[must_use]
    pub fn get(&self, word: u64) -> Option<i32> {
        let value = match &self.kept {
            Kept::Grid(grid) => grid.value(grid.place(word)?),
            Kept::Table(table) => table.get(word)?,
        };
        (value != NONE).then_some(value)
    }

    /// Calls `each` with the words and their values, in order; none waits for one before it. They are mostly like a word
    /// that was put in at this place.
    ///
    /// # Errors
    ///
    /// What `each` meets.
    pub fn get_all<E>(
        &mut self,
        words: &[u64],
        like: (u64, Place),
        mut each: impl FnMut(u64, Option<i32>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut places = std::mem::take(&mut self.places);
        places.clear();
        let mut told = Ok(());
        match &self.kept {
            Kept::Grid(grid) => {
                places.extend(words.iter().map(|word| grid.place_like(*word, like).unwrap_or(NOWHERE)));
                for (word, place) in words.iter().zip(&places) {
                    let value = grid.value(*place);
                    told = each(*word, (value != NONE).then_some(value));
                    if told.is_err() {
                        break;
                    }
                }
            }
            Kept::Table(table) => {
                let slots = table.slots.all();
                if slots.len() < FAR_SLOTS {
                    self.places = places;
                    return words.iter().try_for_each(|word| each(*word, table.get(*word)));
                }
                places.extend(words.iter().map(|word| Place { row: table.home(*word), column: SLOT_ONLY }));
                let near = places.iter().filter_map(|home| slots.get(home.row)).fold(0, |all, [word, _]| all | word);
                std::hint::black_box(near);
                for (word, home) in words.iter().zip(&places) {
                    told = each(*word, table.place(*word, home.row).and_then(|at| value(slots[at])));
                    if told.is_err() {
                        break;
                    }
                }
            }
        }
        self.places = places;
        told
    }

    /// Puts in a word, unless it is there: then its value is told too.
    #[inline]
    pub fn meet(&mut self, word: u64, value: i32) -> (Place, Option<i32>) {
        let Kept::Table(table) = &mut self.kept else {
            let known = self.get(word);
            let place = if known.is_none() { self.insert(word, value) } else { NOWHERE };
            return (place, known);
        };
        let (at, known) = table.meet(word, value);
        if known.is_none() {
            self.grown();
        }
        (Place { row: at, column: SLOT_ONLY }, known)
    }

    /// Puts in a word that is not there.
    pub fn insert(&mut self, word: u64, value: i32) -> Place {
        let place = match &mut self.kept {
            Kept::Table(table) => Place { row: table.meet(word, value).0, column: SLOT_ONLY },
            Kept::Grid(_) => self.put(word, value),
        };
        self.grown();
        place
    }

    /// Notes that there is a word more.
    #[inline]
    fn grown(&mut self) {
        self.len += 1;
        if self.len == self.next {
            self.try_grid();
        }
    }

    /// Puts a word that is not there into the grid, or into a table that takes its place.
    fn put(&mut self, word: u64, value: i32) -> Place {
        let len = self.len + 1;
        let mut table = Table::default();
        if let Kept::Grid(grid) = &mut self.kept {
            if let Some(place) = grid.insert(word, value, len, (len * SPARSE).max(CELLS)) {
                return place;
            }
            grid.each(|word, value| {
                table.meet(word, value);
            });
        }
        let (at, _) = table.meet(word, value);
        self.kept = Kept::Table(table);
        Place { row: at, column: SLOT_ONLY }
    }

    /// Lets the values stand in a grid, if it has few empty cells.
    #[cold]
    fn try_grid(&mut self) {
        let (Kept::Table(table), Some(lower)) = (&self.kept, self.lower) else { return };
        let mut grid = Grid::new(lower);
        let fits = |slot: &Slot| match value(*slot) {
            Some(value) => grid.insert(slot[0], value, self.len, self.len * SPARSE).is_some(),
            None => true,
        };
        if table.slots.all().iter().all(fits) {
            (self.kept, self.lower) = (Kept::Grid(grid), None);
        } else if self.next == LAST_GRID {
            self.lower = None;
        } else {
            self.next *= 2;
        }
    }

    /// Gives a word that is there another value; it was put in at this place.
    pub fn set(&mut self, word: u64, place: Place, value: i32) {
        match &mut self.kept {
            Kept::Grid(grid) if place.column == SLOT_ONLY => {
                if let Some(place) = grid.place(word) {
                    grid.set(place, value);
                }
            }
            Kept::Grid(grid) => grid.set(place, value),
            Kept::Table(table) => table.set(word, place, value),
        }
    }
}

/// The place of a word that has none.
const NOWHERE: Place = Place { row: usize::MAX, column: usize::MAX };

#[derive(Clone, Debug)]
struct Grid {
    lower: u64,
    rows: Names,
    columns: Names,
    /// Row by row.
    cells: Vec<i32>,
    /// How many columns each row has room for, as a power of two.
    shift: u32,
}

/// Parts of words, each with a number.
#[derive(Clone, Debug, Default)]
struct Names {
    numbers: Table,
    parts: Vec<u64>,
}

impl Names {
    fn find(&self, part: u64) -> Option<usize> {
        self.numbers.get(part).and_then(|number| usize::try_from(number).ok())
    }

    fn meet(&mut self, part: u64) -> usize {
        self.find(part).unwrap_or_else(|| {
            self.numbers.meet(part, i32::try_from(self.parts.len()).unwrap_or(NONE));
            self.parts.push(part);
            self.parts.len() - 1
        })
    }
}

impl Grid {
    fn new(lower: u64) -> Self {
        Self { lower, rows: Names::default(), columns: Names::default(), cells: Vec::new(), shift: 3 }
    }

    /// The place of a word, if its parts have been met.
    #[inline]
    fn place(&self, word: u64) -> Option<Place> {
        Some(Place { row: self.rows.find(word & !self.lower)?, column: self.columns.find(word & self.lower)? })
    }

    /// The same; what it has in common with a word that was put in need not be looked up.
    #[inline]
    fn place_like(&self, word: u64, (other, place): (u64, Place)) -> Option<Place> {
        if place.column == SLOT_ONLY {
            return self.place(word);
        }
        let differs = word ^ other;
        let row = if differs & !self.lower == 0 { place.row } else { self.rows.find(word & !self.lower)? };
        let column = if differs & self.lower == 0 { place.column } else { self.columns.find(word & self.lower)? };
        Some(Place { row, column })
    }

    #[inline]
    fn value(&self, place: Place) -> i32 {
        let row = place.row.checked_shl(self.shift).unwrap_or(usize::MAX);
        self.cells.get(row | place.column).copied().unwrap_or(NONE)
    }

    /// Puts in a word, which makes so many words, unless that takes more than so many cells.
    fn insert(&mut self, word: u64, value: i32, len: usize, most: usize) -> Option<Place> {
        let (row, column) = (self.rows.meet(word & !self.lower), self.columns.meet(word & self.lower));
        if row.max(column) >= FEW && row.max(column) * SPARSE > len {
            return None;
        }
        while column >> self.shift > 0 {
            self.widen(most)?;
        }
        let cells = (row + 1).checked_shl(self.shift).filter(|cells| *cells <= most)?;
        if cells > self.cells.len() {
            self.cells.resize(cells, NONE);
        }
        let place = Place { row, column };
        self.set(place, value);
        Some(place)
    }

    fn set(&mut self, place: Place, value: i32) {
        if let Some(cell) = self.cells.get_mut(place.row << self.shift | place.column) {
            *cell = value;
        }
    }

    /// Makes room for twice as many columns.
    fn widen(&mut self, most: usize) -> Option<()> {
        let width = 1_usize << self.shift;
        if self.cells.len() * 2 > most {
            return None;
        }
        let mut cells = Vec::with_capacity(self.cells.len() * 2);
        for row in self.cells.chunks(width) {
            cells.extend_from_slice(row);
            cells.resize(cells.len() + width, NONE);
        }
        (self.cells, self.shift) = (cells, self.shift + 1);
        Some(())
    }

    /// Calls `each` with all words and their values.
    fn each(&self, mut each: impl FnMut(u64, i32)) {
        for (row, upper) in self.cells.chunks(1 << self.shift).zip(&self.rows.parts) {
            for (value, lower) in row.iter().zip(&self.columns.parts) {
                if *value != NONE {
                    each(upper | lower, *value);
                }
            }
        }
    }
}

/// Words in slots.
#[derive(Clone, Debug)]
struct Table {
    /// As many as a power of two, or none; each word stands in the first free one from where its hash points.
    slots: Slots,
    len: usize,
    hasher: FixedState,
}

/// A word with its mark: 0 where there is none, else its value with a bit above.
type Slot = [u64; 2];

/// The bytes of a slot.
const SLOT: usize = size_of::<Slot>();

const MARKED: u64 = 1 << 32;

#[inline(always)]
fn mark(value: i32) -> u64 {
    u64::from(value.cast_unsigned()) | MARKED
}

/// The value of a mark; none where there is no word.
#[inline(always)]
fn value([_, mark]: Slot) -> Option<i32> {
    let value = u32::try_from(mark & !MARKED).unwrap_or(0).cast_signed();
    (mark != 0).then_some(value)
}

impl Default for Table {
    /// None yet.
    fn default() -> Self {
        Self { slots: Slots::default(), len: 0, hasher: FixedState::with_seed(0) }
    }
}

impl Table {
    /// Where a word stands, unless others were there before.
    #[inline(always)]
    fn home(&self, word: u64) -> usize {
        let hash = usize::try_from(self.hasher.hash_one(word)).unwrap_or(usize::MAX);
        hash & self.slots.len().wrapping_sub(1)
    }

    /// The place of a word, or the one where it is to stand; none in a table without slots.
    #[inline]
    fn place(&self, word: u64, home: usize) -> Option<usize> {
        let slots = self.slots.all();
        let mask = slots.len().checked_sub(1)?;
        let mut at = home;
        loop {
            let [other, mark] = *slots.get(at)?;
            if other == word || mark == 0 {
                // a free slot may look like the word 0
                return Some(at);
            }
            at = (at + 1) & mask;
        }
    }

    #[inline]
    fn get(&self, word: u64) -> Option<i32> {
        value(self.slots.all()[self.place(word, self.home(word))?])
    }

    /// How many words there may be before it grows.
    fn most(&self) -> usize {
        self.slots.len() / 4 * 3
    }

    /// Puts in a word, unless it is there: then its value is told too.
    #[inline]
    fn meet(&mut self, word: u64, new: i32) -> (usize, Option<i32>) {
        if self.len >= self.most() {
            if let Some(at) = self.place(word, self.home(word))
                && let Some(known) = value(self.slots.all()[at])
            {
                return (at, Some(known));
            }
            self.grow();
        }
        let mut at = self.home(word);
        let slots = self.slots.all_mut();
        let mask = slots.len().wrapping_sub(1);
        loop {
            let Some(slot) = slots.get_mut(at) else { return (at, None) };
            if slot[1] == 0 {
                *slot = [word, mark(new)];
                self.len += 1;
                return (at, None);
            }
            if slot[0] == word {
                return (at, value(*slot));
            }
            at = (at + 1) & mask;
        }
    }

    fn set(&mut self, word: u64, place: Place, value: i32) {
        let stays = self.slots.all().get(place.row).is_some_and(|[other, mark]| *other == word && *mark != 0);
        let at = if stays { Some(place.row) } else { self.place(word, self.home(word)) };
        if let Some(slot) = at.and_then(|at| self.slots.all_mut().get_mut(at)) {
            *slot = [word, mark(value)];
        }
    }

    /// More slots.
    #[inline(never)]
    fn grow(&mut self) {
        let slots = (self.slots.len() * growth(self.slots.len())).max(64);
        let before = std::mem::replace(&mut self.slots, Slots::new(slots));
        let mask = slots - 1;
        for slot in before.all().iter().filter(|slot| slot[1] != 0) {
            let mut at = self.home(slot[0]);
            let slots = self.slots.all_mut();
            while slots.get(at).is_some_and(|other| other[1] != 0) {
                at = (at + 1) & mask;
            }
            if let Some(place) = slots.get_mut(at) {
                *place = *slot;
            }
        }
    }
}

/// How many times as many slots there are after so many.
const fn growth(slots: usize) -> usize {
    if slots < FEW_SLOTS { 4 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of few parts and of many, put in, asked for and changed at random, beside a map.
    #[test]
    fn every_word_keeps_its_value() {
        use std::collections::HashMap;
        let mut random = fastrand::Rng::with_seed(5);
        for (parts, bits) in [(40, 32), (3000, 32), (u64::MAX, 32), (9000, 1), (90, 63)] {
            let lower = Some(u64::MAX >> (64 - bits));
            let part = |random: &mut fastrand::Rng| random.u64(0..parts).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            for lower in [lower, None] {
                let mut valued = Valued::new(lower);
                let mut known: HashMap<u64, (i32, Place)> = HashMap::new();
                for round in 0..60_000 {
                    let low = u64::MAX >> (64 - bits);
                    let word = part(&mut random) & !low | part(&mut random) & low;
                    let found = known.get(&word).map(|(value, _)| *value);
                    assert_eq!(valued.get(word), found, "round {round}, {parts} parts, {bits} bits");
                    match (random.u8(0..4), found) {
                        (3, Some(value)) => assert_eq!(valued.meet(word, 0).1, Some(value), "round {round}"),
                        (0, Some(_)) => {
                            let value = random.i32(i32::MIN..NONE);
                            let (kept, place) = known.get_mut(&word).expect("it is known");
                            valued.set(word, *place, value);
                            *kept = value;
                        }
                        (0 | 1, None) => {
                            let value = random.i32(i32::MIN..NONE);
                            let (place, before) = valued.meet(word, value);
                            assert_eq!(before, None, "round {round}");
                            known.insert(word, (value, place));
                        }
                        (2, Some(_)) => {
                            let place = known[&word].1;
                            let words: Vec<u64> = (0..random.usize(0..9))
                                .map(|_| {
                                    part(&mut random) & !low
                                        | if random.bool() { word } else { part(&mut random) } & low
                                })
                                .collect();
                            let mut told = Vec::new();
                            // a place that was told before the cells became a table says nothing of a table
                            let all = valued.get_all(&words, (word, place), |word, value| {
                                told.push((word, value));
                                Ok::<(), ()>(())
                            });
                            all.expect("it goes on");
                            let wanted: Vec<(u64, Option<i32>)> =
                                words.iter().map(|word| (*word, known.get(word).map(|(value, _)| *value))).collect();
                            assert_eq!(told, wanted, "round {round}, {parts} parts, {bits} bits");
                        }
                        _ => {}
                    }
                }
                assert_eq!(valued.len(), known.len());
            }
        }
    }

    #[test]
    fn many_values_of_few_parts_stay_in_a_grid() {
        let mut valued = Valued::new(Some(0xffff_ffff));
        for word in (0..300_u64).flat_map(|upper| (0..300_u64).map(move |lower| upper << 40 | lower << 3)) {
            valued.meet(word, 1);
        }
        assert!(matches!(valued.kept, Kept::Grid(_)));
        for word in (0..3_000_000_u64).map(|number| number << 33 | 1) {
            if matches!(valued.kept, Kept::Table(_)) {
                return;
            }
            valued.meet(word, 1);
        }
        panic!("the cells of a grid stay empty");
    }
}
