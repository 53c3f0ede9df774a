//! Moves along a line: where each may be made, and where it leads.

use super::super::syntax::{Comparison, Operator};
use super::super::tree::{Assignment, Bool, BoolKind, Int, IntKind, Move, MoveBody, OverMoves, Rules, Winner};
use super::ints::Ints;
use super::{Columns, Fit, Truth, Unfit};
use crate::faults::{Wrong, planted};
use crate::value::{Outcome, Ranked, Ranking};

/// Is handed the coordinates to which a move leads, and the places where it may be made.
type EachOption<'e, 'r> = dyn FnMut(&mut Columns<'r>, &mut Vec<Ints>, Truth) -> Fit<()> + 'e;

/// The same with the number of the move.
type EachMove<'e, 'r> = dyn FnMut(&mut Columns<'r>, usize, &mut Vec<Ints>, &Truth) -> Fit<()> + 'e;

impl<'r> Columns<'r> {
    /// Where the position is over by `end`; where nothing is said of an end, nowhere.
    ///
    /// # Errors
    ///
    /// As for [`Columns::bool`].
    pub fn ended(&mut self, when: &Truth) -> Fit<Truth> {
        match &self.rules.end {
            Some(end) => Ok(self.apart(|columns| columns.bool(end, when))?.and(when)),
            None => Ok(Truth::NEVER),
        }
    }

    /// A stretch outside which the position is over by `end`, all along the line, and whether it is surely over nowhere
    /// within. Where `end` reads nothing but sums it costs the same whatever the length of the line, and may be wider than
    /// it need be.
    ///
    /// # Errors
    ///
    /// As for [`Columns::bool`].
    pub fn open(&mut self) -> Fit<(usize, usize, bool)> {
        let all = self.all();
        let (open, exact) = match &self.rules.end {
            Some(end) if straight(end) => self.stretch(end, false)?,
            _ => (self.ended(&all)?.not(self.len), true),
        };
        let (from, to) = open.hull();
        Ok((from, to, exact && open.count() == to - from))
    }

    /// A stretch outside which a straight condition holds nowhere, or fails nowhere; and whether it does so everywhere
    /// within.
    fn stretch(&mut self, bool: &Bool, truth: bool) -> Fit<(Truth, bool)> {
        let (len, all) = (self.len, self.all());
        Ok(match (&bool.kind, truth) {
            (BoolKind::Truth(value), _) => (Truth::constant(*value == truth, len), true),
            (BoolKind::Not(a), _) => self.stretch(a, !truth)?,
            (BoolKind::And(a, b), true) | (BoolKind::Or(a, b), false) => {
                let ((a, exact), (b, too)) = (self.stretch(a, truth)?, self.stretch(b, truth)?);
                (a.and(&b), exact && too)
            }
            (BoolKind::And(a, b) | BoolKind::Or(a, b), _) => {
                let ((a, exact), (b, too)) = (self.stretch(a, truth)?, self.stretch(b, truth)?);
                match (a.hull(), b.hull()) {
                    _ if a.is_empty() => (b, too),
                    _ if b.is_empty() => (a, exact),
                    ((from, to), (begin, end)) => {
                        let one = begin <= to && from <= end;
                        (Truth::span(from.min(begin), to.max(end)), one && exact && too)
                    }
                }
            }
            (BoolKind::Compare(comparison, a, b), _) => {
                let (a, b) = (self.int(a, &all)?, self.int(b, &all)?);
                let equal = a.compare(Comparison::Equal, &b, len);
                match (comparison, truth) {
                    (Comparison::Equal, true) | (Comparison::Unequal, false) => (equal, true),
                    (Comparison::Equal, false) | (Comparison::Unequal, true) => match equal.hull() {
                        (from, to) if from == 0 || to == len => (equal.not(len), true),
                        _ => (all, false),
                    },
                    (_, true) => (a.compare(*comparison, &b, len), true),
                    (_, false) => (a.compare(*comparison, &b, len).not(len), true),
                }
            }
            _ => return Err(Unfit),
        })
    }

    /// Where the position is over, by `end` or for want of a move.
    pub(super) fn end(&mut self, when: &Truth) -> Fit<Truth> {
        if self.rules.always_has_move()
            && let Ok(off) = self.sight.off_rows(&self.position, when, self.len)
            && (off.is_empty() || self.ended(&off)?.covers(&off, self.len))
        {
            let over = if planted(Wrong::EndOffRowsForgotten) { Truth::NEVER } else { off };
            self.see_winner(&over)?;
            return Ok(over);
        }
        self.apart(|columns| columns.over_or(when, &mut |_, _, _, _| Ok(())))
    }

    /// Where the position is over; elsewhere `each` is called for every move, with its number, as [`Columns::options`]
    /// calls it. All moves and the winner are evaluated, since an error in any of them counts.
    fn over_or(&mut self, when: &Truth, each: &mut EachMove<'_, 'r>) -> Fit<Truth> {
        let len = self.len;
        let ended = self.ended(when)?;
        let alive = when.and(&ended.not(len));
        let mut covered = Truth::NEVER;
        for number in 0..self.rules.moves.len() {
            self.options(number, &alive, &mut Vec::new(), &mut |columns, reached, when| {
                covered = covered.or(&when, len);
                each(columns, number, reached, &when)
            })?;
        }
        let over = ended.or(&alive.and(&covered.not(len)), len);
        self.see_winner(&over)?;
        Ok(over)
    }

    /// Sees that the winner has a value where the position is over.
    fn see_winner(&mut self, over: &Truth) -> Fit<()> {
        if !over.is_empty() && matches!(self.rules.winner, Winner::If(..)) {
            self.close_up(over, |columns, over| columns.winner(&columns.rules.winner, over).map(|_| Truth::NEVER))?;
        }
        Ok(())
    }

    /// Calls `each` with the places where a move may be made, and with the coordinates to which it leads, for every
    /// combination of its loops. The positions of `when` must not be over.
    ///
    /// # Errors
    ///
    /// As for [`Columns::int`], or whatever `each` meets.
    pub fn options(
        &mut self,
        number: usize,
        when: &Truth,
        room: &mut Vec<Ints>,
        each: &mut EachOption<'_, 'r>,
    ) -> Fit<()> {
        let rules = self.rules;
        let Some(Move { parts, clauses, .. }) = rules.moves.get(number) else { return Ok(()) };
        let [body] = &parts[..] else { return Err(Unfit) };
        self.each(clauses, when.clone(), &mut |columns, when| {
            room.clear();
            columns.reached(body, &when, room)?;
            let mut when = when;
            if let Some(legal) = rules.legal.as_ref().filter(|_| !planted(Wrong::LineLegalForgotten)) {
                when = columns.moved(room, |columns| columns.apart(|columns| columns.bool(legal, &when)))?.and(&when);
            }
            if when.is_empty() { Ok(()) } else { each(columns, room, when) }
        })
    }

    /// Who has won where the position is over: for the player to move, on each part of `when`.
    ///
    /// # Errors
    ///
    /// As for [`Columns::bool`].
    pub fn winner(&mut self, winner: &Winner, when: &Truth) -> Fit<Vec<(Truth, Outcome)>> {
        match winner {
            Winner::Word(word) => {
                let player = match self.rules.turn {
                    Some(turn) => self.position.get(turn).and_then(Ints::same).ok_or(Unfit)?,
                    None => 1,
                };
                Ok(vec![(when.clone(), word.outcome(player))])
            }
            Winner::If(condition, yes, no) => {
                let condition = self.apart(|columns| columns.bool(condition, when))?;
                let mut told = Vec::new();
                for (part, winner) in [(when.and(&condition), yes), (when.and(&condition.not(self.len)), no)] {
                    if !part.is_empty() {
                        told.extend(self.winner(winner, &part)?);
                    }
                }
                Ok(told)
            }
        }
    }

    /// Evaluates at other positions of the same line.
    pub fn moved<T>(&mut self, positions: &mut Vec<Ints>, then: impl FnOnce(&mut Self) -> T) -> T {
        std::mem::swap(&mut self.position, positions);
        let value = then(self);
        std::mem::swap(&mut self.position, positions);
        value
    }

    /// Outcome and rank of the position at each place where `when` holds, as codes; as far as so many plies decide, or
    /// whatever it takes.
    pub(super) fn ranked(&mut self, ranking: Ranking, plies: Option<u32>, when: &Truth) -> Fit<Vec<u32>> {
        let (mut codes, off) = self.sight.ranked(ranking, plies, &self.position, when, self.len)?;
        if off.is_empty() {
            return Ok(codes);
        }
        // what the table does not hold must be over
        if !self.ended(&off)?.covers(&off, self.len) {
            return Err(Unfit);
        }
        let rules = self.rules;
        for (when, outcome) in self.winner(&rules.winner, &off)? {
            let outcome = if planted(Wrong::OverIsDrawn) { Outcome::Loss } else { outcome };
            let code = Ranked::new(outcome, 0).0;
            when.each(|at| {
                codes[at] = code;
                Ok::<(), Unfit>(())
            })?;
        }
        Ok(codes)
    }

    fn reached(&mut self, body: &MoveBody, when: &Truth, to: &mut Vec<Ints>) -> Fit<()> {
        match body {
            MoveBody::Position(coordinates) => {
                self.coordinates(coordinates, when, to)?;
                to.extend_from_slice(self.position.get(self.rules.state_width..).unwrap_or_default());
            }
            MoveBody::Assign(assignments) => {
                to.extend_from_slice(&self.position);
                let mut written = Vec::new();
                for assignment in assignments {
                    self.assign(assignment, when, to, &mut written)?;
                }
            }
        }
        if let Some(turn) = self.rules.turn {
            let other = Ints::constant(3).minus(to.get(turn).ok_or(Unfit)?, self.len)?;
            to[turn] = other;
        }
        Ok(())
    }

    fn assign(&mut self, assignment: &Assignment, when: &Truth, to: &mut [Ints], written: &mut Vec<usize>) -> Fit<()> {
        match assignment {
            Assignment::Variable(at, value) => {
                to[*at] = self.int(value, when)?;
            }
            Assignment::Cell(array, index, value) => {
                let index = self.int(index, when)?.same().and_then(|index| usize::try_from(index).ok());
                let at = array.offset + index.filter(|index| *index < array.length).ok_or(Unfit)?;
                if written.contains(&at) {
                    return Err(Unfit);
                }
                written.push(at);
                to[at] = self.int(value, when)?;
            }
            Assignment::Array(array, list) => {
                let values = self.list(list, when)?;
                if values.len() != array.length {
                    return Err(Unfit);
                }
                for (place, value) in to[array.offset..].iter_mut().zip(values) {
                    *place = value;
                }
            }
        }
        Ok(())
    }

    /// `can` and `must`: there is a move after which the formula holds; there is one, and it holds after each. The
    /// formula is evaluated after every move, since an error in any of them counts.
    pub(super) fn over_moves(&mut self, over: &OverMoves, when: &Truth) -> Fit<Truth> {
        let len = self.len;
        // the loops round the formula, while moves run theirs
        let mut loops = self.loops.clone();
        let (mut any, mut fails) = (Truth::NEVER, Truth::NEVER);
        self.over_or(when, &mut |columns, number, reached, when| {
            if over.named.as_ref().is_some_and(|named| !named.get(number).copied().unwrap_or(false)) {
                return Ok(());
            }
            std::mem::swap(&mut columns.loops, &mut loops);
            let holds = columns.moved(reached, |columns| columns.bool(&over.formula, when));
            std::mem::swap(&mut columns.loops, &mut loops);
            let holds = when.and(&holds?);
            if over.must {
                any = any.or(when, len);
                fails = fails.or(&when.and(&holds.not(len)), len);
            } else {
                any = if planted(Wrong::CanByLastMove) { holds } else { any.or(&holds, len) };
            }
            Ok(())
        })?;
        self.loops = loops;
        Ok(if over.must { any.and(&fails.not(len)) } else { any })
    }
}

/// Whether `end` reads nothing but sums, so that [`Columns::open`] costs the same whatever the length of the line.
#[must_use]
pub fn is_straight(rules: &Rules) -> bool {
    rules.end.as_ref().is_none_or(straight)
}

/// Whether a condition compares nothing but sums.
fn straight(bool: &Bool) -> bool {
    match &bool.kind {
        BoolKind::Truth(_) => true,
        BoolKind::Compare(_, a, b) => sum(a) && sum(b),
        BoolKind::Not(a) => straight(a),
        BoolKind::And(a, b) | BoolKind::Or(a, b) => straight(a) && straight(b),
        _ => false,
    }
}

fn sum(int: &Int) -> bool {
    match &int.kind {
        IntKind::Number(_) | IntKind::Variable(_) => true,
        IntKind::Negative(a) => sum(a),
        IntKind::Binary(Operator::Add | Operator::Sub, a, b) => sum(a) && sum(b),
        IntKind::Binary(Operator::Mul, a, b) => {
            let number = |int: &Int| matches!(int.kind, IntKind::Number(_));
            (number(a) && sum(b)) || (sum(a) && number(b))
        }
        _ => false,
    }
}
