//! What a game is to an engine: a position is over, with an outcome, or it has options. Nothing else is asked.

mod rules;

pub use rules::{Compiled, Lazily, Reference, shown};

use crate::lang::{Halt, Options};
use crate::position::{Packing, Width};
use crate::value::Outcome;

/// A game of two players, or a puzzle.
///
/// "Over or not" has one source: [`Game::look`] answers either an outcome or options. A walk that needs less than all
/// options may ask for less; a game that tells less must ask its rules in the same way, and answer the same.
pub trait Game {
    /// How many numbers a position has.
    fn width(&self) -> Width;

    /// The outcome for the player to move if the position is terminal; if not, its options are put into `options`,
    /// which is cleared first, in the order of the moves. At a terminal position `options` is left empty.
    ///
    /// # Errors
    ///
    /// A rule error at this position, or a limit.
    fn look(&mut self, position: &[i64], options: &mut Options) -> Result<Option<Outcome>, Halt>;

    /// The same as far as the options of the first moves; [`Game::more`] goes on. The second thing told is where: the
    /// greatest number, where these are all. What `options` holds at a terminal position is of no use.
    ///
    /// # Errors
    ///
    /// A rule error at this position, or a limit.
    fn look_at_some(&mut self, position: &[i64], options: &mut Options) -> Result<(Option<Outcome>, usize), Halt> {
        Ok((self.look(position, options)?, usize::MAX))
    }

    /// Puts the options of the next moves into `options`, none where there are no more, and tells where to go on, as
    /// [`Game::look_at_some`] does.
    ///
    /// # Errors
    ///
    /// A rule error at this position, or a limit.
    fn more(&mut self, _position: &[i64], options: &mut Options, from: usize) -> Result<usize, Halt> {
        options.clear();
        Ok(from)
    }

    /// The outcome for the player to move if the position is terminal. What `options` holds then is of no use.
    ///
    /// # Errors
    ///
    /// A rule error at this position, or a limit.
    fn over(&mut self, position: &[i64], options: &mut Options) -> Result<Option<Outcome>, Halt> {
        self.look(position, options)
    }

    /// Looks at a position that is packed in a word, always in the same way, and adds the words of its options. Nothing is
    /// told, and anything added, where that cannot be done at once: then `position` is made that position, and
    /// [`Game::look`] tells.
    fn look_packed(
        &mut self,
        word: u64,
        packing: &Packing,
        _words: &mut Vec<u64>,
        position: &mut Vec<i64>,
    ) -> Option<Option<Outcome>> {
        packing.unpack(word, position);
        None
    }

    /// Whether it is shown that no rule fails at any position that is packed so, and that options are packed so too.
    fn never_fails(&mut self, _packing: &Packing) -> bool {
        false
    }

    /// Whether a position may be over and won for the player to move: not where the last mover always wins.
    fn mover_may_have_won(&self) -> bool {
        true
    }

    /// Whether the position is a goal, in a puzzle. Reaching one stops nothing.
    ///
    /// # Errors
    ///
    /// A rule error at this position.
    fn is_goal(&mut self, position: &[i64]) -> Result<bool, Halt>;
}
