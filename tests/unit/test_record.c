// Tests of src/game/record.c: playing, undo, repetition, saving and loading.
#include "game/movetext.h"
#include "game/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

// A king walks along five cells; coming back twice is a draw, the far end wins.
static const char walk[] = "game \"Walk\"\n"
                           "players Red, Blue\n"
                           "parameter length : 3..9 = 5\n"
                           "board square length x 1\n"
                           "piece king\n"
                           "setup\n"
                           "    place king at b1\n"
                           "turn\n"
                           "    choose to in next(the king)\n"
                           "    move the king to to\n"
                           "end\n"
                           "    me wins when column(the king) == length\n"
                           "    draw when repeated 3\n"
                           "when stuck\n"
                           "    me loses\n";

typedef struct Fixture {
    Game *game;
    Runner *runner;
    Record *record;
} Fixture;

static int open(void **state) {
    static Fixture f;
    Diags diags = {0};
    f.game = game_compile("walk.game", walk, strlen(walk), NULL, 0, &diags);
    assert_int_equal(diags.errors, 0);
    f.runner = runner_new(f.game);
    f.record = record_new(f.runner, NULL);
    assert_non_null(f.record);
    diag_free(&diags);
    *state = &f;
    return 0;
}

static int close(void **state) {
    Fixture *f = *state;
    record_free(f->record);
    runner_free(f->runner);
    game_free(f->game);
    return 0;
}

static void play(Fixture *f, const char *text) {
    Move move;
    Text error = {0};
    bool ok = move_read(f->runner, record_now(f->record), text, &move, &error);
    if (!ok)
        print_message("# %s: %s\n", text, text_c(&error));
    assert_true(ok);
    assert_true(record_play(f->record, move));
    text_free(&error);
}

static void moves_are_undone_and_redone(void **state) {
    Fixture *f = *state;
    size_t size = (size_t)game_state_size(f->game);
    assert_false(record_undo(f->record));
    assert_false(record_redo(f->record));
    play(f, "c1");
    play(f, "d1");
    assert_int_equal(record_length(f->record), 2);
    assert_true(record_undo(f->record));
    assert_true(record_undo(f->record));
    assert_int_equal(record_length(f->record), 0);
    assert_memory_equal(record_now(f->record), f->game->start, size);
    assert_true(record_redo(f->record));
    assert_int_equal(record_length(f->record), 1);
    play(f, "b1"); // and d1 is forgotten
    assert_false(record_redo(f->record));
    record_restart(f->record);
    assert_int_equal(record_length(f->record), 0);
    assert_false(record_redo(f->record));
}

static void a_position_for_the_third_time_is_a_draw(void **state) {
    Fixture *f = *state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(record_result(f->record), 0);
        play(f, "c1");
        assert_int_equal(record_result(f->record), 0);
        play(f, "b1");
    }
    assert_int_equal(record_result(f->record), RESULT_OVER);
    assert_string_equal(record_reason(f->record), "the position occurred 3 times");
    assert_true(record_undo(f->record));
    assert_int_equal(record_result(f->record), 0);
    assert_string_equal(record_reason(f->record), "");
}

static void an_end_rule_is_the_reason(void **state) {
    Fixture *f = *state;
    play(f, "c1");
    play(f, "d1");
    play(f, "e1");
    assert_int_equal(record_result(f->record), RESULT_OVER | 1);
    assert_string_equal(record_reason(f->record),
                        "by the rule `me wins when column(the king) == length`");
}

// Where several rules could have given the result, the first that holds is told, with `me` as who
// has moved.
static void one_of_several_rules_is_the_reason(void **state) {
    (void)state;
    static const char text[] = "game \"Two ends\"\n"
                               "players White, Black\n"
                               "board square 3 x 3\n"
                               "    lines of 3\n"
                               "piece man of White, Black\n"
                               "turn\n"
                               "    choose to in empty\n"
                               "    place man at to\n"
                               "end\n"
                               "    Black wins when me == Black and b2 in mine\n"
                               "    me wins when some l in lines : l within mine\n"
                               "    opponent loses when count mine == 4\n"
                               "    me wins when no empty\n";
    static const struct {
        const char *moves[8], *reason;
    } games[] = {
        {{"a1", "b2"}, "by the rule `Black wins when me == Black and b2 in mine`"},
        {{"a1", "a2", "b1", "b3", "c1"},
         "by the rule `me wins when some l in lines : l within mine`"},
        {{"a1", "b1", "c1", "c2", "a2", "a3", "b3"},
         "by the rule `opponent loses when count mine == 4`"},
    };
    Diags diags = {0};
    Fixture f = {.game = game_compile("ends.game", text, strlen(text), NULL, 0, &diags)};
    assert_int_equal(diags.errors, 0);
    diag_free(&diags);
    f.runner = runner_new(f.game);
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        f.record = record_new(f.runner, NULL);
        for (int k = 0; k < 8 && games[i].moves[k]; k++)
            play(&f, games[i].moves[k]);
        assert_string_equal(record_reason(f.record), games[i].reason);
        record_free(f.record);
    }
    runner_free(f.runner);
    game_free(f.game);
}

// What a rule says to people is told in its place, of whatever kind the rule is.
static void a_text_of_a_rule_is_the_reason(void **state) {
    (void)state;
    static const char head[] = "game \"Two cells\"\n"
                               "players White, Black\n"
                               "board square 2 x 1\n"
                               "piece man of White, Black\n"
                               "turn\n"
                               "    choose to in empty\n";
    static const struct {
        const char *rules, *moves[4], *reason;
    } games[] = {
        {"    place man at to\nend\n    me wins when no empty \"full\"\n", {"a1", "b1"}, "full"},
        {"    place man at to\nend\n    me wins when b1 in theirs \"right\"\n"
         "    me wins when b1 in mine and no empty \"left\"\n",
         {"a1", "b1"},
         "left"},
        {"    place man at to\nend\n    draw when 2 moves without remove \"quiet\"\n",
         {"a1", "b1"},
         "quiet"},
        {"end\n    draw when repeated 2 \"again\"\n", {"a1", "a1"}, "again"},
        {"    place man at to\nwhen stuck\n    me loses \"shut in\"\n", {"a1", "b1"}, "shut in"},
        // The one of several that holds for who cannot move, and none where none holds.
        {"    place man at to\nwhen stuck\n    draw when a1 in theirs \"theirs\"\n"
         "    draw when a1 in mine \"mine\"\n    draw \"else\"\n",
         {"a1", "b1"},
         "mine"},
        {"    place man at to\nwhen stuck\n    draw when a1 in theirs \"theirs\"\n",
         {"a1", "b1"},
         "White cannot move"},
        {"    place man at to\nwhen stuck\n    draw when a1 in mine\n",
         {"a1", "b1"},
         "White cannot move: `draw when a1 in mine`"},
        {"    place man at to\nwhen stuck\n    pass\n"
         "when all stuck\n    most count men of it wins \"counted\"\n",
         {"a1", "b1"},
         "counted"},
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        Text text = {0};
        Diags diags = {0};
        text_f(&text, "%s%s", head, games[i].rules);
        Fixture f = {.game = game_compile("two.game", text_c(&text), text.n, NULL, 0, &diags)};
        assert_int_equal(diags.errors, 0);
        diag_free(&diags);
        f.runner = runner_new(f.game);
        f.record = record_new(f.runner, NULL);
        for (int k = 0; k < 4 && games[i].moves[k]; k++)
            play(&f, games[i].moves[k]);
        assert_true(record_result(f.record) > 0);
        assert_string_equal(record_reason(f.record), games[i].reason);
        record_free(f.record);
        runner_free(f.runner);
        game_free(f.game);
        text_free(&text);
    }
}

static void a_long_game_grows(void **state) {
    Fixture *f = *state;
    for (int i = 0; i < 500; i++)
        play(f, i % 2 ? "b1" : "a1");
    assert_int_equal(record_length(f->record), 500);
    assert_int_equal(game_player(f->game, record_state(f->record, 499)), 1);
}

static void a_game_is_saved_and_loaded(void **state) {
    Fixture *f = *state;
    static const char *const params[] = {"length=5"};
    play(f, "c1");
    play(f, "d1");
    play(f, "e1");
    Text saved = {0}, again = {0}, error = {0};
    record_save(f->record, params, 1, &saved);
    assert_string_equal(text_c(&saved), "ludens game 1\n"
                                        "game walk.game length=5\n"
                                        "moves\n"
                                        "1. c1 d1\n"
                                        "2. e1\n"
                                        "result Red wins\n");
    Record *other = record_new(f->runner, NULL);
    assert_true(record_load(other, text_c(&saved), &error));
    assert_int_equal(record_length(other), 3);
    record_save(other, params, 1, &again);
    assert_string_equal(text_c(&saved), text_c(&again));
    record_free(other);
    text_free(&saved);
    text_free(&again);
    text_free(&error);
}

static void another_start_is_kept(void **state) {
    Fixture *f = *state;
    uint8_t *start = mem_alloc((size_t)game_state_size(f->game));
    memcpy(start, f->game->start, (size_t)game_state_size(f->game));
    start[f->game->ir->layout.player] = 1;
    Record *rec = record_new(f->runner, start);
    Text saved = {0}, error = {0};
    record_save(rec, NULL, 0, &saved);
    assert_non_null(strstr(text_c(&saved), "\nstart "));
    assert_true(record_load(f->record, text_c(&saved), &error));
    assert_int_equal(game_player(f->game, record_now(f->record)), 1);
    record_free(rec);
    mem_free(start);
    text_free(&saved);
    text_free(&error);
}

static void wrong_files_are_refused_by_line(void **state) {
    Fixture *f = *state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "line 1: a saved game begins with `ludens game 1`"},
        {"hello\n", "line 1: a saved game begins with `ludens game 1`"},
        {"ludens game 1\n", "line 2: expected `game NAME`"},
        {"ludens game 1\ngame\n", "line 2: expected `game NAME`"},
        {"ludens game 1\ngame walk\n", "line 3: expected `moves`"},
        {"ludens game 1\ngame walk\n\n# so\nmove\n", "line 5: expected `moves`"},
        {"ludens game 1\ngame walk\nmoves\n1. c1 c1\n", "line 4: `c1` is not allowed for `to`"},
        {"ludens game 1\ngame walk\nmoves\n1. c1 d1 e1 d1\n", "line 4: the game is over: Red wins"},
        {"ludens game 1\ngame walk\nmoves\n1. c1 b1\n2. c1 b1\n3. c1\n",
         "line 6: the game is over before this move"},
        {"ludens game 1\ngame walk\nmoves\n1. c1\nresult a draw\n",
         "line 5: the result is `a draw`, but after these moves it is `unfinished`"},
        {"ludens game 1\ngame walk\nmoves\n1. c1\nresult unfinished\n\n# so\nc1\n",
         "line 8: nothing may stand behind the result"},
        {"ludens game 1\ngame walk\nstart zzz\nmoves\n", "line 3: "},
    };
    play(f, "c1");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Text error = {0};
        assert_false(record_load(f->record, cases[i].text, &error));
        size_t n = strlen(cases[i].error);
        if (strncmp(text_c(&error), cases[i].error, n) != 0)
            fail_msg("case %zu: %s", i, text_c(&error));
        assert_int_equal(record_length(f->record), 1); // the game before is untouched
        text_free(&error);
    }
}

static void the_game_of_a_file_is_known_beforehand(void **state) {
    (void)state;
    char name[20];
    char **params;
    int count;
    Text error = {0};
    const char *text = "ludens game 1\ngame \"my games/walk.game\" length=7 \"a=\\\"b\"\nmoves\n";
    assert_true(record_read_game(text, name, sizeof name, &params, &count, &error));
    assert_string_equal(name, "my games/walk.game");
    assert_int_equal(count, 2);
    assert_string_equal(params[0], "length=7");
    assert_string_equal(params[1], "a=\"b");
    for (int i = 0; i < count; i++)
        mem_free(params[i]);
    mem_free(params);
    assert_false(record_read_game(text, name, 5, &params, &count, &error));
    assert_string_equal(text_c(&error), "line 2: the name of the game is too long");
    assert_null(params);
    text_free(&error);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open, close)
    const struct CMUnitTest tests[] = {
        TEST(moves_are_undone_and_redone),     TEST(a_position_for_the_third_time_is_a_draw),
        TEST(an_end_rule_is_the_reason),       TEST(one_of_several_rules_is_the_reason),
        TEST(a_text_of_a_rule_is_the_reason),  TEST(a_long_game_grows),
        TEST(a_game_is_saved_and_loaded),      TEST(another_start_is_kept),
        TEST(wrong_files_are_refused_by_line), TEST(the_game_of_a_file_is_known_beforehand),
    };
    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
