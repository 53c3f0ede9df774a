//! The match game: the samples of the text it comes from, bad input, and random positions against the definition.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::HashMap;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use dashu_int::UBig;
use gameproof::nim::{Heaps, first_move};

const POSITIONS: u64 = 200_000;

#[test]
fn the_samples() {
    for (input, expected) in [
        // the two of the text
        ("3\n3 6 9\n", "4 3\n3 6 5\n"),
        ("4\n15 22 19 10\n", "lose\n"),
        // separated in any way
        ("3 3 6 9", "4 3\n3 6 5\n"),
        ("\r\n3\r\n3\r\n6\t9\r\n\r\n", "4 3\n3 6 5\n"),
        ("\u{feff}3 3 6 9", "4 3\n3 6 5\n"),
        // of several winning heaps the first
        ("3 1 1 1", "1 1\n0 1 1\n"),
        ("2 2 2", "lose\n"),
        ("1 007", "7 1\n0\n"),
        ("4 0 0 5 0", "5 3\n0 0 0 0\n"),
        ("2 0 0", "lose\n"),
        ("0", "lose\n"),
        // about the ends of the machine's numbers, and beyond
        ("2 9223372036854775807 0", "9223372036854775807 1\n0 0\n"),
        ("2 18446744073709551615 1", "18446744073709551614 1\n1 1\n"),
        ("2 1 18446744073709551616", "18446744073709551615 2\n1 1\n"),
        (
            "3 36893488147419103232 18446744073709551616 5",
            "18446744073709551611 1\n18446744073709551621 18446744073709551616 5\n",
        ),
        ("2 100000000000000000000000000000 100000000000000000000000000000", "lose\n"),
    ] {
        let output = run(input.as_bytes());
        assert_eq!(text(&output.stdout), expected, "{input:?}");
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""), "{input:?}");
    }
}

#[test]
fn bad_input() {
    // (input, the place, a part of the message)
    let cases: &[(&[u8], &str, &str)] = &[
        (b"", "line 1, column 1", "nothing is given; write how many heaps"),
        (b" \n\n", "line 1, column 1", "nothing is given"),
        (b"three 3 6 9", "line 1, column 1", "\"three\" is no number of heaps"),
        (b"-1 3", "line 1, column 1", "\"-1\" is no number of heaps"),
        (b"3\n3 six 9", "line 2, column 3", "\"six\" is no heap; a heap is a whole number from 0 up"),
        (b"3\n3 -6 9", "line 2, column 3", "\"-6\" is no heap"),
        (b"3\n3 6.5 9", "line 2, column 3", "\"6.5\" is no heap"),
        (b"3\n3 +6 9", "line 2, column 3", "\"+6\" is no heap"),
        (b"3\n3, 6, 9", "line 2, column 1", "\"3,\" is no heap"),
        ("2 1 \u{663}".as_bytes(), "line 1, column 5", "is no heap"),
        ("2\nжук 1".as_bytes(), "line 2, column 1", "\"жук\" is no heap"),
        (b"3\n3 6\n", "line 2, column 4", "3 heaps are announced, and only 2 given"),
        (b"1", "line 1, column 2", "1 heap is announced, and only 0 given"),
        (b"2 3 6 9", "line 1, column 7", "\"9\" is one number too many: 2 heaps are announced"),
        (b"0 3", "line 1, column 3", "\"3\" is one number too many: no heaps are announced"),
        (b"99999999999999999999999 3", "line 1, column 26", "99999999999999999999999 heaps are announced, and only 1"),
        (b"18446744073709551615", "line 1, column 21", "and only 0 given"),
        (b"3\n3 6 \xff9", "line 2, column 5", "not UTF-8"),
        (b"3\n3 6 9\x00", "line 2, column 5", "is no heap"),
    ];
    for (input, place, message) in cases {
        let output = run(input);
        let told = text(&output.stderr);
        let shown = String::from_utf8_lossy(input);
        assert!(told.starts_with(&format!("error: standard input, {place}: ")), "{shown:?}\n{told}");
        assert!(told.contains(message), "{shown:?}\n{told}");
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""), "{shown:?}");
    }
    let long = "2 1 ".to_owned() + &"x".repeat(100_000);
    assert!(run(long.as_bytes()).stderr.len() < 200);
}

#[test]
fn from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.in");
    std::fs::write(&path, "3\n3 6 9\n").unwrap();
    let nim = |file: &std::path::Path| program().arg(file).stdin(Stdio::null()).output().unwrap();
    assert_eq!(text(&nim(&path).stdout), "4 3\n3 6 5\n");
    for missing in [folder.path().to_path_buf(), folder.path().join("no.in")] {
        let output = nim(&missing);
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""));
        assert!(text(&output.stderr).contains(&missing.display().to_string()));
    }
    std::fs::write(&path, "3\n3 6 9 12\n").unwrap();
    assert!(text(&nim(&path).stderr).contains("match.in, line 2, column 7: "));
}

/// Random positions against the definition: a position is lost if no move leads to a lost one. A failure prints the
/// position; `GAMEPROOF_SEED=N` replays it alone, `GAMEPROOF_POSITIONS=N` takes so many.
#[test]
fn random_positions_against_the_definition() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match number("GAMEPROOF_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("GAMEPROOF_POSITIONS").unwrap_or(POSITIONS),
    };
    let mut known = HashMap::new();
    let (mut won, mut lost) = (0_u64, 0_u64);
    for seed in seeds.clone() {
        let mut random = fastrand::Rng::with_seed(seed);
        let count = random.usize(0..=4);
        let mut heaps: Vec<u64> = (0..count).map(|_| random.u64(0..=9)).collect();
        if random.bool() && count > 2 {
            // lost positions are rare among all: the last heap balances the others
            heaps[count - 1] = heaps[..count - 1].iter().fold(0, |sum, heap| sum ^ heap) % 10;
        }
        let replay = format!("{heaps:?}, replay with GAMEPROOF_SEED={seed}");
        let expected = (0..count).find_map(|heap| {
            let left = (0..heaps[heap]).find(|left| !wins(&with(&heaps, heap, *left), &mut known))?;
            Some((heap, left))
        });
        assert_eq!(expected.is_some(), wins(&heaps, &mut known), "{replay}");
        match (first_move(&heaps), expected) {
            (None, None) => lost += 1,
            (Some(made), Some((heap, _))) => {
                won += 1;
                assert_eq!(made.heap, heap, "not the lowest heap: {replay}");
                assert!(made.amount > 0 && made.amount + made.left == heaps[heap], "no move: {replay}");
                assert!(!wins(&with(&heaps, heap, made.left), &mut known), "does not win: {replay}");
            }
            (made, _) => panic!("{made:?} instead of {expected:?}: {replay}"),
        }
        // what is printed is that move, and the large numbers agree with the small ones
        let written = format!("{count} {}", heaps.iter().map(u64::to_string).collect::<Vec<_>>().join(" "));
        let small = Heaps::read(&written).unwrap();
        let large = Heaps::Large(heaps.iter().copied().map(UBig::from).collect());
        assert_eq!(small, Heaps::Small(heaps.clone()), "{replay}");
        assert_eq!(small.answer(), large.answer(), "{replay}");
        let printed = first_move(&heaps).map_or("lose\n".to_owned(), |made| {
            let after: Vec<String> = with(&heaps, made.heap, made.left).iter().map(u64::to_string).collect();
            format!("{} {}\n{}\n", made.amount, made.heap + 1, after.join(" "))
        });
        assert_eq!(small.answer(), printed, "{replay}");
    }
    if seeds.end - seeds.start > 1000 {
        assert!(won > lost && lost * 20 > won, "{won} won and {lost} lost positions show little");
    }
}

#[test]
fn a_million_heaps() {
    let heaps: Vec<String> = (0..1_000_000_u64).map(|at| ((1 << 62) + at).to_string()).collect();
    let output = run(format!("{}\n{}\n", heaps.len(), heaps.join(" ")).as_bytes());
    // the sum of all numbers below a multiple of 4 is balanced, and so are their high bits
    assert_eq!(text(&output.stdout), "lose\n");
}

/// Whether the player to move wins, by the definition.
fn wins(heaps: &[u64], known: &mut HashMap<Vec<u64>, bool>) -> bool {
    // heaps in another order are the same game
    let mut heaps = heaps.to_vec();
    heaps.sort_unstable();
    if let Some(known) = known.get(&heaps) {
        return *known;
    }
    let mut won = false;
    for heap in 0..heaps.len() {
        for left in 0..heaps[heap] {
            won = won || !wins(&with(&heaps, heap, left), known);
        }
    }
    known.insert(heaps, won);
    won
}

fn with(heaps: &[u64], heap: usize, left: u64) -> Vec<u64> {
    let mut heaps = heaps.to_vec();
    heaps[heap] = left;
    heaps
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gameproof"));
    command.arg("nim").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(input: &[u8]) -> Output {
    let mut child = program().stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
