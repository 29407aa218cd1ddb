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
            w[s] = learned_rounded(GUESS_PIECE * worth * LEARNED_UNIT * LEARNED_SCALE);
        }
        for (int s = l->slots.attr; s < l->slots.var; s++) {
            const IrAttr *a = &ir->attr[(s - l->slots.attr) / ir->kinds];
            double range = fmax(1, (double)a->hi - a->lo);
            w[s] = learned_rounded(GUESS_PIECE / range * LEARNED_UNIT * LEARNED_SCALE);
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
    for (int stage = 0; stage < LEARNED_STAGES && !k->failed; stage++) {
        learned_play(k, stage);
        if (k->failed)
            break;
        if (stage == 0 && k->decided < FEW * k->games) {
            guess_weights(k);
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
