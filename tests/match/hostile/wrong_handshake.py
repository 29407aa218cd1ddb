#!/usr/bin/env python3
"""Speaks the protocol of chess programs."""
from polite import Polite, say

Polite(ugi=lambda: say("uciok")).run()
