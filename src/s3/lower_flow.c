// Statements, branches, and what is known at a point of the rules. See lower.h.

#include "s3/lower.h"

#include <stdarg.h>
#include <stdio.h>

#define MOST_STATEMENTS 20000

// --- messages ---

static char *message(Lower *l, const char *format, va_list args) {
    char text[400];
    vsnprintf(text, sizeof text, format, args);
    return arena_text(l->arena, text, strlen(text));
}

void lower_error(Lower *l, Span span, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = message(l, format, args);
    va_end(args);
    if (l->too_large) // what comes behind it is made up, and the next attempt sees it again
        return;
    if (!l->broken)
        diag_error(l->diags, span, "%s", text);
    l->broken = true;
}

void lower_warn(Lower *l, Span span, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = message(l, format, args);
    va_end(args);
    if (l->quiet)
        return;
    for (int i = 0; i < l->diags->count; i++) {
        const Diag *d = &l->diags->items[i];
        if (d->span.line != span.line)
            continue;
        // The reader, or an earlier look, has told what is the matter at this place.
        if (strcmp(d->message, text) == 0 || (d->span.column == span.column && span.line > 0))
            return;
    }
    diag_warn(l->diags, span, "%s", text);
}

// --- statements ---

Y *y_add(Lower *l, IrStmtKind kind, Span span) {
    if (++l->statements > MOST_STATEMENTS)
        l->too_large = true;
    Y *y = ARENA_NEW(l->arena, Y);
    y->kind = kind;
    y->span = span;
    if (l->block->last)
        l->block->last->next = y;
    else
        l->block->first = y;
    return l->block->last = y;
}

X *y_let(Lower *l, X *x, const char *name) {
    if (x->op == X_CONST || x->op == X_LOCAL)
        return x;
    int slot = x_new_slot(l, x->type, x->lo, x->hi, name, NULL);
    Y *y = y_add(l, ST_LET, l->at);
    y->id = slot;
    y->x[0] = x;
    return x_local(l, slot);
}

// --- errors while playing ---

static void add_fail(Lower *l, Span span, const char *text) {
    y_add(l, ST_FAIL, span)->text = arena_printf(l->arena, "line %d: %s", span.line, text);
}

void flow_fail(Lower *l, Span span, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = message(l, format, args);
    va_end(args);
    if (l->dead)
        return;
    lower_warn(l, span, "%s: the game stops when it gets here", text);
    add_fail(l, span, text);
    l->dead = true;
}

void flow_fail_if(Lower *l, X *x, Span span, const char *format, ...) {
    x = flow_known(l, x);
    if (x_is(x, 0) || l->dead)
        return;
    va_list args;
    va_start(args, format);
    const char *text = message(l, format, args);
    va_end(args);
    if (x->op == X_CONST) {
        flow_fail(l, span, "%s", text);
        return;
    }
    Y *y = y_add(l, ST_IF, span);
    y->x[0] = x;
    Block body = {0}, *outer = l->block;
    l->block = &body;
    add_fail(l, span, text);
    l->block = outer;
    y->body = body.first;
    flow_assume(l, x, false);
}

// --- what is known ---

void flow_assume(Lower *l, X *x, bool holds) {
    if (x->op == X_CONST)
        return;
    if (x->op == X_NOT) {
        flow_assume(l, x->kid[0], !holds);
        return;
    }
    if ((x->op == X_BOTH && holds) || (x->op == X_EITHER && !holds)) {
        flow_assume(l, x->kid[0], holds);
        flow_assume(l, x->kid[1], holds);
    }
    ARENA_GROW(l->arena, Fact, l->fact, l->facts, l->fact_cap);
    l->fact[l->facts++] = (Fact){x, holds};
}

// Whether f, a condition on one atom, decides x, another on the same.
static int decides(const Fact *f, const X *x) {
    if (f->x->op != X_FUN || x->op != X_FUN || f->x->kid[0] != x->kid[0])
        return -1;
    const X *atom = x->kid[0];
    int found = -2;
    for (int64_t v = atom->lo; v <= atom->hi; v++) {
        int64_t i = v - atom->lo;
        if (!x_in_domain(atom, v) || (f->x->tab[i] != 0) != f->holds)
            continue;
        int now = x->tab[i] != 0;
        if (found >= 0 && found != now)
            return -1;
        found = now;
    }
    return found < 0 ? -1 : found;
}

X *flow_known(Lower *l, X *x) {
    if (x->op == X_CONST || x->type != T_BOOL)
        return x;
    for (int i = l->facts - 1; i >= 0; i--) {
        const Fact *f = &l->fact[i];
        if (!f->x)
            continue;
        if (f->x == x)
            return x_bool(l, f->holds);
        int d = decides(f, x);
        if (d >= 0)
            return x_bool(l, d);
    }
    switch (x->op) {
    case X_NOT: return x_not(l, flow_known(l, x->kid[0]));
    case X_BOTH: return x_both(l, flow_known(l, x->kid[0]), flow_known(l, x->kid[1]));
    case X_EITHER: return x_either(l, flow_known(l, x->kid[0]), flow_known(l, x->kid[1]));
    case X_COND: {
        int64_t holds;
        X *c = flow_known(l, x->kid[0]);
        if (x_known(c, &holds))
            return flow_known(l, x->kid[holds ? 1 : 2]);
        return x_decide(l, x);
    }
    default: return x_decide(l, x);
    }
}

// Larger ones are left as they are: parts that occur often would be looked at each time.
#define MOST_NARROWED 400

// A function of one thing, where what is known of the thing leaves one value.
static X *narrowed_table(Lower *l, X *x) {
    const X *atom = x->kid[0];
    int64_t only = 0;
    bool any = false;
    int facts = 0;
    const X *about[8];
    bool holds[8];
    for (int i = l->facts - 1; i >= 0 && facts < 8; i--) {
        X *f = l->fact[i].x;
        if (f && f->op == X_FUN && f->kid[0] == atom) {
            about[facts] = f;
            holds[facts++] = l->fact[i].holds;
        }
    }
    if (!facts)
        return x;
    for (int64_t v = atom->lo; v <= atom->hi; v++) {
        int64_t i = v - atom->lo;
        bool in = x_in_domain(atom, v);
        for (int k = 0; k < facts && in; k++)
            in = (about[k]->tab[i] != 0) == holds[k];
        if (!in)
            continue;
        if (any && x->tab[i] != only)
            return x;
        only = x->tab[i];
        any = true;
    }
    return !any ? x : x->type == T_CELL ? x_cell(l, (int)only) : x_int(l, only);
}

// Of a value that was chosen by conditions, what those that are known leave.
static X *narrowed(Lower *l, X *x) {
    int64_t holds;
    while (x->op == X_COND && x->kid[0]->weight < MOST_NARROWED &&
           x_known(flow_known(l, x->kid[0]), &holds))
        x = x->kid[holds ? 1 : 2];
    if (x->type == T_SET || x->type == T_BOOL || x->weight >= MOST_NARROWED)
        return x;
    if (x->op == X_FUN)
        return narrowed_table(l, x);
    if (x->op == X_SUM) {
        X *sum = x_int(l, x->value);
        bool same = true;
        for (int i = 0; i < x->kids; i++) {
            X *kid = narrowed(l, x->kid[i]);
            same &= kid == x->kid[i];
            sum = x_add(l, sum, kid, x->tab[i]);
        }
        return same ? x : sum;
    }
    if (x->op != X_COND)
        return x;
    X *a = narrowed(l, x->kid[1]), *b = narrowed(l, x->kid[2]);
    return a == x->kid[1] && b == x->kid[2] ? x : x_cond(l, x->kid[0], a, b);
}

Value flow_narrowed(Lower *l, Value v) {
    int64_t holds;
    while (v.kind == V_EITHER && x_known(flow_known(l, v.x), &holds))
        v = holds ? *v.a : *v.b;
    if (v.kind == V_EITHER) {
        Value *both = ARENA_ARRAY(l->arena, Value, 2);
        both[0] = flow_narrowed(l, *v.a);
        both[1] = flow_narrowed(l, *v.b);
        v.x = flow_known(l, v.x);
        v.a = &both[0];
        v.b = &both[1];
    }
    if (v.kind == V_INT || v.kind == V_BOOL || (v.kind == V_STRING && v.space != SP_TEXT))
        v.x = narrowed(l, v.x);
    return v;
}

// --- places to come back to ---

Kept flow_keep(const Lower *l) {
    return (Kept){.env = l->env,
                  .player = l->player,
                  .from = l->from,
                  .to = l->to,
                  .element = l->element,
                  .from_plane = l->from_plane,
                  .block = l->block,
                  .fact = l->fact,
                  .facts = l->facts,
                  .fact_cap = l->fact_cap,
                  .frame = l->frame,
                  .dead = l->dead,
                  .quiet = l->quiet,
                  .position_fixed = l->position_fixed,
                  .moved = l->moved};
}

void flow_put_back(Lower *l, const Kept *k) {
    l->env = k->env;
    l->player = k->player;
    l->from = k->from;
    l->to = k->to;
    l->element = k->element;
    l->from_plane = k->from_plane;
    l->block = k->block;
    l->fact = k->fact;
    l->facts = k->facts;
    l->fact_cap = k->facts; // what comes next gets a place of its own
    l->frame = k->frame;
    l->dead = k->dead;
    l->quiet = k->quiet;
    l->position_fixed = k->position_fixed;
    l->moved = k->moved;
}

void flow_own_facts(Lower *l) {
    Fact *copy = ARENA_ARRAY(l->arena, Fact, l->facts + 8);
    if (l->facts)
        memcpy(copy, l->fact, sizeof *copy * (size_t)l->facts);
    l->fact = copy;
    l->fact_cap = l->facts + 8;
}

// --- values that stay ---

static X *frozen(Lower *l, X *x, unsigned changes) {
    return x->reads & changes ? y_let(l, x, "kept") : x;
}

Value flow_frozen(Lower *l, Value v, unsigned changes) {
    if (v.x)
        v.x = frozen(l, v.x, changes);
    if (v.kind == V_EITHER) {
        Value *a = ARENA_ARRAY(l->arena, Value, 2);
        a[0] = flow_frozen(l, *v.a, changes);
        a[1] = flow_frozen(l, *v.b, changes);
        v.a = &a[0];
        v.b = &a[1];
    }
    if (v.kind == V_STRING && v.space == SP_TEXT) {
        X **index = ARENA_ARRAY(l->arena, X *, v.shape->indices + 1);
        for (int i = 0; i < v.shape->indices; i++)
            index[i] = frozen(l, v.index[i], changes);
        v.index = index;
    }
    if (v.items) {
        Item *item = ARENA_ARRAY(l->arena, Item, v.items);
        for (int i = 0; i < v.items; i++) {
            item[i].when = v.item[i].when ? frozen(l, v.item[i].when, changes) : NULL;
            item[i].value = flow_frozen(l, v.item[i].value, changes);
        }
        v.item = item;
    }
    return v;
}

void flow_freeze(Lower *l, unsigned changes) {
    for (int i = 0; i < l->vars; i++)
        l->env[i] = flow_frozen(l, l->env[i], changes);
    l->player = frozen(l, l->player, changes);
    for (int i = 0; i < l->facts; i++)
        if (l->fact[i].x && l->fact[i].x->reads & changes)
            l->fact[i].x = NULL;
}
