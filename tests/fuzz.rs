//! The fuzz targets over their corpus, and over the corpus changed at random: nothing panics, engines agree, and no wrong
//! certificate is accepted. `cargo fuzz` goes on from there for as long as it is let.

#[path = "../fuzz/targets.rs"]
mod targets;

use std::fs;
use std::path::Path;

use targets::{TARGETS, Target};

/// How often each file of the corpus is changed.
const CHANGES: usize = 60;

#[test]
fn problem() {
    tried("problem");
}

#[test]
fn rules() {
    tried("rules");
}

#[test]
fn asks() {
    tried("asks");
}

#[test]
fn certificate() {
    tried("certificate");
}

#[test]
fn nim() {
    tried("nim");
}

#[test]
fn play() {
    tried("play");
}

fn tried(name: &str) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).expect("it is a target");
    let mut files: Vec<_> = fs::read_dir(Path::new("fuzz/corpus").join(name))
        .expect("each target has a corpus")
        .map(|file| file.expect("the corpus can be read").path())
        .collect();
    files.sort();
    let corpus: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).expect("it can be read")).collect();
    assert!(!corpus.is_empty());
    corpus.iter().for_each(|data| target(data));
    let changes = std::env::var("GAMEPROOF_CHANGES").ok().and_then(|changes| changes.parse().ok()).unwrap_or(CHANGES);
    for (place, data) in corpus.iter().enumerate() {
        for round in 0..changes {
            try_changed(*target, &corpus, data, name, u64::try_from(place * 1_000_000 + round).expect("it is small"));
        }
    }
}

/// Tries a file of the corpus after some changes that the seed tells.
fn try_changed(target: Target, corpus: &[Vec<u8>], data: &[u8], name: &str, seed: u64) {
    let mut lots = fastrand::Rng::with_seed(seed);
    let mut changed = data.to_vec();
    for _ in 0..lots.usize(1..4) {
        let at = lots.usize(0..=changed.len());
        match lots.u8(0..5) {
            0 => changed.insert(at, lots.u8(..)),
            1 => changed.insert(at, b"()[]{}\",:|+-*/%<>= 019xk"[lots.usize(0..24)]),
            2 if at < changed.len() => drop(changed.remove(at)),
            3 if at < changed.len() => changed[at] ^= 1 << lots.u8(0..8),
            _ => {
                let other = &corpus[lots.usize(0..corpus.len())];
                let from = lots.usize(0..=other.len());
                let to = lots.usize(from..=other.len().min(from + 30));
                changed.splice(at..at, other[from..to].iter().copied());
            }
        }
    }
    if std::panic::catch_unwind(|| target(&changed)).is_err() {
        panic!("{name}, seed {seed}: {:?}", String::from_utf8_lossy(&changed));
    }
}
