//! Rule errors: whether the rules as they are read meet them too, and how they are told to the author.

use std::fmt;
use std::sync::Arc;

use crate::game::{Game, Reference, shown};
use crate::lang::number::Fault;
use crate::lang::tree::Rules;
use crate::lang::{Halt, Mistake, Options, RuleError, Source, Stop};

/// Whether the rules as they are read meet this error at its position too, as far as a move is to blame; another may be
/// one of the question itself.
pub(super) fn is_met(error: &RuleError, rules: &Rules, sum: bool) -> bool {
    let (Some(position), Some(_)) = (&error.position, error.made) else { return true };
    let mut game = if sum { Reference::sum(rules) } else { Reference::new(rules) };
    match game.look(position, &mut Options::default()) {
        Err(Halt::Stop(stop)) => match *stop {
            Stop::Rule(met) => (met.fault, met.span, met.made) == (error.fault, error.span, error.made),
            Stop::Limit(_) => false,
        },
        _ => false,
    }
}

/// A rule error as a mistake of the file: the place, the position and the move.
#[must_use]
pub fn rule_mistake(error: &RuleError, rules: &Rules, source: &Arc<Source>) -> Mistake {
    let position = error.position.as_ref().map(|position| At { rules, position });
    let fault = match error.fault {
        Fault::CellTwice(index, offset) => {
            let array = rules.state.iter().find(|variable| variable.offset == offset);
            let name = array.map_or("", |array| array.name.as_str());
            format!("the cell {name}[{index}] is assigned twice in one move")
        }
        fault => fault.to_string(),
    };
    let message = match (&position, error.made.and_then(|made| rules.moves.get(made))) {
        (Some(at), Some(made)) => format!("{fault}, at the position {at}, in the move \"{}\"", made.name),
        (Some(at), None) => format!("{fault}, at the position {at}"),
        (None, _) => fault,
    };
    let mistake = Mistake::new(source, error.span, message);
    match error.fault.help() {
        Some(help) => mistake.help(help),
        None => mistake,
    }
}

/// A position with what is not written in it: the player to move, and the parameters that the rules read.
struct At<'a> {
    rules: &'a Rules,
    position: &'a [i64],
}

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(self.rules, self.position))?;
        if let Some(turn) = self.rules.turn {
            write!(f, " with player {} to move", self.position[turn])?;
        }
        for (at, name) in self.rules.parameters.iter().enumerate() {
            write!(
                f,
                " and {name} = {}",
                self.position[self.rules.state_of(self.position).len() + usize::from(self.rules.turn.is_some()) + at]
            )?;
        }
        Ok(())
    }
}
