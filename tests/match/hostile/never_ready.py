#!/usr/bin/env python3
"""Never says readyok."""
from polite import Polite

Polite(isready=lambda: None).run()
