//! Games with two piles that grow, of every winner, with memory of the move before, loops of play and rule errors.

use std::fmt::Write;

use super::words::OF_A_START;

/// Makes a problem file out of a seed.
#[must_use]
pub fn game_problem(seed: u64) -> String {
    Maker::new(seed).problem()
}

struct Maker {
    random: fastrand::Rng,
    /// Names of numbers that an expression may read.
    names: Vec<&'static str>,
    partizan: bool,
    array: bool,
    /// How many loop variables there are so far: none may hide another.
    loops: u32,
}

impl Maker {
    fn new(seed: u64) -> Self {
        Self { random: fastrand::Rng::with_seed(seed), names: Vec::new(), partizan: false, array: false, loops: 0 }
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(0..100) < percent
    }

    fn loop_variable(&mut self) -> String {
        self.loops += 1;
        format!("v{}", self.loops)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.random.usize(0..from.len())]
    }

    fn problem(&mut self) -> String {
        self.partizan = self.chance(30);
        self.array = self.chance(30);
        let parameter = self.chance(25);
        let previous = self.chance(25);
        let loops = self.chance(20);
        let mut state = "x, y".to_owned();
        let mut start = "a, b".to_owned();
        self.names = vec!["x", "y", "n"];
        if previous {
            state.push_str(", prev");
            start.push_str(", 0");
            self.names.push("prev");
        }
        if self.array {
            state.push_str(", c[3]");
            start.push_str(", [a % 2, 1, 0]");
        }
        if parameter {
            self.names.push("m");
        }
        let moves = self.moves(previous, loops);
        let n = self.random.i64(3..12);
        let mut text =
            format!("(\n    title: \"random\",\n    constants: {{\"n\": {n}, \"steps\": [1, 2, {}]}},\n", n / 2);
        let _ = write!(text, "    game: Rules(\n        state: \"{state}\",\n        moves: {moves},\n");
        if self.chance(92) {
            let end = self.end(loops);
            let _ = writeln!(text, "        end: \"{end}\",");
        }
        if self.chance(30) {
            let legal = self.condition(1);
            let _ = writeln!(text, "        legal: \"x >= -3 and ({legal} or x + y < n)\",");
        }
        let winner = self.winner();
        if let Some(winner) = &winner {
            let _ = writeln!(text, "        winner: \"{winner}\",");
        }
        let _ = write!(text, "    ),\n    start: \"{start}\",\n    given: {{");
        if parameter {
            text.push_str("\"m\": \"1..=2\", ");
        }
        let high = self.random.i64(2..6);
        let guard = if self.chance(30) { " if (a + b) % 3 != 1" } else { "" };
        let _ = writeln!(
            text,
            "\"a\": \"0..={high}\", \"b\": \"{}{guard}\"}},",
            self.pick(&["0..=3", "a..=a + 2", "[3, 0, 1]"])
        );
        text.push_str("    questions: {\n");
        let grundy = !self.partizan_rules(&winner) && winner.is_none();
        for (label, ask) in self.asks(grundy, parameter).iter().enumerate() {
            let _ = writeln!(text, "        \"{label}\": (ask: \"{ask}\"),");
        }
        text.push_str("    },\n)\n");
        text
    }

    fn partizan_rules(&self, winner: &Option<String>) -> bool {
        self.partizan || winner.as_ref().is_some_and(|winner| winner.contains("first") || winner.contains("second"))
    }

    fn moves(&mut self, previous: bool, loops: bool) -> String {
        let mut moves = Vec::new();
        for number in 0..self.random.usize(2..5) {
            let (sign, other) = if loops { (self.pick(&["+", "-"]), self.pick(&["+", "-"])) } else { ("+", "+") };
            let mut x = format!("x {sign} {}", self.random.i64(1..4));
            let mut y = "y".to_owned();
            let mut clauses = String::new();
            match self.random.u32(0..7) {
                0 => x = "2 * x + 1".to_owned(),
                1 => (x, y) = ("x".to_owned(), format!("y {other} {}", self.random.i64(1..3))),
                2 => {
                    x = "x + k".to_owned();
                    clauses =
                        self.pick(&[" for k in steps", " for k in 1..=2", " for k in [3, 1] if k != y"]).to_owned();
                }
                3 => (x, y) = ("y".to_owned(), "x + 1".to_owned()),
                4 => (x, y) = (format!("x {sign} 1"), format!("max(x, y) {other} 1")),
                5 if loops => (x, y) = ("(x + 1) % n".to_owned(), "y".to_owned()),
                5 => x = format!("x + {}", self.expression(1)),
                _ => {}
            }
            let mut body = format!("{x}, {y}");
            if previous {
                let _ = write!(body, ", {number}");
                let _ = write!(clauses, " if prev != {number}");
            }
            if self.array {
                body.push_str(self.pick(&[", c", ", [c[1], c[2], c[0]]", ", [1 - v for v in c]", ", [0] * 3"]));
            }
            if !previous && !self.array && self.chance(25) {
                body = self.pick(&["x += 1, y = x", "y += 2", "x = y + 1, y = x", "x += y + 1"]).to_owned();
                clauses.clear();
            }
            if self.chance(40) {
                let _ = write!(clauses, " if {}", self.condition(1));
            }
            if self.partizan && self.chance(60) {
                let _ = write!(clauses, " if turn == {}", self.random.i64(1..3));
            }
            moves.push(format!("\"m{number}\": \"{body}{clauses}\""));
        }
        if self.partizan {
            moves.push(format!(
                "\"both\": \"x + 1, y + turn{}{}\"",
                if previous { ", 9" } else { "" },
                if self.array { ", c" } else { "" }
            ));
        }
        format!("{{{}}}", moves.join(", "))
    }

    fn end(&mut self, loops: bool) -> String {
        let bound = self.pick(&[
            "x + y >= n",
            "x >= n",
            "max(x, y) >= n",
            "x * x + y * y > n * n",
            "x - y > n or x + y > 2 * n",
        ]);
        if loops && self.chance(40) { format!("x == {}", self.random.i64(-1..4)) } else { bound.to_owned() }
    }

    fn winner(&mut self) -> Option<String> {
        let choice = match self.random.u32(0..10) {
            0..=4 => return None,
            5 => "other".to_owned(),
            6 => format!("last if x <= n + {} else other", self.random.i64(0..3)),
            7 => format!("draw if {} else last", self.condition(1)),
            8 if self.partizan => "first".to_owned(),
            8 => "other if y % 2 == 0 else last".to_owned(),
            _ => self.pick(&["first if x > y else second", "second if x == n else last"]).to_owned(),
        };
        Some(choice)
    }

    fn asks(&mut self, grundy: bool, parameter: bool) -> Vec<String> {
        let mut asks: Vec<String> = OF_A_START.map(str::to_owned).to_vec();
        if grundy {
            asks.push("grundy".to_owned());
        }
        asks = (0..3).map(|_| asks.swap_remove(self.random.usize(0..asks.len()))).collect();
        for _ in 0..4 {
            let formula = self.formula(3, grundy);
            let ask = self.pick(&[
                "min a + b, max b - a, count",
                "all 10 * a + b",
                "sum a * b",
                "product a + 1",
                "smallest 2 a",
                "largest 2 b - a",
                "exists",
                "every",
                "one of a - b",
                "grid a, b",
                "max remoteness, count",
                "min moves",
            ]);
            if ask.starts_with("grid") && parameter {
                continue;
            }
            asks.push(format!("{ask} where {formula}"));
        }
        asks
    }

    fn formula(&mut self, depth: u32, grundy: bool) -> String {
        if depth > 0 && self.chance(55) {
            let (a, b) = (self.formula(depth - 1, grundy), self.formula(depth - 1, grundy));
            return match self.random.u32(0..8) {
                0 => format!("({a} and {b})"),
                1 => format!("({a} or {b})"),
                2 => format!("not ({a})"),
                3 => format!("can({a})"),
                4 => format!("must({a})"),
                5 => format!("can[m0, m1]({a})"),
                6 if !self.array && !self.names.contains(&"prev") => {
                    format!("(({a}) at (x + 1, {}))", self.pick(&["y", "a", "b + 1"]))
                }
                6 => format!("({a} if {b} else not ({a}))"),
                _ => {
                    let v = self.loop_variable();
                    format!("any({a} and {v} > 0 for {v} in 0..=1 if {b})")
                }
            };
        }
        let k = self.random.i64(0..3);
        match self.random.u32(0..12) {
            0 => "win".to_owned(),
            1 => "loss".to_owned(),
            2 => "draw".to_owned(),
            3 => "end".to_owned(),
            4 | 5 => format!("W{k}"),
            6 => format!("L{k}"),
            7 => format!("win in {k}"),
            8 => format!("loss in {k}"),
            9 => format!("remoteness {} {}", self.pick(&["==", "!=", "<", ">="]), self.random.i64(0..5)),
            10 if grundy => format!("grundy {} {k}", self.pick(&["==", "!=", ">"])),
            _ => self.condition(1),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let (a, b) = (self.expression(depth), self.expression(depth));
        match self.random.u32(0..6) {
            0 => format!("{a} % 3 != 0"),
            1 => format!("{a} in [1, 2, {b}]"),
            2 => format!("{a} not in 0..=2"),
            3 => format!("0 <= {a} < {b} + 4"),
            4 => {
                let v = self.loop_variable();
                format!("any({a} + {v} == 3 for {v} in 0..3)")
            }
            _ => format!("{a} {} {b}", self.pick(&["<", "<=", ">", ">=", "==", "!="])),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth > 0 && self.chance(60) {
            let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
            return match self.random.u32(0..12) {
                0 => format!("({a} + {b})"),
                1 => format!("({a} - {b})"),
                2 => format!("{a} * {b}"),
                3 => format!("{a} // 2"),
                4 => format!("{a} % (abs({b}) + 1)"),
                5 => format!("max({a}, {b})"),
                6 => format!("-({a})"),
                7 => format!("({a} if {b} > 1 else 2)"),
                8 => {
                    let v = self.loop_variable();
                    format!("sum({v} * {a} for {v} in steps)")
                }
                // these may have no value: rule errors
                9 if self.chance(15) => format!("{a} / 2"),
                10 if self.chance(15) => format!("{a} // {b}"),
                _ => format!("xor({a}, {b})"),
            };
        }
        if self.array && self.chance(20) {
            return self.pick(&["c[0]", "sum(c)", "c[x % 3]"]).to_owned();
        }
        if self.chance(30) {
            self.random.i64(0..4).to_string()
        } else {
            self.names[self.random.usize(0..self.names.len())].to_owned()
        }
    }
}
