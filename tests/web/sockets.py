"""sockets: a server of one's own, HTTP and WebSocket by hand, for tests and measurements.

Nothing here is polite by force: frames can be made wrong on purpose.
"""

import json
import os
import random
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.parse

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Server:
    """`ludens serve` on a free port with a store of its own; `with Server(program) as server:`."""

    def __init__(self, program, *options):
        self.folder = tempfile.mkdtemp(prefix="ludens-web-")
        self.started = time.monotonic()
        env = dict(os.environ, XDG_CACHE_HOME=os.environ.get("XDG_CACHE_HOME", self.folder))
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--json", "--store",
             os.path.join(self.folder, "rooms.db"), *options],
            stdout=subprocess.PIPE, text=True, env=env,
        )
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the server does not start")
        self.address = json.loads(line)["address"]
        where = urllib.parse.urlsplit(self.address)
        self.port = where.port
        self.host = "localhost:%d" % self.port

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Ends it as Ctrl-C does; its status."""
        self.process.terminate()
        try:
            status = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        return status

    def alive(self):
        return self.process.poll() is None

    def memory(self):
        """Bytes of memory that are its own."""
        with open("/proc/%d/smaps_rollup" % self.process.pid, encoding="ascii") as f:
            for line in f:
                if line.startswith("Pss_Anon:"):
                    return int(line.split()[1]) * 1024
        return 0

    def connect(self, source=None, timeout=30):
        return socket.create_connection(
            ("127.0.0.1", self.port), timeout, (source, 0) if source else None)

    def get(self, path, headers=(), method="GET"):
        """(status, headers in small letters, content)."""
        with self.connect() as s:
            head = ["%s %s HTTP/1.1" % (method, path), "Host: " + self.host, *headers]
            s.sendall(("\r\n".join(head) + "\r\nConnection: close\r\n\r\n").encode())
            data = b""
            while True:
                more = s.recv(65536)
                if not more:
                    break
                data += more
        return parse_answer(data)


def parse_answer(data):
    head, _, content = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    status = int(lines[0].split()[1])
    headers = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
    return status, headers, content


def frame(data, opcode=TEXT, last=True, mask=b"\x11\x22\x33\x44"):
    head = bytes([(0x80 if last else 0) | opcode])
    flag = 0x80 if mask is not None else 0
    if len(data) < 126:
        head += bytes([flag | len(data)])
    elif len(data) < 65536:
        head += bytes([flag | 126]) + struct.pack(">H", len(data))
    else:
        head += bytes([flag | 127]) + struct.pack(">Q", len(data))
    if mask is None:
        return head + data
    key = int.from_bytes((mask * (len(data) // 4 + 1))[: len(data)], "big")
    masked = (int.from_bytes(data, "big") ^ key).to_bytes(len(data), "big") if data else b""
    return head + mask + masked


class Closed(Exception):
    pass


class Page:
    """A WebSocket as a page has one. `ask` sends a message and returns its answer."""

    def __init__(self, server, origin=None, path="/ws", source=None, host=None):
        self.socket = server.connect(source)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.pushed, self.number = b"", [], 0
        self.socket.sendall(upgrade(host or server.host, path, origin))
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, _, rest = self.buffer.partition(b"\r\n\r\n")
        self.status = int(head.split()[1])
        self.buffer = rest
        if self.status != 101:
            raise Closed("status %d" % self.status)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def _more(self):
        data = self.socket.recv(65536)
        if not data:
            raise Closed("the server has closed the socket")
        self.buffer += data

    def _take(self, n):
        while len(self.buffer) < n:
            self._more()
        data, self.buffer = self.buffer[:n], self.buffer[n:]
        return data

    def read_frame(self):
        first, second = self._take(2)
        size = second & 0x7F
        if size == 126:
            (size,) = struct.unpack(">H", self._take(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", self._take(8))
        return first & 0x0F, bool(first & 0x80), self._take(size)

    def read(self):
        """The next message, parsed."""
        text = b""
        while True:
            opcode, last, data = self.read_frame()
            if opcode == CLOSE:
                raise Closed("code %d" % struct.unpack(">H", data[:2]) if data else "no code")
            if opcode == PING:
                self.socket.sendall(frame(data, PONG))
            elif opcode in (0, TEXT):
                text += data
                if last:
                    return json.loads(text)

    def send(self, message):
        self.socket.sendall(frame(message if isinstance(message, bytes) else json.dumps(message).encode()))

    def ask(self, do, **members):
        self.number += 1
        self.send(dict(members, id=self.number, do=do))
        while True:
            message = self.read()
            if message.get("re", 0) in (self.number, None):
                return message
            self.pushed.append(message)


def upgrade(host, path="/ws", origin=None):
    key = "".join(random.choice("abcdefghijklmnop") for _ in range(22)) + "=="
    lines = ["GET %s HTTP/1.1" % path, "Host: " + host, "Upgrade: websocket",
             "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + key]
    if origin:
        lines.append("Origin: " + origin)
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
