//! Syntax to typed tree: names are looked up, types and numbers of arguments checked, mistakes noted one by one.

use std::sync::Arc;

use super::parse::{Noted, Parsed};
use super::source::{Mistake, Source, Span, nearest};
use super::syntax::{self, Ast, Comparison, GivenAst, Item, Kind, Link, MoveAst, Named, Operator, RangeAst};
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
    pub(crate) parameters: &'a [String],
    /// Every name that a loop variable may not hide.
    pub(crate) taken: &'a [(String, &'static str, Span)],
    /// The moves, for `can[…]`.
    pub(crate) moves: &'a [String],
    pub(crate) values: Values,
    /// Why `grundy` may not stand, if it may not.
    pub(crate) no_grundy: Option<&'static str>,
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

struct LoopName {
    name: String,
    span: Span,
    kind: LoopKind,
}

/// Looks up the names of one text.
pub(crate) struct Resolver<'a> {
    scope: &'a Scope<'a>,
    source: &'a Arc<Source>,
    loops: Vec<LoopName>,
    /// The most slots in use at once.
    pub(crate) slots: Slots,
    /// Set inside an index or a bound, where values of a position may not stand.
    no_values: bool,
    pub(crate) mistakes: Vec<Mistake>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(scope: &'a Scope<'a>, source: &'a Arc<Source>) -> Self {
        Self { scope, source, loops: Vec::new(), slots: Slots::default(), no_values: false, mistakes: Vec::new() }
    }

    // ---- whole texts

    /// A number.
    pub(crate) fn int(&mut self, ast: &Ast) -> Parsed<Int> {
        match self.typed(ast)? {
            Typed::Int(int) => Ok(int),
            other => Err(self.mismatch(ast.span, "a number", &other)),
        }
    }

    /// A condition.
    pub(crate) fn bool(&mut self, ast: &Ast) -> Parsed<Bool> {
        match self.typed(ast)? {
            Typed::Bool(bool) => Ok(bool),
            other => Err(self.mismatch(ast.span, "a condition", &other)),
        }
    }

    /// A constant: a number, a list or a table.
    pub(crate) fn constant(&mut self, ast: &Ast) -> Parsed<ConstantTree> {
        match self.typed(ast)? {
            Typed::Int(int) => Ok(ConstantTree::Int(int)),
            Typed::List(list, Entry::Int | Entry::Any) => Ok(ConstantTree::List(list)),
            Typed::Table(table) => Ok(ConstantTree::Table(table)),
            other => Err(self.mismatch(ast.span, "a number, a list of numbers or a table", &other)),
        }
    }

    /// A position in state order.
    pub(crate) fn coordinates(&mut self, items: &[Ast], span: Span) -> Parsed<Coordinates> {
        let state = self.scope.state.0;
        if items.len() != state.len() {
            let names: Vec<&str> = state.iter().map(|variable| variable.name.as_str()).collect();
            let message = format!("{} for {}", values(items.len()), state_variables(state.len()));
            return Err(self.mistake(
                span,
                message,
                vec![format!("a position is written in state order: {}", names.join(", "))],
            ));
        }
        let entries: Vec<Parsed<Coordinate>> =
            items.iter().zip(state).map(|(item, variable)| self.coordinate(item, variable)).collect();
        Ok(Coordinates { entries: entries.into_iter().collect::<Parsed<_>>()? })
    }

    fn coordinate(&mut self, item: &Ast, variable: &StateVariable) -> Parsed<Coordinate> {
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

    /// A move; splits are refused by the caller.
    pub(crate) fn whole_move(&mut self, ast: &MoveAst, name: &str) -> Parsed<Move> {
        let items = &ast.parts[0];
        self.over(&ast.clauses, |resolver| resolver.move_body(items)).map(|over| Move {
            name: name.to_owned(),
            body: over.body,
            clauses: over.clauses,
            span: ast.span,
        })
    }

    fn move_body(&mut self, items: &[Item]) -> Parsed<MoveBody> {
        let whole = match (items.first(), items.last()) {
            (Some(first), Some(last)) => first.span().to(last.span()),
            _ => return Err(Noted),
        };
        let assigns = items.iter().filter(|item| matches!(item, Item::Assign { .. })).count();
        if assigns == 0 {
            let values: Vec<Ast> = items
                .iter()
                .filter_map(|item| if let Item::Value(value) = item { Some(value.clone()) } else { None })
                .collect();
            return self.coordinates(&values, whole).map(MoveBody::Position);
        }
        if assigns < items.len() {
            let stray = items.iter().find(|item| matches!(item, Item::Value(_))).map_or(whole, Item::span);
            return Err(self.mistake(
                stray,
                "a move mixes assignments with values".to_owned(),
                vec!["write the whole new position, or assignments only; what is not assigned stays".to_owned()],
            ));
        }
        let mut whole_targets: Vec<(&str, bool)> = Vec::new();
        let mut assignments = Vec::new();
        for item in items {
            let Item::Assign { target, index, operator, value } = item else { continue };
            let twice = whole_targets.iter().any(|(name, cell)| *name == target.name && !(*cell && index.is_some()));
            if twice {
                self.note(
                    target.span,
                    format!("`{}` is assigned twice in one move", target.name),
                    vec!["assignments are simultaneous: each variable takes one new value".to_owned()],
                );
            }
            whole_targets.push((&target.name, index.is_some()));
            assignments.push(self.assignment(target, index.as_ref(), *operator, value));
        }
        assignments.into_iter().collect::<Parsed<_>>().map(MoveBody::Assign)
    }

    fn assignment(
        &mut self,
        target: &Named,
        index: Option<&Ast>,
        operator: Option<Operator>,
        value: &Ast,
    ) -> Parsed<Assignment> {
        let scope = self.scope;
        let Some(variable) = scope.state.0.iter().find(|variable| variable.name == target.name) else {
            let names = scope.state.0.iter().map(|variable| variable.name.as_str());
            let mut help = Vec::new();
            if let Some(near) = nearest(&target.name, names.clone()) {
                help.push(format!("did you mean `{near}`?"));
            }
            help.push(format!("the state variables are: {}", names.collect::<Vec<_>>().join(", ")));
            let _ = self.typed(value);
            return Err(self.mistake(
                target.span,
                format!("`{}` is no state variable and cannot be assigned", target.name),
                help,
            ));
        };
        match (variable.length, index) {
            (None, None) => {
                let value = self.int(value)?;
                let value = compound(operator, IntKind::Variable(variable.offset), target.span, value);
                Ok(Assignment::Variable(variable.offset, value))
            }
            (Some(length), Some(index)) => {
                let array = Array { offset: variable.offset, length };
                let (index, value) = (self.without_values(|resolver| resolver.int(index)), self.int(value));
                let (index, value) = (index?, value?);
                let value = compound(operator, IntKind::Cell(array, Box::new(index.clone())), target.span, value);
                Ok(Assignment::Cell(array, index, value))
            }
            (Some(length), None) => {
                if operator.is_some() {
                    let help = format!("name a cell: `{}[i] += 1`", variable.name);
                    return Err(self.mistake(target.span, format!("`{}` is an array", variable.name), vec![help]));
                }
                match self.typed(value)? {
                    Typed::List(list, Entry::Int | Entry::Any) => {
                        Ok(Assignment::Array(Array { offset: variable.offset, length }, list))
                    }
                    other => Err(self.mismatch(
                        value.span,
                        &format!("an array of {length} cells for `{}`", variable.name),
                        &other,
                    )),
                }
            }
            (None, Some(_)) => {
                Err(self.mistake(target.span, format!("`{}` is a number and has no cells", variable.name), Vec::new()))
            }
        }
    }

    /// The winner rule.
    pub(crate) fn winner(&mut self, ast: &Ast) -> Parsed<Winner> {
        const WORDS: [(&str, WinnerWord); 5] = [
            ("last", WinnerWord::Last),
            ("other", WinnerWord::Other),
            ("first", WinnerWord::First),
            ("second", WinnerWord::Second),
            ("draw", WinnerWord::Draw),
        ];
        match &ast.kind {
            Kind::If(condition, yes, no) => {
                let (condition, yes, no) = (self.bool(condition), self.winner(yes), self.winner(no));
                Ok(Winner::If(Box::new(condition?), Box::new(yes?), Box::new(no?)))
            }
            Kind::Word(word) if WORDS.iter().any(|(name, _)| name == word) => Ok(WORDS
                .iter()
                .find(|(name, _)| name == word)
                .map_or(Winner::Word(WinnerWord::Last), |(_, w)| Winner::Word(*w))),
            _ => {
                let mut help = Vec::new();
                if let Kind::Word(word) = &ast.kind
                    && let Some(near) = nearest(word, WORDS.map(|(name, _)| name))
                {
                    help.push(format!("did you mean `{near}`?"));
                }
                help.push("a winner is `last`, `other`, `first`, `second` or `draw`, or a conditional: `last if x <= 45 else other`".to_owned());
                let found = self.quoted(ast.span);
                Err(self.mistake(ast.span, format!("`{found}` is no winner"), help))
            }
        }
    }

    /// The range of a parameter; its own name is known in the conditions only, so the caller resolves those apart.
    pub(crate) fn parameter_range(&mut self, ast: &GivenAst) -> Parsed<Range> {
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

    fn typed(&mut self, ast: &Ast) -> Parsed<Typed> {
        let span = ast.span;
        let int = |kind: IntKind| Ok(Typed::Int(Int { kind, span }));
        let bool = |kind: BoolKind| Ok(Typed::Bool(Bool { kind, span }));
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
            Kind::Call(name, arguments) => self.call(name, arguments, span),
            Kind::CallOver(name, body, clauses) => self.call_over(name, body, clauses, span),
            Kind::Moves { must, names, formula } => {
                self.formula_only(span, if *must { "must" } else { "can" })?;
                let named = names.as_ref().map(|names| self.move_names(names));
                let formula = self.bool(formula);
                let named = named.transpose()?;
                bool(BoolKind::Moves(Box::new(OverMoves { must: *must, named, formula: formula? })))
            }
            Kind::At(formula, coordinates) => {
                self.formula_only(span, "at")?;
                let formula = self.bool(formula);
                let coordinates = self.without_values(|resolver| resolver.coordinates(coordinates, span));
                bool(BoolKind::At(Box::new(formula?), Box::new(coordinates?)))
            }
            Kind::Within(win, bound) => {
                self.formula_only(span, if *win { "win in" } else { "loss in" })?;
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
        let int = |kind: IntKind| Ok(Typed::Int(Int { kind, span }));
        let bool = |kind: BoolKind| Ok(Typed::Bool(Bool { kind, span }));
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
        if let Some(slot) = scope.parameters.iter().position(|name| name == word) {
            return int(IntKind::Parameter(slot));
        }
        if let Some(place) = scope.in_position.0.iter().position(|name| name == word) {
            return int(IntKind::Variable(scope.in_position.1 + place));
        }
        if let Some((_, constant)) = scope.constants.iter().find(|(name, _)| name == word) {
            return Ok(match constant {
                Constant::Unknown => return Err(Noted),
                Constant::Int(value) => Typed::Int(Int { kind: IntKind::Number(*value), span }),
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
                return bool(match word {
                    "win" => BoolKind::Outcome(Outcome::Win),
                    "loss" => BoolKind::Outcome(Outcome::Loss),
                    "draw" => BoolKind::Outcome(Outcome::Draw),
                    _ => BoolKind::End,
                });
            }
            "remoteness" => return self.quantity(Quantity::Remoteness, word, span),
            "moves" => return self.quantity(Quantity::Moves, word, span),
            "grundy" => {
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
                return Err(self.mistake(
                    span,
                    format!("`{word}` belongs to puzzles, which have one player"),
                    vec!["in a game ask for `win`, `loss`, `draw`, `remoteness`, `W1`, `L1`, …".to_owned()],
                ));
            }
            "last" | "other" | "first" | "second" => {
                return Err(self.mistake(span, format!("`{word}` stands only in `winner`"), Vec::new()));
            }
            _ => {}
        }
        if let Ok(class) = word.parse::<Class>() {
            self.formula_only(span, word)?;
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
        Ok(Typed::Int(Int { kind: IntKind::Value(quantity), span }))
    }

    fn formula_only(&mut self, span: Span, word: &str) -> Parsed<()> {
        let message = match self.scope.values {
            Values::All => return Ok(()),
            Values::Numbers => format!("`{word}` stands only in the condition after `where`"),
            Values::None => format!("`{word}` stands only in questions"),
        };
        Err(self.mistake(span, message, Vec::new()))
    }

    fn unknown(&mut self, word: &str, span: Span) -> Noted {
        let scope = self.scope;
        if let Some(variable) = scope.state.0.iter().find(|variable| variable.name == word) {
            let message = format!("`{}` is a state variable, which this text cannot read", variable.name);
            return self.mistake(span, message, vec![format!("it reads {}", self.readable())]);
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
        if let Some(near) = nearest(word, known) {
            help.push(format!("did you mean `{near}`?"));
        }
        help.push(format!("the names known here are {}", self.readable()));
        self.mistake(span, format!("unknown name `{word}`"), help)
    }

    fn names(&self) -> Vec<&'a str> {
        let scope = self.scope;
        let mut names: Vec<&str> = Vec::new();
        if scope.state.1 {
            names.extend(scope.state.0.iter().map(|variable| variable.name.as_str()));
        }
        names.extend(scope.parameters.iter().map(String::as_str));
        names.extend(scope.in_position.0.iter().map(String::as_str));
        names.extend(scope.constants.iter().map(|(name, _)| name.as_str()));
        let mut seen = Vec::new();
        names.retain(|name| {
            let new = !seen.contains(name);
            seen.push(name);
            new
        });
        names
    }

    fn readable(&self) -> String {
        let mut names: Vec<String> = self.names().into_iter().map(|name| format!("`{name}`")).collect();
        names.extend(self.loops.iter().map(|found| format!("`{}`", found.name)));
        if names.is_empty() { "none".to_owned() } else { names.join(", ") }
    }

    fn list_of(&mut self, items: &[Ast], span: Span) -> Parsed<Typed> {
        let typed: Vec<(Span, Parsed<Typed>)> = items.iter().map(|item| (item.span, self.typed(item))).collect();
        let mut scalars = Vec::new();
        let mut lists = Vec::new();
        let mut first_entry = None;
        for (place, item) in typed {
            let item = item?;
            let kind = match &item {
                Typed::Int(_) => "numbers",
                Typed::Bool(_) => "conditions",
                Typed::List(_, Entry::Int | Entry::Any) => "lists",
                Typed::List(_, Entry::Bool) | Typed::Table(_) => {
                    return Err(self.mistake(
                        place,
                        "lists are nested too deep".to_owned(),
                        vec!["a list holds numbers or conditions, a table holds lists of numbers".to_owned()],
                    ));
                }
            };
            if *first_entry.get_or_insert(kind) != kind {
                let first = first_entry.unwrap_or("numbers");
                return Err(self.mistake(
                    place,
                    format!("a list mixes {first} and {kind}"),
                    vec!["all entries of a list are of one kind".to_owned()],
                ));
            }
            match item {
                Typed::Int(int) => scalars.push(Scalar::Int(int)),
                Typed::Bool(bool) => scalars.push(Scalar::Bool(bool)),
                Typed::List(list, _) => lists.push(list),
                Typed::Table(_) => {}
            }
        }
        if !lists.is_empty() {
            return Ok(Typed::Table(Table::Items(lists)));
        }
        let entry = match scalars.first() {
            None => Entry::Any,
            Some(Scalar::Int(_)) => Entry::Int,
            Some(Scalar::Bool(_)) => Entry::Bool,
        };
        Ok(Typed::List(List { kind: ListKind::Items(scalars), span }, entry))
    }

    fn list_over(&mut self, body: &Ast, clauses: &[syntax::Clause], span: Span) -> Parsed<Typed> {
        let over = self.over(clauses, |resolver| resolver.typed(body))?;
        let clauses = over.clauses;
        let list = |body, clauses, entry| {
            let kind = ListKind::Over(Box::new(Over { clauses, body }));
            Ok(Typed::List(List { kind, span }, entry))
        };
        match over.body {
            Typed::Int(body) => list(Scalar::Int(body), clauses, Entry::Int),
            Typed::Bool(body) => list(Scalar::Bool(body), clauses, Entry::Bool),
            Typed::List(body, Entry::Int | Entry::Any) => {
                Ok(Typed::Table(Table::Over(Box::new(Over { clauses, body }))))
            }
            Typed::List(_, Entry::Bool) | Typed::Table(_) => {
                Err(self.mistake(body.span, "lists are nested too deep".to_owned(), Vec::new()))
            }
        }
    }

    fn index(&mut self, list: &Ast, index: &Ast, span: Span) -> Parsed<Typed> {
        let list_typed = self.typed(list);
        let index = self.without_values(|resolver| resolver.int(index));
        let (list_typed, index) = (list_typed?, index?);
        match list_typed {
            Typed::List(List { kind: ListKind::Array(array), .. }, _) => {
                Ok(Typed::Int(Int { kind: IntKind::Cell(array, Box::new(index)), span }))
            }
            Typed::List(list, Entry::Bool) => {
                Ok(Typed::Bool(Bool { kind: BoolKind::Entry(Box::new(list), Box::new(index)), span }))
            }
            Typed::List(list, _) => Ok(Typed::Int(Int { kind: IntKind::Entry(Box::new(list), Box::new(index)), span })),
            Typed::Table(table) => {
                let kind = ListKind::Row(Box::new(table), Box::new(index));
                Ok(Typed::List(List { kind, span }, Entry::Int))
            }
            other @ (Typed::Int(_) | Typed::Bool(_)) => Err(self.mismatch(list.span, "a list before `[`", &other)),
        }
    }

    fn binary(&mut self, operator: Operator, a: &Ast, b: &Ast, span: Span) -> Parsed<Typed> {
        let left = self.typed(a);
        if operator == Operator::Mul && matches!(left, Ok(Typed::List(..))) {
            let Ok(Typed::List(list, entry)) = left else { return Err(Noted) };
            let times = self.without_values(|resolver| resolver.int(b))?;
            let kind = ListKind::Repeated(Box::new(list), Box::new(times));
            return Ok(Typed::List(List { kind, span }, entry));
        }
        let right = self.typed(b);
        let (left, right) = (left?, right?);
        let (Typed::Int(left), Typed::Int(right)) = (&left, &right) else {
            let (place, other) = if matches!(left, Typed::Int(_)) { (b.span, &right) } else { (a.span, &left) };
            let mut help = Vec::new();
            if matches!(right, Typed::List(..)) && operator == Operator::Mul {
                help.push("a list is repeated with the number behind it: `[0] * 4`".to_owned());
            }
            return Err(self.mistake(place, format!("expected a number, found {}", kind_of(other)), help));
        };
        let kind = IntKind::Binary(operator, Box::new(left.clone()), Box::new(right.clone()));
        Ok(Typed::Int(Int { kind, span }))
    }

    /// A chain is the conjunction of its links, each evaluated no more than needed.
    fn comparison(&mut self, first: &Ast, links: &[Link]) -> Parsed<Typed> {
        let mut left = first;
        let mut chain: Option<Bool> = None;
        for (at, link) in links.iter().enumerate() {
            let (bool, next) = match link {
                Link::Order(order, right) => (self.order(*order, left, right)?, Some(right)),
                Link::In { negated, range } => {
                    let next = if let RangeAst::List(list) = range { Some(list) } else { None };
                    (self.membership(*negated, left, range)?, next)
                }
            };
            let span = first.span.to(bool.span);
            chain = Some(match chain {
                None => bool,
                Some(before) => Bool { kind: BoolKind::And(Box::new(before), Box::new(bool)), span },
            });
            match next {
                Some(next) => left = next,
                None if at + 1 < links.len() => {
                    let place = if let Link::In { range, .. } = link { range.span() } else { span };
                    return Err(self.mistake(
                        place,
                        "a range cannot be compared further".to_owned(),
                        vec!["join two comparisons with `and`".to_owned()],
                    ));
                }
                None => {}
            }
        }
        chain.map(Typed::Bool).ok_or(Noted)
    }

    fn order(&mut self, order: Comparison, a: &Ast, b: &Ast) -> Parsed<Bool> {
        let (left, right) = (self.typed(a), self.typed(b));
        let (left, right) = (left?, right?);
        let span = a.span.to(b.span);
        let equality = matches!(order, Comparison::Equal | Comparison::Unequal);
        let unequal = order == Comparison::Unequal;
        let kind = match (left, right) {
            (Typed::Int(left), Typed::Int(right)) => BoolKind::Compare(order, Box::new(left), Box::new(right)),
            (Typed::Bool(left), Typed::Bool(right)) if equality => {
                BoolKind::SameTruth(unequal, Box::new(left), Box::new(right))
            }
            (Typed::List(left, e), Typed::List(right, f))
                if equality && (e == f || e == Entry::Any || f == Entry::Any) =>
            {
                BoolKind::SameList(unequal, Box::new(left), Box::new(right))
            }
            (left, right) => {
                let (message, help) = if equality {
                    (
                        format!("`{}` compares {} with {}", order.sign(), kind_of(&left), kind_of(&right)),
                        "numbers are compared with numbers, conditions with conditions, lists of one kind with each other",
                    )
                } else {
                    let other = if matches!(left, Typed::Int(_)) { &right } else { &left };
                    (
                        format!("`{}` compares numbers, found {}", order.sign(), kind_of(other)),
                        "join conditions with `and` or `or`",
                    )
                };
                return Err(self.mistake(span, message, vec![help.to_owned()]));
            }
        };
        Ok(Bool { kind, span })
    }

    fn membership(&mut self, negated: bool, needle: &Ast, range: &RangeAst) -> Parsed<Bool> {
        let (value, range_typed) = (self.typed(needle), self.range(range));
        let (value, (hay, entry)) = (value?, range_typed?);
        let span = needle.span.to(range.span());
        let kind = match (value, hay, entry) {
            (Typed::Int(value), hay, Some(Entry::Int | Entry::Any)) => {
                BoolKind::In(negated, Box::new(value), Box::new(hay))
            }
            (Typed::Bool(value), Range::List(hay), Some(Entry::Bool | Entry::Any)) => {
                BoolKind::TruthIn(negated, Box::new(value), Box::new(hay))
            }
            (Typed::List(value, Entry::Int | Entry::Any), Range::Table(hay), None) => {
                BoolKind::RowIn(negated, Box::new(value), Box::new(hay))
            }
            (value, _, entry) => {
                let hay = match entry {
                    None => "a table",
                    Some(Entry::Bool) => "a list of conditions",
                    Some(_) => "numbers",
                };
                return Err(self.mistake(span, format!("{} cannot be in {hay}", kind_of(&value)), Vec::new()));
            }
        };
        Ok(Bool { kind, span })
    }

    fn range(&mut self, range: &RangeAst) -> Parsed<(Range, Option<Entry>)> {
        match range {
            RangeAst::Span { low, high, inclusive } => {
                let (low, high) = self.without_values(|resolver| (resolver.int(low), resolver.int(high)));
                Ok((Range::Span { low: low?, high: high?, inclusive: *inclusive }, Some(Entry::Int)))
            }
            RangeAst::List(list) => match self.typed(list)? {
                Typed::List(list, entry) => Ok((Range::List(list), Some(entry))),
                Typed::Table(table) => Ok((Range::Table(table), None)),
                other => {
                    let found = kind_of(&other);
                    Err(self.mistake(
                        list.span,
                        format!("expected a range or a list, found {found}"),
                        vec!["a range is written `0..n` (without n) or `0..=n`, a list `[1, 3, 7]`".to_owned()],
                    ))
                }
            },
        }
    }

    fn conditional(&mut self, condition: &Ast, yes: &Ast, no: &Ast, span: Span) -> Parsed<Typed> {
        let (condition, a, b) = (self.bool(condition), self.typed(yes), self.typed(no));
        let condition = Box::new(condition?);
        Ok(match (a?, b?) {
            (Typed::Int(a), Typed::Int(b)) => {
                Typed::Int(Int { kind: IntKind::If(condition, Box::new(a), Box::new(b)), span })
            }
            (Typed::Bool(a), Typed::Bool(b)) => {
                Typed::Bool(Bool { kind: BoolKind::If(condition, Box::new(a), Box::new(b)), span })
            }
            (Typed::List(a, e), Typed::List(b, f)) if e == f || e == Entry::Any || f == Entry::Any => {
                let kind = ListKind::If(condition, Box::new(a), Box::new(b));
                Typed::List(List { kind, span }, if e == Entry::Any { f } else { e })
            }
            (a, b) => {
                let message = format!("the two sides of a conditional are {} and {}", kind_of(&a), kind_of(&b));
                return Err(self.mistake(span, message, vec!["both sides must be of one kind".to_owned()]));
            }
        })
    }

    fn call(&mut self, name: &Named, arguments: &[Ast], span: Span) -> Parsed<Typed> {
        let function = name.name.as_str();
        let int = |kind: IntKind| Ok(Typed::Int(Int { kind, span }));
        match (function, arguments) {
            ("abs" | "sign" | "isqrt", [argument]) => {
                let argument = Box::new(self.int(argument)?);
                let function = match function {
                    "abs" => Function::Abs,
                    "sign" => Function::Sign,
                    _ => Function::Isqrt,
                };
                int(IntKind::Function(function, argument))
            }
            ("is_prime", [argument]) => {
                let kind = BoolKind::IsPrime(Box::new(self.int(argument)?));
                Ok(Typed::Bool(Bool { kind, span }))
            }
            ("len", [argument]) => match self.typed(argument)? {
                Typed::List(list, _) => int(IntKind::Length(Box::new(list))),
                Typed::Table(table) => int(IntKind::TableLength(Box::new(table))),
                other => Err(self.mismatch(argument.span, "a list", &other)),
            },
            ("ceildiv", [a, b]) => {
                let (a, b) = (self.int(a), self.int(b));
                int(IntKind::CeilDiv(Box::new(a?), Box::new(b?)))
            }
            ("min" | "max" | "gcd" | "xor", [_, _, ..]) => {
                let values: Vec<Parsed<Int>> = arguments.iter().map(|argument| self.int(argument)).collect();
                int(IntKind::Fold(fold_of(function), values.into_iter().collect::<Parsed<_>>()?))
            }
            ("min" | "max" | "sum" | "product", [argument]) => match self.typed(argument)? {
                Typed::List(list, Entry::Int | Entry::Any) => int(IntKind::FoldList(fold_of(function), Box::new(list))),
                other => {
                    let help = format!("`{function}` takes {}", takes(function));
                    Err(self.mistake(
                        argument.span,
                        format!("expected a list of numbers, found {}", kind_of(&other)),
                        vec![help],
                    ))
                }
            },
            _ => {
                for argument in arguments {
                    let _ = self.typed(argument);
                }
                if let Some(known) = takes_of(function) {
                    let message = format!("`{function}` with {}", arguments_words(arguments.len()));
                    return Err(self.mistake(span, message, vec![format!("`{function}` takes {known}")]));
                }
                Err(self.unknown_function(name))
            }
        }
    }

    fn call_over(&mut self, name: &Named, body: &Ast, clauses: &[syntax::Clause], span: Span) -> Parsed<Typed> {
        let function = name.name.as_str();
        match function {
            "sum" | "product" | "min" | "max" => {
                let over = self.over(clauses, |resolver| resolver.int(body))?;
                Ok(Typed::Int(Int { kind: IntKind::FoldOver(fold_of(function), Box::new(over)), span }))
            }
            "count" | "any" | "all" => {
                let over = Box::new(self.over(clauses, |resolver| resolver.bool(body))?);
                Ok(match function {
                    "count" => Typed::Int(Int { kind: IntKind::Count(over), span }),
                    "any" => Typed::Bool(Bool { kind: BoolKind::Any(over), span }),
                    _ => Typed::Bool(Bool { kind: BoolKind::All(over), span }),
                })
            }
            _ => match takes_of(function) {
                Some(known) => {
                    let message = format!("`{function}` does not go over a comprehension");
                    Err(self.mistake(span, message, vec![format!("`{function}` takes {known}")]))
                }
                None => Err(self.unknown_function(name)),
            },
        }
    }

    fn unknown_function(&mut self, name: &Named) -> Noted {
        let functions: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
        let mut help = Vec::new();
        if self.names().contains(&name.name.as_str()) || self.loops.iter().any(|found| found.name == name.name) {
            help.push(format!("`{}` is no function: a product is written `{0} * (…)`, an entry `{0}[…]`", name.name));
        } else if let Some(near) = nearest(&name.name, functions.iter().copied().chain(["can", "must"])) {
            help.push(format!("did you mean `{near}`?"));
        }
        help.push(format!("the functions are {}", functions.join(", ")));
        self.mistake(name.span, format!("unknown function `{}`", name.name), help)
    }

    /// Resolves clauses from left to right and what stands inside them.
    fn over<T>(&mut self, clauses: &[syntax::Clause], body: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<Over<T>> {
        let open = self.loops.len();
        let mut resolved = Vec::new();
        let mut failed = false;
        for clause in clauses {
            match self.clause(clause) {
                Ok(clause) => resolved.push(clause),
                Err(Noted) => failed = true,
            }
        }
        let body = body(self);
        self.loops.truncate(open);
        let body = body?;
        if failed { Err(Noted) } else { Ok(Over { clauses: resolved, body }) }
    }

    fn clause(&mut self, clause: &syntax::Clause) -> Parsed<Clause> {
        match clause {
            syntax::Clause::If(condition) => self.bool(condition).map(Clause::If),
            syntax::Clause::For { names, row, range } => {
                let span = range.span();
                let resolved = self.range(range);
                for name in names {
                    self.check_loop_name(name);
                }
                let values = self.loops.iter().filter(|found| matches!(found.kind, LoopKind::Value(..))).count();
                let rows = self.loops.len() - values;
                let entry = match &resolved {
                    Ok((_, Some(entry))) => *entry,
                    _ => Entry::Int,
                };
                let binding = match (&resolved, names.as_slice(), row) {
                    (Ok((Range::Table(_), _)), [name], false) => {
                        self.loops.push(LoopName {
                            name: name.name.clone(),
                            span: name.span,
                            kind: LoopKind::Row(rows),
                        });
                        Binding::Row(rows)
                    }
                    (_, [name], false) => {
                        self.loops.push(LoopName {
                            name: name.name.clone(),
                            span: name.span,
                            kind: LoopKind::Value(values, entry),
                        });
                        Binding::Value(values)
                    }
                    _ => {
                        let slots: Vec<usize> = (values..values + names.len()).collect();
                        for (name, slot) in names.iter().zip(&slots) {
                            self.loops.push(LoopName {
                                name: name.name.clone(),
                                span: name.span,
                                kind: LoopKind::Value(*slot, Entry::Int),
                            });
                        }
                        Binding::Entries(slots)
                    }
                };
                let values = self.loops.iter().filter(|found| matches!(found.kind, LoopKind::Value(..))).count();
                self.slots = self.slots.or(Slots { values, rows: self.loops.len() - values });
                let (range, _) = resolved?;
                if *row {
                    self.check_row(names, &range, span)?;
                }
                Ok(Clause::For { binding, range, span })
            }
        }
    }

    fn check_row(&mut self, names: &[Named], range: &Range, span: Span) -> Parsed<()> {
        let Range::Table(table) = range else {
            return Err(self.mistake(
                span,
                "loop variables in brackets go over the rows of a table".to_owned(),
                vec!["over numbers a loop has one variable: `for v in 1..=3`".to_owned()],
            ));
        };
        if let Table::Constant(rows) = table
            && let Some(row) = rows.iter().find(|row| row.len() != names.len())
        {
            let message = format!("{} for rows of {}", loop_variables(names.len()), entries(row.len()));
            return Err(self.mistake(span, message, Vec::new()));
        }
        Ok(())
    }

    fn check_loop_name(&mut self, name: &Named) {
        let scope = self.scope;
        if let Some(what) = reserved(&name.name) {
            self.note(
                name.span,
                format!("`{}` is {what} and cannot be a name", name.name),
                vec![format!("choose another name, such as `{}_`", name.name)],
            );
            return;
        }
        let place = |what: &str, span: Span| {
            let (line, column) = self.source.line_column(span.start);
            format!("{what} `{}` in line {line}, column {column}", name.name)
        };
        let taken = scope.taken.iter().find(|(taken, ..)| *taken == name.name);
        let outer = self.loops.iter().find(|found| found.name == name.name);
        let taken = match (taken, outer) {
            (Some((_, what, span)), _) => Some(place(what, *span)),
            (None, Some(outer)) => Some(place("the loop variable", outer.span)),
            (None, None) => None,
        };
        if let Some(what) = taken {
            let free = (b'i'..=b'z')
                .map(|letter| char::from(letter).to_string())
                .find(|letter| {
                    !scope.taken.iter().any(|(taken, ..)| taken == letter)
                        && !self.loops.iter().any(|found| found.name == *letter)
                })
                .unwrap_or_else(|| format!("{}_", name.name));
            self.note(
                name.span,
                format!("the loop variable `{}` hides {what}", name.name),
                vec![format!("a name has one meaning in a file; choose another, such as `{free}`")],
            );
        }
    }

    fn move_names(&mut self, names: &[Named]) -> Parsed<Vec<bool>> {
        let scope = self.scope;
        let mut named = vec![false; scope.moves.len()];
        let mut failed = false;
        for name in names {
            if let Some(at) = scope.moves.iter().position(|known| known.trim() == name.name.trim()) {
                named[at] = true;
            } else {
                let mut help = Vec::new();
                if let Some(near) = nearest(&name.name, scope.moves.iter().map(String::as_str)) {
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

fn compound(operator: Option<Operator>, old: IntKind, place: Span, value: Int) -> Int {
    match operator {
        None => value,
        Some(operator) => {
            let span = place.to(value.span);
            let old = Int { kind: old, span: place };
            Int { kind: IntKind::Binary(operator, Box::new(old), Box::new(value)), span }
        }
    }
}

fn fold_of(function: &str) -> Fold {
    match function {
        "min" => Fold::Min,
        "max" => Fold::Max,
        "gcd" => Fold::Gcd,
        "xor" => Fold::Xor,
        "product" => Fold::Product,
        _ => Fold::Sum,
    }
}

fn takes_of(function: &str) -> Option<&'static str> {
    FUNCTIONS.iter().find(|(name, _)| *name == function).map(|(_, takes)| *takes)
}

fn takes(function: &str) -> &'static str {
    takes_of(function).unwrap_or("something else")
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

fn entries(n: usize) -> String {
    plural(n, "entry", "entries")
}

fn state_variables(n: usize) -> String {
    plural(n, "state variable", "state variables")
}

fn loop_variables(n: usize) -> String {
    plural(n, "loop variable", "loop variables")
}

fn arguments_words(n: usize) -> String {
    plural(n, "argument", "arguments")
}
