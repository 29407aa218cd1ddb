// clips_facts: a position as facts of CLIPS.
//
// All are ordered facts: the name, then fields. What a file would read as a symbol or a whole
// number is one, other names are strings. Facts that no rule asks for are left out, except where
// people want to see them all.
#include "base/bits.h"
#include "game/statetext.h"
#include "knowledge/clips_parts.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[FACTS] = {
    [FACT_ME] = "me",
    [FACT_MOVER] = "mover",
    [FACT_OPPONENT] = "opponent",
    [FACT_PLAYER] = "player",
    [FACT_CELL] = "cell",
    [FACT_NEXT] = "next",
    [FACT_STEP] = "step",
    [FACT_LINE] = "line",
    [FACT_ON] = "on",
    [FACT_TOP] = "top",
    [FACT_HEIGHT] = "height",
    [FACT_EMPTY] = "empty",
    [FACT_ATTRIBUTE] = "attribute",
    [FACT_VAR] = "var",
};

// --- templates ---

static void declare(void *env, const char *name) {
    if (!EnvFindDeftemplate(env, name))
        CreateImpliedDeftemplate(env, EnvAddSymbol(env, name), TRUE);
}

void clips_declare(Clips *c, void *env) {
    const IrKnowledge *k = c->k->what;
    for (int i = 0; i < FACTS; i++)
        declare(env, names[i]);
    for (int i = 0; i < k->relations; i++)
        declare(env, k->relation[i].name);
    declare(env, "worth");
}

static bool find_template(Clips *c, const char *name, void **found) {
    struct deftemplate *t = EnvFindDeftemplate(c->env, name);
    *found = t;
    return !t || t->implied ||
           clips_fail(c, "`%s` is a fact without slots: it needs no deftemplate", name);
}

// The game's own facts come before those that every game has.
static bool is_own(const IrKnowledge *k, const char *name) {
    for (int i = 0; i < k->relations; i++)
        if (strcmp(k->relation[i].name, name) == 0)
            return true;
    return false;
}

bool clips_find_templates(Clips *c) {
    const IrKnowledge *k = c->k->what;
    void *worth;
    bool ok = find_template(c, "worth", &worth);
    for (int i = 0; ok && i < k->relations; i++)
        ok = find_template(c, k->relation[i].name, &c->own[i]);
    for (int i = 0; ok && i < FACTS; i++) {
        ok = find_template(c, names[i], &c->given[i]);
        if (is_own(k, names[i]))
            c->given[i] = NULL;
    }
    return ok;
}

static bool is_wanted(const Clips *c, const struct deftemplate *t) {
    return t && (c->detail == CLIPS_ALL || t->patternNetwork || t->busyCount > 0);
}

// --- fields ---

#define MOST_FIELDS (BOARD_MAX_CELLS + 4) // the cells of a set, and its name

typedef struct Fields {
    Clips *c;
    int n;
    unsigned short type[MOST_FIELDS];
    void *value[MOST_FIELDS];
} Fields;

static void add_field(Fields *f, unsigned short type, void *value) {
    if (f->n == MOST_FIELDS)
        return;
    f->type[f->n] = type;
    f->value[f->n++] = value;
}

static void add_number(Fields *f, int64_t number) {
    add_field(f, INTEGER, EnvAddLong(f->c->env, number));
}

static bool is_whole_number(const char *word) {
    size_t n = strspn(word + (word[0] == '-'), "0123456789");
    return n > 0 && n < 18 && !word[n + (word[0] == '-')];
}

// As a file can have it: neither a variable nor a number, and without what ends a symbol.
static bool is_symbol(const char *word) {
    if (!word[0] || word[0] == '?' || strncmp(word, "$?", 2) == 0)
        return false;
    for (const char *s = word; *s; s++)
        if ((unsigned char)*s <= ' ' || *s == 0x7f || strchr("\"();&|<~", *s))
            return false;
    char *end;
    strtod(word, &end);
    return *end != '\0';
}

static void add_word(Fields *f, const char *word) {
    if (is_whole_number(word))
        add_number(f, strtoll(word, NULL, 10));
    else
        add_field(f, is_symbol(word) ? SYMBOL : STRING, EnvAddSymbol(f->c->env, word));
}

static void add_cell(Fields *f, int cell) {
    const Board *b = f->c->k->ir->board;
    add_word(f, cell < b->cells ? b->cell[cell].name : "none");
}

static void add_player(Fields *f, int player) {
    const IrGame *g = f->c->k->ir;
    add_word(f, player < g->players ? g->player[player] : "none");
}

// a7-d7-g7
static void add_line(Fields *f, int line) {
    const Board *b = f->c->k->ir->board;
    Text *word = &f->c->word;
    text_clear(word);
    for (int i = 0; i < b->line[line].count; i++)
        text_f(word, "%s%s", i ? "-" : "", b->cell[b->line[line].cells[i]].name);
    add_word(f, text_c(word));
}

static void add_value(Fields *f, IrType type, int64_t value) {
    const IrGame *g = f->c->k->ir;
    Text *word = &f->c->word;
    if (type.kind == TY_INT) {
        add_number(f, value);
    } else if (type.kind == TY_PLAYER) {
        add_player(f, (int)value);
    } else if (type.kind == TY_CELL) {
        add_cell(f, (int)value);
    } else if (type.kind == TY_LINE && value >= 0 && value < g->board->lines) {
        add_line(f, (int)value);
    } else if (type.kind == TY_KIND && value >= g->kinds) {
        add_word(f, "none");
    } else {
        text_clear(word);
        value_text(g, type, value, word);
        add_word(f, strcmp(text_c(word), "-") == 0 ? "none" : text_c(word));
    }
}

static void state_fact(Fields *f, void *template) {
    void *env = f->c->env;
    DATA_OBJECT fields;
    void *all = EnvCreateMultifield(env, f->n);
    for (int i = 0; i < f->n; i++) {
        SetMFType(all, i + 1, f->type[i]);
        SetMFValue(all, i + 1, f->value[i]);
    }
    SetType(fields, MULTIFIELD);
    SetValue(fields, all);
    SetDOBegin(fields, 1);
    SetDOEnd(fields, f->n);
    struct fact *fact = EnvCreateFact(env, template);
    EnvPutFactSlot(env, fact, NULL, &fields);
    EnvAssert(env, fact);
    f->n = 0;
}

// --- the board ---

static void state_players(Fields *f, void *const *given) {
    const Clips *c = f->c;
    int players = c->k->ir->players;
    for (int i = 0; is_wanted(c, given[FACT_PLAYER]) && i < players; i++) {
        add_player(f, i);
        state_fact(f, given[FACT_PLAYER]);
    }
    if (is_wanted(c, given[FACT_ME])) {
        add_player(f, c->me);
        state_fact(f, given[FACT_ME]);
    }
    if (is_wanted(c, given[FACT_OPPONENT]) && players == 2) {
        add_player(f, 1 - c->me);
        state_fact(f, given[FACT_OPPONENT]);
    }
    if (is_wanted(c, given[FACT_MOVER])) {
        add_player(f, c->state[c->k->ir->layout.player]);
        state_fact(f, given[FACT_MOVER]);
    }
}

static void state_neighbours(Fields *f, void *const *given, int cell) {
    const Board *b = f->c->k->ir->board;
    for (int to = 0; is_wanted(f->c, given[FACT_NEXT]) && to < b->cells; to++) {
        if (!(b->next[cell * b->words + to / 64] >> (to % 64) & 1))
            continue;
        add_cell(f, cell);
        add_cell(f, to);
        state_fact(f, given[FACT_NEXT]);
    }
    for (int d = 0; is_wanted(f->c, given[FACT_STEP]) && d < b->directions; d++) {
        int to = b->step[cell * b->directions + d];
        if (to >= b->cells)
            continue;
        add_cell(f, cell);
        add_word(f, b->direction_name[d]);
        add_cell(f, to);
        state_fact(f, given[FACT_STEP]);
    }
}

static void state_board(Fields *f, void *const *given) {
    const Board *b = f->c->k->ir->board;
    for (int i = 0; i < b->cells; i++) {
        if (is_wanted(f->c, given[FACT_CELL])) {
            add_cell(f, i);
            add_number(f, b->cell[i].column);
            add_number(f, b->cell[i].row);
            state_fact(f, given[FACT_CELL]);
        }
        state_neighbours(f, given, i);
    }
    for (int i = 0; is_wanted(f->c, given[FACT_LINE]) && i < b->lines; i++) {
        add_line(f, i);
        for (int j = 0; j < b->line[i].count; j++)
            add_cell(f, b->line[i].cells[j]);
        state_fact(f, given[FACT_LINE]);
    }
}

// --- what stands where ---

static void add_piece(Fields *f, int cell, int plane) {
    const IrGame *g = f->c->k->ir;
    add_cell(f, cell);
    add_word(f, g->kind[g->plane[plane].kind].name);
    add_player(f, g->plane[plane].owner);
}

static void state_pieces(Fields *f, void *const *given, int cell, int height) {
    const Clips *c = f->c;
    bool stacks = c->k->ir->board->stack > 1;
    for (int level = 0; level < height; level++) {
        int plane = state_plane(c->k->game, c->state, cell, level);
        if (plane < 0)
            continue;
        if (is_wanted(c, given[FACT_ON])) {
            add_piece(f, cell, plane);
            if (stacks)
                add_number(f, level);
            state_fact(f, given[FACT_ON]);
        }
        if (stacks && level == height - 1 && is_wanted(c, given[FACT_TOP])) {
            add_piece(f, cell, plane);
            state_fact(f, given[FACT_TOP]);
        }
    }
    if (stacks && is_wanted(c, given[FACT_HEIGHT])) {
        add_cell(f, cell);
        add_number(f, height);
        state_fact(f, given[FACT_HEIGHT]);
    }
}

static void state_attributes(Fields *f, void *template, int cell, int plane) {
    const IrGame *g = f->c->k->ir;
    uint64_t has = plane < 0 ? 0 : g->kind[g->plane[plane].kind].attributes;
    for (int a = 0; a < g->attrs; a++) {
        if (!(has >> a & 1))
            continue;
        add_word(f, g->attr[a].name);
        add_cell(f, cell);
        add_value(f, g->attr[a].type, state_attribute(f->c->k->game, f->c->state, a, cell));
        state_fact(f, template);
    }
}

static void state_cells(Fields *f, void *const *given) {
    const Clips *c = f->c;
    const Game *g = c->k->game;
    for (int cell = 0; cell < c->k->ir->board->cells; cell++) {
        int height = state_height(g, c->state, cell);
        state_pieces(f, given, cell, height);
        if (!height && is_wanted(c, given[FACT_EMPTY])) {
            add_cell(f, cell);
            state_fact(f, given[FACT_EMPTY]);
        }
        if (height && is_wanted(c, given[FACT_ATTRIBUTE]))
            state_attributes(f, given[FACT_ATTRIBUTE], cell,
                             state_plane(g, c->state, cell, height - 1));
    }
}

// --- variables ---

static void add_variable(Fields *f, int var, int index) {
    const Clips *c = f->c;
    const IrVar *v = &c->k->ir->var[var];
    if (v->type.kind == TY_SET) {
        for (int cell = 0; cell < c->k->ir->board->cells; cell++)
            if (state_variable_has(c->k->game, c->state, var, index, cell))
                add_cell(f, cell);
        return;
    }
    int64_t value = state_variable(c->k->game, c->state, var, index);
    if (v->type.kind != TY_MASK) {
        add_value(f, v->type, value);
        return;
    }
    IrType member = {.kind = v->type.of, .of_enum = v->type.of_enum};
    for (int i = 0; i < 64; i++)
        if ((uint64_t)value >> i & 1)
            add_value(f, member, i);
}

static void state_variables(Fields *f, void *template) {
    const IrGame *g = f->c->k->ir;
    for (int v = 0; is_wanted(f->c, template) && v < g->vars; v++)
        for (int i = 0; i < g->var[v].count; i++) {
            add_word(f, g->var[v].name);
            if (g->var[v].indexed)
                add_value(f, g->var[v].index, i + g->var[v].index_base);
            add_variable(f, v, i);
            state_fact(f, template);
        }
}

// --- the game's own facts ---

static void state_relation(Fields *f, int relation) {
    const Clips *c = f->c;
    const IrRelation *r = &c->k->what->relation[relation];
    int64_t value[IR_MAX_ARGS];
    for (int t = 0; t < r->tuples; t++) {
        if (!tuple_holds(c->facts[relation], t))
            continue;
        tuple_values(r, t, value);
        for (int i = 0; i < r->params; i++)
            add_value(f, r->type[i], value[i]);
        state_fact(f, c->own[relation]);
    }
}

void clips_assert_position(Clips *c) {
    Fields f = {.c = c};
    state_players(&f, c->given);
    state_board(&f, c->given);
    state_cells(&f, c->given);
    state_variables(&f, c->given[FACT_VAR]);
    for (int i = 0; i < c->k->what->relations; i++)
        if (is_wanted(c, c->own[i]))
            state_relation(&f, i);
}
