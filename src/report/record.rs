//! Records: what was verified, with which answers, by which engines, on which machine.
//!
//! `answers.jsonl` holds what is compared from record to record; no time stands in it. `about.json` holds the rest.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::jsonl::answer_json;
use crate::check::Finding;

#[derive(Serialize)]
struct Line<'a> {
    problem: &'a str,
    variant: Option<&'a str>,
    question: Option<&'a str>,
    answer: Value,
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
            answer: finding.answer.as_ref().map_or(Value::Null, answer_json),
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
#[must_use]
pub fn changed(before: &str, now: &str) -> Vec<Changed> {
    let (before, now) = (answers(before), answers(now));
    let mut names: Vec<&String> = before.keys().chain(now.keys()).collect();
    names.sort();
    names.dedup();
    names
        .into_iter()
        .filter(|name| before.get(*name) != now.get(*name))
        .map(|name| Changed { question: name.clone(), before: before.get(name).cloned(), now: now.get(name).cloned() })
        .collect()
}

fn answers(record: &str) -> BTreeMap<String, String> {
    record
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .map(|line| {
            let word = |field: &str| line[field].as_str().unwrap_or_default().to_owned();
            let mut name = word("problem");
            for (field, shown) in [("variant", "variant"), ("question", "question")] {
                if let Some(label) = line[field].as_str() {
                    name.push_str(&format!(", {shown} \"{label}\""));
                }
            }
            (name, format!("{} ({})", line["answer"], word("verdict")))
        })
        .collect()
}
