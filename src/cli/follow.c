// moves --follow: positions and their moves along a game that is given move by move.
#include "cli/follow.h"
#include "cli/cli.h"
#include "cli/line.h"
#include "game/movetext.h"
#include "game/statetext.h"

#include <stdio.h>
#include <string.h>

#define STATE_WORD "state "

typedef struct Follow {
    const Desk *desk;
    uint8_t *state;
    bool json;
    Text out, text;
} Follow;

static void no_completion(void *context, const char *typed, Text *out) {
    (void)context;
    (void)typed;
    (void)out;
}

static void json_winners(const IrGame *ir, int result, Text *out) {
    text_f(out, ",\"over\":%s,\"winners\":[", result ? "true" : "false");
    for (int p = 0, seen = 0; p < ir->players; p++) {
        if (!(result >> p & 1))
            continue;
        text_add(out, seen++ ? "," : "");
        text_json(out, ir->player[p]);
    }
    text_char(out, ']');
}

// Variables that are numbers, as lists.
static void json_values(const Game *g, const uint8_t *state, Text *out) {
    text_add(out, ",\"values\":{");
    for (int v = 0, seen = 0; v < g->ir->vars; v++) {
        const IrVar *var = &g->ir->var[v];
        if (var->type.kind == TY_SET)
            continue;
        text_add(out, seen++ ? "," : "");
        text_json(out, var->name);
        text_add(out, ":[");
        for (int i = 0; i < var->count; i++)
            text_f(out, "%s%lld", i ? "," : "", (long long)state_variable(g, state, v, i));
        text_char(out, ']');
    }
    text_char(out, '}');
}

static void head(Follow *f, int result) {
    const Game *g = f->desk->game;
    text_clear(&f->text);
    state_text(g, f->state, &f->text);
    if (!f->json) {
        text_f(&f->out, "%s\n", text_c(&f->text));
        return;
    }
    text_add(&f->out, "{\"state\":");
    text_json(&f->out, text_c(&f->text));
    text_f(&f->out, ",\"key\":\"%016llx\",\"player\":", (unsigned long long)game_hash(g, f->state));
    text_json(&f->out, g->ir->player[game_player(g, f->state)]);
    json_winners(g->ir, result, &f->out);
    json_values(g, f->state, &f->out);
    text_add(&f->out, ",\"moves\":[");
}

// The position and its moves; false on a fault of the rules.
static bool show(Follow *f) {
    Runner *r = f->desk->runner;
    int result = runner_result(r, f->state);
    const Move *moves = NULL;
    int n = result < 0 ? -1 : runner_moves(r, f->state, &moves);
    if (n < 0)
        return false;
    head(f, result);
    bool ok = true;
    for (int i = 0; ok && i < n; i++) {
        text_clear(&f->text);
        ok = move_text(r, f->state, moves[i], &f->text);
        if (f->json) {
            text_add(&f->out, i ? "," : "");
            text_json(&f->out, text_c(&f->text));
        } else {
            text_f(&f->out, "  %s\n", text_c(&f->text));
        }
    }
    text_add(&f->out, f->json ? "]}\n" : "");
    if (ok)
        cli_print(&f->out);
    return ok;
}

// Faults are part of the output: whoever compares two runs wants to see them there.
static int fault(Follow *f) {
    if (f->json) {
        text_clear(&f->out);
        text_add(&f->out, "{\"fault\":");
        text_json(&f->out, runner_error(f->desk->runner));
        text_add(&f->out, "}\n");
        cli_print(&f->out);
    }
    return cli_error("%s", runner_error(f->desk->runner));
}

static int play_line(Follow *f, const char *line) {
    const Desk *t = f->desk;
    Move move;
    Text why = {0};
    int status = EXIT_OK;
    if (strcmp(line, "restart") == 0) {
        memcpy(f->state, t->start, (size_t)game_state_size(t->game));
    } else if (strncmp(line, STATE_WORD, strlen(STATE_WORD)) == 0) {
        if (!state_read(t->game, line + strlen(STATE_WORD), f->state, &why))
            status = cli_error("%s", text_c(&why));
    } else if (!move_read(t->runner, f->state, line, &move, &why)) {
        status = cli_error("`%s`: %s", line, text_c(&why));
    } else if (!runner_apply(t->runner, f->state, move, f->state)) {
        status = fault(f);
    }
    text_free(&why);
    return status;
}

static int follow(Follow *f, Line *lines) {
    int status = show(f) ? EXIT_OK : fault(f);
    while (status == EXIT_OK) {
        fflush(stdout); // whoever writes the moves waits for what they led to
        const char *line = line_read(lines, "");
        if (!line)
            return cli_interrupted() ? EXIT_INTERRUPTED : EXIT_OK;
        if (!line[0])
            continue;
        status = play_line(f, line);
        if (status == EXIT_OK && !show(f))
            status = fault(f);
    }
    return status;
}

int moves_follow(const Desk *t, bool json) {
    size_t size = (size_t)game_state_size(t->game);
    Follow f = {.desk = t, .state = mem_alloc(size), .json = json};
    Line *lines = line_open(false, no_completion, NULL);
    int status;
    if (!f.state || !lines) {
        status = cli_error("out of memory");
    } else {
        cli_catch_interrupt();
        memcpy(f.state, t->start, size);
        status = follow(&f, lines);
    }
    if (lines)
        line_close(lines);
    mem_free(f.state);
    text_free(&f.out);
    text_free(&f.text);
    return status;
}
