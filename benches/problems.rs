//! Times the engines on the problem files as `gameproof bench` does, after checking that each answer is the key's: the
//! bank that the main job verifies, and the files of `benches/problems`, which are large on purpose.
//!
//! `cargo bench --bench problems -- two-piles` takes the files with this in their ids. `--save-baseline NAME` keeps the
//! times, `--baseline NAME` compares with them.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a bench prints what it measures")]

#[path = "common/allocator.rs"]
mod allocator;

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use gameproof::bank;
use gameproof::bench::{Baselines, Entry, Limits, criterion, engines, page, plots, record, sample, summary};
use gameproof::engine::on_own_stack;
use gameproof::problem::{Changes, load};

/// Options of the bench.
#[derive(Debug, Parser)]
struct Options {
    /// Only files with this in their ids
    filter: Option<String>,
    /// A few short runs
    #[arg(long)]
    quick: bool,
    /// Keep the times under a name
    #[arg(long, value_name = "NAME", conflicts_with = "baseline")]
    save_baseline: Option<String>,
    /// Compare with the times kept under a name
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Also write the summary below DIR, in a folder named after today
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

/// What one engine may use for one file.
const LIMITS: Limits<'static> =
    Limits { memory: 1 << 30, walk: 2_000_000, time: Duration::from_secs(10), question: None };

fn main() {
    let options = Options::parse();
    // `cargo test --benches` wants to know whether it works
    let quick = options.quick || !options.bench;
    let limits = if quick { Limits { time: Duration::from_secs(1), ..LIMITS } } else { LIMITS };
    let engines: Vec<&'static str> = engines().collect();
    let (files, unreadable) = bank::find(&[PathBuf::from("problems"), PathBuf::from("benches/problems")], None);
    assert!(unreadable.is_empty(), "{unreadable:?}");
    let wanted = |id: &str| options.filter.as_ref().is_none_or(|filter| id.contains(filter.as_str()));
    let mut entries = Vec::new();
    for file in files.iter().filter(|file| wanted(&file.id)) {
        let source = bank::read(&file.path).unwrap_or_else(|mistake| panic!("{}: {}", file.id, mistake.one_line()));
        let loaded = load(&source, &Changes::default())
            .unwrap_or_else(|mistakes| panic!("{}: {}", file.id, mistakes[0].one_line()));
        let entry = on_own_stack(|| Entry::new(&file.id, loaded, &engines, &limits));
        assert_eq!(entry.wrong(), None, "{}", file.id);
        entries.push(entry);
    }
    let baselines = Baselines { save: options.save_baseline, compare: options.baseline };
    let mut criterion = criterion(quick, false, &baselines);
    on_own_stack(|| sample(&mut criterion, &entries, &limits));
    let text = on_own_stack(|| summary(&entries, &limits, quick, |id| eprintln!("in turns: {id}")));
    println!("{text}");
    if let Some(folder) = options.record {
        let page = page("The engines beside each other", "cargo bench --bench problems", &text);
        let path = record(&folder, "bench", &page, &plots(&entries)).expect("the folder of results can be written");
        println!("recorded in {}", path.display());
    }
}
