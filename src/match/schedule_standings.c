// schedule_standings: who stands where; see schedule.h.
#include "match/schedule_parts.h"

#include <stdlib.h>

void schedule_pair_points(const Schedule *s, const Group *g, double points[2]) {
    points[0] = points[1] = 0;
    for (int64_t i = g->first; i < g->first + g->count * g->games; i++) {
        int game, seat[IR_MAX_PLAYERS];
        int64_t index;
        if (!(s->result[i] & MARK_OVER))
            continue;
        schedule_seats(s, g, i, &game, &index, seat);
        for (int k = 0; k < 2; k++)
            points[seat[k] == g->entrant[0] ? 0 : 1] += schedule_points(s->result[i], k, 2);
    }
}

static void count_game(const Schedule *s, const Group *g, int64_t number, Standing *all) {
    int game, seat[IR_MAX_PLAYERS], result = s->result[number];
    int64_t index;
    schedule_seats(s, g, number, &game, &index, seat);
    int everybody = (1 << g->size) - 1, winners = result & everybody;
    for (int k = 0; k < g->size; k++) {
        Standing *t = &all[seat[k]];
        if (winners == 0 || winners == everybody)
            t->drawn++;
        else if (winners >> k & 1)
            t->won++;
        else
            t->lost++;
        // Of an offence only the culprit loses.
        if (s->out[number] == 2 && !(winners >> k & 1))
            t->offences++;
        t->points += schedule_points(result, k, g->size);
    }
}

static void add_buchholz(const Schedule *s, Standing *all) {
    for (int i = 0; i < s->groups; i++) {
        const Group *g = &s->group[i];
        for (int k = 0; k < g->size; k++)
            for (int m = 0; m < g->size; m++)
                all[g->entrant[k]].buchholz += m != k ? all[g->entrant[m]].points : 0;
    }
}

static int compare(const void *one, const void *other) {
    const Standing *a = one, *b = other;
    if (a->round != b->round)
        return a->round > b->round ? -1 : 1;
    if (a->points != b->points)
        return a->points > b->points ? -1 : 1;
    if (a->buchholz != b->buchholz)
        return a->buchholz > b->buchholz ? -1 : 1;
    return a->entrant - b->entrant;
}

void schedule_standings(const Schedule *s, Standing *out) {
    int n = s->c->entrants;
    for (int i = 0; i < n; i++)
        out[i] = (Standing){.entrant = i, .round = s->reached ? s->reached[i] : 0};
    for (int i = 0; i < s->groups; i++) {
        const Group *g = &s->group[i];
        for (int64_t k = g->first; k < g->first + g->count * g->games; k++)
            if (s->result[k] & MARK_OVER)
                count_game(s, g, k, out);
    }
    for (int i = 0; s->bye && i < n; i++)
        out[i].points += s->bye[i] * (double)(s->c->each * s->c->games);
    if (s->c->kind == SWISS)
        add_buchholz(s, out);
    qsort(out, (size_t)n, sizeof *out, compare);
}
