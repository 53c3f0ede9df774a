//! Why an answer is right, in words that a pupil could hand in; and why a wrong key is wrong.
//!
//! Everything said of a position is also noted as a [`Claim`], so that a test can hold it against another engine. The
//! words rest on the values that the engines give, and on nothing that they do not.

mod counts;
mod facts;
mod first_moves;
mod formula;
mod nim;
mod over;
mod page;
mod puzzle;
mod strategy;
mod words;
mod wrong;

use std::sync::Arc;

use self::page::Page;
use crate::budget::{Budget, Limit};
use crate::check::unlisted;
use crate::engine::{self, Engine};
use crate::game::shown;
use crate::lang::{Halt, Source, Stop};
use crate::problem::{AuthorKey, Problem};
use crate::question::{About, Answer, Fast, Key, Question, Topic, accepts};
use crate::value::{Class, Outcome};

/// The constants that the end, the goal or the moves name, with their values.
fn numbers(problem: &Problem) -> Vec<String> {
    let texts = || problem.over.iter().chain(problem.rules.moves.iter().map(|made| &made.name));
    let between = |letter: char| !(letter.is_alphanumeric() || letter == '_');
    let named = |name: &str| texts().any(|text| text.split(between).any(|word| word == name));
    let numbers = problem.numbers.iter().filter(|(name, _)| named(name));
    numbers.map(|(name, value)| format!("{name} = {value}")).collect()
}

/// What the classes mean.
#[must_use]
pub fn legend() -> String {
    let mut page = Page::default();
    page.say(0, words::LEGEND);
    page.finish()
}

/// The title, and how the game ends.
#[must_use]
pub fn introduction(problem: &Problem) -> String {
    let mut page = Page::default();
    page.say(0, &problem.title);
    let over = problem.over.as_deref().map(words::one_line);
    let text = match (over, problem.rules.puzzle) {
        (Some(goal), true) => format!("The goal: {goal}."),
        (None, true) => String::new(),
        (Some(end), false) => {
            format!("The game is over when {end}, or when there is no move. {}", words::winner(&problem.rules.winner))
        }
        (None, false) => {
            format!("The game is over when there is no move. {}", words::winner(&problem.rules.winner))
        }
    };
    let here = numbers(problem);
    let here = if here.is_empty() { String::new() } else { format!("Here {}.", here.join(", ")) };
    let text = [text, here].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    if !text.is_empty() {
        page.say(0, &text);
    }
    page.finish()
}

/// What has been said of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The position.
    pub position: Vec<i64>,
    /// What it is said to be.
    pub fact: Fact,
}

/// What may be said of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// What the player to move can force.
    Outcome(Outcome),
    /// Its class; none for a draw.
    Class(Option<Class>),
    /// A move leads to this position.
    MoveTo(Vec<i64>),
}

/// A question explained.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// The text, each line ended.
    pub text: String,
    /// What it says of positions of the game, or of the sum.
    pub claims: Vec<Claim>,
    /// Whether it uses the words `W2`, `L1` and the like.
    pub classes: bool,
}

/// The engines that answer and the ones that look around for reasons, for games or for sums.
struct Desk<'a> {
    whole: Box<dyn Engine + 'a>,
    near: Box<dyn Engine + 'a>,
    /// Whether the game was too large for the smaller budget; sums differ in size.
    near_fails: bool,
}

/// Explains the questions of one problem.
pub struct Explainer<'a> {
    problem: &'a Problem,
    source: &'a Arc<Source>,
    budget: &'a Budget,
    small: &'a Budget,
    game: Option<Desk<'a>>,
    sum: Option<Desk<'a>>,
    /// What has been told, and under which question.
    told: Vec<(Told, String)>,
}

/// What need not be told twice.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Told {
    /// The winner's strategy from a start.
    Strategy(Vec<i64>),
    /// The strategy by binary columns.
    Columns(Vec<i64>),
    /// The rule of Nim in which the last mover loses.
    MisereNim,
    /// A solution of the puzzle.
    Solution(Vec<i64>),
    /// The classes of all these starts.
    Table(Vec<i64>),
}

impl<'a> Explainer<'a> {
    /// An explainer that answers within one budget, and looks for reasons that the answer does not need within a
    /// smaller one.
    #[must_use]
    pub const fn new(problem: &'a Problem, source: &'a Arc<Source>, budget: &'a Budget, small: &'a Budget) -> Self {
        Self { problem, source, budget, small, game: None, sum: None, told: Vec::new() }
    }

    /// Answers a question and says why; and, where there is a key, whether it is right.
    ///
    /// # Errors
    ///
    /// A rule error at a position that the question rests on, or a limit that leaves it without an answer.
    pub fn explain(&mut self, question: &Question, key: Option<&AuthorKey>) -> Result<Explanation, Halt> {
        let rules = &self.problem.rules;
        let (budget, small) = (self.budget, self.small);
        let desk = if question.sum { &mut self.sum } else { &mut self.game };
        let desk = desk.get_or_insert_with(|| Desk {
            whole: engine::fast(rules, question.sum, budget, budget),
            near: engine::fast(rules, question.sum, small, small),
            near_fails: false,
        });
        let answer = match question.ask.solve(&mut Fast::new(question, rules, desk.whole.as_mut())) {
            Err(Halt::Missing) => Answer::none(),
            answer => answer?,
        };
        let mut work = Work {
            problem: self.problem,
            question,
            source: self.source,
            whole: desk.whole.as_mut(),
            near: desk.near.as_mut(),
            near_fails: desk.near_fails,
            told: &mut self.told,
            parameters: Vec::new(),
            start: Vec::new(),
            page: Page::default(),
            claims: Vec::new(),
            rows_told: Vec::new(),
            room: if question.given.is_empty() { ROOM } else { LITTLE_ROOM },
        };
        work.page.say(0, &format!("Question {}: {}", question.label, words::one_line(&question.text)));
        work.page.say(0, &format!("Answer: {}", words::plain(&answer)));
        let reasons = work.reasons(&answer, key);
        let interrupted = budget.check().is_err();
        match reasons {
            Err(Halt::Stop(stop)) if interrupted => return Err(Halt::Stop(stop)),
            Err(Halt::Stop(stop)) => work.page.say(1, &untold(&unlisted(*stop, rules))),
            Err(Halt::Missing) | Ok(()) => {}
        }
        desk.near_fails = work.near_fails && !question.sum;
        let text = work.page.finish();
        let classes = words::names_classes(&text);
        Ok(Explanation { text, claims: work.claims, classes })
    }
}

/// Why the reasons are not told to the end.
fn untold(stop: &Stop) -> String {
    let reason = match stop {
        Stop::Rule(_) => "a rule has no value at a position further on".to_owned(),
        Stop::Limit(Limit::Size(positions)) => format!("it has more than {positions} positions"),
        Stop::Limit(limit) => limit.to_string(),
    };
    format!("The game is too large to be explained further: {reason}.")
}

/// One of the two players, who is to move at a position.
type Player = crate::tree::Player;

/// A position and who is to move there.
#[derive(Clone, Debug)]
struct Place {
    position: Vec<i64>,
    mover: Player,
}

impl Place {
    fn start(position: &[i64]) -> Self {
        Self { position: position.to_vec(), mover: Player::First }
    }

    fn after(&self, position: &[i64]) -> Self {
        Self { position: position.to_vec(), mover: self.mover.other() }
    }
}

/// A combination of the parameters, and the start that it gives.
#[derive(Clone, Debug)]
struct Start {
    parameters: Vec<i64>,
    position: Vec<i64>,
}

/// One question being explained.
struct Work<'w> {
    problem: &'w Problem,
    question: &'w Question,
    source: &'w Source,
    /// Has answered the question.
    whole: &'w mut dyn Engine,
    /// Looks around within a small budget.
    near: &'w mut dyn Engine,
    /// Whether that was too small.
    near_fails: bool,
    told: &'w mut Vec<(Told, String)>,
    /// The parameters of the start that is explained, and the start.
    parameters: Vec<i64>,
    start: Vec<i64>,
    page: Page,
    claims: Vec<Claim>,
    /// The parameters of the starts that have been explained.
    rows_told: Vec<Vec<i64>>,
    /// How many lines a strategy may have.
    room: usize,
}

/// How many starts of an ask about one start are explained.
const STARTS: usize = 6;

/// How many lines a strategy may have that is written out for the only start, and for one of several.
const ROOM: usize = 40;
const LITTLE_ROOM: usize = 16;

/// A position of more characters says little to a reader who has a picture of it.
const LONG: usize = 40;

impl Work<'_> {
    fn reasons(&mut self, answer: &Answer, key: Option<&AuthorKey>) -> Result<(), Halt> {
        let wrong = key.filter(|key| !accepts(answer, &key.key));
        match key {
            Some(key) if wrong.is_none() => {
                let written = key.written.to_string();
                let written = if written.chars().count() > 60 { String::new() } else { format!(", {written},") };
                self.page.say(0, &format!("The key{written} is right."));
            }
            Some(key) => self.page.say(0, &format!("The key says {}. That is wrong.", key.written)),
            None => {}
        }
        let wrong = wrong.map(|key| &key.key);
        match self.question.ask.topic() {
            Topic::Over(picks, condition) => self.over(picks, condition, answer, wrong),
            Topic::Truth(truth) => self.truth(truth, answer, wrong),
            Topic::Grid(rows, columns, condition) => self.grid((rows, columns), condition, wrong, answer),
            topic => self.per_start(topic, answer, wrong),
        }
    }

    /// Asks about one start: the first few starts, or, where the key is wrong, those at which it is.
    fn per_start(&mut self, topic: Topic<'_>, answer: &Answer, wrong: Option<&Key>) -> Result<(), Halt> {
        if self.question.given.is_empty() {
            let starts = self.starts()?;
            let Some(start) = starts.first() else { return Ok(()) };
            return self.about(topic, start, answer, wrong, 1);
        }
        let starts = self.starts()?;
        let answers = if let Answer::List(answers) = answer { &answers[..] } else { &[] };
        let keys = if let Some(Key::List(keys)) = wrong { &keys[..] } else { &[] };
        let mut told: Vec<(usize, Option<&Key>)> = Vec::new();
        if wrong.is_some() {
            let pairs = answers.iter().zip(keys).enumerate();
            told.extend(pairs.filter(|(_, (answer, key))| !accepts(answer, key)).map(|(at, (_, key))| (at, Some(key))));
            if keys.len() != answers.len() {
                let (answers, keys) = (words::count(answers.len(), "start"), words::count(keys.len(), "entry"));
                self.page.say(1, &format!("There are {answers}, and the key has {keys}."));
            }
        }
        if told.is_empty() {
            told.extend((0..answers.len()).map(|at| (at, None)));
        }
        for (at, key) in told.iter().take(STARTS) {
            let (Some(start), Some(answer)) = (starts.get(*at), answers.get(*at)) else { continue };
            let named = self.named(start);
            self.page.say(1, &format!("{named}: {}", words::plain(answer)));
            if let Some(key) = key {
                self.page.say(2, &format!("The key has {} here.", words::key(key, &self.problem.rules)));
            }
            self.about(topic, start, answer, *key, 2)?;
        }
        if told.len() > STARTS {
            let more = told.len() - STARTS;
            let open = self.question.given.first().map_or("NAME", |parameter| parameter.name.as_str());
            self.page.say(1, &format!("… and {more} more starts; `--set {open}=VALUE` picks one."));
        }
        Ok(())
    }

    /// Why the answer about one start is as it is, and why the key is not, if it is wrong.
    fn about(
        &mut self,
        topic: Topic<'_>,
        start: &Start,
        answer: &Answer,
        wrong: Option<&Key>,
        indent: usize,
    ) -> Result<(), Halt> {
        self.parameters.clone_from(&start.parameters);
        self.start.clone_from(&start.position);
        let place = Place::start(&start.position);
        match topic {
            Topic::Start(about @ (About::Winner | About::Class)) => {
                match about {
                    About::Winner => self.winner(&place, wrong.is_some(), indent)?,
                    _ => self.strategy(&place, wrong.is_some(), indent)?,
                }
                self.refute_winner(&place, wrong, indent)
            }
            Topic::Start(about) => self.number(about, &place, answer, indent),
            Topic::FirstMoves => {
                self.refute_moves(&place, answer, wrong, indent)?;
                self.first_moves(&place, indent)
            }
            Topic::Puzzle(puzzle) => {
                self.puzzle(puzzle, &place, indent)?;
                self.refute_solution(&place, answer, wrong, indent)
            }
            Topic::Period(takes) => self.period(takes, &place, answer, indent),
            Topic::Over(..) | Topic::Truth(_) | Topic::Grid(..) => Ok(()),
        }
    }

    /// Under which question the same has been told before; else it is noted that it is told here.
    fn told_before(&mut self, what: Told) -> Option<String> {
        let before = self.told.iter().find(|(told, _)| *told == what).map(|(_, label)| label.clone());
        if before.is_none() {
            self.told.push((what, self.question.label.clone()));
        }
        before
    }

    /// The combinations of the parameters in order.
    fn starts(&mut self) -> Result<Vec<Start>, Halt> {
        const MOST: usize = 100_000;
        let mut starts = Vec::new();
        Fast::new(self.question, &self.problem.rules, &mut *self.whole).each(&mut |_, row| {
            if starts.len() < MOST {
                starts.push(Start { parameters: row.parameters.to_vec(), position: row.start.to_vec() });
            }
            Ok(())
        })?;
        Ok(starts)
    }

    /// `s = 10`, `a = 3, b = 4`; the start itself where there are no parameters.
    fn named(&self, start: &Start) -> String {
        if start.parameters.is_empty() {
            return format!("the start {}", self.at(&start.position));
        }
        let pairs = self.question.given.iter().zip(&start.parameters);
        pairs.map(|(parameter, value)| format!("{} = {value}", parameter.name)).collect::<Vec<_>>().join(", ")
    }

    fn at(&self, position: &[i64]) -> String {
        let shown = shown(&self.problem.rules, position);
        let start = self.problem.rules.puzzle && *position == self.start[..];
        let drawn = shown.len() > LONG && start && self.problem.picture.draw(position).is_some();
        if drawn { "the start".to_owned() } else { shown }
    }

    /// A move in the words of the picture, where the position that it leads to is long.
    fn step(&self, before: &[i64], to: &[i64]) -> Option<String> {
        let long = shown(&self.problem.rules, to).len() > LONG;
        self.problem.picture.step(before, to).filter(|_| long)
    }
}
