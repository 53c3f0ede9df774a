//! Peg solitaire: the board as a problem file draws it, `o` a peg and `.` an empty hole, with names for its holes.

pub(super) fn draw(position: &[i64], holes: &[(usize, usize)]) -> Option<String> {
    if position.len() < holes.len() {
        return None;
    }
    let rows = holes.iter().map(|(row, _)| row + 1).max().unwrap_or(0);
    let columns = holes.iter().map(|(_, column)| column + 1).max().unwrap_or(0);
    let cell = columns.to_string().len() + 1;
    let head = row_name(rows.saturating_sub(1)).len().max(1);
    let mut drawn = vec![vec![" "; columns]; rows];
    for ((row, column), peg) in holes.iter().zip(position) {
        drawn[*row][*column] = if *peg == 0 { "." } else { "o" };
    }
    let mut text = String::new();
    let mut line = |name: &str, cells: &mut dyn Iterator<Item = String>| {
        let cells: String = cells.map(|text| format!("{text:>cell$}")).collect();
        text.push_str(format!("{name:>head$} {cells}").trim_end());
        text.push('\n');
    };
    line("", &mut (1..=columns).map(|column| column.to_string()));
    for (row, cells) in drawn.iter().enumerate() {
        line(&row_name(row), &mut cells.iter().map(|cell| (*cell).to_owned()));
    }
    Some(text)
}

pub(super) fn step(before: &[i64], after: &[i64], holes: &[(usize, usize)]) -> Option<String> {
    let changed = |from: i64, to: i64| {
        holes.iter().enumerate().filter(move |(at, _)| before.get(*at) == Some(&from) && after.get(*at) == Some(&to))
    };
    let mut landed = changed(0, 1);
    let (_, to) = landed.next()?;
    if landed.next().is_some() {
        return None;
    }
    // of the two pegs that left their holes, the one two steps away has jumped
    let (_, from) = changed(1, 0).find(|(_, from)| from.0.abs_diff(to.0) + from.1.abs_diff(to.1) == 2)?;
    Some(format!("{} to {}", hole_name(*from), hole_name(*to)))
}

fn hole_name((row, column): (usize, usize)) -> String {
    format!("{}{}", row_name(row), column + 1)
}

/// `a` to `z`, then `aa`, `ab` and so on.
fn row_name(row: usize) -> String {
    let letter = |at: usize| char::from(b'a' + u8::try_from(at % 26).unwrap_or(0));
    if row < 26 { letter(row).to_string() } else { format!("{}{}", row_name(row / 26 - 1), letter(row)) }
}

#[cfg(test)]
mod tests {
    use super::{draw, row_name, step};

    const CROSS: [(usize, usize); 6] = [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1), (3, 1)];

    #[test]
    fn six_pegs() {
        let drawn = draw(&[1, 1, 1, 0, 1, 0], &CROSS);
        assert_eq!(drawn.as_deref(), Some("   1 2 3\na    o\nb  o o .\nc    o\nd    .\n"));
        assert_eq!(step(&[1, 1, 1, 0, 1, 0], &[1, 0, 0, 1, 1, 0], &CROSS).as_deref(), Some("b1 to b3"));
        assert_eq!(step(&[1, 1, 1, 0, 1, 0], &[1, 1, 0, 0, 0, 1], &CROSS).as_deref(), Some("b2 to d2"));
    }

    #[test]
    fn many_rows() {
        assert_eq!([row_name(0), row_name(25), row_name(26), row_name(53)], ["a", "z", "aa", "bb"]);
    }
}
