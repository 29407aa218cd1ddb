#!/usr/bin/env python3
"""run_expressions.py PROGRAM: the S3 language, expression by expression.

Each row of TRUE holds by the description of the language, and most were tried on the original
program. Each is the condition of a rule of its own, so the moves of one position tell which hold, in
reference.py and in the program. Each row of WRONG must fail as soon as the rule is looked at.
"""
import os
import sys
import tempfile

import reference
from players import Follower, ProgramError

# One player, places t(1), t(2)... free, and on s(1,1) a(1) of type man, state 2, owner 1; on s(2,1)
# b(1) of type king, owner 0; s(1,2) is free. The rule's element is e(1) on q(1).
TRUE = """
(1-2-3) == 2
(2*3+4) == 14
(-1+2) == -3
(NOT false OR true) == false
(ABS(3)-5) == 2
(ABS(-3)+1) == 2
NOT (true AND false OR false)
true OR false AND false
(7/2) == 3
(-(7)/2) == -3
((0-7)/2) == -3
((0-7)%3) == -1
(7%(0-3)) == 1
(2147483647+1) == (0-2147483647)-1
(65536*65536) == 0
(ABS((0-2147483647)-1)) < 0
(1 == true) == false
"1" != 1
"a b" == "ab"
"s( 1 )" == "s(1)"
(1 < = 2) AND (1 ! = 2)
TRUE AND True AND NOT False
"" == CONTENT("s(1,2)")
"" == CONTENT("nowhere")
EMPTY("nowhere")
EMPTY("s(1,2)") AND NOT EMPTY("s(1,1)")
(STATE("nobody") == -1) AND (OWNER("nobody") == -1)
(STATE("") == -1) AND ELTYPE("") == ""
(LOCTYPE("s(1,1)") == "place") AND LOCTYPE("nowhere") == ""
(ELTYPE(CONTENT("s(1,1)")) == "man") AND ELTYPE(CONTENT("s(2,1)")) == "king"
(STATE("a(1)") == 2) AND OWNER("a(1)") == 1
(STATE("b(1)") == 1) AND OWNER("b(1)") == 0
(LOCATION("a(1)") == "s(1,1)") AND LOCATION("nobody") == ""
(ZINDEX("a(1)") == 5) AND ZINDEX("b(1)") == 0
(INDEX("s(4,3)") == 4) AND (INDEXA(1,"s(4,3)") == 4) AND INDEXA(2,"s(4,3)") == 3
(UNINDEX("s(4,3)") == "s") AND UNINDEX("switch") == "switch"
(PLAYER == 1) AND SCORE(1) == 7
IF(true,1 == 1,1/0)
IF(false,1/0,true)
(true OR 1/0) AND NOT (false AND 1/0)
1 IN {1, 2}
NOT 3 IN {1, 2}
NOT 1 IN {}
("a" IN {"a", 1}) AND NOT "1" IN {"a", 1}
{1, 1} SUBSET {1}
{} SUBSET {}
NOT {1, 2} SUBSET {1}
({1, 3} UNION {2, 1}) == {2, 1, 3}
({1, 2, 1, 3} SETMINUS {2}) == {1, 1, 3}
({1, 2, 3} INTERSECT {3, 1}) == {1, 3}
({1, 2} == {2, 1}) == false
{1,,2} == {1, 2}
({1} == 1) == false
{{1, 2}} == {{1, 2}}
$X = 3
($X = 3) AND $X == 3
($X = $Y = 3) AND ($X == true) AND $Y == 3
($X = 2) AND "s(1,$X)" == "s(1,2)"
($X = 2) AND EMPTY("s(1,$X)")
($X = 0-2) AND "s($X)" == "s(-2)"
($X = 1) AND ($Y = 2) AND "$X$Y" == "2"
FORALL($I,1,3,$I < 4)
(FORALL($I,1,3,$I < 2) == false) AND $I == 2
FORSOME($I,1,3,$I == 2) AND $I == 2
(FORSOME($I,1,3,$I == 9) == false) AND $I == 3
FORALL($I,3,1,true) AND $I == 1
($N = 0) AND FORALL($I,1,0,$N = $N + 1) AND $N == 2
($N = 0) AND FORALL($I,1,3,($N = $N + $I) AND ($I = 9)) AND $N == 6
fact(5) == 120
badfact(3) == 0
($P = 1) AND ($Q = 2) AND swap($Q,$P) AND ($P == 2) AND $Q == 2
lines == 5
NOT stops
zero
(both(1,2) == 3) AND ($A == 1) AND $B == 2
IF(true,1 == 1)
PLAYER(1,2) == 1
"END" == "END"
"s(1,1)" IN sets
($J == 1) AND $K == 1
"""

WRONG = """
$UNBOUND == 1
1/0 == 1
5 % 0 == 1
1==1 AND 2==2
1 AND true
NOT 1
IF(1,true,true)
FORALL($I,1,2,$I)
FORALL(1,1,2,true)
FORALL($I,true,2,true)
"a" < "b"
1 + "a" == 1
ABS("a") == 1
1 IN 1
{1} SUBSET 1
1 = 2
nosuch
fact == 1
both(1) == 1
empty
INDEX("switch") == 1
INDEXA(3,"s(4,3)") == 1
INDEXA(0,"s(4,3)") == 1
SCORE(0) == 1
SCORE(2) == 1
ZINDEX("nobody") == 1
EMPTY(1)
CONTENT(true) == ""
STATE({}) == 1
($X = "a") AND "s($X)" == "s"
($X = true) AND EMPTY("s($X)")
EMPTY("s($UNBOUND)")
IF(false,1 == 1)
"""

HEAD = """[ELEMENT TYPES]
name=man
states=3

name=king
states=1

[LOCATION TYPES]
name=place
point=1,1

[PLAYER NAMES]
1=Player
score=7

[MOVABLE ELEMENTS]
name=a(1)
type=man
player=1
state=2
zindex=5
location=s(1,1)

name=b(1)
type=king
location=s(2,1)

name=e(1)
type=man
location=q(1)

[EXPRESSIONS]
fact($N)
    IF($N <= 1,1,$N*fact($N-1))
END

badfact($N)
    IF($N <= 0,1,badfact($N-1)*$N)
END

swap($P,$Q)
    true
END

lines
    0
    ""
    {}
    5
END

stops
    true
    1 == 2
    1/0
END

zero
    0
    true
END

both($A,$B)
    $A + $B
END

empty
END

sets
    $SET = {}
    IF(EMPTY("s(1,1)"),true,$SET = $SET UNION {"s(1,1)"})
    $SET
END

"""


def make(rows):
    places = ["s(1,1)", "s(2,1)", "s(1,2)", "q(1)"] + ["t(%d)" % i for i in range(len(rows))]
    text = HEAD + "[LOCATIONS]\n" + "".join("name=%s\ntype=place\n" % p for p in places)
    text += "[GAME RULES]\n"
    for i, row in enumerate(rows):
        text += "name=rule%d\nelement=e($J)\nfrom=q($K)\nto=t(%d)\ncondition=%s\n" % (i, i, row)
    return text


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    return path


def moves_here(text):
    engine = reference.Engine(reference.read(text))
    return [reference.MOVE_TEXT % m[:3] for m in engine.moves(reference.State(engine.spec))]


def check_true(program, folder, backend):
    rows = [line for line in TRUE.splitlines() if line]
    expected = ["q(1)->t(%d):e(1)" % i for i in range(len(rows))]
    text = make(rows)
    path = write(folder, "True", text)
    with Follower(program, path, "--backend", backend) as follower:
        found = {"reference.py": moves_here(text), backend: follower.now.get("moves", [])}
    for who, moves in found.items():
        for row, move in zip(rows, expected):
            if move not in moves:
                yield "%s: does not hold: %s" % (who, row)


def check_wrong(program, folder):
    for number, row in enumerate(line for line in WRONG.splitlines() if line):
        text = make([row])
        try:
            moves_here(text)
            yield "reference.py: does not fail: " + row
        except reference.S3Error:
            pass
        path = write(folder, "Wrong%d" % number, text)
        try:
            with Follower(program, path) as follower:
                if "fault" not in follower.now:
                    yield "does not fail: %s: %s" % (row, follower.now["moves"])
        except ProgramError as error:
            yield "cannot be loaded: %s: %s" % (row, error)


def main():
    program, wrong = os.path.abspath(sys.argv[1]), []
    with tempfile.TemporaryDirectory() as folder:
        try:
            for backend in ("interp", "native"):
                wrong += check_true(program, folder, backend)
        except ProgramError as error:
            wrong.append(str(error))
        wrong += check_wrong(program, folder)
    print("\n".join(wrong) if wrong else "all expressions are as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
