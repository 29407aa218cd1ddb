// A hub with pages that have no socket, for the tests of the server.
#ifndef LUDENS_SERVER_FIXTURE_H
#define LUDENS_SERVER_FIXTURE_H

#include "base/mem.h"
#include "base/now.h"
#include "server/hub.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define WAIT_SECONDS 120.0 // sanitizers and busy machines are slow; nothing should take as long

typedef struct Page {
    Client *client;
    cJSON *inbox; // what came and was not asked for yet
    int64_t id;   // of the last message
} Page;

typedef struct Bench {
    char folder[64], store[96];
    ServerOptions options;
    Hub *hub;
} Bench;

static inline void bench_folder(Bench *b) {
    *b = (Bench){0};
    snprintf(b->folder, sizeof b->folder, "/tmp/ludens-test-XXXXXX");
    assert_non_null(mkdtemp(b->folder));
    snprintf(b->store, sizeof b->store, "%s/rooms.db", b->folder);
    b->options = (ServerOptions){.store = b->store, .threads = 1};
}

static inline void bench_start(Bench *b) {
    Text why = {0};
    b->hub = hub_new(&b->options, &why);
    if (!b->hub)
        fail_msg("%s", text_c(&why));
    text_free(&why);
}

static inline void bench_begin(Bench *b) {
    bench_folder(b);
    bench_start(b);
}

static inline void bench_end(Bench *b) {
    char command[128];
    hub_free(b->hub);
    snprintf(command, sizeof command, "rm -rf '%s'", b->folder);
    assert_int_equal(system(command), 0);
}

static inline Page page_from(Bench *b, const char *address) {
    Page p = {.client = client_new(b->hub, address, NULL, NULL), .inbox = cJSON_CreateArray()};
    assert_non_null(p.client);
    return p;
}

static inline Page page_open(Bench *b) {
    return page_from(b, "127.0.0.1");
}

static inline void page_close(Page *p) {
    client_free(p->client);
    cJSON_Delete(p->inbox);
    *p = (Page){0};
}

// Lets the hub do what is due, and takes in what came.
static inline void page_look(Bench *b, Page *p) {
    hub_tick(b->hub, now_seconds());
    size_t size;
    for (char *message; (message = client_next(p->client, &size));) {
        cJSON *json = cJSON_ParseWithLength(message, size);
        if (!json)
            fail_msg("not JSON: %.*s", (int)(size < 300 ? size : 300), message);
        cJSON_AddItemToArray(p->inbox, json);
        client_sent(p->client);
    }
}

// Sends a message; `members` as in "\"do\":\"hint\",\"room\":\"x\"". Its id.
static inline int64_t page_send(Page *p, const char *format, ...) {
    Text text = {0};
    va_list args;
    text_f(&text, "{\"id\":%lld,", (long long)++p->id);
    va_start(args, format);
    text_vf(&text, format, args);
    va_end(args);
    text_char(&text, '}');
    client_receive(p->client, text_c(&text), text.n);
    text_free(&text);
    return p->id;
}

static inline bool has_number(const cJSON *json, const char *name, int64_t number) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);
    return cJSON_IsNumber(item) && (int64_t)item->valuedouble == number;
}

static inline const cJSON *member(const cJSON *json, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(json, name);
}

static inline const char *text_member(const cJSON *json, const char *name) {
    const cJSON *item = member(json, name);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static inline double number_member(const cJSON *json, const char *name) {
    const cJSON *item = member(json, name);
    if (!cJSON_IsNumber(item))
        fail_msg("`%s` is no number in %s", name, cJSON_PrintUnformatted(json));
    return item->valuedouble;
}

// Waits for a message that `fits`; the caller frees it.
typedef bool Fits(const cJSON *message, const void *with);
static inline cJSON *page_wait(Bench *b, Page *p, Fits *fits, const void *with) {
    for (double until = now_seconds() + WAIT_SECONDS; now_seconds() < until; usleep(500)) {
        page_look(b, p);
        int n = 0;
        const cJSON *i;
        cJSON_ArrayForEach(i, p->inbox) {
            if (fits(i, with))
                return cJSON_DetachItemFromArray(p->inbox, n);
            n++;
        }
    }
    fail_msg("nothing came");
    return NULL;
}

static inline bool fits_answer(const cJSON *m, const void *with) {
    return has_number(m, "re", *(const int64_t *)with);
}

static inline bool fits_done(const cJSON *m, const void *with) {
    return has_number(m, "task", *(const int64_t *)with) && cJSON_IsTrue(member(m, "done"));
}

static inline bool fits_news(const cJSON *m, const void *with) {
    return has_number(m, "task", *(const int64_t *)with) && cJSON_IsFalse(member(m, "done"));
}

static inline bool fits_push(const cJSON *m, const void *with) {
    return strcmp(text_member(m, "on"), with) == 0;
}

static inline cJSON *page_answer(Bench *b, Page *p, int64_t id) {
    return page_wait(b, p, fits_answer, &id);
}

// Sends, and the answer is an error with this code.
#define page_refused(b, p, code, ...)                                                              \
    do {                                                                                           \
        int64_t id_ = page_send(p, __VA_ARGS__);                                                   \
        cJSON *answer_ = page_answer(b, p, id_);                                                   \
        assert_string_equal(text_member(answer_, "code"), code);                                   \
        assert_true(text_member(answer_, "error")[0] != '\0');                                     \
        cJSON_Delete(answer_);                                                                     \
    } while (0)

// The number of the task that a message began.
static inline int64_t page_task(Bench *b, Page *p, int64_t id) {
    cJSON *answer = page_answer(b, p, id);
    if (!member(answer, "task"))
        fail_msg("no task: %s", cJSON_PrintUnformatted(answer));
    int64_t task = (int64_t)number_member(answer, "task");
    cJSON_Delete(answer);
    return task;
}

static inline cJSON *page_done(Bench *b, Page *p, int64_t task) {
    return page_wait(b, p, fits_done, &task);
}

#endif
