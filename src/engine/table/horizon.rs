//! As far as the questions look: the rows that plays from the starts meet within so many plies. No others are cut, and
//! only those are filled from which at least one ply is looked ahead.
//!
//! What is not known counts as a draw. For a position in a row from which `r` plies are looked ahead the winner's own
//! moves are then told rightly as far as that: if `r` plies decide its class ([`Rules::plies`]), its key is that class;
//! and if its key says a class that `r` plies decide, it is of that class. For each option lies in a row from which at
//! least `r - 1` plies are looked ahead, or is over, and a class rests on options whose classes are decided a ply
//! earlier: those are told rightly, and no other option is said to be better that is not.

use super::rails::Rails;
use crate::faults::{Wrong, planted};
use crate::lang::tree::Rules;
use crate::lang::{Interval, Straight};
use crate::position::{Axis, Lines};

/// Fewer rows than this are filled in no time.
const FEW_ROWS: usize = 4;

/// How far the questions look.
#[derive(Clone, Copy)]
pub(super) struct Ahead<'a> {
    /// Where the starts lie.
    pub(super) starts: &'a [Interval],
    /// Over how many plies.
    pub(super) plies: u32,
    /// Whether that counts even where it saves little.
    pub(super) always: bool,
}

/// How far is looked ahead from each row.
pub(super) struct Horizon {
    /// One more than the plies; 0 where a row is not met.
    reach: Vec<u8>,
    /// The rows that are met, in order.
    pub(super) rows: Vec<usize>,
    /// Whether a position of a row may be over for want of a move.
    pub(super) stuck: bool,
}

impl Horizon {
    /// The rows that are met, going on from each whatever guards say; nothing, if that is not told, or if most are.
    pub(super) fn new(
        rules: &Rules,
        straight: &Straight,
        (rails, lines): (&mut Rails, &Lines),
        ahead: Ahead<'_>,
    ) -> Option<Self> {
        let rows = lines.rows_in_all().filter(|rows| *rows >= FEW_ROWS || ahead.always)?;
        let first = u8::try_from(ahead.plies).ok()?.checked_add(1)?;
        straight.open.as_ref()?;
        rules.winner.same_for_all()?;
        // an error just beyond the horizon may still spoil a question: there is none where all is known to be straight
        let mut ways = straight.moves.iter().flatten().flatten();
        if rules.end.is_some() && ways.any(|way| way.open.is_empty()) {
            return None;
        }
        let most = if ahead.always { rows } else { rows / 2 };
        let mut open = rows_of_starts(lines, ahead.starts, most).filter(|rows| !rows.is_empty())?;
        if !rails.lead_to_one_row() {
            return None;
        }
        let mut reach = vec![0; rows];
        open.iter().for_each(|row| reach[*row] = first);
        let (mut met, mut next) = (open.clone(), Vec::new());
        let last = 1 + u8::from(planted(Wrong::LastPlyLeftOut));
        for left in (last..first).rev() {
            for row in open.drain(..) {
                rails.turn_to(row, lines);
                for rail in rails.ways.iter() {
                    let Some(to) = rails.row(rail)?.filter(|to| *to < rows) else { continue };
                    if reach[to] == 0 {
                        reach[to] = left;
                        next.push(to);
                    }
                }
            }
            if met.len() + next.len() > most {
                return None;
            }
            std::mem::swap(&mut open, &mut next);
            // from row to row the sums grow by the same
            open.sort_unstable();
            met.extend_from_slice(&open);
        }
        met.sort_unstable();
        Some(Self { reach, rows: met, stuck: !rails.ways.iter().any(|rail| rail.is_open()) })
    }

    /// Whether so many plies are looked ahead from a row.
    pub(super) fn sees(&self, row: usize, plies: u32) -> bool {
        self.reach.get(row).is_some_and(|reach| u32::from(*reach) > plies)
    }
}

/// The rows through the box in which the starts lie, in order; nothing, if they are more than `most`.
fn rows_of_starts(lines: &Lines, starts: &[Interval], most: usize) -> Option<Vec<usize>> {
    let mut rows = vec![0];
    for axis in lines.outer() {
        let places = places(*axis, starts.get(axis.coordinate)?);
        let size = axis.size()?;
        if rows.len().checked_mul(places.len())? > most {
            return None;
        }
        rows = rows.iter().flat_map(|row| places.clone().map(move |place| row * size + place)).collect();
    }
    Some(rows)
}

/// The places of some values among those of an axis.
fn places(axis: Axis, values: &Interval) -> std::ops::Range<usize> {
    let (low, high) = (values.low.max(axis.low), values.high.min(axis.high));
    match (axis.place(low), axis.place(high)) {
        (Some(a), Some(b)) if low <= high => a.min(b)..a.max(b) + 1,
        _ => 0..0,
    }
}
