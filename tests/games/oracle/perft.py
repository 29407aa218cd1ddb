#!/usr/bin/env python3
"""Counts move sequences with the small independent programs in this folder.

    perft.py GAME [name=value ...] DEPTH        prints the counts for depths 1 .. DEPTH

Each module has game(name, **params) with start() and successors(state): the state after every
legal move, one entry a move, none when the game is over. They were written from the rules as
people tell them, not from the .game files, and are as plain as possible: slow, but right.
"""
import importlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

MODULES = {
    "mill": "mill", "three-mens-morris": "mill", "six-mens-morris": "mill",
    "twelve-mens-morris": "mill", "tic-tac-toe": "in_a_row", "connect-four": "in_a_row",
    "gomoku": "in_a_row", "fox-and-hounds": "fox", "english-draughts": "draughts",
    "eight-puzzle": "sliding", "peg-solitaire": "pegs", "dots-and-boxes": "boxes",
    "river-crossing": "river",
}


def load(name, params):
    module = importlib.import_module(MODULES.get(name, name))
    return module.game(name, **params)


def value(text):
    if text in ("yes", "no"):
        return text == "yes"
    if "," in text:
        return [int(t) for t in text.split(",")]
    return int(text)


def perft(game, state, depth):
    if depth == 0:
        return 1
    after = game.successors(state)
    if depth == 1:
        return len(after)
    return sum(perft(game, s, depth - 1) for s in after)


def main():
    words = sys.argv[1:]
    params = dict(w.split("=", 1) for w in words[1:] if "=" in w)
    depth = int([w for w in words[1:] if "=" not in w][0])
    game = load(words[0], {k: value(v) for k, v in params.items()})
    for d in range(1, depth + 1):
        print(perft(game, game.start(), d), flush=True)


if __name__ == "__main__":
    main()
