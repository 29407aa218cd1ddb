#!/usr/bin/env python3
"""mpi.py LUDENS: contests on several ranks, started with mpirun on this machine. Prints TAP.

Whatever the number of ranks, the games are those of one program alone. A rank that is killed ends
the run; the same command goes on, and at the end no game is lost and none doubled. Skips where
there is no mpirun, or where Ludens was built without MPI.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LUDENS = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))
TIMEOUT = 280
COMMAND = ["match", "connect-four", "width=5", "height=4", "random", "minimax:depth=3", "--games",
           "600", "--seed", "5", "--jobs", "1", "--backend", "interp"]

# mpirun refuses to work for root and with more ranks than processors, and binds each to one; a
# container may not let processes read each other's memory. Open MPI does not free all it has.
ENV = dict(
    os.environ,
    OMPI_ALLOW_RUN_AS_ROOT="1",
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_rmaps_base_oversubscribe="1",
    OMPI_MCA_hwloc_base_binding_policy="none",
    OMPI_MCA_btl_vader_single_copy_mechanism="none",
    ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0",
)

sys.argv[2:] = []
sys.path.insert(0, HERE)
sys.path.insert(1, os.path.join(HERE, ".."))
from kill import games  # noqa: E402  (the same way to look at a database)
from tap import case, end  # noqa: E402


def mpirun(folder, ranks, command, **more):
    return subprocess.Popen(
        ["mpirun", "-n", str(ranks), LUDENS, *command], cwd=folder, env=ENV, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more,
    )


def run(folder, ranks, command):
    """Lets it end by itself; status, standard output, standard error."""
    process = mpirun(folder, ranks, command)
    try:
        out, err = process.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        kill_all(process)
        return "too long", "", ""
    return process.returncode, out, err


def kill_all(process):
    for pid in ranks_of(process).values():
        os.kill(pid, signal.SIGKILL)
    process.kill()
    process.communicate()


def ranks_of(process):
    """The processes that an mpirun has started, by rank."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % pid, encoding="utf-8", errors="replace") as f:
                parent = int(f.read().rsplit(")", 1)[1].split()[1])
            with open("/proc/%s/environ" % pid, "rb") as f:
                env = dict(v.split(b"=", 1) for v in f.read().split(b"\0") if b"=" in v)
            if parent == process.pid and b"OMPI_COMM_WORLD_RANK" in env:
                found[int(env[b"OMPI_COMM_WORLD_RANK"])] = int(pid)
        except (OSError, ValueError, IndexError):
            continue
    return found


def wait_for_games(process, path, number):
    """Until the database has so many; false: it ended before."""
    deadline = time.monotonic() + TIMEOUT
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if os.path.exists(path) and len(games(path)[1]) >= number:
                return True
        except Exception:  # copied while it was written
            pass
        time.sleep(0.02)
    return False


def alone(folder, command):
    done = subprocess.run([LUDENS, *command], cwd=folder, check=False, timeout=TIMEOUT,
                          stdin=subprocess.DEVNULL, capture_output=True)
    case("alone: " + " ".join(command[:5]), done.returncode == 0, done.stderr)
    return games(os.path.join(folder, "ludens.db"))[1]


def check_same(command):
    """The number of ranks does not matter."""
    with tempfile.TemporaryDirectory() as folder:
        expected = alone(folder, command)
        for ranks in (1, 2, 4):
            path = os.path.join(folder, "%d.db" % ranks)
            status, out, err = run(folder, ranks, [*command, "--db", path, "--json"])
            case("%d ranks end well" % ranks, status == 0, (status, out, err))
            case("%d ranks: told once" % ranks, out.count("\n") == 1 and json.loads(out)["over"],
                 out)
            sound, found = games(path)
            case("%d ranks: the same games" % ranks, sound == "ok" and found == expected,
                 "%s, %d and %d games" % (sound, len(found), len(expected)))
        status, out, err = run(folder, 3, [*command, "--db", path])
        case("nothing is left to play", status == 0 and "games already" in err, (status, err))


def check_disturbed(expected):
    """Ranks are killed, rank 0 among them, and mpirun is interrupted."""
    total = len(expected)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "ludens.db")
        least = 0
        for how, victim in (("kill", 1), ("kill", 0), ("interrupt", None), ("kill", 2)):
            process = mpirun(folder, 3, COMMAND)
            least = min(least + random.randint(total // 20, total // 10), total - 50)
            running = wait_for_games(process, path, least)
            if victim is None:
                process.send_signal(signal.SIGINT)
            else:
                pid = ranks_of(process).get(victim, 0)
                running = running and pid > 0
                if pid:
                    os.kill(pid, signal.SIGKILL)
            try:
                out, err = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                kill_all(process)
                out, err = "", "it does not end"
            name = "%s %s" % (how, "mpirun" if victim is None else "rank %d" % victim)
            case("%s in the midst of it ends the run" % name, running and process.returncode != 0,
                 (process.returncode, running, out, err))
            sound, found = games(path)
            numbers = [row[0] for row in found]
            case("%s: %d games are kept, none lost" % (name, len(found)),
                 sound == "ok" and len(found) >= least and len(set(numbers)) == len(numbers)
                 and set(found) <= set(expected), sound)
            if victim is None:
                case("Ctrl-C: said how to go on, and nothing is left beside the database",
                     "the same command again goes on" in err
                     and os.listdir(folder) == ["ludens.db"], (err, os.listdir(folder)))
            least = len(found)
        status, out, err = run(folder, 3, COMMAND)
        sound, found = games(path)
        case("it goes on, to the same games", status == 0 and sound == "ok" and found == expected,
             (status, err, "%d and %d games" % (len(found), len(expected))))


def check_messages():
    with tempfile.TemporaryDirectory() as folder:
        status, out, err = run(folder, 3, ["match", "tic-tac-toe", "rndom", "greedy"])
        case("what is wrong is told once", status == 2 and err.count("did you mean") == 1, err)

        # A rank with another command, as with another file on another machine.
        words = [LUDENS, "match", "tic-tac-toe", "random", "greedy", "--games", "20"]
        done = subprocess.run(
            ["mpirun", "-n", "2", *words, ":", "-n", "1", *words, "--seed", "2"], cwd=folder,
            env=ENV, check=False, text=True, timeout=TIMEOUT, stdin=subprocess.DEVNULL,
            capture_output=True)
        case("a rank with another contest does not take part",
             done.returncode == 0 and "rank 2: the contest is not the one of rank 0" in done.stderr
             and "\n20 games," in done.stdout, (done.stdout, done.stderr))

        os.mkdir(os.path.join(folder, "bin"))
        copy = shutil.copy(LUDENS, os.path.join(folder, "bin", "ludens"))
        done = subprocess.run(["mpirun", "-n", "2", copy, *words[1:]], cwd=folder, env=ENV,
                              check=False, text=True, timeout=TIMEOUT, capture_output=True,
                              stdin=subprocess.DEVNULL)
        case("without MPI it says so",
             done.returncode == 1 and done.stderr.count("built without MPI") == 1, done.stderr)


def check_bots():
    """A bot is no rank, and plays on any of them."""
    with tempfile.TemporaryDirectory() as folder:
        bot = os.path.join(folder, "bot.sh")
        with open(bot, "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\nenv | grep -q OMPI_ && exit 3\nexec '%s' engine tic-tac-toe\n"
                    % LUDENS)
        os.chmod(bot, 0o755)
        status, out, err = run(folder, 3, ["match", "tic-tac-toe", "random", "bot:./bot.sh",
                                           "--games", "6", "--time", "20s", "--json"])
        case("bots play on ranks", status == 0 and json.loads(out)["endings"] == {"rules": 6},
             (status, out, err))


def missing():
    if not shutil.which("mpirun"):
        return "there is no mpirun: install openmpi-bin"
    if not os.path.exists(os.path.join(os.path.dirname(LUDENS), "ludens-mpi.so")):
        return "Ludens was built without MPI: install libopenmpi-dev"
    tried = subprocess.run(["mpirun", "-n", "2", "true"], env=ENV, check=False, timeout=60,
                           capture_output=True, stdin=subprocess.DEVNULL)
    return None if tried.returncode == 0 else "mpirun does not work here"


def main():
    reason = missing()
    if reason:
        print("1..0 # SKIP %s" % reason)
        return 0
    random.seed(11)
    check_same(["tournament", "--swiss", "random", "greedy", "minimax:depth=2", "random:seed=2",
                "greedy:seed=2", "--game", "tic-tac-toe", "--games", "20", "--jobs", "2"])
    with tempfile.TemporaryDirectory() as folder:
        expected = alone(folder, COMMAND)
    check_disturbed(expected)
    check_messages()
    check_bots()
    return end()


if __name__ == "__main__":
    sys.exit(main())
