// convert_kind: what the elements become. Where each player has one type of stone, there is one
// kind of piece and its owner is the type; otherwise every family of elements is a kind.
#include "s3/convert_parts.h"

#include <string.h>

static bool asks(const S3Node *n, S3Op op) {
    if (!n)
        return false;
    if (n->kind == S3_BUILT && n->op == op)
        return true;
    for (int i = 0; i < n->kids; i++)
        if (asks(n->kid[i], op))
            return true;
    return false;
}

static bool file_asks(const S3File *f, S3Op op) {
    bool found = false;
    for (int i = 0; i < f->functions; i++)
        for (int k = 0; k < f->function[i].lines; k++)
            found |= asks(f->function[i].line[k], op);
    for (int i = 0; i < f->ends; i++)
        found |= asks(f->end[i].situation, op) || asks(f->end[i].winner, op);
    for (int i = 0; i < f->rules; i++)
        found |= asks(f->rule[i].condition, op) || asks(f->rule[i].followup, op);
    return found;
}

static const Family *start_of(Convert *c, const S3Element *e) {
    int index[4], indices;
    if (e->location < 0)
        cv_fail(c, e->span, "the element `%s` begins nowhere", e->name);
    return &c->place[cv_find(c->place, c->places,
                             cv_key(c, c->file->location[e->location].name, index, &indices))];
}

static bool fits(Convert *c, const S3Node *pattern, const char *name) {
    int32_t *value = ARENA_ARRAY(c->arena, int32_t, pattern->parts + 1);
    return s3_match(pattern, name, value);
}

// The player whose rules move the family, by the rules or else by the owners; 0 if there is none.
static int mover(Convert *c, const Family *f) {
    int player = -1;
    const char *name = c->file->element[f->first].name;
    for (int r = 0; r < c->file->rules; r++) {
        const S3Rule *rule = &c->file->rule[r];
        if (!fits(c, rule->element, name))
            continue;
        int p = rule->player && rule->player->kind == S3_INT ? rule->player->value : 0;
        player = player < 0 || player == p ? p : 0;
    }
    if (player > 0)
        return player;
    player = -1;
    for (int i = 0; i < c->file->elements; i++) {
        const S3Element *e = &c->file->element[i];
        int index[4], indices;
        if (strcmp(cv_key(c, e->name, index, &indices), f->key) == 0)
            player = player < 0 || player == e->owner ? e->owner : 0;
    }
    return player > 0 ? player : 0;
}

static void attributes(Convert *c) {
    c->states = file_asks(c->file, S3_STATE) || file_asks(c->file, S3_SETSTATE);
    for (int r = 0; r < c->file->rules; r++)
        c->states |= c->file->rule[r].state != NULL;
    c->numbers = file_asks(c->file, S3_INDEX);
    c->state_low = c->state_high = 1;
    c->number_low = 1000000;
    for (int i = 0; i < c->file->elements; i++) {
        const S3Element *e = &c->file->element[i];
        Role role = start_of(c, e)->role;
        if (role == R_SWITCH)
            continue;
        int states = e->type >= 0 ? c->file->look->piece[e->type].states : 1;
        c->state_high = states > c->state_high ? states : c->state_high;
        c->state_high = e->state > c->state_high ? e->state : c->state_high;
        c->state_low = e->state < c->state_low ? e->state : c->state_low;
        if (c->states && (role == R_SUPPLY && e->state != 1))
            cv_fail(c, e->span, "`%s` waits beside the board in a state of its own", e->name);
        int index[4], indices;
        cv_key(c, e->name, index, &indices);
        if (!c->numbers)
            continue;
        if (indices != 1 || role == R_SUPPLY)
            cv_fail(c, e->span, "the number of `%s` is asked for, and it is not on the board",
                    e->name);
        c->number_low = index[0] < c->number_low ? index[0] : c->number_low;
        c->number_high = index[0] > c->number_high ? index[0] : c->number_high;
    }
    if (c->states)
        c->state_name = cv_name(c, "state");
    if (c->numbers)
        c->index_name = cv_name(c, c->numbered ? "label" : "number");
}

static char letter(const Convert *c, const char *name, int before) {
    const char *rest = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    for (int pass = 0; pass < 3; pass++)
        for (const char *p = pass == 2 ? rest : name; *p; p++) {
            char l = *p;
            if (l >= 'a' && l <= 'z' && pass == 0)
                l = (char)(l - 'a' + 'A');
            bool good = (l >= 'A' && l <= 'Z') || (l >= 'a' && l <= 'z');
            for (int i = 0; i < before; i++)
                good &= c->kind[i].letter != l;
            if (good)
                return l;
        }
    return '?';
}

static void each_kind(Convert *c) {
    for (int i = 0; i < c->file->elements; i++) {
        const S3Element *e = &c->file->element[i];
        int index[4], indices;
        int f = cv_find(c->element, c->elements, cv_key(c, e->name, index, &indices));
        Family *family = &c->element[f];
        Role role = start_of(c, e)->role;
        if (role == R_SWITCH)
            continue;
        if (role != R_MAIN && role != R_SUPPLY)
            cv_fail(c, e->span, "`%s` begins neither on the board nor in a hand", e->name);
        if (family->kind >= 0)
            continue;
        if (family->type < 0 && c->types_asked)
            cv_fail(c, e->span, "the elements `%s` are of several types, and the rules ask which",
                    family->base);
        family->kind = c->kinds;
        c->kind[c->kinds++] = (Kind){.family = f, .player = mover(c, family)};
    }
}

void cv_kinds(Convert *c) {
    c->types_asked = file_asks(c->file, S3_ELTYPE);
    each_kind(c);
    c->merged = c->players > 1 && c->kinds == c->players;
    for (int i = 0; i < c->kinds; i++)
        for (int k = 0; k < c->kinds; k++) {
            const Kind *a = &c->kind[i], *b = &c->kind[k];
            c->merged &= a->player >= 1 && (i == k || a->player != b->player);
            if (i != k && c->types_asked &&
                c->element[a->family].type == c->element[b->family].type)
                cv_fail(c, c->file->element[c->element[a->family].first].span,
                        "two families of elements have the same type");
        }
    if (c->merged)
        c->piece_name = cv_name(c, "stone");
    for (int i = 0; i < c->kinds; i++) {
        Kind *k = &c->kind[i];
        const Family *f = &c->element[k->family];
        const char *wish = f->type >= 0 ? c->file->look->piece[f->type].name : f->base;
        k->name = c->merged ? c->player[k->player] : cv_name(c, wish);
        k->letter = letter(c, k->name, i);
    }
    attributes(c);
}

Gx *cv_player(Convert *c, int number) {
    if (c->rule_player == number)
        return gx_word(c, "me", false);
    if (c->rule_player && c->players == 2)
        return gx_word(c, "opponent", false);
    return gx_word(c, c->player[number], false);
}

Gx *cv_kind_set(Convert *c, int kind) {
    if (!c->merged)
        return gx_word(c, c->kind[kind].name, true);
    if (c->rule_player == c->kind[kind].player)
        return gx_word(c, "mine", true);
    if (c->rule_player && c->players == 2)
        return gx_word(c, "theirs", true);
    return gx_word(c, arena_printf(c->arena, "%s of %s", c->piece_name, c->kind[kind].name), true);
}

Gx *cv_counter(Convert *c, const Family *f) {
    return f->per_player ? gx_entry(c, f->variable, cv_player(c, f->player))
                         : gx_word(c, f->variable, true);
}
