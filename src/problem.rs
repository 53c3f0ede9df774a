//! From a file to problems and keys: the wire form is read, names and types are checked, each variant put together.
//!
//! [`Problem`] is what engines may see, [`Key`] what they may not.

mod load;
mod raw;
mod wire;

use std::sync::Arc;

pub use load::load;

use crate::lang::tree::Rules;
use crate::lang::{Mistake, Source};
use crate::picture::Picture;
use crate::question::{Key, Question, Written};

/// A problem file, loaded.
#[derive(Debug)]
pub struct Loaded {
    /// The file.
    pub source: Arc<Source>,
    /// One line.
    pub title: String,
    /// Book, exam, number.
    pub origin: Option<String>,
    /// Words to filter by.
    pub tags: Vec<String>,
    /// What the game stands for, written out, where its form is a template.
    pub template: Option<String>,
    /// The label of each question whose start gave it a parameter, before a start took its place that does not tell it;
    /// with the name of the parameter.
    pub open: Vec<(String, String)>,
    /// The problem as written, then its variants in order; each with the keys of its questions.
    pub problems: Vec<(Problem, Vec<Option<AuthorKey>>)>,
}

/// The key of a question.
#[derive(Clone, Debug)]
pub struct AuthorKey {
    /// What it says.
    pub key: Key,
    /// How the author wrote it.
    pub written: Written,
}

/// One game with its questions: a problem as written, or one of its variants.
#[derive(Debug)]
pub struct Problem {
    /// The label of the variant, if it is one.
    pub variant: Option<String>,
    /// Its title, or that of the file.
    pub title: String,
    /// The rules of the game.
    pub rules: Rules,
    /// When the game is over, or the goal of the puzzle, as the file says it.
    pub over: Option<String>,
    /// The constants that are numbers, by name.
    pub numbers: Vec<(String, i64)>,
    /// How its positions are drawn.
    pub picture: Picture,
    /// The questions in order.
    pub questions: Vec<Question>,
}

/// What the command line changes in a file before it is loaded.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// New values of constants, and of parameters, which then take this value alone.
    pub set: Vec<(String, String)>,
    /// A start for all questions.
    pub start: Option<String>,
}

/// The fields of a problem file as written, every text with its place; nothing in them is understood yet.
#[derive(Debug)]
pub struct Fields {
    _wire: wire::Wire,
}

/// Reads the notation of a file and no further: the least that loading it takes.
///
/// # Errors
///
/// All mistakes of the notation.
pub fn fields(source: &Arc<Source>) -> Result<Fields, Vec<Mistake>> {
    let mut mistakes = Vec::new();
    match wire::read(source, &mut mistakes) {
        Some(wire) if mistakes.is_empty() => Ok(Fields { _wire: wire }),
        _ => Err(mistakes),
    }
}
