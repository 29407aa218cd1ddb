"""The morris family: points joined by lines, placing, sliding, mills.

A state is (points, hands, player); points is a tuple with 0 for empty, 1 and 2 for the players.
"""

from text import grid

SQUARES = [  # nine men's morris, ring by ring: 0..7 outer, 8..15 middle, 16..23 inner
    [8 * r + k for k in (a, a + 1, (a + 2) % 8)] for r in range(3) for a in (0, 2, 4, 6)
]
SPOKES = [[k, 8 + k, 16 + k] for k in (1, 3, 5, 7)]
CORNERS = [[k, 8 + k, 16 + k] for k in (0, 2, 4, 6)]


def board(name):
    if name == "mill":
        return 24, SQUARES + SPOKES
    if name == "twelve-mens-morris":
        return 24, SQUARES + SPOKES + CORNERS
    if name == "six-mens-morris":
        return 16, [l for l in SQUARES if max(l) < 16] + [[k, 8 + k] for k in (1, 3, 5, 7)]
    rows = [[3 * r, 3 * r + 1, 3 * r + 2] for r in range(3)]
    columns = [[c, c + 3, c + 6] for c in range(3)]
    return 9, rows + columns + [[0, 4, 8], [2, 4, 6]]


class Morris:
    def __init__(self, name="mill", men=None, flying=None, mills_are_safe=False):
        self.name = name
        size, lines = board(name)
        usual = {"mill": 9, "six-mens-morris": 6, "twelve-mens-morris": 12, "three-mens-morris": 3}
        self.men = men or usual[name]
        self.flying = flying if flying is not None else name in ("mill", "twelve-mens-morris")
        self.safe = mills_are_safe
        self.size = size
        self.near = [set() for _ in range(size)]
        for line in lines:
            for a, b in zip(line, line[1:]):
                self.near[a].add(b)
                self.near[b].add(a)
        self.mills = [l for l in lines if len(l) == 3]
        self.through = [[l for l in self.mills if p in l] for p in range(size)]

    def start(self):
        return (0,) * self.size, (self.men, self.men), 1

    def in_mill(self, points, p):
        return any(all(points[q] == points[p] for q in l) for l in self.through[p])

    def over(self, state):
        points, hands, player = state
        if self.name == "three-mens-morris":
            return any(points[l[0]] and len({points[p] for p in l}) == 1 for l in self.mills)
        if hands[player - 1] == 0 and points.count(player) < 3:
            return True
        return self.name == "twelve-mens-morris" and 0 not in points

    def successors(self, state):
        if self.over(state):
            return []
        points, hands, player = state
        out = []
        empty = [p for p in range(self.size) if points[p] == 0]
        if hands[player - 1] > 0:
            rest = list(hands)
            rest[player - 1] -= 1
            for to in empty:
                self.finish(points, to, tuple(rest), player, out)
            return out
        fly = self.flying and (self.name == "three-mens-morris" or points.count(player) == 3)
        for frm in range(self.size):
            if points[frm] == player:
                for to in empty if fly else [q for q in self.near[frm] if points[q] == 0]:
                    lifted = points[:frm] + (0,) + points[frm + 1:]
                    self.finish(lifted, to, hands, player, out)
        return out

    def finish(self, points, to, hands, player, out):
        points = points[:to] + (player,) + points[to + 1:]
        other = 3 - player
        if self.name != "three-mens-morris" and self.in_mill(points, to):
            targets = [p for p in range(self.size) if points[p] == other]
            free = [p for p in targets if not self.in_mill(points, p)]
            if free or self.safe:
                targets = free
            if targets:
                for p in targets:
                    out.append((points[:p] + (0,) + points[p + 1:], hands, other))
                return
        out.append((points, hands, other))

    def place(self, p):
        """Column and row of a point, counted from the lower left of the drawing."""
        if self.size == 9:
            return p % 3, 2 - p // 3
        rings = self.size // 8
        far = rings - p // 8
        dx, dy = ((-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0))[p % 8]
        return rings + far * dx, rings + far * dy

    def text(self, state):
        points, hands, player = state
        cells = {self.place(p): None if v == 0 else "WB"[v - 1] for p, v in enumerate(points)}
        side = range(max(x for x, _ in cells) + 1)
        drawn = grid(cells, side, reversed(side), lambda x, y: (x, y) in cells)
        return f"{drawn} {'wb'[player - 1]} hand={hands[0]},{hands[1]}"


def game(name, **params):
    return Morris(name, **params)
