#!/usr/bin/env python3
"""Does not want to leave."""
import signal

from polite import Polite

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
bot = Polite(quit=lambda: None)
while True:
    bot.run()
