//! Tokens to syntax: a small Pratt parser, one function for each kind of text.
//!
//! Binding, loosest first: `if else`, `or`, `and`, `not`, `at`, comparisons and `in`, `+ -`, `* // / %`, unary `-`,
//! `**`, index. Signs that other languages use are noted as mistakes and read as what was meant, so that one run tells
//! all of them.

use super::source::{Mistake, Span, Text};
use super::syntax::{
    Ast, Clause, Comparison, GivenAst, Item, Kind, Link, MoveAst, Named, Operator, RangeAst, StateAst,
};
use super::token::{Placed, Token, tokens};

/// How deep brackets and operators may be nested in one text.
pub const NESTING_LIMIT: usize = 100;

/// The longest text of the rule language, in bytes.
pub const TEXT_LIMIT: usize = 100_000;

/// A mistake has been noted; there is nothing to return.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noted;

pub(crate) type Parsed<T> = Result<T, Noted>;

/// Reads one text; mistakes are noted in the order of their places.
pub(crate) struct Parser<'t> {
    text: &'t Text,
    tokens: Vec<Placed>,
    at: usize,
    depth: usize,
    /// Something could not be read as a token; what would only follow from that is not told.
    unreadable: bool,
    pub(crate) mistakes: Vec<Mistake>,
}

/// Words that can begin nothing but a clause or another part of a question.
const STOP_WORDS: [&str; 8] = ["for", "in", "if", "else", "and", "or", "where", "at"];

const REFUSED: [(&str, &str, &str); 15] = [
    ("^", "**", "a power is written `**`, a nim-sum `xor(a, b)`"),
    ("&&", "and", "write `and`"),
    ("||", "or", "write `or`"),
    ("&", "and", "write `and`"),
    ("=", "==", "to compare, write `==`"),
    ("<>", "!=", "write `!=`"),
    ("=>", ">=", "write `>=`"),
    ("=<", "<=", "write `<=`"),
    ("≤", "<=", "write `<=`"),
    ("≥", ">=", "write `>=`"),
    ("≠", "!=", "write `!=`"),
    ("×", "*", "write `*`"),
    ("·", "*", "write `*`"),
    ("−", "-", "write `-`"),
    ("÷", "/", "write `//` to round down, `/` for an exact division"),
];

impl<'t> Parser<'t> {
    pub(crate) fn new(text: &'t Text) -> Self {
        let mut mistakes = Vec::new();
        let mut tokens_of_text = if text.value.len() > TEXT_LIMIT {
            let mistake = Mistake::new(&text.source, text.span(0..1), format!("a text of {} bytes", text.value.len()));
            mistakes.push(mistake.help(format!("the longest allowed has {TEXT_LIMIT} bytes")));
            vec![Placed { token: Token::End, span: text.span(0..0) }]
        } else {
            tokens(text, &mut mistakes)
        };
        let unreadable = !mistakes.is_empty();
        for placed in &mut tokens_of_text {
            let Token::Sign(sign) = placed.token else { continue };
            if let Some((_, meant, hint)) = REFUSED.iter().find(|(found, ..)| *found == sign && sign != "=") {
                let mistake = Mistake::new(&text.source, placed.span, format!("`{sign}` is not an operator here"));
                mistakes.push(mistake.help(*hint));
                placed.token = if meant.starts_with(char::is_alphabetic) {
                    Token::Word((*meant).to_owned())
                } else {
                    Token::Sign(meant)
                };
            }
        }
        Self { text, tokens: tokens_of_text, at: 0, depth: 0, unreadable, mistakes }
    }

    // ---- whole texts

    /// One expression, and nothing after it.
    pub(crate) fn whole_expression(&mut self) -> Parsed<Ast> {
        let expression = self.expression()?;
        self.end()?;
        Ok(expression)
    }

    /// `x, y` or `c[33]`.
    pub(crate) fn state(&mut self) -> Parsed<Vec<StateAst>> {
        let mut variables = Vec::new();
        loop {
            let name = self.name("a state variable")?;
            let length = if self.take("[") {
                let length = self.expression()?;
                self.expect("]")?;
                Some(length)
            } else {
                None
            };
            variables.push(StateAst { name, length });
            if !self.take(",") {
                break;
            }
        }
        self.end()?;
        Ok(variables)
    }

    /// A position: `6, s`; also in brackets, as it is shown.
    pub(crate) fn position(&mut self) -> Parsed<Vec<Ast>> {
        let bracketed = self.bracketed();
        if bracketed {
            self.advance();
        }
        let items = self.items()?;
        if bracketed {
            self.expect(")")?;
        }
        self.end()?;
        Ok(items)
    }

    /// Whether one pair of round brackets encloses the whole text.
    fn bracketed(&self) -> bool {
        let mut open = 0_usize;
        for (at, placed) in self.tokens.iter().enumerate() {
            match placed.token {
                Token::Sign("(" | "[") => open += 1,
                Token::Sign(")" | "]") => open = open.saturating_sub(1),
                _ => {}
            }
            if open == 0 {
                return at > 0 && at + 2 == self.tokens.len() && matches!(self.tokens[0].token, Token::Sign("("));
            }
        }
        false
    }

    /// A move with its clauses.
    pub(crate) fn whole_move(&mut self) -> Parsed<MoveAst> {
        let start = self.span();
        let mut parts = vec![Vec::new()];
        loop {
            let item = self.item()?;
            if let Some(part) = parts.last_mut() {
                part.push(item);
            }
            if self.take("|") {
                parts.push(Vec::new());
            } else if !self.take(",") {
                break;
            }
        }
        let clauses = self.clauses()?;
        let end = self.span();
        self.end()?;
        Ok(MoveAst { parts, clauses, span: start.to(end) })
    }

    /// The range of a parameter.
    pub(crate) fn given(&mut self) -> Parsed<GivenAst> {
        let range = self.range()?;
        let mut conditions = Vec::new();
        while self.take_word("if") {
            conditions.push(self.expression()?);
        }
        self.end()?;
        Ok(GivenAst { range, conditions })
    }

    // ---- parts of questions

    pub(crate) fn span(&self) -> Span {
        self.peek_placed(0).span
    }

    pub(crate) fn source_text(&self) -> &'t Text {
        self.text
    }

    pub(crate) fn peek(&self, ahead: usize) -> &Token {
        &self.peek_placed(ahead).token
    }

    pub(crate) fn is_word(&self, ahead: usize, word: &str) -> bool {
        matches!(self.peek(ahead), Token::Word(found) if found == word)
    }

    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(0, word);
        if found {
            self.at += 1;
        }
        found
    }

    pub(crate) fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(0), Token::Sign(found) if *found == sign);
        if found {
            self.at += 1;
        }
        found
    }

    pub(crate) fn advance(&mut self) -> Placed {
        let placed = self.peek_placed(0).clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        placed
    }

    pub(crate) fn end(&mut self) -> Parsed<()> {
        match self.peek(0) {
            Token::End => Ok(()),
            Token::Word(word) if matches!(word.as_str(), "mod" | "div" | "MOD" | "DIV") => {
                Err(self.refuse("the end or an operator", &["the remainder is written `a % b`, the quotient `a // b`"]))
            }
            Token::Sign("=") => Err(self.refuse("the end", &["to compare, write `==`"])),
            Token::Sign("..=" | "..") => {
                Err(self.refuse("the end", &["a range stands only after `in` and in `given`"]))
            }
            Token::Sign("(") => Err(self.refuse("the end or an operator", &["a product is written `a * (b + c)`"])),
            Token::Sign("|") => {
                Err(self.refuse("the end or an operator", &["write `or`; only a move that splits has `|`"]))
            }
            _ => Err(self.refuse("the end or an operator", &[])),
        }
    }

    /// Notes that something else was expected here.
    pub(crate) fn refuse(&mut self, expected: &str, help: &[&str]) -> Noted {
        if self.unreadable {
            return Noted;
        }
        let placed = self.peek_placed(0).clone();
        let mut mistake = Mistake::new(
            &self.text.source,
            placed.span,
            format!("expected {expected}, found {}", placed.token.shown()),
        );
        for help in help {
            mistake = mistake.help(*help);
        }
        self.mistakes.push(mistake);
        Noted
    }

    pub(crate) fn name(&mut self, what: &str) -> Parsed<Named> {
        match self.peek(0) {
            Token::Word(word) => {
                let named = Named { name: word.clone(), span: self.span() };
                self.advance();
                Ok(named)
            }
            _ => Err(self.refuse(&format!("the name of {what}"), &[])),
        }
    }

    /// An expression, conditionals included.
    pub(crate) fn expression(&mut self) -> Parsed<Ast> {
        self.nested(|parser| {
            let value = parser.disjunction()?;
            if !parser.is_word(0, "if") {
                return Ok(value);
            }
            let back = (parser.at, parser.mistakes.len());
            parser.advance();
            if let Ok(condition) = parser.disjunction()
                && parser.take_word("else")
            {
                let otherwise = parser.expression()?;
                let span = value.span.to(otherwise.span);
                return Ok(Ast { kind: Kind::If(Box::new(condition), Box::new(value), Box::new(otherwise)), span });
            }
            // an `if` without `else` is a clause
            parser.at = back.0;
            parser.mistakes.truncate(back.1);
            Ok(value)
        })
    }

    // ---- expressions, loosest first

    fn disjunction(&mut self) -> Parsed<Ast> {
        let mut left = self.conjunction()?;
        while self.take_word("or") {
            let right = self.conjunction()?;
            let span = left.span.to(right.span);
            left = Ast { kind: Kind::Or(Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed<Ast> {
        let mut left = self.negation()?;
        while self.take_word("and") {
            let right = self.negation()?;
            let span = left.span.to(right.span);
            left = Ast { kind: Kind::And(Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    fn negation(&mut self) -> Parsed<Ast> {
        let start = self.span();
        if matches!(self.peek(0), Token::Sign("!")) {
            let mistake = Mistake::new(&self.text.source, start, "`!` is not an operator here");
            self.mistakes.push(mistake.help("write `not`"));
            self.advance();
            return self.nested(Self::negation);
        }
        if self.is_word(0, "not") {
            self.advance();
            let operand = self.nested(Self::negation)?;
            let span = start.to(operand.span);
            return Ok(Ast { kind: Kind::Not(Box::new(operand)), span });
        }
        let mut formula = self.comparison()?;
        while self.take_word("at") {
            if !self.take("(") {
                return Err(self.refuse("`(`", &["another position is written `at (e1, e2)`"]));
            }
            let coordinates = self.list(")")?;
            let span = formula.span.to(self.previous_span());
            formula = Ast { kind: Kind::At(Box::new(formula), coordinates), span };
        }
        Ok(formula)
    }

    fn comparison(&mut self) -> Parsed<Ast> {
        let first = self.sum()?;
        let mut links = Vec::new();
        let mut end = first.span;
        loop {
            let order = match self.peek(0) {
                Token::Sign("<") => Comparison::Less,
                Token::Sign("<=") => Comparison::AtMost,
                Token::Sign(">") => Comparison::Greater,
                Token::Sign(">=") => Comparison::AtLeast,
                Token::Sign("==") => Comparison::Equal,
                Token::Sign("!=") => Comparison::Unequal,
                Token::Sign("=") => {
                    let mistake = Mistake::new(&self.text.source, self.span(), "`=` does not compare");
                    self.mistakes.push(mistake.help("write `==`"));
                    Comparison::Equal
                }
                Token::Word(word) if word == "in" || (word == "not" && self.is_word(1, "in")) => {
                    let negated = word == "not";
                    self.at += if negated { 2 } else { 1 };
                    let range = self.range()?;
                    end = range.span();
                    links.push(Link::In { negated, range });
                    continue;
                }
                _ => break,
            };
            self.advance();
            let operand = self.sum()?;
            end = operand.span;
            links.push(Link::Order(order, operand));
        }
        if links.is_empty() {
            return Ok(first);
        }
        let span = first.span.to(end);
        Ok(Ast { kind: Kind::Compare(Box::new(first), links), span })
    }

    fn range(&mut self) -> Parsed<RangeAst> {
        let low = self.sum()?;
        let inclusive = match self.peek(0) {
            Token::Sign("..") => false,
            Token::Sign("..=") => true,
            Token::Sign("...") => {
                return Err(self.refuse("`..` or `..=`", &["a range is written `a..b` without b, `a..=b` with it"]));
            }
            _ => return Ok(RangeAst::List(low)),
        };
        self.advance();
        let high = self.sum()?;
        Ok(RangeAst::Span { low, high, inclusive })
    }

    fn sum(&mut self) -> Parsed<Ast> {
        self.left_to_right(Self::product, |token| match token {
            Token::Sign("+") => Some(Operator::Add),
            Token::Sign("-") => Some(Operator::Sub),
            _ => None,
        })
    }

    fn product(&mut self) -> Parsed<Ast> {
        self.left_to_right(Self::signed, |token| match token {
            Token::Sign("*") => Some(Operator::Mul),
            Token::Sign("//") => Some(Operator::FloorDiv),
            Token::Sign("/") => Some(Operator::ExactDiv),
            Token::Sign("%") => Some(Operator::FloorMod),
            _ => None,
        })
    }

    fn left_to_right(
        &mut self,
        operand: fn(&mut Self) -> Parsed<Ast>,
        operator: fn(&Token) -> Option<Operator>,
    ) -> Parsed<Ast> {
        let mut left = operand(self)?;
        while let Some(found) = operator(self.peek(0)) {
            self.advance();
            let right = operand(self)?;
            let span = left.span.to(right.span);
            left = Ast { kind: Kind::Binary(found, Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    fn signed(&mut self) -> Parsed<Ast> {
        let start = self.span();
        if matches!(self.peek(0), Token::Sign("+")) {
            return Err(self.refuse("a value", &["a sign `+` before a number is left out"]));
        }
        if !self.take("-") {
            return self.power();
        }
        if let Token::Int(value) = *self.peek(0)
            && value == i64::MIN.unsigned_abs()
            && !matches!(self.peek(1), Token::Sign("**" | "["))
        {
            let end = self.advance().span;
            return Ok(Ast { kind: Kind::Int(i64::MIN), span: start.to(end) });
        }
        let operand = self.nested(Self::signed)?;
        let span = start.to(operand.span);
        Ok(Ast { kind: Kind::Negative(Box::new(operand)), span })
    }

    fn power(&mut self) -> Parsed<Ast> {
        let base = self.indexed()?;
        if !self.take("**") {
            return Ok(base);
        }
        let exponent = self.nested(Self::signed)?;
        let span = base.span.to(exponent.span);
        Ok(Ast { kind: Kind::Binary(Operator::Pow, Box::new(base), Box::new(exponent)), span })
    }

    fn indexed(&mut self) -> Parsed<Ast> {
        let mut value = self.primary()?;
        while self.take("[") {
            let index = self.expression()?;
            self.expect("]")?;
            let span = value.span.to(self.previous_span());
            value = Ast { kind: Kind::Index(Box::new(value), Box::new(index)), span };
        }
        Ok(value)
    }

    fn primary(&mut self) -> Parsed<Ast> {
        let start = self.span();
        match self.peek(0).clone() {
            Token::Int(value) => {
                let kind = match i64::try_from(value) {
                    Ok(value) => Kind::Int(value),
                    Err(_) => {
                        return Err(self.refuse("a number of at most 64 bits", &["the largest is 9223372036854775807"]));
                    }
                };
                self.advance();
                if matches!(self.peek(0), Token::Sign("(")) {
                    return Err(self.refuse("an operator", &["a product is written `2 * (a + b)`"]));
                }
                Ok(Ast { kind, span: start })
            }
            Token::Sign("(") => {
                self.advance();
                let inner = self.expression()?;
                if matches!(self.peek(0), Token::Sign("..=" | "..")) {
                    return Err(self.refuse("`)`", &["a range is written without brackets: `x in 1..=5`"]));
                }
                if matches!(self.peek(0), Token::Sign(",")) {
                    return Err(self.refuse("`)`", &["a list is written `[a, b]`"]));
                }
                self.expect(")")?;
                Ok(Ast { kind: inner.kind, span: start.to(self.previous_span()) })
            }
            Token::Sign("[") => {
                self.advance();
                self.list_value(start)
            }
            Token::Word(word) => match word.as_str() {
                "can" | "must" => self.over_moves(word == "must"),
                "win" | "loss" if self.is_word(1, "in") => {
                    self.at += 2;
                    let bound = self.primary()?;
                    let span = start.to(bound.span);
                    Ok(Ast { kind: Kind::Within(word == "win", Box::new(bound)), span })
                }
                word_here if STOP_WORDS.contains(&word_here) => Err(self.refuse("a value", &[])),
                "not" => Err(self.refuse("a value", &["put brackets round it: `(not …)`"])),
                _ => {
                    self.advance();
                    if self.take("(") {
                        self.call(Named { name: word, span: start })
                    } else {
                        Ok(Ast { kind: Kind::Word(word), span: start })
                    }
                }
            },
            Token::Quoted(_) => Err(self.refuse("a value", &["quoted names stand only in `can['…']` and `must['…']`"])),
            Token::Sign(sign @ ("&&" | "||" | "!" | "==" | "=")) => {
                let help = match sign {
                    "!" => "write `not`, and put brackets round it inside a comparison",
                    _ => "something is missing before it",
                };
                Err(self.refuse("a value", &[help]))
            }
            Token::Sign(":=" | ":" | ";") => {
                Err(self
                    .refuse("a value", &["values are separated with `,`; adding one is written `x + 1` or `x += 1`"]))
            }
            Token::Sign(_) | Token::End => Err(self.refuse("a value", &[])),
        }
    }

    fn call(&mut self, name: Named) -> Parsed<Ast> {
        if self.take(")") {
            let span = name.span.to(self.previous_span());
            return Ok(Ast { kind: Kind::Call(name, Vec::new()), span });
        }
        let first = self.expression()?;
        if self.is_word(0, "for") {
            let clauses = self.clauses()?;
            self.expect(")")?;
            let span = name.span.to(self.previous_span());
            return Ok(Ast { kind: Kind::CallOver(name, Box::new(first), clauses), span });
        }
        let mut arguments = vec![first];
        if self.take(",") {
            arguments.extend(self.list(")")?);
        } else {
            self.expect(")")?;
        }
        let span = name.span.to(self.previous_span());
        Ok(Ast { kind: Kind::Call(name, arguments), span })
    }

    fn list_value(&mut self, start: Span) -> Parsed<Ast> {
        if self.take("]") {
            return Ok(Ast { kind: Kind::List(Vec::new()), span: start.to(self.previous_span()) });
        }
        let first = self.expression()?;
        let kind = if self.is_word(0, "for") {
            let clauses = self.clauses()?;
            self.expect("]")?;
            Kind::ListOver(Box::new(first), clauses)
        } else if self.take(",") {
            let mut items = vec![first];
            items.extend(self.list("]")?);
            Kind::List(items)
        } else {
            self.expect("]")?;
            Kind::List(vec![first])
        };
        Ok(Ast { kind, span: start.to(self.previous_span()) })
    }

    /// Values separated by commas up to a closing bracket; a comma may stand before it.
    fn list(&mut self, close: &str) -> Parsed<Vec<Ast>> {
        let mut items = Vec::new();
        loop {
            if self.take(close) {
                return Ok(items);
            }
            items.push(self.expression()?);
            if !self.take(",") {
                self.expect(close)?;
                return Ok(items);
            }
        }
    }

    fn over_moves(&mut self, must: bool) -> Parsed<Ast> {
        let start = self.advance().span;
        let names = if self.take("[") {
            let mut names = Vec::new();
            loop {
                let span = self.span();
                match self.peek(0).clone() {
                    Token::Word(name) | Token::Quoted(name) => names.push(Named { name, span }),
                    Token::Int(_) => {
                        return Err(
                            self.refuse("the name of a move", &["a name that is no word is quoted: `can['x + 1'](…)`"])
                        );
                    }
                    _ => {
                        return Err(self.refuse(
                            "the name of a move",
                            &["names stand between the brackets: `can[left, right](…)`"],
                        ));
                    }
                }
                self.advance();
                if !self.take(",") {
                    break;
                }
            }
            if !self.take("]") {
                return Err(self.refuse("`,` or `]`", &["a name that is no word is quoted: `can['x + 1'](…)`"]));
            }
            Some(names)
        } else {
            None
        };
        if !self.take("(") {
            return Err(
                self.refuse("`(`", &["what holds after the move stands in brackets: `can(W1)`, `can['x + 1'](loss)`"])
            );
        }
        let formula = self.expression()?;
        self.expect(")")?;
        let span = start.to(self.previous_span());
        Ok(Ast { kind: Kind::Moves { must, names, formula: Box::new(formula) }, span })
    }

    fn clauses(&mut self) -> Parsed<Vec<Clause>> {
        let mut clauses = Vec::new();
        loop {
            if self.take_word("if") {
                clauses.push(Clause::If(self.expression()?));
            } else if self.take_word("for") {
                let row = self.take("(");
                let mut names = vec![self.name("a loop variable")?];
                while row && self.take(",") {
                    names.push(self.name("a loop variable")?);
                }
                if row {
                    self.expect(")")?;
                } else if matches!(self.peek(0), Token::Sign(",")) {
                    return Err(
                        self.refuse("`in`", &["several loop variables stand in brackets: `for (a, b) in table`"])
                    );
                }
                if !self.take_word("in") {
                    return Err(self.refuse("`in`", &["a loop is written `for v in 1..=3`"]));
                }
                clauses.push(Clause::For { names, row, range: self.range()? });
            } else {
                return Ok(clauses);
            }
        }
    }

    fn items(&mut self) -> Parsed<Vec<Ast>> {
        let mut items = vec![self.expression()?];
        while self.take(",") {
            items.push(self.expression()?);
        }
        Ok(items)
    }

    fn item(&mut self) -> Parsed<Item> {
        let back = self.at;
        if let Token::Word(word) = self.peek(0).clone() {
            let target = Named { name: word, span: self.span() };
            let ahead = self.after_index();
            let operator = match self.peek(ahead) {
                Token::Sign("=") => Some(None),
                Token::Sign("+=") => Some(Some(Operator::Add)),
                Token::Sign("-=") => Some(Some(Operator::Sub)),
                Token::Sign("*=") => Some(Some(Operator::Mul)),
                Token::Sign("//=") => Some(Some(Operator::FloorDiv)),
                Token::Sign("%=") => Some(Some(Operator::FloorMod)),
                Token::Sign(sign @ ("/=" | "**=" | ":=")) => {
                    let help = match *sign {
                        "/=" => "write `//=` to round down, or `x = x / 2` for an exact division",
                        "**=" => "write `x = x ** 2`",
                        _ => "write `=`",
                    };
                    self.at += ahead;
                    return Err(self.refuse("one of `=`, `+=`, `-=`, `*=`, `//=`, `%=`", &[help]));
                }
                _ => None,
            };
            if let Some(operator) = operator {
                self.advance();
                let index = if self.take("[") {
                    let index = self.expression()?;
                    self.expect("]")?;
                    Some(index)
                } else {
                    None
                };
                self.advance();
                let value = self.expression()?;
                return Ok(Item::Assign { target, index, operator, value });
            }
        }
        self.at = back;
        self.expression().map(Item::Value)
    }

    /// How many tokens a name with its index takes.
    fn after_index(&self) -> usize {
        let mut ahead = 1;
        if matches!(self.peek(1), Token::Sign("[")) {
            let mut open = 0_usize;
            loop {
                match self.peek(ahead) {
                    Token::Sign("[") => open += 1,
                    Token::Sign("]") if open == 1 => return ahead + 1,
                    Token::Sign("]") => open -= 1,
                    Token::End => return ahead,
                    _ => {}
                }
                ahead += 1;
            }
        }
        ahead
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.take(sign) {
            return Ok(());
        }
        let help: &[&str] = match (self.peek(0), sign) {
            (Token::Sign("=" | "+=" | "-=" | "*=" | "%="), _) => {
                &["to compare, write `==`; assignments stand only in moves"]
            }
            (Token::Sign("..=" | ".."), _) => &["a range stands only after `in` and in `given`"],
            (Token::Word(word), _) if matches!(word.as_str(), "mod" | "div") => &["write `a % b` or `a // b`"],
            _ => &[],
        };
        Err(self.refuse(&format!("`{sign}` or an operator"), help))
    }

    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= NESTING_LIMIT {
            let mistake = Mistake::new(&self.text.source, self.span(), "brackets and operators are nested too deep");
            self.mistakes.push(mistake.help(format!("at most {NESTING_LIMIT} levels are allowed")));
            return Err(Noted);
        }
        self.depth += 1;
        let value = inner(self);
        self.depth -= 1;
        value
    }

    fn peek_placed(&self, ahead: usize) -> &Placed {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + ahead).min(last)]
    }

    fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }
}
