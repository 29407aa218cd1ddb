#!/usr/bin/env python3
"""Proves games whose values are known, from their rules files alone.

    run_values.py PROGRAM

With LUDENS_ALL=1 also those that take long.
"""
import json
import os
import random
import subprocess
import sys

# By rows, then columns: who wins (Vertical, Horizontal; 1, 2: the player who moves first, second).
DOMINEERING = ["2HHHHH", "V11HV1", "V11HHH", "VVV1V1", "VHVH2H", "V1V1V1"]
# Width, height, value. Those of the second table take long.
CONNECT_FOUR = [
    (4, 4, "draw"), (5, 4, "draw"), (6, 4, "second"), (4, 5, "draw"), (5, 5, "draw"),
    (6, 5, "draw"), (4, 6, "draw"), (5, 6, "draw"),
]
CONNECT_FOUR_LONG = [(6, 6, "second")]
OTHERS = [
    ("tic-tac-toe", "draw"),
    ("three-mens-morris", "first"),
    ("three-mens-morris flying=yes", "draw"),
    ("fox-and-hounds", "second"),
    ("hex size=3", "first"),
    ("reversi size=4", "second"),
    ("frogs frogs=4", "first"),
    ("eight-puzzle", "first"),
]
OTHERS_LONG = [("hex size=4", "first"), ("breakthrough size=4", "second")]


def cases():
    """(arguments, value) of everything that is to be proven."""
    long = os.environ.get("LUDENS_ALL") == "1"
    for rows, line in enumerate(DOMINEERING, 1):
        for columns, who in enumerate(line, 1):
            for first in "VH":
                wins = "first" if who in (first, "1") else "second"
                yield "domineering rows=%d columns=%d --first %s" % (
                    rows, columns, "Vertical" if first == "V" else "Horizontal"), wins
    for width, height, value in CONNECT_FOUR + (CONNECT_FOUR_LONG if long else []):
        yield "connect-four width=%d height=%d" % (width, height), value
    yield from OTHERS + (OTHERS_LONG if long else [])
    choice = random.Random(4)
    for _ in range(50):
        heaps = [choice.randint(1, 31) for _ in range(choice.randint(1, 16))]
        value = 0
        for heap in heaps:
            value ^= heap
        yield "nim heaps=" + ",".join(map(str, heaps)), "first" if value else "second"


def main():
    failed = count = 0
    show = os.environ.get("LUDENS_SHOW") == "1"
    for arguments, wanted in cases():
        command = [sys.argv[1], "prove", *arguments.split(), "--json"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        found = json.loads(run.stdout) if run.returncode == 0 else {"value": run.stderr}
        count += 1
        if found["value"] != wanted:
            failed += 1
            print("%s: %s, not %s" % (arguments, found["value"], wanted))
        elif show:
            print("%-50s %-7s %10d %8.2f s" % (arguments, wanted, found["nodes"], found["seconds"]))
    print("%d values, %d wrong" % (count, failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
