#!/usr/bin/env python3
"""Answers a little too late."""
from polite import Polite


class Late(Polite):
    def go(self):
        pass

    def stop(self):
        Polite.go(self)


Late().run()
