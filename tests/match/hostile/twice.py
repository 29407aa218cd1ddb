#!/usr/bin/env python3
"""Answers twice."""
from polite import Polite


class Twice(Polite):
    def go(self):
        Polite.go(self)
        Polite.go(self)


Twice().run()
