//! Between which bounds the numbers of a game stay while it is not over, and in which order its positions can be filled.
//!
//! Bounds are found by interval arithmetic over the texts. Conditions that must hold narrow them: `not end`, guards and
//! the ranges of loops. From the bounds of the starts those of the options follow, and so on until nothing grows; what
//! grows on and on is let go to the next number that stands in the rules, and at last to infinity, from where `not end` must hold it back. The bounds may be too wide, never too
//! narrow.
//!
//! Sources: F. Benhamou, F. Goualard, L. Granvilliers, J.-F. Puget, "Revising hull and box consistency", 1999
//! (narrowing); P. Cousot, R. Cousot, "Static determination of dynamic properties of programs", 1976 (widening).

mod ahead;
mod along;
mod interval;
mod loops;
mod narrow;
mod order;
mod reach;
mod side;
mod sums;
mod thresholds;
mod tour;

pub use ahead::{over_beyond, within_plies};
pub use along::along;
pub use interval::Interval;
pub use order::{Order, orders};
pub use reach::reached_at_least;
pub use sums::{closed_by_sums, orders_by_sums};

use self::narrow::Known;
use self::thresholds::thresholds;
use self::tour::Tour;
use super::tree::{Assignment, Bool, BoolKind, Coordinate, Coordinates, Move, MoveBody, Parameter, Range, Rules};
use crate::faults::{Wrong, planted};

/// How often bounds may grow before they are let go; more often, where bounds that are let go so early are lost.
const LET_GO: [usize; 2] = [1, 3];

/// How often they may grow in all.
const ROUNDS: usize = 64;

/// How often bounds that were let go may shrink.
const SHRINKING: usize = 3;

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

/// Positions at which a formula is evaluated besides the start.
#[derive(Debug)]
pub struct Others<'f> {
    /// Their text.
    pub at: &'f Coordinates,
    /// Their bounds, over all combinations of the parameters.
    pub bounds: Vec<Interval>,
    /// What is evaluated there.
    pub formula: &'f Bool,
}

/// The positions at which a formula is evaluated besides the start.
#[must_use]
pub fn others<'f>(formula: &'f Bool, parameters: &[Interval], slots: usize) -> Vec<Others<'f>> {
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
    closed_by(&mut Tour::new(rules), rules, start)
}

/// How bounds follow from others.
trait Steps {
    /// Narrows bounds to positions that are not over; whether there are such.
    fn keep_going(&mut self, bounds: &mut Vec<Interval>) -> bool;

    /// The bounds of all that moves lead to from positions within bounds, apart from positions that are over; nothing,
    /// where there are no moves.
    fn step(&mut self, within: &[Interval], reached: &mut Vec<Interval>);
}

/// The bounds of all positions that are not over and can be reached, as in [`closed`].
fn closed_by(steps: &mut impl Steps, rules: &Rules, start: &[Interval]) -> Option<Vec<Interval>> {
    let mut start = start.to_vec();
    steps.keep_going(&mut start).then_some(())?;
    LET_GO.into_iter().find_map(|rounds| closed_if_let_go(steps, rules, &start, rounds))
}

/// The same, where bounds are let go after so many rounds; the starts are not over.
fn closed_if_let_go(steps: &mut impl Steps, rules: &Rules, start: &[Interval], rounds: usize) -> Option<Vec<Interval>> {
    let mut within = start.to_vec();
    let (mut grown, mut reached) = (Vec::new(), Vec::new());
    let mut stops: Option<Vec<i64>> = None;
    for round in 0..ROUNDS {
        steps.step(&within, &mut reached);
        hull(&mut grown, &within, &reached);
        if grown == within || planted(Wrong::BoundsOfFirstRound) {
            // where ends were let go too far, what follows from the bounds lies within them again
            for _ in 0..SHRINKING {
                hull(&mut grown, start, &reached);
                if grown == within {
                    break;
                }
                std::mem::swap(&mut within, &mut grown);
                steps.step(&within, &mut reached);
            }
            return within.iter().all(|bounds| bounds.is_bounded()).then_some(within);
        }
        if round >= rounds {
            let stops = stops.get_or_insert_with(|| thresholds(rules));
            for (bounds, before) in grown.iter_mut().zip(&within) {
                *bounds = bounds.widened(*before, stops);
            }
        }
        steps.keep_going(&mut grown).then_some(())?;
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

/// The bounds of those positions, which are closed, and of all their options, which may be over.
#[must_use]
pub fn with_options(rules: &Rules, within: &[Interval], start: &[Interval]) -> Vec<Interval> {
    let mut all: Vec<Interval> = within.iter().zip(start).map(|(bounds, start)| bounds.hull(*start)).collect();
    if rules.end.is_none() && rules.legal.is_none() && !planted(Wrong::BoundsOfFirstRound) {
        // nothing is over but where there is no move
        return all;
    }
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

impl<'r> Known<'r> {
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
    fn at_positions(&self, formula: &'r Bool, found: &mut Vec<Others<'r>>) {
        match &formula.kind {
            BoolKind::At(inner, coordinates) => {
                let mut bounds = Vec::new();
                self.position(coordinates, &mut bounds);
                found.push(Others { at: coordinates, bounds, formula: inner });
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
