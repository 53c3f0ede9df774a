//! Grundy sequences against the definition: random octal codes, and random games with one pile whose moves split it.
//!
//! A failure prints the game; `GAMEPROOF_SEED=N` replays it alone, `GAMEPROOF_GAMES=N` takes so many of each kind.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use fastrand::Rng;
use gameproof::budget::{Budget, Limit};
use gameproof::engine;
use gameproof::game::{Game, Reference};
use gameproof::lang::tree::{Quantity, Rules};
use gameproof::lang::{Halt, Options, Source};
use gameproof::problem::{Changes, Loaded, load};
use gameproof::value::mex;

/// How many games of each kind are made.
const GAMES: u64 = 120;

/// The memory for searching sums without an end of play.
const SEARCH: u64 = 1 << 18;

fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    match number("GAMEPROOF_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("GAMEPROOF_GAMES").unwrap_or(GAMES),
    }
}

fn loaded(game: &str) -> Loaded {
    let text = format!("(title: \"t\", game: {game}, start: [\"1\"], questions: {{\"q\": (ask: \"winner\")}})");
    let source = Arc::new(Source { name: "sequence".to_owned(), text: text.clone() });
    load(&source, &Changes::default()).unwrap_or_else(|mistakes| panic!("{:?}\n{text}", mistakes[0].one_line()))
}

/// The values of heaps below `heaps` by the mex over all options.
fn by_definition(digits: &[u8], heaps: usize) -> Vec<usize> {
    let mut values: Vec<usize> = Vec::new();
    let mut seen = Vec::new();
    for heap in 0..heaps {
        seen.clear();
        seen.resize(4096, false);
        for (taken, digit) in digits.iter().enumerate().take(heap + 1) {
            let rest = heap - taken;
            if digit & 1 != 0 && rest == 0 {
                seen[0] = true;
            }
            if digit & 2 != 0 && rest > 0 {
                seen[values[rest]] = true;
            }
            if digit & 4 != 0 {
                for part in 1..=rest / 2 {
                    seen[values[part] ^ values[rest - part]] = true;
                }
            }
        }
        values.push(seen.iter().position(|seen| !seen).expect("values stay small"));
    }
    values
}

fn compare_code(code: &str, heaps: usize, replay: &str) {
    let loaded = loaded(&format!("Octal(\"{code}\")"));
    let rules = &loaded.problems[0].0.rules;
    let budget = Budget::new(1 << 30);
    let mut engine = engine::fast(rules, true, &budget, &budget);
    let digits: Vec<u8> = code.bytes().filter(|digit| *digit != b'.').map(|digit| digit - b'0').collect();
    let expected = by_definition(&digits, heaps);
    // the last heap first: then all are valued at once
    for heap in (heaps - 1..heaps).chain(0..heaps) {
        let position = [i64::try_from(heap).expect("a heap")];
        let value = i64::try_from(expected[heap]).expect("a small value");
        assert_eq!(engine.quantity(&position, Quantity::Grundy), Ok(Some(value)), "heap {heap} of {code}{replay}");
    }
}

#[test]
fn random_octal_codes() {
    for seed in seeds() {
        let mut random = Rng::with_seed(seed);
        let mut code = if random.u8(0..4) == 0 { "4." } else { "0." }.to_owned();
        for _ in 0..random.usize(0..4) {
            code.push(char::from(b'0' + random.u8(0..8)));
        }
        code.push(char::from(b'0' + random.u8(1..8)));
        compare_code(&code, 3000, &format!(", replay with GAMEPROOF_SEED={seed}"));
    }
}

/// Long enough for masks of several sizes; with a sparse space, with none, and with few values.
#[test]
fn long_octal_sequences() {
    for code in ["0.6", "0.054", "0.36", "0.007", "0.106", "0.76", "4.07"] {
        compare_code(code, 20_000, "");
    }
}

/// A game with one pile, some of whose moves are loops over splits. Most heaps have no rule error.
fn game(random: &mut Rng) -> String {
    fn pick(random: &mut Rng, from: &[&str]) -> String {
        random.choice(from).expect("there is a choice").to_string()
    }
    let guards = [
        "",
        "",
        "",
        " if x >= 3",
        " if x % 2 == 0",
        " if x != 7",
        " if not (x < 4 or x == 9)",
        " if x // 2 > 3",
        " if 6 % (x - 9) != 1",
    ];
    let inner =
        ["", "", "", " if a != x - a", " if a < x - a", " if 2 * a >= x and a != 5", " if 3 * a - 4 != x", " if 7 > a"];
    let bounds = [
        "1..=x // 2",
        "1..=(x - 1) // 2",
        "1..x",
        "0..x",
        "2..=x - 2",
        "1..=min(4, x - 1)",
        "max(1, x - 5)..x",
        "1..=ceildiv(x, 3)",
        "0..=x - 1",
        "1..=(2 if x > 5 else 0)",
        "max(0, x - 3)..x",
        "1..=12 // (x - 7)",
        "1..=10 * x - 9 * x - 1",
    ];
    let bodies =
        ["a | x - a", "x - a | a", "a", "x - a", "a | x - a - 1", "a | a", "a - 1 | x - 1 - a", "x - 1", "a // 2"];
    let mut moves = Vec::new();
    for at in 0..random.usize(1..=3) {
        let (body, bound) = (pick(random, &bodies), pick(random, &bounds));
        let (guard, inside) = (pick(random, &guards), pick(random, &inner));
        moves.push(match random.u8(0..10) {
            0 => format!("x - {}{}", random.u8(1..4), pick(random, &[" if x >= 3", " if x >= 3 and x != 8"])),
            1 => format!("x - k for k in [1, 3, {}] if x >= k", random.u8(4..7)),
            2 => format!("a | x - k - a for k in 1..={} for a in 0..=(x - k) // 2 if x >= k", random.u8(1..4)),
            3 => format!("a | x - k - a for k in [2, 5] if x >= k for a in 1..=x - k - 1{inside}"),
            _ => format!("{body}{guard} for a in {bound}{inside}"),
        });
        moves[at].push_str(["", " if true", " if 1 == 1"][at]);
    }
    let mut text = "Rules(state: \"x\", moves: [".to_owned();
    for made in moves {
        let _ = write!(text, "\"{made}\", ");
    }
    text.push(']');
    text.push_str(["", "", ", end: \"x == 6\"", ", end: \"x < 2\"", ", legal: \"x != 5\""][random.usize(0..5)]);
    text.push(')');
    text
}

/// What is known of a game by its reference evaluator: heaps, with their values.
struct Known<'a> {
    rules: &'a Rules,
    values: HashMap<i64, Option<u32>>,
}

impl Known<'_> {
    fn options(&self, heap: i64) -> Result<Vec<Vec<i64>>, Halt> {
        let mut options = Options::default();
        Reference::new(self.rules).look(&[heap], &mut options)?;
        Ok(options.iter().map(|(_, parts)| parts.to_vec()).collect())
    }

    /// The first rule error among the heaps that can be reached, in order of plies and moves; what is known is right.
    fn search(&self, start: i64) -> Result<Vec<i64>, Halt> {
        let (mut found, mut at, mut ply, mut ply_end) = (vec![start], 0, 0, 1);
        while let Some(heap) = found.get(at).copied() {
            if at == ply_end {
                ply += 1;
                ply_end = found.len();
            }
            for part in self.options(heap).map_err(|halt| halt.later(ply))?.concat() {
                if !found.contains(&part) && !self.values.contains_key(&part) {
                    found.push(part);
                }
            }
            at += 1;
        }
        Ok(found)
    }

    /// The value of a heap; none where play need not end.
    fn value(&mut self, start: i64) -> Result<Option<u32>, Halt> {
        if !self.values.contains_key(&start) {
            let mut open = self.search(start)?;
            loop {
                let before = open.len();
                for heap in std::mem::take(&mut open) {
                    let options = self.options(heap)?;
                    if options.concat().iter().any(|part| !self.values.contains_key(part)) {
                        open.push(heap);
                    } else if options.concat().iter().any(|part| self.values[part].is_none()) {
                        self.values.insert(heap, None);
                    } else {
                        let sum = |parts: &Vec<i64>| {
                            parts.iter().fold(0, |sum, part| sum ^ self.values[part].expect("it has a value"))
                        };
                        let value = mex(options.iter().map(sum));
                        self.values.insert(heap, Some(value));
                    }
                }
                if open.len() == before {
                    // each of the others leads to another of them
                    self.values.extend(open.iter().map(|heap| (*heap, None)));
                    break;
                }
            }
        }
        Ok(self.values[&start])
    }
}

#[test]
fn random_games_with_one_pile() {
    let (mut valued, mut errors, mut endless, mut checked) = (0, 0, 0, 0);
    for seed in seeds() {
        let mut random = Rng::with_seed(seed);
        let text = game(&mut random);
        let replay = format!("{text}, replay with GAMEPROOF_SEED={seed}");
        let loaded = loaded(&text);
        let rules = &loaded.problems[0].0.rules;
        let (budget, search) = (Budget::new(1 << 30), Budget::new(SEARCH));
        let mut engine = engine::fast(rules, true, &budget, &search);
        let mut known = Known { rules, values: HashMap::new() };
        let most = random.i64(10..60);
        let starts: Vec<i64> = match random.u8(0..3) {
            0 => (0..most).collect(),
            1 => (0..most).rev().collect(),
            _ => (0..10).map(|_| random.i64(-2..most)).collect(),
        };
        for start in starts {
            let found = engine.quantity(&[start], Quantity::Grundy);
            let expected = known.value(start);
            match &expected {
                Ok(Some(_)) => valued += 1,
                Ok(None) => endless += 1,
                Err(_) => errors += 1,
            }
            // where play need not end, the sum is searched, as far as the memory for it goes
            if !(expected == Ok(None) && found == Err(Limit::Memory(SEARCH).into())) {
                let expected = expected.map(|value| value.map(i64::from));
                assert_eq!(found, expected, "heap {start} of {replay}");
            }
        }
        // the claims of a search that met its limit are no more than those of the search
        if let Ok(Some(claims)) = engine.claims() {
            checked += 1;
            assert_eq!(gameproof::certificate::check(&claims, rules, &budget), Ok(()), "{replay}");
        }
    }
    if seeds().end - seeds().start >= GAMES {
        let told = format!("{valued} values, {errors} errors, {endless} without end, {checked} claims");
        assert!(valued > 1000 && errors > 20 && endless > 20 && checked > 60, "{told}");
    }
}
