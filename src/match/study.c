// study: see study.h.
#include "match/study.h"
#include "match/contest_make.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define END_OF_GAME INT32_MIN
#define RANDOM_PLIES 1000 // longer games by chance are left
#define SETTLED 4         // in the first part of a game, one in so many, nobody is ahead yet

static const char *const sides[STUDY_SIDES] = {
    [STUDY_WEAK] = "beginner",
    [STUDY_MIDDLE] = "casual",
    [STUDY_STRONG] = "hard",
};

static bool add_sides(Contest *c, StudyPart part, int players, Text *why) {
    int n = part == STUDY_LADDER && players < STUDY_SIDES ? STUDY_SIDES : players;
    bool ok = true;
    for (int i = 0; ok && i < n; i++) { // games of many need more to play
        bool ladder = part == STUDY_LADDER && i < STUDY_SIDES;
        char name[48], text[48];
        const char *level = sides[ladder ? i : STUDY_STRONG];
        snprintf(text, sizeof text, "auto:level=%s", level);
        if (ladder)
            snprintf(name, sizeof name, "%s", level);
        else
            snprintf(name, sizeof name, "%s (%d)", level, i + 1);
        ok = contest_add_entrant(c, name, text, why);
    }
    return ok;
}

// A database may have studies of several games.
static bool set_title(Contest *c, StudyPart part, const ContestGame *game, Text *why) {
    Text title = {0};
    text_f(&title, "Games of %s: %s", part == STUDY_EQUALS ? "equals" : "three strengths",
           game->name);
    for (int i = 0; i < game->param_count; i++)
        text_f(&title, " %s", game->params[i]);
    text_f(&title, ", seed %llu", (unsigned long long)c->seed);
    bool ok = contest_set_title(c, text_c(&title), why);
    text_free(&title);
    return ok;
}

Contest *study_contest(StudyPart part, const ContestGame *game, int players, int64_t each,
                       uint64_t seed, Text *why) {
    Contest *c = contest_new();
    TimeControl none = {0};
    if (!c) {
        text_add(why, "out of memory");
        return NULL;
    }
    c->kind = part == STUDY_EQUALS ? MATCH : ROUND_ROBIN;
    c->seed = seed;
    c->each = each;
    c->opening_plies = 0; // the levels vary by themselves
    if (set_title(c, part, game, why) &&
        contest_add_game(c, game->name, game->params, game->param_count, why) &&
        add_sides(c, part, players, why) && contest_finish(c, &none, why))
        return c;
    contest_free(c);
    return NULL;
}

Study *study_new(const Game *g, Contest *const *contests) {
    Study *s = mem_alloc(sizeof *s);
    if (!s)
        return NULL;
    s->game = g;
    s->runner = runner_new(g);
    bool ok = s->runner != NULL;
    for (int i = 0; ok && i < STUDY_PARTS; i++) {
        s->results[i] = results_new(contests[i]);
        ok = s->results[i] != NULL;
    }
    if (ok && study_see_begin(s))
        return s;
    study_free(s);
    return NULL;
}

void study_free(Study *s) {
    if (!s)
        return;
    study_see_end(s);
    for (int i = 0; i < STUDY_PARTS; i++)
        results_free(s->results[i]);
    runner_free(s->runner);
    mem_free(s->lead);
    mem_free(s->unused);
    mem_free(s);
}

// --- games ---

static bool note_lead(Study *s, int32_t value) {
    if (s->leads == s->leads_cap) {
        int64_t cap = s->leads_cap ? 2 * s->leads_cap : 1024;
        int32_t *grown = mem_resize(s->lead, sizeof *grown * (size_t)cap);
        if (!grown)
            return false;
        s->lead = grown;
        s->leads_cap = cap;
    }
    s->lead[s->leads++] = value;
    return true;
}

// For the first player, in games that somebody won; the winner's sign is the last number's.
static bool note_leads(Study *s, const Played *p, const Record *record) {
    int winners = p->result & 3;
    if (s->game->ir->players != 2 || p->ending != END_RULES || (winners != 1 && winners != 2))
        return true;
    bool ok = true;
    for (int i = p->moves / SETTLED; ok && i < p->moves && i < record_length(record); i++) {
        int32_t value = p->move[i].value;
        if (p->move[i].known && !value_is_proven(value))
            ok = note_lead(s, game_player(s->game, record_state(record, i)) == 0 ? value : -value);
    }
    s->decided++;
    return ok && note_lead(s, winners == 1 ? VALUE_WIN : -VALUE_WIN) && note_lead(s, END_OF_GAME);
}

static bool count_choices(Study *s, const Record *record) {
    for (int i = 0; i < record_length(record); i++) {
        const Move *moves;
        int n = runner_moves(s->runner, record_state(record, i), &moves);
        if (n < 0)
            return false;
        s->positions++;
        s->choices += n;
        s->forced += n == 1;
        s->most = n > s->most ? n : s->most;
    }
    return true;
}

bool study_add(Study *s, StudyPart part, const Played *p, Text *why) {
    Record *record = record_new(s->runner, NULL);
    bool ok = record && record_load(record, text_c(&p->record), why) && count_choices(s, record) &&
              study_see(s, record) && note_leads(s, p, record) && results_add(s->results[part], p);
    s->replayed += ok;
    record_free(record);
    if (!ok && why->n == 0)
        text_add(why, runner_error(s->runner)[0] ? runner_error(s->runner) : "out of memory");
    return ok;
}

bool study_random(Study *s, uint64_t seed, Text *why) {
    Record *record = record_new(s->runner, NULL);
    Rng rng;
    rng_seed(&rng, seed);
    int result = record ? record_result(record) : -1;
    bool ok = result >= 0;
    while (ok && result == 0 && record_length(record) < RANDOM_PLIES) {
        Move move;
        ok = runner_random(s->runner, record_now(record), rng_next(&rng), &move) == 1 &&
             record_play(record, move);
        result = ok ? record_result(record) : -1;
        ok = result >= 0;
    }
    ok = ok && study_see(s, record);
    if (ok) {
        s->random_games++;
        s->random_moves += record_length(record);
        s->random_unfinished += result == 0;
        int seats = s->game->ir->players;
        double mine = results_points(result, 0, seats), other = (1 - mine) / (seats - 1);
        s->random_first.won += result && mine > other;
        s->random_first.drawn += result && mine == other;
        s->random_first.lost += result && mine < other;
    }
    record_free(record);
    if (!ok)
        text_add(why, runner_error(s->runner)[0] ? runner_error(s->runner) : "out of memory");
    return ok;
}

// --- the end ---

static int by_value(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

// Values have no unit that all games share. Half of all values that were told are above this one:
// who is further ahead than usual is clearly ahead.
static bool find_clear(Study *s) {
    int32_t *sorted = mem_alloc(sizeof *sorted * (size_t)(s->leads + 1));
    int64_t n = 0;
    if (!sorted)
        return false;
    for (int64_t i = 0; i < s->leads; i++)
        if (s->lead[i] != END_OF_GAME && !value_is_proven(s->lead[i]) && s->lead[i] != 0)
            sorted[n++] = abs(s->lead[i]);
    if (n > 1)
        qsort(sorted, (size_t)n, sizeof *sorted, by_value);
    s->clear = n > 0 ? sorted[n / 2] : VALUE_SURE;
    mem_free(sorted);
    return true;
}

// A game at a time: who was clearly ahead, and how often that changed.
static void follow_leads(Study *s) {
    int ahead = 0, changes = 0;
    bool been[2] = {false, false};
    int32_t best[2] = {0, 0};
    for (int64_t i = 0; i < s->leads; i++) {
        int32_t v = s->lead[i];
        if (v == END_OF_GAME) {
            int winner = s->lead[i - 1] > 0 ? 0 : 1;
            s->comebacks += been[1 - winner];
            s->lead_changes += changes;
            s->loser_best += best[1 - winner];
            best[0] = best[1] = 0;
            ahead = changes = 0;
            been[0] = been[1] = false;
            continue;
        }
        if (!value_is_proven(v) && abs(v) > best[v < 0])
            best[v < 0] = abs(v);
        if (abs(v) < s->clear)
            continue;
        int now = v > 0 ? 1 : -1;
        changes += ahead && now != ahead;
        ahead = now;
        been[v > 0 ? 0 : 1] = true;
    }
    if (s->decided) {
        s->lead_changes /= (double)s->decided;
        s->loser_best /= (double)s->decided;
    }
}

// Games come in any order: pairs are found or not.
static bool finish_results(Results *r) {
    for (int i = 0; i < r->n * r->n; i++)
        memset(r->score[i].pairs, 0, sizeof r->score[i].pairs);
    for (int i = 0; i < r->n; i++)
        memset(r->side[i].score.pairs, 0, sizeof r->side[i].score.pairs);
    return results_finish(r);
}

bool study_finish(Study *s) {
    for (int i = 0; i < STUDY_PARTS; i++)
        if (!finish_results(s->results[i]))
            return false;
    if (!find_clear(s) || !study_see_finish(s))
        return false;
    follow_leads(s);
    return true;
}
