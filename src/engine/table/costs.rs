//! How many positions a walk from each position of a table visits.

use super::cut::Cut;
use super::leads::{Leads, NOWHERE, Source, advanced};
use crate::engine::Sought;
use crate::lang::tree::Rules;
use crate::lang::{Columns, Fit, NoSight};
use crate::position::Row;
use crate::value::Outcome;

/// What a walk costs from every position: all plays, or, where only the outcome is sought, the moves up to the first that
/// wins. Beyond 32 bits the greatest number stands for all.
pub(super) fn count(rules: &Rules, cut: &Cut, sought: Sought) -> Fit<Vec<u32>> {
    let lines = &cut.lines;
    let mut leads = Leads::new(rules, cut);
    let mut sight = NoSight;
    let mut columns = Columns::new(rules, rules.slots, &mut sight);
    let (mut costs, mut outcomes) = (vec![1_u32; lines.len()], vec![Outcome::Draw; lines.len()]);
    for (number, row) in lines.rows().iter().enumerate() {
        if row.is_empty() {
            continue;
        }
        leads.begin(number);
        for stretch in 0..leads.stretches() {
            leads.turn_to(stretch, &mut columns)?;
            let begin = row.start + leads.at;
            let mut over = vec![None; leads.len];
            for when in [leads.ended.clone(), leads.stuck()] {
                for (when, outcome) in leads.outcomes(&when, &mut columns)? {
                    (0..leads.len).filter(|place| when.at(*place)).for_each(|place| over[place] = Some(outcome));
                }
            }
            for step in 0..leads.len {
                let place = if lines.inner().down { leads.len - 1 - step } else { step };
                let here = begin + place;
                if let Some(outcome) = over[place] {
                    outcomes[here] = outcome;
                    continue;
                }
                let (mut cost, mut best) = (1_u32, Outcome::Loss);
                for source in &leads.sources {
                    let Some((more, outcome)) = option(source, place, (lines.rows(), number), &costs, &outcomes) else {
                        continue;
                    };
                    cost = cost.saturating_add(more);
                    best = match (best, outcome) {
                        (Outcome::Win, _) | (_, Outcome::Loss) => Outcome::Win,
                        (Outcome::Draw, _) | (_, Outcome::Draw) => Outcome::Draw,
                        (Outcome::Loss, Outcome::Win) => Outcome::Loss,
                    };
                    if outcome == Outcome::Loss && sought == Sought::Outcome {
                        break;
                    }
                }
                (costs[here], outcomes[here]) = (cost, best);
            }
        }
    }
    Ok(costs)
}

/// The cost of the option that a source gives a place, and its outcome.
fn option(
    source: &Source,
    place: usize,
    (rows, here): (&[Row], usize),
    costs: &[u32],
    outcomes: &[Outcome],
) -> Option<(u32, Outcome)> {
    let index = match source {
        Source::Before { from, to, row, place: at, step } if (*from..*to).contains(&place) => {
            rows[*row].start + advanced(*at, *step, place - from)
        }
        Source::Same { from, to, place: at, step } if (*from..*to).contains(&place) => {
            rows[here].start + advanced(*at, *step, place - from)
        }
        Source::Slow { from, to, read } if (*from..*to).contains(&place) => {
            rows[here].start + read.advanced(place - from).place
        }
        Source::Listed(slots) if slots[place] != NOWHERE => usize::try_from(slots[place]).unwrap_or(usize::MAX),
        Source::Over(when, outcome) if when.at(place) => return Some((1, *outcome)),
        _ => return None,
    };
    Some((costs[index], outcomes[index]))
}
