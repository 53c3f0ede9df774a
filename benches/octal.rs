//! Grundy sequences beside plain dense loops: an octal code whose period is not known, and Grundy's game as rules in
//! text; and Kayles to a million heaps, by its period, as an engine and as a whole process, in paired runs; each answer is
//! checked before anything is timed. `cargo bench --bench octal -- loops` or `-- kayles` measures a part.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

#[path = "common/allocator.rs"]
mod allocator;
#[path = "common/options.rs"]
mod options;
#[path = "common/rows.rs"]
mod rows;

use std::hint::black_box;
use std::process::Command;
use std::sync::Arc;

use gameproof::bench::{Contestant, interleave, shown_seconds};
use gameproof::budget::Budget;
use gameproof::engine;
use gameproof::lang::Source;
use gameproof::lang::tree::{Quantity, Rules};
use gameproof::problem::{Changes, load};
use gameproof::report::Table;

use self::options::Options;
use self::rows::{Row, table};

const GRUNDYS_GAME: &str = r#"Rules(state: "x", moves: ["a | x - a for a in 1..=(x - 1) // 2"])"#;

const KAYLES: &str = r#"Octal("0.77")"#;

/// The heaps of Kayles, and the period of its values, which begins at 71.
const MILLION: usize = 1_000_000;
const KAYLES_BEFORE: usize = 71;
const KAYLES_PERIOD: usize = 12;

fn main() {
    let options = Options::given();
    let shorter = if options.quick { 20 } else { 1 };
    let mut body = String::new();
    if options.wants("loops") {
        let mut rows = Vec::new();
        let heaps = 100_000 / shorter;
        for (code, goal) in [("0.007", "0.5"), ("0.6", "")] {
            let digits: Vec<u8> = code.bytes().filter(|digit| *digit != b'.').map(|digit| digit - b'0').collect();
            let game = format!("Octal(\"{code}\")");
            rows.push(compare(code, &game, heaps, goal, &options, || dense_octal(&digits, heaps)));
        }
        let heaps = 20_000 / shorter;
        rows.push(compare("Grundy's game", GRUNDYS_GAME, heaps, "1.5", &options, || dense_grundy(heaps)));
        body += &format!("## Beside plain dense loops\n\n{}\n", table(rows));
    }
    if options.wants("kayles") {
        body += &format!("## Kayles\n\n{}", kayles(&options));
    }
    options.finish("octal", "Grundy sequences", &body);
}

/// Times the values of all heaps below `heaps`, by a plain loop and by the engine, in turns.
fn compare(name: &str, game: &str, heaps: usize, goal: &str, options: &Options, dense: impl Fn() -> Vec<u16>) -> Row {
    with_rules(game, |rules| {
        assert!(dense().into_iter().map(u32::from).eq(by_engine(rules, heaps)), "{name}: the values differ");
        let timed = interleave(
            &mut [
                Contestant::new("engine", || drop(black_box(by_engine(rules, heaps)))),
                Contestant::new("plain dense loop", || drop(black_box(dense()))),
            ],
            options.runs,
            |_| {},
        );
        Row::of(&format!("{name} to {heaps}"), &timed[0], &timed[1], goal)
    })
}

/// Kayles to a million heaps, by its period.
fn kayles(options: &Options) -> String {
    let first = dense_octal(&[0, 7, 7], 1000);
    let expected = (0..=MILLION).map(|heap| {
        let known = if heap < 1000 { heap } else { KAYLES_BEFORE + (heap - KAYLES_BEFORE) % KAYLES_PERIOD };
        u32::from(first[known])
    });
    let (whole, one) = (expected.clone().map(u64::from).sum::<u64>(), expected.clone().next_back());
    let folder = tempfile::tempdir().expect("a folder for problem files");
    let write = |name: &str, start: &str, given: &str, ask: &str| {
        let path = folder.path().join(name);
        let questions = format!("questions: {{\"q\": (ask: \"{ask}\")}}");
        let text = format!("(title: \"t\", game: {KAYLES}, start: \"{start}\", {given}{questions})");
        std::fs::write(&path, text).expect("a problem file can be written");
        path
    };
    let files = [
        (write("one.ron", &MILLION.to_string(), "", "grundy"), format!("q: {}\n", one.unwrap_or_default())),
        (
            write("all.ron", "n", &format!("given: {{\"n\": \"0..={MILLION}\"}}, "), "sum grundy"),
            format!("q: {whole}\n"),
        ),
    ];
    let solve = |at: usize| {
        let (path, expected) = &files[at];
        let output = Command::new(env!("CARGO_BIN_EXE_gameproof")).arg("solve").arg(path).output();
        assert_eq!(String::from_utf8_lossy(&output.expect("the program runs").stdout), *expected);
    };
    with_rules(KAYLES, |rules| {
        assert!(expected.eq(by_engine(rules, MILLION + 1)), "Kayles: the values differ");
        (0..2).for_each(solve);
        let timed = interleave(
            &mut [
                Contestant::new("every heap up to a million by the engine", || {
                    drop(black_box(by_engine(rules, MILLION + 1)));
                }),
                Contestant::new("`solve`, the heap of a million, whole process", || solve(0)),
                Contestant::new("`solve`, the sum over every heap up to a million, whole process", || solve(1)),
            ],
            options.runs,
            |_| {},
        );
        let mut table = Table::new(&["work", "takes", "runs", "goal"]);
        for own in timed {
            let (takes, runs) = (shown_seconds(own.median()), own.seconds.len().to_string());
            table.row([own.name, takes, runs, "20 ms".to_owned()]);
        }
        table.to_string()
    })
}

/// An octal code by the mex over every split.
fn dense_octal(digits: &[u8], heaps: usize) -> Vec<u16> {
    let mut values: Vec<u16> = Vec::with_capacity(heaps);
    let mut seen = vec![usize::MAX; 1 << 12];
    for heap in 0..heaps {
        for (taken, digit) in digits.iter().enumerate().take(heap + 1) {
            let rest = heap - taken;
            if digit & 1 != 0 && rest == 0 {
                seen[0] = heap;
            }
            if digit & 2 != 0 && rest > 0 {
                seen[usize::from(values[rest])] = heap;
            }
            if digit & 4 != 0 {
                for part in 1..=rest / 2 {
                    seen[usize::from(values[part] ^ values[rest - part])] = heap;
                }
            }
        }
        values.push(first_unseen(&seen, heap));
    }
    values
}

/// Grundy's game, two unequal parts, by the mex over every split.
fn dense_grundy(heaps: usize) -> Vec<u16> {
    let mut values: Vec<u16> = Vec::with_capacity(heaps);
    let mut seen = vec![usize::MAX; 1 << 12];
    for heap in 0..heaps {
        for part in 1..heap.div_ceil(2) {
            seen[usize::from(values[part] ^ values[heap - part])] = heap;
        }
        values.push(first_unseen(&seen, heap));
    }
    values
}

fn first_unseen(seen: &[usize], heap: usize) -> u16 {
    let value = seen.iter().position(|seen| *seen != heap).expect("values are small");
    u16::try_from(value).expect("values are small")
}

/// The values of all heaps below `heaps` by a new engine.
fn by_engine(rules: &Rules, heaps: usize) -> Vec<u32> {
    let budget = Budget::new(4 << 30);
    let mut engine = engine::fast(rules, true, &budget, &budget);
    let mut value = |heap: usize| {
        let heap = i64::try_from(heap).expect("a heap");
        let value = engine.quantity(&[heap], Quantity::Grundy).expect("there is no rule error");
        u32::try_from(value.expect("play ends")).expect("values are small")
    };
    (0..heaps).map(&mut value).collect()
}

fn with_rules<T>(game: &str, work: impl FnOnce(&Rules) -> T) -> T {
    let text = format!("(title: \"t\", game: {game}, start: [\"1\"], questions: {{\"q\": (ask: \"winner\")}})");
    let source = Arc::new(Source { name: "bench".to_owned(), text });
    let loaded = load(&source, &Changes::default());
    work(&loaded.unwrap_or_else(|mistakes| panic!("{}", mistakes[0].one_line())).problems[0].0.rules)
}
