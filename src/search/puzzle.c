// puzzle: see puzzle.h.
#include "search/puzzle.h"

#include <limits.h>
#include <string.h>

static size_t state_size(const Puzzle *z) {
    return (size_t)game_state_size(z->player->game);
}

// --- the graph ---

// As many nodes as the memory holds, with a table that stays half empty. Nothing is touched, and
// so taken from the system, before it is needed.
static int nodes_in(size_t memory, size_t size) {
    size_t n = memory / (size + sizeof(PuzzleNode) + 4 * sizeof(int));
    return n > INT_MAX / 4 ? INT_MAX / 4 : n < 2 ? 2 : (int)n;
}

static int add_node(Puzzle *z, const uint8_t *state, PuzzleNode node) {
    if (z->count == z->cap) {
        z->full = true;
        return -1;
    }
    memcpy(z->states + (size_t)z->count * state_size(z), state, state_size(z));
    node.to_go = evaluation_distance(z->player->evaluation, z->player->runner, state);
    node.trace =
        trace_add(z->task->trace, node.parent < 0 ? TRACE_ROOT : z->nodes[node.parent].trace,
                  node.move, node.depth);
    if (z->player->evaluation)
        trace_to_go(z->task->trace, node.trace, node.to_go);
    z->nodes[z->count] = node;
    if (node.to_go < z->nodes[z->best].to_go)
        z->best = z->count;
    return z->count++;
}

// Where a position is in the table, or the free place where it would be.
static uint32_t find_slot(const Puzzle *z, const uint8_t *state) {
    const Game *g = z->player->game;
    size_t telling = clocks_bytes(g, z->clocks);
    uint32_t at = (uint32_t)clocks_hash(g, z->clocks, state) & z->mask;
    while (z->slots[at] && memcmp(puzzle_state(z, z->slots[at] - 1), state, telling) != 0)
        at = (at + 1) & z->mask;
    return at;
}

bool puzzle_begin(Puzzle *z, Player *p, const SearchTask *task) {
    *z = (Puzzle){.player = p, .task = task, .clocks = clocks_of(p->game), .move_cap = 64};
    clock_start(&z->clock, p, task);
    const uint8_t *now = record_now(task->record);
    z->me = game_player(p->game, now);
    z->deepest = player_depth(p, task);
    z->cap = nodes_in(player_memory(p, task), state_size(z));
    uint32_t slots = 4;
    while (slots < 2 * (uint32_t)z->cap)
        slots *= 2;
    z->mask = slots - 1;
    z->nodes = mem_alloc(sizeof *z->nodes * (size_t)z->cap);
    z->states = mem_alloc(state_size(z) * (size_t)z->cap);
    z->slots = mem_alloc(sizeof *z->slots * slots);
    z->moves = mem_alloc(sizeof *z->moves * (size_t)z->move_cap);
    z->next = mem_alloc(state_size(z));
    if (!z->nodes || !z->states || !z->slots || !z->moves || !z->next)
        return false;
    trace_ways(task->trace);
    z->nodes[0].to_go = INT_MAX;
    add_node(z, now, (PuzzleNode){.parent = -1});
    z->slots[find_slot(z, now)] = 1;
    return true;
}

void puzzle_end(Puzzle *z) {
    mem_free(z->nodes);
    mem_free(z->states);
    mem_free(z->slots);
    mem_free(z->moves);
    mem_free(z->next);
}

int puzzle_moves(Puzzle *z, int node) {
    const Move *moves;
    trace_close(z->task->trace, z->nodes[node].trace, 0, TRACE_INNER, 0);
    if (z->deepest && z->nodes[node].depth >= z->deepest) {
        z->cut_short = true;
        return 0;
    }
    int n = runner_moves(z->player->runner, puzzle_state(z, node), &moves);
    if (n > z->move_cap) {
        Move *grown = mem_resize(z->moves, sizeof *grown * (size_t)n);
        if (grown) {
            z->moves = grown;
            z->move_cap = n;
        }
    }
    if (n < 0 || n > z->move_cap) {
        z->failed = true;
        return 0;
    }
    memcpy(z->moves, moves, sizeof *moves * (size_t)n);
    return n;
}

// Whether a game of so many players can be won by these rules for who is stuck.
static bool can_be_won(const IrRules *rules, int players) {
    for (int i = 0; i < rules->count; i++) {
        IrOutcome outcome = rules->rule[i].outcome;
        if (outcome != OUT_DRAW && outcome != OUT_PASS && (outcome != OUT_LOSES || players > 1))
            return true;
    }
    return false;
}

int puzzle_result(const Player *p, const uint8_t *state) {
    const IrGame *ir = p->game->ir;
    int result = state[ir->layout.result];
    if (!result && (can_be_won(&ir->stuck, ir->players) || can_be_won(&ir->all_stuck, ir->players)))
        result = runner_result(p->runner, state);
    return result > 0 ? result : 0; // what failed will fail again when its moves are asked for
}

bool puzzle_is_goal(const Puzzle *z, const uint8_t *state) {
    return puzzle_won(puzzle_result(z->player, state), z->me);
}

// Whether z->next, reached from a node, has occurred too often. No way comes to a node twice; to
// the same position with other clocks it may.
static bool is_repeated(Puzzle *z, int node) {
    const Game *g = z->player->game;
    int limit = g->ir->repeated;
    if (limit == 0)
        return false;
    int times = 1 + record_times(z->task->record, z->next);
    if (times >= limit)
        return true;
    if (clocks_whole_way(g, z->clocks))
        for (; node > 0; node = z->nodes[node].parent)
            times += game_same(g, puzzle_state(z, node), z->next);
    z->repeats = z->repeats || times >= limit;
    return times >= limit;
}

PuzzleStep puzzle_step(Puzzle *z, int node, Move move, int *to) {
    Player *p = z->player;
    if (!runner_apply(p->runner, puzzle_state(z, node), move, z->next))
        z->failed = true;
    if (clock_over(&z->clock) || z->failed)
        return PUZZLE_OLD;
    PuzzleNode made = {.parent = node, .depth = z->nodes[node].depth + 1, .move = move};
    int result = puzzle_result(p, z->next);
    if (puzzle_won(result, z->me)) {
        *to = add_node(z, z->next, made);
        if (*to >= 0)
            trace_close(z->task->trace, z->nodes[*to].trace, 0, TRACE_GOAL, 0);
        return *to < 0 ? PUZZLE_OLD : PUZZLE_GOAL;
    }
    if (result || is_repeated(z, node))
        return PUZZLE_OLD;
    uint32_t slot = find_slot(z, z->next);
    if (!z->slots[slot]) {
        *to = add_node(z, z->next, made);
        if (*to < 0)
            return PUZZLE_OLD;
        z->slots[slot] = *to + 1;
        return PUZZLE_NEW;
    }
    *to = z->slots[slot] - 1;
    PuzzleNode *old = &z->nodes[*to];
    if (made.depth < old->depth) {
        old->parent = node;
        old->depth = made.depth;
        old->move = move;
        return PUZZLE_SHORTER;
    }
    int seen = trace_add(z->task->trace, z->nodes[node].trace, move, made.depth);
    trace_close(z->task->trace, seen, 0, TRACE_SEEN, 0);
    return PUZZLE_OLD;
}

// --- what was found ---

// By walking back: a node whose way became shorter does not tell those behind it.
static int way_length(const Puzzle *z, int node) {
    int length = 0;
    for (; z->nodes[node].parent >= 0; node = z->nodes[node].parent)
        length++;
    return length;
}

void puzzle_report(Puzzle *z, int goal, SearchResult *result) {
    int node = goal >= 0 ? goal : z->best;
    int length = way_length(z, node);
    Move *way = mem_alloc(sizeof *way * (size_t)(length + 1));
    for (int i = length, n = node; way && i > 0; n = z->nodes[n].parent)
        way[--i] = z->nodes[n].move;
    if (way && goal >= 0) {
        plan_result(z->player, way, length, result);
        plan_keep(z->player, z->task, way, length);
    } else if (way && length > 0) {
        result->found = true;
        result->move = way[0];
        result->value = -10 * z->nodes[node].to_go;
    }
    bool everything = goal < 0 && !puzzle_stopped(z) && !z->cut_short && !z->repeats;
    if (everything && z->player->game->ir->players == 1) {
        result->value = -VALUE_WIN;
        result->exact = true;
    }
    if (goal < 0)
        plan_missed(z->player, &z->clock, z->full, z->cut_short);
    result->nodes = z->clock.nodes;
    result->depth = length;
    result->seconds = clock_seconds(&z->clock);
    mem_free(way);
}
