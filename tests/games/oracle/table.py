#!/usr/bin/env python3
"""Prints the part of ../perft.txt that the programs in this folder compute (some minutes).

First small boards and other parameters from the start, then positions from the middle and the
end of random games, where the rare rules apply.
"""
import random

from perft import load, perft, value

STARTS = """
mill men=3 4
mill men=12 3
three-mens-morris 8
three-mens-morris flying=yes 8
six-mens-morris 5
twelve-mens-morris 3
domineering rows=1 columns=1 1
domineering rows=1 columns=2 2
domineering rows=2 columns=1 2
domineering rows=1 columns=8 2
domineering rows=2 columns=3 6
domineering rows=3 columns=2 6
domineering rows=4 columns=4 8
domineering rows=3 columns=7 4
domineering rows=7 columns=3 4
domineering rows=16 columns=16 2
byte size=10 3
byte size=16 2
skirmish reds=1 blues=1 health=1 9
skirmish reds=2 blues=1 8
skirmish reds=1 blues=4 9
skirmish reds=4 blues=4 8
skirmish reds=4 blues=3 health=2 8
frogs frogs=1 3
frogs frogs=2 8
frogs 15
frogs 16
frogs frogs=5 11
frogs frogs=5 35
frogs frogs=12 12
alquerque 8
alquerque compulsory=no chains=no 6
alquerque compulsory=yes chains=no 7
alquerque compulsory=no chains=yes 6
connect-four width=4 height=4 9
connect-four width=5 height=4 length=3 7
connect-four width=1 height=9 9
connect-four width=3 height=3 length=2 9
reversi size=4 13
reversi size=6 7
reversi size=10 5
breakthrough size=4 6
breakthrough size=5 5
breakthrough size=6 4
gomoku 2
gomoku size=5 4
hex size=1 2
hex size=2 4
hex size=3 9
hex size=11 2
nim 12
nim heaps=1,3,5,7 5
nim heaps=12 limit=3 12
nim heaps=2,2 misere=yes 4
river-crossing 9
peg-solitaire 6
dots-and-boxes width=1 height=1 4
dots-and-boxes width=2 height=1 7
dots-and-boxes width=2 height=2 6
dots-and-boxes width=3 height=2 4
dots-and-boxes 3
fox-and-hounds 9
fox-and-hounds start=1 8
fox-and-hounds start=3 8
fox-and-hounds start=7 8
english-draughts 7
amazons size=6 2
amazons size=8 1
"""

# game, parameters, after how many random moves, depth
MIDDLES = """
mill men=3 6 2
mill men=3 10 2
mill men=3 flying=no 9 4
mill men=4 9 3
mill men=4 16 2
mill men=5 14 3
mill men=9 12 2
mill men=9 20 3
mill men=9 40 3
mill men=9 80 3
mill men=9 mills_are_safe=yes 50 3
mill men=12 30 3
six-mens-morris 14 4
six-mens-morris 30 4
six-mens-morris flying=yes 30 3
three-mens-morris 7 6
twelve-mens-morris 20 2
twelve-mens-morris 26 3
twelve-mens-morris 50 3
domineering rows=8 columns=8 20 4
domineering rows=5 columns=9 12 6
byte 12 3
byte 20 3
byte 28 4
byte 34 5
byte size=10 40 3
byte size=10 60 4
byte size=16 60 2
byte size=16 150 3
skirmish reds=3 blues=3 health=2 60 7
skirmish reds=4 blues=4 health=1 50 7
skirmish reds=4 blues=2 health=3 120 7
alquerque 12 5
alquerque 24 5
alquerque compulsory=no chains=no 20 4
alquerque compulsory=no chains=yes 30 4
alquerque compulsory=yes chains=no 30 5
connect-four 18 6
connect-four 30 8
reversi 20 4
reversi 40 4
reversi 54 7
reversi size=6 26 8
breakthrough 30 3
breakthrough 50 3
breakthrough size=5 14 4
gomoku 40 2
hex size=4 8 5
hex size=5 16 5
peg-solitaire 14 6
peg-solitaire 24 6
dots-and-boxes width=3 height=3 16 5
dots-and-boxes width=4 height=4 32 5
fox-and-hounds 12 6
fox-and-hounds 24 7
english-draughts 20 5
english-draughts 40 5
english-draughts 60 5
english-draughts 80 4
amazons size=6 12 2
amazons size=6 20 4
amazons 60 2
eight-puzzle 30 12
eight-puzzle width=4 height=2 30 11
eight-puzzle width=2 height=5 30 11
chess 12 3
chess 30 3
chess 60 3
chess 90 3
chess 120 3
"""




def crowds():
    """Skirmish: fighters that are shut in, and must be skipped or make the side pass."""
    game = load("skirmish", {"reds": 3, "blues": 1})
    reds = ((1, 1, 10), (1, 2, 10), (2, 1, 10))
    for red, blue in ((reds, (9, 4)), (reds[::-1], (9, 4)), (reds, (3, 1)), (reds[1:], (9, 4))):
        side = red + ((4, 4, 0),) if len(red) == 2 else red  # a dead one keeps its number
        yield game, game.settle((side, ((*blue, 10),)), 0, 0), 6
    game = load("skirmish", {"reds": 1, "blues": 3})
    yield game, game.settle((((1, 1, 1),), ((1, 2, 10), (2, 1, 10), (3, 1, 10))), 1, 0), 6


def split(line):
    words = line.split()
    params = [w for w in words if "=" in w]
    numbers = [int(w) for w in words[1:] if "=" not in w]
    return words[0], params, load(words[0], dict(read(p) for p in params)), numbers


def read(param):
    name, text = param.split("=")
    return name, value(text)


def walk(name, game, moves, rng):
    """A position after about so many random moves, the game not over."""
    while True:
        state = game.start()
        steps = game.slides if name == "eight-puzzle" else game.successors
        for _ in range(moves):
            after = list(steps(state))
            if not after:
                break
            state = rng.choice(after) if name != "skirmish" else min(
                rng.sample(after, min(3, len(after))), key=game.calm)
        if game.successors(state):
            return state
        moves -= moves > 1 and rng.random() < 0.2


def main():
    for line in STARTS.split("\n"):
        if line:
            name, params, game, (depth,) = split(line)
            count = perft(game, game.start(), depth)
            print(*[name, *params, depth, count], flush=True)
    print()
    for line in MIDDLES.split("\n"):
        if line:
            name, params, game, (moves, depth) = split(line)
            rng = random.Random(line)
            for _ in range(3):
                state = walk(name, game, moves, rng)
                count = perft(game, state, depth)
                print(*[name, *params, f'state="{game.text(state)}"', depth, count], flush=True)
    for game, state, depth in crowds():
        params = [f"{k}={n}" for k, n in zip(("reds", "blues"), game.sizes)]
        text = game.text(state).split("acted")[0] + "acted=0"
        print(*["skirmish", *params, f'state="{text}"', depth, perft(game, state, depth)])


if __name__ == "__main__":
    main()
