"""Reads S3 files: text to a Spec of plain records and expression trees.

Written from the description of the language, apart from the program's own reader, so that each
checks the other. An expression is a tuple: ("int", n), ("bool", b), ("string", text, {at: name}),
("var", name), ("set", items), ("lazy", items), ("unary", op, e), ("binary", op, left, right),
("call", name, arguments), ("built", name, arguments).
"""
import re
from dataclasses import dataclass, field

OPERATORS = set("== != < <= > >= + - * / % = AND OR IN SUBSET SETMINUS UNION INTERSECT".split())
UNARY = {"NOT", "ABS", "-"}
BUILT_INS = set("""IF FORALL FORSOME LOCTYPE ELTYPE STATE LOCATION CONTENT EMPTY INDEX INDEXA UNINDEX
    OWNER PLAYER SCORE ZINDEX MOVE SETOWNER SETSTATE SETZINDEX NEXTPLAYER""".split())
CLOSER = {"(": ")", "{": "}", "[": "]"}
SEPARATORS = '=!<>+-*/% \t(),"${}[]'


class LoadError(Exception):
    pass


# ---- Expressions ----------------------------------------------------------------------------


def cut(text):
    """The pieces between separators, and the separators; blanks are gone, also inside strings."""
    pieces = re.split("([%s])" % re.escape(SEPARATORS), text)
    return [p for p in pieces if p and p not in " \t"]


def template(pieces):
    """A string from its pieces: the text without the references, and where they stood."""
    text, names, i = "", {}, 0
    while i < len(pieces):
        if pieces[i] == "$":
            if i + 1 == len(pieces):
                raise LoadError("a $ without a name")
            names[len(text)] = pieces[i + 1]  # of two at one place the later stays
            i += 2
        else:
            text += pieces[i]
            i += 1
    return ("string", text, names)


def tokens_of(text):
    """(kind, value) pairs: op, built, word, int, bool, string, var, and the brackets as "mark"."""
    pieces, i, out = cut(text), 0, []
    while i < len(pieces):
        p = pieces[i]
        after = pieces[i + 1] if i + 1 < len(pieces) else None
        i += 1
        if p in "$!<>=" and after is None:
            raise LoadError("the line ends with " + p)
        if p == "$":
            out.append(("var", after))
            i += 1
            continue
        if p == "!" or (p in "<>=" and after == "="):
            p, i = p + after, i + 1
        if p == '"':
            if '"' not in pieces[i:]:
                raise LoadError("a string without its end")
            end = pieces.index('"', i)
            out.append(template(pieces[i:end]))
            i = end + 1
        elif p in OPERATORS or p in UNARY:
            out.append(("op", p))
        elif p in BUILT_INS:
            out.append(("built", p))
        elif p.lower() in ("true", "false"):
            out.append(("bool", p.lower() == "true"))
        elif p[0] in "0123456789":
            if not re.fullmatch("[0-9]+", p) or int(p) > 2**31 - 1:
                raise LoadError("not a number: " + p)
            out.append(("int", int(p)))
        elif p in "(){}[],":
            out.append(("mark", p))
        else:
            out.append(("word", p))
    return out


class Parser:
    """No precedence: every operator takes the whole rest as its right side."""

    def __init__(self, text):
        self.tokens, self.at = tokens_of(text), 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def whole(self):
        e = self.expr()
        if self.peek()[0] != "end":
            raise LoadError("left over: %s" % (self.peek()[1],))
        return e

    def expr(self):
        if self.peek()[0] == "op" and self.peek()[1] in UNARY:
            return ("unary", self.take()[1], self.expr())
        left = self.primary()
        if self.peek()[0] == "op" and self.peek()[1] in OPERATORS:
            op = self.take()[1]
            return ("binary", op, left, self.expr())
        return left

    def items(self, opener):
        """Between brackets; empty items are skipped."""
        found = []
        while True:
            if self.peek() == ("mark", CLOSER[opener]):
                self.take()
                return found
            if self.peek() == ("mark", ","):
                self.take()
                continue
            found.append(self.expr())
            if self.peek() not in (("mark", ","), ("mark", CLOSER[opener])):
                raise LoadError("a bracket without its end")

    def primary(self):
        if self.peek()[0] == "end":
            raise LoadError("empty expression")
        token = self.take()
        kind, value = token[0], token[1]
        if kind in ("int", "bool", "string", "var"):
            return token
        if kind in ("built", "word"):
            arguments = []
            if self.peek() == ("mark", "("):
                self.take()
                arguments = self.items("(")
            return ("built" if kind == "built" else "call", value, arguments)
        if token == ("mark", "{"):
            return ("set", self.items("{"))
        if token == ("mark", "["):
            return ("lazy", self.items("["))
        if token == ("mark", "("):
            inside = self.items("(")
            if len(inside) != 1:
                raise LoadError("one expression between parentheses")
            return inside[0]
        raise LoadError("unexpected " + str(value))


def parse(text):
    return Parser(text).whole()


# ---- Files ----------------------------------------------------------------------------------


@dataclass
class Location:
    name: str
    type: str = None
    relevant: bool = False


@dataclass
class Element:
    name: str
    type: str = None
    owner: int = 0
    location: str = None
    state: int = 1
    zindex: int = 0


@dataclass
class Function:
    name: str
    params: list
    lines: list = field(default_factory=list)


@dataclass
class Situation:  # of SCORINGS and END OF GAME
    situation: tuple
    players: list = field(default_factory=list)
    scores: list = field(default_factory=list)
    winner: tuple = None


@dataclass
class Rule:
    name: str
    element: tuple = None
    source: tuple = None
    target: tuple = None
    state: tuple = None
    player: tuple = None
    condition: tuple = ("bool", True)
    followup: tuple = None
    to_locations: tuple = None
    award_players: list = field(default_factory=list)
    award_scores: list = field(default_factory=list)


@dataclass
class Spec:
    """Tables are dicts by name: a later record replaces an earlier one in its place."""
    players: list = field(default_factory=list)
    score: int = 0
    states: dict = field(default_factory=dict)  # of element types
    location_types: dict = field(default_factory=dict)  # name: relevant
    locations: dict = field(default_factory=dict)
    elements: dict = field(default_factory=dict)
    functions: dict = field(default_factory=dict)
    scorings: list = field(default_factory=list)
    ends: list = field(default_factory=list)
    rules: dict = field(default_factory=dict)


class Reader:
    SECTIONS = {
        "BOARD": None, "REALBOARD ELEMENT TYPES": None,
        "ELEMENT TYPES": "element_type", "LOCATION TYPES": "location_type",
        "LOCATIONS": "location", "PLAYER NAMES": "player", "MOVABLE ELEMENTS": "element",
        "EXPRESSIONS": "expression", "SCORINGS": "scoring", "END OF GAME": "end",
        "GAME RULES": "rule",
    }
    TEXT_KEYS = {"element": "element", "from": "source", "to": "target"}
    EXPR_KEYS = {"state": "state", "player": "player", "condition": "condition",
                 "followup": "followup", "tolocations": "to_locations"}

    def __init__(self, text):
        self.spec, self.section, self.record, self.open = Spec(), None, None, None
        for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
            line = line.strip("".join(map(chr, range(33))))
            if line and not line.startswith("//"):
                self.line(line)
        if any(len(r.award_players) != len(r.award_scores) for r in self.spec.rules.values()):
            raise LoadError("awardPlayer and withScore do not pair up")

    def line(self, line):
        header = line[1:-1].upper() if line[0] == "[" and line[-1] == "]" else None
        if header in self.SECTIONS:
            self.section, self.record = self.SECTIONS[header], None
        elif self.section == "expression":
            self.expression(line)
        elif "=" not in line:
            raise LoadError("neither a section nor key=value: " + line)
        elif self.section:
            key, _, value = line.partition("=")
            getattr(self, self.section)(key.lower(), value)

    def element_type(self, key, value):
        if key == "name":
            self.record = value
            self.spec.states[value] = 0
        elif key == "states":
            self.spec.states[self.record] = int(value)

    def location_type(self, key, value):
        if key == "name":
            self.record = value
            self.spec.location_types[value] = True
        elif key == "relevant":
            self.spec.location_types[self.record] = value.lower() == "yes"

    def location(self, key, value):
        if key == "name":
            self.record = self.spec.locations[value] = Location(value)
        elif key == "type":
            if value not in self.spec.location_types:
                raise LoadError("no location type " + value)
            self.record.type, self.record.relevant = value, self.spec.location_types[value]

    def player(self, key, value):
        if key == "score":
            self.spec.score = int(value)
        else:
            if int(key) != len(self.spec.players) + 1:
                raise LoadError("players are numbered 1, 2, 3")
            self.spec.players.append(value)

    def element(self, key, value):
        if key == "name":
            self.record = self.spec.elements[value] = Element(value)
        elif key in ("type", "location"):
            setattr(self.record, key, value)
        elif key in ("state", "zindex"):
            setattr(self.record, key, int(value))
        elif key == "player":
            self.record.owner = int(value)

    def expression(self, line):
        if self.open is None:
            name, paren, rest = line.partition("(")
            params = [p.strip() for p in rest.rstrip()[:-1].split(",")] if paren else []
            if any(not re.fullmatch(r"\$.+", p) for p in params):
                raise LoadError("parameters begin with $: " + line)
            self.open = self.spec.functions[name] = Function(name, [p[1:] for p in params])
        elif line.upper() == "END":
            self.open = None
        else:
            self.open.lines.append(parse(line))

    def scoring(self, key, value):
        if key == "situation":
            self.record = Situation(parse(value))
            self.spec.scorings.append(self.record)
        elif key == "player":
            self.record.players.append(parse(value))
        elif key == "score":
            self.record.scores.append(parse(value))

    def end(self, key, value):
        if key == "situation":
            self.record = Situation(parse(value))
        elif key == "winner":
            self.record.winner = parse(value)
            self.spec.ends.append(self.record)

    def rule(self, key, value):
        if key == "name":
            self.record = self.spec.rules[value] = Rule(value)
        elif key in self.TEXT_KEYS:
            setattr(self.record, self.TEXT_KEYS[key], parse('"%s"' % value))
        elif key in self.EXPR_KEYS:
            setattr(self.record, self.EXPR_KEYS[key], parse(value))
        elif key == "awardplayer":
            self.record.award_players.append(parse(value))
        elif key == "withscore":
            self.record.award_scores.append(parse(value))


def read(text):
    return Reader(text).spec
