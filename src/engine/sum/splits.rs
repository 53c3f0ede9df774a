//! The Grundy values of heaps in order, where moves leave runs of heaps: each by its mex, looking at few splits.
//!
//! A value is met by no option, and every smaller number is met by one. For the second a sample of the splits is mostly
//! enough. What it leaves open is looked for among all splits, by comparing two columns of values, one of them
//! backwards, which goes many heaps at a time; the least number that is not found is the value.
//!
//! In most long sequences few values lie inside a certain subgroup of the nim-values, given by an even number of ones
//! under a mask. Two values outside have a nim-sum inside, so that a number outside is met only by a split of which one
//! part lies inside: where such rare parts are few, no others are looked at for it. Nothing rests on the mask but time.
//!
//! Sources: E. Berlekamp, J. Conway, R. Guy, *Winning Ways*, ch. 4 (sparse spaces); A. Flammenkamp (their use).

use crate::faults::{Wrong, planted};
use std::ops::{BitXor, RangeInclusive};

use super::runs::Run;

/// So few splits are all marked.
const FEW: usize = 256;

/// So many numbers are looked for before all splits are marked after all.
const LOOKED_FOR: usize = 48;

/// How many numbers the sample should leave open: fewer cost a larger sample, more cost more searches.
const LEFT_OPEN: RangeInclusive<usize> = 3..=8;

/// A mask is chosen for so many heaps, and again whenever they have doubled, since larger heaps have larger values.
const MASKED: usize = 2048;

/// Masks are chosen for values below this.
const MASKS: usize = 1 << 16;

/// How many values are compared before it is asked whether one was right.
const TOGETHER: usize = 64;

/// The bytes that the value of a heap may take, all in all.
pub(super) const BYTES_EACH: u64 = 32;

/// The Grundy values of heaps 0, 1, 2, …, in two bytes each as long as they fit.
pub(super) enum Table {
    Narrow(Column<u16>),
    Wide(Column<u32>),
}

impl Default for Table {
    fn default() -> Self {
        Self::Narrow(Column::default())
    }
}

impl Table {
    /// How many heaps are valued.
    pub(super) const fn len(&self) -> usize {
        match self {
            Self::Narrow(column) => column.values.len(),
            Self::Wide(column) => column.values.len(),
        }
    }

    /// The value of a heap.
    #[inline]
    pub(super) fn get(&self, heap: usize) -> Option<u32> {
        match self {
            Self::Narrow(column) => column.values.get(heap).map(|value| u32::from(*value)),
            Self::Wide(column) => column.values.get(heap).copied(),
        }
    }

    /// Values the next heap, whose moves leave these runs of smaller heaps.
    pub(super) fn push(&mut self, runs: &[Run]) {
        let value = match self {
            Self::Narrow(column) => column.next(runs),
            Self::Wide(column) => column.next(runs),
        };
        match self {
            Self::Narrow(column) => {
                if let Ok(value) = u16::try_from(value) {
                    column.append(value);
                } else {
                    let mut wide = column.widened();
                    wide.append(value);
                    *self = Self::Wide(wide);
                }
            }
            Self::Wide(column) => column.append(value),
        }
    }

    /// The last heap whose value is not that of the heap so much larger.
    pub(super) fn last_difference(&self, period: usize) -> Option<usize> {
        match self {
            Self::Narrow(column) => last_difference(&column.values, period),
            Self::Wide(column) => last_difference(&column.values, period),
        }
    }
}

fn last_difference<C: Cell>(values: &[C], period: usize) -> Option<usize> {
    let later = values.get(period..)?;
    values.iter().zip(later).rposition(|(value, later)| value != later)
}

/// The numbers in which values are kept.
pub(super) trait Cell: Copy + Default + PartialEq + BitXor<Output = Self> + TryFrom<u32> + Into<u32> {}

impl Cell for u16 {}

impl Cell for u32 {}

/// Splits into `part` and `sum - part` for each part from `low` up to `end`, without it, which is at most half of the
/// sum and 1.
#[derive(Clone, Copy, Debug)]
struct Split {
    sum: usize,
    low: usize,
    end: usize,
}

impl Split {
    /// The values of the parts, and of what each leaves of the sum.
    fn columns<'c, C>(self, values: &'c [C], back: &'c [C]) -> (&'c [C], &'c [C]) {
        if self.low >= self.end {
            return (&[], &[]);
        }
        let other = |part: usize| back.len() + part - 1 - self.sum;
        (&values[self.low..self.end], &back[other(self.low)..other(self.end)])
    }
}

/// Values, and what finds the next one.
pub(super) struct Column<C> {
    values: Vec<C>,
    /// The values from the last heap to the first, at the end of the room.
    back: Vec<C>,
    /// For each number the last heap, counted from 1, of which an option is known to have it.
    marks: Vec<u32>,
    mask: u32,
    /// The heaps whose values lie inside the subgroup, with their values.
    rare: Vec<(u32, C)>,
    /// How many splits are sampled: where no mask helps, and where one does.
    samples: [usize; 2],
    splits: Vec<Split>,
}

impl<C: Cell> Default for Column<C> {
    fn default() -> Self {
        Self {
            values: Vec::new(),
            back: Vec::new(),
            marks: vec![0; 64],
            mask: 0,
            rare: Vec::new(),
            samples: [FEW; 2],
            splits: Vec::new(),
        }
    }
}

impl Column<u16> {
    fn widened(&self) -> Column<u32> {
        Column {
            values: self.values.iter().copied().map(u32::from).collect(),
            back: self.back.iter().copied().map(u32::from).collect(),
            marks: self.marks.clone(),
            mask: 0,
            rare: Vec::new(),
            samples: self.samples,
            splits: Vec::new(),
        }
    }
}

impl<C: Cell> Column<C> {
    /// The mex over the options of the next heap.
    fn next(&mut self, runs: &[Run]) -> u32 {
        let heap = small(self.values.len() + 1);
        self.splits.clear();
        for run in runs {
            match run.sum {
                None => self.values[run.low..=run.high].iter().for_each(|value| mark(&mut self.marks, *value, heap)),
                Some(sum) => fold(run.low, run.high, sum, &mut self.splits),
            }
        }
        let total = self.splits.iter().map(|split| split.end - split.low).sum();
        if total <= FEW {
            self.mark_all(heap);
            return self.open(0, heap);
        }
        // a rare part costs as much as two in the sample, a search through all splits an eighth of marking them
        let sparse = self.mask != 0 && 2 * self.rare.len() * self.splits.len() < self.samples[0] + total / 8;
        if sparse {
            self.mark_rare(heap);
        }
        let sample = self.samples[usize::from(sparse)].min(total);
        self.mark_sample(sample, total, heap);
        let (mut value, mut found) = (self.open(0, heap), 0);
        while !(planted(Wrong::SplitNotLookedFor) || sparse && self.outside(value)) && self.meets(value) {
            found += 1;
            if found == LOOKED_FOR {
                self.samples[usize::from(sparse)] = sample * 2;
                self.mark_all(heap);
                return self.open(value, heap);
            }
            self.marks[index(value)] = heap;
            value = self.open(value, heap);
        }
        if found > *LEFT_OPEN.end() {
            self.samples[usize::from(sparse)] += sample / 16 + 16;
        } else if found < *LEFT_OPEN.start() {
            self.samples[usize::from(sparse)] -= sample / 16;
        }
        value
    }

    /// The least number from this one on that is not marked.
    fn open(&self, from: u32, heap: u32) -> u32 {
        let from = index(from);
        let open = self.marks.get(from..).and_then(|marks| marks.iter().position(|mark| *mark != heap));
        small(open.map_or(self.marks.len().max(from), |open| from + open))
    }

    /// Marks the nim-sums of all splits that are left.
    fn mark_all(&mut self, heap: u32) {
        for split in &self.splits {
            let (parts, others) = split.columns(&self.values, &self.back);
            mark_pairs(&mut self.marks, parts, others, heap);
        }
    }

    /// Marks the nim-sums of so many splits of all, and leaves the others. Small parts give large nim-sums, and parts
    /// that are nearly equal give small ones: so both are in the sample.
    fn mark_sample(&mut self, sample: usize, total: usize, heap: u32) {
        for split in &mut self.splits {
            let half = (split.end - split.low) * sample / total / 2;
            let (low, end) = (split.low + half, split.end - half);
            for sampled in [Split { end: low, ..*split }, Split { low: end, ..*split }] {
                let (parts, others) = sampled.columns(&self.values, &self.back);
                mark_pairs(&mut self.marks, parts, others, heap);
            }
            (split.low, split.end) = (low, end);
        }
    }

    /// Marks the nim-sums of the splits with a rare part, whether it is the smaller one or the larger.
    fn mark_rare(&mut self, heap: u32) {
        for Split { sum, low, end } in &self.splits {
            for parts in [*low..*end, sum + 1 - end..sum + 1 - low] {
                let begin = self.rare.partition_point(|(part, _)| index(*part) < parts.start);
                let end = self.rare.partition_point(|(part, _)| index(*part) < parts.end);
                mark_rare(&mut self.marks, &self.rare[begin..end], &self.values, *sum, heap);
            }
        }
    }

    /// Whether a split of those that are left has this nim-sum.
    fn meets(&self, value: u32) -> bool {
        let Ok(value) = C::try_from(value) else { return false };
        self.splits.iter().any(|split| {
            let (parts, others) = split.columns(&self.values, &self.back);
            any_pair(parts, others, value)
        })
    }

    fn append(&mut self, value: C) {
        let (heap, number) = (self.values.len(), value.into());
        if heap == self.back.len() {
            let mut back = vec![C::default(); (heap * 2).max(64)];
            let start = back.len() - heap;
            back[start..].copy_from_slice(&self.back);
            self.back = back;
        }
        let place = self.back.len() - 1 - heap;
        self.back[place] = value;
        self.values.push(value);
        // every nim-sum of values has its mark
        let needed = (index(number) + 1).next_power_of_two();
        if self.marks.len() < needed {
            self.marks.resize(needed, 0);
        }
        if self.values.len() >= MASKED && self.values.len().is_power_of_two() {
            self.choose_mask();
        } else if self.mask != 0 && !self.outside(number) {
            self.rare.push((small(heap), value));
        }
    }

    const fn outside(&self, value: u32) -> bool {
        (value & self.mask).count_ones() % 2 == 1
    }

    /// The mask that leaves the fewest values inside the subgroup. How many more lie inside than outside is told for all
    /// masks at once by the Walsh transform of how often each value occurs.
    fn choose_mask(&mut self) {
        (self.mask, self.rare) = (0, Vec::new());
        let masks = self.marks.len();
        if masks > MASKS {
            return;
        }
        let mut excess = vec![0_i64; masks];
        self.values.iter().for_each(|value| excess[at(*value)] += 1);
        let mut bit = 1;
        while bit < masks {
            for pair in excess.chunks_exact_mut(bit * 2) {
                let (without, with) = pair.split_at_mut(bit);
                for (a, b) in without.iter_mut().zip(with) {
                    (*a, *b) = (*a + *b, *a - *b);
                }
            }
            bit *= 2;
        }
        self.mask = (1..masks).min_by_key(|mask| excess[*mask]).map_or(0, small);
        let heaps = (0..).zip(&self.values).map(|(heap, value)| (heap, *value));
        self.rare = heaps.filter(|(_, value)| !self.outside((*value).into())).collect();
    }
}

fn mark<C: Cell>(marks: &mut [u32], value: C, heap: u32) {
    // it is there for every nim-sum of values
    if let Some(mark) = marks.get_mut(at(value)) {
        *mark = heap;
    }
}

/// Marks the nim-sums of rare parts and what they leave of the sum. On its own, so that everything stays in registers.
#[inline(never)]
fn mark_rare<C: Cell>(marks: &mut [u32], rare: &[(u32, C)], values: &[C], sum: usize, heap: u32) {
    for (part, value) in rare {
        if let Some(other) = values.get(sum - index(*part)) {
            mark(marks, *value ^ *other, heap);
        }
    }
}

/// Marks the nim-sums of values side by side.
#[inline(never)]
fn mark_pairs<C: Cell>(marks: &mut [u32], parts: &[C], others: &[C], heap: u32) {
    for (part, other) in parts.iter().zip(others) {
        mark(marks, *part ^ *other, heap);
    }
}

/// Whether two values side by side have this nim-sum.
fn any_pair<C: Cell>(parts: &[C], others: &[C], value: C) -> bool {
    let (parts, last_parts) = parts.as_chunks::<TOGETHER>();
    let (others, last_others) = others.as_chunks::<TOGETHER>();
    parts.iter().zip(others).any(|(parts, others)| {
        // no early end inside: so the compiler compares several at a time
        parts.iter().zip(others).fold(false, |met, (part, other)| met | (*part ^ *other == value))
    }) || last_parts.iter().zip(last_others).any(|(part, other)| *part ^ *other == value)
}

/// Splits with every part up to half of the sum: a larger part stands for what it leaves.
fn fold(low: usize, high: usize, sum: usize, splits: &mut Vec<Split>) {
    let half = sum / 2;
    let near = (low <= half).then(|| Split { sum, low, end: high.min(half) + 1 });
    let far = (high > half).then(|| Split { sum, low: sum - high, end: sum - low.max(half + 1) + 1 });
    match (near, far) {
        // both reach half of the sum
        (Some(a), Some(b)) => splits.push(Split { sum, low: a.low.min(b.low), end: a.end.max(b.end) }),
        (one, other) => splits.extend(one.or(other)),
    }
}

fn at<C: Cell>(value: C) -> usize {
    index(value.into())
}

fn index(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that fit two bytes no longer take four from then on, and are the same.
    #[test]
    fn wide_values_are_the_same() {
        let runs = |heap: usize| {
            let rest = heap.checked_sub(3).filter(|rest| *rest > 1);
            let splits = rest.map(|rest| Run { low: 1, high: rest / 2, sum: Some(rest) });
            let whole = rest.map(|rest| Run { low: rest, high: rest, sum: None });
            splits.into_iter().chain(whole).collect::<Vec<Run>>()
        };
        let (mut narrow, mut wide) = (Table::default(), Table::default());
        for heap in 0..6000 {
            if heap == 1500 {
                let Table::Narrow(column) = &wide else { unreachable!("the values are small") };
                wide = Table::Wide(column.widened());
            }
            narrow.push(&runs(heap));
            wide.push(&runs(heap));
            assert_eq!(narrow.get(heap), wide.get(heap), "heap {heap}");
        }
        assert!(matches!((narrow, wide), (Table::Narrow(_), Table::Wide(_))));
    }

    /// Any number is taken from a heap: each is its own value.
    #[test]
    fn values_leave_two_bytes() {
        let mut column = Column::<u16>::default();
        (0..=u16::MAX).for_each(|value| column.append(value));
        let mut table = Table::Narrow(column);
        for heap in 65_536..65_600 {
            table.push(&[Run { low: 0, high: heap - 1, sum: None }]);
            assert_eq!(table.get(heap), Some(small(heap)));
        }
        assert!(matches!(table, Table::Wide(_)));
    }
}
