// opening: random moves at the beginning of a game; see referee.h.
#include "match/referee.h"

#define ATTEMPTS 100 // before an opening is made shorter

// Whether the player on move wins at once.
static int wins_at_once(Runner *runner, const uint8_t *state, uint8_t *next) {
    const Game *g = runner_game(runner);
    int me = game_player(g, state), n;
    const Move *list;
    if ((n = runner_moves(runner, state, &list)) < 0)
        return -1;
    Move *moves = mem_alloc(sizeof *moves * (size_t)(n + 1)); // the list holds until the next call
    if (!moves)
        return -1;
    for (int i = 0; i < n; i++)
        moves[i] = list[i];
    int wins = 0;
    for (int i = 0; i < n && wins == 0; i++) {
        int result = runner_apply(runner, state, moves[i], next) ? runner_result(runner, next) : -1;
        wins = result < 0 ? -1 : result > 0 && (result >> me & 1);
    }
    mem_free(moves);
    return wins;
}

// 1: the record has come to an open position; 0: to none; -1: a fault.
static int attempt(Runner *runner, Record *record, Rng *rng, int plies, uint8_t *next) {
    record_restart(record);
    for (int i = 0; i < plies; i++) {
        Move move;
        int found = runner_random(runner, record_now(record), rng_next(rng), &move);
        if (found < 0 || (found == 1 && !record_play(record, move)))
            return -1;
        int result = found == 1 ? record_result(record) : RESULT_OVER;
        if (result)
            return result < 0 ? -1 : 0;
    }
    int wins = plies ? wins_at_once(runner, record_now(record), next) : 0;
    return wins < 0 ? -1 : !wins;
}

bool referee_opening(Runner *runner, Record *record, uint64_t seed, int plies) {
    Rng rng;
    rng_seed(&rng, seed);
    uint8_t *next = mem_alloc((size_t)game_state_size(runner_game(runner)));
    int found = next ? 0 : -1;
    for (; found == 0; plies--)
        for (int i = 0; found == 0 && i < ATTEMPTS; i++)
            found = attempt(runner, record, &rng, plies, next);
    mem_free(next);
    return found > 0;
}
