// prove_alphabeta: any game, searched to the end with a window of nothing and a table.
//
// Only one question is asked at a time, is the position worth at least `goal`; so the first player
// needs one move that says yes, the others one that says no. What is found on the way about the
// other question is kept as well: bounds below the goal can be lower than asked.
//
// Repetition. A position that comes again on the way from the root counts as a draw. That draw
// holds for this way only: a value that rests on it is kept only in the position where the circle
// closes, or above. Wins and losses never rest on a circle. `reach` is the ply of the highest
// position that a value rests on.
//
// Where clocks decide and repetition draws, the whole way is part of a position, and repetition is
// what the rules say.
#include "search/prove_parts.h"

#include "base/mem.h"
#include "game/clocks.h"

#include <string.h>

#define REACH_NONE (PROVE_MAX_PLY + 1)
#define RECENT 16384 // places of the filter for positions on the path, a power of two

typedef struct Walk {
    Prover *p;
    Keyer *keyer;
    ProveTable table;
    Brood brood;
    ProveKey path[PROVE_MAX_PLY + 1];
    uint16_t recent[RECENT]; // how many positions of the path have these bits
    // Where the whole way matters: hashes of the positions of the path, and what those before add
    uint64_t hash[PROVE_MAX_PLY + 1], way[PROVE_MAX_PLY + 2];
} Walk;

static void *walk_begin(Prover *p, const uint8_t *state) {
    (void)state;
    Walk *w = mem_alloc(sizeof *w);
    if (!w) {
        prover_fail(p, "out of memory");
        return NULL;
    }
    w->p = p;
    w->brood.p = p;
    w->keyer = keyer_new(p);
    if (!w->keyer || !prove_table_open(&w->table, p->memory, &p->clock))
        prover_fail(p, "out of memory");
    return w;
}

static void walk_end(void *with) {
    Walk *w = with;
    keyer_free(w->keyer);
    prove_table_close(&w->table);
    brood_free(&w->brood);
    mem_free(w);
}

// The fewer replies a move leaves, the earlier it is looked at; the best of the table comes first.
static void order(Walk *w, Child *child, int n, int mover, unsigned best) {
    for (int i = 0; i < n; i++) {
        const uint8_t *state = w->brood.states + child[i].state;
        int64_t replies = runner_count(w->p->runner, state);
        bool again = game_player(w->p->game, state) == mover;
        child[i].order = (int)(again ? replies : -replies);
        if (child[i].number == best)
            child[i].order = 1 << 30;
    }
    for (int i = 1; i < n; i++) {
        Child c = child[i];
        int j = i;
        for (; j > 0 && child[j - 1].order < c.order; j--)
            child[j] = child[j - 1];
        child[j] = c;
    }
}

// --- the walk ---

// The ply of the same position on the path; -1 if there is none.
static int find_on_path(const Walk *w, ProveKey k, int ply) {
    if (!w->recent[k.a % RECENT])
        return -1;
    for (int i = ply - 1; i >= 0; i--)
        if (w->path[i].a == k.a && w->path[i].b == k.b)
            return i;
    return -1;
}

static ProveKey key_of(Walk *w, const uint8_t *state, int ply) {
    ProveKey key = keyer_key(w->keyer, state);
    if (w->p->whole_way) {
        key.a ^= w->way[ply];
        key.b += w->way[ply];
    }
    return key;
}

// Adds the position to the way; whether it has occurred as often as the rules allow.
static bool is_repeated(Walk *w, const uint8_t *state, int ply) {
    const Prover *p = w->p;
    int times = 1;
    w->hash[ply] = game_hash(p->game, state);
    w->way[ply + 1] = w->way[ply] + clocks_step(w->hash[ply]);
    for (int i = 0; i < ply; i++)
        times += w->hash[i] == w->hash[ply];
    for (int i = 0; i < p->past_count; i++)
        times += p->past[i] == w->hash[ply];
    return times >= p->game->ir->repeated;
}

static int look(Walk *w, size_t state, ProveKey key, int ply, int goal, int *reach);

// Whether a value settles the question for the mover.
static bool settles(bool maximises, int value, int goal) {
    return maximises ? value >= goal : value < goal;
}

// Looks for a child that settles the question at once: by the end of the game or the table.
static bool settled(Walk *w, Child *child, int n, bool maximises, int ply, int goal, int *value,
                    unsigned *best) {
    for (int i = 0; i < n; i++) {
        if (child[i].result) {
            *value = prover_value_of(w->p, child[i].result);
            *best = child[i].number;
            if (settles(maximises, *value, goal))
                return true;
        }
    }
    for (int i = 0; i < n; i++) {
        if (child[i].result)
            continue;
        child[i].key = key_of(w, w->brood.states + child[i].state, ply + 1);
        prove_table_prefetch(&w->table, child[i].key);
    }
    for (int i = 0; i < n; i++) {
        ProveKnown known;
        if (child[i].result || !prove_table_get(&w->table, child[i].key, &known))
            continue;
        *value = maximises ? known.low : known.high;
        *best = child[i].number;
        if (settles(maximises, *value, goal))
            return true;
    }
    return false;
}

static int look_at_children(Walk *w, int first, int n, bool maximises, int ply, int goal,
                            int *reach, unsigned *best) {
    int value = maximises ? PROVE_LOST : PROVE_WON;
    *reach = REACH_NONE;
    for (int i = first; i < first + n; i++) {
        Child c = w->brood.child[i];
        int v, r = REACH_NONE;
        if (c.result)
            v = prover_value_of(w->p, c.result);
        else
            v = look(w, c.state, c.key, ply + 1, goal, &r);
        if (prover_stopped(w->p))
            return 0;
        if (settles(maximises, v, goal)) {
            *reach = r;
            *best = c.number;
            return v;
        }
        if (maximises ? v > value : v < value)
            value = v;
        if (r < *reach)
            *reach = r;
    }
    return value;
}

static int look(Walk *w, size_t state, ProveKey key, int ply, int goal, int *reach) {
    Prover *p = w->p;
    *reach = REACH_NONE;
    if (ply >= PROVE_MAX_PLY) {
        p->too_big = true;
        return 0;
    }
    if (p->whole_way && is_repeated(w, w->brood.states + state, ply))
        return prover_value_of(p, RESULT_OVER);
    int before = find_on_path(w, key, ply);
    if (before >= 0) {
        p->cyclic = true;
        *reach = before;
        return prover_endless(p);
    }
    if (clock_over(&p->clock))
        return 0;
    ProveKnown known;
    prove_table_get(&w->table, key, &known);
    if (known.low >= goal)
        return known.low;
    if (known.high < goal)
        return known.high;
    int64_t nodes = p->clock.nodes;
    int child = w->brood.count;
    size_t end = w->brood.end;
    int mover = game_player(p->game, w->brood.states + state);
    bool maximises = mover == p->first;
    int n = brood_expand(&w->brood, state);
    int value = 0;
    if (n == 0)
        value = brood_value_of_end(&w->brood, state);
    if (n > 0 &&
        !settled(w, w->brood.child + child, n, maximises, ply, goal, &value, &known.best)) {
        order(w, w->brood.child + child, n, mover, known.best);
        w->path[ply] = key;
        w->recent[key.a % RECENT]++;
        value = look_at_children(w, child, n, maximises, ply, goal, reach, &known.best);
        w->recent[key.a % RECENT]--;
    }
    w->brood.count = child;
    w->brood.end = end;
    if (prover_stopped(p))
        return 0;
    if (*reach >= ply)
        *reach = REACH_NONE;
    if (n == 0)
        known.low = known.high = value;
    else if (value >= goal)
        known.low = value;
    else
        known.high = value;
    // Only a draw can rest on a repetition.
    if (value != prover_endless(p) || *reach == REACH_NONE) {
        *reach = REACH_NONE;
        prove_table_put(&w->table, key, known, p->clock.nodes - nodes);
    }
    return value;
}

static int walk_ask(void *with, const uint8_t *state, int goal) {
    Walk *w = with;
    int reach;
    if (!brood_begin(&w->brood, state))
        return 0;
    memset(w->recent, 0, sizeof w->recent);
    w->way[0] = 0;
    for (int i = 0; i < w->p->past_count; i++)
        w->way[0] += clocks_step(w->p->past[i]);
    return look(w, 0, key_of(w, state, 0), 0, goal, &reach);
}

const ProveMethod prove_alphabeta = {PROVE_ALPHABETA, walk_begin, walk_ask, walk_end, NULL};
