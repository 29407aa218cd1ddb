#!/usr/bin/env python3
"""s3.py PROGRAM [FILE...] [--seconds S] [--json]: speed of S3 files beside the original program.

Random moves per CPU second, as machine code and interpreted. Without files: those of games/s3 and,
where it is there, of ../shared/reference/s3/games.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ORIGINALS = os.path.join(os.path.dirname(ROOT), "shared", "reference", "s3", "games")
OURS = os.path.join(ROOT, "games", "s3")

# Random moves per second of CPU time, measured with the original program on a machine of the same
# kind (Java 17, one thread, 5 s after 2.5 s of warming up). `raw` is what its game loop does: list
# all moves, pick one, make it; `distinct` what its searching players do: list the moves that differ,
# copy the state, make one.
ORIGINAL = {
    "Alquerque": {"raw": 3381, "distinct": 3155},
    "Connect4": {"raw": 2661, "distinct": 2524},
    "Frogs": {"raw": 26803, "distinct": 25173},
    "MasterMind": {"raw": 1079, "distinct": 1088},
    "Mill": {"raw": 10038, "distinct": 8546},
    "Nim": {"raw": 12693, "distinct": 13296},
    "Puzzle8": {"raw": 59901, "distinct": 57950},
    "Reversi": {"raw": 1316, "distinct": 1264},
    "TicTacToe": {"raw": 29516, "distinct": 29073},
}
# What we want to reach, in times the original's speed.
LEAST = {"native": 300, "interp": 30}
LEAST_MEDIAN = 1000
COMPILING = 60  # seconds to wait for machine code


def plies_per_second(program, path, seconds, backend):
    """Of the processor's seconds. A first run compiles; None if that takes too long."""
    command = [program, "bench", path, "--backend", backend, "--json", "--seconds"]
    if backend == "native":
        try:
            subprocess.run(command + ["0.01"], capture_output=True, check=False, timeout=COMPILING)
        except subprocess.TimeoutExpired:
            return None
    done = subprocess.run(command + [str(seconds)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit("%s\n%s" % (" ".join(command), done.stderr))
    return json.loads(done.stdout)[0]["plies_per_second"]


def measure(options, path):
    name = os.path.basename(path)
    row = {"game": name, "path": path}
    for backend in LEAST:
        row[backend] = plies_per_second(options.program, path, options.seconds, backend)
    if os.path.dirname(os.path.abspath(path)) != OURS and name in ORIGINAL and row["native"]:
        row["original"] = ORIGINAL[name]["distinct"]
        for backend in LEAST:
            row[backend + "_times"] = row[backend] / row["original"]
    return row


def print_rows(rows):
    print("Random moves per CPU second, and how many times the original program's they are.\n")
    print("%-20s %14s %14s %10s %9s %9s" % ("", "machine code", "interpreted", "original",
                                            "times", "times"))
    for row in rows:
        native = "%.0f" % row["native"] if row["native"] else "-"
        line = "%-20s %14s %14.0f" % (row["game"], native, row["interp"])
        if "original" in row:
            line += " %10.0f %9.0f %9.0f" % (row["original"], row["native_times"],
                                             row["interp_times"])
            line += "  <" if any(row[b + "_times"] < LEAST[b] for b in LEAST) else ""
        print(line)
    known = [row for row in rows if "original" in row]
    if known:
        medians = [statistics.median(row[b + "_times"] for row in known) for b in LEAST]
        print("%-20s %14s %14s %10s %9.0f %9.0f" % ("median", "", "", "", *medians))
        print("\n< falls short of %d times as machine code, %d times interpreted; the median of the"
              "\nfirst should be %d." % (*LEAST.values(), LEAST_MEDIAN))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--seconds", type=float, default=1, help="per file and way to run it")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_intermixed_args()
    files = options.files
    for folder in [] if files else [ORIGINALS, OURS]:
        if os.path.isdir(folder):
            files = files + [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    rows = [measure(options, path) for path in files]
    if options.json:
        print(json.dumps(rows))
    else:
        print_rows(rows)


main()
