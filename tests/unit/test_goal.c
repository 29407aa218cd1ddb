// Tests of src/search/goal.c: the bound is never above the true number of moves. Puzzles of many
// kinds are explored completely, and every position is compared with its distance from the goal.
#include "game/game.h"
#include "game/statetext.h"
#include "search/evaluate.h"
#include "search/guess.h"
#include "search/travel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// --- a puzzle, explored ---

#define MOST 60000
#define FAR 1000000 // no way to the goal

typedef struct Graph {
    const Game *game;
    Runner *runner;
    uint8_t *states;
    int *distance;
    int *from, *to; // edges
    int count, edges, edge_cap;
    int *slots;
} Graph;

static uint8_t *state_at(const Graph *g, int i) {
    return g->states + (size_t)i * (size_t)game_state_size(g->game);
}

static int find_or_add(Graph *g, const uint8_t *state) {
    size_t identity = (size_t)g->game->ir->layout.identity;
    uint32_t at = (uint32_t)game_hash(g->game, state) % (4 * MOST);
    while (g->slots[at] && memcmp(state_at(g, g->slots[at] - 1), state, identity) != 0)
        at = (at + 1) % (4 * MOST);
    if (!g->slots[at]) {
        assert_true(g->count < MOST);
        memcpy(state_at(g, g->count), state, (size_t)game_state_size(g->game));
        g->slots[at] = ++g->count;
    }
    return g->slots[at] - 1;
}

static void add_edge(Graph *g, int from, int to) {
    if (g->edges == g->edge_cap) {
        g->edge_cap = g->edge_cap ? 2 * g->edge_cap : 1024;
        g->from = mem_resize(g->from, sizeof *g->from * (size_t)g->edge_cap);
        g->to = mem_resize(g->to, sizeof *g->to * (size_t)g->edge_cap);
        assert_true(g->from && g->to);
    }
    g->from[g->edges] = from;
    g->to[g->edges++] = to;
}

static void explore(Graph *g) {
    uint8_t *next = mem_alloc((size_t)game_state_size(g->game));
    find_or_add(g, g->game->start);
    for (int i = 0; i < g->count; i++) {
        const Move *moves;
        int n = runner_moves(g->runner, state_at(g, i), &moves);
        assert_true(n >= 0);
        Move *list = mem_alloc(sizeof *list * (size_t)(n + 1));
        if (n > 0)
            memcpy(list, moves, sizeof *list * (size_t)n);
        for (int k = 0; k < n; k++) {
            assert_true(runner_apply(g->runner, state_at(g, i), list[k], next));
            add_edge(g, i, find_or_add(g, next));
        }
        mem_free(list);
    }
    mem_free(next);
}

static void measure(Graph *g) {
    for (int i = 0; i < g->count; i++)
        g->distance[i] = state_at(g, i)[g->game->ir->layout.result] == (RESULT_OVER | 1) ? 0 : FAR;
    for (bool changed = true; changed;) {
        changed = false;
        for (int e = g->edges - 1; e >= 0; e--) {
            int longer = g->distance[g->to[e]] + 1;
            if (longer < g->distance[g->from[e]]) {
                g->distance[g->from[e]] = longer;
                changed = true;
            }
        }
    }
}

// The largest bound of a position that can be solved; -1 if there is no bound for the game.
static int check_bound(Graph *g) {
    Text why = {0};
    Evaluation *e = evaluation_new(g->game, "goal", &why);
    int most = e ? 0 : -1;
    for (int i = 0; e && i < g->count; i++) {
        int bound = evaluation_distance(e, g->runner, state_at(g, i));
        if (bound > g->distance[i]) {
            Text text = {0};
            state_text(g->game, state_at(g, i), &text);
            fail_msg("%s, %s: at least %d, but it takes %d", g->game->name, text_c(&text), bound,
                     g->distance[i]);
        }
        if (g->distance[i] < FAR && bound > most)
            most = bound;
    }
    evaluation_free(e);
    text_free(&why);
    return most;
}

static int check_game(Game *game, int *farthest) {
    Graph g = {.game = game, .runner = runner_new(game)};
    g.states = mem_alloc((size_t)game_state_size(game) * MOST);
    g.distance = mem_alloc(sizeof *g.distance * MOST);
    g.slots = mem_alloc(sizeof *g.slots * 4 * MOST);
    assert_true(g.runner && g.states && g.distance && g.slots);
    explore(&g);
    measure(&g);
    *farthest = 0;
    for (int i = 0; i < g.count; i++)
        if (g.distance[i] < FAR && g.distance[i] > *farthest)
            *farthest = g.distance[i];
    assert_true(g.distance[0] < FAR); // otherwise the test says nothing
    int most = check_bound(&g);
    runner_free(g.runner);
    mem_free(g.states);
    mem_free(g.distance);
    mem_free(g.slots);
    mem_free(g.from);
    mem_free(g.to);
    game_free(game);
    return most;
}

// --- puzzles ---

static const struct Puzzle {
    const char *name;
    int least, most; // what the largest bound must be
    const char *rules;
} puzzles[] = {
    {"lights", 1, 2, // a move changes five cells, and all nine can be lit
     "board square 3 x 3\n"
     "    directions n, e, s, w\n"
     "piece lamp\n"
     "setup\n"
     "    place lamp at {a1, b2, c3, a2}\n"
     "turn\n"
     "    choose c in cells\n"
     "    let flipped = {c} | next(c)\n"
     "    let lit = flipped & lamps\n"
     "    remove lit\n"
     "    place lamp at flipped - lit\n"
     "end\n"
     "    me wins when no lamps\n"},
    {"knights", 8, 16, // each of the four has two jumps to make, at least
     "board square 3 x 3\n"
     "piece white, black\n"
     "let jumps(c) = cells where abs(column(it) - column(c)) * abs(row(it) - row(c)) == 2\n"
     "setup\n"
     "    place white at {a1, c1}\n"
     "    place black at {a3, c3}\n"
     "turn\n"
     "    choose from in occupied\n"
     "    choose to in empty & jumps(from)\n"
     "    move from to to\n"
     "end\n"
     "    me wins when {a1, c1} within black and {a3, c3} within white\n"},
    {"taking", 1, 3, // what is taken need not go anywhere
     "board square 3 x 3\n"
     "    directions n, e, s, w\n"
     "piece man\n"
     "setup\n"
     "    place man at {a1, a2, c3}\n"
     "turn\n"
     "    choose from in men\n"
     "    choose to in next(from)\n"
     "    move from to to\n"
     "end\n"
     "    me wins when men == {b2}\n"},
    {"walking", 4, 4,
     "board square 3 x 3\n"
     "    directions n, e, s, w\n"
     "piece man\n"
     "setup\n"
     "    place man at a1\n"
     "turn\n"
     "    choose from in men\n"
     "    choose d in directions\n"
     "    let to = step(from, d)\n"
     "    require to in empty\n"
     "    move from to to\n"
     "end\n"
     "    me wins when c3 in men\n"},
    {"sliding far", 1, 2, // along a whole row in one move
     "board square 4 x 4\n"
     "    directions n, e, s, w\n"
     "piece man, rock\n"
     "setup\n"
     "    place man at a1\n"
     "    place rock at {b2, c4}\n"
     "turn\n"
     "    choose d in directions\n"
     "    choose to in ray(the man, d while empty)\n"
     "    move the man to to\n"
     "end\n"
     "    me wins when d4 in man\n"},
    {"dials", 4, 4, // four dials, one step each
     "board square 2 x 2\n"
     "piece dial with number : 0..2 = 1\n"
     "setup\n"
     "    place dial at cells\n"
     "turn\n"
     "    choose c in dials\n"
     "    number(c) = (number(c) + 1) % 3\n"
     "end\n"
     "    me wins when all c in dials : number(c) == 0\n"},
    {"two at a time", 1, 4, // the second goes where the first was
     "board square 4 x 1\n"
     "    directions e, w\n"
     "piece man, dog\n"
     "setup\n"
     "    place man at b1\n"
     "    place dog at a1\n"
     "turn\n"
     "    choose to in empty & next(the man)\n"
     "    let left = the man\n"
     "    move the man to to\n"
     "    move the dog to left\n"
     "end\n"
     "    me wins when d1 in man and c1 in dog\n"},
    {"stepping aside", 1, 9, // a local that changes between the choice and the move
     "board square 5 x 1\n"
     "    directions e, w\n"
     "piece man\n"
     "setup\n"
     "    place man at {a1, b1}\n"
     "turn\n"
     "    choose from in men\n"
     "    choose to in empty & next(from)\n"
     "    var place : cell or none = to\n"
     "    if step(place, e) in empty\n"
     "        place = step(place, e)\n"
     "    move from to place\n"
     "end\n"
     "    me wins when men == {d1, e1}\n"},
    {"or", -1, 4, // two ways to win: no cell alone is at odds with both
     "board square 5 x 1\n"
     "    directions e, w\n"
     "piece man\n"
     "setup\n"
     "    place man at c1\n"
     "turn\n"
     "    choose to in next(the man)\n"
     "    move the man to to\n"
     "end\n"
     "    me wins when a1 in men\n"
     "    me wins when e1 in men\n"},
};

static void test_puzzles(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof puzzles / sizeof puzzles[0]; i++) {
        Text text = {0};
        Diags diags = {0};
        text_f(&text, "game \"%s\"\nplayers Solver\n%s", puzzles[i].name, puzzles[i].rules);
        Game *g = game_compile(puzzles[i].name, text_c(&text), text.n, NULL, 0, &diags);
        if (!g) {
            Text message = {0};
            diag_print(&diags, &message, false);
            fail_msg("%s", text_c(&message));
        }
        int farthest, most = check_game(g, &farthest);
        if (most < puzzles[i].least || most > puzzles[i].most)
            fail_msg("%s: the largest bound is %d", puzzles[i].name, most);
        diag_free(&diags);
        text_free(&text);
    }
}

static void test_library(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *params[2];
        int farthest, most; // distance, bound
    } known[] = {
        {"frogs", {"frogs=4", NULL}, 24, 16},
        {"eight-puzzle", {"width=3", "height=2"}, 21, 12},
        {"river-crossing", {NULL, NULL}, 7, 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        Diags diags = {0};
        int n = known[i].params[0] ? known[i].params[1] ? 2 : 1 : 0;
        Game *g = game_load(known[i].game, known[i].params, n, &diags);
        assert_non_null(g);
        diag_free(&diags);
        int farthest, most = check_game(g, &farthest);
        assert_int_equal(farthest, known[i].farthest);
        assert_int_equal(most, known[i].most);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_puzzles),
        cmocka_unit_test(test_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
