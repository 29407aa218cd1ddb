"""The original S3 files and the numbers recorded with the original program, where they are there."""
import json
import os
import sys
from collections import namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
USUAL = os.path.join(os.path.dirname(ROOT), "shared", "reference", "s3")

Trace = namedtuple("Trace", "game seed plies end")


class Recorded:
    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "oracle.json"), encoding="utf-8") as file:
            self.numbers = json.load(file)["games"]

    def games(self):
        """(name, path) of every file with recorded numbers."""
        for name in sorted(self.numbers):
            path = os.path.join(self.folder, "games", name)
            if os.path.exists(path):
                yield name, path

    def traces(self, game):
        found = {}
        with open(os.path.join(self.folder, "traces.jsonl"), encoding="utf-8") as file:
            for row in map(json.loads, file):
                if row["game"] != game:
                    continue
                plies, ends = found.setdefault(row["seed"], ([], []))
                {"ply": plies, "end": ends}.get(row["type"], []).append(row)
        return [Trace(game, seed, plies, ends[0]) for seed, (plies, ends) in found.items()]


def open_folder(words):
    """By --folder, or beside the project. Without the folder there is nothing to compare: that ends
    the program, as a success, with a line that says so."""
    folder = words[words.index("--folder") + 1] if "--folder" in words else USUAL
    if not os.path.exists(os.path.join(folder, "oracle.json")):
        print("the recorded numbers of the original S3 files are not there: nothing to compare")
        sys.exit(0)
    return Recorded(folder)
