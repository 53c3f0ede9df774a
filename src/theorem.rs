//! The theorems about heaps as a witness, where positions cannot be listed: it answers what they tell and nothing else.
//!
//! It shares nothing with the engines. A nim-sum is formed digit by digit, as Bouton writes it; a Grundy sequence heap
//! by heap from its definition, until the periodicity theorem holds. Tests hold both against the walker for all small
//! heaps.
//!
//! Sources: C. Bouton, "Nim, a game with a complete mathematical theory", 1901; R. Guy, C. Smith, "The G-values of
//! various games", 1956; E. Berlekamp, J. Conway, R. Guy, *Winning Ways*, ch. 4.

mod digits;
mod sequence;

use dashu_int::UBig;

use self::digits::{Digits, nim_sum};
use self::sequence::Octal;
use crate::budget::{Budget, Limit};
use crate::engine::{Engine, WinningMoves};
use crate::game::{Game, Reference};
use crate::lang::tree::{Heaps, Quantity, Rules, Winner, WinnerWord};
use crate::lang::{Halt, Options, Sight};
use crate::value::{Class, Outcome, Plays};

type Known<T> = Result<T, Halt>;

/// Answers about heaps by theorem.
pub struct Theorem<'a> {
    rules: &'a Rules,
    octal: Option<Octal<'a>>,
    asked: u64,
}

impl<'a> Theorem<'a> {
    /// The theorem about the heaps of these rules, if there is one.
    #[must_use]
    pub fn of(rules: &'a Rules, budget: &'a Budget) -> Option<Self> {
        let octal = match rules.heaps.as_ref()? {
            Heaps::Nim => None,
            Heaps::Octal(code) => Some(Octal::new(&code.digits, budget)),
        };
        Some(Self { rules, octal, asked: 0 })
    }

    fn misere(&self) -> bool {
        matches!(self.rules.winner, Winner::Word(WinnerWord::Other))
    }

    /// The value of the sum in binary digits, the lowest first.
    fn sum(&mut self, heaps: &[i64]) -> Known<Digits> {
        self.asked += 1;
        let Some(octal) = &mut self.octal else { return Ok(nim_sum(heaps)) };
        let values = heaps.iter().map(|heap| octal.value(*heap).map(i64::from)).collect::<Result<Vec<_>, _>>()?;
        Ok(nim_sum(&values))
    }

    /// In Nim: whether the player to move has lost.
    fn lost(&mut self, heaps: &[i64]) -> Known<bool> {
        let balanced = self.sum(heaps)?.iter().all(|digit| !digit);
        let large = heaps.iter().filter(|heap| **heap > 1).count();
        if self.misere() && large == 0 {
            // only heaps of one are left, and whoever takes the last of them loses: an odd number is lost
            return Ok(heaps.iter().filter(|heap| **heap == 1).count() % 2 == 1);
        }
        Ok(balanced)
    }
}

fn uncovered<T>() -> Known<T> {
    Err(Limit::Uncovered.into())
}

impl Sight for Theorem<'_> {
    fn options(&mut self, position: &[i64], options: &mut Options) -> Known<bool> {
        Ok(Reference::sum(self.rules).look(position, options)?.is_some())
    }

    fn outcome(&mut self, position: &[i64]) -> Known<Outcome> {
        Ok(if self.lost(self.rules.state_of(position))? { Outcome::Loss } else { Outcome::Win })
    }

    fn class_within(&mut self, _: &[i64], _: Class) -> Known<Option<Class>> {
        uncovered()
    }

    fn is_goal(&mut self, _: &[i64]) -> Known<bool> {
        uncovered()
    }

    fn quantity(&mut self, position: &[i64], quantity: Quantity) -> Known<Option<i64>> {
        let heaps = self.rules.state_of(position);
        match quantity {
            Quantity::Grundy => {
                let mut value = 0_i64;
                for digit in self.sum(heaps)?.iter().rev() {
                    value = value
                        .checked_mul(2)
                        .and_then(|value| value.checked_add(i64::from(*digit)))
                        .ok_or(Limit::Uncovered)?;
                }
                Ok(Some(value))
            }
            Quantity::Moves if self.octal.is_none() => {
                let moves: i128 = heaps.iter().filter(|heap| **heap > 0).map(|heap| i128::from(*heap)).sum();
                i64::try_from(moves).map_or_else(|_| uncovered(), |moves| Ok(Some(moves)))
            }
            _ => uncovered(),
        }
    }
}

impl Engine for Theorem<'_> {
    fn class(&mut self, _: &[i64]) -> Known<Option<Class>> {
        uncovered()
    }

    fn plays(&mut self, _: &[i64]) -> Known<Option<Plays>> {
        uncovered()
    }

    fn shortest_play(&mut self, _: &[i64]) -> Known<Option<u32>> {
        uncovered()
    }

    fn longest_play(&mut self, _: &[i64]) -> Known<Option<u32>> {
        uncovered()
    }

    fn positions(&mut self, _: &[i64]) -> Known<u64> {
        uncovered()
    }

    fn shortest_solutions(&mut self, _: &[i64]) -> Known<UBig> {
        uncovered()
    }

    fn farthest(&mut self, _: &[i64]) -> Known<u32> {
        uncovered()
    }

    /// In Nim every counter of a heap may be the last one taken.
    fn count_moves(&mut self, position: &[i64]) -> Known<UBig> {
        if self.octal.is_some() {
            return uncovered();
        }
        let mut moves = UBig::ZERO;
        for heap in self.rules.state_of(position).iter().filter(|heap| **heap > 0) {
            moves += heap.unsigned_abs();
        }
        Ok(moves)
    }

    /// In Nim a winning move leaves a lost sum: each heap is tried with what the others ask of it, and in misère play
    /// also left with one counter or none.
    fn winning_moves(&mut self, position: &[i64]) -> Known<Option<WinningMoves>> {
        if self.octal.is_some() {
            return Ok(None);
        }
        let heaps = self.rules.state_of(position).to_vec();
        let mut found = WinningMoves::default();
        for (at, heap) in heaps.iter().enumerate() {
            let mut others = heaps.clone();
            others.remove(at);
            let asked = nim_sum(&others)
                .iter()
                .rev()
                .try_fold(0_i64, |value, digit| value.checked_mul(2)?.checked_add(i64::from(*digit)));
            let mut tried: Vec<i64> =
                [asked, Some(0), Some(1)].into_iter().flatten().filter(|left| left < heap).collect();
            tried.sort_unstable();
            tried.dedup();
            let mut winning = 0;
            for left in tried.into_iter().rev() {
                let mut after = heaps.clone();
                after[at] = left;
                if self.lost(&after)? {
                    winning += 1;
                    found.moves.push((0, after));
                }
            }
            found.others = found.others || *heap > winning;
        }
        Ok(Some(found))
    }

    fn visited(&self) -> u64 {
        self.asked
    }
}
