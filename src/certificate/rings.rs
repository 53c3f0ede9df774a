//! Rings held against the rules: what lies where, and that nothing lies nearer.
//!
//! Every option of a position is in its ring, an earlier one or the next; every position but the first is an option of
//! one in the ring before; and no ring before the last holds a goal. So the ring of a position is its distance from the
//! first, and the first goal is as far as the last ring.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Desk, Refusal, index, small};
use crate::budget::{Budget, Hold, Limit, Share};
use crate::claims::{Reach, Rings};
use crate::game::{Game, shown};
use crate::lang::tree::Rules;
use crate::lang::{Halt, Options, Stop};
use crate::parallel;
use crate::position::Width;
use dashu_int::UBig;

/// Holds rings against the rules.
pub(super) fn check(rings: &Rings<'_>, rules: &Rules, sum: bool, budget: &Budget) -> Result<(), Refusal> {
    let count = rings.positions.len();
    let rising = rings.ends.windows(2).all(|pair| pair[0] < pair[1]);
    if rings.ends.first() != Some(&1) || rings.ends.last() != Some(&count) || !rising {
        return Err(Refusal::Whole("its rings are not one after the other".to_owned()));
    }
    if !rules.puzzle && rings.reach != Reach::Everything {
        return Err(Refusal::Whole("its rings belong to a puzzle".to_owned()));
    }
    let width = if sum { Width::Varied } else { Width::Fixed(rules.width()) };
    if rings.positions.width() != width {
        return Err(Refusal::Whole("its rings do not fit the game".to_owned()));
    }
    let last = rings.ends.len() - 1;
    let mut share = Share::new(budget);
    share.resize(u64::try_from(count).unwrap_or(u64::MAX)).map_err(Refusal::Limit)?;
    let reached: Vec<AtomicBool> = (0..count).map(|_| AtomicBool::new(false)).collect();
    let goal = AtomicBool::new(false);
    parallel::stretches(count, |range| {
        let mut desk = Desk::new(rules, sum);
        range.into_iter().try_for_each(|number| {
            if number.is_multiple_of(1024) {
                budget.check().map_err(Refusal::Limit)?;
                budget.looked_at(u64::try_from(number).unwrap_or(u64::MAX));
            }
            let ring = ring_of(rings, number);
            rings.positions.read(small(number), &mut desk.position);
            let refuse = |reason: String, at: &[i64]| Refusal::At { position: shown(rules, at), reason };
            if rings.reach != Reach::Everything
                && desk.game.is_goal(&desk.position).map_err(|halt| told(halt, rules, &desk.position))?
            {
                if rings.reach == Reach::NoGoal || ring < last {
                    return Err(refuse("it is a goal, nearer than is claimed".to_owned(), &desk.position));
                }
                goal.store(true, Ordering::Relaxed);
            }
            if rings.reach == Reach::Goal && ring == last {
                return Ok(());
            }
            let Desk { game, position, found, .. } = &mut desk;
            game.look(position, found).map_err(|halt| told(halt, rules, position))?;
            for (_, option) in found.iter() {
                let listed = rings.positions.find_surely(option).map(index);
                match listed.map(|listed| (listed, ring_of(rings, listed))) {
                    Some((listed, other)) if other == ring + 1 => reached[listed].store(true, Ordering::Relaxed),
                    Some((_, other)) if other <= ring => {}
                    _ => {
                        let reason =
                            format!("a move leads to {}, which is not listed in its place", shown(rules, option));
                        return Err(refuse(reason, position));
                    }
                }
            }
            Ok(())
        })
    })?;
    if rings.reach == Reach::Goal && !goal.into_inner() {
        return Err(Refusal::Whole("no goal is in the last of its rings".to_owned()));
    }
    match reached.iter().skip(1).position(|reached| !reached.load(Ordering::Relaxed)) {
        None => Ok(()),
        Some(before) => {
            let mut position = Vec::new();
            rings.positions.read(small(before + 1), &mut position);
            let reason = "no position in the ring before leads to it".to_owned();
            Err(Refusal::At { position: shown(rules, &position), reason })
        }
    }
}

fn told(halt: Halt, rules: &Rules, position: &[i64]) -> Refusal {
    let reason = match halt {
        Halt::Missing => "a value is missing".to_owned(),
        Halt::Stop(stop) => match *stop {
            Stop::Limit(limit) => return Refusal::Limit(limit),
            Stop::Rule(error) => format!("a rule error: {}", error.fault),
        },
    };
    Refusal::At { position: shown(rules, position), reason }
}

fn ring_of(rings: &Rings<'_>, number: usize) -> usize {
    rings.ends.partition_point(|end| *end <= number)
}

fn ring(rings: &Rings<'_>, moves: usize) -> std::ops::Range<usize> {
    (if moves == 0 { 0 } else { rings.ends[moves - 1] })..rings.ends[moves]
}

/// What follows from rings that have been checked: how many ways lead from each position to a goal in the moves that
/// are left, position by position from the last ring back.
pub(super) fn ways(rings: &Rings<'_>, game: &mut dyn Game, hold: Option<&mut Hold>) -> Result<Vec<UBig>, Halt> {
    if let Some(hold) = hold {
        let bytes = rings.positions.len().saturating_mul(size_of::<UBig>());
        hold.resize(hold.bytes().saturating_add(u64::try_from(bytes).unwrap_or(u64::MAX)))?;
    }
    let mut ways = vec![UBig::ZERO; rings.positions.len()];
    let (mut position, mut found) = (Vec::new(), Options::default());
    let last = rings.ends.len() - 1;
    for moves in (0..=last).rev() {
        for number in ring(rings, moves) {
            rings.positions.read(small(number), &mut position);
            if moves == last {
                ways[number] = UBig::from(u8::from(game.is_goal(&position)?));
                continue;
            }
            game.look(&position, &mut found)?;
            let mut sum = UBig::ZERO;
            for (_, option) in found.iter() {
                let listed = rings.positions.find_surely(option).map(index).ok_or(Limit::Uncovered)?;
                if ring_of(rings, listed) == moves + 1 {
                    sum += &ways[listed];
                }
            }
            ways[number] = sum;
        }
    }
    Ok(ways)
}

/// How many moves away the ring of a listed position is.
pub(super) fn moves_to(rings: &Rings<'_>, position: &[i64]) -> Option<(usize, usize)> {
    let number = index(rings.positions.find_surely(position)?);
    Some((number, ring_of(rings, number)))
}
