//! What a person has typed: a move by its number, its name or the position reached, or a command.

use crate::lang::nearest;

/// What can be asked for beside moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// A good move.
    Hint,
    /// How many moves are still needed.
    Left,
    /// All moves.
    All,
    /// The position and its moves once more.
    Show,
    /// The last move back.
    Undo,
    /// What can be typed.
    Help,
    /// The end.
    Quit,
}

/// Every word for a command; the first one for each is the one that `help` tells.
const WORDS: [(&str, Command); 14] = [
    ("hint", Command::Hint),
    ("left", Command::Left),
    ("all", Command::All),
    ("show", Command::Show),
    ("undo", Command::Undo),
    ("help", Command::Help),
    ("quit", Command::Quit),
    ("moves", Command::All),
    ("list", Command::All),
    ("back", Command::Undo),
    ("?", Command::Help),
    ("exit", Command::Quit),
    ("q", Command::Quit),
    ("u", Command::Undo),
];

/// What was meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// Nothing was typed.
    Empty,
    /// The move at this place of the list.
    Move(usize),
    /// A name that several moves have: their places.
    Which(Vec<usize>),
    /// A command.
    Command(Command),
    /// It means nothing here, for this reason, a sentence.
    Refused(String),
}

/// A move as it can be typed.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    /// Its number.
    pub(super) number: i64,
    /// Its name in the file.
    pub(super) name: String,
    /// What the picture calls it.
    pub(super) step: Option<String>,
    /// The position reached, as it is shown.
    pub(super) position: String,
}

/// Understands a line.
pub(super) fn read(line: &str, moves: &[Typed]) -> Entry {
    let line = line.trim();
    if line.is_empty() {
        return Entry::Empty;
    }
    let refused = |what: &str, line: &str, why: &str| Entry::Refused(format!("{what}{}{why}.", quote(line)));
    let nowhere = |position: &str| refused("no move leads to ", position, "");
    if let Some(word) = line.strip_prefix('/') {
        let no_such = || refused("there is no command `", line, "`");
        return command(word.trim()).map_or_else(no_such, Entry::Command);
    }
    if let Some(name) = quoted(line) {
        return by_name(name, moves).unwrap_or_else(|| refused("no move is called `", name, "` here"));
    }
    if let Some(position) = line.strip_prefix('=') {
        return by_position(position, moves).unwrap_or_else(|| nowhere(position.trim()));
    }
    if line.bytes().all(|byte| byte.is_ascii_digit()) {
        let number: Option<i64> = line.parse().ok();
        let at = moves.iter().position(|made| Some(made.number) == number).map(Entry::Move);
        let other = || by_position(line, moves).or_else(|| by_name(line, moves));
        return at.or_else(other).unwrap_or_else(|| refused("there is no move ", line, ""));
    }
    if let Some(entry) = by_name(line, moves) {
        return entry;
    }
    if let Some(command) = command(line) {
        return Entry::Command(command);
    }
    let positional = |c: char| c.is_ascii_digit() || c.is_whitespace() || "()[],-".contains(c);
    if line.chars().all(positional) && line.bytes().any(|byte| byte.is_ascii_digit()) {
        return by_position(line, moves).unwrap_or_else(|| nowhere(line));
    }
    let known = WORDS.iter().map(|(word, _)| *word).chain(moves.iter().map(|made| made.name.as_str()));
    let near = if line.len() > QUOTED { None } else { nearest(line, known) };
    let near = near.map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
    Entry::Refused(format!("`{}` is neither a move here nor a command.{near}", quote(line)))
}

/// The most characters of a line that are repeated.
const QUOTED: usize = 60;

fn quote(line: &str) -> String {
    let shown: String = line.chars().take(QUOTED).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if line.chars().nth(QUOTED).is_some() { format!("{shown}…") } else { shown }
}

fn command(word: &str) -> Option<Command> {
    let word = word.to_ascii_lowercase();
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, command)| *command)
}

fn quoted(line: &str) -> Option<&str> {
    ['\'', '"', '`'].into_iter().find_map(|mark| line.strip_prefix(mark)?.strip_suffix(mark))
}

/// The moves of a name: exactly, or else with capital letters as they come. White space means nothing.
fn by_name(name: &str, moves: &[Typed]) -> Option<Entry> {
    let tight = |text: &str| text.split_whitespace().collect::<String>();
    let wanted = tight(name);
    let matching = |same: &dyn Fn(&str) -> bool| {
        let named =
            |made: &Typed| same(&tight(&made.name)) || made.step.as_deref().is_some_and(|step| same(&tight(step)));
        let found: Vec<usize> = (0..moves.len()).filter(|at| moves.get(*at).is_some_and(named)).collect();
        if found.is_empty() { None } else { Some(found) }
    };
    let found = matching(&|known| known == wanted)
        .or_else(|| matching(&|known| known.to_lowercase() == wanted.to_lowercase()))?;
    Some(one_of(found, moves))
}

/// The move that leads to a position, by its numbers in order.
fn by_position(text: &str, moves: &[Typed]) -> Option<Entry> {
    let wanted = numbers(text);
    if wanted.is_empty() {
        return None;
    }
    moves.iter().position(|made| numbers(&made.position) == wanted).map(Entry::Move)
}

/// The one move among these; moves that reach one position are as good as one.
fn one_of(found: Vec<usize>, moves: &[Typed]) -> Entry {
    let mut reached = found.iter().filter_map(|at| moves.get(*at)).map(|made| &made.position);
    let first = reached.next();
    match found.first() {
        Some(at) if reached.all(|position| Some(position) == first) => Entry::Move(*at),
        _ => Entry::Which(found),
    }
}

/// The numbers in a text; one too large for a position is none that could be meant.
fn numbers(text: &str) -> Vec<Option<i64>> {
    let separate = |c: char| !(c.is_ascii_digit() || c == '-');
    text.split(separate).filter(|number| !number.is_empty()).map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Command, Entry, Typed, read};

    fn moves(all: &[(&str, &str)]) -> Vec<Typed> {
        let typed = |(number, (name, position)): (i64, &(&str, &str))| Typed {
            number,
            name: (*name).to_owned(),
            step: None,
            position: (*position).to_owned(),
        };
        (1..).zip(all).map(typed).collect()
    }

    #[test]
    fn two_piles() {
        let moves = moves(&[("x + 1, y", "(7, 1)"), ("x, y * 3", "(6, 3)"), ("left", "(5, 1)"), ("left", "(4, -1)")]);
        let cases = [
            ("2", Entry::Move(1)),
            (" 02 ", Entry::Move(1)),
            ("x+1,y", Entry::Move(0)),
            ("X + 1, y", Entry::Move(0)),
            ("'x + 1, y'", Entry::Move(0)),
            ("(7, 1)", Entry::Move(0)),
            ("7,1", Entry::Move(0)),
            ("7 1", Entry::Move(0)),
            ("= 6, 3", Entry::Move(1)),
            ("(4,-1)", Entry::Move(3)),
            ("left", Entry::Which(vec![2, 3])),
            ("/left", Entry::Command(Command::Left)),
            ("HINT", Entry::Command(Command::Hint)),
            ("?", Entry::Command(Command::Help)),
            ("", Entry::Empty),
            ("0", Entry::Refused("there is no move 0.".to_owned())),
            ("5", Entry::Refused("there is no move 5.".to_owned())),
            ("99999999999999999999", Entry::Refused("there is no move 99999999999999999999.".to_owned())),
            ("8, 1", Entry::Refused("no move leads to 8, 1.".to_owned())),
            ("7", Entry::Refused("there is no move 7.".to_owned())),
            ("--", Entry::Refused("`--` is neither a move here nor a command.".to_owned())),
            ("=", Entry::Refused("no move leads to .".to_owned())),
            ("hnit", Entry::Refused("`hnit` is neither a move here nor a command. Did you mean `hint`?".to_owned())),
            ("'up'", Entry::Refused("no move is called `up` here.".to_owned())),
            ("/up", Entry::Refused("there is no command `/up`.".to_owned())),
        ];
        for (line, expected) in cases {
            assert_eq!(read(line, &moves), expected, "{line:?}");
        }
    }

    #[test]
    fn one_pile() {
        let moves = moves(&[("s + 1", "2"), ("s * 2", "2"), ("s + 7", "8"), ("s - 2", "-1")]);
        for (line, at) in [("2", 1), ("(2)", 0), ("= 2", 0), ("8", 2), ("-1", 3), ("(-1)", 3), ("s + 7", 2)] {
            assert_eq!(read(line, &moves), Entry::Move(at), "{line:?}");
        }
    }

    #[test]
    fn two_names_for_one_position() {
        let moves = moves(&[("take", "2"), ("take", "2"), ("1", "9")]);
        assert_eq!(read("take", &moves), Entry::Move(0));
        assert_eq!(read("'1'", &moves), Entry::Move(2));
    }
}
