//! What the table tells of whole lines at once.

use super::kept::Rows;
use super::{Column, Cut, Lining, Table};
use crate::claims::is_own;
use crate::faults::{Wrong, planted};
use crate::lang::{ColumnSight, Fit, Ints, Places, Truth, Unfit};
use crate::position::{Lines, Row};
use crate::value::Ranking;

/// From how many plies ahead on the moves of all positions of a row have been looked at.
const LOOKED_AT: u32 = 1;

impl Table<'_> {
    /// The keys of all rows, the lines, and where on a row a line lies place by place, if it does.
    fn stretch(&mut self, ranking: Ranking, positions: &[Ints], len: usize) -> Option<(&Rows, &Lines, usize, usize)> {
        let mut first = std::mem::take(&mut self.first);
        first.clear();
        first.extend(positions.iter().map(|value| value.at(0)));
        let filled = self.column(ranking, None, &first).ok();
        self.first = first;
        if !filled? {
            return None;
        }
        let first = &self.first;
        let (Lining::Cut(Cut { lines, .. }), Column::Filled(keys)) =
            (&self.lines, if is_own(ranking) { &self.own_moves } else { &self.remoteness })
        else {
            return None;
        };
        let inner = lines.inner().coordinate;
        let along = |(at, value): (usize, &Ints)| match value {
            Ints::Line(line) if at == inner => line.step == 1 || len == 1,
            value => value.same().is_some(),
        };
        if !positions.iter().enumerate().all(along) {
            return None;
        }
        let (row, place) = lines.locate(first)?;
        (place + len <= lines.rows().get(row)?.len()).then_some((keys, lines, row, place))
    }

    /// Whether so many plies are looked ahead from each place of a line where `when` holds.
    fn sees_line(&self, positions: &[Ints], when: &Truth, plies: u32) -> bool {
        let (from, to) = when.hull();
        if let Some(nearby) = &self.nearby
            && !(from..to).all(|place| !when.at(place) || nearby.sees(|at| positions[at].at(place), plies))
        {
            return false;
        }
        let Lining::Cut(cut @ Cut { lines, horizon: Some(horizon), .. }) = &self.lines else { return true };
        let along = &positions[lines.inner().coordinate];
        let one_row = lines.outer().iter().all(|axis| positions[axis.coordinate].same().is_some());
        if let (true, Ints::Line(line), true) = (one_row, along, from < to) {
            let Some(number) = lines.row_of(|at| positions[at].at(from)) else { return true };
            let Some(row) = lines.rows().get(number).filter(|_| horizon.meets(number)) else { return false };
            // what is seen of a row lies together
            let Ok(on) = on_row(row, along, to) else { return false };
            let (low, high) = on.and(&Truth::span(from, to)).hull();
            return low >= high || [low, high - 1].iter().all(|place| horizon.sees(number, line.at(*place), plies));
        }
        (from..to).all(|place| !when.at(place) || cut.sees(|at| positions[at].at(place), plies))
    }

    /// Either ranking tells the outcome: that is taken which is there already.
    pub(super) const fn outcome_by(&self) -> Ranking {
        match (&self.remoteness, &self.own_moves) {
            (Column::Open, Column::Filled(_)) => Ranking::OwnMoves,
            _ => Ranking::Remoteness,
        }
    }
}

impl ColumnSight for Table<'_> {
    fn off_rows(&mut self, positions: &[Ints], when: &Truth, len: usize) -> Fit<Truth> {
        let known = self.remoteness.is_filled() || self.own_moves.is_filled();
        if !known || !self.sees_line(positions, when, LOOKED_AT) {
            return Err(Unfit);
        }
        // where there are holes, positions on rows may be over
        let Lining::Cut(Cut { lines, holes: false, .. }) = &self.lines else { return Err(Unfit) };
        let along = &positions[lines.inner().coordinate];
        if lines.outer().iter().all(|axis| positions[axis.coordinate].same().is_some()) {
            let row = lines.row_of(|at| positions[at].at(0)).and_then(|row| lines.rows().get(row));
            let Some(row) = row.filter(|row| !row.is_empty()) else { return Ok(when.clone()) };
            return Ok(when.and(&on_row(row, along, len)?.not(len)));
        }
        let (along, mut off) = (along.spread(len), Places::default());
        when.each(|place| {
            let row = lines.row_of(|at| positions[at].at(place)).and_then(|row| lines.rows().get(row));
            if row.and_then(|row| row.place(along.at(place))).is_none() {
                off.add(place);
            }
            Ok::<(), Unfit>(())
        })?;
        Ok(off.truth(len))
    }

    fn outcome_ranking(&self) -> Ranking {
        self.outcome_by()
    }

    fn lost(&mut self, positions: &[Ints], len: usize) -> Option<usize> {
        let (keys, lines, row, from) = self.stretch(self.outcome_by(), positions, len)?;
        Some(keys.lost(lines, row, (from, from + len)))
    }

    fn extremes(&mut self, positions: &[Ints], len: usize) -> Option<(u32, u32)> {
        let (keys, lines, row, from) = self.stretch(Ranking::Remoteness, positions, len)?;
        keys.extremes(lines, row, (from, from + len))
    }

    fn ranked(
        &mut self,
        ranking: Ranking,
        plies: Option<u32>,
        positions: &[Ints],
        when: &Truth,
        len: usize,
    ) -> Fit<(Vec<u32>, Truth)> {
        let (from, to) = when.hull();
        let first: Vec<i64> = positions.iter().map(|value| value.at(from)).collect();
        if !self.column(ranking, plies, &first).map_err(|_| Unfit)? {
            return Err(Unfit);
        }
        if plies.is_some_and(|plies| !self.sees_line(positions, when, plies)) {
            return self.ranked(ranking, None, positions, when, len);
        }
        let (Lining::Cut(Cut { lines, .. }), Column::Filled(keys)) =
            (&self.lines, if is_own(ranking) { &self.own_moves } else { &self.remoteness })
        else {
            return Err(Unfit);
        };
        let inner = lines.inner();
        let straight = lines.outer().iter().all(|axis| positions[axis.coordinate].same().is_some());
        let mut codes = Vec::with_capacity(len);
        if let (true, Ints::Line(line)) = (straight, &positions[inner.coordinate])
            && line.step == 1
        {
            let row = lines.row_of(|at| first[at]).and_then(|number| Some((number, lines.rows().get(number)?)));
            // from where to where the line lies on the row
            let (low, high) = match row {
                Some((_, row)) => {
                    let along = &positions[inner.coordinate];
                    on_row(row, along, len)?.and(&Truth::span(from, to)).hull()
                }
                None => (0, 0),
            };
            codes.resize(low, 0);
            if let Some((number, row)) = row.filter(|_| low < high) {
                let place = usize::try_from(line.at(low) - row.low).map_err(|_| Unfit)?;
                let begin = place.saturating_sub(usize::from(planted(Wrong::LineReadEarly)));
                keys.codes(lines, number, (begin, begin + high - low), &mut codes);
            }
            codes.resize(len, 0);
            let off = if from == low && to == high { Truth::NEVER } else { when.and(&Truth::span(low, high).not(len)) };
            return Ok((codes, off));
        }
        codes.resize(len, 0);
        let mut off = Places::default();
        if straight {
            let row = lines.row_of(|at| first[at]).and_then(|number| Some((number, lines.rows().get(number)?)));
            let along = positions[inner.coordinate].spread(len);
            when.each(|place| {
                match row.and_then(|(number, row)| Some((number, row.place(along.at(place))?))) {
                    Some((number, at)) => codes[place] = keys.ranked(lines, number, at).0,
                    None => off.add(place),
                }
                Ok::<(), Unfit>(())
            })?;
            return Ok((codes, off.truth(len)));
        }
        let mut position = first;
        when.each(|place| {
            for (value, ints) in position.iter_mut().zip(positions) {
                *value = ints.at(place);
            }
            match lines.locate(&position) {
                Some((row, at)) => codes[place] = keys.ranked(lines, row, at).0,
                None => off.add(place),
            }
            Ok::<(), Unfit>(())
        })?;
        Ok((codes, off.truth(len)))
    }
}

/// Where values along a row lie on it.
fn on_row(row: &Row, along: &Ints, len: usize) -> Fit<Truth> {
    let end = row.low.checked_add(i64::from(row.len)).ok_or(Unfit)?;
    Ok(Ints::constant(row.low).at_most(along, len).and(&along.at_most(&Ints::constant(end - 1), len)))
}
