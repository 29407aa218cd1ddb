// order: see order.h.
#include "search/order.h"

void order_first(Tree *t, const MoveList *list, Move move) {
    Move *moves = t->moves + list->begin;
    int at = 0;
    while (at < list->count && !move_equal(moves[at], move))
        at++;
    if (at == list->count)
        return;
    for (; at > 0; at--)
        moves[at] = moves[at - 1];
    moves[0] = move;
}

// What the position behind a move is worth to `me`. The place of the next ply serves as memory.
static Value worth(Tree *t, Move move) {
    Player *p = t->player;
    uint8_t *next = t->states + (size_t)(t->ply + 1) * (size_t)game_state_size(p->game);
    if (!runner_apply(p->runner, tree_state(t), move, next)) {
        t->failed = true;
        return 0;
    }
    int result = next[p->game->ir->layout.result];
    return result ? value_of_result(p->game, result, t->me, t->ply + 1)
                  : evaluation_for(p->evaluation, p->runner, next, t->me);
}

void order_by_worth(Tree *t, const MoveList *list) {
    bool max = tree_maximises(t);
    Value *keys = mem_alloc(sizeof *keys * (size_t)(list->count + 1));
    if (!keys)
        return; // the order is a matter of speed only
    for (int i = 0; i < list->count && !t->failed && !clock_over(&t->clock); i++) {
        Move move = tree_move(t, list, i);
        Value value = worth(t, move);
        Value key = max ? value : -value;
        int at = i; // insertion keeps equal ones in order
        for (; at > 0 && keys[at - 1] < key; at--) {
            keys[at] = keys[at - 1];
            t->moves[list->begin + (size_t)at] = t->moves[list->begin + (size_t)at - 1];
        }
        keys[at] = key;
        t->moves[list->begin + (size_t)at] = move;
    }
    mem_free(keys);
}
