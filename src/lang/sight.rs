//! What a formula sees of the positions it reads, and why an evaluation ends without a value.

use super::number::Fault;
use super::source::Span;
use super::tree::Quantity;
use crate::budget::Limit;
use crate::value::{Class, Outcome};

/// A rule without a value at some position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// What happened.
    pub fault: Fault,
    /// Where the rule stands.
    pub span: Span,
    /// The position at which the rule was read, where there is one.
    pub position: Option<Box<[i64]>>,
    /// The number of the move that was made, where it is one.
    pub made: Option<usize>,
    /// How many plies after the position asked about.
    pub ply: u32,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A rule has no value at a position that the question rests on.
    Rule(RuleError),
    /// A limit was reached.
    Limit(Limit),
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// It reads a value that the position has not, such as the remoteness of a draw.
    Missing,
    /// A rule error or a limit. Boxed, since it is rare and must not make every result large.
    Stop(Box<Stop>),
}

impl Halt {
    /// A rule error, not yet tied to a position.
    #[cold]
    #[must_use]
    pub fn fault(fault: Fault, span: Span) -> Self {
        Self::Stop(Box::new(Stop::Rule(RuleError { fault, span, position: None, made: None, ply: 0 })))
    }

    /// The same error tied to the position at which the rule was read, unless it is already.
    #[cold]
    #[must_use]
    pub fn at(mut self, position: &[i64], made: Option<usize>) -> Self {
        if let Self::Stop(stop) = &mut self
            && let Stop::Rule(error) = stop.as_mut()
            && error.position.is_none()
        {
            error.position = Some(position.into());
            error.made = made;
        }
        self
    }

    /// The same error at this place, where it has none of its own: a value of a position is no text.
    #[cold]
    #[must_use]
    pub fn placed(mut self, span: Span) -> Self {
        if let Self::Stop(stop) = &mut self
            && let Stop::Rule(error) = stop.as_mut()
            && error.span == Span::default()
        {
            error.span = span;
        }
        self
    }

    /// The same error so many plies further from the position asked about.
    #[cold]
    #[must_use]
    pub fn later(mut self, plies: u32) -> Self {
        if let Self::Stop(stop) = &mut self
            && let Stop::Rule(error) = stop.as_mut()
        {
            error.ply += plies;
        }
        self
    }
}

impl From<Limit> for Halt {
    #[cold]
    fn from(limit: Limit) -> Self {
        Self::Stop(Box::new(Stop::Limit(limit)))
    }
}

impl From<Stop> for Halt {
    #[cold]
    fn from(stop: Stop) -> Self {
        Self::Stop(Box::new(stop))
    }
}

/// The options of a position: where each move leads, in the order of the moves.
#[derive(Clone, Debug, Default)]
pub struct Options {
    positions: Vec<i64>,
    marks: Vec<Mark>,
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// The number of its move.
    pub(super) made: u32,
    /// How many numbers it has in `positions`, after those of the options before it.
    pub(super) length: u32,
}

impl Mark {
    #[inline]
    fn length(self) -> usize {
        usize::try_from(self.length).unwrap_or(usize::MAX)
    }
}

impl Options {
    /// Forgets all, keeping the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.positions.clear();
        self.marks.clear();
    }

    /// Adds the position that a move of this number leads to.
    #[inline]
    pub fn push(&mut self, made: u32, position: &[i64]) {
        append(&mut self.positions, position);
        self.close(made, position.len());
    }

    /// Forgets all and begins one position of so many numbers, for a move of this number, to be written over.
    #[inline(always)]
    pub(super) fn only(&mut self, made: u32, length: usize) -> &mut [i64] {
        match &mut self.marks[..] {
            // it holds one of this length
            [mark] if self.positions.len() == length => mark.made = made,
            _ => self.begin_only(made, length),
        }
        &mut self.positions
    }

    #[inline(never)]
    fn begin_only(&mut self, made: u32, length: usize) {
        self.clear();
        self.positions.resize(length, 0);
        self.close(made, length);
    }

    /// Adds a copy of a position for a move of this number, to be written over.
    #[inline(always)]
    pub(super) fn copy(&mut self, made: u32, position: &[i64]) -> &mut [i64] {
        let start = self.positions.len();
        append(&mut self.positions, position);
        self.close(made, position.len());
        &mut self.positions[start..]
    }

    /// Adds a copy of a position for a move of this number; [`Self::put`] writes over it from the place given back.
    #[inline]
    pub(super) fn begin(&mut self, made: u32, position: &[i64]) -> usize {
        let start = self.positions.len();
        self.push(made, position);
        start
    }

    /// Writes over a number of a position that was just begun.
    #[inline]
    pub(super) fn put(&mut self, at: usize, number: i64) {
        self.positions[at] = number;
    }

    /// Adds a copy of a position, whose last `tail` numbers stay at the end, to the one added last; [`Self::put`] writes
    /// over it from the place given back.
    pub(super) fn split(&mut self, position: &[i64], tail: usize) -> usize {
        let start = self.positions.len().saturating_sub(tail);
        self.positions.truncate(start);
        self.positions.extend_from_slice(position);
        if let Some(mark) = self.marks.last_mut() {
            let more = position.len().saturating_sub(tail);
            mark.length = mark.length.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
        }
        start
    }

    /// Adds positions with these marks, whose numbers are put at the end of what is given back.
    #[inline]
    pub(super) fn add(&mut self, marks: &[Mark]) -> &mut Vec<i64> {
        match *marks {
            [a, b] => self.marks.extend_from_slice(&[a, b]),
            [a, b, c] => self.marks.extend_from_slice(&[a, b, c]),
            [a, b, c, d] => self.marks.extend_from_slice(&[a, b, c, d]),
            _ => self.marks.extend_from_slice(marks),
        }
        &mut self.positions
    }

    /// The numbers of the positions, to put those of one more at the end; [`Self::close`] makes it an option.
    #[inline]
    pub(super) const fn open(&mut self) -> &mut Vec<i64> {
        &mut self.positions
    }

    /// Makes a position of the last numbers, so many of them, for a move of this number.
    #[inline]
    pub(super) fn close(&mut self, made: u32, length: usize) {
        self.marks.push(Mark { made, length: u32::try_from(length).unwrap_or(u32::MAX) });
    }

    /// The position added last; an empty one, where there is none.
    #[inline]
    #[must_use]
    pub(super) fn last(&self) -> &[i64] {
        let length = self.marks.last().map_or(0, |mark| mark.length());
        &self.positions[self.positions.len().saturating_sub(length)..]
    }

    /// Takes back the position added last.
    #[inline]
    pub(super) fn undo(&mut self) {
        let length = self.marks.pop().map_or(0, Mark::length);
        self.positions.truncate(self.positions.len().saturating_sub(length));
    }

    /// How many there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.marks.len()
    }

    /// Whether there are none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// The positions with the numbers of their moves.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[i64])> {
        let mut rest = &self.positions[..];
        self.marks.iter().map(move |mark| {
            let (position, after) = rest.split_at(mark.length());
            rest = after;
            (usize::try_from(mark.made).unwrap_or(usize::MAX), position)
        })
    }
}

/// Appends a position; the commonest lengths are copied without a call, and number by number: two that have just been
/// written cannot be read as one before both are in the cache, behind all that was written earlier.
#[inline(always)]
fn append(cells: &mut Vec<i64>, position: &[i64]) {
    match *position {
        [a] => cells.push(a),
        [a, b] => {
            cells.push(a);
            cells.push(b);
        }
        [a, b, c] => {
            cells.push(a);
            cells.push(b);
            cells.push(c);
        }
        _ => cells.extend_from_slice(position),
    }
}

/// The values of positions, as an engine knows them.
pub trait Sight {
    /// Whether the position is terminal; if not, its options are put into `options`, which is cleared first.
    ///
    /// # Errors
    ///
    /// A rule error there, or a limit.
    fn options(&mut self, position: &[i64], options: &mut Options) -> Result<bool, Halt>;

    /// What the player to move can force.
    ///
    /// # Errors
    ///
    /// A rule error at a position that this rests on, or a limit.
    fn outcome(&mut self, position: &[i64]) -> Result<Outcome, Halt>;

    /// The class of the position if it is on the side of `bound` and needs no more moves than it.
    ///
    /// # Errors
    ///
    /// A rule error at a position that this rests on, or a limit.
    fn class_within(&mut self, position: &[i64], bound: Class) -> Result<Option<Class>, Halt>;

    /// Whether the position is a goal of the puzzle.
    ///
    /// # Errors
    ///
    /// A rule error there, or a limit.
    fn is_goal(&mut self, position: &[i64]) -> Result<bool, Halt>;

    /// A number that belongs to the position; none where it has no such value.
    ///
    /// # Errors
    ///
    /// A rule error at a position that this rests on, or a limit.
    fn quantity(&mut self, position: &[i64], quantity: Quantity) -> Result<Option<i64>, Halt>;
}

/// Sees nothing: for rules, which read no values.
#[derive(Clone, Copy, Debug)]
pub struct Blind;

impl Sight for Blind {
    fn options(&mut self, _: &[i64], _: &mut Options) -> Result<bool, Halt> {
        Err(Halt::Missing)
    }

    fn outcome(&mut self, _: &[i64]) -> Result<Outcome, Halt> {
        Err(Halt::Missing)
    }

    fn class_within(&mut self, _: &[i64], _: Class) -> Result<Option<Class>, Halt> {
        Err(Halt::Missing)
    }

    fn is_goal(&mut self, _: &[i64]) -> Result<bool, Halt> {
        Err(Halt::Missing)
    }

    fn quantity(&mut self, _: &[i64], _: Quantity) -> Result<Option<i64>, Halt> {
        Err(Halt::Missing)
    }
}
