// montecarlo: tries each move by random games, in the three forms of S3Games.
//
// Until the limits end: a move of the root is picked at random, and a random game is played behind
// it. A trial ends with the game, or unfinished after TRIAL_PLIES moves. It is won, lost, or
// something else, with a weight q; a win that others share is half a win:
//
//     montecarlo           q = 1; a move is worth the share of its trials that were won
//     montecarlo-breadth   q is divided by the number of moves whenever an opponent moves
//     montecarlo-depth     q is multiplied by `discount` whenever an opponent moves
//
// In the last two a move is worth (won - lost) / all, in sums of q: what lies behind few and
// narrow replies counts more than what needs an opponent to go wrong often.
//
// Trials do not see repetition. One that is interrupted does not count.
#include "search/player.h"
#include "search/trace.h"

#include <string.h>

// Endless games would never let a trial end.
#define TRIAL_PLIES 100000

typedef enum Form { FORM_CLASSIC, FORM_BREADTH, FORM_DEPTH } Form;

typedef struct Tally { // of one move of the root
    Move move;
    double won, lost, other;
    int64_t trials;
} Tally;

typedef struct Trials {
    Player *player;
    Form form;
    Clock clock;
    Rng rng;
    int me;
    uint8_t *state;
    Tally *tally;
    int count;
    int longest;
} Trials;

// --- one random game ---

static bool is_over(const Trials *t) {
    return t->state[t->player->game->ir->layout.result] != 0;
}

// The end by a stuck player is not in the state: it is put there. False on a fault.
static bool note_end(Trials *t) {
    int result = runner_result(t->player->runner, t->state);
    if (result <= 0)
        return false;
    t->state[t->player->game->ir->layout.result] = (uint8_t)result;
    return true;
}

// Without weights nobody has to know how many moves there are. (runner_playout would be faster
// still, but its games depend on how the rules run.) False if it was interrupted, or failed.
static bool play_fast(Trials *t, int *plies) {
    Runner *r = t->player->runner;
    for (; *plies < TRIAL_PLIES && !is_over(t); ++*plies) {
        Move move;
        int found = runner_random(r, t->state, rng_next(&t->rng), &move);
        if (found == 0)
            return note_end(t);
        if (found < 0 || clock_over(&t->clock) || !runner_apply(r, t->state, move, t->state))
            return false;
    }
    return true;
}

static bool play_weighted(Trials *t, int *plies, double *weight) {
    Player *p = t->player;
    for (; *plies < TRIAL_PLIES && !is_over(t); ++*plies) {
        const Move *moves;
        int n = runner_moves(p->runner, t->state, &moves);
        if (n < 0 || clock_over(&t->clock))
            return false;
        if (n == 0)
            return note_end(t);
        if (game_player(p->game, t->state) != t->me)
            *weight *= t->form == FORM_BREADTH ? 1.0 / n : p->options.discount;
        Move move = moves[rng_below(&t->rng, (uint64_t)n)];
        if (!runner_apply(p->runner, t->state, move, t->state))
            return false;
    }
    return true;
}

static bool try_move(Trials *t, const uint8_t *root, Tally *tally) {
    Player *p = t->player;
    double weight = 1;
    int plies = 1;
    if (!runner_apply(p->runner, root, tally->move, t->state))
        return false;
    bool done = t->form == FORM_CLASSIC ? play_fast(t, &plies) : play_weighted(t, &plies, &weight);
    if (!done)
        return false;
    int result = t->state[p->game->ir->layout.result];
    Value value = result ? value_of_result(p->game, result, t->me, 0) : 0;
    double shared = value > 0 && value < VALUE_SURE ? weight / 2 : 0;
    *(value > 0 ? &tally->won : value < 0 ? &tally->lost : &tally->other) += weight - shared;
    tally->other += shared;
    tally->trials++;
    t->longest = plies > t->longest ? plies : t->longest;
    return true;
}

// --- all of them ---

static double worth(const Trials *t, const Tally *tally) {
    double all = tally->won + tally->lost + tally->other;
    double good = t->form == FORM_CLASSIC ? tally->won : tally->won - tally->lost;
    return all > 0 ? good / all : 0;
}

static void report(const Trials *t, SearchResult *result) {
    result->found = t->count > 0;
    result->best_count = 0;
    for (int i = 0; i < t->count; i++) {
        const Tally *tally = &t->tally[i];
        Value value = (Value)(1000 * worth(t, tally));
        result_note(result, (Scored){.move = tally->move, .value = value, .visits = tally->trials});
    }
    result->move = result->best[0].move;
    result->value = result->best[0].value;
    result->nodes = t->clock.nodes;
    result->depth = t->longest;
    result->seconds = clock_seconds(&t->clock);
}

static void trace(const Trials *t, Value value, Trace *to) {
    int root = trace_add(to, TRACE_ROOT, (Move){{0, 0}}, 1);
    for (int i = 0; i < t->count; i++) {
        const Tally *tally = &t->tally[i];
        int node = trace_add(to, root, tally->move, 1);
        trace_close(to, node, (Value)(1000 * worth(t, tally)), TRACE_TRIALS, tally->trials);
    }
    trace_close(to, root, value, TRACE_INNER, 0);
}

// The news is told at doubling intervals.
static void run(Trials *t, const SearchTask *task, SearchResult *result) {
    const uint8_t *root = record_now(task->record);
    int64_t most = player_iterations(t->player, task), next = 1000;
    for (int64_t i = 0; most == 0 || i < most; i++) {
        Tally *tally = &t->tally[rng_below(&t->rng, (uint64_t)t->count)];
        if (clock_over(&t->clock) || !try_move(t, root, tally))
            break;
        if (i == next && task->tell) {
            report(t, result);
            task->tell(task->with, result);
            next *= 2;
        }
    }
}

static bool search(Player *p, const SearchTask *task, SearchResult *result, Form form) {
    const uint8_t *root = record_now(task->record);
    Trials t = {.player = p, .form = form, .me = game_player(p->game, root)};
    clock_start(&t.clock, p, task);
    player_random(p, task, &t.rng);
    const Move *moves;
    int n = runner_moves(p->runner, root, &moves);
    t.state = mem_alloc((size_t)game_state_size(p->game));
    t.tally = n > 0 ? mem_alloc(sizeof *t.tally * (size_t)n) : NULL;
    if (t.state && t.tally) {
        t.count = n;
        for (int i = 0; i < n; i++)
            t.tally[i].move = moves[i];
        run(&t, task, result);
        report(&t, result);
        trace(&t, result->value, task->trace);
    }
    mem_free(t.state);
    mem_free(t.tally);
    return result->found;
}

bool search_montecarlo(Player *p, const SearchTask *task, SearchResult *result) {
    return search(p, task, result, FORM_CLASSIC);
}

bool search_montecarlo_breadth(Player *p, const SearchTask *task, SearchResult *result) {
    return search(p, task, result, FORM_BREADTH);
}

bool search_montecarlo_depth(Player *p, const SearchTask *task, SearchResult *result) {
    return search(p, task, result, FORM_DEPTH);
}
