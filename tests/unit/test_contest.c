// Tests of src/match/contest.c, time_control.c and contest_file.c: contests from words and files.
#include "match/contest_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

// --- times and tests ---

static void times_read_back(void **state) {
    (void)state;
    static const struct {
        const char *text, *again;
    } cases[] = {
        {"0.5s", "time=0.5s,margin=0.2s"},
        {"2", "time=2s,margin=0.2s"},
        {"50ms", "time=0.05s,margin=0.2s"},
        {"5m+3s", "clock=300s+3s,margin=0.2s"},
        {"clock=1h,margin=0", "clock=3600s,margin=0s"},
        {"nodes=10", "nodes=10"},
        {"time=1s,clock=90+0.5,margin=20ms,nodes=10k,depth=4",
         "time=1s,clock=90s+0.5s,margin=0.02s,nodes=10000,depth=4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TimeControl time = {0}, back = {0};
        Text why = {0}, text = {0};
        if (!time_control_read(cases[i].text, &time, &why))
            fail_msg("%s: %s", cases[i].text, text_c(&why));
        time_control_text(&time, &text);
        assert_string_equal(text_c(&text), cases[i].again);
        assert_true(time_control_read(text_c(&text), &back, &why));
        assert_memory_equal(&back, &time, sizeof time);
        text_free(&text);
        text_free(&why);
    }
}

static void wrong_times_are_refused(void **state) {
    (void)state;
    static const char *const cases[] = {
        "",        "s",       "-1s",    "0s",         "1s,",  ",1s",    "1e3",
        "0x10",    "inf",     "nan",    "1 s",        "1d",   "5m+",    "+3s",
        "clock=0", "depth=0", "nodes=", "nodes=1.5q", "1..2", "999h+1", "depth=99999999",
        "time",    "speed=3",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TimeControl time = {.move = 7};
        Text why = {0};
        if (time_control_read(cases[i], &time, &why))
            fail_msg("`%s` was taken", cases[i]);
        assert_true(why.n > 0);
        assert_true(time.move == 7);
        text_free(&why);
    }
}

static void tests_are_read(void **state) {
    (void)state;
    Sprt sprt = {0};
    Text why = {0};
    assert_true(sprt_read("-5,5", &sprt, &why));
    assert_true(sprt.on && sprt.elo0 == -5 && sprt.elo1 == 5 && sprt.alpha == 0.05);
    assert_true(sprt_read("0,10,0.1,0.02", &sprt, &why));
    assert_true(sprt.alpha == 0.1 && sprt.beta == 0.02);
    static const char *const cases[] = {
        "",      "5",         "5,5",          "10,0",         "0,10,",
        "0,nan", "0,10,0.05", "0,2000",       "0,10,0.6,0.1", "a,b",
        "0;10",  "0,10,0,0",  "0,10,.1,.1,.1"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        text_clear(&why);
        if (sprt_read(cases[i], &sprt, &why))
            fail_msg("`%s` was taken", cases[i]);
        assert_true(why.n > 0);
    }
    text_free(&why);
}

// --- files ---

static Contest *read_text(const char *text, Text *messages) {
    Source source = {"cup.txt", text, strlen(text)};
    Diags diags = {.source = &source};
    Contest *c = contest_read(&source, &diags);
    assert_true((c == NULL) == (diags.errors > 0));
    diag_print(&diags, messages, false);
    diag_free(&diags);
    return c;
}

static void a_file_is_read(void **state) {
    (void)state;
    Text messages = {0};
    Contest *c = read_text("# a remark\n"
                           "ludens tournament 1\r\n"
                           "title Spring cup   # not in the title\n"
                           "kind swiss\n"
                           "game mill men=9 flying=no\n\n"
                           "game connect-four\n"
                           "each 4\nrounds 3\nopenings 0\nswap no\nplies 300\nseed 77\n"
                           "time 0.5s\n"
                           "entrant Anna B = bot:./a#b.py --x = y\n"
                           "\ttime 5m+3s\n"
                           "entrant alphabeta:depth=4\n",
                           &messages);
    assert_string_equal(text_c(&messages), "");
    assert_string_equal(c->title, "Spring cup");
    assert_int_equal(c->kind, SWISS);
    assert_int_equal(c->games, 2);
    assert_int_equal(c->game[0].param_count, 2);
    assert_string_equal(c->game[0].params[1], "flying=no");
    assert_string_equal(c->game[1].name, "connect-four");
    assert_true(c->each == 4 && c->rounds == 3 && c->opening_plies == 0 && !c->swap);
    assert_true(c->plies == 300 && c->seed == 77);
    assert_int_equal(c->entrants, 2);
    assert_string_equal(c->entrant[0].name, "Anna B");
    assert_string_equal(c->entrant[0].text, "bot:./a#b.py --x = y");
    assert_true(c->entrant[0].time.game == 300 && c->entrant[0].time.move == 0);
    assert_string_equal(c->entrant[1].name, "alphabeta:depth=4");
    assert_true(c->entrant[1].time.move == 0.5);
    contest_free(c);
    text_free(&messages);
}

#define HEAD "ludens tournament 1\n"
#define REST "game mill\nentrant random\nentrant greedy\n"

static void mistakes_are_told(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "cup.txt:1:1: error: a tournament file begins with the line `ludens tournament 1`"},
        {"title X\n" REST, "cup.txt:1:1: error: a tournament file begins"},
        {"ludens tournament 2\n", "cup.txt:1:1: error: a tournament file begins"},
        {HEAD "knid swiss\n" REST, "cup.txt:2:1: error: there is no `knid` in a tournament file"},
        {HEAD "knid swiss\n" REST, "= help: did you mean `kind`?"},
        {HEAD "kind swis\n" REST, "did you mean `swiss`?"},
        {HEAD "kind Q\n" REST, "= help: match, round-robin, gauntlet, knockout or swiss"},
        {HEAD "each 0\n" REST, "cup.txt:2:6: error: `each` is a number from 1 to 100000000"},
        {HEAD "each -1\n" REST, "`each` is a number"},
        {HEAD "seed 99999999999999999999\n" REST, "`seed` is a number"},
        {HEAD "seed 9223372036854775808\n" REST, "`seed` is a number"},
        {HEAD "each 2\neach 3\n" REST, "cup.txt:3:1: error: there is a line `each` already"},
        {HEAD "title\n" REST, "cup.txt:2:1: error: `title` needs a value"},
        {HEAD "swap maybe\n" REST, "`swap` is yes or no"},
        {HEAD "time soon\n" REST, "cup.txt:2:6: error: `soon` is none"},
        {HEAD "sprt 5\n" REST, "`5` is no test"},
        {HEAD "sprt 0,5\n" REST, "sprt is for a match of two"},
        {HEAD "rounds 3\n" REST, "only a swiss tournament has a number of rounds"},
        {HEAD "openings 9\nplies 5\n" REST, "the opening must be shorter"},
        {HEAD " title X\n" REST, "only what belongs to an entrant is indented"},
        {HEAD REST "  depth 4\n", "cup.txt:5:3: error: an entrant has a `time` of its own"},
        {HEAD REST "  time 1s\n  time 2s\n", "this entrant has a `time` already"},
        {HEAD REST "entrant random\n", "there are two entrants `random`"},
        {HEAD REST "entrant A = \n", "cup.txt:5:9: error: behind `=` comes a player"},
        {HEAD "game mill men\nentrant a\nentrant b\n", "`men` is no parameter: one is NAME=VALUE"},
        {HEAD "entrant a\nentrant b\n", "there is no game to play"},
        {HEAD "game mill\nentrant a\n", "at least two entrants"},
        {HEAD "title \x01\n" REST, "a title is text without control characters"},
        {HEAD "title \xff\n" REST, "a title is text without control characters"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Text messages = {0};
        Contest *c = read_text(cases[i].text, &messages);
        if (c || !strstr(text_c(&messages), cases[i].message))
            fail_msg("case %zu: `%s` is not in `%s`", i, cases[i].message, text_c(&messages));
        text_free(&messages);
    }
}

// Each limit just at it and just above.
static void limits_hold(void **state) {
    (void)state;
    Contest *c = contest_new();
    Text why = {0};
    char name[CONTEST_NAME + 3];
    memset(name, 'x', sizeof name);
    name[CONTEST_NAME] = 0;
    assert_true(contest_add_entrant(c, name, "random", &why));
    name[CONTEST_NAME] = 'x';
    name[CONTEST_NAME + 1] = 0;
    assert_false(contest_add_entrant(c, name, "random", &why));
    name[CONTEST_NAME] = 'y';
    name[CONTEST_NAME - 1] = 'y'; // another name, also when it is cut
    assert_true(contest_add_entrant(c, NULL, name, &why));
    assert_int_equal(strlen(c->entrant[1].name), CONTEST_NAME);
    for (int i = c->entrants; i < CONTEST_ENTRANTS; i++) {
        Text number = {0};
        text_f(&number, "e%d", i);
        assert_true(contest_add_entrant(c, text_c(&number), "random", &why));
        text_free(&number);
    }
    assert_false(contest_add_entrant(c, "one more", "random", &why));
    for (int i = 0; i < CONTEST_GAMES; i++)
        assert_true(contest_add_game(c, "mill", NULL, 0, &why));
    assert_false(contest_add_game(c, "mill", NULL, 0, &why));
    contest_free(c);
    text_free(&why);
}

static void memory_runs_out(void **state) {
    (void)state;
    long left = 0;
    for (long n = 1; left == 0 && n < 10000; n++) {
        Text messages = {0};
        mem_fail_at(n);
        Source source = {"cup.txt", HEAD "title X\nkind Q\n" REST " time 1s\n", 0};
        source.size = strlen(source.text);
        Diags diags = {.source = &source};
        assert_null(contest_read(&source, &diags));
        assert_true(diags.errors > 0);
        left = mem_fail_at(0);
        diag_free(&diags);
        text_free(&messages);
    }
    assert_true(left > 0);
    left = 0;
    for (long n = 1; left == 0 && n < 10000; n++) {
        Source source = {"cup.txt", HEAD "title X\n" REST " time 1s\n", 0};
        source.size = strlen(source.text);
        Diags diags = {.source = &source};
        mem_fail_at(n);
        Contest *c = contest_read(&source, &diags);
        left = mem_fail_at(0);
        assert_true((c == NULL) == (diags.errors > 0));
        if (c)
            assert_string_equal(c->entrant[1].text, "greedy");
        contest_free(c);
        diag_free(&diags);
    }
    assert_true(left > 0);
}

static void endings_have_names(void **state) {
    (void)state;
    assert_string_equal(ending_name(END_RULES), "rules");
    assert_string_equal(ending_name(END_STOPPED), "stopped");
    assert_true(ending_is_offence(END_TIME) && ending_is_offence(END_LIMIT));
    assert_false(ending_is_offence(END_LENGTH) || ending_is_offence(END_FAULT));
    ContestKind kind;
    for (int i = MATCH; i <= SWISS; i++) {
        assert_true(contest_kind_read(contest_kind_name((ContestKind)i), &kind));
        assert_int_equal(kind, i);
    }
    assert_false(contest_kind_read("matches", &kind));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_read_back),   cmocka_unit_test(wrong_times_are_refused),
        cmocka_unit_test(tests_are_read),    cmocka_unit_test(a_file_is_read),
        cmocka_unit_test(mistakes_are_told), cmocka_unit_test(limits_hold),
        cmocka_unit_test(memory_runs_out),   cmocka_unit_test(endings_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
