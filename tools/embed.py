#!/usr/bin/env python3
"""embed.py FOLDER OUTPUT DEPFILE: writes the games of a folder as the C table of library.h."""

import os
import sys


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


def main():
    folder, output, depfile = sys.argv[1:]
    names = []
    if os.path.isdir(folder):
        names = sorted(f for f in os.listdir(folder) if f.endswith(".game"))
    paths = [os.path.join(folder, name) for name in names]

    lines = ["// Made by tools/embed.py from games/*.game.", '#include "game/library.h"', ""]
    lines.append("const LibraryGame library_games[] = {")
    for name, path in zip(names, paths):
        with open(path, "rb") as f:
            text = f.read()
        lines.append('    {"%s",' % name[: -len(".game")])
        lines.extend("     " + c_string(line) for line in text.splitlines(True) or [b""])
        lines.append("     , %d}," % len(text))
    lines.append("    {0, 0, 0},")
    lines.append("};")
    lines.append("const int library_count = %d;" % len(names))
    with open(output, "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")

    # The folder itself is an input: its time changes when a file is added or removed. While there
    # is none, its parent stands in.
    inputs = paths + [folder if os.path.isdir(folder) else os.path.dirname(folder)]
    with open(depfile, "w", encoding="utf-8") as f:
        f.write(output + ": " + " ".join(p.replace(" ", "\\ ") for p in inputs) + "\n")


main()
