//! RON with places: every value is kept as the slice of the file that holds it, so that a mistake can name its byte.
//!
//! The reader `ron` checks the notation and splits it; here its pieces are tied to their offsets. This is the only
//! place that names `ron`.

mod broken;

use std::fmt;
use std::sync::Arc;

use ron::extensions::Extensions;
use ron::value::RawValue;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use crate::lang::{Mistake, Named, Source, Span, Text};
use crate::question::{Written, WrittenKind};

/// A value as it stands in the file, blanks and comments round it left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw<'a> {
    source: &'a Arc<Source>,
    text: &'a str,
    at: usize,
}

/// A field with its name.
#[derive(Clone, Debug)]
pub(super) struct Field<'a> {
    pub(super) name: Named,
    pub(super) value: Raw<'a>,
}

impl<'a> Raw<'a> {
    /// The whole file.
    ///
    /// # Errors
    ///
    /// The first place at which it is not RON.
    pub(super) fn open(source: &'a Arc<Source>) -> Result<Self, Mistake> {
        let whole = Self { source, text: &source.text, at: 0 };
        if blanks(&source.text) == source.text.len() {
            let mistake = Mistake::new(source, Span::new(0, 0), "the file is empty");
            return Err(mistake.help("a problem file begins with `(` and a `title: \"…\",`"));
        }
        let start = blanks(&source.text);
        if !source.text[start..].starts_with(['(', '#']) {
            let mistake = Mistake::new(source, Span::new(start, start + 1), "this is no problem file");
            return Err(mistake.help("a problem file begins with `(` and a `title: \"…\",`"));
        }
        let raw: Result<&RawValue, Mistake> = whole.deserialize();
        raw.map(|raw| whole.piece(raw)).map_err(|mistake| {
            let at = mistake.span.map_or(0, |span| span.range().start);
            match broken::cause(&source.text, at.min(source.text.len())) {
                Some(broken::Cause { place, message, help }) => {
                    Mistake::new(source, Span::new(place.start, place.end), message).help(help)
                }
                None => mistake,
            }
        })
    }

    /// Its place.
    pub(super) fn span(&self) -> Span {
        Span::new(self.at, self.at + self.text.len())
    }

    /// What it begins with, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self.text.as_bytes().first() {
            Some(b'"') => "a string",
            Some(b'[') => "a list",
            Some(b'{') => "a map",
            Some(b'(') => "a group in brackets",
            Some(b'0'..=b'9' | b'-' | b'+' | b'.') => "a number",
            _ if self.is_string() => "a string",
            _ => "a word",
        }
    }

    /// The fields of `(a: 1, b: 2)`.
    ///
    /// # Errors
    ///
    /// It is something else.
    pub(super) fn fields(&self) -> Result<Vec<Field<'a>>, Mistake> {
        if !self.text.starts_with('(') {
            let message = format!("expected fields in brackets, found {}", self.kind());
            return Err(Mistake::new(self.source, self.span(), message).help("fields are written `(name: value, …)`"));
        }
        let Fields(pairs) = self.deserialize()?;
        Ok(pairs
            .into_iter()
            .map(|(name, value)| Field { name: self.field_name(name, value), value: self.piece(value) })
            .collect())
    }

    /// The name of a field stands before its value, with blanks, comments and a colon between.
    fn field_name(&self, name: String, value: &RawValue) -> Named {
        let value_at = offset(self.source, value.get_ron());
        let before = &self.source.text[self.at..value_at];
        let at = before.rfind(&name).map_or(value_at, |found| self.at + found);
        let span = Span::new(at, at + name.len());
        Named { name, span }
    }

    /// The entries of `{"a": 1, "b": 2}`.
    ///
    /// # Errors
    ///
    /// It is something else.
    pub(super) fn entries(&self) -> Result<Vec<(Self, Self)>, Mistake> {
        if !self.text.starts_with('{') {
            let message = format!("expected a map, found {}", self.kind());
            return Err(Mistake::new(self.source, self.span(), message).help("a map is written `{\"name\": value, …}`"));
        }
        let Entries(pairs) = self.deserialize()?;
        Ok(pairs.into_iter().map(|(key, value)| (self.piece(key), self.piece(value))).collect())
    }

    /// The entries of `[1, 2]`.
    ///
    /// # Errors
    ///
    /// It is something else.
    pub(super) fn items(&self) -> Result<Vec<Self>, Mistake> {
        if !self.text.starts_with('[') {
            let message = format!("expected a list, found {}", self.kind());
            return Err(Mistake::new(self.source, self.span(), message).help("a list is written `[a, b]`"));
        }
        if let Some(items) = plain_items(self.text) {
            let piece = |text| Self { source: self.source, text, at: offset(self.source, text) };
            return Ok(items.into_iter().map(piece).collect());
        }
        let Items(items) = self.deserialize()?;
        Ok(items.into_iter().map(|item| self.piece(item)).collect())
    }

    /// The one entry of `("a")`.
    ///
    /// # Errors
    ///
    /// It is something else.
    pub(super) fn only(&self) -> Result<Self, Mistake> {
        let (only,): (&RawValue,) = self.deserialize()?;
        Ok(self.piece(only))
    }

    /// Whether it is true.
    ///
    /// # Errors
    ///
    /// It is neither true nor false.
    pub(super) fn truth(&self) -> Result<bool, Mistake> {
        self.deserialize::<bool>().map_err(|_| {
            let message = format!("`{}` is no truth value", self.text);
            Mistake::new(self.source, self.span(), message).help("true or false is allowed")
        })
    }

    /// Whether it is a map.
    pub(super) fn is_map(&self) -> bool {
        self.text.starts_with('{')
    }

    /// Whether it is a list.
    pub(super) fn is_list(&self) -> bool {
        self.text.starts_with('[')
    }

    /// Whether it is a string.
    pub(super) fn is_string(&self) -> bool {
        let raw = self.text.strip_prefix('r').map(|rest| rest.trim_start_matches('#'));
        self.text.starts_with('"') || raw.is_some_and(|rest| rest.starts_with('"'))
    }

    /// A form with its name: `Rules(…)`. The second part is what stands in its brackets, if there are any.
    ///
    /// # Errors
    ///
    /// It has no name.
    pub(super) fn form(&self) -> Result<(Named, Option<Self>), Mistake> {
        let length = self.text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(self.text.len());
        let name = &self.text[..length];
        if length == 0 || name.starts_with(|c: char| c.is_ascii_digit()) || self.is_string() {
            let message = format!("expected a game form, found {}", self.kind());
            return Err(
                Mistake::new(self.source, self.span(), message).help("a game is written `Rules(state: …, moves: …)`")
            );
        }
        let named = Named { name: name.to_owned(), span: Span::new(self.at, self.at + length) };
        let skip = length + blanks(&self.text[length..]);
        let rest = &self.text[skip..];
        Ok((named, (!rest.is_empty()).then_some(Self { source: self.source, text: rest, at: self.at + skip })))
    }

    /// A string, with the place of each byte.
    ///
    /// # Errors
    ///
    /// It is something else.
    pub(super) fn string(&self) -> Result<Text, Mistake> {
        if !self.is_string() {
            let message = format!("expected a string, found {}", self.kind());
            let bare = self.text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(self.text);
            let short = bare.len() <= 60 && !bare.contains(['"', '\n', '[', '{']);
            let shown = if short { bare.trim() } else { "…" };
            return Err(
                Mistake::new(self.source, self.span(), message).help(format!("write it in quotes: \"{shown}\""))
            );
        }
        // without escapes it stands there as it is
        if let Some(inner) = plain_string(self.text) {
            return Ok(Text::plain(inner.to_owned(), Arc::clone(self.source), self.at + 1));
        }
        let value: String = self.deserialize()?;
        let open = self.text.find('"').unwrap_or(0);
        if open > 0 || !self.text.contains('\\') {
            return Ok(Text::plain(value, Arc::clone(self.source), self.at + open + 1));
        }
        let mut places = Vec::with_capacity(value.len() + 1);
        let inner = &self.text[1..self.text.len() - 1];
        let mut at = 0;
        while at < inner.len() {
            let length = escape_length(&inner[at..]);
            let piece = &inner[at..at + length];
            let bytes = if piece.starts_with('\\') {
                ron::from_str::<String>(&format!("\"{piece}\"")).map_or(1, |piece| piece.len())
            } else {
                length
            };
            places.extend(std::iter::repeat_n(self.at + 1 + at, bytes));
            at += length;
        }
        places.push(self.at + 1 + inner.len());
        Ok(Text::escaped(value, Arc::clone(self.source), places))
    }

    /// A whole number that fits 64 bits.
    ///
    /// # Errors
    ///
    /// It is something else.
    pub(super) fn int(&self) -> Result<i64, Mistake> {
        if let Some(int) = self.decimal() {
            return Ok(int);
        }
        self.deserialize::<i64>().map_err(|_| {
            let message = format!("`{}` is no whole number of at most 64 bits", self.text);
            Mistake::new(self.source, self.span(), message).help(format!(
                "from {} to {} is allowed",
                i64::MIN,
                i64::MAX
            ))
        })
    }

    /// A number written in digits alone.
    fn decimal(&self) -> Option<i64> {
        let digits = self.text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| self.text.parse().ok()).flatten()
    }

    /// A key: a number, a truth value, a string, or a list of such.
    ///
    /// # Errors
    ///
    /// It is something else.
    pub(super) fn written(&self) -> Result<Written, Mistake> {
        let kind = if self.is_string() {
            WrittenKind::Text(self.string()?.value)
        } else if self.is_list() {
            WrittenKind::List(self.items()?.iter().map(Self::written).collect::<Result<_, _>>()?)
        } else if let Some(number) = self.decimal() {
            WrittenKind::Int(number.into())
        } else if let Ok(truth) = self.deserialize::<bool>() {
            WrittenKind::Truth(truth)
        } else if let Ok(number) = self.deserialize::<i128>() {
            WrittenKind::Int(number.into())
        } else {
            let mistake = Mistake::new(self.source, self.span(), format!("`{}` is no key", self.text));
            return Err(mistake.help(
                "a key is a whole number, a string in quotes, true, false, or a list of such; a number of more than 64 bits is written as a string of digits",
            ));
        };
        Ok(Written { kind, span: self.span() })
    }

    fn deserialize<T: Deserialize<'a>>(&self) -> Result<T, Mistake> {
        options().from_str(self.text).map_err(|error| {
            let told = self.at + offset_of(self.text, error.span.start);
            let rest = self.source.text.get(told..).unwrap_or_default();
            // a character is named where it stands, not at the blanks before it
            let blank = if matches!(error.code, ron::Error::UnexpectedChar(_)) { blanks(rest) } else { 0 };
            let start = told + blank;
            let end = (self.at + offset_of(self.text, error.span.end)).max(start);
            let mistake = Mistake::new(self.source, Span::new(start, end), notation(&error.code));
            match self.source.text.get(start..).and_then(|rest| rest.chars().next()) {
                Some('“' | '”' | '„' | '«' | '»' | '‘' | '’') => mistake.help("use straight quotes: \""),
                _ => mistake,
            }
        })
    }

    fn piece(&self, raw: &'a RawValue) -> Self {
        Self::of(self.source, raw)
    }

    /// A value that `ron` has cut out of the file.
    pub(super) fn of(source: &'a Arc<Source>, raw: &'a RawValue) -> Self {
        // a comment may hold anything, and some blanks are not blanks to all
        let text = raw.get_ron();
        let plain = |text: &str| text.starts_with(|c: char| c.is_ascii()) && text.ends_with(|c: char| c.is_ascii());
        let no_comment =
            |text: &str| !text.contains('/') || plain_string(text).is_some() || plain_items(text).is_some();
        let sure = Some(text.trim()).filter(|text| plain(text) && no_comment(text));
        let text = sure.unwrap_or_else(|| raw.trim().get_ron());
        Self { source, text, at: offset(source, text) }
    }
}

/// What stands in a string without escapes.
fn plain_string(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let plain = !inner.bytes().any(|byte| matches!(byte, b'\\' | b'"'));
    plain.then_some(inner)
}

/// The entries of a list, where each is a string without escapes or a number in digits, and no comment stands among them;
/// that it is a list has been seen before.
fn plain_items(text: &str) -> Option<Vec<&str>> {
    let mut rest = text.strip_prefix('[')?.strip_suffix(']')?.trim_ascii_start();
    let mut items = Vec::new();
    while let Some(first) = rest.bytes().next() {
        let length = match first {
            b'"' => {
                let end = rest.bytes().skip(1).position(|byte| matches!(byte, b'\\' | b'"'))? + 1;
                rest[end..].starts_with('"').then_some(end + 1)?
            }
            b'0'..=b'9' => rest.bytes().take_while(u8::is_ascii_digit).count(),
            _ => return None,
        };
        let (item, after) = rest.split_at(length);
        items.push(item);
        rest = after.trim_ascii_start();
        if !rest.is_empty() {
            rest = rest.strip_prefix(',')?.trim_ascii_start();
        }
    }
    Some(items)
}

/// How problem files are read.
pub(super) fn options() -> ron::Options {
    ron::Options::default().with_default_extension(
        Extensions::IMPLICIT_SOME | Extensions::UNWRAP_NEWTYPES | Extensions::UNWRAP_VARIANT_NEWTYPES,
    )
}

/// Where a slice of the file begins.
pub(super) fn offset(source: &Source, slice: &str) -> usize {
    slice.as_ptr().addr().saturating_sub(source.text.as_ptr().addr())
}

/// The place of a slice of the file.
pub(super) fn span(source: &Source, slice: &str) -> Span {
    let at = offset(source, slice);
    Span::new(at, at + slice.len())
}

/// The length of the character or escape at the beginning.
fn escape_length(text: &str) -> usize {
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some('\\'), Some('x')) => 4.min(text.len()),
        (Some('\\'), Some('u')) => text.find('}').map_or(text.len(), |end| end + 1),
        (Some('\\'), Some(c)) => 1 + c.len_utf8(),
        (Some(c), _) => c.len_utf8(),
        (None, _) => 0,
    }
}

/// How many bytes of blanks and comments a text begins with.
fn blanks(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.find('\n').map_or("", |end| &comment[end..]);
        } else if rest.starts_with("/*") {
            rest = after_block_comment(rest);
        } else {
            return text.len() - rest.len();
        }
    }
}

/// Block comments may hold others.
fn after_block_comment(text: &str) -> &str {
    let (mut depth, mut at) = (0_usize, 0);
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return &text[at..];
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    ""
}

fn offset_of(text: &str, position: ron::error::Position) -> usize {
    let mut at = 0;
    for _ in 1..position.line {
        at += text[at..].find('\n').map_or(text.len() - at, |end| end + 1);
    }
    text[at..].char_indices().nth(position.col.saturating_sub(1)).map_or(text.len(), |(column, _)| at + column)
}

/// The reader's words as a fragment.
fn notation(error: &ron::Error) -> String {
    let text = match error {
        ron::Error::Eof => "the file ends too early; is a closing `)`, `]`, `}` or a quote missing?".to_owned(),
        ron::Error::ExpectedComma => "expected a comma here, or the closing bracket".to_owned(),
        ron::Error::TrailingCharacters => "something stands after the end of the problem".to_owned(),
        ron::Error::ExceededRecursionLimit => "brackets are nested too deep; at most 128 levels are allowed".to_owned(),
        other => other.to_string(),
    };
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if first.is_uppercase() && !second.is_uppercase() => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text,
    }
}

/// The name of a field.
struct Ident(String);

impl<'de> Deserialize<'de> for Ident {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Ident;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a field")
            }
            fn visit_str<E>(self, name: &str) -> Result<Ident, E> {
                Ok(Ident(name.to_owned()))
            }
        }
        deserializer.deserialize_identifier(Name)
    }
}

struct Fields<'de>(Vec<(String, &'de RawValue)>);
struct Entries<'de>(Vec<(&'de RawValue, &'de RawValue)>);
struct Items<'de>(Vec<&'de RawValue>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Fields<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("fields with names: `(name: value, …)`")
            }
            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Fields(Vec::new()))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(Ident(name)) = map.next_key()? {
                    pairs.push((name, map.next_value()?));
                }
                Ok(Fields(pairs))
            }
        }
        deserializer.deserialize_struct("", &[], Pairs)
    }
}

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Entries<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map: `{\"name\": value, …}`")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Entries(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

impl<'de> Deserialize<'de> for Items<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Items<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list: `[a, b]`")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = seq.next_element()? {
                    items.push(item);
                }
                Ok(Items(items))
            }
        }
        deserializer.deserialize_seq(List)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_lists_are_split_as_the_reader_splits_them() {
        let plain =
            ["[]", "[ ]", "[1]", "[1,2 , 3,]", r#"["a", "x // 2"]"#, "[\n    \"a, b]\",\n    17,\n]", r#"["", ""]"#];
        for text in plain {
            let Items(items) = options().from_str(text).expect("it is a list");
            let split: Vec<&str> = items.into_iter().map(|item| item.get_ron().trim()).collect();
            assert_eq!(plain_items(text), Some(split), "{text}");
        }
        let others = [
            "[1] // 2]",
            r#"["a\n"]"#,
            "[-1]",
            "[1_0]",
            "[1.5]",
            "[[1]]",
            r#"["a" /* b */]"#,
            "[true]",
            "(1)",
            "[",
            "[\"]",
        ];
        for text in others {
            assert_eq!(plain_items(text), None, "{text}");
        }
    }
}
