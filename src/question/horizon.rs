//! How many plies ahead of a start a question looks at what positions are worth; what is not understood looks as far as
//! play goes.

use super::{Topic, Truth};
use crate::lang::tree::{Binding, Bool, BoolKind, Clause, Int, IntKind, List, ListKind, Over};
use crate::lang::tree::{Quantity, Range, Rules, Scalar};

/// How many plies ahead an ask looks, if that is bounded.
pub(super) fn plies(topic: Topic<'_>, rules: &Rules) -> Option<u32> {
    let horizon = Horizon { rules, elsewhere: Some(0) };
    match topic {
        Topic::Over(picks, condition) => {
            let values = picks.iter().filter_map(|pick| pick.value());
            most(values.map(|value| horizon.value(value)).chain(condition.map(|condition| horizon.bool(condition))))
        }
        Topic::Truth(Truth::Exists(condition) | Truth::Every(condition)) => horizon.bool(condition),
        Topic::Truth(Truth::OneOf(value, condition)) => most([horizon.value(value), horizon.bool(condition)]),
        Topic::Grid(_, _, condition) => horizon.bool(condition),
        Topic::Start(_) | Topic::FirstMoves | Topic::Puzzle(_) | Topic::Period(_) => None,
    }
}

/// How many plies ahead of a position a formula looks, but for what it says of others.
pub(super) fn of_formula(formula: &Bool, rules: &Rules) -> Option<u32> {
    Horizon { rules, elsewhere: Some(0) }.bool(formula)
}

/// The greatest, if all are bounded.
fn most(all: impl IntoIterator<Item = Option<u32>>) -> Option<u32> {
    all.into_iter().try_fold(0, |most, plies| Some(plies?.max(most)))
}

struct Horizon<'r> {
    rules: &'r Rules,
    /// How far it is taken to look where it says something of another position: that is told apart in formulas alone.
    elsewhere: Option<u32>,
}

impl Horizon<'_> {
    /// How far a value looks, and what it says of others.
    fn value(&self, int: &Int) -> Option<u32> {
        self.apart().int(int)
    }

    const fn apart(&self) -> Self {
        Self { elsewhere: None, ..*self }
    }

    fn bool(&self, bool: &Bool) -> Option<u32> {
        match &bool.kind {
            BoolKind::Class(class) | BoolKind::Within(class) => Some(self.rules.plies(*class)),
            BoolKind::Moves(over) => self.bool(&over.formula)?.checked_add(1),
            // whether a position is over is told by the rules alone
            BoolKind::Truth(_) | BoolKind::Loop(_) | BoolKind::End => Some(0),
            BoolKind::At(..) => self.elsewhere,
            BoolKind::Not(a) => self.bool(a),
            BoolKind::And(a, b) | BoolKind::Or(a, b) | BoolKind::SameTruth(_, a, b) => {
                most([self.bool(a), self.bool(b)])
            }
            BoolKind::If(a, b, c) => most([self.bool(a), self.bool(b), self.bool(c)]),
            BoolKind::Compare(_, a, b) => most([self.value(a), self.value(b)]),
            BoolKind::In(_, a, range) => most([self.value(a), self.apart().range(range)]),
            BoolKind::IsPrime(a) => self.value(a),
            BoolKind::Any(over) | BoolKind::All(over) => self.over(over, |body| self.bool(body)),
            _ => None,
        }
    }

    fn int(&self, int: &Int) -> Option<u32> {
        match &int.kind {
            IntKind::Number(_) | IntKind::Variable(_) | IntKind::Parameter(_) | IntKind::Loop(_) => Some(0),
            IntKind::Value(Quantity::Moves) => Some(0),
            IntKind::Cell(_, a) | IntKind::Negative(a) | IntKind::Function(_, a) => self.int(a),
            IntKind::Entry(list, a) => most([self.list(list), self.int(a)]),
            IntKind::Binary(_, a, b) | IntKind::CeilDiv(a, b) => most([self.int(a), self.int(b)]),
            IntKind::If(condition, a, b) => most([self.bool(condition), self.int(a), self.int(b)]),
            IntKind::Fold(_, items) => most(items.iter().map(|item| self.int(item))),
            IntKind::FoldList(_, list) => self.list(list),
            IntKind::FoldOver(_, over) => self.over(over, |body| self.int(body)),
            IntKind::Count(over) => self.over(over, |body| self.bool(body)),
            _ => None,
        }
    }

    fn list(&self, list: &List) -> Option<u32> {
        match &list.kind {
            ListKind::Constant(_) | ListKind::Array(_) => Some(0),
            ListKind::Items(items) => most(items.iter().map(|item| match item {
                Scalar::Int(int) => self.int(int),
                Scalar::Bool(bool) => self.bool(bool),
            })),
            _ => None,
        }
    }

    fn range(&self, range: &Range) -> Option<u32> {
        match range {
            Range::Span { low, high, .. } => most([self.int(low), self.int(high)]),
            Range::List(list) => self.list(list),
            Range::Table(_) => None,
        }
    }

    fn over<T>(&self, over: &Over<T>, body: impl Fn(&T) -> Option<u32>) -> Option<u32> {
        let apart = self.apart();
        let clauses = over.clauses.iter().map(|clause| match clause {
            Clause::For { binding: Binding::Value(_), range, .. } => apart.range(range),
            Clause::For { .. } => None,
            Clause::If(condition) => apart.bool(condition),
        });
        most(clauses.chain([body(&over.body)]))
    }
}
