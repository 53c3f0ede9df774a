//! How far plays go within so many plies, where no bounds of all positions are found.

use super::super::source::Span;
use super::super::syntax::Comparison;
use super::super::tree::{Bool, BoolKind, Int, IntKind, Move, Rules};
use super::Interval;
use super::tour::Tour;
use crate::faults::{Wrong, planted};

/// The bounds of all positions that plays from positions within `start` meet at once, after a ply or none, and so on to so
/// many plies; none, where they are not bounded or hold more than `most` positions.
#[must_use]
pub fn within_plies(rules: &Rules, start: &[Interval], plies: u32, most: u128) -> Option<Vec<Vec<Interval>>> {
    let mut tour = Tour::new(rules);
    let mut all = vec![start.to_vec()];
    while all.len() <= usize::try_from(plies).ok()? {
        let within = all.last()?;
        let mut grown = within.clone();
        let moves = rules.moves.iter().skip(usize::from(planted(Wrong::NearbyWithoutFirstMove)));
        step(&mut tour, moves, within, &mut grown);
        let sizes = grown.iter().map(|bounds| Some(u128::from(bounds.high.abs_diff(bounds.low)) + 1));
        let size = sizes.reduce(|all, size| all?.checked_mul(size?)).flatten();
        if size.is_none_or(|size| size > most) || !grown.iter().all(|bounds| bounds.is_bounded()) {
            return None;
        }
        all.push(grown);
    }
    Some(all)
}

/// The same rules, but play is over wherever a move leads beyond those bounds.
#[must_use]
pub fn over_beyond(rules: &Rules, within: &[Interval]) -> Rules {
    let mut further = within.to_vec();
    step(&mut Tour::new(rules), rules.moves.iter(), within, &mut further);
    let span = Span::default();
    let compared = |at: usize, comparison, number| {
        let [a, b] = [IntKind::Variable(at), IntKind::Number(number)].map(|kind| Box::new(Int::new(kind, span)));
        Bool::new(BoolKind::Compare(comparison, a, b), span)
    };
    let mut end = rules.end.clone();
    for (at, (bounds, further)) in within.iter().zip(&further).enumerate() {
        let below = (further.low < bounds.low).then(|| compared(at, Comparison::Less, bounds.low));
        let above = (further.high > bounds.high).then(|| compared(at, Comparison::Greater, bounds.high));
        for beyond in below.into_iter().chain(above) {
            end = Some(match end {
                Some(end) => Bool::new(BoolKind::Or(Box::new(end), Box::new(beyond)), span),
                None => beyond,
            });
        }
    }
    Rules { end, ..rules.clone() }
}

/// Adds the bounds of all that these moves lead to from positions within bounds, be it over or not.
fn step<'r>(tour: &mut Tour<'r>, moves: impl Iterator<Item = &'r Move>, within: &[Interval], all: &mut [Interval]) {
    tour.begin(within);
    for made in moves {
        tour.each(made, &mut |_, there, _| {
            for (bounds, more) in all.iter_mut().zip(&there.coordinates) {
                *bounds = bounds.hull(*more);
            }
        });
    }
}
