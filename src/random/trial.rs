//! One game, answered by everything that answers.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Kind, made};
use crate::budget::Budget;
use crate::certificate::{self, Refusal, Witness};
use crate::check::{Checking, Crosscheck, Finding, Verdict, check, rule_mistake, settled, unlisted};
use crate::claims::Claims;
use crate::engine::{Engine, Memo, Starts, Table, on_own_stack};
use crate::game::Compiled;
use crate::lang::tree::Rules;
use crate::lang::{Halt, Mistake, Sight, Source, Stop};
use crate::problem::{Changes, Loaded, Problem, load};
use crate::question::{Answer, Fast, Naive, Question, agree};
use crate::theorem::Theorem;
use crate::value::Class;

/// What one game may cost. What goes beyond is no disagreement.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Bytes that each fast engine may hold.
    memory: u64,
    /// Positions that the walker may visit for one question.
    walk: u64,
    /// Whether the answers are turned into keys.
    keys: bool,
}

impl Effort {
    /// That of the game of a seed: little as a rule, so that many games are played, and now and then much more.
    #[must_use]
    pub const fn of(seed: u64) -> Self {
        // turning answers into keys takes as long as all the rest
        let keys = seed.is_multiple_of(8);
        if seed % 64 == 3 {
            Self { memory: 1 << 20, walk: 20_000, keys }
        } else {
            Self { memory: 1 << 18, walk: 1_000, keys }
        }
    }
}

/// Every engine, and what confirms.
const ALL: [&str; 6] = ["sum", "table", "memo", "walk", "certificate", "theorem"];

/// Makes the second fast engine for the rules of a game, or for sums of it.
pub type Second = dyn for<'a> Fn(&'a Rules, bool, &'a Budget) -> Box<dyn Engine + 'a> + Sync;

/// How games are tried.
pub struct Trial<'s> {
    second: &'s Second,
}

/// What was not right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The file does not load.
    Load,
    /// The walker, or another that confirms, has another answer.
    Engines,
    /// The memo alone has another answer.
    Memo,
    /// A certificate is refused, cannot be read back, or has another answer.
    Certificate,
    /// A theorem has another answer.
    Theorem,
    /// A key that is an answer is not right, or one that is none is.
    Key,
    /// Something panicked.
    Panic,
}

/// A disagreement about one game.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// What was not right.
    pub fault: Fault,
    /// In words.
    pub told: String,
}

/// What has been done.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Questions, and what became of them: by what they were answered and confirmed, each by its name.
    pub counts: BTreeMap<&'static str, u64>,
}

impl Tally {
    fn one(&mut self, name: &'static str) {
        *self.counts.entry(name).or_default() += 1;
    }

    /// How many there were of this name.
    #[must_use]
    pub fn count(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    /// Adds what was done elsewhere.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        for (name, count) in &other.counts {
            *self.counts.entry(name).or_default() += count;
        }
    }
}

fn memo<'a>(rules: &'a Rules, sum: bool, budget: &'a Budget) -> Box<dyn Engine + 'a> {
    if sum {
        Box::new(Memo::new(Box::new(Compiled::sum(rules)), budget).counting_few())
    } else {
        Box::new(Memo::new(Box::new(Compiled::new(rules)), budget))
    }
}

impl Default for Trial<'_> {
    fn default() -> Self {
        Self { second: &memo }
    }
}

impl<'s> Trial<'s> {
    /// Trials in which this engine stands in the place of the memo alone.
    #[must_use]
    pub const fn with(second: &'s Second) -> Self {
        Self { second }
    }

    /// Tries the game of a seed.
    ///
    /// # Errors
    ///
    /// What was not right, with the problem file.
    pub fn seed(&self, seed: u64, only: Option<Kind>) -> (Kind, Result<Tally, (Disagreement, String)>) {
        let (kind, text) = made(seed, only);
        let found = self.text(&text, Effort::of(seed));
        (kind, found.map_err(|disagreement| (disagreement, text)))
    }

    /// Tries the questions of a file, whose keys must be right.
    ///
    /// # Errors
    ///
    /// The first thing that was not right.
    pub fn text(&self, text: &str, effort: Effort) -> Result<Tally, Disagreement> {
        catch_unwind(AssertUnwindSafe(|| on_own_stack(|| self.tried(text, effort)))).unwrap_or_else(|panic| {
            let told = panic.downcast_ref::<String>().cloned();
            let told = told.or_else(|| panic.downcast_ref::<&str>().map(|told| (*told).to_owned()));
            Err(fault(Fault::Panic, told.unwrap_or_else(|| "a panic without words".to_owned())))
        })
    }

    /// The smallest file in which the same goes wrong; one that does not load, or whose keys come from a theorem, stays
    /// as it is.
    #[must_use]
    pub fn shrink(&self, text: &str, disagreement: &Disagreement, kind: Kind, effort: Effort) -> String {
        let effort = Effort { keys: disagreement.fault == Fault::Key, ..effort };
        let theorem = kind.theorem && disagreement.fault == Fault::Key;
        if theorem || disagreement.fault == Fault::Load {
            return text.to_owned();
        }
        super::shrink(text, &mut |text| self.text(text, effort).is_err_and(|found| found.fault == disagreement.fault))
    }

    fn tried(&self, text: &str, effort: Effort) -> Result<Tally, Disagreement> {
        let loaded = opened(text)?;
        let mut tally = Tally { games: 1, ..Tally::default() };
        let budget = Budget::new(effort.memory);
        let files: Mutex<Vec<(Option<String>, Vec<u8>)>> = Mutex::default();
        let hand_out = |_: &str, variant: Option<&str>, claims: &Claims<'_>| {
            let mut bytes = Vec::new();
            // writing to memory does not fail
            let _ = certificate::write(claims, "random", variant, &mut bytes);
            files.lock().unwrap_or_else(PoisonError::into_inner).push((variant.map(str::to_owned), bytes));
        };
        let checking = Checking {
            engines: ALL.to_vec(),
            walk_limit: effort.walk,
            budget: &budget,
            keys: true,
            hints: false,
            certificates: Some(&hand_out),
        };
        let findings = check("random", &loaded, &checking, &|_, _| true);
        for finding in &findings {
            judge(finding, &mut tally)?;
        }
        let files = files.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut rest = &findings[..];
        for (problem, _) in &loaded.problems {
            let (here, later) = rest.split_at(problem.questions.len().min(rest.len()));
            rest = later;
            let asked: Vec<(&Question, &Finding)> = problem.questions.iter().zip(here).collect();
            for (_, bytes) in files.iter().filter(|(variant, _)| *variant == problem.variant) {
                read_back(bytes, problem, &asked, &budget, &mut tally)?;
            }
            for sum in [false, true] {
                self.second(problem, &loaded, sum, &asked, effort, &mut tally)?;
            }
            ahead(problem, &loaded, &asked, effort, &mut tally)?;
            if let Some(question) = problem.questions.iter().find(|question| !question.sum && !problem.rules.puzzle) {
                near(problem, question, effort, &mut tally)?;
            }
            by_theorem(problem, &asked, &budget, &mut tally)?;
        }
        unchecked(&["memo"], &loaded, &findings, effort, &mut tally)?;
        unchecked(&["table", "memo"], &loaded, &findings, effort, &mut tally)?;
        if effort.keys {
            keyed(text, &findings, effort, &mut tally)?;
        }
        Ok(tally)
    }

    /// The memo alone, with its own certificate.
    fn second(
        &self,
        problem: &Problem,
        loaded: &Loaded,
        sum: bool,
        asked: &[(&Question, &Finding)],
        effort: Effort,
        tally: &mut Tally,
    ) -> Result<(), Disagreement> {
        if asked.iter().all(|(question, _)| question.sum != sum) {
            return Ok(());
        }
        let budget = Budget::new(effort.memory);
        let mut engine = (self.second)(&problem.rules, sum, &budget);
        for (question, finding) in asked.iter().filter(|(question, _)| question.sum == sum) {
            match differs(engine.as_mut(), question, problem, loaded, finding) {
                Some(told) => {
                    let told = format!("{}: {}, the memo alone says {told}", name(question), said(finding));
                    return Err(fault(Fault::Memo, told));
                }
                None => tally.one("memo alone"),
            }
        }
        if let Ok(Some(claims)) = engine.claims() {
            let mut bytes = Vec::new();
            // writing to memory does not fail
            let _ = certificate::write(&claims, "random", problem.variant.as_deref(), &mut bytes);
            read_back(&bytes, problem, asked, &budget, tally)?;
        }
        Ok(())
    }
}

/// What an engine answers, where that is not what was found.
fn differs(
    engine: &mut dyn Engine,
    question: &Question,
    problem: &Problem,
    loaded: &Loaded,
    finding: &Finding,
) -> Option<String> {
    let answer = settled(question.ask.solve(&mut Fast::new(question, &problem.rules, engine)));
    let (same, told) = match answer.map_err(|stop| unlisted(stop, &problem.rules)) {
        // a limit of one is none of the other
        Err(Stop::Limit(_)) => return None,
        Ok(answer) => (finding.answer.as_ref().is_some_and(|found| agree(found, &answer)), answer.to_string()),
        Err(Stop::Rule(error)) => {
            let mistake = rule_mistake(&error, &problem.rules, &loaded.source);
            let place = |mistake: &Mistake| (mistake.one_line(), mistake.line_column());
            (finding.error.as_ref().map(place) == Some(place(&mistake)), mistake.one_line())
        }
    };
    (!same && finding.limit.is_none()).then_some(told)
}

/// Each question that looks only some plies ahead, on a table of its own that goes no further; which then is made whole
/// for a certificate.
fn ahead(
    problem: &Problem,
    loaded: &Loaded,
    asked: &[(&Question, &Finding)],
    effort: Effort,
    tally: &mut Tally,
) -> Result<(), Disagreement> {
    for (question, finding) in asked {
        let starts = question.starts(&problem.rules).filter(|starts| starts.plies().is_some() && !question.sum);
        let Some(starts) = starts else { continue };
        let budget = Budget::new(effort.memory);
        let mut table = Table::new(&problem.rules, Some(starts), &budget).always_ahead();
        if let Some(told) = differs(&mut table, question, problem, loaded, finding) {
            let told = format!("{}: {}, a table of its own says {told}", name(question), said(finding));
            return Err(fault(Fault::Engines, told));
        }
        if table.looks_nearby() {
            tally.one("near the starts");
        }
        if !table.looks_ahead() {
            continue;
        }
        tally.one("as far as the question looks");
        made_whole(&mut table, problem, &[(*question, *finding)], &budget, tally)?;
    }
    Ok(())
}

/// A table that looks ahead is made whole for a certificate.
fn made_whole(
    table: &mut Table<'_>,
    problem: &Problem,
    asked: &[(&Question, &Finding)],
    budget: &Budget,
    tally: &mut Tally,
) -> Result<(), Disagreement> {
    let Ok(Some(claims)) = table.claims() else { return Ok(()) };
    let mut bytes = Vec::new();
    // writing to memory does not fail
    let _ = certificate::write(&claims, "random", problem.variant.as_deref(), &mut bytes);
    read_back(&bytes, problem, asked, budget, tally)
}

/// How many starts are looked at one by one.
const NEAR_STARTS: usize = 16;

/// Classes of single starts, each from a table that goes no further than it is asked.
fn near(problem: &Problem, question: &Question, effort: Effort, tally: &mut Tally) -> Result<(), Disagreement> {
    let rules = &problem.rules;
    let budget = Budget::new(effort.memory);
    let mut memo = Memo::new(Box::new(Compiled::new(rules)), &budget);
    let mut starts: Vec<Vec<i64>> = Vec::new();
    // what is wrong with a start has been told
    let _ = Fast::new(question, rules, &mut memo).each(&mut |_, row| {
        starts.push(row.start.to_vec());
        if starts.len() < NEAR_STARTS { Ok(()) } else { Err(Halt::Missing) }
    });
    let (first, last) = (starts.first(), starts.last().filter(|_| starts.len() > 1));
    for start in first.into_iter().chain(last) {
        for bound in [Class::Loss(0), Class::Win(1), Class::Loss(1), Class::Win(2), Class::Loss(2)] {
            let starts = Starts::one(start, rules.plies(bound));
            let mut table = Table::new(rules, Some(starts), &budget).always_ahead();
            let (told, right) = (table.class_within(start, bound), memo.class_within(start, bound));
            if !table.looks_ahead() {
                continue;
            }
            tally.one("starts in a table that looks ahead");
            if let (Ok(told), Ok(right)) = (told, right)
                && told != right
            {
                let told = format!("{start:?} within {bound}: {told:?} as far as is looked, the memo says {right:?}");
                return Err(fault(Fault::Engines, told));
            }
            if bound == Class::Win(2) {
                made_whole(&mut table, problem, &[], &budget, tally)?;
            }
        }
    }
    Ok(())
}

fn fault(fault: Fault, told: impl Into<String>) -> Disagreement {
    Disagreement { fault, told: told.into() }
}

fn name(question: &Question) -> String {
    format!("question {} ({})", question.label, question.text)
}

fn said(finding: &Finding) -> String {
    let by = finding.by.first().copied().unwrap_or("the fast engine");
    match (&finding.answer, &finding.error, &finding.limit) {
        (Some(answer), ..) => format!("{by} says {answer}"),
        (_, Some(mistake), _) => format!("{by} meets {} at {:?}", mistake.one_line(), mistake.line_column()),
        (_, _, limit) => format!("{by} meets a limit, {limit:?}"),
    }
}

fn opened(text: &str) -> Result<Loaded, Disagreement> {
    let source = Arc::new(Source { name: "random".to_owned(), text: text.to_owned() });
    load(&source, &Changes::default()).map_err(|mistakes| {
        let told = mistakes.iter().map(|mistake| format!("{:?} {}", mistake.line_column(), mistake.one_line()));
        fault(Fault::Load, told.collect::<Vec<_>>().join("; "))
    })
}

/// What the whole program found of a question.
fn judge(finding: &Finding, tally: &mut Tally) -> Result<(), Disagreement> {
    tally.one("questions");
    let label = finding.question.as_deref().unwrap_or_default();
    if let Crosscheck::Disagreed(told) = &finding.crosscheck {
        return Err(fault(Fault::Engines, format!("question {label}: {told}")));
    }
    match finding.verdict {
        Verdict::Wrong => {
            let key = finding.key.as_ref().map(|key| key.written.to_string()).unwrap_or_default();
            return Err(fault(Fault::Key, format!("question {label}: {}, the key is {key}", said(finding))));
        }
        Verdict::Error => tally.one("rule errors"),
        Verdict::Limit => tally.one("limits"),
        Verdict::Right => tally.one("keys from theorems"),
        Verdict::NoKey => {}
    }
    for by in &finding.by {
        tally.one(by);
    }
    if finding.answer.is_some() {
        tally.one(if finding.crosscheck == Crosscheck::Agreed { "confirmed" } else { "not confirmed" });
    }
    Ok(())
}

/// The memo, or the table with it, as they answer where nobody checks them by what they hold.
fn unchecked(
    engines: &[&'static str],
    loaded: &Loaded,
    findings: &[Finding],
    effort: Effort,
    tally: &mut Tally,
) -> Result<(), Disagreement> {
    let budget = Budget::new(effort.memory);
    let checking = Checking {
        engines: engines.to_vec(),
        walk_limit: effort.walk,
        budget: &budget,
        keys: false,
        hints: false,
        certificates: None,
    };
    for (finding, other) in findings.iter().zip(&check("random", loaded, &checking, &|_, _| true)) {
        // a limit of one is none of the other
        if finding.limit.is_some() || other.limit.is_some() {
            continue;
        }
        let same = match (&finding.answer, &other.answer) {
            (Some(answer), Some(other)) => agree(answer, other),
            (None, None) => {
                let place = |mistake: &Mistake| (mistake.one_line(), mistake.line_column());
                finding.error.as_ref().map(place) == other.error.as_ref().map(place)
            }
            _ => false,
        };
        if !same {
            let label = finding.question.as_deref().unwrap_or_default();
            let told = format!("question {label}: {}, unchecked {}", said(finding), said(other));
            return Err(fault(Fault::Memo, told));
        }
        tally.one("unchecked");
    }
    Ok(())
}

/// A certificate is read back from its file and checked, and then answers the questions itself.
fn read_back(
    bytes: &[u8],
    problem: &Problem,
    asked: &[(&Question, &Finding)],
    budget: &Budget,
    tally: &mut Tally,
) -> Result<(), Disagreement> {
    let bad = |told: String| Err(fault(Fault::Certificate, told));
    let read = match certificate::read(&mut BufReader::new(bytes)) {
        Ok(read) => read,
        Err(told) => return bad(format!("a certificate cannot be read back: {told}")),
    };
    let claims = read.claims();
    match certificate::check(&claims, &problem.rules, budget) {
        Ok(()) => tally.one("certificates"),
        Err(Refusal::Limit(_)) => return Ok(()),
        Err(refusal) => return bad(format!("a certificate is refused: {refusal}")),
    }
    for (question, finding) in asked.iter().filter(|(question, _)| question.sum == claims.sum) {
        let Some(answer) = &finding.answer else { continue };
        let mut witness = Witness::new(&claims, &problem.rules);
        let mut rows = Naive { question, rules: &problem.rules, walker: &mut witness, thorough: true };
        match settled(question.ask.walk(&mut rows)).map_err(|stop| unlisted(stop, &problem.rules)) {
            Err(Stop::Limit(_)) => {}
            Ok(other) if agree(answer, &other) => tally.one("answers of certificates"),
            Ok(other) => return bad(format!("{}: {}, the certificate says {other}", name(question), said(finding))),
            Err(Stop::Rule(error)) => {
                return bad(format!("{}: {}, the certificate meets {}", name(question), said(finding), error.fault));
            }
        }
    }
    Ok(())
}

/// The theorems about heaps.
fn by_theorem(
    problem: &Problem,
    asked: &[(&Question, &Finding)],
    budget: &Budget,
    tally: &mut Tally,
) -> Result<(), Disagreement> {
    for (question, finding) in asked.iter().filter(|(question, _)| question.sum) {
        let Some(mut theorem) = Theorem::of(&problem.rules, budget) else { return Ok(()) };
        let mut rows = Naive { question, rules: &problem.rules, walker: &mut theorem, thorough: true };
        match (settled(question.ask.walk(&mut rows)), &finding.answer) {
            (Ok(other), Some(answer)) if agree(answer, &other) => tally.one("answers of theorems"),
            (Ok(other), Some(_)) => {
                let told = format!("{}: {}, the theorem says {other}", name(question), said(finding));
                return Err(fault(Fault::Theorem, told));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The answers as keys of the same file are right, in any order where that does not matter, and others are wrong.
fn keyed(text: &str, findings: &[Finding], effort: Effort, tally: &mut Tally) -> Result<(), Disagreement> {
    for spoiled in [false, true] {
        let mut keyed = text.to_owned();
        let mut labels: Vec<&str> = Vec::new();
        for finding in findings.iter().filter(|finding| finding.variant.is_none() && finding.key.is_none()) {
            let (Some(label), Some(ask), Some(answer)) = (&finding.question, &finding.ask, &finding.answer) else {
                continue;
            };
            let Some(key) = written(answer, spoiled) else { continue };
            let without = format!("\"{label}\": (ask: \"{ask}\"");
            if keyed.matches(&without).count() == 1 {
                keyed = keyed.replace(&without, &format!("{without}, key: {key}"));
                labels.push(label);
            }
        }
        if labels.is_empty() {
            continue;
        }
        let loaded = opened(&keyed).map_err(|found| fault(Fault::Key, format!("{}\n{keyed}", found.told)))?;
        let budget = Budget::new(effort.memory);
        let checking = Checking {
            engines: ALL[..3].to_vec(),
            walk_limit: effort.walk,
            budget: &budget,
            keys: true,
            hints: false,
            certificates: None,
        };
        let wanted = |problem: &Problem, question: &Question| {
            problem.variant.is_none() && labels.contains(&question.label.as_str())
        };
        for finding in check("random", &loaded, &checking, &wanted) {
            let expected = if spoiled { Verdict::Wrong } else { Verdict::Right };
            if finding.verdict != expected && finding.verdict != Verdict::Limit {
                let key = finding.key.as_ref().map(|key| key.written.to_string()).unwrap_or_default();
                let label = finding.question.as_deref().unwrap_or_default();
                let told =
                    format!("question {label}: {}, and the key {key} is {}", said(&finding), finding.verdict.word());
                return Err(fault(Fault::Key, told));
            }
            tally.one(if spoiled { "wrong keys" } else { "right keys" });
        }
    }
    Ok(())
}

/// An answer as an author writes it as a key, sets from behind; or another, which is wrong.
fn written(answer: &Answer, spoiled: bool) -> Option<String> {
    let number = |value: &dashu_int::IBig| {
        if i64::try_from(value).is_ok() { value.to_string() } else { format!("\"{value}\"") }
    };
    let entries = |values: &mut dyn Iterator<Item = &Answer>, spoiled: bool| {
        let entries: Option<Vec<String>> =
            values.enumerate().map(|(at, value)| written(value, spoiled && at == 0)).collect();
        entries.map(|entries| format!("[{}]", entries.join(", ")))
    };
    match answer {
        // a grid has no other numbers than 0 and 1
        Answer::Int(value) if spoiled => Some(number(&if *value == 1.into() { 0.into() } else { value + 1 })),
        Answer::Int(value) => Some(number(value)),
        Answer::Truth(truth) => Some((*truth != spoiled).to_string()),
        Answer::Word(word) if spoiled => Some(match word.as_str() {
            "first" => "\"second\"".to_owned(),
            "second" => "\"first\"".to_owned(),
            _ => return None,
        }),
        Answer::Word(word) => Some(format!("\"{word}\"")),
        Answer::List(values) if !values.is_empty() => entries(&mut values.iter(), spoiled),
        // a number that is larger than all is in the set no more
        Answer::Set(values) if spoiled => {
            values.last().map(|last| written(last, true).map(|last| format!("[{last}]")))?
        }
        Answer::Set(values) => entries(&mut values.iter().rev(), false),
        Answer::List(_) | Answer::OneOf(_) | Answer::FirstMoves(_) | Answer::AFirstMove(_) | Answer::Solution(_) => {
            (!spoiled).then(|| answer.to_string())
        }
    }
}
