// Finding moves: choices become nested loops, and what follows a branch becomes a function.
//
// A turn is a tree of choices. Straight parts are nested loops in one function; where branches
// meet again, what follows is a function `rest_N` that each branch calls with the state, the move
// so far and the locals it reads; a loop with choices is a function that calls itself. All take
// `me` and `mode` as constants. Nothing is done behind the last choice or requirement: from there
// on every run is a move, and a choice that comes last gives its whole set at once.
#include "native/emitter.h"

#include <string.h>

bool emit_chooses_later(const EmitRest *rest) {
    for (; rest; rest = rest->up)
        if (rest->call || emit_chooses(rest->next))
            return true;
    return false;
}

EmitLive emit_live_at(Emitter *em, const EmitRest *rest) {
    if (!rest)
        return (EmitLive){0};
    return rest->call ? rest->live : emit_live_before(em, rest->next, emit_live_at(em, rest->up));
}

// --- the move so far ---

const char *emit_at(Emitter *em, int plus) {
    plus += em->at_plus;
    if (!*em->at)
        return emit_f(em, "%d", plus);
    return plus ? emit_f(em, "%s + %d", em->at, plus) : em->at;
}

static const char *at_text(Emitter *em) {
    return emit_at(em, 0);
}

static void check_room(Emitter *em, int bits) {
    if (em->g->move_bits > IR_MOVE_BITS)
        emit_line(em, "if (%s + %d > %d) return FAULT_CHOICES;", at_text(em), bits, IR_MOVE_BITS);
}

// Adds a choice to the move; the caller keeps em->m and em->at_plus.
static void add_choice(Emitter *em, const IrSite *site, const char *value) {
    check_room(em, site->bits);
    if (site->bits > 0) {
        const char *m = emit_f(em, "m%d", ++em->temps);
        if (site->lo)
            value = emit_f(em, "%s - (%d)", value, site->lo);
        emit_line(em, "const Packed %s = move_put(%s, %s, %s);", m, em->m, at_text(em), value);
        em->m = m;
    }
    em->at_plus += site->bits;
}

static void put_one(Emitter *em) {
    em->remembers |= !em->ordered && !em->in_family;
    emit_line(em, "TRY(put_one(k, mode, %s));", em->m);
}

// --- functions ---

EmitFunction emit_begin_function(Emitter *em) {
    EmitFunction kept = {em->t,  em->indent, em->temps,     em->at_plus,   em->s,         em->m,
                         em->at, em->own,    em->exclusive, em->in_family, em->known_base};
    em->known_base = em->knowns;
    em->t = emit_text(em);
    em->indent = 1;
    em->temps = 0;
    em->at_plus = 0;
    em->s = "s";
    em->m = "m";
    em->at = "at";
    em->own = false;
    return kept;
}

void emit_end_function(Emitter *em, const EmitFunction *kept) {
    em->t = kept->t;
    em->indent = kept->indent;
    em->temps = kept->temps;
    em->at_plus = kept->at_plus;
    em->s = kept->s;
    em->m = kept->m;
    em->at = kept->at;
    em->own = kept->own;
    em->exclusive = kept->exclusive;
    em->in_family = kept->in_family;
    em->knowns = em->known_base;
    em->known_base = kept->known_base;
}

static bool is_live(EmitLive live, int slot) {
    return live.slots & emit_bit(slot);
}

// Locals that a function gets, as parameters (`types`) or arguments.
const char *emit_slots_text(Emitter *em, const EmitFrame *f, EmitLive live, bool types) {
    const char *text = "";
    for (int n = 0; n < f->ir->slots; n++) {
        if (!is_live(live, n))
            continue;
        bool set = f->ir->type[n].kind == TY_SET;
        const char *value = f->local[n].text ? f->local[n].text : set ? "SET_EMPTY" : "0";
        text = types ? emit_f(em, "%s, const %s %s", text, emit_type(f->ir->type[n]),
                              emit_local_name(em, f->ir, n))
                     : emit_f(em, "%s, %s", text, value);
    }
    return text;
}

#define HEAD                                                                                       \
    "const State *const s, const int me, const int mode, Sink *const k, const Packed m, "          \
    "const int at"

// The locals at the beginning of a function: those it gets, and no others.
EmitFrame *emit_function_frame(Emitter *em, EmitLive live) {
    EmitFrame *f = emit_frame(em, &em->g->turn_frame);
    for (int n = 0; n < f->ir->slots; n++) {
        f->local[n].kind = BIND_TEXT;
        if (is_live(live, n))
            f->local[n].text = emit_local_name(em, f->ir, n);
    }
    return f;
}

void emit_print_function(Emitter *em, const char *name, const char *params) {
    text_f(em->protos, "static INLINE int %s(" HEAD "%s);\n", name, params);
    text_f(em->bodies, "static INLINE int %s(" HEAD "%s) {\n", name, params);
    text_add(em->bodies, text_c(em->t));
    text_add(em->bodies, "    return 0;\n}\n\n");
}

// A function that calls itself cannot be inlined: one for each player and mode, so that both are
// constants in it, and a `name` that picks the right one.
static void print_instances(Emitter *em, const char *name, const char *params, const char *args) {
    static const char *const mode[] = {"LIST", "COUNT", "ANY", "PICK"};
    const char *cases = "";
    for (int p = 0; p < em->g->players; p++)
        for (int n = 0; n < 4; n++) {
            const char *one = emit_f(em, "%s_%d_%s", name, p, mode[n]);
            text_f(em->protos,
                   "static int %s(const State *const s, Sink *const k, const Packed m, "
                   "const int at%s);\n",
                   one, params);
            text_f(em->bodies,
                   "static int %s(const State *const s, Sink *const k, const Packed m, "
                   "const int at%s) {\n    return %s_body(s, %d, MODE_%s, k, m, at%s);\n}\n\n",
                   one, params, name, p, mode[n], args);
            cases = emit_f(em, "%s    if (me == %d && mode == MODE_%s) return %s(s, k, m, at%s);\n",
                           cases, p, mode[n], one, args);
        }
    text_f(em->protos, "static INLINE int %s(" HEAD "%s);\n", name, params);
    text_f(em->bodies, "static INLINE int %s(" HEAD "%s) {\n%s    return 0;\n}\n\n", name, params,
           cases);
}

const char *emit_carry(const EmitRest *rest, bool params) {
    while (rest && !rest->call)
        rest = rest->up;
    return !rest ? "" : params ? rest->carry_params : rest->carry;
}

static void call_rest(Emitter *em, const EmitFrame *f, const EmitRest *rest) {
    em->remembers |= !em->ordered && !em->in_family;
    emit_line(em, "TRY(%s(%s, me, mode, k, %s, %s%s%s%s));", rest->call, em->s, em->m, at_text(em),
              rest->extra, emit_slots_text(em, f, rest->live, false), rest->outer);
}

static void go_on(Emitter *em, EmitFrame *f, const EmitRest *rest) {
    if (!emit_chooses_later(rest))
        put_one(em);
    else if (rest->call)
        call_rest(em, f, rest);
    else
        emit_turn_block(em, f, rest->next, rest->up);
}

// What follows branches, as a function if it chooses.
static EmitRest after_branches(Emitter *em, const EmitRest *here) {
    if (!emit_chooses_later(here) || (!here->next && (!here->up || here->up->call)))
        return *here;
    EmitRest rest = {.next = here->next, .up = here->up, .extra = ""};
    rest.call = emit_f(em, "rest_%d", ++em->functions);
    rest.live = emit_live_at(em, here);
    rest.carry_params = emit_carry(here, true);
    rest.carry = rest.outer = emit_carry(here, false);
    EmitFrame *f = emit_function_frame(em, rest.live);
    EmitFunction kept = emit_begin_function(em);
    em->exclusive = false;
    em->in_family = true; // who calls it says whether moves are remembered
    emit_turn_block(em, f, here->next, here->up);
    emit_print_function(
        em, rest.call,
        emit_f(em, "%s%s", emit_slots_text(em, f, rest.live, true), rest.carry_params));
    emit_end_function(em, &kept);
    return rest;
}

// --- branches: each begins where the others did ---

EmitPlace emit_mark(Emitter *em, const EmitFrame *f) {
    EmitPlace p = {em->s, em->m, em->at_plus, em->own, em->exclusive, NULL};
    p.local = ARENA_ARRAY(em->arena, EmitLocal, f->ir->slots + 1);
    memcpy(p.local, f->local, (size_t)f->ir->slots * sizeof *p.local);
    return p;
}

void emit_go_back(Emitter *em, EmitFrame *f, const EmitPlace *p) {
    em->s = p->s;
    em->m = p->m;
    em->at_plus = p->at_plus;
    em->own = p->own;
    em->exclusive = p->exclusive;
    memcpy(f->local, p->local, (size_t)f->ir->slots * sizeof *p->local);
}

// Before the first change of a state that others still need.
static void fork_state(Emitter *em) {
    if (em->own)
        return;
    const char *copy = emit_f(em, "s%d", ++em->temps);
    emit_line(em, "State %s_ = *%s;", copy, em->s);
    emit_line(em, "State *const %s = &%s_;", copy, copy);
    em->s = copy;
    em->own = true;
}

// --- choices ---

static const char *as_set(Emitter *em, const IrDomain *d, const char *members) {
    if (d->kind == DOM_SET || em->one)
        return members;
    return emit_f(em, "set_of_word(%s)", members);
}

typedef struct Choice {
    const IrStmt *s;
    const EmitRest *here;
    bool last;
    unsigned facts;
} Choice;

static void chosen(Emitter *em, EmitFrame *f, void *context) {
    const Choice *c = context;
    int slot = c->s->domain->slot;
    EmitPlace place = emit_mark(em, f);
    em->own = em->exclusive = false;
    add_choice(em, &em->g->site[c->s->id], f->local[slot].text);
    f->local[slot].facts = c->facts;
    if (c->last)
        put_one(em);
    else
        go_on(em, f, c->here);
    emit_go_back(em, f, &place);
}

void emit_choose_each(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here) {
    const IrDomain *d = s->domain;
    const IrSite *site = &em->g->site[s->id];
    Choice choice = {s, here, !emit_chooses_later(here), 0};
    bool set = d->kind == DOM_SET || d->kind == DOM_MASK;
    emit_comment(em, emit_f(em, "choose %s in ", site->name), f->ir, d->a);
    if (set) {
        const char *members = emit_members(em, f, d);
        if (d->kind == DOM_SET)
            choice.facts = emit_facts(em, f, d->a);
        if (choice.last) {
            em->remembers |= !em->ordered && !em->in_family;
            check_room(em, site->bits);
            emit_line(em, "TRY(put_set(k, mode, %s, %s, %d, %s));", em->m, at_text(em), site->lo,
                      as_set(em, d, members));
            return;
        }
        EmitLocal kept = f->local[d->slot];
        f->local[d->slot].text = emit_local_name(em, f->ir, d->slot);
        emit_each_member(em, d->kind == DOM_SET, members, f->local[d->slot].text, NULL);
        chosen(em, f, &choice);
        emit_close(em);
        f->local[d->slot] = kept;
    } else if (choice.last && d->kind == DOM_RANGE && !d->where) {
        const char *low = emit_expr(em, f, d->a), *high = emit_expr(em, f, d->b);
        em->remembers |= !em->ordered && !em->in_family;
        check_room(em, site->bits);
        emit_line(em, "TRY(put_range(k, mode, %s, %s, %s - (%d), %s - (%d)));", em->m, at_text(em),
                  low, site->lo, high, site->lo);
    } else {
        emit_each(em, f, d, NULL, chosen, &choice);
    }
}

static void either(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here) {
    EmitRest rest = after_branches(em, here);
    int n = 0;
    for (const IrStmt *b = s->body; b; b = b->sibling, n++) {
        EmitPlace place = emit_mark(em, f);
        emit_scope(em);
        em->own = em->exclusive = false;
        add_choice(em, &em->g->site[s->id], emit_f(em, "%d", n));
        emit_turn_block(em, f, b->body, &rest);
        emit_close(em);
        emit_go_back(em, f, &place);
    }
}

static void if_else(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here) {
    EmitRest rest = after_branches(em, here);
    emit_open(em, "if (%s)", emit_expr(em, f, s->e[0]));
    EmitPlace place = emit_mark(em, f);
    emit_turn_block(em, f, s->body, &rest);
    emit_go_back(em, f, &place);
    emit_else(em);
    emit_turn_block(em, f, s->other, &rest);
    emit_close(em);
    emit_go_back(em, f, &place);
}

static void require(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here) {
    emit_comment(em, "require ", f->ir, s->e[0]);
    emit_open(em, "if (%s)", emit_expr(em, f, s->e[0]));
    go_on(em, f, here);
    emit_close(em);
}

// --- loops with choices ---

// The counters of a loop: parameters of its function, numbered like it.
typedef struct Counters {
    const char *params, *args; // as they are,
    const char *begin, *next;  //   when the loop begins, and for the next round
    int number;
} Counters;

static Counters loop_counters(Emitter *em, EmitFrame *f, const IrStmt *s, int number) {
    const IrDomain *d = s->domain;
    Counters c = {.number = number};
    if (s->kind == ST_WHILE) {
        c.params = emit_f(em, ", const int rounds_%d", number);
        c.args = emit_f(em, ", rounds_%d", number);
        c.begin = emit_f(em, ", %d", s->id);
        c.next = emit_f(em, ", rounds_%d - 1", number);
        return c;
    }
    if (d->kind == DOM_SET || d->kind == DOM_MASK) {
        c.params = emit_f(em, d->kind == DOM_SET ? ", Set left_%d" : ", uint64_t left_%d", number);
        c.args = c.next = emit_f(em, ", left_%d", number);
        c.begin = emit_f(em, ", %s", emit_members(em, f, d));
        return c;
    }
    c.params = emit_f(em, ", const int next_%d, const int last_%d", number, number);
    c.args = emit_f(em, ", next_%d, last_%d", number, number);
    c.next = emit_f(em, ", next_%d + 1, last_%d", number, number);
    const char *low = d->a ? emit_temp(em, "int", emit_expr(em, f, d->a)) : "0";
    if (d->kind == DOM_RANGE) {
        c.begin = emit_f(em, ", %s, %s", low, emit_expr(em, f, d->b));
        return c;
    }
    emit_lines_through(em);
    c.begin = d->a ? emit_f(em, ", lines_start[%s], lines_start[%s + 1] - 1", low, low)
                   : emit_f(em, ", 0, %d", em->b->lines - 1);
    return c;
}

// Opens the part of a loop's function that runs for one member; false where `where` follows.
static void loop_member(Emitter *em, EmitFrame *f, const IrStmt *s, int number) {
    const IrDomain *d = s->domain;
    const char *name = emit_local_name(em, f->ir, d->slot);
    f->local[d->slot].text = name;
    switch (d->kind) {
    case DOM_SET:
        emit_open(em, "if (SET_SOME(left_%d))", number);
        emit_line(em, "const int %s = set_pop(&left_%d);", name, number);
        break;
    case DOM_MASK:
        emit_open(em, "if (left_%d)", number);
        emit_line(em, "const int %s = CTZ(left_%d);", name, number);
        emit_line(em, "left_%d &= left_%d - 1;", number, number);
        break;
    case DOM_RANGE:
        emit_open(em, "if (next_%d <= last_%d)", number, number);
        emit_line(em, "const int %s = next_%d;", name, number);
        break;
    case DOM_LINES:
        emit_open(em, "if (next_%d <= last_%d)", number, number);
        emit_line(em, d->a ? "const int %s = lines_through[next_%d];" : "const int %s = next_%d;",
                  name, number);
        break;
    }
}

static void loop_round(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *again,
                       int number) {
    if (s->kind == ST_WHILE) {
        const char *go = emit_expr(em, f, s->e[0]);
        emit_open(em, "if (rounds_%d > 0 && %s)", number, go);
        emit_turn_block(em, f, s->body, again);
    } else {
        loop_member(em, f, s, number);
        bool tested = s->domain->where && s->domain->kind != DOM_SET && s->domain->kind != DOM_MASK;
        if (tested) {
            emit_open(em, "if (!%s)", emit_expr(em, f, s->domain->where));
            call_rest(em, f, again);
            emit_line(em, "return 0;");
            emit_close(em);
        }
        emit_turn_block(em, f, s->body, again);
    }
    emit_line(em, "return 0;");
    emit_close(em);
}

static void loop(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here) {
    Counters count = loop_counters(em, f, s, ++em->functions);
    EmitRest again = {.loop = true};
    again.call = emit_f(em, s->kind == ST_WHILE ? "while_%d" : "for_%d", count.number);
    again.live = emit_loop_live(em, s, emit_live_at(em, here));
    if (s->kind == ST_FOR && s->domain->slot < 63)
        again.live.slots &= ~emit_bit(s->domain->slot);
    again.extra = count.next;
    again.outer = emit_carry(here, false);
    again.carry = emit_f(em, "%s%s", count.args, again.outer);
    again.carry_params = emit_f(em, "%s%s", count.params, emit_carry(here, true));
    EmitFrame *inner = emit_function_frame(em, again.live);
    EmitFunction kept = emit_begin_function(em);
    em->exclusive = false;
    em->in_family = true; // who calls it says whether moves are remembered
    EmitPlace place = emit_mark(em, inner);
    loop_round(em, inner, s, &again, count.number);
    emit_go_back(em, inner, &place);
    go_on(em, inner, here);
    const char *params =
        emit_f(em, "%s%s%s", count.params, emit_slots_text(em, inner, again.live, true),
               emit_carry(here, true));
    EmitFrame *fresh = emit_function_frame(em, again.live);
    const char *args = emit_f(em, "%s%s%s", count.args,
                              emit_slots_text(em, fresh, again.live, false), again.outer);
    emit_print_function(em, emit_f(em, "%s_body", again.call), params);
    print_instances(em, again.call, params, args);
    emit_end_function(em, &kept);
    again.extra = count.begin;
    call_rest(em, f, &again);
}

// --- statements ---

// A local that gets a value is a new variable: other runs still need the old one.
static void new_local(Emitter *em, EmitFrame *f, int slot, const char *value, bool constant) {
    const char *name = emit_f(em, "%s_%d", emit_local_name(em, f->ir, slot), ++em->temps);
    emit_line(em, "%s%s %s = %s;", constant ? "const " : "", emit_type(f->ir->type[slot]), name,
              value);
    f->local[slot] = (EmitLocal){.kind = BIND_TEXT, .text = name};
}

// The locals that get values inside a statement without choices.
static void copy_locals(Emitter *em, EmitFrame *f, const IrStmt *list, bool *copied) {
    for (; list; list = list->next) {
        if (list->kind == ST_LET && !copied[list->id]) {
            const char *old = f->local[list->id].text;
            bool set = f->ir->type[list->id].kind == TY_SET;
            copied[list->id] = true;
            new_local(em, f, list->id, old ? old : set ? "SET_EMPTY" : "0", false);
        }
        copy_locals(em, f, list->body, copied);
        copy_locals(em, f, list->other, copied);
    }
}

static void plain_statement(Emitter *em, EmitFrame *f, const IrStmt *s, EmitLive after) {
    if (emit_writes(s)) {
        fork_state(em);
        emit_forget_known(em);
    }
    if (s->kind == ST_LET) {
        new_local(em, f, s->id, emit_expr(em, f, s->e[0]), true);
        return;
    }
    bool *copied = ARENA_ARRAY(em->arena, bool, f->ir->slots + 1);
    copy_locals(em, f, s->body, copied);
    copy_locals(em, f, s->other, copied);
    emit_statement(em, f, s, after);
}

static bool choice_statement(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here) {
    switch (s->kind) {
    case ST_CHOOSE: emit_choose(em, f, s, here); return true;
    case ST_EITHER: either(em, f, s, here); return true;
    case ST_REQUIRE: require(em, f, s, here); return true;
    case ST_IF: if_else(em, f, s, here); return true;
    case ST_FOR:
    case ST_WHILE: loop(em, f, s, here); return true;
    default: return false;
    }
}

// Where only some pairs of choices go on in several ways, the others leave at once.
static void leave_early(Emitter *em, EmitFrame *f) {
    EmitLive reads = {0};
    emit_reads(em, em->pending, &reads);
    bool ready = !reads.board && !reads.vars && !reads.attrs;
    for (int n = 0; n < f->ir->slots; n++)
        ready = ready && (!is_live(reads, n) || f->local[n].text);
    if (!ready)
        return;
    emit_line(em, "if (mode == MODE_SELECT && k->left > 0 && !%s) return 0;",
              emit_expr(em, f, em->pending));
    em->pending = NULL;
}

void emit_turn_block(Emitter *em, EmitFrame *f, const IrStmt *list, const EmitRest *rest) {
    for (const IrStmt *s = list; s; s = s->next) {
        if (em->pending)
            leave_early(em, f);
        if (!emit_chooses(s) && !emit_chooses_later(rest)) {
            put_one(em);
            return;
        }
        EmitRest here = {.next = s->next, .up = rest};
        if (s->chooses && choice_statement(em, f, s, &here))
            return;
        EmitLive after = emit_live_at(em, &here);
        if (emit_matters(em, s, after))
            plain_statement(em, f, s, after);
    }
    go_on(em, f, rest);
}

// Characters of text: beyond this a set is made in a function of its own.
#define LARGE 1200

// A turn that is one choice of a cell: the set to choose from.
static void print_choices(Emitter *em, EmitFrame *f) {
    const IrDomain *d = em->g->turn->domain;
    EmitFunction kept = emit_begin_function(em);
    emit_line(em, "return %s;", emit_members(em, f, d));
    bool large = em->t->n > LARGE;
    const char *head = emit_f(em, "static INLINE Set choices%s(const State *const s, const int me)",
                              large ? "_" : "");
    text_f(em->protos, "%s;\n", head);
    text_f(em->bodies, "// What `me` can choose from: every member is a move.\n%s {\n%s}\n\n", head,
           text_c(em->t));
    const char *pick = "";
    for (int p = em->g->players - 1; large && p >= 0; p--) {
        text_f(em->bodies,
               "static Set choices_%d(const State *const s) {\n    return choices_(s, %d);\n}\n\n",
               p, p);
        pick = *pick ? emit_f(em, "me == %d ? choices_%d(s) : %s", p, p, pick)
                     : emit_f(em, "choices_%d(s)", p);
    }
    if (large)
        text_f(em->bodies,
               "static INLINE Set choices(const State *const s, const int me) {\n"
               "    return %s;\n}\n\n",
               pick);
    emit_end_function(em, &kept);
}

void emit_generate(Emitter *em) {
    em->stream = EMIT_GENERATE;
    if (em->simple) {
        print_choices(em, emit_function_frame(em, (EmitLive){0}));
        return;
    }
    EmitFrame *f = emit_function_frame(em, (EmitLive){0});
    EmitFunction kept = emit_begin_function(em);
    em->exclusive = true;
    em->at = "";
    emit_turn_block(em, f, em->g->turn, NULL);
    const char *head = "static INLINE int generate(const State *const s, const int me, "
                       "const int mode, Sink *const k)";
    text_f(em->protos, "%s;\n", head);
    text_f(em->bodies,
           "// Every run through the turn of `me` is a move; see MODE_ for what happens to it.\n"
           "%s {\n    const Packed m = PACKED_NONE;\n",
           head);
    text_add(em->bodies, text_c(em->t));
    text_add(em->bodies, "    return 0;\n}\n\n");
    emit_end_function(em, &kept);
}
