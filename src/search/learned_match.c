// learned_match: what was learnt is tried out before it is kept; see learned_parts.h.
//
// A regression explains results; whether its weights also play well is another question (where
// games with strong pieces are mostly drawn, such pieces seem to be worth little). So candidates
// play each other with the small search, from the same openings in all seats. The one that was
// learnt last stays unless another beats it by more than chance would. Work is counted, not timed.
#include "base/mem.h"
#include "search/learned_parts.h"

#include <math.h>
#include <string.h>

#define OPENINGS 24
#define OPENING_LEAST 2 // random moves
#define OPENING_MOST 7
#define PLIES 160 // longer games are drawn
#define DEPTH 2
#define WORK 300000 // positions of a match, at most
#define FEW 12      // games that say nothing yet
#define DOUBT 1.0   // standard deviations that a challenger has to be ahead

static size_t weights_size(const Learned *l) {
    return sizeof *l->weight * (size_t)(l->game->ir->players * l->slots.count);
}

bool learned_candidate(const Learned *l, LearnedCandidate *out) {
    out->uses = l->uses;
    out->weight = mem_alloc(weights_size(l));
    if (out->weight)
        memcpy(out->weight, l->weight, weights_size(l));
    return out->weight != NULL;
}

void learned_candidate_free(LearnedCandidate *c) {
    mem_free(c->weight);
    *c = (LearnedCandidate){0};
}

// --- a match ---

typedef struct Seat {
    Learned learned;
    LearnedLook look;
} Seat;

static bool sit(Seat *s, const Learner *k, const LearnedCandidate *c) {
    s->learned = *k->l;
    s->learned.weight = c->weight;
    s->learned.uses = c->uses;
    s->learned.fast = learned_fast_new(&s->learned);
    return learned_look_begin(&s->look, &s->learned, k->runner);
}

static void leave(Seat *s) {
    learned_look_end(&s->look);
    learned_fast_free(s->learned.fast);
}

// Some random moves into k->states; false if the game is over by then.
static bool open_game(Learner *k, Rng *rng) {
    memcpy(k->states, k->l->game->start, learned_size(k));
    int moves = OPENING_LEAST + (int)rng_below(rng, OPENING_MOST - OPENING_LEAST + 1);
    for (int i = 0; i < moves; i++) {
        Move move;
        if (runner_random(k->runner, k->states, rng_next(rng), &move) <= 0 ||
            !runner_apply(k->runner, k->states, move, k->states) ||
            runner_result(k->runner, k->states) != 0)
            return false;
    }
    return true;
}

// A single game may take longer than all of them should.
static bool is_enough(const Learner *k, int times) {
    return k->work >= times * WORK / LEARNED_SHARE;
}

// From the opening in k->states, the first in `seat` and the second in all others; what it is
// worth to the first, 0 to 1.
static double play_game(Learner *k, Seat *first, Seat *second, int seat) {
    const Game *g = k->l->game;
    uint8_t *now = k->states + learned_size(k), *next = now + learned_size(k);
    memcpy(now, k->states, learned_size(k));
    int result = 0;
    for (int ply = 0; ply < PLIES && !result && !k->failed && !is_enough(k, 2); ply++) {
        Seat *mover = game_player(g, now) == seat ? first : second;
        Move move;
        Value value;
        mover->look.work = 0;
        k->failed = !learned_choose(&mover->look, now, DEPTH, &move, &value) ||
                    !runner_apply(k->runner, now, move, next);
        k->work += mover->look.work;
        memcpy(now, next, learned_size(k));
        result = k->failed ? 0 : runner_result(k->runner, now);
        k->failed = k->failed || result < 0;
    }
    return result > 0 ? learned_chance(g->ir->players, result, seat) : 0.5;
}

bool learned_beats(Learner *k, const LearnedCandidate *a, const LearnedCandidate *b) {
    Seat first, second;
    bool ok = sit(&first, k, a), ok2 = sit(&second, k, b);
    int players = k->l->game->ir->players, games = 0;
    double points = 0;
    Rng rng;
    rng_seed(&rng, 2);
    k->failed = k->failed || !ok || !ok2;
    k->work = 0;
    for (int i = 0; i < OPENINGS && !is_enough(k, 1) && !k->failed; i++) {
        if (!open_game(k, &rng))
            continue;
        for (int seat = 0; seat < players && !k->failed; seat++, games++)
            points += play_game(k, &first, &second, seat);
    }
    leave(&first);
    leave(&second);
    return !k->failed && games >= FEW && points > games * 0.5 + DOUBT * 0.5 * sqrt(games);
}
