//! What the moves of a one-pile game take from the pile, where the periodicity theorem for octal games applies.
//!
//! The theorem needs that every move takes a bounded amount, leaves at most two heaps, and may leave the same whatever
//! the sizes, small heaps aside. The texts are read for the first: the pile stands in sums only, so that a move depends
//! on it through comparisons with numbers of a known size. Beyond those sizes nothing new can come, and up to them
//! every heap is looked at.
//!
//! Source: R. Guy, C. Smith, "The G-values of various games", 1956; A. Siegel, *Combinatorial Game Theory*, ch. IV.2.

use std::collections::{BTreeMap, BTreeSet};

use super::eval::{Reading, look};
use super::sight::Options;
use super::syntax::Operator;
use super::tree::{
    Binding, Bool, BoolKind, Clause, Coordinate, Fold, Heaps, Int, IntKind, List, ListKind, Move, MoveBody, Range,
    Rules, Scalar, StateVariable,
};

/// The largest heap that is looked at to see that moves leave the same whatever the size; and where none splits.
const LARGEST: i64 = 3000;
const LARGEST_WITHOUT_SPLITS: i64 = 200_000;

/// What moves take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Takes {
    /// The most that a move takes.
    pub most: u64,
    /// Whether a move may leave two heaps.
    pub splits: bool,
    /// Heaps from this size on are all alike to a move that leaves them.
    pub settled: u64,
}

/// What the moves of these rules take.
///
/// # Errors
///
/// Why the periodicity theorem does not apply.
pub fn takes(rules: &Rules) -> Result<Takes, String> {
    if let Some(Heaps::Octal(code)) = &rules.heaps {
        let most = code.digits.iter().rposition(|digit| *digit != 0).unwrap_or(0);
        return Ok(Takes {
            most: u64::try_from(most).unwrap_or(u64::MAX),
            splits: code.digits.iter().any(|digit| digit & 4 != 0),
            settled: 1,
        });
    }
    if rules.puzzle {
        return Err("it belongs to games of two players".to_owned());
    }
    if !matches!(&rules.state[..], [StateVariable { length: None, .. }]) {
        return Err("it needs a game with one pile: a state of one number".to_owned());
    }
    if !rules.parameters.is_empty() {
        return Err("the rules read a parameter; write a constant, and variants for other values".to_owned());
    }
    if rules.turn.is_some() || !rules.last_mover_wins() {
        return Err("it needs a game in which both players have the same moves and the last mover wins".to_owned());
    }
    let mut sizes = Sizes::default();
    for made in &rules.moves {
        sizes.of_move(made).map_err(|reason| format!("the move \"{}\" {reason}", made.name))?;
    }
    for (condition, name) in [(&rules.end, "end"), (&rules.legal, "legal")] {
        if let Some(condition) = condition {
            sizes.condition(condition).map_err(|reason| format!("`{name}` {reason}"))?;
        }
    }
    sizes.looked_at(rules)
}

/// A sum: so many times the pile, so many times each loop variable that runs with the pile, and a number in a range.
#[derive(Clone, Debug, Default)]
struct Linear {
    pile: i64,
    free: BTreeMap<usize, i64>,
    low: i64,
    high: i64,
}

impl Linear {
    fn number(low: i64, high: i64) -> Self {
        Self { low, high, ..Self::default() }
    }

    fn is_number(&self) -> bool {
        self.pile == 0 && self.free.values().all(|times| *times == 0)
    }

    fn plus(&self, other: &Self, times: i64) -> Option<Self> {
        let mut sum = self.clone();
        let scaled = |value: i64| value.checked_mul(times);
        sum.pile = sum.pile.checked_add(scaled(other.pile)?)?;
        for (slot, count) in &other.free {
            let entry = sum.free.entry(*slot).or_default();
            *entry = entry.checked_add(scaled(*count)?)?;
        }
        let ends = [scaled(other.low)?, scaled(other.high)?];
        sum.low = sum.low.checked_add(ends[0].min(ends[1]))?;
        sum.high = sum.high.checked_add(ends[0].max(ends[1]))?;
        Some(sum)
    }
}

/// The sizes of the numbers with which the pile, or a part of it, is compared.
#[derive(Debug, Default)]
struct Sizes {
    largest: i64,
    most: i64,
    /// The loop variables in reach: those with a number in a range, and those that run with the pile.
    loops: BTreeMap<usize, Option<(i64, i64)>>,
}

type Read<T> = Result<T, String>;

fn beyond<T>() -> Read<T> {
    Err("uses the pile otherwise than in sums and comparisons".to_owned())
}

impl Sizes {
    fn of_move(&mut self, made: &Move) -> Read<()> {
        self.loops.clear();
        for clause in &made.clauses {
            match clause {
                Clause::If(condition) => self.condition(condition)?,
                Clause::For { binding: Binding::Value(slot), range, .. } => self.bind(*slot, range)?,
                Clause::For { .. } => return Err("goes over a table".to_owned()),
            }
        }
        if made.parts.len() > 2 {
            return Err(format!("leaves {} heaps; at most two are allowed", made.parts.len()));
        }
        let mut taken = Linear { pile: 1, ..Linear::default() };
        for part in &made.parts {
            let part = match part {
                MoveBody::Position(coordinates) => match &coordinates.entries[..] {
                    [Coordinate::Int(int)] => self.linear(int)?,
                    _ => return beyond(),
                },
                MoveBody::Assign(assignments) => match &assignments[..] {
                    [super::tree::Assignment::Variable(_, int)] => self.linear(int)?,
                    _ => return beyond(),
                },
            };
            self.compared(&part)?;
            taken = taken.plus(&part, -1).map_or_else(beyond, Ok)?;
        }
        if !taken.is_number() {
            return Err("takes an amount that grows with the pile".to_owned());
        }
        self.most = self.most.max(taken.high);
        Ok(())
    }

    /// A loop variable with its range.
    fn bind(&mut self, slot: usize, range: &Range) -> Read<()> {
        let bounds = match range {
            Range::Span { low, high, .. } => {
                let (low, high) = (self.bound(low)?, self.bound(high)?);
                low.0.zip(high.1)
            }
            Range::List(list) => Some(self.entries(list)?),
            Range::Table(_) => return Err("goes over a table".to_owned()),
        };
        if bounds.is_none() && self.loops.values().any(Option::is_none) {
            return Err("has two loops that run with the pile".to_owned());
        }
        self.loops.insert(slot, bounds);
        Ok(())
    }

    /// The end of a range: a sum, half of one, the least or greatest of several, or one of two. Returned are the least
    /// and the greatest number that it can be, as far as there are such.
    fn bound(&mut self, int: &Int) -> Read<(Option<i64>, Option<i64>)> {
        match &int.kind {
            IntKind::Fold(fold @ (Fold::Min | Fold::Max), several) => {
                let bounds = several.iter().map(|one| self.bound(one)).collect::<Read<Vec<_>>>()?;
                let (lows, highs): (Vec<Option<i64>>, Vec<Option<i64>>) = bounds.into_iter().unzip();
                let all = |ends: &[Option<i64>]| ends.iter().copied().collect::<Option<Vec<i64>>>();
                Ok(match fold {
                    // the least is no more than any of them
                    Fold::Min => {
                        (all(&lows).and_then(|lows| lows.into_iter().min()), highs.iter().flatten().min().copied())
                    }
                    _ => (lows.iter().flatten().max().copied(), all(&highs).and_then(|highs| highs.into_iter().max())),
                })
            }
            IntKind::If(condition, yes, no) => {
                self.condition(condition)?;
                let (yes, no) = (self.bound(yes)?, self.bound(no)?);
                let ends =
                    |a: Option<i64>, b: Option<i64>, pick: fn(i64, i64) -> i64| a.zip(b).map(|(a, b)| pick(a, b));
                Ok((ends(yes.0, no.0, i64::min), ends(yes.1, no.1, i64::max)))
            }
            IntKind::Binary(Operator::FloorDiv, whole, two) | IntKind::CeilDiv(whole, two)
                if matches!(two.kind, IntKind::Number(2)) =>
            {
                let whole = self.linear(whole)?;
                self.compared(&whole)?;
                // half of a number is no larger than the number, one way or the other
                let size = whole.low.saturating_abs().max(whole.high.saturating_abs());
                Ok(if whole.is_number() { (Some(-size), Some(size)) } else { (None, None) })
            }
            _ => {
                let sum = self.linear(int)?;
                self.compared(&sum)?;
                Ok(if sum.is_number() { (Some(sum.low), Some(sum.high)) } else { (None, None) })
            }
        }
    }

    fn entries(&mut self, list: &List) -> Read<(i64, i64)> {
        let values: Vec<Linear> = match &list.kind {
            ListKind::Constant(values) => values.iter().map(|value| Linear::number(*value, *value)).collect(),
            ListKind::Items(items) => {
                let mut values = Vec::new();
                for item in items {
                    match item {
                        Scalar::Int(int) => values.push(self.linear(int)?),
                        Scalar::Bool(_) => return beyond(),
                    }
                }
                values
            }
            _ => return Err("goes over a list that is computed; a constant may hold it".to_owned()),
        };
        if !values.iter().all(Linear::is_number) {
            return beyond();
        }
        let low = values.iter().map(|value| value.low).min().unwrap_or(0);
        let high = values.iter().map(|value| value.high).max().unwrap_or(0);
        self.compared(&Linear::number(low, high))?;
        Ok((low, high))
    }

    fn linear(&mut self, int: &Int) -> Read<Linear> {
        match &int.kind {
            IntKind::Number(value) => Ok(Linear::number(*value, *value)),
            IntKind::Variable(_) => Ok(Linear { pile: 1, ..Linear::default() }),
            IntKind::Loop(slot) => match self.loops.get(slot) {
                Some(Some((low, high))) => Ok(Linear::number(*low, *high)),
                _ => Ok(Linear { free: BTreeMap::from([(*slot, 1)]), ..Linear::default() }),
            },
            IntKind::Negative(operand) => {
                let operand = self.linear(operand)?;
                Linear::default().plus(&operand, -1).map_or_else(beyond, Ok)
            }
            IntKind::Binary(operator @ (Operator::Add | Operator::Sub), a, b) => {
                let (a, b) = (self.linear(a)?, self.linear(b)?);
                a.plus(&b, if *operator == Operator::Add { 1 } else { -1 }).map_or_else(beyond, Ok)
            }
            IntKind::Binary(Operator::Mul, a, b) => {
                let (a, b) = (self.linear(a)?, self.linear(b)?);
                let exact = |sum: &Linear| (sum.is_number() && sum.low == sum.high).then_some(sum.low);
                if let Some(times) = exact(&a) {
                    return Linear::default().plus(&b, times).map_or_else(beyond, Ok);
                }
                if let Some(times) = exact(&b) {
                    return Linear::default().plus(&a, times).map_or_else(beyond, Ok);
                }
                if !(a.is_number() && b.is_number()) {
                    return beyond();
                }
                let ends: Option<Vec<i64>> = [(a.low, b.low), (a.low, b.high), (a.high, b.low), (a.high, b.high)]
                    .iter()
                    .map(|(a, b)| a.checked_mul(*b))
                    .collect();
                match ends {
                    Some(ends) => {
                        let (low, high) = (ends.iter().min().copied(), ends.iter().max().copied());
                        Ok(Linear::number(low.unwrap_or(0), high.unwrap_or(0)))
                    }
                    None => beyond(),
                }
            }
            _ => beyond(),
        }
    }

    fn condition(&mut self, condition: &Bool) -> Read<()> {
        match &condition.kind {
            BoolKind::Truth(_) => Ok(()),
            BoolKind::Not(inner) => self.condition(inner),
            BoolKind::And(a, b) | BoolKind::Or(a, b) => {
                self.condition(a)?;
                self.condition(b)
            }
            BoolKind::Compare(_, a, b) => {
                let (a, b) = (self.linear(a)?, self.linear(b)?);
                let difference = a.plus(&b, -1).map_or_else(beyond, Ok)?;
                self.compared(&difference)
            }
            BoolKind::In(_, needle, range) => {
                let needle = self.linear(needle)?;
                let bounds = match range.as_ref() {
                    Range::Span { low, high, .. } => vec![self.linear(low)?, self.linear(high)?],
                    Range::List(list) => {
                        let (low, high) = self.entries(list)?;
                        vec![Linear::number(low, high)]
                    }
                    Range::Table(_) => return beyond(),
                };
                for bound in bounds {
                    let difference = needle.plus(&bound, -1).map_or_else(beyond, Ok)?;
                    self.compared(&difference)?;
                }
                Ok(())
            }
            _ => beyond(),
        }
    }

    /// Notes a sum that is compared with 0.
    fn compared(&mut self, sum: &Linear) -> Read<()> {
        let single = |times: &i64| (-1..=1).contains(times);
        // the pile alone may be taken several times: it is still compared with a number
        let alone = sum.free.values().all(|times| *times == 0);
        if !(alone || single(&sum.pile)) || !sum.free.values().all(single) {
            return beyond();
        }
        self.largest = self.largest.max(sum.low.saturating_abs()).max(sum.high.saturating_abs());
        Ok(())
    }

    /// Looks at every heap up to the size beyond which nothing new can come.
    fn looked_at(&self, rules: &Rules) -> Read<Takes> {
        let size = self.largest.saturating_add(self.most.max(0));
        let end = size.saturating_mul(6).saturating_add(24);
        let splits = rules.moves.iter().any(|made| made.parts.len() > 1);
        if end > if splits { LARGEST } else { LARGEST_WITHOUT_SPLITS } {
            return Err(format!("the numbers in the rules are too large to see what moves leave, {size} in all"));
        }
        let mut left = Left::default();
        let (mut options, mut reading) = (Options::default(), Reading::new(rules.slots));
        for heap in 0..=end {
            look(rules, &[heap], &mut options, &mut reading).map_err(|_| format!("a rule error at the heap {heap}"))?;
            for (_, parts) in options.iter() {
                left.add(heap, parts)?;
            }
        }
        left.settled(end)
    }
}

/// Which heaps moves leave: by what is taken, the smaller first.
#[derive(Default)]
struct Left {
    one: BTreeMap<i64, BTreeSet<i64>>,
    two: BTreeMap<i64, BTreeSet<(i64, i64)>>,
}

impl Left {
    fn add(&mut self, heap: i64, parts: &[i64]) -> Read<()> {
        let taken = heap - parts.iter().sum::<i64>();
        match parts {
            [part] if taken > 0 => {
                self.one.entry(taken).or_default().insert(*part);
            }
            [a, b] if taken >= 0 && *a >= 0 && *b >= 0 => {
                self.two.entry(taken).or_default().insert((*a.min(b), *a.max(b)));
            }
            [_] => return Err(format!("a move takes nothing from the heap {heap}")),
            _ => return Err(format!("a move leaves more than there was of the heap {heap}, or less than nothing")),
        }
        Ok(())
    }

    /// From which size on heaps are all alike.
    fn settled(&self, end: i64) -> Read<Takes> {
        let most = self.one.keys().chain(self.two.keys()).max().copied().unwrap_or(0);
        let splits = !self.two.is_empty();
        let alike = |size: i64| {
            let one = self.one.iter().all(|(taken, parts)| {
                let has = |part: i64| parts.contains(&part);
                (size..=end - taken).all(|part| has(part) == has(size))
            });
            let two = self.two.iter().all(|(taken, parts)| {
                let has = |a: i64, b: i64| parts.contains(&(a.min(b), a.max(b)));
                (0..=end - taken).all(|a| (a..=end - taken - a).all(|b| has(a, b) == has(a.min(size), b.min(size))))
            });
            one && two
        };
        // sizes up to a sixth were those that the rules compare with
        match (0..=end / 6).find(|size| alike(*size)) {
            Some(settled) => Ok(Takes {
                most: u64::try_from(most).unwrap_or(0),
                splits,
                settled: u64::try_from(settled).unwrap_or(0),
            }),
            None => Err("what a move may leave depends on the sizes of the heaps, however large, such as on two heaps being unequal".to_owned()),
        }
    }
}
