// game: the centre. Everything that plays, shows or studies games uses this and nothing to the
// left of it.
//
// A Game is immutable after game_load and may be shared between threads; game_free releases it.
// A Runner is one thread's working memory for one Game: make one per thread, free it before the
// Game. States are plain memory of game_state_size(g) bytes, 8-byte aligned, copied freely.
#ifndef LUDENS_GAME_H
#define LUDENS_GAME_H

#include "base/rng.h"
#include "ir/ir.h"
#include "ir/move.h"
#include "native/load.h"
#include "vm/vm.h"

#include <string.h>

typedef struct Game {
    const IrGame *ir;
    const VmProgram *program;
    const char *name;    // library name, or the file's name without folder and ending
    uint8_t *start;      // the initial state
    const char **params; // texts such as "rows=6", as they were given
    int param_count;
    Source source; // owns its text
    Arena arena;
    NativeJob *job;                 // compiles the rules to machine code; NULL: not asked for
    _Atomic(const Native *) native; // what it has made, as soon as it is there
    long steps; // of rules that are not trusted: see runner_limit; 0: as many as may be
} Game;

typedef struct Runner Runner;

// `name` is a library name or a path, of a `.game` file or of an S3 file; `params` are texts such
// as "rows=6". Everything wrong is reported in `diags` (whose source is then the Game's or, on
// failure, kept by the Diags' copied lines). NULL on failure.
Game *game_load(const char *name, const char *const *params, int count, Diags *diags);
// The same from text, for editors and tests. `title` is shown in messages.
Game *game_compile(const char *title, const char *text, size_t size, const char *const *params,
                   int count, Diags *diags);
// The same for rules that are not trusted: their setup takes at most about `seconds`, and each call
// of any Runner at most GAME_STRANGE_STEPS instructions of the interpreter, about 10 ms.
#define GAME_STRANGE_STEPS 1000000L
Game *game_compile_within(double seconds, const char *title, const char *text, size_t size,
                          const char *const *params, int count, Diags *diags);
void game_free(Game *g);

// How the rules run: interpreted, as machine code, or interpreted until the machine code is
// there. Runners change over between two calls; both ways have the same moves in the same order,
// the same states and the same results. Call before the Game is shared between threads.
typedef enum Backend { BACKEND_INTERP, BACKEND_NATIVE, BACKEND_AUTO } Backend;
// BACKEND_NATIVE waits for the compiler; false with the reason if there is no machine code.
bool game_use(Game *g, Backend backend, Text *why);
// Waits for a compilation that BACKEND_AUTO began; false with the reason if it failed.
bool game_wait(Game *g, Text *why);

static inline int game_state_size(const Game *g) {
    return g->ir->layout.size;
}
static inline int game_player(const Game *g, const uint8_t *state) {
    return state[g->ir->layout.player];
}
// Whether two states are the same position: neither clocks nor hidden cells count.
bool game_same(const Game *g, const uint8_t *a, const uint8_t *b);
// Equal positions have equal keys. In line: a search asks for one for each position.
static inline uint64_t game_hash(const Game *g, const uint8_t *state) {
    const uint64_t *mask = g->ir->layout.mask;
    uint64_t h = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < g->ir->layout.identity; i += 8) {
        uint64_t word;
        memcpy(&word, state + i, sizeof word);
        if (mask)
            word &= mask[i / 8];
        h = (h ^ word) * 0xD6E8FEB86659FD93u;
        h ^= h >> 32;
    }
    h *= 0xD6E8FEB86659FD93u;
    return h ^ (h >> 29);
}

Runner *runner_new(const Game *g); // NULL when out of memory
void runner_free(Runner *r);
const Game *runner_game(const Runner *r);
// For rules that are not trusted: each call takes at most `steps` instructions of the interpreter
// (0: VM_STEPS), and all calls from now on together about `seconds` (0: without limit). Beyond,
// they fail like faulty rules. Machine code knows no such limits.
void runner_limit(Runner *r, long steps, double seconds);
// What went wrong in the call that failed last, as one line with its place in the rules.
const char *runner_error(const Runner *r);
// The same without its place, which is `*at`; its line is 0 if there is none.
const char *runner_reason(const Runner *r, Span *at);

// Legal moves, a pass included; none when the game is over. `*moves` points into the Runner and
// holds until its next call. -1 on a fault of the rules.
int runner_moves(Runner *r, const uint8_t *state, const Move **moves);
// The same into room for `cap` moves, without a detour. There may be more: then the first are
// there.
int runner_list(Runner *r, const uint8_t *state, Move *room, int cap);
int64_t runner_count(Runner *r, const uint8_t *state);
// runner_count of n states that come one after the other, for each player as if on move:
// counts[players * i + p]; 0 on a fault of the rules.
void runner_counts(Runner *r, const uint8_t *states, int n, int32_t *counts);
// One move uniformly at random; 1, or 0 if there is none, or -1.
int runner_random(Runner *r, const uint8_t *state, uint64_t random, Move *move);
// Plays a move that runner_moves gave for this state; `to` may be `from`. Moves from elsewhere
// go through runner_is_legal first: machine code trusts them.
bool runner_apply(Runner *r, const uint8_t *from, Move move, uint8_t *to);
// Plays moves of runner_moves, no pass among them, each from the same state: the states behind them
// come one after the other into `to`. can_move[i] is false where the player on move behind move i
// is stuck: there runner_result has to be asked; NULL if nobody wants to know. `moves` may be the
// Runner's own.
bool runner_children(Runner *r, const uint8_t *from, const Move *moves, int n, uint8_t *to,
                     uint8_t *can_move);
bool runner_is_legal(Runner *r, const uint8_t *state, Move move);
// The choices that a move of this state is made of, in order; how many, or -1 on a fault. A pass
// has none.
int runner_choices(Runner *r, const uint8_t *state, Move move, VmChoice *out, int cap);
// Move sequences of that length by machine code, as `ludens perft` counts them; -1 if there is no
// machine code yet or the rules fail.
int64_t runner_native_perft(Runner *r, const uint8_t *state, int depth);
// Plays random moves in place until the end or max_plies; returns the plies played or -1.
// Repetition is not seen.
int runner_playout(Runner *r, uint8_t *state, Rng *rng, int max_plies);
// Up to n such games from the same state, each played in `room`: results[i] is the result byte at
// the end of game i. A game that is not over after max_plies is the last: its result is 0, and it
// can go on from `room`. Adds the plies to *plies; returns the games, or -1 on a fault.
int runner_playouts(Runner *r, const uint8_t *state, Rng *rng, int n, int max_plies, uint8_t *room,
                    uint8_t *results, int64_t *plies);
// 0 while the game goes on, else RESULT_OVER | winners; -1 on a fault. Knows stuck players, not
// repetition: that needs a Record (record.h).
int runner_result(Runner *r, const uint8_t *state);
const char *game_result_text(const Game *g, int result, Text *out); // "White wins", "a draw", …

#endif
