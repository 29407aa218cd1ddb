#!/usr/bin/env python3
"""Never comes back from thinking."""
from polite import Polite


def go():
    while True:
        pass


Polite(go=go).run()
