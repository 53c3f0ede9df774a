//! One named trial for each file below `tests/cases`.
//!
//! - `laws`: every key is right, for the default engines and for each of two engines alone.
//! - `verdicts`: files that load; each line of output agrees with the `.jsonl` beside the file.
//! - `refused`: files that must not load; the same, and what a person reads is compared with the
//!   `.txt` beside the file.
//!
//! The files of `faults` are for `tests/faults.rs`.
//!
//! `GAMEPROOF_UPDATE=1 cargo test --test cases` writes the `.txt` files anew.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// Where the cases are, seen from the crate's root, so that no message depends on the machine.
const CASES: &str = "tests/cases";

/// A question or a variant whose label ends so is meant to have no key.
const WITHOUT_KEY: &str = "(no key)";

/// The ways in which each law is asked for: the name of the way and its options.
const WAYS: [(&str, &[&str]); 3] = [
    ("checked", &[]),
    ("memo", &["--engines", "memo", "--allow-unchecked"]),
    ("walk", &["--engines", "walk", "--allow-unchecked"]),
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for file in problems("laws") {
        for (way, options) in WAYS {
            let file = file.clone();
            let name = format!("laws::{}::{way}", stem(&file));
            trials.push(Trial::test(name, move || law(&file, way, options)));
        }
    }
    for file in problems("verdicts") {
        let name = format!("verdicts::{}", stem(&file));
        trials.push(Trial::test(name, move || expected_lines(&file)));
    }
    for file in problems("refused") {
        let lines = file.clone();
        let name = format!("refused::{}", stem(&file));
        trials.push(Trial::test(format!("{name}::lines"), move || expected_lines(&lines)));
        trials.push(Trial::test(format!("{name}::text"), move || snapshot(&file)));
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The problem files of one folder, in order of their names.
fn problems(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(CASES).join(folder);
    let entries = fs::read_dir(root().join(&folder)).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries
        .map(|entry| folder.join(entry.expect("a readable folder").file_name()))
        .filter(|file| file.extension() == Some(OsStr::new("ron")))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no cases in {}", folder.display());
    files
}

/// Every key of a law is right, whatever answers.
fn law(file: &Path, way: &str, options: &[&str]) -> Result<(), Failed> {
    let run = verify(file, &[&["--format", "jsonl"], options].concat());
    let lines = objects(file, &run)?;
    let mut faults = String::new();
    for line in &lines {
        let keyless = ["question", "variant"]
            .iter()
            .any(|field| line[field].as_str().is_some_and(|label| label.ends_with(WITHOUT_KEY)));
        let verdict = if keyless && line["key"].is_null() { "no-key" } else { "right" };
        if line["verdict"] != verdict {
            fault(&mut faults, file, &format!("verdict {verdict}"), line);
        }
        if way == "checked" && line["crosscheck"] != "agreed" {
            fault(&mut faults, file, "crosscheck agreed", line);
        }
    }
    let asked = read(file)?.matches("ask:").count();
    let told = lines.iter().filter(|line| line["variant"].is_null()).count();
    if asked != told {
        let _ = writeln!(faults, "{}: {asked} questions, {told} lines", file.display());
    }
    status(&mut faults, file, &run, 0);
    result(faults)
}

/// The output has the lines of the `.jsonl` beside the file, in their order.
fn expected_lines(file: &Path) -> Result<(), Failed> {
    let expected: Vec<Value> = read(&file.with_extension("jsonl"))?
        .lines()
        .map(|line| serde_json::from_str(line).map_err(|error| format!("{line}: {error}")))
        .collect::<Result<_, _>>()?;
    let run = verify(file, &["--format", "jsonl"]);
    let lines = objects(file, &run)?;
    let mut faults = String::new();
    for (number, want) in expected.iter().enumerate() {
        match lines.get(number) {
            Some(line) if fits(want, line) => {}
            Some(line) => fault(&mut faults, file, &want.to_string(), line),
            None => fault(&mut faults, file, &want.to_string(), &"no line"),
        }
    }
    for line in lines.iter().skip(expected.len()) {
        fault(&mut faults, file, "no further line", line);
    }
    let has = |verdict: &str| expected.iter().any(|line| line["verdict"] == verdict);
    let code = if has("wrong") {
        1
    } else if has("error") {
        2
    } else {
        0
    };
    status(&mut faults, file, &run, code);
    result(faults)
}

/// What a person reads of a file that does not load stays as it is in the `.txt` beside it.
fn snapshot(file: &Path) -> Result<(), Failed> {
    let run = verify(file, &["--color", "never", "--progress", "none"]);
    let text = format!(
        "-- standard output\n{}-- standard error\n{}",
        String::from_utf8_lossy(&run.stdout),
        String::from_utf8_lossy(&run.stderr),
    );
    let kept = file.with_extension("txt");
    if std::env::var_os("GAMEPROOF_UPDATE").is_some_and(|value| value == "1") {
        return fs::write(root().join(&kept), text).map_err(|error| format!("{}: {error}", kept.display()).into());
    }
    let want = read(&kept)?;
    if want == text {
        return Ok(());
    }
    Err(format!("{}\nexpected:\n{want}\nactual:\n{text}\n(GAMEPROOF_UPDATE=1 writes it anew)", kept.display(),).into())
}

/// Whether a line has all that is wanted of it. `message_has` is a list of parts of the message;
/// an object needs only the fields that are named; all else must be equal.
fn fits(want: &Value, line: &Value) -> bool {
    match (want, line) {
        (Value::Object(want), Value::Object(_)) => want.iter().all(|(field, want)| {
            if field != "message_has" {
                return line.get(field).is_some_and(|line| fits(want, line));
            }
            let message = line["message"].as_str().unwrap_or_default();
            let parts = want.as_array().expect("message_has is a list");
            parts.iter().all(|part| message.contains(part.as_str().expect("a part is text")))
        }),
        _ => want == line,
    }
}

/// Runs `gameproof verify` on one file with the crate's root as the current folder.
fn verify(file: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gameproof"))
        .arg("verify")
        .args(options)
        .arg(file)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .env_remove("GAMEPROOF_UPDATE")
        .output()
        .expect("the program starts")
}

/// The lines of standard output as objects.
fn objects(file: &Path, run: &Output) -> Result<Vec<Value>, Failed> {
    let text = String::from_utf8_lossy(&run.stdout);
    text.lines()
        .map(|line| {
            let object = serde_json::from_str(line);
            object.map_err(|error| format!("{}: {error}: {line}", file.display()).into())
        })
        .collect()
}

/// Notes an exit status that is not the one wanted, with what the program said.
fn status(faults: &mut String, file: &Path, run: &Output, want: i32) {
    if run.status.code() != Some(want) {
        let _ = writeln!(
            faults,
            "{}\n  expected: exit status {want}\n  actual:   {}\n{}",
            file.display(),
            run.status,
            String::from_utf8_lossy(&run.stderr),
        );
    }
}

/// Notes a line that is not as it should be.
fn fault(faults: &mut String, file: &Path, want: &str, line: &dyn std::fmt::Display) {
    let _ = writeln!(faults, "{}\n  expected: {want}\n  actual:   {line}", file.display());
}

fn result(faults: String) -> Result<(), Failed> {
    if faults.is_empty() { Ok(()) } else { Err(faults.into()) }
}

fn read(file: &Path) -> Result<String, Failed> {
    fs::read_to_string(root().join(file)).map_err(|error| format!("{}: {error}", file.display()).into())
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
