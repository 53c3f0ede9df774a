//! `gameproof play`: a person against the machine, or alone with a puzzle, on standard input and output.

use std::io::{BufRead, IsTerminal, Write, stdin, stdout};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::choice::{self, OneStart, Picked, Several};
use super::limits::parse_size;
use super::{Common, Failure};
use crate::budget::Budget;
use crate::check::unlisted;
use crate::engine::on_own_stack;
use crate::lang::number::GIVEN_LIMIT;
use crate::lang::{Blind, Evaluator, Halt, Stop};
use crate::play::{Broken, Machine, Player, Setup, ask, play};
use crate::question::Question;

const HELP: &str = "Moves are typed by number, by name, or as the position that they lead to; `help` in the play tells \
the rest. From a won position the machine makes the move that wins soonest. From a lost one it makes the move that \
leaves the fewest winning replies, of these the one after which play lasts longest. From a drawn one it keeps the \
draw and leaves as many losing replies as it can. A position that comes up for the third time, with the same player \
to move, is a draw. In a puzzle, which is played alone, `left` tells how many moves are still needed.";

const EXAMPLES: &str = "Examples:
  gameproof play problems/seeds/token-to-13.ron --first machine
  gameproof play problems/seeds/card-game-play.ron --set n=10 --set m=3 --first lot --seed 7
  printf 'hint\\n2\\nquit\\n' | gameproof play problems/seeds/two-piles-to-65.ron --set s=10";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{HELP}\n\n{EXAMPLES}"))]
pub(super) struct Arguments {
    /// The problem file
    file: PathBuf,
    #[command(flatten)]
    choice: choice::Choice,
    /// Who moves first [default: human]
    #[arg(long, value_enum, value_name = "WHO")]
    first: Option<First>,
    /// The seed of the lot; the same seed draws the same player
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Memory that the machine may use to see to the end of the game
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "512M")]
    memory_limit: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum First {
    /// You
    Human,
    /// The program
    Machine,
    /// Whoever the lot falls on
    Lot,
}

/// Memory for looking some moves ahead, where the game is too large.
const NEAR_MEMORY: u64 = 64 << 20;

pub(super) fn run(arguments: &Arguments, common: &Common) -> Result<u8, Failure> {
    let terminal = stdin().is_terminal();
    let (mut input, mut output) = (stdin().lock(), stdout().lock());
    let Some(one) = one_start(arguments, common, terminal, &mut input, &mut output)? else { return Ok(0) };
    let problem = one.problem();
    if problem.rules.puzzle && arguments.first.is_some_and(|first| first != First::Human) {
        return Err(Failure::usage("--first: a puzzle is played alone"));
    }
    let first = match arguments.first {
        None | Some(First::Human) => Player::Person,
        Some(First::Machine) => Player::Machine,
        Some(First::Lot) => {
            // a seed that was not given must be easy to type again
            let seed = arguments.seed.unwrap_or_else(|| fastrand::u64(0..1_000_000));
            let drawn = if fastrand::Rng::with_seed(seed).bool() { Player::Person } else { Player::Machine };
            let who = if drawn == Player::Person { "you" } else { "me" };
            writeln!(output, "The lot, with --seed {seed}, falls on {who}.")?;
            drawn
        }
    };
    let (whole, near) = (Budget::new(arguments.memory_limit), Budget::new(NEAR_MEMORY.min(arguments.memory_limit)));
    let mut machine = Machine::new(&problem.rules, one.sum(), &whole, &near);
    // heaps with more moves than are ever listed are told before the play begins
    if let Err(Halt::Stop(stop)) = machine.look(&one.start) {
        return Err(broken(*stop, &one, common));
    }
    let setup = Setup { problem, start: &one.start, first, echo: !terminal, quiet: common.quiet };
    match on_own_stack(|| play(&setup, &mut machine, &mut input, &mut output)) {
        Ok(_) => Ok(0),
        Err(Broken::Io(error)) => Err(error.into()),
        Err(Broken::Stop(stop)) => Err(broken(stop, &one, common)),
    }
}

fn broken(stop: Stop, one: &OneStart, common: &Common) -> Failure {
    let problem = one.problem();
    let stop = unlisted(stop, &problem.rules);
    choice::failure(Halt::Stop(Box::new(stop)), problem, &one.loaded, common)
}

/// The start; at a terminal what the file leaves open is asked for. None where the person gives no answer.
fn one_start(
    arguments: &Arguments,
    common: &Common,
    terminal: bool,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<Option<OneStart>, Failure> {
    let mut choice = arguments.choice.clone();
    choice.warn(&arguments.file, common);
    if !terminal {
        return choice.one_start(&arguments.file, common).map(Some);
    }
    loop {
        let several = match choice.pick(&arguments.file, common) {
            Ok(Picked::One(one)) => return Ok(Some(*one)),
            Ok(Picked::Several(several)) => several,
            // a start that was typed just now may be typed again
            Err(_) if choice.start != arguments.choice.start => {
                choice.start.clone_from(&arguments.choice.start);
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let answered = if several.questions.is_empty() {
            ask_parameter(arguments, &mut choice, &several, common, input, output)?
        } else {
            ask_question(&mut choice, &several, input, output)?
        };
        if !answered {
            return Ok(None);
        }
    }
}

/// The most values of a parameter among which an answer is looked for.
const VALUES_LIMIT: usize = 1_000_000;

/// Asks for the first parameter that is open, unless it has one value only; `false` where there is no answer.
fn ask_parameter(
    arguments: &Arguments,
    choice: &mut choice::Choice,
    several: &Several,
    common: &Common,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<bool, Failure> {
    let loaded = choice::open(&arguments.file, &choice.changes(), common)?;
    for open in &several.parameters {
        for (problem, _) in &loaded.problems {
            let wanted = problem.questions.iter().filter(|question| choice.wants(problem, question));
            let Some((question, place)) =
                wanted.filter_map(|question| Some((question, place(question, &open.name)?))).next()
            else {
                continue;
            };
            let values = values(question, place).map_err(|halt| choice::failure(halt, problem, &loaded, common))?;
            if values.len() > VALUES_LIMIT {
                continue;
            }
            let value = match values.as_slice() {
                [] => return Err(Failure::usage(format!("the parameter {} has no values left", open.name))),
                [only] => *only,
                _ => match ask::value(&open.name, &values, input, output)? {
                    Some(value) => value,
                    None => return Ok(false),
                },
            };
            choice.set.push((open.name.clone(), value.to_string()));
            return Ok(true);
        }
    }
    // nothing here can be asked for: the message tells what is open
    choice.one_start(&arguments.file, common).map(|_| false)
}

fn place(question: &Question, name: &str) -> Option<usize> {
    question.given.iter().position(|parameter| parameter.name == name)
}

/// The values of a parameter where those before it have one value each; at most one more than the limit.
fn values(question: &Question, place: usize) -> Result<Vec<i64>, Halt> {
    let mut before: Vec<i64> = Vec::new();
    let mut values = Vec::new();
    for parameter in question.given.iter().take(place + 1) {
        values.clear();
        let range = Evaluator::new(&[], &before, question.slots, &mut Blind).range(
            &parameter.range,
            parameter.span,
            GIVEN_LIMIT,
        )?;
        for value in range {
            let mut with = before.clone();
            with.push(value);
            let mut passes = true;
            for condition in &parameter.conditions {
                passes = passes && Evaluator::new(&[], &with, question.slots, &mut Blind).bool(condition)?;
            }
            if passes && values.last() != Some(&value) {
                values.push(value);
            }
            if values.len() > VALUES_LIMIT {
                break;
            }
        }
        before.extend(values.first());
    }
    Ok(values)
}

/// Asks for a question or a start, where questions have different ones; `false` where there is no answer.
fn ask_question(
    choice: &mut choice::Choice,
    several: &Several,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<bool, Failure> {
    writeln!(output, "The questions have different starts: {}.", several.questions.join("; "))?;
    let prompt = format!("Which question, or which start ({})? ", several.state);
    loop {
        let Some(line) = ask::line(&prompt, input, output)? else { return Ok(false) };
        if several.questions.contains(&line) {
            choice.question = Some(line);
            return Ok(true);
        }
        if line.is_empty() {
            continue;
        }
        choice.start = Some(line);
        return Ok(true);
    }
}
