#!/usr/bin/env python3
"""test.py DIR[,OPTION...] ...: runs `meson test` in each build folder and adds up the results.

The last line is `N passed, N failed`; programs that print TAP count with their single cases.
Options are those of `meson test`, for instance: test.py build build-test,--no-suite=numbers
"""

import glob
import json
import os
import re
import subprocess
import sys


def count_cases(test):
    """[passed, failed, skipped] of one program, from its entry in Meson's log."""
    result = test["result"]
    tap = re.findall(r"^(not ok|ok)\b(.*)$", test.get("stdout") or "", re.M)
    if not tap:
        good = result in ("OK", "EXPECTEDFAIL")
        return [int(good), int(not good and result != "SKIP"), int(result == "SKIP")]
    skipped = sum("# SKIP" in rest for _, rest in tap)
    failed = sum(word == "not ok" for word, _ in tap)
    passed = len(tap) - skipped - failed
    if failed == 0 and result != "OK":
        failed = 1  # it died between two cases
    return [passed, failed, skipped]


def show_failures(test):
    """The failed cases of a TAP program with their reasons, which Meson keeps to itself."""
    for case in re.findall(r"^not ok.*(?:\n#(?! not ok).*)*", test.get("stdout") or "", re.M):
        print("%s: %s" % (test["name"], case.replace("\n", "\n    ")))


def run(folder, options):
    """Runs the tests of one build folder; [passed, failed, skipped]."""
    logs = os.path.join(folder, "meson-logs", "testlog*.json")  # --wrap changes the name
    for log in glob.glob(logs):
        os.remove(log)
    command = ["meson", "test", "-C", folder, "--print-errorlogs", *options]
    sys.stdout.flush()
    status = subprocess.run(command, check=False).returncode
    total = [0, 0, 0]
    for log in glob.glob(logs):
        with open(log, encoding="utf-8") as f:
            for test in map(json.loads, f):
                show_failures(test)
                total = [a + b for a, b in zip(total, count_cases(test))]
    if status != 0 and total[1] == 0:
        total[1] = 1  # it did not even build
    return total


def main():
    total = [0, 0, 0]
    for argument in sys.argv[1:]:
        folder, *options = argument.split(",")
        total = [a + b for a, b in zip(total, run(folder, options))]
    passed, failed, skipped = total
    print()
    if skipped:
        print("%d skipped" % skipped)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed else 0)


main()
