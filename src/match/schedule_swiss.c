// schedule_swiss: in each round everybody meets somebody with about as many points.
//
// The order is by points, then by the points of those that one has met (Buchholz), then by the
// list. From the top down everybody gets the next one below that it has not met; where that leaves
// two at the bottom that have met, the choices above are taken back. With an odd number the last
// who had none gets a bye, which counts as won. Only if nothing else is left do two meet again.
#include "match/schedule_parts.h"

#include <string.h>

#define STEPS 200000 // of the search for pairs; enough where there is a way, nearly always

typedef struct Pairs { // a round that is being paired
    const Schedule *s;
    int order[CONTEST_ENTRANTS]; // the best first
    int with[CONTEST_ENTRANTS];  // by place in the order; -1: free
    int count;
    long steps;
    bool again; // whether two may meet again
} Pairs;

static bool have_met(const Pairs *p, int one, int other) {
    return p->s->met[p->order[one] * p->s->c->entrants + p->order[other]];
}

static bool pair_rest(Pairs *p, int from) {
    while (from < p->count && p->with[from] >= 0)
        from++;
    if (from == p->count)
        return true;
    for (int i = from + 1; i < p->count; i++) {
        if (p->with[i] >= 0 || (!p->again && have_met(p, from, i)))
            continue;
        if (p->steps-- <= 0)
            return false;
        p->with[from] = i;
        p->with[i] = from;
        if (pair_rest(p, from + 1))
            return true;
        p->with[from] = p->with[i] = -1;
    }
    return false;
}

static void sort(Pairs *p) {
    const Schedule *s = p->s;
    int n = s->c->entrants;
    Standing standing[CONTEST_ENTRANTS];
    schedule_standings(s, standing);
    for (int i = 0; i < n; i++)
        p->order[i] = standing[i].entrant;
    // Nobody has points yet: the upper half of the list meets the lower.
    for (int i = 0; s->round == 0 && i < n; i++)
        p->order[i] = i % 2 ? (n + 1) / 2 + i / 2 : i / 2;
    p->count = n;
}

// Takes somebody out of the order if the number is odd.
static void give_bye(Schedule *s, Pairs *p) {
    if (p->count % 2 == 0)
        return;
    int at = p->count - 1;
    while (at > 0 && s->bye[p->order[at]])
        at--;
    if (s->bye[p->order[at]])
        at = p->count - 1;
    s->bye[p->order[at]]++;
    p->count--;
    memmove(p->order + at, p->order + at + 1, sizeof *p->order * (size_t)(p->count - at));
}

static bool make_round(Schedule *s) {
    Pairs p = {.s = s, .steps = STEPS};
    sort(&p);
    give_bye(s, &p);
    memset(p.with, -1, sizeof p.with);
    if (!pair_rest(&p, 0)) {
        memset(p.with, -1, sizeof p.with);
        p.steps = STEPS;
        p.again = true;
        pair_rest(&p, 0);
    }
    int n = s->c->entrants;
    for (int i = 0; i < p.count; i++) {
        if (p.with[i] < i)
            continue;
        // Who is higher sits first in every other round.
        int one = p.order[i], other = p.order[p.with[i]];
        int pair[2] = {s->round % 2 ? other : one, s->round % 2 ? one : other};
        if (!schedule_add_group(s, pair, 2, 0, s->c->games, s->c->each, s->c->swap))
            return false;
        s->met[one * n + other] = s->met[other * n + one] = 1;
    }
    return true;
}

bool swiss_begin(Schedule *s, Text *why) {
    int n = s->c->entrants, most = n % 2 ? n : n - 1;
    if (s->players[0] != 2) {
        text_add(why, "a swiss tournament is for games of two players");
        return false;
    }
    if (s->c->rounds > most) {
        text_f(why, "%d entrants can play at most %d round%s without meeting twice", n, most,
               most == 1 ? "" : "s");
        return false;
    }
    s->rounds = s->c->rounds;
    while (!s->c->rounds && 1 << s->rounds < n) // as many as a knock-out would have
        s->rounds++;
    s->met = mem_alloc((size_t)n * (size_t)n);
    s->bye = mem_alloc((size_t)n);
    return s->met && s->bye && make_round(s);
}

bool swiss_next(Schedule *s) {
    s->over = s->round + 1 >= s->rounds;
    if (s->over)
        return true;
    s->round++;
    return make_round(s);
}
