// export: games for spreadsheets and programs; see export.h.
#include "match/export.h"
#include "match/results.h"

#include <string.h>

void export_game_name(const ContestGame *g, Text *out) {
    text_add(out, g->name);
    for (int i = 0; i < g->param_count; i++)
        text_f(out, " %s", g->params[i]);
}

// --- CSV, as RFC 4180 has it, with plain line ends ---

static void csv_text(Text *out, const char *s) {
    if (!s[strcspn(s, ",\"\r\n")] && s[0] != ' ') {
        text_add(out, s);
        return;
    }
    text_char(out, '"');
    for (; *s; s++) {
        if (*s == '"')
            text_char(out, '"');
        text_char(out, *s);
    }
    text_char(out, '"');
}

void export_csv_head(int seats, Text *out) {
    text_add(out, "contest,number,round,game,result,ending,reason,culprit,moves,opening_moves,"
                  "opening_seed,seed,began,ended");
    for (int i = 1; i <= seats; i++)
        text_f(out, ",player%d,points%d,seconds%d", i, i, i);
    text_char(out, '\n');
}

// Who has won, by number from 1: `1`, `2`, `draw`, `1+3`; `none` without a result.
static void winners_text(const Played *p, Text *out) {
    int winners = p->result & 0x7F, shown = 0;
    if (p->ending == END_FAULT)
        text_add(out, "none");
    else if (winners == 0)
        text_add(out, results_seats(&p->pairing) == 1 ? "lost" : "draw");
    for (int i = 0; i < IR_MAX_PLAYERS && p->ending != END_FAULT; i++)
        if (winners >> i & 1)
            text_f(out, "%s%d", shown++ ? "+" : "", i + 1);
}

void export_csv(const Contest *c, const Played *p, int seats, Text *out) {
    Text game = {0};
    export_game_name(&c->game[p->pairing.game], &game);
    csv_text(out, c->title);
    text_f(out, ",%lld,%d,", (long long)p->pairing.number + 1, p->pairing.round + 1);
    csv_text(out, text_c(&game));
    text_char(out, ',');
    winners_text(p, out);
    text_f(out, ",%s,", ending_name(p->ending));
    csv_text(out, text_c(&p->reason));
    text_char(out, ',');
    if (p->culprit >= 0 && p->culprit < IR_MAX_PLAYERS && p->pairing.seat[p->culprit] >= 0)
        csv_text(out, c->entrant[p->pairing.seat[p->culprit]].name);
    text_f(out, ",%d,%d,%llu,%llu,%.3f,%.3f", p->moves, p->openings,
           (unsigned long long)p->pairing.opening, (unsigned long long)p->pairing.seed, p->began,
           p->ended);
    int players = results_seats(&p->pairing);
    for (int i = 0; i < seats; i++) {
        text_char(out, ',');
        if (i < players) {
            csv_text(out, c->entrant[p->pairing.seat[i]].name);
            text_char(out, ',');
            if (p->ending != END_FAULT)
                text_f(out, "%.4g", results_points(p->result, i, players));
            text_f(out, ",%.6f", p->seconds[i]);
        } else {
            text_add(out, ",,");
        }
    }
    text_char(out, '\n');
    text_free(&game);
}

// --- JSON lines ---

static void json_players(const Contest *c, const Played *p, Text *out) {
    int players = results_seats(&p->pairing);
    text_add(out, ",\"players\":[");
    for (int i = 0; i < players; i++) {
        const Entrant *e = &c->entrant[p->pairing.seat[i]];
        text_add(out, i ? ",{\"name\":" : "{\"name\":");
        text_json(out, e->name);
        text_add(out, ",\"player\":");
        text_json(out, e->text);
        if (p->ending == END_FAULT)
            text_add(out, ",\"points\":null");
        else
            text_f(out, ",\"points\":%.4g", results_points(p->result, i, players));
        text_f(out, ",\"seconds\":%.6f}", p->seconds[i]);
    }
    text_char(out, ']');
}

static void json_moves(const Played *p, Text *out) {
    text_add(out, ",\"moves\":[");
    for (int i = 0; i < p->moves; i++) {
        const PlayedMove *m = &p->move[i];
        text_f(out, "%s{\"seconds\":%.6f", i ? "," : "", m->seconds);
        if (m->known)
            text_f(out, ",\"nodes\":%lld,\"depth\":%d,\"value\":%d", (long long)m->nodes, m->depth,
                   m->value);
        text_char(out, '}');
    }
    text_char(out, ']');
}

void export_json(const Contest *c, const Played *p, Text *out) {
    const ContestGame *g = &c->game[p->pairing.game];
    text_add(out, "{\"contest\":");
    text_json(out, c->title);
    text_f(out, ",\"number\":%lld,\"round\":%d,\"game\":", (long long)p->pairing.number + 1,
           p->pairing.round + 1);
    text_json(out, g->name);
    text_add(out, ",\"params\":[");
    for (int i = 0; i < g->param_count; i++) {
        text_add(out, i ? "," : "");
        text_json(out, g->params[i]);
    }
    text_add(out, "],\"result\":\"");
    winners_text(p, out);
    text_f(out, "\",\"ending\":\"%s\",\"reason\":", ending_name(p->ending));
    text_json(out, text_c(&p->reason));
    text_add(out, ",\"culprit\":");
    if (p->culprit >= 0)
        text_f(out, "%d", p->culprit + 1);
    else
        text_add(out, "null");
    // Seeds are larger than the numbers that all readers of JSON keep exact.
    text_f(out, ",\"opening_seed\":\"%llu\",\"seed\":\"%llu\",\"opening_moves\":%d",
           (unsigned long long)p->pairing.opening, (unsigned long long)p->pairing.seed,
           p->openings);
    text_f(out, ",\"began\":%.3f,\"ended\":%.3f", p->began, p->ended);
    json_players(c, p, out);
    json_moves(p, out);
    text_add(out, ",\"record\":");
    text_json(out, text_c(&p->record));
    text_add(out, ",\"log\":");
    text_json(out, text_c(&p->log));
    text_add(out, "}\n");
}
