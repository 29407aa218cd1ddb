#!/usr/bin/env python3
"""leaving.py LUDENS: `ludens table` when somebody stops it, leaves, or answers a question. TAP."""

import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import case, end  # noqa: E402
from terminal import Sim, Terminal  # noqa: E402

LUDENS = os.path.abspath(sys.argv[1])
SOON = 10  # seconds: on a busy machine; without an end to its thinking it would be hours
LONG = ["chess", "--players", "minimax:depth=9,random"]  # nobody waits for its first move


def in_simulation(game, *options):
    return [LUDENS, "table", *game, "--sim", "--rate", "1000", *options]


def ended_by(number, command, after):
    """The status, the output, and whether it came soon after that signal."""
    run = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(after)
    run.send_signal(number)
    begin = time.monotonic()
    try:
        out, err = run.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        run.kill()
        out, err = run.communicate()
    seconds = time.monotonic() - begin
    return run.returncode, out, seconds < SOON, "%d\n%s%s%.1f s" % (run.returncode, out, err, seconds)


def thinking():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        status, out, soon, detail = ended_by(number, in_simulation(LONG), 2)
        ok = status == 130 and soon and "0 games, 0 moves" in out
        case("%s ends it while it thinks, with the figures" % number.name, ok, detail)
    t = Terminal(*in_simulation(LONG))
    time.sleep(2)
    t.type("\x03")
    begin = time.monotonic()
    status = t.end()
    ok = status == 130 and time.monotonic() - begin < SOON and "0 games, 0 moves" in t.text
    case("the key Ctrl-C, too", ok, "%d\n%s" % (status, t.text))


def waking():
    """It takes nine seconds at this rate."""
    slow = [LUDENS, "table", "mill", "--sim", "--rate", "1", "--players", "random,random"]
    status, out, soon, detail = ended_by(signal.SIGINT, [*slow, "--json"], 2)
    ok = status == 130 and soon and '"games":0' in out and '"lost":0' in out
    case("SIGINT ends it while the arm is woken, with the figures", ok, detail)
    t = Terminal(*slow)
    time.sleep(2)
    t.type("\x03")
    status = t.end()
    ok = status == 130 and "0 games, 0 moves" in t.text
    case("the key Ctrl-C, too", ok, "%d\n%s" % (status, t.text))


def where(sim):
    command = [LUDENS, "robot", "where", "--arm", sim.port]
    return subprocess.run(command, capture_output=True, text=True).stdout


def answers(t, *questions):
    for question in questions:
        t.read(question)
        t.type("\r")


def moving(sim):
    """A game in which the arm has just begun its first move."""
    t = Terminal(
        LUDENS, "table", "tic-tac-toe", "--arm", sim.port, "--ask", "free",
        "--players", "random,random",
    )  # fmt: skip
    answers(t, "to begin", "Set up the board")
    t.read("from store")
    return t


def typed_before():
    """What is typed while the player thinks is no answer to what is asked afterwards."""
    with Sim(LUDENS, "mill", "--rate", "50") as sim:
        t = Terminal(
            LUDENS, "table", "mill", "--arm", sim.port, "--players", "alphabeta:time=3s,random",
        )  # fmt: skip
        answers(t, "to begin", "Set up the board")
        time.sleep(1)
        t.type("\rgo")
        ok = t.read("Enter: the arm moves")
        ok = ok and not t.read("from store", 1.5)
        case("an Enter before the question does not let the arm move", ok, t.text)
        t.type("\r")
        case("nor does half a line count", t.read("from store"), t.text)
        t.read("Enter: the arm moves")
        t.type("quit\r")
        status = t.end()
        case("`quit` leaves", status == 1, "%d\n%s" % (status, t.text))


def pressed_twice():
    """The second Enter comes while the arm still stops, the third when it has been asked."""
    with Sim(LUDENS, "tic-tac-toe", "--rate", "4") as sim:
        t = moving(sim)
        time.sleep(0.5)
        t.type("\r\r")
        ok = t.read("the arm was stopped.*`go`")
        t.type("\r")
        ok = ok and t.read("Type one of: go quit")
        ok = ok and not t.read("Nought: ", 4)
        case("after a stop Enter does not start the arm", ok, t.text)
        t.type("go\r")
        case("the word `go` does", t.read("Nought: "), t.text)
        t.read("from store")
        t.type("\x03")
        t.read("`quit`")
        t.type("quit\r")
        t.end()


def piped(sim, answers, *options):
    command = [LUDENS, "table", "tic-tac-toe", "--arm", sim.port, "--players", "random,random"]
    done = subprocess.run([*command, *options], input=answers, capture_output=True, text=True)
    return done, "%d\n%s%s" % (done.returncode, done.stdout, done.stderr)


def from_a_pipe():
    """There answers come before their questions, and before the thread that reads them runs."""
    with Sim(LUDENS, "tic-tac-toe", "--rate", "50") as sim:
        done, detail = piped(sim, "\n" * 2 + "go\n" * 9)
        ok = done.returncode == 0 and "1 game, " in done.stdout
        case("answers from a pipe count", ok, detail)
        done, detail = piped(sim, "\n" * 2 + "go\n" * 9, "--json")
        asked = all(s in done.stderr for s in ("Enter to begin", "Set up", "Enter: the arm moves"))
        ok = done.returncode == 0 and '"games":1,' in done.stdout and asked
        case("with --json it asks on standard error", ok, detail)
    done = subprocess.run(
        in_simulation(["tic-tac-toe", "--players", "random,random"], "--json", "--ask", "each"),
        input="go\n" * 9, capture_output=True, text=True,
    )  # fmt: skip
    ok = '"games":1,' in done.stdout and "Enter: the arm moves" in done.stderr
    ok = ok and "from store" not in done.stderr
    case("a simulation tells nothing but its questions there", ok, done.stdout + done.stderr)


def terminal_closed():
    """The arm stops on its way, which takes seconds at this rate."""
    with Sim(LUDENS, "tic-tac-toe", "--rate", "1") as sim:
        t = moving(sim)
        time.sleep(0.3)
        status = t.hang_up()
        there = where(sim)
        time.sleep(0.5)
        later = where(sim)
        ok = status == 130 and there and there == later
        case("a terminal that is closed stops the arm", ok, "%d\n%s%s" % (status, there, later))


def no_hang_up():
    """As nohup starts it."""
    run = subprocess.Popen(
        in_simulation(LONG), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    time.sleep(1)
    run.send_signal(signal.SIGHUP)
    time.sleep(1)
    goes_on = run.poll() is None
    run.terminate()
    run.communicate(timeout=60)
    ok = goes_on and run.returncode == 130
    case("SIGHUP stays ignored where it was", ok, "%s %d" % (goes_on, run.returncode))


def main():
    thinking()
    waking()
    typed_before()
    pressed_twice()
    from_a_pipe()
    terminal_closed()
    no_hang_up()
    sys.exit(end())


main()
