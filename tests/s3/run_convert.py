#!/usr/bin/env python3
"""run_convert.py PROGRAM [--folder F]: S3 files as `.game` files.

Converts the files of convert/ beside this one and, where it lies beside the project, the original
files. What comes out must pass `check` and `fmt --check` and count the same sequences of moves as
the S3 file does and as the original program recorded. Files that are not converted must say why, with
a line. A share of the depths, or all that were recorded with LUDENS_ALL=1.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
MOST = 10 ** 9 if os.environ.get("LUDENS_ALL") else 120000

OWN = ["Path", "Rows"]
OWN_REFUSED = ["Points"]
ORIGINAL = ["Alquerque", "Connect4", "Frogs", "Puzzle8", "TicTacToe"]
ORIGINAL_REFUSED = ["MasterMind", "Mill", "Nim", "Reversi"]


class Converter:
    def __init__(self, program, folder):
        self.program, self.folder, self.wrong = program, folder, []

    def run(self, *words):
        return subprocess.run([self.program, *words], check=False, capture_output=True, text=True)

    def nodes(self, path, depth):
        result = self.run("perft", path, str(depth), "--json")
        return json.loads(result.stdout)["nodes"] if result.returncode == 0 else result.stderr

    def expect(self, holds, message):
        if not holds:
            self.wrong.append(message)

    def converts(self, path, counts=None):
        name = os.path.basename(path)
        result = self.run("convert", path)
        self.expect(result.returncode == 0, "%s is not converted: %s" % (name, result.stderr))
        if result.returncode:
            return
        made = os.path.join(self.folder, name + ".game")
        with open(made, "w", encoding="utf-8") as f:
            f.write(result.stdout)
        self.expect(result.stdout.startswith("# " + name), name + " does not begin with its origin")
        for words in (["fmt", "--check", made], ["check", made, "--games", "20"]):
            done = self.run(*words)
            self.expect(done.returncode == 0, "%s: %s: %s" % (name, words[0], done.stderr))
        for depth in range(len(counts) if counts else 8):
            old = self.nodes(path, depth) if not counts or counts[depth] <= MOST else None
            if old is None or (isinstance(old, int) and old > MOST):
                break
            new = self.nodes(made, depth)
            self.expect(old == new, "%s, depth %d: %s, converted %s" % (name, depth, old, new))
            self.expect(not counts or counts[depth] == new,
                        "%s, depth %d: %s, recorded %s" % (name, depth, new, counts and counts[depth]))

    def refuses(self, path):
        name = os.path.basename(path)
        result = self.run("convert", path)
        self.expect(result.returncode == 1 and result.stdout == "", name + " is converted")
        self.expect("not converted: " in result.stderr, name + ": no reason is given")
        reasons = json.loads(self.run("convert", path, "--json").stdout)["reasons"]
        self.expect(reasons and all(r["line"] > 0 for r in reasons), name + ": a reason has no line")


    def lays(self, path):
        """Where a converted file says that its board lies, the arm's joints in the S3 file lead there, to 1.5 cm."""
        name = os.path.basename(path)
        made = os.path.join(self.folder, name + ".game")
        says, asked = [self.run("robot", "check", each, "--json") for each in (made, path)]
        self.expect(says.returncode == 0 == asked.returncode, "%s: %s%s" % (name, says.stderr, asked.stderr))
        if says.returncode or asked.returncode:
            return
        new, old = [
            [p for p in json.loads(each.stdout)["places"] if not p["store"]] for each in (says, asked)
        ]
        for p, q in zip(new, old):
            far = max(abs(p["x"] - q["x"]), abs(p["y"] - q["y"]), abs(p["z"] - q["z"]))
            self.expect(far < 1.5, "%s: %s lies %.1f cm from %s" % (name, p["name"], far, q["name"]))

    def says(self, name, text):
        with open(os.path.join(self.folder, name + ".game"), encoding="utf-8") as f:
            self.expect(text in f.read(), "%s does not say: %s" % (name, text))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--folder", default=os.path.join(os.path.dirname(TOP), "shared", "reference", "s3"))
    args = parser.parse_args()
    own = os.path.join(HERE, "convert")
    with tempfile.TemporaryDirectory() as folder:
        converter = Converter(args.program, folder)
        for name in OWN:
            converter.converts(os.path.join(own, name))
        for name in OWN_REFUSED:
            converter.refuses(os.path.join(own, name))
        if os.path.isdir(args.folder):
            with open(os.path.join(args.folder, "oracle.json"), encoding="utf-8") as f:
                recorded = json.load(f)["games"]
            games = os.path.join(args.folder, "games")
            for name in ORIGINAL:
                converter.converts(os.path.join(games, name), recorded[name]["perft_best"])
            converter.lays(os.path.join(games, "Frogs"))
            converter.says("Connect4", "\ntable\n    middle ")
            for name in ("Alquerque", "TicTacToe", "Puzzle8"):
                converter.says(name, "# The S3 file gives its places the same joints")
            for name in ORIGINAL_REFUSED:
                converter.refuses(os.path.join(games, name))
        else:
            print("skipped: there are no original files in " + args.folder)
    for line in converter.wrong:
        print(line)
    print("%d wrong" % len(converter.wrong))
    return 1 if converter.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
