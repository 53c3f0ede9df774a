//! Names are words, not reserved, and have one meaning in the file.

use super::*;

impl<'a> Loader<'a> {
    /// Variants name constants and questions that there are.
    pub(super) fn check_variants(&mut self) {
        let wire = self.wire;
        for (_, variant) in &wire.variants {
            for (name, _) in &variant.constants {
                if !wire.constants.iter().any(|(known, _)| known.name == name.name) {
                    let names: Vec<&str> = wire.constants.iter().map(|(known, _)| known.name.as_str()).collect();
                    self.unknown_label(name, "constant", &names);
                }
            }
            for (name, _) in variant.keys.iter().flatten() {
                if !wire.questions.iter().any(|(known, _)| known.name == name.name) {
                    let names: Vec<&str> = wire.questions.iter().map(|(known, _)| known.name.as_str()).collect();
                    self.unknown_label(name, "question", &names);
                }
            }
        }
    }

    pub(super) fn unknown_label(&mut self, name: &Named, what: &str, known: &[&str]) {
        let mut mistake = Mistake::new(self.source, name.span, format!("the problem has no {what} \"{}\"", name.name));
        if let Some(near) = nearest(&name.name, known.iter().copied()) {
            mistake = mistake.help(format!("did you mean \"{near}\"?"));
        }
        let listed = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        self.mistakes.push(mistake.help(format!("its {what}s are: {listed}")));
    }

    /// Names are words, not reserved, and have one meaning in the file.
    pub(super) fn check_names(&mut self, texts: &Texts<'_>) {
        let wire = self.wire;
        for (name, _) in &wire.constants {
            self.check_name(name.borrowed(), "a constant");
        }
        let constant = |name: &str| wire.constants.iter().map(|(known, _)| known).find(|known| known.name == name);
        let state = texts.state.unwrap_or_default();
        for (at, StateAst { name, .. }) in state.iter().enumerate() {
            self.check_name(*name, "a state variable");
            if let Some(first) = constant(name.name) {
                self.clash(*name, "a state variable", first.borrowed(), "a constant");
            }
            if let Some(first) = state.iter().take(at).find(|known| known.name.name == name.name) {
                self.clash(*name, "a state variable", first.name, "a state variable");
            }
        }
        // in a sum there is no one state whose variable the parameter could be
        let splits = texts.moves.iter().any(|(_, _, made)| made.as_ref().is_ok_and(|made| made.parts.len() > 1));
        // each map of parameters with the start that it serves, once where questions have it in common
        let own = wire.start.as_ref().map(|start| (&wire.given, Some(start)));
        let apart = wire
            .questions
            .iter()
            .filter(|(_, question)| question.given.is_some() || question.start.is_some() || wire.start.is_none());
        let maps = apart.map(|(_, question)| {
            let start = question.start.as_ref().or(wire.start.as_ref());
            (question.given.as_ref().unwrap_or(&wire.given), start)
        });
        for (given, start) in maps.chain(own) {
            for (name, _) in given {
                let name = name.borrowed();
                self.check_name(name, "a parameter");
                if let Some(first) = constant(name.name) {
                    self.clash(name, "a parameter", first.borrowed(), "a constant");
                }
                if let Some((place, first)) = state.iter().enumerate().find(|(_, known)| known.name.name == name.name)
                    && (splits || !gives_alone(start, place, name.name))
                {
                    self.clash(name, "a parameter", first.name, "a state variable");
                }
            }
        }
    }

    pub(super) fn check_name(&mut self, name: Name<'_>, what: &str) {
        let mut chars = name.name.chars();
        let word = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && chars.all(|c| c.is_alphanumeric() || c == '_');
        if !word {
            self.note(
                name.span,
                format!("\"{}\" cannot be the name of {what}", name.name),
                "a name is a word of letters, digits and `_` that does not begin with a digit",
            );
        } else if let Some(why) = reserved(name.name) {
            self.note(
                name.span,
                format!("`{}` is {why} and cannot be the name of {what}", name.name),
                format!("choose another name, such as `{}_`", name.name.to_lowercase()),
            );
        }
    }

    pub(super) fn clash(&mut self, name: Name<'_>, what: &str, first: Name<'_>, other: &str) {
        let (line, column) = self.source.line_column(first.span.start);
        let (here, _) = self.source.line_column(name.span.start);
        self.note(
            name.span,
            format!("`{}` is {what} in line {here} and {other} in line {line}, column {column}", name.name),
            format!("a name has one meaning in a file; rename one of them, for example to `{}0`", name.name),
        );
    }
}

/// Whether the start gives the variable in this place just the parameter of its name.
pub(super) fn gives_alone(start: Option<&Parsed<StartWire>>, place: usize, name: &str) -> bool {
    let text = match start {
        Some(Ok(StartWire::One { text, .. })) => text,
        // a start with a mistake of its own may have given it
        Some(Err(Noted)) => return true,
        Some(Ok(StartWire::Sum(_))) | None => return false,
    };
    let arena = Bump::new();
    match Parser::new(text, &arena).position() {
        Ok(items) => matches!(items.get(place), Some(Ast { kind: Kind::Word(word), .. }) if *word == name),
        Err(Noted) => true,
    }
}
