// learned_play: games played to learn from; see learned.h.
//
// In the first stage all moves are random. In the second a move is the best, by what is known so
// far, of a few random ones, sometimes of one and sometimes of many: so there are good moves,
// mistakes, and no two games are alike. In the later ones a small search plays from a random
// opening, with a random move now and then: who wins such a game tells far more about its
// positions. The amount of work is counted and not timed: the same game gives the same weights on
// every machine and however the rules run.
#include "base/bits.h"
#include "base/mem.h"
#include "search/evaluate.h"
#include "search/learned_parts.h"

#include <math.h>
#include <string.h>

#define STAGE_GAMES 400
#define MOVES_ALIKE 10 // moves found that take as long as one played
#define GAME_ROWS 24   // positions of a game that are learnt from
#define TRIES 16       // moves that a better one is sought among
#define LOOK_DEPTH 2
#define OPENING 8    // random moves before a search begins, at most
#define SURPRISE 0.1 // share of random moves behind them
#define DRAWN 0.15   // weights of games that nobody won,
#define UNFINISHED 0.1

static const struct {
    int64_t work;  // positions, at most
    double weight; // of its games in the regression
    bool looks;
} stages[LEARNED_STAGES] = {
    {80000, 0.1, false}, {80000, 0.4, false}, {500000, 1, true}, {500000, 1, true}};

double learned_chance(int players, int result, int player) {
    int winners = __builtin_popcount((unsigned)result & ~(unsigned)RESULT_OVER);
    if (winners == 0)
        return 0.5;
    double share = (result >> player & 1) / (double)winners;
    return 0.5 + 0.5 * (share - (1 - share) / (players - 1));
}

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
        double chance = learned_chance(g->ir->players, result, me);
        Value value = result       ? (Value)(VALUE_SURE * (2 * chance - 1))
                      : tries == 1 ? 0
                                   : learned_value(k->l, k->runner, k->next, me);
        if (i == 0 || value > best) {
            best = value;
            memcpy(here + learned_size(k), k->next, learned_size(k));
        }
    }
    return true;
}

// After some random moves, the best that a small search finds, and now and then a surprise.
static bool play_well(Learner *k, uint8_t *here, bool opening) {
    if (opening || (double)(rng_next(&k->rng) >> 11) * 0x1p-53 < SURPRISE)
        return play_move(k, here, 0);
    Move move;
    Value value;
    k->look.work = 0;
    bool ok = learned_choose(&k->look, here, LOOK_DEPTH, &move, &value) &&
              runner_apply(k->runner, here, move, here + learned_size(k));
    k->work += k->look.work;
    k->failed = k->failed || !ok;
    return ok;
}

// The chances in a game that did not end, by what is known so far.
static double judge(Learner *k, const uint8_t *state, int player) {
    double value = learned_value(k->l, k->runner, state, player);
    return 1 / (1 + exp(-value / LEARNED_UNIT));
}

// Pieces on the board. What has no end of its own after the last was taken tells about nothing but
// that end: there a player with more, and not able to win, would seem to be no better off.
static int pieces_of(const Game *g, const uint8_t *state) {
    int n = 0;
    for (int i = 0; i < g->ir->planes; i++)
        for (int w = 0; w < g->ir->board->words; w++) {
            uint64_t word;
            memcpy(&word, state + g->ir->plane[i].offset + 8 * w, sizeof word);
            n += bits_count(word);
        }
    return n;
}

// How many states of a game that nobody won are learnt from.
static int states_of_draw(const Learner *k, int n) {
    const uint8_t *last = k->states + learned_size(k) * (size_t)n;
    int same = pieces_of(k->l->game, last);
    while (n > 0 && pieces_of(k->l->game, k->states + learned_size(k) * (size_t)n) == same)
        n--;
    return n;
}

// A single game may take longer than all of them should.
static bool is_enough(const Learner *k, int stage, int times) {
    return k->work >= times * stages[stage].work / LEARNED_SHARE;
}

static void play_game(Learner *k, int stage) {
    const Game *g = k->l->game;
    memcpy(k->states, g->start, learned_size(k));
    int n = 0, result = 0, begin = 0;
    if (stages[stage].looks)
        begin = (int)rng_below(&k->rng, OPENING + 1);
    while (n < LEARNED_PLIES && !result && !k->failed && !is_enough(k, stage, 2)) {
        uint8_t *here = k->states + learned_size(k) * (size_t)n;
        bool played =
            stages[stage].looks ? play_well(k, here, n < begin) : play_move(k, here, stage);
        result = played ? runner_result(k->runner, here + learned_size(k)) : RESULT_OVER;
        k->failed = k->failed || result < 0 || learned_stopped(k->l);
        n += played;
    }
    bool won = result & ~RESULT_OVER;
    double weight = stages[stage].weight * (won ? 1 : result ? DRAWN : UNFINISHED);
    double chance[IR_MAX_PLAYERS];
    for (int p = 0; p < g->ir->players && !k->failed; p++)
        chance[p] = result ? learned_chance(g->ir->players, result, p)
                           : judge(k, k->states + learned_size(k) * (size_t)n, p);
    k->decided += won;
    k->games++;
    if (!won && stages[stage].looks && !k->guess)
        n = states_of_draw(k, n);
    begin = begin < n ? begin : n;
    int from = n - begin, rows = from < GAME_ROWS ? from : GAME_ROWS;
    for (int i = 0; i < rows && !k->failed; i++) {
        int ply = begin + (rows == from ? i : (int)rng_below(&k->rng, (uint64_t)from));
        learned_row(k, k->states + learned_size(k) * (size_t)ply, chance, weight);
    }
}

void learned_play(Learner *k, int stage) {
    k->work = 0;
    k->l->fast = stages[stage].looks ? learned_fast_new(k->l) : NULL; // the same, only sooner
    for (int i = 0; i < STAGE_GAMES && !is_enough(k, stage, 1) && !k->failed; i++)
        play_game(k, stage);
    learned_fast_free(k->l->fast);
    k->l->fast = NULL;
}
