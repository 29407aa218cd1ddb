// watch_read: an archive as what pages see of it; see watch.h.
#include "server/watch.h"

#include "base/mem.h"
#include "match/results.h"
#include "match/schedule.h"

#include <math.h>
#include <string.h>

// --- games of a contest ---

typedef struct Recent { // a game of the list
    int64_t number;
    Pairing pairing;
    Ending ending;
    int result, moves;
    double ended;
    Text reason;
} Recent;

typedef struct Reading {
    Results *results;
    Schedule *schedule;          // NULL: the rules cannot be loaded here
    Recent recent[WATCH_RECENT]; // the last to end first
    int count;
} Reading;

static void note_recent(Reading *r, const Played *p) {
    int at = r->count;
    while (at > 0 && r->recent[at - 1].ended <= p->ended)
        at--;
    if (at >= WATCH_RECENT)
        return;
    if (r->count == WATCH_RECENT)
        text_free(&r->recent[--r->count].reason);
    memmove(&r->recent[at + 1], &r->recent[at], sizeof *r->recent * (size_t)(r->count - at));
    r->recent[at] = (Recent){.number = p->pairing.number,
                             .pairing = p->pairing,
                             .ending = p->ending,
                             .result = p->result,
                             .moves = p->moves,
                             .ended = p->ended};
    text_add(&r->recent[at].reason, text_c(&p->reason));
    r->count++;
}

static bool visit(void *with, const Played *p) {
    Reading *r = with;
    if (r->schedule)
        schedule_result(r->schedule, p->pairing.number, p->ending, p->result);
    note_recent(r, p);
    return results_add(r->results, p);
}

// How many games there will be follows from how many players the games have.
static Schedule *schedule_of(const Contest *c) {
    int players[CONTEST_GAMES];
    Text why = {0};
    bool ok = true;
    for (int i = 0; ok && i < c->games; i++) {
        Diags diags = {0};
        Game *g = game_load(c->game[i].name, c->game[i].params, c->game[i].param_count, &diags);
        ok = g != NULL;
        players[i] = ok ? g->ir->players : 0;
        game_free(g);
        diag_free(&diags);
    }
    Schedule *s = ok ? schedule_new(c, players, &why) : NULL;
    text_free(&why);
    return s;
}

// --- as text ---

static void add_number(double x, Text *out) {
    if (isfinite(x))
        text_f(out, "%.1f", x);
    else
        text_add(out, "null");
}

static void add_elo(const Results *r, Text *out) {
    text_add(out, ",\"elo\":[");
    for (int i = 0; i < r->n; i++) {
        int who = r->order[i];
        text_add(out, i ? ",{\"name\":" : "{\"name\":");
        text_json(out, r->contest->entrant[who].name);
        text_add(out, ",\"elo\":");
        add_number(r->side[who].elo, out);
        text_add(out, ",\"error\":");
        add_number(r->side[who].error, out);
        text_char(out, '}');
    }
    text_char(out, ']');
}

static void add_lengths(const Results *r, Text *out) {
    int n = 0;
    text_add(out, ",\"lengths\":[");
    for (int64_t i = 0; i < r->lengths;) {
        int64_t next = i;
        while (next < r->lengths && r->length[next] == r->length[i])
            next++;
        text_f(out, "%s{\"length\":%d,\"games\":%lld}", n++ ? "," : "", r->length[i],
               (long long)(next - i));
        i = next;
    }
    text_char(out, ']');
}

static void add_recent(const Reading *r, Text *out) {
    const Contest *c = r->results->contest;
    text_add(out, ",\"recent\":[");
    for (int i = 0; i < r->count; i++) {
        const Recent *game = &r->recent[i];
        int seats = results_seats(&game->pairing);
        text_f(out, "%s{\"number\":%lld,\"round\":%d,\"seats\":[", i ? "," : "",
               (long long)game->number, game->pairing.round);
        for (int k = 0; k < seats; k++) {
            text_add(out, k ? "," : "");
            text_json(out, c->entrant[game->pairing.seat[k]].name);
        }
        text_add(out, "],\"points\":[");
        for (int k = 0; k < seats; k++)
            text_f(out, "%s%.3g", k ? "," : "", results_points(game->result, k, seats));
        text_f(out, "],\"ending\":\"%s\",\"moves\":%d,\"reason\":", ending_name(game->ending),
               game->moves);
        text_json(out, text_c(&game->reason));
        text_char(out, '}');
    }
    text_char(out, ']');
}

static void add_seats(const Results *r, Text *out) {
    text_add(out, ",\"seats\":[");
    for (int i = 0; i < r->seats; i++) {
        const Score *s = &r->seat[i];
        text_add(out, i ? ",{\"name\":" : "{\"name\":");
        text_json(out, r->seat_name[i]);
        text_f(out, ",\"won\":%lld,\"drawn\":%lld,\"lost\":%lld}", (long long)s->won,
               (long long)s->drawn, (long long)s->lost);
    }
    text_char(out, ']');
}

static void write_contest(Reading *r, WatchContest *out) {
    const Contest *c = r->results->contest;
    Text *json = &out->json;
    text_add(&out->title, c->title);
    out->games = r->results->games + r->results->faults;
    out->of = r->schedule ? schedule_total(r->schedule) : 0;
    out->over = r->schedule && schedule_over(r->schedule);
    text_add(json, "\"title\":");
    text_json(json, c->title);
    text_f(json, ",\"games\":%lld,\"of\":", (long long)out->games);
    if (out->of)
        text_f(json, "%lld", (long long)out->of);
    else
        text_add(json, "null");
    text_f(json, ",\"over\":%s,\"game\":", out->over ? "true" : "false");
    text_json(json, c->games ? c->game[0].name : "");
    text_add(json, ",\"table\":");
    crosstable_json(r->results, json);
    add_elo(r->results, json);
    add_lengths(r->results, json);
    add_seats(r->results, json);
    add_recent(r, json);
}

// --- the archive ---

static bool read_contest(Archive *s, WatchContest *out, Text *why) {
    Reading *r = mem_alloc(sizeof *r);
    bool ok = r && (r->results = results_new(archive_contest(s)));
    if (ok)
        r->schedule = schedule_of(archive_contest(s));
    ok = ok && archive_each(s, visit, r, why) && results_finish(r->results);
    if (ok)
        write_contest(r, out);
    else if (!why->n)
        text_add(why, "out of memory");
    for (int i = 0; r && i < r->count; i++)
        text_free(&r->recent[i].reason);
    if (r) {
        schedule_free(r->schedule);
        results_free(r->results);
    }
    mem_free(r);
    return ok && !out->json.failed;
}

// A contest that is over does not change any more.
static const WatchContest *known(const WatchRead *before, const char *title) {
    for (int i = 0; before && i < before->contests; i++)
        if (before->contest[i].over && strcmp(text_c(&before->contest[i].title), title) == 0)
            return &before->contest[i];
    return NULL;
}

static void copy_contest(const WatchContest *from, WatchContest *to) {
    to->games = from->games;
    to->of = from->of;
    to->over = from->over;
    text_add(&to->title, text_c(&from->title));
    text_add(&to->json, text_c(&from->json));
}

bool watch_read(const char *path, const WatchRead *before, WatchRead *out, Text *why) {
    *out = (WatchRead){0};
    Archive *s = archive_read(path, why);
    int count = s ? archive_contests(s) : 0,
        first = count > WATCH_CONTESTS ? count - WATCH_CONTESTS : 0;
    out->contest = mem_alloc(sizeof *out->contest * (size_t)(count - first + 1));
    bool ok = s && out->contest;
    for (int i = first; ok && i < count; i++) {
        WatchContest *c = &out->contest[out->contests++];
        ok = archive_choose(s, i, why);
        const WatchContest *old = ok ? known(before, archive_contest(s)->title) : NULL;
        if (old)
            copy_contest(old, c);
        else
            ok = ok && read_contest(s, c, why);
    }
    archive_close(s);
    if (!ok)
        watch_read_free(out);
    return ok;
}

void watch_read_free(WatchRead *read) {
    for (int i = 0; i < read->contests; i++) {
        text_free(&read->contest[i].title);
        text_free(&read->contest[i].json);
    }
    mem_free(read->contest);
    *read = (WatchRead){0};
}
