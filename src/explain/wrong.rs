//! Wrong keys over the parameters: which of its values do not fit and why, and which it has not got.

use dashu_int::IBig;

use super::Work;
use super::over::Row;
use super::words::{count, list};
use crate::lang::Halt;
use crate::lang::tree::Bool;
use crate::question::{Answer, Key, Pick, accepts};

/// How many values of a key are refuted one by one.
const TOLD: usize = 4;

impl Work<'_> {
    /// Holds a wrong key against each part of the ask.
    pub(super) fn refute_picks(
        &mut self,
        picks: &[Pick],
        condition: Option<&Bool>,
        rows: &[Row],
        answer: &Answer,
        key: &Key,
    ) -> Result<(), Halt> {
        if let ([pick], _) = (picks, key) {
            return self.refute_pick(0, pick, condition, rows, answer, key);
        }
        let (Answer::List(answers), Key::List(keys)) = (answer, key) else { return Ok(()) };
        for (part, ((pick, answer), key)) in picks.iter().zip(answers).zip(keys).enumerate() {
            if !accepts(answer, key) {
                self.refute_pick(part, pick, condition, rows, answer, key)?;
            }
        }
        Ok(())
    }

    fn refute_pick(
        &mut self,
        part: usize,
        pick: &Pick,
        condition: Option<&Bool>,
        rows: &[Row],
        answer: &Answer,
        key: &Key,
    ) -> Result<(), Halt> {
        let said = super::words::key(key, &self.problem.rules);
        let right = super::words::plain(answer);
        match pick {
            Pick::Min(_) | Pick::Max(_) => {
                let Some(condition) = condition else { return Ok(()) };
                self.refute_value(part, key, condition, rows)?;
                let fits =
                    values_of(key).first().is_some_and(|value| rows.iter().any(|row| row.fits && is(row, part, value)));
                if fits {
                    let word = if matches!(pick, Pick::Min(_)) { "smaller" } else { "greater" };
                    let text = format!("{said} fits, but {right}, which is {word}, fits too.");
                    self.page.say(1, &text);
                }
                Ok(())
            }
            Pick::All(_) | Pick::Smallest(..) | Pick::Largest(..) => {
                if let Some(condition) = condition {
                    self.refute_value(part, key, condition, rows)?;
                }
                let Answer::Set(values) = answer else { return Ok(()) };
                let said = values_of(key);
                let missing: Vec<&Answer> = values
                    .iter()
                    .filter(|value| !said.iter().any(|said| **value == Answer::Int(said.clone())))
                    .collect();
                self.missing(part, &missing, condition, rows)?;
                let too_many = said.iter().filter(|said| {
                    rows.iter().any(|row| row.fits && is(row, part, said))
                        && !values.contains(&Answer::Int((*said).clone()))
                });
                let too_many: Vec<String> = too_many.map(ToString::to_string).collect();
                if !too_many.is_empty() {
                    let text = format!("Not wanted, though they fit: {}.", too_many.join(", "));
                    self.page.say(1, &text);
                }
                Ok(())
            }
            Pick::Sum(_) | Pick::Product(_) | Pick::Count => {
                self.page.say(1, &format!("The right number is {right}, not {said}."));
                Ok(())
            }
        }
    }

    /// Why the values of a key do not fit.
    pub(super) fn refute_value(&mut self, part: usize, key: &Key, condition: &Bool, rows: &[Row]) -> Result<(), Halt> {
        let mut told = 0;
        for value in values_of(key) {
            let mut with = rows.iter().filter(|row| is(row, part, &value)).peekable();
            if with.peek().is_none() {
                self.page.say(1, &format!("The key's {value} is the value of no start."));
                continue;
            }
            if rows.iter().any(|row| row.fits && is(row, part, &value)) {
                continue;
            }
            if told < TOLD
                && let Some(row) = with.next()
            {
                self.page.say(1, &format!("The key's {value} is wrong:"));
                self.why_row(condition, row, 2)?;
                told += 1;
            }
        }
        Ok(())
    }

    /// Values that fit and that the key has not got.
    fn missing(
        &mut self,
        part: usize,
        missing: &[&Answer],
        condition: Option<&Bool>,
        rows: &[Row],
    ) -> Result<(), Halt> {
        if missing.is_empty() {
            return Ok(());
        }
        let shown: Vec<String> = missing.iter().map(ToString::to_string).collect();
        let verb = if shown.len() == 1 { "is" } else { "are" };
        self.page.say(1, &format!("Missing from the key {verb} {}.", list(&shown, 12)));
        let Some(condition) = condition else { return Ok(()) };
        for value in missing.iter().take(TOLD) {
            let Answer::Int(value) = value else { continue };
            if let Some(row) = rows.iter().find(|row| row.fits && is(row, part, value)) {
                self.why_row(condition, row, 2)?;
            }
        }
        Ok(())
    }

    /// The cells of a grid at which the key is wrong.
    pub(super) fn refute_grid(
        &mut self,
        axes: (usize, usize),
        condition: &Bool,
        rows: &[Row],
        key: &Key,
    ) -> Result<(), Halt> {
        let values = |place: usize| {
            let mut values: Vec<i64> = rows.iter().filter_map(|row| row.start.parameters.get(place).copied()).collect();
            values.sort_unstable();
            values.dedup();
            values
        };
        let (down, across) = (values(axes.0), values(axes.1));
        let Key::List(lines) = key else { return Ok(()) };
        let said = |row: &Row| {
            let place = |values: &[i64], axis: usize| {
                let value = row.start.parameters.get(axis)?;
                values.binary_search(value).ok()
            };
            let Key::List(cells) = lines.get(place(&down, axes.0)?)? else { return None };
            let Key::Int(cell) = cells.get(place(&across, axes.1)?)? else { return None };
            Some(*cell == IBig::ONE)
        };
        let wrong: Vec<&Row> = rows.iter().filter(|row| said(row).is_some_and(|said| said != row.fits)).collect();
        if wrong.is_empty() {
            self.page.say(1, "The key has not the size of the grid.");
            return Ok(());
        }
        self.page.say(1, &format!("The key is wrong in {}:", count(wrong.len(), "cell")));
        for row in wrong.into_iter().take(TOLD) {
            self.why_row(condition, row, 2)?;
        }
        Ok(())
    }
}

/// The numbers that a key names.
fn values_of(key: &Key) -> Vec<IBig> {
    match key {
        Key::Int(value) => vec![value.clone()],
        Key::List(keys) => keys.iter().flat_map(values_of).collect(),
        _ => Vec::new(),
    }
}

fn is(row: &Row, part: usize, value: &IBig) -> bool {
    row.values.get(part).copied().flatten().is_some_and(|found| IBig::from(found) == *value)
}
