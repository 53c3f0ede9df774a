//! Moves that rest on small numbers, made on packed positions as they are, with no number taken out of its word.
//!
//! A table tells for each value of each number which moves it allows. What all numbers allow is possible, and as each move
//! but adds to some numbers and sets others, it is one change of the whole word.

use super::blocks::{Affine, FAR, Patch, Patches};
use super::front::Front;
use super::listing::place;
use crate::faults::{Wrong, planted};
use crate::position::{Field, Packing};

/// The most moves: they are bits of a word.
const MOST: usize = 64;

/// The greatest number of values that a number may have, of those that moves rest on.
const VALUES: u64 = 64;

/// Numbers that stand side by side in a word are looked up together, if they have no more values than this together.
const TOGETHER: usize = 256;

/// A block of moves as changes of words.
#[derive(Debug)]
pub struct OnWords {
    columns: Vec<Column>,
    /// For all values of each column the moves that it allows, as bits.
    possible: Vec<u64>,
    /// The moves that it allows, but that lead to a number that has no place in the word; nothing where there are none.
    misfit: Vec<u64>,
    changes: Vec<Change>,
    /// The moves, and those of them that lead to no word, whatever the numbers are.
    all: Allowed,
    /// Whether a word that is given no options has none.
    sure: bool,
}

/// Numbers on which moves rest: where they stand in a word, and where their values begin in the table.
#[derive(Debug)]
struct Column {
    mask: u64,
    shift: u32,
    first: usize,
}

impl Column {
    /// The place in the table of what a word has.
    #[inline(always)]
    fn place(&self, word: u64) -> usize {
        self.first + usize::try_from((word & self.mask) >> self.shift).unwrap_or(usize::MAX)
    }
}

/// The same before it has its place in the table.
struct Part {
    mask: u64,
    shift: u32,
    /// What each value allows.
    values: Vec<Allowed>,
}

/// Moves as bits.
#[derive(Clone, Copy, Debug)]
struct Allowed {
    possible: u64,
    /// They lead to a number that has no place in the word.
    misfit: u64,
}

impl Allowed {
    /// No move.
    const NOTHING: Self = Self { possible: 0, misfit: 0 };

    /// What both allow.
    const fn and(self, other: Self) -> Self {
        Self { possible: self.possible & other.possible, misfit: self.misfit | other.misfit }
    }
}

/// Adds a part, joined with the one before it where they stand side by side and are small.
fn join(parts: &mut Vec<Part>, mut part: Part) {
    // not all values of its bits are values of the number
    part.values.resize(part.values.len().next_power_of_two(), Allowed::NOTHING);
    match parts.last_mut() {
        Some(last)
            if last.shift + last.mask.count_ones() == part.shift
                && last.values.len() * part.values.len() <= TOGETHER =>
        {
            last.mask |= part.mask;
            let mut both = Vec::with_capacity(last.values.len() * part.values.len());
            for upper in &part.values {
                both.extend(last.values.iter().map(|lower| lower.and(*upper)));
            }
            last.values = both;
        }
        _ => parts.push(part),
    }
}

/// What a move does to a word.
#[derive(Clone, Copy, Debug)]
struct Change {
    keep: u64,
    flip: u64,
    add: u64,
}

impl OnWords {
    /// The moves of a block on words packed so, if they rest on small numbers, each for itself; positions at which the
    /// end holds have none.
    pub(super) fn new(patches: &Patches, end: Option<&Front>, packing: &Packing) -> Option<Self> {
        if patches.moves.len() > MOST || planted(Wrong::OneFactIsEnough) {
            return None;
        }
        let moves = (0..).zip(&patches.moves).fold(0_u64, |moves, (bit, _)| moves | 1 << bit);
        let mut made = Self {
            columns: Vec::new(),
            possible: Vec::new(),
            misfit: Vec::new(),
            changes: Vec::new(),
            all: Allowed { possible: moves, misfit: 0 },
            sure: false,
        };
        for (bit, patch) in (0_u32..).zip(&patches.moves) {
            let (change, fits) = change(patches.changes(patch), packing)?;
            made.changes.push(change);
            made.all.misfit |= u64::from(!fits) << bit;
        }
        let ended = end.map(|end| end.of_one()).map_or(Some(None), |cell| cell.map(Some))?;
        let asked = patches.facts.iter().map(|fact| fact.cell).chain(ended);
        let shifted = patches.puts.iter().filter(|(_, affine)| affine.times == 1).map(|(cell, _)| *cell);
        let mut cells: Vec<u32> = asked.chain(shifted).collect();
        cells.sort_unstable();
        cells.dedup();
        let mut parts: Vec<Part> = Vec::new();
        for cell in cells {
            let field = packing.field(place(cell)).filter(|field| field.range() < VALUES)?;
            let of_value = |value: i64| {
                let allowed = made.of_value(patches, cell, value, field);
                let ended = ended == Some(cell) && end.is_some_and(|end| end.holds_of(value));
                if ended { Allowed::NOTHING } else { allowed }
            };
            let mut values = Vec::with_capacity(TOGETHER);
            values.extend(field.values().map(of_value));
            match (field.mask(), &values[..]) {
                (0, [only]) => made.all = made.all.and(*only),
                (mask, _) => join(&mut parts, Part { mask, shift: mask.trailing_zeros(), values }),
            }
        }
        made.all.misfit &= made.all.possible;
        for Part { mask, shift, values } in parts {
            made.columns.push(Column { mask, shift, first: made.possible.len() });
            made.possible.extend(values.iter().map(|allowed| allowed.possible));
            made.misfit.extend(values.iter().map(|allowed| allowed.misfit & allowed.possible));
        }
        if made.misfit.iter().all(|moves| *moves == 0) {
            made.misfit.clear();
            made.sure = made.all.misfit == 0 && patches.near.iter().all(|cell| is_near(packing, *cell));
        }
        Some(made)
    }

    /// What one value of a number allows.
    fn of_value(&self, patches: &Patches, cell: u32, value: i64, field: Field) -> Allowed {
        let mut facts = [u64::MAX; 2];
        for (at, fact) in patches.facts.iter().enumerate().filter(|(_, fact)| fact.cell == cell) {
            facts[at / 64] &= !(u64::from(!fact.holds_of(value)) << (at % 64));
        }
        let mut allowed = Allowed { possible: 0, misfit: 0 };
        for (bit, patch) in (0_u32..).zip(&patches.moves) {
            let possible = patch.needs[0] & !facts[0] | patch.needs[1] & !facts[1] == 0;
            let fits = |(put, affine): &(u32, Affine)| {
                *put != cell || affine.times != 1 || value.checked_add(affine.plus).is_some_and(|sum| field.has(sum))
            };
            allowed.possible |= u64::from(possible) << bit;
            allowed.misfit |= u64::from(!patches.changes(patch).iter().all(fits)) << bit;
        }
        allowed
    }

    /// Whether no word is in doubt: one that is given no options has none, and those of all others are words.
    pub(super) const fn is_sure(&self) -> bool {
        self.sure
    }

    /// Adds the words of the options; false, and nothing added, where there are none or where one of them is no word.
    #[inline]
    pub fn look(&self, word: u64, words: &mut Vec<u64>) -> bool {
        let Allowed { mut possible, mut misfit } = self.all;
        for column in &self.columns {
            possible &= self.possible[column.place(word)];
        }
        if !self.misfit.is_empty() {
            let misfits = self.columns.iter().map(|column| self.misfit[column.place(word)]);
            misfit |= misfits.fold(0, |all, moves| all | moves);
        }
        if possible == 0 || possible & misfit != 0 {
            return false;
        }
        while possible != 0 {
            let Change { keep, flip, add } = self.changes[place(possible.trailing_zeros())];
            words.push(((word & keep) ^ flip).wrapping_add(add));
            possible &= possible - 1;
        }
        true
    }
}

/// Whether a number is nowhere so far from 0 that a small one more or less may be too much.
fn is_near(packing: &Packing, cell: u32) -> bool {
    let mut values = packing.field(place(cell)).into_iter().flat_map(Field::values);
    values.all(|value| value.wrapping_add(FAR) >= 0)
}

/// What puts do to a word, and whether the numbers that they set have a place there.
fn change(puts: &[(u32, Affine)], packing: &Packing) -> Option<(Change, bool)> {
    let (mut change, mut fits) = (Change { keep: u64::MAX, flip: 0, add: 0 }, true);
    for (cell, affine) in puts {
        let field = packing.field(place(*cell))?;
        match *affine {
            Affine { times: 0, plus, by: 1, .. } => {
                fits &= field.has(plus);
                change.keep &= !field.mask();
                change.add = change.add.wrapping_add(field.word_of(plus));
            }
            Affine { from, times: 1, plus, by: 1 } if from == *cell => {
                change.add = change.add.wrapping_add(field.times(plus));
            }
            // the players 1 and 2 change
            Affine { from, times: -1, plus: 3, by: 1 } if from == *cell && field.is_one_or_two() => {
                change.flip ^= field.mask();
            }
            _ => return None,
        }
    }
    Some((change, fits))
}

impl Patches {
    /// What a move puts into cells.
    fn changes(&self, patch: &Patch) -> &[(u32, Affine)] {
        self.puts.get(place(patch.first)..place(patch.end)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::blocks::Fact;
    use super::*;

    /// Moves of every kind that is made on words, beside the same made on numbers.
    #[test]
    fn moves_on_words_lead_where_moves_on_numbers_lead() {
        let own = |cell: u32, plus: i64| (cell, Affine { from: cell, times: 1, plus, by: 1 });
        let set = |cell: u32, plus: i64| (cell, Affine { from: 0, times: 0, plus, by: 1 });
        let turn = (3, Affine { from: 3, times: -1, plus: 3, by: 1 });
        let fact = |cell: u32, ranges: &[(i64, i64)]| Fact::new(cell, ranges).expect("it is a fact");
        let patch = |made: u32, needs: u64, first: u32, end: u32| Patch { made, needs: [needs, 0], first, end };
        let patches = Patches {
            facts: vec![
                fact(0, &[(-3, -3), (0, 1), (4, 4)]),
                fact(1, &[(1, i64::MAX)]),
                fact(2, &[(i64::MIN, 4), (6, i64::MAX)]),
            ],
            puts: vec![own(0, 1), own(1, -1), turn, set(2, 5), own(0, -2), turn, own(2, 1), set(0, 9)],
            moves: vec![patch(0, 0b001, 0, 3), patch(1, 0b110, 3, 6), patch(2, 0b010, 6, 7), patch(3, 0b101, 7, 8)],
            near: Vec::new(),
        };
        let packing = Packing::new([(-4, 4), (0, 3), (2, 40), (1, 2)]).expect("it fits a word");
        let made = OnWords::new(&patches, None, &packing).expect("all numbers are small");
        let (mut looked, mut left) = (0, 0);
        for number in 0..9 * 4 * 39 * 2 {
            let position = [number % 9 - 4, number / 9 % 4, number / 36 % 39 + 2, number / 1404 + 1];
            let word = packing.pack(&position).expect("it is within the bounds");
            let (mut words, mut wanted) = (vec![7], vec![7]);
            let fits = patches.pack(&position, word, &packing, &mut wanted);
            if made.look(word, &mut words) {
                assert!(fits, "{position:?}");
                assert_eq!(words, wanted, "{position:?}");
                looked += 1;
            } else {
                assert!(!fits || wanted.len() == 1, "{position:?}");
                assert_eq!(words, [7], "{position:?}");
                left += 1;
            }
        }
        assert!(looked > 900 && left > 900, "{looked} and {left}");
        let wide = Packing::new([(-4, 4), (0, 3), (0, 64), (1, 2)]).expect("it fits a word");
        assert!(OnWords::new(&patches, None, &wide).is_none());
    }
}
