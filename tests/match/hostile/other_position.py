#!/usr/bin/env python3
"""Plays a move of the first position over and over."""
from polite import Polite, say

Polite(go=lambda: say("bestmove a1")).run()
