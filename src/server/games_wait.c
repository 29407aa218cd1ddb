// games_wait: see games_wait.h.
//
//     loop: text from the store ──► thread: compile, replay ──► loop: games_put, room_adopt,
//                                                              then who waits goes on
#include "server/games_wait.h"

#include "base/mem.h"
#include "server/hub_inside.h"
#include "server/room_inside.h"
#include "server/rules_text.h"
#include "server/think.h"

#include <string.h>

static const char busy[] = "there is too much to do at the moment";

struct GamesWait {
    GamesThen *then; // NULL: nobody waits any more
    void *with;
    char *name; // with its @
    char *params[RULES_PARAMS];
    int count;
    char *title, *text;
    Address *address;
    bool counted;      // among those that wait for the address
    double seconds;    // of the thread's work
    Game *game;        // that was compiled
    const Game *taken; // or that was there
    Text why;
    // Of a room, as it was when somebody began to wait.
    char *room, *start;
    int64_t seq;
    RoomMove *moves;
    int known, ply;
    Record *record;
};

void games_wait_forget(GamesWait *w) {
    if (w)
        w->then = NULL;
}

// What was taken is given back before.
static void free_wait(GamesWait *w) {
    if (w->address && w->counted)
        w->address->waits--;
    rates_release(w->address);
    for (int i = 0; i < w->known; i++)
        mem_free(w->moves[i].line);
    mem_free(w->moves);
    record_free(w->record);
    mem_free(w->room);
    mem_free(w->start);
    mem_free(w->name);
    for (int i = 0; i < w->count; i++)
        mem_free(w->params[i]);
    mem_free(w->title);
    mem_free(w->text);
    text_free(&w->why);
    mem_free(w);
}

static void replay(GamesWait *w, const Game *game) {
    Runner *r = runner_new(game);
    if (!r) {
        text_add(&w->why, "out of memory");
        return;
    }
    runner_limit(r, GAMES_STEPS, GAMES_REPLAY);
    w->record = room_replay(r, w->start, w->moves, w->known, w->ply, &w->why);
    runner_free(r); // the loop's own takes its place
}

static void run_wait(Task *task, void *with) {
    GamesWait *w = with;
    (void)task;
    double begin = rates_work();
    if (!w->taken)
        w->game = games_compile(w->name, w->title, w->text, (const char *const *)w->params,
                                w->count, &w->why);
    if (w->room && (w->taken || w->game))
        replay(w, w->taken ? w->taken : w->game);
    w->seconds = rates_work() - begin;
}

// The threads have less to do than the loop, but who has them work all the time waits, too.
static void charge(GamesWait *w, Client *c) {
    rates_charge(&w->address->bucket, RATES_ADDRESS, w->seconds);
    if (c)
        rates_charge(&c->bucket, 1, w->seconds);
}

// The room, if nothing has happened to it since.
static Room *same_room(Hub *hub, const GamesWait *w) {
    Room *room = w->room ? room_find(hub, w->room) : NULL;
    return room && !room->record && room->seq == w->seq ? room : NULL;
}

static void give_record(Hub *hub, GamesWait *w) {
    Room *room = same_room(hub, w);
    if (room && w->record && room_adopt(room, w->record))
        w->record = NULL;
    else if (room && !w->record && !room->unplayable)
        room->unplayable = mem_text(text_c(&w->why));
}

static void go_on(Hub *hub, GamesWait *w) {
    bool begun = w->game || w->taken || w->why.n; // else there was too much to do
    if (!begun)
        text_add(&w->why, busy);
    if (!w->taken)
        games_put(hub, w->name, (const char *const *)w->params, w->count, w->game, text_c(&w->why));
    give_record(hub, w);
    if (w->then)
        w->then(hub, w->with);
    games_put_over(hub);
    Room *room = begun ? NULL : same_room(hub, w);
    if (room) { // the next who asks may have more luck
        mem_free(room->unplayable);
        room->unplayable = NULL;
    }
    games_drop(hub, w->taken);
    free_wait(w);
}

static void end_wait(Hub *hub, Task *task, void *with) {
    charge(with, task_client(task));
    go_on(hub, with);
}

static void refuse(Hub *hub, void *with) {
    go_on(hub, with);
}

static bool fill_wait(GamesWait *w, const char *name, const char *const *params, int count) {
    w->name = mem_text(name);
    while (w->count < count && (w->params[w->count] = mem_text(params[w->count])))
        w->count++;
    return w->name && w->count == count;
}

// The text of the rules, if there are any: else the one who asks is told so at once.
static bool find_text(Hub *hub, GamesWait *w) {
    Text title = {0};
    w->text = store_find_rules(hub_rooms(hub)->store, w->name + 1, &title);
    w->title = w->text ? mem_text(title.n ? text_c(&title) : "rules.game") : NULL;
    text_free(&title);
    return w->text && w->title;
}

static bool begin(Hub *hub, Client *c, GamesWait *w) {
    Think *think = hub_think(hub);
    bool room = c || w->address->waits < GAMES_WAIT_ADDRESS;
    if (room && think && task_begin(think, c, TASK_QUICK, run_wait, end_wait, w)) {
        w->counted = !c;
        w->address->waits += w->counted;
        return true;
    }
    return hub_post(hub, refuse, w);
}

static bool copy_room(GamesWait *w, const Room *room) {
    w->room = mem_text(room->name);
    w->start = mem_text(room->start ? room->start : "");
    w->moves = mem_alloc(sizeof *w->moves * (size_t)(room->known + 1));
    w->seq = room->seq;
    w->ply = room->ply;
    while (w->moves && w->known < room->known &&
           (w->moves[w->known].line = mem_text(room->moves[w->known].line)))
        w->known++;
    return w->room && w->start && w->known == room->known;
}

// What has to be done for it: NULL if that is nothing. `room` may be NULL.
static GamesWait *wait_for(Hub *hub, Client *c, const char *address, const char *name,
                           const char *const *params, int count, const Room *room, GamesThen *then,
                           void *with) {
    if (name[0] != '@' || count > RULES_PARAMS)
        return NULL;
    bool there = games_has(hub, name, params, count);
    if (there && (!room || room->known == 0))
        return NULL;
    GamesWait *w = mem_alloc(sizeof *w);
    Text why = {0};
    if (!w)
        return NULL;
    w->then = then;
    w->with = with;
    w->address = rates_use(&hub->addresses, address);
    if (there)
        w->taken = games_take(hub, name, params, count, &why);
    text_free(&why);
    if (w->address && fill_wait(w, name, params, count) && (w->taken || find_text(hub, w)) &&
        (!room || copy_room(w, room)) && begin(hub, c, w))
        return w;
    games_drop(hub, w->taken);
    free_wait(w);
    return NULL;
}

GamesWait *games_wait_game(Hub *hub, const char *address, const char *name,
                           const char *const *params, int count, GamesThen *then, void *with) {
    return wait_for(hub, NULL, address, name, params, count, NULL, then, with);
}

static GamesWait *wait_for_room(Hub *hub, Client *c, const char *address, const char *name,
                                GamesThen *then, void *with) {
    const Room *room = room_find(hub, name);
    if (!room || room->record || room->unplayable || !room->game)
        return NULL;
    return wait_for(hub, c, address, room->game, (const char *const *)room->params,
                    room->param_count, room, then, with);
}

GamesWait *games_wait_room(Hub *hub, const char *address, const char *room, GamesThen *then,
                           void *with) {
    return wait_for_room(hub, NULL, address, room, then, with);
}

// What is wrong with a message is said by who answers it.
GamesWait *games_wait_message(Client *c, const cJSON *in, GamesThen *then, void *with) {
    const cJSON *game = cJSON_GetObjectItemCaseSensitive(in, "game");
    const cJSON *room = cJSON_GetObjectItemCaseSensitive(in, "room");
    const char *address = c->address->name;
    if (cJSON_IsString(room))
        return wait_for_room(c->hub, c, address, room->valuestring, then, with);
    if (!cJSON_IsString(game) || game->valuestring[0] != '@')
        return NULL;
    char *params[RULES_PARAMS];
    int count;
    GamesWait *w = NULL;
    if (rules_read_params(in, params, &count))
        w = wait_for(c->hub, c, address, game->valuestring, (const char *const *)params, count,
                     NULL, then, with);
    while (count > 0)
        mem_free(params[--count]);
    return w;
}
