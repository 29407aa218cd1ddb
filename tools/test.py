#!/usr/bin/env python3
"""test.py DIR[,OPTION...] ...: runs `meson test` in each build folder and adds up the results.

The last line is `N passed, N failed`, and what failed stands before it; programs that print TAP
count with their single cases.
Options are those of `meson test`, for instance: test.py build build-test,--no-suite=numbers
Some tests wait most of the time: one more runs at a time than there are processors. A program that
fails beside others is run once more alone, for tests that look at real time fail on a machine that
is too busy; what passes then is told at the end. What a sanitizer found stays a failure, but for the
memory that a failed case leaves behind.
"""

import glob
import json
import os
import re
import subprocess
import sys

LAST_WORDS = 30  # lines of a failed program that are shown
AGAIN = 8  # programs that are run once more; if more fail, something is broken
NEVER_AGAIN = re.compile(r"(ERROR|WARNING): (?!Leak)\w+Sanitizer|runtime error:")
LEAK = re.compile(r"ERROR: LeakSanitizer|lost in loss record")


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


def output(test):
    return (test.get("stdout") or "") + (test.get("stderr") or "")


def broken(test):
    """Whether a failure is one that no second try can mend. A case that fails returns at once and
    frees nothing, so leaks count where no case failed."""
    said = output(test)
    failed_case = re.search(r"^not ok", test.get("stdout") or "", re.M)
    return bool(NEVER_AGAIN.search(said) or (LEAK.search(said) and not failed_case))


def failures(folder, test):
    """What failed in one program, as lines: its cases with their reasons, or its last words."""
    if test["result"] in ("OK", "EXPECTEDFAIL", "SKIP"):
        return []
    name = "%s: %s" % (folder, test["name"])
    cases = re.findall(r"^not ok.*(?:\n#(?! not ok).*)*", test.get("stdout") or "", re.M)
    if cases:
        return ["%s: %s" % (name, case.replace("\n", "\n    ")) for case in cases]
    words = output(test).splitlines()[-LAST_WORDS:]
    return ["%s: %s after %.0f s" % (name, test["result"], test["duration"])] + [
        "    " + line for line in words
    ]


def meson_test(folder, lanes, options):
    """Runs tests of one build folder; the status and Meson's log, an entry for each program."""
    logs = os.path.join(folder, "meson-logs", "testlog*.json")  # --wrap changes the name
    for log in glob.glob(logs):
        os.remove(log)
    command = ["meson", "test", "-C", folder, "--print-errorlogs", "--num-processes=%d" % lanes]
    sys.stdout.flush()
    status = subprocess.run(command + options, check=False).returncode
    tests = []
    for log in glob.glob(logs):
        with open(log, encoding="utf-8") as f:
            tests += map(json.loads, f)
    return status, tests


def run_again(folder, options, tests, second):
    """`tests` with those in place that passed alone; adds to `second` what those said before."""
    bad = [test for test in tests if failures(folder, test) and not broken(test)]
    if len(bad) > AGAIN:
        return tests
    for test in bad:
        name = test["name"].split(" / ")[-1]
        _, alone = meson_test(folder, 1, options + [name])
        if len(alone) == 1 and not failures(folder, alone[0]):
            second += failures(folder, test)
            tests = [alone[0] if each is test else each for each in tests]
    return tests


def run(folder, options, failed, second):
    """Runs the tests of one build folder; [passed, failed, skipped]. Adds lines to `failed` for
    what failed, to `second` for what passed only at its second try."""
    status, tests = meson_test(folder, (os.cpu_count() or 1) + 1, options)
    tests_now = run_again(folder, options, tests, second)
    total = [0, 0, 0]
    for test in tests_now:
        failed += failures(folder, test)
        total = [a + b for a, b in zip(total, count_cases(test))]
    if status != 0 and total[1] == 0 and tests_now == tests:
        total[1] = 1
        failed.append("%s: `meson test` itself failed" % folder)
    return total


def show(title, lines):
    """What failed, in full and then by name alone, for a reader who has only the end."""
    if lines:
        print("%s:\n" % title + "\n".join(lines) + "\n")
        print("\n".join(line.split("\n")[0] for line in lines if not line.startswith(" ")) + "\n")


def main():
    total = [0, 0, 0]
    lines, second = [], []
    for argument in sys.argv[1:]:
        folder, *options = argument.split(",")
        total = [a + b for a, b in zip(total, run(folder, options, lines, second))]
    passed, failed, skipped = total
    print()
    show("passed alone, but had failed beside others", second)
    show("failed", lines)
    if skipped:
        print("%d skipped" % skipped)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(1 if failed else 0)


main()
