#!/usr/bin/env python3
"""Has children that do nothing and never end."""
import os
import time

from polite import Polite

for _ in range(5):
    if os.fork() == 0:
        time.sleep(1000)
Polite().run()
