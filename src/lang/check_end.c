// check_end: how a game ends, how moves are written, and other ways to type them.

#include "lang/checker.h"

// --- end, when stuck, when all stuck ---

// most EXPR wins: `it` is each player in turn.
static bool check_most(Checker *c, const Node *node, IrRule *rule) {
    Local *mark = c->locals;
    rule->outcome = node->number ? OUT_LEAST : OUT_MOST;
    Local *it = names_push(c, "it", (Span){0}, type_plain(TY_PLAYER), 0, c->g->players - 1);
    rule->slot = it->slot;
    rule->score = check_number(c, node->kids[0]);
    c->locals = mark;
    if (rule->score && !it->used)
        check_warn(c, node->kids[0]->span, "this is the same for all players: use `it`");
    return rule->score != NULL;
}

static bool check_outcome(Checker *c, const Node *node, IrRule *rule) {
    switch (node->kind) {
    case N_DRAW: rule->outcome = OUT_DRAW; return true;
    case N_PASS:
        rule->outcome = OUT_PASS;
        if (c->g->players == 1) {
            diag_error(c->diags, node->span, "there is nobody to pass to");
            diag_help(c->diags, "alone, a player who cannot move has lost (`me loses`) or won");
            return false;
        }
        if (!rule->why)
            return true;
        diag_error(c->diags, node->span, "a text says why the game is over; passing goes on");
        diag_help(c->diags, "leave the text out");
        return false;
    case N_MOST: return check_most(c, node, rule);
    default:
        rule->outcome = node->number ? OUT_LOSES : OUT_WINS;
        rule->player = check_typed(c, node->kids[0], type_plain(TY_PLAYER));
        return rule->player != NULL;
    }
}

static bool check_repeated(Checker *c, const Node *rule) {
    int64_t n;
    const Node *times = rule->kids[1]->kids[0];
    if (rule->kids[0]->kind != N_DRAW) {
        diag_error(c->diags, rule->kids[0]->span, "a repeated position can only be a draw");
        diag_help(c->diags, "write `draw when repeated 3`");
        return false;
    }
    if (!check_constant(c, times, &n))
        return false;
    if (n < 2 || n > 100) {
        diag_error(c->diags, times->span, "a position can be repeated 2..100 times, not %d",
                   (int)n);
        return false;
    }
    c->g->repeated = (int)n;
    c->g->repeated_why = rule->extra;
    return true;
}

// The condition that the quiet clock has reached N.
static IrExpr *check_without(Checker *c, const Node *node) {
    int64_t n;
    if (!check_constant(c, node->kids[0], &n))
        return NULL;
    IrExpr *clock = expr_new(c, IR_VAR, type_plain(TY_INT), node);
    clock->id = c->quiet_var;
    clock->hi = c->quiet_limit;
    IrExpr *limit = expr_const(c, type_plain(TY_INT), n, node);
    return expr_binary(c, IR_LE, type_plain(TY_BOOL), node, limit, expr_done(c, clock));
}

static bool check_rule(Checker *c, IrRules *rules, const Node *node) {
    const Node *cond = node->count > 1 ? node->kids[1] : NULL;
    IrRule rule = {
        .span = node->span, .text = ast_text(c->source, node, c->arena), .why = node->extra};
    if (cond && cond->kind == N_REPEATED)
        return check_repeated(c, node);
    if (!check_outcome(c, node->kids[0], &rule))
        return false;
    if (cond) {
        rule.cond = cond->kind == N_WITHOUT ? check_without(c, cond) : check_cond(c, cond);
        if (!rule.cond)
            return false;
        int64_t v;
        if (expr_is_constant(rule.cond, &v) && !rule.cond->bound)
            check_warn(c, cond->span, "this is always %s", v ? "true" : "false");
    }
    rules->rule[rules->count++] = rule;
    return true;
}

static void check_rules(Checker *c, IrRules *rules, const Node *section) {
    c->frame = &rules->frame;
    c->locals = NULL;
    if (section)
        rules->rule = ARENA_ARRAY(c->arena, IrRule, section->count + 1);
    for (int i = 0; section && i < section->count; i++) {
        if (rules->count && !rules->rule[rules->count - 1].cond)
            check_warn(c, section->kids[i]->span,
                       "this is never reached: the line before always holds");
        check_rule(c, rules, section->kids[i]);
    }
}

static const Node *stuck_section(Checker *c, bool all) {
    for (int i = 0; i < c->file->count; i++)
        if (c->file->kids[i]->kind == N_STUCK && (c->file->kids[i]->number != 0) == all)
            return c->file->kids[i];
    return NULL;
}

static void report_pass(Checker *c, Span span, const char *message) {
    diag_error(c->diags, span, "%s", message);
    diag_help(c->diags, "say how the game ends here: `draw`, or who wins or loses");
}

bool check_end(Checker *c) {
    const Node *end = check_find_item(c, N_END), *stuck = stuck_section(c, false);
    c->place = AT_END;
    if (!end && !stuck) {
        const Node *turn = check_find_item(c, N_TURN);
        diag_error(c->diags, turn ? turn->span : (Span){1, 1, 1}, "nothing ends this game");
        diag_help(c->diags, "add `end` with a line such as `me wins when …`, or `when stuck`");
        return false;
    }
    check_rules(c, &c->g->end, end);
    check_rules(c, &c->g->stuck, stuck);
    check_rules(c, &c->g->all_stuck, stuck_section(c, true));
    for (int i = 0; i < c->g->end.count; i++)
        if (c->g->end.rule[i].outcome == OUT_PASS)
            report_pass(c, c->g->end.rule[i].span, "`pass` belongs under `when stuck`");
    for (int i = 0; i < c->g->all_stuck.count; i++)
        if (c->g->all_stuck.rule[i].outcome == OUT_PASS)
            report_pass(c, c->g->all_stuck.rule[i].span,
                        "nobody can move: passing would never end");
    return !c->diags->errors;
}

// --- notation ---

static void no_such_choice(Checker *c, const char *word, Span span) {
    const char **names;
    int n = names_choices(c, &names);
    diag_error(c->diags, span, "no choice is called `%s`", word);
    const char *near = text_nearest(word, names, n);
    if (near)
        diag_help(c->diags, "did you mean `%s`?", near);
    else if (n)
        diag_help(c->diags, "the choices of the turn are %s", names_list(c, names, n));
}

bool check_notation(Checker *c) {
    const Node *section = check_find_item(c, N_NOTATION);
    for (int i = 0; section && i < section->count; i++) {
        const Node *f = section->kids[i];
        const char *text = f->kids[0]->word, *hole = strstr(text, "{}");
        if (!hole || strstr(hole + 2, "{}")) {
            diag_error(c->diags, f->kids[0]->span, "a notation has `{}` once, for the choice");
            diag_help(c->diags, "for example \"x{}\"");
            continue;
        }
        bool found = false;
        for (int k = 0; k < c->g->sites; k++) {
            IrSite *s = &c->g->site[k];
            if (strcmp(s->name, f->word) != 0)
                continue;
            found = true;
            s->before = arena_text(c->arena, text, (size_t)(hole - text));
            s->after = hole + 2;
        }
        if (!found) {
            no_such_choice(c, f->word, f->extra_span);
        }
    }
    return !c->diags->errors;
}

// --- input ---

static bool check_read_value(Checker *c, const IrExpr *e, const Node *node) {
    IrTypeKind k = e->type.kind;
    if (k != TY_SET && k != TY_MASK && k != TY_NONE && k != TY_LINES)
        return true;
    diag_error(c->diags, node->span, "a word stands for a single value; this is %s",
               ir_type_name(c->g, e->type));
    return false;
}

static bool check_read(Checker *c, const Node *node, struct IrInputStep *step) {
    IrInputRead *r = ARENA_NEW(c->arena, IrInputRead);
    *r = (IrInputRead){.name = node->word,
                       .letter = node->number != 0,
                       .message = node->extra,
                       .span = node->span};
    const Node *domain = node->count ? node->kids[0] : NULL;
    IrType type = type_plain(TY_INT);
    int32_t lo = 1, hi = 26;
    if (domain && domain->kind == N_LIST) {
        r->word_count = domain->count;
        r->words = ARENA_ARRAY(c->arena, const char *, domain->count);
        r->values = ARENA_ARRAY(c->arena, IrExpr *, domain->count);
        for (int i = 0; i < domain->count; i++) {
            const Node *w = domain->kids[i];
            IrExpr *e = i ? check_typed(c, w->kids[0], type) : check_expr(c, w->kids[0]);
            if (!e || !check_read_value(c, e, w->kids[0]))
                return false;
            r->words[i] = w->word;
            r->values[i] = e;
            bool optional = i && type.optional;
            type = e->type;
            type.optional |= optional;
            lo = !i || e->lo < lo ? e->lo : lo;
            hi = !i || e->hi > hi ? e->hi : hi;
        }
    } else if (domain) {
        if (domain->kind != N_RANGE) {
            diag_error(c->diags, domain->span, "`read` takes a range or a list of words");
            diag_help(c->diags, "`read n in 1 .. 8 \"…\"` or `read way in UP = n, DOWN = s \"…\"`");
            return false;
        }
        r->low = check_number(c, domain->kids[0]);
        r->high = check_number(c, domain->kids[1]);
        if (!r->low || !r->high)
            return false;
        lo = r->low->lo;
        hi = r->high->hi;
    }
    r->slot = names_push(c, node->word, node->extra_span, type, lo, hi < lo ? lo : hi)->slot;
    step->read = r;
    return true;
}

static bool check_answer(Checker *c, const Node *node, IrInput *in) {
    in->answer = ARENA_ARRAY(c->arena, struct IrInputAnswer, node->count);
    for (int i = 0; i < node->count; i++) {
        const Node *a = node->kids[i];
        const IrSite *site = NULL;
        for (int k = 0; k < c->g->sites && !site; k++)
            if (!strcmp(c->g->site[k].name, a->word))
                site = &c->g->site[k];
        if (!site) {
            no_such_choice(c, a->word, names_word(a));
            return false;
        }
        IrExpr *e = check_typed(c, a->kids[0], site->type);
        if (!e)
            return false;
        in->answer[in->answers++] = (struct IrInputAnswer){a->word, e};
    }
    return true;
}

static bool check_input_step(Checker *c, const Node *node, IrInput *in) {
    struct IrInputStep *step = &in->step[in->steps];
    if (in->answer) {
        diag_error(c->diags, node->span, "nothing can follow the `answer`");
        return false;
    }
    switch (node->kind) {
    case N_READ:
        if (!check_read(c, node, step))
            return false;
        in->reads++;
        in->steps++;
        return true;
    case N_REQUIRE:
        step->check = check_cond(c, node->kids[0]);
        step->message = node->word ? node->word
                                   : arena_printf(c->arena, "`%s` does not hold",
                                                  ast_text(c->source, node->kids[0], c->arena));
        in->steps += step->check != NULL;
        return step->check != NULL;
    case N_LET: {
        step->value = check_expr(c, node->kids[0]);
        if (!step->value)
            return false;
        if (ir_is_set(step->value->type) || step->value->type.kind == TY_NONE) {
            diag_error(c->diags, node->kids[0]->span, "only single values can be named here");
            return false;
        }
        const IrExpr *e = step->value;
        step->slot = names_push(c, node->word, node->extra_span, e->type, e->lo, e->hi)->slot;
        in->steps++;
        return true;
    }
    case N_ANSWER: return check_answer(c, node, in);
    default:
        diag_error(c->diags, node->span, "`input` has `read`, `let`, `require` and `answer` only");
        return false;
    }
}

bool check_input(Checker *c) {
    const Node *section = check_find_item(c, N_INPUT);
    if (!section)
        return true;
    const Node *block = section->kids[0];
    IrInput *in = ARENA_NEW(c->arena, IrInput);
    in->step = ARENA_ARRAY(c->arena, struct IrInputStep, block->count + 1);
    c->place = AT_INPUT;
    c->frame = &in->frame;
    c->locals = NULL;
    bool ok = true;
    for (int i = 0; i < block->count; i++)
        ok &= check_input_step(c, block->kids[i], in);
    names_pop(c, NULL);
    if (ok && (!in->reads || !in->answers)) {
        diag_error(c->diags, section->span, "`input` needs a `read` and an `answer`");
        return false;
    }
    c->g->input = in;
    return ok;
}
