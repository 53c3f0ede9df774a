//! What is tried with any bytes: the fuzz targets, and the test over their corpus.
//!
//! A target panics where something is wrong; that a text is refused is not. Targets are given by name in [`TARGETS`].

use std::io::Cursor;
use std::sync::Arc;

use gameproof::budget::Budget;
use gameproof::certificate::{self, Witness};
use gameproof::check::{Checking, Crosscheck, check};
use gameproof::engine::on_own_stack;
use gameproof::game::{Compiled, Game, Reference};
use gameproof::lang::tree::Rules;
use gameproof::lang::{Options, Source};
use gameproof::nim::Heaps;
use gameproof::play::{Machine, Player, Setup, play};
use gameproof::problem::{Changes, Loaded, load};
use gameproof::question::Naive;

/// A target.
pub(crate) type Target = fn(&[u8]);

/// All targets, by name.
pub(crate) const TARGETS: [(&str, Target); 6] = [
    ("problem", problem),
    ("rules", rules),
    ("asks", asks),
    ("certificate", held_certificate),
    ("nim", nim),
    ("play", played),
];

/// A small game for two that the asks, certificates and plays are about.
const GAME: &str = include_str!("games/game.ron");

/// A puzzle and a sum, for the same.
const PUZZLE: &str = include_str!("games/puzzle.ron");
const SUM: &str = include_str!("games/sum.ron");

/// How many positions are looked at in a game that anybody may have written.
const LOOKED_AT: usize = 40;

fn source(text: &str) -> Arc<Source> {
    Arc::new(Source { name: "any".to_owned(), text: text.to_owned() })
}

fn fixed(text: &str) -> Loaded {
    load(&source(text), &Changes::default()).expect("a fixed problem loads")
}

/// Any text as a problem file: it loads, or every mistake has a place in the text.
pub(crate) fn problem(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let source = source(text);
    let Err(mistakes) = load(&source, &Changes::default()) else { return };
    assert!(!mistakes.is_empty(), "it does not load, and nothing is said");
    for mistake in mistakes {
        let span = mistake.span.map_or(0..0, |span| span.range());
        assert!(span.start <= mistake.source.text.len(), "{mistake:?}");
        let (line, column) = mistake.line_column().unwrap_or((1, 1));
        assert!(line > 0 && column > 0 && !mistake.message.is_empty());
    }
}

/// Any texts as the rules of a game, a line each: state, start, end, legal, winner, then the moves. What loads is looked
/// at in the compiled form and in the reference evaluator, which must agree.
pub(crate) fn rules(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let quoted = |line: &str| format!("r##\"{line}\"##");
    let mut lines = text.lines().map(quoted);
    let (Some(state), Some(start)) = (lines.next(), lines.next()) else { return };
    let mut fields = format!("state: {state}");
    for name in ["end", "legal", "winner"] {
        match lines.next() {
            Some(line) if line.len() > 8 => fields.push_str(&format!(", {name}: {line}")),
            _ => {}
        }
    }
    let moves: Vec<String> = lines.collect();
    let text = format!(
        "(title: \"any\", constants: {{\"n\": 7, \"steps\": [1, 2], \"pairs\": [[1, 0], [0, 2]]}}, \
         game: Rules({fields}, moves: [{}]), start: {start}, questions: {{\"q\": (ask: \"positions\")}})",
        moves.join(", ")
    );
    problem(text.as_bytes());
    let Ok(loaded) = load(&source(&text), &Changes::default()) else { return };
    let rules = &loaded.problems[0].0.rules;
    for small in [0, 1, 5] {
        agree(rules, &vec![small; rules.width()]);
    }
}

/// Both forms of the rules at positions that can be reached from one.
fn agree(rules: &Rules, start: &[i64]) {
    let (mut compiled, mut reference) = (Compiled::new(rules), Reference::new(rules));
    let (mut found, mut told) = (Options::default(), Options::default());
    let mut open = vec![start.to_vec()];
    let mut at = 0;
    while at < open.len() && at < LOOKED_AT {
        let position = open[at].clone();
        at += 1;
        let fast = compiled.look(&position, &mut found);
        let slow = reference.look(&position, &mut told);
        match (fast, slow) {
            (Ok(fast), Ok(slow)) => {
                assert_eq!(fast, slow, "the outcome at {position:?}");
                let options: Vec<_> = found.iter().map(|(made, option)| (made, option.to_vec())).collect();
                let others: Vec<_> = told.iter().map(|(made, option)| (made, option.to_vec())).collect();
                assert_eq!(options, others, "the options of {position:?}");
                open.extend(options.into_iter().take(4).map(|(_, option)| option));
            }
            (fast, slow) => {
                assert_eq!(fast.err().map(|halt| format!("{halt:?}")), slow.err().map(|halt| format!("{halt:?}")));
            }
        }
    }
}

/// Any ask and key, a line each, about a game, a puzzle and a sum: the engines agree.
pub(crate) fn asks(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (ask, key) = text.split_once('\n').unwrap_or((text, ""));
    for fixed in [GAME, PUZZLE, SUM] {
        let key = if key.trim().is_empty() { String::new() } else { format!(", key: {key}") };
        let question = format!("questions: {{\"any\": (ask: r##\"{ask}\"##{key}),");
        let text = fixed.replacen("questions: {", &question, 1);
        problem(text.as_bytes());
        let Ok(loaded) = load(&source(&text), &Changes::default()) else { continue };
        let budget = Budget::new(1 << 26);
        let checking = Checking {
            engines: vec!["sum", "table", "memo", "walk", "certificate"],
            walk_limit: 20_000,
            budget: &budget,
            keys: true,
            hints: true,
            certificates: None,
        };
        let findings = on_own_stack(|| check("any", &loaded, &checking, &|_, question| question.label == "any"));
        for finding in findings {
            assert!(!matches!(finding.crosscheck, Crosscheck::Disagreed(_)), "{finding:?}");
        }
    }
}

/// Any bytes as a certificate for a game, a puzzle and a sum: what is accepted gives the answers that are right.
pub(crate) fn held_certificate(data: &[u8]) {
    let Ok(certificate) = certificate::read(&mut Cursor::new(data)) else { return };
    for fixed_text in [GAME, PUZZLE, SUM] {
        let loaded = fixed(fixed_text);
        let (problem, keys) = &loaded.problems[0];
        let budget = Budget::new(1 << 26);
        let claims = certificate.claims();
        if certificate::check(&claims, &problem.rules, &budget).is_err() {
            continue;
        }
        for (question, key) in problem.questions.iter().zip(keys).filter(|(question, _)| question.sum == claims.sum) {
            let mut witness = Witness::new(&claims, &problem.rules);
            let rules = &problem.rules;
            let mut naive = Naive { question, rules, walker: &mut witness, thorough: true };
            if let (Ok(answer), Some(key)) = (question.ask.walk(&mut naive), key) {
                assert!(gameproof::question::accepts(&answer, &key.key), "a wrong certificate is accepted: {answer}");
            }
        }
    }
}

/// Any text as heaps: a first move, where one is told, leaves a nim-sum of 0.
pub(crate) fn nim(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Heaps::read(text) {
        Err(slip) => assert!(slip.at <= text.len() && !slip.message.is_empty()),
        Ok(heaps) => {
            let answer = heaps.answer();
            if let Heaps::Small(sizes) = &heaps {
                let sum = sizes.iter().fold(0, |sum, size| sum ^ size);
                assert_eq!(answer.trim() == "lose", sum == 0, "{sizes:?}: {answer}");
                let left = answer.lines().nth(1).unwrap_or_default().split_whitespace();
                let left = left.map(|size| size.parse::<u64>().expect("heaps are told as numbers"));
                assert_eq!(left.fold(0, |sum, size| sum ^ size), 0, "{sizes:?}: {answer}");
            }
        }
    }
}

/// Any text as what a person types in play.
pub(crate) fn played(data: &[u8]) {
    for (text, start) in [(GAME, &[2, 3][..]), (PUZZLE, &[0, 0]), (SUM, &[3, 5])] {
        let loaded = fixed(text);
        let problem = &loaded.problems[0].0;
        let sum = problem.questions.first().is_some_and(|question| question.sum);
        let first = if data.first().is_some_and(|byte| byte % 2 == 1) && !problem.rules.puzzle {
            Player::Machine
        } else {
            Player::Person
        };
        let (whole, near) = (Budget::new(1 << 26), Budget::new(1 << 24));
        let mut machine = Machine::new(&problem.rules, sum, &whole, &near);
        let setup = Setup { problem, start, first, echo: true, quiet: false };
        let mut output = Vec::new();
        // bytes that are no text break it off with an error
        let _ = play(&setup, &mut machine, &mut Cursor::new(data), &mut output);
        assert!(!output.is_empty());
    }
}
