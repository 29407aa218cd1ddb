// prove_retrograde: all positions that can be reached, valued from the ends of the game backwards.
//
// For games that go in circles: a search by depth would have to forget most of what it finds
// there. A position is won if a move leads to a won one, lost if all do; this is applied until
// nothing changes, and what is left is a game without end.
#include "search/prove_parts.h"

#include "base/mem.h"

#include <string.h>

enum { OPEN = 2 };          // in place of a value
#define DISTANCE_MOST 65535 // longer ways are told apart no more
#define DISTANCE_ROUNDS 100 // in which distances become shorter

typedef struct Place { // one position
    ProveKey key;
    size_t edges; // its first successor
    int successors;
    int8_t value;
    bool maximises;
    uint16_t distance; // to the end, where somebody wins
} Place;

typedef struct Retrograde {
    Prover *p;
    Keyer *keyer;
    Brood brood;
    Place *place;
    uint8_t *states; // of the places
    int count, cap;
    int *slots; // hash table of places: number + 1, 0 is free
    uint64_t mask;
    int *edge; // numbers of successors
    size_t edges, edge_cap;
    bool shortened; // the distances, as far as they are going to be
} Retrograde;

static size_t bytes_used(const Retrograde *r, int cap) {
    return (size_t)cap * (sizeof(Place) + r->p->size + 4 * sizeof(int)) + r->edge_cap * sizeof(int);
}

static bool rehash(Retrograde *r, uint64_t size) {
    int *slots = mem_alloc(sizeof(int) * size);
    if (!slots)
        return false;
    mem_free(r->slots);
    r->slots = slots;
    r->mask = size - 1;
    for (int i = 0; i < r->count; i++) {
        uint64_t at = r->place[i].key.a & r->mask;
        while (slots[at])
            at = (at + 1) & r->mask;
        slots[at] = i + 1;
    }
    return true;
}

static bool grow(Retrograde *r) {
    int cap = r->cap ? 2 * r->cap : 1024;
    if (r->cap > (1 << 29) || bytes_used(r, cap) > r->p->memory) {
        r->p->too_big = true;
        return false;
    }
    Place *place = mem_resize(r->place, sizeof *place * (size_t)cap);
    if (place)
        r->place = place;
    uint8_t *states = mem_resize(r->states, r->p->size * (size_t)cap);
    if (states)
        r->states = states;
    if (!place || !states || !rehash(r, 2 * (uint64_t)cap)) {
        r->p->too_big = true;
        return false;
    }
    r->cap = cap;
    return true;
}

// The number of a position; a new one if `state` is given; -1: there is none, or no room.
static int find(Retrograde *r, ProveKey key, const uint8_t *state) {
    if (r->count == r->cap && state && !grow(r))
        return -1;
    uint64_t at = key.a & r->mask;
    for (; r->slots[at]; at = (at + 1) & r->mask) {
        const Place *q = &r->place[r->slots[at] - 1];
        if (q->key.a == key.a && q->key.b == key.b)
            return r->slots[at] - 1;
    }
    if (!state)
        return -1;
    Prover *p = r->p;
    r->slots[at] = r->count + 1;
    r->place[r->count] =
        (Place){.key = key, .value = OPEN, .maximises = game_player(p->game, state) == p->first};
    memcpy(r->states + p->size * (size_t)r->count, state, p->size);
    return r->count++;
}

static bool add_edge(Retrograde *r, int to) {
    if (r->edges == r->edge_cap) {
        size_t cap = r->edge_cap ? 2 * r->edge_cap : 4096;
        int *grown =
            cap * sizeof(int) < r->p->memory ? mem_resize(r->edge, sizeof(int) * cap) : NULL;
        if (!grown) {
            r->p->too_big = true;
            return false;
        }
        r->edge = grown;
        r->edge_cap = cap;
    }
    r->edge[r->edges++] = to;
    return true;
}

static void enter(Retrograde *r, int number) {
    Prover *p = r->p;
    if (clock_over(&p->clock) || !brood_begin(&r->brood, r->states + p->size * (size_t)number))
        return;
    int result = r->brood.states[p->game->ir->layout.result];
    int n = result ? 0 : brood_expand(&r->brood, 0);
    r->place[number].edges = r->edges;
    if (n == 0)
        r->place[number].value =
            (int8_t)(result ? prover_value_of(p, result) : brood_value_of_end(&r->brood, 0));
    for (int i = 0; i < n && !prover_stopped(p); i++) {
        const uint8_t *state = r->brood.states + r->brood.child[i].state;
        int to = find(r, keyer_key(r->keyer, state), state);
        if (to >= 0 && add_edge(r, to))
            r->place[number].successors++;
    }
}

// What the successors say about a position.
static int judge(const Retrograde *r, const Place *q) {
    int good = q->maximises ? PROVE_WON : PROVE_LOST;
    bool all_bad = true;
    for (int i = 0; i < q->successors; i++) {
        int v = r->place[r->edge[q->edges + (size_t)i]].value;
        if (v == good)
            return good;
        all_bad = all_bad && v == -good;
    }
    return all_bad ? -good : OPEN;
}

// One move more than the best successor, or, for who loses, than the one that takes longest. The
// distances of a winner's way only become smaller on it, also before they are the shortest.
static uint16_t distance_by_successors(const Retrograde *r, const Place *q) {
    bool wins = q->value == (q->maximises ? PROVE_WON : PROVE_LOST);
    int best = -1;
    for (int i = 0; i < q->successors; i++) {
        const Place *to = &r->place[r->edge[q->edges + (size_t)i]];
        if (to->value == q->value &&
            (best < 0 || (wins ? to->distance < best : to->distance > best)))
            best = to->distance;
    }
    return (uint16_t)(best < DISTANCE_MOST ? best + 1 : DISTANCE_MOST);
}

static void shorten_distances(Retrograde *r) {
    int rounds = 0;
    for (bool changed = true; changed && rounds < DISTANCE_ROUNDS && !clock_look(&r->p->clock);
         rounds++) {
        changed = false;
        for (int i = r->count - 1; i >= 0; i--) {
            Place *q = &r->place[i];
            if (q->value == OPEN || q->successors == 0)
                continue;
            uint16_t distance = distance_by_successors(r, q);
            changed |= distance != q->distance;
            q->distance = distance;
        }
    }
}

static void solve(Retrograde *r) {
    for (bool changed = true; changed && !clock_look(&r->p->clock);) {
        changed = false;
        for (int i = r->count - 1; i >= 0; i--) // later ones tend to be nearer to the end
            if (r->place[i].value == OPEN) {
                r->place[i].value = (int8_t)judge(r, &r->place[i]);
                if (r->place[i].value != OPEN)
                    r->place[i].distance = distance_by_successors(r, &r->place[i]);
                changed |= r->place[i].value != OPEN;
            }
    }
    for (int i = 0; i < r->count; i++)
        if (r->place[i].value == OPEN)
            r->place[i].value = (int8_t)prover_endless(r->p);
}

static void retrograde_end(void *with) {
    Retrograde *r = with;
    keyer_free(r->keyer);
    brood_free(&r->brood);
    mem_free(r->place);
    mem_free(r->states);
    mem_free(r->slots);
    mem_free(r->edge);
    mem_free(r);
}

static void *retrograde_begin(Prover *p, const uint8_t *state) {
    if (p->whole_way)
        return NULL; // here a position has many values
    Retrograde *r = mem_alloc(sizeof *r);
    if (!r) {
        prover_fail(p, "out of memory");
        return NULL;
    }
    r->p = p;
    r->brood.p = p;
    r->keyer = keyer_new(p);
    if (!r->keyer)
        prover_fail(p, "out of memory");
    else
        find(r, keyer_key(r->keyer, state), state);
    for (int i = 0; i < r->count && !prover_stopped(p); i++)
        enter(r, i);
    if (!prover_stopped(p))
        solve(r);
    return r;
}

static int retrograde_ask(void *with, const uint8_t *state, int goal) {
    (void)goal;
    Retrograde *r = with;
    int i = find(r, keyer_key(r->keyer, state), NULL);
    if (i < 0)
        prover_fail(r->p, "a position was not found"); // only reachable ones are asked about
    return i < 0 ? 0 : r->place[i].value;
}

static int retrograde_distance(void *with, const uint8_t *state) {
    Retrograde *r = with;
    int i = find(r, keyer_key(r->keyer, state), NULL);
    if (!r->shortened) // the value is certain by now: this is for the line only
        shorten_distances(r);
    r->shortened = true;
    return i < 0 ? DISTANCE_MOST : r->place[i].distance;
}

const ProveMethod prove_retrograde = {PROVE_RETROGRADE, retrograde_begin, retrograde_ask,
                                      retrograde_end, retrograde_distance};
