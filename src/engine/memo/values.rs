//! The sweeps: one kind of value each, over positions whose options are valued before them.

use crate::faults::{Wrong, planted};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use dashu_int::UBig;

use super::super::Sought;
use super::graph::{Component, Graph, index};
use crate::budget::Limit;
use crate::game::Game;
use crate::lang::Halt;
use crate::value::{Outcome, Plays, Ranked, Ranking, mex};

/// Outcomes with ranks: remoteness, or the winner's own moves.
pub(super) struct Ranks {
    ranking: Ranking,
    values: Vec<Ranked>,
    swept: usize,
}

impl Ranks {
    pub(super) const fn new(ranking: Ranking) -> Self {
        Self { ranking, values: Vec::new(), swept: 0 }
    }

    pub(super) fn get(&self, number: u32) -> Option<(Outcome, u32)> {
        self.values[index(number)].get()
    }

    pub(super) fn column(&self) -> &[Ranked] {
        &self.values
    }

    pub(super) fn sweep(&mut self, graph: &mut Graph<'_>) -> Result<(), Limit> {
        if self.values.len() == graph.len() {
            return Ok(());
        }
        if self.swept == 0 {
            graph.charge_values(4)?;
        }
        self.values.resize(graph.len(), Ranked::DRAW);
        let (ranking, values) = (self.ranking, &mut self.values);
        self.swept = graph.components(self.swept, |component| {
            match component {
                Component::One(number) => values[index(number)] = rank_of(graph, number, ranking, values),
                Component::Loop(members) => retrograde(graph, members, ranking, values),
            }
            Ok(())
        })?;
        Ok(())
    }
}

/// The definition at one position: the least before a loss; else the greatest before wins, if there are only wins.
fn rank_of(graph: &Graph<'_>, number: u32, ranking: Ranking, values: &[Ranked]) -> Ranked {
    if let Some(outcome) = graph.over(number) {
        return Ranked::new(outcome, 0);
    }
    let (mut quickest, mut slowest, mut drawn) = (u32::MAX, 0, false);
    for option in graph.options(number) {
        match values[index(*option)].get() {
            Some((Outcome::Loss, rank)) => quickest = quickest.min(ranking.before_loss(rank)),
            Some((_, rank)) if planted(Wrong::LoserHurries) => slowest = ranking.before_win(rank),
            Some((_, rank)) => slowest = slowest.max(ranking.before_win(rank)),
            None => drawn = !planted(Wrong::DrawNotSeen),
        }
    }
    if quickest < u32::MAX {
        Ranked::new(Outcome::Win, quickest)
    } else if drawn {
        Ranked::DRAW
    } else {
        Ranked::new(Outcome::Loss, slowest)
    }
}

/// Retrograde analysis of positions on loops, options outside being valued: whatever is decided is decided in order of
/// rank; what stays undecided is a draw.
///
/// Source: K. Thompson, "Retrograde analysis of certain endgames", 1986.
fn decide(
    members: &[u32],
    ranking: Ranking,
    options: impl Fn(u32) -> Vec<(u32, Option<(Outcome, u32)>)>,
    over: impl Fn(u32) -> Option<Outcome>,
) -> HashMap<u32, (Outcome, u32)> {
    // for each member: options not yet known to be wins, and the greatest rank before those that are
    let mut pending: HashMap<u32, (usize, u32)> = HashMap::with_capacity(members.len());
    let mut before: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut queue: BinaryHeap<Reverse<(u32, bool, u32)>> = BinaryHeap::new();
    for member in members {
        pending.insert(*member, (usize::MAX, 0));
    }
    for member in members {
        if let Some(outcome) = over(*member) {
            if outcome != Outcome::Draw {
                queue.push(Reverse((0, outcome == Outcome::Win, *member)));
            }
            continue;
        }
        let (mut undecided, mut slowest) = (0, 0);
        for (option, value) in options(*member) {
            match value {
                Some((Outcome::Loss, rank)) => {
                    undecided += 1;
                    if !planted(Wrong::OptionOutsideForgotten) {
                        queue.push(Reverse((ranking.before_loss(rank), true, *member)));
                    }
                }
                Some((_, rank)) => slowest = slowest.max(ranking.before_win(rank)),
                None => {
                    undecided += 1;
                    if pending.contains_key(&option) {
                        before.entry(option).or_default().push(*member);
                    }
                }
            }
        }
        if undecided == 0 {
            queue.push(Reverse((slowest, false, *member)));
        }
        pending.insert(*member, (undecided, slowest));
    }
    let mut decided: HashMap<u32, (Outcome, u32)> = HashMap::new();
    while let Some(Reverse((rank, win, number))) = queue.pop() {
        if decided.contains_key(&number) {
            continue;
        }
        decided.insert(number, (if win { Outcome::Win } else { Outcome::Loss }, rank));
        for earlier in before.get(&number).map_or(&[][..], Vec::as_slice) {
            if !win {
                queue.push(Reverse((ranking.before_loss(rank), true, *earlier)));
            } else if let Some((undecided, slowest)) = pending.get_mut(earlier) {
                *slowest = (*slowest).max(ranking.before_win(rank));
                *undecided -= 1;
                if *undecided <= usize::from(planted(Wrong::LostTooEarly)) {
                    queue.push(Reverse((*slowest, false, *earlier)));
                }
            }
        }
    }
    decided
}

fn retrograde(graph: &Graph<'_>, members: &[u32], ranking: Ranking, values: &mut [Ranked]) {
    let decided = decide(
        members,
        ranking,
        |number| graph.options(number).iter().map(|option| (*option, values[index(*option)].get())).collect(),
        |number| graph.over(number),
    );
    for (number, (outcome, rank)) in decided {
        values[index(number)] = Ranked::new(outcome, rank);
    }
}

/// A number with no value: where play need not end, or cannot.
const NONE: u32 = u32::MAX;

fn some(value: u32) -> Option<u32> {
    (value != NONE).then_some(value)
}

/// Grundy values.
#[derive(Default)]
pub(super) struct Nimbers {
    values: Vec<u32>,
    swept: usize,
}

impl Nimbers {
    pub(super) fn column(&self) -> &[u32] {
        &self.values
    }

    pub(super) fn get(&self, number: u32) -> Option<u32> {
        some(self.values[index(number)])
    }

    pub(super) fn sweep(&mut self, graph: &mut Graph<'_>) -> Result<(), Limit> {
        if self.values.len() == graph.len() {
            return Ok(());
        }
        if self.swept == 0 {
            graph.charge_values(4)?;
        }
        self.values.resize(graph.len(), NONE);
        let values = &mut self.values;
        self.swept = graph.components(self.swept, |component| {
            if let Component::One(number) = component {
                let skipped = usize::from(planted(Wrong::FirstOptionOfMex));
                let options = graph.options(number).iter().skip(skipped).map(|option| values[index(*option)]);
                values[index(number)] = if options.clone().any(|value| value == NONE) { NONE } else { mex(options) };
            }
            Ok(())
        })?;
        Ok(())
    }
}

/// Numbers of complete plays; none where a loop can be reached.
#[derive(Default)]
pub(super) struct PlayCounts {
    values: Vec<Option<Plays>>,
    swept: usize,
}

impl PlayCounts {
    pub(super) fn column(&self) -> &[Option<Plays>] {
        &self.values
    }

    pub(super) fn get(&self, number: u32) -> Option<Plays> {
        self.values[index(number)].clone()
    }

    pub(super) fn sweep(&mut self, graph: &mut Graph<'_>) -> Result<(), Limit> {
        if self.values.len() == graph.len() {
            return Ok(());
        }
        if self.swept == 0 {
            graph.charge_values(size_of::<Option<Plays>>())?;
        }
        self.values.resize(graph.len(), None);
        let values = &mut self.values;
        self.swept = graph.components(self.swept, |component| {
            if let Component::One(number) = component {
                values[index(number)] = plays_of(graph, number, values);
            }
            Ok(())
        })?;
        Ok(())
    }
}

fn plays_of(graph: &Graph<'_>, number: u32, values: &[Option<Plays>]) -> Option<Plays> {
    if let Some(outcome) = graph.over(number) {
        let (won, lost) = match outcome {
            Outcome::Win => (UBig::ONE, UBig::ZERO),
            Outcome::Loss => (UBig::ZERO, UBig::ONE),
            Outcome::Draw => (UBig::ZERO, UBig::ZERO),
        };
        return Some(Plays { total: UBig::from(1 + u8::from(planted(Wrong::PlaysCountedTwice))), won, lost });
    }
    let mut sum = Plays { total: UBig::ZERO, won: UBig::ZERO, lost: UBig::ZERO };
    for option in graph.options(number) {
        let plays = values[index(*option)].as_ref()?;
        sum.total += &plays.total;
        sum.won += if planted(Wrong::PlaysOfOther) { &plays.won } else { &plays.lost };
        sum.lost += &plays.won;
    }
    Some(sum)
}

/// How many positions a walk visits; none where a loop can be reached.
pub(super) struct WalkCosts {
    sought: Sought,
    values: Vec<u64>,
    swept: usize,
}

impl WalkCosts {
    const UNKNOWN: u64 = u64::MAX;

    pub(super) const fn new(sought: Sought) -> Self {
        Self { sought, values: Vec::new(), swept: 0 }
    }

    pub(super) fn get(&self, number: u32) -> Option<u64> {
        Some(self.values[index(number)]).filter(|cost| *cost != Self::UNKNOWN)
    }

    pub(super) fn sweep(&mut self, graph: &mut Graph<'_>, ranks: &Ranks) -> Result<(), Limit> {
        if self.values.len() == graph.len() {
            return Ok(());
        }
        if self.swept == 0 {
            graph.charge_values(8)?;
        }
        self.values.resize(graph.len(), Self::UNKNOWN);
        let (sought, values) = (self.sought, &mut self.values);
        self.swept = graph.components(self.swept, |component| {
            if let Component::One(number) = component {
                let mut cost = 1_u64;
                for option in graph.options(number) {
                    let more = values[index(*option)];
                    cost = if more == Self::UNKNOWN { more } else { cost.saturating_add(more).min(Self::UNKNOWN - 1) };
                    let decides = matches!(ranks.get(*option), Some((Outcome::Loss, _)));
                    if cost == Self::UNKNOWN || (sought == Sought::Outcome && decides) {
                        break;
                    }
                }
                values[index(number)] = cost;
            }
            Ok(())
        })?;
        Ok(())
    }
}

/// Plies of the shortest complete play; none where play cannot end.
#[derive(Default)]
pub(super) struct Shortest {
    values: Vec<u32>,
    swept: usize,
}

impl Shortest {
    pub(super) fn column(&self) -> &[u32] {
        &self.values
    }

    pub(super) fn get(&self, number: u32) -> Option<u32> {
        some(self.values[index(number)])
    }

    pub(super) fn sweep(&mut self, graph: &mut Graph<'_>) -> Result<(), Limit> {
        if self.values.len() == graph.len() {
            return Ok(());
        }
        if self.swept == 0 {
            graph.charge_values(4)?;
        }
        self.values.resize(graph.len(), NONE);
        let values = &mut self.values;
        let best = |number: u32, values: &[u32]| match graph.over(number) {
            Some(_) => 0,
            None => {
                let options = graph.options(number).iter().map(|option| values[index(*option)]);
                let least = if planted(Wrong::ShortestIsLongest) { options.max() } else { options.min() };
                least.filter(|least| *least != NONE).map_or(NONE, |least| least + 1)
            }
        };
        self.swept = graph.components(self.swept, |component| {
            match component {
                Component::One(number) => values[index(number)] = best(number, values),
                Component::Loop(members) => settle(graph, members, values, best),
            }
            Ok(())
        })?;
        Ok(())
    }
}

/// Least numbers of moves in a component with loops, least first: each member is settled once, in order of its value.
fn settle(graph: &Graph<'_>, members: &[u32], values: &mut [u32], best: impl Fn(u32, &[u32]) -> u32) {
    let inside: HashMap<u32, Vec<u32>> = backwards(graph, members);
    let mut queue: BinaryHeap<Reverse<(u32, u32)>> = members
        .iter()
        .map(|member| Reverse((best(*member, values), *member)))
        .filter(|Reverse((plies, _))| *plies != NONE)
        .collect();
    while let Some(Reverse((plies, number))) = queue.pop() {
        if values[index(number)] <= plies {
            continue;
        }
        values[index(number)] = plies;
        for earlier in inside.get(&number).map_or(&[][..], Vec::as_slice) {
            queue.push(Reverse((plies + 1, *earlier)));
        }
    }
}

fn backwards(graph: &Graph<'_>, members: &[u32]) -> HashMap<u32, Vec<u32>> {
    let mut before: HashMap<u32, Vec<u32>> = members.iter().map(|member| (*member, Vec::new())).collect();
    for member in members {
        for option in graph.options(*member) {
            if let Some(before) = before.get_mut(option) {
                before.push(*member);
            }
        }
    }
    before
}

/// In puzzles: the least number of moves to a goal, and how many sequences attain it.
#[derive(Default)]
pub(super) struct Distances {
    goals: Vec<bool>,
    values: Vec<u32>,
    solutions: Vec<UBig>,
    swept: usize,
}

impl Distances {
    pub(super) fn column(&self) -> &[u32] {
        &self.values
    }

    pub(super) fn solutions(&self) -> &[UBig] {
        &self.solutions
    }

    pub(super) fn get(&self, number: u32) -> Option<u32> {
        some(self.values[index(number)])
    }

    pub(super) fn solutions_of(&self, number: u32) -> UBig {
        self.solutions[index(number)].clone()
    }

    /// `is_goal` is asked of each position once, in the order of numbers.
    pub(super) fn sweep(&mut self, graph: &mut Graph<'_>, game: &mut dyn Game) -> Result<(), Halt> {
        if self.values.len() == graph.len() {
            return Ok(());
        }
        if self.swept == 0 {
            graph.charge_values(5 + size_of::<UBig>())?;
        }
        let mut position = Vec::new();
        for number in self.goals.len()..graph.len() {
            graph.positions().read(u32::try_from(number).unwrap_or(u32::MAX), &mut position);
            self.goals.push(game.is_goal(&position)?);
        }
        self.values.resize(graph.len(), NONE);
        self.solutions.resize(graph.len(), UBig::ZERO);
        let Self { goals, values, solutions, swept } = self;
        *swept = graph.components(*swept, |component| {
            match component {
                Component::One(number) => {
                    values[index(number)] = distance(graph, goals, values, number);
                    solutions[index(number)] = ways(graph, goals, values, solutions, number);
                }
                Component::Loop(members) => {
                    settle(graph, members, values, |number, values| distance(graph, goals, values, number));
                    let mut nearest_first = members.to_vec();
                    nearest_first.sort_by_key(|member| values[index(*member)]);
                    for member in nearest_first {
                        solutions[index(member)] = ways(graph, goals, values, solutions, member);
                    }
                }
            }
            Ok(())
        })?;
        Ok(())
    }
}

fn distance(graph: &Graph<'_>, goals: &[bool], values: &[u32], number: u32) -> u32 {
    if goals[index(number)] {
        return 0;
    }
    let last = usize::from(planted(Wrong::DistanceToWorst));
    let options = graph.options(number).iter().rev().skip(last);
    let least = options.map(|option| values[index(*option)]).min();
    least.filter(|least| *least != NONE).map_or(NONE, |least| least + 1)
}

fn ways(graph: &Graph<'_>, goals: &[bool], values: &[u32], solutions: &[UBig], number: u32) -> UBig {
    match values[index(number)] {
        NONE => UBig::ZERO,
        0 if goals[index(number)] => UBig::from(1 + u8::from(planted(Wrong::GoalCountsTwice))),
        distance => {
            let nearer = graph.options(number).iter().filter(|option| values[index(**option)] == distance - 1);
            nearer.map(|option| &solutions[index(*option)]).sum()
        }
    }
}

/// Plies of the longest complete play; none where a loop can be reached.
#[derive(Default)]
pub(super) struct Longest {
    values: Vec<u32>,
    swept: usize,
}

impl Longest {
    pub(super) fn column(&self) -> &[u32] {
        &self.values
    }

    pub(super) fn get(&self, number: u32) -> Option<u32> {
        some(self.values[index(number)])
    }

    pub(super) fn sweep(&mut self, graph: &mut Graph<'_>) -> Result<(), Limit> {
        if self.values.len() == graph.len() {
            return Ok(());
        }
        if self.swept == 0 {
            graph.charge_values(4)?;
        }
        self.values.resize(graph.len(), NONE);
        let values = &mut self.values;
        self.swept = graph.components(self.swept, |component| {
            if let Component::One(number) = component {
                let most = graph.options(number).iter().map(|option| values[index(*option)]).max();
                values[index(number)] = match most {
                    None => 0,
                    Some(NONE) => NONE,
                    Some(most) => most + u32::from(most > 0 || !planted(Wrong::LongestEndsEarly)),
                };
            }
            Ok(())
        })?;
        Ok(())
    }
}
