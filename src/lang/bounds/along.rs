//! Positions on a line: one parameter runs, and each coordinate is a number and so many times that parameter.

use super::super::syntax::Operator;
use super::super::tree::{Coordinate, Coordinates, Int, IntKind, ListKind, Scalar};
use super::Interval;

/// The parameter that runs, and for each coordinate the number and how often the parameter counts; nothing, where none
/// runs or several do, or where that is not seen.
#[must_use]
pub fn along(coordinates: &Coordinates, parameters: &[Interval]) -> Option<(usize, Vec<(i64, i64)>)> {
    let mut reader = Reader { parameters, runs: None };
    let mut found = Vec::new();
    for entry in &coordinates.entries {
        match entry {
            Coordinate::Int(int) => found.push(reader.int(int)?),
            Coordinate::List(list, length) => {
                let before = found.len();
                match &list.kind {
                    ListKind::Constant(values) => found.extend(values.iter().map(|value| (*value, 0))),
                    ListKind::Items(items) => {
                        for item in items {
                            let Scalar::Int(int) = item else { return None };
                            found.push(reader.int(int)?);
                        }
                    }
                    _ => return None,
                }
                if found.len() - before != *length {
                    return None;
                }
            }
        }
    }
    Some((reader.runs?, found))
}

struct Reader<'p> {
    parameters: &'p [Interval],
    runs: Option<usize>,
}

impl Reader<'_> {
    fn int(&mut self, int: &Int) -> Option<(i64, i64)> {
        match &int.kind {
            IntKind::Number(value) => Some((*value, 0)),
            IntKind::Parameter(at) => match self.parameters.get(*at)?.exact() {
                Some(value) => Some((value, 0)),
                None => (*self.runs.get_or_insert(*at) == *at).then_some((0, 1)),
            },
            IntKind::Negative(a) => {
                let (plus, times) = self.int(a)?;
                Some((plus.checked_neg()?, times.checked_neg()?))
            }
            IntKind::Binary(operator, a, b) => {
                let (a, b) = (self.int(a)?, self.int(b)?);
                match (operator, a, b) {
                    (Operator::Add, a, b) => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
                    (Operator::Sub, a, b) => Some((a.0.checked_sub(b.0)?, a.1.checked_sub(b.1)?)),
                    (Operator::Mul, (by, 0), (plus, times)) | (Operator::Mul, (plus, times), (by, 0)) => {
                        Some((plus.checked_mul(by)?, times.checked_mul(by)?))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
