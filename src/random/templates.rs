//! Towers of Hanoi, peg solitaire, and Grundy sequences with their periods.

use std::fmt::Write;

use super::words::Words;

const PUZZLE_ASKS: [&str; 14] = [
    "fewest moves",
    "shortest solutions",
    "solvable",
    "solution",
    "farthest",
    "moves",
    "plays",
    "shortest play",
    "longest play",
    "positions",
    "count where solvable and distance > 1",
    "exists where can(distance == 1)",
    "every where must(solvable) or end",
    "max distance + moves where not goal",
];

/// Makes a problem file with a game form that is a template, or with one pile, out of a seed.
#[must_use]
pub fn template_problem(seed: u64) -> String {
    let mut words = Words::new(seed);
    match words.random.u32(0..4) {
        0 => hanoi(&mut words),
        1 => pegs(&mut words),
        _ => sequence(&mut words),
    }
}

fn questions(words: &mut Words, asks: &[&str], text: &mut String) {
    text.push_str("    questions: {\n");
    for label in 0..words.random.usize(2..6) {
        let _ = writeln!(text, "        \"q{label}\": (ask: \"{}\"),", words.pick(asks));
    }
    text.push_str("    },\n)\n");
}

fn hanoi(words: &mut Words) -> String {
    let (disks, pegs) = (words.number(0, 4), words.number(3, 4));
    let mut fields = format!("disks: {disks}");
    if pegs != 3 || words.chance(20) {
        let _ = write!(fields, ", pegs: {pegs}");
    }
    if words.chance(30) {
        let _ = write!(fields, ", from: {}, to: {}", words.number(0, pegs - 1), words.number(0, pegs - 1));
    }
    if words.chance(60) {
        let _ = write!(fields, ", step: \"{}\"", words.pick(&["any", "adjacent", "cyclic"]));
    }
    let mut text = format!("(\n    title: \"random tower\",\n    game: Hanoi({fields}),\n");
    if disks > 0 && words.chance(40) {
        let start: Vec<String> = (0..disks).map(|_| words.pick(&["0", "1", "2", "a"]).to_owned()).collect();
        let _ = writeln!(text, "    start: \"[{}]\",\n    given: {{\"a\": \"0..{pegs}\"}},", start.join(", "));
    }
    questions(words, &PUZZLE_ASKS, &mut text);
    text
}

fn pegs(words: &mut Words) -> String {
    let (rows, columns) = (words.random.usize(1..4), words.random.usize(2..6));
    let board = |words: &mut Words, signs: &[&str]| {
        let row = |words: &mut Words| (0..columns).map(|_| words.pick(signs)).collect::<String>();
        (0..rows).map(|_| format!("\"{}\"", row(words))).collect::<Vec<_>>().join(", ")
    };
    let signs = [&["o", "o", "."][..], &["o", "o", "o", ".", " "]][words.random.usize(0..2)];
    let drawn = board(words, signs);
    // a board has a hole at least
    let drawn = if drawn.contains(['o', '.']) { drawn } else { drawn.replacen(' ', "o", 1) };
    let holes = drawn.matches(['o', '.']).count();
    let mut text = format!("(\n    title: \"random pegs\",\n    game: PegSolitaire(board: [{drawn}]");
    if words.chance(30) {
        // the same holes, each filled or not
        let goal: String = drawn
            .chars()
            .map(|sign| match sign {
                'o' | '.' => {
                    if words.chance(25) {
                        'o'
                    } else {
                        '.'
                    }
                }
                other => other,
            })
            .collect();
        let _ = write!(text, ", goal: [{goal}]");
    }
    text.push_str("),\n");
    if holes > 0 && words.chance(20) {
        let start: Vec<String> = (0..holes).map(|_| words.number(0, 1).to_string()).collect();
        let _ = writeln!(text, "    start: \"[{}]\",", start.join(", "));
    }
    questions(words, &PUZZLE_ASKS, &mut text);
    text
}

/// One pile, as an octal code or by rules whose moves take a bounded amount.
fn sequence(words: &mut Words) -> String {
    let game = if words.chance(50) {
        let digits: String =
            (0..words.random.usize(1..4)).map(|_| words.pick(&["0", "1", "2", "3", "3", "4", "6", "7"])).collect();
        format!("Octal(\"{}.{digits}\")", words.pick(&["0", "0", "0", "4"]))
    } else {
        let splits = words.chance(25);
        let count = words.random.usize(1..4);
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..count {
            let k = words.number(1, 5);
            let made = match words.random.u32(0..6) {
                0 if splits => format!("v | x - {k} - v for v in 0..=x - {k}"),
                1 if splits => format!("v | x - {k} - v for v in 1..=x - {} if v != 2", k + 1),
                2 => format!("x - v for v in 1..={k} if v <= x"),
                3 => format!("x - {k} if x >= {}", k + 1),
                4 => format!("x - v for v in [1, {k}] if v <= x"),
                _ => format!("x - {k} if x >= {k}"),
            };
            if !moves.contains(&made) {
                moves.push(made);
            }
        }
        let moves: Vec<String> = moves.iter().map(|made| format!("\"{made}\"")).collect();
        format!("Rules(state: \"x\", moves: [{}])", moves.join(", "))
    };
    let asks = [
        "period",
        "grundy",
        "all h where grundy == 0",
        "max grundy",
        "count where grundy == 1 and can(grundy == 0)",
        "winner",
        "sum grundy where h % 2 == 0",
        "smallest 3 h where loss",
    ];
    let mut text = format!("(\n    title: \"random sequence\",\n    game: {game},\n    start: [\"h\"],\n");
    let from = words.number(0, 6);
    let _ = writeln!(text, "    given: {{\"h\": \"{from}..={}\"}},", from + words.number(0, 8));
    text.push_str("    questions: {\n");
    for label in 0..words.random.usize(2..5) {
        let ask = words.pick(&asks);
        let _ = write!(text, "        \"q{label}\": (ask: \"{ask}\"");
        if ask == "period" {
            let _ = write!(text, ", start: [\"{}\"], given: {{}}", words.number(10, 120));
        }
        text.push_str("),\n");
    }
    text.push_str("    },\n)\n");
    text
}
