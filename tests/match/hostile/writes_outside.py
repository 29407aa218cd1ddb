#!/usr/bin/env python3
"""Tries to write beside its folder; tells on standard error what came of it."""
import os
import sys

from polite import Polite

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in (os.path.dirname(HERE), os.path.expanduser("~")):
    try:
        path = os.path.join(folder, "written-by-a-bot")
        open(path, "w").close()
        os.remove(path)
        sys.stderr.write("wrote outside\n")
    except OSError:
        pass
Polite().run()
