#!/usr/bin/env python3
"""Takes far too long to start."""
import time

from polite import Polite

time.sleep(1000)
Polite().run()
