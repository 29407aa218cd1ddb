#!/usr/bin/env python3
"""Writes to standard error without end."""
import sys

from polite import Polite


def go():
    while True:
        sys.stderr.write("flood " * 1000)


Polite(go=go).run()
