#!/usr/bin/env python3
"""games.py LUDENS: whole games by a simulated arm and camera, also with faults. TAP.

A few games of each; with LUDENS_ALL=1 a hundred, which takes hours of simulated time and about
one of ours. What has to hold:

    without faults   every state read rightly, no collision, no piece lost, nobody had to help
    with faults      every fault noticed, every state read rightly, no move taken for another,
                     every game played to its end, no piece lost
    illegal moves    all refused, and the game goes on

Also that a key stops the arm and it goes on from there, and that Ctrl-C, sent as a signal, ends it.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import case, end  # noqa: E402
from terminal import Terminal  # noqa: E402

LUDENS = os.path.abspath(sys.argv[1])
ALL = os.environ.get("LUDENS_ALL") == "1"
# A game, its parameters for a short run, who plays, games in a short run.
GAMES = [
    ("tic-tac-toe", [], "person,random", 3),
    ("frogs", [], "bfs", 1),
    ("mill", ["men=4"], "person,random", 1),
    ("alquerque", [], "random,person", 1),
]
FAULTS = "drop,miss,stuck,lose,pull"


def play(game, players, games, *more):
    """The figures of so many games, and what went to standard error."""
    command = [LUDENS, "table", *game, "--players", players, "--sim", "--rate", "1000", "--json"]
    command += ["--games", str(games), *more]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    try:
        figures = json.loads(done.stdout)
    except ValueError:
        figures = {}
    return done.returncode, figures, "%s\n%s%s" % (" ".join(command[1:]), done.stdout, done.stderr)


def tell(f, *names):
    """The figures, as docs/robot.md lists them."""
    print("# " + ", ".join("%s %s" % (name, f.get(name)) for name in names), flush=True)


def sound(f, games):
    zero = ("misread", "wrong", "collisions", "lost", "faults", "refused")
    return f.get("games") == games and f["reads"] >= f["steps"] and not any(f[k] for k in zero)


def without_faults(game, players, games):
    """Nobody has to help. A thousand times as fast as real, a pause of a busy machine looks like an
    arm that does not arrive: then the games are played again, and have to be sound each time."""
    for seed in range(1, 5):
        status, f, detail = play(game, players, games, "--noise", "10", "--seed", str(seed))
        ok = status == 0 and sound(f, games)
        if not ok or not (f["failed"] or f["helped"]):
            tell(f, "games", "moves", "steps", "reads", "misread", "collisions", "lost")
            return ok, detail
    return False, detail


def mended(f, games):
    zero = ("misread", "wrong", "lost")
    return (
        f.get("games") == games
        and not any(f[k] for k in zero)
        and f["faults"] > 0
        and f["noticed"] == f["faults"]
    )


def whole_games():
    for name, params, players, few in GAMES:
        game = [name] + ([] if ALL else params)
        games = 100 if ALL else few
        case("%s: %d games" % (name, games), *without_faults(game, players, games))
        status, f, detail = play(game, players, games, "--faults", FAULTS, "--seed", "4")
        tell(f, "games", "faults", "noticed", "helped", "misread", "collisions", "lost")
        case("%s: %d games with faults" % (name, games), status == 0 and mended(f, games), detail)


def illegal_moves():
    status, f, detail = play(["tic-tac-toe"], "person,person", 3, "--faults", "wrong")
    ok = status == 0 and f.get("games") == 3 and f["refused"] > 0 and f["wrong"] == 0
    case("illegal moves are refused", ok, detail)


def piles():
    """Of a pile only the top is seen: what a person put on another is known from the rules, and
    moves that no camera can see are told."""
    state = "1[BWB]2/4/4/[WBW]1[BBWB]B/1[WBWBW]1B/2[BWWW]1/[WB]W2/4 b bytes=0,0"
    game = ["byte", "--state", state]
    status, f, detail = play(game, "person,random", 1)
    ok = status == 0 and sound(f, 1) and f["asked"] > 0
    case("piles that a person moves", ok, detail)
    status, f, detail = play(game, "person,random", 1, "--faults", "miss", "--seed", "2")
    case("fingers that miss the top of a pile", status == 0 and mended(f, 1), detail)


def interrupted():
    command = [LUDENS, "table", "mill", "--sim", "--rate", "1", "--players", "random,random"]
    run = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    lines = [run.stdout.readline() for _ in range(2)]  # the arm is on its way then
    time.sleep(0.5)
    run.send_signal(signal.SIGINT)
    begin = time.monotonic()
    out, err = run.communicate(timeout=120)
    seconds = time.monotonic() - begin
    detail = "%s\n%s%s%s\n%.2f s" % (run.returncode, "".join(lines), out, err, seconds)
    case("Ctrl-C ends it", run.returncode == 130 and seconds < 20, detail)


def broken_off():
    """While a piece is in the fingers: it is in the air, but not lost."""
    command = [LUDENS, "table", "mill", "--sim", "--rate", "1", "--players", "random,random"]
    run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    lines = [run.stdout.readline() for _ in range(2)]
    time.sleep(3.2)
    run.send_signal(signal.SIGINT)
    out = run.communicate(timeout=120)[0]
    ok = run.returncode == 130 and "1 steps of the arm" in out and "0 pieces lost" in out
    case("a piece in the fingers is not lost", ok, "%d\n%s%s" % (run.returncode, "".join(lines), out))


def keys():
    t = Terminal(LUDENS, "table", "tic-tac-toe", "--sim", "--rate", "4", "--players", "random,random")
    ok = t.read("from store")
    time.sleep(0.5)
    t.type(" ")
    begin = time.monotonic()
    ok = ok and t.read("the arm was stopped.*`go`")
    seconds = time.monotonic() - begin
    case("Space stops the arm", ok, "%.3f s\n%s" % (seconds, t.text))
    t.type("go\r")
    case("and it goes on from there", t.read("Nought: "), t.text)
    t.read("from store")
    t.type("\x03")
    ok = t.read("the arm was stopped.*`go`")
    t.type("quit\r")
    status = t.end()
    ok = ok and status == 1 and "0 of them wrongly" in t.text and "0 collisions" in t.text
    case("Ctrl-C stops it, `quit` leaves", ok, "%d\n%s" % (status, t.text))


def typed():
    """While the camera looks for the person's move Enter stops nothing: a move may be typed."""
    with tempfile.TemporaryDirectory() as folder:
        arm, picture = os.path.join(folder, "arm"), os.path.join(folder, "table.png")
        sim = [LUDENS, "robot", "sim", "tic-tac-toe", "--link", arm, "--camera", picture]
        sim = subprocess.Popen(
            [*sim, "--every", "0.1", "--rate", "50"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        end = time.monotonic() + 30
        while not os.path.exists(picture) and time.monotonic() < end:
            time.sleep(0.1)
        t = Terminal(
            LUDENS, "table", "tic-tac-toe", "--arm", arm, "--camera", picture, "--ask", "free",
            "--players", "person,random",
        )  # fmt: skip
        for question in ("to begin", "Set up the board"):
            t.read(question)
            t.type("\r")
        ok = t.read("Your move")
        time.sleep(1)
        for key in "b2\r":
            t.type(key)
            time.sleep(0.2)
        ok = ok and t.read("Cross: b2") and t.read("from store") and t.read("Your move")
        t.type("quit\r")
        ok = t.end() == 1 and ok
        case("a move is typed while the camera looks", ok, t.text)
        counted = "2 moves, 1 of them by persons" in t.text
        case("a turn of a person that was not played is not counted", counted, t.text)
        sim.send_signal(signal.SIGINT)
        sim.communicate(timeout=30)


def main():
    whole_games()
    keys()
    typed()
    illegal_moves()
    piles()
    interrupted()
    broken_off()
    sys.exit(end())


main()
