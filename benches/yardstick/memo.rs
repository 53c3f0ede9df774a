//! Two numbers, one of them cut to a half, a third or a fifth: a memo in the same hash map as the program's own. The
//! positions that can be reached lie scattered, so that no table holds them.

use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// Lost in no plies; see `piles`.
const OVER: i16 = -i16::MAX;

/// What has been seen.
pub(crate) struct Memo {
    worth: HashMap<u64, i16, FixedState>,
}

impl Memo {
    /// Nothing yet.
    pub(crate) fn new() -> Self {
        Self { worth: HashMap::with_hasher(FixedState::default()) }
    }

    /// What a position is worth to its player.
    pub(crate) fn worth(&mut self, x: u32, y: u32) -> i16 {
        let packed = u64::from(x) << 32 | u64::from(y);
        if let Some(worth) = self.worth.get(&packed) {
            return *worth;
        }
        let mut least = i16::MAX;
        for part in [2, 3, 5] {
            if x > 0 {
                least = least.min(self.worth(x / part, y));
            }
            if y > 0 {
                least = least.min(self.worth(x, y / part));
            }
        }
        let worth = match least {
            i16::MAX => OVER,
            least if least < 0 => -1 - least,
            least => 1 - least,
        };
        self.worth.insert(packed, worth);
        worth
    }

    /// How many positions have been seen.
    pub(crate) fn len(&self) -> usize {
        self.worth.len()
    }
}

/// The remoteness that a worth tells.
pub(crate) fn remoteness(worth: i16) -> u16 {
    i16::MAX.abs_diff(worth.abs())
}
