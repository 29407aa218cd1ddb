#!/usr/bin/env python3
"""Looks ahead with alpha-beta, deeper and deeper, as long as there is time.

It knows no rules: it asks Ludens for the moves and for the positions behind them. What it knows is
who has won. Yours could know more: `value` is the place for it.
"""

import random

from ludens import Bot

WIN = 1000000
INFINITE = 2 * WIN


class TimeIsUp(Exception):
    pass


def value(state, player):
    """What a position is worth to a player before anybody has won: nothing is known here."""
    return 0


def value_of_result(result, player, ply):
    if "p%swin" % player in result.split("+"):
        return WIN - ply
    return 0 if result == "draw" else ply - WIN


class AlphaBetaBot(Bot):
    name = "Alpha-beta in Python"

    def move(self, position, limits):
        self.limits, self.nodes, self.me = limits, 0, position.player()
        self.seconds = 0.8 * limits.seconds(self.me)
        successors = position.successors()
        random.shuffle(successors)
        best = successors[0]
        for depth in range(1, 1 + limits.numbers.get("depth", 100)):
            try:
                score, best = self.root(position, successors, depth)
            except TimeIsUp:
                break
            # The best move of a depth is looked at first in the next.
            successors.sort(key=lambda s: s is not best)
            self.say("info depth %d nodes %d score cp %d" % (depth, self.nodes, score // 10))
            if abs(score) > WIN // 2:
                break
        return best.move

    def root(self, position, successors, depth):
        score, best = -INFINITE, successors[0]
        for s in successors:
            v = self.search(position, s, depth - 1, score, INFINITE, 1)
            if v > score:
                score, best = v, s
        return score, best

    def search(self, position, reached, depth, alpha, beta, ply):
        """The value for `me` of a position that was reached, inside a window."""
        self.nodes += 1
        if self.limits.over(self.seconds):
            raise TimeIsUp
        if reached.result != "none":
            return value_of_result(reached.result, self.me, ply)
        if depth <= 0:
            return value(reached.state, self.me)
        mine = reached.player == self.me
        best = -INFINITE if mine else INFINITE
        for s in position.of_state(reached.state).successors():
            v = self.search(position, s, depth - 1, alpha, beta, ply + 1)
            if mine:
                best, alpha = max(best, v), max(alpha, v)
            else:
                best, beta = min(best, v), min(beta, v)
            if alpha >= beta:
                break
        return best


AlphaBetaBot().run()
