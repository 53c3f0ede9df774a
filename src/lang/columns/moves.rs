//! Moves along a line: where each may be made, and where it leads.

use std::ops::ControlFlow;

use super::super::syntax::Operator;
use super::super::tree::{Assignment, Bool, BoolKind, Int, IntKind, Move, MoveBody, OverMoves, Winner};
use super::ints::Ints;
use super::{Columns, Fit, Truth, Unfit};
use crate::value::{Outcome, Ranked, Ranking};

/// Is handed the coordinates to which a move leads, and the places where it may be made.
type EachOption<'e, 'r> = dyn FnMut(&mut Columns<'r>, &mut Vec<Ints>, Truth) -> Fit<()> + 'e;

impl<'r> Columns<'r> {
    /// Where the position is over by `end`; where nothing is said of an end, nowhere.
    ///
    /// # Errors
    ///
    /// As for [`Columns::bool`].
    pub fn ended(&mut self, when: &Truth) -> Fit<Truth> {
        match &self.rules.end {
            Some(end) => Ok(self.bool(end, when)?.and(when)),
            None => Ok(Truth::NEVER),
        }
    }

    /// Whether `end` reads nothing but sums, so that it costs the same whatever the length of the line.
    #[must_use]
    pub fn is_straight(&self) -> bool {
        self.rules.end.as_ref().is_none_or(straight)
    }

    /// Where the position is over, by `end` or for want of a move.
    pub(super) fn end(&mut self, when: &Truth) -> Fit<Truth> {
        let ended = self.ended(when)?;
        let mut stuck = when.and(&ended.not(self.len));
        let len = self.len;
        for (number, _) in self.rules.moves.iter().enumerate() {
            if stuck.is_empty() {
                break;
            }
            let open = stuck.clone();
            self.options(number, &open, &mut Vec::new(), &mut |_, _, when| {
                stuck = stuck.and(&when.not(len));
                Ok(())
            })?;
        }
        Ok(ended.or(&stuck, len))
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
            if let Some(legal) = &rules.legal {
                when = columns.moved(room, |columns| columns.bool(legal, &when))?.and(&when);
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
                let condition = self.bool(condition, when)?;
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

    /// Outcome and rank of the position at each place where `when` holds, as codes.
    pub(super) fn ranked(&mut self, ranking: Ranking, when: &Truth) -> Fit<Vec<u32>> {
        let (mut codes, off) = self.sight.ranked(ranking, &self.position, when, self.len)?;
        if off.is_empty() {
            return Ok(codes);
        }
        // what the table does not hold must be over
        if !self.ended(&off)?.covers(&off, self.len) {
            return Err(Unfit);
        }
        let rules = self.rules;
        for (when, outcome) in self.winner(&rules.winner, &off)? {
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

    /// `can` and `must`: there is a move after which the formula holds; there is one, and it holds after each.
    pub(super) fn over_moves(&mut self, over: &OverMoves, when: &Truth) -> Fit<Truth> {
        let len = self.len;
        let alive = when.and(&self.ended(when)?.not(len));
        let (mut any, mut all) = (Truth::NEVER, alive.clone());
        for number in 0..self.rules.moves.len() {
            if over.named.as_ref().is_some_and(|named| !named.get(number).copied().unwrap_or(false)) {
                continue;
            }
            let flow = self.over_move(over, number, &alive, (&mut any, &mut all))?;
            if flow.is_break() {
                break;
            }
        }
        Ok(if over.must { all.and(&any) } else { any })
    }

    /// Adds one move: for `can` where the formula holds, for `must` where there is a move and where it fails.
    fn over_move(
        &mut self,
        over: &OverMoves,
        number: usize,
        alive: &Truth,
        (any, all): (&mut Truth, &mut Truth),
    ) -> Fit<ControlFlow<()>> {
        let len = self.len;
        let formula: &Bool = &over.formula;
        self.options(number, alive, &mut Vec::new(), &mut |columns, reached, when| {
            let open = if over.must { when.and(all) } else { when.and(&any.not(len)) };
            if over.must {
                *any = any.or(&when, len);
            }
            if open.is_empty() {
                return Ok(());
            }
            let holds = columns.moved(reached, |columns| columns.bool(formula, &open))?;
            if over.must {
                *all = all.and(&open.and(&holds.not(len)).not(len));
            } else {
                *any = any.or(&open.and(&holds), len);
            }
            Ok(())
        })?;
        let settled = if over.must { all.is_empty() } else { any.is_all(len) };
        Ok(if settled { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
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
