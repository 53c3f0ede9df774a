//! `--record DIR`: a dated record below a folder, and what changed since the last one.

use std::fs;
use std::path::{Path, PathBuf};

use super::files::replace;
use super::terminal::say;
use super::{Common, Failure};
use crate::bank::io_message;
use crate::bench::machine;
use crate::check::Finding;
use crate::report::{changed, facts, record_lines};

const ANSWERS: &str = "answers.jsonl";

/// Writes the record and says which answers differ from the latest one before it.
pub(super) fn write(folder: &Path, findings: &[Finding], common: &Common) -> Result<(), Failure> {
    let now = jiff::ZonedDateTime::now();
    let today = now.strftime("%Y-%m-%d").to_string();
    let place = folder.join(&today);
    let cannot = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| Failure::usage(format!("cannot write {path}: {}", io_message(&error)))
    };
    let before = latest(folder).and_then(|path| fs::read_to_string(path.join(ANSWERS)).ok().map(|text| (path, text)));
    let answers = record_lines(findings);
    let write = |name: &str, text: &str| {
        let path = place.join(name);
        replace(&path, |out| out.write_all(text.as_bytes())).map_err(cannot(&path))
    };
    write(ANSWERS, &answers)?;
    let about = facts(&machine(std::env::args().skip(1).collect()));
    write("about.json", &about)?;
    if common.quiet {
        return Ok(());
    }
    match before {
        None => say(&format!("recorded in {}", place.display())),
        Some((earlier, text)) => {
            let changes = changed(&text, &answers);
            let (mut differ, mut new, mut gone) = (0, 0, 0);
            for change in &changes {
                match (&change.before, &change.now) {
                    (Some(before), Some(now)) => {
                        differ += 1;
                        say(&format!("changed: {}: {before} before, {now} now", change.question));
                    }
                    (None, _) => new += 1,
                    (_, None) => gone += 1,
                }
            }
            let since = if earlier == place {
                "the record of today that it replaces".to_owned()
            } else {
                earlier.display().to_string()
            };
            let place = place.display();
            say(&format!("recorded in {place}; since {since}: {differ} changed, {new} new, {gone} gone"));
        }
    }
    Ok(())
}

/// The latest record: dates sort as words.
fn latest(folder: &Path) -> Option<PathBuf> {
    let mut records: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join(ANSWERS).is_file())
        .collect();
    records.sort();
    records.pop()
}
