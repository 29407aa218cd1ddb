#!/usr/bin/env python3
"""Writes moves in capital letters, which is allowed."""
from polite import Polite, say


class Capitals(Polite):
    def go(self):
        say("bestmove " + self.free().upper())


Capitals().run()
