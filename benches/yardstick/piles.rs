//! One pile and two piles, one more or twice as many, until there are `n` in all: loops for these games alone.
//!
//! What a position is worth to its player stands in one number: a win in r plies is `most - r`, a loss in r plies is
//! `r - most`. So a quick win is worth more than a slow one, a slow loss more than a quick one, and a mover takes the
//! option that is worth least to the opponent.

/// Worth of a position that is over: lost in no plies.
const OVER: i16 = -i16::MAX;

/// What a position is worth whose least option is worth so much: one ply farther from the end.
#[inline]
const fn worth(least: i16) -> i16 {
    if least < 0 { -1 - least } else { 1 - least }
}

/// The same in four bytes.
#[inline]
const fn long_worth(least: i32) -> i32 {
    if least < 0 { -1 - least } else { 1 - least }
}

/// What a question about all positions asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    /// How many positions are lost.
    pub(crate) losses: u64,
    /// The greatest remoteness.
    pub(crate) longest: u32,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "losses: {}\nlongest: {}", self.losses, self.longest)
    }
}

/// One pile of `1..n`, four bytes a position.
pub(crate) struct Pile {
    cells: Vec<i32>,
}

impl Pile {
    /// Room for the piles below `n`.
    pub(crate) fn new(n: usize) -> Self {
        Self { cells: vec![0; n] }
    }

    /// Fills all positions, the largest first.
    pub(crate) fn fill(&mut self) {
        // doubling ends the game from here on
        let half = self.cells.len().div_ceil(2);
        let (open, won) = self.cells.split_at_mut(half);
        won.fill(i32::MAX - 1);
        let mut next = i32::MAX - 1;
        for pile in (1..open.len()).rev() {
            let twice = 2 * pile;
            let doubled = if twice < open.len() { open[twice] } else { won[twice - open.len()] };
            next = long_worth(next.min(doubled));
            open[pile] = next;
        }
    }

    /// The answers.
    pub(crate) fn tally(&self) -> Tally {
        tally(self.cells.iter().skip(1).map(|worth| (*worth < 0, i32::MAX.abs_diff(worth.abs()))))
    }
}

/// Two piles with fewer than `n` in all, two bytes a position. Column x holds y = 0 .. n - x and stands behind the
/// columns of all larger x; the shortest column is the first.
pub(crate) struct Piles {
    n: usize,
    cells: Vec<i16>,
}

impl Piles {
    /// Room for all positions.
    pub(crate) fn new(n: usize) -> Self {
        Self { n, cells: vec![0; n * (n - 1) / 2] }
    }

    /// The plain loop: each position looks at its four options, if they are not over.
    pub(crate) fn fill_plainly(&mut self) {
        for length in 2..self.n {
            let x = self.n - length;
            let (done, column) = next(&mut self.cells, length);
            let (beside, doubled) = (finished(done, length - 1), finished(done, length.saturating_sub(x)));
            let mut above = OVER;
            for y in (1..length).rev() {
                let mut least = above;
                least = least.min(if 2 * y < length { column[2 * y] } else { OVER });
                least = least.min(if y < beside.len() { beside[y] } else { OVER });
                least = least.min(if y < doubled.len() { doubled[y] } else { OVER });
                above = worth(least);
                column[y] = above;
            }
        }
    }

    /// The faster loop: where doubling ends the game, it is won in one; where it does not, no bound is looked at, and
    /// what the two finished columns offer is taken for the whole column at once.
    pub(crate) fn fill_by_rows(&mut self) {
        for length in 2..self.n {
            let x = self.n - length;
            let (done, column) = next(&mut self.cells, length);
            let (beside, doubled) = (finished(done, length - 1), finished(done, length.saturating_sub(x)));
            let inside = doubled.len().min(length.div_ceil(2)).max(1);
            column[inside..].fill(worth(OVER));
            for ((least, beside), doubled) in column[..inside].iter_mut().zip(beside).zip(doubled) {
                *least = (*beside).min(*doubled);
            }
            if inside < 2 {
                continue;
            }
            let mut above = column[inside];
            for y in (1..inside).rev() {
                above = worth(above.min(column[y]).min(column[2 * y]));
                column[y] = above;
            }
        }
    }

    /// The answers.
    pub(crate) fn tally(&self) -> Tally {
        let columns = (2..self.n).flat_map(|length| &finished(&self.cells, length)[1..]);
        tally(columns.map(|worth| (*worth < 0, u32::from(i16::MAX.abs_diff(worth.abs())))))
    }
}

/// The finished columns, and the column of a length, which is the next to be filled.
fn next(cells: &mut [i16], length: usize) -> (&[i16], &mut [i16]) {
    let (done, rest) = cells.split_at_mut(length * (length - 1) / 2);
    (done, &mut rest[..length])
}

/// The column of a length, which is finished.
fn finished(cells: &[i16], length: usize) -> &[i16] {
    if length == 0 { &[] } else { &cells[length * (length - 1) / 2..][..length] }
}

fn tally(positions: impl Iterator<Item = (bool, u32)>) -> Tally {
    positions.fold(Tally { losses: 0, longest: 0 }, |all, (lost, remoteness)| Tally {
        losses: all.losses + u64::from(lost),
        longest: all.longest.max(remoteness),
    })
}
