// ab_report: what was found, as a SearchResult.
#include "search/alphabeta.h"

#include <string.h>

// The move of the table at a ply of a line that is worth so much at the root, or 0. What it has
// from smaller depths may say something else; what it knows of all mirror images may have the move
// of another one.
static uint32_t move_on(const AbThread *t, int ply, Value value, bool exact) {
    const AlphaBeta *ab = t->ab;
    bool same = ab_side(ab, ab_state(t, ply)) == ab_side(ab, ab_state(t, 0));
    Value here = same ? value : -value;
    TableEntry e;
    if (!ttable_find(&ab->table, ab_key(t, ply, false), &e) || e.bound != TTABLE_EXACT)
        return 0;
    bool settled = !exact || e.final || value_is_proven(value);
    return settled && ab_from_table(e.value, ply) == here ? e.move : 0;
}

// Lines end where the table knew the value; its moves go on from there. The path of the thread is
// free for this.
static void extend_line(AbThread *t, RootMove *root, bool exact) {
    AbLine *line = &root->line;
    int ply = 0;
    bool over = false;
    for (; ply < AB_LINE && !over; ply++) {
        AbMoves list;
        t->plies[ply].hash = game_hash(t->ab->game, ab_state(t, ply));
        for (int i = 0; i < ply; i++)
            over = over || t->plies[i].hash == t->plies[ply].hash;
        if (over || !ab_moves(t, ply, &list))
            break;
        if (ply >= line->length) {
            uint32_t move = move_on(t, ply, root->value, exact);
            if (!move || !ab_order_first(t, &list, move)) {
                ab_release(t, &list);
                break;
            }
            line->move[line->length++] = t->moves[list.begin];
        }
        ab_release(t, &list);
        over = !runner_apply(t->runner, ab_state(t, ply), line->move[ply], ab_state(t, ply + 1));
    }
}

// To whom draws are worth less than nothing, they are told as what they are.
static Value told(const AlphaBeta *ab, Value value) {
    return value == -ab->contempt ? 0 : value;
}

static Scored scored_move(const AbThread *t, const RootMove *root, bool known) {
    Scored s = {.move = root->move,
                .value = told(t->ab, root->value),
                .visits = root->nodes,
                .at_most = !known,
                .line_length = 1};
    s.line[0] = root->move;
    if (known) {
        int n = root->line.length < SEARCH_BEST_LINE ? root->line.length : SEARCH_BEST_LINE;
        memcpy(s.line, root->line.move, sizeof(Move) * (size_t)n);
        s.line_length = n > 0 ? n : 1;
    }
    return s;
}

// The moves whose values are exact, in their order; then the others by their bounds.
static void list_best(const AbThread *t, SearchResult *result, int known) {
    SearchResult others = {0};
    result->best_count = 0;
    for (int i = 0; i < t->root_count; i++) {
        if (t->root[i].value == -AB_INFINITE)
            continue;
        Scored scored = scored_move(t, &t->root[i], i < known);
        if (i < known && result->best_count < SEARCH_MAX_BEST)
            result->best[result->best_count++] = scored;
        else
            result_note(&others, scored);
    }
    for (int i = 0; i < others.best_count && result->best_count < SEARCH_MAX_BEST; i++)
        result->best[result->best_count++] = others.best[i];
}

void ab_report(AbThread *t, Value value, int depth, bool exact, int known) {
    AlphaBeta *ab = t->ab;
    SearchResult *result = ab->result;
    RootMove *best = &t->root[0];
    best->value = value;
    for (int i = 0; i < known; i++)
        extend_line(t, &t->root[i], exact);
    result->found = true;
    result->move = best->move;
    result->value = told(ab, value);
    result->exact = exact;
    result->depth = depth;
    result->line_length = best->line.length;
    memcpy(result->line, best->line.move, sizeof(Move) * (size_t)best->line.length);
    list_best(t, result, known);
    result->nodes = ab_nodes(ab);
    result->seconds = clock_seconds(&t->clock);
    if (ab->task->tell)
        ab->task->tell(ab->task->with, result);
}
