"""terminal: a program in a terminal, and a simulated arm that it takes for a real one."""

import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import time


class Terminal:
    """The program in a terminal, for keys."""

    def __init__(self, *command):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execv(command[0], command)
        self.text = ""

    def read(self, pattern, seconds=120):
        """Whether that comes; what came before it is forgotten."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = re.search(pattern, self.text)
            if found:
                self.text = self.text[found.end() :]
                return True
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.fd, 4096).decode(errors="replace")
                except OSError:
                    return False
        return False

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def end(self):
        self.read("(?!)", 60)
        return self.status()

    def status(self):
        """What it ended with; it is killed if it does not end."""
        end = time.monotonic() + 30
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.02)
        os.kill(self.pid, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def hang_up(self):
        """The terminal is closed; the status that the program ends with."""
        os.close(self.fd)
        return self.status()


class Sim:
    """`ludens robot sim` with the table of a game; `port` and `picture` are its arm and camera."""

    def __init__(self, ludens, game, *options):
        self.folder = tempfile.TemporaryDirectory()
        self.port = os.path.join(self.folder.name, "arm")
        self.picture = os.path.join(self.folder.name, "table.png")
        command = [ludens, "robot", "sim", game, "--link", self.port, "--camera", self.picture]
        self.run = subprocess.Popen(
            [*command, "--every", "0.1", *options], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
        )
        end = time.monotonic() + 60
        while not os.path.exists(self.picture) and time.monotonic() < end:
            time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.run.send_signal(signal.SIGINT)
        self.run.communicate(timeout=60)
        self.folder.cleanup()
