// reversi 8x8: one word a side, kept in all four lanes of a vector, one lane for each axis.
//
// Runs of the opponent's discs are filled from mine by parallel prefix, on all axes and both ways
// at once; a legal move is the empty cell at the end of a run. The same runs then tell what the
// move drawn turns over: what lies between it and the first cell that is in no run.
#include "baseline.h"

typedef uint64_t Set;
typedef Set Set4 __attribute__((vector_size(32)));
typedef int64_t Lanes __attribute__((vector_size(32)));

#define INNER 0x7E7E7E7E7E7E7E7Eu // runs do not go around the edge
#define BLACK_START ((Set)1 << 28 | (Set)1 << 35)
#define WHITE_START ((Set)1 << 27 | (Set)1 << 36)

static const Set4 axis = {1, 8, 7, 9}; // what a step adds
static Set4 above[64], below[64];      // the cells on each axis after and before a cell

__attribute__((constructor)) static void fill_rays(void) {
    static const int dx[4] = {1, 0, -1, 1}, dy[4] = {0, 1, 1, 1};
    for (int cell = 0; cell < 64; cell++)
        for (int a = 0; a < 4; a++)
            for (int i = -7; i <= 7; i++) {
                int x = cell % 8 + i * dx[a], y = cell / 8 + i * dy[a];
                if (i == 0 || x < 0 || x > 7 || y < 0 || y > 7)
                    continue;
                Set4 *ray = i > 0 ? &above[cell] : &below[cell];
                (*ray)[a] |= (Set)1 << (8 * y + x);
            }
}

static inline Set4 spread(Set set) {
    return (Set4){set, set, set, set};
}

// The union of the lanes, in every lane.
static inline Set4 unite(Set4 s) {
#ifdef __clang__
    s |= __builtin_shufflevector(s, s, 2, 3, 0, 1);
    return s | __builtin_shufflevector(s, s, 1, 0, 3, 2);
#else
    s |= __builtin_shuffle(s, (Lanes){2, 3, 0, 1});
    return s | __builtin_shuffle(s, (Lanes){1, 0, 3, 2});
#endif
}

// The opponent's discs that follow one of mine without a gap, upwards and downwards.
typedef struct Runs {
    Set4 up, down;
} Runs;

static inline Runs find_runs(Set4 mine, Set4 theirs) {
    Set4 inner = theirs & (Set4){INNER, ~(Set)0, INNER, INNER};
    Set4 up = inner & mine << axis, down = inner & mine >> axis;
    Set4 pairs_up = inner & inner << axis, pairs_down = pairs_up >> axis;
    up |= inner & up << axis; // now up to 2 discs long, then 4, then 6
    down |= inner & down >> axis;
    up |= pairs_up & up << 2 * axis;
    down |= pairs_down & down >> 2 * axis;
    up |= pairs_up & up << 2 * axis;
    down |= pairs_down & down >> 2 * axis;
    return (Runs){up, down};
}

static inline Set find_moves(Runs runs, Set4 mine, Set4 theirs) {
    return unite((runs.up << axis | runs.down >> axis) & ~(mine | theirs))[0];
}

// A run that ends at the cell begins next to a disc of mine: no need to look for that one.
static inline Set4 find_turned(Runs runs, unsigned cell) {
    Set4 rays = above[cell], gaps = rays & ~runs.down;
    Set4 turned = (gaps - 1) & ~gaps & rays; // below the lowest gap
    rays = below[cell];
    gaps = rays & ~runs.up;
#if defined(__AVX512CD__) && defined(__AVX512VL__)
    gaps = (Set4)_mm256_srlv_epi64(_mm256_set1_epi64x(-1), _mm256_lzcnt_epi64((__m256i)gaps));
#else
    gaps |= gaps >> axis;
    gaps |= gaps >> 2 * axis;
    gaps |= gaps >> 4 * axis;
#endif
    return unite(turned | (rays & ~gaps)); // above the highest gap
}

// The moves of a player; a forced pass is one, if the opponent can move.
static inline uint64_t count_moves(Set4 mine, Set4 theirs) {
    Set moves = find_moves(find_runs(mine, theirs), mine, theirs);
    if (__builtin_expect(!moves, 0))
        return find_moves(find_runs(theirs, mine), mine, theirs) != 0;
    return bit_count(moves);
}

static uint64_t count(Set4 mine, Set4 theirs, int depth, int passed) {
    Runs runs = find_runs(mine, theirs);
    Set moves = find_moves(runs, mine, theirs);
    if (!moves)
        return passed       ? 0
               : depth == 2 ? bit_count(find_moves(find_runs(theirs, mine), mine, theirs))
                            : count(theirs, mine, depth - 1, 1);
    uint64_t n = 0;
    for (; moves; moves &= moves - 1) {
        Set4 turned = find_turned(runs, bit_index(moves));
        Set4 discs = mine | turned | spread(bit_lowest(moves)), others = theirs & ~turned;
        n += depth == 2 ? count_moves(others, discs) : count(others, discs, depth - 1, 0);
    }
    return n;
}

static uint64_t perft(int depth) {
    return depth == 1 ? 4 : count(spread(BLACK_START), spread(WHITE_START), depth, 0);
}

static int playout(uint64_t *rng) {
    Set4 mine = spread(BLACK_START), theirs = spread(WHITE_START);
    uint64_t random = *rng;
    int plies = 0;
    for (;; plies++) {
        Runs runs = find_runs(mine, theirs);
        Set moves = find_moves(runs, mine, theirs);
        if (__builtin_expect(!moves, 0)) {
            runs = find_runs(theirs, mine);
            moves = find_moves(runs, mine, theirs);
            if (!moves)
                break;
            plies++;
            Set4 passing = mine;
            mine = theirs;
            theirs = passing;
        }
        Set at = bit_draw(moves, &random);
        Set4 turned = find_turned(runs, bit_index(at)), discs = mine | turned | spread(at);
        mine = theirs & ~turned;
        theirs = discs;
    }
    *rng = random;
    return plies;
}

const Baseline baseline_reversi = {"reversi", perft, NULL, playout, NULL};
