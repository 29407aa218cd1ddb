#!/usr/bin/env python3
"""interactive.py LUDENS [--plain]: a person at a terminal (a pseudo one), Ctrl-C during long work.

--plain leaves out what needs libedit.
"""

import fcntl
import glob
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

PROGRAM = os.path.abspath(sys.argv[1])
PATIENCE = 120  # seconds; the sanitized build on a busy machine is slow
WORK = 0.4  # seconds of processor time after which a program is in the middle of its work
ENVIRONMENT = dict(os.environ, LC_ALL="C.UTF-8", TERM="vt100", NO_COLOR="1")


def spent(pid):
    """Seconds of processor time of a process so far."""
    with open("/proc/%d/stat" % pid, encoding="utf-8") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def minds_interrupts(pid):
    """Whether it has said what Ctrl-C is to do."""
    with open("/proc/%d/status" % pid, encoding="utf-8") as f:
        caught = int(re.search(r"^SigCgt:\s*(\w+)", f.read(), re.M).group(1), 16)
    return caught >> (signal.SIGINT - 1) & 1


def let_work(pid, seconds=WORK):
    """Waits until it is ready for Ctrl-C and has worked for so long, however busy the machine is."""
    enough, limit = spent(pid) + seconds, time.monotonic() + PATIENCE
    while not (minds_interrupts(pid) and spent(pid) >= enough):
        assert time.monotonic() < limit, "it does not work, or does not mind Ctrl-C"
        time.sleep(0.02)


class Terminal:
    """The program with a terminal of its own."""

    def __init__(self, *arguments, environment=ENVIRONMENT):
        self.output = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(PROGRAM, [PROGRAM, *arguments], environment)
        self.settings = termios.tcgetattr(self.fd)

    def read_until(self, pattern):
        """Reads until the pattern has come; returns what came up to its end."""
        limit = time.monotonic() + PATIENCE
        while not (match := re.search(pattern, self.output)):
            left = limit - time.monotonic()
            ready = select.select([self.fd], [], [], max(left, 0))[0]
            try:
                data = os.read(self.fd, 4096) if ready else b""
            except OSError:  # the program has ended
                data = b""
            assert data, "waited for %r, but there was only:\n%s" % (pattern, self.output)
            self.output += data.decode("utf-8", "replace")
        found, self.output = self.output[: match.end()], self.output[match.end() :]
        return found

    def type(self, text):
        os.write(self.fd, text.encode())

    def read_some(self, seconds):
        """Whether something came, or the program ended, in that time."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.fd, 4096)
        except OSError:
            return False
        self.output += data.decode("utf-8", "replace")
        return bool(data)

    def end(self):
        """The exit status and what was printed last. The terminal must be as it was."""
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            self.read_some(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if not pid:
                continue
            while self.read_some(0):
                pass
            assert os.WIFEXITED(status), "ended by a signal: %s" % status
            try:
                now = termios.tcgetattr(self.fd)
                assert now[:4] == self.settings[:4], "the terminal was left changed"
            except (OSError, termios.error):
                pass  # it is gone with its last user
            os.close(self.fd)
            return os.WEXITSTATUS(status), self.output
        os.kill(self.pid, signal.SIGKILL)
        raise AssertionError("the program does not end; it printed:\n" + self.output)


def test_a_game_is_played():
    t = Terminal("play", "tic-tac-toe", "--players", "human,human")
    assert "Tic-tac-toe" in t.read_until("Cross> ")
    t.type("b2\n")
    t.read_until("Nought> ")
    t.type("b2\n")
    t.read_until("`b2` is not allowed for `at`")
    t.read_until("Nought> ")
    t.type("undo\n")
    t.read_until("Cross> ")
    t.type("quit\n")
    status, _ = t.end()
    assert status == 0, status


def test_values_stand_under_the_board():
    t = Terminal("play", "mill", "--players", "human,human")
    assert "hand White=9 Black=9" in t.read_until("White> ")
    t.type("a1\n")
    assert "hand White=8 Black=9" in t.read_until("Black> ")
    t.type("quit\n")
    assert t.end()[0] == 0


def test_the_computer_answers():
    t = Terminal("play", "tic-tac-toe", "--seed", "1")
    t.read_until("Cross> ")
    t.type("a1\n")
    assert "Nought: " in t.read_until("Cross> ")
    t.type("history\n")
    assert "1. a1" in t.read_until("Cross> ")
    t.type("quit\n")
    assert t.end()[0] == 0


def test_a_game_is_won():
    t = Terminal("play", "tic-tac-toe", "--players", "human,human")
    for who, move in ("Cross", "a1"), ("Nought", "a2"), ("Cross", "b1"), ("Nought", "b2"):
        t.read_until(who + "> ")
        t.type(move + "\n")
    t.read_until("Cross> ")
    t.type("c1\n")
    t.read_until("Cross wins")
    t.read_until("> ")
    t.type("restart\n")
    t.read_until("Cross to move")
    t.read_until("Cross> ")
    t.type("quit\n")
    assert t.end()[0] == 0


def test_a_move_choice_by_choice():
    t = Terminal("play", "mill", "--players", "human,human")
    for who, move in ("White", "d6"), ("Black", "f4"), ("White", "d7"), ("Black", "b4"):
        t.read_until(who + "> ")
        t.type(move + "\n")
    t.read_until("White> ")
    t.type("d5\n")
    output = t.read_until("White d5> ")
    assert "A mill: take one of your opponent's men." in output, output
    assert "`victim` can be b4, f4." in output, output
    t.type("d7\n")
    t.read_until("`d7` is not allowed for `victim`")
    t.read_until("White d5> ")
    t.type("moves\n")
    t.read_until("d5xb4  d5xf4")
    t.read_until("White d5> ")
    t.type("\n")  # gives it up
    t.read_until("White to move. Place a man on an empty point.")
    t.read_until("White> ")
    t.type("d5\n")
    t.read_until("White d5> ")
    t.type("f4\n")
    t.read_until("Black> ")
    t.type("quit\n")
    assert t.end()[0] == 0


def test_choices_go_back_one_by_one():
    t = Terminal("play", "amazons", "--players", "human,human")
    t.read_until("White> ")
    t.type("d1\n")
    assert "`to` can be a1, b1, c1, e1, " in t.read_until("White d1> ")
    t.type("d4\n")
    output = t.read_until("White d1-d4> ")
    assert "where her arrow lands" in output, output
    assert re.search(r"`shot` can be (\w+, ){24}…", output), output
    t.type("back\n")
    t.read_until("White d1> ")
    t.type("d1-d4/d8\n")  # a whole move is one at any time
    t.read_until("Black> ")
    t.type("quit\n")
    assert t.end()[0] == 0


def test_nobody_plays():
    t = Terminal("play", "tic-tac-toe", "--players", "random,random", "--seed", "1")
    status, output = t.end()
    assert status == 0, status
    assert "Type a move" not in output, output
    assert "Cross wins" in output, output


def test_completion():
    t = Terminal("play", "tic-tac-toe")
    t.read_until("Cross> ")
    t.type("hist\t\n")
    assert "No moves yet" in t.read_until("No moves yet")
    t.type("a\t\t")
    assert "a2" in t.read_until("a1 +a2 +a3")
    t.type("\x15quit\n")
    assert t.end()[0] == 0


def test_end_of_input():
    t = Terminal("play", "tic-tac-toe")
    t.read_until("Cross> ")
    t.type("\x04")
    status, output = t.end()
    assert status == 0, status
    assert "Left after 0 moves" in output, output


def test_interrupt_at_the_prompt():
    t = Terminal("play", "tic-tac-toe", "--players", "human,human")
    t.read_until("Cross> ")
    t.type("b2\n")
    t.read_until("Nought> ")
    t.type("a\x03")
    status, output = t.end()
    assert status == 130, (status, output)
    assert "Interrupted after 1 move." in output, output


def test_colours():
    environment = {k: v for k, v in ENVIRONMENT.items() if k != "NO_COLOR"}
    t = Terminal("show", "tic-tac-toe", environment=dict(environment, TERM="xterm"))
    with_colour = t.end()
    t = Terminal("show", "tic-tac-toe", "--no-colour", environment=dict(environment, TERM="xterm"))
    without = t.end()
    assert with_colour[0] == 0 and without[0] == 0
    assert "\x1b" not in without[1], without


def interrupted(*arguments, environment=None):
    process = subprocess.Popen(
        [PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    let_work(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def test_perft_stops():
    status, out, err = interrupted("perft", "mill", "30")
    assert status == 130, (status, err)
    assert re.search(r"^ +3 +12144 ", out, re.M), out
    assert "stopped at depth" in err, err


def test_random_stops():
    status, out, err = interrupted("random", "mill", "--games", "100000000")
    assert status == 130, (status, err)
    assert "moves in a game" in out, out
    assert re.search(r"stopped after \d+ of 100000000 games", err), err


def test_check_stops():
    status, out, err = interrupted("check", "mill", "--games", "100000000")
    assert status == 130, (status, err)
    assert "random games" in out, out
    assert re.search(r"stopped after \d+ of 100000000 games", err), err


# A search gives the best move so far, and that is no failure.
def test_search_stops():
    status, out, err = interrupted("search", "mill", "--player", "deepening-alphabeta:time=10m")
    assert status == 0, (status, err)
    assert re.search(r"^move +\w+$", out, re.M), out


# The news are cut at the edge and written over; `^C`, which the terminal writes, goes with them.
def test_analysis_is_drawn_anew():
    t = Terminal("analyse", "reversi", "--player", "alphabeta:time=10m,threads=1")
    fcntl.ioctl(t.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 30, 0, 0))
    t.read_until(r"\x1b\[\d+A")
    drawn = t.read_until(r"\x1b\[\d+A")
    for line in drawn.splitlines()[:-1]:
        assert len(line.replace("\x1b[J", "")) <= 30, drawn
    let_work(t.pid)
    t.type("\x03")
    t.read_until(r"\^C\r\x1b\[K")
    status, output = t.end()
    assert status == 0, (status, output)
    assert re.match(r"\r\x1b\[\d+A\x1b\[Jbest ", output), repr(output)


# Also while a player still learns what positions are worth: there is no file of it yet.
def test_learning_stops():
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, XDG_CACHE_HOME=folder)
        status, out, err = interrupted(
            "search", "amazons", "--player", "alphabeta:time=10m", environment=environment
        )
    assert status == 0, (status, err)
    assert re.search(r"^move +\S+$", out, re.M), out


# The first Ctrl-C makes the program move, the second one ends the game.
def test_thinking_player_stops():
    t = Terminal("play", "mill", "--players", "deepening-alphabeta:time=10m,human")
    t.read_until("Type a move")
    let_work(t.pid)
    t.type("\x03")
    moved = t.read_until("Black> ")
    t.type("d1\n" if "White: a1" in moved else "a1\n")
    let_work(t.pid)
    t.type("\x03")
    t.read_until("Black> ")
    t.type("\x03")
    status, output = t.end()
    assert status == 130, (status, output)
    assert "Interrupted after 3 moves." in output, output


def test_thinking_players_stop():
    t = Terminal("play", "mill", "--players", "minimax:time=10m,minimax:time=10m")
    t.read_until("seed")
    let_work(t.pid)
    t.type("\x03")
    t.read_until("White: ")
    let_work(t.pid)
    t.type("\x03")
    status, output = t.end()
    assert status == 130, (status, output)


def test_piped_play_stops():
    process = subprocess.Popen(
        [PROGRAM, "play", "tic-tac-toe", "--players", "human,human"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )
    let_work(process.pid, 0)
    process.send_signal(signal.SIGINT)
    try:
        process.wait(PATIENCE)
    finally:
        process.kill()
    process.communicate()
    assert process.returncode == 130, process.returncode


def runs(text):
    """Whether there is a process whose command line has that text."""
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as f:
                if text.encode() in f.read():
                    return True
        except OSError:
            pass  # it has ended
    return False


def test_bots_stop():
    """Ctrl-C ends a game with a bot, whether it thinks or has not even begun, and the bot with it."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "match", "hostile")
    for name in ("silent_at_go", "silent"):
        bot = os.path.join(os.path.realpath(folder), name + ".py")
        t = Terminal("play", "tic-tac-toe", "--players", "bot:%s,human" % bot)
        t.read_until("Bots: .*MB")
        t.read_some(0.5)
        t.type("\x03")
        status, output = t.end()
        assert status == 130 and "after 0 moves" in output, (status, output)
        assert not runs(bot)


def test_full_disk():
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [PROGRAM, "games"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1, done
    assert "cannot write" in done.stderr, done


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, test in sorted(globals().items()):
            if not name.startswith("test_"):
                continue
            if name == "test_completion" and "--plain" in sys.argv:
                print("skip", name)
                continue
            try:
                test()
                print("ok", name)
            except (AssertionError, OSError, subprocess.TimeoutExpired) as e:
                print("not ok", name, e)
                failed += 1
    sys.exit(1 if failed else 0)


main()
