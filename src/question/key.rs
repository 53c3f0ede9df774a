//! Keys: what an author may write for an ask, and whether it is right.

use dashu_int::IBig;

use super::Answer;
use crate::lang::tree::{Rules, StateVariable};
use crate::lang::{Mistake, Named, Source, Span, nearest};
use crate::value::Class;
use std::sync::Arc;

/// How the key of an ask is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One of these words.
    Words(&'static [&'static str]),
    /// `"W2"`, `"L1"` or `"draw"`.
    Class,
    /// A number, or one of these words.
    Number(&'static [&'static str]),
    /// `true` or `false`.
    Truth,
    /// Numbers in any order.
    Numbers,
    /// First moves, all that win, as positions or as names.
    FirstMoves,
    /// One first move, or `"none"`.
    AFirstMove,
    /// A sequence of moves, as positions or as names, or `"none"`.
    Solution,
    /// One part for each.
    Parts(Vec<Shape>),
    /// Rows of 0 and 1.
    Grid,
    /// Pre-period and period, or `"none"`.
    Period,
    /// One entry for each combination of the parameters.
    PerStart(Box<Shape>),
}

/// A key, typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// A word.
    Word(String),
    /// A number.
    Int(IBig),
    /// A truth value.
    Truth(bool),
    /// Entries in order; for sets the order does not matter.
    List(Vec<Key>),
    /// First moves as the states they lead to.
    States(Vec<Vec<i64>>),
    /// First moves by name.
    Names(Vec<String>),
}

/// A key as written, with its places.
#[derive(Clone, Debug)]
pub struct Written {
    /// What stands there.
    pub kind: WrittenKind,
    /// Where it stands.
    pub span: Span,
}

/// What may stand in a key.
#[derive(Clone, Debug)]
pub enum WrittenKind {
    /// A whole number.
    Int(IBig),
    /// `true` or `false`.
    Truth(bool),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Written>),
}

impl std::fmt::Display for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            WrittenKind::List(entries) => {
                f.write_str("[")?;
                for (at, entry) in entries.iter().enumerate() {
                    if at > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{entry}")?;
                }
                f.write_str("]")
            }
            kind => f.write_str(&kind.shown()),
        }
    }
}

impl WrittenKind {
    fn shown(&self) -> String {
        match self {
            Self::Int(value) => format!("{value}"),
            Self::Truth(truth) => format!("{truth}"),
            Self::Text(text) => format!("\"{text}\""),
            Self::List(_) => "a list".to_owned(),
        }
    }
}

/// Turns a written key into a typed one; mistakes are noted.
pub(crate) fn read_key(
    written: &Written,
    shape: &Shape,
    rules: &Rules,
    sum: bool,
    source: &Arc<Source>,
    mistakes: &mut Vec<Mistake>,
) -> Option<Key> {
    let mut refuse = |place: &Written, allowed: String| {
        let found = Some(place.to_string()).filter(|found| found.len() <= 60).unwrap_or_else(|| place.kind.shown());
        mistakes.push(Mistake::new(source, place.span, format!("the key {found} does not fit the ask")).help(allowed));
    };
    match (shape, &written.kind) {
        (Shape::Words(words), WrittenKind::Text(text)) if words.contains(&text.as_str()) => {
            Some(Key::Word(text.clone()))
        }
        (Shape::Words(words), kind) => {
            let listed = listed(words);
            let near = if let WrittenKind::Text(text) = kind { nearest(text, words.iter().copied()) } else { None };
            let near = near.map_or(String::new(), |near| format!("did you mean \"{near}\"? "));
            refuse(written, format!("{near}the key is {listed}"));
            None
        }
        (Shape::Class, WrittenKind::Text(text)) if text == "draw" || text.parse::<Class>().is_ok() => {
            Some(Key::Word(text.parse::<Class>().map_or_else(|()| text.clone(), |class| class.to_string())))
        }
        (Shape::Class, _) => {
            refuse(written, "the key is a class such as \"W2\" or \"L1\", or \"draw\"".to_owned());
            None
        }
        (Shape::Number(words), kind) => match number(kind) {
            Some(value) => Some(Key::Int(value)),
            None => match kind {
                WrittenKind::Text(text) if words.contains(&text.as_str()) => Some(Key::Word(text.clone())),
                _ => {
                    let or = if words.is_empty() { String::new() } else { format!(", or {}", listed(words)) };
                    refuse(written, format!("the key is a number, one beyond 64 bits as a string of digits{or}"));
                    None
                }
            },
        },
        (Shape::Truth, WrittenKind::Truth(truth)) => Some(Key::Truth(*truth)),
        (Shape::Truth, _) => {
            refuse(written, "the key is true or false".to_owned());
            None
        }
        (Shape::Numbers, _) => {
            let mut values = Vec::new();
            for entry in entries(written) {
                match number(&entry.kind) {
                    Some(value) => values.push(Key::Int(value)),
                    None => {
                        refuse(
                            entry,
                            "the key is a list of numbers, in any order; one alone may stand for a list of one"
                                .to_owned(),
                        );
                        return None;
                    }
                }
            }
            Some(Key::List(values))
        }
        (Shape::FirstMoves, _) => first_moves(entries(written), rules, sum, source, mistakes),
        (Shape::Solution, WrittenKind::List(moves)) => first_moves(moves, rules, sum, source, mistakes),
        (Shape::Solution, WrittenKind::Text(text)) if text == "none" => Some(Key::Word(text.clone())),
        (Shape::Solution, _) => {
            refuse(written, "the key is a list of moves, by name or as the positions passed, or \"none\"".to_owned());
            None
        }
        (Shape::AFirstMove, WrittenKind::Text(text)) if text == "none" => Some(Key::Word(text.clone())),
        (Shape::AFirstMove, WrittenKind::List(_)) => {
            refuse(written, "the key is one move, as a position or a name, or \"none\"".to_owned());
            None
        }
        (Shape::AFirstMove, _) => first_moves(std::slice::from_ref(written), rules, sum, source, mistakes),
        (Shape::Parts(shapes), WrittenKind::List(parts)) if parts.len() == shapes.len() => {
            let keys: Vec<Option<Key>> = parts
                .iter()
                .zip(shapes)
                .map(|(part, shape)| read_key(part, shape, rules, sum, source, mistakes))
                .collect();
            keys.into_iter().collect::<Option<Vec<Key>>>().map(Key::List)
        }
        (Shape::Parts(shapes), _) => {
            refuse(written, format!("the key is a list of {} entries, one for each part of the ask", shapes.len()));
            None
        }
        (Shape::Grid, WrittenKind::List(rows)) => {
            let mut keys = Vec::new();
            for row in rows {
                let WrittenKind::List(cells) = &row.kind else {
                    refuse(row, "the key is a list of rows, each a list of 0 and 1".to_owned());
                    return None;
                };
                let mut line = Vec::new();
                for cell in cells {
                    match &cell.kind {
                        WrittenKind::Int(value) if *value == IBig::ZERO || *value == IBig::ONE => {
                            line.push(Key::Int(value.clone()))
                        }
                        _ => {
                            refuse(cell, "a cell of a grid is 0 or 1".to_owned());
                            return None;
                        }
                    }
                }
                keys.push(Key::List(line));
            }
            Some(Key::List(keys))
        }
        (Shape::Grid, _) => {
            refuse(written, "the key is a list of rows, each a list of 0 and 1".to_owned());
            None
        }
        (Shape::Period, WrittenKind::Text(text)) if text == "none" => Some(Key::Word(text.clone())),
        (Shape::Period, WrittenKind::List(pair)) if pair.len() == 2 => {
            let pair = pair.iter().map(|part| read_key(part, &Shape::Number(&[]), rules, sum, source, mistakes));
            pair.collect::<Option<Vec<Key>>>().map(Key::List)
        }
        (Shape::Period, _) => {
            refuse(written, "the key is a pair of pre-period and period, such as [71, 12], or \"none\"".to_owned());
            None
        }
        (Shape::PerStart(shape), kind) => {
            let mut inner = Vec::new();
            let list = if let WrittenKind::List(list) = kind { Some(list) } else { None };
            let keys = list.and_then(|list| {
                let entries = list.iter().map(|entry| read_key(entry, shape, rules, sum, source, &mut inner));
                entries.collect::<Vec<_>>().into_iter().collect::<Option<Vec<Key>>>()
            });
            if keys.is_none() {
                // a key for one start is right where the question takes the parameters away
                if list.is_none() || read_key(written, shape, rules, sum, source, &mut Vec::new()).is_some() {
                    refuse(
                        written,
                        "the question has parameters, so the key is a list with one entry for each combination of \
                         them; if it is about one start, write `given: {}` in the question"
                            .to_owned(),
                    );
                } else {
                    mistakes.append(&mut inner);
                }
            }
            keys.map(Key::List)
        }
    }
}

fn entries(written: &Written) -> &[Written] {
    match &written.kind {
        WrittenKind::List(list) => list,
        _ => std::slice::from_ref(written),
    }
}

fn number(kind: &WrittenKind) -> Option<IBig> {
    match kind {
        WrittenKind::Int(value) => Some(value.clone()),
        WrittenKind::Text(text) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            text.parse().ok()
        }
        _ => None,
    }
}

fn listed(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

fn first_moves(
    entries: &[Written],
    rules: &Rules,
    sum: bool,
    source: &Arc<Source>,
    mistakes: &mut Vec<Mistake>,
) -> Option<Key> {
    let mut named: Vec<Named> = Vec::new();
    let mut states = Vec::new();
    let mut failed = false;
    for entry in entries {
        let text = match &entry.kind {
            WrittenKind::Text(text) => text.clone(),
            WrittenKind::Int(value) => value.to_string(),
            _ => {
                let mistake = Mistake::new(source, entry.span, format!("the key {} is no move", entry.kind.shown()));
                mistakes.push(mistake.help("a move is written as the position it leads to, or by its name"));
                failed = true;
                continue;
            }
        };
        if rules.moves.iter().any(|made| made.name.trim() == text.trim()) {
            named.push(Named { name: text.trim().to_owned(), span: entry.span });
        } else if let Some(state) = read_position(&text, &rules.state, sum) {
            states.push((state, entry.span));
        } else {
            let mistake = Mistake::new(
                source,
                entry.span,
                format!("the key \"{text}\" is neither a position nor the name of a move"),
            );
            let names: Vec<String> = rules.moves.iter().map(|made| format!("\"{}\"", made.name)).collect();
            let example = if sum { example_of_sum(&rules.state) } else { example(&rules.state) };
            let mut mistake = mistake.help(format!("a position is written {example}"));
            if let Some(near) = nearest(&text, rules.moves.iter().map(|made| made.name.as_str())) {
                mistake = mistake.help(format!("did you mean \"{near}\"?"));
            }
            mistakes.push(mistake.help(format!("the moves are {}", names.join(", "))));
            failed = true;
        }
    }
    if failed {
        return None;
    }
    match (named.first(), states.first()) {
        (Some(name), Some((_, span))) => {
            let place = if name.span.start < span.start { *span } else { name.span };
            let mistake = Mistake::new(source, place, "the key mixes names and positions");
            mistakes.push(mistake.help("write all moves by name, or all as positions"));
            None
        }
        (Some(_), None) => Some(Key::Names(named.into_iter().map(|named| named.name).collect())),
        _ => Some(Key::States(states.into_iter().map(|(state, _)| state).collect())),
    }
}

fn example(state: &[StateVariable]) -> String {
    let entries: Vec<String> = state
        .iter()
        .map(|variable| match variable.length {
            None => variable.name.clone(),
            Some(_) => format!("[{}, …]", variable.name),
        })
        .collect();
    match state {
        [StateVariable { length: None, .. }] => "\"5\" or \"(5)\"".to_owned(),
        _ => format!("\"({})\" with numbers", entries.join(", ")),
    }
}

fn example_of_sum(state: &[StateVariable]) -> String {
    match state {
        [StateVariable { length: None, .. }] => "\"(3, 6, 5)\", one number for each component".to_owned(),
        [_] => "\"([…], […])\", one array for each component".to_owned(),
        _ => format!(
            "\"({0}, {0})\" with numbers, one group for each component",
            example(state).trim_matches('"').replace("\" with numbers", "")
        ),
    }
}

/// Reads a position as it is shown; of a sum all its components, one after the other.
pub(crate) fn read_position(text: &str, state: &[StateVariable], sum: bool) -> Option<Vec<i64>> {
    let single = read_state(text, state);
    if !sum || single.is_some() {
        return single;
    }
    let inside = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    let components: Option<Vec<Vec<i64>>> = pieces(inside).into_iter().map(|piece| read_state(piece, state)).collect();
    components.map(|components| components.concat())
}

/// The pieces between the commas of a text that stand in no bracket.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    let (mut open, mut start) = (0_usize, 0);
    let mut pieces = Vec::new();
    for (at, found) in text.char_indices() {
        match found {
            '(' | '[' => open += 1,
            ')' | ']' => open = open.saturating_sub(1),
            ',' if open == 0 => {
                pieces.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&text[start..]);
    pieces
}

/// Reads a position as it is shown: `5`, `(5)`, `(1, -1)`, `(8, [0, 1])`; spaces round the numbers do not matter.
pub(crate) fn read_state(text: &str, state: &[StateVariable]) -> Option<Vec<i64>> {
    let text = text.trim();
    let mut rest = match text.strip_prefix('(') {
        Some(rest) => rest.strip_suffix(')')?,
        None if state.len() == 1 => text,
        None => return None,
    };
    let mut cells = Vec::new();
    for (at, variable) in state.iter().enumerate() {
        if at > 0 {
            rest = rest.trim_start().strip_prefix(',')?;
        }
        match variable.length {
            None => {
                let end = rest.find(',').unwrap_or(rest.len());
                cells.push(whole(&rest[..end])?);
                rest = &rest[end..];
            }
            Some(length) => {
                rest = rest.trim_start().strip_prefix('[')?;
                let end = rest.find(']')?;
                let inside = rest[..end].trim();
                let values: Vec<i64> =
                    if inside.is_empty() { Vec::new() } else { inside.split(',').map(whole).collect::<Option<_>>()? };
                if values.len() != length {
                    return None;
                }
                cells.extend(values);
                rest = &rest[end + 1..];
            }
        }
    }
    rest.trim().is_empty().then_some(cells)
}

/// A whole number with nothing but blanks round it.
fn whole(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Whether a key is right.
#[must_use]
pub fn accepts(answer: &Answer, key: &Key) -> bool {
    match (answer, key) {
        (Answer::Word(word), Key::Word(key)) => word == key,
        (Answer::Int(value), Key::Int(key)) => value == key,
        (Answer::Truth(truth), Key::Truth(key)) => truth == key,
        (Answer::List(values), Key::List(keys)) => {
            values.len() == keys.len() && values.iter().zip(keys).all(|(value, key)| accepts(value, key))
        }
        (Answer::Set(values), Key::List(keys)) => {
            // an entry written twice is no second value
            let mut rest: Vec<&Key> = keys.iter().collect();
            values.iter().all(|value| {
                let found = rest.iter().position(|key| accepts(value, key));
                found.map(|at| rest.swap_remove(at)).is_some()
            }) && rest.is_empty()
        }
        (Answer::FirstMoves(moves), Key::States(states)) => {
            // a position written twice is no second position
            let winning = |state: &[i64]| moves.iter().any(|made| made.wins && made.state == state);
            let once = |state: &Vec<i64>| states.iter().filter(|other| *other == state).count() == 1;
            states.iter().all(|state| winning(state) && once(state))
                && moves.iter().filter(|made| made.wins).all(|made| states.contains(&made.state))
        }
        (Answer::FirstMoves(moves), Key::Names(names)) => {
            let named = |name: &str| names.iter().any(|key| key == name.trim());
            names.iter().all(|name| moves.iter().any(|made| made.name.trim() == name))
                && moves.iter().all(|made| made.wins == named(&made.name))
        }
        (Answer::AFirstMove(moves), Key::Word(_)) => !moves.iter().any(|made| made.wins),
        (Answer::AFirstMove(moves), Key::States(states)) => {
            moves.iter().any(|made| made.wins && states.first() == Some(&made.state))
        }
        // one text may stand for many moves: the name is right when some move of it wins
        (Answer::AFirstMove(moves), Key::Names(names)) => {
            moves.iter().any(|made| made.wins && names.first().is_some_and(|name| name == made.name.trim()))
        }
        (Answer::Solution(None), Key::Word(_)) => true,
        (Answer::Solution(Some(solution)), Key::States(states)) => solution.passes(states),
        (Answer::Solution(Some(solution)), Key::Names(names)) => solution.is_made_of(names),
        (Answer::OneOf(values), Key::Word(_)) => values.is_empty(),
        (Answer::OneOf(values), key) => values.iter().any(|value| accepts(value, key)),
        _ => false,
    }
}
