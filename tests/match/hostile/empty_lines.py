#!/usr/bin/env python3
"""Has empty lines and blanks everywhere, which is allowed."""
from polite import Polite, say


class Empty(Polite):
    def isready(self):
        say("\n\n  \n\treadyok  \n")

    def go(self):
        say("\n  \n  bestmove   " + self.free() + "  ponder a1 \n\n")


Empty().run()
