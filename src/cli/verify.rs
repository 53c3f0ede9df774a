//! `gameproof verify`: solve, cross-check, compare with the keys.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use clap::Args;

use super::certificates::Folder;
use super::choice::Choice;
use super::limits::Limits;
use super::lookout::Lookout;
use super::terminal::{Progress, ProgressKind, buffer, print, say};
use super::{Common, Failure, Format, NAMES, Selection, engines, record, status};
use crate::budget::{Budget, Limit};
use crate::check::{Checking, Finding};
use crate::claims::Claims;
use crate::problem::Changes;
use crate::report::{Tally, human, jsonl, template};
use crate::run::Run;

const EXAMPLES: &str = "Examples:
  gameproof verify problems
  gameproof verify problems --filter 'polyakov/*' --format jsonl";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// Which engines answer, with commas between; the first is believed, the others confirm it
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "sum,table,memo,walk,certificate,theorem", value_parser = NAMES)]
    engines: Vec<String>,
    /// Positions that the walker may visit for one question
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    walk_limit: u64,
    #[command(flatten)]
    limits: Limits,
    /// An answer that nothing could cross-check does not spoil the exit status
    #[arg(long)]
    allow_unchecked: bool,
    /// What goes to standard output
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
    /// How progress is shown on standard error
    #[arg(long, value_enum, default_value_t = ProgressKind::Auto)]
    progress: ProgressKind,
    /// Also write the certificates below the folder, as <id>.certificate, of a variant <id>@<variant>.certificate;
    /// of sums of games with @@sums before the end
    #[arg(long, value_name = "DIR")]
    certificate: Option<PathBuf>,
    /// Also write a dated record below the folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, common: &Common) -> Result<u8, Failure> {
    let (files, unreadable) = arguments.selection.files()?;
    for path in &unreadable {
        say(&format!("error: {}: {}", path.path, path.message));
    }
    let budget = arguments.limits.budget()?;
    let lookout = Lookout::new(Choice::default(), common);
    let folder = arguments.certificate.as_deref().map(Folder::new);
    let hand_out = |id: &str, variant: Option<&str>, claims: &Claims<'_>| {
        if let Some(folder) = &folder {
            folder.write(id, variant, claims);
        }
    };
    let run = Run {
        checking: Checking {
            engines: engines(&arguments.engines)?,
            walk_limit: arguments.walk_limit,
            budget: &budget,
            keys: true,
            certificates: if folder.is_some() { Some(&hand_out) } else { None },
        },
        threads: common.threads(),
        tags: arguments.selection.tag.clone(),
        changes: Changes::default(),
        wanted: Box::new(|_, _| true),
    };
    let mut progress = Progress::new(arguments.progress, common.quiet, files.len());
    let mut tally = Tally::default();
    let mut kept: Vec<Finding> = Vec::new();
    let mut templates: Vec<(String, String)> = Vec::new();
    let mut written = Ok(());
    run.all_watched(
        &files,
        &|file, begins| if begins { lookout.begin(&file.path) } else { lookout.end(&file.path) },
        |file, _| progress.step(&file.id),
        |file, outcome| {
            if !outcome.matched {
                return;
            }
            tally.count(&outcome.findings);
            if arguments.format == Format::Jsonl && written.is_ok() {
                written = print(&outcome.findings.iter().map(jsonl).collect::<String>());
                if written.is_err() {
                    budget.stop(Limit::Interrupted);
                }
            }
            if common.verbose {
                templates.extend(outcome.template.map(|text| (file.id.clone(), text)));
            }
            let keep = arguments.record.is_some() || arguments.format == Format::Human;
            if keep {
                kept.extend(outcome.findings);
            }
        },
    )
    .map_err(Failure::usage)?;
    progress.finish();
    written?;
    if arguments.format == Format::Human && tally.files > 0 {
        let (writer, mut out) = buffer(common);
        for (id, text) in &templates {
            template(id, text, &mut out);
        }
        human(&kept, &tally, common.verbose, &mut out);
        writer.print(&out)?;
    }
    drop(run);
    if let Some(folder) = folder {
        let told = folder.written().map_err(Failure::usage)?;
        if !common.quiet {
            say(&told);
        }
    }
    if let Some(folder) = &arguments.record {
        record::write(folder, &kept, common)?;
    }
    if budget.stopped() == Some(Limit::Interrupted) {
        return Ok(status::INTERRUPTED);
    }
    if tally.files == 0 && unreadable.is_empty() {
        say(&arguments.selection.unmatched());
        return Ok(status::NOTHING);
    }
    let found = tally.status(arguments.allow_unchecked);
    Ok(if unreadable.is_empty() || found == 1 { found } else { status::USAGE })
}

/// A budget of the given memory, or of half of the machine's.
pub(super) fn budget(memory: Option<u64>) -> Arc<Budget> {
    let half = || {
        // a system that cannot be asked is taken for a small one
        sysinfo::System::new().map_or(1 << 30, |mut system| {
            system.refresh_memory();
            system.total_memory() / 2
        })
    };
    Arc::new(Budget::new(memory.unwrap_or_else(half)))
}

/// Stops the run after a time, or when the user asks for it.
pub(super) fn watch(budget: &Arc<Budget>, time: Option<Duration>) -> Result<(), Failure> {
    let interrupted = Arc::clone(budget);
    ctrlc::set_handler(move || interrupted.stop(Limit::Interrupted))
        .map_err(|error| Failure::usage(format!("cannot listen for interruptions: {error}")))?;
    if let Some(time) = time {
        let late = Arc::clone(budget);
        std::thread::spawn(move || {
            // nothing is ever sent: this is a wait that the end of the program cuts short
            let (_keep, never) = mpsc::channel::<()>();
            let _ = never.recv_timeout(time);
            late.stop(Limit::Time);
        });
    }
    Ok(())
}

/// `500M`, `4G`, `2000000`.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    let allowed = || format!("{text:?} is no size; write a number of bytes, or one with K, M or G such as 500M");
    let upper = text.trim().to_ascii_uppercase();
    let upper = upper.strip_suffix("IB").or(upper.strip_suffix('B')).unwrap_or(&upper);
    let (digits, shift) = match upper.chars().last() {
        Some('K') => (&upper[..upper.len() - 1], 10),
        Some('M') => (&upper[..upper.len() - 1], 20),
        Some('G') => (&upper[..upper.len() - 1], 30),
        Some('T') => (&upper[..upper.len() - 1], 40),
        _ => (upper, 0),
    };
    let number: u64 = digits.trim().parse().map_err(|_| allowed())?;
    number.checked_mul(1 << shift).ok_or_else(allowed)
}

/// `60`, `0.5`.
pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let allowed = || format!("{text:?} is no time; write a number of seconds such as 60 or 0.5");
    let seconds: f64 = text.trim().parse().map_err(|_| allowed())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| allowed())
}
