// Knowledge as a C file: for each player what a position is worth, finding only what counts for
// that; priorities of moves; the exported functions.
#include "native/emit_relation.h"

#include "native/abi.h"

#include <string.h>

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
        emit_open(em, "if (%s == %s)", l->kind == BIND_VALUE ? emit_number(em, l->value) : l->text,
                  emit_expr(em, f, w->equal[n]));
        opened++;
    }
    emit_line(em, "sum += %s;", emit_expr(em, f, w->w->weight));
    for (; opened > 0; opened--)
        emit_close(em);
}

static bool uses_slots(const Emitter *em, const IrLiteral *atom, int params, const IrExpr *e) {
    for (int n = 0; e && n < params; n++)
        if (!atom->term[n].value && atom->term[n].slot >= 0 && emit_uses(em, e, atom->term[n].slot))
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
    emit_knowing_begin(em);
    find_all(em, USE_WORTH, 1, "s, me, mover, k");
    emit_line(em, "int64_t sum = 0;");
    for (int n = 0; n < k->worths; n++)
        print_weight(em, &k->worth[n]);
    emit_line(em, "return sum;");
    emit_knowing_end(em, "static INLINE int64_t worth(" EMIT_KNOWING_PARAMS ")");
    for (int p = 0; p < em->g->players; p++) {
        emit_knowing_begin(em);
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
        emit_knowing_end(em,
                         emit_f(em, "static NOINLINE int64_t worth_%d(const State *const s)", p));
    }
}

// --- priorities ---

static void print_prefer(Emitter *em, EmitFrame *f, const IrPrefer *line) {
    const char *made = "";
    for (uint64_t left = line->choices; left;)
        made =
            emit_f(em, "%s%schoice[%d] != INT32_MIN", made, *made ? " && " : "", bits_pop(&left));
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
    emit_knowing_begin(em);
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
    emit_knowing_end(em,
                     "EXPORT int64_t ludens_priority(const State *const b, const State *const s,\n"
                     "                               const int me, const int32_t *const choice)");
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
    emit_knowing_begin(em);
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
    emit_knowing_end(em, "EXPORT void ludens_relations(const State *const s, const int me, "
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

static bool whole_file(Emitter *em, const void *context, Text *out) {
    struct EmitKnowing knowing = {.k = context, .in = "k"};
    em->knowing = &knowing;
    bool ok = emit_find_groups(em);
    emit_occupied(em);
    for (int n = 0; ok && n < knowing.k->relations; n++)
        if (knowing.rel[n].group == n)
            ok = emit_group(em, n);
    if (!ok)
        return false;
    print_worth(em);
    print_priority(em);
    print_relations(em);
    text_add(em->bodies, "EXPORT int64_t ludens_worth(const State *const s, const int me) {\n");
    for (int p = 0; p < em->g->players; p++)
        text_f(em->bodies, "    if (me == %d) return worth_%d(s);\n", p, p);
    text_add(em->bodies, "    return 0;\n}\n\n");

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
