// convert_turn: the rules become the turn. For every player the rules are looked at and written as
// that player sees them; where all players' texts are the same, they are one.
#include "s3/convert_rules.h"

#include <ctype.h>
#include <string.h>

static int family_of(Convert *c, const Family *f, int n, const S3Node *pattern) {
    Text t = {0};
    for (int i = 0; i < pattern->parts; i++)
        text_add(&t, pattern->part[i].text);
    const char *key = arena_printf(c->arena, "%s", text_c(&t));
    text_free(&t);
    int i = cv_find(f, n, key);
    if (i < 0 || f[i].arity != pattern->parts - 1)
        cv_fail(c, pattern->span, "the pattern is not that of a whole family");
    return i;
}

static void bind(Convert *c, Env *env, const S3Node *pattern, const Family *f, Gx *cell,
                 const char *why) {
    for (int i = 0; i + 1 < pattern->parts; i++)
        env->var[cv_var(c, pattern->part[i].var)] =
            cell ? cv_sv(c, SV_INT, cv_index(c, f, cell, i)) : cv_lost(c, why);
}

static void pattern_values(Convert *c, Rule *r, Env *env) {
    const S3Rule *rule = r->rule;
    const Family *from = &c->place[r->from], *to = &c->place[r->to];
    bool moved = r->shape == SHAPE_MOVE;
    bind(c, env, rule->element, NULL, NULL, "pieces have no names");
    if (c->numbers && moved && rule->element->parts == 2)
        env->var[cv_var(c, rule->element->part[0].var)] =
            cv_sv(c, SV_INT, gx_call1(c, c->index_name, c->from, true));
    if (rule->state && rule->state->kind == S3_VAR && moved)
        env->var[cv_var(c, rule->state->name)] =
            cv_sv(c, SV_INT, gx_call1(c, c->state_name, c->from, true));
    if (rule->player && rule->player->kind == S3_VAR)
        env->var[cv_var(c, rule->player->name)] = cv_sv(c, SV_INT, gx_int(c, c->rule_player));
    const char *off = "places off the board have no numbers";
    bind(c, env, rule->from, from, moved ? c->from : NULL, off);
    bind(c, env, rule->to, to, r->shape == SHAPE_SWITCH ? NULL : c->to, off);
}

static const char *stripped(Convert *c, const S3Rule *rule, int player) {
    const char *name = rule->name, *own = c->file->player[player - 1];
    size_t n = strlen(own);
    if (n && strncasecmp(name, own, n) == 0 && name[n])
        return arena_printf(c->arena, "%s", name + n);
    return name;
}

// Two loops that do the same to both kinds of piece are one.
static void join_loops(Convert *c, St *s) {
    for (; s; s = s->next) {
        St *b = s->next;
        if (s->what != DO_EACH || !b || b->what != DO_EACH || c->kinds != 2 ||
            gx_equal(s->b, b->b) || s->body->what != DO_SET || s->body->next)
            continue;
        if (gx_equal(s->body->a, gx_put(c, b->body->a, b->a, s->a)) &&
            gx_equal(s->body->b, b->body->b)) {
            s->b = gx_word(c, "occupied", true);
            s->next = b->next;
        }
    }
}

static void analyse(Convert *c, Rule *r, int player) {
    const S3Rule *rule = r->rule;
    Env env = {.turn = 0}, yes, no;
    c->rule_player = player;
    c->depth = c->nesting = 0;
    if (rule->to_locations)
        cv_fail(c, rule->span, "`toLocations` has nothing like it here");
    if (rule->awards)
        cv_fail(c, rule->span, "the rule `%s` gives points", rule->name);
    int element = family_of(c, c->element, c->elements, rule->element);
    r->from = family_of(c, c->place, c->places, rule->from);
    r->to = family_of(c, c->place, c->places, rule->to);
    r->kind = c->element[element].kind;
    r->shape = r->from == c->main                   ? SHAPE_MOVE
               : c->place[r->from].role == R_SUPPLY ? SHAPE_PLACE
                                                    : SHAPE_SWITCH;
    if ((r->shape == SHAPE_SWITCH) != (r->kind < 0))
        cv_fail(c, rule->span, "the rule `%s` moves what never is there", rule->name);
    if (r->shape == SHAPE_PLACE)
        for (int i = 0; i < c->file->elements; i++) {
            int index[4], indices, at = c->file->element[i].location;
            bool there = at >= 0 && strcmp(cv_key(c, c->file->location[at].name, index, &indices),
                                           c->place[r->from].key) == 0;
            if (there && strcmp(cv_key(c, c->file->element[i].name, index, &indices),
                                c->element[element].key) != 0)
                cv_fail(c, c->file->element[i].span, "different elements wait on `%s`",
                        c->place[r->from].base);
        }
    pattern_values(c, r, &env);
    Gx *cond = gx_bool(c, true);
    if (rule->state && rule->state->kind == S3_INT && r->shape == SHAPE_MOVE)
        cond = gx_math(c, S3_EQ, gx_call1(c, c->state_name, c->from, true),
                       gx_int(c, rule->state->value), rule->span);
    else if (rule->state && rule->state->kind != S3_VAR)
        cv_fail(c, rule->span, "`state=` is not understood here");
    if (rule->condition) {
        Gx *x = cv_cond(c, rule->condition, &env, &yes, &no);
        cond = gx_and(c, cond, x);
        env = yes;
    }
    r->cond = cond;
    r->name = stripped(c, rule, player);
    cv_stale(c, &env); // the move itself
    St **tail = &r->todo;
    c->unset = 0;
    if (rule->followup)
        cv_do(c, rule->followup, &env, &tail);
    c->loose |= c->unset != 0;
    if (c->players > 1 && (env.turn == 0 || (env.turn == c->players)))
        cv_st(c, DO_AGAIN, NULL, NULL, &tail);
    else if (c->players > 1 && env.turn != 1 && env.turn != -2)
        cv_fail(c, rule->span, "`NEXTPLAYER` more than once");
    join_loops(c, r->todo);
    r->after = env;
}

static bool applies(const S3Rule *rule, int player) {
    return !rule->player || rule->player->kind == S3_VAR ||
           (rule->player->kind == S3_INT && rule->player->value == player);
}

static bool try_rule(Convert *c, Rule *r, int player) {
    jmp_buf here;
    int lets = c->lets, names = c->taken_count;
    if (setjmp(here) == 0) {
        c->trap = &here;
        analyse(c, r, player);
        return true;
    }
    c->lets = lets;
    c->taken_count = names;
    return false;
}

bool cv_rules(Convert *c, Rules *out) {
    bool good = true;
    for (int p = 1; p <= c->players; p++)
        for (int i = 0; i < c->file->rules; i++) {
            if (!applies(&c->file->rule[i], p))
                continue;
            Rule *r = &out->rule[out->count];
            *r = (Rule){.rule = &c->file->rule[i], .player = p};
            jmp_buf *outer = c->trap;
            bool ok = try_rule(c, r, p);
            c->trap = outer;
            out->count += ok;
            if (!ok)
                cv_report(c, &good, c->file->rule[i].span);
        }
    c->rule_player = 0;
    return good;
}

// What all rules leave behind: the end of the game may look at it.
void cv_after(Convert *c, const Rules *rules, Env *after) {
    *after = (Env){.turn = 0};
    for (int i = 0; i < rules->count; i++)
        if (i == 0)
            *after = rules->rule[i].after;
        else
            cv_merge(c, NULL, after, &rules->rule[i].after, after);
}
