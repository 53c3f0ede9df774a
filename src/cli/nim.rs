//! `gameproof nim`: a winning first move in the match game.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::Failure;
use super::terminal::print;
use crate::bank;
use crate::lang::Source;
use crate::nim::Heaps;

const EXAMPLES: &str = "Example:
  echo 3 3 6 9 | gameproof nim

prints `4 3` and `3 6 5`: take 4 from the heap of number 3, and the heaps 3, 6 and 5 are left. Where the player to \
move cannot win it prints `lose`; where several first moves win, the heap of the lowest number is taken.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Holds the number of heaps and then the heaps, with white space between [default: standard input]
    file: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<u8, Failure> {
    let (name, bytes) = read(arguments.file.as_deref())?;
    let place = |text: &str, at: usize, message: &str| {
        let source = Arc::new(Source { name: name.clone(), text: text.to_owned() });
        let (line, column) = source.line_column(u32::try_from(at).unwrap_or(u32::MAX));
        Failure::usage(format!("{name}, line {line}, column {column}: {message}"))
    };
    let text = str::from_utf8(&bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        place(&before, before.len(), "this is not UTF-8; write the numbers in plain digits")
    })?;
    // some editors begin a file with a mark that is no text
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let heaps = Heaps::read(text).map_err(|slip| place(text, slip.at, &slip.message))?;
    print(&heaps.answer())?;
    Ok(0)
}

/// How many bytes are read.
const MOST: u64 = 64 << 20;

/// All of the file or of standard input, with its name.
fn read(file: Option<&Path>) -> Result<(String, Vec<u8>), Failure> {
    let name = file.map_or("standard input".to_owned(), |file| file.display().to_string());
    let mut bytes = Vec::new();
    let read = match file {
        Some(file) => fs::File::open(file).and_then(|file| file.take(MOST + 1).read_to_end(&mut bytes)),
        None => std::io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes),
    };
    match read {
        Ok(_) if u64::try_from(bytes.len()).is_ok_and(|read| read > MOST) => {
            Err(Failure::usage(format!("{name}: at most {} MiB are read", MOST >> 20)))
        }
        Ok(_) => Ok((name, bytes)),
        Err(error) => Err(Failure::usage(format!("{name}: {}", bank::io_message(&error)))),
    }
}
