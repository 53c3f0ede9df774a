//! Random games over the whole language, on which both engines must agree on every question.
//!
//! Each game is a problem file made from a seed. A failure prints the file and the seed; `GAMEPROOF_SEED=N` runs that one
//! game alone, `GAMEPROOF_GAMES=N` so many. The kinds cover overshoot and conditional winners, misère play, loops,
//! partizan rules, memory of the previous move, negative numbers, arrays, `legal`, parameters in rules, rule errors; and
//! sums of heaps and of pairs, with splits, Nim, octal codes; and games that lie densely between bounds, of which the
//! memo alone must say the same as all engines together.

mod maker;

use std::sync::Arc;

use gameproof::budget::Budget;
use gameproof::check::{Checking, Crosscheck, Finding, Verdict, check};
use gameproof::lang::Source;
use gameproof::problem::{Changes, Loaded, load};
use gameproof::question::agree;
use maker::Maker;
use maker::dense::dense_problem;
use maker::sums::sum_problem;

const GAMES: u64 = 300;

#[test]
fn engines_agree_on_random_games() {
    let tally = agree_on(|seed| Maker::new(seed).problem());
    // the games must be such that most questions can be checked, or the test would show nothing
    if let Some(Tally { questions, agreed, errors, .. }) = tally {
        assert!(agreed * 10 > questions * 6, "only {agreed} of {questions} questions cross-checked");
        assert!(errors * 50 > questions, "only {errors} of {questions} questions meet a rule error");
    }
}

#[test]
fn engines_agree_on_random_sums() {
    if let Some(Tally { questions, agreed, .. }) = agree_on(sum_problem) {
        assert!(agreed * 10 > questions * 8, "only {agreed} of {questions} questions cross-checked");
    }
}

#[test]
fn engines_agree_on_dense_games() {
    let tally = agree_on(dense_problem);
    if let Some(Tally { questions, agreed, errors, by_table }) = tally {
        let answers = questions - errors;
        assert!(agreed * 10 > answers * 8, "only {agreed} of {answers} answers cross-checked");
        assert!(by_table * 4 > answers, "only {by_table} of {answers} answers come from a table");
        assert!(errors * 50 > questions, "only {errors} of {questions} questions meet a rule error");
    }
}

/// What became of the questions.
#[derive(Default)]
struct Tally {
    questions: u64,
    agreed: u64,
    errors: u64,
    by_table: u64,
}

/// Answers the questions of files made from seeds; none where a single seed was asked for.
fn agree_on(made: impl Fn(u64) -> String) -> Option<Tally> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("GAMEPROOF_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("GAMEPROOF_GAMES").unwrap_or(GAMES),
    };
    let mut tally = Tally::default();
    for seed in seeds.clone() {
        let text = made(seed);
        let loaded = loaded(seed, &text);
        let found = findings(&loaded, &ALL);
        for (finding, plain) in found.iter().zip(&findings(&loaded, &["memo"])) {
            tally.questions += 1;
            tally.by_table += u64::from(finding.by.first() == Some(&"table"));
            assert!(
                same(finding, plain),
                "the memo alone differs on {:?}: {}, not {}\nreplay with GAMEPROOF_SEED={seed}\n{text}",
                finding.question,
                told(plain),
                told(finding)
            );
            match (&finding.crosscheck, finding.verdict) {
                (Crosscheck::Agreed, _) => tally.agreed += 1,
                (_, Verdict::Error) => tally.errors += 1,
                (Crosscheck::Disagreed(told), _) => panic!(
                    "engines disagree on {:?}: {told}\nreplay with GAMEPROOF_SEED={seed}\n{text}",
                    finding.question
                ),
                (Crosscheck::None(_), _) => {}
            }
        }
    }
    (seeds.end - seeds.start > 1).then_some(tally)
}

/// Every engine.
const ALL: [&str; 6] = ["sum", "table", "memo", "walk", "certificate", "theorem"];

/// Whether the same is found; what the memo alone leaves to a limit may be found otherwise.
fn same(finding: &Finding, plain: &Finding) -> bool {
    match (&finding.answer, &plain.answer) {
        (Some(one), Some(other)) => agree(one, other),
        _ => plain.limit.is_some() || finding.limit.is_none() && told(finding) == told(plain),
    }
}

fn told(finding: &Finding) -> String {
    match (&finding.answer, &finding.error, &finding.limit) {
        (Some(answer), ..) => answer.to_string(),
        (_, Some(mistake), _) => format!("{} at {:?}", mistake.one_line(), mistake.line_column()),
        (_, _, limit) => format!("{limit:?}"),
    }
}

fn loaded(seed: u64, text: &str) -> Loaded {
    let source = Arc::new(Source { name: format!("seed {seed}"), text: text.to_owned() });
    load(&source, &Changes::default()).unwrap_or_else(|mistakes| {
        let told: Vec<String> =
            mistakes.iter().map(|mistake| format!("{:?} {}", mistake.line_column(), mistake.one_line())).collect();
        panic!("a random game does not load: {}\nreplay with GAMEPROOF_SEED={seed}\n{text}", told.join("\n"))
    })
}

fn findings(loaded: &Loaded, engines: &[&'static str]) -> Vec<Finding> {
    let budget = Budget::new(4 << 20);
    let checking =
        Checking { engines: engines.to_vec(), walk_limit: 6_000, budget: &budget, keys: true, certificates: None };
    check("random", loaded, &checking, &|_, _| true)
}
