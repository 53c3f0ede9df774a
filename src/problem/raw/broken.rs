//! Where the notation of a file is broken: what its author may have meant.
//!
//! The reader of the notation tells only the place at which it could not go on. Here the text before that place is read
//! once more, as loosely as can be, for the slips that authors make.

use std::ops::Range;

use super::blanks;

/// What went wrong, where, and what to write instead.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cause {
    pub(super) place: Range<usize>,
    pub(super) message: String,
    pub(super) help: String,
}

/// Why the text cannot be read at this place, if that is one of the known slips.
pub(super) fn cause(text: &str, at: usize) -> Option<Cause> {
    let scan = Scan::up_to(text, at);
    // behind a closing quote that was meant as an opening one comes text; behind a right one comes the next line
    let astray = |string: &Range<usize>| {
        text[string.clone()].contains('\n')
            && match text.get(string.end..at) {
                Some(after) => !after.contains('\n'),
                None => string.end == text.len(),
            }
    };
    if let Some(string) = scan.string.filter(astray) {
        let line = text[string.clone()].find('\n').map_or(string.end, |length| string.start + length);
        return Some(Cause {
            place: string.start..line,
            message: "this text does not end in its line".to_owned(),
            help: "is its closing quote `\"` missing?".to_owned(),
        });
    }
    let at = at + blanks(&text[at..]);
    let found = text[at..].chars().next()?;
    let place = at..at + found.len_utf8();
    let level = scan.levels.last()?;
    let words = |range: &Range<usize>| text[range.clone()].trim();
    match found {
        '\'' => {
            return Some(Cause {
                place,
                message: "`'` does not open a text".to_owned(),
                help: "a text stands in double quotes: \"…\"".to_owned(),
            });
        }
        ';' => {
            return Some(Cause {
                place,
                message: "`;` does not stand between entries".to_owned(),
                help: "write `,`".to_owned(),
            });
        }
        '=' if level.value.is_none() && !level.colon => {
            let name = level.last.as_ref().map(words)?;
            return Some(Cause {
                place,
                message: "`=` does not give a field its value".to_owned(),
                help: format!("write `{name}: …`"),
            });
        }
        _ => {}
    }
    if level.colon {
        // a rule without quotes: a bare word or number, and then something that is no comma
        let (name, value) = (words(level.name.as_ref()?), level.value.as_ref()?);
        let bare = !text[value.clone()].starts_with(['"', '(', '[', '{', 'r']);
        let line = text[at..].find('\n').map_or(text.len(), |length| at + length);
        let rest = text[value.start..line].trim_end().trim_end_matches(',');
        return (bare && !rest.contains(['\n', '"']) && !",)]}".contains(found) && name != "key").then(|| Cause {
            place: value.start..value.start + rest.len(),
            message: format!("the text of `{name}` is not in quotes"),
            help: format!("write `{name}: \"{rest}\"`"),
        });
    }
    if level.bracket == '{' && level.name.is_none() {
        return Some(Cause {
            place: level.at..at + found.len_utf8(),
            message: "curly brackets without a name and a colon".to_owned(),
            help: "a list stands in square brackets: [a, b]; curly ones hold names with values: {\"a\": 1}".to_owned(),
        });
    }
    // after a comma comes something that is no field: a second value
    let (name, value) = level.before.as_ref().filter(|_| level.bracket == '(')?;
    let stray = match &level.last {
        Some(last) if found == ',' || found == ')' => last.clone(),
        None if found.is_ascii_digit() || "-\"".contains(found) => at..at + token(&text[at..]),
        _ => return None,
    };
    let (name, value) = (words(name), words(value));
    let (first, second) = (value.trim_matches('"'), words(&stray).trim_matches('"'));
    let help = match name {
        "key" => format!("several values are a list: `key: [{value}, {}]`", words(&stray)),
        "tags" | "moves" => format!("several entries are a list: `{name}: [\"{first}\", \"{second}\"]`"),
        _ => format!("write `{name}: \"{first}, {second}\"`"),
    };
    Some(Cause { place: stray, message: format!("a second value of `{name}`"), help })
}

/// What stands inside one pair of brackets so far.
struct Level {
    bracket: char,
    at: usize,
    /// The entry before the last comma: its name and its value.
    before: Option<(Range<usize>, Range<usize>)>,
    /// The last word or text that has no meaning yet.
    last: Option<Range<usize>>,
    /// The name before the colon.
    name: Option<Range<usize>>,
    /// Whether the colon has come.
    colon: bool,
    /// What has come behind it.
    value: Option<Range<usize>>,
}

struct Scan {
    levels: Vec<Level>,
    /// The last text in quotes, with them.
    string: Option<Range<usize>>,
}

impl Scan {
    fn up_to(text: &str, end: usize) -> Self {
        let mut scan = Self { levels: Vec::new(), string: None };
        let mut at = 0;
        loop {
            at += blanks(&text[at..]);
            let Some(c) = text[at..].chars().next().filter(|_| at < end) else { return scan };
            let length = token(&text[at..]);
            let range = at..at + length;
            if c == '"' {
                scan.string = Some(range.clone());
            }
            match c {
                '(' | '[' | '{' => {
                    scan.token(range);
                    let level =
                        Level { bracket: c, at, before: None, last: None, name: None, colon: false, value: None };
                    scan.levels.push(level);
                }
                ')' | ']' | '}' => {
                    scan.levels.pop();
                    if let Some(value) = scan.levels.last_mut().and_then(|level| level.value.as_mut()) {
                        value.end = range.end;
                    }
                }
                ':' => {
                    if let Some(level) = scan.levels.last_mut() {
                        level.name = level.last.take();
                        level.colon = true;
                    }
                }
                ',' => {
                    if let Some(level) = scan.levels.last_mut() {
                        level.before = level.name.take().zip(level.value.take());
                        level.last = None;
                        level.colon = false;
                    }
                }
                _ => scan.token(range),
            }
            at += length;
        }
    }

    fn token(&mut self, range: Range<usize>) {
        let Some(level) = self.levels.last_mut() else { return };
        if !level.colon {
            level.last = Some(range);
        } else if level.value.is_none() {
            level.value = Some(range);
        }
    }
}

/// The length of the token at the beginning; a text without its end goes on to the end of the file.
fn token(text: &str) -> usize {
    let mut chars = text.char_indices();
    let Some((_, first)) = chars.next() else { return 0 };
    if first == '"' {
        let mut escaped = false;
        for (at, c) in chars {
            if c == '"' && !escaped {
                return at + 1;
            }
            escaped = c == '\\' && !escaped;
        }
        return text.len();
    }
    let word = |c: char| c.is_alphanumeric() || "_.+-#".contains(c);
    if !word(first) {
        return first.len_utf8();
    }
    text.find(|c| !word(c)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::cause;

    fn told(text: &str, at: &str) -> Option<String> {
        let at = text.find(at).unwrap_or(text.len());
        cause(text, at).map(|cause| format!("{} | {} | {}", &text[cause.place], cause.message, cause.help))
    }

    #[test]
    fn a_second_value() {
        let key = "(ask: \"all s\", key: 33, 35)";
        assert_eq!(
            told(key, "35").as_deref(),
            Some("35 | a second value of `key` | several values are a list: `key: [33, 35]`")
        );
        let start = "(start: 7, s, given: {})";
        assert_eq!(told(start, ", given").as_deref(), Some("s | a second value of `start` | write `start: \"7, s\"`"));
    }

    #[test]
    fn quotes_left_out() {
        let bare = "(\n end: s >= 70,\n)";
        assert_eq!(
            told(bare, ">").as_deref(),
            Some("s >= 70 | the text of `end` is not in quotes | write `end: \"s >= 70\"`")
        );
        let open = "(\n end: \"s >= 70,\n start: \"s\")";
        assert_eq!(
            told(open, "s\")").as_deref(),
            Some("\"s >= 70, | this text does not end in its line | is its closing quote `\"` missing?")
        );
    }

    #[test]
    fn what_is_none_of_the_known_slips_is_left_alone() {
        assert_eq!(told("(a: \"x\" b: 1)", "b"), None);
        assert_eq!(told("", ""), None);
        assert_eq!(told("(", ""), None);
    }
}
