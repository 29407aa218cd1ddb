// prove: which ways are tried, which questions are asked, and the line of best play.
#include "search/prove_parts.h"

#include "base/mem.h"
#include "game/clocks.h"

#include <string.h>

// The line is found by asking again about the positions along it. That goes fast where the table
// still has them; it may cost this part of the proof, and so many positions in any case.
#define LINE_SHARE 1
#define LINE_NODES 200000
// Positions of the first turn, when several ways take turns.
#define FIRST_TURN 1000000

static const char *const way_names[] = {
#define X(constant, name) name,
    PROVE_WAYS(X)
#undef X
};

int prover_value_of(const Prover *p, int result) {
    unsigned winners = (unsigned)result & (RESULT_OVER - 1u);
    unsigned all = (1u << p->game->ir->players) - 1;
    if (p->game->ir->players == 1)
        return winners ? PROVE_WON : PROVE_LOST;
    if (winners == 0 || winners == all)
        return PROVE_DRAWN;
    return winners >> p->first & 1 ? PROVE_WON : PROVE_LOST;
}

void prover_fail(Prover *p, const char *why) {
    p->failed = true;
    p->why = why;
}

// --- questions ---

// Asks until the bounds meet or the way stops.
static void ask_all(Prover *p, const ProveMethod *m, void *with, const uint8_t *state,
                    ProveResult *result) {
    for (int goal = PROVE_WON; goal > PROVE_LOST; goal--) {
        if (result->low >= goal || result->high < goal)
            continue;
        int value = m->ask(with, state, goal);
        if (prover_stopped(p))
            return;
        if (value >= goal && value > result->low)
            result->low = value;
        if (value < goal && value < result->high)
            result->high = value;
    }
}

// Whether a move keeps the value for the player who makes it.
static bool keeps(Prover *p, const ProveMethod *m, void *with, const uint8_t *from,
                  const uint8_t *to, int value) {
    bool maximises = game_player(p->game, from) == p->first;
    int goal = maximises ? value : value + 1;
    if (goal <= PROVE_LOST || goal > PROVE_WON)
        return true; // nothing can be lost any more
    int result = to[p->game->ir->layout.result];
    int found = result ? prover_value_of(p, result) : m->ask(with, to, goal);
    return !prover_stopped(p) && (maximises ? found >= goal : found < goal);
}

// How good a move is that keeps a won or lost value: whoever wins takes the shortest way, who loses
// the longest.
static int merit_of(Prover *p, const ProveMethod *m, void *with, const uint8_t *from,
                    const uint8_t *to, int value) {
    bool wins = (game_player(p->game, from) == p->first) == (value == PROVE_WON);
    int distance = to[p->game->ir->layout.result] ? 0 : m->distance(with, to);
    return wins ? -distance : distance;
}

// Puts a move that keeps the value into *move and plays it: the best one where distances are known,
// else the first.
static bool step(Prover *p, const ProveMethod *m, void *with, uint8_t *state, uint8_t *next,
                 int value, Move *move) {
    const Move *moves;
    int n = runner_moves(p->runner, state, &moves);
    Move *list = n > 0 ? mem_alloc(sizeof *list * (size_t)n) : NULL;
    if (!list)
        return false;
    memcpy(list, moves, sizeof *list * (size_t)n);
    bool found = false, any = !m->distance || value == prover_endless(p);
    int best = 0;
    for (int i = 0; i < n && !(found && any) && !prover_stopped(p); i++) {
        if (!runner_apply(p->runner, state, list[i], next) ||
            !keeps(p, m, with, state, next, value))
            continue;
        int merit = any ? 0 : merit_of(p, m, with, state, next, value);
        if (!found || merit > best) {
            best = merit;
            *move = list[i];
        }
        found = true;
    }
    mem_free(list);
    if (!found || !runner_apply(p->runner, state, *move, next))
        return false;
    memcpy(state, next, p->size);
    return true;
}

static bool was_seen(const ProveKey *seen, int n, ProveKey key) {
    for (int i = 0; i < n; i++)
        if (seen[i].a == key.a && seen[i].b == key.b)
            return true;
    return false;
}

// Adds a position to the way that was played; whether it was there as often as the rules allow.
static bool note_past(Prover *p, const uint8_t *state) {
    uint64_t hash = game_hash(p->game, state);
    int times = 1;
    for (int i = 0; i < p->past_count; i++)
        times += p->past[i] == hash;
    p->past[p->past_count++] = hash;
    return times >= p->game->ir->repeated;
}

// Returns whether the line leads to the end of the game.
static bool find_line(Prover *p, const ProveMethod *m, void *with, const uint8_t *from,
                      ProveResult *result) {
    uint64_t now[IR_MAX_STATE / 8], next[IR_MAX_STATE / 8];
    uint8_t *state = (uint8_t *)now;
    ProveKey seen[SEARCH_MAX_LINE];
    Keyer *keyer = keyer_new(p);
    int64_t limit = p->clock.node_limit;
    p->clock.node_limit = p->clock.nodes + p->clock.nodes / LINE_SHARE + LINE_NODES;
    if (limit && limit < p->clock.node_limit)
        p->clock.node_limit = limit;
    memcpy(state, from, p->size);
    while (keyer && result->line_length < SEARCH_MAX_LINE) {
        if (p->whole_way && note_past(p, state))
            break;
        ProveKey key = keyer_key(keyer, state);
        if (p->game->ir->repeated > 0) // for that rule clocks do not tell positions apart
            key = (ProveKey){game_hash(p->game, state), 0};
        if (!p->whole_way &&
            was_seen(seen, result->line_length, key)) { // a drawn game goes in circles
            p->cyclic = true;
            break;
        }
        seen[result->line_length] = key;
        Move *move = &result->line[result->line_length];
        if (!step(p, m, with, state, (uint8_t *)next, result->low, move))
            break;
        result->line_length++;
    }
    keyer_free(keyer);
    p->past_count = 0;
    const Move *moves;
    return runner_moves(p->runner, state, &moves) == 0;
}

// Goes on after a limit of positions was reached, unless the time is up as well.
static void lift_limit(Prover *p, int64_t limit) {
    p->clock.node_limit = limit;
    if (p->clock.over) {
        p->clock.over = false;
        clock_look(&p->clock);
    }
}

// In a game that goes in circles a move that keeps a win may still lead back. There the line is
// told by a list of all positions, if that is short.
static void find_line_by_list(Prover *p, const uint8_t *from, ProveResult *result) {
    const ProveMethod *m = &prove_retrograde;
    lift_limit(p, p->clock.nodes + LINE_NODES);
    p->too_big = false;
    void *list = m->begin(p, from);
    if (list && !prover_stopped(p)) {
        result->line_length = 0;
        find_line(p, m, list, from, result);
    }
    if (list)
        m->end(list);
}

// --- ways ---

static const ProveMethod *const methods[] = {&prove_placing, &prove_sum, &prove_alphabeta,
                                             &prove_dfpn, &prove_retrograde};

typedef struct Attempt { // a way that was begun
    const ProveMethod *m;
    void *with; // NULL: not yet, or not for this game
} Attempt;

static bool is_settled(const ProveResult *result) {
    return result->low == result->high;
}

// Asks with one way, for so many positions more (0: any number). False if the way is not for this
// game.
static bool attempt(Prover *p, Attempt *a, int64_t nodes, const uint8_t *state,
                    ProveResult *result) {
    int64_t limit = p->clock.node_limit, mine = p->clock.nodes + nodes;
    bool mine_first = nodes && (!limit || mine < limit);
    if (mine_first)
        p->clock.node_limit = mine;
    p->too_big = false;
    if (!a->with)
        a->with = a->m->begin(p, state);
    if (a->with && !prover_stopped(p))
        ask_all(p, a->m, a->with, state, result);
    p->clock.node_limit = limit;
    // Only this attempt is over, unless the time is up as well.
    if (mine_first && p->clock.over && p->clock.nodes > mine) {
        p->clock.over = false;
        clock_look(&p->clock);
    }
    if (!a->with)
        return false;
    result->way = way_names[a->m->way];
    if (is_settled(result) && !p->failed) {
        result->nodes = p->clock.nodes;
        result->seconds = clock_seconds(&p->clock);
        bool ends = find_line(p, a->m, a->with, state, result);
        if (!ends && p->cyclic && !a->m->distance && result->low != prover_endless(p))
            find_line_by_list(p, state, result);
        lift_limit(p, limit);
        p->failed = false; // the value holds, with or without a line
    }
    return true;
}

static void finish(Attempt *a) {
    if (a->with)
        a->m->end(a->with);
    a->with = NULL;
}

static bool goes_on(const Prover *p, const ProveResult *result) {
    return !is_settled(result) && !p->failed && !p->clock.over;
}

// Any game. What suits it is not known beforehand: alpha-beta and proof numbers take turns, each
// with twice the work of the time before. If the game goes in circles, or is too long for them,
// all its positions are listed, as far as there is memory.
static void take_turns(Prover *p, const uint8_t *state, ProveResult *result) {
    Attempt walk = {&prove_alphabeta, NULL}, numbers = {&prove_dfpn, NULL};
    Attempt backwards = {&prove_retrograde, NULL};
    bool listed = false, walk_ends = false, numbers_end = false;
    p->memory /= 2;
    for (int64_t nodes = FIRST_TURN; goes_on(p, result) && !(walk_ends && numbers_end);
         nodes *= 2) {
        if (!walk_ends)
            attempt(p, &walk, nodes, state, result);
        walk_ends = p->too_big;
        if ((p->cyclic || p->too_big) && !listed && goes_on(p, result)) {
            listed = true;
            finish(&walk);
            attempt(p, &backwards, 0, state, result);
            finish(&backwards);
        }
        if (goes_on(p, result) && !numbers_end) {
            attempt(p, &numbers, nodes, state, result);
            numbers_end = p->too_big || !numbers.with;
        }
    }
    finish(&walk);
    finish(&numbers);
}

static bool run_one(Prover *p, ProveWay way, const uint8_t *state, ProveResult *result) {
    bool tried = false;
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        Attempt a = {methods[i], NULL};
        if (methods[i]->way == way)
            tried = attempt(p, &a, 0, state, result);
        finish(&a);
    }
    return tried;
}

static bool run(Prover *p, const ProveTask *task, const uint8_t *state, ProveResult *result,
                Text *why) {
    bool automatic = task->way == PROVE_AUTO;
    bool tried =
        task->way != PROVE_PATH && run_one(p, automatic ? PROVE_PLACING : task->way, state, result);
    if (automatic && goes_on(p, result))
        tried |= run_one(p, PROVE_SUM, state, result);
    if (automatic && goes_on(p, result)) {
        if (task->hurry)
            task->hurry(task->with);
        take_turns(p, state, result);
        tried = true;
    }
    if (task->way == PROVE_PATH || (automatic && goes_on(p, result)))
        tried |= prove_path(p, state, result);
    if (p->failed)
        text_add(why, p->why ? p->why : runner_error(p->runner));
    else if (!tried)
        text_f(why, "this game cannot be proven by `%s`", way_names[task->way]);
    return tried && !p->failed;
}

bool prove_position(const ProveTask *task, ProveResult *result, Text *why) {
    const Game *g = task->game;
    const uint8_t *state = task->state ? task->state : g->start;
    *result = (ProveResult){.low = PROVE_LOST, .high = PROVE_WON, .way = ""};
    Clocks clocks = clocks_of(g);
    Prover p = {.game = g,
                .runner = runner_new(g),
                .first = game_player(g, state),
                .size = (size_t)game_state_size(g),
                .identity = clocks_bytes(g, clocks),
                .whole_way = clocks_whole_way(g, clocks),
                .memory = task->memory ? task->memory : PROVE_MEMORY};
    if (!p.runner) {
        text_add(why, "out of memory");
        return false;
    }
    p.clock = (Clock){.begin = clock_seconds(&(Clock){0}),
                      .node_limit = task->nodes,
                      .stop = task->stop,
                      .step = 1};
    p.clock.looked = p.clock.begin;
    p.clock.until = task->seconds > 0 ? p.clock.begin + task->seconds : 0;
    bool ok = run(&p, task, state, result, why);
    if (result->low < result->high) {
        result->nodes = p.clock.nodes;
        result->seconds = clock_seconds(&p.clock);
        result->too_large = !p.clock.over;
    }
    runner_free(p.runner);
    return ok;
}
