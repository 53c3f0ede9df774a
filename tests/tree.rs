//! Trees of games through the binary: the listing of the note that the lines come from, what is cut and refused, what a
//! strategy must have, and whether pictures can be read.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// One pile; with parameters, a constant, a variant, and a question with a start of its own.
const PILE: &str = r#"(title: "One pile <\"&\\> to n", constants: {"n": 6},
 game: Rules(state: "x", moves: {"one": "x + 1", "say \"two\" \\ & <so>": "x + 2"}, end: "x >= n"),
 start: "s", given: {"s": "0..n"},
 questions: {"who": (ask: "winner"), "four": (start: "4", given: {}, ask: "winner"),
  "pair": (start: "p - q", given: {"p": "3..=5", "q": "0..=2"}, ask: "winner")},
 variants: {"ten": (constants: {"n": 10})})"#;

/// The player who makes the pile 6 or more loses, unless it is 8; nobody wins at 7.
const MIXED: &str = r#"(title: "Mixed", game: Rules(state: "x", moves: ["x + 1", "x + 2", "x + 3"], end: "x >= 6",
 winner: "draw if x == 7 else (last if x == 8 else other)"), start: "3", questions: {"who": (ask: "winner")})"#;

/// Partizan, with an array and a parameter that a rule reads.
const ARRAY: &str = r#"(title: "Array", game: Rules(state: "c[2], t",
 moves: ["c[i] -= 1, t += p * turn for i in 0..2 if c[i] > 0"], winner: "first if t > 12 else second"),
 start: "[2, 1], 0", given: {"p": "1..=3"}, questions: {"who": (ask: "winner")})"#;

/// Play need not end.
const LOOP: &str = r#"(title: "Loop", game: Rules(state: "x", moves: ["x + 1", "x - 1"], legal: "x > 0", end: "x == 4"),
 start: "1", questions: {"who": (ask: "winner"), "won": (start: "3", ask: "winner")})"#;

/// Play never ends, and neither do the positions.
const ENDLESS: &str = r#"(title: "Endless", game: Rules(state: "x", moves: ["x + 1", "x + 2"]), start: "0",
 questions: {"who": (ask: "winner")})"#;

/// A puzzle in which the goal is passed on the way.
const PUZZLE: &str = r#"(title: "Puzzle", game: Puzzle(state: "x", moves: {"up": "x + 1 if x < 4", "jump": "x + 2 if x < 3"},
 goal: "x == 2 or x == 4"), start: "0", questions: {"how": (ask: "solvable"), "not": (start: "5", ask: "solvable")})"#;

/// A puzzle with a way back, and no goal.
const AIMLESS: &str = r#"(title: "Aimless", game: Puzzle(state: "x", moves: ["1 - x"]), start: "0",
 questions: {"how": (ask: "moves")})"#;

/// Overflows after some moves.
const RULE: &str = r#"(title: "Rule error", game: Rules(state: "x", moves: ["x * x"], end: "x < 0"), start: "3",
 questions: {"who": (ask: "winner")})"#;

/// A parameter with the name of the state variable.
const SHARED: &str = r#"(title: "Shared", game: Rules(state: "s", moves: ["s + 1"], end: "s >= 3"), start: "s",
 given: {"s": "0..3"}, questions: {"who": (ask: "all s where win")})"#;

const BAD: &str =
    r#"(title: "Bad", game: Rules(state: "x", moves: ["x + y"]), start: "0", questions: {"w": (ask: "winner")})"#;

#[test]
fn the_listing_of_the_note() {
    let listing = fs::read_to_string("tests/trees/token-past-9.txt").unwrap();
    assert_eq!(listing.lines().count(), 167);
    let output = program(Path::new(".")).args(["problems/seeds/token-past-9.ron"]).output().unwrap();
    assert_eq!(text(&output.stdout), listing);
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}

#[test]
fn plays() {
    let bank = Bank::new();
    // (arguments, lines)
    let cases: &[(&[&str], &[&str])] = &[
        (&["pile.ron", "--start", "4"], &["( 4) ( 5) ( 6) 2 win", "( 4) ( 5) ( 7) 2 win", "( 4) ( 6) 1 win"]),
        (&["pile.ron", "--start", "123"], &["(123) 2 win"]),
        (&["pile.ron", "--start", "-1", "--plies", "1"], &["(-1) ( 0) ...", "(-1) ( 1) ..."]),
        (&["pile.ron", "--set", "s=5"], &["( 5) ( 6) 1 win", "( 5) ( 7) 1 win"]),
        (&["pile.ron", "--set", "n=2", "--set", "s=1"], &["( 1) ( 2) 1 win", "( 1) ( 3) 1 win"]),
        (&["pile.ron", "--variant", "ten", "--start", "9"], &["( 9) (10) 1 win", "( 9) (11) 1 win"]),
        (&["pile.ron", "--question", "four", "--plies", "0"], &["( 4) ..."]),
        // a parameter that only one question has
        (&["pile.ron", "--set", "p=5", "--set", "q=0"], &["( 5) ( 6) 1 win", "( 5) ( 7) 1 win"]),
        (&["shared.ron", "--start", "2"], &["( 2) ( 3) 1 win"]),
        (&["shared.ron", "--set", "s=2"], &["( 2) ( 3) 1 win"]),
        (&["mixed.ron", "--start", "5"], &["( 5) ( 6) 2 win", "( 5) ( 7) draw", "( 5) ( 8) 1 win"]),
        (
            &["array.ron", "--set", "p=3"],
            &[
                "([ 2, 1], 0) ([ 1, 1], 3) ([ 0, 1], 9) ([ 0, 0],12) 2 win",
                "([ 2, 1], 0) ([ 1, 1], 3) ([ 1, 0], 9) ([ 0, 0],12) 2 win",
                "([ 2, 1], 0) ([ 2, 0], 3) ([ 1, 0], 9) ([ 0, 0],12) 2 win",
            ],
        ),
        // whatever lies beyond the cut
        (&["loop.ron", "--plies", "2"], &["( 1) ( 2) ( 3) ...", "( 1) ( 2) ( 1) ..."]),
        (&["endless.ron", "--plies", "1"], &["( 0) ( 1) ...", "( 0) ( 2) ..."]),
        (&["rule.ron", "--plies", "2"], &["( 3) ( 9) (81) ..."]),
        // what is over at the cut is not cut
        (&["pile.ron", "--start", "4", "--plies", "1"], &["( 4) ( 5) ...", "( 4) ( 6) 1 win"]),
        // reaching the goal stops nothing
        (&["puzzle.ron", "--start", "1"], &["( 1) ( 2) ( 3) ( 4) goal", "( 1) ( 2) ( 4) goal", "( 1) ( 3) ( 4) goal"]),
        (&["puzzle.ron", "--question", "not"], &["( 5) stuck"]),
        (&["puzzle.ron", "--question", "how", "--strategy"], &["( 0) ( 2) goal"]),
        (&["puzzle.ron", "--start", "2", "--strategy"], &["( 2) goal"]),
        (&["aimless.ron", "--plies", "2"], &["( 0) ( 1) ( 0) ..."]),
        // a won position of a game that need not end
        (&["loop.ron", "--question", "won", "--strategy"], &["( 3) ( 4) 1 win"]),
    ];
    for (arguments, lines) in cases {
        let output = bank.run(arguments);
        let expected: String = lines.iter().map(|line| format!("{line}\n")).collect();
        assert_eq!(text(&output.stdout), expected, "{arguments:?}\n{}", text(&output.stderr));
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn refused() {
    let bank = Bank::new();
    // (arguments, status, what the message says)
    let cases: &[(&[&str], i32, &[&str])] = &[
        (&["loop.ron", "--question", "who"], 2, &["play from 1 need not end", "--plies N"]),
        (&["loop.ron", "--question", "who", "--format", "svg"], 2, &["need not end"]),
        (&["aimless.ron"], 2, &["need not end"]),
        (&["loop.ron", "--question", "who", "--strategy"], 2, &["neither player can force a win from 1"]),
        (&["mixed.ron", "--start", "7", "--strategy"], 2, &["neither player can force a win from 7"]),
        (&["puzzle.ron", "--question", "not", "--strategy"], 2, &["no moves lead from 5 to the goal"]),
        (&["aimless.ron", "--strategy"], 2, &["no `goal`"]),
        (&["rule.ron"], 2, &["overflow", "rule.ron:1:"]),
        (&["rule.ron", "--format", "dot"], 2, &["overflow"]),
        (&["endless.ron", "--memory-limit", "1M"], 3, &["memory limit of 1 MiB", "--plies N"]),
        (&["endless.ron", "--memory-limit", "1M", "--strategy"], 3, &["memory limit of 1 MiB"]),
        (&["bad.ron"], 2, &["bad.ron:1:", "`y`"]),
        (&["nothere.ron"], 2, &["nothere.ron"]),
        (&[], 2, &["FILE"]),
        (&["pile.ron", "--plies", "-1"], 2, &["--plies"]),
        (&["pile.ron", "--variant", "no-such"], 2, &["no-such"]),
        (&["pile.ron", "--question", "no-such"], 2, &["no-such"]),
        (&["pile.ron", "--start", "1, 2"], 2, &["1, 2"]),
        (&["pile.ron", "--set", "s=1/0"], 2, &["zero"]),
        // what is open is listed with its ranges
        (
            &["pile.ron"],
            2,
            &["more than one start", "`--set s=VALUE`, a value of 0..n", "`--start POSITION`, values for x"],
        ),
        (
            &["pile.ron", "--question", "pair"],
            2,
            &["`--set p=VALUE`, a value of 3..=5", "`--set q=VALUE`, a value of 0..=2"],
        ),
        (&["pile.ron", "--set", "p=4"], 2, &["`--set q=VALUE`"]),
        (&["array.ron"], 2, &["`--set p=VALUE`, a value of 1..=3", "values for c[2], t"]),
        (&["array.ron", "--start", "[1, 0], 0"], 2, &["`--set p=VALUE`"]),
        (&["pile.ron", "--set", "n=0"], 2, &["no values left"]),
    ];
    for (arguments, status, told) in cases {
        let output = bank.run(arguments);
        let stderr = text(&output.stderr);
        assert_eq!(
            (output.status.code(), text(&output.stdout).as_str()),
            (Some(*status), ""),
            "{arguments:?}\n{stderr}"
        );
        assert!(told.iter().all(|part| stderr.contains(part)), "{arguments:?}: {told:?}\n{stderr}");
    }
    // two questions with starts of their own
    let own = r#"(title: "Own", game: Rules(state: "x", moves: ["x + 1"], end: "x > 1"),
     questions: {"a": (start: "0", ask: "winner"), "b": (start: "1", ask: "winner")})"#;
    bank.write("own.ron", own);
    let stderr = text(&bank.run(&["own.ron"]).stderr);
    assert!(stderr.contains("`--question LABEL`, one of \"a\", \"b\""), "{stderr}");
    assert_eq!(text(&bank.run(&["own.ron", "--question", "b"]).stdout), "( 1) ( 2) 1 win\n");
}

/// A rule error beyond the lines that are complete: they stand, and the error is told.
#[test]
fn a_rule_error_within_the_cut() {
    let bank = Bank::new();
    bank.write(
        "late.ron",
        r#"(title: "Late", game: Rules(state: "x", moves: ["x + 1", "x + 5", "12 // (5 - x) if x > 1"],
         end: "x == 1"), start: "0",
         questions: {"who": (ask: "winner")})"#,
    );
    let output = bank.run(&["late.ron", "--plies", "3"]);
    let stderr = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), "( 0) ( 1) 1 win\n"), "{stderr}");
    assert!(stderr.contains("at the position 5, in the move \"12 // (5 - x) if x > 1\""), "{stderr}");
}

/// Lines are written as they are made, without end, and nobody needs to read them to theirs.
#[test]
fn a_stream() {
    let bank = Bank::new();
    let mut child = bank.command(&["endless.ron", "--plies", "60"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..100_000 {
        assert!(lines.next().unwrap().unwrap().ends_with(" ..."));
    }
    drop(lines);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn interrupted() {
    let bank = Bank::new();
    let mut child = bank.command(&["endless.ron", "--plies", "60"]).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    // what was on its way is complete to the last line
    assert!(lines.all(|line| line.unwrap().ends_with(" ...")));
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// Won and lost starts, wins by the loser's own move, conditional winners, partizan rules.
#[test]
fn strategies() {
    let bank = Bank::new();
    let seeds = |name: &str| Path::new("problems/seeds").join(name).canonicalize().unwrap().display().to_string();
    let token = seeds("token-past-9.ron");
    let piles = seeds("two-piles-to-17.ron");
    let mut cases: Vec<(Vec<&str>, u8)> = vec![
        (vec![&token], 1),
        (vec![&token, "--start=-2, 3"], 1),
        (vec![&token, "--start", "0, 0"], 2),
        (vec![&token, "--start", "10, 10"], 2),
        (vec![&piles], 2),
        (vec![&piles, "--start", "1, 1"], 2),
        (vec![&piles, "--start", "3, 2"], 1),
        (vec!["pile.ron", "--start", "0"], 2),
        (vec!["pile.ron", "--variant", "ten", "--start", "0"], 1),
        (vec!["mixed.ron", "--start", "5"], 1),
        (vec!["array.ron", "--set", "p=3"], 2),
    ];
    let starts: Vec<String> = (0..=5).map(|start| start.to_string()).collect();
    cases.extend(starts.iter().map(|start| (vec!["mixed.ron", "--start", start], 0)));
    for (arguments, winner) in cases {
        let full = Tree::read(&text(&bank.run(&arguments).stdout));
        let (best, plies) = full.value(1);
        if winner > 0 {
            assert_eq!(best, winner, "{arguments:?}");
        }
        let output = bank.run(&[&arguments[..], &["--strategy"]].concat());
        if best == 0 {
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            continue;
        }
        let strategy = Tree::read(&text(&output.stdout));
        strategy.keeps(&full, best, 1, &format!("{arguments:?}"));
        assert!(strategy.endings().iter().all(|ending| **ending == format!("{best} win")), "{arguments:?}");
        // the fastest win against the longest defence
        assert_eq!(strategy.longest(), plies, "{arguments:?}");
    }
}

#[test]
fn pictures() {
    let bank = Bank::new();
    // (arguments, whether the winner's moves are marked)
    let cases: &[(&[&str], bool)] = &[
        (&["pile.ron", "--start", "0"], true),
        (&["pile.ron", "--start", "4"], true),
        (&["pile.ron", "--start", "0", "--strategy"], true),
        (&["pile.ron", "--start", "4", "--strategy", "--plies", "1"], true),
        (&["pile.ron", "--start", "6"], false),
        (&["pile.ron", "--start", "0", "--plies", "1"], false),
        (&["mixed.ron", "--start", "5"], true),
        (&["mixed.ron", "--start", "7"], false),
        (&["array.ron", "--set", "p=2"], true),
        (&["loop.ron", "--question", "who", "--plies", "7"], false),
        (&["puzzle.ron", "--question", "how"], true),
        (&["puzzle.ron", "--question", "how", "--strategy"], true),
        (&["puzzle.ron", "--question", "not"], false),
        (&["aimless.ron", "--plies", "4"], false),
    ];
    for (arguments, marked) in cases {
        let told = format!("{arguments:?}");
        let tree = Tree::read(&text(&bank.run(arguments).stdout));
        let picture = |format: &str| {
            let output = bank.run(&[*arguments, &["--format", format]].concat());
            assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""), "{told}");
            text(&output.stdout)
        };
        let dot = Dot::read(&picture("dot"));
        assert_eq!(dot.boxes.len(), tree.positions(), "{told}");
        assert_eq!(dot.moves.len() + 1, dot.boxes.len(), "{told}");
        assert_eq!(dot.moves.iter().any(|traits| traits.contains("penwidth=3")), *marked, "{told}");
        let svg = picture("svg");
        assert_eq!(svg_boxes(&svg, &told), tree.positions(), "{told}");
        assert_eq!(svg.contains("stroke-width=\"4\""), *marked, "{told}");
    }
    // who wins is told by the caption, as far as the tree or the strategy tells
    for (arguments, caption) in [
        (&["--start", "4"][..], "The first player can win; thick lines are his winning moves."),
        (
            &["--start", "3", "--strategy"],
            "How the second player wins: one move of his each time, every move of the opponent.",
        ),
        (&["--start", "0", "--strategy", "--plies", "1"], "How the second player wins: "),
    ] {
        let output = bank.run(&[&["pile.ron", "--format", "dot"], arguments].concat());
        assert!(text(&output.stdout).contains(caption), "{arguments:?}\n{}", text(&output.stdout));
    }
    let drawn = text(&bank.run(&["mixed.ron", "--start", "7", "--format", "svg"]).stdout);
    assert!(drawn.contains("Neither player can force a win."), "{drawn}");
    let svg = text(&bank.run(&["pile.ron", "--start", "4", "--format", "svg"]).stdout);
    let read = roxmltree::Document::parse(&svg).unwrap();
    let texts: HashSet<&str> = read.descendants().filter_map(|element| element.text()).map(str::trim).collect();
    for expected in
        ["One pile <\"&\\> to n", "first wins", "second wins", "move 1", "move 2", "second player", "4", "7"]
    {
        assert!(texts.contains(expected), "{expected} is not in {texts:?}");
    }
}

/// The pictures of the games of the seeds are laid out without boxes over boxes, in one direction or the other.
#[test]
fn pictures_of_the_seeds() {
    for (file, more, upright) in [
        ("token-past-9.ron", &[][..], false),
        ("token-past-9.ron", &["--strategy"], true),
        ("two-piles-to-17.ron", &["--strategy"], false),
        ("one-pile-to-301.ron", &["--start", "60", "--strategy"], true),
    ] {
        let output =
            program(Path::new("problems/seeds")).arg(file).args(more).args(["--format", "svg"]).output().unwrap();
        let svg = text(&output.stdout);
        let boxes = svg_boxes(&svg, file);
        let dot = program(Path::new("problems/seeds")).arg(file).args(more).args(["--format", "dot"]).output().unwrap();
        assert_eq!(boxes, Dot::read(&text(&dot.stdout)).boxes.len(), "{file} {more:?}");
        let read = roxmltree::Document::parse(&svg).unwrap();
        let [width, height] = ["width", "height"].map(|name| number(read.root_element(), name));
        assert!(!upright || width > height / 2, "{file} {more:?}: {width} x {height}");
        assert!(width < 1400, "{file} {more:?}: {width} x {height}");
    }
}

#[test]
fn a_tree_too_large_for_a_picture() {
    let bank = Bank::new();
    for format in ["dot", "svg"] {
        let output = bank.run(&["endless.ron", "--plies", "20", "--format", format]);
        let stderr = text(&output.stderr);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(3), ""), "{stderr}");
        assert!(["20000 positions", "--plies N", "--strategy"].iter().all(|part| stderr.contains(part)), "{stderr}");
    }
}

// Helpers.

/// A tree read from lines of play: positions with what comes after them.
#[derive(Debug, Default)]
struct Tree {
    options: BTreeMap<String, Self>,
    /// How it ends here, in each line that ends here.
    endings: Vec<String>,
}

impl Tree {
    /// The tree below the start, which all lines have in common.
    fn read(text: &str) -> Self {
        let mut root = Self::default();
        for line in text.lines() {
            let (positions, ending) = line.rsplit_once(") ").unwrap();
            let mut place = &mut root;
            for position in positions.split(") (") {
                let position = position.trim_start_matches('(').to_owned();
                place = place.options.entry(position).or_default();
            }
            place.endings.push(ending.to_owned());
        }
        assert_eq!(root.options.len(), 1, "not one start: {text}");
        root.options.pop_first().unwrap().1
    }

    /// The winner, or 0, and the plies that he needs, where he hurries and the other one delays.
    fn value(&self, mover: u8) -> (u8, usize) {
        let Some(ending) = self.endings.first() else {
            let values: Vec<_> = self.options.values().map(|option| option.value(3 - mover)).collect();
            let plies =
                |player: u8| values.iter().filter(move |(winner, _)| *winner == player).map(|(_, plies)| plies + 1);
            return if let Some(least) = plies(mover).min() {
                (mover, least)
            } else if plies(0).next().is_some() {
                (0, 0)
            } else {
                (3 - mover, plies(3 - mover).max().unwrap())
            };
        };
        let winner = if ending == "1 win" { 1 } else { 2 * u8::from(ending == "2 win") };
        (winner, 0)
    }

    /// It has one of the winner's moves and all of the loser's, everywhere.
    fn keeps(&self, full: &Self, winner: u8, mover: u8, told: &str) {
        let options = |tree: &Self| tree.options.keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(self.endings, full.endings[..self.endings.len()], "{told}");
        if mover == winner {
            assert!(self.options.len() <= 1 && options(self).is_subset(&options(full)), "{told}");
            assert_eq!(self.options.is_empty(), full.options.is_empty(), "{told}");
        } else {
            assert_eq!(options(self), options(full), "{told}");
        }
        for (position, option) in &self.options {
            option.keeps(&full.options[position], winner, 3 - mover, told);
        }
    }

    fn endings(&self) -> Vec<&String> {
        self.endings.iter().chain(self.options.values().flat_map(Self::endings)).collect()
    }

    fn longest(&self) -> usize {
        self.options.values().map(|option| 1 + option.longest()).max().unwrap_or(0)
    }

    /// How many positions it has; two moves to one position are two where play ends with both.
    fn positions(&self) -> usize {
        self.endings.len().max(1) + self.options.values().map(Self::positions).sum::<usize>()
    }
}

/// What is read of DOT text.
struct Dot {
    boxes: HashSet<String>,
    moves: Vec<String>,
}

impl Dot {
    /// Reads statements line by line, each with quoted strings that end where they should.
    fn read(text: &str) -> Self {
        let mut read = Self { boxes: HashSet::new(), moves: Vec::new() };
        let body = text.strip_prefix("digraph tree {\n").unwrap().strip_suffix("}\n").unwrap();
        for line in body.lines() {
            let statement = line.strip_prefix("    ").unwrap().strip_suffix(';').unwrap();
            let (subject, traits) = statement.split_once(" [").unwrap_or((statement, "]"));
            let bare = without_strings(traits.strip_suffix(']').unwrap());
            assert!(bare.chars().all(|c| c.is_ascii_alphanumeric() || "=, .-".contains(c)), "{line}");
            match subject.split_once(" -> ") {
                Some((before, at)) => {
                    assert!(read.boxes.contains(before) && read.boxes.contains(at), "{line}");
                    read.moves.push(bare);
                }
                None if ["graph", "node", "edge"].contains(&subject) => {}
                None => assert!(read.boxes.insert(subject.to_owned()), "{line}"),
            }
        }
        read
    }
}

fn without_strings(text: &str) -> String {
    let (mut bare, mut quoted) = (String::new(), false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => quoted = !quoted,
            '\\' if quoted => assert!(matches!(chars.next(), Some('\\' | '"' | 'n'))),
            _ if quoted => {}
            c => bare.push(c),
        }
    }
    assert!(!quoted, "{text}");
    bare
}

/// Counts the boxes of positions in a picture, which must be well-formed, with no box over another or outside.
fn svg_boxes(svg: &str, told: &str) -> usize {
    let read = roxmltree::Document::parse(svg).unwrap();
    let root = read.root_element();
    let (width, height) = (number(root, "width"), number(root, "height"));
    assert_eq!(root.attribute("viewBox"), Some(format!("0 0 {width} {height}").as_str()), "{told}");
    // the boxes of positions stand in a group of their own; the inner border of an end lies within the outer one
    let group = root.children().find(|group| group.attribute("text-anchor") == Some("middle")).unwrap();
    let mut boxes: Vec<[i64; 4]> = Vec::new();
    for element in group.children().filter(|element| element.has_tag_name("rect")) {
        let [x, y, wide, high] = ["x", "y", "width", "height"].map(|name| number(element, name));
        assert!(x >= 0 && y >= 0 && x + wide <= width && y + high <= height, "{told}");
        let within =
            boxes.last().is_some_and(|last| last[0] < x && x + wide < last[2] && last[1] < y && y + high < last[3]);
        if !within {
            boxes.push([x, y, x + wide, y + high]);
        }
    }
    for (at, one) in boxes.iter().enumerate() {
        let apart = |other: &[i64; 4]| one[2] < other[0] || other[2] < one[0] || one[3] < other[1] || other[3] < one[1];
        assert!(boxes[..at].iter().all(apart), "boxes lie over each other: {told}");
    }
    boxes.len()
}

fn number(element: roxmltree::Node<'_, '_>, name: &str) -> i64 {
    element.attribute(name).unwrap().parse().unwrap()
}

/// A folder with the problems above, in which the program runs.
struct Bank(TempDir);

impl Bank {
    fn new() -> Self {
        let bank = Self(TempDir::new().unwrap());
        for (name, content) in [
            ("pile.ron", PILE),
            ("mixed.ron", MIXED),
            ("array.ron", ARRAY),
            ("loop.ron", LOOP),
            ("endless.ron", ENDLESS),
            ("puzzle.ron", PUZZLE),
            ("aimless.ron", AIMLESS),
            ("rule.ron", RULE),
            ("shared.ron", SHARED),
            ("bad.ron", BAD),
        ] {
            bank.write(name, content);
        }
        bank
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program(self.0.path());
        command.args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gameproof"));
    command.arg("tree").current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
