#!/usr/bin/env python3
"""run_kinds.py PROGRAM: games of the kinds that S3 files were written for, made here.

A river to cross by night (points given before the move, boarding as a move of its own), stones that
skip over others (jumps in a row, a switch that ends them), boxes of lines (many places and elements,
each declared twice; the followup hands its count to the scorings). Move sequences, positions and
random games must be those of reference.py, with both ways to run the rules. LUDENS_ALL=1 adds boxes of
the size that they had. `--show NAME` prints one.
"""
import argparse
import os
import sys
import tempfile

import random_files
import reference
from players import ProgramError, call


def section(name, entries):
    lines = ["[%s]" % name]
    for entry in entries:
        lines += ["%s=%s" % pair for pair in entry] + [""]
    return "\n".join(lines) + "\n"


def board(types, places, players, elements):
    """types: (name, states); places: (name, relevant); elements: (name, type, place)."""
    kinds = [("ground", "yes"), ("stack", "no")]
    return (section("ELEMENT TYPES", [[("name", n), ("states", s)] for n, s in types])
            + section("LOCATION TYPES", [[("name", n), ("relevant", r), ("point", "1,1")]
                                         for n, r in kinds])
            + section("LOCATIONS", [[("name", n), ("type", "ground" if r else "stack")]
                                    for n, r in places])
            + section("PLAYER NAMES", [players])
            + section("MOVABLE ELEMENTS", [[("name", n), ("type", t), ("location", at)]
                                           for n, t, at in elements]))


def river():
    places = [("%s(%d)" % (side, i), True) for side in ("left", "right") for i in range(1, 5)]
    places += [("%s(%d)" % (name, i), True) for name in ("seat", "lamp") for i in (1, 2)]
    elements = [("p(%d)" % i, "walker", "left(%d)" % i) for i in range(1, 5)]
    elements += [("light", "light", "lamp(1)")]
    return board([("walker", 1), ("light", 1)], places, [("1", "Guide"), ("score", 50)],
                 elements) + """[EXPRESSIONS]
// How long the one on seat $S takes.
Time($S)
    IF(EMPTY("seat($S)"), 0, Pace(INDEX(CONTENT("seat($S)"))))
END

Pace($P)
    IF($P == 1, 1, IF($P == 2, 2, IF($P == 3, 5, 10)))
END

Slowest
    $ONE = Time(1)
    $TWO = Time(2)
    IF($ONE > $TWO, $ONE, $TWO)
END

Someone
    FORSOME($S, 1, 2, NOT EMPTY("seat($S)"))
END

Land($S)
    $WHO = INDEX(CONTENT("seat($S)"))
    IF($B == 2, MOVE("p($WHO)", "seat($S)", "right($WHO)"), MOVE("p($WHO)", "seat($S)", "left($WHO)"))
END

[END OF GAME]
situation=FORALL($K, 1, 4, EMPTY("left($K)")) AND EMPTY("lamp(1)")
winner=PLAYER

[GAME RULES]
name=board
element=p($I)
from=left($X)
to=seat($S)
condition=NOT EMPTY("lamp(1)")

name=boardAgain
element=p($I)
from=right($X)
to=seat($S)
condition=NOT EMPTY("lamp(2)")

name=cross
element=light
from=lamp($A)
to=lamp($B)
condition=Someone
awardPlayer=PLAYER
withScore=0 - Slowest
followup=FORALL($S, 1, 2, EMPTY("seat($S)") OR Land($S))

name=leave
element=p($I)
from=seat($S)
to=left($X)
condition=(NOT EMPTY("lamp(1)")) AND $I == $X
"""


def skipping():
    places = [("s(%d,%d)" % (x, y), True) for y in range(1, 6) for x in range(1, 5)]
    places += [("sp(1)", True), ("sp(2)", True)]
    elements = [("w(%d)" % i, "white", "s(%d,1)" % i) for i in range(1, 5)]
    elements += [("b(%d)" % i, "black", "s(%d,5)" % i) for i in range(1, 5)]
    elements += [("switch", "switch", "sp(1)")]
    text = board([("white", 2), ("black", 2), ("switch", 1)], places,
                 [("1", "White"), ("2", "Black")], elements) + """[EXPRESSIONS]
// 1 for White, whose stones go up, else -1.
Way
    3 - (2 * PLAYER)
END

Calm
    FORALL($J, 1, 4, ((STATE("w($J)")) == 1) AND (STATE("b($J)")) == 1)
END

Step
    Calm
    (ABS($M - $K)) < 2
    ($N - $L) == Way
END

// Over any stone; with and without parentheses: AND and OR group to the right.
Jump
    Calm OR STATE(CONTENT("s($K,$L)")) == 2
    $MX = ($K + $M) / 2
    $MY = ($L + $N) / 2
    $DX = ABS($K - $M)
    $DY = ($N - $L) * Way
    (($DX == 0) AND $DY == 2) OR ($DX == 2) AND ($DY == 0) OR $DY == 2
    (($DX == 2) OR $DX == 0) AND NOT EMPTY("s($MX,$MY)")
END

// Places that are not there are empty, too.
More($A,$B)
    FORSOME($U, -1, 1, FORSOME($V, 0, 1, Over($A + $U, $B + ($V * Way), $A + (2 * $U), $B + (2 * $V * Way))))
END

Over($C,$D,$E,$F)
    NOT EMPTY("s($C,$D)")
    EMPTY("s($E,$F)")
    LOCTYPE("s($E,$F)") == "ground"
END

AfterMove
    IF(((ABS($K - $M)) == 2) OR (ABS($L - $N)) == 2, IF(More($M,$N), SETSTATE(CONTENT("s($M,$N)"), 2), Done), Done)
END

Done
    FORALL($J, 1, 4, SETSTATE("w($J)", 1) AND SETSTATE("b($J)", 1))
    $OTHER = (PLAYER % 2) + 1
    IF(EMPTY("sp($OTHER)"), MOVE("switch", LOCATION("switch"), "sp($OTHER)"), true)
    NEXTPLAYER
END

[END OF GAME]
situation=FORALL($J, 1, 4, ELTYPE(CONTENT("s($J,5)")) == "white")
winner=1

situation=FORALL($J, 1, 4, ELTYPE(CONTENT("s($J,1)")) == "black")
winner=2

[GAME RULES]
"""
    for player, name in ((1, "w"), (2, "b")):
        text += """name=%s
element=%s($I)
player=%d
from=s($K,$L)
to=s($M,$N)
condition=Step OR Jump
followup=AfterMove

""" % (name, name, player)
    return text + """name=switch
element=switch
from=sp($P)
to=sp($Q)
condition=NOT Calm
followup=Done
"""


def boxes(size, shown=False):
    """Squares of size * size boxes; with `shown` a stone lies beside each, its state is its owner."""
    edges = [("h(%d,%d)" % (x, y), "h") for y in range(size + 1) for x in range(size)]
    edges += [("v(%d,%d)" % (x, y), "v") for y in range(size) for x in range(size + 1)]
    half = len(edges) // 2
    places = [(name, True) for name, _ in edges]
    elements = []
    for player in "ab":
        for way in "hv":
            for i in range(1, half + 1):
                name = "%s%s(%d)" % (player, way, i)
                places.append(("for" + name, False))
                elements.append((name, "line" + player + way, "for" + name))
    if shown:
        for y in range(size):
            for x in range(size):
                places.append(("box(%d,%d)" % (x, y), False))
                elements.append(("sqr(%d,%d)" % (x, y), "square", "box(%d,%d)" % (x, y)))
    types = [("line" + p + w, 1) for p in "ab" for w in "hv"] + [("square", 3)]
    show = 'SETSTATE("sqr($A,$B)", PLAYER + 1)' if shown else "true"
    text = board(types, places, [("1", "Ann"), ("2", "Bob")], elements * 2) + """[EXPRESSIONS]
Closed($A,$B)
    NOT EMPTY("h($A,$B)")
    NOT EMPTY("v($A,$B)")
    $C = $A + 1
    $D = $B + 1
    NOT EMPTY("h($A,$D)")
    NOT EMPTY("v($C,$B)")
    $SCORE = $SCORE + 1
    %s
END

AfterH
    $SCORE = 0
    Closed($X,$Y) OR true
    Closed($X,$Y - 1) OR true
    IF($SCORE == 0, NEXTPLAYER, true)
END

AfterV
    $SCORE = 0
    Closed($X,$Y) OR true
    Closed($X - 1,$Y) OR true
    IF($SCORE == 0, NEXTPLAYER, true)
END

Full
    FORALL($J, 0, %d, FORALL($K, 0, %d, NOT EMPTY("h($J,$K)")))
    FORALL($J, 0, %d, FORALL($K, 0, %d, NOT EMPTY("v($J,$K)")))
END

[SCORINGS]
situation=$SCORE > 0
player=PLAYER
score=$SCORE

[END OF GAME]
situation=Full AND SCORE(1) > SCORE(2)
winner=1

situation=Full AND SCORE(1) < SCORE(2)
winner=2

situation=Full
winner=0

[GAME RULES]
""" % (show, size - 1, size, size, size - 1)
    for player, name in ((1, "a"), (2, "b")):
        for way in "hv":
            text += "name=%s%s\nelement=%s%s($I)\nplayer=%d\nfrom=for%s%s($F)\nto=%s($X,$Y)\n" % (
                name, way, name, way, player, name, way, way)
            text += "followup=After%s\n\n" % way.upper()
    return text


# Text, depths of sequences and of positions. The large ones take reference.py its time.
LARGE = [] if os.environ.get("LUDENS_ALL") else ["Boxes5", "BoxesShown5"]
GAMES = {
    "River": (river, 5, 5),
    "Skipping": (skipping, 3, 2),
    "Boxes": (lambda: boxes(2), 2, 2),
    "BoxesShown": (lambda: boxes(2, True), 2, 2),
    "Boxes5": (lambda: boxes(5), 1, 1),
    "BoxesShown5": (lambda: boxes(5, True), 1, 1),
}


def counted(program, path, what, depth, backend):
    found = call(program, what, path, str(depth), "--json", "--backend", backend)
    return found["nodes"] if what == "perft" else found["new"]


def check(program, name, path, backend):
    make, depth, layer_depth = GAMES[name]
    text = make()
    engine = reference.Engine(reference.read(text))
    expected = reference.perft(engine, depth)
    found = [counted(program, path, "perft", d, backend) for d in range(depth + 1)]
    if found != expected:
        yield "%s, %s: sequences are %s, expected %s" % (name, backend, found, expected)
    expected = reference.layers(engine, layer_depth)
    found = counted(program, path, "states", layer_depth, backend)[:len(expected)]
    if found != expected:
        yield "%s, %s: positions are %s, expected %s" % (name, backend, found, expected)
    different = random_files.try_file(program, path, text, 7, backend)
    if different:
        yield "%s, %s: %s" % (name, backend, different)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--show")
    options = parser.parse_intermixed_args()
    if options.show:
        print(GAMES[options.show][0](), end="")
        return 0
    wrong, program = [], os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names or [g for g in GAMES if g not in LARGE]:
            path = os.path.join(folder, name)
            with open(path, "w", encoding="ascii") as file:
                file.write(GAMES[name][0]())
            for backend in ("interp", "native"):
                try:
                    wrong += check(program, name, path, backend)
                except ProgramError as error:
                    wrong.append("%s, %s: %s" % (name, backend, error))
    print("\n".join(wrong) if wrong else "all games agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
