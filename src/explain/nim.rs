//! Sums of games in binary columns: Nim, and any sum of games that the last mover wins, by the values of its components.
//!
//! Sources: C. Bouton, "Nim, a game with a complete mathematical theory", 1901; R. Sprague, 1935, and P. Grundy, 1939.

use super::facts::{Ahead, Made};
use super::words::{and, count, the, upper};
use super::{Fact, Place, Told, Work};
use crate::lang::tree::{Heaps, Quantity};
use crate::lang::{Halt, Options};
use crate::value::Outcome;

/// How many components are set out in columns.
const ROWS: usize = 24;

/// A component: how it is shown, its Grundy value, and its cells with the tail.
struct Row {
    shown: String,
    value: i64,
    cells: Vec<i64>,
}

impl Work<'_> {
    /// Says who wins by the columns of the binary values, where the start is such a sum; whether
    /// it did. What has been told is told again only where it must be told anew.
    pub(super) fn by_columns(&mut self, place: &Place, anew: bool, indent: usize) -> Result<bool, Halt> {
        let rules = &self.problem.rules;
        let nim = rules.heaps == Some(Heaps::Nim);
        if !self.question.sum || !(nim || rules.last_mover_wins()) {
            return Ok(false);
        }
        let Some(rows) = self.rows(&place.position)? else { return Ok(false) };
        if rows.is_empty() {
            return Ok(false);
        }
        if let Some(label) = self.told_before(Told::Columns(place.position.clone()))
            && !anew
        {
            let verdict = self.verdict(place, Ahead::All)?;
            self.page.say(indent, &format!("{verdict} The columns stand under question {label}."));
            return Ok(true);
        }
        if self.whole.quantity(&place.position, Quantity::Moves).is_ok_and(|moves| moves == Some(0)) {
            return Ok(false);
        }
        let lost = self.whole.outcome(&place.position)? == Outcome::Loss;
        self.claim(&place.position, Fact::Outcome(if lost { Outcome::Loss } else { Outcome::Win }));
        if !nim {
            self.mex_of(&rows, indent)?;
        }
        if nim && !rules.last_mover_wins() {
            self.misere(place, &rows, lost, indent)?;
            return Ok(true);
        }
        if let [only] = &rows[..] {
            self.single(place, only, indent)?;
            return Ok(true);
        }
        let odd = self.columns(&rows, indent);
        let thing = if nim { "heap" } else { "value" };
        let (mover, other) = (place.mover, place.mover.other());
        if lost {
            self.page.say(
                indent,
                &format!(
                    "Every column has an even number of ones. A move changes just one {thing}, and so makes some column \
                     odd; the answer makes all columns even again. So it goes on until no move is left, and {} makes \
                     the last move: from {} {} wins.",
                    the(other),
                    self.at(&place.position),
                    the(other)
                ),
            );
            return Ok(true);
        }
        let highest = highest(odd);
        self.page.say(indent, &format!("{}. {} makes all columns even by his move:", odd_columns(odd), upper(mover)));
        self.balancing(place, &rows, odd, highest, indent + 1)?;
        self.page.say(
            indent,
            &format!(
                "Whatever {} does then makes some column odd, and {} makes all columns even again, until no move is \
                 left: {} makes the last move and wins.",
                the(other),
                the(mover),
                the(mover)
            ),
        );
        Ok(true)
    }

    /// One component alone: it is lost where its value is 0.
    fn single(&mut self, place: &Place, row: &Row, indent: usize) -> Result<(), Halt> {
        let (mover, other) = (the(place.mover), the(place.mover.other()));
        if row.value == 0 {
            let text = format!(
                "No move from {} leads to the value 0, and from every other value there is a move to 0. So {other} always \
                 moves to the value 0, makes the last move and wins.",
                row.shown
            );
            self.page.say(indent, &text);
            return Ok(());
        }
        let nim = self.problem.rules.heaps == Some(Heaps::Nim);
        let made = if nim { None } else { self.lost_option(&place.position)? };
        let to = match &made {
            Some(made) => format!("to {}, of value 0", self.to(&place.position, made)),
            None if nim => "to the empty heap".to_owned(),
            None => "to a position of value 0".to_owned(),
        };
        let text = format!(
            "{} moves {to}. From the value 0 no move leads to 0, and from every other value there is a move to 0: so \
             {mover} always moves to 0, makes the last move and wins.",
            upper(place.mover)
        );
        self.page.say(indent, &text);
        Ok(())
    }

    /// The first move to a lost position.
    fn lost_option(&mut self, position: &[i64]) -> Result<Option<Made>, Halt> {
        for made in self.moves(position)? {
            if self.whole.outcome(&made.to)? == Outcome::Loss {
                self.claim(position, Fact::MoveTo(made.to.clone()));
                self.claim(&made.to, Fact::Outcome(Outcome::Loss));
                return Ok(Some(made));
            }
        }
        Ok(None)
    }

    /// The Grundy value of a sum by its columns; nothing where it has none.
    pub(super) fn nim_sum(&mut self, place: &Place, indent: usize) -> Result<bool, Halt> {
        let Some(rows) = self.rows(&place.position)? else { return Ok(false) };
        if self.problem.rules.heaps != Some(Heaps::Nim) {
            self.mex_of(&rows, indent)?;
        }
        if rows.len() > 1 {
            let sum = self.columns(&rows, indent);
            self.page.say(
                indent,
                &format!(
                    "A column of the sum has a one where an odd number of ones stands above it: the value is {sum}."
                ),
            );
        }
        Ok(true)
    }

    /// The components with their values.
    fn rows(&mut self, position: &[i64]) -> Result<Option<Vec<Row>>, Halt> {
        let rules = &self.problem.rules;
        let tail = position.get(rules.state_of(position).len()..).unwrap_or_default();
        let mut rows = Vec::new();
        for component in rules.components(position) {
            let cells = [component, tail].concat();
            match self.whole.quantity(&cells, Quantity::Grundy)? {
                Some(value) => rows.push(Row { shown: crate::game::shown(rules, &cells), value, cells }),
                None => return Ok(None),
            }
        }
        Ok(Some(rows))
    }

    /// Sets the values out in binary and returns their nim-sum.
    fn columns(&mut self, rows: &[Row], indent: usize) -> i64 {
        let sum = rows.iter().fold(0, |sum, row| sum ^ row.value);
        let most = rows.iter().map(|row| row.value).max().unwrap_or(0);
        let bits = small(64 - most.max(1).leading_zeros());
        let nim = self.problem.rules.heaps == Some(Heaps::Nim);
        let label = |row: &Row| if nim { row.value.to_string() } else { format!("{}: {}", row.shown, row.value) };
        if rows.len() > ROWS {
            let text = format!("The nim-sum of the {} values, column by column, is {sum}.", rows.len());
            self.page.say(indent, &text);
            return sum;
        }
        if rows.len() == 1 {
            return sum;
        }
        let what = if nim { "The heaps in binary" } else { "The values in binary" };
        self.page.say(indent, &format!("{what}, one under the other:"));
        let wide = rows.iter().map(|row| label(row).chars().count()).max().unwrap_or(0);
        for row in rows {
            self.page.line(indent + 1, &format!("{:>wide$} = {:0bits$b}", label(row), row.value));
        }
        let mark: String = (0..bits).rev().map(|bit| if sum >> bit & 1 == 1 { '^' } else { ' ' }).collect::<String>();
        if sum == 0 {
            return sum;
        }
        self.page.line(indent + 1, &format!("{:>wide$}   {}  odd", "", mark.trim_end()));
        sum
    }

    /// The moves that make every column even.
    fn balancing(&mut self, place: &Place, rows: &[Row], odd: i64, highest: i64, indent: usize) -> Result<(), Halt> {
        const SHOWN: usize = 4;
        if self.problem.rules.heaps == Some(Heaps::Nim) {
            let Some(found) = self.whole.winning_moves(&place.position)? else { return Ok(()) };
            let balanced = rows.iter().filter(|row| row.value & highest != 0);
            for (row, (_, heaps)) in balanced.zip(&found.moves).take(SHOWN) {
                let left = row.value ^ odd;
                let text = format!(
                    "the heap of {} has a one in the column of {highest}; it must become {left}, so take {}: {}",
                    row.value,
                    row.value - left,
                    self.state(heaps)
                );
                self.claim_heaps(place, heaps);
                self.page.say(indent, &text);
            }
            if found.moves.len() > SHOWN {
                self.page.say(indent, &format!("… ({} in all)", count(found.moves.len(), "winning move")));
            }
            return Ok(());
        }
        let mut told = 0;
        for made in self.moves(&place.position)? {
            if self.whole.outcome(&made.to)? == Outcome::Loss {
                self.claim(&place.position, Fact::MoveTo(made.to.clone()));
                self.claim(&made.to, Fact::Outcome(Outcome::Loss));
                self.balance(place, &made, indent)?;
                told += 1;
                if told == SHOWN {
                    break;
                }
            }
        }
        Ok(())
    }

    /// A move in a general sum that makes every column even: the values after it.
    fn balance(&mut self, place: &Place, made: &Made, indent: usize) -> Result<(), Halt> {
        let to = self.to(&place.position, made);
        let values = self.rows(&made.to)?.unwrap_or_default();
        let values: Vec<String> = values.iter().map(|row| row.value.to_string()).collect();
        let text = match values.len() {
            0 => format!("to {to}"),
            1 => format!("to {to}, of value {}", values.concat()),
            2..=ROWS => format!("to {to}, with the values {}", and(&values)),
            _ => format!("to {to}"),
        };
        self.page.say(indent, &text);
        Ok(())
    }

    pub(super) fn claim_heaps(&mut self, place: &Place, heaps: &[i64]) {
        let tail = place.position.get(self.problem.rules.state_of(&place.position).len()..).unwrap_or_default();
        let to = [heaps, tail].concat();
        self.claim(&place.position, Fact::MoveTo(to.clone()));
        self.claim(&to, Fact::Outcome(Outcome::Loss));
    }

    /// Nim in which the last mover loses.
    fn misere(&mut self, place: &Place, rows: &[Row], lost: bool, indent: usize) -> Result<(), Halt> {
        let (mover, other) = (place.mover, place.mover.other());
        let ones = rows.iter().filter(|row| row.value == 1).count();
        let large = rows.iter().filter(|row| row.value > 1).count();
        if self.told_before(Told::MisereNim).is_none() {
            self.page.say(
            indent,
            "Whoever takes the last one loses. As long as some heap has more than one, play as if the last one won: make \
             all columns even; but the move that leaves no heap with more than one must leave an odd number of ones.",
        );
        }
        if large == 0 {
            let heaps = count(ones, "heap");
            let parity = if ones % 2 == 1 { "odd" } else { "even" };
            let winner = if lost { other } else { mover };
            self.page.say(
                indent,
                &format!(
                    "Here are only heaps of one, {heaps}, which go one by one. The number is {parity}, so {} is spared \
                     the last one and wins.",
                    the(winner)
                ),
            );
        } else {
            let odd = self.columns(rows, indent);
            if lost {
                let text = format!(
                    "All columns are even, so whatever {} does, {} has an answer and wins.",
                    the(mover),
                    the(other)
                );
                self.page.say(indent, &text);
            } else if large > 1 || rows.len() > 1 {
                self.page.say(indent, &format!("{}.", odd_columns(odd)));
            }
        }
        if lost {
            return Ok(());
        }
        let Some(found) = self.whole.winning_moves(&place.position)? else { return Ok(()) };
        for (_, heaps) in found.moves.iter().take(4) {
            self.claim_heaps(place, heaps);
            self.page.say(indent, &format!("{} moves to {} and wins.", upper(mover), self.state(heaps)));
        }
        Ok(())
    }

    /// The values of the components by mex, where their moves are few.
    fn mex_of(&mut self, rows: &[Row], indent: usize) -> Result<(), Halt> {
        const FEW: usize = 4;
        let mut told: Vec<&str> = Vec::new();
        for row in rows {
            if told.contains(&row.shown.as_str()) || told.len() == FEW {
                continue;
            }
            told.push(&row.shown);
            self.mex(&row.cells, row.value, indent)?;
        }
        Ok(())
    }

    /// A Grundy value as the least number that is missing among those of the options.
    pub(super) fn mex(&mut self, position: &[i64], value: i64, indent: usize) -> Result<(), Halt> {
        const MOST: usize = 16;
        let at = self.at(position);
        let mut options = Options::default();
        let over = match self.whole.options(position, &mut options) {
            Ok(over) => over,
            // more moves than are ever listed
            Err(Halt::Stop(_)) if self.question.sum => return Ok(()),
            Err(halt) => return Err(halt),
        };
        if over {
            self.page.say(indent, &format!("{at} is the end of play and has the value 0."));
            return Ok(());
        }
        let mut entries: Vec<(String, i64)> = Vec::new();
        for (_, option) in options.iter() {
            let Some(value) = self.whole.quantity(option, Quantity::Grundy)? else { return Ok(()) };
            let shown = self.at(option);
            if !entries.iter().any(|(known, _)| *known == shown) {
                entries.push((shown, value));
            }
            if entries.len() > 10 * MOST {
                break;
            }
        }
        let (all, many) = (entries.len(), entries.len() > MOST);
        let text = if many {
            let mut values: Vec<i64> = entries.iter().map(|(_, value)| *value).filter(|least| *least < value).collect();
            values.sort_unstable();
            values.dedup();
            let reached = super::words::runs(&values, MOST);
            if all > 10 * MOST || values.is_empty() {
                format!("{at} has the value {value}, the least number that no move from it has as its value.")
            } else {
                format!("{at} has the value {value}: its moves lead to the values {reached}, and none to {value}.")
            }
        } else {
            let entries: Vec<String> =
                entries.iter().map(|(shown, value)| format!("{shown} of value {value}")).collect();
            format!(
                "{at} has the value {value}, the least number that is not among its moves' values: {}.",
                entries.join(", ")
            )
        };
        self.page.say(indent, &text);
        Ok(())
    }
}

/// The highest column of a sum.
fn highest(sum: i64) -> i64 {
    if sum == 0 { 0 } else { 1 << (63 - sum.leading_zeros()) }
}

/// `The columns of 8 and 4 have an odd number of ones`
fn odd_columns(sum: i64) -> String {
    let columns: Vec<String> =
        (0..63).rev().map(|bit| 1_i64 << bit).filter(|bit| sum & bit != 0).map(|bit| bit.to_string()).collect();
    match &columns[..] {
        [only] => format!("The column of {only} has an odd number of ones"),
        [first, ..] if columns.len() > 6 => {
            format!("{} columns have an odd number of ones, the highest of them that of {first}", columns.len())
        }
        _ => format!("The columns of {} have an odd number of ones", and(&columns)),
    }
}

fn small(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
