#!/usr/bin/env python3
"""Talks a lot, all of it harmless."""
from polite import Polite, say


class Chatty(Polite):
    def go(self):
        for i in range(2000):
            say("info depth %d nodes %d score cp %d string hello" % (i % 50, i, i % 7))
            say("what a nice day")
        say("bestmove " + self.free())


Chatty().run()
