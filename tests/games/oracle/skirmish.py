"""Skirmish: 7 rows, 10 columns. In a turn every living character acts once, in order; one that
cannot act when it is its turn is left out. Each action counts as a move."""

from text import grid


class Skirmish:
    def __init__(self, reds=3, blues=3, health=10):
        self.sizes, self.health = (reds, blues), health

    def start(self):
        sides = []
        for side, n in enumerate(self.sizes):
            column = 2 if side == 0 else 9
            first = 4 - (n - 1)  # every other row, centred on row 4
            sides.append(tuple((column, first + 2 * i, self.health) for i in range(n)))
        return self.settle(tuple(sides), 0, 0)

    def acts(self, sides, side, who):
        """All results of that character's action."""
        x, y, hp = sides[side][who]
        if hp == 0:
            return
        for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            u, v = x + dx, y + dy
            if not (1 <= u <= 10 and 1 <= v <= 7):
                continue
            there = [(s, k) for s in (0, 1) for k, m in enumerate(sides[s])
                     if m[2] and m[:2] == (u, v)]
            if not there:
                moved = list(sides[side])
                moved[who] = (u, v, hp)
            elif there[0][0] == side:
                continue
            else:
                s, k = there[0]
                moved = list(sides[s])
                moved[k] = (u, v, moved[k][2] - 1)
            new = list(sides)
            new[side if not there else there[0][0]] = tuple(moved)
            yield tuple(new)

    def settle(self, sides, side, who):
        """The state in which the next character that can act is about to."""
        while who < len(sides[side]) and not any(True for _ in self.acts(sides, side, who)):
            who += 1
        return sides, side, who

    def successors(self, state):
        sides, side, who = state
        if any(all(m[2] == 0 for m in s) for s in sides):
            return []
        if who == len(sides[side]):  # nobody can act: pass, unless the others cannot either
            then = self.settle(sides, 1 - side, 0)
            return [then] if then[2] < len(sides[1 - side]) else []
        out = []
        for after in self.acts(sides, side, who):
            then = self.settle(after, side, who + 1)
            out.append(then if then[2] < len(after[side]) else self.settle(after, 1 - side, 0))
        return out

    def calm(self, state):
        """Small when the sides are close and hurt: random games alone seldom come to blows."""
        (reds, blues), *_ = state
        living = [[m for m in side if m[2]] for side in (reds, blues)]
        apart = [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a in living[0] for b in living[1]]
        return 40 * sum(m[2] for side in living for m in side) + sum(apart)

    def text(self, state):
        sides, side, who = state
        cells = {}
        for s, letter in enumerate("RB"):
            for k, (x, y, hp) in enumerate(sides[s]):
                if hp:
                    cells[x, y] = f"{letter}({k + 1},{hp})"
        return f"{grid(cells, range(1, 11), range(7, 0, -1))} {'rb'[side]} acted={who}"


def game(name, **params):
    return Skirmish(**params)
