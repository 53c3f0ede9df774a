//! The tree as text: one play a line, as the program of a well-known note on exam games prints it.

use std::io::Write;

use super::{Broken, Ending, Player, Sink, Step};
use crate::game::shown;
use crate::lang::tree::Rules;

/// Writes each line as soon as it is complete.
pub struct Plays<'a, W> {
    rules: &'a Rules,
    out: W,
    /// The positions of the line so far.
    line: String,
    /// Where each of them begins in it.
    marks: Vec<usize>,
}

impl<'a, W: Write> Plays<'a, W> {
    /// Writes to `out`.
    pub const fn new(rules: &'a Rules, out: W) -> Self {
        Self { rules, out, line: String::new(), marks: Vec::new() }
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}

impl<W: Write> Sink for Plays<'_, W> {
    fn enter(&mut self, step: &Step<'_>) -> Result<(), Broken> {
        self.marks.push(self.line.len());
        aligned(&shown(self.rules, step.position), &mut self.line);
        if let Some(ending) = step.ending {
            let word = match ending {
                Ending::Won(Player::First) => "1 win",
                Ending::Won(Player::Second) => "2 win",
                Ending::Draw => "draw",
                Ending::Goal => "goal",
                Ending::Stuck => "stuck",
                Ending::Cut => "...",
            };
            let positions = self.line.len();
            self.line.push_str(word);
            self.line.push('\n');
            self.out.write_all(self.line.as_bytes())?;
            self.line.truncate(positions);
        }
        Ok(())
    }

    fn leave(&mut self) {
        if let Some(mark) = self.marks.pop() {
            self.line.truncate(mark);
        }
    }
}

/// Adds a position with its numbers below those of other lines: always in parentheses, each number at least two wide.
fn aligned(shown: &str, line: &mut String) {
    let bare = !shown.starts_with('(');
    if bare {
        line.push('(');
    }
    let mut rest = shown;
    while let Some(first) = rest.chars().next() {
        let number = rest.find(|c: char| c != '-' && !c.is_ascii_digit()).unwrap_or(rest.len());
        if number > 0 {
            if number == 1 {
                line.push(' ');
            }
            line.push_str(&rest[..number]);
            rest = &rest[number..];
        } else {
            if first != ' ' {
                line.push(first);
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    line.push_str(if bare { ") " } else { " " });
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn positions_are_aligned() {
        for (shown, expected) in [
            ("5", "( 5) "),
            ("-123", "(-123) "),
            ("(1, -1)", "( 1,-1) "),
            ("(8, [0, 12])", "( 8,[ 0,12]) "),
            ("([0, 1])", "([ 0, 1]) "),
            ("((1, 2), (3, 4))", "(( 1, 2),( 3, 4)) "),
        ] {
            let mut line = String::new();
            aligned(shown, &mut line);
            assert_eq!(line, expected);
        }
    }
}
