#!/usr/bin/env python3
"""embed_clients.py FOLDER OUTPUT DEPFILE: writes FOLDER/LANGUAGE/FILE as the C table of templates.h."""

import os
import sys

from embed import c_string


def main():
    folder, output, depfile = sys.argv[1:]
    languages = sorted(f for f in os.listdir(folder) if os.path.isdir(os.path.join(folder, f)))
    files = [
        (language, name)
        for language in languages
        for name in sorted(os.listdir(os.path.join(folder, language)))
        if name.endswith((".py", ".js", ".c", ".h", "Makefile"))
    ]
    lines = ["// Made by tools/embed_clients.py from clients.", '#include "cli/templates.h"', ""]
    lines.append("const ClientFile client_files[] = {")
    for language, name in files:
        with open(os.path.join(folder, language, name), "rb") as f:
            text = f.read()
        lines.append('    {"%s", "%s",' % (language, name))
        lines.extend("     " + c_string(line) for line in text.splitlines(True) or [b""])
        lines.append("     , %d}," % len(text))
    lines += ["    {0, 0, 0, 0},", "};"]
    with open(output, "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")

    # The folders too: their time changes when a file is added or removed.
    inputs = [os.path.join(folder, *f) for f in files]
    inputs += [os.path.join(folder, language) for language in languages] + [folder]
    with open(depfile, "w", encoding="utf-8") as f:
        f.write(output + ": " + " ".join(p.replace(" ", "\\ ") for p in inputs) + "\n")


main()
