//! Records: what was verified, with which answers, by which engines, on which machine.
//!
//! `answers.jsonl` holds what is compared from record to record; no time stands in it. `about.json` holds the rest.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::Value;

use super::jsonl::AnswerJson;
use crate::check::Finding;

#[derive(Serialize)]
struct Line<'a> {
    problem: &'a str,
    variant: Option<&'a str>,
    question: Option<&'a str>,
    answer: Option<AnswerJson<'a>>,
    verdict: &'static str,
    crosscheck: &'static str,
    by: &'a [&'static str],
    visited: BTreeMap<&'static str, u64>,
}

/// The lines of `answers.jsonl`.
#[must_use]
pub fn record_lines(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let line = Line {
            problem: &finding.problem,
            variant: finding.variant.as_deref(),
            question: finding.question.as_deref(),
            answer: finding.answer.as_ref().map(AnswerJson),
            verdict: finding.verdict.word(),
            crosscheck: finding.crosscheck.word(),
            by: &finding.by,
            visited: finding.visited.iter().copied().collect(),
        };
        text.push_str(&serde_json::to_string(&line).unwrap_or_default());
        text.push('\n');
    }
    text
}

/// The machine and the program.
#[derive(Clone, Debug, Serialize)]
pub struct MachineFacts {
    /// The version of the program.
    pub gameproof: &'static str,
    /// When the record was made.
    pub date: String,
    /// The command line, the name of the program left out.
    pub command: Vec<String>,
    /// The operating system and the architecture.
    pub system: String,
    /// The model of the processor.
    pub processor: String,
    /// How many threads could run at once.
    pub cores: usize,
    /// Memory in bytes.
    pub memory: u64,
    /// Whether the run came to its end; one that was interrupted did not.
    pub whole: bool,
}

/// `about.json`.
#[must_use]
pub fn facts(facts: &MachineFacts) -> String {
    let mut text = serde_json::to_string_pretty(facts).unwrap_or_default();
    text.push('\n');
    text
}

/// An answer that differs from an earlier record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// Problem, variant and question in words.
    pub question: String,
    /// What the earlier record says; none where it has no such question.
    pub before: Option<String>,
    /// What this one says; none where the question is gone.
    pub now: Option<String>,
}

/// Which answers and verdicts differ between two records, in order of ids.
///
/// Both are read along each other, a problem at a time, so that they may be of any length.
pub struct Changes<A, B> {
    before: Problems<A>,
    now: Problems<B>,
    /// What is still to be told of the problem read last.
    found: std::vec::IntoIter<Changed>,
}

/// The answers that differ between the lines of two records.
pub fn changed<A, B>(before: A, now: B) -> Changes<A::IntoIter, B::IntoIter>
where
    A: IntoIterator<Item = String>,
    B: IntoIterator<Item = String>,
{
    let (before, now) = (Problems::new(before.into_iter()), Problems::new(now.into_iter()));
    Changes { before, now, found: Vec::new().into_iter() }
}

impl<A: Iterator<Item = String>, B: Iterator<Item = String>> Iterator for Changes<A, B> {
    type Item = Changed;

    fn next(&mut self) -> Option<Changed> {
        loop {
            if let Some(changed) = self.found.next() {
                return Some(changed);
            }
            let (id, older) = match (&self.before.next, &self.now.next) {
                (None, None) => return None,
                (Some((before, _)), Some((now, _))) => (before.min(now).clone(), before <= now),
                (Some((before, _)), None) => (before.clone(), true),
                (None, Some((now, _))) => (now.clone(), false),
            };
            let before = if older { self.before.read(&id) } else { BTreeMap::new() };
            let now = self.now.read(&id);
            let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
            let differ = names.into_iter().filter(|name| before.get(*name) != now.get(*name));
            let found: Vec<Changed> = differ
                .map(|name| Changed {
                    question: name.clone(),
                    before: before.get(name).cloned(),
                    now: now.get(name).cloned(),
                })
                .collect();
            self.found = found.into_iter();
        }
    }
}

/// The lines of a record, one read ahead, with the id of its problem.
struct Problems<L> {
    lines: L,
    next: Option<(String, Value)>,
}

impl<L: Iterator<Item = String>> Problems<L> {
    fn new(lines: L) -> Self {
        let mut problems = Self { lines, next: None };
        problems.turn();
        problems
    }

    /// Turns to the next line that is one, and returns the one before.
    fn turn(&mut self) -> Option<(String, Value)> {
        let next = self.lines.by_ref().find_map(|line| {
            let line = serde_json::from_str::<Value>(&line).ok()?;
            Some((line["problem"].as_str()?.to_owned(), line))
        });
        std::mem::replace(&mut self.next, next)
    }

    /// The answers and verdicts of a problem, if it is the next.
    fn read(&mut self, id: &str) -> BTreeMap<String, String> {
        let mut answers = BTreeMap::new();
        while self.next.as_ref().is_some_and(|(next, _)| next == id) {
            let Some((_, line)) = self.turn() else { break };
            let word = |field: &str| line[field].as_str().unwrap_or_default().to_owned();
            let mut name = word("problem");
            for (field, shown) in [("variant", "variant"), ("question", "question")] {
                if let Some(label) = line[field].as_str() {
                    name.push_str(&format!(", {shown} \"{label}\""));
                }
            }
            answers.insert(name, format!("{} ({})", line["answer"], word("verdict")));
        }
        answers
    }
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn records_are_read_along_each_other() {
        let line = |problem: &str, question: &str, answer: u8| {
            format!(r#"{{"problem":"{problem}","question":"{question}","answer":{answer},"verdict":"right"}}"#)
        };
        let before = [line("a", "1", 1), line("a", "2", 2), line("c", "1", 3), "torn {".to_owned(), line("d", "1", 4)];
        let now = [line("a", "2", 2), line("a", "1", 7), line("b", "1", 5), line("d", "1", 4), line("e", "1", 6)];
        let told: Vec<_> = changed(before, now).map(|it| (it.question, it.before, it.now)).collect();
        let right = |answer: u8| Some(format!("{answer} (right)"));
        let name = |problem: &str| format!("{problem}, question \"1\"");
        let expected = [
            (name("a"), right(1), right(7)),
            (name("b"), None, right(5)),
            (name("c"), right(3), None),
            (name("e"), None, right(6)),
        ];
        assert_eq!(told, expected);
    }
}
