//! The ask `period`: pre-period and period of a Grundy sequence, proved.
//!
//! If G(n + p) = G(n) for all n from n0 up to, but without, 2·n0 + p + k, where k is the most that a move takes, then
//! for all n from n0 on. Where no move splits a heap, k further heaps from n0 on are enough.
//!
//! Source: R. Guy, C. Smith, "The G-values of various games", 1956.

use super::read::Reading;
use super::room::Room;
use super::{Answer, Ask, Fast, Naive, Shape, Topic, boxed};
use crate::budget::Limit;
use crate::faults::{Wrong, planted};
use crate::lang::tree::Quantity;
use crate::lang::{Halt, Noted, Parsed, Takes};

/// The forms of this family.
pub(super) const FORMS: &[&str] = &["period"];

/// The longest sequence that is looked at.
const LONGEST: i64 = 20_000_000;

/// What a value of it takes while the sequence moves to a larger place, in bytes.
const EACH: u64 = 24;

#[derive(Clone, Copy, Debug)]
struct Period(Takes);

pub(super) fn read(reading: &mut Reading<'_, '_>) -> Option<Parsed<Box<dyn Ask>>> {
    let (span, words, ()) = reading.one_of(&[("period", ())])?;
    Some(match reading.takes() {
        None => Err(Noted),
        Some(Ok(takes)) => Ok(boxed(Period(takes))),
        Some(Err(reason)) => Err(reading.mistake(
            span,
            format!("`{words}` has no answer here: {reason}"),
            "it is for octal codes, and for one-pile games whose every move takes a bounded amount and leaves at most two heaps",
        )),
    })
}

impl Ask for Period {
    fn solve(&self, rows: &mut Fast<'_>) -> Result<Answer, Halt> {
        rows.per_start(|rows, row| {
            let (mut values, mut room) = (Vec::<i64>::new(), Room::of(rows.engine()));
            let last = row.start.first().copied().unwrap_or(-1);
            for heap in 0..=last {
                // what is proved by a part of the sequence is proved
                if heap >= 64
                    && heap.unsigned_abs().is_power_of_two()
                    && let Some(found) = self.fast(&values)
                {
                    return Ok(answer(Some(found)));
                }
                if heap > LONGEST {
                    return Err(Limit::Size(LONGEST.unsigned_abs()).into());
                }
                match rows.engine().quantity(&[heap], Quantity::Grundy)? {
                    Some(value) => {
                        room.take(EACH)?;
                        values.push(value);
                    }
                    None => return Ok(Answer::none()),
                }
            }
            Ok(answer(self.fast(&values)))
        })
    }

    fn walk(&self, rows: &mut Naive<'_>) -> Result<Answer, Halt> {
        rows.per_start(|rows, row| {
            let (mut sequence, mut room) = (Vec::<i64>::new(), Room::of(rows.walker));
            let heaps = row.start[0];
            let mut next_look = 64;
            for heap in 0..heaps.saturating_add(1) {
                if heap == next_look {
                    next_look = next_look.saturating_mul(2);
                    if let Some(found) = self.naive(&sequence) {
                        return Ok(answer(Some(found)));
                    }
                }
                if heap > LONGEST {
                    return Err(Limit::Size(LONGEST.unsigned_abs()).into());
                }
                let Some(value) = rows.walker.quantity(&[heap], Quantity::Grundy)? else { return Ok(Answer::none()) };
                room.take(EACH)?;
                sequence.push(value);
            }
            Ok(answer(self.naive(&sequence)))
        })
    }

    fn topic(&self) -> Topic<'_> {
        Topic::Period(self.0)
    }

    fn shape(&self) -> Shape {
        Shape::Period
    }

    fn about_start(&self) -> bool {
        true
    }
}

fn answer(found: Option<(usize, usize)>) -> Answer {
    found.map_or_else(Answer::none, |(before, period)| {
        Answer::List([before, period].map(|n| Answer::int(u64::try_from(n).unwrap_or(u64::MAX))).to_vec())
    })
}

impl Period {
    fn sizes(self) -> (usize, usize) {
        let size = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
        (size(self.0.most), size(self.0.settled))
    }

    /// The fast side: for each period the last heap that breaks it.
    fn fast(self, values: &[i64]) -> Option<(usize, usize)> {
        let (most, settled) = self.sizes();
        for period in 1..values.len() {
            let kept = values.len() - period;
            let before = (0..kept).rev().find(|heap| values[*heap] != values[heap + period]).map_or(0, |heap| heap + 1);
            let from = before.max(settled);
            let window = if self.0.splits {
                from.saturating_mul(2).saturating_add(period).saturating_add(most)
            } else {
                from.saturating_add(most)
            };
            if window <= kept || planted(Wrong::WindowOfPeriod) && from + 1 < kept {
                return Some((before, period));
            }
        }
        None
    }

    /// The naive side: the theorem's window, heap by heap.
    fn naive(self, sequence: &[i64]) -> Option<(usize, usize)> {
        let (most, settled) = self.sizes();
        for period in 1..sequence.len() {
            let mut before = sequence.len() - period;
            while before > 0 && sequence[before - 1] == sequence[before - 1 + period] {
                before -= 1;
            }
            let from = if before < settled { settled } else { before };
            let last = match self.0.splits {
                true => from.checked_mul(2)?.checked_add(period)?.checked_add(most)?,
                false => from.checked_add(most)?,
            };
            // every heap below `last` is compared with the one a period further, which must be there
            if last.checked_add(period)? <= sequence.len() {
                return Some((before, period));
            }
        }
        None
    }
}
