#!/usr/bin/env python3
"""load.py PROGRAM [--games N] [--seconds S] [--every S] [--json] [--check]

Opens N games (1000) of Reversi with two sockets each on a server of its own, and plays in all of
them at once: every socket makes a move every S seconds (5), for S seconds (60). Prints errors, how
long the answers to moves took (the move is on the disk by then), and the memory of the server for
each game. With --check only mistakes count, and too much memory: for tests, on machines that do
other things, too. Nothing else should run when times matter. Sockets come from several addresses
of this machine, since those of one are limited.
"""

import argparse
import gc
import json
import os
import random
import select
import socket
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "web"))
from sockets import PING, PONG, TEXT, Server, frame, upgrade  # noqa: E402

PER_ADDRESS = 200
AIMS = {"p99_ms": 50, "bytes_per_game": 64 << 10}


class Seat:
    """One socket: what came, what is expected."""

    def __init__(self, load, game, number):
        address = "127.0.%d.%d" % (1 + number // PER_ADDRESS // 200, 1 + number // PER_ADDRESS % 200)
        self.load, self.game = load, game
        self.socket = load.server.connect(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(upgrade(load.server.host))
        self.socket.setblocking(False)
        self.buffer, self.open, self.asked, self.sent, self.answer = b"", False, 0, 0.0, None
        load.seats[self.socket.fileno()] = self
        load.poll.register(self.socket.fileno(), select.EPOLLIN)

    def send(self, do, **members):
        self.asked += 1
        self.answer, self.sent = None, time.monotonic()
        self.socket.sendall(frame(json.dumps(dict(members, id=self.asked, do=do)).encode()))

    def take(self):
        data = self.socket.recv(1 << 20)
        if not data:
            self.load.error("a socket was closed")
            self.load.poll.unregister(self.socket.fileno())
            return
        self.buffer += data
        if not self.open:
            head, end, rest = self.buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head:
                self.load.error(head[:40].decode("latin-1"))
            self.open, self.buffer = True, rest
        self.split()

    def split(self):
        """Frames of a server are not masked, and its messages come in one."""
        at, data = 0, self.buffer
        while len(data) - at >= 2:
            size, head = data[at + 1] & 0x7F, 2
            if size == 126:
                size, head = int.from_bytes(data[at + 2 : at + 4], "big"), 4
            elif size == 127:
                size, head = int.from_bytes(data[at + 2 : at + 10], "big"), 10
            if len(data) - at < head + size:
                break
            self.message(data[at] & 0x0F, data[at + head : at + head + size])
            at += head + size
        self.buffer = data[at:]

    def message(self, opcode, data):
        if opcode == PING:
            self.socket.sendall(frame(data, PONG))
        if opcode != TEXT:
            return
        now = time.monotonic()
        if data.startswith(b'{"re":'):
            self.answer = json.loads(data)
            if "error" in self.answer:
                self.load.error(self.answer["error"])
            self.load.answered(self, now - self.sent)
        elif data.startswith(b'{"on":"room"'):
            self.game.news(self, data)


class Match:
    """A game of two seats."""

    def __init__(self, load, number):
        self.load, self.seq, self.over, self.options, self.moves = load, 0, False, None, 0
        self.pair = [Seat(load, self, 2 * number), Seat(load, self, 2 * number + 1)]
        self.room, self.keys, self.due, self.turn = "", {}, 0.0, 0

    def news(self, seat, data):
        # Only the page that may move has options, and only those are looked at closely.
        if b'"options":{' in data:
            self.adopt(seat, json.loads(data))
        elif b'"over":true' in data:
            self.over = True

    def adopt(self, seat, room):
        self.seq = room["seq"]
        self.over = room["position"]["over"]
        if room.get("options"):
            self.options, self.turn = room["options"], self.pair.index(seat)

    def move(self):
        if self.over:
            return False
        options, self.options = self.options, None
        if options is None:
            self.load.error("no options came for the next move")
            return False
        values = [] if options["pass"] else [self.load.rng.choice(options["items"])["value"]]
        self.pair[self.turn].send("move", room=self.room, seq=self.seq, values=values)
        self.moves += 1
        return True


class Load:
    def __init__(self, server, games, every):
        self.server, self.every = server, every
        self.rng = random.Random(1)
        self.poll, self.seats, self.errors, self.times = select.epoll(), {}, {}, []
        self.timing = False
        self.empty = server.memory()
        self.games = [Match(self, i) for i in range(games)]

    def error(self, text):
        self.errors[text] = self.errors.get(text, 0) + 1

    def answered(self, _, seconds):
        if self.timing:
            self.times.append(seconds)

    def listen(self, seconds):
        for fd, _ in self.poll.poll(max(seconds, 0), 256):
            self.seats[fd].take()

    def until(self, done, seconds=120):
        end = time.monotonic() + seconds
        while not done() and time.monotonic() < end:
            self.listen(0.05)
        if not done():
            self.error("something never came")

    def open_games(self):
        self.until(lambda: all(s.open for s in self.seats.values()))
        for game in self.games:
            a, b = game.pair
            a.send("open", game="reversi", params={}, seats=[{"kind": "person"}, {"kind": "open"}])
            self.until(lambda: a.answer)
            game.room, game.keys = a.answer.get("room", ""), a.answer.get("keys", {})
            for i, seat in enumerate((a, b)):
                seat.send("join", room=game.room, key=game.keys.get(str(i), ""))
                self.until(lambda: seat.answer)
                if "seq" in seat.answer:
                    game.adopt(seat, seat.answer)
        self.listen(0)

    def play(self, seconds):
        self.timing = True
        begin = time.monotonic()
        pause = self.every / 2  # the two take turns
        for i, game in enumerate(self.games):
            game.due = begin + pause * i / len(self.games)
        end, index = begin + seconds, 0
        while True:
            game, now = self.games[index], time.monotonic()
            if game.due >= end:
                break
            if game.due > now:
                self.listen(game.due - now)
                continue
            game.move()
            game.due += pause
            index = (index + 1) % len(self.games)
            self.listen(0)
        self.until(lambda: len(self.times) >= sum(g.moves for g in self.games), 30)
        self.timing = False


def measure(options):
    with Server(options.program) as server:
        load = Load(server, options.games, options.every)
        connected = server.memory()
        load.open_games()
        opened = server.memory()
        load.play(options.seconds)
        played = server.memory()
        times = sorted(load.times) or [0.0]
        result = {
            "games": options.games,
            "sockets": len(load.seats),
            "seconds": options.seconds,
            "moves": sum(g.moves for g in load.games),
            "errors": load.errors,
            "p50_ms": round(1000 * times[len(times) // 2], 2),
            "p99_ms": round(1000 * times[len(times) * 99 // 100], 2),
            "max_ms": round(1000 * times[-1], 2),
            "bytes_per_socket": (connected - load.empty) // max(len(load.seats), 1),
            "bytes_per_game": (opened - load.empty) // options.games,
            "bytes_per_game_played": (played - load.empty) // options.games,
        }
        for seat in load.seats.values():
            seat.socket.close()
        status = server.stop()
        if status != 0:
            result["errors"]["the server ended with status %d" % status] = 1
        return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    gc.disable()
    result = measure(options)
    if options.json:
        print(json.dumps(result))
    else:
        print("%(games)d games, %(sockets)d sockets, %(moves)d moves in %(seconds)g s" % result)
        print("answers to moves: half within %(p50_ms)g ms, 99 of 100 within %(p99_ms)g ms, all "
              "within %(max_ms)g ms" % result)
        print("memory: %(bytes_per_game)d bytes for an idle game with its two sockets, "
              "%(bytes_per_game_played)d for one being played, %(bytes_per_socket)d for a socket" % result)
        print("errors: %s" % (result["errors"] or "none"))
    missed = bool(result["errors"]) or result["bytes_per_game"] >= AIMS["bytes_per_game"]
    if not options.check:
        missed = missed or result["p99_ms"] >= AIMS["p99_ms"]
    sys.exit(1 if missed else 0)


main()
