//! Questions with their starts, ranges and keys.

use super::*;

/// What the questions of one problem have in common.
pub(super) struct Shared<'a> {
    /// The names of the problem's parameters.
    parameters: Vec<&'a str>,
    /// What they hide.
    taken: Vec<Taken<'a>>,
    /// The names of the moves.
    moves: Vec<&'a str>,
    /// The problem's ranges and its start, once they have been read without a mistake.
    laid: Option<Laid>,
}

/// The components of a start, and whether it is written as a sum.
type Start = (Arc<[Coordinates]>, bool);

/// The ranges and the start of a question.
#[derive(Clone)]
struct Laid {
    ranges: Arc<[Parameter]>,
    start: Start,
    slots: Slots,
}

impl<'a> Loader<'a> {
    pub(super) fn shared(&self, texts: &Texts<'a>) -> Shared<'a> {
        let (parameters, taken) = self.parameters(&self.wire.given);
        let moves = texts.moves.iter().map(|(name, ..)| name.name.as_str()).collect();
        Shared { parameters, taken, moves, laid: None }
    }

    /// Lays down the problem's own start and ranges, which no question may happen to use. Where all questions have its
    /// parameters, a question without a start of its own has the same.
    pub(super) fn lay(&mut self, constants: &Constants, rules: &Rules, shared: &mut Shared<'a>) {
        let wire = self.wire;
        let Some(Ok(start)) = &wire.start else { return self.check_shared(constants, rules) };
        if wire.questions.iter().any(|(_, question)| question.given.is_some()) {
            return self.check_shared(constants, rules);
        }
        let before = self.mistakes.len();
        let mut slots = slots_of(rules);
        let Shared { parameters, taken, .. } = &*shared;
        let ranges = self.ranges(&wire.given, parameters, constants, taken, &mut slots);
        let start = self.components(start, constants, rules, parameters, taken, &mut slots);
        match (ranges, start) {
            (Some(ranges), Some(start)) if self.mistakes.len() == before => {
                shared.laid = Some(Laid { ranges, start, slots });
            }
            _ => {
                // they are told in the words of the whole file
                self.mistakes.truncate(before);
                self.check_shared(constants, rules);
            }
        }
    }

    /// The names of parameters, and what they hide.
    fn parameters(&self, given: &'a [(Named, Text)]) -> (Vec<&'a str>, Vec<Taken<'a>>) {
        let names = given.iter().map(|(name, _)| name.name.as_str()).collect();
        (names, self.taken(given.iter()))
    }

    pub(super) fn question(
        &mut self,
        label: &Named,
        wire: &'a QuestionWire,
        key: Option<&Written>,
        constants: &Constants,
        rules: &Rules,
        shared: &mut Shared<'a>,
    ) -> Option<(Question, Option<AuthorKey>)> {
        let problem = self.wire;
        let given = wire.given.as_ref().unwrap_or(&problem.given);
        let own_start = wire.start.is_some() || wire.given.is_some();
        let own;
        let (parameters, taken) = if wire.given.is_some() {
            own = self.parameters(given);
            (&own.0[..], &own.1[..])
        } else {
            (&shared.parameters[..], &shared.taken[..])
        };
        let (ranges, start, mut slots) = match shared.laid.as_ref().filter(|_| !own_start) {
            Some(laid) => (Some(laid.ranges.clone()), Some(laid.start.clone()), laid.slots),
            None => {
                let before = self.mistakes.len();
                let mut slots = slots_of(rules);
                let ranges = self.ranges(given, parameters, constants, taken, &mut slots);
                let start = self.start(label, wire, constants, rules, parameters, taken, &mut slots);
                if let (false, Some(ranges), Some(start)) = (own_start, &ranges, &start)
                    && self.mistakes.len() == before
                {
                    shared.laid = Some(Laid { ranges: ranges.clone(), start: start.clone(), slots });
                }
                (ranges, start, slots)
            }
        };
        let alone = |text: &Text| text.source.name == "--start";
        let several = start.as_ref().is_some_and(|(components, _)| components.len() > 1);
        let from_outside = match problem.start.as_ref() {
            Some(Ok(StartWire::One { text, .. })) => alone(text),
            Some(Ok(StartWire::Sum(texts))) => texts.iter().any(alone),
            _ => false,
        };
        if several && from_outside && wire.ask.value.trim() == "period" {
            // the question is about one heap, and the start given for all questions has several
            return None;
        }
        let written = wire.start.as_ref().or(problem.start.as_ref());
        let listed =
            matches!(written, Some(Ok(StartWire::Sum(_)))) || start.as_ref().is_some_and(|(_, listed)| *listed);
        let sum = rules.splits() || rules.heaps.is_some() || listed;
        if sum && start.is_some() {
            self.check_sum(label, rules);
        }
        let mut in_position = Vec::new();
        for name in &rules.parameters {
            match parameters.iter().position(|known| *known == name.as_str()) {
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
        let no_grundy = if rules.turn.is_some() {
            Some(
                "it needs a game in which both players have the same moves; this one is partizan, since a rule reads `turn` or names `first` or `second`",
            )
        } else if rules.last_mover_wins() {
            None
        } else {
            Some("it needs a game that the last mover wins: `winner: \"last\"`")
        };
        // what the start lacks is told once, and not again in each ask
        let lacking = if start.is_none() { self.lacking(wire, constants, parameters) } else { Vec::new() };
        let joined;
        let asked = if lacking.is_empty() {
            parameters
        } else {
            joined = parameters.iter().copied().chain(lacking.iter().map(String::as_str)).collect::<Vec<_>>();
            &joined
        };
        let first_word = wire.ask.value.trim_start_matches(|c: char| !c.is_alphabetic());
        let moves_take = (!self.rules_failed && first_word.starts_with("period")).then(|| match &start {
            Some((components, _)) if components.len() > 1 => Err("its start has several heaps".to_owned()),
            _ => takes(rules),
        });
        let scope = Scope {
            constants,
            state: (&rules.state, !sum),
            turn: rules.turn,
            in_position: (&[], 0),
            parameters: asked,
            taken,
            moves: &shared.moves,
            values: Values::All,
            no_grundy,
            puzzle: rules.puzzle.then_some(rules.goal.is_some()),
            sum,
            takes: moves_take.as_ref(),
            given: Some(&lacking),
        };
        let ask = match question::read(&wire.ask, &scope, &mut self.tokens) {
            Ok((ask, ask_slots)) => {
                slots = slots.or(ask_slots);
                ask
            }
            Err(mut mistakes) => {
                self.mistakes.append(&mut mistakes);
                return None;
            }
        };
        // whether there are several starts is not known where a parameter is lacking
        let key = key.filter(|_| lacking.is_empty() || !ask.about_start()).and_then(|written| {
            let shape = if ask.about_start() && !given.is_empty() {
                Shape::PerStart(Box::new(ask.shape()))
            } else {
                ask.shape()
            };
            let key = read_key(written, &shape, rules, sum, self.source, self.mistakes)?;
            Some(AuthorKey { key, written: written.clone() })
        });
        let text = wire.ask.value.clone();
        let label = label.name.clone();
        let (start, _) = start?;
        Some((Question { label, text, ask, start, sum, given: ranges?, in_position, slots, own_start }, key))
    }

    /// The names that the start reads as if they were parameters.
    fn lacking(&self, wire: &QuestionWire, constants: &Constants, parameters: &[&str]) -> Vec<String> {
        let texts = match wire.start.as_ref().or(self.wire.start.as_ref()) {
            Some(Ok(StartWire::One { text, .. })) => std::slice::from_ref(text),
            Some(Ok(StartWire::Sum(texts))) => &texts[..],
            _ => &[],
        };
        let arena = Bump::new();
        let mut lacking: Vec<String> = Vec::new();
        for item in texts.iter().filter_map(|text| Parser::new(text, &arena).position().ok()).flatten() {
            item.words(&mut |word, _| {
                let constant = constants.iter().any(|(name, _)| name == word);
                if !constant && !parameters.contains(&word) && reserved(word).is_none() {
                    lacking.push(word.to_owned());
                }
            });
        }
        lacking
    }

    pub(super) fn ranges(
        &mut self,
        given: &[(Named, Text)],
        parameters: &[&str],
        constants: &Constants,
        taken: &[Taken<'_>],
        slots: &mut Slots,
    ) -> Option<Arc<[Parameter]>> {
        let arena = Bump::new();
        let mut ranges = Vec::with_capacity(given.len());
        let mut failed = false;
        for (at, (name, text)) in given.iter().enumerate() {
            let Ok(GivenAst { range, conditions }) = self.read(text, &arena, Parser::given) else {
                failed = true;
                continue;
            };
            let span = range.span();
            let ast = GivenAst { range, conditions: &[] };
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
        (!failed).then(|| ranges.into())
    }

    #[expect(clippy::too_many_arguments, reason = "each is a part of the scope, used once")]
    pub(super) fn start(
        &mut self,
        label: &Named,
        wire: &QuestionWire,
        constants: &Constants,
        rules: &Rules,
        parameters: &[&str],
        taken: &[Taken<'_>],
        slots: &mut Slots,
    ) -> Option<Start> {
        let problem = self.wire;
        let start = wire.start.as_ref().or(problem.start.as_ref());
        if let Some(Err(Noted)) = start {
            return None;
        }
        let Some(Ok(start)) = start else {
            self.note(
                label.span,
                format!("the question \"{}\" has no start", label.name),
                "give the problem a `start` in state order, for example `start: \"6, s\"`, or the question one of its own",
            );
            return None;
        };
        self.components(start, constants, rules, parameters, taken, slots)
    }

    /// The components of a start, and whether it is written as a sum.
    pub(super) fn components(
        &mut self,
        start: &StartWire,
        constants: &Constants,
        rules: &Rules,
        parameters: &[&str],
        taken: &[Taken<'_>],
        slots: &mut Slots,
    ) -> Option<Start> {
        let mut scope = bare(constants, parameters, taken);
        scope.state = (&rules.state, false);
        // a start from the command line takes what the file gives
        let alone = |text: &Text| text.source.name == "--start";
        let outside = match start {
            StartWire::One { text, .. } => alone(text),
            StartWire::Sum(texts) => texts.iter().any(alone),
        };
        scope.given = (!outside).then_some(&[]);
        let (texts, listed) = match start {
            StartWire::One { text, .. } => (std::slice::from_ref(text), false),
            StartWire::Sum(texts) => (&texts[..], true),
        };
        let one_number = matches!(&rules.state[..], [StateVariable { length: None, .. }]);
        let arena = Bump::new();
        let mut components = Vec::new();
        let mut sum = listed || rules.heaps.is_some();
        for text in texts {
            let whole = text.whole();
            let Ok(items) = self.read(text, &arena, Parser::position) else {
                components.push(None);
                continue;
            };
            if listed && one_number && items.len() > 1 {
                let listed: Vec<String> = items
                    .iter()
                    .map(|item| format!("\"{}\"", text.source.text.get(item.span.range()).unwrap_or_default()))
                    .collect();
                let mistake = Mistake::new(&text.source, whole, format!("{} numbers for one component", items.len()));
                self.mistakes
                    .push(mistake.help(format!("each component has a text of its own: {}", listed.join(", "))));
                components.push(None);
                continue;
            }
            let several = matches!(start, StartWire::One { heaps: true, .. }) && one_number && items.len() > 1;
            let positions: Vec<&[Ast<'_>]> = if several { items.chunks(1).collect() } else { vec![items] };
            sum = sum || several;
            for items in positions {
                let resolved = self.resolve(&scope, &text.source, slots, |resolver| {
                    resolver.coordinates(items.len(), items.iter(), whole)
                });
                components.push(resolved.ok());
            }
        }
        Some((components.into_iter().collect::<Option<Vec<_>>>()?.into(), sum))
    }

    /// A sum needs an impartial game that the last mover wins or loses.
    fn check_sum(&mut self, label: &Named, rules: &Rules) {
        let reason = if rules.puzzle {
            "a puzzle has one player, and is no component of a sum"
        } else if rules.turn.is_some() {
            "a sum needs a game in which both players have the same moves; this one is partizan, since a rule reads `turn` or names `first` or `second`"
        } else if !matches!(rules.winner, Winner::Word(WinnerWord::Last | WinnerWord::Other)) {
            "in a sum the winner is \"last\" or \"other\" for every position"
        } else if rules.state_width == 0 {
            "a component of a sum needs at least one number"
        } else {
            return;
        };
        let why = if rules.splits() { "a move splits a component with `|`" } else { "its start is a list" };
        self.note(label.span, format!("the question \"{}\" asks about a sum, since {why}", label.name), reason);
    }
}

/// The slots that the rules need, and one at least.
fn slots_of(rules: &Rules) -> Slots {
    rules.slots.or(Slots { values: 1, rows: 0 })
}
