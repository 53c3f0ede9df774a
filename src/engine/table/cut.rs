//! Cuts a box of positions into rows.

use super::ends::Ends;
use super::fill::Failed;
use super::horizon::{Ahead, Horizon};
use super::leads::STRETCH;
use super::odometer::Odometer;
use super::rails::Rails;
use crate::budget::{Budget, Share};
use crate::faults::{Wrong, planted};
use crate::lang::tree::Rules;
use crate::lang::{Columns, Interval, Ints, NoSight, Order, Straight, Unfit, is_straight, not_negative};
use crate::position::{Axis, Lines, Row};

/// The most lines: each costs more than a position.
const MOST_ROWS: usize = 1 << 24;

/// More rows than this must not be shorter than that.
const FEW_ROWS: usize = 1 << 10;
const SHORT_ROW: usize = 16;

/// A box that has been cut.
pub(super) struct Cut {
    pub(super) lines: Lines,
    /// How many rows are filled abreast, one lot after the other.
    pub(super) abreast: usize,
    /// Where moves lead, as far as they are straight within the box.
    pub(super) rails: Box<Rails>,
    /// Whether the game may be over between two positions of a row where it is not.
    pub(super) holes: bool,
    /// Where `end` says that it is over, if several lists of sums tell it.
    pub(super) ends: Option<Box<Ends>>,
    /// How far is looked ahead from each row, where not all are needed.
    pub(super) horizon: Option<Box<Horizon>>,
}

impl Cut {
    /// Whether so many plies are looked ahead from a position.
    pub(super) fn sees(&self, value: impl Fn(usize) -> i64, plies: u32) -> bool {
        let Some(horizon) = &self.horizon else { return true };
        let along = value(self.lines.inner().coordinate);
        let Some(number) = self.lines.row_of(value) else { return true };
        let row = self.lines.rows().get(number).filter(|_| horizon.meets(number));
        // off a row that is met play is over, if it is between the bounds
        row.is_some_and(|row| horizon.sees(number, along, plies) || row.place(along).is_none())
    }

    /// How many positions are filled, or looked at.
    pub(super) fn filled(&self) -> usize {
        let Some(horizon) = self.horizon.as_ref().filter(|horizon| !horizon.stuck) else { return self.lines.len() };
        let filled = horizon.rows.iter().map(|number| horizon.filled(*number, &self.lines.rows()[*number], 1));
        filled.map(|(from, to)| to - from).sum()
    }

    /// The numbers of the rows that are not left out.
    pub(super) fn rows(&self) -> Box<dyn Iterator<Item = usize> + '_> {
        numbers(self.horizon.as_deref(), self.lines.rows().len())
    }
}

fn numbers(horizon: Option<&Horizon>, rows: usize) -> Box<dyn Iterator<Item = usize> + '_> {
    match horizon {
        Some(horizon) => Box::new(horizon.rows.iter().copied()),
        None => Box::new(0..rows),
    }
}

/// The bounds of all coordinates.
fn bounds(outer: &[Axis], inner: Axis) -> Vec<Interval> {
    let mut bounds = vec![Interval::one(0); outer.len() + 1];
    for axis in outer.iter().chain([&inner]) {
        bounds[axis.coordinate] = Interval { low: axis.low, high: axis.high };
    }
    bounds
}

/// Cuts the box between the bounds into rows, each without the terminal positions at its ends: all of them, or those
/// that are met as far as questions look. What is straight between the bounds may be known already.
///
/// # Errors
///
/// See [`Failed`].
pub(super) fn cut(
    rules: &Rules,
    order: Order,
    (ahead, straight): (Option<Ahead<'_>>, Option<&Straight>),
    share: &mut Share<'_>,
) -> Result<Cut, Failed> {
    let Order { mut axes, abreast } = order;
    let inner = axes.pop().ok_or(Unfit)?;
    let size = inner.size().ok_or(Unfit)?;
    let taken;
    let straight = match straight {
        Some(straight) => straight,
        None => {
            taken = Straight::new(rules, &bounds(&axes, inner));
            &taken
        }
    };
    let beside = axes[axes.len().saturating_sub(abreast)..].iter().filter_map(Axis::size).product();
    let ahead = ahead.filter(|_| abreast == 0);
    let mut lines = Lines::new(axes, inner);
    let rows = lines.rows_in_all().filter(|rows| *rows <= MOST_ROWS).ok_or(Unfit)?;
    if rows > FEW_ROWS && size < SHORT_ROW {
        return Err(Failed::Unfit);
    }
    share.resize(
        u64::try_from(rows.saturating_mul(size_of::<Row>() + usize::from(ahead.is_some()))).unwrap_or(u64::MAX),
    )?;
    lines.reserve(rows);
    let mut rails = Box::new(Rails::new(straight, &lines));
    let horizon = ahead.and_then(|ahead| Horizon::new(rules, straight, (&mut rails, &lines), ahead)).map(Box::new);
    let mut sight = NoSight;
    let mut columns = Columns::new(rules, rules.slots, &mut sight);
    let mut holes = false;
    let open = straight.open.as_deref();
    let mut odometer = Odometer::new(open.unwrap_or_default().iter(), &lines);
    let times: Vec<i64> = open.unwrap_or_default().iter().map(|sum| sum.times(inner.coordinate)).collect();
    let mut ends = straight.over.as_ref().map(|over| Box::new(Ends::new(over, &lines)));
    let mut position = vec![0; lines.width()];
    for row in numbers(horizon.as_deref(), rows) {
        lines.skip_to(row);
        if open.is_some() {
            odometer.turn_to(row, &lines);
            let sums = odometer.all().iter().copied().zip(times.iter().copied());
            let ends = sums.fold((inner.low, inner.high), |ends, sum| not_negative(sum, ends));
            // nothing is left of a row that ends before it begins
            let len = ends.1.checked_sub(ends.0).and_then(|steps| u32::try_from(steps + 1).ok()).unwrap_or(0);
            lines.push(if len == 0 { inner.low } else { ends.0 }, len);
        } else if let Some(ends) = &mut ends {
            ends.turn_to(row, &lines);
            match ends.between((inner.low, inner.high)) {
                Some((low, high, whole)) => {
                    lines.push(low, u32::try_from(high - low + 1).map_err(|_| Unfit)?);
                    holes |= !whole && !planted(Wrong::HolesNotSeen);
                }
                None => lines.push(inner.low, 0),
            }
        } else {
            lines.read_row(row, &mut position);
            columns.position.clear();
            columns.position.extend(position.iter().map(|value| Ints::constant(*value)));
            let (low, len, whole) = row_within(&mut columns, is_straight(rules), inner, share.budget())?;
            lines.push(low, len);
            holes |= !whole && !planted(Wrong::HolesNotSeen);
        }
        u32::try_from(lines.len()).map_err(|_| Unfit)?;
    }
    lines.skip_to(rows);
    if lines.is_empty() { Err(Failed::Unfit) } else { Ok(Cut { lines, abreast: beside, rails, holes, ends, horizon }) }
}

/// The stretch of a row outside which the game is over: its first value, its length, and whether it is sure that the game
/// is over nowhere within.
fn row_within(
    columns: &mut Columns<'_>,
    straight: bool,
    inner: Axis,
    budget: &Budget,
) -> Result<(i64, u32, bool), Failed> {
    let size = inner.size().ok_or(Unfit)?;
    let (mut first, mut end, mut open_places) = (usize::MAX, 0, 0);
    // straight lines cost nothing, and need one look alone
    let most = if straight { size } else { STRETCH };
    let mut at = 0;
    while at < size {
        budget.check()?;
        let len = most.min(size - at);
        columns.begin(len);
        let low = inner.low.checked_add(i64::try_from(at).map_err(|_| Unfit)?).ok_or(Unfit)?;
        columns.position[inner.coordinate] = Ints::line(i128::from(low), 1, len)?;
        let (from, to, whole) = columns.open()?;
        open_places += if whole { to - from } else { 0 };
        if from < to {
            first = first.min(at + from);
            end = at + to;
        }
        at += len;
    }
    if first >= end {
        return Ok((inner.low, 0, true));
    }
    let low = inner.low.checked_add(i64::try_from(first).map_err(|_| Unfit)?).ok_or(Unfit)?;
    Ok((low, u32::try_from(end - first).map_err(|_| Unfit)?, open_places == end - first))
}
