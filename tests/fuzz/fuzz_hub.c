// Messages of pages to the hub: a line is a message, one that begins with a blank comes from a
// second page. ROOM and KEY in it stand for the last room that was opened, SEQ for its number.
// No message gets more than one answer (some get theirs later), and everything that is sent is
// JSON.
#include "base/now.h"
#include "server/hub.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 256 // inputs until a new hub is made: rooms would become too many

typedef struct Place {
    char folder[64], store[96];
    ServerOptions options;
    Hub *hub;
    int rounds;
    Client *pages[2];
    int unanswered[2]; // messages of each page
    char room[32], key[32];
    int64_t seq;
} Place;

static Place place; // the fuzzer's, not the program's

static void fault(const char *what, const char *message) {
    fprintf(stderr, "%s: %s\n", what, message);
    abort();
}

static void close_hub(void) {
    hub_free(place.hub);
    place.hub = NULL;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", place.folder);
    if (place.folder[0] && system(command) != 0)
        fault("cannot remove", place.folder);
}

static void open_hub(void) {
    if (place.hub && place.rounds++ < ROUNDS)
        return;
    if (place.hub)
        close_hub();
    else
        atexit(close_hub);
    place = (Place){.folder = "/tmp/ludens-fuzz-hub-XXXXXX"};
    if (!mkdtemp(place.folder))
        fault("no folder", place.folder);
    snprintf(place.store, sizeof place.store, "%s/rooms.db", place.folder);
    place.options = (ServerOptions){.store = place.store, .threads = 1};
    Text why = {0};
    place.hub = hub_new(&place.options, &why);
    if (!place.hub)
        fault("no hub", text_c(&why));
    text_free(&why);
}

static void keep(char *out, size_t size, const cJSON *item) {
    if (cJSON_IsString(item))
        snprintf(out, size, "%s", item->valuestring);
}

static void look_at(const cJSON *message) {
    keep(place.room, sizeof place.room, cJSON_GetObjectItemCaseSensitive(message, "room"));
    const cJSON *keys = cJSON_GetObjectItemCaseSensitive(message, "keys");
    keep(place.key, sizeof place.key, keys ? keys->child : NULL);
    const cJSON *seq = cJSON_GetObjectItemCaseSensitive(message, "seq");
    if (cJSON_IsNumber(seq))
        place.seq = (int64_t)seq->valuedouble;
}

// Takes everything that is sent to a page; the number of answers among it.
static int drain(Client *c) {
    int answers = 0;
    size_t size;
    for (const char *message; (message = client_next(c, &size)); client_sent(c)) {
        cJSON *json = cJSON_ParseWithLength(message, size);
        if (!json)
            fault("not JSON", message);
        answers += cJSON_HasObjectItem(json, "re");
        look_at(json);
        cJSON_Delete(json);
    }
    return answers;
}

static void add_line(Text *out, const char *line, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (n - i >= 4 && memcmp(line + i, "ROOM", 4) == 0)
            text_add(out, place.room), i += 3;
        else if (n - i >= 3 && memcmp(line + i, "KEY", 3) == 0)
            text_add(out, place.key), i += 2;
        else if (n - i >= 3 && memcmp(line + i, "SEQ", 3) == 0)
            text_f(out, "%" PRId64, place.seq), i += 2;
        else
            text_char(out, line[i]);
    }
}

static void say(const char *line, size_t n) {
    int page = n > 0 && line[0] == ' ';
    Client *c = place.pages[page];
    Text message = {0};
    add_line(&message, line, n);
    client_receive(c, text_c(&message), message.n);
    hub_tick(place.hub, now_seconds());
    place.unanswered[page]++;
    for (int i = 0; i < 2; i++) {
        place.unanswered[i] -= drain(place.pages[i]);
        if (place.unanswered[i] < 0)
            fault("more than one answer", text_c(&message));
    }
    text_free(&message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    open_hub();
    for (int i = 0; i < 2; i++) {
        place.pages[i] = client_new(place.hub, "127.0.0.1", NULL, NULL);
        place.unanswered[i] = 0;
    }
    const char *at = (const char *)data, *end = at + size;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t n = (size_t)((stop ? stop : end) - at);
        say(at, n);
        at += n + 1;
    }
    for (int i = 0; i < 2; i++)
        client_free(place.pages[i]);
    return 0;
}
