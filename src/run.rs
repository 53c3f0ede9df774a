//! The whole bank in parallel, findings in order.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::bank::{self, BankFile};
use crate::budget::{Budget, Limit, Work};
use crate::check::{self, Checking, Finding, Found};
use crate::parallel::{self, Taker};
use crate::problem::{Changes, Loaded, Problem, load};
use crate::question::Question;

/// Says whether a question of a problem is wanted.
pub type Wanted<'a> = dyn Fn(&Problem, &Question) -> bool + Sync + 'a;

/// Hears of each file when work on it begins and when it ends.
pub trait Watch: Sync {
    /// Work begins; what is done shows there.
    fn begins(&self, file: &BankFile, work: &Arc<Work>);
    /// It has ended.
    fn ends(&self, file: &BankFile);
}

/// How many bytes of memory a byte of a problem file takes, with all that is made of it.
const IN_MEMORY: u64 = 32;

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
    /// Who hears of each file, if anybody.
    pub watch: Option<&'a dyn Watch>,
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
    /// Checks all files; what `digest` makes of each outcome, on the thread that found it, is handed on in order.
    ///
    /// A problem that met the memory limit while others held memory is checked again by itself, so that what is
    /// answered does not depend on the number of threads.
    ///
    /// # Errors
    ///
    /// The threads could not be started.
    pub fn all<R: Send>(
        &self,
        files: &[BankFile],
        digest: &(dyn Fn(&BankFile, Outcome) -> R + Sync),
        taker: &mut dyn Taker<BankFile, R>,
    ) -> Result<(), String> {
        let at_work: Mutex<HashMap<PathBuf, Arc<Found>>> = Mutex::default();
        let work = |file: &&BankFile| {
            let budget = self.budget().part();
            let found = Arc::new(Found::new(&budget));
            held(&at_work).insert(file.path.clone(), Arc::clone(&found));
            self.watch.inspect(|watch| watch.begins(file, budget.work()));
            let outcome = self.within(file, &budget, &found);
            self.watch.inspect(|watch| watch.ends(file));
            let done = (met_memory_limit(&outcome), digest(file, outcome));
            held(&at_work).remove(&file.path);
            done
        };
        // what has been found of a file that is given up
        let rescue = |file: &BankFile| {
            let found = held(&at_work).remove(&file.path)?;
            let findings = found.give_up(self.budget().stopped().unwrap_or(Limit::Interrupted));
            let outcome = Outcome { findings, matched: true, template: None };
            (!outcome.findings.is_empty()).then(|| digest(file, outcome))
        };
        let alone = self.threads == 1 || (self.threads == 0 && parallel::cores() == 1);
        let mut row = Row { taker, rescue: &rescue, alone, waiting: Vec::new() };
        let each: Vec<&BankFile> = files.iter().collect();
        parallel::in_order(self.threads, &each, work, &mut row)?;
        let Row { taker, waiting, .. } = row;
        let again = |waiting: &Waiting<'_, R>| {
            let kept = |found: &mut (bool, R)| !found.0 || self.budget().stopped().is_some();
            let found = held(&waiting.found).take_if(kept);
            found.map_or_else(|| work(&waiting.file).1, |(_, found)| found)
        };
        parallel::in_order(1, &waiting, again, &mut Alone { taker })
    }

    /// Checks one file. A run that was stopped looks at no further one.
    #[must_use]
    pub fn file(&self, file: &BankFile) -> Outcome {
        self.within(file, self.budget(), &Found::new(self.budget()))
    }

    fn within(&self, file: &BankFile, budget: &Budget, found: &Found) -> Outcome {
        if let Err(limit) = self.budget().check() {
            return Outcome { findings: vec![check::not_looked_at(&file.id, limit)], matched: true, template: None };
        }
        let unread = |findings| Outcome { findings, matched: true, template: None };
        let source = match bank::read(&file.path) {
            Ok(source) => source,
            Err(mistake) => return unread(check::not_loaded(&file.id, vec![mistake])),
        };
        let (mut hold, bytes) = (budget.hold(), u64::try_from(source.text.len()).unwrap_or(u64::MAX));
        if let Err(limit) = hold.resize(bytes.saturating_mul(IN_MEMORY)) {
            return unread(vec![check::not_looked_at(&file.id, limit)]);
        }
        match load(&source, &self.changes) {
            Ok(loaded) => self.loaded_into(found, file, &loaded, budget),
            Err(mistakes) => unread(check::not_loaded(&file.id, mistakes)),
        }
    }

    /// Checks one file that has been loaded.
    #[must_use]
    pub fn loaded(&self, file: &BankFile, loaded: &Loaded, budget: &Budget) -> Outcome {
        self.loaded_into(&Found::new(budget), file, loaded, budget)
    }

    fn loaded_into(&self, found: &Found, file: &BankFile, loaded: &Loaded, budget: &Budget) -> Outcome {
        let tagged = self.tags.is_empty() || self.tags.iter().any(|tag| loaded.tags.contains(tag));
        let checking = Checking { budget, engines: self.checking.engines.clone(), ..self.checking };
        if tagged {
            check::check_into(found, &file.id, loaded, &checking, &*self.wanted);
        }
        Outcome { findings: found.take(), matched: tagged, template: loaded.template.clone() }
    }

    /// The budget of the run.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        self.checking.budget
    }
}

/// What was found of a file after the first that met the memory limit, and whether this one met it too.
struct Waiting<'f, R> {
    file: &'f BankFile,
    /// Nothing where the work was given up.
    found: Mutex<Option<(bool, R)>>,
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // what is taken out of it is taken whole
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands on what is found, up to the first file that met the memory limit.
struct Row<'t, 'f, R> {
    taker: &'t mut dyn Taker<BankFile, R>,
    /// What is left of a file that was given up, if anything.
    rescue: &'t dyn Fn(&BankFile) -> Option<R>,
    /// Whether files are checked one by one anyway.
    alone: bool,
    waiting: Vec<Waiting<'f, R>>,
}

impl<'f, R> Taker<&'f BankFile, (bool, R)> for Row<'_, 'f, R> {
    fn done(&mut self, file: &&'f BankFile, (_, found): &(bool, R)) {
        self.taker.done(file, found);
    }

    fn take(&mut self, file: &&'f BankFile, (met, found): (bool, R)) {
        if self.waiting.is_empty() && (self.alone || !met) {
            self.taker.take(file, found);
        } else {
            self.waiting.push(Waiting { file, found: Mutex::new(Some((met, found))) });
        }
    }

    fn gives_up(&mut self) -> bool {
        self.taker.gives_up()
    }

    fn lost(&mut self, file: &&'f BankFile) {
        let found = (self.rescue)(file);
        if !self.waiting.is_empty() {
            self.waiting.push(Waiting { file, found: Mutex::new(found.map(|found| (false, found))) });
        } else if let Some(found) = found {
            self.taker.take(file, found);
        } else {
            self.taker.lost(file);
        }
    }

    fn given_up(&mut self) {
        for waiting in self.waiting.drain(..) {
            match held(&waiting.found).take() {
                Some((_, found)) => self.taker.take(waiting.file, found),
                None => self.taker.lost(waiting.file),
            }
        }
        self.taker.given_up();
    }
}

/// Hands on what is found of files that are checked one by one after all others.
struct Alone<'t, R> {
    taker: &'t mut dyn Taker<BankFile, R>,
}

impl<R> Taker<Waiting<'_, R>, R> for Alone<'_, R> {
    fn take(&mut self, waiting: &Waiting<'_, R>, found: R) {
        self.taker.take(waiting.file, found);
    }

    fn gives_up(&mut self) -> bool {
        self.taker.gives_up()
    }

    fn lost(&mut self, waiting: &Waiting<'_, R>) {
        // what it found before, with others beside it, is better than nothing
        match held(&waiting.found).take() {
            Some((_, found)) => self.taker.take(waiting.file, found),
            None => self.taker.lost(waiting.file),
        }
    }

    fn given_up(&mut self) {
        self.taker.given_up();
    }
}

fn met_memory_limit(outcome: &Outcome) -> bool {
    outcome.findings.iter().any(|finding| matches!(finding.limit, Some(Limit::Memory(_))))
}
