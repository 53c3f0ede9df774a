//! The command line through the binary, as `COMMANDS.md` has it.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// One wrong key, one right key, one question without a key.
const WRONG: &str = r#"(title: "One pile to 10", tags: ["pile", "small"],
 game: Rules(state: "x", moves: ["x + 1", "x + 2"], end: "x >= 10"), start: "0",
 questions: {"who": (ask: "winner", key: "second"), "size": (ask: "positions", key: 12), "free": (ask: "remoteness")})"#;

/// All keys right; a constant, a parameter and a variant.
const RIGHT: &str = r#"(title: "One pile to n", tags: ["large"], constants: {"n": 20},
 game: Rules(state: "x", moves: ["x + 1", "x + 2"], end: "x >= n"), start: "s", given: {"s": "0..n"},
 questions: {"lost": (ask: "all s where loss", key: [17, 2, 5, 8, 11, 14]), "count": (ask: "count where win", key: 14)},
 variants: {"ten": (constants: {"n": 10}, keys: {"count": 7})})"#;

/// Right, and small enough for any limit.
const TINY: &str = r#"(title: "Tiny", game: Rules(state: "x", moves: ["x + 1"], end: "x >= 2"), start: "0",
 questions: {"who": (ask: "winner", key: "second")})"#;

/// Runs until a limit.
const BIG: &str = r#"(title: "Without bound", game: Rules(state: "x", moves: ["x + 1"]), start: "0",
 questions: {"who": (ask: "winner", key: "first")})"#;

/// Three mistakes, at 1:48, 1:72 and 2:26.
const BAD: &str = r#"(title: "Bad", game: Rules(state: "x", moves: ["x + y"], end: "x >="), start: "0",
 questions: {"who": (ask: "winne", key: "second")})"#;

/// Overflows in the middle of the game.
const RULE: &str = r#"(title: "Rule error", game: Rules(state: "x", moves: ["x * x"], end: "x < 0"), start: "3",
 questions: {"who": (ask: "winner", key: "first")})"#;

// Exit status of verify.

#[test]
fn status_of_verify() {
    let all: &[(&str, &str)] = &[
        ("right.ron", RIGHT),
        ("tiny.ron", TINY),
        ("wrong.ron", WRONG),
        ("bad.ron", BAD),
        ("rule.ron", RULE),
        ("big.ron", BIG),
        ("empty/note.txt", "no problem here"),
    ];
    let bank = Bank::new(all);
    let cases: &[(&[&str], i32)] = &[
        (&["right.ron", "tiny.ron"], 0),
        (&["wrong.ron"], 1),
        (&["wrong.ron", "right.ron"], 1),
        (&["right.ron", "nothere.ron"], 2),
        (&["nothere"], 2),
        (&["bad.ron", "right.ron"], 2),
        (&["rule.ron", "right.ron"], 2),
        // A limit that leaves an answer unchecked, and its pardon.
        (&["right.ron", "--engines", "memo,walk", "--walk-limit", "10"], 3),
        (&["right.ron", "--engines", "memo,walk", "--walk-limit", "10", "--allow-unchecked"], 0),
        // A limit that leaves no answer, which nothing pardons.
        (&["big.ron", "--memory-limit", "1M"], 3),
        (&["big.ron", "--memory-limit", "1M", "--allow-unchecked"], 3),
        (&["big.ron", "--time-limit", "1", "--allow-unchecked"], 3),
        // Nothing matched.
        (&["right.ron", "--filter", "no/*"], 4),
        (&["right.ron", "--tag", "no"], 4),
        (&["empty"], 4),
        // Of several the least.
        (&["wrong.ron", "bad.ron", "big.ron", "--memory-limit", "1M"], 1),
        (&["wrong.ron", "nothere"], 1),
        (&["wrong.ron", "big.ron", "--memory-limit", "1M"], 1),
        (&["bad.ron", "big.ron", "--memory-limit", "1M"], 2),
        (&["nothere", "right.ron", "--engines", "memo,walk", "--walk-limit", "10"], 2),
        (&["nothere", "empty"], 2),
        // Wrong usage.
        (&["right.ron", "--nonsense"], 2),
        (&["right.ron", "--color", "purple"], 2),
        (&["right.ron", "--format", "xml"], 2),
        (&["right.ron", "--progress", "loud"], 2),
        (&["right.ron", "--filter", "["], 2),
        (&["right.ron", "--engines", "nonsense"], 2),
        (&["right.ron", "--threads", "0"], 2),
        (&["right.ron", "--walk-limit", "many"], 2),
        (&["right.ron", "--memory-limit", "3Q"], 2),
        (&["right.ron", "--time-limit", "soon"], 2),
        (&["right.ron", "--record"], 2),
    ];
    for (arguments, status) in cases {
        let output = bank.run(&[&["verify"], *arguments].concat());
        assert_eq!(output.status.code(), Some(*status), "{arguments:?}\n{}", told(&output));
        no_panic(&output);
        if *status == 2 || *status == 4 {
            assert!(!output.stderr.is_empty() || !output.stdout.is_empty(), "{arguments:?} says nothing");
        }
    }
    for arguments in [&[][..], &["nonsense"], &["verify", "--nonsense"]] {
        let output = bank.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}\n{}", told(&output));
    }
    // The default is the folder `problems`.
    assert_eq!(bank.run(&["verify"]).status.code(), Some(2));
    assert_eq!(Bank::new(&[("problems/tiny.ron", TINY)]).run(&["verify"]).status.code(), Some(0));
}

#[test]
fn whatever_fails_the_rest_is_verified() {
    let bank = Bank::new(&[("bank/bad.ron", BAD), ("bank/rule.ron", RULE), ("bank/z/right.ron", RIGHT)]);
    for paths in [&["bank"][..], &["bank", "nothere"], &["nothere", "bank"]] {
        let (lines, output) = bank.verify(paths);
        assert_eq!(output.status.code(), Some(2), "{paths:?}");
        let right: Vec<_> = lines.iter().filter(|line| line["verdict"] == "right").collect();
        assert_eq!(right.len(), 3, "{paths:?}\n{}", told(&output));
        if paths.len() == 2 {
            assert!(told(&output).contains("nothere"), "the missing path is named");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read() {
    let bank = Bank::new(&[("bank/right.ron", RIGHT)]);
    std::os::unix::fs::symlink("/nowhere/at/all", bank.path("bank/dangling.ron")).unwrap();
    let (lines, output) = bank.verify(&["bank"]);
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(told(&output).contains("dangling.ron"));
    assert_eq!(lines.iter().filter(|line| line["verdict"] == "right").count(), 3, "the rest is verified");
    let line = lines.iter().find(|line| line["problem"] == "dangling").expect("a line for the unreadable file");
    assert_eq!(line["verdict"], "error");
    assert_eq!(
        (&line["question"], &line["error"]["line"], &line["error"]["column"]),
        (&json!(null), &json!(null), &json!(null))
    );
    assert_eq!(bank.run(&["verify", "bank/dangling.ron"]).status.code(), Some(2));
}

/// A folder is searched, whatever it is called.
#[test]
fn a_folder_with_the_name_of_a_file() {
    let bank = Bank::new(&[("bank/folder.ron/in.ron", TINY), ("bank/right.ron", RIGHT), ("bank/hollow.ron/a.txt", "")]);
    let (lines, output) = bank.verify(&["bank"]);
    assert_eq!(ids(&lines), ["folder.ron/in", "right"], "{}", told(&output));
    assert_eq!(ids(&bank.verify(&["bank/folder.ron"]).0), ["in"]);
    assert_eq!(bank.run(&["verify", "bank/hollow.ron"]).status.code(), Some(4));
    assert_eq!(bank.run(&["solve", "bank/folder.ron"]).status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn interrupted() {
    for format in ["human", "jsonl"] {
        let bank = Bank::new(&[("bank/wrong.ron", WRONG), ("bank/x.ron", BIG)]);
        let mut child = bank
            .command(&["verify", "bank", "--format", format, "--progress", "counter", "--threads", "2"])
            .args(["--walk-limit", "1000000000000", "--memory-limit", "4G"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The first file is done once it is counted; the other one never is.
        let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
        let counted = |line: &String| line.split(|c: char| !c.is_ascii_digit()).any(|word| word == "1");
        assert!(stderr.by_ref().map(Result::unwrap).any(|line| counted(&line)), "no counter line");
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let mut stdout = String::new();
        child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
        // The interruption outweighs the wrong key.
        assert_eq!(child.wait().unwrap().code(), Some(130), "{format}: {stdout}");
        assert!(stdout.contains("who") && stdout.contains("wrong"), "{format}: {stdout}");
        for line in stderr {
            assert!(!line.unwrap().contains("panicked"));
        }
        if format == "jsonl" {
            let lines: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(lines.iter().filter(|line| line["problem"] == "wrong").count(), 3);
            assert!(lines.iter().filter(|line| line["problem"] == "x").all(|line| line["verdict"] == "limit"));
        }
    }
}

// Ids and what is matched.

#[test]
fn ids_and_filters() {
    let bank = Bank::new(&[
        ("bank/b/right.ron", RIGHT),
        ("bank/b.ron", TINY),
        ("bank/B.ron", TINY),
        ("bank/a/c/wrong.ron", WRONG),
        ("bank/b-c.ron", TINY),
        ("bank/note.txt", "not a problem"),
        ("other/tiny.ron", TINY),
    ]);
    let sorted = ["B", "a/c/wrong", "b", "b-c", "b/right"];
    let cases: &[(&[&str], &[&str])] = &[
        (&["bank"], &sorted),
        (&["bank/"], &sorted),
        (&["bank/b/right.ron"], &["right"]),
        (&["bank/b/right.ron", "--root", "bank"], &["b/right"]),
        (&["bank/b", "--root", "."], &["bank/b/right"]),
        (&["bank/b", "other", "--root", "."], &["bank/b/right", "other/tiny"]),
        // Several paths: as given.
        (&["other", "bank/b"], &["bank/b/right", "other/tiny"]),
        (&["other/", "bank/b/"], &["bank/b/right", "other/tiny"]),
        (&["other/tiny.ron", "bank/b"], &["bank/b/right", "other/tiny"]),
        (&["bank/a", "other"], &["bank/a/c/wrong", "other/tiny"]),
        // Reached twice, verified once.
        (&["bank/b", "bank/b/right.ron"], &["bank/b/right"]),
        (&["other", "other"], &["other/tiny"]),
        (&["bank", "bank/b", "--root", "bank"], &sorted),
        (&["bank/b", "other/../bank/b/right.ron", "--root", "bank"], &["b/right"]),
        (&["bank", "--filter", "b/*"], &["b/right"]),
        (&["bank", "--filter", "b/*", "--filter", "B"], &["B", "b/right"]),
        (&["bank", "--filter", "**/wrong"], &["a/c/wrong"]),
        (&["bank", "--filter", "b-?"], &["b-c"]),
        (&["bank", "other", "--filter", "other/*"], &["other/tiny"]),
        (&["bank", "--root", ".", "--filter", "bank/b/*"], &["bank/b/right"]),
        (&["bank", "--tag", "small"], &["a/c/wrong"]),
        (&["bank", "--tag", "small", "--tag", "large"], &["a/c/wrong", "b/right"]),
        (&["bank", "--tag", "small", "--filter", "b*"], &[]),
    ];
    for (arguments, expected) in cases {
        let (lines, output) = bank.verify(arguments);
        assert_eq!(ids(&lines), *expected, "verify {arguments:?}\n{}", told(&output));
        let output = bank.run(&[&["list"], *arguments].concat());
        let stdout = text(&output.stdout);
        let listed: Vec<_> = stdout.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')).collect();
        assert_eq!(listed, *expected, "list {arguments:?}\n{}", told(&output));
        for (at, line) in lines.iter().enumerate() {
            assert!(!lines[..at].contains(line), "{arguments:?}: twice {line}");
        }
    }
    // An absolute path is one as given, too.
    let absolute = bank.path("other");
    let (lines, _) = bank.verify(&[absolute.to_str().unwrap(), "bank/b"]);
    assert!(ids(&lines).contains(&format!("{}/tiny", absolute.to_str().unwrap()).as_str()));
}

#[test]
fn ids_begin_with_the_path_as_given() {
    let bank = Bank::new(&[("bank/b/right.ron", RIGHT), ("other/tiny.ron", TINY)]);
    let (lines, _) = bank.verify(&["./other", "bank/b"]);
    assert_eq!(ids(&lines), ["./other/tiny", "bank/b/right"]);
}

// The line format.

#[test]
fn json_lines() {
    const NUMBERS: &str = r#"(title: "Numbers", game: Rules(state: "x", moves: ["x + 1"], end: "x >= 2"), start: "0", questions: {
     "small": (ask: "product s", given: {"s": "1..=18"}, key: 6402373705728000),
     "large": (ask: "product s", given: {"s": "1..=19"}, key: 121645100408832000),
     "huge": (ask: "product s", given: {"s": "1..=25"}, key: "15511210043330985984000000"),
     "edge": (ask: "sum s", given: {"s": "9007199254740992..=9007199254740992"}, key: 9007199254740992),
     "past": (ask: "sum s", given: {"s": "9007199254740993..=9007199254740993"}, key: 9007199254740993),
     "below": (ask: "sum s", given: {"s": "-9007199254740993..=-9007199254740993"}, key: -9007199254740993),
     "one": (ask: "all s where s == 3", given: {"s": "0..9"}, key: 3),
     "order": (ask: "all s where s > 6", given: {"s": "0..9"}, key: [8, 7]),
     "rows": (ask: "grid s, t where s < t", given: {"s": "0..2", "t": "0..2"}, key: [[0, 1], [0, 0]]),
     "truth": (ask: "exists where s > 3", given: {"s": "0..9"}, key: true),
     "nothing": (ask: "min s where s > 9", given: {"s": "0..9"}, key: "none"),
     "move": (ask: "winning moves", key: [])})"#;
    let bank = Bank::new(&[
        ("bank/big.ron", BIG),
        ("bank/numbers.ron", NUMBERS),
        ("bank/right.ron", RIGHT),
        ("bank/rule.ron", RULE),
        ("bank/wrong.ron", WRONG),
    ]);
    let output = bank.run(&["verify", "bank", "--format", "jsonl", "--memory-limit", "1M", "--engines", "memo,walk"]);
    assert_eq!(output.status.code(), Some(1));
    let stdout = text(&output.stdout);
    let both = r#""by":["memo","walk"],"error":null}"#;
    let number = |label: &str, ask: &str, value: &str, key: &str| {
        format!(
            r#"{{"problem":"numbers","variant":null,"question":"{label}","ask":"{ask}","answer":{value},"key":{key},"verdict":"right","crosscheck":"agreed",{both}"#
        )
    };
    let factorial = r#""15511210043330985984000000""#;
    let whole = [
        r#"{"problem":"big","variant":null,"question":"who","ask":"winner","answer":null,"key":"first","verdict":"limit","crosscheck":"none","by":[],"error":null}"#.to_owned(),
        number("small", "product s", "6402373705728000", "6402373705728000"),
        number("large", "product s", r#""121645100408832000""#, r#""121645100408832000""#),
        number("huge", "product s", factorial, factorial),
        number("edge", "sum s", "9007199254740992", "9007199254740992"),
        number("past", "sum s", r#""9007199254740993""#, r#""9007199254740993""#),
        number("below", "sum s", r#""-9007199254740993""#, r#""-9007199254740993""#),
        number("one", "all s where s == 3", "[3]", "3"),
        number("order", "all s where s > 6", "[7,8]", "[8,7]"),
        number("rows", "grid s, t where s < t", "[[0,1],[0,0]]", "[[0,1],[0,0]]"),
        number("truth", "exists where s > 3", "true", "true"),
        number("nothing", "min s where s > 9", r#""none""#, r#""none""#),
        number("move", "winning moves", "[]", "[]"),
        format!(r#"{{"problem":"right","variant":null,"question":"lost","ask":"all s where loss","answer":[2,5,8,11,14,17],"key":[17,2,5,8,11,14],"verdict":"right","crosscheck":"agreed",{both}"#),
        format!(r#"{{"problem":"right","variant":null,"question":"count","ask":"count where win","answer":14,"key":14,"verdict":"right","crosscheck":"agreed",{both}"#),
        format!(r#"{{"problem":"right","variant":"ten","question":"count","ask":"count where win","answer":7,"key":7,"verdict":"right","crosscheck":"agreed",{both}"#),
        r#"{"problem":"rule","variant":null,"question":"who","ask":"winner","answer":null,"key":"first","verdict":"error","crosscheck":"none","by":[],"error":{"file":"bank/rule.ron","line":1,"column":"#.to_owned(),
        format!(r#"{{"problem":"wrong","variant":null,"question":"who","ask":"winner","answer":"first","key":"second","verdict":"wrong","crosscheck":"agreed",{both}"#),
        format!(r#"{{"problem":"wrong","variant":null,"question":"size","ask":"positions","answer":12,"key":12,"verdict":"right","crosscheck":"agreed",{both}"#),
        format!(r#"{{"problem":"wrong","variant":null,"question":"free","ask":"remoteness","answer":7,"key":null,"verdict":"no-key","crosscheck":"agreed",{both}"#),
    ];
    assert_eq!(stdout.lines().count(), whole.len(), "{stdout}");
    for (line, expected) in stdout.lines().zip(&whole) {
        // Of a rule error the rest is prose.
        assert!(line == expected || (!expected.ends_with('}') && line.starts_with(expected)), "{line}\n{expected}");
    }
    // Unchecked answers name only what answered.
    let (lines, _) = bank.verify(&["bank/right.ron", "--engines", "memo,walk", "--walk-limit", "10"]);
    assert_eq!((&lines[0]["verdict"], &lines[0]["crosscheck"]), (&json!("right"), &json!("none")));
    assert_eq!(lines[0]["by"], json!(["memo"]));
    assert_eq!(lines[0]["error"], json!(null));
}

#[test]
fn json_lines_of_a_file_that_does_not_load() {
    let bank = Bank::new(&[("bank/bad.ron", BAD), ("bank/right.ron", RIGHT)]);
    let output = bank.run(&["verify", "bank", "--format", "jsonl"]);
    let stdout = text(&output.stdout);
    let lines: Vec<_> = stdout.lines().filter(|line| line.contains("\"bad\"")).collect();
    assert_eq!(lines.len(), 3, "{stdout}");
    let start = r#"{"problem":"bad","variant":null,"question":null,"ask":null,"answer":null,"key":null,"verdict":"error","crosscheck":"none","by":[],"error":{"file":"bank/bad.ron","line":"#;
    let mut places = Vec::new();
    for line in lines {
        assert!(line.starts_with(start), "{line}");
        let error = &serde_json::from_str::<Value>(line).unwrap()["error"];
        places.push((error["line"].as_u64().unwrap(), error["column"].as_u64().unwrap()));
        assert!(!error["message"].as_str().unwrap().is_empty());
        assert_eq!(error.as_object().unwrap().len(), 4);
    }
    assert!(places.is_sorted(), "in order of place: {places:?}");
    assert_eq!(places.iter().map(|place| place.0).collect::<Vec<_>>(), [1, 1, 2]);
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let run = |threads: &str| {
        let output = program(Path::new(env!("CARGO_MANIFEST_DIR")))
            .args(["verify", "problems", "--format", "jsonl", "--walk-limit", "2000", "--threads", threads])
            .output()
            .unwrap();
        no_panic(&output);
        text(&output.stdout)
    };
    let one = run("1");
    assert!(one.lines().count() > 100, "{one}");
    for threads in ["2", "8"] {
        assert!(one == run(threads), "other bytes for {threads} threads");
    }
}

// For people.

#[test]
fn human() {
    let bank = Bank::new(&[("bank/a/right.ron", RIGHT), ("bank/bad.ron", BAD), ("bank/c/wrong.ron", WRONG)]);
    let output = bank.run(&["verify", "bank", "--engines", "memo,walk"]);
    let stdout = text(&output.stdout);
    // The wrong key is first and in full.
    let first: Vec<_> = stdout.lines().take_while(|line| !line.is_empty()).collect();
    let block = first.join("\n");
    for part in ["c/wrong", "\"who\"", "winner", "\"second\"", "\"first\"", "memo", "walk"] {
        assert!(block.contains(part), "{part} is not in\n{block}");
    }
    assert!(stdout.contains("bank/bad.ron:2:"), "{stdout}");
    // Nothing for what is right.
    assert!(!stdout.contains("a/right") && !stdout.contains("\"size\""), "{stdout}");
    // The summary is the last line, and one.
    let summary = stdout.lines().last().unwrap();
    assert!(summary.contains("1 wrong") && summary.contains("3 files"), "{summary}");
    assert!(stdout.ends_with(&format!("\n{summary}\n")));

    let output = bank.run(&["verify", "bank", "-v"]);
    let verbose = text(&output.stdout);
    for part in ["a/right", "\"lost\"", "\"count\"", "\"ten\"", "\"size\""] {
        assert!(verbose.contains(part), "{part} is not in\n{verbose}");
    }
    assert!(verbose.find("c/wrong").unwrap() < verbose.find("a/right").unwrap(), "wrong first:\n{verbose}");
    assert_eq!(verbose.lines().last(), Some(summary));

    let output = bank.run(&["verify", "bank/a"]);
    assert_eq!(text(&output.stdout).lines().count(), 1, "only the summary\n{}", told(&output));
}

#[test]
fn progress() {
    let bank = Bank::new(&[("bank/a/right.ron", RIGHT), ("bank/c/wrong.ron", WRONG)]);
    let quiet = bank.run(&["verify", "bank", "--progress", "none"]);
    assert!(quiet.stderr.is_empty(), "{}", told(&quiet));
    for (arguments, counts) in [
        (&["--progress", "auto"][..], true),
        (&[], true),
        (&["--progress", "counter"], true),
        (&["-q"], false),
        (&["-q", "--progress", "auto"], false),
    ] {
        let output = bank.run(&[&["verify", "bank"], arguments].concat());
        let stderr = text(&output.stderr);
        assert_eq!(output.stdout, quiet.stdout, "{arguments:?}: progress goes to standard error");
        assert_eq!(stderr.lines().any(|line| line.contains('2')), counts, "{arguments:?}: {stderr}");
        assert!(!stderr.contains('\r') && !stderr.contains('\x1b'), "{arguments:?}: {stderr:?}");
        assert!(counts || stderr.is_empty(), "{arguments:?}: {stderr}");
    }
}

#[test]
fn colours() {
    let bank = Bank::new(&[("bank/bad.ron", BAD), ("bank/wrong.ron", WRONG)]);
    let escapes = |output: &Output| output.stdout.contains(&0x1b) || output.stderr.contains(&0x1b);
    for command in [&["verify", "bank"][..], &["verify", "bank", "-v"], &["list", "bank"], &["solve", "bank/bad.ron"]] {
        let never = bank.command(&[command, &["--color", "never"]].concat()).env("CLICOLOR_FORCE", "1").output();
        assert!(!escapes(&never.unwrap()), "{command:?} --color never");
        let none = bank.command(command).env("NO_COLOR", "1").output().unwrap();
        assert!(!escapes(&none), "{command:?} with NO_COLOR");
        assert!(!escapes(&bank.run(command)), "{command:?} into a pipe");
        let always = bank.run(&[command, &["--color", "always"]].concat());
        assert!(escapes(&always), "{command:?} --color always\n{}", told(&always));
    }
    let lines = bank.run(&["verify", "bank", "--color", "always", "--format", "jsonl"]);
    assert!(!lines.stdout.contains(&0x1b), "JSON is never coloured");
}

#[test]
fn closed_pipe() {
    let names: Vec<_> = (0..200).map(|n| format!("bank/p{n}.ron")).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), WRONG)).collect();
    let bank = Bank::new(&files);
    for arguments in [
        &["verify", "bank", "--format", "jsonl", "--progress", "none"][..],
        &["verify", "bank", "-v", "--progress", "none"],
        &["list", "bank"],
        &["solve", "bank/p0.ron"],
        &["solve", "bank/p0.ron", "--format", "jsonl"],
        &["tree", "bank/p0.ron"],
        &["explain", "bank/p0.ron"],
        &["tree", "bank/p0.ron", "--format", "svg"],
        &["--help"],
        &["verify", "--help"],
    ] {
        // Nobody reads at all, or only the first line.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = bank.command(arguments).stdout(writer).stderr(Stdio::piped()).spawn().unwrap().wait_with_output();
        let output = output.unwrap();
        assert!(output.stderr.is_empty(), "{arguments:?}: {}", text(&output.stderr));
        let mut child = bank.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(!line.is_empty() && output.stderr.is_empty(), "{arguments:?}: {}", text(&output.stderr));
    }
}

// Records.

#[test]
fn record() {
    let bank = Bank::new(&[("bank/right.ron", RIGHT), ("bank/tiny.ron", TINY)]);
    let run = |dir: &str, threads: &str| {
        let output = bank.run(&["verify", "bank", "--record", dir, "--threads", threads, "--progress", "none"]);
        no_panic(&output);
        let folders: Vec<_> = fs::read_dir(bank.path(dir)).unwrap().map(|entry| entry.unwrap().path()).collect();
        let newest = folders.into_iter().max().expect("a dated folder");
        let name = newest.file_name().unwrap().to_str().unwrap();
        let digits: Vec<_> = name.get(..10).unwrap().split('-').map(str::len).collect();
        assert!(digits == [4, 2, 2] && name.starts_with(|c: char| c.is_ascii_digit()), "{name} is no date");
        let mut files: Vec<_> = fs::read_dir(newest).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        (text(&output.stderr), files)
    };
    let answers = |files: &[PathBuf]| {
        let is_answers = |file: &&PathBuf| file.file_name().unwrap().to_str().unwrap().contains("answers");
        fs::read_to_string(files.iter().find(is_answers).expect("a file of answers")).unwrap()
    };
    let names = |files: &[PathBuf]| files.iter().map(|file| file.file_name().unwrap().to_owned()).collect::<Vec<_>>();
    let (_, first) = run("one", "1");
    let (_, other) = run("two", "8");
    let before = answers(&first);
    assert!(before.contains("\"lost\"") && before.contains("[2,5,8,11,14,17]"), "{before}");
    assert_eq!(before, answers(&other), "the answers depend on threads or time");

    // Nothing has changed, then one answer has.
    let (same, _) = run("one", "2");
    assert!(!same.contains("\"lost\"") && !same.contains("\"count\""), "{same}");
    fs::write(bank.path("bank/right.ron"), RIGHT.replace("\"n\": 20", "\"n\": 21")).unwrap();
    let (changed, second) = run("one", "2");
    let told: Vec<_> = changed.lines().filter(|line| line.contains("\"lost\"")).collect();
    assert_eq!(told.len(), 1, "{changed}");
    assert!(told[0].contains("right") && told[0].contains("18"), "{changed}");
    assert!(!changed.contains("\"count\"") && !changed.contains("tiny"), "{changed}");
    assert!(answers(&second).contains("[0,3,6,9,12,15,18]"));
    assert_eq!(names(&first), names(&second), "nothing is left behind");
    assert!(names(&second).iter().all(|name| !name.to_string_lossy().contains("tmp")));
    let mut left: Vec<_> = fs::read_dir(bank.path("one")).unwrap().map(|entry| entry.unwrap()).collect();
    left.retain(|entry| entry.path().is_file());
    assert!(left.is_empty(), "{left:?}");
}

// The other commands.

#[test]
fn list() {
    let bank = Bank::new(&[("bank/b/right.ron", RIGHT), ("bank/big.ron", BIG), ("bank/wrong.ron", WRONG)]);
    let output = bank.run(&["list", "bank"]);
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "a file without bound is not solved");
    for part in
        ["b/right", "One pile to n", "large", "lost", "all s where loss", "big", "One pile to 10", "free", "ten"]
    {
        assert!(stdout.contains(part), "{part} is not in\n{stdout}");
    }
    assert!(stdout.contains("pile, small") || (stdout.contains("pile") && stdout.contains("small")));
    let one = text(&bank.run(&["list", "bank", "--tag", "small"]).stdout);
    assert!(one.contains("One pile to 10") && !one.contains("b/right") && !one.contains("big"), "{one}");
    assert_eq!(bank.run(&["list", "bank", "--tag", "no"]).status.code(), Some(4));
    assert_eq!(bank.run(&["list", "nothere"]).status.code(), Some(2));
    // It loads everything, so it tells what does not load, and still lists the rest.
    fs::write(bank.path("bank/bad.ron"), BAD).unwrap();
    let output = bank.run(&["list", "bank"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("bank/bad.ron:1:") && text(&output.stdout).contains("One pile to 10"));
}

#[test]
fn solve() {
    type Answers<'a> = &'a [(&'a str, Value)];
    let bank = Bank::new(&[("right.ron", RIGHT), ("wrong.ron", WRONG), ("bad.ron", BAD), ("rule.ron", RULE)]);
    let all = [("lost", json!([2, 5, 8, 11, 14, 17])), ("count", json!(14))];
    let cases: &[(&[&str], Answers)] = &[
        (&["right.ron", "--question", "lost"], &all[..1]),
        (&["right.ron", "--question", "count"], &all[1..]),
        (&["right.ron", "--variant", "ten"], &[("count", json!(7))]),
        (&["right.ron", "--set", "n=6"], &[("lost", json!([0, 3])), ("count", json!(4))]),
        (&["right.ron", "--set", "s=5"], &[("lost", json!([5])), ("count", json!(0))]),
        (&["right.ron", "--set", "n=6", "--set", "s=5"], &[("lost", json!([])), ("count", json!(1))]),
        (&["right.ron", "--variant", "ten", "--set", "s=1"], &[("count", json!(0))]),
        (&["wrong.ron"], &[("who", json!("first")), ("size", json!(12)), ("free", json!(7))]),
        (&["wrong.ron", "--start", "7", "--question", "who"], &[("who", json!("second"))]),
        (&["wrong.ron", "--start", "9"], &[("who", json!("first")), ("size", json!(3)), ("free", json!(1))]),
    ];
    for (arguments, expected) in cases {
        let output = bank.run(&[&["solve"], *arguments, &["--format", "jsonl"]].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{}", told(&output));
        let lines = lines(&output);
        let answers: Vec<_> =
            lines.iter().map(|line| (line["question"].as_str().unwrap(), line["answer"].clone())).collect();
        assert_eq!(answers, *expected, "{arguments:?}");
        assert!(lines.iter().all(|line| line["key"].is_null()), "{arguments:?} looks at keys");
        let human = text(&bank.run(&[&["solve"], *arguments].concat()).stdout);
        for (label, answer) in *expected {
            let answer = answer.to_string().replace(',', ", ");
            assert!(human.lines().any(|line| line.contains(label) && line.contains(&answer)), "{arguments:?}\n{human}");
        }
    }
    // A key is not shown, even a wrong one.
    assert!(!told(&bank.run(&["solve", "wrong.ron"])).contains("second"));
    // (arguments, what the message names)
    let bad: &[(&[&str], &str)] = &[
        (&["nothere.ron"], "nothere.ron"),
        (&["bad.ron"], "bad.ron:1:"),
        (&["rule.ron"], "overflow"),
        (&[], "FILE"),
        (&["right.ron", "--set", "n"], "NAME=VALUE"),
        (&["right.ron", "--set", "n=ten"], "ten"),
        (&["right.ron", "--set", "n="], "n"),
        (&["right.ron", "--set", "n=99999999999999999999"], "99999999999999999999"),
        (&["right.ron", "--set", "q=3"], "q"),
        (&["right.ron", "--start", "3, 4"], "3, 4"),
        (&["right.ron", "--start", "y +"], "y +"),
    ];
    for (arguments, named) in bad {
        let output = bank.run(&[&["solve"], *arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}\n{}", told(&output));
        assert!(told(&output).contains(named), "{arguments:?}\n{}", told(&output));
        no_panic(&output);
    }
}

/// A problem did match, so it is wrong usage.
#[test]
fn solve_with_an_unknown_label() {
    let bank = Bank::new(&[("right.ron", RIGHT)]);
    for option in ["--question", "--variant"] {
        let output = bank.run(&["solve", "right.ron", option, "no-such"]);
        assert!(text(&output.stderr).contains("no-such") && output.stdout.is_empty(), "{}", told(&output));
        assert_eq!(output.status.code(), Some(2), "{option}\n{}", told(&output));
    }
}

#[test]
fn help_and_version() {
    let bank = Bank::new(&[]);
    for command in ["verify", "list", "solve", "tree", "explain", "nim", "bench"] {
        let output = bank.run(&[command, "--help"]);
        let stdout = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0));
        let example = format!("gameproof {command}");
        let after = stdout.split_once("Example").map_or("", |(_, after)| after);
        assert!(after.contains(&example), "--help of {command} has no example:\n{stdout}");
        for option in ["--color", "--threads", "-q", "-v"] {
            assert!(stdout.contains(option), "{command}: {option}");
        }
    }
    let output = bank.run(&["--version"]);
    assert_eq!(text(&output.stdout), concat!("gameproof ", env!("CARGO_PKG_VERSION"), "\n"));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn help_of_the_program() {
    let output = Bank::new(&[]).run(&["--help"]);
    let stdout = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    let (_, after) = stdout.split_once("Example").unwrap_or_else(|| panic!("no example:\n{stdout}"));
    assert!(after.contains("  gameproof verify "), "{stdout}");
}

#[test]
fn an_unknown_label_is_told_with_the_known_ones() {
    let bank = Bank::new(&[("right.ron", RIGHT), ("tiny.ron", TINY)]);
    for command in ["solve", "explain", "tree", "play"] {
        for (arguments, has) in [
            (&["right.ron", "--question", "no"][..], "its questions are \"lost\", \"count\""),
            (&["right.ron", "--variant", "no"], "its variants are \"ten\""),
            (&["tiny.ron", "--variant", "no"], "it has no variants"),
            (&["right.ron", "--variant", "ten", "--question", "lost"], "its questions are \"count\""),
        ] {
            let output = bank.run(&[&[command], arguments].concat());
            assert!(text(&output.stderr).contains(has), "{command} {arguments:?}\n{}", told(&output));
            assert_eq!(output.status.code(), Some(2), "{command} {arguments:?}");
        }
    }
}

/// A start from the command line gives a value to the parameters that stood in its place.
#[test]
fn a_start_tells_the_parameters() {
    let file = r#"(title: "Two piles of 8 and s", constants: {"k": 3}, game: Rules(state: "x, y",
 moves: ["x + 1, y", "x * 2, y", "x, y + 1", "x, y * 2"], end: "x + y >= 60"), start: "8, s", given: {"s": "1..=51"},
 questions: {"20": (ask: "all s where W2"), "21": (ask: "min s where L2"), "who": (ask: "winner", start: "s, 9"),
 "twice": (ask: "count where W1", start: "2 * s, 7"), "own": (ask: "winner", start: "1, 1", given: {})})"#;
    let bank = Bank::new(&[("two.ron", file)]);
    let cases: &[(&[&str], &str)] = &[
        (&["--start", "(8, 25)", "--question", "20"], "20: [25]"),
        (&["--start", "8, 24", "--question", "20"], "20: []"),
        (&["--start", "8, 24", "--question", "21"], "21: 24"),
        (&["--start", "8, 8 * k", "--question", "21"], "21: 24"),
        (&["--start", "8, 25", "--question", "who"], "who: [\"first\"]"),
        (&["--start", "8, 25", "--question", "own"], "own: \"first\""),
        (&["--start", "8, 30", "--question", "twice", "--set", "s=4"], "twice: 1"),
    ];
    for (arguments, answer) in cases {
        let output = bank.run(&[&["solve", "two.ron"], *arguments].concat());
        assert_eq!(text(&output.stdout), format!("{answer}\n"), "{arguments:?}\n{}", told(&output));
    }
    for command in ["solve", "explain"] {
        let output = bank.run(&[command, "two.ron", "--start", "8, 30", "--question", "twice"]);
        assert!(text(&output.stderr).contains("`--set s=VALUE`"), "{}", told(&output));
        assert_eq!(output.status.code(), Some(2), "{command}");
    }
    // A start may still read the parameters.
    let right = Bank::new(&[("right.ron", RIGHT)]);
    let output = right.run(&["solve", "right.ron", "--start", "s + 1", "--question", "lost"]);
    assert_eq!(text(&output.stdout), "lost: [1, 4, 7, 10, 13, 16, 19]\n", "{}", told(&output));
    // Places are those of the option.
    let output = bank.run(&["solve", "two.ron", "--start", "8, z"]);
    assert!(told(&output).contains("--start:1:4"), "{}", told(&output));
    assert_eq!(told(&output).matches("error:").count(), 1, "{}", told(&output));
    let output = bank.run(&["solve", "two.ron", "--set", "s=1 + z"]);
    assert!(told(&output).contains("--set:1:5"), "{}", told(&output));
}

/// A value outside the range of the file is taken, and said.
#[test]
fn a_parameter_set_outside_its_range() {
    let bank = Bank::new(&[("right.ron", RIGHT)]);
    let says = |arguments: &[&str]| {
        let output = bank.run(arguments);
        assert_ne!(output.status.code(), Some(2), "{arguments:?}\n{}", told(&output));
        text(&output.stderr).contains("no start of the file has s = ")
    };
    for command in ["solve", "explain", "tree", "play"] {
        assert!(says(&[command, "right.ron", "--set", "s=25"]), "{command}");
        assert!(!says(&[command, "right.ron", "--set", "s=15"]), "{command}");
    }
    assert!(says(&["solve", "right.ron", "--set", "s=15", "--set", "n=9"]));
    assert!(says(&["solve", "right.ron", "--variant", "ten", "--set", "s=15"]));
    assert!(!says(&["solve", "right.ron", "--set", "s=25", "--set", "n=29"]));
    assert!(!says(&["solve", "right.ron", "--set", "s=25", "-q"]));
}

/// Where a game has no bound, the limit is told with the number that runs away.
#[test]
fn what_runs_away_is_named() {
    let game = |form: &str, state: &str, moves: &str, more: &str, start: &str, ask: &str| {
        format!(
            r#"(title: "T", game: {form}(state: "{state}", moves: [{moves}]{more}), start: {start}, questions: {{"q": (ask: "{ask}")}})"#
        )
    };
    let heaps = r#"["3", "4"]"#;
    let cases: &[(String, &str)] = &[
        (game("Rules", "x", r#""x - k for k in 1..=3""#, "", r#""11""#, "winner"), "x falls to -"),
        (game("Rules", "h", r#""h - k for k in 1..=2""#, "", heaps, "winner"), "h falls to -"),
        (game("Rules", "h", r#""h - k | 1 for k in 1..=2""#, "", r#""9""#, "grundy"), "h falls to -"),
        (game("Puzzle", "a, b", r#""a - 3, b + 1", "a + 2, b""#, "", r#""5, 0""#, "positions"), "a falls to -"),
        (game("Rules", "c[2]", r#""c[i] += 1 for i in 0..2""#, "", r#""[0, 0]""#, "class"), "c[0] rises to "),
        (game("Rules", "x", r#""x + 3""#, r#", end: "x == 20""#, r#""0""#, "winner"), "step over it"),
    ];
    for (file, has) in cases {
        let bank = Bank::new(&[("game.ron", file)]);
        for command in ["verify", "solve", "explain", "tree"] {
            let output = bank.run(&[command, "game.ron", "--memory-limit", "2M"]);
            assert!(told(&output).contains(has), "{command} {file}\n{}", told(&output));
            assert_eq!(output.status.code(), Some(3), "{command} {file}");
        }
    }
    // A game that is only too large runs nowhere.
    let large = game("Rules", "x, y", r#""x + 1, y", "x, y + 1""#, r#", end: "x + y >= 4000""#, r#""0, 0""#, "plays");
    let bank = Bank::new(&[("game.ron", &large)]);
    let output = bank.run(&["solve", "game.ron", "--memory-limit", "2M"]);
    assert_eq!(output.status.code(), Some(3), "{}", told(&output));
    assert!(!told(&output).contains("play goes on"), "{}", told(&output));
}

/// The limits are those of `verify`.
#[test]
fn limits_of_solve_and_explain() {
    let bank = Bank::new(&[("big.ron", BIG)]);
    for command in ["solve", "explain", "tree"] {
        for (option, limit, has) in
            [("--time-limit", "0.2", "the time limit"), ("--memory-limit", "1M", "the memory limit of 1 MiB")]
        {
            let output = bank.run(&[command, "big.ron", option, limit]);
            assert!(told(&output).contains(has), "{command} {option}\n{}", told(&output));
            assert_eq!(output.status.code(), Some(3), "{command} {option}");
        }
    }
}

/// An answer without a key is shown; a rule error that several questions meet stands once.
#[test]
fn what_verify_tells_besides_wrong_keys() {
    let twice = RULE.replace("questions: {", "questions: {\"how\": (ask: \"class\"), ");
    let bank = Bank::new(&[("free.ron", WRONG), ("rule.ron", &twice), ("big.ron", BIG)]);
    let free = text(&bank.run(&["verify", "free.ron", "--engines", "memo,walk"]).stdout);
    assert!(free.contains("no key: free, question \"free\"\n  ask       remoteness\n  answer    7\n"), "{free}");
    let rule = text(&bank.run(&["verify", "rule.ron"]).stdout);
    assert!(rule.contains("question \"how\"") && rule.contains("question \"who\""), "{rule}");
    assert_eq!(rule.matches("overflow").count(), 1, "{rule}");
    for command in ["solve", "explain"] {
        let rule = told(&bank.run(&[command, "rule.ron"]));
        assert_eq!(rule.matches("overflow").count(), 1, "{rule}");
        assert!(rule.contains("the same rule error"), "{rule}");
    }
    let some = text(&bank.run(&["verify", "free.ron", "big.ron", "--engines", "memo", "--memory-limit", "1M"]).stdout);
    assert!(some.ends_with("2 files, 4 questions: 1 right, 1 wrong, 1 without a key, 1 without an answer; 0 answers cross-checked, 3 not\n"), "{some}");
    let most = ["verify", "free.ron", "big.ron", "--engines", "memo,walk", "--memory-limit", "1M"];
    let some = text(&bank.run(&most).stdout);
    assert!(some.ends_with("1 without an answer; 3 answers cross-checked\n"), "{some}");
}

/// Where no problem matched, an id is shown.
#[test]
fn no_match_shows_an_id() {
    let bank = Bank::new(&[("bank/a/right.ron", RIGHT), ("empty/note.txt", "no problem here")]);
    for command in ["verify", "list"] {
        let says = |arguments: &[&str]| text(&bank.run(&[&[command], arguments].concat()).stderr);
        assert!(says(&["bank/a", "--filter", "a/*"]).contains("an id looks like `right`"), "{command}");
        assert!(says(&["bank", "--tag", "no"]).contains("gameproof list"), "{command}");
        assert!(says(&["empty"]).contains("no file *.ron in empty"), "{command}");
    }
}

/// Certificates are named when they are written, and a check says what it was held against.
#[test]
fn certificates_by_name() {
    let bank =
        Bank::new(&[("bank/right.ron", RIGHT), ("bank/wrong.ron", WRONG), ("other.ron", RIGHT), ("tiny.ron", TINY)]);
    let written = text(&bank.run(&["verify", "bank", "--certificate", "out", "--progress", "none"]).stderr);
    let names = ["out/right.certificate", "out/right@ten.certificate", "out/wrong.certificate"];
    assert!(written.starts_with("3 certificates written below out\n"), "{written}");
    assert!(names.iter().all(|name| written.contains(name) && bank.path(name).exists()), "{written}");
    let check = |file: &str, certificate: &str| {
        let output = bank.run(&["check", file, certificate]);
        (output.status.code(), told(&output))
    };
    let (status, says) = check("bank/wrong.ron", "out/wrong.certificate");
    assert!(says.contains("who: \"first\", the key \"second\" is wrong") && status == Some(1), "{says}");
    let (status, says) = check("other.ron", "out/right.certificate");
    assert!(says.contains("was made for `right`; it is held against other.ron") && status == Some(0), "{says}");
    let (status, says) = check("tiny.ron", "out/right.certificate");
    assert!(says.contains("it was made for `right` and does not fit tiny.ron") && status == Some(1), "{says}");
    fs::write(bank.path("bank/right.ron"), RIGHT.replace("\"x + 2\"", "\"x + 3\"")).unwrap();
    let (status, says) = check("bank/right.ron", "out/right.certificate");
    assert!(says.contains("the rules of bank/right.ron have changed since it was made") && status == Some(1), "{says}");
    let (status, says) = check("tiny.ron", "out/right@ten.certificate");
    assert!(says.contains("made for `right`, variant \"ten\"") && status == Some(1), "{says}");
}

/// A listing that nobody will read is announced.
#[test]
fn many_plays_are_announced() {
    let long = RIGHT.replace("\"n\": 20", "\"n\": 40");
    let bank = Bank::new(&[("long.ron", &long)]);
    let mut child = bank
        .command(&["tree", "long.ron", "--set", "s=0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(text(&output.stderr).contains("there are 267914296 plays"), "{}", told(&output));
}

// Timing.

#[test]
fn bench() {
    let bank = Bank::new(&[("bank/right.ron", RIGHT), ("bank/tiny.ron", TINY), ("wrong.ron", WRONG), ("bad.ron", BAD)]);
    let run = |arguments: &[&str]| {
        let mut command = bank.command(&[&["bench", "--quick"], arguments].concat());
        let output = command.env("CRITERION_HOME", bank.path("plots")).output().unwrap();
        no_panic(&output);
        output
    };
    let output = run(&["bank", "--save-baseline", "before", "--record", "results"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let page = text(&output.stdout);
    for part in ["right/memo/right", "thrpt:", "| right ", "| memo ", "walk-compiled", "table again", "geometric mean"]
    {
        assert!(page.contains(part), "{part} stands in\n{page}");
    }
    let day = fs::read_dir(bank.path("results")).unwrap().next().unwrap().unwrap().path();
    assert!(fs::read_to_string(day.join("bench.md")).unwrap().contains("- machine: "));
    assert!(bank.path("plots/right/memo/right/before").is_dir());
    let output = run(&["bank/tiny.ron", "--baseline", "before", "--engines", "memo"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(told(&output).contains("change:") && !told(&output).contains("walk"), "{}", told(&output));
    // A closed pipe.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = bank.command(&["bench", "--quick", "bank/tiny.ron"]);
    command.env("CRITERION_HOME", bank.path("plots")).stdout(writer).stderr(Stdio::piped());
    let output = command.spawn().unwrap().wait_with_output().unwrap();
    no_panic(&output);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    // Nothing is timed whose answers are wrong; the rest is.
    for (arguments, status, said) in [
        (&["wrong.ron", "bank"][..], 1, "the answer is \"first\", the key is \"second\""),
        (&["bad.ron", "bank/tiny.ron"], 2, "bad.ron"),
        (&["bank", "--filter", "no*"], 4, "no problem matched"),
        (&["bank", "--engines", "quick"], 2, "walk-compiled"),
        (&["bank", "--save-baseline", "new"], 2, "is no name"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}\n{}", told(&output));
        assert!(told(&output).contains(said), "{arguments:?}\n{}", told(&output));
        assert!(!text(&output.stdout).contains("wrong"), "{arguments:?}\n{}", told(&output));
    }
}

// Bad files.

#[test]
fn bad_files() {
    let game = |moves: &str, more: &str, ask: &str, key: &str| {
        format!(
            r#"(title: "T", game: Rules(state: "x", moves: ["{moves}"], end: "x >= 9"), {more}, questions: {{"q": (ask: "{ask}", key: {key})}})"#
        )
    };
    let (open, close) = ("(".repeat(10_000), ")".repeat(10_000));
    let at_0 = r#"start: "0""#;
    let endless = r#"start: "s", given: {"s": "1..=1000000000000"}"#;
    let cases: &[(&str, Vec<u8>)] = &[
        ("malformed", br#"(title: "T", game: "#.to_vec()),
        ("empty", Vec::new()),
        ("non-utf-8", b"(title: \"\xff\xfe\")".to_vec()),
        ("large", format!("/*{}*/{TINY}", "x".repeat(20_000_000)).into_bytes()),
        ("large-word", format!("({}", "x".repeat(20_000_000)).into_bytes()),
        ("round", format!("{open}{close}").into_bytes()),
        ("square", format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)).into_bytes()),
        (
            "deep-key",
            game("x + 1", at_0, "winner", &format!("{}{}", "[".repeat(10_000), "]".repeat(10_000))).into_bytes(),
        ),
        ("deep-rule", game(&format!("{open}x + 1{close}"), at_0, "winner", "\"first\"").into_bytes()),
        (
            "deep-not",
            game(&format!("x + 1 if {}true", "not ".repeat(10_000)), at_0, "winner", "\"first\"").into_bytes(),
        ),
        ("deep-minus", game(&format!("{}x", "-".repeat(10_000)), at_0, "winner", "\"first\"").into_bytes()),
        ("deep-power", game(&format!("{}x", "x ** ".repeat(10_000)), at_0, "winner", "\"first\"").into_bytes()),
        (
            "deep-can",
            game("x + 1", at_0, &format!("exists where {}win{close}", "can(".repeat(10_000)), "true").into_bytes(),
        ),
        ("overflow", RULE.as_bytes().to_vec()),
        ("moves", game("x + a for a in 1..=1000000000000", at_0, "winner", "\"first\"").into_bytes()),
        ("given", game("x + 1", endless, "count where win", "7").into_bytes()),
        ("given-list", game("x + 1", endless, "winner", "[\"first\"]").into_bytes()),
        ("given-lone", game("x + 1", endless, "all s where loss", "[7]").into_bytes()),
    ];
    let bank = Bank::new(&[("bank/a.ron", TINY), ("bank/z.ron", TINY)]);
    for (name, content) in cases {
        let file = bank.path(&format!("bank/{name}.ron"));
        fs::write(&file, content).unwrap();
        let output = bank.run(&["verify", "bank", "--format", "jsonl", "--memory-limit", "200M"]);
        no_panic(&output);
        let lines = lines(&output);
        let of = |id: &str| lines.iter().filter(|line| line["problem"] == id).collect::<Vec<_>>();
        assert_eq!((of("a").len(), of("z").len()), (1, 1), "{name} hides another");
        assert!(of("a").iter().chain(&of("z")).all(|line| line["verdict"] == "right"), "{name} spoils another");
        let own = of(name);
        assert!(!own.is_empty(), "{name}: no line");
        for line in own {
            // Too much is an error or a limit, as the contract leaves open.
            let limit = line["verdict"] == "limit";
            assert!(limit || line["verdict"] == "error", "{name}: {line}");
            assert_eq!(output.status.code(), Some(if limit { 3 } else { 2 }), "{name}: {line}");
            let message = line["error"]["message"].as_str().unwrap_or_default();
            assert!(limit || (!message.is_empty() && message.len() < 1000), "{name}: {line}");
            assert!(limit || line["error"]["file"] == format!("bank/{name}.ron"), "{name}: {line}");
        }
        let human = bank.run(&["verify", "bank", "--memory-limit", "200M"]);
        no_panic(&human);
        assert!(human.stdout.len() < 10_000, "{name}: {} bytes for a person", human.stdout.len());
        assert!(told(&human).contains(name), "{name} is not named\n{}", told(&human));
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn unusual_files_that_load() {
    let mut dos = b"\xef\xbb\xbf".to_vec();
    dos.extend(WRONG.replace('\n', "\r\n").replace("\"second\"", "\"first\"").bytes());
    let bank = Bank::new(&[("банк/две кучи é.ron", TINY)]);
    fs::write(bank.path("банк/dos.ron"), dos).unwrap();
    let (lines, output) = bank.verify(&["банк"]);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(ids(&lines), ["dos", "две кучи é"]);
    assert_eq!(ids(&bank.verify(&["банк/две кучи é.ron"]).0), ["две кучи é"]);
    assert_eq!(ids(&bank.verify(&["банк", "--filter", "*кучи*"]).0), ["две кучи é"]);
    // A place in such a file is counted as a reader counts.
    let bad = format!("\u{feff}{}", BAD.replace('\n', "\r\n"));
    let bank = Bank::new(&[("bad.ron", BAD), ("dos.ron", &bad)]);
    let places = |file: &str| {
        let place = |line: &Value| (line["error"]["line"].clone(), line["error"]["column"].clone());
        bank.verify(&[file]).0.iter().map(place).collect::<Vec<_>>()
    };
    assert_eq!(places("bad.ron"), places("dos.ron"));
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
        let mut command = program(self.0.path());
        command.args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// The lines of `verify --format jsonl`.
    fn verify(&self, arguments: &[&str]) -> (Vec<Value>, Output) {
        let output = self.run(&[&["verify", "--format", "jsonl"], arguments].concat());
        no_panic(&output);
        (lines(&output), output)
    }
}

/// The program, whatever the environment says of colours.
fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gameproof"));
    command.current_dir(folder).stdin(Stdio::null());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn lines(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The ids in order, each once where it stands several times in a row.
fn ids(lines: &[Value]) -> Vec<&str> {
    let mut ids: Vec<_> = lines.iter().map(|line| line["problem"].as_str().unwrap()).collect();
    ids.dedup();
    ids
}

fn told(output: &Output) -> String {
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

/// The program ended by itself and not by a panic or a signal.
fn no_panic(output: &Output) {
    assert!(!told(output).contains("panicked") && !told(output).contains("overflowed its stack"), "{}", told(output));
    assert!(output.status.code().is_some_and(|code| code != 101), "{}\n{}", output.status, told(output));
}

/// A certificate confirms and does not answer.
#[test]
fn a_certificate_alone_answers_nothing() {
    for command in ["verify", "solve"] {
        let output = Command::new(env!("CARGO_BIN_EXE_gameproof"))
            .args([command, "problems/c3/nine-matches.ron", "--engines", "certificate"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("memo,certificate"), "{command}");
    }
}

// prove

#[test]
fn prove_holds_games_against_each_other() {
    let bank = Bank::new(&[]);
    let run = |arguments: &[&str]| bank.run(&[&["prove"], arguments].concat());
    let one = run(&["--games", "220", "--seed", "7", "--threads", "1"]);
    assert_eq!(one.status.code(), Some(0), "{}", told(&one));
    let stdout = String::from_utf8(one.stdout).unwrap();
    assert!(stdout.starts_with("220 games (") && stdout.ends_with("; no disagreement\n"), "{stdout}");
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
    let two = run(&["--games", "220", "--seed", "7", "--threads", "2", "-q"]);
    assert_eq!((two.status.code(), String::from_utf8(two.stdout).unwrap()), (Some(0), stdout));
    assert!(two.stderr.is_empty());
    // the kinds are told where there is no such one
    let unknown = run(&["--only", "nonsense"]);
    assert_eq!(unknown.status.code(), Some(2), "{}", told(&unknown));
    let listed = String::from_utf8(unknown.stderr).unwrap();
    let listed = listed.split("[possible values: ").nth(1).and_then(|rest| rest.split(']').next()).unwrap_or_default();
    let kinds: Vec<&str> = listed.split(", ").collect();
    assert!(kinds.len() > 3, "{kinds:?}");
    for kind in kinds {
        let output = run(&["--games", "6", "--only", kind]);
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
        assert!(told(&output).contains(&format!("6 games (6 {kind}): ")), "{kind}: {}", told(&output));
    }
}
