//! A bank of 10,000 files: what verifying it costs beside reading it, and whether two threads are as good as two
//! programs. The files are made from the exam problems of this project by varying their numbers.
//!
//! `cargo bench --bench bank -- --files 1000` makes fewer.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

#[path = "../common/allocator.rs"]
mod allocator;
#[path = "../common/options.rs"]
mod options;

mod make;
mod plain;

use std::hint::black_box;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use gameproof::bench::{Contestant, Timed, interleave, shown_seconds};
use gameproof::budget::Budget;
use gameproof::check::{Checking, Finding, Verdict};
use gameproof::engine::{CHECKERS, ENGINES};
use gameproof::parallel;
use gameproof::problem::{Changes, fields, load};
use gameproof::report::Table;
use gameproof::run::{Outcome, Run};
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

/// How long all runs of one pair take, if the fewest do not take longer: one, and its number tells so.
const PATIENCE: Duration = Duration::from_secs(600);

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

/// Something that is done with every file, beside reading it.
struct Work<'w> {
    name: &'static str,
    all: Box<dyn FnMut() + 'w>,
    runs: usize,
    goal: &'static str,
    walked: String,
}

/// What reading the files by `ron` costs, and what follows beside it.
fn inside(bank: &Bank, threads: usize, options: &Options) -> String {
    let read = |file: &BankFile| bank::read(&file.path).unwrap_or_else(|mistake| panic!("{}", mistake.one_line()));
    let each = |work: &(dyn Fn(&BankFile) + Sync)| {
        parallel::in_order(threads, &bank.files, work, &mut |_: &BankFile, ()| {}).expect("threads can be started");
    };
    let plainly = || {
        each(&|file| {
            black_box(plain::read(&read(file).text)).unwrap_or_else(|error| panic!("{}: {error}", file.id));
        });
    };
    let with_places = || {
        each(&|file| {
            black_box(fields(&read(file))).unwrap_or_else(|_| panic!("{}", file.id));
        });
    };
    let loaded = || {
        each(&|file| {
            black_box(load(&read(file), &Changes::default())).unwrap_or_else(|_| panic!("{}", file.id));
        });
    };
    let runs = options.runs;
    let load_only =
        Work { name: "loaded, nothing solved", all: Box::new(loaded), runs, goal: "", walked: String::new() };
    let mut works = vec![load_only];
    for engines in &engine_lists() {
        let begin = Instant::now();
        let walked = verified(bank, threads, engines);
        let runs = affordable(begin.elapsed(), runs);
        let (list, goal) = (engines.list.clone(), engines.goal);
        let all = move || {
            let budget = Budget::new(4 << 30);
            let mut drop_all = |_: &BankFile, outcome: Outcome| drop(black_box(outcome));
            run(&budget, threads, &list)
                .all(&bank.files, &|_, outcome| outcome, &mut drop_all)
                .expect("threads can be started");
        };
        works.push(Work { name: engines.name, all: Box::new(all), runs, goal, walked });
    }
    let mut table = Table::new(&[
        "work",
        "takes",
        "a file",
        "beside `ron` into plain structures (quartiles)",
        "beside `ron` into fields with places",
        "runs",
        "goal",
        "the walker",
    ]);
    let mut first = true;
    for work in works {
        let names = ["read, by `ron` into plain structures", "read, by `ron` into fields with places"];
        let mut contestants = [
            Contestant::new(names[0], plainly),
            Contestant::new(names[1], with_places),
            Contestant::new(work.name, work.all),
        ];
        let timed = interleave(&mut contestants, work.runs, |_| {});
        for own in &timed[if first { 0 } else { 2 }..] {
            let last = own.name == work.name;
            table.row([
                own.name.clone(),
                shown_seconds(own.median()),
                shown_seconds(a_file(own, bank)),
                own.ratio_to(&timed[0]).to_string(),
                own.ratio_to(&timed[1]).to_string(),
                own.seconds.len().to_string(),
                if last { work.goal.to_owned() } else { String::new() },
                if last { work.walked.clone() } else { String::new() },
            ]);
        }
        first = false;
    }
    table.to_string()
}

/// How many runs of something that takes so long.
fn affordable(once: Duration, runs: usize) -> usize {
    let most = PATIENCE.as_nanos() / once.as_nanos().max(1);
    runs.min(usize::try_from(most).unwrap_or(usize::MAX)).max(1)
}

fn a_file(timed: &Timed, bank: &Bank) -> f64 {
    let files = u32::try_from(bank.files.len()).expect("not so many files");
    timed.median() / f64::from(files)
}

fn run<'a>(budget: &'a Budget, threads: usize, engines: &[&'static str]) -> Run<'a> {
    let engines = engines.to_vec();
    Run {
        checking: Checking { engines, walk_limit: WALK_LIMIT, budget, keys: true, hints: true, certificates: None },
        threads,
        tags: Vec::new(),
        changes: Changes::default(),
        watch: None,
        wanted: Box::new(|_, _| true),
    }
}

/// Sees that every key is right; tells how far the walker went, and how many answers who confirmed.
fn verified(bank: &Bank, threads: usize, engines: &Engines) -> String {
    let budget = Budget::new(4 << 30);
    let good = |finding: &Finding| matches!(finding.verdict, Verdict::Right | Verdict::NoKey);
    let (mut walked, mut by_walk, mut by_other, mut open) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut take = |file: &BankFile, outcome: Outcome| {
        for finding in &outcome.findings {
            assert!(good(finding), "{}: {:?} to {:?}", file.id, finding.answer, finding.question);
            walked += finding.visited.iter().filter(|(name, _)| *name == "walk").map(|(_, count)| count).sum::<u64>();
            match finding.by.get(1) {
                Some(&"walk") => by_walk += 1,
                Some(_) => by_other += 1,
                None => open += 1,
            }
        }
    };
    run(&budget, threads, &engines.list)
        .all(&bank.files, &|_, outcome| outcome, &mut take)
        .expect("threads can be started");
    if by_walk == 0 {
        return String::new();
    }
    format!("{walked} positions; it confirmed {by_walk} answers, others {by_other}, and {open} were left open")
}

/// The program on two threads, and two programs of one thread on half of the files each.
fn twice(bank: &Bank, options: &Options) -> String {
    let whole = bank.halves[0].parent().expect("the halves have a folder");
    let [one, two] = &bank.halves;
    let mut table =
        Table::new(&["work", "two threads", "two programs", "rate beside theirs (quartiles)", "runs", "goal"]);
    for engines in &engine_lists() {
        let list = engines.list.join(",");
        let runs = affordable(seconds(&[(whole, 2)], &list), options.runs);
        let mut pair = [
            Contestant::timed("two threads", || seconds(&[(whole, 2)], &list)),
            Contestant::timed("two programs", || seconds(&[(one, 1), (two, 1)], &list)),
        ];
        let timed = interleave(&mut pair, runs, |_| {});
        table.row([
            engines.name.to_owned(),
            shown_seconds(timed[0].median()),
            shown_seconds(timed[1].median()),
            // a rate is the reciprocal of a time
            timed[1].ratio_to(&timed[0]).to_string(),
            runs.to_string(),
            "at least 0.95".to_owned(),
        ]);
    }
    table.to_string()
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
