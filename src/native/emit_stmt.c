// Statements in order, without going back to a choice: turns that are played, and the parts of
// turns between choices. Also the rules for the end.
#include "native/emitter.h"

// A slot of the turn becomes a variable of the function that plays it.
static void use_slot(Emitter *em, int slot) {
    if (em->stream == EMIT_APPLY)
        em->declared[slot] = true;
}

static bool stored_whole(const IrVar *v) {
    return v->type.kind == TY_SET || v->type.kind == TY_MASK || v->type.kind == TY_BOOL;
}

static const char *field_type(const IrVar *v) {
    if (v->type.kind == TY_SET)
        return "";
    switch (v->width) {
    case 1: return v->lo < 0 ? "(int8_t)" : "(uint8_t)";
    case 2: return v->lo < 0 ? "(int16_t)" : "(uint16_t)";
    case 4: return "(int32_t)";
    default: return "";
    }
}

static void check_range(Emitter *em, const IrVar *v, const IrExpr *e, const char *value) {
    int64_t lo = v->lo, hi = v->hi;
    if (v->type.kind != TY_INT) {
        lo = 0;
        hi = emit_none(em, v->type) - !v->type.optional;
    }
    const char *low = e->lo < lo ? emit_f(em, "%s < %lld", value, (long long)lo) : "";
    const char *high = e->hi > hi ? emit_f(em, "%s > %lld", value, (long long)hi) : "";
    if (*low || *high)
        emit_line(em, "if (%s%s%s) return FAULT_RANGE;", low, *low && *high ? " || " : "", high);
}

static void assign(Emitter *em, EmitFrame *f, const IrStmt *s) {
    const IrVar *v = &em->g->var[s->id];
    const IrExpr *e = s->e[0], *index = v->indexed ? s->e[1] : NULL;
    const char *value = emit_expr(em, f, e);
    const char *field = emit_f(em, "%s->%s", em->s, emit_var_field(em, s->id));
    bool ranged = !stored_whole(v);
    if (ranged)
        value = emit_temp(em, "int", value);
    if (!index) {
        if (ranged)
            check_range(em, v, e, value);
        emit_line(em, "%s = %s%s;", field, field_type(v), value);
        return;
    }
    const char *at = emit_temp(em, "int", emit_expr(em, f, index));
    if (index->type.optional)
        emit_open(em, "if (%s != %d)", at, emit_none(em, index->type));
    if (ranged)
        check_range(em, v, e, value);
    const char *place = v->index_base ? emit_f(em, "%s - (%d)", at, v->index_base) : at;
    if (index->lo < v->index_base || index->hi >= v->index_base + v->count)
        emit_line(em, "if ((unsigned)(%s) >= %d) return FAULT_INDEX;", place, v->count);
    emit_line(em, "%s[%s] = %s%s;", field, place, field_type(v), value);
    if (index->type.optional)
        emit_close(em);
}

// --- choices of a move that is given ---

static void read_choice(Emitter *em, EmitFrame *f, const IrStmt *s, EmitLive after) {
    const IrSite *site = &em->g->site[s->id];
    int slot = s->domain->slot;
    const char *value = emit_f(em, "move_take(&m, %d)", site->bits);
    if (site->lo)
        value = emit_f(em, "%s + (%d)", value, site->lo);
    emit_comment(em, emit_f(em, "choose %s in ", site->name), f->ir, s->domain->a);
    if (after.slots & emit_bit(slot)) {
        unsigned facts = s->domain->kind == DOM_SET ? emit_facts(em, f, s->domain->a) : 0;
        use_slot(em, slot);
        emit_line(em, "%s = %s;", f->local[slot].text, value);
        f->local[slot].facts = facts;
    } else {
        emit_line(em, "%s;", value);
    }
}

static void read_either(Emitter *em, EmitFrame *f, const IrStmt *s, EmitLive after) {
    emit_open(em, "switch (move_take(&m, %d))", em->g->site[s->id].bits);
    int n = 0;
    for (const IrStmt *b = s->body; b; b = b->sibling, n++) {
        emit_open(em, b->sibling ? "case %d:" : "default: /* %d */", n);
        emit_block(em, f, b->body, after);
        emit_line(em, "break;");
        emit_close(em);
        emit_forget(f);
    }
    emit_close(em);
}

static void one_statement(Emitter *em, EmitFrame *f, const IrStmt *s, EmitLive after);

// --- control ---

typedef struct Inside {
    const IrStmt *s;
    EmitLive after;
} Inside;

static void body_of(Emitter *em, EmitFrame *f, void *context) {
    const Inside *in = context;
    int slot = in->s->domain->slot;
    EmitLocal kept = f->local[slot];
    emit_block(em, f, in->s->body, in->after);
    f->local[slot] = kept;
}

static void for_loop(Emitter *em, EmitFrame *f, const IrStmt *s, EmitLive after) {
    Inside in = {s, emit_loop_live(em, s, after)};
    emit_forget(f);
    if (s->domain->kind == DOM_MASK && s->domain->where) {
        // The members are fixed when the loop begins.
        const char *left = emit_temp(em, "uint64_t", emit_members(em, f, s->domain));
        EmitLocal kept = f->local[s->domain->slot];
        const char *member = emit_each_member(em, false, left, NULL, NULL);
        f->local[s->domain->slot] = (EmitLocal){.kind = BIND_TEXT, .text = member};
        body_of(em, f, &in);
        emit_close(em);
        f->local[s->domain->slot] = kept;
    } else {
        emit_each(em, f, s->domain, NULL, body_of, &in);
    }
    emit_forget(f);
}

static void while_loop(Emitter *em, EmitFrame *f, const IrStmt *s, EmitLive after) {
    const char *round = emit_new(em);
    emit_forget(f);
    emit_open(em, "for (int %s = 0; %s < %d; %s++)", round, round, s->id, round);
    emit_line(em, "if (!%s) break;", emit_expr(em, f, s->e[0]));
    emit_block(em, f, s->body, emit_loop_live(em, s, after));
    emit_close(em);
    emit_forget(f);
}

static void if_else(Emitter *em, EmitFrame *f, const IrStmt *s, EmitLive after) {
    int slots = f->ir->slots;
    unsigned *facts = ARENA_ARRAY(em->arena, unsigned, slots + 1);
    const char *cond = emit_expr(em, f, s->e[0]);
    if (em->stream == EMIT_APPLY && s == em->split && !em->splits_differ)
        cond = emit_f(em, "hint < 0 ? %s : hint", cond);
    emit_open(em, "if (%s)", cond);
    for (int n = 0; n < slots; n++)
        facts[n] = f->local[n].facts;
    emit_block(em, f, s->body, after);
    for (int n = 0; n < slots; n++) {
        unsigned kept = f->local[n].facts;
        f->local[n].facts = facts[n];
        facts[n] = kept;
    }
    if (s->other) {
        emit_else(em);
        emit_block(em, f, s->other, after);
    }
    emit_close(em);
    for (int n = 0; n < slots; n++)
        f->local[n].facts &= facts[n];
}

static void let(Emitter *em, EmitFrame *f, const IrStmt *s) {
    const char *value = emit_expr(em, f, s->e[0]);
    use_slot(em, s->id);
    emit_line(em, "%s = %s;", f->local[s->id].text, value);
    f->local[s->id].facts = 0;
}

static void call(Emitter *em, const IrStmt *s) {
    if (em->in_proc)
        emit_line(em, "TRY(proc_%d(%s, me, depth + 1, calls));", s->id, em->s);
    else if (em->stream != EMIT_APPLY) // who moves next is not asked while moves are found
        emit_line(em, "TRY(proc_%d(%s, me, 1, &(Calls){0}));", s->id, em->s);
    if (em->in_proc || em->stream != EMIT_APPLY)
        return;
    emit_line(em, "calls.n = 0;");
    emit_line(em, "TRY(proc_%d(%s, me, 1, &calls));", s->id, em->s);
}

void emit_statement(Emitter *em, EmitFrame *f, const IrStmt *s, EmitLive after) {
    if (emit_writes(s) || s->kind == ST_LET || s->kind == ST_FOR || s->kind == ST_WHILE)
        emit_forget_known(em);
    one_statement(em, f, s, after);
    if (emit_writes(s) || s->kind == ST_LET || s->kind == ST_FOR || s->kind == ST_WHILE)
        emit_forget_known(em);
}

static void one_statement(Emitter *em, EmitFrame *f, const IrStmt *s, EmitLive after) {
    switch (s->kind) {
    case ST_CHOOSE: read_choice(em, f, s, after); break;
    case ST_EITHER: read_either(em, f, s, after); break;
    case ST_IF: if_else(em, f, s, after); break;
    case ST_FOR: for_loop(em, f, s, after); break;
    case ST_WHILE: while_loop(em, f, s, after); break;
    case ST_LET: let(em, f, s); break;
    case ST_ASSIGN: assign(em, f, s); break;
    case ST_AGAIN: emit_line(em, "%s = 1;", em->again); break;
    case ST_NEXT: emit_line(em, "%s = 2 + %s;", em->again, emit_expr(em, f, s->e[0])); break;
    case ST_FAIL: emit_line(em, "return FAULT_RULES;"); break;
    case ST_CALL: call(em, s); break;
    case ST_BRANCH:
    case ST_REQUIRE: break; // a move that is played is legal
    default: emit_effect(em, f, s); break;
    }
}

void emit_block(Emitter *em, EmitFrame *f, const IrStmt *list, EmitLive after) {
    for (const IrStmt *s = list; s; s = s->next) {
        EmitLive live = emit_live_before(em, s->next, after);
        if (emit_matters(em, s, live))
            emit_statement(em, f, s, live);
    }
}

// --- playing a move ---

static EmitFrame *body_frame(Emitter *em, const IrFrame *frame) {
    EmitFrame *f = emit_frame(em, frame);
    for (int n = 0; n < frame->slots; n++)
        f->local[n] = (EmitLocal){.kind = BIND_TEXT, .text = emit_local_name(em, frame, n)};
    return f;
}

static void declarations(Emitter *em, const EmitFrame *f, Text *out) {
    for (int n = 0; n < f->ir->slots; n++)
        if (em->declared[n])
            text_f(out, "    %s %s = %s;\n", emit_type(f->ir->type[n]), f->local[n].text,
                   f->ir->type[n].kind == TY_SET ? "SET_EMPTY" : "0");
}

// Characters of text: a turn of a few statements.
#define SMALL 2400

static bool block_says(const IrStmt *s, IrStmtKind kind) {
    for (; s; s = s->kind == ST_BRANCH ? s->sibling : s->next)
        if (s->kind == kind || block_says(s->body, kind) || block_says(s->other, kind))
            return true;
    return false;
}

bool emit_says(const Emitter *em, IrStmtKind kind) {
    bool found = block_says(em->g->turn, kind);
    for (int n = 0; n < em->g->procs; n++)
        found = found || block_says(em->g->proc[n]->body, kind);
    return found;
}

static const char *before_turn(const Emitter *em) {
    return em->g->procs ? "    Calls calls = {0};\n" : "    int again = 0;\n";
}

static const char *after_turn(Emitter *em) {
    const char *named = "";
    if (emit_says(em, ST_NEXT))
        named = emit_f(em,
                       "    if ((unsigned)(%s - 2) < PLAYERS) s->player = (uint8_t)(%s - 2);\n"
                       "    else if (%s != 1)\n    ",
                       em->again, em->again, em->again);
    return emit_f(em,
                  "%s    %ss->player = (uint8_t)NEXT_PLAYER(me);\n"
                  "    return 0;\n}\n\n",
                  named, *named ? "" : emit_f(em, "if (!%s) ", em->again));
}

// Prints two functions: `turn` and what is in em->t, and `play`, the same with the result. Trees do
// without the result where they ask for the end themselves.
static void print_turn(Emitter *em, EmitFrame *f, const char *what, const char *params,
                       const char *args) {
    const char *rest = emit_f(em, "%s(State *const s, const int me%s)", what, params);
    const char *turn = emit_f(em, "static INLINE int turn%s", rest);
    const char *play = emit_f(em, "static INLINE int play%s", rest);
    text_f(em->protos, "%s;\n%s;\n", turn, play);
    text_f(em->bodies,
           "// A turn of `me`: a legal move, the next player.\n"
           "%s {\n%s",
           turn, before_turn(em));
    declarations(em, f, em->bodies);
    text_f(em->bodies, "%s%s", text_c(em->t), after_turn(em));
    text_f(em->bodies,
           "// The same, and the end.\n"
           "%s {\n"
           "    const int fault = turn%s(s, me%s);\n"
           "    if (fault) return fault;\n"
           "    s->result = (uint8_t)end_rules(s, me);\n"
           "    return 0;\n}\n\n",
           play, what, args);
}

// Prints another way to call both; `@` in the body is `turn` or `play`.
static void print_calls(Emitter *em, const char *params, const char *body) {
    const char *names[] = {"turn", "play"};
    for (int n = 0; n < 2; n++) {
        const char *head = emit_f(em, "static INLINE int %s%s", names[n], params);
        text_f(em->protos, "%s;\n", head);
        text_f(em->bodies, "%s {\n", head);
        for (const char *c = body; *c; c++)
            text_f(em->bodies, *c == '@' ? "%s" : "%.1s", *c == '@' ? names[n] : c);
        text_add(em->bodies, "}\n\n");
    }
}

// Only random games ask for the n-th, and they need the result.
static void print_play_nth(Emitter *em) {
    const char *head = "static INLINE int play_nth(State *const s, const int me, const Set x, "
                       "const int n)";
    text_f(em->protos, "%s;\n", head);
    text_f(em->bodies,
           em->one ? "%s {\n    const Set bit = word_nth_bit(x, n);\n"
                     "    return play_cell(s, me, CTZ(bit), bit);\n}\n\n"
                   : "%s {\n    return play_cell(s, me, set_nth(x, n));\n}\n\n",
           head);
}

// A turn that is one choice of a cell: played with the cell, and on small boards its set, too.
static void play_cell(Emitter *em, EmitFrame *f) {
    const IrStmt *choice = em->g->turn;
    const IrSite *site = &em->g->site[choice->id];
    EmitLocal *l = &f->local[choice->domain->slot];
    if (em->one)
        l->bit = emit_f(em, "%s_set", l->text);
    l->facts = emit_facts(em, f, choice->domain->a);
    emit_block(em, f, choice->next, emit_live_all());
    em->declared[choice->domain->slot] = false;
    print_turn(
        em, f, "_cell",
        emit_f(em, em->one ? ", const int %s, const Set %s" : ", const int %s", l->text, l->bit),
        emit_f(em, em->one ? ", %s, %s" : ", %s", l->text, l->bit));
    print_calls(em, "_first(State *const s, const int me, Set *const x)",
                em->one ? "    const Set bit = *x & (0 - *x);\n    *x &= *x - 1;\n"
                          "    return @_cell(s, me, CTZ(bit), bit);\n"
                        : "    return @_cell(s, me, set_pop(x));\n");
    print_play_nth(em);
    print_calls(em, "(State *const s, const int me, Packed m)",
                emit_f(em,
                       "    const int c = move_take(&m, %d) + (%d);\n"
                       "    return @_cell(s, me, c%s);\n",
                       site->bits, site->lo, em->one ? ", set_single(c)" : ""));
}

// A turn that is a pair of cells: played with the cells and their sets.
static void play_pair(Emitter *em, EmitFrame *f) {
    const IrStmt *choice = em->g->turn;
    const char *params = "", *names = "", *args = "", *take = "";
    for (int n = 0; n < 2; n++, choice = choice->next) {
        const IrSite *site = &em->g->site[choice->id];
        EmitLocal *l = &f->local[choice->domain->slot];
        l->bit = emit_f(em, "%s_set", l->text);
        l->facts = emit_facts(em, f, choice->domain->a);
        params = emit_f(em, "%s, const int %s, const Set %s", params, l->text, l->bit);
        names = emit_f(em, "%s, %s, %s", names, l->text, l->bit);
        take = emit_f(em, "%s    const int c%d = move_take(&m, %d) + (%d);\n", take, n, site->bits,
                      site->lo);
        args = emit_f(em, "%s, c%d, set_single(c%d)", args, n, n);
    }
    emit_block(em, f, choice, emit_live_all());
    em->declared[em->g->turn->domain->slot] = false;
    em->declared[em->g->turn->next->domain->slot] = false;
    print_turn(em, f, "_pair", params, names);
    print_calls(em, "(State *const s, const int me, Packed m)",
                emit_f(em, "%s    return @_pair(s, me%s);\n", take, args));
}

void emit_apply(Emitter *em) {
    const IrGame *g = em->g;
    em->stream = EMIT_APPLY;
    em->t = emit_text(em);
    em->indent = 1;
    em->temps = 0;
    em->knowns = em->known_base = 0;
    em->s = "s";
    em->own = true;
    em->declared = ARENA_ARRAY(em->arena, bool, g->turn_frame.slots + 1);
    em->again = g->procs ? "calls.again" : "again";
    EmitFrame *f = body_frame(em, &g->turn_frame);
    if (em->simple) {
        play_cell(em, f);
        return;
    }
    if (em->paired) {
        play_pair(em, f);
        em->small = em->t->n < SMALL;
        return;
    }
    emit_block(em, f, g->turn, emit_live_all());
    // `hint`: Sink.split
    print_turn(em, f, "_known", ", Packed m, const int hint", ", m, hint");
    print_calls(em, "(State *const s, const int me, Packed m)",
                "    return @_known(s, me, m, -1);\n");
    em->small = em->t->n < SMALL;
}

// --- procedures ---

static void print_proc(Emitter *em, int id) {
    const IrProc *proc = em->g->proc[id];
    em->t = emit_text(em);
    em->indent = 1;
    em->temps = 0;
    em->knowns = em->known_base = 0;
    em->declared = ARENA_ARRAY(em->arena, bool, proc->frame.slots + 1);
    EmitFrame *f = body_frame(em, &proc->frame);
    emit_block(em, f, proc->body, emit_live_all());
    const char *head = emit_f(em,
                              "static int proc_%d(State *const s, const int me, const int depth, "
                              "Calls *const calls)",
                              id);
    text_f(em->protos, "%s;\n", head);
    text_f(em->bodies,
           "// %s\n%s {\n"
           "    if (depth > %d || calls->n++ >= %d) return FAULT_RULES;\n",
           emit_word_line(em, proc->name), head, IR_MAX_CALLS, IR_MOST_CALLS);
    declarations(em, f, em->bodies);
    text_f(em->bodies, "%s    return 0;\n}\n\n", text_c(em->t));
}

void emit_procs(Emitter *em) {
    if (!em->g->procs)
        return;
    text_add(em->helpers,
             "// What procedures hand on: who moves next, and how many calls there were.\n"
             "typedef struct Calls {\n    int again, n;\n} Calls;\n\n");
    em->stream = EMIT_APPLY;
    em->s = "s";
    em->own = em->in_proc = true;
    em->again = "calls->again";
    for (int n = 0; n < em->g->procs; n++)
        print_proc(em, n);
    em->in_proc = false;
}

// --- outcomes ---

static void score_rule(Emitter *em, EmitFrame *f, const IrRule *rule) {
    bool least = rule->outcome == OUT_LEAST;
    emit_line(em, "int best = 0, leaders = 0;");
    for (int p = 0; p < em->g->players; p++) {
        f->local[rule->slot] = (EmitLocal){.kind = BIND_VALUE, .value = p};
        emit_scope(em);
        emit_line(em, "const int score = %s%s;", least ? "-" : "", emit_expr(em, f, rule->score));
        emit_line(em,
                  "leaders = !leaders || score > best ? %d : score == best ? leaders | %d "
                  ": leaders;",
                  1 << p, 1 << p);
        emit_line(em, "best = leaders == %d || score > best ? score : best;", 1 << p);
        emit_close(em);
    }
    emit_line(em, "return RESULT_OVER | ((leaders & (leaders - 1)) == 0 ? leaders : 0);");
}

// `over` makes the result: a macro, or a function that hides it from the compiler.
static void outcome(Emitter *em, EmitFrame *f, const IrRule *rule, const char *over) {
    int all = (1 << em->g->players) - 1;
    switch (rule->outcome) {
    case OUT_DRAW: emit_line(em, "return %s(0);", over); break;
    case OUT_PASS: emit_line(em, "return 0;"); break;
    case OUT_WINS:
        emit_line(em, "return %s(%d & 1 << %s);", over, all, emit_expr(em, f, rule->player));
        break;
    case OUT_LOSES: {
        const char *p = emit_temp(em, "int", emit_expr(em, f, rule->player));
        emit_line(em, "return %s(%s < %d ? %d & ~(1 << %s) : 0);", over, p, em->g->players, all, p);
        break;
    }
    default: score_rule(em, f, rule); break;
    }
}

void emit_rules(Emitter *em, const IrRules *rules, const char *name, int otherwise) {
    EmitFrame *f = emit_frame(em, &rules->frame);
    em->stream = EMIT_VALUE;
    em->t = emit_text(em);
    em->indent = 1;
    em->temps = 0;
    em->knowns = em->known_base = 0;
    em->s = "s";
    for (int n = 0; n < rules->count; n++) {
        const IrRule *rule = &rules->rule[n];
        emit_comment(em, rule->text ? emit_word_line(em, rule->text) : "", &rules->frame, NULL);
        if (rule->cond) // most positions are not the last
            emit_open(em, "if (UNLIKELY(%s))", emit_expr(em, f, rule->cond));
        else
            emit_scope(em);
        outcome(em, f, rule, rules == &em->g->end ? "OVER_RARELY" : "OVER");
        emit_close(em);
    }
    emit_line(em, "return %d;", otherwise);
    text_f(em->protos, "static INLINE int %s(const State *const s, const int me);\n", name);
    text_f(em->bodies, "static INLINE int %s(const State *const s, const int me) {\n%s}\n\n", name,
           text_c(em->t));
}
