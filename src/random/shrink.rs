//! Makes a problem file small while something holds of it.
//!
//! It knows nothing of the notation and the rule language but their words, brackets, commas and quotes: it leaves out
//! items between commas, then stretches of words, puts a part in the place of the whole and smaller numbers in the
//! place of larger ones. What no longer loads does not hold, and so is not taken.

/// How many files are tried at most.
const MOST: usize = 30_000;

/// Stretches of more words than this are left out only as items between commas.
const STRETCH: usize = 40;

/// The smallest file found for which `holds` is still true.
#[must_use]
pub fn shrink(text: &str, holds: &mut dyn FnMut(&str) -> bool) -> String {
    let mut shrinker = Shrinker { words: split(text), holds, tried: 0 };
    loop {
        let before = shrinker.words.clone();
        shrinker.items();
        shrinker.stretches();
        shrinker.parts();
        shrinker.numbers();
        if shrinker.words == before || shrinker.tried >= MOST {
            break;
        }
    }
    let lines: Vec<String> =
        shrinker.words.concat().lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
    format!("{}\n", lines.join("\n"))
}

struct Shrinker<'h> {
    /// The file as words and signs, each with the space before it.
    words: Vec<String>,
    holds: &'h mut dyn FnMut(&str) -> bool,
    tried: usize,
}

impl Shrinker<'_> {
    /// Takes the change if it still holds.
    fn take(&mut self, words: Vec<String>) -> bool {
        if self.tried >= MOST || words == self.words {
            return false;
        }
        self.tried += 1;
        let holds = (self.holds)(&words.concat());
        if holds {
            self.words = words;
        }
        holds
    }

    /// The words with others in the place of a stretch.
    fn with(&self, from: usize, to: usize, others: &[&str]) -> Vec<String> {
        let mut words = self.words[..from].to_vec();
        words.extend(others.iter().map(|word| (*word).to_owned()));
        words.extend_from_slice(&self.words[to..]);
        words
    }

    /// Leaves out items between commas: many at once, then one after the other.
    fn items(&mut self) {
        let mut number = 0;
        while let Some(group) = groups(&self.words).get(number).cloned() {
            number += 1;
            let mut run = group.items.len();
            let mut items = group.items;
            while run > 0 {
                let mut at = 0;
                while at < items.len() {
                    let last = items[(at + run).min(items.len()) - 1].1;
                    // the comma behind goes with them, or the one before
                    let behind = self.words.get(last).is_some_and(|word| word.trim() == ",");
                    let before = at > 0 && !behind;
                    let from = items[at].0 - usize::from(before);
                    if self.take(self.with(from, last + usize::from(behind), &[])) {
                        // the group with this number is the same one, with fewer items
                        items = groups(&self.words).get(number - 1).map_or(Vec::new(), |group| group.items.clone());
                    } else {
                        at += run;
                    }
                }
                run /= 2;
            }
        }
    }

    /// Leaves out stretches of a text, or puts the simplest value in their place; the longest first.
    fn stretches(&mut self) {
        let mut text = 0;
        while let Some((mut from, mut to)) = texts(&self.words).get(text).copied() {
            let mut length = (to - from).min(STRETCH);
            while length > 0 {
                let mut at = from;
                while at + length <= to {
                    let others: &[&[&str]] =
                        if length == 1 { &[&[]] } else { &[&[], &[" 0"], &[" true"], &[" win"], &[" x"]] };
                    let changed = balanced(&self.words[at..at + length])
                        && others.iter().any(|others| self.take(self.with(at, at + length, others)));
                    if changed {
                        (from, to) = texts(&self.words).get(text).copied().unwrap_or((0, 0));
                    } else {
                        at += 1;
                    }
                }
                length = (length - 1).min(to - from);
            }
            text += 1;
        }
    }

    /// Puts an item of a bracket in the place of the bracket, and of the function before it.
    fn parts(&mut self) {
        let mut number = 0;
        while let Some(group) = groups(&self.words).get(number).cloned() {
            let starts = [group.open.saturating_sub(1), group.open];
            let mut ways = group.items.iter().flat_map(|item| starts.map(|start| (*item, start)));
            let changed = ways.any(|((from, to), start)| {
                let part: Vec<&str> = self.words[from..to].iter().map(String::as_str).collect();
                self.take(self.with(start, group.close + 1, &part))
            });
            number += usize::from(!changed);
        }
    }

    /// Smaller numbers in the place of larger ones.
    fn numbers(&mut self) {
        for at in 0..self.words.len() {
            let Some(mut value) = self.words.get(at).and_then(|word| word.trim().parse::<u64>().ok()) else { continue };
            let space = if self.words[at].starts_with(' ') { " " } else { "" };
            loop {
                let smaller = [0, 1, value / 2, value.saturating_sub(1)].into_iter().filter(|less| *less < value);
                let took = smaller
                    .collect::<Vec<u64>>()
                    .into_iter()
                    .find(|less| self.take(self.with(at, at + 1, &[&format!("{space}{less}")])));
                match took {
                    Some(less) => value = less,
                    None => break,
                }
            }
        }
    }
}

/// A bracket with what stands between its commas.
#[derive(Clone, Debug)]
struct Group {
    open: usize,
    close: usize,
    /// From where to where each item goes.
    items: Vec<(usize, usize)>,
}

/// All brackets, the outer before the inner.
fn groups(words: &[String]) -> Vec<Group> {
    let mut open: Vec<usize> = Vec::new();
    let mut found: Vec<Group> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        match word.trim() {
            "(" | "[" | "{" => {
                open.push(found.len());
                found.push(Group { open: at, close: at, items: vec![(at + 1, at + 1)] });
            }
            "\"" => match open.last() {
                Some(last) if words[found[*last].open].trim() == "\"" => close(&mut found, &mut open, at),
                _ => {
                    open.push(found.len());
                    found.push(Group { open: at, close: at, items: vec![(at + 1, at + 1)] });
                }
            },
            ")" | "]" | "}" => close(&mut found, &mut open, at),
            "," => {
                if let Some(last) = open.last() {
                    let items = &mut found[*last].items;
                    items.iter_mut().rev().take(1).for_each(|item| item.1 = at);
                    items.push((at + 1, at + 1));
                }
            }
            _ => {}
        }
    }
    found.retain(|group| group.close > group.open);
    found
}

fn close(found: &mut [Group], open: &mut Vec<usize>, at: usize) {
    let Some(last) = open.pop() else { return };
    let group = &mut found[last];
    group.close = at;
    group.items.iter_mut().rev().take(1).for_each(|item| item.1 = at);
    group.items.retain(|(from, to)| from < to);
}

/// The texts in quotes, without the quotes.
fn texts(words: &[String]) -> Vec<(usize, usize)> {
    let quotes: Vec<usize> = (0..words.len()).filter(|at| words[*at].trim() == "\"").collect();
    quotes.chunks_exact(2).map(|pair| (pair[0] + 1, pair[1])).collect()
}

fn balanced(words: &[String]) -> bool {
    let mut open: Vec<&str> = Vec::new();
    words.iter().all(|word| match word.trim() {
        "(" => {
            open.push(")");
            true
        }
        "[" => {
            open.push("]");
            true
        }
        sign @ (")" | "]") => open.pop() == Some(sign),
        _ => true,
    }) && open.is_empty()
}

/// A text as words, numbers, quoted names and signs, each with the space before it.
fn split(text: &str) -> Vec<String> {
    const SIGNS: [&str; 12] = ["..=", "//=", "**", "//", "..", "<=", ">=", "==", "!=", "+=", "-=", "*="];
    let mut words = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let space = rest.len() - rest.trim_start().len();
        let word = &rest[space..];
        let of = |wanted: fn(char) -> bool| word.find(|c: char| !wanted(c)).unwrap_or(word.len());
        let length = match word.chars().next() {
            None => 0,
            Some(c) if c.is_ascii_digit() => of(|c| c.is_ascii_digit()),
            Some(c) if c.is_alphabetic() || c == '_' => of(|c| c.is_alphanumeric() || c == '_'),
            Some('\'') => word[1..].find('\'').map_or(1, |end| end + 2),
            Some(c) => SIGNS.iter().find(|sign| word.starts_with(**sign)).map_or(c.len_utf8(), |sign| sign.len()),
        };
        words.push(rest[..space + length].to_owned());
        rest = &rest[space + length..];
    }
    words
}

#[cfg(test)]
mod tests {
    use super::{shrink, split};

    #[test]
    fn words_make_up_the_text() {
        let text = "(a: \"x // 2, y + 10 for v in 1..=n\",\n  b: ['x + 1'])\n";
        assert_eq!(split(text).concat(), text);
    }

    #[test]
    fn what_does_not_matter_is_left_out() {
        let text = "(\n    one: \"x + 17, max(y, 5) * 3\",\n    two: [4, 5, 6],\n)\n";
        assert_eq!(shrink(text, &mut |text| text.contains("max") && text.starts_with('(')), "(\n    one max,\n)\n");
        assert_eq!(shrink(text, &mut |text| text.contains('6')).trim(), "two 6");
    }
}
