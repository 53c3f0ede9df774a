//! Moves and the winner.

use super::*;

impl<'a> Resolver<'a> {
    /// A move, which may split a component.
    pub(crate) fn whole_move(&mut self, ast: &MoveAst<'a>, name: &str) -> Parsed<Move> {
        let parts = |resolver: &mut Self| {
            // all are looked at, so that all mistakes are told
            let mut parts = Vec::with_capacity(ast.parts.len());
            for items in ast.parts {
                parts.extend(resolver.move_body(items));
            }
            if parts.len() == ast.parts.len() { Ok(parts) } else { Err(Noted) }
        };
        self.over(ast.clauses, parts).map(|over| Move {
            name: name.to_owned(),
            parts: over.body,
            clauses: over.clauses,
            span: ast.span,
        })
    }

    pub(super) fn move_body(&mut self, items: &[Item<'a>]) -> Parsed<MoveBody> {
        let whole = match (items.first(), items.last()) {
            (Some(first), Some(last)) => first.span().to(last.span()),
            _ => return Err(Noted),
        };
        let assigns = items.iter().filter(|item| matches!(item, Item::Assign(_))).count();
        if assigns == 0 {
            let values = items.iter().filter_map(|item| if let Item::Value(value) = item { Some(value) } else { None });
            return self.coordinates(items.len(), values, whole).map(MoveBody::Position);
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
            let Item::Assign(syntax::Assign { target, index, operator, value }) = item else { continue };
            let twice = whole_targets.iter().any(|(name, cell)| *name == target.name && !(*cell && index.is_some()));
            if twice {
                self.note(
                    target.span,
                    format!("`{}` is assigned twice in one move", target.name),
                    vec!["assignments are simultaneous: each variable takes one new value".to_owned()],
                );
            }
            whole_targets.push((target.name, index.is_some()));
            assignments.push(self.assignment(*target, index.as_ref(), *operator, value));
        }
        assignments.into_iter().collect::<Parsed<_>>().map(MoveBody::Assign)
    }

    pub(super) fn assignment(
        &mut self,
        target: Name<'a>,
        index: Option<&Ast<'a>>,
        operator: Option<Operator>,
        value: &Ast<'a>,
    ) -> Parsed<Assignment> {
        let scope = self.scope;
        let Some(variable) = scope.state.0.iter().find(|variable| variable.name == target.name) else {
            let names = scope.state.0.iter().map(|variable| variable.name.as_str());
            let mut help = Vec::new();
            if let Some(near) = nearest(target.name, names.clone()) {
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
    pub(crate) fn winner(&mut self, ast: &Ast<'a>) -> Parsed<Winner> {
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
}

pub(super) fn compound(operator: Option<Operator>, old: IntKind, place: Span, value: Int) -> Int {
    match operator {
        None => value,
        Some(operator) => {
            let span = place.to(value.span);
            let old = Int::new(old, place);
            Int::new(IntKind::Binary(operator, Box::new(old), Box::new(value)), span)
        }
    }
}
