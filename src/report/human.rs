//! For people: what is wrong first and in full, then one line that sums up.

use std::io::Write;

use termcolor::{Buffer, Color, ColorSpec, WriteColor};

use super::diagnostic;
use crate::budget::Limit;
use crate::check::{Crosscheck, Finding, Verdict};
use crate::question::Answer;

/// How many of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Problem files.
    pub files: usize,
    /// Questions, variants counted each.
    pub questions: usize,
    /// Right keys.
    pub right: usize,
    /// Wrong keys.
    pub wrong: usize,
    /// Questions without a key.
    pub no_key: usize,
    /// Questions that a limit left without an answer.
    pub limit: usize,
    /// Questions that a rule error left without an answer.
    pub rule_errors: usize,
    /// Mistakes in files that do not load.
    pub mistakes: usize,
    /// Files that do not load.
    pub unloaded: usize,
    /// Answers that a second engine confirmed.
    pub agreed: usize,
    /// Answers on which engines disagree.
    pub disagreed: usize,
    /// Answers that nothing confirmed.
    pub unchecked: usize,
    /// Files that were not looked at, since the run was stopped.
    pub unread: usize,
}

impl Tally {
    /// Counts the findings of one file.
    pub fn count(&mut self, findings: &[Finding]) {
        self.files += 1;
        if findings.iter().any(|finding| finding.question.is_none() && finding.error.is_some()) {
            self.unloaded += 1;
        }
        for finding in findings {
            if finding.question.is_none() {
                let count = if finding.error.is_some() { &mut self.mistakes } else { &mut self.unread };
                *count += 1;
                continue;
            }
            self.questions += 1;
            match finding.verdict {
                Verdict::Right => self.right += 1,
                Verdict::Wrong => self.wrong += 1,
                Verdict::NoKey => self.no_key += 1,
                Verdict::Limit => self.limit += 1,
                Verdict::Error => self.rule_errors += 1,
            }
            if finding.answer.is_some() {
                match finding.crosscheck {
                    Crosscheck::Agreed => self.agreed += 1,
                    Crosscheck::Disagreed(_) => self.disagreed += 1,
                    Crosscheck::None(_) => self.unchecked += 1,
                }
            }
        }
    }

    /// Adds what was counted elsewhere.
    pub const fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.questions += other.questions;
        self.right += other.right;
        self.wrong += other.wrong;
        self.no_key += other.no_key;
        self.limit += other.limit;
        self.rule_errors += other.rule_errors;
        self.mistakes += other.mistakes;
        self.unloaded += other.unloaded;
        self.agreed += other.agreed;
        self.disagreed += other.disagreed;
        self.unchecked += other.unchecked;
        self.unread += other.unread;
    }

    /// The exit status: 0 all well, 1 a wrong key or a disagreement, 2 a mistake or a rule error, 3 a limit or an
    /// answer that nothing confirmed.
    #[must_use]
    pub const fn status(&self, allow_unchecked: bool) -> u8 {
        if self.wrong + self.disagreed > 0 {
            1
        } else if self.mistakes + self.rule_errors > 0 {
            2
        } else if self.limit + self.unread > 0 || (self.unchecked > 0 && !allow_unchecked) {
            3
        } else {
            0
        }
    }
}

/// Writes what the game of a problem stands for.
pub fn template(id: &str, text: &str, out: &mut Buffer) {
    // a buffer in memory takes all that is written
    let _ = writeln!(out, "{id}: the game stands for\n  {}\n", text.replace('\n', "\n  "));
}

/// What there is to tell a person, in the order of what matters: wrong keys first. It is gathered file by file, and holds
/// only text, so that a bank of many files is told in little memory.
pub struct Report {
    verbose: bool,
    wrong: Buffer,
    disagreed: Buffer,
    errors: Buffer,
    limits: Buffer,
    unchecked: Buffer,
    right: Buffer,
    /// Questions that were not asked since the run was stopped.
    unasked: Option<Unasked>,
    /// Files that were not looked at since the run was stopped.
    unread: Option<Unasked>,
}

/// What is only counted, with the first of it and the limit that was to blame.
struct Unasked {
    count: usize,
    first: String,
    limit: Limit,
}

impl Report {
    /// Nothing to tell yet; with `verbose` what is right is told too. An answer without a key is told in any case, since
    /// nothing else is. The buffers are coloured or not.
    #[must_use]
    pub fn new(verbose: bool, buffer: &dyn Fn() -> Buffer) -> Self {
        Self {
            verbose,
            wrong: buffer(),
            disagreed: buffer(),
            errors: buffer(),
            limits: buffer(),
            unchecked: buffer(),
            right: buffer(),
            unasked: None,
            unread: None,
        }
    }

    /// Whether there is nothing to tell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let parts = [&self.wrong, &self.disagreed, &self.errors, &self.limits, &self.unchecked, &self.right];
        parts.iter().all(|part| part.is_empty()) && self.unasked.is_none() && self.unread.is_none()
    }

    /// Takes up the findings of a file.
    pub fn add(&mut self, findings: &[Finding]) {
        // a buffer in memory takes all that is written
        let _ = self.write(findings);
    }

    /// Takes up what another report tells, behind what this one does.
    pub fn append(&mut self, other: &Self) {
        let both = [
            (&mut self.wrong, &other.wrong),
            (&mut self.disagreed, &other.disagreed),
            (&mut self.errors, &other.errors),
            (&mut self.limits, &other.limits),
            (&mut self.unchecked, &other.unchecked),
            (&mut self.right, &other.right),
        ];
        for (own, other) in both {
            // a buffer in memory takes all that is written
            let _ = own.write_all(other.as_slice());
        }
        for (own, other) in [(&mut self.unasked, &other.unasked), (&mut self.unread, &other.unread)] {
            if let Some(other) = other {
                more(own, other.count, || other.first.clone(), other.limit);
            }
        }
    }

    /// Writes all of it, and one line that sums up.
    pub fn tell(&self, tally: &Tally, out: &mut Buffer) {
        // a buffer in memory takes all that is written
        let _ = self.write_all(tally, out);
    }

    fn write_all(&self, tally: &Tally, out: &mut Buffer) -> std::io::Result<()> {
        for part in [&self.wrong, &self.disagreed, &self.errors, &self.limits] {
            out.write_all(part.as_slice())?;
        }
        if let Some(Unasked { count, first, limit }) = &self.unasked {
            colored(out, Color::Yellow, "no answer")?;
            let questions = counted(*count, "question", "questions");
            writeln!(out, ": {questions}, since {limit}; the first is {first}\n")?;
        }
        if let Some(Unasked { count, first, limit }) = &self.unread {
            colored(out, Color::Yellow, "not looked at")?;
            writeln!(out, ": {}, since {limit}; the first is {first}\n", counted(*count, "file", "files"))?;
        }
        out.write_all(self.unchecked.as_slice())?;
        out.write_all(self.right.as_slice())?;
        summary(tally, out)
    }

    fn write(&mut self, findings: &[Finding]) -> std::io::Result<()> {
        for finding in findings {
            match finding.verdict {
                Verdict::Wrong => self.write_wrong(finding)?,
                Verdict::Limit => self.write_limit(finding)?,
                Verdict::Error | Verdict::Right | Verdict::NoKey => {}
            }
            match (&finding.crosscheck, &finding.answer) {
                (Crosscheck::Disagreed(told), _) => self.write_disagreed(finding, told)?,
                (Crosscheck::None(reason), Some(answer)) => self.write_unchecked(finding, answer, reason)?,
                _ => {}
            }
            self.write_right(finding)?;
        }
        self.write_errors(findings)
    }

    fn write_wrong(&mut self, finding: &Finding) -> std::io::Result<()> {
        let out = &mut self.wrong;
        heading(out, Color::Red, "wrong key", finding)?;
        question(finding, out)?;
        key(finding, out)?;
        field(out, "right", &finding.answer.as_ref().map_or(String::new(), ToString::to_string))?;
        witnesses(finding, out)?;
        writeln!(out)
    }

    fn write_disagreed(&mut self, finding: &Finding, told: &str) -> std::io::Result<()> {
        let out = &mut self.disagreed;
        heading(out, Color::Magenta, "engines disagree", finding)?;
        question(finding, out)?;
        field(out, "answers", told)?;
        field(out, "note", "one of the engines has a fault; please report the problem file")?;
        writeln!(out)
    }

    fn write_errors(&mut self, findings: &[Finding]) -> std::io::Result<()> {
        let out = &mut self.errors;
        let mut errors = findings.iter().filter(|finding| finding.verdict == Verdict::Error).peekable();
        while let Some(finding) = errors.next() {
            if finding.question.is_some() {
                heading(out, Color::Red, "rule error", finding)?;
                question(finding, out)?;
            }
            // an error that several questions meet is told once, behind them
            let same = errors.peek().is_some_and(|next| next.question.is_some() && next.error == finding.error);
            if let Some(mistake) = finding.error.as_ref().filter(|_| !same) {
                diagnostic(mistake, out);
            }
        }
        Ok(())
    }

    fn write_limit(&mut self, finding: &Finding) -> std::io::Result<()> {
        let Some(limit) = finding.limit else { return Ok(()) };
        let Some(asked) = &finding.question else {
            more(&mut self.unread, 1, || finding.problem.clone(), limit);
            return Ok(());
        };
        // a run that was stopped leaves many questions unasked, which are only counted
        let stopped = matches!(limit, Limit::Time | Limit::Interrupted);
        if stopped && finding.runaway.is_none() && !self.verbose && finding.looked_at() == 0 {
            more(&mut self.unasked, 1, || format!("\"{asked}\" of {}", finding.problem), limit);
            return Ok(());
        }
        let out = &mut self.limits;
        heading(out, Color::Yellow, "no answer", finding)?;
        question(finding, out)?;
        field(out, "limit", &limit.to_string())?;
        if let Some(size) = &finding.size {
            field(out, "size", size)?;
        }
        if let Some(runaway) = &finding.runaway {
            field(out, "note", &runaway.to_string())?;
        }
        visited(finding, out)?;
        if let Some(seconds) = finding.seconds {
            field(out, "seconds", &seconds.to_string())?;
        }
        writeln!(out)
    }

    fn write_unchecked(&mut self, finding: &Finding, answer: &Answer, reason: &str) -> std::io::Result<()> {
        let out = &mut self.unchecked;
        heading(out, Color::Yellow, "not cross-checked", finding)?;
        question(finding, out)?;
        field(out, "answer", &answer.to_string())?;
        field(out, "because", reason)?;
        if self.verbose {
            visited(finding, out)?;
        }
        writeln!(out)
    }

    fn write_right(&mut self, finding: &Finding) -> std::io::Result<()> {
        let told = match finding.verdict {
            Verdict::Right => self.verbose,
            // what nothing confirmed has been told
            Verdict::NoKey => self.verbose || finding.crosscheck == Crosscheck::Agreed,
            _ => false,
        };
        if !told {
            return Ok(());
        }
        let out = &mut self.right;
        let word = if finding.verdict == Verdict::Right { "right" } else { "no key" };
        heading(out, Color::Green, word, finding)?;
        question(finding, out)?;
        field(out, "answer", &finding.answer.as_ref().map_or(String::new(), ToString::to_string))?;
        witnesses(finding, out)?;
        if self.verbose {
            visited(finding, out)?;
        }
        writeln!(out)
    }
}

/// Counts so many more; the first stays.
fn more(counted: &mut Option<Unasked>, count: usize, first: impl FnOnce() -> String, limit: Limit) {
    match counted {
        Some(counted) => counted.count += count,
        None => *counted = Some(Unasked { count, first: first(), limit }),
    }
}

fn colored(out: &mut Buffer, color: Color, word: &str) -> std::io::Result<()> {
    out.set_color(ColorSpec::new().set_fg(Some(color)).set_bold(true))?;
    write!(out, "{word}")?;
    out.reset()
}

fn heading(out: &mut Buffer, color: Color, word: &str, finding: &Finding) -> std::io::Result<()> {
    colored(out, color, word)?;
    write!(out, ": {}", finding.problem)?;
    if let Some(variant) = &finding.variant {
        write!(out, ", variant \"{variant}\"")?;
    }
    if let Some(question) = &finding.question {
        write!(out, ", question \"{question}\"")?;
    }
    writeln!(out)
}

fn field(out: &mut Buffer, name: &str, value: &str) -> std::io::Result<()> {
    writeln!(out, "  {name:<9} {value}")
}

fn question(finding: &Finding, out: &mut Buffer) -> std::io::Result<()> {
    field(out, "ask", finding.ask.as_deref().unwrap_or_default())
}

fn key(finding: &Finding, out: &mut Buffer) -> std::io::Result<()> {
    field(out, "key", &finding.key.as_ref().map_or(String::new(), |key| key.written.to_string()))
}

fn witnesses(finding: &Finding, out: &mut Buffer) -> std::io::Result<()> {
    let by = finding.by.join(" and ");
    match &finding.crosscheck {
        Crosscheck::Agreed => field(out, "by", &format!("{by}, which agree")),
        Crosscheck::Disagreed(_) => field(out, "by", &format!("{by}, which disagree")),
        Crosscheck::None(reason) => field(out, "by", &format!("{by} alone: {reason}")),
    }
}

fn visited(finding: &Finding, out: &mut Buffer) -> std::io::Result<()> {
    let told: Vec<String> = finding
        .visited
        .iter()
        .map(|(engine, count)| match *engine {
            // what earlier questions have found is not looked at again
            "memo" | "sum" | "table" => format!("{engine} {count} new"),
            engine => format!("{engine} {count}"),
        })
        .collect();
    field(out, "positions", &told.join(", "))?;
    match &finding.layout {
        Some(layout) => field(out, "table", &layout.to_string()),
        None => Ok(()),
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn summary(tally: &Tally, out: &mut Buffer) -> std::io::Result<()> {
    let mut parts = Vec::new();
    let mut part = |count: usize, one: &str, many: &str| {
        if count > 0 {
            parts.push(counted(count, one, many));
        }
    };
    part(tally.right, "right", "right");
    part(tally.wrong, "wrong", "wrong");
    part(tally.no_key, "without a key", "without a key");
    part(tally.rule_errors, "with a rule error", "with a rule error");
    part(tally.limit, "without an answer", "without an answer");
    let questions = counted(tally.questions, "question", "questions");
    let files = counted(tally.files, "file", "files");
    write!(
        out,
        "{files}, {questions}: {}",
        if parts.is_empty() { "nothing to check".to_owned() } else { parts.join(", ") }
    )?;
    if tally.unloaded > 0 {
        let mistakes = if tally.mistakes == 1 { "mistake" } else { "mistakes" };
        let load = if tally.unloaded == 1 { "file does not load" } else { "files do not load" };
        write!(out, "; {} {load} ({} {mistakes})", tally.unloaded, tally.mistakes)?;
    }
    if tally.unread > 0 {
        write!(out, "; {} not looked at", counted(tally.unread, "file", "files"))?;
    }
    if tally.disagreed > 0 {
        write!(out, "; engines disagree on {}", tally.disagreed)?;
    }
    match (tally.agreed, tally.unchecked) {
        (0, 0) => {}
        // where some have no answer, that of the others must not sound like all
        (agreed, 0) if tally.disagreed == 0 && tally.limit + tally.unread > 0 => {
            write!(out, "; {}", counted(agreed, "answer cross-checked", "answers cross-checked"))?;
        }
        (_, 0) if tally.disagreed == 0 => write!(out, "; every answer cross-checked")?,
        (agreed, unchecked) => {
            write!(out, "; {}, {unchecked} not", counted(agreed, "answer cross-checked", "answers cross-checked"))?;
        }
    }
    writeln!(out)
}
