// What a state keeps besides its fields while machine code works on it, and what follows from it.
//
// Where a turn is one choice of a cell, the free cells stand behind the fields of the state: the
// next choice needs them first, and one set that changes by one cell is there sooner than the
// complement of the union of all planes. States outside have no such set: exported functions make
// it when they begin (`enter`), and leave without it.
//
// Chains: choose the first free cell of each row that runs one way, as discs that fall do.
//
//     choose c in empty - step(empty, d);  place something on c
//
// If the cells behind a free cell are free at the start of a random game, they always are, and a
// chain has one such cell at most. So any chain is drawn, and another one if it is full: each cell
// is as likely as the others, and the draw does not wait for the position.
#include "native/emitter.h"

// --- the free cells ---

void emit_decide_kept(Emitter *em) {
    em->kept = em->one && em->simple && em->g->planes > 1;
}

void emit_kept_field(Emitter *em, Text *out) {
    if (em->kept)
        text_add(out,
                 "    Set empty; // kept while the code runs, not part of the state outside\n");
}

// After a statement on planes: the cells of the text `x` are full (or free) now.
const char *emit_keep(Emitter *em, const char *s, const char *x, bool full) {
    if (!em->kept)
        return "";
    return emit_f(em, full ? "%s->empty &= ~%s;" : "%s->empty |= %s;", s, x);
}

void emit_print_enter(Emitter *em, Text *out) {
    if (!em->kept)
        return;
    const char *sum = "SET_EMPTY";
    for (int n = 0; n < em->g->planes; n++)
        sum = emit_or(em, sum, emit_f(em, "s.plane[%s]", emit_plane_name(em, n)));
    int words = em->g->layout.size / 8;
    text_f(out,
           "typedef union Outside {\n    State s;\n    uint64_t w[sizeof(State) / 8];\n} Outside;\n"
           "static INLINE State enter(const void *const state) {\n"
           "    const uint64_t *const w = ((const Outside *)state)->w;\n"
           "    Outside u;\n"
           "    for (int n = 0; n < %d; n++) u.w[n] = w[n];\n"
           "    State s = u.s;\n"
           "    s.empty = SET_ALL & ~%s;\n"
           "    return s;\n}\n"
           "static INLINE void leave(void *const state, const State *const s) {\n"
           "    Outside u = {*s};\n"
           "    for (int n = 0; n < %d; n++) ((Outside *)state)->w[n] = u.w[n];\n"
           "}\n\n",
           words, sum, words);
}

// --- chains ---

typedef struct Chains {
    const IrExpr *image; // step(empty, d)
    int d, count;
    uint64_t set[64];
} Chains;

static bool is_free(const IrExpr *e) {
    return e->op == IR_NOT_SET && e->kid[0]->op == IR_OCCUPIED;
}

// What a definition without parameters stands for.
static const IrExpr *meaning(const Emitter *em, const IrExpr *e) {
    while (e->op == IR_CALL && em->g->func[e->id]->params == 0)
        e = em->g->func[e->id]->body;
    return e;
}

// Whether the statements put something on the chosen cell, and on no other.
static bool fills_choice(const IrStmt *list, int slot) {
    bool fills = false;
    for (; list; list = list->next) {
        if (list->kind == ST_PLACE && list->e[0]->op == IR_LOCAL && list->e[0]->id == slot)
            fills = true;
        else if (list->kind != ST_ASSIGN && list->kind != ST_LET)
            return false;
    }
    return fills;
}

// Follows the direction from every cell to which it does not lead.
static bool split_board(const Emitter *em, Chains *chains) {
    const Board *b = em->b;
    uint64_t inner = 0;
    for (int c = 0; c < b->cells; c++) {
        int to = b->step[c * b->directions + chains->d];
        if (to < b->cells && inner >> to & 1)
            return false; // two ways lead there
        if (to < b->cells)
            inner |= (uint64_t)1 << to;
    }
    uint64_t seen = 0;
    for (int c = 0; c < b->cells; c++) {
        if (inner >> c & 1)
            continue;
        uint64_t *set = &chains->set[chains->count++];
        for (int at = c; at < b->cells; at = b->step[at * b->directions + chains->d])
            *set |= (uint64_t)1 << at;
        seen |= *set;
    }
    for (int c = 0; c < b->cells; c++) // no circles
        if (!(seen >> c & 1))
            return false;
    return chains->count > 1;
}

static bool find_chains(Emitter *em, Chains *chains) {
    const IrStmt *turn = em->g->turn;
    if (!em->kept || em->g->layout.stack_width || turn->domain->where)
        return false;
    const IrExpr *e = meaning(em, turn->domain->a);
    if (e->op != IR_MINUS)
        return false;
    const IrExpr *from = meaning(em, e->kid[0]), *image = meaning(em, e->kid[1]);
    int64_t d;
    EmitFrame *f = emit_frame(em, &em->g->turn_frame);
    if (!is_free(from) || image->op != IR_IMAGE || !is_free(meaning(em, image->kid[0])) ||
        em->g->table[image->id]->sets || !emit_is_step(em, em->g->table[image->id]) ||
        !emit_constant(em, f, image->kid[1], &d) || d < 0 || d >= em->b->directions ||
        !fills_choice(turn->next, turn->domain->slot))
        return false;
    *chains = (Chains){.image = image, .d = (int)d};
    return split_board(em, chains);
}

// The choice. Where a step that leaves the board leads to no number of a cell, a plain shift will
// do.
static const char *first_free(Emitter *em, int d) {
    const Board *b = em->b;
    int by = 0;
    for (int c = 0; c < b->cells; c++) {
        int to = b->step[c * b->directions + d];
        if (to < b->cells && by && to - c != by)
            return "choices(s, me)";
        by = to < b->cells ? to - c : by;
    }
    for (int c = 0; c < b->cells; c++)
        if (b->step[c * b->directions + d] >= b->cells && c + by >= 0 && c + by < b->cells)
            return "choices(s, me)";
    return emit_f(em, "s->empty & ~(s->empty %s %d)", by > 0 ? "<<" : ">>", by > 0 ? by : -by);
}

// Prints what draws a chain; false if the choice is not that.
bool emit_chains(Emitter *em, Text *out) {
    Chains chains;
    if (!find_chains(em, &chains))
        return false;
    text_f(out, "static const Set chain[%d] = {", chains.count);
    for (int n = 0; n < chains.count; n++)
        text_f(out, "%s%s", n ? ", " : "", emit_hex(em, chains.set[n]));
    IrExpr d = {.op = IR_CONST, .value = chains.d, .type = {.kind = TY_DIRECTION}};
    const char *behind = emit_shift(em, NULL, "s->empty", &d, false);
    text_f(out,
           "};\n"
           "// Whether all cells behind a free one are free, as moves leave it.\n"
           "static INLINE int in_order(const State *const s) { return set_within(%s, s->empty); }\n"
           "// One random move, if there is one: any chain, again if it is full.\n"
           "static INLINE int move_in_chain(State *const s, const int me, Random *const random) {\n"
           "    const Set x = %s;\n"
           "    Set at = x & chain[random_share(random, %d)];\n"
           "    while (!LIKELY(at)) {\n"
           "        if (!x) return 0;\n"
           "        random->bits = random_next(random);\n"
           "        at = x & chain[random_share(random, %d)];\n"
           "    }\n"
           "    const int fault = play_cell(s, me, CTZ(at), at);\n"
           "    return fault ? fault : 1;\n"
           "}\n\n",
           behind, first_free(em, chains.d), chains.count, chains.count);
    return true;
}
