//! What a table holds and how, told in words only where somebody reads them.

use std::fmt;

/// What a table holds and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How many positions it has room for.
    pub positions: usize,
    /// How many rows there are.
    pub rows: usize,
    /// How many of them are met as far as the questions look, where not all are needed.
    pub met: Option<usize>,
    /// How many bytes a remoteness takes, and whether those are not kept where a move wins at once.
    pub remoteness: Option<(usize, bool)>,
    /// The same of the winner's own moves.
    pub own_moves: Option<(usize, bool)>,
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} positions in ", self.positions)?;
        if let Some(met) = self.met {
            write!(f, "{met} of ")?;
        }
        write!(f, "{} row{}", self.rows, if self.rows == 1 { "" } else { "s" })?;
        if self.met.is_some() {
            f.write_str(", as far as the questions look")?;
        }
        let kept = [(self.remoteness, "remoteness"), (self.own_moves, "own moves")];
        let kept = kept.into_iter().filter_map(|(kept, name)| Some((kept?, name)));
        for (number, ((width, short), name)) in kept.enumerate() {
            let but = if short { ", but where a move wins at once" } else { "" };
            write!(f, "{}{name} in {width} bytes each{but}", if number == 0 { "; " } else { ", " })?;
        }
        Ok(())
    }
}
