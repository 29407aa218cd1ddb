// evaluate: the table of evaluations, and the simplest of them; see evaluate.h.
#include "search/evaluate.h"

#include "base/bits.h"
#include "game/statetext.h"
#include "search/learned.h"

#include <string.h>

typedef struct EvaluationKind {
    const char *name;
    EvaluationBegin *begin;
    EvaluationEnd *end;
    EvaluationDistance *distance;
    EvaluationFor *value;
    const char *help;
} EvaluationKind;

static const EvaluationKind kinds[] = {
#define X(name, begin, end, distance, help) {#name, begin, end, distance, evaluate_##name, help},
    EVALUATIONS(X)
#undef X
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

const char *const evaluation_names[] = {"auto", "plain",
#define X(name, begin, end, distance, help) #name,
                                        EVALUATIONS(X)
#undef X
                                            NULL};

const char *evaluation_find(const char *name) {
    for (int i = 0; evaluation_names[i]; i++)
        if (strcmp(evaluation_names[i], name) == 0)
            return evaluation_names[i];
    return NULL;
}

// --- making ---

static Evaluation *make(const Game *game, const EvaluationKind *kind, const Knowledge *knowledge,
                        const atomic_bool *stop, Text *why) {
    Evaluation *e = mem_alloc(sizeof *e);
    if (!e) {
        text_add(why, "out of memory");
        return NULL;
    }
    e->kind = kind;
    e->game = game;
    e->knowledge = knowledge;
    e->stop = stop;
    if (!kind->begin || kind->begin(e, why))
        return e;
    evaluation_free(e);
    return NULL;
}

Evaluation *evaluation_new(const Game *game, const char *name, Text *why) {
    return evaluation_knowing(game, name, NULL, why);
}

// A search for the goal of a puzzle counts moves: what rules say is of no use to it. `plain` does
// not learn.
static bool picks(const Game *game, bool plain, const EvaluationKind *kind) {
    if (plain && kind->begin == evaluate_learned_begin)
        return false;
    return game->ir->players > 1 || kind->begin != evaluate_own_begin;
}

Evaluation *evaluation_knowing(const Game *game, const char *name, const Knowledge *knowledge,
                               Text *why) {
    return evaluation_stoppable(game, name, knowledge, NULL, why);
}

Evaluation *evaluation_stoppable(const Game *game, const char *name, const Knowledge *knowledge,
                                 const atomic_bool *stop, Text *why) {
    bool plain = name && strcmp(name, "plain") == 0;
    bool any = !name || plain || strcmp(name, "auto") == 0;
    Evaluation *e = NULL;
    for (int i = 0; i < KINDS && !e; i++) {
        Text reason = {0};
        bool wanted = any ? picks(game, plain, &kinds[i]) : strcmp(kinds[i].name, name) == 0;
        if (wanted) {
            e = make(game, &kinds[i], knowledge, stop, &reason);
            if (!any && !e)
                text_f(why, "heuristic `%s`: %s", name, text_c(&reason));
        }
        text_free(&reason);
    }
    if (!e && any)
        text_add(why, "out of memory");
    else if (!e && !evaluation_find(name))
        text_f(why, "there is no heuristic `%s`", name);
    return e;
}

void evaluation_free(Evaluation *e) {
    if (!e)
        return;
    if (e->kind->end)
        e->kind->end(e);
    mem_free(e);
}

const char *evaluation_name(const Evaluation *e) {
    return e->kind->name;
}

bool evaluation_is_slow(const Evaluation *e) {
    return e->kind->begin == evaluate_own_begin && evaluate_own_slow(e);
}

// --- asking ---

Value evaluation_for(const Evaluation *e, Runner *r, const uint8_t *state, int player) {
    Value v = e->kind->value(e, r, state, player);
    return v >= VALUE_SURE ? VALUE_SURE - 1 : v <= -VALUE_SURE ? 1 - VALUE_SURE : v;
}

Value evaluation_value(const Evaluation *e, Runner *r, const uint8_t *state) {
    return evaluation_for(e, r, state, game_player(e->game, state));
}

void evaluation_each(const Evaluation *e, Runner *r, const uint8_t *states, int n, Value *values) {
    if (e->kind->begin == evaluate_learned_begin && learned_each(e->own, r, states, n, values))
        return;
    for (int i = 0; i < n; i++, states += game_state_size(e->game))
        values[i] = evaluation_value(e, r, states);
}

void evaluation_values(const Evaluation *e, Runner *r, const uint8_t *state, Value *values) {
    for (int i = 0; i < e->game->ir->players; i++)
        values[i] = evaluation_for(e, r, state, i);
}

int evaluation_distance(const Evaluation *e, Runner *r, const uint8_t *state) {
    return e && e->kind->distance ? e->kind->distance(e, r, state) : 0;
}

// --- none ---

Value evaluate_none(const Evaluation *e, Runner *r, const uint8_t *state, int player) {
    (void)e, (void)r, (void)state, (void)player;
    return 0;
}

// --- what each player has ---

// What a player has, against the mean of the others.
static Value difference(const Value *has, int players, int player) {
    int64_t others = 0;
    for (int i = 0; i < players; i++)
        others += i == player ? 0 : has[i];
    return (Value)(has[player] - (players > 1 ? others / (players - 1) : 0));
}

static int count_plane(const Game *g, const uint8_t *state, int plane) {
    int n = 0;
    for (int w = 0; w < g->ir->board->words; w++) {
        uint64_t word;
        memcpy(&word, state + g->ir->plane[plane].offset + 8 * w, sizeof word);
        n += bits_count(word);
    }
    return n;
}

// --- material ---

#define PIECE 100     // the weight of the kind that moves least
#define HEAVIEST 1500 // fifteen such pieces
#define LOOK_GAMES 4  // random games that show whether pieces are ever lost
#define LOOK_PLIES 120
#define MOBILITY_UNIT 10

static void pieces_of(const Game *g, const uint8_t *state, const Value *weight, Value *has) {
    for (int i = 0; i <= g->ir->players; i++)
        has[i] = 0;
    for (int i = 0; i < g->ir->planes; i++) {
        const IrPlane *plane = &g->ir->plane[i];
        has[plane->owner] += weight[plane->kind] * count_plane(g, state, i);
    }
}

Value evaluate_material(const Evaluation *e, Runner *r, const uint8_t *state, int player) {
    (void)r;
    Value has[IR_MAX_PLAYERS + 1];
    pieces_of(e->game, state, e->weight, has);
    return difference(has, e->game->ir->players, player);
}

static bool is_stopped(const Evaluation *e) {
    return e->stop && atomic_load_explicit(e->stop, memory_order_relaxed);
}

// How many moves a piece has on the average when it is alone on the board: what it can do says
// what it is worth, in chess a queen nine of the pawns.
static double freedom(const Evaluation *e, Runner *r, int plane, uint8_t *state) {
    const Game *g = e->game;
    int cells = g->ir->board->cells, owner = g->ir->plane[plane].owner;
    double sum = 0;
    for (int c = 0; c < cells && !is_stopped(e); c++) {
        memcpy(state, g->start, (size_t)game_state_size(g));
        for (int i = 0; i < cells; i++)
            state_put(g, state, i, -1);
        state_put(g, state, c, plane);
        state[g->ir->layout.player] = (uint8_t)owner;
        state[g->ir->layout.result] = 0;
        const Move *moves;
        int n = runner_moves(r, state, &moves);
        sum += n > 0 && !move_is_pass(moves[0]) ? n : 0;
    }
    return sum / cells;
}

static void set_weights(Evaluation *e, Runner *r, uint8_t *state) {
    const IrGame *ir = e->game->ir;
    double free[IR_MAX_KINDS] = {0}, least = 0;
    for (int i = 0; i < ir->planes && ir->kinds > 1; i++) {
        const IrPlane *plane = &ir->plane[i];
        if (plane->owner == ir->players || free[plane->kind] > 0)
            continue;
        free[plane->kind] = freedom(e, r, i, state);
        if (free[plane->kind] > 0 && (least <= 0 || free[plane->kind] < least))
            least = free[plane->kind];
    }
    for (int k = 0; k < ir->kinds; k++) {
        double weight = free[k] > 0 ? PIECE * free[k] / least : PIECE;
        e->weight[k] = (Value)(weight < HEAVIEST ? weight : HEAVIEST);
    }
}

// Whether somebody loses pieces in random games. Where nobody does, counting says nothing.
static bool pieces_get_lost(const Evaluation *e, Runner *r, uint8_t *state) {
    const Game *g = e->game;
    Rng rng;
    rng_seed(&rng, 1);
    for (int i = 0; i < LOOK_GAMES; i++) {
        Value before[IR_MAX_PLAYERS + 1], after[IR_MAX_PLAYERS + 1];
        memcpy(state, g->start, (size_t)game_state_size(g));
        pieces_of(g, state, e->weight, before);
        for (int ply = 0; ply < LOOK_PLIES && !is_stopped(e); ply++) {
            Move move;
            if (runner_random(r, state, rng_next(&rng), &move) != 1 ||
                !runner_apply(r, state, move, state))
                break;
            pieces_of(g, state, e->weight, after);
            for (int p = 0; p < g->ir->players; p++)
                if (after[p] < before[p])
                    return true;
            memcpy(before, after, sizeof before);
        }
    }
    return false;
}

bool evaluate_material_begin(Evaluation *e, Text *why) {
    Runner *r = runner_new(e->game);
    uint8_t *state = mem_alloc((size_t)game_state_size(e->game));
    bool ok = r && state;
    if (!ok)
        text_add(why, "out of memory");
    if (ok) {
        set_weights(e, r, state);
        ok = e->game->ir->players > 1 && pieces_get_lost(e, r, state);
        if (!ok)
            text_add(why, "not available for this game: nobody ever loses a piece");
    }
    mem_free(state);
    runner_free(r);
    return ok;
}

// --- mobility ---

bool evaluate_mobility_begin(Evaluation *e, Text *why) {
    if (e->game->ir->players > 1)
        return true;
    text_add(why, "not available for this game: it has one player");
    return false;
}

Value evaluate_mobility(const Evaluation *e, Runner *r, const uint8_t *state, int player) {
    const IrGame *ir = e->game->ir;
    Value has[IR_MAX_PLAYERS] = {0};
    uint64_t copy[IR_MAX_STATE / 8]; // aligned as states are
    uint8_t *other = (uint8_t *)copy;
    memcpy(other, state, (size_t)ir->layout.size);
    for (int i = 0; i < ir->players; i++) {
        other[ir->layout.player] = (uint8_t)i;
        int64_t n = runner_count(r, other);
        has[i] = n < 0 ? 0 : n > 10000 ? 10000 * MOBILITY_UNIT : (Value)n * MOBILITY_UNIT;
    }
    return difference(has, ir->players, player);
}
