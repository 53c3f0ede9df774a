//! What is said: of the game, at its end, and in answer to a person's questions.

use std::io::{self, BufRead, Write};

use super::entry::Typed;
use super::machine::{Distance, Sees, reason};
use super::{Choice, Ending, Player, Session, Setup, count};
use crate::lang::tree::{Winner, WinnerWord};
use crate::picture::Picture;
use crate::value::Outcome;

impl<I: BufRead, O: Write> Session<'_, '_, I, O> {
    pub(super) fn introduce(&mut self) -> io::Result<()> {
        let problem = self.setup.problem;
        writeln!(self.output, "{}", problem.title)?;
        match (&problem.over, problem.rules.puzzle) {
            (Some(goal), true) => writeln!(self.output, "The goal: {goal}")?,
            (None, true) => writeln!(self.output, "This puzzle has no goal; the moves can be tried.")?,
            (over, false) => {
                let winner = winner(&problem.rules.winner);
                match over {
                    Some(end) => {
                        writeln!(self.output, "The game is over when {end}, or when there is no move. {winner}")?
                    }
                    None => writeln!(self.output, "The game is over when there is no move. {winner}")?,
                }
            }
        }
        let here = self.numbers();
        if !here.is_empty() {
            writeln!(self.output, "Here {}.", here.join(", "))?;
        }
        let begins = match (problem.rules.puzzle, problem.rules.turn, self.setup.first) {
            (true, ..) => "",
            (_, None, Player::Person) => "You begin. ",
            (_, None, Player::Machine) => "I begin. ",
            (_, Some(_), Player::Person) => "You are player 1 and begin. ",
            (_, Some(_), Player::Machine) => "You are player 2; I am player 1 and begin. ",
        };
        writeln!(self.output, "{begins}`help` tells what you can type.")
    }

    /// The numbers that the rules name: constants, and the parameters that this start fixes.
    fn numbers(&self) -> Vec<String> {
        let Setup { problem, start, .. } = self.setup;
        let rules = &problem.rules;
        let texts = || problem.over.iter().map(String::as_str).chain(rules.moves.iter().map(|made| made.name.as_str()));
        let word = |c: char| !(c.is_alphanumeric() || c == '_');
        let named = |name: &str| texts().any(|text| text.split(word).any(|known| known == name));
        let constants = problem.numbers.iter().filter(|(name, _)| named(name));
        let after = start.len().saturating_sub(rules.parameters.len());
        let parameters = rules.parameters.iter().zip(start.get(after..).unwrap_or_default());
        let constants = constants.map(|(name, value)| format!("{name} = {value}"));
        constants.chain(parameters.map(|(name, value)| format!("{name} = {value}"))).collect()
    }

    // ---- the end

    pub(super) fn over(&mut self, outcome: Outcome) -> io::Result<Ending> {
        let position = self.position();
        self.draw(&position)?;
        let at = self.at(&position);
        let mover = self.mover();
        let (ending, told) = match outcome {
            Outcome::Draw => (Ending::Drawn, "It is a draw."),
            Outcome::Win | Outcome::Loss => {
                let winner = if outcome == Outcome::Win { mover } else { mover.other() };
                (Ending::Won(winner), if winner == Player::Person { "You win!" } else { "I win." })
            }
        };
        writeln!(self.output, "The game is over{at}. {told}")?;
        Ok(ending)
    }

    pub(super) fn solved(&mut self) -> io::Result<Ending> {
        let position = self.position();
        self.draw(&position)?;
        let moves = self.line.len() - 1;
        let least = match self.machine.distance(self.setup.start) {
            Distance::Moves(least) if i64::try_from(moves) == Ok(least) => "Fewer are not possible.".to_owned(),
            Distance::Moves(least) => format!("The least is {least}."),
            Distance::Never | Distance::Unknown => "I do not know whether fewer would do.".to_owned(),
        };
        let moves_word = count(moves, "move");
        writeln!(self.output, "The goal is reached{} in {moves_word}. {least}", self.at(&position))?;
        Ok(Ending::Solved(moves))
    }

    // ---- questions

    pub(super) fn hint(&mut self, choices: &[Choice], typed: &[Typed]) -> io::Result<()> {
        let position = self.position();
        if self.setup.problem.rules.puzzle {
            self.tell_left()?;
            let nearer = self.machine.nearer(&position, choices);
            if let Some((choice, typed)) = nearer.and_then(|at| Some((choices.get(at)?, typed.get(at)?))) {
                let told = self.move_in_words(choice);
                writeln!(self.output, "Try move {}: {told}.", typed.number)?;
            }
            return Ok(());
        }
        let sees = self.machine.sees(&position);
        self.tell_blocked()?;
        let at = self.machine.choose(&position, choices);
        let (Some(choice), Some(typed)) = (choices.get(at), typed.get(at)) else { return Ok(()) };
        let told = format!("move {}: {}", typed.number, self.move_in_words(choice));
        match sees {
            Sees::Won(_) => writeln!(self.output, "You can win with {told}."),
            Sees::Lost(_) => writeln!(self.output, "You are lost if I make no mistake. Try {told}."),
            Sees::Drawn => writeln!(self.output, "Neither of us can force a win. Keep the draw with {told}."),
            Sees::Nothing => writeln!(self.output, "As far as I can see, {told} is as good as any."),
        }
    }

    pub(super) fn tell_left(&mut self) -> io::Result<()> {
        let position = self.position();
        if self.setup.problem.rules.puzzle {
            if self.setup.problem.rules.goal.is_none() {
                return writeln!(self.output, "This puzzle has no goal.");
            }
            return match self.machine.distance(&position) {
                Distance::Moves(1) => writeln!(self.output, "1 move is still needed."),
                Distance::Moves(moves) => writeln!(self.output, "{moves} moves are still needed."),
                Distance::Never => {
                    writeln!(self.output, "From here the goal cannot be reached; `undo` takes a move back.")
                }
                Distance::Unknown => self.tell_unknown(),
            };
        }
        let sees = self.machine.sees(&position);
        let plies = |plies: u32| count(usize::try_from(plies).unwrap_or(usize::MAX), "move");
        match sees {
            Sees::Won(None) => writeln!(self.output, "You can win."),
            Sees::Lost(None) => writeln!(self.output, "I can win."),
            Sees::Won(Some(1)) => writeln!(self.output, "You can win with your next move."),
            Sees::Won(Some(left)) => writeln!(self.output, "You can win within {}, mine counted too.", plies(left)),
            Sees::Lost(Some(left)) => writeln!(self.output, "I can win within {}, yours counted too.", plies(left)),
            Sees::Drawn => writeln!(self.output, "Neither of us can force a win."),
            Sees::Nothing => self.tell_unknown(),
        }
    }

    fn tell_unknown(&mut self) -> io::Result<()> {
        let reason = self.machine.blocked().map(reason).unwrap_or_default();
        writeln!(self.output, "I do not know: {reason}.")
    }

    pub(super) fn help(&mut self, typed: &[Typed]) -> io::Result<()> {
        let rules = &self.setup.problem.rules;
        let card = matches!(self.setup.problem.picture, Picture::Cards(_));
        let position = typed.first().map_or("(7, 3)", |made| made.position.as_str());
        let inner = position.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
        writeln!(self.output, "A move is typed as")?;
        writeln!(self.output, "  its number      {}", if card { "the card" } else { "as the list has it" })?;
        writeln!(self.output, "  its name        if several moves share it, you are asked which")?;
        match inner {
            Some(inner) => writeln!(self.output, "  the position    that it leads to: {position} or {inner}")?,
            None => writeln!(
                self.output,
                "  the position    that it leads to: ({position}) or = {position}, since a number alone is first of all\n                  that of a move"
            )?,
        }
        writeln!(self.output, "and beside moves there are")?;
        writeln!(self.output, "  hint            a good move")?;
        writeln!(
            self.output,
            "  left            how many moves are {}",
            if rules.puzzle { "still needed" } else { "left with best play" }
        )?;
        writeln!(self.output, "  all             every move, where the list is cut short")?;
        writeln!(self.output, "  show            the position once more")?;
        writeln!(self.output, "  undo            takes your last move back")?;
        writeln!(self.output, "  quit            the end")?;
        writeln!(self.output, "A move of such a name goes first: then write /hint, /left and so on.")?;
        if !rules.puzzle {
            writeln!(
                self.output,
                "A position that comes up for the third time, with the same player to move, is a draw."
            )?;
        }
        Ok(())
    }

    /// What would have been understood.
    pub(super) fn allowed(&self, typed: &[Typed]) -> String {
        let numbers: Vec<i64> = typed.iter().map(|made| made.number).collect();
        let run = numbers.windows(2).all(|pair| matches!(pair, [a, b] if a + 1 == *b));
        match numbers.as_slice() {
            [] => "No move is left: `undo` or `quit`.".to_owned(),
            [only] => format!("The one move is {only}; `help` tells what else there is."),
            [first, .., last] if run => format!("The moves are {first} to {last}; `help` tells what else there is."),
            _ => {
                let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
                format!("The moves are {}; `help` tells what else there is.", numbers.join(", "))
            }
        }
    }

    /// Says once that the machine does not see to the end, when it has found that so.
    pub(super) fn tell_blocked(&mut self) -> io::Result<()> {
        if let Some(stop) = self.machine.blocked()
            && !self.told_blocked
        {
            self.told_blocked = true;
            let what = if self.setup.problem.rules.puzzle { "puzzle" } else { "game" };
            let reason = reason(stop);
            let how = if self.setup.problem.rules.puzzle { "" } else { " I look a few moves ahead." };
            writeln!(self.output, "I cannot see this {what} to its end: {reason}.{how}")?;
        }
        Ok(())
    }
}

/// Who wins, in a sentence.
fn winner(winner: &Winner) -> &'static str {
    match winner {
        Winner::Word(WinnerWord::Last) => "The one who moved last wins.",
        Winner::Word(WinnerWord::Other) => "The one who moved last loses.",
        Winner::Word(WinnerWord::First) => "Player 1 wins then.",
        Winner::Word(WinnerWord::Second) => "Player 2 wins then.",
        Winner::Word(WinnerWord::Draw) => "It is a draw then.",
        Winner::If(..) => "Who wins then depends on the position.",
    }
}
