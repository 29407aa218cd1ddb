#!/usr/bin/env python3
"""Ends right after its move, without the end of the line."""
import sys

from polite import Polite


class Short(Polite):
    def go(self):
        sys.stdout.write("bestmove " + self.free())
        sys.exit(0)


Short().run()
