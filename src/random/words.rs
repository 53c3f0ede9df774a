//! Expressions and conditions of the rule language, of every construct that it has.
//!
//! They are made such that they have a value nearly everywhere; only where `faults` is set they may have none.

use fastrand::Rng;

/// What may be asked about one start of any game for two players.
pub(super) const OF_A_START: [&str; 13] = [
    "winner",
    "class",
    "remoteness",
    "moves",
    "winning moves",
    "count winning moves",
    "a winning move",
    "plays",
    "shortest play",
    "longest play",
    "plays won by first",
    "plays won by second",
    "positions",
];

/// Makes texts of the rule language out of chance.
pub(super) struct Words {
    pub(super) random: Rng,
    /// The numbers that may be read.
    pub(super) ints: Vec<String>,
    /// The lists that may be read, each with its length.
    pub(super) lists: Vec<(String, usize)>,
    /// The tables that may be read, each with its rows and columns.
    pub(super) tables: Vec<(String, usize, usize)>,
    /// Whether a text may have no value.
    pub(super) faults: bool,
    /// How many loop variables there are so far: none may hide another.
    loops: u32,
}

impl Words {
    pub(super) fn new(seed: u64) -> Self {
        let random = Rng::with_seed(seed);
        Self { random, ints: Vec::new(), lists: Vec::new(), tables: Vec::new(), faults: false, loops: 0 }
    }

    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.random.u32(0..100) < percent
    }

    pub(super) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.random.usize(0..from.len())]
    }

    pub(super) fn number(&mut self, low: i64, high: i64) -> i64 {
        self.random.i64(low..=high)
    }

    pub(super) fn loop_variable(&mut self) -> String {
        self.loops += 1;
        format!("v{}", self.loops)
    }

    /// What is made inside reads more names than what is made after it.
    pub(super) fn scoped<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let (ints, lists) = (self.ints.len(), self.lists.len());
        let made = make(self);
        self.ints.truncate(ints);
        self.lists.truncate(lists);
        made
    }

    fn name(&mut self) -> String {
        if self.ints.is_empty() {
            return self.number(0, 3).to_string();
        }
        // the last names are those of loops, which should be read
        if self.chance(30) {
            return self.ints[self.ints.len() - 1].clone();
        }
        self.ints[self.random.usize(0..self.ints.len())].clone()
    }

    // ---- numbers

    pub(super) fn int(&mut self, depth: u32) -> String {
        if depth == 0 || self.chance(35) {
            return if self.chance(30) { self.number(0, 4).to_string() } else { self.name() };
        }
        let next = depth - 1;
        let a = self.int(next);
        let k = self.number(1, 4);
        match self.random.u32(0..30) {
            0 => self.binary(&a, "+", next),
            1 => self.binary(&a, "-", next),
            2 => self.binary(&a, "*", next),
            3 => format!("({a}) // {k}"),
            4 => format!("({a}) % {}", k + 1),
            5 => format!("-({a})"),
            6 => format!("(({a}) % 4) ** {}", k - 1),
            7 => format!("abs({a})"),
            8 => format!("sign({a})"),
            9 => format!("isqrt(abs({a}))"),
            10 => format!("ceildiv({a}, {k})"),
            11 => {
                let function = self.pick(&["min", "max", "gcd", "xor"]);
                let b = self.int(next);
                if self.chance(30) {
                    format!("{function}({a}, {b}, {})", self.int(0))
                } else {
                    format!("{function}({a}, {b})")
                }
            }
            12 => {
                let length = self.length();
                format!("{}({})", self.pick(&["sum", "product", "min", "max"]), self.list(length, next))
            }
            13 => {
                let over = self.over(next, true, |words| words.int(next.min(1)));
                format!("{}({over})", self.pick(&["sum", "min", "max"]))
            }
            14 => {
                let over = self.over(next, false, |words| format!("({}) % 3", words.int(next.min(1))));
                format!("{}({over})", self.pick(&["sum", "product"]))
            }
            15 => format!("count({})", self.over(next, false, |words| words.condition(next.min(1)))),
            16 => {
                let length = self.length();
                format!("len({})", self.list(length, next))
            }
            17 => match self.tables.is_empty() {
                true => format!("len([[{a}, {k}]])"),
                false => format!("len({})", self.table(next).0),
            },
            18 | 19 => {
                let length = self.length();
                format!("{}[({a}) % {length}]", self.list(length, next))
            }
            20 => {
                let (table, rows, columns) = self.table(next);
                format!("{table}[({a}) % {rows}][{}]", self.random.usize(0..columns))
            }
            21 | 22 => format!("({a} if {} else {})", self.condition(next), self.int(next)),
            23 => format!("({k} * ({a})) / {k}"),
            24 if self.faults => {
                format!("({a}) {} ({})", self.pick(&["/", "//", "%", "**"]), self.int(next))
            }
            25 if self.faults => {
                let length = self.length();
                format!("{}[{a}]", self.list(length, next))
            }
            26 if self.faults => format!("max({})", self.over(next, false, |words| words.int(next.min(1)))),
            _ => a,
        }
    }

    /// Brackets are left out now and then: how tightly an operator binds is part of the language.
    fn binary(&mut self, a: &str, operator: &str, depth: u32) -> String {
        let b = self.int(depth);
        if self.chance(30) { format!("{a} {operator} {b}") } else { format!("({a} {operator} {b})") }
    }

    // ---- conditions

    pub(super) fn condition(&mut self, depth: u32) -> String {
        let next = depth.saturating_sub(1);
        let (a, b) = (self.int(depth.min(2)), self.int(next.min(1)));
        let k = self.number(0, 4);
        if depth == 0 {
            return format!("{a} {} {b}", self.comparison());
        }
        match self.random.u32(0..28) {
            0 => format!("({} and {})", self.condition(next), self.condition(next)),
            1 => format!("({} or {})", self.condition(next), self.condition(next)),
            2 => format!("not ({})", self.condition(next)),
            3 => format!("({} if {} else {})", self.condition(next), self.condition(next), self.condition(next)),
            4 => format!("{} < {a} <= {b} + {k}", self.int(0)),
            5 => format!("{a} {} {b}..{}{k}", self.pick(&["in", "not in"]), self.pick(&["", "="])),
            6 => {
                let length = self.length();
                format!("{a} {} {}", self.pick(&["in", "not in"]), self.list(length, next))
            }
            7 => {
                let (table, _, columns) = self.table(next);
                format!("{} {} {table}", self.list(columns, 0), self.pick(&["in", "not in"]))
            }
            8 => {
                let length = self.length();
                format!("{} {} {}", self.list(length, next), self.pick(&["==", "!="]), self.list(length, next))
            }
            9 => format!("({}) {} ({})", self.condition(next), self.pick(&["==", "!="]), self.condition(next)),
            10 | 11 => {
                let over = self.over(next, false, |words| words.condition(next.min(1)));
                format!("{}({over})", self.pick(&["any", "all"]))
            }
            12 => format!("is_prime({a})"),
            13 => self.pick(&["true", "false"]).to_owned(),
            14 => format!("[{}, {}][({a}) % 2]", self.condition(next), self.condition(next)),
            15 => {
                let v = self.loop_variable();
                let (one, other) = (self.condition(next), self.condition(next));
                format!("{}({v} for {v} in [{one}, {other}])", self.pick(&["any", "all"]))
            }
            16 => {
                let (one, other) = (self.condition(next), self.condition(next));
                format!("({one}) {} [true, {other}]", self.pick(&["in", "not in"]))
            }
            17 => format!("({a}) % 3 != {k}"),
            _ => format!("{a} {} {b}", self.comparison()),
        }
    }

    pub(super) fn comparison(&mut self) -> &'static str {
        self.pick(&["<", "<=", ">", ">=", "==", "!="])
    }

    // ---- lists and loops

    fn length(&mut self) -> usize {
        if !self.lists.is_empty() && self.chance(70) {
            return self.lists[self.random.usize(0..self.lists.len())].1;
        }
        self.random.usize(1..4)
    }

    /// A list of so many numbers.
    pub(super) fn list(&mut self, length: usize, depth: u32) -> String {
        let next = depth.saturating_sub(1);
        let named: Vec<String> =
            self.lists.iter().filter(|(_, known)| *known == length).map(|(name, _)| name.clone()).collect();
        if !named.is_empty() && self.chance(50) {
            return named[self.random.usize(0..named.len())].clone();
        }
        match self.random.u32(0..10) {
            0 if depth > 0 => {
                format!("({} if {} else {})", self.list(length, next), self.condition(next), self.list(length, next))
            }
            1 | 2 if depth > 0 => {
                let v = self.loop_variable();
                let body = self.scoped(|words| {
                    words.ints.push(v.clone());
                    words.int(1)
                });
                format!("[{body} for {v} in 0..{length}]")
            }
            3 => format!("([{}] * {length})", self.int(next.min(1))),
            4 | 5 => {
                let fit: Vec<(String, usize)> = (self.tables.iter())
                    .filter(|(_, _, columns)| *columns == length)
                    .map(|(name, rows, _)| (name.clone(), *rows))
                    .collect();
                if fit.is_empty() {
                    return self.items(length);
                }
                let (name, rows) = &fit[self.random.usize(0..fit.len())];
                format!("{name}[({}) % {rows}]", self.int(0))
            }
            _ => self.items(length),
        }
    }

    fn items(&mut self, length: usize) -> String {
        let items: Vec<String> = (0..length).map(|_| self.int(0)).collect();
        format!("[{}]", items.join(", "))
    }

    /// A table with its rows and columns.
    fn table(&mut self, depth: u32) -> (String, usize, usize) {
        if !self.tables.is_empty() && (depth == 0 || self.chance(60)) {
            return self.tables[self.random.usize(0..self.tables.len())].clone();
        }
        let (rows, columns) = (self.random.usize(1..3), self.random.usize(2..4));
        if depth > 0 && self.chance(30) {
            let v = self.loop_variable();
            let row = self.scoped(|words| {
                words.ints.push(v.clone());
                words.items(columns)
            });
            return (format!("[{row} for {v} in 0..{rows}]"), rows, columns);
        }
        let listed: Vec<String> = (0..rows).map(|_| self.items(columns)).collect();
        (format!("[{}]", listed.join(", ")), rows, columns)
    }

    /// A body with loops and guards; `full` where it must stand for something at least once.
    fn over(&mut self, depth: u32, full: bool, body: impl FnOnce(&mut Self) -> String) -> String {
        self.scoped(|words| {
            let mut clauses = words.clause(depth, full);
            if words.chance(20) {
                clauses.push_str(&words.clause(0, full));
            }
            if !full && words.chance(35) {
                clauses.push_str(&format!(" if {}", words.condition(depth.min(1))));
            }
            format!("{}{clauses}", body(words))
        })
    }

    /// One loop; its variables may be read from then on.
    pub(super) fn clause(&mut self, depth: u32, full: bool) -> String {
        let next = depth.saturating_sub(1);
        let v = self.loop_variable();
        let (names, range) = match self.random.u32(0..12) {
            0 | 1 => (v.clone(), format!("0..{}", self.random.usize(1..4))),
            2 => (v.clone(), format!("1..=1 + ({}) % 3", self.int(next.min(1)))),
            3 if !full => (v.clone(), format!("{}..{}", self.number(0, 1), self.bound())),
            4 | 5 if !self.tables.is_empty() => {
                let (table, _, columns) = self.table(next);
                if self.chance(50) {
                    self.lists.push((v.clone(), columns));
                    return format!(" for {v} in {table}");
                }
                let names: Vec<String> = (0..columns).map(|_| self.loop_variable()).collect();
                self.ints.extend(names.iter().cloned());
                return format!(" for ({}) in {table}", names.join(", "));
            }
            _ => {
                let length = self.length();
                (v.clone(), self.list(length, next))
            }
        };
        self.ints.push(v);
        format!(" for {names} in {range}")
    }

    /// A small end of a range, which may lie before its beginning.
    fn bound(&mut self) -> String {
        format!("({}) % 4", self.int(0))
    }
}
