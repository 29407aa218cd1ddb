#!/usr/bin/env python3
"""Ends when it is its turn."""
import sys

from polite import Polite

Polite(go=lambda: sys.exit(3)).run()
