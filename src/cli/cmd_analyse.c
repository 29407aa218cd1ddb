// analyse: a position looked at for as long as one likes, with news while it goes on.
//
// On a terminal the same few lines are written anew whenever there is news; elsewhere each piece
// of news is one line, or one JSON object.
#include "cli/found.h"

#include "base/now.h"
#include "game/movetext.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define BEST_USUAL 3      // best moves with exact values
#define SHOWN_OTHERS 3    //   and others, with bounds
#define SHOWN_LINE 12     // moves of a line
#define PIPE_SECONDS 5    // where nobody can press Ctrl-C
#define FOREVER 1e7       // seconds
#define NEWS_SECONDS 0.05 // between two pieces of news, at least

typedef struct Analysis {
    const Cli *cli;
    Position position;
    bool terminal, json;
    int drawn; // lines on the screen to write over
    double drawn_at;
    int64_t shown; // positions of the last news; -1: there was none
    Text out, why;
} Analysis;

static void add_line(Analysis *a, const Move *line, int length) {
    found_line(a->position.saved.desk.runner, record_now(a->position.saved.record), line,
               length < SHOWN_LINE ? length : SHOWN_LINE, &a->out);
}

// Moves other than the best whose values are known; those with lines of their own if `lines`, else
// the rest. `first` comes before the first of them. Returns how many.
static int add_moves(Analysis *a, const SearchResult *result, bool lines, const char *first,
                     const char *between) {
    Runner *r = a->position.saved.desk.runner;
    const uint8_t *from = record_now(a->position.saved.record);
    int n = 0, most = lines ? a->position.best - 1 : SHOWN_OTHERS;
    for (int i = 0; i < result->best_count && n < most; i++) {
        const Scored *s = &result->best[i];
        bool has_line = s->line_length > 0 && !s->at_most;
        if (move_equal(s->move, result->move) || has_line != lines)
            continue;
        text_add(&a->out, n++ ? between : first);
        if (lines) {
            value_describe(s->value, &a->out);
            text_add(&a->out, "  ");
            add_line(a, s->line, s->line_length);
        } else {
            move_text(r, from, s->move, &a->out);
            found_scored(s, &a->out);
        }
    }
    return n;
}

static void add_best(Analysis *a, const SearchResult *result) {
    if (result->line_length > 0)
        add_line(a, result->line, result->line_length);
    else
        add_line(a, &result->move, 1);
}

// One line for each piece of news: depth; value and line of the best moves; others; the work.
static void add_plain(Analysis *a, const SearchResult *result) {
    text_f(&a->out, "depth %d  ", result->depth);
    result_describe(result, &a->out);
    text_add(&a->out, result->exact ? " (proven)  " : "  ");
    add_best(a, result);
    add_moves(a, result, true, "  | ", "  | ");
    add_moves(a, result, false, "  | ", ", ");
    text_f(&a->out, "  | %lld positions, %.2f s\n", (long long)result->nodes, result->seconds);
}

static void add_json(Analysis *a, const SearchResult *result) {
    text_char(&a->out, '{');
    cli_json_game(a->position.saved.desk.game, &a->out);
    text_char(&a->out, ',');
    found_json(&a->position, result, &a->out);
    text_add(&a->out, "}\n");
}

static void add_lines(Analysis *a, const SearchResult *result) {
    text_add(&a->out, "best   ");
    result_describe(result, &a->out);
    text_add(&a->out, result->exact ? " (proven)  " : "  ");
    add_best(a, result);
    add_moves(a, result, true, "\n       ", "\n       ");
    add_moves(a, result, false, "\nothers ", ", ");
    text_f(&a->out, "\nwork   %lld positions in %.1f s, depth %d\n", (long long)result->nodes,
           result->seconds, result->depth);
}

// The lines of a terminal; those drawn before are written over. So that they can be counted, long
// ones end at the edge; only the last time they go on below.
static void print_screen(Analysis *a, const SearchResult *result, bool last) {
    if (a->drawn)
        printf("\r\033[%dA\033[J", a->drawn);
    add_lines(a, result);
    a->drawn = 0;
    int columns = cli_columns();
    for (char *line = a->out.s, *end; !last && line && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        printf("%.*s\n", (int)cli_fitting(line, columns), line);
        a->drawn++;
    }
    if (!last)
        text_clear(&a->out);
}

static void show(Analysis *a, const SearchResult *result, bool last) {
    a->shown = result->nodes;
    if (a->json)
        add_json(a, result);
    else if (a->terminal)
        print_screen(a, result, last);
    else
        add_plain(a, result);
    cli_print(&a->out);
    fflush(stdout);
}

// Who looks, and why; at the end, why nothing was found.
static void print_why(Analysis *a) {
    const char *why = player_why(a->position.player);
    if (!a->json && strcmp(why, text_c(&a->why)) != 0)
        printf("%s\n", why);
    fflush(stdout);
    text_clear(&a->why);
    text_add(&a->why, why);
}

static void tell(void *with, const SearchResult *so_far) {
    Analysis *a = with;
    double now = now_seconds();
    if (!so_far->found || now - a->drawn_at < NEWS_SECONDS)
        return;
    a->drawn_at = now;
    show(a, so_far, false);
}

int cmd_analyse(const Cli *cli) {
    Analysis a = {.cli = cli,
                  .terminal = isatty(STDOUT_FILENO),
                  .json = cli->option[OPT_JSON] != NULL,
                  .shown = -1};
    double seconds = a.terminal ? FOREVER : PIPE_SECONDS;
    int64_t best = BEST_USUAL;
    if (!cli_seconds(cli, &seconds) || !cli_number(cli, OPT_BEST, 1, SEARCH_MAX_BEST, &best))
        return EXIT_USAGE;
    SearchResult result;
    int status = position_open(cli, &a.position);
    a.position.best = (int)best;
    a.position.tell = tell;
    a.position.with = &a;
    a.position.limits.seconds = seconds;
    if (status == EXIT_OK) {
        print_why(&a);
        status = position_search(&a.position, NULL, &result);
    }
    if (status == EXIT_OK && (a.terminal || a.shown != result.nodes)) // not the same line twice
        show(&a, &result, true);
    if (status == EXIT_OK)
        print_why(&a);
    position_close(&a.position);
    text_free(&a.out);
    text_free(&a.why);
    return status;
}
