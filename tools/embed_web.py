#!/usr/bin/env python3
"""embed_web.py FOLDER PAGES OUTPUT DEPFILE: writes the files of the page as the C table of web.h.

All files of FOLDER and of the folders in it whose ending web.c knows, and those of PAGES, a JSON
object of names and contents (tools/library_pages.c); each as it is and, where that is smaller,
compressed by gzip. The ETag is of the content: a page that is there already is not sent.

What the first page needs comes as one module and one style (bundle_web.py): a browser is done with
these sooner than with thirty files. first.html is index.html with the list of games in it.
"""

import gzip
import hashlib
import json
import os
import re
import sys

from bundle_web import BundleError, bundle
from embed import c_string

ENDINGS = (".html", ".css", ".js", ".mjs", ".json", ".svg", ".png", ".webmanifest", ".txt")
LINE = 64  # bytes of a literal on one line
HOME = "main.js"  # becomes the first page's module
FIRST = ["library.js"]  # what the first page opens at once, and all that it imports
STYLE = "first.css"  # the styles of index.html and
FIRST_STYLES = ["library.css", "board.css"]
STYLE_LINK = re.compile(r'<link rel="stylesheet" href="([\w.-]+)">\n')


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


def join_modules(contents):
    texts = {name: data.decode() for name, data in contents.items() if name.endswith(".js")}
    contents.update((name, text.encode()) for name, text in bundle(HOME, FIRST, texts).items())


def join_styles(contents):
    """One style instead of several; the link says which of the later ones it holds (ui.js)."""
    page = contents["index.html"].decode()
    names = STYLE_LINK.findall(page) + FIRST_STYLES
    link = '<link rel="stylesheet" href="%s" data-holds="%s">\n' % (STYLE, " ".join(FIRST_STYLES))
    page = STYLE_LINK.sub(lambda _, links=iter([link]): next(links, ""), page)
    contents[STYLE] = b"".join(contents[name] for name in names)
    contents["index.html"] = page.encode()


def with_library(page, library):
    """The list of games as data that is not run: the policy allows no scripts inside the page."""
    block = '<script type="application/json" id="library">%s</script>\n'
    return page.replace("</head>", block % library.replace("<", "\\u003c") + "</head>", 1)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def literal(data):
    lines = [data[i : i + LINE] for i in range(0, len(data), LINE)] or [b""]
    return ["     " + c_string(line) for line in lines]


def main():
    folder, pages, output, depfile = sys.argv[1:]
    files, folders = files_of(folder)
    lines = ["// Made by tools/embed_web.py from web.", '#include "server/web.h"', ""]
    lines.append("const WebFile web_files[] = {")
    contents = {name: read(path) for name, path in files}
    try:
        join_modules(contents)
    except BundleError as error:
        sys.exit("embed_web.py: %s" % error)
    join_styles(contents)
    games = json.loads(read(pages))
    contents.update((name, text.encode()) for name, text in games.items())
    first = with_library(contents["index.html"].decode(), games["library.json"])
    contents["first.html"] = first.encode()
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
