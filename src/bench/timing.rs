//! Criterion over problems and engines: one group a problem or family, its times in plots.

use std::env;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use criterion::{AxisScale, BenchmarkId, Criterion, PlotConfiguration, SamplingMode, Throughput};

use super::Limits;
use super::engines::attempt;
use super::entry::{Entry, Group, groups};

/// What takes longer is not sampled by criterion; the paired runs time it a few times.
pub const LONG: Duration = Duration::from_secs(1);

/// What takes longer is sampled with as many runs in each sample.
const FLAT: Duration = Duration::from_millis(5);

/// Which times are kept under which name, and which are compared.
#[derive(Clone, Debug, Default)]
pub struct Baselines {
    /// The times are kept as this.
    pub save: Option<String>,
    /// The times are compared with these.
    pub compare: Option<String>,
}

/// Criterion, so set up that a bank is done in reasonable time.
#[must_use]
pub fn criterion(quick: bool, color: bool, baselines: &Baselines) -> Criterion {
    let (warm_up, measure) = if quick { (10, 50) } else { (200, 1000) };
    let criterion = Criterion::default()
        .output_directory(&folder())
        .with_output_color(color)
        .warm_up_time(Duration::from_millis(warm_up))
        .measurement_time(Duration::from_millis(measure))
        .nresamples(if quick { 1001 } else { 10_000 })
        .sample_size(if quick { 10 } else { 20 });
    match (&baselines.save, &baselines.compare) {
        (Some(name), _) => criterion.save_baseline(name.clone()),
        (None, Some(name)) => criterion.retain_baseline(name.clone(), false),
        (None, None) => criterion,
    }
}

/// Where criterion keeps its plots and baselines: where `CRITERION_HOME` says, else beside what cargo builds.
fn folder() -> PathBuf {
    let target = || env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    env::var_os("CRITERION_HOME").map_or_else(|| target().join("criterion"), PathBuf::from)
}

/// The plots of time against size, one for each family, with the names of the families.
#[must_use]
pub fn plots(entries: &[Entry]) -> Vec<(String, PathBuf)> {
    let plot = |group: &Group<'_>| {
        // criterion names its folders so
        let safe = group.name.replace(['?', '"', '/', '\\', '*', '<', '>', ':', '|', '^'], "_");
        (safe.clone(), folder().join(safe).join("report").join("lines.svg"))
    };
    groups(entries).iter().filter(|group| group.is_family()).map(plot).filter(|(_, plot)| plot.is_file()).collect()
}

/// Times every engine on every file that it answers in less than [`LONG`].
pub fn sample(criterion: &mut Criterion, entries: &[Entry], limits: &Limits<'_>) {
    for group in groups(entries) {
        if group.members.iter().any(|(_, entry)| entry.fits.iter().any(|fit| fit.first < LONG)) {
            sample_group(criterion, &group, limits);
        }
    }
    criterion.final_summary();
}

fn sample_group(criterion: &mut Criterion, group: &Group<'_>, limits: &Limits<'_>) {
    let mut timed = criterion.benchmark_group(group.name);
    let scale = if group.is_family() { AxisScale::Logarithmic } else { AxisScale::Linear };
    timed.plot_config(PlotConfiguration::default().summary_scale(scale));
    for (member, entry) in &group.members {
        for fit in entry.fits.iter().filter(|fit| fit.first < LONG) {
            timed.sampling_mode(if fit.first < FLAT { SamplingMode::Auto } else { SamplingMode::Flat });
            timed.throughput(Throughput::Elements(fit.done.visited));
            timed.bench_with_input(BenchmarkId::new(fit.engine, member), &entry.loaded, |bencher, loaded| {
                bencher.iter(|| black_box(attempt(black_box(loaded), fit.engine, limits)));
            });
        }
    }
    timed.finish();
}
