"""Random small S3 files: every section, operator and built-in function, by seed.

Expressions are made by kind (int, bool, place, element, text, set), so that most files can be played
to the end. `fault_rate` is how often something is taken that may fail: a variable that may have no
value, a place that may not exist, a division by anything.
"""
import random

INT_VARS = ["K", "L", "P", "Q"]
TEXT_VARS = ["S", "T"]


class Maker:
    def __init__(self, seed, fault_rate=0.02):
        self.r = random.Random(seed)
        self.fault_rate = fault_rate
        self.functions = []  # (name, kind, parameters, has effects)
        self.texts = []  # of functions
        self.bound = {}  # variables that surely have a value: name -> kind
        self.effects = False

    # ---- Small helpers ----------------------------------------------------------------------

    def chance(self, p):
        return self.r.random() < p

    def risky(self):
        return self.chance(self.fault_rate)

    def pick(self, items):
        return self.r.choice(items)

    # ---- The board --------------------------------------------------------------------------

    def make_board(self):
        r = self.r
        self.players = r.randint(1, 3)
        self.flat = self.chance(0.5)
        self.width = r.randint(4, 7) if self.flat else r.randint(2, 3)
        self.height = 1 if self.flat else r.randint(2, 3)
        self.piles = r.choice([0, 2, 4])
        self.irrelevant = self.chance(0.6)
        self.cells = [self.cell_name(x, y) for y in range(1, self.height + 1)
                      for x in range(1, self.width + 1)]
        self.pile_cells = ["pile(%d)" % i for i in range(1, self.piles + 1)]
        self.types = {"stone": r.randint(1, 3), "disc": r.randint(1, 2)}
        self.elements = []
        free = self.cells + self.pile_cells
        r.shuffle(free)
        self.families = {"a": r.randint(1, 3), "c": r.randint(0, 2), "solo": self.chance(0.3)}
        for family, count in self.families.items():
            for i in range(1, int(count) + 1):
                name = family if family == "solo" else "%s(%d)" % (family, i)
                kind = "disc" if family == "c" else "stone"
                if len(free) > 1:
                    self.elements.append((name, kind, r.randint(0, self.players), free.pop(),
                                          r.randint(1, self.types[kind])))
        self.families = {f: n for f, n in self.families.items() if n}
        self.zindex = self.chance(0.15)

    def cell_name(self, x, y):
        return "b(%s)" % x if self.flat else "b(%s,%s)" % (x, y)

    def board_text(self):
        lines = ["[ELEMENT TYPES]"]
        for name, states in self.types.items():
            lines += ["name=" + name, "states=%d" % states, ""]
        lines += ["[LOCATION TYPES]", "name=cell", "point=1,1", "", "name=pile"]
        lines += ["relevant=no"] if self.irrelevant else []
        lines += ["point=1,1", "", "[LOCATIONS]"]
        for name in self.cells + self.pile_cells:
            lines += ["name=" + name, "type=" + ("cell" if name[0] == "b" else "pile"), ""]
        lines += ["[PLAYER NAMES]"] + ["%d=P%d" % (i, i) for i in range(1, self.players + 1)]
        if self.chance(0.3):
            lines.append("score=%d" % self.r.randint(1, 9))
        lines += ["", "[MOVABLE ELEMENTS]"]
        for name, kind, owner, place, state in self.elements:
            lines += ["name=" + name, "type=" + kind, "player=%d" % owner, "location=" + place]
            lines += ["state=%d" % state]
            lines += ["zindex=%d" % self.r.randint(-2, 300)] if self.zindex else []
            lines += [""]
        return lines

    # ---- Expressions ------------------------------------------------------------------------

    def expr(self, kind, depth=3):
        return getattr(self, kind)(depth)

    def arg(self, kind, depth):
        """An operand on the left: a primary."""
        text = self.expr(kind, depth)
        plain = text.replace("$", "").isalnum() or (text[0] == '"' and text.count('"') == 2)
        return text if plain else "(%s)" % text

    def var(self, kind):
        names = [n for n, k in self.bound.items() if k == kind]
        if self.risky():
            names += INT_VARS + TEXT_VARS
        return "$" + self.pick(names) if names else None

    def int(self, depth):
        if depth <= 0 or self.chance(0.25):
            found = self.var("int")
            return found if found and self.chance(0.6) else str(self.r.randint(0, 4))
        d = depth - 1
        choices = [
            lambda: "%s %s %s" % (self.arg("int", d), self.pick("+-*"), self.int(d)),
            lambda: "%s %s %s" % (self.arg("int", d), self.pick("/%"), self.divisor(d)),
            lambda: "-" + self.arg("int", d), lambda: "ABS " + self.arg("int", d),
            lambda: "IF(%s,%s,%s)" % (self.bool(d), self.int(d), self.int(d)),
            lambda: "STATE(%s)" % self.element(d), lambda: "OWNER(%s)" % self.element(d),
            lambda: "PLAYER", lambda: "SCORE(%s)" % self.a_player(d),
            lambda: "ZINDEX(%s)" % self.some_element(),
            lambda: "INDEX(%s)" % self.pick(self.indexed()),
            lambda: "INDEXA(1,%s)" % self.pick(self.indexed()),
            lambda: self.index_of_content(),
        ]
        call = self.call("int", d)
        return self.pick(choices + [lambda: call] * 3 if call else choices)()

    def index_of_content(self):
        place = self.place(0)
        content = "CONTENT(%s)" % place
        return 'IF((NOT EMPTY(%s)) AND UNINDEX(%s) != "solo",INDEX(%s),0)' % (place, content,
                                                                             content)

    def divisor(self, depth):
        return self.int(depth) if self.risky() else str(self.r.randint(1, 3))

    def a_player(self, depth):
        if self.risky():
            return self.int(depth)
        return self.pick(["PLAYER", str(self.r.randint(1, self.players))])

    def some_element(self):
        if self.risky():
            return '"nobody"'
        return '"%s"' % self.pick(self.elements)[0]

    def indexed(self):
        names = [e[0] for e in self.elements if "(" in e[0]] + self.cells
        return ['"%s"' % n for n in names]

    def bool(self, depth):
        if depth <= 0 or self.chance(0.15):
            found = self.var("bool")
            return found if found and self.chance(0.4) else self.pick(["true", "false", "TRUE"])
        d = depth - 1
        choices = [
            lambda: "%s %s %s" % (self.arg("int", d), self.pick(["<", "<=", ">", ">=", "==", "!="]),
                                  self.int(d)),
            lambda: "%s %s %s" % (self.arg("int", d), self.pick(["<", "<=", ">", ">=", "==", "!="]),
                                  self.int(d)),
            lambda: "%s %s %s" % (self.arg("bool", d), self.pick(["AND", "OR"]), self.bool(d)),
            lambda: "%s %s %s" % (self.arg("bool", d), self.pick(["AND", "OR"]), self.bool(d)),
            lambda: "NOT " + self.bool(d),
            lambda: "EMPTY(%s)" % self.place(d), lambda: "NOT EMPTY(%s)" % self.place(d),
            lambda: "%s %s %s" % (self.arg("text", d), self.pick(["==", "!="]), self.text(d)),
            lambda: "%s IN %s" % (self.arg("int", d), self.set_of("int", d)),
            lambda: "%s IN %s" % (self.arg("text", d), self.set_of("text", d)),
            lambda: "%s SUBSET %s" % (self.set_of("int", d), self.set_of("int", d)),
            lambda: self.loop(d), lambda: self.loop(d),
            lambda: "IF(%s,%s,%s)" % (self.bool(d), self.bool(d), self.bool(d)),
            lambda: "%s == %s" % (self.arg("int", d), self.text(d)),  # of two kinds: false
            lambda: "(IF(%s,%s,%s)) == %s" % (self.bool(d), self.int(d), self.text(d), self.int(d)),
            lambda: "%s IN %s" % (self.arg("int", d), self.var("set") or "{1}"),
        ]
        call = self.call("bool", d)
        return self.pick(choices + [lambda: call] * 3 if call else choices)()

    def loop(self, depth):
        name = self.pick(INT_VARS)
        low, high = self.pick(["1", "0", "3"]), self.pick(["1", "2", "3", "$%s" % name])
        if high[0] == "$" and self.bound.get(name) != "int":
            high = "2"
        before = dict(self.bound)
        self.bound[name] = "int"
        body = self.bool(depth)
        self.bound = before
        if high[0] != "$":
            self.bound[name] = "int"  # no range is empty
        return "%s($%s,%s,%s,%s)" % (self.pick(["FORALL", "FORSOME"]), name, low, high, body)

    def place(self, depth):
        """The name of a place, perhaps of none."""
        names = [n for n, k in self.bound.items() if k == "int"]
        if depth > 0 and self.chance(0.15) and self.elements:
            return "LOCATION(%s)" % self.element(depth - 1)
        if names and self.chance(0.75):
            if self.piles and self.chance(0.15):
                return '"pile($%s)"' % self.pick(names)
            if self.flat:
                return '"b($%s)"' % self.pick(names)
            return self.pick(['"b($%s,$%s)"' % (self.pick(names), self.pick(names)),
                              '"b($%s,%d)"' % (self.pick(names), self.r.randint(1, self.height))])
        return '"%s"' % self.pick(self.cells + self.pile_cells)

    def element(self, depth):
        names = [n for n, k in self.bound.items() if k == "int"]
        if self.chance(0.5) or not self.elements:
            return "CONTENT(%s)" % self.place(depth - 1)
        if names and "a" in self.families and self.chance(0.5):
            return '"a($%s)"' % self.pick(names)
        found = self.var("text")
        return found if found and self.chance(0.3) else '"%s"' % self.pick(self.elements)[0]

    def text(self, depth):
        d = depth - 1
        if depth <= 0:
            return self.pick(['"stone"', '"disc"', '""', '"cell"'])
        return self.pick([
            lambda: "ELTYPE(%s)" % self.element(d), lambda: "ELTYPE(%s)" % self.element(d),
            lambda: "LOCTYPE(%s)" % self.place(d), lambda: "CONTENT(%s)" % self.place(d),
            lambda: "LOCATION(%s)" % self.element(d), lambda: "UNINDEX(%s)" % self.element(d),
            lambda: self.pick(['"stone"', '"disc"', '""']), lambda: self.place(d),
            lambda: self.var("text") or '"stone"',
        ])()

    def set_of(self, kind, depth):
        items = ", ".join(self.expr(kind, min(depth, 1)) for _ in range(self.r.randint(0, 3)))
        if depth > 0 and self.chance(0.3):
            op = self.pick(["UNION", "INTERSECT", "SETMINUS"])
            return "({%s} %s %s)" % (items, op, self.set_of(kind, depth - 1))
        return "{%s}" % items

    def call(self, kind, depth):
        fitting = [f for f in self.functions if f[1] == kind and (self.effects or not f[3])]
        if not fitting:
            return None
        name, _, params, _ = self.pick(fitting)
        if not params:
            return name
        return "%s(%s)" % (name, ",".join(self.int(depth - 1) for _ in params))

    # ---- Lines with effects -----------------------------------------------------------------

    def assignment(self):
        kind = self.pick(["int", "int", "int", "bool", "text", "set"])
        name = self.pick({"int": INT_VARS, "bool": ["B"], "text": TEXT_VARS, "set": ["V"]}[kind])
        line = "$%s = %s" % (name, self.set_of("int", 1) if kind == "set" else self.expr(kind, 2))
        return line, name, kind

    def line(self):
        """One line of a function; what it surely binds is bound from there on."""
        if self.chance(0.4):
            text, name, kind = self.assignment()
            self.bound[name] = kind
            return text
        if self.chance(0.2):
            text, name, kind = self.assignment()
            if self.bound.get(name) == kind:
                return "IF(%s,%s,true)" % (self.bool(2), text)
        if self.effects and self.chance(0.7):
            return self.effect()
        return self.pick([lambda: self.bool(3), lambda: "(%s) OR true" % self.bool(2)])()

    def effect(self):
        place, other = self.place(1), self.place(1)
        element = "CONTENT(%s)" % place
        there = "NOT EMPTY(%s)" % place
        state = str(self.r.randint(1, min(self.types.values())))
        known = 'LOCTYPE(%s) != ""' % other
        choices = [
            "IF((%s) AND %s,MOVE(%s,%s,%s),true)" % (there, known, element, place, other),
            "IF(%s,SETSTATE(%s,%s),true)" % (there, element, state),
            "IF(%s,SETOWNER(%s,%s),true)" % (there, element, self.a_player(1)),
            "SETSTATE(%s,%s)" % (self.some_element(), state),
            "SETOWNER(%s,%d)" % (self.some_element(), self.r.randint(0, self.players)),
            "NEXTPLAYER", "IF(%s,NEXTPLAYER,true)" % self.bool(1), self.effect_loop(),
        ]
        if self.zindex:
            choices += ["SETZINDEX(%s,%s)" % (self.some_element(), self.int(1))] * 2
        if self.risky():
            choices = ["MOVE(%s,%s,%s)" % (element, place, other),
                       "SETSTATE(%s,%s)" % (element, self.int(1))]
        return self.pick(choices)

    def effect_loop(self):
        """Effects for several places; FORSOME with MOVE looks for a free one."""
        name = self.pick(INT_VARS)
        before = dict(self.bound)
        self.bound[name] = "int"
        here = '"b($%s)"' % name if self.flat else '"b($%s,%d)"' % (name, self.r.randint(1, 2))
        first, last = self.pick(["1", "2", "3"]), self.pick(["1", "2", "(%s) % 4" ])
        if last[0] == "(":
            self.bound = dict(before)
            last = "(%s) %% 4" % self.int(1)
            self.bound[name] = "int"
        state = self.r.randint(1, min(self.types.values()))
        element = "CONTENT(%s)" % here
        counter = self.pick([n for n, k in self.bound.items() if k == "int" and n != name] or [name])
        body = self.pick([
            "(EMPTY(%s)) OR SETSTATE(%s,%d)" % (here, element, state),
            "(EMPTY(%s)) OR ($%s = $%s + 1)" % (here, counter, counter),
            "(%s) OR ($%s = $%s + 1)" % (self.bool(1), counter, counter),
            'IF(NOT EMPTY("%s"),(LOCTYPE(%s) != "") AND MOVE(CONTENT("%s"),"%s",%s),false)' % (
                (self.cells[0], here) + (self.cells[0],) * 2 + (here,)),
        ])
        self.bound = before
        return "(%s($%s,%s,%s,%s)) OR true" % (self.pick(["FORALL", "FORSOME"]), name, first, last,
                                               body)

    def make_function(self, kind, effects, params=None):
        if params is None:
            params = self.r.sample(INT_VARS, self.r.randint(0, 2))
        self.bound, self.effects = {p: "int" for p in params}, effects
        lines = [self.line() for _ in range(self.r.randint(0, 3))]
        lines.append(self.expr(kind, 3))
        if effects and kind == "bool":
            lines.append("NEXTPLAYER" if self.chance(0.7) else self.effect())
        name = "F%d" % len(self.functions)
        header = "%s(%s)" % (name, ",".join("$" + p for p in params)) if params else name
        self.texts += [header] + ["  " + line for line in lines] + ["END", ""]
        self.functions.append((name, kind, params, effects))
        self.bound = {}

    def make_recursive(self):
        """Counts down to 0, and looks at places on the way."""
        name = "F%d" % len(self.functions)
        self.bound = {"K": "int"}
        test = self.bool(2)
        self.texts += [name + "($K)", "  IF(($K <= 0) OR ($K > 5),%s,%s)" % (
            test, "(%s) AND %s($K - 1)" % (self.bool(1), name)), "END", ""]
        self.functions.append((name, "bool", ["K"], False))
        self.bound = {}

    # ---- Rules ------------------------------------------------------------------------------

    def make_rule(self, number):
        r = self.r
        # Something that can really move, at the start at least.
        name, _, _, at, _ = self.pick(self.elements)
        family = name.partition("(")[0]
        lines = ["name=rule%d" % number]
        self.bound = {}
        if family == "solo":
            lines.append("element=solo")
        else:
            lines.append("element=%s($I)" % family)
            self.bound["I"] = "int"
        if self.chance(0.2):
            lines.append("state=%s" % self.pick(["1", "2", "$E"]))
            if lines[-1].endswith("$E"):
                self.bound["E"] = "int"
        if self.chance(0.25):
            lines.append("player=%s" % self.pick([r.randint(1, self.players), "$R"]))
            if lines[-1].endswith("$R"):
                self.bound["R"] = "int"
        from_pile = at[0] == "p"
        lines.append("from=%s" % ("pile($X)" if from_pile else self.cell_name("$X", "$Y")))
        self.bound["X"] = "int"
        if not self.flat and not from_pile:
            self.bound["Y"] = "int"
        to_pile = self.piles and self.chance(0.2)
        target = "pile($M)" if to_pile else self.cell_name("$M", "$N")
        fixed = self.chance(0.1)
        lazily = self.chance(0.25)
        if lazily:
            lines += self.make_targets(number)
        else:
            lines.append("to=" + (self.pick(self.cells) if fixed else target))
        if not lazily:
            if not fixed:
                self.bound["M"] = "int"
            if not self.flat and not to_pile and not fixed:
                self.bound["N"] = "int"
            if self.chance(0.8):
                self.effects = False
                # More often true than not: a game that is stuck at once shows little.
                lines.append("condition=" + self.pick(
                    [self.bool(3), "(%s) OR %s" % (self.bool(3), self.bool(2)),
                     "(%s) OR (%s) OR $X != %s" % (self.bool(3), self.bool(1), self.int(1))]))
            lines += self.make_awards()
        self.effects = True
        if self.chance(0.9):
            action = self.call("bool", 2) or "NEXTPLAYER"
            lines.append("followup=" + self.pick([action, "NEXTPLAYER", "(%s) AND NEXTPLAYER"
                                                  % action]))
        self.bound = {}
        return lines + [""]

    def make_awards(self):
        lines = []
        self.effects = False
        while self.chance(0.15):
            lines += ["awardPlayer=" + self.a_player(1), "withScore=" + self.int(2)]
        return lines

    def make_targets(self, number):
        """toLocations by a function that builds a set, with actions now and then."""
        bound = dict(self.bound)
        lines = ["Targets%d" % number, "  $FOUND = {}"]
        lazy = self.chance(0.5)
        actions = [f for f in self.functions if f[1] == "bool" and f[3]]
        for name in self.r.sample(self.cells, min(3, len(self.cells))):
            self.effects = False
            self.bound = dict(bound)
            test = '(EMPTY("%s")) AND %s' % (name, self.bool(1))
            item = '"%s"' % name
            if lazy and actions:
                action, _, params, _ = self.pick(actions)
                if params:
                    action += "(%s)" % ",".join(self.int(1) for _ in params)
                item = "[%s, %s]" % (item, action)
            lines.append("  IF(%s, $FOUND = $FOUND UNION {%s}, true)" % (test, item))
        self.texts += lines + ["  $FOUND", "END", ""]
        self.bound = bound
        return ["toLocations=Targets%d" % number]

    # ---- The file ---------------------------------------------------------------------------

    def make(self):
        self.make_board()
        text = self.board_text()
        for _ in range(self.r.randint(0, 2)):
            self.make_function("int", False)
        for _ in range(self.r.randint(1, 3)):
            self.make_function("bool", False)
        if self.chance(0.3):
            self.make_recursive()
        for _ in range(self.r.randint(1, 2)):
            self.make_function("bool", True)
        rules = []
        for number in range(self.r.randint(1, 3)):
            rules += self.make_rule(number)
        self.bound, self.effects = {}, False
        ends, scorings = ["[END OF GAME]"], ["[SCORINGS]"]
        for _ in range(self.r.randint(0, 2)):
            ends += ["situation=(%s) AND %s" % (self.bool(3), self.bool(2)), "winner=" + self.pick(
                [str(self.r.randint(0, self.players)), "PLAYER", "IF(%s,PLAYER,0)" % self.bool(1)])]
        for _ in range(self.r.randint(0, 2)):
            self.bound = {}
            scorings += ["situation=" + self.bool(2)]
            for _ in range(self.r.randint(1, 2)):
                scorings += ["player=" + self.a_player(1), "score=" + self.int(2)]
        text += ["[EXPRESSIONS]"] + self.texts + scorings + [""] + ends + [""]
        return self.noise(text + ["[GAME RULES]"] + rules)

    def noise(self, lines):
        """The same file as others would write it."""
        out = []
        for line in lines:
            key, equals, value = line.partition("=")
            if line[:1] == "[" and self.chance(0.2):
                line = line.lower()
            elif equals and key.isalpha() and self.chance(0.1):
                line = key.upper() + equals + value
            if self.chance(0.05):
                line = " \t" + line + " "
            if self.chance(0.03):
                out.append(self.pick(["// a remark", "", "   "]))
            out.append(line)
        return self.pick(["\n", "\n", "\r\n"]).join(out) + "\n"


def make(seed, fault_rate=0.02):
    return Maker(seed, fault_rate).make()
