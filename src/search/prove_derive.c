// prove_derive: finds out whether a game is one of placing pieces; see prove_placing.h.
//
// A choice of a cell becomes a list of cells that have to be free and cells that have to be filled.
// Where the rules ask for more than that, the game is refused.
#include "search/prove_placing.h"

#include "base/bits.h"
#include "game/mirror.h"

#include <string.h>

#define DEPTH 24 // of expressions; deeper ones are refused

typedef struct Needs { // all of these
    bool never;
    uint64_t free, filled;
} Needs;

typedef struct Deriver {
    const IrGame *ir;
    int me;
    int slot, at; // the choice
} Deriver;

static uint64_t bit(int cell) {
    return (uint64_t)1 << cell;
}

// --- expressions ---

static bool number_of(const Deriver *d, const IrExpr *e, int depth, int *out);

static bool entry_of(const Deriver *d, const IrExpr *e, int depth, int *out) {
    const IrTable *t = d->ir->table[e->id];
    int index[2] = {0, 0};
    for (int i = 0; i < t->dims; i++) {
        if (!number_of(d, e->kid[i], depth, &index[i]))
            return false;
        index[i] -= t->base[i];
        if (index[i] < 0 || index[i] >= t->size[i])
            return false;
    }
    if (!t->numbers)
        return false;
    *out = t->numbers[t->dims > 1 ? index[0] * t->size[1] + index[1] : index[0]];
    return true;
}

static bool number_of(const Deriver *d, const IrExpr *e, int depth, int *out) {
    int a, b;
    if (!e || depth == 0)
        return false;
    switch (e->op) {
    case IR_CONST: *out = (int)e->value; return true;
    case IR_ME: *out = d->me; return true;
    case IR_LOCAL: *out = d->at; return e->id == d->slot && d->at >= 0;
    case IR_TABLE: return entry_of(d, e, depth - 1, out);
    case IR_CALL: {
        // The body has other locals than the turn.
        Deriver inner = {d->ir, d->me, -1, -1};
        const IrFunc *f = d->ir->func[e->id];
        return f->params == 0 && number_of(&inner, f->body, depth - 1, out);
    }
    case IR_COND:
        return number_of(d, e->kid[0], depth - 1, &a) &&
               number_of(d, e->kid[a ? 1 : 2], depth - 1, out);
    case IR_EQ:
    case IR_NE:
        if (e->kid[0]->type.kind == TY_SET || !number_of(d, e->kid[0], depth - 1, &a) ||
            !number_of(d, e->kid[1], depth - 1, &b))
            return false;
        *out = (a == b) == (e->op == IR_EQ);
        return true;
    default: return false;
    }
}

static bool opposite_of(Needs n, Needs *out) {
    *out = (Needs){0};
    if (n.never)
        return true;
    if (bits_count(n.free) + bits_count(n.filled) > 1)
        return false; // one or the other: not a list
    out->never = !n.free && !n.filled;
    out->free = n.filled;
    out->filled = n.free;
    return true;
}

static Needs both(Needs a, Needs b) {
    Needs n = {a.never || b.never, a.free | b.free, a.filled | b.filled};
    n.never = n.never || (n.free & n.filled);
    if (n.never)
        n.free = n.filled = 0;
    return n;
}

static bool member_of(const Deriver *d, const IrExpr *e, int cell, int depth, Needs *out);

// The cell before it, in the image of a set under steps in one direction.
static bool image_of(const Deriver *d, const IrExpr *e, int cell, int depth, Needs *out) {
    const IrTable *t = d->ir->table[e->id];
    int way, from = -1;
    if (!e->kid[1] || t->dims != 2 || !t->numbers || !number_of(d, e->kid[1], depth, &way))
        return false;
    for (int c = 0; c < d->ir->board->cells; c++)
        if (t->numbers[c * t->size[1] + way] == cell) {
            if (from >= 0)
                return false;
            from = c;
        }
    *out = (Needs){.never = true};
    return from < 0 || member_of(d, e->kid[0], from, depth, out);
}

// What has to be so that the cell is in the set.
static bool member_of(const Deriver *d, const IrExpr *e, int cell, int depth, Needs *out) {
    Needs a, b;
    int choice;
    *out = (Needs){0};
    if (depth-- == 0)
        return false;
    switch (e->op) {
    case IR_OCCUPIED: out->filled = bit(cell); return true;
    case IR_SET: out->never = !(e->set[0] >> cell & 1); return true;
    case IR_NOT_SET: return member_of(d, e->kid[0], cell, depth, &a) && opposite_of(a, out);
    case IR_AND:
    case IR_MINUS:
        if (!member_of(d, e->kid[0], cell, depth, &a) || !member_of(d, e->kid[1], cell, depth, &b))
            return false;
        if (e->op == IR_MINUS && !opposite_of(b, &b))
            return false;
        *out = both(a, b);
        return true;
    case IR_IMAGE: return image_of(d, e, cell, depth, out);
    case IR_CALL: {
        const IrFunc *f = d->ir->func[e->id];
        return f->params == 0 && member_of(d, f->body, cell, depth, out);
    }
    case IR_COND:
        return number_of(d, e->kid[0], depth, &choice) &&
               member_of(d, e->kid[choice ? 1 : 2], cell, depth, out);
    default: return false;
    }
}

// --- the turn ---

static bool add_group(PlacingGroup *group, int *count, int choice, int cell, bool filled) {
    for (int i = 0; i < *count; i++)
        if (group[i].shift == cell - choice && group[i].filled == filled) {
            group[i].mask |= bit(choice);
            return true;
        }
    if (*count == PLACING_GROUPS)
        return false;
    group[(*count)++] = (PlacingGroup){bit(choice), cell - choice, filled};
    return true;
}

static bool add_needs(PlacingSide *s, int choice, Needs n) {
    bool ok = true;
    for (uint64_t set = n.free; set && ok;)
        ok = add_group(s->group, &s->groups, choice, bits_pop(&set), false);
    for (uint64_t set = n.filled; set && ok;)
        ok = add_group(s->group, &s->groups, choice, bits_pop(&set), true);
    for (uint64_t set = s->fills[choice]; set && ok;)
        ok = add_group(s->cover, &s->covers, choice, bits_pop(&set), false);
    return ok;
}

// The cells that the rest of the turn fills; every piece is the mover's own.
static bool fills_of(const Deriver *d, const IrStmt *s, uint64_t *fills) {
    *fills = 0;
    for (; s; s = s->next) {
        int cell, owner;
        if (s->kind != ST_PLACE || s->id < 0 || s->e[2] || s->e[0]->type.kind == TY_SET ||
            !number_of(d, s->e[0], DEPTH, &cell) || !s->e[1] ||
            !number_of(d, s->e[1], DEPTH, &owner) || owner != d->me)
            return false;
        if (cell < d->ir->board->cells)
            *fills |= bit(cell);
    }
    return *fills != 0;
}

static bool derive_side(const IrGame *ir, int me, Placing *m) {
    PlacingSide *side = &m->side[me];
    const IrStmt *s = ir->turn;
    if (!s || s->kind != ST_CHOOSE || s->domain->kind != DOM_SET || s->domain->where)
        return false;
    for (int c = 0; c < ir->board->cells; c++) {
        Deriver d = {ir, me, s->domain->slot, -1};
        Needs n;
        if (!member_of(&d, s->domain->a, c, DEPTH, &n))
            return false;
        if (n.never)
            continue;
        d.at = c;
        if (!fills_of(&d, s->next, &side->fills[c]) || (side->fills[c] & ~n.free))
            return false; // it would not stay: something is replaced
        side->possible |= bit(c);
        if (!add_needs(side, c, n))
            return false;
    }
    m->least_fills[me] = 64;
    for (uint64_t set = side->possible; set;) {
        int n = bits_count(side->fills[bits_pop(&set)]);
        m->most_fills[me] = n > m->most_fills[me] ? n : m->most_fills[me];
        m->least_fills[me] = n < m->least_fills[me] ? n : m->least_fills[me];
    }
    side->chained = true;
    for (int c = 0; c < 64; c++) {
        uint64_t later = 0;
        for (int x = c + 1; x < 64; x++)
            if (side->fills[c] & side->fills[x]) {
                later |= bit(x);
                if (!add_group(side->overlap, &side->overlaps, c, x, false))
                    return false;
            }
        for (uint64_t set = later; set;) {
            int x = bits_pop(&set);
            for (uint64_t rest = set; rest;)
                side->chained &= (side->fills[x] & side->fills[bits_pop(&rest)]) != 0;
        }
    }
    return true;
}

// --- the end ---

static bool is_me(const IrExpr *e) {
    return e && e->op == IR_ME;
}

// some l in lines : l within mine
static bool is_own_line(const IrGame *ir, const IrExpr *e) {
    if (!e || e->op != IR_ANY || e->domain->kind != DOM_LINES || e->domain->a || e->domain->where)
        return false;
    const IrExpr *within = e->kid[0];
    if (within->op != IR_WITHIN || within->kid[0]->op != IR_LINE_SET)
        return false;
    const IrExpr *line = within->kid[0]->kid[0], *own = within->kid[1];
    bool mine = own->op == IR_OWNED || (own->op == IR_PIECES && own->id >= 0 && ir->kinds == 1);
    return line->op == IR_LOCAL && line->id == e->domain->slot && mine && is_me(own->kid[0]);
}

static bool is_full_board(const IrExpr *e) { // no empty
    return e && e->op == IR_NOT && e->kid[0]->op == IR_SOME &&
           e->kid[0]->kid[0]->op == IR_NOT_SET && e->kid[0]->kid[0]->kid[0]->op == IR_OCCUPIED;
}

// What having no move is worth to the player on move. Where the rules say nothing it is a draw.
static int value_of_stuck(const IrRules *stuck) {
    if (stuck->count == 0)
        return PROVE_DRAWN;
    const IrRule *rule = &stuck->rule[0];
    if (rule->cond || (rule->outcome != OUT_DRAW && !is_me(rule->player)))
        return PLACING_UNKNOWN;
    switch (rule->outcome) {
    case OUT_DRAW: return PROVE_DRAWN;
    case OUT_WINS: return PROVE_WON;
    case OUT_LOSES: return PROVE_LOST;
    default: return PLACING_UNKNOWN;
    }
}

static bool derive_end(const IrGame *ir, Placing *m) {
    int at = 0;
    const IrRules *end = &ir->end;
    if (at < end->count && end->rule[at].outcome == OUT_WINS && is_me(end->rule[at].player) &&
        is_own_line(ir, end->rule[at].cond)) {
        m->lines = ir->board->lines;
        at++;
    }
    m->full = 1;
    if (at < end->count && end->rule[at].outcome == OUT_DRAW && is_full_board(end->rule[at].cond)) {
        m->full = 0;
        at++;
    }
    m->stuck = value_of_stuck(&ir->stuck);
    // Without lines only the last move counts: a full board must not be an end of another kind.
    return at == end->count && (m->lines || (m->stuck == PROVE_LOST && m->full));
}

static void add_shape(Placing *m, uint64_t line) {
    int first = bits_lowest(line), i = 0;
    while (i < m->shapes && m->shape[i].cells != line >> first)
        i++;
    m->shape[i].cells = line >> first;
    m->shape[i].starts |= bit(first);
    m->shapes += i == m->shapes;
}

static bool derive_lines(const Board *b, Placing *m) {
    if (m->lines > PLACING_LINES)
        return false;
    int n = 0;
    for (int l = 0; l < m->lines; l++) {
        m->line[l] = b->line_set[l];
        add_shape(m, m->line[l]);
    }
    for (int c = 0; c < m->cells; c++) {
        m->through_start[c] = n;
        for (int l = 0; l < m->lines; l++)
            if (m->line[l] >> c & 1) {
                if (n == PLACING_THROUGH)
                    return false;
                m->through[n++] = (int16_t)l;
            }
    }
    m->through_start[m->cells] = n;
    return true;
}

// --- symmetry ---

static uint64_t image(const Mirror *by, uint64_t set) {
    uint64_t out = 0;
    while (set)
        out |= bit(by->cell[bits_pop(&set)]);
    return out;
}

static Needs needs_of(const PlacingSide *s, int choice) {
    Needs n = {0};
    for (int i = 0; i < s->groups; i++)
        if (s->group[i].mask >> choice & 1) {
            uint64_t cell = bit(choice + s->group[i].shift);
            n.free |= s->group[i].filled ? 0 : cell;
            n.filled |= s->group[i].filled ? cell : 0;
        }
    return n;
}

// Whether every move has its image: a move that needs and fills the images of its cells.
static bool maps_moves(const PlacingSide *s, const Mirror *by) {
    for (uint64_t set = s->possible; set;) {
        int c = bits_pop(&set);
        Needs n = needs_of(s, c);
        bool found = false;
        for (uint64_t rest = s->possible; rest && !found;) {
            int x = bits_pop(&rest);
            Needs o = needs_of(s, x);
            found = o.free == image(by, n.free) && o.filled == image(by, n.filled) &&
                    s->fills[x] == image(by, s->fills[c]);
        }
        if (!found)
            return false;
    }
    return true;
}

static bool maps_lines(const Placing *m, const Mirror *by) {
    for (int l = 0; l < m->lines; l++) {
        uint64_t set = image(by, m->line[l]);
        int x = 0;
        while (x < m->lines && m->line[x] != set)
            x++;
        if (x == m->lines)
            return false;
    }
    return true;
}

static void derive_symmetry(const Board *b, Placing *m) {
    Mirror mirror[MIRROR_MOST];
    int n = mirror_list(b, mirror);
    for (int i = 1; i < n && m->symmetries < PLACING_SYMMETRIES; i++) {
        const Mirror *by = &mirror[i];
        if (by->exchange || !maps_moves(&m->side[0], by) || !maps_moves(&m->side[1], by) ||
            !maps_lines(m, by))
            continue;
        for (int byte = 0; byte < 8; byte++)
            for (int v = 0; v < 256; v++) {
                uint64_t set = ((uint64_t)v << 8 * byte) & m->all;
                m->symmetry[m->symmetries][byte][v] = image(by, set);
            }
        m->symmetries++;
    }
}

// Whether a move needs just the cells that it fills to be free.
static bool is_packing(const PlacingSide *s) {
    for (uint64_t set = s->possible; set;) {
        int c = bits_pop(&set);
        Needs n = needs_of(s, c);
        if (n.free != s->fills[c] || n.filled)
            return false;
    }
    return true;
}

bool placing_derive(const Game *g, Placing *m) {
    const IrGame *ir = g->ir;
    const Board *b = ir->board;
    memset(m, 0, sizeof *m);
    if (ir->players != 2 || b->cells > 64 || b->stack > 1 || ir->vars > 0 || ir->attrs > 0)
        return false;
    m->cells = b->cells;
    m->all = b->cells == 64 ? ~(uint64_t)0 : bit(b->cells) - 1;
    if (!derive_side(ir, 0, m) || !derive_side(ir, 1, m) || !derive_end(ir, m) ||
        !derive_lines(b, m))
        return false;
    m->same = m->side[0].possible == m->side[1].possible;
    for (int c = 0; c < m->cells; c++) {
        Needs x = needs_of(&m->side[0], c), y = needs_of(&m->side[1], c);
        bool alike =
            x.free == y.free && x.filled == y.filled && m->side[0].fills[c] == m->side[1].fills[c];
        bool alone = !(m->side[0].possible >> c & 1) || (x.free | m->side[0].fills[c]) == bit(c);
        m->same = m->same && alike && alone;
    }
    derive_symmetry(b, m);
    return m->lines ? m->same : is_packing(&m->side[0]) && is_packing(&m->side[1]);
}
