#!/usr/bin/env python3
"""Plays a move that is none."""
from polite import Polite, say

Polite(go=lambda: say("bestmove z9")).run()
