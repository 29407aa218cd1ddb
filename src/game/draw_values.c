// draw_values: what a position holds besides its pieces, in words; see draw.h.
#include "game/draw.h"

#include "base/rows.h"
#include "game/state_parts.h"
#include "game/statetext.h"

#include <string.h>

static bool is_plain(const char *value) {
    return strcmp(value, "0") == 0 || strcmp(value, "-") == 0 || strcmp(value, "no") == 0;
}

// One entry as a word, `White=3`; without an index the value alone. True if it says something.
static bool entry_text(const Game *g, const uint8_t *state, int var, int i, Text *out) {
    const IrVar *v = &g->ir->var[var];
    Text value = {0};
    state_entry_text(g, state, var, i, &value);
    bool tells = !is_plain(text_c(&value));
    if (v->indexed) {
        value_text(g->ir, v->index, v->index_base + i, out);
        text_char(out, '=');
    }
    text_add(out, text_c(&value));
    text_free(&value);
    return tells;
}

// A word for each entry; of cells only those that say something.
static void add_variable(const Game *g, const uint8_t *state, int var, Rows *rows) {
    const IrVar *v = &g->ir->var[var];
    bool cells = v->indexed && v->index.kind == TY_CELL, tells = false;
    Text all = {0}, entry = {0};
    text_f(&all, "%s", v->name);
    for (int i = 0; i < v->count; i++) {
        text_clear(&entry);
        bool told = entry_text(g, state, var, i, &entry);
        tells = tells || told;
        if (told || !cells)
            text_f(&all, "%c%s", v->indexed ? ' ' : '=', text_c(&entry));
    }
    if (tells)
        rows_add(rows, text_c(&all));
    text_free(&all);
    text_free(&entry);
}

void draw_values(const Game *g, const uint8_t *state, Text *out) {
    const IrGame *ir = g->ir;
    Rows rows = {.out = out};
    for (int v = 0; v < ir->vars; v++)
        if (v != names_content(ir) && v != names_at(ir))
            add_variable(g, state, v, &rows);
    rows_end(&rows);
}
