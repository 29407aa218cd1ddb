// FORALL and FORSOME: unrolled where that is short, else a loop. See lower.h.

#include "s3/lower.h"

// Rounds that are written out; where the position changes in them, fewer.
#define UNROLL 72
#define UNROLL_CHANGES 20
#define UNROLL_FRUGAL 3
// No loop of a turn should take longer; the rules fail when one does.
#define MOST_ROUNDS 100000

// --- variables that go from round to round ---

Carrier carrier_join(Carrier a, Carrier b) {
    Carrier c = a.kind == V_UNBOUND ? b : a;
    c.maybe = a.maybe || b.maybe;
    if (a.kind == V_UNBOUND || b.kind == V_UNBOUND)
        return c;
    if (a.kind != b.kind) {
        c.kind = a.kind == V_LOST || b.kind == V_LOST ? V_LOST : V_EITHER;
        c.space = SP_WORD;
    }
    if (a.kind == V_STRING && a.space != b.space)
        c.space = SP_WORD;
    return c;
}

Carrier carrier_of(const Value *v) {
    Carrier c = {.kind = v->kind};
    switch (v->kind) {
    case V_INT:
    case V_BOOL: return c;
    case V_STRING: c.space = v->space == SP_TEXT ? SP_WORD : v->space; return c;
    case V_UNBOUND: c.maybe = true; return c;
    case V_EITHER: return carrier_join(carrier_of(v->a), carrier_of(v->b));
    default: c.kind = V_LOST; return c;
    }
}

bool carrier_tagged(Carrier c, XType *type, int32_t *hi) {
    *type = c.kind == V_EITHER ? T_INT : T_BOOL;
    *hi = c.kind == V_EITHER ? V_STRING : 1;
    return c.maybe || c.kind == V_EITHER;
}

void carrier_range(const Lower *l, Carrier c, XType *type, int32_t *lo, int32_t *hi) {
    *type = T_INT;
    *lo = 0;
    switch (c.kind) {
    case V_BOOL:
        *type = T_BOOL;
        *hi = 1;
        return;
    case V_STRING:
        *type = c.space == SP_CELL ? T_CELL : T_INT;
        *hi = c.space == SP_CELL      ? l->f->locations
              : c.space == SP_ELEMENT ? l->f->elements
                                      : l->words - 1;
        return;
    default:
        *lo = INT32_MIN;
        *hi = INT32_MAX;
        return;
    }
}

void carrier_pack(Lower *l, Carrier c, const Value *v, X **x, X **has) {
    XType type;
    int32_t lo, hi;
    carrier_range(l, c, &type, &lo, &hi);
    if (v->kind == V_EITHER) {
        X *a, *b, *has_a, *has_b;
        carrier_pack(l, c, v->a, &a, &has_a);
        carrier_pack(l, c, v->b, &b, &has_b);
        *x = x_cond(l, v->x, a, b);
        *has = x_cond(l, v->x, has_a, has_b);
        return;
    }
    *has = c.kind == V_EITHER ? x_int(l, v->kind) : x_bool(l, v->kind != V_UNBOUND);
    if (v->kind == V_UNBOUND || c.kind == V_LOST)
        *x = type == T_CELL ? x_cell(l, 0) : type == T_BOOL ? x_bool(l, false) : x_int(l, 0);
    else if (v->kind == V_STRING)
        *x = string_as(l, *v, c.space);
    else
        *x = c.kind == V_EITHER && v->kind == V_BOOL ? x_cond(l, v->x, x_int(l, 1), x_int(l, 0))
                                                     : v->x;
}

// The number as each of the kinds that it can be.
static Value by_tag(Lower *l, X *x, X *tag, bool maybe) {
    X *word = x_arith(l, X_ABS, x_arith(l, X_MOD, x, x_int(l, l->words)), NULL);
    Value v = value_string(SP_WORD, word);
    v = value_merge(l, x_compare(l, X_EQ, tag, x_int(l, V_BOOL)),
                    value_bool(x_not(l, x_compare(l, X_EQ, x, x_int(l, 0)))), v);
    v = value_merge(l, x_compare(l, X_EQ, tag, x_int(l, V_INT)), value_int(x), v);
    if (maybe)
        v = value_merge(l, x_compare(l, X_EQ, tag, x_int(l, V_UNBOUND)), (Value){.kind = V_UNBOUND},
                        v);
    return v;
}

Value carrier_value(Lower *l, Carrier c, X *x, X *has) {
    Value v = {.kind = c.kind, .space = c.space, .x = x};
    if (c.kind == V_EITHER)
        return by_tag(l, x, has, c.maybe);
    if (c.kind == V_UNBOUND || c.kind == V_LOST)
        v.x = NULL;
    if (!c.maybe || c.kind == V_UNBOUND)
        return v;
    return value_merge(l, has, v, (Value){.kind = V_UNBOUND});
}

// --- loops that stay loops ---

typedef struct Carried {
    int var; // -1: the player on move
    Carrier carrier;
    int slot, has; // locals
} Carried;

typedef struct Loop {
    const S3Node *node;
    int var;
    X *first, *last, *i;
    bool all;
    Carried *carried;
    int count;
    unsigned changes;
} Loop;

static void set_local(Lower *l, int slot, X *x) {
    Y *y = y_add(l, ST_LET, l->at);
    y->id = slot;
    y->x[0] = x;
}

static Value carried_value(Lower *l, const Carried *c) {
    XType type;
    int32_t hi;
    X *has = carrier_tagged(c->carrier, &type, &hi) ? x_local(l, c->has) : NULL;
    return carrier_value(l, c->carrier, x_local(l, c->slot), has);
}

static void begin_round(Lower *l, Loop *o) {
    for (int n = 0; n < o->count; n++) {
        const Carried *c = &o->carried[n];
        if (c->var < 0)
            l->player = x_local(l, c->slot);
        else
            l->env[c->var] = carried_value(l, c);
    }
    l->env[o->var] = value_int(o->i);
}

static void make_carriers(Lower *l, Loop *o) {
    for (int n = 0; n < o->count; n++) {
        Carried *c = &o->carried[n];
        XType type = T_INT;
        int32_t lo = 1, hi = l->f->players;
        if (c->var >= 0)
            carrier_range(l, c->carrier, &type, &lo, &hi);
        c->slot = x_new_slot(l, type, lo, hi, c->var < 0 ? "player" : l->var[c->var], NULL);
        int32_t most;
        carrier_tagged(c->carrier, &type, &most);
        c->has = x_new_slot(l, type, 0, most, "bound", NULL);
    }
}

// A round whose statements are thrown away: what kinds of values come out of it?
static bool try_round(Lower *l, Loop *o) {
    Kept kept = flow_keep(l);
    Block block = {0};
    bool same = true;
    make_carriers(l, o);
    l->env = env_copy(l);
    l->block = &block;
    l->quiet = true;
    flow_own_facts(l);
    begin_round(l, o);
    follow(l, o->node->kid[3], false);
    for (int n = 0; n < o->count && !l->dead; n++) {
        Carried *c = &o->carried[n];
        if (c->var < 0)
            continue;
        Carrier both = carrier_join(c->carrier, carrier_of(&l->env[c->var]));
        same &= both.kind == c->carrier.kind && both.space == c->carrier.space &&
                both.maybe == c->carrier.maybe;
        c->carrier = both;
    }
    flow_put_back(l, &kept);
    return same;
}

static void carry(Lower *l, Loop *o) {
    X **x = ARENA_ARRAY(l->arena, X *, 2 * o->count + 2);
    for (int n = 0; n < o->count; n++) {
        const Carried *c = &o->carried[n];
        X *has = x_bool(l, true);
        if (c->var < 0)
            x[2 * n] = l->player;
        else
            carrier_pack(l, c->carrier, &l->env[c->var], &x[2 * n], &has);
        x[2 * n] = y_let(l, x[2 * n], "next");
        x[2 * n + 1] = y_let(l, has, "next");
    }
    for (int n = 0; n < o->count; n++) {
        set_local(l, o->carried[n].slot, x[2 * n]);
        XType type;
        int32_t hi;
        if (carrier_tagged(o->carried[n].carrier, &type, &hi))
            set_local(l, o->carried[n].has, x[2 * n + 1]);
    }
}

static Value run_loop(Lower *l, Loop *o) {
    Effects e;
    kinds_effects(l, o->node->kid[3], &e);
    e.assigns[o->var / 64] |= (uint64_t)1 << (o->var % 64);
    flow_freeze(l, o->changes);
    o->first = y_let(l, o->first, "first");
    o->last = y_let(l, o->last, "last");
    int32_t lo = o->first->lo < o->last->lo ? o->first->lo : o->last->lo;
    int32_t hi = o->first->hi > o->last->hi ? o->first->hi : o->last->hi;
    int i = x_new_slot(l, T_INT, lo, hi, l->var[o->var], NULL);
    o->i = x_local(l, i);
    o->carried = ARENA_ARRAY(l->arena, Carried, l->vars + 1);
    for (int v = 0; v < l->vars; v++)
        if (e.assigns[v / 64] >> (v % 64) & 1)
            o->carried[o->count++] = (Carried){.var = v, .carrier = carrier_of(&l->env[v])};
    if (e.next)
        o->carried[o->count++] = (Carried){.var = -1};
    for (int n = 0; n < 6 && !l->broken && !l->too_large; n++)
        if (try_round(l, o))
            break;
    make_carriers(l, o);
    carry(l, o);
    int done = x_new_slot(l, T_BOOL, 0, 1, "done", NULL);
    int result = x_new_slot(l, T_BOOL, 0, 1, "result", NULL);
    set_local(l, i, o->first);
    set_local(l, done, x_bool(l, false));
    set_local(l, result, x_bool(l, o->all));
    Y *loop = y_add(l, ST_WHILE, o->node->span);
    loop->x[0] = x_not(l, x_local(l, done));
    int64_t rounds = (int64_t)hi - lo + 1;
    loop->id = rounds < MOST_ROUNDS ? (int)rounds : MOST_ROUNDS;
    Block body = {0}, *outer = l->block;
    int facts = l->facts;
    Fact *fact = l->fact;
    flow_own_facts(l);
    l->block = &body;
    begin_round(l, o);
    X *x = need_bool(l, follow(l, o->node->kid[3], false), o->node->kid[3]->span);
    bool dead = l->dead;
    x = y_let(l, x, "holds");
    X *stop = o->all ? x_not(l, x) : x;
    carry(l, o);
    set_local(l, result, x);
    X *at_end = x_compare(l, X_EQ, o->i, o->last);
    set_local(l, done, x_either(l, stop, at_end));
    X *up = x_not(l, x_compare(l, X_LT, o->last, o->i));
    X *next =
        x_cond(l, at_end, o->i,
               x_cond(l, up, x_add(l, o->i, x_int(l, 1), 1), x_add(l, o->i, x_int(l, 1), -1)));
    set_local(l, i, next);
    l->block = outer;
    loop->body = body.first;
    l->fact = fact;
    l->facts = l->fact_cap = facts;
    l->dead = dead;
    begin_round(l, o);
    for (int n = 0; n < o->count; n++) // the variable itself keeps what it had
        if (o->carried[n].var == o->var)
            l->env[o->var] = carried_value(l, &o->carried[n]);
    return value_bool(x_local(l, result));
}

// --- loops written out ---

static Value round_from(Lower *l, const Loop *o, int64_t i, int64_t last, bool holds) {
    const S3Node *body = o->node->kid[3];
    l->env[o->var] = value_int(x_int(l, i));
    X *x = need_bool(l, follow(l, body, holds && (o->all || i == last)), body->span);
    x = flow_known(l, x);
    if (l->dead || l->too_large || l->broken || i == last)
        return value_bool(x);
    int64_t next = i < last ? i + 1 : i - 1;
    if (holds && o->all) {
        flow_assume(l, x, true);
        return round_from(l, o, next, last, holds);
    }
    if (x->op == X_CONST)
        return (x->value != 0) == o->all ? round_from(l, o, next, last, holds) : value_bool(x);
    Fork k;
    flow_fork(l, &k, o->all ? x : x_not(l, x), o->changes);
    flow_enter(l, &k, 0);
    flow_leave(l, &k, 0, round_from(l, o, next, last, holds));
    flow_enter(l, &k, 1);
    flow_leave(l, &k, 1, value_bool(x_bool(l, !o->all)));
    return flow_join(l, &k);
}

Value follow_loop(Lower *l, const S3Node *node, bool holds) {
    if (node->kid[0]->kind != S3_VAR) {
        flow_fail(l, node->kid[0]->span, "a loop needs a variable");
        return value_bool(x_bool(l, false));
    }
    Loop o = {.node = node, .all = node->op == S3_FORALL, .var = word_var(l, node->kid[0]->name)};
    o.first = need_int(l, follow(l, node->kid[1], false), node->kid[1]->span);
    unsigned changes = kinds_changes(l, node->kid[2]);
    if (o.first->reads & changes)
        o.first = y_let(l, o.first, "first");
    o.last = need_int(l, follow(l, node->kid[2], false), node->kid[2]->span);
    if (l->dead)
        return value_bool(x_bool(l, false));
    o.changes = kinds_changes(l, node->kid[3]);
    int most = o.changes ? UNROLL_CHANGES : UNROLL;
    if (l->frugal)
        most = UNROLL_FRUGAL;
    int64_t a, b;
    if (x_known(o.first, &a) && x_known(o.last, &b) && (a < b ? b - a : a - b) < most)
        return round_from(l, &o, a, b, holds);
    return run_loop(l, &o);
}
