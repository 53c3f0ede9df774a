//! What is found of a file, question by question, so that nothing is lost where the work is given up.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Crosscheck, Finding, Verdict};
use crate::budget::{Budget, Hold, Limit};
use crate::lang::Stop;
use crate::question::Answer;

/// The findings of one file. Work on it changes them one by one; whoever gives it up takes them meanwhile. The memory of
/// the answers is held as long as this is there.
#[derive(Debug)]
pub struct Found {
    findings: Mutex<Vec<Finding>>,
    hold: Mutex<Hold>,
}

impl Found {
    /// Nothing yet.
    #[must_use]
    pub fn new(budget: &Budget) -> Self {
        Self { findings: Mutex::default(), hold: Mutex::new(budget.hold()) }
    }

    /// Adds questions of which nothing is known yet; the place of the first.
    pub(super) fn expect(&self, questions: impl Iterator<Item = Finding>) -> usize {
        let mut findings = held(&self.findings);
        let first = findings.len();
        findings.extend(questions);
        first
    }

    /// Changes the finding in a place, unless all were taken.
    pub(super) fn with(&self, place: usize, change: impl FnOnce(&mut Finding)) {
        if let Some(finding) = held(&self.findings).get_mut(place) {
            change(finding);
        }
    }

    /// Counts the memory of an answer.
    ///
    /// # Errors
    ///
    /// There is not as much left.
    pub(super) fn hold(&self, answer: Answer) -> Result<Answer, Stop> {
        let mut hold = held(&self.hold);
        let all = hold.bytes().saturating_add(answer.bytes());
        match hold.resize(all) {
            Err(limit @ Limit::Memory(_)) => Err(Stop::Limit(limit)),
            // an answer that is there is not lost when the run is to stop
            _ => Ok(answer),
        }
    }

    /// Takes them all.
    #[must_use]
    pub fn take(&self) -> Vec<Finding> {
        std::mem::take(&mut held(&self.findings))
    }

    /// Takes what was found until the work was given up for this limit; nothing where no question was answered.
    #[must_use]
    pub fn give_up(&self, limit: Limit) -> Vec<Finding> {
        let mut findings = self.take();
        let is_known =
            |finding: &Finding| finding.answer.is_some() || finding.error.is_some() || finding.limit.is_some();
        if !findings.iter().any(is_known) {
            return Vec::new();
        }
        for finding in &mut findings {
            if !is_known(finding) {
                finding.verdict = Verdict::Limit;
                finding.limit = Some(limit);
                finding.crosscheck = Crosscheck::None("there is no answer".into());
            } else if finding.is_open() {
                finding.crosscheck = Crosscheck::None(limit.to_string().into());
            }
        }
        findings
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // each change leaves it whole, or the whole work has ended
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
