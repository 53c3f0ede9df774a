//! Rules whose moves, guards and ends are sums of multiples of the coordinates, worked out once for a whole box of
//! positions: along any line of it they cost a few operations, whatever its length. What `min`, `max`, `or`, `!=` and
//! conditionals tell apart makes a way of its own.
//!
//! Everything is bounded over the box when it is taken down; what might need more than 64 bits there, or might be an
//! error, is not taken down, and is left to columns ([`super::Columns`]).

mod plain;
mod sum;

use self::plain::{gives_sums, has_no_cases, is_plain};
pub(super) use self::sum::FEW;
pub use self::sum::{Sum, not_negative};
use super::bounds::Interval;
use super::syntax::{Comparison, Operator};
use super::tree::{
    Array, Assignment, Binding, Bool, BoolKind, Clause, Coordinate, Fold, Int, IntKind, List, ListKind, Move, MoveBody,
    Range, Rules, Scalar, Table,
};
use crate::faults::{Wrong, planted};

/// The most ways to make a move that are taken down.
const WAYS: usize = 256;

/// The most cases of one number or condition.
const CASES: usize = 16;

/// No more coordinates than the first that stay no further from 0 than the second, counted no more often than the third: no
/// sum of them is far.
const MANY: usize = 16;
const NEAR: u64 = 1 << 32;
const SELDOM: u64 = 1 << 16;

/// Sums stay nearer to 0 than this, so that two of them can be added.
const FAR: i128 = 1 << 61;

/// One way to make a move.
#[derive(Clone, Debug)]
pub struct Way {
    /// Where none of these is negative, it may be made.
    pub guards: Vec<Sum>,
    /// Where it leads.
    pub to: Vec<Sum>,
    /// Where any of these is negative, the option is over by `end`; nothing is known where that is not taken down.
    pub open: Vec<Sum>,
    /// Where, of any of these lists, none is negative, the option is over by `end`, if that is taken down so.
    pub over: Vec<Vec<Sum>>,
}

/// What is straight in the rules, for positions within a box.
#[derive(Clone, Debug)]
pub struct Straight {
    /// For each move the ways to make it, where it is straight.
    pub moves: Vec<Option<Vec<Way>>>,
    /// Where none of these is negative, the position is not over by `end`; none where that is not straight.
    pub open: Option<Vec<Sum>>,
    /// Else where, of any of these lists, none is negative, it is over; none where that is not straight either.
    pub over: Option<Vec<Vec<Sum>>>,
}

impl Straight {
    /// Takes down rules that are all straight wherever [`Straight::holds_within`] says so; nothing, where they are not, or
    /// where cases must be told apart, or more than few coordinates.
    #[must_use]
    pub fn anywhere(rules: &Rules) -> Option<Self> {
        if rules.width() > FEW || !has_no_cases(rules) {
            return None;
        }
        let near = i64::try_from(NEAR).ok()?;
        let bounds = vec![Interval { low: -near, high: near }; rules.width()];
        let straight = Self::new(rules, &bounds);
        (straight.open.is_some() && straight.moves.iter().all(Option::is_some)).then_some(straight)
    }

    /// Whether what is straight anywhere is so between these bounds.
    #[must_use]
    pub fn holds_within(bounds: &[Interval]) -> bool {
        let near = |bounds: &Interval| bounds.low.unsigned_abs().max(bounds.high.unsigned_abs()) <= NEAR;
        bounds.len() <= MANY && bounds.iter().all(near)
    }

    /// The ways to make moves that are straight.
    pub fn ways(&self) -> impl Iterator<Item = &Way> {
        self.moves.iter().flatten().flatten()
    }

    /// Takes down what is straight for positions within bounds.
    #[must_use]
    pub fn new(rules: &Rules, bounds: &[Interval]) -> Self {
        let near = Self::holds_within(bounds);
        let taker = Taker { rules, bounds, near, loops: Vec::new(), ways: Vec::new() };
        let own: Vec<Sum> = (0..bounds.len()).map(|at| taker.coordinate(at)).collect();
        let open = rules.end.as_ref().map_or(Some(Vec::new()), |end| only(taker.conditions(end, false, &own)?));
        let end = rules.end.as_ref().filter(|_| open.is_none());
        let over = end.and_then(|end| taker.conditions(end, true, &own));
        let moves = rules.moves.iter().map(|made| {
            let mut taker = Taker { loops: vec![0; rules.slots.values], ways: Vec::new(), ..taker };
            taker.made(made, &own).map(|()| taker.ways)
        });
        Self { moves: moves.collect(), open, over }
    }
}

struct Taker<'r> {
    rules: &'r Rules,
    bounds: &'r [Interval],
    /// Whether all bounds are so near to 0 that a few times them are surely not far.
    near: bool,
    loops: Vec<i64>,
    ways: Vec<Way>,
}

impl Taker<'_> {
    fn coordinate(&self, at: usize) -> Sum {
        let mut sum = Sum::number(0, self.bounds.len());
        sum.count(at, 1);
        sum
    }

    /// The sum, if it is small all over the box.
    fn bounded(&self, sum: Sum) -> Option<Sum> {
        let seldom = |times: i64| times.unsigned_abs() <= SELDOM;
        let are_seldom = || sum.few.into_iter().all(seldom) && sum.more.iter().copied().all(seldom);
        if self.near && sum.plus.unsigned_abs() <= NEAR && are_seldom() {
            return Some(sum);
        }
        let (low, high) = self.range(&sum);
        (low > -FAR && high < FAR).then_some(sum)
    }

    /// The least and the greatest that a sum may be within the box.
    fn range(&self, sum: &Sum) -> (i128, i128) {
        let plus = i128::from(sum.plus);
        sum.each().zip(self.bounds).fold((plus, plus), |(low, high), (times, bounds)| {
            let ends = [bounds.low, bounds.high].map(|end| i128::from(times) * i128::from(end));
            (low + ends[0].min(ends[1]), high + ends[0].max(ends[1]))
        })
    }

    fn add(&self, a: &Sum, b: &Sum, sign: i64) -> Option<Sum> {
        self.bounded(a.with(b, |a, b| a.checked_add(b.checked_mul(sign)?))?)
    }

    fn multiple(&self, sum: &Sum, by: i64) -> Option<Sum> {
        self.bounded(sum.with(sum, |times, _| times.checked_mul(by))?)
    }

    /// What an operator makes of two sums.
    fn combined(&self, operator: Operator, a: &Sum, b: &Sum) -> Option<Sum> {
        match operator {
            Operator::Add => self.add(a, b, 1),
            Operator::Sub => self.add(a, b, if planted(Wrong::StraightDifferenceIsSum) { 1 } else { -1 }),
            Operator::Mul => match (a.as_number(), b.as_number()) {
                (Some(by), _) => self.multiple(b, by),
                (_, Some(by)) => self.multiple(a, by),
                _ => None,
            },
            _ => None,
        }
    }

    /// A number of the rules that is but one sum, where the coordinates are these.
    fn sum(&self, int: &Int, at: &[Sum]) -> Option<Sum> {
        match &int.kind {
            IntKind::Number(number) => self.bounded(Sum::number(*number, self.bounds.len())),
            IntKind::Variable(offset) => at.get(*offset).cloned(),
            IntKind::Loop(slot) => self.bounded(Sum::number(*self.loops.get(*slot)?, self.bounds.len())),
            IntKind::Cell(array, index) => at.get(self.cell(*array, index, at)?).cloned(),
            IntKind::Negative(a) => self.multiple(&self.sum(a, at)?, -1),
            IntKind::Binary(operator, a, b) => self.combined(*operator, &self.sum(a, at)?, &self.sum(b, at)?),
            _ => None,
        }
    }

    /// A number of the rules, where the coordinates are these sums, case by case.
    fn ints(&self, int: &Int, at: &[Sum]) -> Option<Cases<Sum>> {
        match &int.kind {
            _ if is_plain(int) => Some(vec![(Vec::new(), self.sum(int, at)?)]),
            IntKind::Negative(a) => {
                let cases = self.ints(a, at)?.into_iter();
                cases.map(|(guards, sum)| Some((guards, self.multiple(&sum, -1)?))).collect()
            }
            IntKind::Binary(operator @ (Operator::Add | Operator::Sub | Operator::Mul), a, b) => {
                both(&self.ints(a, at)?, &self.ints(b, at)?, |a, b| self.combined(*operator, a, b))
            }
            IntKind::If(condition, a, b) => {
                let mut cases = Cases::new();
                for (truth, int) in [(true, a), (false, b)] {
                    let when: Cases<()> =
                        self.conditions(condition, truth, at)?.into_iter().map(|guards| (guards, ())).collect();
                    cases.extend(both(&when, &self.ints(int, at)?, |(), sum| Some(sum.clone()))?);
                }
                (cases.len() <= CASES).then_some(cases)
            }
            IntKind::Fold(fold @ (Fold::Min | Fold::Max), items) => {
                let (first, rest) = items.split_first()?;
                rest.iter()
                    .try_fold(self.ints(first, at)?, |best, item| self.better(*fold, &best, &self.ints(item, at)?))
            }
            _ => None,
        }
    }

    /// The greater or the lesser of two numbers.
    fn better(&self, fold: Fold, a: &Cases<Sum>, b: &Cases<Sum>) -> Option<Cases<Sum>> {
        let mut cases = Cases::new();
        for ((first, a), (second, b)) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
            let (above, below) = (self.add(a, b, -1)?, self.below(self.add(b, a, -1)?));
            let (greater, lesser) = if fold == Fold::Max { (a, b) } else { (b, a) };
            let told = [(above, greater), (below, lesser)];
            for (guard, taken) in told.into_iter().take(2 - usize::from(planted(Wrong::SecondCaseLeftOut))) {
                cases
                    .extend(joined(&[first.as_slice(), second.as_slice(), &[guard]]).map(|when| (when, taken.clone())));
            }
        }
        (cases.len() <= CASES).then_some(cases)
    }

    /// The number, where there is but one case.
    fn int(&self, int: &Int, at: &[Sum]) -> Option<Sum> {
        if is_plain(int) {
            return self.sum(int, at);
        }
        let mut cases = self.ints(int, at)?;
        if cases.len() == 1 { cases.pop().filter(|(guards, _)| guards.is_empty()).map(|(_, sum)| sum) } else { None }
    }

    /// The offset of an array's cell whose index is a number.
    fn cell(&self, array: Array, index: &Int, at: &[Sum]) -> Option<usize> {
        let index = usize::try_from(self.int(index, at)?.as_number()?).ok()?;
        (index < array.length).then_some(array.offset + index)
    }

    /// One less.
    fn below(&self, mut sum: Sum) -> Sum {
        sum.plus -= i64::from(!planted(Wrong::StraightLessIsAtMost));
        sum
    }

    /// Where the condition is of this truth: where, of some of these lists, no sum is negative.
    fn conditions(&self, bool: &Bool, truth: bool, at: &[Sum]) -> Option<Vec<Vec<Sum>>> {
        let found = match (&bool.kind, truth) {
            (BoolKind::Truth(value), _) => {
                if *value == truth {
                    vec![Vec::new()]
                } else {
                    Vec::new()
                }
            }
            (BoolKind::Not(a), _) => self.conditions(a, !truth, at)?,
            (BoolKind::And(a, b), true) | (BoolKind::Or(a, b), false) => {
                all(&self.conditions(a, truth, at)?, &self.conditions(b, truth, at)?)
            }
            (BoolKind::And(a, b), false) | (BoolKind::Or(a, b), true) => {
                let mut either = self.conditions(a, truth, at)?;
                either.extend(self.conditions(b, truth, at)?);
                either
            }
            (BoolKind::Compare(comparison, a, b), _) => match (comparison, truth) {
                (Comparison::Equal, true) | (Comparison::Unequal, false) => {
                    all(&self.at_least(a, b, false, at)?, &self.at_least(b, a, false, at)?)
                }
                (Comparison::Equal, false) | (Comparison::Unequal, true) => {
                    let mut either = self.at_least(a, b, true, at)?;
                    either.extend(self.at_least(b, a, true, at)?);
                    either
                }
                (Comparison::Less, true) | (Comparison::AtLeast, false) => self.at_least(b, a, true, at)?,
                (Comparison::AtMost, true) | (Comparison::Greater, false) => self.at_least(b, a, false, at)?,
                (Comparison::Greater, true) | (Comparison::AtMost, false) => self.at_least(a, b, true, at)?,
                (Comparison::AtLeast, true) | (Comparison::Less, false) => self.at_least(a, b, false, at)?,
            },
            _ => return None,
        };
        (found.len() <= CASES).then_some(found)
    }

    /// Where one number is at least another, or above it.
    fn at_least(&self, a: &Int, b: &Int, above: bool, at: &[Sum]) -> Option<Vec<Vec<Sum>>> {
        // the least of some is great enough where each of them is, the greatest where one of them is
        let (each, items, of_a) = match (&a.kind, &b.kind) {
            (IntKind::Fold(fold @ (Fold::Min | Fold::Max), items), _) => (*fold == Fold::Min, items, true),
            (_, IntKind::Fold(fold @ (Fold::Min | Fold::Max), items)) => (*fold == Fold::Max, items, false),
            _ => {
                let more = |a: &Sum, b: &Sum| {
                    let more = self.add(a, b, -1)?;
                    Some(if above { self.below(more) } else { more })
                };
                if is_plain(a) && is_plain(b) {
                    let more = more(&self.sum(a, at)?, &self.sum(b, at)?)?;
                    return Some(match more.as_number() {
                        None => vec![vec![more]],
                        Some(0..) => vec![Vec::new()],
                        Some(_) => Vec::new(),
                    });
                }
                let cases = both(&self.ints(a, at)?, &self.ints(b, at)?, more)?;
                return Some(cases.into_iter().filter_map(|(when, more)| joined(&[&when, &[more]])).collect());
            }
        };
        let mut found = if each { vec![Vec::new()] } else { Vec::new() };
        for item in items {
            let here = if of_a { self.at_least(item, b, above, at)? } else { self.at_least(a, item, above, at)? };
            if each {
                found = all(&found, &here);
            } else {
                found.extend(here);
            }
        }
        (found.len() <= CASES).then_some(found)
    }

    fn made(&mut self, made: &Move, own: &[Sum]) -> Option<()> {
        let [body] = &made.parts[..] else { return None };
        self.clauses(&made.clauses, body, &[], own)
    }

    fn clauses(&mut self, clauses: &[Clause], body: &MoveBody, guards: &[Sum], own: &[Sum]) -> Option<()> {
        let Some((clause, rest)) = clauses.split_first() else { return self.way(body, guards, own) };
        let (binding, range) = match clause {
            Clause::If(condition) => {
                for when in self.conditions(condition, true, own)? {
                    if let Some(guards) = joined(&[guards, &when]) {
                        self.clauses(rest, body, &guards, own)?;
                    }
                }
                return Some(());
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
                    let within = [self.add(&here, &low, -1)?, self.add(&last, &here, -1)?];
                    *self.loops.get_mut(*slot)? = value;
                    if let Some(guards) = joined(&[guards, &within]) {
                        self.clauses(rest, body, &guards, own)?;
                    }
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
        let rules = self.rules;
        let reached = if gives_sums(body) {
            vec![(guards.to_vec(), self.plainly(body, own)?)]
        } else {
            self.by_cases(body, guards, own)?
        };
        for (guards, mut to) in reached {
            if let Some(turn) = rules.turn {
                let other = self.add(&Sum::number(3, self.bounds.len()), to.get(turn)?, -1)?;
                *to.get_mut(turn)? = other;
            }
            if to.len() != self.bounds.len() {
                return None;
            }
            let end = rules.end.as_ref();
            let open = || end.and_then(|end| only(self.conditions(end, false, &to)?)).unwrap_or_default();
            let over = |open: &[Sum]| {
                let end = end.filter(|_| open.is_empty());
                end.and_then(|end| self.conditions(end, true, &to)).unwrap_or_default()
            };
            let Some(legal) = rules.legal.as_ref().filter(|_| !planted(Wrong::StraightLegalForgotten)) else {
                if self.ways.len() == WAYS {
                    return None;
                }
                let open = open();
                let over = over(&open);
                self.ways.push(Way { guards, to, open, over });
                continue;
            };
            let (legal, open) = (self.conditions(legal, true, &to)?, open());
            let over = over(&open);
            for guards in legal.iter().filter_map(|legal| joined(&[&guards, legal])) {
                if self.ways.len() == WAYS {
                    return None;
                }
                self.ways.push(Way { guards, to: to.clone(), open: open.clone(), over: over.clone() });
            }
        }
        Some(())
    }

    /// Where a move leads, case by case.
    fn by_cases(&self, body: &MoveBody, guards: &[Sum], own: &[Sum]) -> Option<Cases<Vec<Sum>>> {
        let mut reached = vec![(guards.to_vec(), Vec::new())];
        match body {
            MoveBody::Position(coordinates) => {
                for coordinate in &coordinates.entries {
                    reached = match coordinate {
                        Coordinate::Int(int) => {
                            both(&reached, &self.ints(int, own)?, |to, sum| Some(and_then(to, sum)))?
                        }
                        Coordinate::List(list, length) => {
                            both(&reached, &self.list(list, *length, own)?, |to, sums| {
                                Some([to.as_slice(), sums].concat())
                            })?
                        }
                    };
                }
                let rest = own.get(self.rules.state_width..)?;
                reached.iter_mut().for_each(|(_, to)| to.extend_from_slice(rest));
            }
            MoveBody::Assign(assignments) => {
                reached.iter_mut().for_each(|(_, to)| to.extend_from_slice(own));
                self.assign(assignments, own, &mut reached)?;
            }
        }
        Some(reached)
    }

    fn list(&self, list: &List, length: usize, own: &[Sum]) -> Option<Cases<Vec<Sum>>> {
        let sums: Cases<Vec<Sum>> = match &list.kind {
            ListKind::Constant(values) => {
                let sums = values.iter().map(|value| self.bounded(Sum::number(*value, own.len())));
                vec![(Vec::new(), sums.collect::<Option<_>>()?)]
            }
            ListKind::Array(array) => vec![(Vec::new(), own.get(array.offset..array.offset + array.length)?.to_vec())],
            ListKind::Items(items) => {
                items.iter().try_fold(vec![(Vec::new(), Vec::new())], |sums, item| match item {
                    Scalar::Int(int) => both(&sums, &self.ints(int, own)?, |sums, sum| Some(and_then(sums, sum))),
                    Scalar::Bool(_) => None,
                })?
            }
            _ => return None,
        };
        sums.iter().all(|(_, sums)| sums.len() == length).then_some(sums)
    }

    /// Writes what the assignments say over coordinates, case by case.
    fn assign(&self, assignments: &[Assignment], own: &[Sum], reached: &mut Cases<Vec<Sum>>) -> Option<()> {
        let mut written = Vec::new();
        for assignment in assignments {
            let (at, values) = match assignment {
                Assignment::Variable(at, value) => (*at, one_each(self.ints(value, own)?)),
                Assignment::Cell(array, index, value) => {
                    let at = self.cell(*array, index, own)?;
                    if written.contains(&at) {
                        return None;
                    }
                    written.push(at);
                    (at, one_each(self.ints(value, own)?))
                }
                Assignment::Array(array, list) => (array.offset, self.list(list, array.length, own)?),
            };
            *reached = both(reached, &values, |to, values| {
                let mut to = to.clone();
                to.get_mut(at..at + values.len())?.clone_from_slice(values);
                Some(to)
            })?;
        }
        Some(())
    }
}

fn one_each(cases: Cases<Sum>) -> Cases<Vec<Sum>> {
    cases.into_iter().map(|(guards, sum)| (guards, vec![sum])).collect()
}

fn and_then(sums: &[Sum], sum: &Sum) -> Vec<Sum> {
    let mut longer = Vec::with_capacity(sums.len() + 1);
    longer.extend_from_slice(sums);
    longer.push(sum.clone());
    longer
}

/// What holds in cases: each where none of the sums of its list is negative. Together they leave nothing out; where two
/// hold at once, they say the same.
type Cases<T> = Vec<(Vec<Sum>, T)>;

/// The only list, if there is one alone.
fn only(mut lists: Vec<Vec<Sum>>) -> Option<Vec<Sum>> {
    if lists.len() == 1 { lists.pop() } else { None }
}

/// All guards in one list, without those that hold anyway; none, if they cannot hold together.
fn joined(lists: &[&[Sum]]) -> Option<Vec<Sum>> {
    let mut all: Vec<Sum> = Vec::new();
    for guard in lists.iter().copied().flatten() {
        match guard.as_number() {
            Some(0..) => continue,
            Some(_) => return None,
            None => {}
        }
        if all.iter().any(|other| against(other, guard)) {
            return None;
        }
        if !all.contains(guard) {
            all.push(guard.clone());
        }
    }
    Some(all)
}

/// Whether one of two sums is negative wherever the other is not.
fn against(a: &Sum, b: &Sum) -> bool {
    a.each().zip(b.each()).all(|(a, b)| a.checked_add(b) == Some(0))
        && a.plus.checked_add(b.plus).is_some_and(|sum| sum < 0)
}

/// Where both hold.
fn all(a: &[Vec<Sum>], b: &[Vec<Sum>]) -> Vec<Vec<Sum>> {
    a.iter().flat_map(|a| b.iter().filter_map(move |b| joined(&[a, b]))).collect()
}

/// What comes of two things in all their cases.
fn both<A, B, C>(a: &Cases<A>, b: &Cases<B>, mut of: impl FnMut(&A, &B) -> Option<C>) -> Option<Cases<C>> {
    let mut cases = Cases::new();
    for ((first, a), (second, b)) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
        if let Some(guards) = joined(&[first, second]) {
            cases.push((guards, of(a, b)?));
        }
    }
    (cases.len() <= CASES).then_some(cases)
}
