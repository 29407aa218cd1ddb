#!/usr/bin/env python3
"""Writes what is no text."""
import os

from polite import Polite

Polite(go=lambda: os.write(1, bytes(range(256)) + b"\n")).run()
