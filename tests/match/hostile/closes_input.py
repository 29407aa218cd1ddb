#!/usr/bin/env python3
"""Closes its input after a friendly beginning and lives on."""
import os
import time

from polite import Polite, say


def ready():
    os.close(0)
    say("readyok")
    time.sleep(1000)


Polite(isready=ready).run()
