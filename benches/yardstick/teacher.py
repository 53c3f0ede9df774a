"""Two piles of one stone or more, one stone more or twice as many in one of them, until there are n: all positions.

What a teacher writes: the rule as a function that remembers. Run it as `python3 teacher.py 1000`. It counts the positions
that are lost for who is to move, and finds the longest play when both play well.
"""

import functools
import sys

n = int(sys.argv[1])


@functools.cache
def plies(x, y):
    """Moves of both until the end: an odd number where the player to move wins, an even one where he loses."""
    if x + y >= n:
        return 0
    after = plies(x + 1, y), plies(2 * x, y), plies(x, y + 1), plies(x, 2 * y)
    lost_for_other = [moves for moves in after if moves % 2 == 0]
    return 1 + min(lost_for_other, default=max(after))


losses = longest = 0
# large sums first, so that no call goes deep
for total in range(n - 1, 1, -1):
    for x in range(1, total):
        moves = plies(x, total - x)
        longest = max(longest, moves)
        if moves % 2 == 0:
            losses += 1
print("losses:", losses)
print("longest:", longest)
