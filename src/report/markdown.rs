//! Tables in Markdown, with columns of even width, so that they read well as plain text too.

use std::fmt;

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(head: &[&str]) -> Self {
        Self { head: head.iter().map(|cell| (*cell).to_owned()).collect(), rows: Vec::new() }
    }

    /// Adds a row; a bar in a cell would end it and is written as a slash.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| cell.replace('|', "/")).collect());
    }

    /// Whether it has no rows.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn width(&self, column: usize) -> usize {
        let all = std::iter::once(&self.head).chain(&self.rows);
        all.filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0).max(3)
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> = (0..self.head.len()).map(|column| self.width(column)).collect();
        let mut line = |row: &[String]| {
            let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
            writeln!(f, "| {} |", cells.collect::<Vec<_>>().join(" | "))
        };
        line(&self.head)?;
        line(&widths.iter().map(|width| "-".repeat(*width)).collect::<Vec<_>>())?;
        self.rows.iter().try_for_each(|row| line(row))
    }
}

#[cfg(test)]
mod tests {
    use super::Table;

    #[test]
    fn columns_are_even() {
        let mut table = Table::new(&["work", "s"]);
        table.row(["solve".to_owned(), "1.25".to_owned()]);
        table.row(["a | b".to_owned(), "2".to_owned()]);
        let lines = ["| work  | s    |", "| ----- | ---- |", "| solve | 1.25 |", "| a / b | 2    |", ""];
        assert_eq!(table.to_string(), lines.join("\n"));
    }
}
