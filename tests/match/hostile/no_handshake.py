#!/usr/bin/env python3
"""Speaks, but not as agreed."""
from polite import Polite, say

Polite(ugi=lambda: say("Hello!")).run()
