#!/usr/bin/env python3
"""Tells news and never an answer."""
import time

from polite import Polite, say


def go():
    while True:
        say("info depth 1 score cp 3")
        time.sleep(0.01)


Polite(go=go).run()
