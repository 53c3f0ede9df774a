//! Heaps of matches: a row for each, long ones by their number alone.

/// The longest row of matches that is drawn.
const ROW_LIMIT: i64 = 40;

/// How many heaps are drawn.
const HEAP_LIMIT: usize = 30;

pub(super) fn draw(position: &[i64]) -> String {
    let rows: Vec<String> = position.iter().take(HEAP_LIMIT).map(|heap| matches(*heap)).collect();
    let width = rows.iter().map(String::len).max().unwrap_or(0);
    let digits = rows.len().to_string().len();
    let mut text = String::new();
    for (at, (row, heap)) in rows.iter().zip(position).enumerate() {
        let count = if (0..=ROW_LIMIT).contains(heap) { heap.to_string() } else { String::new() };
        text.push_str(format!("heap {:<digits$}  {row:<width$}  {count}", at + 1).trim_end());
        text.push('\n');
    }
    if position.len() > rows.len() {
        text.push_str(&format!("and {} heaps more\n", position.len() - rows.len()));
    }
    text
}

/// `||||| ||`, in groups of five; `| x 1000` where that would be long.
fn matches(heap: i64) -> String {
    if !(0..=ROW_LIMIT).contains(&heap) {
        return format!("| x {heap}");
    }
    let mut row = String::new();
    for at in 0..heap {
        if at > 0 && at % 5 == 0 {
            row.push(' ');
        }
        row.push('|');
    }
    row
}

/// `3 from heap 2`, where one heap has become smaller.
pub(super) fn step(before: &[i64], after: &[i64]) -> Option<String> {
    if before.len() != after.len() {
        return None;
    }
    let mut changed = before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
    let (at, (before, after)) = changed.next()?;
    let taken = before.checked_sub(*after).filter(|taken| *taken > 0)?;
    if changed.next().is_some() { None } else { Some(format!("{taken} from heap {}", at + 1)) }
}

#[cfg(test)]
mod tests {
    use super::{draw, step};

    #[test]
    fn rows() {
        let drawn = draw(&[3, 12, 0, 1_000]);
        let lines = [
            "heap 1  |||             3",
            "heap 2  ||||| ||||| ||  12",
            "heap 3                  0",
            "heap 4  | x 1000",
            "",
        ];
        assert_eq!(drawn, lines.join("\n"));
        assert!(draw(&[1; 50]).ends_with("heap 30  |  1\nand 20 heaps more\n"));
        assert_eq!(draw(&[i64::MAX]), "heap 1  | x 9223372036854775807\n");
    }

    #[test]
    fn steps() {
        assert_eq!(step(&[3, 6, 9], &[3, 6, 5]).as_deref(), Some("4 from heap 3"));
        assert_eq!(step(&[3, 6, 9], &[3, 6, 2, 5]), None);
        assert_eq!(step(&[3], &[4]), None);
    }
}
