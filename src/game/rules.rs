//! Games and puzzles given by rules, twice: compiled for the fast engines, and read by the reference evaluator for the walker.

use super::Game;
use crate::lang::tree::{Rules, WinnerWord};
use crate::lang::{Halt, Options, RulesProgram, Scratch, at_goal, look};
use crate::value::Outcome;

/// Rules that run as compiled closures.
pub struct Compiled {
    program: RulesProgram,
    scratch: Scratch,
    width: usize,
    turn: Option<usize>,
}

impl Compiled {
    /// Compiles the rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self {
            program: RulesProgram::new(rules),
            scratch: Scratch::new(rules.slots),
            width: rules.width(),
            turn: rules.turn,
        }
    }
}

impl Game for Compiled {
    fn width(&self) -> usize {
        self.width
    }

    fn look(&mut self, position: &[i64], options: &mut Options) -> Result<Option<Outcome>, Halt> {
        let word = self.program.look(position, options, &mut self.scratch)?;
        Ok(word.map(|word| for_mover(word, self.turn, position)))
    }

    fn is_goal(&mut self, position: &[i64]) -> Result<bool, Halt> {
        self.program.at_goal(position, &mut self.scratch)
    }
}

/// Rules that are read as they stand.
#[derive(Debug)]
pub struct Reference<'a> {
    rules: &'a Rules,
}

impl<'a> Reference<'a> {
    /// Reads these rules.
    #[must_use]
    pub const fn new(rules: &'a Rules) -> Self {
        Self { rules }
    }
}

impl Game for Reference<'_> {
    fn width(&self) -> usize {
        self.rules.width()
    }

    fn look(&mut self, position: &[i64], options: &mut Options) -> Result<Option<Outcome>, Halt> {
        let word = look(self.rules, position, options)?;
        Ok(word.map(|word| for_mover(word, self.rules.turn, position)))
    }

    fn is_goal(&mut self, position: &[i64]) -> Result<bool, Halt> {
        at_goal(self.rules, position)
    }
}

fn for_mover(word: WinnerWord, turn: Option<usize>, position: &[i64]) -> Outcome {
    word.outcome(turn.map_or(1, |offset| position[offset]))
}

/// A position as a file writes it: `5`, `(1, -1)`, `(8, [0, 1])`. The turn and parameters are left out.
#[must_use]
pub fn shown(rules: &Rules, position: &[i64]) -> String {
    let entries: Vec<String> = rules
        .state
        .iter()
        .map(|variable| match variable.length {
            None => position[variable.offset].to_string(),
            Some(length) => {
                let cells = &position[variable.offset..variable.offset + length];
                format!("[{}]", cells.iter().map(i64::to_string).collect::<Vec<_>>().join(", "))
            }
        })
        .collect();
    match (entries.as_slice(), &rules.state[..]) {
        ([only], [variable]) if variable.length.is_none() => only.clone(),
        _ => format!("({})", entries.join(", ")),
    }
}
