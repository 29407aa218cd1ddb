"""Dots and boxes. Edges are (x, y, 'h') from dot (x, y) to the right, (x, y, 'v') upwards."""

from text import grid


class Boxes:
    def __init__(self, width=4, height=4):
        self.w, self.h = width, height
        self.edges = [(x, y, "h") for x in range(width) for y in range(height + 1)]
        self.edges += [(x, y, "v") for x in range(width + 1) for y in range(height)]

    def start(self):
        return frozenset(), (0, 0), 0

    def closed(self, drawn):
        return sum(
            {(x, y, "h"), (x, y + 1, "h"), (x, y, "v"), (x + 1, y, "v")} <= drawn
            for x in range(self.w) for y in range(self.h))

    def successors(self, state):
        drawn, score, player = state
        out = []
        for edge in self.edges:
            if edge not in drawn:
                after = drawn | {edge}
                won = self.closed(after) - sum(score)
                new = list(score)
                new[player] += won
                out.append((after, tuple(new), player if won else 1 - player))
        return out

    def text(self, state):
        """Who owns which box is not known here; they are given out by the score."""
        drawn, score, player = state
        cells = {(2 * x + (k == "h"), 2 * y + (k == "v")): "S" for x, y, k in drawn}
        owners = iter("F" * score[0] + "S" * score[1])
        for x in range(1, 2 * self.w, 2):
            for y in range(1, 2 * self.h, 2):
                if {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} <= cells.keys():
                    cells[x, y] = {"F": "A", "S": "B"}[next(owners)]
        rows = range(2 * self.h, -1, -1)
        shown = grid(cells, range(2 * self.w + 1), rows, lambda x, y: x % 2 or y % 2)
        return f"{shown} {'fs'[player]}"


def game(name, **params):
    return Boxes(**params)
