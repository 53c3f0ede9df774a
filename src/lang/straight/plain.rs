//! Rules and moves of which it is seen at a glance that they are sums, without cases.

use super::{Sum, Taker};
use crate::lang::syntax::{Comparison, Operator};
use crate::lang::tree::{Assignment, Bool, BoolKind, Clause, Coordinate, Fold, Int, IntKind, MoveBody, Range, Rules};

/// Whether it is seen at a glance that no part of the rules is more than one sum, or a few that must not be negative.
pub(super) fn has_no_cases(rules: &Rules) -> bool {
    fn is_one(bool: &Bool, truth: bool) -> bool {
        match (&bool.kind, truth) {
            (BoolKind::Not(a), _) => is_one(a, !truth),
            (BoolKind::And(a, b), true) | (BoolKind::Or(a, b), false) => is_one(a, truth) && is_one(b, truth),
            (BoolKind::Compare(comparison, a, b), _) => {
                let differs = matches!((comparison, truth), (Comparison::Equal, false) | (Comparison::Unequal, true));
                !differs && [a, b].iter().all(|side| is_one_or_least(side))
            }
            _ => false,
        }
    }
    fn is_one_or_least(int: &Int) -> bool {
        match &int.kind {
            IntKind::Fold(Fold::Min | Fold::Max, items) => items.iter().all(is_plain),
            _ => is_plain(int),
        }
    }
    let conditions = [(&rules.end, false), (&rules.legal, true)];
    conditions.iter().all(|(condition, truth)| condition.as_ref().is_none_or(|condition| is_one(condition, *truth)))
        && rules.moves.iter().all(|made| {
            let clauses = made.clauses.iter().all(|clause| match clause {
                Clause::If(condition) => is_one(condition, true),
                Clause::For { range: Range::Span { low, high, .. }, .. } => is_plain(low) && is_plain(high),
                Clause::For { .. } => true,
            });
            clauses && made.parts.iter().all(gives_sums)
        })
}

/// Whether a number is one sum in all cases, or none.
pub(super) fn is_plain(int: &Int) -> bool {
    match &int.kind {
        IntKind::Number(_) | IntKind::Variable(_) | IntKind::Loop(_) | IntKind::Cell(..) => true,
        IntKind::Negative(a) => is_plain(a),
        IntKind::Binary(Operator::Add | Operator::Sub | Operator::Mul, a, b) => is_plain(a) && is_plain(b),
        _ => false,
    }
}

/// Whether a move gives each coordinate one sum, without cases.
pub(super) fn gives_sums(body: &MoveBody) -> bool {
    match body {
        MoveBody::Position(coordinates) => {
            coordinates.entries.iter().all(|entry| matches!(entry, Coordinate::Int(int) if is_plain(int)))
        }
        MoveBody::Assign(assignments) => {
            assignments.iter().all(|made| matches!(made, Assignment::Variable(_, value) if is_plain(value)))
        }
    }
}

impl Taker<'_> {
    /// Where a move leads that gives each coordinate one sum.
    pub(super) fn plainly(&self, body: &MoveBody, own: &[Sum]) -> Option<Vec<Sum>> {
        let mut to = own.to_vec();
        match body {
            MoveBody::Position(coordinates) => {
                for (to, entry) in to.iter_mut().zip(&coordinates.entries) {
                    let Coordinate::Int(int) = entry else { return None };
                    *to = self.sum(int, own)?;
                }
            }
            MoveBody::Assign(assignments) => {
                for made in assignments {
                    let Assignment::Variable(at, value) = made else { return None };
                    *to.get_mut(*at)? = self.sum(value, own)?;
                }
            }
        }
        Some(to)
    }
}
