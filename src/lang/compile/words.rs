//! Moves that rest on small numbers, made on packed positions as they are, with no number taken out of its word.
//!
//! A table tells for each value of each number which moves it allows. What all numbers allow is possible, and as each move
//! but adds to some numbers and sets others, it is one change of the whole word.

use super::blocks::{Affine, Patch, Patches};
use super::front::Front;
use super::listing::place;
use crate::faults::{Wrong, planted};
use crate::position::{Field, Packing};

/// The most moves: they are bits of a word.
const MOST: usize = 64;

/// The greatest number of values that a number may have, of those that moves rest on.
const VALUES: u64 = 64;

/// A block of moves as changes of words.
#[derive(Debug)]
pub struct OnWords {
    columns: Vec<Column>,
    allowed: Vec<Allowed>,
    changes: Vec<Change>,
    /// The moves, and those of them that lead to no word, whatever the numbers are.
    all: Allowed,
}

/// A number on which moves rest: where it stands in a word, and where its values begin in the table.
#[derive(Debug)]
struct Column {
    field: Field,
    first: usize,
}

/// Moves as bits.
#[derive(Clone, Copy, Debug)]
struct Allowed {
    possible: u64,
    /// They lead to a number that has no place in the word.
    misfit: u64,
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
            allowed: Vec::new(),
            changes: Vec::new(),
            all: Allowed { possible: moves, misfit: 0 },
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
        for cell in cells {
            let field = packing.field(place(cell)).filter(|field| field.range() < VALUES)?;
            made.columns.push(Column { field, first: made.allowed.len() });
            for value in field.values() {
                let mut allowed = made.of_value(patches, cell, value, field);
                if ended == Some(cell) && end.is_some_and(|end| end.holds_of(value)) {
                    allowed.possible = 0;
                }
                made.allowed.push(allowed);
            }
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

    /// Adds the words of the options; false, and nothing added, where there are none or where one of them is no word.
    #[inline]
    pub fn look(&self, word: u64, words: &mut Vec<u64>) -> bool {
        let Allowed { mut possible, mut misfit } = self.all;
        for column in &self.columns {
            let allowed = self.allowed[column.first + column.field.place_in(word)];
            possible &= allowed.possible;
            misfit |= allowed.misfit;
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
