//! What is shown to be reached is reached: never more positions than there are.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::sync::Arc;

use gameproof::budget::Budget;
use gameproof::engine::{Engine, Memo};
use gameproof::game::Compiled;
use gameproof::lang::{Interval, Source, closed, reached_at_least};
use gameproof::problem::{Changes, load};
use gameproof::random::{dense_problem, game_problem};

/// State, moves and the rest, start; and what is shown.
const SHOWN: &[(&str, &[i64], u128)] = &[
    // a box from corner to corner; other moves do not matter
    (r#"state: "x, y", moves: ["x - 1, y", "x, y - 1"], legal: "x >= 0 and y >= 0""#, &[9, 5], 60),
    (r#"state: "x, y", moves: ["x - 1, y", "x, y - 2", "y, x"], legal: "min(x, y) >= 0""#, &[9, 9], 50),
    (r#"state: "x, y", moves: ["x - 1, y if x > 0", "x * 2, y if x < 9", "x, y - 1 if y > 0"]"#, &[9, 5], 60),
    // a loop with constant ends, an array
    (
        r#"state: "h[2]", moves: ["h[i] -= t for i in 0..2 for t in 2..=3"], legal: "h[0] >= 0 and h[1] >= 0""#,
        &[9, 8],
        25,
    ),
    // play ends in the corner: half of each coordinate
    (r#"state: "x, y", moves: ["x + 1, y", "x, y + 1"], end: "x + y >= 40""#, &[0, 0], 400),
    // no step, since the other coordinate turns round; one that may be made at the start alone; none at all
    (r#"state: "x, y", moves: ["x - 1, 10 - y"], legal: "x >= 0""#, &[9, 5], 1),
    (
        r#"state: "x, y", moves: ["x - 1, y if x == y", "x, y - 1 if x == y + 1"], legal: "x >= 0 and y >= 0""#,
        &[9, 9],
        2,
    ),
    (r#"state: "x", moves: ["x // 2 if x > 0"]"#, &[1000], 1),
    // a loop that depends on the position: no step; a step only as long as that does not change
    (r#"state: "x, y", moves: ["x - 1, y - t for t in x..=x"], legal: "x >= 0 and y >= 0""#, &[9, 9], 1),
    (r#"state: "x, y", moves: ["x, y - t for t in x..=x", "x - 1, y"], legal: "x >= 0 and y >= 0""#, &[3, 90], 8),
];

#[test]
fn what_is_shown() {
    for (rules, start, shown) in SHOWN {
        let listed: Vec<String> = start.iter().map(ToString::to_string).collect();
        let start = if rules.contains("h[2]") { format!("[{}]", listed.join(", ")) } else { listed.join(", ") };
        let text =
            format!(r#"(title: "T", game: Rules({rules}), start: "{start}", questions: {{"n": (ask: "positions")}})"#);
        let (found, there) = reached(&text).unwrap();
        assert_eq!(found, *shown, "{rules}");
        assert!(found <= there, "{rules}: {there} positions");
    }
}

#[test]
fn no_more_than_there_are() {
    let (mut games, mut more) = (0, 0);
    for seed in 0..1500 {
        let text = if seed % 3 == 0 { game_problem(seed) } else { dense_problem(seed) };
        let Some((found, there)) = reached(&text) else { continue };
        assert!(found <= there, "seed {seed}: {found} of {there}\n{text}");
        (games, more) = (games + 1, more + u64::from(found > 1));
    }
    assert!(games > 200 && more > 20, "{more} of {games}");
}

/// What is shown of the first start of the first question, and how many positions there are; none where those are not
/// bounded or too many, or where something is wrong with the rules.
fn reached(text: &str) -> Option<(u128, u128)> {
    let source = Arc::new(Source { name: "t.ron".to_owned(), text: text.to_owned() });
    let loaded = load(&source, &Changes::default()).ok()?;
    let (problem, _) = loaded.problems.first()?;
    let question = problem.questions.iter().find(|question| !question.sum)?;
    let starts = question.starts(&problem.rules)?;
    let start: Vec<i64> = starts.bounds.iter().map(|bounds| bounds.low).collect();
    let here: Vec<Interval> = start.iter().map(|value| Interval::one(*value)).collect();
    let within = closed(&problem.rules, &here)?;
    let budget = Budget::new(1 << 24);
    let positions = Memo::new(Box::new(Compiled::new(&problem.rules)), &budget).positions(&start).ok()?;
    Some((reached_at_least(&problem.rules, &within, &start).unwrap_or(1), u128::from(positions)))
}
