#!/usr/bin/env python3
"""lengths.py LUDENS [GAME...]: measures how many moves the games of the library usually take.

Prints the lines of games/lengths.txt, which the first page in the browser shows: the median of a few
games between equals, or of a puzzle the moves of a solution, rounded to two
digits. To be run again when rules have changed much; new games are missed by `make test`.
"""

import csv
import json
import os
import statistics
import subprocess
import sys
import tempfile

GAMES = "4"
PLAYERS = ["mcts:time=50ms", "table-alphabeta:nodes=3k"]  # the next if one never comes to an end
PLIES = 400


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def rounded(n):
    return int(float("%.2g" % n))


def solution(ludens, game):
    found = json.loads(run(ludens, "search", game, "--player", "auto:time=20s", "--json"))
    return len(found["line"])


def usual(ludens, game, folder):
    moves = PLIES
    for number, player in enumerate(PLAYERS):
        db = os.path.join(folder, "%s-%d.db" % (game, number))
        run(ludens, "match", game, player, player, "--games", GAMES, "--jobs", "1", "--seed", "1",
            "--plies", str(PLIES), "--db", db)
        rows = csv.DictReader(run(ludens, "export", db, "--format", "csv").splitlines())
        moves = statistics.median(int(row["moves"]) for row in rows)
        if moves < PLIES:
            break
    return moves


def main():
    ludens, wanted = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        for game in json.loads(run(ludens, "games", "--json")):
            if wanted and game["name"] not in wanted:
                continue
            one = len(game["players"]) == 1
            n = solution(ludens, game["name"]) if one else usual(ludens, game["name"], folder)
            if n < PLIES:  # else players of this strength come to no end
                print(game["name"], rounded(n), flush=True)


if __name__ == "__main__":
    main()
