// test_knowing_players: players that use what is known about a game: the evaluation `own`, the
// player `rules`, order and bias by priorities, `knowledge=` in the texts of players.
#include "search/evaluate.h"
#include "search_fixture.h"

#include "game/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define HEAD                                                                                       \
    "game \"Three\"\n"                                                                             \
    "players Cross \"x\", Nought \"o\"\n"                                                          \
    "board square 3 x 3\n"                                                                         \
    "    lines of 3\n"                                                                             \
    "piece mark of Cross \"X\", Nought \"O\"\n"                                                    \
    "turn\n"                                                                                       \
    "    choose at in empty\n"                                                                     \
    "    place mark at at\n"                                                                       \
    "end\n"                                                                                        \
    "    me wins when some l in lines : l within mine\n"                                           \
    "    draw when no empty\n"
#define FACTS                                                                                      \
    "facts\n"                                                                                      \
    "    man(p, c)  for p in players, c in marks of p\n"                                           \
    "    two(p, l)  for p in players, l in lines where count (l & marks of p) == 2 and "           \
    "some l & empty\n"                                                                             \
    "rules\n"                                                                                      \
    "    threat(p, c) if two(p, l), c in l & empty\n"
#define WORTH "worth\n    man(me, _) 3\n    threat(me, _) 50\n"
#define PREFER                                                                                     \
    "prefer\n"                                                                                     \
    "    times 100 if some l in lines through at : l within mine  \"wins\"\n"                      \
    "    times 20  if before at in threat(opponent, _)            \"stops three in a row\"\n"      \
    "    times 1/2 if at in {a1, a3, c1, c3}\n"

static Knowledge *know(const Fixture *f, const char *text) {
    Diags diags = {0};
    Knowledge *k = knowledge_compile(f->game, "test.rules", text, strlen(text), &diags);
    if (!k)
        fail_msg("%s", diags.count ? diags.items[0].message : "no knowledge");
    diag_free(&diags);
    return k;
}

static Player *make_knowing(const Fixture *f, const char *text, Knowledge *k) {
    Text why = {0};
    Player *p = player_knowing(f->game, text, k, &why);
    if (!p)
        fail_msg("%s: %s", text, text_c(&why));
    text_free(&why);
    return p;
}

static bool is_power_of_ten(Value v) {
    while (v > 1 && v % 10 == 0)
        v /= 10;
    return v == 1;
}

// --- own ---

// Cross: 2 marks and a threat in c3; Nought: 1 mark. 2 * 3 + 50 - 3 = 53.
#define STATE "XX1/1O1/3 o"

static void test_own_value(void **unused) {
    (void)unused;
    Fixture f = compile_game(HEAD FACTS WORTH "    opponent -1\n");
    uint8_t *s = mem_alloc((size_t)game_state_size(f.game));
    Text why = {0};
    assert_true(state_read(f.game, STATE, s, &why));
    Evaluation *e = evaluation_new(f.game, NULL, &why);
    assert_non_null(e);
    assert_string_equal(evaluation_name(e), "own"); // auto prefers it
    Value cross = evaluation_for(e, f.runner, s, 0);
    assert_int_equal(cross % 53, 0);
    assert_true(is_power_of_ten(cross / 53));
    assert_int_equal(evaluation_for(e, f.runner, s, 1), -cross);
    assert_int_equal(evaluation_value(e, f.runner, s), -cross); // Nought is on move
    evaluation_free(e);
    e = evaluation_new(f.game, "plain", &why);
    assert_string_equal(evaluation_name(e), "own");
    evaluation_free(e);
    mem_free(s);
    text_free(&why);
    close_game(&f);
}

// Rules that only count what is one's own: half of the difference, so that both sides agree.
static void test_own_without_opponent(void **unused) {
    (void)unused;
    Fixture f = compile_game(HEAD FACTS WORTH);
    uint8_t *s = mem_alloc((size_t)game_state_size(f.game));
    Text why = {0};
    assert_true(state_read(f.game, STATE, s, &why));
    Evaluation *e = evaluation_new(f.game, "own", &why);
    assert_non_null(e);
    Value cross = evaluation_for(e, f.runner, s, 0);
    assert_int_equal(cross * 2 % 53, 0);
    assert_true(is_power_of_ten(cross * 2 / 53));
    assert_int_equal(evaluation_for(e, f.runner, s, 1), -cross);
    evaluation_free(e);
    mem_free(s);
    text_free(&why);
    close_game(&f);
}

// Whatever the rules count in, values are estimates, and of a usual size.
static void test_own_scale(void **unused) {
    (void)unused;
    static const char *const weights[] = {"1", "1000000", "100000000"};
    Fixture f = open_game("tic-tac-toe", NULL, "XX1/1O1/3 n");
    for (int i = 0; i < 3; i++) {
        Text rules = {0}, why = {0};
        text_f(&rules, FACTS "worth\n    threat(me, _) %s\n    man(me, _) 1\n    opponent -1\n",
               weights[i]);
        Knowledge *k = know(&f, text_c(&rules));
        Evaluation *e = evaluation_knowing(f.game, "own", k, &why);
        assert_non_null(e);
        Value v = evaluation_for(e, f.runner, record_now(f.record), 0);
        assert_true(v >= 10 && v < VALUE_SURE);
        evaluation_free(e);
        knowledge_free(k);
        text_free(&rules);
        text_free(&why);
    }
    close_game(&f);
}

static void test_own_three_players(void **unused) {
    (void)unused;
    Fixture f = compile_game("game \"Rush\"\n"
                             "players A, B, C\n"
                             "board square 3 x 3\n"
                             "piece mark of A \"A\", B \"B\", C \"C\"\n"
                             "turn\n    choose at in empty\n    place mark at at\n"
                             "end\n    draw when no empty\n"
                             "facts\n    man(p, c)  for p in players, c in marks of p\n"
                             "worth\n    man(me, c) column(c)\n");
    uint8_t *s = mem_alloc((size_t)game_state_size(f.game));
    Text why = {0};
    assert_true(state_read(f.game, "ABC/A1C/3 a", s, &why));
    Evaluation *e = evaluation_new(f.game, "own", &why);
    assert_non_null(e);
    Value values[3];
    evaluation_values(e, f.runner, s, values);
    assert_true(values[0] > 0); // 2, 2 and 6, each for himself
    assert_int_equal(values[1], values[0]);
    assert_int_equal(values[2], 3 * values[0]);
    evaluation_free(e);
    mem_free(s);
    text_free(&why);
    close_game(&f);
}

static void test_own_refused(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    Text why = {0};
    assert_null(evaluation_new(f.game, "own", &why));
    assert_string_equal(text_c(&why), "heuristic `own`: not available for this game: the rules of "
                                      "tic-tac-toe do not say what a position is worth");
    text_free(&why);
    Knowledge *k = know(&f, FACTS PREFER);
    assert_null(evaluation_knowing(f.game, "own", k, &why));
    assert_non_null(strstr(text_c(&why), "the rules of test.rules do not say"));
    Evaluation *e = evaluation_knowing(f.game, "plain", k, &(Text){0});
    assert_string_equal(evaluation_name(e), "mobility"); // the next best
    evaluation_free(e);
    knowledge_free(k);
    text_free(&why);
    close_game(&f);
}

// --- rules ---

// The moves of the highest priority, one by one by the reference evaluator: a bit each.
static uint64_t best_moves(const Fixture *f, Reasoner *r, Move *moves, int *count) {
    const Move *found;
    const uint8_t *now = record_now(f->record);
    uint8_t *after = mem_alloc((size_t)game_state_size(f->game));
    *count = runner_moves(f->runner, now, &found);
    assert_true(*count > 0 && *count <= 64);
    memcpy(moves, found, sizeof *moves * (size_t)*count);
    int64_t most = -1;
    uint64_t best = 0;
    for (int i = 0; i < *count; i++) {
        assert_true(runner_apply(f->runner, now, moves[i], after));
        int64_t priority = reference_priority(r, now, moves[i], after);
        best = priority > most ? 0 : best;
        most = priority > most ? priority : most;
        best |= priority == most ? (uint64_t)1 << i : 0;
    }
    mem_free(after);
    return best;
}

static int asked(Player *p, const Fixture *f, uint64_t seed, const Move *moves, int n) {
    SearchTask task = {.record = f->record, .seed = seed};
    SearchResult result;
    assert_true(player_search(p, &task, &result));
    for (int i = 0; i < n; i++)
        if (move_equal(moves[i], result.move))
            return i;
    fail_msg("no such move");
    return -1;
}

static void test_rules_pick(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    Knowledge *k = know(&f, FACTS PREFER);
    Reasoner *r = reasoner_new(k);
    Player *p = make_knowing(&f, "rules", k);
    Rng rng;
    rng_seed(&rng, 5);
    for (int game = 0; game < 40; game++) {
        record_restart(f.record);
        while (record_result(f.record) == 0) {
            Move moves[64];
            int n;
            uint64_t best = best_moves(&f, r, moves, &n), taken = 0;
            for (uint64_t seed = 0; seed < 30; seed++) {
                int i = asked(p, &f, seed, moves, n);
                assert_true(best >> i & 1);
                assert_int_equal(i, asked(p, &f, seed, moves, n)); // the seed decides
                taken |= (uint64_t)1 << i;
            }
            if (game == 0 && record_length(f.record) == 0)
                assert_true(best == taken); // all five in time
            assert_true(record_play(f.record, moves[rng_below(&rng, (uint64_t)n)]));
        }
    }
    player_free(p);
    reasoner_free(r);
    knowledge_free(k);
    close_game(&f);
}

static void test_rules_why(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, "XX1/1O1/3 n");
    Knowledge *k = know(&f, FACTS PREFER);
    Player *p = make_knowing(&f, "rules:seed=3", k);
    SearchTask task = {.record = f.record};
    SearchResult r;
    assert_true(player_search(p, &task, &r));
    assert_string_equal(player_why(p),
                        "times 20: stops three in a row; times 1/2 if at in {a1, a3, c1, c3}");
    assert_string_equal(player_text(p), "rules:seed=3");
    player_free(p);
    knowledge_free(k);
    close_game(&f);
}

// --- texts ---

static void write_file(const char *path, const char *text) {
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void test_texts(void **unused) {
    (void)unused;
    char folder[] = "/tmp/ludens-knowing-XXXXXX", path[64], text[200];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a:b=c.rules", folder); // colons and = may be in a path
    write_file(path, FACTS WORTH "    opponent -1\n" PREFER);
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    static const char *const players[] = {"greedy:%sknowledge=%s",
                                          "minimax:depth=2,%sknowledge=%s",
                                          "plain-alphabeta:depth=2,%sknowledge=%s",
                                          "ordered-alphabeta:depth=2,%sknowledge=%s",
                                          "deepening-alphabeta:depth=2,%sknowledge=%s",
                                          "table-alphabeta:depth=2,%sknowledge=%s",
                                          "alphabeta:depth=7,%sknowledge=%s",
                                          "stochastic-minimax:depth=2,%sknowledge=%s",
                                          "mcts:iterations=50,%sknowledge=%s"};
    for (size_t i = 0; i < sizeof players / sizeof players[0]; i++)
        for (int none = 0; none < 2; none++) {
            snprintf(text, sizeof text, players[i], none ? "heuristic=none," : "", path);
            Player *p = make_player(f.game, text);
            assert_string_equal(evaluation_name(p->evaluation), none ? "none" : "own");
            assert_true(player_prefers(p));
            assert_non_null(strstr(player_text(p), path));
            Player *again = make_player(f.game, player_text(p));
            assert_string_equal(player_text(again), player_text(p));
            SearchTask task = {.record = f.record};
            SearchResult r;
            assert_true(player_search(again, &task, &r));
            player_free(p);
            player_free(again);
        }
    // A player's own knowledge goes before what is lent; `auto` hands it on.
    Knowledge *k = know(&f, FACTS "worth\n    man(me, _) 1\n");
    snprintf(text, sizeof text, "auto:nodes=100,knowledge=%s", path);
    Player *p = make_knowing(&f, text, k);
    assert_true(p->knowledge != k && player_prefers(p));
    assert_non_null(strstr(player_why(p), "heuristic own"));
    player_free(p);
    p = make_knowing(&f, "auto:nodes=100,level=easy", k);
    assert_true(p->knowledge == k && !player_prefers(p));
    player_free(p);
    p = make_knowing(&f, "random", k); // makes no use of it
    assert_null(p->knowledge);
    player_free(p);
    knowledge_free(k);
    close_game(&f);
    unlink(path);
    rmdir(folder);
}

static void test_bad_texts(void **unused) {
    (void)unused;
    static const struct {
        const char *given, *said;
    } bad[] = {
        {"rules", "`rules` plays by `prefer`, and the rules of tic-tac-toe do not say what it "
                  "prefers; a file can, `rules:knowledge=FILE`"},
        {"rules:knowledge=nothing-such",
         "`knowledge=nothing-such`: there is no rule set `nothing-such` (a file is written with "
         "its ending or its folder, `nothing-such.rules` or `./nothing-such`)"},
        {"rules:knowledge=", "`knowledge=`: a file such as mine.rules, or the name of a rule set "
                             "is wanted"},
        {"alphabeta:knowledge=/no/such.rules",
         "`knowledge=/no/such.rules`: cannot read `/no/such.rules`: No such file or directory"},
        {"random:knowledge=x.rules", "`random` makes no use of `knowledge`; it has seed"},
        {"greedy:knowledge=a.rules,knowledge=b.rules", "`knowledge` is given twice"},
        {"rules:depth=3", "`rules` makes no use of `depth`; it has seed and knowledge"},
    };
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Text why = {0};
        assert_null(player_new(f.game, bad[i].given, &why));
        assert_string_equal(text_c(&why), bad[i].said);
        text_free(&why);
    }
    Knowledge *k = know(&f, FACTS WORTH);
    Text why = {0};
    assert_null(player_knowing(f.game, "rules", k, &why));
    assert_non_null(strstr(text_c(&why), "do not say what it prefers"));
    text_free(&why);
    knowledge_free(k);
    // A rules file with a mistake: the line and what is wrong there.
    char path[] = "/tmp/ludens-knowing-XXXXXX.rules";
    int file = mkstemps(path, 6);
    assert_true(file >= 0);
    close(file);
    write_file(path, "facts\n    man(p, c) for p in players, c in marks of q\n");
    Text text = {0};
    text_f(&text, "alphabeta:knowledge=%s", path);
    assert_null(player_new(f.game, text_c(&text), &why));
    assert_non_null(strstr(text_c(&why), "line 2: "));
    assert_non_null(strstr(text_c(&why), "`q`"));
    text_free(&text);
    text_free(&why);
    unlink(path);
    close_game(&f);
}

// Rule sets of the library are players by their names, for the games that they are about.
static void test_rule_sets(void **unused) {
    (void)unused;
    Text list = {0}, json = {0};
    player_list(&list, false);
    player_list(&json, true);
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    for (int i = 0; i < library_rules_count; i++) {
        const char *name = library_rules[i].name;
        Text listed = {0}, why = {0};
        text_f(&listed, "\n%s: rules:knowledge=%s", name, name);
        bool prefers = strstr(library_rules[i].text, "\nprefer\n") != NULL;
        assert_int_equal(strstr(text_c(&list), text_c(&listed)) != NULL, prefers);
        Player *p = player_new(f.game, name, &why);
        if (p) {
            assert_non_null(strstr(player_text(p), name));
        } else {
            assert_non_null(strstr(text_c(&why), name));
        }
        player_free(p);
        text_free(&listed);
        text_free(&why);
    }
    assert_non_null(strstr(text_c(&list), "\nrules: "));
    assert_non_null(strstr(text_c(&json), "{\"name\":\"rules\""));
    text_free(&list);
    text_free(&json);
    close_game(&f);
}

// --- searches ---

// The same answer with and without machine code, and a win that is seen.
static void test_machine_code(void **unused) {
    (void)unused;
    static const char *const players[] = {"alphabeta:depth=4,threads=1",
                                          "mcts:iterations=200,judge=1", "rules", "greedy",
                                          "table-alphabeta:depth=3"};
    SearchResult plain[5], fast[5];
    for (int native = 0; native < 2; native++) {
        Fixture f = compile_game(HEAD FACTS WORTH "    opponent -1\n" PREFER);
        Text why = {0};
        bool ready = native && game_use(f.game, BACKEND_NATIVE, &why);
        text_free(&why);
        if (native && !ready) {
            close_game(&f);
            return; // there is no compiler
        }
        for (int i = 0; i < 5; i++) {
            Player *p = make_player(f.game, players[i]);
            int64_t worth;
            bool coded = knowledge_worth(p->knowledge, record_now(f.record), 0, &worth);
            assert_int_equal(coded, ready);
            SearchTask task = {.record = f.record, .seed = 4};
            assert_true(player_search(p, &task, native ? &fast[i] : &plain[i]));
            player_free(p);
        }
        close_game(&f);
    }
    for (int i = 0; i < 5; i++) {
        if (!move_equal(plain[i].move, fast[i].move))
            fail_msg("%s plays another move", players[i]);
        assert_int_equal(plain[i].value, fast[i].value);
        assert_int_equal(plain[i].nodes, fast[i].nodes);
    }
}

// Priorities move good moves to the front: of equal ones the preferred is tried first and stays.
static void test_order(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    static const char *const cells[] = {"b1", "c2", "a3"};
    for (int i = 0; i < 3; i++) {
        Text rules = {0};
        text_f(&rules, "prefer\n    times 50 if at == %s\n", cells[i]);
        Knowledge *k = know(&f, text_c(&rules));
        Player *p = make_knowing(&f, "alphabeta:depth=1,threads=1,heuristic=none", k);
        SearchTask task = {.record = f.record};
        SearchResult r;
        assert_true(player_search(p, &task, &r));
        Player *by_rules = make_knowing(&f, "rules", k);
        SearchResult wanted;
        assert_true(player_search(by_rules, &task, &wanted));
        assert_true(move_equal(r.move, wanted.move));
        player_free(p);
        player_free(by_rules);
        // and mcts looks at it most while everything else is equal
        p = make_knowing(&f, "mcts:iterations=9,heuristic=none,judge=0", k);
        assert_true(player_search(p, &task, &r));
        assert_true(r.best_count > 1);
        player_free(p);
        knowledge_free(k);
        text_free(&rules);
    }
    close_game(&f);
}

// Several threads share what is known; each works in memory of its own.
static void test_threads(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    Knowledge *k = know(&f, FACTS WORTH PREFER);
    static const char *const players[] = {"alphabeta:depth=6,threads=4,memory=1",
                                          "mcts:iterations=400,threads=4,memory=1"};
    for (int i = 0; i < 2; i++) {
        Player *p = make_knowing(&f, players[i], k);
        SearchTask task = {.record = f.record};
        SearchResult r;
        for (int n = 0; n < 2; n++)
            assert_true(player_search(p, &task, &r));
        player_free(p);
    }
    knowledge_free(k);
    close_game(&f);
}

// Nothing is left behind after many searches: all that is allocated is freed, as the sanitizer
// tells, and a search that has been made before allocates no more than then.
static void test_many_searches(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, "XX1/OO1/3 c");
    Knowledge *k = know(&f, FACTS WORTH PREFER);
    static const char *const players[] = {"alphabeta:depth=2,threads=1,memory=1", "rules",
                                          "mcts:iterations=5,memory=1"};
    for (int i = 0; i < 3; i++) {
        Player *p = make_knowing(&f, players[i], k);
        SearchTask task = {.record = f.record};
        SearchResult r;
        long first = 0;
        for (int n = 0; n < 1000; n++) {
            const long many = 1000000;
            mem_fail_at(many);
            assert_true(player_search(p, &task, &r));
            long used = many - mem_fail_at(0);
            first = n == 1 ? used : first;
            assert_true(n < 2 || used <= first);
        }
        player_free(p);
    }
    knowledge_free(k);
    close_game(&f);
}

// Every allocation fails once: a reason or a move, and nothing is left behind.
static void test_no_memory(void **unused) {
    (void)unused;
    Fixture f = compile_game(HEAD FACTS WORTH PREFER);
    static const char *const players[] = {"rules", "greedy", "alphabeta:threads=1,memory=1",
                                          "mcts:memory=1"};
    for (int i = 0; i < 4; i++)
        for (long n = 1; n < 500; n++) {
            Text why = {0};
            mem_fail_at(n);
            Player *p = player_new(f.game, players[i], &why);
            SearchTask task = {.record = f.record, .limits = {.nodes = 20, .depth = 1}};
            SearchResult r;
            if (p)
                player_search(p, &task, &r);
            else
                assert_true(why.n > 0 || why.failed);
            player_free(p);
            text_free(&why);
            if (mem_fail_at(0) > 0)
                break;
        }
    mem_fail_at(0);
    close_game(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_value),    cmocka_unit_test(test_own_without_opponent),
        cmocka_unit_test(test_own_scale),    cmocka_unit_test(test_own_three_players),
        cmocka_unit_test(test_own_refused),  cmocka_unit_test(test_rules_pick),
        cmocka_unit_test(test_rules_why),    cmocka_unit_test(test_texts),
        cmocka_unit_test(test_bad_texts),    cmocka_unit_test(test_rule_sets),
        cmocka_unit_test(test_machine_code), cmocka_unit_test(test_order),
        cmocka_unit_test(test_threads),      cmocka_unit_test(test_many_searches),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
