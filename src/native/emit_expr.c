// Expressions of the IR as C expressions.
#include "native/emit_relation.h"

#include <string.h>

EmitFrame *emit_call_frame(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const IrFunc *func = em->g->func[e->id];
    EmitFrame *inner = emit_frame(em, &func->frame);
    for (int n = 0; n < func->params; n++)
        inner->local[n] = (EmitLocal){.kind = BIND_EXPR, .expr = e->args[n], .in = f};
    return inner;
}

bool emit_may_be_none(const Emitter *em, const IrExpr *e) {
    return e->type.optional || e->lo < 0 || e->hi >= em->cells;
}

const char *emit_has(Emitter *em, const char *set, const char *x, bool none) {
    if (none && em->cells % 64 == 0)
        return emit_f(em, "set_has_checked(%s, %s)", set, x);
    return emit_f(em, "set_has(%s, %s)", set, x);
}

const char *emit_single(Emitter *em, const char *x, bool none) {
    return emit_f(em, none ? "set_single_checked(%s)" : "set_single(%s)", x);
}

const char *emit_cell_set(Emitter *em, EmitFrame *f, const IrExpr *x) {
    if (x->op == IR_LOCAL) {
        const EmitLocal *l = &f->local[x->id];
        if (l->kind == BIND_EXPR)
            return emit_cell_set(em, l->in, l->expr);
        if (l->kind == BIND_TEXT && l->bit)
            return l->bit;
    }
    if (x->op == IR_PAST)
        return emit_past_set(em, f, x);
    if (x->op == IR_TABLE && em->one && emit_is_step(em, em->g->table[x->id]) &&
        emit_fixed(em, f, x->kid[1]))
        return emit_shift(em, f, emit_cell_set(em, f, x->kid[0]), x->kid[1], false);
    return emit_single(em, emit_expr(em, f, x), emit_may_be_none(em, x));
}

// --- definitions ---

// A definition with more operations than this is not put in place of its name everywhere: the C
// compiler would take too long. Unless its text is shorter than this, since helpers do the work.
#define OUTLINE 150
#define OUTLINE_TEXT 300

static const char *func_name(Emitter *em, int id) {
    const IrGame *g = em->g;
    bool unique = true;
    for (int n = 0; n < g->funcs; n++)
        unique &= n == id || strcmp(g->func[n]->name, g->func[id]->name) != 0;
    const char *name = emit_word(em, g->func[id]->name);
    return unique ? emit_f(em, "let_%s", name) : emit_f(em, "let_%s_%d", name, id);
}

// How much code an expression makes, roughly: operations with definitions put in their places.
static int weight(const Emitter *em, const IrExpr *e, int depth) {
    if (!e || depth > 40)
        return 0;
    int sum = 1, times = 1;
    if (e->op == IR_CALL) {
        for (int n = 0; n < em->g->func[e->id]->params; n++)
            sum += weight(em, e->args[n], depth);
        int body = weight(em, em->g->func[e->id]->body, depth + 1);
        return sum + (body > OUTLINE ? 4 : body);
    }
    if (e->op >= IR_RAY_WHILE && e->op <= IR_FLOOD)
        sum += em->one ? 8 : 12 * em->words;
    if (e->domain) {
        sum += weight(em, e->domain->a, depth) + weight(em, e->domain->b, depth);
        times = e->domain->kind == DOM_MASK && e->op != IR_FILTER ? 8 : 1;
        sum += times * weight(em, e->domain->where, depth);
    }
    for (int n = 0; n < 3; n++)
        sum += times * weight(em, e->kid[n], depth);
    return sum > 100000 ? 100000 : sum;
}

// A function for each player, and the definition's own name to pick one: `me` stays a constant,
// and the code is there once.
static void print_outlined(Emitter *em, const IrFunc *func, const char *name, const char *params,
                           const char *args) {
    const char *type = emit_type(func->body->type);
    for (int p = 0; p < em->g->players; p++) {
        text_f(em->protos, "static %s %s_%d_(const State *const s%s);\n", type, name, p, params);
        text_f(em->bodies,
               "static %s %s_%d_(const State *const s%s) {\n    return %s_(s, %d%s);\n}\n\n", type,
               name, p, params, name, p, args);
    }
    const char *chosen = emit_f(em, "%s_%d_(s%s)", name, em->g->players - 1, args);
    for (int p = em->g->players - 2; p >= 0; p--)
        chosen = emit_f(em, "me == %d ? %s_%d_(s%s) : %s", p, name, p, args, chosen);
    text_f(em->protos, "static INLINE %s %s(const State *const s, const int me%s);\n", type, name,
           params);
    text_f(em->bodies,
           "static INLINE %s %s(const State *const s, const int me%s) {\n    return %s;\n}\n\n",
           type, name, params, chosen);
}

static void print_func(Emitter *em, int id) {
    const IrFunc *func = em->g->func[id];
    bool large = weight(em, func->body, 0) > OUTLINE;
    // The function that asked for it goes on where it was.
    const Emitter kept = *em;
    em->t = emit_text(em);
    em->indent = 1;
    em->temps = 0;
    em->s = "s";
    em->stream = EMIT_VALUE;
    em->it = NULL;
    em->owner_expr = NULL;
    em->grown = false;
    EmitFrame *f = emit_frame(em, &func->frame);
    const char *params = "", *args = "";
    for (int n = 0; n < func->params; n++) {
        const char *name = emit_local_name(em, &func->frame, n);
        f->local[n] = (EmitLocal){.kind = BIND_TEXT, .text = name};
        params = emit_f(em, "%s, const %s %s", params, emit_type(func->frame.type[n]), name);
        args = emit_f(em, "%s, %s", args, name);
    }
    em->known_base = em->knowns;
    const char *value = emit_expr(em, f, func->body);
    emit_line(em, "return %s;", value);
    em->knowns = em->known_base;
    em->known_base = kept.known_base;
    Text *body = em->t;
    large = large && body->n > OUTLINE_TEXT; // or it turned out to be one call of a helper
    const char *head =
        emit_f(em, "static INLINE %s %s%s(const State *const s, const int me%s)",
               emit_type(func->body->type), func_name(em, id), large ? "_" : "", params);
    em->stream = kept.stream;
    em->temps = kept.temps;
    em->s = kept.s;
    em->it = kept.it;
    em->owner_expr = kept.owner_expr;
    em->grown = kept.grown;
    text_f(em->protos, "%s;\n", head);
    em->t = em->bodies;
    em->indent = 0;
    emit_comment(em, emit_f(em, "%s = ", func->name), &func->frame, func->body);
    text_f(em->bodies, "%s {\n%s}\n\n", head, text_c(body));
    if (large)
        print_outlined(em, func, func_name(em, id), params, args);
    em->t = kept.t;
    em->indent = kept.indent;
}

static bool asks_owner(const IrExpr *e, int param) {
    if (!e)
        return false;
    if (e->op == IR_OWNER_AT && e->kid[0]->op == IR_LOCAL && e->kid[0]->id == param)
        return true;
    const IrDomain *d = e->domain;
    if (d && (asks_owner(d->a, param) || asks_owner(d->b, param) || asks_owner(d->where, param)))
        return true;
    for (int n = 0; n < 3; n++)
        if (asks_owner(e->kid[n], param))
            return true;
    return false;
}

// A definition that asks whose an argument is, which is known here.
static bool knows_more(const Emitter *em, EmitFrame *f, const IrExpr *e) {
    for (int n = 0; n < em->g->func[e->id]->params; n++) {
        EmitFrame *of = f;
        const IrExpr *x = emit_resolve(&of, e->args[n]);
        if (x->op == IR_LOCAL && of->local[x->id].facts & (FACT_MINE | FACT_THEIRS) &&
            asks_owner(em->g->func[e->id]->body, n))
            return true;
    }
    return false;
}

static const char *call(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const IrFunc *func = em->g->func[e->id];
    if (knows_more(em, f, e) || (em->knowing && emit_asks(em, func->body)))
        return emit_expr(em, emit_call_frame(em, f, e), func->body);
    if (!em->func_done[e->id]) {
        em->func_done[e->id] = true;
        print_func(em, e->id);
    }
    const char *args = emit_f(em, "%s, me", em->s);
    for (int n = 0; n < func->params; n++)
        args = emit_f(em, "%s, %s", args, emit_expr(em, f, e->args[n]));
    return emit_f(em, "%s(%s)", func_name(em, e->id), args);
}

// --- variables, attributes, tables ---

// Whether every value of the expression is in first .. first + count - 1.
static bool inside(const IrExpr *e, int first, int count) {
    return e->lo >= first && e->hi < first + count;
}

static const char *minus_base(Emitter *em, const char *x, int base) {
    if (base == 0)
        return x;
    return base > 0 ? emit_f(em, "%s - %d", x, base) : emit_f(em, "%s + %d", x, -base);
}

static const char *zero(const IrExpr *e) {
    return e->type.kind == TY_SET ? "SET_EMPTY" : "0";
}

static const char *variable(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const IrVar *v = &em->g->var[e->id];
    const char *field = emit_f(em, "%s->%s", em->s, emit_var_field(em, e->id));
    if (!v->indexed)
        return field;
    int64_t n;
    if (emit_constant(em, f, e->kid[0], &n)) {
        n -= v->index_base;
        return n < 0 || n >= v->count ? zero(e) : emit_f(em, "%s[%d]", field, (int)n);
    }
    const char *x = emit_expr(em, f, e->kid[0]);
    if (inside(e->kid[0], v->index_base, v->count))
        return emit_f(em, "%s[%s]", field, minus_base(em, x, v->index_base));
    x = minus_base(em, emit_temp(em, "int", x), v->index_base);
    return emit_f(em, "((unsigned)(%s) < %d ? %s[%s] : %s)", x, v->count, field, x, zero(e));
}

static const char *attribute(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const IrAttr *a = &em->g->attr[e->id];
    const char *field = emit_f(em, "%s->%s", em->s, emit_attr_field(em, e->id));
    bool none = emit_may_be_none(em, e->kid[0]);
    const char *x = emit_expr(em, f, e->kid[0]);
    if (a->width == 0)
        return emit_has(em, field, x, none);
    if (!none)
        return emit_f(em, "%s[%s]", field, x);
    x = emit_temp(em, "int", x);
    return emit_f(em, "(%s < CELLS ? %s[%s] : 0)", x, field, x);
}

static const char *table(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const IrTable *t = em->g->table[e->id];
    const char *name = emit_table(em, e->id), *check = "";
    const char *place = name;
    for (int n = 0; n < t->dims; n++) {
        const char *x = emit_expr(em, f, e->kid[n]);
        if (!inside(e->kid[n], t->base[n], t->size[n])) {
            x = emit_temp(em, "int", x);
            check = emit_f(em, "%s%s(unsigned)(%s) < %d", check, *check ? " && " : "",
                           minus_base(em, x, t->base[n]), t->size[n]);
        }
        place = emit_f(em, "%s[%s]", place, minus_base(em, x, t->base[n]));
    }
    return *check ? emit_f(em, "(%s ? %s : %s)", check, place, zero(e)) : place;
}

// --- conditions ---

static bool is_empty(const Text *t) {
    return t->n == 0;
}

static const char *logic(Emitter *em, EmitFrame *f, const IrExpr *e) {
    bool both = e->op == IR_BOTH;
    const char *a = emit_expr(em, f, e->kid[0]);
    Text *outer = emit_capture(em);
    const char *b = emit_expr(em, f, e->kid[1]);
    Text *inner = emit_uncapture(em, outer);
    if (is_empty(inner))
        return emit_f(em, both ? "(%s && %s)" : "(%s || %s)", a, b);
    const char *t = emit_new(em);
    emit_line(em, "int %s = %s;", t, a);
    emit_open(em, both ? "if (%s)" : "if (!%s)", t);
    text_add(em->t, text_c(inner));
    emit_line(em, "%s = %s;", t, b);
    emit_close(em);
    return t;
}

static const char *conditional(Emitter *em, EmitFrame *f, const IrExpr *e) {
    int64_t known;
    if (emit_constant(em, f, e->kid[0], &known))
        return emit_expr(em, f, e->kid[known ? 1 : 2]);
    const char *c = emit_expr(em, f, e->kid[0]);
    Text *outer = emit_capture(em);
    const char *a = emit_expr(em, f, e->kid[1]);
    Text *yes = emit_uncapture(em, outer);
    outer = emit_capture(em);
    const char *b = emit_expr(em, f, e->kid[2]);
    Text *no = emit_uncapture(em, outer);
    if (is_empty(yes) && is_empty(no))
        return emit_f(em, "(%s ? %s : %s)", c, a, b);
    const char *t = emit_new(em);
    emit_line(em, "%s %s;", emit_type(e->type), t);
    emit_open(em, "if (%s)", c);
    text_add(em->t, text_c(yes));
    emit_line(em, "%s = %s;", t, a);
    emit_else(em);
    text_add(em->t, text_c(no));
    emit_line(em, "%s = %s;", t, b);
    emit_close(em);
    return t;
}

static bool is_bit(const Emitter *em, const IrExpr *what, const IrExpr *is) {
    if (what->op == IR_KIND_AT)
        return is->op == IR_CONST && is->value < em->g->kinds;
    return what->op == IR_OWNER_AT && !is->type.optional && is->hi < em->g->players;
}

const IrExpr *emit_bit_set(Emitter *em, const IrExpr *e, IrExpr *set) {
    for (int n = 0; n < 2; n++) {
        const IrExpr *what = e->kid[n];
        IrExpr *is = e->kid[1 - n];
        if (!is_bit(em, what, is))
            continue;
        *set = (IrExpr){.op = what->op == IR_KIND_AT ? IR_PIECES : IR_OWNED,
                        .type = {.kind = TY_SET},
                        .dynamic = true};
        if (what->op == IR_KIND_AT)
            set->id = (int)is->value;
        else
            set->kid[0] = is;
        return what->kid[0];
    }
    return NULL;
}

static const char *equal(Emitter *em, EmitFrame *f, const IrExpr *e) {
    IrExpr set;
    const IrExpr *x = emit_bit_set(em, e, &set);
    if (x && set.op == IR_OWNED && em->owner_expr && emit_is_it(f, x))
        x = NULL; // the domain says whose all members are
    const char *sign = e->op == IR_EQ ? "" : "!";
    if (x) {
        const char *cell = emit_expr(em, f, x);
        return emit_f(em, "(%s%s)", sign,
                      emit_has(em, emit_expr(em, f, &set), cell, emit_may_be_none(em, x)));
    }
    const char *a = emit_expr(em, f, e->kid[0]), *b = emit_expr(em, f, e->kid[1]);
    if (e->kid[0]->type.kind == TY_SET && !em->one)
        return emit_f(em, "(%sset_same(%s, %s))", sign, a, b);
    return emit_f(em, e->op == IR_EQ ? "(%s == %s)" : "(%s != %s)", a, b);
}

// What is known about a chosen cell answers some questions at once; NULL if it does not.
static const char *member_by_facts(EmitFrame *f, const IrExpr *x, const IrExpr *set) {
    x = emit_resolve(&f, x);
    if (x->op != IR_LOCAL || set->op != IR_OCCUPIED)
        return NULL;
    unsigned facts = f->local[x->id].facts;
    return facts & FACT_EMPTY ? "0" : facts & (FACT_MINE | FACT_THEIRS) ? "1" : NULL;
}

static const char *member(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const IrExpr *x = e->kid[0], *set = e->kid[1];
    const char *known = member_by_facts(f, x, set);
    if (known)
        return known;
    if (set->type.kind == TY_SET && x->op == IR_PAST && em->one)
        return emit_some(em, emit_and(em, emit_past_set(em, f, x), emit_expr(em, f, set)));
    const char *a = emit_expr(em, f, x), *b = emit_expr(em, f, set);
    if (set->type.kind == TY_SET)
        return emit_has(em, b, a, emit_may_be_none(em, x));
    if (x->lo >= 0 && x->hi < 64)
        return emit_f(em, "(int)(%s >> %s & 1)", b, a);
    a = emit_temp(em, "int", a);
    return emit_f(em, "((unsigned)%s < 64 && (%s >> %s & 1))", a, b, a);
}

static const char *within(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const char *a = emit_expr(em, f, e->kid[0]), *b = emit_expr(em, f, e->kid[1]);
    if (e->kid[0]->type.kind == TY_SET && !em->one)
        return emit_f(em, "set_within(%s, %s)", a, b);
    return emit_f(em, "(!(%s & ~%s))", a, b);
}

// --- sets ---

static const char *algebra(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const char *a = emit_expr(em, f, e->kid[0]), *b = emit_expr(em, f, e->kid[1]);
    if (e->type.kind == TY_MASK) {
        const char *format = e->op == IR_AND  ? "(%s & %s)"
                             : e->op == IR_OR ? "(%s | %s)"
                                              : "(%s & ~%s)";
        return emit_f(em, format, a, b);
    }
    return e->op == IR_AND  ? emit_and(em, a, b)
           : e->op == IR_OR ? emit_or(em, a, b)
                            : emit_minus(em, a, b);
}

static const char *mask_of(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const IrExpr *x = e->kid[0];
    const char *a = emit_expr(em, f, x);
    int none = emit_none(em, x->type);
    if (x->lo >= 0 && x->hi < none && !x->type.optional)
        return emit_f(em, "(UINT64_C(1) << %s)", a);
    a = emit_temp(em, "int", a);
    return emit_f(em, "((unsigned)%s < %d ? UINT64_C(1) << %s : 0)", a, none, a);
}

static const char *count(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const char *a = emit_expr(em, f, e->kid[0]);
    bool set = e->kid[0]->type.kind == TY_SET;
    return emit_f(em, set ? "set_count(%s)" : "POPCOUNT(%s)", a);
}

static const char *first(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const char *a = emit_expr(em, f, e->kid[0]);
    if (e->kid[0]->type.kind == TY_SET)
        return emit_f(em, "set_first(%s)", a);
    a = emit_temp(em, "uint64_t", a);
    return emit_f(em, "(%s ? CTZ(%s) : %d)", a, a, emit_none(em, e->type));
}

// `some (if some A then A else B)` is `some A or some B`, and `some B` where A is a part of B.
static const IrExpr *simpler_some(Emitter *em, EmitFrame **f, const IrExpr *e) {
    e = emit_resolve(f, e);
    if (e->op == IR_CALL) {
        EmitFrame *inner = emit_call_frame(em, *f, e);
        const IrExpr *found = simpler_some(em, &inner, em->g->func[e->id]->body);
        if (found)
            *f = inner;
        return found;
    }
    if (e->op != IR_COND || e->kid[0]->op != IR_SOME ||
        !emit_same(em, e->kid[0]->kid[0], e->kid[1]))
        return NULL;
    EmitFrame *of = *f;
    const IrExpr *part = emit_resolve(&of, e->kid[1]);
    while (part->op == IR_CALL && em->g->func[part->id]->params == 0)
        part = em->g->func[part->id]->body;
    bool inside = part->op == IR_FILTER && emit_same(em, part->domain->a, e->kid[2]);
    return inside ? e->kid[2] : NULL;
}

static const char *some(Emitter *em, EmitFrame *f, const IrExpr *e) {
    EmitFrame *inner = f;
    const IrExpr *simple = simpler_some(em, &inner, e->kid[0]);
    if (simple)
        return emit_some(em, emit_expr(em, inner, simple));
    const char *a = emit_expr(em, f, e->kid[0]);
    return e->kid[0]->type.kind == TY_SET ? emit_some(em, a) : emit_f(em, "(%s != 0)", a);
}

static const char *binary(Emitter *em, EmitFrame *f, const IrExpr *e, const char *format) {
    const char *a = emit_expr(em, f, e->kid[0]), *b = emit_expr(em, f, e->kid[1]);
    return emit_f(em, "(%s %s %s)", a, format, b);
}

static const char *lower_higher(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const char *a = emit_temp(em, "int", emit_expr(em, f, e->kid[0]));
    const char *b = emit_temp(em, "int", emit_expr(em, f, e->kid[1]));
    return emit_f(em, "(%s %s %s ? %s : %s)", a, e->op == IR_LOWER ? "<" : ">", b, a, b);
}

// The divisor is never 0, but the text must be defined whatever the numbers are.
static const char *divide(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const char *a = emit_expr(em, f, e->kid[0]), *sign = e->op == IR_DIV ? "/" : "%";
    const IrExpr *d = e->kid[1];
    const char *b = emit_expr(em, f, d);
    if (e->kid[0]->lo == INT32_MIN && d->lo <= -1 && d->hi >= -1)
        a = emit_f(em, "(int64_t)%s", a); // the least number has no opposite in 32 bits
    if (d->lo > 0 || d->hi < 0)
        return emit_f(em, "(%s %s %s)", a, sign, b);
    b = emit_temp(em, "int", b);
    return emit_f(em, "(%s ? %s %s %s : 0)", b, a, sign, b);
}

// Numbers that go round: unsigned ones do.
static const char *unsigned_text(Emitter *em, EmitFrame *f, const IrExpr *e) {
    const char *sign = e->op == IR_ADD ? "+" : e->op == IR_SUB ? "-" : "*";
    switch (e->op) {
    case IR_ADD:
    case IR_SUB:
    case IR_MUL: {
        const char *a = unsigned_text(em, f, e->kid[0]);
        return emit_f(em, "(%s %s %s)", a, sign, unsigned_text(em, f, e->kid[1]));
    }
    case IR_NEG: return emit_f(em, "(0u - %s)", unsigned_text(em, f, e->kid[0]));
    case IR_ABS: {
        const char *a = emit_temp(em, "int", emit_expr(em, f, e->kid[0]));
        return emit_f(em, "(%s < 0 ? 0u - (unsigned)%s : (unsigned)%s)", a, a, a);
    }
    default: return emit_f(em, "(unsigned)%s", emit_expr(em, f, e));
    }
}

static const char *build(Emitter *em, EmitFrame *f, const IrExpr *e) {
    switch (e->op) {
    case IR_CONST: return emit_number(em, e->value);
    case IR_SET: return emit_set_literal(em, e->set);
    case IR_LOCAL: {
        const EmitLocal *l = &f->local[e->id];
        if (l->kind == BIND_EXPR)
            return emit_expr(em, l->in, l->expr);
        return l->kind == BIND_VALUE ? emit_number(em, l->value) : l->text ? l->text : "0";
    }
    case IR_ME: return "me";
    case IR_VAR: return variable(em, f, e);
    case IR_ATTR: return attribute(em, f, e);
    case IR_TABLE: return table(em, f, e);
    case IR_CALL: return call(em, f, e);
    case IR_OCCUPIED: return emit_f(em, "occupied(%s)", em->s);
    case IR_OWNED: return emit_owned(em, emit_expr(em, f, e->kid[0]));
    case IR_PLANE: return emit_f(em, "%s->plane[%s]", em->s, emit_plane_name(em, e->id));
    case IR_PIECES: return emit_pieces(em, f, e);
    case IR_KIND_AT:
    case IR_OWNER_AT:
    case IR_KIND_IN:
    case IR_OWNER_IN:
    case IR_HEIGHT: return emit_read_board(em, f, e);
    case IR_AND:
    case IR_OR:
    case IR_MINUS: return algebra(em, f, e);
    case IR_NOT_SET:
        if (em->kept && e->kid[0]->op == IR_OCCUPIED)
            return emit_f(em, "%s->empty", em->s);
        return emit_not(em, emit_expr(em, f, e->kid[0]));
    case IR_SINGLE: return emit_cell_set(em, f, e->kid[0]);
    case IR_MASK_OF: return mask_of(em, f, e);
    case IR_MEMBER: return member(em, f, e);
    case IR_WITHIN: return within(em, f, e);
    case IR_SOME: return some(em, f, e);
    case IR_COUNT: return count(em, f, e);
    case IR_FIRST: return first(em, f, e);
    case IR_FILTER: return emit_members(em, f, e->domain);
    case IR_IMAGE: return emit_image(em, f, e);
    case IR_RAY_WHILE:
    case IR_RAY_UNTIL:
    case IR_PAST: return emit_ray(em, f, e);
    case IR_FLOOD: return emit_flood(em, f, e);
    case IR_LINE_SET:
        emit_line_sets(em);
        return emit_f(em, "line_set[%s]", emit_expr(em, f, e->kid[0]));
    case IR_ANY:
    case IR_ALL:
    case IR_TALLY:
    case IR_SUM:
    case IR_MIN:
    case IR_MAX:
    case IR_UNION:
    case IR_LEAST:
    case IR_MOST: return emit_loop(em, f, e);
    case IR_ADD: return binary(em, f, e, "+");
    case IR_SUB: return binary(em, f, e, "-");
    case IR_MUL: return binary(em, f, e, "*");
    case IR_DIV:
    case IR_MOD: return divide(em, f, e);
    case IR_NEG: return emit_f(em, "(-%s)", emit_expr(em, f, e->kid[0]));
    case IR_ABS: {
        const char *a = emit_temp(em, "int", emit_expr(em, f, e->kid[0]));
        return emit_f(em, "(%s < 0 ? -%s : %s)", a, a, a);
    }
    case IR_WRAP: return emit_f(em, "(int)%s", unsigned_text(em, f, e->kid[0]));
    case IR_LOWER:
    case IR_HIGHER: return lower_higher(em, f, e);
    case IR_EQ:
    case IR_NE: return equal(em, f, e);
    case IR_LT: return binary(em, f, e, "<");
    case IR_LE: return binary(em, f, e, "<=");
    case IR_BOTH:
    case IR_EITHER: return logic(em, f, e);
    case IR_NOT: return emit_f(em, "(!%s)", emit_expr(em, f, e->kid[0]));
    case IR_COND: return conditional(em, f, e);
    case IR_KNOWN:
    case IR_KNOWN_COUNT:
    case IR_KNOWN_SET:
    case IR_BEFORE: return emit_known_expr(em, f, e);
    }
    return "0";
}

const char *emit_expr(Emitter *em, EmitFrame *f, const IrExpr *e) {
    if (e->op == IR_LOCAL || e->op == IR_ME || e->op == IR_CONST)
        return build(em, f, e);
    const char *fixed = emit_fixed(em, f, e);
    if (fixed)
        return fixed;
    if (!emit_expensive(em, e))
        return build(em, f, e);
    const char *known = emit_find_known(em, f, e);
    if (known)
        return known;
    const char *value = emit_temp(em, emit_type(e->type), build(em, f, e));
    emit_learn(em, f, e, value);
    return value;
}
