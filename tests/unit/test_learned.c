// Tests of the evaluation by tables: it says exactly what a walk over the slots says.
#include "game/library.h"
#include "search/evaluate.h"
#include "search/learned_fast.h"
#include "search/learned_parts.h"

#include "search_fixture.h"

#define GAMES 3
#define PLIES 60

// Weights of all sizes, some of them 0, as a real evaluation has them.
static void fill_weights(Learned *l, Rng *rng) {
    int n = l->game->ir->players * l->slots.count;
    for (int i = 0; i < n; i++) {
        uint64_t x = rng_next(rng);
        l->weight[i] = x % 5 == 0 ? 0 : (int32_t)(x >> 40 & 0xffff) - 0x8000;
    }
}

static Value walked_value(const Learned *l, Runner *r, const uint8_t *state, int player) {
    Learned slow = *l;
    slow.fast = NULL;
    return learned_value(&slow, r, state, player);
}

// By the list of slots: the plainest way there is.
static int64_t listed_sum(const Learned *l, Runner *r, const uint8_t *state, int player) {
    static LearnedSlot slot[8192];
    int n = learned_take(l, r, state, slot, 8192);
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        if (slot[i].player == player)
            sum += (int64_t)l->weight[player * l->slots.count + slot[i].slot] * slot[i].value;
    return sum;
}

static void compare_state(const Learned *l, Runner *r, const uint8_t *state) {
    int players = l->game->ir->players;
    int64_t sums[IR_MAX_PLAYERS];
    learned_sums(l, r, state, sums);
    for (int p = 0; p < players; p++) {
        assert_int_equal(sums[p], listed_sum(l, r, state, p));
        if (learned_value(l, r, state, p) != walked_value(l, r, state, p))
            fail_msg("%s: %d, not %d", l->game->name, learned_value(l, r, state, p),
                     walked_value(l, r, state, p));
    }
}

// Many states at a time, those behind the moves of one.
static void compare_each(const Learned *l, Runner *r, const uint8_t *state) {
    static uint64_t room[LEARNED_EACH * IR_MAX_STATE / 8];
    uint8_t *after = (uint8_t *)room;
    const Move *moves;
    Value values[LEARNED_EACH];
    int n = runner_moves(r, state, &moves);
    n = n < LEARNED_EACH ? n : LEARNED_EACH;
    if (n < 2 || l->game->ir->players != 2)
        return;
    assert_true(runner_children(r, state, moves, n, after, NULL));
    assert_true(learned_each(l, r, after, n, values));
    for (int i = 0; i < n; i++, after += game_state_size(l->game))
        assert_int_equal(values[i], walked_value(l, r, after, game_player(l->game, after)));
}

static void compare_game(const Fixture *f, unsigned uses, uint64_t seed) {
    const Game *g = f->game;
    Learned l = {.game = g, .uses = uses};
    learned_slots(g->ir, &l.slots);
    l.weight = mem_alloc(sizeof *l.weight * (size_t)(g->ir->players * l.slots.count));
    uint8_t *state = mem_alloc((size_t)game_state_size(g));
    assert_true(l.weight && state);
    Rng rng;
    rng_seed(&rng, seed);
    fill_weights(&l, &rng);
    l.fast = learned_fast_new(&l);
    assert_non_null(l.fast);
    for (int i = 0; i < GAMES; i++) {
        memcpy(state, g->start, (size_t)game_state_size(g));
        for (int ply = 0; ply < PLIES; ply++) {
            Move move;
            compare_state(&l, f->runner, state);
            if (ply % 8 == 0)
                compare_each(&l, f->runner, state);
            if (runner_random(f->runner, state, rng_next(&rng), &move) != 1)
                break;
            assert_true(runner_apply(f->runner, state, move, state));
        }
    }
    learned_fast_free(l.fast);
    mem_free(l.weight);
    mem_free(state);
}

#define ALL (LEARNED_LINES | LEARNED_ATTRS | LEARNED_STACKS)

static unsigned usable(const IrGame *ir, unsigned uses) {
    if (ir->board->lines == 0 || ir->board->lines > 1000)
        uses &= ~(unsigned)LEARNED_LINES;
    return ir->board->stack > 1 ? uses : uses & ~(unsigned)LEARNED_STACKS;
}

static void test_all_games(void **unused) {
    (void)unused;
    for (int i = 0; i < library_count; i++) {
        Fixture f = open_game(library_games[i].name, NULL, NULL);
        if (f.game->ir->players > 1) {
            compare_game(&f, usable(f.game->ir, ALL), 1);
            compare_game(&f, 0, 2);
        }
        close_game(&f);
    }
}

static void test_mobility(void **unused) {
    (void)unused;
    const char *const names[] = {"reversi", "mill"};
    for (int i = 0; i < 2; i++) {
        Fixture f = open_game(names[i], NULL, NULL);
        compare_game(&f, usable(f.game->ir, LEARNED_MOBILITY | LEARNED_LINES), 3);
        close_game(&f);
    }
}

// Weights whose sums do not fit are left to the walk.
static void test_heavy(void **unused) {
    (void)unused;
    Fixture f = open_game("connect-four", NULL, NULL);
    Learned l = {.game = f.game, .uses = LEARNED_LINES};
    learned_slots(f.game->ir, &l.slots);
    l.weight = mem_alloc(sizeof *l.weight * (size_t)(2 * l.slots.count));
    assert_non_null(l.weight);
    l.weight[l.slots.line] = INT32_MAX / 2;
    assert_null(learned_fast_new(&l));
    mem_free(l.weight);
    close_game(&f);
}

static void test_no_memory(void **unused) {
    (void)unused;
    Fixture f = open_game("mill", NULL, NULL);
    Learned l = {.game = f.game, .uses = LEARNED_LINES};
    learned_slots(f.game->ir, &l.slots);
    l.weight = mem_alloc(sizeof *l.weight * (size_t)(2 * l.slots.count));
    assert_non_null(l.weight);
    l.weight[l.slots.line] = 7;
    LearnedFast *fast = NULL;
    for (long n = 1; !fast && n < 100; n++) {
        mem_fail_at(n);
        fast = learned_fast_new(&l);
    }
    mem_fail_at(0);
    assert_non_null(fast);
    learned_fast_free(fast);
    mem_free(l.weight);
    close_game(&f);
}

// --- candidates ---

static int piece_value(const LearnedCandidate *c, const Learned *l, int kind) {
    int cells = l->game->ir->board->cells;
    int64_t sum = 0;
    for (int i = 0; i < cells; i++)
        sum += c->weight[kind * cells + i];
    return (int)(sum / cells);
}

// In a match the better weights win, whoever is first; nobody beats itself.
static void test_match(void **unused) {
    (void)unused;
    Fixture f = open_game("breakthrough", "size=5", NULL);
    Learned l = {.game = f.game};
    learned_slots(f.game->ir, &l.slots);
    int n = 2 * l.slots.count;
    l.weight = mem_alloc(sizeof *l.weight * (size_t)n);
    Learner k = {.l = &l, .runner = f.runner};
    k.states = mem_alloc(learned_size(&k) * 3);
    assert_true(l.weight && k.states);
    for (int i = 0; i < l.slots.attr; i++) // a man is worth something, to both
        l.weight[i] = l.weight[l.slots.count + i] = LEARNED_UNIT * LEARNED_SCALE;
    LearnedCandidate good = {0}, bad = {0};
    assert_true(learned_candidate(&l, &good) && learned_candidate(&l, &bad));
    for (int i = 0; i < n; i++)
        bad.weight[i] = -good.weight[i];
    assert_true(learned_beats(&k, &good, &bad));
    assert_true(k.work > 0);
    assert_false(learned_beats(&k, &bad, &good));
    assert_false(learned_beats(&k, &good, &good));
    assert_false(k.failed);
    for (long at = 1; at < 4; at++) { // out of memory: said, and nothing is lost
        mem_fail_at(at);
        assert_false(learned_beats(&k, &good, &bad) && k.failed);
        mem_fail_at(0);
        k.failed = false;
    }
    learned_candidate_free(&good);
    learned_candidate_free(&bad);
    mem_free(l.weight);
    mem_free(k.states);
    close_game(&f);
}

// A king can do all that a man can, and more: though most games with kings are drawn, and so the
// results say little about them, it is worth more.
static void test_kings(void **unused) {
    (void)unused;
    Fixture f = open_game("english-draughts", NULL, NULL);
    Text ignored = {0};
    game_use(f.game, BACKEND_AUTO, &ignored);
    Evaluation *e = evaluation_new(f.game, "learned", &ignored);
    assert_non_null(e);
    Learned *l = e->own;
    LearnedCandidate c = {0};
    assert_true(learned_candidate(l, &c));
    int man = -1, king = -1;
    for (int i = 0; i < f.game->ir->kinds; i++) {
        man = strcmp(f.game->ir->kind[i].name, "man") == 0 ? i : man;
        king = strcmp(f.game->ir->kind[i].name, "king") == 0 ? i : king;
    }
    assert_true(man >= 0 && king >= 0);
    assert_true(piece_value(&c, l, man) > 0);
    assert_true(piece_value(&c, l, king) > piece_value(&c, l, man));
    learned_candidate_free(&c);
    evaluation_free(e);
    text_free(&ignored);
    close_game(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_games), cmocka_unit_test(test_mobility),
        cmocka_unit_test(test_heavy),     cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_match),     cmocka_unit_test(test_kings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
