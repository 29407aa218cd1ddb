// convert_block: the turn as text.
#include "s3/convert_rules.h"

#include <string.h>

enum { L_IF, L_WHERE, L_OR };

static void pad(Text *out, int indent) {
    for (int i = 0; i < indent; i++)
        text_add(out, "    ");
}

static Names chosen(Convert *c, const char *to) {
    return (Names){.local = {c->from, c->to}, .name = {"from", to}, .n = 2};
}

static const char *todo_text(Convert *c, const Rule *r, int indent) {
    Text t = {0};
    Names names = chosen(c, "to");
    st_print(c, r->todo, &names, indent, &t);
    const char *s = arena_printf(c->arena, "%s", text_c(&t));
    text_free(&t);
    return s;
}

void cv_hands(Convert *c, const Rules *rules) {
    bool plain = c->merged; // one piece a turn, and everybody in turn
    int cells = c->place[c->main].count - c->place[c->main].start;
    for (int i = 0; i < rules->count; i++) {
        const Rule *r = &rules->rule[i];
        plain &= r->shape == SHAPE_PLACE && r->after.turn == 1 &&
                 c->place[r->from].start >= (cells - r->player + c->players) / c->players;
    }
    const char *shared = NULL;
    int hands[IR_MAX_PLAYERS + 1] = {0};
    bool each = c->merged; // has exactly one
    for (int i = 0; i < c->places; i++)
        if (c->place[i].role == R_SUPPLY && c->place[i].player <= IR_MAX_PLAYERS)
            hands[c->place[i].player]++;
    for (int p = 0; p <= c->players; p++)
        each &= hands[p] == (p > 0);
    for (int i = 0; i < c->places && !plain; i++) {
        Family *f = &c->place[i];
        if (f->role != R_SUPPLY)
            continue;
        f->per_player = each;
        if (f->per_player && !shared)
            shared = cv_name(c, "hand");
        f->variable = f->per_player ? shared : cv_name(c, f->base);
    }
}

static void remember(const Convert *c, int indent, bool moved, Text *out) {
    if (c->origin_used && moved) {
        pad(out, indent);
        text_f(out, "%s = from\n", c->origin_name);
    }
    if (c->last_used) {
        pad(out, indent);
        text_f(out, "%s = to\n", c->last_name);
    }
}

static void where(Convert *c, Gx *cond, const char *to, Text *out) {
    if (gx_is(cond, true))
        return;
    Names names = chosen(c, to);
    text_add(out, " where ");
    gx_print(c, cond, &names, L_OR, out);
}

static void place_block(Convert *c, const Rule *r, int indent, Text *out) {
    const Family *hand = &c->place[r->from];
    Names names = chosen(c, "to");
    c->rule_player = r->player;
    if (hand->variable) {
        pad(out, indent);
        text_add(out, "require ");
        gx_print(c, cv_counter(c, hand), &names, L_OR, out);
        text_add(out, " > 0 \"none is left\"\n");
    }
    pad(out, indent);
    text_add(out, "say \"Choose a free cell.\"\n");
    pad(out, indent);
    text_add(out, "choose to in empty");
    where(c, r->cond, "it", out);
    text_char(out, '\n');
    pad(out, indent);
    text_f(out, "place %s at to\n", c->merged ? c->piece_name : c->kind[r->kind].name);
    if (hand->variable) {
        pad(out, indent);
        gx_print(c, cv_counter(c, hand), &names, L_OR, out);
        text_add(out, " -= 1\n");
    }
    remember(c, indent, false, out);
    text_add(out, todo_text(c, r, indent));
    c->rule_player = 0;
}

static void switch_block(Convert *c, const Rule *r, int indent, Text *out) {
    Names names = chosen(c, "to");
    if (!gx_is(r->cond, true)) {
        pad(out, indent);
        text_add(out, "require ");
        gx_print(c, r->cond, &names, L_OR, out);
        text_char(out, '\n');
    }
    text_add(out, todo_text(c, r, indent));
}

static Gx *guarded(Convert *c, const Rule *r, bool mixed) {
    Gx *cond = r->cond;
    c->rule_player = r->player;
    if (mixed)
        cond = gx_and(c, gx_in(c, c->from, cv_kind_set(c, r->kind)), cond);
    c->rule_player = 0;
    return cond;
}

// let isStep = ...: whether the rule fits; its name.
static const char *test(Convert *c, const Rule *r, const Gx *cond, Names *names, int indent,
                        Text *out) {
    char *is = arena_printf(c->arena, "is%s", r->name);
    if (is[2] >= 'a' && is[2] <= 'z')
        is[2] = (char)(is[2] - 'a' + 'A');
    Text x = {0};
    gx_print(c, cond, names, L_IF, &x);
    const char *name = gx_name(c, names, gx_local(c, is), is);
    pad(out, indent);
    text_f(out, "let %s = %s\n", name, text_c(&x));
    text_free(&x);
    return name;
}

// What differs between the rules is decided before the piece moves.
static void after_move(Convert *c, const Rule **r, Gx **cond, int n, int indent, Text *out) {
    Text todo = {0};
    bool same = true;
    for (int i = 1; i < n; i++)
        same &= strcmp(todo_text(c, r[i], 0), todo_text(c, r[0], 0)) == 0;
    Names names = chosen(c, "to");
    if (same) {
        text_add(&todo, todo_text(c, r[0], indent));
    } else {
        // Only the first rule that fits counts: its test, and none of those before it.
        const char *before = "";
        for (int i = 0; i < n; i++) {
            const char *name = "", *body = todo_text(c, r[i], indent + 1);
            if (i < n - 1) {
                name = test(c, r[i], cond[i], &names, indent, out);
                if (*body) {
                    pad(&todo, indent);
                    text_f(&todo, "if %s%s%s\n%s", before, *before ? " and " : "", name, body);
                }
            } else if (*body) {
                pad(&todo, indent);
                text_f(&todo, "if %s\n%s", before, body);
            }
            before = arena_printf(c->arena, "%s%snot %s", before, *before ? " and " : "", name);
        }
    }
    pad(out, indent);
    text_add(out, "move from to to\n");
    remember(c, indent, true, out);
    text_add(out, text_c(&todo));
    text_free(&todo);
}

static void move_block(Convert *c, const Rule **r, int n, int indent, Text *out) {
    Gx *any = gx_bool(c, false), **cond = ARENA_ARRAY(c->arena, Gx *, n);
    bool mixed = false;
    for (int i = 0; i < n; i++)
        mixed |= r[i]->kind != r[0]->kind;
    for (int i = 0; i < n; i++) {
        cond[i] = cv_named(c, r[i]->name, guarded(c, r[i], mixed));
        any = gx_or(c, any, cond[i]);
    }
    pad(out, indent);
    text_add(out, "say \"Choose a piece, then where it goes.\"\n");
    pad(out, indent);
    text_add(out, "choose from in ");
    Names names = chosen(c, "to");
    uint64_t seen = 0;
    c->rule_player = r[0]->player;
    for (int i = 0; i < n; i++) {
        if (seen >> r[i]->kind & 1)
            continue;
        text_add(out, seen ? " | " : "");
        seen |= 1ull << r[i]->kind;
        gx_print(c, cv_kind_set(c, r[i]->kind), &names, L_OR, out);
    }
    c->rule_player = 0;
    text_char(out, '\n');
    pad(out, indent);
    text_add(out, "choose to in empty");
    where(c, any, "it", out);
    text_char(out, '\n');
    after_move(c, r, cond, n, indent, out);
}

static void block(Convert *c, const Rules *rules, int player, int indent, Text *out) {
    const Rule **move = ARENA_ARRAY(c->arena, const Rule *, rules->count + 1);
    int moves = 0, parts = 0;
    for (int i = 0; i < rules->count; i++) {
        const Rule *r = &rules->rule[i];
        if (r->player != player)
            continue;
        if (r->shape == SHAPE_MOVE)
            move[moves++] = r;
        else
            parts++;
    }
    parts += moves > 0;
    bool first = true;
    int deeper = parts > 1 ? indent + 1 : indent;
    if (moves) {
        if (parts > 1) {
            pad(out, indent);
            text_add(out, "either\n");
        }
        move_block(c, move, moves, deeper, out);
        first = false;
    }
    for (int i = 0; i < rules->count; i++) {
        const Rule *r = &rules->rule[i];
        if (r->player != player || r->shape == SHAPE_MOVE)
            continue;
        if (parts > 1) {
            pad(out, indent);
            text_f(out, "%s \"%s\"\n", first ? "either" : "or", r->name);
        }
        first = false;
        if (r->shape == SHAPE_PLACE)
            place_block(c, r, deeper, out);
        else
            switch_block(c, r, deeper, out);
    }
    if (parts == 0)
        cv_fail(c, (Span){0}, "there is no rule for the player %s", c->player[player]);
}

void cv_print_turn(Convert *c, const Rules *rules, Text *out) {
    const char *text[IR_MAX_PLAYERS + 1] = {""};
    bool same = true;
    for (int p = 1; p <= c->players; p++)
        for (int deep = 0; deep < 2; deep++) {
            Text t = {0};
            block(c, rules, p, deep + 1, &t);
            const char *s = arena_printf(c->arena, "%s", text_c(&t));
            text_free(&t);
            if (deep == 0) {
                same &= p == 1 || strcmp(s, text[0]) == 0;
                text[0] = p == 1 ? s : text[0];
            } else {
                text[p] = s;
            }
        }
    text_add(out, "\nturn\n");
    if (same) {
        text_add(out, text[0]);
        return;
    }
    for (int p = 1; p <= c->players; p++) {
        if (p < c->players)
            text_f(out, "    %sif me == %s\n", p > 1 ? "else " : "", c->player[p]);
        else
            text_add(out, "    else\n");
        text_add(out, text[p]);
    }
}
