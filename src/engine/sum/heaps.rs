//! The Grundy values of heaps whose moves are read as runs: all heaps up to the largest, in one column.
//!
//! Which of them can be reached is found first, from the largest heap down, a run at a time: only what moves leave there
//! must be told, and only those heaps are counted and shown to a checker.

use super::runs::{Run, Runs};
use super::splits::{BYTES_EACH, Table};
use crate::budget::{Budget, Limit, Share};
use crate::faults::{Wrong, planted};
use crate::lang::tree::Rules;

/// The largest heap that is valued so.
const LARGEST: usize = 1 << 28;

/// How many heaps that are not reached may be valued for one that is, and for none.
const UNREACHED: usize = 8;
const UNREACHED_AT_LEAST: usize = 4096;

/// Heaps with their values.
pub(super) struct Heaps<'a> {
    runs: Runs,
    table: Table,
    reached: Vec<bool>,
    /// All heaps below this are reached.
    whole: usize,
    count: usize,
    /// For each heap that is shown, one more than the greatest of the heaps that a move leaves.
    depths: Vec<u32>,
    found: Vec<Run>,
    share: Share<'a>,
}

impl<'a> Heaps<'a> {
    /// None where the moves cannot be read as runs.
    pub(super) fn of(rules: &Rules, budget: &'a Budget) -> Option<Self> {
        Some(Self {
            runs: Runs::of(rules)?,
            table: Table::default(),
            reached: Vec::new(),
            whole: 0,
            count: 0,
            depths: Vec::new(),
            found: Vec::new(),
            share: Share::new(budget),
        })
    }

    /// How many heaps are reached.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The value of a heap that is reached.
    pub(super) fn get(&self, heap: i64) -> Option<u32> {
        let heap = usize::try_from(heap).ok()?;
        if *self.reached.get(heap)? { self.table.get(heap) } else { None }
    }

    /// Values a heap and all that it leads to. Nothing is changed, and `false` returned, where they are not told.
    pub(super) fn reach(&mut self, heap: i64) -> Result<bool, Limit> {
        let Some(heap) = usize::try_from(heap).ok().filter(|heap| *heap < LARGEST) else { return Ok(false) };
        if self.reached.get(heap) == Some(&true) {
            return Ok(true);
        }
        self.make_room(heap)?;
        let Some(new) = self.sweep(heap)? else { return Ok(false) };
        let unreached = (heap + 1).saturating_sub(self.table.len()).saturating_sub(new.len());
        if unreached > new.len() * UNREACHED + UNREACHED_AT_LEAST {
            return Ok(false);
        }
        while self.table.len() <= heap {
            self.share.budget().check()?;
            if self.runs.look(self.table.len(), &mut self.found).is_none() {
                // it is not reached, nor will it be before all is given up
                self.found.clear();
            }
            self.table.push(&self.found);
        }
        self.count += new.len();
        new.into_iter().for_each(|heap| self.reached[heap] = true);
        while self.reached.get(self.whole) == Some(&true) {
            self.whole += 1;
        }
        Ok(true)
    }

    fn make_room(&mut self, heap: usize) -> Result<(), Limit> {
        if self.reached.len() <= heap {
            let room = (heap + 1).max(self.reached.len() * 2);
            self.share.resize(u64::try_from(room).unwrap_or(u64::MAX).saturating_mul(BYTES_EACH + 16))?;
            self.reached.resize(heap + 1, false);
        }
        Ok(())
    }

    /// The heaps that are reached from this one and were not before; none where what moves leave is not told.
    fn sweep(&mut self, heap: usize) -> Result<Option<Vec<usize>>, Limit> {
        // at each heap, by how many runs more it is held than the heap above
        let whole = self.whole;
        let mut change = vec![0_i64; heap + 1 - whole];
        let hold = |change: &mut [i64], low: usize, high: usize| {
            if high >= whole {
                change[high - whole] += 1;
            }
            if low > whole {
                change[low - 1 - whole] -= 1;
            }
        };
        hold(&mut change, heap, heap);
        let (mut holding, mut new) = (0, Vec::new());
        for at in (whole..=heap).rev() {
            if at.is_multiple_of(1024) {
                self.share.budget().check()?;
            }
            holding += change[at - whole];
            if holding == 0 || self.reached[at] {
                continue;
            }
            new.push(at);
            if self.runs.look(at, &mut self.found).is_none() && !planted(Wrong::UnreachedHeapTold) {
                return Ok(None);
            }
            self.found.iter().flat_map(|run| left(*run)).for_each(|(low, high)| hold(&mut change, low, high));
        }
        Ok(Some(new))
    }

    /// Calls `show` with each heap that is reached, its value and its depth, the smallest first.
    pub(super) fn each(&mut self, mut show: impl FnMut(i64, u32, u32) -> Result<(), Limit>) -> Result<(), Limit> {
        self.depths.clear();
        for heap in 0..self.reached.len() {
            self.share.budget().check()?;
            let mut depth = 0;
            if self.reached[heap] && self.runs.look(heap, &mut self.found).is_some() {
                for (low, high) in self.found.iter().flat_map(|run| left(*run)) {
                    depth = self.depths[low..=high].iter().fold(depth, |depth, below| depth.max(below + 1));
                }
                show(i64::try_from(heap).unwrap_or(i64::MAX), self.table.get(heap).unwrap_or(0), depth)?;
            }
            self.depths.push(depth);
        }
        Ok(())
    }
}

/// The heaps from the first to the last that a run leaves.
fn left(run: Run) -> impl Iterator<Item = (usize, usize)> {
    let others = run.sum.map(|sum| (sum - run.high, sum - run.low));
    [(run.low, run.high)].into_iter().chain(others)
}
