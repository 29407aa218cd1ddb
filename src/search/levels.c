// levels: see levels.h.
#include "search/levels.h"

#include "search/evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Level {
    const char *name;
    int depth;     // moves that it looks ahead behind each of its own
    double spread; // how much worse a move may seem that is often taken,
    double slack;  //   and that is taken at all, in parts of a piece or so (see unit); 0: any
    double blind;  // chance not to look at all
    int64_t nodes; // above LEVEL_NOISY
} Level;

static const Level levels[LEVELS + 1] = {
    {"", 0, 0, 0, 0, 0},
    {"beginner", 0, 2.5, 0, 0.75, 0},
    {"novice", 0, 0.9, 0, 0.15, 0},
    {"easy", 1, 1.2, 3, 0, 0},
    {"casual", 1, 0.5, 1.5, 0, 0},
    {"medium", 2, 0.12, 0.5, 0, 0},
    {"skilled", 3, 0.06, 0.25, 0, 0},
    {"hard", 4, 0.02, 0.1, 0, 0},
    {"advanced", 0, 0, 0, 0, 20000},
    {"expert", 0, 0, 0, 0, 200000},
    {"strongest", 0, 0, 0, 0, 0},
};

#define HELPER "table-alphabeta:memory=4,heuristic=auto"
#define HELPER_NODES 20000 // for all moves together, about

int level_find(const char *text) {
    char *end;
    long number = strtol(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && !*end)
        return number >= 1 && number <= LEVELS ? (int)number : 0;
    for (int i = 1; i <= LEVELS; i++)
        if (strcmp(levels[i].name, text) == 0)
            return i;
    return 0;
}

const char *level_name(int level) {
    return levels[level].name;
}

int64_t level_nodes(int level) {
    return levels[level].nodes;
}

const char *level_helper(void) {
    return HELPER;
}

// --- picking ---

typedef struct Picker {
    Player *helper;
    const Level *level;
    const SearchTask *task;
    Record *record; // a copy of the game, to play on
    Clock clock;
    int me;
    int depth;     // the level's, or what a limit leaves of it
    int64_t nodes; // for each move
} Picker;

static Record *copy_record(Runner *r, const Record *from) {
    Record *copy = record_new(r, record_state(from, 0));
    for (int i = 0; copy && i < record_length(from); i++)
        if (!record_play(copy, record_move(from, i))) {
            record_free(copy);
            return NULL;
        }
    return copy;
}

// What a move is worth, as far as the level sees.
static bool value_of_move(Picker *k, Move move, Value *value) {
    Player *h = k->helper;
    if (!record_play(k->record, move))
        return false;
    int result = record_result(k->record);
    bool ok = result >= 0;
    const uint8_t *now = record_now(k->record);
    if (result > 0) {
        *value = value_of_result(h->game, result, k->me, 1);
    } else if (ok && k->depth == 0) {
        *value = evaluation_for(h->evaluation, h->runner, now, k->me);
    } else if (ok) {
        SearchTask task = {.record = k->record,
                           .limits = {.nodes = k->nodes, .depth = k->depth},
                           .stop = k->task->stop,
                           .seed = k->task->seed};
        SearchResult found;
        ok = player_search(h, &task, &found);
        int sign = game_player(h->game, now) == k->me ? 1 : -1;
        *value = found.value * sign;
        k->clock.nodes += found.nodes;
    }
    record_undo(k->record);
    return ok;
}

// What the evaluation counts for a piece or so; of rules nobody knows: what is usual.
static double unit_of(const Player *helper) {
    const char *name = evaluation_name(helper->evaluation);
    return strcmp(name, "learned") == 0 || strcmp(name, "own") == 0 ? 300 : 100;
}

// A move by chance: one that seems worse by `spread` is e times less likely.
static int pick(const Picker *k, const Value *value, int n, Rng *rng) {
    double unit = unit_of(k->helper), sum = 0;
    Value best = value[0];
    for (int i = 1; i < n; i++)
        best = value[i] > best ? value[i] : best;
    int chosen = 0;
    for (int i = 0; i < n; i++) {
        double worse = ((double)best - value[i]) / unit;
        // What is certain is not left to chance: the quickest win, the longest resistance.
        double slack = value_is_proven(best) ? 0 : k->level->slack;
        if (k->level->slack > 0 && worse > slack)
            continue;
        double share = exp(-worse / k->level->spread);
        sum += share;
        double random = (double)(rng_next(rng) >> 11) * 0x1p-53;
        if (share > 0 && random * sum < share)
            chosen = i;
    }
    return chosen;
}

static int64_t share_of(int64_t nodes, int moves) {
    return 1 + nodes / (moves > 0 ? moves : 1);
}

// What the limits of the player leave of what the level would look at. With fewer positions than
// replies nothing is learnt from looking at some of these.
static void limit(Picker *k, int64_t nodes, int depth, int moves) {
    k->depth = k->level->depth;
    k->nodes = share_of(nodes > 0 && nodes < HELPER_NODES ? nodes : HELPER_NODES, moves);
    if (depth > 0 && depth <= k->depth)
        k->depth = depth - 1;
    if (nodes > 0 && k->nodes < moves)
        k->depth = 0;
}

static bool search(Picker *k, const Move *moves, int n, Value *value, Rng *rng,
                   SearchResult *result) {
    int seen = 0;
    bool blind = (double)(rng_next(rng) >> 11) * 0x1p-53 < k->level->blind;
    for (; seen < n && !blind && (seen == 0 || !clock_over(&k->clock)); seen++) {
        if (!value_of_move(k, moves[seen], &value[seen]))
            return false;
        result_note(result, (Scored){.move = moves[seen], .value = value[seen], .visits = 1});
    }
    int chosen = blind ? (int)rng_below(rng, (uint64_t)n) : pick(k, value, seen, rng);
    result->move = moves[chosen];
    result->value = blind ? 0 : value[chosen];
    result->depth = 1 + k->depth;
    result->nodes = k->clock.nodes + (seen > 0);
    result->found = true;
    return true;
}

bool levels_values(Player *p, Player *helper, int depth, const SearchTask *task, const Move *moves,
                   int n, Value *value) {
    Picker k = {.helper = helper, .task = task, .depth = depth};
    k.nodes = share_of(HELPER_NODES, n);
    k.record = copy_record(p->runner, task->record);
    k.me = game_player(p->game, record_now(task->record));
    bool ok = k.record != NULL;
    for (int i = 0; i < n && ok; i++)
        ok = value_of_move(&k, moves[i], &value[i]);
    record_free(k.record);
    return ok;
}

bool levels_search(Player *p, Player *helper, int level, const SearchTask *task,
                   SearchResult *result) {
    const Move *moves;
    int n = runner_moves(p->runner, record_now(task->record), &moves);
    Move *list = n > 0 ? mem_alloc(sizeof *list * (size_t)n) : NULL;
    Value *value = n > 0 ? mem_alloc(sizeof *value * (size_t)n) : NULL;
    Picker k = {.helper = helper, .level = &levels[level], .task = task};
    limit(&k, player_nodes(p, task), player_depth(p, task), n);
    Rng rng;
    player_random(p, task, &rng);
    if (list && value) {
        memcpy(list, moves, sizeof *list * (size_t)n);
        k.record = copy_record(p->runner, task->record);
        k.me = game_player(p->game, record_now(task->record));
        clock_start(&k.clock, p, task);
    }
    bool ok = k.record && search(&k, list, n, value, &rng, result);
    record_free(k.record);
    mem_free(list);
    mem_free(value);
    return ok;
}
