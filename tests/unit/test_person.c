// Which legal move explains what is seen: made-up sights of random games.
#include "base/mem.h"
#include "base/rng.h"
#include "game/movetext.h"
#include "game/statetext.h"
#include "robot/robot.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Scenery { // a game with a table on which only names and numbers count
    Game *game;
    Runner *runner;
    Table table;
    char kind_name[VIEW_KINDS][64];
    Sight sight;
    Rng rng;
    Text why;
} Scenery;

static Scenery *begin(const char *name, const char *param) {
    Scenery *s = calloc(1, sizeof *s);
    Diags diags = {0};
    s->game = game_load(name, &param, param ? 1 : 0, &diags);
    assert_non_null(s->game);
    diag_free(&diags);
    s->runner = runner_new(s->game);
    rng_seed(&s->rng, 11);
    const IrGame *ir = s->game->ir;
    s->table = (Table){.game = s->game, .cells = ir->board->cells, .kinds = ir->planes};
    s->table.sites = s->table.cells;
    s->table.site = calloc((size_t)s->table.cells, sizeof *s->table.site);
    s->table.kind = calloc((size_t)ir->planes, sizeof *s->table.kind);
    for (int c = 0; c < s->table.cells; c++)
        s->table.site[c] = (Site){.name = ir->board->cell[c].name, .cell = c};
    for (int k = 0; k < ir->planes; k++) {
        const IrPlane *p = &ir->plane[k];
        snprintf(s->kind_name[k], sizeof s->kind_name[k], "%s %s",
                 p->owner < ir->players ? ir->player[p->owner] : "nobody's",
                 ir->kind[p->kind].name);
        s->table.kind[k].name = s->kind_name[k];
    }
    return s;
}

static void end(Scenery *s) {
    runner_free(s->runner);
    game_free(s->game);
    free(s->table.site);
    free(s->table.kind);
    text_free(&s->why);
    free(s);
}

static double normal(Rng *rng) {
    double u = ((double)(rng_next(rng) >> 11) + 1) / 9007199254740993.0;
    double v = (double)(rng_next(rng) >> 11) / 9007199254740992.0;
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

// Each content is a point on a line, 1 apart; what is measured lies around it. The support is the
// logarithm of the likelihood of just that.
static void look_cell(Scenery *s, int cell, int kind, double spread) {
    Seen *seen = &s->sight.seen[cell];
    double at = kind + spread * normal(&s->rng);
    for (int k = 0; k <= s->table.kinds; k++)
        seen->support[k == s->table.kinds ? VIEW_KINDS : k] =
            (float)(-0.5 * (at - k) * (at - k) / (spread * spread));
}

static void look(Scenery *s, const uint8_t *state, double spread) {
    s->sight.places = s->table.cells;
    for (int c = 0; c < s->table.cells; c++) {
        int height = state_height(s->game, state, c);
        look_cell(s, c, height ? state_plane(s->game, state, c, height - 1) : s->table.kinds,
                  spread);
    }
}

static bool looks_same(const Scenery *s, const uint8_t *a, const uint8_t *b) {
    for (int c = 0; c < s->table.cells; c++) {
        int h = state_height(s->game, a, c), i = state_height(s->game, b, c);
        if ((h > 0) != (i > 0) ||
            (h && state_plane(s->game, a, c, h - 1) != state_plane(s->game, b, c, i - 1)))
            return false;
    }
    return true;
}

static PersonMove find(Scenery *s, const uint8_t *state) {
    PersonMove found;
    text_clear(&s->why);
    if (!person_find(&s->table, s->runner, state, &s->sight, &found, &s->why))
        fail_msg("%s", text_c(&s->why));
    return found;
}

// Whether another move leads to a position that looks the same and is another one.
static bool ambiguous(Scenery *s, const uint8_t *state, const uint8_t *after) {
    const Move *moves;
    Move copy[2048];
    uint8_t *other = malloc((size_t)game_state_size(s->game));
    int n = runner_moves(s->runner, state, &moves);
    assert_true(n <= 2048);
    memcpy(copy, moves, sizeof *copy * (size_t)n);
    bool any = false;
    for (int i = 0; i < n; i++) {
        assert_true(runner_apply(s->runner, state, copy[i], other));
        any = any || (looks_same(s, other, after) && !game_same(s->game, other, after));
    }
    free(other);
    return any || looks_same(s, state, after);
}

typedef struct Tally {
    int moves, right, wrong, unsure;
} Tally;

static Tally play(const char *name, int games, double spread) {
    Scenery *s = begin(name, NULL);
    size_t size = (size_t)game_state_size(s->game);
    uint8_t *now = malloc(size), *after = malloc(size), *guess = malloc(size);
    Tally t = {0};
    for (int g = 0; g < games; g++) {
        memcpy(now, s->game->start, size);
        for (int ply = 0; ply < 80 && runner_result(s->runner, now) == 0; ply++) {
            Move move;
            assert_int_equal(runner_random(s->runner, now, rng_next(&s->rng), &move), 1);
            assert_true(runner_apply(s->runner, now, move, after));
            bool plain = !ambiguous(s, now, after);
            look(s, after, spread);
            PersonMove found = find(s, now);
            t.moves++;
            if (found.found == PERSON_MOVE) {
                assert_true(runner_apply(s->runner, now, found.move, guess));
                game_same(s->game, guess, after) ? t.right++ : t.wrong++;
            } else {
                t.unsure += plain;
            }
            if (!plain)
                assert_true(found.found != PERSON_MOVE || spread > 0.1);
            memcpy(now, after, size);
        }
    }
    free(now);
    free(after);
    free(guess);
    end(s);
    return t;
}

// What is seen well is found, move by move; a board that did not change is no move.
static void test_games(void **state) {
    (void)state;
    static const char *const names[] = {"tic-tac-toe", "mill",    "alquerque", "frogs",
                                        "chess",       "reversi", "byte",      "english-draughts"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Tally t = play(names[i], 6, 0.1);
        if (t.wrong || t.unsure)
            fail_msg("%s: %d of %d wrong, %d not found", names[i], t.wrong, t.moves, t.unsure);
        assert_true(t.right > t.moves / 2);
    }
}

// What is seen badly is asked, hardly ever guessed: at most as often as the margin allows.
static void test_noise(void **state) {
    (void)state;
    static const char *const names[] = {"tic-tac-toe", "mill", "alquerque"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Tally t = play(names[i], 60, 0.3);
        if (t.wrong * 20 > t.moves || t.right == 0 || t.unsure == 0)
            fail_msg("%s: of %d moves %d right, %d wrong, %d not found", names[i], t.moves, t.right,
                     t.wrong, t.unsure);
    }
}

static void read_state(Scenery *s, const char *text, uint8_t *state) {
    if (!state_read(s->game, text, state, &s->why))
        fail_msg("%s", text_c(&s->why));
}

// What a person does on the board `before`, which is then `after`.
static void assert_found(const char *game, const char *before, const char *after,
                         PersonFound expected, const char *words) {
    Scenery *s = begin(game, NULL);
    size_t size = (size_t)game_state_size(s->game);
    uint8_t *a = malloc(size), *b = malloc(size);
    read_state(s, before, a);
    read_state(s, after, b);
    look(s, b, 0.1);
    PersonMove found = find(s, a);
    if (found.found != expected || strcmp(text_c(&s->why), words) != 0)
        fail_msg("%s to %s: %d, %s", before, after, (int)found.found, text_c(&s->why));
    free(a);
    free(b);
    end(s);
}

static void test_nothing(void **state) {
    (void)state;
    assert_found("mill", "3/3/3/6/3/3/3 w", "3/3/3/6/3/3/3 w", PERSON_NOTHING, "");
    // A board on which nobody can do anything else but pass looks as before.
    assert_found("tic-tac-toe", "X1O/3/3 c", "X1O/3/3 c", PERSON_NOTHING, "");
}

static void test_half(void **state) {
    (void)state;
    // A mill is closed, no man taken yet.
    assert_found("mill", "W1W/3/3/B5/3/3/B2 w hand=7,7", "WWW/3/3/B5/3/3/B2 w", PERSON_HALF,
                 "the move is not finished yet: go on at a1 or a4");
    // A man is lifted and still in the hand.
    assert_found("alquerque", "BBBBB/BBBBB/BB1WW/WWWWW/WWWWW w", "BBBBB/BBBBB/BB1WW/WW1WW/WWWWW w",
                 PERSON_HALF, "the move is not finished yet: go on at c3");
    // The first hop of two.
    assert_found("alquerque", "5/5/3B1/2W2/5 b", "5/5/3B1/2W2/5 b", PERSON_NOTHING, "");
    assert_found("alquerque", "5/1B3/5/3B1/4W w", "5/1B3/2W2/5/5 w", PERSON_HALF,
                 "the move is not finished yet: go on at c3, b4 and a5");
}

static void test_wrong(void **state) {
    (void)state;
    assert_found("tic-tac-toe", "X1O/3/3 c", "X1O/3/2O c", PERSON_WRONG,
                 "a Nought mark stands on c1, where nothing stood. Nearest is the move c1: then a "
                 "Cross mark would stand on c1");
    assert_found(
        "mill", "W1W/3/3/BBB3/3/3/WW1 w hand=0,0", "W2/3/1W1/BBB3/3/3/WW1 w", PERSON_WRONG,
        "a White man stands on d5, where nothing stood; g7 is empty, where a White man "
        "stood. The rules say: Move a man along a line to the next point; with three men "
        "left, to any point. Nearest is the move g7-g4: then a White man would stand on g4 "
        "and d5 would be empty");
    assert_found("frogs", "GGG1BBB s", "GG2BBB s", PERSON_HALF,
                 "the move is not finished yet: go on at d1");
    assert_found(
        "reversi", "8/8/8/3BW3/3WB3/8/8/8 b", "B7/8/8/3BW3/3WB3/8/8/8 b", PERSON_WRONG,
        "a Black disc stands on a8, where nothing stood. The rules say: Place a disc so that it "
        "encloses a row of your opponent's discs.");
    // Everything at once.
    assert_found("tic-tac-toe", "X1O/3/3 c", "3/OOO/XX1 c", PERSON_WRONG,
                 "a Cross mark stands on a1, where nothing stood; a Cross mark stands on b1, where "
                 "nothing stood; a Nought mark stands on a2, where nothing stood; a Nought mark "
                 "stands on b2, where nothing stood; and 3 more cells are not as before");
}

// Of a picture that says nothing about a cell no move is made up.
static void test_unsure(void **state) {
    (void)state;
    Scenery *s = begin("tic-tac-toe", NULL);
    look(s, s->game->start, 0.1);
    for (int k = 0; k <= VIEW_KINDS; k++)
        s->sight.seen[0].support[k] = s->sight.seen[4].support[k] = 0;
    PersonMove found = find(s, s->game->start);
    assert_int_equal(found.found, PERSON_NOTHING); // nothing speaks for a change
    look_cell(s, 4, 0, 0.4);
    for (int k = 0; k <= VIEW_KINDS; k++)
        s->sight.seen[4].support[k] = k == 0 ? 0 : k == VIEW_KINDS ? -1 : -8;
    found = find(s, s->game->start);
    assert_int_equal(found.found, PERSON_UNSURE);
    assert_true(found.bests >= 1);
    for (int c = 0; c < 9; c++)
        for (int k = 0; k <= VIEW_KINDS; k++)
            s->sight.seen[c].support[k] = NAN;
    found = find(s, s->game->start);
    assert_true(found.found != PERSON_MOVE);
    s->sight.places = 3;
    assert_false(person_find(&s->table, s->runner, s->game->start, &s->sight, &found, &s->why));
    assert_string_equal(text_c(&s->why), "the picture does not show the whole board");
    end(s);
}

static void test_memory(void **state) {
    (void)state;
    Scenery *s = begin("mill", NULL);
    look(s, s->game->start, 0.1);
    bool ok = false;
    for (long n = 1; !ok; n++) {
        PersonMove found;
        text_clear(&s->why);
        mem_fail_at(n);
        ok = person_find(&s->table, s->runner, s->game->start, &s->sight, &found, &s->why);
        ok = mem_fail_at(0) > 0 && ok;
        assert_true(n < 1000);
    }
    end(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_games),  cmocka_unit_test(test_noise), cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_half),   cmocka_unit_test(test_wrong), cmocka_unit_test(test_unsure),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
