//! Loops and guards: the variables they bring, and that none hides another name.

use super::*;

impl<'a> Resolver<'a> {
    /// Resolves clauses from left to right and what stands inside them.
    pub(super) fn over<T>(
        &mut self,
        clauses: &[syntax::Clause<'a>],
        body: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<Over<T>> {
        let open = self.loops.len();
        let mut resolved = Vec::new();
        let mut failed = false;
        let outer = std::mem::take(&mut self.later);
        for (at, clause) in clauses.iter().enumerate() {
            let later = clauses[at + 1..].iter().flat_map(|clause| match clause {
                syntax::Clause::For { names, .. } => *names,
                syntax::Clause::If(_) => &[],
            });
            self.later = later.map(|name| name.name).collect();
            match self.clause(clause) {
                Ok(clause) => resolved.push(clause),
                Err(Noted) => failed = true,
            }
        }
        self.later = outer;
        let body = body(self);
        self.loops.truncate(open);
        let body = body?;
        if failed { Err(Noted) } else { Ok(Over { clauses: resolved, body }) }
    }

    pub(super) fn clause(&mut self, clause: &syntax::Clause<'a>) -> Parsed<Clause> {
        match clause {
            syntax::Clause::If(condition) => self.bool(condition).map(Clause::If),
            syntax::Clause::For { names, row, range } => {
                let span = range.span();
                let resolved = self.range(range);
                for name in *names {
                    self.check_loop_name(*name);
                }
                let values = self.loops.iter().filter(|found| matches!(found.kind, LoopKind::Value(..))).count();
                let rows = self.loops.len() - values;
                let entry = match &resolved {
                    Ok((_, Some(entry))) => *entry,
                    _ => Entry::Int,
                };
                let binding = match (&resolved, *names, row) {
                    (Ok((Range::Table(_), _)), [name], false) => {
                        self.loops.push(LoopName { name: name.name, span: name.span, kind: LoopKind::Row(rows) });
                        Binding::Row(rows)
                    }
                    (_, [name], false) => {
                        self.loops.push(LoopName {
                            name: name.name,
                            span: name.span,
                            kind: LoopKind::Value(values, entry),
                        });
                        Binding::Value(values)
                    }
                    _ => {
                        let slots: Vec<usize> = (values..values + names.len()).collect();
                        for (name, slot) in names.iter().zip(&slots) {
                            self.loops.push(LoopName {
                                name: name.name,
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

    pub(super) fn check_row(&mut self, names: &[Name<'a>], range: &Range, span: Span) -> Parsed<()> {
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

    pub(super) fn check_loop_name(&mut self, name: Name<'a>) {
        let scope = self.scope;
        if let Some(what) = reserved(name.name) {
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
}

pub(super) fn loop_variables(n: usize) -> String {
    plural(n, "loop variable", "loop variables")
}

pub(super) fn entries(n: usize) -> String {
    plural(n, "entry", "entries")
}
