//! The match game: any number from one heap, and who takes the last wins. Heaps of any size, at once.
//!
//! A position is lost for the player to move exactly where the nim-sum of its heaps is 0 (C. Bouton, "Nim, a game with a
//! complete mathematical theory", 1901). Where it is s, a heap h is the place of a winning move if `xor(h, s) < h`, and
//! the move leaves `xor(h, s)` of it.

use std::fmt::{Display, Write};
use std::ops::{BitXor, Sub};

use dashu_int::UBig;

/// A position, as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heaps {
    /// Heaps that fit into 64 bits, which is fast.
    Small(Vec<u64>),
    /// Others.
    Large(Vec<UBig>),
}

/// A winning first move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstMove<T> {
    /// The place of the heap, from 0.
    pub heap: usize,
    /// How much is taken from it.
    pub amount: T,
    /// How much is left of it.
    pub left: T,
}

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slip {
    /// The byte of the text at which it is noticed.
    pub at: usize,
    /// What was found and what would have been allowed.
    pub message: String,
}

/// A winning first move from the first heap that has one; none where the position is lost.
///
/// ```
/// use gameproof::nim::{FirstMove, first_move};
/// assert_eq!(first_move(&[3_u64, 6, 9]), Some(FirstMove { heap: 2, amount: 4, left: 5 }));
/// assert_eq!(first_move(&[15_u64, 22, 19, 10]), None);
/// assert_eq!(first_move::<u64>(&[]), None);
/// ```
#[must_use]
pub fn first_move<T>(heaps: &[T]) -> Option<FirstMove<T>>
where
    T: Ord + Default + for<'a> BitXor<&'a T, Output = T>,
    for<'a> &'a T: BitXor<&'a T, Output = T> + Sub<&'a T, Output = T>,
{
    let sum = heaps.iter().fold(T::default(), |sum, heap| sum ^ heap);
    heaps.iter().enumerate().find_map(|(heap, size)| {
        let left = size ^ &sum;
        (left < *size).then(|| FirstMove { heap, amount: size - &left, left })
    })
}

impl Heaps {
    /// Reads the number of heaps and then the heaps, separated by white space.
    ///
    /// # Errors
    ///
    /// The first thing that is not as it should be.
    pub fn read(text: &str) -> Result<Self, Slip> {
        let mut words = Words { text, at: 0 };
        let Some((at, word)) = words.next() else {
            return Err(slip(0, format!("nothing is given; {FORM}")));
        };
        if !digits(word) {
            return Err(slip(at, format!("{} is no number of heaps; {FORM}", quoted(word))));
        }
        let wanted = word.parse::<usize>().ok();
        // a number of heaps that is far too large must not take memory
        let mut heaps = Self::Small(Vec::with_capacity(wanted.unwrap_or(0).min(text.len() / 2)));
        for (at, heap) in words {
            if !digits(heap) {
                return Err(slip(at, format!("{} is no heap; a heap is a whole number from 0 up", quoted(heap))));
            }
            if wanted == Some(heaps.len()) {
                let more = format!("{} is one number too many: {}", quoted(heap), announced(word));
                return Err(slip(at, more));
            }
            heaps.push(heap);
        }
        if wanted != Some(heaps.len()) {
            let given = heaps.len();
            return Err(slip(text.trim_end().len(), format!("{}, and only {given} given", announced(word))));
        }
        Ok(heaps)
    }

    /// How many heaps there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Small(heaps) => heaps.len(),
            Self::Large(heaps) => heaps.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The amount and the number, from 1, of the heap of a winning first move, and in a second line the heaps after
    /// it; or `lose`.
    #[must_use]
    pub fn answer(&self) -> String {
        match self {
            Self::Small(heaps) => answer(heaps, first_move(heaps)),
            Self::Large(heaps) => answer(heaps, first_move(heaps)),
        }
    }

    /// Adds a heap, written in digits.
    fn push(&mut self, digits: &str) {
        match (&mut *self, digits.parse::<u64>()) {
            (Self::Small(heaps), Ok(heap)) => heaps.push(heap),
            (Self::Small(heaps), Err(_)) => {
                *self = Self::Large(heaps.iter().copied().map(UBig::from).collect());
                self.push(digits);
            }
            // digits alone always are a number
            (Self::Large(heaps), _) => heaps.push(UBig::from_str_radix(digits, 10).unwrap_or_default()),
        }
    }
}

fn answer<T: Display>(heaps: &[T], first: Option<FirstMove<T>>) -> String {
    let Some(first) = first else { return "lose\n".to_owned() };
    // writing to a string does not fail
    let mut text = String::new();
    let _ = writeln!(text, "{} {}", first.amount, first.heap + 1);
    for (at, heap) in heaps.iter().enumerate() {
        let gap = if at == 0 { "" } else { " " };
        let _ = write!(text, "{gap}{}", if at == first.heap { &first.left } else { heap });
    }
    text.push('\n');
    text
}

/// What would have been allowed.
const FORM: &str = "write how many heaps there are and then each heap, whole numbers from 0 up with white space between, \
such as `3 3 6 9`";

fn slip(at: usize, message: String) -> Slip {
    Slip { at, message }
}

fn digits(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// `4 heaps are announced`
fn announced(number: &str) -> String {
    let number = number.trim_start_matches('0');
    match number {
        "" => "no heaps are announced".to_owned(),
        "1" => "1 heap is announced".to_owned(),
        _ => format!("{} heaps are announced", shortened(number)),
    }
}

fn quoted(word: &str) -> String {
    format!("\"{}\"", shortened(word).escape_debug())
}

/// The beginning of a word that is too long to be told.
fn shortened(word: &str) -> String {
    const LONG: usize = 40;
    match word.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}…", &word[..at]),
        None => word.to_owned(),
    }
}

/// The words of a text with their places.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.text.get(self.at..)?;
        let start = self.at + rest.find(|c: char| !c.is_whitespace())?;
        let word = &self.text[start..];
        let word = &word[..word.find(char::is_whitespace).unwrap_or(word.len())];
        self.at = start + word.len();
        Some((start, word))
    }
}
