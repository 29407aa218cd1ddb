"""Peg solitaire, English board, from the centre hole to a peg in the centre."""

from text import grid

HOLES = frozenset((x, y) for x in range(7) for y in range(7) if 2 <= x <= 4 or 2 <= y <= 4)


class Pegs:
    def start(self):
        return HOLES - {(3, 3)}

    def successors(self, pegs):
        out = []
        for x, y in pegs:
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                over, to = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy)
                if over in pegs and to in HOLES and to not in pegs:
                    out.append(pegs - {(x, y), over} | {to})
        return out

    def text(self, pegs):
        exists = lambda x, y: (x, y) in HOLES
        return grid({p: "P" for p in pegs}, range(7), range(6, -1, -1), exists) + " s"


def game(name):
    return Pegs()
