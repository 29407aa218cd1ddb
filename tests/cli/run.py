#!/usr/bin/env python3
"""run.py LUDENS [--bless] [SESSION...]: runs the transcripts beside this file.

A transcript, NAME.session, is a list of commands with what they must print:

    ## a remark
    $ ludens show tic-tac-toe --state nonsense       the command, for sh
    < a line of standard input                       (there is none without such lines)
    what must come from standard output
    ! what must come from standard error
    [1]                                              the exit status, if it is not 0

A transcript that begins with `## needs CLIPS` or `## needs the browser` is left out where the program
has none.
`[..]` in an expected line stands for anything. Commands of a file run one after the other in an
empty folder of their own; $TOP is the source tree. --bless writes what came into the files:
read the difference before you keep it.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
TIMEOUT = 280  # seconds; the sanitized build on a busy machine is slow


class Case:
    def __init__(self, remarks, command):
        self.remarks = remarks
        self.command = command
        self.input = None
        self.expected = []


def parse(text):
    """The cases of a transcript, and the remarks after the last."""
    cases, remarks = [], []
    for line in text.split("\n"):
        if line.startswith("##"):
            remarks.append(line)
        elif line.startswith("$ "):
            cases.append(Case(remarks, line[2:]))
            remarks = []
        elif cases and line.startswith("<") and not cases[-1].expected:
            cases[-1].input = (cases[-1].input or []) + [line[2:]]
        elif cases:
            cases[-1].expected.append(line)
    for case in cases:
        while case.expected and not case.expected[-1]:
            case.expected.pop()
    return cases, remarks


def run_case(case, folder, environment):
    """What the command printed, in the form of a transcript."""
    given = None if case.input is None else "".join(line + "\n" for line in case.input)
    try:
        done = subprocess.run(
            ["sh", "-c", case.command], cwd=folder, env=environment, timeout=TIMEOUT,
            capture_output=True, check=False, input=(given or "").encode(),
        )
        out, err, status = done.stdout, done.stderr, done.returncode
    except subprocess.TimeoutExpired as e:
        out, err, status = e.stdout or b"", b"(no end after %d seconds)" % TIMEOUT, -1
    hide = lambda b: b.decode("utf-8", "replace").replace(folder, "$HERE").replace(TOP, "$TOP")
    lines = hide(out).rstrip("\n").split("\n") if out.strip(b"\n") else []
    lines += [("! " + line).rstrip() for line in hide(err).rstrip("\n").split("\n") if err]
    return lines + (["[%d]" % status] if status else [])


def fits(expected, actual):
    pattern = ".*".join(re.escape(part) for part in expected.split("[..]"))
    return re.fullmatch(pattern, actual) is not None


def differences(expected, actual):
    """Lines of a small diff; empty if all is as expected."""
    if len(expected) == len(actual) and all(map(fits, expected, actual)):
        return []
    return ["  expected:"] + ["    " + line for line in expected] + [
        "  came:"] + ["    " + line for line in actual]


def write(path, cases, remarks):
    lines = []
    for case in cases:
        lines += ([""] if lines else []) + case.remarks + ["$ " + case.command]
        lines += [("< " + line).rstrip() for line in case.input or []]
        lines += case.expected
    lines += remarks
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")


def has_clips(program):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "none.clp")
        with open(path, "w", encoding="utf-8"):
            pass
        words = [program, "facts", "tic-tac-toe", "--knowledge", path]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=TIMEOUT)
    return "built without CLIPS" not in done.stderr


def has_page(program):
    words = [program, "serve", "one", "too-many"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=TIMEOUT)
    return "built without its page" not in done.stderr


def run_session(path, program, bless):
    """The number of cases that failed."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if text.startswith("## needs CLIPS") and not has_clips(program):
        print("%s: left out, this Ludens was built without CLIPS" % os.path.basename(path))
        return 0
    if text.startswith("## needs the browser") and not has_page(program):
        print("%s: left out, this Ludens was built without it" % os.path.basename(path))
        return 0
    cases, remarks = parse(text)
    failed = 0
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as bin_folder:
        os.symlink(program, os.path.join(bin_folder, "ludens"))
        environment = {
            "PATH": bin_folder + os.pathsep + os.environ["PATH"],
            "TOP": TOP,
            "HOME": bin_folder,
            "LC_ALL": "C.UTF-8",
            "TERM": "dumb",
        }
        environment.update((k, v) for k, v in os.environ.items() if k.endswith("SAN_OPTIONS"))
        for case in cases:
            actual = run_case(case, folder, environment)
            difference = differences(case.expected, actual)
            if bless:
                same = len(actual) == len(case.expected)
                case.expected = [
                    old if same and fits(old, new) else new
                    for old, new in zip(case.expected if same else actual, actual)
                ]
            elif difference:
                failed += 1
                print("%s: $ %s" % (os.path.basename(path), case.command))
                print("\n".join(difference))
    if bless:
        write(path, cases, remarks)
    return failed


def main():
    arguments = [a for a in sys.argv[1:] if a != "--bless"]
    bless = "--bless" in sys.argv[1:]
    if not arguments:
        sys.exit(__doc__)
    program = os.path.abspath(arguments[0])
    sessions = arguments[1:] or sorted(
        os.path.join(HERE, f) for f in os.listdir(HERE) if f.endswith(".session")
    )
    failed = sum(run_session(path, program, bless) for path in sessions)
    if failed:
        print("%d failed; %s --bless %s" % (failed, sys.argv[0], shlex.quote(arguments[0])))
    sys.exit(1 if failed else 0)


main()
