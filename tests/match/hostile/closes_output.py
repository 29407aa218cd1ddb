#!/usr/bin/env python3
"""Closes its output and lives on."""
import os
import time

from polite import Polite


def go():
    os.close(1)
    time.sleep(1000)


Polite(go=go).run()
