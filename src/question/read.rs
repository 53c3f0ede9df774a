//! Reads the text of an ask: the first words choose the family, the family reads the rest.

use bumpalo::Bump;

use super::{Ask, FAMILIES};
use crate::lang::tree::{Bool, Int, Slots};
use crate::lang::{
    Ast, Mistake, Noted, Parsed, Parser, Resolver, Scope, Span, Takes, Text, Token, Tokens, Values, nearest,
};

/// What a family of asks reads from.
pub(crate) struct Reading<'a, 't> {
    pub(crate) parser: Parser<'t>,
    scope: &'a Scope<'a>,
    pub(crate) slots: Slots,
    pub(crate) mistakes: Vec<Mistake>,
}

/// Reads an ask. Mistakes come in order of place.
pub(crate) fn read(
    text: &Text,
    scope: &Scope<'_>,
    tokens: &mut Tokens<'static>,
) -> Result<(Box<dyn Ask>, Slots), Vec<Mistake>> {
    let arena = Bump::new();
    let parser = Parser::reusing(text, &arena, std::mem::take(tokens));
    let mut reading = Reading { parser, scope, slots: Slots::default(), mistakes: Vec::new() };
    let ask = reading.ask();
    let Reading { mut parser, slots, mistakes: mut told, .. } = reading;
    let mut mistakes = std::mem::take(&mut parser.mistakes);
    mistakes.append(&mut told);
    mistakes.sort_by_key(|mistake| mistake.span);
    *tokens = parser.tokens();
    match ask {
        Ok(ask) if mistakes.is_empty() => Ok((ask, slots)),
        _ => Err(mistakes),
    }
}

/// For each family, the marks of the words that its forms begin with.
const MARKS: [u64; FAMILIES.len()] = {
    let mut marks = [0; FAMILIES.len()];
    let mut family = 0;
    while family < marks.len() {
        let forms = FAMILIES[family].0;
        let mut form = 0;
        while form < forms.len() {
            marks[family] |= mark(forms[form]);
            form += 1;
        }
        family += 1;
    }
    marks
};

/// One bit for the two letters that a word begins with: words with different bits differ.
const fn mark(words: &str) -> u64 {
    match words.as_bytes() {
        [] => 0,
        [first] | [first, b' ', ..] => 1 << (*first % 64),
        [first, second, ..] => 1 << (first.wrapping_mul(7).wrapping_add(*second) % 64),
    }
}

impl<'a, 't> Reading<'a, 't> {
    fn ask(&mut self) -> Parsed<Box<dyn Ask>> {
        let begins = match self.parser.peek(0) {
            Token::Word(word) => mark(word),
            _ => 0,
        };
        for ((_, family), marks) in FAMILIES.iter().zip(MARKS) {
            if marks & begins == 0 {
                continue;
            }
            if let Some(ask) = family(self) {
                let ask = ask?;
                if self.parser.is_word(0, "where") {
                    return Err(self.parser.refuse("the end", &["an ask about one start takes no condition"]));
                }
                self.parser.end()?;
                return Ok(ask);
            }
        }
        let span = self.parser.span();
        let of_kind = |form: &&str| self.puzzle().is_some() || !super::puzzle::FORMS.contains(form);
        let forms: Vec<&str> = FAMILIES.iter().flat_map(|(forms, _)| forms.iter().copied()).filter(of_kind).collect();
        let text = self.parser.source_text();
        let mut help = Vec::new();
        if let Token::Word(word) = self.parser.peek(0) {
            let firsts = forms.iter().filter_map(|form| form.split(' ').next());
            if let Some(near) = nearest(&text.value, forms.iter().copied()).or_else(|| nearest(word, firsts)) {
                help.push(format!("did you mean `{near}`?"));
            } else {
                help.push(
                    "a condition alone is no ask: write `all s where …`, `count where …`, `exists where …`".to_owned(),
                );
            }
        }
        help.push(format!("the asks are: {}", forms.join(", ")));
        let found = if text.value.trim().is_empty() {
            "an empty ask".to_owned()
        } else {
            format!("unknown ask `{}`", text.value.trim())
        };
        let mut mistake = Mistake::new(&text.source, span, found);
        mistake.help = help;
        self.mistakes.push(mistake);
        Err(Noted)
    }

    /// Takes these words if they come next, and nothing if they do not.
    pub(crate) fn take_words(&mut self, words: &str) -> bool {
        let found = words.split(' ').enumerate().all(|(ahead, word)| self.parser.is_word(ahead, word));
        if found {
            for word in words.split(' ') {
                self.parser.take_word(word);
            }
        }
        found
    }

    /// Takes the first of these forms that comes next; tells where it stands.
    pub(crate) fn one_of<'w, T: Copy>(&mut self, forms: &[(&'w str, T)]) -> Option<(Span, &'w str, T)> {
        let span = self.parser.span();
        let Token::Word(word) = *self.parser.peek(0) else { return None };
        let begins = |words: &str| words.as_bytes().first() == word.as_bytes().first() && words.starts_with(word);
        let (words, form) = forms.iter().find(|(words, _)| begins(words) && self.take_words(words))?;
        Some((span, words, *form))
    }

    /// An expression over parameters and numbers of the start.
    pub(crate) fn number(&mut self) -> Parsed<Int> {
        let ast = self.parser.expression()?;
        let scope =
            Scope { values: Values::Numbers, state: (self.scope.state.0, false), turn: None, ..self.scope.clone() };
        self.resolve(&scope, |resolver| resolver.int(&ast))
    }

    /// `where F`.
    pub(crate) fn condition(&mut self) -> Parsed<Bool> {
        if !self.parser.take_word("where") {
            return Err(self.parser.refuse("`where` and a condition", &[]));
        }
        let ast = self.parser.expression()?;
        self.formula(&ast)
    }

    fn formula(&mut self, ast: &Ast<'_>) -> Parsed<Bool> {
        self.resolve(self.scope, |resolver| resolver.bool(ast))
    }

    fn resolve<'s, T>(&mut self, scope: &'s Scope<'s>, with: impl FnOnce(&mut Resolver<'s>) -> Parsed<T>) -> Parsed<T>
    where
        't: 's,
    {
        let text = self.parser.source_text();
        let mut resolver = Resolver::new(scope, &text.source);
        let resolved = with(&mut resolver);
        self.slots = self.slots.or(resolver.slots);
        self.mistakes.append(&mut resolver.mistakes);
        resolved
    }

    /// Notes a mistake at a place.
    pub(crate) fn mistake(&mut self, span: Span, message: impl Into<String>, help: impl Into<String>) -> Noted {
        let source = &self.parser.source_text().source;
        self.mistakes.push(Mistake::new(source, span, message).help(help));
        Noted
    }

    /// Why `grundy` may not be asked, if it may not.
    pub(crate) fn no_grundy(&self) -> Option<&'static str> {
        self.scope.no_grundy
    }

    /// What moves take, for the period of a one-pile game; or why there is none. Nothing where the rules have a mistake.
    pub(crate) fn takes(&self) -> Option<Result<Takes, String>> {
        self.scope.takes.cloned()
    }

    /// In a puzzle: whether it has a goal.
    pub(crate) fn puzzle(&self) -> Option<bool> {
        self.scope.puzzle
    }

    /// Whether an ask that belongs to games of two players may stand; if not, that is noted.
    pub(crate) fn two_players(&mut self, span: Span, words: &str) -> Parsed<()> {
        if self.scope.puzzle.is_none() {
            return Ok(());
        }
        let help = "a puzzle has `fewest moves`, `shortest solutions`, `solvable`, `farthest`, `solution`, `moves`, `plays`, `positions`";
        Err(self.mistake(span, format!("`{words}` belongs to games of two players"), help))
    }

    /// The parameters of the question.
    pub(crate) fn parameters(&self) -> &[&str] {
        self.scope.parameters
    }

    /// The value of an integer constant.
    pub(crate) fn constant(&self, name: &str) -> Option<i64> {
        self.scope.constants.iter().find(|(known, _)| known == name).and_then(|(_, value)| match value {
            crate::lang::Constant::Int(value) => Some(*value),
            _ => None,
        })
    }
}
