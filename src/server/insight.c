// insight: questions about positions, values that are remembered, stopping tasks; see insight.h.
#include "server/insight.h"

#include "base/hash.h"
#include "base/mem.h"
#include "server/parts.h"
#include "server/watch.h"

#include <string.h>

// --- questions ---

bool question_number(Client *c, const cJSON *in, int64_t id, const char *name, double low,
                     double high, double *number) {
    return !cJSON_GetObjectItemCaseSensitive(in, name) ||
           in_number(c, id, in, name, low, high, number);
}

bool question_read(Question *q, Client *c, const cJSON *in, int64_t id) {
    Room *room;
    double ply = -1;
    *q = (Question){.id = id};
    if (!in_room(c, id, in, &room) || !question_number(c, in, id, "ply", 0, 1e6, &ply))
        return false;
    if (past_take(client_hub(c), room, (int)ply, &q->past))
        return true;
    Record *rec = room_game(room) ? room_record(room) : NULL;
    if (rec && ply > record_length(rec))
        client_error(c, id, "bad", NULL, "the game has only %d moves", record_length(rec));
    else
        client_error(c, id, "failed", NULL, "the game cannot be loaded");
    return false;
}

void question_drop(Hub *hub, Question *q) {
    past_drop(hub, &q->past);
}

bool question_open(Question *q, Text *why) {
    const Game *g = q->past.game;
    q->runner = runner_new(g);
    q->record = q->runner ? past_record(&q->past, q->runner) : NULL;
    if (q->record)
        q->key = insight_key(g, insight_game(g), record_now(q->record));
    else
        text_add(why, q->runner && runner_error(q->runner)[0] ? runner_error(q->runner)
                                                              : "out of memory");
    return q->record != NULL;
}

void question_close(Question *q) {
    record_free(q->record);
    runner_free(q->runner);
    q->record = NULL;
    q->runner = NULL;
}

bool question_player(Client *c, const cJSON *in, int64_t id, const char *usual, Text *out) {
    const char *text = usual;
    Text why = {0};
    const cJSON *given = cJSON_GetObjectItemCaseSensitive(in, "player");
    if (given && !cJSON_IsNull(given) && !in_text(c, id, in, "player", &text))
        return false;
    bool bot = strncmp(text, "bot:", 4) == 0;
    if (bot)
        text_add(&why, "a bot tells its move and nothing else");
    bool ok = !bot && think_player(client_hub(c), text, out, &why);
    if (!ok)
        client_error(c, id, "bad", NULL, "player: %s", text_c(&why));
    text_free(&why);
    return ok;
}

bool question_task(Client *c, int64_t id, const Task *task) {
    if (!task) {
        client_error(c, id, "busy", NULL, "too much is going on already: stop something first");
        return false;
    }
    Text out = {0};
    text_f(&out, "\"task\":%lld", (long long)task_number(task));
    client_reply(c, id, text_c(&out));
    text_free(&out);
    return true;
}

// --- what is known about positions ---

#define REMEMBERED ((size_t)1 << 15) // positions; a newer one takes the place of an older

typedef struct Remembered {
    uint64_t key; // 0: none
    Value value;
    int depth;
    bool exact;
} Remembered;

static uint64_t mix(uint64_t hash, const char *text) {
    return hash_bytes(hash, text, strlen(text));
}

uint64_t insight_game(const Game *g) {
    uint64_t hash = mix(HASH_START, g->source.text ? g->source.text : g->name);
    for (int i = 0; i < g->param_count; i++)
        hash = mix(hash * 31, g->params[i]);
    return hash;
}

uint64_t insight_key(const Game *g, uint64_t game, const uint8_t *state) {
    uint64_t key = game ^ game_hash(g, state) * 0x9e3779b97f4a7c15u;
    return key ? key : 1;
}

static Remembered *place_of(Hub *hub, uint64_t key) {
    Remembered *all = *hub_slot(hub, PART_insight);
    return all ? &all[key % REMEMBERED] : NULL;
}

void insight_remember(Hub *hub, uint64_t key, const SearchResult *result) {
    Remembered *at = place_of(hub, key);
    if (!at || !key || !result->found)
        return;
    bool exact = result->exact || value_is_proven(result->value);
    if (at->key == key && (at->exact ? !exact : !exact && at->depth > result->depth))
        return;
    *at = (Remembered){.key = key, .value = result->value, .depth = result->depth, .exact = exact};
}

bool insight_recall(Hub *hub, uint64_t key, Value *value) {
    const Remembered *at = place_of(hub, key);
    if (!at || at->key != key)
        return false;
    *value = at->value;
    return true;
}

// With more than two players a value says nothing about those who are not on move.
static bool value_for_first(const Game *g, const uint8_t *state, Value *value) {
    int player = game_player(g, state);
    if (player != 0 && g->ir->players == 2)
        *value = -*value;
    return player == 0 || g->ir->players == 2;
}

// A game that is over has a value without a search.
static bool value_of_end(Record *rec, Runner *r, Value *value) {
    const Game *g = runner_game(r);
    int result = record_result(rec), everybody = (1 << g->ir->players) - 1;
    if (result <= 0)
        return false;
    int winners = result & everybody;
    bool lost = !(winners & 1) && (winners || g->ir->players == 1);
    *value = winners == 1 ? VALUE_WIN : lost ? -VALUE_WIN : winners == everybody ? 0 : 500;
    *value = winners == 0 && !lost ? 0 : *value;
    return true;
}

void hub_do_graph(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    Room *room;
    if (!in_room(client, id, in, &room))
        return;
    const Game *g = room_game(room);
    Record *rec = g ? room_record(room) : NULL;
    if (!rec) {
        client_error(client, id, "failed", NULL, "the game cannot be loaded");
        return;
    }
    uint64_t game = insight_game(g);
    Text out = {0};
    text_add(&out, "\"values\":[");
    for (int i = 0; i <= record_length(rec); i++) {
        const uint8_t *state = record_state(rec, i);
        Value value = 0;
        bool known = i == record_length(rec) && value_of_end(rec, room_runner(room), &value);
        if (!known)
            known = insight_recall(hub, insight_key(g, game, state), &value) &&
                    value_for_first(g, state, &value);
        text_add(&out, i ? "," : "");
        if (known)
            text_f(&out, "%d", value);
        else
            text_add(&out, "null");
    }
    text_char(&out, ']');
    client_reply(client, id, text_c(&out));
    text_free(&out);
}

void hub_do_stop(Hub *hub, Client *client, const cJSON *in, int64_t id) {
    double number;
    const cJSON *title = cJSON_GetObjectItemCaseSensitive(in, "title");
    if (cJSON_IsString(title)) {
        watch_stop(hub, client, id, title->valuestring);
        return;
    }
    if (!in_number(client, id, in, "task", 0, 9e15, &number))
        return;
    Task *task = task_find(hub_think(hub), client, (int64_t)number);
    if (!task) {
        client_error(client, id, "gone", NULL, "there is no such task, or it is over");
        return;
    }
    task_cancel(task);
    client_reply(client, id, "");
}

// --- the part ---

bool insight_begin(Hub *hub, Text *why) {
    void **slot = hub_slot(hub, PART_insight);
    *slot = mem_alloc(sizeof(Remembered) * REMEMBERED);
    if (!*slot)
        text_add(why, "out of memory");
    return *slot != NULL;
}

void insight_end(Hub *hub) {
    void **slot = hub_slot(hub, PART_insight);
    mem_free(*slot);
    *slot = NULL;
}

int insight_tick(Hub *hub, double now) {
    (void)hub, (void)now;
    return -1;
}

void insight_leave(Hub *hub, Client *c) {
    (void)hub;
    trees_leave(c);
}
