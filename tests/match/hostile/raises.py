#!/usr/bin/env python3
"""Has a fault of its own: the traceback is to be kept."""
from polite import Polite

Polite(go=lambda: {}["the missing key"]).run()
