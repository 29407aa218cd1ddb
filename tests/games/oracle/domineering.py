"""Domineering: X covers two cells one above the other, O two side by side; X begins."""

from text import grid


class Domineering:
    def __init__(self, rows=8, columns=8):
        self.rows, self.columns = rows, columns

    def start(self):
        return frozenset(), "X"

    def successors(self, state):
        covered, player = state
        down, right = (1, 0) if player == "X" else (0, 1)
        out = []
        for r in range(self.rows - down):
            for c in range(self.columns - right):
                pair = {(r, c), (r + down, c + right)}
                if not pair & covered:
                    out.append((covered | pair, "O" if player == "X" else "X"))
        return out

    def text(self, state):
        covered, player = state  # whose dominoes they are does not matter
        cells = {(c, r): "V" for r, c in covered}
        drawn = grid(cells, range(self.columns), range(self.rows))
        return drawn + (" v" if player == "X" else " h")


def game(name, **params):
    return Domineering(**params)
