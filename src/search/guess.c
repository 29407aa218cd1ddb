// guess: see guess.h.
#include "search/guess_parts.h"

#include "base/bits.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

// What is not known about a set: all cells may be in it, none must.
static void open_for(const Guesser *gs, const IrExpr *e, Guess *out) {
    guess_open(out);
    if (e->type.kind != TY_SET)
        return;
    int cells = gs->game->board->cells;
    memset(out->may, 0, sizeof out->may);
    for (int c = 0; c < cells; c++)
        guess_add_may(out, c);
}

// --- what stands where ---

static const GuessCell *known_at(const Guesser *gs, int cell) {
    for (int i = 0; i < gs->known_count; i++)
        if (gs->known[i].cell == cell)
            return &gs->known[i];
    return NULL;
}

static void eval(Guesser *gs, const GuessFrame *frame, const IrExpr *e, Guess *out, int depth);

// Whether a piece of a plane is meant by IR_OWNED, IR_PLANE, IR_PIECES or IR_OCCUPIED.
static Truth is_meant(Guesser *gs, const GuessFrame *frame, const IrExpr *e, int plane, int depth) {
    const IrPlane *p = &gs->game->plane[plane];
    Guess owner, kind;
    if (e->op == IR_OCCUPIED)
        return TRUTH_YES;
    if (e->op == IR_PLANE)
        return e->id == plane ? TRUTH_YES : TRUTH_NO;
    bool open = false;
    if (e->op == IR_PIECES && e->id >= 0 && e->id != p->kind)
        return TRUTH_NO;
    if (e->op == IR_PIECES && e->id < 0) {
        eval(gs, frame, e->kid[1], &kind, depth);
        if (!guess_has(&kind, p->kind))
            return TRUTH_NO;
        open = guess_single(&kind) < 0;
    }
    if (e->kid[0]) {
        eval(gs, frame, e->kid[0], &owner, depth);
        if (!guess_has(&owner, p->owner))
            return TRUTH_NO;
        open = open || guess_single(&owner) < 0;
    }
    return open ? TRUTH_OPEN : TRUTH_YES;
}

static void pieces(Guesser *gs, const GuessFrame *frame, const IrExpr *e, Guess *out, int depth) {
    open_for(gs, e, out);
    out->any = false;
    for (int i = 0; i < gs->known_count; i++) {
        const GuessCell *k = &gs->known[i];
        Truth t = k->plane < 0 ? TRUTH_NO : is_meant(gs, frame, e, k->plane, depth);
        if (t == TRUTH_YES)
            guess_add_must(out, k->cell);
        else if (t == TRUTH_NO)
            out->may[k->cell / 64] &= ~((uint64_t)1 << (k->cell % 64));
    }
}

// IR_KIND_AT, IR_OWNER_AT, IR_ATTR of a cell that is known.
static void content(Guesser *gs, const GuessFrame *frame, const IrExpr *e, Guess *out, int depth) {
    Guess cell;
    eval(gs, frame, e->kid[0], &cell, depth);
    const GuessCell *k = guess_single(&cell) < 0 ? NULL : known_at(gs, guess_single(&cell));
    guess_open(out);
    if (!k)
        return;
    const IrGame *g = gs->game;
    if (e->op == IR_KIND_AT)
        guess_value(out, k->plane < 0 ? g->kinds : g->plane[k->plane].kind);
    else if (e->op == IR_OWNER_AT)
        guess_value(out, k->plane < 0 ? g->players : g->plane[k->plane].owner);
    else if (k->plane < 0)
        guess_value(out, 0);
    else if (k->attr)
        guess_value(out, (int)k->attr[e->id]);
}

// --- tables and functions ---

// All entries at the values that the indices can have.
static void table(Guesser *gs, const GuessFrame *frame, const IrExpr *e, Guess *out, int depth) {
    const IrTable *t = gs->game->table[e->id];
    Guess index[2];
    for (int i = 0; i < t->dims; i++)
        eval(gs, frame, e->kid[i], &index[i], depth);
    int words = gs->game->board->words, second = t->dims > 1 ? t->size[1] : 1;
    bool first = true;
    *out = (Guess){0};
    for (int i = 0; i < t->size[0]; i++) {
        for (int j = 0; j < second; j++) {
            int a = i + t->base[0], b = t->dims > 1 ? j + t->base[1] : 0;
            if ((!index[0].any && (a < 0 || a >= GUESS_VALUES || !guess_has(&index[0], a))) ||
                (t->dims > 1 && !index[1].any &&
                 (b < 0 || b >= GUESS_VALUES || !guess_has(&index[1], b))))
                continue;
            gs->steps--;
            if (!t->sets) {
                int32_t number = t->numbers[i * second + j];
                if (number < 0 || number >= GUESS_VALUES) {
                    guess_open(out);
                    return;
                }
                guess_add_may(out, number);
                continue;
            }
            const uint64_t *set = t->sets + (size_t)(i * second + j) * (size_t)words;
            for (int w = 0; w < words; w++) {
                out->may[w] |= set[w];
                out->must[w] = first ? set[w] : out->must[w] & set[w];
            }
            first = false;
        }
    }
}

static void call(Guesser *gs, const GuessFrame *frame, const IrExpr *e, Guess *out, int depth) {
    const IrFunc *f = gs->game->func[e->id];
    GuessFrame *inner = f->params < GUESS_SLOTS ? mem_alloc(sizeof *inner) : NULL;
    if (!inner) {
        open_for(gs, e, out);
        return;
    }
    for (int i = 0; i < GUESS_SLOTS; i++)
        guess_open(&inner->local[i]);
    for (int i = 0; i < f->params; i++)
        eval(gs, frame, e->args[i], &inner->local[i], depth);
    eval(gs, inner, f->body, out, depth);
    mem_free(inner);
}

// --- loops ---

// The members of a domain, in `out` as a set; false if they are not known at all.
static bool members(Guesser *gs, const GuessFrame *frame, const IrDomain *d, Guess *out,
                    int depth) {
    if ((d->kind != DOM_SET && d->kind != DOM_MASK) || d->slot >= GUESS_SLOTS)
        return false;
    eval(gs, frame, d->a, out, depth);
    return !out->any || d->kind == DOM_SET;
}

// FILTER, UNION, ANY and ALL, by looking at each member alone.
static void loop(Guesser *gs, const GuessFrame *frame, const IrExpr *e, Guess *out, int depth) {
    const IrDomain *d = e->domain;
    Guess all;
    open_for(gs, e, out);
    GuessFrame *inner = members(gs, frame, d, &all, depth) ? mem_alloc(sizeof *inner) : NULL;
    if (!inner)
        return;
    *inner = *frame;
    bool some = false, some_open = false, every = true, every_open = false;
    *out = (Guess){0};
    for (int v = 0; v < 64 * BOARD_MAX_WORDS; v++) {
        if (!guess_has(&all, v))
            continue;
        Guess g;
        guess_value(&inner->local[d->slot], v);
        Truth in = guess_must_have(&all, v) ? TRUTH_YES : TRUTH_OPEN;
        if (d->where) {
            eval(gs, inner, d->where, &g, depth);
            Truth passes = guess_truth(&g);
            in = passes == TRUTH_NO ? TRUTH_NO : passes == TRUTH_OPEN ? TRUTH_OPEN : in;
        }
        if (in == TRUTH_NO)
            continue;
        if (e->op == IR_FILTER) {
            guess_add_may(out, v);
            if (in == TRUTH_YES)
                guess_add_must(out, v);
            continue;
        }
        eval(gs, inner, e->kid[0], &g, depth);
        if (e->op == IR_UNION) {
            for (int w = 0; w < GUESS_WORDS; w++) {
                out->may[w] |= g.may[w];
                out->must[w] |= in == TRUTH_YES ? g.must[w] : 0;
            }
            continue;
        }
        Truth holds = guess_truth(&g);
        some = some || (in == TRUTH_YES && holds == TRUTH_YES);
        some_open = some_open || holds != TRUTH_NO;
        every = every && !(in == TRUTH_YES && holds == TRUTH_NO);
        every_open = every_open || holds != TRUTH_YES;
    }
    mem_free(inner);
    if (e->op == IR_ANY)
        guess_set_truth(out, some ? TRUTH_YES : some_open ? TRUTH_OPEN : TRUTH_NO);
    else if (e->op == IR_ALL)
        guess_set_truth(out, !every ? TRUTH_NO : every_open ? TRUTH_OPEN : TRUTH_YES);
}

// --- operators ---

static void condition(Guesser *gs, const GuessFrame *frame, const IrExpr *e, Guess *out,
                      int depth) {
    Guess a, b;
    eval(gs, frame, e->kid[0], &a, depth);
    Truth t = guess_truth(&a);
    if (e->op == IR_NOT) {
        guess_set_truth(out, guess_opposite(t));
        return;
    }
    if (e->op == IR_COND) {
        eval(gs, frame, e->kid[t == TRUTH_NO ? 2 : 1], out, depth);
        if (t != TRUTH_OPEN)
            return;
        eval(gs, frame, e->kid[2], &b, depth);
        out->any = out->any || b.any;
        for (int w = 0; w < GUESS_WORDS; w++) {
            out->may[w] |= b.may[w];
            out->must[w] &= b.must[w];
        }
        return;
    }
    Truth decides = e->op == IR_BOTH ? TRUTH_NO : TRUTH_YES;
    if (t != decides) {
        eval(gs, frame, e->kid[1], &b, depth);
        Truth u = guess_truth(&b);
        t = u == decides ? decides : t == TRUTH_OPEN ? TRUTH_OPEN : u;
    }
    guess_set_truth(out, t);
}

// The two kids of what has two.
static void binary(Guesser *gs, const GuessFrame *frame, const IrExpr *e, Guess *out, int depth) {
    Guess a, b;
    eval(gs, frame, e->kid[0], &a, depth);
    eval(gs, frame, e->kid[1], &b, depth);
    switch (e->op) {
    case IR_AND:
    case IR_OR:
    case IR_MINUS: guess_combine(e->op, &a, &b, out); break;
    case IR_MEMBER: guess_set_truth(out, guess_member(&a, &b)); break;
    case IR_WITHIN: guess_set_truth(out, guess_within(&a, &b)); break;
    case IR_EQ: guess_set_truth(out, guess_equal(e, &a, &b)); break;
    case IR_NE: guess_set_truth(out, guess_opposite(guess_equal(e, &a, &b))); break;
    default: guess_number(e, &a, &b, out); break;
    }
}

static void of_set(Guesser *gs, const GuessFrame *frame, const IrExpr *e, Guess *out, int depth) {
    Guess a;
    eval(gs, frame, e->kid[0], &a, depth);
    int cells = gs->game->board->cells, must = 0, may = 0;
    for (int w = 0; w < GUESS_WORDS; w++) {
        must += bits_count(a.must[w]);
        may += bits_count(a.may[w]);
    }
    if (e->op == IR_SOME)
        guess_set_truth(out, must ? TRUTH_YES : may ? TRUTH_OPEN : TRUTH_NO);
    else if (e->op == IR_COUNT && must == may)
        guess_value(out, may);
    else if (e->op == IR_FIRST) {
        *out = a;
        memset(out->must, 0, sizeof out->must);
        if (!must)
            guess_add_may(out, cells); // none
    } else if (e->op == IR_NOT_SET) {
        Guess all = {0};
        for (int c = 0; c < cells; c++)
            guess_add_must(&all, c);
        guess_combine(IR_MINUS, &all, &a, out);
    } else {
        open_for(gs, e, out);
    }
}

static void one_cell(Guesser *gs, const GuessFrame *frame, const IrExpr *e, Guess *out, int depth) {
    Guess a;
    eval(gs, frame, e->kid[0], &a, depth);
    int cells = gs->game->board->cells, only = guess_single(&a);
    if (a.any) {
        open_for(gs, e, out);
        return;
    }
    *out = a;
    if (e->op == IR_SINGLE) // none is in no set
        out->may[cells / 64] &= ~((uint64_t)1 << (cells % 64));
    if (only >= 0 && (e->op == IR_MASK_OF || only < cells))
        guess_add_must(out, only);
}

// --- expressions ---

static bool look_same(const IrGame *g, const IrExpr *a, const IrExpr *b) {
    if (!a || !b || a == b)
        return a == b;
    if (a->op != b->op || a->id != b->id || a->value != b->value || a->set != b->set ||
        a->domain != b->domain)
        return false;
    if (a->op == IR_CALL && g->func[a->id]->params > 0)
        return false;
    for (int i = 0; i < 3; i++)
        if (!look_same(g, a->kid[i], b->kid[i]))
            return false;
    return true;
}

// Rules have no recursion, but nests of definitions; deeper ones stay open.
#define DEPTH_MAX 40

static void eval(Guesser *gs, const GuessFrame *frame, const IrExpr *e, Guess *out, int depth) {
    if (++depth > DEPTH_MAX || --gs->steps < 0) {
        open_for(gs, e, out);
        return;
    }
    if (gs->same && e->uses == 0 && look_same(gs->game, gs->same, e)) {
        guess_value(out, gs->same_value);
        return;
    }
    switch (e->op) {
    case IR_CONST:
        guess_open(out);
        if (e->type.kind == TY_MASK) {
            *out = (Guess){0};
            out->may[0] = out->must[0] = (uint64_t)e->value;
        } else if (e->value >= 0 && e->value < GUESS_VALUES) {
            guess_value(out, (int)e->value);
        }
        break;
    case IR_SET:
        *out = (Guess){0};
        memcpy(out->may, e->set, 8 * (size_t)gs->game->board->words);
        memcpy(out->must, e->set, 8 * (size_t)gs->game->board->words);
        break;
    case IR_LOCAL:
        if (e->id < GUESS_SLOTS && (!guess_is_set(e) || !frame->local[e->id].any))
            *out = frame->local[e->id];
        else
            open_for(gs, e, out);
        break;
    case IR_ME:
        if (gs->game->players == 1)
            guess_value(out, 0);
        else
            guess_open(out);
        break;
    case IR_TABLE: table(gs, frame, e, out, depth); break;
    case IR_CALL: call(gs, frame, e, out, depth); break;
    case IR_OCCUPIED:
    case IR_OWNED:
    case IR_PLANE:
    case IR_PIECES: pieces(gs, frame, e, out, depth); break;
    case IR_KIND_AT:
    case IR_OWNER_AT:
    case IR_ATTR: content(gs, frame, e, out, depth); break;
    case IR_SINGLE:
    case IR_MASK_OF: one_cell(gs, frame, e, out, depth); break;
    case IR_SOME:
    case IR_COUNT:
    case IR_FIRST:
    case IR_NOT_SET: of_set(gs, frame, e, out, depth); break;
    case IR_FILTER:
    case IR_UNION:
    case IR_ANY:
    case IR_ALL: loop(gs, frame, e, out, depth); break;
    case IR_BOTH:
    case IR_EITHER:
    case IR_NOT:
    case IR_COND: condition(gs, frame, e, out, depth); break;
    case IR_AND:
    case IR_OR:
    case IR_MINUS:
    case IR_MEMBER:
    case IR_WITHIN:
    case IR_EQ:
    case IR_NE:
    case IR_ADD:
    case IR_SUB:
    case IR_MUL:
    case IR_DIV:
    case IR_MOD:
    case IR_LT:
    case IR_LE:
    case IR_LOWER:
    case IR_HIGHER: binary(gs, frame, e, out, depth); break;
    default: open_for(gs, e, out); break;
    }
}

void guess_expr(Guesser *gs, const GuessFrame *frame, const IrExpr *e, Guess *out) {
    eval(gs, frame, e, out, 0);
}

bool guess_can_hold(Guesser *gs, const GuessFrame *frame, const IrExpr *e) {
    Guess g;
    eval(gs, frame, e, &g, 0);
    return guess_truth(&g) != TRUTH_NO;
}
