//! `gameproof list`: what there is, without solving anything.

use clap::Args;
use std::fmt::Write;

use super::terminal::{print, say, warnings};
use super::{Common, Failure, Selection, status};
use crate::check::Finding;
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
    Mistakes(Vec<Finding>),
}

pub(super) fn run(arguments: &Arguments, common: &Common) -> Result<u8, Failure> {
    let (files, unreadable) = arguments.selection.files()?;
    for path in &unreadable {
        say(&format!("error: {}: {}", path.path, path.message));
    }
    let tags = &arguments.selection.tag;
    let mut bad = !unreadable.is_empty();
    let mut any = false;
    let mut written = Ok(());
    parallel::in_order(
        common.threads(),
        &files,
        |file| match run::open(file, &Changes::default()) {
            Ok(loaded) if tags.is_empty() || tags.iter().any(|tag| loaded.tags.contains(tag)) => {
                Listed::Text(entry(&file.id, &loaded))
            }
            Ok(_) => Listed::LeftOut,
            Err(findings) => Listed::Mistakes(findings),
        },
        |_, _| {},
        |_, listed| {
            any = any || !matches!(listed, Listed::LeftOut);
            if written.is_err() {
                return;
            }
            match listed {
                Listed::LeftOut => {}
                Listed::Text(text) => written = print(&text),
                Listed::Mistakes(findings) => {
                    bad = true;
                    let (writer, mut out) = warnings(common);
                    for mistake in findings.iter().filter_map(|finding| finding.error.as_ref()) {
                        diagnostic(mistake, &mut out);
                    }
                    // nobody may be listening, and there is nowhere else to tell it
                    let _ = writer.print(&out);
                }
            }
        },
    )
    .map_err(Failure::usage)?;
    written?;
    if bad {
        return Ok(status::USAGE);
    }
    if !any {
        say(&arguments.selection.unmatched());
        return Ok(status::NOTHING);
    }
    Ok(0)
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
