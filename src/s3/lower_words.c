// Texts: names of elements and places, patterns and templates, variables. See lower.h.

#include "s3/lower.h"

#include <stdio.h>
#include <stdlib.h>

// A file that has more different texts than this is no game for a board of 512 cells.
#define MOST_WORDS 4000
#define MOST_VARS 1000

static unsigned hash_text(const char *s) {
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h % 1024;
}

static Word *find_word(const Lower *l, const char *text) {
    for (Word *w = l->bucket[hash_text(text)]; w; w = w->chain)
        if (strcmp(w->text, text) == 0)
            return w;
    return NULL;
}

int word_of(Lower *l, const char *text) {
    Word *w = find_word(l, text);
    if (w)
        return w->number;
    if (l->words == MOST_WORDS) {
        l->too_large = true;
        return 1;
    }
    ARENA_GROW(l->arena, Word *, l->word, l->words, l->word_cap);
    w = ARENA_NEW(l->arena, Word);
    Word **bucket = &l->bucket[hash_text(text)];
    *w = (Word){.text = text, .element = -1, .cell = -1, .chain = *bucket, .number = l->words};
    *bucket = w;
    l->word[l->words++] = w;
    size_t base = strcspn(text, "(");
    w->base = text[base] ? word_of(l, arena_text(l->arena, text, base)) : w->number;
    return w->number;
}

int word_var(Lower *l, const char *name) {
    for (int i = 0; i < l->vars; i++)
        if (strcmp(l->var[i], name) == 0)
            return i;
    if (l->vars == MOST_VARS) {
        l->too_large = true;
        return 0;
    }
    ARENA_GROW(l->arena, const char *, l->var, l->vars, l->var_cap);
    l->var[l->vars] = name;
    return l->vars++;
}

// --- templates ---

int word_variables(const S3Node *s, const char **var) {
    int n = 0;
    for (int i = 0; i < s->parts; i++)
        if (s->part[i].var && !s3_is_lost(s, i) && n < 16)
            var[n++] = s->part[i].var;
    return n;
}

const Shape *word_shape(Lower *l, const S3Node *s) {
    Shape draft = {.text = ARENA_ARRAY(l->arena, const char *, s->parts + 1)};
    const char *text = "";
    for (int i = 0; i < s->parts; i++) {
        text = text[0] ? arena_printf(l->arena, "%s%s", text, s->part[i].text) : s->part[i].text;
        if (!s->part[i].var || s3_is_lost(s, i))
            continue;
        draft.text[draft.indices++] = text;
        text = "";
    }
    draft.text[draft.indices] = text;
    for (int i = 0; i < l->shapes; i++) {
        const Shape *old = l->shape[i];
        bool same = old->indices == draft.indices;
        for (int k = 0; same && k <= draft.indices; k++)
            same = strcmp(old->text[k], draft.text[k]) == 0;
        if (same)
            return old;
    }
    ARENA_GROW(l->arena, const Shape *, l->shape, l->shapes, l->shape_cap);
    Shape *shape = ARENA_NEW(l->arena, Shape);
    *shape = draft;
    return l->shape[l->shapes++] = shape;
}

int word_fill(Lower *l, const Shape *s, const int64_t *index) {
    char text[256];
    size_t n = 0;
    for (int i = 0; i <= s->indices; i++) {
        size_t size = strlen(s->text[i]);
        if (n + size + 16 > sizeof text)
            return 1; // longer than any name that could be meant
        memcpy(text + n, s->text[i], size);
        n += size;
        if (i < s->indices)
            n += (size_t)snprintf(text + n, 16, "%d", (int)index[i]);
    }
    text[n] = 0;
    const Word *w = find_word(l, text);
    return w ? w->number : 1;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool word_match(const S3Node *pattern, const char *name, int64_t *index) {
    int32_t value[17] = {0};
    if (pattern->parts > 17 || !s3_match(pattern, name, value))
        return false;
    int n = 0;
    for (int i = 0; i < pattern->parts; i++)
        if (pattern->part[i].var && !s3_is_lost(pattern, i))
            index[n++] = value[i];
    return true;
}

int word_indices(const char *name, int64_t *index, int most) {
    const char *s = strchr(name, '(');
    if (!s)
        return -1;
    int n = 0;
    do {
        char *end;
        long v = strtol(s + 1, &end, 10);
        if (end == s + 1 || (*end != ',' && *end != ')') || v > INT32_MAX || v < INT32_MIN)
            return -1;
        if (n < most)
            index[n] = v;
        n++;
        s = end;
    } while (*s == ',');
    return n;
}

int word_element(const Lower *l, int element) {
    return element ? l->element_word[element - 1] : 0;
}
int word_cell(const Lower *l, int cell) {
    return cell < l->f->locations ? l->cell_word[cell] : 0;
}

// --- everything in the file ---

static void collect(Lower *l, const S3Node *node) {
    if (!node)
        return;
    if (node->kind == S3_VAR)
        word_var(l, node->name);
    if (node->kind == S3_STRING) {
        for (int i = 0; i < node->parts; i++)
            if (node->part[i].var)
                word_var(l, node->part[i].var);
        const Shape *s = word_shape(l, node);
        if (!s->indices)
            word_of(l, s->text[0]);
    }
    for (int i = 0; i < node->kids; i++)
        collect(l, node->kid[i]);
}

static void collect_awards(Lower *l, const S3Award *award, int count) {
    for (int i = 0; i < count; i++) {
        collect(l, award[i].player);
        collect(l, award[i].score);
    }
}

bool word_prepare(Lower *l) {
    const S3File *f = l->f;
    word_of(l, "");
    word_of(l, "\x01"); // stands for every text that names nothing
    l->element_word = ARENA_ARRAY(l->arena, int, f->elements + 1);
    l->cell_word = ARENA_ARRAY(l->arena, int, f->locations + 1);
    for (int i = 0; i < f->elements; i++) {
        l->element_word[i] = word_of(l, f->element[i].name);
        l->word[l->element_word[i]]->element = i;
        word_of(l, f->element[i].type_name ? f->element[i].type_name : "");
    }
    for (int i = 0; i < f->locations; i++) {
        l->cell_word[i] = word_of(l, f->location[i].name);
        l->word[l->cell_word[i]]->cell = i;
    }
    for (int i = 0; i < f->look->place_types; i++)
        word_of(l, f->look->place_type[i].name);
    for (int i = 0; i < f->functions; i++) {
        for (int k = 0; k < f->function[i].params; k++)
            word_var(l, f->function[i].param[k]);
        for (int k = 0; k < f->function[i].lines; k++)
            collect(l, f->function[i].line[k]);
    }
    for (int i = 0; i < f->scorings; i++) {
        collect(l, f->scoring[i].situation);
        collect_awards(l, f->scoring[i].award, f->scoring[i].awards);
    }
    for (int i = 0; i < f->ends; i++) {
        collect(l, f->end[i].situation);
        collect(l, f->end[i].winner);
    }
    for (int i = 0; i < f->rules; i++) {
        const S3Rule *r = &f->rule[i];
        const S3Node *parts[] = {r->element, r->from,      r->to,       r->state,
                                 r->player,  r->condition, r->followup, r->to_locations};
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
            collect(l, parts[k]);
        collect_awards(l, r->award, r->awards);
    }
    return !l->too_large;
}

bool word_read(const char *text, const Shape *s, int64_t *index) {
    for (int i = 0; i <= s->indices; i++) {
        size_t n = strlen(s->text[i]);
        if (strncmp(text, s->text[i], n) != 0)
            return false;
        text += n;
        if (i == s->indices)
            return !*text;
        char *end;
        if (!is_digit(*text) && *text != '-')
            return false;
        long v = strtol(text, &end, 10);
        // Only as a number is written: no leading zeros.
        bool minus = *text == '-';
        if (end == text || v > 1000000 || v < -1000000 || (text[minus] == '0' && end - text > 1))
            return false;
        index[i] = v;
        text = end;
    }
    return false;
}
