// mill: nine men's morris; any man may be taken if all are in mills; 100 moves without a capture
// are a draw.
//
// Points are numbered ring by ring: 0..11 the middles of the twelve sides, 12..23 the corners.
// Side k runs from corner k over middle k to corner k + 1 (modulo 4 in its ring). A position is a
// word for each player with a bit for each of the 64 steps (32 edges, both ways) that his men could
// make on an empty board; a step's bit is set if a man stands where it begins:
//
//      bits  0..11   middle k to corner k          24..35   corner k to middle k
//           12..23   middle k to corner k + 1      36..47   corner k + 1 to middle k
//           48..55   middle k to middle k + 4      56..63   middle k + 4 to middle k
//
// A third word has the steps that end on a full point, so that `men & ~blocked` are the legal
// steps. The twelve middles stand twice in the lowest bits, and the corners once as they are and
// once turned by one: what is needed to see mills with a few shifts.
#include "baseline.h"

typedef uint64_t Set;   // of points
typedef uint64_t Steps; // of steps

// Depth and phase must be constants in the innermost loops.
#define INLINE static inline __attribute__((always_inline))

#define POINTS 0xFFFFFFu
#define MEN 9
#define PATIENCE 100 // moves without a capture that make a draw

#define NEXT(k) (((k)&12) | (((k) + 1) & 3))
#define BEFORE(k) (((k)&12) | (((k) + 3) & 3))
#define BIT(on, k) ((on) ? (Steps)1 << (k) : 0)

// The steps that begin (FROM) or end (INTO) at a middle (M) or a corner (C).
#define FROM_M(k) ((Steps)0x1001 << (k) | BIT((k) < 8, 48 + ((k)&7)) | BIT((k) > 3, 52 + (k)))
#define INTO_M(k)                                                                                  \
    ((Steps)0x1001 << (24 + (k)) | BIT((k) < 8, 56 + ((k)&7)) | BIT((k) > 3, 44 + (k)))
#define FROM_C(k) (BIT(1, 24 + (k)) | BIT(1, 36 + BEFORE(k)))
#define INTO_C(k) (BIT(1, (k)) | BIT(1, 12 + BEFORE(k)))

#define ALL_8(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)
#define ALL_12(f) ALL_8(f), f(8), f(9), f(10), f(11)

// What changes when a man comes or goes, and when he makes a step, whichever way.
typedef struct Change {
    Steps men, blocked;
} Change;

#define MIDDLE(k)                                                                                  \
    { FROM_M(k), INTO_M(k) }
#define CORNER(k)                                                                                  \
    { FROM_C(k), INTO_C(k) }
#define TO_CORNER(k)                                                                               \
    { FROM_M(k) ^ FROM_C(k), INTO_M(k) ^ INTO_C(k) }
#define TO_NEXT(k)                                                                                 \
    { FROM_M(k) ^ FROM_C(NEXT(k)), INTO_M(k) ^ INTO_C(NEXT(k)) }
#define ACROSS(k)                                                                                  \
    { FROM_M(k) ^ FROM_M(k + 4), INTO_M(k) ^ INTO_M(k + 4) }

static const Change at_point[24] = {ALL_12(MIDDLE), ALL_12(CORNER)};
static const Change at_step[64] = {ALL_12(TO_CORNER), ALL_12(TO_NEXT), ALL_12(TO_CORNER),
                                   ALL_12(TO_NEXT),   ALL_8(ACROSS),   ALL_8(ACROSS)};

// The other two points of the two lines through a point.
#define PAIRS_M(k)                                                                                 \
    { BIT(1, 12 + (k)) | BIT(1, 12 + NEXT(k)), BIT(1, ((k) + 4) % 12) | BIT(1, ((k) + 8) % 12) }
#define PAIRS_C(k)                                                                                 \
    { BIT(1, (k)) | BIT(1, 12 + NEXT(k)), BIT(1, BEFORE(k)) | BIT(1, 12 + BEFORE(k)) }
static const Set line_pairs[24][2] = {ALL_12(PAIRS_M), ALL_12(PAIRS_C)};

static inline Set points(Steps men) {
    return men >> 12 & POINTS;
}

// Twelve sides, turned by one in each ring.
static inline Set turn_on(Set sides) {
    return (sides << 1 & 0xEEE) | (sides >> 3 & 0x111);
}

static inline Set turn_back(Set sides) {
    return (sides >> 1 & 0x777) | (sides << 3 & 0x888);
}

// Middles with men on both corners of their side, and on the two middles across.
static inline Set between_corners(Steps men) {
    return men >> 24 & men >> 36 & 0xFFF;
}

static inline Set across(Steps men) {
    return men >> 4 & men >> 8 & 0xFFF;
}

// Points where the other two of a line are men. Corner k: middle k and corner k + 1, or one back.
static inline Set closing_points(Steps men) {
    Set pairs = men & men >> 24;
    return between_corners(men) | across(men) |
           ((pairs >> 12 & 0xFFF) | turn_on(pairs & 0xFFF)) << 12;
}

// Steps into a mill. The man cannot stand in the line he steps into: each point is in two lines,
// and he comes along the other.
static inline Steps closing_steps(Steps men) {
    Set pairs = men & men >> 24, sides = between_corners(men);
    return turn_on(pairs & 0xFFF) | turn_back(pairs >> 12 & 0xFFF) << 12 |
           across(men) * 0x1001000000u | sides >> 4 << 48 | sides << 56;
}

static inline Set loose_men(Steps men) {
    Set sides = men & between_corners(men);
    return points(men) & ~(sides | (men & across(men)) | (sides | turn_on(sides)) << 12);
}

static inline Set prey(Steps men) {
    Set loose = loose_men(men);
    return loose ? loose : points(men);
}

// The moves of a player who places.
static inline uint64_t count_placings(Steps mine, Steps theirs, Set empty) {
    uint64_t mills = bit_count(empty & closing_points(mine));
    return bit_count(empty) + (theirs ? mills * (bit_count(prey(theirs)) - 1) : 0);
}

// Two plies at a time, while men are placed. `left` counts the opponent's men, those in hand among
// them; the last two arguments swap.
static uint64_t count_twos(Steps mine, Steps theirs, Set empty, int depth, int left, int own_left) {
    Set mills = theirs ? empty & closing_points(mine) : 0, quiet = empty ^ mills;
    uint64_t n = 0;
    if (depth > 2) {
        for (Set s = quiet; s; s &= s - 1)
            n += count_twos(theirs, mine ^ at_point[bit_index(s)].men, empty ^ bit_lowest(s),
                            depth - 1, own_left, left);
    } else if (theirs) { // a quiet move makes one more of my men loose, and a point full
        Set their_mills = empty & closing_points(theirs);
        uint64_t others = bit_count(empty) - 1, loose = bit_count(loose_men(mine));
        for (Set s = quiet; s; s &= s - 1)
            n += others + bit_count(their_mills & ~bit_lowest(s)) * loose;
    } else { // without men they make no mills
        n = bit_count(empty) * (bit_count(empty) - 1);
    }
    if (left == 3) // to take a man now ends the game
        return n;
    for (; mills; mills &= mills - 1) {
        Steps moved = mine ^ at_point[bit_index(mills)].men;
        Set full = empty ^ bit_lowest(mills);
        for (Set s = prey(theirs); s; s &= s - 1) {
            Steps rest = theirs ^ at_point[bit_index(s)].men;
            Set now_empty = full ^ bit_lowest(s);
            n += depth > 2 ? count_twos(rest, moved, now_empty, depth - 1, own_left, left - 1)
                           : count_placings(rest, moved, now_empty);
        }
    }
    return n;
}

// A position of the whole game, for the count move by move. `ply` tells who has men in hand: the
// first 18 plies are placings. `quiet` are the moves since a man was taken.
typedef struct Position {
    Steps mine, theirs, blocked;
    int ply, quiet;
} Position;

static inline Set empty_points(const Position *p) {
    return POINTS & ~(points(p->mine) | points(p->theirs));
}

// The flights of a man that close a mill: to the third point of a line with the two others.
static inline Set closing_flights(Steps mine, Set from, Set empty) {
    return empty & closing_points(mine ^ at_point[bit_index(from)].men);
}

static inline uint64_t count_moves(const Position *p, int placing) {
    uint64_t all, mills = 0;
    Set empty = empty_points(p);
    if (placing) {
        all = bit_count(empty);
        mills = bit_count(empty & closing_points(p->mine));
    } else if (bit_count(points(p->mine)) == 3) {
        all = 3 * bit_count(empty);
        for (Set s = points(p->mine); s; s &= s - 1)
            mills += bit_count(closing_flights(p->mine, bit_lowest(s), empty));
    } else {
        Steps steps = p->mine & ~p->blocked;
        all = bit_count(steps);
        mills = bit_count(steps & closing_steps(p->mine));
    }
    return mills && p->theirs ? all + mills * (bit_count(prey(p->theirs)) - 1) : all;
}

static uint64_t count(const Position *p, int depth);

// Below the position that a change of my men, and the loss of one of theirs, leads to.
INLINE uint64_t count_below(const Position *p, Change c, Set victim, int depth, int placing) {
    Position next = {p->theirs, p->mine ^ c.men, p->blocked ^ c.blocked, p->ply + 1, p->quiet + 1};
    if (victim) {
        const Change *lost = &at_point[bit_index(victim)];
        next.mine ^= lost->men;
        next.blocked ^= lost->blocked;
        next.quiet = 0;
    }
    // Who moves next has no man in hand, and too few; or nothing was taken for too long.
    if ((next.ply >= 2 * MEN && bit_count(points(next.mine)) < 3) || next.quiet == PATIENCE)
        return 0;
    return depth == 2 ? count_moves(&next, placing && next.ply < 2 * MEN) : count(&next, depth - 1);
}

INLINE uint64_t count_takes(const Position *p, Change c, int depth, int placing) {
    uint64_t n = 0;
    for (Set s = prey(p->theirs); s; s &= s - 1)
        n += count_below(p, c, bit_lowest(s), depth, placing);
    return n;
}

static inline Change both(Change a, Change b) {
    return (Change){a.men ^ b.men, a.blocked ^ b.blocked};
}

static uint64_t count_flights(const Position *p, int depth) {
    uint64_t n = 0;
    Set empty = empty_points(p);
    for (Set from = points(p->mine); from; from &= from - 1) {
        Set mills = closing_flights(p->mine, bit_lowest(from), empty);
        for (Set to = empty; to; to &= to - 1) {
            Change c = both(at_point[bit_index(from)], at_point[bit_index(to)]);
            n += bit_lowest(to) & mills ? count_takes(p, c, depth, 0)
                                        : count_below(p, c, 0, depth, 0);
        }
    }
    return n;
}

// Placings or steps.
INLINE uint64_t count_each(const Position *p, int depth, int placing) {
    uint64_t n = 0;
    const Change *change = placing ? at_point : at_step;
    uint64_t all = placing ? empty_points(p) : p->mine & ~p->blocked;
    uint64_t mills = all & (placing ? closing_points(p->mine) : closing_steps(p->mine));
    if (!p->theirs)
        mills = 0;
    for (uint64_t s = all ^ mills; s; s &= s - 1)
        n += count_below(p, change[bit_index(s)], 0, depth, placing);
    for (; mills; mills &= mills - 1)
        n += count_takes(p, change[bit_index(mills)], depth, placing);
    return n;
}

// Every move is made but the last; depth >= 2.
static uint64_t count(const Position *p, int depth) {
    if (p->ply < 2 * MEN)
        return depth == 2 ? count_each(p, 2, 1) : count_each(p, depth, 1);
    if (bit_count(points(p->mine)) == 3)
        return count_flights(p, depth);
    return depth == 2 ? count_each(p, 2, 0) : count_each(p, depth, 0);
}

static uint64_t perft(int depth) {
    Position start = {0, 0, 0, 0, 0};
    return depth == 1 ? 24 : count(&start, depth);
}

static Steps men_on(Set set) {
    Steps men = 0;
    for (; set; set &= set - 1)
        men |= at_point[bit_index(set)].men;
    return men;
}

static Steps blocked_by(Steps men);

// White's three men fly, Black's five slide: WW1/BB1/3/3BBB/W2/3/3 w hand=0,0 quiet=0.
static uint64_t perft_late(int depth) {
    Steps white = men_on(0x801001), black = men_on(0x10232);
    Position p = {white, black, blocked_by(white | black), 2 * MEN, 0};
    return depth == 1 ? count_moves(&p, 0) : count(&p, depth);
}

// Beyond the placing of men the last two plies are made like all others.
static uint64_t perft_two(int depth) {
    return depth == 1         ? 24
           : depth <= 2 * MEN ? count_twos(0, 0, POINTS, depth, MEN, MEN)
                              : perft(depth);
}

typedef struct Game {
    Steps mine, theirs, blocked;
    Set empty;    // kept while placing
    int plies;    // so far
    int deadline; // the ply that makes a draw
    uint64_t rng;
} Game;

// Draws among the ranks of quiet moves and of mills, each of which can take any of the prey. The
// prey is found only when a mill is drawn: until then all their men count as prey, and who turns
// out to be none makes us draw again. Returns the rank of a quiet move, or `quiet` and the victim.
static inline uint64_t draw_move(Game *g, uint64_t quiet, uint64_t mills, Set *victim) {
    uint64_t men = bit_count(points(g->theirs)), all = quiet + mills * men;
    uint64_t k = random_below(&g->rng, all);
    if (k < quiet)
        return k;
    Set victims = prey(g->theirs);
    while (k >= quiet && !(*victim = bit_pick(victims, random_below(&g->rng, men))))
        k = random_below(&g->rng, all);
    return k < quiet ? k : quiet;
}

static inline void take(Game *g, Set victim) {
    const Change *c = &at_point[bit_index(victim)];
    g->theirs ^= c->men;
    g->blocked ^= c->blocked;
    g->deadline = g->plies + PATIENCE + 1;
}

// Whether a man was taken.
static inline int place(Game *g) {
    Set mills = g->theirs ? g->empty & closing_points(g->mine) : 0, quiet = g->empty ^ mills;
    Set victim = 0, to;
    uint64_t n = bit_count(quiet), k = draw_move(g, n, bit_count(mills), &victim);
    if (k < n) {
        to = bit_pick(quiet, k);
    } else {
        to = bit_draw(mills, &g->rng);
        g->empty ^= victim;
        take(g, victim);
    }
    g->mine ^= at_point[bit_index(to)].men;
    g->empty ^= to;
    return k == n;
}

static inline void slide(Game *g) {
    Steps all = g->mine & ~g->blocked, mills = all & closing_steps(g->mine), quiet = all ^ mills;
    Set victim = 0;
    uint64_t n = bit_count(quiet), k = draw_move(g, n, bit_count(mills), &victim);
    Steps step;
    if (k < n) {
        step = bit_pick(quiet, k);
    } else {
        step = bit_draw(mills, &g->rng);
        take(g, victim);
    }
    const Change *c = &at_step[bit_index(step)];
    g->mine ^= c->men;
    g->blocked ^= c->blocked;
}

// With three men a mill is closed by the one that is not in the line.
static inline void fly(Game *g) {
    Set men = points(g->mine), empty = POINTS & ~(men | points(g->theirs)), victim = 0, from, to;
    Set mills = empty & closing_points(g->mine);
    const Set *pair;
    uint64_t mill_count = bit_count(mills), n = 3 * bit_count(empty) - mill_count;
    if (mills && draw_move(g, n, mill_count, &victim) == n) {
        to = bit_draw(mills, &g->rng);
        pair = line_pairs[bit_index(to)];
        from = men ^ (pair[0] & ~men ? pair[1] : pair[0]);
        take(g, victim);
    } else {
        do {
            from = bit_pick(men, random_below(&g->rng, 3));
            to = bit_draw(empty, &g->rng);
            pair = line_pairs[bit_index(to)];
        } while ((men ^ from) == pair[0] || (men ^ from) == pair[1]);
    }
    const Change *a = &at_point[bit_index(from)], *b = &at_point[bit_index(to)];
    g->mine ^= a->men ^ b->men;
    g->blocked ^= a->blocked ^ b->blocked;
}

static inline void pass_turn(Game *g) {
    Steps mine = g->mine;
    g->mine = g->theirs;
    g->theirs = mine;
    g->plies++;
}

// Middles and corners change places, and so do the steps across.
static inline Steps blocked_by(Steps men) {
    return (men & POINTS) << 24 | (men >> 24 & POINTS) | men >> 56 << 48 | men >> 48 << 56;
}

static int playout(uint64_t *rng) {
    Game g = {.empty = POINTS, .deadline = PATIENCE, .rng = *rng};
    for (int men = MEN, left = MEN; g.plies < 2 * MEN && men >= 3;) {
        int rest = left - place(&g);
        left = men;
        men = rest;
        pass_turn(&g);
    }
    g.blocked = blocked_by(g.mine | g.theirs);
    for (uint64_t men; (men = bit_count(points(g.mine))) >= 3 && g.plies < g.deadline;) {
        if (men == 3)
            fly(&g);
        else if (g.mine & ~g.blocked)
            slide(&g);
        else
            break;
        pass_turn(&g);
    }
    *rng = g.rng;
    return g.plies;
}

const Baseline baseline_mill = {"mill", perft, perft_two, playout, perft_late};
