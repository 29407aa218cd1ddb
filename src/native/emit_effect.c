// Changes of the board. Helpers are printed plane by plane, so that a C compiler can keep the
// planes of a local state in registers; what is known about a cell saves clearing others.
//
// Equal positions must be equal memory: attributes of cells without a piece are 0, and on boards
// with stacks the planes always show the top pieces.
#include "native/emitter.h"

#include <string.h>

static bool has_stacks(const Emitter *em) {
    return em->g->layout.stack_width > 0;
}

// Boards whose pieces are planes and nothing else.
static bool plain_board(const Emitter *em) {
    return !has_stacks(em) && em->g->attrs == 0;
}

// --- facts ---

void emit_forget(EmitFrame *f) {
    for (int n = 0; n < f->ir->slots; n++)
        f->local[n].facts = 0;
}

static unsigned owner_facts(const Emitter *em, const IrExpr *owner) {
    if (!owner)
        return 0;
    return owner->op == IR_ME            ? FACT_MINE
           : emit_is_opponent(em, owner) ? FACT_NOT_MINE | FACT_THEIRS
                                         : 0;
}

unsigned emit_facts(Emitter *em, EmitFrame *f, const IrExpr *e) {
    switch (e->op) {
    case IR_NOT_SET: return e->kid[0]->op == IR_OCCUPIED ? FACT_EMPTY | FACT_NOT_MINE : 0;
    case IR_OWNED:
    case IR_PIECES: return owner_facts(em, e->kid[0]);
    case IR_AND: return emit_facts(em, f, e->kid[0]) | emit_facts(em, f, e->kid[1]);
    case IR_OR: return emit_facts(em, f, e->kid[0]) & emit_facts(em, f, e->kid[1]);
    case IR_COND: return emit_facts(em, f, e->kid[1]) & emit_facts(em, f, e->kid[2]);
    case IR_FILTER: return emit_facts(em, f, e->domain->a);
    case IR_UNION: return emit_facts(em, f, e->kid[0]);
    case IR_CALL: return emit_facts(em, emit_call_frame(em, f, e), em->g->func[e->id]->body);
    case IR_LOCAL:
        if (f->local[e->id].kind == BIND_EXPR)
            return emit_facts(em, f->local[e->id].in, f->local[e->id].expr);
        return 0;
    case IR_MINUS: {
        unsigned facts = emit_facts(em, f, e->kid[0]);
        if (e->kid[1]->op == IR_OCCUPIED)
            facts |= FACT_EMPTY | FACT_NOT_MINE;
        if (e->kid[1]->op == IR_OWNED && e->kid[1]->kid[0]->op == IR_ME)
            facts |= FACT_NOT_MINE;
        return facts;
    }
    default: return 0;
    }
}

static unsigned cell_facts(const EmitFrame *f, const IrExpr *e) {
    return e->op == IR_LOCAL ? f->local[e->id].facts : 0;
}

// --- helpers in the generated file ---

static void print_put(Emitter *em) {
    if (!emit_once(em, "put"))
        return;
    text_add(em->helpers,
             "// The cells of x get the piece of a plane, -1 for none.\n"
             "static INLINE void put(State *const s, const Set x, const int plane) {\n");
    for (int n = 0; n < em->g->planes; n++) {
        const char *plane = emit_f(em, "s->plane[%s]", emit_plane_name(em, n));
        text_f(em->helpers, "    %s = plane == %s ? %s : %s;\n", plane, emit_plane_name(em, n),
               emit_or(em, plane, "x"), emit_minus(em, plane, "x"));
    }
    if (em->kept)
        text_f(em->helpers, "    if (plane < 0) %s\n    else %s\n", emit_keep(em, "s", "x", false),
               emit_keep(em, "s", "x", true));
    text_add(em->helpers, "}\n\n");
}

// Whether the piece of a plane has an attribute, as a C text over `plane`.
static const char *plane_has(Emitter *em, int attr, const char *plane) {
    const char *sum = "";
    for (int n = 0; n < em->g->planes; n++)
        if (em->g->kind[em->g->plane[n].kind].attributes >> attr & 1)
            sum =
                emit_f(em, "%s%s%s == %s", sum, *sum ? " || " : "", plane, emit_plane_name(em, n));
    return *sum ? emit_f(em, "(%s)", sum) : "0";
}

static const char *attr_put(Emitter *em, int attr, const char *cell, const char *value) {
    const IrAttr *a = &em->g->attr[attr];
    const char *field = emit_attr_field(em, attr);
    if (a->width == 0)
        return emit_f(em, "set_put(&s->%s, %s, %s);", field, cell, value);
    const char *type = a->width == 1   ? (a->lo < 0 ? "int8_t" : "uint8_t")
                       : a->width == 2 ? (a->lo < 0 ? "int16_t" : "uint16_t")
                                       : "int32_t";
    return emit_f(em, "s->%s[%s] = (%s)%s;", field, cell, type, value);
}

static void print_fit_attrs(Emitter *em) {
    if (!emit_once(em, "fit_attrs"))
        return;
    text_add(em->helpers,
             "// The piece on c was one of plane `old` (-1: a new one) and is one of `plane` now.\n"
             "static INLINE void fit_attrs(State *const s, const int c, const int old,\n"
             "                             const int plane) {\n");
    for (int n = 0; n < em->g->attrs; n++) {
        text_f(em->helpers, "    if (!%s) %s\n", plane_has(em, n, "plane"),
               attr_put(em, n, "c", "0"));
        text_f(em->helpers, "    else if (!%s) %s\n", plane_has(em, n, "old"),
               attr_put(em, n, "c", emit_number(em, em->g->attr[n].initial)));
    }
    text_add(em->helpers, "}\n\n");
}

static void print_plane_at(Emitter *em) {
    if (!emit_once(em, "plane_at"))
        return;
    text_add(em->helpers, "static INLINE int plane_at(const State *const s, const int c) {\n");
    for (int n = 0; n < em->g->planes; n++)
        text_f(em->helpers, "    if (set_has(s->plane[%s], c)) return %s;\n",
               emit_plane_name(em, n), emit_plane_name(em, n));
    text_add(em->helpers, "    return -1;\n}\n\n");
}

// What is on top of a stack cannot be guessed: without jumps.
static const char *show_top(Emitter *em) {
    if (!em->one)
        return "    put(s, set_single(c), top);\n";
    const char *text = "    const Set x = set_single(c);\n";
    for (int n = 0; n < em->g->planes; n++) {
        const char *plane = emit_plane_name(em, n);
        text = emit_f(em,
                      "%s    s->plane[%s] = (s->plane[%s] & ~x) |\n"
                      "        (Set)((v > 1) & ((v & STACK_PIECE) == %s)) << c;\n",
                      text, plane, plane, plane);
    }
    return text;
}

static void print_stack_show(Emitter *em) {
    if (!emit_once(em, "stack_show"))
        return;
    emit_stacks(em);
    print_put(em);
    const char *fit = "";
    if (em->g->attrs) {
        print_fit_attrs(em);
        fit = "    fit_attrs(s, c, -1, top);\n";
    }
    const char *store =
        em->columns ? "stack_put(s, c, v);"
                    : emit_f(em, "s->stack[c] = (uint%d_t)v;", 8 * em->g->layout.stack_width);
    text_f(em->helpers,
           "static INLINE void stack_show(State *const s, const int c, const uint64_t v) {\n"
           "    const int top = v <= 1 ? -1 : (int)(v & STACK_PIECE);\n"
           "    %s\n%s%s}\n\n",
           store, show_top(em), fit);
}

static void print_place(Emitter *em) {
    if (!emit_once(em, "place"))
        return;
    if (has_stacks(em)) {
        print_stack_show(em);
        text_add(em->helpers,
                 "static INLINE int place(State *const s, const int c, const int plane) {\n"
                 "    const uint64_t v = s->stack[c];\n"
                 "    if (stack_height(v) >= STACK_MOST) return FAULT_STACK;\n"
                 "    stack_show(s, c, v << STACK_BITS | (uint64_t)plane);\n"
                 "    return 0;\n}\n\n");
        return;
    }
    print_put(em);
    print_fit_attrs(em);
    text_add(em->helpers,
             "static INLINE int place(State *const s, const int c, const int plane) {\n"
             "    put(s, set_single(c), plane);\n"
             "    fit_attrs(s, c, -1, plane);\n"
             "    return 0;\n}\n\n");
}

static void print_remove(Emitter *em) {
    if (!emit_once(em, "take_off"))
        return;
    if (has_stacks(em)) {
        print_stack_show(em);
        text_add(em->helpers,
                 "static INLINE void take_off(State *const s, const int c, const int whole) {\n"
                 "    const uint64_t v = s->stack[c];\n"
                 "    if (v > 1 || whole) stack_show(s, c, whole ? 1 : v >> STACK_BITS);\n"
                 "}\n\n");
        return;
    }
    print_put(em);
    print_fit_attrs(em);
    text_add(em->helpers,
             "static INLINE void take_off(State *const s, const int c, const int whole) {\n"
             "    (void)whole; // there is but one piece\n"
             "    put(s, set_single(c), -1);\n"
             "    fit_attrs(s, c, -1, -1);\n"
             "}\n\n");
}

static void print_change(Emitter *em) {
    if (!emit_once(em, "change"))
        return;
    print_put(em);
    print_plane_at(em);
    const char *stack = "", *fit = "";
    if (has_stacks(em)) {
        emit_stacks(em);
        stack = emit_f(em,
                       "    const uint64_t v = s->stack[c];\n"
                       "    s->stack[c] = (uint%d_t)(v >> STACK_BITS << STACK_BITS | "
                       "(uint64_t)plane);\n",
                       8 * em->g->layout.stack_width);
    }
    if (em->g->attrs) {
        print_fit_attrs(em);
        fit = "    fit_attrs(s, c, old, plane);\n";
    }
    text_f(em->helpers,
           "static INLINE void change(State *const s, const int c, const int plane) {\n"
           "    const int old = plane_at(s, c);\n"
           "    if (old < 0) return;\n%s"
           "    put(s, set_single(c), plane);\n%s}\n\n",
           stack, fit);
}

static void print_move_stack(Emitter *em) {
    if (!emit_once(em, "move_stack"))
        return;
    print_stack_show(em);
    text_add(em->helpers,
             "// Level `level` of a stack and all above it, onto another.\n"
             "static INLINE int move_stack(State *const s, const int from, const int to,\n"
             "                             const int level) {\n"
             "    const uint64_t lower = s->stack[from], under = s->stack[to];\n"
             "    const int n = stack_height(lower) - (level > 0 ? level : 0);\n"
             "    if (n <= 0) return 0;\n"
             "    if (stack_height(under) + n > STACK_MOST) return FAULT_STACK;\n"
             "    const int shift = n * STACK_BITS;\n"
             "    stack_show(s, to, under << shift | (lower & ((UINT64_C(1) << shift) - 1)));\n"
             "    stack_show(s, from, lower >> shift);\n"
             "    return 0;\n}\n\n");
}

static void print_move_attrs(Emitter *em) {
    for (int n = 0; n < em->g->attrs; n++) {
        const char *field = emit_attr_field(em, n);
        const char *value = em->g->attr[n].width ? emit_f(em, "s->%s[from]", field)
                                                 : emit_f(em, "set_has(s->%s, from)", field);
        text_f(em->helpers, "    %s\n    %s\n", attr_put(em, n, "to", value),
               attr_put(em, n, "from", "0"));
    }
}

static void print_move(Emitter *em) {
    if (!emit_once(em, "move_piece"))
        return;
    text_add(em->helpers,
             "static INLINE void move_piece(State *const s, const int from, const int to) {\n"
             "    const Set f = set_single(from), t = set_single(to);\n");
    for (int n = 0; n < em->g->planes; n++) {
        const char *plane = emit_f(em, "s->plane[%s]", emit_plane_name(em, n));
        text_f(em->helpers, "    %s = set_has(%s, from) ? %s : %s;\n", plane, plane,
               emit_or(em, emit_minus(em, plane, "f"), "t"), emit_minus(em, plane, "t"));
    }
    if (em->kept)
        text_f(em->helpers, "    if (s->empty & f) %s\n    else { %s %s }\n",
               emit_keep(em, "s", "t", false), emit_keep(em, "s", "f", false),
               emit_keep(em, "s", "t", true));
    print_move_attrs(em);
    text_add(em->helpers, "}\n\n");
}

static int planes_of_owner(const Emitter *em, int owner) {
    int count = 0;
    for (int n = 0; n < em->g->planes; n++)
        count += em->g->plane[n].owner == owner;
    return count;
}

// A piece of mine to another cell that is not mine; `empty`: nobody's.
static void print_move_mine(Emitter *em, bool empty) {
    if (!emit_once(em, empty ? "move_to_empty" : "move_mine"))
        return;
    text_f(em->helpers,
           "static INLINE void %s(State *const s, const int me, %s) {\n"
           "%s    const Set both = %s;\n",
           empty ? "move_to_empty" : "move_mine",
           em->one ? "const Set f, const Set t" : "const int from, const int to",
           em->one ? "" : "    const Set f = set_single(from), t = set_single(to);\n",
           emit_or(em, "f", "t"));
    const char *none = "    (void)f;\n    (void)t;\n";
    text_add(em->helpers, none);
    for (int n = 0; n < em->g->planes; n++) {
        int owner = em->g->plane[n].owner;
        const char *plane = emit_f(em, "s->plane[%s]", emit_plane_name(em, n));
        const char *moved =
            em->one ? emit_f(em, "%s ^ both", plane) : emit_f(em, "set_xor(%s, both)", plane);
        if (planes_of_owner(em, owner) > 1)
            moved = emit_f(em, em->one ? "(%s & f) ? %s : %s" : "set_has(%s, from) ? %s : %s",
                           plane, moved, plane);
        if (owner < em->g->players)
            text_f(em->helpers, "    if (me == %d) %s = %s;\n", owner, plane, moved);
        if (!empty && owner < em->g->players)
            text_f(em->helpers, "    else %s = %s;\n", plane, emit_minus(em, plane, "t"));
        else if (!empty)
            text_f(em->helpers, "    %s = %s;\n", plane, emit_minus(em, plane, "t"));
    }
    if (em->kept)
        text_f(em->helpers, "    %s %s\n", emit_keep(em, "s", "f", false),
               emit_keep(em, "s", "t", true));
    text_add(em->helpers, "}\n\n");
}

// --- statements ---

static void fault_check(Emitter *em, const char *call) {
    const char *fault = emit_new(em);
    emit_line(em, "const int %s = %s;", fault, call);
    emit_line(em, "if (%s) return %s;", fault, fault);
}

static void print_plane_of(Emitter *em, int kind) {
    const char *name = emit_f(em, "plane_of_%s_%d", emit_word(em, em->g->kind[kind].name), kind);
    if (!emit_once(em, name))
        return;
    text_f(em->helpers, "static INLINE int %s(const int owner) {\n    return ", name);
    for (int p = 0; p <= em->g->players; p++) {
        int plane = em->g->kind[kind].plane[p];
        if (plane >= 0)
            text_f(em->helpers, "owner == %d ? %s : ", p, emit_plane_name(em, plane));
    }
    text_add(em->helpers, "-1;\n}\n\n");
}

static void print_any_plane_of(Emitter *em) {
    if (!emit_once(em, "plane_of"))
        return;
    for (int k = 0; k < em->g->kinds; k++)
        print_plane_of(em, k);
    text_add(em->helpers,
             "static INLINE int plane_of(const int kind, const int owner) {\n    return ");
    for (int k = 0; k < em->g->kinds; k++)
        text_f(em->helpers, "kind == %d ? plane_of_%s_%d(owner) : ", k,
               emit_word(em, em->g->kind[k].name), k);
    text_add(em->helpers, "-1;\n}\n\n");
}

// The text of the plane that a statement puts on the board; checked if there may be none.
static const char *plane_text(Emitter *em, EmitFrame *f, const IrStmt *s) {
    const IrGame *g = em->g;
    const char *owner = s->e[1] ? emit_expr(em, f, s->e[1]) : emit_number(em, g->players);
    const char *plane;
    bool safe = false;
    if (s->id >= 0) {
        const IrKind *kind = &g->kind[s->id];
        int64_t who = g->players;
        if (!s->e[1] || emit_constant(em, f, s->e[1], &who))
            if (who >= 0 && who <= g->players && kind->plane[who] >= 0)
                return emit_plane_name(em, kind->plane[who]);
        safe = s->e[1] && !s->e[1]->type.optional && s->e[1]->hi < g->players;
        for (int p = 0; p < g->players; p++)
            safe = safe && kind->plane[p] >= 0;
        print_plane_of(em, s->id);
        plane = emit_f(em, "plane_of_%s_%d(%s)", emit_word(em, kind->name), s->id, owner);
    } else {
        print_any_plane_of(em);
        plane = emit_f(em, "plane_of(%s, %s)", emit_expr(em, f, s->e[2]), owner);
    }
    plane = emit_temp(em, "int", plane);
    if (!safe)
        emit_line(em, "if (%s < 0) return FAULT_PIECE;", plane);
    return plane;
}

static void put_on_cell(Emitter *em, const IrStmt *s, const char *cell, const char *plane) {
    switch (s->kind) {
    case ST_PLACE:
        print_place(em);
        fault_check(em, emit_f(em, "place(%s, %s, %s)", em->s, cell, plane));
        break;
    case ST_CHANGE:
        print_change(em);
        emit_line(em, "change(%s, %s, %s);", em->s, cell, plane);
        break;
    default:
        print_remove(em);
        emit_line(em, "take_off(%s, %s, %d);", em->s, cell, s->kind == ST_CLEAR);
        break;
    }
}

static void put_plain(Emitter *em, const IrStmt *s, const char *set, const char *plane) {
    print_put(em);
    if (s->kind == ST_CHANGE)
        set = emit_and(em, set, emit_f(em, "occupied(%s)", em->s));
    emit_line(em, "put(%s, %s, %s);", em->s, set, plane);
}

// place, change, remove, clear: on a cell or a set.
static void put_pieces(Emitter *em, EmitFrame *f, const IrStmt *s) {
    bool puts = s->kind == ST_PLACE || s->kind == ST_CHANGE;
    bool many = s->e[0]->type.kind == TY_SET;
    if (plain_board(em)) {
        const char *set = many ? emit_expr(em, f, s->e[0]) : emit_cell_set(em, f, s->e[0]);
        const char *over = puts ? plane_text(em, f, s) : "-1";
        if (s->kind == ST_PLACE && !many && cell_facts(f, s->e[0]) & FACT_EMPTY) {
            const char *to = emit_f(em, "%s->plane[%s]", em->s, over);
            if (em->one)
                emit_line(em, "%s |= %s; %s", to, set, emit_keep(em, em->s, set, true));
            else
                emit_line(em, "set_add(&%s, %s);", to, emit_expr(em, f, s->e[0]));
        } else {
            put_plain(em, s, set, over);
        }
        return;
    }
    const char *at = emit_expr(em, f, s->e[0]);
    const char *plane = puts ? plane_text(em, f, s) : "-1";
    bool none = !many && emit_may_be_none(em, s->e[0]);
    if (many) {
        const char *cell = emit_each_member(em, true, at, NULL, NULL);
        put_on_cell(em, s, cell, plane);
        emit_close(em);
    } else if (none) {
        at = emit_temp(em, "int", at);
        emit_open(em, "if (%s < CELLS)", at);
        put_on_cell(em, s, at, plane);
        emit_close(em);
    } else {
        put_on_cell(em, s, at, plane);
    }
}

// The set of the cell x, whose number is in a variable.
static const char *set_at(Emitter *em, EmitFrame *f, const IrExpr *x, const char *number) {
    bool known = x->op == IR_LOCAL && f->local[x->id].kind == BIND_TEXT && f->local[x->id].bit;
    return known ? f->local[x->id].bit : emit_single(em, number, false);
}

static void move_text(Emitter *em, EmitFrame *f, const IrStmt *s, const char *from,
                      const char *to) {
    unsigned there = cell_facts(f, s->e[1]);
    bool mine = cell_facts(f, s->e[0]) & FACT_MINE;
    if (has_stacks(em)) {
        print_move_stack(em);
        const char *level = s->kind == ST_MOVE_ABOVE && s->e[2]
                                ? emit_expr(em, f, s->e[2])
                                : emit_f(em, "height_at(%s, %s) - 1", em->s, from);
        fault_check(em, emit_f(em, "move_stack(%s, %s, %s, %s)", em->s, from, to, level));
    } else if (plain_board(em) && mine && there & (FACT_EMPTY | FACT_NOT_MINE)) {
        bool empty = there & FACT_EMPTY;
        print_move_mine(em, empty);
        if (em->one) {
            from = set_at(em, f, s->e[0], from);
            to = set_at(em, f, s->e[1], to);
        }
        emit_line(em, "%s(%s, me, %s, %s);", empty ? "move_to_empty" : "move_mine", em->s, from,
                  to);
    } else {
        print_move(em);
        emit_line(em, "move_piece(%s, %s, %s);", em->s, from, to);
    }
}

static void move(Emitter *em, EmitFrame *f, const IrStmt *s) {
    const char *from = emit_temp(em, "int", emit_expr(em, f, s->e[0]));
    const char *to = emit_temp(em, "int", emit_expr(em, f, s->e[1]));
    const char *check = "";
    if (strcmp(from, to) == 0)
        return; // to itself: nothing happens
    unsigned here = cell_facts(f, s->e[0]), there = cell_facts(f, s->e[1]);
    if (!(here & FACT_MINE && there & (FACT_EMPTY | FACT_NOT_MINE)))
        check = emit_f(em, "%s != %s", from, to);
    if (emit_may_be_none(em, s->e[0]))
        check = emit_f(em, "%s%s%s < CELLS", check, *check ? " && " : "", from);
    if (emit_may_be_none(em, s->e[1]))
        check = emit_f(em, "%s%s%s < CELLS", check, *check ? " && " : "", to);
    // Without stacks only level 0 is there to be moved.
    if (s->kind == ST_MOVE_ABOVE && s->e[2] && !has_stacks(em))
        check = emit_f(em, "%s%s%s <= 0", check, *check ? " && " : "", emit_expr(em, f, s->e[2]));
    if (*check)
        emit_open(em, "if (%s)", check);
    move_text(em, f, s, from, to);
    if (*check)
        emit_close(em);
}

static void set_attr(Emitter *em, EmitFrame *f, const IrStmt *s) {
    const IrAttr *a = &em->g->attr[s->id];
    const IrExpr *value = s->e[0];
    const char *v = emit_temp(em, "int", emit_expr(em, f, value));
    const char *cell = emit_temp(em, "int", emit_expr(em, f, s->e[1]));
    const char *with = "SET_EMPTY";
    for (int n = 0; n < em->g->planes; n++)
        if (em->g->kind[em->g->plane[n].kind].attributes >> s->id & 1)
            with = emit_or(em, with, emit_f(em, "%s->plane[%s]", em->s, emit_plane_name(em, n)));
    emit_open(em, "if (set_has_checked(%s, %s))", with, cell);
    if (a->type.kind == TY_INT && (value->lo < a->lo || value->hi > a->hi))
        emit_line(em, "if (%s < %d || %s > %d) return FAULT_RANGE;", v, a->lo, v, a->hi);
    const char *field = emit_attr_field(em, s->id);
    if (a->width == 0)
        emit_line(em, "set_put(&%s->%s, %s, %s);", em->s, field, cell, v);
    else
        emit_line(em, "%s->%s[%s] = (%s)%s;", em->s, field, cell,
                  a->width == 1   ? (a->lo < 0 ? "int8_t" : "uint8_t")
                  : a->width == 2 ? (a->lo < 0 ? "int16_t" : "uint16_t")
                                  : "int32_t",
                  v);
    emit_close(em);
}

// What is known after a change: who stands where something was put.
static void note_facts(Emitter *em, EmitFrame *f, const IrStmt *s) {
    unsigned from = s->e[0] ? cell_facts(f, s->e[0]) : 0;
    emit_forget(f);
    if (has_stacks(em))
        return;
    if (s->kind == ST_PLACE && s->e[0]->op == IR_LOCAL && !emit_may_be_none(em, s->e[0]) &&
        s->e[0]->type.kind == TY_CELL)
        f->local[s->e[0]->id].facts = owner_facts(em, s->e[1]);
    if (s->kind == ST_MOVE && s->e[1]->op == IR_LOCAL && from & FACT_MINE &&
        !emit_may_be_none(em, s->e[1]))
        f->local[s->e[1]->id].facts = FACT_MINE;
}

void emit_effect(Emitter *em, EmitFrame *f, const IrStmt *s) {
    switch (s->kind) {
    case ST_PLACE:
    case ST_CHANGE:
    case ST_REMOVE:
    case ST_CLEAR: put_pieces(em, f, s); break;
    case ST_MOVE:
    case ST_MOVE_ABOVE: move(em, f, s); break;
    case ST_SET_ATTR: set_attr(em, f, s); return;
    default: return;
    }
    note_facts(em, f, s);
}
