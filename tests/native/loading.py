#!/usr/bin/env python3
"""loading.py PROGRAM [--alone | --beside] [WORD]: machine code is made, kept, found again and done
without; prints TAP.

Runs the program with real compilers, and with scripts that behave like bad ones, in cache folders
of their own. With WORD only the tests whose name contains it. What hangs is given up after TIMEOUT
seconds; else no test depends on how fast the machine is, but some (--alone) on that it stays as fast
while they run, and --beside leaves these out. LUDENS_ALL=1 for all games with all compilers.
"""

import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = ""
REAL_CC = os.environ.get("CC", "cc")
TIMEOUT = 120  # seconds; the sanitized build on a busy machine is slow
ALL = bool(os.environ.get("LUDENS_ALL"))

GAME = ["tic-tac-toe"]  # compiles fastest
COUNT = "127872"  # its games of nine moves
PERFT = ["perft", *GAME, "9"]

# Games and parameters whose counts must be equal for both back ends, the first of them always: the
# rest is in `backends` too, move by move.
SAME_FIRST = 8
SAME = [
    "connect-four width=5 height=4 7", "domineering rows=9 columns=16 2", "mill men=3 6",
    "nim heaps=3,4,5 5", "hex size=5 3", "alquerque chains=no 6", "frogs frogs=5 12", "byte 3",
    "alquerque 6", "breakthrough 4", "chess 4", "connect-four 6", "domineering 3",
    "dots-and-boxes 3", "english-draughts 6", "fox-and-hounds 5", "mill 4", "peg-solitaire 6",
    "reversi 6", "river-crossing 8", "six-mens-morris 4", "skirmish 3", "three-mens-morris 7",
]

# What compilers may ask for on their own account, even of code without a library.
COMPILERS_OWN = {"memcpy", "memmove", "memset", "memcmp", "__popcountdi2",
                 "_GLOBAL_OFFSET_TABLE_"}


class Wrong(Exception):
    pass


def expect(condition, what, *outputs):
    if not condition:
        raise Wrong("\n".join([what, *map(str, outputs)]))


class Place:
    """A folder with a cache and scripts that stand for compilers."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="ludens-test-")
        self.cache = self.path("cache")
        self.env = dict(os.environ, XDG_CACHE_HOME=self.cache, CC=REAL_CC, LC_ALL="C")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def script(self, text, name="compiler"):
        """Makes it the compiler; $HERE is the folder, $REAL the real one."""
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\nHERE='%s'\nREAL='%s'\n%s\n" % (self.folder, REAL_CC, text))
        os.chmod(path, 0o755)
        self.env["CC"] = path

    def count_calls(self):
        self.script('echo call >> "$HERE/calls"\nexec $REAL "$@"')

    def calls(self):
        path = self.path("calls")
        if not os.path.exists(path):
            return 0
        with open(path, encoding="utf-8") as f:
            return len(f.readlines())

    def start(self, *words):
        return subprocess.Popen([PROGRAM, *words], env=self.env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, *words):
        """Exit status, standard output, standard error, seconds."""
        begin = time.monotonic()
        done = subprocess.run([PROGRAM, *words], env=self.env, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=TIMEOUT, check=False)
        return done.returncode, done.stdout, done.stderr, time.monotonic() - begin

    def native(self):
        return self.run(*PERFT, "--backend", "native")

    def expect_native(self):
        status, out, err, seconds = self.native()
        expect(status == 0 and COUNT in out and err == "", "native code fails", status, out, err)
        return seconds

    def expect_no_native(self, *words):
        """A clear error with --backend native."""
        status, out, err, _ = self.native()
        expect(status == 1 and out == "", "status 1 and no output expected", status, out)
        expect(err.startswith("ludens: no machine code: ") and err.count("\n") == 1,
               "one line with the reason expected", err)
        for word in words:
            expect(word in err, "the reason does not name " + word, err)

    def expect_auto(self, *words):
        """With --backend auto the right result, and one line that says why it took so long."""
        game = ["random", "mill", "--games", str(long_games()), "--seed", "3"]
        status, out, err, _ = self.run(*game, "--backend", "auto")
        expect(status == 0 and out == long_result(), "the result differs", status, out, err)
        expect(err.count("the interpreter goes on") == 1 and err.count("\n") == 1,
               "one line expected on standard error", err)
        for word in words:
            expect(word in err, "the reason does not name " + word, err)

    def entries(self):
        return sorted(glob.glob(os.path.join(self.cache, "ludens", "*.so")))

    def expect_tidy(self, entries):
        names = sorted(os.listdir(os.path.join(self.cache, "ludens")))
        expect(len(names) == entries and all(n.endswith(".so") for n in names),
               "%d entries and nothing else expected in the cache" % entries, names)


def alone(test):
    """Marks a test that measures, or that needs two things to take as long as it thinks."""
    test.alone = True
    return test


def wait_for(condition, what):
    limit = time.monotonic() + TIMEOUT
    while not condition():
        expect(time.monotonic() < limit, "waited in vain for " + what)
        time.sleep(0.01)


def is_alive(pid):
    """A process that ended but that nobody has asked about yet is not alive."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8") as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# Work for the interpreter that lasts long enough for a compiler to be started and to fail.
known = {}


def interpreter_run(games):
    with Place() as p:
        words = ["random", "mill", "--games", str(games), "--seed", "3", "--backend", "interp"]
        status, out, err, seconds = p.run(*words)
        expect(status == 0, "the interpreter fails", err)
        return out, seconds


def long_games():
    if "games" not in known:
        _, seconds = interpreter_run(300)
        known["games"] = max(300, int(300 * 1.5 / seconds))
        known["out"], _ = interpreter_run(known["games"])
    return known["games"]


def long_result():
    long_games()
    return known["out"]


# ---- The cache ------------------------------------------------------------------------------


@alone
def test_second_start_does_not_compile():
    with Place() as p:
        p.count_calls()
        first = p.expect_native()
        expect(p.calls() == 1, "the compiler was called %d times" % p.calls())
        p.expect_tidy(1)
        second = min(p.expect_native() for _ in range(3))
        expect(p.calls() == 1, "the second start compiles again")
        expect(second < first, "the second start takes %.3f s, the first %.3f s" % (second, first))


def test_parameters_and_compilers_have_their_own_entries():
    with Place() as p:
        p.count_calls()
        for width in "4", "5":
            status, out, err, _ = p.run("perft", "connect-four", "width=" + width, "3",
                                        "--backend", "native", "--json")
            expect(status == 0 and '"nodes":%d' % int(width) ** 3 in out, "wrong", out, err)
        p.expect_tidy(2)
        p.env["CC"] = REAL_CC
        p.expect_native()
        p.env["CC"] = REAL_CC + " -DNOTHING"
        p.expect_native()
        p.expect_tidy(4)


def test_compiler_of_the_path_is_used():
    with Place() as p:
        p.script('echo call >> "$HERE/calls"\nexec $REAL "$@"', "my-own-compiler")
        p.env["PATH"] = p.folder + os.pathsep + p.env.get("PATH", "")
        p.env["CC"] = "my-own-compiler -DA -DB"
        p.expect_native()
        expect(p.calls() == 1, "$CC with arguments, from the PATH, is not called")


def truncate(path):
    with open(path, "r+b") as f:
        f.truncate(os.path.getsize(path) // 2)


def flip(path, at):
    with open(path, "r+b") as f:
        f.seek(at, os.SEEK_END if at < 0 else os.SEEK_SET)
        byte = f.read(1)[0]
        f.seek(-1, os.SEEK_CUR)
        f.write(bytes([byte ^ 0x10]))


def replace_by(path, content):
    with open(path, "wb") as f:
        f.write(content)


def link_elsewhere(path):
    os.rename(path, path + ".elsewhere")
    os.symlink(path + ".elsewhere", path)


DAMAGES = [
    ("cut short", truncate),
    ("a flipped byte in the code", lambda path: flip(path, 5000)),
    ("a flipped byte in the checksum", lambda path: flip(path, -3)),
    ("a flipped byte in the mark", lambda path: flip(path, -16)),
    ("foreign text", lambda path: replace_by(path, b"#!/bin/sh\necho not a game\n" * 99)),
    ("zeros", lambda path: replace_by(path, bytes(30000))),
    ("empty", lambda path: replace_by(path, b"")),
    ("one byte", lambda path: replace_by(path, b"\x7f")),
    ("writable for all", lambda path: os.chmod(path, 0o777)),
    ("writable for the group", lambda path: os.chmod(path, 0o770)),
    ("a link", link_elsewhere),
    ("a pipe", lambda path: (os.unlink(path), os.mkfifo(path))),
]


def test_damaged_entries_are_built_anew():
    with Place() as p:
        p.count_calls()
        p.expect_native()
        [entry] = p.entries()
        for number, (name, damage) in enumerate(DAMAGES, 2):
            damage(entry)
            try:
                p.expect_native()
            except (Wrong, subprocess.TimeoutExpired) as wrong:
                raise Wrong("%s: %s" % (name, wrong)) from None
            expect(p.calls() == number, name + ": not built anew")
            p.expect_native()
            expect(p.calls() == number, name + ": built again and again")


def test_entry_of_another_game_is_built_anew():
    with Place() as p:
        p.count_calls()
        boards = [["domineering", "rows=6", "columns=5"], ["domineering", "rows=5", "columns=6"]]
        for board in boards:
            p.run("perft", *board, "2", "--backend", "native")
        first, second = p.entries()
        shutil.copy(first, p.path("kept"))
        shutil.copy(second, first)
        shutil.copy(p.path("kept"), second)
        for board in boards:
            words = ["perft", *board, "2", "--json", "--backend"]
            results = [p.run(*words, how)[1].partition('"seconds"')[0]
                       for how in ("interp", "native")]
            expect(results[0] == results[1] != "", "another game is played", *results)
        expect(p.calls() == 4, "the compiler was called %d times, not 4" % p.calls())


def test_folder_in_the_place_of_an_entry_is_reported():
    with Place() as p:
        p.expect_native()
        [entry] = p.entries()
        os.unlink(entry)
        os.mkdir(entry)
        p.expect_no_native("cache", "irectory")
        expect(os.listdir(os.path.dirname(entry)) == [os.path.basename(entry)],
               "something is left behind", os.listdir(os.path.dirname(entry)))


def test_cache_folder_that_is_missing_is_made():
    with Place() as p:
        p.env["XDG_CACHE_HOME"] = p.cache = p.path("a", "b", "c")
        p.expect_native()
        p.expect_tidy(1)
        mode = os.stat(os.path.join(p.cache, "ludens")).st_mode & 0o777
        expect(mode == 0o700, "the folder is open to others: %o" % mode)


def test_home_is_used_without_a_cache_folder():
    for relative in None, "", "not/absolute":
        with Place() as p:
            del p.env["XDG_CACHE_HOME"]
            if relative is not None:
                p.env["XDG_CACHE_HOME"] = relative
            p.env["HOME"], p.cache = p.folder, p.path(".cache")
            p.expect_native()
            p.expect_tidy(1)
    with Place() as p:
        del p.env["XDG_CACHE_HOME"]
        p.env.pop("HOME", None)
        p.expect_no_native("XDG_CACHE_HOME", "HOME")


@alone
def test_cache_folder_that_cannot_be_used_is_reported():
    with Place() as p:
        p.env["XDG_CACHE_HOME"] = "/dev/null"
        p.expect_no_native("/dev/null")
        p.expect_auto("/dev/null")
    with Place() as p:
        os.mkdir(p.cache)
        replace_by(os.path.join(p.cache, "ludens"), b"a file")
        p.expect_no_native("is not a folder")
    with Place() as p:
        os.makedirs(os.path.join(p.cache, "ludens"))
        os.chmod(os.path.join(p.cache, "ludens"), 0o777)
        p.expect_no_native("can be changed by others")
        expect(not p.entries(), "something was written there")
    if os.geteuid() == 0:
        return  # root may write everywhere
    with Place() as p:
        os.makedirs(os.path.join(p.cache, "ludens"))
        os.chmod(os.path.join(p.cache, "ludens"), 0o500)
        p.expect_no_native("cannot write to the cache")


def test_entry_of_a_read_only_cache_is_used():
    with Place() as p:
        p.count_calls()
        p.expect_native()
        os.chmod(os.path.join(p.cache, "ludens"), 0o500)
        p.expect_native()
        os.chmod(os.path.join(p.cache, "ludens"), 0o700)
        expect(p.calls() == 1, "it was compiled again")


# ---- Compilers ------------------------------------------------------------------------------


@alone
def test_no_compiler():
    with Place() as p:
        for name in "/nonexistent/compiler", "no-such-compiler-anywhere", p.folder + "/x y":
            p.env["CC"] = name
            p.expect_no_native("there is no C compiler")
        p.expect_auto("there is no C compiler")
        expect(not p.entries(), "there is an entry", p.entries())


@alone
def test_compiler_that_fails():
    with Place() as p:
        p.script("echo 'out of cheese' >&2\nexit 1")
        p.expect_no_native("the C compiler failed", "out of cheese")
        p.expect_auto("out of cheese")
        p.script("kill -SEGV $$")
        p.expect_no_native("the C compiler failed")
        p.script("exit 1")
        p.expect_no_native("the C compiler failed")
        p.script("head -c 3000000 /dev/zero | tr '\\0' 'e' >&2\nprintf '\\033[31m\\377' >&2\nexit 1")
        p.expect_no_native("the C compiler failed")
        p.script("")
        os.chmod(p.env["CC"], 0o644)
        if os.geteuid() != 0 or not os.access(p.env["CC"], os.X_OK):
            p.expect_no_native("there is no C compiler")
        p.expect_tidy(0)


OBJECT = 'while [ "$1" != -o ]; do shift; done\n'


@alone
def test_compiler_that_writes_nonsense():
    with Place() as p:
        p.script(OBJECT + 'echo nonsense > "$2"')
        p.expect_no_native("cannot be loaded")
        p.expect_auto("cannot be loaded")
        p.expect_tidy(0)
        p.script(OBJECT + 'echo "int ludens_info[9];" > "$2.c"; exec $REAL -shared -fPIC -o "$2" "$2.c"')
        p.expect_no_native("not one of this version")
        p.script(OBJECT + ': > "$2"')
        p.expect_no_native()
        p.script("exit 0")
        p.expect_no_native("made no file")
        p.expect_tidy(0)
    with Place() as p:  # the same compiler, mended: what it made before is not held against it
        p.script('if [ -e "$HERE/mended" ]; then exec $REAL "$@"; fi\n' + OBJECT
                 + 'echo nonsense > "$2"')
        p.expect_no_native("cannot be loaded")
        replace_by(p.path("mended"), b"")
        p.expect_native()


HANG = 'echo $$ > "$HERE/pid.new"; mv "$HERE/pid.new" "$HERE/pid"\nexec sleep 100000'


def compiler_pid(p):
    wait_for(lambda: os.path.exists(p.path("pid")), "the compiler")
    with open(p.path("pid"), encoding="utf-8") as f:
        return int(f.read())


def end_with(p, words, number, statuses):
    """Interrupts a command while its compiler hangs."""
    p.script(HANG)
    if os.path.exists(p.path("pid")):
        os.unlink(p.path("pid"))
    process = p.start(*words)
    compiler = compiler_pid(p)
    try:
        process.send_signal(number)
        out, err = process.communicate(timeout=TIMEOUT / 4)
        expect(process.returncode in statuses, "ends with status %d" % process.returncode, out, err)
        expect(not is_alive(compiler), "the compiler goes on")
        p.expect_tidy(0)
    except subprocess.TimeoutExpired:
        raise Wrong(" ".join(words) + ": Ctrl-C does not end it") from None
    finally:
        process.kill()
        process.communicate()
        if is_alive(compiler):
            os.kill(compiler, signal.SIGKILL)


def test_ctrl_c_while_the_compiler_hangs():
    with Place() as p:
        endless = ["random", "mill", "--games", "1000000000"]
        for number in signal.SIGINT, signal.SIGTERM:
            end_with(p, endless, number, [130])
            end_with(p, [*PERFT, "--backend", "native"], number, [130])
            end_with(p, ["bench", *GAME], number, [130])


@alone
def test_work_that_is_over_before_the_compiler():
    with Place() as p:
        p.script(HANG)
        status, out, err, _ = p.run("moves", *GAME)
        expect(status == 0 and err == "" and not os.path.exists(p.path("pid")),
               "a short command calls the compiler", out, err)
        game = ["random", "mill", "--games", str(long_games()), "--seed", "3"]
        status, out, err, _ = p.run(*game)
        expect(status == 0 and out == long_result() and err == "", "wrong", status, out, err)
        expect(os.path.exists(p.path("pid")), "a long command does not call the compiler")
        expect(not is_alive(compiler_pid(p)), "the compiler is left behind")
        p.expect_tidy(0)


def test_ignored_children():
    """A program that starts this one may have asked not to hear of its children."""
    with Place() as p:
        done = subprocess.run(
            ["sh", "-c", "trap '' CHLD; exec \"$@\"", "sh", PROGRAM, *PERFT, "--backend", "native"],
            env=p.env, capture_output=True, text=True, timeout=TIMEOUT, check=False,
            preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        expect(done.returncode == 0 and COUNT in done.stdout, "fails", done.stdout, done.stderr)


@alone
def test_auto_changes_over():
    with Place() as p:
        begin = time.monotonic()
        p.run("perft", "mill", "1", "--backend", "native")
        compiling = time.monotonic() - begin
        shutil.rmtree(p.cache)
        _, seconds = interpreter_run(300)
        games = max(300, int(300 * (1 + 4 * compiling) / seconds))
        expected, _ = interpreter_run(games)
        words = ["random", "mill", "--games", str(games), "--seed", "3", "--backend", "auto"]
        for _ in range(2):  # the second time it is there from the beginning
            status, out, err, _ = p.run(*words)
            expect(status == 0 and out == expected and err == "", "wrong", status, out, err)
            p.expect_tidy(1)


# ---- Several at once, and killed ones -------------------------------------------------------


def test_two_at_once():
    with Place() as p:
        p.script('echo call >> "$HERE/calls"; while [ $(wc -l < "$HERE/calls") -lt 2 ]; do '
                 'sleep 0.01; done\nexec $REAL "$@"')  # both compile at the same time
        processes = [p.start(*PERFT, "--backend", "native") for _ in range(2)]
        for process in processes:
            out, err = process.communicate(timeout=TIMEOUT)
            expect(process.returncode == 0 and COUNT in out and err == "", "fails", out, err)
        p.expect_tidy(1)
        p.expect_native()
        expect(p.calls() == 2, "the entry is of no use")


def test_killed_while_compiling():
    with Place() as p:
        p.script(HANG)
        process = p.start(*PERFT, "--backend", "native")
        compiler = compiler_pid(p)
        process.kill()
        process.communicate()
        os.kill(compiler, signal.SIGKILL)
        folder = os.path.join(p.cache, "ludens")
        [left] = [os.path.join(folder, n) for n in os.listdir(folder)]
        replace_by(os.path.join(left, "rest.s"), b"of a compiler")
        p.env["CC"] = REAL_CC
        p.expect_native()
        expect(os.path.isdir(left), "a folder that may still be in use is removed")
        old = time.time() - 3600
        os.utime(left, (old, old))
        p.expect_native()  # nothing to compile, nothing to look for
        p.run("perft", "connect-four", "1", "--backend", "native")
        expect(not os.path.exists(left), "what was left behind an hour ago is still there")
        p.expect_tidy(2)


# ---- The command line -----------------------------------------------------------------------


def test_backends():
    with Place() as p:
        for how in "interp", "native", "auto":
            status, out, err, _ = p.run(*PERFT, "--backend", how)
            expect(status == 0 and COUNT in out and err == "", how + " fails", out, err)
        for how in "wrong", "", "Native":
            status, out, err, _ = p.run(*PERFT, "--backend", how)
            expect(status == 2 and out == "" and "interp, native or auto" in err,
                   "`%s` is accepted" % how, status, out, err)


def test_both_count_the_same():
    with Place() as p:
        for line in SAME if ALL else SAME[:SAME_FIRST]:
            words = ["perft", *line.split(), "--json", "--divide"]
            results = []
            for how in "interp", "native":
                status, out, err, _ = p.run(*words, "--backend", how)
                expect(status == 0 and err == "", line + ": fails", out, err)
                before, _, after = out.partition('"seconds":')
                results.append(before + after.partition(",")[2])
            expect(results[0] == results[1], line + ": the counts differ", *results)


def games():
    done = subprocess.run([PROGRAM, "games"], capture_output=True, text=True, check=True)
    return [line.split()[0] for line in done.stdout.splitlines()[1:]]


def test_emitted_c_stands_alone():
    """No warnings, no library, no memory of its own, and the same text every time. The compilers take
    turns, unless all is wanted."""
    compilers = [c for c in ("gcc", "clang") if shutil.which(c)] or [REAL_CC]
    flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-c"]
    with Place() as p:
        p.env["TMPDIR"] = p.folder
        for number, name in enumerate(games()):
            source, made = p.path("game.c"), p.path("game.o")
            texts = [p.run("emit-c", name)[1] for _ in range(2)]
            expect(texts[0] and texts[0] == texts[1], name + ": two texts")
            replace_by(source, texts[0].encode())
            for compiler in compilers if ALL else [compilers[number % len(compilers)]]:
                done = subprocess.run([compiler, *flags, "-o", made, source], env=p.env,
                                      capture_output=True, text=True, timeout=TIMEOUT, check=False)
                expect(done.returncode == 0, "%s, %s" % (name, compiler), done.stderr[:2000])
                wanted = subprocess.run(["nm", "-u", made], capture_output=True, text=True,
                                        check=True).stdout.replace(" U ", " ").split()
                expect(set(wanted) <= COMPILERS_OWN, name + ": calls a library", wanted)
                sizes = subprocess.run(["size", "-A", made], capture_output=True, text=True,
                                       check=True).stdout
                writable = [row for row in map(str.split, sizes.splitlines())
                            if row and row[0].startswith((".data", ".bss", ".tdata", ".tbss"))
                            and not row[0].startswith(".data.rel.ro") and row[1] != "0"]
                expect(not writable, name + ": has memory of its own", writable)


def main():
    global PROGRAM
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    options = [word for word in sys.argv[2:] if word in ("--alone", "--beside")]
    PROGRAM = os.path.abspath(sys.argv[1])
    word = ([w for w in sys.argv[2:] if w not in options] or [""])[0]
    tests = [(name[5:].replace("_", " "), test) for name, test in globals().items()
             if name.startswith("test_") and word in name
             and (not options or hasattr(test, "alone") == ("--alone" in options))]
    print("1..%d" % len(tests), flush=True)
    failed = 0
    for number, (name, test) in enumerate(tests, 1):
        begin, wrong = time.monotonic(), ""
        try:
            test()
        except (Wrong, OSError, ValueError, subprocess.SubprocessError) as error:
            wrong = str(error) or repr(error)
        failed += bool(wrong)
        print("%s %d - %s # %.1f s" % ("not ok" if wrong else "ok", number, name,
                                       time.monotonic() - begin))
        for line in wrong.splitlines():
            print("# " + line)
        sys.stdout.flush()
    sys.exit(1 if failed else 0)


main()
