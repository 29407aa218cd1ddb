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
import time
import tty

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import case, end  # noqa: E402

LUDENS = os.path.abspath(sys.argv[1])
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


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


@contextlib.contextmanager
def mute():
    """A port behind which nobody answers: its name, and a function for what was heard there."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    os.set_blocking(ours, False)

    def heard():
        try:
            return os.read(ours, 65536)
        except BlockingIOError:
            return b""

    try:
        yield os.ttyname(theirs), heard
    finally:
        os.close(theirs)
        os.close(ours)


def stopping():
    stop = b"\x1b" + b"".join(b"STOP%d\r" % i for i in range(6))
    with mute() as (port, heard):
        begin = time.monotonic()
        done = run("stop", "--arm", port)
        seconds = time.monotonic() - begin
        sent = heard()
        detail = "%.2f s, %r\n%s" % (seconds, sent, told(done))
        ok = sent.startswith(stop) and sent.count(stop) > 1
        case("a stop is sent to who does not answer", ok, detail)
        ok = done.returncode == 1 and "use the switch" in done.stderr and seconds < 5
        case("and that nobody answers is said", ok, detail)
    with simulated() as port:
        run("wake", "--arm", port, "--seconds", "0.1")
        move = subprocess.Popen(
            [LUDENS, "robot", "move", "--arm", port, "--seconds", "20", "--", "20", "5", "10"],
            stderr=subprocess.DEVNULL,
        )
        time.sleep(2)
        done = run("stop", "--arm", port)
        ok = done.returncode == 1 and "in use" in done.stderr
        case("a port that another program has cannot be stopped from here", ok, told(done))
        move.kill()  # so that it can do nothing about the arm
        move.wait()
        done = run("stop", "--arm", port)
        first = base(port)
        time.sleep(0.5)
        detail = "%s\n%s, then %s" % (told(done), first, base(port))
        ok = done.returncode == 0 and first == base(port) and 1 < first < 60
        case("what a killed program has begun is stopped", ok, detail)


def into_the_table():
    """Neither the target nor the way to it leads through the table."""
    with simulated("--rate", "50") as port:
        run("wake", "--arm", port, "--seconds", "0.1")
        first = base(port)
        done = run("move", "--arm", port, "--", "15", "20", "-10")
        ok = done.returncode == 1 and "would go into the table" in done.stderr
        case("the fingers are not driven into the table", ok and base(port) == first, told(done))
        done = run("move", "--arm", port, "--", "0", "20", "1")
        case("just above it they go", done.returncode == 0, told(done))


def main():
    signals()
    into_the_table()
    stopping()
    sys.exit(end())


main()
