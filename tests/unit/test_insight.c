// Tests of src/server/insight*.c: hints, analyses, reasons, trees, through a hub.
#include "server_fixture.h"

// Opens a room of a game for one page; its name in `room`.
static void open_room(Bench *b, Page *p, const char *game, const char *more, char room[32]) {
    int64_t id = page_send(p, "\"do\":\"open\",\"game\":\"%s\"%s", game, more);
    cJSON *answer = page_answer(b, p, id);
    if (!cJSON_IsString(member(answer, "room")))
        fail_msg("%s: %s", game, cJSON_PrintUnformatted(answer));
    snprintf(room, 32, "%s", text_member(answer, "room"));
    cJSON_Delete(answer);
}

static const char two[] = ",\"seats\":[{\"kind\":\"person\"},{\"kind\":\"person\"}]";
static const char one[] = ",\"seats\":[{\"kind\":\"person\"}]";

static cJSON *ask(Bench *b, Page *p, int64_t id) {
    return page_answer(b, p, id);
}

static bool is_in(const char *word, const cJSON *list) {
    const cJSON *i;
    cJSON_ArrayForEach(i, list) if (cJSON_IsString(i) &&
                                    strcmp(i->valuestring, word) == 0) return true;
    return false;
}

// --- searches ---

static void test_hint(void **state) {
    Bench b;
    char room[32];
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    open_room(&b, &p, "tic-tac-toe", two, room);
    // a3 b2 b3 c2: the first player has two in a row
    const char *const moves[] = {"a3", "b2", "b3", "c2"};
    for (int i = 0; i < 4; i++) {
        int64_t id = page_send(&p, "\"do\":\"move\",\"room\":\"%s\",\"seq\":%d,\"text\":\"%s\"",
                               room, i + 1, moves[i]);
        cJSON *answer = ask(&b, &p, id);
        if (member(answer, "error"))
            fail_msg("%s", cJSON_PrintUnformatted(answer));
        cJSON_Delete(answer);
    }
    int64_t task = page_task(&b, &p, page_send(&p, "\"do\":\"hint\",\"room\":\"%s\"", room));
    cJSON *done = page_done(&b, &p, task);
    assert_string_equal(text_member(done, "move"), "c3");
    assert_string_equal(text_member(done, "words"), "wins in 1");
    assert_true(cJSON_IsTrue(member(done, "proven")));
    assert_true(cJSON_GetArraySize(member(done, "values")) == 1);
    assert_true(cJSON_GetArraySize(member(done, "cells")) == 1);
    assert_true(is_in("c3", member(done, "line")));
    assert_non_null(strstr(text_member(done, "text"), "wins in 1"));
    cJSON_Delete(done);
    // What was found stands in the graph, for the first player; the rest is not known.
    cJSON *graph = ask(&b, &p, page_send(&p, "\"do\":\"graph\",\"room\":\"%s\"", room));
    const cJSON *values = member(graph, "values");
    assert_int_equal(cJSON_GetArraySize(values), 5);
    assert_true(cJSON_IsNull(cJSON_GetArrayItem(values, 1)));
    assert_true(cJSON_GetArrayItem(values, 4)->valuedouble == 999999);
    cJSON_Delete(graph);
    page_close(&p);
    bench_end(&b);
}

static void check_analysis(Bench *b, Page *p, const char *game, const char *seats,
                           const char *player) {
    char room[32];
    open_room(b, p, game, seats, room);
    int64_t task = page_task(
        b, p,
        page_send(p,
                  "\"do\":\"analyse\",\"room\":\"%s\",\"player\":\"%s\",\"best\":3,\"seconds\":0.3",
                  room, player));
    cJSON *done = page_done(b, p, task);
    if (member(done, "error"))
        fail_msg("%s: %s", game, cJSON_PrintUnformatted(done));
    const cJSON *best = member(done, "best"), *item;
    assert_true(cJSON_GetArraySize(best) >= 1);
    assert_true(number_member(done, "nodes") > 0);
    int exact = 0;
    cJSON_ArrayForEach(item, best) {
        assert_true(text_member(item, "move")[0] != '\0');
        assert_true(text_member(item, "words")[0] != '\0');
        assert_string_equal(cJSON_GetArrayItem(member(item, "line"), 0)->valuestring,
                            text_member(item, "move"));
        assert_true(cJSON_IsArray(member(item, "values")) && cJSON_IsArray(member(item, "cells")));
        exact += cJSON_IsFalse(member(item, "atMost"));
        if (strncmp(player, "mcts", 4) == 0)
            assert_true(number_member(item, "visits") > 0);
    }
    assert_true(exact >= 1);
    assert_true(number_member(cJSON_GetArrayItem(best, 0), "value") ==
                number_member(done, "value"));
    cJSON_Delete(done);
}

static void test_analyse(void **state) {
    Bench b;
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    check_analysis(&b, &p, "connect-four", two, "alphabeta:heuristic=plain");
    check_analysis(&b, &p, "hex", two, "mcts");
    check_analysis(&b, &p, "nim", two, "alphabeta:heuristic=plain");
    check_analysis(&b, &p, "frogs", one, "auto");
    page_close(&p);
    bench_end(&b);
}

static void test_news_and_stop(void **state) {
    Bench b;
    char room[32];
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    open_room(&b, &p, "hex", two, room);
    int64_t task = page_task(&b, &p,
                             page_send(&p,
                                       "\"do\":\"analyse\",\"room\":\"%s\",\"seconds\":600,"
                                       "\"player\":\"alphabeta:heuristic=none\"",
                                       room));
    cJSON *news = page_wait(&b, &p, fits_news, &task);
    assert_true(number_member(news, "depth") >= 1);
    cJSON_Delete(news);
    page_refused(&b, &p, "gone", "\"do\":\"stop\",\"task\":%lld", (long long)task + 1);
    Page other = page_open(&b);
    page_refused(&b, &other, "gone", "\"do\":\"stop\",\"task\":%lld", (long long)task);
    cJSON *answer = ask(&b, &p, page_send(&p, "\"do\":\"stop\",\"task\":%lld", (long long)task));
    assert_null(member(answer, "error"));
    cJSON_Delete(answer);
    cJSON *done = page_done(&b, &p, task); // with what it has
    assert_true(text_member(cJSON_GetArrayItem(member(done, "best"), 0), "move")[0] != '\0');
    cJSON_Delete(done);
    page_refused(&b, &p, "gone", "\"do\":\"stop\",\"task\":%lld", (long long)task);
    // It leaves while it is being served.
    page_send(&p, "\"do\":\"analyse\",\"room\":\"%s\",\"seconds\":600", room);
    page_send(&p, "\"do\":\"tree\",\"room\":\"%s\"", room);
    page_send(&p, "\"do\":\"explain\",\"room\":\"%s\"", room);
    page_look(&b, &p);
    page_close(&p);
    for (int i = 0; i < 20; i++) {
        page_look(&b, &other);
        usleep(500);
    }
    page_close(&other);
    bench_end(&b);
}

static void test_what_is_refused(void **state) {
    Bench b;
    char room[32];
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b), stranger = page_open(&b);
    open_room(&b, &p, "tic-tac-toe", two, room);
    page_refused(&b, &stranger, "denied", "\"do\":\"hint\",\"room\":\"%s\"", room);
    page_refused(&b, &p, "gone", "\"do\":\"hint\",\"room\":\"nonsense\"");
    page_refused(&b, &p, "bad", "\"do\":\"hint\"");
    page_refused(&b, &p, "bad", "\"do\":\"analyse\",\"room\":\"%s\",\"seconds\":1e9", room);
    page_refused(&b, &p, "bad", "\"do\":\"analyse\",\"room\":\"%s\",\"best\":1000", room);
    page_refused(&b, &p, "bad", "\"do\":\"analyse\",\"room\":\"%s\",\"ply\":7", room);
    page_refused(&b, &p, "bad", "\"do\":\"analyse\",\"room\":\"%s\",\"ply\":-1", room);
    page_refused(&b, &p, "bad", "\"do\":\"analyse\",\"room\":\"%s\",\"player\":\"bot:x\"", room);
    page_refused(&b, &p, "bad", "\"do\":\"analyse\",\"room\":\"%s\",\"player\":\"nobody\"", room);
    page_refused(&b, &p, "illegal", "\"do\":\"explain\",\"room\":\"%s\",\"move\":\"z9\"", room);
    page_refused(&b, &p, "gone", "\"do\":\"branch\",\"tree\":1,\"node\":0");
    page_refused(&b, &p, "bad", "\"do\":\"tree\",\"room\":\"%s\",\"depth\":1000", room);
    page_close(&p);
    page_close(&stranger);
    bench_end(&b);
}

// --- reasons ---

static void test_explain(void **state) {
    Bench b;
    char room[32];
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    open_room(&b, &p, "mill", two, room);
    cJSON *facts = ask(&b, &p, page_send(&p, "\"do\":\"facts\",\"room\":\"%s\"", room));
    if (!cJSON_IsArray(member(facts, "facts")))
        fail_msg("%s", cJSON_PrintUnformatted(facts));
    cJSON_Delete(facts);
    cJSON *why = ask(&b, &p, page_send(&p, "\"do\":\"explain\",\"room\":\"%s\"", room));
    assert_true(cJSON_IsNumber(member(why, "value")));
    assert_true(cJSON_IsArray(member(why, "lines")));
    cJSON_Delete(why);
    why = ask(&b, &p, page_send(&p, "\"do\":\"explain\",\"room\":\"%s\",\"move\":\"d2\"", room));
    const cJSON *lines = member(why, "lines"), *line, *fact;
    int cells = 0;
    double sum = 0;
    if (!cJSON_IsArray(lines))
        fail_msg("%s", cJSON_PrintUnformatted(why));
    cJSON_ArrayForEach(line, lines) {
        assert_true(text_member(line, "sentence")[0] != '\0');
        sum += number_member(line, "value");
        cJSON_ArrayForEach(fact, member(line, "facts")) cells +=
            cJSON_GetArraySize(member(fact, "cells"));
    }
    assert_true(sum == number_member(why, "value")); // the lines are all that changes
    assert_true(cells > 0 || cJSON_GetArraySize(member(why, "came")) > 0);
    cJSON_Delete(why);
    page_close(&p);
    bench_end(&b);
}

// A game without facts: pieces and moves are counted.
static void test_counting(void **state) {
    Bench b;
    char room[32];
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    open_room(&b, &p, "breakthrough", two, room);
    cJSON *why = ask(&b, &p, page_send(&p, "\"do\":\"explain\",\"room\":\"%s\"", room));
    const cJSON *lines = member(why, "lines");
    assert_true(cJSON_IsNull(member(why, "value")) || cJSON_IsNumber(member(why, "value")));
    assert_true(cJSON_GetArraySize(lines) >= 2);
    cJSON_Delete(why);
    cJSON *facts = ask(&b, &p, page_send(&p, "\"do\":\"facts\",\"room\":\"%s\"", room));
    assert_true(cJSON_IsArray(member(facts, "facts")));
    cJSON_Delete(facts);
    page_close(&p);
    bench_end(&b);
}

// --- trees ---

static cJSON *branch(Bench *b, Page *p, int64_t tree, int node) {
    cJSON *answer = ask(
        b, p, page_send(p, "\"do\":\"branch\",\"tree\":%lld,\"node\":%d", (long long)tree, node));
    if (member(answer, "error"))
        fail_msg("%s", cJSON_PrintUnformatted(answer));
    return answer;
}

// Walks everything below a node; how many nodes there are. The value of a node that was searched
// to its end is that of its best child.
static int walk(Bench *b, Page *p, int64_t tree, int node, int parent) {
    cJSON *here = branch(b, p, tree, node);
    const cJSON *child;
    int n = 1;
    assert_int_equal((int)number_member(here, "node"), node);
    if (parent >= 0)
        assert_int_equal((int)number_member(here, "parent"), parent);
    assert_true(cJSON_IsObject(member(here, "position")));
    bool max = cJSON_IsTrue(member(here, "max")), whole = true;
    double best = max ? -1e9 : 1e9;
    cJSON_ArrayForEach(child, member(here, "children")) {
        int below = (int)number_member(child, "node");
        assert_true(below > node);
        if (node)
            assert_true(text_member(child, "move")[0] != '\0');
        n += walk(b, p, tree, below, node);
        whole = whole && cJSON_IsNumber(member(child, "value"));
        double value = whole ? number_member(child, "value") : 0;
        best = max ? (value > best ? value : best) : (value < best ? value : best);
    }
    if (node && strcmp(text_member(here, "why"), "inner") == 0 && whole)
        assert_true(number_member(here, "value") == best);
    cJSON_Delete(here);
    return n;
}

static void test_tree(void **state) {
    Bench b;
    char room[32];
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    open_room(&b, &p, "nim", ",\"seats\":[{\"kind\":\"person\"},{\"kind\":\"person\"}]", room);
    int64_t task = page_task(
        &b, &p,
        page_send(&p, "\"do\":\"tree\",\"room\":\"%s\",\"player\":\"minimax\",\"depth\":2", room));
    cJSON *done = page_done(&b, &p, task);
    if (member(done, "error"))
        fail_msg("%s", cJSON_PrintUnformatted(done));
    int nodes = (int)number_member(done, "nodes");
    int64_t tree = (int64_t)number_member(done, "tree");
    assert_true(nodes > 5);
    cJSON_Delete(done);
    if (nodes < 500)
        assert_int_equal(walk(&b, &p, tree, 0, -1), nodes + 1);
    page_refused(&b, &p, "gone", "\"do\":\"branch\",\"tree\":%lld,\"node\":%d", (long long)tree,
                 nodes + 1);
    // Only the last few are kept.
    for (int i = 0; i < 3; i++) {
        task = page_task(
            &b, &p,
            page_send(&p, "\"do\":\"tree\",\"room\":\"%s\",\"player\":\"alphabeta\",\"depth\":2",
                      room));
        cJSON_Delete(page_done(&b, &p, task));
    }
    page_refused(&b, &p, "gone", "\"do\":\"branch\",\"tree\":%lld,\"node\":0", (long long)tree);
    cJSON_Delete(branch(&b, &p, tree + 3, 1));
    page_close(&p);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hint),          cmocka_unit_test(test_analyse),
        cmocka_unit_test(test_news_and_stop), cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_explain),       cmocka_unit_test(test_counting),
        cmocka_unit_test(test_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
