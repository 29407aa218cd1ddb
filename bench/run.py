#!/usr/bin/env python3
"""run.py PROGRAM [BASELINE] [--search] [--seconds S] [--repeats N] [--json]: how fast machine code is.

Four tables: against the hand-written yardsticks of bench/baseline, in turns so that both see the
same weather; players against the rules alone; against the interpreter, for every game of the
library, with what a start costs; and against figures that others measured. Without BASELINE the
first table is left out; --search prints only the table of players.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

YARDSTICKS = ["mill", "connect-four", "domineering", "breakthrough", "byte", "reversi"]
LEAST = {"plies": 0.8, "nodes": 0.6}  # of the yardstick's speed: what we want to reach

SEARCHED = ["mill", "byte", "domineering", "connect-four", "skirmish", "reversi", "breakthrough"]
# What we want of players: nodes of alpha-beta by moves made, playouts of MCTS by random games, one
# thread's time by two threads', and at most so many milliseconds until a stopped search returns.
AIMS = {"alphabeta_ratio": 0.5, "mcts_ratio": 0.7, "threads_ratio": 1.6, "stop_ms": 20}

# Random games per second, one core of a machine of the same kind; read as orders of magnitude.
# RBG: Regular Boardgames, compiled to C++. RG: Regular Games, as its authors report. OpenSpiel:
# hand-written C++ for each game. Ludii: interpreted, Java.
SYSTEMS = ["RBG", "RG", "OpenSpiel", "Ludii"]
PUBLISHED = {
    "tic-tac-toe": {"RBG": 2.8e6, "OpenSpiel": 0.9e6, "Ludii": 240e3},
    "connect-four": {"RBG": 0.83e6, "RG": 1.30e6, "OpenSpiel": 178e3, "Ludii": 42e3},
    "mill": {"RBG": 38e3, "OpenSpiel": 27e3, "Ludii": 2.3e3},
    "reversi": {"RBG": 19e3, "RG": 28e3, "OpenSpiel": 5.4e3, "Ludii": 1.5e3},
    "breakthrough": {"RBG": 56e3, "RG": 82e3, "OpenSpiel": 24e3, "Ludii": 3.1e3},
    "english-draughts": {"RBG": 62e3},
    "fox-and-hounds": {"RG": 444e3},
    "domineering": {"Ludii": 5.5e3},
    "amazons": {"RBG": 3.9e3},
    "hex": {"RBG": 23e3},
    "gomoku": {"RBG": 27e3},
    "chess": {"RBG": 0.9e3, "RG": 1.6e3, "OpenSpiel": 0.8e3, "Ludii": 0.1e3},
}


def call(*words, env=None):
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit("%s\nends with status %d\n%s" % (" ".join(words), done.returncode, done.stderr))
    return done.stdout


def speeds(*words):
    """Plies, games and leaves of perft per CPU second, from the JSON that a command prints; of the
    yardsticks also the depth at which they count, and the speed of their count by two plies."""
    [found] = json.loads(call(*words, "--json"))
    return {"plies": found["plies_per_second"], "games": found["games_per_second"],
            "nodes": found["perft_nodes_per_second"], "depth": found.get("perft_depth"),
            "twos": found.get("perft_two_nodes_per_second")}


def our_speeds(options, game, *more):
    return speeds(options.program, "bench", game, "--seconds", str(options.seconds), *more)


def baseline_speeds(options, game):
    return speeds(options.baseline, game, "--repeats", "1", "--seconds", str(options.seconds / 2))


def spread(values):
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


# ---- Measuring ------------------------------------------------------------------------------


def against_yardsticks(options):
    rows = []
    for game in YARDSTICKS:
        ours, theirs = [], []
        our_speeds(options, game)  # compiles it
        for _ in range(options.repeats):
            theirs.append(baseline_speeds(options, game))
            ours.append(our_speeds(options, game, "--depth", str(theirs[-1]["depth"])))
        row = {"game": game, "twos": statistics.median(b["twos"] for b in theirs)}
        for what in "plies", "nodes":
            pairs = [(a[what], b[what]) for a, b in zip(ours, theirs)]
            row[what] = {"ours": statistics.median(a for a, _ in pairs),
                         "baseline": statistics.median(b for _, b in pairs),
                         "ratio": spread([a / b for a, b in pairs])}
        rows.append(row)
    return rows


def first_moves(program, game, cache):
    """Seconds from the start of the program to the end, with the first moves counted natively."""
    env = dict(os.environ, XDG_CACHE_HOME=cache)
    begin = time.monotonic()
    call(program, "perft", game, "1", "--backend", "native", env=env)
    return time.monotonic() - begin


def starts(program, game):
    with tempfile.TemporaryDirectory() as cache:
        compiling = first_moves(program, game, cache)
        return compiling, min(first_moves(program, game, cache) for _ in range(3))


def all_games(options):
    names = [line.split()[0] for line in call(options.program, "games").splitlines()[1:]]
    rows = []
    for game in names:
        first, second = starts(options.program, game)
        native = our_speeds(options, game)
        interp = our_speeds(options, game, "--backend", "interp")
        rows.append({"game": game, "native": native, "interp": interp,
                     "plies_ratio": native["plies"] / interp["plies"],
                     "nodes_ratio": native["nodes"] / interp["nodes"],
                     "compile_seconds": first, "second_start_seconds": second})
    return rows


def players(options):
    rows = []
    for game in SEARCHED:
        rows += json.loads(call(options.program, "bench", "--search", game, "--seconds",
                                str(options.seconds), "--json"))
    return rows


# ---- Printing -------------------------------------------------------------------------------


def short(number):
    for unit, sign in (1e9, "G"), (1e6, "M"), (1e3, "k"):
        if number >= unit:
            return "%.3g %s" % (number / unit, sign)
    return "%.3g" % number


def factor(number):
    return "%.0f" % number if number >= 100 else "%.2g" % number


def print_yardsticks(rows, repeats):
    print("Against hand-written C: random moves, and leaves of the same perft tree, per CPU second;"
          "\nthe ratio is the median of %d runs in turns, with the lowest and the highest. `two plies`"
          "\nis the yardstick when it does not make the last two moves, but counts them at once.\n"
          % repeats)
    print("%-14s %9s %9s  %-18s %9s %9s  %-18s %9s" % ("", "plies", "baseline", "ratio", "nodes",
                                                      "baseline", "ratio", "two plies"))
    for row in rows:
        line = "%-14s" % row["game"]
        for what in "plies", "nodes":
            r = row[what]["ratio"]
            mark = " " if r["median"] >= LEAST[what] else "<"
            text = "%.2f (%.2f-%.2f)%s" % (r["median"], r["low"], r["high"], mark)
            line += " %9s %9s  %-18s" % (short(row[what]["ours"]), short(row[what]["baseline"]), text)
        print(line + " %9s" % (short(row["twos"]) if row["twos"] else "-"))
    print("\n< falls short of %.1f for plies, %.1f for nodes.\n" % (LEAST["plies"], LEAST["nodes"]))


def marked(row, what, form):
    """A figure, with < where it falls short of the aim."""
    value, aim = row[what], AIMS[what]
    fine = value <= aim if what == "stop_ms" else value >= aim
    return form % value + (" " if fine else "<")


def print_players(rows):
    print("Players: moves made per CPU second by a walk through the tree that makes every move, and"
          "\npositions of alphabeta; random games and playouts of mcts; the time of one thread to a"
          "\ndepth by that of two (`free`: by CPU time, as if nobody else used the machine; `apart`: what"
          "\nthe machine gives to two searches that share nothing); how long a stopped search takes to"
          "\nreturn.\n")
    print("%-14s %9s %9s %6s %9s %9s %6s %6s %8s %6s %6s %9s" % (
        "", "apply", "nodes", "ratio", "games", "mcts", "ratio", "depth", "two/one", "free",
        "apart", "stop"))
    for r in rows:
        print("%-14s %9s %9s %6s %9s %9s %6s %6d %8s %6.2f %6.2f %9s" % (
            r["game"], short(r["apply_per_second"]), short(r["alphabeta_nodes_per_second"]),
            marked(r, "alphabeta_ratio", "%.2f"), short(r["games_per_second"]),
            short(r["mcts_playouts_per_second"]), marked(r, "mcts_ratio", "%.2f"), r["depth"],
            marked(r, "threads_ratio", "%.2f"), r["threads_ratio_free"], r["apart_ratio"],
            marked(r, "stop_ms", "%.1f ms")))
    print("\n< falls short of %.1f for nodes, %.1f for mcts, %.1f for two threads (the aim is about mill),"
          " %d ms for stopping.\n" % (AIMS["alphabeta_ratio"], AIMS["mcts_ratio"],
                                     AIMS["threads_ratio"], AIMS["stop_ms"]))


def print_games(rows):
    print("Against the interpreter, and what a start costs: with an empty cache, and again.\n")
    print("%-18s %9s %9s %6s %9s %9s %6s %8s %7s" % ("", "plies", "interp", "ratio", "nodes",
                                                     "interp", "ratio", "compile", "again"))
    for r in rows:
        print("%-18s %9s %9s %6.1f %9s %9s %6.1f %6.2f s %4.0f ms" % (
            r["game"], short(r["native"]["plies"]), short(r["interp"]["plies"]), r["plies_ratio"],
            short(r["native"]["nodes"]), short(r["interp"]["nodes"]), r["nodes_ratio"],
            r["compile_seconds"], 1000 * r["second_start_seconds"]))
    print()


def print_published(rows):
    print("Random games per second beside figures of other systems, measured elsewhere on a machine"
          "\nof the same kind; how many times ours is. Orders of magnitude.\n")
    print("%-18s %9s" % ("", "ours") + "".join(" %17s" % s for s in SYSTEMS))
    for row in rows:
        figures = PUBLISHED.get(row["game"])
        if not figures:
            continue
        ours = row["native"]["games"]
        line = "%-18s %9s" % (row["game"], short(ours))
        for system in SYSTEMS:
            theirs = figures.get(system)
            text = "%s, x %s" % (short(theirs), factor(ours / theirs)) if theirs else "-"
            line += " %17s" % text
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("baseline", nargs="?")
    parser.add_argument("--seconds", type=float, default=1, help="per game and run")
    parser.add_argument("--repeats", type=int, default=5, help="runs against the yardsticks")
    parser.add_argument("--search", action="store_true", help="only players")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.search:
        rows = players(options)
        if options.json:
            print(json.dumps(rows))
        else:
            print_players(rows)
        return
    # One cache for all runs; what a start costs is measured in caches of its own.
    yardsticks = against_yardsticks(options) if options.baseline else []
    if yardsticks and not options.json:
        print_yardsticks(yardsticks, options.repeats)
        sys.stdout.flush()
    searches = players(options)
    if not options.json:
        print_players(searches)
        sys.stdout.flush()
    games = all_games(options)
    if options.json:
        print(json.dumps({"baseline": yardsticks, "players": searches, "games": games,
                          "published": PUBLISHED}))
        return
    print_games(games)
    print_published(games)


main()
