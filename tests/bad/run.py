#!/usr/bin/env python3
"""run.py PROGRAM FOLDER [--bless] [NAME...]: broken files get exactly the message beside them.

Each file of the folder has one mistake: NAME.game, NAME.s3 for files of the S3Games system, or
NAME.rules for rules files, which stand beside the game of the folder `beside`.
NAME.expect holds what `ludens check` prints about it on standard error. A file with an error makes
the program end with 1; one that only draws warnings with 0, and is then played. --bless writes the
.expect files anew: read the difference before keeping them.
"""

import difflib
import os
import subprocess
import sys

ENDINGS = (".game", ".s3", ".rules")
BESIDE = os.path.join("beside", "stones.game")
# Faults that only show in play show soon here; exactly so many games give the same every time.
GAMES = "20"


def read(path):
    try:
        with open(path, encoding="utf-8") as f:
            return f.read()
    except FileNotFoundError:
        return None


def check(program, folder, file):
    """What the program prints about the file, and a complaint or None."""
    what = [BESIDE, "--knowledge", file] if file.endswith(".rules") else [file]
    result = subprocess.run(
        [program, "check", "--games", GAMES] + what,
        cwd=folder, capture_output=True, text=True, timeout=280, check=False,
    )
    wanted = 1 if ": error: " in result.stderr else 0
    if result.returncode != wanted:
        return result.stderr, "ends with %d, not %d" % (result.returncode, wanted)
    if not result.stderr:
        return result.stderr, "is accepted without a message"
    if wanted == 0 and not result.stdout.startswith(what[0] + ": ok\n"):
        return result.stderr, "has only warnings but is not ok"
    return result.stderr, None


def main():
    words = [a for a in sys.argv[1:] if a != "--bless"]
    if len(words) < 2:
        sys.exit(__doc__)
    bless = "--bless" in sys.argv
    program, folder = os.path.abspath(words[0]), words[1]
    files = {os.path.splitext(f)[0]: f for f in os.listdir(folder) if f.endswith(ENDINGS)}
    names = words[2:] or sorted(files)
    failed = 0
    for name in names:
        path = os.path.join(folder, name + ".expect")
        found, complaint = check(program, folder, files[name])
        expected = read(path)
        if bless and not complaint and found != expected:
            print("blessed", name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(found)
            expected = found
        if complaint:
            print("%s %s" % (files[name], complaint))
        elif found != expected:
            print("".join(difflib.unified_diff(
                (expected or "").splitlines(True), found.splitlines(True),
                name + ".expect", "found")))
        failed += complaint is not None or found != expected
    kept = {f[:-7] for f in os.listdir(folder) if f.endswith(".expect")}
    for name in sorted(kept - set(files)):
        print("%s.expect has no rules file" % name)
        failed += 1
    print("%d files, %d wrong" % (len(names), failed))
    sys.exit(1 if failed else 0)


main()
