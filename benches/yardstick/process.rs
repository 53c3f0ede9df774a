//! Whole processes: what a person waits for, from the start of the program to its end.

use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use gameproof::bench::{Contestant, interleave, shown_seconds};
use gameproof::report::Table;

use crate::options::Options;
use crate::rows::{Row, table};

/// The program.
const PROGRAM: &str = env!("CARGO_BIN_EXE_gameproof");

/// What teachers run.
const TEACHER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/yardstick/teacher.py");

/// One side that takes longer than this for a run is run once, and that is told by the number of runs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program with its arguments.
struct Side {
    name: String,
    command: Vec<String>,
}

/// Two programs that answer the same.
struct Match {
    work: String,
    own: Side,
    other: Side,
    goal: &'static str,
}

/// Measures all pairs of programs.
pub(crate) fn measure(options: &Options) -> String {
    let mut matches = Vec::new();
    if options.quick {
        matches.push(beside_loop("two-piles-100", "two", "100", ""));
    } else {
        matches.push(beside_loop("two-piles-10000", "two", "10000", "1.5 (aim 0.7)"));
        matches.push(beside_loop("two-piles-10000", "rows", "10000", ""));
        matches.push(beside_loop("one-pile-10000000", "one", "10000000", "1.5 (aim 1.1)"));
    }
    let n = if options.quick { "100" } else { "1000" };
    let mut notes = String::new();
    match Command::new("python3").arg("--version").output() {
        Ok(version) if version.status.success() => {
            matches.push(beside_teacher(n));
            notes = format!("- python3 is {}\n", String::from_utf8_lossy(&version.stdout).trim());
        }
        _ => notes.push_str("- there is no python3 here: what teachers run is left out\n"),
    }
    let rows = matches.into_iter().map(|pair| pair.run(options.runs)).collect();
    format!("{}\n{notes}\n### Memory of a whole process\n\n{}", table(rows), memory(options))
}

/// What a process holds at most, a position; in two piles of less than `n` there are (n - 1)(n - 2) / 2.
fn memory(options: &Options) -> String {
    let sizes: &[u64] = if options.quick { &[100] } else { &[1000, 10_000, 30_000] };
    let mut table = Table::new(&["work", "positions", "takes", "held at most", "bytes a position", "goal"]);
    for n in sizes {
        let positions = (n - 1) * (n - 2) / 2;
        let set = format!("n={n}");
        let command = words(&[PROGRAM, "solve", "benches/problems/two-piles-100.ron", "--set", &set]);
        let begin = Instant::now();
        let Some(bytes) = peak(&command) else { return "It is told on Linux only.\n".to_owned() };
        let a_position = bytes * 100 / positions;
        table.row([
            format!("two piles, --set {set}"),
            positions.to_string(),
            shown_seconds(begin.elapsed().as_secs_f64()),
            format!("{} KiB", bytes >> 10),
            format!("{}.{:02}", a_position / 100, a_position % 100),
            if *n == 30_000 { "2".to_owned() } else { String::new() },
        ]);
        if begin.elapsed() > PATIENCE {
            return format!("{table}\n- larger sums are left out: this one took too long\n");
        }
    }
    table.to_string()
}

/// The most memory that a process holds, as the system tells it.
fn peak(command: &[String]) -> Option<u64> {
    let mut child = Command::new(&command[0]).args(&command[1..]).stdout(Stdio::null()).spawn().ok()?;
    let facts = format!("/proc/{}/status", child.id());
    let mut most = None;
    loop {
        let told = fs::read_to_string(&facts).unwrap_or_default();
        let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib: Option<u64> = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        most = most.max(kib);
        if child.try_wait().expect("it can be waited for").is_some() {
            return most.map(|kib| kib << 10);
        }
        std::thread::sleep(Duration::from_micros(500));
    }
}

fn solve(problem: &str) -> Side {
    let file = format!("benches/problems/{problem}.ron");
    Side { name: format!("gameproof solve {problem}"), command: words(&[PROGRAM, "solve", &file]) }
}

fn beside_loop(problem: &str, game: &str, size: &str, goal: &'static str) -> Match {
    let own = std::env::current_exe().expect("a program knows where it is");
    let command = words(&[&own.display().to_string(), "once", game, size]);
    let other = Side { name: format!("yardstick once {game} {size}"), command };
    Match { work: problem.to_owned(), own: solve(problem), other, goal }
}

/// Python is the slower side: its ratio is to be large.
fn beside_teacher(n: &str) -> Match {
    let own = Side { name: format!("python3 teacher.py {n}"), command: words(&["python3", TEACHER, n]) };
    let problem = format!("two-piles-{n}");
    Match { own, other: solve(&problem), goal: "at least 500", work: problem }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

impl Side {
    fn run(&self) -> Output {
        let output = Command::new(&self.command[0]).args(&self.command[1..]).output();
        let output = output.unwrap_or_else(|error| panic!("{:?}: {error}", self.command));
        assert!(output.status.success(), "{:?}: {}", self.command, String::from_utf8_lossy(&output.stderr));
        output
    }

    fn seconds(&self) -> Duration {
        let begin = Instant::now();
        self.run();
        begin.elapsed()
    }
}

impl Match {
    fn run(self, runs: usize) -> Row {
        // the answers first, which both must have
        let begin = Instant::now();
        let (own, other) = (self.own.run(), self.other.run());
        let told = |output: &Output| String::from_utf8_lossy(&output.stdout).trim().to_owned();
        assert_eq!(told(&own), told(&other), "{} and {}", self.own.name, self.other.name);
        let runs = if begin.elapsed() > PATIENCE { 1 } else { runs };
        let mut sides = [&self.own, &self.other].map(|side| Contestant::timed(side.name.clone(), || side.seconds()));
        let timed = interleave(&mut sides, runs, |_| {});
        Row::of(&self.work, &timed[0], &timed[1], self.goal)
    }
}
