//! The summary: engines run by run on each problem, ratios in pairs, and what is noise.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use super::engines::{LeftOut, Limits, attempt};
use super::entry::Entry;
use super::pairs::{Contestant, Spread, Timed, figure, geometric_mean, interleave, shown_seconds};
use crate::report::Table;

/// The fewest paired runs, and the most.
const RUNS: (u128, u128) = (5, 25);

/// How long the paired runs of one problem take, if the fewest do not take longer.
const TIME: Duration = Duration::from_secs(1);

/// Runs the engines of every file in turns and writes the summary in Markdown; `heard` is told of each file.
pub fn summary(entries: &[Entry], limits: &Limits<'_>, quick: bool, mut heard: impl FnMut(&str)) -> String {
    let mut problems = Table::new(&[
        "problem",
        "engine",
        "takes",
        "beside the first (quartiles)",
        "",
        "positions",
        "ns a position",
        "bytes a position",
        "runs",
    ]);
    let mut ratios: BTreeMap<&str, Ratios> = BTreeMap::new();
    for entry in entries.iter().filter(|entry| !entry.fits.is_empty()) {
        heard(&entry.id);
        let timed = in_turns(entry, limits, quick);
        let ratio = |at: usize| timed[at].ratio_to(&timed[0]);
        let noise = ratio(timed.len() - 1);
        for (at, fit) in entry.fits.iter().enumerate() {
            let told = match at {
                0 => "",
                _ if ratio(at).overlaps(&noise) => "within noise",
                _ if ratio(at).median < 1.0 => "faster",
                _ => "slower",
            };
            if at > 0 {
                ratios.entry(fit.engine).or_default().add(entry.fits[0].engine, ratio(at), told);
            }
            let shown = if at == 0 { String::new() } else { ratio(at).to_string() };
            problems.row([
                entry.id.clone(),
                fit.engine.to_owned(),
                shown_seconds(timed[at].median()),
                shown,
                told.to_owned(),
                fit.done.visited.to_string(),
                a_position(timed[at].median() * 1e9, fit.done.visited),
                a_position(whole(fit.done.bytes), fit.done.visited),
                timed[at].seconds.len().to_string(),
            ]);
        }
        let again = &timed[timed.len() - 1];
        let mut row =
            [again.name.clone(), shown_seconds(again.median()), noise.to_string(), "noise".to_owned()].to_vec();
        row.insert(0, entry.id.clone());
        row.extend([String::new(), String::new(), String::new(), again.seconds.len().to_string()]);
        problems.row(row);
    }
    let mut text = format!("## Engines\n\n{}", engines_table(entries, &ratios));
    let _ = write!(text, "\n## Problems\n\n{problems}");
    let left_out = left_out(entries);
    if !left_out.is_empty() {
        let _ = write!(text, "\n## Left out\n\n{left_out}");
    }
    text
}

/// The ratios of one engine to the first that answers, over all problems where it is not the first.
#[derive(Default)]
struct Ratios {
    medians: BTreeMap<&'static str, Vec<f64>>,
    within_noise: usize,
}

impl Ratios {
    fn add(&mut self, first: &'static str, ratio: Spread, told: &str) {
        self.medians.entry(first).or_default().push(ratio.median);
        self.within_noise += usize::from(told == "within noise");
    }
}

/// All engines that answer, and the first once more: its two runs tell the noise.
fn in_turns(entry: &Entry, limits: &Limits<'_>, quick: bool) -> Vec<Timed> {
    let one = |name: String, engine: &'static str| {
        Contestant::new(name, move || drop(black_box(attempt(black_box(&entry.loaded), engine, limits))))
    };
    let mut contestants: Vec<Contestant<'_>> =
        entry.fits.iter().map(|fit| one(fit.engine.to_owned(), fit.engine)).collect();
    let again = entry.fits.first().map(|fit| one(format!("{} again", fit.engine), fit.engine));
    contestants.extend(again);
    let once: Duration = entry.fits.iter().map(|fit| fit.first).sum();
    let runs = if quick { RUNS.0 } else { (TIME.as_nanos() / once.as_nanos().max(1)).clamp(RUNS.0, RUNS.1) };
    interleave(&mut contestants, usize::try_from(runs).unwrap_or(1), |_| {})
}

fn engines_table(entries: &[Entry], ratios: &BTreeMap<&str, Ratios>) -> String {
    let mut table = Table::new(&["engine", "problems", "first", "beside the first (geometric mean)", "within noise"]);
    let mut names: Vec<&'static str> = Vec::new();
    for fit in entries.iter().flat_map(|entry| &entry.fits) {
        if !names.contains(&fit.engine) {
            names.push(fit.engine);
        }
    }
    for name in names {
        let fits = entries.iter().filter(|entry| entry.fits.iter().any(|fit| fit.engine == name)).count();
        let first = entries.iter().filter(|entry| entry.fits.first().is_some_and(|fit| fit.engine == name)).count();
        let (means, within) = ratios.get(name).map_or((String::new(), String::new()), |ratios| {
            let mean = |(first, medians): (&&str, &Vec<f64>)| {
                let shown = geometric_mean(medians).map_or(String::new(), figure);
                format!("{shown} beside {first} ({} problems)", medians.len())
            };
            let means: Vec<String> = ratios.medians.iter().map(mean).collect();
            (means.join(", "), ratios.within_noise.to_string())
        });
        table.row([name.to_owned(), fits.to_string(), first.to_string(), means, within]);
    }
    table.to_string()
}

/// Who could not answer within the limits; engines that are not made for a question are not told.
fn left_out(entries: &[Entry]) -> String {
    let mut text = String::new();
    for entry in entries {
        for (engine, reason) in entry.left_out.iter().filter(|(_, reason)| *reason != LeftOut::Unfit) {
            let _ = writeln!(text, "- {}: {engine}: {reason}", entry.id);
        }
    }
    text
}

fn a_position(amount: f64, positions: u64) -> String {
    if positions == 0 { String::new() } else { figure(amount / whole(positions)) }
}

/// A count as a figure: what is counted here stays far below the numbers that a figure cannot tell apart.
fn whole(count: u64) -> f64 {
    let high = u32::try_from(count >> 32).unwrap_or(u32::MAX);
    let low = u32::try_from(count & u64::from(u32::MAX)).unwrap_or(u32::MAX);
    f64::from(high) * 4_294_967_296.0 + f64::from(low)
}
