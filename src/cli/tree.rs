//! `gameproof tree`: the tree of a game from one start, complete or as the winner's strategy.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use dashu_int::UBig;

use super::choice::{Choice, OneStart, failure, over};
use super::limits::Limits;
use super::lookout::Lookout;
use super::signals::Signals;
use super::terminal::{print, say};
use super::{Common, Failure, status};
use crate::budget::{Budget, Limit};
use crate::engine::{self, Engine, on_own_stack};
use crate::game::{Compiled, shown};
use crate::lang::tree::Quantity;
use crate::lang::{Halt, Stop};
use crate::runaway;
use crate::tree::{BOX_LIMIT, Broken, Picture, Plays, Walk, dot, svg};
use crate::value::Outcome;

const EXAMPLES: &str = "Examples:
  gameproof tree problems/seeds/token-past-9.ron
  gameproof tree problems/seeds/two-piles-to-17.ron --strategy --format svg > tree.svg

Each line of `plays` is one play: its positions, and at the end `1 win`, `2 win` or `draw`. A line that --plies cuts \
ends in `...`.

Reaching the goal of a puzzle stops nothing: a line goes on until no move is left, and ends in `goal` if its last \
position is one, else in `stuck`. With --strategy there is one line, a shortest way to the goal.

In the pictures the first player moves at rounded boxes and the second at square ones, a double border is the end of \
play, and thick lines are the winner's winning moves. `dot` is for Graphviz.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The problem file
    file: PathBuf,
    #[command(flatten)]
    choice: Choice,
    /// Keep one winning move where the winner moves, a fastest one, and every move where the loser does
    #[arg(long)]
    strategy: bool,
    /// Cut each line after N moves
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    plies: Option<usize>,
    #[command(flatten)]
    limits: Limits,
    /// What goes to standard output
    #[arg(long, value_enum, default_value_t = Form::Plays)]
    format: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// One play a line
    Plays,
    /// Text for Graphviz
    Dot,
    /// A picture
    Svg,
}

pub(super) fn run(arguments: &Arguments, common: &Common, signals: &Signals) -> Result<u8, Failure> {
    let budget = arguments.limits.budget(signals);
    let one = arguments.choice.one_start(&arguments.file, common)?;
    arguments.choice.warn(&arguments.file, common);
    let lookout = Lookout::new(arguments.choice.clone(), common, signals);
    lookout.begin(&arguments.file, budget.work());
    on_own_stack(|| Grower { arguments, one: &one, budget: &budget, common }.grow())?;
    Ok(if budget.stopped() == Some(Limit::Interrupted) { status::INTERRUPTED } else { 0 })
}

struct Grower<'a> {
    arguments: &'a Arguments,
    one: &'a OneStart,
    budget: &'a Budget,
    common: &'a Common,
}

impl Grower<'_> {
    fn grow(&self) -> Result<(), Failure> {
        let rules = &self.one.problem().rules;
        let mut engine = self.engine();
        if self.arguments.strategy {
            self.has_strategy(engine.as_mut())?;
        } else if self.arguments.plies.is_none() {
            self.ends(engine.as_mut())?;
            self.many(engine.as_mut());
            // the walk needs nothing of what was found
            engine = self.engine();
        }
        let mut game = if self.one.sum() { Compiled::sum(rules) } else { Compiled::new(rules) };
        let mut walk = Walk {
            game: &mut game,
            puzzle: rules.puzzle,
            plies: self.arguments.plies,
            strategy: if self.arguments.strategy { Some(engine.as_mut()) } else { None },
            budget: self.budget,
        };
        let start = &self.one.start;
        if self.arguments.format == Form::Plays {
            let mut plays = Plays::new(rules, BufWriter::new(std::io::stdout().lock()));
            let walked = walk.walk(start, &mut plays);
            // what is complete is shown, whatever comes after it
            let flushed = plays.into_inner().flush();
            walked.map_err(|broken| self.failure(broken))?;
            return Ok(flushed?);
        }
        let picture = Picture::new(&self.one.problem().title, rules, &mut walk, start);
        let picture = picture.map_err(|broken| self.failure(broken))?;
        let text = if self.arguments.format == Form::Dot { dot(&picture) } else { svg(&picture) };
        Ok(print(&text)?)
    }

    fn engine(&self) -> Box<dyn Engine + '_> {
        engine::fast(&self.one.problem().rules, self.one.sum(), self.budget, self.budget)
    }

    /// There is a winner whose strategy can be shown, or a solution.
    fn has_strategy(&self, engine: &mut dyn Engine) -> Result<(), Failure> {
        let rules = &self.one.problem().rules;
        let start = &self.one.start;
        let at = shown(rules, start);
        if rules.puzzle {
            if rules.goal.is_none() {
                return Err(Failure::usage("--strategy: the puzzle has no `goal`"));
            }
            return match engine.quantity(start, Quantity::Distance).map_err(|halt| self.halted(halt))? {
                Some(_) => Ok(()),
                None => Err(Failure::usage(format!("--strategy: no moves lead from {at} to the goal"))),
            };
        }
        match engine.outcome(start).map_err(|halt| self.halted(halt))? {
            Outcome::Draw => Err(Failure::usage(format!(
                "--strategy: neither player can force a win from {at}; the tree without --strategy can be shown"
            ))),
            Outcome::Win | Outcome::Loss => Ok(()),
        }
    }

    /// Every play ends.
    fn ends(&self, engine: &mut dyn Engine) -> Result<(), Failure> {
        match engine.longest_play(&self.one.start) {
            Ok(Some(_)) => Ok(()),
            Ok(None) => {
                let at = shown(&self.one.problem().rules, &self.one.start);
                Err(Failure::usage(format!("play from {at} need not end; cut it after so many moves with --plies N")))
            }
            Err(Halt::Stop(stop)) => match *stop {
                Stop::Limit(limit) if limit != Limit::Interrupted => {
                    let Failure { message, status } = over(limit);
                    let runaway = self.runaway(limit);
                    let message =
                        format!("{message} before it was known that play ends; cut it with --plies N{runaway}");
                    Err(Failure { message, status })
                }
                _ => Err(self.halted(Halt::Stop(stop))),
            },
            Err(halt) => Err(self.halted(halt)),
        }
    }

    /// Says how many plays will be printed, where they are many.
    fn many(&self, engine: &mut dyn Engine) {
        /// So many lines are read by nobody.
        const MANY: u32 = 1_000_000;
        if self.common.quiet || self.arguments.format != Form::Plays {
            return;
        }
        // a limit that is met in counting stops no listing
        if let Ok(Some(plays)) = engine.plays(&self.one.start)
            && plays.total > UBig::from(MANY)
        {
            let total = plays.total;
            say(&format!("note: there are {total} plays, one a line; --plies N cuts them, --strategy shows one side"));
        }
    }

    fn failure(&self, broken: Broken) -> Failure {
        match broken {
            Broken::Halt(halt) => self.halted(halt),
            Broken::Write(error) => error.into(),
            Broken::Boxes => Failure {
                message: format!(
                    "the tree has more than {BOX_LIMIT} positions, which is too many for a picture; \
                     cut it with --plies N, show one --strategy, or take --format plays"
                ),
                status: status::LIMIT,
            },
        }
    }

    fn halted(&self, halt: Halt) -> Failure {
        let limit = match &halt {
            Halt::Stop(stop) => {
                if let Stop::Limit(limit) = stop.as_ref() {
                    Some(*limit)
                } else {
                    None
                }
            }
            Halt::Missing => None,
        };
        let Failure { message, status } = failure(halt, self.one.problem(), &self.one.loaded, self.common);
        Failure { message: message + &limit.map_or(String::new(), |limit| self.runaway(limit)), status }
    }

    /// A guess why a limit was met.
    fn runaway(&self, limit: Limit) -> String {
        let start = Some(&self.one.start).filter(|_| runaway::may_be_met(limit));
        let found = start.and_then(|start| runaway::of_position(start, &self.one.problem().rules));
        found.map_or(String::new(), |found| format!("\n  = {found}"))
    }
}
