#!/usr/bin/env python3
"""contests.py LUDENS: tournaments with real bots. Prints TAP.

All bots of the folder hostile in one tournament, which ends and names what each did wrong; then a
student's path: a bot from `ludens bot new`, a match, a tournament, the database.
"""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import case, end  # noqa: E402

LUDENS = os.path.abspath(sys.argv[1])
HOSTILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hostile")
ENVIRONMENT = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", NO_COLOR="1", TEST_PORT="9")
TIMEOUT = 600

# What each of them does wrong, as the database calls it.
OFFENCES = {
    "silence": "silent sleeps_at_start silent_at_go never_ready ignores_stop spins",
    "time": "late",
    "illegal": "illegal other_position",
    "crash": "exits_at_start exits_at_ugi exits_at_new_game exits_at_go raises crashes "
    "no_last_newline",
    "crash or silence": "closes_output closes_input",  # bubblewrap holds pipes open
    "limit": "fork_bomb endless_line flood_output flood_errors eats_memory",
    "nonsense": "garbage twice early_move no_move wrong_handshake no_handshake",
    "": "slow_start chatty forks escapes ignores_quit empty_lines crlf capitals writes_outside "
    "network late_once",
}
# They answer too late or never: little time for them, much for the others.
HASTY = "silent_at_go ignores_stop spins late closes_output closes_input".split()


def run(folder, *arguments):
    done = subprocess.run(
        arguments, cwd=folder, env=ENVIRONMENT, timeout=TIMEOUT, check=False, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    return done.returncode, done.stdout, done.stderr


def rows(folder, name, question):
    db = sqlite3.connect(os.path.join(folder, name))
    found = db.execute(question).fetchall()
    db.close()
    return found


def hostile(folder):
    expected = {name: what for what, names in OFFENCES.items() for name in names.split()}
    files = {f[:-3] for f in os.listdir(HOSTILE) if f.endswith(".py")} - {"polite"}
    case("every bot of the folder is in the list", files == set(expected),
         files.symmetric_difference(expected))
    with open(os.path.join(folder, "hostile.txt"), "w", encoding="utf-8") as f:
        f.write("ludens tournament 1\ntitle Everybody misbehaves\nkind gauntlet\n"
                "game tic-tac-toe\neach 1\nswap no\nopenings 0\ntime time=20s,margin=20s\n"
                "entrant random\n")
        for name in sorted(expected):
            f.write("entrant %s = bot:%s.py\n" % (name, os.path.join(HOSTILE, name)))
            if name in HASTY:
                f.write("    time time=0.2s,margin=0\n")
    status, output, errors = run(folder, LUDENS, "tournament", "hostile.txt", "--jobs", "10",
                                 "--json")
    case("the tournament ends", status == 0, errors)
    if status:
        return
    report = json.loads(output)
    case("everybody has played", report["played"] == len(expected), output)
    found = {e["name"]: e["offences"] for e in report["entrants"]}
    for name, what in sorted(expected.items()):
        wanted = [{word: 1} if word else {} for word in what.split(" or ")]
        case("%s: %s" % (name, what or "nothing wrong"), found.get(name) in wanted,
             rows(folder, "hostile.db", "select ending, reason from games where number = %d"
                  % sorted(expected).index(name)))
    for number, ending, culprit, reason, log in rows(
            folder, "hostile.db", "select number, ending, culprit, reason, log from games"):
        name = sorted(expected)[number]
        if expected[name]:
            case("%s: the reason is kept: %s" % (name, reason.split("\n")[0][:60]),
                 culprit == 1 and reason and log, (ending, culprit, reason, log))
    status, output, errors = run(folder, LUDENS, "tournament", "hostile.txt")
    case("again: nothing is played, the result is the same",
         status == 0 and "illegal lost by illegal (1)" in output
         and "silent lost by silence (1)" in output, output + errors)


def student(folder):
    status, output, errors = run(folder, LUDENS, "bot", "new", "--lang", "python", "mybot")
    case("a bot is begun", status == 0, errors)
    match = [LUDENS, "match", "tic-tac-toe", "bot:./mybot/bot.py", "random", "--games", "6",
             "--time", "time=10s,margin=20s", "--db", "mine.db"]
    status, output, errors = run(folder, *match)
    case("it plays a match", status == 0 and "6 games" in output, output + errors)
    case("what holds it back is told", "bots: " in errors, errors)
    kept = rows(folder, "mine.db", "select number, ending, record from games order by number")
    case("the database has its games", [k[0] for k in kept] == list(range(6)), kept)
    case("by the rules", all(k[1] == "rules" for k in kept), kept)
    with open(os.path.join(folder, "game.txt"), "w", encoding="utf-8") as f:
        f.write(kept[0][2])
    status, output, errors = run(folder, LUDENS, "replay", "game.txt", "--ascii")
    case("a game of it replays", status == 0, output + errors)
    with open(os.path.join(folder, "course.txt"), "w", encoding="utf-8") as f:
        f.write("ludens tournament 1\ntitle Course\nkind swiss\ngame tic-tac-toe\n"
                "game connect-four width=4 height=4\ntime time=0.5s,margin=30s\n"
                "entrant Mine = bot:./mybot/bot.py\nentrant Clever = bot:./mybot/alphabeta_bot.py\n"
                "entrant Luck = random\nentrant Greed = greedy\n")
    status, output, errors = run(folder, LUDENS, "tournament", "course.txt", "--json")
    case("it is entered in a tournament", status == 0, errors)
    report = json.loads(output) if status == 0 else {"entrants": []}
    case("everybody has played all rounds", report.get("played") == 16 and report["over"], output)
    case("nobody did anything wrong", not any(e["offences"] for e in report["entrants"]),
         rows(folder, "course.db", "select ending, reason, log from games where ending <> 'rules'"))
    case("the database is beside the file", os.path.exists(os.path.join(folder, "course.db")))


def main():
    with tempfile.TemporaryDirectory() as folder:
        student(folder)
        hostile(folder)
    return end()


if __name__ == "__main__":
    sys.exit(main())
