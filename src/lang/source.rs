//! Where a text stands: the file, the bytes in it, and the mistakes found there.

use std::ops::Range;
use std::sync::Arc;

/// A range of bytes in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// From `start` to before `end`; sources are limited to 4 GiB, beyond which spans stick to the end.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let clip = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { start: clip(start), end: clip(end) }
    }

    /// From the start of this span to the end of `other`.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start, end: other.end.max(self.end) }
    }

    /// The bytes as a range.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        let index = |at: u32| usize::try_from(at).unwrap_or(usize::MAX);
        index(self.start)..index(self.end)
    }
}

/// A file, or a text given on the command line.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// The path as shown, or the option that gave the text.
    pub name: String,
    /// Everything in it.
    pub text: String,
}

impl Source {
    /// Line and column of a byte, both from 1; the column counts characters.
    #[must_use]
    pub fn line_column(&self, at: u32) -> (usize, usize) {
        let mut at = Span { start: at, end: at }.range().start.min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &self.text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

/// A short string in the rule language, with the place of each of its bytes in the source.
#[derive(Clone, Debug)]
pub struct Text {
    /// The string itself, escapes resolved.
    pub value: String,
    /// The source that holds it.
    pub source: Arc<Source>,
    places: Places,
}

/// A part of a text that is put together anew.
#[derive(Clone, Debug)]
pub enum Piece<'p> {
    /// These bytes of the old one.
    Of(Range<usize>),
    /// Something new.
    New(&'p str),
}

#[derive(Clone, Debug)]
enum Places {
    /// The string stands in the source as it is, from this byte on.
    From(usize),
    /// Escapes make it differ: the place of each byte, and of the end.
    Each(Vec<usize>),
}

impl Text {
    /// A string that stands in the source as it is, from byte `at` on.
    #[must_use]
    pub fn plain(value: String, source: Arc<Source>, at: usize) -> Self {
        Self { value, source, places: Places::From(at) }
    }

    /// A string with escapes; `places` holds the place of each byte and of the end.
    #[must_use]
    pub fn escaped(value: String, source: Arc<Source>, places: Vec<usize>) -> Self {
        Self { value, source, places: Places::Each(places) }
    }

    /// A text that is a source of its own, such as an option of the command line.
    #[must_use]
    pub fn alone(name: &str, value: &str) -> Self {
        let source = Source { name: name.to_owned(), text: value.to_owned() };
        Self::plain(value.to_owned(), Arc::new(source), 0)
    }

    /// A string made of pieces of this one, and of text between them that stands nowhere: a mistake is placed in the
    /// source of this one.
    #[must_use]
    pub fn patched(&self, pieces: &[Piece<'_>]) -> Self {
        let (mut value, mut places) = (String::new(), Vec::new());
        let mut at = 0;
        for piece in pieces {
            let text = match piece {
                Piece::Of(range) => self.value.get(range.clone()).unwrap_or_default(),
                Piece::New(text) => text,
            };
            if let Piece::Of(range) = piece {
                at = range.start;
            }
            for byte in 0..text.len() {
                let own = if matches!(piece, Piece::Of(_)) { at + byte } else { at };
                places.push(self.span(own..own).range().start);
            }
            value.push_str(text);
            at += if matches!(piece, Piece::Of(_)) { text.len() } else { 0 };
        }
        places.push(self.span(at..at).range().start);
        Self::escaped(value, Arc::clone(&self.source), places)
    }

    /// The place in the source of the bytes `range` of the string.
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Span {
        match &self.places {
            Places::From(base) => Span::new(base + range.start, base + range.end),
            Places::Each(places) => {
                let place = |at: usize| places.get(at).or(places.last()).copied().unwrap_or(0);
                Span::new(place(range.start), place(range.end))
            }
        }
    }

    /// The place of the whole string.
    #[must_use]
    pub fn whole(&self) -> Span {
        self.span(0..self.value.len())
    }
}

/// Something wrong in a file: where, what was found, what would have been allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The source it stands in.
    pub source: Arc<Source>,
    /// The bytes in question; none where the source as a whole is meant (an unreadable file).
    pub span: Option<Span>,
    /// What was found, a lowercase fragment.
    pub message: String,
    /// What would have been allowed, and suggestions, each a sentence of its own.
    pub help: Vec<String>,
}

impl Mistake {
    /// A mistake at a place.
    #[must_use]
    pub fn new(source: &Arc<Source>, span: Span, message: impl Into<String>) -> Self {
        Self { source: Arc::clone(source), span: Some(span), message: message.into(), help: Vec::new() }
    }

    /// A mistake of a source as a whole.
    #[must_use]
    pub fn of_source(source: &Arc<Source>, message: impl Into<String>) -> Self {
        Self { source: Arc::clone(source), span: None, message: message.into(), help: Vec::new() }
    }

    /// Adds what would have been allowed, or a suggestion.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Line and column, both from 1, where there is a place.
    #[must_use]
    pub fn line_column(&self) -> Option<(usize, usize)> {
        self.span.map(|span| self.source.line_column(span.start))
    }

    /// All that is to be said, in one line.
    #[must_use]
    pub fn one_line(&self) -> String {
        let mut line = self.message.clone();
        for help in &self.help {
            line.push_str("; ");
            line.push_str(help);
        }
        line
    }
}

/// The word in Latin letters, where letters of other alphabets look the same.
///
/// ```
/// use gameproof::lang::latin;
/// assert_eq!(latin("\u{445}"), "x");
/// ```
#[must_use]
pub fn latin(word: &str) -> String {
    const PAIRS: [(char, char); 32] = [
        ('а', 'a'),
        ('е', 'e'),
        ('о', 'o'),
        ('р', 'p'),
        ('с', 'c'),
        ('у', 'y'),
        ('х', 'x'),
        ('к', 'k'),
        ('м', 'm'),
        ('н', 'h'),
        ('т', 't'),
        ('в', 'b'),
        ('і', 'i'),
        ('ѕ', 's'),
        ('ј', 'j'),
        ('А', 'A'),
        ('В', 'B'),
        ('Е', 'E'),
        ('К', 'K'),
        ('М', 'M'),
        ('Н', 'H'),
        ('О', 'O'),
        ('Р', 'P'),
        ('С', 'C'),
        ('Т', 'T'),
        ('Х', 'X'),
        ('У', 'Y'),
        ('ο', 'o'),
        ('α', 'a'),
        ('ν', 'v'),
        ('Ѕ', 'S'),
        ('Ј', 'J'),
    ];
    word.chars().map(|c| PAIRS.iter().find(|(other, _)| *other == c).map_or(c, |(_, latin)| *latin)).collect()
}

/// The name among `known` that is nearest to `word`, if one is near enough to be meant.
///
/// ```
/// use gameproof::lang::nearest;
/// assert_eq!(nearest("remotness", ["remoteness", "grundy"]), Some("remoteness"));
/// assert_eq!(nearest("k", ["x", "y"]), None);
/// ```
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = word.to_lowercase();
    let allowed = match word.chars().count() {
        0 => return None,
        1 => 0,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&folded, &name.to_lowercase()), name))
        .filter(|(distance, _)| *distance <= allowed)
        // of two that are as near, the one that the word begins
        .min_by_key(|(distance, name)| (*distance, !name.to_lowercase().starts_with(&folded), *name))
        .map(|(_, name)| name)
}
