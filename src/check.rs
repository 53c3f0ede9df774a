//! Engines against each other, then the key: from a problem to findings.

mod found;
mod rule_error;

pub use found::Found;
pub use rule_error::rule_mistake;

use rule_error::is_met;

use crate::budget::{Budget, Limit};
use crate::certificate::{self, Refusal, Witness};
use crate::claims::Claims;
use crate::engine::{self, CHECKERS, Engine, Layout, Memo, Sought, Starts, Table, Walker, on_own_stack};
use crate::game::{Compiled, Reference};
use crate::lang::number::Fault;
use crate::lang::tree::Rules;
use crate::lang::{Halt, Mistake, RuleError, Source, Stop};
use crate::problem::{AuthorKey, Loaded, Problem};
use crate::question::{Answer, Fast, Naive, Question, accepts, agree};
use crate::runaway::{self, Runaway};
use crate::theorem::Theorem;
use std::borrow::Cow;
use std::sync::Arc;

/// What became of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The key is right.
    Right,
    /// The key is wrong.
    Wrong,
    /// There is no key.
    NoKey,
    /// A limit left the question without an answer.
    Limit,
    /// The file does not load, or a rule has no value at a position that the question rests on.
    Error,
}

impl Verdict {
    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::NoKey => "no-key",
            Self::Limit => "limit",
            Self::Error => "error",
        }
    }
}

/// Whether a second engine confirmed the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Crosscheck {
    /// It did.
    Agreed,
    /// It has another answer, which is told in words.
    Disagreed(String),
    /// None did, with the reason.
    None(Cow<'static, str>),
}

impl Crosscheck {
    /// The word for it.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Agreed => "agreed",
            Self::Disagreed(_) => "disagreed",
            Self::None(_) => "none",
        }
    }
}

/// What was found of one question, or of a file that does not load.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The id of the problem.
    pub problem: String,
    /// The label of the variant.
    pub variant: Option<String>,
    /// The label of the question; none where the file does not load.
    pub question: Option<String>,
    /// The text of the ask.
    pub ask: Option<String>,
    /// The answer.
    pub answer: Option<Answer>,
    /// The key.
    pub key: Option<AuthorKey>,
    /// What became of it.
    pub verdict: Verdict,
    /// Whether a second engine confirmed it.
    pub crosscheck: Crosscheck,
    /// What answered.
    pub by: Vec<&'static str>,
    /// The mistake, where the verdict is an error.
    pub error: Option<Mistake>,
    /// The limit, where the verdict is one.
    pub limit: Option<Limit>,
    /// A number that seems to run away, where a limit was met.
    pub runaway: Option<Runaway>,
    /// How many positions each engine looked at.
    pub visited: Vec<(&'static str, u64)>,
    /// How the fast engine keeps what it knows, where there is something to choose.
    pub layout: Option<Layout>,
    /// How large the game may be, in words, where the memory limit was met and that is known.
    pub size: Option<String>,
    /// How long the question was worked on until a limit was met, in whole seconds, where somebody watches.
    pub seconds: Option<u64>,
}

impl Finding {
    /// How many positions were looked at in all.
    #[must_use]
    pub fn looked_at(&self) -> u64 {
        self.visited.iter().map(|(_, count)| count).sum()
    }

    /// Whether there is an answer that is still to be confirmed.
    fn is_open(&self) -> bool {
        let fast = self.answer.is_some() && self.by.first() != Some(&"walk");
        fast && matches!(self.crosscheck, Crosscheck::None(_))
    }
}

/// How problems are checked.
pub struct Checking<'a> {
    /// Which engines answer, by name; the first that does is believed, the others confirm it.
    pub engines: Vec<&'static str>,
    /// Positions that the walker may visit for one question.
    pub walk_limit: u64,
    /// Memory and time.
    pub budget: &'a Budget,
    /// Whether keys are looked at.
    pub keys: bool,
    /// Whether a number that seems to run away is looked for where a limit was met, which takes a while.
    pub hints: bool,
    /// Who gets the certificates, if anybody.
    pub certificates: Option<&'a HandOut<'a>>,
}

/// Gets the id of a problem, the label of its variant, and what its answers rest on.
pub type HandOut<'a> = dyn Fn(&str, Option<&str>, &Claims<'_>) + Sync + 'a;

/// Findings for a file that does not load: one for each mistake.
#[must_use]
pub fn not_loaded(id: &str, mistakes: Vec<Mistake>) -> Vec<Finding> {
    let blank = |mistake| Finding { error: Some(mistake), ..of_file(id, Verdict::Error, "the file does not load") };
    mistakes.into_iter().map(blank).collect()
}

/// The finding for a file that was not looked at, since the run was stopped before.
#[must_use]
pub fn not_looked_at(id: &str, limit: Limit) -> Finding {
    Finding { limit: Some(limit), ..of_file(id, Verdict::Limit, "the file was not looked at") }
}

/// A finding for a file as a whole, none of whose questions was asked.
fn of_file(id: &str, verdict: Verdict, why: &'static str) -> Finding {
    Finding {
        problem: id.to_owned(),
        variant: None,
        question: None,
        ask: None,
        answer: None,
        key: None,
        verdict,
        crosscheck: Crosscheck::None(why.into()),
        by: Vec::new(),
        error: None,
        limit: None,
        runaway: None,
        visited: Vec::new(),
        layout: None,
        size: None,
        seconds: None,
    }
}

/// Checks all questions of a file for which `wanted` holds, variants and questions in order.
#[must_use]
pub fn check(
    id: &str,
    loaded: &Loaded,
    checking: &Checking<'_>,
    wanted: &dyn Fn(&Problem, &Question) -> bool,
) -> Vec<Finding> {
    let found = Found::new(checking.budget);
    check_into(&found, id, loaded, checking, wanted);
    found.take()
}

/// The same; what is found can be taken at any moment.
pub fn check_into(
    found: &Found,
    id: &str,
    loaded: &Loaded,
    checking: &Checking<'_>,
    wanted: &dyn Fn(&Problem, &Question) -> bool,
) {
    let mut asked = Vec::new();
    for (problem, keys) in &loaded.problems {
        let questions = problem.questions.iter().zip(keys).filter(|(question, _)| wanted(problem, question));
        let questions: Vec<Asked<'_>> =
            questions.map(|(question, key)| (question, key.as_ref().filter(|_| checking.keys))).collect();
        let first = found.expect(questions.iter().map(|(question, key)| blank(id, problem, question, *key)));
        asked.push((problem, questions, first));
    }
    let answer = || {
        for (problem, questions, first) in asked {
            Desk::new(id, problem, &loaded.source, checking, (found, first), &questions).answer(&questions);
        }
    };
    // one stack for all walks
    if checking.engines.contains(&"walk") { on_own_stack(answer) } else { answer() }
}

/// A question that is asked, and its key.
type Asked<'q> = (&'q Question, Option<&'q AuthorKey>);

/// How far the walker goes where a certificate can confirm as well: in games, where it stops at moves that decide, and
/// in puzzles, where it seldom stops; and in sums, where a position has many moves.
const QUICK: u64 = 300_000;
const QUICK_IN_SUMS: u64 = 20_000;
const QUICK_IN_PUZZLES: u64 = 10_000;

/// What came of a question.
struct Solved {
    answer: Result<Answer, Stop>,
    /// The engine that was asked, and how many positions it visited for it.
    by: &'static str,
    visited: u64,
    layout: Option<Layout>,
}

/// One game on which questions are answered; what the fast engine learns serves all of them.
struct Desk<'a> {
    id: &'a str,
    problem: &'a Problem,
    source: &'a Arc<Source>,
    checking: &'a Checking<'a>,
    /// Answers questions about one game.
    table: Table<'a>,
    /// Answers questions about sums, once there is one.
    sums: Option<Box<dyn Engine + 'a>>,
    /// Where findings go, and the place of the first one.
    found: (&'a Found, usize),
}

/// A question of which nothing is known yet.
fn blank(id: &str, problem: &Problem, question: &Question, key: Option<&AuthorKey>) -> Finding {
    Finding {
        variant: problem.variant.clone(),
        question: Some(question.label.clone()),
        ask: Some(question.text.clone()),
        key: key.cloned(),
        ..of_file(id, Verdict::NoKey, "only one engine was asked")
    }
}

/// Says that a question is worked on, and what is done for it.
fn begin(budget: &Budget, problem: &Problem, question: &Question, done: &str) {
    budget.begin(|words| {
        if let Some(variant) = &problem.variant {
            words.extend(["variant \"", variant, "\", "]);
        }
        words.extend(["question \"", &question.label, "\""]);
        if !done.is_empty() {
            words.extend([", ", done]);
        }
    });
}

/// How large a game with so many positions may be.
fn size(positions: u128) -> String {
    /// What a table holds of a position, in bytes.
    const EACH: u128 = 2;
    let bytes = positions.saturating_mul(EACH);
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let (mut shown, mut unit) = (bytes, 0);
    while shown >= 10_240 && unit + 1 < units.len() {
        (shown, unit) = (shown >> 10, unit + 1);
    }
    format!("up to {positions} positions by the bounds of its numbers; a table of them takes {shown} {}", units[unit])
}

/// Where the starts of all questions that are asked about one game lie.
fn starts(rules: &Rules, questions: &[Asked<'_>]) -> Option<Starts> {
    let mut all: Option<Starts> = None;
    for (question, _) in questions.iter().filter(|(question, _)| !question.sum) {
        let starts = question.starts(rules)?;
        all = Some(match all {
            None => starts,
            Some(before) => before.and(starts),
        });
    }
    all
}

impl<'a> Desk<'a> {
    fn new(
        id: &'a str,
        problem: &'a Problem,
        source: &'a Arc<Source>,
        checking: &'a Checking<'a>,
        found: (&'a Found, usize),
        questions: &[Asked<'_>],
    ) -> Self {
        let rules = &problem.rules;
        let mut table = Table::new(rules, starts(rules, questions), checking.budget);
        if !checking.engines.contains(&"table") {
            table = table.by_memo();
        }
        if checking.certificates.is_none() && !checking.engines.contains(&"certificate") {
            table = table.uncertified();
        }
        let checked = checking.certificates.is_some()
            || CHECKERS.iter().chain(&["walk"]).any(|name| checking.engines.contains(name));
        if !checked {
            table = table.unchecked();
        }
        Self { id, problem, source, checking, table, sums: None, found }
    }

    /// The fast engine that answers a question, if one may.
    fn fast(&self, question: &Question) -> Option<&'static str> {
        if question.sum && self.runs("sum") {
            return Some("sum");
        }
        (self.runs("memo") || self.runs("table")).then_some("memo")
    }

    fn runs(&self, name: &str) -> bool {
        self.checking.engines.contains(&name)
    }

    /// All questions are answered first, then confirmed by the walker where that is quick, else by a certificate of
    /// all that the answers rest on, which is checked once.
    fn answer(&mut self, questions: &[Asked<'_>]) {
        for (place, (question, _)) in questions.iter().enumerate() {
            // a run that was stopped before asks nothing more, and nothing can be said of it
            let at_work = self.checking.budget.check().is_ok();
            begin(self.checking.budget, self.problem, question, "");
            let solved = match self.fast(question) {
                Some(name) => self.solve(question, name),
                None => {
                    let (answer, visited) = self.walk(question, self.checking.walk_limit);
                    Solved { answer, by: "walk", visited, layout: None }
                }
            };
            let mut limit = None;
            self.with(place, |finding| {
                self.settle(solved, question.sum, finding);
                limit = finding.limit;
            });
            if let Some(limit) = limit.filter(|_| at_work) {
                self.tell_limit(place, question, limit);
            }
        }
        let walk = self.runs("walk");
        if walk {
            for (place, (question, _)) in questions.iter().enumerate() {
                self.confirm_by_walk(place, question, self.quick(question));
            }
        }
        for sum in [false, true] {
            self.certify(sum, questions);
        }
        if self.runs("theorem") {
            for (place, (question, _)) in questions.iter().enumerate() {
                self.confirm_by_theorem(place, question);
            }
        }
        // what no certificate could confirm is walked as far as it may be
        if walk {
            for (place, (question, _)) in questions.iter().enumerate() {
                if self.quick(question) < self.checking.walk_limit {
                    self.confirm_by_walk(place, question, self.checking.walk_limit);
                }
            }
        }
    }

    /// Changes the finding of the question in this place, unless the work was given up.
    fn with(&self, place: usize, change: impl FnOnce(&mut Finding)) {
        let (found, first) = self.found;
        found.with(first + place, change);
    }

    /// Whether the answer of the question in this place is still to be confirmed.
    fn is_open(&self, place: usize) -> bool {
        let mut open = false;
        self.with(place, |finding| open = finding.is_open());
        open
    }

    /// What had been done when this limit was met, and what is known of the game.
    fn tell_limit(&self, place: usize, question: &Question, limit: Limit) {
        let seconds = Some(self.checking.budget.work().seconds()).filter(|seconds| *seconds > 0);
        let large = matches!(limit, Limit::Memory(_)) && !question.sum;
        let size = self.table.most_positions().filter(|_| large).map(size);
        // a run that is to stop does so without a guess
        let guessed = self.checking.hints && runaway::may_be_met(limit) && self.checking.budget.check().is_ok();
        let runaway = if guessed { runaway::of_question(question, &self.problem.rules) } else { None };
        self.with(place, |finding| (finding.seconds, finding.size, finding.runaway) = (seconds, size, runaway));
    }

    fn settle(&self, solved: Solved, sum: bool, finding: &mut Finding) {
        let Solved { answer, by, visited, layout } = solved;
        finding.visited.push((by, visited));
        finding.layout = layout;
        let (found, _) = self.found;
        match answer.and_then(|answer| found.hold(answer)) {
            Ok(answer) => {
                finding.by.push(by);
                finding.verdict = match &finding.key {
                    None => Verdict::NoKey,
                    Some(key) if accepts(&answer, &key.key) => Verdict::Right,
                    Some(_) => Verdict::Wrong,
                };
                finding.answer = Some(answer);
            }
            Err(stop) => {
                finding.crosscheck = Crosscheck::None("there is no answer".into());
                match unlisted(stop, &self.problem.rules) {
                    Stop::Rule(error) => {
                        finding.verdict = Verdict::Error;
                        let mistake = rule_mistake(&error, &self.problem.rules, self.source);
                        if by != "walk" && !is_met(&error, &self.problem.rules, sum) {
                            let told = format!("{by} meets {}, which the rules do not say", mistake.one_line());
                            finding.crosscheck = Crosscheck::Disagreed(told);
                        }
                        finding.error = Some(mistake);
                    }
                    Stop::Limit(limit) => {
                        finding.verdict = Verdict::Limit;
                        finding.limit = Some(limit);
                    }
                }
            }
        }
    }

    fn solve(&mut self, question: &Question, name: &'static str) -> Solved {
        let rules = &self.problem.rules;
        let engine = self.engine(question.sum);
        let before = engine.visited();
        let answer = question.ask.solve(&mut Fast::new(question, rules, engine));
        let name = if question.sum || self.table.take_asked_memo() || !self.table.is_filled() { name } else { "table" };
        let visited = self.engine(question.sum).visited() - before;
        let layout = if name == "table" { self.table.layout() } else { None };
        Solved { answer: settled(answer), by: name, visited, layout }
    }

    fn engine(&mut self, sum: bool) -> &mut (dyn Engine + 'a) {
        if !sum {
            return &mut self.table;
        }
        let (rules, checking) = (&self.problem.rules, self.checking);
        let by_sums = checking.engines.contains(&"sum");
        self.sums
            .get_or_insert_with(|| {
                if by_sums {
                    engine::fast(rules, true, checking.budget, checking.budget)
                } else {
                    Box::new(Memo::new(Box::new(Compiled::sum(rules)), checking.budget).counting_few())
                }
            })
            .as_mut()
    }

    /// The walker's answer, and how many positions it visited.
    fn walk(&self, question: &Question, limit: u64) -> (Result<Answer, Stop>, u64) {
        let rules = &self.problem.rules;
        let game = if question.sum { Reference::sum(rules) } else { Reference::new(rules) };
        let mut walker = Walker::new(game, limit, self.checking.budget);
        let answer =
            on_own_stack(|| question.ask.walk(&mut Naive { question, rules, walker: &mut walker, thorough: false }));
        (settled(answer), walker.visited())
    }

    /// How far the walker goes before a certificate is tried, if one may be.
    fn quick(&self, question: &Question) -> u64 {
        let quick = match (self.problem.rules.puzzle, question.sum) {
            (true, _) => QUICK_IN_PUZZLES,
            (_, true) => QUICK_IN_SUMS,
            _ => QUICK,
        };
        if self.runs("certificate") { self.checking.walk_limit.min(quick) } else { self.checking.walk_limit }
    }

    fn confirm_by_walk(&mut self, place: usize, question: &Question, limit: u64) {
        if !self.is_open(place) {
            return;
        }
        let mut answer = None;
        self.with(place, |finding| answer.clone_from(&finding.answer));
        if let Some(reason) = answer.and_then(|answer| self.hopeless(question, &answer, limit)) {
            self.with(place, |finding| finding.crosscheck = Crosscheck::None(reason.into()));
            return;
        }
        begin(self.checking.budget, self.problem, question, "cross-check by walk");
        let (other, visited) = self.walk(question, limit);
        self.with(place, |finding| {
            finding.visited.push(("walk", visited));
            self.compare(other, "walk", finding);
        });
    }

    /// Confirms by a theorem about heaps what nothing has confirmed yet.
    fn confirm_by_theorem(&self, place: usize, question: &Question) {
        let rules = &self.problem.rules;
        if !question.sum || !self.is_open(place) {
            return;
        }
        let Some(mut theorem) = Theorem::of(rules, self.checking.budget) else { return };
        let other = question.ask.walk(&mut Naive { question, rules, walker: &mut theorem, thorough: true });
        // where it says nothing, the reason why nothing else did stays
        if !matches!(other, Err(Halt::Stop(ref stop)) if matches!(**stop, Stop::Limit(_))) {
            self.with(place, |finding| {
                finding.visited.push(("theorem", theorem.visited()));
                self.compare(settled(other), "theorem", finding);
            });
        }
    }

    /// Holds another answer against the one that there is.
    fn compare(&self, other: Result<Answer, Stop>, by: &'static str, finding: &mut Finding) {
        let Some(answer) = &finding.answer else { return };
        finding.crosscheck = match other.map_err(|stop| unlisted(stop, &self.problem.rules)) {
            Ok(other) => {
                finding.by.push(by);
                if agree(answer, &other) {
                    Crosscheck::Agreed
                } else {
                    Crosscheck::Disagreed(format!("{} says {answer}, {by} says {other}", finding.by[0]))
                }
            }
            Err(Stop::Rule(error)) => {
                let mistake = rule_mistake(&error, &self.problem.rules, self.source);
                let told = format!("{} says {answer}, {by} meets a rule error: {}", finding.by[0], mistake.message);
                finding.by.push(by);
                Crosscheck::Disagreed(told)
            }
            Err(Stop::Limit(limit)) => Crosscheck::None(limit.to_string().into()),
        };
    }

    /// Confirms by certificate what nothing has confirmed yet, and hands the certificate out where that is asked for.
    fn certify(&mut self, sum: bool, questions: &[Asked<'_>]) {
        let Some((first, _)) = questions.iter().find(|(question, _)| question.sum == sum) else { return };
        let places = (0..questions.len()).filter(|place| questions[*place].0.sum == sum);
        let open: Vec<usize> = places.filter(|place| self.is_open(*place)).collect();
        let wanted = self.runs("certificate") && !open.is_empty();
        if !wanted && self.checking.certificates.is_none() {
            return;
        }
        let rules = &self.problem.rules;
        let budget = self.checking.budget;
        begin(budget, self.problem, first, "cross-check by certificate");
        let (id, problem, hand_out) = (self.id, self.problem, self.checking.certificates);
        let engine = self.engine(sum);
        let claims = match engine.claims() {
            Ok(Some(claims)) => claims,
            Ok(None) | Err(_) => return,
        };
        let mut answers: Vec<(usize, Result<Answer, Stop>, u64)> = Vec::new();
        let mut refused = None;
        if wanted {
            match certificate::check(&claims, rules, budget) {
                Ok(()) => {
                    for place in &open {
                        let question = questions[*place].0;
                        let mut witness = Witness::new(&claims, rules).within(budget);
                        let answer =
                            question.ask.walk(&mut Naive { question, rules, walker: &mut witness, thorough: true });
                        answers.push((*place, settled(answer), witness.visited()));
                    }
                }
                Err(Refusal::Limit(limit)) => refused = Some(Crosscheck::None(limit.to_string().into())),
                Err(refusal) => {
                    refused = Some(Crosscheck::Disagreed(format!("the certificate is refused: {refusal}")));
                }
            }
        }
        if let Some(hand_out) = hand_out {
            hand_out(id, problem.variant.as_deref(), &claims);
        }
        if let Some(refused) = refused {
            open.iter().for_each(|place| self.with(*place, |finding| finding.crosscheck = refused.clone()));
        }
        for (place, answer, visited) in answers {
            self.with(place, |finding| {
                finding.visited.push(("certificate", visited));
                self.compare(answer, "certificate", finding);
            });
        }
    }

    /// Why a walk need not begin: the fast engine's count shows that it cannot end within the limit.
    fn hopeless(&mut self, question: &Question, answer: &Answer, limit: u64) -> Option<String> {
        let sought = question.ask.sought()?;
        let asked = question.ask.surely_asked(question, answer);
        let mut sum = 0_u64;
        let rules = &self.problem.rules;
        let engine = self.engine(question.sum);
        let counted = Fast::new(question, rules, engine).each(&mut |rows, row| {
            if !asked(row) {
                return Ok(());
            }
            let Some(cost) = rows.engine().walk_cost(row.start, sought)? else { return Err(Halt::Missing) };
            sum = sum.saturating_add(cost);
            if sum > limit { Err(Limit::Walk(limit).into()) } else { Ok(()) }
        });
        (counted.is_err() && sum > limit).then(|| match sought {
            Sought::Everything => format!("a walk through every play takes more than {limit} positions"),
            Sought::Outcome => format!("a walk takes more than {limit} positions"),
        })
    }
}

/// Heaps are answered without a table, and may have more moves than are ever listed: that is no fault of the rules.
#[must_use]
pub fn unlisted(stop: Stop, rules: &Rules) -> Stop {
    match &stop {
        Stop::Rule(RuleError { fault: Fault::TooManyMoves(most), .. }) if rules.heaps.is_some() => {
            Stop::Limit(Limit::Moves(*most))
        }
        _ => stop,
    }
}

/// A value that is missing as a whole is the answer `none`.
pub(crate) fn settled(answer: Result<Answer, Halt>) -> Result<Answer, Stop> {
    match answer {
        Ok(answer) => Ok(answer),
        Err(Halt::Missing) => Ok(Answer::none()),
        Err(Halt::Stop(stop)) => Err(*stop),
    }
}
