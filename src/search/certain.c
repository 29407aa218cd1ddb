// certain: see certain.h.
#include "search/certain.h"

#include "base/bits.h"
#include "base/mem.h"
#include "search/prove_placing.h"

#include <string.h>

#define NEARLY 1        // bits of cost: less of a difference does not count
#define FIRST_LIMIT 500 // positions for each question of the first round
// The share of the time: where the last look decided nothing, and where it decided everything.
#define SHARE_LEAST 0.25
#define SHARE_MOST 0.9
#define SHARE_FIRST 0.5 // of a game of which nothing is known yet

struct Certain {
    Prover prover;
    void *with;
    double share;
    CertainMove *move;
    uint8_t *states; // behind the moves
    int count, cap;
};

Certain *certain_new(const Game *game, Runner *runner, size_t bytes) {
    Certain *c = mem_alloc(sizeof *c);
    if (!c)
        return NULL;
    *c = (Certain){.share = SHARE_FIRST};
    c->prover = (Prover){.game = game,
                         .runner = runner,
                         .size = (size_t)game_state_size(game),
                         .identity = (size_t)game->ir->layout.identity,
                         .memory = bytes};
    c->with = prove_placing.begin(&c->prover, game->start);
    if (c->with)
        return c;
    mem_free(c);
    return NULL;
}

void certain_free(Certain *c) {
    if (!c)
        return;
    prove_placing.end(c->with);
    mem_free(c->move);
    mem_free(c->states);
    mem_free(c);
}

static uint8_t *state_of(const Certain *c, int i) {
    return c->states + c->prover.size * (size_t)i;
}

static bool make_room(Certain *c, int n) {
    if (n <= c->cap)
        return true;
    CertainMove *move = mem_resize(c->move, sizeof *move * (size_t)n);
    c->move = move ? move : c->move;
    uint8_t *states = move ? mem_resize(c->states, c->prover.size * (size_t)n) : NULL;
    c->states = states ? states : c->states;
    c->cap = states ? n : c->cap;
    return states != NULL;
}

static bool list_moves(Certain *c, const uint8_t *now) {
    Prover *p = &c->prover;
    const Move *moves;
    int n = runner_moves(p->runner, now, &moves);
    if (n <= 0 || !make_room(c, n))
        return false;
    c->count = n;
    for (int i = 0; i < n; i++)
        c->move[i] = (CertainMove){.move = moves[i], .low = PROVE_LOST, .high = PROVE_WON};
    for (int i = 0; i < n; i++) {
        if (!runner_apply(p->runner, now, c->move[i].move, state_of(c, i)))
            return false;
        int result = state_of(c, i)[p->game->ir->layout.result];
        if (result)
            c->move[i].low = c->move[i].high = prover_value_of(p, result);
    }
    return true;
}

// Is this move worth at least `goal`? Gives up after `limit` positions.
static void ask(Certain *c, int i, int goal, int64_t limit) {
    Prover *p = &c->prover;
    CertainMove *m = &c->move[i];
    if (p->clock.over || m->low >= goal || m->high < goal)
        return;
    int64_t whole = p->clock.node_limit, mine = p->clock.nodes + limit;
    p->clock.node_limit = whole && whole < mine ? whole : mine;
    int value = prove_placing.ask(c->with, state_of(c, i), goal);
    bool answered = !prover_stopped(p);
    if (p->clock.nodes > mine && (!whole || p->clock.nodes <= whole))
        p->clock.over = false; // only this question is; the time is not up
    p->clock.node_limit = whole;
    if (answered && value >= goal)
        m->low = value;
    else if (answered)
        m->high = value;
}

static void find_bounds(const Certain *c, CertainResult *out) {
    out->low = out->high = PROVE_LOST;
    for (int i = 0; i < c->count; i++) {
        out->low = c->move[i].low > out->low ? c->move[i].low : out->low;
        out->high = c->move[i].high > out->high ? c->move[i].high : out->high;
    }
}

// What is not yet known and could be of use.
static bool is_open(const Certain *c, const CertainResult *r) {
    for (int i = 0; i < c->count; i++)
        if (c->move[i].low < c->move[i].high && c->move[i].high > r->low)
            return true;
    return false;
}

static double share_decided(const Certain *c) {
    int n = 0;
    for (int i = 0; i < c->count; i++)
        n += c->move[i].low == c->move[i].high;
    return (double)n / (double)c->count;
}

static int free_cells(const Game *g, const uint8_t *state) {
    int n = g->ir->board->cells;
    for (int i = 0; i < g->ir->planes; i++) {
        uint64_t set; // there are no more than 64 cells
        memcpy(&set, state + g->ir->plane[i].offset, sizeof set);
        n -= bits_count(set);
    }
    return n;
}

static bool set_limits(Certain *c, const Player *p, const SearchTask *task) {
    Clock *clock = &c->prover.clock;
    clock_start(clock, p, task);
    if (clock->until > 0)
        clock->until = clock->begin + c->share * (clock->until - clock->begin);
    if (clock->node_limit)
        clock->node_limit = 1 + (int64_t)(c->share * (double)clock->node_limit);
    return clock->until > 0 || clock->node_limit;
}

bool certain_look(Certain *c, const Player *p, const SearchTask *task, CertainResult *out) {
    const uint8_t *now = record_now(task->record);
    Prover *prover = &c->prover;
    prover->first = game_player(prover->game, now);
    prover->failed = prover->too_big = false;
    *out = (CertainResult){0};
    if (!set_limits(c, p, task) || !list_moves(c, now))
        return false;
    find_bounds(c, out);
    for (int64_t limit = FIRST_LIMIT; is_open(c, out); limit *= 2) {
        for (int i = 0; i < c->count && out->low < PROVE_WON; i++) {
            ask(c, i, PROVE_WON, limit);
            ask(c, i, PROVE_DRAWN, limit);
            find_bounds(c, out);
        }
        if (prover_stopped(prover))
            break;
    }
    for (int i = 0; i < c->count; i++)
        c->move[i].cost = placing_cost(c->with, state_of(c, i));
    c->share = SHARE_LEAST + (SHARE_MOST - SHARE_LEAST) * share_decided(c);
    out->move = c->move;
    out->count = c->count;
    out->length = free_cells(prover->game, now); // every move fills at least one
    out->nodes = prover->clock.nodes;
    out->seconds = clock_seconds(&prover->clock);
    return !prover->failed && !prover->too_big;
}

// Of moves that lose, those that were much easier to refute than another one.
static bool is_plainly_lost(const CertainResult *r, int move) {
    for (int i = 0; i < r->count; i++)
        if (r->move[i].cost > r->move[move].cost + NEARLY)
            return true;
    return false;
}

bool certain_is_worse(const CertainResult *r, int move) {
    const CertainMove *m = &r->move[move];
    bool lost = m->high == PROVE_LOST && (r->high > PROVE_LOST || is_plainly_lost(r, move));
    bool unsure = r->low == PROVE_WON && m->low < PROVE_WON;
    return m->high < r->low || unsure || lost;
}

int certain_best(const CertainResult *r) {
    int best = 0;
    for (int i = 1; i < r->count; i++) {
        const CertainMove *m = &r->move[i], *b = &r->move[best];
        bool as_good = m->low == b->low && m->high == b->high;
        bool plainer = m->low == PROVE_WON ? m->cost < b->cost : m->cost > b->cost;
        if (m->low > b->low || (m->low == b->low && m->high > b->high) || (as_good && plainer))
            best = i;
    }
    return best;
}
