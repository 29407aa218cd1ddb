#!/usr/bin/env python3
"""Plays short games through `ludens play` and checks how they end and what is refused.

    run_rules.py PROGRAM

perft.txt counts moves; here are the things that counts do not show: who wins, messages, set-up.
"""
import json
import os
import re
import subprocess
import sys

# game and parameters; the position, or None for the start; the moves; a part of the output
GAMES = [
    ("tic-tac-toe", None, "a1 b1 a2 b2 a3", "Cross wins"),
    ("tic-tac-toe", None, "a1 b1 a2 b2 c1 a3 b3 c3 c2", "draw"),
    ("connect-four", None, "d e d e d e d", "Yellow wins"),
    ("connect-four", None, "d1 d1", "line 2: `d1`"),
    ("connect-four width=1 height=2 length=2", None, "a a", "draw"),
    ("connect-four", None, "z", "there is no such column"),
    ("connect-four width=2 height=1 length=2", None, "a a", "that column is full"),
    ("domineering rows=2 columns=2", None, "a1", "Vertical wins"),
    ("domineering rows=1 columns=1", None, "", "Horizontal wins"),
    ("domineering rows=1 columns=2", None, "", "Horizontal wins"),
    ("nim heaps=1,2", None, "B2 B1 A1", "First wins"),
    ("nim heaps=1,2", None, "A1 B1", "Second wins"),
    ("nim heaps=1,2 misere=yes", None, "A1 B1", "First wins"),
    ("nim heaps=1,2", None, "A1 A1", "`A1` is not allowed for `from`"),
    ("nim heaps=1,4 limit=2", None, "B2", "`B2` is not allowed for `from`"),
    ("river-crossing", None, "a3 b1 a2 b3 a4 b1 a3", "Farmer wins"),
    ("river-crossing", None, "a4", "the wolf would eat the goat"),
    ("river-crossing", None, "a2", "the goat would eat the cabbage"),
    ("hex size=1", None, "a1", "Red wins"),
    ("hex size=2", None, "a1 b1 a2", "Red wins"),
    ("hex size=2", None, "a1 b1 b2 a2", "Blue wins"),
    ("hex size=2", None, "a1 a2 b1 b2", "Blue wins"),
    ("hex size=2", None, "b1 b2 a2", "Red wins"),       # a2 and b1 touch, a1 and b2 do not
    ("hex size=2", None, "a1 b1 b2", "Blue to move"),
    ("gomoku size=5", None, "a1 b1 a2 b2 a3 b3 a4 b4 a5", "Black wins"),
    ("fox-and-hounds", "4/4/4/4/4/4/h3/F2h f", "", "Hounds wins"),
    ("fox-and-hounds", "4/4/4/4/4/2F1/4/hhhh h", "", "Fox wins"),
    ("fox-and-hounds", "4/3F/4/4/4/4/h3/h3 f", "g7-f8", "Fox wins"),
    ("fox-and-hounds", "4/4/4/4/1h2/h3/2h1/F3 h", "d4-c3", "Fox to move"),
    ("reversi size=4", "BBBB/BBBB/BBBB/BWW1 b", "d1", "Black wins"),
    ("reversi size=4", "WWWW/WWWW/WWWW/BWW1 b", "d1", "White wins"),
    ("reversi size=4", "WWWB/WWBB/WWWW/BWW1 b", "d1", "draw"),
    ("reversi size=4", "WWW1/4/4/BWW1 w", "pass", "Black to move"),
    ("breakthrough size=4", "4/W3/4/4 w", "a3-a4", "White wins"),
    ("breakthrough size=4", "3B/W3/1B2/4 b", "b2-a1", "Black wins"),
    ("breakthrough size=4", "4/1B2/W3/4 w", "a2-b3", "White wins"),
    ("peg-solitaire", "3/3/3PP2/7/7/3/3 s", "e5-c5", "Solver loses"),
    ("peg-solitaire", "3/3/7/4PP1/7/3/3 s", "f4-d4", "Solver wins"),
    ("dots-and-boxes width=1 height=1", None, "b1 a2 c2 b3", "Second wins"),
    ("dots-and-boxes width=2 height=1", None, "a2 b1 b3 c2", "Second to move"),
    ("dots-and-boxes width=2 height=1", None, "a2 b1 b3 c2 d1 d3 e2", "Second wins"),
    ("mill men=3", "3/3/3/6/BB1/3/WW1 w hand=1,0", "g1xc3", "White wins"),
    ("mill men=3", "3/3/3/6/BB1/3/WW1 w hand=1,1", "g1xc3", "Black to move"),
    ("mill men=3", "3/3/3/6/BB1/3/WW1 w hand=1,1", "g1xc3 b2 g1-g4", "White wins"),
    ("mill men=3 flying=no", "3/3/3/B5/3/2W/BW1 b hand=0,0", "", "Black to move"),
    ("mill men=3 flying=no", "B2/3/3/BW4/3/3/BW1 b hand=0,0", "", "Black to move"),
    ("mill men=3 flying=no", "BW1/3/3/BW4/3/3/BW1 b hand=0,0", "", "White wins: Black cannot move"),
    ("mill men=3", "BW1/3/3/BW4/3/3/BW1 b hand=0,0", "", "Black to move"),
    ("mill men=3", "3/3/3/6/BB1/2W/WW1 w hand=0,0", "f2-g1", "`victim`"),
    ("mill men=4", "3/3/3/6/BBB/2W/WW1 w hand=0,0", "f2-g1xc3", "White wins"),
    ("mill men=4 mills_are_safe=yes", "3/3/3/6/BBB/2W/WW1 w hand=0,0", "f2-g1", "Black to move"),
    ("six-mens-morris", "WB1/3/B3/3/3 w hand=0,0", "", "Black wins: White cannot move"),
    ("twelve-mens-morris", "WBW/BWB/WBW/WBWBWB/BWB/WBW/BB1 w hand=1,0", "g1", "draw"),
    ("mill men=12", "WBW/BWB/WBW/WBWBWB/BWB/WBW/BB1 w hand=1,0", "g1",
     "White wins: Black cannot move"),
    ("three-mens-morris", "3/BB1/WW1 w hand=1,1", "c1", "White wins"),
    ("alquerque", None, "d3-c3", "Black to move"),
    ("alquerque", "5/5/2B2/1W3/5 w", "b2-d4", "White wins"),
    ("alquerque", "5/5/2B2/1W3/5 w", "b2-a2", "`a2` is not allowed for `to`"),
    ("english-draughts", "4/2w1/2b1/4/4/4/4/4 b", "f6-d8", "Black wins"),
    ("english-draughts", "4/4/1w2/4/1w2/2b1/4/4 b", "e3-c5-e7", "Black wins"),
    ("english-draughts", "4/1ww1/2b1/4/4/4/4/4 b", "f6-d8", "1B2/1w2/4/4/4/4/4/4 w"),
    ("amazons size=4", "QXqX/XXXX/XXXX/XXXX w", "", "Black wins"),
    # Chess: mate, stalemate, repetition, fifty moves, castling, en passant, promotion.
    ("chess", None, "f2-f3 e7-e5 g2-g4 d8-h4", "Black wins"),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6-f7", "draw"),
    ("chess", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6-g7", "White wins"),
    ("chess", None, "g1-f3 g8-f6 f3-g1 f6-g8 g1-f3 g8-f6 f3-g1 f6-g8", "draw"),
    ("chess", None, "g1-f3 g8-f6 f3-g1 f6-g8 g1-f3 g8-f6 f3-g1", "Black to move"),
    ("chess", "7k/8/8/8/8/8/R7/K7 w - - 99 80", "a2-b2", "draw"),
    ("chess", "7k/8/8/8/8/8/R7/K7 w - - 98 80", "a2-b2", "Black to move"),
    ("chess", "7k/5K2/8/8/8/8/R7/8 w - - 99 80", "a2-h2", "White wins"),
    ("chess", "4k3/8/8/8/8/8/P7/K7 w - - 99 80", "a2-a3", "Black to move"),
    ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1-g1", "R4RK1 b castling=kq"),
    ("chess", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8-c8",
     "2kr3r/8/8/8/8/8/8/R3K2R w castling=KQ"),
    ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1-a8", "castling=Kk"),
    ("chess", "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", "d2-d4", "en_passant=d3"),
    ("chess", "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", "d2-d4 e4-d3", "4k3/8/8/8/8/3p4/8/4K3 w"),
    ("chess", "4k3/8/8/8/8/4p3/3P4/4K3 w - - 0 1", "d2-d4", "en_passant=-"),
    ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7-a8=knight", "N3k3"),
    ("chess", "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 0 1", "e1-g1", "`g1` is not allowed for `to`"),
    ("chess", "4k3/8/4r3/8/8/8/4R3/4K3 w - - 0 1", "e2-d2", "your king would be attacked"),
    # Byte, as the course types moves: each part has its own message.
    ("byte", None, "B 2 0 DD", "[WB]"),
    ("byte", None, "b 2 0 dd", "[WB]"),
    ("byte", None, "3 2 0 DD", "the first part is the row"),
    ("byte", None, "K 2 0 DD", "there is no such row"),
    ("byte", None, "B 9 0 DD", "the second part is the column"),
    ("byte", None, "B X 0 DD", "the second part is the column"),
    ("byte", None, "B 3 0 DD", "a light cell"),
    ("byte", None, "A 1 0 DD", "that cell is empty"),
    ("byte", None, "B 2 9 DD", "the third part is the height"),
    ("byte", None, "B 2 1 DD", "no checker at that height"),
    ("byte", None, "C 3 0 DD", "not yours"),
    ("byte", None, "B 2 0 UP", "the last part is the direction"),
    ("byte size=10", None, "B 2 0 GL", "`A1` is not allowed for `to`"),
    ("byte", "4/4/[WBWBWBW]3/B3/4/4/4/4 b bytes=0,0", "D2.0-C1", "bytes=1,0"),
    ("byte", "4/4/[WBWBWBW]3/B3/4/4/4/4 b bytes=1,1", "D2.0-C1", "Black wins"),
    ("byte size=16", "8/8/[WBWBWBW]7/B7/8/8/8/8/8/8/8/8/8/8/8/8 b bytes=6,7", "D2.0-C1", "draw"),
    ("skirmish reds=1 blues=1 health=1", "10/10/10/4R(1,1)B(1,1)4/10/10/10 r acted=0", "e4-f4",
     "Red wins"),
    ("skirmish reds=1 blues=1 health=2", "10/10/10/4R(1,2)B(1,2)4/10/10/10 r acted=0", "e4-f4",
     "4R(1,2)B(1,1)4"),
]


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)

    def run(self, *words, text=""):
        done = subprocess.run([self.path, *words], input=text, capture_output=True, text=True,
                              timeout=280)
        return done.stdout + done.stderr

    def json(self, *words):
        return json.loads(self.run(*words, "--json"))

    def play(self, game, state, moves):
        """What `play` prints; a move with blanks in it stands alone."""
        lines = [moves] if re.search(r" \d", moves) else moves.split()
        name, *params = game.split()
        people = {"frogs": "human", "river-crossing": "human", "peg-solitaire": "human",
                  "eight-puzzle": "human"}.get(name, "human,human")
        more = ["--state", state] if state else []
        return self.run("play", name, *params, "--players", people, "--ascii", "--no-colour", *more,
                        text="".join(line + "\n" for line in lines))


def check_games(program):
    for game, state, moves, expected in GAMES:
        out = program.play(game, state, moves)
        if expected not in out:
            yield f'{game} from {state or "the start"}, {moves}: expected "{expected}", got\n{out}'


def check_frogs(program):
    """Three frogs a side: exactly two ways to finish, both in fifteen moves."""
    finished = []
    rows = [[]]
    while rows:
        moves = rows.pop()
        out = program.play("frogs", None, " ".join(moves))
        if "wins" in out:
            finished.append(len(moves))
            continue
        state = next(line for line in out.splitlines() if line.endswith(" s") or " result=" in line)
        listed = program.json("moves", "frogs", "--state", state)["moves"]
        rows += [moves + [m] for m in listed]
    if finished != [15, 15]:
        yield f"frogs: ways to finish have lengths {sorted(finished)}, expected 15 and 15"


def check_rocks(program):
    seen = set()
    for seed in range(12):
        for rocks in (0, 1, 6):
            words = ["skirmish", f"rocks={rocks}", f"seed={seed}"]
            state = program.json("show", *words)["state"]
            found = []
            for row, line in enumerate(state.split()[0].split("/")):
                column = 0
                for cell in re.findall(r"\d+|[A-Z](?:\([^)]*\))?", line):
                    column += int(cell) if cell.isdigit() else 1
                    if cell == "O":
                        found.append((column, row))
            if len(found) != rocks or any(not 3 <= c <= 8 for c, _ in found):
                yield f"{' '.join(words)}: rocks at {found}"
            if rocks == 6:
                seen.add(tuple(found))
    if len(seen) < 10:
        yield f"skirmish: twelve seeds give only {len(seen)} different fields of rocks"


def check_scrambled(program):
    """Every scrambled puzzle can be solved: the parity of its order fits the place of the gap."""
    seen = set()
    for width, height in ((2, 2), (3, 3), (4, 4), (5, 3), (2, 4)):
        for seed in range(10):
            words = ["eight-puzzle", f"width={width}", f"height={height}", f"seed={seed}"]
            shown = program.json("show", *words)
            tiles = []
            for cell in re.findall(r"T\((\d+)\)|(\d+)", shown["state"].split()[0]):
                tiles += [int(cell[0])] if cell[0] else [0] * int(cell[1])
            seen.add(tuple(tiles))
            gap = tiles.index(0)
            order = [t for t in tiles if t]
            odd = sum(a > b for i, a in enumerate(order) for b in order[i + 1:]) % 2
            rows_up = height - 1 - gap // width
            if sorted(tiles) != list(range(width * height)):
                yield f"{' '.join(words)}: the tiles are {tiles}"
            elif odd != (rows_up % 2 if width % 2 == 0 else 0):
                yield f"{' '.join(words)}: {tiles} cannot be solved"
            elif shown["over"]:
                yield f"{' '.join(words)}: begins solved"
    if len(seen) < 35:
        yield f"eight-puzzle: fifty puzzles, only {len(seen)} different ones"


def main():
    program = Program(sys.argv[1])
    wrong = 0
    for check in (check_games, check_frogs, check_rocks, check_scrambled):
        for line in check(program):
            print(line)
            wrong += 1
    print("all as it should be" if not wrong else f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
