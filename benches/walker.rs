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

#[path = "common/allocator.rs"]
mod allocator;

use std::cell::RefCell;
use std::collections::HashSet;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use dashu_int::UBig;
use gameproof::bank;
use gameproof::budget::Budget;
use gameproof::engine::{Engine, Walker, on_own_stack};
use gameproof::game::{Compiled, Game, Reference};
use gameproof::lang::tree::Rules;
use gameproof::lang::{Options, Source};
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

/// Work that is timed, with the name of what does it.
type Timed<'a, T> = (&'static str, Box<dyn Fn() -> T + 'a>);

fn tokens(radius: i64) {
    let rules = rules(&format!("benches/problems/token-{radius}.ron"));
    let budget = Budget::new(1 << 30);
    let tree = boxed::token(radius * radius);
    let walks: [Timed<'_, (UBig, u64)>; 4] = [
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

fn compare<T>(walks: &[Timed<'_, T>], positions: u64) {
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
        let least = times[number].iter().fold(f64::MAX, |least, time| least.min(time / count));
        print!("  {name:<10} {each:8.2} ns a position, at least {least:.2}");
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
    let source = if file.starts_with('(') {
        Arc::new(Source { name: "game".to_owned(), text: file.to_owned() })
    } else {
        bank::read(Path::new(file)).unwrap_or_else(|mistake| panic!("{file}: {}", mistake.one_line()))
    };
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

/// Games of other shapes: the file, or the game itself, and a position from which to begin.
const GAMES: [(&str, &str, &[i64]); 8] = [
    ("two piles, + 1 or * 2", "problems/polyakov/017-two-piles-sum-65.ron", &[6, 10]),
    ("cards, not the same again", "problems/classics/memory/cards-12-to-200.ron", &[0, 0]),
    ("three heaps", "problems/classics/nim/three-heaps-one-position.ron", &[7, 9, 11]),
    ("Wythoff", "problems/classics/wythoff/two-heaps.ron", &[20, 30]),
    ("noughts and crosses", "problems/classics/tree/noughts-and-crosses.ron", &[0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
    ("eight tiles", "problems/classics/sliding/three-by-three.ron", &[0, 1, 2, 3, 4, 5, 6, 7, 8]),
    ("Hanoi", "problems/classics/hanoi/three-pegs-form.ron", &[0; 8]),
    ("33 holes", ENGLISH, &CENTRAL),
];

const ENGLISH: &str = "(title: \"33 holes\", game: PegSolitaire(board: [\"  ooo  \", \"  ooo  \", \"ooooooo\", \"ooo.ooo\", \
                       \"ooooooo\", \"  ooo  \", \"  ooo  \"]), questions: {\"solvable\": (ask: \"solvable\")})";

/// A peg in every hole but the middle one.
const CENTRAL: [i64; 33] = {
    let mut holes = [1; 33];
    holes[16] = 0;
    holes
};

/// How many positions of a game are looked at.
const SAMPLE: usize = 2_000;

/// How long it takes to look at the positions of other games, once each.
fn looks() {
    for (name, file, start) in GAMES {
        let rules = rules(file);
        if rules.width() != start.len() {
            println!("{name}: left out, its positions have {} numbers", rules.width());
            continue;
        }
        let positions = sample(&rules, start);
        let answer = looked(&mut Reference::new(&rules), &positions);
        let (compiled, reference) = (RefCell::new(Compiled::new(&rules)), RefCell::new(Reference::new(&rules)));
        let engines: [Timed<'_, usize>; 2] = [
            ("compiled", Box::new(|| looked(&mut *compiled.borrow_mut(), &positions))),
            ("reference", Box::new(|| looked(&mut *reference.borrow_mut(), &positions))),
        ];
        for (engine, look) in &engines {
            assert_eq!(look(), answer, "{name} {engine}");
        }
        println!("{name}: {} positions, {answer} options", positions.len());
        compare(&engines, u64::try_from(positions.len()).unwrap_or(u64::MAX));
    }
}

/// Positions that can be reached, the nearest first, but not all of them, so that they lie at all distances.
fn sample(rules: &Rules, start: &[i64]) -> Vec<Vec<i64>> {
    let random = &mut fastrand::Rng::with_seed(0);
    let (mut game, mut options) = (Reference::new(rules), Options::default());
    let (mut positions, mut seen) = (vec![start.to_vec()], HashSet::from([start.to_vec()]));
    let mut at = 0;
    while let Some(position) = positions.get(at).cloned() {
        at += 1;
        game.look(&position, &mut options).expect("no rule fails there");
        for (_, option) in options.iter() {
            if positions.len() < SAMPLE && random.u8(0..4) > 0 && seen.insert(option.to_vec()) {
                positions.push(option.to_vec());
            }
        }
    }
    positions
}

fn looked(game: &mut impl Game, positions: &[Vec<i64>]) -> usize {
    let mut options = Options::default();
    let mut count = 0;
    for position in positions {
        black_box(game.look(position, &mut options)).expect("no rule fails there");
        count += options.len();
    }
    count
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

    fn plays(tree: &Tree, position: [i64; 2], visited: &mut u64) -> Result<u64, String> {
        *visited += 1;
        if tree.end.value(&position)? != 0 {
            return Ok(1);
        }
        let mut count = 0;
        for made in &tree.moves {
            let option = [made[0].value(&position)?, made[1].value(&position)?];
            count += plays(tree, option, visited)?;
        }
        Ok(count)
    }

    pub(super) fn walk(tree: &Tree) -> (UBig, u64) {
        let mut visited = 0;
        let count = plays(tree, START, &mut visited).expect("no number is large");
        (UBig::from(count), visited)
    }
}
