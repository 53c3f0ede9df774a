//! In which order the positions of a game can be filled, each after its options.
//!
//! Coordinates are put one after the other, each with a direction in which no move goes back; moves that surely go on
//! in it need no further one. What is found here is a proposal: who fills positions in this order sees whether it holds.

use super::super::syntax::Operator;
use super::super::tree::{Assignment, Coordinate, Int, IntKind, Move, MoveBody, Rules};
use super::narrow::Known;
use super::{Interval, before};
use crate::position::Axis;

/// An order for positions within these bounds, the slowest coordinate first; none where the moves allow no such order.
#[must_use]
pub fn order(rules: &Rules, within: &[Interval]) -> Option<Vec<Axis>> {
    let mut open: Vec<Vec<Interval>> = rules.moves.iter().filter_map(|made| growth(rules, made, within)).collect();
    let mut left: Vec<usize> = (0..within.len()).collect();
    let mut axes = Vec::new();
    let axis =
        |coordinate: usize, down| Axis { coordinate, down, low: within[coordinate].low, high: within[coordinate].high };
    while !open.is_empty() {
        let fits = |at: &usize| {
            let up = open.iter().all(|growth| growth[*at].low >= 0) && open.iter().any(|growth| growth[*at].low > 0);
            let down =
                open.iter().all(|growth| growth[*at].high <= 0) && open.iter().any(|growth| growth[*at].high < 0);
            // what moves raise is filled from above
            (up || down).then(|| axis(*at, up))
        };
        let found = left.iter().find_map(fits)?;
        left.retain(|at| *at != found.coordinate);
        open.retain(|growth| {
            let growth = growth[found.coordinate];
            if found.down { growth.low <= 0 } else { growth.high >= 0 }
        });
        axes.push(found);
    }
    // what no move needs stands first, so that the lines run along a coordinate that moves change
    let mut all: Vec<Axis> = left.into_iter().map(|coordinate| axis(coordinate, false)).collect();
    all.append(&mut axes);
    Some(all)
}

/// By how much a move changes each coordinate.
fn growth(rules: &Rules, made: &Move, within: &[Interval]) -> Option<Vec<Interval>> {
    let known = before(rules, made, within)?;
    let mut growth = vec![Interval::one(0); within.len()];
    let [body] = &made.parts[..] else { return Some(vec![Interval::ALL; within.len()]) };
    match body {
        MoveBody::Position(coordinates) => {
            let mut at = 0;
            for entry in &coordinates.entries {
                match entry {
                    Coordinate::Int(int) => {
                        growth[at] = known.growth_of(at, int);
                        at += 1;
                    }
                    Coordinate::List(_, cells) => {
                        growth[at..at + cells].fill(Interval::ALL);
                        at += cells;
                    }
                }
            }
        }
        MoveBody::Assign(assignments) => {
            for assignment in assignments {
                match assignment {
                    Assignment::Variable(at, int) => growth[*at] = known.growth_of(*at, int),
                    Assignment::Cell(array, index, value) => {
                        let index = known.int(index);
                        for cell in 0..array.length {
                            if i64::try_from(cell).is_ok_and(|cell| index.contains(cell)) {
                                let at = array.offset + cell;
                                let here = if index.low == index.high { Interval::one(index.low) } else { index };
                                let changed = known.growth_of_cell(at, value, here);
                                growth[at] = if here.low == here.high { changed } else { changed.hull(growth[at]) };
                            }
                        }
                    }
                    Assignment::Array(array, _) => {
                        growth[array.offset..array.offset + array.length].fill(Interval::ALL)
                    }
                }
            }
        }
    }
    if let Some(turn) = rules.turn {
        growth[turn] = Interval { low: -1, high: 1 };
    }
    Some(growth)
}

/// A sum of coordinates and loop variables, each so many times, and a number between bounds.
struct Sum {
    terms: Vec<(Term, i64)>,
    rest: Interval,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Term {
    Coordinate(usize),
    Loop(usize),
    Parameter(usize),
}

impl Known {
    /// By how much an expression is more than a coordinate.
    fn growth_of(&self, at: usize, int: &Int) -> Interval {
        if let Some(growth) = self.scaled(at, int) {
            return growth;
        }
        if let IntKind::If(_, yes, no) = &int.kind {
            return self.growth_of(at, yes).hull(self.growth_of(at, no));
        }
        // the difference itself may be known
        let variable = Int { kind: IntKind::Variable(at), span: int.span };
        let direct =
            Int { kind: IntKind::Binary(Operator::Sub, Box::new(int.clone()), Box::new(variable)), span: int.span };
        let mut sum = Sum { terms: Vec::new(), rest: Interval::one(0) };
        self.add(int, 1, &mut sum);
        sum.count(Term::Coordinate(at), -1);
        self.value(&sum).meet(self.int(&direct))
    }

    /// The same for a cell of an array whose index is a loop variable: `c[i] + 1` is one more than `c[i]`.
    fn growth_of_cell(&self, at: usize, int: &Int, index: Interval) -> Interval {
        match &int.kind {
            IntKind::Cell(_, _) if index.low != index.high => Interval::one(0),
            IntKind::Binary(operator @ (Operator::Add | Operator::Sub), a, b)
                if matches!(a.kind, IntKind::Cell(..)) && index.low != index.high =>
            {
                let more = self.int(b);
                if *operator == Operator::Add { more } else { Interval::one(0).minus(more) }
            }
            IntKind::Binary(Operator::Mul, a, b) if matches!(a.kind, IntKind::Cell(..)) && index.low != index.high => {
                let (cell, times) = (self.int(a), self.int(b));
                if cell.low >= 0 { cell.times(times.minus(Interval::one(1))) } else { Interval::ALL }
            }
            _ => self.growth_of(at, int),
        }
    }

    /// Quotients and products of the coordinate itself, which the sum of bounds would lose.
    fn scaled(&self, at: usize, int: &Int) -> Option<Interval> {
        let is_it = |int: &Int| match &int.kind {
            IntKind::Variable(other) => *other == at,
            _ => false,
        };
        let here = self.coordinates.get(at).copied()?;
        match &int.kind {
            IntKind::Binary(Operator::FloorDiv | Operator::ExactDiv, a, b) if is_it(a) => {
                let by = self.int(b);
                (by.low >= 1 && here.low >= 0).then(|| Interval {
                    low: here.high / by.high.max(1) - here.high,
                    high: here.low / by.low - here.low,
                })
            }
            IntKind::CeilDiv(a, b) if is_it(a) => {
                let by = self.int(b);
                let up = |a: i64, by: i64| a / by + i64::from(a % by != 0);
                (by.low >= 1 && here.low >= 0).then(|| Interval {
                    low: up(here.high, by.high.max(1)) - here.high,
                    high: up(here.low, by.low) - here.low,
                })
            }
            IntKind::Binary(Operator::Mul, a, b) if is_it(a) != is_it(b) => {
                let times = self.int(if is_it(a) { b } else { a });
                (here.low >= 0).then(|| here.times(times.minus(Interval::one(1))))
            }
            IntKind::Binary(Operator::Mul, a, b) if is_it(a) && is_it(b) && here.low >= 1 => {
                Some(here.times(here.minus(Interval::one(1))))
            }
            IntKind::Binary(Operator::Pow, a, b) if is_it(a) && here.low >= 1 => {
                let exponent = u32::try_from(self.int(b).low).ok()?;
                (exponent >= 1).then(|| here.times(here.power(exponent - 1).minus(Interval::one(1))))
            }
            _ => None,
        }
    }

    fn add(&self, int: &Int, times: i64, sum: &mut Sum) {
        match &int.kind {
            IntKind::Variable(at) => sum.count(Term::Coordinate(*at), times),
            IntKind::Loop(slot) => sum.count(Term::Loop(*slot), times),
            IntKind::Parameter(at) => sum.count(Term::Parameter(*at), times),
            IntKind::Cell(array, index) => match self.int(index) {
                Interval { low, high } if low == high && (0..i64::MAX).contains(&low) => {
                    let at = array.offset + usize::try_from(low).unwrap_or(0);
                    sum.count(Term::Coordinate(at), times);
                }
                _ => sum.rest = Interval::ALL,
            },
            IntKind::Negative(a) if times > i64::MIN => self.add(a, -times, sum),
            IntKind::Binary(Operator::Add, a, b) => {
                self.add(a, times, sum);
                self.add(b, times, sum);
            }
            IntKind::Binary(Operator::Sub, a, b) if times > i64::MIN => {
                self.add(a, times, sum);
                self.add(b, -times, sum);
            }
            IntKind::Binary(Operator::Mul, a, b) => {
                let (left, right) = (self.int(a), self.int(b));
                let scaled = |by: Interval| by.exact().and_then(|by| times.checked_mul(by));
                match (scaled(right), scaled(left)) {
                    (Some(times), _) => self.add(a, times, sum),
                    (None, Some(times)) => self.add(b, times, sum),
                    _ => sum.rest = sum.rest.plus(Interval::one(times).times(left.times(right))),
                }
            }
            _ => sum.rest = sum.rest.plus(Interval::one(times).times(self.int(int))),
        }
    }

    fn value(&self, sum: &Sum) -> Interval {
        let bounds = |term: Term| {
            let int = match term {
                Term::Coordinate(at) => IntKind::Variable(at),
                Term::Loop(slot) => IntKind::Loop(slot),
                Term::Parameter(at) => IntKind::Parameter(at),
            };
            self.int(&Int { kind: int, span: super::super::source::Span::default() })
        };
        sum.terms.iter().fold(sum.rest, |total, (term, times)| {
            if *times == 0 { total } else { total.plus(Interval::one(*times).times(bounds(*term))) }
        })
    }
}

impl Sum {
    fn count(&mut self, term: Term, times: i64) {
        match self.terms.iter_mut().find(|(other, _)| *other == term) {
            Some((_, count)) => match count.checked_add(times) {
                Some(sum) => *count = sum,
                None => self.rest = Interval::ALL,
            },
            None => self.terms.push((term, times)),
        }
    }
}
