"""Positions of S3 games as the program sees them, one process for many games."""
import json
import subprocess


class ProgramError(Exception):
    pass


class Follower:
    """`ludens moves FILE --follow --json`: asked for one position after the other."""

    def __init__(self, program, path, *words):
        command = [program, "moves", path, *words, "--follow", "--json"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.now = self.answer()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise ProgramError(self.process.stderr.read().strip()
                               or "exit status %s" % self.process.wait())
        return json.loads(line)

    def say(self, line):
        """The position after a move, `restart` or `state TEXT`."""
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # the program tells why
        self.now = self.answer()
        return self.now

    def close(self):
        try:
            self.process.communicate(timeout=60)
        except (BrokenPipeError, ValueError):
            self.process.wait(60)
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def call(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=1200,
                          stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise ProgramError(done.stderr.strip() or "exit status %d" % done.returncode)
    return json.loads(done.stdout)


def winner_of(position, names):
    """-1 while the game goes on, 0 for a draw, or the number of the player."""
    if not position["over"]:
        return -1
    return names.index(position["winners"][0]) + 1 if position["winners"] else 0
