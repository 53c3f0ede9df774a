//! A word on standard error where work takes long: what is worked on, how far it is, and whether a number of the game
//! seems to run away. The work goes on: that is a guess, and the limits decide.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Common;
use super::choice::Choice;
use super::signals::Signals;
use super::terminal::say;
use crate::bank::{self, BankFile};
use crate::budget::Work;
use crate::problem::load;
use crate::run::Watch;
use crate::runaway;

/// After so long a game is looked at.
const PATIENCE: Duration = Duration::from_secs(5);

/// After so many seconds a question is told for the first time, then each time after twice as many.
const FIRST: u64 = 10;

/// Watches over files that are being worked on.
pub(super) struct Lookout {
    at_work: Arc<Mutex<Vec<Entry>>>,
}

/// A file that is being worked on.
struct Entry {
    file: PathBuf,
    work: Arc<Work>,
    since: Instant,
    looked_at: bool,
    /// The question that was asked last, since when, and after how many seconds it is told next.
    question: u64,
    asked: Instant,
    next: u64,
}

impl Lookout {
    /// Says what it finds of the chosen questions, unless less is to be told.
    pub(super) fn new(choice: Choice, common: &Common, signals: &Signals) -> Self {
        let at_work = Arc::new(Mutex::new(Vec::new()));
        let (watched, quiet) = (Arc::clone(&at_work), common.quiet);
        signals.also(move || {
            let told: Vec<String> = held(&watched).iter_mut().filter_map(Entry::look).collect();
            if quiet {
                return;
            }
            if !told.is_empty() {
                // whoever reads it may let it wait
                thread::spawn(move || told.iter().for_each(|told| say(told)));
            }
            while let Some(file) = next(&watched) {
                let (watched, choice) = (Arc::clone(&watched), choice.clone());
                // whatever takes the file long may take the guess as long
                thread::spawn(move || {
                    if let Some(told) = guess(&file, &choice)
                        && held(&watched).iter().any(|entry| entry.file == file)
                    {
                        say(&told);
                    }
                });
            }
        });
        Self { at_work }
    }

    /// Work on a file begins.
    pub(super) fn begin(&self, file: &Path, work: &Arc<Work>) {
        let now = Instant::now();
        let (file, work) = (file.to_path_buf(), Arc::clone(work));
        let entry = Entry { file, work, since: now, looked_at: false, question: 0, asked: now, next: FIRST };
        held(&self.at_work).push(entry);
    }

    /// Work on it has ended.
    pub(super) fn end(&self, file: &Path) {
        held(&self.at_work).retain(|entry| entry.file != file);
    }
}

impl Watch for Lookout {
    fn begins(&self, file: &BankFile, work: &Arc<Work>) {
        self.begin(&file.path, work);
    }

    fn ends(&self, file: &BankFile) {
        self.end(&file.path);
    }
}

impl Entry {
    /// Keeps the time; what to tell, if it is time for that.
    fn look(&mut self) -> Option<String> {
        let number = self.work.number();
        if number != self.question {
            (self.question, self.asked, self.next) = (number, Instant::now(), FIRST);
        }
        let seconds = self.asked.elapsed().as_secs();
        self.work.set_seconds(seconds);
        if seconds < self.next {
            return None;
        }
        self.next *= 2;
        let question = self.work.question();
        let question = if question.is_empty() { String::new() } else { format!(", {question}") };
        let far = match self.work.looked_at() {
            0 => String::new(),
            positions => format!(", {positions} positions so far"),
        };
        Some(format!("note: {}{question}: at work for {seconds} seconds{far}", self.file.display()))
    }
}

fn held(at_work: &Mutex<Vec<Entry>>) -> MutexGuard<'_, Vec<Entry>> {
    // a list of files is whole after each change
    at_work.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that has been worked on for long and not looked at.
fn next(at_work: &Mutex<Vec<Entry>>) -> Option<PathBuf> {
    let mut at_work = held(at_work);
    let entry = at_work.iter_mut().find(|entry| !entry.looked_at && entry.since.elapsed() >= PATIENCE)?;
    entry.looked_at = true;
    Some(entry.file.clone())
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
