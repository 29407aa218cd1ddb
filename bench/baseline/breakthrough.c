// breakthrough 8x8: one word a side, moves as three sets of target cells.
//
// A move is drawn from the three sets without a branch: rank r of all moves becomes the bit 1 << r;
// what is left of it after the moves of one set were shifted out is the rank in the next.
#include "baseline.h"

typedef uint64_t Set;

#define NOT_A 0xFEFEFEFEFEFEFEFEu
#define NOT_H 0x7F7F7F7F7F7F7F7Fu
#define WHITE_START 0x000000000000FFFFu
#define BLACK_START 0xFFFF000000000000u

// `up` is a constant wherever these are used: White goes up.
static inline Set forward(Set men, int by, int up) {
    return up ? men << by : men >> by;
}

static inline Set back(Set men, int by, int up) {
    return up ? men >> by : men << by;
}

static inline Set straight_targets(Set mine, Set theirs, int up) {
    return forward(mine, 8, up) & ~(mine | theirs);
}

static inline Set left_targets(Set mine, int up) {
    return forward(mine, 7, up) & ~mine & (up ? NOT_H : NOT_A);
}

static inline Set right_targets(Set mine, int up) {
    return forward(mine, 9, up) & ~mine & (up ? NOT_A : NOT_H);
}

static inline Set goal(int up) {
    return up ? 0xFF00000000000000u : 0x00000000000000FFu;
}

static inline uint64_t count_slanted(Set mine, int up) {
    return bit_count(left_targets(mine, up)) + bit_count(right_targets(mine, up));
}

// Each move of `targets` by `by` that does not take: only the straight moves of the opponent
// change, by the cell that becomes free and the one that becomes full.
static inline uint64_t count_after_quiet(Set targets, int by, Set ahead, Set mine, int up) {
    uint64_t n = 0;
    for (; targets; targets &= targets - 1) {
        Set to = bit_lowest(targets);
        n += bit_count((ahead & ~mine) ^ (ahead & (to | back(to, by, up))));
    }
    return n;
}

static inline uint64_t count_after_taking(Set targets, int by, Set mine, Set theirs, int up) {
    uint64_t n = 0;
    for (; targets; targets &= targets - 1) {
        Set to = bit_lowest(targets), left = theirs ^ to;
        Set moved = mine ^ to ^ back(to, by, up);
        n += bit_count(straight_targets(left, moved, !up)) + count_slanted(left, !up);
    }
    return n;
}

// One ply before the last. A move to the goal ends the game and has no successors; neither has
// the one that takes the last man, and without men there is nothing to count.
static inline uint64_t count_two(Set mine, Set theirs, int up) {
    Set straight = straight_targets(mine, theirs, up) & ~goal(up);
    Set left = left_targets(mine, up) & ~goal(up), right = right_targets(mine, up) & ~goal(up);
    Set quiet_left = left & ~theirs, quiet_right = right & ~theirs;
    Set ahead = forward(theirs, 8, !up) & ~theirs;
    uint64_t quiet = bit_count(straight) + bit_count(quiet_left) + bit_count(quiet_right);
    return quiet * count_slanted(theirs, !up) + count_after_quiet(straight, 8, ahead, mine, up) +
           count_after_quiet(quiet_left, 7, ahead, mine, up) +
           count_after_quiet(quiet_right, 9, ahead, mine, up) +
           count_after_taking(left & theirs, 7, mine, theirs, up) +
           count_after_taking(right & theirs, 9, mine, theirs, up);
}

typedef enum Way { PLAIN, TWOS } Way; // of counting: every move is made, or not the last two

static uint64_t count_white(Set white, Set black, int depth, Way way);
static uint64_t count_black(Set white, Set black, int depth, Way way);

static inline uint64_t count_moves(Set mine, Set theirs, int up) {
    return bit_count(straight_targets(mine, theirs, up)) + count_slanted(mine, up);
}

// A move to the goal ends the game and has no successors. Straight moves do not take.
static inline uint64_t count_below(Set targets, int by, Set mine, Set theirs, int depth, int up,
                                   Way way) {
    uint64_t n = 0;
    for (targets &= ~goal(up); targets; targets &= targets - 1) {
        Set to = bit_lowest(targets), moved = mine ^ to ^ back(to, by, up);
        Set left = by == 8 ? theirs : theirs & ~to;
        n += depth == 2 ? count_moves(left, moved, !up)
             : up       ? count_black(moved, left, depth - 1, way)
                        : count_white(left, moved, depth - 1, way);
    }
    return n;
}

static inline uint64_t count_all(Set mine, Set theirs, int depth, int up, Way way) {
    return count_below(straight_targets(mine, theirs, up), 8, mine, theirs, depth, up, way) +
           count_below(left_targets(mine, up), 7, mine, theirs, depth, up, way) +
           count_below(right_targets(mine, up), 9, mine, theirs, depth, up, way);
}

static inline uint64_t count(Set mine, Set theirs, int depth, int up, Way way) {
    if (depth == 2)
        return way == TWOS ? count_two(mine, theirs, up) : count_all(mine, theirs, 2, up, way);
    return count_all(mine, theirs, depth, up, way);
}

static uint64_t count_white(Set white, Set black, int depth, Way way) {
    return count(white, black, depth, 1, way);
}

static uint64_t count_black(Set white, Set black, int depth, Way way) {
    return count(black, white, depth, 0, way);
}

static uint64_t perft(int depth) {
    return depth == 1 ? 22 : count_white(WHITE_START, BLACK_START, depth, PLAIN);
}

static uint64_t perft_two(int depth) {
    return depth == 1 ? 22 : count_white(WHITE_START, BLACK_START, depth, TWOS);
}

// Plays a random move; whether it ends the game. A player is never stuck: the foremost man can
// always move slantwise.
static inline int play(Set *mine, Set *theirs, uint64_t *rng, int up) {
    Set straights = straight_targets(*mine, *theirs, up);
    Set lefts = left_targets(*mine, up), rights = right_targets(*mine, up);
    uint64_t n_left = bit_count(lefts), n_slanted = n_left + bit_count(rights);
    Set rank = (Set)1 << random_below(rng, n_slanted + bit_count(straights));
    Set left = bit_deposit(rank, lefts);
    Set right = bit_deposit(rank >> n_left, rights);
    Set straight = bit_deposit(rank >> n_slanted, straights);
    Set to = straight | (left | right);
    *theirs &= ~(left | right);
    *mine ^= to ^ (back(straight, 8, up) | (back(left, 7, up) | back(right, 9, up)));
    return to & goal(up) || !*theirs;
}

static int playout(uint64_t *rng) {
    Set white = WHITE_START, black = BLACK_START;
    uint64_t random = *rng;
    int plies = 0;
    for (;; plies += 2) {
        if (play(&white, &black, &random, 1)) {
            plies += 1;
            break;
        }
        if (play(&black, &white, &random, 0)) {
            plies += 2;
            break;
        }
    }
    *rng = random;
    return plies;
}

const Baseline baseline_breakthrough = {"breakthrough", perft, perft_two, playout, NULL};
