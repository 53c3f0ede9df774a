//! The fields of a problem file, every text with its place; nothing in them is understood yet.

mod direct;
mod templates;

use std::sync::Arc;

use super::raw::{Field, Raw};
use crate::lang::tree::Heaps;
use crate::lang::{Mistake, Named, Noted, Parsed, Source, Span, Text, nearest};
use crate::picture::Picture;
use crate::question::Written;

/// A problem file as written.
#[derive(Debug, Default)]
pub(super) struct Wire {
    pub(super) title: String,
    pub(super) source: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) note: Option<String>,
    pub(super) constants: Vec<(Named, ConstantWire)>,
    pub(super) game: Option<RulesWire>,
    /// An error where it could not be read, which has been told.
    pub(super) start: Option<Parsed<StartWire>>,
    pub(super) given: Vec<(Named, Text)>,
    pub(super) questions: Vec<(Named, QuestionWire)>,
    pub(super) variants: Vec<(Named, VariantWire)>,
}

/// A start as written.
#[derive(Clone, Debug)]
pub(super) enum StartWire {
    /// One text; where `heaps` is set, several numbers for a state of one are a sum of as many heaps.
    One { text: Text, heaps: bool },
    /// A list: a sum of games, one text for each component.
    Sum(Vec<Text>),
}

impl StartWire {
    pub(super) const fn one(text: Text) -> Self {
        Self::One { text, heaps: false }
    }
}

#[derive(Clone, Debug)]
pub(super) enum ConstantWire {
    Int(i64),
    List(Vec<i64>),
    Table(Vec<Vec<i64>>),
    Text(Text),
    /// It could not be read, and that has been told.
    Unknown,
}

#[derive(Debug)]
pub(super) struct RulesWire {
    /// The name of the form where it is a template, whose texts no author wrote; else empty.
    pub(super) form: &'static str,
    /// Whether it is a puzzle.
    pub(super) puzzle: bool,
    pub(super) state: Text,
    /// Each move with its name, which for a list is its text.
    pub(super) moves: Vec<(Named, Text)>,
    pub(super) end: Option<Text>,
    pub(super) goal: Option<Text>,
    pub(super) legal: Option<Text>,
    pub(super) winner: Option<Text>,
    /// The start that the form brings with it, if the file gives none.
    pub(super) start: Option<Text>,
    /// The theory of the heaps, where the form is one of heaps.
    pub(super) heaps: Option<Heaps>,
    /// The picture that the form brings with it, if it does.
    pub(super) picture: Option<Picture>,
}

impl RulesWire {
    /// The game as an author would write it out, where the form only stands for that.
    pub(super) fn written_out(&self) -> Option<String> {
        if !self.form.is_empty() {
            let form = if self.puzzle { "Puzzle" } else { "Rules" };
            let mut text = format!("{form}(\n    state: \"{}\",\n    moves: [\n", self.state.value);
            self.moves.iter().for_each(|(_, made)| text.push_str(&format!("        \"{}\",\n", made.value)));
            text.push_str("    ],\n");
            for (name, value) in
                [("end", &self.end), ("goal", &self.goal), ("legal", &self.legal), ("winner", &self.winner)]
            {
                if let Some(value) = value {
                    text.push_str(&format!("    {name}: \"{}\",\n", value.value));
                }
            }
            text.push(')');
            return Some(text);
        }
        None
    }
}

#[derive(Debug)]
pub(super) struct QuestionWire {
    pub(super) ask: Text,
    pub(super) key: Option<Written>,
    pub(super) start: Option<Parsed<StartWire>>,
    pub(super) given: Option<Vec<(Named, Text)>>,
}

#[derive(Debug)]
pub(super) struct VariantWire {
    pub(super) constants: Vec<(Named, ConstantWire)>,
    pub(super) keys: Option<Vec<(Named, Written)>>,
    pub(super) title: Option<String>,
}

/// The known game forms.
const FORMS: [&str; 6] = ["Rules", "Puzzle", "Nim", "Octal", "Hanoi", "PegSolitaire"];

/// The most entries that a list or map of a problem may have.
pub(super) const ENTRY_LIMIT: usize = 10_000;

/// Reads the fields of a file; mistakes are noted, and what could be read is returned.
pub(super) fn read(source: &Arc<Source>, mistakes: &mut Vec<Mistake>) -> Option<Wire> {
    direct::read(source).or_else(|| read_by_value(source, mistakes))
}

/// Reads them value by value, each with its place.
fn read_by_value(source: &Arc<Source>, mistakes: &mut Vec<Mistake>) -> Option<Wire> {
    let root = match Raw::open(source) {
        Ok(root) => root,
        Err(mistake) => {
            mistakes.push(mistake);
            return None;
        }
    };
    let mut reader = Reader { source, mistakes };
    let known = ["title", "source", "tags", "note", "constants", "game", "start", "given", "questions", "variants"];
    let fields = reader.fields(root, "a problem", &known, &["title", "game", "questions"])?;
    let mut wire = Wire::default();
    for Field { name, value } in fields {
        match name.name.as_str() {
            "title" => {
                if let Some(title) = reader.string(value) {
                    if title.value.contains('\n') {
                        reader.note(value.span(), "a title of several lines", "a title has one line");
                    }
                    wire.title = title.value;
                }
            }
            "source" => wire.source = reader.string(value).map(|text| text.value),
            "note" => wire.note = reader.string(value).map(|text| text.value),
            "tags" => wire.tags = reader.tags(value),
            "constants" => wire.constants = reader.constants(value),
            "game" => wire.game = reader.game(value),
            "start" => wire.start = Some(reader.start(value)),
            "given" => wire.given = reader.given(value),
            "questions" => {
                wire.questions = reader
                    .map(value, "question")
                    .into_iter()
                    .filter_map(|(name, value)| Some((name, reader.question(value)?)))
                    .collect();
            }
            "variants" => {
                wire.variants = reader
                    .map(value, "variant")
                    .into_iter()
                    .filter_map(|(name, value)| Some((name, reader.variant(value)?)))
                    .collect();
            }
            _ => {}
        }
    }
    if wire.start.is_none() {
        wire.start = wire.game.as_ref().and_then(|game| game.start.clone()).map(|text| Ok(StartWire::one(text)));
    }
    wire.name_heaps();
    Some(wire)
}

impl Wire {
    /// In a game of heaps the names of the text are not the file's, and a start may be written as one list of heaps.
    fn name_heaps(&mut self) {
        let Some(RulesWire { heaps: Some(heaps), winner, .. }) = &self.game else { return };
        let constants = self.constants.iter().map(|(name, _)| name);
        let own = self.questions.iter().filter_map(|(_, question)| question.given.as_ref()).flatten();
        let parameters = self.given.iter().chain(own).map(|(name, _)| name);
        let taken: Vec<&str> = constants.chain(parameters).map(|name| name.name.as_str()).collect();
        let mut mark = String::new();
        while templates::HEAP_WORDS.iter().any(|word| taken.contains(&format!("{word}{mark}").as_str())) {
            mark.push('_');
        }
        self.game = Some(templates::heaps(heaps.clone(), winner.is_some(), &mark));
        let starts = self.questions.iter_mut().map(|(_, question)| &mut question.start);
        for start in starts.chain([&mut self.start]) {
            if let Some(Ok(StartWire::One { heaps, .. })) = start {
                *heaps = true;
            }
        }
    }
}

struct Reader<'m> {
    source: &'m Arc<Source>,
    mistakes: &'m mut Vec<Mistake>,
}

impl<'m> Reader<'m> {
    fn note(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.mistakes.push(Mistake::new(self.source, span, message).help(help));
    }

    fn take<T>(&mut self, result: Result<T, Mistake>) -> Option<T> {
        result.map_err(|mistake| self.mistakes.push(mistake)).ok()
    }

    fn string(&mut self, raw: Raw<'_>) -> Option<Text> {
        self.take(raw.string())
    }

    fn items<'a>(&mut self, raw: Raw<'a>) -> Vec<Raw<'a>> {
        let items = self.take(raw.items()).unwrap_or_default();
        self.within_limit(items.len(), raw.span());
        items
    }

    fn within_limit(&mut self, entries: usize, span: Span) {
        if entries > ENTRY_LIMIT {
            self.note(span, format!("{entries} entries"), format!("at most {ENTRY_LIMIT} are allowed"));
        }
    }

    /// Fields of which some are known and some needed.
    fn fields<'a>(&mut self, raw: Raw<'a>, what: &str, known: &[&str], needed: &[&str]) -> Option<Vec<Field<'a>>> {
        let fields = self.take(raw.fields())?;
        let listed: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        let mut seen: Vec<&str> = Vec::new();
        for field in &fields {
            let name = field.name.name.as_str();
            if !known.contains(&name) {
                let mut mistake = Mistake::new(self.source, field.name.span, format!("unknown field `{name}`"));
                if let Some(near) = nearest(name, known.iter().copied()) {
                    mistake = mistake.help(format!("did you mean `{near}`?"));
                }
                self.mistakes.push(mistake.help(format!("the fields of {what} are {}", listed.join(", "))));
            } else if seen.contains(&name) {
                self.note(field.name.span, format!("the field `{name}` stands twice"), "leave one of them out");
            }
            seen.push(name);
        }
        let misspelt = |name: &str| {
            seen.iter().any(|seen| !known.contains(seen) && nearest(seen, known.iter().copied()) == Some(name))
        };
        let missing: Vec<&&str> = needed.iter().filter(|name| !seen.contains(name) && !misspelt(name)).collect();
        for name in missing {
            let at = raw.span();
            let place = Span { start: at.start, end: at.start + 1 };
            self.note(place, format!("the field `{name}` is missing"), format!("{what} needs {}", join(needed)));
        }
        Some(fields.iter().filter(|field| known.contains(&field.name.name.as_str())).cloned().collect())
    }

    /// A map from labels, none of which may stand twice.
    fn map<'a>(&mut self, raw: Raw<'a>, what: &str) -> Vec<(Named, Raw<'a>)> {
        let entries = self.take(raw.entries()).unwrap_or_default();
        self.within_limit(entries.len(), raw.span());
        let mut named: Vec<(Named, Raw<'a>)> = Vec::new();
        for (key, value) in entries {
            let Some(text) = self.string(key) else { continue };
            let name = Named { span: text.whole(), name: text.value };
            if let Some((first, _)) = named.iter().find(|(known, _)| known.name == name.name) {
                let line = self.source.line_column(first.span.start).0;
                self.note(
                    name.span,
                    format!("the {what} \"{}\" stands twice", name.name),
                    format!("the first one is in line {line}; give each its own name"),
                );
            }
            named.push((name, value));
        }
        named
    }

    fn tags(&mut self, raw: Raw<'_>) -> Vec<String> {
        self.items(raw).into_iter().filter_map(|tag| self.string(tag)).map(|tag| tag.value).collect()
    }

    fn constants(&mut self, raw: Raw<'_>) -> Vec<(Named, ConstantWire)> {
        self.map(raw, "constant")
            .into_iter()
            .map(|(name, value)| {
                let constant = self.constant(&name, value).unwrap_or(ConstantWire::Unknown);
                (name, constant)
            })
            .collect()
    }

    fn constant(&mut self, name: &Named, raw: Raw<'_>) -> Option<ConstantWire> {
        if raw.is_string() {
            return self.string(raw).map(ConstantWire::Text);
        }
        if !raw.is_list() {
            if raw.kind() == "a number" {
                return self.take(raw.int()).map(ConstantWire::Int);
            }
            self.note(
                raw.span(),
                format!("expected the value of the constant `{}`, found {}", name.name, raw.kind()),
                "a constant is a whole number, a list of numbers, a table (a list of lists), or a string with an expression",
            );
            return None;
        }
        let items = self.take(raw.items())?;
        if !items.first().is_some_and(Raw::is_list) {
            let values: Option<Vec<i64>> = items.into_iter().map(|item| self.take(item.int())).collect();
            return values.map(ConstantWire::List);
        }
        let rows: Option<Vec<Vec<i64>>> = items
            .iter()
            .map(|row| self.take(row.items())?.into_iter().map(|cell| self.take(cell.int())).collect())
            .collect();
        let rows = rows?;
        if let Some((row, raw)) = rows.iter().zip(&items).find(|(row, _)| row.len() != rows[0].len()) {
            self.note(
                raw.span(),
                format!("a row of {} entries in the table `{}` with rows of {}", row.len(), name.name, rows[0].len()),
                "all rows of a table have one length",
            );
            return None;
        }
        Some(ConstantWire::Table(rows))
    }

    fn given(&mut self, raw: Raw<'_>) -> Vec<(Named, Text)> {
        let mut given = Vec::new();
        for (name, value) in self.map(raw, "parameter") {
            if value.is_string() {
                given.extend(self.string(value).map(|text| (name, text)));
            } else {
                self.note(
                    value.span(),
                    format!("expected the range of `{}` as a string, found {}", name.name, value.kind()),
                    "a range is written \"1..=58\", a list \"[1, 3, 7]\"",
                );
            }
        }
        given
    }

    fn start(&mut self, raw: Raw<'_>) -> Parsed<StartWire> {
        if !raw.is_list() {
            return self.string(raw).map(StartWire::one).ok_or(Noted);
        }
        let items = self.items(raw);
        if items.is_empty() {
            self.note(raw.span(), "a sum without components", "list at least one: `start: [\"3\", \"6\", \"9\"]`");
            return Err(Noted);
        }
        let texts: Vec<Option<Text>> = items.into_iter().map(|item| self.string(item)).collect();
        let texts = texts.into_iter().collect::<Option<Vec<Text>>>().ok_or(Noted)?;
        Ok(StartWire::Sum(texts))
    }

    fn game(&mut self, raw: Raw<'_>) -> Option<RulesWire> {
        let (form, body) = self.take(raw.form())?;
        if !FORMS.contains(&form.name.as_str()) {
            let mut mistake = Mistake::new(self.source, form.span, format!("unknown game form `{}`", form.name));
            if let Some(near) = nearest(&form.name, FORMS) {
                mistake = mistake.help(format!("did you mean `{near}`?"));
            }
            self.mistakes.push(mistake.help(
                "the game forms are `Rules(state: …, moves: …, end: …)`, `Puzzle(state: …, moves: …, goal: …)`, `Nim()`, `Octal(\"0.77\")`, `Hanoi(disks: …)` and `PegSolitaire(board: …)`",
            ));
            return None;
        }
        let Some(body) = body else {
            let help = match form.name.as_str() {
                "Nim" => "write `Nim()`, or `Nim(misere: true)` where the last match loses",
                "Octal" => "write `Octal(\"0.77\")`",
                "Hanoi" => "write `Hanoi(disks: 5, pegs: 3)`",
                "PegSolitaire" => "write `PegSolitaire(board: [\"ooo\", \"o.o\"])`",
                "Puzzle" => "write `Puzzle(state: \"x\", moves: [\"x + 1\"], goal: \"x == 10\")`",
                _ => "write `Rules(state: \"x\", moves: [\"x + 1\"], end: \"x >= 10\")`",
            };
            self.note(form.span, format!("`{}` without its fields", form.name), help);
            return None;
        };
        match form.name.as_str() {
            "Hanoi" => templates::hanoi(self, body),
            "PegSolitaire" => templates::peg_solitaire(self, body),
            "Nim" => templates::nim(self, body),
            "Octal" => templates::octal(self, body),
            name => self.written_out(body, name == "Puzzle"),
        }
    }

    fn written_out(&mut self, body: Raw<'_>, puzzle: bool) -> Option<RulesWire> {
        let fields = if puzzle {
            self.fields(body, "`Puzzle`", &["state", "moves", "goal", "legal"], &["state", "moves"])?
        } else {
            self.fields(body, "`Rules`", &["state", "moves", "end", "legal", "winner"], &["state", "moves"])?
        };
        let (mut state, mut moves, mut end, mut goal, mut legal, mut winner) = (None, None, None, None, None, None);
        for Field { name, value } in fields {
            match name.name.as_str() {
                "state" => state = self.string(value),
                "moves" => moves = self.moves(value),
                "end" => end = self.string(value),
                "goal" => goal = self.string(value),
                "legal" => legal = self.string(value),
                "winner" => winner = self.string(value),
                _ => {}
            }
        }
        Some(RulesWire {
            form: "",
            puzzle,
            state: state?,
            moves: moves?,
            end,
            goal,
            legal,
            winner,
            start: None,
            heaps: None,
            picture: None,
        })
    }

    fn moves(&mut self, raw: Raw<'_>) -> Option<Vec<(Named, Text)>> {
        if raw.is_map() {
            let moves = self.map(raw, "move");
            return Some(moves.into_iter().filter_map(|(name, value)| Some((name, self.string(value)?))).collect());
        }
        if !raw.is_list() {
            self.note(
                raw.span(),
                format!("expected the moves, found {}", raw.kind()),
                "moves are a list of strings, or a map of names to strings: [\"x + 1\", \"x * 2\"]",
            );
            return None;
        }
        let mut moves: Vec<(Named, Text)> = Vec::new();
        for item in self.items(raw) {
            let Some(text) = self.string(item) else { continue };
            let name = Named { name: text.value.trim().to_owned(), span: text.whole() };
            if let Some((first, _)) = moves.iter().find(|(known, _)| known.name == name.name) {
                let line = self.source.line_column(first.span.start).0;
                self.note(
                    name.span,
                    format!("the move \"{}\" stands twice", name.name),
                    format!("the first one is in line {line}; leave one out, or name the moves: {{\"left\": \"…\", \"right\": \"…\"}}"),
                );
            }
            moves.push((name, text));
        }
        Some(moves)
    }

    fn question(&mut self, raw: Raw<'_>) -> Option<QuestionWire> {
        let fields = self.fields(raw, "a question", &["ask", "key", "start", "given", "note"], &["ask"])?;
        let (mut ask, mut key, mut start, mut given) = (None, None, None, None);
        for Field { name, value } in fields {
            match name.name.as_str() {
                "ask" => ask = self.string(value),
                "key" => key = self.take(value.written()),
                "start" => start = Some(self.start(value)),
                "given" => given = Some(self.given(value)),
                "note" => {
                    self.string(value);
                }
                _ => {}
            }
        }
        Some(QuestionWire { ask: ask?, key, start, given })
    }

    fn variant(&mut self, raw: Raw<'_>) -> Option<VariantWire> {
        let fields =
            self.fields(raw, "a variant", &["constants", "keys", "title", "source", "note"], &["constants"])?;
        let mut variant = VariantWire { constants: Vec::new(), keys: None, title: None };
        for Field { name, value } in fields {
            match name.name.as_str() {
                "constants" => variant.constants = self.constants(value),
                "keys" => {
                    let keys = self.map(value, "key");
                    variant.keys = Some(
                        keys.into_iter()
                            .filter_map(|(name, value)| Some((name, self.take(value.written())?)))
                            .collect(),
                    );
                }
                "title" => variant.title = self.string(value).map(|text| text.value),
                "source" | "note" => {
                    self.string(value);
                }
                _ => {}
            }
        }
        Some(variant)
    }
}

fn join(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}
