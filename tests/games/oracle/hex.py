"""Hex: Red joins top and bottom, Blue left and right; cells touch along six sides."""

from text import grid

AROUND = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]


class Hex:
    def __init__(self, size=11):
        self.n = size

    def start(self):
        return {}, 0

    def joined(self, board, player):
        axis = 1 - player  # Red looks at rows, Blue at columns
        seen = [p for p in board if board[p] == player and p[axis] == 0]
        for p in seen:
            if p[axis] == self.n - 1:
                return True
            for dx, dy in AROUND:
                q = p[0] + dx, p[1] + dy
                if board.get(q) == player and q not in seen:
                    seen.append(q)
        return False

    def successors(self, state):
        board, player = state
        if self.joined(board, 1 - player):
            return []
        return [({**board, (x, y): player}, 1 - player)
                for x in range(self.n) for y in range(self.n) if (x, y) not in board]

    def text(self, state):
        stones, player = state
        cells = {p: "RB"[v] for p, v in stones.items()}
        return grid(cells, range(self.n), range(self.n - 1, -1, -1)) + " " + "rb"[player]


def game(name, **params):
    return Hex(**params)
