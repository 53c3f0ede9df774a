//! Puts a problem together: constants, rules, questions, keys, once for each variant.

mod constants;
mod names;
mod questions;
mod rules;

use std::collections::HashMap;
use std::sync::Arc;

use bumpalo::Bump;

use super::wire::{self, ConstantWire, QuestionWire, RulesWire, StartWire, VariantWire, Wire};
use super::{AuthorKey, Changes, Loaded, Problem};
use crate::lang::tree::{
    Bool, BoolKind, Coordinates, Move, MoveBody, Parameter, Rules, Slots, StateVariable, Winner, WinnerWord,
};
use crate::lang::{
    Ast, Blind, Constant, ConstantTree, Constants, Evaluator, GivenAst, Halt, Kind, Mistake, MoveAst, Name, Named,
    Noted, Parsed, Parser, Piece, Resolver, Scope, Source, Span, StateAst, Stop, Text, Tokens, Values, nearest,
    parameter, reserved, takes,
};
use crate::picture::Picture;
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
        let open = change(&mut wire, changes, source, &mut mistakes);
        let arena = Bump::new();
        let problems = Loader::new(source, &wire, &arena, &mut mistakes).load()?;
        let template = wire.game.as_ref().and_then(RulesWire::written_out);
        let Wire { title, source: origin, tags, .. } = wire;
        Some(Loaded { source: Arc::clone(source), title, origin, tags, template, open, problems })
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

/// Carries out what the command line asks for. Returns the questions of which a new start leaves parameters open, with
/// their names.
fn change(
    wire: &mut Wire,
    changes: &Changes,
    source: &Arc<Source>,
    mistakes: &mut Vec<Mistake>,
) -> Vec<(String, String)> {
    let mut open: Vec<(String, String)> = Vec::new();
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
        let only = listed(&text, 0..value.len());
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
        let own = wire.questions.iter().filter_map(|(_, question)| question.start.as_ref());
        let listed = own.chain(&wire.start).any(|start| matches!(start, Ok(StartWire::Sum(_))));
        let game = wire.game.as_ref();
        let splits = game
            .is_some_and(|game| game.heaps.is_some() || game.moves.iter().any(|(_, text)| text.value.contains('|')));
        if listed || splits {
            wire.questions.iter_mut().for_each(|(_, question)| question.start = None);
            wire.start = Some(Ok(start_of(start)));
            return open;
        }
        let text = Text::alone("--start", start);
        let arena = &Bump::new();
        let state = game.and_then(|game| Parser::new(&game.state, arena).state().ok()).unwrap_or_default();
        let problems_own = wire.start.clone();
        let constants: Vec<&str> = wire.constants.iter().map(|(name, _)| name.name.as_str()).collect();
        let given = wire.given.clone();
        let (start, left) = replaced(&mut wire.given, state, problems_own.as_ref(), &text, &constants);
        wire.start = Some(Ok(StartWire::one(start)));
        for (label, question) in &mut wire.questions {
            let before = question.start.take();
            if before.is_some() && question.given.is_none() {
                // this start may give the problem's parameters another place
                question.given = Some(given.clone());
            }
            let left = match &mut question.given {
                None => left.clone(),
                Some(given) => {
                    let before = before.as_ref().or(problems_own.as_ref());
                    let (start, left) = replaced(given, state, before, &text, &constants);
                    question.start = Some(Ok(StartWire::one(start)));
                    left
                }
            };
            open.extend(left.into_iter().map(|name| (label.name.clone(), name)));
        }
        open.retain(|(_, name)| changes.set.iter().all(|(set, _)| set != name));
    }
    open
}

/// A start for questions with these parameters, where another one stood before. A parameter that the start before gave
/// by its name alone takes the value that stands in its place; the names of the others that it read come with the start.
fn replaced(
    given: &mut [(Named, Text)],
    state: &[StateAst<'_>],
    before: Option<&Parsed<StartWire>>,
    start: &Text,
    constants: &[&str],
) -> (Text, Vec<String>) {
    let arena = &Bump::new();
    let (Some(Ok(StartWire::One { text, .. })), Ok(items)) = (before, Parser::new(start, arena).position()) else {
        return (shared(given, state, start), Vec::new());
    };
    let before = Parser::new(text, arena).position().unwrap_or_default();
    let parameters = |items: &[Ast<'_>]| {
        let mut read: Vec<String> = Vec::new();
        items.iter().for_each(|item| item.words(&mut |word, _| read.push(word.to_owned())));
        read.retain(|word| given.iter().any(|(name, _)| name.name == *word));
        read
    };
    let mut open = parameters(before);
    let mut told = parameters(items);
    let mut known = true;
    let mut constant = |word: &str, _: Span| known = known && constants.contains(&word);
    items.iter().for_each(|item| item.words(&mut constant));
    if known {
        for (name, new) in before.iter().zip(items).flat_map(|(old, new)| named(old, new)) {
            if let Some((_, range)) = given.iter_mut().find(|(known, _)| known.name == name) {
                *range = listed(start, new.span.range());
                told.push(name);
            }
        }
    }
    // one that bears the name of a state variable is told by its place
    open.retain(|word| !told.contains(word) && state.iter().all(|variable| variable.name.name != *word));
    (shared(given, state, start), open)
}

/// The words that stand alone in the old coordinate, each with what stands there in the new one.
fn named<'n>(old: &Ast<'_>, new: &'n Ast<'n>) -> Vec<(String, &'n Ast<'n>)> {
    match (&old.kind, &new.kind) {
        (Kind::Word(word), _) => vec![((*word).to_owned(), new)],
        (Kind::List(old), Kind::List(new)) if old.len() == new.len() => {
            old.iter().zip(*new).flat_map(|(old, new)| named(old, new)).collect()
        }
        _ => Vec::new(),
    }
}

/// A start for questions with these parameters. One that bears the name of a state variable must give it alone: it
/// takes the value that the start has there, and the start reads it.
fn shared(given: &mut [(Named, Text)], state: &[StateAst<'_>], start: &Text) -> Text {
    let arena = &Bump::new();
    let Ok(items) = Parser::new(start, arena).position() else { return start.clone() };
    if items.len() != state.len() {
        return start.clone();
    }
    let mut pieces: Vec<Piece<'_>> = items.iter().map(|item| Piece::Of(item.span.range())).collect();
    let mut changed = false;
    for ((item, variable), piece) in items.iter().zip(state).zip(&mut pieces) {
        let name = &variable.name.name;
        let written = start.value.get(item.span.range()).unwrap_or_default();
        if let Some((_, range)) = given.iter_mut().find(|(known, _)| known.name == *name)
            && written != *name
        {
            *range = listed(start, item.span.range());
            *piece = Piece::New(name);
            changed = true;
        }
    }
    if !changed {
        return start.clone();
    }
    let parts: Vec<Piece<'_>> = pieces.into_iter().flat_map(|piece| [piece, Piece::New(", ")]).collect();
    start.patched(parts.split_last().map_or(&[], |(_, parts)| parts))
}

/// A range of one value, which is a piece of a text.
fn listed(text: &Text, range: std::ops::Range<usize>) -> Text {
    text.patched(&[Piece::New("["), Piece::Of(range), Piece::New("]")])
}

/// A start from the command line in a file with sums: as a position of a sum is shown.
fn start_of(shown: &str) -> StartWire {
    let whole = Text::alone("--start", shown);
    // each piece is a part of the text
    let text = |piece: &str| {
        let at = piece.as_ptr().addr().saturating_sub(shown.as_ptr().addr());
        whole.patched(&[Piece::Of(at..at + piece.len())])
    };
    let listed = shown.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).map(question::pieces);
    match listed {
        // every component has brackets of its own
        Some(pieces) if pieces.iter().all(|piece| piece.trim().starts_with('(')) => {
            StartWire::Sum(pieces.into_iter().map(text).collect())
        }
        _ => StartWire::One { text: whole, heaps: true },
    }
}

/// A name that has a meaning already, what it is, and where.
type Taken<'a> = (&'a str, &'static str, Span);

struct Loader<'a> {
    source: &'a Arc<Source>,
    wire: &'a Wire,
    /// The state variables, as far as they could be read.
    state: Vec<Name<'a>>,
    /// Whether some rule has a mistake.
    rules_failed: bool,
    /// The room for the syntax of the rules.
    arena: &'a Bump,
    /// The room for the tokens of the next text.
    tokens: Tokens<'static>,
    mistakes: &'a mut Vec<Mistake>,
}

/// The texts of a file, parsed once for all variants.
struct Texts<'a> {
    constants: HashMap<Span, Parsed<Ast<'a>>>,
    state: Parsed<&'a [StateAst<'a>]>,
    moves: Vec<(&'a Named, &'a Text, Parsed<MoveAst<'a>>)>,
    end: Condition<'a>,
    goal: Condition<'a>,
    legal: Condition<'a>,
    winner: Condition<'a>,
}

/// A rule that may be left out.
type Condition<'a> = Option<(&'a Text, Parsed<Ast<'a>>)>;

impl<'a> Loader<'a> {
    fn new(source: &'a Arc<Source>, wire: &'a Wire, arena: &'a Bump, mistakes: &'a mut Vec<Mistake>) -> Self {
        Self { source, wire, arena, state: Vec::new(), rules_failed: false, tokens: Tokens::new(), mistakes }
    }

    fn load(mut self) -> Option<Vec<(Problem, Vec<Option<AuthorKey>>)>> {
        let wire = self.wire;
        if wire.questions.is_empty() && self.mistakes.is_empty() {
            self.mistakes.push(
                Mistake::new(self.source, Span::new(0, 1), "a problem without questions")
                    .help("write at least one: `questions: {\"19\": (ask: \"min s where W2\", key: 7)}`"),
            );
        }
        let game = wire.game.as_ref();
        let texts = game.map(|game| self.parse(game));
        let variables = texts.iter().filter_map(|texts| texts.state.ok()).flatten();
        self.state = variables.map(|variable| variable.name).collect();
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
        self.mistakes.is_empty().then_some(problems)
    }

    // ---- texts

    fn parse(&mut self, game: &'a RulesWire) -> Texts<'a> {
        let wire = self.wire;
        let constants = wire.constants.iter().chain(wire.variants.iter().flat_map(|(_, variant)| &variant.constants));
        let texts = constants
            .filter_map(|(_, constant)| if let ConstantWire::Text(text) = constant { Some(text) } else { None });
        Texts {
            constants: texts
                .map(|text| (text.whole(), self.read(text, self.arena, Parser::whole_expression)))
                .collect(),
            state: self.read(&game.state, self.arena, Parser::state),
            moves: game
                .moves
                .iter()
                .map(|(name, text)| (name, text, self.read(text, self.arena, Parser::whole_move)))
                .collect(),
            end: self.read_condition(game.end.as_ref()),
            goal: self.read_condition(game.goal.as_ref()),
            legal: self.read_condition(game.legal.as_ref()),
            winner: self.read_condition(game.winner.as_ref()),
        }
    }

    fn read_condition(&mut self, text: Option<&'a Text>) -> Condition<'a> {
        text.map(|text| (text, self.read(text, self.arena, Parser::whole_expression)))
    }

    fn read<'t, T>(
        &mut self,
        text: &'t Text,
        arena: &'t Bump,
        with: impl FnOnce(&mut Parser<'t>) -> Parsed<T>,
    ) -> Parsed<T> {
        let mut parser = Parser::reusing(text, arena, std::mem::take(&mut self.tokens));
        let parsed = with(&mut parser);
        let noted = !parser.mistakes.is_empty();
        self.mistakes.append(&mut parser.mistakes);
        self.tokens = parser.tokens();
        if noted { Err(Noted) } else { parsed }
    }

    fn resolve<'s, T>(
        &mut self,
        scope: &'s Scope<'s>,
        source: &'s Arc<Source>,
        slots: &mut Slots,
        with: impl FnOnce(&mut Resolver<'s>) -> Parsed<T>,
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
        texts: &Texts<'a>,
        variant: Option<(&Named, &VariantWire)>,
    ) -> Option<(Problem, Vec<Option<AuthorKey>>)> {
        let wire = self.wire;
        self.check_names(texts);
        let constants = self.constants(texts, variant.map(|(_, variant)| variant));
        let state = self.state(texts, &constants)?;
        let rules = self.rules(texts, &constants, state);
        let mut shared = self.shared(texts);
        self.lay(&constants, &rules, &mut shared);
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
            if let Some((question, key)) = self.question(label, question, own_key, &constants, &rules, &mut shared) {
                questions.push(question);
                keys.push(key);
            }
        }
        let title = variant.and_then(|(_, variant)| variant.title.clone()).unwrap_or_else(|| wire.title.clone());
        let variant = variant.map(|(label, _)| label.name.clone());
        let game = wire.game.as_ref();
        let over = game.and_then(|game| game.end.as_ref().or(game.goal.as_ref())).map(|text| text.value.clone());
        let number = |(name, constant): &(String, Constant)| {
            if let Constant::Int(value) = constant { Some((name.clone(), *value)) } else { None }
        };
        let numbers = constants.iter().filter_map(number).collect();
        let picture = game.and_then(|game| game.picture.clone()).unwrap_or_else(|| Picture::of_rules(&rules));
        Some((Problem { variant, title, rules, over, numbers, picture, questions }, keys))
    }

    // ---- rules

    // ---- questions
}

/// Constants and parameters, and nothing else.
fn bare<'s>(constants: &'s Constants, parameters: &'s [&'s str], taken: &'s [Taken<'s>]) -> Scope<'s> {
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
        puzzle: None,
        sum: false,
        takes: None,
        given: None,
    }
}
