//! Card games in which the card just turned down may not be turned down next: the cards, and the total so far.
//!
//! No form tells such a game, so it is recognised by its one move: a loop over the cards from 1, in which one number
//! of the position grows or shrinks by the card, another becomes the card, the rest stay, and a guard keeps the card
//! from being that other number. Names mean nothing.

use crate::lang::tree::{
    Assignment, Binding, Bool, BoolKind, Clause, Coordinate, Fold, Int, IntKind, MoveBody, Range, Rules,
};
use crate::lang::{Comparison, Operator};

/// The most cards that are drawn one by one.
const CARD_LIMIT: i64 = 24;

/// Where the numbers of a card game stand in its positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cards {
    /// The offset of the total, or of what is left of it.
    pub total: usize,
    /// Whether it counts down.
    pub rest: bool,
    /// The offset of the card that is turned down, 0 for none.
    pub down: usize,
    /// The highest card.
    pub highest: Fixed,
    /// The total that is played to, where the rules name one.
    pub target: Option<Fixed>,
}

/// A number that no move changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fixed {
    /// Written in the rules.
    Number(i64),
    /// A number of the position, by its offset: a parameter, say.
    At(usize),
}

impl Fixed {
    fn value(self, position: &[i64]) -> Option<i64> {
        match self {
            Self::Number(value) => Some(value),
            Self::At(offset) => position.get(offset).copied(),
        }
    }
}

impl Cards {
    /// The card that was turned down to reach this position.
    pub(super) fn card(&self, position: &[i64]) -> Option<i64> {
        position.get(self.down).copied()
    }

    /// `[1] [2] [#] [4]   total 7 of 10`
    pub(super) fn draw(&self, position: &[i64]) -> Option<String> {
        let total = *position.get(self.total)?;
        let down = self.card(position)?;
        let highest = self.highest.value(position)?;
        let mut text = String::new();
        if (1..=CARD_LIMIT).contains(&highest) {
            let width = highest.to_string().len();
            let cards = (1..=highest).map(|card| {
                let face = if card == down { "#".repeat(width) } else { card.to_string() };
                format!("[{face:>width$}]")
            });
            text.push_str(&cards.collect::<Vec<_>>().join(" "));
        } else {
            text.push_str(&format!("cards 1 to {highest}"));
        }
        if (1..=highest).contains(&down) {
            text.push_str(&format!("   {down} is turned down"));
        }
        text.push('\n');
        match (self.rest, self.target.and_then(|target| target.value(position))) {
            (true, _) => text.push_str(&format!("{total} left\n")),
            (false, Some(target)) => text.push_str(&format!("total {total} of {target}\n")),
            (false, None) => text.push_str(&format!("total {total}\n")),
        }
        Some(text)
    }
}

/// The card game that the rules are, if they are one.
pub(super) fn recognized(rules: &Rules) -> Option<Cards> {
    let [made] = rules.moves.as_slice() else { return None };
    if rules.puzzle || rules.state.iter().any(|variable| variable.length.is_some()) {
        return None;
    }
    let mut guards = Vec::new();
    let mut cards = None;
    for clause in &made.clauses {
        match clause {
            Clause::If(guard) => conjuncts(guard, &mut guards),
            Clause::For {
                binding: Binding::Value(slot), range: Range::Span { low, high, inclusive: true }, ..
            } if cards.is_none() && matches!(low.kind, IntKind::Number(1)) => {
                cards = Some((*slot, high));
            }
            Clause::For { .. } => return None,
        }
    }
    let (card, high) = cards?;
    let [body] = made.parts.as_slice() else { return None };
    let effects = effects(body)?;
    let is_card = |int: &Int| matches!(int.kind, IntKind::Loop(slot) if slot == card);
    let reads = |int: &Int, offset: usize| matches!(int.kind, IntKind::Variable(at) if at == offset);
    let changed: Vec<&(usize, &Int)> = effects.iter().filter(|(offset, int)| !reads(int, *offset)).collect();
    let [one, two] = changed.as_slice() else { return None };
    let (down, counted) = if is_card(one.1) { (one, two) } else { (two, one) };
    let (total, down) = (counted.0, down.0);
    let IntKind::Binary(operator, a, b) = &counted.1.kind else { return None };
    let rest = match operator {
        Operator::Add if reads(a, total) && is_card(b) || is_card(a) && reads(b, total) => false,
        Operator::Sub if reads(a, total) && is_card(b) => true,
        _ => return None,
    };
    let turned_down = effects.iter().any(|(offset, int)| *offset == down && is_card(int));
    let kept_down = guards.iter().any(|guard| {
        matches!(&guard.kind, BoolKind::Compare(Comparison::Unequal, a, b)
            if is_card(a) && reads(b, down) || is_card(b) && reads(a, down))
    });
    if !turned_down || !kept_down {
        return None;
    }
    let fixed = |int: &Int| fixed(int, |offset| offset != total && offset != down);
    let highest = match &high.kind {
        IntKind::Fold(Fold::Min, of) => of.iter().find_map(&fixed)?,
        _ => fixed(high)?,
    };
    for rule in [&rules.legal, &rules.end].into_iter().flatten() {
        conjuncts(rule, &mut guards);
    }
    let target = guards.iter().find_map(|guard| {
        let BoolKind::Compare(Comparison::AtMost | Comparison::Equal | Comparison::AtLeast, a, b) = &guard.kind else {
            return None;
        };
        let grown = matches!(&a.kind, IntKind::Binary(Operator::Add, x, y)
            if reads(x, total) && is_card(y) || is_card(x) && reads(y, total));
        if grown || reads(a, total) { fixed(b) } else { None }
    });
    Some(Cards { total, rest, down, highest, target })
}

/// What a move makes of each variable that it names; none where it assigns to an array.
fn effects(body: &MoveBody) -> Option<Vec<(usize, &Int)>> {
    match body {
        MoveBody::Position(coordinates) => {
            let entries = coordinates.entries.iter().enumerate();
            entries
                .map(|(offset, entry)| if let Coordinate::Int(int) = entry { Some((offset, int)) } else { None })
                .collect()
        }
        MoveBody::Assign(assignments) => assignments
            .iter()
            .map(
                |assignment| {
                    if let Assignment::Variable(offset, int) = assignment { Some((*offset, int)) } else { None }
                },
            )
            .collect(),
    }
}

/// The conditions that must all hold for this one to.
fn conjuncts<'a>(condition: &'a Bool, all: &mut Vec<&'a Bool>) {
    if let BoolKind::And(a, b) = &condition.kind {
        conjuncts(a, all);
        conjuncts(b, all);
    } else {
        all.push(condition);
    }
}

fn fixed(int: &Int, stays: impl Fn(usize) -> bool) -> Option<Fixed> {
    match int.kind {
        IntKind::Number(value) => Some(Fixed::Number(value)),
        IntKind::Variable(offset) if stays(offset) => Some(Fixed::At(offset)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Cards, Fixed};

    #[test]
    fn cards_and_totals() {
        let cards = Cards { total: 0, rest: false, down: 1, highest: Fixed::Number(4), target: Some(Fixed::At(2)) };
        assert_eq!(cards.draw(&[7, 3, 10]).as_deref(), Some("[1] [2] [#] [4]   3 is turned down\ntotal 7 of 10\n"));
        assert_eq!(cards.draw(&[0, 0, 10]).as_deref(), Some("[1] [2] [3] [4]\ntotal 0 of 10\n"));
        let cards = Cards { rest: true, highest: Fixed::Number(1_000), target: None, ..cards };
        assert_eq!(cards.draw(&[7, 3]).as_deref(), Some("cards 1 to 1000   3 is turned down\n7 left\n"));
    }
}
