"""Alquerque on 5 x 5 points. Points with an even sum of coordinates also have diagonals."""

from text import grid

WAYS = [(0, 1), (1, 0), (0, -1), (-1, 0)]
SLANTS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


class Alquerque:
    def __init__(self, compulsory=True, chains=True):
        self.compulsory, self.chains = compulsory, chains

    def start(self):
        men = {(x, y): "W" for x in range(5) for y in (0, 1)}
        men.update({(x, y): "B" for x in range(5) for y in (3, 4)})
        men.update({(3, 2): "W", (4, 2): "W", (0, 2): "B", (1, 2): "B"})
        return men, "W"

    def ways(self, p):
        return WAYS + SLANTS if sum(p) % 2 == 0 else WAYS

    def hops(self, men, p, player):
        for dx, dy in self.ways(p):
            over, to = (p[0] + dx, p[1] + dy), (p[0] + 2 * dx, p[1] + 2 * dy)
            if men.get(over, player) != player and to not in men and 0 <= min(to) and max(to) <= 4:
                after = dict(men)
                del after[p], after[over]
                after[to] = player
                yield to, after

    def chain(self, men, p, player, out):
        """Everything that can follow a hop that ended on p."""
        further = list(self.hops(men, p, player)) if self.chains else []
        if not further or not self.compulsory:
            out.append(men)
        for to, after in further:
            self.chain(after, to, player, out)

    def successors(self, state):
        men, player = state
        if len(set(men.values())) == 1:
            return []
        taking, quiet = [], []
        for p in [q for q in men if men[q] == player]:
            for to, after in self.hops(men, p, player):
                self.chain(after, to, player, taking)
            for dx, dy in self.ways(p):
                to = (p[0] + dx, p[1] + dy)
                if to not in men and 0 <= min(to) and max(to) <= 4:
                    after = dict(men)
                    del after[p]
                    after[to] = player
                    quiet.append(after)
        found = taking if taking and self.compulsory else taking + quiet
        return [(m, "B" if player == "W" else "W") for m in found]

    def text(self, state):
        men, player = state
        return grid(men, range(5), range(4, -1, -1)) + " " + player.lower()


def game(name, **params):
    return Alquerque(**params)
