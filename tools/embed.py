#!/usr/bin/env python3
"""embed.py FOLDER OUTPUT DEPFILE: writes the games of a folder as the C table of library.h.

Those are FOLDER/NAME.game, called NAME, and the files FOLDER/s3/NAME of the list S3_GAMES, called
s3-NAME in small letters; then a table of the rule sets FOLDER/rules/NAME.rules, called NAME.
FOLDER/lengths.txt has the usual number of moves of a game (tools/lengths.py).
"""

import os
import sys


# `ludens bench --s3-frogs` needs the first two.
S3_GAMES = ["Frogs", "Frogs-classic", "Alquerque", "Alquerque-classic"]


def c_string(line):
    """One line of a file, as bytes, as a C string literal."""
    out = []
    for byte in line:
        char = chr(byte)
        if char == "\n":
            out.append("\\n")
        elif char in '"\\?':  # "??" could begin a trigraph
            out.append("\\" + char)
        elif 32 <= byte < 127:
            out.append(char)
        else:
            out.append("\\%03o" % byte)
    return '"' + "".join(out) + '"'


def files_of(folder):
    return os.listdir(folder) if os.path.isdir(folder) else []


def lengths_of(path):
    """Game -> moves."""
    with open(path, encoding="ascii") as f:
        return {name: int(moves) for name, moves in (line.split() for line in f)}


def table(name, entries, lengths):
    """The lines of a C table of named files."""
    lines = ["const LibraryGame %s[] = {" % name]
    for title, path in entries:
        with open(path, "rb") as f:
            text = f.read()
        lines.append('    {"%s",' % title)
        lines.extend("     " + c_string(line) for line in text.splitlines(True) or [b""])
        lines.append("     , %d, %d}," % (len(text), lengths.get(title, 0)))
    return lines + ["    {0, 0, 0, 0},", "};"]


def named(folder, ending):
    return [(f[: -len(ending)], os.path.join(folder, f)) for f in files_of(folder)
            if f.endswith(ending)]


def main():
    folder, output, depfile = sys.argv[1:]
    s3, beside = os.path.join(folder, "s3"), os.path.join(folder, "rules")
    games = sorted(named(folder, ".game") +
                   [("s3-" + f.lower(), os.path.join(s3, f)) for f in S3_GAMES])
    rules = sorted(named(beside, ".rules"))
    lengths = os.path.join(folder, "lengths.txt")

    lines = ["// Made by tools/embed.py from games.", '#include "game/library.h"', ""]
    lines += table("library_games", games, lengths_of(lengths))
    lines.append("const int library_count = %d;" % len(games))
    lines += table("library_rules", rules, {})
    lines.append("const int library_rules_count = %d;" % len(rules))
    with open(output, "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")

    # The folders themselves are inputs: their time changes when a file is added or removed. While
    # there is none, its parent stands in.
    inputs = [path for _, path in games + rules] + [lengths]
    inputs += [f if os.path.isdir(f) else os.path.dirname(f) for f in (folder, s3, beside)]
    with open(depfile, "w", encoding="utf-8") as f:
        f.write(output + ": " + " ".join(p.replace(" ", "\\ ") for p in inputs) + "\n")


if __name__ == "__main__":
    main()
