//! Lists, operators, comparisons and conditionals: the types of their parts and of the whole.

use super::*;

impl<'a> Resolver<'a> {
    pub(super) fn list_of(&mut self, items: &[Ast<'a>], span: Span) -> Parsed<Typed> {
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
            let constant =
                |list: &List| if let ListKind::Constant(row) = &list.kind { Some(row.to_vec()) } else { None };
            let rows: Option<Vec<Vec<i64>>> = lists.iter().map(constant).collect();
            return Ok(Typed::Table(rows.map_or(Table::Items(lists), |rows| Table::Constant(rows.into()))));
        }
        let entry = match scalars.first() {
            None => Entry::Any,
            Some(Scalar::Int(_)) => Entry::Int,
            Some(Scalar::Bool(_)) => Entry::Bool,
        };
        // a list of numbers is a constant
        let number = |scalar: &Scalar| match scalar {
            Scalar::Int(Int { kind: IntKind::Number(value), .. }) => Some(*value),
            _ => None,
        };
        let numbers: Option<Vec<i64>> = scalars.iter().map(number).collect();
        let kind = numbers.map_or(ListKind::Items(scalars), |numbers| ListKind::Constant(numbers.into()));
        Ok(Typed::List(List { kind, span }, entry))
    }

    pub(super) fn list_over(&mut self, body: &Ast<'a>, clauses: &[syntax::Clause<'a>], span: Span) -> Parsed<Typed> {
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

    pub(super) fn index(&mut self, list: &Ast<'a>, index: &Ast<'a>, span: Span) -> Parsed<Typed> {
        let list_typed = self.typed(list);
        let index = self.without_values(|resolver| resolver.int(index));
        let (list_typed, index) = (list_typed?, index?);
        match list_typed {
            Typed::List(List { kind: ListKind::Array(array), .. }, _) => {
                Ok(Typed::Int(Int::new(IntKind::Cell(array, Box::new(index)), span)))
            }
            Typed::List(list, Entry::Bool) => {
                Ok(Typed::Bool(Bool::new(BoolKind::Entry(Box::new(list), Box::new(index)), span)))
            }
            Typed::List(list, _) => Ok(Typed::Int(Int::new(IntKind::Entry(Box::new(list), Box::new(index)), span))),
            Typed::Table(table) => {
                let kind = ListKind::Row(Box::new(table), Box::new(index));
                Ok(Typed::List(List { kind, span }, Entry::Int))
            }
            other @ (Typed::Int(_) | Typed::Bool(_)) => Err(self.mismatch(list.span, "a list before `[`", &other)),
        }
    }

    pub(super) fn binary(&mut self, operator: Operator, a: &Ast<'a>, b: &Ast<'a>, span: Span) -> Parsed<Typed> {
        let left = self.typed(a);
        if operator == Operator::Mul && matches!(left, Ok(Typed::List(..))) {
            let Ok(Typed::List(list, entry)) = left else { return Err(Noted) };
            let times = self.without_values(|resolver| resolver.int(b))?;
            let kind = ListKind::Repeated(Box::new(list), Box::new(times));
            return Ok(Typed::List(List { kind, span }, entry));
        }
        let right = self.typed(b);
        let (left, right) = (left?, right?);
        let (place, other) = match (left, right) {
            (Typed::Int(left), Typed::Int(right)) => {
                let kind = match self.folded(operator, &left, &right) {
                    Some(value) => IntKind::Number(value),
                    None => IntKind::Binary(operator, Box::new(left), Box::new(right)),
                };
                return Ok(Typed::Int(Int::new(kind, span)));
            }
            (Typed::Int(_), other) => (b.span, other),
            (other, _) => (a.span, other),
        };
        let mut help = Vec::new();
        if matches!(other, Typed::List(..)) && operator == Operator::Mul {
            help.push("a list is repeated with the number behind it: `[0] * 4`".to_owned());
        }
        Err(self.mistake(place, format!("expected a number, found {}", kind_of(&other)), help))
    }

    /// The value of an operation on two constants of a rule: it is the same at every position. Where it has none, that
    /// is told at the position that reads it, and in a formula it stays as it is written, so that it can be explained.
    fn folded(&self, operator: Operator, a: &Int, b: &Int) -> Option<i64> {
        let (IntKind::Number(a), IntKind::Number(b), Values::None) = (&a.kind, &b.kind, self.scope.values) else {
            return None;
        };
        match operator {
            Operator::Add => number::add(*a, *b),
            Operator::Sub => number::sub(*a, *b),
            Operator::Mul => number::mul(*a, *b),
            Operator::FloorDiv => number::floor_div(*a, *b),
            Operator::ExactDiv => number::exact_div(*a, *b),
            Operator::FloorMod => number::floor_mod(*a, *b),
            Operator::Pow => number::pow(*a, *b),
        }
        .ok()
    }

    /// A chain is the conjunction of its links, each evaluated no more than needed.
    pub(super) fn comparison(&mut self, first: &Ast<'a>, links: &[Link<'a>]) -> Parsed<Typed> {
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
                Some(before) => Bool::new(BoolKind::And(Box::new(before), Box::new(bool)), span),
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

    pub(super) fn order(&mut self, order: Comparison, a: &Ast<'a>, b: &Ast<'a>) -> Parsed<Bool> {
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
        Ok(Bool::new(kind, span))
    }

    pub(super) fn membership(&mut self, negated: bool, needle: &Ast<'a>, range: &RangeAst<'a>) -> Parsed<Bool> {
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
        Ok(Bool::new(kind, span))
    }

    pub(super) fn range(&mut self, range: &RangeAst<'a>) -> Parsed<(Range, Option<Entry>)> {
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

    pub(super) fn conditional(
        &mut self,
        condition: &Ast<'a>,
        yes: &Ast<'a>,
        no: &Ast<'a>,
        span: Span,
    ) -> Parsed<Typed> {
        let (condition, a, b) = (self.bool(condition), self.typed(yes), self.typed(no));
        let condition = Box::new(condition?);
        Ok(match (a?, b?) {
            (Typed::Int(a), Typed::Int(b)) => {
                Typed::Int(Int::new(IntKind::If(condition, Box::new(a), Box::new(b)), span))
            }
            (Typed::Bool(a), Typed::Bool(b)) => {
                Typed::Bool(Bool::new(BoolKind::If(condition, Box::new(a), Box::new(b)), span))
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
}
