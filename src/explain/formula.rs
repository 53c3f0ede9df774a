//! Why a formula holds at a position, or why not: each of its parts in words, with the move that makes it so.

use super::facts::{Ahead, Sees};
use super::words::{counted, list, one_line, the};
use super::{Fact, Place, Work};
use crate::game::shown;
use crate::lang::tree::{Bool, BoolKind, Int, IntKind, OverMoves, Quantity};
use crate::lang::{Evaluator, Halt, Span};
use crate::value::{Class, Outcome};

/// How many moves are listed in one sentence.
const LISTED: usize = 12;

/// What a position is not.
struct Wanted {
    class: Option<Class>,
    words: String,
}

impl Work<'_> {
    /// Whether a formula holds.
    pub(super) fn holds(&mut self, formula: &Bool, place: &Place) -> Result<bool, Halt> {
        let slots = self.question.slots;
        Evaluator::new(&place.position, &self.parameters, slots, &mut *self.whole).bool(formula)
    }

    /// Says why a formula holds at a position, or why not; a strategy may take so many lines.
    pub(super) fn because(&mut self, formula: &Bool, place: &Place, room: usize, indent: usize) -> Result<(), Halt> {
        match &formula.kind {
            BoolKind::Not(inner) => self.because(inner, place, room, indent),
            BoolKind::And(a, b) => self.because_of_two(a, b, false, place, room, indent),
            BoolKind::Or(a, b) => self.because_of_two(a, b, true, place, room, indent),
            BoolKind::If(condition, yes, no) => {
                let chosen = if self.holds(condition, place)? { yes } else { no };
                self.because(condition, place, room, indent)?;
                self.because(chosen, place, room, indent)
            }
            BoolKind::Class(class) | BoolKind::Within(class) => {
                self.because_of_class(formula, *class, place, room, indent)
            }
            BoolKind::Outcome(outcome) => {
                if self.by_columns(place, true, indent)? {
                    return Ok(());
                }
                if self.holds(formula, place)? {
                    return self.describe(place, Ahead::All, room, indent);
                }
                let words = match outcome {
                    Outcome::Win => "won",
                    Outcome::Loss => "lost",
                    Outcome::Draw => "a draw",
                };
                let wanted = Wanted { class: None, words: words.to_owned() };
                self.why_not(&wanted, place, Ahead::All, indent)
            }
            BoolKind::Moves(over) => self.because_of_moves(over, place, room, indent),
            BoolKind::At(inner, coordinates) => {
                let mut position = place.position.clone();
                let slots = self.question.slots;
                Evaluator::new(&place.position, &self.parameters, slots, &mut *self.whole)
                    .coordinates(coordinates, &mut position)?;
                let there = Place { position, mover: place.mover };
                self.because(inner, &there, room, indent)
            }
            _ => self.because_of_numbers(formula, place, indent),
        }
    }

    /// `and` fails, and `or` holds, for one part alone; else both are told.
    fn because_of_two(
        &mut self,
        a: &Bool,
        b: &Bool,
        or: bool,
        place: &Place,
        room: usize,
        indent: usize,
    ) -> Result<(), Halt> {
        if self.holds(a, place)? == or {
            return self.because(a, place, room, indent);
        }
        if self.holds(b, place)? != or {
            self.because(a, place, room, indent)?;
            // two values of one position are told in one description
            if same_view(a, b) {
                return Ok(());
            }
        }
        self.because(b, place, room, indent)
    }

    fn because_of_class(
        &mut self,
        formula: &Bool,
        class: Class,
        place: &Place,
        room: usize,
        indent: usize,
    ) -> Result<(), Halt> {
        let ahead = Ahead::Moves(class.moves());
        if self.holds(formula, place)? {
            return self.describe(place, ahead, room, indent);
        }
        let wanted = Wanted { class: Some(class), words: one_line(self.text(formula.span)) };
        // a little further, if that can be seen, to tell what it is instead
        let further = Ahead::Moves(class.moves().saturating_add(1));
        let sees_further = !matches!(self.sees(&place.position, further)?, Sees::Unknown);
        self.why_not(&wanted, place, if sees_further { further } else { ahead }, indent)
    }

    /// Why a position is not of a class, or has not an outcome: in a sentence or two.
    fn why_not(&mut self, wanted: &Wanted, place: &Place, ahead: Ahead, indent: usize) -> Result<(), Halt> {
        let at = self.at(&place.position);
        let seen = self.sees(&place.position, ahead)?;
        let is = self.class_word(&place.position, ahead)?;
        let words = &wanted.words;
        let not = match seen {
            Sees::Class(_) | Sees::Draw | Sees::Won | Sees::Lost => format!("{at} is {is}, not {words}"),
            Sees::Beyond(_) | Sees::Unknown => format!("{at} is not {words}"),
        };
        if self.terminal(&place.position)? {
            return self.describe(place, ahead, 0, indent);
        }
        let (mover, other) = (the(place.mover), the(place.mover.other()));
        // a win that comes too late is shown by all the moves, one that is there at all by its move
        let late =
            matches!((seen, wanted.class), (Sees::Class(Class::Win(found)), Some(Class::Win(most))) if found > most);
        if seen.won() && !late {
            let Some(made) = self.winning_move(&place.position, ahead)? else { return Ok(()) };
            let to = self.to(&place.position, &made);
            let end = if self.terminal(&made.to)? {
                ", which ends the game".to_owned()
            } else {
                format!(", which is {}", self.class_word(&made.to, ahead)?)
            };
            self.page.say(indent, &format!("{not}: {mover} wins by moving to {to}{end}."));
            return Ok(());
        }
        let moves = self.moves(&place.position)?;
        let mut entries = Vec::new();
        for made in moves.iter().take(LISTED) {
            self.claim(&place.position, Fact::MoveTo(made.to.clone()));
            let to = self.to(&place.position, made);
            let word = self.class_word(&made.to, ahead)?;
            entries.push(format!("{to} is {word}"));
        }
        let all = if moves.len() > LISTED { format!(", … ({} in all)", moves.len()) } else { String::new() };
        let entries = format!("{}{all}", entries.join(", "));
        let reason = match (seen, wanted.class) {
            (Sees::Class(Class::Win(_)), Some(Class::Win(most))) | (Sees::Beyond(_), Some(Class::Win(most))) => {
                let least = match most {
                    0 | 1 => "of L0".to_owned(),
                    2 => "of L0 or L1".to_owned(),
                    most => format!("of L0, … or L{}", most - 1),
                };
                format!("no move leads to a position {least}")
            }
            (Sees::Class(Class::Loss(found)), Some(Class::Loss(most))) if found > most => {
                format!("{other} wins, but cannot be sure to win so soon")
            }
            (Sees::Class(Class::Loss(_)), Some(Class::Loss(_))) => format!("{other} wins sooner"),
            (seen, _) if seen.lost() => format!("whatever {mover} does, {other} wins"),
            (Sees::Draw, _) => "no move leads to a lost position, and some move keeps the draw".to_owned(),
            _ => format!("not after every move {other} wins so soon"),
        };
        self.page.say(indent, &format!("{not}: {reason}: {entries}."));
        Ok(())
    }

    /// `can` and `must`.
    fn because_of_moves(&mut self, over: &OverMoves, place: &Place, room: usize, indent: usize) -> Result<(), Halt> {
        let at = self.at(&place.position);
        // in a puzzle there is but one
        let mover = if self.problem.rules.puzzle { "the player" } else { the(place.mover) };
        let inner = one_line(self.text(over.formula.span));
        let mut holding = Vec::new();
        let mut failing = Vec::new();
        let mut options = crate::lang::Options::default();
        self.whole.options(&place.position, &mut options)?;
        let named = |made: usize| over.named.as_ref().is_none_or(|named| named.get(made).copied().unwrap_or(false));
        for (made, to) in options.iter().filter(|(made, _)| named(*made)) {
            let made = super::facts::Made { made, to: to.to_vec() };
            let there = place.after(&made.to);
            let list = if self.holds(&over.formula, &there)? { &mut holding } else { &mut failing };
            if !list.iter().any(|known: &super::facts::Made| known.to == made.to) {
                list.push(made);
            }
        }
        let moves = if over.named.is_some() { "the named moves".to_owned() } else { format!("{mover}'s moves") };
        if holding.is_empty() && failing.is_empty() {
            let none = if over.named.is_some() { "has none of the named moves" } else { "has no move" };
            self.page.say(indent, &format!("From {at} {mover} {none}."));
            return Ok(());
        }
        let one = if over.must { failing.first() } else { holding.first() };
        if let Some(made) = one {
            let to = self.to(&place.position, made);
            let wanted =
                if over.must { format!("where `{inner}` does not hold") } else { format!("where `{inner}` holds") };
            self.page.say(indent, &format!("From {at} {mover} can move to {to}, {wanted}."));
            self.claim(&place.position, Fact::MoveTo(made.to.clone()));
            let there = place.after(&made.to);
            return self.because(&over.formula, &there, room, indent);
        }
        let listed = if over.must { &holding } else { &failing };
        let mut entries = Vec::new();
        for made in listed.iter().take(LISTED) {
            entries.push(self.entry(&over.formula, place, made)?);
        }
        let words = if over.must {
            format!("From {at} every one of {moves} leads to a position where `{inner}` holds")
        } else {
            format!("From {at} none of {moves} leads to a position where `{inner}` holds")
        };
        let all = if listed.len() > LISTED { format!(", … ({} in all)", listed.len()) } else { String::new() };
        self.page.say(indent, &format!("{words}: {}{all}.", list(&entries, LISTED)));
        Ok(())
    }

    /// A move with what the formula looks at there.
    fn entry(&mut self, formula: &Bool, place: &Place, made: &super::facts::Made) -> Result<String, Halt> {
        self.claim(&place.position, Fact::MoveTo(made.to.clone()));
        let to = self.to(&place.position, made);
        Ok(match self.view(formula, &made.to)? {
            Some(word) => format!("{to} is {word}"),
            None => to,
        })
    }

    /// The class of a position, where a formula looks at that; a draw and an outcome likewise.
    fn view(&mut self, formula: &Bool, position: &[i64]) -> Result<Option<String>, Halt> {
        Ok(match &formula.kind {
            BoolKind::Not(inner) => self.view(inner, position)?,
            BoolKind::Class(class) | BoolKind::Within(class) => {
                Some(self.class_word(position, Ahead::Moves(class.moves()))?)
            }
            BoolKind::Outcome(_) => Some(self.class_word(position, Ahead::All)?),
            BoolKind::And(a, b) | BoolKind::Or(a, b) => match self.view(a, position)? {
                None => self.view(b, position)?,
                found => found,
            },
            _ => None,
        })
    }

    /// What is left: numbers compared, and conditions of the rule language.
    fn because_of_numbers(&mut self, formula: &Bool, place: &Place, indent: usize) -> Result<(), Halt> {
        let at = self.at(&place.position);
        let holds = self.holds(formula, place)?;
        let not = if holds { "" } else { " not" };
        let text = match &formula.kind {
            BoolKind::End => format!("At {at} the game is{not} over."),
            BoolKind::Goal => format!("{at} is{not} a goal."),
            BoolKind::Solvable => match self.whole.quantity(&place.position, Quantity::Distance)? {
                Some(moves) => {
                    let moves = counted(&moves.to_string(), "move");
                    format!("From {at} the goal can be reached, in {moves} at least.")
                }
                None => format!("From {at} no moves lead to the goal."),
            },
            BoolKind::Compare(_, a, b) => {
                let text = one_line(self.text(formula.span));
                let mut numbers = Vec::new();
                for int in [a, b] {
                    self.numbers(int, place, &mut numbers)?;
                }
                let numbers = if numbers.is_empty() { String::new() } else { format!(": {}", numbers.join(", ")) };
                let does = if holds { "holds" } else { "does not hold" };
                format!("At {at} `{text}` {does}{numbers}.")
            }
            _ => {
                let text = one_line(self.text(formula.span));
                format!("At {at} `{text}` {}.", if holds { "holds" } else { "does not hold" })
            }
        };
        self.page.say(indent, &text);
        match &formula.kind {
            BoolKind::Compare(_, a, b) => {
                self.because_of_value(a, place, indent)?;
                self.because_of_value(b, place, indent)
            }
            _ => Ok(()),
        }
    }

    /// Why the position has its Grundy value or its remoteness, where that is what is compared.
    fn because_of_value(&mut self, int: &Int, place: &Place, indent: usize) -> Result<(), Halt> {
        match int.kind {
            IntKind::Value(Quantity::Grundy) => match self.whole.quantity(&place.position, Quantity::Grundy)? {
                Some(value) if !self.question.sum => self.mex(&place.position, value, indent),
                Some(_) => self.nim_sum(place, indent).map(|_| ()),
                None => Ok(()),
            },
            IntKind::Value(Quantity::Remoteness) => {
                self.sample_play("A play in which the winner hurries and the loser holds out", place, indent)
            }
            _ => Ok(()),
        }
    }

    /// The values of an expression that cannot be read off.
    fn numbers(&mut self, int: &Int, place: &Place, numbers: &mut Vec<String>) -> Result<(), Halt> {
        if matches!(int.kind, IntKind::Number(_)) {
            return Ok(());
        }
        let slots = self.question.slots;
        let value = match Evaluator::new(&place.position, &self.parameters, slots, &mut *self.whole).int(int) {
            Ok(value) => value.to_string(),
            Err(Halt::Missing) => "missing".to_owned(),
            Err(halt) => return Err(halt),
        };
        let text = one_line(self.text(int.span));
        let number = format!("{text} is {value}");
        if !text.is_empty() && text != value && !numbers.contains(&number) {
            numbers.push(number);
        }
        Ok(())
    }

    /// What stands in the file.
    pub(super) fn text(&self, span: Span) -> &str {
        self.source.text.get(span.range()).unwrap_or_default()
    }

    /// A state of a key as it is shown.
    pub(super) fn state(&self, cells: &[i64]) -> String {
        let tail = vec![0; self.problem.rules.tail()];
        shown(&self.problem.rules, &[cells, &tail].concat())
    }
}

/// Whether two formulas look at the outcome or the class of one position, which is described once.
fn same_view(a: &Bool, b: &Bool) -> bool {
    let plain = |formula: &Bool| {
        let mut formula = formula;
        while let BoolKind::Not(inner) = &formula.kind {
            formula = inner;
        }
        matches!(formula.kind, BoolKind::Outcome(_) | BoolKind::Class(_) | BoolKind::Within(_))
    };
    plain(a) && plain(b)
}

/// What the classes of the starts would show of a condition, if it looks at them: how far to look.
pub(super) fn looks_at_classes(condition: &Bool) -> Option<Ahead> {
    match &condition.kind {
        BoolKind::Not(inner) => looks_at_classes(inner),
        BoolKind::And(a, b) | BoolKind::Or(a, b) => looks_at_classes(a).or_else(|| looks_at_classes(b)),
        BoolKind::Class(class) | BoolKind::Within(class) => Some(Ahead::Moves(class.moves())),
        BoolKind::Outcome(Outcome::Win | Outcome::Loss | Outcome::Draw) => Some(Ahead::All),
        _ => None,
    }
}
