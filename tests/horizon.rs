//! Tables that look only some plies ahead say the same as whole ones, and as the memo.

use std::path::PathBuf;

use gameproof::bank;
use gameproof::budget::Budget;
use gameproof::engine::{Engine, Memo, Starts, Table};
use gameproof::game::Compiled;
use gameproof::lang::{Halt, Sight};
use gameproof::problem::{Changes, Problem, load};
use gameproof::question::{Fast, Question};
use gameproof::value::Class;

/// Calls `each` with every question of the problem files that is not about a sum.
fn each_question(each: &mut dyn FnMut(&str, &Problem, &Question)) {
    for file in bank::find(&[PathBuf::from("problems")], None).0 {
        let source = bank::read(&file.path).expect("a file that can be read");
        let loaded = load(&source, &Changes::default()).expect("a file that loads");
        for (problem, _) in &loaded.problems {
            for question in problem.questions.iter().filter(|question| !question.sum) {
                each(&format!("{}, {}", file.id, question.label), problem, question);
            }
        }
    }
}

#[test]
fn questions_have_the_answers_of_whole_tables() {
    let budget = Budget::new(1 << 30);
    let (mut ahead, mut fewer) = (0, 0);
    each_question(&mut |name, problem, question| {
        let starts = question.starts(&problem.rules).filter(|starts| starts.plies().is_some());
        let Some(starts) = starts else { return };
        let answered = |starts| {
            let mut table = Table::new(&problem.rules, Some(starts), &budget);
            let answer = question.ask.solve(&mut Fast::new(question, &problem.rules, &mut table));
            (answer.map(|answer| answer.to_string()), table.looks_ahead(), table.visited())
        };
        let whole = answered(Starts { near: Vec::new(), ..starts.clone() });
        let near = answered(starts);
        assert_eq!((&near.0, whole.1), (&whole.0, false), "{name}");
        ahead += u32::from(near.1);
        fewer += u32::from(near.1 && near.2 * 2 < whole.2);
    });
    // or the test would show nothing
    assert!(ahead >= 20 && fewer >= 10, "{ahead} tables look ahead, {fewer} hold less than half");
}

/// Where no bounds are found, a table of what lies near the starts has the answers of the memo.
#[test]
fn questions_have_the_answers_of_the_memo_near_the_starts() {
    let budget = Budget::new(1 << 30);
    let mut nearby = 0;
    each_question(&mut |name, problem, question| {
        let Some(starts) = question.starts(&problem.rules).filter(|starts| starts.plies().is_some()) else { return };
        let table = || Table::new(&problem.rules, Some(starts.clone()), &budget).uncertified();
        for mut table in [table(), table().always_ahead()] {
            let told = question.ask.solve(&mut Fast::new(question, &problem.rules, &mut table));
            if !table.looks_nearby() {
                continue;
            }
            nearby += 1;
            let mut memo = Table::new(&problem.rules, Some(starts.clone()), &budget).by_memo();
            let wanted = question.ask.solve(&mut Fast::new(question, &problem.rules, &mut memo));
            let [told, wanted] = [told, wanted].map(|answer| answer.map(|answer| answer.to_string()));
            assert_eq!(told, wanted, "{name}");
        }
    });
    assert!(nearby >= 6, "{nearby} tables lie near the starts");
}

/// Each class of a start from a table that goes no further than that class needs; and then, when more is asked, from the
/// same table made whole.
#[test]
fn starts_have_the_classes_of_the_memo() {
    const STARTS: usize = 24;
    let budget = Budget::new(1 << 30);
    let mut ahead = 0;
    each_question(&mut |name, problem, question| {
        let rules = &problem.rules;
        if rules.puzzle || question.starts(rules).is_none_or(|starts| starts.plies().is_none()) {
            return;
        }
        let mut memo = Memo::new(Box::new(Compiled::new(rules)), &budget);
        let mut starts: Vec<Vec<i64>> = Vec::new();
        let _ = Fast::new(question, rules, &mut memo).each(&mut |_, row| {
            starts.push(row.start.to_vec());
            if starts.len() < STARTS { Ok(()) } else { Err(Halt::Missing) }
        });
        for start in &starts {
            for bound in [Class::Loss(0), Class::Win(1), Class::Loss(1), Class::Win(2), Class::Loss(2), Class::Win(3)] {
                let starts = Starts::one(start, rules.plies(bound));
                let mut table = Table::new(rules, Some(starts), &budget);
                let told = table.class_within(start, bound);
                if !table.looks_ahead() {
                    continue;
                }
                ahead += 1;
                assert_eq!(told, memo.class_within(start, bound), "{name}, {start:?} within {bound}");
                let far = Class::Win(9);
                assert_eq!(table.class_within(start, far), memo.class_within(start, far), "{name}, {start:?}");
                assert!(!table.looks_ahead(), "{name}, {start:?}: more was asked");
            }
        }
    });
    assert!(ahead >= 1_000, "{ahead} tables look ahead");
}
