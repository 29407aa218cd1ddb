#!/usr/bin/env python3
"""Never answers go."""
from polite import Polite

Polite(go=lambda: None).run()
