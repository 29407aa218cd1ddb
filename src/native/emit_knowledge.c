// Knowledge as a C file: relations that need each other together, in an order in which each has
// what it needs; for each player what a position is worth, finding only what counts; priorities of
// moves.
#include "native/emit_relation.h"

#include "native/abi.h"

#include <string.h>

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
    bool *needs = ARENA_ARRAY(em->arena, bool, (size_t)count * (size_t)count + 1);
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

// Relations that need each other get one number, that of the first. False if all is too large.
static bool find_groups(Emitter *em) {
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

static const char *const params =
    "const State *const s, const int me, const int mover, Known *const k";

static void begin(Emitter *em) {
    em->t = emit_text(em);
    em->indent = 1;
    em->temps = 0;
    em->s = "s";
    em->knowing->in = "k";
    em->knowns = 0;
}

static void finish(Emitter *em, const char *head) {
    text_f(em->bodies, "%s {\n%s}\n\n", head, text_c(em->t));
}

static bool print_group(Emitter *em, int group) {
    const IrKnowledge *k = em->knowing->k;
    bool ok = true;
    begin(em);
    for (int n = 0; ok && n < k->relations; n++)
        if (em->knowing->rel[n].group == group)
            ok = first_clauses(em, n);
    if (ok && em->knowing->rel[group].loops)
        ok = rounds(em, group);
    finish(em, emit_f(em, "static INLINE void find_%d(%s)", group, params));
    return ok;
}

// Calls what finds the relations that are used so, in an order in which each has what it needs;
// `of_me`: 0 those that do not depend on `me`, 1 those that do, -1 all.
static void find_all(Emitter *em, unsigned use, int of_me, const char *args) {
    const IrKnowledge *k = em->knowing->k;
    for (int i = 0; i < k->relations; i++) {
        const EmitRelation *rel = &em->knowing->rel[k->order[i]];
        bool first = true; // of its group in this order
        for (int j = 0; j < i; j++)
            first &= em->knowing->rel[k->order[j]].group != rel->group;
        if (first && (use == USE_ALL || rel->uses & use) && (of_me < 0 || rel->of_me == of_me))
            emit_line(em, "find_%d(%s);", rel->group, args);
    }
}

// --- worth ---

typedef struct Weigh {
    const IrWorth *w;
    EmitAtom atom;
    const IrExpr *equal[IR_MAX_ARGS]; // what a slot of our own has to be
} Weigh;

static void add_weight(Emitter *em, EmitFrame *f, const char *row, void *context) {
    const Weigh *w = context;
    const EmitRelation *rel = w->atom.rel;
    const char *only = NULL;
    int opened = 1;
    if (rel->bit < 0 || w->atom.value[rel->bit]) {
        const char *bit = emit_bit_number(em, f, &w->atom, &only);
        emit_open(em, "if (%s%s%s)", only ? only : "", only ? " && " : "",
                  emit_row_has(em, rel, row, bit));
    } else {
        emit_each_bit(em, f, rel, row, w->atom.slot[rel->bit]);
    }
    for (int n = 0; n < rel->r->params; n++) {
        if (!w->equal[n])
            continue;
        const EmitLocal *l = &f->local[w->atom.slot[n]];
        emit_open(em, "if (%s == %s)",
                  l->kind == BIND_VALUE ? emit_number(em, l->value) : l->text,
                  emit_expr(em, f, w->equal[n]));
        opened++;
    }
    emit_line(em, "sum += %s;", emit_expr(em, f, w->w->weight));
    for (; opened > 0; opened--)
        emit_close(em);
}

static bool uses_slots(const Emitter *em, const IrLiteral *atom, int params_, const IrExpr *e) {
    for (int n = 0; e && n < params_; n++)
        if (!atom->term[n].value && atom->term[n].slot >= 0 &&
            emit_uses(em, e, atom->term[n].slot))
            return true;
    return false;
}

static EmitFrame *frame_with(Emitter *em, const IrFrame *frame, int extra) {
    IrFrame *wide = ARENA_NEW(em->arena, IrFrame);
    *wide = *frame;
    wide->slots += extra; // their types are not asked for
    EmitFrame *f = emit_frame(em, wide);
    f->local[IR_MOVER] = (EmitLocal){.kind = BIND_TEXT, .text = "mover"};
    return f;
}

static void print_weight(Emitter *em, const IrWorth *w) {
    const IrKnowledge *k = em->knowing->k;
    Weigh weigh = {.w = w, .atom = {.rel = &em->knowing->rel[w->atom.relation]}};
    int count = k->relation[w->atom.relation].params;
    EmitFrame *f = frame_with(em, &w->frame, IR_MAX_ARGS);
    IrExpr all = {.op = IR_KNOWN_COUNT, .type = {.kind = TY_INT}, .id = w->atom.relation};
    IrExpr *args[IR_MAX_ARGS] = {0};
    bool each = uses_slots(em, &w->atom, count, w->weight);
    for (int n = 0; n < count; n++) {
        const IrTerm *t = &w->atom.term[n];
        weigh.atom.value[n] = args[n] = t->value;
        weigh.atom.slot[n] = t->value ? -1 : t->slot;
        if (t->value && uses_slots(em, &w->atom, count, t->value)) { // R(x, x)
            each = true;
            weigh.equal[n] = t->value;
            weigh.atom.value[n] = NULL;
            weigh.atom.slot[n] = w->frame.slots + n;
        }
    }
    emit_line(em, "// %s", emit_word_line(em, w->text ? w->text : ""));
    emit_scope(em);
    all.args = args;
    if (each) {
        emit_each_row(em, f, &weigh.atom, add_weight, &weigh);
    } else {
        const char *number = emit_expr(em, f, w->weight);
        emit_line(em, "sum += (int64_t)%s * %s;", emit_known_expr(em, f, &all), number);
    }
    emit_close(em);
}

static void print_worth(Emitter *em) {
    const IrKnowledge *k = em->knowing->k;
    begin(em);
    find_all(em, USE_WORTH, 1, "s, me, mover, k");
    emit_line(em, "int64_t sum = 0;");
    for (int n = 0; n < k->worths; n++)
        print_weight(em, &k->worth[n]);
    emit_line(em, "return sum;");
    finish(em, emit_f(em, "static INLINE int64_t worth(%s)", params));
    for (int p = 0; p < em->g->players; p++) {
        begin(em);
        emit_line(em, "Known known, *const k = &known;");
        emit_line(em, "const int mover = s->player;");
        find_all(em, USE_WORTH, 0, emit_f(em, "s, %d, mover, k", p));
        emit_line(em, "int64_t sum = worth(s, %d, mover, k);", p);
        if (k->opponent && em->g->players == 2)
            emit_line(em,
                      "sum = (int64_t)((uint64_t)sum + UINT64_C(%llu) * "
                      "(uint64_t)worth(s, %d, mover, k));",
                      (unsigned long long)k->opponent, 1 - p);
        emit_line(em, "return sum;");
        finish(em, emit_f(em, "static NOINLINE int64_t worth_%d(const State *const s)", p));
    }
}

// --- priorities ---

static void print_prefer(Emitter *em, EmitFrame *f, const IrPrefer *line) {
    const char *made = "";
    for (uint64_t left = line->choices; left;)
        made = emit_f(em, "%s%schoice[%d] != INT32_MIN", made, *made ? " && " : "",
                      bits_pop(&left));
    emit_line(em, "// %s", emit_word_line(em, line->text ? line->text : ""));
    if (*made)
        emit_open(em, "if (%s)", made);
    else
        emit_scope(em);
    emit_open(em, "if (%s)", emit_expr(em, f, line->cond));
    emit_line(em, "value = scaled(value, %lld, %lld);", (long long)line->times,
              (long long)line->over);
    emit_close(em);
    emit_close(em);
}

static void print_priority(Emitter *em) {
    const IrKnowledge *k = em->knowing->k;
    text_f(em->helpers,
           "// A factor, truncated; at most so much.\n"
           "static INLINE int64_t scaled(const int64_t value, const int64_t times,\n"
           "                             const int64_t over) {\n"
           "    const uint128 much = (uint128)value * (uint64_t)times / (uint64_t)over;\n"
           "    return much > INT64_C(%lld) ? INT64_C(%lld) : (int64_t)much;\n"
           "}\n\n",
           (long long)NATIVE_PRIORITY_MOST, (long long)NATIVE_PRIORITY_MOST);
    begin(em);
    EmitFrame *f = frame_with(em, &k->prefer_frame, 0);
    for (int n = 0; n < k->choices; n++)
        f->local[k->choice[n].slot] =
            (EmitLocal){.kind = BIND_TEXT, .text = emit_f(em, "choice[%d]", n)};
    emit_line(em, "Known known, known_before, *const k = &known, *const was = &known_before;");
    emit_line(em, "const int mover = s->player, mover_before = b->player;");
    find_all(em, USE_AFTER, -1, "s, me, mover, k");
    find_all(em, USE_BEFORE, -1, "b, me, mover_before, was");
    emit_line(em, "int64_t value = INT64_C(%lld);", (long long)NATIVE_PRIORITY_ONE);
    for (int n = 0; n < k->prefers; n++)
        print_prefer(em, f, &k->prefer[n]);
    emit_line(em, "return value;");
    finish(em, "static INLINE int64_t priority(const State *const b, const State *const s,\n"
               "                               const int me, const int32_t *const choice)");
    for (int p = 0; p < em->g->players; p++)
        text_f(em->bodies,
               "static NOINLINE int64_t priority_%d(const State *const b, const State *const s,\n"
               "                                   const int32_t *const choice) {\n"
               "    return priority(b, s, %d, choice);\n}\n\n",
               p, p);
}

// --- the whole file ---

static void print_copy(Emitter *em, int n, int at) {
    const EmitRelation *rel = &em->knowing->rel[n];
    const IrRelation *r = rel->r;
    int after = 1;
    for (int i = rel->bit + 1; i < r->params; i++)
        after *= r->size[i];
    emit_open(em, "for (int i = 0; i < %d; i++)", rel->rows);
    emit_open(em, "for (int n = 0; n < %d; n++)", rel->bit < 0 ? 1 : r->size[rel->bit]);
    emit_line(em, "const int t = (i / %d * %d + n) * %d + i %% %d;", after,
              rel->bit < 0 ? 1 : r->size[rel->bit], after, after);
    emit_line(em, "if (%s) out[%d + (t >> 6)] |= UINT64_C(1) << (t & 63);",
              emit_row_has(em, rel, emit_f(em, "k->%s[i]", rel->name), "n"), at);
    emit_close(em);
    emit_close(em);
}

static void print_relations(Emitter *em) {
    const IrKnowledge *k = em->knowing->k;
    begin(em);
    int words = 0;
    for (int n = 0; n < k->relations; n++)
        words += (k->relation[n].tuples + 63) / 64;
    emit_line(em, "Known known, *const k = &known;");
    emit_line(em, "const int mover = s->player;");
    emit_line(em, "for (int i = 0; i < %d; i++) out[i] = 0;", words);
    find_all(em, USE_ALL, -1, "s, me, mover, k");
    for (int n = 0, at = 0; n < k->relations; n++) {
        print_copy(em, n, at);
        at += (k->relation[n].tuples + 63) / 64;
    }
    finish(em, "EXPORT void ludens_relations(const State *const s, const int me, "
               "uint64_t *const out)");
}

static void print_known(Emitter *em, Text *out) {
    const IrKnowledge *k = em->knowing->k;
    emit_row_types(em, out);
    text_add(out, "// What follows from a state: rows of bits.\ntypedef struct Known {\n");
    for (int n = 0; n < k->relations; n++) {
        const EmitRelation *rel = &em->knowing->rel[n];
        text_f(out, "    %s %s[%d];\n", emit_row_type(em, rel), rel->name, rel->rows);
    }
    text_add(out, "    char none;\n} Known;\n\n");
}

static void print_choices(Emitter *em, const char *name, const char *args) {
    for (int p = 0; p < em->g->players; p++)
        text_f(em->bodies, "    if (me == %d) return %s_%d(%s);\n", p, name, p, args);
    text_add(em->bodies, "    return 0;\n}\n\n");
}

static bool whole_file(Emitter *em, const void *context, Text *out) {
    struct EmitKnowing knowing = {.k = context, .in = "k"};
    em->knowing = &knowing;
    bool ok = find_groups(em);
    emit_occupied(em);
    for (int n = 0; ok && n < knowing.k->relations; n++)
        if (knowing.rel[n].group == n)
            ok = print_group(em, n);
    if (!ok)
        return false;
    print_worth(em);
    print_priority(em);
    print_relations(em);
    text_add(em->bodies, "EXPORT int64_t ludens_worth(const State *const s, const int me) {\n");
    print_choices(em, "worth", "s");
    text_add(em->bodies, "EXPORT int64_t ludens_priority(const State *const b, const State *const "
                         "s, const int me,\n                               const int32_t *const "
                         "choice) {\n");
    print_choices(em, "priority", "b, s, choice");

    Text *t = emit_text(em);
    emit_heading(em, t);
    emit_prelude_sets(em, t);
    emit_state(em, t);
    print_known(em, t);
    text_add(t, text_c(em->constants));
    text_add(t, text_c(em->helpers));
    text_add(t, text_c(em->protos));
    text_add(t, "\n");
    text_add(t, text_c(em->bodies));
    text_f(t,
           "EXPORT extern const LudensNativeInfo ludens_knowledge_info;\n"
           "const LudensNativeInfo ludens_knowledge_info = {%d, %d, %d, %d, \"%016llx\"};\n",
           NATIVE_ABI, em->g->layout.size, em->g->layout.identity, em->g->players,
           (unsigned long long)emit_text_hash(t));
    text_add(out, text_c(t));
    return true;
}

bool native_emit_knowledge(const IrGame *g, const IrKnowledge *k, Text *out) {
    return emit_whole(g, whole_file, k, out);
}
