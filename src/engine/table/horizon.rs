//! As far as the questions look: the parts of rows that plays from the starts meet within so many plies. No other rows
//! are cut, and only what at least one ply is looked ahead of is filled.
//!
//! What is not known counts as a draw. For a position of which `r` plies are looked ahead the winner's own moves are then
//! told rightly as far as that: if `r` plies decide its class ([`Rules::plies`]), its key is that class; and if its key
//! says a class that `r` plies decide, it is of that class. For of each option at least `r - 1` plies are looked ahead, or
//! it is over, and a class rests on options whose classes are decided a ply earlier: those are told rightly, and no other
//! option is said to be better that is not. Where but one ply is looked ahead, all options that are not over count as
//! draws: if the last mover wins, it is enough to tell whether a move wins at once.

mod spread;

use self::spread::{Met, Spread};
use super::rails::Rails;
use super::starts::Near;
use crate::faults::{Wrong, planted};
use crate::lang::Straight;
use crate::lang::tree::Rules;
use crate::position::{Lines, Row};

/// Fewer positions than this are filled in no time.
const FEW: usize = 256;

/// How far the questions look.
#[derive(Clone, Copy)]
pub(super) struct Ahead<'a> {
    /// From where.
    pub(super) near: &'a [Near],
    /// Over how many plies at most.
    pub(super) plies: u32,
    /// Whether that counts even where it saves little.
    pub(super) always: bool,
}

/// Values of the coordinate along a row, from the first to the last; none, where the last is less.
pub(super) type Values = (i64, i64);

/// How far is looked ahead from each part of each row.
pub(super) struct Horizon {
    plies: usize,
    met: Met,
    /// The rows that are met, in order.
    pub(super) rows: Vec<usize>,
    /// Whether a position of a row may be over for want of a move.
    pub(super) stuck: bool,
}

impl Horizon {
    /// What is met; nothing, if that is not told, or if it is most of all.
    pub(super) fn new(
        rules: &Rules,
        straight: &Straight,
        (rails, lines): (&mut Rails, &Lines),
        ahead: Ahead<'_>,
    ) -> Option<Self> {
        let rows = lines.rows_in_all()?;
        let positions = rows.checked_mul(lines.inner().size()?).filter(|all| *all >= FEW || ahead.always)?;
        rules.winner.same_for_all()?;
        if !rails.lead_to_one_row() {
            return None;
        }
        // an error just beyond the horizon may still spoil a question: there is none where all is known to be straight,
        // or where a ply more has been looked at
        let mut ways = straight.ways();
        let told = straight.open.is_some() || straight.over.is_some();
        let straight = rules.end.is_none() || told && ways.all(|way| !way.open.is_empty() || !way.over.is_empty());
        let further = u32::from(!straight);
        let all = (i64::MAX, rows);
        let few = (i64::try_from(positions / 4).ok()?, rows / 2);
        let plies = ahead.plies + further;
        let plies = usize::try_from(plies).ok().filter(|plies| *plies < usize::from(u8::MAX))?;
        let mut spread = Spread::new(lines, rows, if ahead.always { all } else { few }, plies);
        for near in ahead.near {
            spread.is_few(&near.lie)?;
        }
        for near in ahead.near {
            // what is looked ahead of less far is met so much later
            let ply = plies.checked_sub(usize::try_from(near.plies + further).ok()?)?;
            spread.start(&near.lie, ply)?;
        }
        let stuck = !rails.ways.iter().any(|rail| rail.is_open());
        let (met, rows) = spread.end(rails)?;
        (!rows.is_empty()).then_some(Self { plies, met, rows, stuck })
    }

    /// What is met of a row at least so many plies before the last; nothing, where the row is not met.
    fn of_row(&self, row: usize, plies: u32) -> Option<Values> {
        self.met.after(row, self.plies.checked_sub(usize::try_from(plies).ok()?)?)
    }

    /// Whether so many plies are looked ahead from a position of a row that is met.
    pub(super) fn sees(&self, row: usize, value: i64, plies: u32) -> bool {
        self.of_row(row, plies).is_some_and(|(low, high)| low <= value && value <= high)
    }

    /// Whether a row is met.
    pub(super) fn meets(&self, row: usize) -> bool {
        self.met.is_met(row)
    }

    /// From which place of a row on and before which so many plies are looked ahead, or more. What one is looked ahead of is
    /// filled.
    pub(super) fn filled(&self, number: usize, row: &Row, plies: u32) -> (usize, usize) {
        let Some((low, high)) = self.of_row(number, plies) else { return (0, 0) };
        let last = row.low + i64::from(row.len) - 1;
        let (low, high) = (low.max(row.low), high.min(last) - i64::from(planted(Wrong::HorizonOneShort)));
        if low > high {
            return (0, 0);
        }
        let place = |value: i64| usize::try_from(value - row.low).unwrap_or(0);
        (place(low), place(high) + 1)
    }
}
