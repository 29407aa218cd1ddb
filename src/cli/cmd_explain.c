// explain: what a position is worth by facts and rules, or what a move changes; with reasons.
#include "cli/found.h"
#include "cli/knowing.h"
#include "knowledge/why_clips.h"

#include "game/movetext.h"
#include "game/statetext.h"

#include <string.h>

#define USUAL_SECONDS 0.3 // for the line that is expected

typedef struct Explaining {
    const Cli *cli;
    Position position;
    Why why;
    const char *move_text; // NULL: only the position
    bool json;
    Text out;
} Explaining;

// --- what is asked ---

// One word behind the game is the state if it reads as one, else the move; what looks like the rows
// of a board is not taken for a move.
static int sort_word(const char *word, Cli *own, const char **move) {
    Desk t;
    Text why = {0};
    int status = desk_open(own, &t);
    if (status == EXIT_OK) {
        if (state_read(t.game, word, t.start, &why))
            own->option[OPT_STATE] = word;
        else if (strchr(word, '/'))
            status = cli_error("%s", text_c(&why));
        else
            *move = word;
    }
    text_free(&why);
    desk_close(&t);
    return status;
}

// Which word is the state and which the move: GAME [STATE] [MOVE].
static int sort_words(const Cli *cli, Cli *own, const char **move) {
    bool placed = cli->option[OPT_STATE] || cli->option[OPT_LOAD];
    int game = cli->option[OPT_LOAD] ? 0 : 1, rest = cli->word_count - game;
    *own = *cli;
    *move = NULL;
    if (rest < 0)
        return cli_usage(cli, "the name of a game is missing");
    if (rest > (placed ? 1 : 2))
        return cli_usage(cli, "`%s` is one word too many", cli->words[cli->word_count - 1]);
    own->word_count = game;
    if (placed && rest == 1) {
        *move = cli->words[game];
    } else if (rest == 2) {
        own->option[OPT_STATE] = cli->words[1];
        *move = cli->words[2];
    } else if (rest == 1) {
        return sort_word(cli->words[1], own, move);
    }
    return EXIT_OK;
}

static int failed(const Explaining *e) {
    const char *why = reasoner_error(e->why.reasoner);
    return cli_error("%s", why ? why : "out of memory");
}

// --- the line that is expected ---

// Searches on behind the move that was played into the record.
static int add_expected(Explaining *e) {
    Position *p = &e->position;
    Runner *r = p->saved.desk.runner;
    const IrGame *g = p->saved.desk.game->ir;
    int over = record_result(p->saved.record);
    if (over < 0)
        return cli_error("%s", runner_error(r));
    Text words = {0};
    SearchResult result;
    int status = EXIT_OK;
    if (over) {
        game_result_text(p->saved.desk.game, over, &words);
        if (e->json) {
            text_add(&e->out, ",\"result\":");
            text_json(&e->out, text_c(&words));
        } else {
            text_f(&e->out, "the game is over: %s\n", text_c(&words));
        }
    } else if ((status = position_search(p, NULL, &result)) == EXIT_OK && e->json) {
        text_add(&e->out, ",\"expected\":{");
        found_json(p, &result, &e->out);
        text_char(&e->out, '}');
    } else if (status == EXIT_OK) {
        const uint8_t *now = record_now(p->saved.record);
        text_f(&e->out, "expected  ");
        if (result.line_length)
            found_line(r, now, result.line, result.line_length, &e->out);
        else
            move_text(r, now, result.move, &e->out);
        result_describe(&result, &words);
        text_f(&e->out, "  (%s for %s)\n", text_c(&words),
               g->player[game_player(p->saved.desk.game, now)]);
    }
    text_free(&words);
    return status;
}

// --- a move, a position ---

static int explain_move(Explaining *e) {
    Desk *t = &e->position.saved.desk;
    uint64_t before[IR_MAX_STATE / 8], after[IR_MAX_STATE / 8];
    const uint8_t *from = (const uint8_t *)before, *to = (const uint8_t *)after;
    Text why = {0};
    Move move;
    memcpy(before, record_now(e->position.saved.record), (size_t)game_state_size(t->game));
    bool read = move_read(t->runner, from, e->move_text, &move, &why);
    if (!read)
        cli_error("%s", text_c(&why));
    text_free(&why);
    if (!read)
        return EXIT_INPUT;
    if (!record_play(e->position.saved.record, move))
        return cli_error("%s", runner_error(t->runner));
    memcpy(after, record_now(e->position.saved.record), (size_t)game_state_size(t->game));
    bool clips = knowledge_is_clips(e->why.k), ok;
    if (e->json)
        ok = (clips ? clips_move_json : why_move_json)(&e->why, t->runner, from, move, to);
    else
        ok = (clips ? clips_move : why_move)(&e->why, t->runner, from, move, to);
    return ok ? add_expected(e) : failed(e);
}

static int explain_position(Explaining *e) {
    const Game *g = e->position.saved.desk.game;
    const uint8_t *now = record_now(e->position.saved.record);
    int first = game_player(g, now);
    bool ok = true, clips = knowledge_is_clips(e->why.k), any = clips || e->why.ir->worths;
    if (!any && !e->json)
        text_add(&e->out, "these rules have no `worth`: every position is worth 0\n");
    if (e->json)
        text_add(&e->out, ",\"values\":[");
    for (int i = 0; ok && i < g->ir->players && (e->json || any); i++) {
        int me = (first + i) % g->ir->players;
        if (e->json && i)
            text_char(&e->out, ',');
        if (e->json)
            ok = (clips ? clips_value_json : why_value_json)(&e->why, now, me);
        else
            ok = (clips ? clips_value : why_value)(&e->why, now, me);
    }
    text_add(&e->out, e->json ? "]" : "");
    if (!ok)
        return failed(e);
    return e->cli->option[OPT_PLAYER] ? add_expected(e) : EXIT_OK;
}

static void json_head(Explaining *e) {
    const Game *g = e->position.saved.desk.game;
    const uint8_t *now = record_now(e->position.saved.record);
    Text text = {0};
    state_text(g, now, &text);
    text_char(&e->out, '{');
    cli_json_game(g, &e->out);
    text_add(&e->out, ",\"knowledge\":");
    text_json(&e->out, knowledge_title(e->why.k));
    text_add(&e->out, ",\"state\":");
    text_json(&e->out, text_c(&text));
    text_add(&e->out, ",\"player\":");
    text_json(&e->out, g->ir->player[game_player(g, now)]);
    text_free(&text);
}

static int explain(Explaining *e) {
    if (e->json)
        json_head(e);
    int status = e->move_text ? explain_move(e) : explain_position(e);
    if (e->json)
        text_add(&e->out, "}\n");
    if (status == EXIT_OK)
        cli_print(&e->out);
    return status;
}

int cmd_explain(const Cli *cli) {
    Cli own;
    Explaining e = {.cli = cli, .json = cli->option[OPT_JSON] != NULL};
    Knowledge *k = NULL;
    double seconds = cli->option[OPT_PLAYER] ? 0 : USUAL_SECONDS;
    if (!cli_seconds(cli, &seconds))
        return EXIT_USAGE;
    int status = sort_words(cli, &own, &e.move_text);
    if (status != EXIT_OK)
        return status;
    status = position_open(&own, &e.position);
    e.position.limits.seconds = seconds;
    if (status == EXIT_OK && !e.position.knowledge)
        status = knowing_open(cli, e.position.saved.desk.game, &k);
    if (status == EXIT_OK) {
        const Knowledge *known = k ? k : e.position.knowledge;
        e.why = (Why){.game = e.position.saved.desk.game,
                      .k = known,
                      .ir = knowledge_ir(known),
                      .reasoner = reasoner_new(known),
                      .deep = cli->option[OPT_DEEP] != NULL,
                      .out = &e.out};
        status = e.why.reasoner ? explain(&e) : cli_error("out of memory");
    }
    reasoner_free(e.why.reasoner);
    mem_free(e.why.told);
    knowledge_free(k);
    position_close(&e.position);
    text_free(&e.out);
    return status;
}
