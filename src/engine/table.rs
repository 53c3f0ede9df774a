//! The table: positions that lie densely between bounds, each with its key at an index of its own, filled in one sweep.
//!
//! Bounds follow from the starts, from `end` and from guards ([`crate::lang::closed`]); coordinates on which moves only
//! go one way give an order in which options come first ([`crate::lang::orders`]). Then no position is hashed, none is
//! visited twice, and nothing recurses. Terminal positions take no room. Where rules do not allow it, or few positions
//! between the bounds can be reached, or something else is asked, the memo answers.
//!
//! Where moves go one way along one coordinate alone, and to and fro along others of few values, rows along that one are
//! filled abreast.
//!
//! Where no bounds are found and all questions look but a few plies ahead, there may be a table of what lies near the starts.
//!
//! Where all questions look but a few plies ahead, the table goes no further than they do, until more is asked of it.

mod abreast;
mod by_ways;
mod columns;
mod costs;
mod cut;
mod ends;
mod fill;
mod horizon;
mod kept;
mod layout;
mod leads;
mod listed;
mod nearby;
mod odometer;
mod parts;
mod points;
mod rails;
mod slow;
mod starts;
mod sweep;

pub use self::layout::Layout;
pub use self::starts::{Lie, Near, Starts};

use crate::faults::{Wrong, planted};
use dashu_int::UBig;

use self::cut::{Cut, cut};
use self::fill::{Failed, fill};
use self::horizon::Ahead;
use self::kept::Rows;
use self::nearby::{Nearby, STARTS as NEARBY_STARTS};
use super::{Engine, Memo, Sought};
use crate::budget::{Budget, Limit, Share};
use crate::claims::{Claims, Keys, LinesClaim, is_own};
use crate::game::Lazily;
use crate::lang::tree::{Quantity, Rules};
use crate::lang::{
    ColumnSight, Columns, Halt, Interval, Ints, NoSight, Options, Order, Sight, Straight, closed, closed_by_sums,
    is_straight, orders, orders_by_sums, reached_at_least, with_options, within,
};
use crate::position::{Axis, Packing, Row};
use crate::value::{Class, Outcome, Plays, Ranked, Ranking};

/// Up to here a table is filled without asking whether all of it can be reached.
const SMALL: usize = 1 << 15;

/// How many positions of a table are filled in the time in which the memo looks at one, or less.
const FASTER: usize = 64;

/// What a position takes in memory at least, in bytes.
const LEAST: u128 = 16;

/// From how many positions it is tried to show that they reach too many.
const STARTS: usize = 64;

/// How many positions are looked at before a game is refused that is certainly too large.
const NEAR: u64 = 100_000;

/// Along rows longer than this plies are mostly too many for keys of two bytes.
const LONG_ROW: usize = 1 << 17;

/// The engine for games whose positions lie densely between bounds.
pub struct Table<'a> {
    rules: &'a Rules,
    memo: Memo<'a>,
    starts: Option<Starts>,
    /// Whether a table may be filled, or the memo is to answer everything.
    may_fill: bool,
    /// Whether no certificate is made of what the table holds.
    uncertified: bool,
    /// Whether it goes no further than questions look even where that saves little.
    always_ahead: bool,
    bounds: Bounds,
    /// What is straight between the bounds, if all rules are.
    straight: Option<Box<Straight>>,
    /// The game as far as questions look, where there are no bounds.
    nearby: Option<Box<Nearby>>,
    /// How many positions the first one asked about certainly reaches, as far as that has been tried.
    not_few: u64,
    /// Whether the memo has been told the bounds.
    packed: bool,
    lines: Lining,
    /// Orders that have not been tried, the next one last.
    orders: Vec<Order>,
    remoteness: Column,
    own_moves: Column,
    /// What a walk from each position costs, once that is asked; nothing, where it is not known.
    outcome_walks: Option<Vec<u32>>,
    full_walks: Option<Vec<u32>>,
    share: Share<'a>,
    visited: u64,
    asked_memo: bool,
    /// From how many positions it was tried to show how much they reach.
    shown: usize,
    /// Room for the first position of a line.
    first: Vec<i64>,
}

/// Bounds of the positions that are not over.
enum Bounds {
    /// Not yet looked for.
    Unknown,
    /// There are none.
    None,
    /// These.
    Within(Vec<Interval>),
}

/// The lines of a table.
enum Lining {
    /// Not yet looked for.
    Unknown,
    /// There are none.
    Unfit,
    /// These.
    Cut(Cut),
}

/// The keys of one ranking.
enum Column {
    /// Not yet filled.
    Open,
    /// Not to be filled.
    Unfit,
    /// All of them.
    Filled(Rows),
}

impl Column {
    const fn is_filled(&self) -> bool {
        matches!(self, Self::Filled(_))
    }

    /// All by index, if all are kept.
    fn keys(&self) -> Option<&Keys> {
        match self {
            Self::Filled(keys) => keys.whole(),
            _ => None,
        }
    }
}

type Found<T> = Result<T, Halt>;

impl<'a> Table<'a> {
    /// Knows nothing yet. Without `starts` it leaves everything to the memo, which then does not know how positions are
    /// best packed.
    pub fn new(rules: &'a Rules, starts: Option<Starts>, budget: &'a Budget) -> Self {
        Self {
            rules,
            memo: Memo::new(Box::new(Lazily::new(rules)), budget),
            starts,
            may_fill: true,
            uncertified: false,
            always_ahead: false,
            bounds: Bounds::Unknown,
            straight: None,
            nearby: None,
            not_few: 0,
            packed: false,
            lines: Lining::Unknown,
            orders: Vec::new(),
            remoteness: Column::Open,
            own_moves: Column::Open,
            outcome_walks: None,
            full_walks: None,
            share: Share::new(budget),
            visited: 0,
            asked_memo: false,
            shown: 0,
            first: Vec::new(),
        }
    }

    /// The same without a table: the memo answers everything.
    #[must_use]
    pub fn by_memo(self) -> Self {
        Self { may_fill: false, ..self }
    }

    /// The same, where nobody checks the answers by what the memo holds.
    #[must_use]
    pub const fn unchecked(mut self) -> Self {
        self.memo.unchecked();
        self
    }

    /// The same, but it goes no further than questions look even where that saves little: so that small games show it.
    #[must_use]
    pub const fn always_ahead(mut self) -> Self {
        self.always_ahead = true;
        self
    }

    /// The same, where no certificate is made: what the table claims need not be whole.
    #[must_use]
    pub const fn uncertified(mut self) -> Self {
        self.uncertified = true;
        self
    }

    /// Whether the memo has been asked since this was asked last.
    pub fn take_asked_memo(&mut self) -> bool {
        std::mem::take(&mut self.asked_memo)
    }

    /// Whether there is a table.
    #[must_use]
    pub const fn is_filled(&self) -> bool {
        matches!(self.lines, Lining::Cut(_))
    }

    /// Whether there is a table that goes only as far as questions look.
    #[must_use]
    pub const fn looks_ahead(&self) -> bool {
        matches!(self.lines, Lining::Cut(Cut { horizon: Some(_), .. })) && self.nearby.is_none()
    }

    /// Whether there is a table of what lies near the starts.
    #[must_use]
    pub const fn looks_nearby(&self) -> bool {
        self.nearby.is_some()
    }

    /// What the table holds and how; none where there is none.
    #[must_use]
    pub fn layout(&self) -> Option<Layout> {
        let Lining::Cut(Cut { lines, horizon, .. }) = &self.lines else { return None };
        let kept = |column: &Column| if let Column::Filled(keys) = column { Some(keys.layout()) } else { None };
        Some(Layout {
            positions: lines.len(),
            rows: lines.rows().len(),
            met: horizon.as_ref().map(|horizon| horizon.rows.len()),
            remoteness: kept(&self.remoteness),
            own_moves: kept(&self.own_moves),
        })
    }

    /// How many positions there are at most, if the rules keep their numbers within bounds that have been found.
    #[must_use]
    pub fn most_positions(&self) -> Option<u128> {
        let Bounds::Within(bounds) = &self.bounds else { return None };
        let widths =
            bounds.iter().map(|bounds| Some(u128::from(bounds.high.checked_sub(bounds.low)?.unsigned_abs()) + 1));
        widths.reduce(|all, width| Some(all?.saturating_mul(width?))).flatten()
    }

    /// The memo for everything that can be reached from a position, unless that is shown to be more than there is memory
    /// for.
    fn memo_from(&mut self, position: &[i64]) -> Found<&mut Memo<'a>> {
        self.bound();
        let memory = self.share.budget().memory();
        let most = u128::from(memory) / LEAST;
        if self.shown < STARTS
            && self.most_positions().is_some_and(|positions| positions > most)
            && self.reaches_more(position, most)
            // what is wrong with the rules close by is told all the same
            && !self.packed().closes_within(position, NEAR, None)?
        {
            return Err(Limit::Memory(memory).into());
        }
        Ok(self.memo())
    }

    /// Whether it is shown that more positions than that can be reached from this one.
    fn reaches_more(&mut self, position: &[i64], most: u128) -> bool {
        let Bounds::Within(bounds) = &self.bounds else { return false };
        let reached = reached_at_least(self.rules, bounds, position);
        // where no move is a step, it is shown from no start
        self.shown = if reached.is_some() { self.shown + 1 } else { STARTS };
        reached.is_some_and(|reached| reached > most)
    }

    /// The memo, which packs its positions by the bounds.
    fn memo(&mut self) -> &mut Memo<'a> {
        self.bound();
        self.asked_memo = true;
        self.packed()
    }

    /// The memo, once it has been told the bounds, if they have been found.
    fn packed(&mut self) -> &mut Memo<'a> {
        if let (Bounds::Within(bounds), Some(starts), false) = (&self.bounds, &self.starts, self.packed) {
            self.packed = true;
            let all = with_options(self.rules, bounds, &starts.bounds);
            if let Some(packing) = Packing::new(all.iter().map(|bounds| (bounds.low, bounds.high))) {
                self.memo.pack(packing);
            }
        }
        &mut self.memo
    }

    /// Finds the bounds, once.
    fn bound(&mut self) {
        if !matches!(self.bounds, Bounds::Unknown) {
            return;
        }
        self.bounds = Bounds::None;
        let rules = self.rules;
        let Some(starts) = self.starts.as_ref().filter(|_| !rules.puzzle && !rules.splits() && rules.width() > 0)
        else {
            return;
        };
        self.straight = Straight::anywhere(rules).map(Box::new);
        let by_sums = self.straight.as_ref().and_then(|straight| closed_by_sums(rules, straight, &starts.bounds));
        if by_sums.is_none() {
            self.straight = None;
        }
        let Some(bounds) = by_sums.or_else(|| closed(rules, &starts.bounds)) else { return };
        (self.bounds, self.packed) = (Bounds::Within(bounds), false);
    }

    /// The lines, looked for when first needed; `first` is a position that is asked about.
    fn prepare(&mut self, first: &[i64], ranking: Ranking) -> Found<()> {
        if !matches!(self.lines, Lining::Unknown) {
            return Ok(());
        }
        self.lines = Lining::Unfit;
        self.bound();
        if !self.may_fill {
            return Ok(());
        }
        let Bounds::Within(bounds) = &self.bounds else { return self.prepare_nearby() };
        // whatever the order, more work than this may be left
        let longest = bounds.iter().map(|bounds| bounds.high.abs_diff(bounds.low)).max().unwrap_or(0);
        let (most, longest) = (self.most_positions(), usize::try_from(longest).unwrap_or(usize::MAX));
        let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
        if self.reaches_few(first, ranking, most, most / longest.saturating_add(1).max(FASTER))? {
            return Ok(());
        }
        let Bounds::Within(bounds) = &self.bounds else { return Ok(()) };
        let by_sums = self.straight.as_ref().and_then(|straight| orders_by_sums(straight, bounds));
        self.orders = by_sums.unwrap_or_else(|| orders(self.rules, bounds));
        self.orders.reverse();
        // cutting straight rows costs the same whatever their length
        if let Some(order) = self.orders.last()
            && let Some((last, outer)) = order.axes.split_last()
        {
            let (rows, len) = (size(outer), size(std::slice::from_ref(last)));
            let work =
                if is_straight(self.rules) && order.abreast == 0 { rows } else { rows.saturating_mul(len) / FASTER };
            if self.reaches_few(first, ranking, rows.saturating_mul(len), work)? {
                return Ok(());
            }
        }
        self.cut_next()?;
        if let Lining::Cut(Cut { lines, .. }) = &self.lines {
            let len = lines.len();
            if self.reaches_few(first, ranking, len, len / FASTER)? {
                self.lines = Lining::Unfit;
                self.share.resize(0)?;
            }
            // what the lines hold may be given up for it
            self.memo.try_again();
        }
        Ok(())
    }

    /// The lines of what lies near the starts, if that is not much.
    fn prepare_nearby(&mut self) -> Found<()> {
        let (rules, always) = (self.rules, self.always_ahead);
        let fits = !rules.puzzle && !rules.splits() && rules.width() > 0 && (self.uncertified || always);
        let Some(starts) = self.starts.as_ref().filter(|starts| fits && !starts.whole) else { return Ok(()) };
        let Some(plies) = starts.plies().filter(|_| starts.count >= NEARBY_STARTS || always) else { return Ok(()) };
        let count = usize::try_from(starts.count).unwrap_or(usize::MAX);
        let most = if always { SMALL } else { SMALL.min(count.saturating_mul(FASTER)) };
        let Some(nearby) = Nearby::new(rules, &starts.bounds, plies, most) else { return Ok(()) };
        self.orders = orders(&nearby.rules, nearby.bounds());
        self.orders.reverse();
        self.nearby = Some(Box::new(nearby));
        self.cut_next()
    }

    /// Whether few of so many positions can be reached, which the memo then does faster: no more than `most` from all
    /// starts, if the first is like the others.
    fn reaches_few(&mut self, first: &[i64], ranking: Ranking, positions: usize, most: usize) -> Found<bool> {
        let count = self.starts.as_ref().map_or(0, |starts| usize::try_from(starts.count).unwrap_or(usize::MAX));
        if positions <= SMALL || count >= positions / FASTER {
            return Ok(false);
        }
        let most = u64::try_from(most / count.max(1)).unwrap_or(u64::MAX);
        if most <= self.not_few {
            return Ok(false);
        }
        if self.reaches_more(first, u128::from(most)) {
            return Ok(false);
        }
        let ranking = Some(ranking).filter(|ranking| *ranking == Ranking::Remoteness);
        let few = self.packed().closes_within(first, most, ranking)?;
        self.not_few = if few { 0 } else { most };
        Ok(few)
    }

    /// Turns to the next order that has not been tried.
    fn cut_next(&mut self) -> Found<()> {
        self.lines = Lining::Unfit;
        let starts = self.starts.as_ref();
        let always = self.always_ahead;
        let ahead = starts.and_then(|starts| Some(Ahead { near: &starts.near, plies: starts.plies()?, always }));
        // what a later question needs whole is not filled twice where that takes no time
        let soon_whole = !always && starts.is_some_and(|starts| starts.whole);
        while let Some(order) = self.orders.pop() {
            let ahead = ahead.filter(|_| !soon_whole || size(&order.axes) > SMALL);
            let rules = self.nearby.as_ref().map_or(self.rules, |nearby| &nearby.rules);
            match cut(rules, order, (ahead, self.straight.as_deref()), &mut self.share) {
                Ok(cut) => {
                    self.lines = Lining::Cut(cut);
                    return Ok(());
                }
                Err(Failed::Limit(limit @ (Limit::Time | Limit::Interrupted))) => return Err(limit.into()),
                Err(_) => self.share.resize(0)?,
            }
        }
        Ok(())
    }

    /// Looks as far as play goes from now on: a table that goes less far is cut and filled anew.
    fn make_whole(&mut self) -> Found<()> {
        if let Some(starts) = &mut self.starts {
            starts.near.clear();
        }
        if self.nearby.take().is_some() {
            (self.lines, self.own_moves, self.remoteness) = (Lining::Unfit, Column::Unfit, Column::Unfit);
            self.share.resize(0)?;
        }
        let Lining::Cut(Cut { lines, horizon: Some(_), .. }) = &self.lines else { return Ok(()) };
        let axes = lines.outer().iter().copied().chain([lines.inner()]);
        self.orders.push(Order { axes: axes.collect(), abreast: 0 });
        let was_filled = std::mem::replace(&mut self.own_moves, Column::Open).is_filled();
        self.share.resize(0)?;
        self.cut_next()?;
        if was_filled {
            self.column(Ranking::OwnMoves, None, &[])?;
        }
        Ok(())
    }

    /// Fills a column, if it can be filled, at least so many plies ahead of the starts.
    fn column(&mut self, ranking: Ranking, plies: Option<u32>, first: &[i64]) -> Found<bool> {
        if plies.is_none() || !is_own(ranking) {
            self.make_whole()?;
        }
        self.prepare(first, ranking)?;
        let Lining::Cut(cut) = &self.lines else { return Ok(false) };
        let column = if is_own(ranking) { &self.own_moves } else { &self.remoteness };
        match column {
            Column::Filled(_) => return Ok(true),
            Column::Unfit => return Ok(false),
            Column::Open => {}
        }
        // another column may be filled already, and stays
        let alone = !self.remoteness.is_filled() && !self.own_moves.is_filled();
        let rules = self.nearby.as_ref().map_or(self.rules, |nearby| &nearby.rules);
        let (column, filled) = match filled(rules, cut, ranking, self.uncertified, &mut self.share) {
            Ok(keys) => {
                if alone {
                    self.visited += u64::try_from(cut.filled()).unwrap_or(u64::MAX);
                }
                (Column::Filled(keys), true)
            }
            Err(Failed::Limit(limit @ (Limit::Time | Limit::Interrupted))) => return Err(limit.into()),
            Err(Failed::Unfit) if alone => {
                self.cut_next()?;
                return self.column(ranking, plies, first);
            }
            Err(_) => {
                if alone {
                    self.lines = Lining::Unfit;
                    self.share.resize(0)?;
                }
                (Column::Unfit, false)
            }
        };
        *(if is_own(ranking) { &mut self.own_moves } else { &mut self.remoteness }) = column;
        Ok(filled)
    }

    /// Outcome and rank, if the table tells; a draw has no rank. Whoever looks only so many plies ahead reads no more from
    /// it than those decide.
    fn rank(&mut self, position: &[i64], ranking: Ranking, plies: Option<u32>) -> Found<Option<Ranked>> {
        if !self.column(ranking, plies, position)? {
            return Ok(None);
        }
        let (Lining::Cut(cut), Column::Filled(keys)) =
            (&self.lines, if is_own(ranking) { &self.own_moves } else { &self.remoteness })
        else {
            return Ok(None);
        };
        let nearby = self.nearby.as_ref();
        let sees = |plies| {
            cut.sees(|at| position[at], plies) && nearby.is_none_or(|nearby| nearby.sees(|at| position[at], plies))
        };
        if plies.is_some_and(|plies| !sees(plies)) {
            return self.rank(position, ranking, None);
        }
        if let Some((row, place)) = cut.lines.locate(position) {
            return Ok(Some(keys.ranked(&cut.lines, row, place)));
        }
        Ok(over(self.rules, position).map(|outcome| Ranked::new(outcome, 0)))
    }
}

/// How many positions there are within these axes.
fn size(axes: &[Axis]) -> usize {
    axes.iter().filter_map(Axis::size).fold(1, usize::saturating_mul)
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
    let told = columns.winner(&rules.winner, &all).ok()?.first().map(|(_, outcome)| *outcome);
    if planted(Wrong::StateOverAtOnce) { Some(Outcome::Win) } else { told }
}

/// Keys of two bytes, or of four where ranks need them.
fn filled(rules: &Rules, cut: &Cut, ranking: Ranking, short: bool, share: &mut Share<'_>) -> Result<Rows, Failed> {
    let held = share.bytes();
    let longest = cut.lines.rows().iter().map(Row::len).max().unwrap_or(0);
    let narrow = if ranking == Ranking::Remoteness && longest > LONG_ROW {
        Err(Failed::Narrow)
    } else {
        fill(rules, cut, ranking, short, share).map(|(keys, kept)| Rows::new(Keys::Short(keys), kept, ranking))
    };
    let rows = match narrow {
        Err(Failed::Narrow) => {
            share.resize(held)?;
            fill(rules, cut, ranking, short, share).map(|(keys, kept)| Rows::new(Keys::Long(keys), kept, ranking))
        }
        narrow => narrow,
    };
    if rows.is_err() {
        share.resize(held)?;
    }
    rows
}

impl Sight for Table<'_> {
    fn options(&mut self, position: &[i64], options: &mut Options) -> Found<bool> {
        self.packed().options(position, options)
    }

    fn outcome(&mut self, position: &[i64]) -> Found<Outcome> {
        match self.rank(position, self.outcome_by(), None)? {
            Some(ranked) => Ok(ranked.get().map_or(Outcome::Draw, |(outcome, _)| outcome)),
            None => self.memo_from(position)?.outcome(position),
        }
    }

    fn class_within(&mut self, position: &[i64], bound: Class) -> Found<Option<Class>> {
        match self.rank(position, Ranking::OwnMoves, Some(self.rules.plies(bound)))? {
            Some(ranked) => Ok(within(ranked.class(), bound)),
            None => self.memo().class_within(position, bound),
        }
    }

    fn is_goal(&mut self, position: &[i64]) -> Found<bool> {
        self.packed().is_goal(position)
    }

    fn quantity(&mut self, position: &[i64], quantity: Quantity) -> Found<Option<i64>> {
        match quantity {
            Quantity::Remoteness => match self.rank(position, Ranking::Remoteness, None)? {
                Some(ranked) => Ok(ranked.get().map(|(_, plies)| i64::from(plies))),
                None => self.memo_from(position)?.quantity(position, quantity),
            },
            Quantity::Moves => self.packed().quantity(position, quantity),
            Quantity::Grundy | Quantity::Distance => self.memo_from(position)?.quantity(position, quantity),
        }
    }
}

impl Engine for Table<'_> {
    fn budget(&self) -> Option<&Budget> {
        Some(self.share.budget())
    }

    fn class(&mut self, position: &[i64]) -> Found<Option<Class>> {
        match self.rank(position, Ranking::OwnMoves, None)? {
            Some(ranked) => Ok(ranked.class()),
            None => self.memo_from(position)?.class(position),
        }
    }

    fn plays(&mut self, position: &[i64]) -> Found<Option<Plays>> {
        self.memo_from(position)?.plays(position)
    }

    fn shortest_play(&mut self, position: &[i64]) -> Found<Option<u32>> {
        self.memo_from(position)?.shortest_play(position)
    }

    fn longest_play(&mut self, position: &[i64]) -> Found<Option<u32>> {
        self.memo_from(position)?.longest_play(position)
    }

    fn positions(&mut self, position: &[i64]) -> Found<u64> {
        self.memo_from(position)?.positions(position)
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
        (self.may_fill && self.starts.is_some()).then_some(self)
    }

    fn claims(&mut self) -> Found<Option<Claims<'_>>> {
        self.make_whole()?;
        self.packed();
        let lines = match &self.lines {
            Lining::Cut(Cut { lines, .. }) => {
                Some(LinesClaim { lines, remoteness: self.remoteness.keys(), own_moves: self.own_moves.keys() })
            }
            _ => None,
        };
        let lines = lines.filter(|claim| claim.remoteness.is_some() || claim.own_moves.is_some());
        Ok(self.memo.claims()?.map(|claims| Claims { lines, ..claims }))
    }

    fn walk_cost(&mut self, position: &[i64], sought: Sought) -> Found<Option<u64>> {
        self.bound();
        self.make_whole()?;
        let costs = match sought {
            Sought::Outcome => &mut self.outcome_walks,
            Sought::Everything => &mut self.full_walks,
        };
        let Lining::Cut(cut) = &self.lines else { return self.packed().walk_cost(position, sought) };
        if costs.is_none() {
            let counted = cut.lines.len() <= SMALL;
            *costs = Some(if counted { costs::count(self.rules, cut, sought).unwrap_or_default() } else { Vec::new() });
        }
        let cost = cut.lines.find(position).and_then(|index| costs.as_ref()?.get(index)).copied();
        Ok(cost.map(u64::from))
    }

    fn visited(&self) -> u64 {
        self.visited + self.memo.visited()
    }
}
