//! The Grundy sequence of an octal code from its definition: every heap by the mex over all its options.

use crate::budget::{Budget, Limit};

/// So many heaps are valued by trying every split; beyond them only a proved period tells.
const MOST: usize = 100_001;

/// The values of heaps, as far as they are known.
pub(super) struct Octal<'a> {
    digits: Vec<u8>,
    values: Vec<u32>,
    /// For each value the last heap, counted from 1, that has an option of this value.
    seen: Vec<usize>,
    repeats: Option<Repeats>,
    budget: &'a Budget,
}

/// From heap `from` on the values repeat after `after` heaps.
struct Repeats {
    from: usize,
    after: usize,
}

impl<'a> Octal<'a> {
    pub(super) fn new(digits: &[u8], budget: &'a Budget) -> Self {
        Self { digits: digits.to_vec(), values: Vec::new(), seen: vec![0], repeats: None, budget }
    }

    /// The value of a heap.
    pub(super) fn value(&mut self, heap: i64) -> Result<u32, Limit> {
        let heap = usize::try_from(heap.max(0)).unwrap_or(usize::MAX);
        loop {
            if let Some(value) = self.values.get(heap) {
                return Ok(*value);
            }
            if let Some(Repeats { from, after }) = self.repeats {
                return Ok(self.values[from + (heap - from) % after]);
            }
            if self.values.len() >= MOST {
                return Err(Limit::Uncovered);
            }
            self.budget.check()?;
            let next = self.next();
            self.values.push(next);
            if self.values.len().is_multiple_of(500) {
                self.repeats = self.proved();
            }
        }
    }

    /// The mex over all options of the first heap not valued yet.
    fn next(&mut self) -> u32 {
        let Self { digits, values, seen, .. } = self;
        let heap = values.len();
        let mut see = |value: u32| seen[usize::try_from(value).unwrap_or(usize::MAX)] = heap + 1;
        for (taken, digit) in digits.iter().enumerate() {
            let Some(rest) = heap.checked_sub(taken) else { break };
            let allows = |ways: u8| digit / ways % 2 == 1;
            if allows(1) && rest == 0 {
                see(0);
            }
            if allows(2) && rest >= 1 {
                see(values[rest]);
            }
            if allows(4) {
                // every way to leave two heaps, each looked at from one side
                let smaller = values.get(1..=rest / 2).unwrap_or_default();
                let larger = values[..rest].iter().rev();
                smaller.iter().zip(larger).for_each(|(one, other)| see(one ^ other));
            }
        }
        let least = seen.iter().position(|last| *last != heap + 1).unwrap_or(seen.len());
        // nim-sums of values have no more binary digits than the values
        if least == seen.len() {
            seen.resize(2 * least, 0);
        }
        u32::try_from(least).unwrap_or(u32::MAX)
    }

    /// A repetition over the window that the periodicity theorem asks for: the values from `from` to
    /// 2 · from + after + the most that is taken, each with the one `after` heaps on.
    fn proved(&self) -> Option<Repeats> {
        let taken = self.digits.len() - 1;
        for after in 1..self.values.len() / 2 {
            let mut from = self.values.len() - after;
            while from > 0 && self.values[from - 1] == self.values[from - 1 + after] {
                from -= 1;
            }
            // heap 0 is unlike the others to a digit that leaves no heap, or one
            let first = if from == 0 { 1 } else { from };
            if 2 * first + 2 * after + taken <= self.values.len() {
                return Some(Repeats { from, after });
            }
        }
        None
    }
}
