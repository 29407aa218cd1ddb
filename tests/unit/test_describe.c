// Tests of src/game/describe*.c: games, positions, choices and moves as JSON.
#include "base/mem.h"
#include "game/describe.h"
#include "game/library.h"
#include "game/movetext.h"
#include "game/statetext.h"

#include <cjson/cJSON.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PLIES 12      // random moves in each game, looked at one by one
#define FULL_WALK 150 // moves of a position that are all reached choice by choice

static Game *load(const char *name) {
    Diags diags = {0};
    Game *g = game_load(name, NULL, 0, &diags);
    if (!g)
        fail_msg("%s does not load", name);
    diag_free(&diags);
    return g;
}

static Game *compile(const char *text) {
    Diags diags = {0};
    Game *g = game_compile("test.game", text, strlen(text), NULL, 0, &diags);
    if (!g)
        fail_msg("%s", diags.count ? diags.items[0].message : "no memory");
    diag_free(&diags);
    return g;
}

static cJSON *parse(Text *t) {
    assert_false(t->failed);
    cJSON *json = cJSON_Parse(text_c(t));
    if (!json)
        fail_msg("not JSON: %.200s", text_c(t));
    text_free(t);
    return json;
}

static const cJSON *get(const cJSON *in, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(in, name);
    if (!item)
        fail_msg("`%s` is missing", name);
    return item;
}

static int whole(const cJSON *in, const char *name) {
    const cJSON *item = get(in, name);
    assert_true(cJSON_IsNumber(item));
    return item->valueint;
}

// --- games ---

static void check_game(const Game *g) {
    Text out = {0};
    describe_game(g, &out);
    cJSON *json = parse(&out);
    const cJSON *board = get(json, "board");
    const IrGame *ir = g->ir;
    assert_string_equal(get(json, "game")->valuestring, g->name);
    assert_string_equal(get(json, "title")->valuestring, ir->title);
    assert_int_equal(cJSON_GetArraySize(get(json, "players")), ir->players);
    assert_int_equal(cJSON_GetArraySize(get(json, "pieces")), ir->planes);
    assert_int_equal(cJSON_GetArraySize(get(json, "parameters")), ir->parameters);
    assert_int_equal(cJSON_GetArraySize(get(json, "sites")), ir->sites);
    assert_int_equal(cJSON_GetArraySize(get(json, "variables")), ir->vars);
    assert_int_equal(cJSON_GetArraySize(get(json, "attributes")), ir->attrs);
    assert_int_equal(cJSON_GetArraySize(get(board, "cells")), ir->board->cells);
    assert_int_equal(whole(board, "stack"), ir->board->stack);
    assert_true(cJSON_IsBool(get(json, "knows")));
    // Lines are drawn on line boards, and on squares where a way does not lead from everywhere.
    const char *shape = get(board, "shape")->valuestring;
    int edges = cJSON_GetArraySize(get(board, "edges"));
    assert_true(strcmp(shape, "lines") == 0 ? edges > 0
                                            : edges == 0 || strcmp(shape, "square") == 0);
    const cJSON *look = get(json, "look");
    assert_int_equal(cJSON_IsNull(look), !ir->look);
    if (ir->look) {
        assert_int_equal(cJSON_GetArraySize(get(look, "pieces")), ir->planes);
        assert_int_equal(cJSON_GetArraySize(get(look, "places")), ir->board->cells);
    }
    const cJSON *p;
    cJSON_ArrayForEach(p, get(json, "parameters")) {
        const char *kind = get(p, "kind")->valuestring;
        assert_true(cJSON_IsString(get(p, "value")));
        assert_int_equal(strcmp(kind, "number") == 0 || strcmp(kind, "list") == 0,
                         cJSON_HasObjectItem(p, "low"));
        assert_int_equal(strcmp(kind, "word") == 0, cJSON_HasObjectItem(p, "choices"));
    }
    assert_true(cJSON_IsObject(get(json, "start")));
    cJSON_Delete(json);
}

// Why a game is over is told in all languages of the page.
static void check_why(const IrGame *ir, const char *why) {
    static const char *const languages[] = {"de", "hr", "hu", "sk", "sr"};
    for (int i = 0; why && i < 5; i++) {
        bool found = false;
        for (int k = 0; k < ir->phrases && !found; k++)
            found = strcmp(ir->phrase[k].language, languages[i]) == 0 &&
                    strcmp(ir->phrase[k].from, why) == 0;
        if (!found)
            fail_msg("%s: no `%s` in %s", ir->title, why, languages[i]);
    }
}

static void check_ends(const IrGame *ir) {
    const IrRules *all[] = {&ir->end, &ir->stuck, &ir->all_stuck};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < all[i]->count; k++)
            check_why(ir, all[i]->rule[k].why);
    check_why(ir, ir->repeated_why);
}

static void test_all_games(void **state) {
    (void)state;
    for (int i = 0; i < library_count; i++) {
        Game *g = load(library_games[i].name);
        check_game(g);
        check_ends(g->ir);
        Text out = {0};
        describe_card(g, i % 2 ? 42 : 0, &out);
        cJSON *card = parse(&out);
        assert_string_equal(get(card, "kind")->valuestring, g->ir->players == 1 ? "puzzle" : "two");
        assert_int_equal(cJSON_IsNull(get(card, "length")), i % 2 == 0);
        cJSON_Delete(card);
        game_free(g);
    }
}

static void test_parameters(void **state) {
    (void)state;
    Game *g = compile("game \"P\"\nplayers A, B\n"
                      "parameter n : -2..7 = 3 \"a number\"\nparameter f : bool = yes\n"
                      "parameter o : one of 8, 10, 16 = 10\nparameter l : list of 1..9 = 3, 5\n"
                      "board square 2 x 2\npiece man of A \"a\", B \"b\"\n"
                      "turn\n    choose to in empty\n    place man at to\nwhen stuck\n    draw\n");
    Text out = {0};
    describe_game(g, &out);
    cJSON *json = parse(&out);
    const cJSON *list = get(json, "parameters");
    const cJSON *n = cJSON_GetArrayItem(list, 0), *f = cJSON_GetArrayItem(list, 1);
    const cJSON *o = cJSON_GetArrayItem(list, 2), *l = cJSON_GetArrayItem(list, 3);
    assert_int_equal(whole(n, "low"), -2);
    assert_int_equal(whole(n, "high"), 7);
    assert_string_equal(get(n, "help")->valuestring, "a number");
    assert_string_equal(get(f, "kind")->valuestring, "flag");
    assert_string_equal(get(f, "value")->valuestring, "yes");
    assert_int_equal(cJSON_GetArraySize(get(o, "choices")), 3);
    assert_string_equal(cJSON_GetArrayItem(get(o, "choices"), 2)->valuestring, "16");
    assert_string_equal(get(l, "kind")->valuestring, "list");
    assert_string_equal(get(l, "value")->valuestring, "3,5");
    assert_int_equal(whole(l, "low"), 1);
    cJSON_Delete(json);
    game_free(g);
}

// --- positions ---

static void check_cell(const Game *g, const uint8_t *state, int cell, const cJSON *item) {
    int height = state_height(g, state, cell);
    if (height == 0) {
        assert_true(cJSON_IsNull(item));
    } else if (g->ir->board->stack == 1) {
        assert_int_equal(item->valueint, state_plane(g, state, cell, 0));
    } else {
        assert_int_equal(cJSON_GetArraySize(item), height);
        for (int level = 0; level < height; level++)
            assert_int_equal(cJSON_GetArrayItem(item, level)->valueint,
                             state_plane(g, state, cell, level));
    }
}

static void check_position(Runner *r, Record *rec) {
    const Game *g = runner_game(r);
    const uint8_t *state = record_now(rec);
    Text out = {0}, text = {0};
    describe_record_position(rec, r, &out);
    cJSON *json = parse(&out);
    state_text(g, state, &text);
    assert_string_equal(get(json, "text")->valuestring, text_c(&text));
    text_free(&text);
    assert_int_equal(whole(json, "player"), game_player(g, state));
    int c = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, get(json, "cells")) check_cell(g, state, c++, item);
    assert_int_equal(c, g->ir->board->cells);
    for (int v = 0; v < g->ir->vars; v++) {
        const cJSON *value = get(get(json, "variables"), g->ir->var[v].name);
        if (g->ir->var[v].indexed)
            assert_int_equal(cJSON_GetArraySize(value), g->ir->var[v].count);
        else if (g->ir->var[v].type.kind == TY_INT)
            assert_int_equal(value->valueint, state_variable(g, state, v, 0));
    }
    for (int a = 0; a < g->ir->attrs; a++)
        assert_int_equal(cJSON_GetArraySize(get(get(json, "attributes"), g->ir->attr[a].name)),
                         g->ir->board->cells);
    int result = record_result(rec);
    assert_int_equal(cJSON_IsTrue(get(json, "over")), result > 0);
    assert_int_equal(strlen(get(json, "result")->valuestring) > 0, result > 0);
    cJSON_Delete(json);
}

// --- choices ---

typedef struct Walk {
    Runner *r;
    const uint8_t *state;
    int64_t values[VM_MAX_CHOICES];
    int found;
    const Move *moves; // a copy of the legal ones
    bool *seen;
    int count;
} Walk;

static cJSON *options_after(Walk *w, int depth) {
    Text out = {0}, why = {0};
    if (!describe_options(w->r, w->state, w->values, depth, &out, &why))
        fail_msg("no options: %s", text_c(&why));
    text_free(&why);
    return parse(&out);
}

static void note_move(Walk *w, const cJSON *options, int depth) {
    MoveOptions o;
    Text text = {0};
    assert_int_equal(cJSON_GetArraySize(get(options, "items")), 0);
    assert_true(move_options(w->r, w->state, w->values, depth, &o) && o.complete);
    assert_true(move_text(w->r, w->state, o.move, &text));
    assert_string_equal(get(options, "move")->valuestring, text_c(&text));
    text_free(&text);
    for (int i = 0; i < w->count; i++)
        if (move_equal(w->moves[i], o.move)) {
            assert_false(w->seen[i]);
            w->seen[i] = true;
            w->found++;
            return;
        }
    fail_msg("%s is not a legal move", get(options, "move")->valuestring);
}

// Reaches every move below; or, with an Rng, one of them.
static void walk(Walk *w, int depth, Rng *rng) {
    cJSON *options = options_after(w, depth);
    const cJSON *items = get(options, "items"), *item;
    int n = cJSON_GetArraySize(items), pick = rng ? (int)rng_below(rng, n ? (uint64_t)n : 1) : -1;
    assert_int_equal(cJSON_GetArraySize(get(options, "values")), depth);
    assert_int_equal(cJSON_GetArraySize(get(options, "texts")), depth);
    if (cJSON_IsString(get(options, "move"))) {
        note_move(w, options, depth);
    } else {
        assert_true(n > 0);
        int i = 0;
        cJSON_ArrayForEach(item, items) {
            if (rng && i++ != pick)
                continue;
            w->values[depth] = (int64_t)get(item, "value")->valuedouble;
            walk(w, depth + 1, rng);
        }
    }
    cJSON_Delete(options);
}

static void check_options(Runner *r, const uint8_t *state, Rng *rng) {
    const Move *moves;
    int n = runner_moves(r, state, &moves);
    assert_true(n > 0);
    Move *copy = malloc(sizeof *copy * (size_t)n);
    memcpy(copy, moves, sizeof *copy * (size_t)n);
    Walk w = {.r = r, .state = state, .moves = copy, .count = n};
    w.seen = calloc((size_t)n, sizeof *w.seen);
    bool all = n <= FULL_WALK;
    walk(&w, 0, all ? NULL : rng);
    assert_int_equal(w.found, all ? n : 1);
    free(w.seen);
    free(copy);
}

static void check_move(Runner *r, const uint8_t *before, Move move) {
    const Game *g = runner_game(r);
    Text values = {0}, cells = {0}, taken = {0};
    int64_t path[VM_MAX_CHOICES];
    int n = 0;
    MoveOptions o;
    describe_move(r, before, move, &values, &cells);
    cJSON *list = parse(&values), *changed = parse(&cells);
    const cJSON *item;
    cJSON_ArrayForEach(item, list) path[n++] = (int64_t)item->valuedouble;
    assert_true(move_options(r, before, path, n, &o) && o.complete && move_equal(o.move, move));
    cJSON_ArrayForEach(item, changed) assert_in_range(item->valueint, 0, g->ir->board->cells - 1);
    assert_true(describe_captures(r, before, &taken));
    cJSON *captured = parse(&taken);
    cJSON_ArrayForEach(item, captured) {
        int top = state_height(g, before, item->valueint);
        assert_true(top > 0);
    }
    cJSON_Delete(list);
    cJSON_Delete(changed);
    cJSON_Delete(captured);
}

// Random games of the whole library: what is told is what the game says.
static void test_positions_and_choices(void **state) {
    (void)state;
    Rng rng;
    rng_seed(&rng, 8);
    for (int i = 0; i < library_count; i++) {
        Game *g = load(library_games[i].name);
        Runner *r = runner_new(g);
        Record *rec = record_new(r, NULL);
        for (int ply = 0; ply < PLIES && record_result(rec) == 0; ply++) {
            check_position(r, rec);
            if (ply % 3 == 0)
                check_options(r, record_now(rec), &rng);
            Move move;
            assert_int_equal(runner_random(r, record_now(rec), rng_next(&rng), &move), 1);
            if (ply % 4 == 1)
                check_move(r, record_now(rec), move);
            assert_true(record_play(rec, move));
        }
        check_position(r, rec);
        record_free(rec);
        runner_free(r);
        game_free(g);
    }
}

static void refuse(Runner *r, const int64_t *values, int count, const char *expected) {
    Text out = {0}, why = {0};
    assert_false(describe_options(r, runner_game(r)->start, values, count, &out, &why));
    assert_int_equal(out.n, 0);
    if (!strstr(text_c(&why), expected))
        fail_msg("`%s` does not say `%s`", text_c(&why), expected);
    text_free(&out);
    text_free(&why);
}

static void test_refusals(void **state) {
    (void)state;
    Game *g = load("river-crossing");
    Runner *r = runner_new(g);
    refuse(r, (int64_t[]){2}, 1, "the goat would eat the cabbage");
    refuse(r, (int64_t[]){1}, 1, "cannot be chosen");
    refuse(r, (int64_t[]){4, 4}, 2, "complete already");
    refuse(r, (int64_t[]){99999}, 1, "cannot be chosen");
    refuse(r, (int64_t[]){INT64_MIN}, 1, "cannot be chosen");
    runner_free(r);
    game_free(g);
    g = load("mill");
    r = runner_new(g);
    Text why = {0};
    uint8_t *now = malloc((size_t)game_state_size(g));
    assert_true(state_read(g, "3/3/3/6/3/3/W2 b", now, &why));
    assert_true(move_why(r, now, (int64_t[]){0}, 1, &why));
    assert_string_equal(text_c(&why), "a1 cannot be chosen: it is not empty");
    text_clear(&why);
    assert_false(move_why(r, now, (int64_t[]){1}, 1, &why));
    assert_int_equal(why.n, 0);
    text_free(&why);
    free(now);
    runner_free(r);
    game_free(g);
}

// Branches without a label say where they lead.
static void test_branches(void **state) {
    (void)state;
    Game *g = compile("game \"B\"\nplayers A, B\nboard square 3 x 1\n"
                      "piece man of A \"a\", B \"b\"\nturn\n    either\n"
                      "        say \"Place.\"\n        choose to in empty\n"
                      "        place man at to\n    or \"stay\"\n        choose n in 1 .. 2\n"
                      "    or\n        require some occupied\n"
                      "when stuck\n    draw\n");
    Runner *r = runner_new(g);
    Text out = {0}, why = {0};
    assert_true(describe_options(r, g->start, NULL, 0, &out, &why));
    cJSON *json = parse(&out);
    assert_string_equal(get(json, "kind")->valuestring, "either");
    const cJSON *items = get(json, "items");
    assert_int_equal(cJSON_GetArraySize(items), 2);
    const cJSON *first = cJSON_GetArrayItem(items, 0), *second = cJSON_GetArrayItem(items, 1);
    assert_string_equal(get(first, "text")->valuestring, "");
    assert_string_equal(get(first, "say")->valuestring, "Place.");
    assert_int_equal(cJSON_GetArraySize(get(first, "cells")), 3);
    assert_string_equal(get(second, "text")->valuestring, "stay");
    assert_false(cJSON_HasObjectItem(second, "cells"));
    cJSON_Delete(json);
    text_free(&why);
    runner_free(r);
    game_free(g);
}

static void test_captures(void **state) {
    (void)state;
    Game *g = load("chess");
    Runner *r = runner_new(g);
    Text why = {0}, out = {0};
    uint8_t *now = malloc((size_t)game_state_size(g));
    // The pawn can take the rook; the queen behind it is safe.
    assert_true(state_read(g, "k7/8/8/q7/1r6/P7/8/7K w", now, &why));
    assert_true(describe_captures(r, now, &out));
    assert_string_equal(text_c(&out), "[25]");
    text_free(&out);
    text_free(&why);
    free(now);
    runner_free(r);
    game_free(g);
}

// Allocations that fail in turn: no crash, and `failed` is set or the answer is whole.
static void test_memory(void **state) {
    (void)state;
    Game *g = load("byte");
    for (long n = 1; n < 400; n++) {
        Runner *r = runner_new(g);
        Text out = {0}, why = {0};
        mem_fail_at(n);
        describe_game(g, &out);
        describe_position(r, g->start, &out);
        describe_options(r, g->start, NULL, 0, &out, &why);
        mem_fail_at(0);
        text_free(&out);
        text_free(&why);
        runner_free(r);
    }
    game_free(g);
}

// Cells that are a player's own are found in the rules: sets that depend on the player alone.
static void test_aims(void **state) {
    (void)state;
    static const struct {
        const char *game, *aims;
    } rows[] = {
        {"breakthrough", "\"aims\":[[[56,57,58,59,60,61,62,63]],[[0,1,2,3,4,5,6,7]]]"},
        {"hex", "\"aims\":[[[0,1,2,3,4,5,6,7,8,9,10],[110,111,112,113,114,115,116,117,118,119,120]]"
                ",[[0,11,"},
        {"mill", "\"aims\":[]"},
        {"chess", "\"aims\":[]"},
        {"frogs", "\"aims\":[]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Game *g = load(rows[i].game);
        Text out = {0};
        describe_game(g, &out);
        assert_non_null(strstr(text_c(&out), rows[i].aims));
        text_free(&out);
        game_free(g);
    }
    // Where sides meet in every cell they are still told apart.
    Diags diags = {0};
    Game *g = game_load("hex", (const char *[]){"size=2"}, 1, &diags);
    Text out = {0};
    assert_non_null(g);
    describe_aims(g, &out);
    assert_string_equal(text_c(&out), ",\"aims\":[[[0,1],[2,3]],[[0,2],[1,3]]]");
    text_free(&out);
    game_free(g);
    diag_free(&diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_games),
        cmocka_unit_test(test_parameters),
        cmocka_unit_test(test_positions_and_choices),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_captures),
        cmocka_unit_test(test_aims),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
