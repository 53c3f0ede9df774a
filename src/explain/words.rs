//! Small words: lists, counts, players, classes.

use crate::game::shown;
use crate::lang::tree::{Rules, Winner, WinnerWord};
use crate::question::{Answer, Key};
use crate::tree::Player;
use crate::value::Class;

/// A list of so many entries at the most, and how many are left out.
pub(super) fn list(entries: &[String], most: usize) -> String {
    if entries.len() <= most {
        return entries.join(", ");
    }
    let shown = entries.get(..most).unwrap_or_default().join(", ");
    format!("{shown}, … ({} in all)", entries.len())
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn and(entries: &[String]) -> String {
    match entries.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => entries.concat(),
    }
}

/// `a`, `a or b`, `a, b or c`; so many of them at the most.
pub(super) fn or(entries: &[String], most: usize) -> String {
    match entries {
        [first @ .., last] if !first.is_empty() && entries.len() <= most => format!("{} or {last}", first.join(", ")),
        _ => list(entries, most),
    }
}

/// `1 move`, `2 moves`.
pub(super) fn count(number: usize, word: &str) -> String {
    counted(&number.to_string(), word)
}

/// The same for a number that is written out.
pub(super) fn counted(number: &str, word: &str) -> String {
    match (number, word.strip_suffix('y')) {
        ("1", _) => format!("1 {word}"),
        (_, Some(stem)) if !word.ends_with("ay") => format!("{number} {stem}ies"),
        _ => format!("{number} {word}s"),
    }
}

/// `the first player`
pub(super) const fn the(player: Player) -> &'static str {
    match player {
        Player::First => "the first player",
        Player::Second => "the second player",
    }
}

/// `The first player`
pub(super) const fn upper(player: Player) -> &'static str {
    match player {
        Player::First => "The first player",
        Player::Second => "The second player",
    }
}

/// Who wins when the game is over.
pub(super) const fn winner(winner: &Winner) -> &'static str {
    match winner {
        Winner::Word(WinnerWord::Last) => "The one who moved last wins.",
        Winner::Word(WinnerWord::Other) => "The one who moved last loses.",
        Winner::Word(WinnerWord::First) => "The first player wins then.",
        Winner::Word(WinnerWord::Second) => "The second player wins then.",
        Winner::Word(WinnerWord::Draw) => "It is a draw then.",
        Winner::If(..) => "Who wins then depends on the position.",
    }
}

/// `s = 10` at the head of a sentence as it is, `The start` with a capital.
pub(super) fn head(text: &str) -> String {
    text.strip_prefix("the ").map_or_else(|| text.to_owned(), |rest| format!("The {rest}"))
}

/// Whether a text has a word such as `W2` or `L10`.
pub(super) fn names_classes(text: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word.parse::<Class>().is_ok())
}

/// What a class means, for the words at the end.
pub(super) const LEGEND: &str = "W1, W2, …: the player to move can win by making at most 1, 2, … moves of his own, and \
not surely with fewer. L1, L2, …: whatever he does, the other player can win by making at most 1, 2, … moves, and not \
surely with fewer. W0, L0: the winner need not move any more.";

/// ` by making at most 2 moves`, of the winner.
pub(super) fn by_making(class: Class) -> String {
    match class.moves() {
        0 => " without a move of his own".to_owned(),
        1 => " by making 1 move".to_owned(),
        moves => format!(" by making at most {moves} moves"),
    }
}

/// A text on one line, cut where it is very long.
pub(super) fn one_line(text: &str) -> String {
    const LONG: usize = 400;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONG) {
        Some((at, _)) => format!("{} …", line.get(..at).unwrap_or_default()),
        None => line,
    }
}

/// An answer without the quotes round its words.
pub(super) fn plain(answer: &Answer) -> String {
    const LONG: usize = 600;
    let text = answer.to_string().replace('"', "");
    if text.chars().count() <= LONG {
        return text;
    }
    let cut: String = text.chars().take(LONG).collect();
    format!("{} … (`gameproof solve` prints it whole)", cut.rsplit_once(", ").map_or(cut.as_str(), |(kept, _)| kept))
}

/// A key in words.
pub(super) fn key(key: &Key, rules: &Rules) -> String {
    match key {
        Key::Word(word) => word.clone(),
        Key::Int(value) => value.to_string(),
        Key::Truth(truth) => truth.to_string(),
        Key::List(keys) => {
            let keys: Vec<String> = keys.iter().map(|part| self::key(part, rules)).collect();
            format!("[{}]", keys.join(", "))
        }
        Key::States(states) => {
            let shown: Vec<String> = states.iter().map(|cells| with_tail(rules, cells)).collect();
            format!("[{}]", shown.join(", "))
        }
        Key::Names(names) => format!("[{}]", names.join(", ")),
    }
}

/// A state as it is shown, which a key has without what follows it in a position.
pub(super) fn with_tail(rules: &Rules, cells: &[i64]) -> String {
    let tail = vec![0; rules.tail()];
    shown(rules, &[cells, &tail].concat())
}

/// Numbers in runs: `1 … 6, 8`.
pub(super) fn runs(values: &[i64], most: usize) -> String {
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for value in values {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*value) => *last = *value,
            _ => runs.push((*value, *value)),
        }
    }
    let shown = runs.iter().map(|(first, last)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} … {last}"),
    });
    let shown: Vec<String> = shown.collect();
    if shown.len() <= most { shown.join(", ") } else { list(&shown[..most], most) + ", …" }
}

#[cfg(test)]
mod tests {
    use super::{and, counted, runs};

    #[test]
    fn numbers_come_in_runs() {
        assert_eq!(runs(&[1, 2, 3, 4, 8, 10, 11], 9), "1 … 4, 8, 10, 11");
        assert_eq!(runs(&[1, 3, 5], 2), "1, 3, …");
        assert_eq!(runs(&[], 2), "");
    }

    #[test]
    fn counts_have_their_plural() {
        assert_eq!(counted("1", "play"), "1 play");
        assert_eq!(counted("2", "play"), "2 plays");
        assert_eq!(counted("3", "entry"), "3 entries");
        assert_eq!(and(&["a".to_owned(), "b".to_owned(), "c".to_owned()]), "a, b and c");
    }
}
