//! Tokens to syntax: a small Pratt parser, one function for each kind of text.
//!
//! Binding, loosest first: `if else`, `or`, `and`, `not`, `at`, comparisons and `in`, `+ -`, `* // / %`, unary `-`,
//! `**`, index. Signs that other languages use are noted as mistakes and read as what was meant, so that one run tells
//! all of them.

mod expressions;

use bumpalo::Bump;
use bumpalo::collections::Vec as Gathered;

use super::source::{Mistake, Span, Text, nearest};
use super::syntax::{
    Assign, Ast, Clause, Comparison, GivenAst, Item, Kind, Link, MoveAst, Name, Operator, RangeAst, StateAst,
};
use super::token::{Binding, Placed, Token, Tokens, emptied, split};

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
    arena: &'t Bump,
    tokens: Tokens<'t>,
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
    /// What it makes of the text is put into the arena.
    pub(crate) fn new(text: &'t Text, arena: &'t Bump) -> Self {
        Self::reusing(text, arena, Tokens::new())
    }

    /// With the room that the tokens of another text took.
    pub(crate) fn reusing(text: &'t Text, arena: &'t Bump, mut tokens: Tokens<'t>) -> Self {
        let mut mistakes = Vec::new();
        let unusual = if text.value.len() > TEXT_LIMIT {
            let mistake = Mistake::new(&text.source, text.span(0..1), format!("a text of {} bytes", text.value.len()));
            mistakes.push(mistake.help(format!("the longest allowed has {TEXT_LIMIT} bytes")));
            tokens.clear();
            tokens.push(Placed::new(Token::End, text.span(0..0)));
            false
        } else {
            split(text, &mut tokens, &mut mistakes)
        };
        let unreadable = !mistakes.is_empty();
        for placed in tokens.iter_mut().filter(|_| unusual) {
            let Token::Sign(sign) = placed.token else { continue };
            if let Some((_, meant, hint)) = REFUSED.iter().find(|(found, ..)| *found == sign && sign != "=") {
                let mistake = Mistake::new(&text.source, placed.span, format!("`{sign}` is not an operator here"));
                mistakes.push(mistake.help(*hint));
                let word = meant.starts_with(char::is_alphabetic);
                *placed = Placed::new(if word { Token::Word(meant) } else { Token::Sign(meant) }, placed.span);
            }
        }
        Self { text, arena, tokens, at: 0, depth: 0, unreadable, mistakes }
    }

    /// The room of the tokens, for those of another text.
    pub(crate) fn tokens(mut self) -> Tokens<'static> {
        self.tokens.clear();
        emptied(self.tokens)
    }

    // ---- whole texts

    /// One expression, and nothing after it.
    pub(crate) fn whole_expression(&mut self) -> Parsed<Ast<'t>> {
        let expression = self.expression()?;
        self.end()?;
        Ok(expression)
    }

    /// `x, y` or `c[33]`.
    pub(crate) fn state(&mut self) -> Parsed<&'t [StateAst<'t>]> {
        let mut variables = self.several();
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
        Ok(variables.into_bump_slice())
    }

    /// A position: `6, s`; also in brackets, as it is shown.
    pub(crate) fn position(&mut self) -> Parsed<&'t [Ast<'t>]> {
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
    pub(crate) fn whole_move(&mut self) -> Parsed<MoveAst<'t>> {
        let start = self.span();
        let mut parts = self.several();
        let mut part = self.several();
        loop {
            part.push(self.item()?);
            let splits = self.take("|");
            if splits || !self.take(",") {
                parts.push(std::mem::replace(&mut part, self.several()).into_bump_slice());
                if !splits {
                    break;
                }
            }
        }
        let clauses = self.clauses()?;
        let end = self.span();
        self.end()?;
        Ok(MoveAst { parts: parts.into_bump_slice(), clauses, span: start.to(end) })
    }

    /// The range of a parameter.
    pub(crate) fn given(&mut self) -> Parsed<GivenAst<'t>> {
        let range = self.range()?;
        let mut conditions = self.several();
        while self.take_word("if") {
            conditions.push(self.expression()?);
        }
        self.end()?;
        Ok(GivenAst { range, conditions: conditions.into_bump_slice() })
    }

    // ---- parts of questions

    pub(crate) fn span(&self) -> Span {
        self.peek_placed(0).span
    }

    pub(crate) fn source_text(&self) -> &'t Text {
        self.text
    }

    pub(crate) fn peek(&self, ahead: usize) -> &Token<'t> {
        &self.peek_placed(ahead).token
    }

    pub(crate) fn is_word(&self, ahead: usize, word: &str) -> bool {
        matches!(self.peek(ahead), Token::Word(found) if *found == word)
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

    pub(crate) fn advance(&mut self) -> Placed<'t> {
        let placed = *self.peek_placed(0);
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        placed
    }

    pub(crate) fn end(&mut self) -> Parsed<()> {
        if matches!(self.peek(0), Token::End) {
            return Ok(());
        }
        let expected = match self.peek(0) {
            Token::Sign("=" | "..=" | "..") => "the end",
            _ => "the end or an operator",
        };
        let help = self.hint();
        Err(self.refuse(expected, &help.iter().map(String::as_str).collect::<Vec<_>>()))
    }

    /// What may have been meant where a text does not go on as it must.
    fn hint(&self) -> Option<String> {
        let hint = match self.peek(0) {
            Token::Word(word) => match word.to_lowercase().as_str() {
                "mod" | "div" => "the remainder is written `a % b`, the quotient `a // b`",
                "if" => "an `if` inside a value needs its `else`: `a if c else b`",
                "and" | "or" => "a condition after a range begins with `if`: `x - k for k in 1..=3 if k <= x`",
                "when" | "where" | "while" | "unless" => "a guard begins with `if`: `x - 4 if x >= 4`",
                "to" | "until" | "till" => "a range is written `1..=3`, or `1..3` without the 3",
                "is" | "equals" => "to compare, write `==`",
                "is_not" | "isnt" => "to compare, write `!=`",
                _ => {
                    let near = nearest(word, ["where", "for", "if", "else", "and", "or", "in", "at"]);
                    return near.map(|near| format!("did you mean `{near}`?"));
                }
            },
            Token::Int(number) => match self.tokens.get(self.at.wrapping_sub(1)).map(|placed| &placed.token) {
                Some(Token::Word(word @ ("W" | "L"))) => {
                    return Some(format!("write `{word}{number}`, without a space"));
                }
                _ => return None,
            },
            Token::Sign("=") => "to compare, write `==`",
            Token::Sign("+=" | "-=" | "*=" | "%=") => "to compare, write `==`; assignments stand only in moves",
            Token::Sign("..=" | "..") => "a range stands only after `in` and in `given`",
            Token::Sign("(") => "a product is written `a * (b + c)`",
            Token::Sign("|") => "write `or`; only a move that splits has `|`",
            Token::Sign(":" | "?") => "a choice is written `a if c else b`",
            _ => return None,
        };
        Some(hint.to_owned())
    }

    /// Notes that something else was expected here.
    pub(crate) fn refuse(&mut self, expected: &str, help: &[&str]) -> Noted {
        if self.unreadable {
            return Noted;
        }
        let placed = *self.peek_placed(0);
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

    pub(crate) fn name(&mut self, what: &str) -> Parsed<Name<'t>> {
        match *self.peek(0) {
            Token::Word(name) => Ok(Name { name, span: self.advance().span }),
            _ => Err(self.refuse(&format!("the name of {what}"), &[])),
        }
    }

    // ---- expressions, loosest first

    fn items(&mut self) -> Parsed<&'t [Ast<'t>]> {
        let mut items = self.several();
        items.push(self.expression()?);
        while self.take(",") {
            items.push(self.expression()?);
        }
        Ok(items.into_bump_slice())
    }

    fn item(&mut self) -> Parsed<Item<'t>> {
        let back = self.at;
        if let Token::Word(word) = *self.peek(0) {
            let span = self.span();
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
                let target = Name { name: word, span };
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
                return Ok(Item::Assign(self.arena.alloc(Assign { target, index, operator, value })));
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
        let help = self.hint();
        let help: Vec<&str> = help.iter().map(String::as_str).collect();
        Err(self.refuse(&format!("`{sign}` or an operator"), &help))
    }

    /// Some things, of which there are none yet.
    fn several<T>(&self) -> Gathered<'t, T> {
        Gathered::new_in(self.arena)
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

    fn peek_placed(&self, ahead: usize) -> &Placed<'t> {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + ahead).min(last)]
    }

    fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }
}
