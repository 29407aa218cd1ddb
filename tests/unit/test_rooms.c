// Tests of src/server/room*.c, games.c, edit.c: whole games by messages, without sockets.
#include "base/mem.h"
#include "base/now.h"
#include "game/library.h"
#include "game/movetext.h"
#include "game/statetext.h"
#include "server/pages.h"
#include "server/parts.h"
#include "server/room_inside.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <sqlite3.h>

#define PLIES 24 // of a random game, at most

// --- a hub with pages ---

typedef struct Page {
    Hub *hub;
    Client *client;
    char name[16];
    char room[16];
    char keys[8][32]; // that it joins with when it comes back
    int key_count;
    int asked;
    cJSON *pushed; // the last room that was told without being asked for
} Page;

typedef struct Bench {
    int addresses; // that pages came from
    char folder[64], store[96];
    ServerOptions options;
    Hub *hub;
    Page a, b, w; // two players and a watcher
} Bench;

static void start_hub(Bench *b) {
    Text why = {0};
    b->hub = hub_new(&b->options, &why);
    if (!b->hub)
        fail_msg("%s", text_c(&why));
    text_free(&why);
}

static int set_up(void **state) {
    Bench *b = calloc(1, sizeof *b);
    snprintf(b->folder, sizeof b->folder, "/tmp/ludens-rooms-XXXXXX");
    if (!mkdtemp(b->folder))
        return -1;
    snprintf(b->store, sizeof b->store, "%s/rooms.db", b->folder);
    b->options = (ServerOptions){.store = b->store, .threads = 1};
    start_hub(b);
    snprintf(b->a.name, sizeof b->a.name, "Ana");
    snprintf(b->b.name, sizeof b->b.name, "Bob");
    snprintf(b->w.name, sizeof b->w.name, "Wes");
    *state = b;
    return 0;
}

static void drop_page(Page *p) {
    if (p->client)
        client_free(p->client);
    p->client = NULL;
    cJSON_Delete(p->pushed);
    p->pushed = NULL;
}

static void stop_hub(Bench *b) {
    drop_page(&b->a);
    drop_page(&b->b);
    drop_page(&b->w);
    hub_free(b->hub);
    b->hub = NULL;
}

static int tear_down(void **state) {
    Bench *b = *state;
    stop_hub(b);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", b->folder);
    int status = system(command);
    free(b);
    return status;
}

// --- messages ---

static const cJSON *get(const cJSON *in, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(in, name);
    if (!item)
        fail_msg("`%s` is missing", name);
    return item;
}

static const char *code_of(const cJSON *answer) {
    const cJSON *code = cJSON_GetObjectItemCaseSensitive(answer, "code");
    return cJSON_IsString(code) ? code->valuestring : "";
}

static cJSON *take(Page *p, int64_t id) {
    size_t size;
    const char *message;
    cJSON *answer = NULL;
    while ((message = client_next(p->client, &size))) {
        cJSON *json = cJSON_ParseWithLength(message, size);
        assert_non_null(json);
        const cJSON *re = cJSON_GetObjectItemCaseSensitive(json, "re");
        const cJSON *on = cJSON_GetObjectItemCaseSensitive(json, "on");
        client_sent(p->client);
        if (re && re->valuedouble == (double)id) {
            assert_null(answer); // exactly one
            answer = json;
        } else if (on && strcmp(on->valuestring, "room") == 0) {
            cJSON_Delete(p->pushed);
            p->pushed = json;
        } else {
            cJSON_Delete(json);
        }
    }
    return answer;
}

static cJSON *ask_now(Page *p, const char *format, va_list args) {
    Text message = {0};
    int64_t id = ++p->asked;
    text_f(&message, "{\"id\":%d,", (int)id);
    text_vf(&message, format, args);
    text_char(&message, '}');
    client_receive(p->client, text_c(&message), message.n);
    cJSON *answer = NULL;
    for (int i = 0; !answer && i < 120000; i++) { // compiling takes a while, in a thread
        hub_tick(p->hub, now_seconds());
        answer = take(p, id);
        if (!answer)
            usleep(1000);
    }
    if (!answer)
        fail_msg("no answer to %.100s", text_c(&message));
    text_free(&message);
    return answer;
}

static cJSON *ask_plain(Page *p, const char *format, ...) {
    va_list args;
    va_start(args, format);
    cJSON *answer = ask_now(p, format, args);
    va_end(args);
    return answer;
}

// A page that comes, or comes back after so many messages: what one may ask for is limited.
static void come(Bench *b, Page *p) {
    if (p->client && p->hub == b->hub && p->asked % 100 != 99)
        return;
    char address[32];
    snprintf(address, sizeof address, "10.0.%d.%d", b->addresses / 256, b->addresses % 256);
    b->addresses = (b->addresses + 1) % 65536; // what was asked from the last one is forgotten
    drop_page(p);
    p->hub = b->hub;
    p->client = client_new(b->hub, address, NULL, NULL);
    p->asked++;
    cJSON_Delete(
        ask_plain(p, "\"do\":\"hello\",\"page\":\"page-of-%s\",\"name\":\"%s\"", p->name, p->name));
    for (int i = 0; i < p->key_count; i++)
        cJSON_Delete(
            ask_plain(p, "\"do\":\"join\",\"room\":\"%s\",\"key\":\"%s\"", p->room, p->keys[i]));
    if (p->key_count == 0 && p->room[0])
        cJSON_Delete(ask_plain(p, "\"do\":\"join\",\"room\":\"%s\"", p->room));
}

// Whoever has asked too much comes back from elsewhere: a slow machine is soon asked too much.
static cJSON *ask(Bench *b, Page *p, const char *format, ...) {
    for (int tries = 0;; tries++) {
        va_list args;
        come(b, p);
        va_start(args, format);
        cJSON *answer = ask_now(p, format, args);
        va_end(args);
        if (strcmp(code_of(answer), "busy") != 0 || tries == 3)
            return answer;
        cJSON_Delete(answer);
        drop_page(p);
    }
}

#define EXPECT_OK(answer)                                                                          \
    do {                                                                                           \
        cJSON *answer_ = (answer);                                                                 \
        if (cJSON_HasObjectItem(answer_, "error"))                                                 \
            fail_msg("line %d: %s", __LINE__, get(answer_, "error")->valuestring);                 \
        cJSON_Delete(answer_);                                                                     \
    } while (0)
#define EXPECT_CODE(answer, expected)                                                              \
    do {                                                                                           \
        cJSON *answer_ = (answer);                                                                 \
        if (strcmp(code_of(answer_), expected) != 0)                                               \
            fail_msg("line %d: `%s` instead of `%s`", __LINE__, code_of(answer_), expected);       \
        cJSON_Delete(answer_);                                                                     \
    } while (0)

// The room as a page sees it now.
static cJSON *look(Bench *b, Page *p) {
    cJSON *room = ask(b, p, "\"do\":\"join\",\"room\":\"%s\"", p->room);
    if (cJSON_HasObjectItem(room, "error"))
        fail_msg("%s", get(room, "error")->valuestring);
    return room;
}

static int whole(const cJSON *in, const char *name) {
    return get(in, name)->valueint;
}

static int seq_of(Bench *b, Page *p) {
    cJSON *room = look(b, p);
    int seq = whole(room, "seq");
    cJSON_Delete(room);
    return seq;
}

static int ply_of(Bench *b, Page *p) {
    cJSON *room = look(b, p);
    int ply = whole(room, "ply");
    cJSON_Delete(room);
    return ply;
}

static bool can(const cJSON *room, const char *word) {
    const cJSON *item;
    cJSON_ArrayForEach(item, get(room, "can")) {
        if (strcmp(item->valuestring, word) == 0)
            return true;
    }
    return false;
}

static bool may(Bench *b, Page *p, const char *word) {
    cJSON *room = look(b, p);
    bool yes = can(room, word);
    cJSON_Delete(room);
    return yes;
}

static char ended_by(Bench *b, Page *p) { // its first letter; 0: it goes on
    cJSON *room = look(b, p);
    const cJSON *ended = get(room, "ended");
    char by = cJSON_IsNull(ended) ? 0 : get(ended, "by")->valuestring[0];
    cJSON_Delete(room);
    return by;
}

static void no_room(Page *p) {
    p->room[0] = '\0';
    p->key_count = 0;
}

static void give_key(Page *p, const char *room, const char *key) {
    snprintf(p->room, sizeof p->room, "%s", room);
    if (key)
        snprintf(p->keys[p->key_count++], sizeof p->keys[0], "%s", key);
}

// A game of Ana and Bob: seats by turns; `more` are further members.
static void open_two(Bench *b, const char *game, int players, const char *more) {
    Text seats = {0};
    for (int i = 0; i < players; i++)
        text_f(&seats, "%s{\"kind\":\"%s\"}", i ? "," : "", i % 2 ? "open" : "person");
    no_room(&b->a);
    no_room(&b->b);
    no_room(&b->w);
    cJSON *opened = ask(b, &b->a, "\"do\":\"open\",\"game\":\"%s\",\"seats\":[%s]%s", game,
                        text_c(&seats), more);
    text_free(&seats);
    if (cJSON_HasObjectItem(opened, "error"))
        fail_msg("%s", get(opened, "error")->valuestring);
    const char *room = get(opened, "room")->valuestring;
    const cJSON *key;
    cJSON_ArrayForEach(key, get(opened, "keys"))
        give_key(atoi(key->string) % 2 ? &b->b : &b->a, room, key->valuestring);
    give_key(&b->b, room, NULL);
    give_key(&b->w, room, NULL);
    for (int i = 0; i < b->b.key_count; i++)
        EXPECT_OK(
            ask(b, &b->b, "\"do\":\"join\",\"room\":\"%s\",\"key\":\"%s\"", room, b->b.keys[i]));
    EXPECT_OK(ask(b, &b->w, "\"do\":\"join\",\"room\":\"%s\"", room));
    cJSON_Delete(opened);
}

// A game of Ana alone; `seats` as in the message, "" for all seats.
static void open_alone(Bench *b, const char *game, const char *more) {
    no_room(&b->a);
    cJSON *opened = ask(b, &b->a, "\"do\":\"open\",\"game\":\"%s\"%s", game, more);
    if (cJSON_HasObjectItem(opened, "error"))
        fail_msg("%s", get(opened, "error")->valuestring);
    const cJSON *key, *room = get(opened, "room");
    give_key(&b->a, room->valuestring, NULL);
    cJSON_ArrayForEach(key, get(opened, "keys"))
        give_key(&b->a, room->valuestring, key->valuestring);
    cJSON_Delete(opened);
}

static cJSON *play_text(Bench *b, Page *p, const char *text) {
    int seq = seq_of(b, p);
    return ask(b, p, "\"do\":\"move\",\"room\":\"%s\",\"seq\":%d,\"text\":\"%s\"", p->room, seq,
               text);
}

static cJSON *act(Bench *b, Page *p, const char *what) { // `what`: the command and more members
    int seq = seq_of(b, p);
    return ask(b, p, "\"do\":%s,\"room\":\"%s\",\"seq\":%d", what, p->room, seq);
}

// --- whole games ---

// Chooses at random among what the server offers, to a whole move.
static void choose(Bench *b, Page *p, int seq, Rng *rng, Text *values) {
    text_add(values, "[");
    for (;;) {
        cJSON *o = ask(b, p, "\"do\":\"options\",\"room\":\"%s\",\"seq\":%d,\"values\":%s]",
                       p->room, seq, text_c(values));
        if (cJSON_HasObjectItem(o, "error"))
            fail_msg("%s", get(o, "error")->valuestring);
        const cJSON *items = get(o, "items");
        int n = cJSON_GetArraySize(items);
        bool complete = cJSON_IsString(get(o, "move"));
        assert_int_equal(complete, n == 0);
        if (!complete) {
            const cJSON *item = cJSON_GetArrayItem(items, (int)rng_below(rng, (uint64_t)n));
            text_f(values, "%s%.0f", values->n > 1 ? "," : "", get(item, "value")->valuedouble);
        }
        cJSON_Delete(o);
        if (complete)
            break;
    }
    text_char(values, ']');
}

// What a shadow of the game, played without a server, says about the same position.
static void compare(Record *shadow, Runner *r, const cJSON *room) {
    Text text = {0};
    state_text(runner_game(r), record_now(shadow), &text);
    assert_string_equal(get(get(room, "position"), "text")->valuestring, text_c(&text));
    text_free(&text);
    assert_int_equal(whole(room, "ply"), record_length(shadow));
    assert_int_equal(cJSON_IsNull(get(room, "ended")), record_result(shadow) == 0);
}

static void shadow_move(Record *shadow, Runner *r, const cJSON *room) {
    const cJSON *moves = get(room, "moves");
    const char *text =
        get(cJSON_GetArrayItem(moves, cJSON_GetArraySize(moves) - 1), "text")->valuestring;
    const Move *legal;
    int n = runner_moves(r, record_now(shadow), &legal);
    Move *copy = malloc(sizeof *copy * (size_t)(n + 1));
    memcpy(copy, legal, sizeof *copy * (size_t)n);
    bool found = false;
    for (int i = 0; i < n && !found; i++) {
        Text t = {0};
        assert_true(move_text(r, record_now(shadow), copy[i], &t));
        found = strcmp(text_c(&t), text) == 0;
        if (found)
            assert_true(record_play(shadow, copy[i]));
        text_free(&t);
    }
    assert_true(found);
    free(copy);
}

static void play_game(Bench *b, const char *name, Rng *rng) {
    Diags diags = {0};
    Game *g = game_load(name, NULL, 0, &diags);
    Runner *r = runner_new(g);
    Record *shadow = record_new(r, NULL);
    open_two(b, name, g->ir->players, "");
    for (int ply = 0; ply < PLIES && record_result(shadow) == 0; ply++) {
        int turn = game_player(g, record_now(shadow));
        Page *mover = turn % 2 ? &b->b : &b->a, *other = turn % 2 ? &b->a : &b->b;
        int seq = seq_of(b, mover);
        Text values = {0};
        choose(b, mover, seq, rng, &values);
        const char *message = "\"do\":\"move\",\"room\":\"%s\",\"seq\":%d,\"values\":%s";
        EXPECT_CODE(ask(b, &b->w, message, b->w.room, seq, text_c(&values)), "denied");
        if (g->ir->players > 1)
            EXPECT_CODE(ask(b, other, message, other->room, seq, text_c(&values)), "denied");
        EXPECT_CODE(ask(b, mover, message, mover->room, seq - 1, text_c(&values)), "behind");
        EXPECT_OK(ask(b, mover, message, mover->room, seq, text_c(&values)));
        // Sent twice by a page that does not know: it is behind now.
        EXPECT_CODE(ask(b, mover, message, mover->room, seq, text_c(&values)), "behind");
        text_free(&values);
        cJSON *room = look(b, &b->w);
        shadow_move(shadow, r, room);
        compare(shadow, r, room);
        cJSON_Delete(room);
    }
    record_free(shadow);
    runner_free(r);
    game_free(g);
    diag_free(&diags);
}

static void test_whole_games(void **state) {
    Bench *b = *state;
    Rng rng;
    rng_seed(&rng, 5);
    for (int i = 0; i < library_count; i++)
        play_game(b, library_games[i].name, &rng);
}

// --- restart of the server ---

static void test_survives(void **state) {
    Bench *b = *state;
    open_two(b, "mill", 2, ",\"params\":{\"men\":5},\"clock\":{\"minutes\":3,\"increment\":1}");
    EXPECT_OK(play_text(b, &b->a, "a1"));
    EXPECT_OK(play_text(b, &b->b, "d1"));
    EXPECT_OK(play_text(b, &b->a, "g1"));
    cJSON *before = look(b, &b->a);
    stop_hub(b);
    start_hub(b);
    cJSON *after = look(b, &b->a);
    assert_int_equal(whole(after, "seq"), whole(before, "seq"));
    assert_true(cJSON_Compare(get(before, "moves"), get(after, "moves"), true));
    assert_true(cJSON_Compare(get(before, "position"), get(after, "position"), true));
    assert_true(cJSON_Compare(get(before, "params"), get(after, "params"), true));
    assert_string_equal(get(cJSON_GetArrayItem(get(after, "seats"), 1), "name")->valuestring,
                        "Bob");
    assert_true(cJSON_IsTrue(get(cJSON_GetArrayItem(get(after, "seats"), 0), "you")));
    const cJSON *left = get(get(after, "clock"), "left");
    assert_in_range(cJSON_GetArrayItem(left, 1)->valueint, 1, 180000 + 1000);
    cJSON_Delete(before);
    cJSON_Delete(after);
    EXPECT_CODE(play_text(b, &b->a, "a4"), "denied");
    EXPECT_OK(play_text(b, &b->b, "d2"));
    cJSON *hello = ask(b, &b->b, "\"do\":\"hello\",\"page\":\"page-of-Bob\"");
    const cJSON *rooms = get(hello, "rooms");
    assert_int_equal(cJSON_GetArraySize(rooms), 1);
    assert_string_equal(get(cJSON_GetArrayItem(rooms, 0), "room")->valuestring, b->b.room);
    cJSON_Delete(hello);
    hello = ask(b, &b->w, "\"do\":\"hello\",\"page\":\"page-of-Wes\"");
    assert_int_equal(cJSON_GetArraySize(get(hello, "rooms")), 0);
    cJSON_Delete(hello);
}

// Another program holds the file: nobody hears of the move, and it is not there.
static void test_disk_fails(void **state) {
    Bench *b = *state;
    open_alone(b, "tic-tac-toe", "");
    int seq = seq_of(b, &b->a);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(b->store, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    Text message = {0};
    text_f(&message, "{\"id\":1,\"do\":\"move\",\"room\":\"%s\",\"seq\":%d,\"values\":[4]}",
           b->a.room, seq);
    client_receive(b->a.client, text_c(&message), message.n);
    text_free(&message);
    hub_tick(b->hub, now_seconds());
    size_t size;
    assert_null(client_next(b->a.client, &size));
    assert_true(client_failed(b->a.client));
    drop_page(&b->a);
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(db);
    cJSON *room = look(b, &b->a);
    assert_int_equal(whole(room, "seq"), seq);
    assert_int_equal(whole(room, "ply"), 0);
    cJSON_Delete(room);
    EXPECT_OK(play_text(b, &b->a, "b2"));
    assert_int_equal(ply_of(b, &b->a), 1);
}

// --- alone: undo, redo, restart ---

static void test_back_and_forth(void **state) {
    Bench *b = *state;
    open_alone(b, "tic-tac-toe", "");
    assert_false(may(b, &b->a, "undo"));
    EXPECT_CODE(act(b, &b->a, "\"undo\""), "illegal");
    EXPECT_OK(play_text(b, &b->a, "a1"));
    EXPECT_OK(play_text(b, &b->a, "b2"));
    EXPECT_OK(play_text(b, &b->a, "c3"));
    assert_true(may(b, &b->a, "undo"));
    EXPECT_OK(act(b, &b->a, "\"undo\""));
    EXPECT_OK(act(b, &b->a, "\"undo\""));
    assert_int_equal(ply_of(b, &b->a), 1);
    assert_true(may(b, &b->a, "redo"));
    EXPECT_OK(act(b, &b->a, "\"redo\""));
    assert_int_equal(ply_of(b, &b->a), 2);
    // What can be redone survives, too, until another move is played.
    stop_hub(b);
    start_hub(b);
    cJSON *room = look(b, &b->a);
    assert_int_equal(whole(room, "redo"), 1);
    cJSON_Delete(room);
    EXPECT_OK(play_text(b, &b->a, "a2"));
    EXPECT_CODE(act(b, &b->a, "\"redo\""), "illegal");
    EXPECT_OK(act(b, &b->a, "\"restart\""));
    assert_int_equal(ply_of(b, &b->a), 0);
    EXPECT_OK(act(b, &b->a, "\"resign\""));
    assert_int_equal(ended_by(b, &b->a), 'r');
    EXPECT_CODE(act(b, &b->a, "\"undo\""), "illegal");
    EXPECT_CODE(play_text(b, &b->a, "a2"), "illegal");
    EXPECT_OK(act(b, &b->a, "\"restart\""));
    assert_int_equal(ended_by(b, &b->a), 0);
}

static void test_goto(void **state) {
    Bench *b = *state;
    open_alone(b, "tic-tac-toe", ",\"moves\":[\"a1\",\"b2\"]");
    assert_int_equal(ply_of(b, &b->a), 2);
    cJSON *past = act(b, &b->a, "\"goto\",\"ply\":1");
    assert_string_equal(get(get(past, "position"), "text")->valuestring, "3/3/X2 n");
    assert_int_equal(cJSON_GetArrayItem(get(past, "cells"), 0)->valueint, 0);
    cJSON_Delete(past);
    EXPECT_CODE(act(b, &b->a, "\"goto\",\"ply\":3"), "bad");
    EXPECT_CODE(act(b, &b->a, "\"goto\",\"ply\":-1"), "bad");
    EXPECT_CODE(ask(b, &b->a, "\"do\":\"open\",\"game\":\"tic-tac-toe\",\"moves\":[\"a1\",\"a1\"]"),
                "illegal");
    Text record = {0}, why = {0};
    assert_true(room_text(b->hub, b->a.room, &record, &why));
    assert_non_null(strstr(text_c(&record), "1. a1 b2"));
    text_free(&record);
    text_free(&why);
}

// --- offers ---

static void test_takeback(void **state) {
    Bench *b = *state;
    open_two(b, "tic-tac-toe", 2, "");
    EXPECT_CODE(act(b, &b->a, "\"takeback\""), "illegal");
    EXPECT_OK(play_text(b, &b->a, "a1"));
    EXPECT_OK(play_text(b, &b->b, "b2"));
    EXPECT_CODE(act(b, &b->a, "\"undo\""), "denied");
    EXPECT_CODE(act(b, &b->w, "\"takeback\""), "denied");
    EXPECT_CODE(act(b, &b->a, "\"answer\",\"yes\":true"), "illegal");
    EXPECT_OK(act(b, &b->a, "\"takeback\""));
    assert_true(may(b, &b->b, "answer"));
    assert_false(may(b, &b->a, "answer"));
    assert_false(may(b, &b->w, "answer"));
    // Who asks cannot say yes, nor can a watcher.
    EXPECT_OK(act(b, &b->a, "\"answer\",\"yes\":true"));
    EXPECT_CODE(act(b, &b->w, "\"answer\",\"yes\":true"), "denied");
    assert_int_equal(ply_of(b, &b->a), 2);
    EXPECT_OK(act(b, &b->b, "\"answer\",\"yes\":false"));
    EXPECT_CODE(act(b, &b->b, "\"answer\",\"yes\":true"), "illegal");
    assert_int_equal(ply_of(b, &b->a), 2);
    EXPECT_OK(act(b, &b->a, "\"takeback\""));
    EXPECT_OK(act(b, &b->b, "\"answer\",\"yes\":true"));
    assert_int_equal(ply_of(b, &b->a), 0);
    // A move makes an offer void.
    EXPECT_OK(act(b, &b->b, "\"draw\""));
    EXPECT_OK(play_text(b, &b->a, "a1"));
    EXPECT_CODE(act(b, &b->a, "\"answer\",\"yes\":true"), "illegal");
}

static void test_draw_and_resign(void **state) {
    Bench *b = *state;
    open_two(b, "tic-tac-toe", 2, "");
    EXPECT_CODE(act(b, &b->w, "\"draw\""), "denied");
    EXPECT_CODE(act(b, &b->w, "\"resign\""), "denied");
    EXPECT_OK(act(b, &b->a, "\"draw\""));
    EXPECT_CODE(act(b, &b->b, "\"draw\""), "illegal");
    EXPECT_OK(act(b, &b->b, "\"answer\",\"yes\":true"));
    assert_int_equal(ended_by(b, &b->w), 'a');
    EXPECT_CODE(play_text(b, &b->a, "a1"), "illegal");
    open_two(b, "tic-tac-toe", 2, "");
    EXPECT_OK(act(b, &b->b, "\"resign\""));
    cJSON *room = look(b, &b->a);
    const cJSON *winners = get(get(room, "ended"), "winners");
    assert_int_equal(cJSON_GetArraySize(winners), 1);
    assert_int_equal(cJSON_GetArrayItem(winners, 0)->valueint, 0);
    cJSON_Delete(room);
    stop_hub(b);
    start_hub(b);
    assert_int_equal(ended_by(b, &b->a), 'r');
}

// Who wants to play again asks the other; the seats and keys stay.
static void test_again(void **state) {
    Bench *b = *state;
    open_two(b, "tic-tac-toe", 2, "");
    EXPECT_OK(play_text(b, &b->a, "a1"));
    EXPECT_CODE(act(b, &b->a, "\"restart\""), "denied"); // not yet
    assert_false(may(b, &b->a, "again"));
    EXPECT_OK(act(b, &b->b, "\"resign\""));
    assert_true(may(b, &b->a, "again") && may(b, &b->b, "again"));
    assert_false(may(b, &b->w, "again") || may(b, &b->a, "restart"));
    EXPECT_CODE(act(b, &b->w, "\"restart\""), "denied");
    EXPECT_OK(act(b, &b->a, "\"restart\""));
    cJSON *room = look(b, &b->b);
    assert_string_equal(get(get(room, "offer"), "kind")->valuestring, "restart");
    assert_int_equal(get(get(room, "offer"), "by")->valueint, 0);
    cJSON_Delete(room);
    assert_true(may(b, &b->b, "answer") && may(b, &b->b, "again"));
    assert_false(may(b, &b->a, "answer") || may(b, &b->a, "again"));
    EXPECT_CODE(act(b, &b->a, "\"restart\""), "denied"); // asking twice is no consent
    EXPECT_OK(act(b, &b->a, "\"answer\",\"yes\":true"));
    assert_int_equal(ended_by(b, &b->a), 'r');
    EXPECT_OK(act(b, &b->b, "\"answer\",\"yes\":false"));
    assert_int_equal(ended_by(b, &b->a), 'r');
    EXPECT_OK(act(b, &b->b, "\"restart\""));
    EXPECT_OK(act(b, &b->a, "\"answer\",\"yes\":true"));
    assert_int_equal(ply_of(b, &b->b), 0);
    assert_false(may(b, &b->b, "again"));
    EXPECT_OK(play_text(b, &b->a, "b2"));
    EXPECT_OK(play_text(b, &b->b, "a1"));
    // Both ask: that is an agreement.
    EXPECT_OK(act(b, &b->a, "\"resign\""));
    EXPECT_OK(act(b, &b->a, "\"restart\""));
    EXPECT_OK(act(b, &b->b, "\"restart\""));
    assert_int_equal(ply_of(b, &b->b), 0);
    stop_hub(b);
    start_hub(b);
    assert_int_equal(ply_of(b, &b->a), 0);
    EXPECT_OK(play_text(b, &b->a, "b2"));
}

// --- rights ---

static void test_rights(void **state) {
    Bench *b = *state;
    static const char *const commands[] = {
        "\"move\",\"values\":[0]",
        "\"undo\"",
        "\"redo\"",
        "\"restart\"",
        "\"resign\"",
        "\"seat\",\"seat\":0,\"kind\":\"computer\",\"player\":\"random\"",
        "\"seat\",\"seat\":1,\"kind\":\"person\"",
        "\"options\",\"values\":[]",
        "\"pace\",\"seconds\":1",
        "\"step\"",
        "\"rename\",\"name\":\"X\"",
        "\"rename\",\"name\":\"X\",\"seat\":1",
        "\"takeback\"",
        "\"draw\"",
    };
    open_two(b, "mill", 2, "");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        EXPECT_CODE(act(b, &b->w, commands[i]), "denied");
    EXPECT_CODE(act(b, &b->b, "\"seat\",\"seat\":0,\"kind\":\"person\""), "denied");
    EXPECT_CODE(ask(b, &b->w, "\"do\":\"join\",\"room\":\"%s\",\"key\":\"wrong\"", b->w.room),
                "denied");
    EXPECT_CODE(ask(b, &b->w, "\"do\":\"join\",\"room\":\"zzzzzzzz\""), "gone");
    EXPECT_CODE(ask(b, &b->w, "\"do\":\"join\",\"room\":\"../../x\""), "gone");
    cJSON *room = look(b, &b->w);
    assert_int_equal(cJSON_GetArraySize(get(room, "can")), 0);
    assert_int_equal(whole(room, "watchers"), 1);
    char *text = cJSON_PrintUnformatted(room); // nobody is told somebody else's key
    for (int i = 0; i < b->a.key_count; i++)
        assert_null(strstr(text, b->a.keys[i]));
    assert_null(strstr(text, b->b.keys[0]));
    free(text);
    cJSON_Delete(room);
    EXPECT_OK(ask(b, &b->w, "\"do\":\"leave\",\"room\":\"%s\"", b->w.room));
    EXPECT_CODE(ask(b, &b->w, "\"do\":\"goto\",\"room\":\"%s\",\"ply\":0", b->w.room), "denied");
}

// --- clocks ---

static void test_clock(void **state) {
    Bench *b = *state;
    // Three seconds: a busy machine may take one of them before it looks.
    open_two(b, "tic-tac-toe", 2, ",\"clock\":{\"minutes\":0.05,\"increment\":0}");
    usleep(50 * 1000); // nobody's time runs before the first move
    EXPECT_OK(play_text(b, &b->a, "a1"));
    cJSON *room = look(b, &b->a);
    assert_int_equal(whole(get(room, "clock"), "running"), 1);
    assert_true(cJSON_GetArrayItem(get(get(room, "clock"), "left"), 0)->valueint == 3000);
    cJSON_Delete(room);
    for (int i = 0; i < 3000 && !ended_by(b, &b->w); i++)
        usleep(20 * 1000);
    room = look(b, &b->w);
    assert_string_equal(get(get(room, "ended"), "by")->valuestring, "time");
    assert_int_equal(cJSON_GetArrayItem(get(get(room, "ended"), "winners"), 0)->valueint, 0);
    cJSON_Delete(room);
    EXPECT_CODE(play_text(b, &b->b, "b2"), "illegal");
    EXPECT_CODE(ask(b, &b->a, "\"do\":\"open\",\"game\":\"mill\",\"clock\":{\"minutes\":-1}"),
                "bad");
    EXPECT_CODE(ask(b, &b->a, "\"do\":\"open\",\"game\":\"mill\",\"clock\":{\"minutes\":1e9}"),
                "bad");
}

static void test_increment(void **state) {
    Bench *b = *state;
    open_two(b, "tic-tac-toe", 2, ",\"clock\":{\"minutes\":1,\"increment\":100}");
    EXPECT_OK(play_text(b, &b->a, "a1"));
    EXPECT_OK(play_text(b, &b->b, "b2"));
    EXPECT_OK(play_text(b, &b->a, "a2"));
    cJSON *room = look(b, &b->a);
    const cJSON *left = get(get(room, "clock"), "left");
    assert_in_range(cJSON_GetArrayItem(left, 0)->valueint, 100000, 160000);
    cJSON_Delete(room);
}

// --- computers ---

static void wait_for_ply(Bench *b, Page *p, int ply) {
    for (int i = 0; i < 60000; i++) {
        if (ply_of(b, p) >= ply || ended_by(b, p))
            return;
        usleep(2000);
        hub_tick(b->hub, now_seconds());
    }
    fail_msg("the computer does not move");
}

static void test_computer(void **state) {
    Bench *b = *state;
    open_alone(b, "tic-tac-toe",
               ",\"seats\":[{\"kind\":\"person\"},{\"kind\":\"computer\",\"player\":\"random\"}]");
    EXPECT_OK(play_text(b, &b->a, "b2"));
    wait_for_ply(b, &b->a, 2);
    assert_int_equal(ply_of(b, &b->a), 2);
    EXPECT_OK(act(b, &b->a, "\"undo\"")); // back to one's own choice
    assert_int_equal(ply_of(b, &b->a), 0);
    EXPECT_OK(play_text(b, &b->a, "a1"));
    wait_for_ply(b, &b->a, 2);
    // Sides are changed: the computer goes on for Ana, and Ana for the computer.
    EXPECT_OK(act(b, &b->a, "\"seat\",\"seat\":1,\"kind\":\"person\""));
    EXPECT_OK(act(b, &b->a, "\"seat\",\"seat\":0,\"kind\":\"computer\",\"player\":\"random\""));
    wait_for_ply(b, &b->a, 3);
    cJSON *room = look(b, &b->a);
    assert_int_equal(whole(room, "ply"), 3);
    assert_true(cJSON_IsTrue(get(cJSON_GetArrayItem(get(room, "seats"), 1), "you")));
    cJSON_Delete(room);
    EXPECT_OK(act(b, &b->a, "\"seat\",\"seat\":0,\"kind\":\"person\""));
    EXPECT_CODE(act(b, &b->a, "\"seat\",\"seat\":0,\"kind\":\"computer\",\"player\":\"nobody\""),
                "bad");
    EXPECT_CODE(act(b, &b->a, "\"seat\",\"seat\":0,\"kind\":\"computer\",\"player\":\"bot:sh\""),
                "bad");
    EXPECT_CODE(act(b, &b->a, "\"seat\",\"seat\":7,\"kind\":\"person\""), "bad");
}

static void test_among_computers(void **state) {
    Bench *b = *state;
    open_alone(b, "tic-tac-toe",
               ",\"seats\":[{\"kind\":\"computer\",\"player\":\"random\"},"
               "{\"kind\":\"computer\",\"player\":\"random\"}]");
    EXPECT_OK(act(b, &b->a, "\"pace\",\"seconds\":null"));
    snprintf(b->w.room, sizeof b->w.room, "%s", b->a.room);
    EXPECT_CODE(act(b, &b->w, "\"pace\",\"seconds\":0"), "denied");
    int ply = ply_of(b, &b->a);
    EXPECT_OK(act(b, &b->a, "\"step\""));
    wait_for_ply(b, &b->a, ply + 1);
    usleep(20 * 1000);
    hub_tick(b->hub, now_seconds());
    assert_int_equal(ply_of(b, &b->a), ply + 1);
    // Whoever opened it comes back: by the page's word.
    drop_page(&b->a);
    EXPECT_OK(act(b, &b->a, "\"pace\",\"seconds\":0"));
    wait_for_ply(b, &b->a, 9);
    assert_int_equal(ended_by(b, &b->a), 'r');
    EXPECT_OK(act(b, &b->a, "\"restart\""));
}

// --- editor ---

static cJSON *edit(Bench *b, const char *game, const char *more) {
    return ask(b, &b->a, "\"do\":\"edit\",\"game\":\"%s\"%s", game, more);
}

static void expect_edited(Bench *b, const char *game, const char *more, const char *text,
                          const char *problem) {
    cJSON *answer = edit(b, game, more);
    if (cJSON_HasObjectItem(answer, "error"))
        fail_msg("%s", get(answer, "error")->valuestring);
    assert_string_equal(get(get(answer, "position"), "text")->valuestring, text);
    const cJSON *what = get(answer, "problem");
    if (!problem)
        assert_true(cJSON_IsNull(what));
    else if (!cJSON_IsString(what) || !strstr(what->valuestring, problem))
        fail_msg("the problem is `%s`", cJSON_IsString(what) ? what->valuestring : "none");
    cJSON_Delete(answer);
}

static void test_edit(void **state) {
    Bench *b = *state;
    expect_edited(b, "tic-tac-toe", ",\"state\":\"\",\"put\":[4,1]", "3/1O1/3 c", NULL);
    expect_edited(b, "tic-tac-toe", ",\"state\":\"3/1O1/3 c\",\"put\":[4,-1]", "3/3/3 c", NULL);
    expect_edited(b, "tic-tac-toe", ",\"state\":\"XX1/3/3 c\",\"player\":1", "XX1/3/3 n", NULL);
    expect_edited(b, "mill", ",\"set\":[\"hand\",1,4]", "3/3/3/6/3/3/3 w hand=9,4 quiet=0", NULL);
    expect_edited(b, "chess", ",\"clear\":true,\"set\":[\"castling\",0,\"K\"]",
                  "8/8/8/8/8/8/8/8 w castling=K en_passant=- halfmoves=0", "over");
    // In pieces, for whoever looks for what is unfinished.
    expect_edited(b, "tic-tac-toe",
                  ",\"state\":\"X"
                  "XX/OO1/3 n\",\"put\":[0,0]",
                  "X"
                  "XX/OO1/X2 n",
                  NULL);
    EXPECT_CODE(edit(b, "tic-tac-toe", ",\"put\":[9,0]"), "bad");
    EXPECT_CODE(edit(b, "tic-tac-toe", ",\"put\":[0,2]"), "bad");
    EXPECT_CODE(edit(b, "tic-tac-toe", ",\"put\":[0.5,1]"), "bad");
    EXPECT_CODE(edit(b, "tic-tac-toe", ",\"put\":\"x\""), "bad");
    EXPECT_CODE(edit(b, "tic-tac-toe", ",\"player\":2"), "bad");
    EXPECT_CODE(edit(b, "tic-tac-toe", ",\"state\":\"what\""), "bad");
    EXPECT_CODE(edit(b, "mill", ",\"set\":[\"hand\",2,4]"), "bad");
    EXPECT_CODE(edit(b, "mill", ",\"set\":[\"hand\",1,10]"), "bad");
    EXPECT_CODE(edit(b, "mill", ",\"set\":[\"nothing\",1,1]"), "bad");
    EXPECT_CODE(edit(b, "nothing", ""), "bad");
    EXPECT_CODE(edit(b, "/etc/passwd", ""), "bad");
}

// Every game of the library can be emptied and set up again, piece by piece, and is told right.
static void test_edit_all(void **state) {
    Bench *b = *state;
    for (int i = 0; i < library_count; i++) {
        const char *name = library_games[i].name;
        cJSON *answer = edit(b, name, ",\"clear\":true");
        const cJSON *cell;
        cJSON_ArrayForEach(cell, get(get(answer, "position"), "cells"))
            assert_true(cJSON_IsNull(cell));
        Text more = {0};
        text_add(&more, ",\"put\":[0,0],\"state\":");
        text_json(&more, get(get(answer, "position"), "text")->valuestring);
        cJSON *put = edit(b, name, text_c(&more));
        if (!cJSON_HasObjectItem(put, "error"))
            assert_false(cJSON_IsNull(cJSON_GetArrayItem(get(get(put, "position"), "cells"), 0)));
        else // some games cannot be without pieces
            assert_string_equal(code_of(put), "bad");
        text_free(&more);
        cJSON_Delete(put);
        cJSON_Delete(answer);
    }
}

static void test_attributes(void **state) {
    Bench *b = *state;
    cJSON *answer = edit(b, "skirmish", "");
    const cJSON *cells = get(get(answer, "position"), "cells"), *cell;
    int at = 0, found = -1, empty = -1;
    cJSON_ArrayForEach(cell, cells) {
        if (cJSON_IsNull(cell))
            empty = at;
        else if (found < 0)
            found = at;
        at++;
    }
    cJSON_Delete(answer);
    Text more = {0};
    text_f(&more, ",\"attribute\":[\"number\",%d,4]", found);
    answer = edit(b, "skirmish", text_c(&more));
    const cJSON *numbers = get(get(get(answer, "position"), "attributes"), "number");
    assert_int_equal(cJSON_GetArrayItem(numbers, found)->valueint, 4);
    cJSON_Delete(answer);
    text_clear(&more);
    text_f(&more, ",\"attribute\":[\"number\",%d,4]", empty);
    EXPECT_CODE(edit(b, "skirmish", text_c(&more)), "bad");
    text_clear(&more);
    text_f(&more, ",\"attribute\":[\"number\",%d,5]", found);
    EXPECT_CODE(edit(b, "skirmish", text_c(&more)), "bad");
    text_free(&more);
}

// --- uploads ---

static cJSON *upload(Bench *b, const char *title, const char *rules) {
    Text text = {0};
    text_json(&text, rules);
    cJSON *answer =
        ask(b, &b->a, "\"do\":\"upload\",\"title\":\"%s\",\"text\":%s", title, text_c(&text));
    text_free(&text);
    return answer;
}

#define HEAD "game \"Test\"\nplayers A, B\nboard square 3 x 3\npiece man of A \"a\", B \"b\"\n"
// 9 to the 9th rounds.
#define LOOPS                                                                                      \
    "    for c in cells\n"                                                                         \
    "        for d in cells\n"                                                                     \
    "            for e in cells\n"                                                                 \
    "                for f in cells\n"                                                             \
    "                    for g in cells\n"                                                         \
    "                        for h in cells\n"                                                     \
    "                            for i in cells\n"                                                 \
    "                                for j in cells\n"                                             \
    "                                    for k in cells\n"                                         \
    "                                        place man of A at to\n"
#define TAIL "when stuck\n    draw\n"

static void test_upload(void **state) {
    Bench *b = *state;
    const char *rules = HEAD "turn\n    choose to in empty\n    place man at to\n" TAIL;
    cJSON *first = upload(b, "../my.game", rules), *again = upload(b, "x.game", rules);
    assert_string_equal(get(first, "game")->valuestring, get(again, "game")->valuestring);
    open_alone(b, get(first, "game")->valuestring, "");
    EXPECT_OK(play_text(b, &b->a, "b2"));
    stop_hub(b); // the rules survive with the room
    start_hub(b);
    EXPECT_OK(play_text(b, &b->a, "a1"));
    assert_int_equal(ply_of(b, &b->a), 2);
    cJSON_Delete(first);
    cJSON_Delete(again);
    cJSON *wrong = upload(b, "w.game", "game \"W\"\nnonsense\n");
    assert_false(cJSON_HasObjectItem(wrong, "game"));
    assert_true(cJSON_GetArraySize(get(wrong, "diagnostics")) > 0);
    cJSON_Delete(wrong);
    EXPECT_CODE(ask(b, &b->a, "\"do\":\"open\",\"game\":\"@0000\""), "bad");
    EXPECT_CODE(ask(b, &b->a, "\"do\":\"upload\",\"title\":\"t\""), "bad");
}

// Rules that take for ever: an answer comes soon, and says why.
static void test_hostile_rules(void **state) {
    Bench *b = *state;
    cJSON *slow = upload(b, "slow.game", HEAD "turn\n    choose to in empty\n" LOOPS TAIL);
    if (!cJSON_HasObjectItem(slow, "game"))
        fail_msg("%s",
                 get(cJSON_GetArrayItem(get(slow, "diagnostics"), 0), "message")->valuestring);
    open_alone(b, get(slow, "game")->valuestring, "");
    cJSON *moved = play_text(b, &b->a, "b2");
    if (!strstr(get(moved, "error")->valuestring, "too many steps"))
        fail_msg("%s", get(moved, "error")->valuestring);
    assert_int_equal(ply_of(b, &b->a), 0);
    cJSON_Delete(moved);
    cJSON_Delete(slow);
    // The same in the setup is refused at once.
    cJSON *setup = upload(b, "setup.game",
                          HEAD "let to = a1\nsetup\n" LOOPS
                               "turn\n    choose at in empty\n    place man at at\n" TAIL);
    assert_false(cJSON_HasObjectItem(setup, "game"));
    cJSON_Delete(setup);
}

// Rules with a parameter: another value, another game to be loaded.
#define MANY                                                                                       \
    "game \"Test\"\nparameter n : 1..99 = 1\nplayers A, B\nboard square 3 x 3\n"                   \
    "piece man of A \"a\", B \"b\"\nsetup\n    place man of A at cell(n, 1)\n"                     \
    "turn\n    choose to in empty\n    place man at to\n" TAIL

static bool has_game(Bench *b, const char *name, const char *param) {
    return games_has(b->hub, name, &param, 1);
}

static void send_about(Page *p, const char *format, const char *name, int n) {
    Text message = {0};
    text_f(&message, "{\"id\":%d,", ++p->asked);
    text_f(&message, format, name, n);
    text_char(&message, '}');
    client_receive(p->client, text_c(&message), message.n);
    text_free(&message);
}

// The next answer, whatever it answers.
static cJSON *next_answer(Page *p) {
    for (int i = 0; i < 120000; i++) {
        size_t size;
        const char *message = client_next(p->client, &size);
        cJSON *json = message ? cJSON_ParseWithLength(message, size) : NULL;
        if (json)
            client_sent(p->client);
        if (json && cJSON_HasObjectItem(json, "re"))
            return json;
        cJSON_Delete(json);
        hub_tick(p->hub, now_seconds());
        usleep(json ? 0 : 1000);
    }
    fail_msg("no answer");
    return NULL;
}

static void note_call(Hub *hub, void *with) {
    (void)hub;
    ++*(int *)with;
}

// Nobody else waits while rules from a page are loaded; who asked is answered in order.
static void test_rules_load_aside(void **state) {
    Bench *b = *state;
    static const char edit_it[] = "\"do\":\"edit\",\"game\":\"%s\",\"params\":{\"n\":%d}";
    static const char ask_hello[] = "\"do\":\"hello\",\"name\":\"%s%d\"";
    cJSON *uploaded = upload(b, "many.game", MANY);
    const char *game = get(uploaded, "game")->valuestring;
    Page *p = &b->a;
    come(b, p);
    int first = p->asked + 1;
    send_about(p, edit_it, game, 2);
    send_about(p, ask_hello, "x", 1);
    send_about(p, edit_it, game, 3);
    send_about(p, edit_it, game, 100);      // more than it may be
    assert_false(has_game(b, game, "n=2")); // not while others wait
    for (int i = 0; i < 4; i++) {
        cJSON *answer = next_answer(p);
        assert_int_equal(whole(answer, "re"), first + i);
        assert_int_equal(cJSON_HasObjectItem(answer, "error"), i == 3);
        cJSON_Delete(answer);
    }
    assert_true(has_game(b, game, "n=2") && has_game(b, game, "n=3"));
    assert_false(has_game(b, game, "n=100"));
    // A request over HTTP waits, too.
    char query[2][80] = {"", "n=2"};
    snprintf(query[0], sizeof query[0], "game=%s", game);
    const char *parts[] = {query[0], query[1]};
    Request request = {"/game.json", parts, 2, false, "10.9.9.9"};
    Answer page;
    int called = 0;
    assert_null(pages_wait(b->hub, &request, note_call, &called)); // it is there
    snprintf(query[1], sizeof query[1], "n=4");
    assert_non_null(pages_wait(b->hub, &request, note_call, &called));
    while (!called) {
        hub_tick(b->hub, now_seconds());
        usleep(1000);
    }
    assert_true(has_game(b, game, "n=4"));
    pages_answer(b->hub, &request, &page);
    assert_int_equal(page.status, 200);
    answer_free(&page);
    // Who asked may go, and the server may end.
    for (int n = 5; n < 9; n++) {
        send_about(p, edit_it, game, n);
        send_about(p, ask_hello, "y", 2);
        if (n == 6)
            drop_page(p);
        come(b, p);
        snprintf(query[1], sizeof query[1], "n=%d", 10 + n);
        games_wait_forget(pages_wait(b->hub, &request, note_call, &called));
    }
    assert_int_equal(called, 1);
    cJSON_Delete(uploaded);
    stop_hub(b);
    start_hub(b);
}

// A long game of strange rules is played up to where it was left in a thread.
static void test_rooms_load_aside(void **state) {
    Bench *b = *state;
    static const char join[] = "\"do\":\"join\",\"room\":\"%s\",\"times\":%d";
    cJSON *uploaded = upload(b, "many.game", MANY);
    open_alone(b, get(uploaded, "game")->valuestring, "");
    EXPECT_OK(play_text(b, &b->a, "b2"));
    EXPECT_OK(play_text(b, &b->a, "c3"));
    stop_hub(b);
    start_hub(b);
    char name[16];
    snprintf(name, sizeof name, "%s", b->a.room);
    come(b, &b->b);
    Room *room = room_find(b->hub, name);
    send_about(&b->b, join, name, 1);
    send_about(&b->b, join, name, 2);
    assert_null(room->record); // not while others wait
    for (int i = 0; i < 2; i++) {
        cJSON *answer = next_answer(&b->b);
        assert_int_equal(whole(answer, "ply"), 2);
        cJSON_Delete(answer);
    }
    assert_non_null(room->record);
    EXPECT_OK(play_text(b, &b->a, "a2")); // by the loop's own Runner
    // With moves that cannot be played any more it is asked for once.
    come(b, &b->b);
    room = room_find(b->hub, name);
    room_unload(room);
    room->moves[1].line[0] = '9';
    for (int i = 0; i < 2; i++) {
        send_about(&b->b, join, name, 3);
        assert_int_equal(room->unplayable != NULL, i);
        cJSON *answer = next_answer(&b->b);
        const cJSON *ended = get(answer, "ended");
        assert_string_equal(get(ended, "by")->valuestring, "failed");
        assert_non_null(strstr(get(ended, "text")->valuestring, "move 2, c3"));
        assert_non_null(room->unplayable);
        cJSON_Delete(answer);
    }
    cJSON_Delete(uploaded);
}

// --- memory ---

static void test_idle_rooms_leave(void **state) {
    Bench *b = *state;
    open_alone(b, "mill", "");
    EXPECT_OK(play_text(b, &b->a, "a1"));
    Room *room = room_find(b->hub, b->a.room);
    char name[16];
    snprintf(name, sizeof name, "%s", room_name(room));
    drop_page(&b->a);
    hub_tick(b->hub, now_seconds() + 3600); // an hour later
    assert_int_equal(rooms_in_memory(b->hub), 0);
    room = room_find(b->hub, name);
    assert_non_null(room);
    assert_int_equal(record_length(room_record(room)), 1);
    // With somebody in it a room stays, but not its states.
    come(b, &b->a);
    hub_tick(b->hub, now_seconds() + 3600);
    assert_int_equal(rooms_in_memory(b->hub), 1);
    assert_int_equal(ply_of(b, &b->a), 1);
}

static void test_limits(void **state) {
    Bench *b = *state;
    no_room(&b->a);
    int opened = 0;
    come(b, &b->a);
    for (int i = 0; i < 130; i++) { // always the same client
        cJSON *answer = ask_plain(&b->a, "\"do\":\"open\",\"game\":\"tic-tac-toe\"");
        if (cJSON_HasObjectItem(answer, "error"))
            assert_string_equal(code_of(answer), "busy");
        else
            opened++;
        cJSON_Delete(answer);
    }
    assert_int_equal(opened, 100);
}

static void test_wrong_messages(void **state) {
    Bench *b = *state;
    open_alone(b, "mill", "");
    static const char *const bad[] = {
        "\"move\"",
        "\"move\",\"values\":1",
        "\"move\",\"values\":[\"a\"]",
        "\"move\",\"values\":[1e300]",
        "\"move\",\"values\":[0.5]",
        "\"options\"",
        "\"why\",\"values\":{}",
        "\"answer\"",
        "\"answer\",\"yes\":1",
        "\"seat\"",
        "\"seat\",\"seat\":0,\"kind\":\"emperor\"",
        "\"goto\"",
        "\"rename\"",
        "\"rename\",\"name\":\"X\",\"seat\":7",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        EXPECT_CODE(act(b, &b->a, bad[i]), "bad");
    EXPECT_CODE(act(b, &b->a, "\"move\",\"values\":[500]"), "illegal");
    EXPECT_CODE(act(b, &b->a, "\"move\",\"values\":[]"), "illegal");
    EXPECT_CODE(act(b, &b->a, "\"move\",\"values\":[0,1]"), "illegal");
    EXPECT_CODE(act(b, &b->a, "\"move\",\"text\":\"z9\""), "illegal");
    EXPECT_CODE(ask(b, &b->a, "\"do\":\"open\",\"game\":\"mill\",\"params\":[1]"), "bad");
    EXPECT_CODE(ask(b, &b->a, "\"do\":\"open\",\"game\":\"mill\",\"params\":{\"men\":99}"), "bad");
    EXPECT_CODE(ask(b, &b->a, "\"do\":\"open\",\"game\":\"mill\",\"seats\":[1,2,3]"), "bad");
    EXPECT_CODE(ask(b, &b->a, "\"do\":\"open\",\"game\":\"mill\",\"seats\":[{\"kind\":\"x\"}]"),
                "bad");
    EXPECT_CODE(ask(b, &b->a, "\"do\":\"open\",\"game\":\"mill\",\"start\":\"zzz\""), "bad");
    EXPECT_CODE(ask(b, &b->a, "\"do\":\"open\",\"game\":\"mill\",\"moves\":[3]"), "illegal");
    EXPECT_CODE(ask(b, &b->a, "\"do\":\"open\"", ""), "bad");
    EXPECT_OK(act(b, &b->a, "\"rename\",\"name\":\"\\u0007A\\nna\",\"seat\":0"));
    cJSON *room = look(b, &b->a);
    assert_string_equal(get(cJSON_GetArrayItem(get(room, "seats"), 0), "name")->valuestring, "Ana");
    cJSON_Delete(room);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_whole_games),
        TEST(test_survives),
        TEST(test_disk_fails),
        TEST(test_back_and_forth),
        TEST(test_goto),
        TEST(test_takeback),
        TEST(test_draw_and_resign),
        TEST(test_again),
        TEST(test_rights),
        TEST(test_clock),
        TEST(test_increment),
        TEST(test_computer),
        TEST(test_among_computers),
        TEST(test_edit),
        TEST(test_edit_all),
        TEST(test_attributes),
        TEST(test_upload),
        TEST(test_rules_load_aside),
        TEST(test_rooms_load_aside),
        TEST(test_hostile_rules),
        TEST(test_idle_rooms_leave),
        TEST(test_limits),
        TEST(test_wrong_messages),
#undef TEST
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
