// Following an expression: its value, and its effects as statements. See lower.h.

#include "s3/lower.h"

// Calls inside one another; beyond it a function becomes a procedure, or the file is refused.
#define MOST_CALLS 40
#define MOST_DEPTH 2000
#define LOST_SET "a set that is built in so long a loop, or in a call of itself, cannot be read"

Value value_int(X *x) {
    return (Value){.kind = V_INT, .x = x};
}
Value value_bool(X *x) {
    return (Value){.kind = V_BOOL, .x = x};
}
Value value_string(Space space, X *x) {
    return (Value){.kind = V_STRING, .space = space, .x = x};
}

static const char *kind_name(ValueKind k) {
    switch (k) {
    case V_INT: return "a number";
    case V_BOOL: return "true or false";
    case V_STRING: return "a text";
    case V_SET:
    case V_LOST: return "a set";
    default: return "a value";
    }
}

// Some value of that kind, behind an error.
static Value any_value(Lower *l, ValueKind kind) {
    switch (kind) {
    case V_INT: return value_int(x_int(l, 0));
    case V_STRING: return value_string(SP_WORD, x_int(l, 0));
    case V_SET: return (Value){.kind = V_SET};
    default: return value_bool(x_bool(l, false));
    }
}

// --- kinds ---

// Whether a value is of a kind, and then which.
static X *part_of(Lower *l, Value v, ValueKind kind, Value *part, bool *any) {
    if (v.kind != V_EITHER) {
        if (v.kind == kind) {
            *part = v;
            *any = true;
        }
        return x_bool(l, v.kind == kind);
    }
    Value a, b;
    bool has_a = false, has_b = false;
    X *in_a = part_of(l, *v.a, kind, &a, &has_a), *in_b = part_of(l, *v.b, kind, &b, &has_b);
    if (has_a && has_b)
        *part = value_merge(l, v.x, a, b);
    else if (has_a || has_b)
        *part = has_a ? a : b;
    *any = has_a || has_b;
    return x_cond(l, v.x, in_a, in_b);
}

Value need_kind(Lower *l, Value v, ValueKind kind, Span span) {
    Value part = any_value(l, kind);
    bool any = false;
    X *fits = part_of(l, v, kind, &part, &any);
    if (!any && v.kind == V_UNBOUND)
        flow_fail(l, span, "a variable has no value yet");
    else if (!any && v.kind == V_LOST && kind == V_SET)
        flow_fail(l, span, LOST_SET);
    else
        flow_fail_if(l, x_not(l, fits), span, "this must be %s", kind_name(kind));
    return part;
}

X *need_int(Lower *l, Value v, Span span) {
    return need_kind(l, v, V_INT, span).x;
}
X *need_bool(Lower *l, Value v, Span span) {
    return need_kind(l, v, V_BOOL, span).x;
}

// What is left of alternatives once it has a value.
static Value without_unbound(Lower *l, Value v) {
    if (v.kind != V_EITHER)
        return v;
    Value a = without_unbound(l, *v.a), b = without_unbound(l, *v.b);
    if (a.kind == V_UNBOUND)
        return b;
    return b.kind == V_UNBOUND ? a : value_merge(l, v.x, a, b);
}

static Value bound(Lower *l, Value v, const char *name, Span span) {
    v = flow_narrowed(l, v);
    if (v.kind == V_UNBOUND) {
        flow_fail(l, span, "$%s has no value yet", name);
        return any_value(l, V_INT);
    }
    if (v.kind != V_EITHER)
        return v;
    Value none = v;
    bool any = false;
    X *unbound = part_of(l, v, V_UNBOUND, &none, &any);
    if (!any)
        return v;
    flow_fail_if(l, unbound, span, "$%s has no value yet", name);
    return without_unbound(l, v);
}

// --- texts ---

static X *through_words(Lower *l, X *x, Space from, Space to) {
    int n = x->hi - x->lo + 1;
    int32_t *tab = ARENA_ARRAY(l->arena, int32_t, n > 0 ? n : 1);
    for (int i = 0; i < n; i++) {
        int v = x->lo + i, word = v;
        if (from == SP_ELEMENT)
            word = v <= l->f->elements ? word_element(l, v) : 0;
        else if (from == SP_CELL)
            word = word_cell(l, v);
        const Word *w = l->word[word < l->words ? word : 1];
        tab[i] = to == SP_WORD   ? w->number
                 : to == SP_CELL ? (w->cell < 0 ? l->f->locations : w->cell)
                                 : w->element + 1;
    }
    return x_map(l, x, to == SP_CELL ? T_CELL : T_INT, tab);
}

X *string_as(Lower *l, Value v, Space space) {
    if (v.space == SP_TEXT)
        return x_name(l, v.shape, space, v.index);
    return v.space == space ? v.x : through_words(l, v.x, v.space, space);
}

X *need_cell(Lower *l, Value v, Span span) {
    return string_as(l, need_kind(l, v, V_STRING, span), SP_CELL);
}
X *need_element(Lower *l, Value v, Span span) {
    return string_as(l, need_kind(l, v, V_STRING, span), SP_ELEMENT);
}

static Value text_value(Lower *l, const S3Node *node) {
    const Shape *shape = word_shape(l, node);
    if (!shape->indices)
        return value_string(SP_WORD, x_int(l, word_of(l, shape->text[0])));
    const char *var[16];
    int n = word_variables(node, var);
    if (n != shape->indices) {
        lower_error(l, node->span, "a text has more than %d variables", n);
        return any_value(l, V_STRING);
    }
    Value v = {.kind = V_STRING, .space = SP_TEXT, .shape = shape};
    v.index = ARENA_ARRAY(l->arena, X *, n + 1);
    for (int i = 0; i < n; i++)
        v.index[i] =
            need_int(l, bound(l, l->env[word_var(l, var[i])], var[i], node->span), node->span);
    return v;
}

static X *equal_strings(Lower *l, Value a, Value b) {
    if (a.space == SP_TEXT && b.space == SP_TEXT && a.shape == b.shape) {
        X *x = x_bool(l, true);
        for (int i = 0; i < a.shape->indices; i++)
            x = x_both(l, x, x_compare(l, X_EQ, a.index[i], b.index[i]));
        return x;
    }
    Space space = a.space == b.space && a.space != SP_TEXT ? a.space : SP_WORD;
    return x_compare(l, X_EQ, string_as(l, a, space), string_as(l, b, space));
}

X *value_equal(Lower *l, Value a, Value b, Span span) {
    if (a.kind == V_EITHER)
        return x_cond(l, a.x, value_equal(l, *a.a, b, span), value_equal(l, *a.b, b, span));
    if (b.kind == V_EITHER)
        return x_cond(l, b.x, value_equal(l, a, *b.a, span), value_equal(l, a, *b.b, span));
    if (a.kind != b.kind)
        return x_bool(l, false);
    switch (a.kind) {
    case V_INT: return x_compare(l, X_EQ, a.x, b.x);
    case V_BOOL: return x_cond(l, a.x, b.x, x_not(l, b.x));
    case V_STRING: return equal_strings(l, a, b);
    default: return set_equal(l, a, b, span);
    }
}

// --- operators ---

static Value logic(Lower *l, const S3Node *node, bool holds) {
    bool and = node->op == S3_AND;
    const S3Node *left = node->kid[0], *right = node->kid[1];
    if (holds && and) {
        follow(l, left, true);
        return follow(l, right, true);
    }
    Value *before = holds ? env_copy(l) : NULL;
    X *a = flow_known(l, need_bool(l, follow(l, left, false), left->span));
    if (l->dead)
        return any_value(l, V_BOOL);
    if (a->op == X_CONST && (a->value != 0) != and)
        return value_bool(a);
    if (a->op == X_CONST)
        return value_bool(need_bool(l, follow(l, right, holds), right->span));
    Fork k;
    flow_fork(l, &k, a, kinds_changes(l, right));
    for (int i = 0; i < 2; i++) {
        flow_enter(l, &k, i);
        Value v = value_bool(x_bool(l, !and));
        if ((i == 0) == and) {
            v = value_bool(need_bool(l, follow(l, right, holds), right->span));
        } else if (holds) {
            l->env = before; // the left side, known to hold
            l->env = env_copy(l);
            follow(l, left, true);
        }
        flow_leave(l, &k, i, v);
    }
    return flow_join(l, &k);
}

static Value arithmetic(Lower *l, const S3Node *node, Value left, Value right) {
    X *a = need_int(l, left, node->kid[0]->span), *b = need_int(l, right, node->kid[1]->span);
    switch (node->op) {
    case S3_ADD: return value_int(x_add(l, a, b, 1));
    case S3_SUB: return value_int(x_add(l, a, b, -1));
    case S3_MUL: return value_int(x_arith(l, X_MUL, a, b));
    case S3_LT: return value_bool(x_compare(l, X_LT, a, b));
    case S3_GT: return value_bool(x_compare(l, X_LT, b, a));
    case S3_LE: return value_bool(x_not(l, x_compare(l, X_LT, b, a)));
    case S3_GE: return value_bool(x_not(l, x_compare(l, X_LT, a, b)));
    default: break;
    }
    flow_fail_if(l, x_compare(l, X_EQ, b, x_int(l, 0)), node->span, "division by zero");
    if (b->lo <= 0 && b->hi >= 0) // behind the check, whatever reads the text
        b = x_cond(l, x_compare(l, X_EQ, b, x_int(l, 0)), x_int(l, 1), b);
    return value_int(x_arith(l, node->op == S3_DIV ? X_DIV : X_MOD, a, b));
}

static Value assign(Lower *l, const S3Node *node) {
    const S3Node *target = node->kid[0];
    if (target->kind != S3_VAR) {
        flow_fail(l, target->span, "only a variable can stand on the left of =");
        return any_value(l, V_BOOL);
    }
    Value v = follow(l, node->kid[1], false);
    l->env[word_var(l, target->name)] = v;
    return value_bool(x_bool(l, true));
}

static void refuse_lost(Lower *l, Value v, Span span) {
    Value part = v;
    bool any = false;
    X *lost = part_of(l, v, V_LOST, &part, &any);
    flow_fail_if(l, lost, span, LOST_SET);
}

static Value binary(Lower *l, const S3Node *node, bool holds) {
    if (node->op == S3_ASSIGN)
        return assign(l, node);
    if (node->op == S3_AND || node->op == S3_OR)
        return logic(l, node, holds);
    Value a = follow(l, node->kid[0], false);
    unsigned changes = kinds_changes(l, node->kid[1]);
    if (changes)
        a = flow_frozen(l, a, changes);
    Value b = follow(l, node->kid[1], false);
    refuse_lost(l, a, node->kid[0]->span);
    refuse_lost(l, b, node->kid[1]->span);
    if (l->dead)
        return any_value(l, V_BOOL);
    switch (node->op) {
    case S3_EQ: return value_bool(value_equal(l, a, b, node->span));
    case S3_NE: return value_bool(x_not(l, value_equal(l, a, b, node->span)));
    case S3_IN:
    case S3_SUBSET:
    case S3_SETMINUS:
    case S3_UNION:
    case S3_INTERSECT: return set_binary(l, node, a, b);
    default: return arithmetic(l, node, a, b);
    }
}

static Value unary(Lower *l, const S3Node *node) {
    Value v = follow(l, node->kid[0], false);
    Span span = node->kid[0]->span;
    if (node->op == S3_NOT)
        return value_bool(x_not(l, need_bool(l, v, span)));
    X *x = need_int(l, v, span);
    if (node->op == S3_ABS)
        return value_int(x_arith(l, X_ABS, x, NULL));
    return value_int(x_add(l, x_int(l, 0), x, -1));
}

// --- named expressions ---

// Lines from `at` on: the first that is false ends it.
static Value lines_from(Lower *l, const S3Function *f, int at, bool holds) {
    if (at == f->lines - 1)
        return follow(l, f->line[at], holds);
    Value v = follow(l, f->line[at], holds);
    if (l->dead)
        return any_value(l, V_BOOL);
    Value part = v;
    bool any = false;
    X *is_bool = part_of(l, v, V_BOOL, &part, &any);
    X *goes_on = any ? x_either(l, x_not(l, is_bool), part.x) : x_bool(l, true);
    goes_on = flow_known(l, goes_on);
    if (x_is(goes_on, 0))
        return value_bool(goes_on);
    if (goes_on->op == X_CONST || holds) {
        if (holds)
            flow_assume(l, goes_on, true);
        return lines_from(l, f, at + 1, holds);
    }
    unsigned changes = 0;
    for (int i = at + 1; i < f->lines; i++)
        changes |= kinds_changes(l, f->line[i]);
    Fork k;
    flow_fork(l, &k, goes_on, changes);
    flow_enter(l, &k, 0);
    flow_leave(l, &k, 0, lines_from(l, f, at + 1, false));
    flow_enter(l, &k, 1);
    flow_leave(l, &k, 1, value_bool(x_bool(l, false)));
    return flow_join(l, &k);
}

Value follow_lines(Lower *l, const S3Function *f) {
    return lines_from(l, f, 0, false);
}

static bool arity_fits(Lower *l, const S3Node *node) {
    if (node->function < 0) {
        flow_fail(l, node->span, "there is no expression `%s`", node->name);
        return false;
    }
    const S3Function *f = &l->f->function[node->function];
    if (node->kids == f->params)
        return true;
    flow_fail(l, node->span, "`%s` takes %d arguments, not %d", f->name, f->params, node->kids);
    return false;
}

static Value run(Lower *l, const S3Node *node, bool holds) {
    const S3Function *f = &l->f->function[node->function];
    if (!f->lines) {
        flow_fail(l, node->span, "`%s` has no lines", f->name);
        return any_value(l, V_BOOL);
    }
    int *depth = &l->calls[node->function];
    if (l->as_proc[node->function])
        return proc_call(l, node);
    if (l->too_large || l->broken || *depth > MOST_CALLS || l->depth > MOST_DEPTH) {
        // It does not end of itself: from the next attempt on it is a procedure.
        l->as_proc[node->function] = true;
        l->again = true;
        l->too_large = true;
        return any_value(l, V_BOOL);
    }
    ++*depth;
    l->depth++;
    Value v = lines_from(l, f, 0, holds);
    l->depth--;
    --*depth;
    return v;
}

Value follow_call(Lower *l, const S3Node *node, bool holds) {
    if (!arity_fits(l, node))
        return any_value(l, V_BOOL);
    const S3Function *f = &l->f->function[node->function];
    for (int i = 0; i < node->kids && !l->dead; i++) {
        Value v = follow(l, node->kid[i], false); // first: it may replace l->env
        l->env[word_var(l, f->param[i])] = v;
    }
    return l->dead ? any_value(l, V_BOOL) : run(l, node, holds);
}

Value follow_action(Lower *l, const S3Node *call, const Item *args) {
    if (!arity_fits(l, call))
        return any_value(l, V_BOOL);
    const S3Function *f = &l->f->function[call->function];
    for (int i = 0; i < call->kids; i++)
        l->env[word_var(l, f->param[i])] = args[i].value;
    return run(l, call, false);
}

// --- everything ---

Value follow(Lower *l, const S3Node *node, bool holds) {
    if (l->dead || l->too_large || l->broken)
        return any_value(l, V_BOOL);
    Span at = l->at;
    l->at = node->span;
    if (++l->depth > MOST_DEPTH)
        l->too_large = true;
    Value v = any_value(l, V_BOOL);
    switch (node->kind) {
    case S3_INT: v = value_int(x_int(l, node->value)); break;
    case S3_BOOL: v = value_bool(x_bool(l, node->value)); break;
    case S3_STRING: v = text_value(l, node); break;
    case S3_VAR: v = bound(l, l->env[word_var(l, node->name)], node->name, node->span); break;
    case S3_SET:
    case S3_LAZY: v = set_literal(l, node); break;
    case S3_UNARY: v = unary(l, node); break;
    case S3_BINARY: v = binary(l, node, holds); break;
    case S3_CALL: v = follow_call(l, node, holds); break;
    case S3_BUILT: v = follow_built(l, node, holds); break;
    }
    l->depth--;
    l->at = at;
    return v;
}

X *follow_true(Lower *l, const S3Node *node) {
    Value v = follow(l, node, false), part = v;
    bool any = false;
    if (l->dead)
        return x_bool(l, false);
    X *is = part_of(l, v, V_BOOL, &part, &any);
    if (!any)
        lower_warn(l, node->span, "this is %s, which never holds", kind_name(v.kind));
    return any ? flow_known(l, x_both(l, is, part.x)) : x_bool(l, false);
}
