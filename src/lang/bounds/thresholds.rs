//! The numbers that stand in rules: where bounds that grow are likely to stop.
//!
//! Source: B. Blanchet and others, "A static analyzer for large safety-critical software", 2003 (widening with
//! thresholds).

use super::super::tree::{Bool, BoolKind, Clause, Coordinate, Int, IntKind, MoveBody, Range, Rules};

/// How many are kept at most.
const MOST: usize = 48;

/// The numbers of the rules and their neighbours, ascending; 0 is among them.
pub(super) fn thresholds(rules: &Rules) -> Vec<i64> {
    let mut found = Found(vec![0]);
    for condition in [&rules.end, &rules.legal].into_iter().flatten() {
        found.bool(condition);
    }
    for made in &rules.moves {
        for clause in &made.clauses {
            match clause {
                Clause::If(condition) => found.bool(condition),
                Clause::For { range, .. } => found.range(range),
            }
        }
        for part in &made.parts {
            if let MoveBody::Position(coordinates) = part {
                for entry in &coordinates.entries {
                    if let Coordinate::Int(int) = entry {
                        found.int(int);
                    }
                }
            }
        }
    }
    let mut all: Vec<i64> =
        found.0.iter().flat_map(|number| [number.saturating_sub(1), *number, number.saturating_add(1)]).collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(MOST);
    all
}

struct Found(Vec<i64>);

impl Found {
    fn int(&mut self, int: &Int) {
        match &int.kind {
            IntKind::Number(value) if self.0.len() < MOST && !self.0.contains(value) => self.0.push(*value),
            IntKind::Negative(a) | IntKind::Function(_, a) => self.int(a),
            IntKind::Binary(_, a, b) | IntKind::CeilDiv(a, b) => {
                self.int(a);
                self.int(b);
            }
            IntKind::If(condition, a, b) => {
                self.bool(condition);
                self.int(a);
                self.int(b);
            }
            IntKind::Fold(_, operands) => operands.iter().for_each(|operand| self.int(operand)),
            _ => {}
        }
    }

    fn bool(&mut self, bool: &Bool) {
        match &bool.kind {
            BoolKind::Not(a) => self.bool(a),
            BoolKind::And(a, b) | BoolKind::Or(a, b) => {
                self.bool(a);
                self.bool(b);
            }
            BoolKind::Compare(_, a, b) => {
                self.int(a);
                self.int(b);
            }
            BoolKind::In(_, a, range) => {
                self.int(a);
                self.range(range);
            }
            _ => {}
        }
    }

    fn range(&mut self, range: &Range) {
        if let Range::Span { low, high, .. } = range {
            self.int(low);
            self.int(high);
        }
    }
}
