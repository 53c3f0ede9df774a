//! The command line: arguments, one file for each command. The only place that prints.
//!
//! To add a command: write one file below `cli/` with its arguments and its `run`, and add it to `Command`.

mod bench;
mod certificates;
mod check;
mod choice;
mod explain;
mod limits;
mod list;
mod lookout;
mod nim;
mod play;
mod prove;
mod record;
mod signals;
mod solve;
mod terminal;
mod tree;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand, ValueEnum};
use globset::{Glob, GlobSet, GlobSetBuilder};

use crate::bank::{self, BankFile, Unreadable};
use crate::engine::{CHECKERS, ENGINES, on_own_stack};

/// Proves the answer keys of game problems.
#[derive(Debug, Parser)]
#[command(name = "gameproof", version, about, long_about = LONG_ABOUT, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

const EXAMPLES: &str = "Examples:
  gameproof verify problems
  gameproof solve problems/seeds/two-piles-to-65.ron
  gameproof list problems --tag two-piles";

const LONG_ABOUT: &str = "Proves the answer keys of game problems: every question of a bank of problem files is \
solved by a fast engine and by a naive walker, the answers are cross-checked and compared with the key.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Solve problems, cross-check the answers and compare them with the keys
    Verify(verify::Arguments),
    /// Print the answers to the questions of one problem, without looking at keys
    Solve(solve::Arguments),
    /// Verify a certificate with the reference evaluator alone
    Check(check::Arguments),
    /// Play a game against the machine, or a puzzle alone
    Play(play::Arguments),
    /// List problems with their titles, tags and questions, solving nothing
    List(list::Arguments),
    /// Show the tree of a game: every play from one start
    Tree(tree::Arguments),
    /// Say why the answers of one problem are right, in words that a pupil could hand in
    Explain(explain::Arguments),
    /// Print a winning first move in the match game
    Nim(nim::Arguments),
    /// Time the engines on problems, each answer checked before
    Bench(bench::Arguments),
    /// Hold all engines against each other on random games
    #[command(hide = true)]
    Prove(prove::Arguments),
}

/// Options of every command.
#[derive(Debug, Args)]
struct Common {
    /// When to use colours
    #[arg(long, value_enum, default_value_t = When::Auto, global = true)]
    color: When,
    /// Tell less
    #[arg(short, long, global = true)]
    quiet: bool,
    /// Tell more
    #[arg(short, long, global = true)]
    verbose: bool,
    /// How many threads [default: all cores]
    #[arg(long, value_name = "N", global = true, value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl Common {
    fn threads(&self) -> usize {
        self.threads.map_or(0, usize::from)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Human,
    /// One JSON object a line
    Jsonl,
}

/// Which problems.
#[derive(Debug, Args)]
struct Selection {
    /// Problem files, or folders searched for *.ron [default: problems]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The folder that ids are relative to
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Only ids that match the pattern; repeatable
    #[arg(long, value_name = "GLOB")]
    filter: Vec<String>,
    /// Only problems with the tag; repeatable
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
}

/// What `--engines` may name.
const NAMES: [&str; 6] = [ENGINES[0], ENGINES[1], ENGINES[2], ENGINES[3], CHECKERS[0], CHECKERS[1]];

/// The names of `--engines`, each known, and such that something answers.
fn engines(asked: &[String]) -> Result<Vec<&'static str>, Failure> {
    let known = ENGINES.into_iter().chain(CHECKERS);
    let engines: Vec<&'static str> = known.filter(|name| asked.iter().any(|asked| asked == name)).collect();
    let confirms = |name: &&str| CHECKERS.contains(name);
    if engines.iter().all(confirms) {
        return Err(Failure::usage(
            "--engines: a certificate or a theorem confirms what an engine answers; write memo,certificate",
        ));
    }
    Ok(engines)
}

/// Exit statuses, as the documentation of the command line lists them.
mod status {
    pub(super) const USAGE: u8 = 2;
    pub(super) const LIMIT: u8 = 3;
    pub(super) const NOTHING: u8 = 4;
    pub(super) const INTERRUPTED: u8 = 130;
}

/// Why a command ends before its work: what to say, and the exit status.
#[derive(Debug)]
struct Failure {
    message: String,
    status: u8,
}

impl Failure {
    fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), status: status::USAGE }
    }
}

impl Failure {
    /// Tells it, unless there is nothing to say; the exit status.
    fn told(&self) -> u8 {
        if !self.message.is_empty() {
            terminal::say(&format!("error: {}", self.message));
        }
        self.status
    }
}

impl From<std::io::Error> for Failure {
    /// A closed pipe ends the program quietly; anything else is told.
    fn from(error: std::io::Error) -> Self {
        let closed = error.kind() == std::io::ErrorKind::BrokenPipe;
        Self {
            message: if closed { String::new() } else { format!("cannot write: {}", bank::io_message(&error)) },
            status: if closed { 0 } else { status::USAGE },
        }
    }
}

/// Runs the program and returns its exit status.
#[must_use]
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let status = if error.use_stderr() { status::USAGE } else { 0 };
            // nobody may be listening, and there is nowhere else to tell a wrong usage
            let told = error.print().map_or_else(|error| Failure::from(error).told(), |()| 0);
            return ExitCode::from(status.max(told));
        }
    };
    let done = signals::Signals::listen().and_then(|signals| command(cli.command, &cli.common, &signals));
    match done {
        Ok(status) => ExitCode::from(status),
        Err(failure) => ExitCode::from(failure.told()),
    }
}

fn command(command: Command, common: &Common, signals: &signals::Signals) -> Result<u8, Failure> {
    match command {
        Command::Verify(arguments) => verify::run(&arguments, common, signals),
        Command::Solve(arguments) => solve::run(&arguments, common, signals),
        Command::Check(arguments) => on_own_stack(|| check::run(&arguments, common, signals)),
        Command::Play(arguments) => on_own_stack(|| play::run(&arguments, common)),
        Command::List(arguments) => list::run(&arguments, common),
        Command::Tree(arguments) => on_own_stack(|| tree::run(&arguments, common, signals)),
        Command::Explain(arguments) => on_own_stack(|| explain::run(&arguments, common, signals)),
        Command::Nim(arguments) => nim::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments, common),
        Command::Prove(arguments) => prove::run(&arguments, common, signals),
    }
}

impl Selection {
    /// The files, by id, and the paths that cannot be read.
    fn files(&self) -> Result<(Vec<BankFile>, Vec<Unreadable>), Failure> {
        let default = [PathBuf::from("problems")];
        let paths = if self.paths.is_empty() { &default[..] } else { &self.paths };
        let (mut files, unreadable) = bank::find(paths, self.root.as_deref());
        if !self.filter.is_empty() {
            let filter = self.globs()?;
            files.retain(|file| filter.is_match(&file.id));
        }
        Ok((files, unreadable))
    }

    /// What to say where no problem matched.
    fn unmatched(&self) -> String {
        let default = [PathBuf::from("problems")];
        let paths = if self.paths.is_empty() { &default[..] } else { &self.paths };
        let (files, _) = bank::find(paths, self.root.as_deref());
        let mut message = "error: no problem matched".to_owned();
        match files.first() {
            None => {
                let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
                message.push_str(&format!("\n  = there is no file *.ron in {}", paths.join(", ")));
            }
            Some(first) => {
                if !self.filter.is_empty() {
                    let id = &first.id;
                    message.push_str(&format!("\n  = --filter chooses by the whole id; here an id looks like `{id}`"));
                }
                if !self.tag.is_empty() {
                    message.push_str("\n  = `gameproof list` shows the tags of each problem");
                }
            }
        }
        message
    }

    fn globs(&self) -> Result<GlobSet, Failure> {
        let mut globs = GlobSetBuilder::new();
        for pattern in &self.filter {
            let glob =
                Glob::new(pattern).map_err(|error| Failure::usage(format!("--filter {pattern}: {}", error.kind())))?;
            globs.add(glob);
        }
        globs.build().map_err(|error| Failure::usage(format!("--filter: {error}")))
    }
}
