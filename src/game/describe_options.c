// describe_options: the next choice of a move, and what moves change; see describe.h.
#include "game/describe.h"

#include "game/movetext.h"
#include "game/statetext.h"

#include <string.h>

// More moves than this are not played just to see what they take.
#define CAPTURES_TRIED 4000

// --- choices ---

static void choice_json(const IrGame *ir, int site, int64_t value, Text *out) {
    const IrSite *s = &ir->site[site];
    Text text = {0};
    if (!s->labels)
        value_text(ir, s->type, value, &text);
    else if (value >= s->lo && value <= s->hi)
        text_add(&text, s->labels[value - s->lo]);
    out->failed |= text.failed;
    text_json(out, text_c(&text));
    text_free(&text);
}

static void values_json(const int64_t *values, int count, Text *out) {
    text_char(out, '[');
    for (int i = 0; i < count; i++)
        text_f(out, "%s%lld", i ? "," : "", (long long)values[i]);
    text_char(out, ']');
}

// The texts of choices made: the turn tells which sites they belong to.
static bool made_json(Runner *r, const uint8_t *state, const int64_t *values, int count,
                      Text *out) {
    const IrGame *ir = runner_game(r)->ir;
    MoveOptions options;
    text_char(out, '[');
    for (int i = 0; i < count; i++) {
        if (!move_options(r, state, values, i, &options) || options.complete)
            return false;
        text_add(out, i ? "," : "");
        choice_json(ir, options.site, values[i], out);
    }
    text_char(out, ']');
    return true;
}

static bool has_value(const MoveOptions *options, int64_t value) {
    for (int i = 0; i < options->count; i++)
        if (options->values[i] == value)
            return true;
    return false;
}

// Follows the values one by one; each must be among the options before it.
static bool walk(Runner *r, const uint8_t *state, const int64_t *values, int count,
                 MoveOptions *options, Text *why) {
    for (int i = 0; i <= count; i++) {
        if (!move_options(r, state, values, i, options)) {
            text_add(why, runner_error(r));
            return false;
        }
        if (i == count)
            return true;
        if (options->complete || !has_value(options, values[i])) {
            if (options->complete)
                text_add(why, "the move is complete already");
            else if (!move_why(r, state, values, i + 1, why))
                text_add(why, "no legal move begins like this");
            return false;
        }
    }
    return true;
}

// Where an item of either/or leads: the cells that could be chosen next, so that a click on one
// of them says which branch is meant, and what the rules say there.
static void branch_json(Runner *r, const uint8_t *state, const int64_t *values, int count,
                        Text *out) {
    const IrGame *ir = runner_game(r)->ir;
    MoveOptions next;
    if (!move_options(r, state, values, count, &next))
        return;
    if (next.complete) {
        text_add(out, ",\"ends\":true");
        return;
    }
    if (next.say) {
        text_add(out, ",\"say\":");
        text_json(out, next.say);
    }
    if (ir->site[next.site].type.kind != TY_CELL)
        return;
    text_add(out, ",\"cells\":");
    values_json(next.values, next.count, out);
}

static bool items_json(Runner *r, const uint8_t *state, const int64_t *values, int count,
                       const MoveOptions *options, Text *out) {
    const IrGame *ir = runner_game(r)->ir;
    const IrSite *site = &ir->site[options->site];
    int n = options->count;
    int64_t path[VM_MAX_CHOICES + 1];
    int64_t *items = mem_alloc(sizeof *items * (size_t)(n + 1));
    if (!items)
        return false;
    if (n > 0)
        memcpy(items, options->values, sizeof *items * (size_t)n);
    if (count > 0) // else there may be none to copy from
        memcpy(path, values, sizeof *path * (size_t)count);
    for (int i = 0; i < n; i++) {
        text_f(out, "%s{\"value\":%lld,\"text\":", i ? "," : "", (long long)items[i]);
        choice_json(ir, options->site, items[i], out);
        if (site->type.kind == TY_CELL && items[i] < ir->board->cells)
            text_f(out, ",\"cell\":%lld", (long long)items[i]);
        path[count] = items[i];
        if (ir_is_either(site))
            branch_json(r, state, path, count + 1, out);
        text_char(out, '}');
    }
    mem_free(items);
    return true;
}

static void ask_json(const IrGame *ir, const MoveOptions *options, Text *out) {
    const IrSite *site = &ir->site[options->site];
    text_f(out, ",\"move\":null,\"site\":%d,\"name\":", options->site);
    text_json(out, site->name);
    text_f(out,
           ",\"kind\":\"%s\",\"say\":", ir_is_either(site) ? "either" : describe_kind(site->type));
    if (site->say)
        text_json(out, site->say);
    else
        text_add(out, "null");
    text_add(out, ",\"items\":[");
}

static bool complete_json(Runner *r, const uint8_t *state, Move move, Text *out) {
    Text text = {0};
    bool ok = move_text(r, state, move, &text) && !text.failed;
    text_add(out, ",\"move\":");
    text_json(out, text_c(&text));
    text_free(&text);
    text_f(out, ",\"site\":null,\"name\":null,\"kind\":null,\"say\":null,\"items\":[],\"pass\":%s}",
           move_is_pass(move) ? "true" : "false");
    return ok;
}

bool describe_options(Runner *r, const uint8_t *state, const int64_t *values, int count, Text *out,
                      Text *why) {
    MoveOptions options;
    if (count < 0 || count > VM_MAX_CHOICES) {
        text_add(why, "no move has so many choices");
        return false;
    }
    if (!walk(r, state, values, count, &options, why))
        return false;
    Text made = {0}, json = {0};
    bool ok = made_json(r, state, values, count, &made) &&
              move_options(r, state, values, count, &options);
    text_add(&json, "{\"values\":");
    values_json(values, count, &json);
    text_f(&json, ",\"texts\":%s", text_c(&made));
    if (ok && options.complete) {
        ok = complete_json(r, state, options.move, &json);
    } else if (ok) {
        ask_json(runner_game(r)->ir, &options, &json);
        ok = items_json(r, state, values, count, &options, &json);
        text_add(&json, "],\"pass\":false}");
    }
    if (ok && !json.failed)
        text_add_n(out, text_c(&json), json.n);
    else
        text_add(why, runner_error(r));
    text_free(&made);
    ok = ok && !json.failed;
    text_free(&json);
    return ok;
}

// --- what moves change ---

static bool cell_differs(const Game *g, const uint8_t *a, const uint8_t *b, int cell) {
    int height = state_height(g, a, cell);
    if (height != state_height(g, b, cell))
        return true;
    for (int level = 0; level < height; level++)
        if (state_plane(g, a, cell, level) != state_plane(g, b, cell, level))
            return true;
    for (int i = 0; i < g->ir->attrs; i++)
        if (state_attribute(g, a, i, cell) != state_attribute(g, b, i, cell))
            return true;
    return false;
}

void describe_changed(const Game *g, const uint8_t *before, const uint8_t *after, Text *cells) {
    int n = 0;
    text_char(cells, '[');
    for (int c = 0; c < g->ir->board->cells; c++)
        if (cell_differs(g, before, after, c))
            text_f(cells, "%s%d", n++ ? "," : "", c);
    text_char(cells, ']');
}

void describe_move(Runner *r, const uint8_t *before, Move move, Text *values, Text *cells) {
    const Game *g = runner_game(r);
    int64_t list[VM_MAX_CHOICES];
    if (values)
        values_json(list, move_values(r, before, move, list, VM_MAX_CHOICES), values);
    uint8_t *after = cells ? mem_alloc((size_t)game_state_size(g)) : NULL;
    if (after && runner_apply(r, before, move, after))
        describe_changed(g, before, after, cells);
    else if (cells)
        text_add(cells, "[]");
    mem_free(after);
}

// How many pieces of a player stand on a cell.
static int pieces_of(const Game *g, const uint8_t *state, int cell, int player) {
    int n = 0;
    for (int level = state_height(g, state, cell) - 1; level >= 0; level--) {
        int plane = state_plane(g, state, cell, level);
        n += plane >= 0 && g->ir->plane[plane].owner == player;
    }
    return n;
}

// Marks the cells where a player has fewer pieces, if there are fewer on the whole board: a piece
// that was only pushed is not taken.
static void mark_taken(const Game *g, const uint8_t *before, const uint8_t *after, int player,
                       uint64_t *taken) {
    uint64_t fewer[BOARD_MAX_WORDS] = {0};
    int change = 0;
    for (int c = 0; c < g->ir->board->cells; c++) {
        int d = pieces_of(g, after, c, player) - pieces_of(g, before, c, player);
        change += d;
        if (d < 0)
            fewer[c / 64] |= (uint64_t)1 << (c % 64);
    }
    for (int i = 0; change < 0 && i < BOARD_MAX_WORDS; i++)
        taken[i] |= fewer[i];
}

bool describe_captures(Runner *r, const uint8_t *state, Text *cells) {
    const Game *g = runner_game(r);
    int me = game_player(g, state), seen = 0;
    uint64_t taken[BOARD_MAX_WORDS] = {0};
    const Move *moves;
    int n = runner_moves(r, state, &moves);
    n = n > CAPTURES_TRIED ? CAPTURES_TRIED : n;
    uint8_t *after = mem_alloc((size_t)game_state_size(g));
    bool ok = n >= 0 && after;
    for (int i = 0; ok && i < n; i++) {
        ok = runner_apply(r, state, moves[i], after);
        for (int p = 0; ok && p < g->ir->players; p++)
            if (p != me)
                mark_taken(g, state, after, p, taken);
    }
    text_char(cells, '[');
    for (int c = 0; ok && c < g->ir->board->cells; c++)
        if (taken[c / 64] >> (c % 64) & 1)
            text_f(cells, "%s%d", seen++ ? "," : "", c);
    text_char(cells, ']');
    mem_free(after);
    return ok;
}
