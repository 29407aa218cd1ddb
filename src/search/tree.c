// tree: see tree.h.
#include "search/tree.h"

#include <string.h>

#define FIRST_MOVES 1024 // room in the beginning; it grows

static size_t state_size(const Tree *t) {
    return (size_t)game_state_size(t->player->game);
}

bool tree_begin(Tree *t, Player *p, const SearchTask *task, SearchResult *result) {
    *t = (Tree){.player = p, .task = task, .result = result, .move_cap = FIRST_MOVES};
    clock_start(&t->clock, p, task);
    t->states = mem_alloc(state_size(t) * (TREE_MAX_PLY + 1));
    t->hashes = mem_alloc(sizeof *t->hashes * (TREE_MAX_PLY + 1));
    t->path = mem_alloc(sizeof *t->path * (TREE_MAX_PLY + 1));
    t->nodes = mem_alloc(sizeof *t->nodes * (TREE_MAX_PLY + 1));
    t->lines = mem_alloc(sizeof *t->lines * (TREE_LINE + 1));
    t->moves = mem_alloc(sizeof *t->moves * t->move_cap);
    t->failed = !t->states || !t->hashes || !t->path || !t->nodes || !t->lines || !t->moves;
    if (t->failed)
        return false;
    const uint8_t *now = record_now(task->record);
    memcpy(t->states, now, state_size(t));
    t->hashes[0] = game_hash(p->game, now);
    t->me = game_player(p->game, now);
    return true;
}

void tree_end(Tree *t) {
    mem_free(t->states);
    mem_free(t->hashes);
    mem_free(t->path);
    mem_free(t->nodes);
    mem_free(t->lines);
    mem_free(t->moves);
}

static void close_node(Tree *t, Value value, TraceWhy why, int left_out) {
    trace_close(t->task->trace, t->nodes[t->ply], value, why, left_out);
}

// --- the end of the game ---

int tree_occurrences(const Tree *t) {
    const Game *g = t->player->game;
    const uint8_t *here = tree_state(t);
    if (t->ply == 0)
        return record_times(t->task->record, here);
    int times = 1 + record_times(t->task->record, here);
    for (int i = t->ply - 1; i > 0; i--) // the root is the last of the game
        times += t->hashes[i] == t->hashes[t->ply] &&
                 game_same(g, t->states + state_size(t) * (size_t)i, here);
    return times;
}

bool tree_is_over(Tree *t, Value *value) {
    const Game *g = t->player->game;
    int result = runner_result(t->player->runner, tree_state(t));
    *value = 0;
    if (result < 0) {
        t->failed = true;
        return true;
    }
    if (result) {
        *value = value_of_result(g, result, t->me, t->ply);
        close_node(t, *value, TRACE_OVER, 0);
        return true;
    }
    if (g->ir->repeated > 0 && t->ply > 0 && tree_occurrences(t) >= g->ir->repeated) {
        t->repeats++;
        close_node(t, 0, TRACE_REPEATED, 0);
        return true;
    }
    return false;
}

Value tree_estimate(Tree *t) {
    Value value = evaluation_for(t->player->evaluation, t->player->runner, tree_state(t), t->me);
    t->horizon = true;
    close_node(t, value, TRACE_ESTIMATE, 0);
    return value;
}

// --- moves ---

MoveList tree_moves(Tree *t) {
    const Move *moves;
    int n = runner_moves(t->player->runner, tree_state(t), &moves);
    MoveList list = {t->move_count, 0};
    if (n < 0) {
        t->failed = true;
        return list;
    }
    if (t->move_count + (size_t)n > t->move_cap) {
        size_t cap = 2 * t->move_cap + (size_t)n;
        Move *grown = mem_resize(t->moves, sizeof *grown * cap);
        if (!grown) {
            t->failed = true;
            return list;
        }
        t->moves = grown;
        t->move_cap = cap;
    }
    memcpy(t->moves + t->move_count, moves, sizeof *moves * (size_t)n);
    t->move_count += (size_t)n;
    list.count = n;
    if (t->ply < TREE_LINE)
        t->lines[t->ply].length = 0;
    return list;
}

void tree_release(Tree *t, const MoveList *list) {
    t->move_count = list->begin;
}

void tree_play(Tree *t, Move move) {
    Player *p = t->player;
    const uint8_t *from = tree_state(t);
    t->nodes[t->ply + 1] = trace_add(t->task->trace, t->nodes[t->ply], move, t->ply + 1);
    if (t->ply == 0)
        t->root_mark = t->clock.nodes;
    t->path[++t->ply] = move;
    uint8_t *to = t->states + state_size(t) * (size_t)t->ply;
    if (!runner_apply(p->runner, from, move, to))
        t->failed = true;
    if (p->game->ir->repeated > 0 && !t->failed)
        t->hashes[t->ply] = game_hash(p->game, to);
    if (t->ply < TREE_LINE)
        t->lines[t->ply].length = 0;
    clock_over(&t->clock);
}

static void note_root_move(Tree *t, Value value) {
    SearchResult *result = t->result;
    bool behind = result->best_count > 0 && result->best[0].value >= value;
    result_note(result, (Scored){.move = t->path[1],
                                 .value = value,
                                 .visits = t->clock.nodes - t->root_mark,
                                 .at_most = t->windows && behind});
}

void tree_undo(Tree *t, Value value) {
    if (!tree_stopped(t)) {
        close_node(t, value, TRACE_INNER, 0);
        if (t->ply == 1)
            note_root_move(t, value);
    }
    t->ply--;
}

void tree_best(Tree *t, Move move) {
    if (t->ply >= TREE_LINE)
        return;
    TreeLine *line = &t->lines[t->ply];
    const TreeLine *rest = &t->lines[t->ply + 1];
    int n = rest->length < TREE_LINE ? rest->length : TREE_LINE - 1;
    line->move[0] = move;
    memcpy(line->move + 1, rest->move, sizeof *rest->move * (size_t)n);
    line->length = n + 1;
}

// --- trace ---

void tree_window(Tree *t, Value alpha, Value beta) {
    t->windows = true;
    trace_window(t->task->trace, t->nodes[t->ply], alpha, beta);
}

void tree_cut(Tree *t, TraceWhy why, int left_out) {
    close_node(t, 0, why, left_out);
}

// --- the search as a whole ---

static void take(Tree *t, SearchResult *result, Value value, int depth) {
    const TreeLine *line = &t->lines[0];
    result->found = line->length > 0;
    if (!result->found)
        return;
    result->move = line->move[0];
    result->value = value;
    memcpy(result->line, line->move, sizeof *line->move * (size_t)line->length);
    result->line_length = line->length;
    result->depth = depth;
    t->last_line = *line;
}

static void tell(Tree *t) {
    SearchResult *result = t->result;
    result->nodes = t->clock.nodes;
    result->seconds = clock_seconds(&t->clock);
    if (t->task->tell)
        t->task->tell(t->task->with, result);
}

// What an interrupted walk has found. Where everything looked at so far is lost, that is no reason
// to play it: the move that it was at is as good as not known, and the others too.
static void take_unfinished(Tree *t, int depth) {
    take(t, t->result, t->result->best[0].value, depth);
    if (t->result->value > -VALUE_SURE)
        return;
    t->result->move = t->result->line[0] = t->path[1];
    t->result->line_length = 1;
    t->result->value = 0;
}

// One walk to a depth. False if it was interrupted.
static bool search_depth(Tree *t, TreeWalk *walk, int depth, bool deepens) {
    SearchResult before = *t->result;
    t->result->best_count = 0;
    t->horizon = false;
    t->nodes[0] = trace_add(t->task->trace, TRACE_ROOT, (Move){{0, 0}}, depth);
    Value value = walk(t, depth);
    bool complete = !tree_stopped(t);
    if (complete) {
        trace_close(t->task->trace, t->nodes[0], value, TRACE_INNER, 0);
        take(t, t->result, value, depth);
        t->result->exact = !t->horizon || value_is_proven(value);
        tell(t);
    } else if ((deepens || !before.found) && t->result->best_count > 0 && !t->failed) {
        take_unfinished(t, before.depth);
    } else {
        before.nodes = t->clock.nodes;
        *t->result = before;
    }
    t->ply = 0;
    t->move_count = 0;
    return complete;
}

// Whether a deeper walk can find nothing better. A table may know of a win that lies deeper than
// this walk went, and there may be a nearer one.
static bool is_settled(const Tree *t, int depth) {
    const SearchResult *r = t->result;
    int moves = VALUE_WIN - (r->value < 0 ? -r->value : r->value);
    return r->exact && (!t->horizon || moves <= depth);
}

bool tree_search(Tree *t, TreeWalk *walk, bool deepens) {
    int wanted = player_depth(t->player, t->task);
    int most = wanted && wanted < TREE_MAX_PLY ? wanted : TREE_MAX_PLY;
    int depth = wanted && !deepens ? most : 1;
    while (search_depth(t, walk, depth, deepens) && depth < most && !is_settled(t, depth))
        depth++;
    t->result->nodes = t->clock.nodes;
    t->result->seconds = clock_seconds(&t->clock);
    return t->result->found;
}
