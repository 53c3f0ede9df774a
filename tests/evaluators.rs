//! The compiled form against the reference evaluator, position by position: the same options, the same outcome, the same
//! error in the same place. The rules are those of all problem files and of random games; the positions are those that
//! can be reached from small ones, and random ones with numbers at the ends of what 64 bits hold.

use std::path::PathBuf;
use std::sync::Arc;

use gameproof::bank;
use gameproof::game::{Compiled, Game, Reference};
use gameproof::lang::tree::Rules;
use gameproof::lang::{Blind, Evaluator, Halt, Options, Source};
use gameproof::problem::{Changes, load};
use gameproof::random::{dense_problem, game_problem, sum_problem};
use gameproof::value::Outcome;

const GAMES: u64 = 400;

/// How many positions are looked at from one start.
const REACHED: usize = 40;

const SMALL: [i64; 10] = [0, 1, 1, 2, 3, 4, 7, 12, 40, -1];

const LARGE: [i64; 8] =
    [i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1, 1 << 62, -(1 << 62), 3_037_000_500, i64::MAX / 3];

#[test]
fn both_forms_agree_on_the_problem_files() {
    let folders = ["problems", "benches/problems", "tests/wrong", "tests/cases/verdicts"].map(PathBuf::from);
    let (files, unreadable) = bank::find(&folders, None);
    assert!(unreadable.is_empty(), "{unreadable:?}");
    let mut looked = 0;
    for file in &files {
        let source = bank::read(&file.path).unwrap_or_else(|mistake| panic!("{}: {}", file.id, mistake.one_line()));
        looked += agree(&file.id, &source);
    }
    assert!(looked > 20_000, "only {looked} positions");
}

#[test]
fn both_forms_agree_on_random_games() {
    let mut looked = 0;
    for seed in 0..GAMES {
        for text in [game_problem(seed), sum_problem(seed), dense_problem(seed)] {
            let source = Arc::new(Source { name: format!("seed {seed}"), text });
            looked += agree(&format!("seed {seed}"), &source);
        }
    }
    assert!(looked > 20_000, "only {looked} positions");
}

/// How far ranges, lists and loops may go is told alike by both forms, at the limit and one past it.
#[test]
fn both_forms_have_the_same_limits() {
    let least = "-9223372036854775807 - 1";
    let conditions = [
        ("count(true for i in 0..20000000) == 20000000".to_owned(), true),
        ("any(i == -1 for i in 0..20000001)".to_owned(), false),
        ("(any(i == -1 for i in 1..=20000000) or any(i == 1 for i in 1..2))".to_owned(), false),
        ("any(a == -1 for (a, b) in [[1, 2], [3, 4]] for i in 0..9999999)".to_owned(), true),
        ("any(a == -1 for (a, b) in [[1, 2], [3, 4]] for i in 0..10000000)".to_owned(), false),
        (format!("any(i < 0 for i in {least}..9223372036854775807)"), true),
        (format!("any(i < 0 for i in {least}..=9223372036854775807)"), true),
        (format!("any(i == 9223372036854775807 for i in 9223372036854775807..{least})"), true),
        ("len([7] * 20000000) == 20000000".to_owned(), true),
        ("len([7] * 20000001) == 20000001".to_owned(), false),
        ("([7, 8] * 10000001)[3] == 8".to_owned(), false),
    ];
    for (condition, within) in conditions {
        let text = format!(
            r#"(title: "t", game: Rules(state: "x", moves: {{"go": "0 if x == 1 and {condition}"}}), start: "1", questions: {{"q": (ask: "winner")}})"#
        );
        let source = Arc::new(Source { name: condition.clone(), text });
        let loaded = load(&source, &Changes::default())
            .unwrap_or_else(|mistakes| panic!("{condition}: {}", mistakes[0].one_line()));
        let mut pair = Pair::new(&condition, &loaded.problems[0].0.rules);
        let (ours, theirs) = (&mut Options::default(), &mut Options::default());
        let seen = pair.reference.look(&[1], theirs);
        assert_eq!(pair.compiled.look(&[1], ours), seen, "{condition}");
        assert_eq!(seen.is_ok(), within, "{condition}");
    }
}

/// A range of parameters has its limit, which counts values and not how they are written.
#[test]
fn ranges_of_parameters_have_a_limit() {
    let ranges = [("3..8", 5), ("3..=8", 6), ("-4..=-4", 1), ("7..7", 0), ("7..-9223372036854775807", 0)];
    for (range, count) in ranges {
        let text = format!(
            r#"(title: "t", game: Rules(state: "x", moves: ["0 if x > 0"]), start: "1", given: {{"p": "{range}"}},
            questions: {{"q": (ask: "all p")}})"#
        );
        let source = Arc::new(Source { name: range.to_owned(), text });
        let loaded =
            load(&source, &Changes::default()).unwrap_or_else(|mistakes| panic!("{range}: {}", mistakes[0].one_line()));
        let question = &loaded.problems[0].0.questions[0];
        let parameter = &question.given[0];
        for limit in 0..10 {
            let mut blind = Blind;
            let mut evaluator = Evaluator::new(&[], &[], question.slots, &mut blind);
            let values = evaluator.range(&parameter.range, parameter.span, limit).map(Iterator::count);
            assert_eq!(values.ok(), (count <= limit).then(|| usize::try_from(count).expect("few")), "{range}, {limit}");
        }
    }
}

/// Looks at positions of each variant's game; how many.
fn agree(name: &str, source: &Arc<Source>) -> usize {
    let loaded = load(source, &Changes::default()).unwrap_or_else(|mistakes| {
        panic!("{name} does not load: {}\n{}", mistakes[0].one_line(), source.text);
    });
    let mut looked = 0;
    for (problem, _) in &loaded.problems {
        let mut pair = Pair::new(name, &problem.rules);
        let random = &mut fastrand::Rng::with_seed(7);
        // a loop as long as a number is large would take its time
        let far = !format!("{:?}", problem.rules).contains("low:");
        for round in 0..12 {
            let start = position(&problem.rules, random, far && round % 3 == 2);
            looked += pair.walk(&start);
        }
    }
    looked
}

fn position(rules: &Rules, random: &mut fastrand::Rng, far: bool) -> Vec<i64> {
    let mut position: Vec<i64> = (0..rules.width()).map(|_| SMALL[random.usize(0..SMALL.len())]).collect();
    if random.bool() {
        position.iter_mut().for_each(|number| *number = (*number).clamp(0, 1));
    }
    if far && !position.is_empty() {
        for _ in 0..random.usize(1..3) {
            let at = random.usize(0..position.len());
            position[at] = LARGE[random.usize(0..LARGE.len())];
        }
    }
    if let Some(turn) = rules.turn {
        position[turn] = random.i64(1..=2);
    }
    position
}

/// Whether a position is over, and its options with the numbers of their moves.
type Seen = (Result<Option<Outcome>, Halt>, Vec<(usize, Vec<i64>)>);

struct Pair<'r> {
    name: &'r str,
    compiled: Compiled,
    reference: Reference<'r>,
}

impl<'r> Pair<'r> {
    fn new(name: &'r str, rules: &'r Rules) -> Self {
        Self { name, compiled: Compiled::new(rules), reference: Reference::new(rules) }
    }

    /// What the reference sees of a position where it is asked for the options of one move after the other.
    fn move_by_move(&mut self, position: &[i64]) -> Seen {
        let (mut part, mut all) = (Options::default(), Vec::new());
        let (over, mut next) = match self.reference.look_at_some(position, &mut part) {
            Ok(seen) => seen,
            Err(halt) => return (Err(halt), all),
        };
        while !part.is_empty() {
            all.extend(part.iter().map(|(made, option)| (made, option.to_vec())));
            if next == usize::MAX {
                break;
            }
            match self.reference.more(position, &mut part, next) {
                Ok(after) => next = after,
                Err(halt) => return (Err(halt), all),
            }
        }
        (Ok(over), all)
    }

    /// Looks at what can be reached from a position, the nearest first; how many were looked at.
    fn walk(&mut self, start: &[i64]) -> usize {
        let mut positions = vec![start.to_vec()];
        let (mut ours, mut theirs) = (Options::default(), Options::default());
        let mut at = 0;
        while let Some(position) = positions.get(at).cloned() {
            at += 1;
            let told = format!("{} at {position:?}", self.name);
            let seen = self.compiled.look(&position, &mut ours);
            assert_eq!(seen, self.reference.look(&position, &mut theirs), "{told}");
            assert_eq!(self.compiled.is_goal(&position), self.reference.is_goal(&position), "{told}");
            if seen.is_err() {
                continue;
            }
            assert!(ours.iter().eq(theirs.iter()), "{told}: {ours:?} and {theirs:?}");
            let all: Vec<(usize, Vec<i64>)> = theirs.iter().map(|(made, option)| (made, option.to_vec())).collect();
            assert_eq!(self.move_by_move(&position), (seen.clone(), all), "{told}, move by move");
            assert_eq!(self.reference.over(&position, &mut theirs), seen, "{told}, without options");
            for (_, option) in ours.iter() {
                // the parts of a split make a sum, which is looked at part by part
                if positions.len() < REACHED && option.len() == position.len() && !positions.iter().any(|p| p == option)
                {
                    positions.push(option.to_vec());
                }
            }
        }
        at
    }
}
