//! What checking a certificate costs beside the least that it could cost: listing the same positions with their options
//! by the reference evaluator, on the same threads, in paired runs.
//!
//! `cargo bench --bench certificate -- FILE` takes another problem file.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

#[path = "common/allocator.rs"]
mod allocator;
#[path = "common/options.rs"]
mod options;
#[path = "common/rows.rs"]
mod rows;

use std::hint::black_box;
use std::path::Path;

use gameproof::bank;
use gameproof::bench::{Contestant, interleave};
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

use self::rows::{Row, table};

fn main() {
    let given = options::Options::given();
    let own = ["benches/problems/two-piles-100.ron", "benches/problems/two-piles-1000.ron"];
    let files: Vec<&str> = match &given.only {
        Some(file) if file.ends_with(".ron") => vec![file],
        _ => own[..if given.quick { 1 } else { 2 }].iter().filter(|file| given.wants(file)).copied().collect(),
    };
    let rows = files.into_iter().map(|file| measure(Path::new(file), &given)).collect();
    given.finish("certificate", "Checking certificates", &table(rows));
}

fn measure(file: &Path, given: &options::Options) -> Row {
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
    let timed = interleave(
        &mut [
            Contestant::new("checking the certificate", || {
                assert_eq!(certificate::check(black_box(&claims), &problem.rules, &budget), Ok(()));
            }),
            Contestant::new("listing the positions", || list(&claims, &problem.rules)),
        ],
        given.runs,
        |_| {},
    );
    let positions = claims.positions.len() + claims.lines.map_or(0, |claim| claim.lines.len());
    Row::of(&format!("{shown}, {positions} positions"), &timed[0], &timed[1], "")
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
