// test_backends: machine code and interpreter are the same game.
//
// For every library game and several parameter sets, random games are played and at every ply the
// moves (in order), their number, what playing one gives, what stuck players do and the hash are
// compared, and perft with the sum over the moves. A compiler is needed; without one the test is
// skipped with a line that says so.

#include "base/rng.h"
#include "game/game.h"
#include "game/library.h"
#include "game/statetext.h"
#include "sanitized.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const variants[][4] = {
    {"byte", "size=10"},
    {"domineering", "rows=5", "columns=9"},
    {"domineering", "rows=16", "columns=16"},
    {"mill", "men=4", "flying=no"},
    {"mill", "mills_are_safe=yes"},
    {"skirmish", "reds=4", "blues=2", "rocks=6"},
    {"skirmish", "health=1", "seed=7", "rocks=3"},
    {"alquerque", "compulsory=no", "chains=no"},
    {"alquerque", "compulsory=no", "chains=yes"},
    {"alquerque", "compulsory=yes", "chains=no"},
    {"connect-four", "width=9", "height=8", "length=5"},
    {"reversi", "size=6"},
    {"reversi", "size=10"},
    {"breakthrough", "size=5"},
    {"hex", "size=4"},
    {"nim", "heaps=1,5,9", "misere=yes"},
    {"eight-puzzle", "width=4", "height=3"},
    {"dots-and-boxes", "width=2", "height=3"},
    {"amazons", "size=6"},
    {"gomoku", "size=9"},
};

// Games a set of rules; each is followed to its end or for PLIES.
#define GAMES 40
#define PLIES 120
#define MOVES 8192
#define MANY_MOVES 200 // perft is not compared
#define FEW_MOVES 24   // it is compared at depth 3 too

static void differ(const Game *g, const uint8_t *state, const char *what) {
    Text text = {0};
    state_text(g, state, &text);
    print_error("%s: %s differ\n  in %s\n", g->name, what, text_c(&text));
    text_free(&text);
    fail();
}

static int same_moves(const Game *g, const Native *n, Vm *vm, const uint8_t *state, Move *moves) {
    static Move compiled[MOVES];
    int count = vm_moves(vm, state, moves, MOVES);
    if (count < 0 || count > MOVES || n->moves(state, compiled, MOVES) != count ||
        memcmp(moves, compiled, sizeof(Move) * (size_t)count) != 0)
        differ(g, state, "the moves");
    if (n->count(state) != vm_count(vm, state) || n->any(state) != vm_any(vm, state))
        differ(g, state, "the numbers of moves");
    return count;
}

static void same_random(const Game *g, const Native *n, const uint8_t *state, const Move *moves,
                        int count, Rng *rng) {
    for (int i = 0; i < 4; i++) {
        uint64_t random = rng_next(rng);
        Move move;
        if (n->random(state, random, &move) != (count > 0))
            differ(g, state, "random moves");
        if (count && !move_equal(move, moves[(random >> 32) * (uint64_t)count >> 32]))
            differ(g, state, "random moves");
    }
}

// Two plies are counted in other ways than one; and three end in those two.
static void same_perft(const Game *g, const Native *n, const uint8_t *state, const Move *moves,
                       int count) {
    uint64_t next[IR_MAX_STATE / 8];
    int deepest = count < FEW_MOVES ? 3 : 2;
    for (int depth = 2; depth <= deepest && count > 0 && count < MANY_MOVES; depth++) {
        int64_t sum = 0;
        for (int i = 0; i < count; i++) {
            if (n->apply(state, &moves[i], next) != 0)
                differ(g, state, "the states after a move");
            sum += n->perft(next, depth - 1);
        }
        if (n->perft(state, depth) != sum)
            differ(g, state, "the counts of perft");
    }
}

#define CHILDREN 64

// All children at once are those one by one, and so are the moves of all players.
static void same_children(const Game *g, const Native *n, Vm *vm, const uint8_t *state,
                          const Move *moves, int count) {
    static uint64_t to[CHILDREN * IR_MAX_STATE / 8], one[IR_MAX_STATE / 8];
    int size = game_state_size(g), players = g->ir->players;
    uint8_t any[CHILDREN];
    int32_t counts[CHILDREN * IR_MAX_PLAYERS];
    count = count < CHILDREN ? count : CHILDREN;
    if (n->children(state, moves, count, to, any) != 0)
        differ(g, state, "the states after some moves");
    n->counts(to, count, counts);
    for (int i = 0; i < count; i++) {
        uint8_t *next = (uint8_t *)to + (size_t)i * (size_t)size, *other = (uint8_t *)one;
        bool over = next[g->ir->layout.result];
        if (!vm_apply(vm, state, moves[i], other) || memcmp(other, next, (size_t)size) != 0)
            differ(g, state, "the states after some moves");
        if (any[i] != (over || vm_any(vm, next) > 0))
            differ(g, next, "whether there are moves");
        for (int p = 0; p < players; p++) {
            other[g->ir->layout.player] = (uint8_t)p;
            if (counts[players * i + p] != (over ? 0 : n->count(other)))
                differ(g, next, "the moves of all players");
        }
    }
}

static void play_one(const Game *g, const Native *n, Vm *vm, Rng *rng) {
    size_t size = (size_t)game_state_size(g);
    uint64_t now[IR_MAX_STATE / 8], one[IR_MAX_STATE / 8], two[IR_MAX_STATE / 8];
    static Move moves[MOVES];
    memcpy(now, g->start, size);
    const uint8_t *state = (const uint8_t *)now;
    for (int ply = 0; ply < PLIES && !state[g->ir->layout.result]; ply++) {
        int count = same_moves(g, n, vm, state, moves);
        if (n->hash(state) != game_hash(g, state))
            differ(g, state, "the hashes");
        same_random(g, n, state, moves, count, rng);
        same_perft(g, n, state, moves, count);
        if (ply % 4 == 0)
            same_children(g, n, vm, state, moves, count);
        for (int all = 0; all < 2; all++)
            if (n->stuck(state, all) != vm_stuck(vm, state, all))
                differ(g, state, "what stuck players do");
        Move move = count ? moves[rng_below(rng, (uint64_t)count)] : MOVE_PASS;
        if (!count && n->stuck(state, 0) != VM_PASS)
            return;
        if (!vm_apply(vm, state, move, (uint8_t *)one) || n->apply(state, &move, two) != 0 ||
            memcmp(one, two, size) != 0)
            differ(g, state, "the states after a move");
        memcpy(now, one, size);
    }
}

static void compare(const char *name, const char *const *params, int count) {
    Diags diags = {0};
    Text why = {0};
    Game *g = game_load(name, params, count, &diags);
    assert_non_null(g);
    if (!game_use(g, BACKEND_NATIVE, &why)) {
        print_error("%s: %s\n", name, text_c(&why));
        fail();
    }
    Vm *vm = vm_new(g->program);
    assert_non_null(vm);
    Rng rng;
    rng_seed(&rng, 99);
    for (int i = 0; i < GAMES; i++)
        play_one(g, atomic_load(&g->native), vm, &rng);
    vm_free(vm);
    game_free(g);
    text_free(&why);
    diag_free(&diags);
}

// With sanitizers the compiler takes ten times as long: the largest games, and two of three others,
// are left to the plain build, unless LUDENS_ALL is set.
static bool is_too_large(const char *name, size_t number) {
    static const char *const large[] = {"chess",    "english-draughts", "amazons",
                                        "skirmish", "alquerque",        "six-mens-morris"};
    if (!SANITIZED_ADDRESS || getenv("LUDENS_ALL"))
        return false;
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        if (strcmp(name, large[i]) == 0)
            return true;
    return number % 3 != 0;
}

static void test_library(void **state) {
    (void)state;
    for (int i = 0; i < library_count; i++)
        if (!is_too_large(library_games[i].name, (size_t)i))
            compare(library_games[i].name, NULL, 0);
}

static void test_variants(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        int n = 0;
        while (n < 3 && variants[i][n + 1])
            n++;
        if (!is_too_large(variants[i][0], i))
            compare(variants[i][0], variants[i] + 1, n);
    }
}

int main(void) {
    if (system("cc --version > /dev/null 2>&1") != 0) {
        puts("1..0 # SKIP there is no C compiler");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library),
        cmocka_unit_test(test_variants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
