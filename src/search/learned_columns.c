// learned_columns: from the slots of a state to the columns of the regression; see learned.h.
//
// Cells that are the same in some mirror share a column, and each kind of piece has a few more for
// what its cells have in common: how many there are, row, column, distance from the middle. So
// little is learnt about a single cell only if there is much to learn it from.
#include "search/learned_parts.h"

#include <math.h>

#define COLUMNS_MOST 3000

// How strongly weights are pulled to 0, in games: single cells more than what they add up to.
#define RIDGE 2
#define RIDGE_CELLS 12
#define RIDGE_GUESS 20 // times as much to a guess: games that are hardly ever won tell little
#define ROWS_ALIKE 8   // positions of a game that tell as much as one
#define RARE 0.1       // of a column's squares: below it, hardly anything is known

// Row, column and distance from the middle, -1 to 1, the same for all cells of an orbit.
static void set_shapes(Learner *k) {
    const Board *b = k->l->game->ir->board;
    double n[BOARD_MAX_CELLS] = {0}, sum[SHAPE_ORBITS][BOARD_MAX_CELLS] = {0};
    double x0 = 0, y0 = 0, far = 1;
    for (int c = 0; c < b->cells; c++) {
        x0 += b->cell[c].x / b->cells;
        y0 += b->cell[c].y / b->cells;
    }
    for (int c = 0; c < b->cells; c++)
        far = fmax(far, hypot(b->cell[c].x - x0, b->cell[c].y - y0));
    for (int c = 0; c < b->cells; c++) {
        double x = (b->cell[c].x - x0) / far, y = (b->cell[c].y - y0) / far;
        int orbit = k->frame.orbit[c];
        n[orbit]++;
        sum[SHAPE_COUNT][orbit]++;
        sum[SHAPE_ROW][orbit] += y;
        sum[SHAPE_COLUMN][orbit] += x;
        sum[SHAPE_CENTRE][orbit] += 1 - 2 * hypot(x, y);
    }
    for (int c = 0; c < b->cells; c++)
        for (int s = 0; s < SHAPE_ORBITS; s++)
            k->shape[s][c] = sum[s][k->frame.orbit[c]] / n[k->frame.orbit[c]];
}

void learned_columns(Learner *k) {
    set_shapes(k);
    const IrGame *ir = k->l->game->ir;
    int others = k->l->slots.count - k->l->slots.attr;
    int groups = k->frame.shared ? 1 : ir->players;
    if ((ir->kinds * (SHAPE_ORBITS + k->frame.count) + others) * groups > COLUMNS_MOST)
        k->frame.count = 0; // shapes have to do
    k->of_kind = SHAPE_ORBITS + k->frame.count;
    k->of_player = ir->kinds * k->of_kind + others;
    k->rows.columns = groups * k->of_player;
}

static int frame_cell(const Learner *k, int player, int cell) {
    return k->frame.shared && player < 2 ? k->frame.to[player][cell] : cell;
}

typedef bool Visit(Learner *k, int column, double value, void *with);

// The columns that a slot goes into, and how much of it.
static bool columns_of(Learner *k, int player, int slot, Visit *visit, void *with) {
    const IrGame *ir = k->l->game->ir;
    int cells = ir->board->cells, base = k->frame.shared ? 0 : player * k->of_player;
    if (slot >= k->l->slots.attr)
        return visit(k, base + ir->kinds * k->of_kind + slot - k->l->slots.attr, 1, with);
    int cell = frame_cell(k, player, slot % cells), kind = base + slot / cells * k->of_kind;
    bool ok = true;
    for (int s = 0; s < SHAPE_ORBITS && ok; s++)
        if (fabs(k->shape[s][cell]) > 1e-9)
            ok = visit(k, kind + s, k->shape[s][cell], with);
    return ok &&
           (k->frame.count == 0 || visit(k, kind + SHAPE_ORBITS + k->frame.orbit[cell], 1, with));
}

static bool visit_row(Learner *k, int column, double value, void *with) {
    return fit_add(&k->rows, column, value * *(const double *)with);
}

static bool visit_weight(Learner *k, int column, double value, void *with) {
    *(double *)with += k->w[column] * value;
    return true;
}

// --- rows ---

// What the guess says about the slots of a position.
static double guessed(const Learner *k, int n, int player) {
    double sum = 0, others = k->l->game->ir->players - 1;
    for (int i = 0; i < n && k->guess; i++) {
        const LearnedSlot *s = &k->slots[i];
        double worth = (double)k->guess[s->player * k->l->slots.count + s->slot] * s->value;
        sum += s->player == player ? worth : -worth / others;
    }
    return sum / (LEARNED_UNIT * LEARNED_SCALE);
}

void learned_row(Learner *k, const uint8_t *state, const double *chance, double weight) {
    int players = k->l->game->ir->players;
    int n = learned_take(k->l, k->runner, state, k->slots, LEARNED_SLOTS);
    // Of two players one is enough: the other's row would be the same with all signs changed.
    for (int p = 0; p < (players == 2 ? 1 : players) && !k->failed; p++) {
        bool ok = fit_begin_row(&k->rows, chance[p], weight, guessed(k, n, p));
        for (int i = 0; i < n && ok; i++) {
            const LearnedSlot *s = &k->slots[i];
            double factor = s->value * (s->player == p ? 1 : -1.0 / (players - 1));
            ok = columns_of(k, s->player, s->slot, visit_row, &factor);
        }
        k->failed = !ok;
    }
}

void learned_ridge(Learner *k) {
    const FitRows *f = &k->rows;
    int kinds = k->l->game->ir->kinds;
    for (int j = 0; j < f->columns; j++)
        k->ridge[j] = 0;
    for (int i = 0; i < f->size; i++)
        k->ridge[f->column[i]] += (double)f->value[i] * (double)f->value[i];
    for (int j = 0; j < f->columns; j++) {
        int in = j % k->of_player;
        bool cells = in < kinds * k->of_kind && in % k->of_kind >= SHAPE_ORBITS;
        double mean = k->ridge[j] / (f->rows + 1), pull = cells ? RIDGE_CELLS : RIDGE;
        pull *= k->guess ? RIDGE_GUESS : 1;
        // By its size: the same pull, whatever the column is counted in; more for what is rare.
        k->ridge[j] = mean > 1e-9 ? pull * ROWS_ALIKE * fmax(mean, RARE) : LEARNED_FIXED;
    }
}

int learned_column(const Learner *k, int player, int slot) {
    int base = k->frame.shared ? 0 : player * k->of_player;
    return base + k->l->game->ir->kinds * k->of_kind + slot - k->l->slots.attr;
}

double learned_slot_weight(Learner *k, int player, int slot) {
    double sum = 0;
    columns_of(k, player, slot, visit_weight, &sum);
    return sum;
}
