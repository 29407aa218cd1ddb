// prove_packing: games of placing pieces without lines; who cannot move loses. See prove_placing.h.
//
// Moves only become fewer. A move is safe if the opponent can never fill any of its cells. Where a
// player has nothing but safe moves, in a part of the board that touches none of his others, that
// part is worth as many moves as fit into it, whatever happens elsewhere; so it is counted and
// taken off the board, and of such moves only those count that one player has more than the other.
// They can wait: they are tried last.
//
// Without a search: a player has at least his safe moves and what he gets of some targets, chosen
// so that no move of the opponent spoils two of them: a single move, or two of which the first
// makes the other safe. Both take turns at the targets. What a player gets takes cells from the
// opponent, too. If it is more than the opponent can make at most of what is left, it is over.
#include "search/prove_placing.h"

#include "base/bits.h"

typedef struct Spot {  // a position
    uint64_t filled;   // cells that are filled, or taken off
    uint64_t legal[2]; // choices
    uint64_t cells[2]; // what they can fill
    int ahead;         // moves that were taken off: those of side 0 minus those of side 1
} Spot;

typedef struct Reply { // a move that is to be looked at
    int choice, order; // no choice: one of the moves that were taken off
    Spot to;
} Reply;

#define WAIT 64 // in place of a choice

static uint64_t cover(const PlacingSide *s, uint64_t choices) { // cells that they can fill
    uint64_t cells = 0;
    for (int i = 0; i < s->covers; i++)
        cells |= placing_shift(choices & s->cover[i].mask, -s->cover[i].shift);
    return cells;
}

static uint64_t touching(const PlacingSide *s, uint64_t choices, uint64_t cells) {
    uint64_t found = 0;
    for (int i = 0; i < s->covers; i++)
        found |= choices & s->cover[i].mask & placing_shift(cells, s->cover[i].shift);
    return found;
}

// Choices that overlap a lesser one of `choices`.
static uint64_t overlapped(const PlacingSide *s, uint64_t choices) {
    uint64_t found = 0;
    for (int i = 0; i < s->overlaps; i++)
        found |= (choices & s->overlap[i].mask) << s->overlap[i].shift;
    return found;
}

// Disjoint choices, as they come if the least one is taken first, and again of what is left.
static uint64_t pack(const PlacingSide *s, uint64_t choices) {
    uint64_t packed = 0;
    while (choices) {
        uint64_t first = choices & ~overlapped(s, choices);
        packed |= first;
        choices &= ~(first | overlapped(s, first));
    }
    return packed;
}

// Counts the parts in which only this side has moves. If `chained`, packing the least choice first
// is best: all that overlap it overlap each other, so one of them at most could be made in its
// place.
static int take_off(const PlacingSide *s, uint64_t danger, uint64_t *legal, uint64_t *filled) {
    uint64_t rest = touching(s, *legal, danger), alone = *legal & ~rest;
    if (!s->chained || !alone)
        return 0;
    for (uint64_t more = rest; more;) {
        more = touching(s, alone, cover(s, more));
        alone &= ~more;
    }
    *filled |= cover(s, alone);
    *legal &= ~alone;
    return bits_count(pack(s, alone));
}

static void settle(const Placing *m, Spot *s) {
    for (int side = 0; side < 2; side++) {
        s->legal[side] = placing_legal(&m->side[side], s->filled);
        s->cells[side] = cover(&m->side[side], s->legal[side]);
    }
    int n = take_off(&m->side[0], s->cells[1], &s->legal[0], &s->filled);
    int his = take_off(&m->side[1], s->cells[0], &s->legal[1], &s->filled);
    s->ahead += n - his;
    for (int side = 0; side < 2; side++)
        s->cells[side] = cover(&m->side[side], s->legal[side]);
}

// --- bounds ---

#define TARGETS 64

// One that a side is sure to get if the opponent does not spoil it.
typedef struct Target {
    int moves;      // 2: of twins, the first makes the other safe
    uint64_t cells; // that they fill
    uint64_t group; // the opponent's choices that touch it, and all that hang together with these
    int takes;      // cells that the opponent loses
} Target;

// All choices of `legal` that hang together with `some` of them.
static uint64_t group_of(const PlacingSide *s, uint64_t legal, uint64_t some) {
    for (uint64_t before = 0; some != before;) {
        before = some;
        some = touching(s, legal, cover(s, some));
    }
    return some;
}

static int take_one(uint64_t *set, bool last) {
    int i = last ? 63 - __builtin_clzll(*set) : bits_lowest(*set);
    *set ^= (uint64_t)1 << i;
    return i;
}

// Targets among `choices`, none of which the opponent can spoil together with another one. Which
// ones are found depends on where the search begins.
static int find_targets(const Placing *m, const Spot *s, int side, uint64_t choices, bool backwards,
                        Target *targets) {
    const PlacingSide *mine = &m->side[side], *his = &m->side[1 - side];
    uint64_t theirs = s->legal[1 - side], left = choices;
    int n = 0;
    for (uint64_t set = left; set; set &= left) {
        int x = take_one(&set, backwards);
        uint64_t spoilers = touching(his, theirs, mine->fills[x]), near = cover(his, spoilers);
        uint64_t other = touching(mine, left, near) & ~touching(mine, left, mine->fills[x]);
        while (other) {
            int y = take_one(&other, backwards);
            if (touching(his, theirs, mine->fills[y]) & ~spoilers)
                continue;
            uint64_t both = mine->fills[x] | mine->fills[y];
            left &= ~touching(mine, left, near | both);
            targets[n++] = (Target){.moves = 2, .cells = both, .group = spoilers};
            break;
        }
    }
    while (left) {
        int x = take_one(&left, backwards);
        uint64_t spoilers = touching(his, theirs, mine->fills[x]);
        left &= ~touching(mine, left, cover(his, spoilers) | mine->fills[x]);
        targets[n++] = (Target){.moves = 1, .cells = mine->fills[x], .group = spoilers};
    }
    return n;
}

// What a side is sure of: moves, besides those that were taken off, and cells that the opponent
// loses by them, of `room` cells that he may fill.
typedef struct Share {
    int moves, taken, room;
} Share;

// What each target takes. One that has its groups for itself takes as many moves as fit into these
// less with it than without; else the cells of it count that the opponent could fill. Where no
// target is, no cells are lost.
static int weigh_targets(const Placing *m, const Spot *s, int side, Target *targets, int n,
                         int packed) {
    const PlacingSide *his = &m->side[1 - side];
    uint64_t theirs = s->legal[1 - side], once = 0, twice = 0;
    int fills = m->least_fills[1 - side];
    if (!his->chained) {
        for (int i = 0; i < n; i++)
            targets[i].takes = bits_count(targets[i].cells & s->cells[1 - side]);
        return bits_count(s->cells[1 - side]);
    }
    for (int i = 0; i < n; i++) {
        targets[i].group = group_of(his, theirs, targets[i].group);
        twice |= once & targets[i].group;
        once |= targets[i].group;
    }
    uint64_t shared = 0;
    for (int i = 0; i < n; i++) {
        Target *t = &targets[i];
        if (t->group & twice) {
            t->takes = bits_count(t->cells & s->cells[1 - side]);
            shared |= t->group;
        } else {
            uint64_t left = t->group & ~touching(his, t->group, t->cells);
            t->takes = fills * (bits_count(pack(his, t->group)) - bits_count(pack(his, left)));
        }
    }
    return fills * (packed - bits_count(pack(his, shared))) + bits_count(cover(his, shared));
}

// Both sides take turns at the targets, those of two moves first, then those that take most.
static void share_out(Target *targets, int n, bool turn, Share *share) {
    for (; n > 0; n--, turn = !turn) {
        int best = 0;
        for (int i = 1; i < n; i++)
            if (targets[i].moves > targets[best].moves ||
                (targets[i].moves == targets[best].moves && targets[i].takes > targets[best].takes))
                best = i;
        if (turn) {
            share->moves += targets[best].moves;
            share->taken += targets[best].takes;
        }
        targets[best] = targets[n - 1];
    }
}

// Whether a side, sure of its share, has a move left when the opponent has none. If it lost, it
// would have made all moves of its share, and the opponent as many as it made, or one more.
static bool is_enough(const Placing *m, const Spot *s, int side, bool begins, Share share,
                      int packed) {
    int ahead = side == 0 ? s->ahead : -s->ahead;
    int most = (share.room - share.taken) / m->least_fills[1 - side];
    most = packed < most ? packed : most;
    return share.moves + ahead >= most + begins;
}

static bool outlasts(const Placing *m, const Spot *s, int side, bool begins) {
    const PlacingSide *mine = &m->side[side], *his = &m->side[1 - side];
    uint64_t legal = s->legal[side];
    uint64_t safe = pack(mine, legal & ~touching(mine, legal, s->cells[1 - side]));
    uint64_t rest = legal & ~touching(mine, legal, cover(mine, safe));
    int packed = his->chained ? bits_count(pack(his, s->legal[1 - side])) : 64;
    int sure = bits_count(safe), room = bits_count(s->cells[1 - side]);
    // Any that are disjoint: a move spoils as many as it has cells.
    int all = bits_count(pack(mine, rest)), spoilt = m->most_fills[1 - side];
    int some = (all + (begins ? spoilt : 0)) / (spoilt + 1);
    if (is_enough(m, s, side, begins, (Share){sure + some, some, room}, packed))
        return true;
    int most = all / 2 + 2, taken = 2 * m->most_fills[side] * most; // of all targets
    if (!is_enough(m, s, side, begins, (Share){sure + most, taken, room}, packed))
        return false;
    for (int backwards = 0; backwards < 2; backwards++) {
        Target targets[TARGETS];
        int n = find_targets(m, s, side, rest, backwards, targets);
        Share share = {.moves = sure};
        share.room = weigh_targets(m, s, side, targets, n, packed);
        share_out(targets, n, begins, &share);
        if (is_enough(m, s, side, begins, share, packed))
            return true;
    }
    return false;
}

// Whether it is clear who wins: PROVE_WON or PROVE_LOST for the side on move, else PROVE_DRAWN.
static int judge(const Placing *m, const Spot *s, int side) {
    int ahead = side == 0 ? s->ahead : -s->ahead;
    if (!s->legal[0] && !s->legal[1])
        return ahead > 0 ? PROVE_WON : PROVE_LOST;
    if (outlasts(m, s, side, true))
        return PROVE_WON;
    if (outlasts(m, s, 1 - side, false))
        return PROVE_LOST;
    return PROVE_DRAWN;
}

// --- the search ---

static ProveKey key_of(const Placing *m, const Spot *s, int side) {
    uint64_t open = s->cells[0] | s->cells[1], least = open;
    for (int i = 0; i < m->symmetries; i++) {
        uint64_t image = placing_mirror(m, i, open);
        least = image < least ? image : least;
    }
    return prove_key_of(least, (uint64_t)(2 * (s->ahead + 64) + side));
}

static int room(const PlacingSide *s, uint64_t legal, uint64_t danger) {
    return bits_count(pack(s, legal)) + bits_count(pack(s, legal & ~touching(s, legal, danger)));
}

static void sort_in(Reply *replies, int n, const Reply *r) { // best first
    for (; n > 0 && replies[n - 1].order < r->order; n--)
        replies[n] = replies[n - 1];
    replies[n] = *r;
}

static int list_replies(const Placing *m, const Spot *s, int side, unsigned best, Reply *replies) {
    int n = 0;
    bool wait = side == 0 ? s->ahead > 0 : s->ahead < 0;
    for (uint64_t set = s->legal[side]; set || wait;) {
        Reply r = {.choice = set ? bits_pop(&set) : WAIT, .to = *s};
        if (r.choice == WAIT) {
            wait = false;
            r.order = -1000;
            r.to.ahead += side == 0 ? -1 : 1;
        } else {
            r.to.filled |= m->side[side].fills[r.choice];
            settle(m, &r.to);
            int diff = room(&m->side[0], r.to.legal[0], r.to.cells[1]) -
                       room(&m->side[1], r.to.legal[1], r.to.cells[0]) + 2 * r.to.ahead;
            r.order = side == 0 ? diff : -diff;
        }
        if ((unsigned)r.choice == best)
            r.order = 1000;
        sort_in(replies, n++, &r);
    }
    return n;
}

// Whether the table knows a move that wins.
static bool is_refuted(const ProveTable *table, const Placing *m, const Reply *replies, int n,
                       int side) {
    ProveKey key[65];
    for (int i = 0; i < n; i++) {
        key[i] = key_of(m, &replies[i].to, 1 - side);
        prove_table_prefetch(table, key[i]);
    }
    for (int i = 0; i < n; i++) {
        ProveKnown known;
        if (prove_table_get(table, key[i], &known) && known.high == PROVE_LOST)
            return true;
    }
    return false;
}

static int look(Prover *p, ProveTable *table, const Placing *m, const Spot *s, int side) {
    if (clock_over(&p->clock))
        return 0;
    int value = judge(m, s, side);
    if (value != PROVE_DRAWN)
        return value;
    ProveKnown known;
    ProveKey key = key_of(m, s, side);
    int64_t since = p->clock.nodes;
    if (prove_table_get(table, key, &known) && known.low == known.high)
        return known.low;
    Reply replies[65];
    int n = list_replies(m, s, side, known.best, replies);
    value = is_refuted(table, m, replies, n, side) ? PROVE_WON : PROVE_LOST;
    for (int i = 0; i < n && value == PROVE_LOST; i++) {
        value = -look(p, table, m, &replies[i].to, 1 - side);
        if (prover_stopped(p))
            return 0;
        known.best = (unsigned)replies[i].choice;
    }
    known.low = known.high = value;
    prove_table_put(table, key, known, p->clock.nodes - since);
    return value;
}

int packing_look(Prover *p, ProveTable *table, const Placing *m, uint64_t filled, int side) {
    Spot s = {.filled = filled};
    settle(m, &s);
    return look(p, table, m, &s, side);
}

ProveKey packing_key(const Placing *m, uint64_t filled, int side) {
    Spot s = {.filled = filled};
    settle(m, &s);
    return key_of(m, &s, side);
}
