// Built-in functions: questions about the position, and changes of it. See lower.h.

#include "s3/lower.h"

static Value truth(Lower *l, bool b) {
    return value_bool(x_bool(l, b));
}

// --- what stands where ---

static X *is_free(Lower *l, X *cell) {
    int32_t tab[IR_MAX_KINDS + 1] = {0};
    X *plane = x_plane(l, cell);
    tab[l->planes] = 1;
    return x_map(l, plane, T_BOOL, tab + plane->lo);
}

// The cell of an element that is known as what stands there; NULL if it is known in another way.
static X *cell_of(Lower *l, X *element) {
    if (element->op == X_ELEM)
        return element->kid[0];
    return element == l->element && !l->moved ? l->from : NULL;
}

// A property of an element: by plane if it can change or where it stands is known, else by name.
typedef struct Property {
    const int32_t *by_plane;   // planes + 1
    const int32_t *by_element; // elements + 1; NULL if it can change
    XType type;
} Property;

static X *property(Lower *l, X *element, const Property *p) {
    X *cell = cell_of(l, element);
    if (!cell && element->op == X_COND)
        return x_cond(l, element->kid[0], property(l, element->kid[1], p),
                      property(l, element->kid[2], p));
    if (!cell && p->by_element)
        return x_map(l, element, p->type, p->by_element + element->lo);
    if (!cell)
        cell = x_where(l, element);
    X *plane = x_plane(l, cell);
    return x_map(l, plane, p->type, p->by_plane + plane->lo);
}

static X *ask(Lower *l, S3Op op, X *element) {
    const S3File *f = l->f;
    int32_t by_plane[IR_MAX_KINDS + 1];
    int32_t *by_element = ARENA_ARRAY(l->arena, int32_t, f->elements + 1);
    bool changes = false;
    int32_t nothing = op == S3_ELTYPE ? 0 : -1;
    by_plane[l->planes] = by_element[0] = nothing;
    for (int i = 0; i < l->planes; i++)
        by_plane[i] = op == S3_ELTYPE  ? l->plane[i].type
                      : op == S3_STATE ? l->plane[i].state
                                       : l->plane[i].owner;
    for (int i = 0; i < f->elements; i++) {
        const S3Element *e = &f->element[i];
        by_element[i + 1] = op == S3_ELTYPE  ? word_of(l, e->type_name ? e->type_name : "")
                            : op == S3_STATE ? e->state
                                             : e->owner;
    }
    changes |= op == S3_STATE && l->state_changes;
    changes |= op == S3_OWNER && l->owner_changes;
    Property p = {by_plane, changes ? NULL : by_element, T_INT};
    return property(l, element, &p);
}

// --- indices ---

static Value index_of_text(Lower *l, const Value *v, int n, Span span, bool *done) {
    // base($A,$B): the n-th index is the n-th variable, if only commas are between them.
    const Shape *s = v->shape;
    size_t base = strlen(s->text[0]);
    bool plain = base > 0 && s->text[0][base - 1] == '(' && strcmp(s->text[s->indices], ")") == 0 &&
                 strchr(s->text[0], '(') == s->text[0] + base - 1;
    for (int i = 1; plain && i < s->indices; i++)
        plain = strcmp(s->text[i], ",") == 0;
    *done = plain;
    if (plain && n <= s->indices)
        return value_int(v->index[n - 1]);
    if (plain)
        flow_fail(l, span, "there is no index %d", n);
    return value_int(x_int(l, 0));
}

static Value index_of(Lower *l, Value v, int n, Span span) {
    v = need_kind(l, v, V_STRING, span);
    if (n < 1 || n > 16) {
        flow_fail(l, span, "there is no index %d", n);
        return value_int(x_int(l, 0));
    }
    if (v.space == SP_TEXT) {
        bool done;
        Value found = index_of_text(l, &v, n, span, &done);
        if (done)
            return found;
        v = value_string(SP_WORD, string_as(l, v, SP_WORD));
    }
    int count = v.x->hi - v.x->lo + 1;
    int32_t *tab = ARENA_ARRAY(l->arena, int32_t, count),
            *bad = ARENA_ARRAY(l->arena, int32_t, count);
    for (int i = 0; i < count; i++) {
        int at = v.x->lo + i, word = at;
        if (v.space == SP_ELEMENT)
            word = word_element(l, at);
        else if (v.space == SP_CELL)
            word = word_cell(l, at);
        int64_t index[16];
        int found = word_indices(l->word[word < l->words ? word : 1]->text, index, 16);
        bad[i] = found < n;
        tab[i] = found < n ? 0 : (int32_t)index[n - 1];
    }
    flow_fail_if(l, x_map(l, v.x, T_BOOL, bad), span, "this name has no index %d", n);
    return value_int(x_map(l, v.x, T_INT, tab));
}

static Value base_of(Lower *l, Value v, Span span) {
    v = need_kind(l, v, V_STRING, span);
    if (v.space == SP_TEXT) {
        size_t n = strcspn(v.shape->text[0], "(");
        if (v.shape->text[0][n])
            return value_string(SP_WORD,
                                x_int(l, word_of(l, arena_text(l->arena, v.shape->text[0], n))));
    }
    X *x = string_as(l, v, SP_WORD);
    int count = x->hi - x->lo + 1;
    int32_t *tab = ARENA_ARRAY(l->arena, int32_t, count);
    for (int i = 0; i < count; i++)
        tab[i] = l->word[x->lo + i < l->words ? x->lo + i : 1]->base;
    return value_string(SP_WORD, x_map(l, x, T_INT, tab));
}

static Value place_type(Lower *l, X *cell) {
    int32_t *tab = ARENA_ARRAY(l->arena, int32_t, l->f->locations + 1);
    for (int i = 0; i < l->f->locations; i++)
        if (l->f->location[i].type >= 0)
            tab[i] = word_of(l, l->f->look->place_type[l->f->location[i].type].name);
    return value_string(SP_WORD, x_map(l, cell, T_INT, tab + cell->lo));
}

// --- changes ---

static bool may_change(Lower *l, Span span) {
    if (l->position_fixed)
        lower_error(l, span, "a condition must not change the position");
    return !l->position_fixed;
}

static X *now(Lower *l, X *x) {
    return x->reads ? y_let(l, x, "now") : x;
}

static void assign_at(Lower *l, int var, X *index, X *value) {
    Y *y = y_add(l, ST_ASSIGN, l->at);
    y->id = var;
    y->x[0] = value;
    y->x[1] = index;
}

void built_move(Lower *l, X *element, X *from, X *to) {
    from = now(l, from);
    to = now(l, to);
    element = now(l, element);
    flow_freeze(l, READS_PLACES | READS_LOOKS);
    l->moved = true;
    assign_at(l, VAR_CONTENT, to, element);
    assign_at(l, VAR_CONTENT, from, x_int(l, 0));
    assign_at(l, VAR_AT, element, to);
    Y *y = y_add(l, ST_MOVE, l->at);
    y->x[0] = from;
    y->x[1] = to;
}

static Value move(Lower *l, const S3Node *node, const Value *arg) {
    Span span = node->span;
    X *element = need_element(l, arg[0], node->kid[0]->span);
    X *from = need_cell(l, arg[1], node->kid[1]->span);
    X *to = need_cell(l, arg[2], node->kid[2]->span);
    X *none = x_cell(l, l->f->locations);
    if (!may_change(l, span))
        return truth(l, true);
    flow_fail_if(l, x_compare(l, X_EQ, from, none), span, "MOVE from a place that is not there");
    flow_fail_if(l, x_compare(l, X_EQ, to, none), span, "MOVE to a place that is not there");
    if (element->op == X_ELEM && element->kid[0] == from)
        flow_fail_if(l, is_free(l, from), span, "MOVE of an element that is not there");
    else {
        flow_fail_if(l, x_compare(l, X_EQ, element, x_int(l, 0)), span,
                     "MOVE of an element that is not there");
        flow_fail_if(l, x_not(l, x_compare(l, X_EQ, x_elem(l, from), element)), span,
                     "MOVE of an element that is not at the place it should be");
    }
    X *can = flow_known(l, is_free(l, to));
    if (l->dead || x_is(can, 0))
        return truth(l, false);
    if (can->op == X_CONST) {
        built_move(l, element, from, to);
        return truth(l, true);
    }
    Fork k;
    flow_fork(l, &k, can, READS_PLACES | READS_LOOKS);
    flow_enter(l, &k, 0);
    built_move(l, element, from, to);
    flow_leave(l, &k, 0, truth(l, true));
    flow_enter(l, &k, 1);
    flow_leave(l, &k, 1, truth(l, false));
    return flow_join(l, &k);
}

// Pieces on a cell become what `becomes` says, by plane; -1: not possible there.
static void change(Lower *l, X *cell, const int *becomes, uint64_t can) {
    for (int to = 0; to < l->planes; to++) {
        int32_t tab[IR_MAX_KINDS + 1] = {0};
        bool any = false, all = true;
        for (int p = 0; p < l->planes; p++) {
            if (!(can >> p & 1))
                continue;
            tab[p] = becomes[p] == to;
            any |= becomes[p] == to && p != to;
            all &= becomes[p] == to;
        }
        if (!any)
            continue;
        Block body = {0}, *outer = l->block;
        if (!all)
            l->block = &body;
        Y *y = y_add(l, ST_CHANGE, l->at);
        y->id = to;
        y->x[0] = cell;
        l->block = outer;
        if (all)
            return;
        X *plane = x_plane(l, cell);
        Y *test = y_add(l, ST_IF, l->at);
        test->x[0] = x_map(l, plane, T_BOOL, tab + plane->lo);
        test->body = body.first;
    }
}

static uint64_t possible_planes(Lower *l, X *element) {
    if (element->op == X_CONST && element->value > 0)
        return l->element_planes[element->value - 1];
    return ((uint64_t)1 << l->planes) - 1;
}

static Value set_look(Lower *l, const S3Node *node, const Value *arg) {
    bool state = node->op == S3_SETSTATE;
    X *element = need_element(l, arg[0], node->kid[0]->span);
    X *value = need_int(l, arg[1], node->kid[1]->span);
    if (!may_change(l, node->span))
        return truth(l, true);
    X *cell = cell_of(l, element);
    X *there =
        cell ? x_not(l, is_free(l, cell)) : x_not(l, x_compare(l, X_EQ, element, x_int(l, 0)));
    flow_fail_if(l, x_not(l, there), node->span, "%s of an element that is not there",
                 s3_op_name(node->op));
    if (!cell)
        cell = x_where(l, element);
    int32_t limit[IR_MAX_KINDS + 1] = {0};
    int most = l->f->players;
    if (state) {
        most = 0;
        for (int p = 0; p < l->planes; p++) {
            limit[p] = l->plane[p].look < 0 ? 0 : l->f->look->piece[l->plane[p].look].states;
            most = limit[p] > most ? limit[p] : most;
        }
        limit[l->planes] = limit[0];
    }
    X *plane = x_plane(l, cell);
    X *upper = state ? x_map(l, plane, T_INT, limit + plane->lo) : x_int(l, most);
    flow_fail_if(l,
                 x_either(l, x_compare(l, X_LT, value, x_int(l, state ? 1 : 0)),
                          x_compare(l, X_LT, upper, value)),
                 node->span, "%s to a value that is not possible", s3_op_name(node->op));
    cell = now(l, cell);
    value = now(l, value);
    flow_freeze(l, READS_LOOKS);
    if (l->dead)
        return truth(l, true);
    int first = value->lo > 0 ? value->lo : 0, last = value->hi < most ? value->hi : most;
    for (int v = first; v <= last; v++) {
        int becomes[IR_MAX_KINDS];
        for (int p = 0; p < l->planes; p++)
            becomes[p] = state ? kinds_plane(l, p, v, l->plane[p].owner)
                               : kinds_plane(l, p, l->plane[p].state, v);
        Block body = {0}, *outer = l->block;
        if (first < last)
            l->block = &body;
        change(l, cell, becomes, possible_planes(l, element));
        l->block = outer;
        if (first == last || !body.first)
            continue;
        Y *y = y_add(l, ST_IF, node->span);
        y->x[0] = x_compare(l, X_EQ, value, x_int(l, v));
        y->body = body.first;
    }
    return truth(l, true);
}

static Value set_depth(Lower *l, const S3Node *node, const Value *arg) {
    X *element = need_element(l, arg[0], node->kid[0]->span);
    X *value = need_int(l, arg[1], node->kid[1]->span);
    if (!may_change(l, node->span))
        return truth(l, true);
    flow_fail_if(l, x_compare(l, X_EQ, element, x_int(l, 0)), node->span,
                 "SETZINDEX of an element that is not there");
    X *cell = now(l, cell_of(l, element) ? cell_of(l, element) : x_where(l, element));
    value = now(l, value);
    flow_freeze(l, READS_LOOKS);
    Y *y = y_add(l, ST_SET_ATTR, node->span);
    y->x[0] = value;
    y->x[1] = cell;
    return truth(l, true);
}

static Value depth_of(Lower *l, const S3Node *node, X *element) {
    flow_fail_if(l, x_compare(l, X_EQ, element, x_int(l, 0)), node->span,
                 "ZINDEX of an element that is not there");
    if (!l->depth_changes) {
        int32_t *tab = ARENA_ARRAY(l->arena, int32_t, l->f->elements + 1);
        for (int i = 0; i < l->f->elements; i++)
            tab[i + 1] = l->f->element[i].zindex;
        return value_int(x_map(l, element, T_INT, tab + element->lo));
    }
    X *cell = cell_of(l, element);
    cell = cell ? cell : x_where(l, element);
    return value_int(x_atom(l, X_DEPTH, cell, 0, INT32_MIN, INT32_MAX, READS_PLACES | READS_LOOKS));
}

static Value next_player(Lower *l, const S3Node *node) {
    if (!may_change(l, node->span))
        return truth(l, true);
    X *players = x_int(l, l->f->players);
    l->player = x_add(l, x_arith(l, X_MOD, l->player, players), x_int(l, 1), 1);
    return truth(l, true);
}

static Value score_of(Lower *l, const S3Node *node, X *player) {
    flow_fail_if(l,
                 x_either(l, x_compare(l, X_LT, player, x_int(l, 1)),
                          x_compare(l, X_LT, x_int(l, l->f->players), player)),
                 node->span, "SCORE of a player who is not there");
    if (!l->scores)
        return value_int(x_int(l, l->f->score));
    return value_int(x_atom(l, X_SCORE, x_add(l, player, x_int(l, 1), -1), 0, INT32_MIN, INT32_MAX,
                            READS_SCORE));
}

// --- all of them ---

static Value choose(Lower *l, const S3Node *node, bool holds) {
    X *cond = flow_known(l, need_bool(l, follow(l, node->kid[0], false), node->kid[0]->span));
    if (l->dead)
        return truth(l, false);
    unsigned changes = 0;
    for (int i = 1; i < 3; i++)
        if (i < node->kids)
            changes |= kinds_changes(l, node->kid[i]);
    Fork k;
    Value v[2] = {truth(l, false), truth(l, false)};
    flow_fork(l, &k, cond, changes);
    for (int i = 0; i < 2; i++) {
        if (cond->op == X_CONST && (i == 0) != (cond->value != 0))
            continue;
        if (cond->op != X_CONST)
            flow_enter(l, &k, i);
        if (i + 1 < node->kids)
            v[i] = follow(l, node->kid[i + 1], holds);
        else
            flow_fail(l, node->span, "IF lacks what to do here");
        if (cond->op == X_CONST)
            return v[i];
        flow_leave(l, &k, i, v[i]);
    }
    return flow_join(l, &k);
}

static int arguments_of(S3Op op) {
    switch (op) {
#define X(name, text, arguments)                                                                   \
    case name: return arguments;
        S3_BUILT_INS(X)
#undef X
    default: return 0;
    }
}

Value follow_built(Lower *l, const S3Node *node, bool holds) {
    int n = arguments_of(node->op);
    Value arg[4];
    if (node->op == S3_IF && node->kids > 0)
        return choose(l, node, holds);
    if (node->kids < n) {
        flow_fail(l, node->span, "%s takes %d arguments", s3_op_name(node->op), n);
        return truth(l, false);
    }
    if (node->op == S3_FORALL || node->op == S3_FORSOME)
        return follow_loop(l, node, holds);
    for (int i = 0; i < n; i++) {
        unsigned changes = kinds_changes(l, node->kid[i]);
        for (int k = 0; changes && k < i; k++)
            arg[k] = flow_frozen(l, arg[k], changes);
        arg[i] = follow(l, node->kid[i], false);
        if (l->dead)
            return truth(l, false);
    }
    Span span = n ? node->kid[0]->span : node->span;
    switch (node->op) {
    case S3_LOCTYPE: return place_type(l, need_cell(l, arg[0], span));
    case S3_ELTYPE: return value_string(SP_WORD, ask(l, S3_ELTYPE, need_element(l, arg[0], span)));
    case S3_STATE:
    case S3_OWNER: return value_int(ask(l, node->op, need_element(l, arg[0], span)));
    case S3_LOCATION: return value_string(SP_CELL, x_where(l, need_element(l, arg[0], span)));
    case S3_CONTENT: return value_string(SP_ELEMENT, x_elem(l, need_cell(l, arg[0], span)));
    case S3_EMPTY: return value_bool(is_free(l, need_cell(l, arg[0], span)));
    case S3_INDEX: return index_of(l, arg[0], 1, span);
    case S3_INDEXA: {
        int64_t at;
        X *which = need_int(l, arg[0], span);
        if (!x_known(which, &at)) {
            lower_error(l, span, "INDEXA needs a number that is known before the game");
            return value_int(which);
        }
        return index_of(l, arg[1], at > 0 && at < 17 ? (int)at : 0, node->kid[1]->span);
    }
    case S3_UNINDEX: return base_of(l, arg[0], span);
    case S3_PLAYER: return flow_narrowed(l, value_int(l->player));
    case S3_SCORE: return score_of(l, node, need_int(l, arg[0], span));
    case S3_ZINDEX: return depth_of(l, node, need_element(l, arg[0], span));
    case S3_MOVE: return move(l, node, arg);
    case S3_SETOWNER:
    case S3_SETSTATE: return set_look(l, node, arg);
    case S3_SETZINDEX: return set_depth(l, node, arg);
    case S3_NEXTPLAYER: return next_player(l, node);
    default: return truth(l, false);
    }
}
