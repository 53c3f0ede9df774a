//! The fields of a problem file as plain structures, read by `ron` as any program would read them: no places, nothing
//! understood. What a bank costs that is only read.

use std::collections::BTreeMap;
use std::fmt;

use ron::extensions::Extensions;
use ron::{Options, Value};
use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};

/// A problem file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "it is read, and that is all")]
pub(crate) struct Problem {
    title: String,
    source: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    note: Option<String>,
    #[serde(default)]
    constants: BTreeMap<String, Value>,
    game: Game,
    start: Option<Texts>,
    #[serde(default)]
    given: BTreeMap<String, String>,
    questions: BTreeMap<String, Question>,
    #[serde(default)]
    variants: BTreeMap<String, Variant>,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "it is read, and that is all")]
enum Game {
    Rules { state: String, moves: Texts, end: Option<String>, legal: Option<String>, winner: Option<String> },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "it is read, and that is all")]
struct Question {
    ask: String,
    key: Option<Value>,
    start: Option<Texts>,
    given: Option<BTreeMap<String, String>>,
    note: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "it is read, and that is all")]
struct Variant {
    #[serde(default)]
    constants: BTreeMap<String, Value>,
    keys: Option<BTreeMap<String, Value>>,
    title: Option<String>,
    source: Option<String>,
    note: Option<String>,
}

/// One text, a list of them, or a map from names to them.
#[derive(Debug)]
#[expect(dead_code, reason = "it is read, and that is all")]
enum Texts {
    One(String),
    List(Vec<String>),
    Named(BTreeMap<String, String>),
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Texts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, a list or a map of strings")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Texts, E> {
                Ok(Texts::One(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, texts: A) -> Result<Texts, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(texts)).map(Texts::List)
            }

            fn visit_map<A: MapAccess<'de>>(self, texts: A) -> Result<Texts, A::Error> {
                BTreeMap::deserialize(MapAccessDeserializer::new(texts)).map(Texts::Named)
            }
        }

        from.deserialize_any(Any)
    }
}

/// Reads the text of a problem file.
pub(crate) fn read(text: &str) -> Result<Problem, String> {
    let options = Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    options.from_str(text).map_err(|error| error.to_string())
}
