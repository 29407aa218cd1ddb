#!/usr/bin/env python3
"""Has a grandchild in a session of its own that closes everything."""
import os
import time

from polite import Polite

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.closerange(0, 10)
        time.sleep(1000)
    os._exit(0)
Polite().run()
