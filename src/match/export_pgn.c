// export_pgn: games in Portable Game Notation; see export.h.
//
// The notation was made for chess. Programs that rate players read the tags and only step over the
// moves, but they do so by its rules: a move is a letter or a digit and then letters, digits and
// _ + # = : -, and nothing that could be the number of a move or a result. Moves of other games are
// changed until they fit; the record (`--format records`) has them as they are.
#include "match/contest_make.h"
#include "match/export.h"
#include "match/record_words.h"
#include "match/results.h"
#include "search/search.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LINE 80

static void add_tag(Text *out, const char *name, const char *value) {
    text_f(out, "[%s \"", name);
    for (const char *s = value; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_char(out, '\\');
        text_char(out, (unsigned char)*s < ' ' ? ' ' : *s);
    }
    text_add(out, "\"]\n");
}

static void add_time_tags(const Played *p, Text *out, const char *date_name,
                          const char *time_name) {
    time_t when = (time_t)p->began;
    struct tm tm;
    char date[32] = "????.??.??", clock[32] = "??:??:??";
    if (p->began > 0 && p->began < 4e9 && gmtime_r(&when, &tm)) {
        strftime(date, sizeof date, "%Y.%m.%d", &tm);
        strftime(clock, sizeof clock, "%H:%M:%S", &tm);
    }
    add_tag(out, date_name, date);
    if (time_name)
        add_tag(out, time_name, clock);
}

// By the points of the first two seats, who stand for White and Black.
static const char *result_text(const Played *p, int seats) {
    if (p->ending == END_FAULT || seats == 0)
        return "*";
    double white = results_points(p->result, 0, seats);
    double black = seats > 1 ? results_points(p->result, 1, seats) : 0.5;
    return white > black ? "1-0" : white < black ? "0-1" : "1/2-1/2";
}

static const char *termination(Ending e) {
    switch (e) {
    case END_RULES: return "normal";
    case END_LENGTH: return "adjudication";
    case END_TIME: return "time forfeit";
    case END_FAULT:
    case END_STOPPED: return "unterminated";
    case END_CRASH:
    case END_SILENCE: return "abandoned";
    default: return "rules infraction";
    }
}

static void add_tags(const Contest *c, const Played *p, Text *out) {
    int seats = results_seats(&p->pairing);
    const int *seat = p->pairing.seat;
    Text t = {0};
    add_tag(out, "Event", c->title);
    add_tag(out, "Site", "Ludens");
    add_time_tags(p, out, "Date", NULL);
    text_f(&t, "%d.%lld", p->pairing.round + 1, (long long)p->pairing.number + 1);
    add_tag(out, "Round", text_c(&t));
    add_tag(out, "White", seats > 0 ? c->entrant[seat[0]].name : "?");
    add_tag(out, "Black", seats > 1 ? c->entrant[seat[1]].name : "-");
    add_tag(out, "Result", result_text(p, seats));
    text_clear(&t);
    export_game_name(&c->game[p->pairing.game], &t);
    add_tag(out, "Variant", text_c(&t));
    for (int i = 2; i < seats; i++) {
        char name[16] = "Player0";
        name[6] = (char)('1' + i);
        add_tag(out, name, c->entrant[seat[i]].name);
    }
    add_time_tags(p, out, "UTCDate", "UTCTime");
    text_clear(&t);
    text_f(&t, "%d", p->moves);
    add_tag(out, "PlyCount", text_c(&t));
    for (int i = 0; i < seats && i < 2; i++) {
        text_clear(&t);
        time_control_text(&c->entrant[seat[i]].time, &t);
        add_tag(out, i ? "BlackTimeControl" : "WhiteTimeControl", t.n ? text_c(&t) : "-");
    }
    add_tag(out, "Termination", termination(p->ending));
    add_tag(out, "Reason", text_c(&p->reason));
    text_clear(&t);
    text_f(&t, "%llu", (unsigned long long)p->pairing.seed);
    add_tag(out, "Seed", text_c(&t));
    text_clear(&t);
    text_f(&t, "%d", p->openings);
    add_tag(out, "OpeningPlies", text_c(&t));
    text_free(&t);
}

static void move_symbol(const char *move, Text *out) {
    text_clear(out);
    if (!isalpha((unsigned char)move[0]))
        text_char(out, 'm');
    for (const char *s = move; *s; s++) {
        bool fits = (unsigned char)*s < 128 && (isalnum((unsigned char)*s) || strchr("_+#=:-", *s));
        if (((unsigned char)*s & 0xC0) != 0x80) // one sign for a whole character
            text_char(out, fits ? *s : '_');
    }
}

static void add_word(Text *out, int *column, const char *word) {
    int n = (int)strlen(word);
    if (*column > 0 && *column + 1 + n > LINE) {
        text_char(out, '\n');
        *column = 0;
    }
    text_f(out, "%s%s", *column ? " " : "", word);
    *column += n + (*column > 0);
}

// What the player told about a move: value and depth, and the time, as `{+0.31/12 0.5s}`; a proven
// win in 3 moves is +M3.
static void add_comment(const PlayedMove *m, Text *word, Text *out, int *column) {
    if (!m->known || (m->nodes == 0 && m->depth == 0))
        return;
    text_clear(word);
    if (value_is_proven(m->value))
        text_f(word, "{%cM%d/%d", m->value > 0 ? '+' : '-', VALUE_WIN - abs(m->value), m->depth);
    else
        text_f(word, "{%+.2f/%d", (double)m->value / 1000, m->depth);
    add_word(out, column, text_c(word));
    text_clear(word);
    text_f(word, "%.3fs}", m->seconds);
    add_word(out, column, text_c(word));
}

void export_pgn(const Contest *c, const Played *p, Text *out) {
    add_tags(c, p, out);
    text_char(out, '\n');
    int seats = results_seats(&p->pairing), column = 0, each = seats > 1 ? seats : 1, i = 0;
    RecordWords words;
    Text word = {0};
    record_words_begin(&words, text_c(&p->record));
    for (; record_words_next(&words); i++) {
        if (i % each == 0) {
            text_clear(&word);
            text_f(&word, "%d.", i / each + 1);
            add_word(out, &column, text_c(&word));
        }
        move_symbol(text_c(&words.word), &word);
        add_word(out, &column, text_c(&word));
        if (i < p->moves)
            add_comment(&p->move[i], &word, out, &column);
    }
    record_words_end(&words);
    text_free(&word);
    add_word(out, &column, result_text(p, seats));
    text_add(out, "\n\n");
}
