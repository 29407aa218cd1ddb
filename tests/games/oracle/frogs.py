"""Frogs on a row of stones, as a string: > goes right, < goes left, . is the free stone."""

from text import board


class Frogs:
    def __init__(self, frogs=3):
        self.n = frogs

    def start(self):
        return ">" * self.n + "." + "<" * self.n

    def done(self, s):
        return s == "<" * self.n + "." + ">" * self.n

    def successors(self, s):
        if self.done(s):
            return []
        hole = s.index(".")
        out = []
        for frm, frog in ((hole - 1, ">"), (hole - 2, ">"), (hole + 1, "<"), (hole + 2, "<")):
            if 0 <= frm < len(s) and s[frm] == frog:
                t = list(s)
                t[hole], t[frm] = frog, "."
                out.append("".join(t))
        return out

    def text(self, s):
        names = {">": "G", "<": "B", ".": None}
        return board([[names[c] for c in s]]) + " s"


def game(name, **params):
    return Frogs(**params)
