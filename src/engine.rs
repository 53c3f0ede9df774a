//! The engines: each answers what a position is worth. None rests on another, save that the table hands to the memo
//! what it does not hold, and the sum to a search.
//!
//! To add an engine: write one file below `engine/`, implement [`Engine`] for it, and add it to [`ENGINES`].

mod memo;
mod sum;
mod table;
mod walk;

pub use memo::Memo;
pub use sum::Sum;
pub use table::{Layout, Lie, Near, Starts, Table};
pub use walk::{DEPTH_LIMIT, Walker, on_own_stack};

use dashu_int::UBig;

use crate::budget::Budget;
use crate::claims::Claims;
use crate::game::Compiled;
use crate::lang::tree::{Quantity, Rules};
use crate::lang::{ColumnSight, Halt, Sight};
use crate::value::{Class, Plays};

/// The names of the engines, the fastest first.
pub const ENGINES: [&str; 4] = ["sum", "table", "memo", "walk"];

/// What confirms an engine's answer without being one itself: the checker of what the engine claims.
pub const CHECKERS: [&str; 2] = ["certificate", "theorem"];

/// The fast engine for games with these rules, or for sums of them; `search` is the budget for what only a search
/// through the positions of a sum tells.
pub fn fast<'a>(rules: &'a Rules, sum: bool, budget: &'a Budget, search: &'a Budget) -> Box<dyn Engine + 'a> {
    if !sum {
        return Box::new(Memo::new(Box::new(Compiled::new(rules)), budget));
    }
    let search = Memo::new(Box::new(Compiled::sum(rules)), search).counting_few();
    Box::new(Sum::new(rules, Box::new(search), budget))
}

/// What a walk from a position seeks, and so how far it must go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// The outcome: it stops at the first losing option.
    Outcome,
    /// A rank, a count or a length: it goes through every play.
    Everything,
}

/// The winning first moves, found without listing all moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WinningMoves {
    /// The number of each winning move and the state that it leads to, in the order of moves.
    pub moves: Vec<(usize, Vec<i64>)>,
    /// Whether there are moves that do not win; all moves have one name.
    pub others: bool,
}

/// What an engine tells of a position, beyond what formulas see of it.
pub trait Engine: Sight {
    /// What it works within, for whoever asks it much; none where it has all that it needs.
    fn budget(&self) -> Option<&Budget> {
        None
    }

    /// The class of the position; none for a draw.
    ///
    /// # Errors
    ///
    /// A rule error at a reachable position, or a limit.
    fn class(&mut self, position: &[i64]) -> Result<Option<Class>, Halt>;

    /// The complete plays; none where play need not end.
    ///
    /// # Errors
    ///
    /// A rule error at a reachable position, or a limit.
    fn plays(&mut self, position: &[i64]) -> Result<Option<Plays>, Halt>;

    /// Plies of the shortest complete play; none where play cannot end.
    ///
    /// # Errors
    ///
    /// A rule error at a reachable position, or a limit.
    fn shortest_play(&mut self, position: &[i64]) -> Result<Option<u32>, Halt>;

    /// Plies of the longest complete play; none where play need not end.
    ///
    /// # Errors
    ///
    /// A rule error at a reachable position, or a limit.
    fn longest_play(&mut self, position: &[i64]) -> Result<Option<u32>, Halt>;

    /// The number of distinct positions that can be reached, this one included.
    ///
    /// # Errors
    ///
    /// A rule error at a reachable position, or a limit.
    fn positions(&mut self, position: &[i64]) -> Result<u64, Halt>;

    /// In a puzzle: how many sequences of the least number of moves lead to a goal; 0 where none does.
    ///
    /// # Errors
    ///
    /// A rule error at a reachable position, or a limit.
    fn shortest_solutions(&mut self, position: &[i64]) -> Result<UBig, Halt>;

    /// In a puzzle: the greatest distance of any position that can be reached.
    ///
    /// # Errors
    ///
    /// A rule error at a reachable position, or a limit.
    fn farthest(&mut self, position: &[i64]) -> Result<u32, Halt>;

    /// The number of legal moves, of any size.
    ///
    /// # Errors
    ///
    /// A rule error there, or a limit.
    fn count_moves(&mut self, position: &[i64]) -> Result<UBig, Halt> {
        let moves = self.quantity(position, Quantity::Moves)?;
        Ok(moves.and_then(|moves| u64::try_from(moves).ok()).map_or(UBig::ZERO, UBig::from))
    }

    /// In a puzzle: the least number of moves to a goal, if it is at most `most`.
    ///
    /// # Errors
    ///
    /// A rule error at a position that this rests on, or a limit.
    fn distance_within(&mut self, position: &[i64], most: i64) -> Result<Option<i64>, Halt> {
        Ok(self.quantity(position, Quantity::Distance)?.filter(|moves| *moves <= most))
    }

    /// The winning first moves, where they are found without listing all moves; none where they are not.
    ///
    /// # Errors
    ///
    /// A rule error at a position that this rests on, or a limit.
    fn winning_moves(&mut self, _position: &[i64]) -> Result<Option<WinningMoves>, Halt> {
        Ok(None)
    }

    /// What the answers given so far rest on, for a checker; none if the engine has no such account.
    ///
    /// # Errors
    ///
    /// A limit.
    fn claims(&mut self) -> Result<Option<Claims<'_>>, Halt> {
        Ok(None)
    }

    /// The engine as columns see it, if it can tell the values of many positions at once.
    fn in_columns(&mut self) -> Option<&mut dyn ColumnSight> {
        None
    }

    /// How many positions a walk from this one visits: all plays, or, where only the outcome is sought, as far as
    /// moves do not decide. None where that is not known.
    ///
    /// # Errors
    ///
    /// A rule error at a reachable position, or a limit.
    fn walk_cost(&mut self, _position: &[i64], _sought: Sought) -> Result<Option<u64>, Halt> {
        Ok(None)
    }

    /// How many positions the engine has looked at so far.
    fn visited(&self) -> u64;
}
