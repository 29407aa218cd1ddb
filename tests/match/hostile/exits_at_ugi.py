#!/usr/bin/env python3
"""Ends at the first line."""
import sys

from polite import Polite

Polite(ugi=lambda: sys.exit(4)).run()
