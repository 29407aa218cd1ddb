"""Fox and hounds on the dark cells of a chessboard, (0, 0) dark. The fox begins."""

from text import grid


class Fox:
    def __init__(self, start=5):
        self.column = start - 1

    def start(self):
        return (self.column, 0), frozenset((x, 7) for x in (1, 3, 5, 7)), "fox"

    def successors(self, state):
        fox, hounds, player = state
        if fox[1] == 7:
            return []
        free = lambda p: 0 <= min(p) and max(p) <= 7 and p != fox and p not in hounds
        out = []
        if player == "fox":
            for dx in (-1, 1):
                for dy in (-1, 1):
                    to = fox[0] + dx, fox[1] + dy
                    if free(to):
                        out.append((to, hounds, "hounds"))
        else:
            for x, y in hounds:
                for dx in (-1, 1):
                    to = x + dx, y - 1
                    if free(to):
                        out.append((fox, hounds - {(x, y)} | {to}, "fox"))
        return out

    def text(self, state):
        fox, hounds, player = state
        cells = {**{p: "h" for p in hounds}, fox: "F"}
        drawn = grid(cells, range(8), range(7, -1, -1), lambda x, y: (x + y) % 2 == 0)
        return f"{drawn} {player[0]}"


def game(name, **params):
    return Fox(**params)
