//! A person plays: a game against the machine, or a puzzle alone, by lines of text in both directions.
//!
//! [`play`] is handed what it reads and writes, so that a test can be the person. [`Machine`] chooses the machine's
//! moves. Here alone the core reads and writes; it still knows neither a terminal nor a clock.

pub mod ask;
mod entry;
mod listing;
mod machine;
mod words;

use std::io::{self, BufRead, Write};

pub use machine::{Choice, Distance, Machine, Sees, reason};

use self::entry::{Command, Entry, Typed};
use crate::game::shown;
use crate::lang::{Halt, Stop};
use crate::picture::Picture;
use crate::problem::Problem;

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
                    Decision::Undo => self.take_back()?,
                    Decision::Leave => return Ok(self.leave()?),
                },
            }
        }
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
                writeln!(self.output, "There is no move{}.", self.at(&position))?;
                return Ok(Ending::Left);
            }
            match self.decide(&choices)? {
                Decision::Move(at) => self.make("You", &choices, at)?,
                Decision::Undo => self.take_back()?,
                Decision::Leave => return Ok(self.leave()?),
            }
        }
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

    /// Takes moves back to the last decision of the person.
    fn take_back(&mut self) -> io::Result<()> {
        self.line.truncate(self.line.len() - self.plies_back());
        writeln!(self.output, "Taken back.")
    }

    /// How many plies ago the person decided last; 0 if he has not yet.
    fn plies_back(&self) -> usize {
        let plies = if self.setup.problem.rules.puzzle { 1 } else { 2 };
        if self.line.len() > plies { plies } else { 0 }
    }

    fn leave(&mut self) -> io::Result<Ending> {
        writeln!(self.output, "Goodbye.")?;
        Ok(Ending::Left)
    }

    // ---- the person's turn

    fn decide(&mut self, choices: &[Choice]) -> Result<Decision, Broken> {
        let typed = self.typed(choices);
        self.present(&typed, !self.setup.quiet)?;
        loop {
            write!(self.output, "> ")?;
            self.output.flush()?;
            let Some(line) = self.read()? else { return Ok(Decision::Leave) };
            match entry::read(&line, &typed) {
                Entry::Move(at) => return Ok(Decision::Move(at)),
                Entry::Command(Command::Undo) if self.plies_back() > 0 => return Ok(Decision::Undo),
                Entry::Command(Command::Undo) => {
                    writeln!(self.output, "There is no move of yours to take back.")?;
                }
                Entry::Command(Command::Quit) => return Ok(Decision::Leave),
                Entry::Command(command) => self.answer(command, choices, &typed)?,
                Entry::Empty => {}
                Entry::Which(places) => {
                    let these: Vec<Typed> = places.iter().filter_map(|at| typed.get(*at)).cloned().collect();
                    writeln!(self.output, "Which of these? Type its number, or the position.")?;
                    write!(self.output, "{}", listing::list(&these, Some(listing::all_word(&typed))))?;
                }
                Entry::Refused(reason) => {
                    writeln!(self.output, "Sorry, {reason} {}", self.allowed(&typed))?;
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
            Command::All => write!(self.output, "{}", listing::list(typed, None)),
            Command::Show => self.present(typed, true),
            Command::Help => self.help(typed),
            // both are decisions
            Command::Undo | Command::Quit => Ok(()),
        }
    }

    // ---- what is shown

    /// The present position with its moves, or with their number.
    fn present(&mut self, typed: &[Typed], listed: bool) -> io::Result<()> {
        let position = self.position();
        self.draw(&position)?;
        if let Some(shown) = self.short(&position) {
            writeln!(self.output, "Position {shown}")?;
        }
        match typed.len() {
            0 => writeln!(self.output, "No move is left; `undo` takes one back."),
            _ if listed => write!(self.output, "{}", listing::list(typed, Some(listing::all_word(typed)))),
            moves => writeln!(self.output, "{}", count(moves, "move")),
        }
    }

    /// The position as text, unless it is long and there is a picture of it.
    fn short(&self, position: &[i64]) -> Option<String> {
        let shown = self.shown(position);
        let drawn = || self.picture().is_some_and(|picture| picture.draw(position).is_some());
        if shown.chars().count() > listing::SHORT && drawn() { None } else { Some(shown) }
    }

    /// Where something happens: ` at (7, 3)`, or nothing where a picture tells it.
    fn at(&self, position: &[i64]) -> String {
        self.short(position).map_or(String::new(), |shown| format!(" at {shown}"))
    }

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

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
