// prove_placing: games of placing pieces, searched as sets of cells; see prove_placing.h.
//
// Values are the mover's here: "at least goal" for one player is "not at least 1 - goal" for the
// other. Two kinds of games, each with what can be said without a search:
//
// Lines. A cell that completes a line wins; so the opponent's such cell must be taken, two of them
// lose, and a move that opens one loses. Without lines left to complete nobody wins. And where
// filling a cell opens exactly one other (discs on discs), a player can always answer on top of the
// other: if all cells are in such pairs, the mover gets the lower ones at most.
//
// Packing, without lines: prove_packing.c.
#include "search/prove_placing.h"

#include "base/bits.h"
#include "base/mem.h"

#include <string.h>

typedef struct Board2 {
    uint64_t own[2];
    uint64_t wins[2]; // cells that would complete a line, also filled ones
} Board2;

typedef struct Placer {
    Prover *p;
    ProveTable table;
    uint64_t upper, lower; // of the pairs of cells that lie on each other; 0: there are none
    bool paired;           // and they count: nothing lies above a free cell
    Placing game;
} Placer;

typedef struct Try { // a move that is to be looked at
    int choice, order;
    uint64_t wins; // of the mover, after it
    ProveKey key;  // of the position behind it
} Try;

// --- what both kinds share ---

static uint64_t filled_of(const Board2 *b) {
    return b->own[0] | b->own[1];
}

// The least of all mirror images.
static ProveKey key_of(const Placing *m, uint64_t a, uint64_t b, int side) {
    uint64_t x = a, y = b;
    for (int i = 0; i < m->symmetries; i++) {
        uint64_t u = placing_mirror(m, i, a),
                 v = u < x || (u == x && b) ? placing_mirror(m, i, b) : 0;
        if (u < x || (u == x && v < y)) {
            x = u;
            y = v;
        }
    }
    return prove_key_of(x, side ? ~y : y);
}

static void sort_in(Try *tries, int n, Try t) { // best first
    for (; n > 0 && tries[n - 1].order < t.order; n--)
        tries[n] = tries[n - 1];
    tries[n] = t;
}

static void keep(Placer *s, ProveKey key, ProveKnown known, int value, int goal, int64_t since) {
    if (value >= goal)
        known.low = value;
    else
        known.high = value;
    prove_table_put(&s->table, key, known, s->p->clock.nodes - since);
}

// --- lines ---

static uint64_t wins_after(const Placing *m, const Board2 *b, int side, int cell) {
    uint64_t own = b->own[side] | (uint64_t)1 << cell, wins = b->wins[side];
    for (int i = m->through_start[cell]; i < m->through_start[cell + 1]; i++) {
        uint64_t rest = m->line[m->through[i]] & ~own;
        if ((rest & (rest - 1)) == 0 && !(rest & b->own[1 - side]))
            wins |= rest;
    }
    return wins;
}

static bool has_line(const Placing *m, uint64_t within) {
    for (int i = 0; i < m->shapes; i++) {
        uint64_t found = m->shape[i].starts;
        for (uint64_t cells = m->shape[i].cells; cells && found;)
            found &= within >> bits_pop(&cells);
        if (found)
            return true;
    }
    return false;
}

// Bounds of the value that need no search, where nobody can win without a line.
static void bound_lines(const Placer *s, const Board2 *b, int side, uint64_t legal, int *low,
                        int *high) {
    const Placing *m = &s->game;
    uint64_t mine = b->own[side], his = b->own[1 - side], rest = m->all & ~(mine | his);
    if (s->paired && !(legal & s->upper)) {
        // The opponent answers every move on top of it.
        if (!has_line(m, mine | (rest & s->lower))) {
            *high = PROVE_DRAWN;
            if (has_line(m, his | (rest & s->upper)))
                *high = PROVE_LOST;
        }
    }
    if (2 * bits_count(rest) <= m->cells) {
        if (*high == PROVE_WON && !has_line(m, mine | rest))
            *high = PROVE_DRAWN;
        if (*high >= PROVE_DRAWN && !has_line(m, his | rest))
            *low = PROVE_DRAWN;
    }
}

// Sorts the moves that do not lose at once; -1 if one of them wins by two threats.
static int list_lines(const Placer *s, const Board2 *b, int side, uint64_t legal, uint64_t take,
                      unsigned best, Try *tries) {
    const Placing *m = &s->game;
    uint64_t filled = filled_of(b);
    int n = 0;
    while (take) {
        int c = bits_pop(&take);
        uint64_t after = filled | (uint64_t)1 << c;
        uint64_t next = placing_legal(&m->side[0], after);
        if (next & ~legal & b->wins[1 - side])
            continue;
        uint64_t wins = wins_after(m, b, side, c), now = wins & next;
        if (now & (now - 1))
            return -1;
        int lines = m->through_start[c + 1] - m->through_start[c];
        int order = 64 * bits_count(wins & ~after) + lines;
        if ((unsigned)c == best)
            order = 1 << 20;
        uint64_t own = b->own[side] | (uint64_t)1 << c, his = b->own[1 - side];
        ProveKey key = key_of(m, side ? his : own, side ? own : his, 1 - side);
        prove_table_prefetch(&s->table, key); // the memory takes longer than all the rest
        sort_in(tries, n++, (Try){c, order, wins, key});
    }
    return n;
}

// What the mover is known to reach; PROVE_LOST if nothing is known.
static int find_known(const Placer *s, const Try *tries, int n) {
    int best = PROVE_LOST;
    for (int i = 0; i < n; i++) {
        ProveKnown known;
        prove_table_get(&s->table, tries[i].key, &known);
        best = -known.high > best ? -known.high : best;
    }
    return best;
}

static int look_lines(Placer *s, const Board2 *b, int side, int goal, ProveKey key) {
    Prover *p = s->p;
    const Placing *m = &s->game;
    if (clock_over(&p->clock))
        return 0;
    uint64_t filled = filled_of(b), legal = placing_legal(&m->side[0], filled), take = legal;
    if (legal & b->wins[side])
        return PROVE_WON;
    if (!legal) {
        int value = filled == m->all && m->full == 0 ? PROVE_DRAWN : m->stuck;
        p->too_big = p->too_big || value == PLACING_UNKNOWN;
        return value;
    }
    uint64_t danger = legal & b->wins[1 - side];
    if (danger & (danger - 1))
        return PROVE_LOST;
    if (danger)
        take = danger;
    int low = PROVE_LOST, high = PROVE_WON;
    if (m->stuck == PROVE_DRAWN)
        bound_lines(s, b, side, legal, &low, &high);
    if (low >= goal)
        return low;
    if (high < goal)
        return high;
    ProveKnown known;
    int64_t since = p->clock.nodes;
    prove_table_get(&s->table, key, &known);
    if (known.low >= goal)
        return known.low;
    if (known.high < goal)
        return known.high;
    Try tries[64];
    int n = list_lines(s, b, side, legal, take, known.best, tries);
    if (n < 0)
        return PROVE_WON;
    int value = find_known(s, tries, n);
    for (int i = 0; i < n && value < goal; i++) {
        Board2 to = *b;
        to.own[side] |= (uint64_t)1 << tries[i].choice;
        to.wins[side] = tries[i].wins;
        int v = -look_lines(s, &to, 1 - side, 1 - goal, tries[i].key);
        if (prover_stopped(p))
            return 0;
        if (v > value) {
            value = v;
            known.best = (unsigned)tries[i].choice;
        }
    }
    keep(s, key, known, value, goal, since);
    return value;
}

// --- the way ---

static void read_board(const Placer *s, const uint8_t *state, Board2 *b) {
    const IrGame *ir = s->p->game->ir;
    *b = (Board2){0};
    for (int i = 0; i < ir->planes; i++) {
        uint64_t set;
        memcpy(&set, state + ir->plane[i].offset, sizeof set);
        b->own[ir->plane[i].owner == 1] |= set; // every piece has an owner: see begin
    }
    for (int side = 0; side < 2; side++)
        for (int l = 0; l < s->game.lines; l++) {
            uint64_t rest = s->game.line[l] & ~b->own[side];
            if ((rest & (rest - 1)) == 0 && !(rest & b->own[1 - side]))
                b->wins[side] |= rest;
        }
}

// Cells that become legal by filling one other cell, in pairs from the top down.
static void find_pairs(Placer *s) {
    const PlacingSide *side = &s->game.side[0];
    int below[64], above[64];
    for (int c = 0; c < 64; c++)
        below[c] = above[c] = -1;
    for (int i = 0; i < side->groups; i++)
        for (uint64_t set = side->group[i].filled ? side->group[i].mask : 0; set;) {
            int c = bits_pop(&set), to = c + side->group[i].shift;
            if (below[c] >= 0 || above[to] >= 0)
                return; // it needs two, or opens two
            below[c] = to;
            above[to] = c;
        }
    if (side->possible != s->game.all)
        return;
    for (int c = 0; c < s->game.cells; c++) {
        bool upper = true;
        for (int at = above[c]; at >= 0; at = above[at])
            upper = !upper;
        *(upper ? &s->upper : &s->lower) |= (uint64_t)1 << c;
    }
    if (!s->lower)
        s->upper = 0;
}

// Whether every piece could have been placed where it is: then nothing lies above a free cell, and
// nothing will.
static bool is_grounded(const PlacingSide *side, uint64_t filled) {
    for (int i = 0; i < side->groups; i++) {
        const PlacingGroup *g = &side->group[i];
        if (g->filled && (filled & g->mask & ~placing_shift(filled, g->shift)))
            return false;
    }
    return true;
}

// A line that is there already counts with the next move, wherever that is.
static bool is_won(const Placer *s, const Board2 *b) {
    return s->game.lines && (has_line(&s->game, b->own[0]) || has_line(&s->game, b->own[1]));
}

static void *placing_begin(Prover *p, const uint8_t *state) {
    Placer *s = mem_alloc(sizeof *s);
    if (!s ||
        (placing_derive(p->game, &s->game) && !prove_table_open(&s->table, p->memory, &p->clock))) {
        mem_free(s);
        prover_fail(p, "out of memory");
        return NULL;
    }
    s->p = p;
    bool fits = s->table.memory != NULL;
    for (int i = 0; i < p->game->ir->planes; i++)
        fits = fits && p->game->ir->plane[i].owner < 2;
    Board2 b;
    if (fits)
        read_board(s, state, &b);
    fits = fits && !is_won(s, &b);
    if (!fits) {
        prove_table_close(&s->table);
        mem_free(s);
        return NULL;
    }
    if (s->game.lines)
        find_pairs(s);
    return s;
}

static int placing_ask(void *with, const uint8_t *state, int goal) {
    Placer *s = with;
    Board2 b;
    int side = game_player(s->p->game, state);
    bool mine = side == s->p->first; // the question is the first player's
    int his = mine ? goal : 1 - goal;
    read_board(s, state, &b);
    s->p->too_big = s->p->too_big || is_won(s, &b);
    s->paired = s->upper && is_grounded(&s->game.side[0], filled_of(&b));
    int value = s->game.lines
                    ? look_lines(s, &b, side, his, key_of(&s->game, b.own[0], b.own[1], side))
                    : packing_look(s->p, &s->table, &s->game, filled_of(&b), side);
    return mine ? value : -value;
}

int placing_cost(void *with, const uint8_t *state) {
    Placer *s = with;
    Board2 b;
    int side = game_player(s->p->game, state);
    read_board(s, state, &b);
    ProveKey key = s->game.lines ? key_of(&s->game, b.own[0], b.own[1], side)
                                 : packing_key(&s->game, filled_of(&b), side);
    return prove_table_cost(&s->table, key);
}

static void placing_end(void *with) {
    Placer *s = with;
    prove_table_close(&s->table);
    mem_free(s);
}

const ProveMethod prove_placing = {PROVE_PLACING, placing_begin, placing_ask, placing_end, NULL};
