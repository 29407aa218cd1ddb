// What a move does once it is chosen: awards, the move, followup, scorings, the end. See lower.h.

#include "s3/lower.h"

// Members of toLocations whose targets are compared with one another.
#define MOST_COMPARED 64

// --- variables ---

void apply_clear(Lower *l, int player) {
    l->env = ARENA_ARRAY(l->arena, Value, l->vars + 1);
    l->player = x_int(l, player);
    l->facts = 0;
    l->dead = false;
    l->element = l->to = l->from = NULL;
}

void apply_bind(Lower *l, const S3Node *pattern, X *chosen, Space space) {
    const char *var[16];
    int n = pattern ? word_variables(pattern, var) : 0;
    int count = chosen->hi - chosen->lo + 1;
    for (int k = 0; k < n; k++) {
        int32_t *tab = ARENA_ARRAY(l->arena, int32_t, count);
        for (int i = 0; i < count; i++) {
            int at = chosen->lo + i;
            int word = space == SP_ELEMENT ? word_element(l, at) : word_cell(l, at);
            int64_t index[16] = {0};
            tab[i] = word_match(pattern, l->word[word]->text, index) ? (int32_t)index[k] : 0;
        }
        l->env[word_var(l, var[k])] = value_int(x_map(l, chosen, T_INT, tab));
    }
}

void apply_bind_rule(Lower *l, const S3Rule *r, X *element, X *from, int player) {
    apply_bind(l, r->element, element, SP_ELEMENT);
    if (r->state && r->state->kind == S3_VAR) {
        int32_t tab[IR_MAX_KINDS + 1];
        for (int i = 0; i < l->planes; i++)
            tab[i] = l->plane[i].state;
        tab[l->planes] = -1;
        X *plane = l->from_plane;
        l->env[word_var(l, r->state->name)] = value_int(x_map(l, plane, T_INT, tab + plane->lo));
    }
    if (r->player && r->player->kind == S3_VAR)
        l->env[word_var(l, r->player->name)] = value_int(x_int(l, player));
    apply_bind(l, r->from, from, SP_CELL);
}

X *apply_target(Lower *l, const Value *member, const Value **action, Span span) {
    *action = NULL;
    if (member->kind != V_SET || member->items < 2)
        return need_cell(l, *member, span);
    *action = &member->item[1].value;
    return need_cell(l, member->item[0].value, span);
}

// --- scores ---

static void add_score(Lower *l, const S3Award *a) {
    X *player = need_int(l, follow(l, a->player, false), a->player->span);
    X *points = need_int(l, follow(l, a->score, false), a->score->span);
    if (l->dead)
        return;
    flow_fail_if(l,
                 x_either(l, x_compare(l, X_LT, player, x_int(l, 1)),
                          x_compare(l, X_LT, x_int(l, l->f->players), player)),
                 a->player->span, "points for a player who is not there");
    X *at = x_add(l, player, x_int(l, 1), -1);
    X *score = x_atom(l, X_SCORE, at, 0, INT32_MIN, INT32_MAX, READS_SCORE);
    X *sum = x_add(l, score, points, 1);
    if (at->reads & READS_SCORE)
        at = y_let(l, at, "who");
    if (sum != score) {
        sum = y_let(l, sum, "score");
        flow_freeze(l, READS_SCORE);
        Y *y = y_add(l, ST_ASSIGN, a->score->span);
        y->id = VAR_SCORE;
        y->x[0] = sum;
        y->x[1] = at;
    }
}

static void add_scores(Lower *l, const S3Award *award, int count) {
    for (int i = 0; i < count && !l->dead; i++)
        add_score(l, &award[i]);
}

static unsigned scoring_changes(Lower *l, const S3Scoring *s) {
    unsigned changes = READS_SCORE;
    for (int i = 0; i < s->awards; i++)
        changes |= kinds_changes(l, s->award[i].player) | kinds_changes(l, s->award[i].score);
    return changes;
}

static void scorings(Lower *l) {
    for (int i = 0; i < l->f->scorings && !l->dead; i++) {
        const S3Scoring *s = &l->f->scoring[i];
        X *x = follow_true(l, s->situation);
        if (l->dead || x_is(x, 0))
            continue;
        if (x->op == X_CONST) {
            add_scores(l, s->award, s->awards);
            continue;
        }
        Fork k;
        flow_fork(l, &k, x, scoring_changes(l, s));
        flow_enter(l, &k, 0);
        add_scores(l, s->award, s->awards);
        flow_leave(l, &k, 0, value_bool(x));
        flow_enter(l, &k, 1);
        flow_leave(l, &k, 1, value_bool(x));
        flow_join(l, &k);
    }
}

// --- the end ---

static void set_winner(Lower *l, const S3End *e) {
    X *w = need_int(l, follow(l, e->winner, false), e->winner->span);
    if (l->dead)
        return;
    flow_fail_if(l,
                 x_either(l, x_compare(l, X_LT, w, x_int(l, -1)),
                          x_compare(l, X_LT, x_int(l, l->f->players), w)),
                 e->winner->span, "the winner is no player");
    Y *y = y_add(l, ST_ASSIGN, e->winner->span);
    y->id = VAR_WINNER;
    y->x[0] = x_add(l, w, x_int(l, 1), 1);
}

static void end_from(Lower *l, int at) {
    for (; at < l->f->ends && !l->dead; at++) {
        const S3End *e = &l->f->end[at];
        X *x = follow_true(l, e->situation);
        if (l->dead || x_is(x, 0))
            continue;
        if (x->op == X_CONST) {
            set_winner(l, e);
            return;
        }
        unsigned changes = 0;
        for (int i = at; i < l->f->ends; i++)
            changes |=
                kinds_changes(l, l->f->end[i].winner) | kinds_changes(l, l->f->end[i].situation);
        Fork k;
        flow_fork(l, &k, x, changes);
        flow_enter(l, &k, 0);
        set_winner(l, e);
        flow_leave(l, &k, 0, value_bool(x));
        flow_enter(l, &k, 1);
        end_from(l, at + 1);
        flow_leave(l, &k, 1, value_bool(x));
        flow_join(l, &k);
        return;
    }
}

static void hand_on(Lower *l, int player) {
    int64_t next;
    int players = l->f->players;
    if (players == 1 || l->dead)
        return;
    if (!x_known(l->player, &next)) {
        Y *y = y_add(l, ST_NEXT, l->at);
        y->x[0] = x_add(l, l->player, x_int(l, 1), -1);
    } else if (next == player) {
        y_add(l, ST_AGAIN, l->at);
    } else if (next != player % players + 1) {
        y_add(l, ST_NEXT, l->at)->x[0] = x_int(l, next - 1);
    }
}

// --- one rule ---

static void followup(Lower *l, const S3Rule *r) {
    if (r->followup)
        follow(l, r->followup, false);
}

// Members of toLocations that a chosen target can be, as far as they are still to be asked.
typedef struct Member {
    X *is; // it is the one that was chosen
    const Value *action;
} Member;

static bool same_action(const Value *a, const Value *b) {
    const S3Node *call[2] = {a && a->kind == V_ACTION ? a->call : NULL,
                             b && b->kind == V_ACTION ? b->call : NULL};
    return call[0] == call[1] && (call[0] || !a == !b);
}

// The members with the action of the first one share it: whether it is one of them comes back, and
// its arguments are chosen by which it is. `rest` takes the others.
static X *take_group(Lower *l, const Member *m, int count, Value *action, Member *rest, int *left) {
    X *is = x_bool(l, false), *before = is;
    int *mine = ARENA_ARRAY(l->arena, int, count + 1), n = 0;
    *left = 0;
    for (int i = 0; i < count; i++) {
        if (same_action(m[0].action, m[i].action)) {
            is = x_either(l, is, x_both(l, m[i].is, x_not(l, before)));
            mine[n++] = i;
        } else {
            before = x_either(l, before, m[i].is);
            rest[(*left)++] = m[i];
        }
    }
    if (!m[0].action || m[0].action->kind != V_ACTION)
        return is;
    *action = *m[mine[n - 1]].action;
    action->item = ARENA_ARRAY(l->arena, Item, action->items + 1);
    for (int k = 0; k < action->items; k++) {
        Value v = m[mine[n - 1]].action->item[k].value;
        for (int i = n - 2; i >= 0; i--)
            v = value_merge(l, m[mine[i]].is, m[mine[i]].action->item[k].value, v);
        if (v.kind == V_INT)
            v.x = x_narrow(l, v.x, is);
        action->item[k] = (Item){x_bool(l, true), v};
    }
    return is;
}

// The action of the member of toLocations that was chosen, or else the followup.
static void actions_from(Lower *l, const S3Rule *r, const Member *m, int count) {
    Member *rest = ARENA_ARRAY(l->arena, Member, count + 1);
    Value action = {0};
    int left;
    X *is = flow_known(l, take_group(l, m, count, &action, rest, &left));
    if (x_is(is, 0) && left) {
        actions_from(l, r, rest, left);
        return;
    }
    Fork k;
    bool fork = is->op != X_CONST && left;
    if (fork) {
        flow_fork(l, &k, is, ~0u);
        flow_enter(l, &k, 0);
    }
    if (!m[0].action)
        followup(l, r);
    else if (m[0].action->kind == V_ACTION)
        follow_action(l, action.call, action.item);
    if (!fork)
        return;
    flow_leave(l, &k, 0, value_bool(is));
    flow_enter(l, &k, 1);
    actions_from(l, r, rest, left);
    flow_leave(l, &k, 1, value_bool(is));
    flow_join(l, &k);
}

// Which member it was: its target is the chosen one, and it is there. The latter need not be asked
// where no other member can have that target.
static Member *find_members(Lower *l, const S3Rule *r, const Value *list) {
    Member *m = ARENA_ARRAY(l->arena, Member, list->items + 1);
    for (int i = 0; i < list->items; i++) {
        X *cell = apply_target(l, &list->item[i].value, &m[i].action, r->to_locations->span);
        m[i].is = x_compare(l, X_EQ, cell, l->to);
    }
    bool *shared = ARENA_ARRAY(l->arena, bool, list->items + 1);
    for (int i = 0; i < list->items; i++)
        for (int k = 0; k < i; k++)
            if (list->items > MOST_COMPARED || !x_is(x_decide(l, x_both(l, m[i].is, m[k].is)), 0))
                shared[i] = shared[k] = true;
    for (int i = 0; i < list->items; i++)
        if (shared[i])
            m[i].is = x_both(l, list->item[i].when, m[i].is);
    return m;
}

// Variables as they are when the rule is found to fit; gives the members of toLocations.
static Value match_rule(Lower *l, const S3Rule *r, int player) {
    Value list = {.kind = V_SET};
    apply_clear(l, player);
    l->from = l->chosen_from;
    l->element = l->chosen_element;
    l->moved = false;
    apply_bind_rule(l, r, l->named_element, l->named_from, player);
    l->position_fixed = true;
    if (r->to_locations)
        list = need_kind(l, follow(l, r->to_locations, false), V_SET, r->to_locations->span);
    l->to = l->chosen_to;
    apply_bind(l, r->to, l->to, SP_CELL);
    if (r->condition)
        follow(l, r->condition, true);
    l->position_fixed = false;
    l->dead = false; // it was found to hold
    return list;
}

static void apply_rule(Lower *l, const S3Rule *r, int player) {
    Value list = match_rule(l, r, player);
    Member *m = find_members(l, r, &list);
    add_scores(l, r->award, r->awards);
    l->at = r->span;
    for (int i = 0; i < list.items; i++) { // as it is before the move
        if (m[i].is->reads)
            m[i].is = y_let(l, m[i].is, "chosen");
        if (m[i].action) {
            Value *kept = ARENA_NEW(l->arena, Value);
            *kept = flow_frozen(l, *m[i].action, READS_PLACES | READS_LOOKS | READS_SCORE);
            m[i].action = kept;
        }
    }
    built_move(l, l->chosen_element, l->chosen_from, l->chosen_to);
    if (list.items)
        actions_from(l, r, m, list.items);
    else
        followup(l, r);
    l->at = r->span;
    scorings(l);
    end_from(l, 0);
    hand_on(l, player);
}

// --- which rule ---

static bool apart(const Lower *l, const RuleUse *a, const RuleUse *b) {
    for (int i = 0; i < l->f->locations * l_words(l); i++)
        if (a->fixed[i] & b->fixed[i])
            return false;
    return true;
}

// Whether the rule lets the chosen piece go to the chosen cell: only what can be open is asked.
static X *matches(Lower *l, const RuleUse *rules, int count) {
    bool alone = true;
    for (int i = 1; i < count; i++)
        alone &= apart(l, &rules[0], &rules[i]);
    return x_has(l, l->chosen_to, alone ? x_sets(l, l->chosen_from, rules[0].fixed) : rules[0].ok);
}

static void add_if(Lower *l, X *test, const Block *body, const Block *other) {
    Y *y = y_add(l, ST_IF, l->at);
    y->x[0] = test;
    y->body = body->first;
    y->other = other ? other->first : NULL;
}

static void let_slot(Lower *l, int slot, X *x) {
    Y *y = y_add(l, ST_LET, l->at);
    y->id = slot;
    y->x[0] = x;
}

// Of several rules that fit, the one that gives the player on move the most, if any gives
// something; else the first.
typedef struct Best {
    int rule, known, points; // locals
} Best;

static void compare_awards(Lower *l, const S3Rule *r, int number, const Best *best, int player) {
    for (int i = 0; i < r->awards && !l->dead; i++) {
        Value who = follow(l, r->award[i].player, false);
        X *mine = value_equal(l, who, value_int(x_int(l, player)), r->award[i].player->span);
        if (l->dead || x_is(mine, 0))
            continue;
        Block then = {0}, take = {0}, *outer = l->block;
        l->block = &then;
        X *points = y_let(
            l, need_int(l, follow(l, r->award[i].score, false), r->award[i].score->span), "points");
        X *more = x_either(l, x_not(l, x_local(l, best->known)),
                           x_compare(l, X_LT, x_local(l, best->points), points));
        l->block = &take;
        let_slot(l, best->rule, x_int(l, number));
        let_slot(l, best->known, x_bool(l, true));
        let_slot(l, best->points, points);
        l->block = &then;
        add_if(l, more, &take, NULL);
        l->block = outer;
        l->dead = false;
        add_if(l, mine, &then, NULL);
    }
}

static void apply_best(Lower *l, const RuleUse *rules, int count, int player) {
    Best best = {x_new_slot(l, T_INT, 0, count, "rule", NULL),
                 x_new_slot(l, T_BOOL, 0, 1, "known", NULL),
                 x_new_slot(l, T_INT, INT32_MIN, INT32_MAX, "best", NULL)};
    let_slot(l, best.rule, x_int(l, count));
    let_slot(l, best.known, x_bool(l, false));
    let_slot(l, best.points, x_int(l, 0));
    Block *outer = l->block;
    for (int i = 0; i < count; i++) {
        Block body = {0}, first = {0};
        l->at = rules[i].rule->span;
        l->block = &first;
        let_slot(l, best.rule, x_int(l, i));
        l->block = &body;
        add_if(l, x_compare(l, X_EQ, x_local(l, best.rule), x_int(l, count)), &first, NULL);
        match_rule(l, rules[i].rule, player);
        l->position_fixed = true;
        compare_awards(l, rules[i].rule, i, &best, player);
        l->position_fixed = false;
        l->block = outer;
        add_if(l, x_has(l, l->chosen_to, rules[i].ok), &body, NULL);
    }
    for (int i = 0; i < count; i++) {
        Block body = {0};
        l->at = rules[i].rule->span;
        l->block = &body;
        apply_rule(l, rules[i].rule, player);
        l->block = outer;
        add_if(l, x_compare(l, X_EQ, x_local(l, best.rule), x_int(l, i)), &body, NULL);
    }
}

void apply_move(Lower *l, const RuleUse *rules, int count, int player) {
    bool together = false, awards = false;
    for (int i = 0; i < count; i++) {
        awards |= rules[i].rule->awards > 0;
        for (int k = 0; k < i; k++)
            together |= !apart(l, &rules[i], &rules[k]);
    }
    if (together && awards) {
        apply_best(l, rules, count, player);
        return;
    }
    if (count == 1) {
        apply_rule(l, rules[0].rule, player);
        return;
    }
    Block *outer = l->block, body[2] = {0};
    l->at = rules[0].rule->span;
    X *test = matches(l, rules, count);
    l->block = &body[0];
    apply_rule(l, rules[0].rule, player);
    l->block = &body[1];
    apply_move(l, rules + 1, count - 1, player);
    l->block = outer;
    l->at = rules[0].rule->span;
    add_if(l, test, &body[0], &body[1]);
}
