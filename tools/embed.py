#!/usr/bin/env python3
"""embed.py FOLDER OUTPUT DEPFILE: writes the games of a folder as the C table of library.h.

Those are FOLDER/NAME.game, called NAME, and the files FOLDER/s3/NAME of the list S3_GAMES, called
s3-NAME in small letters.
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


def main():
    folder, output, depfile = sys.argv[1:]
    s3 = os.path.join(folder, "s3")
    games = [(f[: -len(".game")], os.path.join(folder, f)) for f in files_of(folder)
             if f.endswith(".game")]
    games += [("s3-" + f.lower(), os.path.join(s3, f)) for f in S3_GAMES]
    games.sort()
    paths = [path for _, path in games]

    lines = ["// Made by tools/embed.py from games.", '#include "game/library.h"', ""]
    lines.append("const LibraryGame library_games[] = {")
    for name, path in games:
        with open(path, "rb") as f:
            text = f.read()
        lines.append('    {"%s",' % name)
        lines.extend("     " + c_string(line) for line in text.splitlines(True) or [b""])
        lines.append("     , %d}," % len(text))
    lines.append("    {0, 0, 0},")
    lines.append("};")
    lines.append("const int library_count = %d;" % len(games))
    with open(output, "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")

    # The folders themselves are inputs: their time changes when a file is added or removed. While
    # there is none, its parent stands in.
    inputs = paths + [f if os.path.isdir(f) else os.path.dirname(f) for f in (folder, s3)]
    with open(depfile, "w", encoding="utf-8") as f:
        f.write(output + ": " + " ".join(p.replace(" ", "\\ ") for p in inputs) + "\n")


main()
