// Tests of src/match/results.c, record_words.c, export*.c, report.c and study*.c.
#include "match/contest_make.h"
#include "match/export.h"
#include "match/record_words.h"
#include "match/report.h"
#include "match/study.h"
#include "search_fixture.h"

#include <stdio.h>

static Contest *contest_of(int entrants) {
    static const char *const names[] = {"A", "B", "C"};
    Text why = {0};
    Contest *c = contest_new();
    assert_non_null(c);
    assert_true(contest_add_game(c, "tic-tac-toe", NULL, 0, &why));
    for (int i = 0; i < entrants; i++)
        assert_true(contest_add_entrant(c, names[i], "random", &why));
    TimeControl none = {0};
    assert_true(contest_finish(c, &none, &why));
    return c;
}

// A game of two (or three) entrants; `winners` as in a result.
static Played game_of(int64_t number, int a, int b, int c, int winners) {
    Played p = {.pairing = {.number = number,
                            .seat = {a, b, c, -1, -1, -1, -1},
                            .opening = (uint64_t)number / 2},
                .result = RESULT_OVER | winners,
                .culprit = -1,
                .moves = 4,
                .openings = 2};
    text_add(&p.record, "ludens game 1\ngame tic-tac-toe\nmoves\n1. a1 b2\n2. c3 \"a b\"\n"
                        "result unfinished\n");
    p.move = mem_alloc(4 * sizeof *p.move);
    assert_non_null(p.move);
    p.move[2].seconds = 0.5;
    p.move[3].seconds = 1.5;
    return p;
}

static void add(Results *r, Played p) {
    assert_true(results_add(r, &p));
    played_free(&p);
}

static void words_of_records(void **state) {
    (void)state;
    static const char record[] = "ludens game 1\ngame x\nmoves\n1. White: a1 \"b \\\"2\\\"\" c3\n"
                                 "2. Black: 4-5\n3. result\nresult White wins\n";
    static const char *const expected[] = {"a1", "b \"2\"", "c3", "4-5", "result"};
    static const char *const who[] = {"White", "White", "White", "Black", ""};
    RecordWords w;
    record_words_begin(&w, record);
    for (int i = 0; i < 5; i++) {
        assert_true(record_words_next(&w));
        assert_string_equal(text_c(&w.word), expected[i]);
        assert_string_equal(w.name, who[i]);
    }
    assert_false(record_words_next(&w));
    assert_false(record_words_next(&w));
    record_words_end(&w);
    const char *strange[] = {
        "", "moves", "\nmoves\n", "\nmoves\n1.", "\nmoves\n1. \"a", "\nmoves\n\n\n"};
    for (int i = 0; i < 6; i++) {
        record_words_begin(&w, strange[i]);
        for (int k = 0; k < 3; k++)
            record_words_next(&w);
        record_words_end(&w);
    }
}

static void points(void **state) {
    (void)state;
    assert_true(results_points(RESULT_OVER | 1, 0, 2) == 1);
    assert_true(results_points(RESULT_OVER | 1, 1, 2) == 0);
    assert_true(results_points(RESULT_OVER, 1, 2) == 0.5);
    assert_true(results_points(RESULT_OVER | 3, 1, 2) == 0.5);
    assert_true(results_points(RESULT_OVER | 5, 2, 3) == 0.5);
    assert_true(results_points(RESULT_OVER, 0, 1) == 0);
    assert_true(results_points(RESULT_OVER | 1, 0, 1) == 1);
}

static void results_of_two(void **state) {
    (void)state;
    Contest *c = contest_of(2);
    Results *r = results_new(c);
    add(r, game_of(0, 0, 1, -1, 1)); // A wins as first,
    add(r, game_of(1, 1, 0, -1, 2)); //   and as second: 2 points of the pair
    add(r, game_of(2, 0, 1, -1, 0));
    add(r, game_of(3, 1, 0, -1, 1)); // half a point
    add(r, game_of(5, 1, 0, -1, 1)); // its pair is missing
    Played fault = game_of(6, 0, 1, -1, 0);
    fault.ending = END_FAULT;
    add(r, fault);
    Played crash = game_of(7, 1, 0, -1, 2);
    crash.ending = END_CRASH;
    crash.culprit = 0; // B
    add(r, crash);
    assert_true(results_finish(r));
    const Score *s = &r->score[1];
    assert_int_equal(s->won, 3);
    assert_int_equal(s->drawn, 1);
    assert_int_equal(s->lost, 2);
    assert_int_equal(r->score[2].lost, 3);
    const int64_t pairs[5] = {0, 1, 0, 0, 1}, turned[5] = {1, 0, 0, 1, 0};
    assert_memory_equal(s->pairs, pairs, sizeof pairs);
    assert_memory_equal(r->score[2].pairs, turned, sizeof turned);
    assert_int_equal(r->games, 7);
    assert_int_equal(r->faults, 1);
    assert_true(r->side[0].points == 3.5 && r->side[1].points == 2.5);
    assert_int_equal(r->order[0], 0);
    assert_true(r->side[0].elo > 0 && r->side[1].elo < 0);
    assert_int_equal(r->side[1].offences, 1);
    assert_int_equal(r->offences, 1);
    assert_int_equal(r->offence[0].entrant, 1);
    assert_int_equal(r->side[0].seat[0].won, 1);
    assert_int_equal(r->side[0].seat[1].won, 2);
    assert_int_equal(r->openings, 1);
    assert_string_equal(r->opening[0].text, "a1 b2");
    assert_true(r->side[0].longest == 1.5);
    results_free(r);
    contest_free(c);
}

static void results_of_three(void **state) {
    (void)state;
    Contest *c = contest_of(3);
    Results *r = results_new(c);
    add(r, game_of(0, 0, 1, 2, 1)); // A alone
    add(r, game_of(1, 1, 2, 0, 5)); // B and A share it
    add(r, game_of(2, 2, 0, 1, 0)); // nobody
    assert_true(results_finish(r));
    assert_true(r->side[0].points > 1.83 && r->side[0].points < 1.84);
    assert_int_equal(r->score[0 * 3 + 1].won, 1);
    assert_int_equal(r->score[0 * 3 + 1].drawn, 2);
    assert_int_equal(r->score[2 * 3 + 0].lost, 2);
    assert_int_equal(r->seats, 3);
    // Of each side by game, whoever shares a win; not by each of the others.
    assert_int_equal(r->side[0].score.won, 2);
    assert_int_equal(r->side[0].score.drawn, 1);
    assert_int_equal(r->side[0].score.lost, 0);
    assert_int_equal(r->side[2].score.lost, 2);
    assert_true(r->side[0].seat_points[2] == 0.5);
    assert_int_equal(r->drawn, 1);
    assert_int_equal(r->seat[0].won, 2); // A alone, B with A
    assert_int_equal(r->seat[1].lost, 2);
    assert_int_equal(r->opener.won, 3); // over two, over one
    Text out = {0};
    crosstable_text(r, 200, &out);
    assert_non_null(strstr(text_c(&out), "1.0 of 1          0.3 of 1          0.5 of 1\n"));
    Game *game = game_load("tic-tac-toe", NULL, 0, &(Diags){0});
    Results *ladder = results_new(c);
    Study study = {.game = game, .results = {[STUDY_EQUALS] = r, [STUDY_LADDER] = ladder}};
    text_clear(&out);
    study_json(&study, &out);
    assert_non_null(strstr(text_c(&out), "\"draws\":{\"share\":0.3333,"));
    results_free(ladder);
    game_free(game);
    crosstable_json(r, &out);
    report_contest(r, &out);
    assert_false(out.failed);
    Played p = game_of(1, 1, 2, 0, 5);
    text_clear(&out);
    export_csv(c, &p, 3, &out);
    assert_non_null(strstr(text_c(&out), ",1+3,rules,"));
    text_clear(&out);
    export_pgn(c, &p, &out);
    assert_non_null(strstr(text_c(&out), "[Player3 \"A\"]"));
    assert_non_null(strstr(text_c(&out), "[Result \"1-0\"]"));
    assert_non_null(strstr(text_c(&out), "1. a1 b2 c3 2. a_b 1-0"));
    played_free(&p);
    text_free(&out);
    results_free(r);
    contest_free(c);
}

static void nothing_played(void **state) {
    (void)state;
    Contest *c = contest_of(2);
    Results *r = results_new(c);
    assert_true(results_finish(r));
    Text out = {0};
    crosstable_text(r, 80, &out);
    crosstable_json(r, &out);
    report_begin(&out, "x");
    report_contest(r, &out);
    report_end(&out);
    assert_false(out.failed);
    assert_null(strstr(text_c(&out), "nan"));
    assert_null(strstr(text_c(&out), "inf"));
    text_free(&out);
    results_free(r);
    contest_free(c);
}

static void texts_are_escaped(void **state) {
    (void)state;
    Text out = {0};
    report_escape(&out, "<a href=\"x\">&\x1b\xff</a>");
    assert_string_equal(text_c(&out), "&lt;a href=&quot;x&quot;&gt;&amp;?\xEF\xBF\xBD&lt;/a&gt;");
    text_free(&out);
}

static const char rules[] = "game \"Some\"\nplayers A, B\nboard square 3 x 1\n"
                            "piece man of A \"A\", B \"B\"\npiece king of A \"K\", B \"k\"\n"
                            "var never : 0..9 = 0\n"
                            "turn\n    choose at in empty\n    place man at at\n"
                            "    if count empty > 5 # never\n        place king at at\n"
                            "        for c in empty\n            never = 3\n"
                            "    if count empty < 3\n        remove at\n"
                            "        place man at at\n"
                            "    else\n        choose other in empty\n"
                            "        place king at other\n"
                            "end\n    me loses when count empty > 8\n    me wins when no empty\n"
                            "    draw when count empty > 7\n";

static void rules_never_used(void **state) {
    (void)state;
    Diags diags = {0};
    Game *g = game_compile("some", rules, sizeof rules - 1, NULL, 0, &diags);
    assert_non_null(g);
    diag_free(&diags);
    ContestGame game = {"some", NULL, 0};
    Contest *c[STUDY_PARTS];
    Text why = {0}, out = {0};
    for (int i = 0; i < STUDY_PARTS; i++) {
        c[i] = study_contest((StudyPart)i, &game, 2, 2, 1, &why);
        assert_non_null(c[i]);
    }
    Study *s = study_new(g, c);
    assert_non_null(s);
    for (uint64_t i = 0; i < 20; i++)
        assert_true(study_random(s, i, &why));
    assert_true(study_finish(s));
    assert_int_equal(s->random_games, 20);
    assert_int_equal(s->random_moves, 60);
    assert_int_equal(s->random_first.won, 20); // three cells: the first takes the last
    study_text(s, &out);
    // What stands inside something that is told is not told again; of two rules by which somebody
    // wins, the one that never did.
    static const struct Unused {
        const char *text;
        int line;
    } unused[] = {{"what follows `if count empty > 5`", 10},
                  {"the `else` of `if count empty < 3`", 14},
                  {"the piece `king` of A", 5},
                  {"the piece `king` of B", 5},
                  {"the variable `never`, which always stays the same", 6},
                  {"the rule `me loses when count empty > 8`", 21},
                  {"the rule `draw when count empty > 7`", 23}};
    assert_int_equal(s->unused_count, 7);
    for (int i = 0; i < 7; i++) {
        assert_string_equal(s->unused[i].text, unused[i].text);
        assert_int_equal(s->unused[i].line, unused[i].line);
    }
    text_clear(&out);
    study_json(s, &out);
    study_html(s, &out);
    assert_false(out.failed);
    assert_null(strstr(text_c(&out), "nan"));
    text_free(&out);
    study_free(s);
    for (int i = 0; i < STUDY_PARTS; i++)
        contest_free(c[i]);
    game_free(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_records), cmocka_unit_test(points),
        cmocka_unit_test(results_of_two),   cmocka_unit_test(results_of_three),
        cmocka_unit_test(nothing_played),   cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(rules_never_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
