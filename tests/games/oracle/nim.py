"""Nim: any number from one heap."""

from text import board


class Nim:
    def __init__(self, heaps=(3, 4, 5), limit=31, misere=False):
        self.heaps, self.limit = tuple(heaps), limit

    def start(self):
        return self.heaps

    def successors(self, heaps):
        return [
            heaps[:i] + (n - k,) + heaps[i + 1:]
            for i, n in enumerate(heaps) for k in range(1, min(n, self.limit) + 1)
        ]

    def text(self, heaps):
        """With the first player to move: for the count it does not matter who it is."""
        wide = max(self.heaps)
        return board([["I"] * n + [None] * (wide - n) for n in heaps]) + " f"


def game(name, **params):
    if isinstance(params.get("heaps"), int):
        params["heaps"] = [params["heaps"]]
    return Nim(**params)
