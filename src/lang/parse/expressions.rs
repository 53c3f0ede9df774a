//! Expressions, loosest binding first.

use super::*;

impl<'t> Parser<'t> {
    /// An expression, conditionals included.
    pub(crate) fn expression(&mut self) -> Parsed<Ast<'t>> {
        self.nested(|parser| {
            let value = parser.operation(Binding::Or)?;
            if !parser.is_word(0, "if") {
                return Ok(value);
            }
            let back = (parser.at, parser.mistakes.len());
            parser.advance();
            if let Ok(condition) = parser.operation(Binding::Or)
                && parser.take_word("else")
            {
                let otherwise = parser.expression()?;
                let span = value.span.to(otherwise.span);
                return Ok(Ast {
                    kind: Kind::If(
                        parser.arena.alloc(condition),
                        parser.arena.alloc(value),
                        parser.arena.alloc(otherwise),
                    ),
                    span,
                });
            }
            // an `if` without `else` is a clause
            parser.at = back.0;
            parser.mistakes.truncate(back.1);
            Ok(value)
        })
    }

    /// Operands joined by operators that bind at least so tightly.
    fn operation(&mut self, least: Binding) -> Parsed<Ast<'t>> {
        let mut most = Binding::Index;
        let mut left = if least <= Binding::Not && matches!(self.peek(0), Token::Sign("!") | Token::Word("not")) {
            most = Binding::And;
            self.negation()?
        } else {
            self.signed()?
        };
        loop {
            let binding = self.binding();
            if binding < least || binding > most {
                return Ok(left);
            }
            left = match binding {
                Binding::Or => self.joined(left, Binding::And, Kind::Or)?,
                Binding::And => self.joined(left, Binding::Not, Kind::And)?,
                Binding::At => {
                    most = Binding::At;
                    self.elsewhere(left)?
                }
                Binding::Comparison => self.comparison(left)?,
                Binding::Sum => self.arithmetic(left, |parser| parser.operation(Binding::Product))?,
                Binding::Product => self.arithmetic(left, Self::signed)?,
                Binding::Nothing | Binding::Not | Binding::Power | Binding::Index => return Ok(left),
            };
        }
    }

    /// How tightly the next token binds behind an operand.
    fn binding(&self) -> Binding {
        match self.peek_placed(0) {
            Placed { token: Token::Word("not"), .. } if !self.is_word(1, "in") => Binding::Nothing,
            placed => placed.binding,
        }
    }

    /// `and` or `or`, and what stands behind it.
    fn joined(
        &mut self,
        left: Ast<'t>,
        tighter: Binding,
        kind: fn(&'t Ast<'t>, &'t Ast<'t>) -> Kind<'t>,
    ) -> Parsed<Ast<'t>> {
        self.advance();
        let right = self.operation(tighter)?;
        let span = left.span.to(right.span);
        Ok(Ast { kind: kind(self.arena.alloc(left), self.arena.alloc(right)), span })
    }

    fn negation(&mut self) -> Parsed<Ast<'t>> {
        let start = self.span();
        if matches!(self.peek(0), Token::Sign("!")) {
            let mistake = Mistake::new(&self.text.source, start, "`!` is not an operator here");
            self.mistakes.push(mistake.help("write `not`"));
            self.advance();
            return self.nested(|parser| parser.negated());
        }
        self.advance();
        let operand = self.nested(|parser| parser.negated())?;
        let span = start.to(operand.span);
        Ok(Ast { kind: Kind::Not(self.arena.alloc(operand)), span })
    }

    /// What `not` stands before: another `not`, or all that binds tighter.
    fn negated(&mut self) -> Parsed<Ast<'t>> {
        match self.peek(0) {
            Token::Sign("!") | Token::Word("not") => self.negation(),
            _ => self.operation(Binding::At),
        }
    }

    /// `at` and the other position.
    fn elsewhere(&mut self, formula: Ast<'t>) -> Parsed<Ast<'t>> {
        self.advance();
        if !self.take("(") {
            return Err(self.refuse("`(`", &["another position is written `at (e1, e2)`"]));
        }
        let coordinates = self.list(")")?;
        let span = formula.span.to(self.previous_span());
        Ok(Ast { kind: Kind::At(self.arena.alloc(formula), coordinates), span })
    }

    /// All the comparisons behind a first operand.
    fn comparison(&mut self, first: Ast<'t>) -> Parsed<Ast<'t>> {
        let mut links = self.several();
        let mut end = first.span;
        while self.binding() == Binding::Comparison {
            let order = match self.advance().token {
                Token::Sign("<") => Comparison::Less,
                Token::Sign("<=") => Comparison::AtMost,
                Token::Sign(">") => Comparison::Greater,
                Token::Sign(">=") => Comparison::AtLeast,
                Token::Sign("!=") => Comparison::Unequal,
                Token::Word(word) => {
                    let negated = word == "not" && self.take_word("in");
                    let range = self.range()?;
                    end = range.span();
                    links.push(Link::In { negated, range });
                    continue;
                }
                Token::Sign("=") => {
                    let mistake = Mistake::new(&self.text.source, self.previous_span(), "`=` does not compare");
                    self.mistakes.push(mistake.help("write `==`"));
                    Comparison::Equal
                }
                _ => Comparison::Equal,
            };
            let operand = self.operation(Binding::Sum)?;
            end = operand.span;
            links.push(Link::Order(order, operand));
        }
        let span = first.span.to(end);
        Ok(Ast { kind: Kind::Compare(self.arena.alloc(first), links.into_bump_slice()), span })
    }

    fn arithmetic(&mut self, left: Ast<'t>, right: impl FnOnce(&mut Self) -> Parsed<Ast<'t>>) -> Parsed<Ast<'t>> {
        let operator = match self.advance().token {
            Token::Sign("+") => Operator::Add,
            Token::Sign("-") => Operator::Sub,
            Token::Sign("*") => Operator::Mul,
            Token::Sign("//") => Operator::FloorDiv,
            Token::Sign("/") => Operator::ExactDiv,
            _ => Operator::FloorMod,
        };
        let right = right(self)?;
        let span = left.span.to(right.span);
        Ok(Ast { kind: Kind::Binary(operator, self.arena.alloc(left), self.arena.alloc(right)), span })
    }

    pub(super) fn range(&mut self) -> Parsed<RangeAst<'t>> {
        let low = self.operation(Binding::Sum)?;
        let inclusive = match self.peek(0) {
            Token::Sign("..") => false,
            Token::Sign("..=") => true,
            Token::Sign("...") => {
                return Err(self.refuse("`..` or `..=`", &["a range is written `a..b` without b, `a..=b` with it"]));
            }
            _ => return Ok(RangeAst::List(low)),
        };
        self.advance();
        let high = self.operation(Binding::Sum)?;
        Ok(RangeAst::Span { low, high, inclusive })
    }

    pub(super) fn signed(&mut self) -> Parsed<Ast<'t>> {
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
        Ok(Ast { kind: Kind::Negative(self.arena.alloc(operand)), span })
    }

    pub(super) fn power(&mut self) -> Parsed<Ast<'t>> {
        let base = self.indexed()?;
        if self.binding() != Binding::Power {
            return Ok(base);
        }
        self.advance();
        let exponent = self.nested(Self::signed)?;
        let span = base.span.to(exponent.span);
        Ok(Ast { kind: Kind::Binary(Operator::Pow, self.arena.alloc(base), self.arena.alloc(exponent)), span })
    }

    pub(super) fn indexed(&mut self) -> Parsed<Ast<'t>> {
        let mut value = self.primary()?;
        while self.binding() == Binding::Index {
            self.advance();
            let index = self.expression()?;
            self.expect("]")?;
            let span = value.span.to(self.previous_span());
            value = Ast { kind: Kind::Index(self.arena.alloc(value), self.arena.alloc(index)), span };
        }
        Ok(value)
    }

    pub(super) fn primary(&mut self) -> Parsed<Ast<'t>> {
        let start = self.span();
        match *self.peek(0) {
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
            Token::Word(word) => match word {
                "can" | "must" => self.over_moves(word == "must"),
                "win" | "loss" if self.is_word(1, "in") => {
                    self.at += 2;
                    let bound = self.primary()?;
                    let span = start.to(bound.span);
                    Ok(Ast { kind: Kind::Within(word == "win", self.arena.alloc(bound)), span })
                }
                "if" if self.at == 0 => {
                    Err(self.refuse("a value", &["the move comes first and its guard after it: `x - 4 if x >= 4`"]))
                }
                "for" if self.at == 0 => {
                    Err(self.refuse("a value", &["the move comes first and its loop after it: `x - k for k in 1..=3`"]))
                }
                // names are mostly letters
                longer if longer.len() > 1 && STOP_WORDS.contains(&longer) => Err(self.refuse("a value", &[])),
                "not" => Err(self.refuse("a value", &["put brackets round it: `(not …)`"])),
                _ => {
                    self.advance();
                    if self.take("(") {
                        self.call(Name { name: word, span: start })
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

    pub(super) fn call(&mut self, name: Name<'t>) -> Parsed<Ast<'t>> {
        if self.take(")") {
            let span = name.span.to(self.previous_span());
            return Ok(Ast { kind: Kind::Call(self.arena.alloc(name), &[]), span });
        }
        let first = self.expression()?;
        if self.is_word(0, "for") {
            let clauses = self.clauses()?;
            self.expect(")")?;
            let span = name.span.to(self.previous_span());
            return Ok(Ast { kind: Kind::CallOver(self.arena.alloc(name), self.arena.alloc(first), clauses), span });
        }
        let arguments = if self.take(",") {
            self.list_behind(first, ")")?
        } else {
            self.expect(")")?;
            self.one(first)
        };
        let span = name.span.to(self.previous_span());
        Ok(Ast { kind: Kind::Call(self.arena.alloc(name), arguments), span })
    }

    pub(super) fn list_value(&mut self, start: Span) -> Parsed<Ast<'t>> {
        if self.take("]") {
            return Ok(Ast { kind: Kind::List(&[]), span: start.to(self.previous_span()) });
        }
        let first = self.expression()?;
        let kind = if self.is_word(0, "for") {
            let clauses = self.clauses()?;
            self.expect("]")?;
            Kind::ListOver(self.arena.alloc(first), clauses)
        } else if self.take(",") {
            Kind::List(self.list_behind(first, "]")?)
        } else {
            self.expect("]")?;
            Kind::List(self.one(first))
        };
        Ok(Ast { kind, span: start.to(self.previous_span()) })
    }

    fn one(&self, first: Ast<'t>) -> &'t [Ast<'t>] {
        std::slice::from_ref(self.arena.alloc(first))
    }

    /// Values separated by commas up to a closing bracket; a comma may stand before it.
    fn list(&mut self, close: &str) -> Parsed<&'t [Ast<'t>]> {
        let items = self.several();
        self.rest(items, close)
    }

    /// The same behind a first value and its comma.
    fn list_behind(&mut self, first: Ast<'t>, close: &str) -> Parsed<&'t [Ast<'t>]> {
        let mut items = self.several();
        items.push(first);
        self.rest(items, close)
    }

    fn rest(&mut self, mut items: Gathered<'t, Ast<'t>>, close: &str) -> Parsed<&'t [Ast<'t>]> {
        loop {
            if self.take(close) {
                return Ok(items.into_bump_slice());
            }
            items.push(self.expression()?);
            if !self.take(",") {
                self.expect(close)?;
                return Ok(items.into_bump_slice());
            }
        }
    }

    pub(super) fn over_moves(&mut self, must: bool) -> Parsed<Ast<'t>> {
        let start = self.advance().span;
        let names = if self.take("[") {
            let mut names = self.several();
            loop {
                let span = self.span();
                match *self.peek(0) {
                    Token::Word(name) | Token::Quoted(name) => names.push(Name { name, span }),
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
            Some(names.into_bump_slice())
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
        Ok(Ast { kind: Kind::Moves { must, names, formula: self.arena.alloc(formula) }, span })
    }

    pub(super) fn clauses(&mut self) -> Parsed<&'t [Clause<'t>]> {
        let mut clauses = self.several();
        loop {
            if self.take_word("if") {
                clauses.push(Clause::If(self.expression()?));
            } else if self.take_word("for") {
                let row = self.take("(");
                let mut names = self.several();
                names.push(self.name("a loop variable")?);
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
                let names = names.into_bump_slice();
                clauses.push(Clause::For { names, row, range: self.range()? });
            } else {
                return Ok(clauses.into_bump_slice());
            }
        }
    }
}
