#!/usr/bin/env python3
"""Takes all the memory that it can get."""
from polite import Polite


def go():
    kept = []
    while True:
        kept.append(bytearray(b"x" * (1 << 24)))


Polite(go=go).run()
