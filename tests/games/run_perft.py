#!/usr/bin/env python3
"""Counts move sequences with `ludens perft` and compares them with perft.txt.

    run_perft.py PROGRAM [WORD]     only the lines that contain WORD

Prints every difference; exit status 1 if there is one.
"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
STATE = "state="


def read_table(path):
    """Rows of (line number, game, parameters, state or None, depth, nodes)."""
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = shlex.split(line, comments=True)
            if not words:
                continue
            game, *params, depth, nodes = words
            state = next((p[len(STATE):] for p in params if p.startswith(STATE)), None)
            params = [p for p in params if not p.startswith(STATE)]
            yield number, game, params, state, int(depth), int(nodes)


def run(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=600,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"exit status {done.returncode}")
    return json.loads(done.stdout)


def count(program, game, params, state, depth):
    more = ["--state", state] if state is not None else []
    return run(program, "perft", game, *params, str(depth), "--json", *more)["nodes"]


def compare(program, row):
    """None, or what is wrong."""
    number, game, params, state, depth, nodes = row
    where = f"perft.txt:{number}: {' '.join([game, *params])} depth {depth}"
    where += f' from "{state}"' if state else ""
    try:
        found = count(program, game, params, state, depth)
    except (RuntimeError, ValueError, KeyError, OSError, subprocess.TimeoutExpired) as error:
        return f"{where}: {error}"
    return None if found == nodes else f"{where}: {found}, expected {nodes}"


def main():
    program = os.path.abspath(sys.argv[1])
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    rows = list(read_table(os.path.join(FOLDER, "perft.txt")))
    rows = [r for r in rows if word in " ".join([r[1], *r[2]])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [w for w in pool.map(lambda r: compare(program, r), rows) if w]
    for line in wrong:
        print(line)
    print(f"{len(rows) - len(wrong)} of {len(rows)} counts agree")
    return 1 if wrong or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
