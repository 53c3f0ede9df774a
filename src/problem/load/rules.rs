//! The rules of a game, and which names they read.

use super::*;

impl<'a> Loader<'a> {
    pub(super) fn rules(&mut self, texts: &Texts<'_>, constants: &Constants, state: Vec<StateVariable>) -> Rules {
        let state_width = state.iter().map(|variable| variable.length.unwrap_or(1)).sum();
        let all_parameters = self.all_parameters();
        let (turn, parameters) = self.read_by_rules(texts, &state, &all_parameters);
        let puzzle = self.wire.game.as_ref().is_some_and(|game| game.puzzle);
        let turn = (turn && !puzzle).then_some(state_width);
        let offset = state_width + usize::from(turn.is_some());
        let taken = self.taken(self.every_given());
        let scope = Scope {
            constants,
            state: (&state, true),
            turn,
            in_position: (&parameters, offset),
            parameters: &[],
            taken: &taken,
            moves: &[],
            values: Values::None,
            no_grundy: None,
            puzzle: None,
            sum: false,
            takes: None,
            given: None,
        };
        let mut slots = Slots::default();
        let mut failed = texts.moves.iter().any(|(_, _, parsed)| parsed.is_err());
        let mut moves: Vec<Move> = Vec::new();
        for (name, text, parsed) in &texts.moves {
            let Ok(ast) = parsed else { continue };
            match self.resolve(&scope, &text.source, &mut slots, |resolver| resolver.whole_move(ast, &name.name)) {
                Ok(made) => moves.push(made),
                Err(Noted) => failed = true,
            }
        }
        let end = self.condition(&scope, texts.end.as_ref(), &mut slots, &mut failed);
        let legal = self.condition(&scope, texts.legal.as_ref(), &mut slots, &mut failed);
        let goal = texts.goal.as_ref().map(|text| {
            // a goal with a mistake stays a goal, so that what asks for it can be checked
            let never = Bool::new(BoolKind::Truth(false), Span::default());
            self.condition(&scope, Some(text), &mut slots, &mut failed).unwrap_or(never)
        });
        let winner = match &texts.winner {
            None => Winner::Word(WinnerWord::Last),
            Some((text, Ok(ast))) => {
                match self.resolve(&scope, &text.source, &mut slots, |resolver| resolver.winner(ast)) {
                    Ok(winner) => winner,
                    Err(Noted) => {
                        failed = true;
                        Winner::Word(WinnerWord::Last)
                    }
                }
            }
            Some((_, Err(Noted))) => {
                failed = true;
                Winner::Word(WinnerWord::Last)
            }
        };
        // questions are checked even where a rule has mistakes, so that all are told; names of moves stay known
        if failed {
            moves = texts
                .moves
                .iter()
                .map(|(name, _, _)| Move {
                    name: name.name.clone(),
                    parts: vec![MoveBody::Assign(Vec::new())],
                    clauses: Vec::new(),
                    span: name.span,
                })
                .collect();
        }
        self.rules_failed = failed;
        let heaps = self.wire.game.as_ref().and_then(|game| game.heaps.clone());
        Rules { puzzle, state, state_width, turn, parameters, moves, end, goal, legal, winner, slots, heaps }
    }

    pub(super) fn condition(
        &mut self,
        scope: &Scope<'_>,
        text: Option<&(&Text, Parsed<Ast<'_>>)>,
        slots: &mut Slots,
        failed: &mut bool,
    ) -> Option<Bool> {
        let (text, parsed) = text?;
        let resolved = match parsed {
            Ok(ast) => self.resolve(scope, &text.source, slots, |resolver| resolver.bool(ast)),
            Err(Noted) => Err(Noted),
        };
        *failed = *failed || resolved.is_err();
        resolved.ok()
    }

    /// The names of all parameters in the file, each once.
    pub(super) fn all_parameters(&self) -> Vec<&'a str> {
        let mut names: Vec<&str> = self.every_given().map(|(name, _)| name.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// All parameters with their ranges, wherever they are given.
    pub(super) fn every_given(&self) -> impl Iterator<Item = &'a (Named, Text)> + use<'a> {
        let wire = self.wire;
        let own = wire.questions.iter().filter_map(|(_, question)| question.given.as_ref());
        own.flatten().chain(&wire.given)
    }

    /// The names that loop variables may not hide: constants, state variables and these parameters.
    pub(super) fn taken(&self, parameters: impl Iterator<Item = &'a (Named, Text)>) -> Vec<Taken<'a>> {
        let place = |name: Name<'a>, what: &'static str| (name.name, what, name.span);
        let constants = self.wire.constants.iter().map(|(name, _)| place(name.borrowed(), "the constant"));
        let state = self.state.iter().map(|name| place(*name, "the state variable"));
        let parameters = parameters.map(|(name, _)| place(name.borrowed(), "the parameter"));
        constants.chain(state).chain(parameters).collect()
    }

    /// Whether the game is partizan, and which parameters its rules read.
    pub(super) fn read_by_rules(
        &self,
        texts: &Texts<'_>,
        state: &[StateVariable],
        parameters: &[&'a str],
    ) -> (bool, Vec<String>) {
        let mut turn = false;
        let mut read: Vec<&'a str> = Vec::new();
        let mut visit = |word: &str, _: Span| {
            turn = turn || matches!(word, "turn" | "first" | "second");
            if let Some(name) = parameters.iter().find(|name| **name == word)
                && !state.iter().any(|variable| variable.name == word)
                && !read.contains(name)
            {
                read.push(name);
            }
        };
        for (_, _, parsed) in &texts.moves {
            if let Ok(ast) = parsed {
                ast.words(&mut visit);
            }
        }
        for text in [&texts.end, &texts.goal, &texts.legal, &texts.winner] {
            if let Some((_, Ok(ast))) = text {
                ast.words(&mut visit);
            }
        }
        read.sort_unstable();
        (turn, read.into_iter().map(str::to_owned).collect())
    }
}
