//! The same bounds and orders where all rules are sums of few coordinates: each way to make a move then tells where it
//! leads by a few products, without a look at its text.

use super::super::straight::{FEW, Straight, Sum, Way};
use super::super::tree::Rules;
use super::order::{Order, arranged};
use super::{Interval, Steps, closed_by};
use crate::faults::{Wrong, planted};

/// The bounds of few coordinates; those that there are not are 0.
type Few = [Interval; FEW];

/// What [`super::closed`] gives, for rules that are sums wherever its bounds may lie; nothing where these are not found, or
/// where there are more than few coordinates.
#[must_use]
pub fn closed_by_sums(rules: &Rules, straight: &Straight, start: &[Interval]) -> Option<Vec<Interval>> {
    let mut sums = Sums { straight, open: straight.open.as_deref()? };
    few(start)?;
    closed_by(&mut sums, rules, start).filter(|within| Straight::holds_within(within))
}

/// What [`super::orders`] gives, for rules that are sums of few coordinates within these bounds; nothing for others.
#[must_use]
pub fn orders_by_sums(straight: &Straight, within: &[Interval]) -> Option<Vec<Order>> {
    let (all, open) = (few(within)?, straight.open.as_deref()?);
    let mut growths = Vec::new();
    for way in straight.ways() {
        let mut here = all;
        let here = &mut here[..within.len()];
        if hold_all(open, here) && hold_all(&way.guards, here) && hold_all(&way.open, here) {
            let growth = |(at, to): (usize, &Sum)| {
                let mut times = *to.few();
                times[at] = times[at].saturating_sub(1);
                reached((to.plus(), &times), way, here)
            };
            growths.push(way.to.iter().enumerate().map(growth).collect());
        }
    }
    Some(arranged(growths, within))
}

/// Goes through the ways to make moves.
struct Sums<'s> {
    straight: &'s Straight,
    /// Where none of these is negative, a position is not over.
    open: &'s [Sum],
}

impl Steps for Sums<'_> {
    fn keep_going(&mut self, bounds: &mut Vec<Interval>) -> bool {
        hold_all(self.open, bounds)
    }

    fn step(&mut self, within: &[Interval], all: &mut Vec<Interval>) {
        all.clear();
        let width = within.len();
        let Some(mut begun) = few(within) else { return };
        if !hold_all(self.open, &mut begun[..width]) {
            return;
        }
        for way in self.straight.ways() {
            let (mut here, mut there) = (begun, [Interval::one(0); FEW]);
            let (here, there) = (&mut here[..width], &mut there[..width]);
            if !hold_all(&way.guards, here) || !hold_all(&way.open, here) {
                continue;
            }
            for (there, to) in there.iter_mut().zip(&way.to) {
                *there = reached((to.plus(), to.few()), way, here);
            }
            if !hold_all(self.open, there) {
                continue;
            }
            if all.is_empty() {
                all.extend_from_slice(there);
            } else {
                all.iter_mut().zip(there).for_each(|(all, more)| *all = all.hull(*more));
            }
        }
    }
}

/// Bounds, if they are those of few coordinates.
fn few(bounds: &[Interval]) -> Option<Few> {
    let mut all = [Interval::one(0); FEW];
    all.get_mut(..bounds.len())?.copy_from_slice(bounds);
    Some(all)
}

/// Narrows bounds to where none of these sums is negative, twice where there are several; whether anything is left.
#[inline]
fn hold_all(sums: &[Sum], bounds: &mut [Interval]) -> bool {
    (0..sums.len().min(2)).all(|_| sums.iter().all(|sum| hold(sum, bounds)))
}

/// Narrows bounds to where a sum is not negative; whether anything is left. What does not fit is not narrowed.
fn hold(sum: &Sum, bounds: &mut [Interval]) -> bool {
    // the greatest that it may be, and of how many coordinates there is no greatest part
    let (mut most, mut endless) = (sum.plus().saturating_sub(i64::from(planted(Wrong::BoundsTooNarrow))), 0);
    for (times, bounds) in sum.few().iter().zip(&*bounds) {
        if *times == 0 {
            continue;
        }
        let end = upper(*times, *bounds);
        if is_far(end) {
            endless += 1;
        } else {
            let Some(more) = times.checked_mul(end).and_then(|part| most.checked_add(part)) else { return true };
            most = more;
        }
    }
    if endless == 0 && most < 0 {
        return false;
    }
    for (times, bounds) in sum.few().iter().zip(bounds) {
        if *times == 0 {
            continue;
        }
        let end = upper(*times, *bounds);
        let others = match (endless, is_far(end)) {
            (0, false) => most.checked_sub(times.wrapping_mul(end)),
            (1, true) => Some(most),
            _ => None,
        };
        let Some(others) = others else { continue };
        match times {
            1 => bounds.low = bounds.low.max(near(others.saturating_neg())),
            -1 => bounds.high = bounds.high.min(near(others)),
            2.. => bounds.low = bounds.low.max(near(others.div_euclid(*times).saturating_neg())),
            _ => bounds.high = bounds.high.min(near(others.div_euclid(times.saturating_neg()))),
        }
        if bounds.is_empty() {
            return false;
        }
    }
    true
}

/// The end of bounds at which so many times a number is greatest.
#[inline]
const fn upper(times: i64, bounds: Interval) -> i64 {
    if times > 0 { bounds.high } else { bounds.low }
}

/// Whether an end counts as unbounded.
#[inline]
const fn is_far(end: i64) -> bool {
    end >= Interval::ALL.high || end <= Interval::ALL.low
}

/// A number, drawn in to what counts as bounded.
#[inline]
fn near(value: i64) -> i64 {
    value.clamp(Interval::ALL.low, Interval::ALL.high)
}

/// Between what a sum lies where a way may be made, between bounds that have been narrowed to that. What guards compare is
/// known better than from the bounds.
fn reached((plus, times): (i64, &[i64; FEW]), way: &Way, here: &[Interval]) -> Interval {
    let (mut low, mut high) = (Some(plus), Some(plus));
    for (times, bounds) in times.iter().zip(here) {
        if *times != 0 {
            let end = |sum: Option<i64>, end: i64| sum?.checked_add(times.checked_mul(end).filter(|_| !is_far(end))?);
            low = end(low, upper(times.saturating_neg(), *bounds));
            high = end(high, upper(*times, *bounds));
        }
    }
    let mut reached =
        Interval { low: low.map_or(Interval::ALL.low, near), high: high.map_or(Interval::ALL.high, near) };
    for guard in way.guards.iter().chain(&way.open) {
        if guard.few() == times {
            reached.low = reached.low.max(near(plus.saturating_sub(guard.plus())));
        } else if guard.few().iter().zip(times).all(|(guard, times)| guard.checked_neg() == Some(*times)) {
            reached.high = reached.high.min(near(plus.saturating_add(guard.plus())));
        }
    }
    reached
}
