//! `gameproof bench`: how fast the engines answer, each answer checked before it is timed.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::limits::{parse_seconds, parse_size};
use super::terminal::{Progress, ProgressKind, print, say};
use super::{Common, Failure, Selection, When, status};
use crate::bank::io_message;
use crate::bench::{Baselines, Entry, Limits, criterion, engines, page, plots, record, sample, summary};
use crate::check::Finding;
use crate::engine::on_own_stack;
use crate::problem::Changes;
use crate::report::diagnostic;
use crate::run::open;

const EXAMPLES: &str = "Examples:
  gameproof bench problems/seeds --engines memo,walk
  gameproof bench benches/problems --save-baseline before
  gameproof bench benches/problems --baseline before

Criterion keeps its plots and baselines in target/criterion, or in the folder that CRITERION_HOME names.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// Only these engines, with commas between [default: all that answer]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    engines: Vec<String>,
    /// Positions that a walker may visit for one question
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    walk_limit: u64,
    /// Memory for one engine, such as 500M or 4G
    #[arg(long, value_name = "SIZE", value_parser = parse_size, default_value = "1G")]
    memory_limit: u64,
    /// Seconds for one engine to answer a file once [default: 10, with --quick 1]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time_limit: Option<Duration>,
    /// A few short runs, to see that it works
    #[arg(long)]
    quick: bool,
    /// Keep the times under a name
    #[arg(long, value_name = "NAME", conflicts_with = "baseline", value_parser = parse_name)]
    save_baseline: Option<String>,
    /// Compare with the times kept under a name
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    baseline: Option<String>,
    /// Also write the summary below the folder, in a folder named after today
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, common: &Common) -> Result<u8, Failure> {
    quietly_where_nobody_reads();
    let engines = arguments.engines()?;
    let time = arguments.time_limit.unwrap_or(Duration::from_secs(if arguments.quick { 1 } else { 10 }));
    let limits = Limits { memory: arguments.memory_limit, walk: arguments.walk_limit, time, question: None };
    let (entries, told) = arguments.entries(&engines, &limits, common)?;
    if entries.is_empty() && told == 0 {
        say("error: no problem matched");
        return Ok(status::NOTHING);
    }
    let baselines = Baselines { save: arguments.save_baseline.clone(), compare: arguments.baseline.clone() };
    let mut criterion = criterion(arguments.quick, common.color == When::Always, &baselines);
    on_own_stack(|| sample(&mut criterion, &entries, &limits));
    let mut progress = Progress::new(ProgressKind::Auto, common.quiet, entries.len());
    let text = on_own_stack(|| summary(&entries, &limits, arguments.quick, |id| progress.step(id)));
    progress.finish();
    print(&text)?;
    if let Some(folder) = &arguments.record {
        let command: Vec<String> = std::env::args().skip(1).collect();
        let page = page("The engines beside each other", &format!("gameproof {}", command.join(" ")), &text);
        let path = record(folder, "bench", &page, &plots(&entries))
            .map_err(|error| Failure::usage(format!("cannot write {}: {}", folder.display(), io_message(&error))))?;
        say(&format!("recorded in {}", path.display()));
    }
    let unanswered = entries.iter().any(|entry| entry.fits.is_empty());
    Ok(if told == 0 && unanswered { status::LIMIT } else { told })
}

impl Arguments {
    fn engines(&self) -> Result<Vec<&'static str>, Failure> {
        let known: Vec<&'static str> = engines().collect();
        if let Some(unknown) = self.engines.iter().find(|name| !known.contains(&name.as_str())) {
            let message = format!("--engines: {unknown:?} is none; allowed are {}", known.join(", "));
            return Err(Failure::usage(message));
        }
        let chosen = |name: &&'static str| self.engines.is_empty() || self.engines.iter().any(|asked| asked == name);
        Ok(known.into_iter().filter(chosen).collect())
    }

    /// The files whose answers are right, and the exit status that what is wrong with the others calls for.
    fn entries(
        &self,
        engines: &[&'static str],
        limits: &Limits<'_>,
        common: &Common,
    ) -> Result<(Vec<Entry>, u8), Failure> {
        let (files, unreadable) = self.selection.files()?;
        let mut told = if unreadable.is_empty() { 0 } else { status::USAGE };
        unreadable.iter().for_each(|path| say(&format!("error: {}: {}", path.path, path.message)));
        let mut entries = Vec::new();
        let mut progress = Progress::new(ProgressKind::Auto, common.quiet, files.len());
        for file in &files {
            progress.step(&file.id);
            let loaded = match on_own_stack(|| open(file, &Changes::default())) {
                Ok(loaded) => loaded,
                Err(findings) => {
                    told = if told == 0 { status::USAGE } else { told };
                    mistakes(&findings, common)?;
                    continue;
                }
            };
            let tags = &self.selection.tag;
            if !tags.is_empty() && !tags.iter().any(|tag| loaded.tags.contains(tag)) {
                continue;
            }
            let entry = on_own_stack(|| Entry::new(&file.id, loaded, engines, limits));
            match entry.wrong() {
                None => entries.push(entry),
                Some(wrong) => {
                    told = 1;
                    say(&format!("error: {}: not timed, {wrong}", file.id));
                }
            }
        }
        progress.finish();
        Ok((entries, told))
    }
}

fn mistakes(findings: &[Finding], common: &Common) -> Result<(), Failure> {
    let (writer, mut out) = super::terminal::warnings(common);
    findings.iter().filter_map(|finding| finding.error.as_ref()).for_each(|mistake| diagnostic(mistake, &mut out));
    Ok(writer.print(&out)?)
}

/// The name of a baseline becomes the name of a folder.
fn parse_name(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    // criterion uses these names itself
    let taken = ["new", "change", "report"].contains(&text);
    if text.is_empty() || taken || !text.chars().all(plain) {
        return Err(format!("{text:?} is no name; write letters, digits, - and _, but not new, change or report"));
    }
    Ok(text.to_owned())
}

/// Criterion prints by itself and panics where nobody reads; a closed pipe is to end the program quietly.
fn quietly_where_nobody_reads() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let told = panic.payload_as_str().unwrap_or_default();
        if told.starts_with("failed printing to std") {
            std::process::exit(0);
        }
        usual(panic);
    }));
}
