//! Puts a problem together: constants, rules, questions, keys, once for each variant.

use std::collections::HashMap;
use std::sync::Arc;

use super::wire::{self, ConstantWire, QuestionWire, RulesWire, VariantWire, Wire};
use super::{AuthorKey, Changes, Loaded, Problem};
use crate::lang::tree::{Bool, Coordinates, Move, Parameter, Rules, Slots, StateVariable, Winner, WinnerWord};
use crate::lang::{
    Ast, Blind, Constant, ConstantTree, Constants, Evaluator, GivenAst, Halt, Kind, Mistake, MoveAst, Named, Noted,
    Parsed, Parser, Resolver, Scope, Source, Span, StateAst, Stop, Text, Values, nearest, parameter, reserved,
};
use crate::question::{self, Question, Shape, Written, read_key};

/// The most cells that the state of a game may have.
const CELL_LIMIT: usize = 10_000;

/// Loads a problem file.
///
/// # Errors
///
/// All its mistakes, in order of place.
pub fn load(source: &Arc<Source>, changes: &Changes) -> Result<Loaded, Vec<Mistake>> {
    let mut mistakes = Vec::new();
    let wire = wire::read(source, &mut mistakes);
    let loaded = wire.and_then(|mut wire| {
        change(&mut wire, changes, source, &mut mistakes);
        Loader::new(source, &wire, &mut mistakes).load()
    });
    let mut unique: Vec<Mistake> = Vec::new();
    for mistake in mistakes {
        let same = |known: &Mistake| {
            known.span == mistake.span && known.message == mistake.message && known.source == mistake.source
        };
        if !unique.iter().any(same) {
            unique.push(mistake);
        }
    }
    unique.sort_by_key(|mistake| mistake.span.map(|span| (span.start, span.end)));
    match loaded {
        Some(loaded) if unique.is_empty() => Ok(loaded),
        _ => Err(unique),
    }
}

/// Carries out what the command line asks for.
fn change(wire: &mut Wire, changes: &Changes, source: &Arc<Source>, mistakes: &mut Vec<Mistake>) {
    for (name, value) in &changes.set {
        let text = Text::alone("--set", value);
        let mut found = false;
        for (known, constant) in &mut wire.constants {
            if known.name == *name {
                *constant = ConstantWire::Text(text.clone());
                found = true;
            }
        }
        for variant in &mut wire.variants {
            variant.1.constants.retain(|(known, _)| known.name != *name);
        }
        let only = Text::alone("--set", &format!("[{value}]"));
        let own = wire.questions.iter_mut().filter_map(|(_, question)| question.given.as_mut());
        for (known, range) in own.flatten().chain(&mut wire.given) {
            if known.name == *name {
                *range = only.clone();
                found = true;
            }
        }
        if !found {
            let known = wire.constants.iter().map(|(name, _)| name).chain(wire.given.iter().map(|(name, _)| name));
            let names: Vec<String> = known.map(|name| format!("`{}`", name.name)).collect();
            let mistake =
                Mistake::of_source(source, format!("`--set {name}`: the file has no such constant or parameter"));
            mistakes.push(
                mistake.help(format!("it has {}", if names.is_empty() { "none".to_owned() } else { names.join(", ") })),
            );
        }
    }
    if let Some(start) = &changes.start {
        let text = Text::alone("--start", start);
        wire.start = Some(text.clone());
        for (_, question) in &mut wire.questions {
            question.start = None;
        }
    }
}

/// A name that has a meaning already, what it is, and where.
type Taken = (String, &'static str, Span);

struct Loader<'a> {
    source: &'a Arc<Source>,
    wire: &'a Wire,
    /// The state variables, as far as they could be read.
    state: Vec<Named>,
    mistakes: &'a mut Vec<Mistake>,
}

/// The texts of a file, parsed once for all variants.
struct Texts {
    constants: HashMap<Span, Parsed<Ast>>,
    state: Parsed<Vec<StateAst>>,
    moves: Vec<(Named, Arc<Source>, Parsed<MoveAst>)>,
    end: Option<(Arc<Source>, Parsed<Ast>)>,
    legal: Option<(Arc<Source>, Parsed<Ast>)>,
    winner: Option<(Arc<Source>, Parsed<Ast>)>,
}

impl<'a> Loader<'a> {
    fn new(source: &'a Arc<Source>, wire: &'a Wire, mistakes: &'a mut Vec<Mistake>) -> Self {
        Self { source, wire, state: Vec::new(), mistakes }
    }

    fn load(mut self) -> Option<Loaded> {
        let wire = self.wire;
        if wire.questions.is_empty() && self.mistakes.is_empty() {
            self.mistakes.push(
                Mistake::new(self.source, Span::new(0, 1), "a problem without questions")
                    .help("write at least one: `questions: {\"19\": (ask: \"min s where W2\", key: 7)}`"),
            );
        }
        let game = wire.game.as_ref();
        let texts = game.map(|game| self.parse(game));
        let variables = texts.iter().filter_map(|texts| texts.state.as_ref().ok()).flatten();
        self.state = variables.map(|variable| variable.name.clone()).collect();
        self.check_variants();
        let texts = texts?;
        let before = self.mistakes.len();
        let base = self.problem(&texts, None);
        let mut problems = Vec::new();
        problems.extend(base);
        // mistakes of the problem as written would stand again in each variant
        if self.mistakes.len() == before {
            for (label, variant) in &wire.variants {
                let before = self.mistakes.len();
                let problem = self.problem(&texts, Some((label, variant)));
                for mistake in &mut self.mistakes[before..] {
                    mistake.help.push(format!("this is so in the variant \"{}\"", label.name));
                }
                problems.extend(problem);
            }
        }
        if !self.mistakes.is_empty() {
            return None;
        }
        Some(Loaded {
            source: Arc::clone(self.source),
            title: wire.title.clone(),
            origin: wire.source.clone(),
            tags: wire.tags.clone(),
            problems,
        })
    }

    // ---- texts

    fn parse(&mut self, game: &RulesWire) -> Texts {
        let wire = self.wire;
        let constants = wire.constants.iter().chain(wire.variants.iter().flat_map(|(_, variant)| &variant.constants));
        let texts: Vec<&Text> = constants
            .filter_map(|(_, constant)| if let ConstantWire::Text(text) = constant { Some(text) } else { None })
            .collect();
        Texts {
            constants: texts
                .into_iter()
                .map(|text| (text.whole(), self.read(text, Parser::whole_expression)))
                .collect(),
            state: self.read(&game.state, Parser::state),
            moves: game
                .moves
                .iter()
                .map(|(name, text)| (name.clone(), Arc::clone(&text.source), self.read(text, Parser::whole_move)))
                .collect(),
            end: game.end.as_ref().map(|text| (Arc::clone(&text.source), self.read(text, Parser::whole_expression))),
            legal: game
                .legal
                .as_ref()
                .map(|text| (Arc::clone(&text.source), self.read(text, Parser::whole_expression))),
            winner: game
                .winner
                .as_ref()
                .map(|text| (Arc::clone(&text.source), self.read(text, Parser::whole_expression))),
        }
    }

    fn read<'t, T>(&mut self, text: &'t Text, with: impl FnOnce(&mut Parser<'t>) -> Parsed<T>) -> Parsed<T> {
        let mut parser = Parser::new(text);
        let parsed = with(&mut parser);
        let noted = !parser.mistakes.is_empty();
        self.mistakes.append(&mut parser.mistakes);
        if noted { Err(Noted) } else { parsed }
    }

    fn resolve<T>(
        &mut self,
        scope: &Scope<'_>,
        source: &Arc<Source>,
        slots: &mut Slots,
        with: impl FnOnce(&mut Resolver<'_>) -> Parsed<T>,
    ) -> Parsed<T> {
        let mut resolver = Resolver::new(scope, source);
        let resolved = with(&mut resolver);
        *slots = slots.or(resolver.slots);
        let noted = !resolver.mistakes.is_empty();
        self.mistakes.append(&mut resolver.mistakes);
        if noted { Err(Noted) } else { resolved }
    }

    fn note(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.mistakes.push(Mistake::new(self.source, span, message).help(help));
    }

    // ---- one problem

    fn problem(
        &mut self,
        texts: &Texts,
        variant: Option<(&Named, &VariantWire)>,
    ) -> Option<(Problem, Vec<Option<AuthorKey>>)> {
        let wire = self.wire;
        self.check_names(texts);
        let constants = self.constants(texts, variant.map(|(_, variant)| variant));
        let state = self.state(texts, &constants)?;
        let rules = self.rules(texts, &constants, state);
        self.check_shared(&constants, &rules);
        let mut questions = Vec::new();
        let mut keys = Vec::new();
        for (label, question) in &wire.questions {
            let own_key = match variant {
                None => question.key.as_ref(),
                Some((_, VariantWire { keys: Some(keys), .. })) => {
                    let Some((_, key)) = keys.iter().find(|(name, _)| name.name == label.name) else { continue };
                    Some(key)
                }
                Some(_) => None,
            };
            if let Some((question, key)) = self.question(label, question, own_key, &constants, &rules) {
                questions.push(question);
                keys.push(key);
            }
        }
        let title = variant.and_then(|(_, variant)| variant.title.clone()).unwrap_or_else(|| wire.title.clone());
        let variant = variant.map(|(label, _)| label.name.clone());
        Some((Problem { variant, title, rules, questions }, keys))
    }

    /// Variants name constants and questions that there are.
    fn check_variants(&mut self) {
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

    fn unknown_label(&mut self, name: &Named, what: &str, known: &[&str]) {
        let mut mistake = Mistake::new(self.source, name.span, format!("the problem has no {what} \"{}\"", name.name));
        if let Some(near) = nearest(&name.name, known.iter().copied()) {
            mistake = mistake.help(format!("did you mean \"{near}\"?"));
        }
        let listed = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        self.mistakes.push(mistake.help(format!("its {what}s are: {listed}")));
    }

    /// Names are words, not reserved, and have one meaning in the file.
    fn check_names(&mut self, texts: &Texts) {
        let wire = self.wire;
        let mut constants: Vec<&Named> = Vec::new();
        for (name, _) in &wire.constants {
            self.check_name(name, "a constant");
            constants.push(name);
        }
        let mut state: Vec<Named> = Vec::new();
        for variable in texts.state.iter().flatten() {
            let name = variable.name.clone();
            self.check_name(&name, "a state variable");
            if let Some(first) = constants.iter().find(|known| known.name == name.name) {
                self.clash(&name, "a state variable", first, "a constant");
            }
            if let Some(first) = state.iter().find(|known| known.name == name.name) {
                self.clash(&name, "a state variable", first, "a state variable");
            }
            state.push(name);
        }
        // each map of parameters with the start that it serves
        let own = wire.start.as_ref().map(|start| (&wire.given, Some(start)));
        let maps = wire.questions.iter().map(|(_, question)| {
            let start = question.start.as_ref().or(wire.start.as_ref());
            (question.given.as_ref().unwrap_or(&wire.given), start)
        });
        for (given, start) in maps.chain(own).collect::<Vec<_>>() {
            for (name, _) in given {
                self.check_name(name, "a parameter");
                if let Some(first) = constants.iter().find(|known| known.name == name.name) {
                    self.clash(name, "a parameter", first, "a constant");
                }
                if let Some(place) = state.iter().position(|known| known.name == name.name)
                    && !gives_alone(start, place, &name.name)
                {
                    self.clash(name, "a parameter", &state[place], "a state variable");
                }
            }
        }
    }

    fn check_name(&mut self, name: &Named, what: &str) {
        let mut chars = name.name.chars();
        let word = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && chars.all(|c| c.is_alphanumeric() || c == '_');
        if !word {
            self.note(
                name.span,
                format!("\"{}\" cannot be the name of {what}", name.name),
                "a name is a word of letters, digits and `_` that does not begin with a digit",
            );
        } else if let Some(why) = reserved(&name.name) {
            self.note(
                name.span,
                format!("`{}` is {why} and cannot be the name of {what}", name.name),
                format!("choose another name, such as `{}_`", name.name.to_lowercase()),
            );
        }
    }

    fn clash(&mut self, name: &Named, what: &str, first: &Named, other: &str) {
        let (line, column) = self.source.line_column(first.span.start);
        let (here, _) = self.source.line_column(name.span.start);
        self.note(
            name.span,
            format!("`{}` is {what} in line {here} and {other} in line {line}, column {column}", name.name),
            format!("a name has one meaning in a file; rename one of them, for example to `{}0`", name.name),
        );
    }

    fn constants(&mut self, texts: &Texts, variant: Option<&VariantWire>) -> Constants {
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

    fn constant(&mut self, written: &ConstantWire, texts: &Texts, earlier: &Constants) -> Constant {
        match written {
            ConstantWire::Int(value) => Constant::Int(*value),
            ConstantWire::List(values) => Constant::List(values.clone().into()),
            ConstantWire::Table(rows) => Constant::Table(rows.clone().into()),
            ConstantWire::Text(text) => self.computed(text, texts, earlier).unwrap_or(Constant::Unknown),
            ConstantWire::Unknown => Constant::Unknown,
        }
    }

    /// A variant gives a constant another value, not another kind of value.
    fn same_kind(&mut self, place: &Named, first: &Constant, other: &Constant) -> bool {
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

    fn computed(&mut self, text: &Text, texts: &Texts, constants: &Constants) -> Option<Constant> {
        let ast = texts.constants.get(&text.whole())?.as_ref().ok()?;
        let taken = self.taken(&[]);
        let scope = bare(constants, &[], &taken);
        let mut slots = Slots::default();
        let tree = self.resolve(&scope, &text.source, &mut slots, |resolver| resolver.constant(ast)).ok()?;
        let mut blind = Blind;
        let mut evaluator = Evaluator::new(&[], &[], slots, &mut blind);
        let value = match &tree {
            ConstantTree::Int(int) => evaluator.int(int).map(Constant::Int),
            ConstantTree::List(list) => evaluator.list(list).map(|list| Constant::List(list.into())),
            ConstantTree::Table(table) => evaluator.table(table).map(|rows| Constant::Table(rows.into())),
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

    fn fault(&mut self, halt: &Halt, text: &Text, whole: Span) {
        let (message, span) = match halt {
            Halt::Stop(stop) => match stop.as_ref() {
                Stop::Rule(error) => (error.fault.to_string(), error.span),
                Stop::Limit(limit) => (limit.to_string(), whole),
            },
            Halt::Missing => ("a value that there is not".to_owned(), whole),
        };
        self.mistakes.push(Mistake::new(&text.source, span, message));
    }

    fn state(&mut self, texts: &Texts, constants: &Constants) -> Option<Vec<StateVariable>> {
        let game = self.wire.game.as_ref()?;
        let mut variables: Vec<StateVariable> = Vec::new();
        let mut offset = 0;
        for variable in texts.state.as_ref().ok()? {
            // an array whose length has a mistake stays an array, so that what reads it can be checked
            let length = variable.length.as_ref().map(|ast| self.cells(ast, &game.state, constants).unwrap_or(1));
            variables.push(StateVariable { name: variable.name.name.clone(), offset, length });
            offset += length.unwrap_or(1);
        }
        if offset > CELL_LIMIT {
            let help = format!("at most {CELL_LIMIT} are allowed");
            self.note(game.state.whole(), format!("a state of {offset} numbers"), help);
        }
        Some(variables)
    }

    fn cells(&mut self, ast: &Ast, text: &Text, constants: &Constants) -> Option<usize> {
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
    fn check_shared(&mut self, constants: &Constants, rules: &Rules) {
        let wire = self.wire;
        let mut slots = Slots::default();
        let parameters = self.all_parameters();
        let taken = self.taken(&self.every_given());
        if let Some(text) = &wire.start {
            self.position(text, constants, rules, &parameters, &taken, &mut slots);
        }
        let own: Vec<String> = wire.given.iter().map(|(name, _)| name.name.clone()).collect();
        self.ranges(&wire.given, &own, constants, &taken, &mut slots);
    }

    // ---- rules

    fn rules(&mut self, texts: &Texts, constants: &Constants, state: Vec<StateVariable>) -> Rules {
        let state_width = state.iter().map(|variable| variable.length.unwrap_or(1)).sum();
        let all_parameters = self.all_parameters();
        let (turn, parameters) = self.read_by_rules(texts, &state, &all_parameters);
        let turn = turn.then_some(state_width);
        let offset = state_width + usize::from(turn.is_some());
        let taken = self.taken(&self.every_given());
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
        };
        let mut slots = Slots::default();
        let mut failed = texts.moves.iter().any(|(_, _, parsed)| parsed.is_err());
        let mut moves: Vec<Move> = Vec::new();
        for (name, source, parsed) in &texts.moves {
            let Ok(ast) = parsed else { continue };
            if ast.parts.len() > 1 {
                let mistake = Mistake::new(source, ast.span, "a move that splits a component with `|`");
                self.mistakes
                    .push(mistake.help("sums of games are not solved by this version; a disjunction is written `or`"));
                failed = true;
                continue;
            }
            match self.resolve(&scope, source, &mut slots, |resolver| resolver.whole_move(ast, &name.name)) {
                Ok(made) => moves.push(made),
                Err(Noted) => failed = true,
            }
        }
        let end = self.condition(&scope, texts.end.as_ref(), &mut slots, &mut failed);
        let legal = self.condition(&scope, texts.legal.as_ref(), &mut slots, &mut failed);
        let winner = match &texts.winner {
            None => Winner::Word(WinnerWord::Last),
            Some((source, Ok(ast))) => {
                match self.resolve(&scope, source, &mut slots, |resolver| resolver.winner(ast)) {
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
                    body: crate::lang::tree::MoveBody::Assign(Vec::new()),
                    clauses: Vec::new(),
                    span: name.span,
                })
                .collect();
        }
        Rules { state, state_width, turn, parameters, moves, end, legal, winner, slots }
    }

    fn condition(
        &mut self,
        scope: &Scope<'_>,
        text: Option<&(Arc<Source>, Parsed<Ast>)>,
        slots: &mut Slots,
        failed: &mut bool,
    ) -> Option<Bool> {
        let (source, parsed) = text?;
        let resolved = match parsed {
            Ok(ast) => self.resolve(scope, source, slots, |resolver| resolver.bool(ast)),
            Err(Noted) => Err(Noted),
        };
        *failed = *failed || resolved.is_err();
        resolved.ok()
    }

    /// The names of all parameters in the file, each once.
    fn all_parameters(&self) -> Vec<String> {
        let mut names: Vec<String> = self.every_given().into_iter().map(|(name, _)| name.name.clone()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// All parameters with their ranges, wherever they are given.
    fn every_given(&self) -> Vec<&'a (Named, Text)> {
        let wire = self.wire;
        let own = wire.questions.iter().filter_map(|(_, question)| question.given.as_ref());
        own.flatten().chain(&wire.given).collect()
    }

    /// The names that loop variables may not hide: constants, state variables and these parameters.
    fn taken(&self, parameters: &[&(Named, Text)]) -> Vec<Taken> {
        let place = |name: &Named, what: &'static str| (name.name.clone(), what, name.span);
        let constants = self.wire.constants.iter().map(|(name, _)| place(name, "the constant"));
        let state = self.state.iter().map(|name| place(name, "the state variable"));
        constants.chain(state).chain(parameters.iter().map(|(name, _)| place(name, "the parameter"))).collect()
    }

    /// Whether the game is partizan, and which parameters its rules read.
    fn read_by_rules(&self, texts: &Texts, state: &[StateVariable], parameters: &[String]) -> (bool, Vec<String>) {
        let mut turn = false;
        let mut read: Vec<String> = Vec::new();
        let mut visit = |word: &str, _: Span| {
            turn = turn || matches!(word, "turn" | "first" | "second");
            let hidden = state.iter().any(|variable| variable.name == word);
            if !hidden && parameters.iter().any(|name| name == word) && !read.iter().any(|name| name == word) {
                read.push(word.to_owned());
            }
        };
        for (_, _, parsed) in &texts.moves {
            if let Ok(ast) = parsed {
                ast.words(&mut visit);
            }
        }
        for text in [&texts.end, &texts.legal, &texts.winner] {
            if let Some((_, Ok(ast))) = text {
                ast.words(&mut visit);
            }
        }
        read.sort();
        (turn, read)
    }

    // ---- questions

    fn question(
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
        Some((Question { label, text, ask, start: start?, given: ranges?, in_position, slots }, key))
    }

    fn ranges(
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
    fn start(
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
        let Some(text) = wire.start.as_ref().or(problem.start.as_ref()) else {
            self.note(
                label.span,
                format!("the question \"{}\" has no start", label.name),
                "give the problem a `start` in state order, for example `start: \"6, s\"`, or the question one of its own",
            );
            return None;
        };
        self.position(text, constants, rules, parameters, taken, slots)
    }

    fn position(
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

/// Whether the start gives the variable in this place just the parameter of its name.
fn gives_alone(start: Option<&Text>, place: usize, name: &str) -> bool {
    let Some(text) = start else { return false };
    match Parser::new(text).position() {
        Ok(items) => matches!(items.get(place), Some(Ast { kind: Kind::Word(word), .. }) if word == name),
        Err(Noted) => true,
    }
}

/// Constants and parameters, and nothing else.
fn bare<'s>(constants: &'s Constants, parameters: &'s [String], taken: &'s [Taken]) -> Scope<'s> {
    Scope {
        constants,
        state: (&[], false),
        turn: None,
        in_position: (&[], 0),
        parameters,
        taken,
        moves: &[],
        values: Values::None,
        no_grundy: None,
    }
}
