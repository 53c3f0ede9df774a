//! Questions with their starts, ranges and keys.

use super::*;

impl<'a> Loader<'a> {
    pub(super) fn question(
        &mut self,
        label: &Named,
        wire: &QuestionWire,
        key: Option<&Written>,
        constants: &Constants,
        rules: &Rules,
    ) -> Option<(Question, Option<AuthorKey>)> {
        let problem = self.wire;
        let given = wire.given.as_ref().unwrap_or(&problem.given);
        let parameters: Vec<String> = given.iter().map(|(name, _)| name.name.clone()).collect();
        let taken = self.taken(&given.iter().collect::<Vec<_>>());
        let mut slots = rules.slots.or(Slots { values: 1, rows: 0 });
        let ranges = self.ranges(given, &parameters, constants, &taken, &mut slots);
        let start = self.start(label, wire, constants, rules, &parameters, &taken, &mut slots);
        let mut in_position = Vec::new();
        for name in &rules.parameters {
            match parameters.iter().position(|known| known == name) {
                Some(place) => in_position.push(place),
                None => self.note(
                    label.span,
                    format!(
                        "the rules read the parameter `{name}`, which the question \"{}\" does not give",
                        label.name
                    ),
                    format!("add `\"{name}\": \"…\"` to its `given`; a question's own `given` replaces the problem's"),
                ),
            }
        }
        let move_names: Vec<String> = rules.moves.iter().map(|made| made.name.clone()).collect();
        let no_grundy = if rules.turn.is_some() {
            Some(
                "it needs a game in which both players have the same moves; this one is partizan, since a rule reads `turn` or names `first` or `second`",
            )
        } else if rules.last_mover_wins() {
            None
        } else {
            Some("it needs a game that the last mover wins: `winner: \"last\"`")
        };
        let scope = Scope {
            constants,
            state: (&rules.state, true),
            turn: rules.turn,
            in_position: (&[], 0),
            parameters: &parameters,
            taken: &taken,
            moves: &move_names,
            values: Values::All,
            no_grundy,
            puzzle: rules.puzzle.then_some(rules.goal.is_some()),
        };
        let ask = match question::read(&wire.ask, &scope) {
            Ok((ask, ask_slots)) => {
                slots = slots.or(ask_slots);
                Some(ask)
            }
            Err(mut mistakes) => {
                self.mistakes.append(&mut mistakes);
                None
            }
        };
        let ask = ask?;
        let key = key.and_then(|written| {
            let shape = if ask.about_start() && !given.is_empty() {
                Shape::PerStart(Box::new(ask.shape()))
            } else {
                ask.shape()
            };
            let key = read_key(written, &shape, rules, self.source, self.mistakes)?;
            Some(AuthorKey { key, written: written.clone() })
        });
        let text = wire.ask.value.clone();
        let label = label.name.clone();
        let own_start = wire.start.is_some() || wire.given.is_some();
        Some((Question { label, text, ask, start: start?, given: ranges?, in_position, slots, own_start }, key))
    }

    pub(super) fn ranges(
        &mut self,
        given: &[(Named, Text)],
        parameters: &[String],
        constants: &Constants,
        taken: &[Taken],
        slots: &mut Slots,
    ) -> Option<Vec<Parameter>> {
        let mut ranges = Vec::new();
        let mut failed = false;
        for (at, (name, text)) in given.iter().enumerate() {
            let Ok(GivenAst { range, conditions }) = self.read(text, Parser::given) else {
                failed = true;
                continue;
            };
            let span = range.span();
            let ast = GivenAst { range, conditions: Vec::new() };
            let earlier = bare(constants, &parameters[..at], taken);
            let resolved = self.resolve(&earlier, &text.source, slots, |resolver| resolver.parameter_range(&ast));
            let with_itself = bare(constants, &parameters[..=at], taken);
            let guards: Vec<Parsed<Bool>> = conditions
                .iter()
                .map(|condition| self.resolve(&with_itself, &text.source, slots, |resolver| resolver.bool(condition)))
                .collect();
            match (resolved, guards.into_iter().collect::<Parsed<Vec<Bool>>>()) {
                (Ok(range), Ok(guards)) => ranges.push(parameter(name.name.clone(), range, guards, span)),
                _ => failed = true,
            }
        }
        (!failed).then_some(ranges)
    }

    #[expect(clippy::too_many_arguments, reason = "each is a part of the scope, used once")]
    pub(super) fn start(
        &mut self,
        label: &Named,
        wire: &QuestionWire,
        constants: &Constants,
        rules: &Rules,
        parameters: &[String],
        taken: &[Taken],
        slots: &mut Slots,
    ) -> Option<Coordinates> {
        let problem = self.wire;
        let text = wire.start.as_ref().or(problem.start.as_ref());
        if let Some(Err(Noted)) = text {
            return None;
        }
        let Some(Ok(text)) = text else {
            self.note(
                label.span,
                format!("the question \"{}\" has no start", label.name),
                "give the problem a `start` in state order, for example `start: \"6, s\"`, or the question one of its own",
            );
            return None;
        };
        self.position(text, constants, rules, parameters, taken, slots)
    }

    pub(super) fn position(
        &mut self,
        text: &Text,
        constants: &Constants,
        rules: &Rules,
        parameters: &[String],
        taken: &[Taken],
        slots: &mut Slots,
    ) -> Option<Coordinates> {
        let items = self.read(text, Parser::position).ok()?;
        let mut scope = bare(constants, parameters, taken);
        scope.state = (&rules.state, false);
        let whole = text.whole();
        self.resolve(&scope, &text.source, slots, |resolver| resolver.coordinates(&items, whole)).ok()
    }
}
