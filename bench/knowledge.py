#!/usr/bin/env python3
"""knowledge.py PROGRAM [--seconds S] [--json]: how many positions a second rule sets judge.

As machine code, beside the reference evaluator, which also has to give the same values. The rule
sets lie in bench/rules, one for each game.
"""

import argparse
import glob
import json
import os
import subprocess
import sys

LEAST_SPEED = 1e6  # evaluations a second on one core: what we want to reach,
LEAST_TIMES = 30   # and so many times the speed of the reference evaluator


def measure(program, path, seconds):
    game = os.path.splitext(os.path.basename(path))[0]
    words = [program, "bench", game, "--knowledge", path, "--seconds", str(seconds), "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit("%s\nends with status %d\n%s" % (" ".join(words), done.returncode, done.stderr))
    [found] = json.loads(done.stdout)
    return {"game": game, "native": found["evaluations_per_second"],
            "reference": found["reference_evaluations_per_second"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules")
    rows = [measure(options.program, path, options.seconds)
            for path in sorted(glob.glob(os.path.join(folder, "*.rules")))]
    if options.json:
        print(json.dumps(rows))
        return
    print("%-16s %14s %14s %8s" % ("rule set", "evaluations/s", "reference/s", "times"))
    for row in rows:
        times = row["native"] / row["reference"]
        short = row["native"] < LEAST_SPEED or times < LEAST_TIMES
        print("%-16s %14.0f %14.0f %8.0f%s" % (row["game"], row["native"], row["reference"], times,
                                               "  too slow" if short else ""))


if __name__ == "__main__":
    main()
