//! What is known of a position, and what has been said of it.

use super::{Claim, Fact, Work};
use crate::budget::Limit;
use crate::lang::tree::Heaps;
use crate::lang::{Halt, Options, Stop};
use crate::value::{Class, Outcome};

/// How far may be looked: what a question does not rest on may have a rule error, or no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ahead {
    /// To the end of every play.
    All,
    /// As far as so many moves of the winner show.
    Moves(u32),
}

/// What is seen of a position, for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sees {
    /// Won or lost, with the winner's own moves.
    Class(Class),
    /// Won, in nobody knows how many moves.
    Won,
    /// Lost, likewise.
    Lost,
    /// Neither can force a win.
    Draw,
    /// Neither can force a win within so many moves.
    Beyond(u32),
    /// Nothing.
    Unknown,
}

impl Sees {
    pub(super) const fn lost(self) -> bool {
        matches!(self, Self::Lost | Self::Class(Class::Loss(_)))
    }

    pub(super) const fn won(self) -> bool {
        matches!(self, Self::Won | Self::Class(Class::Win(_)))
    }

    /// The winner's own moves, where they are known.
    pub(super) const fn moves(self) -> u32 {
        match self {
            Self::Class(class) => class.moves(),
            _ => u32::MAX,
        }
    }
}

/// A move: its number in the rules, and where it leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) made: usize,
    pub(super) to: Vec<i64>,
}

impl Work<'_> {
    /// What is seen of a position.
    pub(super) fn sees(&mut self, position: &[i64], ahead: Ahead) -> Result<Sees, Halt> {
        match ahead {
            Ahead::All if !self.question.sum => Ok(class(self.whole.class(position)?)),
            Ahead::All => {
                if let Some(seen) = self.sees_near(position)? {
                    return Ok(seen);
                }
                Ok(match self.whole.outcome(position)? {
                    Outcome::Win => Sees::Won,
                    Outcome::Loss => Sees::Lost,
                    Outcome::Draw => Sees::Draw,
                })
            }
            Ahead::Moves(moves) => {
                if let Some(seen) = self.sees_near(position)? {
                    return Ok(seen);
                }
                let mut beyond = true;
                for bound in [Class::Win(moves), Class::Loss(moves)] {
                    match self.whole.class_within(position, bound) {
                        Ok(Some(found)) => return Ok(Sees::Class(found)),
                        Ok(None) => {}
                        Err(halt) if urgent(&halt) => return Err(halt),
                        // it lies beyond what the question rests on
                        Err(_) => beyond = false,
                    }
                }
                Ok(if beyond { Sees::Beyond(moves) } else { Sees::Unknown })
            }
        }
    }

    /// What the smaller engine sees, as long as it sees to the end.
    fn sees_near(&mut self, position: &[i64]) -> Result<Option<Sees>, Halt> {
        if self.near_fails {
            return Ok(None);
        }
        match self.near.class(position) {
            Ok(found) => Ok(Some(class(found))),
            Err(halt) if urgent(&halt) => Err(halt),
            Err(_) => {
                self.near_fails = true;
                Ok(None)
            }
        }
    }

    /// The class in a word, which is so claimed.
    pub(super) fn class_word(&mut self, position: &[i64], ahead: Ahead) -> Result<String, Halt> {
        let seen = self.sees(position, ahead)?;
        self.claim_seen(position, seen);
        Ok(match seen {
            Sees::Class(class) => class.to_string(),
            Sees::Won => "won".to_owned(),
            Sees::Lost => "lost".to_owned(),
            Sees::Draw => "a draw".to_owned(),
            Sees::Beyond(moves) => format!("not decided within {}", super::words::count(small(moves), "move")),
            Sees::Unknown => "not known".to_owned(),
        })
    }

    pub(super) fn claim_seen(&mut self, position: &[i64], seen: Sees) {
        let fact = match seen {
            Sees::Class(class) => Fact::Class(Some(class)),
            Sees::Draw => Fact::Class(None),
            Sees::Won => Fact::Outcome(Outcome::Win),
            Sees::Lost => Fact::Outcome(Outcome::Loss),
            Sees::Beyond(_) | Sees::Unknown => return,
        };
        self.claim(position, fact);
    }

    pub(super) fn claim(&mut self, position: &[i64], fact: Fact) {
        const MOST: usize = 100_000;
        if self.claims.len() < MOST {
            self.claims.push(Claim { position: position.to_vec(), fact });
        }
    }

    /// The moves of a position in order, of those to one position the first; none at a terminal one.
    pub(super) fn moves(&mut self, position: &[i64]) -> Result<Vec<Made>, Halt> {
        let mut options = Options::default();
        self.whole.options(position, &mut options)?;
        let mut moves: Vec<Made> = Vec::with_capacity(options.len());
        let mut known = std::collections::HashSet::new();
        for (made, to) in options.iter() {
            if known.insert(to.to_vec()) {
                moves.push(Made { made, to: to.to_vec() });
            }
        }
        Ok(moves)
    }

    pub(super) fn terminal(&mut self, position: &[i64]) -> Result<bool, Halt> {
        let rules = &self.problem.rules;
        // the moves of heaps may be more than are ever listed
        if rules.heaps == Some(Heaps::Nim) {
            return Ok(rules.state_of(position).iter().all(|heap| *heap <= 0));
        }
        self.whole.options(position, &mut Options::default())
    }

    /// A fastest winning move; of equal ones the first.
    pub(super) fn winning_move(&mut self, position: &[i64], ahead: Ahead) -> Result<Option<Made>, Halt> {
        let mut best: Option<(u32, Made)> = None;
        for made in self.moves(position)? {
            let seen = self.sees(&made.to, ahead)?;
            if seen.lost() && best.as_ref().is_none_or(|(least, _)| seen.moves() < *least) {
                best = Some((seen.moves(), made));
            }
        }
        let best = best.map(|(_, made)| made);
        if let Some(made) = &best {
            self.claim(position, Fact::MoveTo(made.to.clone()));
            self.claim(&made.to, Fact::Outcome(Outcome::Loss));
        }
        Ok(best)
    }

    /// `(8, 31)`, and the name of the move where it has one of its own.
    pub(super) fn to(&self, before: &[i64], made: &Made) -> String {
        let at = self.at(&made.to);
        if let Some(step) = self.step(before, &made.to) {
            return format!("the position after {step}");
        }
        if let Some(step) = self.problem.picture.step(before, &made.to) {
            return format!("{at} ({step})");
        }
        match self.problem.rules.moves.get(made.made) {
            Some(rule) if named(&rule.name) => format!("{at} ({})", rule.name.trim()),
            _ => at,
        }
    }
}

/// Whether a name was given by the author, and is not the text of the move.
pub(super) fn named(name: &str) -> bool {
    !name.contains(['=', '+', '*', ',', '|', '(', '[', '/']) && name.contains(char::is_alphabetic) && !for_text(name)
}

/// `x - k for k in …`
fn for_text(name: &str) -> bool {
    name.contains(" for ") || name.contains(" - ") || name.contains(" if ") || name.len() == 1
}

/// What no explanation goes on after.
fn urgent(halt: &Halt) -> bool {
    matches!(halt, Halt::Stop(stop) if matches!(**stop, Stop::Limit(Limit::Interrupted | Limit::Time)))
}

fn class(found: Option<Class>) -> Sees {
    found.map_or(Sees::Draw, Sees::Class)
}

pub(super) fn small(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
