//! Between which bounds the numbers of a game stay while it is not over, and in which order its positions can be filled.
//!
//! Bounds are found by interval arithmetic over the texts. Conditions that must hold narrow them: `not end`, guards and
//! the ranges of loops. From the bounds of the starts those of the options follow, and so on until nothing grows; what
//! grows on and on is let go to infinity, from where `not end` must hold it back. The bounds may be too wide, never too
//! narrow.
//!
//! Sources: F. Benhamou, F. Goualard, L. Granvilliers, J.-F. Puget, "Revising hull and box consistency", 1999
//! (narrowing); P. Cousot, R. Cousot, "Static determination of dynamic properties of programs", 1976 (widening).

mod interval;
mod narrow;
mod order;

pub use interval::Interval;
pub use order::order;

use self::narrow::Known;
use super::tree::{
    Assignment, Binding, Clause, Coordinate, Coordinates, List, ListKind, Move, MoveBody, Parameter, Range, Rules,
    Scalar, Table,
};

/// How often bounds may grow before they are let go to infinity, and in all.
const PATIENCE: usize = 3;
const ROUNDS: usize = 24;

/// The bounds of the coordinates of a start, and of the parameters, over all their combinations.
#[must_use]
pub fn start_bounds(start: &Coordinates, given: &[Parameter], slots: usize) -> (Vec<Interval>, Vec<Interval>) {
    let mut known = Known::new(Vec::new(), slots);
    for parameter in given {
        let range = known.range(&parameter.range);
        known.parameters.push(range);
        // a range that depends on earlier parameters bounds them too, where it must not be empty
        if let Range::Span { low, high, inclusive } = &parameter.range {
            known.hold_at_most(low, high, i64::from(!inclusive));
        }
        for condition in &parameter.conditions {
            known.hold(condition, true);
        }
    }
    (known.position(start), known.parameters)
}

/// The bounds of all positions that are not over and can be reached from positions within `start`; none where they
/// are not bounded, or where there is no such position.
#[must_use]
pub fn closed(rules: &Rules, start: &[Interval]) -> Option<Vec<Interval>> {
    let mut within = not_over(rules, start.to_vec())?;
    for round in 0..ROUNDS {
        let mut grown = within.clone();
        for made in &rules.moves {
            if let Some(reached) = reached(rules, made, &within) {
                for (bounds, more) in grown.iter_mut().zip(&reached) {
                    *bounds = bounds.hull(*more);
                }
            }
        }
        if grown == within {
            return within.iter().all(|bounds| bounds.is_bounded()).then_some(within);
        }
        if round >= PATIENCE {
            for (bounds, before) in grown.iter_mut().zip(&within) {
                *bounds = bounds.widened(*before);
            }
        }
        within = not_over(rules, grown)?;
    }
    None
}

/// Bounds narrowed to positions that are not over; none where all are.
fn not_over(rules: &Rules, bounds: Vec<Interval>) -> Option<Vec<Interval>> {
    let mut known = Known::new(bounds, rules.slots.values);
    if let Some(end) = &rules.end {
        known.hold_twice(end, false);
    }
    known.possible.then_some(known.coordinates)
}

/// The bounds of what a move leads to from positions within bounds, and is not over.
fn reached(rules: &Rules, made: &Move, within: &[Interval]) -> Option<Vec<Interval>> {
    let mut known = before(rules, made, within)?;
    let reached = known.after(rules, made)?;
    let mut there = Known::new(reached, rules.slots.values);
    if let Some(legal) = &rules.legal {
        there.hold(legal, true);
    }
    if let Some(end) = &rules.end {
        there.hold_twice(end, false);
    }
    there.possible.then_some(there.coordinates)
}

/// What is known where a move is made from positions within bounds.
fn before(rules: &Rules, made: &Move, within: &[Interval]) -> Option<Known> {
    let mut known = Known::new(within.to_vec(), rules.slots.values);
    if let Some(end) = &rules.end {
        known.hold(end, false);
    }
    for clause in &made.clauses {
        known.clause(clause);
    }
    // a second time: what later guards say narrows what earlier ones read
    for clause in &made.clauses {
        if let Clause::If(condition) = clause {
            known.hold(condition, true);
        }
    }
    known.possible.then_some(known)
}

impl Known {
    fn clause(&mut self, clause: &Clause) {
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

    /// The bounds of the values that a loop or a parameter takes.
    fn range(&self, range: &Range) -> Interval {
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
    fn entries(&self, list: &List) -> Vec<Interval> {
        match &list.kind {
            ListKind::Constant(values) => values.iter().map(|value| Interval::one(*value)).collect(),
            ListKind::Array(array) => self.coordinates[array.offset..array.offset + array.length].to_vec(),
            ListKind::Items(items) => items
                .iter()
                .map(|item| match item {
                    Scalar::Int(int) => self.int(int),
                    Scalar::Bool(_) => Interval { low: 0, high: 1 },
                })
                .collect(),
            _ => vec![Interval::ALL],
        }
    }

    fn position(&self, coordinates: &Coordinates) -> Vec<Interval> {
        let mut bounds = Vec::new();
        for entry in &coordinates.entries {
            match entry {
                Coordinate::Int(int) => bounds.push(self.int(int)),
                Coordinate::List(list, cells) => {
                    let mut entries = self.entries(list);
                    if entries.len() != *cells {
                        entries = vec![Interval::ALL; *cells];
                    }
                    bounds.append(&mut entries);
                }
            }
        }
        bounds
    }

    /// The bounds after a move.
    fn after(&mut self, rules: &Rules, made: &Move) -> Option<Vec<Interval>> {
        let [body] = &made.parts[..] else { return None };
        let mut reached = match body {
            MoveBody::Position(coordinates) => {
                let mut reached = self.position(coordinates);
                reached.extend_from_slice(self.coordinates.get(rules.state_width..).unwrap_or_default());
                reached
            }
            MoveBody::Assign(assignments) => {
                let mut reached = self.coordinates.clone();
                for assignment in assignments {
                    match assignment {
                        Assignment::Variable(at, value) => reached[*at] = self.int(value),
                        Assignment::Cell(array, index, value) => {
                            let (index, value) = (self.int(index), self.int(value));
                            let only = index.low == index.high;
                            for (cell, bounds) in
                                reached[array.offset..array.offset + array.length].iter_mut().enumerate()
                            {
                                let here = i64::try_from(cell).is_ok_and(|cell| index.contains(cell));
                                match (here, only) {
                                    (true, true) => *bounds = value,
                                    (true, false) => *bounds = bounds.hull(value),
                                    _ => {}
                                }
                            }
                        }
                        Assignment::Array(array, list) => {
                            let entries = self.entries(list);
                            for at in 0..array.length {
                                let bounds = if entries.len() == array.length { entries[at] } else { Interval::ALL };
                                reached[array.offset + at] = bounds;
                            }
                        }
                    }
                }
                reached
            }
        };
        if let Some(turn) = rules.turn {
            reached[turn] = Interval::one(3).minus(self.coordinates[turn]);
        }
        Some(reached)
    }
}
