#!/usr/bin/env python3
"""kill.py LUDENS [TIMES]: matches and tournaments that are killed again and again. Prints TAP.

A match of quick games is killed with SIGKILL at random moments and begun again with the same
command, TIMES times (20 by default), then left to end. The database must be sound, hold each game
once, and have the same games as a match that nobody disturbed. Then the same for tournaments, and
with Ctrl-C, also on a terminal.
"""

import json
import os
import pty
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import case, end  # noqa: E402

LUDENS = os.path.abspath(sys.argv[1])
TIMES = int(sys.argv[2]) if len(sys.argv) > 2 else 20
TIMEOUT = 280


def run(folder, command):
    """Lets a command end by itself; its JSON."""
    done = subprocess.run(
        [LUDENS, *command, "--json"], cwd=folder, timeout=TIMEOUT, check=False, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    case("ends well: " + " ".join(command), done.returncode == 0, done.stderr)
    return json.loads(done.stdout) if done.returncode == 0 else {}


def games(path):
    """Whether the database is sound, and what counts of each game, by number."""
    # Of a copy with its log: looking must not repair what the next run has to.
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy.db")
        for ending in ("", "-wal"):
            if os.path.exists(path + ending):
                shutil.copy(path + ending, copy + ending)
        db = sqlite3.connect(copy)
        sound = db.execute("pragma integrity_check").fetchone()[0]
        there = db.execute("select count(*) from sqlite_master where name = 'games'").fetchone()[0]
        rows = []
        if there:
            rows = db.execute(
                "select number, ending, result, record from games order by number"
            ).fetchall()
        db.close()
        return sound, rows


def disturb(folder, command, longest, kind):
    """Begins a command and ends it at a random moment; whether it was still running."""
    process = subprocess.Popen(
        [LUDENS, *command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        process.wait(timeout=random.uniform(0, longest))
        return False
    except subprocess.TimeoutExpired:
        process.send_signal(kind)
        process.wait(timeout=TIMEOUT)
        return process.returncode in (-kind, 130)


def check(name, command, times, kind, total=None):
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        run(folder, [*command, "--db", "whole.db"])
        whole = time.monotonic() - began
        sound, expected = games(os.path.join(folder, "whole.db"))
        case("%s: the undisturbed database is sound" % name, sound == "ok", sound)
        if total is not None:
            case("%s: %d games" % (name, total), len(expected) == total, len(expected))
        began = time.monotonic()
        run(folder, [*command, "--db", "whole.db"])  # nothing to play: only to begin and to look
        start = time.monotonic() - began
        disturbed = [*command, "--db", "killed.db"]
        path = os.path.join(folder, "killed.db")
        hit, halfway, before, lost = 0, 0, 0, []
        for _ in range(times):
            # So short that it is hardly over before the last time.
            longest = start + 2 * max(whole - start, 0.01) / times
            hit += disturb(folder, disturbed, longest, kind)
            if os.path.exists(path):
                sound, now = games(path)
                if sound != "ok" or len(now) < before:
                    lost.append((sound, len(now), before))
                before = len(now)
                halfway += 0 < before < len(expected)
        case("%s: of %d times it was running %d, with some games played %d"
             % (name, times, hit, halfway), hit > 0)
        case("%s: nothing is lost" % name, not lost, lost)
        run(folder, disturbed)
        sound, found = games(path)
        numbers = [row[0] for row in found]
        case("%s: sound, none doubled" % name,
             sound == "ok" and len(set(numbers)) == len(numbers), sound)
        case("%s: the same games as undisturbed" % name, found == expected,
             "%d and %d games" % (len(found), len(expected)))
        again = run(folder, disturbed)
        case("%s: nothing is left to play" % name,
             again.get("over") and games(path)[1] == expected, again)


def terminal(folder):
    """What a match prints to a terminal, stopped with Ctrl-C once there is a bar."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execv(LUDENS, [LUDENS, "match", "mill", "random", "minimax:depth=3", "--games", "99999",
                          "--jobs", "2", "--backend", "interp"])
    seen, deadline = b"", time.monotonic() + TIMEOUT
    stopped = False
    while time.monotonic() < deadline:
        try:
            portion = os.read(fd, 4096)
        except OSError:
            break
        if not portion:
            break
        seen += portion
        if not stopped and b" left  random " in seen:
            stopped = True
            os.write(fd, b"\x03")
    status = os.waitpid(pid, 0)[1]
    return os.waitstatus_to_exitcode(status), seen.decode("utf-8", "replace")


def check_terminal():
    with tempfile.TemporaryDirectory() as folder:
        status, seen = terminal(folder)
        case("a bar on a terminal", "\r\033[K[" in seen and " of 99999 games, " in seen, repr(seen))
        case("Ctrl-C ends it with the result so far",
             status == 130 and "kept in ludens.db" in seen
             and "the same command again goes on" in seen, (status, seen))


def is_there(word):
    """Whether a process runs that has this word on its command line."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as f:
                if word.encode() in f.read().split(b"\0"):
                    return True
        except OSError:
            continue
    return False


def check_orphans():
    """Children of a bot that is no longer there: with Ludens killed, nobody is left who knows them."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["%d.%d" % (90000 + os.getpid(), i) for i in range(3)]  # seconds of `sleep`
        with open(os.path.join(folder, "bot.sh"), "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\nsleep %s &\nsetsid sleep %s &\nenv -i sleep %s &\n"
                    "exec '%s' engine tic-tac-toe\n" % (*words, LUDENS))
        os.chmod(f.name, 0o755)
        process = subprocess.Popen(
            [LUDENS, "match", "tic-tac-toe", "random", "bot:./bot.sh", "--games", "999999",
             "--jobs", "1", "--time", "20s"], cwd=folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, LUDENS_SANDBOX="none"))
        deadline = time.monotonic() + TIMEOUT
        while not all(map(is_there, words)) and time.monotonic() < deadline:
            time.sleep(0.02)
        running = process.poll() is None and all(map(is_there, words))
        process.kill()
        process.wait()
        deadline = time.monotonic() + TIMEOUT / 4
        while any(map(is_there, words)) and time.monotonic() < deadline:
            time.sleep(0.02)
        case("children of bots die with Ludens", running and not any(map(is_there, words)),
             (running, [is_there(word) for word in words]))


def main():
    random.seed(7)
    check_orphans()
    quick = ["--jobs", "2", "--seed", "5"]
    # Games take longer here than beginning does: it is killed in the midst of them.
    check("match", ["match", "tic-tac-toe", "random", "minimax:depth=5", "--games", "1000", *quick],
          TIMES, signal.SIGKILL, 1000)
    check("interrupted", ["match", "tic-tac-toe", "random", "greedy", "--games", "1000", *quick],
          max(TIMES // 4, 2), signal.SIGINT, 1000)
    players = ["random", "greedy", "minimax:depth=2", "random:seed=2", "greedy:seed=2"]
    for kind in ("--round-robin", "--knockout", "--swiss"):
        check(kind[2:], ["tournament", kind, *players, "--game", "tic-tac-toe", "--games", "40",
                         *quick], max(TIMES // 4, 2), signal.SIGKILL)
    check_terminal()
    return end()


if __name__ == "__main__":
    sys.exit(main())
