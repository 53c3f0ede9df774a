//! The text of an explanation: lines that are not too long, indented where they belong to something above.

/// How wide a line may be.
const WIDTH: usize = 100;

/// Lines of text.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    text: String,
}

impl Page {
    /// Adds a paragraph at so many steps of indentation, broken into lines at spaces that stand in no bracket.
    pub(super) fn say(&mut self, indent: usize, words: &str) {
        let margin = "  ".repeat(indent);
        let mut line = margin.clone();
        let mut wide = 0;
        for piece in pieces(words) {
            let long = piece.chars().count();
            if wide > 0 && margin.len() + wide + 1 + long > WIDTH {
                self.end(&line);
                line.clone_from(&margin);
                wide = 0;
            }
            if wide > 0 {
                line.push(' ');
                wide += 1;
            }
            line.push_str(piece);
            wide += long;
        }
        self.end(&line);
    }

    /// Adds a line as it stands, unless it is too long.
    pub(super) fn line(&mut self, indent: usize, text: &str) {
        if 2 * indent + text.chars().count() > WIDTH {
            return self.say(indent, text);
        }
        self.end(&format!("{}{text}", "  ".repeat(indent)));
    }

    fn end(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// The pieces between the spaces of a text, those in brackets and in backquotes aside.
fn pieces(words: &str) -> Vec<&str> {
    let (mut open, mut quoted, mut start) = (0_usize, false, 0);
    let mut pieces = Vec::new();
    for (at, found) in words.char_indices() {
        match found {
            '(' | '[' => open += 1,
            ')' | ']' => open = open.saturating_sub(1),
            '`' => quoted = !quoted,
            ' ' if open == 0 && !quoted => {
                pieces.push(&words[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&words[start..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::Page;

    #[test]
    fn positions_are_not_broken() {
        let mut page = Page::default();
        page.say(1, &"to (10, 31), ".repeat(9));
        let text = page.finish();
        assert_eq!(text.lines().count(), 2);
        assert!(text.lines().all(|line| line.chars().count() <= 100 && line.starts_with("  ")), "{text}");
        assert_eq!(text.lines().map(|line| line.matches("(10, 31),").count()).sum::<usize>(), 9, "{text}");
    }
}
