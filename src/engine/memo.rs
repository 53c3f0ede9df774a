//! The memo: every position reached is looked at once and numbered; values are swept over the numbers.
//!
//! A question makes it close the set of positions reachable from a start: breadth first, so that the first rule error
//! met is the first in order of plies and moves; then strongly connected components (Tarjan), so that options come
//! before what rests on them; then one sweep for each kind of value, with retrograde analysis inside a component that
//! holds a loop. No recursion stands on the call stack. Questions that look only some plies ahead are answered from
//! what has been closed, or, where the game is too large or meets a rule error further on, from a small region of
//! their own ([`near`]). Where nobody checks the answers by what is held here, outcomes and ranks are first sought depth
//! first, which keeps less ([`descent`]).

mod descent;
mod graph;
mod near;
mod rings;
mod sketch;
mod values;

use dashu_int::UBig;

use self::descent::{Descended, Descent};
use self::graph::Graph;
use self::rings::Rings;
use self::sketch::Sketch;
use self::values::{Distances, Longest, Nimbers, PlayCounts, Ranks, Shortest, WalkCosts};
use super::{Engine, Sought};
use crate::budget::{Budget, Limit, Share};
use crate::claims::{Claims, Reach, Region, Rings as RingsClaim};
use crate::game::Game;
use crate::lang::tree::Quantity;
use crate::lang::{Halt, Options, Sight, Stop, within};
use crate::position::{Packing, Width};
use crate::value::{Class, Outcome, Plays, Ranked, Ranking};

/// How many positions may be closed for something else than an answer, or once closing has failed.
const FIRST_ATTEMPT: u64 = 20_000;

/// How many positions the first attempt may take to close a game for a question that looks only some plies ahead.
const FIRST_LOOK: u64 = 128;

/// How many positions may be closed for a question that rings can answer as well.
const CLOSED: u64 = 2_000_000;

/// The fast engine for any game.
pub struct Memo<'a> {
    game: Box<dyn Game + 'a>,
    graph: Graph<'a>,
    /// What was found depth first, where nothing else is asked than outcomes and ranks.
    descent: Option<Descent<'a>>,
    /// Whether that may be tried.
    may_descend: bool,
    /// How many positions were met by what was given up.
    descended: u64,
    remoteness: Ranks,
    own_moves: Ranks,
    nimbers: Nimbers,
    plays: PlayCounts,
    shortest: Shortest,
    longest: Longest,
    distances: Distances,
    outcome_walks: WalkCosts,
    full_walks: WalkCosts,
    /// What lies near single positions, once that is asked.
    near: Option<Sketch<'a>>,
    /// How many positions had been visited there when closing was tried last.
    near_before: u64,
    /// The same as regions, for a certificate.
    regions: Vec<Region>,
    near_share: Share<'a>,
    /// Rings round single positions, where the puzzle is too large to be closed.
    rings: Vec<Rings>,
    rings_share: Share<'a>,
    ring_positions: u64,
    /// How many positions may be closed before rings are tried; few, once that has failed.
    most_to_close: u64,
    /// How many positions the next attempt to close may take, and the work near by that must come before it.
    attempt: u64,
    scratch: Options,
    /// How many positions may be closed only to count what a walk would cost.
    most_to_count: u64,
    /// A position whose game took more memory than there is, so that it is not closed in vain again.
    too_large: Option<(Vec<i64>, Limit)>,
}

type Memoized<T> = Result<T, Halt>;

impl<'a> Memo<'a> {
    /// Knows nothing yet.
    pub fn new(game: Box<dyn Game + 'a>, budget: &'a Budget) -> Self {
        let graph = Graph::new(game.width(), budget);
        Self {
            game,
            graph,
            descent: None,
            may_descend: false,
            descended: 0,
            remoteness: Ranks::new(Ranking::Remoteness),
            own_moves: Ranks::new(Ranking::OwnMoves),
            nimbers: Nimbers::default(),
            plays: PlayCounts::default(),
            shortest: Shortest::default(),
            longest: Longest::default(),
            distances: Distances::default(),
            outcome_walks: WalkCosts::new(Sought::Outcome),
            full_walks: WalkCosts::new(Sought::Everything),
            near: None,
            near_before: 0,
            regions: Vec::new(),
            near_share: Share::new(budget),
            rings: Vec::new(),
            rings_share: Share::new(budget),
            ring_positions: 0,
            most_to_close: CLOSED,
            attempt: FIRST_LOOK,
            scratch: Options::default(),
            most_to_count: u64::MAX,
            too_large: None,
        }
    }

    /// The same, for games that are answered otherwise: what a walk costs is counted only where few positions are to be
    /// closed for it.
    #[must_use]
    pub fn counting_few(self) -> Self {
        Self { most_to_count: FIRST_ATTEMPT, ..self }
    }

    /// The same, for questions whose answers nobody checks by what is found here: of positions no more need be kept than
    /// their values, where these are all that is asked for.
    pub const fn unchecked(&mut self) {
        self.may_descend = true;
    }

    /// Packs positions in words from now on, if none has been looked at; where one does not fit, all go back to cells.
    pub fn pack(&mut self, packing: Packing) {
        if self.may_descend && self.graph.len() == 0 {
            self.descent = Some(Descent::new(packing.clone(), self.near_share.budget()));
        }
        self.graph.pack(packing);
    }

    /// Outcome and rank depth first, where no more than so many new positions are needed and it can be told so.
    fn descended(&mut self, position: &[i64], ranking: Ranking, most: u64) -> Memoized<Option<Descended>> {
        let Some(descent) = self.descent.as_mut().filter(|_| self.graph.len() == 0) else { return Ok(None) };
        let descended = descent.rank(self.game.as_mut(), position, ranking, most)?;
        if matches!(descended, Descended::Unfit) {
            self.descended += descent.met();
            self.descent = None;
            return Ok(None);
        }
        Ok(Some(descended))
    }

    /// The outcome depth first, where it can be told so.
    fn outcome_descended(&mut self, position: &[i64]) -> Memoized<Option<Outcome>> {
        let Some(descent) = self.descent.as_mut().filter(|_| self.graph.len() == 0) else { return Ok(None) };
        match descent.outcome(self.game.as_mut(), position)? {
            Descended::Known(value) => Ok(Some(value.get().map_or(Outcome::Draw, |(outcome, _)| outcome))),
            Descended::TooMany | Descended::Unfit => {
                self.descended += descent.met();
                self.descent = None;
                Ok(None)
            }
        }
    }

    /// How many positions have been closed.
    #[must_use]
    pub fn closed(&self) -> usize {
        self.graph.len()
    }

    /// Whether everything reachable from the position could be closed with no more than so many new positions; it is
    /// valued at once, where a ranking is told.
    ///
    /// # Errors
    ///
    /// A limit other than that. A rule error is left to whoever asks about the position.
    pub fn closes_within(&mut self, position: &[i64], most: u64, ranking: Option<Ranking>) -> Memoized<bool> {
        if let Some(ranking) = ranking
            && let Some(descended) = self.descended(position, ranking, most)?
        {
            return Ok(matches!(descended, Descended::Known(_)));
        }
        match self.graph.close(self.game.as_mut(), position, most) {
            Ok(_) => Ok(true),
            Err(Halt::Stop(stop)) if matches!(*stop, Stop::Rule(_)) => Ok(true),
            Err(Halt::Stop(stop)) if is_attempt(&stop) => {
                self.too_large = match *stop {
                    Stop::Limit(limit @ Limit::Memory(_)) => Some((position.to_vec(), limit)),
                    _ => None,
                };
                Ok(false)
            }
            Err(halt) => Err(halt),
        }
    }

    /// More memory is there than before.
    pub fn try_again(&mut self) {
        self.too_large = None;
    }

    /// How many positions were visited near single positions.
    fn near_visited(&self) -> u64 {
        self.near.as_ref().map_or(0, Sketch::visited)
    }

    /// The number of a position, once everything reachable from it is known.
    fn close(&mut self, position: &[i64]) -> Memoized<u32> {
        if let Some((_, limit)) = self.too_large.as_ref().filter(|(other, _)| other == position) {
            return Err((*limit).into());
        }
        self.graph.close(self.game.as_mut(), position, u64::MAX)
    }

    fn rank(&mut self, position: &[i64], ranking: Ranking) -> Memoized<Option<(Outcome, u32)>> {
        if let Some(Descended::Known(value)) = self.descended(position, ranking, u64::MAX)? {
            return Ok(value.get());
        }
        let number = self.close(position)?;
        let ranks = match ranking {
            Ranking::Remoteness => &mut self.remoteness,
            Ranking::OwnMoves => &mut self.own_moves,
        };
        ranks.sweep(&mut self.graph)?;
        Ok(ranks.get(number))
    }

    /// The number of a position, once everything reachable from it is known; none where that is too much for a question
    /// that rings can answer.
    fn close_or_ring(&mut self, position: &[i64]) -> Memoized<Option<u32>> {
        match self.graph.close(self.game.as_mut(), position, self.most_to_close) {
            Ok(number) => Ok(Some(number)),
            Err(Halt::Stop(stop)) if is_attempt(&stop) => {
                self.most_to_close = FIRST_ATTEMPT;
                Ok(None)
            }
            Err(halt) => Err(halt),
        }
    }

    /// The rings round a position, to the nearest goal or through everything.
    fn rings(&mut self, position: &[i64], to_goal: bool) -> Memoized<&mut Rings> {
        let at = self.rings_at(position, to_goal)?;
        Ok(&mut self.rings[at])
    }

    /// Their place.
    fn rings_at(&mut self, position: &[i64], to_goal: bool) -> Memoized<usize> {
        let fits = |rings: &Rings| match rings.reach() {
            _ if !rings.starts_at(position) => false,
            Reach::Goal => to_goal,
            Reach::NoGoal => true,
            Reach::Everything => !to_goal,
        };
        let known = self.rings.iter().position(fits);
        let at = match known {
            Some(at) => at,
            None => {
                let rings = self.search(position, to_goal)?;
                self.ring_positions += u64::try_from(rings.len()).unwrap_or(u64::MAX);
                self.rings.push(rings);
                self.rings.len() - 1
            }
        };
        Ok(at)
    }

    /// New rings; where there is no room for them beside the others, those are given up.
    fn search(&mut self, position: &[i64], to_goal: bool) -> Memoized<Rings> {
        let searched = Rings::search(self.game.as_mut(), position, to_goal, &mut self.rings_share);
        match searched {
            Err(Halt::Stop(stop)) if matches!(*stop, Stop::Limit(Limit::Memory(_))) && !self.rings.is_empty() => {
                self.rings.clear();
                self.rings_share.resize(0)?;
                Rings::search(self.game.as_mut(), position, to_goal, &mut self.rings_share)
            }
            searched => searched,
        }
    }

    /// Whether everything reachable from the position is known, or can cheaply be made known.
    fn closes(&mut self, position: &[i64]) -> Memoized<bool> {
        if self.graph.len() > 0 && self.graph.find(position).is_some() {
            return Ok(true);
        }
        if self.attempt > FIRST_LOOK && (self.near_visited() - self.near_before) / 4 < self.attempt {
            return Ok(false);
        }
        let closed = match self.looks_small(position) {
            Ok(true) => self.graph.close(self.game.as_mut(), position, self.attempt).map(|_| true),
            other => other,
        };
        let failed = |stop: &Stop| matches!(stop, Stop::Rule(_)) || is_attempt(stop);
        match closed {
            Ok(true) => Ok(true),
            Err(Halt::Stop(stop)) if !failed(&stop) => Err(Halt::Stop(stop)),
            Err(Halt::Missing) => Err(Halt::Missing),
            Ok(false) | Err(_) => {
                self.attempt = self.attempt.saturating_mul(4);
                self.near_before = self.near_visited();
                Ok(false)
            }
        }
    }

    /// Whether it may be tried to close a game of which no bounds are known. At first it is seen from what is near, which
    /// will be asked for where it is not.
    fn looks_small(&mut self, position: &[i64]) -> Memoized<bool> {
        if self.attempt > FIRST_LOOK || self.graph.is_packed() || self.graph.len() > 0 {
            return Ok(true);
        }
        let most = usize::try_from(FIRST_LOOK).unwrap_or(usize::MAX);
        let (graph, share) = (&self.graph, &self.near_share);
        let near = self.near.get_or_insert_with(|| Sketch::new(graph.none_yet(), Share::new(share.budget())));
        let few = near.reaches_few(self.game.as_mut(), position, most);
        if few.is_err() {
            self.near = None;
        }
        few
    }
}

fn is_attempt(stop: &Stop) -> bool {
    matches!(stop, Stop::Limit(Limit::Size(_) | Limit::Memory(_)))
}

fn class_of(rank: Option<(Outcome, u32)>) -> Option<Class> {
    rank.and_then(|(outcome, moves)| Ranked::new(outcome, moves).class())
}

impl Sight for Memo<'_> {
    fn options(&mut self, position: &[i64], options: &mut Options) -> Memoized<bool> {
        Ok(self.game.look(position, options)?.is_some())
    }

    fn outcome(&mut self, position: &[i64]) -> Memoized<Outcome> {
        match self.outcome_descended(position)? {
            Some(outcome) => Ok(outcome),
            None => Ok(self.rank(position, Ranking::Remoteness)?.map_or(Outcome::Draw, |(outcome, _)| outcome)),
        }
    }

    fn class_within(&mut self, position: &[i64], bound: Class) -> Memoized<Option<Class>> {
        if self.closes(position)? {
            return Ok(within(class_of(self.rank(position, Ranking::OwnMoves)?), bound));
        }
        let plies = match bound {
            Class::Win(moves) => moves.saturating_mul(2),
            Class::Loss(moves) => moves.saturating_mul(2).saturating_add(1),
        };
        let (graph, share) = (&self.graph, &self.near_share);
        let near = self.near.get_or_insert_with(|| Sketch::new(graph.none_yet(), Share::new(share.budget())));
        Ok(within(near.class(self.game.as_mut(), position, plies)?.class(), bound))
    }

    fn is_goal(&mut self, position: &[i64]) -> Memoized<bool> {
        self.game.is_goal(position)
    }

    fn quantity(&mut self, position: &[i64], quantity: Quantity) -> Memoized<Option<i64>> {
        Ok(match quantity {
            Quantity::Remoteness => self.rank(position, Ranking::Remoteness)?.map(|(_, plies)| i64::from(plies)),
            Quantity::Grundy => {
                let number = self.close(position)?;
                self.nimbers.sweep(&mut self.graph)?;
                self.nimbers.get(number).map(i64::from)
            }
            Quantity::Distance => {
                let Some(number) = self.close_or_ring(position)? else {
                    let rings = self.rings(position, true)?;
                    return Ok((rings.reach() == Reach::Goal).then(|| i64::from(rings.last())));
                };
                self.distances.sweep(&mut self.graph, self.game.as_mut())?;
                self.distances.get(number).map(i64::from)
            }
            Quantity::Moves => {
                self.game.look(position, &mut self.scratch)?;
                Some(i64::try_from(self.scratch.len()).unwrap_or(i64::MAX))
            }
        })
    }
}

impl Engine for Memo<'_> {
    fn budget(&self) -> Option<&Budget> {
        Some(self.near_share.budget())
    }

    fn class(&mut self, position: &[i64]) -> Memoized<Option<Class>> {
        Ok(class_of(self.rank(position, Ranking::OwnMoves)?))
    }

    fn plays(&mut self, position: &[i64]) -> Memoized<Option<Plays>> {
        let number = self.close(position)?;
        self.plays.sweep(&mut self.graph)?;
        Ok(self.plays.get(number))
    }

    fn shortest_play(&mut self, position: &[i64]) -> Memoized<Option<u32>> {
        let number = self.close(position)?;
        self.shortest.sweep(&mut self.graph)?;
        Ok(self.shortest.get(number))
    }

    fn longest_play(&mut self, position: &[i64]) -> Memoized<Option<u32>> {
        let number = self.close(position)?;
        self.longest.sweep(&mut self.graph)?;
        Ok(self.longest.get(number))
    }

    fn positions(&mut self, position: &[i64]) -> Memoized<u64> {
        let ranking = self.descent.as_ref().map_or(Ranking::Remoteness, Descent::ranking);
        if self.descended(position, ranking, self.most_to_close)?.is_some()
            && let Some(positions) = self.descent.as_ref().and_then(|descent| descent.reachable(position))
        {
            return Ok(positions);
        }
        match self.close_or_ring(position)? {
            Some(number) => self.graph.reachable(number),
            None => Ok(u64::try_from(self.rings(position, false)?.len()).unwrap_or(u64::MAX)),
        }
    }

    fn walk_cost(&mut self, position: &[i64], sought: Sought) -> Memoized<Option<u64>> {
        let number = match self.graph.close(self.game.as_mut(), position, self.most_to_count) {
            Ok(number) => number,
            // a walk through everything passes each position
            Err(Halt::Stop(stop)) if is_attempt(&stop) => {
                return Ok((sought == Sought::Everything).then_some(self.most_to_count));
            }
            Err(halt) => return Err(halt),
        };
        self.remoteness.sweep(&mut self.graph)?;
        let costs = match sought {
            Sought::Outcome => &mut self.outcome_walks,
            Sought::Everything => &mut self.full_walks,
        };
        costs.sweep(&mut self.graph, &self.remoteness)?;
        Ok(costs.get(number))
    }

    fn shortest_solutions(&mut self, position: &[i64]) -> Memoized<UBig> {
        let Some(number) = self.close_or_ring(position)? else {
            let at = self.rings_at(position, true)?;
            return self.rings[at].solutions(self.game.as_mut(), &mut self.rings_share);
        };
        self.distances.sweep(&mut self.graph, self.game.as_mut())?;
        Ok(self.distances.solutions_of(number))
    }

    fn farthest(&mut self, position: &[i64]) -> Memoized<u32> {
        match self.close_or_ring(position)? {
            Some(number) => self.graph.farthest(number),
            None => Ok(self.rings(position, false)?.last()),
        }
    }

    fn distance_within(&mut self, position: &[i64], most: i64) -> Memoized<Option<i64>> {
        for rings in &mut self.rings {
            let Some(known) = rings.on_way(self.game.as_mut(), position, &mut self.rings_share)? else { continue };
            // off the shortest ways the goal is farther than they are, and it is not known how far
            match known.map(i64::from) {
                Some(moves) => return Ok((moves <= most).then_some(moves)),
                None if most <= rings.left(position) => return Ok(None),
                None => {}
            }
        }
        Ok(self.quantity(position, Quantity::Distance)?.filter(|moves| *moves <= most))
    }

    fn claims(&mut self) -> Memoized<Option<Claims<'_>>> {
        let graph = &mut self.graph;
        // a kind of value that was asked of some positions is claimed of all
        for ranks in [&mut self.remoteness, &mut self.own_moves] {
            if !ranks.column().is_empty() {
                ranks.sweep(graph)?;
            }
        }
        if !self.nimbers.column().is_empty() {
            self.nimbers.sweep(graph)?;
        }
        if !self.plays.column().is_empty() {
            self.plays.sweep(graph)?;
        }
        if !self.shortest.column().is_empty() {
            self.shortest.sweep(graph)?;
        }
        if !self.distances.column().is_empty() {
            self.distances.sweep(graph, self.game.as_mut())?;
        }
        let loop_free = !(self.nimbers.column().is_empty() && self.plays.column().is_empty());
        if loop_free || !self.longest.column().is_empty() {
            self.longest.sweep(graph)?;
        }
        let mut asked = self.near.as_ref().map(Sketch::asked).unwrap_or_default();
        asked.sort_unstable();
        self.regions.clear();
        self.near_share.resize(0)?;
        for (position, plies) in asked {
            self.regions.push(near::region(self.game.as_mut(), &position, plies, &mut self.near_share)?);
        }
        Ok(Some(Claims {
            positions: self.graph.positions(),
            ends: self.graph.ends(),
            options: self.graph.all_options(),
            remoteness: self.remoteness.column(),
            own_moves: self.own_moves.column(),
            nimbers: self.nimbers.column(),
            plays: self.plays.column(),
            shortest: self.shortest.column(),
            longest: self.longest.column(),
            distances: self.distances.column(),
            solutions: self.distances.solutions(),
            regions: self.regions.iter().collect(),
            rings: self
                .rings
                .iter()
                .map(|rings| RingsClaim { positions: rings.positions(), ends: rings.ends(), reach: rings.reach() })
                .collect(),
            sum: self.game.width() == Width::Varied,
            parts: None,
            lines: None,
        }))
    }

    fn visited(&self) -> u64 {
        let descended = self.descended + self.descent.as_ref().map_or(0, Descent::met);
        u64::try_from(self.graph.len()).unwrap_or(u64::MAX) + descended + self.near_visited() + self.ring_positions
    }
}
