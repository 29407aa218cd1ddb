#!/usr/bin/env python3
"""run_oracle.py PROGRAM [--folder F] [--backend B] [GAME...]: the original S3 files, as they are.

Compares with what the original program counted and played: sequences of moves, distinct positions,
and recorded games move by move, with both ways to run the rules unless one is named. The folder is
../shared/reference/s3 beside the project; where there is none this is a success and says so. A share
of the depths, or everything with LUDENS_ALL=1.
"""
import argparse
import os
import sys

import recorded
from players import Follower, ProgramError, call, winner_of

ALL = bool(os.environ.get("LUDENS_ALL"))
# What is counted without LUDENS_ALL, by size.
PLAIN_MOST, MERGED_MOST, STATES_MOST = 100000, 400000, 40000
# Without LUDENS_ALL there is no machine code of all their moves: compilers take longest for it.
HEAVY = ("Connect4", "MasterMind", "Reversi")


class Check:
    def __init__(self, program, game, path, backend):
        self.program, self.game, self.path, self.backend = program, game, path, backend
        self.how = ["--backend", backend]
        self.wrong = []

    def differ(self, what, found, expected):
        if found != expected:
            self.wrong.append("%s, %s: %s: %s, recorded is %s"
                              % (self.game, self.backend, what, found, expected))

    def sequences(self, counts, most, *more):
        for depth, expected in enumerate(counts):
            if ALL or expected <= most:
                words = [w for w in more if "=" in w]
                options = [w for w in more if "=" not in w]
                found = call(self.program, "perft", self.path, *words, str(depth), "--json",
                             *options, *self.how)["nodes"]
                self.differ(" ".join(["perft", *words, str(depth), *options]), found, expected)

    def positions(self, counts):
        depth = len(counts) - 1
        while not ALL and depth > 0 and sum(counts[:depth + 1]) > STATES_MOST:
            depth -= 1
        found = call(self.program, "states", self.path, str(depth), "--json", *self.how)
        self.differ("states %d" % depth, found["new"][:depth + 1], counts[:depth + 1])

    def trace(self, trace, names):
        where = "game %d, ply " % trace.seed
        with Follower(self.program, self.path, "moves=all", *self.how) as every, \
                Follower(self.program, self.path, *self.how) as distinct:
            for number, ply in enumerate(trace.plies):
                here = every.now
                self.differ(where + "%d: moves" % number, len(here["moves"]), ply["n_all"])
                found = distinct.say("state " + here["state"])
                self.differ(where + "%d: distinct moves" % number, len(found["moves"]),
                            ply["n_distinct"])
                here = every.say(ply["move"])
                if "fault" in here:
                    raise ProgramError(where + "%d: %s" % (number, here["fault"]))
                self.differ(where + "%d: next player" % number, here["player"],
                            names[ply["next_player"] - 1])
                if "score" in here["values"]:
                    self.differ(where + "%d: scores" % number, here["values"]["score"],
                                ply["scores"])
                expected = ply["winner"]
                if number == len(trace.plies) - 1 and trace.end["winner"] == 0:
                    expected = 0  # nobody can move: the state alone does not know, the game does
                self.differ(where + "%d: winner" % number, winner_of(here, names), expected)

    def run(self, numbers, traces):
        try:
            names = call(self.program, "games", self.path, "--json")["players"]
            self.sequences(numbers["perft_best"], PLAIN_MOST)
            everything = ALL or self.backend == "interp" or self.game not in HEAVY
            if everything:
                self.sequences(numbers["perft_raw"]["counts"], PLAIN_MOST, "moves=all")
            self.sequences(numbers["perft_best"], MERGED_MOST, "--merge")
            self.positions(numbers["bfs_clean"]["counts"])
            few = traces if ALL or self.backend == "interp" else traces[:1]
            for trace in few if everything else []:
                self.trace(trace, names)
        except ProgramError as error:
            self.wrong.append("%s, %s: %s" % (self.game, self.backend, error))
        return self.wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("games", nargs="*")
    parser.add_argument("--folder", default=recorded.USUAL)
    parser.add_argument("--backend", choices=["interp", "native"])
    options = parser.parse_intermixed_args()
    data = recorded.open_folder(["--folder", options.folder])
    program, wrong, count = os.path.abspath(options.program), [], 0
    for game, path in data.games():
        if options.games and game not in options.games:
            continue
        for backend in [options.backend] if options.backend else ["interp", "native"]:
            check = Check(program, game, path, backend)
            wrong += check.run(data.numbers[game], data.traces(game))
            count += 1
    print("\n".join(wrong) if wrong else "%d comparisons of whole files agree" % count)
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
