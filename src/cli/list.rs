//! `gameproof list`: what there is, without solving anything.

use std::fmt::Write;
use std::process::exit;

use clap::Args;
use termcolor::Buffer;

use super::terminal::{blank_warnings, print, say, say_all};
use super::{Common, Failure, Selection, status};
use crate::bank::BankFile;
use crate::parallel::Taker;
use crate::problem::{Changes, Loaded};
use crate::report::diagnostic;
use crate::{parallel, run};

const EXAMPLES: &str = "Example:
  gameproof list problems --tag two-piles";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(flatten)]
    selection: Selection,
}

enum Listed {
    LeftOut,
    Text(String),
    Mistakes(Buffer),
}

pub(super) fn run(arguments: &Arguments, common: &Common) -> Result<u8, Failure> {
    let (files, unreadable) = arguments.selection.files()?;
    for path in &unreadable {
        say(&format!("error: {}: {}", path.path, path.message));
    }
    let tags = &arguments.selection.tag;
    let blank = blank_warnings(common);
    let mut shelf = Shelf { any: false, bad: !unreadable.is_empty(), written: Ok(()) };
    let work = |file: &BankFile| match run::open(file, &Changes::default()) {
        Ok(loaded) if tags.is_empty() || tags.iter().any(|tag| loaded.tags.contains(tag)) => {
            Listed::Text(entry(&file.id, &loaded))
        }
        Ok(_) => Listed::LeftOut,
        Err(findings) => {
            let mut out = blank();
            findings
                .iter()
                .filter_map(|finding| finding.error.as_ref())
                .for_each(|mistake| diagnostic(mistake, &mut out));
            Listed::Mistakes(out)
        }
    };
    parallel::in_order(common.threads(), &files, work, &mut shelf).map_err(Failure::usage)?;
    shelf.written?;
    if shelf.bad {
        return Ok(status::USAGE);
    }
    if !shelf.any {
        say(&arguments.selection.unmatched());
        return Ok(status::NOTHING);
    }
    Ok(0)
}

/// Prints what is listed, and remembers what went wrong.
struct Shelf {
    any: bool,
    bad: bool,
    written: std::io::Result<()>,
}

impl Taker<BankFile, Listed> for Shelf {
    fn take(&mut self, _: &BankFile, listed: Listed) {
        self.any = self.any || !matches!(listed, Listed::LeftOut);
        self.bad = self.bad || matches!(listed, Listed::Mistakes(_));
        match listed {
            // what nobody reads any more, or cannot be written, needs no more lines
            Listed::Text(text) if self.written.is_ok() => self.written = print(&text),
            Listed::Mistakes(told) if self.written.is_ok() => say_all(&told),
            _ => {}
        }
    }

    fn gives_up(&mut self) -> bool {
        self.written.is_err()
    }

    fn given_up(&mut self) {
        if let Err(error) = std::mem::replace(&mut self.written, Ok(())) {
            exit(i32::from(Failure::from(error).told()));
        }
    }
}

fn entry(id: &str, loaded: &Loaded) -> String {
    let mut text = format!("{id}\n  {}\n", loaded.title);
    if !loaded.tags.is_empty() {
        // writing to a string does not fail
        let _ = writeln!(text, "  tags: {}", loaded.tags.join(", "));
    }
    for (problem, keys) in &loaded.problems {
        if let Some(variant) = &problem.variant {
            let _ = writeln!(text, "  variant \"{variant}\"");
        }
        let indent = if problem.variant.is_some() { "    " } else { "  " };
        for (question, key) in problem.questions.iter().zip(keys) {
            let keyless = if key.is_none() { " (no key)" } else { "" };
            let _ = writeln!(text, "{indent}{}: {}{keyless}", question.label, question.text);
        }
    }
    text
}
