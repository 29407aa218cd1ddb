"""Byte on n x n: stacks as strings of B and W, bottom first, on dark cells (r, c), r from the top.

The two texts of the course agree on this: a stack with a neighbour may only be put (from one's own
checker upwards) onto a neighbour, ending higher than it was; a stack without one moves whole,
towards one of the nearest stacks.
"""

from text import grid

STEPS = [(-1, -1), (-1, 1), (1, -1), (1, 1)]


class Byte:
    def __init__(self, size=8):
        self.n = size
        self.stacks = (size - 2) * (size // 2) // 8

    def start(self):
        board = {}
        for r in range(1, self.n - 1):
            for c in range(self.n):
                if (r + c) % 2 == 0:
                    board[r, c] = "B" if r % 2 else "W"
        return board, (0, 0), "B"

    def on(self, r, c):
        return 0 <= r < self.n and 0 <= c < self.n

    def moves(self, board, player):
        for (r, c), stack in board.items():
            around = [(r + a, c + b) for a, b in STEPS if self.on(r + a, c + b)]
            stacks = [q for q in around if q in board]
            if stacks:
                for level, owner in enumerate(stack):
                    if owner == player:
                        for q in stacks:
                            if len(board[q]) > level and len(board[q]) + len(stack) - level <= 8:
                                yield (r, c), level, q
            elif stack[0] == player:
                far = {q: max(abs(q[0] - r), abs(q[1] - c)) for q in board if q != (r, c)}
                nearest = min(far.values())
                aims = [q for q in far if far[q] == nearest]
                for p in around:
                    # One step of a shortest way: the rest of the way is one step shorter.
                    if any(max(abs(q[0] - p[0]), abs(q[1] - p[1])) == nearest - 1 for q in aims):
                        yield (r, c), 0, p

    def successors(self, state):
        board, won, player = state
        if max(won) * 2 > self.stacks or not board:
            return []
        other = "W" if player == "B" else "B"
        out = []
        for frm, level, to in self.moves(board, player):
            after = dict(board)
            stack = after.pop(frm)
            if level:
                after[frm] = stack[:level]
            merged = after.get(to, "") + stack[level:]
            score = list(won)
            if len(merged) == 8:
                after.pop(to, None)
                score[merged[-1] == "W"] += 1
            else:
                after[to] = merged
            out.append((after, tuple(score), other))
        if not out and any(True for _ in self.moves(board, other)):
            out.append((board, won, other))  # a pass is a move
        return out

    def text(self, state):
        stacks, won, player = state
        cells = {(c, r): s if len(s) == 1 else f"[{s}]" for (r, c), s in stacks.items()}
        n = range(self.n)
        drawn = grid(cells, n, n, lambda x, y: (x + y) % 2 == 0)
        return f"{drawn} {player.lower()} bytes={won[0]},{won[1]}"


def game(name, **params):
    return Byte(**params)
