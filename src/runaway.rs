//! Which number of a position runs away, where a game seems to have no bound: a hint for whoever wrote the rules.
//!
//! From a start the option in which a number is least, or greatest, is taken again and again. Where play goes on so for
//! very long, with the number far below 0 or far above all others, a guard or an `end` has probably been forgotten. That
//! is a guess about the author and no answer: nothing rests on it.

use std::fmt;

use crate::budget::{Budget, Limit};
use crate::engine::Walker;
use crate::game::{Compiled, Game, Reference};
use crate::lang::tree::Rules;
use crate::lang::{Options, closed};
use crate::question::{Naive, Question};

/// How many numbers of options are looked at along one line of play, and in all.
const LINE: usize = 1 << 22;
const ALL: usize = 1 << 24;

/// How far a number must have come.
const FAR: u64 = 10_000;

/// How many moves in a row may leave the number where it was.
const IDLE: usize = 8;

/// How many starts of a question are looked through; the first and the last of them are followed.
const STARTS: usize = 1_000;

/// A number of a position that runs away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runaway {
    /// How the rules name it: `x`, `c[3]`.
    pub name: String,
    /// How far it was seen to come.
    pub value: i64,
    /// Whether it runs downwards.
    pub falls: bool,
    /// Whether it is in a puzzle, which has no `end`.
    puzzle: bool,
}

impl fmt::Display for Runaway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value, .. } = self;
        let (falls, missing) = match (self.falls, self.puzzle) {
            (true, false) => (
                "falls",
                format!("is a guard such as `if {name} >= 3`, a `legal: \"{name} >= 0\"` or an `end` missing?"),
            ),
            (true, true) => {
                ("falls", format!("is a guard such as `if {name} >= 3` or a `legal: \"{name} >= 0\"` missing?"))
            }
            (false, false) => {
                ("rises", format!("is an `end` such as `{name} >= 100` missing, or do moves step over it?"))
            }
            (false, true) => ("rises", format!("is a guard or a `legal: \"{name} <= 100\"` missing?")),
        };
        write!(f, "{name} {falls} to {value} and play goes on; {missing}")
    }
}

/// A number that runs away from a start of the question, if one is found.
#[must_use]
pub fn of_question(question: &Question, rules: &Rules) -> Option<Runaway> {
    let bounds = question.starts(rules).filter(|_| !question.sum);
    if rules.heaps.is_some() || bounds.and_then(|starts| closed(rules, &starts.bounds)).is_some() {
        return None;
    }
    let budget = Budget::new(0);
    // the walker is there for values of positions, which no start reads
    let mut walker = Walker::new(Reference::new(rules), 0, &budget);
    let (mut first, mut last, mut seen) = (None, None, 0);
    let rows = Naive { question, rules, walker: &mut walker, thorough: false }.each(&mut |_, row| {
        let start = Some(row.start.to_vec());
        if seen == 0 {
            first = start
        } else {
            last = start
        }
        seen += 1;
        Ok(seen < STARTS)
    });
    // a start that cannot be had is told elsewhere
    rows.ok()?;
    from_starts(first.iter().chain(&last).map(Vec::as_slice), rules)
}

/// A number that runs away from this position, if one is found.
#[must_use]
pub fn of_position(position: &[i64], rules: &Rules) -> Option<Runaway> {
    if rules.heaps.is_some() { None } else { from_starts(std::iter::once(position), rules) }
}

/// Whether a limit is one that a game without bound may meet.
#[must_use]
pub const fn may_be_met(limit: Limit) -> bool {
    !matches!(limit, Limit::Moves(_) | Limit::Uncovered)
}

fn from_starts<'s>(starts: impl Iterator<Item = &'s [i64]>, rules: &Rules) -> Option<Runaway> {
    let mut line = Line { rules, game: Compiled::new(rules), left: ALL };
    for start in starts {
        let tail = &start[rules.state_of(start).len()..];
        // what a component does, it does in a sum too
        for component in rules.components(start) {
            let position = [component, tail].concat();
            for cell in 0..component.len() {
                for falls in [true, false] {
                    if let Some(value) = line.follow(&position, cell, falls) {
                        return Some(Runaway { name: name(rules, cell), value, falls, puzzle: rules.puzzle });
                    }
                }
            }
        }
    }
    None
}

/// Follows single lines of play.
struct Line<'r> {
    rules: &'r Rules,
    game: Compiled,
    /// How many numbers may still be looked at.
    left: usize,
}

impl Line<'_> {
    /// How far a number comes, if it runs away.
    fn follow(&mut self, start: &[i64], cell: usize, falls: bool) -> Option<i64> {
        let farther = |a: i64, b: i64| if falls { a < b } else { a > b };
        let mut position = start.to_vec();
        let mut options = Options::default();
        let (mut best, mut idle, mut looked) = (start[cell], 0, 0);
        while looked < LINE.min(self.left) {
            match self.game.look(&position, &mut options) {
                Ok(None) => {}
                Ok(Some(_)) => {
                    self.left = self.left.saturating_sub(looked);
                    return None;
                }
                // far out a result needs more than 64 bits
                Err(_) => break,
            }
            looked += (options.len() + 1) * position.len();
            let tail = position.len() - self.rules.state_width;
            let reached = options.iter().flat_map(|(_, option)| self.rules.components(option));
            let next = reached.reduce(|best, other| if farther(other[cell], best[cell]) { other } else { best })?;
            let next = next.to_vec();
            idle = if farther(next[cell], best) { 0 } else { idle + 1 };
            if idle > IDLE {
                break;
            }
            best = if idle == 0 { next[cell] } else { best };
            let after = options.iter().next().map(|(_, option)| option[option.len() - tail..].to_vec());
            position.splice(.., next.into_iter().chain(after.unwrap_or_default()));
        }
        self.left = self.left.saturating_sub(looked);
        (idle <= IDLE && best.abs_diff(start[cell]) >= FAR && (!falls || best < 0)).then_some(best)
    }
}

fn name(rules: &Rules, cell: usize) -> String {
    let variable = rules.state.iter().rfind(|variable| variable.offset <= cell);
    match variable {
        Some(variable) if variable.length.is_some() => format!("{}[{}]", variable.name, cell - variable.offset),
        Some(variable) => variable.name.clone(),
        None => String::new(),
    }
}
