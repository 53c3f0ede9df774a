//! Random games over the whole language, on which everything that answers must agree: walker, table, memo, sums,
//! certificates, theorems, and the keys that the answers make.
//!
//! Each game is a problem file made from a seed. A failure prints the file, shrunk, and how to replay it;
//! `GAMEPROOF_SEED=N` begins with that seed, `GAMEPROOF_GAMES=N` plays so many. `gameproof prove` plays more of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use gameproof::budget::Budget;
use gameproof::engine::{Engine, Memo};
use gameproof::game::{Compiled, Game};
use gameproof::lang::tree::Rules;
use gameproof::lang::{Halt, Options, Source};
use gameproof::parallel;
use gameproof::position::Width;
use gameproof::problem::{Changes, load};
use gameproof::random::{Effort, KINDS, Second, Tally, Trial, made};
use gameproof::value::Outcome;

const GAMES: u64 = 4_000;

#[test]
fn everything_agrees_on_random_games() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("GAMEPROOF_SEED");
    let games = number("GAMEPROOF_GAMES").unwrap_or(if first.is_some() { 1 } else { GAMES });
    let seeds: Vec<u64> = (first.unwrap_or(1)..).take(usize::try_from(games).expect("few games")).collect();
    let mut tally = Tally::default();
    let trial = Trial::default();
    let played = |seed: &u64| {
        let (kind, found) = trial.seed(*seed, None);
        found.map_err(|(disagreement, text)| {
            let small = trial.shrink(&text, &disagreement, kind, Effort::of(*seed));
            format!("{}\nreplay with: gameproof prove --games 1 --seed {seed}\n{small}", disagreement.told)
        })
    };
    let mut told: Vec<String> = Vec::new();
    parallel::in_order(0, &seeds, played, &mut |_: &u64, found| match found {
        Ok(more) => tally.add(&more),
        Err(disagreement) => told.push(disagreement),
    })
    .expect("threads start");
    assert!(told.is_empty(), "{}", told.join("\n"));
    if games < GAMES {
        return;
    }
    // the games must be such that most answers can be checked, or the test would show nothing
    let (questions, count) = (tally.count("questions"), |name: &str| tally.count(name));
    assert!(count("confirmed") * 10 > questions * 8, "{tally:?}");
    assert!(count("rule errors") * 200 > questions, "{tally:?}");
    assert!(count("limits") * 20 < questions, "{tally:?}");
    for by in ["table", "memo", "sum", "walk", "memo alone", "unchecked", "certificates", "answers of certificates"] {
        assert!(count(by) * 50 > questions, "{by}: {tally:?}");
    }
    for by in ["answers of theorems", "keys from theorems", "right keys", "wrong keys"] {
        assert!(count(by) > 200, "{by}: {tally:?}");
    }
}

/// What the enums of the typed tree are called in its debug form.
fn variants(text: &str, name: &str) -> Vec<String> {
    let from = text.find(&format!("pub enum {name} {{")).unwrap_or_else(|| panic!("there is no {name}"));
    let body = &text[from..from + text[from..].find("\n}").expect("an enum ends")];
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    lines
        .filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()))
        .map(|line| line.chars().take_while(|c| c.is_alphanumeric()).collect())
        .collect()
}

/// Whatever the typed tree knows, and whatever a file may hold, some game has.
#[test]
fn every_construct_is_in_some_game() {
    const TREE: &str = include_str!("../src/lang/tree.rs");
    const SYNTAX: &str = include_str!("../src/lang/syntax.rs");
    let mut wanted: Vec<String> = Vec::new();
    for (name, kind) in [("IntKind", "Int"), ("BoolKind", "Bool"), ("ListKind", "List")] {
        wanted.extend(variants(TREE, name).iter().map(|variant| format!("{kind} {{ kind: {variant}")));
    }
    for name in [
        "Quantity",
        "Function",
        "Fold",
        "Scalar",
        "Table",
        "Range",
        "Clause",
        "Binding",
        "Coordinate",
        "Heaps",
        "MoveBody",
        "Assignment",
        "Winner",
        "WinnerWord",
    ] {
        wanted.extend(variants(TREE, name));
    }
    for name in ["Operator", "Comparison"] {
        wanted.extend(variants(SYNTAX, name));
    }
    const TEXTS: &str = "Rules( Puzzle( Nim( Octal( Hanoi( PegSolitaire( misere: disks: pegs: from: to: step: board: goal: \
        state: moves: end: legal: winner: start: given: questions: ask: key: note: source: tags: variants: constants: \
        ** // / % + - * += -= *= //= %= .. ..= == != < <= > >= in not_in not and or else for | \
        abs( sign( isqrt( is_prime( len( ceildiv( min( max( gcd( xor( sum( product( count( any( all( \
        can( must( can[ must[ ['] at_( win_in loss_in half W0 W1 L0 L1 win loss draw goal solvable distance remoteness \
        grundy turn true false last other first second ask:_\"winner\" ask:_\"class\" ask:_\"remoteness\" \
        ask:_\"grundy\" ask:_\"moves\" ask:_\"winning_moves\" ask:_\"count_winning_moves\" ask:_\"a_winning_move\" \
        ask:_\"plays\" ask:_\"plays_won_by_first\" ask:_\"plays_won_by_second\" ask:_\"shortest_play\" \
        ask:_\"longest_play\" ask:_\"positions\" ask:_\"period\" min_ max_ all_ sum_ product_ smallest_ largest_ \
        ask:_\"count\" exists_where every_where one_of grid_ ask:_\"fewest_moves\" ask:_\"shortest_solutions\" \
        ask:_\"solvable\" ask:_\"farthest\" ask:_\"solution\" \"adjacent\" \"cyclic\"";
    // a quoted name stands after a bracket
    let wanted_texts: Vec<String> = TEXTS
        .split_whitespace()
        .map(|word| word.replace('_', " ").replace("is prime", "is_prime").replace("[']", "['"))
        .collect();
    let mut seen: BTreeMap<&str, u32> = wanted.iter().chain(&wanted_texts).map(|name| (name.as_str(), 0)).collect();
    let mut words: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..2_000 {
        let (_, text) = made(seed, None);
        let source = Arc::new(Source { name: format!("seed {seed}"), text: text.clone() });
        let loaded = load(&source, &Changes::default()).unwrap_or_else(|mistakes| panic!("{:?}\n{text}", mistakes[0]));
        for word in &wanted_texts {
            if text.contains(word.as_str()) {
                *seen.get_mut(word.as_str()).expect("it is wanted") += 1;
            }
        }
        let (problem, _) = &loaded.problems[0];
        let rules = format!("{:?} {:?}", problem.rules, problem.questions);
        for (at, _) in rules.match_indices(" { kind: ") {
            let kind = rules[..at].rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            let variant: String = rules[at + 9..].chars().take_while(|c| c.is_alphanumeric()).collect();
            *words.entry(format!("{kind} {{ kind: {variant}")).or_default() += 1;
        }
        for word in rules.split(|c: char| !c.is_alphanumeric()).filter(|word| word.starts_with(char::is_uppercase)) {
            *words.entry(word.to_owned()).or_default() += 1;
        }
    }
    for (name, count) in &mut seen {
        *count += words.get(*name).copied().unwrap_or(0);
    }
    let rare: Vec<_> = seen.iter().filter(|(_, count)| **count < 4).collect();
    assert!(rare.is_empty(), "hardly ever made: {rare:?}");
}

/// Every kind of game loads, and its shares make a hundred.
#[test]
fn kinds_make_a_hundred() {
    assert_eq!(KINDS.iter().map(|kind| kind.share).sum::<u64>(), 100);
}

/// A game that lies about its rules.
struct Lying<'a> {
    game: Compiled,
    lie: Lie,
    rules: &'a Rules,
}

type Lie = fn(&Rules, &[i64], Option<Outcome>, &mut Options) -> Option<Outcome>;

impl Game for Lying<'_> {
    fn width(&self) -> Width {
        self.game.width()
    }

    fn look(&mut self, position: &[i64], options: &mut Options) -> Result<Option<Outcome>, Halt> {
        let over = self.game.look(position, options)?;
        Ok((self.lie)(self.rules, position, over, options))
    }

    fn is_goal(&mut self, position: &[i64]) -> Result<bool, Halt> {
        self.game.is_goal(position)
    }
}

/// The last of three or more moves is forgotten.
fn forgets(_: &Rules, _: &[i64], over: Option<Outcome>, options: &mut Options) -> Option<Outcome> {
    let kept: Vec<(usize, Vec<i64>)> = options.iter().map(|(made, option)| (made, option.to_vec())).collect();
    if kept.len() > 2 {
        options.clear();
        for (made, option) in &kept[..kept.len() - 1] {
            options.push(u32::try_from(*made).expect("few moves"), option);
        }
    }
    over
}

/// A draw is called a loss.
fn takes_draws_for_losses(_: &Rules, _: &[i64], over: Option<Outcome>, _: &mut Options) -> Option<Outcome> {
    if over == Some(Outcome::Draw) { Some(Outcome::Loss) } else { over }
}

/// At some terminal positions the other player has won.
fn errs_at_five(rules: &Rules, position: &[i64], over: Option<Outcome>, _: &mut Options) -> Option<Outcome> {
    match over {
        Some(Outcome::Loss) if !rules.puzzle && position.first() == Some(&5) => Some(Outcome::Win),
        over => over,
    }
}

/// Each lie is found, and what is printed of it is small.
#[test]
fn a_wrong_engine_is_found_and_its_game_shrunk() {
    fn lying<'a>(lie: Lie, rules: &'a Rules, sum: bool, budget: &'a Budget) -> Box<dyn Engine + 'a> {
        let game = if sum { Compiled::sum(rules) } else { Compiled::new(rules) };
        Box::new(Memo::new(Box::new(Lying { game, lie, rules }), budget))
    }
    let lies: [(&str, Lie); 3] =
        [("forgets", forgets), ("takes draws for losses", takes_draws_for_losses), ("errs at five", errs_at_five)];
    for (name, lie) in lies {
        let second: Box<Second> = Box::new(move |rules, sum, budget| lying(lie, rules, sum, budget));
        let trial = Trial::with(&*second);
        let found = (1..2_000).find_map(|seed| {
            let (kind, found) = trial.seed(seed, None);
            found.err().map(|(disagreement, text)| (kind, disagreement, text))
        });
        let (kind, disagreement, text) = found.unwrap_or_else(|| panic!("an engine that {name} passes"));
        let small = trial.shrink(&text, &disagreement, kind, Effort::of(1));
        let again = trial.text(&small, Effort::of(1)).expect_err("the small file shows it too");
        assert_eq!(again.fault, disagreement.fault);
        assert!(small.lines().count() <= 20 && small.len() < 700, "{name}: {}\n{small}", again.told);
        assert!(Trial::default().text(&small, Effort::of(1)).is_ok(), "the right engine agrees on\n{small}");
    }
}
