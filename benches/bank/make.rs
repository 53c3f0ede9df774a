//! A bank of many files like those of `problems`, made by varying the numbers in the exam problems there.
//!
//! Numbers from 10 on are the goals and ranges of an exam problem; in a file they all move by one amount, so that they
//! still fit each other. What a move adds, and the pile that is fixed at the start, move by another. Keys are solved
//! anew. A file whose rules no longer make sense (an index outside its list, a game without end) is not written;
//! another takes its place. The same seed makes the same files.

use std::collections::HashSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fastrand::Rng;
use gameproof::bank;
use gameproof::budget::Budget;
use gameproof::check::{Checking, Finding, Verdict, check};
use gameproof::engine::ENGINES;
use gameproof::lang::Source;
use gameproof::problem::{Changes, load};
use gameproof::report::AnswerJson;

/// Where the problems come from that are no exam problems.
const NO_EXAMS: [&str; 2] = ["problems/classics", "problems/seeds"];

/// What was made.
pub(crate) struct Bank {
    /// The files, half of them below each of two folders.
    pub(crate) files: Vec<bank::BankFile>,
    /// The two folders.
    pub(crate) halves: [PathBuf; 2],
    /// How many exam problems they were made from.
    pub(crate) models: usize,
    /// How many bytes they have in all.
    pub(crate) bytes: usize,
    /// How many questions they ask.
    pub(crate) questions: usize,
}

/// Makes so many files below the folder.
pub(crate) fn make(folder: &Path, count: usize, seed: u64) -> Bank {
    let (all, _) = bank::find(&[PathBuf::from("problems")], None);
    let exam = |file: &&bank::BankFile| !NO_EXAMS.iter().any(|other| file.path.starts_with(other));
    let models: Vec<(String, String)> = all
        .iter()
        .filter(exam)
        .map(|file| (file.id.clone(), fs::read_to_string(&file.path).expect("a problem of this project")))
        .collect();
    let halves = ["one", "two"].map(|half| folder.join(half));
    let mut random = Rng::with_seed(seed);
    let mut seen = HashSet::new();
    let (mut bytes, mut questions) = (0, 0);
    for number in 0..count {
        let (id, model) = &models[number % models.len()];
        let (text, asked) = another(model, &mut random, &mut seen);
        let text = titled(&text, &format!("Number {number}, made from {id}"));
        // each round of models goes to the other half
        let file = halves[number / models.len() % 2].join(format!("{}-{number}.ron", id.replace('/', "-")));
        fs::create_dir_all(file.parent().expect("it has a folder")).expect("a temporary folder");
        fs::write(file, &text).expect("a temporary folder");
        bytes += text.len();
        questions += asked;
    }
    halves.iter().for_each(|half| fs::create_dir_all(half).expect("a temporary folder"));
    let (files, _) = bank::find(&[folder.to_path_buf()], None);
    assert_eq!(files.len(), count);
    Bank { files, halves, models: models.len(), bytes, questions }
}

/// Another file like the model, with right keys, and the number of its questions. Where nothing new can be made of a
/// model, it comes again as it is.
fn another(model: &str, random: &mut Rng, seen: &mut HashSet<String>) -> (String, usize) {
    for _ in 0..40 {
        let variation = Variation { goal: random.i64(-8..=12), step: random.i64(0..=2), fixed: random.i64(0..=3) };
        let text = variation.of(model);
        if let Some((text, asked)) = keyed(&text)
            && seen.insert(text.clone())
        {
            return (text, asked);
        }
    }
    keyed(model).expect("a problem of this project has right keys")
}

/// By how much numbers move.
struct Variation {
    /// Numbers from 10 on.
    goal: i64,
    /// Smaller ones that a move adds.
    step: i64,
    /// Smaller ones in a start.
    fixed: i64,
}

impl Variation {
    fn of(&self, model: &str) -> String {
        let questions = model.find("questions:").expect("every problem has questions");
        let mut text = String::new();
        for line in model[..questions].split_inclusive('\n') {
            let told = ["title:", "source:", "tags:", "note:"].iter().any(|field| line.trim_start().starts_with(field));
            let start = line.trim_start().starts_with("start:");
            text += &if told { line.to_owned() } else { self.numbers(line, start) };
        }
        let mut rest = &model[questions..];
        // of questions and variants only these hold numbers of the game
        while let Some((at, open, close)) = [("constants: {", '}'), ("given: {", '}'), ("start: \"", '"')]
            .iter()
            .filter_map(|(open, close)| Some((rest.find(open)?, open.len(), *close)))
            .min()
        {
            let from = at + open;
            let to = from + rest[from..].find(close).expect("a bracket that closes");
            text += &rest[..from];
            text += &self.numbers(&rest[from..to], close == '"');
            rest = &rest[to..];
        }
        text + rest
    }

    fn numbers(&self, text: &str, start: bool) -> String {
        let mut varied = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
            let (before, from) = rest.split_at(at);
            let length = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
            varied += before;
            let number: i64 = from[..length].parse().expect("digits");
            let in_name = varied.ends_with(|c: char| c.is_alphabetic() || c == '_');
            let added = ["+ ", "+= "].iter().any(|sign| varied.ends_with(sign));
            let by = match number {
                _ if in_name => 0,
                10.. => self.goal,
                1.. if added => self.step,
                1.. if start => self.fixed,
                _ => 0,
            };
            varied += &(number + by).to_string();
            rest = &from[length..];
        }
        varied + rest
    }
}

/// The text with the keys that are right; none where it does not load or has no answers.
fn keyed(text: &str) -> Option<(String, usize)> {
    let findings = solved(text)?;
    let json =
        |finding: &Finding| finding.answer.as_ref().and_then(|answer| serde_json::to_string(&AnswerJson(answer)).ok());
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut base = findings.iter().filter(|finding| finding.variant.is_none() && finding.key.is_some());
    for (at, found) in text.match_indices("key: ") {
        edits.push((value(text, at + found.len()), json(base.next()?)?));
    }
    let mut variants = findings.iter().filter(|finding| finding.variant.is_some() && finding.key.is_some());
    for (at, found) in text.match_indices("keys: {") {
        let mut from = at + found.len();
        while let Some(colon) = text[from..].find([':', '}']).filter(|colon| text[from + colon..].starts_with(':')) {
            let value = value(text, from + colon + 2);
            from = value.end;
            edits.push((value, json(variants.next()?)?));
        }
    }
    let mut keyed = text.to_owned();
    for (place, value) in edits.into_iter().rev() {
        keyed.replace_range(place, &value);
    }
    let right = solved(&keyed)?.iter().all(|finding| matches!(finding.verdict, Verdict::Right | Verdict::NoKey));
    right.then_some((keyed, findings.len()))
}

/// Where the value stands that begins here.
fn value(text: &str, from: usize) -> Range<usize> {
    let rest = &text[from..];
    let length = match rest.as_bytes()[0] {
        b'[' => {
            let mut open = 0;
            let close = rest.find(|c| {
                open += i32::from(c == '[') - i32::from(c == ']');
                open == 0
            });
            close.expect("a bracket that closes") + 1
        }
        b'"' => rest[1..].find('"').expect("a quote that closes") + 2,
        _ => rest.find([',', ')', '}']).expect("something follows a key"),
    };
    from..from + length
}

/// What the fast engines find; none where the file does not load or has no answers.
fn solved(text: &str) -> Option<Vec<Finding>> {
    let source = Arc::new(Source { name: String::new(), text: text.to_owned() });
    let loaded = load(&source, &Changes::default()).ok()?;
    let budget = Budget::new(16 << 20);
    let engines = ENGINES.into_iter().filter(|engine| *engine != "walk").collect();
    let checking = Checking { engines, walk_limit: 0, budget: &budget, keys: true, hints: false, certificates: None };
    let findings = check("", &loaded, &checking, &|_, _| true);
    findings.iter().all(|finding| finding.answer.is_some()).then_some(findings)
}

/// The text with another title.
fn titled(text: &str, title: &str) -> String {
    let from = text.find("title: \"").expect("every problem has a title") + "title: ".len();
    let mut text = text.to_owned();
    text.replace_range(value(&text, from), &format!("\"{title}\""));
    text
}
