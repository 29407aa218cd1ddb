#!/usr/bin/env python3
"""kill.py LUDENS [TIMES]: the server is killed again and again while games are played. Prints TAP.

Pages play random moves, choice by choice, and note every move that the server has confirmed. The
server is killed with SIGKILL at random moments, TIMES times (5 by default), and begun again with
the same store. After each kill the database must be sound, and every room must have all confirmed
moves, in order; at most one more, whose answer the kill cut off. Seats, keys and names survive,
takebacks too: what was confirmed as undone stays undone.
"""

import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import threading
import time

from sockets import Closed, Page, Server

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import case, end  # noqa: E402

LUDENS = os.path.abspath(sys.argv[1])
TIMES = int(sys.argv[2]) if len(sys.argv) > 2 else 5
GAMES = ["mill", "tic-tac-toe", "byte", "domineering", "s3-frogs", "reversi"]
PAGES = 6
MOST = 60  # confirmed moves until a kill: more than half a second, on a slow machine longer
PATIENCE = 60  # seconds to wait for them


class Wrong(Exception):
    """The server has forgotten something, or refuses what it offered."""


class Player(threading.Thread):
    """A page that plays all sides of one game after the other until its server dies."""

    def __init__(self, number):
        super().__init__(daemon=True)
        self.random = random.Random(number)
        self.number, self.server = number, None
        self.room, self.keys = None, {}
        self.moves = []  # confirmed, as lists of values
        self.asked = None  # what was sent but not answered: the moves there may be now
        self.wrong, self.confirmed, self.finished = None, 0, 0

    def ask(self, do, **members):
        answer = self.page.ask(do, **members)
        if "error" in answer:
            raise Wrong("%s %s: %s" % (do, members, answer["error"]))
        return answer

    def come(self):
        """Joins again and looks at what is there."""
        room = {}
        for key in self.keys.values():
            room = self.ask("join", room=self.room, key=key)
        there = [m["values"] for m in room["moves"]]
        if there != self.moves and there != self.asked:
            raise Wrong("%s has %s instead of %s (or %s)" % (
                self.room, there, self.moves, self.asked))
        if not all(seat["you"] and seat["name"] == "page %d" % self.number for seat in room["seats"]):
            raise Wrong("seats are lost: %s" % room["seats"])
        self.moves, self.asked = there, None
        return room

    def open(self):
        self.asked = None
        answer = self.ask("open", game=self.random.choice(GAMES))
        self.room, self.keys, self.moves = answer["room"], answer["keys"], []
        return self.ask("join", room=self.room)

    def step(self, room):
        """A move, now and then one taken back; the room afterwards."""
        if room["ended"] or len(self.moves) > 40:
            self.finished += 1
            self.ask("leave", room=self.room)
            return self.open()
        if self.moves and self.random.random() < 0.1:
            self.asked = self.moves[:-1]
            self.ask("undo", room=self.room, seq=room["seq"])
        else:
            values, options = [], room["options"]
            while options["move"] is None:
                values.append(self.random.choice(options["items"])["value"])
                options = self.ask("options", room=self.room, seq=room["seq"], values=values)
            self.asked = self.moves + [values]
            self.ask("move", room=self.room, seq=room["seq"], values=values)
        self.moves, self.asked = self.asked, None
        self.confirmed += 1
        return self.ask("join", room=self.room)

    def play(self):
        self.page = Page(self.server)
        self.ask("hello", page="page-number-%d" % self.number, name="page %d" % self.number)
        room = self.come() if self.room else self.open()
        while True:
            room = self.step(room)
            self.page.pushed.clear()
            time.sleep(self.random.random() * 0.1)  # messages in a second are limited

    def run(self):
        try:
            self.play()
        except (Closed, OSError):
            pass  # the server was killed
        except Exception as wrong:  # of any kind: told at the end
            self.wrong = wrong


def is_sound(path):
    """Of a copy with its log: looking must not repair what the next server has to."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy.db")
        for ending in ("", "-wal"):
            if os.path.exists(path + ending):
                shutil.copy(path + ending, copy + ending)
        db = sqlite3.connect(copy)
        found = db.execute("pragma integrity_check").fetchone()[0]
        if found == "ok" and db.execute("pragma foreign_key_check").fetchone():
            found = "moves without a room"
        db.close()
        return found


def heirs(players):
    """New threads for what the old ones know."""
    new = []
    for old in players:
        player = Player(old.number)
        for name in ("random", "room", "keys", "moves", "asked", "confirmed", "finished"):
            setattr(player, name, getattr(old, name))
        new.append(player)
    return new


def wait_for_moves(players, number):
    """Until so many more are confirmed, or somebody has found a fault."""
    goal = sum(p.confirmed for p in players) + number
    end_of_patience = time.monotonic() + PATIENCE
    while (sum(p.confirmed for p in players) < goal and time.monotonic() < end_of_patience
           and not any(p.wrong for p in players)):
        time.sleep(0.002)


def main():
    folder = tempfile.mkdtemp(prefix="ludens-kill-")
    store = os.path.join(folder, "rooms.db")
    moments = random.Random(1)
    players = [Player(n) for n in range(PAGES)]
    unsound, wrong = [], []
    for _ in range(TIMES):
        server = Server(LUDENS, "--store", store)
        for player in players:
            player.server = server
            player.start()
        wait_for_moves(players, moments.randrange(MOST))
        time.sleep(moments.random() * 0.05)
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
        for player in players:
            player.join(60)
        server.stop()
        wrong += [str(p.wrong) for p in players if p.wrong]
        sound = is_sound(store)
        if sound != "ok":
            unsound.append(sound)
        players = heirs(players)
    # The last look: everything that was confirmed is there.
    with Server(LUDENS, "--store", store) as server:
        for player in players:
            player.server = server
            player.page = Page(server)
            try:
                if player.room:
                    player.ask("hello", page="page-number-%d" % player.number, name="")
                    player.come()
            except Exception as lost:  # of any kind
                wrong.append(str(lost))
        case("it ends well afterwards", server.stop() == 0)
    confirmed = sum(p.confirmed for p in players)
    print("# %d kills, %d confirmed moves, %d games left behind" % (
        TIMES, confirmed, sum(p.finished for p in players)))
    case("the database is sound after each kill", not unsound, "\n".join(unsound))
    case("no confirmed move is lost", not wrong, "\n".join(wrong[:10]))
    case("moves were played", confirmed > 2 * TIMES, confirmed)
    shutil.rmtree(folder, ignore_errors=True)
    sys.exit(end())


main()
