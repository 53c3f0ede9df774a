//! The loops and the engines in one process, warm, run by run.

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use gameproof::bank;
use gameproof::bench::{Contestant, Done, Limits, Timed, attempt, engines, interleave};
use gameproof::problem::{Changes, Loaded, load};

use crate::memo::Memo;
use crate::options::Options;
use crate::piles::{Pile, Piles};
use crate::rows::{Row, table};
use crate::token;

/// What may be used; an engine that needs more is left out, openly.
const LIMITS: Limits<'static> = Limits { memory: 1 << 30, walk: 2_000_000, time: Duration::MAX, question: None };

/// Positions that are walked where the walk is what is measured.
const LONG_WALK: u64 = 400_000_000;

/// A loop for one problem file: its name, and what runs it.
type Loop<'l> = (&'static str, Box<dyn FnMut() + 'l>);

/// Measures all files that have a loop.
pub(crate) fn measure(options: &Options) -> String {
    let (mut rows, mut notes) = (Vec::new(), String::new());
    two_piles(options, if options.quick { 100 } else { 1000 }, &mut rows, &mut notes);
    if !options.quick {
        one_pile(options, 1_000_000, &mut rows, &mut notes);
    }
    for reach in if options.quick { &[30][..] } else { &[30, 40] } {
        tree(options, *reach, &mut rows, &mut notes);
    }
    if !options.quick {
        scattered(options, &mut rows, &mut notes);
    }
    format!("{}\n{notes}", table(rows))
}

/// From the text of the rules to both answers, beside the loop alone, which fills memory that it has already.
fn two_piles(options: &Options, n: usize, rows: &mut Vec<Row>, notes: &mut String) {
    let (mut plain, mut by_rows) = (Piles::new(n), Piles::new(n));
    plain.fill_plainly();
    by_rows.fill_by_rows();
    let tally = plain.tally();
    assert_eq!(tally, by_rows.tally(), "both loops have one answer");
    let file = Pair::open(&format!("two-piles-{n}"), None, &tally.to_string());
    let loops: [Loop<'_>; 2] = [
        ("plain loop", Box::new(move || black_box(&mut plain).fill_plainly())),
        ("loop by rows", Box::new(move || black_box(&mut by_rows).fill_by_rows())),
    ];
    file.race(options, loops, "1.5 (aim 0.6)", Count::Runs, rows, notes);
}

fn one_pile(options: &Options, n: usize, rows: &mut Vec<Row>, notes: &mut String) {
    let mut pile = Pile::new(n);
    pile.fill();
    let file = Pair::open(&format!("one-pile-{n}"), None, &pile.tally().to_string());
    let loops: [Loop<'_>; 1] = [("loop", Box::new(move || black_box(&mut pile).fill()))];
    file.race(options, loops, "", Count::Runs, rows, notes);
}

/// The walkers beside plain recursion, a position visited.
fn tree(options: &Options, reach: i32, rows: &mut Vec<Row>, notes: &mut String) {
    let plays = token::plays(-2, -1, reach);
    let file = Pair::open(&format!("token-{reach}"), Some("plays"), &format!("plays: {plays}"));
    let recursion = move || {
        black_box(token::plays(black_box(-2), -1, reach));
    };
    let loops: [Loop<'_>; 1] = [("recursion", Box::new(recursion))];
    file.race(options, loops, "8 (aim 4) for walk-compiled", Count::Positions(token::visited(plays)), rows, notes);
}

/// A game whose positions lie scattered.
fn scattered(options: &Options, rows: &mut Vec<Row>, notes: &mut String) {
    const START: u32 = 4_000_000_000;
    let told = crate::once_cold("memo", &START.to_string()).expect("it is a loop");
    let file = Pair::open("cut-numbers-4000000000", None, &told);
    let fill = || {
        black_box(Memo::new().worth(black_box(START), START));
    };
    let loops: [Loop<'_>; 1] = [("memo by hand", Box::new(fill))];
    file.race(options, loops, "1.5", Count::Runs, rows, notes);
}

/// What times are divided by.
#[derive(Clone, Copy)]
enum Count {
    /// Whole runs are compared.
    Runs,
    /// Each side's time a position visited; so many are visited by the loop.
    Positions(u64),
}

/// A problem file of `benches/problems` that has a loop, with the loop's answers.
struct Pair {
    name: String,
    text: std::sync::Arc<gameproof::lang::Source>,
    question: Option<&'static str>,
    answers: String,
}

impl Pair {
    fn open(name: &str, question: Option<&'static str>, answers: &str) -> Self {
        let path = format!("benches/problems/{name}.ron");
        let text = bank::read(Path::new(&path)).unwrap_or_else(|mistake| panic!("{path}: {}", mistake.one_line()));
        Self { name: name.to_owned(), text, question, answers: answers.to_owned() }
    }

    fn loaded(&self) -> Loaded {
        load(&self.text, &Changes::default()).unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", self.name))
    }

    /// Reads the rules from their text and lets an engine answer.
    fn answered(&self, engine: &'static str) -> Result<Done, gameproof::bench::LeftOut> {
        let walk = if self.question.is_some() { LONG_WALK } else { LIMITS.walk };
        attempt(&self.loaded(), engine, &Limits { question: self.question, walk, ..LIMITS })
    }

    /// The engines that fit, each with what it took. Their answers are the keys', and the loop's.
    fn fitting(&self, notes: &mut String) -> Vec<(&'static str, Done)> {
        let mut fitting = Vec::new();
        // where the walk is what is measured, only walkers take part
        for engine in engines().filter(|engine| self.question.is_none() || engine.starts_with("walk")) {
            match self.answered(engine) {
                Ok(done) => {
                    let label = |question: &str| question.split('"').nth(1).map(str::to_owned).unwrap_or_default();
                    let told = done.answers.iter().map(|(question, answer)| format!("{}: {answer}", label(question)));
                    assert_eq!(
                        told.collect::<Vec<_>>().join("\n"),
                        self.answers,
                        "{}: {engine} and the loop",
                        self.name
                    );
                    fitting.push((engine, done));
                }
                Err(gameproof::bench::LeftOut::Unfit) => {}
                Err(reason @ gameproof::bench::LeftOut::Limit(..)) => {
                    notes.push_str(&format!("- {}: {engine} is left out, {reason}\n", self.name));
                }
                Err(reason) => panic!("{}: {engine}: {reason}", self.name),
            }
        }
        fitting
    }

    fn race<const N: usize>(
        &self,
        options: &Options,
        loops: [Loop<'_>; N],
        goal: &str,
        count: Count,
        rows: &mut Vec<Row>,
        notes: &mut String,
    ) {
        let fitting = self.fitting(notes);
        let mut contestants: Vec<Contestant<'_>> =
            loops.into_iter().map(|(name, run)| Contestant::new(name, run)).collect();
        for (engine, _) in &fitting {
            contestants.push(Contestant::new(*engine, || {
                black_box(self.answered(engine).expect("it answered before"));
            }));
        }
        let timed = interleave(&mut contestants, options.runs, |_| {});
        let (loops, engines) = timed.split_at(N);
        // a loop's own variant is held against the plain one, too
        let variants = loops[1..].iter().map(|timed| (timed, None));
        for (own, done) in variants.chain(engines.iter().zip(&fitting).map(|(own, (_, done))| (own, Some(done)))) {
            let goal = if done.is_some() { goal } else { "" };
            rows.push(match (count, done) {
                (Count::Positions(visited), Some(done)) => {
                    a_position(&self.name, (own, done.visited), (&loops[0], visited), goal)
                }
                _ => Row::of(&self.name, own, &loops[0], goal),
            });
        }
    }
}

/// The same, where both are divided by the positions that each visits.
fn a_position(work: &str, own: (&Timed, u64), other: (&Timed, u64), goal: &str) -> Row {
    let by_position = |(timed, visited): (&Timed, u64)| {
        let visited: f64 = visited.to_string().parse().expect("a number");
        Timed { name: timed.name.clone(), seconds: timed.seconds.iter().map(|seconds| seconds / visited).collect() }
    };
    let mut row = Row::of(work, &by_position(own), &by_position(other), goal);
    for takes in [&mut row.own.1, &mut row.other.1] {
        takes.push_str(" a position");
    }
    row
}
