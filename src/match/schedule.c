// schedule: numbers, seats and results; see schedule.h. Which groups there are is in
// schedule_all.c, schedule_knockout.c and schedule_swiss.c.
//
//     group 0: games 0 .. 7     group 1: games 8 .. 15     …
//         game of the contest 0: 0 1 | 2 3      with `swap`, the games between two bars have the
//         game of the contest 1: 4 5 | 6 7      same opening, and the seats go round
#include "match/schedule_parts.h"

#include "base/bits.h"
#include "match/contest_make.h"

#include <string.h>

// --- making ---

static bool make_room(Schedule *s, int64_t games) {
    if (games <= s->cap)
        return true;
    int64_t cap = s->cap ? s->cap : 1024;
    while (cap < games)
        cap *= 2;
    uint8_t *result = mem_resize(s->result, (size_t)cap);
    if (result)
        s->result = result;
    uint8_t *out = mem_resize(s->out, (size_t)cap);
    if (out)
        s->out = out;
    if (!result || !out)
        return false;
    memset(result + s->cap, 0, (size_t)(cap - s->cap));
    memset(out + s->cap, 0, (size_t)(cap - s->cap));
    s->cap = cap;
    return true;
}

bool schedule_add_group(Schedule *s, const int *entrant, int size, int game, int games,
                        int64_t count, bool swap) {
    if (s->groups == SCHEDULE_GROUPS || count * games > SCHEDULE_GAMES - s->games ||
        !make_room(s, s->games + count * games))
        return false;
    if (s->groups == s->group_cap) {
        int cap = s->group_cap ? 2 * s->group_cap : 16;
        Group *group = mem_resize(s->group, sizeof *group * (size_t)cap);
        if (!group)
            return false;
        s->group = group;
        s->group_cap = cap;
    }
    Group *g = &s->group[s->groups++];
    *g = (Group){.first = s->games,
                 .count = count,
                 .round = s->round,
                 .game = (int16_t)game,
                 .games = (int16_t)games,
                 .size = (int8_t)size,
                 .swap = swap};
    for (int i = 0; i < size; i++)
        g->entrant[i] = (int16_t)entrant[i];
    s->games += count * games;
    return true;
}

static bool begin(Schedule *s, Text *why) {
    switch (s->c->kind) {
    case MATCH: return schedule_match(s, why);
    case ROUND_ROBIN: return schedule_round_robin(s, why);
    case GAUNTLET: return schedule_gauntlet(s, why);
    case KNOCKOUT: return knockout_begin(s, why);
    case SWISS: return swiss_begin(s, why);
    }
    return false;
}

Schedule *schedule_new(const Contest *c, const int *players, Text *why) {
    Schedule *s = mem_alloc(sizeof *s);
    if (!s) {
        text_add(why, "out of memory");
        return NULL;
    }
    s->c = c;
    memcpy(s->players, players, sizeof *players * (size_t)c->games);
    bool ok = true;
    for (int i = 0; ok && i < c->games; i++) {
        ok = players[i] >= 2 && players[i] == players[0];
        if (!ok)
            text_f(why, "`%s` has %d player%s, %s", c->game[i].name, players[i],
                   players[i] == 1 ? "" : "s",
                   players[i] < 2 ? "and nobody to play against"
                                  : "and the games of a contest have equally many");
    }
    if (!ok || !begin(s, why)) {
        if (!why->n)
            text_f(why, "out of memory, or more than %d games", SCHEDULE_GAMES);
        schedule_free(s);
        return NULL;
    }
    return s;
}

void schedule_free(Schedule *s) {
    if (!s)
        return;
    mem_free(s->group);
    mem_free(s->result);
    mem_free(s->out);
    mem_free(s->left);
    mem_free(s->reached);
    mem_free(s->met);
    mem_free(s->bye);
    mem_free(s);
}

// --- numbers ---

const Group *schedule_group_of(const Schedule *s, int64_t number) {
    int low = 0, high = s->groups - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (s->group[middle].first <= number)
            low = middle;
        else
            high = middle - 1;
    }
    return &s->group[low];
}

void schedule_seats(const Schedule *s, const Group *g, int64_t number, int *game, int64_t *index,
                    int *seat) {
    (void)s;
    int64_t offset = number - g->first;
    *game = g->game + (int)(offset / g->count);
    *index = offset % g->count;
    int turn = g->swap ? (int)(*index % g->size) : 0;
    for (int i = 0; i < g->size; i++)
        seat[i] = g->entrant[(i + turn) % g->size];
}

// Unrelated numbers for neighbouring questions.
static uint64_t mix(uint64_t seed, uint64_t what, uint64_t number) {
    uint64_t x = seed;
    x = rng_splitmix(&x) ^ what;
    x = rng_splitmix(&x) ^ number;
    return rng_splitmix(&x);
}

static void make_pairing(const Schedule *s, int64_t number, Pairing *p) {
    const Group *g = schedule_group_of(s, number);
    *p = (Pairing){.number = number, .round = g->round};
    for (int i = g->size; i < IR_MAX_PLAYERS; i++)
        p->seat[i] = -1;
    int64_t index;
    schedule_seats(s, g, number, &p->game, &index, p->seat);
    // All groups have the same openings: everybody is tried on the same positions. Further pairs
    // have others, each its own.
    uint64_t opening = (uint64_t)(g->swap ? index / g->size : index);
    if (g->further)
        opening = (uint64_t)(CONTEST_EACH + g->first);
    p->opening = mix(s->c->seed, 1 + (uint64_t)p->game, opening);
    p->seed = mix(s->c->seed, 0, (uint64_t)number);
}

static bool make_more(Schedule *s) {
    if (s->over)
        return true;
    if (s->c->kind == KNOCKOUT)
        return knockout_next(s);
    if (s->c->kind == SWISS)
        return swiss_next(s);
    s->over = true;
    return true;
}

ScheduleNext schedule_next(Schedule *s, Pairing *pairing) {
    for (;;) {
        if (s->verdict != SPRT_GOES_ON)
            return NEXT_OVER;
        while (s->cursor < s->games && (s->out[s->cursor] || s->result[s->cursor]))
            s->cursor++;
        if (s->cursor < s->games) {
            s->out[s->cursor] = 1;
            make_pairing(s, s->cursor, pairing);
            return NEXT_GAME;
        }
        if (s->over)
            return NEXT_OVER;
        if (s->played < s->games)
            return NEXT_WAITS;
        if (!make_more(s))
            return NEXT_FAILED;
    }
}

void schedule_forget(Schedule *s, int64_t number) {
    if (s->result[number])
        return;
    s->out[number] = 0;
    s->cursor = number < s->cursor ? number : s->cursor;
}

bool schedule_over(Schedule *s) {
    while (s->verdict == SPRT_GOES_ON && !s->over && s->played == s->games)
        if (!make_more(s))
            return false;
    return s->verdict != SPRT_GOES_ON || (s->over && s->played == s->games);
}

int64_t schedule_played(const Schedule *s) {
    return s->verdict != SPRT_GOES_ON ? s->prefix : s->played;
}

int64_t schedule_total(const Schedule *s) {
    if (s->verdict != SPRT_GOES_ON)
        return s->prefix;
    int64_t games = s->games, all = s->c->each * s->c->games;
    if (s->c->kind == SWISS && !s->over)
        games += all * (s->c->entrants / 2) * (s->rounds - s->round - 1);
    if (s->c->kind == KNOCKOUT && !s->over && s->left_count > 1)
        games += all * (s->left_count / 2 - 1);
    return games;
}

// --- results ---

double schedule_points(int result, int seat, int players) {
    int winners = result & ((1 << players) - 1);
    if (winners == 0)
        return 1.0 / players;
    return winners >> seat & 1 ? 1.0 / bits_count((uint64_t)winners) : 0;
}

// 1, 0 or -1 for the entrant that the group names first.
static int outcome(const Schedule *s, int64_t number) {
    const Group *g = schedule_group_of(s, number);
    int game, seat[IR_MAX_PLAYERS];
    int64_t index;
    schedule_seats(s, g, number, &game, &index, seat);
    double points = schedule_points(s->result[number], seat[0] == g->entrant[0] ? 0 : 1, 2);
    return points > 0.5 ? 1 : points < 0.5 ? -1 : 0;
}

static void count_game(Score *score, int points) {
    if (points > 0)
        score->won++;
    else if (points < 0)
        score->lost++;
    else
        score->drawn++;
}

// Whether a pair of games with the same opening begins here.
static bool is_pair(const Schedule *s, int64_t number) {
    return s->group[0].swap && number % s->c->each + 1 < s->c->each;
}

// One game, or a pair. A game that the rules failed in, or that was not played, is no result.
static int count_step(const Schedule *s, int64_t number, Score *score) {
    int step = is_pair(s, number) ? 2 : 1, points = 0, results = 0;
    for (int i = 0; i < step; i++)
        if (s->result[number + i] & MARK_OVER) {
            int one = outcome(s, number + i);
            count_game(score, one);
            points += one;
            results++;
        }
    if (results == 2)
        score->pairs[points + 2]++;
    return step;
}

static void follow_test(Schedule *s) {
    while (s->verdict == SPRT_GOES_ON && s->prefix < s->games) {
        int last = is_pair(s, s->prefix) ? 1 : 0;
        if (!s->result[s->prefix] || !s->result[s->prefix + last])
            return;
        s->prefix += count_step(s, s->prefix, &s->score);
        s->verdict = sprt_verdict(&s->c->sprt, &s->score);
    }
}

// The score of a match of two, for those who look on.
static void follow_score(Schedule *s, int64_t number) {
    if (s->c->kind != MATCH || s->players[0] != 2 || !(s->result[number] & MARK_OVER))
        return;
    int one = outcome(s, number);
    count_game(&s->live, one);
    int64_t index = number % s->c->each, other = index % 2 ? number - 1 : number + 1;
    if (is_pair(s, number - index % 2) && (s->result[other] & MARK_OVER))
        s->live.pairs[one + outcome(s, other) + 2]++;
}

// Rounds that were not made yet have no numbers, so results come in the order of rounds.
bool schedule_result(Schedule *s, int64_t number, Ending ending, int result) {
    while (number >= s->games && !s->over && s->played == s->games)
        if (!make_more(s))
            return false;
    if (number < 0 || number >= s->games || s->result[number])
        return false;
    s->result[number] = (uint8_t)(ending == END_FAULT ? MARK_FAULT : MARK_OVER | (result & 0x7f));
    s->out[number] = ending_is_offence(ending) ? 2 : 1;
    s->played++;
    follow_score(s, number);
    if (s->c->sprt.on)
        follow_test(s);
    return true;
}

bool schedule_in_order(const Schedule *s) {
    return s->c->sprt.on;
}

SprtVerdict schedule_verdict(const Schedule *s) {
    return s->verdict;
}

Score schedule_score(const Schedule *s) {
    return s->verdict != SPRT_GOES_ON ? s->score : s->live;
}
