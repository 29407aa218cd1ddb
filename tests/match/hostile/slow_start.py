#!/usr/bin/env python3
"""Takes a while to start, which is allowed."""
import time

from polite import Polite

time.sleep(0.5)
Polite().run()
