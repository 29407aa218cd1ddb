#!/usr/bin/env python3
"""Lines without end."""
from polite import Polite, say


def go():
    while True:
        say("info string flood " + "x" * 1000)


Polite(go=go).run()
