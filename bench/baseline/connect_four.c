// connect-four 7x6: seven bits a column, the seventh always empty (the usual layout).
//
//      5 12 19 26 33 40 47      bit of a cell; up is +1, right +7, the diagonals +6 and +8;
//      4 11 18 25 32 39 46      adding the bottom row to the full cells gives the lowest
//      .. .. .. .. .. .. ..     free cell of every column at once
//      0  7 14 21 28 35 42
#include "baseline.h"

typedef uint64_t Set;
typedef Set Set4 __attribute__((vector_size(32))); // one lane a direction

#define COLUMN 63u
#define BOTTOM 0x40810204081u
#define BOARD (BOTTOM * COLUMN)

static const Set column[8] = {
    (Set)COLUMN,       (Set)COLUMN << 7,  (Set)COLUMN << 14, (Set)COLUMN << 21,
    (Set)COLUMN << 28, (Set)COLUMN << 35, (Set)COLUMN << 42, 0,
};
static const Set4 step = {1, 6, 7, 8};

static inline Set open_cells(Set full) {
    return (full + BOTTOM) & BOARD;
}

static inline int has_four(Set men) {
    Set4 all = {men, men, men, men};
    Set4 pairs = all & all >> step;
    Set4 fours = pairs >> 2 * step;
#ifdef __AVX__
    return !_mm256_testz_si256((__m256i)pairs, (__m256i)fours);
#else
    fours &= pairs;
    return (fours[0] | fours[1] | fours[2] | fours[3]) != 0;
#endif
}

// The cells that would make four: _111, 1_11, 11_1 and 111_ in the four directions at once.
static inline Set fourth_cells(Set men) {
    Set4 all = {men, men, men, men};
    Set4 up = all << step, down = all >> step;
    Set4 found = (up & all << 2 * step & (all << 3 * step | down)) |
                 (down & all >> 2 * step & (all >> 3 * step | up));
    return found[0] | found[1] | found[2] | found[3];
}

// Winning moves end the game: they have no successors, and need not be made.
static uint64_t count(Set men, Set full, int depth) {
    Set going_on = open_cells(full) & ~fourth_cells(men);
    uint64_t n = 0;
    if (depth == 2) {
        for (; going_on; going_on &= going_on - 1)
            n += bit_count(open_cells(full | bit_lowest(going_on)));
        return n;
    }
    for (; going_on; going_on &= going_on - 1)
        n += count(full ^ men, full | bit_lowest(going_on), depth - 1);
    return n;
}

static uint64_t perft(int depth) {
    return depth == 1 ? 7 : count(0, 0, depth);
}

static uint64_t count_twos(Set men, Set full, int depth) {
    Set going_on = open_cells(full) & ~fourth_cells(men);
    uint64_t n = 0;
    if (depth == 2) { // eight columns without a branch, the last one empty: vectors
        for (int i = 0; i < 8; i++) {
            Set at = going_on & column[i];
            uint64_t replies = bit_count(open_cells(full | at));
            n += at ? replies : 0;
        }
        return n;
    }
    for (; going_on; going_on &= going_on - 1)
        n += count_twos(full ^ men, full | bit_lowest(going_on), depth - 1);
    return n;
}

static uint64_t perft_two(int depth) {
    return depth == 1 ? 7 : count_twos(0, 0, depth);
}

// Any of seven columns, again if it is full: rarely so, and unlike a choice among the open ones it
// does not wait for the position. One random number serves several columns. 0 on a full board.
static inline Set drop(Set full, uint64_t *random, uint64_t *rng) {
    Set at;
    while (!(at = (full + BOTTOM) & column[random_share(random, 7)])) {
        if (full == BOARD)
            return 0;
        *random = random_next(rng);
    }
    return at;
}

static int playout(uint64_t *rng) {
    Set first = 0, second = 0, full = 0, at;
    uint64_t random = random_next(rng);
    for (int i = 0; i < 3; i++) { // too early for a full column or four in a line
        first |= at = (full + BOTTOM) & column[random_share(&random, 7)];
        full |= at;
        second |= at = (full + BOTTOM) & column[random_share(&random, 7)];
        full |= at;
    }
    for (;;) {
        random = random_next(rng);
        first |= at = drop(full, &random, rng);
        full |= at;
        if (!at || has_four(first))
            break;
        second |= at = drop(full, &random, rng);
        full |= at;
        if (has_four(second))
            break;
    }
    return (int)bit_count(full);
}

const Baseline baseline_connect_four = {"connect-four", perft, perft_two, playout, NULL};
