#!/usr/bin/env python3
"""test.py DIR[,OPTION...] ...: runs `meson test` in each build folder and adds up the results.

The last line is `N passed, N failed`, and what failed stands before it; programs that print TAP
count with their single cases.
Options are those of `meson test`, for instance: test.py build build-test,--no-suite=numbers
"""

import glob
import json
import os
import re
import subprocess
import sys

LAST_WORDS = 30  # lines of a failed program that are shown


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


def failures(folder, test):
    """What failed in one program, as lines: its cases with their reasons, or its last words."""
    if test["result"] in ("OK", "EXPECTEDFAIL", "SKIP"):
        return []
    name = "%s: %s" % (folder, test["name"])
    cases = re.findall(r"^not ok.*(?:\n#(?! not ok).*)*", test.get("stdout") or "", re.M)
    if cases:
        return ["%s: %s" % (name, case.replace("\n", "\n    ")) for case in cases]
    words = ((test.get("stdout") or "") + (test.get("stderr") or "")).splitlines()[-LAST_WORDS:]
    return ["%s: %s after %.0f s" % (name, test["result"], test["duration"])] + [
        "    " + line for line in words
    ]


def run(folder, options, failed):
    """Runs the tests of one build folder; [passed, failed, skipped]. Adds lines to `failed`."""
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
                failed += failures(folder, test)
                total = [a + b for a, b in zip(total, count_cases(test))]
    if status != 0 and total[1] == 0:
        total[1] = 1
        failed.append("%s: `meson test` itself failed" % folder)
    return total


def main():
    total = [0, 0, 0]
    lines = []
    for argument in sys.argv[1:]:
        folder, *options = argument.split(",")
        total = [a + b for a, b in zip(total, run(folder, options, lines))]
    passed, failed, skipped = total
    print()
    if lines:  # once more at the very end, where one looks first
        print("\n".join(lines) + "\n")
    if skipped:
        print("%d skipped" % skipped)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed else 0)


main()
