#!/usr/bin/env python3
"""Answers without a move."""
from polite import Polite, say

Polite(go=lambda: say("bestmove")).run()
