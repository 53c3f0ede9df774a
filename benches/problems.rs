//! Times the engines on the problem files, after checking that each answer is the key's.
//!
//! The bank that the main job verifies, and the files of `benches/problems`, which are large on purpose. An engine that
//! cannot answer a file within the limits is left out for it, openly.

#![expect(clippy::print_stderr, reason = "a bench tells what it leaves out")]

use std::hint::black_box;
use std::path::PathBuf;

use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use gameproof::bank;
use gameproof::budget::Budget;
use gameproof::check::{Checking, Finding, Verdict, check};
use gameproof::engine::ENGINES;
use gameproof::problem::{Changes, Loaded, load};

/// The most positions that an engine may look at in one sample.
const LARGEST: u64 = 2_000_000;

fn problems(criterion: &mut Criterion) {
    let (files, unreadable) = bank::find(&[PathBuf::from("problems"), PathBuf::from("benches/problems")], None);
    assert!(unreadable.is_empty(), "{unreadable:?}");
    // what the filter leaves out need not be answered first
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    for file in files {
        if filter.as_ref().is_some_and(|filter| !file.id.contains(filter.split('/').next_back().unwrap_or_default())) {
            continue;
        }
        let source = bank::read(&file.path).unwrap_or_else(|mistake| panic!("{}: {}", file.id, mistake.one_line()));
        let loaded = load(&source, &Changes::default())
            .unwrap_or_else(|mistakes| panic!("{}: {}", file.id, mistakes[0].one_line()));
        let mut group = criterion.benchmark_group(file.id.as_str());
        group.sampling_mode(SamplingMode::Flat).sample_size(10);
        for engine in ENGINES {
            let findings = answered(&loaded, engine);
            if let Some(limited) = findings.iter().find(|finding| finding.verdict == Verdict::Limit) {
                let question = limited.question.clone().unwrap_or_default();
                eprintln!("{}: {engine} is left out, it cannot answer \"{question}\" within the limits", file.id);
                continue;
            }
            for finding in &findings {
                let good = matches!(finding.verdict, Verdict::Right | Verdict::NoKey);
                assert!(good, "{}: {engine} answers {:?} to {:?}", file.id, finding.answer, finding.question);
            }
            let visited: u64 = findings.iter().flat_map(|finding| &finding.visited).map(|(_, count)| count).sum();
            if visited > LARGEST {
                eprintln!("{}: {engine} is left out, it looks at {visited} positions", file.id);
                continue;
            }
            group.throughput(Throughput::Elements(visited));
            group.bench_function(BenchmarkId::from_parameter(engine), |bencher| {
                bencher.iter(|| black_box(answered(black_box(&loaded), engine)));
            });
        }
        group.finish();
    }
}

fn answered(loaded: &Loaded, engine: &'static str) -> Vec<Finding> {
    let budget = Budget::new(512 << 20);
    let checking =
        Checking { engines: vec![engine], walk_limit: LARGEST, budget: &budget, keys: true, certificates: None };
    check("", loaded, &checking, &|_, _| true)
}

criterion_group!(benches, problems);
criterion_main!(benches);
