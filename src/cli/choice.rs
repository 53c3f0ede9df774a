//! One problem of a file, and one start: what `solve`, `tree` and every command about a single start have in common.

use std::fmt::Write;
use std::io::Write as _;
use std::path::Path;

use clap::Args;

use super::terminal::{buffer, say, warnings};
use super::{Common, Failure, status};
use crate::bank;
use crate::budget::{Budget, Limit};
use crate::check::{rule_mistake, unlisted};
use crate::engine::Walker;
use crate::game::Reference;
use crate::lang::tree::Parameter;
use crate::lang::{Halt, Mistake, Stop};
use crate::problem::{Changes, Loaded, Problem, load};
use crate::question::{Naive, Question, Row};
use crate::report::diagnostic;
use crate::runaway::{may_be_met, of_question};

/// What the command line says about the problem, its start and its questions.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Choice {
    /// This variant, not the problem as written
    #[arg(long, value_name = "LABEL")]
    pub(super) variant: Option<String>,
    /// Another value for a constant, or the only one for a parameter; repeatable
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_setting)]
    pub(super) set: Vec<(String, String)>,
    /// Another start, in state order
    #[arg(long, value_name = "POSITION", allow_hyphen_values = true)]
    pub(super) start: Option<String>,
    /// Only this question
    #[arg(long, value_name = "LABEL")]
    pub(super) question: Option<String>,
}

/// One problem, and one start that its questions ask about.
#[derive(Debug)]
pub(super) struct OneStart {
    /// The file.
    pub(super) loaded: Loaded,
    /// The place of the problem in the file.
    problem: usize,
    /// The places of the questions that ask about this start and no other; at least one.
    pub(super) questions: Vec<usize>,
    /// The position.
    pub(super) start: Vec<i64>,
}

/// What is chosen so far.
#[derive(Debug)]
pub(super) enum Picked {
    /// All that is needed.
    One(Box<OneStart>),
    /// Too little.
    Several(Several),
}

/// What must be given, or one of it, before a single start is left.
#[derive(Debug)]
pub(super) struct Several {
    /// Parameters with more than one value.
    pub(super) parameters: Vec<OpenParameter>,
    /// Questions with different starts; empty where all have the same.
    pub(super) questions: Vec<String>,
    /// How a position is written: the state as the file has it.
    pub(super) state: String,
}

/// A parameter that is not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenParameter {
    /// Its name.
    pub(super) name: String,
    /// The range that the file gives it.
    pub(super) range: String,
}

impl OneStart {
    /// The problem.
    pub(super) fn problem(&self) -> &Problem {
        &self.loaded.problems[self.problem].0
    }

    /// Whether the start is a sum of games.
    pub(super) fn sum(&self) -> bool {
        let questions = &self.problem().questions;
        self.questions.first().and_then(|at| questions.get(*at)).is_some_and(|question| question.sum)
    }
}

impl Choice {
    /// What is changed in the file before it is loaded.
    pub(super) fn changes(&self) -> Changes {
        Changes { set: self.set.clone(), start: self.start.clone() }
    }

    /// Whether the question is among the chosen ones.
    pub(super) fn wants(&self, problem: &Problem, question: &Question) -> bool {
        let labelled = self.question.as_ref().is_none_or(|label| *label == question.label);
        problem.variant == self.variant && labelled
    }

    /// Says that the file has nothing that was chosen, and what it has.
    pub(super) fn nothing(&self, file: &Path, loaded: &Loaded) -> Failure {
        let file = file.display();
        let problem =
            loaded.problems.iter().map(|(problem, _)| problem).find(|problem| problem.variant == self.variant);
        let (mut message, what, known) = match (problem, &self.variant) {
            (None, variant) => {
                let variants = loaded.problems.iter().filter_map(|(problem, _)| problem.variant.as_deref()).collect();
                let variant = variant.as_deref().unwrap_or_default();
                (format!("{file} has no variant \"{variant}\""), "variants", variants)
            }
            (Some(problem), variant) => {
                let of = variant.as_ref().map_or(String::new(), |variant| format!(", variant \"{variant}\","));
                let asked = self.question.as_deref().unwrap_or_default();
                let questions: Vec<&str> = problem.questions.iter().map(|question| question.label.as_str()).collect();
                (format!("{file}{of} has no question \"{asked}\""), "questions", questions)
            }
        };
        // writing to a string does not fail
        let _ = if known.is_empty() {
            write!(message, "\n  = it has no {what}")
        } else {
            write!(message, "\n  = its {what} are {}", quoted(&known))
        };
        Failure::usage(message)
    }

    /// The parameters that `--start` leaves without a value, where questions ask about them.
    pub(super) fn left_open(&self, loaded: &Loaded) -> Option<Failure> {
        let chosen = |label: &String| {
            loaded.problems.iter().any(|(problem, _)| {
                let mut asked = problem.questions.iter().filter(|question| self.wants(problem, question));
                asked.any(|question| question.label == *label)
            })
        };
        let (_, name) = loaded.open.iter().find(|(label, _)| chosen(label))?;
        let start = self.start.as_deref().unwrap_or_default();
        Some(Failure::usage(format!(
            "the start {start} does not tell what {name} is, and the questions ask about {name}\n  = give `--set \
             {name}=VALUE` as well, or `--question LABEL`"
        )))
    }

    /// Says on standard error where a parameter is set to a value that the file does not give it.
    pub(super) fn warn(&self, file: &Path, common: &Common) {
        if !common.quiet
            && let Some(told) = self.outside(file)
        {
            say(&told);
        }
    }

    fn outside(&self, file: &Path) -> Option<String> {
        /// How many combinations are looked through.
        const MOST: usize = 200_000;
        if self.set.is_empty() {
            return None;
        }
        let source = bank::read(file).ok()?;
        let changed = |set: Vec<(String, String)>| load(&source, &Changes { set, start: None }).ok();
        let whole = changed(Vec::new())?;
        let mut questions = whole.problems.iter().flat_map(|(problem, _)| &problem.questions);
        let given: Vec<&Parameter> = questions.by_ref().flat_map(|question| question.given.iter()).collect();
        let (set, constants): (Vec<_>, Vec<_>) =
            self.set.iter().cloned().partition(|(name, _)| given.iter().any(|known| known.name == *name));
        let set: Vec<(String, i64)> =
            set.into_iter().filter_map(|(name, value)| Some((name, value.parse().ok()?))).collect();
        let changed = changed(constants)?;
        let mut asked = false;
        for (problem, _) in &changed.problems {
            for question in problem.questions.iter().filter(|question| self.wants(problem, question)) {
                let place = |name: &String| question.given.iter().position(|known| known.name == *name);
                let set: Vec<(usize, i64)> =
                    set.iter().filter_map(|(name, value)| Some((place(name)?, *value))).collect();
                if set.is_empty() {
                    continue;
                }
                asked = true;
                let (mut seen, mut found) = (0, false);
                let rows = each_row(question, problem, &mut |row| {
                    seen += 1;
                    found = set.iter().all(|(place, value)| row.parameters.get(*place) == Some(value));
                    !found && seen < MOST
                });
                if rows.is_err() || found || seen >= MOST {
                    return None;
                }
            }
        }
        let told: Vec<String> = set
            .iter()
            .map(|(name, value)| {
                let range = given.iter().find(|known| known.name == *name).map(|known| text_of(known, &whole));
                format!("{name} = {value} (the file gives {})", range.unwrap_or_default())
            })
            .collect();
        asked.then(|| format!("note: no start of the file has {}", told.join(" and ")))
    }

    /// Loads the file and picks the one start; where several are left, a message lists what is open.
    pub(super) fn one_start(&self, file: &Path, common: &Common) -> Result<OneStart, Failure> {
        match self.pick(file, common)? {
            Picked::One(one) => Ok(*one),
            Picked::Several(several) => Err(several.refusal(file)),
        }
    }

    /// Loads the file and picks the start, if one is left. A command at a terminal may ask for what is open, add the
    /// answers to [`Choice::set`], and pick again.
    pub(super) fn pick(&self, file: &Path, common: &Common) -> Result<Picked, Failure> {
        let loaded = open(file, &self.changes(), common)?;
        let Some(place) = loaded.problems.iter().position(|(problem, _)| problem.variant == self.variant) else {
            return Err(self.nothing(file, &loaded));
        };
        let problem = &loaded.problems[place].0;
        let mut asked = Vec::new();
        for (at, question) in problem.questions.iter().enumerate().filter(|(_, asked)| self.wants(problem, asked)) {
            let starts = starts(question, problem).map_err(|halt| failure(halt, problem, &loaded, common))?;
            asked.push(Asked { at, question, starts });
        }
        if asked.is_empty() {
            return Err(self.nothing(file, &loaded));
        }
        let meant = self.meant(&asked);
        let Some(first) = meant.first() else {
            return Err(Failure::usage(format!("{}: the parameters have no values left", file.display())));
        };
        if first.starts.len() == 1 && meant.iter().all(|asked| asked.starts == first.starts) {
            let start = first.starts[0].clone();
            let same = asked.iter().filter(|asked| asked.starts == first.starts);
            let questions = same.map(|asked| asked.at).collect();
            return Ok(Picked::One(Box::new(OneStart { problem: place, questions, start, loaded })));
        }
        Ok(Picked::Several(self.several(problem, &loaded, &meant)))
    }

    /// The questions whose starts are meant: those with the parameters that are set, and of them those about the
    /// problem's own start, if there are any.
    fn meant<'a>(&self, asked: &'a [Asked<'a>]) -> Vec<&'a Asked<'a>> {
        let mut meant: Vec<&Asked<'_>> = asked.iter().collect();
        let mut narrow = |keep: &dyn Fn(&Asked<'_>) -> bool| {
            if meant.iter().any(|asked| keep(asked)) {
                meant.retain(|asked| keep(asked));
            }
        };
        for (name, _) in &self.set {
            narrow(&|asked| asked.question.given.iter().any(|parameter| parameter.name == *name));
        }
        narrow(&|asked| !asked.question.own_start);
        meant.retain(|asked| !asked.starts.is_empty());
        meant
    }

    fn several(&self, problem: &Problem, loaded: &Loaded, asked: &[&Asked<'_>]) -> Several {
        let parameters_of = |question: &Question| -> Vec<OpenParameter> {
            // one that bears the name of a state variable is settled by `--start`
            let by_start = |name: &String| {
                self.start.is_some() && problem.rules.state.iter().any(|variable| variable.name == *name)
            };
            let by_set = |name: &String| self.set.iter().any(|(set, _)| set == name);
            let unset = question.given.iter().filter(|open| !by_start(&open.name) && !by_set(&open.name));
            unset.map(|open| OpenParameter { name: open.name.clone(), range: text_of(open, loaded) }).collect()
        };
        let mut parameters: Vec<OpenParameter> = Vec::new();
        for open in asked.iter().filter(|asked| asked.starts.len() > 1).flat_map(|asked| parameters_of(asked.question))
        {
            if !parameters.contains(&open) {
                parameters.push(open);
            }
        }
        let alike = asked.iter().all(|other| other.starts == asked[0].starts);
        let labels = || asked.iter().map(|asked| asked.question.label.clone()).collect();
        let state = problem.rules.state.iter().map(|variable| match variable.length {
            None => variable.name.clone(),
            Some(length) => format!("{}[{length}]", variable.name),
        });
        let state = state.collect::<Vec<_>>().join(", ");
        Several { parameters, questions: if alike { Vec::new() } else { labels() }, state }
    }
}

impl Several {
    /// The message of a command that needs one start.
    fn refusal(&self, file: &Path) -> Failure {
        let mut message = format!("{} asks about more than one start, and one is needed", file.display());
        // writing to a string does not fail
        for OpenParameter { name, range } in &self.parameters {
            let _ = write!(message, "\n  = give `--set {name}=VALUE`, a value of {range}");
        }
        if !self.questions.is_empty() {
            let labels: Vec<&str> = self.questions.iter().map(String::as_str).collect();
            let _ = write!(message, "\n  = give `--question LABEL`, one of {}", quoted(&labels));
        }
        let _ = write!(message, "\n  = or give `--start POSITION`, values for {}", self.state);
        Failure::usage(message)
    }
}

/// A question with its starts.
struct Asked<'a> {
    at: usize,
    question: &'a Question,
    /// Each once, and no more than two of them, which is too many already.
    starts: Vec<Vec<i64>>,
}

/// Reads and loads a file; its mistakes are told on standard error.
pub(super) fn open(file: &Path, changes: &Changes, common: &Common) -> Result<Loaded, Failure> {
    let source = bank::read(file).map_err(|mistake| vec![mistake]);
    source.and_then(|source| load(&source, changes)).map_err(|mistakes| told(&mistakes, common))
}

/// What ends a command that meets a rule error or a limit.
pub(super) fn failure(halt: Halt, problem: &Problem, loaded: &Loaded, common: &Common) -> Failure {
    match halt {
        Halt::Stop(stop) => match *stop {
            Stop::Rule(error) => told(&[rule_mistake(&error, &problem.rules, &loaded.source)], common),
            Stop::Limit(limit) => over(limit),
        },
        Halt::Missing => Failure::usage("a value is missing at the start"),
    }
}

/// What ends a command that meets a limit.
pub(super) fn over(limit: Limit) -> Failure {
    let status = if limit == Limit::Interrupted { status::INTERRUPTED } else { status::LIMIT };
    Failure { message: limit.to_string(), status }
}

/// Tells questions without an answer, where `solve` and `explain` tell answers.
pub(super) struct Untold<'a> {
    loaded: &'a Loaded,
    /// The rule error that was told last, which is not told again.
    last: Option<Mistake>,
}

impl<'a> Untold<'a> {
    /// Nothing told yet.
    pub(super) const fn new(loaded: &'a Loaded) -> Self {
        Self { loaded, last: None }
    }

    /// A rule error is told with its place and a limit by its name; the exit status.
    pub(super) fn rule_or_limit(
        &mut self,
        halt: Halt,
        problem: &Problem,
        question: &Question,
        common: &Common,
    ) -> std::io::Result<u8> {
        let (writer, mut out) = buffer(common);
        let status = match halt {
            Halt::Stop(stop) => match unlisted(*stop, &problem.rules) {
                Stop::Rule(error) => {
                    let mistake = rule_mistake(&error, &problem.rules, &self.loaded.source);
                    if self.last.as_ref() == Some(&mistake) {
                        writeln!(out, "Answer: none, the same rule error")?;
                    } else {
                        writeln!(out, "Answer: none, a rule error")?;
                        diagnostic(&mistake, &mut out);
                        self.last = Some(mistake);
                    }
                    status::USAGE
                }
                Stop::Limit(limit) => {
                    writeln!(out, "No answer, {limit}")?;
                    if let Some(found) = Some(question)
                        .filter(|_| may_be_met(limit))
                        .and_then(|asked| of_question(asked, &problem.rules))
                    {
                        writeln!(out, "  = {found}")?;
                    }
                    status::LIMIT
                }
            },
            Halt::Missing => status::USAGE,
        };
        writer.print(&out)?;
        Ok(status)
    }
}

/// The range of a parameter as the file has it.
fn text_of(parameter: &Parameter, loaded: &Loaded) -> String {
    loaded.source.text.get(parameter.span.range()).unwrap_or_default().to_owned()
}

/// Labels in quotes; of very many the first ones.
fn quoted(labels: &[&str]) -> String {
    const MOST: usize = 30;
    let mut quoted: Vec<String> = labels.iter().take(MOST).map(|label| format!("\"{label}\"")).collect();
    quoted.extend((labels.len() > MOST).then(|| "…".to_owned()));
    quoted.join(", ")
}

fn told(mistakes: &[Mistake], common: &Common) -> Failure {
    let (writer, mut out) = warnings(common);
    mistakes.iter().for_each(|mistake| diagnostic(mistake, &mut out));
    // nobody may be listening, and there is nowhere else to tell it
    let _ = writer.print(&out);
    Failure::usage("")
}

/// The starts of a question, each once, up to the second.
fn starts(question: &Question, problem: &Problem) -> Result<Vec<Vec<i64>>, Halt> {
    let mut starts: Vec<Vec<i64>> = Vec::new();
    each_row(question, problem, &mut |row| {
        if starts.iter().all(|known| known != row.start) {
            starts.push(row.start.to_vec());
        }
        starts.len() < 2
    })?;
    Ok(starts)
}

/// Calls `each` with the combinations of a question's parameters, until it says `false`.
fn each_row(question: &Question, problem: &Problem, each: &mut dyn FnMut(Row<'_>) -> bool) -> Result<(), Halt> {
    let rules = &problem.rules;
    let budget = Budget::new(0);
    // the walker is there for values of positions, which no start reads
    let mut walker = Walker::new(Reference::new(rules), 0, &budget);
    Naive { question, rules, walker: &mut walker, thorough: false }.each(&mut |_, row| Ok(each(row)))
}

/// `n=70`
fn parse_setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("a setting is written NAME=VALUE, such as n=70".to_owned()),
    }
}
