#!/usr/bin/env python3
"""tools/strength.py: plays, keeps what was played, goes on, and lets two builds play.

    run_strength.py PROGRAM
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "tools", "strength.py")
WHO = ["--game", "tic-tac-toe", "--player", "alphabeta:nodes=3k,heuristic=none,threads=1"]
WHO += ["--against", "random", "--jobs", "1"]


def play(program, *more):
    done = subprocess.run(
        [sys.executable, TOOL, program, *WHO, *more], capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit("strength.py %s: %s" % (" ".join(more), done.stderr))
    return done.stdout


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def check(what, good):
    if not good:
        sys.exit("strength.py: " + what)


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        table = play(program, "--games", "2", "--log", log)
        first = lines_of(log)
        check("two games, two lines", len(first) == 2)
        check("a perfect player lost", all(json.loads(s)["points"] >= 0.5 for s in first))
        check("no table: " + table, table.startswith("| | tic-tac-toe |"))
        check("played again", play(program, "--games", "2", "--log", log) == table)
        check("the log grew", lines_of(log) == first)
        with open(log, "w", encoding="utf-8") as file:  # as if it was stopped within a line
            file.write(first[0] + "\n" + first[1][:20] + "\n")
        check("not the same after a stop", play(program, "--games", "2", "--log", log) == table)
        check("not gone on with", len(lines_of(log)) == 3)
        play(program, "--games", "2", "--log", log, "--seed", "5")
        check("another seed, other games", len(lines_of(log)) == 5)
        other = os.path.join(folder, "other")  # as good as another build
        os.symlink(program, other)
        check("two programs differ from one", play(program, "--games", "2", "--other", other) == table)
    print("5 matches played")


if __name__ == "__main__":
    main()
