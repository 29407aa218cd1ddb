// check_knowledge_range: types and ranges of rules. Where rules go in a circle, their ranges are
// widened until nothing changes; what grows without end is refused. See check_knowledge.h.

#include "lang/check_knowledge.h"

#include <inttypes.h>

// So often ranges may grow step by step; more is tried in one leap.
#define RANGE_ROUNDS 64

bool check_tuples(Checker *c, int relation) {
    IrRelation *r = &c->know->k->relation[relation];
    int64_t tuples = 1;
    for (int i = 0; i < r->params && tuples <= IR_MAX_TUPLES; i++)
        tuples *= r->size[i];
    if (tuples <= IR_MAX_TUPLES) {
        r->tuples = (int)tuples;
        return true;
    }
    const char *product = arena_printf(c->arena, "%d", r->size[0]);
    for (int i = 1; i < r->params; i++)
        product = arena_printf(c->arena, "%s x %d", product, r->size[i]);
    diag_error(c->diags, r->span, "`%s` can have %s tuples, more than %d", r->name, product,
               IR_MAX_TUPLES);
    diag_help(c->diags, "leave an argument out, or bound its numbers with `min` and `max`");
    return false;
}

// --- trials ---

// A check whose messages and definitions are thrown away: only what it says about ranges counts.
typedef struct Trial {
    Checker saved;
    int funcs, tables;
    Diags diags;
} Trial;

static void trial_begin(Trial *t, Checker *c) {
    t->saved = *c;
    t->funcs = c->g->funcs;
    t->tables = c->g->tables;
    t->diags = (Diags){.source = c->diags->source, .silent = true};
    c->diags = &t->diags;
}

static void trial_end(Trial *t, Checker *c) {
    long steps = c->steps;
    c->g->funcs = t->funcs;
    c->g->tables = t->tables;
    *c = t->saved;
    c->steps = steps;
}

// Whether all that the line asks for as an atom has types by now.
static bool line_asks_typed(Checker *c, const Node *line) {
    struct Knower *know = c->know;
    for (int i = 1; i < line->count; i++) {
        const Node *node = line->kids[i];
        while (node->kind == N_BINARY && !strcmp(node->word, "and")) {
            Symbol *right = check_relation_of(c, node->kids[1]);
            if (right && !know->relation[right->id].typed)
                return false;
            node = node->kids[0];
        }
        Symbol *s = check_relation_of(c, node);
        if (s && !know->relation[s->id].typed)
            return false;
    }
    return true;
}

static bool try_line(Checker *c, int relation, const Node *line) {
    if (!line_asks_typed(c, line))
        return false;
    Trial t;
    IrClause clause;
    trial_begin(&t, c);
    bool ok = check_clause_line(c, relation, line, &clause);
    trial_end(&t, c);
    return ok;
}

static bool same_ranges(const IrRelation *a, const IrRelation *b) {
    for (int i = 0; i < a->params; i++)
        if (a->lo[i] != b->lo[i] || a->size[i] != b->size[i])
            return false;
    return true;
}

// One round of all lines; *failed counts lines that are wrong. Whether anything changed.
static bool round_of(Checker *c, int component, int *failed) {
    struct Knower *know = c->know;
    bool changed = false;
    *failed = 0;
    for (int i = know->first; i < know->k->relations; i++) {
        Relation *r = &know->relation[i];
        if (r->component != component)
            continue;
        for (int k = 0; k < r->lines; k++) {
            IrRelation before = know->k->relation[i];
            bool typed = r->typed;
            if (!try_line(c, i, r->line[k])) {
                know->k->relation[i] = before;
                ++*failed;
            }
            changed |= typed != r->typed || !same_ranges(&before, &know->k->relation[i]);
        }
    }
    return changed;
}

// --- ranges that grow ---

typedef struct Ranges { // of the members of a component, by relation
    IrRelation relation[IR_MAX_RELATIONS];
} Ranges;

static Ranges *keep_ranges(Checker *c) {
    Ranges *kept = ARENA_NEW(c->arena, Ranges);
    memcpy(kept->relation, c->know->k->relation,
           sizeof(IrRelation) * (size_t)c->know->k->relations);
    return kept;
}

// Sets what grew since `old` to all that an argument can have, and forgets it again where the lines
// turn out to give less: `min(n + 1, 100)` is found so.
static bool leap(Checker *c, int component, const Ranges *old) {
    struct Knower *know = c->know;
    int failed;
    Ranges *now = keep_ranges(c);
    for (int i = know->first; i < know->k->relations; i++) {
        if (know->relation[i].component != component)
            continue;
        IrRelation *r = &know->k->relation[i];
        for (int k = 0; k < r->params; k++) {
            const IrRelation *o = &old->relation[i];
            int32_t lo = r->lo[k], hi = r->lo[k] + r->size[k] - 1;
            hi = hi > o->lo[k] + o->size[k] - 1 ? lo + IR_MAX_TUPLES / 2 : hi;
            lo = lo < o->lo[k] ? hi - IR_MAX_TUPLES / 2 : lo;
            r->lo[k] = lo;
            r->size[k] = hi - lo + 1;
        }
    }
    // The wide ranges go in; what comes out is noted beside the narrow ones.
    Ranges *wide = keep_ranges(c);
    Ranges *out = now;
    for (int i = know->first; i < know->k->relations; i++) {
        Relation *r = &know->relation[i];
        for (int k = 0; r->component == component && k < r->lines; k++) {
            IrRelation *given = &know->k->relation[i];
            memcpy(know->k->relation, wide->relation,
                   sizeof(IrRelation) * (size_t)know->k->relations);
            Trial t;
            IrClause clause;
            trial_begin(&t, c);
            bool ok = check_clause_line(c, i, r->line[k], &clause);
            trial_end(&t, c);
            if (!ok)
                return false;
            for (int a = 0; a < given->params; a++) {
                IrRelation *n = &out->relation[i];
                if (given->type[a].kind != TY_INT)
                    continue;
                int32_t lo = clause.head[a]->lo, hi = clause.head[a]->hi;
                int32_t most = n->lo[a] + n->size[a] - 1;
                n->lo[a] = lo < n->lo[a] ? lo : n->lo[a];
                n->size[a] = (hi > most ? hi : most) - n->lo[a] + 1;
            }
        }
    }
    memcpy(know->k->relation, out->relation, sizeof(IrRelation) * (size_t)know->k->relations);
    return !round_of(c, component, &failed) && !failed;
}

// The argument that still grows, for a message.
static void report_growth(Checker *c, int component, const Ranges *old) {
    struct Knower *know = c->know;
    for (int i = know->first; i < know->k->relations; i++) {
        const Relation *from = &know->relation[i];
        const IrRelation *r = &know->k->relation[i], *o = &old->relation[i];
        if (from->component != component || same_ranges(r, o))
            continue;
        int k = 0;
        while (r->lo[k] == o->lo[k] && r->size[k] == o->size[k])
            k++;
        const Node *blame = NULL;
        for (int l = 0; l < from->lines; l++) {
            const Node *arg = from->line[l]->kids[0]->kids[k];
            if (!blame || arg->kind != N_NAME)
                blame = arg;
        }
        const char *text = ast_text(c->source, blame, c->arena);
        diag_error(c->diags, blame->span, "this number grows without end: `%s` follows from `%s`",
                   r->name, r->name);
        if (r->lo[k] < o->lo[k])
            diag_help(c->diags, "bound it, for example with `max(%s, 0)`", text);
        else
            diag_help(c->diags, "bound it, for example with `min(%s, 8)`", text);
        return;
    }
}

// Finds types and ranges of relations that depend on each other; false if that is reported.
static bool infer(Checker *c, int component) {
    int failed;
    Ranges *old = NULL;
    for (int n = 0; n < RANGE_ROUNDS; n++) {
        if (n == RANGE_ROUNDS - 1)
            old = keep_ranges(c);
        if (!round_of(c, component, &failed))
            return true;
    }
    Ranges *grown = keep_ranges(c);
    if (leap(c, component, old))
        return true;
    memcpy(c->know->k->relation, grown->relation,
           sizeof(IrRelation) * (size_t)c->know->k->relations);
    report_growth(c, component, old);
    return false;
}

// --- the lines themselves ---

static bool check_lines(Checker *c, int relation) {
    Relation *r = &c->know->relation[relation];
    IrRelation *ir = &c->know->k->relation[relation];
    ir->clause = ARENA_ARRAY(c->arena, IrClause, r->lines);
    bool ok = true;
    for (int i = 0; i < r->lines; i++) {
        if (ir->derived ? check_clause_line(c, relation, r->line[i], &ir->clause[ir->clauses])
                        : check_fact_line(c, relation, r->line[i], &ir->clause[ir->clauses]))
            ir->clauses++;
        else
            ok = false;
    }
    r->wrong = !ok;
    return ok && check_tuples(c, relation);
}

// Nothing is wrong with the lines, but none can be the first to hold.
static void report_never(Checker *c, int relation) {
    const Relation *r = &c->know->relation[relation];
    const IrRelation *ir = &c->know->k->relation[relation];
    for (int i = 0; i < r->asked; i++) {
        const Relation *to = &c->know->relation[r->asks[i].relation];
        if (to->wrong && to->component != r->component)
            return; // that has been said
    }
    diag_error(c->diags, ir->span, "`%s` can never hold: each of its lines needs it already",
               ir->name);
    diag_help(c->diags, "add a line that says where it begins");
}

bool check_component(Checker *c, int component) {
    struct Knower *know = c->know;
    bool ok = true;
    for (int i = know->first; i < know->k->relations; i++)
        if (know->relation[i].component == component && know->k->relation[i].recursive) {
            if (!infer(c, component))
                return false;
            break;
        }
    for (int i = know->first; i < know->k->relations; i++) {
        Relation *r = &know->relation[i];
        if (r->component != component)
            continue;
        int errors = c->diags->errors;
        ok &= check_lines(c, i);
        if (r->wrong && !r->typed && c->diags->errors == errors) {
            report_never(c, i);
            return false;
        }
    }
    return ok;
}
