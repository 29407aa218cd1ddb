#!/usr/bin/env python3
"""check_docs.py PROGRAM [--bless] [PAGE...]: checks README.md and docs/*.md, prints TAP.

With --bless the output shown on the pages is replaced by what the commands print now, where the two
do not match. Read the changes before you keep them.

The word after the three backquotes says what a snippet is:

    game                    a whole rules file; `ludens check` accepts it
    game file=NAME          the same, kept under that name for the commands that follow on the page
    game file=NAME bad      the same, with a mistake: `ludens check` must not accept it
    game in=PLACE on=BOARD  part of a file, put where it belongs (see wrap); `ludens ir` accepts it;
                            on= names a board other than the usual one and may be left out
    game from=PATH          quoted from that file
    clips file=NAME on=GAME rules in CLIPS, kept under that name; `ludens check GAME` accepts them
    console                 `$ command` and what it prints, one after the other
    console status=N        the same for commands that end with status N
    console needs=clips     the same; skipped, as all rules in CLIPS, where Ludens has no CLIPS
    console needs=web       the same where Ludens has no page for browsers
    console stays           the same for commands that do not end by themselves: once they have printed
                            what is shown they get a Ctrl-C, and must end properly
    python file=NAME        a program, kept under that name for the commands that follow on the page;
                            so are `sh`, `js` and `tournament`
    dialogue with=PROGRAM   what is said to a program (`> line`) and what it answers (`< line`), each
                            with a remark after two blanks or more
    text                    anything else; not checked

In the output of commands `…` stands for any text up to the end of the line and, alone on a line,
for any lines. Blanks at the ends of lines do not count. Of `make TARGET` only the target is looked
for, of a script of the tree only the file. Also checked: links between pages, that the messages in
docs/errors.md and docs/s3games.md are in the sources, that the limits in
docs/language.md and docs/browser.md and the grammar are theirs, that docs/robot.md has every key of
arm files, and that docs/architecture.md names every file of src.
"""

import concurrent.futures
import glob
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIMEOUT = 300  # seconds for one command; the sanitized build is slow
SKIPPED = "skipped: this Ludens was built without it"
GAMES = "20"  # random games that `ludens check` plays for a whole file

# ---- Parts of rules files -------------------------------------------------------------------

# What is added to a part unless it brings its own: one item for each word that begins a section.
DEFAULTS = {
    "game": 'game "Snippet"',
    "players": "players White, Black",
    "parameter": "parameter size : 4..16 = 8\n"
    "parameter flying : bool = yes\n"
    "parameter heaps : list of 1..9 = 3, 4, 5",
    "board": "board square 8 x 8\n    lines of 3",
    "piece": 'piece man of White "W", Black "B"\n'
    'piece king of White "K", Black "k" with hp : 0..9 = 3, ready : bool = yes\n'
    'piece rock "O"',
    "var": "var hand[player] : 0..9 = 9\n"
    "var score[player] : 0..99 = 0\n"
    "var target : cell or none = none\n"
    "var marked : cells\n"
    "var rights : some of short, long = {short, long}\n"
    "clock quiet_moves : 0..100 = 0",
    "turn": "turn\n    choose from in mine\n    choose to in empty\n    move from to to",
    "end": "end\n    draw when no empty",
}
BOARDS = {
    "lines": "board\n    lines\n        a1 b1 c1\n        a2 b2 c2\n        a1 a2\n        c1 c2",
    "stacks": "board square 8 x 8\n    stacks of 8",
    "hex": "board hex rhombus 5 x 5",
    "matrix": "board square 8 x 8\n    coordinates matrix",
}
# Pieces in stacks have no attributes.
STACK_PIECES = 'piece man of White "W", Black "B"\npiece king of White "K", Black "k"'
HEADINGS = {"stuck": "when stuck", "all_stuck": "when all stuck"}


def indent(text):
    return "\n".join("    " + line if line else line for line in text.split("\n"))


def logical_lines(text):
    """Lines with the indented ones that follow them."""
    found = []
    for line in text.split("\n"):
        if line.startswith((" ", ")")) and found:
            found[-1] += "\n" + line
        elif line.strip() and not line.lstrip().startswith("#"):
            found.append(line)
    return found


def wrap(snippet, place, board):
    """A whole file around a part.

    game: items of the file; expr: an expression on each line; statement: statements of a turn
    after the choices `from` and `to`; turn, setup, end, stuck, all_stuck, notation, input: the
    lines of that section.
    """
    if place == "expr":
        lines = ["let value_%d = %s" % (i, e) for i, e in enumerate(logical_lines(snippet))]
        snippet, place = "\n".join(lines), "statement"
    if place == "statement":
        snippet, place = "choose from in mine\nchoose to in empty\n" + snippet, "turn"
    if place != "game":
        snippet = HEADINGS.get(place, place) + "\n" + indent(snippet)
    own = {line.split()[0] for line in snippet.split("\n") if line.strip() and line[0] != " "}
    own = {"var" if word == "clock" else word for word in own}
    items = []
    for word, text in DEFAULTS.items():
        if word == "board" and board:
            text = BOARDS[board]
        if word == "piece" and board == "stacks":
            text = STACK_PIECES
        if word not in own:
            items.append(text)
    return "\n\n".join(items + [snippet]) + "\n"


# ---- Pages ----------------------------------------------------------------------------------


class Snippet:
    def __init__(self, page, line, info, text):
        self.page, self.line, self.text, self.blessed = page, line, text, text
        words = info.split()
        self.kind = words[0] if words else ""
        self.options = dict(w.partition("=")[::2] for w in words[1:])

    def name(self):
        return "%s:%d %s" % (self.page, self.line, self.kind)


def read_page(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as f:
        return f.read()


def snippets_of(page):
    found, inside = [], None
    for number, line in enumerate(read_page(page).split("\n"), 1):
        fence = re.match(r"^( *)```(.*)$", line)
        if fence and inside is None:
            inside = (number, fence.group(2), len(fence.group(1)), [])
        elif fence:
            found.append(Snippet(page, inside[0], inside[1], "\n".join(inside[3])))
            inside = None
        elif inside:
            inside[3].append(line[inside[2] :])
    if inside:
        found.append(Snippet(page, inside[0], "unclosed", ""))
    return found


# ---- Running --------------------------------------------------------------------------------


class Workshop:
    """A folder with the program on the path; each page has its own."""

    def __init__(self, program, folder):
        self.folder = folder
        tools = os.path.join(folder, ".bin")
        os.mkdir(tools)
        os.symlink(os.path.abspath(program), os.path.join(tools, "ludens"))
        self.env = dict(os.environ, LC_ALL="C.UTF-8", TERM="dumb", NO_COLOR="1")
        self.env["XDG_CACHE_HOME"] = os.path.join(folder, ".cache")
        self.env["XDG_DATA_HOME"] = os.path.join(folder, ".data")
        for screen in ("DISPLAY", "WAYLAND_DISPLAY"):  # no browser is opened
            self.env.pop(screen, None)
        self.env["PATH"] = tools + os.pathsep + os.environ.get("PATH", "")

    def run(self, command):
        result = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=self.env, timeout=TIMEOUT, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        return result.returncode, result.stdout.decode("utf-8", "replace")

    def run_for_a_while(self, command, expected):
        """The same; ended by Ctrl-C as soon as the output is the expected one."""
        program = subprocess.Popen(
            ["bash", "-c", "exec " + command], cwd=self.folder, env=self.env, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        clock = threading.Timer(TIMEOUT, program.kill)
        clock.start()
        output = ""
        for line in program.stdout:
            output += line.decode("utf-8", "replace")
            if matches(expected, output):
                break
        program.send_signal(signal.SIGINT)
        output += program.stdout.read().decode("utf-8", "replace")
        status = program.wait()
        clock.cancel()
        return status, output

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as f:
            f.write(text + "\n")


def check_game(shop, snippet):
    """What is wrong, as text; empty if nothing is."""
    options = snippet.options
    if "from" in options:
        quoted = snippet.text + "\n" in read_page(options["from"])
        return "" if quoted else "is not in " + options["from"]
    name = options.get("file") or "line%d.game" % snippet.line
    if "in" in options:
        shop.write(name, wrap(snippet.text, options["in"], options.get("on")))
        status, output = shop.run("ludens ir %s >/dev/null" % name)
        return "" if status == 0 else output + "status %d" % status
    shop.write(name, snippet.text)
    status, output = shop.run("ludens check %s --games %s" % (name, GAMES))
    if "bad" in options:
        return "" if status == 1 else "`ludens check` accepts it:\n" + output
    good = status == 0 and "warning" not in output
    return "" if good else output + "status %d" % status


def commands_of(text):
    """(command, expected output) pairs; a command goes on after a backslash."""
    found = []
    for line in text.split("\n"):
        if line.startswith("$ "):
            found.append([line[2:], []])
        elif found and found[-1][0].endswith("\\") and not found[-1][1]:
            found[-1][0] += "\n" + line
        elif found:
            found[-1][1].append(line)
        else:
            raise ValueError("a console snippet begins with `$ `")
    return found


def matches(expected, output):
    pattern = ""
    for line in expected:
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(map(re.escape, line.rstrip().split("…"))) + r"\n"
    return re.fullmatch(pattern, output) is not None


def make_target(command):
    """Whether this is only a call of make or of a script of the tree, and what is wrong with it."""
    words = command.split()
    if words[0] == "make":
        targets = [w for w in words[1:] if "=" not in w and '"' not in w]
        with open(os.path.join(ROOT, "Makefile"), encoding="utf-8") as f:
            known = set(re.findall(r"^([\w-]+):", f.read(), re.M))
        unknown = [t for t in targets if t not in known]
        return True, "".join("the Makefile has no target %s\n" % t for t in unknown)
    if words[0].startswith("tools/"):
        exists = os.access(os.path.join(ROOT, words[0]), os.X_OK)
        return True, "" if exists else "there is no %s\n" % words[0]
    return False, ""


def check_console(shop, snippet):
    wanted = int(snippet.options.get("status", "0"))
    wrong, blessed = "", []
    for command, expected in commands_of(snippet.text):
        only_looked_at, problem = make_target(command)
        wrong += problem
        blessed.append("$ " + command)
        if only_looked_at:
            continue
        while expected and not expected[-1].strip():
            expected.pop()
        if "stays" in snippet.options:
            status, output = shop.run_for_a_while(command, expected)
        else:
            status, output = shop.run(command)
        if status != wanted:
            wrong += "$ %s\nends with status %d, not %d\n" % (command, status, wanted)
        output = "\n".join(line.rstrip() for line in output.split("\n")).rstrip("\n")
        output += "\n" if output else ""
        if not matches(expected, output):
            wrong += "$ %s\nprints:\n%s" % (command, output)
            expected = output.split("\n")[:-1]
        blessed += expected
    snippet.blessed = "\n".join(blessed)
    return wrong


def check_clips(shop, snippet):
    shop.write(snippet.options["file"], snippet.text)
    status, output = shop.run("ludens check %s --games %s --knowledge %s" % (
        snippet.options["on"], GAMES, snippet.options["file"]))
    return "" if status == 0 and "warning" not in output else output + "status %d" % status


def is_left_out(shop, snippet):
    """Whether this snippet needs CLIPS or the browser's part, which this program does not have."""
    if snippet.options.get("needs") == "web":
        _, output = shop.run("ludens serve one word-too-many")
        return "built without its page" in output
    if snippet.kind != "clips" and snippet.options.get("needs") != "clips":
        return False
    _, output = shop.run(": > none.clp; ludens check tic-tac-toe --games 1 --knowledge none.clp")
    return "built without CLIPS" in output


def answer_comes(program, expected):
    """Whether the program says that next; `…` as in the output of commands, but not line by line."""
    pattern = ".*".join(map(re.escape, expected.split("…")))
    while True:
        line = program.stdout.readline()
        if not line or re.fullmatch(pattern, line.strip()):
            return bool(line)
        if not line.startswith("info "):
            return False


def check_dialogue(shop, snippet):
    program = subprocess.Popen(
        [os.path.join(".", snippet.options["with"])], cwd=shop.folder, env=shop.env, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )
    clock = threading.Timer(TIMEOUT, program.kill)
    clock.start()
    wrong = ""
    for line in snippet.text.split("\n"):
        said = re.split(r"\s{2,}", line[2:])[0]
        if line.startswith("> "):
            program.stdin.write(said + "\n")
            program.stdin.flush()
        elif not wrong and not answer_comes(program, said):
            wrong = "the program does not say: %s\n" % said
    program.stdin.close()
    program.wait()
    clock.cancel()
    return wrong


def check_snippet(shop, snippet):
    try:
        if is_left_out(shop, snippet):
            return SKIPPED
        if snippet.kind == "game":
            return check_game(shop, snippet)
        if snippet.kind == "clips":
            return check_clips(shop, snippet)
        if snippet.kind == "console":
            return check_console(shop, snippet)
        if snippet.kind in ("python", "sh", "js", "tournament") and "file" in snippet.options:
            shop.write(snippet.options["file"], snippet.text)
            os.chmod(os.path.join(shop.folder, snippet.options["file"]), 0o755)
            return ""
        if snippet.kind == "dialogue":
            return check_dialogue(shop, snippet)
        return "" if snippet.kind == "text" else "what is it? see tests/docs/check_docs.py"
    except (ValueError, KeyError, subprocess.TimeoutExpired) as error:
        return repr(error)


# ---- Links and messages ---------------------------------------------------------------------


def anchors_of(page):
    text = re.sub(r"^```.*?^```", "", read_page(page), flags=re.M | re.S)
    heads = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in heads}


def broken_links(page):
    text = re.sub(r"^```.*?^```", "", read_page(page), flags=re.M | re.S)
    wrong = ""
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", link):
            continue
        path, _, anchor = link.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
        if not os.path.exists(os.path.join(ROOT, path)):
            wrong += "there is no %s\n" % link
        elif anchor and anchor not in anchors_of(path):
            wrong += "%s has no heading %s\n" % (path, anchor)
    return wrong


def source_messages():
    """The texts in the sources, formats as `…`."""
    found = set()
    for path in glob.glob(os.path.join(ROOT, "src", "*", "*.c")):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        text = re.sub(r'"\s*PRId64\s*"', "lld", text)
        text = re.sub(r'%"\s*PRId64', '%lld"', text)
        text = re.sub(r'(?<!\\)"\s*\n\s*"', "", text)
        for literal in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text):
            literal = literal.replace('\\"', '"').replace("\\\\", "\\")
            literal = re.sub(r"%(?:[-.*\d]*(?:lld|zu|[dsf])|02X)", "…", literal)
            found.add(re.sub("…+", "…", literal.replace("…..…", "…")).replace("%%", "%"))
    return found


def listed_messages(page):
    """The first cells of the tables of a page, or of its part with that heading; `…` stands for what
    varies."""
    text = read_page(page)
    part = re.search(r"^## What the messages mean$.*?(?=^## |\Z)", text, re.M | re.S)
    for line in (part.group() if part else text).split("\n"):
        cell = re.match(r"^\| (`.*?) \|", line)
        for message in re.findall(r"(?<!`)(`+)(.+?)\1(?!`)", cell.group(1)) if cell else []:
            yield message[1].strip().replace("\\|", "|")


def unknown_messages(page):
    known = {m.strip() for m in source_messages()}
    return "".join("no source says: %s\n" % m for m in listed_messages(page) if m not in known)


# ---- The reference and the sources ----------------------------------------------------------


def read_sources(pattern):
    text = ""
    for path in sorted(glob.glob(os.path.join(ROOT, "src", *pattern.split("/")))):
        with open(path, encoding="utf-8") as f:
            text += f.read()
    return text


def wrong_limits(page):
    """Rows `| value | … | `NAME` |` against the sources' `#define NAME value`."""
    defines = re.findall(r"^#define (\w+) +(.+?)(?: *//.*)?$", read_sources("*/*"), re.M)
    known = {name: re.sub(r"\(size_t\)|(?<=\d)[LlUu]+", "", value) for name, value in defines}
    wrong = ""
    for value, name in re.findall(r"^\| (\d+) \|.*\| `([A-Z_]+)` \|$", read_page(page), re.M):
        text = known.get(name, "missing")
        number = eval(text) if re.fullmatch(r"[\d ()<*+]+", text) else None
        if number != int(value):
            wrong += "%s is %s in the sources, not %s\n" % (name, text, value)
    return wrong


def missing_keys(page):
    """Keys of arm files that the page does not explain, and rows whose bounds are not theirs."""
    keys = re.findall(
        r'\{"(\w+)", offsetof\((?:Arm|ArmJoint), \w+\), \w+, ([-.\d]+), ([-.\d]+)\}',
        read_sources("robot/arm_file.c"),
    )
    rows = {}
    for names, least, most in re.findall(
        r"^\| ([`\w, ]+) \|.*?\| (-?[.\d]+) \| (-?[.\d]+) \|", read_page(page), re.M
    ):
        rows.update({name: (least, most) for name in re.findall(r"`(\w+)`", names)})
    return "".join(
        "%s can be %s to %s: %s\n" % (name, least, most, rows.get(name, "it is not on the page"))
        for name, least, most in keys
        if rows.get(name) != (least, most)
    )


def missing_words(page):
    """Words that begin sections, statements and lines in the parser but not in the grammar."""
    grammar = " ".join(s.text for s in snippets_of(page) if s.text.startswith("file      ="))
    words = re.findall(r'\{"(\w+)", parse_\w+\}', read_sources("lang/parse*.c"))
    return "".join("the grammar lacks %s\n" % w for w in words if '"%s"' % w not in grammar)


def missing_files(page):
    """Files of the folders that are built which the tour of docs/architecture.md leaves out."""
    text, build, wrong = read_page(page), read_page("meson.build"), ""
    for path in sorted(glob.glob(os.path.join(ROOT, "src", "*", "*.[ch]"))):
        folder, name = path.split(os.sep)[-2:]
        known = ["`%s`" % name, "`%s`" % name[:-2]]
        listed = name.startswith("cmd_") or any(k in text for k in known)
        if not listed and "'src/%s/" % folder in build:
            wrong += "the page does not mention %s\n" % name
    return wrong


# ---- All together ---------------------------------------------------------------------------


def bless(page, snippets):
    lines = read_page(page).split("\n")
    for s in reversed(snippets):
        lines[s.line : s.line + s.text.count("\n") + 1] = s.blessed.split("\n")
    with open(os.path.join(ROOT, page), "w", encoding="utf-8") as f:
        f.write("\n".join(lines))


def check_page(program, page, blessing):
    """(name, what is wrong) for every check of a page, in order."""
    results = [("%s links" % page, broken_links(page))]
    if page in ("docs/errors.md", "docs/s3games.md"):
        results.append(("%s messages" % page, unknown_messages(page)))
    if page == "docs/architecture.md":
        results.append(("%s files" % page, missing_files(page)))
    if page in ("docs/language.md", "docs/browser.md"):
        results.append(("%s limits" % page, wrong_limits(page)))
    if page == "docs/robot.md":
        results.append(("%s keys" % page, missing_keys(page)))
    if page == "docs/language.md":
        results.append(("%s grammar" % page, missing_words(page)))
    with tempfile.TemporaryDirectory() as folder:
        shop = Workshop(program, folder)
        snippets = snippets_of(page)
        for snippet in snippets:
            if snippet.kind != "text":
                results.append((snippet.name(), check_snippet(shop, snippet)))
    if blessing:
        bless(page, snippets)
    return results


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, *pages = sys.argv[1:]
    blessing = "--bless" in pages
    pages = [p for p in pages if p != "--bless"] or ["README.md"] + sorted(
        os.path.relpath(p, ROOT) for p in glob.glob(os.path.join(ROOT, "docs", "*.md"))
    )
    with concurrent.futures.ThreadPoolExecutor() as pool:
        done = list(pool.map(lambda page: check_page(program, page, blessing), pages))
    results = [result for page in done for result in page]
    print("1..%d" % len(results))
    for number, (name, wrong) in enumerate(results, 1):
        if wrong == SKIPPED:
            print("ok %d - %s # SKIP built without it" % (number, name))
            continue
        print("%s %d - %s" % ("not ok" if wrong else "ok", number, name))
        for line in wrong.rstrip("\n").split("\n") if wrong else []:
            print("# " + line)
    sys.exit(1 if any(wrong and wrong != SKIPPED for _, wrong in results) else 0)


main()
