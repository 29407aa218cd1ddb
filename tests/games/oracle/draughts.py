"""English draughts. Cells are (x, y) with x + y even; Black moves up the board and begins."""

from text import grid


class Draughts:
    def start(self):
        men = {(x, y): "b" for x in range(8) for y in (0, 1, 2) if (x + y) % 2 == 0}
        men.update({(x, y): "w" for x in range(8) for y in (5, 6, 7) if (x + y) % 2 == 0})
        return men, "b"

    def ways(self, kind):
        up = [(-1, 1), (1, 1)]
        down = [(-1, -1), (1, -1)]
        return up if kind == "b" else down if kind == "w" else up + down

    def crowned(self, kind, y):
        return kind.upper() if (kind, y) in (("b", 7), ("w", 0)) else kind

    def chains(self, men, p, kind, out):
        """All complete chains of captures of the piece `kind`, which stands on p (not in men)."""
        found = False
        for dx, dy in self.ways(kind):
            over, to = (p[0] + dx, p[1] + dy), (p[0] + 2 * dx, p[1] + 2 * dy)
            if to in men or not (0 <= to[0] <= 7 and 0 <= to[1] <= 7):
                continue
            if over not in men or men[over].lower() == kind.lower():
                continue
            found = True
            left = dict(men)
            del left[over]
            new = self.crowned(kind, to[1])
            if new != kind or not self.chains(left, to, new, out):
                left[to] = new
                out.append(left)
        return found

    def successors(self, state):
        men, player = state
        takes, steps = [], []
        for p, kind in men.items():
            if kind.lower() != player:
                continue
            rest = dict(men)
            del rest[p]
            self.chains(rest, p, kind, takes)
            for dx, dy in self.ways(kind):
                to = p[0] + dx, p[1] + dy
                if to not in men and 0 <= to[0] <= 7 and 0 <= to[1] <= 7:
                    steps.append({**rest, to: self.crowned(kind, to[1])})
        return [(m, "w" if player == "b" else "b") for m in takes or steps]

    def text(self, state):
        men, player = state
        drawn = grid(men, range(8), range(7, -1, -1), lambda x, y: (x + y) % 2 == 0)
        return f"{drawn} {player}"


def game(name):
    return Draughts()
