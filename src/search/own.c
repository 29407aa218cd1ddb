// own: the evaluation by what the rules of a game say, `worth` of its file or of a rule set.
//
// Rules count in units of their own. Positions of some random games tell how large the sums are;
// they are multiplied or divided by a power of ten, so that people find the digits of `ludens
// explain` in the values of a search.
//
// With two players a search takes for granted that what one wins the other loses. Where the rules
// do not say so themselves (`opponent -1`), the value is half of the difference between both. With
// more players each has his own.
#include "search/evaluate.h"

#include "base/mem.h"
#include "base/rng.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define IDLE 16       // working memories that are kept for the next call
#define LOOK_GAMES 8  // random games,
#define LOOK_PLIES 40 //   so many moves of each,
#define LOOK_STEP 4   //   every so many of them judged
#define USUAL 100     // a value of this size is usual at least, and below ten times that
#define TIMES_MOST 1000
#define FEW_TUPLES 4096 // of all relations: machine code finds so many in less than 0.2 us

typedef struct Own {
    const Knowledge *knowledge;
    Knowledge *mine; // the same, if nobody else frees it
    bool zero_sum;   // by what the rules say, or as there are not two players
    int64_t times, over;
    // Machine code needs no memory. Until there is some, a thread takes what another is not using:
    // who waits for the reference evaluator does not notice.
    _Atomic(Reasoner *) idle[IDLE];
} Own;

// --- asking ---

static Reasoner *take(Own *own) {
    for (;;) {
        for (int i = 0; i < IDLE; i++) {
            Reasoner *r = atomic_load_explicit(&own->idle[i], memory_order_relaxed)
                              ? atomic_exchange(&own->idle[i], NULL)
                              : NULL;
            if (r)
                return r;
        }
        Reasoner *r = reasoner_new(own->knowledge);
        if (r)
            return r;
        sched_yield(); // without memory: there is one at least, which somebody is using
    }
}

static void give_back(Own *own, Reasoner *r) {
    for (int i = 0; i < IDLE; i++) {
        Reasoner *none = NULL;
        if (atomic_compare_exchange_strong(&own->idle[i], &none, r))
            return;
    }
    reasoner_free(r);
}

static int64_t worth(Own *own, const uint8_t *state, int me) {
    int64_t found;
    if (knowledge_worth(own->knowledge, state, me, &found))
        return found;
    Reasoner *r = take(own);
    found = reasoner_worth(r, state, me);
    give_back(own, r);
    return found;
}

// What it is worth to a player, in the units of the rules; twice that unless `zero_sum`. Goes
// round where the rules are out of all proportion, as their own sums do.
static int64_t sum(Own *own, const uint8_t *state, int me) {
    int64_t found = worth(own, state, me);
    return own->zero_sum ? found : (int64_t)((uint64_t)found - (uint64_t)worth(own, state, 1 - me));
}

Value evaluate_own(const Evaluation *e, Runner *r, const uint8_t *state, int player) {
    (void)r;
    Own *own = e->own;
    int64_t found = sum(own, state, player), most = INT64_MAX / TIMES_MOST;
    found = found > most ? most : found < -most ? -most : found;
    int64_t value = found * own->times / own->over;
    return value >= VALUE_SURE    ? VALUE_SURE - 1
           : value <= -VALUE_SURE ? 1 - VALUE_SURE
                                  : (Value)value;
}

// --- making ---

// The mean size of what positions of random games are worth; 0 if all of them are worth nothing.
static double usual_size(const Evaluation *e, Runner *r, uint8_t *state) {
    Own *own = e->own;
    const Game *g = e->game;
    Rng rng;
    rng_seed(&rng, 1);
    double sizes = 0;
    int judged = 0;
    for (int i = 0; i < LOOK_GAMES; i++) {
        memcpy(state, g->start, (size_t)game_state_size(g));
        for (int ply = 1; ply <= LOOK_PLIES; ply++) {
            Move move;
            if (runner_random(r, state, rng_next(&rng), &move) != 1 ||
                !runner_apply(r, state, move, state) || state[g->ir->layout.result])
                break;
            if (ply % LOOK_STEP != 0)
                continue;
            if (e->stop && atomic_load_explicit(e->stop, memory_order_relaxed))
                return judged ? sizes / judged : 0;
            double found = (double)sum(own, state, game_player(g, state));
            sizes += found < 0 ? -found : found;
            judged++;
        }
    }
    return judged ? sizes / judged : 0;
}

static void set_scale(Own *own, double size) {
    own->times = own->over = 1;
    if (size <= 0)
        own->times = USUAL;
    for (; size > 0 && size * (double)own->times < USUAL && own->times < TIMES_MOST;)
        own->times *= 10;
    for (; size / (double)own->over >= 10 * USUAL && own->over < INT64_MAX / 100;)
        own->over *= 10;
    if (!own->zero_sum)
        own->over *= 2;
}

static bool fill(Evaluation *e, Own *own) {
    Runner *r = runner_new(e->game);
    uint8_t *state = mem_alloc((size_t)game_state_size(e->game));
    Reasoner *first = reasoner_new(own->knowledge); // others make do with it without memory
    bool ok = r && state && first;
    atomic_store(&own->idle[0], first);
    if (ok) {
        bool opposed =
            !knowledge_is_clips(own->knowledge) && knowledge_ir(own->knowledge)->opponent == -1;
        own->zero_sum = e->game->ir->players != 2 || opposed;
        double size = usual_size(e, r, state);
        set_scale(own, own->zero_sum ? size : size / 2);
    }
    mem_free(state);
    runner_free(r);
    return ok;
}

// By what the rules are, not by a clock: a search with the same limits finds the same moves on any
// machine. Stacks are asked level by level.
bool evaluate_own_slow(const Evaluation *e) {
    const Own *own = e->own;
    if (knowledge_is_clips(own->knowledge) || e->game->ir->layout.stack_width > 0)
        return true;
    const IrKnowledge *k = knowledge_ir(own->knowledge);
    int64_t tuples = 0;
    for (int n = 0; n < k->relations; n++)
        tuples += k->relation[n].tuples;
    return tuples > FEW_TUPLES;
}

// What rules in CLIPS say is not known before they are asked.
static bool says_worth(const Knowledge *k) {
    return knowledge_is_clips(k) || knowledge_ir(k)->worths > 0;
}

bool evaluate_own_begin(Evaluation *e, Text *why) {
    Own *own = e->own = mem_alloc(sizeof *own);
    if (!own) {
        text_add(why, "out of memory");
        return false;
    }
    own->knowledge = e->knowledge;
    if (!own->knowledge)
        own->knowledge = own->mine = knowledge_own(e->game);
    if (!own->knowledge || !says_worth(own->knowledge)) {
        const char *who = own->knowledge ? knowledge_title(own->knowledge) : e->game->name;
        text_f(why,
               "not available for this game: the rules of %s do not say what a position is worth",
               who);
        return false;
    }
    bool ok = fill(e, own);
    if (!ok)
        text_add(why, "out of memory");
    return ok;
}

void evaluate_own_end(Evaluation *e) {
    Own *own = e->own;
    if (!own)
        return;
    for (int i = 0; i < IDLE; i++)
        reasoner_free(atomic_load(&own->idle[i]));
    knowledge_free(own->mine);
    mem_free(own);
}
