//! Games, sums and puzzles whose every text may hold any construct of the rule language.
//!
//! The first coordinate goes up to a bound, or round a circle, and the others are small: so the positions are few,
//! whatever the rules say.

use std::fmt::Write;

use super::words::{OF_A_START, Words};

/// Makes a problem file out of a seed: a game for two players, a sum of games or a puzzle.
#[must_use]
pub fn whole_problem(seed: u64) -> String {
    let mut words = Words::new(seed);
    let form = [Form::Game, Form::Game, Form::Puzzle, Form::Sum][words.random.usize(0..4)];
    words.faults = words.chance(10);
    let mut whole = Whole {
        form,
        partizan: form == Form::Game && words.chance(30),
        loopy: form != Form::Sum && words.chance(25),
        second: words.chance(60),
        array: form != Form::Sum && words.chance(45),
        shared: form != Form::Sum && words.chance(20),
        given: words.chance(25),
        unnamed: words.chance(20),
        last: true,
        goal: true,
        moves: Vec::new(),
        constants: 0,
        words,
    };
    whole.problem()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Game,
    Sum,
    Puzzle,
}

struct Whole {
    words: Words,
    form: Form,
    partizan: bool,
    /// Whether the first coordinate goes round.
    loopy: bool,
    /// Whether there is a coordinate `y`, an array `c`.
    second: bool,
    array: bool,
    /// Whether a parameter bears the name of the first coordinate.
    shared: bool,
    /// Whether the rules may read the parameter `m`.
    given: bool,
    /// Whether moves are named by their texts.
    unnamed: bool,
    /// Whether the last mover always wins.
    last: bool,
    /// Whether a puzzle has a goal.
    goal: bool,
    /// The names of the moves, as `can[…]` writes them.
    moves: Vec<String>,
    /// How many of the numbers that texts may read are constants.
    constants: usize,
}

impl Whole {
    fn problem(&mut self) -> String {
        let mut text = String::from("(\n    title: \"random\",\n");
        self.head(&mut text);
        self.constants(&mut text);
        // the rules read the position, the constants, and a parameter
        self.words.ints.push("x".to_owned());
        if self.second {
            self.words.ints.push("y".to_owned());
        }
        if self.given {
            self.words.ints.push("m".to_owned());
        }
        if self.array {
            self.words.lists.push(("c".to_owned(), 2));
        }
        let start = self.start();
        self.game(&mut text);
        if self.array {
            self.words.lists.pop();
        }
        if self.form == Form::Sum {
            // a formula of a sum reads no state
            self.words.ints.retain(|name| name != "x" && name != "y");
        }
        let _ = writeln!(text, "    start: {start},");
        let _ = writeln!(text, "    given: {},", self.ranges());
        self.questions(&mut text);
        self.variants(&mut text);
        text.push_str(")\n");
        text
    }

    fn head(&mut self, text: &mut String) {
        if self.words.chance(10) {
            text.push_str(
                "    source: \"chance\",\n    tags: [\"random\", \"small\"],\n    note: \"made from a seed\",\n",
            );
        }
    }

    fn constants(&mut self, text: &mut String) {
        let n = self.words.number(2, 6);
        let step = self.words.number(1, 3);
        let _ = writeln!(
            text,
            "    constants: {{\"n\": {n}, \"half\": \"n // 2 + 1\", \"steps\": [1, 2, {step}], \"mask\": \"[v0 * {step} % 3 for v0 in 0..4]\", \
             \"way\": [[1, 0], [0, {step}], [2, 1]], \"square\": \"[[w0, n - w0] for w0 in 0..2]\"}},"
        );
        self.words.ints = vec!["n".to_owned(), "half".to_owned()];
        self.words.lists = vec![("steps".to_owned(), 3), ("mask".to_owned(), 4)];
        self.words.tables = vec![("way".to_owned(), 3, 2), ("square".to_owned(), 2, 2)];
        self.constants = self.words.ints.len();
    }

    // ---- rules

    fn game(&mut self, text: &mut String) {
        let form = if self.form == Form::Puzzle { "Puzzle" } else { "Rules" };
        let mut state = "x".to_owned();
        if self.second {
            state.push_str(", y");
        }
        if self.array {
            state.push_str(self.words.pick(&[", c[2]", ", c[len(steps) - 1]"]));
        }
        let _ = write!(text, "    game: {form}(\n        state: \"{state}\",\n        moves: {},\n", self.all_moves());
        let mut bound = "x <= n".to_owned();
        if self.form == Form::Puzzle {
            self.goal = self.words.chance(90);
            if self.goal {
                let _ = writeln!(text, "        goal: \"{}\",", self.rule_or("x >= n"));
            }
        } else if self.words.chance(80) {
            let over = if self.form == Form::Sum { self.words.pick(&["x <= 0", "x <= 1"]) } else { "x >= n" };
            let _ = writeln!(text, "        end: \"{}\",", self.rule_or(over));
            if self.words.chance(60) {
                bound.clear();
            }
        }
        // a sum goes down by itself, and a circle stays small
        if self.form == Form::Sum || self.loopy && !self.words.chance(40) {
            bound.clear();
        }
        let legal = match (self.words.chance(25), bound.is_empty()) {
            (true, true) => self.condition(2),
            (true, false) => format!("{bound} and ({})", self.condition(2)),
            (false, _) => bound,
        };
        if !legal.is_empty() {
            let _ = writeln!(text, "        legal: \"{legal}\",");
        }
        if let Some(winner) = self.winner() {
            let _ = writeln!(text, "        winner: \"{winner}\",");
        }
        text.push_str("    ),\n");
    }

    /// The condition alone, or with any other.
    fn rule_or(&mut self, condition: &str) -> String {
        match self.words.random.u32(0..6) {
            0 => format!("{condition} or {}", self.condition(2)),
            1 => format!("not (not ({condition}) and {})", self.condition(1)),
            _ => condition.to_owned(),
        }
    }

    /// A condition of the rules, which may ask whose turn it is.
    fn condition(&mut self, depth: u32) -> String {
        let found = self.words.condition(depth);
        if self.partizan && self.words.chance(30) {
            let player = self.words.number(1, 2);
            return format!("({found} {} turn == {player})", self.words.pick(&["and", "or"]));
        }
        found
    }

    fn winner(&mut self) -> Option<String> {
        if self.form == Form::Puzzle || self.words.chance(45) {
            return None;
        }
        self.last = false;
        if self.form == Form::Sum {
            return Some("other".to_owned());
        }
        let words: &[&str] =
            if self.partizan { &["last", "other", "first", "second", "draw"] } else { &["last", "other", "draw"] };
        let (one, two, three) = (self.words.pick(words), self.words.pick(words), self.words.pick(words));
        Some(match self.words.random.u32(0..4) {
            0 => one.to_owned(),
            1 | 2 => format!("{one} if {} else {two}", self.condition(2)),
            _ => format!("{one} if {} else {two} if {} else {three}", self.condition(1), self.condition(1)),
        })
    }

    fn all_moves(&mut self) -> String {
        let count = self.words.random.usize(1..4);
        let mut moves: Vec<String> = Vec::new();
        while moves.len() < count {
            let made = self.one_move();
            if !moves.contains(&made) {
                moves.push(made);
            }
        }
        if self.unnamed {
            self.moves = moves.iter().map(|made| format!("'{made}'")).collect();
            let quoted: Vec<String> = moves.iter().map(|made| format!("\"{made}\"")).collect();
            return format!("[{}]", quoted.join(", "));
        }
        self.moves = (0..count).map(|number| format!("m{number}")).collect();
        let named: Vec<String> = moves.iter().enumerate().map(|(at, made)| format!("\"m{at}\": \"{made}\"")).collect();
        format!("{{{}}}", named.join(", "))
    }

    fn one_move(&mut self) -> String {
        let (ints, lists) = (self.words.ints.len(), self.words.lists.len());
        let mut clauses = String::new();
        if self.words.chance(40) {
            clauses.push_str(&self.words.clause(1, false));
            if self.words.chance(20) {
                clauses.push_str(&self.words.clause(0, false));
            }
        }
        let body = match self.form {
            Form::Sum => self.smaller(&mut clauses),
            _ if self.words.chance(40) => self.assigned(&mut clauses),
            _ => self.written(),
        };
        if self.words.chance(45) {
            let _ = write!(clauses, " if {}", self.condition(2));
        }
        if self.partizan && self.words.chance(40) {
            let _ = write!(clauses, " if turn == {}", self.words.number(1, 2));
        }
        self.words.ints.truncate(ints);
        self.words.lists.truncate(lists);
        format!("{body}{clauses}")
    }

    /// How far the first coordinate goes.
    fn advance(&mut self) -> String {
        let e = self.words.int(2);
        match self.words.random.u32(0..4) {
            0 if self.loopy => format!("(x + {e}) % (n + 1)"),
            1 if self.loopy => "(x + n) % (n + 1)".to_owned(),
            0 => format!("x + 1 + ({e}) % 2"),
            1 => format!("max(x + 1, ({e}) % 5)"),
            _ => format!("x + {}", self.words.number(1, 3)),
        }
    }

    /// The whole new position.
    fn written(&mut self) -> String {
        let mut entries = vec![self.advance()];
        if self.second {
            entries.push(match self.words.random.u32(0..4) {
                0 => "y".to_owned(),
                1 => "(y + 1) % 3".to_owned(),
                _ => format!("({}) % 3", self.words.int(2)),
            });
        }
        if self.array {
            entries.push(match self.words.random.u32(0..5) {
                0 => "c".to_owned(),
                1 => format!("[1 - {0} for {0} in c]", self.words.loop_variable()),
                2 => format!("[c[1], ({}) % 2]", self.words.int(1)),
                _ => {
                    let v = self.words.loop_variable();
                    format!("[{v} % 2 for {v} in {}]", self.words.list(2, 2))
                }
            });
        }
        entries.join(", ")
    }

    /// Assignments to some of the coordinates.
    fn assigned(&mut self, clauses: &mut String) -> String {
        let step = self.words.number(1, 2);
        let mut items = vec![match self.words.random.u32(0..4) {
            _ if self.loopy => format!("x = {}", self.advance()),
            0 => format!("x += 1 + ({}) % 2", self.words.int(2)),
            1 => format!("x -= -{step}"),
            _ => format!("x += {step}"),
        }];
        if self.second && self.words.chance(60) {
            let e = self.words.int(2);
            items.push(match self.words.random.u32(0..7) {
                0 => format!("y %= {}", step + 1),
                1 => format!("y //= {}", step + 1),
                2 => format!("y *= ({e}) % 2"),
                3 => format!("y -= y % {}", step + 1),
                4 if !self.loopy => format!("y += ({e}) % 2"),
                _ => format!("y = ({e}) % 3"),
            });
        }
        if self.array && self.words.chance(70) {
            let e = self.words.int(2);
            items.push(match self.words.random.u32(0..6) {
                0 => {
                    let i = self.words.loop_variable();
                    let _ = write!(clauses, " for {i} in 0..2");
                    format!("c[{i}] = 1 - c[{i}]")
                }
                1 => format!("c[({e}) % 2] = {}", self.words.number(0, 1)),
                2 => format!("c[0] *= c[1], c[1] = ({e}) % 2"),
                3 => format!("c[0] %= 2, c[1] //= {step}"),
                4 if self.words.faults => format!("c[({e}) % 2] = 1, c[1] = 0"),
                _ => {
                    let v = self.words.loop_variable();
                    format!("c = [{v} % 2 for {v} in {}]", self.words.list(2, 1))
                }
            });
        }
        items.join(", ")
    }

    /// What is left of a heap, or of a pair.
    fn smaller(&mut self, clauses: &mut String) -> String {
        let part = self.words.loop_variable();
        let (body, more) = match (self.second, self.words.random.u32(0..8)) {
            (false, 0) => (format!("x - {part}"), format!(" for {part} in 1..=x")),
            (false, 1) => (format!("{part} | x - 1 - {part}"), format!(" for {part} in 0..x")),
            (false, 2) => ("x // 2 | 0 | x // 3".to_owned(), " if x > 1".to_owned()),
            (false, 3) => (format!("({}) % x", self.words.int(2)), " if x > 0".to_owned()),
            (false, 4) => (format!("x -= 1 | x = ({}) % x", self.words.int(1)), " if x > 1".to_owned()),
            (false, _) => (format!("x - {}", self.words.number(1, 2)), " if x > 1".to_owned()),
            (true, 0) => (format!("x - {part}, y"), format!(" for {part} in 1..=x")),
            (true, 1) => (format!("x - 1, ({}) % 3", self.words.int(2)), " if x > 0".to_owned()),
            (true, 2) => ("x - 1, y | y % 2, 0".to_owned(), " if x > 2".to_owned()),
            (true, 3) => ("x -= 1, y = 1 | x -= 2".to_owned(), " if x > 1".to_owned()),
            (true, 4) => ("x, y - 1".to_owned(), " if y > 0".to_owned()),
            (true, _) => (format!("x -= {}", self.words.number(1, 2)), " if x > 1".to_owned()),
        };
        clauses.insert_str(0, &more);
        body
    }

    // ---- starts

    fn start(&mut self) -> String {
        let first = if self.shared { "x" } else { self.words.pick(&["s", "s", "min(s, t)", "t"]) };
        let second = if self.second { self.words.pick(&[", t % 3", ", 1", ", t // 2"]) } else { "" };
        if self.form == Form::Sum {
            let one = format!("\"{first}{second}\"");
            let two = format!("\"{}{second}\"", self.words.pick(&["2", "t", "t // 2"]));
            return match self.words.random.u32(0..4) {
                0 => format!("[{one}]"),
                1 => format!("[{one}, {two}, {one}]"),
                _ => format!("[{one}, {two}]"),
            };
        }
        let array = if self.array {
            self.words.pick(&[", [t % 2, 1]", ", [0] * 2", ", [(v9 + t) % 2 for v9 in 0..2]"])
        } else {
            ""
        };
        format!("\"{first}{second}{array}\"")
    }

    /// The parameters with their ranges.
    fn ranges(&mut self) -> String {
        let mut ranges = Vec::new();
        if self.given {
            ranges.push(format!("\"m\": \"{}\"", self.words.pick(&["1..=2", "[2, 0]", "n - 1..n + 1"])));
        }
        let first = if self.shared { "x" } else { "s" };
        let high = self.words.number(0, 3);
        let range = match self.words.random.u32(0..4) {
            0 => "steps".to_owned(),
            1 => format!("[{high}, 0, 1]"),
            _ => format!("0..={high}"),
        };
        ranges.push(format!("\"{first}\": \"{range}\""));
        let range = match self.words.random.u32(0..5) {
            0 => format!("{first}..=2"),
            1 => "mask".to_owned(),
            _ => "0..=1".to_owned(),
        };
        let guard = match self.words.random.u32(0..4) {
            0 => format!(" if ({first} + t) % 2 == 0"),
            1 => {
                let ints =
                    std::mem::replace(&mut self.words.ints, vec!["n".to_owned(), first.to_owned(), "t".to_owned()]);
                let guard = format!(" if {}", self.words.condition(1));
                self.words.ints = ints;
                guard
            }
            _ => String::new(),
        };
        ranges.push(format!("\"t\": \"{range}{guard}\""));
        format!("{{{}}}", ranges.join(", "))
    }

    // ---- questions

    fn questions(&mut self, text: &mut String) {
        text.push_str("    questions: {\n");
        for label in 0..self.words.random.usize(2..6) {
            let ask = self.ask();
            let _ = write!(text, "        \"q{label}\": (ask: \"{ask}\"");
            if self.words.chance(10) {
                let _ = write!(text, ", start: {}", self.start());
            }
            if self.words.chance(10) {
                let _ = write!(text, ", given: {}", self.ranges());
            }
            if self.words.chance(5) {
                text.push_str(", note: \"by chance\"");
            }
            text.push_str("),\n");
        }
        text.push_str("    },\n");
    }

    fn grundy(&self) -> bool {
        self.form != Form::Puzzle && self.last && !self.partizan
    }

    fn ask(&mut self) -> String {
        const OVER: [&str; 9] = [
            "count",
            "min E",
            "max E",
            "all E",
            "sum E",
            "product E",
            "smallest 2 E",
            "largest 3 E",
            "min E, max E, count",
        ];
        if self.words.chance(40) {
            let mut asks: Vec<&str> = match self.form {
                Form::Puzzle => vec!["farthest", "moves", "plays", "shortest play", "longest play", "positions"],
                _ => OF_A_START.to_vec(),
            };
            if self.form == Form::Puzzle && self.goal {
                asks.extend(["fewest moves", "shortest solutions", "solvable", "solution"]);
            }
            if self.grundy() {
                asks.extend(["grundy", "grundy"]);
            }
            return self.words.pick(&asks).to_owned();
        }
        if self.words.chance(12) {
            let ask = self.words.pick(&OVER).to_owned();
            return self.filled(&ask);
        }
        let formula = self.formula(2);
        match self.words.random.u32(0..14) {
            0 => format!("exists where {formula}"),
            1 => format!("every where {formula}"),
            2 => {
                let value = self.value();
                format!("one of {value} where {formula}")
            }
            3 | 4 if !self.given => {
                let first = if self.shared { "x" } else { "s" };
                let (rows, columns) = if self.words.chance(50) { (first, "t") } else { ("t", first) };
                format!("grid {rows}, {columns} where {formula}")
            }
            _ => {
                let ask = self.words.pick(&OVER).to_owned();
                format!("{} where {formula}", self.filled(&ask))
            }
        }
    }

    /// An ask with a value in place of each `E`.
    fn filled(&mut self, ask: &str) -> String {
        let mut filled = String::new();
        for (at, part) in ask.split('E').enumerate() {
            if at > 0 {
                filled.push_str(&self.value());
            }
            filled.push_str(part);
        }
        filled
    }

    /// A number of a combination of the parameters and of its start.
    fn value(&mut self) -> String {
        let first = if self.shared { "x" } else { "s" };
        let mut ints: Vec<String> = self.words.ints.iter().take(self.constants).cloned().collect();
        ints.extend([first.to_owned(), "t".to_owned()]);
        let ints = std::mem::replace(&mut self.words.ints, ints);
        let value = if self.words.chance(35) {
            let quantity = self.quantity();
            match self.words.random.u32(0..3) {
                0 => format!("{quantity} + {}", self.words.int(1)),
                1 => format!("max({quantity}, {})", self.words.int(1)),
                _ => quantity.to_owned(),
            }
        } else {
            self.words.int(2)
        };
        self.words.ints = ints;
        value
    }

    /// A number that belongs to a position.
    fn quantity(&mut self) -> &'static str {
        match (self.form, self.words.chance(50)) {
            (Form::Puzzle, true) if self.goal => "distance",
            (Form::Puzzle, _) => "moves",
            _ if self.grundy() && self.words.chance(40) => "grundy",
            (_, true) => "remoteness",
            _ => "moves",
        }
    }

    /// A condition on a start, on what may be reached from it, or on another position.
    fn formula(&mut self, depth: u32) -> String {
        if depth > 0 && self.words.chance(60) {
            let a = self.formula(depth - 1);
            return match self.words.random.u32(0..12) {
                0 => format!("({a} and {})", self.formula(depth - 1)),
                1 => format!("({a} or {})", self.formula(depth - 1)),
                2 => format!("not ({a})"),
                3 => format!("can({a})"),
                4 => format!("must({a})"),
                5 | 6 => {
                    let names: Vec<&str> = self.moves.iter().map(String::as_str).collect();
                    let mut named = self.words.pick(&names).to_owned();
                    if self.words.chance(30) {
                        let _ = write!(named, ", {}", self.words.pick(&names));
                    }
                    format!("{}[{named}]({a})", self.words.pick(&["can", "must"]))
                }
                7 if self.form != Form::Sum => format!("(({a}) at ({}))", self.elsewhere()),
                8 => format!("({a} if {} else {})", self.formula(depth - 1), self.atom()),
                9 => {
                    let v = self.words.loop_variable();
                    let b = self.atom();
                    let how = self.words.pick(&["any", "all"]);
                    format!("{how}(({a}) and {v} < 2 or {b} for {v} in 0..3)")
                }
                10 => format!("({a}) {} ({})", self.words.pick(&["==", "!="]), self.atom()),
                _ => a,
            };
        }
        self.atom()
    }

    fn elsewhere(&mut self) -> String {
        let mut there = self.words.pick(&["x + 1", "x", "0", "n", "t"]).to_owned();
        if self.second {
            there.push_str(self.words.pick(&[", y", ", (y + 1) % 3", ", t"]));
        }
        if self.array {
            there.push_str(self.words.pick(&[", c", ", [c[1], 1]", ", [0] * 2"]));
        }
        there
    }

    fn atom(&mut self) -> String {
        let k = self.words.number(0, 3);
        let puzzle = self.form == Form::Puzzle;
        match self.words.random.u32(0..13) {
            0 | 1 if puzzle && self.goal => self.words.pick(&["goal", "solvable"]).to_owned(),
            0 if !puzzle => self.words.pick(&["win", "loss", "draw"]).to_owned(),
            1 | 2 if !puzzle => format!("W{k}"),
            3 if !puzzle => format!("L{k}"),
            4 if !puzzle => format!("{} in {k}", self.words.pick(&["win", "loss"])),
            5 if !puzzle => format!("{} in half", self.words.pick(&["win", "loss"])),
            2 => "end".to_owned(),
            6..=8 => {
                let quantity = self.quantity();
                match self.words.random.u32(0..4) {
                    0 => format!("{quantity} % 2 == {}", k % 2),
                    1 => format!("{quantity} in [{k}, half]"),
                    2 => format!("{quantity} + {k} {} {}", self.words.comparison(), self.words.int(1)),
                    _ => format!("{quantity} {} {k}", self.words.comparison()),
                }
            }
            _ => {
                let mut ints: Vec<String> = self.words.ints.clone();
                ints.push("t".to_owned());
                if !self.shared {
                    ints.push("s".to_owned());
                }
                let ints = std::mem::replace(&mut self.words.ints, ints);
                if self.array {
                    self.words.lists.push(("c".to_owned(), 2));
                }
                let condition = self.words.condition(2);
                if self.array {
                    self.words.lists.pop();
                }
                self.words.ints = ints;
                format!("({condition})")
            }
        }
    }

    fn variants(&mut self, text: &mut String) {
        if !self.words.chance(15) {
            return;
        }
        let (n, step) = (self.words.number(1, 5), self.words.number(1, 4));
        let _ = writeln!(
            text,
            "    variants: {{\"other\": (constants: {{\"n\": {n}}}), \"more\": (title: \"more\", constants: {{\"steps\": [{step}, 1, 2]}})}},"
        );
    }
}
