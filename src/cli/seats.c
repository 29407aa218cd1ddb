// seats: see seats.h.
#include "cli/seats.h"

#include "cli/knowing.h"

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

static int open_one(const Cli *cli, const Game *g, const Seats *s, const char *text,
                    Player **player) {
    Text why = {0};
    int status = EXIT_OK;
    *player = NULL;
    if (strcmp(text, "human") != 0) {
        *player = player_knowing(g, text, s->knowledge, &why);
        if (!*player)
            status = cli_usage(cli, "--players: %s", text_c(&why));
    }
    text_free(&why);
    return status;
}

static int open_all(const Cli *cli, const Game *g, const char *text, Seats *s) {
    int n = 0, status = EXIT_OK;
    while (text && status == EXIT_OK) {
        size_t length = text_length(text);
        Text one = {0};
        text_add_n(&one, text, length);
        Player *player = NULL;
        if (one.failed)
            status = cli_error("out of memory");
        else
            status = open_one(cli, g, s, text_c(&one), &player);
        text_free(&one);
        if (n < s->count)
            s->player[n] = player;
        else
            player_free(player);
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
        status = open_one(cli, g, s, player_usual(), &s->player[i]);
    return status;
}

void seats_close(Seats *s) {
    for (int i = 0; i < s->count; i++)
        player_free(s->player[i]);
    knowledge_free(s->knowledge);
    *s = (Seats){0};
}

bool seats_any_person(const Seats *s) {
    for (int i = 0; i < s->count; i++)
        if (!s->player[i])
            return true;
    return false;
}

bool seats_any_thinker(const Seats *s) {
    for (int i = 0; i < s->count; i++)
        if (s->player[i] && strncmp(player_text(s->player[i]), "random", 6) != 0)
            return true;
    return false;
}

const char *seats_text(const Seats *s, int player) {
    return s->player[player] ? player_text(s->player[player]) : "human";
}
