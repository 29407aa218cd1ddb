// convert_place: families of names, and what each family of places becomes: the board, a hand that
// pieces are placed from, a stack that counts, or a switch.
#include "s3/convert_parts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const char *cv_key(Convert *c, const char *name, int *index, int *indices) {
    char *key = arena_text(c->arena, name, strlen(name));
    int n = 0;
    *indices = 0;
    for (const char *p = name; *p;) {
        if (*p < '0' || *p > '9') {
            key[n++] = *p++;
            continue;
        }
        long v = 0;
        for (; *p >= '0' && *p <= '9'; p++)
            v = v < 100000 ? v * 10 + (*p - '0') : v;
        if (*indices < 4)
            index[(*indices)++] = (int)v;
    }
    key[n] = '\0';
    return key;
}

int cv_find(const Family *f, int n, const char *key) {
    for (int i = 0; i < n; i++)
        if (strcmp(f[i].key, key) == 0)
            return i;
    return -1;
}

static Family *add_member(Convert *c, Family *f, int *n, const char *name, int member, Span at) {
    int index[4], indices;
    const char *key = cv_key(c, name, index, &indices);
    int i = cv_find(f, *n, key);
    if (i < 0) {
        if (*n == CV_FAMILIES)
            cv_fail(c, at, "there are too many families of names");
        i = (*n)++;
        const char *end = strchr(key, '(');
        f[i] = (Family){.key = key,
                        .base = arena_text(c->arena, key, end ? (size_t)(end - key) : strlen(key)),
                        .arity = indices,
                        .first = member,
                        .relevant = true,
                        .kind = -1};
        for (int k = 0; k < indices; k++)
            f[i].low[k] = f[i].high[k] = index[k];
    }
    for (int k = 0; k < indices && k < f[i].arity; k++) {
        f[i].low[k] = index[k] < f[i].low[k] ? index[k] : f[i].low[k];
        f[i].high[k] = index[k] > f[i].high[k] ? index[k] : f[i].high[k];
    }
    f[i].count++;
    return &f[i];
}

static void complete(Family *f, int n) {
    for (int i = 0; i < n; i++) {
        long cells = 1;
        for (int k = 0; k < f[i].arity; k++)
            cells *= cells > 100000 ? 1 : f[i].high[k] - f[i].low[k] + 1;
        f[i].complete = cells == f[i].count;
    }
}

// The family that a pattern of a rule fits, -1 if none.
static int pattern_family(Convert *c, const Family *f, int n, const S3Node *pattern) {
    Text t = {0};
    for (int i = 0; i < pattern->parts; i++)
        text_add(&t, pattern->part[i].text);
    int index[4], indices;
    const char *key = cv_key(c, text_c(&t), index, &indices);
    text_free(&t);
    int i = cv_find(f, n, key);
    return i >= 0 && indices == 0 && f[i].arity == pattern->parts - 1 ? i : -1;
}

static void read_by(Convert *c, const S3Node *n, bool moved) {
    if (!n)
        return;
    if (n->kind == S3_STRING) {
        Text t = {0};
        for (int i = 0; i < n->parts; i++)
            text_add(&t, n->part[i].text);
        int index[4], indices;
        int i = cv_find(c->place, c->places, cv_key(c, text_c(&t), index, &indices));
        text_free(&t);
        if (i >= 0 && !moved)
            c->place[i].read = true;
        if (i >= 0 && moved && c->place[i].role == R_NONE)
            c->place[i].role = R_COUNTER;
    }
    for (int i = 0; i < n->kids; i++)
        read_by(c, n->kid[i], n->kind == S3_BUILT && n->op == S3_MOVE && i > 0);
}

// FORALL($V, first, last, NOT EMPTY("family($V)"))
static bool full_test(Convert *c, const S3Node *n, const Family *f) {
    if (n->kind != S3_BUILT || n->op != S3_FORALL || n->kids != 4 || n->kid[1]->kind != S3_INT ||
        n->kid[2]->kind != S3_INT || f->arity != 1)
        return false;
    int a = n->kid[1]->value, b = n->kid[2]->value;
    const S3Node *body = n->kid[3];
    if ((a < b ? a : b) != f->low[0] || (a < b ? b : a) != f->high[0] || body->kind != S3_UNARY ||
        body->op != S3_NOT || body->kid[0]->kind != S3_BUILT || body->kid[0]->op != S3_EMPTY ||
        body->kid[0]->kids != 1)
        return false;
    const S3Node *name = body->kid[0]->kid[0];
    return name->kind == S3_STRING && name->parts == 2 && pattern_family(c, f, 1, name) == 0 &&
           n->kid[0]->kind == S3_VAR && strcmp(name->part[0].var, n->kid[0]->name) == 0;
}

static int mention(const Convert *c, const S3Node *n, const char *key, int depth) {
    if (!n || depth > CV_DEPTH)
        return 0;
    if (n->kind == S3_STRING && n->parts > 1) {
        size_t at = 0;
        for (int i = 0; i < n->parts; i++) {
            size_t length = strlen(n->part[i].text);
            if (strncmp(key + at, n->part[i].text, length) != 0)
                break;
            at += length;
            if (i == n->parts - 1 && !key[at])
                return 1;
        }
    }
    if (n->kind == S3_CALL && n->function >= 0) {
        const S3Function *f = &c->file->function[n->function];
        for (int i = 0; i < f->lines; i++)
            if (mention(c, f->line[i], key, depth + 1))
                return 1;
    }
    for (int i = 0; i < n->kids; i++)
        if (mention(c, n->kid[i], key, depth + 1))
            return 1;
    return 0;
}

// Whose rules mention the family: the number of the only such player, or 0.
static int whose(const Convert *c, const Family *f) {
    int player = 0;
    for (int r = 0; r < c->file->rules; r++) {
        const S3Rule *rule = &c->file->rule[r];
        if (!mention(c, rule->followup, f->key, 0) && !mention(c, rule->from, f->key, 0))
            continue;
        int p = rule->player && rule->player->kind == S3_INT ? rule->player->value : 0;
        if (p < 1 || (player && player != p))
            return 0;
        player = p;
    }
    return player;
}

static Span place_span(const Convert *c, const Family *f) {
    return c->file->location[f->first].span;
}

static void choose_main(Convert *c) {
    c->main = -1;
    for (int r = 0; r < c->file->rules; r++) {
        const S3Rule *rule = &c->file->rule[r];
        int to = rule->to ? pattern_family(c, c->place, c->places, rule->to) : -1;
        if (to >= 0 && c->place[to].relevant &&
            (c->main < 0 || c->place[to].count > c->place[c->main].count))
            c->main = to;
    }
    if (c->main < 0)
        cv_fail(c, c->file->rules ? c->file->rule[0].span : (Span){0},
                "no rule moves an element to a family of places that counts");
    c->place[c->main].role = R_MAIN;
}

static void roles(Convert *c) {
    for (int i = 0; i < c->file->functions; i++)
        for (int k = 0; k < c->file->function[i].lines; k++)
            read_by(c, c->file->function[i].line[k], false);
    for (int i = 0; i < c->file->ends; i++)
        read_by(c, c->file->end[i].situation, false);
    for (int i = 0; i < c->file->rules; i++) {
        read_by(c, c->file->rule[i].condition, false);
        read_by(c, c->file->rule[i].followup, false);
    }
    for (int i = 0; i < c->file->elements; i++) {
        int index[4], indices, at = c->file->element[i].location;
        if (at >= 0)
            c->place[cv_find(c->place, c->places,
                             cv_key(c, c->file->location[at].name, index, &indices))]
                .start++;
    }
    choose_main(c);
    for (int r = 0; r < c->file->rules; r++) {
        const S3Rule *rule = &c->file->rule[r];
        int from = pattern_family(c, c->place, c->places, rule->from);
        int to = rule->to ? pattern_family(c, c->place, c->places, rule->to) : -1;
        if (from < 0 || to < 0)
            cv_fail(c, from < 0 ? rule->from->span : rule->span,
                    "`%s` of the rule `%s` is no whole family of places", from < 0 ? "from" : "to",
                    rule->name);
        Family *f = &c->place[from];
        if (from == c->main && to == c->main)
            continue;
        if (to == c->main) {
            if (f->relevant)
                cv_fail(c, place_span(c, f),
                        "the places `%s` are relevant: which of them is emptied makes moves "
                        "different, and a number in hand would not",
                        f->base);
            if (f->read)
                cv_fail(c, place_span(c, f), "conditions look at the places `%s`", f->base);
            f->role = R_SUPPLY;
        } else if (from == to && f->count == 2 && f->start == 1 && !f->read) {
            f->role = R_SWITCH;
        } else {
            cv_fail(c, rule->span,
                    "the rule `%s` moves elements from `%s` to `%s`, off the board of the `%s` "
                    "places",
                    rule->name, f->base, c->place[to].base, c->place[c->main].base);
        }
    }
    for (int i = 0; i < c->places; i++) {
        Family *f = &c->place[i];
        if ((f->role == R_NONE && (f->start || f->read)) ||
            (f->role == R_COUNTER && (f->start || f->arity != 1 || !f->complete)))
            cv_fail(c, place_span(c, f),
                    "the places `%s` are neither the board nor a stack, a hand or a switch",
                    f->base);
        f->player = whose(c, f);
        for (int e = 0; e < c->file->ends; e++)
            f->ended |= f->role == R_COUNTER && full_test(c, c->file->end[e].situation, f);
    }
}

static long covariance(const Convert *c, int which, bool vertical) {
    const Family *f = &c->place[c->main];
    long n = 0, si = 0, sp = 0, both = 0;
    for (int i = 0; i < c->file->locations; i++) {
        int32_t index[4] = {0};
        int indices = 0;
        const char *p = c->file->location[i].name;
        if (strncmp(p, f->key, strlen(f->base)) != 0 || p[strlen(f->base)] != '(' ||
            !c->file->look->place[i].has_point)
            continue;
        for (p += strlen(f->base) + 1; *p && indices < 4;
             p = strchr(p, ',') ? strchr(p, ',') + 1 : "")
            index[indices++] = atoi(p);
        long at = vertical ? c->file->look->place[i].y : c->file->look->place[i].x;
        at = at > 100000 ? 100000 : at < -100000 ? -100000 : at;
        n++;
        si += index[which];
        sp += at;
        both += index[which] * at;
    }
    return n * both - si * sp;
}

// A family of one number that is drawn as a grid, row by row.
static void number_grid(Convert *c, const Family *f) {
    const Look *look = c->file->look;
    int width = 0;
    for (int i = 0; i < f->count; i++) {
        const LookPlace *p = &look->place[f->first + i];
        if (f->first + i >= look->places || !p->has_point)
            return;
        width += abs(p->y - look->place[f->first].y) < 10;
        if (strcmp(c->file->location[f->first + i].name,
                   arena_printf(c->arena, "%s(%d)", f->base, f->low[0] + i)) != 0)
            return;
    }
    if (width < 2 || width == f->count || f->count % width)
        return;
    for (int i = 0; i < f->count; i++) {
        const LookPlace *p = &look->place[f->first + i];
        if (abs(p->x - look->place[f->first + i % width].x) >= 10 ||
            abs(p->y - look->place[f->first + i / width * width].y) >= 10)
            return;
    }
    c->numbered = true;
    c->width = width;
    c->height = f->count / width;
    c->matrix = look->place[f->first + width].y > look->place[f->first].y;
    c->cell_name = cv_name(c, f->base);
    c->number_name = cv_name(c, "number");
}

static void layout(Convert *c) {
    Family *f = &c->place[c->main];
    if (f->arity < 1 || f->arity > 2)
        cv_fail(c, place_span(c, f), "the places `%s` do not have one or two numbers", f->base);
    c->column = 0;
    c->row = f->arity == 2 ? 1 : -1;
    if (f->arity == 2) {
        if (labs(covariance(c, 0, true)) > labs(covariance(c, 0, false))) {
            c->column = 1;
            c->row = 0;
        }
        c->matrix = covariance(c, c->row, true) > 0;
        c->height = f->high[c->row] - f->low[c->row] + 1;
    } else {
        if (!f->complete)
            cv_fail(c, place_span(c, f), "numbers are missing among the places `%s`", f->base);
        c->height = 1;
    }
    c->width = f->high[c->column] - f->low[c->column] + 1;
    if (f->arity == 1)
        number_grid(c, f);
    if (c->width > 60 || c->height > 60 || c->width * c->height > 500)
        cv_fail(c, place_span(c, f), "the board of the places `%s` is too large", f->base);
}

static bool call_of(const Gx *x, const char *name) {
    return x->op == GX_CALL && x->kids == 1 && strcmp(x->text, name) == 0;
}

Gx *cv_cell(Convert *c, const Family *f, Gx **index) {
    Gx *at[2] = {index[c->column], NULL};
    at[0] = gx_math(c, S3_SUB, at[0], gx_int(c, f->low[c->column] - 1), (Span){0});
    if (c->numbered)
        return call_of(at[0], c->number_name) ? at[0]->kid[0]
                                              : gx_call1(c, c->cell_name, at[0], false);
    at[1] = c->row < 0
                ? gx_int(c, 1)
                : gx_math(c, S3_SUB, index[c->row], gx_int(c, f->low[c->row] - 1), (Span){0});
    if (call_of(at[0], "column") &&
        (c->row < 0 || (call_of(at[1], "row") && gx_equal(at[0]->kid[0], at[1]->kid[0]))))
        return at[0]->kid[0];
    return gx_call(c, "cell", 2, at, false);
}

Gx *cv_index(Convert *c, const Family *f, Gx *cell, int which) {
    const char *name = c->numbered ? c->number_name : which == c->column ? "column" : "row";
    return gx_math(c, S3_ADD, gx_call1(c, name, cell, false), gx_int(c, f->low[which] - 1),
                   (Span){0});
}

void cv_families(Convert *c) {
    for (int i = 0; i < c->file->locations; i++) {
        const S3Location *l = &c->file->location[i];
        Family *f = add_member(c, c->place, &c->places, l->name, i, l->span);
        f->relevant &= l->relevant;
    }
    for (int i = 0; i < c->file->elements; i++) {
        const S3Element *e = &c->file->element[i];
        Family *f = add_member(c, c->element, &c->elements, e->name, i, e->span);
        f->type = f->count == 1 || f->type == e->type ? e->type : -1;
    }
    complete(c->place, c->places);
    complete(c->element, c->elements);
    roles(c);
    layout(c);
}
