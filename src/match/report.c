// report: see report.h.
#include "match/report.h"
#include "match/contest_make.h"
#include "match/export.h"

#include "ludens.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char style[] =
    ":root{--ink:#1c2126;--soft:#5a646e;--page:#fff;--line:#d5dae0;--field:#f4f6f8;"
    "--won:#2f8f5b;--drawn:#a8b1ba;--lost:#c4553b;--bar:#3b6ea8}\n"
    "@media (prefers-color-scheme:dark){:root{--ink:#e6e9ec;--soft:#a3adb7;--page:#15191d;"
    "--line:#38414a;--field:#1e242a;--won:#4fb37c;--drawn:#6d7780;--lost:#dd7a62;--bar:#6c9fd8}}\n"
    "@media print{:root{--ink:#000;--soft:#444;--page:#fff;--line:#999;--field:#fff}"
    "section{break-inside:avoid}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:60rem;padding:1rem;font:16px/1.5 system-ui,sans-serif;"
    "color:var(--ink);background:var(--page)}\n"
    "h1{font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}h2{font-size:1.15rem;"
    "margin:2rem 0 .5rem}\n"
    "p.soft,figcaption{color:var(--soft)}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:right;"
    "white-space:nowrap}\n"
    "th:nth-child(2),td:nth-child(2),.left th,.left td{text-align:left}\n"
    "td.self{background:var(--field)}\n"
    "svg{display:block;width:100%;max-width:36rem;height:auto;font:11px system-ui,sans-serif;"
    "margin:.5rem 0}\n"
    "svg text{fill:var(--ink)}.won{fill:var(--won)}.drawn{fill:var(--drawn)}"
    ".lost{fill:var(--lost)}.bar{fill:var(--bar)}\n"
    ".error{stroke:var(--bar);stroke-width:2}.axis{stroke:var(--line);stroke-width:1}\n"
    "pre{overflow-x:auto;background:var(--field);padding:.6rem;border:1px solid var(--line);"
    "font-size:.85rem}\n"
    "i.won,i.drawn,i.lost{display:inline-block;width:.8em;height:.8em;margin:0 .2em 0 .6em}"
    "i.won{background:var(--won)}i.drawn{background:var(--drawn)}i.lost{background:var(--lost)}\n";

void report_escape(Text *out, const char *s) {
    Text visible = {0};
    text_visible(&visible, s, strlen(s));
    for (const char *c = text_c(&visible); *c; c++)
        switch (*c) {
        case '&': text_add(out, "&amp;"); break;
        case '<': text_add(out, "&lt;"); break;
        case '>': text_add(out, "&gt;"); break;
        case '"': text_add(out, "&quot;"); break;
        default: text_char(out, *c);
        }
    out->failed = out->failed || visible.failed;
    text_free(&visible);
}

// Lines stay lines.
static void escape_lines(Text *out, const char *s) {
    Text line = {0};
    while (*s) {
        size_t n = strcspn(s, "\n");
        text_clear(&line);
        text_add_n(&line, s, n);
        report_escape(out, text_c(&line));
        s += n;
        if (*s == '\n') {
            text_char(out, '\n');
            s++;
        }
    }
    text_free(&line);
}

void report_begin(Text *out, const char *title) {
    text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                  "<meta name=\"color-scheme\" content=\"light dark\">\n"
                  "<link rel=\"icon\" href=\"data:,\">\n<title>");
    report_escape(out, title);
    text_f(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", style);
}

void report_end(Text *out) {
    text_f(out, "<p class=\"soft\">Written by Ludens %s.</p>\n</body>\n</html>\n",
           ludens_version());
}

// --- parts ---

static void add_head(const Results *r, Text *out) {
    const Contest *c = r->contest;
    Text games = {0};
    for (int i = 0; i < c->games; i++) {
        text_add(&games, i ? ", " : "");
        export_game_name(&c->game[i], &games);
    }
    text_add(out, "<h1>");
    report_escape(out, c->title);
    text_f(out, "</h1>\n<p>%lld games of ", (long long)r->games);
    report_escape(out, text_c(&games));
    text_f(out, ", %s of %d, seed %llu", contest_kind_name(c->kind), c->entrants,
           (unsigned long long)c->seed);
    time_t when = (time_t)r->began;
    struct tm tm;
    char date[40];
    if (r->began > 0 && r->began < 4e9 && gmtime_r(&when, &tm) &&
        strftime(date, sizeof date, "%Y-%m-%d %H:%M", &tm))
        text_f(out, ", begun %s UTC", date);
    text_add(out, ".</p>\n");
    if (r->faults)
        text_f(out, "<p>%lld games have no result: the rules failed.</p>\n", (long long)r->faults);
    text_free(&games);
}

static void add_cell(const Score *s, double points, Text *out) {
    if (s->won + s->drawn + s->lost == 0)
        text_add(out, "<td></td>");
    else
        text_f(out, "<td title=\"%lld won, %lld drawn, %lld lost\">%.1f</td>", (long long)s->won,
               (long long)s->drawn, (long long)s->lost, points);
}

static void add_against(const Score *s, Text *out) {
    add_cell(s, (double)s->won + 0.5 * (double)s->drawn, out);
}

static void add_table(const Results *r, Text *out) {
    text_add(out,
             "<section><h2>Table</h2>\n<div class=\"wide\"><table>\n<tr><th></th><th>player</th>"
             "<th>Elo</th><th>points</th><th>won</th><th>drawn</th><th>lost</th>");
    for (int k = 0; k < r->n; k++)
        text_f(out, "<th>%d</th>", k + 1);
    text_add(out, "</tr>\n");
    for (int rank = 0; rank < r->n; rank++) {
        int i = r->order[rank];
        const ResultsSide *side = &r->side[i];
        text_f(out, "<tr><td>%d</td><td title=\"", rank + 1);
        report_escape(out, r->contest->entrant[i].text);
        text_add(out, "\">");
        report_escape(out, r->contest->entrant[i].name);
        text_add(out, "</td><td>");
        elo_text(side->elo, side->error, out);
        text_f(out, "</td><td>%.1f</td><td>%lld</td><td>%lld</td><td>%lld</td>", side->points,
               (long long)side->score.won, (long long)side->score.drawn,
               (long long)side->score.lost);
        for (int k = 0; k < r->n; k++)
            if (k == rank)
                text_add(out, "<td class=\"self\"></td>");
            else
                add_against(&r->score[i * r->n + r->order[k]], out);
        text_add(out, "</tr>\n");
    }
    text_add(out, "</table></div></section>\n<section><h2>Elo</h2>\n");
    plot_ratings(r, out);
    text_add(out, "<p class=\"soft\">Relative to the mean of all; with 95 % certainty the true "
                  "value lies within the line.</p></section>\n");
}

static void add_verdict(const Results *r, Text *out) {
    const Contest *c = r->contest;
    if (c->kind != MATCH || r->n != 2)
        return;
    Elo e = elo_of(&r->score[1]);
    text_add(out, "<p>");
    report_escape(out, c->entrant[0].name);
    text_add(out, " against ");
    report_escape(out, c->entrant[1].name);
    text_add(out, ": Elo ");
    elo_text(e.elo, e.error, out);
    text_f(out, ", likelihood of superiority %.1f %%", 100 * e.los);
    if (c->sprt.on) {
        double low, high;
        sprt_bounds(&c->sprt, &low, &high);
        text_f(out, "; SPRT of %g against %g Elo: %.2f within %.2f and %.2f", c->sprt.elo0,
               c->sprt.elo1, sprt_llr(&c->sprt, &r->score[1]), low, high);
    }
    text_add(out, ".</p>\n");
}

static const char legend[] =
    "<p class=\"soft\"><i class=\"won\"></i>won<i class=\"drawn\"></i>drawn"
    "<i class=\"lost\"></i>lost</p>\n";

static PlotBar bar_of(const Score *s, const char *label, char *note, size_t size) {
    snprintf(note, size, "%lld/%lld/%lld", (long long)s->won, (long long)s->drawn,
             (long long)s->lost);
    return (PlotBar){label, {(double)s->won, (double)s->drawn, (double)s->lost}, note};
}

static void add_seats(const Results *r, Text *out) {
    PlotBar bar[IR_MAX_PLAYERS];
    char label[IR_MAX_PLAYERS][48], note[IR_MAX_PLAYERS][72];
    if (r->seats < 2)
        return;
    for (int k = 0; k < r->seats; k++) {
        snprintf(label[k], sizeof label[k], "player %d", k + 1);
        bar[k] = bar_of(&r->seat[k], r->seat_name[k][0] ? r->seat_name[k] : label[k], note[k],
                        sizeof note[k]);
    }
    text_add(out, "<section><h2>Score by seat</h2>\n");
    plot_bars(bar, r->seats, true, "Score of each seat", out);
    text_add(out, legend);
    text_add(out, "<div class=\"wide\"><table>\n<tr><th></th><th>player</th>");
    for (int k = 0; k < r->seats; k++) {
        text_add(out, "<th>as ");
        report_escape(out, bar[k].label);
        text_add(out, "</th>");
    }
    text_add(out, "</tr>\n");
    for (int rank = 0; rank < r->n; rank++) {
        int i = r->order[rank];
        text_f(out, "<tr><td>%d</td><td>", rank + 1);
        report_escape(out, r->contest->entrant[i].name);
        text_add(out, "</td>");
        for (int k = 0; k < r->seats; k++)
            add_cell(&r->side[i].seat[k], r->side[i].seat_points[k], out);
        text_add(out, "</tr>\n");
    }
    text_add(out, "</table></div></section>\n");
}

static void add_lengths(const Results *r, Text *out) {
    if (r->lengths == 0)
        return;
    double sum = 0;
    for (int64_t i = 0; i < r->lengths; i++)
        sum += r->length[i];
    text_f(out, "<section><h2>Lengths of games</h2>\n<p>%d to %d moves, %.1f on average.</p>\n",
           r->length[0], r->length[r->lengths - 1], sum / (double)r->lengths);
    plot_lengths(r->length, r->lengths, out);
    text_add(out, "</section>\n");
}

static bool add_times(const Results *r, Text *out) {
    PlotBar *bar = mem_alloc(sizeof *bar * (size_t)r->n);
    char(*note)[48] = mem_alloc(sizeof *note * (size_t)r->n);
    for (int rank = 0; bar && note && rank < r->n; rank++) {
        const ResultsSide *side = &r->side[r->order[rank]];
        double each = side->moves ? side->seconds / (double)side->moves : 0;
        snprintf(note[rank], sizeof note[rank],
                 each >= 1      ? "%.2f s"
                 : each >= 1e-4 ? "%.1f ms"
                                : "%.1f µs",
                 each >= 1      ? each
                 : each >= 1e-4 ? 1e3 * each
                                : 1e6 * each);
        bar[rank] = (PlotBar){r->contest->entrant[r->order[rank]].name, {each, 0, 0}, note[rank]};
    }
    bool ok = bar && note;
    if (ok) {
        text_add(out, "<section><h2>Time for a move</h2>\n");
        plot_bars(bar, r->n, false, "Mean time for a move", out);
        text_add(out, "<div class=\"wide\"><table>\n<tr><th></th><th>player</th><th>moves</th>"
                      "<th>mean</th><th>longest</th><th>in all</th><th>nodes a second</th></tr>\n");
        for (int rank = 0; rank < r->n; rank++) {
            const ResultsSide *side = &r->side[r->order[rank]];
            text_f(out, "<tr><td>%d</td><td>", rank + 1);
            report_escape(out, r->contest->entrant[r->order[rank]].name);
            text_f(out, "</td><td>%lld</td><td>%s</td><td>%.3f s</td><td>%.1f s</td>",
                   (long long)side->moves, note[rank], side->longest, side->seconds);
            if (side->nodes && side->seconds > 0)
                text_f(out, "<td>%.0f</td></tr>\n", (double)side->nodes / side->seconds);
            else
                text_add(out, "<td></td></tr>\n");
        }
        text_add(out, "</table></div></section>\n");
    }
    mem_free(bar);
    mem_free(note);
    return ok;
}

static void add_openings(const Results *r, Text *out) {
    int n = r->openings < RESULTS_OPENINGS ? r->openings : RESULTS_OPENINGS;
    PlotBar bar[RESULTS_OPENINGS];
    char note[RESULTS_OPENINGS][72];
    if (n == 0)
        return;
    for (int i = 0; i < n; i++)
        bar[i] = bar_of(&r->opening[i].first, r->opening[i].text, note[i], sizeof note[i]);
    text_f(out,
           "<section><h2>Openings</h2>\n<p>%d different ones%s; score of who moves first.</p>\n",
           r->openings, r->openings > n ? ", the most frequent of them here" : "");
    plot_bars(bar, n, true, "Openings with the score of the first seat", out);
    text_add(out, legend);
    text_add(out, "</section>\n");
}

static void add_offences(const Results *r, Text *out) {
    text_add(out,
             "<section><h2>How games ended</h2>\n<div class=\"wide\"><table class=\"left\">\n");
    static const char *const words[] = {
        [END_RULES] = "by the rules",
        [END_LENGTH] = "too long: drawn",
        [END_TIME] = "overstepped the time",
        [END_ILLEGAL] = "an illegal move",
        [END_NONSENSE] = "an answer that is none",
        [END_SILENCE] = "no answer",
        [END_CRASH] = "ended or could not be started",
        [END_LIMIT] = "too much memory, output or processes",
        [END_FAULT] = "the rules failed: no result",
        [END_STOPPED] = "stopped",
    };
    for (int e = 0; e <= END_STOPPED; e++)
        if (r->ending[e])
            text_f(out, "<tr><td>%s</td><td>%lld</td></tr>\n", words[e], (long long)r->ending[e]);
    text_add(out, "</table></div></section>\n");
    if (r->offences_all == 0)
        return;
    text_f(out, "<section><h2>Offences</h2>\n<p>%lld games were lost by them",
           (long long)r->offences_all);
    text_f(out, "%s.</p>\n", r->offences < r->offences_all ? "; the first of them" : "");
    for (int i = 0; i < r->offences; i++) {
        const ResultsOffence *o = &r->offence[i];
        text_f(out, "<details%s><summary>", r->offences <= 5 ? " open" : "");
        report_escape(out, r->contest->entrant[o->entrant].name);
        text_f(out, ", game %lld: %s: ", (long long)o->number + 1, words[o->ending]);
        report_escape(out, text_c(&o->reason));
        text_add(out, "</summary>\n");
        if (o->log.n) {
            text_add(out, "<pre>");
            escape_lines(out, text_c(&o->log));
            text_add(out, "</pre>");
        }
        text_add(out, "</details>\n");
    }
    text_add(out, "</section>\n");
}

void report_contest(const Results *r, Text *out) {
    add_head(r, out);
    add_verdict(r, out);
    add_table(r, out);
    add_seats(r, out);
    add_lengths(r, out);
    out->failed = !add_times(r, out) || out->failed;
    add_openings(r, out);
    add_offences(r, out);
}
