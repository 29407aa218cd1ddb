"""Breakthrough: forward one cell, straight if free, diagonally if free or an enemy's."""

from text import grid


class Breakthrough:
    def __init__(self, size=8):
        self.n = size

    def start(self):
        n = self.n
        white = frozenset((x, y) for x in range(n) for y in (0, 1))
        black = frozenset((x, y) for x in range(n) for y in (n - 2, n - 1))
        return white, black, 1

    def successors(self, state):
        """The first set is the mover's; `way` is the direction it goes."""
        mine, theirs, way = state
        home = 0 if way == 1 else self.n - 1
        if not mine or any(y == home for _, y in theirs):
            return []
        out = []
        for x, y in mine:
            for dx in (-1, 0, 1):
                to = x + dx, y + way
                if not 0 <= to[0] < self.n or to in mine or (dx == 0 and to in theirs):
                    continue
                out.append((theirs - {to}, mine - {(x, y)} | {to}, -way))
        return out

    def text(self, state):
        mine, theirs, way = state
        white, black = (mine, theirs) if way == 1 else (theirs, mine)
        cells = {**{p: "W" for p in white}, **{p: "B" for p in black}}
        return grid(cells, range(self.n), range(self.n - 1, -1, -1)) + (" w" if way == 1 else " b")


def game(name, **params):
    return Breakthrough(**params)
