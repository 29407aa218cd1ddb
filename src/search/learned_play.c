// learned_play: games played to learn from; see learned.h.
//
// In the first stage all moves are random. In each later one a move is the best, by what is known
// so far, of a few random ones, sometimes of one and sometimes of many: so there are good moves,
// mistakes, and no two games are alike. The amount of work is counted and not timed: the same game
// gives the same weights on every machine and however the rules run.
#include "base/mem.h"
#include "search/evaluate.h"
#include "search/learned.h"

#include <math.h>
#include <string.h>

#define STAGES 3
#define STAGE_GAMES 400
#define STAGE_WORK 80000 // moves played, as tries or for good
#define MOVES_ALIKE 10   // moves found that take as long as one played
#define PLIES 400        // longer games are left unfinished: they are judged, and count half
#define GAME_ROWS 24     // positions of a game that are learnt from
#define TRIES 16         // moves that a better one is sought among
#define SLOTS_MOST 4096  // of a state
#define COLUMNS_MOST 3000
#define RANDOM_WEIGHT 0.5 // of random games, against better ones

// How strongly weights are pulled to 0, in games: single cells more than what they add up to.
#define RIDGE 2
#define RIDGE_CELLS 12
#define RIDGE_GUESS 20   // times as much to a guess: games that are hardly ever won tell little
#define FEW 0.3          // share of random games that are won: with less, it begins with a guess
#define GUESS_PIECE 0.25 // logits for a piece
#define ROWS_ALIKE 8     // positions of a game that tell as much as one
#define RARE 0.1         // of a column's squares: below it, hardly anything is known
#define FIXED 1e12       // keeps a column at 0
#define GAIN 0.985       // of the deviance: below it, looking at moves pays
#define NOTHING 0.985    // above it, nothing was learnt

enum { SHAPE_COUNT, SHAPE_ROW, SHAPE_COLUMN, SHAPE_CENTRE, SHAPE_ORBITS }; // of a kind's cells

typedef struct Learner {
    Learned *l;
    Runner *runner;
    LearnedFrame frame;
    double shape[SHAPE_ORBITS][BOARD_MAX_CELLS];
    int of_kind, of_player; // columns
    FitRows rows;
    double *ridge, *w;
    int32_t *guess; // NULL, or the weights it began with, in the form of Learned
    uint8_t *states, *next;
    Move *moves;
    int move_cap;
    LearnedSlot *slots;
    Rng rng;
    int64_t work;
    int games, decided;
    bool failed;
} Learner;

static size_t size_of(const Learner *k) {
    return (size_t)game_state_size(k->l->game);
}

// --- columns ---

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

static void count_columns(Learner *k) {
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

// 1 for a sole winner; 0.5 where nobody is better off than the others.
static double chance_of(int players, int result, int player) {
    int winners = __builtin_popcount((unsigned)result & ~(unsigned)RESULT_OVER);
    if (winners == 0)
        return 0.5;
    double share = (result >> player & 1) / (double)winners;
    return 0.5 + 0.5 * (share - (1 - share) / (players - 1));
}

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

static void add_row(Learner *k, const uint8_t *state, const double *chance, double weight) {
    int players = k->l->game->ir->players;
    int n = learned_take(k->l, k->runner, state, k->slots, SLOTS_MOST);
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

static void set_ridge(Learner *k) {
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
        k->ridge[j] = mean > 1e-9 ? pull * ROWS_ALIKE * fmax(mean, RARE) : FIXED;
    }
}

// --- games ---

static bool copy_moves(Learner *k, const Move *moves, int n) {
    if (n > k->move_cap) {
        Move *grown = mem_resize(k->moves, sizeof *grown * (size_t)n);
        if (!grown)
            return false;
        k->moves = grown;
        k->move_cap = n;
    }
    memcpy(k->moves, moves, sizeof *moves * (size_t)n);
    return true;
}

// The best of some random moves; of one in the first stage.
static bool play_move(Learner *k, uint8_t *here, int stage) {
    const Game *g = k->l->game;
    const Move *moves;
    int n = runner_moves(k->runner, here, &moves), me = game_player(g, here);
    if (n <= 0 || !copy_moves(k, moves, n)) {
        k->failed = k->failed || n != 0;
        return false;
    }
    k->work += n / MOVES_ALIKE;
    int most = stage == 0 ? 1 : n < TRIES ? n : TRIES;
    int tries = 1 + (int)rng_below(&k->rng, (uint64_t)most);
    Value best = 0;
    for (int i = 0; i < tries; i++) {
        int j = i + (int)rng_below(&k->rng, (uint64_t)(n - i));
        Move move = k->moves[j];
        k->moves[j] = k->moves[i];
        k->work++;
        if (!runner_apply(k->runner, here, move, k->next)) {
            k->failed = true;
            return false;
        }
        int result = k->next[g->ir->layout.result];
        double chance = chance_of(g->ir->players, result, me);
        Value value = result       ? (Value)(VALUE_SURE * (2 * chance - 1))
                      : tries == 1 ? 0
                                   : learned_value(k->l, k->runner, k->next, me);
        if (i == 0 || value > best) {
            best = value;
            memcpy(here + size_of(k), k->next, size_of(k));
        }
    }
    return true;
}

// The chances in a game that did not end, by what is known so far.
static double judge(Learner *k, const uint8_t *state, int player) {
    double value = learned_value(k->l, k->runner, state, player);
    return 1 / (1 + exp(-value / LEARNED_UNIT));
}

static void play_game(Learner *k, int stage) {
    const Game *g = k->l->game;
    memcpy(k->states, g->start, size_of(k));
    int n = 0, result = 0;
    while (n < PLIES && !result && !k->failed) {
        uint8_t *here = k->states + size_of(k) * (size_t)n;
        bool played = play_move(k, here, stage);
        result = played ? runner_result(k->runner, here + size_of(k)) : RESULT_OVER;
        k->failed = k->failed || result < 0;
        n += played;
    }
    double weight = (stage == 0 ? RANDOM_WEIGHT : 1) * (result ? 1 : 0.5);
    double chance[IR_MAX_PLAYERS];
    for (int p = 0; p < g->ir->players && !k->failed; p++)
        chance[p] = result ? chance_of(g->ir->players, result, p)
                           : judge(k, k->states + size_of(k) * (size_t)n, p);
    k->decided += (result & ~RESULT_OVER) != 0;
    k->games++;
    int rows = n < GAME_ROWS ? n : GAME_ROWS;
    for (int i = 0; i < rows && !k->failed; i++) {
        int ply = rows == n ? i : (int)rng_below(&k->rng, (uint64_t)n);
        add_row(k, k->states + size_of(k) * (size_t)ply, chance, weight);
    }
}

// --- weights ---

static int32_t rounded(double x) {
    double most = 1 << 24;
    return (int32_t)lrint(fmax(-most, fmin(most, x)));
}

static void set_weights(Learner *k) {
    Learned *l = k->l;
    for (int p = 0; p < l->game->ir->players; p++)
        for (int s = 0; s < l->slots.count; s++) {
            double sum = 0;
            columns_of(k, p, s, visit_weight, &sum);
            int at = p * l->slots.count + s;
            l->weight[at] =
                rounded(sum * LEARNED_UNIT * LEARNED_SCALE + (k->guess ? k->guess[at] : 0));
        }
}

// Where random games are hardly ever won, nothing can be learnt from them. Then it begins with
// what is good in most games: to have pieces, those that can move far more than others, and large
// numbers of what they have (strength, health).
static void guess_weights(Learner *k) {
    Learned *l = k->l;
    const IrGame *ir = l->game->ir;
    size_t size = sizeof *l->weight * (size_t)(ir->players * l->slots.count);
    k->guess = mem_alloc(size);
    if (!k->guess) {
        k->failed = true;
        return;
    }
    Text ignored = {0};
    Evaluation *material = evaluation_new(l->game, "material", &ignored);
    for (int p = 0; p < ir->players; p++) {
        int32_t *w = l->weight + p * l->slots.count;
        for (int s = 0; s < l->slots.attr; s++) {
            double worth = material ? material->weight[s / ir->board->cells] / 100.0 : 1;
            w[s] = rounded(GUESS_PIECE * worth * LEARNED_UNIT * LEARNED_SCALE);
        }
        for (int s = l->slots.attr; s < l->slots.var; s++) {
            const IrAttr *a = &ir->attr[(s - l->slots.attr) / ir->kinds];
            double range = fmax(1, (double)a->hi - a->lo);
            w[s] = rounded(GUESS_PIECE / range * LEARNED_UNIT * LEARNED_SCALE);
        }
    }
    memcpy(k->guess, l->weight, size);
    evaluation_free(material);
    text_free(&ignored);
}

static double fit(Learner *k) {
    double loss = fit_logistic(&k->rows, k->ridge, k->w);
    k->failed = k->failed || loss < 0;
    return loss;
}

static int column_of_slot(const Learner *k, int player, int slot) {
    int base = k->frame.shared ? 0 : player * k->of_player;
    return base + k->l->game->ir->kinds * k->of_kind + slot - k->l->slots.attr;
}

// What is left unexplained if only who is on move is known, and the game's own imbalance.
static double fit_nothing(Learner *k) {
    const LearnedSlots *s = &k->l->slots;
    int first = column_of_slot(k, 0, s->tempo) % k->of_player;
    for (int j = 0; j < k->rows.columns; j++)
        k->ridge[j] = j % k->of_player < first ? FIXED : k->ridge[j];
    memset(k->w, 0, sizeof *k->w * (size_t)k->rows.columns);
    double loss = fit(k);
    set_ridge(k);
    memset(k->w, 0, sizeof *k->w * (size_t)k->rows.columns);
    return loss;
}

// Counting moves takes as long as everything else together: it has to be worth it.
static double fit_mobility(Learner *k, double loss) {
    double least = fit_least(&k->rows);
    for (int p = 0; p < k->l->game->ir->players; p++)
        k->ridge[column_of_slot(k, p, k->l->slots.mobility)] = FIXED;
    memset(k->w, 0, sizeof *k->w * (size_t)k->rows.columns);
    double without = fit(k);
    if (k->guess || loss - least >= GAIN * (without - least)) {
        k->l->uses &= ~(unsigned)LEARNED_MOBILITY;
        return without;
    }
    set_ridge(k);
    return fit(k);
}

static bool begin(Learner *k) {
    const Game *g = k->l->game;
    k->runner = runner_new(g);
    k->states = mem_alloc(size_of(k) * (PLIES + 1));
    k->next = mem_alloc(size_of(k));
    k->slots = mem_alloc(sizeof *k->slots * SLOTS_MOST);
    if (!k->runner || !k->states || !k->next || !k->slots ||
        !learned_frame(g, k->runner, &k->frame))
        return false;
    set_shapes(k);
    count_columns(k);
    k->ridge = mem_alloc(sizeof *k->ridge * (size_t)k->rows.columns);
    k->w = mem_alloc(sizeof *k->w * (size_t)k->rows.columns);
    rng_seed(&k->rng, 1);
    return k->ridge && k->w;
}

static void end(Learner *k) {
    runner_free(k->runner);
    mem_free(k->states);
    mem_free(k->next);
    mem_free(k->moves);
    mem_free(k->slots);
    mem_free(k->ridge);
    mem_free(k->guess);
    mem_free(k->w);
    fit_free(&k->rows);
    mem_free(k);
}

static void play_stage(Learner *k, int stage) {
    k->work = 0;
    for (int i = 0; i < STAGE_GAMES && k->work < STAGE_WORK && !k->failed; i++)
        play_game(k, stage);
}

bool learned_learn(Learned *l, Text *why) {
    Learner *k = mem_alloc(sizeof *k);
    if (!k) {
        text_add(why, "out of memory");
        return false;
    }
    k->l = l;
    k->failed = !begin(k);
    double loss = 1, nothing = 1, least = 0;
    for (int stage = 0; stage < STAGES && !k->failed; stage++) {
        play_stage(k, stage);
        if (k->failed)
            break;
        if (stage == 0 && k->decided < FEW * k->games) {
            guess_weights(k);
            fit_clear(&k->rows);
            continue;
        }
        set_ridge(k);
        least = fit_least(&k->rows);
        nothing = fit_nothing(k) - least;
        loss = fit(k) - least;
        if (stage == STAGES - 1)
            loss = fit_mobility(k, loss + least) - least;
        if (!k->failed)
            set_weights(k);
    }
    bool ok = !k->failed && loss < NOTHING * nothing;
    if (k->failed)
        text_f(why, "nothing was learnt: %s",
               k->runner && runner_error(k->runner)[0] ? runner_error(k->runner) : "out of memory");
    else if (!ok)
        text_add(why, "not available for this game: nothing tells who will win");
    end(k);
    return ok;
}
