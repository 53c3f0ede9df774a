//! Explanations: what they say is held against values that come from a plain loop over the rules, and against texts that
//! have been read.
//!
//! `GAMEPROOF_UPDATE=1 cargo test --test explain` writes the texts below `tests/explain` anew.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use gameproof::bank::{self, BankFile};
use gameproof::engine::on_own_stack;
use gameproof::explain::{Claim, Explainer, Fact};
use gameproof::game::{Game, Reference, shown};
use gameproof::lang::Options;
use gameproof::{Budget, Changes, Class, Loaded, Outcome, load};

/// Texts that are kept: a name, and the arguments of `explain`.
const KEPT: &[(&str, &[&str])] = &[
    ("two-piles-19", &["problems/seeds/two-piles-to-65.ron", "--question", "19"]),
    ("two-piles-20", &["problems/seeds/two-piles-to-65.ron", "--question", "20"]),
    ("two-piles-21", &["problems/seeds/two-piles-to-65.ron", "--question", "21"]),
    ("token", &["problems/seeds/token-to-13.ron"]),
    ("cards", &["problems/classics/memory/cards-3-to-10.ron"]),
    ("nim-as-one-position", &["problems/classics/nim/three-heaps-one-position.ron"]),
    ("nim-match-samples", &["problems/classics/nim/match-judge-samples.ron"]),
    ("nim-giant-heaps", &["problems/classics/nim/giant-heaps.ron"]),
    ("nim-misere", &["problems/classics/nim/misere-spelled-out.ron"]),
    ("nim-misere-form", &["tests/explain/nim-misere-form.ron"]),
    ("kayles", &["problems/classics/octal/kayles-0-77.ron"]),
    ("drawn", &["problems/classics/loopy/five-points.ron"]),
    ("cat-and-mouse", &["problems/classics/loopy/cat-and-mouse-drawn.ron"]),
    ("squares", &["problems/classics/subtraction/squares.ron"]),
    ("hanoi", &["problems/classics/hanoi/three-discs-solution.ron"]),
    ("jugs", &["problems/classics/jugs/fill-and-pour.ron"]),
    ("pawns", &["problems/classics/partizan/pawns-three-by-three.ron"]),
    ("unequal-halves", &["problems/classics/splitting/unequal-halves.ron"]),
    ("wrong-values", &["tests/wrong/sdamgia/28087-one-pile-to-54.ron"]),
    ("wrong-moves", &["tests/wrong/sdamgia/4884-two-piles-2-1-max-24.ron"]),
    ("wrong-keys", &["tests/explain/wrong-keys.ron"]),
    ("wrong-puzzle", &["tests/explain/wrong-puzzle.ron"]),
    ("rule-error", &["tests/explain/rule-error.ron"]),
    ("pegs", &["problems/classics/pegs/six-peg-cross-drawn.ron"]),
    ("one-move", &["tests/explain/one-move.ron"]),
    ("runaway", &["tests/explain/runaway.ron", "--memory-limit", "1M"]),
];

#[test]
fn texts_are_as_kept() {
    let mut faults = String::new();
    for (name, arguments) in KEPT {
        let output = explain(arguments);
        let mut text = format!("$ gameproof explain {}\n", arguments.join(" "));
        text.push_str(&String::from_utf8_lossy(&output.stdout));
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        let status = output.status.code().unwrap();
        if status != 0 {
            text.push_str(&format!("(exit status {status})\n"));
        }
        let file = Path::new("tests/explain").join(format!("{name}.txt"));
        if std::env::var_os("GAMEPROOF_UPDATE").is_some_and(|value| value == "1") {
            std::fs::write(&file, &text).unwrap();
        }
        let want = std::fs::read_to_string(&file).unwrap_or_default();
        if want != text {
            faults.push_str(&format!("{}\nexpected:\n{want}\nactual:\n{text}\n", file.display()));
        }
    }
    assert!(faults.is_empty(), "{faults}(GAMEPROOF_UPDATE=1 writes them anew)");
}

#[test]
fn a_wrong_key_is_refuted_and_a_right_one_is_not() {
    for file in files("tests/wrong") {
        let text = said(&explain(&[file.path.to_str().unwrap()]));
        assert!(text.contains("That is wrong."), "{text}");
    }
    let values = said(&explain(&["tests/wrong/sdamgia/28087-one-pile-to-54.ron"]));
    assert!(values.contains("14 is L7, not W2"), "{values}");
    assert!(values.contains("Missing from the key are 13, 25."), "{values}");
    let moves = said(&explain(&["tests/wrong/sdamgia/4884-two-piles-2-1-max-24.ron"]));
    assert!(moves.contains("win, and the key has not got them"), "{moves}");
    assert!(moves.contains("(2, 4)") && moves.contains("(5, 1)") && moves.contains("(6, 1)"), "{moves}");
    let right = said(&explain(&["problems/seeds/two-piles-to-65.ron"]));
    assert!(!right.contains("wrong"), "{right}");
}

#[test]
fn options_and_exit_statuses() {
    let file = "problems/seeds/two-piles-to-65.ron";
    let one = said(&explain(&[file, "--set", "s=18", "--question", "21"]));
    assert!(one.contains("From (6, 18) the first player loses (L2)") && !one.contains("Question 20"), "{one}");
    let started = said(&explain(&["problems/seeds/token-to-13.ron", "--start", "12, 12"]));
    assert!(started.contains("(12, 12)"), "{started}");
    for (arguments, status) in [
        (&[file][..], 0),
        (&[file, "--question", "no"], 2),
        (&[file, "--variant", "no"], 2),
        (&["nothere.ron"], 2),
        (&["tests/explain/rule-error.ron"], 2),
        (&["tests/explain/nim-misere-form.ron"], 3),
    ] {
        let output = explain(arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {}", said(&output));
    }
}

/// Whatever a file that loads asks, it is explained, or a rule error or a limit is told.
#[test]
fn odd_files_end_in_order() {
    for folder in ["tests/cases/laws", "tests/cases/verdicts"] {
        for file in files(folder) {
            let output = explain(&[file.path.to_str().unwrap()]);
            let told = format!("{}{}", said(&output), String::from_utf8_lossy(&output.stderr));
            assert!(matches!(output.status.code(), Some(0 | 2 | 3)), "{}: {}\n{told}", file.id, output.status);
            assert!(!told.contains("panicked"), "{}: {told}", file.id);
        }
    }
}

/// Every file of the bank is explained, and what is said of positions is so by the definitions.
#[test]
fn what_is_said_is_so() {
    let files = files("problems");
    let next = std::sync::atomic::AtomicUsize::new(0);
    let checked = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
                    let claims = on_own_stack(|| explained(file));
                    checked.fetch_add(claims, std::sync::atomic::Ordering::Relaxed);
                }
            });
        }
    });
    let checked = checked.into_inner();
    assert!(checked > 10_000, "only {checked} claims were checked");
}

/// Explains all questions of a file; how many claims could be held against the definitions.
fn explained(file: &BankFile) -> usize {
    let loaded = opened(file);
    let (budget, small) = (Budget::new(4 << 30), Budget::new(64 << 20));
    let mut checked = 0;
    for (problem, keys) in &loaded.problems {
        let mut explainer = Explainer::new(problem, &loaded.source, &budget, &small);
        let mut plain = [Plain::default(), Plain::default()];
        for (question, key) in problem.questions.iter().zip(keys) {
            let told = explainer.explain(question, key.as_ref());
            let told = told.unwrap_or_else(|halt| panic!("{} {}: {halt:?}", file.id, question.label));
            assert!(!told.text.contains("That is wrong"), "{} {}:\n{}", file.id, question.label, told.text);
            let wide = told.text.lines().find(|line| line.chars().count() > 400 && !line.contains('['));
            assert_eq!(wide, None, "{} {}", file.id, question.label);
            let rules = &problem.rules;
            let mut game = if question.sum { Reference::sum(rules) } else { Reference::new(rules) };
            for claim in &told.claims {
                match plain[usize::from(question.sum)].says(&mut game, claim) {
                    Some(true) => checked += 1,
                    None => {}
                    Some(false) => panic!(
                        "{} {}: {} is not {:?}\n{}",
                        file.id,
                        question.label,
                        shown(rules, &claim.position),
                        claim.fact,
                        told.text
                    ),
                }
            }
        }
    }
    checked
}

/// Classes by their definition, in a plain loop over all positions that can be reached.
#[derive(Default)]
struct Plain {
    options: HashMap<Vec<i64>, Vec<Vec<i64>>>,
    class: HashMap<Vec<i64>, Class>,
    /// Terminal positions that are a draw need no class.
    closed: bool,
    given_up: bool,
}

impl Plain {
    /// More positions than this are not gone through.
    const MOST: usize = 4_000;

    /// Whether a claim is so; nothing where the game is too large.
    fn says(&mut self, game: &mut Reference<'_>, claim: &Claim) -> Option<bool> {
        if let Fact::MoveTo(to) = &claim.fact {
            let mut options = Options::default();
            game.look(&claim.position, &mut options).ok()?;
            return Some(options.iter().any(|(_, option)| option == to));
        }
        self.close(game, &claim.position)?;
        let class = self.class.get(&claim.position).copied();
        let outcome = match class {
            Some(Class::Win(_)) => Outcome::Win,
            Some(Class::Loss(_)) => Outcome::Loss,
            None => Outcome::Draw,
        };
        Some(match &claim.fact {
            Fact::Class(said) => *said == class,
            Fact::Outcome(said) => *said == outcome,
            Fact::MoveTo(_) => true,
        })
    }

    fn close(&mut self, game: &mut Reference<'_>, position: &[i64]) -> Option<()> {
        if self.given_up {
            return None;
        }
        let mut open = vec![position.to_vec()];
        while let Some(position) = open.pop() {
            if self.options.contains_key(&position) {
                continue;
            }
            self.closed = false;
            let mut options = Options::default();
            let looked = if self.options.len() < Self::MOST { game.look(&position, &mut options).ok() } else { None };
            if options.len() > 300 || looked.is_none() {
                self.given_up = true;
                return None;
            }
            match looked.flatten() {
                Some(Outcome::Win) => drop(self.class.insert(position.clone(), Class::Win(0))),
                Some(Outcome::Loss) => drop(self.class.insert(position.clone(), Class::Loss(0))),
                Some(Outcome::Draw) | None => {}
            }
            let options: Vec<Vec<i64>> = options.iter().map(|(_, option)| option.to_vec()).collect();
            open.extend(options.iter().cloned());
            self.options.insert(position, options);
        }
        if !self.closed {
            self.class.retain(|position, _| self.options[position].is_empty());
            self.settle();
            self.closed = true;
        }
        Some(())
    }

    /// W(k) has an option of L(k - 1) and none of less; L(k) has only won options, the greatest of them W(k).
    fn settle(&mut self) {
        for k in 0.. {
            let mut found: Vec<(Vec<i64>, Class)> = Vec::new();
            let unsettled = |class: &HashMap<Vec<i64>, Class>, position: &Vec<i64>, options: &Vec<Vec<i64>>| {
                !options.is_empty() && !class.contains_key(position)
            };
            if k > 0 {
                for (position, options) in &self.options {
                    let lost = |option: &Vec<i64>| self.class.get(option) == Some(&Class::Loss(k - 1));
                    if unsettled(&self.class, position, options) && options.iter().any(lost) {
                        found.push((position.clone(), Class::Win(k)));
                    }
                }
            }
            let won = found.len();
            self.class.extend(found.drain(..));
            for (position, options) in &self.options {
                let all_won = |option: &Vec<i64>| matches!(self.class.get(option), Some(Class::Win(_)));
                if unsettled(&self.class, position, options) && options.iter().all(all_won) {
                    found.push((position.clone(), Class::Loss(k)));
                }
            }
            let settled = won + found.len();
            self.class.extend(found);
            if k > 0 && settled == 0 {
                return;
            }
        }
    }
}

fn explain(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gameproof"))
        .arg("explain")
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn files(folder: &str) -> Vec<BankFile> {
    let (files, unreadable) = bank::find(&[PathBuf::from(folder)], None);
    assert!(unreadable.is_empty() && !files.is_empty(), "{folder}: {unreadable:?}");
    files
}

fn opened(file: &BankFile) -> Loaded {
    let source = bank::read(&file.path).unwrap();
    load(&source, &Changes::default()).unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", file.id))
}
