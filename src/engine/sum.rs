//! Sums of impartial games by nim-sum: the Grundy value of a sum is the exclusive or of those of its components.
//!
//! Sources: R. Sprague, "Über mathematische Kampfspiele", 1935; P. Grundy, "Mathematics and games", 1939; for Nim, in
//! which a heap is its own value, C. Bouton, "Nim, a game with a complete mathematical theory", 1901.
//!
//! What a nim-sum does not tell (ranks, plays, games that the last mover loses, loops) is searched position by position
//! by the engine that is handed in.

mod components;
mod heaps;
mod nim;
mod octal;
mod runs;
mod splits;

use crate::faults::{Wrong, planted};
use dashu_int::UBig;

use self::components::Components;
use self::nim::HeapValues;
use self::octal::Sequence;
use super::{Engine, Sought, WinningMoves};
use crate::budget::Budget;
use crate::claims::{Claims, Parts};
use crate::game::Compiled;
use crate::lang::number;
use crate::lang::tree::{Heaps, Quantity, Rules};
use crate::lang::{ColumnSight, Fit, Halt, Ints, Options, Sight, Span, Truth, Unfit};
use crate::value::{Class, Outcome, Plays, Ranking};

type Summed<T> = Result<T, Halt>;

/// How many outcomes of misère Nim are remembered, and how large the sums may be that are searched for a checker.
const REMEMBERED: usize = 10_000;
const SEARCHED: u64 = 200_000;

/// The values of single components, each written with the parameters that the rules read.
trait Values {
    /// Gets ready to value the components of a position.
    fn prepare(&mut self, _position: &[i64]) -> Summed<()> {
        Ok(())
    }

    /// The Grundy value; none where its play need not end.
    fn of(&mut self, component: &[i64]) -> Summed<Option<u64>>;

    /// What the values rest on, for a checker.
    fn claims(&mut self) -> Option<Parts<'_>>;

    /// How many components have been looked at.
    fn visited(&self) -> u64;
}

/// The fast engine for sums.
pub struct Sum<'a> {
    rules: &'a Rules,
    values: Box<dyn Values + 'a>,
    /// Answers what nim-sums do not.
    search: Box<dyn Engine + 'a>,
    /// Positions of misère Nim whose outcome has been told: a checker can only be shown it by search.
    misere: Vec<Vec<i64>>,
}

impl<'a> Sum<'a> {
    /// An engine for sums of games with these rules; `search` answers what a nim-sum does not tell.
    pub fn new(rules: &'a Rules, search: Box<dyn Engine + 'a>, budget: &'a Budget) -> Self {
        let values: Box<dyn Values + 'a> = match &rules.heaps {
            Some(Heaps::Nim) => Box::new(HeapValues::default()),
            Some(Heaps::Octal(code)) => Box::new(Sequence::new(code, budget)),
            None => Box::new(Components::new(Compiled::new(rules), rules, budget)),
        };
        Self { rules, values, search, misere: Vec::new() }
    }

    /// The nim-sum; none where the play of some component need not end.
    fn nim_sum(&mut self, position: &[i64]) -> Summed<Option<u64>> {
        self.values.prepare(position)?;
        if position.len() == self.rules.width() {
            return self.values.of(position);
        }
        let tail = &position[self.rules.state_of(position).len()..];
        let (mut sum, mut one) = (0, Vec::new());
        for component in self.rules.components(position).skip(usize::from(planted(Wrong::FirstComponentLeftOut))) {
            one.clear();
            one.extend_from_slice(component);
            one.extend_from_slice(tail);
            match self.values.of(&one)? {
                Some(value) if planted(Wrong::OrForNimSum) => sum |= value,
                Some(value) => sum ^= value,
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    }

    fn is_nim(&self) -> bool {
        self.rules.heaps == Some(Heaps::Nim)
    }
}

impl Sight for Sum<'_> {
    fn options(&mut self, position: &[i64], options: &mut Options) -> Summed<bool> {
        self.search.options(position, options)
    }

    fn outcome(&mut self, position: &[i64]) -> Summed<Outcome> {
        if self.is_nim() && !self.rules.last_mover_wins() {
            if self.misere.len() < REMEMBERED {
                self.misere.push(position.to_vec());
            }
            return Ok(nim::misere(self.rules.state_of(position)));
        }
        if self.rules.last_mover_wins()
            && let Some(sum) = self.nim_sum(position)?
        {
            return Ok(if sum == 0 { Outcome::Loss } else { Outcome::Win });
        }
        self.search.outcome(position)
    }

    fn class_within(&mut self, position: &[i64], bound: Class) -> Summed<Option<Class>> {
        self.search.class_within(position, bound)
    }

    fn is_goal(&mut self, position: &[i64]) -> Summed<bool> {
        self.search.is_goal(position)
    }

    fn quantity(&mut self, position: &[i64], quantity: Quantity) -> Summed<Option<i64>> {
        match quantity {
            Quantity::Grundy => match self.nim_sum(position)? {
                // values below 2^63 have a sum below it
                Some(sum) => Ok(i64::try_from(sum).ok()),
                None => self.search.quantity(position, quantity),
            },
            Quantity::Moves if self.is_nim() => {
                let heaps = self.rules.state_of(position).iter();
                let moves = heaps.map(|heap| (*heap).max(0)).try_fold(0, number::add);
                moves.map(Some).map_err(|fault| Halt::fault(fault, Span::default()).at(position, None))
            }
            _ => self.search.quantity(position, quantity),
        }
    }
}

/// A line of starts with one heap each: their values, one after the other.
impl ColumnSight for Sum<'_> {
    fn ranked(&mut self, _: Ranking, _: Option<u32>, _: &[Ints], _: &Truth, _: usize) -> Fit<(Vec<u32>, Truth)> {
        Err(Unfit)
    }

    fn nimbers(&mut self, positions: &[Ints], when: &Truth, len: usize) -> Fit<Vec<u32>> {
        let [heaps] = positions else { return Err(Unfit) };
        let mut nimbers = vec![0; len];
        when.each(|at| {
            let value = self.values.of(&[heaps.at(at)]).map_err(|_| Unfit)?;
            nimbers[at] = value.and_then(|value| u32::try_from(value).ok()).ok_or(Unfit)?;
            Ok(())
        })?;
        Ok(nimbers)
    }
}

impl Engine for Sum<'_> {
    fn budget(&self) -> Option<&Budget> {
        self.search.budget()
    }

    fn class(&mut self, position: &[i64]) -> Summed<Option<Class>> {
        self.search.class(position)
    }

    fn plays(&mut self, position: &[i64]) -> Summed<Option<Plays>> {
        self.search.plays(position)
    }

    fn shortest_play(&mut self, position: &[i64]) -> Summed<Option<u32>> {
        self.search.shortest_play(position)
    }

    fn longest_play(&mut self, position: &[i64]) -> Summed<Option<u32>> {
        self.search.longest_play(position)
    }

    fn positions(&mut self, position: &[i64]) -> Summed<u64> {
        self.search.positions(position)
    }

    fn shortest_solutions(&mut self, position: &[i64]) -> Summed<UBig> {
        self.search.shortest_solutions(position)
    }

    fn farthest(&mut self, position: &[i64]) -> Summed<u32> {
        self.search.farthest(position)
    }

    fn count_moves(&mut self, position: &[i64]) -> Summed<UBig> {
        if self.is_nim() {
            let heaps = self.rules.state_of(position).iter();
            return Ok(heaps.filter_map(|heap| u64::try_from(*heap).ok()).map(UBig::from).sum());
        }
        self.search.count_moves(position)
    }

    fn winning_moves(&mut self, position: &[i64]) -> Summed<Option<WinningMoves>> {
        let misere = !self.rules.last_mover_wins();
        Ok(self.is_nim().then(|| nim::winning_moves(self.rules.state_of(position), misere)))
    }

    /// Octal codes, whose rules have no errors.
    fn in_columns(&mut self) -> Option<&mut dyn ColumnSight> {
        matches!(self.rules.heaps, Some(Heaps::Octal(_))).then_some(self)
    }

    fn claims(&mut self) -> Summed<Option<Claims<'_>>> {
        for position in std::mem::take(&mut self.misere) {
            if nim::positions(self.rules.state_of(&position)) <= SEARCHED {
                self.search.outcome(&position)?;
            }
        }
        // where the last mover loses, Grundy values tell nothing
        let parts = if self.rules.last_mover_wins() { self.values.claims() } else { None };
        let claims = self.search.claims()?;
        Ok(claims.map(|claims| Claims { parts, ..claims }))
    }

    /// Heaps of any size are no table: a walk is out of the question as soon as they are more than a few counters.
    fn walk_cost(&mut self, position: &[i64], sought: Sought) -> Summed<Option<u64>> {
        const FEW: i64 = 24;
        if self.rules.heaps.is_some() {
            let heaps = self.rules.state_of(position).iter();
            if heaps.fold(0, |sum: i64, heap| sum.saturating_add((*heap).max(0))) > FEW {
                return Ok(Some(u64::MAX));
            }
        }
        self.search.walk_cost(position, sought)
    }

    fn visited(&self) -> u64 {
        self.values.visited() + self.search.visited()
    }
}
