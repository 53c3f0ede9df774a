//! Asks about first moves: `winning moves`, `count winning moves`, `a winning move`.

use super::read::Reading;
use super::{Answer, Ask, Fast, FirstMove, Naive, Shape, Topic, boxed};
use crate::engine::{Sought, WinningMoves};
use crate::faults::{Wrong, planted};
use crate::game::shown;
use crate::lang::tree::Rules;
use crate::lang::{Halt, Options, Parsed};
use crate::value::Outcome;

/// The forms of this family.
pub(super) const FORMS: &[&str] = &["winning moves", "count winning moves", "a winning move"];

#[derive(Clone, Copy, Debug)]
enum FirstMoves {
    All,
    Count,
    Any,
}

pub(super) fn read(reading: &mut Reading<'_, '_>) -> Option<Parsed<Box<dyn Ask>>> {
    const WORDS: [(&str, FirstMoves); 3] = [
        ("winning moves", FirstMoves::All),
        ("count winning moves", FirstMoves::Count),
        ("a winning move", FirstMoves::Any),
    ];
    let (span, words, ask) = reading.one_of(&WORDS)?;
    Some(reading.two_players(span, words).map(|()| boxed(ask)))
}

impl Ask for FirstMoves {
    fn solve(&self, rows: &mut Fast<'_>) -> Result<Answer, Halt> {
        rows.per_start(|rows, row| {
            // the start rests on everything reachable, and so has its errors told first
            rows.engine().outcome(row.start)?;
            if let Some(found) = rows.engine().winning_moves(row.start)? {
                return Ok(self.answer(listed(&found, rows.rules)));
            }
            let mut options = Options::default();
            rows.engine().options(row.start, &mut options)?;
            let rules = rows.rules;
            let mut moves = Vec::with_capacity(options.len());
            for (made, option) in options.iter() {
                moves.push(FirstMove {
                    name: rules.moves[made].name.clone(),
                    state: rules.state_of(option).to_vec(),
                    shown: shown(rules, option),
                    wins: match rows.engine().outcome(option)? {
                        Outcome::Draw => planted(Wrong::DrawingMoveWins),
                        outcome => outcome == Outcome::Loss,
                    },
                });
            }
            Ok(self.answer(moves))
        })
    }

    fn walk(&self, rows: &mut Naive<'_>) -> Result<Answer, Halt> {
        rows.per_start(|rows, row| {
            if let Some(found) = rows.walker.winning_moves(row.start)? {
                let count = found.moves.len();
                return Ok(match self {
                    Self::All => Answer::FirstMoves(listed(&found, rows.rules)),
                    Self::Count => Answer::int(u64::try_from(count).unwrap_or(u64::MAX)),
                    Self::Any => Answer::AFirstMove(listed(&found, rows.rules)),
                });
            }
            let mut options = Options::default();
            rows.walker.options(row.start, &mut options)?;
            let mut moves = Vec::new();
            for (made, option) in options.iter() {
                let wins = matches!(rows.walker.outcome(option)?, Outcome::Loss);
                let state = rows.rules.state_of(option).to_vec();
                let name = rows.rules.moves[made].name.clone();
                moves.push(FirstMove { name, state, shown: shown(rows.rules, option), wins });
            }
            Ok(match self {
                Self::All => Answer::FirstMoves(moves),
                Self::Count => Answer::int(moves.iter().map(|made| i64::from(made.wins)).sum::<i64>()),
                Self::Any => Answer::AFirstMove(moves),
            })
        })
    }

    fn topic(&self) -> Topic<'_> {
        Topic::FirstMoves
    }

    fn shape(&self) -> Shape {
        match self {
            Self::All => Shape::FirstMoves,
            Self::Count => Shape::Number(&[]),
            Self::Any => Shape::AFirstMove,
        }
    }

    fn about_start(&self) -> bool {
        true
    }

    fn sought(&self) -> Option<Sought> {
        Some(Sought::Outcome)
    }
}

/// Winning moves as an answer; the moves that do not win are one without a position.
fn listed(found: &WinningMoves, rules: &Rules) -> Vec<FirstMove> {
    let name = |made: usize| rules.moves[made].name.clone();
    let winning = found.moves.iter().map(|(made, state)| FirstMove {
        name: name(*made),
        state: state.clone(),
        shown: shown(rules, state),
        wins: true,
    });
    let other = FirstMove { name: name(0), state: Vec::new(), shown: String::new(), wins: false };
    winning.chain(found.others.then_some(other)).collect()
}

impl FirstMoves {
    /// The fast side.
    fn answer(self, moves: Vec<FirstMove>) -> Answer {
        match self {
            Self::All => Answer::FirstMoves(moves),
            Self::Count => {
                let winning =
                    moves.into_iter().filter(|made| made.wins || planted(Wrong::WinningMoveNotCounted)).count();
                Answer::int(u64::try_from(winning).unwrap_or(u64::MAX))
            }
            Self::Any => Answer::AFirstMove(moves),
        }
    }
}
