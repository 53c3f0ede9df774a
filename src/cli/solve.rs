//! `gameproof solve`: the answers of one problem, without looking at keys.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::choice::Choice;
use super::terminal::{buffer, print};
use super::verify::{budget, watch};
use super::{Common, Failure, Format, NAMES, engines, status};
use crate::bank::BankFile;
use crate::check::{Checking, Finding, Verdict};
use crate::engine::on_own_stack;
use crate::report::{Tally, diagnostic, jsonl, template};
use crate::run::Run;

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
    /// Which engines answer, with commas between
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "sum,table,memo", value_parser = NAMES)]
    engines: Vec<String>,
    /// What goes to standard output
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, common: &Common) -> Result<u8, Failure> {
    let (files, _) = crate::bank::find(std::slice::from_ref(&arguments.file), None);
    let path = arguments.file.clone();
    let id = files.first().map_or_else(|| path.display().to_string(), |file| file.id.clone());
    let file = BankFile { id, path };
    let budget = budget(None);
    watch(&budget, None)?;
    let run = Run {
        checking: Checking {
            engines: engines(&arguments.engines)?,
            walk_limit: 10_000_000,
            budget: &budget,
            keys: false,
            certificates: None,
        },
        threads: 1,
        tags: Vec::new(),
        changes: arguments.choice.changes(),
        wanted: Box::new(|problem, question| arguments.choice.wants(problem, question)),
    };
    let outcome = on_own_stack(|| run.file(&file));
    if outcome.findings.is_empty() {
        return Err(arguments.choice.nothing(&arguments.file));
    }
    let mut tally = Tally::default();
    tally.count(&outcome.findings);
    match arguments.format {
        Format::Jsonl => print(&outcome.findings.iter().map(jsonl).collect::<String>())?,
        Format::Human => {
            let (writer, mut out) = buffer(common);
            if let Some(text) = outcome.template.as_ref().filter(|_| common.verbose) {
                template(&file.id, text, &mut out);
            }
            for finding in &outcome.findings {
                answer(finding, &mut out)?;
                if let Some(layout) = finding.layout.as_ref().filter(|_| common.verbose) {
                    writeln!(out, "  table: {layout}")?;
                }
            }
            writer.print(&out)?;
        }
    }
    if budget.stopped().is_some() {
        return Ok(status::INTERRUPTED);
    }
    Ok(tally.status(true))
}

fn answer(finding: &Finding, out: &mut termcolor::Buffer) -> std::io::Result<()> {
    let question = finding.question.as_deref().unwrap_or_default();
    match (&finding.answer, &finding.error, finding.verdict) {
        (Some(answer), ..) => writeln!(out, "{question}: {answer}"),
        (None, Some(mistake), _) => {
            if finding.question.is_some() {
                writeln!(out, "{question}: rule error")?;
            }
            diagnostic(mistake, out);
            Ok(())
        }
        (None, None, Verdict::Limit) => {
            writeln!(out, "{question}: no answer, {}", finding.limit.map_or(String::new(), |limit| limit.to_string()))
        }
        _ => Ok(()),
    }
}
