#!/usr/bin/env python3
"""Plays any legal move."""

import random

from ludens import Bot


class RandomBot(Bot):
    name = "Random in Python"

    def move(self, position, limits):
        return random.choice(position.moves())


RandomBot().run()
