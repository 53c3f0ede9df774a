//! Rows of a table of results: one thing beside another.

use gameproof::bench::{Timed, shown_seconds};
use gameproof::report::Table;

/// One thing that is measured beside another.
pub(crate) struct Row {
    /// What is done.
    pub(crate) work: String,
    /// Who does it, and how long it takes.
    pub(crate) own: (String, String),
    /// What it is held against, and how long that takes.
    pub(crate) other: (String, String),
    /// The ratio with its spread.
    pub(crate) ratio: String,
    /// How many paired runs.
    pub(crate) runs: usize,
    /// What the ratio is to be, if anything.
    pub(crate) goal: String,
}

impl Row {
    /// A contestant beside another.
    pub(crate) fn of(work: &str, own: &Timed, other: &Timed, goal: &str) -> Self {
        Self {
            work: work.to_owned(),
            own: (own.name.clone(), shown_seconds(own.median())),
            other: (other.name.clone(), shown_seconds(other.median())),
            ratio: own.ratio_to(other).to_string(),
            runs: own.seconds.len(),
            goal: goal.to_owned(),
        }
    }
}

/// The rows as a table.
pub(crate) fn table(rows: Vec<Row>) -> String {
    let mut table = Table::new(&["work", "by", "takes", "against", "takes", "ratio (quartiles)", "runs", "goal"]);
    for row in rows {
        let runs = row.runs.to_string();
        table.row([row.work, row.own.0, row.own.1, row.other.0, row.other.1, row.ratio, runs, row.goal]);
    }
    table.to_string()
}
