//! What checking a certificate costs beside the least that it could cost: listing the same positions with their options
//! by the reference evaluator, on the same threads. Prints paired ratios.
//!
//! `cargo bench --bench certificate -- FILE…` takes other problem files; `GAMEPROOF_RUNS=2` runs so many pairs.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use gameproof::bank;
use gameproof::budget::Budget;
use gameproof::certificate;
use gameproof::claims::Claims;
use gameproof::engine::{Engine, Starts, Table};
use gameproof::game::{Game, Reference};
use gameproof::lang::Options;
use gameproof::lang::tree::Rules;
use gameproof::parallel;
use gameproof::problem::{Changes, load};
use gameproof::question::Fast;

/// How many pairs are run, unless it is said otherwise.
const RUNS: usize = 5;

fn main() {
    let files: Vec<PathBuf> =
        std::env::args().skip(1).filter(|argument| argument.ends_with(".ron")).map(PathBuf::from).collect();
    let default = ["benches/problems/two-piles-100.ron", "benches/problems/two-piles-1000.ron"].map(PathBuf::from);
    for file in if files.is_empty() { &default[..] } else { &files } {
        measure(file);
    }
}

fn measure(file: &Path) {
    let shown = file.display();
    let source = bank::read(file).unwrap_or_else(|mistake| panic!("{shown}: {}", mistake.one_line()));
    let loaded =
        load(&source, &Changes::default()).unwrap_or_else(|mistakes| panic!("{shown}: {}", mistakes[0].one_line()));
    let (problem, _) = &loaded.problems[0];
    let budget = Budget::new(20 << 30);
    let starts = problem.questions.iter().filter_map(|question| question.starts(&problem.rules)).reduce(Starts::and);
    let mut table = Table::new(&problem.rules, starts, &budget);
    for question in &problem.questions {
        let answer = question.ask.solve(&mut Fast::new(question, &problem.rules, &mut table));
        assert!(answer.is_ok(), "{shown}: {answer:?}");
    }
    let claims = table.claims().expect("the claims fit").expect("the engine makes claims");
    let mut ratios: Vec<f64> = Vec::new();
    let (mut listing, mut checking) = (Vec::new(), Vec::new());
    let runs = std::env::var("GAMEPROOF_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(RUNS).max(1);
    for _ in 0..runs {
        let listed = seconds(|| list(&claims, &problem.rules));
        let checked = seconds(|| {
            assert_eq!(certificate::check(black_box(&claims), &problem.rules, &budget), Ok(()));
        });
        listing.push(listed);
        checking.push(checked);
        ratios.push(checked / listed);
    }
    println!(
        "{shown}: {} positions, listing {:.3} s, checking {:.3} s, ratio {:.2} ({:.2} to {:.2})",
        claims.positions.len() + claims.lines.map_or(0, |claim| claim.lines.len()),
        median(&mut listing),
        median(&mut checking),
        median(&mut ratios),
        ratios[0],
        ratios[runs - 1],
    );
}

fn list(claims: &Claims<'_>, rules: &Rules) {
    if let Some(claim) = claims.lines {
        let listed: Result<(), ()> = parallel::stretches(claim.lines.len(), |range| {
            let mut game = Reference::new(rules);
            let (mut position, mut options) = (Vec::new(), Options::default());
            for index in range {
                claim.lines.read(index, &mut position);
                black_box(game.look(&position, &mut options)).map_err(|_| ())?;
            }
            Ok(())
        });
        assert_eq!(listed, Ok(()), "the reference evaluator lists what the table holds");
    }
    let listed: Result<(), ()> = parallel::stretches(claims.positions.len(), |range| {
        let mut game = Reference::new(rules);
        let (mut position, mut options) = (Vec::new(), Options::default());
        for number in range {
            claims.positions.read(u32::try_from(number).map_err(|_| ())?, &mut position);
            black_box(game.look(&position, &mut options)).map_err(|_| ())?;
        }
        Ok(())
    });
    assert_eq!(listed, Ok(()), "the reference evaluator lists what the memo has found");
}

fn seconds(work: impl FnOnce()) -> f64 {
    let begin = Instant::now();
    work();
    begin.elapsed().as_secs_f64()
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
