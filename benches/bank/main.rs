//! A bank of 10,000 files: what verifying it costs beside reading it, and whether two threads are as good as two
//! programs. The files are made from the exam problems of this project by varying their numbers.
//!
//! `cargo bench --bench bank -- --files 1000` makes fewer.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

#[path = "../common/options.rs"]
mod options;

mod make;
mod plain;

use std::hint::black_box;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use gameproof::bench::{Contestant, Spread, Timed, interleave, shown_seconds};
use gameproof::budget::Budget;
use gameproof::check::{Checking, Crosscheck, Finding, Verdict};
use gameproof::engine::{CHECKERS, ENGINES};
use gameproof::parallel;
use gameproof::problem::{Changes, fields, load};
use gameproof::report::Table;
use gameproof::run::Run;
use gameproof::{bank, bank::BankFile};

use self::make::Bank;
use self::options::Options;

/// Positions that the walker may visit for one question.
const WALK_LIMIT: u64 = 10_000_000;

/// The seed of the files.
const SEED: u64 = 20_261_130;

fn main() {
    let options = Options::given();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let count = if options.quick { options.files.min(146) } else { options.files };
    let bank = make::make(folder.path(), count, SEED);
    let mut body = format!(
        "{} files with {} questions, {} bytes a file, made from {} exam problems with the seed {SEED}.\n\n",
        bank.files.len(),
        bank.questions,
        bank.bytes / bank.files.len().max(1),
        bank.models,
    );
    for threads in [1, 2] {
        let part = format!("threads-{threads}");
        if options.wants(&part) {
            body += &format!("## In one process, {threads} of its threads\n\n{}\n", inside(&bank, threads, &options));
        }
    }
    if options.wants("process") {
        body +=
            &format!("## Two threads, or two programs of one thread at the same time\n\n{}\n", twice(&bank, &options));
    }
    options.finish("bank", "A bank of many files", &body);
}

/// The engines of a run by their names, and whether they confirm each other.
struct Engines {
    name: &'static str,
    list: Vec<&'static str>,
    goal: &'static str,
}

fn engine_lists() -> [Engines; 3] {
    let fast = || ENGINES.into_iter().filter(|engine| *engine != "walk");
    [
        Engines { name: "fast engines alone", list: fast().collect(), goal: "3 (aim 1.5)" },
        Engines { name: "cross-checked by the walker", list: ENGINES.to_vec(), goal: "40 (aim 20)" },
        Engines { name: "as `verify` does it", list: ENGINES.into_iter().chain(CHECKERS).collect(), goal: "" },
    ]
}

/// What the files are read by `ron` costs, and what follows beside it.
fn inside(bank: &Bank, threads: usize, options: &Options) -> String {
    let read = |file: &BankFile| bank::read(&file.path).unwrap_or_else(|mistake| panic!("{}", mistake.one_line()));
    let each = |work: &(dyn Fn(&BankFile) + Sync)| {
        parallel::in_order(threads, &bank.files, work, |_, ()| {}, |_, ()| {}).expect("threads can be started");
    };
    let lists = engine_lists();
    let visited: Vec<u64> = lists.iter().map(|engines| verified(bank, threads, engines)).collect();
    let mut contestants = vec![
        Contestant::new("read, and parsed by `ron`", || {
            each(&|file| {
                drop(black_box(plain::read(&read(file).text).unwrap_or_else(|error| panic!("{}: {error}", file.id))))
            });
        }),
        Contestant::new("read, and parsed with places", || {
            each(&|file| drop(black_box(fields(&read(file)).unwrap_or_else(|_| panic!("{}", file.id)))));
        }),
        Contestant::new("loaded, nothing solved", || {
            each(&|file| {
                drop(black_box(load(&read(file), &Changes::default()).unwrap_or_else(|_| panic!("{}", file.id))))
            });
        }),
    ];
    for engines in &lists {
        contestants.push(Contestant::new(engines.name, move || {
            let budget = Budget::new(4 << 30);
            run(&budget, threads, engines)
                .all(&bank.files, |_, _| {}, |_, outcome| drop(black_box(outcome)))
                .expect("threads");
        }));
    }
    let timed = interleave(&mut contestants, options.runs, |_| {});
    let mut table =
        Table::new(&["work", "takes", "a file", "beside reading (quartiles)", "runs", "goal", "walker's positions"]);
    for (place, own) in timed.iter().enumerate() {
        let list = place.checked_sub(3);
        table.row([
            own.name.clone(),
            shown_seconds(own.median()),
            shown_seconds(a_file(own, bank)),
            own.ratio_to(&timed[0]).to_string(),
            own.seconds.len().to_string(),
            list.map_or(String::new(), |list| lists[list].goal.to_owned()),
            list.map_or(String::new(), |list| visited[list].to_string()),
        ]);
    }
    table.to_string()
}

fn a_file(timed: &Timed, bank: &Bank) -> f64 {
    let files = u32::try_from(bank.files.len()).expect("not so many files");
    timed.median() / f64::from(files)
}

fn run<'a>(budget: &'a Budget, threads: usize, engines: &Engines) -> Run<'a> {
    let engines = engines.list.clone();
    Run {
        checking: Checking { engines, walk_limit: WALK_LIMIT, budget, keys: true, certificates: None },
        threads,
        tags: Vec::new(),
        changes: Changes::default(),
        wanted: Box::new(|_, _| true),
    }
}

/// Sees that every key is right, and confirmed where there is who confirms; counts the walker's positions.
fn verified(bank: &Bank, threads: usize, engines: &Engines) -> u64 {
    let budget = Budget::new(4 << 30);
    let walked = AtomicU64::new(0);
    let confirms = engines.list.contains(&"walk");
    let mut unconfirmed = 0_usize;
    let good = |finding: &Finding| matches!(finding.verdict, Verdict::Right | Verdict::NoKey);
    let all = run(&budget, threads, engines).all(
        &bank.files,
        |_, _| {},
        |file, outcome| {
            for finding in &outcome.findings {
                assert!(good(finding), "{}: {:?} to {:?}", file.id, finding.answer, finding.question);
                let by_walk = finding.visited.iter().filter(|(name, _)| *name == "walk").map(|(_, count)| count);
                walked.fetch_add(by_walk.sum(), Ordering::Relaxed);
                unconfirmed += usize::from(confirms && finding.crosscheck != Crosscheck::Agreed);
            }
        },
    );
    all.expect("threads can be started");
    if unconfirmed > 0 {
        println!("{}: {unconfirmed} answers were not confirmed within the walker's limit", engines.name);
    }
    walked.into_inner()
}

/// The program on two threads, and two programs of one thread on half of the files each.
fn twice(bank: &Bank, options: &Options) -> String {
    let whole = bank.halves[0].parent().expect("the halves have a folder");
    let lists = engine_lists();
    let names: Vec<String> = lists.iter().map(|engines| engines.list.join(",")).collect();
    let mut contestants = Vec::new();
    for (engines, list) in lists.iter().zip(&names) {
        contestants.push(Contestant::timed(engines.name, move || seconds(&[(whole, 2)], list)));
        let [one, two] = &bank.halves;
        contestants.push(Contestant::timed(engines.name, move || seconds(&[(one, 1), (two, 1)], list)));
    }
    let timed = interleave(&mut contestants, options.runs, |_| {});
    let mut table =
        Table::new(&["work", "two threads", "two programs", "rate beside theirs (quartiles)", "runs", "goal"]);
    for pair in timed.chunks(2) {
        table.row([
            pair[0].name.clone(),
            shown_seconds(pair[0].median()),
            shown_seconds(pair[1].median()),
            // the rate is the reciprocal of the time
            rate(&pair[1], &pair[0]).to_string(),
            pair[0].seconds.len().to_string(),
            "at least 0.95".to_owned(),
        ]);
    }
    table.to_string()
}

fn rate(theirs: &Timed, own: &Timed) -> Spread {
    theirs.ratio_to(own)
}

/// Runs the program on each folder with so many threads, all at the same time, and waits for the last.
fn seconds(folders: &[(&Path, usize)], engines: &str) -> Duration {
    let begin = Instant::now();
    let start = |(folder, threads): &(&Path, usize)| -> Child {
        let threads = threads.to_string();
        let options = ["--progress", "none", "--format", "jsonl", "--allow-unchecked"];
        Command::new(env!("CARGO_BIN_EXE_gameproof"))
            .arg("verify")
            .arg(folder)
            .args(["--engines", engines, "--threads", &threads])
            .args(options)
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts")
    };
    let programs: Vec<Child> = folders.iter().map(start).collect();
    for mut program in programs {
        assert!(program.wait().expect("it ends").success(), "every key is right");
    }
    begin.elapsed()
}
