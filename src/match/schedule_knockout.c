// schedule_knockout: who loses is out.
//
// The draw is the usual one: the earlier an entrant stands in the list the stronger it is taken to
// be, and the first two can only meet in the last round. Places up to the next power of two are
// byes, which the first of the list get. A drawn meeting goes on with further pairs of games; the
// meetings of a round wait for each other, so that numbers do not hang on who is quick.
#include "match/schedule_parts.h"

static bool refuse_groups(const Schedule *s, Text *why) {
    if (s->players[0] == 2)
        return false;
    text_f(why, "a %s tournament is for games of two players",
           s->c->kind == SWISS ? "swiss" : "knockout");
    return true;
}

// The meetings of a round, from `left`.
static bool make_round(Schedule *s) {
    s->round_first = s->groups;
    s->ties = 0;
    for (int i = 0; i < s->left_count; i += 2) {
        int pair[2] = {s->left[i], s->left[i + 1]};
        if (pair[0] >= 0 && pair[1] >= 0 &&
            !schedule_add_group(s, pair, 2, 0, s->c->games, s->c->each, s->c->swap))
            return false;
    }
    return true;
}

bool knockout_begin(Schedule *s, Text *why) {
    int n = s->c->entrants, places = 2;
    if (refuse_groups(s, why))
        return false;
    while (places < n)
        places *= 2;
    s->left = mem_alloc(sizeof *s->left * (size_t)places);
    s->reached = mem_alloc(sizeof *s->reached * (size_t)n);
    if (!s->left || !s->reached)
        return false;
    // 0 1 → 0 3 1 2 → 0 7 3 4 1 6 2 5: the sum of two that meet is the same everywhere.
    s->left[0] = 0;
    for (int size = 2; size <= places; size *= 2)
        for (int i = size - 2; i >= 0; i -= 2) {
            s->left[i] = s->left[i / 2];
            s->left[i + 1] = (int16_t)(size - 1 - s->left[i / 2]);
        }
    for (int i = 0; i < places; i++)
        if (s->left[i] >= n)
            s->left[i] = -1;
    s->left_count = places;
    return make_round(s);
}

// The winner of a place of the draw; -2: not decided yet.
static int winner(const Schedule *s, int one, int other) {
    if (one < 0 || other < 0)
        return one < 0 ? other : one;
    double points = 0; // of the one, more than the other has
    for (int i = s->round_first; i < s->groups; i++) {
        const Group *g = &s->group[i];
        double of[2];
        if (g->entrant[0] == one && g->entrant[1] == other) {
            schedule_pair_points(s, g, of);
            points += of[0] - of[1];
        }
    }
    if (points != 0)
        return points > 0 ? one : other;
    return s->ties < SCHEDULE_TIES ? -2 : one < other ? one : other;
}

bool knockout_next(Schedule *s) {
    bool drawn = false;
    int before = s->groups, next = 0;
    for (int i = 0; i < s->left_count; i += 2) {
        int pair[2] = {s->left[i], s->left[i + 1]};
        if (winner(s, pair[0], pair[1]) != -2)
            continue;
        drawn = true;
        // Seats change in any case; games take turns.
        if (!schedule_add_group(s, pair, 2, s->ties % s->c->games, 1, 2, true)) {
            s->groups = before;
            return false;
        }
        s->group[s->groups - 1].further = true;
    }
    if (drawn) {
        s->ties++;
        return true;
    }
    for (int i = 0; i < s->left_count; i += 2, next++) {
        int left = winner(s, s->left[i], s->left[i + 1]);
        s->left[next] = (int16_t)left;
        if (left >= 0)
            s->reached[left] = s->round + 1;
    }
    s->left_count = next;
    s->round++;
    s->over = next <= 1;
    return s->over || make_round(s);
}
