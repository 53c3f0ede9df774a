//! Random problem files about sums of games, each from a seed.

use std::fmt::Write;

/// Makes a problem file about sums out of a seed.
#[must_use]
pub fn sum_problem(seed: u64) -> String {
    let mut maker = Sums { random: fastrand::Rng::with_seed(seed) };
    maker.problem()
}

struct Sums {
    random: fastrand::Rng,
}

impl Sums {
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.random.usize(0..from.len())]
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(0..100) < percent
    }

    fn problem(&mut self) -> String {
        let misere = self.chance(25);
        let (game, starts, last) = match self.random.u32(0..10) {
            0 => (format!("Nim(misere: {misere})"), self.heaps(), !misere),
            1 | 2 => (format!("Octal(\"{}\")", self.code()), self.heaps(), true),
            3..=7 => (self.heap_rules(misere), self.heaps(), !misere),
            _ => (self.pair_rules(misere), self.pairs(), !misere),
        };
        let mut text = format!("(\n    title: \"random sum\",\n    game: {game},\n");
        let _ = writeln!(
            text,
            "    start: {starts},\n    given: {{\"a\": \"0..=3\", \"b\": \"{}\"}},",
            self.pick(&["0..=2", "[4, 1]", "a..=a + 1"])
        );
        text.push_str("    questions: {\n");
        let mut asks = vec![
            "winner",
            "class",
            "remoteness",
            "moves",
            "winning moves",
            "count winning moves",
            "a winning move",
            "plays",
            "plays won by second",
            "shortest play",
            "longest play",
            "positions",
            "count where win",
            "all a where loss",
            "all b where can(loss)",
            "count where W1 or L1",
            "count where must(win) and moves > 1",
            "max remoteness where loss in 2",
            "exists where draw",
            "grid a, b where win and not W1",
            "sum moves",
            "count where can(must(can(loss)))",
        ];
        if last {
            asks.extend(["grundy", "max grundy", "count where grundy == xor(a, b)", "all a where can(grundy == 0)"]);
        }
        for label in 0..6 {
            let ask = asks[self.random.usize(0..asks.len())];
            let _ = writeln!(text, "        \"{label}\": (ask: \"{ask}\"),");
        }
        text.push_str("    },\n)\n");
        text
    }

    fn code(&mut self) -> String {
        let first = if self.chance(20) { "4" } else { "0" };
        let digits: String =
            (0..self.random.usize(1..4)).map(|_| self.pick(&["0", "1", "2", "3", "4", "5", "6", "7"])).collect();
        format!("{first}.{digits}")
    }

    /// One, two or three heaps.
    fn heaps(&mut self) -> String {
        self.pick(&["[\"a\", \"b\"]", "[\"a + 1\"]", "[\"a\", \"b\", \"1\"]", "[\"a\", \"2\"]", "[\"b\", \"b\"]"])
            .to_owned()
    }

    fn pairs(&mut self) -> String {
        self.pick(&["[\"a, b\", \"1, 2\"]", "[\"a, 1\"]", "[\"b, b\", \"a, 0\"]"]).to_owned()
    }

    fn heap_rules(&mut self, misere: bool) -> String {
        let mut moves: Vec<String> = Vec::new();
        for number in 0..self.random.usize(1..4) {
            let body = self.pick(&[
                "x - k for k in 1..=x",
                "x - 1 if x >= 1",
                "x - k for k in [1, 3] if k <= x",
                "k | x - k for k in 1..x",
                "k | x - 1 - k for k in 0..=x - 1",
                "x // 2 if x > 0",
                "x // 2 | x // 3 if x > 1",
                "1 | 0 | x - 2 if x >= 2",
                "x - 2 | 1 if x > 2 and x % 2 == 0",
                "x - m if x >= m",
            ]);
            moves.push(format!("\"m{number}\": \"{body}\""));
        }
        if self.chance(12) {
            // play need not end
            moves.push("\"back\": \"x + 1 if x == 1\"".to_owned());
        }
        self.rules("x", &moves, &["x == 0", "x <= 1", "x < 0"], "x != 2", misere)
    }

    fn pair_rules(&mut self, misere: bool) -> String {
        let mut moves: Vec<String> = Vec::new();
        for number in 0..self.random.usize(1..3) {
            let body = self.pick(&[
                "x - k, y for k in 1..=x",
                "x, y - 1 if y > 0",
                "y, x - 1 if x > 0",
                "x - 1, y | y, 0 if x > 0 and y > 0",
                "x -= 1, y += 1 if x >= 1",
                "x -= 1 | y -= 1, x = 0 if x >= 1 and y >= 1",
            ]);
            moves.push(format!("\"m{number}\": \"{body}\""));
        }
        self.rules("x, y", &moves, &["x + y <= 0", "x == 0"], "x + y != 3", misere)
    }

    fn rules(&mut self, state: &str, moves: &[String], ends: &[&str], legal: &str, misere: bool) -> String {
        let mut moves = moves.to_vec();
        // a parameter of the rules must be given; here a constant takes its place
        moves.iter_mut().for_each(|made| *made = made.replace("- m", "- (1 + b - b)").replace(">= m", ">= 1"));
        let mut text = format!("Rules(state: \"{state}\", moves: {{{}}}", moves.join(", "));
        if self.chance(40) {
            let _ = write!(text, ", end: \"{}\"", self.pick(ends));
        }
        if self.chance(20) {
            let _ = write!(text, ", legal: \"{legal}\"");
        }
        if misere {
            text.push_str(", winner: \"other\"");
        }
        text.push(')');
        text
    }
}
