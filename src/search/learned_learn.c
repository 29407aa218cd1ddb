// learned_learn: plays, fits and plays again, better by what was learnt; see learned.h.
#include "base/mem.h"
#include "search/evaluate.h"
#include "search/learned_parts.h"

#include <math.h>
#include <string.h>

#define FEW 0.3          // share of random games that are won: with less, it begins with a guess
#define GUESS_PIECE 0.25 // logits for a piece
#define GAIN 0.985       // of the deviance: below it, looking at moves pays
#define NOTHING 0.985    // above it, nothing was learnt
#define EARLY 1          // the stage before the first with a search
#define SCALE_STEPS 8

int32_t learned_rounded(double x) {
    double most = 1 << 24;
    return (int32_t)lrint(fmax(-most, fmin(most, x)));
}

static void set_weights(Learner *k) {
    Learned *l = k->l;
    for (int p = 0; p < l->game->ir->players; p++)
        for (int s = 0; s < l->slots.count; s++) {
            double sum = learned_slot_weight(k, p, s);
            int at = p * l->slots.count + s;
            l->weight[at] =
                learned_rounded(sum * LEARNED_UNIT * LEARNED_SCALE + (k->guess ? k->guess[at] : 0));
        }
}

// Where random games are hardly ever won, nothing can be learnt from them. Then it begins with
// what is good in most games: to have pieces, those that can move far more than others, and large
// numbers of what they have (strength, health).
static bool guess_weights(Learner *k, int32_t *to) {
    const Learned *l = k->l;
    const IrGame *ir = l->game->ir;
    Text ignored = {0};
    Evaluation *material = evaluation_new(l->game, "material", &ignored);
    for (int p = 0; p < ir->players; p++) {
        int32_t *w = to + p * l->slots.count;
        for (int s = 0; s < l->slots.attr; s++) {
            double worth = material ? material->weight[s / ir->board->cells] / 100.0 : 1;
            w[s] = learned_rounded(GUESS_PIECE * worth * LEARNED_UNIT * LEARNED_SCALE);
        }
        for (int s = l->slots.attr; s < l->slots.var; s++) {
            const IrAttr *a = &ir->attr[(s - l->slots.attr) / ir->kinds];
            double range = fmax(1, (double)a->hi - a->lo);
            w[s] = learned_rounded(GUESS_PIECE / range * LEARNED_UNIT * LEARNED_SCALE);
        }
    }
    bool known = material != NULL;
    evaluation_free(material);
    text_free(&ignored);
    return known;
}

static size_t weights_size(const Learner *k) {
    return sizeof *k->guess * (size_t)(k->l->game->ir->players * k->l->slots.count);
}

// Begins with the guess.
static void begin_guess(Learner *k) {
    k->guess = mem_alloc(weights_size(k));
    k->failed = !k->guess;
    if (k->failed)
        return;
    guess_weights(k, k->guess);
    memcpy(k->l->weight, k->guess, weights_size(k));
}

static double fit(Learner *k) {
    double loss = fit_logistic(&k->rows, k->ridge, k->w);
    k->failed = k->failed || loss < 0 || learned_stopped(k->l);
    return loss;
}

// What is left unexplained if only who is on move is known, and the game's own imbalance.
static double fit_nothing(Learner *k) {
    const LearnedSlots *s = &k->l->slots;
    int first = learned_column(k, 0, s->tempo) % k->of_player;
    for (int j = 0; j < k->rows.columns; j++)
        k->ridge[j] = j % k->of_player < first ? LEARNED_FIXED : k->ridge[j];
    memset(k->w, 0, sizeof *k->w * (size_t)k->rows.columns);
    double loss = fit(k);
    learned_ridge(k);
    memset(k->w, 0, sizeof *k->w * (size_t)k->rows.columns);
    return loss;
}

// Counting moves takes as long as everything else together: it has to be worth it.
static double fit_mobility(Learner *k, double loss) {
    double least = fit_least(&k->rows);
    for (int p = 0; p < k->l->game->ir->players; p++)
        k->ridge[learned_column(k, p, k->l->slots.mobility)] = LEARNED_FIXED;
    memset(k->w, 0, sizeof *k->w * (size_t)k->rows.columns);
    double without = fit(k);
    if (k->guess || loss - least >= GAIN * (without - least)) {
        k->l->uses &= ~(unsigned)LEARNED_MOBILITY;
        return without;
    }
    learned_ridge(k);
    return fit(k);
}

// --- candidates ---

// How many times the guess explains the results best.
static double scale_of(const FitRows *f, const double *sum) {
    double scale = 0;
    for (int round = 0; round < SCALE_STEPS; round++) {
        double slope = 0, curve = 1e-9;
        for (int i = 0; i < f->rows; i++) {
            double p = 1 / (1 + exp(-scale * sum[i])), weight = (double)f->weight[i];
            slope += weight * ((double)f->chance[i] - p) * sum[i];
            curve += weight * fmax(p * (1 - p), 1e-3) * sum[i] * sum[i];
        }
        scale += slope / curve;
    }
    return scale;
}

// What the guess says about each row. The guess is the same on all cells, so one will do.
static void guess_rows(const Learner *k, double *column, double *sum) {
    const Learned *l = k->l;
    const IrGame *ir = l->game->ir;
    const FitRows *f = &k->rows;
    const double unit = LEARNED_UNIT * LEARNED_SCALE;
    memset(column, 0, sizeof *column * (size_t)f->columns);
    for (int p = 0; p < (k->frame.shared ? 1 : ir->players); p++) {
        const int32_t *w = k->guess + p * l->slots.count;
        for (int kind = 0; kind < ir->kinds; kind++)
            column[p * k->of_player + kind * k->of_kind + SHAPE_COUNT] =
                w[kind * ir->board->cells] / unit;
        for (int s = l->slots.attr; s < l->slots.var; s++)
            column[learned_column(k, p, s)] = w[s] / unit;
    }
    for (int i = 0; i < f->rows; i++) {
        sum[i] = 0;
        for (int j = f->start[i]; j < f->start[i + 1]; j++)
            sum[i] += (double)f->value[j] * column[f->column[j]];
    }
}

// The same rows once more, with weights pulled to the guess instead of 0: what a piece can do
// says what it is worth where results do not. False where there is no such guess.
static bool fit_guided(Learner *k) {
    FitRows *f = &k->rows;
    k->guess = mem_alloc(weights_size(k));
    double *sum = mem_alloc(sizeof *sum * (size_t)(f->rows + 1));
    k->failed = !k->guess || !sum;
    double scale = 0;
    if (!k->failed && guess_weights(k, k->guess)) {
        guess_rows(k, k->w, sum);
        scale = scale_of(f, sum);
    }
    if (scale > 0) {
        for (int i = 0; i < f->rows; i++)
            f->offset[i] = (float)(scale * sum[i]);
        for (size_t i = 0; i < weights_size(k) / sizeof *k->guess; i++)
            k->guess[i] = learned_rounded(scale * k->guess[i]);
        learned_ridge(k);
        for (int p = 0; p < k->l->game->ir->players && !(k->l->uses & LEARNED_MOBILITY); p++)
            k->ridge[learned_column(k, p, k->l->slots.mobility)] = LEARNED_FIXED;
        memset(k->w, 0, sizeof *k->w * (size_t)f->columns);
        fit(k);
        set_weights(k);
    }
    mem_free(sum);
    mem_free(k->guess);
    k->guess = NULL;
    return scale > 0 && !k->failed;
}

// What is known before the first games with a search, fit as at the end.
static void keep_early(Learner *k, double loss, LearnedCandidate *early) {
    LearnedCandidate now = {0};
    k->failed = !learned_candidate(k->l, &now);
    if (k->failed)
        return;
    fit_mobility(k, loss);
    if (!k->failed)
        set_weights(k);
    k->failed = k->failed || !learned_candidate(k->l, early);
    memcpy(k->l->weight, now.weight, weights_size(k));
    k->l->uses = now.uses;
    learned_candidate_free(&now);
}

// `*best` becomes the better of what is learnt now and what was best so far.
static void challenge(Learner *k, LearnedCandidate *best) {
    LearnedCandidate now = {0};
    k->failed = k->failed || !learned_candidate(k->l, &now);
    bool better = !k->failed && learned_beats(k, &now, best);
    LearnedCandidate *gone = better ? best : &now;
    learned_candidate_free(gone);
    if (better)
        *best = now;
}

// Of what was learnt last, what was learnt from games without a search, and what is guided by a
// guess: the one that plays best.
static void choose_best(Learner *k, const LearnedCandidate *early) {
    LearnedCandidate best = {0};
    k->failed = k->failed || !learned_candidate(k->l, &best);
    if (!k->failed && !k->guess && k->l->game->ir->kinds > 1 && fit_guided(k))
        challenge(k, &best);
    if (!k->failed && early->weight) {
        memcpy(k->l->weight, early->weight, weights_size(k));
        k->l->uses = early->uses;
        challenge(k, &best);
    }
    if (!k->failed) {
        memcpy(k->l->weight, best.weight, weights_size(k));
        k->l->uses = best.uses;
    }
    learned_candidate_free(&best);
}

static bool begin(Learner *k) {
    const Game *g = k->l->game;
    k->runner = runner_new(g);
    k->states = mem_alloc(learned_size(k) * (LEARNED_PLIES + 1));
    k->next = mem_alloc(learned_size(k));
    k->slots = mem_alloc(sizeof *k->slots * LEARNED_SLOTS);
    if (!k->runner || !k->states || !k->next || !k->slots ||
        !learned_frame(g, k->runner, &k->frame) || !learned_look_begin(&k->look, k->l, k->runner))
        return false;
    learned_columns(k);
    k->rows.stop = k->l->stop;
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
    learned_look_end(&k->look);
    mem_free(k->ridge);
    mem_free(k->guess);
    mem_free(k->w);
    fit_free(&k->rows);
    mem_free(k);
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
    LearnedCandidate early = {0};
    for (int stage = 0; stage < LEARNED_STAGES && !k->failed; stage++) {
        learned_play(k, stage);
        if (k->failed)
            break;
        if (stage == 0 && k->decided < FEW * k->games) {
            begin_guess(k);
            fit_clear(&k->rows);
            continue;
        }
        learned_ridge(k);
        least = fit_least(&k->rows);
        nothing = fit_nothing(k) - least;
        loss = fit(k) - least;
        if (stage == LEARNED_STAGES - 1)
            loss = fit_mobility(k, loss + least) - least;
        if (!k->failed)
            set_weights(k);
        if (stage == EARLY && !k->failed)
            keep_early(k, loss + least, &early);
    }
    bool ok = !k->failed && loss < NOTHING * nothing;
    if (ok)
        choose_best(k, &early);
    ok = ok && !k->failed;
    learned_candidate_free(&early);
    if (k->failed)
        text_f(why, "nothing was learnt: %s",
               learned_stopped(l)                        ? "it was stopped"
               : k->runner && runner_error(k->runner)[0] ? runner_error(k->runner)
                                                         : "out of memory");
    else if (!ok)
        text_add(why, "not available for this game: nothing tells who will win");
    end(k);
    return ok;
}
