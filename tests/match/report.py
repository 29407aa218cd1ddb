#!/usr/bin/env python3
"""report.py LUDENS: exports and reports of a tournament with a bot that misbehaves. Prints TAP.

Every form is read back by something that knows its rules: CSV and JSON by Python, PGN by a strict
reader, records by `ludens replay`, the page by a reader of HTML and, where there is one, by Chromium
(narrow and wide, light and dark, on paper), which must not find anything to complain about.
"""

import csv
import html.parser
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import case, end  # noqa: E402

LUDENS = os.path.abspath(sys.argv[1])
NAME = 'b&d <i>"x"</i>'
BOT = """#!/usr/bin/env python3
import sys
print("<script>alert(1)</script> & \\x1b[31m", file=sys.stderr)
sys.exit(3)
"""
CUP = """ludens tournament 1
title A <b>cup</b> & more
kind round-robin
game tic-tac-toe
each 4
seed 5
entrant random = random
entrant greedy = greedy
entrant %s = bot:./bad.py
"""
VOID = {"meta", "link", "br", "hr", "img"}


def run(*args):
    done = subprocess.run([LUDENS, *args], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


class Page(html.parser.HTMLParser):
    """Whether elements are closed in order, and what is in them."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.seen, self.text = [], [], set(), ""

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        for name, value in attrs:
            if name in ("src", "href") and not (value or "").startswith("data:"):
                self.wrong.append(f"{tag} {name}={value}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append("</" + tag)

    def handle_data(self, data):
        self.text += data


SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9_+#=:\-]*$")


def read_pgn(text):
    """The games as tags, by the rules of the notation; ValueError where they are broken."""
    games = []
    for block in re.split(r"\n\n(?=\[Event )", text.strip()):
        head, moves = block.split("\n\n", 1)
        tags = {}
        for line in head.split("\n"):
            match = re.fullmatch(r'\[(\w+) "((?:[^"\\]|\\["\\])*)"\]', line)
            if not match:
                raise ValueError(line)
            tags[match.group(1)] = re.sub(r"\\(.)", r"\1", match.group(2))
        if list(tags)[:7] != ["Event", "Site", "Date", "Round", "White", "Black", "Result"]:
            raise ValueError(tags)
        if any(len(line) > 80 for line in moves.split("\n")):
            raise ValueError("a long line")
        words = re.sub(r"\{[^{}]*\}", " ", moves).split()
        if words.pop() != tags["Result"]:
            raise ValueError(moves)
        plain = [w for w in words if not re.fullmatch(r"\d+\.", w)]
        if len(plain) != int(tags["PlyCount"]) or not all(SYMBOL.match(w) for w in plain):
            raise ValueError(moves)
        games.append(tags)
    return games


def exports(db):
    status, text, error = run("export", db)
    rows = list(csv.DictReader(io.StringIO(text)))
    case("csv has all games", status == 0 and len(rows) == 12, error)
    case("each once", {r["number"] for r in rows} == {str(i) for i in range(1, 13)})
    bad = [r for r in rows if NAME in (r["player1"], r["player2"])]
    offends = all(r["ending"] == "crash" and r["culprit"] == NAME for r in bad)
    case("csv names the offender", len(bad) == 8 and offends, bad)
    status, text, error = run("export", db, "--format", "jsonl")
    games = [json.loads(line) for line in text.splitlines()]
    case("jsonl", len(games) == 12 and all(g["record"].startswith("ludens game") for g in games))
    case("logs", all("status 3" in g["log"] + g["reason"] for g in games if g["culprit"]))
    status, text, error = run("export", db, "--format", "pgn")
    try:
        tags = read_pgn(text)
        ok = len(tags) == 12 and all(t["Result"] in ("1-0", "0-1", "1/2-1/2") for t in tags)
        case("pgn by the rules", ok and any(t["White"] == NAME for t in tags), tags)
    except ValueError as wrong:
        case("pgn by the rules", False, wrong)
    status, text, error = run("export", db, "--format", "records", "-o", "records")
    names = sorted(os.listdir("records"))
    replays = [run("replay", "records/" + n) for n in names]
    case("records replay", len(names) == 12 and all(r[0] == 0 for r in replays), replays)


def page(db):
    status, _, error = run("report", db, "-o", "cup.html")
    with open("cup.html", encoding="utf-8") as f:
        text = f.read()
    reader = Page()
    reader.feed(text)
    case("the page is well-formed", status == 0 and not reader.wrong and not reader.open,
         (error, reader.wrong, reader.open))
    case("nothing from names or logs becomes markup", not reader.seen & {"script", "b"},
         reader.seen)
    case("names and logs are there as text",
         NAME in reader.text and "<script>alert(1)</script> &" in reader.text, reader.text)
    case("pictures, no control characters", "svg" in reader.seen and "\x1b" not in text)


def browser():
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        case("the page in a browser", True, skip="there is no Chromium here")
        return
    common = [program, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
              "--user-data-dir=" + os.path.abspath("profile"), "--virtual-time-budget=2000"]
    address = "file://" + os.path.abspath("cup.html")
    for name, more in (
        ("wide", ["--window-size=1000,1600", "--screenshot=wide.png"]),
        ("a phone in the dark",
         ["--window-size=400,800", "--force-dark-mode", "--screenshot=phone.png"]),
        ("paper", ["--print-to-pdf=paper.pdf"]),
    ):
        try:
            done = subprocess.run(common + more + [address], capture_output=True, text=True,
                                  timeout=240)
        except subprocess.TimeoutExpired:
            case(f"the page in a browser: {name}", False, "no answer")
            continue
        file = more[-1].split("=")[1]
        console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        made = os.path.exists(file) and os.path.getsize(file) > 5000
        case(f"the page in a browser: {name}", made and not console, console or done.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("bad.py", "w", encoding="utf-8") as f:
            f.write(BOT)
        os.chmod("bad.py", 0o755)
        with open("cup.txt", "w", encoding="utf-8") as f:
            f.write(CUP % NAME)
        status, text, error = run("tournament", "cup.txt", "--db", "cup.db")
        case("the tournament is played", status == 0, error)
        exports("cup.db")
        page("cup.db")
        browser()
    return end()


sys.exit(main())
