//! Game forms that expand to text: Nim and octal codes to rules, towers of Hanoi and peg solitaire to puzzles.

use super::super::raw::{Field, Raw};
use super::{Reader, RulesWire};
use crate::lang::tree::{Heaps, OctalCode};
use crate::lang::{Named, Span, Text};
use crate::picture::Picture;

/// The most discs and the most pegs.
const HANOI_LIMIT: i64 = 64;

/// The most holes of a board.
const HOLE_LIMIT: usize = 400;

/// The text of a puzzle, which no author wrote.
fn puzzle(form: &'static str, state: &str, made: &str, goal: &str, start: &str, picture: Picture) -> RulesWire {
    let text = |value: &str| Text::alone(form, value);
    RulesWire {
        form,
        puzzle: true,
        state: text(state),
        moves: vec![(Named { name: made.to_owned(), span: Span::default() }, text(made))],
        end: None,
        goal: Some(text(goal)),
        legal: None,
        winner: None,
        start: Some(text(start)),
        heaps: None,
        picture: Some(picture),
    }
}

/// The most digits of an octal code.
const DIGIT_LIMIT: usize = 100;

/// The words that the text of a heap game uses as names.
pub(super) const HEAP_WORDS: [&str; 3] = ["heap", "part", "take"];

/// A heap game as text; `mark` is put behind each name, so that it is not one of the file's.
pub(super) fn heaps(heaps: Heaps, misere: bool, mark: &str) -> RulesWire {
    let [heap, part, take] = HEAP_WORDS.map(|word| format!("{word}{mark}"));
    let mut moves = Vec::new();
    let form = match &heaps {
        Heaps::Nim => {
            moves.push(format!("{heap} - {take} for {take} in 1..={heap}"));
            "Nim"
        }
        Heaps::Octal(code) => {
            for (taken, digit) in code.digits.iter().enumerate() {
                match digit & 3 {
                    1 => moves.push(format!("0 if {heap} == {taken}")),
                    2 => moves.push(format!("{heap} - {taken} if {heap} > {taken}")),
                    3 => moves.push(format!("{heap} - {taken} if {heap} >= {taken}")),
                    _ => {}
                }
                if digit & 4 != 0 {
                    let rest = if taken == 0 { heap.clone() } else { format!("{heap} - {taken}") };
                    moves.push(format!("{part} | {rest} - {part} for {part} in 1..=({rest}) // 2"));
                }
            }
            "Octal"
        }
    };
    let text = |value: &str| Text::alone(form, value);
    let named = |made: String| (Named { span: Span::default(), name: made.clone() }, text(&made));
    RulesWire {
        form,
        puzzle: false,
        state: text(&heap),
        moves: moves.into_iter().map(named).collect(),
        end: None,
        goal: None,
        legal: None,
        winner: misere.then(|| text("other")),
        start: None,
        heaps: Some(heaps),
        picture: Some(Picture::Heaps),
    }
}

/// `Nim(misere: false)`: any number is taken from one heap.
pub(super) fn nim(reader: &mut Reader<'_>, body: Raw<'_>) -> Option<RulesWire> {
    // the one field written without its name
    if body.only().is_ok_and(|only| only.truth().is_ok()) {
        reader.note(body.span(), "a value without the name of its field", "write `Nim(misere: true)`");
        return None;
    }
    let mut misere = Some(false);
    for Field { value, .. } in reader.fields(body, "`Nim`", &["misere"], &[])? {
        misere = reader.take(value.truth());
    }
    Some(heaps(Heaps::Nim, misere?, ""))
}

/// `Octal("0.77")`: the digit in place k tells how a heap may be left after taking k counters.
pub(super) fn octal(reader: &mut Reader<'_>, body: Raw<'_>) -> Option<RulesWire> {
    let Some(only) = body.only().ok().filter(Raw::is_string) else {
        reader.note(body.span(), "`Octal` takes one octal code in quotes", "write `Octal(\"0.77\")`");
        return None;
    };
    let text = reader.string(only)?;
    match digits(&text.value) {
        Ok(digits) => Some(heaps(Heaps::Octal(OctalCode { digits }), false, "")),
        Err((at, message)) => {
            let end = text.value[at..].chars().next().map_or(at, |found| at + found.len_utf8());
            let help = "an octal code is written \"0.77\": before the point 0 or 4, behind it a digit from 0 to 7 for each number of counters that may be taken";
            reader.note(text.span(at..end), message, help);
            None
        }
    }
}

/// The digits of an octal code; or where it is none, and why.
fn digits(code: &str) -> Result<Vec<u8>, (usize, String)> {
    let found = |at: usize| match code[at..].chars().next() {
        Some(found) => format!("found `{}`", found.escape_debug()),
        None => "the octal code ends here".to_owned(),
    };
    if code.get(1..2) != Some(".") {
        let at = if code.starts_with(['0', '4']) { 1 } else { 0 };
        return Err((at, found(at)));
    }
    let mut digits = Vec::new();
    for (at, digit) in code.char_indices().filter(|(at, _)| *at != 1) {
        let allowed = if at == 0 { "04" } else { "01234567" };
        match digit.to_digit(8).and_then(|digit| u8::try_from(digit).ok()) {
            Some(value) if allowed.contains(digit) => digits.push(value),
            _ => return Err((at, found(at))),
        }
    }
    if digits.len() > DIGIT_LIMIT + 1 {
        return Err((DIGIT_LIMIT + 2, format!("more than {DIGIT_LIMIT} digits")));
    }
    if digits.len() < 2 { Err((code.len(), found(code.len()))) } else { Ok(digits) }
}

/// `Hanoi(disks: 5, pegs: 3, from: 0, to: 2, step: "any")`: `peg[i]` is the peg of disc i, the smallest first. A disc is
/// moved when no smaller one is on its peg or on the one it goes to.
pub(super) fn hanoi(reader: &mut Reader<'_>, body: Raw<'_>) -> Option<RulesWire> {
    let known = ["disks", "pegs", "from", "to", "step"];
    let fields = reader.fields(body, "`Hanoi`", &known, &["disks"])?;
    let (mut disks, mut pegs, mut from, mut to) = (None, Some(3), Some(0), None);
    let mut step = Some("any".to_owned());
    for Field { name, value } in fields {
        let mut number = |least: i64| {
            let found = reader.take(value.int())?;
            if (least..=HANOI_LIMIT).contains(&found) {
                return Some(found);
            }
            let message = format!("`{}` is {found}", name.name);
            reader.note(value.span(), message, format!("a number from {least} to {HANOI_LIMIT} is allowed"));
            None
        };
        match name.name.as_str() {
            "disks" => disks = number(0),
            "pegs" => pegs = number(1),
            "from" => from = number(0),
            "to" => to = Some((number(0), value.span())),
            _ => {
                step = reader.string(value).map(|text| text.value);
                if let Some(found) =
                    step.as_ref().filter(|found| !["any", "adjacent", "cyclic"].contains(&found.as_str()))
                {
                    let message = format!("unknown step \"{found}\"");
                    reader.note(value.span(), message, "a step is \"any\", \"adjacent\" or \"cyclic\"");
                    step = None;
                }
            }
        }
    }
    let (disks, pegs, from, step) = (disks?, pegs?, from?, step?);
    let to = match to {
        None => pegs - 1,
        Some((to, _)) => to?,
    };
    for (name, peg) in [("from", from), ("to", to)] {
        if peg >= pegs {
            reader.note(body.span(), format!("`{name}` is peg {peg}"), format!("the pegs are 0 to {}", pegs - 1));
            return None;
        }
    }
    let near = match step.as_str() {
        "adjacent" => "abs(p - peg[i]) == 1",
        "cyclic" => &format!("p == (peg[i] + 1) % {pegs} and p != peg[i]"),
        _ => "p != peg[i]",
    };
    let made = format!(
        "peg[i] = p for i in 0..{disks} for p in 0..{pegs} if {near} and all(peg[j] != peg[i] and peg[j] != p for j in 0..i)"
    );
    let goal = format!("all(peg[i] == {to} for i in 0..{disks})");
    let picture = Picture::Hanoi { pegs: usize::try_from(pegs).unwrap_or_default() };
    Some(puzzle("Hanoi", &format!("peg[{disks}]"), &made, &goal, &format!("[{from}] * {disks}"), picture))
}

/// `PegSolitaire(board: […], goal: […])`: `hole[i]` is 1 for a peg, in reading order. A peg jumps along a row or a column
/// over a peg into a hole.
pub(super) fn peg_solitaire(reader: &mut Reader<'_>, body: Raw<'_>) -> Option<RulesWire> {
    let fields = reader.fields(body, "`PegSolitaire`", &["board", "goal"], &["board"])?;
    let (mut board, mut goal) = (None, None);
    for Field { name, value } in fields {
        let grid = grid(reader, value).map(|grid| (grid, value.span()));
        if name.name == "board" { board = Some(grid?) } else { goal = Some(grid?) }
    }
    let (board, board_span) = board?;
    if board.is_empty() || board.len() > HOLE_LIMIT {
        let help = format!("from 1 to {HOLE_LIMIT} holes are allowed");
        reader.note(board_span, format!("a board of {} holes", board.len()), help);
        return None;
    }
    let goal = match goal {
        None => "sum(hole) == 1".to_owned(),
        Some((goal, span)) => {
            let places =
                |grid: &[(usize, usize, bool)]| grid.iter().map(|(row, column, _)| (*row, *column)).collect::<Vec<_>>();
            if places(&goal) != places(&board) {
                reader.note(span, "the goal has other holes than the board", "draw the same board with other pegs");
                return None;
            }
            format!("hole == {}", pegs_of(&goal))
        }
    };
    let place = |row: usize, column: usize| board.iter().position(|(r, c, _)| (*r, *c) == (row, column));
    let mut jumps: Vec<String> = Vec::new();
    for (from, (row, column, _)) in board.iter().enumerate() {
        for (down, right) in [(0_isize, 1_isize), (1, 0), (0, -1), (-1, 0)] {
            let at =
                |steps: isize| Some((row.checked_add_signed(down * steps)?, column.checked_add_signed(right * steps)?));
            let hole = |steps: isize| at(steps).and_then(|(row, column)| place(row, column));
            if let (Some(over), Some(to)) = (hole(1), hole(2)) {
                jumps.push(format!("[{from}, {over}, {to}]"));
            }
        }
    }
    let holes = board.len();
    // a board without a jump still needs a table with rows of three
    let table = if jumps.is_empty() { "[[0, 0, 0]]".to_owned() } else { format!("[{}]", jumps.join(", ")) };
    let made = format!(
        "hole[a] = 0, hole[b] = 0, hole[d] = 1 for (a, b, d) in {table} if hole[a] == 1 and hole[b] == 1 and hole[d] == 0"
    );
    let picture = Picture::Board { holes: board.iter().map(|(row, column, _)| (*row, *column)).collect() };
    Some(puzzle("PegSolitaire", &format!("hole[{holes}]"), &made, &goal, &pegs_of(&board), picture))
}

/// The holes of a drawing in reading order: row, column, and whether a peg is in it.
fn grid(reader: &mut Reader<'_>, raw: Raw<'_>) -> Option<Vec<(usize, usize, bool)>> {
    let mut holes = Vec::new();
    let mut failed = false;
    for (row, line) in reader.items(raw).into_iter().enumerate() {
        let Some(text) = reader.string(line) else {
            failed = true;
            continue;
        };
        for (column, (at, drawn)) in text.value.char_indices().enumerate() {
            match drawn {
                'o' => holes.push((row, column, true)),
                '.' => holes.push((row, column, false)),
                ' ' => {}
                other => {
                    let span = text.span(at..at + other.len_utf8());
                    reader.note(
                        span,
                        format!("found `{other}` on a board"),
                        "`o` is a peg, `.` an empty hole, a space no hole",
                    );
                    failed = true;
                }
            }
        }
    }
    (!failed).then_some(holes)
}

fn pegs_of(grid: &[(usize, usize, bool)]) -> String {
    let pegs: Vec<&str> = grid.iter().map(|(_, _, peg)| if *peg { "1" } else { "0" }).collect();
    format!("[{}]", pegs.join(", "))
}
