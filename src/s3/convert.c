// convert: the whole text, section by section.
#include "s3/convert.h"

#include "s3/convert_rules.h"

#include <string.h>

void cv_report(Convert *c, bool *good, Span at) {
    *good = false;
    Span span = c->reason_at.line ? c->reason_at : at;
    const char *message = arena_printf(c->arena, "not converted: %s", c->reason);
    for (int i = 0; i < c->diags->count; i++) // the same rule for another player
        if (c->diags->items[i].span.line == span.line &&
            strcmp(c->diags->items[i].message, message) == 0)
            return;
    diag_error(c->diags, span, "%s", message);
}

static void players(Convert *c) {
    c->players = c->file->players;
    if (c->players < 1 || c->players > IR_MAX_PLAYERS)
        cv_fail(c, (Span){0}, "the number of players is not 1 to %d", IR_MAX_PLAYERS);
    for (int i = 0; i < c->players; i++) {
        const char *wish = c->file->player[i] ? c->file->player[i] : "Player";
        char *name = arena_text(c->arena, wish, strlen(wish));
        if (name[0] >= 'a' && name[0] <= 'z')
            name[0] = (char)(name[0] - 'a' + 'A');
        c->player[i + 1] = cv_name(c, name);
    }
}

// Stacks that are counted: one variable for each player where each has one, else one for each.
static void counters(Convert *c) {
    int n = 0, size = -1;
    bool each = true;
    unsigned seen = 0;
    for (int i = 0; i < c->places; i++) {
        const Family *f = &c->place[i];
        if (f->role != R_COUNTER || !f->read)
            continue;
        n++;
        each &= f->player > 0 && (size < 0 || size == f->count) && !(seen >> f->player & 1);
        seen |= 1u << f->player;
        size = f->count;
    }
    each &= n == c->players && n > 1;
    const char *shared = each ? cv_name(c, "taken") : NULL;
    for (int i = 0; i < c->places; i++) {
        Family *f = &c->place[i];
        if (f->role != R_COUNTER || !f->read)
            continue;
        f->per_player = each;
        f->variable = each ? shared : cv_name(c, f->base);
    }
}

static void board(Convert *c, Text *out) {
    const Family *f = &c->place[c->main];
    text_f(out, "\nboard square %d x %d\n", c->width, c->height);
    if (c->matrix)
        text_add(out, "    coordinates matrix\n");
    if (f->complete)
        return;
    text_add(out, "    cells where ");
    bool some = false;
    for (int y = 1; y <= c->height; y++) {
        bool here = false;
        for (int x = 1; x <= c->width; x++) {
            int index[2];
            index[c->column] = x + f->low[c->column] - 1;
            index[c->row] = y + f->low[c->row] - 1;
            const char *name = arena_printf(c->arena, "%s(%d,%d)", f->base, index[0], index[1]);
            bool found = false;
            for (int i = 0; i < c->file->locations; i++)
                found |= strcmp(c->file->location[i].name, name) == 0;
            if (!found)
                continue;
            if (here)
                text_add(out, " or ");
            else
                text_f(out, "%srow == %d and (", some ? " or\n        " : "", y);
            text_f(out, "column == %d", x);
            here = some = true;
        }
        text_add(out, here ? ")" : "");
    }
    text_char(out, '\n');
}

static void pieces(Convert *c, Text *out) {
    text_char(out, '\n');
    if (c->merged)
        text_f(out, "piece %s of ", c->piece_name);
    else
        text_add(out, "piece ");
    for (int p = 1; c->merged && p <= c->players; p++)
        for (int i = 0; i < c->kinds; i++)
            if (c->kind[i].player == p)
                text_f(out, "%s%s \"%c\"", p > 1 ? ", " : "", c->kind[i].name, c->kind[i].letter);
    for (int i = 0; !c->merged && i < c->kinds; i++)
        text_f(out, "%s%s \"%c\"", i ? ", " : "", c->kind[i].name, c->kind[i].letter);
    const char *with = " with ";
    if (c->states) {
        text_f(out, "%s%s : %d..%d = 1", with, c->state_name, c->state_low, c->state_high);
        with = ", ";
    }
    if (c->numbers)
        text_f(out, "%s%s : %d..%d = %d", with, c->index_name, c->number_low, c->number_high,
               c->number_low);
    text_char(out, '\n');
}

static void variables(Convert *c, Text *out) {
    bool done = false, any = false;
    for (int i = 0; i < c->places; i++) {
        const Family *f = &c->place[i];
        if (!f->variable || (f->per_player && done && f->role == R_COUNTER))
            continue;
        if (!any)
            text_char(out, '\n');
        any = true;
        int most = f->count;
        if (f->role == R_SUPPLY && f->per_player) {
            if (f->player != 1)
                continue;
            Text start = {0};
            for (int p = 1; p <= c->players; p++)
                for (int k = 0; k < c->places; k++)
                    if (c->place[k].role == R_SUPPLY && c->place[k].player == p) {
                        text_f(&start, "%s%d", p > 1 ? ", " : "", c->place[k].start);
                        most = c->place[k].start > most ? c->place[k].start : most;
                    }
            text_f(out, "var %s[player] : 0..%d = %s\n", f->variable, most, text_c(&start));
            text_free(&start);
            continue;
        }
        text_f(out, "var %s%s : 0..%d = %d\n", f->variable, f->per_player ? "[player]" : "", most,
               f->role == R_SUPPLY ? f->start : 0);
        done |= f->per_player;
    }
    if (c->last_used || c->origin_used)
        text_add(out, any ? "" : "\n");
    if (c->origin_used)
        text_f(out, "clock %s : cell or none = none\n", c->origin_name);
    if (c->last_used)
        text_f(out, "clock %s : cell or none = none      # where the last piece went\n",
               c->last_name);
}

// A long line goes on after an `and` or `or` outside brackets.
static void add_wrapped(Text *out, const char *line) {
    const char *cut = NULL, *start = line;
    int depth = 0, width = 96;
    for (const char *p = line; *p; p++) {
        depth += *p == '(' || *p == '[';
        depth -= *p == ')' || *p == ']';
        if (depth == 0 && (strncmp(p, " and ", 5) == 0 || strncmp(p, " or ", 4) == 0))
            if (p - start < width || !cut)
                cut = p + (p[1] == 'a' ? 4 : 3);
        if (p - start >= width && cut) {
            text_add_n(out, start, (size_t)(cut - start));
            text_add(out, "\n        ");
            start = cut + 1;
            cut = NULL;
            width = 88;
        }
    }
    text_add(out, start);
}

static void definitions(Convert *c, Text *out) {
    if (c->lets || c->numbered)
        text_char(out, '\n');
    if (c->numbered) {
        text_f(out, "let %s(n) = cell((n - 1) %% %d + 1, (n - 1) / %d + 1)\n", c->cell_name,
               c->width, c->width);
        text_f(out, "let %s(c) = (row(c) - 1) * %d + column(c)\n", c->number_name, c->width);
    }
    for (int i = 0; i < c->lets; i++) {
        const Let *l = &c->let[i];
        Names names = {0};
        Text t = {0};
        text_f(&t, "let %s", l->name);
        for (int k = 0; k < l->params; k++)
            text_f(&t, "%s%s", k ? ", " : "(", gx_name(c, &names, l->param[k], l->param[k]->text));
        text_add(&t, l->params ? ") = " : " = ");
        gx_print(c, l->body, &names, 0, &t);
        text_char(&t, '\n');
        add_wrapped(out, text_c(&t));
        text_free(&t);
    }
}

static bool cell_of(Convert *c, const S3Element *e, int *x, int *y) {
    const Family *f = &c->place[c->main];
    int index[4], indices;
    if (e->location < 0 ||
        strcmp(cv_key(c, c->file->location[e->location].name, index, &indices), f->key) != 0)
        return false;
    int first = index[c->column] - f->low[c->column];
    *x = c->numbered ? first % c->width + 1 : first + 1;
    *y = c->numbered ? first / c->width + 1 : c->row < 0 ? 1 : index[c->row] - f->low[c->row] + 1;
    return true;
}

static int kind_of(Convert *c, const S3Element *e) {
    int index[4], indices;
    return c->element[cv_find(c->element, c->elements, cv_key(c, e->name, index, &indices))].kind;
}

static void setup(Convert *c, Text *out) {
    char *map = arena_alloc(c->arena, (size_t)(c->width * c->height));
    memset(map, '.', (size_t)(c->width * c->height));
    Text apart = {0};
    bool any = false;
    for (int i = 0; i < c->file->elements; i++) {
        const S3Element *e = &c->file->element[i];
        int x, y;
        if (!cell_of(c, e, &x, &y))
            continue;
        const Kind *k = &c->kind[kind_of(c, e)];
        any = true;
        map[(y - 1) * c->width + x - 1] = k->letter;
        if (!c->numbers && !(c->states && e->state != 1))
            continue;
        text_add(&apart, "    place ");
        if (c->merged)
            text_f(&apart, "%s of %s at cell(%d, %d) with ", c->piece_name, k->name, x, y);
        else
            text_f(&apart, "%s at cell(%d, %d) with ", k->name, x, y);
        int index[4] = {0}, indices;
        cv_key(c, e->name, index, &indices);
        if (c->numbers)
            text_f(&apart, "%s = %d", c->index_name, index[0]);
        if (c->states && e->state != 1)
            text_f(&apart, "%s%s = %d", c->numbers ? ", " : "", c->state_name, e->state);
        text_char(&apart, '\n');
    }
    if (any) {
        text_add(out, "\nsetup\n");
        if (!c->numbers) {
            text_add(out, "    diagram\n");
            for (int row = 0; row < c->height; row++) {
                int y = c->matrix ? row : c->height - 1 - row;
                text_f(out, "        \"%.*s\"\n", c->width, map + y * c->width);
            }
        }
        text_add(out, text_c(&apart));
    }
    text_free(&apart);
}

static Gx *outside(Convert *c, Gx *x) {
    c->last_used |= gx_has(x, c->to);
    c->origin_used |= gx_has(x, c->from);
    x = gx_put(c, x, c->to, gx_word(c, c->last_name, true));
    return gx_put(c, x, c->from, gx_word(c, c->origin_name, true));
}

static void one_end(Convert *c, const S3End *e, const Env *after, Text *out) {
    Env yes, no;
    c->depth = c->nesting = 0;
    Gx *x = outside(c, cv_cond(c, e->situation, after, &yes, &no));
    Gx *winner = cv_int(c, e->winner, &yes);
    if (gx_is(x, false))
        return;
    bool me = winner->op == GX_BY_ME, other = me && c->players == 2;
    for (int p = 0; me && p < c->players; p++)
        me = winner->by[p] == p + 1;
    for (int p = 0; other && p < c->players; p++)
        other = winner->by[p] == 2 - p;
    if (winner->op == GX_INT && winner->value == 0)
        text_add(out, "    draw");
    else if (winner->op == GX_INT && winner->value >= 1 && winner->value <= c->players)
        text_f(out, "    %s wins", c->players == 1 ? "me" : c->player[winner->value]);
    else if (me || other)
        text_f(out, "    %s wins", me ? "me" : "opponent");
    else
        cv_fail(c, e->span, "the winner is neither a player nor nobody");
    if (!gx_is(x, true)) {
        Names names = {0};
        text_add(out, " when ");
        gx_print(c, x, &names, 0, out);
    }
    text_char(out, '\n');
}

static bool try_end(Convert *c, const S3End *e, const Env *after, Text *out) {
    jmp_buf here, *outer = c->trap;
    if (setjmp(here) == 0) {
        c->trap = &here;
        one_end(c, e, after, out);
        c->trap = outer;
        return true;
    }
    c->trap = outer;
    return false;
}

static void whole(Convert *c, Text *out, bool *good) {
    const S3File *f = c->file;
    players(c);
    cv_families(c);
    c->from = gx_local(c, "from");
    c->to = gx_local(c, "to");
    cv_kinds(c);
    counters(c);
    c->last_name = cv_name(c, "last");
    c->origin_name = cv_name(c, "origin");
    if (f->scorings)
        diag_error(c->diags, f->scoring[0].span, "not converted: SCORINGS have nothing like them");
    *good = f->scorings == 0;
    Rules rules = {.rule = ARENA_ARRAY(c->arena, Rule, f->rules * c->players + 1)};
    if (!cv_rules(c, &rules))
        *good = false;
    Env *after = ARENA_NEW(c->arena, Env);
    cv_after(c, &rules, after);
    Text ends = {0};
    for (int i = 0; i < f->ends; i++)
        if (!try_end(c, &f->end[i], after, &ends))
            cv_report(c, good, f->end[i].span);
    const char *end_text = arena_printf(c->arena, "%s", text_c(&ends));
    text_free(&ends);
    if (!*good)
        return;
    cv_named_check(c);
    cv_hands(c, &rules);
    Text turn = {0};
    cv_print_turn(c, &rules, &turn);
    const char *turn_text = arena_printf(c->arena, "%s", text_c(&turn));
    text_free(&turn);
    text_f(out, "# %s, made by `ludens convert` from the S3 file of that name.\n\n", f->name);
    text_f(out, "game \"%s\"\n    source \"The S3 file %s.\"\n\nplayers ", f->name, f->name);
    for (int p = 1; p <= c->players; p++)
        text_f(out, "%s%s", p > 1 ? ", " : "", c->player[p]);
    text_char(out, '\n');
    board(c, out);
    pieces(c, out);
    variables(c, out);
    definitions(c, out);
    setup(c, out);
    text_add(out, turn_text);
    if (*end_text)
        text_f(out, "\nend\n%s", end_text);
    text_add(out, "\nwhen stuck\n    draw\n");
    cv_table(c, out);
}

bool s3_convert(Arena *arena, const S3File *file, S3Reach *reach, Text *out, Diags *diags) {
    Convert *c = ARENA_NEW(arena, Convert);
    bool *good = ARENA_NEW(arena, bool);
    jmp_buf trap;
    c->arena = arena;
    c->file = file;
    c->reach = reach;
    c->diags = diags;
    c->trap = &trap;
    *good = true;
    if (setjmp(trap) == 0)
        whole(c, out, good);
    else
        cv_report(c, good, (Span){0});
    return *good;
}
