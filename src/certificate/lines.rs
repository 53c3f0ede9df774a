//! Dense positions: every one is held against its options, which lie on the lines as well or are over.

use super::{Refusal, ranked, told};
use crate::budget::Budget;
use crate::claims::{Keys, LinesClaim};
use crate::game::{Game, Reference, shown};
use crate::lang::tree::Rules;
use crate::lang::{Halt, Options, Stop};
use crate::parallel;
use crate::position::{Axis, Lines};
use crate::value::{Outcome, Ranked, Ranking};

/// Holds the claims of all lines against the rules.
pub(super) fn check(claim: &LinesClaim<'_>, rules: &Rules, budget: &Budget) -> Result<(), Refusal> {
    check_shape(claim, rules)?;
    let rows = claim.lines.rows();
    parallel::stretches(claim.lines.len(), |range| {
        let mut desk = Desk { game: Reference::new(rules), found: Options::default(), position: Vec::new(), rules };
        let mut row = claim.lines.row_at(range.start);
        for place in range {
            while rows[row].start + rows[row].len() <= place {
                row += 1;
            }
            if place.is_multiple_of(1024) {
                budget.check().map_err(Refusal::Limit)?;
                budget.looked_at(u64::try_from(place).unwrap_or(u64::MAX));
            }
            desk.position.resize(claim.lines.width(), 0);
            claim.lines.read_row(row, &mut desk.position);
            let along = rows[row].low + i64::try_from(place - rows[row].start).unwrap_or(0);
            desk.position[claim.lines.inner().coordinate] = along;
            desk.check(claim, place)?;
        }
        Ok(())
    })
}

/// The axes are those of the positions, each once; the rows are as many, and within the last axis.
fn check_shape(claim: &LinesClaim<'_>, rules: &Rules) -> Result<(), Refusal> {
    let lines = claim.lines;
    let whole = |reason: &str| Err(Refusal::Whole(reason.to_owned()));
    let mut axes: Vec<Axis> = lines.outer().to_vec();
    axes.push(lines.inner());
    axes.sort_by_key(|axis| axis.coordinate);
    let all = axes.iter().enumerate().all(|(at, axis)| axis.coordinate == at && axis.size().is_some());
    if !all || axes.len() != rules.width() || rules.puzzle || rules.splits() {
        return whole("its lines are not those of the problem's positions");
    }
    if lines.rows_in_all() != Some(lines.rows().len()) {
        return whole("its lines are not as many as its bounds say");
    }
    let inner = lines.inner();
    let fits = |low: i64, len: u32| {
        len == 0 || low >= inner.low && i128::from(low) + i128::from(len) - 1 <= i128::from(inner.high)
    };
    if !lines.rows().iter().all(|row| fits(row.low, row.len)) {
        return whole("one of its lines goes beyond its bounds");
    }
    let lengths = [claim.remoteness, claim.own_moves].into_iter().flatten().map(Keys::len);
    if lengths.into_iter().any(|length| length != lines.len()) {
        return whole("its columns differ in length");
    }
    Ok(())
}

/// What one thread works with.
struct Desk<'a> {
    rules: &'a Rules,
    game: Reference<'a>,
    found: Options,
    position: Vec<i64>,
}

impl Desk<'_> {
    fn check(&mut self, claim: &LinesClaim<'_>, place: usize) -> Result<(), Refusal> {
        if self.rules.turn.is_some_and(|turn| !matches!(self.position[turn], 1 | 2)) {
            return Err(self.refuse("neither player is to move".to_owned()));
        }
        let over = self.look()?;
        let found = std::mem::take(&mut self.found);
        let mut options = Vec::with_capacity(found.len());
        for (_, option) in found.iter() {
            options.push(self.option(claim.lines, option)?);
        }
        self.found = found;
        for (ranking, keys, name) in [
            (Ranking::Remoteness, claim.remoteness, "remoteness"),
            (Ranking::OwnMoves, claim.own_moves, "the winner's own moves"),
        ] {
            let Some(keys) = keys else { continue };
            let worth = |option: &Place| match option {
                Place::Listed(place) => keys.ranked(*place),
                Place::Over(outcome) => Ranked::new(*outcome, 0),
            };
            let (claimed, right) = (keys.ranked(place), ranked(ranking, over, options.iter().map(worth)));
            if claimed != right {
                return Err(self.refuse(format!("{name} is claimed as {}, not {}", told(claimed), told(right))));
            }
        }
        Ok(())
    }

    fn look(&mut self) -> Result<Option<Outcome>, Refusal> {
        let Self { game, found, position, .. } = self;
        game.look(position, found).map_err(|halt| self.halted(halt))
    }

    /// Where an option is, or who has won there.
    fn option(&mut self, lines: &Lines, option: &[i64]) -> Result<Place, Refusal> {
        if let Some(place) = lines.find_surely(option) {
            return Ok(Place::Listed(place));
        }
        let mut beyond = Options::default();
        match self.game.look(option, &mut beyond).map_err(|halt| self.halted(halt))? {
            Some(outcome) => Ok(Place::Over(outcome)),
            None => Err(self.refuse(format!("a move leads to {}, which is not listed", shown(self.rules, option)))),
        }
    }

    fn halted(&self, halt: Halt) -> Refusal {
        match halt {
            Halt::Stop(stop) => match *stop {
                Stop::Rule(error) => self.refuse(format!("a rule error: {}", error.fault)),
                Stop::Limit(limit) => Refusal::Limit(limit),
            },
            Halt::Missing => self.refuse("a value is missing".to_owned()),
        }
    }

    fn refuse(&self, reason: String) -> Refusal {
        Refusal::At { position: shown(self.rules, &self.position), reason }
    }
}

enum Place {
    Listed(usize),
    Over(Outcome),
}

/// What is claimed of a position; none, where nothing is. A position off the lines may be over.
pub(super) fn worth(
    claim: &LinesClaim<'_>,
    ranking: Ranking,
    position: &[i64],
    game: &mut Reference<'_>,
) -> Result<Option<Ranked>, Halt> {
    let keys = match ranking {
        Ranking::Remoteness => claim.remoteness,
        Ranking::OwnMoves => claim.own_moves,
    };
    let Some(keys) = keys else { return Ok(None) };
    if let Some(place) = claim.lines.find_surely(position) {
        return Ok(Some(keys.ranked(place)));
    }
    let mut options = Options::default();
    Ok(game.look(position, &mut options)?.map(|outcome| Ranked::new(outcome, 0)))
}
