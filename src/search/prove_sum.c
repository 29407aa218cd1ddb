// prove_sum: games that fall apart into parts that have nothing to do with each other.
//
// Worked out of the rules: both players have the same moves; a move is one choice of a cell and
// takes pieces off the board; what can be chosen and what is taken depends on the cell and on cells
// in a straight row from it. So a part is a set of cells that such rows keep together. Who takes
// the last piece wins. By the theorem of Sprague and Grundy each part then counts as a heap, as
// large as the least number that none of its moves leads to, and the player on move wins unless the
// exclusive or of all heaps is 0.
#include "search/prove_parts.h"

#include "base/mem.h"

#include <string.h>

#define DEPTH 24      // of expressions; deeper ones are refused
#define HEAP_MOST 512 // a part has no more moves than cells

typedef struct Known {
    ProveKey key;
    int heap; // + 1; 0: free
} Known;

typedef struct Sum {
    Prover *p;
    Keyer *keyer;
    Brood brood;
    int part[BOARD_MAX_CELLS + 1]; // of each cell: a cell of its part
    Known *known;
    size_t count, cap; // cap is a power of two
} Sum;

typedef struct Reading { // of the rules
    Sum *s;
    const IrGame *ir;
    int slot;
} Reading;

// --- the rules ---

static int part_of(Sum *s, int cell) {
    while (s->part[cell] != cell)
        cell = s->part[cell] = s->part[s->part[cell]];
    return cell;
}

static void join_row(Sum *s, const Board *b, int direction) {
    for (int c = 0; c < b->cells; c++) {
        int to = b->step[c * b->directions + direction];
        if (to < b->cells)
            s->part[part_of(s, to)] = part_of(s, c);
    }
}

// A set whose members are told cell by cell.
static bool is_pointwise(const IrExpr *e, int depth) {
    if (!e || depth == 0)
        return false;
    switch (e->op) {
    case IR_OCCUPIED:
    case IR_PLANE:
    case IR_SET: return true;
    case IR_PIECES: return e->id >= 0 && !e->kid[0];
    case IR_NOT_SET: return is_pointwise(e->kid[0], depth - 1);
    case IR_AND:
    case IR_OR:
    case IR_MINUS: return is_pointwise(e->kid[0], depth - 1) && is_pointwise(e->kid[1], depth - 1);
    default: return false;
    }
}

static bool is_choice(const Reading *r, const IrExpr *e) {
    return e && e->op == IR_LOCAL && e->id == r->slot;
}

// A set of cells within the part of the chosen one. Rows join parts.
static bool is_local(const Reading *r, const IrExpr *e, int depth) {
    if (!e || depth == 0)
        return false;
    switch (e->op) {
    case IR_SINGLE: return is_choice(r, e->kid[0]);
    case IR_AND:
    case IR_OR:
    case IR_MINUS: return is_local(r, e->kid[0], depth - 1) && is_local(r, e->kid[1], depth - 1);
    case IR_RAY_WHILE:
    case IR_RAY_UNTIL:
        if (!is_choice(r, e->kid[0]) || e->kid[1]->op != IR_CONST ||
            !is_pointwise(e->kid[2], depth))
            return false;
        join_row(r->s, r->ir->board, (int)e->kid[1]->value);
        return true;
    default: return false;
    }
}

static bool is_condition(const Reading *r, const IrExpr *e, int depth) {
    if (!e || depth == 0)
        return false;
    switch (e->op) {
    case IR_CONST: return true;
    case IR_COUNT:
    case IR_SOME: return is_local(r, e->kid[0], depth - 1);
    case IR_NOT: return is_condition(r, e->kid[0], depth - 1);
    case IR_EQ:
    case IR_NE:
    case IR_LT:
    case IR_LE:
    case IR_ADD:
    case IR_SUB:
    case IR_BOTH:
    case IR_EITHER:
        return e->kid[0]->type.kind != TY_SET && is_condition(r, e->kid[0], depth - 1) &&
               is_condition(r, e->kid[1], depth - 1);
    default: return false;
    }
}

static bool is_end(const IrGame *ir) { // me wins when no occupied
    const IrRule *found = NULL;
    for (int i = 0; i < ir->end.count; i++) {
        const IrExpr *cond = ir->end.rule[i].cond;
        if (cond && cond->op == IR_CONST && cond->value == 0)
            continue;
        if (found)
            return false;
        found = &ir->end.rule[i];
    }
    return found && found->outcome == OUT_WINS && found->player->op == IR_ME && found->cond &&
           found->cond->op == IR_NOT && found->cond->kid[0]->op == IR_SOME &&
           found->cond->kid[0]->kid[0]->op == IR_OCCUPIED;
}

static bool derive(Sum *s, const IrGame *ir) {
    const IrStmt *turn = ir->turn;
    if (ir->players != 2 || ir->vars || ir->attrs || ir->board->stack > 1 || !turn ||
        turn->kind != ST_CHOOSE || turn->domain->kind != DOM_SET || !is_end(ir))
        return false;
    for (int c = 0; c <= ir->board->cells; c++)
        s->part[c] = c;
    Reading r = {s, ir, turn->domain->slot};
    const IrExpr *set = turn->domain->a, *where = turn->domain->where;
    // A condition on the members may stand in the set, with a local of its own.
    if (set->op == IR_FILTER && set->domain->kind == DOM_SET && !where) {
        Reading inner = {s, ir, set->domain->slot};
        if (!is_condition(&inner, set->domain->where, DEPTH))
            return false;
        set = set->domain->a;
    }
    if (!is_pointwise(set, DEPTH) || (where && !is_condition(&r, where, DEPTH)) || !turn->next)
        return false;
    for (const IrStmt *stmt = turn->next; stmt; stmt = stmt->next) {
        bool local = stmt->kind == ST_REMOVE &&
                     (is_choice(&r, stmt->e[0]) || is_local(&r, stmt->e[0], DEPTH));
        if (!local)
            return false;
    }
    return true;
}

// --- heaps ---

static Known *find(Sum *s, ProveKey key) {
    size_t at = key.a & (s->cap - 1);
    while (s->known[at].heap && (s->known[at].key.a != key.a || s->known[at].key.b != key.b))
        at = (at + 1) & (s->cap - 1);
    return &s->known[at];
}

static bool keep(Sum *s, ProveKey key, int heap) {
    if (2 * s->count >= s->cap) {
        Sum old = *s;
        s->cap = old.cap ? 2 * old.cap : 1024;
        s->known = s->cap * sizeof(Known) > s->p->memory ? NULL : mem_alloc(s->cap * sizeof(Known));
        if (!s->known) {
            s->known = old.known;
            s->cap = old.cap;
            s->p->too_big = true;
            return false;
        }
        for (size_t i = 0; i < old.cap; i++)
            if (old.known[i].heap)
                *find(s, old.known[i].key) = old.known[i];
        mem_free(old.known);
    }
    Known *k = find(s, key);
    s->count += k->heap == 0;
    *k = (Known){key, heap + 1};
    return true;
}

// Whether a move took pieces: one that takes none would lead back here, and heaps would not end.
static bool takes_some(const Sum *s, size_t from, size_t to) {
    const IrGame *ir = s->p->game->ir;
    const uint8_t *states = s->brood.states;
    bool some = false;
    for (int i = 0; i < ir->planes; i++)
        some = some || memcmp(states + from + ir->plane[i].offset,
                              states + to + ir->plane[i].offset, 8 * (size_t)ir->board->words);
    return some;
}

// How large a heap the position counts as, which has pieces in one part only.
static int heap_of(Sum *s, size_t state) {
    Prover *p = s->p;
    s->brood.states[state + (size_t)p->game->ir->layout.player] = 0; // all have the same moves
    ProveKey key = keyer_key(s->keyer, s->brood.states + state);
    const Known *known = s->cap ? find(s, key) : NULL;
    if (known && known->heap)
        return known->heap - 1;
    if (clock_over(&p->clock))
        return 0;
    int first = s->brood.count;
    size_t end = s->brood.end;
    int n = brood_expand(&s->brood, state);
    bool reached[HEAP_MOST + 1] = {false};
    // Pieces that cannot be taken: then the last move does not take the last piece.
    if (n == 0 || n > HEAP_MOST)
        p->too_big = true;
    for (int i = first; i < first + n && !prover_stopped(p); i++) {
        const Child *c = &s->brood.child[i];
        if (!takes_some(s, state, c->state)) {
            p->too_big = true;
            break;
        }
        int heap = c->result ? 0 : heap_of(s, c->state);
        reached[heap <= HEAP_MOST ? heap : HEAP_MOST] = true;
    }
    s->brood.count = first;
    s->brood.end = end;
    int heap = 0;
    while (reached[heap])
        heap++;
    if (!prover_stopped(p))
        keep(s, key, heap);
    return heap;
}

// Leaves only the pieces of one part; false if there are none.
static bool cut_out(Sum *s, int part, uint8_t *state) {
    const IrGame *ir = s->p->game->ir;
    bool some = false;
    for (int i = 0; i < ir->planes; i++)
        for (int c = 0; c < ir->board->cells; c++) {
            uint8_t *byte = state + ir->plane[i].offset + c / 8; // sets are little-endian words
            if (part_of(s, c) != part)
                *byte = (uint8_t)(*byte & ~(1 << c % 8));
            some = some || *byte >> c % 8 & 1;
        }
    return some;
}

// --- the way ---

static void sum_end(void *with) {
    Sum *s = with;
    keyer_free(s->keyer);
    brood_free(&s->brood);
    mem_free(s->known);
    mem_free(s);
}

static void *sum_begin(Prover *p, const uint8_t *state) {
    (void)state;
    Sum *s = mem_alloc(sizeof *s);
    if (!s || (derive(s, p->game->ir) && !(s->keyer = keyer_new(p)))) {
        mem_free(s);
        prover_fail(p, "out of memory");
        return NULL;
    }
    if (!s->keyer) {
        mem_free(s);
        return NULL;
    }
    s->p = p;
    s->brood.p = p;
    return s;
}

static int sum_ask(void *with, const uint8_t *state, int goal) {
    (void)goal;
    Sum *s = with;
    Prover *p = s->p;
    int all = 0;
    for (int c = 0; c < p->game->ir->board->cells && !prover_stopped(p); c++)
        if (part_of(s, c) == c && brood_begin(&s->brood, state) && cut_out(s, c, s->brood.states))
            all ^= heap_of(s, 0);
    bool mine = game_player(p->game, state) == p->first;
    return mine == (all != 0) ? PROVE_WON : PROVE_LOST;
}

const ProveMethod prove_sum = {PROVE_SUM, sum_begin, sum_ask, sum_end, NULL};
