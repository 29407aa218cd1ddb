#!/usr/bin/env python3
"""reference.py FILE DEPTH [--all]: plays S3 files slowly and plainly, to compare others with.

Prints the number of move sequences of each length, and of new positions. An implementation of the
language as it is described, without regard to speed. It follows the program's decisions where the
original system left things open: file order everywhere, variables begin anew with every move tried
and every move made, irrelevant places are told apart by the current state and owner of the element.
With leftovers=True variables live for ever, as in the original.
"""
import re
import sys
from collections import namedtuple

from reference_read import LoadError, read

sys.setrecursionlimit(20000)  # for Engine.DEPTH calls of the rules
MOVE_TEXT = "%s->%s:%s"
# A call inside a lazy set: arguments fixed, body to be run later.
Frozen = namedtuple("Frozen", "name arguments")
Lazy = namedtuple("Lazy", "items")
Move = namedtuple("Move", "source target element action")


class S3Error(Exception):
    """Where the original would have thrown."""


class Exhausted(Exception):
    """A run that goes on for too long to wait for."""


def kind_of(value):
    for kind in (bool, int, str, Lazy, Frozen, tuple):  # a bool is an int for Python, not for S3
        if isinstance(value, kind):
            return kind
    raise AssertionError(value)


def same(a, b):
    if kind_of(a) != kind_of(b):
        return False
    if kind_of(a) == Lazy:
        return same(a.items, b.items)
    if kind_of(a) == Frozen:
        return a.name == b.name and same(tuple(a.arguments), tuple(b.arguments))
    if kind_of(a) == tuple:
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def has(items, value):
    return any(same(value, i) for i in items)


def wrap(n):
    return (n + 2**31) % 2**32 - 2**31


def divide(a, b):
    if b == 0:
        raise S3Error("division by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def expect(value, kind, what):
    if kind_of(value) != kind:
        raise S3Error("%s is no %s: %r" % (what, kind.__name__, value))
    return value


NUMBERS = {
    "+": lambda a, b: wrap(a + b), "-": lambda a, b: wrap(a - b), "*": lambda a, b: wrap(a * b),
    "/": lambda a, b: wrap(divide(a, b)), "%": lambda a, b: a - divide(a, b) * b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}
SETS = {
    "SUBSET": lambda a, b: all(has(b, i) for i in a),
    "SETMINUS": lambda a, b: tuple(i for i in a if not has(b, i)),
    "INTERSECT": lambda a, b: tuple(i for i in a if has(b, i)),
    "UNION": lambda a, b: b + tuple(i for i in a if not has(b, i)),
}


class State:
    def __init__(self, spec):
        self.place = {}  # by element
        self.content = {}  # by location, occupied ones only
        for e in spec.elements.values():
            if e.location not in spec.locations:
                raise LoadError("%s stands nowhere" % e.name)
            self.place[e.name] = e.location
            self.content[e.location] = e.name
        self.state = {e.name: e.state for e in spec.elements.values()}
        self.owner = {e.name: e.owner for e in spec.elements.values()}
        self.zindex = {e.name: e.zindex for e in spec.elements.values()}
        self.player, self.winner = 1, -1
        self.scores = [spec.score] * len(spec.players)

    def copy(self):
        other = State.__new__(State)
        other.__dict__.update(self.__dict__)
        for name in ("place", "content", "state", "owner", "zindex", "scores"):
            setattr(other, name, getattr(self, name).copy())
        return other

    def move(self, element, source, target):
        del self.content[source]
        self.content[target] = element
        self.place[element] = target


class Engine:
    STEPS, DEPTH = 2000000, 200

    def __init__(self, spec, leftovers=False):
        self.spec, self.leftovers = spec, leftovers
        self.vars, self.now, self.steps, self.depth = {}, None, 0, 0

    # ---- Values -----------------------------------------------------------------------------

    def eval(self, e):
        self.steps += 1
        if self.steps > self.STEPS:
            raise Exhausted
        return getattr(self, "eval_" + e[0])(*e[1:])

    def eval_int(self, value):
        return value

    eval_bool = eval_int

    def eval_string(self, text, names):
        out, last = "", 0
        for at, name in sorted(names.items()):
            number = expect(self.eval_var(name), int, "$%s in a name" % name)
            out, last = out + text[last:at] + str(number), at
        return out + text[last:]

    def eval_var(self, name):
        if name not in self.vars:
            raise S3Error("$%s has no value" % name)
        return self.vars[name]

    def eval_set(self, items):
        return tuple(self.eval(i) for i in items)

    def eval_lazy(self, items):
        return Lazy(tuple(
            Frozen(i[1], [self.eval(a) for a in i[2]]) if i[0] == "call" else self.eval(i)
            for i in items))

    def eval_unary(self, op, e):
        value = self.eval(e)
        if op == "NOT":
            return not expect(value, bool, "NOT of")
        number = expect(value, int, op + " of")
        return wrap(-number) if op == "-" or number < 0 else number

    def eval_binary(self, op, left, right):
        if op == "=":
            if left[0] != "var":
                raise S3Error("only a variable can be assigned to")
            self.vars[left[1]] = self.eval(right)
            return True
        a = self.eval(left)
        if op in ("AND", "OR"):
            if expect(a, bool, "left of " + op) == (op == "OR"):
                return a
            return expect(self.eval(right), bool, "right of " + op)
        b = self.eval(right)
        if op in ("==", "!="):
            return same(a, b) == (op == "==")
        if op == "IN":
            return has(expect(b, tuple, "right of IN"), a)
        table, kind = (NUMBERS, int) if op in NUMBERS else (SETS, tuple)
        return table[op](expect(a, kind, "left of " + op), expect(b, kind, "right of " + op))

    def eval_call(self, name, arguments):
        return self.call(name, (self.eval(a) for a in arguments), len(arguments))

    def call(self, name, values, count):
        function = self.spec.functions.get(name)
        if not function:
            raise S3Error("no expression is called " + name)
        if count != len(function.params):
            raise S3Error("wrong number of arguments for " + name)
        for param in function.params:  # each is assigned before the next is looked at
            self.vars[param] = next(values)
        if not function.lines:
            raise S3Error("%s is empty" % name)
        self.depth += 1
        if self.depth > self.DEPTH:
            raise Exhausted
        try:
            for line in function.lines:
                value = self.eval(line)
                if value is False:
                    break
        finally:
            self.depth -= 1
        return value

    def eval_built(self, name, arguments):
        function = getattr(self, "built_" + name.lower())
        try:
            return function(*arguments[:function.__code__.co_argcount - 1])
        except TypeError:
            if len(arguments) < function.__code__.co_argcount - 1 - len(function.__defaults__ or ()):
                raise S3Error("%s lacks an argument" % name) from None
            raise

    # ---- Built-in functions -----------------------------------------------------------------

    def text(self, e):
        return expect(self.eval(e), str, "a name")

    def number(self, e):
        return expect(self.eval(e), int, "a number")

    def built_if(self, c, a=None, b=None):
        chosen = a if expect(self.eval(c), bool, "the condition of IF") else b
        if chosen is None:
            raise S3Error("IF lacks an argument")
        return self.eval(chosen)

    def loop(self, var, low, high, body, stop):
        if var[0] != "var":
            raise S3Error("a loop needs a variable")
        first, last = self.number(low), self.number(high)
        step = 1 if first <= last else -1
        for i in range(first, last + step, step):
            self.vars[var[1]] = i
            if expect(self.eval(body), bool, "the body of a loop") == stop:
                return stop
        return not stop

    def built_forall(self, var, low, high, body):
        return self.loop(var, low, high, body, False)

    def built_forsome(self, var, low, high, body):
        return self.loop(var, low, high, body, True)

    def built_loctype(self, loc):
        found = self.spec.locations.get(self.text(loc))
        return found.type if found else ""

    def built_eltype(self, el):
        found = self.spec.elements.get(self.text(el))
        return found.type if found else ""

    def built_state(self, el):
        return self.now.state.get(self.text(el), -1)

    def built_location(self, el):
        return self.now.place.get(self.text(el), "")

    def built_content(self, loc):
        return self.now.content.get(self.text(loc), "")

    def built_empty(self, loc):
        return self.text(loc) not in self.now.content

    def indices(self, name):
        match = re.fullmatch(r"[^(]*\((-?\d+(?:,-?\d+)*)\)", name)
        if not match:
            raise S3Error("%s has no index" % name)
        return [int(i) for i in match[1].split(",")]

    def built_index(self, name):
        return self.indices(self.text(name))[0]

    def built_indexa(self, n, name):
        n, found = self.number(n), self.indices(self.text(name))
        if not 1 <= n <= len(found):
            raise S3Error("no such index")
        return found[n - 1]

    def built_unindex(self, name):
        return self.text(name).partition("(")[0]

    def built_owner(self, el):
        return self.now.owner.get(self.text(el), -1)

    def built_player(self):
        return self.now.player

    def built_score(self, p):
        return self.now.scores[self.a_player(self.number(p)) - 1]

    def a_player(self, p):
        if not 1 <= p <= len(self.spec.players):
            raise S3Error("%d is no player" % p)
        return p

    def known(self, el):
        if el not in self.spec.elements:
            raise S3Error("no element is called " + el)
        return el

    def built_zindex(self, el):
        return self.now.zindex[self.known(self.text(el))]

    def built_move(self, el, source, target):
        el, source, target = self.text(el), self.text(source), self.text(target)
        if source not in self.spec.locations or target not in self.spec.locations:
            raise S3Error("MOVE to or from nowhere")
        if self.now.content.get(source) != self.known(el):
            raise S3Error("%s is not at %s" % (el, source))
        if target in self.now.content:
            return False
        self.now.move(el, source, target)
        return True

    def built_setowner(self, el, p):
        el, p = self.known(self.text(el)), self.number(p)
        if not 0 <= p <= len(self.spec.players):
            raise S3Error("%d is no owner" % p)
        self.now.owner[el] = p
        return True

    def built_setstate(self, el, s):
        el, s = self.known(self.text(el)), self.number(s)
        if not 1 <= s <= self.spec.states.get(self.spec.elements[el].type, 0):
            raise S3Error("%s has no state %d" % (el, s))
        self.now.state[el] = s
        return True

    def built_setzindex(self, el, z):
        el, z = self.known(self.text(el)), self.number(z)
        self.now.zindex[el] = z
        return True

    def built_nextplayer(self):
        self.now.player = self.now.player % len(self.spec.players) + 1
        return True

    # ---- Rules ------------------------------------------------------------------------------

    def fits(self, pattern, name):
        """Whether a name fits a template; then its variables are bound."""
        _, text, names = pattern
        if not names:
            return text == name
        runs = list(re.finditer("[0-9]+", name))
        if len(runs) != len(names) or runs[0].start() == 0 or re.sub("[0-9]+", "", name) != text:
            return False
        cut = 0
        for run, at in zip(runs, sorted(names)):
            if run.start() - cut != at:
                return False
            cut += len(run[0])
        for run, at in zip(runs, sorted(names)):
            self.vars[names[at]] = int(run[0])
        return True

    def fits_number(self, e, number):
        if e is None or e[0] == "var":
            if e:
                self.vars[e[1]] = number
            return True
        return e == ("int", number)

    def begins(self, rule, element):
        """The part of a rule before the target."""
        if not self.leftovers:
            self.vars.clear()
        return (self.fits(rule.element, element)
                and self.fits_number(rule.state, self.now.state[element])
                and self.fits_number(rule.player, self.now.player)
                and self.fits(rule.source, self.now.place[element]))

    def allows(self, rule, element, target):
        """Whether a rule allows the move; its variables are bound then."""
        if not self.begins(rule, element):
            return False
        if rule.to_locations:
            chosen = next((m for m in self.targets(rule, element) if m.target == target), None)
            return bool(chosen) and (not rule.target or self.fits(rule.target, target))
        return self.fits(rule.target, target) and self.eval(rule.condition) is True

    def targets(self, rule, element):
        """Moves of a rule with toLocations, after begins()."""
        if self.eval(rule.condition) is not True:
            return
        source = self.now.place[element]
        seen = set()
        for item in expect(self.eval(rule.to_locations), tuple, "toLocations"):
            action, target = None, item
            if kind_of(item) in (tuple, Lazy):
                members = item.items if kind_of(item) == Lazy else item
                if len(members) < 2:
                    raise S3Error("a target is a name, or a name and an action")
                target, action = members[0], members[1]
            if expect(target, str, "a target") not in self.spec.locations:
                raise S3Error("no location is called " + target)
            if target not in self.now.content and target not in seen:
                seen.add(target)
                yield Move(source, target, element, (action,) if action is not None else None)

    def moves(self, state):
        """All moves, each text once, in file order of rules, elements, locations."""
        if state.winner != -1:
            return []
        self.now, self.steps, self.depth, found = state, 0, 0, {}
        for rule in self.spec.rules.values():
            for element, source in state.place.items():
                if state.content.get(source) != element or not self.begins(rule, element):
                    continue
                if rule.to_locations:
                    made = list(self.targets(rule, element))
                else:
                    made = [Move(source, target, element, None) for target in self.spec.locations
                            if target not in state.content and self.allows(rule, element, target)]
                for move in made:
                    found.setdefault(MOVE_TEXT % move[:3], move)
        return list(found.values())

    def class_of(self, state, move):
        """Moves of one class are alike: they differ in irrelevant places only."""
        def shown(name):
            location = self.spec.locations[name]
            return ("at", name) if location.relevant else ("any", location.type)
        el = move.element
        return (shown(move.source), shown(move.target), self.spec.elements[el].type,
                state.state[el], state.owner[el], state.zindex[el])

    def distinct(self, state, moves):
        classes = {}
        for move in moves:
            classes.setdefault(self.class_of(state, move), move)
        return list(classes.values())

    def choose_rule(self, move):
        chosen, best = None, None
        for rule in self.spec.rules.values():
            if not self.allows(rule, move.element, move.target):
                continue
            chosen = chosen or rule
            for player, score in zip(rule.award_players, rule.award_scores):
                if same(self.eval(player), self.now.player):
                    amount = self.number(score)
                    if best is None or amount > best:
                        chosen, best = rule, amount
        return chosen

    def award(self, players, scores):
        for player, score in zip(players, scores):
            p = self.a_player(self.number(player))
            self.now.scores[p - 1] = wrap(self.now.scores[p - 1] + self.number(score))

    def apply(self, state, move):
        """The state after a move that moves() gave."""
        self.now, self.steps, self.depth = state.copy(), 0, 0
        rule = self.choose_rule(move)
        if not rule:
            raise S3Error("no rule allows the move")
        if not self.leftovers:
            self.allows(rule, move.element, move.target)  # its variables again
        self.award(rule.award_players, rule.award_scores)
        self.now.move(*(move.element, move.source, move.target))
        if rule.to_locations and move.action:
            if kind_of(move.action[0]) == Frozen:
                name, values = move.action[0]
                self.call(name, iter(values), len(values))
        elif rule.followup:
            self.eval(rule.followup)
        for scoring in self.spec.scorings:
            if self.eval(scoring.situation) is True:
                self.award(scoring.players, scoring.scores)
        for end in self.spec.ends:
            if self.eval(end.situation) is True:
                self.now.winner = self.number(end.winner)
                if not -1 <= self.now.winner <= len(self.spec.players):
                    raise S3Error("%d cannot win" % self.now.winner)
                break
        return self.now

    def key(self, state):
        """What tells positions apart."""
        shown = frozenset(
            (at, self.spec.elements[el].type, state.state[el], state.owner[el], state.zindex[el])
            for at, el in state.content.items() if self.spec.locations[at].relevant)
        return shown, state.player, state.winner, tuple(state.scores)

    def full_key(self, state):
        return tuple(sorted(
            (at, el, state.state[el], state.owner[el], state.zindex[el])
            for at, el in state.content.items())), state.player, state.winner, tuple(state.scores)


def perft(engine, depth, every=False):
    """Sequences of moves by length; equal states are looked at once."""
    layer, counts = {0: (1, State(engine.spec))}, [1]
    for _ in range(depth):
        after = {}
        for count, state in layer.values():
            moves = engine.moves(state)
            for move in moves if every else engine.distinct(state, moves):
                new = engine.apply(state, move)
                key = engine.full_key(new)
                after[key] = (after[key][0] + count if key in after else count, new)
        layer = after
        counts.append(sum(count for count, _ in layer.values()))
    return counts


def layers(engine, depth):
    """New positions by distance from the start."""
    start = State(engine.spec)
    seen, layer, counts = {engine.key(start)}, [start], [1]
    for _ in range(depth):
        after = []
        for state in layer:
            for move in engine.distinct(state, engine.moves(state)):
                new = engine.apply(state, move)
                if engine.key(new) not in seen:
                    seen.add(engine.key(new))
                    after.append(new)
        layer = after
        counts.append(len(layer))
    return counts


def load(path):
    with open(path, encoding="latin-1") as file:
        return read(file.read())


def main():
    path, depth = sys.argv[1:3]
    engine = Engine(load(path))
    print("sequences", *perft(engine, int(depth), "--all" in sys.argv))
    print("positions", *layers(engine, int(depth)))


if __name__ == "__main__":
    main()
