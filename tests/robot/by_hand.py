#!/usr/bin/env python3
"""by_hand.py LUDENS: the small commands of `ludens robot` with a simulated arm, and with ports that
behave badly. TAP.

Whatever ends a command ends the movement; and what must not be sent is not sent.
"""

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import termios
import time
import tty

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import case, end  # noqa: E402

LUDENS = os.path.abspath(sys.argv[1])
SIGNALS = [signal.SIGINT, signal.SIGTERM]


def run(*words):
    return subprocess.run(
        [LUDENS, "robot", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


def told(done):
    return "%s\n%s%s" % (done.returncode, done.stdout, done.stderr)


@contextlib.contextmanager
def simulated(*options):
    """The port of a simulated arm."""
    with tempfile.TemporaryDirectory() as folder:
        link = os.path.join(folder, "arm")
        sim = subprocess.Popen(
            [LUDENS, "robot", "sim", "--link", link, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        end = time.monotonic() + 30
        while not os.path.islink(link) and time.monotonic() < end:
            time.sleep(0.02)
        try:
            yield link
        finally:
            sim.send_signal(signal.SIGINT)
            sim.wait(timeout=30)


def base(port):
    """Degrees of the base joint, as the controller knows it."""
    done = run("where", "--arm", port, "--json")
    return json.loads(done.stdout)["base"] if done.returncode == 0 else None


def signals():
    """The arm stays where it was when the signal came."""
    with simulated() as port:
        case("an arm is woken", run("wake", "--arm", port, "--seconds", "0.1").returncode == 0)
        for number in SIGNALS:
            ok = run("move", "--arm", port, "--seconds", "1", "--", "0", "20", "10").returncode == 0
            move = subprocess.Popen(
                [LUDENS, "robot", "move", "--arm", port, "--seconds", "30", "--", "20", "5", "10"],
                stdin=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
            )
            time.sleep(3)
            move.send_signal(number)
            error = move.communicate(timeout=30)[1]
            first = base(port)
            time.sleep(0.5)
            detail = "%s, %s\n%s, then %s" % (move.returncode, error, first, base(port))
            ok = ok and move.returncode == 130 and "the arm was stopped" in error
            ok = ok and first is not None and first == base(port) and 1 < first < 60
            case("%s stops a movement" % number.name, ok, detail)
        wake = subprocess.Popen([LUDENS, "robot", "wake", "--arm", port, "--seconds", "5"])
        time.sleep(1)
        wake.send_signal(signal.SIGINT)
        case("Ctrl-C ends waking", wake.wait(timeout=30) == 130)


def main():
    signals()
    sys.exit(end())


main()
