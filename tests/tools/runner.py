#!/usr/bin/env python3
"""runner.py TEST_PY: tools/test.py on a small project whose tests fail in every way it knows."""

import os
import subprocess
import sys
import tempfile

PROJECT = """project('small')
sh = find_program('sh')
test('good', sh, args: ['-c', 'exit 0'])
test('once', sh, args: ['-c', 'test -e @0@/once || { touch @0@/once; echo too late; exit 1; }'])
test('always', sh, args: ['-c', 'echo it is wrong; exit 1'])
test('memory', sh, args: ['-c', 'test -e @0@/memory || { touch @0@/memory; echo ERROR: AddressSanitizer; exit 1; }'])
test('leak', sh, args: ['-c', 'test -e @0@/leak || { touch @0@/leak; echo ERROR: LeakSanitizer; exit 1; }'])
test('leaves', sh, args: ['-c', 'test -e @0@/leaves && echo ok 1 - a || { touch @0@/leaves; echo "1..1"; echo not ok 1 - a; ' +
  'echo ERROR: LeakSanitizer; echo SUMMARY: AddressSanitizer; exit 1; }'], protocol: 'tap')
test('cases', sh, args: ['-c', 'printf "1..2\\\\nok 1 - a\\\\nnot ok 2 - b\\\\n# because\\\\n"'], protocol: 'tap')
"""


def run(runner, folder, *options):
    build = os.path.join(folder, "build")
    done = subprocess.run([sys.executable, runner, ",".join([build, *options])],
                          capture_output=True, text=True, check=False)
    # Meson's own words come first; ours begin behind its summary.
    return done.returncode, done.stdout.replace(build, "build").split("\n\n")[-6:]


def main():
    runner = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "meson.build"), "w", encoding="utf-8") as f:
            f.write(PROJECT.replace("@0@", folder))
        subprocess.run(["meson", "setup", "build"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        status, parts = run(runner, folder)
        told = "\n\n".join(parts)
        second, failed = told.split("\nfailed:\n")
        assert status == 1, told
        assert "build: once: FAIL" in second and "too late" in second, told
        assert "build: leaves: not ok 1 - a" in second, told
        assert "once" not in failed and "leaves" not in failed, told
        for words in ("build: always: FAIL", "    it is wrong", "build: memory: FAIL", "build: leak: FAIL",
                      "build: cases: not ok 2 - b\n    # because"):
            assert words in failed, (words, told)
        assert failed.endswith("4 passed, 4 failed\n"), told
        status, parts = run(runner, folder, "good")
        assert status == 0 and parts[-1].strip() == "1 passed, 0 failed", parts


main()
