//! One JSON object a line, in a fixed order of fields.

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::check::Finding;
use crate::question::{Answer, Written, WrittenKind};

#[derive(Serialize)]
struct Line<'a> {
    problem: &'a str,
    variant: Option<&'a str>,
    question: Option<&'a str>,
    ask: Option<&'a str>,
    answer: Option<AnswerJson<'a>>,
    key: Value,
    verdict: &'static str,
    crosscheck: &'static str,
    by: &'a [&'static str],
    error: Option<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
}

/// The line for a finding, with its newline.
#[must_use]
pub fn jsonl(finding: &Finding) -> String {
    let line = Line {
        problem: &finding.problem,
        variant: finding.variant.as_deref(),
        question: finding.question.as_deref(),
        ask: finding.ask.as_deref(),
        answer: finding.answer.as_ref().map(AnswerJson),
        key: finding.key.as_ref().map_or(Value::Null, |key| written_json(&key.written)),
        verdict: finding.verdict.word(),
        crosscheck: finding.crosscheck.word(),
        by: &finding.by,
        error: finding.error.as_ref().map(|mistake| {
            let place = mistake.line_column();
            Place {
                file: &mistake.source.name,
                line: place.map(|(line, _)| line),
                column: place.map(|(_, column)| column),
                message: mistake.one_line(),
            }
        }),
    };
    // strings, numbers and lists always have a form in JSON
    let mut text = serde_json::to_string(&line).unwrap_or_default();
    text.push('\n');
    text
}

/// An answer as a problem file would write it; numbers beyond 2^53 are strings of digits. A long list is written as it
/// stands, without a copy.
pub struct AnswerJson<'a>(pub &'a Answer);

impl Serialize for AnswerJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Answer::Word(word) => serializer.serialize_str(word),
            Answer::Int(value) => number(value).serialize(serializer),
            Answer::Truth(truth) => serializer.serialize_bool(*truth),
            Answer::List(values) | Answer::Set(values) => serializer.collect_seq(values.iter().map(AnswerJson)),
            // what is shown of these is one of those
            Answer::FirstMoves(_) | Answer::AFirstMove(_) | Answer::OneOf(_) | Answer::Solution(_) => {
                AnswerJson(&self.0.plain()).serialize(serializer)
            }
        }
    }
}

/// A key as its file writes it.
#[must_use]
pub fn written_json(written: &Written) -> Value {
    match &written.kind {
        WrittenKind::Int(value) => number(value),
        WrittenKind::Truth(truth) => Value::Bool(*truth),
        WrittenKind::Text(text) => Value::String(text.clone()),
        WrittenKind::List(entries) => Value::Array(entries.iter().map(written_json).collect()),
    }
}

fn number(value: &dashu_int::IBig) -> Value {
    const EXACT: i64 = 1 << 53;
    match i64::try_from(value) {
        Ok(value) if (-EXACT..=EXACT).contains(&value) => Value::from(value),
        _ => Value::String(value.to_string()),
    }
}
