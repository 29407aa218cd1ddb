// The generated file from top to bottom: heading, types, sets, state, tables, helpers, the rules,
// and the exported functions.
#include "native/emitter.h"

#include "base/hash.h"
#include "native/abi.h"

#include <string.h>

void emit_heading(Emitter *em, Text *out) {
    const IrGame *g = em->g;
    text_f(out, "// %s", emit_word_line(em, g->title ? g->title : "A game"));
    for (int n = 0; n < g->parameters; n++) {
        const IrParameter *p = &g->parameter[n];
        text_f(out, "%s %s =", n ? "," : ":", p->name);
        for (int i = 0; i < p->count; i++) {
            if (p->words)
                text_f(out, " %s", emit_word_line(em, p->words[p->values[i]]));
            else if (p->boolean)
                text_add(out, p->values[i] ? " yes" : " no");
            else
                text_f(out, "%s %lld", i ? "," : "", (long long)p->values[i]);
        }
    }
    text_add(out, "\n//\n"
                  "// Made from the rules by Ludens; compile it as a shared object. The exported\n"
                  "// functions are at the end. `me` and `mode` are constants wherever they are\n"
                  "// parameters: every function is inlined into one for each player.\n\n");
}

void emit_occupied(Emitter *em) {
    const char *sum = "SET_EMPTY";
    for (int n = 0; n < em->g->planes; n++)
        sum = emit_or(em, sum, emit_f(em, "s->plane[%s]", emit_plane_name(em, n)));
    if (em->kept)
        sum = "SET_ALL & ~s->empty";
    text_f(em->helpers,
           "// Cells with a piece.\n"
           "static INLINE Set occupied(const State *const s) {\n    return %s;\n}\n\n",
           sum);
}

// A turn that is one choice of a cell and nothing that could refuse it.
static bool is_simple(const IrGame *g) {
    const IrStmt *s = g->turn;
    while (s && !s->chooses)
        s = s->next;
    return s && s == g->turn && s->kind == ST_CHOOSE && s->domain->kind == DOM_SET &&
           !emit_chooses(s->next);
}

uint64_t emit_text_hash(const Text *t) {
    return hash_bytes(HASH_START, t->s, t->n);
}

static bool whole_file(Emitter *em, const void *context, Text *out) {
    (void)context;
    em->simple = is_simple(em->g);
    emit_decide_kept(em);
    emit_occupied(em);
    emit_rules(em, &em->g->end, "end_rules", 0);
    emit_rules(em, &em->g->stuck, "stuck_rules", RESULT_OVER);
    emit_rules(em, &em->g->all_stuck, "all_stuck_rules", RESULT_OVER);
    emit_procs(em);
    emit_generate(em);
    emit_apply(em);
    emit_ends(em);

    Text *t = emit_text(em);
    emit_heading(em, t);
    emit_prelude(em, t);
    emit_state(em, t);
    text_add(t, "// --- the board ---\n\n");
    text_add(t, text_c(em->constants));
    text_add(t, text_c(em->helpers));
    text_add(t, "// --- the rules ---\n\n");
    text_add(t, text_c(em->protos));
    text_add(t, "\n");
    text_add(t, text_c(em->bodies));
    text_add(t, "// --- exported functions ---\n\n");
    emit_exports(em, t);
    text_f(t,
           "EXPORT extern const LudensNativeInfo ludens_info;\n"
           "const LudensNativeInfo ludens_info = {%d, %d, %d, %d, \"%016llx\"};\n",
           NATIVE_ABI, em->g->layout.size, em->g->layout.identity, em->g->players,
           (unsigned long long)emit_text_hash(t));
    text_add(out, text_c(t));
    return true;
}

bool native_emit(const IrGame *g, Text *out) {
    return emit_whole(g, whole_file, NULL, out);
}

bool emit_whole(const IrGame *g, EmitWhole *whole, const void *context, Text *out) {
    Arena arena;
    jmp_buf recovery;
    arena_init(&arena, &recovery);
    Emitter *em = mem_alloc(sizeof *em);
    if (!em)
        return false;
    *em = (Emitter){.g = g, .b = g->board, .arena = &arena};
    em->words = g->board->words;
    em->cells = g->board->cells;
    em->one = em->words == 1;
    bool ok = false;
    if (!setjmp(recovery)) {
        em->constants = emit_text(em);
        em->helpers = emit_text(em);
        em->protos = emit_text(em);
        em->bodies = emit_text(em);
        em->func_done = ARENA_ARRAY(em->arena, bool, g->funcs + 1);
        em->func_reads = ARENA_ARRAY(em->arena, struct EmitFuncReads, g->funcs + 1);
        ok = whole(em, context, out) && !out->failed;
    }
    for (EmitText *t = em->texts; t; t = t->up) {
        ok = ok && !t->text.failed;
        text_free(&t->text);
    }
    arena_free(&arena);
    mem_free(em);
    return ok;
}
