//! Game forms that expand to the text of a puzzle: towers of Hanoi and peg solitaire.

use super::super::raw::{Field, Raw};
use super::{Reader, RulesWire};
use crate::lang::{Named, Span, Text};
use crate::picture::Picture;

/// The most discs and the most pegs.
const HANOI_LIMIT: i64 = 64;

/// The most holes of a board.
const HOLE_LIMIT: usize = 400;

/// The text of a puzzle, which no author wrote.
fn puzzle(form: &str, state: &str, made: &str, goal: &str, start: &str, picture: Picture) -> RulesWire {
    let text = |value: &str| Text::alone(form, value);
    RulesWire {
        puzzle: true,
        state: text(state),
        moves: vec![(Named { name: made.to_owned(), span: Span::default() }, text(made))],
        end: None,
        goal: Some(text(goal)),
        legal: None,
        winner: None,
        start: Some(text(start)),
        picture: Some(picture),
    }
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
