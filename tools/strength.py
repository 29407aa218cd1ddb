#!/usr/bin/env python3
"""Plays matches between players of `ludens` and prints a table of points.

    tools/strength.py build/ludens --player auto:time=200ms --time 2s --aim 90 --log table.jsonl
    tools/strength.py build/ludens --game connect-four --param height=5 --all montecarlo minimax
    tools/strength.py build/ludens --other old/ludens --player alphabeta:nodes=5k

Each pair of games begins with the same few random moves and is played with both sides. A win
counts 1 and a draw 1/2; the table has the points in per cent and won/drawn/lost. Players think in
processor time (LUDENS_CLOCK=cpu), so that a busy machine makes a match longer, not unfair.

With --log each game is a line of JSON in a file as soon as it is over. Run again, the same command
goes on where it was stopped. With --aim a cell ends before its time when the verdict is clear.
"""

import argparse
import hashlib
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time

GAMES = ["mill", "byte", "domineering", "connect-four", "skirmish", "reversi"]
PLIES = 1000  # moves of a game; what takes longer is drawn
LEAST = 20  # games before a cell may end early
CLEAR = 0.95  # share of the points that is clear after so many games, whatever the aim
ONE_SIDED = 1.645  # normal deviations: 95 per cent on one side
CLASSICS = [
    "random",
    "greedy",
    "minimax:time={}",
    "plain-alphabeta:time={}",
    "ordered-alphabeta:time={}",
    "deepening-alphabeta:time={}",
    "table-alphabeta:time={}",
    "stochastic-minimax:time={}",
    "montecarlo:time={}",
    "montecarlo-breadth:time={}",
    "montecarlo-depth:time={}",
]


class Failed(Exception):
    pass


# --- one game ---


def run(args, text=""):
    done = subprocess.run(args, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed("%s: %s" % (" ".join(args), done.stderr.strip()))
    return done.stdout.splitlines()


def names_of(ludens, game):
    """The players of a game, as its moves name them; who begins is the first."""
    lines = run([ludens, "play", *game, "--players", "random,random", "--seed", "1"])
    names = []
    for line in lines:
        name = line.split(": ")[0]
        if ": " in line and name not in names and not name.endswith(("wins", "draw")):
            names.append(name)
        if len(names) == 2:
            break
    return names


def opening(ludens, game, moves, seed):
    """The state after some random moves; another one if the game is over by then."""
    for again in range(100):
        seeded = ["--seed", str(seed + 1000 * again)]
        lines = run([ludens, "play", *game, "--players", "random,random", *seeded])
        played = [line.split(": ", 1)[1] for line in lines if ": " in line][:moves]
        text = "".join(m + "\n" for m in played)
        lines = run([ludens, "play", *game, "--players", "human,human"], text)
        if lines[-1].endswith("to move."):
            return lines[-2]
    raise Failed("%s: no opening of %d random moves" % (" ".join(game), moves))


class Referee:
    """Plays one game: a process for both sides, or one for each if they are of two builds."""

    def __init__(self, match, children):
        self.match = match
        self.children = children  # of all games, to end them all

    def start(self, ludens, state, players, seed):
        command = [ludens, "play", *self.match.game, "--state", state]
        command += ["--players", ",".join(players), "--seed", str(seed)]
        child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=dict(os.environ, LUDENS_CLOCK="cpu"),
        )
        self.children.append(child)
        return child

    def over(self, line):
        """Points of the first side if the line ends a game, else None."""
        for name, points in zip(self.match.names, (1.0, 0.0)):
            if line.startswith(name + " wins"):
                return points
        return 0.5 if line.startswith(("a draw", "draw")) else None

    def together(self, child):
        count = 0
        for line in child.stdout:
            count += line.split(": ")[0] in self.match.names
            points = self.over(line)
            if points is not None or count == PLIES:
                return 0.5 if points is None else points, count
        raise Failed("%s: a game without a result" % " ".join(child.args))

    def ask(self, side, moves):
        """Tells a side the moves of the other: its own moves, and the points if it is over."""
        # It looks for its next line only when the other side is on move, or the game is over.
        try:
            side.stdin.write("".join(m + "\n" for m in moves) + "/board\n")
            side.stdin.flush()
        except BrokenPipeError:
            pass  # it has ended, which is told below
        answer = []
        for line in side.stdout:
            line = line.rstrip("\n")
            points = self.over(line)
            if points is not None or line in [n + " to move." for n in self.match.names]:
                return answer, points
            name, _, move = line.partition(": ")
            if move and name in self.match.names:
                answer.append(move)
        raise Failed("%s: ended before the game did" % " ".join(side.args))

    def apart(self, sides):
        """Each side hears the moves of the other."""
        count, turn, moves, silent = 0, 0, [], 0
        while count < PLIES:
            moves, points = self.ask(sides[turn], moves)
            count += len(moves)
            if points is not None:
                return points, count
            silent = 0 if moves else silent + 1
            if silent > 2:
                raise Failed("%s: nobody moves" % " ".join(sides[turn].args))
            turn = 1 - turn
        return 0.5, count

    def play(self, state, first, second, seed):
        """Players are (ludens, text). Points of the first side, moves, processor seconds."""
        if first[0] == second[0]:
            mine = [self.start(first[0], state, [first[1], second[1]], seed)]
        else:
            mine = [
                self.start(first[0], state, [first[1], "human"], seed),
                self.start(second[0], state, ["human", second[1]], seed),
            ]
        try:
            points, count = self.together(mine[0]) if len(mine) == 1 else self.apart(mine)
        finally:
            cpu = 0
            for child in mine:
                os.kill(child.pid, signal.SIGKILL)  # not child.kill(), which would wait for it
                _, _, usage = os.wait4(child.pid, 0)
                try:
                    child.stdin.close()
                except BrokenPipeError:
                    pass  # a move that nobody read
                child.returncode = 0
                cpu += usage.ru_utime + usage.ru_stime
                self.children.remove(child)
        return points, count, cpu


# --- cells of the table ---


class Match:
    """Two players and a game: the results so far, and which games are still to be played."""

    def __init__(self, o, game, a, b):
        self.o, self.game, self.a, self.b = o, game, a, b
        self.moves = o.moves
        self.results = {}  # by the number of the game
        self.given = set()  # to somebody who plays it
        self.names = None

    def key(self):
        return [" ".join(self.game), self.a, self.b, self.moves, self.o.seed, self.o.build]

    def done(self):
        return len(self.results) >= self.o.games or self.settled()

    def settled(self):
        """Whether the verdict is clear. Only whole pairs count: sides may be unequal."""
        whole = [i for i in self.results if i ^ 1 in self.results]
        n = len(whole)
        if self.o.aim is None or n < LEAST:
            return False
        share = sum(self.results[i] for i in whole) / n
        low, high = wilson(share, n)
        aim = self.o.aim / 100
        return share >= max(CLEAR, aim) or low > aim or high < aim

    def next(self):
        if self.done():
            return None
        for i in range(self.o.games):
            if i not in self.results and i not in self.given:
                self.given.add(i)
                return i
        return None

    def cell(self):
        values = list(self.results.values())
        if not values:
            return ""
        counts = tuple(values.count(v) for v in (1.0, 0.5, 0.0))
        return "%.0f %% (%d/%d/%d)" % (100 * sum(values) / len(values), *counts)


def wilson(share, n):
    """Between which shares the true one is, with the same 5 per cent of doubt on each side."""
    z2 = ONE_SIDED * ONE_SIDED
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = ONE_SIDED / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return middle - half, middle + half


class Tournament:
    def __init__(self, o, matches):
        self.o, self.matches = o, matches
        self.lock = threading.Lock()
        self.children, self.openings = [], {}
        self.failure, self.stopped = None, False
        self.log = None
        if o.log:
            self.load()
            self.log = open(o.log, "a", encoding="utf-8")

    def load(self):
        """Games of earlier runs, of the same build; a line that was cut short is left out."""
        by_key = {json.dumps(m.key()): m for m in self.matches}
        if not os.path.exists(self.o.log):
            return
        with open(self.o.log, encoding="utf-8") as file:
            for line in file:
                try:
                    entry = json.loads(line)
                    m = by_key.get(json.dumps(entry["match"]))
                    if m and entry["game"] < self.o.games:
                        m.results[entry["game"]] = float(entry["points"])
                except (ValueError, KeyError, TypeError):
                    print("%s: a line is left out" % self.o.log, file=sys.stderr)

    def opening(self, m, seed):
        key = (" ".join(m.game), seed)
        if key not in self.openings:
            self.openings[key] = opening(self.o.ludens, m.game, m.moves, seed)
        return self.openings[key]

    def play(self, m, i):
        with self.lock:
            if not m.names:
                m.names = names_of(self.o.other or self.o.ludens, m.game)  # and compiles the game
            state = self.opening(m, self.o.seed + i // 2)
        a, b = (self.o.ludens, m.a), (self.o.other or self.o.ludens, m.b)
        began, swap = time.time(), i % 2 == 1
        referee = Referee(m, self.children)
        points, plies, cpu = referee.play(state, *((b, a) if swap else (a, b)), self.o.seed + i)
        points = 1 - points if swap else points
        entry = {"match": m.key(), "game": i, "points": points, "plies": plies}
        entry["cpu"], entry["seconds"] = round(cpu, 2), round(time.time() - began, 2)
        with self.lock:
            m.results[i] = points
            if self.log:
                self.log.write(json.dumps(entry) + "\n")
                self.log.flush()
            if m.done() or len(m.results) % 10 == 0:
                print(m.b, " ".join(m.game), m.cell(), file=sys.stderr, flush=True)

    def next(self):
        with self.lock:
            for m in self.matches:
                i = None if self.stopped or self.failure else m.next()
                if i is not None:
                    return m, i
        return None

    def work(self):
        try:
            while job := self.next():
                self.play(*job)
        except Exception as why:  # of any kind: it is told, and the others end
            if not self.stopped and not self.failure:
                self.failure = why

    def run(self):
        threads = [threading.Thread(target=self.work, daemon=True) for _ in range(self.o.jobs)]
        for t in threads:
            t.start()
        try:
            for t in threads:
                t.join()
        except KeyboardInterrupt:
            self.stopped = True
            for child in list(self.children):
                os.kill(child.pid, signal.SIGKILL)
            for t in threads:
                t.join()
            print("stopped; the same command goes on with --log", file=sys.stderr)
        if self.failure:
            print("strength.py: %s" % self.failure, file=sys.stderr)


# --- tables ---


def table(rows, heads):
    print("| | " + " | ".join(heads) + " |")
    print("| --- |" + " --- |" * len(heads))
    for name, cells in rows:
        print("| `%s` | " % name + " | ".join(cells) + " |")


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ludens")
    parser.add_argument("--other", help="the program of the opponents, if it is another build")
    parser.add_argument("--games", type=int, default=100, help="of each pair of players")
    parser.add_argument("--game", action="append", help="only these, or rules files; else all six")
    parser.add_argument("--param", action="append", default=[], help="of the game, name=value")
    parser.add_argument("--player", default="auto:time=200ms")
    parser.add_argument("--time", default="2s", help="a move, of its opponents")
    parser.add_argument("--against", nargs="+", help="its opponents; else all classics")
    parser.add_argument("--all", nargs="+", help="these against each other instead")
    parser.add_argument("--levels", metavar="2-10", help="each level against the one below instead")
    parser.add_argument("--moves", type=int, default=2, help="random moves in the beginning")
    parser.add_argument("--seed", type=int, default=1, help="another one: other openings")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--log", help="a file of results, to go on with later")
    parser.add_argument("--aim", type=float, help="per cent: a cell ends when the verdict is clear")
    return parser.parse_args()


def build_of(paths):
    """Results of one build are not mixed with those of another."""
    digest = hashlib.sha256()
    for path in paths:
        if path:
            with open(path, "rb") as file:
                digest.update(file.read())
    return digest.hexdigest()[:12]


def present(game):
    """Rules files that are not there are left out, with a word."""
    if "/" in game and not os.path.exists(game):
        print("%s is not there: left out" % game, file=sys.stderr)
        return False
    return True


def stop(*_):
    raise KeyboardInterrupt


def main():
    signal.signal(signal.SIGTERM, stop)
    o = options()
    o.build = build_of([o.ludens, o.other])
    games = [[g, *o.param] for g in o.game or GAMES if present(g)]
    if o.all:
        heads = [p.format(o.time) for p in o.all]
        pairs = [(games[0], a, b) for a in heads for b in heads if a != b] if games else []
    elif o.levels:
        low, high = (int(k) for k in o.levels.split("-"))
        steps = [("level=%d" % k, "level=%d" % (k - 1)) for k in range(low, high + 1)]
        pairs = [(g, *step) for step in steps for g in games]
    else:
        if o.against is None and o.other:
            o.against = [o.player]
        against = [p.format(o.time) for p in o.against or CLASSICS]
        pairs = [(g, o.player, b) for b in against for g in games]
    matches = [Match(o, *pair) for pair in pairs]
    tournament = Tournament(o, matches)
    tournament.run()
    cells = {(" ".join(m.game), m.a, m.b): m.cell() for m in matches}
    titles = [" ".join([os.path.basename(g[0]), *g[1:]]) for g in games]
    if o.all and games:
        name = " ".join(games[0])
        rows = [(a, [cells.get((name, a, b), "") for b in heads]) for a in heads]
        table(rows, ["`%s`" % p for p in heads])
    else:
        rows = []
        for a, b in dict.fromkeys((m.a, m.b) for m in matches):
            row = [cells[" ".join(g), a, b] for g in games]
            rows.append(("%s` : `%s" % (a, b) if o.levels else b, row))
        table(rows, titles)
    return 1 if tournament.failure else 130 if tournament.stopped else 0


if __name__ == "__main__":
    sys.exit(main())
