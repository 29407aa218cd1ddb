#!/usr/bin/env python3
"""lint.py [--no-format | --fix]: checks the layout of the sources, or formats them.

What is checked is the list CHECKS at the end. Prints `file:line: what is wrong` per finding.
"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What a folder of src may include, besides itself. Data flows from left to right:
#   base < ir < (lang, s3, vm, native) < game < knowledge < search < match < server < cli
#   base < vision < robot < server, and robot uses game
MAY_INCLUDE = {
    "base": [],
    "ir": ["base"],
    "lang": ["base", "ir"],
    "vm": ["base", "ir"],
    "native": ["base", "ir"],
    "s3": ["base", "ir"],
    "game": ["base", "ir", "lang", "s3", "vm", "native"],
    "knowledge": ["base", "ir", "lang", "s3", "vm", "native", "game"],
    "search": ["base", "ir", "game", "knowledge"],
    "match": ["base", "ir", "game", "search"],
    "vision": ["base"],
    "robot": ["base", "ir", "game", "vision"],
    "server": [
        "base", "ir", "lang", "game", "knowledge", "search", "match", "vision", "robot",
    ],
    "cli": [
        "base", "ir", "lang", "s3", "vm", "native", "game", "knowledge", "search", "match", "vision",
        "robot", "server",
    ],
}
# Folders that may include the public header, ludens.h.
MAY_INCLUDE_PUBLIC = ["game", "match", "cli"]

LINE_LIMIT = 100
SKIPPED_FOLDERS = {".git", "__pycache__", "corpus", "node_modules"}
TEXT_ENDINGS = (".c", ".h", ".py", ".sh", ".md", ".game", ".txt", ".build", ".map", ".js", ".mjs", ".css", ".html")
TEXT_NAMES = {"Makefile", "VERSION", ".clang-format", ".editorconfig", ".gitignore", "run"}

# In pieces, so that this file passes its own check.
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")
PRIVATE_PATH = re.compile(r"(?<![\w.)/-])/(home|root|Users|work|workspace|builds|mnt)/\w")

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def all_files():
    """Every file of the tree, relative to ROOT, in a fixed order."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(
            f for f in folders if f not in SKIPPED_FOLDERS and not re.match(r"build(-|$)", f)
        )
        found += [os.path.relpath(os.path.join(folder, f), ROOT) for f in sorted(files)]
    return found


def is_text(path):
    return path.endswith(TEXT_ENDINGS) or os.path.basename(path) in TEXT_NAMES


class Tree:
    """The files, read once."""

    def __init__(self):
        self.files = all_files()
        self.c_files = [f for f in self.files if f.endswith((".c", ".h"))]
        self.sources = [f for f in self.c_files if f.startswith("src/")]
        self.text = {}
        for path in self.files:
            if is_text(path):
                with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as f:
                    self.text[path] = f.read()

    def lines(self, path):
        return enumerate(self.text[path].split("\n"), 1)

    def includes(self, path):
        """(line, path as written) of every #include "..."."""
        for number, line in self.lines(path):
            match = INCLUDE.match(line)
            if match:
                yield number, match.group(1)


def check_direction(tree):
    """Folders include only what lies before them in the table."""
    for path in tree.sources:
        folder = path.split("/")[1] if path.count("/") > 1 else ""
        if folder not in MAY_INCLUDE:
            yield path, 1, "the folder is not in the table MAY_INCLUDE of tools/lint.py"
            continue
        for number, name in tree.includes(path):
            target = name.split("/")[0]
            if name == "ludens.h":
                if folder not in MAY_INCLUDE_PUBLIC:
                    yield path, number, "%s must not include the public header" % folder
            elif "/" not in name or target not in MAY_INCLUDE:
                yield path, number, 'write the include as "folder/file.h", seen from src'
            elif target != folder and target not in MAY_INCLUDE[folder]:
                yield path, number, "%s must not include %s" % (folder, target)
            elif "src/" + name not in tree.text:
                yield path, number, "there is no src/" + name


def check_cycles(tree):
    """No header includes itself by way of others."""
    edges = {p: ["src/" + n for _, n in tree.includes(p)] for p in tree.sources}
    done = set()

    def visit(path, trail):
        if path in trail:
            cycle = trail[trail.index(path) :] + [path]
            yield path, 1, "includes itself: " + " -> ".join(cycle)
        elif path not in done:
            for target in edges.get(path, []):
                yield from visit(target, trail + [path])
            done.add(path)

    for path in tree.sources:
        yield from visit(path, [])


def check_names(tree):
    """A file name says which file is meant without its folder."""
    seen = {}
    for path in tree.files:
        if path.startswith("src/"):
            name = os.path.basename(path)
            if name in seen:
                yield path, 1, "has the same name as " + seen[name]
            seen.setdefault(name, path)


def check_built(tree):
    """Every source and every test is in a meson.build."""
    build = tree.text.get("meson.build", "")
    tests = tree.text.get("tests/meson.build", "")
    fuzz = tree.text.get("tests/fuzz/meson.build", "")
    for path in tree.c_files:
        if path.startswith("src/") and path.endswith(".c") and "'%s'" % path not in build:
            yield path, 1, "is not listed in meson.build"
        for pattern, text, where in (
            (r"tests/unit/test_(\w+)\.c$", tests, "tests/meson.build"),
            (r"tests/fuzz/fuzz_(\w+)\.c$", fuzz, "tests/fuzz/meson.build"),
        ):
            match = re.match(pattern, path)
            if match and "'%s'" % match.group(1) not in text:
                yield path, 1, "is not listed in " + where


def check_lines(tree):
    """Tabs, trailing blanks and long lines in C files."""
    for path in tree.c_files:
        for number, line in tree.lines(path):
            if "\t" in line:
                yield path, number, "has a tab"
            if line != line.rstrip():
                yield path, number, "ends with blanks"
            if len(line) > LINE_LIMIT:
                yield path, number, "has more than %d columns" % LINE_LIMIT
        if not tree.text[path].endswith("\n"):
            yield path, tree.text[path].count("\n") + 1, "does not end with a newline"


def check_words(tree):
    """Nothing unfinished, nothing that holds on one machine only."""
    for path in tree.text:
        for number, line in tree.lines(path):
            match = UNFINISHED.search(line)
            if match:
                yield path, number, "says " + match.group()
            match = PRIVATE_PATH.search(line)
            if match:
                yield path, number, "has a path of one machine: " + match.group()


def clang_format(tree, *options):
    if not tree.c_files:
        return None
    return subprocess.run(
        ["clang-format", *options, *tree.c_files],
        cwd=ROOT, check=False, stderr=subprocess.PIPE, text=True,
    )


def check_format(tree):
    """As clang-format would write it."""
    result = clang_format(tree, "--dry-run", "-Werror")
    if result is None or result.returncode == 0:
        return
    first = {}
    for line in result.stderr.splitlines():
        match = re.match(r"(.+?):(\d+):\d+: error:", line)
        if match:
            first.setdefault(match.group(1), int(match.group(2)))
    for path, number in first.items():
        yield path, number, "from here on `make fmt` would format it differently"
    if not first:
        yield ".clang-format", 1, "clang-format failed: " + result.stderr.strip()


CHECKS = [check_direction, check_cycles, check_names, check_built, check_lines, check_words]


def main():
    options = sys.argv[1:]
    if options not in ([], ["--no-format"], ["--fix"]):
        sys.exit(__doc__)
    tree = Tree()
    if options == ["--fix"]:
        result = clang_format(tree, "-i")
        sys.exit(result.stderr or result.returncode if result else 0)
    checks = CHECKS if options else CHECKS + [check_format]
    findings = [finding for check in checks for finding in check(tree)]
    for path, line, message in findings:
        print("%s:%d: %s" % (path, line, message))
    sys.exit(1 if findings else 0)


main()
