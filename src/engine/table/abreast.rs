//! Rows that are filled abreast: moves lead to and fro between them, and always further along them. So `x` along the rows,
//! which every move raises, and across them what was moved last.
//!
//! From one value to another along them each way leads from a row to places of one row at an even pace, or to what is
//! over: a lane. Between the ends of lanes all goes on alike.

use super::fill::{Failed, Filler};
use super::leads::advanced;
use super::parts::Part;
use super::sweep::{Read, any_last};
use crate::budget::Budget;
use crate::claims::Key;
use crate::faults::{Wrong, planted};
use crate::lang::Unfit;

/// How many places are filled before it is asked whether to stop.
const OFTEN: usize = 1 << 12;

/// Where a way leads from a row, from one value and before another.
struct Lane {
    row: usize,
    from: i64,
    to: i64,
    /// The option at the first value, and how much further it is at each next one; none, where play is over.
    read: Option<Read>,
}

/// The place of a row that is to be filled next.
struct Cell {
    at: usize,
    /// Whether some option is over.
    over: bool,
    /// Where its other options end among those of all; they begin where those of the one before end.
    end: usize,
}

impl<K: Key, const OWN: bool, const DRAWS: bool> Filler<'_, K, OWN, DRAWS> {
    /// Fills all rows, so many abreast.
    pub(super) fn fill_abreast(&mut self, abreast: usize, budget: &Budget) -> Result<(), Failed> {
        let over = self.leads.rules.winner.same_for_all().map(K::over);
        let over = over.filter(|_| self.leads.is_straight() && !self.leads.holes).ok_or(Unfit)?;
        let rows = self.leads.lines.rows();
        let (mut lanes, mut cuts) = (Vec::new(), Vec::new());
        for first in (0..rows.len()).step_by(abreast) {
            let beside = (first, rows.len().min(first + abreast));
            budget.looked_at(u64::try_from(rows[first].start).unwrap_or(u64::MAX));
            lanes.clear();
            cuts.clear();
            for (number, row) in rows.iter().enumerate().take(beside.1).skip(first) {
                if !row.is_empty() {
                    cuts.extend([row.low, row.low + i64::from(row.len)]);
                    self.leads.begin_beside(number, beside);
                    self.lanes(&mut lanes).ok_or(Unfit)?;
                }
            }
            cuts.extend(lanes.iter().flat_map(|lane| [lane.from, lane.to]));
            cuts.sort_unstable();
            cuts.dedup();
            if self.down {
                cuts.reverse();
            }
            for ends in cuts.windows(2) {
                let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                self.piece(beside, (from, to), &lanes, over, budget)?;
            }
            if self.may_overflow {
                let last = rows[beside.1 - 1];
                self.met_last |= any_last(&self.keys[rows[first].start..last.start + last.len()]);
                if self.met_last {
                    return Err(Failed::Narrow);
                }
            }
        }
        Ok(())
    }

    /// The lanes that begin in the row; nothing, where it is not seen where a way leads.
    fn lanes(&mut self, lanes: &mut Vec<Lane>) -> Option<()> {
        self.leads.turn_to_row();
        let leads = &self.leads;
        let (rows, row) = (leads.lines.rows(), leads.number);
        for rail in leads.rails.ways.iter() {
            let mut seen = true;
            leads.parts(rail, &mut |part| {
                let (from, to, read) = match part {
                    Part::Over(from, to) => (from, to, None),
                    Part::Before(from, to, row, place, step) => {
                        (from, to, Some(Read { place: rows[row].start + place, step }))
                    }
                    Part::Same(from, to, place, step) => {
                        (from, to, Some(Read { place: leads.row.start + place, step }))
                    }
                    Part::Unseen(..) | Part::Scattered(..) => {
                        seen = false;
                        return;
                    }
                };
                let to = to - usize::from(planted(Wrong::LaneOneShort) && to > from + 1);
                let value = |place: usize| leads.row.low + i64::try_from(place).unwrap_or(0);
                lanes.push(Lane { row, from: value(from), to: value(to), read });
            })?;
            seen.then_some(())?;
        }
        Some(())
    }

    /// Fills the places of all rows abreast that have values from one on and before another; no lane ends between.
    fn piece(
        &mut self,
        beside: (usize, usize),
        (from, to): (i64, i64),
        lanes: &[Lane],
        over: K,
        budget: &Budget,
    ) -> Result<(), Failed> {
        let (mut cells, mut reads) = (Vec::new(), Vec::new());
        let first = if self.down { to - 1 } else { from };
        let mut lanes = lanes.iter().peekable();
        for number in beside.0..beside.1 {
            let row = self.leads.lines.rows()[number];
            let place = row.place(first);
            let mut is_over = false;
            while let Some(lane) = lanes.next_if(|lane| lane.row == number) {
                if !(lane.from..lane.to).contains(&first) {
                    continue;
                }
                let Some(Read { place, step }) = lane.read else {
                    is_over = true;
                    continue;
                };
                let place = advanced(place, step, usize::try_from(first - lane.from).map_err(|_| Unfit)?);
                reads.push(Read { place, step: if self.down { -step } else { step } });
            }
            if let Some(place) = place {
                cells.push(Cell { at: row.start + place, over: is_over, end: reads.len() });
            }
        }
        let stuck = if planted(Wrong::StuckIsNotOver) { K::NONE.back::<OWN, DRAWS>() } else { over };
        let stride: isize = if self.down { -1 } else { 1 };
        let mut left = usize::try_from(to - from).map_err(|_| Unfit)?;
        while left > 0 {
            budget.check()?;
            let count = left.min(OFTEN);
            left -= count;
            for _ in 0..count {
                let mut begin = 0;
                for cell in &mut cells {
                    let mut best = if cell.over { over } else { K::NONE };
                    for read in &mut reads[begin..cell.end] {
                        best = best.min(self.keys[read.place]);
                        read.place = read.place.wrapping_add_signed(read.step);
                    }
                    begin = cell.end;
                    self.keys[cell.at] = if best == K::NONE { stuck } else { best.back::<OWN, DRAWS>() };
                    cell.at = cell.at.wrapping_add_signed(stride);
                }
            }
        }
        Ok(())
    }
}
