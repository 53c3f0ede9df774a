//! Faults planted one by one in the code of the fast side: each must be found, and nobody may confirm a wrong answer.
//!
//! One trial for each fault of `src/faults.rs`, and one for no fault. A set of problem files and of random games is
//! answered by the fast engines and cross-checked in four ways: by the walker alone, by certificates alone, by theorems
//! alone, and by all as `verify` does. A fault is found where answers disagree or a certificate is refused. Whether
//! found or not, an answer that differs from the one without the fault must be confirmed by nobody, in any way.
//!
//! At the end a table tells who found what, in how many of the files.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock};

use gameproof::budget::Budget;
use gameproof::check::{Checking, Crosscheck, Finding, check};
use gameproof::faults::{Wrong, plant};
use gameproof::lang::Source;
use gameproof::parallel;
use gameproof::problem::{Changes, Loaded, load};
use gameproof::question::agree;
use gameproof::random::{dense_problem, game_problem, sum_problem};
use libtest_mimic::{Arguments, Failed, Trial};

/// Files below the crate's root.
const FILES: &[&str] = &[
    "tests/cases/laws/arrays.ron",
    "tests/cases/laws/ask-grid.ron",
    "tests/cases/laws/ask-lists.ron",
    "tests/cases/laws/ask-numbers.ron",
    "tests/cases/laws/assignments.ron",
    "tests/cases/laws/big-numbers.ron",
    "tests/cases/laws/comparisons.ron",
    "tests/cases/laws/comprehensions.ron",
    "tests/cases/laws/division-floor.ron",
    "tests/cases/laws/end-before-moves.ron",
    "tests/cases/laws/formula-can-must.ron",
    "tests/cases/laws/formula-classes.ron",
    "tests/cases/laws/functions-numbers.ron",
    "tests/cases/laws/given.ron",
    "tests/cases/laws/guards-and-loops.ron",
    "tests/cases/laws/legal.ron",
    "tests/cases/laws/list-moves.ron",
    "tests/cases/laws/loopy.ron",
    "tests/cases/laws/marks-on-a-row.ron",
    "tests/cases/laws/missing-values.ron",
    "tests/cases/laws/missing-values-in-loops.ron",
    "tests/cases/laws/named-moves.ron",
    "tests/cases/laws/parameters-in-rules.ron",
    "tests/cases/laws/positions-of-start.ron",
    "tests/cases/laws/remainder.ron",
    "tests/cases/laws/sums.ron",
    "tests/cases/laws/turn-in-legal.ron",
    "tests/cases/laws/winner-conditional.ron",
    "tests/cases/laws/winner-draw.ron",
    "tests/cases/laws/winner-first-second.ron",
    "tests/cases/faults/deep-pile.ron",
    "tests/cases/faults/doubling.ron",
    "tests/cases/faults/drawn-ends.ron",
    "tests/cases/faults/near-the-starts.ron",
    "tests/cases/faults/drawn.ron",
    "tests/cases/faults/far-numbers.ron",
    "tests/cases/faults/far-sums.ron",
    "tests/cases/faults/formulas-in-sums.ron",
    "tests/cases/faults/fractions.ron",
    "tests/cases/faults/guards.ron",
    "tests/cases/faults/heaps-below-zero.ron",
    "tests/cases/faults/heaps-with-guards.ron",
    "tests/cases/faults/last-ply-ahead.ron",
    "tests/cases/faults/large-kayles.ron",
    "tests/cases/faults/long-ring.ron",
    "tests/cases/faults/misere-twos.ron",
    "tests/cases/faults/near-equal-piles.ron",
    "tests/cases/faults/one-way-ring.ron",
    "tests/cases/faults/pile-and-last-moves.ron",
    "tests/cases/faults/rows-with-legal.ron",
    "tests/cases/faults/straight-legal.ron",
    "tests/cases/faults/unbounded-last.ron",
    "tests/cases/faults/unbounded-other.ron",
    "tests/cases/faults/whole-lines.ron",
    "tests/cases/laws/ways-by-cases.ron",
    "tests/cases/laws/ways-larger-and-smaller.ron",
    "tests/cases/laws/ways-through-holes.ron",
    "tests/cases/laws/ways-to-several-rows.ron",
    "problems/classics/euclid/multiples-of-the-smaller.ron",
    "problems/classics/hanoi/three-discs-solution.ron",
    "problems/classics/jugs/which-amounts-3-5.ron",
    "problems/classics/loopy/five-points.ron",
    "problems/classics/loopy/ring-of-five.ron",
    "problems/classics/loopy/token-on-a-graph.ron",
    "problems/classics/nim/giant-heaps.ron",
    "problems/classics/nim/match-judge-samples.ron",
    "problems/classics/octal/dawsons-chess-0-137.ron",
    "problems/classics/octal/kayles-0-77.ron",
    "problems/classics/octal/octal-0-055.ron",
    "problems/classics/pegs/six-peg-cross.ron",
    "problems/classics/splitting/take-or-split.ron",
    "problems/classics/wythoff/two-heaps.ron",
    "problems/seeds/one-pile-down-to-30.ron",
    "problems/seeds/token-past-9.ron",
    "problems/seeds/two-piles-to-17.ron",
];

/// Puzzles that are also asked with so little memory that they are searched ring by ring.
const PUZZLES: &[&str] = &[
    "tests/cases/faults/many-goals.ron",
    "problems/classics/hanoi/three-discs-solution.ron",
    "problems/classics/jugs/which-amounts-3-5.ron",
    "problems/classics/pairs/two-pairs.ron",
    "problems/classics/puzzles/four-knights.ron",
    "problems/classics/river/three-and-three.ron",
];

/// How many random games of each kind.
const GAMES: u64 = 8;

/// How many bytes engines may take: for files, for random games, and for puzzles whose positions are not to be closed.
const MEMORY: u64 = 1 << 20;
const MEMORY_OF_GAMES: u64 = 400 << 10;
const SMALL_MEMORY: u64 = 64 << 10;

/// Who confirms.
const WAYS: [(&str, &[&str]); 4] = [
    ("walk", &["sum", "table", "memo", "walk"]),
    ("certificate", &["sum", "table", "memo", "certificate"]),
    ("theorem", &["sum", "table", "memo", "theorem"]),
    ("verify", &["sum", "table", "memo", "walk", "certificate", "theorem"]),
];

/// Positions that the walker may visit for a question.
const WALK_LIMIT: u64 = 6_000;

/// Faults that change no answer, with the reason.
const HARMLESS: &[(Wrong, &str)] = &[
    (Wrong::BoundsTooNarrow, "what lies beyond the bounds is looked at, and the memo does what a table cannot"),
    (Wrong::BoundsWithoutOptions, "a position that fits no word is kept cell by cell"),
    (Wrong::BoundsOfFirstRound, "what lies beyond the bounds is looked at, and the memo does what a table cannot"),
];

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // a fault is planted in the whole process
    arguments.test_threads = Some(1);
    let told: Arc<Mutex<Vec<Told>>> = Arc::default();
    let mut trials = vec![Trial::test("none", nothing_is_found)];
    for wrong in Wrong::ALL {
        let told = Arc::clone(&told);
        trials.push(Trial::test(format!("{}::{wrong:?}", wrong.part().replace(' ', "-")), move || {
            let one = tell(*wrong);
            let judged = judge(*wrong, &one);
            told.lock().map_err(|error| error.to_string())?.push(one);
            judged
        }));
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if let Ok(told) = told.lock() {
        print(&told);
    }
    conclusion.exit_code()
}

/// A file or a random game.
struct Case {
    name: String,
    loaded: Loaded,
    memory: u64,
}

/// What came of the questions of a case, in each way; nothing in a way that ended in a panic.
type Found = [Option<Vec<Finding>>; WAYS.len()];

/// The cases.
fn cases() -> &'static [(Case, Found)] {
    static CASES: OnceLock<Vec<(Case, Found)>> = OnceLock::new();
    CASES.get_or_init(|| {
        let file = |name: &str, memory: u64| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name.to_owned(), text, memory)
        };
        let files = FILES.iter().map(|name| file(name, MEMORY));
        let files = files.chain(PUZZLES.iter().map(|name| file(name, SMALL_MEMORY)));
        let games = (0..GAMES).flat_map(|seed| {
            [
                (format!("game {seed}"), game_problem(seed), MEMORY_OF_GAMES),
                (format!("sum {seed}"), sum_problem(seed), MEMORY_OF_GAMES),
                (format!("dense game {seed}"), dense_problem(seed), MEMORY_OF_GAMES),
            ]
        });
        let texts: Vec<(String, String, u64)> = files.chain(games).collect();
        // long texts need the stack of a thread that is made for them
        let cases = in_order(&texts, |(name, text, memory)| case(name, text, *memory));
        let found = in_order(&cases, found);
        cases.into_iter().zip(found).collect()
    })
}

fn case(name: &str, text: &str, memory: u64) -> Case {
    let source = Arc::new(Source { name: name.to_owned(), text: text.to_owned() });
    let loaded = load(&source, &Changes::default()).unwrap_or_else(|_| panic!("{name} does not load"));
    Case { name: name.to_owned(), loaded, memory }
}

fn in_order<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let mut all = Vec::with_capacity(items.len());
    parallel::in_order(0, items, work, &mut |_: &T, one| all.push(one)).expect("threads start");
    all
}

fn found(case: &Case) -> Found {
    WAYS.map(|(_, engines)| {
        let budget = Budget::new(case.memory);
        let checking = Checking {
            engines: engines.to_vec(),
            walk_limit: WALK_LIMIT,
            budget: &budget,
            keys: false,
            hints: false,
            certificates: None,
        };
        catch_unwind(AssertUnwindSafe(|| check(&case.name, &case.loaded, &checking, &|_, _| true))).ok()
    })
}

/// What a fault does.
struct Told {
    wrong: Wrong,
    /// In how many cases it is found, in each way.
    found: [usize; WAYS.len()],
    /// In how many cases an answer changes, in any way, and as `verify` asks, which is the last way.
    changed: usize,
    changed_at_last: usize,
    /// How often the program panics.
    stopped: usize,
    /// Where a wrong answer was confirmed, and by whom.
    confirmed: Vec<String>,
    /// The first case in which it is found.
    first: Option<String>,
}

fn tell(wrong: Wrong) -> Told {
    let cases = cases();
    plant(Some(wrong));
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let all = in_order(cases, |(case, _)| found(case));
    std::panic::set_hook(hook);
    plant(None);
    let mut told = Told {
        wrong,
        found: [0; WAYS.len()],
        changed: 0,
        changed_at_last: 0,
        stopped: 0,
        confirmed: Vec::new(),
        first: None,
    };
    for ((case, right), now) in cases.iter().zip(&all) {
        let (mut changed, mut changed_at_last) = (false, false);
        for (way, (right, now)) in right.iter().zip(now).enumerate() {
            let (Some(right), Some(now)) = (right, now) else {
                told.stopped += 1;
                continue;
            };
            let disagreed = now.iter().any(|finding| matches!(finding.crosscheck, Crosscheck::Disagreed(_)));
            told.found[way] += usize::from(disagreed);
            if disagreed && told.first.is_none() {
                told.first = Some(case.name.clone());
            }
            for (right, now) in right.iter().zip(now).filter(|(right, now)| !same(right, now)) {
                changed = true;
                changed_at_last |= way == WAYS.len() - 1;
                if now.crosscheck == Crosscheck::Agreed {
                    told.confirmed.push(format!(
                        "{}, {:?}, {:?}: {} is confirmed by {:?}, and {} is right",
                        case.name,
                        now.variant,
                        now.question,
                        said(now),
                        now.by,
                        said(right)
                    ));
                }
            }
        }
        told.changed += usize::from(changed);
        told.changed_at_last += usize::from(changed_at_last);
    }
    told
}

/// Whether the same is answered. Where a limit is met, nothing is.
fn same(one: &Finding, other: &Finding) -> bool {
    match (&one.answer, &other.answer) {
        (Some(one), Some(other)) => agree(one, other),
        _ => one.limit.is_some() || other.limit.is_some() || said(one) == said(other),
    }
}

fn said(finding: &Finding) -> String {
    match (&finding.answer, &finding.error, &finding.limit) {
        (Some(answer), ..) => answer.to_string(),
        (_, Some(mistake), _) => mistake.one_line(),
        (_, _, limit) => format!("{limit:?}"),
    }
}

fn judge(wrong: Wrong, told: &Told) -> Result<(), Failed> {
    let mut failed = String::new();
    for confirmed in told.confirmed.iter().take(5) {
        let _ = writeln!(failed, "{confirmed}");
    }
    if told.stopped > 0 {
        let _ = writeln!(failed, "the program panics {} times", told.stopped);
    }
    match HARMLESS.iter().find(|(harmless, _)| *harmless == wrong) {
        None if told.found == [0; WAYS.len()] || told.found[WAYS.len() - 1] == 0 && told.changed_at_last > 0 => {
            let _ = writeln!(failed, "nobody finds it; answers change in {} cases", told.changed);
        }
        Some(_) if told.changed > 0 => {
            let _ = writeln!(failed, "it is said to be harmless, and changes answers in {} cases", told.changed);
        }
        _ => {}
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("{}\n{failed}", wrong.sentence()).into()) }
}

/// Without a fault all is as it should be.
fn nothing_is_found() -> Result<(), Failed> {
    for (case, found) in cases() {
        for ((way, _), findings) in WAYS.iter().zip(found) {
            let Some(findings) = findings else { return Err(format!("{}: {way} panics", case.name).into()) };
            for finding in findings {
                if let Crosscheck::Disagreed(told) = &finding.crosscheck {
                    return Err(format!("{}, {:?}, {way}: {told}", case.name, finding.question).into());
                }
            }
        }
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the table is what whoever plants faults wants to read")]
fn print(told: &[Told]) {
    println!(
        "{:16} {:26} {:>5} {:>11} {:>7} {:>6}  first found in",
        "part", "fault", "walk", "certificate", "theorem", "verify"
    );
    for Told { wrong, found: [walk, certificate, theorem, verify], first, .. } in told {
        println!(
            "{:16} {:26} {walk:5} {certificate:11} {theorem:7} {verify:6}  {}",
            wrong.part(),
            format!("{wrong:?}"),
            first.as_deref().unwrap_or("nothing: harmless")
        );
    }
}
