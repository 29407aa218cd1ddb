// runner: one thread's way to ask a game for its moves; see game.h for the contract.
//
// Each call takes the machine code if it is there and the interpreter otherwise. A fault in
// machine code is only a number: the interpreter then runs the same call for its message.

#include "game/runner.h"

#include <stdarg.h>
#include <string.h>

static const Native *native_of(const Runner *r) {
    return atomic_load_explicit(&r->game->native, memory_order_acquire);
}

static int turn_moves(Runner *r, const uint8_t *state) {
    const Native *n = native_of(r);
    int count = n ? n->moves(state, r->moves, r->cap) : -1;
    return count >= 0 ? count : vm_moves(r->vm, state, r->moves, r->cap);
}

static int turn_any(Runner *r, const uint8_t *state) {
    const Native *n = native_of(r);
    int any = n ? n->any(state) : -1;
    return any >= 0 ? any : vm_any(r->vm, state);
}

static int64_t turn_count(Runner *r, const uint8_t *state) {
    const Native *n = native_of(r);
    int64_t count = n ? n->count(state) : -1;
    return count >= 0 ? count : vm_count(r->vm, state);
}

static int turn_stuck(Runner *r, const uint8_t *state, bool all) {
    const Native *n = native_of(r);
    int result = n ? n->stuck(state, all) : -1;
    return result >= 0 ? result : vm_stuck(r->vm, state, all);
}

// --- making and failing ---

Runner *runner_new(const Game *g) {
    Runner *r = mem_alloc(sizeof *r);
    if (!r)
        return NULL;
    r->game = g;
    r->cap = 256;
    r->vm = vm_new(g->program);
    r->moves = mem_alloc(sizeof(Move) * (size_t)r->cap);
    r->other = mem_alloc((size_t)game_state_size(g));
    if (!r->vm || !r->moves || !r->other) {
        runner_free(r);
        return NULL;
    }
    if (g->steps)
        vm_limit(r->vm, g->steps, 0);
    return r;
}

void runner_free(Runner *r) {
    if (!r)
        return;
    if (r->vm)
        vm_free(r->vm);
    mem_free(r->moves);
    mem_free(r->other);
    mem_free(r->values);
    text_free(&r->error);
    mem_free(r);
}

void runner_limit(Runner *r, long steps, double seconds) {
    vm_limit(r->vm, steps, seconds);
}

const Game *runner_game(const Runner *r) {
    return r->game;
}

const char *runner_error(const Runner *r) {
    return r->error.n ? text_c(&r->error) : "out of memory";
}

const char *runner_reason(const Runner *r, Span *at) {
    *at = r->at;
    return runner_error(r) + (r->error.n ? r->place : 0);
}

bool runner_fail(Runner *r, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_clear(&r->error);
    text_vf(&r->error, format, args);
    va_end(args);
    r->at = (Span){0};
    r->place = 0;
    return false;
}

bool runner_fault(Runner *r) {
    VmFault fault = vm_fault(r->vm);
    const char *message = fault.message ? fault.message : "the move is not legal here";
    if (fault.span.line > 0)
        runner_fail(r, "%s:%d:%d: ", r->game->source.name, fault.span.line, fault.span.column);
    else
        runner_fail(r, "%s: ", r->game->source.name);
    r->at = fault.span;
    r->place = r->error.n;
    text_add(&r->error, message);
    return false;
}

int runner_fill(Runner *r, const uint8_t *state) {
    int n = turn_moves(r, state);
    if (n > r->cap) {
        Move *moves = mem_resize(r->moves, sizeof(Move) * (size_t)n);
        if (!moves) {
            runner_fail(r, "out of memory");
            return -1;
        }
        r->moves = moves;
        r->cap = n;
        n = turn_moves(r, state);
    }
    if (n < 0)
        runner_fault(r);
    return n;
}

// Whether a player other than the one on move has a move: 1, 0, or -1 on a fault.
static int others_can_move(Runner *r, const uint8_t *state) {
    const IrGame *ir = r->game->ir;
    int me = game_player(r->game, state);
    memcpy(r->other, state, (size_t)ir->layout.size);
    for (int p = 0; p < ir->players; p++) {
        if (p == me)
            continue;
        r->other[ir->layout.player] = (uint8_t)p;
        int any = turn_any(r, r->other);
        if (any)
            return any;
    }
    return 0;
}

// What happens to a player without a move: the result, 0 for a pass, or -1 on a fault.
static int stuck_result(Runner *r, const uint8_t *state) {
    int result = turn_stuck(r, state, false);
    if (result == VM_PASS) {
        int any = others_can_move(r, state);
        if (any == 0) {
            result = turn_stuck(r, state, true);
            if (result == VM_PASS)
                result = RESULT_OVER;
        } else {
            result = any < 0 ? -1 : 0;
        }
    }
    if (result < 0)
        runner_fault(r);
    return result;
}

static bool is_over(const Runner *r, const uint8_t *state) {
    return state[r->game->ir->layout.result] != 0;
}

// 1 if the player on move, who has no move, may pass; 0 if that ends the game; -1 on a fault.
static int may_pass(Runner *r, const uint8_t *state) {
    int result = stuck_result(r, state);
    return result < 0 ? -1 : result == 0;
}

int runner_moves(Runner *r, const uint8_t *state, const Move **moves) {
    *moves = r->moves;
    if (is_over(r, state))
        return 0;
    int n = runner_fill(r, state);
    if (n == 0) {
        n = may_pass(r, state);
        if (n == 1)
            r->moves[0] = MOVE_PASS;
    }
    *moves = r->moves;
    return n;
}

int runner_list(Runner *r, const uint8_t *state, Move *room, int cap) {
    const Native *native = native_of(r);
    int n = native && !is_over(r, state) ? native->moves(state, room, cap) : 0;
    if (n > 0)
        return n;
    const Move *moves;
    n = runner_moves(r, state, &moves); // there may be a pass, or a fault to tell about
    if (n > 0)
        memcpy(room, moves, sizeof *moves * (size_t)(n < cap ? n : cap));
    return n;
}

int64_t runner_count(Runner *r, const uint8_t *state) {
    if (is_over(r, state))
        return 0;
    int64_t n = turn_count(r, state);
    if (n < 0)
        runner_fault(r);
    return n == 0 ? may_pass(r, state) : n;
}

// What the turn alone does not tell: passes and faults.
static int32_t count_of(Runner *r, const uint8_t *state, int player) {
    uint64_t copy[IR_MAX_STATE / 8]; // aligned as states are
    uint8_t *other = (uint8_t *)copy;
    memcpy(other, state, (size_t)game_state_size(r->game));
    other[r->game->ir->layout.player] = (uint8_t)player;
    int64_t n = runner_count(r, other);
    return (int32_t)(n < 0 ? 0 : n);
}

void runner_counts(Runner *r, const uint8_t *states, int n, int32_t *counts) {
    int players = r->game->ir->players;
    const Native *native = native_of(r);
    if (native)
        native->counts(states, n, counts);
    for (int i = 0; i < n; i++, states += game_state_size(r->game))
        for (int p = 0; p < players; p++)
            if (!native || (counts[players * i + p] <= 0 && !is_over(r, states)))
                counts[players * i + p] = count_of(r, states, p);
}

int runner_random(Runner *r, const uint8_t *state, uint64_t random, Move *move) {
    const Native *native = native_of(r);
    if (native && !is_over(r, state) && native->random(state, random, move) == 1)
        return 1;
    const Move *moves;
    int n = runner_moves(r, state, &moves);
    if (n <= 0)
        return n;
    *move = moves[(random >> 32) * (uint64_t)n >> 32];
    return 1;
}

bool runner_apply(Runner *r, const uint8_t *from, Move move, uint8_t *to) {
    const Native *n = native_of(r);
    if (n && n->apply(from, &move, to) == 0)
        return true;
    return vm_apply(r->vm, from, move, to) || runner_fault(r);
}

bool runner_children(Runner *r, const uint8_t *from, const Move *moves, int n, uint8_t *to,
                     uint8_t *can_move) {
    const Native *native = native_of(r);
    if (native && native->children(from, moves, n, to, can_move) == 0)
        return true;
    for (int i = 0; i < n; i++, to += r->game->ir->layout.size) {
        if (!runner_apply(r, from, moves[i], to))
            return false;
        if (can_move)
            can_move[i] = is_over(r, to) || turn_any(r, to) > 0;
    }
    return true;
}

bool runner_is_legal(Runner *r, const uint8_t *state, Move move) {
    const Move *moves;
    int n = runner_moves(r, state, &moves);
    for (int i = 0; i < n; i++)
        if (move_equal(moves[i], move))
            return true;
    return false;
}

int runner_result(Runner *r, const uint8_t *state) {
    if (is_over(r, state))
        return state[r->game->ir->layout.result];
    int any = turn_any(r, state);
    if (any < 0)
        runner_fault(r);
    return any < 0 ? -1 : any ? 0 : stuck_result(r, state);
}

// --- whole trees and games ---

int64_t runner_native_perft(Runner *r, const uint8_t *state, int depth) {
    const Native *n = native_of(r);
    int64_t count = n ? n->perft(state, depth) : -1;
    return count < 0 ? -1 : count;
}

int runner_choices(Runner *r, const uint8_t *state, Move move, VmChoice *out, int cap) {
    if (move_is_pass(move))
        return 0;
    int n = vm_choices(r->vm, state, move, out, cap);
    if (n < 0)
        runner_fault(r);
    return n;
}

static int native_playout(Runner *r, const Native *n, uint8_t *state, Rng *rng, int max_plies) {
    int plies = n->playout(state, rng->s, max_plies);
    if (plies >= 0)
        return plies;
    runner_fail(r, "%s: the rules fail in a random game", r->game->source.name);
    return -1;
}

int runner_playout(Runner *r, uint8_t *state, Rng *rng, int max_plies) {
    const Native *n = native_of(r);
    if (n)
        return native_playout(r, n, state, rng, max_plies);
    for (int plies = 0;; plies++) {
        Move move;
        int found = plies < max_plies ? runner_random(r, state, rng_next(rng), &move) : 0;
        if (found == 0 && plies < max_plies) {
            int result = runner_result(r, state);
            if (result < 0)
                return -1;
            state[r->game->ir->layout.result] = (uint8_t)result;
        }
        if (found <= 0)
            return found < 0 ? -1 : plies;
        if (!runner_apply(r, state, move, state))
            return -1;
    }
}

// States are whole words.
static void copy_words(uint8_t *to, const uint8_t *from, size_t size) {
    for (size_t at = 0; at < size; at += 8)
        memcpy(to + at, from + at, 8);
}

int runner_playouts(Runner *r, const uint8_t *state, Rng *rng, int n, int max_plies, uint8_t *room,
                    uint8_t *results, int64_t *plies) {
    const uint8_t *end = room + r->game->ir->layout.result;
    size_t size = (size_t)game_state_size(r->game);
    const Native *native = native_of(r);
    for (int i = 0; i < n; i++) {
        copy_words(room, state, size); // a call of memcpy takes longer
        int played = native ? native_playout(r, native, room, rng, max_plies)
                            : runner_playout(r, room, rng, max_plies);
        if (played < 0)
            return -1;
        *plies += played;
        results[i] = *end;
        if (!*end)
            return i + 1;
    }
    return n;
}
