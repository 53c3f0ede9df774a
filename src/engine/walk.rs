//! The naive walker: each value by its recursive definition, position by position, with no memory of what was seen.
//!
//! It stops early where a move decides. A position repeated on the current line of play counts as a draw, which without
//! memory gives the right value at the root: a player who can force a win can do so along falling ranks, never
//! repeating. It gives up openly at its limits. This is the yardstick of correctness, so it is kept plain.

use std::collections::HashSet;
use std::mem;

use dashu_int::UBig;

use super::Engine;
use crate::budget::{Budget, Limit};
use crate::game::Game;
use crate::lang::tree::Quantity;
use crate::lang::{Halt, Options, Sight};
use crate::position::{Line, Listed};
use crate::value::{Class, Outcome, Plays, Ranking, mex};

/// The depth in plies at which the walker stops, as at any limit.
pub const DEPTH_LIMIT: usize = 200_000;

/// After how many positions the budget is looked at.
const PAUSE: u64 = 256;

/// The stack for that depth, in bytes; it is reserved, and used only as far as a walk goes.
const STACK: usize = 1 << 30;

/// What may be used of it before a walk begins.
const SPARE: usize = 1 << 24;

/// Runs something that goes deep on a stack of its own, unless there is one already.
pub fn on_own_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(STACK, STACK + SPARE, work)
}

/// Walks a game; made anew for each question.
#[derive(Debug)]
pub struct Walker<'a, G> {
    game: G,
    listed: Listed,
    room: Room,
    /// Whether a position may be over and won for the player to move.
    may_have_won: bool,
    /// The plays counted so far that nobody wins.
    drawn: u64,
    /// How many positions may be visited before the budget is looked at, how many after that, and how many in all.
    left: u64,
    later: u64,
    limit: u64,
    budget: &'a Budget,
}

/// Room for the options of the positions on a line, kept for the next line.
#[derive(Debug, Default)]
struct Room {
    options: Options,
    /// Where to go on for the other options, if these are not all.
    more: usize,
    next: Option<Box<Room>>,
}

impl Drop for Room {
    /// One after the other: the rooms may lie deeper than the stack.
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut room) = next {
            next = room.next.take();
        }
    }
}

type Walk<T> = Result<T, Halt>;

impl<'a, G: Game> Walker<'a, G> {
    /// A walker that may visit `limit` positions.
    pub fn new(game: G, limit: u64, budget: &'a Budget) -> Self {
        let may_have_won = game.mover_may_have_won();
        let (listed, room) = (Listed::default(), Room::default());
        Self { game, listed, room, may_have_won, drawn: 0, left: 0, later: limit, limit, budget }
    }

    /// Walks from a position, with an empty line.
    fn walk<T>(&mut self, walk: impl FnOnce(&mut Self, &Line<'_>, &mut Room) -> Walk<T>) -> Walk<T> {
        self.budget.check()?;
        let mut room = mem::take(&mut self.room);
        let value = walk(self, &Line::default(), &mut room);
        self.room = room;
        if value.is_err() {
            self.listed.keep(0);
        }
        value
    }

    /// Counts a position that is visited.
    #[inline(always)]
    fn visit(&mut self) -> Walk<()> {
        if self.left == 0 {
            self.pause()?;
        }
        self.left -= 1;
        Ok(())
    }

    /// Looks at the budget, and for how long it need not be looked at again.
    #[cold]
    fn pause(&mut self) -> Walk<()> {
        self.budget.check()?;
        self.budget.looked_at(self.visited());
        if self.later == 0 {
            return Err(Limit::Walk(self.limit).into());
        }
        self.left = self.later.min(PAUSE);
        self.later -= self.left;
        Ok(())
    }

    /// Looks at a position, within the limits: its outcome if it is terminal, else its options.
    #[inline(always)]
    fn look(&mut self, position: &[i64], room: &mut Room) -> Walk<Option<Outcome>> {
        self.visit()?;
        room.more = usize::MAX;
        self.game.look(position, &mut room.options)
    }

    /// The same for a walk that may not need all options: they are read move by move.
    #[inline(always)]
    fn look_move_by_move(&mut self, position: &[i64], room: &mut Room) -> Walk<Option<Outcome>> {
        self.visit()?;
        let (over, more) = self.game.look_at_some(position, &mut room.options)?;
        room.more = more;
        Ok(over)
    }

    /// The same for a walk that ends there and needs no option.
    #[inline(always)]
    fn look_at_last(&mut self, position: &[i64], room: &mut Room) -> Walk<Option<Outcome>> {
        self.visit()?;
        self.game.over(position, &mut room.options)
    }

    /// Calls `inside` for each option of a position that is not over, as long as it says so.
    #[inline(always)]
    fn each_option(
        &mut self,
        position: &[i64],
        plies: usize,
        room: &mut Room,
        mut inside: impl FnMut(&mut Self, &[i64], &mut Room) -> Walk<bool>,
    ) -> Walk<()> {
        if plies >= DEPTH_LIMIT {
            return Err(Limit::Depth(DEPTH_LIMIT).into());
        }
        let Room { options, more, next } = room;
        let next = next.get_or_insert_default();
        loop {
            for (_, option) in options.iter() {
                if !inside(self, option, next)? {
                    return Ok(());
                }
            }
            if *more == usize::MAX {
                return Ok(());
            }
            *more = self.game.more(position, options, *more)?;
            if options.is_empty() {
                return Ok(());
            }
        }
    }

    /// The same for a walk that must know which positions are on its line.
    #[inline]
    fn options_on_line(
        &mut self,
        position: &[i64],
        line: &Line<'_>,
        room: &mut Room,
        mut inside: impl FnMut(&mut Self, &[i64], &Line<'_>, &mut Room) -> Walk<bool>,
    ) -> Walk<()> {
        let here = line.with(position);
        self.each_option(position, here.len(), room, |walker, option, room| inside(walker, option, &here, room))?;
        self.listed.keep(line.len());
        Ok(())
    }

    /// Win if some option is a loss, loss if every option is a win, draw if neither.
    fn walk_outcome(&mut self, position: &[i64], line: &Line<'_>, room: &mut Room) -> Walk<Outcome> {
        if line.contains(position, &mut self.listed) {
            return Ok(Outcome::Draw);
        }
        if let Some(outcome) = self.look_move_by_move(position, room)? {
            return Ok(outcome);
        }
        let mut best = Outcome::Loss;
        self.options_on_line(position, line, room, |walker, option, line, room| {
            match walker.walk_outcome(option, line, room)? {
                Outcome::Loss => best = Outcome::Win,
                Outcome::Draw => best = Outcome::Draw,
                Outcome::Win => {}
            }
            Ok(best != Outcome::Win)
        })?;
        Ok(best)
    }

    /// Win or loss with its rank: the least before a loss, the greatest before wins. None for a draw.
    fn walk_rank(
        &mut self,
        position: &[i64],
        line: &Line<'_>,
        room: &mut Room,
        ranking: Ranking,
    ) -> Walk<Option<(Outcome, u32)>> {
        if line.contains(position, &mut self.listed) {
            return Ok(None);
        }
        match self.look(position, room)? {
            Some(Outcome::Draw) => return Ok(None),
            Some(outcome) => return Ok(Some((outcome, 0))),
            None => {}
        }
        let (mut quickest, mut slowest, mut drawn) = (None, 0, false);
        self.options_on_line(position, line, room, |walker, option, line, room| {
            match walker.walk_rank(option, line, room, ranking)? {
                Some((Outcome::Loss, rank)) => {
                    let rank = ranking.before_loss(rank);
                    quickest = Some(quickest.map_or(rank, |quickest: u32| quickest.min(rank)));
                }
                Some((_, rank)) => slowest = slowest.max(ranking.before_win(rank)),
                None => drawn = true,
            }
            Ok(true)
        })?;
        Ok(match quickest {
            Some(rank) => Some((Outcome::Win, rank)),
            None if drawn => None,
            None => Some((Outcome::Loss, slowest)),
        })
    }

    /// Whether the player to move has won already; where the last mover always wins, he never has.
    #[inline(always)]
    fn has_won(&mut self, position: &[i64], room: &mut Room) -> Walk<bool> {
        Ok(self.may_have_won && self.look_at_last(position, room)? == Some(Outcome::Win))
    }

    /// Whether the player to move can force a win making at most `moves` moves of his own, after so many plies.
    fn wins_within(&mut self, position: &[i64], plies: usize, room: &mut Room, moves: u32) -> Walk<bool> {
        if moves == 0 {
            return self.has_won(position, room);
        }
        if let Some(outcome) = self.look_move_by_move(position, room)? {
            return Ok(outcome == Outcome::Win);
        }
        let mut wins = false;
        self.each_option(position, plies + 1, room, |walker, option, room| {
            wins = walker.loses_within(option, plies + 1, room, moves - 1)?;
            Ok(!wins)
        })?;
        Ok(wins)
    }

    /// Whether the opponent of the player to move can force a win making at most `moves` moves of his own.
    fn loses_within(&mut self, position: &[i64], plies: usize, room: &mut Room, moves: u32) -> Walk<bool> {
        if moves == 0 && !self.may_have_won {
            // no option of a position that is not over is won already
            return Ok(self.look_at_last(position, room)? == Some(Outcome::Loss));
        }
        if let Some(outcome) = self.look_move_by_move(position, room)? {
            return Ok(outcome == Outcome::Loss);
        }
        let mut loses = true;
        self.each_option(position, plies + 1, room, |walker, option, room| {
            loses = match moves {
                0 => walker.has_won(option, room)?,
                _ => walker.wins_within(option, plies + 1, room, moves)?,
            };
            Ok(loses)
        })?;
        Ok(loses)
    }

    /// The mex of the options' values; none where play need not end.
    fn walk_grundy(&mut self, position: &[i64], line: &Line<'_>, room: &mut Room) -> Walk<Option<u32>> {
        if line.contains(position, &mut self.listed) {
            return Ok(None);
        }
        if self.look(position, room)?.is_some() {
            return Ok(Some(0));
        }
        // the values below 64 as bits, and the others
        let (mut small, mut large, mut ends) = (0_u64, Vec::new(), true);
        self.options_on_line(position, line, room, |walker, option, line, room| {
            match walker.walk_grundy(option, line, room)? {
                Some(value) if value < u64::BITS => small |= 1 << value,
                Some(value) => large.push(value - u64::BITS),
                None => ends = false,
            }
            Ok(ends)
        })?;
        let least = match small.trailing_ones() {
            u64::BITS => u64::BITS + mex(large),
            least => least,
        };
        Ok(ends.then_some(least))
    }

    /// One play at a terminal position, else those of the options; missing where play need not end. What the mover wins
    /// at an option is lost to the player who moved there. Each play has a visit of its own, so that the counts fit.
    #[inline(always)]
    fn walk_plays(
        &mut self,
        position: &[i64],
        line: &Line<'_>,
        room: &mut Room,
        won: &mut u64,
        lost: &mut u64,
    ) -> Walk<()> {
        if line.contains(position, &mut self.listed) {
            return Err(Halt::Missing);
        }
        match self.look(position, room)? {
            Some(Outcome::Win) => *won += 1,
            Some(Outcome::Loss) => *lost += 1,
            Some(Outcome::Draw) => self.drawn += 1,
            None => self.plays_on(position, line, room, won, lost)?,
        }
        Ok(())
    }

    fn plays_on(
        &mut self,
        position: &[i64],
        line: &Line<'_>,
        room: &mut Room,
        won: &mut u64,
        lost: &mut u64,
    ) -> Walk<()> {
        self.options_on_line(position, line, room, |walker, option, line, room| {
            walker.walk_plays(option, line, room, lost, won).map(|()| true)
        })
    }

    /// One more than the shortest over the options.
    fn walk_shortest(&mut self, position: &[i64], line: &Line<'_>, room: &mut Room) -> Walk<Option<u32>> {
        if line.contains(position, &mut self.listed) {
            return Ok(None);
        }
        if self.look(position, room)?.is_some() {
            return Ok(Some(0));
        }
        let mut shortest: Option<u32> = None;
        self.options_on_line(position, line, room, |walker, option, line, room| {
            if let Some(plies) = walker.walk_shortest(option, line, room)? {
                shortest = Some(shortest.map_or(plies + 1, |shortest| shortest.min(plies + 1)));
            }
            Ok(true)
        })?;
        Ok(shortest)
    }

    /// One more than the longest over the options; none where play need not end.
    fn walk_longest(&mut self, position: &[i64], line: &Line<'_>, room: &mut Room) -> Walk<Option<u32>> {
        if line.contains(position, &mut self.listed) {
            return Ok(None);
        }
        if self.look(position, room)?.is_some() {
            return Ok(Some(0));
        }
        let mut longest = Some(0);
        self.options_on_line(position, line, room, |walker, option, line, room| {
            longest = match (walker.walk_longest(option, line, room)?, longest) {
                (Some(plies), Some(longest)) => Some(longest.max(plies + 1)),
                _ => None,
            };
            Ok(longest.is_some())
        })?;
        Ok(longest)
    }

    /// Whether a goal is exactly so many moves away on some line; `cut` notes that lines go on beyond.
    fn walk_to_goal(
        &mut self,
        position: &[i64],
        line: &Line<'_>,
        room: &mut Room,
        moves: u32,
        cut: &mut bool,
    ) -> Walk<UBig> {
        if line.contains(position, &mut self.listed) {
            return Ok(UBig::ZERO);
        }
        self.look(position, room)?;
        if moves == 0 {
            *cut = *cut || !room.options.is_empty();
            return Ok(UBig::from(u8::from(self.game.is_goal(position)?)));
        }
        let mut ways = UBig::ZERO;
        self.options_on_line(position, line, room, |walker, option, line, room| {
            ways += walker.walk_to_goal(option, line, room, moves - 1, cut)?;
            Ok(true)
        })?;
        Ok(ways)
    }

    /// The least number of moves to a goal and how many lines attain it: 0 moves, 1 move, 2 moves, … until a goal is
    /// met or no line goes on. A shortest line passes no position twice.
    fn walk_solution(&mut self, position: &[i64]) -> Walk<Option<(u32, UBig)>> {
        for moves in 0.. {
            let mut cut = false;
            let ways = self.walk(|walker, line, room| walker.walk_to_goal(position, line, room, moves, &mut cut))?;
            if ways != UBig::ZERO {
                return Ok(Some((moves, ways)));
            }
            if !cut {
                break;
            }
        }
        Ok(None)
    }

    /// Collects the positions at most so many moves away. The set only counts.
    fn walk_within(
        &mut self,
        position: &[i64],
        line: &Line<'_>,
        room: &mut Room,
        moves: u32,
        met: &mut HashSet<Vec<i64>>,
    ) -> Walk<()> {
        if line.contains(position, &mut self.listed) {
            return Ok(());
        }
        if !met.contains(position) {
            met.insert(position.to_vec());
        }
        if self.look(position, room)?.is_some() || moves == 0 {
            return Ok(());
        }
        self.options_on_line(position, line, room, |walker, option, line, room| {
            walker.walk_within(option, line, room, moves - 1, met).map(|()| true)
        })
    }

    /// Collects every position met. The set only counts; the walk goes through each line of play all the same.
    fn walk_positions(
        &mut self,
        position: &[i64],
        line: &Line<'_>,
        room: &mut Room,
        met: &mut HashSet<Vec<i64>>,
    ) -> Walk<()> {
        if line.contains(position, &mut self.listed) {
            return Ok(());
        }
        if !met.contains(position) {
            met.insert(position.to_vec());
        }
        if self.look(position, room)?.is_some() {
            return Ok(());
        }
        self.options_on_line(position, line, room, |walker, option, line, room| {
            walker.walk_positions(option, line, room, met).map(|()| true)
        })
    }
}

impl<G: Game> Sight for Walker<'_, G> {
    fn options(&mut self, position: &[i64], options: &mut Options) -> Walk<bool> {
        self.visit()?;
        Ok(self.game.look(position, options)?.is_some())
    }

    fn outcome(&mut self, position: &[i64]) -> Walk<Outcome> {
        self.walk(|walker, line, room| walker.walk_outcome(position, line, room))
    }

    fn class_within(&mut self, position: &[i64], bound: Class) -> Walk<Option<Class>> {
        // first whether it is within the bound at all, then how far
        let mut class = None;
        for moves in (0..=bound.moves()).rev() {
            let holds = match bound {
                Class::Win(_) => self.walk(|walker, _, room| walker.wins_within(position, 0, room, moves))?,
                Class::Loss(_) => self.walk(|walker, _, room| walker.loses_within(position, 0, room, moves))?,
            };
            if !holds {
                break;
            }
            class = Some(match bound {
                Class::Win(_) => Class::Win(moves),
                Class::Loss(_) => Class::Loss(moves),
            });
        }
        Ok(class)
    }

    fn is_goal(&mut self, position: &[i64]) -> Walk<bool> {
        self.game.is_goal(position)
    }

    fn quantity(&mut self, position: &[i64], quantity: Quantity) -> Walk<Option<i64>> {
        Ok(match quantity {
            Quantity::Distance => self.walk_solution(position)?.map(|(moves, _)| i64::from(moves)),
            Quantity::Remoteness => self
                .walk(|walker, line, room| walker.walk_rank(position, line, room, Ranking::Remoteness))?
                .map(|(_, plies)| i64::from(plies)),
            Quantity::Grundy => {
                self.walk(|walker, line, room| walker.walk_grundy(position, line, room))?.map(i64::from)
            }
            Quantity::Moves => {
                let mut options = Options::default();
                self.options(position, &mut options)?;
                Some(i64::try_from(options.len()).unwrap_or(i64::MAX))
            }
        })
    }
}

impl<G: Game> Engine for Walker<'_, G> {
    fn budget(&self) -> Option<&Budget> {
        Some(self.budget)
    }

    fn class(&mut self, position: &[i64]) -> Walk<Option<Class>> {
        let ranked = self.walk(|walker, line, room| walker.walk_rank(position, line, room, Ranking::OwnMoves))?;
        Ok(ranked.map(|(outcome, moves)| match outcome {
            Outcome::Win => Class::Win(moves),
            _ => Class::Loss(moves),
        }))
    }

    fn plays(&mut self, position: &[i64]) -> Walk<Option<Plays>> {
        let (mut won, mut lost) = (0, 0);
        self.drawn = 0;
        match self.walk(|walker, line, room| walker.walk_plays(position, line, room, &mut won, &mut lost)) {
            Err(Halt::Missing) => return Ok(None),
            walked => walked?,
        }
        let [won, lost, drawn] = [won, lost, self.drawn].map(UBig::from);
        Ok(Some(Plays { total: &won + &lost + drawn, won, lost }))
    }

    fn shortest_play(&mut self, position: &[i64]) -> Walk<Option<u32>> {
        self.walk(|walker, line, room| walker.walk_shortest(position, line, room))
    }

    fn longest_play(&mut self, position: &[i64]) -> Walk<Option<u32>> {
        self.walk(|walker, line, room| walker.walk_longest(position, line, room))
    }

    fn positions(&mut self, position: &[i64]) -> Walk<u64> {
        let mut met = HashSet::new();
        self.walk(|walker, line, room| walker.walk_positions(position, line, room, &mut met))?;
        Ok(u64::try_from(met.len()).unwrap_or(u64::MAX))
    }

    fn shortest_solutions(&mut self, position: &[i64]) -> Walk<UBig> {
        Ok(self.walk_solution(position)?.map_or(UBig::ZERO, |(_, ways)| ways))
    }

    /// The number of moves from which on no further position is met.
    fn farthest(&mut self, position: &[i64]) -> Walk<u32> {
        let (mut moves, mut before) = (0, 1);
        loop {
            let mut met = HashSet::new();
            self.walk(|walker, line, room| walker.walk_within(position, line, room, moves + 1, &mut met))?;
            if met.len() == before {
                return Ok(moves);
            }
            before = met.len();
            moves += 1;
        }
    }

    fn visited(&self) -> u64 {
        self.limit - self.left - self.later
    }
}
