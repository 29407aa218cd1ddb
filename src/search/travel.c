// travel: see travel.h.
#include "search/travel.h"

#include "base/bits.h"
#include "base/mem.h"

#include <string.h>

#define STEPS 20000L         // of guessing, for one question,
#define STEPS_ALL 20000000L  //   and for all
#define QUESTIONS_MAX 200000 // pieces times pairs of cells: larger boards are left alone

// --- how many cells change ---

static int least(int a, int b) {
    return a < b ? a : b;
}

static int count_set(const IrGame *g, const uint64_t *set) {
    int n = 0;
    for (int w = 0; w < g->board->words; w++)
        n += bits_count(set[w]);
    return n;
}

// The most members that a set of cells, or a cell, can stand for.
static int size_of(const IrGame *g, const IrExpr *e, int depth) {
    int all = g->board->cells, a, b;
    if (e->type.kind != TY_SET)
        return 1;
    if (depth == 0)
        return all;
    switch (e->op) {
    case IR_SET: return count_set(g, e->set);
    case IR_SINGLE: return 1;
    case IR_AND:
        a = size_of(g, e->kid[0], depth - 1);
        b = size_of(g, e->kid[1], depth - 1);
        return least(a, b);
    case IR_MINUS: return size_of(g, e->kid[0], depth - 1);
    case IR_OR:
        a = size_of(g, e->kid[0], depth - 1);
        b = size_of(g, e->kid[1], depth - 1);
        return least(all, a + b);
    case IR_COND:
        a = size_of(g, e->kid[1], depth - 1);
        b = size_of(g, e->kid[2], depth - 1);
        return a > b ? a : b;
    case IR_CALL: return size_of(g, g->func[e->id]->body, depth - 1);
    case IR_TABLE: {
        const IrTable *t = g->table[e->id];
        int n = t->size[0] * (t->dims > 1 ? t->size[1] : 1), most = 0;
        for (int i = 0; i < n && t->sets; i++) {
            int size = count_set(g, t->sets + (size_t)i * (size_t)g->board->words);
            most = size > most ? size : most;
        }
        return most;
    }
    default: return all;
    }
}

static int changes_in(const IrGame *g, const IrStmt *s) {
    int all = g->board->cells, sum = 0, most = 0;
    for (; s; s = s->next) {
        switch (s->kind) {
        case ST_EITHER:
            most = 0;
            for (const IrStmt *b = s->body; b; b = b->sibling) {
                int n = changes_in(g, b->body);
                most = n > most ? n : most;
            }
            sum += most;
            break;
        case ST_IF: {
            int a = changes_in(g, s->body), b = changes_in(g, s->other);
            sum += a > b ? a : b;
            break;
        }
        case ST_FOR: {
            bool set = s->domain->kind == DOM_SET;
            int rounds = set ? size_of(g, s->domain->a, 8) : all;
            sum += least(all, changes_in(g, s->body) * rounds);
            break;
        }
        case ST_WHILE: sum += changes_in(g, s->body) > 0 ? all : 0; break;
        case ST_MOVE:
        case ST_MOVE_ABOVE: sum += 2; break;
        case ST_PLACE:
        case ST_REMOVE:
        case ST_CLEAR:
        case ST_CHANGE: sum += size_of(g, s->e[0], 8); break;
        case ST_SET_ATTR: sum += 1; break;
        case ST_SCATTER: sum += all; break;
        default: break;
        }
        sum = least(sum, all);
    }
    return sum;
}

int travel_changes(const IrGame *g) {
    int n = changes_in(g, g->turn);
    return n > 0 ? n : 1;
}

// --- single pieces that go from cell to cell ---

// A walk along the turn for one question: can a piece of `plane` go from `from` to `to`?
typedef struct Question {
    const IrGame *game;
    int from, to;
    Guesser gs;
    GuessFrame frame;
    bool possible; // some move statement says yes
    long steps;    // left for all questions
} Question;

static bool can_be(Question *q, const IrExpr *e, int value) {
    Guess g;
    guess_expr(&q->gs, &q->frame, e, &g);
    return guess_has(&g, value);
}

// The local behind an expression; -1 if it is none.
static int slot_of(const IrExpr *e) {
    return e->op == IR_LOCAL && e->id < GUESS_SLOTS ? e->id : -1;
}

static bool touches_board(const IrStmt *s);

static bool any_touches(const IrStmt *s) {
    for (; s; s = s->next)
        if (touches_board(s))
            return true;
    return false;
}

static bool touches_board(const IrStmt *s) {
    if (s->kind >= ST_SET_ATTR && s->kind <= ST_CHANGE)
        return true;
    if (s->kind == ST_SCATTER || any_touches(s->body) || any_touches(s->other))
        return true;
    for (const IrStmt *b = s->kind == ST_EITHER ? s->body : NULL; b; b = b->sibling)
        if (any_touches(b->body))
            return true;
    return false;
}

// Follows the statements up to the move whose pieces are asked about. A choice that the piece's
// cells would have to pass, and cannot, ends the walk: then `possible` stays as it is.
// `move` is the move statement; returns false when the walk has ended.
static bool follow(Question *q, const IrStmt *s, const IrStmt *move);

static bool follow_move(Question *q, const IrStmt *move) {
    bool from = can_be(q, move->e[0], q->from), to = can_be(q, move->e[1], q->to);
    q->possible = q->possible || (from && to);
    return false;
}

// The local that a statement gives a value; -1: none.
static int given_slot(const IrStmt *s) {
    if (s->kind == ST_CHOOSE || s->kind == ST_FOR)
        return s->domain->slot;
    return s->kind == ST_LET ? s->id : -1;
}

// How many statements of some kinds (bits of `kinds`) give a local its value.
static int count_given(const IrStmt *s, int slot, unsigned kinds) {
    int n = 0;
    for (; s; s = s->next) {
        n += (kinds >> s->kind & 1) && given_slot(s) == slot;
        n += count_given(s->other, slot, kinds);
        if (s->kind != ST_EITHER)
            n += count_given(s->body, slot, kinds);
        for (const IrStmt *b = s->kind == ST_EITHER ? s->body : NULL; b; b = b->sibling)
            n += count_given(b->body, slot, kinds);
    }
    return n;
}

#define KIND(kind) (1u << (kind))

// Locals that get a value in statements that are passed by can have any.
static void pass_by(Question *q, const IrStmt *s) {
    int slot = given_slot(s);
    if (slot >= 0 && slot < GUESS_SLOTS)
        guess_open(&q->frame.local[slot]);
    for (const IrStmt *inside = s->other; inside; inside = inside->next)
        pass_by(q, inside);
    for (const IrStmt *inside = s->body; inside; inside = inside->next)
        pass_by(q, inside);
    for (const IrStmt *b = s->kind == ST_EITHER ? s->body : NULL; b; b = b->sibling)
        pass_by(q, b);
}

// The members of a choice, narrowed to the cell that the question gives it.
static bool follow_choice(Question *q, const IrStmt *s, const IrStmt *move) {
    int slot = s->domain->slot;
    Guess g;
    if (slot >= GUESS_SLOTS)
        return true;
    bool is_from = slot_of(move->e[0]) == slot, is_to = slot_of(move->e[1]) == slot;
    if (s->domain->kind != DOM_SET || (is_from && is_to) ||
        count_given(q->game->turn, slot, KIND(ST_LET) | KIND(ST_FOR))) {
        guess_open(&q->frame.local[slot]);
        return true;
    }
    guess_expr(&q->gs, &q->frame, s->domain->a, &g);
    if (is_from || is_to) {
        int cell = is_from ? q->from : q->to;
        guess_value(&q->frame.local[slot], cell);
        return guess_has(&g, cell) &&
               (!s->domain->where || guess_can_hold(&q->gs, &q->frame, s->domain->where));
    }
    memset(g.must, 0, sizeof g.must);
    g.any = false;
    q->frame.local[slot] = g;
    return true;
}

// A name for a value; the one of the piece's cells if it is that and never becomes another.
static bool follow_let(Question *q, const IrStmt *s, const IrStmt *move) {
    int slot = s->id;
    if (slot >= GUESS_SLOTS)
        return true;
    Guess g;
    guess_expr(&q->gs, &q->frame, s->e[0], &g);
    bool is_from = slot_of(move->e[0]) == slot, is_to = slot_of(move->e[1]) == slot;
    unsigned all = KIND(ST_LET) | KIND(ST_FOR) | KIND(ST_CHOOSE);
    if (is_from != is_to && count_given(q->game->turn, slot, all) == 1) {
        int cell = is_from ? q->from : q->to;
        if (!guess_has(&g, cell))
            return false;
        guess_value(&g, cell);
    }
    q->frame.local[slot] = g;
    return true;
}

static bool contains(const IrStmt *s, const IrStmt *wanted) {
    for (; s; s = s->next) {
        if (s == wanted || contains(s->body, wanted) || contains(s->other, wanted))
            return true;
        for (const IrStmt *b = s->kind == ST_EITHER ? s->body : NULL; b; b = b->sibling)
            if (contains(b->body, wanted))
                return true;
    }
    return false;
}

// The branch of a statement that holds the move, or NULL.
static const IrStmt *branch_with(const IrStmt *s, const IrStmt *move) {
    if (contains(s->other, move))
        return s->other;
    if (s->kind != ST_EITHER)
        return contains(s->body, move) ? s->body : NULL;
    for (const IrStmt *b = s->body; b; b = b->sibling)
        if (contains(b->body, move))
            return b->body;
    return NULL;
}

static bool follow(Question *q, const IrStmt *s, const IrStmt *move) {
    for (; s; s = s->next) {
        if (s == move)
            return follow_move(q, move);
        const IrStmt *inside = branch_with(s, move);
        if (s->kind == ST_IF && inside == s->body && inside &&
            !guess_can_hold(&q->gs, &q->frame, s->e[0]))
            return false;
        if (inside)
            return follow(q, inside, move);
        if (s->kind == ST_CHOOSE && !follow_choice(q, s, move))
            return false;
        if (s->kind == ST_REQUIRE && !guess_can_hold(&q->gs, &q->frame, s->e[0]))
            return false;
        if (s->kind == ST_LET && !follow_let(q, s, move))
            return false;
        if (s->kind != ST_CHOOSE && s->kind != ST_LET)
            pass_by(q, s);
    }
    return false;
}

// Moves of the turn, if nothing else touches the board and no two of them can happen in one turn.
#define MOVES_MAX 16
typedef struct Moves {
    const IrStmt *move[MOVES_MAX];
    int count;
    bool other;
} Moves;

// Collects them; returns how many can happen one after the other.
static int collect(const IrStmt *s, Moves *m) {
    int sum = 0;
    for (; s; s = s->next) {
        if (s->kind == ST_MOVE) {
            if (m->count < MOVES_MAX)
                m->move[m->count++] = s;
            else
                m->other = true;
            sum++;
        } else if (s->kind == ST_IF) {
            int a = collect(s->body, m), b = collect(s->other, m);
            sum += a > b ? a : b;
        } else if (s->kind == ST_EITHER) {
            int most = 0;
            for (const IrStmt *b = s->body; b; b = b->sibling) {
                int n = collect(b->body, m);
                most = n > most ? n : most;
            }
            sum += most;
        } else if (touches_board(s)) { // in a loop, or not a move
            m->other = true;
        }
        // A choice may depend on what was stored just before.
        m->other = m->other || (s->kind == ST_ASSIGN && s->next && any_touches(s->next));
        m->other = m->other || ((s->kind == ST_FOR || s->kind == ST_WHILE) && any_touches(s->next));
    }
    return sum;
}

static bool ask(Question *q, const IrStmt *move, int plane, int from, int to, int target) {
    const IrGame *g = q->game;
    q->from = from;
    q->to = to;
    q->possible = false;
    q->gs = (Guesser){.game = g,
                      .known = {{from, plane, NULL}, {to, target, NULL}},
                      .known_count = 2,
                      .steps = STEPS};
    q->steps -= STEPS;
    // A destination that is no choice, such as the gap, is the same wherever the rules name it.
    if (slot_of(move->e[1]) < 0 && move->e[1]->uses == 0) {
        if (!can_be(q, move->e[1], to))
            return false;
        q->gs.same = move->e[1];
        q->gs.same_value = to;
    }
    for (int i = 0; i < GUESS_SLOTS; i++)
        guess_open(&q->frame.local[i]);
    follow(q, g->turn, move);
    q->steps += q->gs.steps > 0 ? q->gs.steps : 0;
    return q->possible;
}

// Whether a piece can go there though something stands there: it would be taken.
static bool can_take(Question *q, const IrStmt *move, int plane, int from, int to) {
    for (int target = 0; target < q->game->planes; target++)
        if (ask(q, move, plane, from, to, target))
            return true;
    return false;
}

uint8_t *travel_steps(const IrGame *g) {
    size_t cells = (size_t)g->board->cells, planes = (size_t)g->planes;
    Moves m = {0};
    if (collect(g->turn, &m) != 1 || m.other || cells * cells * planes > QUESTIONS_MAX)
        return NULL;
    uint8_t *steps = mem_alloc(cells * cells * planes + 1);
    Question *q = mem_alloc(sizeof *q);
    bool ok = steps && q;
    if (ok) {
        q->game = g;
        q->steps = STEPS_ALL;
    }
    for (size_t i = 0; ok && i < cells * cells * planes; i++) {
        int plane = (int)(i / (cells * cells)), from = (int)(i / cells % cells);
        int to = (int)(i % cells);
        for (int k = 0; from != to && k < m.count && ok; k++) {
            steps[i] |= ask(q, m.move[k], plane, from, to, -1);
            ok = !can_take(q, m.move[k], plane, from, to) && q->steps > 0;
        }
    }
    mem_free(q);
    if (ok)
        return steps;
    mem_free(steps);
    return NULL;
}
