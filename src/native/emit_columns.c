// Parts of stacks: choose a stack, a level in it, and a cell nearby, for all stacks at once.
//
// The stacks of a board are the lanes of a vector, one for each cell; a bit of a lane is a piece,
// so that a set of (stack, level) is a vector too. Conditions on the stack, the level and the cell
// become masks:
//
//     owner(from, level) == me         the bits of the stacks themselves
//     level < height(to)               ones up to a height: a shift in each lane
//     to in occupied                   all bits of a lane, or none
//     something of `to`                the lanes moved to their neighbours, one way at a time
//
// The cells that may be chosen are those of a table (`next`) that pass further conditions; each way
// out of a cell gives a vector of moves. Where the cells are found differently, the stacks and
// levels are still found together, and the cells one by one.
//
// The top piece of a stack of h is bit 0, see IrLayout: level l is piece h - 1 - l from the top.
#include "native/emitter.h"

#include <string.h>

#define MOST_WAYS 8 // out of a cell; put_columns has room for so many
#define MOST_TERMS 32
#define MOST_LEAVES 8
#define MOST_VALUE 100 // a lane has at least 8 bits

enum { FROM, LEVEL, TO, VARYING }; // what a condition may depend on
enum { HAS_FROM = 1 << FROM, HAS_LEVEL = 1 << LEVEL, HAS_TO = 1 << TO };

// In which lanes a text is written: those of `from`, those of `to`, or (a number from 0 on)
// those of `from` with what is about `to` moved that way.
enum { LANES_FROM = -1, LANES_TO = -2 };

typedef struct Term { // a condition, or that `to` is in a set that is the same for all
    EmitFrame *f;
    const IrExpr *e;
    EmitLocal *to;
    bool in_set, negative;
} Term;

typedef struct Leaf { // a way through the turn: its conditions and its last choice
    Term term[MOST_TERMS];
    int terms;
    const IrStmt *choice;
} Leaf;

typedef struct Columns {
    Emitter *em;
    EmitFrame *f;
    EmitLocal *local[VARYING];
    const IrStmt *from, *level;
    Leaf leaf[MOST_LEAVES];
    int leaves;
} Columns;

typedef struct Linear { // from * height(from) + to * height(to) + level * level + constant + other
    int from, to, level, constant;
    int lo, hi;        // of `other`
    const char *other; // NULL: 0
} Linear;

// --- ways out of a cell ---

// The n-th member of each entry of a table of sets; -1 if there are not so many.
static int nth_of(const Emitter *em, const IrTable *t, int cell, int n) {
    for (int x = 0; x < em->cells; x++)
        if (t->sets[cell] >> x & 1 && n-- == 0)
            return x;
    return -1;
}

static int ways_of(const Emitter *em, int table) {
    int most = 0;
    for (int c = 0; c < em->cells; c++) {
        int n = bits_count(em->g->table[table]->sets[c]);
        most = n > most ? n : most;
    }
    return most;
}

// Prints for each way where it leads, which cells have it, and how lanes are moved back along it.
static void print_ways(Emitter *em, int table) {
    const IrTable *t = em->g->table[table];
    int lanes = emit_column_lanes(em), ways = ways_of(em, table);
    if (!emit_once(em, emit_f(em, "column_ways_%d", table)))
        return;
    text_add(em->helpers, "#if USE_COLUMNS\n");
    text_f(em->constants, "static const uint8_t ways_%d[%d][%d] = {\n", table, ways, lanes);
    for (int n = 0; n < ways; n++) {
        const char *to = "", *on = "";
        for (int c = 0; c < lanes; c++) {
            int x = c < em->cells ? nth_of(em, t, c, n) : -1;
            to = emit_f(em, "%s%s%d", to, c ? ", " : "", x < 0 ? 0 : x);
            on = emit_f(em, "%s%s%s", on, c ? ", " : "", x < 0 ? "0" : "(Column)-1");
        }
        text_f(em->constants, "    {%s},\n", to);
        text_f(em->helpers,
               "#define WAY_%d_%d {%s}\n"
               "static INLINE Columns way_%d_%d(const Columns x) {\n"
               "#if defined(__clang__)\n"
               "    return __builtin_shufflevector(x, x, %s);\n"
               "#else\n"
               "    return __builtin_shuffle(x, (Columns){%s});\n"
               "#endif\n"
               "}\n\n",
               table, n, on, table, n, to, to);
    }
    text_add(em->constants, "};\n\n");
    text_add(em->helpers, "#endif\n\n");
}

// --- what a condition depends on ---

// Makes one of the varying locals the member that is lifted; VARYING: none.
static void mark(Columns *c, int which) {
    for (int n = 0; n < VARYING; n++)
        if (c->local[n])
            *c->local[n] = (EmitLocal){.kind = n == which ? BIND_IT : BIND_NONE};
    c->em->it = which < VARYING ? c->local[which] : NULL;
}

static unsigned uses(Columns *c, EmitFrame *f, const IrExpr *e) {
    unsigned found = 0;
    for (int n = 0; n < VARYING; n++) {
        if (!c->local[n])
            continue;
        mark(c, n);
        if (emit_depends(c->em, f, e))
            found |= 1u << n;
    }
    mark(c, VARYING);
    return found;
}

static bool is_varying(const Columns *c, EmitFrame *f, const IrExpr *e, int which) {
    e = emit_resolve(&f, e);
    return e->op == IR_LOCAL && &f->local[e->id] == c->local[which];
}

// --- numbers ---

static bool small(int64_t lo, int64_t hi) {
    return lo >= -MOST_VALUE && hi <= MOST_VALUE;
}

static bool linear(Columns *c, EmitFrame *f, const IrExpr *e, Linear *out);

static bool add_up(Columns *c, EmitFrame *f, const IrExpr *e, Linear *out) {
    Linear a, b;
    int sign = e->op == IR_SUB ? -1 : 1;
    if (!linear(c, f, e->kid[0], &a) || !linear(c, f, e->kid[1], &b))
        return false;
    *out = (Linear){.from = a.from + sign * b.from,
                    .to = a.to + sign * b.to,
                    .level = a.level + sign * b.level,
                    .constant = a.constant + sign * b.constant,
                    .lo = a.lo + (sign < 0 ? -b.hi : b.lo),
                    .hi = a.hi + (sign < 0 ? -b.lo : b.hi),
                    .other = a.other};
    if (b.other)
        out->other =
            emit_f(c->em, "(%s %c %s)", a.other ? a.other : "0", sign < 0 ? '-' : '+', b.other);
    return small(out->lo, out->hi) && small(out->constant, out->constant);
}

static bool linear(Columns *c, EmitFrame *f, const IrExpr *e, Linear *out) {
    int64_t value;
    e = emit_resolve(&f, e);
    *out = (Linear){0};
    if (e->type.kind != TY_INT)
        return false;
    if (is_varying(c, f, e, LEVEL)) {
        out->level = 1;
        return true;
    }
    if (emit_constant(c->em, f, e, &value)) {
        out->constant = (int)value;
        return small(value, value);
    }
    if (!uses(c, f, e)) {
        out->lo = e->lo;
        out->hi = e->hi;
        out->other = emit_expr(c->em, f, e);
        return small(e->lo, e->hi);
    }
    switch (e->op) {
    case IR_HEIGHT:
        out->from = is_varying(c, f, e->kid[0], FROM);
        out->to = is_varying(c, f, e->kid[0], TO);
        return out->from || out->to;
    case IR_ADD:
    case IR_SUB: return add_up(c, f, e, out);
    case IR_CALL: return linear(c, emit_call_frame(c->em, f, e), c->em->g->func[e->id]->body, out);
    default: return false;
    }
}

static const char *times_height(Emitter *em, int times, const char *heights) {
    return times == 0   ? ""
           : times == 1 ? emit_f(em, " + %s", heights)
           : times < 0  ? emit_f(em, " - %d * %s", -times, heights)
                        : emit_f(em, " + %d * %s", times, heights);
}

// Of its value, without the level.
static void range_of(const Emitter *em, const Linear *x, int *lo, int *hi) {
    int most = em->b->stack;
    *lo = x->lo + x->constant + most * ((x->from < 0 ? x->from : 0) + (x->to < 0 ? x->to : 0));
    *hi = x->hi + x->constant + most * ((x->from > 0 ? x->from : 0) + (x->to > 0 ? x->to : 0));
}

// Its value in every lane, without the level; NULL if these lanes do not have what it needs.
static const char *lanes_text(Columns *c, const Linear *x, int table, int lanes) {
    Emitter *em = c->em;
    int lo, hi;
    range_of(em, x, &lo, &hi);
    if ((lanes == LANES_FROM && x->to) || (lanes == LANES_TO && x->from) || !small(lo, hi))
        return NULL;
    const char *to =
        lanes < 0 ? "heights" : emit_f(em, "(Numbers)way_%d_%d((Columns)heights)", table, lanes);
    const char *constant =
        x->other ? emit_f(em, "(%s + (%d))", x->other, x->constant) : emit_number(em, x->constant);
    return emit_f(em, "((Numbers){0} + (int%d_t)(%s)%s%s)", emit_column_bits(em), constant,
                  times_height(em, x->from, "heights"), times_height(em, x->to, to));
}

// All bits but those of the topmost x pieces.
static const char *bits_under(Columns *c, const Linear *x, int table, int lanes) {
    Emitter *em = c->em;
    int most = em->b->stack;
    int lo, hi;
    range_of(em, x, &lo, &hi);
    const char *n = lanes_text(c, x, table, lanes);
    if (!n)
        return NULL;
    n = emit_temp(em, "Numbers", n);
    if (emit_column_bits(em) == 8 && lo >= -15 && hi <= 16) // by a table of 32 values
        return emit_f(em, "columns_under(%s)", n);
    if (lo < 0)
        n = emit_temp(em, "Numbers", emit_f(em, "at_least_0(%s)", n));
    if (hi > most)
        n = emit_f(em, "((%s & (%s <= %d)) | ((%s > %d) & %d))", n, n, most, n, most, most);
    return emit_f(em, "columns_under(%s)", n);
}

// The levels for which x >= 0: level is height(from) - 1 - j, for piece j from the top.
static const char *at_least_0(Columns *c, const Linear *x, int table, int lanes) {
    Linear y = *x;
    y.level = 0;
    if (x->level == 0) {
        const char *n = lanes_text(c, &y, table, lanes);
        return n ? emit_f(c->em, "((Columns)(%s >= 0))", n) : NULL;
    }
    if (x->level == 1) { // j < y + height(from)
        y.from++;
        const char *under = bits_under(c, &y, table, lanes);
        return under ? emit_f(c->em, "(~%s)", under) : NULL;
    }
    if (x->level != -1)
        return NULL;
    // not j < height(from) - 1 - y
    y = (Linear){1 - x->from, -x->to, 0, -1 - x->constant, -x->hi, -x->lo, NULL};
    if (x->other)
        y.other = emit_f(c->em, "(-%s)", x->other);
    return bits_under(c, &y, table, lanes);
}

// Whether x == 0 asks for the lowest piece.
static bool is_level_0(const Linear *x) {
    return (x->level == 1 || x->level == -1) && !x->from && !x->to && !x->constant && !x->other;
}

static const char *compare(Columns *c, EmitFrame *f, const IrExpr *e, int table, int lanes) {
    IrExpr ahead = {.op = IR_SUB, .type = {.kind = TY_INT}, .kid = {e->kid[1], e->kid[0]}};
    IrExpr back = {.op = IR_SUB, .type = {.kind = TY_INT}, .kid = {e->kid[0], e->kid[1]}};
    Linear x, y;
    if (e->kid[0]->type.kind != TY_INT || !add_up(c, f, &ahead, &x))
        return NULL;
    if (e->op == IR_LT)
        x.constant--;
    if (e->op == IR_EQ && lanes != LANES_TO && is_level_0(&x))
        return "(full & ~(full >> STACK_BITS))";
    const char *a = at_least_0(c, &x, table, lanes);
    if (!a || e->op == IR_LT || e->op == IR_LE)
        return a;
    if (!add_up(c, f, &back, &y))
        return NULL;
    const char *b = at_least_0(c, &y, table, lanes);
    if (!b)
        return NULL;
    return emit_f(c->em, e->op == IR_EQ ? "(%s & %s)" : "(~(%s & %s))", a, b);
}

// --- conditions ---

// The pieces of one plane in the stacks.
static const char *bits_of_plane(Emitter *em, int plane) {
    const char *text = "";
    for (int n = 0; n < em->g->layout.stack_bits; n++)
        text = emit_f(em, "%s%s%sstacks >> %d", text, n ? " & " : "", plane >> n & 1 ? "" : "~", n);
    return text;
}

// owner(from, level) == x, or kind.
static const char *piece_is(Columns *c, EmitFrame *f, const IrExpr *e) {
    Emitter *em = c->em;
    for (int n = 0; n < 2; n++) {
        const IrExpr *in = e->kid[n], *x = e->kid[1 - n];
        if ((in->op != IR_OWNER_IN && in->op != IR_KIND_IN) ||
            !is_varying(c, f, in->kid[0], FROM) || !is_varying(c, f, in->kid[1], LEVEL) ||
            uses(c, f, x))
            continue;
        const char *value = emit_temp(em, "int", emit_expr(em, f, x)), *sum = "";
        for (int p = 0; p < em->g->planes; p++)
            sum = emit_f(em, "%s%s(columns_if(%s == %d) & (%s))", sum, p ? " | " : "", value,
                         in->op == IR_OWNER_IN ? em->g->plane[p].owner : em->g->plane[p].kind,
                         bits_of_plane(em, p));
        return emit_f(em, e->op == IR_EQ ? "(%s)" : "(~(%s))", sum);
    }
    return NULL;
}

static const char *moved(Columns *c, const char *text, int table, int lanes) {
    return lanes < 0 ? text : emit_f(c->em, "way_%d_%d(%s)", table, lanes, text);
}

// A condition on `from` alone or `to` alone is a set of cells.
static const char *whole_columns(Columns *c, EmitFrame *f, const IrExpr *e, unsigned used,
                                 int table, int lanes) {
    if ((used != HAS_FROM || lanes == LANES_TO) && (used != HAS_TO || lanes == LANES_FROM))
        return NULL;
    mark(c, used == HAS_FROM ? FROM : TO);
    const char *set = emit_lift(c->em, f, e);
    mark(c, VARYING);
    if (!set)
        return NULL;
    const char *text = emit_temp(c->em, "Columns", emit_f(c->em, "columns_where(%s)", set));
    return used == HAS_TO ? moved(c, text, table, lanes) : text;
}

static const char *lift(Columns *c, EmitFrame *f, const IrExpr *e, int table, int lanes) {
    Emitter *em = c->em;
    e = emit_resolve(&f, e);
    unsigned used = uses(c, f, e);
    const char *text = NULL;
    if (!used)
        return emit_f(em, "columns_if(%s)", emit_expr(em, f, e));
    switch (e->op) {
    case IR_BOTH:
    case IR_EITHER: {
        const char *a = lift(c, f, e->kid[0], table, lanes);
        const char *b = a ? lift(c, f, e->kid[1], table, lanes) : NULL;
        return b ? emit_f(em, e->op == IR_BOTH ? "(%s & %s)" : "(%s | %s)", a, b) : NULL;
    }
    case IR_NOT:
        text = lift(c, f, e->kid[0], table, lanes);
        return text ? emit_f(em, "(~%s)", text) : NULL;
    case IR_CALL: return lift(c, emit_call_frame(em, f, e), em->g->func[e->id]->body, table, lanes);
    case IR_EQ:
    case IR_NE:
        text = lanes == LANES_TO ? NULL : piece_is(c, f, e);
        if (text)
            return text;
        // fall through
    case IR_LT:
    case IR_LE: text = compare(c, f, e, table, lanes); break;
    default: break;
    }
    return text ? text : whole_columns(c, f, e, used, table, lanes);
}

// A term as columns; what was written on the way to a failure is dropped.
static const char *lift_term(Columns *c, const Term *term, int table, int lanes) {
    Emitter *em = c->em;
    int knowns = em->knowns;
    const char *text = NULL;
    c->local[TO] = term->to;
    Text *outer = emit_capture(em);
    em->indent--;
    mark(c, VARYING);
    if (!term->in_set)
        text = lift(c, term->f, term->e, table, lanes);
    else if (lanes != LANES_FROM)
        text = moved(c, emit_f(em, "columns_where(%s)", emit_expr(em, term->f, term->e)), table,
                     lanes);
    if (text && term->negative)
        text = emit_f(em, "(~%s)", text);
    if (text)
        text = emit_temp(em, "Columns", text);
    em->indent++;
    Text *inner = emit_uncapture(em, outer);
    if (text)
        text_add(em->t, text_c(inner));
    else
        em->knowns = knowns;
    c->local[TO] = NULL;
    return text;
}

// --- the turn as ways through it ---

static bool add_term(Leaf *leaf, Term term) {
    if (leaf->terms == MOST_TERMS)
        return false;
    leaf->term[leaf->terms++] = term;
    return true;
}

static bool add_conditions(Leaf *leaf, EmitFrame *f, const IrExpr *e, EmitLocal *to) {
    if (e->op == IR_BOTH)
        return add_conditions(leaf, f, e->kid[0], to) && add_conditions(leaf, f, e->kid[1], to);
    return add_term(leaf, (Term){.f = f, .e = e, .to = to});
}

// Follows a list of statements to its last choices; false if it does anything else.
static bool walk(Columns *c, const IrStmt *s, const Leaf *so_far) {
    Leaf leaf = *so_far;
    for (; s; s = s->next) {
        if (s->kind == ST_REQUIRE) {
            if (!add_conditions(&leaf, c->f, s->e[0], NULL))
                return false;
        } else if (s->kind == ST_IF && s->chooses && !emit_chooses(s->next)) {
            Leaf other = leaf;
            Term not = {.f = c->f, .e = s->e[0], .negative = true};
            return add_conditions(&leaf, c->f, s->e[0], NULL) && add_term(&other, not ) &&
                   walk(c, s->body, &leaf) && walk(c, s->other, &other);
        } else if (s->kind == ST_CHOOSE && s->domain->kind == DOM_SET && !emit_chooses(s->next)) {
            if (c->leaves == MOST_LEAVES)
                return false;
            leaf.choice = s;
            c->leaf[c->leaves++] = leaf;
            return true;
        } else {
            return false;
        }
    }
    return false;
}

// --- the cells of the last choice ---

// That `to` is in the set e, as terms; notes a table of sets that it is in.
static bool add_members(Columns *c, Leaf *leaf, EmitFrame *f, const IrExpr *e, int *table) {
    Emitter *em = c->em;
    e = emit_resolve(&f, e);
    c->local[TO] = NULL;
    if (!uses(c, f, e))
        return add_term(leaf, (Term){.f = f, .e = e, .in_set = true});
    switch (e->op) {
    case IR_TABLE: {
        const IrTable *t = em->g->table[e->id];
        bool fits = t->sets && t->dims == 1 && t->base[0] == 0 && t->size[0] == em->cells + 1 &&
                    is_varying(c, f, e->kid[0], FROM) && ways_of(em, e->id) <= MOST_WAYS &&
                    ways_of(em, e->id) > 0 && (*table < 0 || *table == e->id);
        *table = e->id;
        return fits;
    }
    case IR_AND:
        return add_members(c, leaf, f, e->kid[0], table) &&
               add_members(c, leaf, f, e->kid[1], table);
    case IR_MINUS:
        return add_members(c, leaf, f, e->kid[0], table) && !uses(c, f, e->kid[1]) &&
               add_term(leaf, (Term){.f = f, .e = e->kid[1], .in_set = true, .negative = true});
    case IR_FILTER:
        return e->domain->kind == DOM_SET && add_members(c, leaf, f, e->domain->a, table) &&
               add_conditions(leaf, f, e->domain->where, &f->local[e->domain->slot]);
    case IR_CALL:
        return add_members(c, leaf, emit_call_frame(em, f, e), em->g->func[e->id]->body, table);
    default: return false;
    }
}

// --- moves ---

static const char *sites_text(const Columns *c) {
    const IrSite *from = &c->em->g->site[c->from->id], *level = &c->em->g->site[c->level->id];
    return emit_f(c->em, "(ColumnSites){%s, %s, %d, %s}", emit_at(c->em, 0),
                  emit_at(c->em, from->bits), level->lo, emit_at(c->em, from->bits + level->bits));
}

static const char *both(Emitter *em, const char *a, const char *b) {
    return a ? emit_f(em, "%s & %s", a, b) : b;
}

// The stacks and levels that pass the terms on them alone; NULL if one of these cannot be told.
static const char *first_terms(Columns *c, const Leaf *leaf, const char *base) {
    for (int n = 0; n < leaf->terms; n++) {
        const char *text = lift_term(c, &leaf->term[n], -1, LANES_FROM);
        if (!text)
            return NULL;
        base = both(c->em, base, text);
    }
    return emit_temp(c->em, "Columns", base);
}

typedef struct Ways { // the moves of leaves so far, for each way out of a cell: variables
    int table, ways;
    const char *set[MOST_WAYS];
    bool started;
} Ways;

typedef struct Sorted {                         // terms by how they are told
    const char *here, *there, *each[MOST_WAYS]; // for `from`, for `to`, for each way
    const Term *slow[MOST_TERMS];               // one by one
    int slows;
} Sorted;

static bool sort_term(Columns *c, const Term *term, const Ways *w, Sorted *sorted) {
    Emitter *em = c->em;
    const char *text = lift_term(c, term, w->table, LANES_FROM);
    if (text) {
        sorted->here = both(em, sorted->here, text);
        return true;
    }
    text = lift_term(c, term, w->table, LANES_TO);
    if (text) {
        sorted->there = both(em, sorted->there, text);
        return true;
    }
    for (int n = 0; n < w->ways; n++) {
        text = lift_term(c, term, w->table, n);
        if (!text)
            break;
        sorted->each[n] = both(em, sorted->each[n], text);
    }
    if (text)
        return true;
    sorted->slow[sorted->slows++] = term;
    c->local[TO] = term->to;
    bool ok = !(uses(c, term->f, term->e) & HAS_LEVEL);
    c->local[TO] = NULL;
    return ok;
}

// Whether a term holds for a stack and a cell that are known.
static const char *slow_term(Columns *c, const Term *term, const char *to) {
    Emitter *em = c->em;
    EmitLocal kept = {0};
    if (term->to) {
        kept = *term->to;
        *term->to = (EmitLocal){.kind = BIND_TEXT, .text = to};
    }
    const char *text = emit_expr(em, term->f, term->e);
    if (term->to)
        *term->to = kept;
    if (term->in_set)
        text = emit_has(em, text, to, false);
    return emit_temp(em, "int", emit_f(em, term->negative ? "!%s" : "%s", text));
}

// For each way the stacks that pass the terms that must be looked at one by one.
static void look_one_by_one(Columns *c, const Ways *w, Sorted *sorted, const char *some) {
    Emitter *em = c->em;
    const char *set[MOST_WAYS];
    const char *from = emit_local_name(em, c->f->ir, c->from->domain->slot);
    for (int n = 0; n < w->ways; n++) {
        set[n] = emit_new(em);
        emit_line(em, "Set %s = SET_EMPTY;", set[n]);
    }
    emit_each_member(em, true, some, from, NULL);
    *c->local[FROM] = (EmitLocal){.kind = BIND_TEXT, .text = from};
    em->it = NULL;
    for (int n = 0; n < w->ways; n++) { // a way that does not exist leads to cell 0, for nothing
        const char *to = emit_temp(em, "int", emit_f(em, "ways_%d[%d][%s]", w->table, n, from));
        const char *all = NULL;
        for (int i = 0; i < sorted->slows; i++)
            all = both(em, all, slow_term(c, sorted->slow[i], to));
        emit_line(em, "%s |= (Set)(%s) << %s;", set[n], all, from);
    }
    emit_close(em);
    mark(c, VARYING);
    for (int n = 0; n < w->ways; n++)
        sorted->each[n] = both(em, sorted->each[n], emit_f(em, "columns_where(%s)", set[n]));
}

static const char *way_text(Columns *c, const Ways *w, int n, const Sorted *sorted,
                            const char *here) {
    Emitter *em = c->em;
    const char *text = emit_f(em, "%s & (Columns)WAY_%d_%d", here, w->table, n);
    if (sorted->there)
        text = both(em, text, emit_f(em, "way_%d_%d(%s)", w->table, n, sorted->there));
    if (sorted->each[n])
        text = both(em, text, sorted->each[n]);
    return text;
}

static void add_ways(Columns *c, Ways *w, const Sorted *sorted, const char *here) {
    for (int n = 0; n < w->ways; n++)
        emit_line(c->em, "%s%s %s %s;", w->started ? "" : "Columns ", w->set[n],
                  w->started ? "|=" : "=", way_text(c, w, n, sorted, here));
    w->started = true;
}

// All moves of a leaf, its cells being those of a table that pass some terms.
static bool by_ways(Columns *c, const Leaf *leaf, const char *base, Ways *w) {
    Emitter *em = c->em;
    Leaf all = *leaf;
    Sorted sorted = {.here = base};
    const IrDomain *d = leaf->choice->domain;
    if (!add_members(c, &all, c->f, d->a, &w->table) || w->table < 0)
        return false;
    if (d->where && !add_conditions(&all, c->f, d->where, &c->f->local[d->slot]))
        return false;
    w->ways = ways_of(em, w->table);
    print_ways(em, w->table);
    for (int n = 0; n < w->ways && !w->started; n++)
        w->set[n] = emit_new(em);
    for (int n = 0; n < all.terms; n++)
        if (!sort_term(c, &all.term[n], w, &sorted))
            return false;
    const char *here = emit_temp(em, "Columns", sorted.here);
    sorted.there = sorted.there ? emit_temp(em, "Columns", sorted.there) : NULL;
    if (!sorted.slows) {
        add_ways(c, w, &sorted, here);
        return true;
    }
    for (int n = 0; n < w->ways && !w->started; n++)
        emit_line(em, "Columns %s = {0};", w->set[n]);
    w->started = true;
    const char *some = emit_temp(em, "Set", emit_f(em, "columns_some(%s)", here));
    emit_open(em, "if (SET_SOME(%s))", some);
    look_one_by_one(c, w, &sorted, some);
    add_ways(c, w, &sorted, here);
    emit_close(em);
    return true;
}

static void put_ways(Columns *c, const Ways *w) {
    Emitter *em = c->em;
    const char *x = emit_new(em), *list = "";
    for (int n = 0; n < w->ways; n++)
        list = emit_f(em, "%s%s%s", list, n ? ", " : "", w->set[n]);
    emit_line(em, "const Columns %s[%d] = {%s};", x, w->ways, list);
    emit_line(em, "TRY(put_columns(s, k, mode, %s, %s, %s, %d, ways_%d));", em->m, sites_text(c), x,
              w->ways, w->table);
}

// The moves of a leaf whose cells must be found for each stack and level.
static bool one_by_one(Columns *c, const Leaf *leaf, const char *base) {
    Emitter *em = c->em;
    base = first_terms(c, leaf, base);
    if (!base)
        return false;
    const IrSite *first = &em->g->site[c->from->id], *second = &em->g->site[c->level->id];
    int from = c->from->domain->slot, level = c->level->domain->slot;
    const char *from_name = emit_local_name(em, c->f->ir, from);
    const char *level_name = emit_local_name(em, c->f->ir, level);
    const char *m = emit_new(em), *left = emit_new(em);
    emit_each_member(em, true, emit_f(em, "columns_some(%s)", base), from_name, NULL);
    emit_open(em, "for (uint64_t %s = %s[%s]; %s; %s &= %s - 1)", left, base, from_name, left, left,
              left);
    emit_line(em, "const int %s = height_at(s, %s) - 1 - CTZ(%s) / STACK_BITS;", level_name,
              from_name, left);
    emit_line(em, "const Packed %s = move_put(move_put(%s, %s, %s), %s, %s - (%d));", m, em->m,
              emit_at(em, 0), from_name, emit_at(em, first->bits), level_name, second->lo);
    *c->local[FROM] = (EmitLocal){.kind = BIND_TEXT, .text = from_name};
    *c->local[LEVEL] = (EmitLocal){.kind = BIND_TEXT, .text = level_name};
    em->it = NULL;
    const char *set = emit_members(em, c->f, leaf->choice->domain);
    emit_line(em, "TRY(put_set(k, mode, %s, %s, 0, %s));", m,
              emit_at(em, first->bits + second->bits), set);
    emit_close(em);
    emit_close(em);
    mark(c, VARYING);
    return true;
}

// choose level in a .. b: no level below the stack, and none above it.
static bool fits_stack(Columns *c) {
    const IrDomain *d = c->level->domain;
    int64_t low;
    Linear high;
    return emit_constant(c->em, c->f, d->a, &low) && low == 0 && linear(c, c->f, d->b, &high) &&
           high.from == 1 && !high.to && !high.level && !high.other && high.constant == -1;
}

// Adds a leaf to the ways out of a cell; nothing is changed if that cannot be.
static bool try_ways(Columns *c, const Leaf *leaf, const char *base, Ways *all) {
    Emitter *em = c->em;
    int knowns = em->knowns;
    Ways with = *all;
    Text *outer = emit_capture(em);
    em->indent--;
    bool ok = by_ways(c, leaf, base, &with);
    em->indent++;
    Text *inner = emit_uncapture(em, outer);
    if (ok) {
        text_add(em->t, text_c(inner));
        *all = with;
    } else {
        em->knowns = knowns;
        mark(c, VARYING);
    }
    return ok;
}

static bool put_moves(Columns *c, const char *members) {
    Emitter *em = c->em;
    Leaf start = {0};
    const IrDomain *d = c->level->domain;
    const char *base = NULL;
    mark(c, VARYING);
    if (!fits_stack(c) || (d->where && !add_conditions(&start, c->f, d->where, NULL)) ||
        !walk(c, c->level->next, &start))
        return false;
    emit_column_helpers(em);
    emit_line(em, "const Stacks stored = stacks_of(s);");
    emit_line(em, "const Columns stacks = columns_of(stored);");
    emit_line(em, "const Columns full = columns_full(stored);");
    emit_line(em, "const Numbers heights = columns_heights(full);");
    base = emit_f(em, "(full & (Column)COLUMN_LOW)");
    if (c->from->domain->a->op != IR_OCCUPIED || c->from->domain->where)
        base = emit_f(em, "%s & columns_where(%s)", base, members);
    base = emit_temp(em, "Columns", base);
    Ways all = {.table = -1};
    bool done[MOST_LEAVES], each = true;
    for (int n = 0; n < c->leaves; n++) {
        done[n] = try_ways(c, &c->leaf[n], base, &all);
        each = each && done[n];
    }
    if (all.table >= 0)
        put_ways(c, &all);
    em->draws = each;
    for (int n = 0; n < c->leaves; n++)
        if (!done[n] && !one_by_one(c, &c->leaf[n], base))
            return false;
    return true;
}

bool emit_columns(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here) {
    const IrStmt *level = here->next;
    if (!emit_column_lanes(em) || !em->one || !level || here->call || level->kind != ST_CHOOSE ||
        level->domain->kind != DOM_RANGE || s->domain->kind != DOM_SET ||
        emit_chooses_later(here->up))
        return false;
    const char *members = emit_members(em, f, s->domain);
    Columns *c = ARENA_NEW(em->arena, Columns);
    *c = (Columns){.em = em, .f = f, .from = s, .level = level};
    c->local[FROM] = &f->local[s->domain->slot];
    c->local[LEVEL] = &f->local[level->domain->slot];
    bool ok = put_moves(c, members);
    em->columns |= ok;
    em->family_columns = ok;
    return ok;
}
