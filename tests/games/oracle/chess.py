"""Chess without clocks and repetition. A board is a dict from (x, y), a1 = (0, 0), to a letter.

Legality is tested the slow and certain way: make the move, then see whether any reply could take
the king.
"""

from text import grid

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
STRAIGHT = [(0, 1), (1, 0), (0, -1), (-1, 0)]
SLANTED = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
JUMPS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
SLIDERS = {"b": SLANTED, "r": STRAIGHT, "q": STRAIGHT + SLANTED}
LEAPERS = {"n": JUMPS, "k": STRAIGHT + SLANTED}
CORNERS = {(0, 0): "Q", (4, 0): "KQ", (7, 0): "K", (0, 7): "q", (4, 7): "kq", (7, 7): "k"}


def on(p):
    return 0 <= p[0] <= 7 and 0 <= p[1] <= 7


def colour(letter):
    return "w" if letter.isupper() else "b"


class Chess:
    def __init__(self, position=START):
        self.position = position

    def start(self):
        return self.read(self.position)

    def read(self, fen):
        words = fen.split()
        men = {}
        for row, line in enumerate(words[0].split("/")):
            x = 0
            for letter in line:
                if letter.isdigit():
                    x += int(letter)
                else:
                    men[x, 7 - row] = letter
                    x += 1
        passed = None if words[3] == "-" else ("abcdefgh".index(words[3][0]), int(words[3][1]) - 1)
        return men, words[1], words[2].replace("-", ""), passed

    def aims(self, men, p):
        """Cells on which the man on p could take."""
        kind = men[p].lower()
        if kind == "p":
            up = 1 if men[p] == "P" else -1
            return [q for q in ((p[0] - 1, p[1] + up), (p[0] + 1, p[1] + up)) if on(q)]
        if kind in LEAPERS:
            return [q for q in ((p[0] + a, p[1] + b) for a, b in LEAPERS[kind]) if on(q)]
        out = []
        for a, b in SLIDERS[kind]:
            q = p[0] + a, p[1] + b
            while on(q):
                out.append(q)
                if q in men:
                    break
                q = q[0] + a, q[1] + b
        return out

    def attacked(self, men, p, by):
        return any(p in self.aims(men, q) for q in men if colour(men[q]) == by)

    def successors(self, state):
        men, player, rights, passed = state
        other = "b" if player == "w" else "w"
        king = "K" if player == "w" else "k"
        found = []

        def go(frm, to, become=None, also=(), new_passed=None):
            after = dict(men)
            man = after.pop(frm)
            for gone in also:
                after.pop(gone, None)
            after[to] = become or man
            lost = CORNERS.get(frm, "") + CORNERS.get(to, "")
            left = "".join(r for r in rights if r not in lost)
            found.append((after, other, left, new_passed))

        for p, man in list(men.items()):
            if colour(man) != player:
                continue
            if man.lower() == "p":
                up, home, last = (1, 1, 7) if player == "w" else (-1, 6, 0)
                targets = []
                one, two = (p[0], p[1] + up), (p[0], p[1] + 2 * up)
                if one not in men:
                    targets.append(one)
                    if p[1] == home and two not in men:
                        go(p, two, new_passed=one)
                targets += [q for q in self.aims(men, p) if q in men and colour(men[q]) == other]
                for q in targets:
                    if q[1] == last:
                        for k in "QRBN":
                            go(p, q, become=k if player == "w" else k.lower())
                    else:
                        go(p, q)
                if passed in self.aims(men, p) and passed[1] == last - 2 * up:
                    go(p, passed, also=[(passed[0], p[1])])
                continue
            for q in self.aims(men, p):
                if q not in men or colour(men[q]) == other:
                    go(p, q)

        y = 0 if player == "w" else 7
        for side, path, rook, beside in (("K", (5, 6), 7, 5), ("Q", (3, 2), 0, 3)):
            right = side if player == "w" else side.lower()
            between = range(min(rook, 4) + 1, max(rook, 4))
            if right not in rights or any((x, y) in men for x in between):
                continue
            if any(self.attacked(men, (x, y), other) for x in (4,) + path):
                continue
            after = {q: m for q, m in men.items() if q not in ((4, y), (rook, y))}
            after[path[1], y] = king
            after[beside, y] = "R" if player == "w" else "r"
            found.append((after, other, "".join(r for r in rights if r not in CORNERS[4, y]), None))

        safe = []
        for after in found:
            at = next(q for q in after[0] if after[0][q] == king)
            if not self.attacked(after[0], at, other):
                safe.append(after)
        return safe

    def text(self, state):
        men, player, rights, passed = state
        where = "-" if passed is None else "abcdefgh"[passed[0]] + str(passed[1] + 1)
        return f"{grid(men, range(8), range(7, -1, -1))} {player} {rights or '-'} {where} 0 1"


def game(name, **params):
    return Chess(**params)
