//! At least how many positions can be reached from a position: for a game that is too large to be tried at all.
//!
//! A move that adds a number to one coordinate and leaves the others is a step. Where steps along several coordinates
//! are allowed all over a box, and play is nowhere over there, every combination of them is a position that is reached.

use super::super::syntax::Operator;
use super::super::tree::{
    Assignment, Binding, Bool, Clause, Coordinate, Int, IntKind, ListKind, Move, MoveBody, Range, Rules, Table,
};
use super::Interval;
use super::narrow::Known;
use super::tour::instances;

/// The box goes so far along each coordinate as its bounds do; where that is too far, half as far, and so on.
const HALVES: u32 = 8;

/// A move along one coordinate.
struct Step<'r> {
    made: &'r Move,
    /// What is known of the loops of the move.
    loops: Known<'r>,
    coordinate: usize,
    by: i64,
}

/// So many positions, or more, can be reached from `start`; positions that are not over lie within bounds. None, if it
/// cannot be told from any start.
#[must_use]
pub fn reached_at_least(rules: &Rules, within: &[Interval], start: &[i64]) -> Option<u128> {
    let no_step = |made: &Move| matches!(&made.parts[..], [MoveBody::Assign(all)] if all.len() > 1);
    let other = rules.puzzle || rules.turn.is_some() || rules.splits() || start.len() != within.len();
    if other || rules.moves.iter().all(no_step) {
        return None;
    }
    let here: Vec<Interval> = start.iter().map(|value| Interval::one(*value)).collect();
    let mut steps: Vec<Step<'_>> = Vec::new();
    for made in &rules.moves {
        for loops in instances(rules, made, &here) {
            // the smallest step along a coordinate reaches most
            let Some((coordinate, by)) = step(rules, made, &loops) else { continue };
            match steps.iter_mut().find(|step| step.coordinate == coordinate) {
                Some(known) if known.by.unsigned_abs() <= by.unsigned_abs() => {}
                Some(known) => *known = Step { made, loops, coordinate, by },
                None => steps.push(Step { made, loops, coordinate, by }),
            }
        }
    }
    Some((0..HALVES).filter_map(|halves| in_box(rules, &steps, within, start, halves)).max().unwrap_or(1))
}

/// The coordinate along which a move goes, and by how much, if it is a step.
fn step(rules: &Rules, made: &Move, loops: &Known<'_>) -> Option<(usize, i64)> {
    let [body] = &made.parts[..] else { return None };
    let mut found = None;
    let mut note = |at: usize, value: &Int| {
        let by = shift(loops, at, value)?;
        if by != 0 && found.replace((at, by)).is_some() { None } else { Some(()) }
    };
    match body {
        MoveBody::Position(coordinates) => {
            for (at, entry) in coordinates.entries.iter().enumerate() {
                let Coordinate::Int(value) = entry else { return None };
                note(at, value)?;
            }
        }
        MoveBody::Assign(assignments) => {
            for assignment in assignments {
                match assignment {
                    Assignment::Variable(at, value) => note(*at, value)?,
                    Assignment::Cell(array, index, value) => {
                        let at = usize::try_from(loops.int(index).exact()?).ok().filter(|at| *at < array.length)?;
                        note(array.offset + at, value)?;
                    }
                    Assignment::Array(..) => return None,
                }
            }
        }
    }
    found.filter(|(at, _)| *at < rules.state_width)
}

/// What is added to a coordinate, if the value is that coordinate and a number.
fn shift(loops: &Known<'_>, at: usize, value: &Int) -> Option<i64> {
    let is_here = |int: &Int| loops.coordinate(int) == Some(at);
    let number = |int: &Int| match &int.kind {
        IntKind::Number(_) | IntKind::Loop(_) => loops.int(int).exact(),
        _ => None,
    };
    match &value.kind {
        _ if is_here(value) => Some(0),
        IntKind::Binary(Operator::Add, a, b) if is_here(a) => number(b),
        IntKind::Binary(Operator::Add, a, b) if is_here(b) => number(a),
        IntKind::Binary(Operator::Sub, a, b) if is_here(a) => number(b)?.checked_neg(),
        _ => None,
    }
}

/// How many positions the steps reach in a box from the start on, if every one of them may be made all over it.
fn in_box(rules: &Rules, steps: &[Step<'_>], within: &[Interval], start: &[i64], halves: u32) -> Option<u128> {
    let mut whole: Vec<Interval> = start.iter().map(|value| Interval::one(*value)).collect();
    let mut positions: u128 = 1;
    for step in steps {
        let (from, bounds) = (start[step.coordinate], within[step.coordinate]);
        let far = if step.by > 0 { bounds.high.checked_sub(from)? } else { from.checked_sub(bounds.low)? };
        let times = (far.max(0) / step.by.checked_abs()?) >> halves;
        let last = from.checked_add(times.checked_mul(step.by)?)?;
        whole[step.coordinate] = Interval { low: from.min(last), high: from.max(last) };
        positions = positions.saturating_mul(u128::from(times.unsigned_abs()) + 1);
    }
    let anywhere = Known::new(whole.clone(), rules.slots.values);
    let goes_on = rules.end.as_ref().is_none_or(|end| never(&anywhere, end, true));
    let legal = rules.legal.as_ref().is_none_or(|legal| never(&anywhere, legal, false));
    let made = |step: &Step<'_>| {
        // where the step is made, so that it ends in the box
        let mut here = step.loops.elsewhere(whole.clone());
        let bounds = &mut here.coordinates[step.coordinate];
        *bounds = if step.by > 0 {
            Interval { high: bounds.high.saturating_sub(step.by), ..*bounds }
        } else {
            Interval { low: bounds.low.saturating_sub(step.by), ..*bounds }
        };
        bounds.is_empty()
            || step.made.clauses.iter().all(|clause| match clause {
                Clause::If(condition) => never(&here, condition, false),
                Clause::For { binding, range, .. } => takes(&here, binding, range),
            })
    };
    (goes_on && legal && steps.iter().all(made)).then_some(positions)
}

/// Whether a loop takes the value that is known of it, wherever it is within bounds.
fn takes(known: &Known<'_>, binding: &Binding, range: &Range) -> bool {
    match (binding, range) {
        (Binding::Value(slot), Range::Span { low, high, inclusive }) => {
            let (low, high, value) = (known.int(low), known.int(high), known.loop_bounds(*slot));
            value.exact().is_some()
                && low.high <= value.low
                && value.high <= high.low.saturating_sub(i64::from(!inclusive))
        }
        (_, Range::List(list)) => matches!(list.kind, ListKind::Constant(_)),
        (_, Range::Table(table)) => matches!(table, Table::Constant(_)),
        _ => false,
    }
}

/// Whether a condition has this truth nowhere within bounds.
fn never<'r>(known: &Known<'r>, condition: &'r Bool, truth: bool) -> bool {
    let mut known = known.clone();
    known.hold(condition, truth);
    !known.possible
}
