//! `gameproof verify`: solve, cross-check, compare with the keys.

use std::io;
use std::path::PathBuf;
use std::process::exit;
use std::time::Instant;

use clap::Args;
use termcolor::Buffer;

use super::certificates::Folder;
use super::choice::{Choice, over};
use super::limits::Limits;
use super::lookout::Lookout;
use super::record::Record;
use super::signals::Signals;
use super::terminal::{Progress, ProgressKind, blank, print_unless, say};
use super::{Common, Failure, Format, NAMES, Selection, engines, status};
use crate::bank::{BankFile, io_message};
use crate::budget::{Budget, Limit};
use crate::check::{Checking, not_looked_at};
use crate::claims::Claims;
use crate::parallel::Taker;
use crate::problem::Changes;
use crate::report::{Report, Tally, jsonl, record_lines, template};
use crate::run::{Outcome, Run};

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

pub(super) fn run(arguments: &Arguments, common: &Common, signals: &Signals) -> Result<u8, Failure> {
    let engines = engines(&arguments.engines)?;
    let (files, unreadable) = arguments.selection.files()?;
    for path in &unreadable {
        say(&format!("error: {}: {}", path.path, path.message));
    }
    let budget = arguments.limits.budget(signals);
    let mut list = budget.hold();
    list.resize(files.iter().map(BankFile::bytes).sum()).map_err(over)?;
    signals.leave();
    let lookout = Lookout::new(Choice::default(), common, signals);
    let folder = arguments.certificate.as_deref().map(Folder::new);
    let hand_out = |id: &str, variant: Option<&str>, claims: &Claims<'_>| {
        if let Some(folder) = &folder {
            folder.write(id, variant, claims);
        }
    };
    let run = Run {
        checking: Checking {
            engines,
            walk_limit: arguments.walk_limit,
            budget: &budget,
            keys: true,
            hints: true,
            certificates: if folder.is_some() { Some(&hand_out) } else { None },
        },
        threads: common.threads(),
        tags: arguments.selection.tag.clone(),
        changes: Changes::default(),
        watch: Some(&lookout),
        wanted: Box::new(|_, _| true),
    };
    let blank = blank(common);
    let mut desk = Desk {
        arguments,
        common,
        signals,
        budget: &budget,
        folder: folder.as_ref(),
        failed: !unreadable.is_empty(),
        progress: Progress::new(arguments.progress, common.quiet, files.len()),
        tally: Tally::default(),
        report: Report::new(common.verbose, &blank),
        templates: blank(),
        record: arguments.record.as_deref().map(Record::new),
        written: Ok(()),
    };
    let digest = |file: &BankFile, outcome: Outcome| Digest::of(file, &outcome, arguments, common, &blank);
    run.all(&files, &digest, &mut desk).map_err(Failure::usage)?;
    Ok(desk.end())
}

/// What is kept of a file: what will be shown of it, and no more.
struct Digest {
    tally: Tally,
    /// The file was left out by its tags.
    left_out: bool,
    /// It was not looked at, since the run was stopped.
    unread: bool,
    lines: String,
    record: String,
    report: Option<Report>,
    template: Option<Buffer>,
}

impl Digest {
    fn of(
        file: &BankFile,
        outcome: &Outcome,
        arguments: &Arguments,
        common: &Common,
        blank: &dyn Fn() -> Buffer,
    ) -> Self {
        let findings = &outcome.findings;
        let human = arguments.format == Format::Human;
        let mut tally = Tally::default();
        if outcome.matched {
            tally.count(findings);
        }
        let template = outcome.template.as_ref().filter(|_| common.verbose && human && outcome.matched);
        Self {
            left_out: !outcome.matched,
            unread: tally.unread > 0,
            tally,
            lines: if human { String::new() } else { findings.iter().map(jsonl).collect() },
            record: if arguments.record.is_some() { record_lines(findings) } else { String::new() },
            report: Some(Report::new(common.verbose, blank)).filter(|_| human).and_then(|mut report| {
                report.add(findings);
                (!report.is_empty()).then_some(report)
            }),
            template: template.map(|text| {
                let mut out = blank();
                super::verify::template(&file.id, text, &mut out);
                out
            }),
        }
    }
}

/// Gathers what was found, and ends the run.
struct Desk<'a> {
    arguments: &'a Arguments,
    common: &'a Common,
    signals: &'a Signals,
    budget: &'a Budget,
    folder: Option<&'a Folder>,
    /// Something could not be read or written, which has been told.
    failed: bool,
    progress: Progress,
    tally: Tally,
    report: Report,
    templates: Buffer,
    record: Option<Record>,
    /// The first failure of standard output.
    written: io::Result<()>,
}

impl Taker<BankFile, Digest> for Desk<'_> {
    fn done(&mut self, file: &BankFile, digest: &Digest) {
        if !digest.unread {
            self.progress.step(&file.id);
        }
    }

    fn take(&mut self, _: &BankFile, digest: Digest) {
        if digest.left_out {
            return;
        }
        self.tally.add(&digest.tally);
        // of a run that was interrupted only what was verified has lines
        let lines = !digest.unread || !self.signals.interrupted();
        if let Some(record) = self.record.as_mut().filter(|_| lines) {
            record.add(&digest.record);
        }
        if self.written.is_ok() && lines && !digest.lines.is_empty() {
            let written = self.print(digest.lines.as_bytes());
            self.hear(written);
        }
        if let Some(report) = &digest.report {
            self.report.append(report);
        }
        if let Some(template) = &digest.template {
            // a buffer in memory takes all that is written
            let _ = io::Write::write_all(&mut self.templates, template.as_slice());
        }
    }

    fn gives_up(&mut self) -> bool {
        self.signals.is_late()
    }

    fn lost(&mut self, file: &BankFile) {
        let limit = self.budget.stopped().unwrap_or(Limit::Interrupted);
        let outcome = Outcome { findings: vec![not_looked_at(&file.id, limit)], matched: true, template: None };
        let digest = Digest::of(file, &outcome, self.arguments, self.common, &blank(self.common));
        self.take(file, digest);
    }

    fn given_up(&mut self) {
        exit(self.end().into());
    }
}

impl Desk<'_> {
    /// Keeps the first failure of standard output. A full disk is told at once, and the rest is verified; where nobody
    /// reads any more and nothing else is written, the run ends.
    fn hear(&mut self, written: io::Result<()>) {
        let Err(error) = &written else { return };
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.failed = true;
            say(&format!("error: cannot write: {}", io_message(error)));
        } else if self.record.is_none() && self.folder.is_none() {
            self.budget.stop(Limit::Interrupted);
        }
        self.written = written;
    }

    /// Prints, until that holds up the end of a run that was interrupted: perhaps nobody reads.
    fn print(&self, bytes: &[u8]) -> io::Result<()> {
        let begun = Instant::now();
        print_unless(bytes, &|| self.signals.waits_since(begun))
    }

    fn is_closed(&self) -> bool {
        matches!(&self.written, Err(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Writes the record before anything can hold it up, then tells the rest; the exit status.
    fn end(&mut self) -> u8 {
        self.progress.finish();
        if let Some(record) = self.record.take() {
            // what ran out of time is no more whole than what was interrupted
            let whole = !self.signals.interrupted() && self.budget.stopped() != Some(Limit::Time);
            self.failed |= !record.end(whole, self.common);
        }
        match self.folder.map(Folder::written) {
            Some(Ok(told)) if !self.common.quiet => say(&told),
            Some(Err(failure)) => {
                self.failed = true;
                say(&format!("error: {failure}"));
            }
            _ => {}
        }
        if self.arguments.format == Format::Human && self.tally.files > 0 {
            let mut out = std::mem::replace(&mut self.templates, Buffer::no_color());
            self.report.tell(&self.tally, &mut out);
            let printed = self.print(out.as_slice());
            self.hear(printed);
        }
        // there may have been a signal while it was printed
        self.status(self.signals.interrupted())
    }

    fn status(&self, interrupted: bool) -> u8 {
        let found = self.tally.status(self.arguments.allow_unchecked);
        match found {
            _ if interrupted => status::INTERRUPTED,
            1 => 1,
            _ if self.failed => status::USAGE,
            // nobody reads on, and what that cut off is nobody's loss
            status::LIMIT if self.is_closed() && self.budget.stopped() == Some(Limit::Interrupted) => 0,
            0 if self.tally.files == 0 && !self.is_closed() => {
                say(&self.arguments.selection.unmatched());
                status::NOTHING
            }
            found => found,
        }
    }
}
