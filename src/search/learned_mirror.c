// learned_mirror: in which mirrors the rules look the same. Nothing is proved: moves, replies and
// wins are counted on both sides in positions of random games.
#include "base/mem.h"
#include "search/learned.h"

#include <string.h>

#define GAMES 12
#define PLIES 300
#define WORK 4000  // moves that are tried for a position, at most
#define AGREE 0.95 // share of positions: castling and the like may differ
#define POSITIONS (3 * GAMES)

// What is counted in a position.
typedef struct Signature {
    int64_t moves, replies;
    int64_t wins[IR_MAX_PLAYERS + 1]; // of one move; [players]: draws
} Signature;

typedef struct Looker {
    const Game *game;
    Runner *runner;
    uint8_t *positions; // POSITIONS of them
    uint8_t *mirrored, *next;
    Move *moves;
    Signature plain[POSITIONS];
    int count;
    bool failed;
} Looker;

static size_t size_of(const Looker *k) {
    return (size_t)game_state_size(k->game);
}

static void sign(Looker *k, const uint8_t *state, Signature *out) {
    *out = (Signature){0};
    const Move *moves;
    int n = runner_moves(k->runner, state, &moves), players = k->game->ir->players;
    if (n < 0) {
        out->moves = -1;
        return;
    }
    out->moves = n;
    int tried = n < WORK ? n : 0; // half of the moves would not be the mirror's half
    memcpy(k->moves, moves, sizeof *moves * (size_t)tried);
    for (int i = 0; i < tried; i++) {
        if (!runner_apply(k->runner, state, k->moves[i], k->next)) {
            out->moves = -1;
            return;
        }
        int result = k->next[k->game->ir->layout.result];
        if (!result && n < 64)
            out->replies += runner_count(k->runner, k->next);
        out->wins[players] += result == RESULT_OVER;
        for (int p = 0; p < players; p++)
            out->wins[p] += result >> p & 1;
    }
}

static bool same(const Looker *k, const Signature *a, Signature b, bool exchange) {
    if (exchange) {
        int64_t first = b.wins[0];
        b.wins[0] = b.wins[1];
        b.wins[1] = first;
    }
    (void)k;
    return a->moves == b.moves && a->replies == b.replies &&
           memcmp(a->wins, b.wins, sizeof a->wins) == 0;
}

static bool looks_the_same(Looker *k, const Mirror *m) {
    int agree = 0, differ = 0;
    for (int i = 0; i < k->count; i++) {
        Signature mirrored;
        if (!mirror_state(k->game, m, k->positions + size_of(k) * (size_t)i, k->mirrored))
            return false;
        sign(k, k->mirrored, &mirrored);
        bool ok = same(k, &k->plain[i], mirrored, m->exchange);
        agree += ok;
        differ += !ok;
        if (differ > (1 - AGREE) * k->count)
            return false;
    }
    return agree > 0;
}

// The last two positions before the end, and one from the middle.
static void play(Looker *k, Rng *rng, uint8_t *states) {
    const Game *g = k->game;
    size_t size = size_of(k);
    memcpy(states, g->start, size);
    int n = 0;
    while (n < PLIES && states[size * (size_t)n + (size_t)g->ir->layout.result] == 0) {
        Move move;
        uint8_t *here = states + size * (size_t)n;
        int found = runner_random(k->runner, here, rng_next(rng), &move);
        if (found <= 0 || !runner_apply(k->runner, here, move, here + size)) {
            k->failed = k->failed || found != 0;
            break;
        }
        n++;
    }
    int wanted[] = {n - 1, n - 2, n / 2};
    for (int i = 0; i < 3; i++)
        if (wanted[i] >= 0)
            memcpy(k->positions + size * (size_t)k->count++, states + size * (size_t)wanted[i],
                   size);
}

static void join(const Board *b, const Mirror *m, LearnedFrame *f) {
    for (bool again = true; again;) {
        again = false;
        for (int c = 0; c < b->cells; c++) {
            int16_t *x = &f->orbit[c], *y = &f->orbit[m->cell[c]];
            int16_t least = *x < *y ? *x : *y;
            again = again || *x != *y;
            *x = *y = least;
        }
    }
}

static void number_orbits(const Board *b, LearnedFrame *f) {
    int16_t number[BOARD_MAX_CELLS];
    f->count = 0;
    for (int c = 0; c < b->cells; c++) { // an orbit is named after its first cell
        if (f->orbit[c] == c)
            number[c] = f->count++;
        f->orbit[c] = number[f->orbit[c]];
    }
}

static void find(Looker *k, LearnedFrame *f) {
    const IrGame *ir = k->game->ir;
    const Board *b = ir->board;
    Mirror list[MIRROR_MOST];
    int n = mirror_list(b, list);
    for (int c = 0; c < b->cells; c++)
        f->orbit[c] = f->to[0][c] = f->to[1][c] = (int16_t)c;
    for (int i = 0; i < n && ir->players == 2 && !f->shared; i++) {
        list[i].exchange = true;
        f->shared = looks_the_same(k, &list[i]);
        if (f->shared)
            memcpy(f->to[1], list[i].cell, sizeof f->to[1]);
        list[i].exchange = false;
    }
    for (int i = 1; i < n; i++)
        if (looks_the_same(k, &list[i]))
            join(b, &list[i], f);
    number_orbits(b, f);
    // With more players nobody's board is turned: all have the same kinds or they are not equal.
    if (ir->players > 2)
        f->shared = true;
    for (int i = 0; i < ir->kinds; i++)
        if (ir->players > 2 && ir->kind[i].owners && ir->kind[i].owners != (1u << ir->players) - 1)
            f->shared = false;
}

bool learned_frame(const Game *g, Runner *r, LearnedFrame *out) {
    size_t size = (size_t)game_state_size(g);
    Looker *k = mem_alloc(sizeof *k);
    uint8_t *states = mem_alloc(size * (PLIES + 1));
    *out = (LearnedFrame){0};
    bool ok = k && states;
    if (ok) {
        k->game = g;
        k->runner = r;
        k->positions = mem_alloc(size * POSITIONS);
        k->mirrored = mem_alloc(size);
        k->next = mem_alloc(size);
        k->moves = mem_alloc(sizeof *k->moves * WORK);
        ok = k->positions && k->mirrored && k->next && k->moves;
    }
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < GAMES && ok && !k->failed; i++)
        play(k, &rng, states);
    ok = ok && !k->failed;
    for (int i = 0; ok && i < k->count; i++)
        sign(k, k->positions + size * (size_t)i, &k->plain[i]);
    if (ok)
        find(k, out);
    if (k) {
        mem_free(k->positions);
        mem_free(k->mirrored);
        mem_free(k->next);
        mem_free(k->moves);
    }
    mem_free(k);
    mem_free(states);
    return ok;
}
