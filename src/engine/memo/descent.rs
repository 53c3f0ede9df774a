//! Outcomes and ranks depth first: of a position no more is kept than its word and its value.
//!
//! Most games are free of loops, and many questions ask for nothing else. Then a position needs no number and its options
//! need not be kept: it is valued as soon as its options are. Where this meets a loop, a rule error or a limit, it tells
//! nothing, and all is explored breadth first instead.
//!
//! Where no rule can fail, an outcome rests on no more than one lost option: what stands beside it is not looked at.

use crate::budget::{Budget, Limit, Share};
use crate::claims::{Key, is_own};
use crate::game::Game;
use crate::lang::Options;
use crate::position::{Packing, Place, Valued};
use crate::value::{Ranked, Ranking};

/// Games with more positions are explored breadth first: who searches them may want to hear soon of a rule error.
const MOST: u64 = 1 << 24;

/// After so many refusals one after the other, positions are no longer looked at as words.
const REFUSED: u32 = 64;

/// Instead of a value: the position is on the line that is being followed.
const ON_LINE: i32 = i32::MIN;

/// What is known of the positions met so far.
pub(super) struct Descent<'a> {
    packing: Packing,
    ranking: Ranking,
    values: Valued,
    /// Whether of some positions the outcome is known and not the rank.
    outcomes_only: bool,
    /// How many positions were met and forgotten.
    forgotten: u64,
    /// The first position that was asked about, and how many can be reached from there.
    first: Option<(u64, u64)>,
    line: Vec<Step>,
    /// The options that are not valued yet of the positions on the line, those of the last at the end.
    open: Vec<u64>,
    words: Vec<u64>,
    /// How many positions one after the other could not be looked at as words.
    refused: u32,
    position: Vec<i64>,
    options: Options,
    share: Share<'a>,
    /// How much memory was taken, in bytes.
    planned: usize,
    /// With how many positions it is to be asked for again, and for how much room on the line that was done.
    enough: usize,
    room: usize,
}

/// A position on the line.
struct Step {
    word: u64,
    place: Place,
    /// Where its options begin among the open ones.
    begin: usize,
    /// The best of those that are valued.
    best: i32,
}

/// Why it ended without a value.
enum Failed {
    /// This is not for it.
    Unfit,
    /// Nor is it, at a position that was just met and is not to count.
    Unlooked,
    /// A limit.
    Limit(Limit),
}

impl From<Limit> for Failed {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

/// What it came to.
pub(super) enum Descended {
    /// The value of the position.
    Known(Ranked),
    /// More than so many new positions would have been needed, and what was found was forgotten.
    TooMany,
    /// It cannot tell anything in this game.
    Unfit,
}

impl<'a> Descent<'a> {
    pub(super) fn new(packing: Packing, budget: &'a Budget) -> Self {
        Self {
            ranking: Ranking::Remoteness,
            outcomes_only: false,
            values: Valued::new(packing.lower()),
            planned: 0,
            enough: 0,
            room: 0,
            forgotten: 0,
            first: None,
            line: Vec::new(),
            open: Vec::new(),
            words: Vec::new(),
            refused: 0,
            position: Vec::new(),
            options: Options::default(),
            share: Share::new(budget),
            packing,
        }
    }

    /// How many positions have been met in all, those that were forgotten too.
    pub(super) fn met(&self) -> u64 {
        self.forgotten + u64::try_from(self.values.len()).unwrap_or(u64::MAX)
    }

    /// By which rank it tells positions, once it has met one.
    pub(super) const fn ranking(&self) -> Ranking {
        self.ranking
    }

    /// How many positions can be reached from this one, if it was the first.
    pub(super) fn reachable(&self, position: &[i64]) -> Option<u64> {
        let word = self.packing.pack(position)?;
        self.first.filter(|(first, _)| *first == word).map(|(_, positions)| positions)
    }

    /// Outcome and rank of a position, if no more than `most` new positions are needed.
    ///
    /// # Errors
    ///
    /// The limits of time and of a signal.
    pub(super) fn rank(
        &mut self,
        game: &mut dyn Game,
        position: &[i64],
        ranking: Ranking,
        most: u64,
    ) -> Result<Descended, Limit> {
        let Some(word) = self.packing.pack(position) else { return Ok(Descended::Unfit) };
        if self.outcomes_only {
            self.forget();
        }
        if ranking != self.ranking {
            // of both kinds of rank are asked: then it is better to know the options
            if !self.values.is_empty() {
                return Ok(Descended::Unfit);
            }
            self.ranking = ranking;
        }
        if let Some(value) = self.values.get(word) {
            return Ok(Descended::Known(value.ranked()));
        }
        let before = self.values.len();
        let most = u64::try_from(before).unwrap_or(u64::MAX).saturating_add(most).min(MOST);
        self.enough = self.enough.min(usize::try_from(most).unwrap_or(usize::MAX));
        let found = if is_own(ranking) {
            self.descend::<true, false>(game, word, most)
        } else {
            self.descend::<false, false>(game, word, most)
        };
        if found.is_ok() && before == 0 {
            self.first = Some((word, u64::try_from(self.values.len()).unwrap_or(u64::MAX)));
        }
        self.told(found, most)
    }

    /// The outcome of a position, with some rank that says nothing.
    ///
    /// # Errors
    ///
    /// The limits of time and of a signal.
    pub(super) fn outcome(&mut self, game: &mut dyn Game, position: &[i64]) -> Result<Descended, Limit> {
        if !game.never_fails(&self.packing) {
            return self.rank(game, position, self.ranking, u64::MAX);
        }
        let Some(word) = self.packing.pack(position) else { return Ok(Descended::Unfit) };
        if let Some(value) = self.values.get(word) {
            return Ok(Descended::Known(value.ranked()));
        }
        self.outcomes_only = true;
        let found = self.descend::<false, true>(game, word, MOST);
        self.told(found, MOST)
    }

    /// What the value of a position comes to.
    fn told(&mut self, found: Result<i32, Failed>, most: u64) -> Result<Descended, Limit> {
        match found {
            Ok(value) => Ok(Descended::Known(value.ranked())),
            Err(Failed::Limit(limit @ (Limit::Time | Limit::Interrupted))) => {
                self.forget();
                Err(limit)
            }
            Err(Failed::Limit(Limit::Size(_))) if most < MOST => {
                self.forget();
                Ok(Descended::TooMany)
            }
            Err(failed) => {
                self.forget();
                self.forgotten -= u64::from(matches!(failed, Failed::Unlooked));
                Ok(Descended::Unfit)
            }
        }
    }

    /// Forgets all, and frees it.
    fn forget(&mut self) {
        self.forgotten = self.met();
        self.values = Valued::new(self.packing.lower());
        (self.planned, self.enough) = (0, 0);
        self.outcomes_only = false;
        self.first = None;
        self.line.clear();
        self.open.clear();
        // taking less than before does not fail, unless the run is to stop, which shows soon enough
        let _ = self.share.resize(0);
    }

    /// The value of a position. `OUTCOME`: of a win no more is wanted than one lost option.
    fn descend<const OWN: bool, const OUTCOME: bool>(
        &mut self,
        game: &mut dyn Game,
        word: u64,
        most: u64,
    ) -> Result<i32, Failed> {
        let mut last = self.meet::<OUTCOME>(game, word, most)?;
        while let Some(step) = self.line.last_mut() {
            step.best = step.best.min(last);
            if self.open.len() == step.begin || OUTCOME && step.best.is_lost() {
                self.open.truncate(step.begin);
                last = step.best.back::<OWN, true>();
                self.values.set(step.word, step.place, last);
                self.line.pop();
                continue;
            }
            last = match self.open.pop() {
                Some(option) => self.meet::<OUTCOME>(game, option, most)?,
                None => i32::NONE,
            };
        }
        Ok(last)
    }

    /// The value of a position, if it is known or the position is over; else it is put on the line with its options.
    fn meet<const OUTCOME: bool>(&mut self, game: &mut dyn Game, word: u64, most: u64) -> Result<i32, Failed> {
        self.share.budget().check()?;
        if self.values.len() >= self.enough || self.line.capacity() + self.open.capacity() > self.room {
            match self.values.get(word) {
                None => {
                    self.make_room(most)?;
                    let place = self.values.insert(word, ON_LINE);
                    return self.enter::<OUTCOME>(game, word, place);
                }
                Some(ON_LINE) => return Err(Failed::Unfit),
                Some(value) => return Ok(value),
            }
        }
        match self.values.meet(word, ON_LINE) {
            (place, None) => self.enter::<OUTCOME>(game, word, place),
            (_, Some(ON_LINE)) => Err(Failed::Unfit),
            (_, Some(value)) => Ok(value),
        }
    }

    /// Looks at a new position: its value if it is over, else it is put on the line with its options.
    fn enter<const OUTCOME: bool>(&mut self, game: &mut dyn Game, word: u64, place: Place) -> Result<i32, Failed> {
        self.words.clear();
        let packed = if self.refused < REFUSED {
            game.look_packed(word, &self.packing, &mut self.words, &mut self.position)
        } else {
            self.packing.unpack(word, &mut self.position);
            None
        };
        let over = match packed {
            Some(over) => {
                self.refused = 0;
                over
            }
            None => {
                self.refused = self.refused.saturating_add(1);
                self.words.clear();
                let over = game.look(&self.position, &mut self.options).map_err(|_| Failed::Unlooked)?;
                for (_, option) in self.options.iter() {
                    let option = self.packing.pack_like(option, &self.position, word).ok_or(Failed::Unlooked)?;
                    self.words.push(option);
                }
                over
            }
        };
        if let Some(outcome) = over {
            let value = i32::over(outcome);
            self.values.set(word, place, value);
            return Ok(value);
        }
        let (begin, open) = (self.open.len(), &mut self.open);
        let mut best = i32::NONE;
        self.values.get_all(&self.words, (word, place), |option, value| {
            match value {
                None => open.push(option),
                Some(ON_LINE) => return Err(Failed::Unfit),
                Some(value) => best = best.min(value),
            }
            Ok(())
        })?;
        if OUTCOME && best.is_lost() {
            self.open.truncate(begin);
            let value = best.back::<false, true>();
            self.values.set(word, place, value);
            return Ok(value);
        }
        self.line.push(Step { word, place, begin, best });
        Ok(i32::NONE)
    }

    /// Takes memory before the table grows, and stops where the run is to stop.
    fn make_room(&mut self, most: u64) -> Result<(), Failed> {
        let budget = self.share.budget();
        let positions = u64::try_from(self.values.len()).unwrap_or(u64::MAX);
        if positions >= most {
            return Err(Limit::Size(most).into());
        }
        self.enough = self.values.words_before_growth().min(usize::try_from(most).unwrap_or(usize::MAX));
        self.room = self.line.capacity() + self.open.capacity();
        let line = self.line.capacity() * size_of::<Step>() + self.open.capacity() * 8;
        let need = self.values.bytes_to_grow() + line;
        if need > self.planned {
            budget.looked_at(positions);
            // some more, so that it is not asked for at each position
            self.planned = need + need / 4;
            self.share.resize(u64::try_from(self.planned).unwrap_or(u64::MAX))?;
        }
        Ok(())
    }
}
