//! The list of moves: a line for each, or columns where many moves share a name.

use super::entry::Typed;

/// A position of at most so many characters is written beside what the picture calls the move.
pub(super) const SHORT: usize = 24;

/// The width of a line.
const WIDTH: usize = 78;

/// The longest name that stands in a line with its move.
const NAME: usize = 40;

/// How many moves of one name, and how many moves in all, are listed where the list is cut.
const OF_A_NAME: usize = 16;
const IN_ALL: usize = 48;

/// Whether a name is a whole text of the rule language that stands for many moves, and so no name to be spoken.
pub(super) fn is_text(name: &str) -> bool {
    name.contains(" for ")
}

/// The word that lists all: with a slash where a move has its name.
pub(super) fn all_word(moves: &[Typed]) -> &'static str {
    if moves.iter().any(|made| made.name.eq_ignore_ascii_case("all")) { "/all" } else { "all" }
}

/// The list; a long one is cut, if there is a word that shows all of it.
pub(super) fn list(moves: &[Typed], all: Option<&str>) -> String {
    let digits = moves.iter().map(|made| made.number.to_string().len()).max().unwrap_or(1);
    let groups: Vec<&[Typed]> = moves.chunk_by(|a, b| a.name == b.name).collect();
    let width = groups.iter().filter_map(|group| named_line(group)).map(|made| title(made).chars().count()).max();
    let (mut text, mut listed, mut passed) = (String::new(), 0, 0);
    for group in groups {
        if let Some(all) = all
            && listed >= IN_ALL
        {
            text.push_str(&format!("  … and {} more; `{all}` lists every move\n", moves.len() - passed));
            break;
        }
        let shown = all.and_then(|_| group.get(..OF_A_NAME)).unwrap_or(group);
        match named_line(group) {
            Some(only) => text.push_str(&line(only, digits, width.unwrap_or(0))),
            None => text.push_str(&columns(shown, digits)),
        }
        if let Some(all) = all
            && group.len() > shown.len()
        {
            let more = group.len() - shown.len();
            text.push_str(&format!("  … and {more} more of these; `{all}` lists every move\n"));
        }
        listed += shown.len();
        passed += group.len();
    }
    text
}

/// The one move of its name, where the name is short enough to stand in a line with it.
fn named_line(group: &[Typed]) -> Option<&Typed> {
    let [only] = group else { return None };
    (!is_text(title(only)) && title(only).chars().count() <= NAME).then_some(only)
}

/// What a move is called in a line of its own.
fn title(made: &Typed) -> &str {
    made.step.as_deref().unwrap_or(&made.name)
}

/// `  1  x + 1, y  ->  (7, 3)`
fn line(made: &Typed, digits: usize, width: usize) -> String {
    let title = title(made);
    if made.step.is_some() && made.position.chars().count() > SHORT {
        return format!("  {:>digits$}  {title}\n", made.number);
    }
    format!("  {:>digits$}  {title:<width$}  ->  {}\n", made.number, made.position)
}

/// The name, then its moves beside each other, each with its number.
fn columns(shown: &[Typed], digits: usize) -> String {
    let mut text = String::new();
    // what the picture says takes the place of the name
    if let Some(made) = shown.iter().find(|made| made.step.is_none()) {
        text.push_str(&format!("  {}\n", made.name));
    }
    let cells: Vec<String> = shown.iter().map(|made| cell(made, digits)).collect();
    let widest = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
    for row in cells.chunks((WIDTH / (widest + 3)).max(1)) {
        let row: String = row.iter().map(|cell| format!("{cell:<widest$}   ")).collect();
        text.push_str(format!("  {row}").trim_end());
        text.push('\n');
    }
    text
}

fn cell(made: &Typed, digits: usize) -> String {
    let number = format!("{:>digits$}", made.number);
    match &made.step {
        Some(step) if made.position.chars().count() > SHORT => format!("{number}  {step}"),
        Some(step) => format!("{number}  {step}  ->  {}", made.position),
        None => format!("{number}  {}", made.position),
    }
}
