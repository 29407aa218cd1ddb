// edit: positions that a person sets up, piece by piece; see docs/web-protocol.md.
//
// Nothing is kept: a message has the position so far as a text, and one change.
#include "base/mem.h"
#include "game/statetext.h"
#include "server/room_inside.h"

#include <string.h>

typedef struct Edit {
    Client *client;
    int64_t id;
    const Game *game;
    Runner *runner;
    uint8_t *state;
} Edit;

static bool bad(Edit *e, const char *why) {
    client_error(e->client, e->id, "bad", NULL, "%s", why);
    return false;
}

// A whole number of a list; false if there is none in that range.
static bool whole(const cJSON *list, int at, int64_t low, int64_t high, int64_t *out) {
    const cJSON *item = cJSON_GetArrayItem(list, at);
    double v = cJSON_IsNumber(item) ? item->valuedouble : 0.5;
    if (!(v >= (double)low && v <= (double)high) || v != (double)(int64_t)v)
        return false;
    *out = (int64_t)v;
    return true;
}

// --- changes ---

static bool put_piece(Edit *e, const cJSON *put) {
    int64_t cell, piece;
    const IrGame *ir = e->game->ir;
    if (!cJSON_IsArray(put) || !whole(put, 0, 0, ir->board->cells - 1, &cell) ||
        !whole(put, 1, -1, ir->planes - 1, &piece))
        return bad(e, "`put` is a cell and a piece, or a cell and -1");
    if (piece >= 0 && state_height(e->game, e->state, (int)cell) >= ir->board->stack &&
        ir->board->stack > 1)
        return bad(e, "no more pieces fit there");
    state_put(e->game, e->state, (int)cell, (int)piece);
    state_follow(e->game, e->state);
    return true;
}

static bool clear_all(Edit *e) {
    for (int c = 0; c < e->game->ir->board->cells; c++)
        state_put(e->game, e->state, c, -1);
    state_follow(e->game, e->state);
    return true;
}

// A value as POSITION has it: a number, a flag, a text, null for none.
static bool read_value(Edit *e, IrType type, int32_t lo, int32_t hi, const cJSON *in,
                       int64_t *value) {
    const IrGame *ir = e->game->ir;
    bool number = cJSON_IsNumber(in) && in->valuedouble == (double)(int64_t)in->valuedouble;
    int64_t v = number ? (int64_t)in->valuedouble : 0;
    Text why = {0};
    bool ok;
    if (type.kind == TY_INT) {
        ok = number && v >= lo && v <= hi;
        if (!ok)
            text_f(&why, "it is a number from %d to %d", (int)lo, (int)hi);
    } else if (type.kind == TY_BOOL) {
        ok = cJSON_IsBool(in);
        v = cJSON_IsTrue(in);
        if (!ok)
            text_add(&why, "it is true or false");
    } else if (number && (type.kind == TY_CELL || type.kind == TY_PLAYER)) {
        ok = v >= 0 && v < (type.kind == TY_CELL ? ir->board->cells : ir->players);
        if (!ok)
            text_add(&why, "there is none with this number");
    } else {
        const char *word = cJSON_IsString(in) ? in->valuestring : cJSON_IsNull(in) ? "-" : "";
        ok = value_read(ir, type, word, &v, &why);
    }
    if (!ok)
        client_error(e->client, e->id, "bad", NULL, "%s", text_c(&why));
    text_free(&why);
    *value = v;
    return ok;
}

static bool set_cells(Edit *e, int var, int index, const cJSON *list) {
    const Board *b = e->game->ir->board;
    uint64_t set[BOARD_MAX_WORDS] = {0};
    int count = cJSON_GetArraySize(list);
    if (!cJSON_IsArray(list) || count > b->cells)
        return bad(e, "a set is a list of cells");
    for (int i = 0; i < count; i++) {
        int64_t cell;
        if (!whole(list, i, 0, b->cells - 1, &cell))
            return bad(e, "a set is a list of cells");
        set[cell / 64] |= (uint64_t)1 << (cell % 64);
    }
    state_set_cells(e->game, e->state, var, index, set);
    return true;
}

static bool set_variable(Edit *e, const cJSON *change) {
    const IrGame *ir = e->game->ir;
    const cJSON *name = cJSON_GetArrayItem(change, 0), *value = cJSON_GetArrayItem(change, 2);
    int var = 0;
    int64_t index = 0, v;
    if (!cJSON_IsString(name) || !value)
        return bad(e, "`set` is a variable, an index and a value");
    while (var < ir->vars && strcmp(ir->var[var].name, name->valuestring) != 0)
        var++;
    if (var == ir->vars)
        return bad(e, "there is no such variable");
    if (ir->var[var].indexed && !whole(change, 1, 0, ir->var[var].count - 1, &index))
        return bad(e, "there is no such entry of the variable");
    if (ir->var[var].type.kind == TY_SET)
        return set_cells(e, var, (int)index, value);
    if (!read_value(e, ir->var[var].type, ir->var[var].lo, ir->var[var].hi, value, &v))
        return false;
    state_set_variable(e->game, e->state, var, (int)index, v);
    return true;
}

static bool set_attribute(Edit *e, const cJSON *change) {
    const IrGame *ir = e->game->ir;
    const cJSON *name = cJSON_GetArrayItem(change, 0), *value = cJSON_GetArrayItem(change, 2);
    int attr = 0;
    int64_t cell, v;
    if (!cJSON_IsString(name) || !value || !whole(change, 1, 0, ir->board->cells - 1, &cell))
        return bad(e, "`attribute` is a name, a cell and a value");
    while (attr < ir->attrs && strcmp(ir->attr[attr].name, name->valuestring) != 0)
        attr++;
    if (attr == ir->attrs)
        return bad(e, "there is no such attribute");
    int height = state_height(e->game, e->state, (int)cell);
    int plane = height ? state_plane(e->game, e->state, (int)cell, height - 1) : -1;
    if (plane < 0 || !(ir->kind[ir->plane[plane].kind].attributes >> attr & 1))
        return bad(e, "no piece with this attribute is there");
    const IrAttr *a = &ir->attr[attr];
    if (!read_value(e, a->type, a->lo, a->hi, value, &v))
        return false;
    state_set_attribute(e->game, e->state, attr, (int)cell, v);
    return true;
}

static bool change(Edit *e, const cJSON *in) {
    const IrGame *ir = e->game->ir;
    const cJSON *put = cJSON_GetObjectItemCaseSensitive(in, "put");
    const cJSON *set = cJSON_GetObjectItemCaseSensitive(in, "set");
    const cJSON *attribute = cJSON_GetObjectItemCaseSensitive(in, "attribute");
    const cJSON *clear = cJSON_GetObjectItemCaseSensitive(in, "clear");
    int64_t player;
    e->state[ir->layout.result] = 0; // whoever changes a position wants to play it
    if (cJSON_IsTrue(clear) && !clear_all(e))
        return false;
    if (put && !put_piece(e, put))
        return false;
    if (set && !set_variable(e, set))
        return false;
    if (attribute && !set_attribute(e, attribute))
        return false;
    if (!cJSON_GetObjectItemCaseSensitive(in, "player"))
        return true;
    if (!in_whole(e->client, e->id, in, "player", 0, ir->players - 1, &player))
        return false;
    e->state[ir->layout.player] = (uint8_t)player;
    return true;
}

// --- the answer ---

// What keeps the position from being played: its text cannot be read again, or the rules fail.
static int64_t find_problem(Edit *e, Text *problem) {
    Text text = {0};
    int64_t moves = 0;
    uint8_t *again = mem_alloc((size_t)game_state_size(e->game));
    state_text(e->game, e->state, &text);
    if (!again || text.failed) {
        text_add(problem, "out of memory");
    } else if (state_read(e->game, text_c(&text), again, problem)) {
        int result = runner_result(e->runner, e->state);
        moves = result == 0 ? runner_count(e->runner, e->state) : 0;
        if (result < 0 || moves < 0)
            text_add(problem, runner_error(e->runner));
        else if (result > 0)
            text_add(problem, "the game is over in this position");
    }
    mem_free(again);
    text_free(&text);
    return moves < 0 ? 0 : moves;
}

static void reply_edited(Edit *e) {
    Text out = {0}, problem = {0};
    int64_t moves = find_problem(e, &problem);
    text_add(&out, "\"position\":");
    describe_position(e->runner, e->state, &out);
    text_add(&out, ",\"problem\":");
    if (problem.n)
        text_json(&out, text_c(&problem));
    else
        text_add(&out, "null");
    text_f(&out, ",\"moves\":%lld", (long long)moves);
    text_free(&problem);
    reply_text(e->client, e->id, &out);
}

static bool read_state(Edit *e, const cJSON *in) {
    const char *text = "";
    Text why = {0};
    if (cJSON_GetObjectItemCaseSensitive(in, "state") &&
        !in_text(e->client, e->id, in, "state", &text))
        return false;
    if (!text[0]) {
        memcpy(e->state, e->game->start, (size_t)game_state_size(e->game));
        return true;
    }
    bool ok = strlen(text) <= ROOM_START && state_read(e->game, text, e->state, &why);
    if (!ok)
        client_error(e->client, e->id, "bad", NULL, "%s",
                     why.n ? text_c(&why) : "the position is too long");
    text_free(&why);
    return ok;
}

void hub_do_edit(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    const char *name;
    char **params;
    int count;
    if (!in_text(client, id, in, "game", &name) || !read_params(client, id, in, &params, &count))
        return;
    Text why = {0};
    Edit e = {.client = client, .id = id};
    e.game = games_take_list(hub, name, params, count, &why);
    free_params(params, count);
    e.state = e.game ? mem_alloc((size_t)game_state_size(e.game)) : NULL;
    if (!e.state) {
        client_error(client, id, e.game ? "failed" : "bad", NULL, "%s",
                     e.game ? "out of memory" : text_c(&why));
    } else {
        e.runner = games_runner(hub, e.game, GAMES_SECONDS);
        if (read_state(&e, in) && change(&e, in))
            reply_edited(&e);
    }
    mem_free(e.state);
    games_drop(hub, e.game);
    text_free(&why);
}
