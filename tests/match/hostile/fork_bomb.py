#!/usr/bin/env python3
"""Many processes, but not so many that a machine without limits suffers."""
import os
import time

from polite import Polite


def go():
    for _ in range(120):
        if os.fork() == 0:
            time.sleep(1000)
    time.sleep(1000)


Polite(go=go).run()
