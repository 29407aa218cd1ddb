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
// Packing. There are no lines; who cannot move loses. Moves only become fewer. Moves whose cells
// the opponent can never fill are safe; of disjoint moves that are not, each move of the opponent
// can spoil no more than it has cells. If that is more than the opponent can still make, it is
// over. Cells that nobody can fill any more are all the same, and so is who has filled the others.
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
    int most_fills[2], least_fills[2];
    Placing game;
} Placer;

typedef struct Try { // a move that is to be looked at
    int choice, order;
    uint64_t wins; // of the mover, after it
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
    for (int l = 0; l < m->lines; l++)
        if ((m->line[l] & ~within) == 0)
            return true;
    return false;
}

// Bounds of the value that need no search.
static void bound_lines(const Placer *s, const Board2 *b, int side, uint64_t legal, int *low,
                        int *high) {
    const Placing *m = &s->game;
    uint64_t mine = b->own[side], his = b->own[1 - side], rest = m->all & ~(mine | his);
    if (s->upper && !(legal & s->upper)) {
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
        sort_in(tries, n++, (Try){c, order, wins});
    }
    return n;
}

static int look_lines(Placer *s, const Board2 *b, int side, int goal) {
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
    bound_lines(s, b, side, legal, &low, &high);
    if (low >= goal)
        return low;
    if (high < goal)
        return high;
    ProveKnown known;
    ProveKey key = key_of(m, b->own[0], b->own[1], side);
    prove_table_prefetch(&s->table, key);
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
    int value = PROVE_LOST;
    for (int i = 0; i < n && value < goal; i++) {
        Board2 to = *b;
        to.own[side] |= (uint64_t)1 << tries[i].choice;
        to.wins[side] = tries[i].wins;
        int v = -look_lines(s, &to, 1 - side, 1 - goal);
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

// --- packing ---

static uint64_t cover(const PlacingSide *s, uint64_t choices) { // cells that they can fill
    uint64_t cells = 0;
    for (int i = 0; i < s->covers; i++)
        cells |= placing_shift(choices & s->cover[i].mask, -s->cover[i].shift);
    return cells;
}

static uint64_t touching(const PlacingSide *s, uint64_t choices, uint64_t cells) {
    uint64_t found = 0;
    for (int i = 0; i < s->covers; i++)
        found |= choices & s->cover[i].mask & placing_shift(cells, s->cover[i].shift);
    return found;
}

// Takes disjoint choices, least first; `cells` are then filled.
static int pack(const PlacingSide *s, uint64_t choices, uint64_t *cells) {
    int n = 0;
    while (choices) {
        uint64_t fills = s->fills[bits_lowest(choices)];
        *cells |= fills;
        choices &= choices - 1;
        choices &= ~touching(s, choices, fills);
        n++;
    }
    return n;
}

// How many moves a side can make at most, and at least, whoever begins. If `chained`, taking the
// least choice first is best: all that overlap it overlap each other, so one of them at most
// could be made in its place.
static int most_moves(const Placer *s, int side, uint64_t choices, uint64_t covered) {
    uint64_t cells = 0;
    const PlacingSide *ps = &s->game.side[side];
    return ps->chained ? pack(ps, choices, &cells) : bits_count(covered) / s->least_fills[side];
}

static int least_moves(const Placer *s, int side, uint64_t choices, uint64_t danger, bool begins) {
    const PlacingSide *ps = &s->game.side[side];
    uint64_t cells = 0, safe = choices & ~touching(ps, choices, danger);
    int n = pack(ps, safe, &cells), spoilt = s->most_fills[1 - side];
    int rest = pack(ps, choices & ~touching(ps, choices, cells), &cells);
    return n + (begins ? (rest + spoilt) / (spoilt + 1) : rest / (spoilt + 1));
}

static int list_packing(const Placer *s, uint64_t filled, int side, uint64_t legal, unsigned best,
                        Try *tries) {
    const PlacingSide *mine = &s->game.side[side], *his = &s->game.side[1 - side];
    int n = 0;
    while (legal) {
        int c = bits_pop(&legal);
        uint64_t after = filled | mine->fills[c];
        int order = bits_count(placing_legal(mine, after)) - bits_count(placing_legal(his, after));
        if ((unsigned)c == best)
            order = 1 << 20;
        sort_in(tries, n++, (Try){c, order, 0});
    }
    return n;
}

static int look_packing(Placer *s, uint64_t filled, int side, int goal) {
    Prover *p = s->p;
    const Placing *m = &s->game;
    if (clock_over(&p->clock))
        return 0;
    uint64_t legal = placing_legal(&m->side[side], filled);
    if (!legal)
        return m->stuck;
    uint64_t his = placing_legal(&m->side[1 - side], filled);
    uint64_t covered = cover(&m->side[side], legal), his_covered = cover(&m->side[1 - side], his);
    if (least_moves(s, side, legal, his_covered, true) > most_moves(s, 1 - side, his, his_covered))
        return PROVE_WON;
    if (least_moves(s, 1 - side, his, covered, false) >= most_moves(s, side, legal, covered))
        return PROVE_LOST;
    ProveKnown known;
    ProveKey key = key_of(m, covered | his_covered, 0, side);
    int64_t since = p->clock.nodes;
    prove_table_get(&s->table, key, &known);
    if (known.low >= goal)
        return known.low;
    if (known.high < goal)
        return known.high;
    Try tries[64];
    int n = list_packing(s, filled, side, legal, known.best, tries), value = PROVE_LOST;
    for (int i = 0; i < n && value < goal; i++) {
        uint64_t to = filled | m->side[side].fills[tries[i].choice];
        int v = -look_packing(s, to, 1 - side, 1 - goal);
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

static void *placing_begin(Prover *p, const uint8_t *state) {
    Placer *s = mem_alloc(sizeof *s);
    if (!s || (placing_derive(p->game, &s->game) && !prove_table_open(&s->table, p->memory))) {
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
    for (int side = 0; fits && side < 2; side++) {
        // A line that is there already counts with the next move, wherever that is.
        fits = !s->game.lines || !has_line(&s->game, b.own[side]);
        s->least_fills[side] = 64;
        for (uint64_t set = s->game.side[side].possible; set;) {
            int n = bits_count(s->game.side[side].fills[bits_pop(&set)]);
            s->most_fills[side] = n > s->most_fills[side] ? n : s->most_fills[side];
            s->least_fills[side] = n < s->least_fills[side] ? n : s->least_fills[side];
        }
    }
    if (!fits) {
        prove_table_close(&s->table);
        mem_free(s);
        return NULL;
    }
    if (s->game.lines && is_grounded(&s->game.side[0], filled_of(&b)))
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
    int value =
        s->game.lines ? look_lines(s, &b, side, his) : look_packing(s, filled_of(&b), side, his);
    return mine ? value : -value;
}

static void placing_end(void *with) {
    Placer *s = with;
    prove_table_close(&s->table);
    mem_free(s);
}

const ProveMethod prove_placing = {PROVE_PLACING, placing_begin, placing_ask, placing_end};
