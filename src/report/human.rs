//! For people: what is wrong first and in full, then one line that sums up.

use std::io::Write;

use termcolor::{Buffer, Color, ColorSpec, WriteColor};

use super::diagnostic;
use crate::budget::Limit;
use crate::check::{Crosscheck, Finding, Verdict};

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
}

impl Tally {
    /// Counts the findings of one file.
    pub fn count(&mut self, findings: &[Finding]) {
        self.files += 1;
        if findings.iter().any(|finding| finding.question.is_none()) {
            self.unloaded += 1;
        }
        for finding in findings {
            if finding.question.is_none() {
                self.mistakes += 1;
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

    /// The exit status: 0 all well, 1 a wrong key or a disagreement, 2 a mistake or a rule error, 3 a limit or an
    /// answer that nothing confirmed.
    #[must_use]
    pub const fn status(&self, allow_unchecked: bool) -> u8 {
        if self.wrong + self.disagreed > 0 {
            1
        } else if self.mistakes + self.rule_errors > 0 {
            2
        } else if self.limit > 0 || (self.unchecked > 0 && !allow_unchecked) {
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

/// Writes the report; with `verbose` also what is right. An answer without a key is told, since nothing else is.
pub fn human(findings: &[Finding], tally: &Tally, verbose: bool, out: &mut Buffer) {
    // a buffer in memory takes all that is written
    let _ = write_all(findings, tally, verbose, out);
}

fn write_all(findings: &[Finding], tally: &Tally, verbose: bool, out: &mut Buffer) -> std::io::Result<()> {
    for finding in findings.iter().filter(|finding| finding.verdict == Verdict::Wrong) {
        heading(out, Color::Red, "wrong key", finding)?;
        question(finding, out)?;
        key(finding, out)?;
        field(out, "right", &finding.answer.as_ref().map_or(String::new(), ToString::to_string))?;
        witnesses(finding, out)?;
        writeln!(out)?;
    }
    for finding in findings.iter().filter(|finding| matches!(finding.crosscheck, Crosscheck::Disagreed(_))) {
        heading(out, Color::Magenta, "engines disagree", finding)?;
        question(finding, out)?;
        if let Crosscheck::Disagreed(told) = &finding.crosscheck {
            field(out, "answers", told)?;
        }
        field(out, "note", "one of the engines has a fault; please report the problem file")?;
        writeln!(out)?;
    }
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
    // a run that was stopped leaves many questions unasked, which are only counted
    let stopped = |finding: &&Finding| {
        matches!(finding.limit, Some(Limit::Time | Limit::Interrupted)) && finding.runaway.is_none()
    };
    let limited = |finding: &&Finding| finding.verdict == Verdict::Limit;
    for finding in findings.iter().filter(limited).filter(|finding| verbose || !stopped(finding)) {
        heading(out, Color::Yellow, "no answer", finding)?;
        question(finding, out)?;
        field(out, "limit", &finding.limit.map_or(String::new(), |limit| limit.to_string()))?;
        if let Some(runaway) = &finding.runaway {
            field(out, "note", &runaway.to_string())?;
        }
        visited(finding, out)?;
        writeln!(out)?;
    }
    if let Some(first) = findings.iter().filter(limited).find(stopped)
        && !verbose
    {
        let unasked = findings.iter().filter(limited).filter(stopped).count();
        let questions = if unasked == 1 { "question" } else { "questions" };
        let limit = first.limit.map_or(String::new(), |limit| limit.to_string());
        out.set_color(ColorSpec::new().set_fg(Some(Color::Yellow)).set_bold(true))?;
        write!(out, "no answer")?;
        out.reset()?;
        writeln!(
            out,
            ": {unasked} {questions}, since {limit}; the first is \"{}\" of {}\n",
            first.question.as_deref().unwrap_or_default(),
            first.problem
        )?;
    }
    for finding in findings {
        if let (Some(answer), Crosscheck::None(reason)) = (&finding.answer, &finding.crosscheck) {
            heading(out, Color::Yellow, "not cross-checked", finding)?;
            question(finding, out)?;
            field(out, "answer", &answer.to_string())?;
            field(out, "because", reason)?;
            if verbose {
                visited(finding, out)?;
            }
            writeln!(out)?;
        }
    }
    let told = |finding: &&Finding| match finding.verdict {
        Verdict::Right => verbose,
        // what nothing confirmed has been told
        Verdict::NoKey => verbose || finding.crosscheck == Crosscheck::Agreed,
        _ => false,
    };
    for finding in findings.iter().filter(told) {
        let word = if finding.verdict == Verdict::Right { "right" } else { "no key" };
        heading(out, Color::Green, word, finding)?;
        question(finding, out)?;
        field(out, "answer", &finding.answer.as_ref().map_or(String::new(), ToString::to_string))?;
        witnesses(finding, out)?;
        if verbose {
            visited(finding, out)?;
        }
        writeln!(out)?;
    }
    summary(tally, out)
}

fn heading(out: &mut Buffer, color: Color, word: &str, finding: &Finding) -> std::io::Result<()> {
    out.set_color(ColorSpec::new().set_fg(Some(color)).set_bold(true))?;
    write!(out, "{word}")?;
    out.reset()?;
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
        Some(layout) => field(out, "table", layout),
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
    if tally.disagreed > 0 {
        write!(out, "; engines disagree on {}", tally.disagreed)?;
    }
    match (tally.agreed, tally.unchecked) {
        (0, 0) => {}
        // where some have no answer, that of the others must not sound like all
        (agreed, 0) if tally.disagreed == 0 && tally.limit > 0 => {
            write!(out, "; {}", counted(agreed, "answer cross-checked", "answers cross-checked"))?;
        }
        (_, 0) if tally.disagreed == 0 => write!(out, "; every answer cross-checked")?,
        (agreed, unchecked) => {
            write!(out, "; {}, {unchecked} not", counted(agreed, "answer cross-checked", "answers cross-checked"))?;
        }
    }
    writeln!(out)
}
