#!/usr/bin/env python3
"""Ends when a game begins."""
import sys

from polite import Polite

Polite(uginewgame=lambda: sys.exit("no games, please")).run()
