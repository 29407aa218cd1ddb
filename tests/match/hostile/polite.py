"""polite: what the bots of this folder do as long as they behave: the protocol, for tic-tac-toe.

A bot changes some of it:  Polite(go=..., start=...).run()
"""

import sys

CELLS = [column + row for row in "123" for column in "abc"]


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Polite:
    def __init__(self, **changes):
        self.taken = []
        for name, change in changes.items():
            setattr(self, name, change)

    def free(self):
        return next(cell for cell in CELLS if cell not in self.taken)

    def ugi(self):
        say("id name Polite")
        say("ugiok")

    def isready(self):
        say("readyok")

    def uginewgame(self):
        self.taken = []

    def heard(self, words):
        pass

    def go(self):
        say("bestmove " + self.free())

    def stop(self):
        pass

    def quit(self):
        sys.exit(0)

    def run(self):
        while True:
            line = sys.stdin.readline()
            if not line:
                return
            words = line.split()
            self.heard(words)
            if words and words[0] == "position":
                self.taken = words[3:]
            elif words and hasattr(self, words[0]):
                getattr(self, words[0])()
