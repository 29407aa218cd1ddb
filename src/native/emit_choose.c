// A choice that others follow: in the order of the rules for a list, and in better ways where the
// order is free.
//
//   families  all moves from here on are a few sets (emit_family.c).
//   prefixes  the first two choices are cheap to find, and what follows may refuse them: chess.
//             A random move is then found by drawing a pair and looking whether it stands, until
//             one does. Each move is as likely as any other: a pair that goes on with n moves is
//             taken n times out of as many as any pair can have.
#include "native/emitter.h"

#include <string.h>

// The moves from a choice on as a few sets, in a function of its own; NULL if they are not.
static const char *family_function(Emitter *em, const EmitFrame *outer, const IrStmt *s,
                                   const EmitRest *here, EmitLive *live) {
    EmitRest from = {.next = s, .up = here->up};
    *live = emit_live_at(em, &from);
    EmitFrame *f = emit_function_frame(em, *live);
    for (int n = 0; n < f->ir->slots; n++) // it is called from one place only
        f->local[n].facts = outer->local[n].facts;
    EmitFunction kept = emit_begin_function(em);
    em->in_family = em->in_family || em->exclusive;
    em->exclusive = em->draws = em->family_columns = false;
    const char *name = NULL;
    if (emit_family(em, f, s, here)) {
        name = emit_f(em, "family_%d", ++em->functions);
        text_add(em->bodies, em->family_columns ? "#if USE_COLUMNS\n" : "");
        text_add(em->protos, em->family_columns ? "#if USE_COLUMNS\n" : "");
        emit_print_function(em, name, emit_slots_text(em, f, *live, true));
        text_add(em->bodies, em->family_columns ? "#endif\n\n" : "");
        text_add(em->protos, em->family_columns ? "#endif\n" : "");
    }
    emit_end_function(em, &kept);
    return name;
}

// --- prefixes ---

// A set that e is always a part of, with what is known of its locals now.
static void widest(Emitter *em, EmitFrame *f, const IrExpr *e, uint64_t *set) {
    uint64_t other[BOARD_MAX_WORDS];
    const Board *b = em->b;
    IrValue value;
    int64_t cell, d;
    e = emit_resolve(&f, e);
    if (emit_eval(em, f, e, -1, &value)) {
        memcpy(set, value.set, (size_t)em->words * 8);
        return;
    }
    memset(set, 0, (size_t)em->words * 8);
    switch (e->op) {
    case IR_AND:
    case IR_OR:
        widest(em, f, e->kid[0], set);
        widest(em, f, e->kid[1], other);
        for (int w = 0; w < em->words; w++)
            set[w] = e->op == IR_AND ? set[w] & other[w] : set[w] | other[w];
        return;
    case IR_MINUS: widest(em, f, e->kid[0], set); return;
    case IR_FILTER: widest(em, f, e->domain->a, set); return;
    case IR_CALL: widest(em, emit_call_frame(em, f, e), em->g->func[e->id]->body, set); return;
    case IR_RAY_WHILE:
    case IR_RAY_UNTIL:
        if (!emit_constant(em, f, e->kid[0], &cell) || !emit_constant(em, f, e->kid[1], &d))
            break;
        for (int n = 0; n < b->cells && cell < b->cells; n++) {
            cell = b->step[cell * b->directions + d];
            if (cell < b->cells)
                set[cell / 64] |= (uint64_t)1 << (cell % 64);
        }
        return;
    case IR_UNION: {
        const IrDomain *over = e->domain;
        if (over->kind != DOM_MASK)
            break;
        EmitLocal kept = f->local[over->slot];
        for (uint64_t left = emit_mask_bound(em, f, over->a); left;) {
            f->local[over->slot] = (EmitLocal){.kind = BIND_VALUE, .value = bits_pop(&left)};
            widest(em, f, e->kid[0], other);
            for (int w = 0; w < em->words; w++)
                set[w] |= other[w];
        }
        f->local[over->slot] = kept;
        return;
    }
    default: break;
    }
    for (int c = 0; c < em->cells; c++)
        set[c / 64] |= (uint64_t)1 << (c % 64);
}

// The most members a choice can have, whatever cell is in `slot`.
static int most_members(Emitter *em, EmitFrame *f, const IrDomain *d, int slot) {
    if (d->kind == DOM_MASK)
        return bits_count(emit_mask_bound(em, f, d->a));
    if (d->kind != DOM_SET)
        return 0;
    int most = 0;
    EmitLocal kept = f->local[slot];
    for (int c = 0; c < em->cells; c++) {
        uint64_t set[BOARD_MAX_WORDS];
        int count = 0;
        f->local[slot] = (EmitLocal){.kind = BIND_VALUE, .value = c};
        widest(em, f, d->a, set);
        for (int w = 0; w < em->words; w++)
            count += bits_count(set[w]);
        most = count > most ? count : most;
    }
    f->local[slot] = kept;
    return most;
}

// The most ways in which statements can go on; 0 if that is not known. Notes a condition on which
// alone they have more than one.
static int most_ways(Emitter *em, EmitFrame *f, const IrStmt *list, int slot, const IrExpr **when) {
    int ways = 1;
    for (const IrStmt *s = list; s && ways; s = s->next) {
        if (!s->chooses || s->kind == ST_REQUIRE)
            continue;
        if (s->kind == ST_CHOOSE) {
            ways *= most_members(em, f, s->domain, slot);
            *when = NULL;
        } else if (s->kind == ST_IF) {
            const IrExpr *inside = NULL;
            int a = most_ways(em, f, s->body, slot, &inside);
            int b = most_ways(em, f, s->other, slot, &inside);
            if (!a || !b)
                return 0;
            if (a > 1)
                *when = ways == 1 && b == 1 ? s->e[0] : NULL;
            ways *= a > b ? a : b;
        } else {
            return 0;
        }
        if (ways > 4096)
            return 0;
    }
    return ways;
}

// Whether the statements do something for every pair that makes drawing pairs worth while.
static bool tests_later(const IrStmt *list) {
    for (; list; list = list->next)
        if (list->kind == ST_REQUIRE || list->kind == ST_CHOOSE)
            return true;
    return false;
}

static IrStmt *alone(Emitter *em, const IrStmt *s, IrStmt *next) {
    IrStmt *copy = ARENA_NEW(em->arena, IrStmt);
    *copy = *s;
    copy->next = next;
    return copy;
}

// The function that goes on behind both choices; 0 ways: there is none.
static const char *prefix_function(Emitter *em, const IrStmt *s, const IrStmt *second,
                                   const EmitRest *behind, EmitLive *live, int *ways) {
    const IrExpr *when = NULL;
    EmitFrame *f = emit_function_frame(em, (EmitLive){.slots = ~(uint64_t)0});
    *ways = most_ways(em, f, second->next, second->domain->slot, &when);
    if (!*ways)
        return NULL;
    *live = emit_live_at(em, behind);
    f = emit_function_frame(em, *live);
    f->local[s->domain->slot].facts = emit_facts(em, f, s->domain->a);
    f->local[second->domain->slot].facts = emit_facts(em, f, second->domain->a);
    EmitFunction kept = emit_begin_function(em);
    em->exclusive = false;
    em->in_family = true;
    em->pending = when;
    const char *name = emit_f(em, "prefix_%d", ++em->functions);
    emit_turn_block(em, f, second->next, behind->up);
    em->pending = NULL;
    emit_print_function(em, name, emit_slots_text(em, f, *live, true));
    emit_end_function(em, &kept);
    return name;
}

static void field(Emitter *em, EmitFrame *f, const IrStmt *s, int plus) {
    const IrSite *site = &em->g->site[s->id];
    const char *name = emit_local_name(em, f->ir, s->domain->slot);
    emit_line(em, "const int %s = move_field(pair, %s, %d) + (%d);", name, emit_at(em, plus),
              site->bits, site->lo);
    f->local[s->domain->slot].text = name;
}

// Draws pairs of the first two choices until one stands.
static bool prefixes(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here) {
    const IrStmt *second = here->next;
    if (!em->exclusive || !second || here->call || *emit_carry(here, false) ||
        em->g->move_bits > 63 || second->kind != ST_CHOOSE || s->domain->kind != DOM_SET ||
        second->domain->kind != DOM_SET || !tests_later(second->next) ||
        emit_chooses_later(here->up))
        return false;
    EmitRest behind = {.next = second->next, .up = here->up};
    EmitLive live;
    int ways;
    const char *name = prefix_function(em, s, second, &behind, &live, &ways);
    if (!name)
        return false;
    const IrSite *one = &em->g->site[s->id], *two = &em->g->site[second->id];
    EmitPlace place = emit_mark(em, f);
    emit_open(em, "if (mode == MODE_PICK)");
    IrStmt *last = alone(em, second, NULL), *first = alone(em, s, last);
    EmitRest only = {.next = last};
    em->ordered = true; // as written
    emit_choose_each(em, f, first, &only);
    em->ordered = false;
    emit_go_back(em, f, &place);
    emit_line(em, "if (k->n == 0) return 0;");
    emit_open(em, "for (int tries = 0; tries < %d && k->entries <= ENTRIES; tries++)",
              16 + 8 * ways);
    emit_line(em, "const uint64_t r = random_below(k->random, (uint64_t)k->n * %d);", ways);
    emit_line(em, "const Packed pair = entry_move(k->entry, (int64_t)(r / %d));", ways);
    emit_line(em, "Sink one = {.left = (int64_t)(r %% %d)};", ways);
    field(em, f, s, 0);
    field(em, f, second, one->bits);
    emit_line(em, "const int found = %s(%s, me, MODE_SELECT, &one, pair, %s%s);", name, em->s,
              emit_at(em, one->bits + two->bits), emit_slots_text(em, f, live, false));
    emit_line(em, "k->found = one.found;");
    emit_line(em, "if (found) return found;");
    emit_close(em);
    emit_line(em, "return UNLUCKY; // hardly ever: then all moves are found");
    emit_close(em);
    emit_go_back(em, f, &place);
    return true;
}

// In the order of the rules for a list; otherwise as a few sets, if they are that. Where nothing
// was chosen before, these are all moves of the position: a random one is found right here.
void emit_choose(Emitter *em, EmitFrame *f, const IrStmt *s, const EmitRest *here) {
    EmitLive live;
    const char *name = NULL;
    if (!em->ordered && emit_chooses_later(here) && !here->call && !*emit_carry(here, false))
        name = family_function(em, f, s, here, &live);
    if (!name) {
        bool remembers = em->remembers;
        if (!em->ordered && prefixes(em, f, s, here)) {
            emit_choose_each(em, f, s, here); // for the other modes
            em->remembers = remembers;
            em->unlucky = true;
        } else {
            emit_choose_each(em, f, s, here);
        }
        return;
    }
    const char *before = emit_f(em, "%s(%s, me", name, em->s);
    const char *after =
        emit_f(em, "k, %s, %s%s)", em->m, emit_at(em, 0), emit_slots_text(em, f, live, false));
    bool columns = em->family_columns;
    if (columns)
        emit_line(em, "#if USE_COLUMNS");
    emit_open(em, "if (mode != MODE_LIST)");
    if (em->exclusive && em->draws) {
        emit_open(em, "if (mode == MODE_PICK)");
        emit_line(em, "k->left = -1;");
        em->list_any = s == em->g->turn ? name : NULL;
        emit_line(em, "return %s, MODE_SELECT, %s;", before, after);
        emit_close(em);
    } else if (em->exclusive) {
        emit_open(em, "if (mode == MODE_PICK)");
        emit_line(em, "TRY(%s, MODE_COUNT, %s);", before, after);
        emit_line(em, "if (k->n == 0) return 0;");
        emit_line(em, "const uint64_t all = (uint64_t)k->n;");
        emit_open(em, "for (;;)");
        emit_line(em, "k->left = (int64_t)random_below(k->random, all);");
        emit_line(em, "const int found = %s, MODE_SELECT, %s;", before, after);
        emit_line(em, "if (LIKELY(found != AGAIN)) return found;");
        emit_close(em);
        emit_close(em);
    } else {
        em->remembers |= !em->in_family;
    }
    emit_line(em, "TRY(%s, mode, %s);", before, after);
    if (columns) {
        em->else_remembers = true;
        emit_close(em);
        emit_line(em, "else");
        emit_line(em, "#endif");
        emit_scope(em);
    } else {
        emit_else(em);
    }
    EmitPlace place = emit_mark(em, f);
    em->ordered = true;
    emit_choose_each(em, f, s, here);
    em->ordered = false;
    emit_go_back(em, f, &place);
    emit_close(em);
}
