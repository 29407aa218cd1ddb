// approach: a player that sees nothing to win goes where there may be something; see levels.h.
//
// In games in which pieces have to meet first, a search that does not see so far finds all moves
// equal and goes to and fro. Such a standstill is noticed by the pieces and their numbers not
// having changed for some moves, and by no piece standing beside another's: once they have met,
// the search sees more.
#include "game/statetext.h"
#include "search/evaluate.h"
#include "search/levels.h"

#include <stdlib.h>
#include <string.h>

#define APART 2    // steps between pieces that have not met
#define QUIET 8    // moves of each player without a change
#define PATIENCE 8 // times QUIET
#define DEPTH 3    // moves that are looked ahead behind each candidate
#define MOVES_MOST 200
#define AS_GOOD 20 // Values: moves that differ by less are equal, the more the longer it lasts,
#define NOTHING 60 //   and a search that promises less sees nothing

// The pieces of each plane and the sum of their numbers.
static int64_t tally(const Game *g, const uint8_t *state, int plane) {
    const IrGame *ir = g->ir;
    int64_t sum = 0;
    for (int c = 0; c < ir->board->cells; c++) {
        uint64_t word;
        memcpy(&word, state + ir->plane[plane].offset + c / 64 * 8, sizeof word);
        if (!(word >> (c % 64) & 1))
            continue;
        sum += 1 << 20;
        for (int a = 0; a < ir->attrs; a++)
            sum += ir->attr[a].type.kind == TY_INT ? state_attribute(g, state, a, c) : 0;
    }
    return sum;
}

static bool is_changed(const Game *g, const Record *record, int back) {
    int n = record_length(record);
    if (n < back)
        return true;
    for (int i = 0; i < g->ir->planes; i++)
        if (tally(g, record_state(record, n - back), i) != tally(g, record_now(record), i))
            return true;
    return false;
}

// How long nothing has changed, in times of QUIET; PATIENCE at most.
static int standstill(const Game *g, const Record *record) {
    int times = 0;
    while (times < PATIENCE && !is_changed(g, record, (times + 1) * QUIET * g->ir->players))
        times++;
    return times;
}

static int owner_at(const IrGame *ir, const uint8_t *state, int cell) {
    for (int i = 0; i < ir->planes; i++) {
        uint64_t word;
        memcpy(&word, state + ir->plane[i].offset + cell / 64 * 8, sizeof word);
        if (word >> (cell % 64) & 1)
            return ir->plane[i].owner;
    }
    return -1;
}

// How far the player's pieces are from the nearest of the others, all together; `*closest` is the
// least of these.
static int distance_of(const Game *g, const uint8_t *state, int player, int *closest) {
    const IrGame *ir = g->ir;
    const Board *b = ir->board;
    int owner[BOARD_MAX_CELLS], sum = 0;
    *closest = b->cells;
    for (int c = 0; c < b->cells; c++)
        owner[c] = owner_at(ir, state, c);
    for (int c = 0; c < b->cells; c++) {
        int least = b->cells;
        for (int d = 0; d < b->cells && owner[c] == player; d++) {
            int far = b->distance[c * (b->cells + 1) + d];
            bool other = owner[d] >= 0 && owner[d] != player && owner[d] < ir->players;
            least = other && far < least ? far : least;
        }
        sum += owner[c] == player ? least : 0;
        *closest = least < *closest ? least : *closest;
    }
    return sum;
}

// The search may know that a move is worse.
static bool is_refuted(const SearchResult *result, Move move, Value slack) {
    for (int i = 0; i < result->best_count; i++)
        if (move_equal(result->best[i].move, move))
            return result->best[i].value < result->value - slack;
    return false;
}

static void choose(Player *p, const uint8_t *now, const Move *moves, const Value *value, int n,
                   Value slack, SearchResult *result) {
    int me = game_player(p->game, now), nearest = 0;
    Value best = value[0];
    for (int i = 1; i < n; i++)
        best = value[i] > best ? value[i] : best;
    uint64_t copy[IR_MAX_STATE / 8]; // aligned as states are
    uint8_t *next = (uint8_t *)copy;
    bool any = false;
    Move chosen = result->move;
    for (int i = 0; i < n && !value_is_proven(best); i++) {
        if (value[i] < best - slack || is_refuted(result, moves[i], slack) ||
            !runner_apply(p->runner, now, moves[i], next))
            continue;
        int closest, far = distance_of(p->game, next, me, &closest);
        bool same = any && far == nearest && move_equal(moves[i], result->move);
        if (!any || far < nearest || same) {
            nearest = far;
            chosen = moves[i];
        }
        any = true;
    }
    if (move_equal(chosen, result->move))
        return;
    result->move = chosen;
    result->line_length = 0;
}

void approach(Player *p, Player *helper, const SearchTask *task, SearchResult *result) {
    const uint8_t *now = record_now(task->record);
    if (value_is_proven(result->value) || result->exact)
        return;
    int times = standstill(p->game, task->record);
    Value seems = times ? evaluation_value(helper->evaluation, p->runner, now) : 0;
    if (times == 0 || abs(result->value - seems) > NOTHING)
        return;
    // Who is not behind dares more and more: whoever goes first is struck first, but a game in
    // which nobody goes is never won.
    Value slack = seems < -NOTHING ? AS_GOOD : AS_GOOD * times;
    int closest;
    distance_of(p->game, now, game_player(p->game, now), &closest);
    if (closest < APART) // they have met: the search sees more than this
        return;
    const Move *moves;
    int n = runner_moves(p->runner, now, &moves);
    if (n < 2 || n > MOVES_MOST)
        return;
    Move list[MOVES_MOST];
    Value value[MOVES_MOST];
    memcpy(list, moves, sizeof *list * (size_t)n);
    if (levels_values(p, helper, DEPTH, task, list, n, value))
        choose(p, now, list, value, n, slack, result);
}
