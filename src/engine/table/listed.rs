//! Options that lie anywhere, noted place by place: what no straight way tells.

use super::leads::{Leads, NOWHERE, Source};
use crate::faults::{Wrong, planted};
use crate::lang::{Columns, Fit, Ints, Places, Truth, Unfit};
use crate::position::Axis;

impl Leads<'_> {
    /// Notes options that lie anywhere, one by one.
    pub(super) fn list(&mut self, columns: &mut Columns<'_>, reached: &mut Vec<Ints>, when: &Truth) -> Fit<()> {
        self.covered = self.covered.or(when, self.len);
        // mostly all lie in one row
        let one_row = self.lines.outer().iter().all(|axis| reached[axis.coordinate].same().is_some());
        let same_row = if one_row { self.lines.row_of(|at| reached[at].at(0)) } else { None };
        let (slots, off, unsure) = match same_row {
            Some(number) => match &reached[self.lines.inner().coordinate] {
                Ints::Line(line) => self.list_in_row(number, |place| line.at(place), when)?,
                along => {
                    let column = along.column(self.len);
                    self.list_in_row(number, |place| column.values[place], when)?
                }
            },
            None => self.list_anywhere(reached, when)?,
        };
        if !off.is_empty() {
            self.over(columns, reached, &off, unsure)?;
        }
        self.sources.push(Source::Listed(slots));
        Ok(())
    }

    /// Lists options that lie in one row or off it; those off it, and whether it is still to be seen that play is over
    /// there.
    fn list_in_row(&self, number: usize, value: impl Fn(usize) -> i64, when: &Truth) -> Fit<(Vec<u32>, Truth, bool)> {
        let Axis { low, high, down, .. } = self.lines.inner();
        let Some(row) = self.lines.rows().get(number) else { return Err(Unfit) };
        let index = |index: usize| u32::try_from(index).map_err(|_| Unfit);
        let (start, here) = (index(row.start)?, index(self.row.start + self.at)?);
        index(row.start + row.len() + self.len)?;
        let mut slots = vec![NOWHERE; self.len];
        let (mut late, mut unsure, mut found_any, mut off) = (false, false, false, Places::default());
        when.each(|place| {
            let value = value(place);
            match u32::try_from(value.wrapping_sub(row.low)) {
                Ok(found) if found < row.len => {
                    let (slot, own) = (start + found, here + u32::try_from(place).unwrap_or(0));
                    late |= if down { slot <= own } else { slot >= own };
                    (slots[place], found_any) = (slot, true);
                }
                _ => {
                    off.add(place);
                    // values within the box and off the row are over: that is how the rows were cut
                    unsure |= !(low..=high).contains(&value);
                }
            }
            Ok::<(), Unfit>(())
        })?;
        let late = if number == self.number { late } else { number >= self.beside.0 && found_any };
        if late && !planted(Wrong::OrderNotSeen) {
            return Err(Unfit);
        }
        Ok((slots, off.truth(self.len), unsure))
    }

    /// The same for options that may lie in any row.
    fn list_anywhere(&self, reached: &[Ints], when: &Truth) -> Fit<(Vec<u32>, Truth, bool)> {
        let inner = self.lines.inner();
        let (mut slots, mut off, mut unsure) = (vec![NOWHERE; self.len], Places::default(), false);
        let along = reached[inner.coordinate].spread(self.len);
        when.each(|place| {
            let row = self.lines.row_of(|at| reached[at].at(place)).and_then(|number| self.lines.rows().get(number));
            let value = along.at(place);
            if let Some(row) = row
                && let Some(found) = row.place(value)
            {
                slots[place] = self.before(row.start + found, place)?;
                return Ok(());
            }
            off.add(place);
            unsure |= row.is_none() || !(inner.low..=inner.high).contains(&value);
            Ok(())
        })?;
        Ok((slots, off.truth(self.len), unsure))
    }
}
