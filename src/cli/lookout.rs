//! A word on standard error where work takes long and a number of the game seems to run away. The work goes on: it is
//! a guess, and the limits decide.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Common;
use super::choice::Choice;
use super::terminal::say;
use crate::bank;
use crate::problem::load;
use crate::runaway;

/// After so long a game is looked at.
const PATIENCE: Duration = Duration::from_secs(5);

/// Watches over files that are being worked on.
pub(super) struct Lookout {
    at_work: Arc<Mutex<Vec<Work>>>,
}

struct Work {
    file: PathBuf,
    since: Instant,
    looked_at: bool,
}

impl Lookout {
    /// Says what it finds of the chosen questions, unless less is to be told.
    pub(super) fn new(choice: Choice, common: &Common) -> Self {
        let at_work = Arc::new(Mutex::new(Vec::new()));
        if !common.quiet {
            let watched = Arc::clone(&at_work);
            thread::spawn(move || {
                loop {
                    thread::sleep(Duration::from_secs(1));
                    while let Some(file) = next(&watched) {
                        if let Some(told) = guess(&file, &choice)
                            && held(&watched).iter().any(|work| work.file == file)
                        {
                            say(&told);
                        }
                    }
                }
            });
        }
        Self { at_work }
    }

    /// Work on a file begins.
    pub(super) fn begin(&self, file: &Path) {
        held(&self.at_work).push(Work { file: file.to_path_buf(), since: Instant::now(), looked_at: false });
    }

    /// Work on it has ended.
    pub(super) fn end(&self, file: &Path) {
        held(&self.at_work).retain(|work| work.file != file);
    }
}

fn held(at_work: &Mutex<Vec<Work>>) -> MutexGuard<'_, Vec<Work>> {
    // a list of files is whole after each change
    at_work.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that has been worked on for long and not looked at.
fn next(at_work: &Mutex<Vec<Work>>) -> Option<PathBuf> {
    let mut at_work = held(at_work);
    let work = at_work.iter_mut().find(|work| !work.looked_at && work.since.elapsed() >= PATIENCE)?;
    work.looked_at = true;
    Some(work.file.clone())
}

fn guess(file: &Path, choice: &Choice) -> Option<String> {
    let source = bank::read(file).ok()?;
    let loaded = load(&source, &choice.changes()).ok()?;
    loaded.problems.iter().find_map(|(problem, _)| {
        let chosen = problem.questions.iter().filter(|question| choice.wants(problem, question));
        let (label, found) = chosen
            .filter_map(|question| Some((&question.label, runaway::of_question(question, &problem.rules)?)))
            .next()?;
        Some(format!("note: {}, question \"{label}\": {found}", file.display()))
    })
}
