#!/usr/bin/env python3
"""Moves before it is asked."""
from polite import Polite, say


def ready():
    say("bestmove a1")
    say("readyok")


Polite(isready=ready).run()
