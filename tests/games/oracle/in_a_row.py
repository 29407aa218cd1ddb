"""Games of k in a row on a grid: tic-tac-toe, gomoku, connect four (where discs fall down)."""

from text import grid


class InARow:
    def __init__(self, letters, width, height, length, falls):
        self.letters = letters
        self.w, self.h, self.k, self.falls = width, height, length, falls

    def start(self):
        return {}, 1, None

    def won(self, board, last):
        x, y = last
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            run = 1
            for sign in (1, -1):
                u, v = x + sign * dx, y + sign * dy
                while board.get((u, v)) == board[last]:
                    run += 1
                    u, v = u + sign * dx, v + sign * dy
            if run >= self.k:
                return True
        return False

    def successors(self, state):
        board, player, last = state
        if last and self.won(board, last):
            return []
        out = []
        for x in range(self.w):
            for y in range(self.h):
                if (x, y) not in board:
                    out.append(({**board, (x, y): player}, 3 - player, (x, y)))
                    if self.falls:
                        break
        return out

    def text(self, state):
        cells, player, _ = state
        cells = {p: self.letters[v - 1] for p, v in cells.items()}
        to_move = self.letters[player - 1].lower()
        if self.letters == "XO":
            to_move = "cn"[player - 1]
        return f"{grid(cells, range(self.w), range(self.h - 1, -1, -1))} {to_move}"


def game(name, width=7, height=6, length=4, size=15):
    if name == "tic-tac-toe":
        return InARow("XO", 3, 3, 3, False)
    if name == "gomoku":
        return InARow("BW", size, size, 5, False)
    return InARow("YR", width, height, length, True)
