//! Where the options of a stretch of a row lie, move by move.
//!
//! That every option is filled before the position itself is seen here, whatever order was proposed.

use std::rc::Rc;

use super::cut::Cut;
use super::ends::Ends;
use super::rails::{Along, Rail, Rails};
use super::slow::Slow;
use crate::faults::{Wrong, planted};
use crate::lang::tree::Rules;
use crate::lang::{Columns, Fit, Ints, Line, Quotient, Truth, Unfit};
use crate::position::{Axis, Lines, Row};
use crate::value::Outcome;

/// How many positions are worked on at once: few enough to stay near, many enough to cost nothing each.
pub(super) const STRETCH: usize = 1 << 12;

/// A stretch that `end` cuts into more pieces than this is not followed piece by piece.
const FEW_RUNS: usize = 8;

/// Where the options of a stretch are.
pub(super) enum Source {
    /// In a row filled before, by its number: from one place of the stretch to another, at this place of that row and so
    /// many further each.
    Before { from: usize, to: usize, row: usize, place: usize, step: isize },
    /// In the same row, at this place of it and so many further each.
    Same { from: usize, to: usize, place: usize, step: isize },
    /// In the same row, further by a fraction from place to place.
    Slow { from: usize, to: usize, read: Slow },
    /// Anywhere: an index for each place of the stretch, [`NOWHERE`] where there is none.
    Listed(Vec<u32>),
    /// They are over.
    Over(Truth, Outcome),
}

/// A part of a stretch from which a move leads off the table, and whether it is still to be seen that play is over there.
#[derive(Clone, Copy)]
struct Off {
    from: usize,
    to: usize,
    unsure: bool,
}

impl Off {
    const NOWHERE: Self = Self { from: 0, to: 0, unsure: false };
}

/// No index.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A stretch of a row, and where its moves lead.
pub(super) struct Leads<'a> {
    pub(super) rules: &'a Rules,
    pub(super) lines: &'a Lines,
    pub(super) rails: Rails,
    /// Whether the game may be over within a row.
    pub(super) holes: bool,
    /// Where, if sums tell it.
    ends: Option<Box<Ends>>,
    /// What it means that a position is over, where that is always the same and where all moves lead straight from a row
    /// to one row.
    pub(super) alike: Option<Outcome>,
    /// In the order of the moves.
    pub(super) sources: Vec<Source>,
    /// Where some move may be made.
    pub(super) covered: Truth,
    /// Where the position is over by `end`.
    pub(super) ended: Truth,
    /// Where a move wins at once.
    pub(super) instant: Truth,
    /// The row, and its number.
    pub(super) row: Row,
    pub(super) number: usize,
    /// The numbers of the rows that are filled abreast with it, from the first on and before the second.
    pub(super) beside: (usize, usize),
    /// From which place of it on and before which it is worked on.
    part: (usize, usize),
    /// Its coordinates; that along the row is any.
    position: Vec<i64>,
    /// Where on the row the stretch begins.
    pub(super) at: usize,
    /// How long it is.
    pub(super) len: usize,
    /// The first value of the coordinate along the row.
    pub(super) first: i64,
    /// Whether the columns have been turned to the stretch: straight moves do without.
    seen: bool,
    room: Vec<Ints>,
    runs: Vec<(usize, usize)>,
}

impl<'a> Leads<'a> {
    pub(super) fn new(rules: &'a Rules, cut: &'a Cut) -> Self {
        let Cut { lines, rails, holes, ends, .. } = cut;
        Self {
            rules,
            lines,
            holes: *holes,
            ends: ends.clone().filter(|_| *holes),
            alike: rules.winner.same_for_all().filter(|_| !holes && rails.lead_to_one_row()),
            rails: Rails::clone(rails),
            sources: Vec::new(),
            covered: Truth::NEVER,
            ended: Truth::NEVER,
            instant: Truth::NEVER,
            row: Row { low: 0, len: 0, start: 0 },
            number: 0,
            beside: (0, 0),
            part: (0, 0),
            position: vec![0; lines.width()],
            at: 0,
            len: 0,
            first: 0,
            seen: false,
            room: Vec::new(),
            runs: Vec::new(),
        }
    }

    /// Turns to a row.
    pub(super) fn begin(&mut self, number: usize) {
        (self.number, self.row) = (number, self.lines.rows()[number]);
        self.beside = (number, number + 1);
        self.part = (0, self.row.len());
        self.rails.turn_to(number, self.lines);
        if let Some(ends) = &mut self.ends {
            ends.turn_to(number, self.lines);
        }
    }

    /// Turns to a row that is filled abreast with others, from one number on and before another.
    pub(super) fn begin_beside(&mut self, number: usize, beside: (usize, usize)) {
        self.begin(number);
        self.beside = beside;
    }

    /// Whether options in a row are filled before, if those in rows abreast lie ahead; nothing, if they are not.
    #[inline]
    pub(super) fn is_before(&self, number: usize, ahead: impl Fn() -> bool) -> Option<bool> {
        if number < self.beside.0 {
            return Some(true);
        }
        (number < self.beside.1 && ahead()).then_some(number != self.number)
    }

    /// Keeps to a part of the row, from a place on and before another.
    pub(super) const fn keep_to(&mut self, part: (usize, usize)) {
        self.part = part;
    }

    /// How many stretches the row has, or that part of it.
    pub(super) fn stretches(&self) -> usize {
        (self.part.1 - self.part.0).div_ceil(STRETCH)
    }

    /// Turns to a stretch of the row, of which nothing is known yet.
    pub(super) fn turn(&mut self, stretch: usize) -> Fit<()> {
        let stretch = if self.lines.inner().down { self.stretches() - 1 - stretch } else { stretch };
        self.at = self.part.0 + stretch * STRETCH;
        self.len = (self.part.1 - self.at).min(STRETCH);
        self.first = self.row.low.checked_add(i64::try_from(self.at).map_err(|_| Unfit)?).ok_or(Unfit)?;
        self.seen = false;
        self.sources.clear();
        Ok(())
    }

    /// Turns to the whole row.
    pub(super) fn turn_to_row(&mut self) {
        (self.at, self.len, self.first) = (0, self.row.len(), self.row.low);
        self.seen = false;
        self.sources.clear();
    }

    /// Turns to a stretch of the row, and finds where its moves lead.
    pub(super) fn turn_to(&mut self, stretch: usize, columns: &mut Columns<'_>) -> Fit<()> {
        self.turn_to_ends(stretch, columns)?;
        (self.covered, self.instant) = (Truth::NEVER, Truth::NEVER);
        let alive = self.alive();
        let mut runs = std::mem::take(&mut self.runs);
        runs.clear();
        alive.stretches(|from, to| runs.push((from, to)));
        if runs.len() > 1 && planted(Wrong::LastPieceWithoutMoves) {
            runs.pop();
        }
        let mut room = std::mem::take(&mut self.room);
        let ways = Rc::clone(&self.rails.ways);
        for number in 0..self.rails.count() {
            if let (Some((from, to)), true) = (self.rails.of_move(number), runs.len() <= FEW_RUNS) {
                for (rail, run) in ways[from..to].iter().flat_map(|rail| runs.iter().map(move |run| (rail, *run))) {
                    self.follow(columns, rail, run)?;
                }
                continue;
            }
            self.see(columns)?;
            columns
                .options(number, &alive, &mut room, &mut |columns, reached, when| self.lead(columns, reached, &when))?;
        }
        (self.room, self.runs) = (room, runs);
        Ok(())
    }

    /// Turns to a stretch of the row, and finds where the game is over by `end`.
    pub(super) fn turn_to_ends(&mut self, stretch: usize, columns: &mut Columns<'_>) -> Fit<()> {
        self.turn(stretch)?;
        if let Some(ends) = &self.ends {
            self.ended = ends.places(self.first, self.len).ok_or(Unfit)?;
        } else if self.holes {
            self.see(columns)?;
            self.ended = columns.ended(&columns.all())?;
        }
        Ok(())
    }

    /// Turns to a stretch of the row, and finds only where the position is over, and what that means; where all moves are
    /// straight.
    pub(super) fn turn_to_over(&mut self, stretch: usize, columns: &mut Columns<'_>) -> Fit<(Truth, Outcome)> {
        self.turn_to_ends(stretch, columns)?;
        let last = self.first + i64::try_from(self.len).map_err(|_| Unfit)? - 1;
        let place = |value: i64| usize::try_from(value - self.first).map_err(|_| Unfit);
        let mut covered = Truth::NEVER;
        for rail in self.rails.ways.iter() {
            let (low, high) = self.rails.guarded(rail, (self.first, last));
            if low <= high {
                covered.cover(place(low)?, place(high)? + 1, self.len);
            }
        }
        let outcome = self.rules.winner.same_for_all().ok_or(Unfit)?;
        Ok((covered.not(self.len).or(&self.ended, self.len), outcome))
    }

    /// Turns the columns to the stretch.
    pub(super) fn see(&mut self, columns: &mut Columns<'_>) -> Fit<()> {
        if self.seen {
            return Ok(());
        }
        self.seen = true;
        self.lines.read_row(self.number, &mut self.position);
        columns.begin(self.len);
        columns.position.clear();
        columns.position.extend(self.position.iter().map(|value| Ints::constant(*value)));
        columns.position[self.lines.inner().coordinate] = Ints::line(i128::from(self.first), 1, self.len)?;
        Ok(())
    }

    /// The outcomes at places of the stretch that are over.
    pub(super) fn outcomes(&mut self, when: &Truth, columns: &mut Columns<'_>) -> Fit<Vec<(Truth, Outcome)>> {
        if let Some(outcome) = self.rules.winner.same_for_all() {
            return Ok(vec![(when.clone(), outcome)]);
        }
        self.see(columns)?;
        columns.winner(&self.rules.winner, when)
    }

    /// Where the position is not over by `end`.
    pub(super) fn alive(&self) -> Truth {
        if self.ended.is_empty() { Truth::Span(0, self.len) } else { self.ended.not(self.len) }
    }

    /// Where it is over for want of a move.
    pub(super) fn stuck(&self) -> Truth {
        self.alive().and(&self.covered.not(self.len))
    }

    /// Notes where a move leads.
    fn lead(&mut self, columns: &mut Columns<'_>, reached: &mut Vec<Ints>, when: &Truth) -> Fit<()> {
        let inner = self.lines.inner();
        let (Truth::Span(from, to), Some(along), true) = (
            when,
            reached.get(inner.coordinate).cloned(),
            self.lines.outer().iter().all(|axis| reached[axis.coordinate].same().is_some()),
        ) else {
            return self.list(columns, reached, when);
        };
        let number = self.lines.row_of(|at| reached[at].same().unwrap_or(0));
        let off = match along {
            Ints::Line(line) => Some(self.lead_on(number, line, (*from, *to))?),
            Ints::Quotient(quotient) if number == Some(self.number) && !inner.down && Slow::is(quotient) => {
                self.lead_slowly(quotient, (*from, *to))?
            }
            _ => None,
        };
        let Some(off) = off else { return self.list(columns, reached, when) };
        for off in off {
            if off.from < off.to {
                self.over(columns, reached, &Truth::Span(off.from, off.to), off.unsure)?;
            }
        }
        Ok(())
    }

    /// Notes where a straight way to make a move leads from a part of the stretch.
    fn follow(&mut self, columns: &mut Columns<'_>, rail: &Rail, (from, to): (usize, usize)) -> Fit<()> {
        let first = self.first;
        let value = |place: usize| Ok(first + i64::try_from(place).map_err(|_| Unfit)?);
        let (low, high) = self.rails.guarded(rail, (value(from)?, value(to)? - 1));
        if low > high {
            return Ok(());
        }
        let place = |value: i64| usize::try_from(value - first).map_err(|_| Unfit);
        let (from, to) = (place(low)?, place(high)? + 1);
        let Some(number) = self.rails.row(rail) else { return self.scatter(columns, rail, (from, to)) };
        let line = self.rails.line(rail.to[self.lines.inner().coordinate], first, self.len);
        for Off { from, to, unsure } in self.lead_on(number, line, (from, to))? {
            if from < to {
                let unsure = unsure && !self.rails.sees_over(rail, [value(from)?, value(to)? - 1]);
                self.over_by(columns, rail, Truth::Span(from, to), unsure)?;
            }
        }
        Ok(())
    }

    /// The same for a way that leads from one row to several.
    fn scatter(&mut self, columns: &mut Columns<'_>, rail: &Rail, (from, to): (usize, usize)) -> Fit<()> {
        let (first, inner) = (self.first, self.lines.inner());
        self.covered.cover(from, to, self.len);
        let value = |place: usize| Ok(first + i64::try_from(place).map_err(|_| Unfit)?);
        let (low, high) = self.rails.boxed(rail, (value(from)?, value(to)? - 1));
        let (mut slots, mut off) = (vec![NOWHERE; self.len], Vec::<(usize, usize)>::new());
        for (place, slot) in slots.iter_mut().enumerate().take(to).skip(from) {
            let own = value(place)?;
            let number = if low <= own && own <= high { self.rails.row_at(rail, own) } else { None };
            let row = number.and_then(|number| self.lines.rows().get(number));
            let along = self.rails.at(rail.to[inner.coordinate], own);
            match row.and_then(|row| row.place(along).map(|at| row.start + at)) {
                Some(_) if place == from && planted(Wrong::FirstScatteredForgotten) => {}
                Some(index) => *slot = self.before(index, place)?,
                None => match off.last_mut() {
                    Some((_, end)) if *end == place => *end += 1,
                    _ => off.push((place, place + 1)),
                },
            }
        }
        let is_over = |from: usize, to: usize, sum: &Along| {
            let line = self.rails.line(*sum, first, self.len);
            line.at(from) < 0 && line.at(to - 1) < 0
        };
        let unsure = off.iter().any(|(from, to)| !rail.open.iter().any(|sum| is_over(*from, *to, sum)));
        if let Some((from, to)) = off.first().copied() {
            let when = if off.len() == 1 {
                Truth::Span(from, to)
            } else {
                let mut mask = vec![false; self.len];
                off.iter().for_each(|(from, to)| mask[*from..*to].fill(true));
                Truth::mask(mask)
            };
            self.over_by(columns, rail, when, unsure)?;
        }
        self.sources.push(Source::Listed(slots));
        Ok(())
    }

    /// Notes options of a straight way that are over.
    fn over_by(&mut self, columns: &mut Columns<'_>, rail: &Rail, when: Truth, unsure: bool) -> Fit<()> {
        if let (Some(outcome), false) = (self.rules.winner.same_for_all(), unsure) {
            self.note_over(when, outcome);
            return Ok(());
        }
        let first = self.first;
        let line = |sum: &Along| Ints::Line(self.rails.line(*sum, first, self.len));
        let mut reached: Vec<Ints> = rail.to.iter().map(line).collect();
        self.over(columns, &mut reached, &when, unsure)
    }

    /// The index of an option of a place, if it is filled before the place itself.
    pub(super) fn before(&self, index: usize, place: usize) -> Fit<u32> {
        let own = self.row;
        let here = own.start + self.at + place;
        let before = index < self.lines.rows()[self.beside.0].start;
        let ahead = own.start <= index
            && index < own.start + own.len()
            && if self.lines.inner().down { index > here } else { index < here };
        if !before && !ahead && !planted(Wrong::OrderNotSeen) {
            return Err(Unfit);
        }
        u32::try_from(index).map_err(|_| Unfit)
    }

    /// Notes that a move leads from some places on to a line of positions in one row, or in none. Gives back from where it
    /// leads off the table.
    fn lead_on(&mut self, number: Option<usize>, line: Line, (from, to): (usize, usize)) -> Fit<[Off; 2]> {
        self.covered.cover(from, to, self.len);
        let inner = self.lines.inner();
        let Some(number) = number else { return Ok([Off { from, to, unsure: true }, Off::NOWHERE]) };
        let row = self.lines.rows()[number];
        let (first, last) = line.within(row.low, row.len, from, to).ok_or(Unfit)?;
        let off = |from, to| self.off(from, to, |place| line.at(place));
        if first >= last {
            return Ok([off(from, to), Off::NOWHERE]);
        }
        let place = usize::try_from(line.at(first) - row.low).map_err(|_| Unfit)?;
        let step = isize::try_from(line.step).map_err(|_| Unfit)?;
        let ahead = |place: usize| {
            let own = self.first + i64::try_from(place).unwrap_or(i64::MAX);
            if inner.down { line.at(place) > own } else { line.at(place) < own }
        };
        let before = self.is_before(number, || ahead(first) && ahead(last - 1)).ok_or(Unfit)?;
        let source = if before {
            let early = usize::from(planted(Wrong::PlaceOneEarly) && step >= 0);
            Source::Before { from: first, to: last, row: number, place: place.saturating_sub(early), step }
        } else {
            Source::Same { from: first, to: last, place, step }
        };
        let off = [off(from, first), off(last, to)];
        self.sources.push(source);
        Ok(off)
    }

    /// The same where they follow at a fraction of the pace in the row itself; nothing, where they are to be listed.
    fn lead_slowly(&mut self, quotient: Quotient, (from, to): (usize, usize)) -> Fit<Option<[Off; 2]>> {
        let row = self.row;
        let Some((first, last)) = quotient.within(row.low, row.len, from, to) else { return Ok(None) };
        self.covered.cover(from, to, self.len);
        let off = |from, to| self.off(from, to, |place| quotient.at(place));
        if first >= last {
            return Ok(Some([off(from, to), Off::NOWHERE]));
        }
        let ahead = |place: usize| quotient.at(place) < self.first + i64::try_from(place).unwrap_or(0);
        // it lies ahead wherever a straight line is negative, so that the ends tell it
        if !ahead(first) || !ahead(last - 1) {
            return Err(Unfit);
        }
        let off = [off(from, first), off(last, to)];
        self.sources.push(Source::Slow { from: first, to: last, read: Slow::new(quotient, first, row.low)? });
        Ok(Some(off))
    }

    /// A part of the stretch from which a move leads off a row.
    fn off(&self, from: usize, to: usize, value: impl Fn(usize) -> i64) -> Off {
        if from >= to {
            return Off::NOWHERE;
        }
        let Axis { low, high, .. } = self.lines.inner();
        // values within the box and off the row are over: that is how the rows were cut
        Off { from, to, unsure: ![from, to - 1].iter().all(|place| (low..=high).contains(&value(*place))) }
    }

    /// Notes options that are over, all alike.
    fn note_over(&mut self, when: Truth, outcome: Outcome) {
        if outcome == Outcome::Loss {
            match when {
                Truth::Span(from, to) => self.instant.cover(from, to, self.len),
                Truth::Mask(_) => self.instant = self.instant.or(&when, self.len),
            }
        }
        self.sources.push(Source::Over(when, outcome));
    }

    /// Notes options that are over; it is seen that they are, unless that is known.
    pub(super) fn over(
        &mut self,
        columns: &mut Columns<'_>,
        reached: &mut Vec<Ints>,
        when: &Truth,
        unsure: bool,
    ) -> Fit<()> {
        let len = self.len;
        let winner = &self.rules.winner;
        let same = winner.same_for_all();
        if let (Some(outcome), false) = (same, unsure) {
            self.note_over(when.clone(), outcome);
            return Ok(());
        }
        self.see(columns)?;
        columns.moved(reached, |columns| {
            if unsure && !columns.ended(when)?.covers(when, len) {
                return Err(Unfit);
            }
            match same {
                Some(outcome) => self.note_over(when.clone(), outcome),
                None => {
                    for (when, outcome) in columns.winner(winner, when)? {
                        self.note_over(when, outcome);
                    }
                }
            }
            Ok(())
        })
    }
}

/// An index so many steps further.
pub(super) fn advanced(index: usize, step: isize, steps: usize) -> usize {
    index.wrapping_add_signed(step.wrapping_mul(isize::try_from(steps).unwrap_or(isize::MAX)))
}
