// analyse: a position looked at for as long as one likes, with news while it goes on.
//
// On a terminal the same few lines are written anew whenever there is news; elsewhere each piece
// of news is one line, or one JSON object.
#include "cli/found.h"

#include "game/movetext.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SHOWN_MOVES 3     // best moves beside the line
#define SHOWN_LINE 12     // moves of the line
#define PIPE_SECONDS 5    // where nobody can press Ctrl-C
#define FOREVER 1e7       // seconds
#define NEWS_SECONDS 0.05 // between two pieces of news, at least

typedef struct Analysis {
    const Cli *cli;
    Position position;
    bool terminal, json;
    int drawn; // lines on the screen to write over
    double drawn_at;
    Text out;
} Analysis;

static void add_best(Analysis *a, const SearchResult *result) {
    Runner *r = a->position.saved.table.runner;
    const uint8_t *from = record_now(a->position.saved.record);
    int n = 0;
    for (int i = 0; i < result->best_count && n < SHOWN_MOVES; i++) {
        if (move_equal(result->best[i].move, result->move))
            continue;
        text_add(&a->out, n++ ? ", " : "");
        move_text(r, from, result->best[i].move, &a->out);
        found_scored(&result->best[i], &a->out);
    }
}

static void add_line(Analysis *a, const SearchResult *result) {
    int n = result->line_length < SHOWN_LINE ? result->line_length : SHOWN_LINE;
    if (n == 0)
        move_text(a->position.saved.table.runner, record_now(a->position.saved.record),
                  result->move, &a->out);
    found_line(a->position.saved.table.runner, record_now(a->position.saved.record), result->line,
               n, &a->out);
}

// One line for each piece of news: depth, value, line; then other moves and the work.
static void add_plain(Analysis *a, const SearchResult *result) {
    text_f(&a->out, "depth %d  ", result->depth);
    found_value(result, &a->out);
    text_add(&a->out, result->exact ? " (proven)  " : "  ");
    add_line(a, result);
    if (result->best_count > 1) {
        text_add(&a->out, "  | ");
        add_best(a, result);
    }
    text_f(&a->out, "  | %lld positions, %.2f s\n", (long long)result->nodes, result->seconds);
}

static void add_json(Analysis *a, const SearchResult *result) {
    text_char(&a->out, '{');
    cli_json_game(a->position.saved.table.game, &a->out);
    text_char(&a->out, ',');
    found_json(&a->position, result, &a->out);
    text_add(&a->out, "}\n");
}

// The lines of a terminal; those drawn before are written over.
static void add_screen(Analysis *a, const SearchResult *result) {
    if (a->drawn)
        text_f(&a->out, "\033[%dA\033[J", a->drawn);
    text_add(&a->out, "value  ");
    found_value(result, &a->out);
    text_add(&a->out, result->exact ? ", proven\nline   " : "\nline   ");
    add_line(a, result);
    text_add(&a->out, "\nothers ");
    add_best(a, result);
    text_f(&a->out, "\nwork   %lld positions in %.1f s, depth %d\n", (long long)result->nodes,
           result->seconds, result->depth);
    a->drawn = 4;
}

static void show(Analysis *a, const SearchResult *result) {
    if (a->json)
        add_json(a, result);
    else if (a->terminal)
        add_screen(a, result);
    else
        add_plain(a, result);
    cli_print(&a->out);
    fflush(stdout);
}

static void tell(void *with, const SearchResult *so_far) {
    Analysis *a = with;
    double now = cli_clock();
    if (!so_far->found || now - a->drawn_at < NEWS_SECONDS)
        return;
    a->drawn_at = now;
    show(a, so_far);
}

int cmd_analyse(const Cli *cli) {
    // The state may stand behind the game.
    Cli own = *cli;
    if (cli->word_count == 2 && !cli->option[OPT_STATE]) {
        own.option[OPT_STATE] = cli->words[1];
        own.word_count = 1;
    }
    Analysis a = {
        .cli = &own, .terminal = isatty(STDOUT_FILENO), .json = cli->option[OPT_JSON] != NULL};
    double seconds = a.terminal ? FOREVER : PIPE_SECONDS;
    if (!cli_seconds(cli, &seconds))
        return EXIT_USAGE;
    SearchResult result;
    int status = position_open(&own, &a.position);
    a.position.tell = tell;
    a.position.with = &a;
    a.position.limits.seconds = seconds;
    if (status == EXIT_OK && !a.json && player_why(a.position.player)[0]) {
        printf("%s\n", player_why(a.position.player));
        fflush(stdout);
    }
    if (status == EXIT_OK)
        status = position_search(&a.position, NULL, &result);
    if (status == EXIT_OK)
        show(&a, &result);
    position_close(&a.position);
    text_free(&a.out);
    return status;
}
