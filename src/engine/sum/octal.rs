//! The Grundy sequence of an octal code, heap by heap, and by its period once that is proved.
//!
//! Source: R. Guy, C. Smith, "The G-values of various games", 1956 (codes, periodicity).

use super::runs::Run;
use super::splits::{BYTES_EACH, Table};
use super::{Summed, Values};
use crate::budget::{Budget, Limit, Share};
use crate::claims::Parts;
use crate::faults::{Wrong, planted};
use crate::lang::tree::OctalCode;
use crate::position::{Positions, Width};

/// So many heaps are listed for a checker, which looks at every split of each.
const LISTED: usize = 1500;

/// The longest sequence.
const LONGEST: usize = 1 << 28;

/// The Grundy values of heaps 0, 1, 2, ….
pub(super) struct Sequence<'a> {
    digits: Vec<u8>,
    table: Table,
    runs: Vec<Run>,
    /// A period that has been proved: the pre-period and the period.
    period: Option<(usize, usize)>,
    share: Share<'a>,
    /// The first heaps as positions, with their values and how deep each is: for a checker, as long as all values are
    /// among them.
    listed: Positions,
    nimbers: Vec<u32>,
    depths: Vec<u32>,
    looked: u64,
}

impl<'a> Sequence<'a> {
    pub(super) fn new(code: &OctalCode, budget: &'a Budget) -> Self {
        Self {
            digits: code.digits.clone(),
            table: Table::default(),
            runs: Vec::new(),
            period: None,
            share: Share::new(budget),
            listed: Positions::new(Width::Fixed(1)),
            nimbers: Vec::new(),
            depths: Vec::new(),
            looked: 0,
        }
    }

    #[inline]
    fn get(&mut self, heap: usize) -> Summed<u32> {
        self.looked += 1;
        loop {
            let known = match self.period {
                Some((before, period)) if heap >= before => before + (heap - before) % period,
                _ => heap,
            };
            if let Some(value) = self.table.get(known) {
                return Ok(value);
            }
            self.extend(heap)?;
        }
    }

    /// Values heaps up to this one, or up to the next number at which a period is looked for: a power of two.
    fn extend(&mut self, heap: usize) -> Summed<()> {
        let goal = (self.table.len() + 1).next_power_of_two().max(64);
        if goal > LONGEST {
            return Err(Limit::Size(u64::try_from(LONGEST).unwrap_or(u64::MAX)).into());
        }
        self.share.resize(u64::try_from(goal).unwrap_or(u64::MAX).saturating_mul(BYTES_EACH))?;
        while self.table.len() < goal.min(heap.saturating_add(1)) {
            self.push()?;
        }
        if self.table.len() == goal {
            self.period = self.find_period();
        }
        Ok(())
    }

    /// Appends the value of the next heap.
    fn push(&mut self) -> Result<(), Limit> {
        let heap = self.table.len();
        if heap.is_multiple_of(256) {
            self.share.budget().check()?;
            self.share.budget().looked_at(u64::try_from(heap).unwrap_or(u64::MAX));
        }
        self.runs.clear();
        for (taken, digit) in self.digits.iter().enumerate().take(heap + 1) {
            let rest = heap - taken;
            if digit & 1 != 0 && rest == 0 {
                // no heap is worth as much as an empty one
                self.runs.push(Run { low: 0, high: 0, sum: None });
            }
            if digit & (2 + u8::from(planted(Wrong::WholeHeapLeft))) != 0 && rest > 0 {
                self.runs.push(Run { low: rest, high: rest, sum: None });
            }
            if digit & (4 >> u8::from(planted(Wrong::DigitMisread))) != 0 && rest > 1 {
                self.runs.push(Run { low: 1, high: rest / 2, sum: Some(rest) });
            }
        }
        self.table.push(&self.runs);
        if heap < LISTED {
            self.list(heap);
        }
        Ok(())
    }

    fn list(&mut self, heap: usize) {
        self.listed.insert(&[i64::try_from(heap).unwrap_or(i64::MAX)]);
        self.nimbers.push(self.table.get(heap).unwrap_or(u32::MAX));
        let mut left: Vec<u32> = Vec::new();
        for (taken, digit) in self.digits.iter().enumerate().take(heap + 1) {
            let rest = heap - taken;
            left.extend((digit & 1 != 0 && rest == 0).then_some(0));
            left.extend((digit & 2 != 0 && rest > 0).then(|| self.depths[rest]));
            left.extend(self.depths[..rest].iter().skip(1).filter(|_| digit & 4 != 0));
        }
        self.depths.push(left.into_iter().max().map_or(0, |depth| depth + 1));
    }

    /// The least period that the values so far prove, with its pre-period.
    ///
    /// If G(n + p) = G(n) for all n from n0 up to, but without, 2·n0 + p + k, then for all n from n0, where k is the
    /// most that a move takes; where no digit splits a heap, k further heaps from n0 on are enough.
    fn find_period(&self) -> Option<(usize, usize)> {
        let known = self.table.len();
        let most = self.digits.iter().rposition(|digit| *digit != 0).unwrap_or(0);
        let splits = self.digits.iter().any(|digit| digit & 4 != 0);
        (1..known).find_map(|period| {
            let before = self.table.last_difference(period).map_or(0, |heap| heap + 1);
            // a heap of none is unlike the others to a digit that leaves no heap, or one
            let from = before.max(1);
            let window = if splits { 2 * from + period + most } else { from + most };
            let window = if planted(Wrong::PeriodTooEarly) { from } else { window };
            (window + period <= known).then_some((before, period))
        })
    }
}

impl Values for Sequence<'_> {
    fn of(&mut self, component: &[i64]) -> Summed<Option<u64>> {
        let heap = component.first().map_or(0, |heap| usize::try_from(*heap).unwrap_or(0));
        self.get(heap).map(|value| Some(u64::from(value)))
    }

    fn claims(&mut self) -> Option<Parts<'_>> {
        let whole = self.table.len() > 0 && self.table.len() <= LISTED;
        whole.then(|| Parts { positions: &self.listed, nimbers: &self.nimbers, depths: &self.depths })
    }

    fn visited(&self) -> u64 {
        u64::try_from(self.table.len()).unwrap_or(u64::MAX) + self.looked
    }
}
