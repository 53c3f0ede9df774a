//! Reads the fields of a file in one pass, where nothing in them is wrong or unusual.
//!
//! Texts of rules and asks are borrowed from the file, so that their places are known without looking for them. Where
//! that does not do (a mistake, an escape in such a text, a template) the file is read again value by value, as
//! [`super::read`] does, which tells all mistakes. What both read is the same.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use ron::value::RawValue;
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use super::super::raw::{self, Raw};
use super::{ConstantWire, ENTRY_LIMIT, QuestionWire, Reader, RulesWire, VariantWire, Wire};
use crate::lang::{Named, Source, Text};

/// The fields of a file; none where it must be read value by value.
pub(super) fn read(source: &Arc<Source>) -> Option<Wire> {
    if !source.text.trim_start().starts_with('(') {
        return None;
    }
    let file: File<'_> = raw::options().from_str(&source.text).ok()?;
    if file.title.contains('\n') || file.tags.len() > ENTRY_LIMIT {
        return None;
    }
    let mut mistakes = Vec::new();
    let mut reader = Reader { source, mistakes: &mut mistakes };
    let wire = Wire {
        title: file.title,
        source: file.source,
        tags: file.tags,
        note: file.note,
        constants: reader.listed_constants(file.constants),
        game: Some(reader.rules(file.game)?),
        start: file.start.map(|start| reader.start(reader.piece(start))),
        given: reader.texts(file.given),
        questions: file.questions.0.into_iter().map(|(name, question)| reader.asked(name, question)).collect(),
        variants: file.variants.0.into_iter().map(|(name, variant)| reader.varied(name, variant)).collect(),
    };
    mistakes.is_empty().then_some(wire)
}

// Names are empty, as none stands before the brackets.

#[derive(Deserialize)]
#[serde(rename = "", deny_unknown_fields)]
struct File<'a> {
    title: String,
    #[serde(default, deserialize_with = "some")]
    source: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default, deserialize_with = "some")]
    note: Option<String>,
    #[serde(default, borrow)]
    constants: Map<'a, &'a RawValue>,
    #[serde(borrow)]
    game: Game<'a>,
    #[serde(default, borrow, deserialize_with = "some")]
    start: Option<&'a RawValue>,
    #[serde(default, borrow)]
    given: Map<'a, &'a str>,
    #[serde(borrow)]
    questions: Map<'a, Question<'a>>,
    #[serde(default, borrow)]
    variants: Map<'a, Variant<'a>>,
}

#[derive(Deserialize)]
enum Game<'a> {
    #[serde(borrow)]
    Rules(Form<'a>),
    #[serde(borrow)]
    Puzzle(Form<'a>),
}

/// The fields of either form.
#[derive(Deserialize)]
#[serde(rename = "", deny_unknown_fields)]
struct Form<'a> {
    state: &'a str,
    #[serde(borrow)]
    moves: &'a RawValue,
    #[serde(default, borrow, deserialize_with = "some")]
    end: Option<&'a str>,
    #[serde(default, borrow, deserialize_with = "some")]
    goal: Option<&'a str>,
    #[serde(default, borrow, deserialize_with = "some")]
    legal: Option<&'a str>,
    #[serde(default, borrow, deserialize_with = "some")]
    winner: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(rename = "", deny_unknown_fields)]
struct Question<'a> {
    ask: &'a str,
    #[serde(default, borrow, deserialize_with = "some")]
    key: Option<&'a RawValue>,
    #[serde(default, borrow, deserialize_with = "some")]
    start: Option<&'a RawValue>,
    #[serde(default, borrow, deserialize_with = "some")]
    given: Option<Map<'a, &'a str>>,
    #[serde(default, deserialize_with = "some", rename = "note")]
    _note: Option<Passed>,
}

#[derive(Deserialize)]
#[serde(rename = "", deny_unknown_fields)]
struct Variant<'a> {
    #[serde(borrow)]
    constants: Map<'a, &'a RawValue>,
    #[serde(default, borrow, deserialize_with = "some")]
    keys: Option<Map<'a, &'a RawValue>>,
    #[serde(default, deserialize_with = "some")]
    title: Option<String>,
    #[serde(default, deserialize_with = "some", rename = "source")]
    _source: Option<Passed>,
    #[serde(default, deserialize_with = "some", rename = "note")]
    _note: Option<Passed>,
}

/// A field that may be left out, but where it stands is not written `Some(…)`.
fn some<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// A string that nobody reads.
struct Passed;

impl<'de> Deserialize<'de> for Passed {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Words;
        impl Visitor<'_> for Words {
            type Value = Passed;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_str<E>(self, _: &str) -> Result<Passed, E> {
                Ok(Passed)
            }
        }
        from.deserialize_str(Words)
    }
}

/// A map with as many entries as are allowed, and no name twice.
struct Map<'a, T>(Vec<(&'a str, T)>);

impl<T> Default for Map<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de> + 'a> Deserialize<'de> for Map<'a, T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Pairs<'a, T>(PhantomData<&'a T>);
        impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for Pairs<'a, T> {
            type Value = Map<'a, T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map: `{\"name\": value, …}`")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs: Vec<(&'a str, T)> = Vec::new();
                while let Some((name, value)) = map.next_entry::<&'de str, T>()? {
                    if pairs.len() == ENTRY_LIMIT || pairs.iter().any(|(known, _)| *known == name) {
                        return Err(A::Error::custom("a name that stands twice, or too many"));
                    }
                    pairs.push((name, value));
                }
                Ok(Map(pairs))
            }
        }
        from.deserialize_map(Pairs(PhantomData))
    }
}

/// From what was borrowed to texts with their places.
impl<'m> Reader<'m> {
    fn piece<'a>(&self, value: &'a RawValue) -> Raw<'a>
    where
        'm: 'a,
    {
        Raw::of(self.source, value)
    }

    fn text(&self, slice: &str) -> Text {
        let at = raw::offset(self.source, slice);
        Text::plain(slice.to_owned(), Arc::clone(self.source), at)
    }

    fn named(&self, slice: &str) -> Named {
        Named { span: raw::span(self.source, slice), name: slice.to_owned() }
    }

    fn texts(&self, texts: Map<'_, &str>) -> Vec<(Named, Text)> {
        texts.0.into_iter().map(|(name, text)| (self.named(name), self.text(text))).collect()
    }

    fn listed_constants(&mut self, constants: Map<'_, &RawValue>) -> Vec<(Named, ConstantWire)> {
        let mut read = Vec::with_capacity(constants.0.len());
        for (name, value) in constants.0 {
            let name = self.named(name);
            let constant = self.constant(&name, self.piece(value)).unwrap_or(ConstantWire::Unknown);
            read.push((name, constant));
        }
        read
    }

    fn rules(&mut self, game: Game<'_>) -> Option<RulesWire> {
        let (puzzle, form) = match game {
            Game::Rules(form) if form.goal.is_none() => (false, form),
            Game::Puzzle(form) if form.end.is_none() && form.winner.is_none() => (true, form),
            _ => return None,
        };
        Some(RulesWire {
            form: "",
            puzzle,
            state: self.text(form.state),
            moves: self.moves(self.piece(form.moves))?,
            end: form.end.map(|text| self.text(text)),
            goal: form.goal.map(|text| self.text(text)),
            legal: form.legal.map(|text| self.text(text)),
            winner: form.winner.map(|text| self.text(text)),
            start: None,
            heaps: None,
            picture: None,
        })
    }

    fn asked(&mut self, name: &str, question: Question<'_>) -> (Named, QuestionWire) {
        let asked = QuestionWire {
            ask: self.text(question.ask),
            key: question.key.and_then(|key| self.take(self.piece(key).written())),
            start: question.start.map(|start| self.start(self.piece(start))),
            given: question.given.map(|given| self.texts(given)),
        };
        (self.named(name), asked)
    }

    fn varied(&mut self, name: &str, variant: Variant<'_>) -> (Named, VariantWire) {
        let keys = variant.keys.map(|keys| {
            let key = |(name, key)| Some((self.named(name), self.take(self.piece(key).written())?));
            keys.0.into_iter().filter_map(key).collect()
        });
        let varied = VariantWire { constants: self.listed_constants(variant.constants), keys, title: variant.title };
        (self.named(name), varied)
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_by_value;
    use super::*;

    /// Both ways to read a file read the same; what is read in one pass has no mistakes.
    fn compare(source: &Arc<Source>) -> bool {
        let Some(direct) = read(source) else { return false };
        let mut mistakes = Vec::new();
        let by_value = read_by_value(source, &mut mistakes);
        assert!(mistakes.is_empty(), "{}: {mistakes:?} in\n{}", source.name, source.text);
        assert_eq!(format!("{:?}", Some(direct)), format!("{by_value:?}"), "{}", source.name);
        true
    }

    fn sources(folder: &str) -> Vec<Arc<Source>> {
        let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().filter_map(Result::ok);
        let files = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "ron"));
        let text = |file: walkdir::DirEntry| {
            let text = std::fs::read_to_string(file.path()).ok()?;
            Some(Arc::new(Source { name: file.path().display().to_string(), text }))
        };
        files.filter_map(text).collect()
    }

    #[test]
    fn files_are_read_the_same() {
        let (problems, cases) = (sources("problems"), sources("tests"));
        let read = problems.iter().filter(|source| compare(source)).count();
        assert!(read * 2 > problems.len(), "{read} of {} files read in one pass", problems.len());
        assert!(cases.len() > 100 && cases.iter().any(compare));
    }

    /// Characters that mean something are put in, taken out and put elsewhere; both ways to read stay the same.
    #[test]
    fn changed_files_are_read_the_same() {
        const PUT: [&str; 18] = [
            "(", ")", "[", "]", "{", "}", ",", ":", "\"", "\\", "//", "/*", "r#\"", "Some", "-", "0x1", "\n",
            "\u{200e}",
        ];
        let sources = sources("problems");
        let mut lots = fastrand::Rng::with_seed(7);
        let mut read = 0;
        for round in 0..4000 {
            let source = &sources[lots.usize(..sources.len())];
            let mut text: Vec<char> = source.text.chars().collect();
            let at = lots.usize(..text.len());
            match lots.u8(..3) {
                0 => drop(text.remove(at)),
                1 => {
                    let other = lots.usize(..text.len());
                    text.swap(at, other);
                }
                _ => drop(text.splice(at..at, PUT[lots.usize(..PUT.len())].chars())),
            }
            let name = format!("{}, changed in round {round}", source.name);
            read += usize::from(compare(&Arc::new(Source { name, text: text.into_iter().collect() })));
        }
        assert!(read > 500, "{read} read in one pass");
    }
}
