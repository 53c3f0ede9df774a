//! Questions over the parameters: which values fit and why, and why their neighbours do not.

use std::collections::BTreeMap;

use super::facts::Sees;
use super::formula::looks_at_classes;
use super::words::{count, one_line, runs};
use super::{Place, Start, Told, Work};
use crate::lang::tree::{Bool, Int, IntKind};
use crate::lang::{BoolProgram, Halt, IntProgram};
use crate::question::{Answer, Fast, Key, Pick, Truth};

/// How many starts that fit are explained, and how many that do not.
const FITTING: usize = 3;
const FAILING: usize = 2;

/// How many combinations are kept.
const KEPT: usize = 200_000;

/// A start with what the question looks at.
pub(super) struct Row {
    pub(super) start: Start,
    pub(super) fits: bool,
    /// The value of each part of the ask; none where it is missing.
    pub(super) values: Vec<Option<i64>>,
}

impl Work<'_> {
    /// All combinations in order; fewer where there are very many.
    fn gather(&mut self, condition: Option<&Bool>, values: &[Option<&Int>]) -> Result<Vec<Row>, Halt> {
        let condition = condition.map(BoolProgram::new);
        let values: Vec<Option<IntProgram>> = values.iter().map(|value| value.map(IntProgram::new)).collect();
        let mut kept = Vec::new();
        Fast::new(self.question, &self.problem.rules, &mut *self.whole).each(&mut |rows, row| {
            if kept.len() >= KEPT {
                return Ok(());
            }
            let fits = match &condition {
                Some(condition) => rows.holds(condition, row)?,
                None => true,
            };
            let mut found = Vec::new();
            for value in &values {
                found.push(match value {
                    Some(value) => rows.value(value, row)?,
                    None => None,
                });
            }
            let start = Start { parameters: row.parameters.to_vec(), position: row.start.to_vec() };
            kept.push(Row { start, fits, values: found });
            Ok(())
        })?;
        Ok(kept)
    }

    /// `min s where F` and the like.
    pub(super) fn over(
        &mut self,
        picks: &[Pick],
        condition: Option<&Bool>,
        answer: &Answer,
        wrong: Option<&Key>,
    ) -> Result<(), Halt> {
        let values: Vec<Option<&Int>> = picks.iter().map(Pick::value).collect();
        let rows = self.gather(condition, &values)?;
        self.overview(condition, &rows);
        if let Some(wrong) = wrong {
            self.refute_picks(picks, condition, &rows, answer, wrong)?;
        }
        let (mut fitting, mut failing) = (Vec::new(), Vec::new());
        for (part, pick) in picks.iter().enumerate() {
            pick_rows(part, picks.len() == 1, pick, &rows, &mut fitting, &mut failing);
        }
        match condition {
            Some(condition) => {
                self.why(condition, &rows, (&fitting, FITTING), (&failing, FAILING))?;
                self.extremes(picks, &rows);
                self.class_table(condition, &rows)
            }
            None => {
                self.attained(picks, &rows);
                Ok(())
            }
        }
    }

    /// `exists`, `every` and `one of`.
    pub(super) fn truth(&mut self, truth: &Truth, answer: &Answer, wrong: Option<&Key>) -> Result<(), Halt> {
        let (condition, value) = match truth {
            Truth::Exists(condition) | Truth::Every(condition) => (condition, None),
            Truth::OneOf(value, condition) => (condition, Some(value)),
        };
        let rows = self.gather(Some(condition), &[value])?;
        self.overview(Some(condition), &rows);
        if let (Truth::OneOf(..), Some(key)) = (truth, wrong) {
            self.refute_value(0, key, condition, &rows)?;
        }
        let places = |fits: bool| (0..rows.len()).filter(|at| rows[*at].fits == fits).collect::<Vec<_>>();
        let (fitting, failing) = (places(true), places(false));
        let counterexample = matches!(truth, Truth::Every(_)) && *answer == Answer::Truth(false);
        if counterexample {
            self.page.say(1, "It does not hold for every start:");
            self.why(condition, &rows, (&fitting, 0), (&failing, 1))?;
        } else if fitting.is_empty() {
            self.why(condition, &rows, (&fitting, 0), (&failing, FAILING))?;
        } else {
            self.why(condition, &rows, (&fitting, 1), (&failing, 0))?;
        }
        self.class_table(condition, &rows)
    }

    /// A grid of two parameters.
    pub(super) fn grid(
        &mut self,
        axes: (usize, usize),
        condition: &Bool,
        wrong: Option<&Key>,
        answer: &Answer,
    ) -> Result<(), Halt> {
        let rows = self.gather(Some(condition), &[])?;
        let name = |place: usize| self.question.given.get(place).map_or("", |parameter| parameter.name.as_str());
        let text = format!(
            "The rows are the values of {}, the columns those of {}; 1 stands where `{}` holds.",
            name(axes.0),
            name(axes.1),
            one_line(self.text(condition.span))
        );
        self.page.say(1, &text);
        let lines: Vec<String> = match answer {
            Answer::List(lines) => lines.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        };
        if lines.len() <= 20 && lines.iter().all(|line| line.len() <= 90) {
            for line in lines {
                self.page.line(2, line.trim_matches(['[', ']']).replace(", ", " ").as_str());
            }
        }
        if let Some(key) = wrong {
            self.refute_grid(axes, condition, &rows, key)?;
        }
        let places = |fits: bool| (0..rows.len()).filter(|at| rows[*at].fits == fits).collect::<Vec<_>>();
        let (fitting, failing) = (places(true), places(false));
        self.why(condition, &rows, (&fitting, 2), (&failing, 1))
    }

    /// How many starts fit, and which.
    fn overview(&mut self, condition: Option<&Bool>, rows: &[Row]) {
        let fitting: Vec<&Row> = rows.iter().filter(|row| row.fits).collect();
        let Some(condition) = condition else { return };
        if rows.len() <= 1 {
            return;
        }
        let text = one_line(self.text(condition.span));
        let all = count(rows.len(), "start");
        if rows.len() >= KEPT {
            let text = format!("Of the first {all} `{text}` holds for {}.", fitting.len());
            self.page.say(1, &text);
            return;
        }
        let which = match (&self.question.given[..], &fitting[..]) {
            (_, []) => {
                self.page.say(1, &format!("`{text}` holds for none of the {all}."));
                return;
            }
            ([only], _) => {
                let values: Vec<i64> = fitting.iter().filter_map(|row| row.start.parameters.first().copied()).collect();
                format!(": {} = {}", only.name, runs(&values, 24))
            }
            ([], _) => String::new(),
            (_, few) if few.len() <= 8 => {
                let named: Vec<String> = few.iter().map(|row| self.named(&row.start)).collect();
                format!(": {}", named.join("; "))
            }
            _ => String::new(),
        };
        let of = if fitting.len() == rows.len() {
            format!("all {}", rows.len())
        } else {
            format!("{} of the {}", fitting.len(), rows.len())
        };
        self.page.say(1, &format!("`{text}` holds for {of} starts{which}."));
    }

    /// Explains some starts that fit and some that do not.
    pub(super) fn why(
        &mut self,
        condition: &Bool,
        rows: &[Row],
        fitting: (&[usize], usize),
        failing: (&[usize], usize),
    ) -> Result<(), Halt> {
        for (places, most) in [fitting, failing] {
            let mut told: Vec<usize> = Vec::new();
            for at in places {
                if told.len() < most && !told.contains(at) {
                    told.push(*at);
                }
            }
            told.sort_unstable();
            for at in told {
                if let Some(row) = rows.get(at) {
                    self.why_row(condition, row, 1)?;
                }
            }
        }
        Ok(())
    }

    /// Why one start fits, or why not.
    pub(super) fn why_row(&mut self, condition: &Bool, row: &Row, indent: usize) -> Result<(), Halt> {
        if self.rows_told.contains(&row.start.parameters) {
            return Ok(());
        }
        self.rows_told.push(row.start.parameters.clone());
        let named = self.named(&row.start);
        let verb = if row.fits { "fits" } else { "does not fit" };
        self.page.say(indent, &format!("{} {verb}.", super::words::head(&named)));
        self.parameters.clone_from(&row.start.parameters);
        self.because(condition, &Place::start(&row.start.position), self.room, indent + 1)
    }

    /// Beside the least and the greatest value nothing fits.
    fn extremes(&mut self, picks: &[Pick], rows: &[Row]) {
        for (part, pick) in picks.iter().enumerate() {
            let (least, word) = match pick {
                Pick::Min(_) => (true, "smaller"),
                Pick::Max(_) => (false, "greater"),
                _ => continue,
            };
            let Some(value) = pick.value() else { continue };
            let fitting = rows.iter().filter(|row| row.fits).filter_map(|row| row.values.get(part).copied().flatten());
            let Some(best) = (if least { fitting.min() } else { fitting.max() }) else { continue };
            let beyond = |value: &i64| if least { *value < best } else { *value > best };
            let others = rows.iter().filter_map(|row| row.values.get(part).copied().flatten()).filter(beyond).count();
            let name = self.value_name(value);
            if others == 0 {
                self.page.say(1, &format!("No {word} {name} is given."));
            } else if rows.len() < KEPT {
                let text = match others {
                    1 => format!("No {word} {name} fits: there is only one, which was looked at."),
                    others => format!("No {word} {name} fits: all {others} were looked at."),
                };
                self.page.say(1, &text);
            }
        }
    }

    /// What is picked, as the file has it.
    pub(super) fn value_name(&self, value: &Int) -> String {
        match &value.kind {
            IntKind::Parameter(place) => {
                self.question.given.get(*place).map_or_else(String::new, |parameter| parameter.name.clone())
            }
            _ => format!("value of {}", one_line(self.text(value.span))),
        }
    }

    /// Without a condition: where each value is attained.
    fn attained(&mut self, picks: &[Pick], rows: &[Row]) {
        for (part, pick) in picks.iter().enumerate() {
            let values = rows.iter().filter_map(|row| row.values.get(part).copied().flatten());
            let best = match pick {
                Pick::Min(_) => values.min(),
                Pick::Max(_) => values.max(),
                _ => None,
            };
            let Some(best) = best.filter(|_| rows.len() > 1) else { continue };
            let at = rows.iter().find(|row| row.values.get(part).copied().flatten() == Some(best));
            if let (Some(row), Some(value)) = (at, pick.value()) {
                let text = format!(
                    "Of {} looked at, {} comes to {best} first at {}.",
                    count(rows.len(), "start"),
                    one_line(self.text(value.span)),
                    self.named(&row.start)
                );
                self.page.say(1, &text);
            }
        }
    }

    /// The classes of all starts, where the condition looks at classes and there is one parameter.
    fn class_table(&mut self, condition: &Bool, rows: &[Row]) -> Result<(), Halt> {
        const MOST_ROWS: usize = 400;
        const MOST_CLASSES: usize = 10;
        let ahead = match (looks_at_classes(condition), &self.question.given[..]) {
            (Some(ahead), [_]) if rows.len() <= MOST_ROWS && rows.len() > 1 && !self.question.sum => ahead,
            _ => return Ok(()),
        };
        // the table is the same for questions about the same starts, as far as they look
        let starts: Vec<i64> = rows.iter().flat_map(|row| row.start.position.iter().copied()).collect();
        if let Some(label) = self.told_before(Told::Table(starts)) {
            self.page.say(1, &format!("The classes of the starts: see question {label}."));
            return Ok(());
        }
        let mut classes: BTreeMap<(u32, bool, String), Vec<i64>> = BTreeMap::new();
        for row in rows {
            let seen = self.sees(&row.start.position, ahead)?;
            if matches!(seen, Sees::Unknown | Sees::Won | Sees::Lost) {
                return Ok(());
            }
            let word = self.class_word(&row.start.position, ahead)?;
            let value = row.start.parameters.first().copied().unwrap_or(0);
            classes.entry((seen.moves(), seen.won(), word)).or_default().push(value);
        }
        let name = self.question.given.first().map_or("", |parameter| parameter.name.as_str()).to_owned();
        self.page.say(1, "The classes of the starts:");
        let many = classes.len();
        for ((_, _, word), values) in classes.into_iter().take(MOST_CLASSES) {
            self.page.say(2, &format!("{word}: {name} = {}", runs(&values, 16)));
        }
        if many > MOST_CLASSES {
            self.page.say(2, &format!("… and {} more classes", many - MOST_CLASSES));
        }
        Ok(())
    }
}

/// The starts that show why a part of the answer is as it is: some that fit, and near them some that do not.
fn pick_rows(part: usize, alone: bool, pick: &Pick, rows: &[Row], fitting: &mut Vec<usize>, failing: &mut Vec<usize>) {
    let value = |at: &usize| rows.get(*at).and_then(|row| row.values.get(part).copied().flatten());
    let mut fits: Vec<usize> = (0..rows.len()).filter(|at| rows.get(*at).is_some_and(|row| row.fits)).collect();
    let mut others: Vec<usize> = (0..rows.len()).filter(|at| rows.get(*at).is_some_and(|row| !row.fits)).collect();
    let from_above = matches!(pick, Pick::Max(_) | Pick::Largest(..));
    if pick.value().is_some() {
        fits.sort_by_key(value);
        others.sort_by_key(value);
    }
    let end = if from_above { fits.last() } else { fits.first() }.copied();
    let shown = match pick {
        Pick::Min(_) | Pick::Max(_) => 1,
        _ if alone => FITTING,
        _ => 1,
    };
    if from_above {
        fitting.extend(fits.iter().rev().take(shown));
    } else {
        fitting.extend(fits.iter().take(shown));
    }
    let Some(end) = end else {
        failing.extend(others.iter().take(FAILING));
        return;
    };
    // the nearest beyond the end; where any value would do, else the nearest on the other side of it
    let bound = value(&end);
    let side = |at: usize| match (value(&at), bound) {
        (Some(value), Some(bound)) => value.cmp(&bound),
        _ => at.cmp(&end),
    };
    let below = others.iter().copied().rfind(|at| side(*at).is_lt());
    let above = others.iter().copied().find(|at| side(*at).is_gt());
    let (beyond, within) = if from_above { (above, below) } else { (below, above) };
    let extreme = matches!(pick, Pick::Min(_) | Pick::Max(_));
    failing.extend(beyond.or(within.filter(|_| !extreme)));
}
