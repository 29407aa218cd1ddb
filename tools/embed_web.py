#!/usr/bin/env python3
"""embed_web.py FOLDER OUTPUT DEPFILE: writes the files of the page as the C table of web.h.

All files of FOLDER and of the folders in it whose ending web.c knows, each as it is and, where that
is smaller, compressed by gzip. The ETag is of the content: a page that is there already is not sent.

index.html is told which modules the first page is made of, so that the browser asks for all of them
at once and not for each when it finds its import.
"""

import gzip
import hashlib
import os
import re
import sys

from embed import c_string

ENDINGS = (".html", ".css", ".js", ".mjs", ".json", ".svg", ".png", ".webmanifest", ".txt")
LINE = 64  # bytes of a literal on one line
FIRST = ["main.js", "library.js"]  # modules of the first page; the others follow from them
IMPORT = re.compile(rb"""^(?:import|export)\b[^'";]*?['"](\./[\w./-]+)['"]""", re.M)


def files_of(folder):
    """(name with slashes, path) of every file, and the folders that were looked at."""
    found, folders = [], []
    for here, inner, names in os.walk(folder):
        inner.sort()
        folders.append(here)
        for name in sorted(names):
            if name.endswith(ENDINGS) and not name.startswith("."):
                path = os.path.join(here, name)
                found.append((os.path.relpath(path, folder).replace(os.sep, "/"), path))
    return found, folders


def modules_of(first, contents):
    """These modules and all that they import, however deep, in the order in which they are found."""
    found = [name for name in first if name in contents]
    for name in found:
        for path in IMPORT.findall(contents[name]):
            other = os.path.normpath(os.path.join(os.path.dirname(name), path.decode()))
            if other in contents and other not in found:
                found.append(other)
    return found


def with_preloads(page, modules):
    links = "".join('<link rel="modulepreload" href="%s">\n' % name for name in modules)
    return page.replace(b"</head>", links.encode() + b"</head>", 1)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def literal(data):
    lines = [data[i : i + LINE] for i in range(0, len(data), LINE)] or [b""]
    return ["     " + c_string(line) for line in lines]


def main():
    folder, output, depfile = sys.argv[1:]
    files, folders = files_of(folder)
    lines = ["// Made by tools/embed_web.py from web.", '#include "server/web.h"', ""]
    lines.append("const WebFile web_files[] = {")
    contents = {name: read(path) for name, path in files}
    if "index.html" in contents:
        contents["index.html"] = with_preloads(contents["index.html"], modules_of(FIRST, contents))
    for name, data in contents.items():
        packed = gzip.compress(data, 9, mtime=0)
        small = packed if len(packed) < len(data) else b""
        tag = hashlib.sha256(data).hexdigest()[:16]
        lines.append('    {"%s", "%s",' % (name, tag))
        lines += literal(data) + ["     , %d," % len(data)]
        lines += literal(small) + ["     , %d}," % len(small)]
    lines += ["    {0, 0, 0, 0, 0, 0},", "};"]
    with open(output, "w", encoding="ascii") as f:
        f.write("\n".join(lines) + "\n")

    # The folders too: their time changes when a file is added or removed.
    inputs = [path for _, path in files] + folders
    with open(depfile, "w", encoding="utf-8") as f:
        f.write(output + ": " + " ".join(p.replace(" ", "\\ ") for p in inputs) + "\n")


main()
