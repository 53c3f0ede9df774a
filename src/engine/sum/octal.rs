//! The Grundy sequence of an octal code, heap by heap, and by its period once that is proved.
//!
//! Most values of a long sequence lie outside a small subgroup of the nim-values, given by an even number of ones under
//! a mask, and two of those outside have a nim-sum inside. So a split need be looked at only where one part has a value
//! inside, which is rare, unless a value inside is to be found missing or met.
//!
//! Sources: R. Guy, C. Smith, "The G-values of various games", 1956 (codes, periodicity); E. Berlekamp, J. Conway,
//! R. Guy, *Winning Ways*, ch. 4 (sparse spaces); A. Flammenkamp (their use).

use super::{Summed, Values};
use crate::budget::{Budget, Limit, Share};
use crate::claims::Parts;
use crate::lang::tree::OctalCode;
use crate::position::{Positions, Width};

/// So many values are computed by trying every split, before a mask is chosen.
const PLAIN: usize = 2048;

/// So many heaps are listed for a checker, which looks at every split of each.
const LISTED: usize = 1500;

/// Masks below this are tried.
const MASKS: u32 = 1 << 13;

/// The longest sequence.
const LONGEST: usize = 1 << 28;

/// The Grundy values of heaps 0, 1, 2, ….
pub(super) struct Sequence<'a> {
    digits: Vec<u8>,
    values: Vec<u32>,
    /// A period that has been proved: the pre-period and the period.
    period: Option<(usize, usize)>,
    mask: u32,
    /// The heaps whose values lie inside the subgroup.
    rare: Vec<usize>,
    /// For each value whether an option has it; the heap for which it was marked.
    marks: Vec<usize>,
    share: Share<'a>,
    /// The first heaps as positions, with how deep each is: for a checker, as long as all values are among them.
    listed: Positions,
    depths: Vec<u32>,
    looked: u64,
}

impl<'a> Sequence<'a> {
    pub(super) fn new(code: &OctalCode, budget: &'a Budget) -> Self {
        Self {
            digits: code.digits.clone(),
            values: Vec::new(),
            period: None,
            mask: 0,
            rare: Vec::new(),
            marks: Vec::new(),
            share: Share::new(budget),
            listed: Positions::new(Width::Fixed(1)),
            depths: Vec::new(),
            looked: 0,
        }
    }

    fn get(&mut self, heap: usize) -> Summed<u32> {
        self.looked += 1;
        while self.values.len() <= heap {
            if let Some((before, period)) = self.period {
                return Ok(self.values[before + (heap - before) % period]);
            }
            // a period is looked for whenever the sequence has doubled
            let goal = (self.values.len() + 1).next_power_of_two().max(64);
            if goal > LONGEST {
                return Err(Limit::Size(u64::try_from(LONGEST).unwrap_or(u64::MAX)).into());
            }
            self.share.resize(u64::try_from(goal).unwrap_or(u64::MAX).saturating_mul(16))?;
            while self.values.len() < goal.min(heap + 1) {
                self.push()?;
            }
            if self.values.len() == goal {
                self.period = self.find_period();
            }
        }
        Ok(self.values[heap])
    }

    /// Appends the value of the next heap.
    fn push(&mut self) -> Result<(), Limit> {
        let heap = self.values.len();
        if heap.is_multiple_of(256) {
            self.share.budget().check()?;
        }
        if heap >= PLAIN && heap.is_power_of_two() {
            self.choose_mask();
        }
        for taken in 0..self.digits.len().min(heap + 1) {
            let (digit, rest) = (self.digits[taken], heap - taken);
            if digit & 1 != 0 && rest == 0 {
                self.mark(0, heap);
            }
            if digit & 2 != 0 && rest > 0 {
                self.mark(self.values[rest], heap);
            }
            if digit & 4 != 0 {
                self.mark_splits(rest, heap);
            }
        }
        if heap >= PLAIN {
            self.fill(heap);
        }
        let value = (0..).find(|value| !self.marked(*value, heap)).unwrap_or(u32::MAX);
        self.values.push(value);
        if heap < LISTED {
            self.list(heap);
        }
        if heap >= PLAIN && !self.outside(value) {
            self.rare.push(heap);
        }
        Ok(())
    }

    fn list(&mut self, heap: usize) {
        self.listed.insert(&[i64::try_from(heap).unwrap_or(i64::MAX)]);
        let mut left: Vec<u32> = Vec::new();
        for (taken, digit) in self.digits.iter().enumerate().take(heap + 1) {
            let rest = heap - taken;
            left.extend((digit & 1 != 0 && rest == 0).then_some(0));
            left.extend((digit & 2 != 0 && rest > 0).then(|| self.depths[rest]));
            left.extend(self.depths[..rest].iter().skip(1).filter(|_| digit & 4 != 0));
        }
        self.depths.push(left.into_iter().max().map_or(0, |depth| depth + 1));
    }

    /// Marks the nim-sums of the splits of `rest`: all, or those with a part in the subgroup.
    fn mark_splits(&mut self, rest: usize, heap: usize) {
        if heap < PLAIN {
            for part in 1..=rest / 2 {
                self.mark(self.values[part] ^ self.values[rest - part], heap);
            }
            return;
        }
        for at in 0..self.rare.len() {
            let part = self.rare[at];
            if part >= rest {
                break;
            }
            if part > 0 {
                self.mark(self.values[part] ^ self.values[rest - part], heap);
            }
        }
    }

    /// Marks what splits into two parts outside the subgroup give, until nothing is open below the first value outside
    /// that is not marked: they give values inside only.
    fn fill(&mut self, heap: usize) {
        let open = |value: &u32| !self.marked(*value, heap);
        let least = (0..).find(|value| open(value) && self.outside(*value)).unwrap_or(u32::MAX);
        let mut left = (0..least).filter(open).count();
        for taken in 0..self.digits.len().min(heap + 1) {
            if self.digits[taken] & 4 == 0 {
                continue;
            }
            let rest = heap - taken;
            // small parts give large nim-sums and parts that are nearly equal give small ones: both ends in turn
            let half = rest / 2;
            for part in (1..=half.div_ceil(2)).flat_map(|low| [low, half + 1 - low]) {
                if left == 0 {
                    return;
                }
                let value = self.values[part] ^ self.values[rest - part];
                if value < least && !self.marked(value, heap) {
                    self.mark(value, heap);
                    left -= 1;
                }
            }
        }
    }

    fn mark(&mut self, value: u32, heap: usize) {
        let at = index(value);
        if self.marks.len() <= at {
            self.marks.resize(at + 1, usize::MAX);
        }
        self.marks[at] = heap;
    }

    fn marked(&self, value: u32, heap: usize) -> bool {
        self.marks.get(index(value)) == Some(&heap)
    }

    fn outside(&self, value: u32) -> bool {
        (value & self.mask).count_ones() % 2 == 1
    }

    /// The mask that leaves the fewest values inside the subgroup. It is chosen anew whenever the sequence has doubled,
    /// since larger heaps have larger values.
    fn choose_mask(&mut self) {
        let most = self.values.iter().max().copied().unwrap_or(0);
        let mut counts = vec![0_usize; index(most) + 1];
        self.values.iter().for_each(|value| counts[index(*value)] += 1);
        let masks = most.saturating_add(1).next_power_of_two().min(MASKS);
        let inside = |mask: u32| {
            (0..)
                .zip(&counts)
                .filter(|(value, _)| (value & mask).count_ones().is_multiple_of(2))
                .map(|(_, count)| count)
                .sum::<usize>()
        };
        self.mask = (1..masks).min_by_key(|mask| inside(*mask)).unwrap_or(1);
        self.rare = (0..self.values.len()).filter(|heap| !self.outside(self.values[*heap])).collect();
    }

    /// The least period that the values so far prove, with its pre-period.
    ///
    /// If G(n + p) = G(n) for all n from n0 up to, but without, 2·n0 + p + k, then for all n from n0, where k is the
    /// most that a move takes; where no digit splits a heap, k further heaps from n0 on are enough.
    fn find_period(&self) -> Option<(usize, usize)> {
        let known = self.values.len();
        let most = self.digits.iter().rposition(|digit| *digit != 0).unwrap_or(0);
        let splits = self.digits.iter().any(|digit| digit & 4 != 0);
        (1..known).find_map(|period| {
            let differs = (0..known - period).rev().find(|heap| self.values[*heap] != self.values[heap + period]);
            let before = differs.map_or(0, |heap| heap + 1);
            // a heap of none is unlike the others to a digit that leaves no heap, or one
            let from = before.max(1);
            let window = if splits { 2 * from + period + most } else { from + most };
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
        let whole = !self.values.is_empty() && self.values.len() <= LISTED;
        whole.then(|| Parts { positions: &self.listed, nimbers: &self.values, depths: &self.depths })
    }

    fn visited(&self) -> u64 {
        u64::try_from(self.values.len()).unwrap_or(u64::MAX) + self.looked
    }
}

fn index(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}
