//! In which order the positions of a game can be filled, each after its options.
//!
//! Coordinates are put one after the other, each with a direction in which no move goes back; moves that surely go on
//! in it need no further one. What is found here is a proposal: who fills positions in this order sees whether it holds.

use super::super::syntax::Operator;
use super::super::tree::{Assignment, Clause, Coordinate, Fold, Int, IntKind, ListKind, Move, MoveBody, Rules};
use super::Interval;
use super::narrow::Known;
use super::side::Side;
use super::tour::Tour;
use crate::position::Axis;

/// In which order positions are filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The slowest coordinate first.
    pub axes: Vec<Axis>,
    /// How many of the coordinates before the last tell rows that are filled abreast: every move between these goes on
    /// along them.
    pub abreast: usize,
}

/// Rows that are no longer than this are better filled abreast, along another coordinate.
const SHORT: usize = 8;

/// Orders to be tried for positions within these bounds.
#[must_use]
pub fn orders(rules: &Rules, within: &[Interval]) -> Vec<Order> {
    let mut tour = Tour::new(rules);
    tour.begin(within);
    let definite = rules.moves.iter().map_while(|made| definite_growth(rules, made, tour.begun()));
    let mut open: Vec<Vec<Interval>> = definite.collect();
    if open.len() < rules.moves.len() {
        open.clear();
        for made in &rules.moves {
            tour.each_going_on(made, &mut |here, _| open.push(growth(rules, made, here)));
        }
    }
    arranged(open, within)
}

/// The same, where each way to make a move changes coordinates by so much.
pub(super) fn arranged(mut open: Vec<Vec<Interval>>, within: &[Interval]) -> Vec<Order> {
    let axis = |coordinate: usize, down| {
        let bounds = within.get(coordinate).copied().unwrap_or(Interval::one(0));
        Axis { coordinate, down, low: bounds.low, high: bounds.high }
    };
    // what no move changes stands first
    let stays = |at: &usize| open.iter().all(|growth| growth[*at] == Interval::one(0));
    let (still, mut left): (Vec<usize>, Vec<usize>) = (0..within.len()).partition(stays);
    let mut axes: Vec<Axis> = still.into_iter().map(|coordinate| axis(coordinate, false)).collect();
    let unmoved = axes.len();
    while !open.is_empty() && !left.is_empty() {
        // what moves raise is filled from above; surely, if some of them do in any case
        let goes = |at: usize, surely: bool| {
            let up = open.iter().all(|growth| growth[at].low >= 0);
            let down = open.iter().all(|growth| growth[at].high <= 0);
            let sure = open.iter().any(|growth| growth[at].low > 0 || growth[at].high < 0);
            ((up || down) && (sure || !surely)).then(|| axis(at, up))
        };
        let found = left.iter().find_map(|at| goes(*at, true)).or_else(|| left.iter().find_map(|at| goes(*at, false)));
        let Some(found) = found else {
            // what is not seen from bounds may still hold: whoever fills the table sees it
            let proposed = |down| axes.iter().copied().chain(left.iter().map(|at| axis(*at, down))).collect();
            return [true, false].map(|down| Order { axes: proposed(down), abreast: 0 }).to_vec();
        };
        left.retain(|at| *at != found.coordinate);
        open.retain(|growth| {
            let growth = growth[found.coordinate];
            if found.down { growth.low <= 0 } else { growth.high >= 0 }
        });
        axes.push(found);
    }
    // what moves change to and fro stands last
    let free = left.into_iter().map(|coordinate| axis(coordinate, false));
    let usual = Order { axes: axes.iter().copied().chain(free.clone()).collect(), abreast: 0 };
    let is_short = |axis: &Axis| axis.size().is_some_and(|size| size <= SHORT);
    let short = usual.axes.last().is_some_and(is_short) && free.len() > 0;
    let moved = axes.len() > unmoved;
    let Some(along) = axes.pop_if(|along| moved && short && !is_short(along)) else { return vec![usual] };
    let abreast = free.len();
    axes.extend(free.chain([along]));
    vec![Order { axes, abreast }, usual]
}

/// By how much a move without loops changes each coordinate, where each surely grows, shrinks or stays: then more need not
/// be known of where the move is made.
fn definite_growth(rules: &Rules, made: &Move, known: &Known<'_>) -> Option<Vec<Interval>> {
    if made.clauses.iter().any(|clause| matches!(clause, Clause::For { .. })) {
        return None;
    }
    let growth = growth(rules, made, known);
    let definite = |growth: &Interval| growth.low > 0 || growth.high < 0 || *growth == Interval::one(0);
    growth.iter().all(definite).then_some(growth)
}

/// By how much a move changes each coordinate.
fn growth(rules: &Rules, made: &Move, known: &Known<'_>) -> Vec<Interval> {
    let mut growth = vec![Interval::one(0); known.coordinates.len()];
    let [body] = &made.parts[..] else { return vec![Interval::ALL; growth.len()] };
    match body {
        MoveBody::Position(coordinates) => {
            let mut at = 0;
            for entry in &coordinates.entries {
                match entry {
                    Coordinate::Int(int) => {
                        growth[at] = known.growth_of(at, int);
                        at += 1;
                    }
                    Coordinate::List(list, cells) => {
                        let stays = matches!(list.kind, ListKind::Array(array) if array.offset == at);
                        growth[at..at + cells].fill(if stays { Interval::one(0) } else { Interval::ALL });
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
                                let one = index.low == index.high;
                                growth[at] = if one { known.growth_of(at, value) } else { Interval::ALL };
                            }
                        }
                    }
                    Assignment::Array(array, _) => {
                        growth[array.offset..array.offset + array.length].fill(Interval::ALL);
                    }
                }
            }
        }
    }
    if let Some(turn) = rules.turn {
        growth[turn] = Interval { low: -1, high: 1 };
    }
    growth
}

/// A sum of coordinates and loop variables, each so many times, and a number between bounds.
struct Sum {
    /// The coordinate with which it is compared.
    of: Option<usize>,
    terms: Vec<(Term, i64)>,
    rest: Interval,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Term {
    Coordinate(usize),
    Loop(usize),
    Parameter(usize),
}

impl Known<'_> {
    /// By how much an expression is more than a coordinate.
    fn growth_of(&self, at: usize, int: &Int) -> Interval {
        let here = self.coordinates.get(at).is_some_and(|bounds| !bounds.is_empty());
        if matches!(int.kind, IntKind::Variable(other) if other == at) && here && self.knows_no_difference() {
            return Interval::one(0);
        }
        if let Some(growth) = self.scaled(at, int) {
            return growth;
        }
        if let IntKind::If(_, yes, no) = &int.kind {
            return self.growth_of(at, yes).hull(self.growth_of(at, no));
        }
        // the difference itself may be known
        let direct = self.difference(int.into(), Side::Coordinate(at));
        let mut sum = Sum { of: Some(at), terms: Vec::new(), rest: Interval::one(0) };
        self.add(int, 1, &mut sum);
        sum.count(Term::Coordinate(at), -1);
        self.value(&sum).meet(direct)
    }

    /// Quotients and products of the coordinate itself, which the sum of bounds would lose.
    fn scaled(&self, at: usize, int: &Int) -> Option<Interval> {
        let is_it = |int: &Int| self.coordinate(int) == Some(at);
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
            IntKind::Fold(fold @ (Fold::Max | Fold::Min), operands) => {
                // the coordinate in question, and something that only adds or only takes away
                let wanted = sum.of;
                let here = operands.iter().any(|operand| self.coordinate(operand) == wanted);
                let (Some(at), true) = (wanted, here) else {
                    sum.rest = sum.rest.plus(Interval::one(times).times(self.int(int)));
                    return;
                };
                let far = self.int(int).minus(self.coordinates.get(at).copied().unwrap_or(Interval::ALL));
                let more = match fold {
                    Fold::Max => Interval { low: 0, high: far.high.max(0) },
                    _ => Interval { low: far.low.min(0), high: 0 },
                };
                sum.count(Term::Coordinate(at), times);
                sum.rest = sum.rest.plus(Interval::one(times).times(more));
            }
            IntKind::Loop(slot) => sum.count(Term::Loop(*slot), times),
            IntKind::Parameter(at) => sum.count(Term::Parameter(*at), times),
            IntKind::Cell(..) => match self.coordinate(int) {
                Some(at) => sum.count(Term::Coordinate(at), times),
                None => sum.rest = Interval::ALL,
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
        let bounds = |term: Term| match term {
            Term::Coordinate(at) => self.coordinates.get(at).copied().unwrap_or(Interval::ALL),
            Term::Loop(slot) => self.loop_bounds(slot),
            Term::Parameter(at) => self.parameters.get(at).copied().unwrap_or(Interval::ALL),
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
