//! A person plays: a game against the machine, or a puzzle alone, by lines of text in both directions.
//!
//! [`play`] is handed what it reads and writes, so that a test can be the person. [`Machine`] chooses the machine's
//! moves. Here alone the core reads and writes; it still knows neither a terminal nor a clock.

pub mod ask;
mod entry;
mod listing;
mod machine;

use std::io::{self, BufRead, Write};

pub use machine::{Choice, Distance, Machine, Sees, reason};

use self::entry::{Command, Entry, Typed};
use crate::game::shown;
use crate::lang::tree::{Winner, WinnerWord};
use crate::lang::{Halt, Stop};
use crate::picture::Picture;
use crate::problem::Problem;
use crate::value::Outcome;

/// Who makes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The one who types.
    Person,
    /// The program.
    Machine,
}

impl Player {
    const fn other(self) -> Self {
        match self {
            Self::Person => Self::Machine,
            Self::Machine => Self::Person,
        }
    }
}

/// What is played, and how.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The game or the puzzle.
    pub problem: &'a Problem,
    /// The position at the start.
    pub start: &'a [i64],
    /// Who moves first, in a game.
    pub first: Player,
    /// Whether to repeat what was read, since nobody sees it typed.
    pub echo: bool,
    /// Whether to leave out the list of moves until it is asked for.
    pub quiet: bool,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The game is over, and this player has won.
    Won(Player),
    /// The game is over and drawn, or a position has come up for the third time.
    Drawn,
    /// The goal of the puzzle was reached, in so many moves.
    Solved(usize),
    /// The person has left, or there was nothing more to read.
    Left,
}

/// Why it broke off.
#[derive(Debug)]
pub enum Broken {
    /// Reading or writing failed.
    Io(io::Error),
    /// A rule has no value at the position reached, or there are too many moves to list.
    Stop(Stop),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Halt> for Broken {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Stop(stop) => Self::Stop(*stop),
            // no rule reads a value that could be missing
            Halt::Missing => Self::Io(io::ErrorKind::InvalidData.into()),
        }
    }
}

/// How often a position may come up, with the same player to move, until the game is a draw.
const REPETITIONS: usize = 3;

/// Plays to the end, or until the person leaves.
///
/// # Errors
///
/// Input or output that fails, a rule error at a position that is reached, a limit.
pub fn play(
    setup: &Setup<'_>,
    machine: &mut Machine<'_>,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<Ending, Broken> {
    let mut session = Session { setup, machine, input, output, line: vec![setup.start.to_vec()], told_blocked: false };
    session.introduce()?;
    if setup.problem.rules.puzzle { session.alone() } else { session.against() }
}

/// A play under way.
struct Session<'s, 'm, I, O> {
    setup: &'s Setup<'s>,
    machine: &'s mut Machine<'m>,
    input: &'s mut I,
    output: &'s mut O,
    /// The positions from the start to the present one.
    line: Vec<Vec<i64>>,
    /// Whether the person knows that the machine does not see to the end.
    told_blocked: bool,
}

/// What the person decides at his turn.
enum Decision {
    Move(usize),
    Undo,
    Leave,
}

impl<I: BufRead, O: Write> Session<'_, '_, I, O> {
    // ---- what is played

    fn introduce(&mut self) -> io::Result<()> {
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

    // ---- against the machine

    fn against(&mut self) -> Result<Ending, Broken> {
        loop {
            let position = self.position();
            let choices = match self.machine.look(&position)? {
                Ok(outcome) => return Ok(self.over(outcome)?),
                Err(choices) => choices,
            };
            if self.repeated() {
                let shown = self.shown(&position);
                writeln!(self.output, "\nThe position {shown} for the third time: a draw.")?;
                return Ok(Ending::Drawn);
            }
            match self.mover() {
                Player::Machine => {
                    let at = self.machine.choose(&position, &choices);
                    self.tell_blocked()?;
                    self.make("I", &choices, at)?;
                }
                Player::Person => match self.decide(&choices)? {
                    Decision::Move(at) => self.make("You", &choices, at)?,
                    Decision::Undo => self.take_back(2)?,
                    Decision::Leave => return Ok(self.leave()?),
                },
            }
        }
    }

    fn over(&mut self, outcome: Outcome) -> io::Result<Ending> {
        let position = self.position();
        self.draw(&position)?;
        let shown = self.shown(&position);
        let mover = self.mover();
        let (ending, told) = match outcome {
            Outcome::Draw => (Ending::Drawn, "It is a draw."),
            Outcome::Win | Outcome::Loss => {
                let winner = if outcome == Outcome::Win { mover } else { mover.other() };
                (Ending::Won(winner), if winner == Player::Person { "You win!" } else { "I win." })
            }
        };
        writeln!(self.output, "The game is over at {shown}. {told}")?;
        Ok(ending)
    }

    /// Whether the present position has come up often enough, with the same player to move.
    fn repeated(&self) -> bool {
        let now = self.line.len() - 1;
        let same = self
            .line
            .iter()
            .enumerate()
            .filter(|(at, position)| (now - at).is_multiple_of(2) && Some(*position) == self.line.last());
        same.count() >= REPETITIONS
    }

    /// Says once that the machine does not see to the end, when it has found that so.
    fn tell_blocked(&mut self) -> io::Result<()> {
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

    // ---- a puzzle

    fn alone(&mut self) -> Result<Ending, Broken> {
        loop {
            let position = self.position();
            let (goal, choices) = self.machine.look_alone(&position)?;
            if goal && self.setup.problem.rules.goal.is_some() {
                return Ok(self.solved()?);
            }
            if choices.is_empty() && self.line.len() == 1 {
                self.draw(&position)?;
                writeln!(self.output, "There is no move at {}.", self.shown(&position))?;
                return Ok(Ending::Left);
            }
            match self.decide(&choices)? {
                Decision::Move(at) => self.make("You", &choices, at)?,
                Decision::Undo => self.take_back(1)?,
                Decision::Leave => return Ok(self.leave()?),
            }
        }
    }

    fn solved(&mut self) -> io::Result<Ending> {
        let position = self.position();
        self.draw(&position)?;
        let moves = self.line.len() - 1;
        let least = match self.machine.distance(self.setup.start) {
            Distance::Moves(least) if i64::try_from(moves) == Ok(least) => "Fewer are not possible.".to_owned(),
            Distance::Moves(least) => format!("The least is {least}."),
            Distance::Never | Distance::Unknown => "I do not know whether fewer would do.".to_owned(),
        };
        let moves_word = count(moves, "move");
        writeln!(self.output, "The goal is reached at {}, in {moves_word}. {least}", self.shown(&position))?;
        Ok(Ending::Solved(moves))
    }

    // ---- moves

    fn position(&self) -> Vec<i64> {
        self.line.last().cloned().unwrap_or_default()
    }

    /// Who moves at the present position.
    fn mover(&self) -> Player {
        let begun = (self.line.len() - 1).is_multiple_of(2);
        if begun || self.setup.problem.rules.puzzle { self.setup.first } else { self.setup.first.other() }
    }

    fn make(&mut self, who: &str, choices: &[Choice], at: usize) -> io::Result<()> {
        let Some(choice) = choices.get(at) else { return Ok(()) };
        let told = self.move_in_words(choice);
        let verb = if told.starts_with("to ") { "move" } else { "play" };
        writeln!(self.output, "{who} {verb} {told}.")?;
        self.line.push(choice.position.clone());
        Ok(())
    }

    /// `x + 1, y, to (7, 3)`; a name that is a whole text with loops is left out.
    fn move_in_words(&self, choice: &Choice) -> String {
        let reached = self.shown(&choice.position);
        let name = self.name(choice);
        match self.step(choice) {
            Some(step) if reached.chars().count() > listing::SHORT => step,
            Some(step) => format!("{step}, to {reached}"),
            None if listing::is_text(name) => format!("to {reached}"),
            None => format!("{name}, to {reached}"),
        }
    }

    /// Takes moves back to the last decision of the person: `plies` of them, where so many were made.
    fn take_back(&mut self, plies: usize) -> io::Result<()> {
        if self.line.len() <= plies {
            return writeln!(self.output, "There is no move of yours to take back.");
        }
        self.line.truncate(self.line.len() - plies);
        writeln!(self.output, "Taken back.")
    }

    fn leave(&mut self) -> io::Result<Ending> {
        writeln!(self.output, "Goodbye.")?;
        Ok(Ending::Left)
    }

    // ---- the person's turn

    fn decide(&mut self, choices: &[Choice]) -> Result<Decision, Broken> {
        let typed = self.typed(choices);
        let position = self.position();
        self.draw(&position)?;
        if choices.is_empty() {
            writeln!(self.output, "Position {}: no move is left. `undo` takes one back.", self.shown(&position))?;
        } else if self.setup.quiet {
            writeln!(self.output, "Position {}: {}", self.shown(&position), count(choices.len(), "move"))?;
        } else {
            write!(self.output, "Position {}\n{}", self.shown(&position), listing::list(&typed, true))?;
        }
        loop {
            write!(self.output, "> ")?;
            self.output.flush()?;
            let Some(line) = self.read()? else { return Ok(Decision::Leave) };
            match entry::read(&line, &typed) {
                Entry::Move(at) => return Ok(Decision::Move(at)),
                Entry::Command(Command::Undo) => return Ok(Decision::Undo),
                Entry::Command(Command::Quit) => return Ok(Decision::Leave),
                Entry::Command(command) => self.answer(command, choices, &typed)?,
                Entry::Empty => {}
                Entry::Which(places) => {
                    let these: Vec<Typed> = places.iter().filter_map(|at| typed.get(*at)).cloned().collect();
                    writeln!(self.output, "Which of these? Type its number, or the position.")?;
                    write!(self.output, "{}", listing::list(&these, true))?;
                }
                Entry::Refused(reason) => {
                    writeln!(self.output, "Sorry, {reason}. {}", self.allowed(&typed))?;
                }
            }
        }
    }

    /// The next line; none at the end of the input.
    fn read(&mut self) -> io::Result<Option<String>> {
        let mut bytes = Vec::new();
        let read = self.input.read_until(b'\n', &mut bytes)?;
        // what is no text is refused like any other nonsense
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        if self.setup.echo || read == 0 {
            writeln!(self.output, "{line}")?;
        }
        Ok((read > 0).then_some(line))
    }

    fn answer(&mut self, command: Command, choices: &[Choice], typed: &[Typed]) -> io::Result<()> {
        match command {
            Command::Hint => self.hint(choices, typed),
            Command::Left => self.tell_left(),
            Command::All => write!(self.output, "{}", listing::list(typed, false)),
            Command::Show => {
                let position = self.position();
                self.draw(&position)?;
                write!(self.output, "Position {}\n{}", self.shown(&position), listing::list(typed, true))
            }
            Command::Help => self.help(typed),
            // both are decisions
            Command::Undo | Command::Quit => Ok(()),
        }
    }

    fn hint(&mut self, choices: &[Choice], typed: &[Typed]) -> io::Result<()> {
        let position = self.position();
        if self.setup.problem.rules.puzzle {
            let nearer = self.machine.nearer(&position, choices);
            if let Some((choice, typed)) = nearer.and_then(|at| Some((choices.get(at)?, typed.get(at)?))) {
                let told = self.move_in_words(choice);
                writeln!(self.output, "Move {}: {told}.", typed.number)?;
            }
            return self.tell_left();
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
            Sees::Nothing => writeln!(self.output, "As far as I can see, {told}."),
        }
    }

    fn tell_left(&mut self) -> io::Result<()> {
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
            Sees::Won(left) => writeln!(self.output, "You can win within {}, mine counted too.", plies(left)),
            Sees::Lost(left) => writeln!(self.output, "I can win within {}, yours counted too.", plies(left)),
            Sees::Drawn => writeln!(self.output, "Neither of us can force a win."),
            Sees::Nothing => self.tell_unknown(),
        }
    }

    fn tell_unknown(&mut self) -> io::Result<()> {
        let reason = self.machine.blocked().map(reason).unwrap_or_default();
        writeln!(self.output, "I do not know: {reason}.")
    }

    fn help(&mut self, typed: &[Typed]) -> io::Result<()> {
        let rules = &self.setup.problem.rules;
        let card = matches!(self.setup.problem.picture, Picture::Cards(_));
        let position = typed.first().map_or("(7, 3)", |made| made.position.as_str());
        let inner = position.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
        writeln!(self.output, "A move is typed as")?;
        writeln!(self.output, "  its number      {}", if card { "the card" } else { "as the list has it" })?;
        writeln!(self.output, "  its name        where several moves share it, you are asked which")?;
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
    fn allowed(&self, typed: &[Typed]) -> String {
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

    // ---- what is shown

    fn draw(&mut self, position: &[i64]) -> io::Result<()> {
        writeln!(self.output)?;
        match self.picture().and_then(|picture| picture.draw(position)) {
            Some(drawn) => write!(self.output, "{drawn}"),
            None => Ok(()),
        }
    }

    /// The picture, where it is one of positions like those at hand.
    fn picture(&self) -> Option<&Picture> {
        let problem = self.setup.problem;
        let plain = self.setup.start.len() == problem.rules.width();
        (plain || problem.picture == Picture::Heaps).then_some(&problem.picture)
    }

    fn shown(&self, position: &[i64]) -> String {
        shown(&self.setup.problem.rules, position)
    }

    fn name(&self, choice: &Choice) -> &str {
        self.setup.problem.rules.moves.get(choice.made).map_or("", |made| made.name.as_str())
    }

    fn step(&self, choice: &Choice) -> Option<String> {
        self.picture()?.step(self.line.last()?, &choice.position)
    }

    fn typed(&self, choices: &[Choice]) -> Vec<Typed> {
        let own = |choice: &Choice| self.picture().and_then(|picture| picture.number(&choice.position));
        let typed = |(place, choice): (i64, &Choice)| Typed {
            number: own(choice).unwrap_or(place),
            name: self.name(choice).to_owned(),
            step: self.step(choice),
            position: self.shown(&choice.position),
        };
        (1..).zip(choices).map(typed).collect()
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

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
