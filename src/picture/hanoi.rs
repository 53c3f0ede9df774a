//! Towers of Hanoi: pegs side by side, each disc with its number.

/// The widest picture in characters; what would be wider is written in lines.
const WIDTH_LIMIT: usize = 100;

pub(super) fn draw(position: &[i64], pegs: usize) -> Option<String> {
    let mut towers: Vec<Vec<usize>> = vec![Vec::new(); pegs];
    // the largest discs lie at the bottom
    for (disc, peg) in position.iter().enumerate().rev() {
        towers.get_mut(usize::try_from(*peg).ok()?)?.push(disc);
    }
    let width = 2 * position.len() + 3;
    if width * pegs > WIDTH_LIMIT { Some(lines(&towers)) } else { Some(standing(&towers, position.len(), width)) }
}

fn standing(towers: &[Vec<usize>], height: usize, width: usize) -> String {
    let mut text = String::new();
    for level in (0..height).rev() {
        let row = towers.iter().map(|tower| {
            let cell = tower.get(level).map_or_else(|| "|".to_owned(), |disc| format!("{disc:-^0$}", 2 * disc + 3));
            format!("{cell:^width$}")
        });
        push_line(&mut text, &row.collect::<String>());
    }
    push_line(&mut text, &"=".repeat(width * towers.len()));
    let names = (0..towers.len()).map(|peg| format!("{peg:^width$}"));
    push_line(&mut text, &names.collect::<String>());
    text
}

fn lines(towers: &[Vec<usize>]) -> String {
    let mut text = String::new();
    for (peg, tower) in towers.iter().enumerate() {
        let discs: Vec<String> = tower.iter().map(usize::to_string).collect();
        push_line(&mut text, &format!("peg {peg} | {}", discs.join(" ")));
    }
    text
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}

pub(super) fn step(before: &[i64], after: &[i64]) -> Option<String> {
    let mut moved = before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
    let (disc, (_, peg)) = moved.next()?;
    if moved.next().is_some() { None } else { Some(format!("disc {disc} to peg {peg}")) }
}

#[cfg(test)]
mod tests {
    use super::{draw, step};

    #[test]
    fn three_discs() {
        let all = [
            "    |        |        |",
            "    |        |        |",
            " ---2---   --1--     -0-",
            "===========================",
            "    0        1        2",
            "",
        ];
        assert_eq!(draw(&[2, 1, 0], 3).as_deref(), Some(all.join("\n").as_str()));
        let tower = [
            "    |       -0-       |",
            "    |      --1--      |",
            "    |     ---2---     |",
            "===========================",
            "    0        1        2",
            "",
        ];
        assert_eq!(draw(&[1, 1, 1], 3).as_deref(), Some(tower.join("\n").as_str()));
    }

    #[test]
    fn too_wide_to_stand() {
        let drawn = draw(&[0; 20], 3);
        let lines = "peg 0 | 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0\npeg 1 |\npeg 2 |\n";
        assert_eq!(drawn.as_deref(), Some(lines));
        assert_eq!(draw(&[7], 3), None, "no such peg");
    }

    #[test]
    fn steps() {
        assert_eq!(step(&[0, 0], &[2, 0]).as_deref(), Some("disc 0 to peg 2"));
        assert_eq!(step(&[0, 0], &[1, 1]), None);
    }
}
