// learned_fast: the inside of the evaluation by tables, for learned_fast*.c.
//
// A kind of piece: for every eight cells the sums of the weights of all 256 ways to stand there; on
// larger boards with many kinds, where such tables would fill the cache, piece by piece. Lines: a
// byte for each that counts the pieces on it; the lines of four cells at a time are added by a
// table of their 16 ways, many lines in one step. What weighs nothing is left out.
//
// With two players only the difference is wanted: the weights of the second are taken negative.
#ifndef LUDENS_LEARNED_FAST_H
#define LUDENS_LEARNED_FAST_H

#include "search/learned.h"

#define LANES 32 // lines in a step
#define VECTORS_MOST 64

typedef uint8_t Lanes __attribute__((vector_size(LANES)));

typedef struct FastPlane {
    int offset, to;        // of its set; the sum that it adds to
    const int32_t *table;  // [byte of the set][256], or NULL
    const int32_t *cell;   // [cell], where there is no table
    const int32_t *height; // [bits of the stack], NULL: stacks weigh nothing
} FastPlane;
typedef struct FastNumber { // an attribute of a plane's pieces, or a variable
    int offset, width, to;  // width 0: a set
    bool sign;
    int plane; // of an attribute: where its set is
    int32_t weight;
} FastNumber;
typedef struct FastLines { // lines of one length on which a player has so many pieces, alone
    int player, to;
    int begin, end; // vectors
    uint8_t own;
    bool last; // with this `to`
    int32_t weight;
} FastLines;

// What the lines of a vector weigh, for one player: by the number of own pieces on a line, a byte
// of a number of 16 bits, FAST_ZERO added; FAST_SHUT stands for lines where others are, too.
#define FAST_ZERO 32768
#define FAST_SHUT 15
typedef struct FastLook {
    Lanes low, high; // 16 entries, twice
} FastLook;

typedef void FastSum(const LearnedFast *f, Runner *r, const uint8_t *states, int n, int64_t *sums);
struct LearnedFast {
    FastSum *sum;
    int words, bytes, cells, players, player_at, state_size;
    int sums;          // 1: only the difference of two players
    int64_t *constant; // [player on move][sum]
    FastPlane *plane;
    int planes;
    FastNumber *attribute, *variable;
    int attributes, variables;
    int stack_at, stack_width;
    int32_t *height; // [player][64]
    int32_t mobility[IR_MAX_PLAYERS];
    bool moves; // mobility weighs something
    // lines
    int vectors, owners;
    FastLines *weigh;
    int weighs;
    FastLook *look;   // [vector][player], where two players' lines can be looked up; or NULL
    Lanes *lines;     // [four cells][16][vector]; NULL: too many
    int *first;       // [cell], and the end: where the lines of a cell begin
    int16_t *through; // lines, as lanes
    int *owner_plane; // offsets of the planes, by owner
    int *owner_begin; // [owner], and the end
    void *parts[16];  // what there is to free
    int part_count;
};

FastSum *learned_fast_sum(void); // the best for this processor: of n states, one after the other
// --- learned_fast_lines.c: only where FastLook is; adds to the sums of n states ---
bool learned_fast_can_look(void); // whether the processor can
void learned_fast_look(const LearnedFast *f, const uint8_t *states, int n, int64_t *sums);

#endif
