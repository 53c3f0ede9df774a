//! `gameproof solve`: the answers of one problem, without looking at keys.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::choice::Choice;
use super::limits::Limits;
use super::lookout::Lookout;
use super::signals::Signals;
use super::terminal::{buffer, print};
use super::{Common, Failure, Format, NAMES, engines, status};
use crate::bank::{self, BankFile};
use crate::budget::Limit;
use crate::check::{Checking, Finding, Verdict};
use crate::lang::Mistake;
use crate::report::{Tally, diagnostic, jsonl, template};
use crate::run::{Outcome, Run, open};

const EXAMPLES: &str = "Examples:
  gameproof solve problems/seeds/two-piles-to-65.ron
  gameproof solve problems/polyakov/006-010-two-piles-sum-series.ron --set n=70 --question 20";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The problem file
    file: PathBuf,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    limits: Limits,
    /// Which engines answer, with commas between
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "sum,table,memo", value_parser = NAMES)]
    engines: Vec<String>,
    /// What goes to standard output
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, common: &Common, signals: &Signals) -> Result<u8, Failure> {
    let budget = arguments.limits.budget(signals);
    let (files, _) = bank::find(std::slice::from_ref(&arguments.file), None);
    let path = arguments.file.clone();
    let id = files.first().map_or_else(|| path.display().to_string(), |file| file.id.clone());
    let file = BankFile { id, path };
    let changes = arguments.choice.changes();
    let loaded = open(&file, &changes);
    if let Some(failure) = loaded.as_ref().ok().and_then(|loaded| arguments.choice.left_open(loaded)) {
        return Err(failure);
    }
    arguments.choice.warn(&arguments.file, common);
    let lookout = Lookout::new(arguments.choice.clone(), common, signals);
    let run = Run {
        checking: Checking {
            engines: engines(&arguments.engines)?,
            walk_limit: 10_000_000,
            budget: &budget,
            keys: false,
            hints: true,
            certificates: None,
        },
        threads: 1,
        tags: Vec::new(),
        changes,
        watch: None,
        wanted: Box::new(|problem, question| arguments.choice.wants(problem, question)),
    };
    lookout.begin(&arguments.file, budget.work());
    let outcome = match loaded {
        Ok(loaded) => {
            let outcome = run.loaded(&file, &loaded, &budget);
            if outcome.findings.is_empty() {
                return Err(arguments.choice.nothing(&arguments.file, &loaded));
            }
            outcome
        }
        Err(findings) => Outcome { findings, matched: true, template: None },
    };
    lookout.end(&arguments.file);
    let mut tally = Tally::default();
    tally.count(&outcome.findings);
    match arguments.format {
        Format::Jsonl => print(&outcome.findings.iter().map(jsonl).collect::<String>())?,
        Format::Human => {
            let (writer, mut out) = buffer(common);
            if let Some(text) = outcome.template.as_ref().filter(|_| common.verbose) {
                template(&file.id, text, &mut out);
            }
            let mut told = None;
            for finding in &outcome.findings {
                answer(finding, &mut told, &mut out)?;
                if let Some(layout) = finding.layout.as_ref().filter(|_| common.verbose) {
                    writeln!(out, "  table: {layout}")?;
                }
            }
            writer.print(&out)?;
        }
    }
    if budget.stopped() == Some(Limit::Interrupted) {
        return Ok(status::INTERRUPTED);
    }
    Ok(tally.status(true))
}

/// One answer, or why there is none; a rule error that was `told` last is not told again.
fn answer<'f>(
    finding: &'f Finding,
    told: &mut Option<&'f Mistake>,
    out: &mut termcolor::Buffer,
) -> std::io::Result<()> {
    let question = finding.question.as_deref().unwrap_or_default();
    match (&finding.answer, &finding.error, finding.verdict) {
        (Some(answer), ..) => writeln!(out, "{question}: {answer}"),
        (None, Some(mistake), _) if *told == Some(mistake) => writeln!(out, "{question}: the same rule error"),
        (None, Some(mistake), _) => {
            if finding.question.is_some() {
                writeln!(out, "{question}: rule error")?;
            }
            diagnostic(mistake, out);
            *told = Some(mistake);
            Ok(())
        }
        (None, None, Verdict::Limit) => {
            let limit = finding.limit.map_or(String::new(), |limit| limit.to_string());
            writeln!(out, "{question}: no answer, {limit}")?;
            let looked_at = finding.looked_at();
            if looked_at > 0 {
                let seconds = finding.seconds.map_or(String::new(), |seconds| format!(" in {seconds} seconds"));
                writeln!(out, "  = {looked_at} positions were looked at{seconds}")?;
            }
            finding.size.iter().try_for_each(|size| writeln!(out, "  = {size}"))?;
            finding.runaway.iter().try_for_each(|found| writeln!(out, "  = {found}"))
        }
        _ => Ok(()),
    }
}
