//! Text to tokens, each with its place in the source.

use super::source::{Mistake, Span, Text};

/// The tokens of a text.
pub(crate) type Tokens<'t> = Vec<Placed<'t>>;

/// The room that these tokens took, for those of any other text.
pub(crate) fn emptied(tokens: Tokens<'_>) -> Tokens<'static> {
    // gathered in place
    tokens.into_iter().map_while(|_| None).collect()
}

/// A token of the rule language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'t> {
    /// Digits; the value may be 2^63, which only a minus sign makes a number.
    Int(u64),
    /// A word: a name or a reserved word.
    Word(&'t str),
    /// A name in quotes, for moves whose names are no words.
    Quoted(&'t str),
    /// An operator or bracket.
    Sign(&'static str),
    /// After the last token.
    End,
}

impl Token<'_> {
    /// How the token is named in a message.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Int(n) => format!("`{n}`"),
            Self::Word(word) => format!("`{word}`"),
            Self::Quoted(name) => format!("`'{name}'`"),
            Self::Sign(sign) => format!("`{sign}`"),
            Self::End => "the end of the text".to_owned(),
        }
    }
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<'t> {
    pub(crate) token: Token<'t>,
    pub(crate) span: Span,
    pub(crate) binding: Binding,
}

/// How tightly what stands between two operands, or behind one, binds; loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Binding {
    /// It stands in no such place.
    Nothing,
    Or,
    And,
    /// `not`, which stands before its operand.
    Not,
    At,
    Comparison,
    Sum,
    Product,
    Power,
    Index,
}

impl<'t> Placed<'t> {
    pub(crate) fn new(token: Token<'t>, span: Span) -> Self {
        let binding = match token {
            Token::Word(word) if word.len() > 1 => match word {
                "or" => Binding::Or,
                "and" => Binding::And,
                "at" => Binding::At,
                // as the first word of `not in`
                "in" | "not" => Binding::Comparison,
                _ => Binding::Nothing,
            },
            Token::Sign(sign) => match sign.as_bytes() {
                [b'['] => Binding::Index,
                [b'*', b'*'] => Binding::Power,
                [b'*' | b'/' | b'%'] | [b'/', b'/'] => Binding::Product,
                [b'+' | b'-'] => Binding::Sum,
                // `=` does not compare, but is meant so
                [b'<' | b'>' | b'='] | [b'<' | b'>' | b'=' | b'!', b'='] => Binding::Comparison,
                _ => Binding::Nothing,
            },
            _ => Binding::Nothing,
        };
        Self { token, span, binding }
    }
}

/// The operators that begin with this character, longest first. Among them are signs that other languages use and this
/// one refuses by name.
const fn signs(first: char) -> &'static [&'static str] {
    match first {
        '(' => &["("],
        ')' => &[")"],
        ',' => &[","],
        '[' => &["["],
        ']' => &["]"],
        '.' => &["..=", "...", ".."],
        '+' => &["+=", "+"],
        '-' => &["-=", "-"],
        '*' => &["**=", "**", "*=", "*"],
        '/' => &["//=", "//", "/=", "/"],
        '%' => &["%=", "%"],
        '<' => &["<=", "<>", "<"],
        '>' => &[">=", ">"],
        '=' => &["==", "=>", "=<", "="],
        '!' => &["!=", "!"],
        '&' => &["&&", "&"],
        '|' => &["||", "|"],
        ':' => &[":=", ":"],
        '^' => &["^"],
        ';' => &[";"],
        '≤' => &["≤"],
        '≥' => &["≥"],
        '≠' => &["≠"],
        '×' => &["×"],
        '·' => &["·"],
        '−' => &["−"],
        '÷' => &["÷"],
        _ => &[],
    }
}

/// Splits a text into tokens; what cannot be read is noted and passed over. Tells whether there are other signs than
/// brackets, commas and those that stand between operands.
pub(crate) fn split<'t>(text: &'t Text, tokens: &mut Tokens<'t>, mistakes: &mut Vec<Mistake>) -> bool {
    let value = text.value.as_str();
    let bytes = value.as_bytes();
    tokens.clear();
    // room for the tokens of most texts
    tokens.reserve(24);
    let mut unusual = false;
    let mut at = 0;
    while let Some(first) = bytes.get(at) {
        let start = at;
        let token = match first {
            b' ' => {
                at += 1;
                continue;
            }
            b'(' | b')' | b',' | b'[' | b']' => {
                at += 1;
                Token::Sign(bracket(*first))
            }
            b'0'..=b'9' => {
                at += word_length(&value[at..]);
                number(text, start..at, mistakes)
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => {
                at += word_length(&value[at..]);
                Token::Word(&value[start..at])
            }
            _ => {
                let rest = &value[at..];
                let Some(c) = rest.chars().next() else { break };
                if c.is_whitespace() {
                    at += c.len_utf8();
                    continue;
                }
                if let Some(sign) = signs(c).iter().find(|sign| sign.len() == 1 || rest.starts_with(**sign)) {
                    at += sign.len();
                    Token::Sign(sign)
                } else if c.is_alphabetic() {
                    at += word_length(rest);
                    Token::Word(&value[start..at])
                } else if c == '\'' {
                    let Some(length) = rest[1..].find('\'') else {
                        let place = text.span(start..value.len());
                        let mistake = Mistake::new(&text.source, place, "a quoted name without its closing quote");
                        mistakes.push(mistake.help("close the name with `'`"));
                        break;
                    };
                    at += length + 2;
                    Token::Quoted(&value[start + 1..at - 1])
                } else {
                    at += c.len_utf8();
                    mistakes.push(no_meaning(text, start..at, c));
                    continue;
                }
            }
        };
        let placed = Placed::new(token, text.span(start..at));
        unusual |= placed.binding == Binding::Nothing && matches!(token, Token::Sign(sign) if bracket(*first) != sign);
        tokens.push(placed);
    }
    tokens.push(Placed::new(Token::End, text.span(value.len()..value.len())));
    unusual
}

const fn bracket(byte: u8) -> &'static str {
    match byte {
        b'(' => "(",
        b')' => ")",
        b'[' => "[",
        b']' => "]",
        _ => ",",
    }
}

fn no_meaning(text: &Text, range: std::ops::Range<usize>, c: char) -> Mistake {
    let mistake = Mistake::new(&text.source, text.span(range), format!("found `{c}`, which has no meaning here"));
    match c {
        '{' | '}' => mistake.help("use `(` and `)` to group"),
        '"' | '`' | '’' | '‘' => mistake.help("a move's name is quoted with `'`"),
        '.' => mistake.help("only whole numbers are known; a range is written `a..b` or `a..=b`"),
        '√' => mistake.help("the square root rounded down is `isqrt(a)`"),
        '²' => mistake.help("a square is written `a ** 2`"),
        _ => mistake,
    }
}

fn word_length(rest: &str) -> usize {
    let plain = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    if rest.as_bytes().get(plain).is_none_or(u8::is_ascii) {
        return plain;
    }
    rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
}

fn number(text: &Text, range: std::ops::Range<usize>, mistakes: &mut Vec<Mistake>) -> Token<'static> {
    let word = &text.value[range.clone()];
    let digit =
        |value: u64, byte: u8| if byte.is_ascii_digit() { Some(value * 10 + u64::from(byte - b'0')) } else { None };
    if word.len() < 19
        && let Some(value) = word.bytes().try_fold(0, digit)
    {
        return Token::Int(value);
    }
    let mut refuse = |message: String, help: String| {
        mistakes.push(Mistake::new(&text.source, text.span(range.clone()), message).help(help));
        Token::Int(1)
    };
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if digits < word.len() {
        let (number, name) = word.split_at(digits);
        return refuse(
            format!("`{word}` is neither a number nor a name"),
            if name.starts_with('_') {
                "digits are written without `_`".to_owned()
            } else {
                format!("a product is written `{number} * {name}`")
            },
        );
    }
    match word.parse::<u64>() {
        Ok(value) if value <= i64::MIN.unsigned_abs() => Token::Int(value),
        _ => refuse(format!("the number {word} is too large"), format!("the largest number is {}", i64::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_sign_is_taken() {
        const ALL: [&str; 48] = [
            "..=", "//=", "**=", "...", "**", "//", "..", "<=", ">=", "==", "!=", "+=", "-=", "*=", "%=", "/=", "&&",
            "||", "<>", "=>", "=<", ":=", "^", "!", "=", "&", "+", "-", "*", "/", "%", "<", ">", "(", ")", "[", "]",
            ",", "|", ":", ";", "≤", "≥", "≠", "×", "·", "−", "÷",
        ];
        for sign in ALL {
            let text = Text::alone("", &format!("a{sign}1"));
            let mut mistakes = Vec::new();
            let mut tokens = Tokens::new();
            split(&text, &mut tokens, &mut mistakes);
            let found: Vec<Token<'_>> = tokens.iter().map(|placed| placed.token).collect();
            assert_eq!(found, [Token::Word("a"), Token::Sign(sign), Token::Int(1), Token::End]);
            assert_eq!(mistakes, []);
        }
    }
}
