#!/usr/bin/env python3
"""run_reference.py [--folder F] [--all]: reference.py against what the original program counted.

The folder holds the original files and the numbers recorded with them (oracle.json, traces.jsonl);
where there is none this is a success and says so. Small depths and the begin of each game, or
everything that takes less than minutes with --all.
"""
import os
import sys

import recorded
import reference

# Depths that take about a second each; the rest is for --all.
DEPTHS = {"Alquerque": 4, "Connect4": 2, "Frogs": 16, "MasterMind": 2, "Mill": 1, "Nim": 5,
          "Puzzle8": 6, "Reversi": 2, "TicTacToe": 3}
MORE = {"Alquerque": 6, "Connect4": 4, "MasterMind": 3, "Nim": 12, "Puzzle8": 10, "Reversi": 4,
        "TicTacToe": 5}
PLIES = 12  # of each recorded game


def differences(what, found, expected):
    for depth, (a, b) in enumerate(zip(found, expected)):
        if a != b:
            yield "%s, depth %d: %d, recorded are %d" % (what, depth, a, b)


def check_counts(game, numbers, path, depth):
    engine = reference.Engine(reference.load(path))
    yield from differences(game + " sequences", reference.perft(engine, depth),
                           numbers["perft_best"])
    yield from differences(game + " positions", reference.layers(engine, depth),
                           numbers["bfs_clean"]["counts"])
    yield from differences(game + " sequences of all moves", reference.perft(engine, 1, True),
                           numbers["perft_raw"]["counts"])


def check_trace(trace, path, plies, leftovers):
    engine = reference.Engine(reference.load(path), leftovers)
    state = reference.State(engine.spec)
    where = "%s, game %d" % (trace.game, trace.seed)
    if leftovers:
        where += " with leftover variables"
    for ply in trace.plies[:plies]:
        moves = engine.moves(state)
        found = len(moves), len(engine.distinct(state, moves)), state.player
        if found != (ply["n_all"], ply["n_distinct"], ply["player"]):
            yield "%s, ply %d: moves and player are %s" % (where, ply["ply"], found)
        move = next((m for m in moves if reference.MOVE_TEXT % m[:3] == ply["move"]), None)
        if not move:
            yield "%s, ply %d: %s is missing" % (where, ply["ply"], ply["move"])
            return
        before, state = state, engine.apply(state, move)
        found = state.player, state.scores, state.winner
        if found != (ply["next_player"], ply["scores"], ply["winner"]):
            yield "%s, ply %d: player, scores, winner are %s" % (where, ply["ply"], found)
        for key, part in (("location", "place"), ("state", "state"), ("owner", "owner")):
            old, new = getattr(before, part), getattr(state, part)
            changed = {n: new[n] for n in new if new[n] != old[n]}
            if changed != ply["delta"].get(key, {}):
                yield "%s, ply %d: %s changes: %s" % (where, ply["ply"], key, changed)


def main():
    data = recorded.open_folder(sys.argv[1:])
    everything = "--all" in sys.argv or os.environ.get("LUDENS_ALL")
    wrong = []
    for game, path in data.games():
        depth = MORE.get(game, DEPTHS.get(game, 2)) if everything else DEPTHS.get(game, 2)
        wrong += check_counts(game, data.numbers[game], path, depth)
        for trace in data.traces(game):
            for leftovers in (False, True) if everything else (trace.seed % 2 == 0,):
                wrong += check_trace(trace, path, None if everything else PLIES, leftovers)
    print("\n".join(wrong) if wrong else "reference.py agrees with the recorded numbers")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
