// simple: players that do not look ahead, or one move only.
#include "search/evaluate.h"
#include "search/player.h"

bool search_random(Player *p, const SearchTask *task, SearchResult *result) {
    Rng rng;
    player_random(p, task, &rng);
    int found = runner_random(p->runner, record_now(task->record), rng_next(&rng), &result->move);
    result->found = found > 0;
    return result->found;
}

// What the position after a move is worth to the one who moves; an end of the game counts.
static bool value_after(Player *p, const uint8_t *state, Move move, uint8_t *next, Value *value) {
    int me = game_player(p->game, state);
    if (!runner_apply(p->runner, state, move, next))
        return false;
    int result = runner_result(p->runner, next);
    if (result < 0)
        return false;
    *value = result ? value_of_result(p->game, result, me, 1)
                    : evaluation_for(p->evaluation, p->runner, next, me);
    return true;
}

bool search_greedy(Player *p, const SearchTask *task, SearchResult *result) {
    const uint8_t *now = record_now(task->record);
    Clock clock;
    clock_start(&clock, p, task);
    Rng rng;
    player_random(p, task, &rng);
    const Move *moves;
    int n = runner_moves(p->runner, now, &moves);
    Move *list = n > 0 ? mem_alloc(sizeof *list * (size_t)n) : NULL;
    uint8_t *next = mem_alloc((size_t)game_state_size(p->game));
    for (int i = 0; list && i < n; i++)
        list[i] = moves[i];
    uint64_t equal = 0; // moves as good as the best: each is taken with the same chance
    for (int i = 0; list && next && i < n && !clock_over(&clock); i++) {
        Value value;
        if (!value_after(p, now, list[i], next, &value))
            break;
        result_note(result, (Scored){.move = list[i], .value = value, .visits = 1});
        bool better = !result->found || value > result->value;
        equal = better ? 1 : value == result->value ? equal + 1 : equal;
        if (better || (value == result->value && rng_below(&rng, equal) == 0)) {
            result->found = true;
            result->move = list[i];
            result->value = value;
        }
    }
    result->nodes = clock.nodes;
    result->depth = 1;
    mem_free(list);
    mem_free(next);
    return result->found;
}
