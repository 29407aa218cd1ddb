// Tests of the texts of moves: writing, reading, refusing, choice by choice.
#include "base/rng.h"
#include "game/movetext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// Choices, branches with and without labels, notation, a requirement.
static const char duel[] = "game \"Duel\"\n"                                      //  1
                           "players Red, Blue\n"                                  //  2
                           "board square 4 x 1\n"                                 //  3
                           "piece man of Red, Blue\n"                             //  4
                           "setup\n"                                              //  5
                           "    place man of Red at a1\n"                         //  6
                           "    place man of Blue at d1\n"                        //  7
                           "turn\n"                                               //  8
                           "    either\n"                                         //  9
                           "        say \"Move a man.\"\n"                        // 10
                           "        choose from in mine\n"                        // 11
                           "        choose to in empty & next(from)\n"            // 12
                           "        move from to to\n"                            // 13
                           "        either\n"                                     // 14
                           "            require to != a1 \"stay away from a1\"\n" // 15
                           "        or \"bow\"\n"                                 // 16
                           "            choose times in 1 .. 3\n"                 // 17
                           "    or \"wait\"\n"                                    // 18
                           "        require count empty == 2\n"                   // 19
                           "when stuck\n"                                         // 20
                           "    me loses\n"                                       // 21
                           "notation\n"                                           // 22
                           "    times \"({})\"\n";                                // 23

typedef struct Fixture {
    Game *game;
    Runner *runner;
    uint8_t *state;
} Fixture;

static Fixture open_game(const char *text) {
    Fixture f;
    Diags diags = {0};
    f.game = game_compile("duel.game", text, strlen(text), NULL, 0, &diags);
    if (!f.game) {
        Text t = {0};
        diag_print(&diags, &t, false);
        print_message("%s", text_c(&t));
        text_free(&t);
    }
    diag_free(&diags);
    assert_non_null(f.game);
    f.runner = runner_new(f.game);
    f.state = mem_alloc((size_t)game_state_size(f.game));
    memcpy(f.state, f.game->start, (size_t)game_state_size(f.game));
    return f;
}

static void close_game(Fixture *f) {
    mem_free(f->state);
    runner_free(f->runner);
    game_free(f->game);
}

static void expect_read(Fixture *f, const char *typed, const char *meant) {
    Move move;
    Text error = {0}, text = {0};
    bool ok = move_read(f->runner, f->state, typed, &move, &error);
    if (!ok)
        fail_msg("`%s`: %s", typed, text_c(&error));
    assert_true(move_text(f->runner, f->state, move, &text));
    assert_string_equal(text_c(&text), meant);
    text_free(&error);
    text_free(&text);
}

static void expect_refused(Fixture *f, const char *typed, const char *message) {
    Move move;
    Text error = {0};
    assert_false(move_read(f->runner, f->state, typed, &move, &error));
    assert_string_equal(text_c(&error), message);
    text_free(&error);
}

static void texts_are_made_of_choices(void **unused) {
    (void)unused;
    Fixture f = open_game(duel);
    static const char *const expected[] = {"a1-b1", "a1-b1-bow(1)", "a1-b1-bow(2)", "a1-b1-bow(3)",
                                           "wait"};
    const Move *moves;
    assert_int_equal(runner_moves(f.runner, f.state, &moves), 5);
    for (int i = 0; i < 5; i++) {
        Text text = {0};
        assert_true(move_text(f.runner, f.state, moves[i], &text));
        assert_string_equal(text_c(&text), expected[i]);
        text_free(&text);
    }
    close_game(&f);
}

static void people_may_type_loosely(void **unused) {
    (void)unused;
    Fixture f = open_game(duel);
    expect_read(&f, "a1-b1", "a1-b1");
    expect_read(&f, "  A1-B1\t\r\n", "a1-b1");
    expect_read(&f, "a1 b1", "a1-b1");
    expect_read(&f, "a1b1", "a1-b1");
    expect_read(&f, "a1 b1 bow 2", "a1-b1-bow(2)");
    expect_read(&f, "A1, b1, bow, 3", "a1-b1-bow(3)");
    expect_read(&f, "WAIT", "wait");
    close_game(&f);
}

static void refusals_say_what_and_where(void **unused) {
    (void)unused;
    Fixture f = open_game(duel);
    expect_refused(&f, "d1-c1",
                   "`d1` is not allowed for `from`: not in `mine` (duel.game:11); possible: a1");
    expect_refused(
        &f, "a1-c1",
        "`c1` is not allowed for `to`: not in `next(from)` (duel.game:12); possible: b1");
    expect_refused(&f, "a1-d1",
                   "`d1` is not allowed for `to`: not in `empty` (duel.game:12); possible: b1");
    expect_refused(&f, "a1-e1", "`to`: there is no cell `e1`; possible: b1");
    expect_refused(&f, "a1", "`a1` is not a whole move: `to` comes next; possible: b1");
    expect_refused(&f, "", "`from` comes first; possible: a1");
    expect_refused(&f, "a1-b1-bow(4)",
                   "`4` is not allowed for `times` (duel.game:17); possible: 1, 2, 3");
    expect_refused(&f, "a1-b1-bow",
                   "`a1-b1-bow` is not a whole move: `times` comes next; possible: 1, 2, 3");
    expect_refused(&f, "wait wait", "the move is complete before `wait`");
    close_game(&f);
}

static void conditions_do_not_hold(void **unused) {
    (void)unused;
    static const char text[] = "game \"Where\"\n"
                               "players Red, Blue\n"
                               "board square 4 x 1\n"
                               "piece stone of Red, Blue\n"
                               "turn\n"
                               "    choose at in empty & next(b1) where it in next(b1) - {c1}\n"
                               "    choose n in 1 .. 5 where it != 2\n"
                               "    place stone at at\n"
                               "when stuck\n"
                               "    me loses\n";
    Fixture f = open_game(text);
    expect_refused(&f, "d1 1",
                   "`d1` is not allowed for `at`: not in `next(b1)` (duel.game:6); possible: a1");
    expect_refused(&f, "c1 1",
                   "`c1` is not allowed for `at` because `it in next(b1) - {c1}` does not hold "
                   "(duel.game:6); possible: a1");
    expect_refused(&f, "a1 2",
                   "`2` is not allowed for `n` because `it != 2` does not hold (duel.game:7); "
                   "possible: 1, 3, 4, 5");
    close_game(&f);
}

static void a_requirement_refuses_with_its_words(void **unused) {
    (void)unused;
    Fixture f = open_game(duel);
    Move move;
    Text error = {0};
    assert_true(move_read(f.runner, f.state, "a1-b1", &move, &error));
    assert_true(runner_apply(f.runner, f.state, move, f.state));
    assert_true(move_read(f.runner, f.state, "wait", &move, &error));
    assert_true(runner_apply(f.runner, f.state, move, f.state));
    expect_refused(&f, "b1-a1", "not allowed: stay away from a1 (duel.game:15)");
    text_free(&error);
    close_game(&f);
}

static void long_and_strange_texts_are_refused(void **unused) {
    (void)unused;
    Fixture f = open_game(duel);
    char text[5000];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    expect_refused(&f, text, "this is too long for a move");
    text[100] = '\0';
    Move move;
    Text error = {0};
    assert_false(move_read(f.runner, f.state, text, &move, &error));
    assert_true(error.n < 300);
    assert_false(move_read(f.runner, f.state, "\033[31m", &move, &error));
    assert_null(strchr(text_c(&error), '\033'));
    assert_false(move_read(f.runner, f.state, "\xff\xfe", &move, &error));
    text_free(&error);
    close_game(&f);
}

static void several_meanings_are_listed(void **unused) {
    (void)unused;
    static const char text[] = "game \"Numbers\"\n"
                               "players Red, Blue\n"
                               "board square 1 x 1\n"
                               "turn\n"
                               "    choose a in 1 .. 12\n"
                               "    choose b in 1 .. 12\n"
                               "when stuck\n"
                               "    me loses\n";
    Fixture f = open_game(text);
    expect_read(&f, "1-12", "1-12");
    expect_read(&f, "11 2", "11-2");
    expect_refused(&f, "112", "`112` fits 2 moves: `1-12`, `11-2`");
    close_game(&f);
}

static void choices_are_made_one_by_one(void **unused) {
    (void)unused;
    Fixture f = open_game(duel);
    MoveOptions o;
    int64_t values[4] = {0};
    assert_true(move_options(f.runner, f.state, values, 0, &o));
    assert_false(o.complete);
    assert_int_equal(o.count, 2); // the branches: move, wait
    assert_true(move_options(f.runner, f.state, values, 1, &o));
    assert_string_equal(f.game->ir->site[o.site].name, "from");
    assert_string_equal(o.say, "Move a man.");
    assert_int_equal(o.count, 1);
    values[1] = o.values[0];
    assert_true(move_options(f.runner, f.state, values, 2, &o));
    assert_string_equal(f.game->ir->site[o.site].name, "to");
    assert_int_equal(o.count, 1);
    values[2] = o.values[0];
    assert_true(move_options(f.runner, f.state, values, 3, &o));
    assert_int_equal(o.count, 2);
    assert_true(move_options(f.runner, f.state, values, 4, &o));
    assert_true(o.complete);
    Text text = {0};
    assert_true(move_text(f.runner, f.state, o.move, &text));
    assert_string_equal(text_c(&text), "a1-b1");
    text_free(&text);
    values[1] = 3; // not a man of mine
    assert_false(move_options(f.runner, f.state, values, 2, &o));
    values[1] = 1000;
    assert_false(move_options(f.runner, f.state, values, 2, &o));
    close_game(&f);
}

static void expect_begun(Fixture *f, const char *typed, const char *text, const char *words,
                         const char *name, const char *next) {
    MoveBegun b = {0};
    assert_true(move_begin(f->runner, f->state, typed, &b));
    assert_string_equal(text_c(&b.text), text);
    assert_string_equal(text_c(&b.words), words);
    assert_string_equal(b.name ? b.name : "", name);
    assert_string_equal(text_c(&b.next), next);
    move_begun_free(&b);
}

static void a_move_may_be_begun(void **unused) {
    (void)unused;
    Fixture f = open_game(duel);
    expect_begun(&f, "", "", "", "", "a1\nwait\n");
    expect_begun(&f, " A1 ", "a1", "a1", "to", "b1\n");
    expect_begun(&f, "a1b1", "a1-b1", "a1 b1", "", "bow\n");
    expect_begun(&f, "a1 b1 Bow", "a1-b1-bow", "a1 b1 bow", "times", "1\n2\n3\n");
    MoveBegun b = {0};
    assert_false(move_begin(f.runner, f.state, "wait", &b));
    assert_false(move_begin(f.runner, f.state, "d1", &b));
    assert_false(move_begin(f.runner, f.state, "a1-b1-bow(2)", &b));
    assert_int_equal(b.words.n, 0);
    assert_true(move_begin(f.runner, f.state, "a1", &b));
    assert_int_equal(b.cells[0], 1);
    const Move *moves;
    assert_int_equal(runner_moves(f.runner, f.state, &moves), 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(move_continues(f.runner, f.state, moves[i], &b), i < 4);
    move_begun_free(&b);
    close_game(&f);
}

static void pieces_have_short_names(void **unused) {
    (void)unused;
    static const char text[] = "game \"Drop\"\n"
                               "players Red, Blue\n"
                               "board square 2 x 1\n"
                               "piece knight of Red \"N\", Blue \"n\"\n"
                               "piece king of Red \"K\", Blue \"k\"\n"
                               "piece kitten of Red \"C\", Blue \"c\"\n"
                               "turn\n"
                               "    choose at in empty\n"
                               "    choose what in knight, king\n"
                               "    place what at at\n"
                               "when stuck\n"
                               "    me loses\n";
    Fixture f = open_game(text);
    expect_read(&f, "a1n", "a1-knight");
    expect_read(&f, "a1=N", "a1-knight");
    expect_read(&f, "a1 Kn", "a1-knight");
    expect_read(&f, "b1k", "b1-king"); // a letter comes before a beginning
    expect_read(&f, "b1 KIN", "b1-king");
    expect_refused(&f, "a1 c",
                   "`c` is not allowed for `what` (duel.game:9); possible: knight, king");
    expect_refused(&f, "a1 ki", "`what`: there is no piece `ki`; possible: knight, king");
    close_game(&f);
}

static void passing_is_a_move(void **unused) {
    (void)unused;
    static const char text[] = "game \"Pass\"\n"
                               "players Red, Blue\n"
                               "board square 2 x 1\n"
                               "piece stone of Red, Blue\n"
                               "turn\n"
                               "    require me == Blue\n"
                               "    choose at in empty\n"
                               "    place stone at at\n"
                               "when stuck\n"
                               "    pass\n";
    Fixture f = open_game(text);
    MoveOptions o;
    expect_read(&f, "Pass", "pass");
    expect_refused(&f, "a1", "there is no move: `pass` is all that is left");
    assert_true(move_options(f.runner, f.state, NULL, 0, &o));
    assert_true(o.complete && move_is_pass(o.move));
    close_game(&f);
}

static void the_rules_have_their_own_way(void **unused) {
    (void)unused;
    static const char text[] = "game \"Own\"\n"
                               "players Red, Blue\n"
                               "board square 3 x 3\n"
                               "piece stone of Red, Blue\n"
                               "turn\n"
                               "    choose at in empty - {b2}\n"
                               "    place stone at at\n"
                               "when stuck\n"
                               "    me loses\n"
                               "input\n"
                               "    read column as letter \"first a letter\"\n"
                               "    require column <= 3 \"only A, B and C\"\n"
                               "    read line in 1 .. 3 \"then a number from 1 to 3\"\n"
                               "    read size in BIG = 1, SMALL = 0 \"then BIG or SMALL\"\n"
                               "    answer at = cell(column, line + 0 * size)\n";
    Fixture f = open_game(text);
    expect_read(&f, "b 3 big", "b3");
    expect_refused(&f, "7 3 big", "`7`: first a letter");
    expect_refused(&f, "d 3 big", "only A, B and C");
    expect_refused(&f, "b 4 big", "`4`: then a number from 1 to 3");
    expect_refused(&f, "b 3 huge", "`huge`: then BIG or SMALL");
    expect_refused(&f, "b 2 small",
                   "`b2` is not allowed for `at`: not in `empty - {b2}` (duel.game:6); possible: "
                   "a1, b1, c1, a2, c2, a3, b3, c3");
    // Another number of words is not in the rules' own form: they are read as choices.
    expect_read(&f, "b3", "b3");
    expect_refused(&f, "7 2",
                   "`at`: there is no cell `7`; possible: a1, b1, c1, a2, c2, a3, b3, c3");
    // But if they look like it, this is what is wrong with them.
    expect_refused(&f, "d 2",
                   "a move has 3 parts with blanks between them: column line size; `d 2` has 2");
    expect_refused(&f, "b 3 big big",
                   "a move has 3 parts with blanks between them: column line size; "
                   "`b 3 big big` has 4");
    expect_refused(&f, "b,3,big",
                   "a move has 3 parts with blanks between them: column line size; "
                   "`b,3,big` has 1");
    close_game(&f);
}

// Every move of random games of the library reads back.
static void moves_read_back(void **unused) {
    (void)unused;
    static const char *const names[] = {"mill", "byte", "skirmish", "english-draughts", "chess"};
    Rng rng;
    rng_seed(&rng, 1);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        Diags diags = {0};
        Game *g = game_load(names[k], NULL, 0, &diags);
        assert_non_null(g);
        Runner *r = runner_new(g);
        uint8_t *state = mem_alloc((size_t)game_state_size(g));
        memcpy(state, g->start, (size_t)game_state_size(g));
        Text text = {0}, error = {0};
        for (int ply = 0; ply < 60; ply++) {
            Move move, again;
            if (runner_random(r, state, rng_next(&rng), &move) != 1)
                break;
            text_clear(&text);
            assert_true(move_text(r, state, move, &text));
            if (!move_read(r, state, text_c(&text), &again, &error))
                fail_msg("%s: `%s`: %s", names[k], text_c(&text), text_c(&error));
            assert_true(move_equal(move, again));
            assert_true(runner_apply(r, state, move, state));
        }
        text_free(&text);
        text_free(&error);
        mem_free(state);
        runner_free(r);
        game_free(g);
        diag_free(&diags);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_made_of_choices),
        cmocka_unit_test(people_may_type_loosely),
        cmocka_unit_test(refusals_say_what_and_where),
        cmocka_unit_test(conditions_do_not_hold),
        cmocka_unit_test(a_requirement_refuses_with_its_words),
        cmocka_unit_test(long_and_strange_texts_are_refused),
        cmocka_unit_test(several_meanings_are_listed),
        cmocka_unit_test(choices_are_made_one_by_one),
        cmocka_unit_test(a_move_may_be_begun),
        cmocka_unit_test(pieces_have_short_names),
        cmocka_unit_test(passing_is_a_move),
        cmocka_unit_test(the_rules_have_their_own_way),
        cmocka_unit_test(moves_read_back),
    };
    return cmocka_run_group_tests_name("movetext", tests, NULL, NULL);
}
