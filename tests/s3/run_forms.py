#!/usr/bin/env python3
"""run_forms.py PROGRAM: games/s3 has two games in two forms of rules each; both must play alike.

Equal numbers of move sequences and of distinct positions at every depth, with both ways to run the
rules; some are also known from reference.py, and Frogs has those of the original file, as recorded.
"""
import os
import sys

from players import ProgramError, call
from recorded import ROOT

FOLDER = os.path.join(ROOT, "games", "s3")
ALL = bool(os.environ.get("LUDENS_ALL"))
# By reference.py; those of Frogs are also the numbers of the original file.
FROGS = [1, 4, 8, 8, 8, 12, 14, 16, 10, 6, 6, 6, 4, 2, 2, 2, 0]
FROGS_LAYERS = [1, 4, 4, 5, 4, 6, 8, 8, 7, 6, 6, 4, 4, 2, 2, 1]
ALQUERQUE, ALQUERQUE_LAYERS = [1, 4, 8, 33, 212], [1, 4, 8, 33, 201]


def sequences(program, name, depth, backend):
    return call(program, "perft", os.path.join(FOLDER, name), str(depth), "--json",
                "--backend", backend)["nodes"]


def layers(program, name, depth, backend):
    found = call(program, "states", os.path.join(FOLDER, name), str(depth), "--json",
                 "--backend", backend)["new"]
    while len(found) > 1 and found[-1] == 0:
        found.pop()
    return found


def check(program, game, depth, known, known_layers, backend):
    forms = [game, game + "-classic"]
    for d in range(depth + 1):
        found = [sequences(program, name, d, backend) for name in forms]
        expected = known[d] if d < len(known) else found[0]
        if found != [expected] * 2:
            yield "%s, depth %d, %s: %s sequences, expected %s" % (game, d, backend, found, expected)
    found = [layers(program, name, min(depth, 20), backend) for name in forms]
    if found[0] != found[1] or found[0][:len(known_layers)] != known_layers:
        yield "%s, %s: positions %s, expected %s..." % (game, backend, found, known_layers)


def main():
    program, wrong = os.path.abspath(sys.argv[1]), []
    for backend in ("interp", "native"):
        try:
            wrong += check(program, "Frogs", 17, FROGS, FROGS_LAYERS, backend)
            wrong += check(program, "Alquerque", 7 if ALL else 5, ALQUERQUE, ALQUERQUE_LAYERS,
                           backend)
        except ProgramError as error:
            wrong.append("%s: %s" % (backend, error))
    print("\n".join(wrong) if wrong else "both forms of both games agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
