#!/usr/bin/env python3
"""clients.py LUDENS: the bots of clients, made by `ludens bot new`, play whole games. Prints TAP.

Also: `ludens bot check` of good and of bad bots, and folders that are not overwritten. Without a C
compiler or Node their bots are skipped.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import case, end  # noqa: E402

LUDENS = os.path.abspath(sys.argv[1])
HOSTILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hostile")
CLIENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "clients")
ENVIRONMENT = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", NO_COLOR="1")
TIMEOUT = 280
LINES = 150  # a client library has fewer


def run(folder, *arguments):
    done = subprocess.run(
        arguments, cwd=folder, env=ENVIRONMENT, timeout=TIMEOUT, check=False, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    return done.returncode, done.stdout


def make(folder, language):
    """The commands of the two bots of a new folder."""
    status, output = run(folder, LUDENS, "bot", "new", "--lang", language, "new-" + language)
    case("a new folder in " + language, status == 0, output)
    again, output = run(folder, LUDENS, "bot", "new", "--lang", language, "new-" + language)
    case("it is not overwritten", again == 1 and "already" in output, output)
    ending = {"python": ".py", "js": ".js", "c": ""}[language]
    if language == "c":
        status, output = run(folder, "make", "-C", "new-c", "CFLAGS=-O2 -Wall -Wextra -Werror")
        case("it compiles without a warning", status == 0, output)
    return ["./new-%s/%s%s" % (language, name, ending) for name in ("bot", "alphabeta_bot")]


def play(folder, game, first, second):
    command = [LUDENS, "play", *game, "--players", "bot:%s,bot:%s" % (first, second), "--ascii"]
    status, output = run(folder, *command, "--seed", "3")
    last = (output.rstrip().split("\n") or [""])[-1]
    over = status == 0 and ("wins" in last or "draw" in last)
    case("%s: %s, %s" % (" ".join(game), first, second), over, output)
    return last


def check_clients(folder, bots):
    for language, (simple, strong) in bots.items():
        for command in (simple, strong):
            status, output = run(folder, LUDENS, "bot", "check", command, "tic-tac-toe", "--json")
            report = json.loads(output) if status == 0 else {}
            good = report.get("failed") == 0 and report.get("warnings") == 0
            case("bot check %s" % command, good, output)
    everybody = list(bots.values())
    for i, (simple, strong) in enumerate(everybody):
        other = everybody[(i + 1) % len(everybody)][0]
        # Depth first and a second a move: in tic-tac-toe that is enough never to lose.
        last = play(folder, ["tic-tac-toe"], strong, other)
        case("alpha-beta does not lose", "Nought wins" not in last, last)
        play(folder, ["connect-four", "width=4", "height=4"], other, strong)
        play(folder, ["mill", "men=3"], simple, other)


def check_hostile(folder):
    for name, what in (("exits_at_start", "start"), ("illegal", "game"), ("late", "movetime"),
                       ("silent_at_go", "game"), ("ignores_quit", "quit"), ("raises", "game")):
        bot = os.path.join(HOSTILE, name + ".py")
        status, output = run(folder, LUDENS, "bot", "check", bot, "--json")
        report = json.loads(output) if status == 1 else {"checks": []}
        failed = [c["name"] for c in report["checks"] if c["result"] == "failed"]
        case("bot check finds that it %s" % name, what in failed, output)
    own = os.path.join(folder, "late-once")  # it keeps a note, which a bot may in its folder only
    os.mkdir(own)
    for name in ("late_once.py", "polite.py"):
        shutil.copy(os.path.join(HOSTILE, name), own)
    status, output = run(folder, LUDENS, "bot", "check", own + "/late_once.py", "--json")
    stop = [c["result"] for c in json.loads(output)["checks"] if c["name"] == "stop"]
    late = os.path.exists(os.path.join(own, "was-late"))
    case("late once is forgiven", late and stop == ["ok"], output)
    status, output = run(
        folder, LUDENS, "play", "tic-tac-toe", "--players",
        "bot:%s/raises.py,random" % HOSTILE, "--seed", "1",
    )
    case("a game tells why a bot failed", status == 1 and "KeyError" in output, output)
    status, output = run(folder, LUDENS, "search", "tic-tac-toe", "--player",
                         "bot:%s/illegal.py" % HOSTILE)
    case("so does a search", status == 1 and "`z9` is no move here" in output, output)


def check_sizes():
    for path in ("python/ludens.py", "js/ludens.js", "c/ludens_bot.c"):
        with open(os.path.join(CLIENTS, path), encoding="utf-8") as f:
            lines = f.read().count("\n")
        case("%s has %d lines" % (path, lines), lines < LINES)


def main():
    check_sizes()
    languages = ["python"]
    for language, program in (("c", "make"), ("js", "node")):
        if shutil.which(program):
            languages.append(language)
        else:
            case("bots in " + language, True, skip="no " + program)
    with tempfile.TemporaryDirectory() as folder:
        check_clients(folder, {language: make(folder, language) for language in languages})
        check_hostile(folder)
    sys.exit(end())


main()
