#!/usr/bin/env python3
"""hostile.py PROGRAM [SEED]: attacks a server while somebody plays there; prints TAP.

Malformed HTTP and WebSocket frames, half-open sockets, floods, huge messages, readers who do not
read. The good player has to get an answer to every move, however long that takes on a busy machine;
the server has to close what misbehaves, stay small, and end properly. What is sent depends on the
seed alone.
"""

import os
import random
import select
import socket
import struct
import sys
import threading
import time

from sockets import CLOSE, PING, TEXT, Closed, Page, Server, frame, parse_answer, upgrade

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from tap import case, end  # noqa: E402

PATIENCE = 60  # seconds until something that never comes is missed
GROWTH = 96 << 20  # bytes that the server may take for all of this, sanitizers included
SOCKETS = 256  # of one address, as src/server/server_inside.h has it


class Player(threading.Thread):
    """Plays tic-tac-toe against himself, game after game; `moves` counts confirmed moves."""

    LINE = ["a1", "b2", "c3", "b1", "b3", "a3"]  # nobody has won

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server, self.moves, self.wrong, self.stopped = server, 0, "", False
        self.start()

    def run(self):
        try:
            with Page(self.server, origin="http://" + self.server.host) as page:
                page.ask("hello", page="good-player-1", name="Ana", lang="en")
                while not self.stopped:
                    self.play(page)
        except (Closed, OSError, KeyError, AssertionError) as error:
            self.wrong = repr(error)

    def play(self, page):
        opened = page.ask("open", game="tic-tac-toe", params={},
                          seats=[{"kind": "person"}, {"kind": "person"}])
        assert "room" in opened, opened
        for key in opened["keys"].values():
            room = page.ask("join", room=opened["room"], key=key)
            assert "seq" in room, room
        seq = room["seq"]
        while not self.stopped:
            for text in self.LINE:
                answer = page.ask("move", room=opened["room"], seq=seq, text=text)
                assert "seq" in answer, answer
                seq = answer["seq"]
                self.moves += 1
                time.sleep(0.03)  # a page may send 50 messages a second
                if self.stopped:
                    return
            answer = page.ask("restart", room=opened["room"], seq=seq)
            assert "seq" in answer, answer
            seq = answer["seq"]

    def goes_on(self):
        """Whether moves are still confirmed."""
        before, end = self.moves, time.monotonic() + PATIENCE
        while self.moves < before + 3 and not self.wrong and time.monotonic() < end:
            time.sleep(0.02)
        return not self.wrong and self.moves >= before + 3


def read_all(s, seconds=PATIENCE):
    """What comes until the other side closes; None if it does not."""
    data, end = b"", time.monotonic() + seconds
    s.setblocking(False)
    while time.monotonic() < end:
        if select.select([s], [], [], 0.25)[0]:
            try:
                more = s.recv(65536)
            except OSError:
                return data
            if not more:
                return data
            data += more
    return None


def send_quietly(s, data):
    try:
        s.sendall(data)
    except OSError:
        pass


# ---- HTTP -------------------------------------------------------------------------------------


def wrong_requests(rng, host):
    """Requests that nobody should make."""
    good = ("GET / HTTP/1.1\r\nHost: %s\r\nAccept-Encoding: gzip\r\n\r\n" % host).encode()
    yield b"\r\n\r\n"
    yield b"GET\r\n\r\n"
    yield b"GET / HTTP/9.9\r\nHost: x\r\n\r\n"
    yield b"GET / HTTP/1.1\r\n\r\n"
    yield b"GET /" + b"a" * 100000 + b" HTTP/1.1\r\n\r\n"
    yield b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20000 + b"\r\n"
    yield b"GET / HTTP/1.1\r\nHost: " + b"h" * 9000 + b"\r\n\r\n"
    yield b"GET /?" + b"a=b&" * 3000 + b" HTTP/1.1\r\nHost: x\r\n\r\n"
    yield b"GET /%00%0d%0a%ff HTTP/1.1\r\nHost: " + host.encode() + b"\r\n\r\n"
    yield b"GET http://evil.com/ HTTP/1.1\r\nHost: evil.com\r\n\r\n"
    yield b"PUT / HTTP/1.1\r\nHost: " + host.encode() + b"\r\nContent-Length: 99999999\r\n\r\nabc"
    yield b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n"
    yield b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"
    yield b"CONNECT evil.com:80 HTTP/1.1\r\n\r\n"
    yield b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(64)
    yield b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200)  # TLS
    yield good * 50
    yield upgrade(host).replace(b"13", b"99")
    yield upgrade(host).replace(b"Sec-WebSocket-Key", b"X-Key")
    yield upgrade(host, path="/other")
    yield upgrade(host, origin="http://evil.com")
    for _ in range(120):
        data = bytearray(rng.choice([good, upgrade(host)]))
        for _ in range(rng.randint(1, 8)):
            at = rng.randrange(len(data))
            how = rng.randrange(4)
            if how == 0:
                data[at] = rng.randrange(256)
            elif how == 1:
                del data[at : at + rng.randint(1, 10)]
            elif how == 2:
                data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randint(1, 20)))
            else:
                data[at:at] = data[: rng.randint(1, len(data))]
            if not data:
                data = bytearray(b"x")
        yield bytes(data)


def attack_http(server, rng):
    for data in wrong_requests(rng, server.host):
        with server.connect() as s:
            send_quietly(s, data)
            select.select([s], [], [], 0.02)
    return ""


OUTSIDE = [
    "/../VERSION", "/..%2fVERSION", "/%2e%2e/VERSION", "/..%5cVERSION", "//etc/passwd",
    "/lang/../../VERSION", "/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/.git/config", "/etc/passwd",
    "/picture?game=mill&file=../VERSION", "/picture?game=/etc&file=passwd",
    "/picture?game=../../etc/x.game&file=passwd.png", "/game.json?game=/etc/passwd",
    "/game.json?game=../games/mill.game", "/record/../x", "/record/%2e%2e%2fx",
]


def attack_paths(server, _):
    for path in OUTSIDE:
        status, _, content = server.get(path)
        if status not in (400, 403, 404) or b"root:" in content:
            return "%s is answered with %d: %r" % (path, status, content[:200])
    return ""


def headers_are_safe(server, _):
    status, headers, content = server.get("/", ["Accept-Encoding: gzip"])
    tag = headers.get("etag", "")
    again = server.get("/", ["Accept-Encoding: gzip", "If-None-Match: " + tag])
    policy = headers.get("content-security-policy", "")
    checks = {
        "the page": status == 200 and content[:2] == b"\x1f\x8b",
        "no inline scripts": "default-src 'none'" in policy and "unsafe" not in policy,
        "no frames": "frame-ancestors 'none'" in policy,
        "no sniffing": headers.get("x-content-type-options") == "nosniff",
        "kept by tag": tag and again[0] == 304 and not again[2],
        "HEAD": server.get("/", method="HEAD")[2] == b"",
        "POST": server.get("/", method="POST")[0] == 405,
        "foreign host": ask_as(server, "evil.com") == 403,
        "own address": ask_as(server, "127.0.0.1:%d" % server.port) == 200,
    }
    return "".join("%s\n" % name for name, good in checks.items() if not good)


def ask_as(server, host):
    with server.connect() as s:
        s.sendall(("GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" % host).encode())
        data = read_all(s)
    return parse_answer(data)[0] if data else 0


# ---- WebSocket --------------------------------------------------------------------------------


def wrong_frames(rng):
    hello = b'{"id":1,"do":"hello"}'
    for opcode in (3, 4, 7, 11, 15):
        yield frame(hello, opcode)
    for bits in (0x40, 0x20, 0x10):
        yield bytes([0x81 | bits]) + frame(hello)[1:]
    yield frame(hello, mask=None)
    yield frame(b"x" * 126, PING)
    yield frame(b"x", PING, last=False)
    yield frame(hello, 0)
    yield frame(hello, TEXT, last=False) + frame(hello, TEXT)
    yield frame(b"\xff\xfe", TEXT)
    yield frame(hello, 2)
    yield frame(b"\x00", CLOSE)
    yield frame(struct.pack(">H", 999), CLOSE)
    yield frame(struct.pack(">H", 1000) + b"\xff" * 100, CLOSE)
    yield b"\x81\xff" + b"\xff" * 8 + b"mask"
    yield b"\x81\xff" + struct.pack(">Q", 1 << 62) + b"mask" + b"x" * 1000
    yield b"\x81\xfe\x00\x01" + b"maskx"
    yield frame(b"[" * 100000)
    yield frame(b'{"id":1,"do":"' + b"\\u0000" * 1000 + b'"}')
    yield frame(b'{"a":' * 20000)
    for _ in range(150):
        data = bytearray(frame(hello) * rng.randint(1, 3))
        for _ in range(rng.randint(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        yield bytes(data[: rng.randint(1, len(data))])


def attack_frames(server, rng):
    for data in wrong_frames(rng):
        try:
            with Page(server) as page:
                send_quietly(page.socket, data)
                select.select([page.socket], [], [], 0.02)
        except Closed:
            return "the server refuses a good upgrade"
    return ""


def attack_messages(server, rng):
    """Messages that are JSON, more or less: each gets exactly one answer."""
    values = [None, True, -1, 0, 1e308, 2**53, "", "x" * 5000, [], {}, [[]], "\ud83d\ude00", "ROOM"]
    names = ["room", "seq", "values", "text", "game", "params", "seats", "ply", "key", "title"]
    commands = ["hello", "open", "join", "options", "move", "edit", "compile", "goto", "hint", "x"]
    with Page(server, source="127.0.0.3") as page:
        for _ in range(120):
            members = {rng.choice(names): rng.choice(values) for _ in range(rng.randint(0, 5))}
            answer = page.ask(rng.choice(commands), **members)
            time.sleep(0.01)
            if "re" not in answer:
                return repr(answer)
    return ""


def attack_flood(server, _):
    with Page(server, source="127.0.0.4") as page:
        send_quietly(page.socket, frame(b'{"id":1,"do":"hello"}') * 5000)
        return "" if read_all(page.socket) is not None else "a flood is not stopped"


def attack_size(server, _):
    for pieces in ([b'"' + b"x" * 300000], [b"x" * 4000] * 100):
        with Page(server, source="127.0.0.4") as page:
            data = b"".join(frame(p, 0 if i else TEXT, last=False) for i, p in enumerate(pieces))
            send_quietly(page.socket, data)
            if read_all(page.socket) is None:
                return "a huge message is not refused"
    return ""


def attack_number(server, _):
    """More sockets than one address may have; another address is still served."""
    held = []
    for _ in range(SOCKETS + 40):
        held.append(server.connect("127.0.0.9"))
    refused = 0
    for s in held[-20:]:
        data = read_all(s, 20)
        refused += data is not None and data.startswith(b"HTTP/1.1 503")
    status, _, _ = server.get("/")
    for s in held:
        s.close()
    if refused < 20:
        return "only %d of 20 sockets too many are refused" % refused
    return "" if status == 200 else "others get %d" % status


# ---- What takes its time ------------------------------------------------------------------------


class Lingering:
    """Sockets that are left open: half a request, half a frame, nobody who reads."""

    def __init__(self, server):
        self.sockets = []
        self.pages = []
        half = "GET / HTTP/1.1\r\nHost: %s\r\nX: " % server.host
        for i in range(60):
            s = server.connect("127.0.0.5")
            send_quietly(s, [b"", b"GET", half.encode()][i % 3])
            self.sockets.append(("half a request", s))
        for _ in range(10):
            s = socket.socket()
            s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            s.bind(("127.0.0.7", 0))
            s.connect(("127.0.0.1", server.port))
            s.settimeout(0.5)
            ask = "GET /library.json HTTP/1.1\r\nHost: %s\r\n\r\n" % server.host
            send_quietly(s, ask.encode() * 200)
            self.sockets.append(("nobody who reads", s))
        for _ in range(10):
            page = Page(server, source="127.0.0.6")
            send_quietly(page.socket, b"\x81\xfe\xff\xffmaskhalf a frame")
            self.pages.append(page)

    def drip(self):
        """One more byte, to look alive."""
        for kind, s in self.sockets:
            if kind == "half a request":
                send_quietly(s, b"x")

    def are_closed(self):
        end = time.monotonic() + PATIENCE
        left = list(self.sockets)
        while left and time.monotonic() < end:
            left = [(kind, s) for kind, s in left if not is_closed(s)]
            time.sleep(0.2)
        for page in self.pages:
            page.close()
        return "".join("%s stays open\n" % kind for kind, _ in left)


def is_closed(s):
    """Whether the server is done with it; reads what there is."""
    s.setblocking(False)
    try:
        while True:
            if not s.recv(4096):
                return True
    except BlockingIOError:
        return False
    except OSError:
        return True


ATTACKS = [
    ("headers keep the page safe", headers_are_safe),
    ("no path leads out", attack_paths),
    ("malformed requests", attack_http),
    ("malformed frames", attack_frames),
    ("strange messages", attack_messages),
    ("a flood of messages", attack_flood),
    ("huge messages", attack_size),
    ("too many sockets", attack_number),
]


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) == 3 else 1)
    # Memory that is kept to find mistakes is not what is measured.
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=8"
    server = Server(sys.argv[1])
    player = Player(server)
    case("somebody plays", player.goes_on(), player.wrong or "no move")
    before = server.memory()
    lingering = Lingering(server)
    for name, attack in ATTACKS:
        wrong = attack(server, rng)
        lingering.drip()
        if not server.alive():
            wrong += "the server has ended"
        elif not player.goes_on():
            wrong += "the player does not get on: " + player.wrong
        case(name, not wrong, wrong.rstrip())
    wrong = lingering.are_closed()
    case("half-open sockets and those who do not read", not wrong, wrong.rstrip())
    case("the player plays on", player.goes_on(), player.wrong)
    player.stopped = True
    player.join(PATIENCE)
    growth = server.memory() - before
    case("memory", growth <= GROWTH, "%d bytes more" % growth)
    status = server.stop()
    case("a proper end", status == 0, "status %d" % status)
    print("# %d moves were confirmed meanwhile, %d bytes more" % (player.moves, growth))
    sys.exit(end())


main()
