//! What the benches that are measured in pairs let be said after `--`.

use std::path::PathBuf;

use clap::Parser;
use gameproof::bench;

/// Options of a bench.
#[derive(Debug, Parser)]
pub(crate) struct Options {
    /// How many paired runs
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) runs: usize,
    /// How many files are made, where files are made
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) files: usize,
    /// Small figures, to see in seconds that it runs
    #[arg(long)]
    pub(crate) quick: bool,
    /// Also write the page of results below DIR, in a folder named after today
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
    /// Only what has this in its name
    pub(crate) only: Option<String>,
    /// Given by cargo
    #[arg(long, hide = true)]
    pub(crate) bench: bool,
}

impl Options {
    /// As given on the command line. `cargo test --benches` does not say `--bench`, and gets small figures.
    pub(crate) fn given() -> Self {
        let given = Self::parse();
        Self { quick: given.quick || !given.bench, ..given }
    }

    /// Whether a part is wanted.
    pub(crate) fn wants(&self, part: &str) -> bool {
        self.only.as_ref().is_none_or(|only| part.contains(only.as_str()))
    }

    /// Prints the page, and writes it where that is asked for.
    pub(crate) fn finish(&self, name: &str, title: &str, body: &str) {
        let more: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
        let more = if more.is_empty() { String::new() } else { format!(" -- {}", more.join(" ")) };
        let page = bench::page(title, &format!("cargo bench --bench {name}{more}"), body);
        println!("{page}");
        if let Some(folder) = &self.record {
            // cargo starts a bench in the folder of the package
            let written = bench::record(folder, name, &page, &[]);
            println!("recorded in {}", written.expect("the folder of results can be written").display());
        }
    }
}
