//! The table: positions that lie densely between bounds, each with its key at an index of its own, filled in one sweep.
//!
//! Bounds follow from the starts, from `end` and from guards ([`crate::lang::closed`]); coordinates on which moves only
//! go one way give an order in which options come first ([`crate::lang::order`]). Then no position is hashed, none is
//! visited twice, and nothing recurses. Terminal positions take no room. Where rules do not allow it, or few positions
//! between the bounds can be reached, or something else is asked, the memo answers.

mod costs;
mod fill;
mod leads;

use dashu_int::UBig;

use self::fill::{Failed, fill};
use super::{Engine, Memo, Sought};
use crate::budget::{Budget, Limit, Share};
use crate::claims::{Claims, Keys, LinesClaim, is_own};
use crate::game::Compiled;
use crate::lang::tree::{Quantity, Rules};
use crate::lang::{
    ColumnSight, Columns, Fit, Halt, Interval, Ints, NoSight, Options, Sight, Truth, Unfit, closed, is_straight, order,
    within,
};
use crate::position::{Axis, Lines, Row};
use crate::value::{Class, Outcome, Plays, Ranked, Ranking};

/// Up to here a table is filled without asking whether all of it can be reached.
const SMALL: usize = 1 << 15;

/// How many positions of a table are filled in the time in which the memo looks at one, or less.
const FASTER: usize = 64;

/// Along rows longer than this plies are mostly too many for keys of two bytes.
const LONG_ROW: usize = 1 << 17;

/// The most lines: each costs more than a position.
const MOST_ROWS: usize = 1 << 24;

/// What a table is made for: where the starts lie, and how many there are.
#[derive(Clone, Debug)]
pub struct Starts {
    /// The bounds of their coordinates, over all questions.
    pub bounds: Vec<Interval>,
    /// How many there are, or more.
    pub count: u64,
}

impl Starts {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            bounds: self.bounds.into_iter().zip(other.bounds).map(|(a, b)| a.hull(b)).collect(),
            count: self.count.saturating_add(other.count),
        }
    }
}

/// The engine for games whose positions lie densely between bounds.
pub struct Table<'a> {
    rules: &'a Rules,
    memo: Memo<'a>,
    starts: Option<Starts>,
    lines: Lining,
    remoteness: Column,
    own_moves: Column,
    /// What a walk from each position costs, once that is asked; nothing, where it is not known.
    outcome_walks: Option<Vec<u32>>,
    full_walks: Option<Vec<u32>>,
    share: Share<'a>,
    visited: u64,
    asked_memo: bool,
}

/// The lines of a table.
enum Lining {
    /// Not yet looked for.
    Unknown,
    /// There are none.
    Unfit,
    /// These.
    Lines(Lines),
}

/// The keys of one ranking.
enum Column {
    /// Not yet filled.
    Open,
    /// Not to be filled.
    Unfit,
    /// All of them.
    Filled(Keys),
}

type Found<T> = Result<T, Halt>;

impl<'a> Table<'a> {
    /// Knows nothing yet. Without `starts` it leaves everything to the memo.
    pub fn new(rules: &'a Rules, starts: Option<Starts>, budget: &'a Budget) -> Self {
        Self {
            rules,
            memo: Memo::new(Box::new(Compiled::new(rules)), budget),
            starts,
            lines: Lining::Unknown,
            remoteness: Column::Open,
            own_moves: Column::Open,
            outcome_walks: None,
            full_walks: None,
            share: Share::new(budget),
            visited: 0,
            asked_memo: false,
        }
    }

    /// Whether the memo has been asked since this was asked last.
    pub fn take_asked_memo(&mut self) -> bool {
        std::mem::take(&mut self.asked_memo)
    }

    /// What the engine keeps and how, in words; none where there is no table.
    #[must_use]
    pub fn layout(&self) -> Option<String> {
        let Lining::Lines(lines) = &self.lines else { return None };
        let mut kept = Vec::new();
        for (column, name) in [(&self.remoteness, "remoteness"), (&self.own_moves, "own moves")] {
            if let Column::Filled(keys) = column {
                kept.push(format!("{name} in {} bytes each", keys.width()));
            }
        }
        Some(format!("{} positions in {} rows, {}", lines.len(), lines.rows().len(), kept.join(", ")))
    }

    fn memo(&mut self) -> &mut Memo<'a> {
        self.asked_memo = true;
        &mut self.memo
    }

    /// The lines, looked for when first needed; `first` is a position that is asked about.
    fn prepare(&mut self, first: &[i64]) -> Found<()> {
        if !matches!(self.lines, Lining::Unknown) {
            return Ok(());
        }
        self.lines = Lining::Unfit;
        let Some((lines, rows, size)) = self.bounded() else { return Ok(()) };
        // cutting straight rows costs the same whatever their length
        let work = if is_straight(self.rules) { rows } else { rows.saturating_mul(size) / FASTER };
        if self.reaches_few(first, rows.saturating_mul(size), work)? {
            return Ok(());
        }
        let lines = match cut(self.rules, lines, rows, &mut self.share) {
            Ok(lines) => lines,
            Err(Failed::Limit(limit @ (Limit::Time | Limit::Interrupted))) => return Err(limit.into()),
            Err(_) => return Ok(self.share.resize(0)?),
        };
        if self.reaches_few(first, lines.len(), lines.len() / FASTER)? {
            return Ok(self.share.resize(0)?);
        }
        self.lines = Lining::Lines(lines);
        Ok(())
    }

    /// The box between the bounds, not yet cut into rows; how many there are, and how long they are at most.
    fn bounded(&self) -> Option<(Lines, usize, usize)> {
        let rules = self.rules;
        if rules.puzzle || rules.splits() || rules.width() == 0 {
            return None;
        }
        let bounds = closed(rules, &self.starts.as_ref()?.bounds)?;
        let mut axes = order(rules, &bounds)?;
        let inner = axes.pop()?;
        let lines = Lines::new(axes, inner);
        let rows = lines.rows_in_all().filter(|rows| *rows <= MOST_ROWS)?;
        Some((lines, rows, inner.size()?))
    }

    /// Whether few of so many positions can be reached, which the memo then does faster: no more than `most` from all
    /// starts, if the first is like the others.
    fn reaches_few(&mut self, first: &[i64], positions: usize, most: usize) -> Found<bool> {
        let count = self.starts.as_ref().map_or(0, |starts| usize::try_from(starts.count).unwrap_or(usize::MAX));
        if positions <= SMALL || count >= positions / FASTER {
            return Ok(false);
        }
        self.memo.closes_within(first, u64::try_from(most / count.max(1)).unwrap_or(u64::MAX))
    }

    /// Fills a column, if it can be filled.
    fn column(&mut self, ranking: Ranking, first: &[i64]) -> Found<bool> {
        self.prepare(first)?;
        let Lining::Lines(lines) = &self.lines else { return Ok(false) };
        let (column, other) = match is_own(ranking) {
            true => (&self.own_moves, &self.remoteness),
            false => (&self.remoteness, &self.own_moves),
        };
        match column {
            Column::Filled(_) => return Ok(true),
            Column::Unfit => return Ok(false),
            Column::Open => {}
        }
        let filled = filled(self.rules, lines, ranking, &mut self.share);
        let (column, filled) = match filled {
            Ok(keys) => {
                if self.visited == 0 {
                    self.visited = u64::try_from(lines.len()).unwrap_or(u64::MAX);
                }
                (Column::Filled(keys), true)
            }
            Err(Failed::Limit(limit @ (Limit::Time | Limit::Interrupted))) => return Err(limit.into()),
            Err(_) => {
                // what the other column has answered rests on the lines
                if !matches!(other, Column::Filled(_)) {
                    self.lines = Lining::Unfit;
                    self.share.resize(0)?;
                }
                (Column::Unfit, false)
            }
        };
        *(if is_own(ranking) { &mut self.own_moves } else { &mut self.remoteness }) = column;
        Ok(filled)
    }

    /// Outcome and rank, if the table tells; a draw has no rank.
    fn rank(&mut self, position: &[i64], ranking: Ranking) -> Found<Option<Ranked>> {
        if !self.column(ranking, position)? {
            return Ok(None);
        }
        let (Lining::Lines(lines), Column::Filled(keys)) =
            (&self.lines, if is_own(ranking) { &self.own_moves } else { &self.remoteness })
        else {
            return Ok(None);
        };
        if let Some(index) = lines.find(position) {
            return Ok(Some(keys.ranked(index)));
        }
        Ok(over(self.rules, position).map(|outcome| Ranked::new(outcome, 0)))
    }
}

/// The outcome at a position that is over by `end`.
fn over(rules: &Rules, position: &[i64]) -> Option<Outcome> {
    let mut sight = NoSight;
    let mut columns = Columns::new(rules, rules.slots, &mut sight);
    columns.position.extend(position.iter().map(|value| Ints::constant(*value)));
    columns.begin(1);
    let all = columns.all();
    if !columns.ended(&all).ok()?.at(0) {
        return None;
    }
    columns.winner(&rules.winner, &all).ok()?.first().map(|(_, outcome)| *outcome)
}

/// Cuts a box into so many rows, each without the terminal positions at its ends.
fn cut(rules: &Rules, mut lines: Lines, rows: usize, share: &mut Share<'_>) -> Result<Lines, Failed> {
    share.resize(u64::try_from(rows.saturating_mul(size_of::<Row>())).unwrap_or(u64::MAX))?;
    lines.reserve(rows);
    let mut sight = NoSight;
    let mut columns = Columns::new(rules, rules.slots, &mut sight);
    let mut position = vec![0; lines.width()];
    for row in 0..rows {
        lines.read_row(row, &mut position);
        columns.position.clear();
        columns.position.extend(position.iter().map(|value| Ints::constant(*value)));
        let (low, len) = row_within(&mut columns, is_straight(rules), lines.inner(), share.budget())?;
        lines.push(low, len);
        u32::try_from(lines.len()).map_err(|_| Unfit)?;
    }
    if lines.is_empty() { Err(Failed::Unfit) } else { Ok(lines) }
}

/// The stretch of a row outside which the game is over: its first value, and its length.
fn row_within(columns: &mut Columns<'_>, straight: bool, inner: Axis, budget: &Budget) -> Result<(i64, u32), Failed> {
    let size = inner.size().ok_or(Unfit)?;
    let (mut first, mut end) = (usize::MAX, 0);
    // straight lines cost nothing, and need one look alone
    let most = if straight { size } else { leads::STRETCH };
    let mut at = 0;
    while at < size {
        budget.check()?;
        let len = most.min(size - at);
        columns.begin(len);
        let low = inner.low.checked_add(i64::try_from(at).map_err(|_| Unfit)?).ok_or(Unfit)?;
        columns.position[inner.coordinate] = Ints::line(i128::from(low), 1, len)?;
        let (from, to) = columns.open()?;
        if from < to {
            first = first.min(at + from);
            end = at + to;
        }
        at += len;
    }
    if first >= end {
        return Ok((inner.low, 0));
    }
    let low = inner.low.checked_add(i64::try_from(first).map_err(|_| Unfit)?).ok_or(Unfit)?;
    Ok((low, u32::try_from(end - first).map_err(|_| Unfit)?))
}

/// Keys of two bytes, or of four where ranks need them; the memory is taken first.
fn filled(rules: &Rules, lines: &Lines, ranking: Ranking, share: &mut Share<'_>) -> Result<Keys, Failed> {
    let held = share.bytes();
    let budget = share.budget();
    let bytes = |each: usize| u64::try_from(lines.len() * each).unwrap_or(u64::MAX);
    let longest = lines.rows().iter().map(Row::len).max().unwrap_or(0);
    if ranking == Ranking::Remoteness && longest > LONG_ROW {
        share.resize(held + bytes(4))?;
        return fill::<u32>(rules, lines, ranking, budget).map(Keys::Long);
    }
    share.resize(held + bytes(2))?;
    match fill::<u16>(rules, lines, ranking, budget) {
        Ok(keys) => return Ok(Keys::Short(keys)),
        Err(Failed::Narrow) => {}
        Err(failed) => {
            share.resize(held)?;
            return Err(failed);
        }
    }
    share.resize(held + bytes(4))?;
    match fill::<u32>(rules, lines, ranking, budget) {
        Ok(keys) => Ok(Keys::Long(keys)),
        Err(failed) => {
            share.resize(held)?;
            Err(failed)
        }
    }
}

impl ColumnSight for Table<'_> {
    fn ranked(&mut self, ranking: Ranking, positions: &[Ints], when: &Truth, len: usize) -> Fit<(Vec<u32>, Truth)> {
        let (from, to) = when.hull();
        let first: Vec<i64> = positions.iter().map(|value| value.at(from)).collect();
        if !self.column(ranking, &first).map_err(|_| Unfit)? {
            return Err(Unfit);
        }
        let (Lining::Lines(lines), Column::Filled(keys)) =
            (&self.lines, if is_own(ranking) { &self.own_moves } else { &self.remoteness })
        else {
            return Err(Unfit);
        };
        let inner = lines.inner();
        let straight = lines.outer().iter().all(|axis| positions[axis.coordinate].same().is_some());
        let mut codes = Vec::with_capacity(len);
        if let (true, Ints::Line(line)) = (straight, &positions[inner.coordinate])
            && line.step == 1
        {
            let row = lines.row_of(|at| first[at]).and_then(|row| lines.rows().get(row));
            // from where to where the line lies on the row
            let (low, high) = match row {
                Some(row) => {
                    let along = &positions[inner.coordinate];
                    let end = row.low.checked_add(i64::from(row.len)).ok_or(Unfit)?;
                    let inside =
                        Ints::constant(row.low).at_most(along, len).and(&along.at_most(&Ints::constant(end - 1), len));
                    inside.and(&Truth::span(from, to)).hull()
                }
                None => (0, 0),
            };
            codes.resize(low, 0);
            if let Some(row) = row.filter(|_| low < high) {
                let place = usize::try_from(line.at(low) - row.low).map_err(|_| Unfit)?;
                let begin = row.start + place;
                keys.codes(begin, begin + high - low, &mut codes);
            }
            codes.resize(len, 0);
            let off = if from == low && to == high { Truth::NEVER } else { when.and(&Truth::span(low, high).not(len)) };
            return Ok((codes, off));
        }
        codes.resize(len, 0);
        let mut off = vec![false; len];
        let mut position = first;
        when.each(|place| {
            for (value, ints) in position.iter_mut().zip(positions) {
                *value = ints.at(place);
            }
            match lines.find(&position) {
                Some(index) => codes[place] = keys.ranked(index).0,
                None => off[place] = true,
            }
            Ok::<(), Unfit>(())
        })?;
        Ok((codes, Truth::mask(off)))
    }
}

impl Sight for Table<'_> {
    fn options(&mut self, position: &[i64], options: &mut Options) -> Found<bool> {
        self.memo.options(position, options)
    }

    fn outcome(&mut self, position: &[i64]) -> Found<Outcome> {
        match self.rank(position, Ranking::Remoteness)? {
            Some(ranked) => Ok(ranked.get().map_or(Outcome::Draw, |(outcome, _)| outcome)),
            None => self.memo().outcome(position),
        }
    }

    fn class_within(&mut self, position: &[i64], bound: Class) -> Found<Option<Class>> {
        match self.rank(position, Ranking::OwnMoves)? {
            Some(ranked) => Ok(within(ranked.class(), bound)),
            None => self.memo().class_within(position, bound),
        }
    }

    fn is_goal(&mut self, position: &[i64]) -> Found<bool> {
        self.memo.is_goal(position)
    }

    fn quantity(&mut self, position: &[i64], quantity: Quantity) -> Found<Option<i64>> {
        match quantity {
            Quantity::Remoteness => match self.rank(position, Ranking::Remoteness)? {
                Some(ranked) => Ok(ranked.get().map(|(_, plies)| i64::from(plies))),
                None => self.memo().quantity(position, quantity),
            },
            Quantity::Moves => self.memo.quantity(position, quantity),
            Quantity::Grundy | Quantity::Distance => self.memo().quantity(position, quantity),
        }
    }
}

impl Engine for Table<'_> {
    fn class(&mut self, position: &[i64]) -> Found<Option<Class>> {
        match self.rank(position, Ranking::OwnMoves)? {
            Some(ranked) => Ok(ranked.class()),
            None => self.memo().class(position),
        }
    }

    fn plays(&mut self, position: &[i64]) -> Found<Option<Plays>> {
        self.memo().plays(position)
    }

    fn shortest_play(&mut self, position: &[i64]) -> Found<Option<u32>> {
        self.memo().shortest_play(position)
    }

    fn longest_play(&mut self, position: &[i64]) -> Found<Option<u32>> {
        self.memo().longest_play(position)
    }

    fn positions(&mut self, position: &[i64]) -> Found<u64> {
        self.memo().positions(position)
    }

    fn shortest_solutions(&mut self, position: &[i64]) -> Found<UBig> {
        self.memo().shortest_solutions(position)
    }

    fn farthest(&mut self, position: &[i64]) -> Found<u32> {
        self.memo().farthest(position)
    }

    fn distance_within(&mut self, position: &[i64], most: i64) -> Found<Option<i64>> {
        self.memo().distance_within(position, most)
    }

    fn in_columns(&mut self) -> Option<&mut dyn ColumnSight> {
        self.starts.is_some().then_some(self)
    }

    fn claims(&mut self) -> Found<Option<Claims<'_>>> {
        let keys = |column| match column {
            &Column::Filled(ref keys) => Some(keys),
            _ => None,
        };
        let lines = match &self.lines {
            Lining::Lines(lines) => {
                Some(LinesClaim { lines, remoteness: keys(&self.remoteness), own_moves: keys(&self.own_moves) })
            }
            _ => None,
        };
        let lines = lines.filter(|claim| claim.remoteness.is_some() || claim.own_moves.is_some());
        Ok(self.memo.claims()?.map(|claims| Claims { lines, ..claims }))
    }

    fn walk_cost(&mut self, position: &[i64], sought: Sought) -> Found<Option<u64>> {
        let costs = match sought {
            Sought::Outcome => &mut self.outcome_walks,
            Sought::Everything => &mut self.full_walks,
        };
        let Lining::Lines(lines) = &self.lines else { return self.memo.walk_cost(position, sought) };
        if costs.is_none() {
            let counted = lines.len() <= SMALL;
            *costs =
                Some(if counted { costs::count(self.rules, lines, sought).unwrap_or_default() } else { Vec::new() });
        }
        let cost = lines.find(position).and_then(|index| costs.as_ref()?.get(index)).copied();
        Ok(cost.map(u64::from))
    }

    fn visited(&self) -> u64 {
        self.visited + self.memo.visited()
    }
}
