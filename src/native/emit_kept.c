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

// --- random games by chains ---
//
// Every ply fills one cell, so that the plies of a game are the cells that it filled, and need not
// be counted one by one. On a free board there are rounds which no end rule can end, and in which
// no chain can be full.

// Draws that one random number serves: the product of their numbers of chains has to be small.
static int draws_of_number(const Chains *chains) {
    int64_t product = 1;
    int draws = 0;
    while ((product *= chains->count) <= 1 << 20)
        draws++;
    return draws;
}

static int min_int(int a, int b) {
    return a < b ? a : b;
}

static bool fills_as_me(const IrStmt *list) {
    for (; list; list = list->next)
        if (list->kind == ST_PLACE && !(list->e[1] && list->e[1]->op == IR_ME))
            return false;
    return true;
}

static int shortest_line(const Board *b) {
    int shortest = b->cells;
    for (int n = 0; n < b->lines; n++)
        shortest = min_int(shortest, __builtin_popcountll(b->line_set[n]));
    return shortest;
}

// Rounds from a free board in which the rule cannot hold, a player's pieces being one more in each.
static int rounds_before(Emitter *em, const IrRule *rule) {
    const IrExpr *e = rule->cond ? meaning(em, rule->cond) : NULL;
    if (!e)
        return 0;
    if (e->op == IR_NOT && e->kid[0]->op == IR_SOME && is_free(meaning(em, e->kid[0]->kid[0])))
        return (em->b->cells - 1) / em->g->players;
    if (e->op != IR_ANY)
        return 0;
    const IrExpr *set = emit_line_within(em, e);
    if (!set || meaning(em, set)->op != IR_OWNED)
        return 0;
    return shortest_line(em->b) - 1;
}

static int opening_rounds(Emitter *em, const Chains *chains) {
    if (!fills_as_me(em->g->turn->next))
        return 0;
    int rounds = draws_of_number(chains) / em->g->players;
    for (int n = 0; n < chains->count; n++)
        rounds = min_int(rounds, __builtin_popcountll(chains->set[n]) / em->g->players);
    for (int n = 0; n < em->g->end.count; n++)
        rounds = min_int(rounds, rounds_before(em, &em->g->end.rule[n]));
    return rounds;
}

// The rounds of a game from state `s` as a statement, with `left` and `on` as in ludens_playout.
static void print_chain_rounds(Emitter *em, Text *out, const Chains *chains) {
    int players = em->g->players, rounds = draws_of_number(chains) / players;
    rounds = rounds > 2 ? 2 : rounds > 0 ? rounds : 1; // of one number; more only make it long
    int opening = opening_rounds(em, chains);
    text_add(out, "// A random game; returns the last ply's 1, 0 or fault.\n"
                  "static INLINE int chain_game(State *const s, Random *const random) {\n"
                  "    int on;\n"
                  "    random->bits = random_next(random);\n");
    for (int p = 1; p < players; p++)
        text_f(out, "    if (s->player == %d) goto player_%d;\n", p, p);
    if (opening) {
        text_add(out, "    if (SET_SAME(s->empty, SET_ALL)) {\n");
        for (int n = 0; n < opening * players; n++)
            text_f(out, "        TRY(opening_ply(s, %d, random));\n", n % players);
        text_add(out, "    }\n");
    }
    text_add(out, "    for (;;) {\n        random->bits = random_next(random);\n");
    for (int n = 0; n < rounds * players; n++) {
        if (n > 0 && n < players)
            text_f(out, "    player_%d:\n", n);
        text_f(out,
               "        on = chain_ply_%d(s, random);\n"
               "        if (UNLIKELY(on <= 0) || UNLIKELY(s->result)) return on;\n",
               n % players);
    }
    text_add(out, "    }\n}\n\n");
}

static void print_chain_plies(Emitter *em, Text *out, const Chains *chains) {
    const char *first = first_free(em, chains->d);
    text_f(out,
           "// One random move, if there is one: any chain, or if it is full, any that is not.\n"
           "static INLINE int move_in_chain(State *const s, const int me, Random *const random) {\n"
           "    const Set x = %s;\n"
           "    Set at = x & chain[random_share(random, %d)];\n"
           "    if (UNLIKELY(!at)) {\n"
           "        if (!x) return 0;\n"
           "        random->bits = random_next(random);\n"
           "        at = word_nth_bit(x, (int)random_share(random, (uint64_t)set_count(x)));\n"
           "    }\n"
           "    const int fault = play_cell(s, me, CTZ(at), at);\n"
           "    return fault ? fault : 1;\n"
           "}\n"
           "// The same where no chain is full and the game cannot end; 0 or a fault.\n"
           "static INLINE int opening_ply(State *const s, const int me, Random *const random) {\n"
           "    const Set at = (%s) & chain[random_share(random, %d)];\n"
           "    return turn_cell(s, me, CTZ(at), at);\n"
           "}\n\n",
           first, chains->count, first, chains->count);
    for (int p = 0; p < em->g->players; p++)
        text_f(out,
               "static INLINE int chain_ply_%d(State *const s, Random *const random) {\n"
               "    const int found = move_in_chain(s, %d, random);\n"
               "    return LIKELY(found) ? found : no_move_%d(s);\n"
               "}\n\n",
               p, p, p);
}

bool emit_chains(Emitter *em, Text *out) {
    Chains chains;
    if (em->g->players > 4 || !find_chains(em, &chains))
        return false;
    text_f(out, "static const Set chain[%d] = {", chains.count);
    for (int n = 0; n < chains.count; n++)
        text_f(out, "%s%s", n ? ", " : "", emit_hex(em, chains.set[n]));
    IrExpr d = {.op = IR_CONST, .value = chains.d, .type = {.kind = TY_DIRECTION}};
    const char *behind = emit_shift(em, NULL, "s->empty", &d, false);
    text_f(
        out,
        "};\n"
        "// Whether all cells behind a free one are free, as moves leave it.\n"
        "static INLINE int in_order(const State *const s) { return set_within(%s, s->empty); }\n",
        behind);
    print_chain_plies(em, out, &chains);
    print_chain_rounds(em, out, &chains);
    return true;
}
