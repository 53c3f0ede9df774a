//! Random problem files whose positions lie densely between bounds, so that a table can hold them, each from a seed.

use std::fmt::Write;

/// Makes a problem file out of a seed.
#[must_use]
pub fn dense_problem(seed: u64) -> String {
    let random = fastrand::Rng::with_seed(seed);
    let mut dense = Dense {
        random,
        piles: Vec::new(),
        names: Vec::new(),
        array: false,
        previous: false,
        grows: false,
        partizan: false,
        faults: false,
        loops: 0,
        moves: 0,
        low: 0,
        size: 0,
    };
    dense.problem()
}

struct Dense {
    random: fastrand::Rng,
    /// The coordinates that moves change, as expressions read them.
    piles: Vec<String>,
    /// Everything that an expression of the rules may read.
    names: Vec<String>,
    /// The piles are cells of an array.
    array: bool,
    /// The last coordinate is the number of the move before.
    previous: bool,
    grows: bool,
    partizan: bool,
    /// Rules may have no value here and there.
    faults: bool,
    /// How many loop variables there are so far: none may hide another.
    loops: u32,
    moves: usize,
    /// The least value of a pile, and how far it goes.
    low: i64,
    size: i64,
}

impl Dense {
    fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(0..100) < percent
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.random.usize(0..from.len())]
    }

    fn pile(&mut self) -> String {
        self.piles[self.random.usize(0..self.piles.len())].clone()
    }

    fn name(&mut self) -> String {
        self.names[self.random.usize(0..self.names.len())].clone()
    }

    fn loop_variable(&mut self) -> String {
        self.loops += 1;
        format!("v{}", self.loops)
    }

    fn problem(&mut self) -> String {
        let count = [1, 1, 2, 2, 2, 2, 3][self.random.usize(0..7)];
        self.array = count == 2 && self.chance(20);
        self.previous = !self.array && count < 3 && self.chance(20);
        self.grows = self.chance(55);
        self.partizan = self.chance(20);
        self.faults = self.chance(12);
        let parameter = self.chance(20);
        self.low = [0, 0, 0, 0, 0, 1, 2, -7, -20, 1 << 60, -(1 << 60), (1 << 62) - 40]
            [self.random.usize(0..if count > 2 { 11 } else { 12 })];
        self.size = match (count, self.random.u32(0..100)) {
            (1, 0..3) => self.random.i64(33_000..40_000),
            (1, 0..10) => self.random.i64(4_000..9_000),
            (2, 0..2) => self.random.i64(200..300),
            (3, _) => self.random.i64(3..8),
            _ => self.random.i64(3..24),
        };
        let state = match (count, self.array) {
            (_, true) => "c[2]",
            (1, _) => "x",
            (2, _) => "x, y",
            _ => "x, y, z",
        };
        self.piles = if self.array { vec!["c[0]", "c[1]"] } else { state.split(", ").collect() }
            .into_iter()
            .map(str::to_owned)
            .collect();
        self.names = self.piles.clone();
        self.names.extend(["n".to_owned(), "low".to_owned()]);
        if self.previous {
            self.names.push("prev".to_owned());
        }
        if parameter {
            self.names.push("m".to_owned());
        }
        let (low, size) = (self.low, self.size);
        // numbers near the ends of what 64 bits hold are not doubled, since that is a mistake of the file
        let times = if low.unsigned_abs() > 1 << 60 { 1 } else { count };
        let mut text = format!(
            "(\n    title: \"random\",\n    constants: {{\"low\": \"{low}\", \"n\": \"low + {size}\", \"total\": \"low * {times} + {size}\", \
             \"steps\": [1, 2, {}]}},\n",
            self.random.i64(3..6)
        );
        let previous = if self.previous { ", prev" } else { "" };
        let _ = write!(
            text,
            "    game: Rules(\n        state: \"{state}{previous}\",\n        moves: {},\n",
            self.all_moves()
        );
        if self.chance(if self.grows { 96 } else { 70 }) {
            let _ = writeln!(text, "        end: \"{}\",", self.end());
        }
        if self.chance(25) {
            let _ = writeln!(text, "        legal: \"{}\",", self.legal());
        }
        let winner = self.winner();
        if let Some(winner) = &winner {
            let _ = writeln!(text, "        winner: \"{winner}\",");
        }
        text.push_str("    ),\n");
        let _ = writeln!(text, "    start: \"{}\",\n    given: {},", self.start(count), self.given(parameter));
        text.push_str("    questions: {\n");
        for label in 0..self.random.usize(3..7) {
            let ask = self.ask();
            let _ = write!(text, "        \"{label}\": (ask: \"{ask}\"");
            if self.chance(15) {
                let _ = write!(text, ", start: \"{}\"", self.start(count));
            }
            if self.chance(20) {
                let _ = write!(text, ", given: {}", self.given(parameter));
            }
            text.push_str("),\n");
        }
        text.push_str("    },\n)\n");
        text
    }

    /// Where a start lies: mostly where the game begins.
    fn start(&mut self, count: usize) -> String {
        let mut start: Vec<&str> = vec![self.pick(&["a", "a", "a + 1", "max(a, b)"])];
        if count > 1 {
            start.push(self.pick(&["b", "b", "b", "a + b - low", "low + 2"]));
        }
        if count > 2 {
            start.push(self.pick(&["low", "a", "low + 1"]));
        }
        let mut start = start.join(", ");
        if self.array {
            start = format!("[{start}]");
        }
        if self.previous {
            start.push_str(self.pick(&[", 0", ", 9", ", b % 2"]));
        }
        start
    }

    fn given(&mut self, parameter: bool) -> String {
        let mut given = String::from("{");
        if parameter {
            given.push_str(self.pick(&["\"m\": \"1..=2\", ", "\"m\": \"[2, 1]\", "]));
        }
        let long = self.size > 2_000;
        let first = match self.random.u32(0..10) {
            0 => "low..=low + 2".to_owned(),
            1 => "[low + 3, low, low + 1]".to_owned(),
            _ if long => {
                let from = self.random.i64(0..self.size - 1);
                format!("low + {from}..low + {}", (from + self.random.i64(1..6_000)).min(self.size + 2))
            }
            2 => format!("low - 2..=low + {}", self.size + 1),
            _ => format!("low..=low + {}", self.random.i64(2..=self.size.min(12))),
        };
        let guard = self.pick(&["", "", "", " if a % 3 != 1", " if a not in [low + 2, low + 4]"]);
        let _ = write!(given, "\"a\": \"{first}{guard}\", ");
        let second = if long {
            self.pick(&["0..=1", "[1]", "a..=a"])
        } else {
            self.pick(&[
                "low..=low + 3",
                "a..=a + 2",
                "[low + 3, low, low + 1]",
                "low..=a",
                "low - 1..=low + 5",
                "a..a",
            ])
        };
        let guard = self.pick(&["", "", "", " if (a + b) % 3 != 1", " if a > b or a % 2 == 0", " if b != a"]);
        let _ = write!(given, "\"b\": \"{second}{guard}\"}}");
        given
    }

    // ---- rules

    fn all_moves(&mut self) -> String {
        self.moves = self.random.usize(1..5);
        let moves: Vec<String> =
            (0..self.moves).map(|number| format!("\"m{number}\": \"{}\"", self.one_move(number))).collect();
        format!("{{{}}}", moves.join(", "))
    }

    /// A move changes one pile, now and then another as well.
    fn one_move(&mut self, number: usize) -> String {
        let mut clauses = String::new();
        let at = self.random.usize(0..self.piles.len());
        if self.array && self.chance(50) {
            // one text for both cells
            let i = self.loop_variable();
            let guard = if self.chance(40) { format!(" if {}", self.condition(1)) } else { String::new() };
            let step = self.random.i64(1..4);
            let sign = if self.grows { "+" } else { "-" };
            let more = self.pick(&["", "", ", c[1 - i] = c[i]", ", c[1 - i] += 1"]).replace("[i]", &format!("[{i}]"));
            let more = more.replace("- i]", &format!("- {i}]"));
            return format!("c[{i}] {sign}= {step}{more} for {i} in 0..2{guard}");
        }
        let mut values = self.piles.clone();
        let pile = values[at].clone();
        let other = self.pile();
        values[at] = if self.grows {
            self.larger(&pile, &other, &mut clauses)
        } else {
            self.smaller(&pile, &other, &mut clauses)
        };
        if self.piles.len() > 1 {
            let next = (at + 1) % self.piles.len();
            match self.random.u32(0..14) {
                0 => values.swap(at, next),
                1 => values[next] = format!("{} + {}", values[next], self.random.i64(-1..3)),
                2 => {
                    values[next] = if self.grows {
                        format!("max({pile}, {})", values[next])
                    } else {
                        format!("min({pile}, {})", values[next])
                    }
                }
                _ => {}
            }
        }
        if self.chance(35) {
            let _ = write!(clauses, " if {}", self.condition(1));
        }
        if self.partizan && self.chance(50) {
            let _ = write!(clauses, " if turn == {}", self.random.i64(1..3));
        }
        if self.previous {
            if self.chance(60) {
                let _ = write!(clauses, " if prev != {number}");
            }
            values.push(number.to_string());
        }
        if self.array {
            return format!("[{}]{clauses}", values.join(", "));
        }
        let mut names = self.piles.clone();
        if self.previous {
            names.push("prev".to_owned());
        }
        if self.chance(30) {
            let changed = names.iter().zip(&values).filter(|(name, value)| name != value);
            let changed: Vec<String> = changed.map(|(name, value)| format!("{name} = {value}")).collect();
            if !changed.is_empty() {
                return format!("{}{clauses}", changed.join(", "));
            }
        }
        format!("{}{clauses}", values.join(", "))
    }

    fn larger(&mut self, pile: &str, other: &str, clauses: &mut String) -> String {
        let step = self.random.i64(1..5);
        match self.random.u32(0..16) {
            0 | 1 => format!("{pile} * {}", self.random.i64(2..4)),
            2 => format!("2 * {pile} + 1"),
            3 => format!("{pile} + {other}"),
            4 => format!("max({pile}, {other}) + {step}"),
            5 => format!("{pile} + abs({}) + 1", self.expression(1)),
            6 => format!("{pile} + (1 if {} else {step})", self.condition(0)),
            7 => format!("{pile} + 1 + {other} % {}", step + 1),
            8 | 9 => {
                let k = self.loop_variable();
                let given = self.names.iter().any(|name| name == "m");
                let range = if given { "1..=m" } else { self.pick(&["1..=2", "steps", "[3, 1]", "1..4"]) };
                let _ = write!(clauses, " for {k} in {range}");
                if self.chance(40) {
                    let j = self.loop_variable();
                    let _ = write!(clauses, " for {j} in {}", self.pick(&["0..2", "[0, 4]", "0..=1"]));
                    return format!("{pile} + {k} + {j}");
                }
                format!("{pile} + {k}")
            }
            10 => format!("{pile} ** 2 + 1"),
            11 if self.faults => {
                format!("{pile} + 1 + 12 {} ({pile} - {})", self.pick(&["//", "/", "%"]), self.low + 3)
            }
            _ => format!("{pile} + {step}"),
        }
    }

    fn smaller(&mut self, pile: &str, other: &str, clauses: &mut String) -> String {
        let step = self.random.i64(1..4);
        match self.random.u32(0..16) {
            0 | 1 => format!("{pile} // {}", self.random.i64(2..4)),
            2 => {
                let _ = write!(clauses, " if {pile} > 1");
                format!("ceildiv({pile}, {})", step + 1)
            }
            3 => {
                let _ = write!(
                    clauses,
                    " if {pile} % {} == 0{}",
                    step + 1,
                    if self.chance(60) { format!(" and {pile} > 0") } else { String::new() }
                );
                format!("{pile} / {}", step + 1)
            }
            4 | 5 => {
                let k = self.loop_variable();
                let range = if self.size > 300 {
                    "1..=3".to_owned()
                } else {
                    self.pick(&["1..=P - low", "steps", "1..=3", "1..=min(3, P - low)"]).replace('P', pile)
                };
                let _ = write!(clauses, " for {k} in {range}");
                if self.chance(50) {
                    let _ = write!(clauses, " if {pile} - {k} >= low");
                }
                format!("{pile} - {k}")
            }
            6 => format!("min({pile}, {other}) - {step}"),
            7 => format!("{pile} - 1 - {other} % {}", step + 1),
            8 => {
                let _ = write!(clauses, " if {other} >= 1");
                format!("{pile} - {other}")
            }
            9 if self.faults => format!("{pile} - 1 - 12 {} ({pile} - {})", self.pick(&["//", "/", "%"]), self.low + 3),
            10 if self.faults => format!("{pile} / 2"),
            _ => {
                if self.chance(60) {
                    let _ = write!(clauses, " if {pile} - {step} >= low");
                }
                format!("{pile} - {step}")
            }
        }
    }

    fn end(&mut self) -> String {
        let piles = self.piles.join(" + ");
        let (pile, other) = (self.pile(), self.pile());
        let (k, hole) = (self.random.i64(0..6), self.random.i64(1..8));
        let any = |how: &str, joint: &str| {
            self.piles.iter().map(|pile| format!("{pile} {how}")).collect::<Vec<_>>().join(joint)
        };
        let mut end = match (self.grows, self.random.u32(0..10)) {
            (true, 0..4) => format!("{piles} >= total"),
            (true, 4) => any(">= n", " or "),
            (true, 5) if self.low.abs() < 100 => {
                format!("{pile} * {pile} + {other} * {other} > {0} or {1}", self.size * self.size, any("> n", " or "))
            }
            (true, 6) => format!("not ({piles} < total)"),
            (true, 7) => format!(
                "{} > n",
                if self.piles.len() > 1 { format!("max({})", self.piles.join(", ")) } else { pile.clone() }
            ),
            (true, 8) => {
                format!("({piles} >= total if {pile} > low + {k} else {piles} > total - 2) or {}", any("> n", " or "))
            }
            (true, _) => format!("{piles} >= total or abs({pile} - {other}) > {}", k + 5),
            (false, 0..4) if self.low.unsigned_abs() > 1 << 60 => any("<= low", " and "),
            (false, 0..4) => format!("{piles} <= low * {}", self.piles.len()),
            (false, 4) => any("<= low", " and "),
            (false, 5) => any("<= low", " or "),
            (false, 6) => format!(
                "{} <= low",
                if self.piles.len() > 1 { format!("min({})", self.piles.join(", ")) } else { pile.clone() }
            ),
            (false, 7) => format!("{pile} - low < {k}"),
            (false, _) => any("== low", " and "),
        };
        // rows get holes
        match self.random.u32(0..12) {
            0 => end = format!("{end} or {pile} % 5 == {k}"),
            1 => end = format!("{end} or {pile} == low + {hole}"),
            2 => end = format!("{pile} == low + {hole} or {other} == low + {k} or {end}"),
            3 => end = format!("{end} or ({})", self.condition(1)),
            4 => end = format!("{} and {pile} > low + 2 or {end}", self.condition(1)),
            _ => {}
        }
        end
    }

    fn legal(&mut self) -> String {
        let (pile, other, k) = (self.pile(), self.pile(), self.random.i64(0..8));
        match self.random.u32(0..8) {
            0 => format!("{pile} != low + {k}"),
            1 => format!("{pile} >= low - 1 and {other} <= n + 2"),
            2 => format!("{pile} >= low or {other} > low"),
            3 if self.partizan => format!("turn == 1 or {pile} % 3 != 1"),
            4 => {
                let v = self.loop_variable();
                format!("all({pile} != low + 3 * {v} for {v} in 1..3)")
            }
            5 => format!("({pile} + {other}) % 4 != {}", k % 4),
            6 => self.condition(1),
            _ => format!("{pile} >= low"),
        }
    }

    fn winner(&mut self) -> Option<String> {
        Some(match self.random.u32(0..14) {
            0..6 => return None,
            6 => "other".to_owned(),
            7 => format!("last if {} <= n else other", self.pile()),
            8 => format!("draw if {} else last", self.condition(1)),
            9 => format!("other if {} % 2 == 0 else last", self.pile()),
            10 => format!("first if {} else draw if {} else second", self.condition(0), self.condition(0)),
            11 => format!("second if {} == n else last", self.pile()),
            12 => self.pick(&["first", "draw", "second"]).to_owned(),
            _ => {
                let v = self.loop_variable();
                format!("last if any({} == low + {v} for {v} in 0..4) else other", self.pile())
            }
        })
    }

    // ---- questions

    fn ask(&mut self) -> String {
        if self.chance(12) {
            return self
                .pick(&["winner", "class", "remoteness", "winning moves", "count winning moves", "moves"])
                .to_owned();
        }
        let picked = self.pick(&[
            "min a + b, max b - a, count",
            "all a",
            "sum a - b",
            "product a - low + 1",
            "smallest 2 a",
            "largest 2 b - a",
            "exists",
            "every",
            "one of a - b",
            "grid a, b",
            "max remoteness, count",
            "min remoteness, sum remoteness, all remoteness % 4",
            "min moves",
            "count",
            "count",
            "max a",
        ]);
        // a grid has just its two parameters
        let picked = if picked == "grid a, b" && self.names.iter().any(|name| name == "m") { "count" } else { picked };
        if self.chance(10) && picked != "exists" && picked != "every" {
            return if picked == "grid a, b" || picked == "one of a - b" {
                "count".to_owned()
            } else {
                picked.to_owned()
            };
        }
        format!("{picked} where {}", self.formula(3))
    }

    fn formula(&mut self, depth: u32) -> String {
        if depth > 0 && self.chance(55) {
            let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
            return match self.random.u32(0..9) {
                0 => format!("({a} and {b})"),
                1 => format!("({a} or {b})"),
                2 => format!("not ({a})"),
                3 => format!("can({a})"),
                4 => format!("must({a})"),
                5 => format!("{}[m{}]({a})", self.pick(&["can", "must"]), self.random.usize(0..self.moves)),
                6 => {
                    let here: Vec<String> = self.piles.iter().map(|pile| format!("{pile} + 1")).collect();
                    let mut there = here.join(", ");
                    if self.array {
                        there = "[c[1], a]".to_owned();
                    }
                    if self.previous {
                        there.push_str(", 1");
                    }
                    format!("(({a}) at ({there}))")
                }
                7 => format!("({a} if {b} else not ({a}))"),
                _ => {
                    let v = self.loop_variable();
                    format!("{}({a} and a + {v} != low + 2 for {v} in 0..=1 if {b})", self.pick(&["any", "all"]))
                }
            };
        }
        let k = self.random.i64(0..4);
        match self.random.u32(0..13) {
            0 => "win".to_owned(),
            1 => "loss".to_owned(),
            2 => "draw".to_owned(),
            3 => "end".to_owned(),
            4 | 5 => format!("W{k}"),
            6 | 7 => format!("L{k}"),
            8 => format!("win in {k}"),
            9 => format!("loss in {k}"),
            10 => format!("remoteness {} {}", self.pick(&["==", "!=", "<", ">=", "in", "% 2 =="]), k)
                .replace(" in ", " in 1..=")
                .replace("..=0", "..=2"),
            11 => format!("a {} b", self.pick(&["<", "==", ">="])),
            _ => self.condition(1),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        let (a, b) = (self.expression(depth), self.expression(depth));
        let (pile, k) = (self.pile(), self.random.i64(0..6));
        match self.random.u32(0..12) {
            0 => format!("{a} % 3 != 1"),
            1 => format!("{a} in [low + 1, low + 2, {b}]"),
            2 => format!("{a} not in low..=low + {k}"),
            3 => format!("low <= {a} < {b} + 4"),
            4 => {
                let v = self.loop_variable();
                format!(
                    "{}({a} + {v} {} low + 3 for {v} in 0..3)",
                    self.pick(&["any", "all"]),
                    self.pick(&["==", "!=", ">"])
                )
            }
            5 => format!("({a} < {b}) {} ({pile} > low + {k})", self.pick(&["==", "!=", "and", "or"])),
            6 => format!("is_prime({a})"),
            7 => format!("{pile} {} low + {k}", self.pick(&["<", "<=", ">", ">=", "==", "!="])),
            8 => format!("({a} > {b} if {pile} % 2 == 0 else {pile} < {b})"),
            _ => format!("{a} {} {b}", self.pick(&["<", "<=", ">", ">=", "==", "!="])),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth > 0 && self.chance(60) {
            let (a, b) = (self.expression(depth - 1), self.expression(depth - 1));
            return match self.random.u32(0..18) {
                0 | 1 => format!("({a} + {b})"),
                2 | 3 => format!("({a} - {b})"),
                4 => format!("{a} * {b}"),
                5 => format!("{a} // 2"),
                6 => format!("{a} % (abs({b}) + 1)"),
                7 => format!("max({a}, {b})"),
                8 => format!("min({a}, {b}, low + 3)"),
                9 => format!("-({a})"),
                10 => format!("({a} if {b} > low + 1 else 2)"),
                11 => {
                    let v = self.loop_variable();
                    format!("{}({a} > low + {v} for {v} in steps)", "count")
                }
                12 => format!("ceildiv({a}, 3)"),
                13 => format!("gcd({a}, {b})"),
                14 => format!("isqrt(abs({a}))"),
                15 => format!("sign({a}) * {b}"),
                16 if self.faults => format!("{a} {} {b}", self.pick(&["/", "//", "%", "**"])),
                16 => format!("steps[{a} % 3]"),
                _ => format!("xor({a}, {b})"),
            };
        }
        if self.chance(25) { self.random.i64(0..4).to_string() } else { self.name() }
    }
}
