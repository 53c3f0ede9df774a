//! The whole bank in parallel, findings in order.

use crate::bank::{self, BankFile};
use crate::budget::{Budget, Limit};
use crate::check::{self, Checking, Finding};
use crate::parallel;
use crate::problem::{Changes, Loaded, Problem, load};
use crate::question::Question;

/// Says whether a question of a problem is wanted.
pub type Wanted<'a> = dyn Fn(&Problem, &Question) -> bool + Sync + 'a;

/// What is run, and how.
pub struct Run<'a> {
    /// How problems are checked.
    pub checking: Checking<'a>,
    /// How many threads; 0 for all cores.
    pub threads: usize,
    /// Tags of which a problem must have one, unless there are none.
    pub tags: Vec<String>,
    /// What the command line changes in each file.
    pub changes: Changes,
    /// Which questions.
    pub wanted: Box<Wanted<'a>>,
}

/// What became of one file.
#[derive(Debug)]
pub struct Outcome {
    /// What was found, in the order of variants and questions.
    pub findings: Vec<Finding>,
    /// Whether the file was looked at, or left out by its tags.
    pub matched: bool,
    /// What the game stands for, where its form is a template.
    pub template: Option<String>,
}

/// Reads and loads a file.
///
/// # Errors
///
/// Findings that tell every mistake.
pub fn open(file: &BankFile, changes: &Changes) -> Result<Loaded, Vec<Finding>> {
    bank::read(&file.path)
        .map_err(|mistake| vec![mistake])
        .and_then(|source| load(&source, changes))
        .map_err(|mistakes| check::not_loaded(&file.id, mistakes))
}

impl Run<'_> {
    /// Checks all files; `done` hears of each as it is done, `take` gets them in order.
    ///
    /// A problem that met the memory limit while others held memory is checked again by itself, so that what is
    /// answered does not depend on the number of threads.
    ///
    /// # Errors
    ///
    /// The threads could not be started.
    pub fn all(
        &self,
        files: &[BankFile],
        done: impl FnMut(&BankFile, &Outcome),
        take: impl FnMut(&BankFile, Outcome),
    ) -> Result<(), String> {
        self.all_watched(files, &|_, _| (), done, take)
    }

    /// The same; `watch` hears of each file when work on it begins, with `true`, and when it ends, with `false`.
    ///
    /// # Errors
    ///
    /// The threads could not be started.
    pub fn all_watched(
        &self,
        files: &[BankFile],
        watch: &(dyn Fn(&BankFile, bool) + Sync),
        mut done: impl FnMut(&BankFile, &Outcome),
        mut take: impl FnMut(&BankFile, Outcome),
    ) -> Result<(), String> {
        let watched = |file: &BankFile| {
            watch(file, true);
            let outcome = self.file(file);
            watch(file, false);
            outcome
        };
        let alone = self.threads == 1 || (self.threads == 0 && parallel::cores() == 1);
        let mut waiting: Vec<(usize, Outcome)> = Vec::new();
        let mut place = 0;
        let mut crowded = false;
        parallel::in_order(
            self.threads,
            files,
            watched,
            |file, outcome| done(file, outcome),
            |file, outcome| {
                crowded = crowded || (!alone && met_memory_limit(&outcome));
                if crowded {
                    waiting.push((place, outcome));
                } else {
                    take(file, outcome);
                }
                place += 1;
            },
        )?;
        for (place, outcome) in waiting {
            let file = &files[place];
            let again = !alone && met_memory_limit(&outcome);
            take(file, if again { watched(file) } else { outcome });
        }
        Ok(())
    }

    /// Checks one file.
    #[must_use]
    pub fn file(&self, file: &BankFile) -> Outcome {
        match open(file, &self.changes) {
            Ok(loaded) => {
                let tagged = self.tags.is_empty() || self.tags.iter().any(|tag| loaded.tags.contains(tag));
                let findings =
                    if tagged { check::check(&file.id, &loaded, &self.checking, &*self.wanted) } else { Vec::new() };
                Outcome { findings, matched: tagged, template: loaded.template }
            }
            Err(findings) => Outcome { findings, matched: true, template: None },
        }
    }

    /// The budget of the run.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        self.checking.budget
    }
}

fn met_memory_limit(outcome: &Outcome) -> bool {
    outcome.findings.iter().any(|finding| matches!(finding.limit, Some(Limit::Memory(_))))
}
