//! Conditions along a line.

use super::super::number::is_prime;
use super::super::syntax::Comparison;
use super::super::tree::{Bool, BoolKind, Int, Range};
use super::ints::Ints;
use super::{Columns, Fit, Truth, Unfit};
use crate::faults::{Wrong, planted};
use crate::value::{Class, Outcome, Ranked, Ranking};

impl Columns<'_> {
    /// Where a condition holds among the places of `when`; elsewhere it says anything.
    ///
    /// # Errors
    ///
    /// It may have no value somewhere, or is not evaluated in columns.
    pub fn bool(&mut self, bool: &Bool, when: &Truth) -> Fit<Truth> {
        let len = self.len;
        match &bool.kind {
            BoolKind::Truth(truth) => Ok(Truth::constant(*truth, len)),
            BoolKind::Loop(slot) => Ok(Truth::constant(self.loops[*slot] != 0, len)),
            BoolKind::Not(a) => Ok(self.bool(a, when)?.not(len)),
            BoolKind::And(a, b) => {
                let a = self.bool(a, when)?;
                let both = when.and(&a);
                if both.is_empty() {
                    return Ok(Truth::NEVER);
                }
                Ok(self.close_up(&both, |columns, both| columns.bool(b, both))?.and(&a))
            }
            BoolKind::Or(a, b) => {
                let a = self.bool(a, when)?;
                let open = when.and(&a.not(len));
                if open.is_empty() || planted(Wrong::OrWithoutSecond) {
                    return Ok(a);
                }
                Ok(self.bool(b, &open)?.or(&a, len))
            }
            BoolKind::If(condition, yes, no) => {
                let condition = self.bool(condition, when)?;
                let (here, there) = (when.and(&condition), when.and(&condition.not(len)));
                let yes = if here.is_empty() { Truth::NEVER } else { self.bool(yes, &here)?.and(&here) };
                let no = if there.is_empty() { Truth::NEVER } else { self.bool(no, &there)?.and(&there) };
                Ok(yes.or(&no, len))
            }
            BoolKind::Compare(comparison, a, b) => {
                let (a, b) = (self.int(a, when)?, self.int(b, when)?);
                Ok(a.compare(*comparison, &b, len))
            }
            BoolKind::SameTruth(unequal, a, b) => {
                let (a, b) = (self.bool(a, when)?, self.bool(b, when)?);
                let both = a.and(&b).or(&a.not(len).and(&b.not(len)), len);
                Ok(if *unequal { both.not(len) } else { both })
            }
            BoolKind::In(negated, needle, range) => {
                let inside = self.inside(needle, range, when)?;
                Ok(if *negated { inside.not(len) } else { inside })
            }
            BoolKind::IsPrime(a) => {
                let a = self.int(a, when)?;
                Ok(a.test(&Ints::constant(0), len, |a, _| is_prime(a)))
            }
            BoolKind::Any(over) => {
                let mut any = Truth::NEVER;
                self.each(&over.clauses, when.clone(), &mut |columns, when| {
                    let open = when.and(&any.not(len));
                    if !open.is_empty() {
                        any = any.or(&columns.bool(&over.body, &open)?.and(&open), len);
                    }
                    Ok(())
                })?;
                Ok(any)
            }
            BoolKind::All(over) => {
                let mut fails = Truth::NEVER;
                self.each(&over.clauses, when.clone(), &mut |columns, when| {
                    let open = when.and(&fails.not(len));
                    if !open.is_empty() {
                        fails = fails.or(&columns.bool(&over.body, &open)?.not(len).and(&open), len);
                    }
                    Ok(())
                })?;
                Ok(fails.not(len))
            }
            BoolKind::Outcome(outcome) => {
                if let Ok(nimbers) = self.sight.nimbers(&self.position, when, len) {
                    let lost = Truth::mask(nimbers.iter().map(|value| *value == 0).collect());
                    return Ok(match outcome {
                        Outcome::Draw => Truth::NEVER,
                        Outcome::Loss => lost,
                        Outcome::Win => lost.not(len),
                    });
                }
                let codes = self.ranked(self.outcome_ranking(), None, when)?;
                Ok(Truth::mask(match outcome {
                    Outcome::Draw => codes.iter().map(|code| *code == Ranked::DRAW.0).collect(),
                    Outcome::Loss => codes.iter().map(|code| code & 1 == 1).collect(),
                    Outcome::Win if planted(Wrong::DrawIsWin) => codes.iter().map(|code| code & 1 == 0).collect(),
                    Outcome::Win => codes.iter().map(|code| code & 1 == 0 && *code != Ranked::DRAW.0).collect(),
                }))
            }
            BoolKind::Class(class) => {
                let codes = self.ranked(Ranking::OwnMoves, Some(self.rules.plies(*class)), when)?;
                let Some(wanted) = code(*class) else { return Ok(Truth::NEVER) };
                Ok(Truth::mask(codes.iter().map(|code| *code == wanted).collect()))
            }
            BoolKind::Within(class) => {
                let codes = self.ranked(Ranking::OwnMoves, Some(self.rules.plies(*class)), when)?;
                // a code of the same parity, if the class has none
                let most = code(*class).unwrap_or(u32::MAX - u32::from(matches!(class, Class::Win(_))));
                let holds = codes.iter().map(|code| {
                    *code != Ranked::DRAW.0 && {
                        code & 1 == most & 1 && *code + 2 * u32::from(planted(Wrong::RankBelowBound)) <= most
                    }
                });
                Ok(Truth::mask(holds.collect()))
            }
            BoolKind::End => self.end(when),
            BoolKind::Moves(over) => self.over_moves(over, when),
            BoolKind::At(formula, coordinates) => {
                let mut there = Vec::new();
                self.coordinates(coordinates, when, &mut there)?;
                there.extend_from_slice(self.position.get(self.rules.state_width..).unwrap_or_default());
                let here = std::mem::replace(&mut self.position, there);
                let holds = self.bool(formula, when);
                self.position = here;
                holds
            }
            BoolKind::Entry(..)
            | BoolKind::SameList(..)
            | BoolKind::TruthIn(..)
            | BoolKind::RowIn(..)
            | BoolKind::Goal
            | BoolKind::Solvable => Err(Unfit),
        }
    }

    /// At how many of the places of `when` a condition holds.
    ///
    /// # Errors
    ///
    /// As for [`Columns::bool`].
    pub fn count(&mut self, bool: &Bool, when: &Truth) -> Fit<usize> {
        if matches!(bool.kind, BoolKind::Outcome(Outcome::Loss))
            && when.is_all(self.len)
            && let Some(lost) = self.sight.lost(&self.position, self.len)
        {
            return Ok(lost);
        }
        Ok(self.bool(bool, when)?.and(when).count())
    }

    fn inside(&mut self, needle: &Int, range: &Range, when: &Truth) -> Fit<Truth> {
        let len = self.len;
        let needle = self.int(needle, when)?;
        match range {
            Range::Span { low, high, inclusive } => {
                let (low, high) = (self.int(low, when)?, self.int(high, when)?);
                let below = if *inclusive { Comparison::AtMost } else { Comparison::Less };
                Ok(low.at_most(&needle, len).and(&needle.compare(below, &high, len)))
            }
            Range::List(list) => {
                let mut found = Truth::NEVER;
                for value in self.list(list, when)? {
                    found = found.or(&needle.compare(Comparison::Equal, &value, len), len);
                }
                Ok(found)
            }
            Range::Table(_) => Err(Unfit),
        }
    }
}

/// None for classes beyond all ranks.
fn code(class: Class) -> Option<u32> {
    match class {
        _ if class.moves() >= u32::MAX / 2 => None,
        Class::Win(moves) => Some(Ranked::new(Outcome::Win, moves).0),
        Class::Loss(moves) => Some(Ranked::new(Outcome::Loss, moves).0),
    }
}
