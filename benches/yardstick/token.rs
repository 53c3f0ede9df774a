//! A token on the plane: its plays, counted by plain recursion.

const MOVES: [(i32, i32); 3] = [(3, 0), (0, 4), (2, 2)];

/// How many complete plays there are from a place until the token is farther than `reach` from the origin.
pub(crate) fn plays(x: i32, y: i32, reach: i32) -> u64 {
    if x * x + y * y > reach * reach {
        return 1;
    }
    MOVES.iter().map(|(right, up)| plays(x + right, y + up, reach)).sum()
}

/// How many positions such a walk visits, with three options each where the game is not over.
pub(crate) const fn visited(plays: u64) -> u64 {
    plays + (plays - 1) / 2
}
