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
            known.hold_at_most(low.into(), high.into(), i64::from(!inclusive));
        }
        for condition in &parameter.conditions {
            known.hold(condition, true);
        }
    }
    let mut bounds = Vec::new();
    known.position(start, &mut bounds);
    (bounds, known.parameters)
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
    let mut tour = Tour::new(rules);
    let mut start = start.to_vec();
    tour.keep_going(&mut start).then_some(())?;
    let mut within = start.clone();
    let (mut grown, mut reached) = (Vec::new(), Vec::new());
    let mut stops: Option<Vec<i64>> = None;
    for round in 0..ROUNDS {
        tour.step(&within, &mut reached);
        hull(&mut grown, &within, &reached);
        if grown == within || planted(Wrong::BoundsOfFirstRound) {
            // where ends were let go too far, what follows from the bounds lies within them again
            for _ in 0..PATIENCE {
                hull(&mut grown, &start, &reached);
                if grown == within {
                    break;
                }
                std::mem::swap(&mut within, &mut grown);
                tour.step(&within, &mut reached);
            }
            return within.iter().all(|bounds| bounds.is_bounded()).then_some(within);
        }
        if round >= PATIENCE {
            let stops = stops.get_or_insert_with(|| thresholds(rules));
            for (bounds, before) in grown.iter_mut().zip(&within) {
                *bounds = bounds.widened(*before, stops);
            }
        }
        tour.keep_going(&mut grown).then_some(())?;
        std::mem::swap(&mut within, &mut grown);
    }
    None
}

/// Bounds, and those of what is reached from positions within them, where anything is.
fn hull(all: &mut Vec<Interval>, bounds: &[Interval], reached: &[Interval]) {
    all.clear();
    all.extend_from_slice(bounds);
    for (bounds, more) in all.iter_mut().zip(reached) {
        *bounds = bounds.hull(*more);
    }
}

/// The bounds of those positions and of all their options, which may be over.
#[must_use]
pub fn with_options(rules: &Rules, within: &[Interval], start: &[Interval]) -> Vec<Interval> {
    let mut all: Vec<Interval> = within.iter().zip(start).map(|(bounds, start)| bounds.hull(*start)).collect();
    let mut tour = Tour::new(rules);
    tour.begin(within);
    for made in rules.moves.iter().take(if planted(Wrong::BoundsWithoutOptions) { 1 } else { usize::MAX }) {
        tour.each(made, &mut |_, there, _| {
            for (bounds, more) in all.iter_mut().zip(&there.coordinates) {
                *bounds = bounds.hull(*more);
            }
        });
    }
    all
}

/// Goes through the moves, with room that is used again and again.
struct Tour<'r> {
    rules: &'r Rules,
    /// What is known of positions where moves are made.
    begun: Known<'r>,
    /// What is known where a move is made, before its loops and inside.
    before: Known<'r>,
    here: Known<'r>,
    /// What is known of where it leads.
    there: Known<'r>,
}

impl<'r> Tour<'r> {
    fn new(rules: &'r Rules) -> Self {
        let [begun, before, here, there] = [(); 4].map(|()| Known::new(Vec::new(), rules.slots.values));
        Self { rules, begun, before, here, there }
    }

    /// Narrows bounds to positions that are not over; whether there are such.
    fn keep_going(&mut self, bounds: &mut Vec<Interval>) -> bool {
        let Some(end) = &self.rules.end else { return true };
        std::mem::swap(&mut self.there.coordinates, bounds);
        self.there.begin();
        self.there.hold_twice(end, false);
        std::mem::swap(&mut self.there.coordinates, bounds);
        self.there.possible
    }

    /// Turns to positions within bounds that are not over.
    fn begin(&mut self, within: &[Interval]) {
        self.begun.coordinates.clear();
        self.begun.coordinates.extend_from_slice(within);
        self.begun.begin();
        if let Some(end) = &self.rules.end {
            self.begun.hold(end, false);
        }
    }

    /// The bounds of all that moves lead to from positions within bounds; nothing, where there are no moves.
    fn step(&mut self, within: &[Interval], reached: &mut Vec<Interval>) {
        self.begin(within);
        reached.clear();
        for made in &self.rules.moves {
            self.each_going_on(made, &mut |_, there| {
                if reached.is_empty() {
                    reached.extend_from_slice(there);
                } else {
                    for (bounds, more) in reached.iter_mut().zip(there) {
                        *bounds = bounds.hull(*more);
                    }
                }
            });
        }
    }

    /// What is known where a move is made, and the bounds of what it leads to, apart from positions that are over.
    fn each_going_on(&mut self, made: &'r Move, found: &mut dyn FnMut(&Known<'r>, &[Interval])) {
        let rules = self.rules;
        self.each(made, &mut |here, there, told| {
            if told {
                there.begin();
                if let Some(legal) = &rules.legal {
                    there.hold(legal, true);
                }
                if let Some(end) = &rules.end {
                    there.hold_twice(end, false);
                }
            }
            if !told || there.possible {
                found(here, &there.coordinates);
            }
        });
    }

    /// For each choice of its loop variables, or for all together: what is known where a move is made, where it leads,
    /// and whether that can be told at all.
    fn each(&mut self, made: &'r Move, found: &mut dyn FnMut(&Known<'r>, &mut Known<'r>, bool)) {
        let Self { rules, begun, before, here, there } = self;
        let mut end = |here: &mut Known<'r>| {
            here.hold_guards(made);
            if here.possible {
                let told = here.after(rules, made, &mut there.coordinates);
                if !told {
                    there.coordinates.clear();
                    there.coordinates.resize(begun.coordinates.len(), Interval::ALL);
                }
                found(here, there, told);
            }
        };
        let is_loop = |clause: &Clause| matches!(clause, Clause::For { .. });
        let Some(first) = made.clauses.iter().position(is_loop) else {
            here.clone_from(begun);
            made.clauses.iter().for_each(|clause| here.clause(clause));
            return end(here);
        };
        let (guards, rest) = made.clauses.split_at(first);
        if rest.iter().filter(|clause| is_loop(clause)).count() > 1 {
            instances_of(made, begun).iter_mut().for_each(end);
            return;
        }
        before.clone_from(begun);
        guards.iter().for_each(|clause| before.clause(clause));
        let Some((binding, choices)) = before.choices(&rest[0]) else {
            rest.iter().for_each(|clause| before.clause(clause));
            return end(before);
        };
        for number in 0..choices.len() {
            here.clone_from(before);
            here.choose(binding, choices, number);
            rest[1..].iter().for_each(|clause| here.clause(clause));
            end(here);
        }
    }
}

/// What is known where a move is made, for each choice of its loop variables or for all together.
fn instances<'r>(rules: &'r Rules, made: &'r Move, within: &[Interval]) -> Vec<Known<'r>> {
    let mut tour = Tour::new(rules);
    tour.begin(within);
    let mut instances = instances_of(made, &tour.begun);
    for here in &mut instances {
        here.hold_guards(made);
    }
    instances.retain(|here| here.possible);
    instances
}

/// The same, where it is known already of what holds before the move; guards are to be held once more.
fn instances_of<'r>(made: &'r Move, begun: &Known<'r>) -> Vec<Known<'r>> {
    let mut instances = vec![begun.clone()];
    for clause in &made.clauses {
        instances = instances.into_iter().flat_map(|known| known.chosen(clause)).collect();
        if instances.len() > INSTANCES {
            // too many to be told apart
            let mut joined = begun.clone();
            made.clauses.iter().for_each(|clause| joined.clause(clause));
            return vec![joined];
        }
    }
    instances
}

/// The values that a loop takes one by one.
#[derive(Clone, Copy)]
enum Choices<'r> {
    Span(i64, usize),
    Values(&'r [i64]),
    Rows(&'r [Vec<i64>]),
}

impl Choices<'_> {
    const fn len(&self) -> usize {
        match self {
            Self::Span(_, len) => *len,
            Self::Values(values) => values.len(),
            Self::Rows(rows) => rows.len(),
        }
    }
}

impl<'r> Known<'r> {
    /// A second time: what later guards say narrows what earlier ones read.
    fn hold_guards(&mut self, made: &'r Move) {
        for clause in &made.clauses {
            if let Clause::If(condition) = clause {
                self.hold(condition, true);
            }
        }
    }

    fn clause(&mut self, clause: &'r Clause) {
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
    fn chosen(mut self, clause: &'r Clause) -> Vec<Self> {
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
    fn choices(&self, clause: &'r Clause) -> Option<(&'r Binding, Choices<'r>)> {
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
    fn choose(&mut self, binding: &Binding, choices: Choices<'_>, number: usize) {
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
    fn range(&self, range: &'r Range) -> Interval {
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
    fn entries(&self, list: &'r List) -> Vec<Interval> {
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

    fn position(&self, coordinates: &'r Coordinates, bounds: &mut Vec<Interval>) {
        bounds.clear();
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
    }

    /// The positions after `at` in a formula.
    fn at_positions(&self, formula: &'r Bool, found: &mut Vec<Vec<Interval>>) {
        match &formula.kind {
            BoolKind::At(inner, coordinates) => {
                let mut bounds = Vec::new();
                self.position(coordinates, &mut bounds);
                found.push(bounds);
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

    /// The bounds after a move, if they can be told.
    fn after(&self, rules: &Rules, made: &'r Move, reached: &mut Vec<Interval>) -> bool {
        let [body] = &made.parts[..] else { return false };
        match body {
            MoveBody::Position(coordinates) => {
                self.position(coordinates, reached);
                reached.extend_from_slice(self.coordinates.get(rules.state_width..).unwrap_or_default());
            }
            MoveBody::Assign(assignments) => {
                reached.clone_from(&self.coordinates);
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
            }
        }
        if let Some(turn) = rules.turn {
            reached[turn] = Interval::one(3).minus(self.coordinates[turn]);
        }
        true
    }
}
