// found: see found.h.
#include "cli/found.h"

#include "cli/knowing.h"
#include "game/movetext.h"

#include <stdio.h>
#include <string.h>

// More of them are in the JSON form.
#define BEST_SHOWN 5

// --- the position ---

static int open_record(const Cli *cli, Saved *s) {
    if (cli->option[OPT_LOAD]) {
        if (cli->word_count || cli->param_count || cli->option[OPT_STATE])
            return cli_usage(cli, "--load brings its own game and position");
        return saved_open(cli, cli->option[OPT_LOAD], s);
    }
    int status = desk_open(cli, &s->desk);
    if (status != EXIT_OK)
        return status;
    s->record = record_new(s->desk.runner, s->desk.start);
    return s->record ? EXIT_OK : cli_error("out of memory");
}

// An exit status: reported if the game is over, or the rules failed.
static int not_over(const Position *p) {
    int over = record_result(p->saved.record);
    if (over == 0)
        return EXIT_OK;
    if (over < 0)
        return cli_error("%s", runner_error(p->saved.desk.runner));
    Text text = {0};
    game_result_text(p->saved.desk.game, over, &text);
    int status = cli_error("the game is over: %s", text_c(&text));
    text_free(&text);
    return status;
}

int position_open(const Cli *cli, Position *p) {
    *p = (Position){0};
    int64_t seed = 0;
    if (!cli_number(cli, OPT_SEED, 0, INT64_MAX, &seed))
        return EXIT_USAGE;
    p->seed = (uint64_t)seed;
    int status = open_record(cli, &p->saved);
    if (status == EXIT_OK)
        status = desk_backend(cli, &p->saved.desk, BACKEND_AUTO);
    if (status == EXIT_OK)
        status = knowing_lend(cli, p->saved.desk.game, &p->knowledge);
    if (status != EXIT_OK)
        return status;
    p->text = cli->option[OPT_PLAYER] ? cli->option[OPT_PLAYER] : player_usual();
    bool is_bot = strncmp(p->text, "bot:", 4) == 0;
    if (is_bot && (cli->option[OPT_TRACE] || strcmp(cli->command, "analyse") == 0))
        return cli_usage(cli, "--player: a bot tells its move and nothing else");
    // Before a player is made for it, which may take seconds; only `explain` can tell something.
    if (strcmp(cli->command, "explain") != 0 && (status = not_over(p)) != EXIT_OK)
        return status;
    Text why = {0};
    Entrant e = {.name = p->text, .text = p->text};
    p->stop = cli_begin_search(); // making a player may take seconds
    if (!is_bot && p->saved.desk.backend == BACKEND_AUTO)
        game_use(p->saved.desk.game, BACKEND_AUTO, &why); // without it, it is slower
    text_clear(&why);
    if (is_bot)
        p->bot = contestant_open(p->saved.desk.game, &e, &why);
    else
        p->player = player_stoppable(p->saved.desk.game, p->text, p->knowledge, p->stop, &why);
    if (!p->player && !p->bot && atomic_load(p->stop))
        status = EXIT_INTERRUPTED;
    else if (!p->player && !p->bot)
        status = cli_usage(cli, "--player: %s", text_c(&why));
    text_free(&why);
    return status;
}

void position_close(Position *p) {
    player_free(p->player);
    contestant_close(p->bot);
    knowledge_free(p->knowledge);
    saved_close(&p->saved);
}

// A bot in the place of a player; an exit status.
static int ask_bot(Position *p, SearchResult *result) {
    *result = (SearchResult){0};
    Answer answer = {0};
    Text why = {0};
    contestant_begin(p->bot, p->seed, &why);
    contestant_move(p->bot, p->saved.record, NULL, cli_begin_search(), &answer);
    cli_end_search();
    int status = EXIT_OK;
    if (answer.ending == END_STOPPED) {
        status = EXIT_INTERRUPTED;
    } else if (answer.ending != END_RULES) {
        status = cli_error("%s: %s", p->text, text_c(&answer.why));
        contestant_log(p->bot, &why);
        fprintf(stderr, "%s", text_c(&why));
    }
    *result = (SearchResult){.found = true,
                             .move = answer.move,
                             .value = answer.told.value,
                             .line = {answer.move},
                             .line_length = 1,
                             .nodes = answer.told.nodes,
                             .depth = answer.told.depth,
                             .seconds = answer.told.seconds};
    text_free(&answer.why);
    text_free(&why);
    return status;
}

int position_search(Position *p, Trace *trace, SearchResult *result) {
    if (p->bot)
        return ask_bot(p, result);
    SearchTask task = {.record = p->saved.record,
                       .limits = p->limits,
                       .stop = p->stop,
                       .seed = p->seed,
                       .trace = trace,
                       .best = p->best,
                       .tell = p->tell,
                       .with = p->with};
    bool found = player_search(p->player, &task, result);
    cli_end_search();
    if (cli_interrupted())
        return EXIT_INTERRUPTED;
    return found ? EXIT_OK : cli_error("%s", runner_error(p->saved.desk.runner));
}

// --- the result ---

void found_line(Runner *r, const uint8_t *from, const Move *moves, int count, Text *out) {
    size_t size = (size_t)game_state_size(runner_game(r));
    uint8_t *state = mem_alloc(size);
    if (!state) {
        out->failed = true;
        return;
    }
    memcpy(state, from, size);
    for (int i = 0; i < count; i++) {
        text_add(out, i ? " " : "");
        move_text(r, state, moves[i], out);
        if (!runner_apply(r, state, moves[i], state))
            break;
    }
    mem_free(state);
}

static void add_work(const SearchResult *result, Text *out) {
    text_f(out, "work   %lld position%s in %.2f s", (long long)result->nodes,
           result->nodes == 1 ? "" : "s", result->seconds);
    if (result->depth)
        text_f(out, ", depth %d", result->depth);
    text_char(out, '\n');
}

void found_scored(const Scored *scored, Text *out) {
    text_add(out, scored->at_most ? " at most " : " ");
    value_describe(scored->value, out);
}

void found_text(const Position *p, const SearchResult *result, Text *out) {
    Runner *r = p->saved.desk.runner;
    const uint8_t *from = record_now(p->saved.record);
    text_add(out, "move   ");
    move_text(r, from, result->move, out);
    text_add(out, "\nvalue  ");
    result_describe(result, out);
    text_add(out, result->exact ? ", proven\n" : "\n");
    if (result->line_length > 1) {
        text_add(out, "line   ");
        found_line(r, from, result->line, result->line_length, out);
        text_char(out, '\n');
    }
    for (int i = 0; i < result->best_count && i < BEST_SHOWN && result->best_count > 1; i++) {
        text_add(out, i ? ", " : "best   ");
        move_text(r, from, result->best[i].move, out);
        found_scored(&result->best[i], out);
    }
    text_add(out, result->best_count > 1 ? "\n" : "");
    add_work(result, out);
    if (p->player && player_why(p->player)[0])
        text_f(out, "why    %s\n", player_why(p->player));
}

static void json_move(Runner *r, const uint8_t *state, Move move, Text *out) {
    Text text = {0};
    move_text(r, state, move, &text);
    text_json(out, text_c(&text));
    text_free(&text);
}

static void json_line(Runner *r, const uint8_t *from, const Move *line, int length, Text *out) {
    size_t size = (size_t)game_state_size(runner_game(r));
    uint8_t *state = mem_alloc(size);
    text_add(out, ",\"line\":[");
    for (int i = 0; state && i < length; i++) {
        if (i == 0)
            memcpy(state, from, size);
        text_add(out, i ? "," : "");
        json_move(r, state, line[i], out);
        if (!runner_apply(r, state, line[i], state))
            break;
    }
    text_char(out, ']');
    mem_free(state);
}

void found_json(const Position *p, const SearchResult *result, Text *out) {
    Runner *r = p->saved.desk.runner;
    const uint8_t *from = record_now(p->saved.record);
    Text words = {0};
    text_add(out, "\"player\":");
    text_json(out, p->player ? player_text(p->player) : p->text);
    text_add(out, ",\"move\":");
    json_move(r, from, result->move, out);
    result_describe(result, &words);
    text_f(out, ",\"value\":%d,\"exact\":%s,\"words\":", result->value,
           result->exact ? "true" : "false");
    text_json(out, text_c(&words));
    json_line(r, from, result->line, result->line_length, out);
    text_add(out, ",\"best\":[");
    for (int i = 0; i < result->best_count; i++) {
        text_add(out, i ? ",{\"move\":" : "{\"move\":");
        json_move(r, from, result->best[i].move, out);
        const Scored *s = &result->best[i];
        text_f(out, ",\"value\":%d,\"at_most\":%s,\"visits\":%lld", s->value,
               s->at_most ? "true" : "false", (long long)s->visits);
        if (s->line_length > 1)
            json_line(r, from, s->line, s->line_length, out);
        text_char(out, '}');
    }
    double rate = result->seconds > 0 ? (double)result->nodes / result->seconds : 0;
    text_f(out, "],\"nodes\":%lld,\"depth\":%d,\"seconds\":%.6f,\"nodes_per_second\":%.0f",
           (long long)result->nodes, result->depth, result->seconds, rate);
    text_add(out, ",\"why\":");
    text_json(out, p->player ? player_why(p->player) : "");
    text_free(&words);
}
