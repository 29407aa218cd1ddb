// contest_show: the result of a contest as text and as JSON; see contest_run.h.
#include "cli/contest_run.h"

#include "match/contest_make.h"

#include <math.h>
#include <string.h>

#define NAME_WIDTH 40 // longer names are cut in tables

// --- text ---

static void add_name(Text *out, const char *name, int width) {
    int columns = text_columns(name);
    size_t n = 0;
    for (int i = 0; name[n] && i < width; i++) {
        int bytes = text_utf8(name + n, strlen(name + n));
        n += bytes ? (size_t)bytes : 1;
    }
    text_add_n(out, name, n);
    for (; columns < width; columns++)
        text_char(out, ' ');
}

static void add_standings(const ContestRun *r, Text *out) {
    const Contest *c = r->contest;
    Standing standing[CONTEST_ENTRANTS];
    schedule_standings(r->schedule, standing);
    int width = 8;
    for (int i = 0; i < c->entrants; i++) {
        int columns = text_columns(c->entrant[i].name);
        width = columns > width ? columns : width;
    }
    width = width > NAME_WIDTH ? NAME_WIDTH : width;
    text_add(out, "\n     ");
    add_name(out, "", width);
    text_f(out, "  games    won  drawn   lost   points%s%s\n", c->kind == SWISS ? "  buchholz" : "",
           c->kind == KNOCKOUT ? "  out in" : "");
    for (int i = 0; i < c->entrants; i++) {
        const Standing *s = &standing[i];
        text_f(out, "%3d  ", i + 1);
        add_name(out, c->entrant[s->entrant].name, width);
        text_f(out, "%7lld%7lld%7lld%7lld%9.1f", (long long)(s->won + s->drawn + s->lost),
               (long long)s->won, (long long)s->drawn, (long long)s->lost, s->points);
        if (c->kind == SWISS)
            text_f(out, "%10.1f", s->buchholz);
        if (c->kind == KNOCKOUT && i == 0 && schedule_over(r->schedule))
            text_add(out, "  winner");
        else if (c->kind == KNOCKOUT)
            text_f(out, "  round %d", s->round + 1);
        text_char(out, '\n');
    }
}

static void add_against(const ContestRun *r, Text *out) {
    Standing standing[CONTEST_ENTRANTS];
    int order[CONTEST_ENTRANTS];
    schedule_standings(r->schedule, standing);
    for (int i = 0; i < r->contest->entrants; i++)
        order[i] = standing[i].entrant;
    text_char(out, '\n');
    crosstable_against(r->results, order, cli_columns(), out);
}

static void add_elo(const ContestRun *r, Text *out) {
    const Contest *c = r->contest;
    Score score = schedule_score(r->schedule);
    if (score.won + score.drawn + score.lost == 0)
        return;
    Elo elo = elo_of(&score);
    text_f(out, "\n%s is ", c->entrant[0].name);
    if (fabs(elo.elo) < 0.5)
        text_f(out, "as strong as %s", c->entrant[1].name);
    else if (isfinite(elo.elo))
        text_f(out, "%.0f Elo %s than %s", fabs(elo.elo), elo.elo < 0 ? "weaker" : "stronger",
               c->entrant[1].name);
    else
        text_f(out, "%s than %s, by how much cannot be told", elo.elo > 0 ? "stronger" : "weaker",
               c->entrant[1].name);
    if (isfinite(elo.elo) && isfinite(elo.error))
        text_f(out, ", +- %.0f (95 %%); stronger with likelihood %.1f %%", elo.error,
               100 * elo.los);
    text_char(out, '\n');
    if (!c->sprt.on)
        return;
    double low, high;
    sprt_bounds(&c->sprt, &low, &high);
    SprtVerdict verdict = schedule_verdict(r->schedule);
    text_f(out, "SPRT %g against %g Elo: log likelihood ratio %.2f in (%.2f, %.2f): %s\n",
           c->sprt.elo0, c->sprt.elo1, sprt_llr(&c->sprt, &score), low, high,
           verdict == SPRT_H0   ? "the smaller holds"
           : verdict == SPRT_H1 ? "the larger holds"
                                : "not decided");
}

static void add_offences(const ContestRun *r, Text *out) {
    const Contest *c = r->contest;
    const int64_t *nobody = r->endings[CONTEST_ENTRANTS];
    if (nobody[END_LENGTH])
        text_f(out, "%lld games were longer than %d moves: drawn\n", (long long)nobody[END_LENGTH],
               c->plies);
    if (nobody[END_FAULT])
        text_f(out, "%lld games ended with a fault of the rules: no result\n",
               (long long)nobody[END_FAULT]);
    for (int i = 0; i < c->entrants; i++) {
        const char *comma = "";
        for (int e = 0; e < ENDINGS; e++) {
            if (!ending_is_offence((Ending)e) || !r->endings[i][e])
                continue;
            if (!comma[0])
                text_f(out, "%s lost by ", c->entrant[i].name);
            text_f(out, "%s%s (%lld)", comma, ending_name((Ending)e), (long long)r->endings[i][e]);
            comma = ", ";
        }
        text_add(out, comma[0] ? "\n" : "");
    }
}

static void add_seats(const ContestRun *r, Text *out) {
    if (r->contest->games != 1)
        return;
    const IrGame *ir = r->games[0]->ir;
    for (int i = 0; i < ir->players; i++)
        text_f(out, "%s%s won %lld", i ? ", " : "", ir->player[i], (long long)r->won[i]);
    text_f(out, ", drawn %lld\n", (long long)r->drawn);
}

void contest_show(const ContestRun *r, Text *out) {
    const Contest *c = r->contest;
    int64_t played = schedule_played(r->schedule);
    text_f(out, "%s\n", c->title);
    text_f(out, "%lld game%s, %.1f moves in a game, seed %llu\n", (long long)played,
           played == 1 ? "" : "s", played ? (double)r->moves / (double)played : 0.0,
           (unsigned long long)c->seed);
    add_standings(r, out);
    if (r->results)
        add_against(r, out);
    if (c->kind == MATCH && c->entrants == 2)
        add_elo(r, out);
    else
        text_char(out, '\n');
    add_seats(r, out);
    add_offences(r, out);
    text_f(out, "kept in %s\n", r->db);
}

// --- JSON ---

static void add_number(Text *out, const char *name, int digits, double value) {
    if (isfinite(value))
        text_f(out, "\"%s\":%.*f", name, digits, value);
    else
        text_f(out, "\"%s\":null", name);
}

static void json_entrants(const ContestRun *r, Text *out) {
    const Contest *c = r->contest;
    Standing standing[CONTEST_ENTRANTS];
    schedule_standings(r->schedule, standing);
    for (int i = 0; i < c->entrants; i++) {
        const Standing *s = &standing[i];
        const char *comma = "";
        text_add(out, i ? ",{\"name\":" : "{\"name\":");
        text_json(out, c->entrant[s->entrant].name);
        text_add(out, ",\"player\":");
        text_json(out, c->entrant[s->entrant].text);
        text_f(out, ",\"won\":%lld,\"drawn\":%lld,\"lost\":%lld,\"points\":%.9g", (long long)s->won,
               (long long)s->drawn, (long long)s->lost, s->points);
        if (c->kind == SWISS)
            text_f(out, ",\"buchholz\":%.9g", s->buchholz);
        if (c->kind == KNOCKOUT)
            text_f(out, ",\"round\":%d", s->round + 1);
        text_add(out, ",\"offences\":{");
        for (int e = 0; e < ENDINGS; e++)
            if (ending_is_offence((Ending)e) && r->endings[s->entrant][e]) {
                text_f(out, "%s\"%s\":%lld", comma, ending_name((Ending)e),
                       (long long)r->endings[s->entrant][e]);
                comma = ",";
            }
        text_add(out, "}}");
    }
}

static void json_elo(const ContestRun *r, Text *out) {
    const Contest *c = r->contest;
    Score score = schedule_score(r->schedule);
    Elo elo = elo_of(&score);
    text_add(out, ",\"elo\":{");
    add_number(out, "difference", 2, elo.elo);
    text_char(out, ',');
    add_number(out, "error", 2, elo.error);
    text_char(out, ',');
    add_number(out, "superiority", 4, elo.los);
    text_char(out, '}');
    if (!c->sprt.on)
        return;
    double low, high;
    static const char *const verdicts[] = {"open", "smaller", "larger"};
    sprt_bounds(&c->sprt, &low, &high);
    text_f(out, ",\"sprt\":{\"elo0\":%g,\"elo1\":%g,", c->sprt.elo0, c->sprt.elo1);
    add_number(out, "llr", 4, sprt_llr(&c->sprt, &score));
    text_f(out, ",\"lower\":%.4f,\"upper\":%.4f,\"verdict\":\"%s\"}", low, high,
           verdicts[schedule_verdict(r->schedule)]);
}

void contest_show_json(const ContestRun *r, bool over, Text *out) {
    const Contest *c = r->contest;
    text_add(out, "{\"title\":");
    text_json(out, c->title);
    text_f(out, ",\"kind\":\"%s\",\"seed\":%llu,\"played\":%lld,\"total\":%lld,\"over\":%s",
           contest_kind_name(c->kind), (unsigned long long)c->seed,
           (long long)schedule_played(r->schedule), (long long)schedule_total(r->schedule),
           over ? "true" : "false");
    text_add(out, ",\"entrants\":[");
    json_entrants(r, out);
    text_char(out, ']');
    if (c->kind == MATCH && c->entrants == 2)
        json_elo(r, out);
    text_add(out, ",\"endings\":{");
    const char *comma = "";
    for (int e = 0; e < ENDINGS; e++) {
        int64_t n = 0;
        for (int i = 0; i <= CONTEST_ENTRANTS; i++)
            n += r->endings[i][e];
        if (n) {
            text_f(out, "%s\"%s\":%lld", comma, ending_name((Ending)e), (long long)n);
            comma = ",";
        }
    }
    text_f(out, "},\"moves\":%lld,\"db\":", (long long)r->moves);
    text_json(out, r->db);
    text_add(out, "}\n");
}
