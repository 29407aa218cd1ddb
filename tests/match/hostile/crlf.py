#!/usr/bin/env python3
"""Ends lines as Windows does, which is allowed."""
import sys

from polite import Polite

sys.stdout.reconfigure(newline="\r\n")
Polite().run()
