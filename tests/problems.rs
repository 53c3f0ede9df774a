//! The problem files are the tests: one named trial for each file, question and engine.
//!
//! `problems/` must be right, `tests/wrong/` wrong with the right answer, and the files that `problems/README.md` and
//! `README.md` show must be right too. `memo` and `walk` answer alone, the walker as far as it comes within its limit;
//! `checked` is the answer as `verify` gives it, which the walker or a certificate must confirm.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gameproof::bank::{self, BankFile};
use gameproof::budget::{Budget, Limit};
use gameproof::check::{Checking, Crosscheck, Finding, Verdict, check};
use gameproof::lang::{Mistake, Source};
use gameproof::problem::{Changes, Loaded, load};
use libtest_mimic::{Arguments, Failed, Trial};

const ENGINES: [(&str, &[&str]); 3] =
    [("fast", &["sum", "memo"]), ("walk", &["walk"]), ("checked", &["sum", "memo", "walk", "certificate", "theorem"])];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for file in files("problems") {
        trials.extend(trials_of(&file.id, opened(&file), true));
    }
    for file in files("tests/wrong") {
        trials.extend(trials_of(&format!("wrong/{}", file.id), opened(&file), false));
    }
    for page in ["README.md", "problems/README.md"] {
        for (number, block) in blocks(page).into_iter().enumerate() {
            let source = Arc::new(Source { name: format!("{page}, block {}", number + 1), text: block });
            trials.extend(trials_of(&format!("{page}/{}", number + 1), load(&source, &Changes::default()), true));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn files(folder: &str) -> Vec<BankFile> {
    let (files, unreadable) = bank::find(&[PathBuf::from(folder)], None);
    assert!(unreadable.is_empty(), "{unreadable:?}");
    assert!(!files.is_empty(), "no problem files in {folder}");
    files
}

fn opened(file: &BankFile) -> Result<Loaded, Vec<Mistake>> {
    bank::read(&file.path).map_err(|mistake| vec![mistake]).and_then(|source| load(&source, &Changes::default()))
}

/// The ```ron blocks of a page.
fn blocks(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(page)).unwrap_or_default();
    text.split("```ron\n").skip(1).filter_map(|rest| rest.split("```").next()).map(str::to_owned).collect()
}

fn trials_of(id: &str, loaded: Result<Loaded, Vec<Mistake>>, right: bool) -> Vec<Trial> {
    let loaded = match loaded {
        Ok(loaded) => Arc::new(loaded),
        Err(mistakes) => {
            let told: Vec<String> =
                mistakes.iter().map(|mistake| format!("{:?} {}", mistake.line_column(), mistake.one_line())).collect();
            return vec![Trial::test(format!("{id} loads"), move || Err(Failed::from(told.join("\n"))))];
        }
    };
    let mut trials = Vec::new();
    for (problem, _) in &loaded.problems {
        for question in &problem.questions {
            let variant = problem.variant.clone();
            let label = question.label.clone();
            let name = match &variant {
                None => format!("{id} {label}"),
                Some(variant) => format!("{id} {variant} {label}"),
            };
            for (engine, engines) in ENGINES {
                let (loaded, variant, label) = (Arc::clone(&loaded), variant.clone(), label.clone());
                trials.push(Trial::test(format!("{name} {engine}"), move || {
                    judge(&answered(&loaded, variant.as_deref(), &label, engines), right, engines)
                }));
            }
        }
    }
    trials
}

fn answered(loaded: &Loaded, variant: Option<&str>, label: &str, engines: &[&'static str]) -> Vec<Finding> {
    let budget = Budget::new(4 << 30);
    let checking = Checking {
        engines: engines.to_vec(),
        walk_limit: 200_000,
        budget: &budget,
        keys: true,
        hints: false,
        certificates: None,
    };
    check("", loaded, &checking, &|problem, question| problem.variant.as_deref() == variant && question.label == label)
}

fn judge(findings: &[Finding], right: bool, engines: &[&str]) -> Result<(), Failed> {
    let [finding] = findings else { return Err(Failed::from(format!("{} findings", findings.len()))) };
    let good = match finding.verdict {
        Verdict::Right => right,
        Verdict::Wrong => !right,
        Verdict::NoKey => finding.answer.is_some(),
        Verdict::Limit => engines == ["walk"] && matches!(finding.limit, Some(Limit::Walk(_) | Limit::Moves(_))),
        Verdict::Error => false,
    };
    // the fast engines and the walker alone have nothing to agree with
    let alone = !engines.contains(&"certificate");
    if good && (alone || finding.crosscheck == Crosscheck::Agreed) {
        return Ok(());
    }
    let answer = finding.answer.as_ref().map(ToString::to_string);
    let key = finding.key.as_ref().map(|key| key.written.to_string());
    Err(Failed::from(format!(
        "{:?}, {:?}: answer {answer:?}, key {key:?}, limit {:?}, error {:?}",
        finding.verdict,
        finding.crosscheck,
        finding.limit,
        finding.error.as_ref().map(|mistake| mistake.one_line())
    )))
}
