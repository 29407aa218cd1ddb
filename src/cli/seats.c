// seats: see seats.h.
#include "cli/seats.h"

#include "cli/knowing.h"

#include <stdio.h>
#include <string.h>

// Where the text of the first player ends: at a comma behind which another begins.
static size_t text_length(const char *s) {
    size_t n = strcspn(s, ",");
    // `level=easy` alone is a player too, the usual one.
    bool has_parameters = memchr(s, ':', n) != NULL || cli_is_parameter(s);
    while (has_parameters && s[n] == ',' && cli_is_parameter(s + n + 1) &&
           strncmp(s + n + 1, "level=", 6) != 0)
        n += 1 + strcspn(s + n + 1, ",");
    return n;
}

static int open_one(const Cli *cli, const Game *g, const char *text, Seats *s, int seat) {
    Text why = {0};
    bool ok = true;
    if (strncmp(text, "bot:", 4) == 0) {
        Entrant e = {.name = text, .text = text};
        s->bot[seat] = contestant_open(g, &e, &why);
        text_add(&s->text[seat], text);
        ok = s->bot[seat] != NULL;
    } else if (strcmp(text, "human") != 0 && strcmp(text, "person") != 0) {
        s->player[seat] = player_knowing(g, text, s->knowledge, &why);
        ok = s->player[seat] != NULL;
    }
    int status = ok ? EXIT_OK : cli_usage(cli, "--players: %s", text_c(&why));
    text_free(&why);
    return status;
}

static int open_all(const Cli *cli, const Game *g, const char *text, Seats *s) {
    int n = 0, status = EXIT_OK;
    while (text && status == EXIT_OK) {
        size_t length = text_length(text);
        Text one = {0};
        text_add_n(&one, text, length);
        if (one.failed)
            status = cli_error("out of memory");
        else if (n < s->count)
            status = open_one(cli, g, text_c(&one), s, n);
        text_free(&one);
        n++;
        text = text[length] ? text + length + 1 : NULL;
    }
    if (status == EXIT_OK && n != s->count)
        status = cli_usage(cli, "--players: %s has %d player%s, not %d", g->name, s->count,
                           s->count == 1 ? "" : "s", n);
    return status;
}

int seats_open(const Cli *cli, const Game *g, Seats *s) {
    *s = (Seats){.count = g->ir->players};
    int status = knowing_lend(cli, g, &s->knowledge);
    if (status == EXIT_OK && cli->option[OPT_PLAYERS])
        return open_all(cli, g, cli->option[OPT_PLAYERS], s);
    for (int i = 1; i < s->count && status == EXIT_OK; i++)
        status = open_one(cli, g, player_usual(), s, i);
    return status;
}

void seats_begin(Seats *s, uint64_t seed) {
    Text ignored = {0};
    for (int i = 0; i < s->count; i++)
        if (s->bot[i])
            contestant_begin(s->bot[i], seed + (uint64_t)i, &ignored);
    text_free(&ignored);
}

void seats_close(Seats *s) {
    for (int i = 0; i < s->count; i++) {
        player_free(s->player[i]);
        contestant_close(s->bot[i]);
        text_free(&s->text[i]);
    }
    knowledge_free(s->knowledge);
    *s = (Seats){0};
}

bool seats_is_person(const Seats *s, int player) {
    return !s->player[player] && !s->bot[player];
}

bool seats_any_person(const Seats *s) {
    for (int i = 0; i < s->count; i++)
        if (seats_is_person(s, i))
            return true;
    return false;
}

int seats_bot_move(Seats *s, int player, const Record *record, const atomic_bool *stop,
                   Move *move) {
    Answer answer;
    contestant_move(s->bot[player], record, NULL, stop, &answer);
    *move = answer.move;
    int status = EXIT_OK;
    if (answer.ending == END_STOPPED) {
        status = EXIT_INTERRUPTED;
    } else if (answer.ending != END_RULES) {
        Text log = {0};
        status = cli_error("%s: %s", text_c(&s->text[player]), text_c(&answer.why));
        contestant_log(s->bot[player], &log);
        fprintf(stderr, "%s", text_c(&log));
        text_free(&log);
    }
    text_free(&answer.why);
    return status;
}

bool seats_any_thinker(const Seats *s) {
    for (int i = 0; i < s->count; i++)
        if (s->bot[i] || (s->player[i] && strncmp(player_text(s->player[i]), "random", 6) != 0))
            return true;
    return false;
}

const char *seats_enforced(const Seats *s) {
    for (int i = 0; i < s->count; i++)
        if (s->bot[i])
            return contestant_enforced(s->bot[i]);
    return "";
}

const char *seats_text(const Seats *s, int player) {
    if (s->bot[player])
        return text_c(&s->text[player]);
    return s->player[player] ? player_text(s->player[player]) : "human";
}
