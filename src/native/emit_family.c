// Choices looked at as a whole: the moves from a choice on as a few sets, counted by counting
// bits, in any order.
//
//   pairs     choose from in S, choose to one step from it: for each direction the cells where
//             the steps lead; `to` tells `from`.
//   edges     the same on boards without regular directions: a word with a bit for each pair of
//             neighbours.
//   split     after the last of these the turn goes on only for some members, and chooses from a
//             set that is the same for all of them (the mill: take a man): those members are a
//             set, found by emit_lift.c in a board where the member already stands.
#include "native/emitter.h"

#include <string.h>

#define MOST_EDGES 128

// --- what follows the choice ---

typedef struct Follow {
    const IrExpr *cond;   // NULL: every member is a move
    const IrStmt *third;  // where cond holds, another choice
    const IrStmt *branch; // the statement with that condition
} Follow;

// The next statement, going up where a block ends.
static const IrStmt *step_on(const IrStmt *s, const EmitRest **rest) {
    while (!s && *rest) {
        if ((*rest)->loop)
            return NULL;
        s = (*rest)->next;
        *rest = (*rest)->up;
    }
    return s;
}

static bool is_local(const IrExpr *e, int slot) {
    return e && e->op == IR_LOCAL && e->id == slot;
}

static int planes_of_me(const Emitter *em, int *kind) {
    int most = 0;
    for (int p = 0; p < em->g->players; p++) {
        int count = 0;
        for (int n = 0; n < em->g->planes; n++)
            if (em->g->plane[n].owner == p) {
                count++;
                *kind = em->g->plane[n].kind;
            }
        most = count > most ? count : most;
    }
    return most;
}

bool emit_note_effect(Emitter *em, EmitFrame *f, const IrStmt *s, int member, unsigned facts,
                      int from) {
    int kind = 0;
    switch (s->kind) {
    case ST_LET: em->changed_slots |= emit_bit(s->id); return true;
    case ST_ASSIGN: em->changed_vars |= emit_bit(s->id); return true;
    case ST_PLACE:
        if (em->grown || s->id < 0 || !s->e[1] || s->e[1]->op != IR_ME ||
            !is_local(s->e[0], member) || !(facts & FACT_EMPTY))
            return false;
        em->grown = true;
        em->grown_kind = s->id;
        return true;
    case ST_MOVE:
        if (em->grown || !is_local(s->e[1], member) || !(facts & FACT_EMPTY) ||
            s->e[0]->op != IR_LOCAL || planes_of_me(em, &kind) != 1)
            return false;
        if (s->e[0]->id != from && !(f->local[s->e[0]->id].facts & FACT_MINE))
            return false;
        em->grown = true;
        em->grown_kind = kind;
        em->grown_minus = s->e[0]->id == from ? NULL : emit_cell_set(em, f, s->e[0]);
        return true;
    default: return false;
    }
}

static bool chooses_in_body(const IrStmt *s) {
    return s && s->kind == ST_CHOOSE && s->domain->kind == DOM_SET && !s->domain->where &&
           !emit_chooses(s->next);
}

// Reads the statements behind the last choice up to one that chooses again, if there is one.
static bool read_follow(Emitter *em, EmitFrame *f, const IrStmt *choice, const EmitRest *here,
                        int from, Follow *follow) {
    const EmitRest *rest = here;
    unsigned facts = emit_facts(em, f, choice->domain->a);
    *follow = (Follow){0};
    if (!emit_chooses_later(here))
        return true;
    if (em->g->attrs || em->g->layout.stack_width)
        return false;
    for (const IrStmt *s = step_on(NULL, &rest); s; s = step_on(s->next, &rest)) {
        const EmitRest after = {.next = s->next, .up = rest};
        if (!s->chooses) {
            // What nobody reads later does not count.
            if (emit_matters(em, s, emit_live_at(em, &after)) &&
                !emit_note_effect(em, f, s, choice->domain->slot, facts, from))
                return false;
            continue;
        }
        if (s->kind != ST_IF || emit_chooses(s->other) || emit_chooses_later(&after) ||
            !chooses_in_body(s->body))
            return false;
        follow->cond = s->e[0];
        follow->third = s->body;
        follow->branch = s;
        return true;
    }
    return false;
}

// --- which members go on ---

typedef struct Split {
    const char *set;        // text of the members that go on, as far as it depends on them
    const IrExpr *plain[8]; // parts of the condition that are the same for all
    int plains;
} Split;

static bool split_parts(Emitter *em, EmitFrame *f, const IrExpr *cond, Split *split) {
    if (cond->op == IR_BOTH)
        return split_parts(em, f, cond->kid[0], split) && split_parts(em, f, cond->kid[1], split);
    if (!emit_depends(em, f, cond)) {
        if (split->plains == 8)
            return false;
        split->plain[split->plains++] = cond;
        return true;
    }
    const char *part = emit_lift(em, f, cond);
    if (!part)
        return false;
    split->set = split->set ? emit_and(em, split->set, part) : part;
    return true;
}

// In the context of the effects: the split, and whether the third choice is the same for all.
static bool find_split(Emitter *em, EmitFrame *f, const Follow *follow, Split *split) {
    *split = (Split){0};
    return split_parts(em, f, follow->cond, split) && split->set &&
           !emit_depends(em, f, follow->third->domain->a);
}

// Opens `if` for the parts of the condition that are the same for all.
static const char *third_set(Emitter *em, EmitFrame *f, const Follow *follow, const Split *split) {
    for (int n = 0; n < split->plains; n++)
        emit_open(em, "if (%s)", emit_expr(em, f, split->plain[n]));
    return emit_temp(em, "Set", emit_expr(em, f, follow->third->domain->a));
}

static void close_parts(Emitter *em, const Split *split, const char *otherwise) {
    // Where a part does not hold, the members are moves as they are.
    for (int n = 0; n < split->plains; n++) {
        emit_else(em);
        emit_line(em, "%s", otherwise);
        emit_close(em);
    }
}

// Opens an `if` for random moves out of more than there are; false if that cannot be.
static bool begin_lazy(Emitter *em, EmitFrame *f, const Follow *follow, const Split *split,
                       EmitLazy *lazy) {
    const IrExpr *bound = emit_bound(em, follow->third->domain->a);
    if (!bound)
        return false;
    lazy->f = f;
    lazy->third = follow->third->domain->a;
    lazy->third_lo = em->g->site[follow->third->id].lo;
    lazy->bound = emit_expr(em, f, bound);
    emit_open(em, "if (%s)", emit_lazy_if(em, f, split->plain, split->plains));
    return true;
}

// --- one choice, split ---

static bool single(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here) {
    Follow follow;
    Split split;
    const IrSite *site = &em->g->site[s->id];
    const char *members = emit_members(em, f, s->domain);
    if (!read_follow(em, f, s, here, -1, &follow) || !follow.cond || !em->grown)
        return false;
    const IrSite *third = &em->g->site[follow.third->id];
    em->it = &f->local[s->domain->slot];
    *em->it = (EmitLocal){.kind = BIND_IT};
    if (!find_split(em, f, &follow, &split))
        return false;
    const char *all = emit_temp(em, "Set", members);
    const char *on = emit_temp(em, "Set", emit_and(em, all, split.set));
    const char *at = emit_at(em, 0);
    emit_line(em, "k->split = 0;");
    emit_line(em, "TRY(put_set(k, mode, %s, %s, %d, %s));", em->m, at, site->lo,
              emit_minus(em, all, on));
    EmitLazy lazy = {.count = emit_f(em, "set_count(%s)", on), .at_third = emit_at(em, site->bits)};
    lazy.move = emit_f(em, "move_put(%s, %s, set_nth(%s, first) - %d)", em->m, at, on, site->lo);
    bool lazily = begin_lazy(em, f, &follow, &split, &lazy);
    if (lazily) {
        emit_lazy_product(em, &lazy);
        emit_close(em);
    }
    emit_open(em, "%sif (SET_SOME(%s))", lazily ? "else " : "", on);
    const char *last = third_set(em, f, &follow, &split);
    emit_line(em, "k->split = 1;");
    emit_line(em, "TRY(put_product(k, mode, %s, %s, %d, %s, %s, %d, %s));", em->m, at, site->lo, on,
              emit_at(em, site->bits), third->lo, last);
    close_parts(em, &split,
                emit_f(em, "k->split = 0; TRY(put_set(k, mode, %s, %s, %d, %s));", em->m, at,
                       site->lo, on));
    emit_close(em);
    emit_line(em, "k->split = -1;");
    emit_note_split(em, follow.branch);
    return true;
}

// --- edges ---

// The second choice is `next(from)`, or another table of sets, within a set that does not depend
// on the first: gives the table and the text of that set.
static int edge_table(Emitter *em, EmitFrame *f, const IrExpr *e, const char **within) {
    e = emit_resolve(&f, e);
    switch (e->op) {
    case IR_TABLE: {
        const IrTable *t = em->g->table[e->id];
        bool fits = t->sets && t->dims == 1 && t->base[0] == 0 && t->size[0] == em->cells + 1 &&
                    emit_is_it(f, e->kid[0]);
        return fits ? e->id : -1;
    }
    case IR_CALL:
        return edge_table(em, emit_call_frame(em, f, e), em->g->func[e->id]->body, within);
    case IR_AND:
    case IR_MINUS:
        for (int n = 0; n < (e->op == IR_AND ? 2 : 1); n++) {
            if (emit_depends(em, f, e->kid[1 - n]))
                continue;
            const char *set = emit_expr(em, f, e->kid[1 - n]);
            *within = e->op == IR_AND ? emit_and(em, *within, set) : emit_minus(em, *within, set);
            return edge_table(em, f, e->kid[n], within);
        }
        return -1;
    default: return -1;
    }
}

typedef struct Edges {
    int n;
    int from[MOST_EDGES], to[MOST_EDGES];
} Edges;

static bool read_edges(const Emitter *em, int table, Edges *edges) {
    const IrTable *t = em->g->table[table];
    edges->n = 0;
    for (int c = 0; c < em->cells; c++)
        for (int x = 0; x < em->cells; x++) {
            if (!(t->sets[c * em->words + x / 64] >> (x % 64) & 1))
                continue;
            if (edges->n == MOST_EDGES)
                return false;
            edges->from[edges->n] = c;
            edges->to[edges->n++] = x;
        }
    return edges->n > 0;
}

static const char *end_map(Emitter *em, const int *cell, int n) {
    uint64_t word[BOARD_MAX_CELLS] = {0};
    for (int e = 0; e < n; e++)
        word[cell[e]] |= (uint64_t)1 << e;
    return emit_map(em, word);
}

static const char *edge_list(Emitter *em, const int *cell, int n) {
    const char *list = "";
    for (int e = 0; e < 64; e++)
        list = emit_f(em, "%s%s%d", list, e ? ", " : "", e < n ? cell[e] : 0);
    return list;
}

// The table with both cells of each edge, once.
static int edge_cells(Emitter *em, const int *from, const int *to, int n) {
    const char *list = emit_f(em, "{%s},\n    {%s}", edge_list(em, from, n), edge_list(em, to, n));
    for (int i = 0; i < em->backs; i++)
        if (strcmp(em->back[i], list) == 0)
            return i;
    ARENA_GROW(em->arena, const char *, em->back, em->backs, em->back_cap);
    em->back[em->backs] = list;
    text_f(em->constants, "static const uint8_t edges_%d[2][64] = {\n    %s\n};\n\n", em->backs,
           list);
    return em->backs++;
}

typedef struct EdgePart { // up to 64 of the edges
    const char *all, *on;
    int cells;
} EdgePart;

static bool edges(Emitter *em, EmitFrame *f, const IrStmt *s, const IrStmt *second,
                  const EmitRest *here) {
    Edges edge;
    Follow follow;
    const char *within = "SET_ALL";
    if (!emit_map_fits(em) || s->domain->where || second->domain->where)
        return false;
    const char *from = emit_temp(em, "Set", emit_members(em, f, s->domain));
    em->it = &f->local[s->domain->slot];
    EmitLocal kept = *em->it;
    *em->it = (EmitLocal){.kind = BIND_IT};
    int table = edge_table(em, f, second->domain->a, &within);
    if (table < 0 || !read_edges(em, table, &edge))
        return false;
    *em->it = kept;
    if (!(emit_facts(em, f, s->domain->a) & FACT_MINE) ||
        !read_follow(em, f, second, here, s->domain->slot, &follow))
        return false;
    Split split = {0};
    if (follow.cond) {
        if (!em->grown)
            return false;
        em->closing_only = true;
        em->it = &f->local[second->domain->slot];
        *em->it = (EmitLocal){.kind = BIND_IT};
        bool found = find_split(em, f, &follow, &split);
        em->closing_only = false;
        if (!found || strcmp(split.set, "SET_ALL") != 0 || !em->closing_men)
            return false;
    }
    within = emit_temp(em, "Set", within);
    const char *men = follow.cond ? emit_temp(em, "Set", em->closing_men) : NULL;
    EdgePart part[MOST_EDGES / 64];
    int parts = 0;
    const IrSite *one = &em->g->site[s->id], *two = &em->g->site[second->id];
    const char *at = emit_at(em, 0), *at_two = emit_at(em, one->bits);
    const char *any = "";
    for (int e = 0; e < edge.n; e += 64, parts++) {
        int n = edge.n - e < 64 ? edge.n - e : 64;
        EdgePart *p = &part[parts];
        const char *text = emit_f(em, "%s(%s) & %s(%s)", end_map(em, edge.from + e, n), from,
                                  end_map(em, edge.to + e, n), within);
        p->cells = edge_cells(em, edge.from + e, edge.to + e, n);
        p->all = emit_temp(em, "uint64_t", text);
        p->on = "0";
        if (follow.cond) {
            const char *closing = emit_closing_word(em, n, edge.from + e, edge.to + e, men);
            if (!closing)
                return false;
            p->on = emit_temp(em, "uint64_t", emit_f(em, "%s & %s", p->all, closing));
            any = emit_f(em, "%s%s%s", any, *any ? " | " : "", p->on);
        }
        if (follow.cond)
            emit_line(em, "k->split = 0;");
        emit_line(em, "TRY(put_edges(k, mode, %s, %s, %s, edges_%d, %s & ~%s));", em->m, at, at_two,
                  p->cells, p->all, p->on);
    }
    if (!follow.cond)
        return true;
    const IrSite *third = &em->g->site[follow.third->id];
    EmitLazy lazy = {.at_third = emit_at(em, one->bits + two->bits)};
    bool lazily = begin_lazy(em, f, &follow, &split, &lazy);
    for (int n = 0; lazily && n < parts; n++) {
        lazy.count = emit_f(em, "POPCOUNT(%s)", part[n].on);
        lazy.move = emit_f(em, "edge_move(%s, %s, %s, edges_%d, word_nth(%s, first))", em->m, at,
                           at_two, part[n].cells, part[n].on);
        emit_lazy_product(em, &lazy);
    }
    if (lazily)
        emit_close(em);
    emit_open(em, "%sif (%s)", lazily ? "else " : "", any);
    const char *last = third_set(em, f, &follow, &split);
    const char *otherwise = "k->split = 0; ";
    emit_line(em, "k->split = 1;");
    for (int n = 0; n < parts; n++) {
        emit_line(em, "TRY(put_edge_products(k, mode, %s, %s, %s, edges_%d, %s, %s, %d, %s));",
                  em->m, at, at_two, part[n].cells, part[n].on, emit_at(em, one->bits + two->bits),
                  third->lo, last);
        otherwise = emit_f(em, "%sTRY(put_edges(k, mode, %s, %s, %s, edges_%d, %s)); ", otherwise,
                           em->m, at, at_two, part[n].cells, part[n].on);
    }
    close_parts(em, &split, otherwise);
    emit_close(em);
    emit_line(em, "k->split = -1;");
    emit_note_split(em, follow.branch);
    return true;
}

// --- pairs apart ---

// A cell of mine and any of a set: for random moves alone, the rest is left to others.
static bool apart(Emitter *em, EmitFrame *f, const IrStmt *s, const IrStmt *second,
                  const EmitRest *here) {
    Follow follow;
    Split split;
    EmitLocal *local = f->local;
    if (s->domain->where || second->domain->where)
        return false;
    EmitApart pairs = {.from = emit_temp(em, "Set", emit_members(em, f, s->domain))};
    em->it = &local[s->domain->slot];
    EmitLocal kept = *em->it;
    *em->it = (EmitLocal){.kind = BIND_IT};
    bool varies = emit_depends(em, f, second->domain->a);
    *em->it = kept;
    if (varies || !(emit_facts(em, f, s->domain->a) & FACT_MINE) ||
        !read_follow(em, f, second, here, s->domain->slot, &follow) || !follow.cond || !em->grown)
        return false;
    pairs.to = emit_temp(em, "Set", emit_members(em, f, second->domain));
    em->closing_only = true;
    em->it = &local[second->domain->slot];
    *em->it = (EmitLocal){.kind = BIND_IT};
    bool found = find_split(em, f, &follow, &split);
    em->closing_only = false;
    if (!found || strcmp(split.set, "SET_ALL") != 0 || !em->closing_men)
        return false;
    pairs.men = emit_temp(em, "Set", em->closing_men);
    const IrSite *one = &em->g->site[s->id], *two = &em->g->site[second->id];
    EmitLazy lazy = {.at_third = emit_at(em, one->bits + two->bits)};
    lazy.move = emit_f(em, "move_put(move_put(%s, %s, one - %d), %s, two - %d)", em->m,
                       emit_at(em, 0), one->lo, emit_at(em, one->bits), two->lo);
    if (!begin_lazy(em, f, &follow, &split, &lazy))
        return false;
    emit_open(em, "if (SET_SOME(%s))", lazy.bound);
    emit_lazy_pairs(em, &lazy, &pairs);
    emit_line(em, "return 0;");
    emit_close(em);
    emit_close(em);
    return true;
}

// --- all together ---

typedef bool Attempt(Emitter *em, EmitFrame *f, const IrStmt *s, const IrStmt *second,
                     const EmitRest *here);

static bool try_pairs(Emitter *em, EmitFrame *f, const IrStmt *s, const IrStmt *second,
                      const EmitRest *here) {
    return !second->domain->where && !emit_chooses_later(here) && emit_pairs(em, f, s, second);
}

static bool try_columns(Emitter *em, EmitFrame *f, const IrStmt *s, const IrStmt *second,
                        const EmitRest *here) {
    (void)second;
    return emit_columns(em, f, s, here);
}

static bool try_single(Emitter *em, EmitFrame *f, const IrStmt *s, const IrStmt *second,
                       const EmitRest *here) {
    (void)second;
    return single(em, f, s, here);
}

// The second choice is the same whatever the first is: all pairs of members.
static bool try_product(Emitter *em, EmitFrame *f, const IrStmt *s, const IrStmt *second,
                        const EmitRest *here) {
    if (second->domain->where || emit_chooses_later(here))
        return false;
    const IrSite *one = &em->g->site[s->id], *two = &em->g->site[second->id];
    const char *from = emit_temp(em, "Set", emit_members(em, f, s->domain));
    em->it = &f->local[s->domain->slot];
    *em->it = (EmitLocal){.kind = BIND_IT};
    if (emit_depends(em, f, second->domain->a))
        return false;
    const char *to = emit_temp(em, "Set", emit_expr(em, f, second->domain->a));
    emit_line(em, "TRY(put_product(k, mode, %s, %s, %d, %s, %s, %d, %s));", em->m, emit_at(em, 0),
              one->lo, from, emit_at(em, one->bits), two->lo, to);
    return true;
}

// Runs an attempt; what it wrote is kept only if it succeeds.
static bool attempt(Emitter *em, EmitFrame *f, Attempt *how, const IrStmt *s, const IrStmt *second,
                    const EmitRest *here) {
    EmitLocal *kept = ARENA_ARRAY(em->arena, EmitLocal, f->ir->slots + 1);
    memcpy(kept, f->local, (size_t)f->ir->slots * sizeof *kept);
    EmitLocal *it = em->it;
    em->grown = false;
    em->grown_minus = em->closing_men = NULL;
    em->changed_vars = em->changed_slots = 0;
    int knowns = em->knowns;
    Text *outer = emit_capture(em);
    em->indent--;
    bool ok = how(em, f, s, second, here);
    em->indent++;
    Text *inner = emit_uncapture(em, outer);
    em->knowns = knowns;
    em->grown = false;
    em->it = it;
    memcpy(f->local, kept, (size_t)f->ir->slots * sizeof *kept);
    if (ok)
        text_add(em->t, text_c(inner));
    return ok;
}

// A copy of a choice with another domain and another statement behind it.
static IrStmt *with_domain(Emitter *em, const IrStmt *s, IrExpr *set, IrStmt *next) {
    IrStmt *copy = ARENA_NEW(em->arena, IrStmt);
    IrDomain *domain = ARENA_NEW(em->arena, IrDomain);
    *copy = *s;
    *domain = *s->domain;
    copy->domain = domain;
    domain->a = set ? set : s->domain->a;
    if (next)
        copy->next = next;
    return copy;
}

// choose to in if C then A else B, C being the same for all: both ways, each on its own.
static bool either_way(Emitter *em, EmitFrame *f, const IrStmt *s, const IrStmt *second,
                       const EmitRest *here, const EmitRest *behind) {
    const IrExpr *e = second->domain->a;
    em->it = &f->local[s->domain->slot];
    EmitLocal kept = *em->it;
    *em->it = (EmitLocal){.kind = BIND_IT};
    bool fits = e->op == IR_COND && !emit_depends(em, f, e->kid[0]);
    *em->it = kept;
    if (!fits)
        return false;
    emit_open(em, "if (%s)", emit_expr(em, f, e->kid[0]));
    bool any = false;
    for (int n = 1; n <= 2; n++) {
        IrStmt *two = with_domain(em, second, e->kid[n], NULL);
        IrStmt *one = with_domain(em, s, NULL, two);
        EmitRest rest = *here;
        rest.next = two;
        if (attempt(em, f, edges, one, two, behind) || attempt(em, f, try_pairs, one, two, behind))
            any = true;
        else {
            attempt(em, f, apart, one, two, behind);
            emit_choose(em, f, one, &rest);
        }
        if (n == 1)
            emit_else(em);
    }
    emit_close(em);
    return any;
}

// choose from in A, and if from in B, one thing, else another: each part of A on its own.
static bool by_parts(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here) {
    const IrStmt *test = here->next;
    const IrExpr *cond = test->e[0];
    if (cond->op != IR_MEMBER || cond->kid[0]->op != IR_LOCAL ||
        cond->kid[0]->id != s->domain->slot || emit_uses(em, cond->kid[1], s->domain->slot) ||
        s->domain->where || !test->body || !test->other)
        return false;
    bool ok = true;
    for (int n = 0; ok && n < 2; n++) {
        IrStmt *block = n ? test->other : test->body;
        IrExpr *part = ARENA_NEW(em->arena, IrExpr);
        *part = (IrExpr){.op = n ? IR_MINUS : IR_AND,
                         .type = s->domain->a->type,
                         .kid = {s->domain->a, cond->kid[1]},
                         .dynamic = true,
                         .uses = s->domain->a->uses | cond->kid[1]->uses};
        IrStmt *one = with_domain(em, s, part, block);
        EmitRest up = {.next = test->next, .up = here->up};
        EmitRest rest = {.next = block, .up = &up};
        ok = emit_family(em, f, one, &rest);
    }
    return ok;
}

bool emit_family(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here) {
    if (s->domain->kind != DOM_SET || em->g->move_bits > 63)
        return false;
    bool ok = false;
    const IrStmt *second = here->next;
    if (second && !here->call && second->kind == ST_IF && second->chooses) {
        int knowns = em->knowns;
        Text *outer = emit_capture(em);
        em->indent--;
        ok = by_parts(em, f, s, here);
        em->indent++;
        Text *inner = emit_uncapture(em, outer);
        em->knowns = knowns;
        if (ok)
            text_add(em->t, text_c(inner));
        return ok;
    }
    if (second && !here->call && second->kind == ST_CHOOSE && second->domain->kind == DOM_SET) {
        const EmitRest behind = {.next = second->next, .up = here->up};
        ok = attempt(em, f, edges, s, second, &behind) ||
             attempt(em, f, try_pairs, s, second, &behind) ||
             attempt(em, f, try_product, s, second, &behind);
        if (!ok) {
            int knowns = em->knowns;
            Text *outer = emit_capture(em);
            em->indent--;
            ok = either_way(em, f, s, second, here, &behind);
            em->indent++;
            Text *inner = emit_uncapture(em, outer);
            em->knowns = knowns;
            if (ok)
                text_add(em->t, text_c(inner));
        }
    }
    return ok || attempt(em, f, try_single, s, NULL, here) ||
           attempt(em, f, try_columns, s, NULL, here);
}
