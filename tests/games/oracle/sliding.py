"""Sliding tiles: a tuple of numbers row by row from the top, 0 for the gap."""

from text import board


class Sliding:
    def __init__(self, width=3, height=3, tiles=None):
        self.w, self.h = width, height
        self.goal = tuple(range(1, width * height)) + (0,)
        self.first = tuple(tiles) if tiles else self.goal

    def start(self):
        return self.first

    def slides(self, tiles):
        gap = tiles.index(0)
        x, y = gap % self.w, gap // self.w
        for u, v in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if 0 <= u < self.w and 0 <= v < self.h:
                new = list(tiles)
                new[gap], new[v * self.w + u] = new[v * self.w + u], 0
                yield tuple(new)

    def successors(self, tiles):
        return [] if tiles == self.goal else list(self.slides(tiles))

    def text(self, tiles):
        rows = [tiles[y * self.w:(y + 1) * self.w] for y in range(self.h)]
        return board([[f"T({t})" if t else None for t in row] for row in rows]) + " s"


def game(name, **params):
    return Sliding(**params)
