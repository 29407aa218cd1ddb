#!/usr/bin/env python3
"""Plays matches between players of `ludens` and prints a table of points.

    tools/strength.py build/ludens --games 100 --player auto:time=200ms --time 2s
    tools/strength.py build/ludens --game connect-four --param height=5 --all montecarlo minimax

Each pair of games begins with the same few random moves and is played with both sides. A win
counts 1 and a draw 1/2; the table has the points in per cent and won/drawn/lost.
"""

import argparse
import concurrent.futures
import subprocess
import sys

GAMES = ["mill", "byte", "domineering", "connect-four", "skirmish", "reversi"]
PLIES = 1000  # moves of a game; what takes longer is drawn
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


def run(args, text=""):
    done = subprocess.run(args, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit("%s: %s" % (" ".join(args), done.stderr.strip()))
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
    """The state after some random moves."""
    lines = run([ludens, "play", *game, "--players", "random,random", "--seed", str(seed)])
    played = [line.split(": ", 1)[1] for line in lines if ": " in line][: moves]
    lines = run([ludens, "play", *game, "--players", "human,human"], "".join(m + "\n" for m in played))
    return lines[-2]


def points(ludens, game, names, state, first, second, seed):
    """Of the first player: 1, 0.5 or 0. A game that goes on for too long is drawn."""
    command = [ludens, "play", *game, "--state", state, "--players", first + "," + second]
    last, count = "", 0
    with subprocess.Popen(command + ["--seed", seed], stdout=subprocess.PIPE, text=True) as child:
        for line in child.stdout:
            last = line
            count += 1
            if count == PLIES:
                child.kill()
                return 0.5
    if child.returncode != 0:
        raise SystemExit("%s failed" % " ".join(command))
    if last.startswith(names[0] + " wins"):
        return 1.0
    return 0.0 if last.startswith(names[1] + " wins") else 0.5


def match(ludens, game, a, b, games, moves, jobs):
    """Points of a against b, one number a game."""
    names = names_of(ludens, game)

    def play(i):
        state = opening(ludens, game, moves, i // 2 + 1)
        if i % 2 == 0:
            return points(ludens, game, names, state, a, b, str(i))
        return 1 - points(ludens, game, names, state, b, a, str(i))

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(play, range(games)))


def cell(results):
    share = 100 * sum(results) / len(results)
    return "%.0f %% (%d/%d/%d)" % (
        share,
        results.count(1.0),
        results.count(0.5),
        results.count(0.0),
    )


def table(rows, heads):
    print("| | " + " | ".join(heads) + " |")
    print("| --- |" + " --- |" * len(heads))
    for name, cells in rows:
        print("| `%s` | " % name + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("ludens")
    parser.add_argument("--games", type=int, default=100, help="of each pair of players")
    parser.add_argument("--game", action="append", help="only these; all six without it")
    parser.add_argument("--param", action="append", default=[], help="of the game, name=value")
    parser.add_argument("--player", default="auto:time=200ms")
    parser.add_argument("--time", default="2s", help="a move, of its opponents")
    parser.add_argument("--against", nargs="+", default=CLASSICS, help="its opponents")
    parser.add_argument("--all", nargs="+", help="these against each other instead")
    parser.add_argument("--moves", type=int, default=2, help="random moves in the beginning")
    parser.add_argument("--jobs", type=int, default=2)
    o = parser.parse_args()
    games = [[g, *o.param] for g in o.game or GAMES]
    if o.all:
        who = [p.format(o.time) for p in o.all]
        rows = []
        for a in who:
            cells = []
            for b in who:
                r = a != b and match(o.ludens, games[0], a, b, o.games, o.moves, o.jobs)
                cells.append(cell(r) if r else "")
            rows.append((a, cells))
        table(rows, ["`%s`" % p for p in who])
        return
    rows = []
    for text in o.against:
        b = text.format(o.time)
        cells = []
        for game in games:
            cells.append(cell(match(o.ludens, game, o.player, b, o.games, o.moves, o.jobs)))
            print(b, " ".join(game), cells[-1], file=sys.stderr)
        rows.append((b, cells))
    table(rows, [" ".join(g) for g in games])


if __name__ == "__main__":
    main()
