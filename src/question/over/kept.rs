//! What the naive side has picked so far. Of the least and of the greatest values only as many are kept as are asked for,
//! and a combination whose value would not be among them need not be asked whether it fits.

use std::collections::BTreeMap;

use dashu_int::IBig;

use super::{EACH, LIST_LIMIT, Pick, ROOM_OF_PRODUCT, bits, product};
use crate::budget::{Budget, Limit};
use crate::lang::tree::{Int, IntKind};
use crate::lang::{Blind, Evaluator, Halt};
use crate::question::room::Room;
use crate::question::{Answer, Naive, Question, Row};

/// Which values are kept of those that fit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Most {
    All,
    Least(usize),
    Greatest(usize),
}

impl Most {
    const fn of(pick: &Pick) -> Self {
        match pick {
            Pick::Min(_) => Self::Least(1),
            Pick::Max(_) => Self::Greatest(1),
            Pick::Smallest(n, _) => Self::Least(*n),
            Pick::Largest(n, _) => Self::Greatest(*n),
            Pick::All(_) | Pick::Sum(_) | Pick::Product(_) | Pick::Count => Self::All,
        }
    }
}

/// How often each value came that one part of the answer is made of.
pub(super) struct Kept<'a> {
    pick: &'a Pick,
    most: Most,
    values: BTreeMap<i64, u32>,
}

impl<'a> Kept<'a> {
    /// Nothing yet.
    pub(super) fn new(pick: &'a Pick) -> Self {
        Self { pick, most: Most::of(pick), values: BTreeMap::new() }
    }

    /// What is kept at the end, where this is the answer.
    pub(super) fn at_the_end(pick: &'a Pick, answer: &Answer) -> Self {
        let several = match answer {
            Answer::Set(several) => &several[..],
            one => std::slice::from_ref(one),
        };
        let number = |answer: &Answer| match answer {
            Answer::Int(number) => i64::try_from(number).ok(),
            _ => None,
        };
        Self { values: several.iter().filter_map(number).map(|value| (value, 1)).collect(), ..Self::new(pick) }
    }

    /// Whether only the greatest values are kept.
    pub(super) const fn is_greatest(&self) -> bool {
        matches!(self.most, Most::Greatest(_))
    }

    /// Whether some combinations need not be asked.
    pub(super) fn may_pass_over(&self) -> bool {
        self.most != Most::All && self.pick.value().is_some_and(is_plain)
    }

    /// Whether it may change what is kept that this combination fits.
    pub(super) fn is_open(&self, question: &Question, row: Row<'_>) -> bool {
        let Some(value) = self.pick.value().filter(|_| self.may_pass_over()) else { return true };
        let (most, last) = match self.most {
            Most::All => return true,
            Most::Least(most) => (most, self.values.last_key_value()),
            Most::Greatest(most) => (most, self.values.first_key_value()),
        };
        let Some((last, _)) = last.filter(|_| self.values.len() >= most) else { return true };
        // a rule error here is one only where the combination fits
        let value = Evaluator::new(row.start, row.parameters, question.slots, &mut Blind).int(value);
        value.map_or(true, |value| if self.is_greatest() { value > *last } else { value < *last })
    }

    /// Adds the value of a combination that fits.
    pub(super) fn take(&mut self, rows: &mut Naive<'_>, row: Row<'_>, room: &mut Room) -> Result<(), Halt> {
        let value = match self.pick.value() {
            None => Some(1),
            Some(value) => rows.value(value, row)?,
        };
        let Some(value) = value else { return Ok(()) };
        let before = self.values.len();
        *self.values.entry(value).or_insert(0) += 1;
        // what others have put off the list counts no more
        match self.most {
            Most::Least(most) if self.values.len() > most => drop(self.values.pop_last()),
            Most::Greatest(most) if self.values.len() > most => drop(self.values.pop_first()),
            _ => {}
        }
        if self.values.len() > before {
            room.take(EACH)?;
        }
        if self.values.len() > LIST_LIMIT {
            return Err(Limit::Size(u64::try_from(LIST_LIMIT).unwrap_or(u64::MAX)).into());
        }
        Ok(())
    }

    /// This part of the answer.
    pub(super) fn finish(self, room: &mut Room, budget: Option<&Budget>) -> Result<Answer, Halt> {
        let mut ascending = self.values.keys().map(|value| Answer::int(*value));
        let counted = self.values.iter().map(|(value, times)| (IBig::from(*value), *times));
        Ok(match self.pick {
            Pick::Min(_) | Pick::Max(_) => ascending.next().unwrap_or_else(Answer::none),
            Pick::All(_) | Pick::Smallest(..) | Pick::Largest(..) => Answer::Set(ascending.collect()),
            Pick::Sum(_) => Answer::Int(counted.map(|(value, times)| value * IBig::from(times)).sum()),
            Pick::Product(_) => {
                let bits = counted.clone().map(|(value, times)| u64::from(times) * bits(&value));
                room.take(bits.fold(0, u64::saturating_add) / 8 * ROOM_OF_PRODUCT)?;
                let powers = counted.map(|(value, times)| value.pow(usize::try_from(times).unwrap_or(0)));
                Answer::Int(product(powers.collect(), budget)?)
            }
            Pick::Count => Answer::Int(counted.map(|(_, times)| IBig::from(times)).sum()),
        })
    }
}

/// Whether an expression is made of numbers and parameters, so that no value of a position is needed for it.
fn is_plain(int: &Int) -> bool {
    match &int.kind {
        IntKind::Number(_) | IntKind::Variable(_) | IntKind::Parameter(_) => true,
        IntKind::Negative(a) | IntKind::Function(_, a) => is_plain(a),
        IntKind::Binary(_, a, b) | IntKind::CeilDiv(a, b) => is_plain(a) && is_plain(b),
        IntKind::Fold(_, operands) => operands.iter().all(is_plain),
        _ => false,
    }
}
