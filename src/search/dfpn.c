// dfpn: proof numbers, depth first.
//
// The question is whether the first player gets at least `goal`. A position's proof number is how
// many positions below it would at least have to say yes for a yes, its disproof number the same
// for a no. The walk always goes to where the smaller number grows slowest; it stays below a
// position as long as that is likely the best place (thresholds), a little longer than needed
// (1 + epsilon), since coming back costs. Numbers are kept in a table.
//
// Repetition: a position that comes again counts as a game without end on this way only. An answer
// that such a circle could have been part of is not trusted.
#include "search/prove_parts.h"

#include "base/mem.h"

#include <string.h>

#define INFINITE 1000000000u
#define BUCKET 4

typedef struct Numbers {
    uint32_t proof, disproof;
} Numbers;

typedef struct Slot {
    uint64_t key;
    uint32_t check, work;
    Numbers numbers;
} Slot;

typedef struct Dfpn {
    Prover *p;
    Keyer *keyer;
    Brood brood;
    Slot *slot;
    uint64_t buckets;
    int goal;
    ProveKey path[PROVE_MAX_PLY + 1];
} Dfpn;

static Slot *bucket_of(const Dfpn *d, ProveKey k) {
    return d->slot + BUCKET * (uint64_t)((unsigned __int128)k.a * d->buckets >> 64);
}

// The two questions have entries of their own.
static uint32_t check_of(const Dfpn *d, ProveKey k) {
    return (uint32_t)(k.b << 1) | (uint32_t)(d->goal == PROVE_WON);
}

static Numbers get(const Dfpn *d, ProveKey k) {
    const Slot *s = bucket_of(d, k);
    for (int i = 0; i < BUCKET; i++)
        if (s[i].key == k.a && s[i].check == check_of(d, k) && s[i].work)
            return s[i].numbers;
    return (Numbers){1, 1};
}

static void put(Dfpn *d, ProveKey k, Numbers n, int64_t work) {
    Slot *s = bucket_of(d, k), *to = s;
    for (int i = 0; i < BUCKET; i++) {
        if (!s[i].work || (s[i].key == k.a && s[i].check == check_of(d, k))) {
            to = &s[i];
            break;
        }
        if (s[i].work < to->work)
            to = &s[i];
    }
    uint32_t cost = work >= UINT32_MAX ? UINT32_MAX : (uint32_t)work + 1;
    *to = (Slot){k.a, check_of(d, k), cost, n};
}

static Numbers settled(const Dfpn *d, int value) {
    return value >= d->goal ? (Numbers){0, INFINITE} : (Numbers){INFINITE, 0};
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t sum(uint32_t a, uint32_t b) { // infinite stays, the rest stays below it
    if (a == INFINITE || b == INFINITE)
        return INFINITE;
    return a + b < INFINITE ? a + b : INFINITE - 1;
}

static bool on_path(const Dfpn *d, ProveKey k, int ply) {
    for (int i = 0; i <= ply; i++)
        if (d->path[i].a == k.a && d->path[i].b == k.b)
            return true;
    return false;
}

static Numbers numbers_of(Dfpn *d, const Child *c, int ply) {
    if (c->result)
        return settled(d, prover_value_of(d->p, c->result));
    if (on_path(d, c->key, ply)) {
        d->p->cyclic = true;
        return settled(d, prover_endless(d->p));
    }
    return get(d, c->key);
}

typedef struct Choice { // of the child to go to
    Numbers all, best;  // of the position, of that child
    uint32_t second;    // what the next best child has
    int child;
} Choice;

// Seen by the player on move, who needs one child; `yes` numbers are small for him.
static Choice choose(Dfpn *d, int first, int n, int ply, bool maximises) {
    Choice c = {.second = INFINITE, .child = first};
    uint32_t yes = INFINITE, no = 0;
    for (int i = first; i < first + n; i++) {
        Numbers x = numbers_of(d, &d->brood.child[i], ply);
        uint32_t y = maximises ? x.proof : x.disproof;
        no = sum(no, maximises ? x.disproof : x.proof);
        if (y < yes || i == first) {
            c.second = yes;
            yes = y;
            c.best = x;
            c.child = i;
        } else if (y < c.second) {
            c.second = y;
        }
    }
    c.all = maximises ? (Numbers){yes, no} : (Numbers){no, yes};
    return c;
}

static Numbers limits_below(const Choice *c, Numbers limit, bool maximises) {
    uint32_t spread = c->second + c->second / 4 + 1;
    uint32_t proof = limit.proof, disproof = limit.disproof;
    if (maximises) {
        proof = least(proof, spread);
        disproof = least(disproof - c->all.disproof + c->best.disproof, INFINITE);
    } else {
        disproof = least(disproof, spread);
        proof = least(proof - c->all.proof + c->best.proof, INFINITE);
    }
    return (Numbers){proof, disproof};
}

static void walk(Dfpn *d, size_t state, ProveKey key, int ply, Numbers limit) {
    Prover *p = d->p;
    if (clock_over(&p->clock))
        return;
    if (ply >= PROVE_MAX_PLY) {
        p->too_big = true;
        return;
    }
    int64_t since = p->clock.nodes;
    int first = d->brood.count;
    size_t end = d->brood.end;
    bool maximises = game_player(p->game, d->brood.states + state) == p->first;
    int n = brood_expand(&d->brood, state);
    d->path[ply] = key;
    if (n == 0)
        put(d, key, settled(d, brood_value_of_end(&d->brood, state)), 1);
    for (int i = first; i < first + n; i++)
        d->brood.child[i].key = keyer_key(d->keyer, d->brood.states + d->brood.child[i].state);
    while (n > 0 && !prover_stopped(p)) {
        Choice c = choose(d, first, n, ply, maximises);
        put(d, key, c.all, p->clock.nodes - since);
        if (c.all.proof >= limit.proof || c.all.disproof >= limit.disproof)
            break;
        Child child = d->brood.child[c.child];
        walk(d, child.state, child.key, ply + 1, limits_below(&c, limit, maximises));
    }
    d->brood.count = first;
    d->brood.end = end;
}

static void *dfpn_begin(Prover *p, const uint8_t *state) {
    (void)state;
    if (p->whole_way)
        return NULL; // it has no path
    Dfpn *d = mem_alloc(sizeof *d);
    if (!d) {
        prover_fail(p, "out of memory");
        return NULL;
    }
    d->p = p;
    d->brood.p = p;
    d->keyer = keyer_new(p);
    d->buckets = p->memory / (BUCKET * sizeof(Slot)) + 1;
    d->slot = mem_alloc(BUCKET * sizeof(Slot) * d->buckets);
    if (!d->keyer || !d->slot)
        prover_fail(p, "out of memory");
    return d;
}

static void dfpn_end(void *with) {
    Dfpn *d = with;
    keyer_free(d->keyer);
    brood_free(&d->brood);
    mem_free(d->slot);
    mem_free(d);
}

static int dfpn_ask(void *with, const uint8_t *state, int goal) {
    Dfpn *d = with;
    Prover *p = d->p;
    d->goal = goal;
    if (!brood_begin(&d->brood, state))
        return 0;
    ProveKey key = keyer_key(d->keyer, state);
    walk(d, 0, key, 0, (Numbers){INFINITE, INFINITE});
    Numbers n = get(d, key);
    if (prover_stopped(p))
        return 0;
    bool yes = n.proof == 0;
    // A circle says no to a win and yes to a draw.
    bool by_circle = p->cyclic && (yes ? prover_endless(p) >= goal : prover_endless(p) < goal);
    if (by_circle || (n.proof && n.disproof))
        p->too_big = true;
    return yes ? goal : goal - 1;
}

const ProveMethod prove_dfpn = {PROVE_DFPN, dfpn_begin, dfpn_ask, dfpn_end, NULL};
