//! Memory for answers that grow: taken from the budget of the engine that is asked.

use crate::budget::{Hold, Limit};
use crate::engine::Engine;

/// What an answer takes while it is gathered.
pub(super) struct Room {
    /// Nothing where the engine has no budget.
    hold: Option<Hold>,
    bytes: u64,
    /// The limit that was met.
    met: Option<Limit>,
}

/// So much is taken in one go; an answer of less is not counted.
const STEP: u64 = 1 << 12;

impl Room {
    /// Nothing yet.
    pub(super) fn of(engine: &(impl Engine + ?Sized)) -> Self {
        Self { hold: engine.budget().map(crate::budget::Budget::hold), bytes: 0, met: None }
    }

    /// Takes so many bytes more, before they are used.
    ///
    /// # Errors
    ///
    /// There are not as many left.
    pub(super) fn take(&mut self, bytes: u64) -> Result<(), Limit> {
        self.bytes = self.bytes.saturating_add(bytes);
        match &mut self.hold {
            Some(hold) if self.bytes >= hold.bytes().saturating_add(STEP) => {
                let taken = hold.resize(self.bytes.saturating_add(self.bytes / 64));
                self.met = taken.err();
                taken
            }
            _ => Ok(()),
        }
    }

    /// Gives all of it back, to begin anew.
    ///
    /// # Errors
    ///
    /// The limit that was met, which would be met again.
    pub(super) fn clear(&mut self) -> Result<(), Limit> {
        self.bytes = 0;
        self.hold.as_mut().map_or(Ok(()), |hold| hold.resize(0))?;
        self.met.map_or(Ok(()), Err)
    }
}
