//! The moves of a game with one pile, read as runs: where a loop goes through the parts that are left one by one.
//!
//! A number of the texts is followed as a multiple of the loop variable plus a number, for one heap at a time, so that a
//! whole loop costs as much as one of its moves. What is not of this kind, what could come near an overflow and
//! whatever is no heap smaller than the one before is not told; the compiled rules are asked then, and name the error.

use crate::faults::{Wrong, planted};
use crate::lang::number::MOVE_LIMIT;
use crate::lang::tree::{
    Assignment, Binding, Bool, BoolKind, Clause, Coordinate, Fold, Int, IntKind, List, ListKind, Move, MoveBody, Range,
    Rules, Scalar, StateVariable,
};
use crate::lang::{Comparison, Operator};

/// The most moves that are told apart, once loops over lists are written out, and the longest loop within loops.
const LINES: usize = 1024;
const WRITTEN_OUT: i64 = 64;

/// Multiples of the loop variable, the variable itself, and other numbers stay below these, so that no text overflows.
const MOST_TIMES: u64 = 1 << 20;
const LARGEST_LOOPED: u64 = 1 << 32;
const LARGEST: u64 = 1 << 56;

/// What is left of a heap: one heap of each size from `low` to `high`, or each of these with what it leaves of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) low: usize,
    pub(super) high: usize,
    pub(super) sum: Option<usize>,
}

/// The moves of a game with one pile.
pub(super) struct Runs {
    end: Option<Condition>,
    lines: Vec<Line>,
    /// The values that the loop variable takes, from the first to the last of each stretch.
    looped: Vec<(i64, i64)>,
}

/// A move text with at most one loop.
#[derive(Clone)]
struct Line {
    guards: Vec<Condition>,
    /// The first value of the loop variable, and the one after the last.
    looped: Option<(Number, Number)>,
    /// One or two.
    parts: Vec<Number>,
}

#[derive(Clone)]
enum Number {
    Exact(i64),
    Heap,
    Looped,
    Binary(Operator, Box<Number>, Box<Number>),
    /// Rounded up.
    CeilDiv(Box<Number>, Box<Number>),
    Least(Vec<Number>),
    Greatest(Vec<Number>),
    If(Box<Condition>, Box<Number>, Box<Number>),
}

#[derive(Clone)]
enum Condition {
    Truth(bool),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
    Compare(Comparison, Number, Number),
}

/// So many times the loop variable, and a number.
#[derive(Clone, Copy)]
struct Value {
    times: i64,
    plus: i64,
}

impl Runs {
    /// The moves of these rules, if a game with one pile has them and a loop is worth it.
    pub(super) fn of(rules: &Rules) -> Option<Self> {
        let one_pile = matches!(&rules.state[..], [StateVariable { length: None, .. }]) && rules.tail() == 0;
        if !one_pile || rules.legal.is_some() {
            return None;
        }
        let end = rules.end.as_ref().map(|end| Condition::read(end, &[])).map_or(Some(None), |end| end.map(Some))?;
        let mut lines = Vec::new();
        for made in &rules.moves {
            Line::read(made, &mut lines)?;
        }
        let worth_it = lines.iter().any(|line| line.looped.is_some());
        worth_it.then_some(Self { end, lines, looped: Vec::new() })
    }

    /// Puts what moves leave of a heap into `runs`; none where that is not told here.
    pub(super) fn look(&mut self, heap: usize, runs: &mut Vec<Run>) -> Option<()> {
        runs.clear();
        let pile = i64::try_from(heap).ok().filter(|pile| pile.unsigned_abs() < LARGEST_LOOPED)?;
        if self.end.as_ref().map_or(Some(false), |end| end.holds(pile))? {
            return Some(());
        }
        let mut steps = 0;
        for line in &self.lines {
            steps += line.stretches(pile, &mut self.looped)?;
            // well below what moves and steps may be
            if usize::try_from(steps).map_or(true, |steps| steps > MOVE_LIMIT) {
                return None;
            }
            self.looped.iter().try_for_each(|(first, last)| line.leave(pile, *first, *last, runs))?;
        }
        Some(())
    }
}

impl Line {
    /// Reads a move text, and writes out all loops but the last.
    fn read(made: &Move, lines: &mut Vec<Self>) -> Option<()> {
        let mut parts = Vec::new();
        for part in &made.parts {
            parts.push(match part {
                MoveBody::Position(coordinates) => match &coordinates.entries[..] {
                    [Coordinate::Int(int)] => int,
                    _ => return None,
                },
                MoveBody::Assign(assignments) => match &assignments[..] {
                    [Assignment::Variable(_, int)] => int,
                    _ => return None,
                },
            });
        }
        let line = Self { guards: Vec::new(), looped: None, parts: Vec::new() };
        if parts.len() > 2 { None } else { line.read_on(&made.clauses, &parts, &mut Vec::new(), lines) }
    }

    /// Reads the clauses that are left; `known` are the loop variables so far.
    fn read_on(
        mut self,
        clauses: &[Clause],
        parts: &[&Int],
        known: &mut Vec<(usize, Number)>,
        lines: &mut Vec<Self>,
    ) -> Option<()> {
        let Some((clause, rest)) = clauses.split_first() else {
            self.parts = parts.iter().map(|part| Number::read(part, known)).collect::<Option<_>>()?;
            lines.push(self);
            return (lines.len() <= LINES).then_some(());
        };
        let (slot, values) = match clause {
            Clause::If(condition) => {
                self.guards.push(Condition::read(condition, known)?);
                return self.read_on(rest, parts, known, lines);
            }
            Clause::For { binding: Binding::Value(slot), range: Range::Span { low, high, inclusive }, .. } => {
                let (low, high) = (Number::read(low, known)?, Number::read(high, known)?);
                let one = Number::Exact(i64::from(*inclusive));
                let past = Number::Binary(Operator::Add, Box::new(high), Box::new(one));
                if !rest.iter().any(|clause| matches!(clause, Clause::For { .. })) {
                    self.looped = Some((low, past));
                    known.push((*slot, Number::Looped));
                    let read = self.read_on(rest, parts, known, lines);
                    known.pop();
                    return read;
                }
                let (low, past) = (low.constant()?, past.constant()?);
                past.checked_sub(low).filter(|values| *values <= WRITTEN_OUT)?;
                (*slot, (low..past).map(Number::Exact).collect())
            }
            Clause::For { binding: Binding::Value(slot), range: Range::List(list), .. } => {
                (*slot, Number::read_all(list, known)?)
            }
            Clause::For { .. } => return None,
        };
        for value in values {
            known.push((slot, value));
            let read = self.clone().read_on(rest, parts, known, lines);
            known.pop();
            read?;
        }
        Some(())
    }

    /// The values of the loop variable for which there is a move, and how many are gone through.
    fn stretches(&self, pile: i64, looped: &mut Vec<(i64, i64)>) -> Option<i64> {
        looped.clear();
        let (first, past) = match &self.looped {
            Some((first, past)) => (first.exact(pile)?, past.exact(pile)?),
            // one move, whatever the variable
            None => (0, 1),
        };
        if first.unsigned_abs().max(past.unsigned_abs()) >= LARGEST_LOOPED {
            return None;
        }
        if first < past {
            looped.push((first, past - 1 - i64::from(past - first > 1 && planted(Wrong::RunWithoutItsEnd))));
        }
        self.guards.iter().try_for_each(|guard| guard.narrow(pile, looped))?;
        Some((past - first).max(0))
    }

    /// What the moves of a stretch leave.
    fn leave(&self, pile: i64, first: i64, last: i64, runs: &mut Vec<Run>) -> Option<()> {
        let part = |number: usize| self.parts.get(number).map_or(Some(None), |part| part.at(pile).map(Some));
        let (part, other) = (part(0)??, part(1)?);
        // what is left grows or shrinks with the variable: the ends show that it is a smaller heap throughout
        for part in other.into_iter().chain([part]) {
            let fits = |looped| (0..pile).contains(&part.with(looped));
            if !fits(first) || !fits(last) {
                return None;
            }
        }
        let size = |value: i64| usize::try_from(value).ok();
        let mut push = |from: i64, to: i64| {
            let ends = [from, to].map(|looped| part.with(looped));
            let sum = other.map(|other| part.with(from) + other.with(from));
            let sum = if let Some(sum) = sum { Some(size(sum)?) } else { None };
            runs.push(Run { low: size(ends[0].min(ends[1]))?, high: size(ends[0].max(ends[1]))?, sum });
            Some(())
        };
        let whole = part.times.abs() == 1 && other.is_none_or(|other| other.times == -part.times);
        let still = part.times == 0 && other.is_none_or(|other| other.times == 0);
        match (whole, still) {
            (true, _) => push(first, last),
            (_, true) => push(first, first),
            _ => (first..=last).try_for_each(|looped| push(looped, looped)),
        }
    }
}

impl Number {
    fn read(int: &Int, known: &[(usize, Self)]) -> Option<Self> {
        let read = |int: &Int| Self::read(int, known);
        let read_all = |several: &[Int]| several.iter().map(read).collect::<Option<Vec<Self>>>();
        Some(match &int.kind {
            IntKind::Number(value) => Self::Exact(*value),
            IntKind::Variable(0) => Self::Heap,
            IntKind::Loop(slot) => known.iter().find(|(known, _)| known == slot)?.1.clone(),
            IntKind::Negative(of) => Self::Binary(Operator::Sub, Box::new(Self::Exact(0)), Box::new(read(of)?)),
            IntKind::Binary(operator, a, b) => Self::Binary(*operator, Box::new(read(a)?), Box::new(read(b)?)),
            IntKind::CeilDiv(a, b) => Self::CeilDiv(Box::new(read(a)?), Box::new(read(b)?)),
            IntKind::Fold(Fold::Min, several) => Self::Least(read_all(several)?),
            IntKind::Fold(Fold::Max, several) => Self::Greatest(read_all(several)?),
            IntKind::If(condition, yes, no) => {
                Self::If(Box::new(Condition::read(condition, known)?), Box::new(read(yes)?), Box::new(read(no)?))
            }
            _ => return None,
        })
    }

    fn read_all(list: &List, known: &[(usize, Self)]) -> Option<Vec<Self>> {
        match &list.kind {
            ListKind::Constant(values) if values.len() <= LINES => {
                Some(values.iter().map(|value| Self::Exact(*value)).collect())
            }
            ListKind::Items(items) => {
                let item = |item: &Scalar| if let Scalar::Int(int) = item { Self::read(int, known) } else { None };
                items.iter().map(item).collect()
            }
            _ => None,
        }
    }

    /// Its value where it rests on neither the heap nor a loop.
    fn constant(&self) -> Option<i64> {
        match self {
            Self::Exact(value) => Some(*value),
            Self::Binary(operator, a, b) => {
                let (plus, other) = (a.constant()?, b.constant()?);
                Value { times: 0, plus }.with_operator(*operator, Value { times: 0, plus: other })?.exact()
            }
            _ => None,
        }
    }

    fn exact(&self, pile: i64) -> Option<i64> {
        self.at(pile)?.exact()
    }

    /// Its value for a heap.
    fn at(&self, pile: i64) -> Option<Value> {
        let exact = |plus: i64| Value { times: 0, plus };
        let value = match self {
            Self::Exact(value) => exact(*value),
            Self::Heap => exact(pile),
            Self::Looped => Value { times: 1, plus: 0 },
            Self::Binary(operator, a, b) => a.at(pile)?.with_operator(*operator, b.at(pile)?)?,
            Self::CeilDiv(a, b) => {
                let (a, b) = (a.exact(pile)?, b.exact(pile)?);
                exact(if b > 0 { -(-a).div_euclid(b) } else { return None })
            }
            Self::Least(several) => exact(Self::each(several, pile, i64::min)?),
            Self::Greatest(several) => exact(Self::each(several, pile, i64::max)?),
            Self::If(condition, yes, no) => {
                if condition.holds(pile)? {
                    yes.at(pile)?
                } else {
                    no.at(pile)?
                }
            }
        };
        let small = value.times.unsigned_abs() < MOST_TIMES && value.plus.unsigned_abs() < LARGEST;
        small.then_some(value)
    }

    fn each(several: &[Self], pile: i64, pick: fn(i64, i64) -> i64) -> Option<i64> {
        let (first, rest) = several.split_first()?;
        rest.iter().try_fold(first.exact(pile)?, |picked, one| Some(pick(picked, one.exact(pile)?)))
    }
}

impl Value {
    /// The number where no loop variable is in it.
    fn exact(self) -> Option<i64> {
        (self.times == 0).then_some(self.plus)
    }

    const fn with(self, looped: i64) -> i64 {
        self.times * looped + self.plus
    }

    fn with_operator(self, operator: Operator, other: Self) -> Option<Self> {
        let (times, plus) = match operator {
            Operator::Add => (self.times.checked_add(other.times)?, self.plus.checked_add(other.plus)?),
            Operator::Sub => (self.times.checked_sub(other.times)?, self.plus.checked_sub(other.plus)?),
            Operator::Mul => {
                let (of, factor) = if other.times == 0 { (self, other.plus) } else { (other, self.exact()?) };
                (of.times.checked_mul(factor)?, of.plus.checked_mul(factor)?)
            }
            // for a positive divisor these round as the language does
            Operator::FloorDiv if other.exact()? > 0 => (0, self.exact()?.div_euclid(other.plus)),
            Operator::FloorMod if other.exact()? > 0 => (0, self.exact()?.rem_euclid(other.plus)),
            _ => return None,
        };
        Some(Self { times, plus })
    }
}

impl Condition {
    fn read(bool: &Bool, known: &[(usize, Number)]) -> Option<Self> {
        let read = |bool: &Bool| Self::read(bool, known).map(Box::new);
        Some(match &bool.kind {
            BoolKind::Truth(truth) => Self::Truth(*truth),
            BoolKind::Not(of) => Self::Not(read(of)?),
            BoolKind::And(a, b) => Self::And(read(a)?, read(b)?),
            BoolKind::Or(a, b) => Self::Or(read(a)?, read(b)?),
            BoolKind::Compare(comparison, a, b) => {
                Self::Compare(*comparison, Number::read(a, known)?, Number::read(b, known)?)
            }
            _ => return None,
        })
    }

    /// Whether it holds, whatever the loop variable.
    fn holds(&self, pile: i64) -> Option<bool> {
        Some(match self {
            Self::Truth(truth) => *truth,
            Self::Not(of) => !of.holds(pile)?,
            Self::And(a, b) => a.holds(pile)? && b.holds(pile)?,
            Self::Or(a, b) => a.holds(pile)? || b.holds(pile)?,
            Self::Compare(comparison, a, b) => {
                let (a, b) = (a.exact(pile)?, b.exact(pile)?);
                match comparison {
                    Comparison::Less => a < b,
                    Comparison::AtMost => a <= b,
                    Comparison::Greater => a > b,
                    Comparison::AtLeast => a >= b,
                    Comparison::Equal => a == b,
                    Comparison::Unequal => a != b,
                }
            }
        })
    }

    /// Leaves of the stretches of the loop variable what it holds for.
    fn narrow(&self, pile: i64, stretches: &mut Vec<(i64, i64)>) -> Option<()> {
        match self {
            Self::And(a, b) => {
                a.narrow(pile, stretches)?;
                return b.narrow(pile, stretches);
            }
            Self::Compare(comparison, a, b) => {
                let difference = a.at(pile)?.with_operator(Operator::Sub, b.at(pile)?)?;
                if difference.times != 0 {
                    difference.narrow(*comparison, stretches);
                    return Some(());
                }
            }
            _ => {}
        }
        if !self.holds(pile)? {
            stretches.clear();
        }
        Some(())
    }
}

impl Value {
    /// Leaves of the stretches what makes it less than 0, at most 0, and so on.
    fn narrow(self, comparison: Comparison, stretches: &mut Vec<(i64, i64)>) {
        // with a positive factor: the variable is compared with -plus / times
        let Self { times, plus } = self;
        let (times, plus, comparison) = match comparison {
            _ if times > 0 => (times, plus, comparison),
            Comparison::Less => (-times, -plus, Comparison::Greater),
            Comparison::AtMost => (-times, -plus, Comparison::AtLeast),
            Comparison::Greater => (-times, -plus, Comparison::Less),
            Comparison::AtLeast => (-times, -plus, Comparison::AtMost),
            same => (-times, -plus, same),
        };
        let (down, up) = ((-plus).div_euclid(times), -plus.div_euclid(times));
        let (low, high) = match comparison {
            Comparison::Less => (i64::MIN, up - i64::from(!planted(Wrong::RunTooLong))),
            Comparison::AtMost => (i64::MIN, down),
            Comparison::Greater => (down + 1, i64::MAX),
            Comparison::AtLeast => (up, i64::MAX),
            Comparison::Equal => (up, down),
            Comparison::Unequal if up == down => {
                let sides = |(first, last): (i64, i64)| [(first, last.min(up - 1)), (first.max(up + 1), last)];
                *stretches = stretches.iter().copied().flat_map(sides).collect();
                stretches.retain(|(first, last)| first <= last);
                return;
            }
            Comparison::Unequal => return,
        };
        for (first, last) in stretches.iter_mut() {
            (*first, *last) = ((*first).max(low), (*last).min(high));
        }
        stretches.retain(|(first, last)| first <= last);
    }
}
