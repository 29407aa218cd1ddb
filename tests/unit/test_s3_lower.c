// Tests of S3 rules as IR: the corners of the language that change what a game does, each as a
// small file of its own, played by the interpreter.
#include "game/game.h"
#include "game/movetext.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Five places in a row, a pile that does not matter, a man of player 1 on s(1), a king on s(5).
static const char head[] = "[BOARD]\n"
                           "[ELEMENT TYPES]\n"
                           "name=man\nstates=3\nimage=x\npoint=1,1\n"
                           "name=king\nstates=1\nimage=x\npoint=1,1\n"
                           "[LOCATION TYPES]\n"
                           "name=grid\nshape=circle(5)\npoint=1,1\n"
                           "name=pile\nrelevant=no\nshape=circle(5)\npoint=1,1\n"
                           "[LOCATIONS]\n"
                           "name=s(1)\ntype=grid\npoint=10,10\n"
                           "name=s(2)\ntype=grid\npoint=20,10\n"
                           "name=s(3)\ntype=grid\npoint=30,10\n"
                           "name=s(4)\ntype=grid\npoint=40,10\n"
                           "name=s(5)\ntype=grid\npoint=50,10\n"
                           "name=p(1)\ntype=pile\npoint=10,90\n"
                           "name=p(2)\ntype=pile\npoint=20,90\n"
                           "name=p(3)\ntype=pile\npoint=30,90\n"
                           "[MOVABLE ELEMENTS]\n"
                           "name=m(1)\ntype=man\nplayer=1\nlocation=s(1)\n"
                           "name=k(1)\ntype=king\nplayer=2\nlocation=s(5)\n";
static const char two[] = "[PLAYER NAMES]\n1=one\n2=two\n";
static const char three[] = "[PLAYER NAMES]\n1=one\n2=two\n3=three\nscore=10\n";
// The man goes anywhere.
static const char rule[] = "[GAME RULES]\nname=go\nelement=m($J)\nfrom=s($K)\nto=s($L)\n";

typedef struct Played {
    Game *game;
    Runner *r;
    uint8_t *state;
    Diags diags;
} Played;

static Played begin(const char *players, const char *rest, const char *param) {
    Played p = {0};
    Text text = {0};
    text_f(&text, "%s%s%s", head, players, rest);
    p.game = game_compile("Test", text_c(&text), text.n, &param, param ? 1 : 0, &p.diags);
    text_free(&text);
    for (int i = 0; !p.game && i < p.diags.count; i++)
        print_error("%d: %s\n", p.diags.items[i].span.line, p.diags.items[i].message);
    assert_non_null(p.game);
    p.r = runner_new(p.game);
    p.state = malloc((size_t)game_state_size(p.game));
    memcpy(p.state, p.game->start, (size_t)game_state_size(p.game));
    return p;
}

static Played start(const char *rest) {
    return begin(two, rest, NULL);
}

static void end(Played *p) {
    free(p->state);
    runner_free(p->r);
    game_free(p->game);
    diag_free(&p->diags);
}

static bool try_play(Played *p, const char *move) {
    Move m;
    Text why = {0};
    bool ok = move_read(p->r, p->state, move, &m, &why);
    if (!ok)
        print_error("%s: %s\n", move, text_c(&why));
    text_free(&why);
    assert_true(ok);
    return runner_apply(p->r, p->state, m, p->state);
}

static bool play_first(Played *p) {
    const Move *moves;
    assert_true(runner_moves(p->r, p->state, &moves) > 0);
    Move first = moves[0];
    return runner_apply(p->r, p->state, first, p->state);
}

static void play(Played *p, const char *move) {
    if (!try_play(p, move)) {
        print_error("%s: %s\n", move, runner_error(p->r));
        fail();
    }
}

static void expect_moves(Played *p, const char *expected) {
    const Move *found;
    Text text = {0};
    int n = runner_moves(p->r, p->state, &found);
    Move *moves = malloc(sizeof *moves * (size_t)(n > 0 ? n : 1));
    for (int i = 0; i < n; i++)
        moves[i] = found[i];
    for (int i = 0; i < n; i++) {
        text_add(&text, i ? " " : "");
        move_text(p->r, p->state, moves[i], &text);
    }
    free(moves);
    assert_string_equal(text_c(&text), expected);
    text_free(&text);
}

static int64_t score(const Played *p, int player) {
    for (int i = 0; i < p->game->ir->vars; i++) {
        const IrVar *v = &p->game->ir->var[i];
        int32_t value;
        if (strcmp(v->name, "score") != 0)
            continue;
        assert_int_equal(v->width, 4);
        memcpy(&value, p->state + v->offset + 4 * (player - 1), 4);
        return value;
    }
    fail();
    return 0;
}

// The value of an expression, as points for the first move s(1)->s(2).
static void check_value(const char *functions, const char *expression, int64_t expected) {
    Text text = {0};
    text_f(&text, "[EXPRESSIONS]\n%s\n%sawardPlayer=1\nwithScore=%s\n", functions, rule,
           expression);
    Played p = start(text_c(&text));
    play(&p, "s(1)->s(2):m(1)");
    if (score(&p, 1) != expected)
        print_error("%s\n", expression);
    assert_int_equal(score(&p, 1), expected);
    end(&p);
    text_free(&text);
}

// What a followup leads to: an error with that text.
static void expect_fault(const char *followup, const char *message) {
    Text text = {0};
    text_f(&text, "%sfollowup=%s\n", rule, followup);
    Played p = start(text_c(&text));
    assert_false(play_first(&p));
    if (!strstr(runner_error(p.r), message))
        print_error("%s: %s\n", followup, runner_error(p.r));
    assert_non_null(strstr(runner_error(p.r), message));
    end(&p);
    text_free(&text);
}

// ---- Values -----------------------------------------------------------------------------------

static void test_arguments(void **state) {
    (void)state;
    // Arguments are assigned one after the other, to variables that everybody sees.
    const char *swap = "swap($P,$Q)\n(($P*10)+$Q)\nEND\ntry\n$P=1\n$Q=2\nswap($Q,$P)\nEND\n";
    check_value(swap, "try", 22);
    check_value("f($A)\n$A\nEND\ng\n$A=5\nf(7)\n$A\nEND\n", "g", 7);
}

static void test_recursion(void **state) {
    (void)state;
    const char *fact = "fact($N)\nIF($N==0,1,$N*fact($N-1))\nEND\n"
                       "late($N)\nIF($N==0,1,late($N-1)*$N)\nEND\n";
    check_value(fact, "fact(5)", 120);
    check_value(fact, "late(5)", 0); // $N is 0 by then
    // How deep it goes is known while playing only: a procedure.
    check_value(fact, "fact(SCORE(1)+5)", 120);
    check_value(fact, "late(SCORE(1)+5)", 0);
    const char *mutual = "even($N)\nIF($N==0,true,odd($N-1))\nEND\n"
                         "odd($N)\nIF($N==0,false,even($N-1))\nEND\n";
    check_value(mutual, "IF(even(SCORE(1)+10),1,2)", 1);
    check_value(mutual, "IF(odd(SCORE(2)+10),1,2)", 2);
}

static void test_numbers(void **state) {
    (void)state;
    check_value("", "2147483647+1", INT32_MIN);
    check_value("", "SCORE(1)+2147483647+1", INT32_MIN);
    check_value("", "65536*65536+5", 327680); // 65536 * 65541
    check_value("", "(SCORE(1)-7)/2", -3);
    check_value("", "(SCORE(1)-7)%2", -1);
    check_value("", "1-2-3", 2);
    check_value("", "ABS(-3)+1", 2);
}

static void test_loops(void **state) {
    (void)state;
    const char *sum = "find($A,$B)\nFORSOME($I,$A,$B,$I==3)\n$I\nEND\n";
    check_value("f($A,$B)\n$C=0\nFORALL($I,$A,$B,$C=(($C*10)+$I))\n$C\nEND\n", "f(1,4)", 1234);
    check_value("f($A,$B)\n$C=0\nFORALL($I,$A,$B,$C=(($C*10)+$I))\n$C\nEND\n", "f(4,1)", 4321);
    check_value("f($A,$B)\n$C=0\nFORALL($I,$A,$B,$C=(($C*10)+$I))\n$C\nEND\n", "f(1,0)", 10);
    check_value(sum, "find(1,9)", 3);
    // Bounds that are known while playing only.
    check_value("f($A,$B)\n$C=0\nFORALL($I,$A,$B,$C=(($C*10)+$I))\n$C\nEND\n", "f(SCORE(1)+3,1)",
                321);
    check_value(sum, "find(SCORE(1)+1,9)", 3);
}

static void test_places(void **state) {
    (void)state;
    check_value("", "IF(EMPTY(\"nowhere\"),1,2)", 1);
    check_value("", "STATE(CONTENT(\"s(3)\"))", -1);
    check_value("", "IF(CONTENT(\"nowhere\")==\"\",1,2)", 1);
    check_value("", "IF(ELTYPE(CONTENT(\"s(5)\"))==\"king\",1,2)", 1);
    check_value("", "IF(LOCATION(\"k(1)\")==\"s(5)\",1,2)", 1);
    check_value("", "OWNER(\"k(1)\")", 2);
    check_value("", "INDEX(LOCATION(\"m(1)\"))", 1); // awards come before the move
    check_value("", "IF(\"s($L)\" IN {\"s(1)\",\"s(2)\"},1,2)", 1);
    check_value("", "IF(({1,2} UNION {3})=={3,1,2},1,2)", 1);
    check_value("", "IF({1,3} SUBSET {1,2,3},1,2)", 1);
    check_value("", "IF(2 IN {1,2,3} SETMINUS {2},1,2)", 2);
}

// ---- Changes ----------------------------------------------------------------------------------

static void test_move(void **state) {
    (void)state;
    // Onto an occupied place: false, and nothing happens.
    Played p = start("[GAME RULES]\nname=go\nelement=m($J)\nfrom=s($K)\nto=s($L)\n"
                     "followup=FORSOME($I,5,3,MOVE(\"m(1)\",\"s($L)\",\"s($I)\"))\n");
    play(&p, "s(1)->s(2):m(1)");
    expect_moves(&p, "s(4)->s(1):m(1) s(4)->s(2):m(1) s(4)->s(3):m(1)");
    end(&p);
}

static void test_faults(void **state) {
    (void)state;
    expect_fault("$X == 1", "$X has no value yet");
    expect_fault("MOVE(\"m(1)\",\"s(1)\",\"s(3)\")", "not at the place");
    expect_fault("MOVE(\"m(7)\",\"s(1)\",\"s(3)\")", "not there");
    expect_fault("MOVE(\"m(1)\",\"s(2)\",\"s(9)\")", "not there");
    expect_fault("SETSTATE(\"m(1)\",4)", "not possible");
    expect_fault("SETOWNER(\"m(1)\",3)", "not possible");
    expect_fault("SCORE(3) == 1", "player who is not there");
    expect_fault("1 AND true", "true or false");
    expect_fault("nothing(1)", "no expression");
    expect_fault("(1 / SCORE(1)) == 1", "division by zero");
    expect_fault("INDEX(CONTENT(\"s(3)\")) == 1", "no index");
    expect_fault("FORALL($I,1,2,5)", "true or false");
}

static void test_fault_has_line(void **state) {
    (void)state;
    Played p = start("[EXPRESSIONS]\nbad\n$NONE == 1\nEND\n[GAME RULES]\nname=go\nelement=m($J)\n"
                     "from=s($K)\nto=s($L)\nfollowup=bad\n");
    assert_false(play_first(&p));
    Text line = {0};
    int n = 1;
    for (const char *s = p.game->source.text; strncmp(s, "$NONE", 5) != 0; s++)
        n += *s == '\n';
    text_f(&line, "line %d:", n);
    assert_non_null(strstr(runner_error(p.r), text_c(&line)));
    text_free(&line);
    end(&p);
}

// ---- Players ----------------------------------------------------------------------------------

static void test_next_player(void **state) {
    (void)state;
    // PLAYER is the next one as soon as NEXTPLAYER was called.
    Played p = start("[SCORINGS]\nsituation=PLAYER==2\nplayer=PLAYER\nscore=7\n"
                     "[GAME RULES]\nname=go\nelement=m($J)\nfrom=s($K)\nto=s($L)\n"
                     "awardPlayer=PLAYER\nwithScore=1\nfollowup=NEXTPLAYER\n");
    play(&p, "s(1)->s(2):m(1)");
    assert_int_equal(game_player(p.game, p.state), 1);
    assert_int_equal(score(&p, 1), 1);
    assert_int_equal(score(&p, 2), 7);
    end(&p);
    // Without it the same player goes on; twice is one further.
    p = begin(three,
              "[GAME RULES]\nname=stay\nelement=m($J)\nfrom=s($K)\nto=s(2)\n\n"
              "name=skip\nelement=m($J)\nfrom=s($K)\nto=s(3)\n"
              "followup=NEXTPLAYER AND NEXTPLAYER\n\n"
              "name=maybe\nelement=m($J)\nfrom=s($K)\nto=s(4)\n"
              "followup=IF(SCORE(1)==10,NEXTPLAYER,true)\n",
              NULL);
    play(&p, "s(1)->s(2):m(1)");
    assert_int_equal(game_player(p.game, p.state), 0);
    play(&p, "s(2)->s(3):m(1)");
    assert_int_equal(game_player(p.game, p.state), 2);
    play(&p, "s(3)->s(4):m(1)");
    assert_int_equal(game_player(p.game, p.state), 0);
    end(&p);
}

static void test_end(void **state) {
    (void)state;
    Played p = start("[END OF GAME]\nsituation=NOT EMPTY(\"s(3)\")\nwinner=0\n"
                     "situation=NOT EMPTY(\"s(4)\")\nwinner=(3-PLAYER)\n"
                     "[GAME RULES]\nname=go\nelement=m($J)\nfrom=s($K)\nto=s($L)\n"
                     "followup=NEXTPLAYER\n");
    play(&p, "s(1)->s(2):m(1)");
    assert_int_equal(runner_result(p.r, p.state), 0);
    play(&p, "s(2)->s(4):m(1)");
    assert_int_equal(runner_result(p.r, p.state), RESULT_OVER | 2);
    end(&p);
}

// ---- Targets ----------------------------------------------------------------------------------

static void test_lists(void **state) {
    (void)state;
    const char *functions = "[EXPRESSIONS]\n"
                            "Targets\n$F = {}\n$A = $K+1\n$B = $K+2\n"
                            "IF(EMPTY(\"s($A)\"),$F=$F UNION {[\"s($A)\",Step($K)]},true)\n"
                            "IF(EMPTY(\"s($B)\"),$F=$F UNION {[\"s($B)\",Jump($K,$B)]},true)\n"
                            "$F\nEND\n"
                            "Step($X)\n$P=$X\nNEXTPLAYER\nEND\n"
                            "Jump($X,$Y)\n$P=(($X*10)+$Y)\nEND\n"
                            "[SCORINGS]\nsituation=true\nplayer=1\nscore=$P\n"
                            "[GAME RULES]\nname=go\nelement=m($J)\nfrom=s($K)\n"
                            "toLocations=Targets\nfollowup=$P=99\n";
    Played p = start(functions);
    expect_moves(&p, "s(1)->s(2):m(1) s(1)->s(3):m(1)");
    play(&p, "s(1)->s(3):m(1)");
    assert_int_equal(score(&p, 1), 13);
    assert_int_equal(game_player(p.game, p.state), 0);
    play(&p, "s(3)->s(4):m(1)"); // s(5) is taken
    assert_int_equal(score(&p, 1), 16);
    assert_int_equal(game_player(p.game, p.state), 1);
    end(&p);
}

static void test_distinct(void **state) {
    (void)state;
    const char *rest = "[GAME RULES]\nname=go\nelement=m($J)\nfrom=s($K)\nto=p($L)\n";
    Played p = start(rest);
    expect_moves(&p, "s(1)->p(1):m(1)");
    end(&p);
    p = begin(two, rest, "moves=all");
    expect_moves(&p, "s(1)->p(1):m(1) s(1)->p(2):m(1) s(1)->p(3):m(1)");
    end(&p);
}

static void test_kinds(void **state) {
    (void)state;
    // A state is asked for by a rule, and changes.
    Played p = start("[GAME RULES]\nname=first\nelement=m($J)\nstate=1\nfrom=s($K)\nto=s(2)\n"
                     "followup=SETSTATE(CONTENT(\"s(2)\"),3)\n\n"
                     "name=then\nelement=m($J)\nstate=$S\nfrom=s($K)\nto=s(3)\n"
                     "condition=$S==3\nfollowup=SETOWNER(\"m(1)\",2)\n");
    expect_moves(&p, "s(1)->s(2):m(1)");
    play(&p, "s(1)->s(2):m(1)");
    expect_moves(&p, "s(2)->s(3):m(1)");
    play(&p, "s(2)->s(3):m(1)");
    expect_moves(&p, "");
    assert_int_equal(runner_result(p.r, p.state), RESULT_OVER); // no move is a draw
    end(&p);
}

// Of several rules that fit the one that gives the player on move the most, else the first.
static void test_best_rule(void **state) {
    (void)state;
    Played p = start("[GAME RULES]\nname=a\nelement=m($J)\nfrom=s($K)\nto=s($L)\n"
                     "awardPlayer=1\nwithScore=$L\n\n"
                     "name=b\nelement=m($J)\nfrom=s($K)\nto=s($L)\ncondition=$L<4\n"
                     "awardPlayer=1\nwithScore=3\nfollowup=NEXTPLAYER\n");
    play(&p, "s(1)->s(4):m(1)"); // only the first fits
    assert_int_equal(score(&p, 1), 4);
    assert_int_equal(game_player(p.game, p.state), 0);
    play(&p, "s(4)->s(3):m(1)"); // as much: the first
    assert_int_equal(score(&p, 1), 7);
    assert_int_equal(game_player(p.game, p.state), 0);
    play(&p, "s(3)->s(2):m(1)");
    assert_int_equal(score(&p, 1), 10);
    assert_int_equal(game_player(p.game, p.state), 1);
    end(&p);
}

// Which of equal pieces in a pile moves counts only where a rule really asks for it.
static void test_which(void **state) {
    (void)state;
    static const char more[] = "[MOVABLE ELEMENTS]\nname=m(2)\ntype=man\nplayer=1\nlocation=p(1)\n"
                               "name=m(3)\ntype=man\nplayer=1\nlocation=p(2)\n";
    static const char pile[] = "[GAME RULES]\nname=go\nelement=m($J)\nfrom=p($K)\nto=s($L)\n"
                               "condition=$L==2\n";
    Text text = {0};
    text_f(&text, "%s%sfollowup=FORALL($J,1,2,EMPTY(\"p($J)\"))\n", more, pile);
    Played p = start(text_c(&text));
    expect_moves(&p, "p(1)->s(2):m(2)");
    end(&p);
    text.n = 0;
    text_f(&text, "%s%sfollowup=SETSTATE(\"m($J)\",$K)\n", more, pile);
    p = start(text_c(&text));
    expect_moves(&p, "p(1)->s(2):m(2) p(2)->s(2):m(3)");
    end(&p);
    text_free(&text);
}

static void test_refused(void **state) {
    (void)state;
    static const char *const rest[] = {
        "[GAME RULES]\nname=go\nelement=m($J)\nfrom=s($K)\nto=s($L)\ncondition=NEXTPLAYER\n",
        "[GAME RULES]\nname=go\nelement=m($J)\nfrom=s($K)\nto=s($L)\n"
        "condition=SETSTATE(\"m(1)\",2)\n",
    };
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        Diags diags = {0};
        Text text = {0};
        text_f(&text, "%s%s%s", head, two, rest[i]);
        assert_null(game_compile("Test", text_c(&text), text.n, NULL, 0, &diags));
        assert_int_equal(diags.errors, 1);
        assert_string_equal(diags.items[diags.count - 1].message,
                            "a condition must not change the position");
        text_free(&text);
        diag_free(&diags);
    }
    const char *params[] = {"moves=some"};
    Diags diags = {0};
    Text text = {0};
    text_f(&text, "%s%s%s", head, two, rule);
    assert_null(game_compile("Test", text_c(&text), text.n, params, 1, &diags));
    text_free(&text);
    diag_free(&diags);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),   cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_loops),
        cmocka_unit_test(test_places),      cmocka_unit_test(test_move),
        cmocka_unit_test(test_faults),      cmocka_unit_test(test_fault_has_line),
        cmocka_unit_test(test_next_player), cmocka_unit_test(test_end),
        cmocka_unit_test(test_lists),       cmocka_unit_test(test_distinct),
        cmocka_unit_test(test_kinds),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_best_rule),   cmocka_unit_test(test_which),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
