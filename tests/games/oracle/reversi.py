"""Reversi: a forced pass is a move; when neither can move the game is over."""

from text import grid

WAYS = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]


class Reversi:
    def __init__(self, size=8):
        self.n = size

    def start(self):
        h = self.n // 2
        board = {(h - 1, h): "B", (h, h - 1): "B", (h - 1, h - 1): "W", (h, h): "W"}
        return board, "B"

    def turned(self, board, x, y, player):
        out = []
        for dx, dy in WAYS:
            row, u, v = [], x + dx, y + dy
            while board.get((u, v), player) != player:
                row.append((u, v))
                u, v = u + dx, v + dy
            if (u, v) in board:
                out += row
        return out

    def moves(self, board, player):
        other = "W" if player == "B" else "B"
        out = []
        for x in range(self.n):
            for y in range(self.n):
                if (x, y) not in board:
                    row = self.turned(board, x, y, player)
                    if row:
                        after = dict(board)
                        after.update({p: player for p in row + [(x, y)]})
                        out.append((after, other))
        return out

    def successors(self, state):
        board, player = state
        other = "W" if player == "B" else "B"
        found = self.moves(board, player)
        if not found and self.moves(board, other):
            return [(board, other)]
        return found

    def text(self, state):
        discs, player = state
        return grid(discs, range(self.n), range(self.n - 1, -1, -1)) + " " + player.lower()


def game(name, **params):
    return Reversi(**params)
