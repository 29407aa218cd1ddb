// ab_maxn: more than two players, each of whom plays for himself (max-n).
//
// A position has a value for each player, and who is on move takes the move that is best for him.
// Of moves that are equal to him he takes the one that is worst for who is asked, then for the
// others in the order of their seats; so the values do not depend on the order of moves. Nothing
// can be cut but what follows a win at once: it sees less far than the usual way, where all others
// play against the one who is asked. One thread searches.
#include "search/alphabeta.h"

#include <string.h>

typedef struct Values {
    Value of[IR_MAX_PLAYERS];
} Values;

static bool is_better(const AbThread *t, int player, const Values *a, const Values *b) {
    int me = t->ab->me, players = t->ab->game->ir->players;
    if (a->of[player] != b->of[player])
        return a->of[player] > b->of[player];
    if (a->of[me] != b->of[me])
        return a->of[me] < b->of[me];
    for (int i = 0; i < players; i++)
        if (a->of[i] != b->of[i])
            return a->of[i] < b->of[i];
    return false;
}

static Values search(AbThread *t, int ply, int depth);

// The best of all moves.
static Values search_moves(AbThread *t, int ply, int depth) {
    int player = game_player(t->ab->game, ab_state(t, ply));
    Values best = {{0}};
    AbMoves list;
    if (!ab_moves(t, ply, &list))
        return best;
    t->failed = t->failed || list.count == 0; // the game would be over
    bool open = false;
    for (int i = 0; i < list.count && !ab_stopped(t); i++) {
        Move move = t->moves[list.begin + (size_t)i];
        ab_play(t, ply, move, 0);
        if (ab_stopped(t))
            break;
        Values values = search(t, ply + 1, depth - 1);
        open = open || t->open;
        if (i == 0 || is_better(t, player, &values, &best)) {
            best = values;
            ab_line_add(t, ply, move);
        }
        if (best.of[player] == VALUE_WIN - (ply + 1)) { // nothing can be better
            open = false;
            break;
        }
    }
    ab_release(t, &list);
    t->open = open;
    return best;
}

static Values search(AbThread *t, int ply, int depth) {
    const AlphaBeta *ab = t->ab;
    const uint8_t *state = ab_state(t, ply);
    Values values = {{0}};
    t->open = false;
    if (ply < AB_LINE)
        t->lines[ply].length = 0;
    int result = runner_result(t->runner, state);
    t->failed = t->failed || result < 0;
    if (result) {
        for (int i = 0; i < ab->game->ir->players && result > 0; i++)
            values.of[i] = value_of_result(ab->game, result, i, ply);
        return values;
    }
    t->plies[ply].hash = game_hash(ab->game, state);
    if (ab_is_repeated(t, ply))
        return values;
    if (depth > 0 && ply < AB_MAX_PLY - 2)
        return search_moves(t, ply, depth);
    t->open = true;
    evaluation_values(ab->player->evaluation, t->runner, state, values.of);
    return values;
}

// All moves of the root to a depth; the best comes first. False if it was stopped.
static bool search_root(AbThread *t, int depth) {
    Values best = {{0}};
    bool open = false;
    for (int i = 0; i < t->root_count; i++) {
        RootMove *root = &t->root[i];
        int64_t before = t->clock.nodes;
        ab_play(t, 0, root->move, 0);
        Values values = {{0}};
        if (!ab_stopped(t))
            values = search(t, 1, depth - 1);
        if (ab_stopped(t))
            return false;
        open = open || t->open;
        root->nodes += t->clock.nodes - before;
        root->value = values.of[t->ab->me];
        t->lines[0].length = 0;
        ab_line_add(t, 0, root->move);
        root->line = t->lines[0];
        if (i == 0 || is_better(t, t->ab->me, &values, &best)) {
            best = values;
            ab_root_promote(t, i, 0);
            t->raised = true;
        }
    }
    t->open = open;
    return true;
}

void ab_think_maxn(AbThread *t) {
    int wanted = player_depth(t->ab->player, t->ab->task);
    int most = wanted && wanted < AB_MAX_DEPTH ? wanted : AB_MAX_DEPTH;
    t->plain = true; // repetition by the letter of the rules
    for (int depth = 1; depth <= most; depth++) {
        t->raised = false;
        bool complete = search_root(t, depth);
        if (t->failed)
            break;
        if (complete)
            ab_report(t, t->root[0].value, depth, !t->open, t->root_count);
        else if (t->raised || depth == 1)
            ab_report(t, depth == 1 ? 0 : t->root[0].value, depth - 1, false, 1);
        if (!complete || !t->open)
            break;
    }
}
