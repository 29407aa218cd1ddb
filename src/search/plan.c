// plan: a way to the goal that was found once and is followed; see puzzle.h.
#include "search/puzzle.h"

#include <string.h>

typedef struct Plan {
    Move *moves;
    uint8_t *states; // states[i] is where moves[i] is to be played
    int length, next;
    Clocks clocks;
} Plan;

bool plan_begin(Player *p, Text *why) {
    Plan *plan = p->own = mem_alloc(sizeof *plan);
    if (plan)
        plan->clocks = clocks_of(p->game);
    else
        text_add(why, "out of memory");
    return plan != NULL;
}

static void forget(Plan *plan) {
    mem_free(plan->moves);
    mem_free(plan->states);
    *plan = (Plan){.clocks = plan->clocks};
}

void plan_end(Player *p) {
    if (p->own)
        forget(p->own);
    mem_free(p->own);
}

void plan_result(const Player *p, const Move *moves, int length, SearchResult *result) {
    result->found = length > 0;
    if (length == 0)
        return;
    result->move = moves[0];
    result->line_length = length < SEARCH_MAX_LINE ? length : SEARCH_MAX_LINE;
    memcpy(result->line, moves, sizeof *moves * (size_t)result->line_length);
    // With opponents it is only a hope.
    result->exact = p->game->ir->players == 1;
    result->value = result->exact ? VALUE_WIN - length : 0;
    result->depth = length;
}

void plan_missed(Player *p, const Clock *clock, bool full, bool too_deep) {
    const char *reason = full          ? "the memory is full; `memory` gives it more"
                         : clock->over ? "the search ended before"
                         : too_deep    ? "`depth` allows no more"
                                       : NULL;
    if (reason)
        text_f(&p->why, "no way was found: %s", reason);
}

void plan_keep(Player *p, const SearchTask *task, const Move *moves, int length) {
    Plan *plan = p->own;
    size_t size = (size_t)game_state_size(p->game);
    forget(plan);
    plan->moves = mem_alloc(sizeof *moves * (size_t)length);
    plan->states = mem_alloc(size * (size_t)(length + 1));
    if (!plan->moves || !plan->states) { // then it searches again
        forget(plan);
        return;
    }
    memcpy(plan->moves, moves, sizeof *moves * (size_t)length);
    memcpy(plan->states, record_now(task->record), size);
    for (int i = 0; i < length; i++) {
        uint8_t *from = plan->states + size * (size_t)i;
        if (!runner_apply(p->runner, from, moves[i], from + size)) {
            forget(plan);
            return;
        }
    }
    plan->length = length;
}

// Whether the way from there on is no draw by repetition: the game may have gone elsewhere before.
static bool is_open(const Player *p, const SearchTask *task, const Plan *plan, int from) {
    size_t size = (size_t)game_state_size(p->game);
    int limit = p->game->ir->repeated;
    for (int i = from + 1; limit && i < plan->length; i++) {
        const uint8_t *state = plan->states + size * (size_t)i;
        int times = 1 + record_times(task->record, state);
        for (int k = from + 1; k < i; k++)
            times += game_same(p->game, plan->states + size * (size_t)k, state);
        if (times >= limit)
            return false;
    }
    return true;
}

// The position may be some moves further on: the others have moved, and `me` perhaps too.
bool plan_follow(Player *p, const SearchTask *task, SearchResult *result) {
    text_clear(&p->why);
    Plan *plan = p->own;
    size_t size = (size_t)game_state_size(p->game);
    size_t telling = clocks_bytes(p->game, plan->clocks);
    const uint8_t *now = record_now(task->record);
    if (task->trace)
        return false; // who looks wants to see a search
    for (int i = plan->next; i < plan->length; i++) {
        if (memcmp(plan->states + size * (size_t)i, now, telling) != 0)
            continue;
        if (!is_open(p, task, plan, i))
            return false;
        plan_result(p, plan->moves + i, plan->length - i, result);
        plan->next = i;
        return true;
    }
    return false;
}
