// Tests of src/server/hub.c, client.c and incoming.c: messages without sockets.
#include "base/mem.h"
#include "base/now.h"
#include "server/hub.h"
#include "server/parts.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Bench {
    char folder[64], store[96];
    ServerOptions options;
    Hub *hub;
    Client *client;
    int woken;
} Bench;

static void count_wake(void *with) {
    ((Bench *)with)->woken++;
}

static int set_up(void **state) {
    Bench *b = calloc(1, sizeof *b);
    snprintf(b->folder, sizeof b->folder, "/tmp/ludens-hub-XXXXXX");
    if (!mkdtemp(b->folder))
        return -1;
    snprintf(b->store, sizeof b->store, "%s/rooms.db", b->folder);
    b->options = (ServerOptions){.store = b->store, .threads = 1};
    Text why = {0};
    b->hub = hub_new(&b->options, &why);
    if (!b->hub)
        print_error("%s\n", text_c(&why));
    text_free(&why);
    b->client = b->hub ? client_new(b->hub, "127.0.0.1", count_wake, b) : NULL;
    *state = b;
    return b->client ? 0 : -1;
}

static int tear_down(void **state) {
    Bench *b = *state;
    hub_free(b->hub); // and its client
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", b->folder);
    int status = system(command);
    free(b);
    return status;
}

// --- helpers ---

// The next message as JSON, or NULL. cJSON_Delete frees it.
static cJSON *next(Client *c) {
    size_t size;
    const char *message = client_next(c, &size);
    if (!message)
        return NULL;
    cJSON *json = cJSON_ParseWithLength(message, size);
    assert_non_null(json);
    client_sent(c);
    return json;
}

static void say(Bench *b, const char *message) {
    client_receive(b->client, message, strlen(message));
    hub_tick(b->hub, now_seconds());
}

static void expect(Bench *b, const char *message, int64_t id, const char *code) {
    say(b, message);
    cJSON *answer = next(b->client);
    if (!answer)
        fail_msg("no answer to %.60s", message);
    const cJSON *re = cJSON_GetObjectItemCaseSensitive(answer, "re");
    const cJSON *its = cJSON_GetObjectItemCaseSensitive(answer, "code");
    if (id < 0)
        assert_true(cJSON_IsNull(re));
    else
        assert_true(re->valuedouble == (double)id);
    if (!cJSON_IsString(its))
        fail_msg("%.60s is answered without a code", message);
    assert_string_equal(its->valuestring, code);
    assert_non_null(cJSON_GetObjectItemCaseSensitive(answer, "error"));
    cJSON_Delete(answer);
    size_t size;
    assert_null(client_next(b->client, &size)); // exactly one
}

// `count` times `piece` between the two others.
static char *repeated(const char *before, const char *piece, size_t count, const char *after) {
    size_t n = strlen(piece);
    char *text = malloc(strlen(before) + n * count + strlen(after) + 1);
    strcpy(text, before);
    char *at = text + strlen(before);
    for (size_t i = 0; i < count; i++, at += n)
        memcpy(at, piece, n);
    strcpy(at, after);
    return text;
}

// --- messages ---

static void wrong_messages_are_answered(void **state) {
    static const struct {
        const char *message;
        int64_t id;
    } cases[] = {
        {"", -1},
        {"x", -1},
        {"{", -1},
        {"{\"id\":1", -1},
        {"{\"id\":1,\"do\":\"hello\"} x", 1},
        {"[]", -1},
        {"7", -1},
        {"null", -1},
        {"\"hello\"", -1},
        {"{}", -1},
        {"{\"do\":\"hello\"}", -1},
        {"{\"id\":\"1\",\"do\":\"hello\"}", -1},
        {"{\"id\":-1,\"do\":\"hello\"}", -1},
        {"{\"id\":1.5,\"do\":\"hello\"}", -1},
        {"{\"id\":1e300,\"do\":\"hello\"}", -1},
        {"{\"id\":1e999,\"do\":\"hello\"}", -1},
        {"{\"id\":3}", 3},
        {"{\"id\":3,\"do\":5}", 3},
        {"{\"id\":3,\"do\":\"\"}", 3},
        {"{\"id\":3,\"do\":\"Hello\"}", 3},
        {"{\"id\":3,\"DO\":\"hello\"}", 3},
        {"{\"id\":9007199254740992,\"do\":\"no such thing\"}", 9007199254740992},
        {"{\"id\":4,\"do\":\"options\"}", 4},
        {"{\"id\":4,\"do\":\"options\",\"room\":7}", 4},
        {"{\"id\":5,\"do\":\"\\u0000hello\"}", 5},
        {"{\"do\":\"\\u0000hello\",\"id\": 5 }", 5},
        {"{\"a\":{\"id\":6},\"b\":\"id\",\"c\":\"\\u0000\",\"id\":5}", 5},
        {"{\"a\":\"\\\"id\\\":6,\",\"c\":\"\\u0000\"}", -1},
        {"{\"id\":\"5\",\"c\":\"\\u0000\"}", -1},
        {"{\"id\":5.5,\"c\":\"\\u0000\"}", -1},
        {"{\"id\":9007199254740993,\"c\":\"\\u0000\"}", -1},
        {"[{\"id\":5,\"c\":\"\\u0000\"}]", -1},
        {"{\"id\":5,\"do\":\"a\nb\"}", 5},
        {"{\"id\":5,\"do\":\"\xFF\"}", 5},
        {"{\"id\":5,\"do\":\"\\ud800\"}", 5},
        {"{\"id\":5,\"do\":\"\\", 5},
        {"\xEF\xBB\xBF[]", -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        expect(*state, cases[i].message, cases[i].id, "bad");
    Bench *b = *state;
    client_receive(b->client, "{}\0{}", 5);
    hub_tick(b->hub, now_seconds());
    cJSON *answer = next(b->client);
    assert_non_null(answer);
    assert_non_null(
        strstr(cJSON_GetObjectItemCaseSensitive(answer, "error")->valuestring, "UTF-8"));
    cJSON_Delete(answer);
}

// Texts that JSON can write and C or UTF-8 cannot hold.
static void odd_characters_are_refused(void **state) {
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"a\\u0000b", "a zero"},
        {"\\ud800", "half a character"},
        {"\\uDC00", "half a character"},
        {"\\ud83d\\ud83d", "half a character"},
        {"\\ud83d\\u0041", "half a character"},
        {"\\ude00\\ud83d", "half a character"},
        {"\\ud83d\\ude00", "nothing is known about"},
        {"\\\\u0000", "nothing is known about"},
        {"\\\\ud800", "nothing is known about"},
        {"\\u12", "not JSON"},
    };
    Bench *b = *state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[100];
        snprintf(message, sizeof message, "{\"id\":%zu,\"do\":\"%s\"}", i, cases[i].text);
        say(b, message);
        cJSON *answer = next(b->client);
        assert_true(cJSON_GetObjectItemCaseSensitive(answer, "re")->valuedouble == (double)i);
        const char *error = cJSON_GetObjectItemCaseSensitive(answer, "error")->valuestring;
        if (!strstr(error, cases[i].error))
            fail_msg("%s: %s", cases[i].text, error);
        cJSON_Delete(answer);
    }
}

static void unknown_rooms_are_gone(void **state) {
    expect(*state, "{\"id\":8,\"do\":\"options\",\"room\":\"nowhere1\",\"seq\":0,\"values\":[]}", 8,
           "gone");
    expect(*state, "{\"id\":9,\"do\":\"move\",\"room\":\"../../etc\",\"seq\":0,\"text\":\"a1\"}", 9,
           "gone");
}

static void depth_and_number_are_limited(void **state) {
    char *deep = repeated("{\"id\":1,\"do\":\"x\",\"a\":", "[", 7, "]]]]]]]}");
    char *deeper = repeated("{\"id\":1,\"do\":\"x\",\"a\":", "[", 8, "]]]]]]]]}");
    char *many = repeated("{\"id\":1,\"do\":\"x\",\"a\":[1", ",1", 19990, "]}");
    char *more = repeated("{\"id\":1,\"do\":\"x\",\"a\":[1", ",1", 20000, "]}");
    char *quoted = repeated("{\"id\":1,\"do\":\"x\",\"a\":\"", "[\\\"{,", 9000, "\"}");
    expect(*state, deep, 1, "bad"); // read, but nothing is known about x
    expect(*state, deeper, 1, "bad");
    expect(*state, many, 1, "bad");
    expect(*state, more, 1, "bad");
    expect(*state, quoted, 1, "bad");
    free(deep), free(deeper), free(many), free(more), free(quoted);
}

static void size_is_limited(void **state) {
    Bench *b = *state;
    size_t frame = strlen("{\"id\":1,\"do\":\"\"}");
    char *largest = repeated("{\"id\":1,\"do\":\"", "x", HUB_MESSAGE - frame, "\"}");
    char *larger = repeated("{\"id\":1,\"do\":\"", "x", HUB_MESSAGE - frame + 1, "\"}");
    expect(b, largest, 1, "bad");
    assert_false(client_failed(b->client));
    say(b, larger);
    assert_true(client_failed(b->client));
    assert_null(next(b->client));
    free(largest), free(larger);
}

static void answers_wait_for_the_disk(void **state) {
    Bench *b = *state;
    size_t size;
    client_receive(b->client, "{\"id\":1,\"do\":\"x\"}", 17);
    assert_null(client_next(b->client, &size));
    assert_int_equal(b->woken, 0);
    hub_tick(b->hub, now_seconds());
    assert_int_equal(b->woken, 1);
    char *message = client_next(b->client, &size);
    assert_non_null(message);
    memset(message - HUB_HEADROOM, 7, HUB_HEADROOM); // what a socket does
    client_receive(b->client, "{\"id\":2,\"do\":\"x\"}", 17);
    client_sent(b->client);
    assert_null(client_next(b->client, &size)); // the second is of the next round
    hub_tick(b->hub, now_seconds());
    assert_non_null(client_next(b->client, &size));
}

static void slow_clients_are_dropped(void **state) {
    Bench *b = *state;
    char *members = repeated("\"text\":\"", "x", (size_t)1 << 20, "\"");
    Client *quick = client_new(b->hub, "127.0.0.2", NULL, NULL);
    for (int i = 0; i < 3; i++)
        client_push(b->client, "notice", members);
    hub_tick(b->hub, now_seconds());
    assert_false(client_failed(b->client));
    client_push(b->client, "notice", members);
    client_push(quick, "notice", members);
    assert_true(client_failed(b->client));
    b->woken = 0;
    hub_tick(b->hub, now_seconds());
    assert_int_equal(b->woken, 1); // to be closed
    assert_null(next(b->client));
    assert_false(client_failed(quick));
    cJSON *message = next(quick);
    assert_non_null(message);
    cJSON_Delete(message);
    client_free(quick);
    free(members);
}

static void floods_are_stopped(void **state) {
    Bench *b = *state;
    int taken = 0, busy = 0;
    for (int i = 0; i < 10 * HUB_RATE && !client_failed(b->client); i++) {
        say(b, "{\"id\":1,\"do\":\"x\"}");
        cJSON *answer = next(b->client);
        if (!answer)
            continue;
        const char *code = cJSON_GetObjectItemCaseSensitive(answer, "code")->valuestring;
        if (strcmp(code, "busy") == 0)
            busy++;
        else
            taken++;
        cJSON_Delete(answer);
    }
    assert_true(client_failed(b->client));
    assert_true(taken >= 3 * HUB_RATE && taken < 9 * HUB_RATE);
    assert_true(busy > 0);
}

// More connections are not more of the server's time; other addresses do not suffer.
static void addresses_share(void **state) {
    Bench *b = *state;
    int busy = 0;
    for (int i = 0; i < 10; i++) {
        Client *c = client_new(b->hub, "10.0.0.1", NULL, NULL);
        for (int j = 0; j < 3 * HUB_RATE; j++) {
            client_receive(c, "{\"id\":1,\"do\":\"x\"}", 17);
            hub_tick(b->hub, now_seconds());
            cJSON *answer = next(c);
            if (answer &&
                strstr(cJSON_GetObjectItemCaseSensitive(answer, "code")->valuestring, "busy"))
                busy++;
            cJSON_Delete(answer);
        }
        client_free(c);
    }
    assert_true(busy > 100);
    expect(b, "{\"id\":1,\"do\":\"x\"}", 1, "bad");
}

static void who_goes_is_forgotten(void **state) {
    Bench *b = *state;
    Client *others[5];
    for (int i = 0; i < 5; i++)
        others[i] = client_new(b->hub, "::1", NULL, NULL);
    assert_true(client_number(others[0]) != client_number(others[1]));
    for (int i = 0; i < 5; i++)
        client_push(others[i], "notice", "\"text\":\"x\"");
    client_free(others[2]); // in the middle of those who have news
    client_free(others[4]);
    hub_tick(b->hub, now_seconds());
    for (int i = 0; i < 4; i += i == 1 ? 2 : 1) {
        cJSON *message = next(others[i]);
        assert_non_null(message);
        cJSON_Delete(message);
    }
    client_push(others[0], "notice", "");
    // others[0], [1] and [3] are freed with the hub
}

// --- members ---

static void members_are_checked(void **state) {
    Bench *b = *state;
    Client *c = b->client;
    cJSON *in = cJSON_Parse("{\"t\":\"x\",\"n\":2.5,\"w\":7,\"i\":1e999,\"z\":null}");
    const char *text;
    double number;
    int64_t whole;
    assert_true(in_text(c, 1, in, "t", &text));
    assert_string_equal(text, "x");
    assert_true(in_number(c, 1, in, "n", 0, 2.5, &number));
    assert_true(number == 2.5);
    assert_true(in_whole(c, 1, in, "w", 7, 7, &whole));
    assert_true(whole == 7);
    hub_tick(b->hub, now_seconds());
    assert_null(next(c));
    bool wrong = in_text(c, 1, in, "n", &text) || in_text(c, 1, in, "none", &text) ||
                 in_text(c, 1, in, "z", &text) || in_number(c, 1, in, "n", 0, 2.4, &number) ||
                 in_number(c, 1, in, "t", 0, 9, &number) ||
                 in_number(c, 1, in, "i", 0, 1e308, &number) ||
                 in_number(c, 1, in, "none", 0, 9, &number) ||
                 in_whole(c, 1, in, "n", 0, 9, &whole) || in_whole(c, 1, in, "w", 8, 9, &whole);
    assert_false(wrong);
    hub_tick(b->hub, now_seconds());
    int answers = 0;
    for (cJSON *answer; (answer = next(c)); answers++)
        cJSON_Delete(answer);
    assert_int_equal(answers, 9);
    cJSON_Delete(in);
}

static void errors_are_json(void **state) {
    Bench *b = *state;
    client_error(b->client, 3, "gone", "\"room\":{}", "a \"quoted\" %s", "\x01\xFF");
    client_reply(b->client, 4, "");
    client_reply(b->client, HUB_NO_ID, "\"a\":1");
    hub_tick(b->hub, now_seconds());
    size_t size;
    const char *error = "{\"re\":3,\"error\":\"a \\\"quoted\\\" \\u0001\xEF\xBF\xBD\","
                        "\"code\":\"gone\",\"room\":{}}";
    const char *expected[] = {error, "{\"re\":4}", "{\"re\":null,\"a\":1}"};
    for (int i = 0; i < 3; i++) {
        const char *message = client_next(b->client, &size);
        assert_int_equal(size, strlen(expected[i]));
        assert_memory_equal(message, expected[i], size);
        client_sent(b->client);
    }
}

// --- other threads ---

enum { THREADS = 4, POSTS = 500 };
typedef struct Poster {
    Hub *hub;
    int next; // what the loop has to see next of this thread
    bool in_order;
} Poster;
typedef struct Note {
    Poster *from;
    int number;
} Note;

static void take_note(Hub *hub, void *with) {
    (void)hub;
    Note *note = with;
    if (note->from->next++ != note->number)
        note->from->in_order = false;
    free(note);
}

static void *post_all(void *with) {
    Poster *p = with;
    for (int i = 0; i < POSTS; i++) {
        Note *note = malloc(sizeof *note);
        *note = (Note){p, i};
        if (!hub_post(p->hub, take_note, note))
            free(note);
    }
    return NULL;
}

static void posts_arrive_in_order(void **state) {
    Bench *b = *state;
    Poster posters[THREADS];
    pthread_t threads[THREADS];
    hub_on_post(b->hub, count_wake, b); // counted under the hub's lock
    for (int i = 0; i < THREADS; i++) {
        posters[i] = (Poster){b->hub, 0, true};
        pthread_create(&threads[i], NULL, post_all, &posters[i]);
    }
    for (int i = 0; i < 100; i++)
        hub_tick(b->hub, now_seconds());
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    hub_tick(b->hub, now_seconds());
    hub_on_post(b->hub, NULL, NULL);
    assert_true(b->woken >= 1);
    for (int i = 0; i < THREADS; i++) {
        assert_true(posters[i].in_order);
        assert_int_equal(posters[i].next, POSTS);
    }
}

static void left_posts_run_at_the_end(void **state) {
    Bench *b = *state;
    static Poster poster;
    poster = (Poster){b->hub, 0, true};
    post_all(&poster); // freed by hub_free; the sanitizer counts them
}

// --- memory ---

static void memory_may_run_out(void **state) {
    Bench *b = *state;
    const char *message = "{\"id\":1,\"do\":\"no such thing\",\"a\":[1,2]}";
    for (long n = 1; n < 50; n++) {
        Client *c = client_new(b->hub, "x", NULL, NULL);
        mem_fail_at(n);
        client_receive(c, message, strlen(message));
        bool all = mem_fail_at(0) > 0;
        hub_tick(b->hub, now_seconds());
        cJSON *answer = next(c);
        assert_true(client_failed(c) || answer); // never neither
        cJSON_Delete(answer);
        client_free(c);
        if (all)
            return;
    }
    fail_msg("a message needs too much");
}

int main(void) {
#define HUB_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        HUB_TEST(wrong_messages_are_answered),
        HUB_TEST(odd_characters_are_refused),
        HUB_TEST(unknown_rooms_are_gone),
        HUB_TEST(depth_and_number_are_limited),
        HUB_TEST(size_is_limited),
        HUB_TEST(answers_wait_for_the_disk),
        HUB_TEST(slow_clients_are_dropped),
        HUB_TEST(floods_are_stopped),
        HUB_TEST(addresses_share),
        HUB_TEST(who_goes_is_forgotten),
        HUB_TEST(members_are_checked),
        HUB_TEST(errors_are_json),
        HUB_TEST(posts_arrive_in_order),
        HUB_TEST(left_posts_run_at_the_end),
        HUB_TEST(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
