// What needs what, and for what; the functions that find relations. Those that need themselves are
// found in rounds: each looks only at what follows from something that the last one found.
#include "native/emit_relation.h"

// All of what is known of a state lies on the stack, once or twice.
#define MOST_BYTES ((size_t)256 << 10)

// --- what needs what ---

typedef struct Needs {
    bool *relation; // [relations]
    bool me;
} Needs;

static void needs_of(const Emitter *em, const IrExpr *e, Needs *to, bool before, bool wanted) {
    if (!e)
        return;
    if (e->op == IR_BEFORE) {
        needs_of(em, e->kid[0], to, true, wanted);
        return;
    }
    if (e->op == IR_ME)
        to->me = true;
    if (e->op >= IR_KNOWN && e->op <= IR_KNOWN_SET && before == wanted)
        to->relation[e->id] = true;
    for (int n = 0; n < emit_args(em, e); n++)
        needs_of(em, e->args[n], to, before, wanted);
    if (e->op == IR_CALL)
        needs_of(em, em->g->func[e->id]->body, to, before, wanted);
    if (e->domain) {
        needs_of(em, e->domain->a, to, before, wanted);
        needs_of(em, e->domain->b, to, before, wanted);
        needs_of(em, e->domain->where, to, before, wanted);
    }
    for (int n = 0; n < 3; n++)
        needs_of(em, e->kid[n], to, before, wanted);
}

static void literal_needs(const Emitter *em, const IrLiteral *l, Needs *to) {
    if (l->kind == LIT_KNOWN) {
        to->relation[l->relation] = true;
        for (int n = 0; n < em->knowing->k->relation[l->relation].params; n++)
            needs_of(em, l->term[n].value, to, false, false);
    }
    needs_of(em, l->cond, to, false, false);
    if (l->kind == LIT_EACH) {
        needs_of(em, l->domain->a, to, false, false);
        needs_of(em, l->domain->b, to, false, false);
        needs_of(em, l->domain->where, to, false, false);
    }
}

static void relation_needs(const Emitter *em, const IrRelation *r, Needs *to) {
    for (int c = 0; c < r->clauses; c++) {
        const IrClause *clause = &r->clause[c];
        for (int n = 0; n < clause->literals; n++)
            literal_needs(em, &clause->literal[n], to);
        for (int n = 0; n < r->params; n++)
            needs_of(em, clause->head[n], to, false, false);
    }
}

// needs[a * count + b]: a needs b, itself or through others.
static bool *find_needs(Emitter *em) {
    const IrKnowledge *k = em->knowing->k;
    int count = k->relations;
    bool *needs = ARENA_ARRAY(em->arena, bool, (size_t)count *(size_t)count + 1);
    for (int a = 0; a < count; a++) {
        Needs own = {.relation = needs + (size_t)a * (size_t)count};
        relation_needs(em, &k->relation[a], &own);
        em->knowing->rel[a].of_me = own.me;
    }
    for (int b = 0; b < count; b++)
        for (int a = 0; a < count; a++)
            for (int c = 0; needs[a * count + b] && c < count; c++)
                needs[a * count + c] |= needs[b * count + c];
    return needs;
}

static void mark_uses(Emitter *em, const bool *needs, const Needs *from, unsigned use) {
    int count = em->knowing->k->relations;
    for (int a = 0; a < count; a++) {
        if (!from->relation[a])
            continue;
        em->knowing->rel[a].uses |= use;
        for (int b = 0; b < count; b++)
            if (needs[a * count + b])
                em->knowing->rel[b].uses |= use;
    }
}

static void find_uses(Emitter *em, const bool *needs) {
    const IrKnowledge *k = em->knowing->k;
    Needs worth = {.relation = ARENA_ARRAY(em->arena, bool, k->relations + 1)};
    Needs after = {.relation = ARENA_ARRAY(em->arena, bool, k->relations + 1)};
    Needs before = {.relation = ARENA_ARRAY(em->arena, bool, k->relations + 1)};
    for (int n = 0; n < k->worths; n++) {
        literal_needs(em, &k->worth[n].atom, &worth);
        needs_of(em, k->worth[n].weight, &worth, false, false);
    }
    for (int n = 0; n < k->prefers; n++) {
        needs_of(em, k->prefer[n].cond, &after, false, false);
        needs_of(em, k->prefer[n].cond, &before, false, true);
    }
    mark_uses(em, needs, &worth, USE_WORTH);
    mark_uses(em, needs, &after, USE_AFTER);
    mark_uses(em, needs, &before, USE_BEFORE);
}

bool emit_find_groups(Emitter *em) {
    const IrKnowledge *k = em->knowing->k;
    int count = k->relations;
    em->knowing->rel = ARENA_ARRAY(em->arena, EmitRelation, count + 1);
    size_t size = 0;
    for (int n = 0; n < count; n++) {
        EmitRelation *rel = &em->knowing->rel[n];
        rel->r = &k->relation[n];
        rel->name = emit_f(em, "%s_%d", emit_word(em, rel->r->name), n);
        emit_choose_rows(em, rel);
        size += emit_rows_size(em, rel);
    }
    if (size > MOST_BYTES)
        return false;
    const bool *needs = find_needs(em);
    for (int a = 0; a < count; a++) {
        EmitRelation *rel = &em->knowing->rel[a];
        rel->loops = needs[a * count + a];
        rel->group = a;
        for (int b = count - 1; b >= 0; b--) {
            rel->of_me |= needs[a * count + b] && em->knowing->rel[b].of_me;
            if (needs[a * count + b] && needs[b * count + a] && b < a)
                rel->group = b;
        }
    }
    // Through relations with higher numbers, which came later above.
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            em->knowing->rel[a].of_me |= needs[a * count + b] && em->knowing->rel[b].of_me;
    find_uses(em, needs);
    return true;
}

// --- finding a group ---

static void zero_row(Emitter *em, const EmitRelation *rel, const char *rows, const char *i) {
    emit_line(em, "%s[%s] = %s;", rows, i, emit_row_empty(em, rel));
}

static void start_round(Emitter *em, const EmitRelation *rel, const char *rows, const char *i) {
    emit_line(em, "last_%s[%s] = %s[%s];", rel->name, i, rows, i);
    zero_row(em, rel, emit_f(em, "next_%s", rel->name), i);
}

static void end_round(Emitter *em, const EmitRelation *rel, const char *rows, const char *i) {
    const char *row = emit_f(em, "%s[%s]", rows, i);
    const char *next = emit_f(em, "next_%s[%s]", rel->name, i);
    const char *last = emit_f(em, "last_%s[%s]", rel->name, i);
    emit_line(em, "%s = %s;", last, emit_row_minus(em, rel, next, row));
    emit_line(em, "%s = %s;", row, emit_row_or(em, rel, row, last));
    zero_row(em, rel, emit_f(em, "next_%s", rel->name), i);
    emit_line(em, "more |= %s;", emit_row_some(em, rel, last));
}

#define UNROLL_ROWS 8
// Functions with more characters are there once, not once for each use. Sets of several words gain
// little from being in registers.
#define OUTLINE 3000
#define OUTLINE_WORDS 600

static void each_index(Emitter *em, const EmitRelation *rel,
                       void (*line)(Emitter *em, const EmitRelation *rel, const char *rows,
                                    const char *i)) {
    const char *rows = emit_rows(em, rel, KNOWN_ALL);
    if (rel->rows <= UNROLL_ROWS) {
        for (int i = 0; i < rel->rows; i++)
            line(em, rel, rows, emit_number(em, i));
        return;
    }
    emit_open(em, "for (int i = 0; i < %d; i++)", rel->rows);
    line(em, rel, rows, "i");
    emit_close(em);
}

static bool is_of(const Emitter *em, const IrLiteral *l, int group) {
    return l->kind == LIT_KNOWN && em->knowing->rel[l->relation].group == group;
}

static bool asks_group(const Emitter *em, const IrClause *c, int group) {
    for (int n = 0; n < c->literals; n++)
        if (is_of(em, &c->literal[n], group))
            return true;
    return false;
}

static bool first_clauses(Emitter *em, int n) {
    const EmitRelation *rel = &em->knowing->rel[n];
    EmitTarget to = {rel, emit_rows(em, rel, KNOWN_ALL)};
    bool ok = true;
    each_index(em, rel, zero_row);
    for (int c = 0; ok && c < rel->r->clauses; c++) {
        const IrClause *clause = &rel->r->clause[c];
        if (rel->loops && asks_group(em, clause, rel->group))
            continue;
        emit_line(em, "// %s", emit_word_line(em, clause->text ? clause->text : rel->r->name));
        ok = emit_clause(em, &to, clause, -1);
    }
    return ok;
}

// Once for each literal that may be what the last round found.
static bool next_clauses(Emitter *em, int n) {
    const EmitRelation *rel = &em->knowing->rel[n];
    EmitTarget to = {rel, emit_f(em, "next_%s", rel->name)};
    bool ok = true;
    for (int c = 0; ok && c < rel->r->clauses; c++) {
        const IrClause *clause = &rel->r->clause[c];
        emit_line(em, "// %s", emit_word_line(em, clause->text ? clause->text : rel->r->name));
        for (int i = 0; ok && i < clause->literals; i++)
            if (is_of(em, &clause->literal[i], rel->group))
                ok = emit_clause(em, &to, clause, i);
    }
    return ok;
}

static bool rounds(Emitter *em, int group) {
    const IrKnowledge *k = em->knowing->k;
    bool ok = true;
    for (int n = 0; n < k->relations; n++) {
        const EmitRelation *rel = &em->knowing->rel[n];
        if (rel->group != group)
            continue;
        const char *type = emit_row_type(em, rel);
        emit_line(em, "%s last_%s[%d], next_%s[%d];", type, rel->name, rel->rows, rel->name,
                  rel->rows);
        each_index(em, rel, start_round);
    }
    emit_line(em, "int more = 1;");
    emit_open(em, "while (more)");
    emit_line(em, "more = 0;");
    for (int n = 0; ok && n < k->relations; n++)
        if (em->knowing->rel[n].group == group)
            ok = next_clauses(em, n);
    for (int n = 0; n < k->relations; n++)
        if (em->knowing->rel[n].group == group)
            each_index(em, &em->knowing->rel[n], end_round);
    emit_close(em);
    return ok;
}

bool emit_group(Emitter *em, int group) {
    const IrKnowledge *k = em->knowing->k;
    bool ok = true;
    emit_knowing_begin(em);
    for (int n = 0; ok && n < k->relations; n++)
        if (em->knowing->rel[n].group == group)
            ok = first_clauses(em, n);
    if (ok && em->knowing->rel[group].loops)
        ok = rounds(em, group);
    size_t limit = em->one ? OUTLINE : OUTLINE_WORDS;
    emit_knowing_end(em, emit_f(em, "static %s void find_%d(" EMIT_KNOWING_PARAMS ")",
                                em->t->n > limit ? "NOINLINE" : "INLINE", group));
    return ok;
}

void emit_knowing_begin(Emitter *em) {
    em->t = emit_text(em);
    em->indent = 1;
    em->temps = 0;
    em->s = "s";
    em->knowing->in = "k";
    em->knowns = 0;
}

void emit_knowing_end(Emitter *em, const char *head) {
    text_f(em->bodies, "%s {\n%s}\n\n", head, text_c(em->t));
}
