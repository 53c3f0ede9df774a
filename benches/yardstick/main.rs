//! Loops written by hand for single games, and what the program needs beside them, in paired runs.
//!
//! `cargo bench --bench yardstick` measures all of it; `-- inside` or `-- process` a part. The loops are `piles`,
//! `token` and `memo`; `inside` runs them in one process with the engines, `process` starts whole processes.
//!
//! `cargo bench --bench yardstick -- once two 10000` is one cold run of a loop, to be timed as a whole process:
//!
//! | words | loop |
//! |---|---|
//! | `once two N`, `once rows N` | two piles to a sum of N, plainly or by rows |
//! | `once one N` | one pile to N |
//! | `once tree N` | plays of the token until it is farther than N away |
//! | `once memo N` | two numbers N, cut to a half, a third or a fifth |

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

#[path = "../common/allocator.rs"]
mod allocator;
#[path = "../common/options.rs"]
mod options;
#[path = "../common/rows.rs"]
mod rows;

mod inside;
mod memo;
mod piles;
mod process;
mod token;

use self::options::Options;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [once, game, size] = &words[..]
        && once == "once"
    {
        println!("{}", once_cold(game, size).expect("usage: once two|rows|one|tree|memo N"));
        return;
    }
    let options = Options::given();
    let mut body = String::new();
    if options.wants("inside") {
        body += &format!("## In one process\n\n{}\n", inside::measure(&options));
    }
    if options.wants("process") {
        body += &format!("## Whole processes\n\n{}\n", process::measure(&options));
    }
    options.finish("yardstick", "Beside loops written by hand", &body);
}

/// What a cold run finds, in the words that `solve` prints.
fn once_cold(game: &str, size: &str) -> Option<String> {
    let n: usize = size.parse().ok()?;
    Some(match game {
        "two" | "rows" => {
            let mut piles = piles::Piles::new(n);
            if game == "two" {
                piles.fill_plainly()
            } else {
                piles.fill_by_rows()
            }
            piles.tally().to_string()
        }
        "one" => {
            let mut pile = piles::Pile::new(n);
            pile.fill();
            pile.tally().to_string()
        }
        "tree" => format!("plays: {}", token::plays(-2, -1, i32::try_from(n).ok()?)),
        "memo" => {
            let start = u32::try_from(n).ok()?;
            let mut memo = memo::Memo::new();
            let worth = memo.worth(start, start);
            format!("positions: {}\nremoteness: {}", memo.len(), memo::remoteness(worth))
        }
        _ => return None,
    })
}
