//! Rules whose moves, guards and ends are sums of multiples of the coordinates, worked out once for a whole box of
//! positions: along any line of it they cost a few operations, whatever its length.
//!
//! Everything is bounded over the box when it is taken down; what might need more than 64 bits there, or might be an
//! error, is not taken down, and is left to columns ([`super::Columns`]).

use super::bounds::Interval;
use super::syntax::{Comparison, Operator};
use super::tree::{
    Array, Assignment, Binding, Bool, BoolKind, Clause, Coordinate, Int, IntKind, List, ListKind, Move, MoveBody,
    Range, Rules, Scalar, Table,
};
use crate::faults::{Wrong, planted};

/// The most ways to make a move that are taken down.
const WAYS: usize = 256;

/// Sums stay nearer to 0 than this, so that two of them can be added.
const FAR: i128 = 1 << 61;

/// A sum of multiples of coordinates and of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sum {
    times: Vec<i64>,
    plus: i64,
}

impl Sum {
    fn number(plus: i64, width: usize) -> Self {
        Self { times: vec![0; width], plus }
    }

    /// The sum along a line on which one coordinate runs and the others stay: what it is where that one is 0, and how
    /// often that one counts.
    #[must_use]
    pub fn along(&self, position: &[i64], inner: usize) -> (i64, i64) {
        let mut base = self.plus;
        for (at, (times, value)) in self.times.iter().zip(position).enumerate() {
            if at != inner {
                base = base.wrapping_add(times.wrapping_mul(*value));
            }
        }
        (base, self.times.get(inner).copied().unwrap_or(0))
    }

    /// Whether the coordinate counts.
    #[must_use]
    pub fn reads(&self, coordinate: usize) -> bool {
        self.times.get(coordinate).is_some_and(|times| *times != 0)
    }

    fn as_number(&self) -> Option<i64> {
        self.times.iter().all(|times| *times == 0).then_some(self.plus)
    }
}

/// The values of a running coordinate, from the first to the last of these, at which a sum is not negative.
#[must_use]
pub fn not_negative((base, times): (i64, i64), (low, high): (i64, i64)) -> (i64, i64) {
    match times {
        0 if base >= 0 => (low, high),
        0 => (low, low.saturating_sub(1)),
        1 => (low.max(base.saturating_neg()), high),
        -1 => (low, high.min(base - i64::from(planted(Wrong::RowEndsEarly)))),
        2.. => (
            low.max(
                base.saturating_neg().div_euclid(times)
                    + i64::from(base.rem_euclid(times) != 0 && !planted(Wrong::RoundedGuard)),
            ),
            high,
        ),
        _ => (low, high.min(base.div_euclid(-times))),
    }
}

/// One way to make a move.
#[derive(Clone, Debug)]
pub struct Way {
    /// Where none of these is negative, it may be made.
    pub guards: Vec<Sum>,
    /// Where it leads.
    pub to: Vec<Sum>,
    /// Where any of these is negative, the option is over by `end`; nothing is known where that is not taken down.
    pub open: Vec<Sum>,
}

/// What is straight in the rules, for positions within a box.
#[derive(Clone, Debug)]
pub struct Straight {
    /// For each move the ways to make it, where it is straight.
    pub moves: Vec<Option<Vec<Way>>>,
    /// Where none of these is negative, the position is not over by `end`; none where that is not straight.
    pub open: Option<Vec<Sum>>,
}

impl Straight {
    /// Takes down what is straight for positions within bounds.
    #[must_use]
    pub fn new(rules: &Rules, bounds: &[Interval]) -> Self {
        let taker = Taker { rules, bounds, loops: vec![0; rules.slots.values], ways: Vec::new() };
        let own: Vec<Sum> = (0..bounds.len()).map(|at| taker.coordinate(at)).collect();
        let open = match &rules.end {
            None => Some(Vec::new()),
            Some(end) => {
                let mut open = Vec::new();
                taker.hold(end, false, &own, &mut open).map(|()| open)
            }
        };
        let moves = rules.moves.iter().map(|made| {
            let mut taker = Taker { loops: vec![0; rules.slots.values], ways: Vec::new(), ..taker };
            taker.made(made, &own).map(|()| taker.ways)
        });
        Self { moves: moves.collect(), open }
    }
}

struct Taker<'r> {
    rules: &'r Rules,
    bounds: &'r [Interval],
    loops: Vec<i64>,
    ways: Vec<Way>,
}

impl Taker<'_> {
    fn coordinate(&self, at: usize) -> Sum {
        let mut sum = Sum::number(0, self.bounds.len());
        if let Some(times) = sum.times.get_mut(at) {
            *times = 1;
        }
        sum
    }

    /// The sum, if it is small all over the box.
    fn bounded(&self, sum: Sum) -> Option<Sum> {
        let (low, high) = self.range(&sum);
        (low > -FAR && high < FAR).then_some(sum)
    }

    /// The least and the greatest that a sum may be within the box.
    fn range(&self, sum: &Sum) -> (i128, i128) {
        let plus = i128::from(sum.plus);
        sum.times.iter().zip(self.bounds).fold((plus, plus), |(low, high), (times, bounds)| {
            let ends = [bounds.low, bounds.high].map(|end| i128::from(*times) * i128::from(end));
            (low + ends[0].min(ends[1]), high + ends[0].max(ends[1]))
        })
    }

    fn add(&self, a: &Sum, b: &Sum, sign: i64) -> Option<Sum> {
        let term = |a: i64, b: i64| a.checked_add(b.checked_mul(sign)?);
        let times = a.times.iter().zip(&b.times).map(|(a, b)| term(*a, *b)).collect::<Option<Vec<_>>>()?;
        self.bounded(Sum { times, plus: term(a.plus, b.plus)? })
    }

    fn multiple(&self, sum: &Sum, by: i64) -> Option<Sum> {
        let times = sum.times.iter().map(|times| times.checked_mul(by)).collect::<Option<Vec<_>>>()?;
        self.bounded(Sum { times, plus: sum.plus.checked_mul(by)? })
    }

    /// A number of the rules, where the coordinates are these sums.
    fn int(&self, int: &Int, at: &[Sum]) -> Option<Sum> {
        match &int.kind {
            IntKind::Number(number) => self.bounded(Sum::number(*number, self.bounds.len())),
            IntKind::Variable(offset) => at.get(*offset).cloned(),
            IntKind::Loop(slot) => self.bounded(Sum::number(*self.loops.get(*slot)?, self.bounds.len())),
            IntKind::Cell(array, index) => self.cell(*array, index, at).and_then(|offset| at.get(offset)).cloned(),
            IntKind::Negative(a) => self.multiple(&self.int(a, at)?, -1),
            IntKind::Binary(Operator::Add, a, b) => self.add(&self.int(a, at)?, &self.int(b, at)?, 1),
            IntKind::Binary(Operator::Sub, a, b) => {
                let sign = if planted(Wrong::StraightDifferenceIsSum) { 1 } else { -1 };
                self.add(&self.int(a, at)?, &self.int(b, at)?, sign)
            }
            IntKind::Binary(Operator::Mul, a, b) => {
                let (a, b) = (self.int(a, at)?, self.int(b, at)?);
                match (a.as_number(), b.as_number()) {
                    (Some(by), _) => self.multiple(&b, by),
                    (_, Some(by)) => self.multiple(&a, by),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The offset of an array's cell whose index is a number.
    fn cell(&self, array: Array, index: &Int, at: &[Sum]) -> Option<usize> {
        let index = usize::try_from(self.int(index, at)?.as_number()?).ok()?;
        (index < array.length).then_some(array.offset + index)
    }

    /// Adds sums none of which is negative where the condition is of this truth, and one of which is elsewhere.
    fn hold(&self, bool: &Bool, truth: bool, at: &[Sum], holds: &mut Vec<Sum>) -> Option<()> {
        match (&bool.kind, truth) {
            (BoolKind::Truth(value), _) => {
                if *value != truth {
                    holds.push(Sum::number(-1, self.bounds.len()));
                }
                Some(())
            }
            (BoolKind::Not(a), _) => self.hold(a, !truth, at, holds),
            (BoolKind::And(a, b), true) | (BoolKind::Or(a, b), false) => {
                self.hold(a, truth, at, holds)?;
                self.hold(b, truth, at, holds)
            }
            (BoolKind::Compare(comparison, a, b), _) => {
                let (a, b) = (self.int(a, at)?, self.int(b, at)?);
                let (more, less) = (self.add(&a, &b, -1)?, self.add(&b, &a, -1)?);
                let below = |mut sum: Sum| {
                    sum.plus -= i64::from(!planted(Wrong::StraightLessIsAtMost));
                    sum
                };
                match (comparison, truth) {
                    (Comparison::Equal, true) | (Comparison::Unequal, false) => holds.extend([more, less]),
                    (Comparison::Less, true) | (Comparison::AtLeast, false) => holds.push(below(less)),
                    (Comparison::AtMost, true) | (Comparison::Greater, false) => holds.push(less),
                    (Comparison::Greater, true) | (Comparison::AtMost, false) => holds.push(below(more)),
                    (Comparison::AtLeast, true) | (Comparison::Less, false) => holds.push(more),
                    (Comparison::Equal, false) | (Comparison::Unequal, true) => return None,
                }
                Some(())
            }
            _ => None,
        }
    }

    fn made(&mut self, made: &Move, own: &[Sum]) -> Option<()> {
        let [body] = &made.parts[..] else { return None };
        self.clauses(&made.clauses, body, &[], own)
    }

    fn clauses(&mut self, clauses: &[Clause], body: &MoveBody, guards: &[Sum], own: &[Sum]) -> Option<()> {
        let Some((clause, rest)) = clauses.split_first() else { return self.way(body, guards, own) };
        let (binding, range) = match clause {
            Clause::If(condition) => {
                let mut guards = guards.to_vec();
                self.hold(condition, true, own, &mut guards)?;
                return self.clauses(rest, body, &guards, own);
            }
            Clause::For { binding, range, .. } => (binding, range),
        };
        match (binding, range) {
            (Binding::Value(slot), Range::Span { low, high, inclusive }) => {
                let (low, high) = (self.int(low, own)?, self.int(high, own)?);
                let last = if *inclusive { high } else { self.add(&high, &Sum::number(1, self.bounds.len()), -1)? };
                let (from, to) = (i64::try_from(self.range(&low).0).ok()?, i64::try_from(self.range(&last).1).ok()?);
                if to.saturating_sub(from) > i64::try_from(WAYS).ok()? {
                    return None;
                }
                for value in from..=to - i64::from(planted(Wrong::WayLeftOut)) {
                    let here = Sum::number(value, self.bounds.len());
                    let mut guards = guards.to_vec();
                    // ends that are numbers need no guard
                    for inside in [self.add(&here, &low, -1)?, self.add(&last, &here, -1)?] {
                        if inside.as_number().is_none_or(|number| number < 0) {
                            guards.push(inside);
                        }
                    }
                    *self.loops.get_mut(*slot)? = value;
                    self.clauses(rest, body, &guards, own)?;
                }
            }
            (Binding::Value(slot), Range::List(List { kind: ListKind::Constant(values), .. })) => {
                for value in values.iter() {
                    *self.loops.get_mut(*slot)? = *value;
                    self.clauses(rest, body, guards, own)?;
                }
            }
            (Binding::Entries(slots), Range::Table(Table::Constant(rows))) => {
                for row in rows.iter() {
                    if row.len() != slots.len() {
                        return None;
                    }
                    for (slot, value) in slots.iter().zip(row) {
                        *self.loops.get_mut(*slot)? = *value;
                    }
                    self.clauses(rest, body, guards, own)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn way(&mut self, body: &MoveBody, guards: &[Sum], own: &[Sum]) -> Option<()> {
        if self.ways.len() == WAYS {
            return None;
        }
        let rules = self.rules;
        let mut to = match body {
            MoveBody::Position(coordinates) => {
                let mut to = Vec::with_capacity(own.len());
                for coordinate in &coordinates.entries {
                    match coordinate {
                        Coordinate::Int(int) => to.push(self.int(int, own)?),
                        Coordinate::List(list, length) => to.extend(self.list(list, *length, own)?),
                    }
                }
                to.extend_from_slice(own.get(rules.state_width..)?);
                to
            }
            MoveBody::Assign(assignments) => self.assigned(assignments, own)?,
        };
        if let Some(turn) = rules.turn {
            let other = self.add(&Sum::number(3, self.bounds.len()), to.get(turn)?, -1)?;
            *to.get_mut(turn)? = other;
        }
        if to.len() != self.bounds.len() {
            return None;
        }
        let mut guards = guards.to_vec();
        if let Some(legal) = rules.legal.as_ref().filter(|_| !planted(Wrong::StraightLegalForgotten)) {
            self.hold(legal, true, &to, &mut guards)?;
        }
        let mut open = Vec::new();
        if let Some(end) = &rules.end
            && self.hold(end, false, &to, &mut open).is_none()
        {
            open.clear();
        }
        self.ways.push(Way { guards, to, open });
        Some(())
    }

    fn list(&self, list: &List, length: usize, own: &[Sum]) -> Option<Vec<Sum>> {
        let sums: Vec<Sum> = match &list.kind {
            ListKind::Constant(values) => {
                values.iter().map(|value| self.bounded(Sum::number(*value, own.len()))).collect::<Option<_>>()?
            }
            ListKind::Array(array) => own.get(array.offset..array.offset + array.length)?.to_vec(),
            ListKind::Items(items) => items
                .iter()
                .map(|item| if let Scalar::Int(int) = item { self.int(int, own) } else { None })
                .collect::<Option<_>>()?,
            _ => return None,
        };
        (sums.len() == length).then_some(sums)
    }

    fn assigned(&self, assignments: &[Assignment], own: &[Sum]) -> Option<Vec<Sum>> {
        let mut to = own.to_vec();
        let mut written = Vec::new();
        for assignment in assignments {
            match assignment {
                Assignment::Variable(at, value) => *to.get_mut(*at)? = self.int(value, own)?,
                Assignment::Cell(array, index, value) => {
                    let at = self.cell(*array, index, own)?;
                    if written.contains(&at) {
                        return None;
                    }
                    written.push(at);
                    *to.get_mut(at)? = self.int(value, own)?;
                }
                Assignment::Array(array, list) => {
                    let sums = self.list(list, array.length, own)?;
                    to.get_mut(array.offset..array.offset + array.length)?.clone_from_slice(&sums);
                }
            }
        }
        Some(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Held against trying every value.
    #[test]
    fn where_a_sum_is_not_negative() {
        for base in -20..=20 {
            for times in -4..=4 {
                let (from, to) = not_negative((base, times), (-6, 7));
                for value in -6..=7 {
                    assert_eq!(base + times * value >= 0, (from..=to).contains(&value), "{base} + {times} · {value}");
                }
            }
        }
    }
}
