// abi: what a compiled game exports. The C file that emit.h prints repeats these types, so that it
// needs no header; a loader looks the functions up by name and checks ludens_info first.
//
// States are blocks of `state_size` bytes, 8-byte aligned, as IrLayout says; moves are packed as
// in ir/move.h. All functions are pure: no memory but their arguments and the stack. A negative
// result is a fault of the rules (NATIVE_FAULT_...): run the interpreter on the same state for
// its message and place. Moves given to ludens_apply are trusted to be legal.
#ifndef LUDENS_NATIVE_ABI_H
#define LUDENS_NATIVE_ABI_H

#include "ir/move.h"

#define NATIVE_ABI 2

// Negative results; the same numbers stand in the generated file.
enum {
    NATIVE_FAULT_RANGE = -2,   // a variable or attribute would leave its range
    NATIVE_FAULT_INDEX = -3,   // a variable has no such entry
    NATIVE_FAULT_STACK = -4,   // a stack would become too high
    NATIVE_FAULT_PIECE = -5,   // there is no such piece of that owner
    NATIVE_FAULT_CHOICES = -6, // a move has too many choices
    NATIVE_FAULT_MOVES = -7,   // more than a million moves
    NATIVE_FAULT_RULES = -8,   // the rules say so, or call themselves too often
};

typedef struct LudensNativeInfo {
    uint32_t abi; // NATIVE_ABI
    uint32_t state_size;
    uint32_t identity; // leading bytes that tell positions apart
    uint32_t players;
    char content[17]; // hash of the text below the header, in hexadecimal
} LudensNativeInfo;

// The moves of the turn program alone, in the order of the interpreter; the count may exceed cap.
typedef int NativeMoves(const void *state, Move *out, int cap);
typedef int64_t NativeCount(const void *state);
typedef int NativeAny(const void *state);
// Turn, end rules, next player. MOVE_PASS hands the turn on. `to` may be `from`. 0 or a fault.
typedef int NativeApply(const void *from, const Move *move, void *to);
// A result byte, 0 for a pass, or a fault: what `when stuck` (all: `when all stuck`) says.
typedef int NativeStuck(const void *state, int all);
typedef uint64_t NativeHash(const void *state); // the value of game_hash
// The move with number (random >> 32) * count >> 32 of those of ludens_moves; 1, 0 if there is
// none, or a fault.
typedef int NativeRandom(const void *state, uint64_t random, Move *out);
// Sequences of moves from here, passes included, as `ludens perft` counts them.
typedef int64_t NativePerft(const void *state, int depth);
// Plays random moves in place until the game is over or max_plies are played; passes count. The
// result byte is set also when a stuck player ends the game. Repetition is not seen.
// `rng[0]` is the state of a generator of its own (wyrand), so the games differ from the
// interpreter's for the same seed. Returns the plies played, or a fault.
typedef int NativePlayout(void *state, uint64_t rng[4], int max_plies);
// Plays n moves of ludens_moves, each from the same state: to[i] is the state behind moves[i], and
// any[i] is not 0 if the game is over there or the player on move has a move; `any` may be NULL. 0
// or a fault.
typedef int NativeChildren(const void *state, const Move *moves, int n, void *to, uint8_t *any);
// The moves that each player would have on move in n states, one after the other: counts[players *
// i
// + p], 0 where the game is over. A fault is negative.
typedef void NativeCounts(const void *states, int n, int32_t *counts);

// A module of knowledge exports these, and ludens_knowledge_info like ludens_info. `choice[i]` is
// the value of IrKnowledge.choice[i], INT32_MIN where the move did not make it.
typedef int64_t NativeWorth(const void *state, int me);
typedef int64_t NativePriority(const void *before, const void *after, int me,
                               const int32_t *choice);
// All relations as bits, one after the other in the order of IrKnowledge, each beginning with a
// word of its own. For tests.
typedef void NativeRelations(const void *state, int me, uint64_t *out);
#define NATIVE_PRIORITY_ONE 1000000
#define NATIVE_PRIORITY_MOST ((int64_t)1 << 52)
#define NATIVE_KNOWLEDGE_SYMBOLS(X)                                                                \
    X(NativeWorth, worth)                                                                          \
    X(NativePriority, priority)                                                                    \
    X(NativeRelations, relations)

// Names of the exported symbols.
#define NATIVE_SYMBOLS(X)                                                                          \
    X(NativeMoves, moves)                                                                          \
    X(NativeCount, count)                                                                          \
    X(NativeAny, any)                                                                              \
    X(NativeApply, apply)                                                                          \
    X(NativeStuck, stuck)                                                                          \
    X(NativeHash, hash)                                                                            \
    X(NativeRandom, random)                                                                        \
    X(NativePerft, perft)                                                                          \
    X(NativePlayout, playout)                                                                      \
    X(NativeChildren, children)                                                                    \
    X(NativeCounts, counts)

#endif
