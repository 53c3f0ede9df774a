//! Answers from claims that have been checked: an engine that only looks things up.
//!
//! A question is answered by the naive side with a witness in the place of the walker, so that nothing is believed that
//! is not listed. Moves of single positions are read from the rules.

use std::collections::{HashMap, HashSet};

use dashu_int::UBig;

use super::{index, small};
use crate::budget::{Budget, Hold, Limit};
use crate::claims::{Claims, NONE, Reach, Rings};
use crate::engine::Engine;
use crate::game::{Game, Reference};
use crate::lang::tree::{Quantity, Rules};
use crate::lang::{Halt, Options, Sight, Stop, within};
use crate::value::{Class, Outcome, Plays, Ranked, Ranking};

/// Looks values up among checked claims.
pub struct Witness<'a> {
    claims: &'a Claims<'a>,
    rules: &'a Rules,
    /// How many shortest ways to the goal pass on from each position of the rings, once that is asked.
    ways: HashMap<usize, Vec<UBig>>,
    game: Reference<'a>,
    looked: u64,
    budget: Option<&'a Budget>,
    /// Memory for what it has worked out.
    hold: Option<Hold>,
}

/// What a position takes that is met on the way through all that can be reached, in bytes.
const MET: u64 = 24;

type Found<T> = Result<T, Halt>;

impl<'a> Witness<'a> {
    /// A witness of claims that [`super::check`] has passed for these rules.
    #[must_use]
    pub fn new(claims: &'a Claims<'a>, rules: &'a Rules) -> Self {
        let game = if claims.sum { Reference::sum(rules) } else { Reference::new(rules) };
        Self { claims, rules, game, ways: HashMap::new(), looked: 0, budget: None, hold: None }
    }

    /// The same; whoever asks it much stops when this budget says so.
    #[must_use]
    pub fn within(self, budget: &'a Budget) -> Self {
        Self { budget: Some(budget), hold: Some(budget.hold()), ..self }
    }

    /// The nim-sum of the components, where each is listed with its Grundy value.
    ///
    /// Sources: R. Sprague, 1935; P. Grundy, 1939.
    fn nim_sum(&mut self, position: &[i64]) -> Option<u32> {
        let parts = self.claims.parts?;
        self.looked += 1;
        let tail = &position[self.rules.state_of(position).len()..];
        let mut sum = 0;
        for component in self.rules.components(position) {
            sum ^= parts.nimbers[index(parts.positions.find_surely(&[component, tail].concat())?)];
        }
        Some(sum)
    }

    /// The entry of a position in a column; what is not listed has no answer here.
    fn entry<'c, T>(&mut self, column: &'c [T], position: &[i64]) -> Found<&'c T> {
        self.looked += 1;
        let number = self.claims.positions.find_surely(position);
        number.and_then(|number| column.get(index(number))).ok_or_else(|| Limit::Uncovered.into())
    }

    /// Outcome and rank, from the lines or from the positions listed one by one.
    fn ranked(&mut self, ranking: Ranking, position: &[i64]) -> Found<Ranked> {
        let claims = self.claims;
        if let Some(lines) = claims.lines.as_ref().filter(|_| !claims.sum) {
            self.looked += 1;
            if let Some(ranked) = super::lines::worth(lines, ranking, position, &mut self.game)? {
                return Ok(ranked);
            }
        }
        let column = match ranking {
            Ranking::Remoteness => claims.remoteness,
            Ranking::OwnMoves => claims.own_moves,
        };
        self.entry(column, position).copied()
    }

    /// Checked rings round this position that go so far, if there are such, with their place.
    fn rings_at(&self, position: &[i64], reaches: &[Reach]) -> Option<(usize, Rings<'a>)> {
        let here =
            |rings: &Rings<'_>| rings.positions.find_surely(position) == Some(0) && reaches.contains(&rings.reach);
        self.claims.rings.iter().copied().enumerate().find(|(_, rings)| here(rings))
    }

    /// What rings tell of the distance of their first position.
    fn ring_distance(&self, position: &[i64]) -> Option<Option<i64>> {
        let (_, rings) = self.rings_at(position, &[Reach::Goal, Reach::NoGoal])?;
        Some(if rings.reach == Reach::Goal { i64::try_from(rings.ends.len() - 1).ok() } else { None })
    }

    fn ways(&mut self, place: usize, number: usize) -> Found<UBig> {
        let claims = self.claims;
        if let (None, Some(rings)) = (self.ways.get(&place), claims.rings.get(place)) {
            let ways = super::rings::ways(rings, &mut self.game, self.hold.as_mut())?;
            self.ways.insert(place, ways);
        }
        Ok(self.ways.get(&place).and_then(|ways| ways.get(number)).cloned().unwrap_or_default())
    }

    /// How many positions can be reached, and in how many rings round the start they lie: through the listed moves,
    /// which have been held against the rules. Each must be listed once, or it would be counted as often as it is.
    fn rings(&mut self, position: &[i64]) -> Found<(u64, u32)> {
        let listed = self.claims.positions;
        let start = listed.find_surely(position).ok_or(Limit::Uncovered)?;
        let mut met = HashSet::from([start]);
        let (mut ring, mut rings) = (vec![start], 0);
        let mut position = Vec::new();
        let mut room = self.budget.map(Budget::hold);
        while !ring.is_empty() {
            rings += 1;
            // a ring is seldom larger than all before it
            let bytes = (u64::from(small(met.len())) * 2).saturating_mul(MET);
            room.as_mut().map_or(Ok(()), |room| room.resize(bytes))?;
            let mut next = Vec::new();
            for number in ring {
                listed.read(number, &mut position);
                if listed.find(&position) != Some(number) {
                    return Err(Limit::Uncovered.into());
                }
                next.extend(self.reached(number)?.into_iter().filter(|option| met.insert(*option)));
            }
            ring = next;
        }
        Ok((u64::from(small(met.len())), rings))
    }

    fn reached(&mut self, number: u32) -> Found<Vec<u32>> {
        let listed = self.claims.positions;
        if let Some(known) = super::stretch(self.claims.ends, self.claims.options, index(number)) {
            return Ok(known.to_vec());
        }
        let (mut from, mut options) = (Vec::new(), Options::default());
        listed.read(number, &mut from);
        self.game.look(&from, &mut options)?;
        let found: Option<Vec<u32>> = options.iter().map(|(_, option)| listed.find_surely(option)).collect();
        found.ok_or_else(|| Limit::Uncovered.into())
    }

    fn length(&mut self, column: &[u32], position: &[i64]) -> Found<Option<u32>> {
        self.entry(column, position).map(|value| Some(*value).filter(|value| *value != NONE))
    }
}

impl Sight for Witness<'_> {
    fn options(&mut self, position: &[i64], options: &mut Options) -> Found<bool> {
        Ok(self.game.look(position, options)?.is_some())
    }

    fn outcome(&mut self, position: &[i64]) -> Found<Outcome> {
        if let Some(sum) = self.nim_sum(position) {
            return Ok(if sum == 0 { Outcome::Loss } else { Outcome::Win });
        }
        // either ranking tells the outcome
        let ranked = match self.ranked(Ranking::Remoteness, position) {
            Err(Halt::Stop(stop)) if *stop == Stop::Limit(Limit::Uncovered) => {
                self.ranked(Ranking::OwnMoves, position)?
            }
            ranked => ranked?,
        };
        Ok(ranked.get().map_or(Outcome::Draw, |(outcome, _)| outcome))
    }

    fn class_within(&mut self, position: &[i64], bound: Class) -> Found<Option<Class>> {
        if let Ok(ranked) = self.ranked(Ranking::OwnMoves, position) {
            return Ok(within(ranked.class(), bound));
        }
        let plies = match bound {
            Class::Win(moves) => moves.saturating_mul(2),
            Class::Loss(moves) => moves.saturating_mul(2).saturating_add(1),
        };
        let regions = &self.claims.regions;
        let region = regions.iter().find(|region| region.plies >= plies && region.starts_at(position));
        let region = region.ok_or(Limit::Uncovered)?;
        Ok(within(region.claim().class(), bound))
    }

    fn is_goal(&mut self, position: &[i64]) -> Found<bool> {
        self.game.is_goal(position)
    }

    fn quantity(&mut self, position: &[i64], quantity: Quantity) -> Found<Option<i64>> {
        Ok(match quantity {
            Quantity::Distance => match self.ring_distance(position) {
                Some(distance) => distance,
                None => self.length(self.claims.distances, position)?.map(i64::from),
            },
            Quantity::Remoteness => {
                let ranked = self.ranked(Ranking::Remoteness, position)?;
                ranked.get().map(|(_, plies)| i64::from(plies))
            }
            Quantity::Grundy => match self.nim_sum(position) {
                Some(sum) => Some(i64::from(sum)),
                None => self.length(self.claims.nimbers, position)?.map(i64::from),
            },
            Quantity::Moves => {
                let mut options = Options::default();
                self.game.look(position, &mut options)?;
                i64::try_from(options.len()).ok()
            }
        })
    }
}

impl Engine for Witness<'_> {
    fn budget(&self) -> Option<&Budget> {
        self.budget
    }

    fn class(&mut self, position: &[i64]) -> Found<Option<Class>> {
        self.ranked(Ranking::OwnMoves, position).map(Ranked::class)
    }

    fn plays(&mut self, position: &[i64]) -> Found<Option<Plays>> {
        self.entry(self.claims.plays, position).cloned()
    }

    fn shortest_play(&mut self, position: &[i64]) -> Found<Option<u32>> {
        self.length(self.claims.shortest, position)
    }

    fn longest_play(&mut self, position: &[i64]) -> Found<Option<u32>> {
        self.length(self.claims.longest, position)
    }

    /// In the ring where a shortest way from the start of rings would pass: whether one does.
    fn distance_within(&mut self, position: &[i64], most: i64) -> Found<Option<i64>> {
        let claims = self.claims;
        for (place, rings) in claims.rings.iter().enumerate().filter(|(_, rings)| rings.reach == Reach::Goal) {
            let Some((number, moves)) = super::rings::moves_to(rings, position) else { continue };
            let left = i64::try_from(rings.ends.len() - 1 - moves).unwrap_or(i64::MAX);
            if most <= left {
                let passes = most == left && self.ways(place, number)? != UBig::ZERO;
                return Ok(passes.then_some(left));
            }
        }
        Ok(self.quantity(position, Quantity::Distance)?.filter(|moves| *moves <= most))
    }

    fn shortest_solutions(&mut self, position: &[i64]) -> Found<UBig> {
        match self.rings_at(position, &[Reach::Goal, Reach::NoGoal]) {
            Some((place, rings)) if rings.reach == Reach::Goal => return self.ways(place, 0),
            Some(_) => return Ok(UBig::ZERO),
            None => {}
        }
        self.entry(self.claims.solutions, position).cloned()
    }

    fn farthest(&mut self, position: &[i64]) -> Found<u32> {
        if let Some((_, rings)) = self.rings_at(position, &[Reach::NoGoal, Reach::Everything]) {
            return Ok(small(rings.ends.len() - 1));
        }
        self.rings(position).map(|(_, rings)| rings - 1)
    }

    /// Counts what can be reached through the listed moves, which have been held against the rules.
    fn positions(&mut self, position: &[i64]) -> Found<u64> {
        if let Some((_, rings)) = self.rings_at(position, &[Reach::NoGoal, Reach::Everything]) {
            return Ok(u64::from(small(rings.positions.len())));
        }
        self.rings(position).map(|(count, _)| count)
    }

    fn visited(&self) -> u64 {
        let rings = self.claims.rings.iter().map(|rings| rings.positions.len()).sum::<usize>();
        let parts = self.claims.parts.map_or(0, |parts| parts.positions.len());
        let lines = self.claims.lines.map_or(0, |claim| claim.lines.len());
        u64::from(small(self.claims.positions.len() + rings + parts + lines)) + self.looked
    }
}
