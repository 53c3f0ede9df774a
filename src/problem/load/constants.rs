//! Constants, the state, and what all questions share.

use super::*;

impl<'a> Loader<'a> {
    pub(super) fn constants(&mut self, texts: &Texts<'_>, variant: Option<&VariantWire>) -> Constants {
        let wire = self.wire;
        let mut constants: Constants = Vec::new();
        for (name, written) in &wire.constants {
            let other = variant.and_then(|variant| variant.constants.iter().find(|(known, _)| known.name == name.name));
            let constant = self.constant(written, texts, &constants);
            let constant = match other {
                None => constant,
                Some((place, other)) => {
                    let other = self.constant(other, texts, &constants);
                    if self.same_kind(place, &constant, &other) { other } else { Constant::Unknown }
                }
            };
            constants.push((name.name.clone(), constant));
        }
        constants
    }

    pub(super) fn constant(&mut self, written: &ConstantWire, texts: &Texts<'_>, earlier: &Constants) -> Constant {
        match written {
            ConstantWire::Int(value) => Constant::Int(*value),
            ConstantWire::List(values) => Constant::List(values.clone().into()),
            ConstantWire::Table(rows) => Constant::Table(rows.clone().into()),
            ConstantWire::Text(text) => self.computed(text, texts, earlier).unwrap_or(Constant::Unknown),
            ConstantWire::Unknown => Constant::Unknown,
        }
    }

    /// A variant gives a constant another value, not another kind of value.
    pub(super) fn same_kind(&mut self, place: &Named, first: &Constant, other: &Constant) -> bool {
        let kind = |constant: &Constant| match constant {
            Constant::Int(_) => Some("a number"),
            Constant::List(_) => Some("a list"),
            Constant::Table(_) => Some("a table"),
            Constant::Unknown => None,
        };
        if let (Some(first), Some(other)) = (kind(first), kind(other))
            && first != other
        {
            let message = format!("the constant `{}` is {other} here and {first} in the problem", place.name);
            self.note(place.span, message, format!("a variant gives it another value of the same kind: {first}"));
            return false;
        }
        true
    }

    pub(super) fn computed(&mut self, text: &Text, texts: &Texts<'_>, constants: &Constants) -> Option<Constant> {
        let ast = texts.constants.get(&text.whole())?.as_ref().ok()?;
        let taken = self.taken(std::iter::empty());
        let scope = bare(constants, &[], &taken);
        let mut slots = Slots::default();
        let tree = self.resolve(&scope, &text.source, &mut slots, |resolver| resolver.constant(ast)).ok()?;
        let mut blind = Blind;
        let mut evaluator = Evaluator::new(&[], &[], slots, &mut blind);
        let value = match &tree {
            ConstantTree::Int(int) => evaluator.int(int).map(Constant::Int),
            ConstantTree::List(list) => evaluator.list(list).map(|list| Constant::List(list.into())),
            ConstantTree::Table(table) => evaluator.table(table).map(Constant::Table),
        };
        match value {
            Ok(Constant::Table(rows)) if rows.iter().any(|row| row.len() != rows[0].len()) => {
                self.mistakes.push(Mistake::new(&text.source, ast.span, "the rows of the table differ in length"));
                None
            }
            Ok(value) => Some(value),
            Err(halt) => {
                self.fault(&halt, text, ast.span);
                None
            }
        }
    }

    pub(super) fn fault(&mut self, halt: &Halt, text: &Text, whole: Span) {
        let (message, span) = match halt {
            Halt::Stop(stop) => match stop.as_ref() {
                Stop::Rule(error) => (error.fault.to_string(), error.span),
                Stop::Limit(limit) => (limit.to_string(), whole),
            },
            Halt::Missing => ("a value that there is not".to_owned(), whole),
        };
        self.mistakes.push(Mistake::new(&text.source, span, message));
    }

    pub(super) fn state(&mut self, texts: &Texts<'_>, constants: &Constants) -> Option<Vec<StateVariable>> {
        let game = self.wire.game.as_ref()?;
        let mut variables: Vec<StateVariable> = Vec::new();
        let mut offset = 0;
        for variable in texts.state.ok()? {
            // an array whose length has a mistake stays an array, so that what reads it can be checked
            let length = variable.length.as_ref().map(|ast| self.cells(ast, &game.state, constants).unwrap_or(1));
            variables.push(StateVariable { name: variable.name.name.to_owned(), offset, length });
            offset += length.unwrap_or(1);
        }
        if offset > CELL_LIMIT {
            let help = format!("at most {CELL_LIMIT} are allowed");
            self.note(game.state.whole(), format!("a state of {offset} numbers"), help);
        }
        Some(variables)
    }

    pub(super) fn cells(&mut self, ast: &Ast<'_>, text: &Text, constants: &Constants) -> Option<usize> {
        let mut slots = Slots::default();
        let scope = bare(constants, &[], &[]);
        let tree = self.resolve(&scope, &text.source, &mut slots, |resolver| resolver.int(ast)).ok()?;
        let mut blind = Blind;
        match Evaluator::new(&[], &[], slots, &mut blind).int(&tree) {
            Ok(value) => match usize::try_from(value) {
                Ok(cells) if cells <= CELL_LIMIT => Some(cells),
                _ => {
                    let help = format!("from 0 to {CELL_LIMIT} cells are allowed");
                    self.note(ast.span, format!("an array of {value} cells"), help);
                    None
                }
            },
            Err(halt) => {
                self.fault(&halt, text, ast.span);
                None
            }
        }
    }

    /// The problem's own start and ranges, which no question may happen to use.
    pub(super) fn check_shared(&mut self, constants: &Constants, rules: &Rules) {
        let wire = self.wire;
        let mut slots = Slots::default();
        let parameters = self.all_parameters();
        let taken = self.taken(self.every_given());
        if let Some(Ok(start)) = &wire.start {
            self.components(start, constants, rules, &parameters, &taken, &mut slots);
        }
        let own: Vec<&str> = wire.given.iter().map(|(name, _)| name.name.as_str()).collect();
        self.ranges(&wire.given, &own, constants, &taken, &mut slots);
    }
}
