//! Syntax to typed tree: names are looked up, types and numbers of arguments checked, mistakes noted one by one.

mod calls;
mod expressions;
mod loops;
mod moves;

use std::sync::Arc;

use super::number;
use super::parse::{Noted, Parsed};
use super::source::{Mistake, Source, Span, latin, nearest};
use super::syntax::{self, Ast, Comparison, GivenAst, Item, Kind, Link, MoveAst, Name, Operator, RangeAst};
use super::takes::Takes;
use super::tree::{
    Array, Assignment, Binding, Bool, BoolKind, Clause, Coordinate, Coordinates, Fold, Function, Int, IntKind, List,
    ListKind, Move, MoveBody, Over, OverMoves, Parameter, Quantity, Range, Rows, Scalar, Slots, StateVariable, Table,
    Winner, WinnerWord,
};
use crate::value::{Class, Outcome};

/// The value of a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constant {
    /// A number.
    Int(i64),
    /// A list of numbers.
    List(Arc<[i64]>),
    /// A list of lists of one length.
    Table(Rows),
    /// It has a mistake of its own, which has been told; whatever reads it is passed over.
    Unknown,
}

/// The constants of a problem, in order.
pub type Constants = Vec<(String, Constant)>;

/// Words that no name may be, besides `W` or `L` with digits and the functions.
pub const RESERVED: [&str; 28] = [
    "for",
    "in",
    "if",
    "else",
    "and",
    "or",
    "not",
    "true",
    "false",
    "turn",
    "last",
    "other",
    "first",
    "second",
    "draw",
    "end",
    "win",
    "loss",
    "goal",
    "solvable",
    "distance",
    "remoteness",
    "grundy",
    "moves",
    "can",
    "must",
    "at",
    "where",
];

/// The functions, with what they take.
pub const FUNCTIONS: [(&str, &str); 15] = [
    ("abs", "one number"),
    ("sign", "one number"),
    ("isqrt", "one number"),
    ("is_prime", "one number"),
    ("len", "one list"),
    ("ceildiv", "two numbers"),
    ("min", "two or more numbers, one list, or a comprehension"),
    ("max", "two or more numbers, one list, or a comprehension"),
    ("gcd", "two or more numbers"),
    ("xor", "two or more numbers"),
    ("sum", "one list, or a comprehension"),
    ("product", "one list, or a comprehension"),
    ("count", "conditions over a comprehension: `count(c[i] == 0 for i in 0..9)`"),
    ("any", "conditions over a comprehension: `any(c[i] == 0 for i in 0..9)`"),
    ("all", "conditions over a comprehension: `all(c[i] == 0 for i in 0..9)`"),
];

/// Why a word may not be a name, if it may not.
#[must_use]
pub fn reserved(name: &str) -> Option<&'static str> {
    // most names are single letters, and none of those is reserved
    if name.len() == 1 {
        return None;
    }
    if RESERVED.contains(&name) || name == "none" {
        return Some("a word of the rule language");
    }
    if FUNCTIONS.iter().any(|(function, _)| *function == name) {
        return Some("the name of a function");
    }
    if name.parse::<Class>().is_ok()
        || (name.starts_with(['W', 'L']) && name.len() > 1 && name[1..].bytes().all(|b| b.is_ascii_digit()))
    {
        return Some("the name of a class of positions");
    }
    None
}

/// Which values of a position a text may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// None: rules, starts, ranges.
    None,
    /// Numbers: the expressions of `min E`, `all E` and the like.
    Numbers,
    /// All of them: formulas.
    All,
}

/// The names that a text may read.
#[derive(Clone, Debug)]
pub(crate) struct Scope<'a> {
    pub(crate) constants: &'a Constants,
    /// The state variables, with whether this text reads them.
    pub(crate) state: (&'a [StateVariable], bool),
    /// The offset of `turn`, where it may be read.
    pub(crate) turn: Option<usize>,
    /// The parameters that are part of the position, and the offset of the first.
    pub(crate) in_position: (&'a [String], usize),
    /// The parameters of the question.
    pub(crate) parameters: &'a [&'a str],
    /// Every name that a loop variable may not hide.
    pub(crate) taken: &'a [(&'a str, &'static str, Span)],
    /// The moves, for `can[…]`.
    pub(crate) moves: &'a [&'a str],
    pub(crate) values: Values,
    /// Why `grundy` may not stand, if it may not.
    pub(crate) no_grundy: Option<&'static str>,
    /// In a puzzle: whether it has a goal.
    pub(crate) puzzle: Option<bool>,
    /// Whether the text is about a sum of games, where there is no one state.
    pub(crate) sum: bool,
    /// What the moves of a one-pile game take, or why it has no period; where an ask may need it.
    pub(crate) takes: Option<&'a Result<Takes, String>>,
    /// Where a name that is not known may be meant as a parameter: those of which that has been told.
    pub(crate) given: Option<&'a [String]>,
}

enum Typed {
    Int(Int),
    Bool(Bool),
    List(List, Entry),
    Table(Table),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    Int,
    Bool,
    /// Of an empty list.
    Any,
}

#[derive(Clone)]
enum LoopKind {
    Value(usize, Entry),
    Row(usize),
}

struct LoopName<'a> {
    name: &'a str,
    span: Span,
    kind: LoopKind,
}

/// No names.
const NOTHING: &str = "none";

/// Looks up the names of one text.
pub(crate) struct Resolver<'a> {
    scope: &'a Scope<'a>,
    source: &'a Arc<Source>,
    loops: Vec<LoopName<'a>>,
    /// The names of loops that stand behind the clause that is read.
    later: Vec<&'a str>,
    /// The most slots in use at once.
    pub(crate) slots: Slots,
    /// Set inside an index or a bound, where values of a position may not stand.
    no_values: bool,
    pub(crate) mistakes: Vec<Mistake>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(scope: &'a Scope<'a>, source: &'a Arc<Source>) -> Self {
        Self {
            scope,
            source,
            loops: Vec::new(),
            later: Vec::new(),
            slots: Slots::default(),
            no_values: false,
            mistakes: Vec::new(),
        }
    }

    // ---- whole texts

    /// A number.
    pub(crate) fn int(&mut self, ast: &Ast<'a>) -> Parsed<Int> {
        match self.typed(ast)? {
            Typed::Int(int) => Ok(int),
            other => Err(self.mismatch(ast.span, "a number", &other)),
        }
    }

    /// A condition.
    pub(crate) fn bool(&mut self, ast: &Ast<'a>) -> Parsed<Bool> {
        match self.typed(ast)? {
            Typed::Bool(bool) => Ok(bool),
            other => Err(self.mismatch(ast.span, "a condition", &other)),
        }
    }

    /// A constant: a number, a list or a table.
    pub(crate) fn constant(&mut self, ast: &Ast<'a>) -> Parsed<ConstantTree> {
        match self.typed(ast)? {
            Typed::Int(int) => Ok(ConstantTree::Int(int)),
            Typed::List(list, Entry::Int | Entry::Any) => Ok(ConstantTree::List(list)),
            Typed::Table(table) => Ok(ConstantTree::Table(table)),
            other => Err(self.mismatch(ast.span, "a number, a list of numbers or a table", &other)),
        }
    }

    /// A position in state order, of so many items.
    pub(crate) fn coordinates<'s>(
        &mut self,
        written: usize,
        items: impl Iterator<Item = &'s Ast<'a>>,
        span: Span,
    ) -> Parsed<Coordinates>
    where
        'a: 's,
    {
        let state = self.scope.state.0;
        if written != state.len() {
            let names: Vec<&str> = state.iter().map(|variable| variable.name.as_str()).collect();
            let message = format!("{} for {}", values(written), state_variables(state.len()));
            let mut help = vec![format!("a position is written in state order: {}", names.join(", "))];
            if written > state.len() {
                help.push("one text gives one position; several moves are several texts: [\"…\", \"…\"]".to_owned());
            }
            return Err(self.mistake(span, message, help));
        }
        // all are looked at, so that all mistakes are told
        let mut entries = Vec::with_capacity(written);
        for (item, variable) in items.zip(state) {
            entries.extend(self.coordinate(item, variable));
        }
        if entries.len() == written { Ok(Coordinates { entries }) } else { Err(Noted) }
    }

    fn coordinate(&mut self, item: &Ast<'a>, variable: &StateVariable) -> Parsed<Coordinate> {
        let typed = self.typed(item)?;
        match (typed, variable.length) {
            (Typed::Int(int), None) => Ok(Coordinate::Int(int)),
            (Typed::List(list, Entry::Int | Entry::Any), Some(length)) => Ok(Coordinate::List(list, length)),
            (other, None) => Err(self.mismatch(item.span, &format!("a number for `{}`", variable.name), &other)),
            (other, Some(length)) => {
                let expected = format!("an array of {length} cells for `{}`", variable.name);
                Err(self.mismatch(item.span, &expected, &other))
            }
        }
    }

    /// The range of a parameter; its own name is known in the conditions only, so the caller resolves those apart.
    pub(crate) fn parameter_range(&mut self, ast: &GivenAst<'a>) -> Parsed<Range> {
        let (range, entry) = self.range(&ast.range)?;
        match (range, entry) {
            (range, Some(Entry::Int | Entry::Any)) => Ok(range),
            _ => Err(self.mistake(
                ast.range.span(),
                "a parameter takes numbers".to_owned(),
                vec!["a range is written `1..=58`, or as a list: `[1, 3, 7]`".to_owned()],
            )),
        }
    }

    // ---- expressions

    fn typed(&mut self, ast: &Ast<'a>) -> Parsed<Typed> {
        let span = ast.span;
        let int = |kind: IntKind| Ok(Typed::Int(Int::new(kind, span)));
        let bool = |kind: BoolKind| Ok(Typed::Bool(Bool::new(kind, span)));
        match &ast.kind {
            Kind::Int(value) => int(IntKind::Number(*value)),
            Kind::Word(word) => self.word(word, span),
            Kind::List(items) => self.list_of(items, span),
            Kind::ListOver(body, clauses) => self.list_over(body, clauses, span),
            Kind::Index(list, index) => self.index(list, index, span),
            Kind::Negative(operand) => int(IntKind::Negative(Box::new(self.int(operand)?))),
            Kind::Binary(operator, a, b) => self.binary(*operator, a, b, span),
            Kind::Compare(first, links) => self.comparison(first, links),
            Kind::Not(operand) => bool(BoolKind::Not(Box::new(self.bool(operand)?))),
            Kind::And(a, b) | Kind::Or(a, b) => {
                let (left, right) = (self.bool(a), self.bool(b));
                let (left, right) = (Box::new(left?), Box::new(right?));
                bool(if matches!(ast.kind, Kind::And(..)) {
                    BoolKind::And(left, right)
                } else {
                    BoolKind::Or(left, right)
                })
            }
            Kind::If(condition, yes, no) => self.conditional(condition, yes, no, span),
            Kind::Call(name, arguments) => self.call(**name, arguments, span),
            Kind::CallOver(name, body, clauses) => self.call_over(**name, body, clauses, span),
            Kind::Moves { must, names, formula } => {
                self.formula_only(span, if *must { "must" } else { "can" })?;
                let named = names.as_ref().map(|names| self.move_names(names));
                let formula = self.bool(formula);
                let named = named.transpose()?;
                bool(BoolKind::Moves(Box::new(OverMoves { must: *must, named, formula: formula? })))
            }
            Kind::At(formula, coordinates) => {
                self.formula_only(span, "at")?;
                if self.scope.sum {
                    let help = "ask the question with this position as its `start`".to_owned();
                    return Err(self.mistake(span, "`at` may not stand in a sum of games".to_owned(), vec![help]));
                }
                let formula = self.bool(formula);
                let coordinates =
                    self.without_values(|resolver| resolver.coordinates(coordinates.len(), coordinates.iter(), span));
                bool(BoolKind::At(Box::new(formula?), Box::new(coordinates?)))
            }
            Kind::Within(win, bound) => {
                self.formula_only(span, if *win { "win in" } else { "loss in" })?;
                self.two_players(span, if *win { "win in" } else { "loss in" })?;
                let bound_value = match &self.int(bound)?.kind {
                    IntKind::Number(value) => *value,
                    _ => {
                        let help = vec!["the number of moves is a number or a constant: `win in 2`".to_owned()];
                        return Err(self.mistake(
                            bound.span,
                            format!(
                                "the number of moves `{}` depends on the position or a parameter",
                                self.quoted(bound.span)
                            ),
                            help,
                        ));
                    }
                };
                let Ok(moves) = u32::try_from(bound_value) else {
                    return Err(self.mistake(
                        bound.span,
                        format!("{bound_value} moves"),
                        vec!["a number from 0 on is allowed".to_owned()],
                    ));
                };
                bool(BoolKind::Within(if *win { Class::Win(moves) } else { Class::Loss(moves) }))
            }
        }
    }

    fn word(&mut self, word: &str, span: Span) -> Parsed<Typed> {
        let int = |kind: IntKind| Ok(Typed::Int(Int::new(kind, span)));
        let bool = |kind: BoolKind| Ok(Typed::Bool(Bool::new(kind, span)));
        let scope = self.scope;
        if let Some(found) = self.loops.iter().find(|found| found.name == word) {
            return match found.kind {
                LoopKind::Value(slot, Entry::Bool) => bool(BoolKind::Loop(slot)),
                LoopKind::Value(slot, _) => int(IntKind::Loop(slot)),
                LoopKind::Row(slot) => Ok(Typed::List(List { kind: ListKind::LoopRow(slot), span }, Entry::Int)),
            };
        }
        if let (state, true) = scope.state
            && let Some(variable) = state.iter().find(|variable| variable.name == word)
        {
            return match variable.length {
                None => int(IntKind::Variable(variable.offset)),
                Some(length) => {
                    let kind = ListKind::Array(Array { offset: variable.offset, length });
                    Ok(Typed::List(List { kind, span }, Entry::Int))
                }
            };
        }
        if let Some(slot) = scope.parameters.iter().position(|name| *name == word) {
            return int(IntKind::Parameter(slot));
        }
        if let Some(place) = scope.in_position.0.iter().position(|name| name == word) {
            return int(IntKind::Variable(scope.in_position.1 + place));
        }
        if let Some((_, constant)) = scope.constants.iter().find(|(name, _)| name == word) {
            return Ok(match constant {
                Constant::Unknown => return Err(Noted),
                Constant::Int(value) => Typed::Int(Int::new(IntKind::Number(*value), span)),
                Constant::List(list) => {
                    Typed::List(List { kind: ListKind::Constant(Arc::clone(list)), span }, Entry::Int)
                }
                Constant::Table(rows) => Typed::Table(Table::Constant(Arc::clone(rows))),
            });
        }
        match word {
            "true" => return bool(BoolKind::Truth(true)),
            "false" => return bool(BoolKind::Truth(false)),
            "turn" => {
                return match scope.turn {
                    Some(offset) => int(IntKind::Variable(offset)),
                    None => Err(self.mistake(span, "`turn` may not stand here".to_owned(), vec![
                        "a formula may read it only where a rule of the game does; a rule that reads it makes the game partizan".to_owned(),
                    ])),
                };
            }
            "win" | "loss" | "draw" | "end" => {
                self.formula_only(span, word)?;
                if word != "end" {
                    self.two_players(span, word)?;
                }
                return bool(match word {
                    "win" => BoolKind::Outcome(Outcome::Win),
                    "loss" => BoolKind::Outcome(Outcome::Loss),
                    "draw" => BoolKind::Outcome(Outcome::Draw),
                    _ => BoolKind::End,
                });
            }
            "remoteness" => {
                self.two_players(span, word)?;
                return self.quantity(Quantity::Remoteness, word, span);
            }
            "moves" => return self.quantity(Quantity::Moves, word, span),
            "grundy" => {
                self.two_players(span, word)?;
                if let Some(reason) = scope.no_grundy {
                    return Err(self.mistake(
                        span,
                        "`grundy` has no meaning in this game".to_owned(),
                        vec![reason.to_owned()],
                    ));
                }
                return self.quantity(Quantity::Grundy, word, span);
            }
            "goal" | "solvable" | "distance" => {
                self.needs_goal(span, word)?;
                if word == "distance" {
                    return self.quantity(Quantity::Distance, word, span);
                }
                self.formula_only(span, word)?;
                return bool(if word == "goal" { BoolKind::Goal } else { BoolKind::Solvable });
            }
            "last" | "other" | "first" | "second" => {
                return Err(self.mistake(span, format!("`{word}` stands only in `winner`"), Vec::new()));
            }
            _ => {}
        }
        if let Ok(class) = word.parse::<Class>() {
            self.formula_only(span, word)?;
            self.two_players(span, word)?;
            return bool(BoolKind::Class(class));
        }
        Err(self.unknown(word, span))
    }

    fn quantity(&mut self, quantity: Quantity, word: &str, span: Span) -> Parsed<Typed> {
        if self.scope.values == Values::None {
            return Err(self.mistake(span, format!("`{word}` stands only in questions"), Vec::new()));
        }
        if self.no_values {
            return Err(self.mistake(
                span,
                format!("`{word}` may not stand in an index or a bound"),
                vec!["a position may have no such value; compare it instead: `remoteness == k`".to_owned()],
            ));
        }
        Ok(Typed::Int(Int::new(IntKind::Value(quantity), span)))
    }

    fn formula_only(&mut self, span: Span, word: &str) -> Parsed<()> {
        let message = match self.scope.values {
            Values::All => return Ok(()),
            Values::Numbers => format!("`{word}` stands only in the condition after `where`"),
            Values::None => format!("`{word}` stands only in questions"),
        };
        Err(self.mistake(span, message, Vec::new()))
    }

    /// What belongs to games of two players stands in no puzzle.
    fn two_players(&mut self, span: Span, word: &str) -> Parsed<()> {
        if self.scope.puzzle.is_none() {
            return Ok(());
        }
        let help = "in a puzzle ask for `goal`, `solvable`, `distance`, `moves` or `end`";
        Err(self.mistake(span, format!("`{word}` belongs to games of two players"), vec![help.to_owned()]))
    }

    /// What belongs to puzzles stands in no game, and needs a goal.
    fn needs_goal(&mut self, span: Span, word: &str) -> Parsed<()> {
        let (message, help) = match self.scope.puzzle {
            Some(true) => return Ok(()),
            Some(false) => {
                (format!("`{word}` needs a goal, and the puzzle has none"), "add `goal: \"…\"` to the puzzle")
            }
            None => (
                format!("`{word}` belongs to puzzles, which have one player"),
                "in a game ask for `win`, `loss`, `draw`, `remoteness`, `W1`, `L1`, …",
            ),
        };
        Err(self.mistake(span, message, vec![help.to_owned()]))
    }

    fn unknown(&mut self, word: &str, span: Span) -> Noted {
        let scope = self.scope;
        let as_parameter =
            format!("a number that is not known beforehand needs a range: `given: {{\"{word}\": \"1..=100\"}}`");
        if let Some(variable) = scope.state.0.iter().find(|variable| variable.name == word) {
            let message = format!("`{}` is a state variable, which this text cannot read", variable.name);
            let forgotten = scope.given.is_some() && !scope.sum && scope.parameters.is_empty();
            let help = match self.readable() {
                _ if forgotten => as_parameter,
                known if known == NOTHING => "it reads no names".to_owned(),
                known => format!("it reads {known}"),
            };
            return self.mistake(span, message, vec![help]);
        }
        if self.later.contains(&word) {
            let message = format!("`{word}` is not known before its loop");
            let help = format!("an `if` that reads it stands behind it: `… for {word} in … if …`");
            return self.mistake(span, message, vec![help]);
        }
        let mut known: Vec<&str> = self.names();
        known.extend(FUNCTIONS.iter().map(|(name, _)| *name));
        known.extend(["and", "or", "not", "true", "false"]);
        match scope.values {
            Values::All => {
                known.extend(["win", "loss", "draw", "end", "remoteness", "grundy", "moves", "can", "must", "W1", "L1"])
            }
            Values::Numbers => known.extend(["remoteness", "grundy", "moves"]),
            Values::None => known.push("turn"),
        }
        let mut help = Vec::new();
        if scope.values == Values::All && matches!(word, "W" | "L") {
            help.push(format!("a class is one word, without a space: `{word}2`"));
        } else if let Some(alike) = known.iter().find(|name| **name != word && latin(name) == latin(word)) {
            help.push(format!("some of its letters only look like those of `{alike}`: they are of another alphabet"));
        } else if let Some(near) = nearest(word, known) {
            help.push(format!("did you mean `{near}`?"));
        } else if scope.given.is_some() {
            help.push(as_parameter);
        }
        let known = self.readable();
        help.push(if known == NOTHING {
            "no names are known here".to_owned()
        } else {
            format!("the names known here are {known}")
        });
        self.mistake(span, format!("unknown name `{word}`"), help)
    }

    fn names(&self) -> Vec<&'a str> {
        let scope = self.scope;
        let mut names: Vec<&str> = Vec::new();
        if scope.state.1 {
            names.extend(scope.state.0.iter().map(|variable| variable.name.as_str()));
        }
        names.extend(scope.parameters);
        names.extend(scope.in_position.0.iter().map(String::as_str));
        names.extend(scope.constants.iter().map(|(name, _)| name.as_str()));
        let mut seen = Vec::new();
        let lacking = scope.given.unwrap_or_default();
        names.retain(|name| {
            let new = !seen.contains(name) && !lacking.iter().any(|lacking| lacking == name);
            seen.push(name);
            new
        });
        names
    }

    fn readable(&self) -> String {
        let mut names: Vec<String> = self.names().into_iter().map(|name| format!("`{name}`")).collect();
        names.extend(self.loops.iter().map(|found| format!("`{}`", found.name)));
        if names.is_empty() { NOTHING.to_owned() } else { names.join(", ") }
    }

    fn move_names(&mut self, names: &[Name<'a>]) -> Parsed<Vec<bool>> {
        let scope = self.scope;
        let mut named = vec![false; scope.moves.len()];
        let mut failed = false;
        for name in names {
            if let Some(at) = scope.moves.iter().position(|known| known.trim() == name.name.trim()) {
                named[at] = true;
            } else {
                let mut help = Vec::new();
                if let Some(near) = nearest(name.name, scope.moves.iter().copied()) {
                    help.push(format!("did you mean `{near}`?"));
                }
                let known: Vec<String> = scope.moves.iter().map(|known| format!("`{known}`")).collect();
                help.push(format!("the moves are {}", known.join(", ")));
                self.note(name.span, format!("no move is named `{}`", name.name), help);
                failed = true;
            }
        }
        if failed { Err(Noted) } else { Ok(named) }
    }

    /// The text at a place.
    fn quoted(&self, span: Span) -> &'a str {
        self.source.text.get(span.range()).unwrap_or_default()
    }

    fn without_values<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.no_values, true);
        let value = inner(self);
        self.no_values = before;
        value
    }

    fn mismatch(&mut self, span: Span, expected: &str, found: &Typed) -> Noted {
        let help = match (expected, found) {
            ("a condition", Typed::Int(_)) => vec!["a condition compares, for example `x >= 10`".to_owned()],
            _ => Vec::new(),
        };
        self.mistake(span, format!("expected {expected}, found {}", kind_of(found)), help)
    }

    fn mistake(&mut self, span: Span, message: String, help: Vec<String>) -> Noted {
        self.note(span, message, help);
        Noted
    }

    fn note(&mut self, span: Span, message: String, help: Vec<String>) {
        let mut mistake = Mistake::new(self.source, span, message);
        mistake.help = help;
        if !self.mistakes.contains(&mistake) {
            self.mistakes.push(mistake);
        }
    }
}

/// A constant's expression.
pub(crate) enum ConstantTree {
    Int(Int),
    List(List),
    Table(Table),
}

/// Puts a parameter together.
pub(crate) fn parameter(name: String, range: Range, conditions: Vec<Bool>, span: Span) -> Parameter {
    Parameter { name, range, conditions, span }
}

fn kind_of(typed: &Typed) -> &'static str {
    match typed {
        Typed::Int(_) => "a number",
        Typed::Bool(_) => "a condition",
        Typed::List(_, Entry::Bool) => "a list of conditions",
        Typed::List(..) => "a list",
        Typed::Table(_) => "a table",
    }
}

fn plural(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

fn values(n: usize) -> String {
    plural(n, "value", "values")
}

fn state_variables(n: usize) -> String {
    plural(n, "state variable", "state variables")
}
