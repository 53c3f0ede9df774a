//! Games that a theorem solves: each file has keys from a formula, which shares nothing with the engines.
//!
//! Sources: C. Bouton, "Nim, a game with a complete mathematical theory", 1901; W. Wythoff, "A modification of the game
//! of Nim", 1907; E. Moore, "A generalization of the game called Nim", 1910; E. Lasker, *Brettspiele der Völker*, 1931;
//! A. Cole, A. Davie, "A game based on the Euclidean algorithm", 1969; M. Whinihan, "Fibonacci Nim", 1963;
//! E. Lucas, *Récréations mathématiques*, 1882-1893; R. Graham, D. Knuth, O. Patashnik, *Concrete Mathematics*, ch. 1;
//! E. Berlekamp, J. Conway, R. Guy, *Winning Ways*.

use std::fmt::Write;

use super::words::Words;

/// Makes a problem file with keys out of a seed.
#[must_use]
pub fn theorem_problem(seed: u64) -> String {
    let mut words = Words::new(seed);
    let (_, make) = FAMILIES[words.random.usize(0..FAMILIES.len())];
    let (game, questions) = make(&mut words);
    let mut text = format!("(\n    title: \"theorem\",\n{game}    questions: {{\n");
    for (label, (ask, key)) in questions.iter().enumerate() {
        let _ = writeln!(text, "        \"q{label}\": (ask: \"{ask}\", key: {key}),");
    }
    text.push_str("    },\n)\n");
    text
}

/// The fields of the game and of its start, and the asks with their keys.
type Solved = (String, Vec<(String, String)>);

type Family = fn(&mut Words) -> Solved;

/// The families, with what is known of each.
const FAMILIES: [(&str, Family); 22] = [
    ("Nim", nim),
    ("Nim, misère", nim_misere),
    ("Nim with large heaps", large_nim),
    ("Nim as one position", nim_position),
    ("Moore's Nim", moore),
    ("Lasker's Nim", lasker),
    ("staircase Nim", staircase),
    ("turning turtles", turtles),
    ("subtraction of 1 to m", bachet),
    ("subtraction of 1 to m, misère", bachet_misere),
    ("subtraction of powers", powers),
    ("subtraction sets", subtraction),
    ("Wythoff", wythoff),
    ("Euclid", euclid),
    ("Fibonacci Nim", fibonacci),
    ("Chomp of two rows", chomp),
    ("lattice ways", lattice),
    ("frogs and toads", frogs),
    ("Hanoi", hanoi),
    ("doubling", doubling),
    ("jugs", jugs),
    ("Kayles", kayles),
];

fn list<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    format!("[{}]", values.join(", "))
}

fn ask(ask: impl Into<String>, key: impl ToString) -> (String, String) {
    (ask.into(), key.to_string())
}

fn winner(won: bool) -> &'static str {
    if won { "\"first\"" } else { "\"second\"" }
}

fn sum_of(game: &str, heaps: &[i64]) -> String {
    let heaps: Vec<String> = heaps.iter().map(|heap| format!("\"{heap}\"")).collect();
    format!("    game: {game},\n    start: [{}],\n", heaps.join(", "))
}

fn nim_sum(heaps: &[i64]) -> i64 {
    heaps.iter().fold(0, |sum, heap| sum ^ heap)
}

/// How many moves leave a nim-sum of 0: one in each heap that its nim-sum with the whole makes smaller.
fn winning_moves(heaps: &[i64]) -> usize {
    let sum = nim_sum(heaps);
    heaps.iter().filter(|heap| *heap ^ sum < **heap).count()
}

fn heaps(words: &mut Words, most: i64) -> Vec<i64> {
    (0..words.random.usize(1..4)).map(|_| words.number(0, most)).collect()
}

fn nim(words: &mut Words) -> Solved {
    let heaps = heaps(words, 5);
    let game = words.pick(&["Nim()", "Nim(misere: false)", "Rules(state: \"h\", moves: [\"h - k for k in 1..=h\"])"]);
    let asks = vec![
        ask("winner", winner(nim_sum(&heaps) != 0)),
        ask("grundy", nim_sum(&heaps)),
        ask("count winning moves", winning_moves(&heaps)),
        ask("positions", heaps.iter().map(|heap| heap + 1).product::<i64>()),
    ];
    (sum_of(game, &heaps), asks)
}

fn nim_misere(words: &mut Words) -> Solved {
    let heaps = heaps(words, 4);
    let ones = heaps.iter().filter(|heap| **heap == 1).count();
    let won = if heaps.iter().all(|heap| *heap <= 1) { ones % 2 == 0 } else { nim_sum(&heaps) != 0 };
    let game =
        words.pick(&["Nim(misere: true)", "Rules(state: \"h\", moves: [\"h - k for k in 1..=h\"], winner: \"other\")"]);
    (sum_of(game, &heaps), vec![ask("winner", winner(won))])
}

fn large_nim(words: &mut Words) -> Solved {
    // the memo lists as many moves as it may, which takes long
    let most = if words.chance(3) { i64::MAX } else { 200 };
    let heaps: Vec<i64> = (0..words.random.usize(2..6)).map(|_| words.number(0, most)).collect();
    let asks = vec![
        ask("winner", winner(nim_sum(&heaps) != 0)),
        ask("grundy", nim_sum(&heaps)),
        ask("count winning moves", winning_moves(&heaps)),
    ];
    (sum_of("Nim()", &heaps), asks)
}

fn nim_position(words: &mut Words) -> Solved {
    let high = words.number(1, 4);
    let game = "    game: Rules(state: \"c[3]\", moves: [\"c[i] -= k for i in 0..3 for k in 1..=c[i]\"]),\n";
    let start = format!("    start: \"[a, b, 2]\",\n    given: {{\"a\": \"0..={high}\", \"b\": \"0..={high}\"}},\n");
    let pairs = || (0..=high).flat_map(|a| (0..=high).map(move |b| (a, b)));
    let lost = pairs().filter(|(a, b)| a ^ b == 2).map(|(a, b)| 10 * a + b);
    let rows = (0..=high).map(|a| list((0..=high).map(|b| i64::from(a ^ b ^ 2 != 0))));
    let asks = vec![
        ask("all 10 * a + b where loss", list(lost)),
        ask("sum grundy", pairs().map(|(a, b)| a ^ b ^ 2).sum::<i64>()),
        ask("grid a, b where win", list(rows)),
        ask("every where grundy == xor(a, b, 2)", true),
    ];
    (format!("{game}{start}"), asks)
}

/// From one or two heaps at once: lost where each binary digit stands in a multiple of three heaps.
fn moore(words: &mut Words) -> Solved {
    let heaps: Vec<i64> = (0..3).map(|_| words.number(0, 3)).collect();
    let lost = (0..3).all(|bit| heaps.iter().filter(|heap| *heap >> bit & 1 == 1).count() % 3 == 0);
    let moves = "[\"c[i] -= k for i in 0..3 for k in 1..=c[i]\", \
                 \"c[i] -= k, c[j] -= l for i in 0..3 for j in i + 1..3 for k in 1..=c[i] for l in 1..=c[j]\"]";
    let game = format!("    game: Rules(state: \"c[3]\", moves: {moves}),\n    start: \"{}\",\n", list(&heaps));
    (game, vec![ask("winner", winner(!lost))])
}

/// A heap may also be split: heaps of 4k + 3 and 4k + 4 change their values.
fn lasker(words: &mut Words) -> Solved {
    let heaps = heaps(words, 6);
    let value = |heap: i64| match heap % 4 {
        3 => heap + 1,
        0 if heap > 0 => heap - 1,
        _ => heap,
    };
    let sum = heaps.iter().fold(0, |sum, heap| sum ^ value(*heap));
    let game = "Rules(state: \"h\", moves: [\"h - k for k in 1..=h\", \"k | h - k for k in 1..h\"])";
    (sum_of(game, &heaps), vec![ask("grundy", sum), ask("winner", winner(sum != 0))])
}

/// Coins go down a step: only those on odd steps count.
fn staircase(words: &mut Words) -> Solved {
    let steps: Vec<i64> = (0..3).map(|_| words.number(0, 3)).collect();
    let moves = "[\"c[0] -= k for k in 1..=c[0]\", \"c[i] -= k, c[i - 1] += k for i in 1..3 for k in 1..=c[i]\"]";
    let game = format!("    game: Rules(state: \"c[3]\", moves: {moves}),\n    start: \"{}\",\n", list(&steps));
    (game, vec![ask("winner", winner(steps[0] ^ steps[2] != 0)), ask("grundy", steps[0] ^ steps[2])])
}

/// A turtle on its feet is turned over, and maybe one to the left of it turned as well: each counts as a heap.
fn turtles(words: &mut Words) -> Solved {
    let feet: Vec<i64> = (0..5).map(|_| words.number(0, 1)).collect();
    let sum = (1..).zip(&feet).fold(0_i64, |sum, (place, feet)| sum ^ (place * feet));
    let moves = "[\"c[i] = 0 for i in 0..5 if c[i] == 1\", \
                 \"c[i] = 0, c[j] = 1 - c[j] for i in 0..5 if c[i] == 1 for j in 0..i\"]";
    let game = format!("    game: Rules(state: \"c[5]\", moves: {moves}),\n    start: \"{}\",\n", list(&feet));
    (game, vec![ask("grundy", sum), ask("winner", winner(sum != 0))])
}

fn pile(moves: &str, more: &str, high: i64) -> String {
    format!(
        "    game: Rules(state: \"n\", moves: [\"{moves}\"]{more}),\n    start: \"n\",\n    given: {{\"n\": \"0..={high}\"}},\n"
    )
}

fn bachet(words: &mut Words) -> Solved {
    let (m, high) = (words.number(1, 6), words.number(1, 40));
    let asks = vec![
        ask("all n where loss", list((0..=high).filter(|n| n % (m + 1) == 0))),
        ask("sum grundy", (0..=high).map(|n| n % (m + 1)).sum::<i64>()),
        // the loser delays: he takes one, and m are taken together with the answer
        ask("max remoteness where loss", 2 * (high / (m + 1))),
    ];
    (pile(&format!("n - k for k in 1..={m} if k <= n"), "", high), asks)
}

fn bachet_misere(words: &mut Words) -> Solved {
    let (m, high) = (words.number(1, 6), words.number(1, 40));
    let lost = list((0..=high).filter(|n| n % (m + 1) == 1));
    let moves = format!("n - k for k in 1..={m} if k <= n");
    // with one taken at a time the odd piles are lost; with an empty pile the player to move has won
    (pile(&moves, ", winner: \"other\"", high), vec![ask("all n where loss", lost)])
}

/// Powers of two leave a remainder by three, powers of three one by two.
fn powers(words: &mut Words) -> Solved {
    let (base, period) = [(2, 3), (3, 2)][words.random.usize(0..2)];
    let high = words.number(1, 60);
    let moves = format!("n - {base} ** k for k in 0..=5 if {base} ** k <= n");
    let asks = vec![
        ask("all n where loss", list((0..=high).filter(|n| n % period == 0))),
        ask("max grundy", (period - 1).min(high)),
    ];
    (pile(&moves, "", high), asks)
}

/// Any set of three numbers, by the mex of its three options; and two numbers, whose values repeat after their sum.
fn subtraction(words: &mut Words) -> Solved {
    let mut set = vec![words.number(1, 4), words.number(5, 7)];
    let period = set[0] + set[1];
    let two = words.chance(50);
    if !two {
        set.push(words.number(8, 11));
    }
    let high = words.number(20, 80);
    let mut values: Vec<i64> = Vec::new();
    for n in 0..=high {
        let reached: Vec<i64> =
            set.iter().filter_map(|taken| usize::try_from(n - taken).ok()).map(|left| values[left]).collect();
        values.push((0..).find(|value| !reached.contains(value)).unwrap_or(0));
    }
    let lost = (0..).zip(&values).filter(|(_, value)| **value == 0).map(|(n, _): (i64, _)| n);
    let mut asks = vec![
        ask("all n where loss", list(lost)),
        ask("sum n * grundy", (0..).zip(&values).map(|(n, value): (i64, &i64)| n * value).sum::<i64>()),
    ];
    if two {
        asks.push(ask(format!("every where grundy == 0 or n % {period} >= {}", set[0]), true));
    }
    (pile(&format!("n - k for k in {} if k <= n", list(&set)), "", high), asks)
}

/// Lost are the pairs of the least number not in a pair before, and of it with the number of the pair.
fn wythoff(words: &mut Words) -> Solved {
    let high = words.number(1, 8);
    let mut pairs: Vec<(i64, i64)> = Vec::new();
    for number in 0..=high {
        let least = (0..).find(|n| pairs.iter().all(|(a, b)| a != n && b != n)).unwrap_or(0);
        pairs.push((least, least + number));
    }
    let lost = pairs.iter().filter(|(_, b)| *b <= high);
    let game = words.pick(&[
        "[\"x - k, y for k in 1..=x\", \"x, y - k for k in 1..=y\", \"x - k, y - k for k in 1..=min(x, y)\"]",
        "[\"x -= i * k, y -= j * k for (i, j) in [[1, 0], [0, 1], [1, 1]] for k in 1..=8 if i * k <= x and j * k <= y\"]",
    ]);
    let start = format!("    start: \"a, b\",\n    given: {{\"a\": \"0..={high}\", \"b\": \"a..={high}\"}},\n");
    let asks = vec![
        ask("all 10 * a + b where loss", list(lost.clone().map(|(a, b)| 10 * a + b))),
        ask("count where loss", lost.count()),
    ];
    (format!("    game: Rules(state: \"x, y\", moves: {game}),\n{start}"), asks)
}

/// A multiple of the smaller number is taken from the larger: lost within the golden ratio, unless they are equal.
fn euclid(words: &mut Words) -> Solved {
    let high = words.number(2, 9);
    let lost = |a: i64, b: i64| a != b && b * b < a * b + a * a;
    let pairs = (1..=high).flat_map(|a| (a..=high).map(move |b| (a, b)));
    let moves = "[\"x, y - k * x for k in 1..=9 if x > 0 and k * x <= y\", \"x - k * y, y for k in 1..=9 if y > 0 and k * y <= x\"]";
    let game = format!("    game: Rules(state: \"x, y\", moves: {moves}, end: \"x == 0 or y == 0\"),\n");
    let start = format!("    start: \"a, b\",\n    given: {{\"a\": \"1..={high}\", \"b\": \"a..={high}\"}},\n");
    let asks =
        vec![ask("all 10 * a + b where loss", list(pairs.filter(|(a, b)| lost(*a, *b)).map(|(a, b)| 10 * a + b)))];
    (format!("{game}{start}"), asks)
}

/// At most twice as many as the opponent took: lost are the Fibonacci numbers.
fn fibonacci(words: &mut Words) -> Solved {
    let high = words.number(2, 22);
    let lost = [2, 3, 5, 8, 13, 21].into_iter().filter(|n| *n <= high);
    let game = "    game: Rules(state: \"n, most\", moves: [\"n - k, 2 * k for k in 1..=min(n, most)\"]),\n";
    let start = format!("    start: \"s, s - 1\",\n    given: {{\"s\": \"2..={high}\"}},\n");
    (format!("{game}{start}"), vec![ask("all s where loss", list(lost))])
}

/// Whoever takes the corner loses: lost where the upper row is one shorter.
fn chomp(words: &mut Words) -> Solved {
    let high = words.number(1, 7);
    let moves = "[\"k, min(k, y) for k in 1..x\", \"x, k for k in 0..y\", \"0, 0 if x > 0\"]";
    let game = format!("    game: Rules(state: \"x, y\", moves: {moves}, winner: \"other\"),\n");
    let start = format!("    start: \"a, b\",\n    given: {{\"a\": \"1..={high}\", \"b\": \"0..=a\"}},\n");
    let asks = vec![ask("all 10 * a + b where loss", list((1..=high).map(|a| 11 * a - 1)))];
    (format!("{game}{start}"), asks)
}

/// One of two numbers goes down by one: as many plays as there are ways in a lattice.
fn lattice(words: &mut Words) -> Solved {
    let (a, b) = (words.number(0, 12), words.number(0, 12));
    let ways = (1..=a).fold(1, |ways, k| ways * (b + k) / k);
    let game = "    game: Rules(state: \"x, y\", moves: [\"x - 1, y if x > 0\", \"x, y - 1 if y > 0\"]),\n";
    let odd = (a + b) % 2 == 1;
    let asks = vec![
        ask("plays", ways),
        ask("plays won by first", if odd { ways } else { 0 }),
        ask("positions", (a + 1) * (b + 1)),
        ask("shortest play", a + b),
        ask("longest play", a + b),
        ask("grundy", (a + b) % 2),
        ask("winner", winner(odd)),
    ];
    (format!("{game}    start: \"{a}, {b}\",\n"), asks)
}

/// Frogs and toads change sides in f * t jumps and f + t steps, in two ways that mirror each other; more, where there
/// is but one of them.
fn frogs(words: &mut Words) -> Solved {
    let (f, t) = (words.number(1, 3), words.number(1, 3));
    let places = f + t + 1;
    let moves = format!(
        "[\"b[i] = 0, b[i + 1] = 1 for i in 0..{} if b[i] == 1 and b[i + 1] == 0\", \
         \"b[i] = 0, b[i + 2] = 1 for i in 0..{} if b[i] == 1 and b[i + 1] == 2 and b[i + 2] == 0\", \
         \"b[i] = 0, b[i - 1] = 2 for i in 1..{places} if b[i] == 2 and b[i - 1] == 0\", \
         \"b[i] = 0, b[i - 2] = 2 for i in 2..{places} if b[i] == 2 and b[i - 1] == 1 and b[i - 2] == 0\"]",
        places - 1,
        places - 2
    );
    let row = |left: i64, right: i64, one: i64, other: i64| {
        let part = |count: i64, kind: i64| (0..count).map(move |_| kind);
        list(part(left, one).chain([0]).chain(part(right, other)))
    };
    let goal = row(t, f, 2, 1);
    let game = format!(
        "    game: Puzzle(state: \"b[{places}]\", moves: {moves}, goal: \"b == {goal}\"),\n    start: \"{}\",\n",
        row(f, t, 1, 2)
    );
    let mut asks = vec![ask("fewest moves", f * t + f + t), ask("solvable", true)];
    if f > 1 && t > 1 {
        asks.push(ask("shortest solutions", 2));
    }
    (game, asks)
}

fn hanoi(words: &mut Words) -> Solved {
    let disks = words.random.usize(0..5);
    let twice: i64 = 1 << disks;
    let thrice = (0..disks).fold(1_i64, |power, _| 3 * power);
    let (fields, fewest) = match words.random.u32(0..5) {
        0 => ("step: \"any\"", twice - 1),
        1 => ("step: \"adjacent\"", thrice - 1),
        // one step round and two steps round rest on each other
        2 => ("step: \"cyclic\", from: 0, to: 1", round(disks).0),
        3 => ("step: \"cyclic\", from: 0, to: 2", round(disks).1),
        // Frame's number for four pegs, which Bousch proved to be the least in 2014
        _ => ("pegs: 4", [0, 1, 3, 5, 9][disks]),
    };
    let mut asks = vec![ask("fewest moves", fewest)];
    if !fields.contains("pegs") {
        asks.push(ask("positions", thrice));
        asks.push(ask("shortest solutions", 1));
    }
    (format!("    game: Hanoi(disks: {disks}, {fields}),\n"), asks)
}

fn round(disks: usize) -> (i64, i64) {
    (0..disks).fold((0, 0), |(one, two), _| {
        let next = 2 * two + 1;
        (next, next + one + 1)
    })
}

/// From 1 by adding one or doubling: a move for each binary digit but the first, and one more for each that is 1.
fn doubling(words: &mut Words) -> Solved {
    let n = words.number(1, 60);
    let fewest = i64::from(64 - n.leading_zeros() - 1) + i64::from(n.count_ones() - 1);
    let game = format!(
        "    game: Puzzle(state: \"x\", moves: [\"x + 1\", \"x * 2\"], goal: \"x == {n}\", legal: \"x <= {n}\"),\n"
    );
    (
        format!("{game}    start: \"1\",\n"),
        vec![ask("fewest moves", fewest), ask("positions", n), ask("solvable", true)],
    )
}

/// Two jugs measure the multiples of what their sizes have in common.
fn jugs(words: &mut Words) -> Solved {
    let (a, b) = (words.number(1, 6), words.number(1, 6));
    let common = (1..=a).filter(|d| a % d == 0 && b % d == 0).max().unwrap_or(1);
    let moves = format!(
        "{{\"fill\": \"x = {a}\", \"fill other\": \"y = {b}\", \"empty\": \"x = 0\", \"empty other\": \"y = 0\", \
         \"pour\": \"x -= k, y += k for k in [min(x, {b} - y)] if k > 0\", \
         \"pour back\": \"x += k, y -= k for k in [min(y, {a} - x)] if k > 0\"}}"
    );
    let most = a.max(b);
    let goals = list((0..=most).filter(|k| k % common == 0));
    let game = format!("    game: Puzzle(state: \"x, y, g\", moves: {moves}, goal: \"x == g or y == g\"),\n");
    let start = format!("    start: \"0, 0, wanted\",\n    given: {{\"wanted\": \"0..={most}\"}},\n");
    (format!("{game}{start}"), vec![ask("all wanted where solvable", goals)])
}

/// The values of Kayles, which repeat after 12 but for those of a few small rows.
fn kayles(words: &mut Words) -> Solved {
    const REPEATED: [i64; 12] = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7];
    let heap = words.number(71, 400);
    let place = usize::try_from(heap % 12).unwrap_or(0);
    let game = "Octal(\"0.77\")";
    let asks = vec![ask("grundy", REPEATED[place]), ask("winner", winner(true))];
    (sum_of(game, &[heap]), asks)
}
