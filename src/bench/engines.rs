//! The engines as contestants: which of them answers all questions of a file within the limits, and at what cost.

use std::fmt;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::budget::{Budget, Limit};
use crate::check::{Checking, Verdict, check, settled, unlisted};
use crate::engine::{ENGINES, Walker, on_own_stack};
use crate::game::Compiled;
use crate::lang::Stop;
use crate::problem::{AuthorKey, Loaded, Problem};
use crate::question::{Answer, Naive, Question, accepts, agree};

/// An engine that is timed and never verifies: its name, and how it answers one question.
type OnlyTimed = (&'static str, fn(&Problem, &Question, &Limits<'_>, &Budget) -> Result<(Answer, u64), Stop>);

/// The engines that are timed beside those of `verify`.
const ONLY_TIMED: [OnlyTimed; 1] = [("walk-compiled", walk_compiled)];

/// The names of all engines that are timed, the fastest first.
pub fn engines() -> impl Iterator<Item = &'static str> {
    ENGINES.into_iter().chain(ONLY_TIMED.iter().map(|(name, _)| *name))
}

/// How far an engine may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'l> {
    /// Memory in bytes.
    pub memory: u64,
    /// Positions that a walker may visit for one question.
    pub walk: u64,
    /// Time for all questions of a file; it is looked at in the first run, before anything is timed.
    pub time: Duration,
    /// The only question that is asked, if it is one.
    pub question: Option<&'l str>,
}

impl Limits<'_> {
    fn asks(&self, question: &Question) -> bool {
        self.question.is_none_or(|label| label == question.label)
    }
}

/// All questions of a file, answered by one engine.
#[derive(Clone, Debug)]
pub struct Done {
    /// Each question in words, and its answer.
    pub answers: Vec<(String, Answer)>,
    /// How many positions were looked at.
    pub visited: u64,
    /// The most memory held at once, as far as it is counted.
    pub bytes: u64,
}

/// Why an engine does not take part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// It is not made for what is asked.
    Unfit,
    /// A limit left a question without an answer.
    Limit(String, Limit),
    /// A rule error.
    Error(String),
    /// A key says something else, or another engine does.
    Wrong(String),
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unfit => write!(f, "it does not answer such questions"),
            Self::Limit(question, limit) => write!(f, "{question}: {limit}"),
            Self::Error(told) | Self::Wrong(told) => f.write_str(told),
        }
    }
}

/// The same as [`attempt`], within the time limit too; and how long it took.
pub(super) fn first_attempt(
    loaded: &Loaded,
    engine: &'static str,
    limits: &Limits<'_>,
) -> (Result<Done, LeftOut>, Duration) {
    let budget = &Budget::new(limits.memory);
    let (done, over) = mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // nothing is ever sent: the wait ends when the sender goes away, or when the time is over
            if over.recv_timeout(limits.time) == Err(mpsc::RecvTimeoutError::Timeout) {
                budget.stop(Limit::Time);
            }
        });
        let begin = Instant::now();
        let attempt = within(budget, loaded, engine, limits);
        let took = begin.elapsed();
        drop(done);
        (attempt, took)
    })
}

/// Lets an engine answer all questions of a file that are asked, and compares the answers with the keys.
///
/// # Errors
///
/// It cannot, within the limits, or an answer is not the key's.
pub fn attempt(loaded: &Loaded, engine: &'static str, limits: &Limits<'_>) -> Result<Done, LeftOut> {
    within(&Budget::new(limits.memory), loaded, engine, limits)
}

fn within(budget: &Budget, loaded: &Loaded, engine: &'static str, limits: &Limits<'_>) -> Result<Done, LeftOut> {
    let mut asked = loaded.problems.iter().flat_map(|(problem, _)| &problem.questions);
    if engine == "sum" && !asked.all(|question| question.sum || !limits.asks(question)) {
        return Err(LeftOut::Unfit);
    }
    let (answers, visited) = match ONLY_TIMED.iter().find(|(name, _)| *name == engine) {
        Some((_, answer)) => only_timed(loaded, limits, |problem, question| answer(problem, question, limits, budget)),
        None => checked(loaded, engine, limits, budget),
    }?;
    Ok(Done { answers, visited, bytes: budget.peak() })
}

type Answers = Result<(Vec<(String, Answer)>, u64), LeftOut>;

fn checked(loaded: &Loaded, engine: &'static str, limits: &Limits<'_>, budget: &Budget) -> Answers {
    let checking = Checking {
        engines: vec![engine],
        walk_limit: limits.walk,
        budget,
        keys: true,
        hints: false,
        certificates: None,
    };
    let (mut answers, mut visited) = (Vec::new(), 0);
    // the table hands to the memo what it is not made for, but it takes part only where it answers something itself
    let mut own = engine != "table";
    for finding in check("", loaded, &checking, &|_, question| limits.asks(question)) {
        let question = named(finding.variant.as_deref(), finding.question.as_deref().unwrap_or_default());
        visited += finding.visited.iter().map(|(_, count)| count).sum::<u64>();
        match (finding.verdict, finding.answer) {
            (Verdict::Right | Verdict::NoKey, Some(answer))
                if finding.by.first().is_some_and(|by| *by == engine || (engine, *by) == ("table", "memo")) =>
            {
                own = own || finding.by.contains(&engine);
                answers.push((question, answer));
            }
            (Verdict::Wrong, Some(answer)) => return Err(wrong(&question, &answer, finding.key.as_ref())),
            (Verdict::Limit, _) => return Err(LeftOut::Limit(question, finding.limit.unwrap_or(Limit::Interrupted))),
            (Verdict::Error, _) => {
                let mistake = finding.error.map(|mistake| mistake.one_line()).unwrap_or_default();
                return Err(LeftOut::Error(format!("{question}: {mistake}")));
            }
            _ => return Err(LeftOut::Unfit),
        }
    }
    if own { Ok((answers, visited)) } else { Err(LeftOut::Unfit) }
}

fn only_timed(
    loaded: &Loaded,
    limits: &Limits<'_>,
    answer: impl Fn(&Problem, &Question) -> Result<(Answer, u64), Stop>,
) -> Answers {
    let (mut answers, mut all_visited) = (Vec::new(), 0);
    for (problem, keys) in &loaded.problems {
        for (question, key) in problem.questions.iter().zip(keys).filter(|(question, _)| limits.asks(question)) {
            let label = named(problem.variant.as_deref(), &question.label);
            let (answer, visited) = answer(problem, question).map_err(|stop| match unlisted(stop, &problem.rules) {
                Stop::Limit(limit) => LeftOut::Limit(label.clone(), limit),
                Stop::Rule(error) => LeftOut::Error(format!("{label}: {}", error.fault)),
            })?;
            if key.as_ref().is_some_and(|key| !accepts(&answer, &key.key)) {
                return Err(wrong(&label, &answer, key.as_ref()));
            }
            answers.push((label, answer));
            all_visited += visited;
        }
    }
    Ok((answers, all_visited))
}

/// The walker's recursion on compiled rules.
fn walk_compiled(
    problem: &Problem,
    question: &Question,
    limits: &Limits<'_>,
    budget: &Budget,
) -> Result<(Answer, u64), Stop> {
    let rules = &problem.rules;
    let game = if question.sum { Compiled::sum(rules) } else { Compiled::new(rules) };
    let mut walker = Walker::new(game, limits.walk, budget);
    let answer =
        on_own_stack(|| question.ask.walk(&mut Naive { question, rules, walker: &mut walker, thorough: false }));
    Ok((settled(answer)?, crate::engine::Engine::visited(&walker)))
}

fn named(variant: Option<&str>, question: &str) -> String {
    match variant {
        Some(variant) => format!("variant \"{variant}\", question \"{question}\""),
        None => format!("question \"{question}\""),
    }
}

fn wrong(question: &str, answer: &Answer, key: Option<&AuthorKey>) -> LeftOut {
    let key = key.map(|key| format!(", the key is {}", key.written)).unwrap_or_default();
    LeftOut::Wrong(format!("{question}: the answer is {answer}{key}"))
}

/// Whether two engines have the same answers.
///
/// # Errors
///
/// The first question on which they differ.
pub fn same(one: (&str, &Done), other: (&str, &Done)) -> Result<(), LeftOut> {
    let pairs = one.1.answers.iter().zip(&other.1.answers);
    match pairs.into_iter().find(|((_, first), (_, second))| !agree(first, second)) {
        None => Ok(()),
        Some(((question, first), (_, second))) => {
            Err(LeftOut::Wrong(format!("{question}: {} says {first}, {} says {second}", one.0, other.0)))
        }
    }
}
