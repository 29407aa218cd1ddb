// Tests of src/server/web.c, pages.c and origin.c: files of the page, and who may ask for them.
#include "game/describe.h"
#include "game/library.h"
#include "server/origin.h"
#include "server/web.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void hosts_of_this_machine(void **state) {
    (void)state;
    static const struct {
        const char *host;
        bool local, ours; // ours: if all are served
    } cases[] = {
        {"localhost", true, true},
        {"LOCALHOST:8080", true, true},
        {"127.0.0.1:1", true, true},
        {"127.8.7.6", true, true},
        {"[::1]:8080", true, true},
        {"[::1]", true, true},
        {"192.168.1.7:8080", false, true},
        {"[fe80::1]:8080", false, true},
        {"tower:8080", false, true},
        {"Tower.local", false, true},
        {"tower.evil.com", false, false},
        {"towers", false, false},
        {"evil.com", false, false},
        {"evil.com:8080", false, false},
        {"127.0.0.1.evil.com", false, false},
        {"localhost.evil.com", false, false},
        {"localhost:80x", false, false},
        {"localhost:80:90", false, false},
        {"127.1", false, false},
        {"[::1", false, false},
        {"[::1]x", false, false},
        {"[localhost]", false, false},
        {"", false, false},
        {":80", false, false},
        {"user@localhost", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (origin_host_is_ours(cases[i].host, true, "tower") != cases[i].local ||
            origin_host_is_ours(cases[i].host, false, "tower") != cases[i].ours)
            fail_msg("`%s`", cases[i].host);
    }
    assert_false(origin_host_is_ours(NULL, false, "tower"));
    assert_false(origin_host_is_ours("x", false, ""));
    char longest[400];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    assert_false(origin_host_is_ours(longest, false, longest));
}

static void origins_are_hosts(void **state) {
    (void)state;
    assert_true(origin_is_host("http://localhost:8080", "localhost:8080"));
    assert_true(origin_is_host("https://tower", "tower"));
    assert_true(origin_is_host("http://LOCALHOST:8080", "localhost:8080"));
    assert_true(origin_is_host(NULL, "localhost:8080"));
    assert_true(origin_is_host("", "localhost:8080"));
    assert_false(origin_is_host("http://localhost:8081", "localhost:8080"));
    assert_false(origin_is_host("http://evil.com", "localhost:8080"));
    assert_false(origin_is_host("null", "localhost:8080"));
    assert_false(origin_is_host("file://", "localhost:8080"));
    assert_false(origin_is_host("http://localhost:8080.evil.com", "localhost:8080"));
    assert_false(origin_is_host("http:", ""));
    assert_false(origin_is_host("http://localhost", NULL));
}

static int status_of(const char *folder, const char *path) {
    Answer a = {0};
    web_answer(folder, path, true, &a);
    int status = a.status;
    assert_true(status != 200 || a.type);
    answer_free(&a);
    return status;
}

static void the_page_is_inside(void **state) {
    (void)state;
    Answer plain = {0}, packed = {0};
    size_t size, small;
    web_answer(NULL, "/", false, &plain);
    web_answer(NULL, "/index.html", true, &packed);
    assert_int_equal(plain.status, 200);
    assert_int_equal(packed.status, 200);
    assert_string_equal(plain.type, "text/html; charset=utf-8");
    assert_memory_equal(answer_data(&plain, &size), "<!doctype html>", 15);
    assert_memory_equal(answer_data(&packed, &small), "\x1F\x8B", 2);
    assert_true(packed.packed && !plain.packed && small < size);
    assert_string_not_equal(plain.tag, packed.tag);
    answer_free(&plain);
    answer_free(&packed);
    assert_int_equal(status_of(NULL, "/main.js"), 200);
    assert_int_equal(status_of(NULL, "/none.js"), 404);
    assert_int_equal(status_of(NULL, ""), 404);
}

static void write_file(const char *folder, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("x", f);
    fclose(f);
}

static void no_path_leaves_the_folder(void **state) {
    (void)state;
    char top[] = "/tmp/ludens-web-XXXXXX", folder[64], command[256], link[128];
    assert_non_null(mkdtemp(top));
    snprintf(folder, sizeof folder, "%s/web", top);
    snprintf(command, sizeof command, "mkdir -p '%s/sub' '%s/d.js'", folder, folder);
    assert_int_equal(system(command), 0);
    write_file(top, "secret.js");
    write_file(folder, "a.js");
    write_file(folder, "sub/b.css");
    write_file(folder, ".hidden.js");
    write_file(folder, "key.pem");
    snprintf(link, sizeof link, "%s/link.js", folder);
    assert_int_equal(symlink("../secret.js", link), 0);
    snprintf(link, sizeof link, "%s/up", folder);
    assert_int_equal(symlink("..", link), 0);
    snprintf(link, sizeof link, "%s/pipe.js", folder);
    assert_int_equal(mkfifo(link, 0600), 0); // reading it would wait for ever

    assert_int_equal(status_of(folder, "/a.js"), 200);
    assert_int_equal(status_of(folder, "/sub/b.css"), 200);
    static const char *const out[] = {
        "/../secret.js",
        "/sub/../../secret.js",
        "//secret.js",
        "/..",
        "/./a.js",
        "/sub//b.css",
        "/.hidden.js",
        "/key.pem",
        "/link.js",
        "/up/secret.js",
        "/d.js",
        "/sub",
        "/sub/",
        "/pipe.js",
        "/",
        "/a.js/",
        "/a.js/x.js",
        "/a.js%00",
        "/..\\secret.js",
        "/tmp/a.js",
        "",
        "a b.js",
        "/\xC3\xA4.js",
    };
    for (size_t i = 0; i < sizeof out / sizeof out[0]; i++)
        if (status_of(folder, out[i]) != 404)
            fail_msg("%s is given out", out[i]);
    snprintf(command, sizeof command, "rm -rf '%s'", top);
    assert_int_equal(system(command), 0);
}

static void types_are_known(void **state) {
    (void)state;
    assert_string_equal(web_type("a.mjs"), "text/javascript; charset=utf-8");
    assert_string_equal(web_type("x/icon.svg"), "image/svg+xml");
    assert_null(web_type("a.c"));
    assert_null(web_type("js"));
    for (const WebFile *f = web_files; f->name; f++)
        if (!web_type(f->name))
            fail_msg("%s has no type", f->name);
}

// What was worked out when the program was built is what would be worked out now.
static void the_library_is_described(void **state) {
    (void)state;
    Text cards = {0}, library = {0};
    for (int i = 0; i < library_count; i++) {
        Diags diags = {0};
        Game *g = game_load(library_games[i].name, NULL, 0, &diags);
        assert_non_null(g);
        Text page = {0};
        char name[64];
        describe_game(g, &page);
        text_add(&cards, i ? ",\n" : "");
        describe_card(g, library_games[i].length, &cards);
        snprintf(name, sizeof name, "game/%s.json", library_games[i].name);
        Answer a = {0};
        assert_true(web_inside(name, false, &a));
        assert_int_equal(a.size, page.n);
        assert_memory_equal(a.data, page.s, page.n);
        text_free(&page);
        game_free(g);
        diag_free(&diags);
    }
    Answer a = {0};
    text_f(&library, "{\"games\":[%s],\"version\":", text_c(&cards));
    assert_true(web_inside("library.json", false, &a));
    assert_memory_equal(a.data, library.s, library.n);
    assert_false(web_inside("game/none.json", false, &a));
    text_free(&cards);
    text_free(&library);
}

static int page_status(Hub *hub, const char *path, const char *const *query, int count) {
    Answer a;
    pages_answer(
        hub, &(Request){.path = path, .query = query, .query_count = count, .address = "x"}, &a);
    size_t size;
    const char *data = answer_data(&a, &size);
    if (a.status != 200 && strncmp(data, "{\"error\":\"", 10) != 0)
        fail_msg("%s: %s", path, data);
    int status = a.status;
    answer_free(&a);
    return status;
}

static void pages_say_what_is_wrong(void **state) {
    (void)state;
    char top[] = "/tmp/ludens-web-XXXXXX", store[64], command[128];
    assert_non_null(mkdtemp(top));
    snprintf(store, sizeof store, "%s/rooms.db", top);
    ServerOptions options = {.store = store, .threads = 1};
    Text why = {0};
    Hub *hub = hub_new(&options, &why);
    assert_non_null(hub);
    const char *none[] = {"game=no-such-game"};
    const char *mill[] = {"game=mill", "men=6"};
    const char *wrong[] = {"game=mill", "men=seven"};
    const char *twice[] = {"game=mill", "game=6"}; // the second one is a parameter
    const char *file[] = {"game=/etc/passwd"};
    const char *picture[] = {"game=mill", "file=../../etc/passwd"};
    const char *image[] = {"game=mill", "file=../secret.png"};
    assert_int_equal(page_status(hub, "/", NULL, 0), 200);
    assert_int_equal(page_status(hub, "/library.json", NULL, 0), 200);
    assert_int_equal(page_status(hub, "/game.json", mill, 2), 200);
    assert_int_equal(page_status(hub, "/game.json", NULL, 0), 400);
    assert_int_equal(page_status(hub, "/rules", mill, 1), 200);
    assert_int_equal(page_status(hub, "/rules", NULL, 0), 400);
    assert_int_equal(page_status(hub, "/rules", none, 1), 404);
    assert_int_equal(page_status(hub, "/rules", file, 1), 404);
    assert_int_equal(page_status(hub, "/game.json", none, 1), 404);
    assert_int_equal(page_status(hub, "/game.json", file, 1), 404);
    assert_int_equal(page_status(hub, "/game.json", wrong, 2), 404);
    assert_int_equal(page_status(hub, "/game.json", twice, 2), 404);
    assert_int_equal(page_status(hub, "/picture", mill, 2), 400);
    assert_int_equal(page_status(hub, "/picture", picture, 2), 404);
    assert_int_equal(page_status(hub, "/picture", image, 2), 404);
    assert_int_equal(page_status(hub, "/record/", NULL, 0), 404);
    assert_int_equal(page_status(hub, "/record/nowhere1", NULL, 0), 404);
    assert_int_equal(page_status(hub, "/contest.json", NULL, 0), 400);
    assert_int_equal(page_status(hub, "/nothing", NULL, 0), 404);
    // Files may be asked for without end, work may not.
    int busy = 0;
    for (int i = 0; i < 20 * HUB_RATE * 4 && !busy; i++)
        busy = page_status(hub, "/game.json", mill, 2) == 503;
    assert_true(busy);
    assert_int_equal(page_status(hub, "/main.js", NULL, 0), 200);
    hub_free(hub);
    text_free(&why);
    snprintf(command, sizeof command, "rm -rf '%s'", top);
    assert_int_equal(system(command), 0);
}

// The server's own files come after the games of the library, and before them by name.
static void own_games_are_listed(void **state) {
    (void)state;
    char top[] = "/tmp/ludens-web-XXXXXX", store[64], own[64], command[192];
    assert_non_null(mkdtemp(top));
    snprintf(store, sizeof store, "%s/rooms.db", top);
    snprintf(own, sizeof own, "%s/mill.game", top);
    snprintf(command, sizeof command, "cp games/tic-tac-toe.game '%s'", own);
    assert_int_equal(system(command), 0);
    const char *files[] = {own, "hex"}, *mill[] = {"game=mill"}, *hex[] = {"game=hex"};
    ServerOptions options = {.store = store, .threads = 1, .games = files, .game_count = 2};
    Text why = {0};
    Hub *hub = hub_new(&options, &why);
    assert_non_null(hub);
    Answer a;
    Request request = {.path = "/library.json", .address = "x"};
    pages_answer(hub, &request, &a);
    const char *list = text_c(&a.text);
    assert_memory_equal(list, "{\"games\":[{", 11);
    const char *last = strstr(list, "},\n{\"game\":\"mill\",\"title\":\"Tic");
    assert_non_null(last);
    assert_null(strstr(last + 5, "\"game\":"));
    assert_string_equal(list + a.text.n - 2, "\"}");
    answer_free(&a);
    request = (Request){.path = "/game.json", .query = mill, .query_count = 1, .address = "x"};
    pages_answer(hub, &request, &a);
    assert_non_null(strstr(text_c(&a.text), "\"title\":\"Tic"));
    answer_free(&a);
    request.query = hex;
    pages_answer(hub, &request, &a);
    assert_int_equal(a.status, 200);
    answer_free(&a);
    hub_free(hub);
    text_free(&why);
    snprintf(command, sizeof command, "rm -rf '%s'", top);
    assert_int_equal(system(command), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_of_this_machine),    cmocka_unit_test(origins_are_hosts),
        cmocka_unit_test(the_page_is_inside),       cmocka_unit_test(no_path_leaves_the_folder),
        cmocka_unit_test(types_are_known),          cmocka_unit_test(pages_say_what_is_wrong),
        cmocka_unit_test(the_library_is_described), cmocka_unit_test(own_games_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
