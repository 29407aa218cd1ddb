// Tests of src/server/workshop*.c, rules_text.c and save.c, through a hub.
#include "server_fixture.h"

#include "base/file.h"
#include "game/library.h"

#include <dirent.h>
#include <sys/stat.h>

// Sends `do` with a rules text; members may follow. The id.
static int64_t send_rules(Page *p, const char *what, const char *rules, const char *more) {
    Text text = {0};
    text_json(&text, rules);
    int64_t id = page_send(p, "\"do\":\"%s\",\"text\":%s%s", what, text_c(&text), more);
    text_free(&text);
    return id;
}

static const char *library_text(const char *name) {
    const LibraryGame *g = library_games;
    while (g->name && strcmp(g->name, name) != 0)
        g++;
    assert_non_null(g->name);
    return g->text;
}

static cJSON *compile(Bench *b, Page *p, const char *rules, const char *more) {
    return page_answer(b, p, send_rules(p, "compile", rules, more));
}

static void test_compile(void **state) {
    Bench b;
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    cJSON *good = compile(&b, &p, library_text("tic-tac-toe"), ",\"title\":\"my.game\"");
    if (!cJSON_IsObject(member(good, "game")))
        fail_msg("%s", cJSON_PrintUnformatted(good));
    assert_int_equal(cJSON_GetArraySize(member(good, "diagnostics")), 0);
    assert_int_equal((int)number_member(good, "count"), 9);
    assert_int_equal(cJSON_GetArraySize(member(good, "moves")), 9);
    assert_int_equal(cJSON_GetArraySize(member(member(good, "position"), "cells")), 9);
    cJSON_Delete(good);
    good = compile(&b, &p, library_text("mill"), ",\"params\":{\"men\":5,\"flying\":false}");
    assert_true(cJSON_IsObject(member(good, "game")));
    assert_int_equal((int)number_member(good, "count"), 24);
    cJSON_Delete(good);
    cJSON *bad = compile(&b, &p, "game \"Test\"\nplayers White, Black\nboard sqare 3 x 3\n", "");
    assert_true(cJSON_IsNull(member(bad, "game")) && cJSON_IsNull(member(bad, "position")));
    const cJSON *first = cJSON_GetArrayItem(member(bad, "diagnostics"), 0);
    assert_string_equal(text_member(first, "severity"), "error");
    assert_int_equal((int)number_member(first, "line"), 3);
    assert_true(number_member(first, "column") >= 1 && number_member(first, "length") >= 1);
    assert_true(text_member(first, "message")[0] != '\0');
    cJSON_Delete(bad);
    page_refused(&b, &p, "bad", "\"do\":\"compile\",\"text\":7");
    page_refused(&b, &p, "bad", "\"do\":\"compile\",\"text\":\"\",\"params\":[1]");
    page_refused(&b, &p, "bad", "\"do\":\"compile\",\"text\":\"\",\"params\":{\"a\":{}}");
    page_refused(&b, &p, "bad", "\"do\":\"compile\",\"text\":\"\",\"title\":\"a\\nb\"");
    page_close(&p);
    bench_end(&b);
}

// Places in the text are as a browser counts them.
static void test_places(void **state) {
    Bench b;
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    cJSON *plain = compile(&b, &p, "game \"xxxx\" nonsense\n", "");
    cJSON *letters = compile(&b, &p, "game \"ččžš\" nonsense\n", "");
    cJSON *wide = compile(&b, &p, "game \"😀😀\" nonsense\n", ""); // two units each
    const cJSON *a = cJSON_GetArrayItem(member(plain, "diagnostics"), 0);
    const cJSON *c = cJSON_GetArrayItem(member(letters, "diagnostics"), 0);
    const cJSON *d = cJSON_GetArrayItem(member(wide, "diagnostics"), 0);
    assert_int_equal((int)number_member(a, "column"), (int)number_member(c, "column"));
    assert_int_equal((int)number_member(a, "column"), (int)number_member(d, "column"));
    assert_int_equal((int)number_member(a, "length"), (int)number_member(c, "length"));
    cJSON_Delete(plain);
    cJSON_Delete(letters);
    cJSON_Delete(wide);
    page_close(&p);
    bench_end(&b);
}

// --- hostile rules: an answer in bounded time, and others are served ---

static const char endless[] = "game \"Endless\"\n"
                              "players White, Black\n"
                              "board square 8 x 8\n"
                              "piece man of White \"W\", Black \"B\"\n"
                              "turn\n"
                              "    choose a in empty\n"
                              "    choose b in empty\n"
                              "    choose c in empty\n"
                              "    choose d in empty\n"
                              "    choose e in empty\n"
                              "    require a == b and b == c and c == d and d == e and a != e\n"
                              "    place man at a\n"
                              "end\n"
                              "    draw when no empty\n";

static void test_hostile(void **state) {
    Bench b;
    Text text = {0};
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b), other = page_open(&b);
    int64_t ids[4];
    ids[0] = send_rules(&p, "compile", endless, "");
    text_add(&text, "game \"Deep\"\ndefine x = ");
    for (int i = 0; i < 50000; i++)
        text_char(&text, '(');
    ids[1] = send_rules(&p, "compile", text_c(&text), "");
    text_clear(&text);
    for (int i = 0; text.n < 200000; i++)
        text_f(&text, "define d%d = %d + d%d\n", i, i, i > 0 ? i - 1 : 0);
    ids[2] = send_rules(&p, "compile", text_c(&text), "");
    text_clear(&text);
    text_add(&text, "game \"Big\"\nplayers White, Black\nboard square 32 x 32\n");
    for (int i = 0; text.n < 100000; i++)
        text_f(&text, "\t  \"%d\" ]]] {{{ if for \n", i);
    ids[3] = send_rules(&p, "compile", text_c(&text), "");
    // A fourth page asks for something else meanwhile.
    cJSON *good = compile(&b, &other, library_text("tic-tac-toe"), "");
    assert_int_equal((int)number_member(good, "count"), 9);
    cJSON_Delete(good);
    for (int i = 0; i < 4; i++) {
        cJSON *answer = page_answer(&b, &p, ids[i]);
        if (i > 0)
            assert_true(cJSON_GetArraySize(member(answer, "diagnostics")) > 0);
        cJSON_Delete(answer);
    }
    text_free(&text);
    // One that leaves while its rules are compiled.
    send_rules(&other, "compile", endless, "");
    page_look(&b, &other);
    page_close(&other);
    page_close(&p);
    bench_end(&b);
}

static void test_endless_turns_end(void **state) {
    Bench b;
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    cJSON *answer = compile(&b, &p, endless, "");
    if (cJSON_IsObject(member(answer, "game"))) {
        assert_int_equal((int)number_member(answer, "count"), -1);
        assert_true(text_member(answer, "problem")[0] != '\0');
        const cJSON *mistake = cJSON_GetArrayItem(member(answer, "diagnostics"), 0);
        assert_string_equal(text_member(mistake, "severity"), "error");
        assert_true(number_member(mistake, "line") > 0);
        int64_t task = page_task(&b, &p, send_rules(&p, "perft", endless, ""));
        cJSON *done = page_done(&b, &p, task);
        assert_true(text_member(done, "error")[0] != '\0');
        cJSON_Delete(done);
    } else {
        fail_msg("%s", cJSON_PrintUnformatted(answer));
    }
    cJSON_Delete(answer);
    page_close(&p);
    bench_end(&b);
}

// --- format, perft, study ---

static void test_format(void **state) {
    Bench b;
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    cJSON *answer = page_answer(
        &b, &p, send_rules(&p, "format", "game   \"Test\"\n\n\n\nplayers White,Black   \n", ""));
    assert_string_equal(text_member(answer, "text"), "game \"Test\"\n\nplayers White, Black\n");
    cJSON_Delete(answer);
    answer = page_answer(&b, &p, send_rules(&p, "format", "game \"Te\n((", ""));
    assert_string_equal(text_member(answer, "code"), "illegal");
    assert_true(cJSON_GetArraySize(member(answer, "diagnostics")) > 0);
    cJSON_Delete(answer);
    page_close(&p);
    bench_end(&b);
}

static void test_perft(void **state) {
    Bench b;
    static const double known[] = {9, 72, 504, 3024};
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    const char *texts[] = {"\"do\":\"perft\",\"game\":\"tic-tac-toe\",\"depth\":4", NULL};
    int64_t ids[2] = {page_send(&p, "%s", texts[0]), 0};
    ids[1] = send_rules(&p, "perft", library_text("tic-tac-toe"), ",\"depth\":4");
    for (int i = 0; i < 2; i++) {
        cJSON *done = page_done(&b, &p, page_task(&b, &p, ids[i]));
        const cJSON *count;
        int n = 0;
        cJSON_ArrayForEach(count, member(done, "counts")) {
            assert_int_equal((int)number_member(count, "depth"), n + 1);
            assert_true(number_member(count, "nodes") == known[n++]);
        }
        assert_int_equal(n, 4);
        assert_true(cJSON_IsFalse(member(done, "stopped")));
        cJSON_Delete(done);
    }
    // One that would take days is stopped.
    int64_t task =
        page_task(&b, &p, page_send(&p, "\"do\":\"perft\",\"game\":\"hex\",\"depth\":30"));
    cJSON_Delete(page_wait(&b, &p, fits_news, &task));
    cJSON_Delete(
        page_answer(&b, &p, page_send(&p, "\"do\":\"stop\",\"task\":%lld", (long long)task)));
    cJSON *done = page_done(&b, &p, task);
    assert_true(cJSON_IsTrue(member(done, "stopped")));
    assert_true(number_member(cJSON_GetArrayItem(member(done, "counts"), 0), "nodes") == 121);
    cJSON_Delete(done);
    page_refused(&b, &p, "gone", "\"do\":\"perft\",\"game\":\"no-such-game\"");
    page_refused(&b, &p, "bad", "\"do\":\"perft\",\"game\":\"nim\",\"depth\":99");
    page_close(&p);
    bench_end(&b);
}

static void test_study(void **state) {
    Bench b;
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    int64_t task =
        page_task(&b, &p, page_send(&p, "\"do\":\"study\",\"game\":\"nim\",\"games\":12"));
    cJSON *done = page_done(&b, &p, task);
    if (member(done, "error"))
        fail_msg("%s", text_member(done, "error"));
    assert_true(cJSON_IsObject(member(done, "study")));
    assert_true(number_member(done, "games") == number_member(done, "of"));
    assert_true(cJSON_GetArraySize(member(done, "sentences")) >= 4);
    assert_non_null(strstr(text_member(done, "html"), "<!DOCTYPE html>"));
    cJSON_Delete(done);
    done =
        page_done(&b, &p, page_task(&b, &p, page_send(&p, "\"do\":\"study\",\"game\":\"frogs\"")));
    assert_non_null(strstr(text_member(done, "error"), "puzzle"));
    cJSON_Delete(done);
    page_close(&p);
    bench_end(&b);
}

// --- save ---

static int files_in(const char *folder) {
    DIR *dir = opendir(folder);
    int n = 0;
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir));)
        n += e->d_name[0] != '.' || (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0);
    closedir(dir);
    return n;
}

static void test_save(void **state) {
    Bench b;
    char folder[100], path[200], secret[200];
    Text why = {0};
    (void)state;
    bench_begin(&b);
    Page p = page_open(&b);
    page_refused(&b, &p, "denied", "\"do\":\"save\",\"name\":\"x\",\"text\":\"y\"");
    page_close(&p);
    hub_free(b.hub);
    snprintf(folder, sizeof folder, "%s/rules", b.folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    b.options.save = folder;
    bench_start(&b);
    p = page_open(&b);
    static const char *const wrong[] = {"",    "..",    "../x", "/etc/x", "a/b",     ".game",
                                        "a b", "x.txt", "-x",   "čaj",    ".hidden", "x.game.game"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        page_refused(&b, &p, "bad", "\"do\":\"save\",\"name\":\"%s\",\"text\":\"y\"", wrong[i]);
    assert_int_equal(files_in(folder), 0);
    cJSON *answer = page_answer(
        &b, &p, page_send(&p, "\"do\":\"save\",\"name\":\"my-game\",\"text\":\"game\\n\""));
    snprintf(path, sizeof path, "%s/my-game.game", folder);
    assert_string_equal(text_member(answer, "path"), path);
    cJSON_Delete(answer);
    char *content = file_read(path, 1000, NULL, &why);
    assert_string_equal(content, "game\n");
    mem_free(content);
    // A link that leads elsewhere is replaced, what it led to stays.
    snprintf(secret, sizeof secret, "%s/secret", b.folder);
    assert_true(file_write_atomic(secret, "old", 3, &why));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink(secret, path), 0);
    answer = page_answer(
        &b, &p, page_send(&p, "\"do\":\"save\",\"name\":\"my-game.game\",\"text\":\"new\""));
    assert_null(member(answer, "error"));
    cJSON_Delete(answer);
    content = file_read(secret, 1000, NULL, &why);
    assert_string_equal(content, "old");
    mem_free(content);
    content = file_read(path, 1000, NULL, &why);
    assert_string_equal(content, "new");
    mem_free(content);
    // A folder in its place is left alone.
    snprintf(path, sizeof path, "%s/folder.game", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    page_refused(&b, &p, "failed", "\"do\":\"save\",\"name\":\"folder\",\"text\":\"y\"");
    assert_int_equal(files_in(folder), 2); // nothing lies about
    text_free(&why);
    page_close(&p);
    bench_end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compile), cmocka_unit_test(test_places),
        cmocka_unit_test(test_hostile), cmocka_unit_test(test_endless_turns_end),
        cmocka_unit_test(test_format),  cmocka_unit_test(test_perft),
        cmocka_unit_test(test_study),   cmocka_unit_test(test_save),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
