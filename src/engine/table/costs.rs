//! How many positions a walk from each position of a table visits.

use super::cut::Cut;
use super::leads::{Leads, NOWHERE, Source, advanced};
use crate::engine::Sought;
use crate::lang::tree::Rules;
use crate::lang::{Columns, Fit, NoSight, Unfit};
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
    if cut.abreast > 1 {
        count_abreast(&mut leads, cut.abreast, sought, (&mut costs, &mut outcomes), &mut columns)?;
        return Ok(costs);
    }
    for (number, row) in lines.rows().iter().enumerate() {
        if row.is_empty() {
            continue;
        }
        leads.begin(number);
        for stretch in 0..leads.stretches() {
            leads.turn_to(stretch, &mut columns)?;
            let over = over(&mut leads, &mut columns)?;
            for step in 0..leads.len {
                let place = if lines.inner().down { leads.len - 1 - step } else { step };
                let told = over[place].map_or_else(
                    || weigh(&leads.sources, place, (lines.rows(), number), sought, (&costs, &outcomes)),
                    |outcome| (1, outcome),
                );
                let here = row.start + leads.at + place;
                (costs[here], outcomes[here]) = told;
            }
        }
    }
    Ok(costs)
}

/// The same for rows that are filled abreast.
fn count_abreast(
    leads: &mut Leads<'_>,
    abreast: usize,
    sought: Sought,
    (costs, outcomes): (&mut [u32], &mut [Outcome]),
    columns: &mut Columns<'_>,
) -> Fit<()> {
    let lines = leads.lines;
    let (rows, inner) = (lines.rows(), lines.inner());
    for first in (0..rows.len()).step_by(abreast) {
        let beside = (first, rows.len().min(first + abreast));
        let mut known = Vec::new();
        for number in (beside.0..beside.1).filter(|number| !rows[*number].is_empty()) {
            leads.begin_beside(number, beside);
            if leads.stretches() > 1 {
                return Err(Unfit);
            }
            leads.turn_to(0, columns)?;
            known.push((number, over(leads, columns)?, std::mem::take(&mut leads.sources)));
        }
        for step in 0..inner.size().unwrap_or(0) {
            let value = inner.value(step);
            for (number, over, sources) in &known {
                let row = rows[*number];
                let Some(place) = row.place(value) else { continue };
                let told = over[place].map_or_else(
                    || weigh(sources, place, (rows, *number), sought, (costs, outcomes)),
                    |outcome| (1, outcome),
                );
                (costs[row.start + place], outcomes[row.start + place]) = told;
            }
        }
    }
    Ok(())
}

/// The outcomes at the places of a stretch that are over.
fn over(leads: &mut Leads<'_>, columns: &mut Columns<'_>) -> Fit<Vec<Option<Outcome>>> {
    let mut over = vec![None; leads.len];
    for when in [leads.ended.clone(), leads.stuck()] {
        for (when, outcome) in leads.outcomes(&when, columns)? {
            (0..leads.len).filter(|place| when.at(*place)).for_each(|place| over[place] = Some(outcome));
        }
    }
    Ok(over)
}

/// The cost of a place that is not over, and its outcome.
fn weigh(
    sources: &[Source],
    place: usize,
    of: (&[Row], usize),
    sought: Sought,
    (costs, outcomes): (&[u32], &[Outcome]),
) -> (u32, Outcome) {
    let (mut cost, mut best) = (1_u32, Outcome::Loss);
    for source in sources {
        let Some((more, outcome)) = option(source, place, of, costs, outcomes) else { continue };
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
    (cost, best)
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
