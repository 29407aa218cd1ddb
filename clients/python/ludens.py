"""ludens: what a bot needs to play any game of Ludens. Nothing but Python is needed.

    from ludens import Bot, Rules

    class MyBot(Bot):
        name = "My bot"

        def move(self, position, limits):
            return position.moves()[0]

    MyBot().run()

A Position is a position of the game with its history; it knows the rules because it asks the rules
server of Ludens (`ludens serve-rules`), which Ludens names in LUDENS_RULES. The protocol is
described in docs/protocol.md of Ludens.
"""

import os
import random
import subprocess
import sys
import threading
import time


class Successor:
    """What comes behind a move: its word, the player (1, 2, ...) on move then, result and state."""

    def __init__(self, words):
        self.move, player, self.result, self.state = words
        self.player = int(player)


class Rules:
    """The rules server: questions about positions."""

    def __init__(self, command=None):
        command = command or os.environ.get("LUDENS_RULES") or "ludens serve-rules"
        self.server = subprocess.Popen(
            "exec " + command, shell=True, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.now = None  # the position that was set last

    def set_game(self, text):
        self.say("setoption name Game value " + text)
        self.now = None

    def say(self, line):
        self.server.stdin.write(line + "\n")

    def ask(self, position, what):
        """The answer to a question about a position, and the lines before it."""
        if position != self.now:
            self.say("position " + position)
            self.now = position
        self.say("query " + what)
        self.server.stdin.flush()
        lines = []
        for line in self.server.stdout:
            if line.startswith("response"):
                return line[9:].rstrip("\n"), lines
            if line.startswith("info string error"):
                self.now = None
                print(line, file=sys.stderr, end="")
            lines.append(line.rstrip("\n"))
        raise RuntimeError("the rules server has ended")


class Position:
    """`text` is what follows `position` in the protocol: `startpos moves a1`, `fen STATE`."""

    def __init__(self, rules, text):
        self.rules, self.text = rules, text

    def moves(self):
        return self.rules.ask(self.text, "moves")[0].split()

    def player(self):
        return int(self.rules.ask(self.text, "player")[0])

    def players(self):
        return int(self.rules.ask(self.text, "players")[0])

    def result(self):
        """`none` while the game goes on, else `p1win`, `p2win`, `draw`, ..."""
        return self.rules.ask(self.text, "result")[0]

    def state(self):
        return self.rules.ask(self.text, "state")[0]

    def successors(self):
        """All legal moves with what comes behind them: one question instead of many."""
        lines = self.rules.ask(self.text, "successors")[1]
        return [Successor(s.split(" ", 5)[2:]) for s in lines if s.startswith("info successor ")]

    def of_state(self, state):
        return Position(self.rules, "fen " + state)


class Limits:
    """What follows `go`. `seconds(player)` is the time for this move."""

    def __init__(self, words):
        self.numbers = {k: int(v) for k, v in zip(words, words[1:]) if v.lstrip("-").isdigit()}
        self.infinite = "infinite" in words
        self.began = time.monotonic()
        self.stopped = threading.Event()

    def seconds(self, player, usual=1.0):
        if self.infinite:
            return 1e9
        if "movetime" in self.numbers:
            return self.numbers["movetime"] / 1000
        left = self.numbers.get("p%dtime" % player)
        if left is None:
            return usual
        return left / 25000 + self.numbers.get("p%dinc" % player, 0) / 1500

    def over(self, seconds):
        return self.stopped.is_set() or time.monotonic() - self.began >= seconds


class Bot:
    """The protocol. A bot of yours has `move`, and perhaps `new_game`."""

    name, author = "A bot", "somebody"

    def move(self, position, limits):
        raise NotImplementedError

    def new_game(self):
        pass

    def say(self, line):
        print(line, flush=True)

    def think(self, position, limits):
        self.say("bestmove " + self.move(position, limits))

    def run(self):
        rules, position, limits, thread = Rules(), None, None, None
        for line in sys.stdin:
            command, _, rest = line.strip().partition(" ")
            if command in ("go", "position", "uginewgame", "stop", "quit") and thread:
                if command != "go":
                    limits.stopped.set()
                thread.join()
                thread = None
            if command == "ugi":
                self.say("id name %s\nid author %s" % (self.name, self.author))
                self.say("option name Game type string default tic-tac-toe")
                self.say("option name Seed type spin default 0 min 0 max 9007199254740991\nugiok")
            elif command == "isready":
                self.say("readyok")
            elif command == "setoption" and rest.startswith("name Game value "):
                rules.set_game(rest[16:])
            elif command == "setoption" and rest.startswith("name Seed value "):
                random.seed(int(rest[16:]))
            elif command == "uginewgame":
                self.new_game()
            elif command == "position":
                position = Position(rules, rest)
            elif command == "go":
                limits = Limits(rest.split())
                position = position or Position(rules, "startpos")
                thread = threading.Thread(target=self.think, args=(position, limits), daemon=True)
                thread.start()
            elif command == "quit":
                return
