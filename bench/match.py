#!/usr/bin/env python3
"""match.py PROGRAM [--games N] [--time TIME] [--game GAME] [--json]: how much two games at a time gain.

The same match with `--jobs 1` and with `--jobs 2`, twice as many games, in turns: games, moves and
positions searched by seconds of the clock, and what two processors give by twice what one gives.
Where something else runs meanwhile, the figures say little.
"""

import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

AIM = 0.9  # of twice as many games a second
PLAYERS = ["alphabeta", "mcts"]


def play(options, folder, jobs, run):
    """One match; what was done by second."""
    db = os.path.join(folder, "%d-%d.db" % (jobs, run))
    command = [options.program, "match", options.game, *PLAYERS, "--time", options.time, "--games",
               str(jobs * options.games), "--jobs", str(jobs), "--seed", str(run + 1), "--db", db,
               "--backend", "native", "--json"]
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    seconds = time.monotonic() - begin
    if done.returncode != 0:
        sys.exit("%s\nends with status %d\n%s" % (" ".join(command), done.returncode, done.stderr))
    kept = sqlite3.connect(db)
    games, whole = kept.execute("select count(*), sum(ended - began) from games").fetchone()
    thought, moves, nodes = kept.execute(
        "select sum(seconds), count(*), sum(nodes) from moves where nodes is not null").fetchone()
    kept.close()
    # What threads had and did not think in: beginning and ending games, writing, waiting for the
    # last game.
    return {"games": games / seconds, "moves": moves / seconds, "nodes": nodes / seconds,
            "idle": 1 - thought / (jobs * seconds), "in_games": 1 - thought / whole}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--game", default="connect-four")
    parser.add_argument("--games", type=int, default=16, help="for each job")
    parser.add_argument("--time", default="0.05s")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as folder:
        for run in range(options.repeats):
            for jobs, found in rows.items():
                found.append(play(options, folder, jobs, run))
    median = {jobs: {what: statistics.median(r[what] for r in found) for what in found[0]}
              for jobs, found in rows.items()}
    gain = {what: statistics.median(b[what] / (2 * a[what]) for a, b in zip(rows[1], rows[2]))
            for what in ("games", "moves", "nodes")}
    if options.json:
        print(json.dumps({"jobs": median, "efficiency": gain}))
        return
    print("Matches: %s, %s, %s a move, %d games for each job, the median of %d runs; by seconds of"
          "\nthe clock. `idle` is the time in which threads did not think, `in games` that between"
          "\ntwo moves of a game; efficiency is two jobs by twice one job, above %.1f is wanted.\n"
          % (options.game, " - ".join(PLAYERS), options.time, options.games, options.repeats, AIM))
    print("%-12s %9s %9s %11s %7s %9s" % ("", "games", "moves", "nodes", "idle", "in games"))
    for jobs, row in median.items():
        print("%-12s %9.3f %9.2f %11.0f %5.1f %% %7.2f %%" % (
            "--jobs %d" % jobs, row["games"], row["moves"], row["nodes"], 100 * row["idle"],
            100 * row["in_games"]))
    print("%-12s %9.3f%s %8.3f %11.3f" % ("efficiency", gain["games"],
                                          " " if gain["games"] >= AIM else "<", gain["moves"],
                                          gain["nodes"]))


main()
