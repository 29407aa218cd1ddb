#!/usr/bin/env python3
"""random_files.py PROGRAM [SEED...]: random S3 files, played here and by the program.

For every seed a file is made (random_s3.py), and random games are played on reference.py and on the
program: legal moves, the player on move, scores, winners, what stands where, and which positions are
equal must agree, and where the rules fail here, they must fail there. Without seeds a fixed set is
tried, more with LUDENS_ALL=1. `--show SEED` prints a file. `--keep FOLDER` keeps those that differ.
"""
import argparse
import os
import random
import re
import sys
import tempfile

import random_s3
import reference
from players import Follower, ProgramError, call, winner_of

INTERPRETED, NATIVE = range(1, 61), range(1, 9)  # the fixed set: compiling takes its time
MORE_INTERPRETED, MORE_NATIVE = range(1, 1501), range(1, 101)
GAMES, PLIES = 3, 9


class Difference(Exception):
    pass


class Players:
    """The same game on both sides, in step."""

    def __init__(self, program, path, text, backend):
        self.spec = reference.read(text)
        self.engine = reference.Engine(self.spec)
        self.names = call(program, "games", path, "--json")["players"]
        self.every = Follower(program, path, "moves=all", "--backend", backend)
        self.distinct = Follower(program, path, "--backend", backend)
        self.numbers = {name: i + 1 for i, name in enumerate(self.spec.elements)}
        self.keys = {}  # of the program: key here
        # Where rules ask which element moves from where, equal ones stay apart.
        rules = "".join(line for line in text.splitlines(True)
                        if not line.startswith(("element=", "from=")))
        self.asks_which = re.search(r"\$[IXY]\b", rules) is not None

    def close(self):
        self.every.close()
        self.distinct.close()

    def differ(self, what, theirs, ours):
        if theirs != ours:
            raise Difference("%s: %s, expected %s" % (what, theirs, ours))

    def expect_fault(self, what, here):
        if "fault" not in here:
            raise Difference("the rules fail (%s), but the program plays on" % what)

    def compare(self, state, moves, here):
        """A position that is in both; `moves` are ours."""
        if "fault" in here:
            raise Difference("the program reports: " + here["fault"])
        winner = state.winner if state.winner != -1 or moves else 0  # nobody can move: a draw
        self.differ("winner", winner_of(here, self.names), winner)
        self.differ("player", here["player"], self.names[state.player - 1])
        self.differ("scores", here["values"].get("score", state.scores), state.scores)
        if "content" in here["values"]:
            ours = [self.numbers.get(state.content.get(at), 0) for at in self.spec.locations]
            self.differ("contents", here["values"]["content"], ours)
        self.differ("moves", sorted(here["moves"]),
                    sorted(reference.MOVE_TEXT % m[:3] for m in moves))
        ours = self.engine.key(state)
        self.differ("equal positions", self.keys.setdefault(here["key"], ours), ours)
        self.compare_distinct(state, moves, here)

    def compare_distinct(self, state, moves, here):
        found = self.distinct.say("state " + here["state"])
        if "fault" in found:
            raise Difference("only with distinct moves the program reports: " + found["fault"])
        by_text = {reference.MOVE_TEXT % m[:3]: m for m in moves}
        classes = [self.engine.class_of(state, by_text[m]) for m in found["moves"] if m in by_text]
        if len(classes) != len(found["moves"]):
            raise Difference("distinct moves: %s are not among all moves" % found["moves"])
        ours = {self.engine.class_of(state, m) for m in moves}
        self.differ("classes of distinct moves", set(classes), ours)
        if not self.asks_which:
            self.differ("distinct moves", len(classes), len(ours))

    def play(self, rng, plies):
        """One random game; False if the program has ended with a fault."""
        here, state = self.every.say("restart"), reference.State(self.spec)
        for _ in range(plies):
            try:
                moves = self.engine.moves(state)
            except reference.S3Error as error:
                self.expect_fault(error, here)
                return False
            self.compare(state, moves, here)
            if not moves:
                return True
            move = rng.choice(moves)
            text = reference.MOVE_TEXT % move[:3]
            try:
                state = self.engine.apply(state, move)
            except reference.S3Error as error:
                self.expect_fault("%s: %s" % (text, error), self.every.say(text))
                return False
            here = self.every.say(text)
        return True


def fault_at_start(text):
    try:
        engine = reference.Engine(reference.read(text))
        engine.moves(reference.State(engine.spec))
    except reference.S3Error as error:
        return str(error)
    return None


def try_file(program, path, text, seed, backend):
    """None, or what differs; raises ProgramError if the file is refused."""
    players, rng = None, random.Random(seed)
    try:
        players = Players(program, path, text, backend)
        failed = fault_at_start(text)
        if failed:
            players.expect_fault(failed, players.every.now)
            return None
        for side in (players.every, players.distinct):
            if "fault" in side.now:
                raise Difference("at the start the program reports: " + side.now["fault"])
        for _ in range(GAMES):
            if not players.play(rng, PLIES):
                break
    except Difference as error:
        return str(error)
    except reference.Exhausted:
        return None
    finally:
        if players:
            players.close()
    return None


def run(options, seeds, backend, folder):
    wrong = []
    for seed in seeds:
        text = random_s3.make(seed)
        path = os.path.join(folder, "Random%d" % seed)
        with open(path, "w", encoding="ascii", newline="") as file:
            file.write(text)
        try:
            found = try_file(options.program, path, text, seed, backend)
        except (ProgramError, BrokenPipeError) as error:
            found = "refused: %s" % error
        if found:
            wrong.append("seed %d, %s: %s" % (seed, backend, found))
            if options.keep:
                with open(os.path.join(options.keep, "Random%d" % seed), "w") as file:
                    file.write(text)
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("seeds", nargs="*", type=int)
    parser.add_argument("--backend", choices=["interp", "native"])
    parser.add_argument("--show", type=int)
    parser.add_argument("--keep")
    options = parser.parse_intermixed_args()
    if options.show is not None:
        print(random_s3.make(options.show), end="")
        return 0
    options.program = os.path.abspath(options.program)
    more = os.environ.get("LUDENS_ALL")
    sets = {"interp": MORE_INTERPRETED if more else INTERPRETED,
            "native": MORE_NATIVE if more else NATIVE}
    wrong, count = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for backend, seeds in sets.items():
            if options.backend in (None, backend):
                wrong += run(options, options.seeds or seeds, backend, folder)
                count += len(options.seeds or seeds)
    print("\n".join(wrong))
    print("%d of %d random files agree" % (count - len(wrong), count))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
