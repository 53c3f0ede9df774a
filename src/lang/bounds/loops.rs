//! What is known inside loops and behind guards, and of what loops go over.

use super::super::tree::{Binding, Clause, List, ListKind, Move, Range, Scalar, Table};
use super::Interval;
use super::narrow::Known;

/// Into how many moves the loops of one are told apart at most.
pub(super) const INSTANCES: usize = 64;

/// The values that a loop takes one by one.
#[derive(Clone, Copy)]
pub(super) enum Choices<'r> {
    Span(i64, usize),
    Values(&'r [i64]),
    Rows(&'r [Vec<i64>]),
}

impl Choices<'_> {
    pub(super) const fn len(&self) -> usize {
        match self {
            Self::Span(_, len) => *len,
            Self::Values(values) => values.len(),
            Self::Rows(rows) => rows.len(),
        }
    }
}

impl<'r> Known<'r> {
    /// A second time: what later guards say narrows what earlier ones read.
    pub(super) fn hold_guards(&mut self, made: &'r Move) {
        for clause in &made.clauses {
            if let Clause::If(condition) = clause {
                self.hold(condition, true);
            }
        }
    }

    pub(super) fn clause(&mut self, clause: &'r Clause) {
        match clause {
            Clause::If(condition) => self.hold(condition, true),
            Clause::For { binding, range, .. } => {
                let bounds = self.range(range);
                match (binding, range) {
                    (Binding::Value(slot), _) => {
                        self.set_loop(*slot, bounds);
                        if let Range::Span { low, high, inclusive } = range {
                            self.hold_loop(*slot, low, high, *inclusive);
                        }
                    }
                    (Binding::Entries(slots), Range::Table(Table::Constant(rows))) => {
                        for (at, slot) in slots.iter().enumerate() {
                            let column = rows.iter().filter_map(|row| row.get(at)).copied();
                            self.set_loop(*slot, Interval::over(column));
                        }
                    }
                    (Binding::Entries(slots), _) => {
                        for slot in slots {
                            self.set_loop(*slot, Interval::ALL);
                        }
                    }
                    (Binding::Row(_), _) => {}
                }
            }
        }
    }

    /// What is known for each value of a loop, where these are few and the same at all positions; else for all together.
    pub(super) fn chosen(mut self, clause: &'r Clause) -> Vec<Self> {
        let Some((binding, choices)) = self.choices(clause) else {
            self.clause(clause);
            return vec![self];
        };
        let chosen = (0..choices.len()).map(|number| {
            let mut known = self.clone();
            known.choose(binding, choices, number);
            known
        });
        chosen.collect()
    }

    /// The values of a loop, where these are few and the same at all positions.
    pub(super) fn choices(&self, clause: &'r Clause) -> Option<(&'r Binding, Choices<'r>)> {
        let Clause::For { binding, range, .. } = clause else { return None };
        let choices = match range {
            Range::Span { low, high, inclusive } => {
                let (low, high) = (self.int(low).exact_or_far()?, self.int(high).exact_or_far()?);
                let last = if *inclusive { high } else { high.saturating_sub(1) };
                if last.saturating_sub(low) >= i64::try_from(INSTANCES).unwrap_or(0) {
                    return None;
                }
                Choices::Span(low, usize::try_from(last.saturating_sub(low).saturating_add(1)).unwrap_or(0))
            }
            Range::List(List { kind: ListKind::Constant(values), .. }) => Choices::Values(values),
            Range::Table(Table::Constant(rows)) => Choices::Rows(rows),
            Range::List(_) | Range::Table(_) => return None,
        };
        (choices.len() <= INSTANCES).then_some((binding, choices))
    }

    /// The loop takes one of its values.
    pub(super) fn choose(&mut self, binding: &Binding, choices: Choices<'_>, number: usize) {
        let value = match choices {
            Choices::Span(low, _) => &[low + i64::try_from(number).unwrap_or(0)][..],
            Choices::Values(values) => &values[number..=number],
            Choices::Rows(rows) => &rows[number],
        };
        let slots = match binding {
            Binding::Value(slot) => std::slice::from_ref(slot),
            Binding::Entries(slots) => &slots[..],
            Binding::Row(_) => &[],
        };
        for (slot, value) in slots.iter().zip(value) {
            self.set_loop(*slot, Interval::one(*value));
        }
    }

    /// The bounds of the values that a loop or a parameter takes.
    pub(super) fn range(&self, range: &'r Range) -> Interval {
        match range {
            Range::Span { low, high, inclusive } => {
                let (low, high) = (self.int(low), self.int(high));
                Interval { low: low.low, high: if *inclusive { high.high } else { high.before().high } }
            }
            Range::List(list) => self.entries(list).into_iter().reduce(Interval::hull).unwrap_or(Interval::ALL),
            Range::Table(_) => Interval::ALL,
        }
    }

    /// The bounds of the entries of a list; those of any number, where that is not known.
    pub(super) fn entries(&self, list: &'r List) -> Vec<Interval> {
        match &list.kind {
            ListKind::Constant(values) => values.iter().map(|value| Interval::one(*value)).collect(),
            ListKind::Array(array) => (array.offset..array.offset + array.length)
                .map(|at| self.coordinates.get(at).copied().unwrap_or(Interval::ALL))
                .collect(),
            ListKind::Items(items) => items
                .iter()
                .map(|item| match item {
                    Scalar::Int(int) => self.int(int),
                    Scalar::Bool(_) => Interval { low: 0, high: 1 },
                })
                .collect(),
            ListKind::Over(over) => {
                let mut instances = vec![self.clone()];
                for clause in &over.clauses {
                    instances = instances.into_iter().flat_map(|known| known.chosen(clause)).collect();
                }
                let entry = |known: &Self| match &over.body {
                    Scalar::Int(int) => known.int(int),
                    Scalar::Bool(_) => Interval { low: 0, high: 1 },
                };
                instances.iter().map(entry).collect()
            }
            _ => vec![Interval::ALL],
        }
    }
}
