// Pairs of cells: choose from in S, choose to in one or two steps from it.
//
// For every way that leads from one to the other, the cells where it leads from all of S together
// are a set: the union of the steps, cut down by the conditions on `to`. As many members as all
// these sets have, as many moves there are, and each member tells where it comes from.
#include "native/emitter.h"

#include <string.h>

#define MOST_TERMS 32

typedef struct Term {
    const char *text; // cells where the second choice leads
    int *to;          // from each cell, `cells` for nowhere
} Term;

typedef struct Terms {
    Term term[MOST_TERMS];
    int count;
} Terms;

static bool add_term(Emitter *em, Terms *terms, const char *text, int *to) {
    if (strcmp(text, "SET_EMPTY") == 0)
        return true;
    for (int n = 0; n < terms->count; n++) {
        Term *old = &terms->term[n];
        bool same = true, meet = false;
        for (int c = 0; c < em->cells; c++) {
            same &= old->to[c] == to[c];
            meet |= old->to[c] == to[c] && to[c] < em->cells;
        }
        if (same) {
            old->text = emit_or(em, old->text, text);
            return true;
        }
        if (meet)
            return false; // a move would be found twice
    }
    if (terms->count == MOST_TERMS)
        return false;
    terms->term[terms->count++] = (Term){text, to};
    return true;
}

// The distance from `from` to `to` if all steps of a term have the same, else 0.
static int distance_of(const Emitter *em, const Term *term) {
    int by = 0;
    for (int c = 0; c < em->cells; c++) {
        if (term->to[c] >= em->cells)
            continue;
        if (by && term->to[c] - c != by)
            return 0;
        by = term->to[c] - c;
    }
    return by;
}

typedef struct Expand {
    Emitter *em;
    int player;
} Expand;

static bool expand(const Expand *x, EmitFrame *f, const IrExpr *e, const char *from, Terms *out);

static bool expand_step(const Expand *x, EmitFrame *f, const IrExpr *e, const char *from,
                        Terms *out) {
    Emitter *em = x->em;
    const Board *b = em->b;
    IrValue d;
    Terms inner = {0};
    if (em->g->table[e->id]->sets || !emit_is_step(em, em->g->table[e->id]) ||
        !emit_eval(em, f, e->kid[1], x->player, &d) || d.number < 0 || d.number >= b->directions ||
        !expand(x, f, e->kid[0], from, &inner))
        return false;
    IrExpr direction = {.op = IR_CONST, .value = d.number, .type = {.kind = TY_DIRECTION}};
    for (int n = 0; n < inner.count; n++) {
        int *to = ARENA_ARRAY(em->arena, int, em->cells + 1);
        for (int c = 0; c <= em->cells; c++)
            to[c] = b->step[inner.term[n].to[c] * b->directions + (int)d.number];
        if (!add_term(em, out, emit_shift(em, f, inner.term[n].text, &direction, false), to))
            return false;
    }
    return true;
}

static bool expand_union(const Expand *x, EmitFrame *f, const IrExpr *e, const char *from,
                         Terms *out) {
    Emitter *em = x->em;
    const IrDomain *d = e->domain;
    IrValue mask;
    if (d->kind != DOM_MASK || d->where)
        return false;
    bool known = emit_eval(em, f, d->a, x->player, &mask);
    uint64_t bound = known ? (uint64_t)mask.number : emit_mask_bound(em, f, d->a);
    EmitLocal kept = f->local[d->slot];
    bool ok = bits_count(bound) <= 8;
    while (ok && bound) {
        int n = bits_pop(&bound);
        const char *start = from;
        if (!known) { // only from cells that go this way
            IrExpr way = {
                .op = IR_CONST, .value = n, .hi = n, .lo = n, .type = {.kind = d->a->type.of}};
            IrExpr goes = {.op = IR_MEMBER, .kid = {&way, d->a}, .type = {.kind = TY_BOOL}};
            const char *who = emit_lift(em, f, &goes);
            start = who ? emit_and(em, from, who) : NULL;
        }
        f->local[d->slot] = (EmitLocal){.kind = BIND_VALUE, .value = n};
        ok = start && expand(x, f, e->kid[0], start, out);
    }
    f->local[d->slot] = kept;
    return ok;
}

static bool expand_and(const Expand *x, EmitFrame *f, const IrExpr *e, const char *from,
                       Terms *out) {
    Emitter *em = x->em;
    const IrExpr *a = e->kid[0], *b = e->kid[1];
    if (e->op == IR_AND && !emit_depends(em, f, a)) {
        a = e->kid[1];
        b = e->kid[0];
    }
    Terms inner = {0};
    if (emit_depends(em, f, b) || !expand(x, f, a, from, &inner))
        return false;
    const char *set = emit_temp(em, "Set", emit_expr(em, f, b));
    for (int n = 0; n < inner.count; n++) {
        const char *text = inner.term[n].text;
        text = e->op == IR_AND ? emit_and(em, text, set) : emit_minus(em, text, set);
        if (!add_term(em, out, text, inner.term[n].to))
            return false;
    }
    return true;
}

static bool expand_cond(const Expand *x, EmitFrame *f, const IrExpr *e, const char *from,
                        Terms *out) {
    Emitter *em = x->em;
    const char *who = emit_lift(em, f, e->kid[0]);
    if (!who)
        return false;
    who = emit_temp(em, "Set", who);
    return expand(x, f, e->kid[1], emit_and(em, from, who), out) &&
           expand(x, f, e->kid[2], emit_minus(em, from, who), out);
}

// A table of sets: a term for each distance between a cell and a member of its set.
static bool expand_sets(const Expand *x, EmitFrame *f, const IrExpr *e, const char *from,
                        Terms *out) {
    Emitter *em = x->em;
    const IrTable *t = em->g->table[e->id];
    if (!t->sets || t->dims != 1 || t->base[0] || t->size[0] < em->cells ||
        !emit_is_it(f, e->kid[0]))
        return false;
    for (int by = 1 - em->cells; by < em->cells; by++) {
        int *to = ARENA_ARRAY(em->arena, int, em->cells + 1);
        bool any = false;
        to[em->cells] = em->cells;
        for (int c = 0; c < em->cells; c++) {
            int k = c + by;
            bool on = k >= 0 && k < em->cells && (t->sets[c * em->words + k / 64] >> (k % 64) & 1);
            to[c] = on ? k : em->cells;
            any |= on;
        }
        if (any && !add_term(em, out, emit_moved(em, from, to, false), to))
            return false;
    }
    return true;
}

// Where a term leads, as an expression of the member: c + by, none where it leads nowhere.
static const IrExpr *way(Emitter *em, const Term *term, int slot) {
    IrType cell = {.kind = TY_CELL, .optional = true}, plain = {.kind = TY_CELL};
    IrExpr *e = ARENA_ARRAY(em->arena, IrExpr, 7);
    uint64_t *on = ARENA_ARRAY(em->arena, uint64_t, em->words);
    int by = 0;
    for (int c = 0; c < em->cells; c++)
        if (term->to[c] < em->cells) {
            by = term->to[c] - c;
            on[c / 64] |= (uint64_t)1 << (c % 64);
        }
    e[0] = (IrExpr){.op = IR_LOCAL, .type = plain, .id = slot, .hi = em->cells - 1};
    e[1] = (IrExpr){.op = IR_SET, .type = {.kind = TY_SET}, .set = on};
    e[2] = (IrExpr){.op = IR_MEMBER, .type = {.kind = TY_BOOL}, .hi = 1, .kid = {&e[0], &e[1]}};
    e[3] = (IrExpr){.op = IR_CONST, .type = {.kind = TY_INT}, .value = by, .lo = by, .hi = by};
    e[4] = (IrExpr){.op = IR_ADD, .type = plain, .hi = em->cells - 1, .kid = {&e[0], &e[3]}};
    e[5] = (IrExpr){
        .op = IR_CONST, .type = cell, .value = em->cells, .lo = em->cells, .hi = em->cells};
    e[6] = (IrExpr){.op = IR_COND, .type = cell, .hi = em->cells, .kid = {&e[2], &e[4], &e[5]}};
    return &e[6];
}

// Members that pass a test which may look at both cells: for each term it is one on the first.
static bool expand_filter(const Expand *x, EmitFrame *f, const IrExpr *e, const char *from,
                          Terms *out) {
    Emitter *em = x->em;
    const IrDomain *d = e->domain;
    Terms inner = {0};
    int slot = -1;
    for (int n = 0; n < f->ir->slots; n++)
        if (f->local[n].kind == BIND_IT)
            slot = n;
    if (slot < 0 || d->kind != DOM_SET || !d->where || !expand(x, f, d->a, from, &inner))
        return false;
    bool ok = true;
    EmitLocal kept = f->local[d->slot];
    for (int n = 0; ok && n < inner.count; n++) {
        if (!distance_of(em, &inner.term[n]))
            return false;
        f->local[d->slot] =
            (EmitLocal){.kind = BIND_EXPR, .expr = way(em, &inner.term[n], slot), .in = f};
        const char *pass = emit_lift(em, f, d->where);
        f->local[d->slot] = kept;
        ok = pass &&
             add_term(em, out,
                      emit_and(em, inner.term[n].text,
                               emit_moved(em, emit_temp(em, "Set", pass), inner.term[n].to, false)),
                      inner.term[n].to);
    }
    return ok;
}

// The cells in e(it) for all members of `from` at once, by where they lie from the member.
static bool expand(const Expand *x, EmitFrame *f, const IrExpr *e, const char *from, Terms *out) {
    Emitter *em = x->em;
    e = emit_resolve(&f, e);
    switch (e->op) {
    case IR_SINGLE: {
        if (!emit_is_it(f, e->kid[0]))
            return false;
        int *to = ARENA_ARRAY(em->arena, int, em->cells + 1);
        for (int c = 0; c <= em->cells; c++)
            to[c] = c;
        return add_term(em, out, from, to);
    }
    case IR_SET:
        for (int w = 0; w < em->words; w++)
            if (e->set[w])
                return false;
        return true;
    case IR_IMAGE: return expand_step(x, f, e, from, out);
    case IR_TABLE: return expand_sets(x, f, e, from, out);
    case IR_FILTER: return expand_filter(x, f, e, from, out);
    case IR_AND:
    case IR_MINUS: return expand_and(x, f, e, from, out);
    case IR_OR: return expand(x, f, e->kid[0], from, out) && expand(x, f, e->kid[1], from, out);
    case IR_UNION: return expand_union(x, f, e, from, out);
    case IR_COND: return expand_cond(x, f, e, from, out);
    case IR_CALL: return expand(x, emit_call_frame(em, f, e), em->g->func[e->id]->body, from, out);
    default: return false;
    }
}

// How to get back from `to` to `from`: a difference, or a table.
static const char *way_back(Emitter *em, const Term *term) {
    int by = distance_of(em, term);
    if (by)
        return emit_f(em, "c - (%d)", by);
    const char *list = "";
    for (int c = 0; c < em->cells; c++) {
        int from = 0;
        for (int n = 0; n < em->cells; n++)
            if (term->to[n] == c)
                from = n;
        list = emit_f(em, "%s%s%d", list, c ? ", " : "", from);
    }
    for (int n = 0; n < em->backs; n++)
        if (strcmp(em->back[n], list) == 0)
            return emit_f(em, "way_back_%d[c]", n);
    ARENA_GROW(em->arena, const char *, em->back, em->backs, em->back_cap);
    em->back[em->backs] = list;
    text_f(em->constants, "static const int16_t way_back_%d[CELLS] = {%s};\n\n", em->backs, list);
    return emit_f(em, "way_back_%d[c]", em->backs++);
}

// The number of the move as a bit among less than 64: what is left of it after the moves of one set
// were shifted out is its number in the next. All sets are asked, and one of them answers.
static void deposit_terms(Emitter *em, const Terms *terms, const char **set, const char **sum,
                          const IrSite *first) {
    const char *from = "", *to = "";
    emit_line(em, "#ifdef WORD_DEPOSIT");
    const char *total = sum[terms->count - 1];
    const char *here = em->paired ? "" : emit_f(em, "k->left < %s && ", total); // not elsewhere
    emit_open(em, "if (mode == MODE_SELECT && %sLIKELY(%s < 64))", here, total);
    emit_line(em, "const uint64_t rank = UINT64_C(1) << k->left;");
    for (int n = 0; n < terms->count; n++) {
        int by = distance_of(em, &terms->term[n]);
        const char *rank = n ? emit_f(em, "rank >> %s", sum[n - 1]) : "rank";
        const char *x = emit_temp(em, "Set", emit_f(em, "WORD_DEPOSIT(%s, %s)", rank, set[n]));
        to = emit_f(em, "%s%s%s", to, n ? " | " : "", x);
        from = emit_f(em, "%s%s%s %s %d", from, n ? " | " : "", x, by > 0 ? ">>" : "<<",
                      by > 0 ? by : -by);
    }
    emit_line(em, "k->pair[0] = %s;", from);
    emit_line(em, "k->pair[1] = %s;", to);
    emit_line(em, "k->found = move_put(move_put(%s, %s, CTZ(k->pair[0])), %s, CTZ(k->pair[1]));",
              em->m, emit_at(em, 0), emit_at(em, first->bits));
    emit_line(em, "return 1;");
    emit_close(em);
    emit_line(em, "#endif");
}

// Which direction it is hangs on the random number, so no processor can guess it: without jumps.
static bool put_at_once(Emitter *em, const Terms *terms, const char **set, const IrSite *first) {
    if (!em->one || terms->count < 2 || terms->count > 8)
        return false;
    for (int n = 0; n < terms->count; n++)
        if (!distance_of(em, &terms->term[n]))
            return false;
    const char *sum[8];
    for (int n = 0; n < terms->count; n++) {
        const char *count =
            emit_f(em, n ? "%s + set_count(%s)" : "%sset_count(%s)", n ? sum[n - 1] : "", set[n]);
        sum[n] = emit_temp(em, "int64_t", count);
    }
    const char *total = sum[terms->count - 1];
    emit_line(em, "if (mode == MODE_ANY && %s) return 1;", total);
    deposit_terms(em, terms, set, sum, first);
    emit_open(em, "if (mode == MODE_SELECT && k->left < %s)", total);
    emit_line(em, "Set x = %s;", set[0]);
    emit_line(em, "int by = %d;", distance_of(em, &terms->term[0]));
    emit_line(em, "int64_t skip = 0;");
    for (int n = 1; n < terms->count; n++) {
        const char *on = emit_f(em, "k->left >= %s", sum[n - 1]);
        emit_line(em, "x = %s ? %s : x;", on, set[n]);
        emit_line(em, "by = %s ? %d : by;", on, distance_of(em, &terms->term[n]));
        emit_line(em, "skip = %s ? %s : skip;", on, sum[n - 1]);
    }
    emit_line(em, "const int c = set_nth(x, (int)(k->left - skip));");
    emit_line(em, "k->found = move_put(move_put(%s, %s, c - by), %s, c);", em->m, emit_at(em, 0),
              emit_at(em, first->bits));
    emit_line(em, "k->pair[0] = set_single(c - by);");
    emit_line(em, "k->pair[1] = set_single(c);");
    emit_line(em, "return 1;");
    emit_close(em);
    emit_open(em, "if (!ONE_BY_ONE(mode))");
    emit_line(em, "k->left -= %s;", total);
    emit_line(em, "k->n += %s;", total);
    emit_close(em);
    return true;
}

static void put_terms(Emitter *em, const Terms *terms, const IrSite *first) {
    const char *set[MOST_TERMS];
    for (int n = 0; n < terms->count; n++)
        set[n] = emit_temp(em, "Set", terms->term[n].text);
    bool done = put_at_once(em, terms, set, first);
    if (done)
        emit_open(em, "if (ONE_BY_ONE(mode))");
    for (int n = 0; n < terms->count; n++)
        emit_line(em, "PUT_PAIRS(%s, %s, %s, %s, %s);", em->m, emit_at(em, 0),
                  emit_at(em, first->bits), set[n], way_back(em, &terms->term[n]));
    if (done)
        emit_close(em);
}

static bool needs_player(Emitter *em, EmitFrame *f, const IrExpr *e, const char *from) {
    Terms terms = {0};
    int knowns = em->knowns;
    Text *outer = emit_capture(em);
    bool ok = expand(&(Expand){em, -1}, f, e, from, &terms);
    emit_uncapture(em, outer);
    em->knowns = knowns;
    return !ok;
}

bool emit_pairs(Emitter *em, EmitFrame *f, const IrStmt *s, const IrStmt *second) {
    const IrExpr *e = second->domain->a;
    const char *from = emit_temp(em, "Set", emit_members(em, f, s->domain));
    em->it = &f->local[s->domain->slot];
    *em->it = (EmitLocal){.kind = BIND_IT};
    bool each = needs_player(em, f, e, from);
    const IrStmt *turn = em->g->turn;
    em->paired = em->one && s == turn && second == turn->next && !emit_chooses(second->next);
    for (int p = 0; p < (each ? em->g->players : 1); p++) {
        Terms terms = {0};
        if (each)
            emit_open(em, "if (me == %d)", p);
        if (!expand(&(Expand){em, each ? p : -1}, f, e, from, &terms)) {
            em->paired = false;
            return false;
        }
        put_terms(em, &terms, &em->g->site[s->id]);
        if (each)
            emit_close(em);
    }
    return true;
}
