//! What stops a run, and what is left of it: signals, kills, full disks, closed pipes, files that are none.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// Right, and small enough for any limit.
const TINY: &str = r#"(title: "Tiny", game: Rules(state: "x", moves: ["x + 1"], end: "x >= 2"), start: "0",
 questions: {"who": (ask: "winner", key: "second")})"#;

/// Runs until a limit.
const BIG: &str = r#"(title: "Without bound", game: Rules(state: "x", moves: ["x + 1"]), start: "0",
 questions: {"who": (ask: "winner", key: "first")})"#;

/// One condition takes longer than anybody waits, and nothing looks up from it.
fn long() -> String {
    let condition = "exists where count(is_prime(9223372036854775783 - i % 2) for i in 0..n) > 5";
    TINY.replace("winner", condition)
        .replace("\"second\"", "true")
        .replace("start:", "constants: {\"n\": 19000000}, start:")
}

/// It is plain that 10^13 positions are reached; no table and no memo holds them.
const HUGE: &str = r#"(title: "Two large piles", game: Rules(state: "x, y", moves: ["x - 1, y", "x, y - 1", "x - 3, y - 2"],
 legal: "x >= 0 and y >= 0"), start: "3162277, 3162277", questions: {"who": (ask: "winner", key: "first")})"#;

fn wrong() -> String {
    TINY.replace("second", "first")
}

// Signals.

#[test]
fn a_signal_ends_whatever_is_going_on() {
    let sums =
        r#"(title: "Heaps", game: Octal("0.007"), start: "15000000", questions: {"t": (ask: "period", key: [1, 2])})"#;
    let solitaire = r#"(title: "English board", game: PegSolitaire(board: ["  ooo  ", "  ooo  ", "ooooooo", "ooo.ooo",
     "ooooooo", "  ooo  ", "  ooo  "]), questions: {"n": (ask: "shortest solutions", key: 1)})"#;
    // how many positions are reached is not plain any more
    let huge = HUGE.replace("x - 1, y", "x - 1 - y % 2, y").replace("x, y - 1", "x, y - 1 - x % 2");
    let plays = BIG.replace("[\"x + 1\"]", "[\"x + 1\", \"x + 2\"], end: \"x >= 80\"");
    let files = [
        ("big.ron", BIG),
        ("long.ron", &long()),
        ("huge.ron", &huge),
        ("octal.ron", sums),
        ("pegs.ron", solitaire),
        ("plays.ron", &plays),
        ("tiny.ron", TINY),
    ];
    let bank = Bank::new(&files);
    let endless: &[&[&str]] = &[
        &["verify", "big.ron"],
        &["verify", "plays.ron", "--engines", "walk", "--walk-limit", "1000000000000"],
        &["verify", "long.ron"],
        &["verify", "huge.ron"],
        &["verify", "octal.ron", "--engines", "sum,theorem"],
        &["verify", "pegs.ron"],
        &["verify", "big.ron", "long.ron", "huge.ron", "--threads", "3", "--format", "jsonl"],
        &["solve", "big.ron"],
        &["solve", "long.ron"],
        &["explain", "big.ron"],
        &["explain", "long.ron"],
        &["tree", "big.ron"],
        &["tree", "plays.ron"],
        &["play", "tiny.ron"],
        &["play", "huge.ron"],
        &["nim"],
        &["bench", "big.ron", "--time-limit", "1000"],
    ];
    for (at, arguments) in endless.iter().enumerate() {
        let mut child = bank
            .command(arguments)
            .args(if arguments[0] == "verify" { &["--memory-limit", "4G"][..] } else { &[] })
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // held open, since some read it, and its end would end them
        let _stdin = child.stdin.take();
        listening(&child);
        thread::sleep(Duration::from_millis(300));
        assert!(child.try_wait().unwrap().is_none(), "{arguments:?} ends by itself");
        signal(&child, if at % 2 == 0 { "-INT" } else { "-TERM" });
        assert_eq!(child.wait().unwrap().code(), Some(130), "{arguments:?}");
    }
}

/// What was verified before, and after in the order of ids, is told and recorded, though one rule never ends.
#[test]
fn what_was_verified_is_told_and_recorded() {
    for (format, ending) in [("human", "-TERM"), ("jsonl", hangup())] {
        let bank = Bank::new(&[("a.ron", &wrong()), ("b.ron", &long()), ("c.ron", &wrong()), ("d.ron", TINY)]);
        let arguments = ["verify", ".", "--format", format, "--record", "r", "--threads", "2", "--progress", "counter"];
        let mut child = bank.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut told = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        assert!(told.any(|line| line.starts_with("3 of 4")), "three files are done");
        signal(&child, ending);
        drop(thread::spawn(move || told.count()));
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let stdout = text(&output.stdout);
        let ids: Vec<bool> = ["a", "c"]
            .iter()
            .map(|id| stdout.contains(&format!(": {id},")) || stdout.contains(&format!("\"{id}\"")))
            .collect();
        assert_eq!(ids, [true, true], "{format}: {stdout}");
        let folder = only(&bank.path("r"));
        assert!(folder.to_str().unwrap().ends_with("-interrupted"), "{}", folder.display());
        let mut lines = recorded(&folder);
        // where the signal comes before its question is asked, that has a line too
        lines.retain(|line| line != "b: null limit");
        assert_eq!(lines, ["a: \"second\" wrong", "c: \"second\" wrong", "d: \"second\" right"]);
        assert_eq!(about(&folder)["whole"], false);
        // it takes no whole record's place
        assert_eq!(bank.run(&["verify", "d.ron", "--record", "r"]).status.code(), Some(0));
        assert_eq!(fs::read_dir(bank.path("r")).unwrap().count(), 2);
    }
}

/// One question of a file has been answered when the next one never ends: its answer is told and recorded.
#[test]
fn what_was_answered_of_a_file_is_told_and_recorded() {
    let both = long().replace("questions: {", "questions: {\"first\": (ask: \"winner\", key: \"first\"), ");
    for (format, signalled) in [("human", true), ("jsonl", true), ("jsonl", false)] {
        let bank = Bank::new(&[("a.ron", TINY), ("b.ron", &both), ("c.ron", &long())]);
        let arguments = ["verify", ".", "--format", format, "--record", "r", "--threads", "1", "--progress", "counter"];
        let mut command = bank.command(&arguments);
        if !signalled {
            command.args(["--time-limit", "3"]);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut told = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        assert!(told.any(|line| line.starts_with("1 of 3")), "the first file is done");
        if signalled {
            // so much work is more than the first question of the second file takes
            works(&child, 50);
            signal(&child, "-INT");
        }
        drop(thread::spawn(move || told.count()));
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(if signalled { 130 } else { 1 }));
        let stdout = text(&output.stdout);
        assert!(stdout.contains("wrong"), "{format}: {stdout}");
        let mut expected = vec!["a: \"second\" right", "b: \"second\" wrong", "b: null limit"];
        if !signalled {
            expected.push("c: null limit");
        }
        // it takes no whole record's place
        let folder = only(&bank.path("r"));
        assert_eq!(recorded(&folder), expected, "{format}");
        assert_eq!(about(&folder)["whole"], false, "{format}");
    }
}

/// Nobody reads what is printed, and it is more than a pipe holds.
#[test]
fn a_reader_that_stopped_holds_nothing_up() {
    let list = TINY
        .replace("start: \"0\"", "start: \"s\", given: {\"s\": \"0..50000\"}")
        .replace("ask: \"winner\", key: \"second\"", "ask: \"all s where win or loss\"");
    let bank = Bank::new(&[("list.ron", &list)]);
    for format in ["human", "jsonl"] {
        let arguments = ["verify", "list.ron", "--format", format, "--record", "r", "--progress", "counter"];
        let mut child = bank.command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut told = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
        assert!(told.any(|line| line.starts_with("1 of 1")), "all is done");
        drop(thread::spawn(move || told.count()));
        thread::sleep(Duration::from_millis(200));
        signal(&child, "-INT");
        assert_eq!(child.wait().unwrap().code(), Some(130), "{format}");
        assert_eq!(recorded(&only(&bank.path("r"))).len(), 1, "{format}");
        fs::remove_dir_all(bank.path("r")).unwrap();
    }
}

/// A game whose plays are very long ends at the memory limit like any other.
#[test]
fn a_line_of_play_without_end_meets_the_memory_limit() {
    let deep = r#"(title: "One by one", game: Rules(state: "x", moves: ["x - 1"], legal: "x >= 0"), start: "2000000000",
     questions: {"n": (ask: "positions"), "p": (ask: "plays")})"#;
    let bank = Bank::new(&[("deep.ron", deep), ("d.ron", TINY)]);
    let output = bank.run(&["verify", ".", "--format", "jsonl", "--engines", "memo", "--memory-limit", "16M"]);
    assert_eq!(verdicts(&output), ["d right", "deep limit", "deep limit"], "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn the_end_of_the_time_leaves_the_rest() {
    let bank = Bank::new(&[("a.ron", &wrong()), ("b.ron", &long()), ("c.ron", &wrong()), ("d.ron", TINY)]);
    let limits = ["--time-limit", "1", "--threads", "1"];
    let output = bank.run(&[&["verify", ".", "--format", "jsonl", "--record", "r"], &limits[..]].concat());
    let told = verdicts(&output);
    assert_eq!(told, ["a wrong", "b limit", "c limit", "d limit"], "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(recorded(&only(&bank.path("r"))).len(), 4);
    let human = bank.run(&[&["verify", "b.ron", "d.ron"], &limits[..]].concat());
    assert_eq!(human.status.code(), Some(3));
    let told = text(&human.stdout);
    assert!(told.contains("not looked at: 2 files, since the time limit was reached; the first is b"), "{told}");
    for command in ["solve", "explain"] {
        let output = bank.run(&[command, "long.ron".replace("long", "b").as_str(), "--time-limit", "0.2"]);
        assert_eq!(output.status.code(), Some(3), "{command}");
        assert!(told_by(&output).contains("the time limit was reached"), "{}", told_by(&output));
    }
}

// Kills.

#[test]
fn a_killed_run_leaves_no_broken_record() {
    /// The moments of the kills are drawn from this; another seed is as good.
    const SEED: u64 = 6;
    let bank = Bank::new(&[]);
    for number in 0..400 {
        let content = if number % 40 == 7 { wrong() } else { TINY.replace("Tiny", &format!("Tiny {number}")) };
        fs::write(bank.path(&format!("p{number:03}.ron")), content).unwrap();
    }
    let arguments =
        ["verify", ".", "--record", "r", "--certificate", "c", "--progress", "none", "--engines", "memo,walk"];
    assert_eq!(bank.run(&arguments).status.code(), Some(1));
    let folder = only(&bank.path("r"));
    let (answers, certificate) =
        (fs::read(folder.join("answers.jsonl")).unwrap(), fs::read(bank.path("c/p000.certificate")).unwrap());
    let mut random = fastrand::Rng::with_seed(SEED);
    for kill in 0..20 {
        let mut child = bank.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_micros(random.u64(0..400_000)));
        // it may have ended by itself
        let _ = child.kill();
        child.wait().unwrap();
        assert!(fs::read(folder.join("answers.jsonl")).unwrap() == answers, "seed {SEED}, kill {kill}");
        assert_eq!(about(&folder)["whole"], true, "seed {SEED}, kill {kill}");
        let whole = |path: &PathBuf| path.extension().is_some_and(|end| end == "certificate");
        for path in fs::read_dir(bank.path("c")).unwrap().map(|entry| entry.unwrap().path()).filter(whole) {
            assert!(fs::metadata(&path).unwrap().len() > 0, "{} is empty", path.display());
        }
    }
    let output = bank.run(&arguments);
    assert_eq!(output.status.code(), Some(1), "{}", told_by(&output));
    assert!(told_by(&output).contains("0 changed, 0 new, 0 gone"), "{}", told_by(&output));
    assert_eq!(only(&bank.path("r")), folder, "what the killed runs left is gone");
    assert!(fs::read(folder.join("answers.jsonl")).unwrap() == answers);
    assert!(fs::read(bank.path("c/p000.certificate")).unwrap() == certificate);
    assert_eq!(fs::read_dir(bank.path("c")).unwrap().count(), 400, "what the killed runs left is gone");
}

// What cannot be written.

#[test]
fn standard_output_that_cannot_be_written() {
    let bank = Bank::new(&[
        ("a.ron", &wrong()),
        ("b.ron", TINY),
        ("c.ron", TINY),
        ("right/d.ron", TINY),
        ("right/e.ron", TINY),
    ]);
    for format in ["human", "jsonl"] {
        for (path, full, closed) in [(".", 1, 1), ("right", 2, 0)] {
            let arguments =
                ["verify", path, "--format", format, "--progress", "none", "--record", "r", "--threads", "1"];
            // A full disk is told, once; nobody who reads is not.
            let disk = OpenOptions::new().write(true).open("/dev/full").unwrap();
            let output = bank.command(&arguments).stdout(disk).output().unwrap();
            assert_eq!(output.status.code(), Some(full), "{format}: {}", told_by(&output));
            assert_eq!(text(&output.stderr).matches("cannot write: no space left").count(), 1, "{}", told_by(&output));
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            let output = bank.command(&arguments).arg("-q").stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
            let output = output.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(closed), "{format}: {}", told_by(&output));
            assert!(output.stderr.is_empty(), "{format}: {}", told_by(&output));
            // The record is whole each time.
            let folder = only(&bank.path("r"));
            assert_eq!(recorded(&folder).len(), if path == "." { 5 } else { 2 }, "{format}");
            assert_eq!(about(&folder)["whole"], true);
            fs::remove_dir_all(bank.path("r")).unwrap();
        }
    }
    // Where nothing at all can be written, statuses still tell.
    let script = "\"$0\" verify a.ron >&- 2>&-; one=$?; \"$0\" verify nothere >&- 2>&-; echo $one $?";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_gameproof")])
        .current_dir(bank.0.path())
        .output()
        .unwrap();
    assert_eq!(text(&output.stdout), "1 2\n");
    for arguments in
        [&["solve", "b.ron"][..], &["explain", "b.ron"], &["tree", "b.ron"], &["list", "right"], &["--help"]]
    {
        let disk = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = bank.command(arguments).stdout(disk).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", told_by(&output));
        assert!(text(&output.stderr).contains("no space left"), "{arguments:?}: {}", told_by(&output));
    }
}

#[test]
fn folders_that_cannot_be_written() {
    let bank = Bank::new(&[("bank/a.ron", &wrong()), ("bank/b.ron", TINY), ("file", "")]);
    for (path, status) in [("bank", 1), ("bank/b.ron", 2)] {
        for option in ["--record", "--certificate"] {
            for place in ["file", "file/below", "/dev/full/below"] {
                let output = bank.run(&["verify", path, option, place, "--format", "jsonl"]);
                assert_eq!(output.status.code(), Some(status), "{}", told_by(&output));
                assert!(text(&output.stderr).contains(&format!("cannot write {place}")), "{}", told_by(&output));
                assert!(
                    verdicts(&output).iter().any(|told| told.ends_with("b right")),
                    "the rest is told: {}",
                    told_by(&output)
                );
            }
        }
    }
    // One of two cannot be written: the other is.
    let output = bank.run(&["verify", "bank", "--certificate", "file", "--record", "r"]);
    assert_eq!((output.status.code(), recorded(&only(&bank.path("r"))).len()), (Some(1), 2));
}

// What cannot be read.

#[test]
fn files_that_are_none() {
    let bank = Bank::new(&[("bank/a.ron", TINY), ("bank/z.ron", TINY), ("elsewhere.ron", TINY)]);
    assert!(Command::new("mkfifo").arg(bank.path("bank/fifo.ron")).status().unwrap().success());
    let large = File::create(bank.path("bank/large.ron")).unwrap();
    large.set_len(1 << 30).unwrap();
    symlink(".", bank.path("bank/loop.ron")).unwrap();
    symlink("itself.ron", bank.path("bank/itself.ron")).unwrap();
    symlink("/dev/zero", bank.path("bank/device.ron")).unwrap();
    symlink("/nowhere", bank.path("bank/nowhere.ron")).unwrap();
    symlink("../elsewhere.ron", bank.path("bank/link.ron")).unwrap();
    fs::write(bank.path("bank/bytes.ron"), b"(title: \"\xff\")").unwrap();
    let bad = ["bytes", "device", "fifo", "itself", "large", "nowhere"];
    let output = bank.run(&["verify", "bank", "--format", "jsonl"]);
    assert_eq!(output.status.code(), Some(2), "{}", told_by(&output));
    let mut expected: Vec<String> = bad.iter().map(|id| format!("{id} error")).collect();
    expected.extend(["a", "link", "z"].map(|id| format!("{id} right")));
    expected.sort();
    assert_eq!(verdicts(&output), expected);
    assert!(text(&output.stderr).contains("loop.ron: a link that leads back"), "{}", told_by(&output));
    for name in bad {
        for command in ["verify", "solve", "explain", "tree", "play", "list"] {
            let output = bank.run(&[command, &format!("bank/{name}.ron")]);
            assert_eq!(output.status.code(), Some(2), "{command} {name}: {}", told_by(&output));
            assert!(told_by(&output).contains(&format!("{name}.ron")), "{command} {name}: {}", told_by(&output));
        }
    }
}

#[test]
fn a_file_that_changes_all_the_time() {
    let bank = Bank::new(&[("bank/a.ron", TINY), ("bank/z.ron", TINY)]);
    let path = bank.path("bank/m.ron");
    let writer = thread::spawn({
        let path = path.clone();
        move || {
            for number in 0..2000 {
                if number % 3 == 0 {
                    let _ = fs::remove_file(&path);
                }
                let mut file = File::create(&path).unwrap();
                let text = TINY.replace("Tiny", &"t".repeat(number % 50));
                text.as_bytes().chunks(40).for_each(|part| file.write_all(part).unwrap());
            }
        }
    });
    while !writer.is_finished() {
        let output = bank.run(&["verify", "bank", "--format", "jsonl"]);
        let told = verdicts(&output);
        let has = |verdict: &str| told.iter().any(|told| told == verdict);
        assert!(has("a right") && has("z right"), "{told:?}");
        // what is read while it changes is whole, or is told; it is not there at all, or it is empty for a moment
        assert!(told.len() == 2 || has("m right") || has("m error"), "{told:?}");
        assert_eq!(output.status.code(), Some(if has("m error") { 2 } else { 0 }), "{}", told_by(&output));
    }
    writer.join().unwrap();
}

// Limits.

#[test]
fn a_huge_game_is_refused_with_its_size() {
    let bank = Bank::new(&[("a.ron", TINY), ("huge.ron", HUGE), ("z.ron", TINY)]);
    let output = bank.run(&["verify", ".", "--memory-limit", "50M"]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{told}");
    for part in
        ["no answer: huge, question \"who\"", "the memory limit of 50 MiB", "up to 10000002149284", "18 TiB", "2 right"]
    {
        assert!(told.contains(part), "{part} stands in\n{told}");
    }
    let output = bank.run(&["solve", "huge.ron", "--memory-limit", "50M"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stdout).contains("up to 10000002149284"), "{}", told_by(&output));
    // whatever memory there is, it is not filled first
    let output = bank.run(&["solve", "huge.ron", "--memory-limit", "1T"]);
    assert!(text(&output.stdout).contains("the memory limit of 1048576 MiB"), "{}", told_by(&output));
    // what is wrong close by is told all the same
    let wrong = HUGE.replace("x - 3, y - 2", "x - 1, y - 5 / (x - 3162000)");
    fs::write(bank.path("huge.ron"), wrong).unwrap();
    let output = bank.run(&["solve", "huge.ron", "--memory-limit", "1T"]);
    assert!(told_by(&output).contains("leaves a remainder"), "{}", told_by(&output));
}

/// Whatever takes memory is counted: long answers, large numbers, grids, texts of files.
#[test]
fn answers_count_towards_the_memory_limit() {
    let pile = |ask: &str| {
        TINY.replace("start: \"0\"", "start: \"s\", given: {\"s\": \"1..60000\"}")
            .replace("end: \"x >= 2\"", "end: \"x >= 60000\"")
            .replace("ask: \"winner\", key: \"second\"", &format!("ask: \"{ask}\""))
    };
    let grid = TINY
        .replace("start: \"0\"", "start: \"a + b\", given: {\"a\": \"0..600\", \"b\": \"0..500\"}")
        .replace("ask: \"winner\", key: \"second\"", "ask: \"grid a, b where win\"");
    let long_text = format!("// {}\n{TINY}", "-".repeat(1 << 20));
    let files = [
        ("all.ron", pile("all s where s > 0")),
        ("classes.ron", pile("class")),
        ("grid.ron", grid),
        ("one.ron", pile("count, min s, sum s where s > 0")),
        ("product.ron", pile("product 1000 * s ** 3 where s > 0")),
        ("smallest.ron", pile("smallest 40000 s where s > 0")),
        ("text.ron", long_text),
        ("tiny.ron", TINY.to_owned()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let bank = Bank::new(&files);
    for engines in ["table,memo", "walk"] {
        let arguments = ["verify", ".", "--engines", engines, "--memory-limit", "2M", "--format", "jsonl"];
        let output = bank.run(&arguments);
        let told = verdicts(&output);
        let walked = engines == "walk";
        let mut expected = vec!["all limit", "classes limit", "grid limit"];
        // the walker keeps every value of them
        expected.push(if walked { "one limit" } else { "one no-key" });
        expected.extend(["product limit", "smallest limit", "text limit", "tiny right"]);
        assert_eq!(told, expected, "{engines}: {}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(3));
    }
}

// Several things at once.

#[test]
fn the_least_status_counts() {
    let bad = TINY.replace("winner", "winne");
    let bank = Bank::new(&[("wrong.ron", &wrong()), ("bad.ron", &bad), ("big.ron", BIG), ("tiny.ron", TINY)]);
    let limit = ["--memory-limit", "1M", "--format", "jsonl"];
    for (files, options, status) in [
        (&["wrong.ron", "bad.ron", "big.ron"][..], &[][..], 1),
        (&["wrong.ron", "nothere"], &["--record", "tiny.ron"], 1),
        (&["bad.ron", "big.ron"], &[], 2),
        (&["big.ron"], &["--record", "tiny.ron"], 2),
        (&["big.ron", "nothere"], &[], 2),
        (&["tiny.ron"], &["--certificate", "tiny.ron"], 2),
        (&["big.ron", "tiny.ron"], &["--allow-unchecked"], 3),
    ] {
        let output = bank.run(&[&["verify"], files, &limit[..], options].concat());
        assert_eq!(output.status.code(), Some(status), "{files:?} {options:?}: {}", told_by(&output));
    }
    // With an interruption it is always 130.
    let mut child = bank
        .command(&["verify", ".", "nothere", "--record", "tiny.ron", "--memory-limit", "8G"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    listening(&child);
    thread::sleep(Duration::from_millis(300));
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

// Helpers.

/// A folder of files, in which the program runs.
struct Bank(TempDir);

impl Bank {
    fn new(files: &[(&str, &str)]) -> Self {
        let bank = Self(TempDir::new().unwrap());
        for (path, content) in files {
            let path = bank.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        bank
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gameproof"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let output = self.command(arguments).output().unwrap();
        assert!(!told_by(&output).contains("panicked"), "{}", told_by(&output));
        output
    }
}

/// Waits until the program hears signals.
fn listening(child: &Child) {
    loop {
        let facts = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let caught = facts.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        // the second bit is that of Ctrl-C, the fifteenth that of a termination
        if u64::from_str_radix(caught.trim(), 16).unwrap() & 0x4002 == 0x4002 {
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until the program has worked for so many hundredths of a second.
fn works(child: &Child, hundredths: u64) {
    loop {
        let facts = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        // what stands before is the name of the program
        let (_, facts) = facts.rsplit_once(") ").unwrap();
        if facts.split(' ').nth(11).unwrap().parse::<u64>().unwrap() >= hundredths {
            return;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn signal(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// The signal of a terminal that closes; another one where these tests themselves are started so that it is ignored.
fn hangup() -> &'static str {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0");
    if u64::from_str_radix(mask.trim(), 16).unwrap_or(0) & 1 == 1 { "-TERM" } else { "-HUP" }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn told_by(output: &Output) -> String {
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

/// The only entry of a folder.
fn only(folder: &Path) -> PathBuf {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(entries.len(), 1, "{entries:?}");
    entries.pop().unwrap()
}

fn about(record: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(record.join("about.json")).unwrap()).unwrap()
}

/// Id, answer and verdict of each line of a record.
fn recorded(record: &Path) -> Vec<String> {
    let answers = fs::read_to_string(record.join("answers.jsonl")).unwrap();
    let lines = answers.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|line| format!("{}: {} {}", word(&line["problem"]), line["answer"], word(&line["verdict"]))).collect()
}

/// Id and verdict of each line on standard output.
fn verdicts(output: &Output) -> Vec<String> {
    let stdout = text(&output.stdout);
    let lines = stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|line| format!("{} {}", word(&line["problem"]), word(&line["verdict"]))).collect()
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap()
}
