// describe: positions; see describe.h for the contract.
#include "game/describe.h"

#include "game/statetext.h"

const char *describe_kind(IrType type) {
    switch (type.kind) {
    case TY_BOOL: return "flag";
    case TY_PLAYER: return "player";
    case TY_CELL: return "cell";
    case TY_DIRECTION: return "direction";
    case TY_KIND: return "kind";
    case TY_LINE: return "line";
    case TY_FLAG: return "word";
    case TY_SET: return "set";
    case TY_MASK: return "words";
    default: return "number";
    }
}

static void text_value(const IrGame *ir, IrType type, int64_t value, Text *out) {
    Text text = {0};
    value_text(ir, type, value, &text);
    out->failed |= text.failed;
    text_json(out, text_c(&text));
    text_free(&text);
}

static void number_below(int64_t value, int64_t none, Text *out) {
    if (value >= 0 && value < none)
        text_f(out, "%lld", (long long)value);
    else
        text_add(out, "null");
}

void describe_value(const IrGame *ir, IrType type, int64_t value, Text *out) {
    switch (type.kind) {
    case TY_INT: text_f(out, "%lld", (long long)value); break;
    case TY_BOOL: text_add(out, value ? "true" : "false"); break;
    case TY_PLAYER: number_below(value, ir->players, out); break;
    case TY_CELL: number_below(value, ir->board->cells, out); break;
    case TY_KIND:
        if (value < 0 || value >= ir->kinds)
            text_add(out, "null");
        else
            text_json(out, ir->kind[value].name);
        break;
    default: text_value(ir, type, value, out);
    }
}

// --- the board ---

static void cell_json(const Game *g, const uint8_t *state, int cell, Text *out) {
    int height = state_height(g, state, cell);
    if (g->ir->board->stack == 1 || height == 0) {
        number_below(height ? state_plane(g, state, cell, 0) : -1, g->ir->planes, out);
        return;
    }
    for (int level = 0; level < height; level++)
        text_f(out, "%c%d", level ? ',' : '[', state_plane(g, state, cell, level));
    text_char(out, ']');
}

static void cells_json(const Game *g, const uint8_t *state, Text *out) {
    text_add(out, ",\"cells\":[");
    for (int c = 0; c < g->ir->board->cells; c++) {
        text_add(out, c ? "," : "");
        cell_json(g, state, c, out);
    }
    text_char(out, ']');
}

static bool has_attribute(const Game *g, const uint8_t *state, int cell, int attr) {
    int height = state_height(g, state, cell);
    int plane = height ? state_plane(g, state, cell, height - 1) : -1;
    return plane >= 0 && (g->ir->kind[g->ir->plane[plane].kind].attributes >> attr & 1);
}

static void attributes_json(const Game *g, const uint8_t *state, Text *out) {
    const IrGame *ir = g->ir;
    text_add(out, ",\"attributes\":{");
    for (int a = 0; a < ir->attrs; a++) {
        text_add(out, a ? "," : "");
        text_json(out, ir->attr[a].name);
        text_add(out, ":[");
        for (int c = 0; c < ir->board->cells; c++) {
            text_add(out, c ? "," : "");
            if (has_attribute(g, state, c, a))
                describe_value(ir, ir->attr[a].type, state_attribute(g, state, a, c), out);
            else
                text_add(out, "null");
        }
        text_char(out, ']');
    }
    text_char(out, '}');
}

// --- variables ---

static void set_json(const Game *g, const uint8_t *state, int var, int index, Text *out) {
    int n = 0;
    text_char(out, '[');
    for (int c = 0; c < g->ir->board->cells; c++)
        if (state_variable_has(g, state, var, index, c))
            text_f(out, "%s%d", n++ ? "," : "", c);
    text_char(out, ']');
}

static void entry_json(const Game *g, const uint8_t *state, int var, int index, Text *out) {
    if (g->ir->var[var].type.kind == TY_SET)
        set_json(g, state, var, index, out);
    else
        describe_value(g->ir, g->ir->var[var].type, state_variable(g, state, var, index), out);
}

static void variables_json(const Game *g, const uint8_t *state, Text *out) {
    const IrGame *ir = g->ir;
    text_add(out, ",\"variables\":{");
    for (int v = 0; v < ir->vars; v++) {
        text_add(out, v ? "," : "");
        text_json(out, ir->var[v].name);
        text_char(out, ':');
        if (!ir->var[v].indexed) {
            entry_json(g, state, v, 0, out);
            continue;
        }
        text_char(out, '[');
        for (int i = 0; i < ir->var[v].count; i++) {
            text_add(out, i ? "," : "");
            entry_json(g, state, v, i, out);
        }
        text_char(out, ']');
    }
    text_char(out, '}');
}

// --- the whole ---

static void end_json(const Game *g, int result, const char *reason, Text *out) {
    Text words = {0};
    if (result > 0)
        game_result_text(g, result, &words);
    text_f(out, ",\"over\":%s,\"winners\":[", result > 0 ? "true" : "false");
    for (int p = 0, seen = 0; result > 0 && p < g->ir->players; p++)
        if (result >> p & 1)
            text_f(out, "%s%d", seen++ ? "," : "", p);
    text_add(out, "],\"result\":");
    text_json(out, text_c(&words));
    text_add(out, ",\"reason\":");
    text_json(out, result ? reason : "");
    text_free(&words);
}

void describe_record_position(Record *rec, Runner *r, Text *out) {
    const Game *g = runner_game(r);
    const uint8_t *state = record_now(rec);
    Text text = {0};
    state_text(g, state, &text);
    text_add(out, "{\"text\":");
    text_json(out, text_c(&text));
    out->failed |= text.failed;
    text_free(&text);
    text_f(out, ",\"player\":%d", game_player(g, state));
    cells_json(g, state, out);
    attributes_json(g, state, out);
    variables_json(g, state, out);
    int result = record_result(rec);
    end_json(g, result, result ? record_reason(rec) : "", out);
    text_char(out, '}');
}

void describe_position(Runner *r, const uint8_t *state, Text *out) {
    Record *rec = record_new(r, state);
    if (rec)
        describe_record_position(rec, r, out);
    else
        out->failed = true;
    record_free(rec);
}
