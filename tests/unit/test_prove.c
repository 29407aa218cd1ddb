// Tests of proving: all ways against each other and against a plain solver that lists every
// position, without symmetry and without tables of hashes.
#include "base/mem.h"
#include "base/rng.h"
#include "search/prove.h"
#include "search/prove_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static Game *load(const char *line) { // name and parameters, with blanks between them
    char text[200];
    const char *params[8];
    int count = 0;
    snprintf(text, sizeof text, "%s", line);
    char *rest, *name = strtok_r(text, " ", &rest);
    for (char *word; (word = strtok_r(NULL, " ", &rest));)
        params[count++] = word;
    Diags diags = {0};
    Game *g = game_load(name, params, count, &diags);
    diag_free(&diags);
    assert_non_null(g);
    return g;
}

// --- the plain solver ---

enum { OPEN = 2 };

typedef struct Plain {
    const Game *g;
    Runner *r;
    size_t size, identity;
    int first;
    uint8_t *states;
    int8_t *value;
    int *edge, *edge_start;
    int count, cap, edges, edge_cap;
    int *slots;
    unsigned mask;
} Plain;

static int value_of(const Plain *p, int result) {
    int winners = result & 127, players = p->g->ir->players;
    if (players == 1)
        return winners ? 1 : -1;
    return !winners || winners == (1 << players) - 1 ? 0 : winners >> p->first & 1 ? 1 : -1;
}

static void rehash(Plain *p, unsigned slots) {
    mem_free(p->slots);
    p->slots = mem_alloc(sizeof(int) * slots);
    p->mask = slots - 1;
    for (int i = 0; i < p->count; i++) {
        unsigned at = (unsigned)game_hash(p->g, p->states + p->size * (size_t)i) & p->mask;
        while (p->slots[at])
            at = (at + 1) & p->mask;
        p->slots[at] = i + 1;
    }
}

static int number(Plain *p, const uint8_t *state) {
    if (p->count == p->cap) {
        p->cap = p->cap ? 2 * p->cap : 1024;
        p->states = mem_resize(p->states, p->size * (size_t)p->cap);
        p->value = mem_resize(p->value, (size_t)p->cap);
        p->edge_start = mem_resize(p->edge_start, sizeof(int) * (size_t)(p->cap + 1));
        rehash(p, 4 * (unsigned)p->cap);
    }
    unsigned at = (unsigned)game_hash(p->g, state) & p->mask;
    for (; p->slots[at]; at = (at + 1) & p->mask)
        if (!memcmp(p->states + p->size * (size_t)(p->slots[at] - 1), state, p->identity))
            return p->slots[at] - 1;
    p->slots[at] = p->count + 1;
    memcpy(p->states + p->size * (size_t)p->count, state, p->size);
    p->value[p->count] = OPEN;
    return p->count++;
}

static void list(Plain *p, int i) {
    uint64_t from[64], to[64];
    memcpy(from, p->states + p->size * (size_t)i, p->size);
    const Move *moves;
    int n = runner_moves(p->r, (uint8_t *)from, &moves);
    assert_true(n >= 0);
    if (n == 0)
        p->value[i] = (int8_t)value_of(p, runner_result(p->r, (uint8_t *)from));
    p->edge_start[i] = p->edges;
    for (int m = 0; m < n; m++) {
        if (p->edges == p->edge_cap) {
            p->edge_cap = p->edge_cap ? 2 * p->edge_cap : 4096;
            p->edge = mem_resize(p->edge, sizeof(int) * (size_t)p->edge_cap);
        }
        assert_true(runner_apply(p->r, (uint8_t *)from, moves[m], (uint8_t *)to));
        p->edge[p->edges++] = number(p, (uint8_t *)to);
    }
    p->edge_start[i + 1] = p->edges;
}

static int plain_value(const Game *g, const uint8_t *state) {
    Plain p = {.g = g,
               .r = runner_new(g),
               .size = (size_t)game_state_size(g),
               .identity = (size_t)g->ir->layout.identity,
               .first = game_player(g, state)};
    number(&p, state);
    for (int i = 0; i < p.count; i++)
        list(&p, i);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = p.count - 1; i >= 0; i--) {
            if (p.value[i] != OPEN)
                continue;
            int good = game_player(g, p.states + p.size * (size_t)i) == p.first ? 1 : -1;
            int goods = 0, bads = 0, all = p.edge_start[i + 1] - p.edge_start[i];
            for (int e = p.edge_start[i]; e < p.edge_start[i + 1]; e++) {
                goods += p.value[p.edge[e]] == good;
                bads += p.value[p.edge[e]] == -good;
            }
            if (goods || bads == all) {
                p.value[i] = (int8_t)(goods ? good : -good);
                changed = true;
            }
        }
    }
    int value = p.value[0] == OPEN ? (g->ir->players == 1 ? -1 : 0) : p.value[0];
    runner_free(p.r);
    mem_free(p.states);
    mem_free(p.value);
    mem_free(p.edge);
    mem_free(p.edge_start);
    mem_free(p.slots);
    return value;
}

// --- comparing ---

static bool prove(const Game *g, const uint8_t *state, ProveWay way, ProveResult *result) {
    Text why = {0};
    ProveTask task = {.game = g, .state = state, .memory = (size_t)64 << 20, .way = way};
    bool ok = prove_position(&task, result, &why);
    text_free(&why);
    return ok;
}

// The line must be one of legal moves, and end as the value says if it comes to an end.
static void check_line(const Game *g, const uint8_t *state, const ProveResult *result) {
    uint64_t now[64];
    Runner *r = runner_new(g);
    memcpy(now, state, (size_t)game_state_size(g));
    for (int i = 0; i < result->line_length; i++) {
        assert_true(runner_is_legal(r, (uint8_t *)now, result->line[i]));
        assert_true(runner_apply(r, (uint8_t *)now, result->line[i], (uint8_t *)now));
    }
    int over = runner_result(r, (uint8_t *)now);
    Plain p = {.g = g, .first = game_player(g, state)};
    if (over > 0)
        assert_int_equal(value_of(&p, over), result->low);
    // What is won is won in the end, also where pieces could go to and fro.
    if (result->low == PROVE_WON)
        assert_true(over > 0);
    runner_free(r);
}

// `nearly`: ways that are for certain games may give up.
static void compare_ways(const Game *g, const uint8_t *state, const char *line, bool nearly) {
    int wanted = plain_value(g, state);
    for (int way = PROVE_AUTO; way <= PROVE_RETROGRADE; way++) {
        ProveResult result;
        if (!prove(g, state, (ProveWay)way, &result)) {
            if (way != PROVE_PLACING && way != PROVE_SUM) // these are not for every game
                fail_msg("%s: way %d failed", line, way);
            continue;
        }
        // Proof numbers do not settle draws in circles.
        bool gives_up = way == PROVE_DFPN || (nearly && (way == PROVE_PLACING || way == PROVE_SUM));
        bool open = gives_up && result.low < result.high;
        if (!open && (result.low != wanted || result.high != wanted))
            fail_msg("%s by %s: %d..%d, not %d", line, result.way, result.low, result.high, wanted);
        assert_true(result.low <= wanted && wanted <= result.high);
        if (!open)
            check_line(g, state, &result);
    }
}

static void compare(const Game *g, const uint8_t *state, const char *line) {
    compare_ways(g, state, line, false);
}

static const char *const small_games[] = {
    "tic-tac-toe",
    "connect-four width=3 height=3 length=3",
    "connect-four width=4 height=3 length=3",
    "connect-four width=4 height=4",
    "connect-four width=5 height=3 length=3",
    "connect-four width=3 height=4 length=2",
    "domineering rows=1 columns=1",
    "domineering rows=3 columns=3",
    "domineering rows=3 columns=4",
    "domineering rows=4 columns=3",
    "domineering rows=2 columns=6",
    "domineering rows=4 columns=4",
    "nim heaps=1,2,3",
    "nim heaps=2,4,5 misere=yes",
    "nim heaps=6,5 limit=2",
    "three-mens-morris",
    "three-mens-morris flying=yes",
    "hex size=2",
    "hex size=3",
    "reversi size=4",
    "dots-and-boxes width=2 height=1",
    "frogs frogs=2",
    "river-crossing",
};

// At the start and in positions of random games, with either player on move.
static void test_ways_agree(void **unused) {
    (void)unused;
    Rng rng;
    rng_seed(&rng, 5);
    for (size_t i = 0; i < sizeof small_games / sizeof *small_games; i++) {
        Game *g = load(small_games[i]);
        Runner *r = runner_new(g);
        compare(g, g->start, small_games[i]);
        for (int round = 0; round < 6; round++) {
            uint64_t state[64];
            uint8_t *s = (uint8_t *)state;
            memcpy(s, g->start, (size_t)game_state_size(g));
            if (g->ir->players == 2 && round % 2)
                s[g->ir->layout.player] ^= 1;
            Move move;
            for (int ply = 0; ply < 1 + round && runner_random(r, s, rng_next(&rng), &move) == 1;
                 ply++)
                assert_true(runner_apply(r, s, move, s));
            if (runner_result(r, s) == 0)
                compare(g, s, small_games[i]);
        }
        runner_free(r);
        game_free(g);
    }
}

// Also positions that no game leads to, such as discs in the air.
static void test_any_position(void **unused) {
    (void)unused;
    static const char *const lines[] = {"tic-tac-toe",
                                        "connect-four width=4 height=4 length=3",
                                        "connect-four width=3 height=5",
                                        "connect-four width=5 height=4",
                                        "domineering rows=4 columns=5",
                                        "domineering rows=5 columns=6",
                                        "nim heaps=4,3,4,2"};
    Rng rng;
    rng_seed(&rng, 17);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Game *g = load(lines[i]);
        Runner *r = runner_new(g);
        for (int round = 0; round < 40; round++) {
            uint64_t state[64], set[2] = {0, 0};
            uint8_t *s = (uint8_t *)state;
            memcpy(s, g->start, (size_t)game_state_size(g));
            for (int c = 0; c < g->ir->board->cells; c++)
                if (rng_below(&rng, 10) >= 5)
                    set[rng_below(&rng, 2)] |= (uint64_t)1 << c;
            for (int p = 0; p < g->ir->planes; p++)
                memcpy(s + g->ir->plane[p].offset, &set[p], sizeof set[p]);
            s[g->ir->layout.player] = (uint8_t)rng_below(&rng, 2);
            if (runner_result(r, s) == 0)
                compare(g, s, lines[i]);
        }
        runner_free(r);
        game_free(g);
    }
}

// --- rules that are nearly those that a way is for ---

typedef struct Nearly {
    const char *board, *setup, *turn, *end;
} Nearly;

#define PLACES "choose at in empty\n    place mark at at"
#define DROPS "choose at in empty - step(empty, n)\n    place mark at at"
#define DOMINOES                                                                                   \
    "choose at in empty & step(empty, if me == Cross then s else w)\n"                             \
    "    place mark at at, step(at, if me == Cross then n else e)"
#define HEAPS "place mark of Cross at row 1 | {a2, b2}"
#define LINE_WINS "end\n    me wins when some l in lines : l within mine\n"
#define FULL_DRAWS "    draw when no empty\n"

static const Nearly near_games[] = {
    // Who has no move loses, or wins, also where no line can be had any more.
    {"3 x 3\n    lines of 3", "", PLACES, LINE_WINS "when stuck\n    me loses\n"},
    {"3 x 3\n    lines of 3", "", DROPS, LINE_WINS "when stuck\n    me wins\n"},
    {"3 x 3\n    lines of 3", "", DROPS, LINE_WINS "when stuck\n    draw\n"},
    {"3 x 3\n    lines of 3", "", PLACES, LINE_WINS},
    {"3 x 3\n    lines of 3", "", DROPS, LINE_WINS FULL_DRAWS "when stuck\n    me loses\n"},
    {"3 x 3\n    lines of 3", "", PLACES,
     LINE_WINS "when stuck\n    pass\nwhen all stuck\n    Cross wins\n"},
    // Dominoes that fill the board: nobody has lost then.
    {"4 x 2", "", DOMINOES, "end\n" FULL_DRAWS "when stuck\n    me loses\n"},
    {"4 x 2", "", DOMINOES, "when stuck\n    me loses\n"},
    {"4 x 2", "", DOMINOES, "when stuck\n    me wins\n"},
    // Moves that may take nothing.
    {"3 x 2", HEAPS, "choose from in cells\n    remove {from} | ray(from, e while occupied)",
     "end\n    me wins when no occupied\n"},
    {"3 x 2", HEAPS, "choose from in empty\n    remove ray(from, w while occupied)",
     "end\n    me wins when no occupied\n"},
    {"3 x 2", HEAPS, "choose from in occupied\n    remove {from} | ray(from, e while occupied)",
     "end\n    me wins when no occupied\n"},
};

static void test_nearly(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof near_games / sizeof *near_games; i++) {
        const Nearly *n = &near_games[i];
        char text[1000], name[20];
        snprintf(name, sizeof name, "nearly %zu", i);
        snprintf(text, sizeof text,
                 "game \"Nearly\"\nplayers Cross, Nought\nboard square %s\n"
                 "piece mark of Cross \"X\", Nought \"O\"\n%s%s\nturn\n    %s\n%s",
                 n->board, *n->setup ? "setup\n    " : "", n->setup, n->turn, n->end);
        Diags diags = {0};
        Game *g = game_compile("nearly.game", text, strlen(text), NULL, 0, &diags);
        if (!g)
            fail_msg("%s: %s", name, diags.count ? diags.items[0].message : "no memory");
        diag_free(&diags);
        compare_ways(g, g->start, name, true);
        game_free(g);
    }
}

// --- nim by theory ---

static void test_nim(void **unused) {
    (void)unused;
    Rng rng;
    rng_seed(&rng, 11);
    for (int round = 0; round < 50; round++) {
        char line[100] = "nim heaps=";
        int heaps = 1 + (int)rng_below(&rng, 4), sum = 0;
        for (int i = 0; i < heaps; i++) {
            int n = 1 + (int)rng_below(&rng, heaps > 3 ? 7 : 12);
            sum ^= n;
            snprintf(line + strlen(line), sizeof line - strlen(line), i ? ",%d" : "%d", n);
        }
        Game *g = load(line);
        ProveResult result;
        assert_true(prove(g, NULL, PROVE_AUTO, &result));
        assert_int_equal(result.low, result.high);
        assert_int_equal(result.low, sum ? PROVE_WON : PROVE_LOST);
        game_free(g);
    }
}

// --- limits ---

static void test_limits(void **unused) {
    (void)unused;
    Game *g = load("connect-four");
    atomic_bool stop = true;
    Text why = {0};
    ProveResult result;
    ProveTask task = {.game = g, .nodes = 1000};
    assert_true(prove_position(&task, &result, &why));
    assert_true(result.low < result.high && result.nodes <= 1001);
    task = (ProveTask){.game = g, .seconds = 0.05};
    clock_t begin = clock(); // processor time: the machine may be busy with other things
    assert_true(prove_position(&task, &result, &why));
    assert_true(result.low < result.high && clock() - begin < CLOCKS_PER_SEC);
    task = (ProveTask){.game = g, .stop = &stop};
    assert_true(prove_position(&task, &result, &why));
    assert_true(result.low < result.high && result.nodes <= 1);
    game_free(g);
    g = load("chess");
    task = (ProveTask){.game = g, .seconds = 0.2, .memory = (size_t)2 << 20};
    assert_true(prove_position(&task, &result, &why));
    assert_true(result.low < result.high);
    task.way = PROVE_PLACING;
    assert_false(prove_position(&task, &result, &why));
    assert_non_null(strstr(text_c(&why), "placing"));
    text_free(&why);
    game_free(g);
}

// Too large for the other ways; any way to the goal will do.
static void test_path(void **unused) {
    (void)unused;
    Game *g = load("eight-puzzle width=4 height=3 seed=1");
    Runner *r = runner_new(g);
    uint64_t state[IR_MAX_STATE / 8];
    ProveResult result;
    assert_true(prove(g, NULL, PROVE_PATH, &result));
    assert_int_equal(result.low, PROVE_WON);
    assert_true(result.nodes > 0 && result.line_length > 0 && !result.too_large);
    memcpy(state, g->start, (size_t)game_state_size(g));
    for (int i = 0; i < result.line_length; i++) {
        assert_true(runner_is_legal(r, (uint8_t *)state, result.line[i]));
        assert_true(runner_apply(r, (uint8_t *)state, result.line[i], (uint8_t *)state));
    }
    assert_int_equal(runner_result(r, (uint8_t *)state), RESULT_OVER | 1);
    // Who ran out of time, or of positions, does not say that there is no room.
    Text why = {0};
    ProveTask task = {.game = g, .way = PROVE_PATH, .nodes = 10};
    assert_true(prove_position(&task, &result, &why));
    assert_true(result.low < result.high && !result.too_large);
    task = (ProveTask){.game = g, .way = PROVE_PATH, .seconds = 0.001};
    assert_true(prove_position(&task, &result, &why));
    assert_false(result.too_large);
    text_free(&why);
    for (long n = 1; n < 40; n++) {
        mem_fail_at(n);
        bool ok = prove(g, NULL, PROVE_PATH, &result);
        long left = mem_fail_at(0);
        assert_true(!ok || result.low == PROVE_WON || result.low < result.high);
        if (left > 0)
            break;
    }
    runner_free(r);
    game_free(g);
    g = load("tic-tac-toe");
    assert_false(prove(g, NULL, PROVE_PATH, &result));
    game_free(g);
}

// A small table forgets, and is right all the same.
static void test_small_table(void **unused) {
    (void)unused;
    Game *g = load("connect-four width=5 height=4");
    for (int way = PROVE_PLACING; way <= PROVE_ALPHABETA; way++) {
        if (way == PROVE_SUM)
            continue;
        Text why = {0};
        ProveResult result;
        ProveTask task = {.game = g, .memory = 1 << 16, .way = (ProveWay)way, .nodes = 1000000};
        assert_true(prove_position(&task, &result, &why));
        assert_true(result.low <= 0 && result.high >= 0);
        assert_true(way == PROVE_ALPHABETA || (result.low == 0 && result.high == 0));
        text_free(&why);
    }
    game_free(g);
}

// A table that grows stays within its memory also while the old one is still there.
static void test_table_memory(void **unused) {
    (void)unused;
    static const size_t memory[] = {1 << 16, 1 << 20, 5 << 20, 10000000, 20 << 20};
    for (size_t m = 0; m < sizeof memory / sizeof memory[0]; m++) {
        ProveTable t;
        Clock clock = {.step = 1};
        Rng rng;
        rng_seed(&rng, m);
        assert_true(prove_table_open(&t, memory[m], &clock));
        uint64_t buckets = t.buckets, grown = 0;
        while (t.used < PROVE_BUCKET * t.most / 2) {
            prove_table_put(&t, (ProveKey){rng_next(&rng), rng_next(&rng)}, (ProveKnown){0}, 1);
            grown = t.buckets != buckets ? buckets : grown;
            assert_true((t.buckets + grown) * PROVE_BUCKET * sizeof(ProveEntry) <= memory[m]);
            buckets = t.buckets;
        }
        assert_true(t.buckets == t.most &&
                    t.most * 2 * PROVE_BUCKET * sizeof(ProveEntry) > memory[m]);
        prove_table_close(&t);
    }
}

// A table that has begun to grow stops at once when the search does, and keeps what it knows.
static void test_growing(void **unused) {
    (void)unused;
    atomic_bool stop = true;
    Clock clock = {.stop = &stop, .step = 1};
    ProveTable table;
    assert_true(prove_table_open(&table, (size_t)64 << 20, &clock));
    uint64_t first = table.buckets, entries = 3 * PROVE_BUCKET * first / 4;
    for (uint64_t i = 0; i < entries; i++)
        prove_table_put(&table, prove_key_of(i, 0), (ProveKnown){0, 0, 1}, 1);
    assert_true(table.buckets == first);
    uint64_t used = table.used, known = 0;
    for (uint64_t i = 0; i < entries; i++)
        known += prove_table_cost(&table, prove_key_of(i, 0)) > 0;
    assert_true(used > first && known == used);

    stop = false;
    clock.over = false;
    prove_table_put(&table, prove_key_of(0, 0), (ProveKnown){0, 0, 1}, 1);
    assert_true(table.buckets > first && table.used >= used);
    prove_table_close(&table);
}

static void test_no_memory(void **unused) {
    (void)unused;
    static const char *const lines[] = {"tic-tac-toe", "three-mens-morris"};
    for (int i = 0; i < 2; i++) {
        Game *g = load(lines[i]);
        for (int way = PROVE_AUTO; way <= PROVE_RETROGRADE; way++)
            for (long n = 1; n < 200; n++) {
                ProveResult result;
                mem_fail_at(n);
                bool ok = prove(g, NULL, (ProveWay)way, &result);
                long left = mem_fail_at(0);
                if (ok && result.low == result.high)
                    assert_int_equal(result.low, i ? PROVE_WON : PROVE_DRAWN);
                if (left > 0)
                    break;
            }
        game_free(g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways_agree),   cmocka_unit_test(test_any_position),
        cmocka_unit_test(test_nearly),       cmocka_unit_test(test_nim),
        cmocka_unit_test(test_limits),       cmocka_unit_test(test_small_table),
        cmocka_unit_test(test_table_memory), cmocka_unit_test(test_growing),
        cmocka_unit_test(test_no_memory),    cmocka_unit_test(test_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
