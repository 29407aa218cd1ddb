// schedule_all: schedules that are known from the beginning: match, round robin, gauntlet.
#include "match/schedule_parts.h"

static bool add(Schedule *s, const int *entrant, int size) {
    return schedule_add_group(s, entrant, size, 0, s->c->games, s->c->each, s->c->swap);
}

bool schedule_match(Schedule *s, Text *why) {
    int n = s->players[0], entrant[IR_MAX_PLAYERS];
    if (s->c->entrants != n) {
        text_f(why, "a match of `%s` has %d entrants, not %d", s->c->game[0].name, n,
               s->c->entrants);
        return false;
    }
    for (int i = 0; i < n; i++)
        entrant[i] = i;
    return add(s, entrant, n);
}

// The circle method: the first entrant stays, the others go round; in each round everybody plays
// once. With an odd number one place is empty. Who sits first changes from round to round, so that
// seats are about even without swapping too.
//
//     0 1 2      0 5 1      0 4 5
//     5 4 3      4 3 2      3 2 1      …
static bool circle(Schedule *s) {
    int n = s->c->entrants + s->c->entrants % 2;
    for (s->round = 0; s->round < n - 1; s->round++)
        for (int i = 0; i < n / 2; i++) {
            int one = i == 0 ? 0 : 1 + (i - 1 + s->round) % (n - 1);
            int other = 1 + (n - 2 - i + s->round) % (n - 1);
            if (one == s->c->entrants || other == s->c->entrants)
                continue;
            bool turned = i == 0 ? s->round % 2 : i % 2;
            int pair[2] = {turned ? other : one, turned ? one : other};
            if (!add(s, pair, 2))
                return false;
        }
    return true;
}

// Everybody in groups of k, in the order of a dictionary; the first `fixed` of a group stay.
static bool combinations(Schedule *s, int k, int fixed) {
    int n = s->c->entrants, group[IR_MAX_PLAYERS];
    for (int i = 0; i < k; i++)
        group[i] = i;
    for (s->round = 0;; s->round++) {
        if (!add(s, group, k))
            return false;
        int i = k - 1;
        while (i >= fixed && group[i] == n - k + i)
            i--;
        if (i < fixed)
            return true;
        group[i]++;
        for (i++; i < k; i++)
            group[i] = group[i - 1] + 1;
    }
}

static bool enough(const Schedule *s, Text *why) {
    if (s->c->entrants >= s->players[0])
        return true;
    text_f(why, "`%s` is for %d players, and there are %d entrants", s->c->game[0].name,
           s->players[0], s->c->entrants);
    return false;
}

bool schedule_round_robin(Schedule *s, Text *why) {
    if (!enough(s, why))
        return false;
    return s->players[0] == 2 ? circle(s) : combinations(s, s->players[0], 0);
}

bool schedule_gauntlet(Schedule *s, Text *why) {
    return enough(s, why) && combinations(s, s->players[0], 1);
}
