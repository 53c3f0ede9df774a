//! The theorems about heaps held against the walker for all small heaps, and against the engines for large ones; and
//! what the seed texts state of a solution as a whole.

use std::sync::Arc;

use gameproof::budget::Budget;
use gameproof::check::{Checking, Verdict, check};
use gameproof::engine::{self, Engine};
use gameproof::game::{Game, Reference};
use gameproof::lang::tree::{Quantity, Rules};
use gameproof::lang::{Options, Sight, Source};
use gameproof::problem::{Changes, Loaded, load};
use gameproof::theorem::Theorem;
use gameproof::{Outcome, Walker};

fn loaded(text: &str) -> Loaded {
    let source = Arc::new(Source { name: "theorem".to_owned(), text: text.to_owned() });
    load(&source, &Changes::default()).unwrap_or_else(|mistakes| panic!("{:?}\n{text}", mistakes[0].one_line()))
}

fn heap_game(form: &str) -> Loaded {
    loaded(&format!("(title: \"t\", game: {form}, start: [\"1\"], questions: {{\"q\": (ask: \"winner\")}})"))
}

fn outcome_by_walk(rules: &Rules, heaps: &[i64]) -> Outcome {
    let budget = Budget::new(1 << 30);
    Walker::new(Reference::sum(rules), u64::MAX, &budget).outcome(heaps).expect("small heaps can be walked")
}

fn value_by_walk(rules: &Rules, heaps: &[i64]) -> i64 {
    let budget = Budget::new(1 << 30);
    let value = Walker::new(Reference::sum(rules), u64::MAX, &budget).quantity(heaps, Quantity::Grundy);
    value.expect("small heaps can be walked").expect("play ends")
}

/// All lists of so many heaps from 0 to `most`.
fn lists(heaps: usize, most: i64) -> Vec<Vec<i64>> {
    (0..heaps).fold(vec![Vec::new()], |lists, _| {
        lists.iter().flat_map(|list| (0..=most).map(move |heap| [&list[..], &[heap]].concat())).collect()
    })
}

/// Bouton's theorem: outcomes, values and winning moves of Nim, in normal and in misère play.
#[test]
fn nim_theorem_for_all_small_heaps() {
    let budget = Budget::new(1 << 30);
    for misere in [false, true] {
        let loaded = heap_game(&format!("Nim(misere: {misere})"));
        let rules = &loaded.problems[0].0.rules;
        let mut theorem = Theorem::of(rules, &budget).expect("Nim has a theorem");
        let mut sum = engine::fast(rules, true, &budget, &budget);
        for heaps in (1..=3).flat_map(|count| lists(count, 4)).chain(lists(2, 6)) {
            let walked = outcome_by_walk(rules, &heaps);
            assert_eq!(theorem.outcome(&heaps), Ok(walked), "{heaps:?}, misere {misere}");
            assert_eq!(sum.outcome(&heaps), Ok(walked), "{heaps:?}, misere {misere}");
            if !misere {
                let value = value_by_walk(rules, &heaps);
                assert_eq!(theorem.quantity(&heaps, Quantity::Grundy), Ok(Some(value)), "{heaps:?}");
            }
            let mut options = Options::default();
            Reference::sum(rules).look(&heaps, &mut options).expect("Nim has no rule errors");
            let lost = |option: &[i64]| outcome_by_walk(rules, option) == Outcome::Loss;
            let winning: Vec<Vec<i64>> =
                options.iter().filter(|(_, option)| lost(option)).map(|(_, option)| option.to_vec()).collect();
            for found in [theorem.winning_moves(&heaps), sum.winning_moves(&heaps)] {
                let found = found.expect("no limit is near").expect("winning moves are not listed");
                let moves: Vec<Vec<i64>> = found.moves.iter().map(|(_, state)| state.clone()).collect();
                assert_eq!(moves, winning, "{heaps:?}, misere {misere}");
                assert_eq!(found.others, winning.len() < options.len(), "{heaps:?}, misere {misere}");
            }
        }
    }
}

/// Every octal code of two digits, and some with a digit before the point, for all small heaps.
#[test]
fn octal_sequences_for_all_small_heaps() {
    let budget = Budget::new(1 << 30);
    let codes = (0..64)
        .map(|code| format!("0.{}{}", code / 8, code % 8))
        .chain(["4.0", "4.3", "4.17", "4.7"].map(str::to_owned));
    for code in codes {
        let loaded = heap_game(&format!("Octal(\"{code}\")"));
        let rules = &loaded.problems[0].0.rules;
        let mut theorem = Theorem::of(rules, &budget).expect("octal codes have a theorem");
        let mut sum = engine::fast(rules, true, &budget, &budget);
        for heaps in lists(1, 6).into_iter().chain(lists(2, 2)) {
            let walked = value_by_walk(rules, &heaps);
            assert_eq!(theorem.quantity(&heaps, Quantity::Grundy), Ok(Some(walked)), "{heaps:?} of {code}");
            assert_eq!(sum.quantity(&heaps, Quantity::Grundy), Ok(Some(walked)), "{heaps:?} of {code}");
        }
    }
}

/// The engine, which looks at few splits, against the definition, which looks at all; and heaps far beyond a period.
#[test]
fn long_octal_sequences() {
    let budget = Budget::new(1 << 30);
    for code in ["0.77", "0.137", "0.007", "0.6", "0.16", "0.4", "0.04", "0.34", "0.106", "4.7", "0.3", "0.051"] {
        let loaded = heap_game(&format!("Octal(\"{code}\")"));
        let rules = &loaded.problems[0].0.rules;
        let mut theorem = Theorem::of(rules, &budget).expect("octal codes have a theorem");
        let mut sum = engine::fast(rules, true, &budget, &budget);
        for heap in (0..3000).chain([4000, 4001]) {
            let known = theorem.quantity(&[heap], Quantity::Grundy).expect("the heaps are not too large");
            assert_eq!(sum.quantity(&[heap], Quantity::Grundy), Ok(known), "heap {heap} of {code}");
        }
    }
}

/// Arsac's game 31: on a shortest way a disc never lies on one of its own parity.
#[test]
fn hanoi_discs_lie_on_discs_of_the_other_parity() {
    for disks in 1..=9 {
        let loaded =
            loaded(&format!("(title: \"t\", game: Hanoi(disks: {disks}), questions: {{\"q\": (ask: \"solution\")}})"));
        let budget = Budget::new(1 << 30);
        let checking = Checking {
            engines: vec!["memo"],
            walk_limit: 1,
            budget: &budget,
            keys: false,
            hints: false,
            certificates: None,
        };
        let findings = check("hanoi", &loaded, &checking, &|_, _| true);
        assert_eq!(findings[0].verdict, Verdict::NoKey);
        let answer = findings[0].answer.as_ref().expect("the tower can be moved").plain();
        let gameproof::Answer::List(positions) = answer else { panic!("{answer}") };
        assert_eq!(positions.len(), (1 << disks) - 1, "a tower of {disks} takes 2^n - 1 moves");
        for position in positions {
            let pegs: Vec<u32> = position.to_string().chars().filter_map(|c| c.to_digit(10)).collect();
            assert_eq!(pegs.len(), disks, "{position}");
            for peg in 0..3 {
                let discs: Vec<usize> = (0..disks).filter(|disc| pegs[*disc] == peg).collect();
                assert!(discs.windows(2).all(|pair| (pair[1] - pair[0]) % 2 == 1), "{position}, peg {peg}");
            }
        }
    }
}
