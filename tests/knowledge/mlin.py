#!/usr/bin/env python3
"""The published priorities of the Mlin player, written a second time, and the table made with them.

    tests/knowledge/mlin.py                 is mlin-2019.table what this file says?
    tests/knowledge/mlin.py --write         make it anew

It shares nothing with the rule set games/rules/mlin-2019.rules, where each sentence of the
publication is quoted and read. Here values are kept as the thesis does it: a number for every point
of every line. The table has 30 positions for each of placing, taking, sliding and flying, with the
set of moves that are best; tests/unit/test_rule_sets.c holds Ludens to it.
"""

import os
import random
import sys

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mlin-2019.table")
ROWS = ["a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4 e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1"]
ROWS = [row.split() for row in ROWS]
POINTS = [point for row in ROWS for point in row]
LINES = """a7d7g7 b6d6f6 c5d5e5 a4b4c4 e4f4g4 c3d3e3 b2d2f2 a1d1g1
           a7a4a1 b6b4b2 c5c4c3 d7d6d5 d3d2d1 e5e4e3 f6f4f2 g7g4g1"""
LINES = [(text[0:2], text[2:4], text[4:6]) for text in LINES.split()]
NEXT = {p: set() for p in POINTS}
for a, b, c in LINES:
    NEXT[a].add(b)
    NEXT[b] |= {a, c}
    NEXT[c].add(b)
PHASES = ["placing", "taking", "sliding", "flying"]
EACH = 30
MOST = 12  # best moves of a position: more can hardly be read


class Position:
    def __init__(self):
        self.men = {}  # point: 0 for White, 1 for Black
        self.hand = [9, 9]
        self.me = 0

    def text(self):
        rows = []
        for row in ROWS:
            out, gap = "", 0
            for point in row:
                if point in self.men:
                    out += (str(gap) if gap else "") + "WB"[self.men[point]]
                    gap = 0
                else:
                    gap += 1
            rows.append(out + (str(gap) if gap else ""))
        return "%s %s hand=%d,%d" % ("/".join(rows), "wb"[self.me], *self.hand)

    def empty(self):
        return [p for p in POINTS if p not in self.men]

    def of(self, player):
        return [p for p in POINTS if self.men.get(p) == player]

    def holds(self, line, player):
        return sum(self.men.get(p) == player for p in line)

    def room(self, line):
        return sum(p not in self.men for p in line)

    def flies(self):
        return self.hand[self.me] == 0 and len(self.of(self.me)) == 3


# --- the priorities; each function gives the best ones ---


def best(values):
    most = max(values.values())
    return [key for key in values if values[key] == most]


def placing(pos):
    enemy = 1 - pos.me
    value = {}  # of the points of a line
    for line in LINES:
        value[line] = [100, 50, 100]  # the middle point is halved
        times = 1.0
        if pos.holds(line, pos.me) == 2 and pos.room(line) == 1:
            times *= 8
        if pos.holds(line, enemy) == 2 and pos.room(line) == 1:
            times *= 7
        if pos.holds(line, enemy) > 0:
            times /= 2
        if pos.holds(line, pos.me) == 1 and pos.room(line) == 2:
            times *= 2
        value[line] = [v * times for v in value[line]]
    found = set()
    for line in best({line: sum(value[line]) for line in LINES if pos.room(line)}):
        found.update(best({p: v for p, v in zip(line, value[line]) if p not in pos.men}))
    return found


def taking(pos):
    enemy = 1 - pos.me
    milled = {p for line in LINES if pos.holds(line, enemy) == 3 for p in line}
    prey = [p for p in pos.of(enemy) if p not in milled] or pos.of(enemy)
    value = {}
    for line in LINES:
        for i, point in enumerate(line):
            v = 100 * (5 if pos.holds(line, enemy) == 2 else 2)
            v /= 1 if i == 1 else 2  # ends are halved
            if point in prey:
                value[point] = max(v, value.get(point, 0))
    return best(value)


def closes(pos, man, to):
    """Whether a man that goes there completes a line of two others."""
    return any(sum(pos.men.get(p) == pos.me for p in line if p != man) == 2 for line in LINES
               if to in line)


def blocks(pos, to):
    return any(pos.holds(line, 1 - pos.me) == 2 for line in LINES if to in line)


def sliding(pos):
    targets = {m: [t for t in NEXT[m] if t not in pos.men] for m in pos.of(pos.me)}
    value = {}
    for man, ways in targets.items():
        if ways:
            value[man] = 100
            if any(blocks(pos, t) for t in ways):
                value[man] *= 8
            if any(closes(pos, man, t) for t in ways):
                value[man] *= 6
    return best_targets(pos, {man: targets[man] for man in best(value)}, 8, 6)


def flying(pos):
    men = pos.of(pos.me)
    near = {m: {p for line in LINES if m in line for p in line} - {m} for m in men}
    alone = [m for m in men if not any(p in men for p in near[m])] or men
    return best_targets(pos, {man: pos.empty() for man in alone}, 10, 8)


def best_targets(pos, targets, mill, block):
    """Among equal men the one with the better target moves."""
    value = {}
    for man, ways in targets.items():
        for to in ways:
            value[man, to] = 100 * (mill if closes(pos, man, to) else 1)
            value[man, to] *= block if blocks(pos, to) else 1
    return best(value)


def choices(pos):
    """The phase, and the best moves as (from or None, to, victim or None)."""
    if pos.hand[pos.me]:
        phase, moves = "placing", [(None, to) for to in placing(pos)]
    elif pos.flies():
        phase, moves = "flying", flying(pos)
    else:
        phase, moves = "sliding", sliding(pos)
    out = []
    for man, to in moves:
        if closes(pos, man, to):
            phase = "taking"
            out += [(man, to, victim) for victim in taking(pos)]
        else:
            out.append((man, to, None))
    return phase, sorted(out, key=str)


def move_text(move):
    man, to, victim = move
    return (man + "-" if man else "") + to + ("x" + victim if victim else "")


# --- positions: games of this player against chance ---


def play(pos, move):
    man, to, victim = move
    if man:
        del pos.men[man]
    else:
        pos.hand[pos.me] -= 1
    pos.men[to] = pos.me
    if victim:
        del pos.men[victim]
    pos.me = 1 - pos.me


def any_move(pos, rng):
    men = [None] if pos.hand[pos.me] else pos.of(pos.me)
    moves = []
    for man in men:
        for to in pos.empty() if pos.hand[pos.me] or pos.flies() else NEXT[man]:
            if to not in pos.men:
                victims = taking(pos) if closes(pos, man, to) else [None]
                moves += [(man, to, victim) for victim in victims]
    return rng.choice(sorted(moves, key=str)) if moves else None


def over(pos):
    return any(pos.hand[p] == 0 and len(pos.of(p)) < 3 for p in (0, 1)) or not any_move(
        pos, random.Random(0)
    )


def table():
    rng = random.Random(2019)
    rows = {phase: [] for phase in PHASES}
    while any(len(rows[phase]) < EACH for phase in PHASES):
        pos = Position()
        for _ in range(100):
            if over(pos):
                break
            phase, moves = choices(pos)
            row = "%s | %s" % (pos.text(), " ".join(sorted(move_text(m) for m in moves)))
            new = len(rows[phase]) < EACH and row not in rows[phase] and len(moves) <= MOST
            if new and rng.random() < 0.15:
                rows[phase].append(row)
            play(pos, rng.choice(moves) if rng.random() < 0.6 else any_move(pos, rng))
    text = "# Made by mlin.py: a position, and the moves that the Mlin player of 2019 may choose.\n"
    for phase in PHASES:
        text += "\n# %s\n" % phase
        text += "".join(row + "\n" for row in rows[phase])
    return text


def main():
    if sys.argv[1:] == ["--write"]:
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write(table())
        return 0
    with open(TABLE, encoding="utf-8") as file:
        same = file.read() == table()
    print("ok" if same else "mlin-2019.table is not what mlin.py makes: run it with --write")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
