//! `gameproof check`: verifies a certificate with the reference evaluator alone.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufReader, Write};
use std::path::PathBuf;

use clap::Args;

use super::choice::over;
use super::limits::Limits;
use super::signals::Signals;
use super::terminal::{buffer, say};
use super::{Common, Failure, status};
use crate::bank::{self, BankFile};
use crate::budget::Share;
use crate::certificate::{self, Refusal, Witness};
use crate::lang::{Halt, Stop};
use crate::problem::{Changes, load};
use crate::question::{Naive, accepts};
use crate::report::diagnostic;

const EXAMPLES: &str = "Example:
  gameproof verify problems --certificate certificates
  gameproof check problems/seeds/two-piles-to-65.ron certificates/seeds/two-piles-to-65.certificate";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The problem file
    file: PathBuf,
    /// The certificate, as `verify --certificate` wrote it
    certificate: PathBuf,
    #[command(flatten)]
    limits: Limits,
}

/// How many bytes of memory a byte of a certificate takes.
const IN_MEMORY: u64 = 8;

pub(super) fn run(arguments: &Arguments, common: &Common, signals: &Signals) -> Result<u8, Failure> {
    let shown = arguments.certificate.display();
    let (writer, mut out) = buffer(common);
    let source = bank::read(&arguments.file).map_err(|mistake| vec![mistake]);
    let loaded = match source.and_then(|source| load(&source, &Changes::default())) {
        Ok(loaded) => loaded,
        Err(mistakes) => {
            mistakes.iter().for_each(|mistake| diagnostic(mistake, &mut out));
            writer.print(&out)?;
            return Ok(status::USAGE);
        }
    };
    let file = BankFile { id: String::new(), path: arguments.certificate.clone() };
    if file.path.is_dir() {
        return Err(Failure::usage(format!("{shown}: it is a folder, not a certificate")));
    }
    let opened =
        File::open(&file.path).map_err(|error| Failure::usage(format!("{shown}: {}", bank::io_message(&error))))?;
    let budget = arguments.limits.budget(signals);
    // held as numbers a certificate takes some times as much as in the file
    let mut share = Share::new(&budget);
    let bytes = opened.metadata().map_or(0, |facts| facts.len());
    share.resize(bytes.saturating_mul(IN_MEMORY)).map_err(over)?;
    let refused = |message: String| Failure { message: format!("{shown} is refused: {message}"), status: 1 };
    let certificate = certificate::read(&mut BufReader::new(opened)).map_err(refused)?;
    let problem = loaded.problems.iter().find(|(problem, _)| problem.variant == certificate.variant);
    let Some((problem, keys)) = problem else {
        let (id, variant) = (&certificate.problem, certificate.variant.as_deref().unwrap_or_default());
        return Err(refused(format!("it was made for `{id}`, variant \"{variant}\", which the problem has not")));
    };
    let (id, file) = (&certificate.problem, arguments.file.display());
    let other = id.rsplit('/').next().map(OsStr::new) != arguments.file.file_stem();
    let claims = certificate.claims();
    certificate::check(&claims, &problem.rules, &budget).map_err(|refusal| match refusal {
        Refusal::Limit(limit) => over(limit),
        told if other => refused(format!("it was made for `{id}` and does not fit {file}: {told}")),
        told => refused(format!("the rules of {file} have changed since it was made, or it is damaged: {told}")),
    })?;
    if other && !common.quiet {
        say(&format!("note: {shown} was made for `{id}`; it is held against {file}"));
    }
    let (mut wrong, mut failed, mut uncovered) = (false, false, false);
    // sums have a certificate of their own
    let questions = problem.questions.iter().zip(keys);
    for (question, key) in questions.filter(|(question, _)| question.sum == claims.sum) {
        let mut witness = Witness::new(&claims, &problem.rules).within(&budget);
        let rules = &problem.rules;
        match question.ask.walk(&mut Naive { question, rules, walker: &mut witness, thorough: true }) {
            Ok(answer) => {
                let verdict = match key {
                    None => String::new(),
                    Some(key) if accepts(&answer, &key.key) => ", the key is right".to_owned(),
                    Some(key) => {
                        wrong = true;
                        format!(", the key {} is wrong", key.written)
                    }
                };
                writeln!(out, "{}: {answer}{verdict}", question.label)?;
            }
            Err(Halt::Stop(stop)) => match *stop {
                Stop::Limit(limit) => {
                    uncovered = true;
                    writeln!(out, "{}: no answer, {limit}", question.label)?;
                }
                Stop::Rule(error) => {
                    failed = true;
                    writeln!(out, "{}: no answer, a rule error: {}", question.label, error.fault)?;
                }
            },
            Err(Halt::Missing) => writeln!(out, "{}: \"none\"", question.label)?,
        }
    }
    writer.print(&out)?;
    if !common.quiet {
        let listed = certificate.positions.len()
            + certificate.lines.as_ref().map_or(0, |claim| claim.lines.len())
            + certificate.regions.iter().map(crate::claims::Region::len).sum::<usize>();
        let positions = if listed == 1 { "position" } else { "positions" };
        say(&format!("{shown} holds: {listed} {positions} checked"));
    }
    Ok(match (wrong, failed, uncovered) {
        (true, ..) => 1,
        (_, true, _) => status::USAGE,
        (_, _, true) => 3,
        _ => 0,
    })
}
