#!/usr/bin/env python3
"""A line without an end."""
import sys

from polite import Polite


def go():
    while True:
        sys.stdout.write("x" * 4096)


Polite(go=go).run()
