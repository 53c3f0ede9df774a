//! A problem file with the engines that take part in it, and the groups that files make.

use std::time::Duration;

use super::engines::{Done, LeftOut, Limits, first_attempt, same};
use crate::problem::Loaded;

/// A problem file that is timed.
#[derive(Debug)]
pub struct Entry {
    /// Its id.
    pub id: String,
    /// The file.
    pub loaded: Loaded,
    /// The engines that answer it, the fastest first; all of them have the same answers, which are the keys'.
    pub fits: Vec<Fit>,
    /// The engines that do not, and why.
    pub left_out: Vec<(&'static str, LeftOut)>,
}

/// An engine that answers all questions of a file.
#[derive(Debug)]
pub struct Fit {
    /// The engine.
    pub engine: &'static str,
    /// The answers and what they cost.
    pub done: Done,
    /// How long the first run took.
    pub first: Duration,
}

impl Entry {
    /// Lets every engine answer once, and compares the answers with the keys and with each other.
    #[must_use]
    pub fn new(id: &str, loaded: Loaded, engines: &[&'static str], limits: &Limits<'_>) -> Self {
        let mut entry = Self { id: id.to_owned(), loaded, fits: Vec::new(), left_out: Vec::new() };
        for engine in engines {
            let (done, first) = first_attempt(&entry.loaded, engine, limits);
            let agreed = done.and_then(|done| match entry.fits.first() {
                Some(fit) => same((fit.engine, &fit.done), (engine, &done)).map(|()| done),
                None => Ok(done),
            });
            match agreed {
                Ok(done) => entry.fits.push(Fit { engine, done, first }),
                Err(reason) => entry.left_out.push((engine, reason)),
            }
        }
        entry
    }

    /// What is wrong with it, if an answer is not the key's or engines disagree: then nothing of it is timed.
    #[must_use]
    pub fn wrong(&self) -> Option<String> {
        self.left_out.iter().find_map(|(engine, reason)| match reason {
            LeftOut::Wrong(told) => Some(format!("{engine}: {told}")),
            _ => None,
        })
    }

    /// The last part of its id.
    fn name(&self) -> &str {
        self.id.rsplit('/').next().unwrap_or_default()
    }

    /// Its id without the size at the end, where a constant of the game has that value, and the size.
    fn sized(&self) -> Option<(&str, i64)> {
        let (stem, digits) = self.id.rsplit_once('-')?;
        let size: i64 = digits.parse().ok()?;
        let (problem, _) = self.loaded.problems.first()?;
        problem.numbers.iter().any(|(_, value)| *value == size).then_some((stem, size))
    }
}

/// Files whose times stand in one plot: a family of files of one folder that differ by a size, or a single file.
#[derive(Debug)]
pub struct Group<'e> {
    /// Its name.
    pub name: &'e str,
    /// The files with what tells them apart: a size that grows, or a name.
    pub members: Vec<(String, &'e Entry)>,
}

impl Group<'_> {
    /// Whether its files differ by a size.
    #[must_use]
    pub const fn is_family(&self) -> bool {
        self.members.len() > 1
    }
}

/// The groups that files make, in order of their first files.
#[must_use]
pub fn groups(entries: &[Entry]) -> Vec<Group<'_>> {
    let family = |entry: &Entry| {
        let stem = entry.sized()?.0;
        (entries.iter().filter(|other| other.sized().is_some_and(|(other, _)| other == stem)).count() > 1).then_some(())
    };
    let mut groups: Vec<Group<'_>> = Vec::new();
    for entry in entries {
        let (name, member) = match entry.sized().filter(|_| family(entry).is_some()) {
            Some((stem, size)) => (stem, size.to_string()),
            None => (entry.id.as_str(), entry.name().to_owned()),
        };
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.members.push((member, entry)),
            None => groups.push(Group { name, members: vec![(member, entry)] }),
        }
    }
    for group in &mut groups {
        group.members.sort_by_key(|(_, entry)| entry.sized().map(|(_, size)| size));
    }
    groups
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::{Entry, groups};
    use crate::bench::{LeftOut, Limits};
    use crate::lang::Source;
    use crate::problem::{Changes, load};

    fn entry(id: &str, n: i64, key: &str) -> Entry {
        let text = format!(
            r#"(title: "Up", constants: {{"n": {n}}}, game: Rules(state: "x", moves: ["x + 1"], end: "x >= n"), start: "0",
            questions: {{"who": (ask: "winner", key: "{key}")}})"#
        );
        let source = Arc::new(Source { name: id.to_owned(), text });
        let loaded = load(&source, &Changes::default()).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
        let limits = Limits { memory: 1 << 20, walk: 50, time: Duration::MAX, question: None };
        Entry::new(id, loaded, &["memo", "walk", "walk-compiled"], &limits)
    }

    #[test]
    fn families_differ_by_a_size() {
        let keys = [("a/up-10", 10, "second"), ("a/up-3", 3, "first"), ("b/up-3", 3, "first"), ("a/up-7", 8, "second")];
        let entries = keys.map(|(id, n, key)| entry(id, n, key));
        let groups = groups(&entries);
        let named: Vec<(&str, Vec<&str>)> = groups
            .iter()
            .map(|group| (group.name, group.members.iter().map(|(member, _)| member.as_str()).collect()))
            .collect();
        assert_eq!(named, [("a/up", vec!["3", "10"]), ("b/up-3", vec!["up-3"]), ("a/up-7", vec!["up-7"])]);
        assert!(entries.iter().all(|entry| entry.fits.len() == 3 && entry.wrong().is_none()));
    }

    #[test]
    fn who_cannot_answer_is_left_out() {
        let large = entry("large", 60, "second");
        assert_eq!(large.fits.iter().map(|fit| fit.engine).collect::<Vec<_>>(), ["memo"]);
        assert!(matches!(large.left_out[..], [("walk", LeftOut::Limit(..)), ("walk-compiled", LeftOut::Limit(..))]));
        let told = entry("wrong", 3, "second").wrong();
        assert_eq!(told.as_deref(), Some("memo: question \"who\": the answer is \"first\", the key is \"second\""));
    }
}
