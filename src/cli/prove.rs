//! `gameproof prove`: games out of seeds, on which everything that answers is held against everything else.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::limits::Limits;
use super::signals::Signals;
use super::terminal::{print, say};
use super::{Common, Failure, status};
use crate::budget::Budget;
use crate::parallel;
use crate::random::{Effort, KINDS, Kind, Tally, Trial};

const EXAMPLES: &str = "Examples:
  gameproof prove --games 1000000 --seed 1
  gameproof prove --games 1 --seed 4711";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: u64,
    /// The seed of the first game; each other one has the next seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games of one kind alone
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(KINDS.map(|kind| kind.name)))]
    only: Option<String>,
}

/// So many games are played in one go.
const STRETCH: u64 = 200;

/// After so many disagreements the rest is not worth its time.
const ENOUGH: usize = 20;

/// What became of a stretch of games.
#[derive(Default)]
struct Played {
    tally: Tally,
    kinds: BTreeMap<&'static str, u64>,
    disagreements: Vec<String>,
}

pub(super) fn run(arguments: &Arguments, common: &Common, signals: &Signals) -> Result<u8, Failure> {
    let only = arguments.only.as_ref().and_then(|only| KINDS.into_iter().find(|kind| kind.name == only));
    let budget = Limits::default().budget(signals);
    // a panic is a disagreement, which is told with its game
    std::panic::set_hook(Box::new(|_| ()));
    let end = arguments.seed.saturating_add(arguments.games);
    let stretches: Vec<Range<u64>> = (arguments.seed..end)
        .step_by(usize::try_from(STRETCH).unwrap_or(1))
        .map(|from| from..from.saturating_add(STRETCH).min(end))
        .collect();
    let (mut all, mut told, mut written) = (Played::default(), 0, Ok(()));
    parallel::in_order(
        common.threads(),
        &stretches,
        |seeds| played(seeds.clone(), only, &budget),
        &mut |_: &Range<u64>, played: Played| {
            all.tally.add(&played.tally);
            played.kinds.iter().for_each(|(kind, count)| *all.kinds.entry(kind).or_default() += count);
            for disagreement in &played.disagreements {
                if written.is_ok() {
                    written = print(disagreement);
                }
            }
            all.disagreements.extend(played.disagreements);
            if all.disagreements.len() >= ENOUGH || written.is_err() {
                budget.stop(crate::budget::Limit::Time);
            }
            // twenty lines for all the work
            let part = all.tally.games * 20 / arguments.games.max(1);
            if part > told && !common.quiet {
                told = part;
                say(&format!(
                    "{} of {} games, {}",
                    all.tally.games,
                    arguments.games,
                    disagreements(all.disagreements.len())
                ));
            }
        },
    )
    .map_err(Failure::usage)?;
    written?;
    print(&told_of(&all))?;
    Ok(match budget.stopped() {
        Some(crate::budget::Limit::Interrupted) => status::INTERRUPTED,
        _ => u8::from(!all.disagreements.is_empty()),
    })
}

fn played(seeds: Range<u64>, only: Option<Kind>, budget: &Budget) -> Played {
    let trial = Trial::default();
    let mut played = Played::default();
    for seed in seeds {
        if budget.check().is_err() {
            break;
        }
        let (kind, found) = trial.seed(seed, only);
        *played.kinds.entry(kind.name).or_default() += 1;
        match found {
            Ok(tally) => played.tally.add(&tally),
            Err((disagreement, text)) => {
                played.tally.games += 1;
                let small = trial.shrink(&text, &disagreement, kind, Effort::of(seed));
                let only = only.map_or(String::new(), |kind| format!(" --only {}", kind.name));
                played.disagreements.push(format!(
                    "{}\nreplay with: gameproof prove --games 1 --seed {seed}{only}\n{small}\n",
                    disagreement.told
                ));
            }
        }
    }
    played
}

fn disagreements(count: usize) -> String {
    match count {
        0 => "no disagreement".to_owned(),
        1 => "1 disagreement".to_owned(),
        _ => format!("{count} disagreements"),
    }
}

/// One line of all that was done.
fn told_of(all: &Played) -> String {
    let listed = |counts: &BTreeMap<&'static str, u64>| {
        counts.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
    };
    let mut told = format!("{} games ({})", all.tally.games, listed(&all.kinds));
    let _ = writeln!(told, ": {}; {}", listed(&all.tally.counts), disagreements(all.disagreements.len()));
    told
}
