#!/usr/bin/env python3
"""Answers `stop` too late, but only the first time: as on a machine that is busy for a moment."""
import os
import time

from polite import Polite

MARK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "was-late")


class LateOnce(Polite):
    infinite = False

    def heard(self, words):
        self.infinite = "infinite" in words

    def go(self):
        if not self.infinite:
            Polite.go(self)

    def stop(self):
        if not os.path.exists(MARK):
            with open(MARK, "w", encoding="utf-8"):
                time.sleep(2.5)
        Polite.go(self)


LateOnce().run()
