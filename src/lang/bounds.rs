//! Between which bounds the numbers of a game stay while it is not over, and in which order its positions can be filled.
//!
//! Bounds are found by interval arithmetic over the texts. Conditions that must hold narrow them: `not end`, guards and
//! the ranges of loops. From the bounds of the starts those of the options follow, and so on until nothing grows; what
//! grows on and on is let go to the next number that stands in the rules, and at last to infinity, from where `not end` must hold it back. The bounds may be too wide, never too
//! narrow.
//!
//! Sources: F. Benhamou, F. Goualard, L. Granvilliers, J.-F. Puget, "Revising hull and box consistency", 1999
//! (narrowing); P. Cousot, R. Cousot, "Static determination of dynamic properties of programs", 1976 (widening).

mod interval;
mod narrow;
mod order;
mod reach;
mod thresholds;

pub use interval::Interval;
pub use order::orders;
pub use reach::reached_at_least;

use self::narrow::Known;
use self::thresholds::thresholds;
use super::tree::{
    Assignment, Binding, Bool, BoolKind, Clause, Coordinate, Coordinates, List, ListKind, Move, MoveBody, Parameter,
    Range, Rules, Scalar, Table,
};
use crate::faults::{Wrong, planted};

/// How often bounds may grow before they are let go, and in all.
const PATIENCE: usize = 3;
const ROUNDS: usize = 64;

/// Into how many moves the loops of one are told apart at most.
const INSTANCES: usize = 64;

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

/// The bounds of the positions at which a formula is evaluated besides the start, over all combinations of the
/// parameters; none where there are no such.
#[must_use]
pub fn other_bounds(formula: &Bool, parameters: &[Interval], slots: usize) -> Vec<Vec<Interval>> {
    let mut known = Known::new(Vec::new(), slots);
    known.parameters = parameters.to_vec();
    let mut found = Vec::new();
    known.at_positions(formula, &mut found);
    found
}

/// The bounds of all positions that are not over and can be reached from positions within `start`; none where they
/// are not bounded, or where there is no such position.
#[must_use]
pub fn closed(rules: &Rules, start: &[Interval]) -> Option<Vec<Interval>> {
    let start = not_over(rules, start.to_vec())?;
    let step = |within: &[Interval], from: &[Interval]| {
        let mut grown = from.to_vec();
        let begun = begun(rules, within);
        for reached in rules.moves.iter().flat_map(|made| reached(rules, made, &begun)) {
            for (bounds, more) in grown.iter_mut().zip(&reached.there) {
                *bounds = bounds.hull(*more);
            }
        }
        grown
    };
    let mut within = start.clone();
    let mut stops: Option<Vec<i64>> = None;
    for round in 0..ROUNDS {
        let mut grown = step(&within, &within);
        if grown == within || planted(Wrong::BoundsOfFirstRound) {
            // where ends were let go too far, what follows from the bounds lies within them again
            for _ in 0..PATIENCE {
                let less = step(&within, &start);
                if less == within {
                    break;
                }
                within = less;
            }
            return within.iter().all(|bounds| bounds.is_bounded()).then_some(within);
        }
        if round >= PATIENCE {
            let stops = stops.get_or_insert_with(|| thresholds(rules));
            for (bounds, before) in grown.iter_mut().zip(&within) {
                *bounds = bounds.widened(*before, stops);
            }
        }
        within = not_over(rules, grown)?;
    }
    None
}

/// The bounds of those positions and of all their options, which may be over.
#[must_use]
pub fn with_options(rules: &Rules, within: &[Interval], start: &[Interval]) -> Vec<Interval> {
    let mut all: Vec<Interval> = within.iter().zip(start).map(|(bounds, start)| bounds.hull(*start)).collect();
    for made in rules.moves.iter().take(if planted(Wrong::BoundsWithoutOptions) { 1 } else { usize::MAX }) {
        for here in instances(rules, made, within) {
            let there = here.after(rules, made).unwrap_or_else(|| vec![Interval::ALL; within.len()]);
            for (bounds, more) in all.iter_mut().zip(there) {
                *bounds = bounds.hull(more);
            }
        }
    }
    all
}

/// Bounds narrowed to positions that are not over; none where all are.
fn not_over(rules: &Rules, bounds: Vec<Interval>) -> Option<Vec<Interval>> {
    let mut known = Known::new(bounds, rules.slots.values);
    if let Some(end) = &rules.end {
        known.hold_twice(end, false);
    }
    known.possible.then_some(known.coordinates)
}

/// A move for one choice of its loop variables, or for several at once: what is known where it is made, and the bounds
/// of what it leads to.
struct Reached {
    here: Known,
    there: Vec<Interval>,
}

/// Where a move leads from positions of which this is known, apart from positions that are over.
fn reached(rules: &Rules, made: &Move, begun: &Known) -> Vec<Reached> {
    let mut all = Vec::new();
    for here in instances_of(made, begun) {
        let Some(reached) = here.after(rules, made) else {
            let there = vec![Interval::ALL; begun.coordinates.len()];
            all.push(Reached { here, there });
            continue;
        };
        let mut there = Known::new(reached, rules.slots.values);
        if let Some(legal) = &rules.legal {
            there.hold(legal, true);
        }
        if let Some(end) = &rules.end {
            there.hold_twice(end, false);
        }
        if there.possible {
            all.push(Reached { here, there: there.coordinates });
        }
    }
    all
}

/// What is known where a move is made, for each choice of its loop variables or for all together.
fn instances(rules: &Rules, made: &Move, within: &[Interval]) -> Vec<Known> {
    instances_of(made, &begun(rules, within))
}

/// What is known of positions within bounds that are not over.
fn begun(rules: &Rules, within: &[Interval]) -> Known {
    let mut begun = Known::new(within.to_vec(), rules.slots.values);
    if let Some(end) = &rules.end {
        begun.hold(end, false);
    }
    begun
}

/// The same, where it is known already of what holds before the move.
fn instances_of(made: &Move, begun: &Known) -> Vec<Known> {
    let mut instances = vec![begun.clone()];
    for clause in &made.clauses {
        instances = instances.into_iter().flat_map(|known| known.chosen(clause)).collect();
        if instances.len() > INSTANCES {
            // too many to be told apart
            let mut joined = begun.clone();
            made.clauses.iter().for_each(|clause| joined.clause(clause));
            instances = vec![joined];
            break;
        }
    }
    for here in &mut instances {
        // a second time: what later guards say narrows what earlier ones read
        for clause in &made.clauses {
            if let Clause::If(condition) = clause {
                here.hold(condition, true);
            }
        }
    }
    instances.retain(|here| here.possible);
    instances
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

    /// What is known for each value of a loop, where these are few and the same at all positions; else for all together.
    fn chosen(mut self, clause: &Clause) -> Vec<Self> {
        let Clause::For { binding, range, .. } = clause else {
            self.clause(clause);
            return vec![self];
        };
        let choices: Vec<Vec<i64>> = match range {
            Range::Span { low, high, inclusive } => {
                let (low, high) = (self.int(low), self.int(high));
                let last = if *inclusive { high.high } else { high.high.saturating_sub(1) };
                let few = last.saturating_sub(low.low) < i64::try_from(INSTANCES).unwrap_or(0);
                if low.low != low.high || high.low != high.high || !few {
                    self.clause(clause);
                    return vec![self];
                }
                (low.low..=last).map(|value| vec![value]).collect()
            }
            Range::List(list) => match &list.kind {
                ListKind::Constant(values) if values.len() <= INSTANCES => {
                    values.iter().map(|value| vec![*value]).collect()
                }
                _ => {
                    self.clause(clause);
                    return vec![self];
                }
            },
            Range::Table(Table::Constant(rows)) if rows.len() <= INSTANCES => rows.to_vec(),
            Range::Table(_) => {
                self.clause(clause);
                return vec![self];
            }
        };
        let slots = match binding {
            Binding::Value(slot) => std::slice::from_ref(slot),
            Binding::Entries(slots) => &slots[..],
            Binding::Row(_) => &[],
        };
        let chosen = choices.into_iter().map(|values| {
            let mut known = self.clone();
            for (slot, value) in slots.iter().zip(values) {
                known.set_loop(*slot, Interval::one(value));
            }
            known
        });
        chosen.collect()
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

    /// The positions after `at` in a formula.
    fn at_positions(&self, formula: &Bool, found: &mut Vec<Vec<Interval>>) {
        match &formula.kind {
            BoolKind::At(inner, coordinates) => {
                found.push(self.position(coordinates));
                self.at_positions(inner, found);
            }
            BoolKind::Not(a) => self.at_positions(a, found),
            BoolKind::And(a, b) | BoolKind::Or(a, b) | BoolKind::SameTruth(_, a, b) => {
                self.at_positions(a, found);
                self.at_positions(b, found);
            }
            BoolKind::If(a, b, c) => [a, b, c].into_iter().for_each(|part| self.at_positions(part, found)),
            BoolKind::Any(over) | BoolKind::All(over) => {
                let mut inside = self.clone();
                over.clauses.iter().for_each(|clause| inside.clause(clause));
                inside.at_positions(&over.body, found);
            }
            BoolKind::Moves(over) => self.at_positions(&over.formula, found),
            _ => {}
        }
    }

    /// The bounds after a move.
    fn after(&self, rules: &Rules, made: &Move) -> Option<Vec<Interval>> {
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
