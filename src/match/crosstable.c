// crosstable: results of all against all as text and as JSON; see results.h.
#include "match/results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAME_WIDTH 32 // longer names are cut
#define CELL 8        // columns of a score against somebody

void crosstable_name(const char *name, int width, Text *out) {
    size_t n = 0;
    int columns = 0;
    for (; name[n] && columns < width; columns++) {
        int bytes = text_utf8(name + n, strlen(name + n));
        n += bytes ? (size_t)bytes : 1;
    }
    text_visible(out, name, n);
    for (; columns < width; columns++)
        text_char(out, ' ');
}

void elo_text(double elo, double error, Text *out) {
    elo = fabs(elo) < 0.5 ? 0 : elo; // neither -0 nor +0
    if (!isfinite(elo))
        text_add(out, elo > 0 ? "all won" : "all lost");
    else if (isfinite(error) && error < 1500)
        text_f(out, elo == 0 ? "%.0f ± %.0f" : "%+.0f ± %.0f", elo, error);
    else
        text_f(out, elo == 0 ? "%.0f ± ?" : "%+.0f ± ?", elo);
}

static int name_width(const Results *r) {
    int width = 9;
    for (int i = 0; i < r->n; i++) {
        int columns = text_columns(r->contest->entrant[i].name);
        width = columns > width ? columns : width;
    }
    return width < NAME_WIDTH ? width : NAME_WIDTH;
}

static void add_cell(const Score *s, Text *out) {
    if (s->won + s->drawn + s->lost == 0)
        text_f(out, "%*s", CELL, ".");
    else
        text_f(out, "%*.1f", CELL, (double)s->won + 0.5 * (double)s->drawn);
}

static void add_row(const Results *r, int rank, int width, bool all, Text *out) {
    int i = r->order[rank];
    const ResultsSide *side = &r->side[i];
    Text elo = {0};
    elo_text(side->elo, side->error, &elo);
    text_f(out, "%3d  ", rank + 1);
    crosstable_name(r->contest->entrant[i].name, width, out);
    text_add(out, "  ");
    crosstable_name(text_c(&elo), 12, out);
    text_f(out, "%8.1f%7lld%7lld%7lld", side->points, (long long)side->score.won,
           (long long)side->score.drawn, (long long)side->score.lost);
    for (int k = 0; all && k < r->n; k++)
        if (k == rank)
            text_f(out, "%*s", CELL, "-");
        else
            add_cell(&r->score[i * r->n + r->order[k]], out);
    text_char(out, '\n');
    text_free(&elo);
}

static void add_seats(const Results *r, int width, Text *out) {
    text_f(out, "\n     %-*s", width, "points as");
    for (int k = 0; k < r->seats; k++) {
        char name[48];
        snprintf(name, sizeof name, "player %d", k + 1);
        text_add(out, "  ");
        const char *shown = r->seat_name[k][0] ? r->seat_name[k] : name;
        crosstable_name(shown, k + 1 < r->seats ? 16 : text_columns(shown), out);
    }
    text_char(out, '\n');
    for (int rank = 0; rank < r->n; rank++) {
        int i = r->order[rank];
        text_f(out, "%3d  ", rank + 1);
        crosstable_name(r->contest->entrant[i].name, width, out);
        for (int k = 0; k < r->seats; k++) {
            const Score *s = &r->side[i].seat[k];
            int64_t games = s->won + s->drawn + s->lost;
            char cell[48] = "-";
            if (games)
                snprintf(cell, sizeof cell, "%.1f of %lld", r->side[i].seat_points[k],
                         (long long)games);
            text_f(out, "  %*s", k + 1 < r->seats ? -16 : 0, cell);
        }
        text_char(out, '\n');
    }
}

void crosstable_text(const Results *r, int width, Text *out) {
    int names = name_width(r);
    bool all = r->n > 1 && 5 + names + 14 + 29 + CELL * r->n <= width;
    text_f(out, "%s: %lld game%s\n\n", r->contest->title, (long long)r->games,
           r->games == 1 ? "" : "s");
    text_f(out, "     %-*s  %-12s%8s%7s%7s%7s", names, "", "Elo", "points", "won", "drawn", "lost");
    for (int k = 0; all && k < r->n; k++)
        text_f(out, "%*d", CELL, k + 1);
    text_char(out, '\n');
    for (int rank = 0; rank < r->n; rank++)
        add_row(r, rank, names, all, out);
    if (r->seats > 1)
        add_seats(r, names, out);
    text_add(out, "\nElo is relative to the mean of all, with the error at 95 %.\n");
    for (int i = 0; i < r->n; i++)
        if (r->side[i].offences)
            text_f(out, "%s lost %lld game%s by an offence.\n", r->contest->entrant[i].name,
                   (long long)r->side[i].offences, r->side[i].offences == 1 ? "" : "s");
    if (r->faults)
        text_f(out, "%lld games ended without a result: the rules failed.\n", (long long)r->faults);
}

void crosstable_against(const Results *r, const int *order, int width, Text *out) {
    int names = name_width(r);
    bool all = 5 + names + CELL * r->n + 14 <= width;
    crosstable_name(all ? "points against" : "", 5 + names, out);
    for (int k = 0; all && k < r->n; k++)
        text_f(out, "%*d", CELL, k + 1);
    text_add(out, "  Elo\n");
    for (int rank = 0; rank < r->n; rank++) {
        int i = order[rank];
        text_f(out, "%3d  ", rank + 1);
        crosstable_name(r->contest->entrant[i].name, names, out);
        for (int k = 0; all && k < r->n; k++)
            if (k == rank)
                text_f(out, "%*s", CELL, "-");
            else
                add_cell(&r->score[i * r->n + order[k]], out);
        text_add(out, "  ");
        elo_text(r->side[i].elo, r->side[i].error, out);
        text_char(out, '\n');
    }
}

static void json_score(const Score *s, Text *out) {
    text_f(out, "{\"won\":%lld,\"drawn\":%lld,\"lost\":%lld}", (long long)s->won,
           (long long)s->drawn, (long long)s->lost);
}

void crosstable_json(const Results *r, Text *out) {
    text_add(out, "{\"title\":");
    text_json(out, r->contest->title);
    text_f(out, ",\"games\":%lld,\"faults\":%lld,\"entrants\":[", (long long)r->games,
           (long long)r->faults);
    for (int rank = 0; rank < r->n; rank++) {
        int i = r->order[rank];
        const ResultsSide *side = &r->side[i];
        text_add(out, rank ? ",{\"name\":" : "{\"name\":");
        text_json(out, r->contest->entrant[i].name);
        text_add(out, ",\"player\":");
        text_json(out, r->contest->entrant[i].text);
        text_f(out, ",\"elo\":%.2f,\"error\":%.2f,\"points\":%.3f,\"offences\":%lld,\"score\":",
               side->elo, side->error, side->points, (long long)side->offences);
        json_score(&side->score, out);
        text_add(out, ",\"seats\":[");
        for (int k = 0; k < r->seats; k++) {
            text_add(out, k ? "," : "");
            json_score(&side->seat[k], out);
        }
        text_add(out, "],\"against\":{");
        for (int k = 0, shown = 0; k < r->n; k++) {
            const Score *s = &r->score[i * r->n + r->order[k]];
            if (s->won + s->drawn + s->lost == 0)
                continue;
            text_add(out, shown++ ? "," : "");
            text_json(out, r->contest->entrant[r->order[k]].name);
            text_char(out, ':');
            json_score(s, out);
        }
        text_add(out, "}}");
    }
    text_add(out, "]}");
}
