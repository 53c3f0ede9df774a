//! `gameproof explain`: the answers of one problem, and why they are right, in words that a pupil could hand in.

use std::path::PathBuf;

use clap::Args;

use super::choice::{Choice, Untold, open};
use super::limits::Limits;
use super::lookout::Lookout;
use super::signals::Signals;
use super::terminal::print;
use super::{Common, Failure, status};
use crate::budget::{Budget, Limit};
use crate::explain::{Explainer, introduction, legend};

const EXAMPLES: &str = "Examples:
  gameproof explain problems/seeds/two-piles-to-65.ron --question 20
  gameproof explain problems/seeds/two-piles-to-65.ron --question 21 --set s=18

Each question is told with its answer and the reasons: the winning first move and an answer to every reply; for a \
question over a parameter why its values fit and their neighbours do not; for Nim the binary columns; for a puzzle a \
solution. Where the file has a key, it is told whether it is right, and if not, why; with --set or --start no key is \
looked at.

`W2` is a position that the player to move wins by making at most 2 moves, `L1` one that he loses to one move of the \
other player.";

/// Memory for reasons that the answers do not need.
const SMALL: u64 = 128 << 20;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The problem file
    file: PathBuf,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    limits: Limits,
}

pub(super) fn run(arguments: &Arguments, common: &Common, signals: &Signals) -> Result<u8, Failure> {
    let budget = arguments.limits.budget(signals);
    let loaded = open(&arguments.file, &arguments.choice.changes(), common)?;
    if let Some(failure) = arguments.choice.left_open(&loaded) {
        return Err(failure);
    }
    arguments.choice.warn(&arguments.file, common);
    let lookout = Lookout::new(arguments.choice.clone(), common, signals);
    lookout.begin(&arguments.file, budget.work());
    let small = Budget::new(SMALL);
    let wanted = |problem: &_, question: &_| arguments.choice.wants(problem, question);
    // a key belongs to the problem as it is written
    let changed = !arguments.choice.set.is_empty() || arguments.choice.start.is_some();
    let mut told = 0;
    let mut least: Option<u8> = None;
    let mut classes = false;
    let mut untold = Untold::new(&loaded);
    for (problem, keys) in &loaded.problems {
        let questions = problem.questions.iter().zip(keys).filter(|(question, _)| wanted(problem, question));
        let mut explainer = Explainer::new(problem, &loaded.source, &budget, &small);
        for (question, key) in questions {
            if told == 0 {
                print(&introduction(problem))?;
            }
            told += 1;
            match explainer.explain(question, key.as_ref().filter(|_| !changed)) {
                Ok(explained) => {
                    classes |= explained.classes;
                    print(&format!("\n{}", explained.text))?;
                }
                Err(halt) => {
                    print(&format!("\nQuestion {}: {}\n", question.label, question.text.trim()))?;
                    let status = untold.rule_or_limit(halt, problem, question, common)?;
                    least = Some(least.map_or(status, |least| least.min(status)));
                }
            }
            match budget.stopped() {
                None => {}
                Some(Limit::Interrupted) => return Ok(status::INTERRUPTED),
                Some(_) => return Ok(status::LIMIT),
            }
        }
    }
    if told == 0 {
        return Err(arguments.choice.nothing(&arguments.file, &loaded));
    }
    if classes {
        print(&format!("\n{}", legend()))?;
    }
    Ok(least.unwrap_or(0))
}
