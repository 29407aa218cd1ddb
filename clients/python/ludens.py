"""ludens: what a bot needs to play any game of Ludens, with nothing but Python.

    from ludens import Bot

    class MyBot(Bot):
        name = "My bot"

        def move(self, position, limits):
            return position.moves()[0]

    MyBot().run()

A Position knows the rules because it asks the rules server of Ludens (`ludens serve-rules`), which
Ludens names in LUDENS_RULES. The protocol is described in docs/protocol.md of Ludens.
"""

import collections
import os
import random
import subprocess
import sys
import threading
import time

# What comes behind a move: its word, the player ("1", "2", ...) on move then, result and state.
Successor = collections.namedtuple("Successor", "move player result state")


class Rules:
    """The rules server: questions about positions."""

    def __init__(self, command=None):
        command = command or os.environ.get("LUDENS_RULES") or "ludens serve-rules"
        pipe = subprocess.PIPE
        self.server = subprocess.Popen(command, shell=True, text=True, stdin=pipe, stdout=pipe)
        self.now = None  # the position that was set last

    def set_game(self, text):
        self.server.stdin.write("setoption name Game value %s\n" % text)
        self.now = None

    def ask(self, position, what):
        """The answer to a question about a position, and the lines before it."""
        if position != self.now:
            self.server.stdin.write("position %s\n" % position)
            self.now = position
        self.server.stdin.write("query %s\n" % what)
        self.server.stdin.flush()
        lines = []
        for line in self.server.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith("response"):
                return lines.pop()[9:], lines
        raise RuntimeError("the rules server has ended")


class Position:
    """`text` is what follows `position` in the protocol: `startpos moves a1`, `fen STATE`."""
    def __init__(self, rules, text):
        self.rules, self.text = rules, text

    def moves(self):
        return self.rules.ask(self.text, "moves")[0].split()

    def player(self):
        return self.rules.ask(self.text, "player")[0]

    def result(self):
        """`none` while the game goes on, else `p1win`, `p2win`, `draw`, ..."""
        return self.rules.ask(self.text, "result")[0]

    def state(self):
        return self.rules.ask(self.text, "state")[0]

    def successors(self):
        """All legal moves with what comes behind them: one question instead of many."""
        lines = self.rules.ask(self.text, "successors")[1]
        return [Successor(*s.split(" ", 5)[2:]) for s in lines if s.startswith("info successor ")]

    def of_state(self, state):
        return Position(self.rules, "fen " + state)


class Limits:
    """What follows `go`. `seconds(player)` is the time for this move."""

    def __init__(self, words):
        self.numbers = {k: int(v) for k, v in zip(words, words[1:]) if v.lstrip("-").isdigit()}
        self.infinite = "infinite" in words
        self.began, self.stopped = time.monotonic(), threading.Event()

    def seconds(self, player, usual=1.0):
        if "movetime" in self.numbers:
            return self.numbers["movetime"] / 1000
        left = self.numbers.get("p%stime" % player, 1e12 if self.infinite else 25000 * usual)
        return left / 25000 + self.numbers.get("p%sinc" % player, 0) / 1500

    def over(self, seconds):
        return self.stopped.is_set() or time.monotonic() - self.began >= seconds


class Bot:
    """The protocol. A bot of yours has `move`, and perhaps `new_game`."""

    name = "A bot"

    def move(self, position, limits):
        raise NotImplementedError

    def new_game(self):
        pass

    def say(self, line):
        print(line + "\n", end="", flush=True)  # in one piece: two threads speak

    def think(self, position, limits):
        move = self.move(position, limits)
        limits.stopped.wait(1e6 if limits.infinite else 0)
        self.say("bestmove " + move)

    def run(self):
        threading.excepthook = lambda args: (sys.__excepthook__(*args[:3]), os._exit(1))
        rules, limits, thread = Rules(), None, None
        position = Position(rules, "startpos")
        for line in sys.stdin:
            command, _, rest = line.strip().partition(" ")
            if command in ("go", "position", "uginewgame", "stop", "quit") and thread:
                limits.stopped.set()
                thread.join()
                thread = None
            if command == "ugi":
                self.say("id name %s\noption name Game type string default mill" % self.name)
                self.say("option name Seed type spin default 0 min 0 max 9007199254740991\nugiok")
            elif command == "isready":
                self.say("readyok")
            elif rest.startswith("name Game value "):
                rules.set_game(rest[16:])
            elif rest.startswith("name Seed value "):
                random.seed(int(rest[16:]))
            elif command == "uginewgame":
                self.new_game()
            elif command == "position":
                position = Position(rules, rest)
            elif command == "go":
                limits = Limits(rest.split())
                thread = threading.Thread(target=self.think, args=(position, limits), daemon=True)
                thread.start()
            elif command == "quit":
                return
