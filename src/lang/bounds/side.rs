//! The sides of comparisons whose differences are known.

use super::super::tree::{Int, IntKind};

/// A side of a comparison.
#[derive(Clone, Copy, Debug)]
pub(super) enum Side<'r> {
    /// As it is written.
    Text(&'r Int),
    /// A coordinate, by its offset.
    Coordinate(usize),
    /// A loop variable, by its slot.
    Loop(usize),
}

impl Side<'_> {
    /// A text that is but a coordinate or a loop variable, as such.
    const fn plain(self) -> Self {
        match self {
            Self::Text(Int { kind: IntKind::Variable(at), .. }) => Self::Coordinate(*at),
            Self::Text(Int { kind: IntKind::Loop(slot), .. }) => Self::Loop(*slot),
            other => other,
        }
    }
}

impl<'r> From<&'r Int> for Side<'r> {
    fn from(int: &'r Int) -> Self {
        Self::Text(int)
    }
}

/// Whether two sides are the same simple expression.
pub(super) fn same_side(a: Side<'_>, b: Side<'_>) -> bool {
    match (a.plain(), b.plain()) {
        (Side::Text(a), Side::Text(b)) => same(a, b),
        (Side::Coordinate(a), Side::Coordinate(b)) | (Side::Loop(a), Side::Loop(b)) => a == b,
        _ => false,
    }
}

/// Whether two texts are the same simple expression.
fn same(a: &Int, b: &Int) -> bool {
    match (&a.kind, &b.kind) {
        (IntKind::Number(a), IntKind::Number(b)) => a == b,
        (IntKind::Variable(a), IntKind::Variable(b))
        | (IntKind::Parameter(a), IntKind::Parameter(b))
        | (IntKind::Loop(a), IntKind::Loop(b)) => a == b,
        (IntKind::Binary(f, a, b), IntKind::Binary(g, c, d)) => f == g && same(a, c) && same(b, d),
        (IntKind::Cell(a, i), IntKind::Cell(b, j)) => a == b && same(i, j),
        _ => false,
    }
}
