// describe_game: what does not change while a game is played; see describe.h.
#include "game/describe.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- small parts ---

static void member(const char *name, const char *value, Text *out) {
    text_f(out, ",\"%s\":", name);
    if (value)
        text_json(out, value);
    else
        text_add(out, "null");
}

static void texts(const char *name, const char *const *list, int count, Text *out) {
    text_f(out, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        text_add(out, i ? "," : "");
        text_json(out, list[i]);
    }
    text_char(out, ']');
}

static const char *shape_word(const Board *b) {
    static const char *const words[] = {"square",   "rhombus", "hexagon",
                                        "triangle", "lines",   "places"};
    return words[b->shape];
}

static void heading(const Game *g, Text *out) {
    const IrGame *ir = g->ir;
    text_add(out, "{\"game\":");
    text_json(out, g->name);
    member("title", ir->title, out);
    texts("also", ir->also, ir->also_count, out);
    member("about", ir->about ? ir->about : "", out);
}

// What a card shows: the title, a sentence, the players.
static bool is_on_card(const IrGame *ir, const char *text) {
    bool shown = strcmp(text, ir->title) == 0 || (ir->about && strcmp(text, ir->about) == 0);
    for (int i = 0; i < ir->players; i++)
        shown = shown || strcmp(text, ir->player[i]) == 0;
    return shown;
}

// What the file says in other languages, by language: all of it, or what a card shows.
static void phrases_json(const IrGame *ir, bool card, Text *out) {
    const char *language = NULL;
    bool done[1 << 10] = {false};
    int most = ir->phrases < 1 << 10 ? ir->phrases : 1 << 10;
    text_add(out, ",\"texts\":{");
    for (int i = 0; i < most; i++) {
        if (done[i])
            continue;
        text_add(out, language ? "}," : "");
        language = ir->phrase[i].language;
        text_f(out, "\"%s\":{", language); // letters only
        bool first = true;
        for (int k = i; k < most; k++) {
            const IrPhrase *p = &ir->phrase[k];
            if (strcmp(p->language, language) != 0)
                continue;
            done[k] = true;
            if (card && !is_on_card(ir, p->from))
                continue;
            text_add(out, first ? "" : ",");
            first = false;
            text_json(out, p->from);
            text_char(out, ':');
            text_json(out, p->to);
        }
    }
    text_add(out, language ? "}}" : "}");
}

// --- parameters ---

static void parameter_value(const IrParameter *p, Text *out) {
    Text value = {0};
    for (int i = 0; i < p->count; i++) {
        text_add(&value, i ? "," : "");
        if (p->words)
            text_add(&value, p->words[p->values[i]]);
        else if (p->boolean)
            text_add(&value, p->values[i] ? "yes" : "no");
        else
            text_f(&value, "%lld", (long long)p->values[i]);
    }
    text_json(out, text_c(&value));
    text_free(&value);
}

// "8, 10 or 16", "distinct or all": the words that may stand there.
static void choices_json(const char *allowed, Text *out) {
    text_add(out, ",\"choices\":[");
    int n = 0;
    for (const char *s = allowed; *s;) {
        size_t length = strcspn(s, ", ");
        if (length && !(length == 2 && strncmp(s, "or", 2) == 0)) {
            Text word = {0};
            text_add_n(&word, s, length);
            text_add(out, n++ ? "," : "");
            text_json(out, text_c(&word));
            text_free(&word);
        }
        s += length;
        s += strspn(s, ", ");
    }
    text_char(out, ']');
}

static void parameter_json(const IrParameter *p, Text *out) {
    long long low, high;
    text_add(out, "{\"name\":");
    text_json(out, p->name);
    member("help", p->help, out);
    member("allowed", p->allowed, out);
    const char *range = p->list ? strpbrk(p->allowed, "-0123456789") : p->allowed;
    bool bounds =
        !p->boolean && !p->words && range && sscanf(range, "%lld..%lld", &low, &high) == 2;
    member("kind", p->boolean ? "flag" : p->list ? "list" : bounds ? "number" : "word", out);
    if (bounds)
        text_f(out, ",\"low\":%lld,\"high\":%lld", low, high);
    else if (!p->boolean && !p->list)
        choices_json(p->allowed, out);
    member("initial", p->initial, out);
    text_add(out, ",\"value\":");
    parameter_value(p, out);
    text_char(out, '}');
}

static void parameters_json(const Game *g, Text *out) {
    text_add(out, ",\"params\":{");
    for (int i = 0; i < g->param_count; i++) {
        Text name = {0};
        size_t n = strcspn(g->params[i], "=");
        text_add_n(&name, g->params[i], n);
        text_add(out, i ? "," : "");
        text_json(out, text_c(&name));
        text_char(out, ':');
        text_json(out, g->params[i][n] ? g->params[i] + n + 1 : "");
        text_free(&name);
    }
    text_add(out, "},\"parameters\":[");
    for (int i = 0; i < g->ir->parameters; i++) {
        text_add(out, i ? "," : "");
        parameter_json(&g->ir->parameter[i], out);
    }
    text_char(out, ']');
}

// --- the board ---

static void cells_json(const Board *b, Text *out) {
    text_add(out, ",\"cells\":[");
    for (int c = 0; c < b->cells; c++) {
        const BoardCell *cell = &b->cell[c];
        text_add(out, c ? ",{\"name\":" : "{\"name\":");
        text_json(out, cell->name);
        text_f(out, ",\"x\":%.6g,\"y\":%.6g,\"column\":%d,\"row\":%d}", cell->x, cell->y,
               cell->column, cell->row);
    }
    text_char(out, ']');
}

// Whether direction d leads on from some cells and not from others, though a cell lies that way.
static bool way_is_partial(const Board *b, int d) {
    const BoardCell *from = NULL, *to = NULL;
    for (int c = 0; c < b->cells && !to; c++) {
        int next = b->step[c * b->directions + d];
        from = &b->cell[c];
        to = next < b->cells ? &b->cell[next] : NULL;
    }
    for (int c = 0; c < b->cells && to; c++) {
        int column = b->cell[c].column + to->column - from->column;
        int row = b->cell[c].row + to->row - from->row;
        bool inside = column >= 1 && column <= b->width && row >= 1 && row <= b->height;
        if (inside && b->at[(row - 1) * b->width + column - 1] < b->cells &&
            b->step[c * b->directions + d] == b->cells)
            return true;
    }
    return false;
}

// On some boards of squares men go along lines, too: slantwise from every other point. That has to
// be seen.
static bool edges_matter(const Board *b) {
    bool matter = b->shape == BOARD_LINES;
    for (int d = 0; b->shape == BOARD_SQUARE && d < b->directions; d++)
        matter = matter || way_is_partial(b, d);
    return matter;
}

static void edges_json(const Board *b, Text *out) {
    int n = 0;
    bool drawn = edges_matter(b);
    text_add(out, ",\"edges\":[");
    for (int a = 0; drawn && a < b->cells; a++)
        for (int c = a + 1; c < b->cells; c++)
            if (b->next[a * b->words + c / 64] >> (c % 64) & 1)
                text_f(out, "%s[%d,%d]", n++ ? "," : "", a, c);
    text_char(out, ']');
}

// Other boards may have thousands of lines, which nobody draws.
static bool lines_matter(const IrGame *ir) {
    bool matter = ir->board->shape == BOARD_LINES;
    for (int i = 0; i < ir->sites; i++)
        matter = matter || ir->site[i].type.kind == TY_LINE;
    return matter;
}

static void lines_json(const IrGame *ir, Text *out) {
    const Board *b = ir->board;
    text_add(out, ",\"lines\":[");
    for (int l = 0; lines_matter(ir) && l < b->lines; l++) {
        text_add(out, l ? ",[" : "[");
        for (int i = 0; i < b->line[l].count; i++)
            text_f(out, "%s%d", i ? "," : "", b->line[l].cells[i]);
        text_char(out, ']');
    }
    text_char(out, ']');
}

static void board_json(const IrGame *ir, Text *out) {
    const Board *b = ir->board;
    text_f(out,
           ",\"board\":{\"shape\":\"%s\",\"width\":%d,\"height\":%d,\"matrix\":%s,\"stack\":%d",
           shape_word(b), b->width, b->height, b->matrix ? "true" : "false", b->stack);
    cells_json(b, out);
    edges_json(b, out);
    lines_json(ir, out);
    text_char(out, '}');
}

// --- pieces, attributes, variables, choices ---

static void pieces_json(const IrGame *ir, Text *out) {
    text_add(out, ",\"pieces\":[");
    for (int i = 0; i < ir->planes; i++) {
        const IrPlane *p = &ir->plane[i];
        text_add(out, i ? ",{\"kind\":" : "{\"kind\":");
        text_json(out, ir->kind[p->kind].name);
        if (p->owner < ir->players)
            text_f(out, ",\"owner\":%d", p->owner);
        else
            text_add(out, ",\"owner\":null");
        member("letter", p->letter, out);
        member("symbol", p->symbol[0] ? p->symbol : p->letter, out);
        text_char(out, '}');
    }
    text_char(out, ']');
}

// What an editor needs to offer values: bounds of numbers, words of enumerations.
static void type_json(const IrGame *ir, IrType type, int32_t lo, int32_t hi, Text *out) {
    member("kind", describe_kind(type), out);
    if (type.kind == TY_INT)
        text_f(out, ",\"low\":%d,\"high\":%d", (int)lo, (int)hi);
    bool flags = type.kind == TY_FLAG || (type.kind == TY_MASK && type.of == TY_FLAG);
    if (flags)
        texts("words", ir->enums[type.of_enum].name, ir->enums[type.of_enum].count, out);
    if (type.optional)
        text_add(out, ",\"optional\":true");
}

static void attributes_json(const IrGame *ir, Text *out) {
    text_add(out, ",\"attributes\":[");
    for (int i = 0; i < ir->attrs; i++) {
        const IrAttr *a = &ir->attr[i];
        text_add(out, i ? ",{\"name\":" : "{\"name\":");
        text_json(out, a->name);
        type_json(ir, a->type, a->lo, a->hi, out);
        text_f(out, ",\"initial\":%d}", (int)a->initial);
    }
    text_char(out, ']');
}

static void variables_json(const IrGame *ir, Text *out) {
    text_add(out, ",\"variables\":[");
    for (int i = 0; i < ir->vars; i++) {
        const IrVar *v = &ir->var[i];
        text_add(out, i ? ",{\"name\":" : "{\"name\":");
        text_json(out, v->name);
        member("by", v->indexed ? describe_kind(v->index) : NULL, out);
        text_f(out, ",\"clock\":%s", v->clock ? "true" : "false");
        type_json(ir, v->type, v->lo, v->hi, out);
        text_char(out, '}');
    }
    text_char(out, ']');
}

static void sites_json(const IrGame *ir, Text *out) {
    text_add(out, ",\"sites\":[");
    for (int i = 0; i < ir->sites; i++) {
        const IrSite *s = &ir->site[i];
        text_add(out, i ? ",{\"name\":" : "{\"name\":");
        text_json(out, s->name);
        member("kind", ir_is_either(s) ? "either" : describe_kind(s->type), out);
        member("say", s->say, out);
        if (s->labels)
            texts("labels", s->labels, s->hi - s->lo + 1, out);
        else
            text_add(out, ",\"labels\":null");
        text_char(out, '}');
    }
    text_char(out, ']');
}

// --- the whole ---

static void start_json(const Game *g, Text *out) {
    Runner *r = runner_new(g);
    text_add(out, ",\"start\":");
    if (r)
        describe_position(r, g->start, out);
    else
        out->failed = true;
    runner_free(r);
}

void describe_game(const Game *g, Text *out) {
    const IrGame *ir = g->ir;
    heading(g, out);
    member("origin", ir->origin ? ir->origin : "", out);
    text_f(out, ",\"native\":%s", atomic_load(&g->native) ? "true" : "false");
    parameters_json(g, out);
    texts("players", ir->player, ir->players, out);
    board_json(ir, out);
    describe_aims(g, out);
    pieces_json(ir, out);
    attributes_json(ir, out);
    variables_json(ir, out);
    sites_json(ir, out);
    phrases_json(ir, false, out);
    text_add(out, ",\"look\":");
    describe_look(g, out);
    text_f(out, ",\"knows\":%s", ir->knowledge ? "true" : "false");
    start_json(g, out);
    text_char(out, '}');
}

void describe_card(const Game *g, int length, Text *out) {
    const IrGame *ir = g->ir;
    heading(g, out);
    texts("players", ir->player, ir->players, out);
    phrases_json(ir, true, out);
    text_add(out, ",\"length\":");
    if (length > 0)
        text_f(out, "%d", length);
    else
        text_add(out, "null");
    member("kind", ir->players == 1 ? "puzzle" : ir->players == 2 ? "two" : "many", out);
    text_f(out, ",\"shape\":\"%s\",\"width\":%d,\"height\":%d,\"stack\":%d}", shape_word(ir->board),
           ir->board->width, ir->board->height, ir->board->stack);
}
