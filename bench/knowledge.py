#!/usr/bin/env python3
"""knowledge.py PROGRAM [--seconds S] [--json]: how many positions a second rule sets judge.

As machine code, beside the reference evaluator, which also has to give the same values. The rule
sets lie in bench/rules, one for each game. Then rules that are written twice, in tests/knowledge,
for the rules language and for CLIPS: they have to give the same values too.
"""

import argparse
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile

LEAST_SPEED = 1e6  # evaluations a second on one core: what we want to reach,
LEAST_TIMES = 30   # and so many times the speed of the reference evaluator
LEAST_CLIPS = 300  # or of CLIPS
HERE = os.path.dirname(os.path.abspath(__file__))


def bare(name, folder):
    """A copy of a game of the library without its own knowledge, which may use the same names."""
    kept, leave_out = [], False
    for line in open(os.path.join(HERE, "..", "games", name + ".game"), encoding="utf-8"):
        if not line[0].isspace():
            leave_out = line.strip() in ("facts", "rules", "worth", "prefer")
        if not leave_out:
            kept.append(line)
    path = os.path.join(folder, name + ".game")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(kept)
    return path


def bench(program, name, path, seconds):
    with tempfile.TemporaryDirectory() as folder:
        return bench_game(program, bare(name, folder), path, seconds)


def bench_game(program, game, path, seconds):
    words = [program, "bench", game, "--knowledge", path, "--seconds", str(seconds), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    if "built without CLIPS" in done.stderr:
        return None
    if done.returncode != 0:
        sys.exit("%s\nends with status %d\n%s" % (" ".join(words), done.returncode, done.stderr))
    [found] = json.loads(done.stdout)
    return found


def measure(program, path, seconds):
    game = os.path.splitext(os.path.basename(path))[0]
    found = bench(program, game, path, seconds)
    return {"game": game, "native": found["evaluations_per_second"],
            "reference": found["reference_evaluations_per_second"]}


def measure_clips(program, path, seconds):
    """Both forms of the rules in turns; None without CLIPS."""
    name, _ = os.path.splitext(path)
    game = os.path.basename(name)
    native, clips = [], []
    for _ in range(3):
        ours = bench(program, game, name + ".rules", seconds / 2)
        theirs = bench(program, game, path, seconds / 2)
        if not theirs:
            return None
        if ours["values"] != theirs["values"]:
            sys.exit("%s and %s.rules give different values" % (path, name))
        native.append(ours["evaluations_per_second"])
        clips.append(theirs["evaluations_per_second"])
    return {"game": game, "native": statistics.median(native), "clips": statistics.median(clips)}


def print_clips(rows):
    print("\n%-16s %14s %14s %8s" % ("rules in CLIPS", "evaluations/s", "CLIPS/s", "times"))
    for row in rows:
        if not row:
            print("not measured: built without CLIPS")
            continue
        times = row["native"] / row["clips"]
        print("%-16s %14.0f %14.0f %8.0f%s" % (row["game"], row["native"], row["clips"], times,
                                               "  too slow" if times < LEAST_CLIPS else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    here = os.path.dirname(os.path.abspath(__file__))
    folder = os.path.join(here, "rules")
    rows = [measure(options.program, path, options.seconds)
            for path in sorted(glob.glob(os.path.join(folder, "*.rules")))]
    twice = [measure_clips(options.program, path, options.seconds) for path in
             sorted(glob.glob(os.path.join(here, "..", "tests", "knowledge", "*.clp")))]
    if options.json:
        print(json.dumps({"rules": rows, "clips": [row for row in twice if row]}))
        return
    print("%-16s %14s %14s %8s" % ("rule set", "evaluations/s", "reference/s", "times"))
    for row in rows:
        times = row["native"] / row["reference"]
        short = row["native"] < LEAST_SPEED or times < LEAST_TIMES
        print("%-16s %14.0f %14.0f %8.0f%s" % (row["game"], row["native"], row["reference"], times,
                                               "  too slow" if short else ""))
    print_clips(twice)


if __name__ == "__main__":
    main()
