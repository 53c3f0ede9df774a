//! Questions that look only some plies ahead get the same answer from a table that goes no further and from a whole one.

use std::path::PathBuf;

use gameproof::bank;
use gameproof::budget::Budget;
use gameproof::engine::{Engine, Starts, Table};
use gameproof::problem::{Changes, load};
use gameproof::question::Fast;

#[test]
fn tables_that_look_ahead_agree_with_whole_ones() {
    let budget = Budget::new(1 << 30);
    let (mut ahead, mut fewer) = (0, 0);
    for file in bank::find(&[PathBuf::from("problems")], None).0 {
        let source = bank::read(&file.path).expect("a file that can be read");
        let loaded = load(&source, &Changes::default()).expect("a file that loads");
        for (problem, _) in &loaded.problems {
            for question in problem.questions.iter().filter(|question| !question.sum) {
                let Some(starts) = question.starts(&problem.rules).filter(|starts| starts.plies.is_some()) else {
                    continue;
                };
                let answered = |starts| {
                    let mut table = Table::new(&problem.rules, Some(starts), &budget);
                    let answer = question.ask.solve(&mut Fast::new(question, &problem.rules, &mut table));
                    (answer.map(|answer| answer.to_string()), table.looks_ahead(), table.visited())
                };
                let whole = answered(Starts { plies: None, ..starts.clone() });
                let near = answered(starts);
                assert_eq!((&near.0, whole.1), (&whole.0, false), "{}, {}", file.id, question.label);
                ahead += u32::from(near.1);
                fewer += u32::from(near.1 && near.2 * 2 < whole.2);
            }
        }
    }
    // or the test would show nothing
    assert!(ahead >= 20 && fewer >= 10, "{ahead} tables look ahead, {fewer} hold less than half");
}
