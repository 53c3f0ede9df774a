//! Where along a line a condition holds.

use crate::faults::{Wrong, planted};
use std::rc::Rc;

/// The places of a line where a condition holds.
#[derive(Clone, Debug)]
pub enum Truth {
    /// From the first number on and before the second; nowhere, if they are equal.
    Span(usize, usize),
    /// Place by place.
    Mask(Rc<Vec<bool>>),
}

impl Truth {
    /// Nowhere.
    pub const NEVER: Self = Self::Span(0, 0);

    /// Everywhere on a line of this length, or nowhere.
    #[must_use]
    pub const fn constant(truth: bool, len: usize) -> Self {
        if truth { Self::Span(0, len) } else { Self::NEVER }
    }

    /// A stretch; nowhere, if it ends before it begins.
    #[must_use]
    pub const fn span(from: usize, to: usize) -> Self {
        if from < to { Self::Span(from, to) } else { Self::NEVER }
    }

    /// Place by place.
    #[must_use]
    pub fn mask(mask: Vec<bool>) -> Self {
        Self::Mask(Rc::new(mask))
    }

    /// Whether it holds at a place.
    #[must_use]
    pub fn at(&self, place: usize) -> bool {
        match self {
            Self::Span(from, to) => (*from..*to).contains(&place),
            Self::Mask(mask) => mask[place],
        }
    }

    /// Whether it holds nowhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Span(from, to) => from >= to,
            Self::Mask(mask) => !contains(mask, true),
        }
    }

    /// Whether it holds everywhere on a line of this length.
    #[must_use]
    pub fn is_all(&self, len: usize) -> bool {
        match self {
            Self::Span(from, to) => *from == 0 && *to >= len,
            Self::Mask(mask) => !contains(mask, false),
        }
    }

    /// At how many places it holds.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::Span(from, to) => to - from,
            // in short stretches, so that the sums of each fit a byte
            Self::Mask(mask) => {
                mask.chunks(255).map(|some| usize::from(some.iter().map(|b| u8::from(*b)).sum::<u8>())).sum()
            }
        }
    }

    /// The least stretch outside which it holds nowhere.
    #[must_use]
    pub fn hull(&self) -> (usize, usize) {
        match self {
            Self::Span(from, to) => (*from, *to),
            Self::Mask(mask) => {
                // what holds nowhere is passed over in long steps
                let before = MANY * mask.chunks(MANY).take_while(|some| !contains(some, true)).count();
                let after = MANY * mask.rchunks(MANY).take_while(|some| !contains(some, true)).count();
                let (begun, left) = (mask.get(before..), mask.get(..mask.len().saturating_sub(after)));
                let from = begun.and_then(|some| some.iter().position(|b| *b));
                let last = left.and_then(|some| some.iter().rposition(|b| *b));
                from.zip(last).map_or((0, 0), |(from, last)| (before + from, last + 1))
            }
        }
    }

    /// On the part of the line from one place on and before another.
    #[must_use]
    pub fn part(&self, from: usize, to: usize) -> Self {
        match self {
            Self::Span(a, b) => Self::span(a.clamp(&from, &to) - from, b.clamp(&from, &to) - from),
            Self::Mask(mask) => Self::mask(mask[from..to].to_vec()),
        }
    }

    /// On a line of this length, of which it is a part that begins at a place.
    #[must_use]
    pub fn placed(self, from: usize, len: usize) -> Self {
        match self {
            Self::Span(a, b) => Self::span(from + a, (from + b).min(len)),
            Self::Mask(part) => {
                let mut mask = vec![false; len];
                mask[from..from + part.len()].copy_from_slice(&part);
                Self::mask(mask)
            }
        }
    }

    /// Calls `each` with every place where it holds, in order.
    pub fn each<E>(&self, mut each: impl FnMut(usize) -> Result<(), E>) -> Result<(), E> {
        match self {
            Self::Span(from, to) => (*from..*to).try_for_each(each),
            Self::Mask(mask) => mask.iter().enumerate().filter(|(_, b)| **b).try_for_each(|(place, _)| each(place)),
        }
    }

    /// Whether it holds wherever the other does.
    #[must_use]
    pub fn covers(&self, other: &Self, len: usize) -> bool {
        match (self, other) {
            (Self::Span(a, b), Self::Span(c, d)) => c >= d || (a <= c && d <= b),
            _ => other.and(&self.not(len)).is_empty(),
        }
    }

    /// Where both hold.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Span(a, b), Self::Span(c, d)) => Self::span(*a.max(c), *b.min(d)),
            (Self::Mask(a), Self::Mask(b)) => Self::mask(a.iter().zip(b.iter()).map(|(a, b)| *a & *b).collect()),
            (Self::Mask(mask), Self::Span(from, to)) | (Self::Span(from, to), Self::Mask(mask)) => {
                if from >= to {
                    return Self::NEVER;
                }
                if *from == 0 && *to >= mask.len() {
                    return Self::Mask(Rc::clone(mask));
                }
                let mut part = vec![false; mask.len()];
                let to = *to.min(&mask.len());
                part[*from..to].copy_from_slice(&mask[*from..to]);
                Self::mask(part)
            }
        }
    }

    /// The stretches on which it holds, in order.
    pub fn stretches(&self, mut each: impl FnMut(usize, usize)) {
        match self {
            Self::Span(from, to) => each(*from, *to),
            Self::Mask(mask) => {
                let mut from = 0;
                for run in mask.chunk_by(|a, b| a == b) {
                    if run.first() == Some(&true) {
                        each(from, from + run.len());
                    }
                    from += run.len();
                }
            }
        }
    }

    /// Holds on this stretch too, of a line of this length.
    pub fn cover(&mut self, from: usize, to: usize, len: usize) {
        match self {
            Self::Span(a, b) if *a < *b && from <= *b && *a <= to => (*a, *b) = (from.min(*a), to.max(*b)),
            _ => *self = self.or(&Self::Span(from, to), len),
        }
    }

    /// Where one of them holds, on a line of this length.
    #[must_use]
    pub fn or(&self, other: &Self, len: usize) -> Self {
        match (self, other) {
            (Self::Span(a, b), _) if a >= b => other.clone(),
            (_, Self::Span(c, d)) if c >= d => self.clone(),
            (Self::Span(a, b), Self::Span(c, d)) if c <= b && a <= d => Self::Span(*a.min(c), *b.max(d)),
            (Self::Mask(a), Self::Mask(b)) => Self::mask(a.iter().zip(b.iter()).map(|(a, b)| *a | *b).collect()),
            (Self::Mask(mask), Self::Span(from, to)) | (Self::Span(from, to), Self::Mask(mask)) => {
                let mut both = mask.to_vec();
                both[*from..*to].fill(true);
                Self::mask(both)
            }
            (Self::Span(a, b), Self::Span(c, d)) => {
                let mut both = vec![false; len];
                both[*a..*b].fill(true);
                both[*c..*d].fill(true);
                Self::mask(both)
            }
        }
    }

    /// Where it does not hold, on a line of this length.
    #[must_use]
    pub fn not(&self, len: usize) -> Self {
        match self {
            Self::Span(from, to) if from >= to => Self::Span(0, len),
            Self::Span(0, to) => Self::span(*to, len),
            Self::Span(from, to) if *to >= len => Self::Span(0, *from),
            Self::Span(from, to) => {
                let mut mask = vec![true; len];
                mask[*from + usize::from(planted(Wrong::NotFromSecond))..*to].fill(false);
                Self::mask(mask)
            }
            Self::Mask(mask) => Self::mask(mask.iter().map(|b| !*b).collect()),
        }
    }
}

/// How many places are looked at in one step.
const MANY: usize = 64;

/// Places of a line that are noted one by one, in ascending order; mostly they are one stretch.
#[derive(Debug, Default)]
pub struct Places {
    stretch: (usize, usize),
    others: Vec<usize>,
}

impl Places {
    /// Notes a place, which lies behind those noted before.
    pub fn add(&mut self, place: usize) {
        match self.stretch {
            (_, to) if self.others.is_empty() && place == to && to > 0 => self.stretch.1 = place + 1,
            (0, 0) => self.stretch = (place, place + 1),
            _ => self.others.push(place),
        }
    }

    /// All of them, on a line of this length.
    #[must_use]
    pub fn truth(self, len: usize) -> Truth {
        let (from, to) = self.stretch;
        if self.others.is_empty() {
            return Truth::span(from, to);
        }
        let mut mask = vec![false; len];
        mask[from..to].fill(true);
        self.others.into_iter().for_each(|place| mask[place] = true);
        Truth::mask(mask)
    }
}

/// Whether one of them is this, many looked at in one step.
fn contains(mask: &[bool], truth: bool) -> bool {
    mask.chunks(MANY).any(|some| some.iter().fold(false, |found, here| found | (*here == truth)))
}
