"""The game of the Amazons. On smaller boards the start keeps its shape, a third of the way in."""

from text import grid

WAYS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
STARTS = {  # (amazons of White, of Black), columns and rows from 1
    10: ([(4, 1), (7, 1), (1, 4), (10, 4)], [(4, 10), (7, 10), (1, 7), (10, 7)]),
    8: ([(3, 1), (6, 1), (1, 3), (8, 3)], [(3, 8), (6, 8), (1, 6), (8, 6)]),
    6: ([(2, 1), (5, 1), (1, 2), (6, 2)], [(2, 6), (5, 6), (1, 5), (6, 5)]),
}


class Amazons:
    def __init__(self, size=10):
        self.n = size

    def start(self):
        white, black = STARTS[self.n]
        return tuple(white), tuple(black), frozenset()

    def reach(self, taken, p):
        for dx, dy in WAYS:
            x, y = p[0] + dx, p[1] + dy
            while 1 <= x <= self.n and 1 <= y <= self.n and (x, y) not in taken:
                yield x, y
                x, y = x + dx, y + dy

    def successors(self, state):
        mine, theirs, burnt = state
        out = []
        for i, p in enumerate(mine):
            taken = set(mine) | set(theirs) | burnt
            taken.discard(p)
            for to in self.reach(taken, p):
                after = mine[:i] + (to,) + mine[i + 1:]
                for shot in self.reach(taken | {to}, to):
                    out.append((theirs, after, burnt | {shot}))
        return out

    def text(self, state):
        mine, theirs, burnt = state
        white, black = (mine, theirs) if len(burnt) % 2 == 0 else (theirs, mine)
        cells = {p: "X" for p in burnt}
        cells.update({p: "Q" for p in white})
        cells.update({p: "q" for p in black})
        side = range(1, self.n + 1)
        return grid(cells, side, reversed(side)) + (" w" if len(burnt) % 2 == 0 else " b")


def game(name, **params):
    return Amazons(**params)
