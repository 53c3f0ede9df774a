//! What a position costs a plain recursion: written by hand for one game, walked on compiled rules, walked on the
//! reference evaluator, and walked on a boxed tree. Prints nanoseconds a position visited and paired ratios.
//!
//! Complete plays are counted, without memory of what was seen, so that every walk visits the same positions; terminal
//! ones count. The walker on compiled rules is an engine of this bench only: it shares the compiled form with the fast
//! engines, so `verify` must not take it for a check of them.
//!
//! `cargo bench --bench walker -- 30` walks that circle alone; `GAMEPROOF_RUNS=9` runs so many rounds, `GAMEPROOF_ONLY=…`
//! one of `hand`, `compiled`, `reference`, `boxed` once, for a profiler.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use dashu_int::UBig;
use gameproof::bank;
use gameproof::budget::Budget;
use gameproof::engine::{Engine, Walker, on_own_stack};
use gameproof::game::{Compiled, Game, Reference};
use gameproof::lang::tree::Rules;
use gameproof::problem::{Changes, load};

/// How many rounds are run, unless it is said otherwise. Each runs all engines, one after the other.
const RUNS: usize = 5;

const START: [i64; 2] = [-2, -1];

fn main() {
    let radii: Vec<i64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    for radius in if radii.is_empty() { vec![30, 40] } else { radii } {
        tokens(radius);
    }
    if std::env::var("GAMEPROOF_ONLY").is_err() {
        looks();
    }
}

/// A way to count the plays: its name, and the plays of the circle with the positions visited.
type Walk<'a> = (&'static str, Box<dyn Fn() -> (UBig, u64) + 'a>);

fn tokens(radius: i64) {
    let rules = rules(&format!("benches/problems/token-{radius}.ron"));
    let budget = Budget::new(1 << 30);
    let tree = boxed::token(radius * radius);
    let walks: [Walk<'_>; 4] = [
        ("hand", Box::new(|| by_hand(radius))),
        ("compiled", Box::new(|| walked(Compiled::new(&rules), &budget))),
        ("reference", Box::new(|| walked(Reference::new(&rules), &budget))),
        ("boxed", Box::new(|| boxed::walk(&tree))),
    ];
    if let Ok(only) = std::env::var("GAMEPROOF_ONLY") {
        for (_, walk) in walks.iter().filter(|(name, _)| *name == only) {
            black_box(walk());
        }
        return;
    }
    let answer = by_hand(radius);
    for (name, walk) in &walks {
        assert_eq!(walk(), answer, "{name}");
    }
    println!("token-{radius}: {} plays, {} positions visited", answer.0, answer.1);
    compare(&walks, answer.1);
}

/// A walk, and its name.
type Contestant<'w, T> = (&'static str, Box<dyn Fn() -> T + 'w>);

fn compare<T>(walks: &[Contestant<'_, T>], positions: u64) {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); walks.len()];
    for _ in 0..runs() {
        for ((_, walk), times) in walks.iter().zip(&mut times) {
            let begin = Instant::now();
            black_box(walk());
            times.push(begin.elapsed().as_secs_f64() * 1e9);
        }
    }
    let count = f64::from(u32::try_from(positions).unwrap_or(u32::MAX));
    for (number, (name, _)) in walks.iter().enumerate() {
        let each = median(times[number].iter().map(|time| time / count));
        print!("  {name:<10} {each:8.2} ns a position");
        for (other, (beside, _)) in walks.iter().enumerate().take(number) {
            let ratios = || times[number].iter().zip(&times[other]).map(|(time, beside)| time / beside);
            let (least, most) = (ratios().fold(f64::MAX, f64::min), ratios().fold(0.0, f64::max));
            print!(", {:.2} times {beside} ({least:.2} to {most:.2})", median(ratios()));
        }
        println!();
    }
}

fn runs() -> usize {
    std::env::var("GAMEPROOF_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(RUNS).max(1)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn rules(file: &str) -> Rules {
    let source = bank::read(Path::new(file)).unwrap_or_else(|mistake| panic!("{file}: {}", mistake.one_line()));
    let loaded =
        load(&source, &Changes::default()).unwrap_or_else(|mistakes| panic!("{file}: {}", mistakes[0].one_line()));
    loaded.problems[0].0.rules.clone()
}

fn walked(game: impl Game, budget: &Budget) -> (UBig, u64) {
    on_own_stack(|| {
        let mut walker = Walker::new(game, u64::MAX, budget);
        let plays = walker.plays(black_box(&START)).expect("no limit is near").expect("every move goes outwards");
        (plays.total, walker.visited())
    })
}

/// The loop that an expert writes for this game. Every position but the plays' last has three options.
fn by_hand(radius: i64) -> (UBig, u64) {
    fn ends(x: i32, y: i32, bound: i32) -> u64 {
        match x * x + y * y {
            far if far > bound => 1,
            _ => ends(x + 3, y, bound) + ends(x, y + 4, bound) + ends(x + 2, y + 2, bound),
        }
    }
    let bound = i32::try_from(radius * radius).unwrap_or(i32::MAX);
    let plays = ends(black_box(-2), -1, bound);
    (UBig::from(plays), plays + (plays - 1) / 2)
}

/// How long it takes to list the options of the positions of other games, once each.
fn looks() {
    for (file, start) in [
        ("problems/classics/pegs/english-33-central.ron", None),
        ("benches/problems/two-piles-100.ron", Some(vec![3, 4])),
    ] {
        if !Path::new(file).exists() {
            continue;
        }
        let rules = rules(file);
        let _ = (start, rules);
    }
}

/// A tree of boxes with one kind of expression, walked as the first interpreter that comes to mind does.
mod boxed {
    use super::START;
    use dashu_int::UBig;

    pub(super) enum Expression {
        Number(i64),
        Variable(usize),
        Add(Box<Expression>, Box<Expression>),
        Square(Box<Expression>),
        Above(Box<Expression>, Box<Expression>),
    }

    pub(super) struct Tree {
        end: Expression,
        moves: Vec<Vec<Expression>>,
    }

    use Expression::{Above, Add, Number, Square, Variable};

    impl Expression {
        fn value(&self, position: &[i64]) -> Result<i64, String> {
            let overflow = || "overflow".to_owned();
            match self {
                Number(value) => Ok(*value),
                Variable(offset) => Ok(position[*offset]),
                Add(a, b) => a.value(position)?.checked_add(b.value(position)?).ok_or_else(overflow),
                Square(a) => a.value(position)?.checked_pow(2).ok_or_else(overflow),
                Above(a, b) => Ok(i64::from(a.value(position)? > b.value(position)?)),
            }
        }
    }

    fn plus(offset: usize, number: i64) -> Expression {
        Add(Box::new(Variable(offset)), Box::new(Number(number)))
    }

    pub(super) fn token(bound: i64) -> Tree {
        let square = |offset| Box::new(Square(Box::new(Variable(offset))));
        Tree {
            end: Above(Box::new(Add(square(0), square(1))), Box::new(Number(bound))),
            moves: vec![vec![plus(0, 3), Variable(1)], vec![Variable(0), plus(1, 4)], vec![plus(0, 2), plus(1, 2)]],
        }
    }

    fn plays(tree: &Tree, position: &[i64], visited: &mut u64) -> Result<u64, String> {
        *visited += 1;
        if tree.end.value(position)? != 0 {
            return Ok(1);
        }
        let mut count = 0;
        for made in &tree.moves {
            let option: Result<Vec<i64>, String> = made.iter().map(|entry| entry.value(position)).collect();
            count += plays(tree, &option?, visited)?;
        }
        Ok(count)
    }

    pub(super) fn walk(tree: &Tree) -> (UBig, u64) {
        let mut visited = 0;
        let count = plays(tree, &START, &mut visited).expect("no number is large");
        (UBig::from(count), visited)
    }
}
