//! The compiled form in columns: expressions over a line of positions at once.
//!
//! Along a line one number runs by steps of one and the others stay. Most numbers of a rule are then straight lines
//! themselves, known by their first value and their step, and most conditions hold on one stretch, known by its ends:
//! these cost the same whatever the length. What is neither is kept value by value, and worked through in bulk.
//!
//! Arithmetic stays exact: each result is bounded before it is worked out, and what might need more than 64 bits, or
//! might be no value at all, is [`Unfit`]: then the positions are looked at one at a time, and an error is told there
//! with its place. Nothing is ever told from here that the rules do not say at every position of the line.

mod conditions;
mod ints;
mod moves;
mod numbers;
mod quotient;
mod truth;

pub use ints::{Ints, Line};
pub use moves::is_straight;
pub use quotient::Quotient;
pub use truth::{Places, Truth};

use super::tree::{Binding, Clause, Range, Rules, Slots, Table};
use crate::faults::{Wrong, planted};
use crate::value::Ranking;

/// Columns cannot tell; positions must be looked at one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfit;

/// A result of columns.
pub type Fit<T> = Result<T, Unfit>;

/// Lines shorter than this are never cut to what is looked at.
const LONG: usize = 64;

/// The most steps of loops over one line, and so the most moves.
const STEPS: u32 = 1 << 14;

/// What columns see of the values of positions.
pub trait ColumnSight {
    /// Outcome and rank of each position of a line where `when` holds, as [`crate::value::Ranked`] codes them,
    /// elsewhere any number; and those among the places of `when` whose position is not known, unless it is over. Whoever
    /// looks only so many plies ahead ([`Rules::plies`]) reads no more from it than those decide.
    ///
    /// # Errors
    ///
    /// Nothing is known here.
    fn ranked(
        &mut self,
        ranking: Ranking,
        plies: Option<u32>,
        positions: &[Ints],
        when: &Truth,
        len: usize,
    ) -> Fit<(Vec<u32>, Truth)>;

    /// Those among the places of `when` that are known to be over by `end` or else not known at all; at all others it does
    /// not hold, and the rules have been looked at there without an error.
    ///
    /// # Errors
    ///
    /// That is not known here.
    fn off_rows(&mut self, _positions: &[Ints], _when: &Truth, _len: usize) -> Fit<Truth> {
        Err(Unfit)
    }

    /// The Grundy value of each position of a line where `when` holds, elsewhere any number. Where it is told, it tells
    /// the outcome: a position of value 0 is lost, any other won.
    ///
    /// # Errors
    ///
    /// It is not known here, or some position has none.
    fn nimbers(&mut self, _positions: &[Ints], _when: &Truth, _len: usize) -> Fit<Vec<u32>> {
        Err(Unfit)
    }

    /// How many of the positions of a whole line are lost, where that is known at once.
    fn lost(&mut self, _positions: &[Ints], _len: usize) -> Option<usize> {
        None
    }

    /// The least and the greatest remoteness on a whole line without draws, where that is known at once.
    fn extremes(&mut self, _positions: &[Ints], _len: usize) -> Option<(u32, u32)> {
        None
    }

    /// By which ranking outcomes are known, or best asked for.
    fn outcome_ranking(&self) -> Ranking {
        Ranking::Remoteness
    }
}

/// Sees nothing: for rules, which read no values.
#[derive(Clone, Copy, Debug)]
pub struct NoSight;

impl ColumnSight for NoSight {
    fn ranked(&mut self, _: Ranking, _: Option<u32>, _: &[Ints], _: &Truth, _: usize) -> Fit<(Vec<u32>, Truth)> {
        Err(Unfit)
    }
}

/// A line of positions, of combinations of parameters, or of both, and what is needed to evaluate rules over it.
pub struct Columns<'a> {
    /// How many there are on the line.
    pub len: usize,
    /// The coordinates of the positions.
    pub position: Vec<Ints>,
    /// The parameters of a question.
    pub parameters: Vec<Ints>,
    rules: &'a Rules,
    sight: &'a mut dyn ColumnSight,
    loops: Vec<i64>,
    steps: u32,
}

impl<'a> Columns<'a> {
    /// An empty line for rules, or for a question about a game with these rules.
    pub fn new(rules: &'a Rules, slots: Slots, sight: &'a mut dyn ColumnSight) -> Self {
        let loops = vec![0; slots.values.max(rules.slots.values)];
        Self { len: 0, position: Vec::new(), parameters: Vec::new(), rules, sight, loops, steps: 0 }
    }

    /// Begins a new line of so many positions.
    pub fn begin(&mut self, len: usize) {
        (self.len, self.steps) = (len, 0);
    }

    /// The whole line.
    #[must_use]
    pub const fn all(&self) -> Truth {
        Truth::Span(0, self.len)
    }

    /// Finds something out on no more of the line than the places of `when` take, where these are few and lie together.
    fn close_up(&mut self, when: &Truth, then: impl FnOnce(&mut Self, &Truth) -> Fit<Truth>) -> Fit<Truth> {
        let len = self.len;
        if len < LONG {
            return then(self, when);
        }
        let (from, to) = when.hull();
        if to - from > len / 4 {
            return then(self, when);
        }
        let part = |all: &mut Vec<Ints>| {
            let part = all.iter().map(|ints| ints.part(from, to)).collect();
            std::mem::replace(all, part)
        };
        let (position, parameters) = (part(&mut self.position), part(&mut self.parameters));
        self.len = to - from;
        let holds = then(self, &when.part(from, to));
        (self.position, self.parameters, self.len) = (position, parameters, len);
        Ok(holds?.placed(from, len))
    }

    /// Calls `each` for every combination of loops, with the places where it occurs among those of `when`.
    fn each(&mut self, clauses: &[Clause], when: Truth, each: &mut dyn FnMut(&mut Self, Truth) -> Fit<()>) -> Fit<()> {
        if when.is_empty() {
            return Ok(());
        }
        let Some((clause, rest)) = clauses.split_first() else { return each(self, when) };
        let (binding, range) = match clause {
            Clause::If(condition) => {
                let when = self.bool(condition, &when)?.and(&when);
                return self.each(rest, when, each);
            }
            Clause::For { binding, range, .. } => (binding, range),
        };
        match (binding, range) {
            (Binding::Value(slot), Range::Span { low, high, inclusive }) => {
                let (low, high) = (self.int(low, &when)?, self.int(high, &when)?);
                let last = if *inclusive { high } else { high.plus(&Ints::constant(-1), self.len)? };
                let (from, to) = (low.bounds(self.len).0, last.bounds(self.len).1);
                if to.checked_sub(from).is_none_or(|steps| steps > i64::from(STEPS)) {
                    return Err(Unfit);
                }
                for value in from..=to - i64::from(planted(Wrong::LineLoopEndsEarly)) {
                    let here = Ints::constant(value);
                    let begun = low.at_most(&here, self.len);
                    let inside = here.at_most(&last, self.len);
                    self.step()?;
                    self.loops[*slot] = value;
                    self.each(rest, when.and(&begun).and(&inside), each)?;
                }
                Ok(())
            }
            (Binding::Value(slot), Range::List(list)) => {
                for value in self.constant_list(list)? {
                    self.step()?;
                    self.loops[*slot] = value;
                    self.each(rest, when.clone(), each)?;
                }
                Ok(())
            }
            (Binding::Entries(slots), Range::Table(Table::Constant(rows))) => {
                for row in rows.iter() {
                    self.step()?;
                    if row.len() != slots.len() {
                        return Err(Unfit);
                    }
                    for (slot, value) in slots.iter().zip(row) {
                        self.loops[*slot] = *value;
                    }
                    self.each(rest, when.clone(), each)?;
                }
                Ok(())
            }
            _ => Err(Unfit),
        }
    }

    fn outcome_ranking(&self) -> Ranking {
        self.sight.outcome_ranking()
    }

    /// Evaluates a text of the rules whose loops are its own, in the middle of the loops of another.
    fn apart<T>(&mut self, then: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.loops.clone();
        let value = then(self);
        self.loops = outer;
        value
    }

    fn step(&mut self) -> Fit<()> {
        self.steps += 1;
        if self.steps > STEPS { Err(Unfit) } else { Ok(()) }
    }
}
