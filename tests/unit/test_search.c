// Tests of src/search: players as texts, the classics against each other and against known values,
// puzzles, limits, traces.
#include "search_fixture.h"

#include "game/library.h"
#include "game/movetext.h"
#include "game/statetext.h"
#include "search/evaluate.h"
#include "search/player.h"
#include "search/trace.h"

#include <pthread.h>
#include <stdio.h>

static bool ask(const Fixture *f, const char *text, SearchResult *result) {
    Player *p = make_player(f->game, text);
    SearchTask task = {.record = f->record, .seed = 1};
    bool found = player_search(p, &task, result);
    player_free(p);
    return found;
}

// Plays random moves; stops before the game would be over.
static void wander(Fixture *f, Rng *rng, int plies) {
    for (int i = 0; i < plies; i++) {
        Move move;
        if (runner_random(f->runner, record_now(f->record), rng_next(rng), &move) != 1)
            break;
        assert_true(record_play(f->record, move));
        if (record_result(f->record)) {
            record_undo(f->record);
            break;
        }
    }
}

// A record that begins with the position: no history.
static void forget_history(Fixture *f) {
    Record *fresh = record_new(f->runner, record_now(f->record));
    assert_non_null(fresh);
    record_free(f->record);
    f->record = fresh;
}

// --- texts ---

static void test_texts(void **unused) {
    (void)unused;
    static const struct {
        const char *given, *shown;
    } good[] = {
        {"random", "random"},
        {"minimax:depth=4", "minimax:depth=4"},
        {"minimax:heuristic=none,time=2000ms", "minimax:time=2s,heuristic=none"},
        {"table-alphabeta:time=1.5s,memory=2MB", "table-alphabeta:time=1500ms,memory=2"},
        {"montecarlo:iterations=10k,seed=0", "montecarlo:iterations=10k,seed=0"},
        {"stochastic-minimax:keep=0.3,time=2m", "stochastic-minimax:time=2m,keep=0.3"},
        {"minimax:", "minimax"},
    };
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        Player *p = make_player(f.game, good[i].given);
        assert_string_equal(player_text(p), good[i].shown);
        Player *again = make_player(f.game, player_text(p));
        assert_string_equal(player_text(again), good[i].shown);
        player_free(again);
        player_free(p);
    }
    close_game(&f);
}

static void test_wrong_texts(void **unused) {
    (void)unused;
    static const struct {
        const char *given, *why;
    } bad[] = {
        {"minimx", "there is no player `minimx`; did you mean `minimax`?"},
        {"", "there is no player ``; `ludens players` lists them"},
        {"minimax:dept=3", "`minimax` has no parameter `dept`; did you mean `depth`?"},
        {"minimax:threads=2",
         "`minimax` makes no use of `threads`; it has time, clock, nodes, depth, "
         "heuristic and knowledge"},
        {"minimax:depth", "`depth`: parameters are written `name=value`"},
        {"minimax:depth=3,,", "a parameter is missing before or behind a comma"},
        {"minimax:depth=3,depth=4", "`depth` is given twice"},
        {"minimax:depth=0", "`depth=0`: it is between 1 and 1M"},
        {"minimax:depth=-3", "`depth=-3`: a number such as 4, 10k or 2M is wanted"},
        {"minimax:depth=1.5", "`depth=1.5`: a whole number is wanted"},
        {"minimax:depth=inf", "`depth=inf`: a number such as 4, 10k or 2M is wanted"},
        {"minimax:depth=0x4", "`depth=0x4`: a number such as 4, 10k or 2M is wanted"},
        {"minimax:time=3", "`time=3`: a time such as 500ms, 2s or 1m is wanted"},
        {"minimax:time=2d", "`time=2d`: a time such as 500ms, 2s or 1m is wanted"},
        {"stochastic-minimax:keep=1.1", "`keep=1.1`: it is between 0.01 and 1"},
        {"minimax:heuristic=mobilty",
         "`heuristic=mobilty`: there is no such heuristic; did you mean `mobility`?"},
        {"minimax:heuristic=goal",
         "heuristic `goal`: not available for this game: it is no puzzle"},
    };
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        Text why = {0};
        assert_null(player_new(f.game, bad[i].given, &why));
        assert_string_equal(text_c(&why), bad[i].why);
        text_free(&why);
    }
    close_game(&f);
}

static void test_list(void **unused) {
    (void)unused;
    Text text = {0}, json = {0};
    player_list(&text, false);
    player_list(&json, true);
    assert_non_null(strstr(text_c(&text), "minimax: "));
    assert_non_null(strstr(text_c(&json), "{\"name\":\"minimax\""));
    assert_int_equal(json.s[0], '[');
    text_free(&text);
    text_free(&json);
}

// --- the classics against each other ---

// Positions below a state down to a depth: what minimax looks at.
static int64_t positions(Runner *r, const uint8_t *state, int depth) {
    size_t size = (size_t)game_state_size(runner_game(r));
    const Move *moves;
    int n = depth > 0 ? runner_moves(r, state, &moves) : 0;
    int64_t sum = n;
    Move *list = mem_alloc(sizeof *list * (size_t)(n + 1));
    uint8_t *next = mem_alloc(size);
    for (int i = 0; i < n; i++)
        list[i] = moves[i];
    for (int i = 0; i < n && depth > 1; i++) {
        assert_true(runner_apply(r, state, list[i], next));
        sum += positions(r, next, depth - 1);
    }
    mem_free(list);
    mem_free(next);
    return sum;
}

static int affordable_depth(const Fixture *f, int64_t most) {
    int64_t moves = runner_count(f->runner, record_now(f->record));
    int depth = 1;
    for (int64_t n = moves * moves; n <= most && depth<6; n *= moves> 1 ? moves : 2)
        depth++;
    return moves > most ? 0 : depth;
}

static void compare_classics(const Fixture *f, int depth, const char *heuristic) {
    static const char *const names[] = {"minimax", "plain-alphabeta", "ordered-alphabeta",
                                        "deepening-alphabeta", "table-alphabeta"};
    Value value = 0;
    int64_t nodes = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "%s:depth=%d,heuristic=%s%s", names[i], depth, heuristic,
                 i == 4 ? ",memory=1" : "");
        SearchResult result;
        assert_true(ask(f, text, &result));
        assert_true(result.line_length >= 1);
        assert_true(move_equal(result.line[0], result.move));
        if (i == 0) {
            value = result.value;
            nodes = result.nodes;
        }
        if (result.value != value)
            fail_msg("%s, %s: %d, but minimax says %d", f->game->name, text, result.value, value);
        if (i == 1)
            assert_true(result.nodes <= nodes);
    }
    bool repeats = f->game->ir->repeated > 0 && f->game->ir->repeated <= depth;
    if (!repeats)
        assert_int_equal(nodes, positions(f->runner, record_now(f->record), depth));
}

static void test_classics_agree(void **unused) {
    (void)unused;
    Rng rng;
    rng_seed(&rng, 7);
    for (int i = 0; i < library_count; i++) {
        for (int round = 0; round < 3; round++) {
            Fixture f = open_game(library_games[i].name, NULL, NULL);
            wander(&f, &rng, (int)rng_below(&rng, 40));
            forget_history(&f);
            int depth = affordable_depth(&f, 3000);
            if (depth > 0)
                compare_classics(&f, depth, i % 6 == 0 ? "auto" : "plain"); // auto learns first
            if (depth > 0 && f.game->ir->players > 1)
                compare_classics(&f, depth, round ? "none" : "mobility");
            close_game(&f);
        }
    }
}

static void test_several_players(void **unused) {
    (void)unused;
    static const char text[] = "game \"Three\"\n"
                               "players Red, Green, Blue\n"
                               "board square 3 x 3\n"
                               "piece stone of Red, Green, Blue\n"
                               "turn\n"
                               "    choose to in empty\n"
                               "    place stone at to\n"
                               "end\n"
                               "    me wins when some c in mine : count (mine & next(c)) >= 2\n"
                               "    draw when no empty\n";
    Fixture f = {0};
    Diags diags = {0};
    f.game = game_compile("three.game", text, strlen(text), NULL, 0, &diags);
    assert_int_equal(diags.errors, 0);
    diag_free(&diags);
    f.runner = runner_new(f.game);
    f.record = record_new(f.runner, NULL);
    Rng rng;
    rng_seed(&rng, 3);
    for (int i = 0; i < 6; i++) {
        compare_classics(&f, 3, "mobility");
        SearchResult result;
        assert_true(ask(&f, "montecarlo-breadth:iterations=100", &result));
        assert_true(ask(&f, "stochastic-minimax:depth=2", &result));
        assert_true(ask(&f, "bfs:nodes=1000", &result));
        wander(&f, &rng, 1);
    }
    close_game(&f);
}

// Two of three win when the third loses: random games tell who had better be stuck.
static void test_shared_wins(void **unused) {
    (void)unused;
    static const char text[] = "game \"Who sinks\"\n"
                               "players Red, Green, Blue\n"
                               "board square 3 x 1\n"
                               "piece stone\n"
                               "turn\n"
                               "    choose to in empty where it == a1 or no empty & {a1}\n"
                               "    choose loser in players\n"
                               "    place stone at to\n"
                               "    sunk = loser\n"
                               "var sunk : player or none = none\n"
                               "end\n"
                               "    sunk loses when sunk != none\n";
    static const char *const forms[] = {"montecarlo", "montecarlo-breadth", "montecarlo-depth"};
    Diags diags = {0};
    Fixture f = begin_game(game_compile("sinks.game", text, strlen(text), NULL, 0, &diags), NULL);
    assert_int_equal(diags.errors, 0);
    diag_free(&diags);
    for (int i = 0; i < 3; i++) {
        Player *p = make_player(f.game, forms[i]);
        Trace *trace = trace_new(10);
        SearchTask task = {.record = f.record, .trace = trace, .limits = {.iterations = 60}};
        SearchResult r;
        Text shown = {0};
        assert_true(player_search(p, &task, &r));
        assert_int_equal(r.value, 500);
        assert_int_equal(r.best[2].value, i ? -1000 : 0); // Red itself
        assert_true(trace_text(trace, f.runner, record_now(f.record), &shown));
        assert_int_equal(strncmp(text_c(&shown), "to depth 1  = +500\n", 19), 0);
        text_free(&shown);
        trace_free(trace);
        player_free(p);
    }
    close_game(&f);
}

// --- known values ---

static void test_known_values(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *param, *state;
        int sign, plies; // of the win or loss
    } known[] = {
        {"tic-tac-toe", NULL, NULL, 0, 0},          {"tic-tac-toe", NULL, "XX1/OO1/3 c", 1, 1},
        {"tic-tac-toe", NULL, "X2/1O1/2X n", 0, 0}, {"tic-tac-toe", NULL, "X1X/1O1/O1X n", -1, 2},
        {"nim", "heaps=1,2,3", NULL, -1, 6},
    };
    static const char *const players[] = {"plain-alphabeta", "deepening-alphabeta",
                                          "table-alphabeta:memory=4"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        Fixture f = open_game(known[i].game, known[i].param, known[i].state);
        for (int k = 0; k < 3; k++) {
            char text[100];
            snprintf(text, sizeof text, "%s%ctime=10m", players[k],
                     strchr(players[k], ':') ? ',' : ':');
            SearchResult r;
            assert_true(ask(&f, text, &r));
            assert_true(r.exact);
            int expected = known[i].sign * (VALUE_WIN - known[i].plies);
            assert_int_equal(r.value, expected);
        }
        close_game(&f);
    }
}

// --- puzzles ---

static const char *const solvers[] = {"dfs", "bfs", "iddfs", "astar", "idastar", "bestfirst"};
enum { SOLVERS = 6 };

static bool promises_shortest(int solver) {
    return solver >= 1 && solver <= 4;
}

// Plays the line of a result to its end, which must be a win.
static void check_solution(Fixture *f, const SearchResult *r, const char *who) {
    assert_true(r->found);
    assert_true(r->exact);
    int length = VALUE_WIN - r->value;
    if (length > SEARCH_MAX_LINE)
        return;
    assert_int_equal(r->line_length, length);
    int before = record_length(f->record);
    for (int i = 0; i < length; i++) {
        if (!runner_is_legal(f->runner, record_now(f->record), r->line[i]))
            fail_msg("%s: move %d is not legal", who, i + 1);
        assert_true(record_play(f->record, r->line[i]));
    }
    assert_int_equal(record_result(f->record), RESULT_OVER | 1);
    while (record_length(f->record) > before)
        record_undo(f->record);
}

static void test_frogs(void **unused) {
    (void)unused;
    for (int n = 3; n <= 8; n++) {
        char param[20];
        snprintf(param, sizeof param, "frogs=%d", n);
        Fixture f = open_game("frogs", param, NULL);
        for (int s = 0; s < SOLVERS; s++) {
            char text[40];
            snprintf(text, sizeof text, "%s:time=10m", solvers[s]);
            SearchResult r;
            assert_true(ask(&f, text, &r));
            assert_int_equal(VALUE_WIN - r.value, n * (n + 2)); // every way has this length
            check_solution(&f, &r, solvers[s]);
        }
        close_game(&f);
    }
}

static void test_eight_puzzle(void **unused) {
    (void)unused;
    static const char *const hardest[] = {"T(8)T(6)T(7)/T(2)T(5)T(4)/T(3)1T(1) s",
                                          "T(6)T(4)T(7)/T(8)T(5)1/T(3)T(2)T(1) s"};
    for (int i = 0; i < 2; i++) {
        Fixture f = open_game("eight-puzzle", NULL, hardest[i]);
        Evaluation *goal = evaluation_new(f.game, "goal", &(Text){0});
        assert_non_null(goal);
        SearchResult r;
        for (int s = 3; s <= 4; s++) {
            char text[40];
            snprintf(text, sizeof text, "%s:time=10m", solvers[s]);
            assert_true(ask(&f, text, &r));
            assert_int_equal(VALUE_WIN - r.value, 31);
            check_solution(&f, &r, solvers[s]);
        }
        // The heuristic never says too much, and is the sum of the tiles' ways.
        for (int k = 0; k < 31; k++) {
            int distance = evaluation_distance(goal, f.runner, record_now(f.record));
            assert_true(distance <= 31 - k);
            assert_true(k > 0 || distance == 21);
            assert_true(record_play(f.record, r.line[k]));
        }
        assert_int_equal(evaluation_distance(goal, f.runner, record_now(f.record)), 0);
        evaluation_free(goal);
        close_game(&f);
    }
}

// All agree whether there is a way, and those that promise it on the shortest.
static void compare_solvers(Fixture *f) {
    int shortest = 0;
    bool solvable = false;
    for (int i = 0; i < SOLVERS; i++) {
        int s = (i + 1) % SOLVERS; // breadth-first is the reference
        char text[40];
        snprintf(text, sizeof text, "%s:time=10m", solvers[s]);
        SearchResult r;
        assert_true(ask(f, text, &r));
        assert_true(r.exact);
        bool found = r.value > 0;
        if (i == 0) {
            solvable = found;
            shortest = VALUE_WIN - r.value;
        }
        assert_int_equal(found, solvable);
        if (!found)
            continue;
        check_solution(f, &r, solvers[s]);
        assert_true(VALUE_WIN - r.value >= shortest);
        if (promises_shortest(s))
            assert_int_equal(VALUE_WIN - r.value, shortest);
    }
}

static void test_solvers_agree(void **unused) {
    (void)unused;
    Rng rng;
    rng_seed(&rng, 5);
    for (int i = 0; i < 12; i++) { // many of these have no way left
        Fixture f = open_game("frogs", "frogs=4", NULL);
        wander(&f, &rng, i);
        forget_history(&f);
        compare_solvers(&f);
        close_game(&f);
    }
    for (int i = 0; i < 4; i++) {
        Fixture f = open_game("eight-puzzle", NULL, "T(1)T(2)T(3)/T(4)T(5)T(6)/T(7)T(8)1 s");
        wander(&f, &rng, 12);
        forget_history(&f);
        compare_solvers(&f);
        close_game(&f);
    }
    Fixture f = open_game("river-crossing", NULL, NULL);
    compare_solvers(&f);
    SearchResult r;
    assert_true(ask(&f, "astar", &r));
    assert_int_equal(VALUE_WIN - r.value, 7);
    close_game(&f);
}

static void test_peg_solitaire(void **unused) {
    (void)unused;
    Fixture f = open_game("peg-solitaire", NULL, NULL);
    SearchResult r;
    assert_true(ask(&f, "dfs:time=10m", &r));
    check_solution(&f, &r, "dfs");
    // With little memory it ends without a way, and without claiming that there is none.
    assert_true(ask(&f, "bfs:memory=1,time=10m", &r));
    assert_false(r.exact);
    close_game(&f);
}

// The goal can be that somebody has no move.
static void test_stuck_is_the_goal(void **unused) {
    (void)unused;
    static const char maze[] = "game \"Maze\"\n"
                               "players Solo\n"
                               "board square 4 x 1\n"
                               "piece king\n"
                               "setup\n"
                               "    place king at b1\n"
                               "turn\n"
                               "    choose to in step(kings, e) | (step(kings, w) & {a1})\n"
                               "    move the king to to\n"
                               "when stuck\n"
                               "    me wins\n";
    Fixture f = {0};
    Diags diags = {0};
    f.game = game_compile("maze.game", maze, strlen(maze), NULL, 0, &diags);
    assert_int_equal(diags.errors, 0);
    diag_free(&diags);
    f.runner = runner_new(f.game);
    f.record = record_new(f.runner, NULL);
    Fixture dominoes = open_game("domineering", "rows=3 columns=3", NULL);
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        SearchResult r;
        assert_true(ask(&f, solvers[i], &r));
        check_solution(&f, &r, solvers[i]);
        if (promises_shortest((int)i))
            assert_int_equal(VALUE_WIN - r.value, 2);
        assert_true(ask(&dominoes, solvers[i], &r));
        assert_true(r.depth % 2 == 1); // everybody helps: the last move is the first player's
        if (strcmp(solvers[i], "bfs") == 0)
            assert_int_equal(r.depth, 3);
    }
    close_game(&dominoes);
    close_game(&f);
}

// What can only go one way never gets there: every solver sees the end of that.
static void test_no_way(void **unused) {
    (void)unused;
    Fixture f = compile_game("game \"Past\"\n"
                             "players Solo\n"
                             "board square 6 x 1\n"
                             "piece king\n"
                             "setup\n"
                             "    place king at c1\n"
                             "turn\n"
                             "    choose to in step(kings, e)\n"
                             "    move the king to to\n"
                             "end\n"
                             "    me wins when some kings & {a1}\n"
                             "when stuck\n"
                             "    me loses\n");
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        SearchResult r;
        ask(&f, solvers[i], &r);
        if (!r.exact || r.value != -VALUE_WIN)
            fail_msg("%s: %d", solvers[i], r.value);
    }
    close_game(&f);
}

// A player that has found a way follows it without searching again.
static void test_plan(void **unused) {
    (void)unused;
    Fixture f = open_game("frogs", NULL, NULL);
    Player *p = make_player(f.game, "dfs");
    SearchTask task = {.record = f.record};
    for (int i = 0; i < 15; i++) {
        SearchResult r;
        assert_true(player_search(p, &task, &r));
        assert_int_equal(VALUE_WIN - r.value, 15 - i);
        assert_true(i == 0 ? r.nodes > 0 : r.nodes == 0);
        assert_true(record_play(f.record, r.move));
    }
    SearchResult r;
    assert_false(player_search(p, &task, &r)); // the game is over
    assert_false(r.found);
    player_free(p);
    close_game(&f);
}

// --- limits ---

static const char *const all_players[] = {
    "random",
    "greedy",
    "minimax",
    "plain-alphabeta",
    "ordered-alphabeta",
    "deepening-alphabeta",
    "table-alphabeta:memory=4",
    "stochastic-minimax",
    "montecarlo",
    "montecarlo-breadth",
    "montecarlo-depth",
    "dfs:memory=4",
    "bfs:memory=4",
    "iddfs",
    "astar:memory=4",
    "idastar",
    "bestfirst:memory=4",
};
enum { ALL = sizeof all_players / sizeof all_players[0] };

// The text with a parameter more, if the player has it.
static bool with(const char *text, const char *parameter, char *out, size_t size) {
    snprintf(out, size, "%s%c%s", text, strchr(text, ':') ? ',' : ':', parameter);
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    Text why = {0};
    Player *p = player_new(f.game, out, &why);
    text_free(&why);
    player_free(p);
    close_game(&f);
    return p != NULL;
}

typedef struct Stopper {
    atomic_bool stop;
    double stopped;
} Stopper;

static void *stop_soon(void *context) {
    Stopper *s = context;
    nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
    atomic_store(&s->stop, true);
    s->stopped = clock_spent();
    return NULL;
}

// All that was looked at is lost, and most was not looked at: that is no proof, and no choice.
static void test_unfinished(void **unused) {
    (void)unused;
    Fixture f = open_game("breakthrough", "size=4", "B1BB/WWB1/WW1B/1WW1 w");
    static const char *const players[] = {"minimax:depth=20,nodes=300k",
                                          "plain-alphabeta:depth=20,nodes=3k"};
    for (int i = 0; i < 2; i++) {
        SearchResult r;
        assert_true(ask(&f, players[i], &r));
        assert_false(r.exact);
        if (r.value <= -VALUE_SURE)
            fail_msg("%s: loses", players[i]);
        assert_true(runner_is_legal(f.runner, record_now(f.record), r.move));
        assert_true(move_equal(r.move, r.line[0]));
    }
    close_game(&f);
}

// 20 ms are promised; with sanitizers it may be more.
static void test_stop(void **unused) {
    (void)unused;
    static const char *const games[] = {"chess", "connect-four", "peg-solitaire"};
    for (int g = 0; g < 3; g++) {
        Fixture f = open_game(games[g], NULL, NULL);
        for (int i = 0; i < ALL; i++) {
            char text[100];
            if (!with(all_players[i], "time=10m", text, sizeof text))
                continue;
            Stopper s = {.stop = false};
            pthread_t thread;
            Player *p = make_player(f.game, text);
            SearchTask task = {.record = f.record, .stop = &s.stop};
            SearchResult r;
            assert_int_equal(pthread_create(&thread, NULL, stop_soon, &s), 0);
            assert_true(player_search(p, &task, &r));
            double end = clock_spent();
            pthread_join(thread, NULL);
            assert_true(runner_is_legal(f.runner, record_now(f.record), r.move));
            if (end > s.stopped + 0.5)
                fail_msg("%s, %s: %.3f s after the stop", games[g], text, end - s.stopped);
            player_free(p);
        }
        close_game(&f);
    }
}

static void test_stopped_before(void **unused) {
    (void)unused;
    atomic_bool stop = true;
    Fixture f = open_game("mill", NULL, NULL);
    for (int i = 0; i < ALL; i++) {
        Player *p = make_player(f.game, all_players[i]);
        SearchTask task = {.record = f.record, .stop = &stop};
        SearchResult r;
        double begin = clock_spent();
        assert_true(player_search(p, &task, &r));
        assert_true(clock_spent() - begin < 0.5);
        assert_true(runner_is_legal(f.runner, record_now(f.record), r.move));
        player_free(p);
    }
    close_game(&f);
}

static void test_limits(void **unused) {
    (void)unused;
    Fixture f = open_game("mill", NULL, NULL);
    for (int i = 0; i < ALL; i++) {
        char text[100];
        SearchResult r;
        if (with(all_players[i], "nodes=2k", text, sizeof text)) {
            assert_true(ask(&f, text, &r));
            assert_true(r.nodes <= 2250); // threads tell each other now and then
        }
        if (with(all_players[i], "time=50ms", text, sizeof text)) {
            double begin = clock_spent();
            assert_true(ask(&f, text, &r));
            assert_true(clock_spent() - begin < 1);
        }
    }
    // The task's limits hold too.
    Player *p = make_player(f.game, "minimax:depth=6");
    SearchTask task = {.record = f.record, .limits = {.depth = 2}};
    SearchResult r;
    assert_true(player_search(p, &task, &r));
    assert_int_equal(r.depth, 2);
    assert_int_equal(r.nodes, 24 + 552);
    task.limits = (Limits){.nodes = 100};
    assert_true(player_search(p, &task, &r));
    assert_true(r.nodes <= 110);
    player_free(p);
    close_game(&f);
}

static void test_same_seed(void **unused) {
    (void)unused;
    static const char *const texts[] = {
        "random",
        "greedy:heuristic=none",
        "stochastic-minimax:depth=3",
        "montecarlo:iterations=300",
        "montecarlo-breadth:iterations=300",
        "montecarlo-depth:iterations=300",
        "table-alphabeta:nodes=3000,memory=1",
    };
    Fixture f = open_game("connect-four", NULL, NULL);
    Rng rng;
    rng_seed(&rng, 9);
    wander(&f, &rng, 6);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        SearchResult a, b;
        assert_true(ask(&f, texts[i], &a));
        assert_true(ask(&f, texts[i], &b));
        a.seconds = b.seconds = 0;
        assert_true(move_equal(a.move, b.move));
        assert_int_equal(a.value, b.value);
        assert_int_equal(a.nodes, b.nodes);
        assert_int_equal(a.best_count, b.best_count);
        for (int k = 0; k < a.best_count; k++)
            assert_true(move_equal(a.best[k].move, b.best[k].move));
    }
    // Another seed, another move, sooner or later.
    bool differs = false;
    Player *p = make_player(f.game, "random");
    SearchResult first;
    SearchTask task = {.record = f.record};
    assert_true(player_search(p, &task, &first));
    for (task.seed = 1; task.seed < 20; task.seed++) {
        SearchResult r;
        assert_true(player_search(p, &task, &r));
        differs = differs || !move_equal(r.move, first.move);
    }
    assert_true(differs);
    player_free(p);
    close_game(&f);
}

// Draws by repetition are seen, in the game so far and in what is to come.
static void test_repetition(void **unused) {
    (void)unused;
    static const char walk[] = "game \"Walk\"\n"
                               "players Red, Blue\n"
                               "board square 3 x 1\n"
                               "piece king\n"
                               "setup\n"
                               "    place king at b1\n"
                               "turn\n"
                               "    choose to in next(the king)\n"
                               "    move the king to to\n"
                               "end\n"
                               "    draw when repeated 3\n"
                               "when stuck\n"
                               "    me loses\n";
    Fixture f = {0};
    Diags diags = {0};
    f.game = game_compile("walk.game", walk, strlen(walk), NULL, 0, &diags);
    assert_int_equal(diags.errors, 0);
    diag_free(&diags);
    f.runner = runner_new(f.game);
    f.record = record_new(f.runner, NULL);
    for (int k = 0; k < 2; k++) {
        SearchResult r;
        assert_true(ask(&f, k ? "deepening-alphabeta:time=10m" : "minimax:time=10m", &r));
        assert_true(r.exact);
        assert_int_equal(r.value, 0);
        assert_true(r.depth <= 12);
    }
    close_game(&f);
}

// --- traces ---

static int count_lines(const char *s) {
    int n = 0;
    for (; *s; s++)
        n += *s == '\n';
    return n;
}

static void test_trace(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, "XO1/3/3 c");
    for (int i = 0; i < ALL; i++) {
        Player *p = make_player(f.game, all_players[i]);
        Trace *t = trace_new(200);
        Text text = {0}, json = {0}, dot = {0};
        SearchTask task = {.record = f.record, .trace = t, .limits = {.nodes = 2000}};
        SearchResult r;
        assert_true(player_search(p, &task, &r));
        assert_true(trace_text(t, f.runner, record_now(f.record), &text));
        assert_true(trace_json(t, f.runner, record_now(f.record), &json));
        assert_true(trace_dot(t, f.runner, record_now(f.record), &dot));
        int64_t dropped;
        int kept = trace_count(t, &dropped);
        assert_true(kept <= 200);
        assert_int_equal(count_lines(text_c(&text)), kept + (dropped > 0 || kept == 0));
        assert_int_equal(count_lines(text_c(&json)), kept + 1);
        assert_memory_equal(text_c(&dot), "digraph", 7);
        if (strcmp(all_players[i], "plain-alphabeta") == 0)
            assert_non_null(strstr(text_c(&text), "left out: at"));
        text_free(&text);
        text_free(&json);
        text_free(&dot);
        trace_free(t);
        player_free(p);
    }
    close_game(&f);
}

// --- heuristics ---

static void test_evaluations(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *picks;
    } known[] = {{"tic-tac-toe", "mobility"}, {"mill", "material"},
                 {"chess", "material"},       {"domineering", "mobility"},
                 {"frogs", "goal"},           {"eight-puzzle", "goal"},
                 {"peg-solitaire", "goal"},   {"breakthrough", "material"},
                 {"amazons", "mobility"}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        Fixture f = open_game(known[i].game, NULL, NULL);
        Text why = {0};
        Evaluation *e = evaluation_new(f.game, "plain", &why);
        assert_non_null(e);
        assert_string_equal(evaluation_name(e), known[i].picks);
        evaluation_free(e);
        // The classics are plain, the strong ones take what was learnt; both can be told.
        static const struct {
            const char *player;
            bool plain;
        } who[] = {{"greedy", true},          {"minimax:depth=1", true},
                   {"table-alphabeta", true}, {"table-alphabeta:heuristic=auto", false},
                   {"alphabeta", false},      {"alphabeta:heuristic=plain", true}};
        for (size_t j = 0; j < sizeof who / sizeof who[0] && i == 0; j++) {
            Player *p = player_new(f.game, who[j].player, &why);
            assert_non_null(p);
            assert_string_equal(evaluation_name(p->evaluation),
                                who[j].plain ? known[i].picks : "learned");
            assert_string_equal(player_text(p), who[j].player);
            player_free(p);
        }
        text_free(&why);
        close_game(&f);
    }
    // Two players: what one has the other lacks.
    Fixture f = open_game("chess", NULL, "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1");
    Evaluation *e = evaluation_new(f.game, "material", &(Text){0});
    assert_non_null(e);
    const uint8_t *s = record_now(f.record);
    assert_true(evaluation_value(e, f.runner, s) > 0);
    assert_int_equal(evaluation_for(e, f.runner, s, 0), -evaluation_for(e, f.runner, s, 1));
    Value values[IR_MAX_PLAYERS];
    evaluation_values(e, f.runner, s, values);
    assert_int_equal(values[0], evaluation_for(e, f.runner, s, 0));
    evaluation_free(e);
    close_game(&f);
}

// --- memory ---

// Every allocation fails once: a player then gives a reason, or a move, and leaves nothing behind.
static void test_no_memory(void **unused) {
    (void)unused;
    Fixture f = open_game("frogs", "frogs=2", NULL);
    Fixture g = open_game("tic-tac-toe", NULL, "XO1/OX1/3 c");
    for (int i = 0; i < ALL; i++) {
        bool puzzle = i >= ALL - 6;
        for (long n = 1; n < 400; n++) {
            const Fixture *at = puzzle ? &f : &g;
            Text why = {0};
            mem_fail_at(n);
            Player *p = player_new(at->game, all_players[i], &why);
            SearchTask task = {.record = at->record, .limits = {.nodes = 50, .depth = 2}};
            SearchResult r;
            if (p)
                player_search(p, &task, &r);
            else
                assert_true(why.n > 0 || why.failed);
            player_free(p);
            text_free(&why);
            if (mem_fail_at(0) > 0)
                break; // fewer than n allocations
        }
    }
    mem_fail_at(0);
    close_game(&f);
    close_game(&g);
}

// A player plays whole games, and its memory holds.
static void test_whole_games(void **unused) {
    (void)unused;
    Fixture f = open_game("tic-tac-toe", NULL, NULL);
    Player *a = make_player(f.game, "table-alphabeta:time=10m,memory=1");
    Player *b = make_player(f.game, "random");
    for (uint64_t seed = 0; seed < 20; seed++) {
        record_restart(f.record);
        while (record_result(f.record) == 0) {
            bool first = game_player(f.game, record_now(f.record)) == (int)(seed % 2);
            SearchTask task = {.record = f.record, .seed = seed};
            SearchResult r;
            assert_true(player_search(first ? a : b, &task, &r));
            assert_true(record_play(f.record, r.move));
        }
        // Perfect play does not lose.
        int loser = 1 << (1 - seed % 2);
        assert_int_not_equal(record_result(f.record), RESULT_OVER | loser);
    }
    player_free(a);
    player_free(b);
    close_game(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_wrong_texts),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_classics_agree),
        cmocka_unit_test(test_several_players),
        cmocka_unit_test(test_shared_wins),
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_frogs),
        cmocka_unit_test(test_eight_puzzle),
        cmocka_unit_test(test_solvers_agree),
        cmocka_unit_test(test_peg_solitaire),
        cmocka_unit_test(test_stuck_is_the_goal),
        cmocka_unit_test(test_no_way),
        cmocka_unit_test(test_plan),
        cmocka_unit_test(test_unfinished),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_stopped_before),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_same_seed),
        cmocka_unit_test(test_repetition),
        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_evaluations),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_whole_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
