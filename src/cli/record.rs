//! `--record DIR`: a dated record below a folder, and what changed since the last one.
//!
//! A record is a folder that is written under a temporary name, line by line while the run goes on, and takes its place
//! when all is there. A run that was interrupted leaves a record of its own beside the whole ones.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Result, Write};
use std::path::{Path, PathBuf};

use super::Common;
use super::terminal::say;
use crate::bank::io_message;
use crate::bench::machine;
use crate::files;
use crate::report::{changed, facts};

const ANSWERS: &str = "answers.jsonl";
const ABOUT: &str = "about.json";
const INTERRUPTED: &str = "-interrupted";

/// A record that is being written.
pub(super) struct Record {
    folder: PathBuf,
    today: String,
    /// What is being written; gone once it failed.
    answers: Option<BufWriter<File>>,
    failure: Option<String>,
}

impl Record {
    /// Begins a record below a folder.
    pub(super) fn new(folder: &Path) -> Self {
        let today = jiff::ZonedDateTime::now().strftime("%Y-%m-%d").to_string();
        let mut record = Self { folder: folder.to_path_buf(), today, answers: None, failure: None };
        let begun = record.begin();
        record.answers = record.told(begun);
        record
    }

    fn begin(&self) -> Result<BufWriter<File>> {
        fs::create_dir_all(&self.folder)?;
        // only what looks like a record: the folder may hold other things
        files::clean(&self.folder, |name| name.starts_with(|first: char| first.is_ascii_digit()));
        let place = self.temporary();
        fs::create_dir(&place)?;
        Ok(BufWriter::new(File::create_new(place.join(ANSWERS))?))
    }

    fn temporary(&self) -> PathBuf {
        files::temporary(&self.folder.join(&self.today))
    }

    /// Adds the lines of a file.
    pub(super) fn add(&mut self, lines: &str) {
        if let Some(answers) = &mut self.answers {
            let written = answers.write_all(lines.as_bytes());
            if self.told(written).is_none() {
                self.give_up();
            }
        }
    }

    /// Keeps the first failure and tells it at once, since a run may be long.
    fn told<T>(&mut self, done: Result<T>) -> Option<T> {
        match done {
            Ok(done) => Some(done),
            Err(error) => {
                let place = self.folder.join(&self.today);
                let failure = format!("cannot write {}: {}", place.display(), io_message(&error));
                say(&format!("error: {failure}"));
                self.failure.get_or_insert(failure);
                None
            }
        }
    }

    fn give_up(&mut self) {
        self.answers = None;
        // what cannot be removed now is removed by the next run
        let _ = fs::remove_dir_all(self.temporary());
    }

    /// Puts the record in its place and says which answers differ from the latest one before it. `false` where it could
    /// not be written, which has been told.
    pub(super) fn end(mut self, whole: bool, common: &Common) -> bool {
        if let Some(answers) = self.answers.take() {
            let ended = self.put(answers, whole, common);
            if self.told(ended).is_none() {
                self.give_up();
            }
        }
        self.failure.is_none()
    }

    fn put(&self, answers: BufWriter<File>, whole: bool, common: &Common) -> Result<()> {
        let temporary = self.temporary();
        answers.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
        let mut about = machine(std::env::args().skip(1).collect());
        about.whole = whole;
        let mut file = File::create_new(temporary.join(ABOUT))?;
        file.write_all(facts(&about).as_bytes())?;
        file.sync_all()?;
        drop(file);
        if !whole {
            let place = self.folder.join(format!("{}{INTERRUPTED}", self.today));
            files::replace_folder(&temporary, &place)?;
            say(&format!("recorded in {} what was verified until now", place.display()));
            return Ok(());
        }
        let place = self.folder.join(&self.today);
        let told = self.since(&place, &temporary).unwrap_or_default();
        files::replace_folder(&temporary, &place)?;
        if !common.quiet {
            say(&format!("recorded in {}{told}", place.display()));
        }
        Ok(())
    }

    /// Tells what differs from the latest record, and how much; none where there is none.
    fn since(&self, place: &Path, temporary: &Path) -> Option<String> {
        let earlier = latest(&self.folder)?;
        let lines = |folder: &Path| {
            let file = File::open(folder.join(ANSWERS)).ok()?;
            Some(BufReader::new(file).lines().map_while(Result::ok))
        };
        let (mut differ, mut new, mut gone) = (0, 0, 0);
        for change in changed(lines(&earlier)?, lines(temporary)?) {
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
        Some(format!("; since {since}: {differ} changed, {new} new, {gone} gone"))
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        if self.answers.is_some() {
            self.give_up();
        }
    }
}

/// The latest whole record: dates sort as words.
fn latest(folder: &Path) -> Option<PathBuf> {
    let whole = |path: &PathBuf| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        path.join(ANSWERS).is_file() && !name.ends_with(INTERRUPTED) && !files::is_temporary(path)
    };
    let entries = fs::read_dir(folder).ok()?;
    entries.filter_map(|entry| Some(entry.ok()?.path())).filter(whole).max()
}
