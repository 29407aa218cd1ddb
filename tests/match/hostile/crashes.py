#!/usr/bin/env python3
"""Ends by a signal."""
import os
import signal

from polite import Polite

Polite(go=lambda: os.kill(os.getpid(), signal.SIGSEGV)).run()
