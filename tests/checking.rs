//! Who answers a question, who confirms it, and what is told where nobody can.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use gameproof::budget::{Budget, Limit};
use gameproof::check::{Checking, Crosscheck, Finding, Verdict, check};
use gameproof::lang::Source;
use gameproof::problem::{Changes, Loaded, load};

/// A game that a table holds.
const DENSE: &str = r#"Rules(state: "x", moves: ["x - 1 if x >= 1", "x - 3 if x >= 3"])"#;

/// A game that no table holds, since nothing bounds its numbers.
const OPEN: &str = r#"Rules(state: "x, y", moves: ["x + 1, y", "x + 1, y + 1"], end: "x > 100 and is_prime(x)")"#;

/// One pile of a sum.
const PILES: &str = r#"Rules(state: "h", moves: ["h - 1 if h >= 1", "h - 2 if h >= 2"])"#;

/// A game without end.
const ENDLESS: &str = r#"Rules(state: "x", moves: ["x + 1"])"#;

const MEMORY: u64 = 64 << 20;

fn loaded(game: &str, start: &str, questions: &str) -> Loaded {
    let text = format!("(title: \"t\", game: {game}, start: {start}, questions: {{{questions}}})");
    let source = Arc::new(Source { name: "t".to_owned(), text: text.clone() });
    load(&source, &Changes::default()).unwrap_or_else(|mistakes| panic!("{}\n{text}", mistakes[0].one_line()))
}

fn findings(loaded: &Loaded, engines: &[&'static str], walk_limit: u64, budget: &Budget) -> Vec<Finding> {
    let engines = engines.to_vec();
    let checking = Checking { engines, walk_limit, budget, keys: true, hints: false, certificates: None };
    check("t", loaded, &checking, &|_, _| true)
}

/// The first question alone.
fn finding(game: &str, start: &str, question: &str, engines: &[&'static str], walk_limit: u64) -> Finding {
    let loaded = loaded(game, start, &format!("\"q\": {question}"));
    findings(&loaded, engines, walk_limit, &Budget::new(MEMORY)).remove(0)
}

fn reason(finding: &Finding) -> &str {
    match &finding.crosscheck {
        Crosscheck::None(reason) => reason,
        Crosscheck::Disagreed(reason) => reason,
        Crosscheck::Agreed => "agreed",
    }
}

/// How many times an engine looked at positions for a question.
fn looks(finding: &Finding, engine: &str) -> usize {
    finding.visited.iter().filter(|(name, _)| *name == engine).count()
}

#[test]
fn who_answers_and_who_confirms() {
    let (winner, all) = ("(ask: \"winner\")", 1_000_000_000);
    // long enough that a certificate is tried before a walk
    let puzzle = "Puzzle(state: \"x\", moves: [\"x + 1\"], legal: \"x <= 15000\", goal: \"x == 15000\")";
    let single = "Rules(state: \"h\", moves: [\"h - 1 if h >= 1\"])";
    let long = "[\"25000\", \"0\"]";
    for (game, start, ask, engines, by) in [
        (DENSE, "\"9\"", winner, &["sum", "table", "memo"][..], &["table"][..]),
        (DENSE, "\"9\"", winner, &["sum", "memo"], &["memo"]),
        (DENSE, "\"9\"", winner, &["walk"], &["walk"]),
        (DENSE, "\"9\"", winner, &["walk", "certificate"], &["walk"]),
        (DENSE, "\"9\"", winner, &["memo", "walk", "certificate"], &["memo", "walk"]),
        (DENSE, "\"9\"", winner, &["memo", "certificate"], &["memo", "certificate"]),
        (DENSE, "\"9\"", "(ask: \"plays\")", &["table", "memo"], &["memo"]),
        (OPEN, "\"94, 0\"", winner, &["sum", "table", "memo"], &["memo"]),
        (PILES, "[\"3\", \"4\"]", winner, &["memo"], &["memo"]),
        (PILES, "[\"3\", \"4\"]", winner, &["sum", "memo"], &["sum"]),
        (single, long, winner, &["sum", "memo", "walk", "certificate"], &["sum", "certificate"]),
        (puzzle, "\"0\"", "(ask: \"positions\")", &["memo", "walk", "certificate"], &["memo", "certificate"]),
        (puzzle, "\"0\"", "(ask: \"positions\")", &["memo", "walk"], &["memo", "walk"]),
        ("Nim()", "[\"3\", \"4\"]", winner, &["sum", "theorem"], &["sum", "theorem"]),
        ("Nim()", "[\"3\", \"4\"]", winner, &["sum", "walk", "theorem"], &["sum", "walk"]),
        ("Nim()", "[\"3\", \"4\"]", winner, &["walk", "theorem"], &["walk"]),
        ("Nim()", "[\"3\", \"4\"]", "(ask: \"plays\")", &["sum", "theorem"], &["sum"]),
        ("Nim()", "\"4\"", winner, &["memo", "theorem"], &["memo", "theorem"]),
    ] {
        let finding = finding(game, start, ask, engines, all);
        assert_eq!(finding.by, by, "{game} {start} {ask} {engines:?}: {}", reason(&finding));
        assert_eq!(finding.crosscheck == Crosscheck::Agreed, by.len() == 2, "{game} {start} {ask} {engines:?}");
        assert_eq!(finding.layout.is_some(), by[0] == "table", "{:?}", finding.layout);
        assert!(by.len() == 2 || reason(&finding) == "only one engine was asked", "{}", reason(&finding));
    }
}

#[test]
fn what_is_told_of_several_questions() {
    let questions = "\"one\": (ask: \"winner\"), \"again\": (ask: \"winner\"), \"plays\": (ask: \"plays\"), \
                     \"both\": (ask: \"winner\", start: [\"9\", \"5\"])";
    let loaded = loaded(DENSE, "\"9\"", questions);
    let budget = Budget::new(MEMORY);
    let found = findings(&loaded, &["sum", "table", "memo", "certificate"], 0, &budget);
    let by: Vec<&str> = found.iter().map(|finding| finding.by[0]).collect();
    assert_eq!(by, ["table", "table", "memo", "sum"]);
    // what was known before is not looked at again
    assert!(found[0].visited[0].1 > 0 && found[1].visited[0].1 == 0, "{:?} {:?}", found[0].visited, found[1].visited);
    for finding in &found {
        assert_eq!(finding.looked_at(), finding.visited.iter().map(|(_, count)| count).sum::<u64>());
        assert_eq!(finding.size, None);
    }
    assert!(found[0].looked_at() > 1);
    assert_eq!(budget.work().question(), "question \"both\", cross-check by certificate");
    findings(&loaded, &["table"], 0, &budget);
    assert_eq!(budget.work().question(), "question \"both\"");
}

#[test]
fn a_variant_is_named_while_it_is_worked_on() {
    let text = format!(
        "(title: \"t\", constants: {{\"n\": 3}}, game: {DENSE}, start: \"n\", questions: {{\"q\": (ask: \"winner\")}}, \
         variants: {{\"four\": (constants: {{\"n\": 4}})}})"
    );
    let source = Arc::new(Source { name: "t".to_owned(), text });
    let loaded = load(&source, &Changes::default()).expect("it loads");
    let budget = Budget::new(MEMORY);
    findings(&loaded, &["memo", "walk"], 1000, &budget);
    assert_eq!(budget.work().question(), "variant \"four\", question \"q\", cross-check by walk");
}

/// A walk that cannot end within its limit does not begin; one that just can does.
#[test]
fn walks_that_are_too_long_do_not_begin() {
    let engines = ["memo", "walk"];
    let ask = "(ask: \"positions\")";
    let cost = finding(OPEN, "\"94, 0\"", ask, &engines, u64::MAX)
        .visited
        .iter()
        .find(|(name, _)| *name == "walk")
        .expect("a walk")
        .1;
    assert_eq!(finding(OPEN, "\"94, 0\"", ask, &engines, cost).crosscheck, Crosscheck::Agreed);
    let short = finding(OPEN, "\"94, 0\"", ask, &engines, cost - 1);
    assert_eq!(reason(&short), format!("a walk through every play takes more than {} positions", cost - 1));
    assert_eq!(looks(&short, "walk"), 0);
    let short = finding(OPEN, "\"94, 0\"", "(ask: \"winner\")", &engines, 1);
    assert_eq!(reason(&short), "a walk takes more than 1 positions");
    assert_eq!(looks(&short, "walk"), 0);
    // the first start alone takes just the limit
    let several = "(ask: \"max remoteness\", start: \"94 - s, 0\", given: {\"s\": \"0..=3\"})";
    let first = "(ask: \"max remoteness\", start: \"94 - s, 0\", given: {\"s\": \"0..=0\"})";
    let alone = finding(OPEN, "\"94, 0\"", first, &engines, u64::MAX)
        .visited
        .iter()
        .find(|(name, _)| *name == "walk")
        .expect("a walk")
        .1;
    for limit in [alone - 1, alone, alone + 1] {
        let short = finding(OPEN, "\"94, 0\"", several, &engines, limit);
        assert_eq!(looks(&short, "walk"), 0, "{limit} {alone}: {}", reason(&short));
    }
}

/// The walker asks about no start whose value is not among the least or the greatest that are sought.
#[test]
fn the_walker_passes_over_what_changes_nothing() {
    let asked = |ask: &str, limit: u64| {
        let question = format!("(ask: \"{ask}\", start: \"s\", given: {{\"s\": \"1..=12\"}})");
        let found = finding(DENSE, "\"9\"", &question, &["memo", "walk"], limit);
        assert_eq!(reason(&found), "agreed", "{ask}");
        found.visited.iter().find(|(name, _)| *name == "walk").expect("a walk").1
    };
    let all = asked("all s where loss", u64::MAX);
    for fewer in ["min s", "max s", "min s, max s", "smallest 2 s", "largest 2 s + 1", "smallest 1 s, max s, min s + 3"]
    {
        let ask = format!("{fewer} where loss");
        let some = asked(&ask, u64::MAX);
        assert!(some < all, "{ask}: {some} of {all}");
        assert_eq!(asked(&ask, some), some, "it is tried where it can be done");
    }
    for whole in ["count, min s", "min remoteness", "smallest 20 s", "min 100 - s", "max 100 - s, min 100 - s"] {
        assert!(asked(&format!("{whole} where loss"), u64::MAX) >= all, "{whole}");
    }
    // nothing fits, and that is seen once
    assert_eq!(asked("min s, max s where loss and s > 12", u64::MAX), all);
    // a value that only a start has which does not fit is not missed
    assert!(asked("min 12 // (s - 5) where loss", u64::MAX) < all);
}

/// Where the cost of a walk is not known, it is tried.
#[test]
fn walks_of_unknown_length_are_tried() {
    let wide = r#"Rules(state: "x", moves: ["x - 1 if x >= 1"])"#;
    let ask = "(ask: \"winner\")";
    let tried = finding(wide, "\"40001\"", ask, &["table", "walk"], 1_000_000);
    assert_eq!((tried.by, tried.crosscheck), (vec!["table", "walk"], Crosscheck::Agreed));
    let none = finding(wide, "\"40001\"", ask, &["table", "walk"], 0);
    assert_eq!(reason(&none), "the walker's limit of 0 positions was reached");
    assert_eq!(looks(&none, "walk"), 1, "what was walked to its limit is not walked again");
}

/// A certificate is no second answer to a question that has none.
#[test]
fn an_error_is_not_certified() {
    let game = r#"Rules(state: "x", moves: ["x - 1 if x >= 1", "x - 2 if 6 // (x - 3) > 0"])"#;
    for engines in [&["memo", "certificate"][..], &["walk", "certificate"]] {
        let finding = finding(game, "\"9\"", "(ask: \"remoteness\")", engines, 1000);
        assert_eq!((finding.verdict, reason(&finding)), (Verdict::Error, "there is no answer"));
        assert_eq!(finding.visited.len(), 1, "{:?}", finding.visited);
    }
    // more moves than are ever listed are a fault of the rules, save in heaps
    let game = r#"Rules(state: "x", moves: ["k for k in 0..x"])"#;
    assert_eq!(finding(game, "\"100000000\"", "(ask: \"winner\")", &["memo"], 0).verdict, Verdict::Error);
    assert_eq!(finding("Nim()", "\"100000000\"", "(ask: \"remoteness\")", &["memo"], 0).verdict, Verdict::Limit);
}

/// A game that does not fit the memory is refused with its size.
#[test]
fn sizes_are_told_in_words() {
    let pile = |greatest: u64| greatest - 1;
    for (counts, size) in [
        (&[5000][..], "10000 bytes"),
        (&[5119], "10238 bytes"),
        (&[5120], "10 KiB"),
        (&[5_242_879], "10239 KiB"),
        (&[5_242_880], "10 MiB"),
        (&[1 << 40], "2048 GiB"),
        (&[1 << 40, 1 << 40], "2097152 EiB"),
    ] {
        let names = &["x", "y"][..counts.len()];
        let moves: Vec<String> = (0..names.len())
            .map(|at| {
                let after: Vec<String> = names
                    .iter()
                    .enumerate()
                    .map(|(other, name)| if at == other { format!("{name} - 1") } else { (*name).to_owned() })
                    .collect();
                format!("\"{} if {} >= 1\"", after.join(", "), names[at])
            })
            .collect();
        let game = format!("Rules(state: \"{}\", moves: [{}])", names.join(", "), moves.join(", "));
        let start: Vec<String> = counts.iter().map(|count| pile(*count).to_string()).collect();
        let loaded = loaded(&game, &format!("\"{}\"", start.join(", ")), "\"q\": (ask: \"plays\")");
        let found = &findings(&loaded, &["table", "memo"], 0, &Budget::new(1 << 10))[0];
        let told = found.size.as_deref().unwrap_or_default();
        assert!(matches!(found.limit, Some(Limit::Memory(_))), "{counts:?}: {:?}", found.limit);
        let positions: u128 = counts.iter().map(|count| u128::from(*count)).product();
        let words = format!("up to {positions} positions by the bounds of its numbers; a table of them takes {size}");
        assert_eq!(told, words);
    }
}

#[test]
fn a_guess_is_made_only_where_it_is_asked_for() {
    let loaded = loaded(ENDLESS, "\"0\"", "\"q\": (ask: \"winner\")");
    for hints in [false, true] {
        let budget = Budget::new(1 << 16);
        let checking =
            Checking { engines: vec!["memo"], walk_limit: 0, budget: &budget, keys: true, hints, certificates: None };
        let found = check("t", &loaded, &checking, &|_, _| true).remove(0);
        assert_eq!((found.runaway.is_some(), found.size), (hints, None));
        assert_ne!(found.seconds, Some(0));
    }
}

/// How long it took is told of what met a limit, where somebody watches.
#[test]
fn the_time_is_told_of_what_met_a_limit() {
    let budget = Budget::new(1 << 30);
    let endless = loaded(ENDLESS, "\"0\"", "\"q\": (ask: \"winner\")");
    let found = thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while budget.work().looked_at() == 0 {
                thread::sleep(Duration::from_millis(1));
            }
            budget.work().set_seconds(5);
            budget.stop(Limit::Time);
        });
        let found = findings(&endless, &["walk"], u64::MAX, &budget);
        watch.join().expect("it ends");
        found
    });
    assert_eq!((found[0].verdict, found[0].seconds), (Verdict::Limit, Some(5)));
    // and of nothing that has an answer
    let budget = Budget::new(MEMORY);
    let (answered, done) = (loaded(DENSE, "\"3000\"", "\"q\": (ask: \"plays\")"), AtomicBool::new(false));
    let found = thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                budget.work().set_seconds(5);
                thread::yield_now();
            }
        });
        let found = findings(&answered, &["memo"], 0, &budget);
        done.store(true, Ordering::Relaxed);
        found
    });
    assert_eq!((found[0].verdict, found[0].seconds), (Verdict::NoKey, None), "{:?}", found[0].limit);
}
